/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The vDSO that the kernel has mapped into this process, and calls of its
 * functions. A task forked from this process has it at the same place.
 */
#ifndef PTRACE_VDSO_H
#define PTRACE_VDSO_H

#include "tracee.h"

/**
 * vdso_function() - the address of a function of the vDSO, found in its ELF symbols
 * @name: such as "__kernel_clock_gettime"
 *
 * A case that asks for one that is not there is skipped. The address reads as @name in
 * the notation.
 */
__u64 vdso_function(const char *name);

/* in_vdso() - is @pc in the vDSO's code? */
bool in_vdso(__u64 pc);

/**
 * struct vdso_call - a call of a function of the vDSO, for memory that is shared
 * @function: its address
 * @args:     x0 on
 * @out:      what the function may write to, and the pointer for an argument
 * @result:   x0 afterwards
 */
struct vdso_call {
	__u64 function;
	__u64 args[5];
	__u64 out[32];
	long result;
};

/**
 * vdso_call_start() - a tracee that is going to execute the first instruction of @call's
 *                     function
 *
 * At the exit stop of a getuid(), where its registers have been written. It stores the
 * result and ends.
 */
struct tracee vdso_call_start(struct vdso_call *call, unsigned long options);

/* vdso_call_run() - a body for tracee_start() and child_run(): do that, and nothing else. */
void vdso_call_run(void *call);

/* libc's; its header would bring an elf.h that linux/elf.h contradicts. */
unsigned long getauxval(unsigned long type);

#endif
