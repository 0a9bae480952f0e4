// SPDX-License-Identifier: GPL-2.0
/* A task with kinds of work on its calls: see task.h. */
#include <asm/unistd.h>
#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "effect.h"
#include "task.h"

struct task_shared {
	int gate[2];
	bool breakpoints;
	bool passed;
	struct svc_script *child;
};

bool task_is_traced(const struct task *k)
{
	return k->kinds & (WORK_PTRACE | WORK_STEP);
}

bool task_is_stepped_over(const struct task *k, unsigned int i)
{
	return k->kinds & WORK_STEP && (!(k->kinds & WORK_PTRACE) || i % 2);
}

long task_request(const struct task *k, unsigned int i)
{
	return task_is_stepped_over(k, i) ? PTRACE_SINGLESTEP : PTRACE_SYSCALL;
}

__u64 task_svc(const struct task *k)
{
	return U64(k->shared->breakpoints ? step_svc_insn : svc_insn);
}

struct task task_new(unsigned int kinds, unsigned int calls)
{
	struct task k = { .kinds = kinds, .shared = shared_alloc(sizeof(*k.shared)) };

	work_begin(kinds);
	k.script = svc_script_new(calls);
	return k;
}

void task_child(struct task *k, struct svc_script *script)
{
	k->shared->child = script;
}

static void run(void *arg)
{
	struct task *k = arg;
	char byte;

	if (!task_is_traced(k)) {
		svc_call(__NR_read, 3, U64(k->shared->gate[0]), U64(&byte), U64(1));
		__atomic_store_n(&k->shared->passed, true, __ATOMIC_RELEASE);
	}
	for (unsigned int i = 0; i < k->script->n; i++) {
		if (k->shared->breakpoints)
			step_svc_run(&k->script->f[i]);
		else
			svc_run(&k->script->f[i]);
		if (k->script->f[i].x[8] == __NR_clone && !k->script->f[i].x_out[0]) {
			svc_script_run(k->shared->child);
			svc_exit(0);
		}
	}
}

void task_name_breakpoint(void)
{
	name_value(U64(step_svc_brk), "brk");
	name_range(U64(step_svc_insn), 12, "svc");
}

void task_start(struct task *k)
{
	k->shared->breakpoints = (k->kinds & (WORK_PTRACE | WORK_STEP)) == WORK_STEP;
	if (task_is_traced(k)) {
		k->t = tracee_start(run, k, PTRACE_O_TRACESYSGOOD | PTRACE_O_TRACEEXEC);
	} else {
		if (pipe(k->shared->gate))
			case_die("no pipe");
		k->t = tracee_spawn(run, k);
		tracee_wait_blocked(&k->t);
		k->exit++;	/* of the gate */
	}
	if (k->shared->breakpoints)
		task_name_breakpoint();
	if (k->kinds & WORK_TRACEPOINT)
		k->count = work_count_start(k->t.pid);
}

void task_go(struct task *k)
{
	if (write(k->shared->gate[1], "", 1) != 1)
		case_die("the gate does not open");
	while (!__atomic_load_n(&k->shared->passed, __ATOMIC_ACQUIRE))
		sched_yield();
}

/* What a register must be at a stop of call @f; x0 is told by the stop's text. */
static void check_regs(const struct stop *s, const struct svc_frame *f, __u64 pc)
{
	const char *kind = stop_kind_name(s->kind);

	for (unsigned int i = 1; i < 31; i++) {
		__u64 want = f->x[i];

		if (i == 7 && (s->kind == STOP_ENTRY || s->kind == STOP_EXIT))
			want = s->kind == STOP_EXIT;
		check_eqf(want, s->regs.regs[i], "x%u at the %s stop", i, kind);
	}
	check_eqf(pc, s->regs.pc, "PC at the %s stop", kind);
	check_eqf(f->sp, s->regs.sp, "SP at the %s stop", kind);
	check_eqf(f->nzcv, s->regs.pstate & 0xf0000000, "NZCV at the %s stop", kind);
}

