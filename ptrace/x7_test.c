// SPDX-License-Identifier: GPL-2.0
/*
 * x7 as a marker: 0 at an entry stop, 1 at an exit stop, never the task's own and
 * never kept (P04); at every other stop it is the task's own, and a write sticks
 * (P05). arch/arm64/kernel/ptrace.c ptrace_save_reg() and its callers decide, on
 * the generic path arch_ptrace_report_*().
 */
#include <asm/unistd.h>
#include <linux/sched.h>
#include <signal.h>

#include "case.h"
#include "filter.h"
#include "tracee.h"

#define SYSGOOD	PTRACE_O_TRACESYSGOOD
#define X7_TRUE	svc_pattern(7)
#define X7_LIE	0xbad7bad7bad7bad7ull

TEST(x7_reads_0_at_entry_and_1_at_exit)
{
	struct svc_script *sc;
	struct tracee t;
	struct stop s;

	PINS("P04");
	sc = svc_script_new(1);
	s = tracee_first(&t, sc, SYSGOOD, PTRACE_SYSCALL, "entry getuid");
	check_eq("x7 at entry", 0, s.regs.regs[7]);
	s = tracee_to(&t, PTRACE_SYSCALL, 0, "exit getuid");
	check_eq("x7 at exit", 1, s.regs.regs[7]);
	tracee_to(&t, PTRACE_SYSCALL, 0, "entry exit_group");
	tracee_end(&t);
	check_eq("x7 in the task afterwards", X7_TRUE, sc->f[0].x_out[7]);
}

TEST(x7_written_at_entry_and_exit_is_dropped)
{
	struct svc_script *sc;
	struct tracee t;
	struct stop s;

	PINS("P04");
	sc = svc_script_new(1);
	s = tracee_first(&t, sc, SYSGOOD, PTRACE_SYSCALL, "entry getuid");
	s.regs.regs[7] = X7_LIE;
	tracee_set_regs(&t, &s.regs);
	s = tracee_to(&t, PTRACE_SYSCALL, 0, "exit getuid");
	s.regs.regs[7] = X7_LIE;
	tracee_set_regs(&t, &s.regs);
	tracee_to(&t, PTRACE_SYSCALL, 0, "entry exit_group");
	tracee_end(&t);
	check_eq("x7 in the task afterwards", X7_TRUE, sc->f[0].x_out[7]);
}

/* A child made by clone ends at once; its parent waits for that, as CLONE_VFORK says. */
static void vfork_body(void *arg)
{
	struct svc_script *s = arg;

	svc_run(&s->f[0]);
	if (!s->f[0].x_out[0])
		svc_exit(0);
}

/* The last stop of all; what is written there nobody sees. */
TEST(x7_is_the_tasks_own_at_the_exit_event)
{
	struct svc_script *sc;
	struct tracee t;
	struct stop s;

	PINS("P05");
	sc = svc_script_new(1);
	svc_fill(&sc->f[0], __NR_exit_group, 1, U64(3));
	tracee_first(&t, sc, SYSGOOD | PTRACE_O_TRACEEXIT, PTRACE_SYSCALL, "entry exit_group");
	s = tracee_to(&t, PTRACE_SYSCALL, 0, "event exit");
	check_eq("x7 at the exit event", X7_TRUE, s.regs.regs[7]);
	tracee_to(&t, PTRACE_SYSCALL, 0, "exited 3");
}

FIXTURE(true_x7) {
};

/* Ways to a stop that is no syscall stop, all with x7 as the task has it. */
FIXTURE_VARIANT(true_x7) {
	void (*body)(void *arg);
	__u64 nr, arg0, arg1;
	unsigned long options;
	bool filter;
	struct stop_row rows[3];
	size_t n;
};

FIXTURE_VARIANT_ADD(true_x7, seccomp_stop) {
	.body = svc_script_run, .nr = __NR_getuid, .filter = true,
	.options = SYSGOOD | PTRACE_O_TRACESECCOMP,
	.rows = {
		{ PTRACE_SYSCALL, 0, "entry getuid" },
		{ PTRACE_SYSCALL, 0, "seccomp getuid pc=svc+4" },
	}, .n = 2,
};

FIXTURE_VARIANT_ADD(true_x7, vfork_done_stop) {
	.body = vfork_body, .nr = __NR_clone, .arg0 = CLONE_VFORK,
	.options = SYSGOOD | PTRACE_O_TRACEVFORKDONE,
	.rows = {
		{ PTRACE_SYSCALL, 0, "entry clone" },
		{ PTRACE_SYSCALL, 0, "event vfork-done" },
	}, .n = 2,
};

/* A signal that is pending at the exit stop is delivered after it. */
FIXTURE_VARIANT_ADD(true_x7, signal_stop) {
	.body = svc_script_run, .nr = __NR_tgkill, .arg0 = 1, .arg1 = SIGUSR1,
	.options = SYSGOOD,
	.rows = {
		{ PTRACE_SYSCALL, 0, "entry tgkill" },
		{ PTRACE_SYSCALL, 0, "exit tgkill pc=svc+4 x0=0" },
		{ PTRACE_CONT, 0, "signal SIGUSR1 SI_TKILL pc=svc+4 x0=0" },
	}, .n = 3,
};

FIXTURE_VARIANT_ADD(true_x7, group_stop) {
	.body = svc_script_run, .nr = __NR_tgkill, .arg0 = 1, .arg1 = SIGSTOP,
	.options = SYSGOOD,
	.rows = {
		{ PTRACE_CONT, 0, "signal SIGSTOP SI_TKILL pc=svc+4 x0=0" },
		{ PTRACE_CONT, SIGSTOP, "group SIGSTOP" },
	}, .n = 2,
};

FIXTURE_VARIANT_ADD(true_x7, pseudo_step) {
	.body = svc_script_run, .nr = __NR_getuid,
	.options = SYSGOOD,
	.rows = {
		{ PTRACE_SYSCALL, 0, "entry getuid" },
		{ PTRACE_SINGLESTEP, 0, "pseudo-step pc=svc+4" },
	}, .n = 2,
};

FIXTURE_SETUP(true_x7)
{
}

FIXTURE_TEARDOWN(true_x7)
{
}

TEST_F(true_x7, is_shown_and_what_is_written_sticks)
{
	const bool signals = variant->nr == __NR_tgkill;
	struct stop_row own[2] = {
		{ PTRACE_SYSCALL, 0, "entry getpid" },
		{ PTRACE_SYSCALL, 0, "exit getpid pc=svc+4 x0=tracee" },
	};
	struct svc_script *sc;
	struct tracee t;
	struct stop s;

	PINS("P05");
	if (variant->filter)
		filter_answer(__NR_getuid, SECCOMP_RET_TRACE | 1);
	sc = svc_script_new(1);
	svc_fill(&sc->f[0], variant->nr, 5, variant->arg0, U64(0), variant->arg1, U64(0), U64(0));
	t = tracee_start(signals ? svc_tgkill_run : variant->body, sc, variant->options);
	if (signals && !tracee_expect(&t, own, ARRAY_SIZE(own), NULL))
		case_end();
	if (!tracee_expect(&t, variant->rows, variant->n, &s))
		case_end();
	check_eq("x7 at the stop", X7_TRUE, s.regs.regs[7]);
	s.regs.regs[7] = X7_LIE;
	tracee_set_regs(&t, &s.regs);
	tracee_to(&t, PTRACE_CONT, 0, "exited 0");
	check_eq("x7 in the task afterwards", X7_LIE, sc->f[0].x_out[7]);
}
