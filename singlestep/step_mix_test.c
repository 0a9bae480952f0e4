// SPDX-License-Identifier: GPL-2.0
/*
 * PTRACE_SINGLESTEP in turn with other requests, in one thread while another runs,
 * and refused: each request means what it means alone, and nothing of the one before
 * is left (S03, S04, S07 of the contract). ptrace_resume() in kernel/ptrace.c sets
 * and clears what each asks for; user_regs_reset_single_step() in
 * arch/arm64/kernel/debug-monitors.c decides about PSTATE.SS.
 */
#include <asm/unistd.h>
#include <errno.h>
#include <linux/sched.h>
#include <signal.h>
#include <unistd.h>

#include "case.h"
#include "counted.h"
#include "effect.h"
#include "features.h"

#define STEP		PTRACE_SINGLESTEP
#define SYSGOOD		PTRACE_O_TRACESYSGOOD
#define SINGLEBLOCK	33	/* elsewhere */
#define PSTATE_SS	0x200000ull
#define THREAD		(CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SIGHAND | CLONE_THREAD)

FIXTURE(step_mix) {
};

FIXTURE_VARIANT(step_mix) {
	struct stop_row rows[10];
};

FIXTURE_VARIANT_ADD(step_mix, step_to_svc_then_syscall_has_both_stops) {
	.rows = {
		{ STEP, 0, "step pc=svc x0=18" },
		{ PTRACE_SYSCALL, 0, "entry umask pc=svc+4 x0=18" },
		{ PTRACE_SYSCALL, 0, "exit umask pc=svc+4 x0=63" },
		{ STEP, 0, "step pc=svc+8 x0=63" },
		{ PTRACE_SYSCALL, 0, "signal SIGTRAP TRAP_BRKPT pc=svc+12 x0=63" },
	},
};

FIXTURE_VARIANT_ADD(step_mix, step_out_of_entry_stop_has_no_exit_stop) {
	.rows = {
		{ PTRACE_SYSCALL, 0, "entry umask pc=svc+4 x0=18" },
		{ STEP, 0, "pseudo-step pc=svc+4 x0=63" },
		{ PTRACE_SYSCALL, 0, "signal SIGTRAP TRAP_BRKPT pc=svc+12 x0=63" },
	},
};

FIXTURE_VARIANT_ADD(step_mix, step_over_svc_then_syscall_has_no_exit_stop) {
	.rows = {
		{ STEP, 0, "step pc=svc x0=18" },
		{ STEP, 0, "pseudo-step pc=svc+4 x0=63" },
		{ STEP, 0, "step pc=svc+4 x0=63" },
		{ PTRACE_SYSCALL, 0, "signal SIGTRAP TRAP_BRKPT pc=svc+12 x0=63" },
	},
};

FIXTURE_VARIANT_ADD(step_mix, cont_out_of_entry_stop_is_not_stepped) {
	.rows = {
		{ STEP, 0, "step pc=svc x0=18" },
		{ PTRACE_SYSCALL, 0, "entry umask pc=svc+4 x0=18" },
		{ PTRACE_CONT, 0, "signal SIGTRAP TRAP_BRKPT pc=svc+12 x0=63" },
	},
};

/* Stepping that ended and begins again arms SPSR.SS: no trap at svc+4. */
FIXTURE_VARIANT_ADD(step_mix, brk_between_steps) {
	.rows = {
		{ STEP, 0, "step pc=svc x0=18" },
		{ STEP, 0, "pseudo-step pc=svc+4 x0=63" },
		{ PTRACE_CONT, 0, "signal SIGTRAP TRAP_BRKPT pc=svc+12 x0=63" },
		{ STEP, 0, "signal SIGTRAP TRAP_BRKPT pc=svc+12 x0=63" },
		{ PTRACE_SYSCALL, 0, "signal SIGTRAP TRAP_BRKPT pc=svc+12 x0=63" },
	},
};

FIXTURE_SETUP(step_mix)
{
}

FIXTURE_TEARDOWN(step_mix)
{
}

