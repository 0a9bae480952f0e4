// SPDX-License-Identifier: GPL-2.0
/*
 * Kinds of work on the calls of tasks that did not begin as they were: a new child, which
 * nobody traces, a program just executed, and a thread that is not the leader (P21, P23, P25,
 * S07, C09, D6). kernel/fork.c copy_process() and fs/exec.c decide which kinds go on.
 */
#include <asm/unistd.h>
#include <errno.h>
#include <linux/sched.h>
#include <pthread.h>
#include <sched.h>

#include "case.h"
#include "effect.h"
#include "task.h"

FIXTURE(task) {
};

FIXTURE_VARIANT(task) {
	unsigned int kinds;
};

FIXTURE_VARIANT_ADD(task, ptrace_step) {
	.kinds = WORK_PTRACE | WORK_STEP,
};

FIXTURE_VARIANT_ADD(task, ptrace_step_seccomp_audit_tracepoint) {
	.kinds = WORK_PTRACE | WORK_STEP | WORK_UNTRACED,
};

FIXTURE_SETUP(task)
{
}

FIXTURE_TEARDOWN(task)
{
}

/* The calls that a new task makes; the last is refused where there is a filter. */
static void fill(struct svc_frame *f, __u64 *results, unsigned int kinds)
{
	const bool filtered = kinds & WORK_SECCOMP;

	effect_call(&f[0]);
	svc_fill(&f[1], __NR_dup, 1, U64(1000));
	svc_fill(&f[2], WORK_FILTERED_NR, 1, U64(1));
	results[0] = 1;
	results[1] = (__u64)-EBADF;
	results[2] = filtered ? (__u64)-WORK_FILTERED_ERRNO : 99;
}

/*
 * The parent waits for its child, as CLONE_VFORK says; its last call before was stepped over.
 * Nothing of the child's is seen by the tracer.
 */
TEST_F(task, child_is_untraced_and_its_parents_calls_go_on)
{
	__u64 results[5] = { (__u64)-EBADF, (__u64)-EBADF }, of_child[3];
	struct svc_script *child = svc_script_new(3);
	struct task k;

	PINS("P21 P23 S07 C09 D6");
	effect_pipe();
	k = task_new(variant->kinds, 5);
	fill(child->f, of_child, variant->kinds);
	svc_fill(&k.script->f[0], __NR_dup, 1, U64(1000));
	svc_fill(&k.script->f[1], __NR_dup, 1, U64(1000));
	svc_fill(&k.script->f[2], __NR_clone, 5, U64(CLONE_VFORK), U64(0), U64(0), U64(0), U64(0));
	effect_call(&k.script->f[3]);
	svc_fill(&k.script->f[4], __NR_dup, 1, U64(1000));
	results[3] = 1;
	results[4] = (__u64)-EBADF;
	task_child(&k, child);
	task_start(&k);
	for (unsigned int i = 0; i < 5; i++) {
		struct svc_frame *f = &k.script->f[i];

		task_enter(&k, i);
		task_leave(&k, i, task_request(&k, i), (int)f->x[8], results[i]);
	}
	results[2] = k.script->f[2].x_out[0];
	check_true("clone() returned the child's id", (__s64)results[2] > 0);
	task_end(&k, results);
	for (unsigned int i = 0; i < 3; i++)
		check_frame(&child->f[i], of_child[i]);
	check_eq("bytes that child and parent wrote", 2, effect_count());
}

/* A thread beside the leader, of which no stop must come. */
static struct {
	struct svc_script *script;
	int gate[2];
	pid_t tid;
} *thread;

static void *thread_run(void *unused)
{
	char byte;

	__atomic_store_n(&thread->tid, (pid_t)svc_call(__NR_gettid, 0), __ATOMIC_RELEASE);
	svc_call(__NR_read, 3, U64(thread->gate[0]), U64(&byte), U64(1));
	svc_script_run(thread->script);
	return unused;
}

static void leader_run(void *unused)
{
	pthread_t t;

	if (pthread_create(&t, NULL, thread_run, unused) || pthread_join(t, NULL))
		svc_exit(1);
}

