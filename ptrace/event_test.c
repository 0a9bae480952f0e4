// SPDX-License-Identifier: GPL-2.0
/*
 * The events of a call that makes a task: they come between its entry and its exit
 * stop, and the new task begins with a stop of its own and makes no exit stop of a
 * call that it has not made (P21, D6). kernel/fork.c kernel_clone() and
 * include/linux/ptrace.h ptrace_init_task() decide; arch/arm64/kernel/entry.S
 * ret_from_fork must not do the exit work.
 */
#include <asm/unistd.h>
#include <linux/sched.h>
#include <signal.h>

#include "case.h"
#include "effect.h"
#include "gate.h"
#include "tracee.h"

#define SYSGOOD	PTRACE_O_TRACESYSGOOD

/* What makes the child. */
struct maker {
	__u64 nr;
	__u64 flags;		/* CLONE_*, clone3's without the signal */
	__u64 signal;		/* that tells its parent of its end */
};

FIXTURE(child) {
};

/* A way to make a child, the options, and the stops up to the one that tells of it. */
FIXTURE_VARIANT(child) {
	struct maker maker;
	unsigned long options;
	bool seized;
	const char *entry, *event, *first, *exit;
};

#define BY_SIGSTOP	"signal SIGSTOP SI_USER pc=svc+4 x0=0"

FIXTURE_VARIANT_ADD(child, of_fork) {
	.maker = { __NR_clone, 0, SIGCHLD }, .options = PTRACE_O_TRACEFORK,
	.entry = "entry clone", .event = "event fork", .first = BY_SIGSTOP,
	.exit = "exit clone pc=svc+4 x0=pid",
};

FIXTURE_VARIANT_ADD(child, of_vfork) {
	.maker = { __NR_clone, CLONE_VFORK, SIGCHLD },
	.options = PTRACE_O_TRACEVFORK | PTRACE_O_TRACEVFORKDONE,
	.entry = "entry clone", .event = "event vfork", .first = BY_SIGSTOP,
	.exit = "exit clone pc=svc+4 x0=pid",
};

FIXTURE_VARIANT_ADD(child, of_clone) {
	.maker = { __NR_clone, 0, 0 }, .options = PTRACE_O_TRACECLONE,
	.entry = "entry clone", .event = "event clone", .first = BY_SIGSTOP,
	.exit = "exit clone pc=svc+4 x0=pid",
};

FIXTURE_VARIANT_ADD(child, of_clone3_as_fork) {
	.maker = { __NR_clone3, 0, SIGCHLD }, .options = PTRACE_O_TRACEFORK,
	.entry = "entry clone3", .event = "event fork", .first = BY_SIGSTOP,
	.exit = "exit clone3 pc=svc+4 x0=pid",
};

FIXTURE_VARIANT_ADD(child, of_clone3_as_vfork) {
	.maker = { __NR_clone3, CLONE_VFORK, SIGCHLD },
	.options = PTRACE_O_TRACEVFORK | PTRACE_O_TRACEVFORKDONE,
	.entry = "entry clone3", .event = "event vfork", .first = BY_SIGSTOP,
	.exit = "exit clone3 pc=svc+4 x0=pid",
};

FIXTURE_VARIANT_ADD(child, of_clone3_as_clone) {
	.maker = { __NR_clone3, 0, SIGUSR1 }, .options = PTRACE_O_TRACECLONE,
	.entry = "entry clone3", .event = "event clone", .first = BY_SIGSTOP,
	.exit = "exit clone3 pc=svc+4 x0=pid",
};

/* The child of a seized task is seized: no signal, a trap. */
FIXTURE_VARIANT_ADD(child, of_fork_in_a_seized_task) {
	.maker = { __NR_clone, 0, SIGCHLD }, .options = PTRACE_O_TRACEFORK, .seized = true,
	.entry = "entry clone", .event = "event fork", .first = "event stop",
	.exit = "exit clone pc=svc+4 x0=pid",
};

FIXTURE_SETUP(child)
{
}

FIXTURE_TEARDOWN(child)
{
}

/* In the task: waits at gate 0, makes a child, which makes one call and ends with 5. */
static void maker_run(void *script)
{
	struct svc_script *s = script;
	struct svc_frame f;

	gate_wait(0);
	/* Not in shared memory, into which parent and child would both write. */
	f = s->f[0];
	svc_run(&f);
	if (!f.x_out[0]) {
		svc_run(&s->f[1]);
		svc_exit(5);
	}
	s->f[0] = f;
	svc_run(&s->f[2]);
}

static struct svc_script *maker_script(const struct maker *m)
{
	struct clone_args *args = shared_alloc(sizeof(*args));
	struct svc_script *sc = svc_script_new(3);
	sigset_t set;

	/* Nothing is to come between the parent's stops when its child ends. */
	sigemptyset(&set);
	sigaddset(&set, SIGCHLD);
	sigaddset(&set, SIGUSR1);
	sigprocmask(SIG_BLOCK, &set, NULL);
	gate_new(0);
	args->flags = m->flags;
	args->exit_signal = m->signal;
	if (m->nr == __NR_clone3)
		svc_fill(&sc->f[0], m->nr, 2, U64(args), U64(CLONE_ARGS_SIZE_VER0));
	else
		svc_fill(&sc->f[0], m->nr, 5, m->flags | m->signal, U64(0), U64(0), U64(0), U64(0));
	return sc;
}

