// SPDX-License-Identifier: GPL-2.0
/*
 * Functions of the vDSO that need no system call: no stop under PTRACE_SYSCALL and
 * PTRACE_SYSEMU, no filter and no strict mode in their way, and they work where
 * their instructions are stepped (P29). lib/vdso/gettimeofday.c decides when a call is
 * needed; the kernel must have nothing to say otherwise.
 */
#include <asm/unistd.h>
#include <errno.h>
#include <linux/seccomp.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "case.h"
#include "filter.h"
#include "vdso.h"

#define SYSGOOD		PTRACE_O_TRACESYSGOOD
#define OUT		(~0ull - 1)	/* in the place of an argument: struct vdso_call's out */
#define STEP_LIMIT	500
#define MAX_FUNCTIONS	6

struct function {
	const char *what, *name;
	__u64 nr, args[2];
};

#define CLOCK(id)	{ #id, "__kernel_clock_gettime", __NR_clock_gettime, { id, OUT } }
#define GETRES(id)	{ "the resolution of " #id, "__kernel_clock_getres", \
			  __NR_clock_getres, { id, OUT } }

FIXTURE(functions) {
};

/* @counter: they read a hardware counter, where the clock source is one that they can read. */
FIXTURE_VARIANT(functions) {
	bool counter;
	struct function f[MAX_FUNCTIONS];
};

FIXTURE_VARIANT_ADD(functions, of_data) {
	.f = {
		CLOCK(CLOCK_REALTIME_COARSE),
		CLOCK(CLOCK_MONOTONIC_COARSE),
		GETRES(CLOCK_MONOTONIC),
		GETRES(CLOCK_MONOTONIC_RAW),
		GETRES(CLOCK_REALTIME_COARSE),
		{ "the time zone", "__kernel_gettimeofday", __NR_gettimeofday, { 0, OUT } },
	},
};

FIXTURE_VARIANT_ADD(functions, of_a_counter) {
	.counter = true,
	.f = {
		CLOCK(CLOCK_REALTIME),
		CLOCK(CLOCK_MONOTONIC),
		CLOCK(CLOCK_MONOTONIC_RAW),
		CLOCK(CLOCK_BOOTTIME),
		CLOCK(CLOCK_TAI),
		{ "gettimeofday", "__kernel_gettimeofday", __NR_gettimeofday, { OUT, 0 } },
	},
};

FIXTURE_SETUP(functions)
{
}

FIXTURE_TEARDOWN(functions)
{
}

static struct vdso_call *calls_of(const struct function *f)
{
	struct vdso_call *c = shared_alloc(MAX_FUNCTIONS * sizeof(*c));

	for (unsigned int n = 0; n < MAX_FUNCTIONS; n++) {
		c[n].function = vdso_function(f[n].name);
		c[n].result = -1;
		for (unsigned int i = 0; i < 2; i++)
			c[n].args[i] = f[n].args[i] == OUT ? U64(c[n].out) : f[n].args[i];
	}
	return c;
}

static void run_all(void *calls)
{
	struct vdso_call *c = calls;

	for (unsigned int n = 0; n < MAX_FUNCTIONS; n++)
		vdso_call_run(&c[n]);
}

/* What needs a call gets an error that no clock gives. */
static void run_all_filtered(void *calls)
{
	filter_answer(__NR_clock_gettime, SECCOMP_RET_ERRNO | E2BIG);
	filter_answer(__NR_clock_getres, SECCOMP_RET_ERRNO | E2BIG);
	filter_answer(__NR_gettimeofday, SECCOMP_RET_ERRNO | E2BIG);
	run_all(calls);
}

static void check_results(const struct function *f, const struct vdso_call *c)
{
	char what[96];

	for (unsigned int n = 0; n < MAX_FUNCTIONS; n++) {
		snprintf(what, sizeof(what), "result of %s for %s", f[n].name, f[n].what);
		check_eq(what, 0, U64(c[n].result));
	}
}

/* Functions that read a counter need a call, all of them, where user space cannot. */
static void need_counter(const struct function *f)
{
	struct vdso_call *c = calls_of(f);
	char source[64] = "unknown\n", end[64];
	FILE *file;

	child_run(run_all_filtered, c, end, sizeof(end));
	for (unsigned int n = 0; n < MAX_FUNCTIONS; n++)
		if (c[n].result != -E2BIG)
			return;
	file = fopen("/sys/devices/system/clocksource/clocksource0/current_clocksource", "r");
	if (file && !fgets(source, sizeof(source), file))
		source[0] = '\0';
	if (file)
		fclose(file);
	source[strcspn(source, "\n")] = '\0';
	case_skip("the vDSO reads no counter: needs a clock source for user space, not %s", source);
}

TEST_F(functions, are_beyond_the_reach_of_a_filter)
{
	struct vdso_call *c;
	char end[64];

	PINS("P29");
	need_filters();
	c = calls_of(variant->f);
	if (variant->counter)
		need_counter(variant->f);
	child_run(run_all_filtered, c, end, sizeof(end));
	check_str("the child", "exited 0", end);
	check_results(variant->f, c);
}

