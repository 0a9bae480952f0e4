// SPDX-License-Identifier: GPL-2.0
/* System calls that block: see blocking.h. */
#include <asm/unistd.h>
#include <errno.h>
#include <linux/futex.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "blocking.h"
#include "caught.h"
#include "effect.h"

#define NEVER	1000000000	/* seconds, since boot or from now on: 31 years */

/* What the calls point to; the child of wait4 lives as long as a pipe has a writer. */
static struct data {
	__u32 futex;
	struct timespec time;
	struct pollfd poll;
	__u64 mask;
	char byte;
	int life[2];
	long child;
} *data, *all_data;

/* Does the task stop itself after each call? */
static bool stops;

static void fill_read(struct svc_frame *f)
{
	svc_fill(f, __NR_read, 3, U64(EFFECT_READ_FD), U64(&data->byte), U64(1));
}

static void fill_wait4(struct svc_frame *f)
{
	if (pipe(data->life))
		case_die("no pipe");
	svc_fill(f, __NR_wait4, 4, U64(-1), U64(0), U64(__WALL), U64(0));
}

static void fill_futex(struct svc_frame *f)
{
	svc_fill(f, __NR_futex, 4, U64(&data->futex), U64(FUTEX_WAIT), U64(0), U64(0));
}

static void fill_futex_timeout(struct svc_frame *f)
{
	svc_fill(f, __NR_futex, 4, U64(&data->futex), U64(FUTEX_WAIT), U64(0), U64(&data->time));
}

/* A lock's word is its owner's thread id. */
static void fill_lock_pi(struct svc_frame *f)
{
	data->futex = (__u32)gettid();
	svc_fill(f, __NR_futex, 4, U64(&data->futex), U64(FUTEX_LOCK_PI), U64(0), U64(0));
}

static void fill_ppoll(struct svc_frame *f)
{
	data->poll = (struct pollfd) { .fd = EFFECT_READ_FD, .events = POLLIN };
	svc_fill(f, __NR_ppoll, 5, U64(&data->poll), U64(1), U64(0), U64(0), U64(8));
}

static void fill_sigsuspend(struct svc_frame *f)
{
	svc_fill(f, __NR_rt_sigsuspend, 2, U64(&data->mask), U64(sizeof(data->mask)));
}

static void fill_sleep_until(struct svc_frame *f)
{
	svc_fill(f, __NR_clock_nanosleep, 4, U64(CLOCK_MONOTONIC), U64(TIMER_ABSTIME),
		 U64(&data->time), U64(0));
}

static void fill_nanosleep(struct svc_frame *f)
{
	svc_fill(f, __NR_nanosleep, 2, U64(&data->time), U64(0));
}

static void finish_pipe(void)
{
	if (write(EFFECT_FD, "!", 1) != 1)
		case_die("writing to the pipe failed");
}

static void finish_wait4(void)
{
	kill((pid_t)data->child, SIGKILL);
}

static void finish_futex(void)
{
	/* A task that sleeps has queued itself: to wake it cannot come too early. */
	if (syscall(__NR_futex, &data->futex, FUTEX_WAKE, 1, NULL, NULL, 0) != 1)
		case_die("nobody waits for the futex");
}

static void finish_lock_pi(void)
{
	if (syscall(__NR_futex, &data->futex, FUTEX_UNLOCK_PI, 0, NULL, NULL, 0))
		case_die("FUTEX_UNLOCK_PI failed");
}

const struct blocking blocking_read = {
	.name = "read",
	.nr = __NR_read, .code = "-ERESTARTSYS", .handler = AS_SA_RESTART,
	.fill = fill_read, .finish = finish_pipe, .result = 1,
};

const struct blocking blocking_wait4 = {
	.name = "wait4",
	.nr = __NR_wait4, .code = "-ERESTARTSYS", .handler = AS_SA_RESTART,
	.fill = fill_wait4, .finish = finish_wait4, .result_is_pid = true,
};

const struct blocking blocking_futex = {
	.name = "futex",
	.nr = __NR_futex, .code = "-ERESTARTSYS", .handler = AS_SA_RESTART,
	.fill = fill_futex, .finish = finish_futex, .result = 0,
};

const struct blocking blocking_lock_pi = {
	.name = "FUTEX_LOCK_PI",
	.nr = __NR_futex, .code = "-ERESTARTNOINTR", .handler = RESTARTS,
	.fill = fill_lock_pi, .finish = finish_lock_pi, .result = 0,
};

const struct blocking blocking_ppoll = {
	.name = "ppoll",
	.nr = __NR_ppoll, .code = "-ERESTARTNOHAND", .handler = EINTR_ALWAYS,
	.fill = fill_ppoll, .finish = finish_pipe, .result = 1,
};

const struct blocking blocking_sigsuspend = {
	.name = "rt_sigsuspend",
	.nr = __NR_rt_sigsuspend, .code = "-ERESTARTNOHAND", .handler = EINTR_ALWAYS,
	.fill = fill_sigsuspend, .result = (__u64)-EINTR,
};

const struct blocking blocking_sleep_until = {
	.name = "clock_nanosleep until a time",
	.nr = __NR_clock_nanosleep, .code = "-ERESTARTNOHAND", .handler = EINTR_ALWAYS,
	.fill = fill_sleep_until, .result = (__u64)-EINTR,
};

const struct blocking blocking_nanosleep = {
	.name = "nanosleep",
	.nr = __NR_nanosleep, .code = "-ERESTART_RESTARTBLOCK", .handler = EINTR_ALWAYS,
	.by_restart_syscall = true, .fill = fill_nanosleep, .result = (__u64)-EINTR,
};

