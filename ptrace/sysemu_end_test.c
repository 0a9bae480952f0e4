// SPDX-License-Identifier: GPL-2.0
/*
 * What ends PTRACE_SYSEMU: another request, PTRACE_DETACH, the tracer's death; and
 * that a child does not get it from its parent (E04). kernel/ptrace.c
 * ptrace_resume() and __ptrace_unlink(), kernel/fork.c copy_process() decide.
 */
#include <asm/unistd.h>
#include <linux/sched.h>
#include <signal.h>

#include "case.h"
#include "effect.h"
#include "tracee.h"

#define SYSGOOD		PTRACE_O_TRACESYSGOOD
#define EVENTS		(PTRACE_O_TRACEFORK | PTRACE_O_TRACEVFORK | PTRACE_O_TRACECLONE)
#define RESULT		0x7e5017
#define CHILD_EXIT	5

/* Three write() calls, of which the effect pipe counts those that ran. */
static struct svc_script *writes(void)
{
	struct svc_script *sc = svc_script_new(3);

	effect_pipe();
	for (unsigned int i = 0; i < 3; i++)
		effect_call(&sc->f[i]);
	return sc;
}

TEST(cont_ends_sysemu_for_all_calls_that_follow)
{
	struct svc_script *sc;
	struct tracee t;

	PINS("E04");
	sc = writes();
	tracee_first(&t, sc, SYSGOOD, PTRACE_SYSEMU, "entry write pc=svc+4 x0=200");
	tracee_to(&t, PTRACE_CONT, 0, "exited 0");
	check_eq("bytes that three write() wrote, the first emulated", 2, effect_count());
	check_frame(&sc->f[0], EFFECT_FD);
	check_frame(&sc->f[1], 1);
}

FIXTURE(detach) {
};

/* From which stop, and how many of the three calls have been or are still emulated. */
FIXTURE_VARIANT(detach) {
	struct stop_row rows[2];
	size_t n;
	unsigned int emulated;
};

FIXTURE_VARIANT_ADD(detach, at_a_sysemu_stop) {
	.rows = { { PTRACE_SYSEMU, 0, "entry write pc=svc+4 x0=200" } }, .n = 1,
	.emulated = 1,
};

FIXTURE_VARIANT_ADD(detach, at_the_second_sysemu_stop) {
	.rows = {
		{ PTRACE_SYSEMU, 0, "entry write pc=svc+4 x0=200" },
		{ PTRACE_SYSEMU, 0, "entry write pc=svc+4 x0=200" },
	}, .n = 2,
	.emulated = 2,
};

FIXTURE_VARIANT_ADD(detach, at_a_signal_stop) {
	.rows = {
		{ PTRACE_SYSEMU, 0, "entry write pc=svc+4 x0=200" },
		{ PTRACE_SYSEMU, SIGUSR1, "signal SIGUSR1 SI_KERNEL pc=svc+4 x0=200" },
	}, .n = 2,
	.emulated = 1,
};

FIXTURE_SETUP(detach)
{
}

FIXTURE_TEARDOWN(detach)
{
}

TEST_F(detach, ends_sysemu_for_all_calls_that_follow)
{
	struct svc_script *sc;
	struct tracee t;

	PINS("E04");
	sc = writes();
	t = tracee_start(svc_script_run, sc, SYSGOOD);
	if (!tracee_expect(&t, variant->rows, variant->n, NULL))
		case_end();
	tracee_detach(&t, 0);
	tracee_to(&t, WAIT_ONLY, 0, "exited 0");
	check_eq("bytes that three write() wrote", 3 - variant->emulated, effect_count());
	for (unsigned int i = 0; i < 3; i++)
		check_frame(&sc->f[i], i < variant->emulated ? EFFECT_FD : 1);
}

/* Seized while it sleeps in a call that runs, and left alone: nothing is emulated. */
TEST(task_traced_again_after_a_detach_is_not_emulated)
{
	struct svc_script *sc;
	struct tracee t;
	char byte;

	PINS("E04");
	sc = writes();
	svc_fill(&sc->f[1], __NR_read, 3, U64(EFFECT_READ_FD), U64(&byte), U64(1));
	tracee_first(&t, sc, SYSGOOD, PTRACE_SYSEMU, "entry write pc=svc+4 x0=200");
	tracee_detach(&t, 0);
	tracee_wait_blocked(&t);
	tracee_seize(&t, SYSGOOD);
	check_eq("write() of the case", 1, U64(svc_call(__NR_write, 3, U64(EFFECT_FD), U64("."),
							U64(1))));
	tracee_to(&t, WAIT_ONLY, 0, "exited 0");
	check_frame(&sc->f[1], 1);
	check_frame(&sc->f[2], 1);
}

/* What dies with its tracer is of no use here. */
static void tracer_that_dies(void *script)
{
	struct svc_script *sc = script;
	struct tracee t;

	tracee_first(&t, sc, SYSGOOD, PTRACE_SYSCALL, "entry prctl");
	tracee_to(&t, PTRACE_SYSCALL, 0, "exit prctl pc=svc+4 x0=0");
	tracee_to(&t, PTRACE_SYSEMU, 0, "entry write pc=svc+4 x0=200");
	if (tracee_request(&t, PTRACE_SETOPTIONS, 0, (void *)SYSGOOD))
		_exit(1);
	sc->f[7].x[0] = U64(t.pid);
	_exit(0);
}