/* What resumes it to a stop that no call gives. */
static long to_stop(struct task *k, long request)
{
	bool runs = k->runs || !task_is_traced(k);

	k->runs = false;
	return runs ? WAIT_ONLY : request;
}

struct stop task_enter(struct task *k, unsigned int i)
{
	struct svc_frame *f = &k->script->f[i];
	struct stop s = { 0 };
	char text[128];

	if (k->shared->breakpoints) {
		snprintf(text, sizeof(text), "signal SIGTRAP TRAP_BRKPT pc=brk x0=%s",
			 value_name(f->x[0]));
		s = tracee_to(&k->t, to_stop(k, PTRACE_CONT), 0, text);
		check_regs(&s, f, U64(step_svc_brk));
		s.regs.pc = U64(step_svc_insn);
		tracee_set_regs(&k->t, &s.regs);
	} else if (task_is_traced(k)) {
		int nr = (int)f->x[8];

		/* A task's own -1 gets its result before the stop: the tracer may give another. */
		snprintf(text, sizeof(text), "entry %s pc=svc+4 x0=%s", syscall_name(nr),
			 nr == __NR_tgkill ? "tracee" :
			 value_name(nr == -1 ? U64(-ENOSYS) : f->x[0]));
		s = tracee_to(&k->t, PTRACE_SYSCALL, 0, text);
		check_regs(&s, f, U64(svc_after));
	}
	return s;
}

struct stop task_leave(struct task *k, unsigned int i, long request, int nr, __u64 result)
{
	const bool restarts = task_is_stepped_over(k, i) && result == U64(-ERESTARTSYS);
	struct svc_frame *f = &k->script->f[i];
	struct stop s = { 0 };
	char text[128];

	k->enter += !(k->kinds & WORK_SECCOMP) || nr != WORK_FILTERED_NR;
	k->exit++;
	if (task_is_stepped_over(k, i))
		snprintf(text, sizeof(text), "pseudo-step pc=%s x0=%s", restarts ? "svc" : "svc+4",
			 value_name(restarts ? f->x[0] : result));
	else
		snprintf(text, sizeof(text), "exit %s pc=svc+4 x0=%s", syscall_name(nr),
			 nr == __NR_clone ? "pid" : value_name(result));
	if (task_is_traced(k) && !k->runs) {
		s = tracee_to(&k->t, request, 0, text);
		check_regs(&s, f, task_svc(k) + (restarts ? 0 : 4));
	}
	return s;
}

void task_block(struct task *k, unsigned int i)
{
	const __u64 *before = i ? &k->script->f[i - 1].x_out[8] : NULL;

	if (task_is_traced(k))
		tracee_resume(&k->t, task_request(k, i), 0);
	while (!task_is_traced(k) && before && !__atomic_load_n(before, __ATOMIC_ACQUIRE))
		sched_yield();
	tracee_wait_blocked(&k->t);
}

char *task_read(struct task *k, unsigned int i)
{
	char *buf = shared_alloc(1);

	svc_fill(&k->script->f[i], __NR_read, 3, U64(EFFECT_READ_FD), U64(buf), U64(1));
	return buf;
}

void task_give(void)
{
	if (write(EFFECT_FD, "!", 1) != 1)
		case_die("the pipe takes no byte");
}

void task_check_events(const struct task *k)
{
	if (k->kinds & WORK_TRACEPOINT)
		check_work_count(&k->count, k->enter, k->exit);
}

void task_end(struct task *k, const __u64 *results)
{
	tracee_to(&k->t, to_stop(k, PTRACE_CONT), 0, "exited 0");
	k->enter++;	/* of exit_group */
	for (unsigned int i = 0; i < k->script->n; i++)
		check_frame(&k->script->f[i], results[i]);
	task_check_events(k);
}
