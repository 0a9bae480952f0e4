// SPDX-License-Identifier: GPL-2.0
/*
 * Number -1: written by a tracer it skips the call, and x0 is the result as the
 * tracer left it (P11); asked for by the task itself it is -ENOSYS, unless a
 * tracer writes another result (P12). arch/arm64/kernel/syscall.c
 * el0_svc_common() decides: it sets x0 before anyone looks at the call, as it
 * cannot tell the two apart afterwards.
 */
#include <asm/unistd.h>
#include <errno.h>

#include "case.h"
#include "caught.h"
#include "effect.h"
#include "filter.h"
#include "way.h"

FIXTURE(skip) {
};

FIXTURE_VARIANT(skip) {
	const struct way *way;
};

FIXTURE_VARIANT_ADD(skip, at_entry) {
	.way = &way_entry,
};

FIXTURE_VARIANT_ADD(skip, at_seccomp_stop) {
	.way = &way_seccomp,
};

FIXTURE_SETUP(skip)
{
	effect_pipe();
}

FIXTURE_TEARDOWN(skip)
{
}

/* A script of @n writes that can be counted. */
static struct svc_script *writes(unsigned int n)
{
	struct svc_script *sc = svc_script_new(n);

	for (unsigned int i = 0; i < n; i++)
		effect_call(&sc->f[i]);
	return sc;
}

static void set_x0(struct tracee *t, struct stop *s, __u64 x0)
{
	s->regs.regs[0] = x0;
	tracee_set_regs(t, &s->regs);
}

/* Skip one write for each result, and see that the task gets it. */
static void skip_with_results(const struct way *w, const __u64 *results, unsigned int n)
{
	struct svc_script *sc = writes(n);
	struct tracee t = way_start(w, sc);
	struct stop s;
	char exit[64];

	for (unsigned int i = 0; i < n; i++) {
		s = way_to(w, &t, "write pc=svc+4 x0=200");
		tracee_set_nr(&t, -1);
		set_x0(&t, &s, results[i]);
		snprintf(exit, sizeof(exit), "exit -1 pc=svc+4 x0=%s", value_name(results[i]));
		tracee_to(&t, PTRACE_SYSCALL, 0, exit);
	}
	tracee_to(&t, PTRACE_SYSCALL, 0, w->thread ? "entry exit" : "entry exit_group");
	way_end(&t);
	for (unsigned int i = 0; i < n; i++)
		check_frame(&sc->f[i], results[i]);
	check_eq("bytes that the skipped calls wrote", 0, effect_count());
}

TEST_F(skip, result_written_is_returned_whatever_its_sign)
{
	static const __u64 results[] = {
		0, 4711, 0x7fffffff, 0x80000000, 0xffffffff, 0x7fffffffffffffff, 1ull << 63, ~0ull,
	};

	PINS("P11");
	skip_with_results(variant->way, results, ARRAY_SIZE(results));
}

TEST_F(skip, error_or_restart_code_written_is_returned)
{
	static const __u64 results[] = {
		(__u64)-ENOSYS, (__u64)-EINTR, (__u64)-4095, (__u64)-4096,
		(__u64)-512, (__u64)-513, (__u64)-514, (__u64)-516,
	};

	PINS("P11");
	skip_with_results(variant->way, results, ARRAY_SIZE(results));
}

TEST(result_written_in_a_thread_is_returned)
{
	static const __u64 results[] = { 4711, ~0ull, (__u64)-512 };

	PINS("P11 P25");
	effect_pipe();
	skip_with_results(&way_thread, results, ARRAY_SIZE(results));
}

TEST_F(skip, x0_not_written_stays_argument_0)
{
	struct svc_script *sc;
	struct tracee t;
	struct stop s;

	PINS("P11");
	sc = writes(3);
	way_first(variant->way, &t, sc, "write pc=svc+4 x0=200");
	tracee_set_nr(&t, -1);
	tracee_to(&t, PTRACE_SYSCALL, 0, "exit -1 pc=svc+4 x0=200");
	/* Registers written as they were read, or other ones, do not write x0. */
	s = way_to(variant->way, &t, "write pc=svc+4 x0=200");
	tracee_set_nr(&t, -1);
	s.regs.regs[9] = 9;
	tracee_set_regs(&t, &s.regs);
	tracee_to(&t, PTRACE_SYSCALL, 0, "exit -1 pc=svc+4 x0=200");
	way_to(variant->way, &t, "write");
	way_end(&t);
	check_frame(&sc->f[0], EFFECT_FD);
	sc->f[1].x[9] = 9;
	check_frame(&sc->f[1], EFFECT_FD);
	check_eq("bytes that the skipped calls wrote", 0, effect_count());
}