/* The same by the system call: seconds, and nanoseconds or microseconds. */
static void ask_kernel(const struct function *f, __u64 (*out)[2])
{
	__u64 args[2];

	for (unsigned int n = 0; n < MAX_FUNCTIONS; n++) {
		for (unsigned int i = 0; i < 2; i++)
			args[i] = f[n].args[i] == OUT ? U64(out[n]) : f[n].args[i];
		if (svc_call(f[n].nr, 2, args[0], args[1]))
			case_die("the system call failed for %s", f[n].what);
	}
}

static bool not_after(const __u64 a[2], const __u64 b[2])
{
	return a[0] < b[0] || (a[0] == b[0] && a[1] <= b[1]);
}

/* Return: the first function whose time is not between, or MAX_FUNCTIONS. */
static unsigned int run_between(const struct function *f, struct vdso_call *c, long request)
{
	__u64 before[MAX_FUNCTIONS][2] = { 0 }, after[MAX_FUNCTIONS][2] = { 0 };
	struct tracee t;
	unsigned int n;

	ask_kernel(f, before);
	t = tracee_start(run_all, c, SYSGOOD);
	tracee_to(&t, request, 0, "entry exit_group");
	ask_kernel(f, after);
	tracee_end(&t);
	for (n = 0; n < MAX_FUNCTIONS; n++)
		if (!not_after(before[n], c[n].out) || !not_after(c[n].out, after[n]))
			break;
	return n;
}

/* Up to three times, since a clock may be set meanwhile. */
static void check_no_stop(const struct function *f, bool counter, long request)
{
	struct vdso_call *c = calls_of(f);
	unsigned int wrong = 0;

	if (counter)
		need_counter(f);
	for (unsigned int i = 0; i < 3 && wrong < MAX_FUNCTIONS; i++)
		wrong = run_between(f, c, request);
	check_results(f, c);
	check_str("whose time is not between those of the system call before and after it",
		  "none", wrong < MAX_FUNCTIONS ? f[wrong].what : "none");
}

TEST_F(functions, make_no_stop_under_syscall)
{
	PINS("P29");
	check_no_stop(variant->f, variant->counter, PTRACE_SYSCALL);
}

TEST_F(functions, make_no_stop_under_sysemu)
{
	PINS("P29");
	check_no_stop(variant->f, variant->counter, PTRACE_SYSEMU);
}

/* Their data may change under a reader, who tries again: not a thing to step through. */
TEST_F(functions, go_on_after_some_of_their_instructions_were_stepped)
{
	struct vdso_call *c;
	struct tracee t;

	PINS("P29");
	c = calls_of(variant->f);
	if (variant->counter)
		need_counter(variant->f);
	for (unsigned int n = 0; n < MAX_FUNCTIONS; n += MAX_FUNCTIONS - 1) {
		t = vdso_call_start(&c[n], SYSGOOD);
		t.quiet = true;
		for (unsigned int i = 0; i < 4; i++)
			tracee_to(&t, PTRACE_SINGLESTEP, 0, "step");
		t.quiet = false;
		tracee_to(&t, PTRACE_SYSCALL, 0, "entry exit_group");
		tracee_end(&t);
		check_eq("the function's result", 0, U64(c[n].result));
	}
}

TEST(function_stepped_from_first_to_last_instruction_makes_steps_only)
{
	struct vdso_call *c = shared_alloc(sizeof(*c));
	unsigned int inside = 0;
	__u64 resolution[2];
	struct tracee t;
	struct stop s;

	PINS("P29");
	c->function = vdso_function("__kernel_clock_getres");
	c->args[0] = CLOCK_MONOTONIC;
	c->args[1] = U64(c->out);
	c->result = -1;
	check_eq("clock_getres", 0,
		 U64(svc_call(__NR_clock_getres, 2, U64(CLOCK_MONOTONIC), U64(resolution))));
	t = vdso_call_start(c, SYSGOOD);
	t.quiet = true;
	do {
		s = tracee_to(&t, PTRACE_SINGLESTEP, 0, "step");
	} while (in_vdso(s.regs.pc) && ++inside < STEP_LIMIT);
	t.quiet = false;
	check_true("it takes more than two steps", inside > 2);
	tracee_to(&t, PTRACE_CONT, 0, "exited 0");
	check_eq("the function's result", 0, U64(c->result));
	check_mem("the resolution", resolution, c->out, sizeof(resolution));
}

/* Only exit can end a task in strict mode. */
static void strict_run(void *call)
{
	svc_call(__NR_prctl, 5, U64(PR_SET_SECCOMP), U64(SECCOMP_MODE_STRICT), U64(0), U64(0),
		 U64(0));
	vdso_call_run(call);
	svc_call(__NR_exit, 1, U64(0));
}

TEST(function_works_in_strict_mode)
{
	struct vdso_call *c = shared_alloc(sizeof(*c));
	char end[64];

	PINS("P29");
	need_filters();
	c->function = vdso_function("__kernel_clock_gettime");
	c->args[0] = CLOCK_MONOTONIC_COARSE;
	c->args[1] = U64(c->out);
	c->result = -1;
	child_run(strict_run, c, end, sizeof(end));
	check_str("a child in strict mode that reads a clock", "exited 0", end);
	check_eq("the function's result", 0, U64(c->result));
}