TEST_F(step_mix, stops_are_those_of_each_request)
{
	struct user_pt_regs regs;
	struct tracee t;
	size_t n = 0;

	PINS("S03 S04 S07");
	while (variant->rows[n].expect)
		n++;
	t = counted_start(&counted_umask, SYSGOOD, &regs);
	tracee_expect(&t, variant->rows, n, NULL);
	tracee_end(&t);
}

/*
 * arm64 has no block step, and the number that is PTRACE_SINGLEBLOCK elsewhere is
 * PTRACE_PEEKMTETAGS. A signal number that is none is refused before anything.
 */
TEST(singleblock_and_bad_signals_are_refused_and_change_nothing)
{
	struct user_pt_regs regs;
	const char *reason;
	struct tracee t;
	long refused;

	PINS("S07");
	refused = has_mte(&reason) ? -EFAULT : -EIO;
	t = counted_start(&counted_umask, SYSGOOD, &regs);
	check_eq("what would be PTRACE_SINGLEBLOCK", U64(refused),
		 U64(tracee_request(&t, SINGLEBLOCK, 0, NULL)));
	check_eq("PTRACE_SINGLESTEP with signal 65", U64(-EIO),
		 U64(tracee_request(&t, STEP, 0, (void *)65)));
	check_eq("PTRACE_SYSEMU_SINGLESTEP with signal -1", U64(-EIO),
		 U64(tracee_request(&t, PTRACE_SYSEMU_SINGLESTEP, 0, (void *)-1)));
	tracee_to(&t, PTRACE_CONT, 0, "signal SIGTRAP TRAP_BRKPT pc=svc+12 x0=63");
	tracee_end(&t);
}

static bool shows_ss(struct tracee *t)
{
	struct user_pt_regs regs;

	tracee_get_regs(t, &regs);
	return regs.pstate & PSTATE_SS;
}

static void write_ss(struct tracee *t, bool ss)
{
	struct user_pt_regs regs;

	tracee_get_regs(t, &regs);
	regs.pstate = (regs.pstate & ~PSTATE_SS) | (ss ? PSTATE_SS : 0);
	tracee_set_regs(t, &regs);
}

/* The tracer cannot begin or end stepping by PSTATE. */
TEST(pstate_ss_that_is_written_is_replaced_by_what_the_request_asked_for)
{
	struct user_pt_regs regs;
	struct tracee t;

	PINS("S07");
	t = counted_start(&counted_umask, SYSGOOD, &regs);
	write_ss(&t, true);
	check_true("PSTATE.SS reads 0 when written at a stop that was not stepped to",
		   !shows_ss(&t));
	tracee_to(&t, STEP, 0, "step pc=svc");
	write_ss(&t, false);
	check_true("PSTATE.SS reads 1 when written at a step", shows_ss(&t));
	tracee_to(&t, STEP, 0, "pseudo-step pc=svc+4 x0=63");
	write_ss(&t, false);
	check_true("PSTATE.SS reads 1 when written at a pseudo-step", shows_ss(&t));
	tracee_to(&t, STEP, 0, "step pc=svc+8 x0=63");
	tracee_to(&t, PTRACE_CONT, 0, "signal SIGTRAP TRAP_BRKPT pc=svc+12 x0=63");
	write_ss(&t, true);
	check_true("PSTATE.SS reads 0 when written after stepping", !shows_ss(&t));
	tracee_end(&t);
}

/* The CPU clears it whenever a task runs that is not stepped. */
TEST(pstate_ss_reads_0_after_a_request_that_does_not_step)
{
	struct user_pt_regs regs;
	struct tracee t;

	PINS("S07");
	t = counted_start(&counted_umask, SYSGOOD, &regs);
	tracee_to(&t, STEP, 0, "step pc=svc");
	check_true("PSTATE.SS reads 1 at a step, armed for the next", shows_ss(&t));
	tracee_to(&t, PTRACE_SYSCALL, 0, "entry umask pc=svc+4 x0=18");
	check_true("PSTATE.SS reads 0 at the entry stop", !shows_ss(&t));
	tracee_to(&t, STEP, 0, "pseudo-step pc=svc+4 x0=63");
	check_true("PSTATE.SS reads 1 at the pseudo-step out of an entry stop", shows_ss(&t));
	tracee_to(&t, PTRACE_CONT, 0, "signal SIGTRAP TRAP_BRKPT pc=svc+12 x0=63");
	check_true("PSTATE.SS reads 0 at the brk", !shows_ss(&t));
	tracee_end(&t);
}