TEST_F(skip, x0_written_before_the_number_is_the_result_too)
{
	struct svc_script *sc;
	struct tracee t;
	struct stop s;

	PINS("P11");
	sc = writes(2);
	s = way_first(variant->way, &t, sc, "write pc=svc+4 x0=200");
	set_x0(&t, &s, 4711);
	tracee_set_nr(&t, -1);
	tracee_to(&t, PTRACE_SYSCALL, 0, "exit -1 pc=svc+4 x0=4711");
	way_to(variant->way, &t, "write");
	way_end(&t);
	check_frame(&sc->f[0], 4711);
	check_eq("bytes that the skipped call wrote", 0, effect_count());
}

TEST_F(skip, x0_written_at_the_exit_stop_wins)
{
	struct svc_script *sc;
	struct tracee t;
	struct stop s;

	PINS("P11 P15");
	sc = writes(2);
	s = way_first(variant->way, &t, sc, "write pc=svc+4 x0=200");
	tracee_set_nr(&t, -1);
	set_x0(&t, &s, 4711);
	s = tracee_to(&t, PTRACE_SYSCALL, 0, "exit -1 pc=svc+4 x0=4711");
	set_x0(&t, &s, 4712);
	way_to(variant->way, &t, "write");
	way_end(&t);
	check_frame(&sc->f[0], 4712);
}

TEST_F(skip, of_exit_group_lets_the_task_go_on)
{
	struct svc_script *sc;
	struct tracee t;

	PINS("P11");
	sc = svc_script_new(3);
	svc_fill(&sc->f[0], __NR_exit_group, 1, U64(9));
	svc_fill(&sc->f[1], __NR_exit_group, 1, U64(10));
	way_first(variant->way, &t, sc, "exit_group pc=svc+4 x0=9");
	tracee_set_nr(&t, -1);
	tracee_to(&t, PTRACE_SYSCALL, 0, "exit -1 pc=svc+4 x0=9");
	way_to(variant->way, &t, "exit_group pc=svc+4 x0=10");
	tracee_set_nr(&t, -1);
	tracee_to(&t, PTRACE_SYSCALL, 0, "exit -1 pc=svc+4 x0=10");
	tracee_to(&t, PTRACE_SYSCALL, 0, "entry getuid");
	way_end(&t);
	check_frame(&sc->f[0], 9);
	check_frame(&sc->f[1], 10);
}

/* The signal comes with the stop, so it is pending when the skipped call returns. */
TEST(restart_code_written_is_returned_with_a_signal_pending)
{
	static const __u64 results[] = {
		(__u64)-512, (__u64)-513, (__u64)-514, (__u64)-516,
	};
	struct svc_script *sc;
	struct tracee t;
	struct stop s;
	char exit[64];

	PINS("P11");
	effect_pipe();
	catch_signal(SIGUSR1, 0, NULL);
	sc = writes(ARRAY_SIZE(results));
	t = tracee_start(svc_script_run, sc, PTRACE_O_TRACESYSGOOD);
	for (unsigned int i = 0; i < sc->n; i++) {
		const char *name = value_name(results[i]);

		s = tracee_to(&t, PTRACE_SYSCALL, 0, "entry write");
		tracee_set_nr(&t, -1);
		set_x0(&t, &s, results[i]);
		snprintf(exit, sizeof(exit), "exit -1 pc=svc+4 x0=%s", name);
		tracee_to(&t, PTRACE_SYSCALL, SIGUSR1, exit);
		snprintf(exit, sizeof(exit), "signal SIGUSR1 SI_KERNEL pc=svc+4 x0=%s", name);
		tracee_to(&t, PTRACE_SYSCALL, 0, exit);
		tracee_to(&t, PTRACE_SYSCALL, SIGUSR1, "entry rt_sigreturn");
		snprintf(exit, sizeof(exit), "exit -1 pc=svc+4 x0=%s", name);
		tracee_to(&t, PTRACE_SYSCALL, 0, exit);
	}
	tracee_to(&t, PTRACE_SYSCALL, 0, "entry exit_group");
	tracee_end(&t);
	for (unsigned int i = 0; i < sc->n; i++)
		check_frame(&sc->f[i], results[i]);
	check_eq("bytes that the skipped calls wrote", 0, effect_count());
}

FIXTURE(own_minus_1) {
};

