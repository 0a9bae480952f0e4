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

/* blocking_body() - a body for tracee_start() and tracee_spawn(), with that script. */
void blocking_body(void *script);

/* blocking_start() - the tracee, at the entry stop of the call. TRACESYSGOOD is set. */
struct stop blocking_start(struct tracee *t, const struct blocking *b, struct svc_script *s);

/* blocking_spawn() - an untraced task that sleeps in the call. */
struct tracee blocking_spawn(struct svc_script *s);

/* blocking_signal() - resume with @request; send @sig once the task sleeps in its call. */
void blocking_signal(struct tracee *t, long request, int sig);

/* blocking_restart_nr() - the number that a restart without a handler calls. */
unsigned int blocking_restart_nr(const struct blocking *b);

/**
 * blocking_finish() - a restarted call: let it go on, and the task end
 * @b: the call
 * @t: the task, which runs; the end is "exited 0"
 *
 * Where nothing else ends it, SIGUSR2 with a handler does.
 */
void blocking_finish(const struct blocking *b, struct tracee *t);

/**
 * check_blocking() - the registers after the call against those before
 * @b:  the call
 * @s:  its script
 * @x8: what x8 must be
 * @x0: what x0 must be; NULL: the call's own result
 */
void check_blocking(const struct blocking *b, const struct svc_script *s, __u64 x8,
		    const __u64 *x0);

/* stop_is() - tracee_to(), with the expected stop as for printf. */
struct stop __printf(4, 5) stop_is(struct tracee *t, long request, int sig,
				   const char *fmt, ...);

#endif
