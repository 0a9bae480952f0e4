// SPDX-License-Identifier: GPL-2.0
/*
 * PTRACE_DETACH from every kind of stop: a call that had not begun runs, one that
 * was over keeps its result, and nothing is traced any more (P19). What the tracer
 * gives along comes as at the stop itself. kernel/ptrace.c ptrace_detach() and
 * __ptrace_unlink() decide, and ptrace_report_syscall() for a signal.
 */
#include <asm/unistd.h>
#include <errno.h>
#include <linux/sched.h>
#include <signal.h>

#include "case.h"
#include "effect.h"
#include "filter.h"
#include "gate.h"
#include "tracee.h"

#define SYSGOOD	PTRACE_O_TRACESYSGOOD
#define ROWS	4

/* How the task takes the signals that it is given. */
enum disposition { DEFAULT, CAUGHT, BLOCKED };

FIXTURE(detach) {
};

/*
 * The stops of a write() up to the one that is left, the signal given there, the
 * end of the task, how often it has written, and the result if it saw one.
 */
FIXTURE_VARIANT(detach) {
	struct stop_row rows[ROWS];
	size_t n;
	bool filter;
	int sig;
	enum disposition what;
	const char *end;
	unsigned int effect;
	bool returns;
};

FIXTURE_VARIANT_ADD(detach, at_first_stop) {
	.n = 0, .end = "exited 0", .effect = 1, .returns = true,
};

FIXTURE_VARIANT_ADD(detach, at_entry_stop) {
	.end = "exited 0", .effect = 1, .returns = true, .n = 1, .rows = {
		{ PTRACE_SYSCALL, 0, "entry write" },
	},
};

FIXTURE_VARIANT_ADD(detach, at_exit_stop) {
	.end = "exited 0", .effect = 1, .returns = true, .n = 2, .rows = {
		{ PTRACE_SYSCALL, 0, "entry write" },
		{ PTRACE_SYSCALL, 0, "exit write" },
	},
};

FIXTURE_VARIANT_ADD(detach, at_seccomp_stop) {
	.end = "exited 0", .effect = 1, .returns = true, .filter = true, .n = 1, .rows = {
		{ PTRACE_CONT, 0, "seccomp write" },
	},
};

FIXTURE_VARIANT_ADD(detach, at_seccomp_stop_after_entry_stop) {
	.end = "exited 0", .effect = 1, .returns = true, .filter = true, .n = 2, .rows = {
		{ PTRACE_SYSCALL, 0, "entry write" },
		{ PTRACE_SYSCALL, 0, "seccomp write" },
	},
};

FIXTURE_VARIANT_ADD(detach, at_pseudo_step) {
	.end = "exited 0", .effect = 1, .returns = true, .n = 2, .rows = {
		{ PTRACE_SYSCALL, 0, "entry write" },
		{ PTRACE_SINGLESTEP, 0, "pseudo-step pc=svc+4" },
	},
};

FIXTURE_VARIANT_ADD(detach, at_signal_stop) {
	.end = "exited 0", .effect = 1, .returns = true, .n = 3, .rows = {
		{ PTRACE_SYSCALL, 0, "entry write" },
		{ PTRACE_SYSCALL, SIGTERM, "exit write" },
		{ PTRACE_SYSCALL, 0, "signal SIGTERM" },
	},
};

FIXTURE_VARIANT_ADD(detach, at_exit_event) {
	.end = "exited 0", .effect = 1, .returns = true, .n = 1, .rows = {
		{ PTRACE_CONT, 0, "event exit" },
	},
};

FIXTURE_VARIANT_ADD(detach, at_signal_stop_with_its_signal) {
	.sig = SIGTERM,
	.end = "killed SIGTERM", .effect = 1, .n = 3, .rows = {
		{ PTRACE_SYSCALL, 0, "entry write" },
		{ PTRACE_SYSCALL, SIGTERM, "exit write" },
		{ PTRACE_SYSCALL, 0, "signal SIGTERM" },
	},
};

FIXTURE_VARIANT_ADD(detach, at_entry_stop_with_a_caught_signal) {
	.sig = SIGTERM, .what = CAUGHT,
	.end = "exited 0", .effect = 1, .returns = true, .n = 1, .rows = {
		{ PTRACE_SYSCALL, 0, "entry write" },
	},
};

FIXTURE_VARIANT_ADD(detach, at_entry_stop_with_a_blocked_signal) {
	.sig = SIGTERM, .what = BLOCKED,
	.end = "exited 0", .effect = 1, .returns = true, .n = 1, .rows = {
		{ PTRACE_SYSCALL, 0, "entry write" },
	},
};