/* Who looks at syscall(-1). */
FIXTURE_VARIANT(own_minus_1) {
	bool traced;
	bool filtered;
};

FIXTURE_VARIANT_ADD(own_minus_1, untraced) {
	.traced = false,
};

FIXTURE_VARIANT_ADD(own_minus_1, traced) {
	.traced = true,
};

FIXTURE_VARIANT_ADD(own_minus_1, allowed_by_a_filter) {
	.filtered = true,
};

FIXTURE_VARIANT_ADD(own_minus_1, traced_and_allowed_by_a_filter) {
	.traced = true, .filtered = true,
};

FIXTURE_SETUP(own_minus_1)
{
	if (variant->filtered)
		filter_answer(__NR_sync, SECCOMP_RET_ERRNO | EPERM);
}

FIXTURE_TEARDOWN(own_minus_1)
{
}

TEST_F(own_minus_1, is_enosys)
{
	static const __u64 x8[] = {
		~0ull, 0xffffffff, 0xdeadbeefffffffff, 1ull << 63 | 0xffffffff,
	};
	static const __u64 arg0[] = { 0, 1, ~0ull, (__u64)-512 };
	struct svc_script *sc;
	struct tracee t;
	char text[64];

	PINS("P12 P14");
	sc = svc_script_new(ARRAY_SIZE(x8));
	for (unsigned int i = 0; i < sc->n; i++)
		svc_fill(&sc->f[i], x8[i], 1, arg0[i]);
	if (variant->traced) {
		t = tracee_start(svc_script_run, sc, PTRACE_O_TRACESYSGOOD);
		for (unsigned int i = 0; i < sc->n; i++) {
			tracee_to(&t, PTRACE_SYSCALL, 0, "entry -1 pc=svc+4 x0=-ENOSYS");
			tracee_to(&t, PTRACE_SYSCALL, 0, "exit -1 pc=svc+4 x0=-ENOSYS");
		}
		tracee_to(&t, PTRACE_SYSCALL, 0, "entry exit_group");
		tracee_end(&t);
	} else {
		child_run(svc_script_run, sc, text, sizeof(text));
		check_str("the task", "exited 0", text);
	}
	for (unsigned int i = 0; i < sc->n; i++)
		check_frame(&sc->f[i], U64(-ENOSYS));
}

TEST_F(skip, x0_written_at_the_tasks_own_minus_1_is_returned)
{
	static const __u64 results[] = { 0, 4711, (__u64)-EPERM, (__u64)-512, 1ull << 63 };
	struct svc_script *sc;
	struct tracee t;
	struct stop s;
	char exit[64];

	PINS("P12");
	sc = svc_script_new(ARRAY_SIZE(results));
	for (unsigned int i = 0; i < sc->n; i++)
		sc->f[i].x[8] = ~0ull;
	t = way_start(variant->way, sc);
	for (unsigned int i = 0; i < sc->n; i++) {
		s = way_to(variant->way, &t, "-1 pc=svc+4 x0=-ENOSYS");
		set_x0(&t, &s, results[i]);
		/* Written once more, the number is what it was. */
		if (i & 1)
			tracee_set_nr(&t, -1);
		snprintf(exit, sizeof(exit), "exit -1 pc=svc+4 x0=%s", value_name(results[i]));
		tracee_to(&t, PTRACE_SYSCALL, 0, exit);
	}
	tracee_to(&t, PTRACE_SYSCALL, 0, "entry exit_group");
	way_end(&t);
	for (unsigned int i = 0; i < sc->n; i++)
		check_frame(&sc->f[i], results[i]);
}

/* -2 is a number out of range, no skip: what was written is no result. */
TEST(minus_1_made_minus_2_by_the_tracer_is_enosys)
{
	struct svc_script *sc;
	struct tracee t;
	struct stop s;

	PINS("P12 P13");
	sc = svc_script_new(1);
	sc->f[0].x[8] = ~0ull;
	s = tracee_first(&t, sc, PTRACE_O_TRACESYSGOOD, PTRACE_SYSCALL,
			 "entry -1 pc=svc+4 x0=-ENOSYS");
	set_x0(&t, &s, 4711);
	tracee_set_nr(&t, -2);
	tracee_to(&t, PTRACE_SYSCALL, 0, "exit -2 pc=svc+4 x0=-ENOSYS");
	tracee_to(&t, PTRACE_SYSCALL, 0, "entry exit_group");
	tracee_end(&t);
	check_frame(&sc->f[0], U64(-ENOSYS));
}
