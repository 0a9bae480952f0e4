// SPDX-License-Identifier: GPL-2.0
/*
 * Unit tests of lib/decode.c on the build machine: every kind of stop from
 * what a kernel says of it, contradictions, and the notation of values.
 * Prints the lines that tests/run.sh counts.
 */
#include <stdio.h>
#include <string.h>

#include "../lib/decode.h"

#define STOPPED(sig, event)	((event) << 16 | (sig) << 8 | 0x7f)

static void check(const char *name, int good)
{
	printf("%sok - %s\n", good ? "" : "not ", name);
}

static const struct {
	const char *name;
	int status;
	int signo, code, pid;	/* signo 0: PTRACE_GETSIGINFO fails */
	unsigned long msg;
	enum stop_kind kind;
} stops[] = {
	{ "exit status 3", 3 << 8, 0, 0, 0, 0, STOP_EXITED },
	{ "killed by SIGKILL", 9, 0, 0, 0, 0, STOP_KILLED },
	{ "killed with a core", 11 | 0x80, 0, 0, 0, 0, STOP_KILLED },
	{ "continued is no stop", 0xffff, 0, 0, 0, 0, STOP_BAD },
	{ "entry, TRACESYSGOOD", STOPPED(0x85, 0), 5, 0x85, 0, 1, STOP_ENTRY },
	{ "exit, TRACESYSGOOD", STOPPED(0x85, 0), 5, 0x85, 0, 2, STOP_EXIT },
	{ "syscall stop with message 0", STOPPED(0x85, 0), 5, 0x85, 0, 0, STOP_BAD },
	{ "syscall stop with message 3", STOPPED(0x85, 0), 5, 0x85, 0, 3, STOP_BAD },
	{ "syscall stop with si_code TRAP_TRACE", STOPPED(0x85, 0), 5, 2, 0, 1, STOP_BAD },
	{ "entry, plain", STOPPED(5, 0), 5, 5, 0, 1, STOP_ENTRY },
	{ "exit, plain", STOPPED(5, 0), 5, 5, 0, 2, STOP_EXIT },
	{ "handler entry", STOPPED(5, 0), 5, 5, 0, 0, STOP_HANDLER },
	{ "hardware step", STOPPED(5, 0), 5, 2, 0, 1, STOP_STEP },
	{ "pseudo-step", STOPPED(5, 0), 5, 0, 0, 2, STOP_PSEUDO_STEP },
	{ "SIGTRAP by kill", STOPPED(5, 0), 5, 0, 77, 0, STOP_SIGNAL },
	{ "hardware breakpoint", STOPPED(5, 0), 5, 4, 0, 0, STOP_SIGNAL },
	{ "SIGTRAP with another signo", STOPPED(5, 0), 11, 2, 0, 0, STOP_BAD },
	{ "signal", STOPPED(10, 0), 10, -6, 77, 0, STOP_SIGNAL },
	{ "signal with another signo", STOPPED(10, 0), 12, 0, 77, 0, STOP_BAD },
	{ "group-stop of a TRACEME tracee", STOPPED(19, 0), 0, 0, 0, 0, STOP_GROUP },
	{ "group-stop of a SEIZEd tracee", STOPPED(19, 128), 5, 0, 0, 0, STOP_GROUP },
	{ "PTRACE_INTERRUPT", STOPPED(5, 128), 5, 0, 0, 0, STOP_EVENT },
	{ "seccomp", STOPPED(5, 7), 5, 0, 0, 42, STOP_SECCOMP },
	{ "fork event", STOPPED(5, 1), 5, 0, 0, 1234, STOP_EVENT },
	{ "exit event", STOPPED(5, 6), 5, 0, 0, 0, STOP_EVENT },
};

static void check_stops(void)
{
	for (size_t i = 0; i < ARRAY_SIZE(stops); i++) {
		struct stop_raw raw = {
			.status = stops[i].status, .siginfo = stops[i].signo, .msg = stops[i].msg,
		};
		char name[128];

		raw.si.si_signo = stops[i].signo;
		raw.si.si_code = stops[i].code;
		raw.si.si_pid = stops[i].pid;
		snprintf(name, sizeof(name), "decode: %s is '%s'", stops[i].name,
			 stop_kind_name(stops[i].kind));
		check(name, decode_stop(&raw) == stops[i].kind);
	}
}

