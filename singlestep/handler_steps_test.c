// SPDX-License-Identifier: GPL-2.0
/*
 * From which stops a stepping task gets into a handler, where it steps on there, and
 * in what order stops and signals come: the pseudo-step before a signal that the call
 * itself sent, one handler's stop before the next signal's (S05 of the contract).
 * get_signal() in kernel/signal.c orders them; valid_user_regs(), called by
 * handle_signal(), arms SPSR.SS for the handler's first instruction.
 */
#include <asm/unistd.h>

#include "case.h"
#include "counted.h"

#define SYSGOOD		PTRACE_O_TRACESYSGOOD
#define STEP		PTRACE_SINGLESTEP

FIXTURE(handler_after) {
};

FIXTURE_VARIANT(handler_after) {
	struct stop_row rows[12];
};

FIXTURE_VARIANT_ADD(handler_after, pseudo_step) {
	.rows = {
		{ STEP, 0, "step pc=svc" },
		{ STEP, 0, "pseudo-step pc=svc+4 x0=63" },
		{ STEP, SIGUSR1, "handler pc=handler x0=10" },
		{ STEP, 0, "step pc=handler+4 x0=10" },
		{ STEP, 0, "step pc=handler+8 x0=10" },
		{ STEP, 0, "pseudo-step pc=svc+4 x0=63" },
		{ STEP, 0, "step pc=svc+8 x0=63" },
	},
};

FIXTURE_VARIANT_ADD(handler_after, entry_stop) {
	.rows = {
		{ PTRACE_SYSCALL, 0, "entry umask pc=svc+4 x0=18" },
		{ STEP, SIGUSR1, "pseudo-step pc=svc+4 x0=63" },
		{ STEP, 0, "signal SIGUSR1 SI_KERNEL pc=svc+4 x0=63" },
		{ STEP, SIGUSR1, "handler pc=handler x0=10" },
		{ STEP, 0, "step pc=handler+4 x0=10" },
		{ STEP, 0, "step pc=handler+8 x0=10" },
		{ STEP, 0, "pseudo-step pc=svc+4 x0=63" },
		{ STEP, 0, "step pc=svc+8 x0=63" },
	},
};

FIXTURE_VARIANT_ADD(handler_after, exit_stop) {
	.rows = {
		{ PTRACE_SYSCALL, 0, "entry umask pc=svc+4 x0=18" },
		{ PTRACE_SYSCALL, 0, "exit umask pc=svc+4 x0=63" },
		{ STEP, SIGUSR1, "signal SIGUSR1 SI_KERNEL pc=svc+4 x0=63" },
		{ STEP, SIGUSR1, "handler pc=handler x0=10" },
		{ STEP, 0, "step pc=handler+4 x0=10" },
		{ STEP, 0, "step pc=handler+8 x0=10" },
		{ STEP, 0, "pseudo-step pc=svc+4 x0=63" },
		{ STEP, 0, "step pc=svc+8 x0=63" },
	},
};

/* The notice is no signal that another could take the place of. */
FIXTURE_VARIANT_ADD(handler_after, handler_stop_which_drops_a_signal) {
	.rows = {
		{ STEP, 0, "step pc=svc" },
		{ STEP, SIGUSR1, "handler pc=handler x0=10" },
		{ STEP, SIGUSR2, "step pc=handler+4 x0=10" },
		{ STEP, SIGUSR2, "handler pc=handler x0=12" },
		{ STEP, 0, "step pc=handler+4 x0=12" },
		{ STEP, 0, "step pc=handler+8 x0=12" },
		{ STEP, 0, "pseudo-step pc=handler+4 x0=10" },
		{ STEP, 0, "step pc=handler+8 x0=10" },
		{ STEP, 0, "pseudo-step pc=svc x0=18" },
		{ STEP, 0, "pseudo-step pc=svc+4 x0=63" },
	},
};

FIXTURE_VARIANT_ADD(handler_after, step_of_the_handlers_svc) {
	.rows = {
		{ STEP, 0, "step pc=svc" },
		{ STEP, SIGUSR1, "handler pc=handler x0=10" },
		{ STEP, 0, "step pc=handler+4 x0=10" },
		{ STEP, 0, "step pc=handler+8 x0=10" },
		{ STEP, 0, "pseudo-step pc=svc x0=18" },
		{ STEP, SIGUSR2, "handler pc=handler x0=12" },
		{ STEP, 0, "step pc=handler+4 x0=12" },
	},
};

