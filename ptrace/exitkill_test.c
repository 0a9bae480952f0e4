// SPDX-License-Identifier: GPL-2.0
/*
 * A tracer that dies while its tracee is at a stop of a call: with PTRACE_O_EXITKILL
 * the tracee dies there, and a call that had not begun is not made; without, it goes
 * on as if detached (P22). kernel/ptrace.c exit_ptrace() and ptrace_init_task() decide.
 */
#include <asm/unistd.h>
#include <linux/sched.h>
#include <signal.h>

#include "case.h"
#include "effect.h"
#include "filter.h"
#include "gate.h"
#include "tracee.h"

#define SYSGOOD		PTRACE_O_TRACESYSGOOD
#define OPTIONS		(SYSGOOD | PTRACE_O_TRACESECCOMP | PTRACE_O_TRACEFORK)
#define ROWS		4

#ifndef PR_SET_PTRACER
#define PR_SET_PTRACER		0x59616d61
#define PR_SET_PTRACER_ANY	-1ul
#endif

/*
 *	case -+- tracee, waits at gate 0
 *	      +- tracer, seizes it, goes with it through the rows, dies
 *
 * The case is the parent of both, so that it learns of the tracee's end.
 */
struct scene {
	struct svc_script *script;
	struct tracee tracee;
	const struct stop_row *rows;
	size_t n;
	bool exitkill;
	bool by_sigkill;	/* the tracer's death */
	bool blocks;		/* resumed after the rows, the tracee blocks */
	pid_t child;		/* that the tracee made */
};

FIXTURE(tracer_dies) {
};

/* The stops of a write() up to the last one, and whether it has written by then. */
FIXTURE_VARIANT(tracer_dies) {
	struct stop_row rows[ROWS];
	size_t n;
	bool filter, by_sigkill;
	unsigned int effect;
};

FIXTURE_VARIANT_ADD(tracer_dies, at_entry_stop) {
	.effect = 0, .n = 1, .rows = {
		{ PTRACE_SYSCALL, 0, "entry write" },
	},
};

FIXTURE_VARIANT_ADD(tracer_dies, at_entry_stop_by_sigkill) {
	.by_sigkill = true,
	.effect = 0, .n = 1, .rows = {
		{ PTRACE_SYSCALL, 0, "entry write" },
	},
};

FIXTURE_VARIANT_ADD(tracer_dies, at_seccomp_stop) {
	.effect = 0, .filter = true, .n = 1, .rows = {
		{ PTRACE_CONT, 0, "seccomp write" },
	},
};

FIXTURE_VARIANT_ADD(tracer_dies, at_exit_stop) {
	.effect = 1, .n = 2, .rows = {
		{ PTRACE_SYSCALL, 0, "entry write" },
		{ PTRACE_SYSCALL, 0, "exit write" },
	},
};

/* The signal, seen by the tracer and not given on, is lost. */
FIXTURE_VARIANT_ADD(tracer_dies, at_signal_stop) {
	.effect = 1, .n = 3, .rows = {
		{ PTRACE_SYSCALL, 0, "entry write" },
		{ PTRACE_SYSCALL, SIGTERM, "exit write" },
		{ PTRACE_SYSCALL, 0, "signal SIGTERM" },
	},
};

FIXTURE_SETUP(tracer_dies)
{
}

FIXTURE_TEARDOWN(tracer_dies)
{
}

static void tracee_run(void *arg)
{
	struct scene *sc = arg;

	/* Yama lets only a parent attach; this fails where there is no Yama. */
	svc_call(__NR_prctl, 5, U64(PR_SET_PTRACER), PR_SET_PTRACER_ANY, U64(0), U64(0), U64(0));
	svc_script_run(sc->script);
}

static void tracer_run(void *arg)
{
	static const struct stop_row to_gate[] = {
		{ PTRACE_SYSCALL, 0, "entry read" },
		{ PTRACE_SYSCALL, 0, "exit read" },
	};
	struct scene *sc = arg;
	struct tracee t = sc->tracee;
	struct stop s;

	tracee_seize(&t, OPTIONS);
	tracee_interrupt(&t);
	tracee_to(&t, WAIT_ONLY, 0, "event stop");
	gate_open(0);
	if (!tracee_expect(&t, to_gate, ARRAY_SIZE(to_gate), NULL))
		case_end();
	/* tracee_seize() has set it. */
	if (!sc->exitkill)
		check_eq("PTRACE_SETOPTIONS", 0, U64(tracee_request(&t, PTRACE_SETOPTIONS, 0,
								    (void *)OPTIONS)));
	if (!tracee_expect(&t, sc->rows, sc->n, &s))
		case_end();
	if (s.kind == STOP_EVENT && s.event == PTRACE_EVENT_FORK)
		sc->child = (pid_t)s.msg;
	if (sc->blocks) {
		tracee_resume(&t, PTRACE_SYSCALL, 0);
		tracee_wait_blocked(&t);
	}
	if (sc->by_sigkill)
		kill(getpid(), SIGKILL);
	svc_exit(0);
}

/* A scene whose script has @n calls, the first being the gate. */
static struct scene *new_scene(unsigned int n, const struct stop_row *rows, size_t n_rows)
{
	struct scene *sc = shared_alloc(sizeof(*sc));

	sc->script = svc_script_new(n);
	sc->rows = rows;
	sc->n = n_rows;
	effect_pipe();
	gate_new(0);
	gate_call(&sc->script->f[0], 0);
	return sc;
}