static const struct {
	__u64 value;
	const char *name;
} values[] = {
	{ 0, "0" }, { 65535, "65535" }, { 65536, "0x10000" }, { 0xfffffe00, "0xfffffe00" },
	{ (__u64)-1, "-EPERM" }, { (__u64)-38, "-ENOSYS" },
	{ (__u64)-512, "-ERESTARTSYS" },
	{ (__u64)-516, "-ERESTART_RESTARTBLOCK" }, { (__u64)-600, "-600" },
	{ (__u64)-4095, "-4095" }, { (__u64)-4096, "0xfffffffffffff000" },
	{ 0x7fff12345678, "addr" }, { 0xa5a500015a5a5a5a, "0xa5a500015a5a5a5a" },
	{ 0x400100, "svc" }, { 0x400104, "svc+4" }, { 0x40010c, "0x40010c" },
	{ 0x7fff00000000, "buffer" }, { 0x7fff00000fff, "buffer+4095" }, { 0x7fff00001000, "addr" },
	{ 0x8000000000000000, "0x8000000000000000" },
};

static void check_values(void)
{
	static char later[32][16];
	char name[128];

	name_range(0x400100, 12, "old");
	name_range(0x400100, 12, "svc");
	name_range(0x7fff00000000, 4096, "buffer");
	for (size_t i = 0; i < ARRAY_SIZE(values); i++) {
		snprintf(name, sizeof(name), "notation: 0x%llx is '%s'",
			 (unsigned long long)values[i].value, values[i].name);
		check(name, !strcmp(value_name(values[i].value), values[i].name));
	}
	name_value(0x500000000000, "moved");
	name_value(0x500000001000, "moved");
	check("notation: a label that moved is at its new value",
	      !strcmp(value_name(0x500000001000), "moved"));
	check("notation: ... and no longer at the old one",
	      !strcmp(value_name(0x500000000000), "addr"));
	for (int i = 0; i < 32; i++) {
		snprintf(later[i], sizeof(later[i]), "later%d", i);
		name_value(0x700000000000ull + (__u64)i, later[i]);
	}
	check("notation: labels beyond 32 push out the oldest",
	      !strcmp(value_name(0x400100), "0x400100"));
}

static void check_names(void)
{
	const char *kept;

	check("notation: SIGTRAP", !strcmp(sig_name(SIGTRAP), "SIGTRAP"));
	check("notation: a real-time signal", !strcmp(sig_name(40), "SIG40"));
	check("notation: TRAP_TRACE", !strcmp(sicode_name(SIGTRAP, 2), "TRAP_TRACE"));
	check("notation: the same code of SIGSEGV",
	      !strcmp(sicode_name(SIGSEGV, 2), "SEGV_ACCERR"));
	check("notation: SEGV_MTEAERR", !strcmp(sicode_name(SIGSEGV, 8), "SEGV_MTEAERR"));
	check("notation: SYS_USER_DISPATCH",
	      !strcmp(sicode_name(SIGSYS, 2), "SYS_USER_DISPATCH"));
	check("notation: SI_TKILL of any signal", !strcmp(sicode_name(SIGUSR1, -6), "SI_TKILL"));
	check("notation: an unknown code", !strcmp(sicode_name(SIGUSR1, 99), "99"));
	check("notation: getppid", !strcmp(syscall_name(173), "getppid"));
	check("notation: an unknown number", !strcmp(syscall_name(9999), "9999"));
	check("notation: number -1", !strcmp(syscall_name(-1), "-1"));
	check("notation: 64-bit number", !strcmp(syscall_name(0x1000000adL), "4294967469"));
	check("notation: no name for errno 4000", !errno_name(4000));
	kept = value_name(123);
	for (int i = 0; i < 15; i++)
		value_name(4000);
	check("notation: a name outlives fifteen others", !strcmp(kept, "123"));
}

int main(void)
{
	check_stops();
	check_values();
	check_names();
	return 0;
}
