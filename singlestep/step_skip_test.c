// SPDX-License-Identifier: GPL-2.0
/*
 * Stepping over a call that does not run, or not as the task made it: answered by a
 * filter, given another number by the tracer at an entry or a seccomp stop, or taken by
 * Syscall User Dispatch (S08, S10, U04 of the contract). The exit work, of
 * syscall_trace_exit() in arch/arm64/kernel/ptrace.c or syscall_exit_work() on the
 * generic path, reports the pseudo-step of a skipped call as that of any other.
 */
#include <asm/unistd.h>
#include <errno.h>
#include <signal.h>
#include <stddef.h>
#include <sys/prctl.h>

#include "case.h"
#include "counted.h"
#include "effect.h"
#include "features.h"
#include "filter.h"

#define STEP		PTRACE_SINGLESTEP
#define SYSGOOD		PTRACE_O_TRACESYSGOOD
#define X0_TRACER	0x7ace7ace

FIXTURE(step_filtered) {
};

/* A filter's answer to dup(1000), and the stops of stepping over it. */
FIXTURE_VARIANT(step_filtered) {
	unsigned int answer;
	unsigned long options;
	struct stop_row rows[10];
};

FIXTURE_VARIANT_ADD(step_filtered, errno_out_of_entry_stop) {
	.answer = SECCOMP_RET_ERRNO | E2BIG,
	.rows = {
		{ PTRACE_SYSCALL, 0, "entry dup pc=svc+4 x0=1000" },
		{ STEP, 0, "pseudo-step pc=svc+4 x0=-E2BIG" },
		{ STEP, 0, "step pc=svc+8 x0=-E2BIG" },
	},
};

FIXTURE_VARIANT_ADD(step_filtered, trace_without_the_option) {
	.answer = SECCOMP_RET_TRACE,
	.rows = {
		{ STEP, 0, "step pc=svc" },
		{ STEP, 0, "pseudo-step pc=svc+4 x0=-ENOSYS" },
		{ STEP, 0, "step pc=svc+4 x0=-ENOSYS" },
		{ STEP, 0, "step pc=svc+8 x0=-ENOSYS" },
	},
};

FIXTURE_VARIANT_ADD(step_filtered, trace) {
	.answer = SECCOMP_RET_TRACE, .options = PTRACE_O_TRACESECCOMP,
	.rows = {
		{ STEP, 0, "step pc=svc" },
		{ STEP, 0, "seccomp dup pc=svc+4 x0=1000" },
		{ STEP, 0, "pseudo-step pc=svc+4 x0=-EBADF" },
		{ STEP, 0, "step pc=svc+4 x0=-EBADF" },
		{ STEP, 0, "step pc=svc+8 x0=-EBADF" },
	},
};

FIXTURE_VARIANT_ADD(step_filtered, trace_out_of_entry_stop) {
	.answer = SECCOMP_RET_TRACE, .options = PTRACE_O_TRACESECCOMP,
	.rows = {
		{ PTRACE_SYSCALL, 0, "entry dup pc=svc+4 x0=1000" },
		{ STEP, 0, "seccomp dup pc=svc+4 x0=1000" },
		{ STEP, 0, "pseudo-step pc=svc+4 x0=-EBADF" },
		{ STEP, 0, "step pc=svc+8 x0=-EBADF" },
	},
};

FIXTURE_VARIANT_ADD(step_filtered, trace_then_syscall) {
	.answer = SECCOMP_RET_TRACE, .options = PTRACE_O_TRACESECCOMP,
	.rows = {
		{ STEP, 0, "step pc=svc" },
		{ STEP, 0, "seccomp dup pc=svc+4 x0=1000" },
		{ PTRACE_SYSCALL, 0, "exit dup pc=svc+4 x0=-EBADF" },
		{ STEP, 0, "step pc=svc+8 x0=-EBADF" },
	},
};

/*
 * Both signals wait at the exit. The filter's, with a positive si_code, is synchronous
 * to dequeue_synchronous_signal() and comes first; the pseudo-step finds the task in
 * the handler.
 */
