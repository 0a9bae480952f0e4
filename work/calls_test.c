// SPDX-License-Identifier: GPL-2.0
/*
 * Calls with several kinds of work on their way at once: none hides another's stop, event
 * or answer, each call runs as often as it should, and its task gets its result and every
 * other register back (P01, P07, P11-P15, P23, S02, C07). arch/arm64/kernel/syscall.c
 * el0_svc_common() with syscall_trace_enter() and syscall_trace_exit() decide, on the
 * generic path syscall_trace_enter() and syscall_exit_work() of linux/entry-common.h.
 */
#include <asm/unistd.h>
#include <errno.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include "case.h"
#include "effect.h"
#include "task.h"

#define NOT_A_NUMBER	0x7fffffff
#define UPPER_HALF	0xdeadbeef00000000ull	/* of x8, which does not count */
#define PAGE		0x500000000ull		/* free, in 36 bits of address space, too */

FIXTURE(calls) {
};

/* Each kind alone, then together. Audit last: see work.h. */
FIXTURE_VARIANT(calls) {
	unsigned int kinds;
};

FIXTURE_VARIANT_ADD(calls, untraced) {
	.kinds = 0,
};

FIXTURE_VARIANT_ADD(calls, ptrace) {
	.kinds = WORK_PTRACE,
};

FIXTURE_VARIANT_ADD(calls, step) {
	.kinds = WORK_STEP,
};

FIXTURE_VARIANT_ADD(calls, ptrace_step) {
	.kinds = WORK_PTRACE | WORK_STEP,
};

FIXTURE_VARIANT_ADD(calls, seccomp) {
	.kinds = WORK_SECCOMP,
};

FIXTURE_VARIANT_ADD(calls, sud) {
	.kinds = WORK_SUD,
};

FIXTURE_VARIANT_ADD(calls, audit) {
	.kinds = WORK_AUDIT,
};

FIXTURE_VARIANT_ADD(calls, tracepoint) {
	.kinds = WORK_TRACEPOINT,
};

FIXTURE_VARIANT_ADD(calls, seccomp_audit_tracepoint) {
	.kinds = WORK_UNTRACED,
};

FIXTURE_VARIANT_ADD(calls, ptrace_seccomp_audit_tracepoint) {
	.kinds = WORK_PTRACE | WORK_UNTRACED,
};

FIXTURE_VARIANT_ADD(calls, step_seccomp_audit_tracepoint) {
	.kinds = WORK_STEP | WORK_UNTRACED,
};

FIXTURE_VARIANT_ADD(calls, all) {
	.kinds = WORK_PTRACE | WORK_STEP | WORK_UNTRACED | WORK_SUD,
};

FIXTURE_SETUP(calls)
{
}

FIXTURE_TEARDOWN(calls)
{
}

/* A call of each sort. That of WORK_FILTERED_NR is refused where there is a filter. */
static const struct {
	__u64 nr;
	unsigned int nargs;
	__u64 args[6], result;
} sorts[] = {
	{ __NR_umask, 1, { 022 }, 077 },
	{ __NR_dup, 1, { 1000 }, (__u64)-EBADF },
	{ __NR_write, 3, EFFECT_ARGS, 1 },
	{ __NR_mmap, 6, { PAGE, 1, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, ~0ull, 0 },
	  PAGE },
	{ __NR_mmap, 6, { ~0ull, ~0ull, ~0ull, ~0ull, ~0ull, ~0ull }, (__u64)-EINVAL },
	{ ~0ull, 0, { 0 }, (__u64)-ENOSYS },
	{ UPPER_HALF | NOT_A_NUMBER, 0, { 0 }, (__u64)-ENOSYS },
	{ UPPER_HALF | WORK_FILTERED_NR, 1, { 1 }, 99 },
};

TEST_F(calls, return_their_results_with_each_kind_of_work_done)
{
	__u64 results[ARRAY_SIZE(sorts)];
	struct task k;

	PINS("P01 P07 P12 P13 P14 P23 S02 C07");
	effect_pipe();
	umask(077);
	k = task_new(variant->kinds, ARRAY_SIZE(sorts));
	for (unsigned int i = 0; i < ARRAY_SIZE(sorts); i++) {
		const __u64 *a = sorts[i].args;

		svc_fill(&k.script->f[i], sorts[i].nr, sorts[i].nargs, a[0], a[1], a[2], a[3],
			 a[4], a[5]);
		results[i] = sorts[i].result;
	}
	if (variant->kinds & WORK_SECCOMP)
		results[7] = (__u64)-WORK_FILTERED_ERRNO;
	task_start(&k);
	if (!task_is_traced(&k))
		task_go(&k);
	for (unsigned int i = 0; i < ARRAY_SIZE(sorts); i++) {
		task_enter(&k, i);
		task_leave(&k, i, task_request(&k, i), (int)sorts[i].nr, results[i]);
	}
	task_end(&k, results);
	check_eq("bytes that the write() wrote", 1, effect_count());
}

