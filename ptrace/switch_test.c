// SPDX-License-Identifier: GPL-2.0
/*
 * A tracer that changes its mind within a call: what the request made at a stop
 * means for the stops to come, and what a tracer sees that comes while the task is
 * blocked in a call (P20). The exit work looks at the flags as they are when the call
 * is over: arch/arm64/kernel/ptrace.c syscall_trace_exit(), on the generic path
 * include/linux/entry-common.h syscall_exit_to_user_mode_work(); a trap by
 * PTRACE_INTERRUPT or SIGSTOP comes after that, in kernel/signal.c get_signal().
 */
#include <asm/unistd.h>
#include <errno.h>
#include <linux/sched.h>
#include <signal.h>
#include <sys/epoll.h>

#define CASE_ALL_CPUS
#include "case.h"
#include "effect.h"
#include "filter.h"
#include "gate.h"
#include "tracee.h"

#define SYSGOOD	PTRACE_O_TRACESYSGOOD
#define ROWS	8

FIXTURE(requests) {
};

/* A script of write, which the filter may stop, getuid, and one more getuid. */
FIXTURE_VARIANT(requests) {
	bool filter;
	struct stop_row rows[ROWS];
	size_t n;
};

FIXTURE_VARIANT_ADD(requests, cont_at_entry_has_no_exit_stop) {
	.n = 2, .rows = {
		{ PTRACE_SYSCALL, 0, "entry write" },
		{ PTRACE_CONT, 0, "exited 0" },
	},
};

/* The signal stands for the next stop of any kind: SYSCALL from there is a new entry. */
FIXTURE_VARIANT_ADD(requests, cont_at_entry_syscall_later_is_an_entry_stop) {
	.n = 4, .rows = {
		{ PTRACE_SYSCALL, 0, "entry write" },
		{ PTRACE_CONT, SIGUSR1, "signal SIGUSR1 SI_KERNEL pc=svc+4 x0=1" },
		{ PTRACE_SYSCALL, 0, "entry getuid" },
		{ PTRACE_SYSCALL, 0, "exit getuid" },
	},
};

FIXTURE_VARIANT_ADD(requests, cont_at_exit_has_no_further_stop) {
	.n = 3, .rows = {
		{ PTRACE_SYSCALL, 0, "entry write" },
		{ PTRACE_SYSCALL, 0, "exit write pc=svc+4 x0=1" },
		{ PTRACE_CONT, 0, "exited 0" },
	},
};

FIXTURE_VARIANT_ADD(requests, syscall_at_seccomp_stop_has_an_exit_stop_without_entry) {
	.filter = true, .n = 5, .rows = {
		{ PTRACE_CONT, 0, "seccomp write pc=svc+4" },
		{ PTRACE_SYSCALL, 0, "exit write pc=svc+4 x0=1" },
		{ PTRACE_SYSCALL, 0, "entry getuid" },
		{ PTRACE_SYSCALL, 0, "exit getuid" },
		{ PTRACE_CONT, 0, "exited 0" },
	},
};

FIXTURE_VARIANT_ADD(requests, cont_at_seccomp_stop_has_no_exit_stop) {
	.filter = true, .n = 3, .rows = {
		{ PTRACE_SYSCALL, 0, "entry write" },
		{ PTRACE_SYSCALL, 0, "seccomp write pc=svc+4" },
		{ PTRACE_CONT, 0, "exited 0" },
	},
};

FIXTURE_VARIANT_ADD(requests, cont_at_entry_syscall_at_seccomp_stop_has_an_exit_stop) {
	.filter = true, .n = 4, .rows = {
		{ PTRACE_SYSCALL, 0, "entry write" },
		{ PTRACE_CONT, 0, "seccomp write pc=svc+4" },
		{ PTRACE_SYSCALL, 0, "exit write pc=svc+4 x0=1" },
		{ PTRACE_SYSCALL, 0, "entry getuid" },
	},
};

FIXTURE_VARIANT_ADD(requests, singlestep_at_seccomp_stop_is_a_pseudo_step) {
	.filter = true, .n = 3, .rows = {
		{ PTRACE_CONT, 0, "seccomp write pc=svc+4" },
		{ PTRACE_SINGLESTEP, 0, "pseudo-step pc=svc+4 x0=1" },
		{ PTRACE_SYSCALL, 0, "entry getuid" },
	},
};

FIXTURE_SETUP(requests)
{
}

FIXTURE_TEARDOWN(requests)
{
}

TEST_F(requests, decide_on_each_stop_and_the_call_runs_once)
{
	struct svc_script *sc;
	struct tracee t;

	PINS("P20");
	effect_pipe();
	if (variant->filter)
		effect_answer(SECCOMP_RET_TRACE);
	sc = svc_script_new(3);
	effect_call(&sc->f[0]);
	t = tracee_start(svc_script_run, sc, SYSGOOD | PTRACE_O_TRACESECCOMP);
	tracee_expect(&t, variant->rows, variant->n, NULL);
	check_eq("bytes that the call wrote", 1, effect_count());
	tracee_end(&t);
	check_frame(&sc->f[0], 1);
}

