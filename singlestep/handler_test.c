// SPDX-License-Identifier: GPL-2.0
/*
 * A signal that is delivered to a stepping task: it stops at the handler's first
 * instruction, not yet executed, whatever the handler's flags and whatever is blocked,
 * and goes on stepping through the handler and back (S05, S08 of the contract).
 * handle_signal() in arch/arm64/kernel/signal.c asks for that stop,
 * signal_delivered() in kernel/signal.c makes it by ptrace_notify(): no signal.
 */
#include <asm/unistd.h>
#include <errno.h>

#include "case.h"
#include "counted.h"

#define SYSGOOD		PTRACE_O_TRACESYSGOOD
#define STEP		PTRACE_SINGLESTEP
#define SIGTRAP_BIT	(1ull << (SIGTRAP - 1))
#define UNBLOCKABLE	(1ull << (SIGKILL - 1) | 1ull << (SIGSTOP - 1))
#define ALT_STACK	65536

/* From a step of the CPU into the handler: SPSR.SS is armed, one instruction a step. */
static const struct stop_row there_and_back[] = {
	{ STEP, 0, "step pc=svc x0=18" },
	{ STEP, SIGUSR1, "handler pc=handler x0=10" },
	{ STEP, 0, "step pc=handler+4" },
	{ STEP, 0, "step pc=handler+8" },
	{ STEP, 0, "pseudo-step pc=svc x0=18" },
	{ STEP, 0, "pseudo-step pc=svc+4 x0=63" },
	{ STEP, 0, "step pc=svc+4 x0=63" },
	{ STEP, 0, "step pc=svc+8 x0=63" },
	{ STEP, 0, "step pc=svc+12 x0=63" },
	{ PTRACE_CONT, 0, "signal SIGTRAP TRAP_BRKPT pc=svc+12 x0=63" },
};

/* The signal mask of a stopped tracee. */
static __u64 mask_of(struct tracee *t)
{
	__u64 mask = 0;

	if (tracee_request(t, PTRACE_GETSIGMASK, sizeof(mask), &mask))
		case_die("PTRACE_GETSIGMASK failed");
	return mask;
}

static void set_mask(struct tracee *t, __u64 mask)
{
	if (tracee_request(t, PTRACE_SETSIGMASK, sizeof(mask), &mask))
		case_die("PTRACE_SETSIGMASK failed");
}

FIXTURE(into_handler) {
};

FIXTURE_VARIANT(into_handler) {
	int flags;
	unsigned long options;
	bool full_mask;		/* all signals blocked in the handler, SIGTRAP among them */
	bool sigtrap_blocked;	/* before the signal, too */
	bool sigtrap_ignored;
};

FIXTURE_VARIANT_ADD(into_handler, plain) {
	.flags = 0,
};

FIXTURE_VARIANT_ADD(into_handler, all_flags_and_tracesysgood) {
	.flags = SA_SIGINFO | SA_RESTART | SA_NODEFER | SA_RESETHAND, .options = SYSGOOD,
};

FIXTURE_VARIANT_ADD(into_handler, on_alternate_stack) {
	.flags = SA_ONSTACK,
};

FIXTURE_VARIANT_ADD(into_handler, all_signals_blocked_by_sa_mask) {
	.full_mask = true,
};

FIXTURE_VARIANT_ADD(into_handler, sigtrap_blocked) {
	.sigtrap_blocked = true,
};

FIXTURE_VARIANT_ADD(into_handler, sigtrap_ignored) {
	.sigtrap_ignored = true,
};

FIXTURE_SETUP(into_handler)
{
}

FIXTURE_TEARDOWN(into_handler)
{
}

/* The alternate stack of the case and of what it forks. */
static __u64 use_alternate_stack(void)
{
	stack_t ss = { .ss_sp = shared_alloc(ALT_STACK), .ss_size = ALT_STACK };

	if (sigaltstack(&ss, NULL))
		case_die("sigaltstack() failed: %s", strerror(errno));
	return U64(ss.ss_sp);
}

/* By a call of the tracee's: earlier the stub's brk, a forced signal, would undo it. */
static void ignore_sigtrap(struct tracee *t, const struct user_pt_regs *before)
{
	static const __u64 ignore[4] = { (__u64)SIG_IGN };
	struct user_pt_regs regs = *before;

	regs.regs[0] = SIGTRAP;
	regs.regs[1] = U64(ignore);
	regs.regs[2] = 0;
	regs.regs[3] = 8;
	regs.regs[8] = __NR_rt_sigaction;
	tracee_set_regs(t, &regs);
	tracee_to(t, PTRACE_SYSCALL, 0, "entry rt_sigaction");
	tracee_to(t, PTRACE_SYSCALL, 0, "exit rt_sigaction pc=svc+4 x0=0");
	tracee_set_regs(t, before);
}

