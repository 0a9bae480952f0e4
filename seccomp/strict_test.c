// SPDX-License-Identifier: GPL-2.0
/*
 * Strict mode: read, write, exit and rt_sigreturn run, every other number kills
 * with SIGKILL and has no side effect (C02 of the contract).
 * kernel/seccomp.c __secure_computing_strict() decides; libseccomp has no part in it.
 */
#include <linux/seccomp.h>
#include <sys/uio.h>
#include <ucontext.h>

#include "rules.h"
#include "tracee.h"

struct strict {
	unsigned int returned, handled;
	struct svc_frame call, read;
	char byte;
	struct iovec iov;
};

static struct strict *strict;

static struct strict *new_strict(void)
{
	if (prctl(PR_GET_SECCOMP) < 0)
		case_skip("no seccomp: needs CONFIG_SECCOMP");
	if (prctl(PR_GET_SECCOMP))
		case_skip("the task is under a filter, strict mode is refused: run outside of it");
	strict = shared_alloc(sizeof(*strict));
	effect_pipe();
	return strict;
}

static void enter_strict(void)
{
	if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_STRICT))
		case_die("entering strict mode failed: %s", strerror(errno));
}

/* Steps over the brk, so that rt_sigreturn goes on behind it. */
static void on_brk(int sig, siginfo_t *si, void *ctx)
{
	ucontext_t *uc = ctx;

	(void)sig;
	(void)si;
	strict->handled++;
	uc->uc_mcontext.pc += 4;
}

static void the_allowed_four(void *arg)
{
	struct sigaction sa = { .sa_sigaction = on_brk, .sa_flags = SA_SIGINFO };
	struct strict *s = arg;

	sigaction(SIGTRAP, &sa, NULL);
	enter_strict();
	svc_run(&s->call);
	svc_run(&s->read);
	asm volatile("brk #0" ::: "memory");
	s->returned = 1;
	svc_call(__NR_exit, 1, U64(3));
	s->returned = 2;
}

TEST(strict_mode_runs_read_write_exit_and_sigreturn)
{
	struct strict *s;
	char end[64];

	PINS("C02");
	s = new_strict();
	effect_call(&s->call);
	svc_fill(&s->read, __NR_read, 3, U64(EFFECT_READ_FD), U64(&s->byte), U64(1));
	child_run(the_allowed_four, s, end, sizeof(end));
	check_str("the end of the child", "exited 3", end);
	check_frame(&s->call, 1);
	check_frame(&s->read, 1);
	check_eq("the byte that went through the pipe", '!', U64(s->byte));
	check_eq("runs of the signal handler", 1, s->handled);
	check_eq("progress: behind the handler, not behind exit", 1, s->returned);
}

static void one_forbidden(void *arg)
{
	struct strict *s = arg;

	enter_strict();
	svc_run(&s->call);
	s->returned = 1;
}

TEST(strict_mode_kills_every_other_call)
{
	static const int numbers[] = {
		-1, 0, __NR_writev, __NR_openat, __NR_close, __NR_exit_group, __NR_restart_syscall,
		__NR_rt_sigprocmask, __NR_rt_sigaction, __NR_getpid, __NR_prctl, 1000000,
	};
	char end[64], what[64];

	PINS("C02");
	for (unsigned int i = 0; i < ARRAY_SIZE(numbers); i++) {
		struct strict *s = new_strict();

		s->iov = (struct iovec){ "!", 1 };
		svc_fill(&s->call, U64(numbers[i]), 3, U64(EFFECT_FD), U64(&s->iov), U64(1));
		transcript("number %s", syscall_name(numbers[i]));
		child_run(one_forbidden, s, end, sizeof(end));
		snprintf(what, sizeof(what), "the end of the child that called number %s",
			 syscall_name(numbers[i]));
		check_str(what, "killed SIGKILL", end);
		check_eq("returns of that call", 0, s->returned);
		check_eq("bytes that it wrote", 0, effect_count());
	}
}