FIXTURE_VARIANT_ADD(step_filtered, trap) {
	.answer = SECCOMP_RET_TRAP,
	.rows = {
		{ STEP, 0, "step pc=svc" },
		{ STEP, 0, "signal SIGSYS SYS_SECCOMP pc=svc+4 x0=1000" },
		{ STEP, SIGSYS, "handler pc=handler x0=31" },
		{ STEP, 0, "pseudo-step pc=handler x0=31" },
		{ STEP, 0, "step pc=handler+4 x0=31" },
		{ STEP, 0, "step pc=handler+8 x0=31" },
		{ STEP, 0, "pseudo-step pc=svc+4 x0=1000" },
		{ STEP, 0, "step pc=svc+8 x0=1000" },
	},
};

FIXTURE_VARIANT_ADD(step_filtered, trap_suppressed) {
	.answer = SECCOMP_RET_TRAP,
	.rows = {
		{ STEP, 0, "step pc=svc" },
		{ STEP, 0, "signal SIGSYS SYS_SECCOMP pc=svc+4 x0=1000" },
		{ STEP, 0, "pseudo-step pc=svc+4 x0=1000" },
		{ STEP, 0, "step pc=svc+4 x0=1000" },
		{ STEP, 0, "step pc=svc+8 x0=1000" },
	},
};

FIXTURE_VARIANT_ADD(step_filtered, kill_process) {
	.answer = SECCOMP_RET_KILL_PROCESS,
	.rows = {
		{ STEP, 0, "step pc=svc" },
		{ STEP, 0, "killed SIGSYS" },
	},
};

FIXTURE_SETUP(step_filtered)
{
}

FIXTURE_TEARDOWN(step_filtered)
{
}

static void expect_rows(struct tracee *t, const struct stop_row *rows)
{
	size_t n = 0;

	while (rows[n].expect)
		n++;
	tracee_expect(t, rows, n, NULL);
}

TEST_F(step_filtered, call_is_one_pseudo_step_where_it_returns)
{
	static const struct counted_call dup = { .nr = __NR_dup, .args = { 1000 }, .nargs = 1 };
	struct user_pt_regs regs;
	struct tracee t;

	PINS("S08");
	counted_catch(SIGSYS, 0, NULL);
	filter_answer(__NR_dup, variant->answer);
	t = counted_start(&dup, SYSGOOD | variant->options, &regs);
	expect_rows(&t, variant->rows);
	tracee_end(&t);
}

FIXTURE(step_rewritten) {
};

/*
 * What the tracer makes of the number and x0. The original call is umask with the
 * arguments of the write that is counted, or number -1.
 */
struct rewrite {
	__u64 nr;
	int new_nr;
	__u64 new_x0;	/* 0: not written */
	__u64 result;
	__u64 bytes;
};

FIXTURE_VARIANT(step_rewritten) {
	struct rewrite r;
};

FIXTURE_VARIANT_ADD(step_rewritten, to_another_call) {
	.r = { .nr = __NR_umask, .new_nr = __NR_write, .result = 1, .bytes = 1 },
};

FIXTURE_VARIANT_ADD(step_rewritten, to_a_call_that_fails) {
	.r = { .nr = __NR_umask, .new_nr = __NR_dup, .new_x0 = 1000, .result = (__u64)-EBADF },
};

FIXTURE_VARIANT_ADD(step_rewritten, to_minus_1_keeps_x0) {
	.r = { .nr = __NR_write, .new_nr = -1, .result = EFFECT_FD },
};

FIXTURE_VARIANT_ADD(step_rewritten, to_minus_1_with_a_result) {
	.r = { .nr = __NR_write, .new_nr = -1, .new_x0 = X0_TRACER, .result = X0_TRACER },
};

FIXTURE_VARIANT_ADD(step_rewritten, to_a_number_out_of_range) {
	.r = { .nr = __NR_write, .new_nr = 100000, .result = (__u64)-ENOSYS },
};

FIXTURE_VARIANT_ADD(step_rewritten, from_minus_1_to_a_call) {
	.r = { .nr = ~0ull, .new_nr = __NR_write, .new_x0 = EFFECT_FD, .result = 1, .bytes = 1 },
};

FIXTURE_SETUP(step_rewritten)
{
}

FIXTURE_TEARDOWN(step_rewritten)
{
}

