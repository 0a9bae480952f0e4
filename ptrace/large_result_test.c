// SPDX-License-Identifier: GPL-2.0
/*
 * A call has succeeded with a result that is a restart code in its lower half, and a
 * signal is pending: the result is the result, and the call is not made again (P15,
 * K03). arch/arm64/kernel/signal.c arch_do_signal_or_restart() decides; it looks at
 * 32 bits.
 */
#include <asm/unistd.h>
#include <errno.h>
#include <sys/syscall.h>

#include "case.h"
#include "caught.h"
#include "tracee.h"

#define FD	100

/* A file that may be large, at position 0. */
static void large_file(void)
{
	int fd = (int)syscall(__NR_memfd_create, "large", 0);

	if (fd < 0)
		case_skip("memfd_create failed: needs CONFIG_TMPFS");
	if (dup2(fd, FD) < 0)
		case_die("no file: %s", strerror(errno));
	close(fd);
}

FIXTURE(large_result) {
};

/*
 * A result that is a restart code in its lower half, of a call that has run: where a
 * relative lseek() on a large file ends, and how far it came.
 */
FIXTURE_VARIANT(large_result) {
	__u64 result;
	int flags;	/* of the handler */
};

FIXTURE_VARIANT_ADD(large_result, erestartsys) {
	.result = 0x100000000 - 512,
};

FIXTURE_VARIANT_ADD(large_result, erestartsys_sa_restart) {
	.result = 0x200000000 - 512, .flags = SA_RESTART,
};

FIXTURE_VARIANT_ADD(large_result, erestartnointr) {
	.result = 0x100000000 - 513,
};

FIXTURE_VARIANT_ADD(large_result, erestartnohand_sa_restart) {
	.result = 0x100000000 - 514, .flags = SA_RESTART,
};

FIXTURE_VARIANT_ADD(large_result, erestart_restartblock) {
	.result = 0x100000000 - 516,
};

FIXTURE_VARIANT_ADD(large_result, no_restart_code_sa_restart) {
	.result = 0x100000000 - 515, .flags = SA_RESTART,
};

FIXTURE_SETUP(large_result)
{
	large_file();
}

FIXTURE_TEARDOWN(large_result)
{
}

/* The signal is given at the entry stop, so it is pending when the call returns. */
TEST_F(large_result, is_no_restart_code_for_the_signal_that_follows)
{
	struct svc_script *sc;
	struct tracee t;
	char seen[160];

	PINS("P15 K03");
	name_value(variant->result, "result");
	name_value(2 * variant->result, "twice");
	catch_signal(SIGUSR1, variant->flags, NULL);
	sc = svc_script_new(1);
	svc_fill(&sc->f[0], __NR_lseek, 3, U64(FD), variant->result, U64(SEEK_CUR));
	tracee_first(&t, sc, PTRACE_O_TRACESYSGOOD, PTRACE_SYSCALL, "entry lseek pc=svc+4 x0=100");
	tracee_to(&t, PTRACE_SYSCALL, SIGUSR1, "exit lseek pc=svc+4 x0=result");
	tracee_next(&t, PTRACE_CONT, 0);
	tracee_to(&t, PTRACE_CONT, SIGUSR1, "exited 0");
	snprintf(seen, sizeof(seen), "handler x0=%s pc=%s, returned %s, position %s",
		 value_name(caught_nth(0)->regs.regs[0]), value_name(caught_nth(0)->regs.pc),
		 value_name(sc->f[0].x_out[0]), value_name(U64(lseek(FD, 0, SEEK_CUR))));
	check_str("a signal after lseek()",
		  "handler x0=result pc=svc+4, returned result, position result", seen);
}
