// SPDX-License-Identifier: GPL-2.0
/*
 * When stepping ends: after PTRACE_CONT or PTRACE_DETACH from any stop on the way
 * over a call or through a handler no SIGTRAP comes, and a child, thread or vfork
 * child made by a stepped call is not stepped (S07 of the contract).
 * user_disable_single_step() in arch/arm64/kernel/debug-monitors.c ends it, called
 * by ptrace_resume(), ptrace_disable() and copy_process().
 */
#include <asm/unistd.h>
#include <linux/sched.h>
#include <signal.h>

#include "case.h"
#include "counted.h"

#define STEP		PTRACE_SINGLESTEP
#define THREAD		(CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SIGHAND | CLONE_THREAD)

FIXTURE(stepping_ended) {
};

/* Ways into the stepped stub, each of them @n stops long. */
FIXTURE_VARIANT(stepping_ended) {
	struct stop_row rows[7];
	size_t n;
};

FIXTURE_VARIANT_ADD(stepping_ended, at_svc) {
	.rows = {
		{ STEP, 0, "step pc=svc" },
	}, .n = 1,
};

FIXTURE_VARIANT_ADD(stepping_ended, at_entry_stop) {
	.rows = {
		{ STEP, 0, "step pc=svc" },
		{ PTRACE_SYSCALL, 0, "entry umask pc=svc+4 x0=18" },
	}, .n = 2,
};

FIXTURE_VARIANT_ADD(stepping_ended, at_pseudo_step) {
	.rows = {
		{ STEP, 0, "step pc=svc" },
		{ STEP, 0, "pseudo-step pc=svc+4 x0=63" },
	}, .n = 2,
};

FIXTURE_VARIANT_ADD(stepping_ended, at_step_behind_svc) {
	.rows = {
		{ STEP, 0, "step pc=svc" },
		{ STEP, 0, "pseudo-step pc=svc+4 x0=63" },
		{ STEP, 0, "step pc=svc+4 x0=63" },
	}, .n = 3,
};

FIXTURE_VARIANT_ADD(stepping_ended, at_step_out_of_exit_stop) {
	.rows = {
		{ PTRACE_SYSCALL, 0, "entry umask pc=svc+4 x0=18" },
		{ PTRACE_SYSCALL, 0, "exit umask pc=svc+4 x0=63" },
		{ STEP, 0, "step pc=svc+8 x0=63" },
	}, .n = 3,
};

FIXTURE_VARIANT_ADD(stepping_ended, at_handler_stop) {
	.rows = {
		{ STEP, 0, "step pc=svc" },
		{ STEP, SIGUSR1, "handler pc=handler x0=10" },
	}, .n = 2,
};

FIXTURE_VARIANT_ADD(stepping_ended, at_pseudo_step_of_sigreturn) {
	.rows = {
		{ STEP, 0, "step pc=svc" },
		{ STEP, SIGUSR1, "handler pc=handler x0=10" },
		{ STEP, 0, "step pc=handler+4 x0=10" },
		{ STEP, 0, "step pc=handler+8 x0=10" },
		{ STEP, 0, "pseudo-step pc=svc x0=18" },
	}, .n = 5,
};

FIXTURE_VARIANT_ADD(stepping_ended, at_group_stop) {
	.rows = {
		{ STEP, 0, "step pc=svc" },
		{ STEP, SIGSTOP, "group SIGSTOP" },
	}, .n = 2,
};

FIXTURE_SETUP(stepping_ended)
{
}

FIXTURE_TEARDOWN(stepping_ended)
{
}

/* A tracee that was stepped to the variant's last stop. */
static struct tracee stepped(const struct stop_row *rows, size_t n, bool exits, struct stop *s)
{
	struct user_pt_regs regs;
	struct tracee t;

	counted_catch(SIGUSR1, 0, NULL);
	t = counted_start(&counted_umask, PTRACE_O_TRACESYSGOOD, &regs);
	if (exits)
		counted_let_exit(&t);
	if (!tracee_expect(&t, rows, n, s))
		case_end();
	return t;
}

/*
 * Up to the brk, back to the start: a second round of stepping begins as the first did,
 * and ends as well after a write, which arms SPSR.SS.
 */