TEST_F(task, thread_has_its_stops_and_the_leader_none)
{
	struct tracee leader;
	__u64 results[3];
	struct task k;

	PINS("P23 P25");
	effect_pipe();
	thread = shared_alloc(sizeof(*thread));
	/* The tracepoints come when the thread is there: they are for all threads. */
	k = task_new(variant->kinds & ~WORK_TRACEPOINT, 3);
	k.kinds = variant->kinds;
	fill(k.script->f, results, variant->kinds);
	thread->script = k.script;
	if (pipe(thread->gate))
		case_die("no pipe");
	leader = tracee_spawn(leader_run, NULL);
	while (!__atomic_load_n(&thread->tid, __ATOMIC_ACQUIRE))
		sched_yield();
	k.t = tracee_adopt(&leader, thread->tid);
	tracee_wait_blocked(&k.t);
	work_begin(variant->kinds & WORK_TRACEPOINT);
	if (variant->kinds & WORK_TRACEPOINT)
		k.count = work_count_start(k.t.pid);
	tracee_seize(&k.t, PTRACE_O_TRACESYSGOOD);
	tracee_interrupt(&k.t);
	tracee_to(&k.t, WAIT_ONLY, 0, "event stop");
	tracee_to(&k.t, PTRACE_SYSCALL, 0, "entry read");
	if (write(thread->gate[1], "", 1) != 1)
		case_die("the gate does not open");
	tracee_to(&k.t, PTRACE_SYSCALL, 0, "exit read pc=svc+4 x0=1");
	k.enter = 1;
	k.exit = 2;
	for (unsigned int i = 0; i < 3; i++) {
		task_enter(&k, i);
		task_leave(&k, i, task_request(&k, i), (int)k.script->f[i].x[8], results[i]);
	}
	task_check_events(&k);
	tracee_detach(&k.t, 0);
	tracee_to(&leader, WAIT_ONLY, 0, "exited 0");
	for (unsigned int i = 0; i < 3; i++)
		check_frame(&k.script->f[i], results[i]);
	check_eq("bytes that the thread wrote", 1, effect_count());
}

#define EXECUTED	"ENTRY_WORK_EXECUTED"

/*
 * This program executed by the test below: no memory is shared any more, so that it looks at
 * the registers itself; its exit status is the number of those that are wrong.
 */
static void __attribute__((constructor)) executed(void)
{
	const char *kinds = getenv(EXECUTED);
	struct svc_frame f[3];
	__u64 results[3];
	int wrong = 0;

	if (!kinds)
		return;
	fill(f, results, (unsigned int)atoi(kinds));
	for (unsigned int i = 0; i < 3; i++) {
		step_svc_run(&f[i]);
		wrong += f[i].x_out[0] != results[i];
		for (unsigned int r = 1; r < 31; r++)
			wrong += f[i].x_out[r] != f[i].x[r];
		wrong += f[i].sp_out != f[i].sp;
		wrong += f[i].nzcv_out != f[i].nzcv;
	}
	svc_exit(wrong);
}

/* From the breakpoint before a call of the executed program to the svc. */
static void to_svc(struct task *k)
{
	struct stop s = tracee_to(&k->t, PTRACE_CONT, 0, "signal SIGTRAP TRAP_BRKPT pc=brk");

	s.regs.pc = U64(step_svc_insn);
	tracee_set_regs(&k->t, &s.regs);
}

/* Each call another way: by its two stops, from its entry stop a step, a step alone. */
TEST_F(task, executed_program_has_the_same_kinds_of_work)
{
	const struct stop_row rows[] = {
		{ PTRACE_SYSCALL, 0, "entry execve pc=svc+4" },
		{ PTRACE_SYSCALL, 0, "event exec" },
		{ PTRACE_SYSCALL, 0, "exit execve pc=elsewhere x0=0" },
	};
	const bool filtered = variant->kinds & WORK_SECCOMP;
	char kinds[32], *argv[] = { "executed", NULL }, *envp[] = { kinds, NULL };
	struct task k;

	PINS("P21 P23 C09 S08");
	effect_pipe();
	snprintf(kinds, sizeof(kinds), "%s=%u", EXECUTED, variant->kinds);
	k = task_new(variant->kinds, 1);
	svc_fill(&k.script->f[0], __NR_execve, 3, U64("/proc/self/exe"), U64(argv), U64(envp));
	task_start(&k);
	if (!tracee_expect(&k.t, rows, ARRAY_SIZE(rows), NULL))
		case_end();
	task_name_breakpoint();
	to_svc(&k);
	if (variant->kinds & WORK_TRACEPOINT) {
		work_count_end(&k.count);
		k.count = work_count_start(k.t.pid);
	}
	tracee_to(&k.t, PTRACE_SYSCALL, 0, "entry write pc=svc+4 x0=200");
	tracee_to(&k.t, PTRACE_SYSCALL, 0, "exit write pc=svc+4 x0=1");
	to_svc(&k);
	tracee_to(&k.t, PTRACE_SYSCALL, 0, "entry dup pc=svc+4 x0=1000");
	tracee_to(&k.t, PTRACE_SINGLESTEP, 0, "pseudo-step pc=svc+4 x0=-EBADF");
	to_svc(&k);
	tracee_to(&k.t, PTRACE_SINGLESTEP, 0,
		  filtered ? "pseudo-step pc=svc+4 x0=-E2BIG" : "pseudo-step pc=svc+4 x0=99");
	tracee_to(&k.t, PTRACE_CONT, 0, "exited 0");
	k.enter = 4 - filtered;
	k.exit = 3;
	task_check_events(&k);
	check_eq("bytes that the executed program wrote", 1, effect_count());
}
