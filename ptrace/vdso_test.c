// SPDX-License-Identifier: GPL-2.0
/*
 * Functions of the vDSO that need no system call: no stop under PTRACE_SYSCALL and
 * PTRACE_SYSEMU, no filter and no strict mode in their way, and they work where
 * each of their instructions is stepped (P29). lib/vdso/gettimeofday.c decides when a
 * call is needed; the kernel must have nothing to say otherwise.
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
#define STEP_LIMIT	5000

/* @counter: it reads a hardware counter, where the clock source is one that it can read. */
struct function {
	const char *name;
	__u64 nr;
	__u64 args[2];
	bool counter;
};

FIXTURE(function) {
};

FIXTURE_VARIANT(function) {
	struct function f;
};

#define CLOCK(id, counter) \
	{ "__kernel_clock_gettime", __NR_clock_gettime, { id, OUT }, counter }

FIXTURE_VARIANT_ADD(function, clock_realtime) {
	.f = CLOCK(CLOCK_REALTIME, true),
};

FIXTURE_VARIANT_ADD(function, clock_monotonic) {
	.f = CLOCK(CLOCK_MONOTONIC, true),
};

FIXTURE_VARIANT_ADD(function, clock_monotonic_raw) {
	.f = CLOCK(CLOCK_MONOTONIC_RAW, true),
};

FIXTURE_VARIANT_ADD(function, clock_boottime) {
	.f = CLOCK(CLOCK_BOOTTIME, true),
};

FIXTURE_VARIANT_ADD(function, clock_tai) {
	.f = CLOCK(CLOCK_TAI, true),
};

FIXTURE_VARIANT_ADD(function, clock_realtime_coarse) {
	.f = CLOCK(CLOCK_REALTIME_COARSE, false),
};

FIXTURE_VARIANT_ADD(function, clock_monotonic_coarse) {
	.f = CLOCK(CLOCK_MONOTONIC_COARSE, false),
};

FIXTURE_VARIANT_ADD(function, gettimeofday) {
	.f = { "__kernel_gettimeofday", __NR_gettimeofday, { OUT, 0 }, true },
};

FIXTURE_VARIANT_ADD(function, gettimeofday_timezone) {
	.f = { "__kernel_gettimeofday", __NR_gettimeofday, { 0, OUT }, false },
};

FIXTURE_VARIANT_ADD(function, clock_getres_monotonic) {
	.f = { "__kernel_clock_getres", __NR_clock_getres, { CLOCK_MONOTONIC, OUT }, false },
};

FIXTURE_VARIANT_ADD(function, clock_getres_coarse) {
	.f = { "__kernel_clock_getres", __NR_clock_getres, { CLOCK_REALTIME_COARSE, OUT }, false },
};

FIXTURE_SETUP(function)
{
}

FIXTURE_TEARDOWN(function)
{
}

static struct vdso_call *call_of(const struct function *v)
{
	struct vdso_call *c = shared_alloc(sizeof(*c));

	c->function = vdso_function(v->name);
	for (unsigned int i = 0; i < 2; i++)
		c->args[i] = v->args[i] == OUT ? U64(c->out) : v->args[i];
	return c;
}

/* The same by the system call, in nanoseconds or microseconds. */
static void call_kernel(const struct function *v, __u64 out[2])
{
	__u64 args[2];

	for (unsigned int i = 0; i < 2; i++)
		args[i] = v->args[i] == OUT ? U64(out) : v->args[i];
	if (svc_call(v->nr, 2, args[0], args[1]))
		case_die("the system call failed");
}

static bool not_after(const __u64 a[2], const __u64 b[2])
{
	return a[0] < b[0] || (a[0] == b[0] && a[1] <= b[1]);
}

/* In the child: what needs a call gets an error that no clock gives. */
static __u64 filtered_nr;

static void filtered_run(void *call)
{
	filter_answer((unsigned int)filtered_nr, SECCOMP_RET_ERRNO | E2BIG);
	vdso_call_run(call);
}