/*
 * Of a task that nobody traces complete_signal() makes it a SIGKILL at once: unlike
 * one given with PTRACE_SYSCALL, it leaves the call undone.
 */
FIXTURE_VARIANT_ADD(detach, at_entry_stop_with_a_fatal_signal) {
	.sig = SIGTERM,
	.end = "killed SIGTERM", .effect = 0, .n = 1, .rows = {
		{ PTRACE_SYSCALL, 0, "entry write" },
	},
};

FIXTURE_VARIANT_ADD(detach, at_exit_stop_with_a_caught_signal) {
	.sig = SIGTERM, .what = CAUGHT,
	.end = "exited 0", .effect = 1, .returns = true, .n = 2, .rows = {
		{ PTRACE_SYSCALL, 0, "entry write" },
		{ PTRACE_SYSCALL, 0, "exit write" },
	},
};

FIXTURE_VARIANT_ADD(detach, at_exit_stop_with_a_fatal_signal) {
	.sig = SIGTERM,
	.end = "killed SIGTERM", .effect = 1, .n = 2, .rows = {
		{ PTRACE_SYSCALL, 0, "entry write" },
		{ PTRACE_SYSCALL, 0, "exit write" },
	},
};

/* An event stop drops what it is given. */
FIXTURE_VARIANT_ADD(detach, at_seccomp_stop_with_a_fatal_signal) {
	.sig = SIGTERM,
	.end = "exited 0", .effect = 1, .returns = true, .filter = true, .n = 1, .rows = {
		{ PTRACE_CONT, 0, "seccomp write" },
	},
};

FIXTURE_SETUP(detach)
{
}

FIXTURE_TEARDOWN(detach)
{
}

static unsigned int *handled;	/* calls of the handler in the task */

static void count_signal(int sig)
{
	(void)sig;
	++*handled;
}

static void dispose(int sig, enum disposition what)
{
	struct sigaction sa = { .sa_handler = count_signal };
	sigset_t set;

	handled = shared_alloc(sizeof(*handled));
	if (what == CAUGHT)
		sigaction(sig, &sa, NULL);
	sigemptyset(&set);
	sigaddset(&set, sig);
	if (what == BLOCKED)
		sigprocmask(SIG_BLOCK, &set, NULL);
}

/* A script: write, counted, and two calls that would stop if they were traced. */
static struct tracee start_writer(struct svc_script *sc)
{
	effect_pipe();
	effect_call(&sc->f[0]);
	return tracee_start(svc_script_run, sc,
			    SYSGOOD | PTRACE_O_TRACESECCOMP | PTRACE_O_TRACEEXIT);
}

TEST_F(detach, lets_the_task_go_on_untraced)
{
	struct svc_script *sc;
	struct tracee t;

	PINS("P19");
	if (variant->filter)
		effect_answer(SECCOMP_RET_TRACE);
	if (variant->sig)
		dispose(variant->sig, variant->what);
	sc = svc_script_new(3);
	t = start_writer(sc);
	if (variant->n && !tracee_expect(&t, variant->rows, variant->n, NULL))
		case_end();
	tracee_detach(&t, variant->sig);
	tracee_to(&t, WAIT_ONLY, 0, variant->end);
	check_eq("bytes that the call wrote", variant->effect, effect_count());
	if (variant->returns)
		check_frame(&sc->f[0], 1);
	if (variant->sig)
		check_eq("times that the signal was handled", variant->what == CAUGHT, *handled);
}

TEST(detach_at_entry_keeps_the_number_and_argument_written)
{
	struct svc_script *sc;
	struct tracee t;
	struct stop s;

	PINS("P19");
	sc = svc_script_new(2);
	s = tracee_first(&t, sc, SYSGOOD, PTRACE_SYSCALL, "entry getuid");
	tracee_set_nr(&t, __NR_dup);
	s.regs.regs[0] = 1000;
	tracee_set_regs(&t, &s.regs);
	tracee_detach(&t, 0);
	tracee_to(&t, WAIT_ONLY, 0, "exited 0");
	check_eq("x0 after the call, which is dup(1000) now", U64(-EBADF), sc->f[0].x_out[0]);
	check_eq("x7 after the call", svc_pattern(7), sc->f[0].x_out[7]);
	check_eq("x8 after the call", __NR_getuid, sc->f[0].x_out[8]);
}

