/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Kinds of work that the kernel has on a call's way in and out, as bits, and how a
 * case switches them on for the tasks that it is going to fork. All of it is undone
 * when the case ends, in whatever way: what belongs to a task goes with it, and audit,
 * which belongs to the machine, is put back by a process that outlives the case. Only the
 * tracepoints, which take long to switch off, stay on until the program's next
 * work_begin() that is not to have them, or until the program ends. So cases that have them
 * are cheap where they follow each other.
 *
 * A program that includes this needs libaudit: its Makefile includes ../lib/work.mk.
 */
#ifndef ENTRY_WORK_H
#define ENTRY_WORK_H

#include <errno.h>
#include <linux/types.h>
#include <sys/types.h>

enum work_kind {
	WORK_PTRACE	= 1 << 0,	/* PTRACE_SYSCALL: the tracer's to do */
	WORK_STEP	= 1 << 1,	/* PTRACE_SINGLESTEP: the tracer's to do */
	WORK_SECCOMP	= 1 << 2,	/* a filter that allows */
	WORK_AUDIT	= 1 << 3,	/* audit, without a rule */
	WORK_TRACEPOINT	= 1 << 4,	/* raw_syscalls:sys_enter and sys_exit */
	WORK_SUD	= 1 << 5,	/* Syscall User Dispatch, the selector on allow */
};

/* What shows that the filter of WORK_SECCOMP is asked: it refuses this call with this error. */
#define WORK_FILTERED_NR	__NR_sched_get_priority_max
#define WORK_FILTERED_ERRNO	E2BIG

/**
 * work_begin() - switch on kinds of work
 * @kinds: WORK_*, of which WORK_PTRACE and WORK_STEP change nothing here
 *
 * Skips the case where a kind cannot be had, with what would enable it. A filter is the
 * calling process's, too; audit and SUD are for the tasks forked from now on
 * (kernel/auditsc.c audit_alloc(), a hook of lib/tracee); the tracepoints concern all
 * tasks at once (kernel/tracepoint.c syscall_regfunc()). May be called again for more, also
 * when tasks are in a call. A case that does not call it may find the tracepoints on.
 *
 * Audit that was off leaves one thing behind that only a reboot undoes: each task that
 * is forked later has a context and the flag of this work (audit_ever_enabled), with
 * audit off again. So the programs that use it run last (TOPICS in the Makefile).
 */
void work_begin(unsigned int kinds);

/**
 * work_end() - switch off WORK_AUDIT and WORK_TRACEPOINT before the case ends
 * @kinds: which of them; those that are not on are left alone
 *
 * Returns when the kernel is done with it.
 */
void work_end(unsigned int kinds);

/**
 * struct work_count - the tracepoint events of one task
 * @fd: of its perf events, for sys_enter and sys_exit
 */
struct work_count {
	int fd[2];
};

/**
 * work_count_start() - count the events of one task, and of no other, from now on
 * @pid: a task of the case that is stopped or blocked, so that it is known where it starts
 *
 * Needs WORK_TRACEPOINT, which lasts as long as this, too.
 */
struct work_count work_count_start(pid_t pid);

/* work_count_end() - close the descriptors, before the tracepoints are to be off. */
void work_count_end(struct work_count *count);

/**
 * check_work_count() - the task must have made so many events
 * @count: of a task that has ended or is stopped or blocked
 * @enter, @exit: sys_enter and sys_exit
 */
void check_work_count(const struct work_count *count, __u64 enter, __u64 exit);

/* work_names() - "ptrace+audit" for the bits; "nothing" for none. */
const char *work_names(unsigned int kinds);

#endif
