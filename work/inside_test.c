// SPDX-License-Identifier: GPL-2.0
/*
 * Kinds of work that are switched on or off while a task is inside a call: what is on as it
 * leaves decides about the way out, what was on as it entered about the way in (P19, P20,
 * P23, R05, Q06). arch/arm64/kernel/syscall.c el0_svc_common() reads the flags again, on the
 * generic path syscall_exit_to_user_mode_work() of linux/entry-common.h.
 */
#include <asm/unistd.h>
#include <errno.h>
#include <sys/stat.h>

#include "case.h"
#include "effect.h"
#include "task.h"

FIXTURE(inside) {
};

/*
 * Not here: seccomp and SUD, which only the task itself can switch on, in a call of its own;
 * neither has work on the way out. Audit on, for a task that was forked before, does nothing.
 */
FIXTURE_VARIANT(inside) {
	unsigned int before, on, off;
};

FIXTURE_VARIANT_ADD(inside, audit_on_under_ptrace) {
	.before = WORK_PTRACE, .on = WORK_AUDIT,
};

FIXTURE_VARIANT_ADD(inside, audit_off_under_step) {
	.before = WORK_STEP | WORK_AUDIT, .off = WORK_AUDIT,
};

FIXTURE_VARIANT_ADD(inside, tracepoint_on) {
	.on = WORK_TRACEPOINT,
};

FIXTURE_VARIANT_ADD(inside, tracepoint_on_under_ptrace) {
	.before = WORK_PTRACE, .on = WORK_TRACEPOINT,
};

FIXTURE_VARIANT_ADD(inside, tracepoint_on_audit_off_under_seccomp) {
	.before = WORK_SECCOMP | WORK_AUDIT, .on = WORK_TRACEPOINT, .off = WORK_AUDIT,
};

FIXTURE_VARIANT_ADD(inside, tracepoint_off_under_step) {
	.before = WORK_STEP | WORK_TRACEPOINT, .off = WORK_TRACEPOINT,
};

FIXTURE_SETUP(inside)
{
}

FIXTURE_TEARDOWN(inside)
{
}

TEST_F(inside, a_call_does_what_is_on_when_it_leaves)
{
	const __u64 results[] = { 1, 1 };
	struct task k;

	PINS("P23 Q06");
	effect_pipe();
	k = task_new(variant->before, ARRAY_SIZE(results));
	task_read(&k, 0);
	effect_call(&k.script->f[1]);
	task_start(&k);
	if (!task_is_traced(&k))
		task_go(&k);
	task_enter(&k, 0);
	task_block(&k, 0);
	work_begin(variant->on);
	if (variant->on & WORK_TRACEPOINT) {
		k.count = work_count_start(k.t.pid);
		k.enter = -1ull;	/* It is inside already. */
		k.exit = 0;
	} else if (variant->off & WORK_TRACEPOINT) {
		work_count_end(&k.count);
	}
	work_end(variant->off);
	k.kinds = (variant->before | variant->on) & ~variant->off;
	task_give();
	task_leave(&k, 0, WAIT_ONLY, __NR_read, 1);
	task_enter(&k, 1);
	task_leave(&k, 1, task_request(&k, 1), __NR_write, 1);
	task_end(&k, results);
	check_eq("bytes that the write() wrote", 1, effect_count());
}

/* The kinds after ptrace's own are looked up again when the tracer has let the task go. */
TEST(tracepoint_switched_on_at_an_entry_stop_shows_that_call)
{
	const __u64 results[] = { 1 };
	struct task k;

	PINS("P26 Q06");
	effect_pipe();
	k = task_new(WORK_PTRACE, ARRAY_SIZE(results));
	effect_call(&k.script->f[0]);
	task_start(&k);
	task_enter(&k, 0);
	work_begin(WORK_TRACEPOINT);
	k.count = work_count_start(k.t.pid);
	k.kinds |= WORK_TRACEPOINT;
	task_leave(&k, 0, PTRACE_SYSCALL, __NR_write, 1);
	task_end(&k, results);
	check_eq("bytes that the write() wrote", 1, effect_count());
}

FIXTURE(tracer_comes) {
};

FIXTURE_VARIANT(tracer_comes) {
	unsigned int kinds, with;
};

FIXTURE_VARIANT_ADD(tracer_comes, to_untraced) {
	.kinds = 0, .with = WORK_PTRACE,
};

FIXTURE_VARIANT_ADD(tracer_comes, to_untraced_and_steps) {
	.kinds = 0, .with = WORK_PTRACE | WORK_STEP,
};

FIXTURE_VARIANT_ADD(tracer_comes, to_sud) {
	.kinds = WORK_SUD, .with = WORK_PTRACE,
};