/* Step @parent over the clone; the thread waits in its first stop. */
static struct tracee make_thread(struct tracee *parent)
{
	const struct counted_call c = { .nr = __NR_clone, .args = { THREAD }, .nargs = 5 };
	struct user_pt_regs regs;
	struct tracee thread;
	struct stop s;

	*parent = counted_start(&c, SYSGOOD | PTRACE_O_TRACECLONE, &regs);
	tracee_to(parent, STEP, 0, "step pc=svc");
	s = tracee_to(parent, STEP, 0, "event clone");
	thread = tracee_adopt(parent, (pid_t)s.msg);
	name_value(s.msg, "thread");
	tracee_to(&thread, WAIT_ONLY, 0, "signal SIGSTOP SI_USER pc=svc+4 x0=0");
	tracee_to(parent, STEP, 0, "pseudo-step pc=svc+4 x0=thread");
	return thread;
}

/* Send a stopped task back to the start, with a call. */
static void back_to_start(struct tracee *t, __u64 nr, __u64 x0, __u64 x1, __u64 x2)
{
	struct user_pt_regs regs;

	tracee_get_regs(t, &regs);
	regs.regs[0] = x0;
	regs.regs[1] = x1;
	regs.regs[2] = x2;
	regs.regs[8] = nr;
	regs.pc = U64(counted_before);
	tracee_set_regs(t, &regs);
}

static const struct stop_row over_umask[] = {
	{ STEP, 0, "step pc=svc x0=63" },
	{ STEP, 0, "pseudo-step pc=svc+4 x0=63" },
	{ STEP, 0, "step pc=svc+4 x0=63" },
	{ STEP, 0, "step pc=svc+8 x0=63" },
	{ STEP, 0, "step pc=svc+12 x0=63" },
};

TEST(thread_that_is_not_stepped_runs_while_another_is_stepped)
{
	char *buf = shared_alloc(1);
	struct tracee parent, thread;

	PINS("S07 S03");
	effect_pipe();
	thread = make_thread(&parent);
	back_to_start(&thread, __NR_read, EFFECT_READ_FD, U64(buf), 1);
	tracee_resume(&thread, PTRACE_CONT, 0);
	tracee_wait_blocked(&thread);
	back_to_start(&parent, __NR_umask, 077, 0, 0);
	tracee_expect(&parent, over_umask, ARRAY_SIZE(over_umask), NULL);
	check_eq("bytes written for the thread", 1, U64(write(EFFECT_FD, "!", 1)));
	tracee_to(&thread, WAIT_ONLY, 0, "signal SIGTRAP TRAP_BRKPT pc=svc+12 x0=1");
	tracee_end(&thread);
	tracee_end(&parent);
}

/* Each has its own SPSR.SS and TIF_SINGLESTEP. */
TEST(threads_stepped_in_turn_each_have_their_own_sequence)
{
	struct tracee parent, thread;
	struct user_pt_regs regs;

	PINS("S03");
	thread = make_thread(&parent);
	back_to_start(&thread, __NR_umask, 077, 0, 0);
	tracee_to(&thread, STEP, 0, over_umask[0].expect);
	tracee_to(&parent, STEP, 0, "step pc=svc+4 x0=thread");
	back_to_start(&parent, __NR_umask, 077, 0, 0);
	for (size_t i = 0; i < ARRAY_SIZE(over_umask); i++) {
		if (i + 1 < ARRAY_SIZE(over_umask))
			tracee_to(&thread, STEP, 0, over_umask[i + 1].expect);
		tracee_to(&parent, STEP, 0, over_umask[i].expect);
	}
	tracee_get_regs(&thread, &regs);
	check_eq("x20 of the thread, which svc+4 counts in", svc_pattern(20) + 1, regs.regs[20]);
	tracee_end(&thread);
	tracee_end(&parent);
}