FIXTURE(tracer) {
};

/* What a tracer changes takes an entry stop, so WORK_STEP alone has no part here. */
FIXTURE_VARIANT(tracer) {
	unsigned int kinds;
};

FIXTURE_VARIANT_ADD(tracer, all) {
	.kinds = WORK_PTRACE | WORK_STEP | WORK_UNTRACED | WORK_SUD,
};

FIXTURE_VARIANT_ADD(tracer, all_but_sud) {
	.kinds = WORK_PTRACE | WORK_STEP | WORK_UNTRACED,
};

FIXTURE_VARIANT_ADD(tracer, ptrace_step) {
	.kinds = WORK_PTRACE | WORK_STEP,
};

FIXTURE_SETUP(tracer)
{
}

FIXTURE_TEARDOWN(tracer)
{
}

/*
 * The tracer makes call @i number @nr, and where @args is given the frame has them
 * from now on, in the task, too.
 */
static void rewrite(struct task *k, unsigned int i, int nr, const __u64 *args, unsigned int nargs)
{
	struct stop s = task_enter(k, i);
	struct svc_frame *f = &k->script->f[i];

	tracee_set_nr(&k->t, nr);
	for (unsigned int a = 0; a < nargs; a++) {
		s.regs.regs[a] = args[a];
		/* The task loads its own; what comes out is the tracer's. */
		f->x[a] = args[a];
	}
	if (nargs)
		tracee_set_regs(&k->t, &s.regs);
}

/* Several calls, so that each way out comes up where both alternate. */
TEST_F(tracer, skips_a_call_with_its_own_result_or_none)
{
	const __u64 values[] = { 4242, (__u64)-EACCES, (__u64)-1, svc_pattern(0) };
	__u64 results[4];
	struct task k;

	PINS("P11 P23");
	effect_pipe();
	k = task_new(variant->kinds, ARRAY_SIZE(results));
	for (unsigned int i = 0; i < 3; i++)
		effect_call(&k.script->f[i]);
	task_start(&k);
	for (unsigned int i = 0; i < ARRAY_SIZE(results); i++) {
		results[i] = values[i];
		/* Not the last: its x0 stays argument 0. */
		rewrite(&k, i, -1, &values[i], i < 3);
		task_leave(&k, i, task_request(&k, i), -1, results[i]);
	}
	task_end(&k, results);
	check_eq("bytes that the skipped write()s wrote", 0, effect_count());
}

TEST_F(tracer, rewrites_a_call_and_another_runs_with_its_arguments)
{
	static const __u64 write_args[] = EFFECT_ARGS;
	static const __u64 map_args[] = {
		PAGE, 1, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, ~0ull, 0
	};
	const bool filtered = variant->kinds & WORK_SECCOMP;
	const __u64 results[] = {
		1, PAGE, (__u64)-ENOSYS, filtered ? (__u64)-WORK_FILTERED_ERRNO : 99,
	};
	const __u64 policy = 1;
	struct task k;

	PINS("P09 P10 P23");
	effect_pipe();
	k = task_new(variant->kinds, ARRAY_SIZE(results));
	effect_call(&k.script->f[2]);
	effect_call(&k.script->f[3]);
	task_start(&k);
	rewrite(&k, 0, __NR_write, write_args, 3);
	task_leave(&k, 0, task_request(&k, 0), __NR_write, 1);
	rewrite(&k, 1, __NR_mmap, map_args, 6);
	task_leave(&k, 1, task_request(&k, 1), __NR_mmap, PAGE);
	rewrite(&k, 2, NOT_A_NUMBER, NULL, 0);
	task_leave(&k, 2, task_request(&k, 2), NOT_A_NUMBER, (__u64)-ENOSYS);
	rewrite(&k, 3, WORK_FILTERED_NR, &policy, 1);
	task_leave(&k, 3, task_request(&k, 3), WORK_FILTERED_NR, results[3]);
	task_end(&k, results);
	check_eq("bytes that the call made a write() wrote", 1, effect_count());
}

TEST_F(tracer, rewrites_the_result_at_either_way_out)
{
	const __u64 results[] = { 4242, (__u64)-EACCES };
	struct stop s;
	struct task k;

	PINS("P15 P23");
	effect_pipe();
	k = task_new(variant->kinds, ARRAY_SIZE(results));
	for (unsigned int i = 0; i < ARRAY_SIZE(results); i++)
		effect_call(&k.script->f[i]);
	task_start(&k);
	for (unsigned int i = 0; i < ARRAY_SIZE(results); i++) {
		task_enter(&k, i);
		s = task_leave(&k, i, task_request(&k, i), __NR_write, 1);
		s.regs.regs[0] = results[i];
		tracee_set_regs(&k.t, &s.regs);
	}
	task_end(&k, results);
	check_eq("bytes that the write()s wrote", 2, effect_count());
}
