/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Signals as their handlers see them: siginfo and interrupted registers,
 * recorded in memory that the case shares with its children.
 */
#ifndef ENTRY_CAUGHT_H
#define ENTRY_CAUGHT_H

#include <asm/ptrace.h>
#include <signal.h>
#include <ucontext.h>

#include "svc.h"

/**
 * struct caught - one signal, on arrival in its handler
 * @si:   siginfo
 * @regs: x0-x30, SP, PC and PSTATE of the context that sigreturn would restore
 */
struct caught {
	siginfo_t si;
	struct user_pt_regs regs;
};

/**
 * catch_signal() - handle @sig by recording it
 * @sig:   the signal
 * @flags: for sigaction, besides SA_SIGINFO: SA_RESTART, SA_NODEFER, ...
 * @then:  called in the handler after the recording, may change @uc and is the
 *         place to undo what must not last; NULL for nothing
 *
 * The handler makes no system call but rt_sigreturn, from the vDSO. A signal
 * that comes again and again fails the case at the sixteenth time.
 */
void catch_signal(int sig, int flags, void (*then)(ucontext_t *uc));

/* caught_count() - how many signals have been caught, of any number. */
unsigned int caught_count(void);

/* caught_nth() - the @n-th of them, from 0. The case ends if there are fewer. */
const struct caught *caught_nth(unsigned int n);

/**
 * caught_tell() - write the signals caught to the transcript
 *
 * As "caught SIGSYS SYS_USER_DISPATCH pc=svc+4 x0=pattern0 x8=dup". For after
 * the handlers: it writes.
 */
void caught_tell(void);

/**
 * check_caught_regs() - the context of a caught signal against the registers
 *                       before the interrupted instruction
 * @c:  the signal
 * @f:  the frame of the stub that was interrupted
 * @pc: what PC must be
 *
 * x0-x30, SP and NZCV must be those of @f, x0 and x8 among them: the kernel has
 * not begun the call, or has rolled it back.
 */
void check_caught_regs(const struct caught *c, const struct svc_frame *f, __u64 pc);

/* check_caught_regs_of() - the same, with @about, as in struct tracee, in the messages. */
void check_caught_regs_of(const char *about, const struct caught *c, const struct svc_frame *f,
			  __u64 pc);

#endif
