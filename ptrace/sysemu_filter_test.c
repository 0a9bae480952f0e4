// SPDX-License-Identifier: GPL-2.0
/*
 * PTRACE_SYSEMU and seccomp: an emulated call reaches no filter, whatever that would
 * do to it, and no strict mode; a call that runs after its stop does reach it, with
 * the number that the tracer wrote (E03). arch/arm64/kernel/ptrace.c
 * syscall_trace_enter() returns before secure_computing(), on the generic path
 * include/linux/entry-common.h.
 */
#include <asm/unistd.h>
#include <errno.h>
#include <linux/seccomp.h>
#include <signal.h>

#include "case.h"
#include "filter.h"
#include "tracee.h"

#define SYSGOOD		PTRACE_O_TRACESYSGOOD
#define OPTIONS		(SYSGOOD | PTRACE_O_TRACESECCOMP)
#define RESULT		0x7e5017

/* The filter answers this one; without it the result would be -EBADF. */
#define BAD_FD		1000

static struct svc_script *dups(void)
{
	struct svc_script *sc = svc_script_new(3);

	name_value(RESULT, "result");
	for (unsigned int i = 0; i < 3; i++)
		svc_fill(&sc->f[i], __NR_dup, 1, U64(BAD_FD));
	return sc;
}

FIXTURE(unfiltered) {
};

/* What the filter would do: seen afterwards, when the call does run. */
FIXTURE_VARIANT(unfiltered) {
	unsigned int action;
	struct stop_row control;
};

FIXTURE_VARIANT_ADD(unfiltered, errno) {
	.action = SECCOMP_RET_ERRNO | E2BIG,
	.control = { PTRACE_SYSCALL, 0, "exit dup pc=svc+4 x0=-E2BIG" },
};

FIXTURE_VARIANT_ADD(unfiltered, trap) {
	.action = SECCOMP_RET_TRAP,
	.control = { PTRACE_CONT, 0, "signal SIGSYS SYS_SECCOMP pc=svc+4 x0=1000" },
};

FIXTURE_VARIANT_ADD(unfiltered, trace) {
	.action = SECCOMP_RET_TRACE | 1,
	.control = { PTRACE_CONT, 0, "seccomp dup pc=svc+4 x0=1000" },
};

/* Without a listener there is nobody to wait for. */
FIXTURE_VARIANT_ADD(unfiltered, user_notif) {
	.action = SECCOMP_RET_USER_NOTIF,
	.control = { PTRACE_SYSCALL, 0, "exit dup pc=svc+4 x0=-ENOSYS" },
};

FIXTURE_VARIANT_ADD(unfiltered, log) {
	.action = SECCOMP_RET_LOG,
	.control = { PTRACE_SYSCALL, 0, "exit dup pc=svc+4 x0=-EBADF" },
};

FIXTURE_VARIANT_ADD(unfiltered, kill_thread) {
	.action = SECCOMP_RET_KILL_THREAD,
	.control = { PTRACE_CONT, 0, "killed SIGSYS" },
};

FIXTURE_VARIANT_ADD(unfiltered, kill_process) {
	.action = SECCOMP_RET_KILL_PROCESS,
	.control = { PTRACE_CONT, 0, "killed SIGSYS" },
};

FIXTURE_SETUP(unfiltered)
{
}

FIXTURE_TEARDOWN(unfiltered)
{
}

TEST_F(unfiltered, is_an_emulated_call_and_filtered_one_that_runs)
{
	struct svc_script *sc;
	struct tracee t;
	struct stop s;

	PINS("E03");
	sc = dups();
	filter_answer(__NR_dup, variant->action);
	s = tracee_first(&t, sc, OPTIONS, PTRACE_SYSEMU, "entry dup pc=svc+4 x0=1000");
	s.regs.regs[0] = RESULT;
	tracee_set_regs(&t, &s.regs);
	tracee_to(&t, PTRACE_SYSEMU, 0, "entry dup pc=svc+4 x0=1000");
	tracee_to(&t, PTRACE_SYSCALL, 0, "exit dup pc=svc+4 x0=1000");
	tracee_to(&t, PTRACE_SYSCALL, 0, "entry dup pc=svc+4 x0=1000");
	tracee_expect(&t, &variant->control, 1, NULL);
	tracee_end(&t);
	check_frame(&sc->f[0], RESULT);
	check_frame(&sc->f[1], BAD_FD);
}

