/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Calls of every outcome, under each kind of work that the kernel may have with a
 * call, with a class of registers loaded before each and checked after it.
 */
#ifndef REGWORK_H
#define REGWORK_H

#include "regclass.h"

/* What else happens to the task's calls. Audit and tracepoints are the caller's to switch on. */
enum regs_way {
	REGS_UNTRACED,
	REGS_TRACED,		/* PTRACE_SYSCALL: both stops */
	REGS_STEPPED,		/* PTRACE_SINGLESTEP over each svc */
	REGS_FILTERED,		/* a filter, which nearly everything passes */
	REGS_DISPATCHED,	/* Syscall User Dispatch, the selector at allow */
};

/**
 * check_class_kept() - all that a call may do to a class of registers
 * @class: the class; the case is skipped where the machine lacks it
 * @way:   what happens; the case is skipped where the kernel cannot do it
 *
 * The task makes a call after which it is on another CPU, where its tracer follows it, one
 * that fails, one without a function, one that is skipped (by the tracer or by the filter),
 * one that is emulated, and one that a signal interrupts and that is restarted. After each,
 * registers and result must be what they have to be, and at every stop on the way the regset
 * must show the same.
 */
void check_class_kept(const struct reg_class *class, enum regs_way way);

#endif
