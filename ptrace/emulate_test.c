// SPDX-License-Identifier: GPL-2.0
/*
 * A whole program run by a tracer that makes its system calls for it, by
 * PTRACE_SYSEMU and, for comparison, by the number -1: files, memory, signals,
 * children, threads, clocks. It behaves as natively, byte for byte, and no call that
 * the tracer made has run in it as well (E06).
 */
#include <asm/unistd.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "case.h"
#include "effect.h"
#include "emulated.h"
#include "emulator.h"

#define OUTPUT_SIZE	8192

static char directory[256];
static int output;

static const char *const program_argv[] = { EMULATED_NAME, directory, NULL };
static const char *const program_env[] = { "LC_ALL=C", NULL };

/* Without calls of libc, which the tracer would be asked for. */
static void exec_program(void)
{
	svc_call(__NR_execve, 3, U64("/proc/self/exe"), U64(program_argv), U64(program_env));
	svc_exit(1);
}

static void native(void *unused)
{
	(void)unused;
	dup2(output, 1);
	dup2(output, 2);
	svc_call(__NR_close_range, 3, U64(3), U64(~0u), U64(0));
	exec_program();
}

/* Its own descriptors are the effect pipe: what is written there was not emulated. */
static void emulated(void *unused)
{
	(void)unused;
	for (int fd = 0; fd < 3; fd++)
		svc_call(__NR_dup3, 3, U64(EFFECT_FD), U64(fd), U64(0));
	svc_call(__NR_close_range, 3, U64(3), U64(~0u), U64(0));
	exec_program();
}

static void read_output(char *text)
{
	ssize_t n = pread(output, text, OUTPUT_SIZE - 1, 0);

	if (n < 0)
		case_die("reading the program's output failed: %s", strerror(errno));
	text[n] = '\0';
	if (ftruncate(output, 0) || lseek(output, 0, SEEK_SET))
		case_die("emptying the program's output failed: %s", strerror(errno));
}

/* Line by line: the first that differs says what went wrong. */
static void check_output(char *expected, char *observed)
{
	char *e, *o, *next_e = expected, *next_o = observed;
	char what[64];

	for (unsigned int line = 1; next_e || next_o; line++) {
		e = strsep(&next_e, "\n");
		o = strsep(&next_o, "\n");
		snprintf(what, sizeof(what), "line %u of the program's output", line);
		if (!check_str(what, e ? e : "(none)", o ? o : "(none)"))
			return;
	}
}

static int remove_one(const char *path, const struct stat *st, int type, struct FTW *at)
{
	(void)st;
	(void)type;
	(void)at;
	return remove(path);
}

/* With the files of a program that did not come to its end. */
static void remove_directory(void)
{
	if (directory[0])
		nftw(directory, remove_one, 8, FTW_DEPTH | FTW_PHYS);
}

FIXTURE(program) {
};

FIXTURE_VARIANT(program) {
	enum emulator_method method;
};

FIXTURE_VARIANT_ADD(program, emulated_by_sysemu) {
	.method = BY_SYSEMU,
};

FIXTURE_VARIANT_ADD(program, emulated_by_number_minus_1) {
	.method = BY_NUMBER,
};

FIXTURE_SETUP(program)
{
	const char *tmp = getenv("TMPDIR");

	case_on_end(remove_directory);
	output = (int)syscall(__NR_memfd_create, "output", 0);
	snprintf(directory, sizeof(directory), "%s/entry-XXXXXX", tmp ? tmp : "/tmp");
	if (output < 0 || !mkdtemp(directory))
		directory[0] = '\0';
}

FIXTURE_TEARDOWN(program)
{
}

TEST_F(program, behaves_as_natively)
{
	static char expected[OUTPUT_SIZE], observed[OUTPUT_SIZE];
	int fds[3] = { output, output, output };
	struct tracee t;
	char end[64];

	PINS("E06");
	if (output < 0)
		case_skip("no memfd_create: needs CONFIG_MEMFD_CREATE");
	if (!directory[0])
		case_skip("no directory to write to: set TMPDIR=");
	child_run(native, NULL, end, sizeof(end));
	if (!check_str("the native program", "exited 42", end))
		case_end();
	read_output(expected);

	effect_pipe();
	t = tracee_start(emulated, NULL, EMULATOR_OPTIONS);
	check_str("the emulated program", "exited 42",
		  emulate(&t, variant->method, fds).text);
	read_output(observed);
	check_output(expected, observed);
	check_eq("bytes that emulated write() wrote to the program's own files", 0,
		 effect_count());
}