FIXTURE_VARIANT_ADD(tracer_comes, to_seccomp_audit_tracepoint) {
	.kinds = WORK_UNTRACED, .with = WORK_PTRACE | WORK_STEP,
};

FIXTURE_SETUP(tracer_comes)
{
}

FIXTURE_TEARDOWN(tracer_comes)
{
}

/*
 * The interrupted call has no exit stop, for the tracer has asked for none yet; it is
 * restarted from the stop, and from then on each call has both its stops.
 */
TEST_F(tracer_comes, while_the_call_blocks_and_it_is_restarted_with_both_stops)
{
	const __u64 results[] = { 1, 1, 077 };
	struct stop s;
	struct task k;

	PINS("P20 P23 R05");
	effect_pipe();
	k = task_new(variant->kinds, ARRAY_SIZE(results));
	task_read(&k, 0);
	effect_call(&k.script->f[1]);
	svc_fill(&k.script->f[2], __NR_umask, 1, U64(022));
	umask(077);
	task_start(&k);
	task_go(&k);
	task_block(&k, 0);
	tracee_seize(&k.t, PTRACE_O_TRACESYSGOOD);
	tracee_interrupt(&k.t);
	task_leave(&k, 0, WAIT_ONLY, __NR_read, U64(-ERESTARTSYS));
	k.kinds |= variant->with;
	s = tracee_to(&k.t, WAIT_ONLY, 0, "event stop");
	check_eq("PC at the event stop", U64(svc_insn), s.regs.pc);
	check_eq("x0 at the event stop", EFFECT_READ_FD, s.regs.regs[0]);
	check_eq("x8 at the event stop", __NR_read, s.regs.regs[8]);
	task_enter(&k, 0);
	task_block(&k, 0);
	task_give();
	task_leave(&k, 0, WAIT_ONLY, __NR_read, 1);
	task_enter(&k, 1);
	task_leave(&k, 1, task_request(&k, 1), __NR_write, 1);
	task_enter(&k, 2);
	task_leave(&k, 2, task_request(&k, 2), __NR_umask, 077);
	task_end(&k, results);
	check_eq("bytes that the write() wrote", 1, effect_count());
}

FIXTURE(tracer_goes) {
};

FIXTURE_VARIANT(tracer_goes) {
	unsigned int kinds;
	long request;
};

FIXTURE_VARIANT_ADD(tracer_goes, on_by_cont_with_seccomp_audit_tracepoint) {
	.kinds = WORK_PTRACE | WORK_UNTRACED, .request = PTRACE_CONT,
};

FIXTURE_VARIANT_ADD(tracer_goes, by_detach_with_seccomp_audit_tracepoint) {
	.kinds = WORK_PTRACE | WORK_UNTRACED, .request = PTRACE_DETACH,
};

FIXTURE_VARIANT_ADD(tracer_goes, on_by_cont) {
	.kinds = WORK_PTRACE, .request = PTRACE_CONT,
};

FIXTURE_VARIANT_ADD(tracer_goes, by_detach) {
	.kinds = WORK_PTRACE, .request = PTRACE_DETACH,
};

FIXTURE_SETUP(tracer_goes)
{
}

FIXTURE_TEARDOWN(tracer_goes)
{
}

/* Call 0 has been stepped over before, so that nothing of that may be left either. */
TEST_F(tracer_goes, at_an_entry_stop_and_the_call_runs_without_its_exit_stop)
{
	const bool filtered = variant->kinds & WORK_SECCOMP;
	const __u64 results[] = {
		077, 1, 1, filtered ? (__u64)-WORK_FILTERED_ERRNO : 99,
	};
	struct task k;

	PINS("P19 P20 P23 S07");
	effect_pipe();
	umask(077);
	k = task_new(variant->kinds, ARRAY_SIZE(results));
	svc_fill(&k.script->f[0], __NR_umask, 1, U64(022));
	effect_call(&k.script->f[1]);
	effect_call(&k.script->f[2]);
	svc_fill(&k.script->f[3], WORK_FILTERED_NR, 1, U64(1));
	task_start(&k);
	task_enter(&k, 0);
	tracee_to(&k.t, PTRACE_SINGLESTEP, 0, "pseudo-step pc=svc+4 x0=63");
	task_enter(&k, 1);
	if (variant->request == PTRACE_DETACH)
		tracee_detach(&k.t, 0);
	else
		tracee_resume(&k.t, variant->request, 0);
	k.runs = true;
	k.enter++;	/* call 0 */
	k.exit++;
	for (unsigned int i = 1; i < ARRAY_SIZE(results); i++)
		task_leave(&k, i, WAIT_ONLY, (int)k.script->f[i].x[8], results[i]);
	task_end(&k, results);
	check_eq("bytes that the write()s wrote", 2, effect_count());
}
