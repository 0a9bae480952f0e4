/* SPDX-License-Identifier: GPL-2.0 */
/*
 * System calls that block, what the kernel makes of them when a signal comes, and
 * how each can be let go on: the rows of the restart tests.
 */
#ifndef BLOCKING_H
#define BLOCKING_H

#include "tracee.h"

/* What a handler does to the call: what SA_RESTART asks for, or always the same. */
enum after_handler {
	AS_SA_RESTART,
	RESTARTS,
	EINTR_ALWAYS,
};

/**
 * struct blocking - one call
 * @name:    for messages
 * @nr:      its number
 * @code:    what the exit stop shows when a signal has interrupted it
 * @handler: whether it restarts after a handler
 * @by_restart_syscall: without a handler it goes on as restart_syscall, number 128
 * @fill:    make a frame that call, and what it waits for
 * @finish:  let it go on; NULL where only a handler ends it, with EINTR
 * @result:  what it returns then; 0 with @result_is_pid
 * @result_is_pid: it returns the id of the child that blocking_body() makes
 */
struct blocking {
	const char *name;
	unsigned int nr;
	const char *code;
	enum after_handler handler;
	bool by_restart_syscall;
	void (*fill)(struct svc_frame *frame);
	void (*finish)(void);
	__u64 result;
	bool result_is_pid;
};

/* -ERESTARTSYS: an empty pipe, a child that lives, a futex */
extern const struct blocking blocking_read, blocking_wait4, blocking_futex;
/* -ERESTARTNOINTR: a lock that the tracer holds */
extern const struct blocking blocking_lock_pi;
/* -ERESTARTNOHAND: poll, sleep until a point of time */
extern const struct blocking blocking_ppoll, blocking_sigsuspend, blocking_sleep_until;
/* -ERESTART_RESTARTBLOCK: those with a time to wait */
extern const struct blocking blocking_nanosleep, blocking_futex_timeout;

/**
 * blocking_new() - a script of one call
 * @b: the call; its argument 0 is "arg0" in the notation
 */
struct svc_script *blocking_new(const struct blocking *b);

/**
 * blocking_list() - a script of several calls, which one task makes one after the other
 * @calls, @n: up to 8 of them, read before ppoll, whose byte stays, and wait4 once at most
 *         and, without stops, last: it sleeps on until its child has ended
 * @stops: the task stops itself with SIGSTOP after each call, and is killed at the end; it
 *         must be traced by then
 */
struct svc_script *blocking_list(const struct blocking *const *calls, unsigned int n, bool stops);

/* blocking_at() - call @i of the list, @b, is that which the functions below are about. */
void blocking_at(struct tracee *t, const struct blocking *b, const struct svc_script *s,
		 unsigned int i);

/* blocking_body() - a body for tracee_start() and tracee_spawn(), with that script. */
void blocking_body(void *script);

/* blocking_start() - the tracee, at the entry stop of the call. TRACESYSGOOD is set. */
struct stop blocking_start(struct tracee *t, const struct blocking *b, struct svc_script *s);

/* blocking_traced() - the tracee before its first call; blocking_entry() - to the next one. */
struct tracee blocking_traced(struct svc_script *s);
struct stop blocking_entry(struct tracee *t, const struct blocking *b);

/* blocking_spawn() - an untraced task that sleeps in the call. */
struct tracee blocking_spawn(struct svc_script *s);

/* blocking_signal() - resume with @request; send @sig once the task sleeps in its call. */
void blocking_signal(struct tracee *t, long request, int sig);

/* blocking_restart_nr() - the number that a restart without a handler calls. */
unsigned int blocking_restart_nr(const struct blocking *b);

/**
 * blocking_finish() - a restarted call: let it go on, and the task end
 * @b: the call
 * @t: the task, which runs; the end is "exited 0", or SIGSTOP of a script with stops
 *
 * Where nothing else ends it, SIGUSR2 with a handler does.
 */
void blocking_finish(const struct blocking *b, struct tracee *t);

/* blocking_let_go() - the same, but for the end; blocking_end() - resume to the end. */
void blocking_let_go(const struct blocking *b, struct tracee *t);
void blocking_end(struct tracee *t, long request, int sig);

/**
 * check_blocking() - the registers after the call against those before
 * @b:  the call
 * @s:  its script
 * @x8: what x8 must be
 * @x0: what x0 must be; NULL: the call's own result
 */
void check_blocking(const struct blocking *b, const struct svc_script *s, __u64 x8,
		    const __u64 *x0);

/* check_blocking_nth() - the same for call @i of a list; messages name it. */
void check_blocking_nth(const struct blocking *b, const struct svc_script *s, unsigned int i,
			__u64 x8, const __u64 *x0);

/* stop_is() - tracee_to(), with the expected stop as for printf. */
struct stop __printf(4, 5) stop_is(struct tracee *t, long request, int sig,
				   const char *fmt, ...);

#endif