const struct blocking blocking_futex_timeout = {
	.name = "futex with a timeout",
	.nr = __NR_futex, .code = "-ERESTART_RESTARTBLOCK", .handler = EINTR_ALWAYS,
	.by_restart_syscall = true, .fill = fill_futex_timeout, .finish = finish_futex,
	.result = 0,
};

static struct svc_script *new(const struct blocking *const *calls, unsigned int n)
{
	struct svc_script *s = svc_script_new(n);

	all_data = shared_alloc(n * sizeof(*all_data));
	effect_pipe();
	for (unsigned int i = 0; i < n; i++) {
		data = &all_data[i];
		data->time.tv_sec = NEVER;
		calls[i]->fill(&s->f[i]);
	}
	data = all_data;
	name_value(s->f[0].x[0], "arg0");
	return s;
}

struct svc_script *blocking_new(const struct blocking *b)
{
	stops = false;
	return new(&b, 1);
}

struct svc_script *blocking_list(const struct blocking *const *calls, unsigned int n,
				 bool with_stops)
{
	stops = with_stops;
	return new(calls, n);
}

void blocking_at(struct tracee *t, const struct blocking *b, const struct svc_script *s,
		 unsigned int i)
{
	data = &all_data[i];
	name_value(s->f[i].x[0], "arg0");
	t->about = b->name;
}

/* Not traced, and no SIGCHLD when it ends, which it does with the pipe's last writer. */
static void make_child(void)
{
	long child = svc_call(__NR_clone, 5, U64(0), U64(0), U64(0), U64(0), U64(0));
	char byte;

	if (child) {
		data->child = child;
		return;
	}
	svc_call(__NR_close, 1, U64(data->life[1]));
	svc_call(__NR_read, 3, U64(data->life[0]), U64(&byte), U64(1));
	svc_exit(0);
}

void blocking_body(void *script)
{
	struct svc_script *s = script;
	__u64 pid = stops ? U64(svc_call(__NR_getpid, 0)) : 0;

	for (unsigned int i = 0; i < s->n; i++) {
		data = &all_data[i];
		if (s->f[i].x[8] == __NR_wait4)
			make_child();
		svc_run(&s->f[i]);
		if (stops)
			svc_call(__NR_kill, 2, pid, U64(SIGSTOP));
	}
}

struct stop blocking_entry(struct tracee *t, const struct blocking *b)
{
	if (b->nr == __NR_wait4) {
		tracee_to(t, PTRACE_SYSCALL, 0, "entry clone");
		tracee_to(t, PTRACE_SYSCALL, 0, "exit clone pc=svc+4 x0=pid");
	}
	return stop_is(t, PTRACE_SYSCALL, 0, "entry %s pc=svc+4 x0=arg0", syscall_name(b->nr));
}

struct tracee blocking_traced(struct svc_script *s)
{
	struct tracee t = tracee_start(blocking_body, s, PTRACE_O_TRACESYSGOOD);

	/* What tells it its own PID, before the first call. */
	if (stops) {
		tracee_to(&t, PTRACE_SYSCALL, 0, "entry getpid");
		tracee_to(&t, PTRACE_SYSCALL, 0, "exit getpid");
	}
	return t;
}

struct stop blocking_start(struct tracee *t, const struct blocking *b, struct svc_script *s)
{
	*t = blocking_traced(s);
	return blocking_entry(t, b);
}

struct tracee blocking_spawn(struct svc_script *s)
{
	struct tracee t = tracee_spawn(blocking_body, s);

	tracee_wait_blocked(&t);
	return t;
}

void blocking_signal(struct tracee *t, long request, int sig)
{
	if (request != WAIT_ONLY)
		tracee_resume(t, request, 0);
	tracee_wait_blocked(t);
	kill(t->pid, sig);
}

unsigned int blocking_restart_nr(const struct blocking *b)
{
	return b->by_restart_syscall ? __NR_restart_syscall : b->nr;
}

void blocking_let_go(const struct blocking *b, struct tracee *t)
{
	tracee_wait_blocked(t);
	if (b->finish)
		b->finish();
	else
		kill(t->pid, SIGUSR2);
	if (!b->finish && t->options & PTRACE_O_TRACESYSGOOD) {
		tracee_to(t, WAIT_ONLY, 0, "signal SIGUSR2");
		tracee_resume(t, PTRACE_CONT, SIGUSR2);
	}
}

void blocking_end(struct tracee *t, long request, int sig)
{
	tracee_to(t, request, sig, stops ? "signal SIGSTOP SI_USER" : "exited 0");
}

void blocking_finish(const struct blocking *b, struct tracee *t)
{
	blocking_let_go(b, t);
	blocking_end(t, WAIT_ONLY, 0);
}

void check_blocking_nth(const struct blocking *b, const struct svc_script *s, unsigned int i,
			__u64 x8, const __u64 *x0)
{
	struct svc_frame f = s->f[i];

	f.x[8] = x8;
	check_frame_of(s->n > 1 ? b->name : NULL, &f, x0 ? *x0 :
		       b->result_is_pid ? U64(all_data[i].child) : b->result);
}

void check_blocking(const struct blocking *b, const struct svc_script *s, __u64 x8,
		    const __u64 *x0)
{
	check_blocking_nth(b, s, 0, x8, x0);
}

struct stop stop_is(struct tracee *t, long request, int sig, const char *fmt, ...)
{
	char text[128];
	va_list args;

	va_start(args, fmt);
	vsnprintf(text, sizeof(text), fmt, args);
	va_end(args);
	return tracee_to(t, request, sig, text);
}
