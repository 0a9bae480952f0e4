// SPDX-License-Identifier: GPL-2.0
/*
 * What PTRACE_GET_SYSCALL_INFO says at every kind of stop: op, number, arguments,
 * result, and how much of it for which size (P03). kernel/ptrace.c
 * ptrace_get_syscall_info() fills it from arm64's asm/syscall.h.
 */
#include <asm/unistd.h>
#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include "case.h"
#include "filter.h"
#include "tracee.h"

#define SYSGOOD	PTRACE_O_TRACESYSGOOD

/* Whatever size is asked for, the full one is returned and no more is written. */
static void check_info_sizes(struct tracee *t, const char *stop, size_t full)
{
	static const size_t sizes[] = { 0, 1, 4, 8, 24, 25, 33, 80, 84, 88 };
	unsigned char all[96], part[96];
	char what[96];

	memset(all, 0xee, sizeof(all));
	snprintf(what, sizeof(what), "GET_SYSCALL_INFO at %s, ample size: full size", stop);
	check_eq(what, full, U64(tracee_syscall_info(t, (void *)all, sizeof(all))));
	for (size_t i = 0; i < ARRAY_SIZE(sizes); i++) {
		size_t n = sizes[i] < full ? sizes[i] : full;

		memset(part, 0xee, sizeof(part));
		snprintf(what, sizeof(what), "GET_SYSCALL_INFO at %s, size %zu: full size", stop,
			 sizes[i]);
		check_eq(what, full, U64(tracee_syscall_info(t, (void *)part, sizes[i])));
		snprintf(what, sizeof(what), "GET_SYSCALL_INFO at %s, size %zu: data", stop,
			 sizes[i]);
		check_mem(what, all, part, n);
		snprintf(what, sizeof(what), "GET_SYSCALL_INFO at %s, size %zu: bytes beyond", stop,
			 sizes[i]);
		for (size_t k = n; k < sizeof(part); k++)
			if (part[k] != 0xee)
				case_fail("%s: byte %zu was written", what, k);
	}
}

static void check_info(const struct stop *s, const struct svc_frame *f, unsigned int op)
{
	check_eq("op", op, s->info.op);
	check_eq("reserved", 0, s->info.reserved);
	check_eq("flags", 0, s->info.flags);
	check_eq("arch", AUDIT_ARCH_AARCH64, s->info.arch);
	check_eq("instruction_pointer", U64(svc_after), s->info.instruction_pointer);
	check_eq("stack_pointer", f->sp, s->info.stack_pointer);
}

TEST(syscall_info_at_entry_has_number_and_six_arguments)
{
	static const __u64 args[6] = {
		~0ull, 0, 1, 0x8000000000000000ull, 0xffffffffull, 0x0123456789abcdefull
	};
	struct svc_script *sc;
	struct tracee t;
	struct stop s;
	char what[32];

	PINS("P03");
	sc = svc_script_new(1);
	svc_fill(&sc->f[0], __NR_getuid, 6, args[0], args[1], args[2], args[3], args[4], args[5]);
	s = tracee_first(&t, sc, SYSGOOD, PTRACE_SYSCALL, "entry getuid");
	check_info(&s, &sc->f[0], PTRACE_SYSCALL_INFO_ENTRY);
	check_eq("entry.nr", __NR_getuid, s.info.entry.nr);
	for (int i = 0; i < 6; i++) {
		snprintf(what, sizeof(what), "entry.args[%d]", i);
		check_eq(what, args[i], s.info.entry.args[i]);
	}
	check_info_sizes(&t, "entry", 80);
	tracee_end(&t);
}

FIXTURE(info_exit) {
};

/* A call, and what GET_SYSCALL_INFO says of its result. */
FIXTURE_VARIANT(info_exit) {
	unsigned int nr;
	__u64 args[6];
	const char *entry, *exit;
	__s64 rval;
	unsigned int is_error;
};

FIXTURE_VARIANT_ADD(info_exit, success) {
	.nr = __NR_umask, .args = { 022 },
	.entry = "entry umask", .exit = "exit umask", .rval = 077, .is_error = 0,
};

FIXTURE_VARIANT_ADD(info_exit, zero) {
	.nr = __NR_sched_yield,
	.entry = "entry sched_yield", .exit = "exit sched_yield", .rval = 0, .is_error = 0,
};

