// SPDX-License-Identifier: GPL-2.0
/*
 * Calls with several kinds of work on their way that a signal interrupts: restarted, or the
 * end of their task (P06, P18, P22, P23, R01, R02, S05, S06). arch/arm64/kernel/signal.c
 * arch_do_signal_or_restart() and kernel/signal.c ptrace_stop() decide.
 */
#include <asm/unistd.h>
#include <errno.h>
#include <sched.h>
#include <signal.h>

#include "case.h"
#include "caught.h"
#include "effect.h"
#include "task.h"

FIXTURE(blocked) {
};

FIXTURE_VARIANT(blocked) {
	unsigned int kinds;
};

FIXTURE_VARIANT_ADD(blocked, untraced) {
	.kinds = 0,
};

FIXTURE_VARIANT_ADD(blocked, ptrace) {
	.kinds = WORK_PTRACE,
};

FIXTURE_VARIANT_ADD(blocked, step) {
	.kinds = WORK_STEP,
};

FIXTURE_VARIANT_ADD(blocked, sud) {
	.kinds = WORK_SUD,
};

FIXTURE_VARIANT_ADD(blocked, seccomp_audit_tracepoint) {
	.kinds = WORK_UNTRACED,
};

FIXTURE_VARIANT_ADD(blocked, all_but_sud) {
	.kinds = WORK_PTRACE | WORK_STEP | WORK_UNTRACED,
};

FIXTURE_VARIANT_ADD(blocked, all) {
	.kinds = WORK_PTRACE | WORK_STEP | WORK_UNTRACED | WORK_SUD,
};

FIXTURE_SETUP(blocked)
{
}

FIXTURE_TEARDOWN(blocked)
{
}

/* From the stop after the interrupted call, or from nowhere, to where it blocks again. */
static void restart(struct task *k, unsigned int i)
{
	char text[64];

	k->enter++;	/* rt_sigreturn */
	k->exit++;
	if (task_is_traced(k)) {
		snprintf(text, sizeof(text), "signal SIGUSR1 SI_USER pc=svc x0=%d", EFFECT_READ_FD);
		tracee_to(&k->t, k->kinds & WORK_PTRACE ? PTRACE_SYSCALL : PTRACE_CONT, 0, text);
	}
	if (k->kinds & WORK_PTRACE) {
		snprintf(text, sizeof(text), "exit -1 pc=svc x0=%d", EFFECT_READ_FD);
		tracee_to(&k->t, PTRACE_SYSCALL, SIGUSR1, "entry rt_sigreturn");
		tracee_to(&k->t, PTRACE_SYSCALL, 0, text);
		task_enter(k, i);
		task_block(k, i);
		return;
	}
	if (k->kinds & WORK_STEP) {
		/* From here the way to the restarted svc has no breakpoint. */
		tracee_to(&k->t, PTRACE_SINGLESTEP, SIGUSR1, "handler");
		tracee_resume(&k->t, PTRACE_CONT, 0);
		k->runs = true;
	}
	while (caught_count() == i)
		sched_yield();
	tracee_wait_blocked(&k->t);
}

/*
 * The pseudo-step is a signal, whose delivery finds the restart prepared: S06. The exit stop
 * comes before that. Two calls, so that each way out comes up where both alternate.
 */
TEST_F(blocked, call_is_restarted_once_with_all_its_registers)
{
	const __u64 results[] = { 1, 1 };
	struct task k;
	char *buf[2];

	PINS("P06 P23 R01 R02 S05 S06");
	effect_pipe();
	catch_signal(SIGUSR1, SA_RESTART, NULL);
	k = task_new(variant->kinds, ARRAY_SIZE(results));
	for (unsigned int i = 0; i < ARRAY_SIZE(results); i++)
		buf[i] = task_read(&k, i);
	task_start(&k);
	if (!task_is_traced(&k))
		task_go(&k);
	for (unsigned int i = 0; i < ARRAY_SIZE(results); i++) {
		task_enter(&k, i);
		task_block(&k, i);
		kill(k.t.pid, SIGUSR1);
		task_leave(&k, i, WAIT_ONLY, __NR_read, U64(-ERESTARTSYS));
		restart(&k, i);
		check_eq("signals caught", i + 1, caught_count());
		check_caught_regs(caught_nth(i), &k.script->f[i], task_svc(&k));
		task_give();
		task_leave(&k, i, WAIT_ONLY, __NR_read, 1);
	}
	task_end(&k, results);
	for (unsigned int i = 0; i < ARRAY_SIZE(results); i++)
		check_eq("byte that the restarted read() read", '!', U64(*buf[i]));
	check_eq("bytes that nobody has read", 0, effect_count());
}

FIXTURE(killed) {
};

/* Without a tracer there is nothing to see. */
FIXTURE_VARIANT(killed) {
	unsigned int kinds;
};

FIXTURE_VARIANT_ADD(killed, all) {
	.kinds = WORK_PTRACE | WORK_STEP | WORK_UNTRACED | WORK_SUD,
};

FIXTURE_VARIANT_ADD(killed, all_but_sud) {
	.kinds = WORK_PTRACE | WORK_STEP | WORK_UNTRACED,
};

FIXTURE_VARIANT_ADD(killed, ptrace) {
	.kinds = WORK_PTRACE,
};

FIXTURE_VARIANT_ADD(killed, step) {
	.kinds = WORK_STEP,
};

FIXTURE_SETUP(killed)
{
}

FIXTURE_TEARDOWN(killed)
{
}

/* A task that ends in call 0: no stop after it, and no instruction. */
static void expect_killed(struct task *k, long request)
{
	k->enter++;
	k->exit++;
	tracee_to(&k->t, request, 0, "killed SIGKILL");
	check_eq("x8 in the task, which did not come back", 0, k->script->f[0].x_out[8]);
	task_check_events(k);
}

TEST_F(killed, in_a_call_that_blocks_and_it_has_no_stop_on_its_way_out)
{
	struct task k;

	PINS("P18 P22 R01");
	effect_pipe();
	k = task_new(variant->kinds, 2);
	task_read(&k, 0);
	effect_call(&k.script->f[1]);
	task_start(&k);
	task_enter(&k, 0);
	task_block(&k, 0);
	kill(k.t.pid, SIGKILL);
	expect_killed(&k, WAIT_ONLY);
	check_eq("bytes that the call after it wrote", 0, effect_count());
}

TEST_F(killed, by_its_own_call_which_has_no_stop_on_its_way_out)
{
	struct task k;

	PINS("P18 P22");
	effect_pipe();
	k = task_new(variant->kinds, 2);
	effect_call(&k.script->f[1]);
	task_start(&k);
	name_value(U64(k.t.pid), "tracee");
	svc_fill(&k.script->f[0], __NR_tgkill, 3, U64(k.t.pid), U64(k.t.pid), U64(SIGKILL));
	task_enter(&k, 0);
	expect_killed(&k, task_request(&k, 0));
	check_eq("bytes that the call after it wrote", 0, effect_count());
}