FIXTURE(comes) {
};

/*
 * A tracer comes by PTRACE_SEIZE and PTRACE_INTERRUPT, or by PTRACE_ATTACH, while the
 * task is blocked in read(). The read is put back before the trap, and runs again.
 */
FIXTURE_VARIANT(comes) {
	bool attach;
	struct stop_row rows[ROWS];
	size_t n;
};

FIXTURE_VARIANT_ADD(comes, by_interrupt_and_syscall) {
	.n = 1, .rows = {
		{ PTRACE_SYSCALL, 0, "entry read pc=svc+4 x0=gate" },
	},
};

FIXTURE_VARIANT_ADD(comes, by_attach_and_syscall) {
	.attach = true, .n = 1, .rows = {
		{ PTRACE_SYSCALL, 0, "entry read pc=svc+4 x0=gate" },
	},
};

/* The signal of the attach given on: group stop, and the call once more after it. */
FIXTURE_VARIANT_ADD(comes, by_attach_with_its_sigstop) {
	.attach = true, .n = 2, .rows = {
		{ PTRACE_CONT, SIGSTOP, "group SIGSTOP" },
		{ PTRACE_SYSCALL, 0, "entry read pc=svc+4 x0=gate" },
	},
};

FIXTURE_SETUP(comes)
{
}

FIXTURE_TEARDOWN(comes)
{
}

static void check_restarted(const struct stop *s)
{
	check_nr("NT_ARM_SYSTEM_CALL at the trap", -1, s->nr);
	check_eq("PC at the trap", U64(svc_insn), s->regs.pc);
	check_eq("x7 at the trap", svc_pattern(7), s->regs.regs[7]);
	check_nr("x8 at the trap", __NR_read, (int)s->regs.regs[8]);
}

TEST_F(comes, while_blocked_and_sees_the_call_run_again)
{
	struct svc_script *sc;
	struct tracee t;
	struct stop s;

	PINS("P20");
	sc = svc_script_new(2);
	t = gate_spawn(sc);
	if (variant->attach) {
		s = tracee_attach(&t, SYSGOOD);
		check_str("the stop", "signal SIGSTOP SI_KERNEL pc=svc x0=gate", s.text);
	} else {
		tracee_seize(&t, SYSGOOD);
		tracee_interrupt(&t);
		s = tracee_to(&t, WAIT_ONLY, 0, "event stop");
	}
	check_restarted(&s);
	if (!tracee_expect(&t, variant->rows, variant->n, NULL))
		case_end();
	gate_open(0);
	tracee_to(&t, PTRACE_SYSCALL, 0, "exit read pc=svc+4 x0=1");
	tracee_to(&t, PTRACE_SYSCALL, 0, "entry getuid");
	tracee_end(&t);
	check_frame(&sc->f[0], 1);
}

TEST(seize_without_interrupt_stops_nothing)
{
	struct svc_script *sc;
	struct tracee t;

	PINS("P20");
	sc = svc_script_new(2);
	t = gate_spawn(sc);
	tracee_seize(&t, SYSGOOD);
	gate_open(0);
	tracee_to(&t, WAIT_ONLY, 0, "exited 0");
	check_frame(&sc->f[0], 1);
}

/* It returns -EINTR and is over before the trap: the next stop is the next call's. */
TEST(interrupt_of_a_call_that_is_not_restarted_shows_its_result_and_the_next_entry)
{
	struct epoll_event *event = shared_alloc(sizeof(*event));
	struct svc_script *sc;
	struct tracee t;
	struct stop s;

	PINS("P20");
	sc = svc_script_new(2);
	svc_fill(&sc->f[0], __NR_epoll_pwait, 6, U64(epoll_create1(0)), U64(event), U64(1),
		 U64(-1), U64(0), U64(0));
	t = tracee_spawn(svc_script_run, sc);
	tracee_wait_blocked(&t);
	tracee_seize(&t, SYSGOOD);
	tracee_interrupt(&t);
	s = tracee_to(&t, WAIT_ONLY, 0, "event stop");
	check_nr("NT_ARM_SYSTEM_CALL at the trap", -1, s.nr);
	check_eq("PC at the trap", U64(svc_after), s.regs.pc);
	check_eq("x0 at the trap", U64(-EINTR), s.regs.regs[0]);
	tracee_to(&t, PTRACE_SYSCALL, 0, "entry getuid");
	tracee_end(&t);
	check_frame(&sc->f[0], U64(-EINTR));
}

/* A child by CLONE_VFORK tells that it runs and waits; so its parent is inside clone. */
static void vfork_gate_run(void *script)
{
	struct svc_script *s = script;

	svc_run(&s->f[0]);
	if (!s->f[0].x_out[0]) {
		gate_open(1);
		gate_wait(0);
		svc_exit(0);
	}
	svc_run(&s->f[1]);
}