/* Both tasks, until the tracer has died. Return: the tracee. */
static struct tracee play(struct scene *sc)
{
	struct tracee tracer;

	sc->tracee = tracee_spawn(tracee_run, sc);
	tracee_wait_blocked(&sc->tracee);
	tracer = tracee_spawn(tracer_run, sc);
	tracee_to(&tracer, WAIT_ONLY, 0, sc->by_sigkill ? "killed SIGKILL" : "exited 0");
	return sc->tracee;
}

TEST_F(tracer_dies, with_exitkill_and_the_tracee_with_it)
{
	struct scene *sc;
	struct tracee t;

	PINS("P22");
	if (variant->filter)
		effect_answer(SECCOMP_RET_TRACE);
	sc = new_scene(3, variant->rows, variant->n);
	effect_call(&sc->script->f[1]);
	sc->exitkill = true;
	sc->by_sigkill = variant->by_sigkill;
	t = play(sc);
	tracee_to(&t, WAIT_ONLY, 0, "killed SIGKILL");
	check_eq("bytes that the call wrote", variant->effect, effect_count());
}

TEST_F(tracer_dies, without_exitkill_and_the_call_is_made_untraced)
{
	struct scene *sc;
	struct tracee t;

	PINS("P22");
	if (variant->filter)
		effect_answer(SECCOMP_RET_TRACE);
	sc = new_scene(3, variant->rows, variant->n);
	effect_call(&sc->script->f[1]);
	sc->by_sigkill = variant->by_sigkill;
	t = play(sc);
	tracee_to(&t, WAIT_ONLY, 0, "exited 0");
	check_eq("bytes that the call wrote", 1, effect_count());
	check_frame(&sc->script->f[1], 1);
}

/* PTRACE_DETACH switches stepping off, ptrace_disable(); a dying tracer should leave as little. */
static const struct stop_row to_step[] = {
	{ PTRACE_SYSCALL, 0, "entry write" },
	{ PTRACE_SINGLESTEP, 0, "pseudo-step" },
};

TEST(tracer_that_dies_with_exitkill_kills_a_stepped_tracee)
{
	struct scene *sc;
	struct tracee t;

	PINS("P22");
	sc = new_scene(3, to_step, ARRAY_SIZE(to_step));
	effect_call(&sc->script->f[1]);
	sc->exitkill = true;
	t = play(sc);
	tracee_to(&t, WAIT_ONLY, 0, "killed SIGKILL");
	check_eq("bytes that the call wrote", 1, effect_count());
}

TEST(tracer_that_dies_without_exitkill_leaves_a_stepped_tracee_running)
{
	static const struct stop_row end[] = {
		{ WAIT_ONLY, 0, "exited 0" },
	};
	struct scene *sc;
	struct tracee t;

	PINS("P22 K05");
	sc = new_scene(3, to_step, ARRAY_SIZE(to_step));
	effect_call(&sc->script->f[1]);
	t = play(sc);
	tracee_expect(&t, end, ARRAY_SIZE(end), NULL);
	check_eq("bytes that the call wrote", 1, effect_count());
}

/* A task need not be at a stop. */
static const struct stop_row to_read[] = {
	{ PTRACE_SYSCALL, 0, "entry read" },
};

TEST(tracer_that_dies_with_exitkill_kills_a_tracee_blocked_in_a_call)
{
	struct scene *sc;
	struct tracee t;

	PINS("P22");
	sc = new_scene(3, to_read, ARRAY_SIZE(to_read));
	gate_new(1);
	gate_call(&sc->script->f[1], 1);
	effect_call(&sc->script->f[2]);
	sc->exitkill = true;
	sc->blocks = true;
	t = play(sc);
	tracee_to(&t, WAIT_ONLY, 0, "killed SIGKILL");
	check_eq("bytes that the next call wrote", 0, effect_count());
}

TEST(tracer_that_dies_without_exitkill_leaves_a_tracee_blocked_in_its_call)
{
	struct scene *sc;
	struct tracee t;

	PINS("P22");
	sc = new_scene(3, to_read, ARRAY_SIZE(to_read));
	gate_new(1);
	gate_call(&sc->script->f[1], 1);
	effect_call(&sc->script->f[2]);
	sc->blocks = true;
	t = play(sc);
	gate_open(1);
	tracee_to(&t, WAIT_ONLY, 0, "exited 0");
	check_eq("bytes that the next call wrote", 1, effect_count());
	check_frame(&sc->script->f[1], 1);
}

/* The child of PTRACE_O_TRACEFORK has its parent's options. */
TEST(tracer_that_dies_with_exitkill_kills_a_child_it_has_by_tracefork)
{
	static const struct stop_row to_fork[] = {
		{ PTRACE_SYSCALL, 0, "entry clone" },
		{ PTRACE_SYSCALL, 0, "event fork" },
	};
	struct tracee t, child = { .running = true };
	struct scene *sc;

	PINS("P22");
	prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
	sc = new_scene(3, to_fork, ARRAY_SIZE(to_fork));
	svc_fill(&sc->script->f[1], __NR_clone, 5, U64(SIGCHLD), U64(0), U64(0), U64(0), U64(0));
	effect_call(&sc->script->f[2]);
	sc->exitkill = true;
	t = play(sc);
	tracee_to(&t, WAIT_ONLY, 0, "killed SIGKILL");
	child.pid = sc->child;
	tracee_to(&child, WAIT_ONLY, 0, "killed SIGKILL");
	check_eq("bytes that parent or child wrote", 0, effect_count());
}
