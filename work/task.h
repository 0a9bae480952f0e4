/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A task that makes a script of calls with kinds of work on them, and the stops and
 * tracepoint events that these kinds give each call.
 */
#ifndef TASK_H
#define TASK_H

#include "tracee.h"
#include "work.h"

/* svc_run() with a breakpoint before the svc. */
void step_svc_run(struct svc_frame *frame);
extern const char step_svc_brk[], step_svc_insn[];

/* task_name_breakpoint() - from now on "svc" is the one of step_svc_run(), "brk" before it. */
void task_name_breakpoint(void);

/**
 * struct task - the task, and what it must have done so far
 * @kinds:  WORK_*
 * @t:      traced if @kinds have WORK_PTRACE or WORK_STEP
 * @script: its calls
 * @shared: of the body
 * @runs:   it is resumed: the next stop comes by itself
 * @count:  its tracepoint events, with WORK_TRACEPOINT
 * @enter, @exit: how many of them there must be
 *
 * How a tracer gets a task through a call:
 *   WORK_PTRACE  entry stop, exit stop
 *   WORK_STEP    a breakpoint before the svc, then a step over it: pseudo-step
 *   both         entry stop, then the exit stop and a pseudo-step in turn
 */
struct task {
	unsigned int kinds;
	struct tracee t;
	struct svc_script *script;
	struct task_shared *shared;
	bool runs;
	struct work_count count;
	__u64 enter, exit;
};

/* What only the kernel and an exit stop see: linux/errno.h */
#define ERESTARTSYS	512

/* All kinds but those that a tracer does. */
#define WORK_UNTRACED	(WORK_SECCOMP | WORK_AUDIT | WORK_TRACEPOINT)

/**
 * task_new() - begin the kinds of work, and make a script for them
 * @kinds: WORK_*; what cannot be had skips the case
 * @calls: as for svc_script_new()
 */
struct task task_new(unsigned int kinds, unsigned int calls);

/**
 * task_child() - let a child of the task make calls, too
 * @k:      the task, one of whose calls is a clone with CLONE_VFORK
 * @script: of that child, in shared memory; it then exits
 */
void task_child(struct task *k, struct svc_script *script);

/* task_start() - fork it; it is stopped before its first call, or, untraced, at a gate. */
void task_start(struct task *k);

/* task_svc() - the address of the svc that makes its calls. */
__u64 task_svc(const struct task *k);

/* task_go() - open the gate of an untraced task; it is beyond when this returns. */
void task_go(struct task *k);

/* task_is_traced() - WORK_PTRACE or WORK_STEP. */
bool task_is_traced(const struct task *k);

/* task_is_stepped_over() - does call @i of a traced task end with a pseudo-step? */
bool task_is_stepped_over(const struct task *k, unsigned int i);

/**
 * task_enter() - to the stop before call @i, if the task is traced
 * @k: the task
 * @i: the call
 *
 * Checks the general registers there. With a WORK_STEP that stands alone, PC is then at the
 * svc.
 */
struct stop task_enter(struct task *k, unsigned int i);

/* task_request() - what resumes the task into and out of call @i. */
long task_request(const struct task *k, unsigned int i);

/**
 * task_leave() - to the stop after call @i, if the task is traced
 * @k:       the task
 * @i:       the call, whose frame is as the task is to get it back
 * @request: task_request(), or WAIT_ONLY
 * @nr:      the number as it ran
 * @result:  x0
 *
 * Checks the general registers there. The pseudo-step of a call that is restarted, a result
 * of -ERESTARTSYS, is at the svc again, with argument 0 in x0. A task that is untraced, or
 * runs already, is not waited for. Counts the call's two events, of which a call that the
 * filter refuses has only the second.
 */
struct stop task_leave(struct task *k, unsigned int i, long request, int nr, __u64 result);

/**
 * task_block() - into a call that blocks: when this returns, it does
 * @k: the task, after task_enter()
 * @i: the call
 */
void task_block(struct task *k, unsigned int i);

/* task_read() - make call @i a read that blocks until task_give(). Return: its buffer, of 1. */
char *task_read(struct task *k, unsigned int i);

/* task_give() - a byte for a task_read(), which then returns 1. */
void task_give(void);

/**
 * task_end() - to the task's end, which is exit_group(0)
 * @k:       the task
 * @results: x0 of each call, and every other register as before
 *
 * Then checks the frames and the tracepoint events.
 */
void task_end(struct task *k, const __u64 *results);

/* task_check_events() - the tracepoint events so far; nothing without WORK_TRACEPOINT. */
void task_check_events(const struct task *k);

#endif
