// SPDX-License-Identifier: GPL-2.0
/*
 * Signals that somebody sends while the task is at a stop of a call: the stop is
 * not disturbed, the call runs, and only then comes the signal, or the group stop
 * (P17, P30). kernel/signal.c ptrace_stop(), get_signal() and do_signal_stop() decide.
 */
#include <asm/unistd.h>
#include <signal.h>

#include "case.h"
#include "effect.h"
#include "filter.h"
#include "gate.h"
#include "tracee.h"

#define SYSGOOD	PTRACE_O_TRACESYSGOOD
#define ROWS	10

FIXTURE(sent) {
};

/* @sig is sent after the first @before rows, and is seen in the notation as from "pid". */
FIXTURE_VARIANT(sent) {
	int sig;
	size_t before;
	bool filter;
	struct stop_row rows[ROWS];
	size_t n;
};

FIXTURE_VARIANT_ADD(sent, at_entry) {
	.sig = SIGUSR1, .before = 1, .n = 4, .rows = {
		{ PTRACE_SYSCALL, 0, "entry write" },
		{ PTRACE_SYSCALL, 0, "exit write pc=svc+4 x0=1" },
		{ PTRACE_SYSCALL, 0, "signal SIGUSR1 SI_USER pc=svc+4 x0=1" },
		{ PTRACE_SYSCALL, 0, "entry getuid" },
	},
};

FIXTURE_VARIANT_ADD(sent, at_entry_without_exit_stop) {
	.sig = SIGUSR1, .before = 1, .n = 3, .rows = {
		{ PTRACE_SYSCALL, 0, "entry write" },
		{ PTRACE_CONT, 0, "signal SIGUSR1 SI_USER pc=svc+4 x0=1" },
		{ PTRACE_SYSCALL, 0, "entry getuid" },
	},
};

FIXTURE_VARIANT_ADD(sent, at_exit) {
	.sig = SIGUSR1, .before = 2, .n = 4, .rows = {
		{ PTRACE_SYSCALL, 0, "entry write" },
		{ PTRACE_SYSCALL, 0, "exit write pc=svc+4 x0=1" },
		{ PTRACE_SYSCALL, 0, "signal SIGUSR1 SI_USER pc=svc+4 x0=1" },
		{ PTRACE_SYSCALL, 0, "entry getuid" },
	},
};

FIXTURE_VARIANT_ADD(sent, at_seccomp) {
	.sig = SIGUSR1, .before = 2, .filter = true, .n = 5, .rows = {
		{ PTRACE_SYSCALL, 0, "entry write" },
		{ PTRACE_SYSCALL, 0, "seccomp write" },
		{ PTRACE_SYSCALL, 0, "exit write pc=svc+4 x0=1" },
		{ PTRACE_SYSCALL, 0, "signal SIGUSR1 SI_USER pc=svc+4 x0=1" },
		{ PTRACE_SYSCALL, 0, "entry getuid" },
	},
};

/* The tracer gives another one: what is the task's own comes first. */
FIXTURE_VARIANT_ADD(sent, at_entry_with_another_given) {
	.sig = SIGUSR1, .before = 1, .n = 5, .rows = {
		{ PTRACE_SYSCALL, 0, "entry write" },
		{ PTRACE_SYSCALL, SIGUSR2, "exit write pc=svc+4 x0=1" },
		{ PTRACE_SYSCALL, 0, "signal SIGUSR2 SI_KERNEL pc=svc+4 x0=1" },
		{ PTRACE_SYSCALL, 0, "signal SIGUSR1 SI_USER pc=svc+4 x0=1" },
		{ PTRACE_SYSCALL, 0, "entry getuid" },
	},
};

FIXTURE_VARIANT_ADD(sent, at_entry_sigstop) {
	.sig = SIGSTOP, .before = 1, .n = 5, .rows = {
		{ PTRACE_SYSCALL, 0, "entry write" },
		{ PTRACE_SYSCALL, 0, "exit write pc=svc+4 x0=1" },
		{ PTRACE_SYSCALL, 0, "signal SIGSTOP SI_USER pc=svc+4 x0=1" },
		{ PTRACE_SYSCALL, SIGSTOP, "group SIGSTOP" },
		{ PTRACE_SYSCALL, 0, "entry getuid" },
	},
};

FIXTURE_VARIANT_ADD(sent, at_exit_sigstop) {
	.sig = SIGSTOP, .before = 2, .n = 5, .rows = {
		{ PTRACE_SYSCALL, 0, "entry write" },
		{ PTRACE_SYSCALL, 0, "exit write pc=svc+4 x0=1" },
		{ PTRACE_CONT, 0, "signal SIGSTOP SI_USER pc=svc+4 x0=1" },
		{ PTRACE_CONT, SIGSTOP, "group SIGSTOP" },
		{ PTRACE_SYSCALL, 0, "entry getuid" },
	},
};

/* Nothing to stop any more: prepare_signal() takes back what was pending. */
FIXTURE_VARIANT_ADD(sent, at_group_stop_sigcont) {
	.sig = SIGCONT, .before = 4, .n = 6, .rows = {
		{ PTRACE_SYSCALL, 0, "entry write" },
		{ PTRACE_SYSCALL, SIGSTOP, "exit write pc=svc+4 x0=1" },
		{ PTRACE_SYSCALL, 0, "signal SIGSTOP SI_KERNEL pc=svc+4 x0=1" },
		{ PTRACE_SYSCALL, SIGSTOP, "group SIGSTOP" },
		{ PTRACE_SYSCALL, 0, "signal SIGCONT SI_USER pc=svc+4 x0=1" },
		{ PTRACE_SYSCALL, 0, "entry getuid" },
	},
};