/* ptrace_notify() makes the stop: si_code is SIGTRAP, and there is no message. */
static void check_handler_stop(struct tracee *t, const struct stop *s, bool siginfo)
{
	check_eq("stop signal at the handler stop", SIGTRAP, U64(s->sig));
	check_eq("si_code at the handler stop", SIGTRAP, U64(s->code));
	check_eq("PTRACE_GETEVENTMSG at the handler stop", 0, s->msg);
	check_true("si_pid at the handler stop is the tracee's", s->si.si_pid == t->pid);
	check_eq("x1 is the siginfo's address", siginfo ? s->regs.sp : svc_pattern(1),
		 s->regs.regs[1]);
	check_eq("x7 at the handler stop", svc_pattern(7), s->regs.regs[7]);
	check_eq("x22, which the handler's first instruction counts in", svc_pattern(22),
		 s->regs.regs[22]);
	check_nr("NT_ARM_SYSTEM_CALL at the handler stop", -1, s->nr);
}

TEST_F(into_handler, stops_at_its_first_instruction_and_steps_back)
{
	const size_t to_handler = 2, back = ARRAY_SIZE(there_and_back) - to_handler;
	struct user_pt_regs regs;
	__u64 stack, used;
	struct tracee t;
	struct stop s;
	sigset_t all;

	PINS("S05 S08");
	sigfillset(&all);
	stack = use_alternate_stack();
	counted_catch(SIGUSR1, variant->flags, variant->full_mask ? &all : NULL);
	t = counted_start(&counted_umask, variant->options, &regs);
	if (variant->sigtrap_ignored)
		ignore_sigtrap(&t, &regs);
	if (variant->sigtrap_blocked)
		set_mask(&t, SIGTRAP_BIT);
	if (!tracee_expect(&t, there_and_back, to_handler, &s))
		case_end();
	check_handler_stop(&t, &s, variant->flags & SA_SIGINFO);
	used = s.regs.sp - stack;
	check_true("the handler is on the stack that SA_ONSTACK chooses",
		   (used < ALT_STACK) == !!(variant->flags & SA_ONSTACK));
	tracee_expect(&t, there_and_back + to_handler, back, NULL);
	tracee_end(&t);
}

/* ptrace_notify() leaves the mask alone, force_sig_info() of a step does not. */
TEST(sigtrap_blocked_in_the_handler_is_unblocked_by_the_first_step_only)
{
	struct user_pt_regs regs;
	struct tracee t;
	__u64 blocked;
	sigset_t all;

	PINS("S05");
	sigfillset(&all);
	memcpy(&blocked, &all, sizeof(blocked));
	blocked &= ~UNBLOCKABLE;
	counted_catch(SIGUSR1, 0, &all);
	t = counted_start(&counted_umask, 0, &regs);
	tracee_to(&t, STEP, 0, "step pc=svc");
	tracee_to(&t, STEP, SIGUSR1, "handler pc=handler");
	check_eq("signal mask at the handler stop", blocked, mask_of(&t));
	tracee_to(&t, STEP, 0, "step pc=handler+4");
	check_eq("signal mask after a step", blocked & ~SIGTRAP_BIT, mask_of(&t));
	tracee_to(&t, STEP, 0, "step pc=handler+8");
	tracee_to(&t, STEP, 0, "pseudo-step pc=svc x0=18");
	check_eq("signal mask after rt_sigreturn", 0, mask_of(&t));
	tracee_end(&t);
}

/* No frame, no handler: signal_setup_done() sends SIGSEGV in place of the notice. */
TEST(handler_without_a_stack_is_sigsegv_and_no_handler_stop)
{
	static const struct stop_row rows[] = {
		{ STEP, 0, "step pc=svc" },
		{ STEP, SIGUSR1, "signal SIGSEGV SI_KERNEL pc=svc x0=18" },
		{ STEP, 0, "pseudo-step pc=svc+4 x0=63" },
		{ STEP, SIGSEGV, "killed SIGSEGV" },
	};
	struct user_pt_regs regs;
	struct tracee t;

	PINS("S05");
	counted_catch(SIGUSR1, 0, NULL);
	t = counted_start(&counted_umask, 0, &regs);
	regs.sp = 64;
	tracee_set_regs(&t, &regs);
	tracee_expect(&t, rows, ARRAY_SIZE(rows), NULL);
	tracee_end(&t);
}

TEST(signals_without_a_handler_make_no_handler_stop)
{
	static const struct stop_row rows[] = {
		{ STEP, 0, "step pc=svc" },
		{ STEP, SIGCHLD, "pseudo-step pc=svc+4 x0=63" },
		{ STEP, SIGUSR2, "step pc=svc+4 x0=63" },
		{ STEP, SIGCONT, "step pc=svc+8 x0=63" },
		{ STEP, SIGTERM, "killed SIGTERM" },
	};
	struct user_pt_regs regs;
	struct tracee t;

	PINS("S05");
	signal(SIGUSR2, SIG_IGN);
	t = counted_start(&counted_umask, 0, &regs);
	tracee_expect(&t, rows, ARRAY_SIZE(rows), NULL);
	tracee_end(&t);
}