TEST_F(stepping_ended, cont_runs_on_and_stepping_can_begin_anew)
{
	static const struct stop_row again[] = {
		{ STEP, 0, "step pc=svc x0=18" },
		{ STEP, 0, "pseudo-step pc=svc+4 x0=18" },
		{ STEP, 0, "step pc=svc+4 x0=18" },
	};
	struct tracee t;
	struct stop s;

	PINS("S07");
	t = stepped(variant->rows, variant->n, false, &s);
	s = tracee_to(&t, PTRACE_CONT, 0, "signal SIGTRAP TRAP_BRKPT pc=svc+12 x0=63");
	check_eq("x20, which svc+4 counts in", svc_pattern(20) + 1, s.regs.regs[20]);
	s.regs.regs[0] = 022;
	s.regs.pc = U64(counted_before);
	tracee_set_regs(&t, &s.regs);
	if (!tracee_expect(&t, again, ARRAY_SIZE(again), &s))
		case_end();
	tracee_set_regs(&t, &s.regs);
	tracee_to(&t, PTRACE_CONT, 0, "signal SIGTRAP TRAP_BRKPT pc=svc+12 x0=18");
	tracee_end(&t);
}

/* Any SIGTRAP would kill it; umask() and getppid() are called unstepped. */
TEST_F(stepping_ended, detach_runs_on_untraced)
{
	struct tracee t;
	struct stop s;

	PINS("S07");
	t = stepped(variant->rows, variant->n, true, &s);
	if (s.kind == STOP_GROUP)
		kill(t.pid, SIGCONT);
	tracee_detach(&t, 0);
	tracee_to(&t, WAIT_ONLY, 0, "exited 63");
}

TEST(detach_with_a_signal_enters_the_handler_without_a_stop)
{
	static const struct stop_row rows[] = {
		{ STEP, 0, "step pc=svc" },
		{ STEP, 0, "pseudo-step pc=svc+4 x0=63" },
	};
	struct tracee t;
	struct stop s;

	PINS("S07");
	t = stepped(rows, ARRAY_SIZE(rows), true, &s);
	tracee_detach(&t, SIGUSR1);
	tracee_to(&t, WAIT_ONLY, 0, "exited 63");
}

FIXTURE(child_of_step) {
};

/* The call that makes the child; @event is the tracer's notice. */
FIXTURE_VARIANT(child_of_step) {
	__u64 flags;
	const char *event;
};

FIXTURE_VARIANT_ADD(child_of_step, fork) {
	.flags = SIGCHLD, .event = "event fork",
};

FIXTURE_VARIANT_ADD(child_of_step, vfork) {
	.flags = CLONE_VM | CLONE_VFORK | SIGCHLD, .event = "event vfork",
};

FIXTURE_VARIANT_ADD(child_of_step, clone) {
	.flags = CLONE_VM, .event = "event clone",
};

FIXTURE_VARIANT_ADD(child_of_step, thread) {
	.flags = THREAD, .event = "event clone",
};

FIXTURE_SETUP(child_of_step)
{
}

FIXTURE_TEARDOWN(child_of_step)
{
}

/* Of children: a signal stop of the parent, whenever it comes. */
static void block_sigchld(void)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGCHLD);
	sigprocmask(SIG_BLOCK, &set, NULL);
}

/* Step the parent to the event; @from_entry: out of an entry stop, SPSR.SS armed. */
static void make_child(struct tracee *parent, struct tracee *child, __u64 flags,
		       const char *event, bool from_entry)
{
	const struct counted_call c = { .nr = __NR_clone, .args = { flags }, .nargs = 5 };
	struct user_pt_regs regs;
	struct stop s;

	block_sigchld();
	*parent = counted_start(&c, PTRACE_O_TRACEFORK | PTRACE_O_TRACEVFORK |
				PTRACE_O_TRACECLONE, &regs);
	tracee_to(parent, STEP, 0, "step pc=svc");
	if (from_entry)
		tracee_to(parent, PTRACE_SYSCALL, 0, "entry clone pc=svc+4");
	s = tracee_to(parent, STEP, 0, event);
	*child = tracee_adopt(parent, (pid_t)s.msg);
	name_value(s.msg, "child");
	tracee_to(child, WAIT_ONLY, 0, "signal SIGSTOP SI_USER pc=svc+4 x0=0");
}