/* A tracee just before the call, resumed next. */
static struct tracee start_maker(struct svc_script *sc, unsigned long options, bool seized)
{
	static const struct stop_row rows[] = {
		{ PTRACE_SYSCALL, 0, "entry read" },
		{ PTRACE_SYSCALL, 0, "exit read" },
	};
	struct tracee t;

	if (seized) {
		t = tracee_spawn(maker_run, sc);
		tracee_wait_blocked(&t);
		tracee_seize(&t, SYSGOOD | options);
		tracee_interrupt(&t);
		tracee_to(&t, WAIT_ONLY, 0, "event stop");
	} else {
		t = tracee_start(maker_run, sc, SYSGOOD | options);
	}
	gate_open(0);
	if (!tracee_expect(&t, rows, ARRAY_SIZE(rows), NULL))
		case_end();
	return t;
}

static void check_first_stop(const struct stop *s, const struct svc_frame *f)
{
	check_nr("NT_ARM_SYSTEM_CALL at the child's first stop", -1, s->nr);
	check_eq("PC at the child's first stop", U64(svc_after), s->regs.pc);
	check_eq("x0 at the child's first stop", 0, s->regs.regs[0]);
	for (unsigned int i = 1; i < 31; i++) {
		char what[48];

		snprintf(what, sizeof(what), "x%u at the child's first stop", i);
		check_eq(what, f->x[i], s->regs.regs[i]);
	}
}

static const struct stop_row child_life[] = {
	{ PTRACE_SYSCALL, 0, "entry getuid" },
	{ PTRACE_SYSCALL, 0, "exit getuid" },
	{ PTRACE_SYSCALL, 0, "entry exit_group pc=svc+4 x0=5" },
	{ PTRACE_SYSCALL, 0, "exited 5" },
};

TEST_F(child, event_is_between_entry_and_exit_and_the_childs_next_stop_an_entry)
{
	struct tracee parent, child;
	struct svc_script *sc;
	struct stop s;
	__u64 pid;

	PINS("P21");
	sc = maker_script(&variant->maker);
	parent = start_maker(sc, variant->options, variant->seized);
	tracee_to(&parent, PTRACE_SYSCALL, 0, variant->entry);
	s = tracee_to(&parent, PTRACE_SYSCALL, 0, variant->event);
	check_nr("NT_ARM_SYSTEM_CALL at the event", (int)variant->maker.nr, s.nr);
	check_eq("x7 at the event", svc_pattern(7), s.regs.regs[7]);
	pid = s.msg;
	child = tracee_adopt(&parent, (pid_t)pid);
	s = tracee_to(&child, WAIT_ONLY, 0, variant->first);
	check_first_stop(&s, &sc->f[0]);
	if (!tracee_expect(&child, child_life, ARRAY_SIZE(child_life), NULL))
		case_end();
	if (variant->options & PTRACE_O_TRACEVFORKDONE) {
		s = tracee_to(&parent, PTRACE_SYSCALL, 0, "event vfork-done");
		check_true("the vfork-done event tells the child's id", s.msg == pid);
	}
	s = tracee_to(&parent, PTRACE_SYSCALL, 0, variant->exit);
	check_true("the result is the child's id", s.regs.regs[0] == pid);
	tracee_to(&parent, PTRACE_SYSCALL, 0, "entry getuid");
	tracee_end(&parent);
}

/* What the parent was resumed with is not the child's: it starts without. */
TEST(child_continued_from_its_first_stop_makes_no_syscall_stop)
{
	const struct maker m = { __NR_clone, 0, SIGCHLD };
	struct tracee parent, child;
	struct stop s;

	PINS("P21");
	parent = start_maker(maker_script(&m), PTRACE_O_TRACEFORK, false);
	tracee_to(&parent, PTRACE_SYSCALL, 0, "entry clone");
	s = tracee_to(&parent, PTRACE_SYSCALL, 0, "event fork");
	child = tracee_adopt(&parent, (pid_t)s.msg);
	tracee_to(&child, WAIT_ONLY, 0, BY_SIGSTOP);
	tracee_to(&child, PTRACE_CONT, 0, "exited 5");
	tracee_end(&parent);
}

/* copy_process() clears what PTRACE_SYSCALL has set, for a tracer that comes later. */
TEST(child_of_a_traced_parent_seized_later_makes_no_syscall_stop)
{
	const struct maker m = { __NR_clone, 0, SIGCHLD };
	struct tracee parent, child = { .running = true };
	struct svc_script *sc;
	struct stop s;

	PINS("P21");
	prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
	gate_new(1);
	sc = maker_script(&m);
	gate_call(&sc->f[1], 1);
	parent = start_maker(sc, 0, false);
	tracee_to(&parent, PTRACE_SYSCALL, 0, "entry clone");
	s = tracee_to(&parent, PTRACE_SYSCALL, 0, "exit clone pc=svc+4 x0=pid");
	child.pid = (pid_t)s.regs.regs[0];
	tracee_wait_blocked(&child);
	tracee_seize(&child, SYSGOOD);
	gate_open(1);
	tracee_to(&child, WAIT_ONLY, 0, "exited 5");
	tracee_end(&parent);
}