TEST(number_written_to_an_emulated_call_reaches_no_filter)
{
	struct svc_script *sc;
	struct tracee t;

	PINS("E03");
	sc = dups();
	sc->f[0].x[8] = __NR_getppid;
	filter_answer(__NR_dup, SECCOMP_RET_KILL_PROCESS);
	tracee_first(&t, sc, OPTIONS, PTRACE_SYSEMU, "entry getppid pc=svc+4 x0=1000");
	tracee_set_nr(&t, __NR_dup);
	tracee_to(&t, PTRACE_SYSEMU, 0, "entry dup pc=svc+4 x0=1000");
	tracee_end(&t);
	check_frame(&sc->f[0], BAD_FD);
}

TEST(number_written_to_a_call_that_runs_and_is_left_with_sysemu_is_filtered)
{
	struct svc_script *sc;
	struct tracee t;

	PINS("E02 E03");
	sc = dups();
	sc->f[0].x[8] = __NR_getppid;
	filter_answer(__NR_dup, SECCOMP_RET_ERRNO | E2BIG);
	tracee_first(&t, sc, OPTIONS, PTRACE_SYSCALL, "entry getppid pc=svc+4 x0=1000");
	tracee_set_nr(&t, __NR_dup);
	tracee_to(&t, PTRACE_SYSEMU, 0, "entry dup pc=svc+4 x0=1000");
	tracee_end(&t);
	check_frame(&sc->f[0], U64(-E2BIG));
}

/* At the seccomp stop, too, SYSEMU is for the next call: this one goes back to the filter. */
TEST(call_left_with_sysemu_at_its_seccomp_stop_runs)
{
	struct svc_script *sc;
	struct tracee t;

	PINS("E02 E03");
	sc = dups();
	filter_answer(__NR_dup, SECCOMP_RET_TRACE | 1);
	tracee_first(&t, sc, OPTIONS, PTRACE_SYSCALL, "entry dup pc=svc+4 x0=1000");
	tracee_to(&t, PTRACE_SYSEMU, 0, "seccomp dup pc=svc+4 x0=1000");
	tracee_to(&t, PTRACE_SYSEMU, 0, "entry dup pc=svc+4 x0=1000");
	tracee_to(&t, PTRACE_SYSEMU, 0, "entry dup pc=svc+4 x0=1000");
	tracee_end(&t);
	check_frame(&sc->f[0], U64(-EBADF));
	check_frame(&sc->f[1], BAD_FD);
}

TEST(strict_mode_does_not_see_an_emulated_call)
{
	struct svc_script *sc;
	struct tracee t;
	struct stop s;

	PINS("E03");
	need_filters();
	sc = dups();
	svc_fill(&sc->f[0], __NR_seccomp, 3, U64(SECCOMP_SET_MODE_STRICT), U64(0), U64(0));
	tracee_first(&t, sc, OPTIONS, PTRACE_SYSCALL, "entry seccomp pc=svc+4 x0=0");
	tracee_to(&t, PTRACE_SYSCALL, 0, "exit seccomp pc=svc+4 x0=0");
	s = tracee_to(&t, PTRACE_SYSEMU, 0, "entry dup pc=svc+4 x0=1000");
	s.regs.regs[0] = RESULT;
	tracee_set_regs(&t, &s.regs);
	tracee_to(&t, PTRACE_SYSCALL, 0, "exit dup pc=svc+4 x0=result");
	tracee_to(&t, PTRACE_SYSCALL, 0, "entry dup pc=svc+4 x0=1000");
	tracee_to(&t, PTRACE_CONT, 0, "killed SIGKILL");
	check_frame(&sc->f[1], RESULT);
}
