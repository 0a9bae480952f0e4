/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The tracee library: start a body of code as a tracee, resume it, get the next
 * stop decoded and cross-checked. No test calls waitpid() or ptrace() for that
 * itself. Every tracee has PTRACE_O_EXITKILL and dies with its case.
 */
#ifndef ENTRY_TRACEE_H
#define ENTRY_TRACEE_H

#include <asm/ptrace.h>
#include <linux/ptrace.h>
#include <sys/types.h>

#include "check.h"
#include "decode.h"
#include "svc.h"
#include "uapi.h"

struct tracee {
	pid_t pid;
	unsigned long options;
	bool running;		/* between tracee_start() and its end */
};

/**
 * struct stop - one stop, decoded
 * @kind:  what it is; STOP_BAD never reaches a test
 * @sig:   the signal, for STOP_SIGNAL and the SIGTRAPs; of death for STOP_KILLED
 * @code:  exit status for STOP_EXITED, si_code otherwise
 * @event: PTRACE_EVENT_* for STOP_EVENT and STOP_SECCOMP
 * @nr:    NT_ARM_SYSTEM_CALL
 * @regs:  NT_PRSTATUS
 * @si:    PTRACE_GETSIGINFO, where the stop has one
 * @msg:   PTRACE_GETEVENTMSG
 * @info:  PTRACE_GET_SYSCALL_INFO
 * @text:  the stop in the suite's notation, as in the transcript: the kind, then
 *         for a syscall stop number, pc and x0 ("exit dup pc=svc+4 x0=-EBADF"), for a
 *         signal its name, si_code, pc and x0. Process ids read "tracer",
 *         "tracee" or "pid"; a pc without a label reads "elsewhere"
 *
 * After STOP_EXITED and STOP_KILLED only @kind, @sig, @code and @text are set.
 */
struct stop {
	enum stop_kind kind;
	int sig;
	int code;
	int event;
	int nr;
	struct user_pt_regs regs;
	siginfo_t si;
	unsigned long msg;
	struct entry_syscall_info info;
	char text[256];
};

/**
 * tracee_start() - fork @body as a tracee and stop it before its first instruction
 * @body:    runs in the child; must issue calls by svc_run()/svc_call() only, since
 *           any other call is a stop as well; ends with svc_exit(0) if it returns
 * @arg:     for @body; shared_alloc() memory is seen by both sides
 * @options: PTRACE_O_*; PTRACE_O_EXITKILL is always set. PTRACE_O_TRACESYSGOOD is
 *           the caller's choice
 *
 * The tracee waits in the signal-delivery-stop of its own SIGSTOP. Resume it
 * with signal 0.
 */
struct tracee tracee_start(void (*body)(void *arg), void *arg, unsigned long options);

/**
 * tracee_next() - resume with @request, wait, decode
 * @t:       a stopped tracee
 * @request: PTRACE_SYSCALL, PTRACE_CONT, PTRACE_SINGLESTEP, PTRACE_SYSEMU, ...
 * @sig:     signal to deliver, 0 for none
 *
 * Every stop is cross-checked: a syscall stop's SIGTRAP|0x80 (with
 * TRACESYSGOOD) or si_code, event message, GET_SYSCALL_INFO op, arch,
 * instruction and stack pointer, and x7 must all say the same
 * (kernel/ptrace.c, arch/arm64/kernel/ptrace.c); a disagreement fails the case.
 * The stop goes to the transcript. A tracee that does not stop within 20 s ends
 * the case with its state.
 */
struct stop tracee_next(struct tracee *t, long request, int sig);

/**
 * struct stop_row - one line of a table of expected stops
 * @request: resumes the tracee
 * @sig:     signal given with it
 * @expect:  the next stop in the notation: the words of stop.text, of which the
 *           trailing ones may be left out
 */
struct stop_row {
	long request;
	int sig;
	const char *expect;
};

/**
 * tracee_expect() - walk a table of expected stops
 * @t:    the tracee
 * @rows: the table
 * @n:    its length
 * @last: the last stop seen, or NULL
 *
 * Stops walking at the first difference, which fails the case with the expected
 * and observed stops side by side.
 * Return: whether all were as expected.
 */
bool tracee_expect(struct tracee *t, const struct stop_row *rows, size_t n, struct stop *last);

/**
 * tracee_to() - resume to one stop without which the case cannot go on
 * @t, @request, @sig: as for tracee_next()
 * @expect: as in struct stop_row; another stop fails the case and ends it
 */
struct stop tracee_to(struct tracee *t, long request, int sig, const char *expect);

/* tracee_first() - tracee_start() on a script, and tracee_to() its first stop. */
struct stop tracee_first(struct tracee *t, struct svc_script *script, unsigned long options,
			 long request, const char *expect);

/* tracee_end() - kill the tracee, whatever state it is in, and reap it. */
void tracee_end(struct tracee *t);

/* tracee_get_regs(), tracee_set_regs() - NT_PRSTATUS; failure ends the case. */
void tracee_get_regs(struct tracee *t, struct user_pt_regs *regs);
void tracee_set_regs(struct tracee *t, const struct user_pt_regs *regs);

/* tracee_get_nr(), tracee_set_nr() - NT_ARM_SYSTEM_CALL; failure ends the case. */
int tracee_get_nr(struct tracee *t);
void tracee_set_nr(struct tracee *t, int nr);

/**
 * tracee_syscall_info() - PTRACE_GET_SYSCALL_INFO
 * @t:    a stopped tracee
 * @info: filled with at most @size bytes
 * @size: as given to the kernel
 *
 * Return: what the kernel returned, the full size of the data, or -errno.
 */
long tracee_syscall_info(struct tracee *t, struct entry_syscall_info *info, size_t size);

/**
 * tracee_request() - any other ptrace request, for the request's own test
 *
 * Return: the kernel's answer, -errno for an error. No PEEK special case: data
 * is stored through @data as the raw system call does.
 */
long tracee_request(struct tracee *t, long request, unsigned long addr, void *data);

/**
 * child_run() - run @body as an untraced child and wait for its end
 * @body: as in tracee_start(), but may use libc; returning is exit status 0
 * @arg:  for @body
 * @text: receives the end in the notation: "exited 0", "killed SIGSEGV"
 * @size: of @text
 *
 * The end goes to the transcript. A child that runs for 20 s ends the case.
 */
void child_run(void (*body)(void *arg), void *arg, char *text, size_t size);

/**
 * check_frame() - the registers after a call against those before it
 * @f:  a frame that svc_run() has filled
 * @x0: what x0 must be
 *
 * x1-x30, SP and NZCV must be what they were before the svc.
 */
void check_frame(const struct svc_frame *f, __u64 x0);

#endif