TEST(detach_at_entry_of_a_skipped_call_keeps_its_result)
{
	struct svc_script *sc;
	struct tracee t;
	struct stop s;

	PINS("P19");
	sc = svc_script_new(2);
	t = start_writer(sc);
	s = tracee_to(&t, PTRACE_SYSCALL, 0, "entry write");
	tracee_set_nr(&t, -1);
	s.regs.regs[0] = 4242;
	tracee_set_regs(&t, &s.regs);
	tracee_detach(&t, 0);
	tracee_to(&t, WAIT_ONLY, 0, "exited 0");
	check_eq("bytes that the call wrote", 0, effect_count());
	check_frame(&sc->f[0], 4242);
}

TEST(detach_at_exit_keeps_the_result_written)
{
	struct svc_script *sc;
	struct tracee t;
	struct stop s;

	PINS("P19");
	sc = svc_script_new(2);
	tracee_first(&t, sc, SYSGOOD, PTRACE_SYSCALL, "entry getuid");
	s = tracee_to(&t, PTRACE_SYSCALL, 0, "exit getuid");
	s.regs.regs[0] = 4242;
	tracee_set_regs(&t, &s.regs);
	tracee_detach(&t, 0);
	tracee_to(&t, WAIT_ONLY, 0, "exited 0");
	check_frame(&sc->f[0], 4242);
}

TEST(detach_with_a_signal_out_of_range_is_eio_and_the_task_stays_traced)
{
	struct tracee t;

	PINS("P19");
	tracee_first(&t, svc_script_new(1), SYSGOOD, PTRACE_SYSCALL, "entry getuid");
	check_eq("PTRACE_DETACH with signal 65", U64(-EIO),
		 U64(tracee_request(&t, PTRACE_DETACH, 0, (void *)65)));
	tracee_to(&t, PTRACE_SYSCALL, 0, "exit getuid");
	tracee_end(&t);
}

/* It is still part of a group stop, which only SIGCONT ends. */
TEST(detach_at_a_group_stop_leaves_the_task_stopped_until_sigcont)
{
	static const struct stop_row rows[] = {
		{ PTRACE_SYSCALL, 0, "entry write" },
		{ PTRACE_SYSCALL, SIGSTOP, "exit write" },
		{ PTRACE_SYSCALL, 0, "signal SIGSTOP" },
		{ PTRACE_SYSCALL, SIGSTOP, "group SIGSTOP" },
	};
	struct svc_script *sc;
	struct tracee t;

	PINS("P19");
	sc = svc_script_new(2);
	effect_call(&sc->f[1]);
	t = start_writer(sc);
	if (!tracee_expect(&t, rows, ARRAY_SIZE(rows), NULL))
		case_end();
	tracee_detach(&t, 0);
	tracee_wait_state(&t, 'T');
	check_eq("bytes that both calls wrote by then", 1, effect_count());
	kill(t.pid, SIGCONT);
	tracee_to(&t, WAIT_ONLY, 0, "exited 0");
	check_eq("bytes that both calls wrote", 2, effect_count());
	check_frame(&sc->f[0], 1);
}

/* __ptrace_unlink() clears what PTRACE_SYSCALL has set; a new tracer starts from nothing. */
TEST(detach_at_entry_then_seize_makes_no_exit_stop_of_that_call)
{
	struct svc_script *sc;
	struct tracee t;

	PINS("P19 P20");
	gate_new(0);
	sc = svc_script_new(2);
	gate_call(&sc->f[0], 0);
	tracee_first(&t, sc, SYSGOOD, PTRACE_SYSCALL, "entry read");
	tracee_detach(&t, 0);
	tracee_wait_blocked(&t);
	tracee_seize(&t, SYSGOOD);
	gate_open(0);
	tracee_to(&t, WAIT_ONLY, 0, "exited 0");
	check_frame(&sc->f[0], 1);
}

/* A child made after the detach belongs to nobody's tracer. */
TEST(detach_at_entry_of_clone_makes_no_event_and_traces_no_child)
{
	struct svc_script *sc;
	struct tracee t;

	PINS("P19 P21");
	sc = svc_script_new(2);
	effect_pipe();
	svc_fill(&sc->f[0], __NR_clone, 5, U64(CLONE_VFORK | SIGCHLD), U64(0), U64(0), U64(0),
		 U64(0));
	effect_call(&sc->f[1]);
	tracee_first(&t, sc, SYSGOOD | PTRACE_O_TRACEVFORK | PTRACE_O_TRACEVFORKDONE,
		     PTRACE_SYSCALL, "entry clone");
	tracee_detach(&t, 0);
	tracee_to(&t, WAIT_ONLY, 0, "exited 0");
	check_eq("bytes that parent and child wrote", 2, effect_count());
}