/* The parent goes on stepping; one that waits in vfork does so when the child has ended. */
static void check_parent(struct tracee *parent, struct tracee *child, __u64 flags)
{
	if (flags & CLONE_VFORK)
		tracee_end(child);
	tracee_to(parent, STEP, 0, "pseudo-step pc=svc+4 x0=child");
	tracee_to(parent, STEP, 0, "step pc=svc+4 x0=child");
	tracee_to(parent, STEP, 0, "step pc=svc+8 x0=child");
	tracee_end(child);
	tracee_end(parent);
}

/* TIF_SINGLESTEP already set would leave SPSR.SS as the svc left it: a trap at svc+4. */
TEST_F(child_of_step, was_not_stepping_when_its_own_stepping_begins)
{
	struct tracee parent, child;

	PINS("S07");
	make_child(&parent, &child, variant->flags, variant->event, false);
	tracee_to(&child, STEP, 0, "step pc=svc+8 x0=0");
	tracee_to(&child, PTRACE_CONT, 0, "signal SIGTRAP TRAP_BRKPT pc=svc+12 x0=0");
	check_parent(&parent, &child, variant->flags);
}

/* No pseudo-step is left to the child either: it is on no way out of a call. */
TEST_F(child_of_step, of_a_call_stepped_out_of_its_entry_stop_runs_on)
{
	struct tracee parent, child;

	PINS("S07");
	make_child(&parent, &child, variant->flags, variant->event, true);
	tracee_to(&child, PTRACE_CONT, 0, "signal SIGTRAP TRAP_BRKPT pc=svc+12 x0=0");
	if (variant->flags & CLONE_VFORK)
		tracee_end(&child);
	tracee_to(&parent, STEP, 0, "pseudo-step pc=svc+4 x0=child");
	tracee_to(&parent, STEP, 0, "step pc=svc+8 x0=child");
	tracee_end(&child);
	tracee_end(&parent);
}

/*
 * A child that nobody ever traced. Any SIGTRAP kills it; its exit code, 0, is what
 * the parent's next call, a wait4, fetches. CLONE_VFORK, for the stop that tells
 * its process id before the parent's x0 does.
 */
static void check_untraced(__u64 flags, bool from_entry)
{
	const struct counted_call c = { .nr = __NR_clone, .args = { flags }, .nargs = 5 };
	int *status = shared_alloc(sizeof(*status));
	struct user_pt_regs regs;
	struct tracee t;
	struct stop s;

	*status = -1;
	block_sigchld();
	t = counted_start(&c, PTRACE_O_TRACEVFORKDONE, &regs);
	counted_let_exit(&t);
	tracee_to(&t, STEP, 0, "step pc=svc");
	if (from_entry)
		tracee_to(&t, PTRACE_SYSCALL, 0, "entry clone pc=svc+4");
	s = tracee_to(&t, STEP, 0, "event vfork-done");
	name_value(s.msg, "child");
	s = tracee_to(&t, STEP, 0, "pseudo-step pc=svc+4 x0=child");
	s.regs.regs[1] = U64(status);
	s.regs.regs[2] = __WALL;
	s.regs.regs[3] = 0;
	s.regs.regs[8] = __NR_wait4;
	s.regs.pc = U64(counted_svc);
	tracee_set_regs(&t, &s.regs);
	tracee_to(&t, STEP, 0, "pseudo-step pc=svc+4 x0=child");
	check_status("the end of the untraced child", 0, *status);
	tracee_end(&t);
}

TEST(untraced_child_of_a_stepped_fork_is_not_stepped)
{
	PINS("S07");
	check_untraced(CLONE_VFORK | SIGCHLD, false);
	check_untraced(CLONE_VFORK | SIGCHLD, true);
}

TEST(untraced_child_of_a_stepped_vfork_is_not_stepped)
{
	PINS("S07");
	check_untraced(CLONE_VFORK | CLONE_VM | SIGCHLD, false);
	check_untraced(CLONE_VFORK | CLONE_VM | SIGCHLD, true);
}