FIXTURE_VARIANT_ADD(handler_after, breakpoint_instruction) {
	.rows = {
		{ STEP, 0, "step pc=svc" },
		{ STEP, 0, "pseudo-step pc=svc+4 x0=63" },
		{ STEP, 0, "step pc=svc+4" },
		{ STEP, 0, "step pc=svc+8" },
		{ STEP, 0, "step pc=svc+12" },
		{ STEP, 0, "signal SIGTRAP TRAP_BRKPT pc=svc+12 x0=63" },
		{ STEP, SIGUSR1, "handler pc=handler x0=10" },
		{ STEP, 0, "step pc=handler+4 x0=10" },
		{ STEP, 0, "step pc=handler+8 x0=10" },
		{ STEP, 0, "pseudo-step pc=svc+12 x0=63" },
	},
};

FIXTURE_VARIANT_ADD(handler_after, group_stop) {
	.rows = {
		{ STEP, 0, "step pc=svc" },
		{ STEP, SIGSTOP, "group SIGSTOP" },
		{ STEP, 0, "pseudo-step pc=svc+4 x0=63" },
		{ STEP, SIGUSR1, "handler pc=handler x0=10" },
		{ STEP, 0, "step pc=handler+4 x0=10" },
	},
};

FIXTURE_SETUP(handler_after)
{
}

FIXTURE_TEARDOWN(handler_after)
{
}

TEST_F(handler_after, is_stepped_from_its_first_instruction)
{
	struct user_pt_regs regs;
	struct tracee t;
	size_t n = 0;

	PINS("S05");
	while (variant->rows[n].expect)
		n++;
	counted_catch(SIGUSR1, 0, NULL);
	counted_catch(SIGUSR2, 0, NULL);
	t = counted_start(&counted_umask, SYSGOOD, &regs);
	tracee_expect(&t, variant->rows, n, NULL);
	tracee_end(&t);
}

/* A call that sends the signal: the pseudo-step is reported first. */
TEST(signal_by_the_stepped_call_itself_is_delivered_after_the_pseudo_step)
{
	static const struct counted_call tgkill = { .nr = __NR_tgkill, .nargs = 3 };
	static const struct stop_row rows[] = {
		{ STEP, 0, "step pc=svc" },
		{ STEP, 0, "pseudo-step pc=svc+4 x0=0" },
		{ STEP, 0, "signal SIGUSR1 SI_TKILL pc=svc+4 x0=0" },
		{ STEP, SIGUSR1, "handler pc=handler x0=10" },
		{ STEP, 0, "step pc=handler+4 x0=10" },
		{ STEP, 0, "step pc=handler+8 x0=10" },
		{ STEP, 0, "pseudo-step pc=svc+4 x0=0" },
		{ STEP, 0, "step pc=svc+8 x0=0" },
	};
	struct user_pt_regs regs;
	struct tracee t;

	PINS("S05");
	counted_catch(SIGUSR1, 0, NULL);
	t = counted_start(&tgkill, SYSGOOD, &regs);
	name_value(U64(t.pid), "tracee");
	regs.regs[0] = U64(t.pid);
	regs.regs[1] = U64(t.pid);
	regs.regs[2] = SIGUSR1;
	tracee_set_regs(&t, &regs);
	tracee_expect(&t, rows, ARRAY_SIZE(rows), NULL);
	tracee_end(&t);
}

/* Two that wait: both frames are made before either handler runs an instruction. */
TEST(handlers_of_two_pending_signals_both_stop_before_either_runs)
{
	static const struct stop_row rows[] = {
		{ STEP, 0, "signal SIGUSR1 SI_USER pc=before" },
		{ STEP, SIGUSR1, "handler pc=handler x0=10" },
		{ STEP, 0, "signal SIGUSR2 SI_USER pc=handler x0=10" },
		{ STEP, SIGUSR2, "handler pc=handler x0=12" },
		{ STEP, 0, "step pc=handler+4 x0=12" },
		{ STEP, 0, "step pc=handler+8 x0=12" },
		{ STEP, 0, "pseudo-step pc=handler x0=10" },
		{ STEP, 0, "step pc=handler+4 x0=10" },
		{ STEP, 0, "step pc=handler+8 x0=10" },
		{ STEP, 0, "pseudo-step pc=before x0=18" },
		{ STEP, 0, "step pc=svc x0=18" },
		{ STEP, 0, "pseudo-step pc=svc+4 x0=63" },
	};
	struct user_pt_regs regs;
	struct tracee t;

	PINS("S05");
	counted_catch(SIGUSR1, 0, NULL);
	counted_catch(SIGUSR2, 0, NULL);
	t = counted_start(&counted_umask, 0, &regs);
	kill(t.pid, SIGUSR1);
	kill(t.pid, SIGUSR2);
	tracee_expect(&t, rows, ARRAY_SIZE(rows), NULL);
	tracee_end(&t);
}