/* CLONE_UNTRACED wins over the options. */
TEST(clone_untraced_makes_no_event_and_the_child_no_stop)
{
	const struct maker m = { __NR_clone, CLONE_UNTRACED | CLONE_VFORK, SIGCHLD };
	struct svc_script *sc;
	struct tracee t;

	PINS("P21");
	effect_pipe();
	sc = maker_script(&m);
	effect_call(&sc->f[1]);
	t = start_maker(sc, PTRACE_O_TRACEFORK | PTRACE_O_TRACEVFORK | PTRACE_O_TRACECLONE, false);
	tracee_to(&t, PTRACE_SYSCALL, 0, "entry clone");
	tracee_to(&t, PTRACE_SYSCALL, 0, "exit clone pc=svc+4 x0=pid");
	check_eq("bytes that the child wrote by then", 1, effect_count());
	tracee_end(&t);
}

/* Without an event the child's id is the result. */
TEST(clone_ptrace_makes_no_event_but_the_child_is_traced)
{
	const struct maker m = { __NR_clone, CLONE_PTRACE, SIGCHLD };
	struct tracee parent, child;
	struct svc_script *sc;
	struct stop s;

	PINS("P21");
	sc = maker_script(&m);
	parent = start_maker(sc, 0, false);
	tracee_to(&parent, PTRACE_SYSCALL, 0, "entry clone");
	s = tracee_to(&parent, PTRACE_SYSCALL, 0, "exit clone pc=svc+4 x0=pid");
	child = tracee_adopt(&parent, (pid_t)s.regs.regs[0]);
	s = tracee_to(&child, WAIT_ONLY, 0, BY_SIGSTOP);
	check_first_stop(&s, &sc->f[0]);
	tracee_expect(&child, child_life, ARRAY_SIZE(child_life), NULL);
	tracee_end(&parent);
}

/* The tracer sees the parent's two stops, the kernel runs the child meanwhile. */
TEST(vfork_child_of_a_traced_parent_is_not_traced_and_not_stopped)
{
	const struct maker m = { __NR_clone, CLONE_VFORK, SIGCHLD };
	struct svc_script *sc;
	struct tracee t;

	PINS("P21 P25");
	effect_pipe();
	sc = maker_script(&m);
	effect_call(&sc->f[1]);
	t = start_maker(sc, 0, false);
	tracee_to(&t, PTRACE_SYSCALL, 0, "entry clone");
	check_eq("bytes that the child wrote before it was made", 0, effect_count());
	tracee_to(&t, PTRACE_SYSCALL, 0, "exit clone pc=svc+4 x0=pid");
	check_eq("bytes that the child wrote by then", 1, effect_count());
	tracee_to(&t, PTRACE_SYSCALL, 0, "entry getuid");
	tracee_end(&t);
}

/* The child waits for its tracer, and its parent for nobody. */
TEST(fork_parent_returns_while_the_child_is_at_its_first_stop)
{
	const struct maker m = { __NR_clone, 0, SIGCHLD };
	struct tracee parent, child;
	struct stop s;

	PINS("P21 P25");
	parent = start_maker(maker_script(&m), PTRACE_O_TRACEFORK, false);
	tracee_to(&parent, PTRACE_SYSCALL, 0, "entry clone");
	s = tracee_to(&parent, PTRACE_SYSCALL, 0, "event fork");
	child = tracee_adopt(&parent, (pid_t)s.msg);
	tracee_to(&parent, PTRACE_SYSCALL, 0, "exit clone pc=svc+4 x0=pid");
	tracee_to(&parent, PTRACE_SYSCALL, 0, "entry getuid");
	tracee_to(&child, WAIT_ONLY, 0, BY_SIGSTOP);
	tracee_expect(&child, child_life, ARRAY_SIZE(child_life), NULL);
	tracee_end(&parent);
}

/* The child exists by then, and is the tracer's. */
TEST(sigkill_at_the_fork_event_leaves_the_child_traced)
{
	const struct maker m = { __NR_clone, 0, SIGCHLD };
	struct tracee parent, child;
	struct stop s;

	PINS("P18 P21");
	parent = start_maker(maker_script(&m), PTRACE_O_TRACEFORK, false);
	tracee_to(&parent, PTRACE_SYSCALL, 0, "entry clone");
	s = tracee_to(&parent, PTRACE_SYSCALL, 0, "event fork");
	child = tracee_adopt(&parent, (pid_t)s.msg);
	kill(parent.pid, SIGKILL);
	tracee_to(&parent, WAIT_ONLY, 0, "killed SIGKILL");
	tracee_to(&child, WAIT_ONLY, 0, BY_SIGSTOP);
	tracee_expect(&child, child_life, ARRAY_SIZE(child_life), NULL);
}