TEST(tracers_death_ends_sysemu)
{
	struct svc_script *sc;
	struct tracee t = { .running = true };
	char end[64];

	PINS("E04");
	sc = writes();
	svc_fill(&sc->f[0], __NR_prctl, 5, U64(PR_SET_PDEATHSIG), U64(0), U64(0), U64(0), U64(0));
	prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
	child_run(tracer_that_dies, sc, end, sizeof(end));
	if (!check_str("the tracer", "exited 0", end))
		case_end();
	t.pid = (pid_t)sc->f[7].x[0];
	tracee_to(&t, WAIT_ONLY, 0, "exited 0");
	check_eq("bytes that two write() wrote, the first emulated", 1, effect_count());
	check_frame(&sc->f[1], EFFECT_FD);
	check_frame(&sc->f[2], 1);
}

/* A child ends at once, or by a signal if its calls do nothing. Exit signal 0: no SIGCHLD. */
static void parent_and_child(void *script)
{
	struct svc_script *sc = script;
	struct svc_frame f = sc->f[0];

	svc_run(&f);
	if (!f.x_out[0]) {
		svc_run(&sc->f[3]);
		svc_call(__NR_exit_group, 1, U64(CHILD_EXIT));
		__builtin_trap();
	}
	svc_run(&sc->f[1]);
	svc_run(&sc->f[2]);
}

FIXTURE(child) {
};

FIXTURE_VARIANT(child) {
	const char *entry, *event;
	__u64 nr, flags;
	struct clone_args clone3;
};

FIXTURE_VARIANT_ADD(child, of_fork) {
	.nr = __NR_clone, .entry = "entry clone", .event = "event clone",
};

FIXTURE_VARIANT_ADD(child, of_vfork) {
	.nr = __NR_clone, .flags = CLONE_VFORK, .entry = "entry clone", .event = "event vfork",
};

FIXTURE_VARIANT_ADD(child, of_clone3) {
	.nr = __NR_clone3, .entry = "entry clone3", .event = "event clone",
};

FIXTURE_SETUP(child)
{
}

FIXTURE_TEARDOWN(child)
{
}

/* Return: where the parent's wait4() puts the child's status. */
static int *make_family(struct svc_script **script, __u64 nr, __u64 flags,
			const struct clone_args *clone3)
{
	struct svc_script *sc = svc_script_new(4);
	int *status = shared_alloc(sizeof(*status));

	effect_pipe();
	svc_fill(&sc->f[0], nr, 5, flags, U64(0), U64(0), U64(0), U64(0));
	if (nr == __NR_clone3)
		svc_fill(&sc->f[0], nr, 2, U64(clone3), U64(CLONE_ARGS_SIZE_VER0));
	svc_fill(&sc->f[1], __NR_getppid, 0);
	svc_fill(&sc->f[2], __NR_wait4, 4, U64(-1), U64(status), U64(__WALL), U64(0));
	effect_call(&sc->f[3]);
	*script = sc;
	return status;
}

TEST_F(child, nobody_traces_runs_its_calls_while_its_parent_is_emulated)
{
	const struct stop_row rows[] = {
		{ PTRACE_SYSCALL, 0, variant->entry },
		{ PTRACE_SYSEMU, 0, "entry getppid pc=svc+4 x0=pattern0" },
		{ PTRACE_SYSCALL, 0, "exit getppid pc=svc+4 x0=pattern0" },
		{ PTRACE_SYSCALL, 0, "entry wait4 pc=svc+4" },
		{ PTRACE_SYSCALL, 0, "exit wait4 pc=svc+4 x0=pid" },
	};
	struct svc_script *sc;
	struct tracee t;
	int *status;

	PINS("E04");
	status = make_family(&sc, variant->nr, variant->flags, &variant->clone3);
	t = tracee_start(parent_and_child, sc, SYSGOOD);
	if (!tracee_expect(&t, rows, ARRAY_SIZE(rows), NULL))
		case_end();
	check_status("the end of the child", CHILD_EXIT << 8, *status);
	check_eq("bytes that the child's write() wrote", 1, effect_count());
	tracee_end(&t);
}

TEST_F(child, attached_to_at_its_birth_runs_its_calls_while_its_parent_is_emulated)
{
	struct svc_script *sc;
	struct tracee t, child;
	struct stop s;

	PINS("E04");
	make_family(&sc, variant->nr, variant->flags, &variant->clone3);
	t = tracee_start(parent_and_child, sc, SYSGOOD | EVENTS);
	tracee_to(&t, PTRACE_SYSCALL, 0, variant->entry);
	s = tracee_to(&t, PTRACE_SYSEMU, 0, variant->event);
	child = tracee_adopt(&t, (pid_t)s.msg);
	tracee_to(&child, WAIT_ONLY, 0, "signal SIGSTOP");
	tracee_resume(&t, PTRACE_SYSEMU, 0);
	tracee_to(&child, PTRACE_SYSCALL, 0, "entry write pc=svc+4 x0=200");
	tracee_to(&child, PTRACE_SYSCALL, 0, "exit write pc=svc+4 x0=1");
	tracee_to(&child, PTRACE_CONT, 0, "exited 5");
	check_eq("bytes that the child's write() wrote", 1, effect_count());
	tracee_to(&t, WAIT_ONLY, 0, "entry getppid pc=svc+4 x0=pattern0");
	tracee_end(&t);
}