/* A stop inside the call, after the tracer came: the only way to that call's exit stop. */
TEST(seize_within_vfork_then_syscall_at_its_event_gives_the_exit_stop)
{
	static const struct stop_row rows[] = {
		{ WAIT_ONLY, 0, "event vfork-done" },
		{ PTRACE_SYSCALL, 0, "exit clone pc=svc+4 x0=pid" },
		{ PTRACE_SYSCALL, 0, "entry getuid" },
	};
	struct svc_script *sc;
	struct tracee t;

	PINS("P20");
	gate_new(0);
	gate_new(1);
	sc = svc_script_new(2);
	svc_fill(&sc->f[0], __NR_clone, 5, U64(CLONE_VFORK), U64(0), U64(0), U64(0), U64(0));
	t = tracee_spawn(vfork_gate_run, sc);
	gate_wait(1);
	tracee_seize(&t, SYSGOOD | PTRACE_O_TRACEVFORKDONE);
	gate_open(0);
	tracee_expect(&t, rows, ARRAY_SIZE(rows), NULL);
	tracee_end(&t);
}

FIXTURE(interrupt) {
};

/* PTRACE_INTERRUPT while the task, seized, is at its entry stop of write() already. */
FIXTURE_VARIANT(interrupt) {
	struct stop_row rows[ROWS];
	size_t n;
};

/* Any stop will do for it: kernel/signal.c ptrace_stop() takes it as done. */
FIXTURE_VARIANT_ADD(interrupt, at_entry_is_answered_by_the_exit_stop) {
	.n = 2, .rows = {
		{ PTRACE_SYSCALL, 0, "exit write pc=svc+4 x0=1" },
		{ PTRACE_SYSCALL, 0, "entry getuid" },
	},
};

FIXTURE_VARIANT_ADD(interrupt, at_entry_and_cont_traps_after_the_call) {
	.n = 2, .rows = {
		{ PTRACE_CONT, 0, "event stop" },
		{ PTRACE_SYSCALL, 0, "entry getuid" },
	},
};

FIXTURE_SETUP(interrupt)
{
}

FIXTURE_TEARDOWN(interrupt)
{
}

TEST_F(interrupt, and_the_call_runs_once)
{
	static const struct stop_row to_entry[] = {
		{ PTRACE_SYSCALL, 0, "entry read" },
		{ PTRACE_SYSCALL, 0, "exit read pc=svc+4 x0=1" },
		{ PTRACE_SYSCALL, 0, "entry write" },
	};
	struct svc_script *sc;
	struct tracee t;

	PINS("P20");
	effect_pipe();
	sc = svc_script_new(3);
	effect_call(&sc->f[1]);
	t = gate_spawn(sc);
	tracee_seize(&t, SYSGOOD);
	tracee_interrupt(&t);
	tracee_to(&t, WAIT_ONLY, 0, "event stop");
	gate_open(0);
	if (!tracee_expect(&t, to_entry, ARRAY_SIZE(to_entry), NULL))
		case_end();
	tracee_interrupt(&t);
	tracee_expect(&t, variant->rows, variant->n, NULL);
	check_eq("bytes that the call wrote", 1, effect_count());
	tracee_end(&t);
	check_frame(&sc->f[1], 1);
}

/* Its exit stop is the trap, and the call runs again. */
TEST(interrupt_of_a_traced_blocked_call_is_its_exit_stop_and_it_runs_again)
{
	static const struct stop_row to_entry[] = {
		{ WAIT_ONLY, 0, "event stop" },
		{ PTRACE_SYSCALL, 0, "entry read pc=svc+4 x0=gate" },
	}, rows[] = {
		{ WAIT_ONLY, 0, "exit read pc=svc+4 x0=-ERESTARTSYS" },
		{ PTRACE_SYSCALL, 0, "entry read pc=svc+4 x0=gate" },
	};
	struct svc_script *sc;
	struct tracee t;

	PINS("P20");
	sc = svc_script_new(2);
	t = gate_spawn(sc);
	tracee_seize(&t, SYSGOOD);
	tracee_interrupt(&t);
	if (!tracee_expect(&t, to_entry, ARRAY_SIZE(to_entry), NULL))
		case_end();
	tracee_resume(&t, PTRACE_SYSCALL, 0);
	tracee_wait_blocked(&t);
	tracee_interrupt(&t);
	if (!tracee_expect(&t, rows, ARRAY_SIZE(rows), NULL))
		case_end();
	gate_open(0);
	tracee_to(&t, PTRACE_SYSCALL, 0, "exit read pc=svc+4 x0=1");
	tracee_to(&t, PTRACE_CONT, 0, "exited 0");
	check_frame(&sc->f[0], 1);
}