static void run_filtered(const struct function *v, struct vdso_call *c)
{
	char source[64] = "unknown\n", end[64];
	FILE *f;

	need_filters();
	filtered_nr = v->nr;
	child_run(filtered_run, c, end, sizeof(end));
	if (!check_str("the child", "exited 0", end))
		case_end();
	if (!v->counter || c->result != -E2BIG)
		return;
	f = fopen("/sys/devices/system/clocksource/clocksource0/current_clocksource", "r");
	if (f && !fgets(source, sizeof(source), f))
		source[0] = '\0';
	if (f)
		fclose(f);
	source[strcspn(source, "\n")] = '\0';
	case_skip("the vDSO reads no counter: needs a clock source for user space, not %s", source);
}

TEST_F(function, is_beyond_the_reach_of_a_filter)
{
	struct vdso_call *c;

	PINS("P29");
	c = call_of(&variant->f);
	run_filtered(&variant->f, c);
	check_eq("the function's result, with a filter on its call", 0, U64(c->result));
}

/* Once more if a clock was set meanwhile. */
static bool between(const struct function *v, struct vdso_call *c, long request)
{
	__u64 before[2] = { 0 }, after[2] = { 0 };
	struct tracee t;

	memset(c->out, 0, sizeof(c->out));
	c->result = -1;
	call_kernel(v, before);
	t = tracee_start(vdso_call_run, c, SYSGOOD);
	tracee_to(&t, request, 0, "entry exit_group");
	call_kernel(v, after);
	tracee_end(&t);
	return not_after(before, c->out) && not_after(c->out, after);
}

static void check_no_stop(const struct function *v, long request)
{
	struct vdso_call *c = call_of(v);
	bool right = false;

	if (v->counter)
		run_filtered(v, c);
	for (unsigned int i = 0; i < 3 && !right; i++)
		right = between(v, c, request);
	check_eq("the function's result", 0, U64(c->result));
	check_true("its time is between those that a system call says before and after it", right);
}

TEST_F(function, makes_no_stop_under_syscall)
{
	PINS("P29");
	check_no_stop(&variant->f, PTRACE_SYSCALL);
}

TEST_F(function, makes_no_stop_under_sysemu)
{
	PINS("P29");
	check_no_stop(&variant->f, PTRACE_SYSEMU);
}

/* getuid, the function, getppid: calls to find it between. */
static void between_calls(void *call)
{
	svc_call(__NR_getuid, 0);
	vdso_call_run(call);
	svc_call(__NR_getppid, 0);
}

/* Return: the stop at the function's first instruction, or a later one of the vDSO. */
static struct stop step_into(struct tracee *t)
{
	struct stop s = { 0 };

	tracee_to(t, PTRACE_SYSCALL, 0, "entry getuid");
	tracee_to(t, PTRACE_SYSCALL, 0, "exit getuid");
	t->quiet = true;
	for (unsigned int i = 0; i < STEP_LIMIT && !in_vdso(s.regs.pc); i++)
		s = tracee_to(t, PTRACE_SINGLESTEP, 0, "step");
	if (!check_true("the task steps into the vDSO", in_vdso(s.regs.pc)))
		case_end();
	return s;
}

/* Its data may change under a reader, who tries again: not a thing to step through. */
TEST_F(function, goes_on_after_some_of_its_instructions_were_stepped)
{
	struct vdso_call *c;
	struct tracee t;

	PINS("P29");
	c = call_of(&variant->f);
	c->result = -1;
	if (variant->f.counter)
		run_filtered(&variant->f, c);
	t = tracee_start(between_calls, c, SYSGOOD);
	step_into(&t);
	for (unsigned int i = 0; i < 3; i++)
		tracee_to(&t, PTRACE_SINGLESTEP, 0, "step");
	t.quiet = false;
	tracee_to(&t, PTRACE_SYSCALL, 0, "entry getppid pc=svc+4");
	tracee_end(&t);
	check_eq("the function's result", 0, U64(c->result));
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
	t = tracee_start(between_calls, c, SYSGOOD);
	s = step_into(&t);
	check_eq("PC at the first stop in the vDSO", c->function, s.regs.pc);
	for (; inside < STEP_LIMIT && in_vdso(s.regs.pc); inside++)
		s = tracee_to(&t, PTRACE_SINGLESTEP, 0, "step");
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
