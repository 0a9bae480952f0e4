/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A tracer that makes the system calls of other programs for them, as sandboxes do:
 * it has their files, and they have none. What only a task itself can do, with
 * its memory, signals and children, it is made to do where it has stopped.
 */
#ifndef PTRACE_EMULATOR_H
#define PTRACE_EMULATOR_H

#include "tracee.h"

enum emulator_method {
	BY_SYSEMU,	/* PTRACE_SYSEMU; PC back to the svc for a call of the task's own */
	BY_NUMBER,	/* PTRACE_SYSCALL; number -1 for a call that the tracer makes */
};

/**
 * emulate() - run a program to its end
 * @t:      a tracee, stopped before its execve(), with EMULATOR_OPTIONS
 * @method: how its calls are kept from running
 * @fds:    descriptors of the tracer: the program's 0, 1 and 2
 *
 * With its children and threads. Calls that the emulator does not know are the
 * task's own. It fails the case if it met none of a call that it knows.
 * Return: the program's last stop.
 */
struct stop emulate(struct tracee *t, enum emulator_method method, const int fds[3]);

#define EMULATOR_OPTIONS \
	(PTRACE_O_TRACESYSGOOD | PTRACE_O_TRACEFORK | PTRACE_O_TRACEVFORK | \
	 PTRACE_O_TRACECLONE | PTRACE_O_TRACEEXEC)

#endif