/* Rewrite at stop @s, step on and compare; @armed: SPSR.SS is, whatever is written. */
static void check_rewritten(const struct rewrite *v, struct tracee *t,
			    struct stop s, bool armed)
{
	if (v->new_x0) {
		s.regs.regs[0] = v->new_x0;
		tracee_set_regs(t, &s.regs);
	}
	tracee_set_nr(t, v->new_nr);
	s = tracee_to(t, STEP, 0, "pseudo-step pc=svc+4");
	check_eq("x0 at the pseudo-step", v->result, s.regs.regs[0]);
	check_eq("x7 at the pseudo-step", svc_pattern(7), s.regs.regs[7]);
	check_eq("x8 at the pseudo-step", v->nr, s.regs.regs[8]);
	check_eq("bytes that the call wrote", v->bytes, effect_count());
	if (!armed && !v->new_x0)
		tracee_to(t, STEP, 0, "step pc=svc+4");
	s = tracee_to(t, STEP, 0, "step pc=svc+8");
	check_eq("x20, which svc+4 counts in", svc_pattern(20) + 1, s.regs.regs[20]);
	tracee_end(t);
}

/* A stepping tracer has no entry stop: it asks for one when the step has reached svc. */
TEST_F(step_rewritten, at_an_entry_stop_steps_over_the_new_call)
{
	const struct counted_call c = { .nr = variant->r.nr, .args = EFFECT_ARGS, .nargs = 3 };
	struct user_pt_regs regs;
	struct tracee t;
	struct stop s;

	PINS("S10");
	effect_pipe();
	t = counted_start(&c, SYSGOOD, &regs);
	tracee_to(&t, STEP, 0, "step pc=svc x0=200");
	s = tracee_to(&t, PTRACE_SYSCALL, 0, "entry");
	check_rewritten(&variant->r, &t, s, true);
}

/* A filter that asks the tracer, of calls whose argument 0 is EFFECT_FD: the tracee's. */
static void filter_trace(__u64 nr)
{
	struct sock_filter insns[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (unsigned int)nr, 0, 3),
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, EFFECT_FD, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_TRACE),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};

	need_filters();
	filter_load_raw(insns, ARRAY_SIZE(insns));
}

/* Here stepping never stopped, and only a write of the registers arms SPSR.SS. */
TEST_F(step_rewritten, at_a_seccomp_stop_steps_over_the_new_call)
{
	const struct counted_call c = { .nr = variant->r.nr, .args = EFFECT_ARGS, .nargs = 3 };
	struct user_pt_regs regs;
	struct tracee t;
	struct stop s;

	PINS("S10");
	effect_pipe();
	filter_trace(variant->r.nr);
	t = counted_start(&c, SYSGOOD | PTRACE_O_TRACESECCOMP, &regs);
	tracee_to(&t, STEP, 0, "step pc=svc x0=200");
	s = tracee_to(&t, STEP, 0, "seccomp");
	check_rewritten(&variant->r, &t, s, false);
}

/* A dispatched call is no call to the exit work: the handler's notice is the only stop. */
TEST(step_of_a_dispatched_call_is_sigsys_and_no_pseudo_step)
{
	static const struct stop_row rows[] = {
		{ STEP, 0, "step pc=svc x0=18" },
		{ STEP, 0, "signal SIGSYS SYS_USER_DISPATCH pc=svc+4 x0=18" },
		{ STEP, SIGSYS, "handler pc=handler x0=31" },
		{ STEP, 0, "step pc=handler+4 x0=31" },
	};
	const char *reason;
	struct user_pt_regs regs;
	char *selector;
	struct tracee t;

	PINS("S08 U04");
	if (!can_use_sud(&reason))
		case_skip("%s", reason);
	selector = shared_alloc(1);
	counted_catch(SIGSYS, 0, NULL);
	t = counted_start(&counted_umask, SYSGOOD, &regs);
	/* The tracee's own prctl, for exec and fork clear it; then back to the start. */
	regs.regs[0] = PR_SET_SYSCALL_USER_DISPATCH;
	regs.regs[1] = PR_SYS_DISPATCH_EXCLUSIVE_ON;
	regs.regs[2] = 0;
	regs.regs[3] = 0;
	regs.regs[4] = U64(selector);
	regs.regs[8] = __NR_prctl;
	tracee_set_regs(&t, &regs);
	tracee_to(&t, PTRACE_CONT, 0, "signal SIGTRAP TRAP_BRKPT pc=svc+12 x0=0");
	*selector = SYSCALL_DISPATCH_FILTER_BLOCK;
	regs.regs[0] = 022;
	regs.regs[8] = __NR_umask;
	tracee_set_regs(&t, &regs);
	tracee_expect(&t, rows, ARRAY_SIZE(rows), NULL);
	tracee_end(&t);
}