FIXTURE_SETUP(sent)
{
}

FIXTURE_TEARDOWN(sent)
{
}

TEST_F(sent, signal_comes_after_the_call_which_runs_once)
{
	struct svc_script *sc;
	struct tracee t;
	struct stop s;

	PINS("P17");
	effect_pipe();
	if (variant->filter)
		effect_answer(SECCOMP_RET_TRACE);
	sc = svc_script_new(2);
	effect_call(&sc->f[0]);
	t = tracee_start(svc_script_run, sc, SYSGOOD | PTRACE_O_TRACESECCOMP);
	if (!tracee_expect(&t, variant->rows, variant->before, &s))
		case_end();
	kill(t.pid, variant->sig);
	check_nr("NT_ARM_SYSTEM_CALL at the stop, the signal pending", s.nr, tracee_get_nr(&t));
	tracee_expect(&t, variant->rows + variant->before, variant->n - variant->before, NULL);
	check_eq("bytes that the call wrote", 1, effect_count());
	tracee_end(&t);
}

FIXTURE(blocked_call) {
};

/* A task that waits in read(), seized and stopped there by SIGSTOP. */
FIXTURE_VARIANT(blocked_call) {
	long request;
	struct stop_row rows[ROWS];
	size_t n;
};

FIXTURE_VARIANT_ADD(blocked_call, untraced_before) {
	.request = PTRACE_CONT, .n = 3, .rows = {
		{ WAIT_ONLY, 0, "signal SIGSTOP SI_USER pc=svc x0=gate" },
		{ PTRACE_SYSCALL, SIGSTOP, "group SIGSTOP" },
		{ PTRACE_SYSCALL, 0, "entry read pc=svc+4 x0=gate" },
	},
};

FIXTURE_VARIANT_ADD(blocked_call, traced_before) {
	.request = PTRACE_SYSCALL, .n = 4, .rows = {
		{ WAIT_ONLY, 0, "exit read pc=svc+4 x0=-ERESTARTSYS" },
		{ PTRACE_SYSCALL, 0, "signal SIGSTOP SI_USER pc=svc x0=gate" },
		{ PTRACE_SYSCALL, SIGSTOP, "group SIGSTOP" },
		{ PTRACE_SYSCALL, 0, "entry read pc=svc+4 x0=gate" },
	},
};

FIXTURE_SETUP(blocked_call)
{
}

FIXTURE_TEARDOWN(blocked_call)
{
}

/* Stopped once more at its start, so that the request that leads into the call is ours. */
TEST_F(blocked_call, is_stopped_by_sigstop_and_runs_again)
{
	struct svc_script *sc;
	struct tracee t;

	PINS("P17");
	gate_new(0);
	sc = svc_script_new(1);
	gate_call(&sc->f[0], 0);
	tracee_first(&t, sc, SYSGOOD, PTRACE_SYSCALL, "entry read pc=svc+4 x0=gate");
	tracee_resume(&t, variant->request, 0);
	tracee_wait_blocked(&t);
	kill(t.pid, SIGSTOP);
	if (!tracee_expect(&t, variant->rows, variant->n, NULL))
		case_end();
	gate_open(0);
	tracee_to(&t, PTRACE_SYSCALL, 0, "exit read pc=svc+4 x0=1");
	tracee_to(&t, PTRACE_CONT, 0, "exited 0");
	check_frame(&sc->f[0], 1);
}

/* PTRACE_LISTEN leaves it stopped, SIGCONT wakes it: do_jobctl_trap() tells of both. */
TEST(group_stop_of_a_seized_task_ends_by_sigcont_and_its_call_runs_again)
{
	static const struct stop_row stop[] = {
		{ WAIT_ONLY, 0, "signal SIGSTOP SI_USER pc=svc x0=gate" },
		{ PTRACE_SYSCALL, SIGSTOP, "group SIGSTOP" },
	}, cont[] = {
		{ WAIT_ONLY, 0, "event stop" },
		{ PTRACE_SYSCALL, 0, "signal SIGCONT SI_USER pc=svc x0=gate" },
		{ PTRACE_SYSCALL, 0, "entry read pc=svc+4 x0=gate" },
	};
	struct svc_script *sc;
	struct tracee t;

	PINS("P17");
	sc = svc_script_new(1);
	t = gate_spawn(sc);
	tracee_seize(&t, SYSGOOD);
	kill(t.pid, SIGSTOP);
	if (!tracee_expect(&t, stop, ARRAY_SIZE(stop), NULL))
		case_end();
	tracee_resume(&t, PTRACE_LISTEN, 0);
	kill(t.pid, SIGCONT);
	if (!tracee_expect(&t, cont, ARRAY_SIZE(cont), NULL))
		case_end();
	gate_open(0);
	tracee_to(&t, PTRACE_SYSCALL, 0, "exit read pc=svc+4 x0=1");
	tracee_end(&t);
}