FIXTURE_VARIANT_ADD(info_exit, enoent) {
	.nr = __NR_openat, .args = { (__u64)AT_FDCWD, (__u64)"", O_RDONLY },
	.entry = "entry openat", .exit = "exit openat", .rval = -ENOENT, .is_error = 1,
};

/* No sign and no error, whatever the upper half says. The address is put in below. */
FIXTURE_VARIANT_ADD(info_exit, mmap_address) {
	.nr = __NR_mmap,
	.args = { 0, 65536, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, ~0ull, 0 },
	.entry = "entry mmap", .exit = "exit mmap", .is_error = 0,
};

FIXTURE_SETUP(info_exit)
{
}

FIXTURE_TEARDOWN(info_exit)
{
}

TEST_F(info_exit, rval_and_is_error_are_those_of_the_call)
{
	__u64 arg0 = variant->args[0], rval = U64(variant->rval);
	struct svc_script *sc;
	struct tracee t;
	struct stop s;

	PINS("P03");
	sc = svc_script_new(1);
	umask(077);
	if (variant->nr == __NR_mmap) {
		arg0 = U64(shared_alloc(variant->args[1]));
		rval = arg0;
		name_value(arg0, "map");
	}
	svc_fill(&sc->f[0], variant->nr, 6, arg0, variant->args[1], variant->args[2],
		 variant->args[3], variant->args[4], variant->args[5]);
	tracee_first(&t, sc, SYSGOOD, PTRACE_SYSCALL, variant->entry);
	s = tracee_to(&t, PTRACE_SYSCALL, 0, variant->exit);
	check_info(&s, &sc->f[0], PTRACE_SYSCALL_INFO_EXIT);
	check_eq("exit.rval", rval, U64(s.info.exit.rval));
	check_eq("exit.is_error", variant->is_error, s.info.exit.is_error);
	check_eq("x0 at the exit stop", rval, s.regs.regs[0]);
	check_info_sizes(&t, "exit", 33);
	tracee_end(&t);
}

TEST(syscall_info_is_none_without_tracesysgood_and_at_a_signal)
{
	struct svc_script *sc;
	struct tracee t;
	struct stop s;

	PINS("P03");
	sc = svc_script_new(1);
	svc_fill(&sc->f[0], __NR_kill, 2, U64(0), U64(0));
	s = tracee_first(&t, sc, 0, PTRACE_SYSCALL, "entry kill");
	check_info(&s, &sc->f[0], PTRACE_SYSCALL_INFO_NONE);
	check_info_sizes(&t, "an entry stop without TRACESYSGOOD", 24);
	s = tracee_to(&t, PTRACE_SYSCALL, 0, "exit kill");
	check_info(&s, &sc->f[0], PTRACE_SYSCALL_INFO_NONE);
	check_info_sizes(&t, "an exit stop without TRACESYSGOOD", 24);
	kill(t.pid, SIGUSR1);
	s = tracee_to(&t, PTRACE_SYSCALL, 0, "signal SIGUSR1 SI_USER pc=svc+4");
	check_info(&s, &sc->f[0], PTRACE_SYSCALL_INFO_NONE);
	check_info_sizes(&t, "a signal", 24);
	tracee_end(&t);
}

TEST(syscall_info_at_a_seccomp_stop_has_number_arguments_and_data)
{
	struct svc_script *sc;
	struct tracee t;
	struct stop s;
	char what[32];

	PINS("P03");
	filter_answer(__NR_getuid, SECCOMP_RET_TRACE | 0x1234);
	sc = svc_script_new(1);
	s = tracee_first(&t, sc, SYSGOOD | PTRACE_O_TRACESECCOMP, PTRACE_CONT, "seccomp getuid");
	check_info(&s, &sc->f[0], PTRACE_SYSCALL_INFO_SECCOMP);
	check_eq("seccomp.nr", __NR_getuid, s.info.seccomp.nr);
	for (unsigned int i = 0; i < 6; i++) {
		snprintf(what, sizeof(what), "seccomp.args[%u]", i);
		check_eq(what, svc_pattern(i), s.info.seccomp.args[i]);
	}
	check_eq("seccomp.ret_data", 0x1234, s.info.seccomp.ret_data);
	check_eq("PTRACE_GETEVENTMSG", 0x1234, s.msg);
	check_info_sizes(&t, "a seccomp stop", 84);
	tracee_end(&t);
}
