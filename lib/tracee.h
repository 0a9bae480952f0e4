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

/**
 * struct tracee - a task that the case traces, or is going to
 * @pid:     its thread id
 * @options: PTRACE_O_*
 * @running: it has not ended yet
 * @quiet:   set by a test: its stops do not go to the transcript, since their number or
 *           order differs from run to run
 * @about:   set by a test that does several things with one task: which one it is at, for
 *           the messages ("number 0xf0800 in Thumb code"); NULL where nothing is to be said
 */
struct tracee {
	pid_t pid;
	unsigned long options;
	bool running;
	bool quiet;
	const char *about;
};

/**
 * struct stop - one stop, decoded
 * @kind:  what it is; STOP_BAD never reaches a test
 * @sig:   the signal, for STOP_SIGNAL and the SIGTRAPs; of death for STOP_KILLED
 * @code:  exit status for STOP_EXITED, si_code otherwise
 * @event: PTRACE_EVENT_* for STOP_EVENT and STOP_SECCOMP
 * @nr:    NT_ARM_SYSTEM_CALL
 * @compat: a 32-bit task
 * @regs:  NT_PRSTATUS; of a 32-bit task r0-r12 as regs[0..12], r13 as sp, r14 as
 *         regs[14], cpsr as pstate, the r0 of a restart (orig_r0) as regs[15]
 * @si:    PTRACE_GETSIGINFO, where the stop has one
 * @msg:   PTRACE_GETEVENTMSG
 * @info:  PTRACE_GET_SYSCALL_INFO
 * @text:  the stop in the suite's notation, as in the transcript: the kind, then
 *         for a syscall stop number, pc and x0 ("exit dup pc=svc+4 x0=-EBADF"), for a
 *         signal its name, si_code, pc and x0. Process ids read "tracer",
 *         "tracee" or "pid"; a pc without a label reads "elsewhere"
 * @about: that of the tracee
 *
 * After STOP_EXITED and STOP_KILLED only @kind, @sig, @code and @text are set.
 */
struct stop {
	enum stop_kind kind;
	int sig;
	int code;
	int event;
	int nr;
	bool compat;
	struct user_pt_regs regs;
	siginfo_t si;
	unsigned long msg;
	struct entry_syscall_info info;
	char text[256];
	const char *about;
};

/*
 * tracee_in_child - called first in each task that the functions here fork, before it
 * is traced; NULL for nothing. May use libc.
 */
extern void (*tracee_in_child)(void);

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
 * @request: PTRACE_SYSCALL, PTRACE_CONT, PTRACE_SINGLESTEP, PTRACE_SYSEMU, ...; or
 *           WAIT_ONLY, for one that runs already
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

/* For tracee_next() and its like, and for the rows of a table: the task runs already. */
#define WAIT_ONLY	0L

/**
 * tracee_resume() - resume, and do something while it runs
 * @t, @request, @sig: as for tracee_next(), which is to follow, with WAIT_ONLY
 */
void tracee_resume(struct tracee *t, long request, int sig);

/**
 * tracee_wait_blocked() - wait until the task sleeps in a system call
 * @t: a running task that makes no call but the one that blocks
 *
 * Its state in /proc is "sleeping", which it is in no stop. One that stops or ends
 * instead, or does not sleep within 20 s, ends the case.
 */
void tracee_wait_blocked(struct tracee *t);

/*
 * tracee_wait_state() - the same for another state, by its letter in /proc: 'T' for a
 * group stop that is no ptrace stop, 't' for a stop that nobody waits for.
 */
void tracee_wait_state(struct tracee *t, char letter);

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

/**
 * tracee_spawn() - fork @body as a child that nobody traces; it runs at once
 * @body, @arg: as for tracee_start()
 *
 * tracee_seize() or tracee_attach() makes it a tracee; without, tracee_next() with
 * WAIT_ONLY gives its end.
 */
struct tracee tracee_spawn(void (*body)(void *arg), void *arg);

/**
 * tracee_seize() - PTRACE_SEIZE, which stops nothing
 * @t:       a task of the case that nobody traces, wherever it is
 * @options: as for tracee_start()
 *
 * Refused, it ends the case.
 */
void tracee_seize(struct tracee *t, unsigned long options);

/* tracee_interrupt() - PTRACE_INTERRUPT of a seized task; "event stop" follows. */
void tracee_interrupt(struct tracee *t);

/**
 * tracee_attach() - PTRACE_ATTACH, and wait for the stop by its SIGSTOP
 * @t, @options: as for tracee_seize()
 *
 * Return: that stop. Resume with signal 0.
 */
struct stop tracee_attach(struct tracee *t, unsigned long options);

/**
 * tracee_adopt() - a child or thread that the kernel attached for PTRACE_O_TRACEFORK
 *                  and its like
 * @parent: its creator, whose options it has
 * @pid:    the event message of the fork, vfork or clone event
 *
 * Its first stop, of SIGSTOP or, from a seized creator, "event stop", is to be
 * waited for with WAIT_ONLY.
 */
struct tracee tracee_adopt(const struct tracee *parent, pid_t pid);

/**
 * tracee_any() - wait for the next stop of any task of the case
 * @list: the tasks that it traces, all resumed or waited for before
 * @n:    how many; a task that is new, for PTRACE_O_TRACEFORK and its like, is added,
 *        as by tracee_adopt() of the first
 * @max:  how many there may be
 * @s:    the stop
 *
 * The case must have no other child that may end meanwhile.
 * Return: whose it is, as the index in @list.
 */
unsigned int tracee_any(struct tracee *list, unsigned int *n, unsigned int max, struct stop *s);

/**
 * tracee_detach() - PTRACE_DETACH from a stop
 * @t:   afterwards a task that nobody traces
 * @sig: signal to deliver
 */
void tracee_detach(struct tracee *t, int sig);

/* tracee_end() - kill the tracee, whatever state it is in, and reap it. */
void tracee_end(struct tracee *t);

/*
 * tracee_get_regs(), tracee_set_regs() - NT_PRSTATUS; failure ends the case. For a
 * 32-bit task as in struct stop.
 */
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

/* check_frame_of() - the same, with @about, as in struct tracee, in the messages. */
void check_frame_of(const char *about, const struct svc_frame *f, __u64 x0);

/* check_at() - check_eq() with what the stop is about in the message. */
bool check_at(const struct stop *s, const char *what, __u64 expected, __u64 observed);

/* check_nr_at() - the same for NT_ARM_SYSTEM_CALL at the stop, as check_nr(). */
bool check_nr_at(const struct stop *s, const char *what, int expected);

#endif
