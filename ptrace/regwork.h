/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Calls of every outcome, under each kind of work that the kernel may have with a
 * call, with a class of registers loaded before each and checked after it.
 */
#ifndef REGWORK_H
#define REGWORK_H

#include "regclass.h"

/* What else happens to the task's calls. */
enum work {
	WORK_NONE,
	WORK_PTRACE,		/* PTRACE_SYSCALL: both stops */
	WORK_STEP,		/* PTRACE_SINGLESTEP over each svc */
	WORK_SECCOMP,		/* a filter, which nearly everything passes */
	WORK_SUD,		/* Syscall User Dispatch, the selector at allow */
};

/**
 * check_class_kept() - all that a call may do to a class of registers
 * @class: the class; the case is skipped where the machine lacks it
 * @work:  the kind of work; the case is skipped where the kernel lacks it
 *
 * The task makes a call that returns, one after which it is on another CPU, one
 * that fails, one without a function, one that is skipped (by the tracer or by the
 * filter), one that is emulated, and one that a signal interrupts and that is
 * restarted. After each, registers and result must be what they have to be, and
 * at every stop on the way the regset must show the same.
 */
void check_class_kept(const struct reg_class *class, enum work work);

#endif
