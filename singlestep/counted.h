/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A system call between instructions that count: to see that each of them is
 * executed once, not only where the task stops.
 */
#ifndef COUNTED_H
#define COUNTED_H

#include <signal.h>

#include "tracee.h"

/**
 * counted() - brk; add x19, 1; svc; add x20, 1; add x21, 1; brk
 * @unused: a body for tracee_start() has an argument
 *
 * Sets up nothing: at the first brk the tracer gives every register its value
 * and the task its PC. Does not return.
 */
void counted(void *unused);

/* A handler of the stub: add x22, 1; mov x8, rt_sigreturn; svc. "handler" in the notation. */
void counted_handler(int sig);

/* The instruction before svc, svc itself, and the brk that ends it at svc+12. */
extern const char counted_before[], counted_svc[], counted_end[];

/* A place to set PC to: ldr x22, [x23]; str x22, [x23]; brk. "touch" in the notation. */
extern const char counted_touch[];

/**
 * struct counted_call - what the tracer makes the stub call
 * @nr:     x8
 * @args:   x0 on; the other registers have a pattern
 * @nargs:  how many
 * @result: x0 afterwards
 */
struct counted_call {
	__u64 nr;
	__u64 args[6];
	unsigned int nargs;
	__u64 result;
};

/* umask(022) in a task whose umask counted_start() has made 077. */
extern const struct counted_call counted_umask;

/* An address for mmap, free with 36 bits of address space, too; "map" in the notation. */
#define COUNTED_MAP	0x500000000
#define COUNTED_NZCV	0xf0000000ull	/* the condition flags in PSTATE */

/**
 * counted_start() - a tracee at counted_before, its registers ready for call @c
 * @c:       the call
 * @options: as for tracee_start()
 * @regs:    set to the registers written
 *
 * The stub is "svc" in the notation, counted_before "before".
 */
struct tracee counted_start(const struct counted_call *c, unsigned long options,
			    struct user_pt_regs *regs);

/* counted_check_regs() - x0-x30, PC, SP and NZCV at stop @s must be those of @want. */
void counted_check_regs(const struct stop *s, const struct user_pt_regs *want);

/**
 * counted_catch() - counted_handler() for @sig, in tracees started from now on
 * @sig:   the signal
 * @flags: of sigaction
 * @mask:  blocked meanwhile, NULL for nothing but @sig
 */
void counted_catch(int sig, int flags, const sigset_t *mask);

/**
 * counted_let_exit() - the stub no longer ends with brk, but goes on
 * @t: a tracee in the stub, which then calls getppid, without effect on x0, and exits
 *     with the counted call's result
 *
 * For a task that nobody traces any more, and would die of the brk.
 */
void counted_let_exit(struct tracee *t);

#endif
