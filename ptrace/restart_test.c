// SPDX-License-Identifier: GPL-2.0
/*
 * A call that a signal interrupts: the exit stop shows a restart code, which the
 * task never sees; it sees the call restarted, with its number and argument 0 or
 * as restart_syscall, or -EINTR (R01, R02, R03). arch/arm64/kernel/signal.c
 * arch_do_signal_or_restart(), do_signal() before 7.0, decides.
 */
#include <asm/unistd.h>
#include <errno.h>
#include <signal.h>

#include "blocking.h"
#include "case.h"
#include "caught.h"

/* What each case walks, one task making all calls. */
static const struct blocking *const calls[] = {
	&blocking_read, &blocking_lock_pi, &blocking_ppoll, &blocking_sigsuspend,
	&blocking_nanosleep, &blocking_futex_timeout, &blocking_wait4,
};

/* Signals that are delivered without a handler: calls that stay, and that do not. */
static const struct blocking *const without_handler[] = {
	&blocking_futex, &blocking_sleep_until, &blocking_nanosleep,
};

/* Does the call restart after a handler with these flags? */
static bool restarts(const struct blocking *b, int sa_flags)
{
	return b->handler == RESTARTS || (b->handler == AS_SA_RESTART && sa_flags & SA_RESTART);
}

/* To the signal-delivery-stop: PC is on the svc already, and x0 argument 0 again. */
static struct stop interrupt(struct tracee *t, const struct blocking *b, int sig)
{
	blocking_entry(t, b);
	blocking_signal(t, PTRACE_SYSCALL, sig);
	stop_is(t, WAIT_ONLY, 0, "exit %s pc=svc+4 x0=%s", syscall_name(b->nr), b->code);
	return stop_is(t, PTRACE_SYSCALL, 0, "signal %s SI_USER pc=svc x0=arg0", sig_name(sig));
}

static void check_second_entry(const struct blocking *b, const struct stop *s,
			       const struct svc_frame *f)
{
	for (unsigned int i = 0; i < 31; i++) {
		__u64 want = i == 7 ? 0 : i == 8 ? blocking_restart_nr(b) : f->x[i];

		check_eqf(want, s->regs.regs[i], "x%u at the second entry stop" ABOUT, i,
			  ABOUT_ARGS(s->about));
	}
	check_nr_at(s, "NT_ARM_SYSTEM_CALL at the second entry stop", (int)blocking_restart_nr(b));
}

/* Resume with @sig, which has no handler, to the second entry stop, and to the end. */
static void restarted(struct tracee *t, const struct blocking *b, const struct svc_script *sc,
		      unsigned int i, int sig)
{
	struct stop s;

	s = stop_is(t, PTRACE_SYSCALL, sig, "entry %s pc=svc+4 x0=arg0",
		    syscall_name(blocking_restart_nr(b)));
	check_second_entry(b, &s, &sc->f[i]);
	tracee_resume(t, PTRACE_CONT, 0);
	blocking_finish(b, t);
	check_blocking_nth(b, sc, i, blocking_restart_nr(b), NULL);
}

TEST(restart_exit_stop_shows_the_code_and_without_the_signal_the_call_restarts)
{
	struct svc_script *sc;
	struct tracee t;
	struct stop s;

	PINS("R01 R03");
	sc = blocking_list(calls, ARRAY_SIZE(calls), true);
	catch_signal(SIGUSR2, SA_RESTART, NULL);
	t = blocking_traced(sc);
	for (unsigned int i = 0; i < ARRAY_SIZE(calls); i++) {
		blocking_at(&t, calls[i], sc, i);
		s = interrupt(&t, calls[i], SIGUSR1);
		check_nr_at(&s, "NT_ARM_SYSTEM_CALL at the signal-delivery-stop", -1);
		check_at(&s, "x8 at the signal-delivery-stop", calls[i]->nr, s.regs.regs[8]);
		restarted(&t, calls[i], sc, i, 0);
	}
	tracee_end(&t);
}

/* A task that nobody traces is in the next call once it sleeps again. */
TEST(restart_untraced_stop_and_continue_restarts_the_call)
{
	struct svc_script *sc;
	struct tracee t;

	PINS("R01 R03");
	sc = blocking_list(calls, ARRAY_SIZE(calls), false);
	catch_signal(SIGUSR2, SA_RESTART, NULL);
	t = blocking_spawn(sc);
	for (unsigned int i = 0; i < ARRAY_SIZE(calls); i++) {
		blocking_at(&t, calls[i], sc, i);
		tracee_wait_blocked(&t);
		kill(t.pid, SIGSTOP);
		kill(t.pid, SIGCONT);
		blocking_let_go(calls[i], &t);
	}
	blocking_end(&t, WAIT_ONLY, 0);
	for (unsigned int i = 0; i < ARRAY_SIZE(calls); i++)
		check_blocking_nth(calls[i], sc, i, blocking_restart_nr(calls[i]), NULL);
}

/* What the handlers were shown, and so where sigreturn went, and what came of the calls. */
static void check_handlers(const struct svc_script *sc, int sa_flags)
{
	const __u64 eintr = U64(-EINTR);

	caught_tell();
	check_eq("handlers that ran", ARRAY_SIZE(calls), caught_count());
	for (unsigned int i = 0; i < ARRAY_SIZE(calls); i++) {
		bool again = restarts(calls[i], sa_flags);
		struct svc_frame f = sc->f[i];

		if (!again)
			f.x[0] = eintr;
		check_caught_regs_of(calls[i]->name, caught_nth(i), &f,
				     U64(again ? svc_insn : svc_after));
		check_blocking_nth(calls[i], sc, i, calls[i]->nr, again ? NULL : &eintr);
	}
}

static void traced_handler(struct tracee *t, const struct blocking *b, int sa_flags)
{
	bool again = restarts(b, sa_flags);

	interrupt(t, b, SIGUSR1);
	tracee_to(t, PTRACE_SYSCALL, SIGUSR1, "entry rt_sigreturn");
	tracee_to(t, PTRACE_SYSCALL, 0, again ? "exit -1 pc=svc x0=arg0" :
						"exit -1 pc=svc+4 x0=-EINTR");
	if (!again) {
		blocking_end(t, PTRACE_CONT, 0);
		return;
	}
	stop_is(t, PTRACE_SYSCALL, 0, "entry %s pc=svc+4 x0=arg0", syscall_name(b->nr));
	tracee_resume(t, PTRACE_CONT, 0);
	blocking_finish(b, t);
}

static void traced_handlers(int sa_flags)
{
	struct svc_script *sc;
	struct tracee t;

	sc = blocking_list(calls, ARRAY_SIZE(calls), true);
	catch_signal(SIGUSR1, sa_flags, NULL);
	t = blocking_traced(sc);
	for (unsigned int i = 0; i < ARRAY_SIZE(calls); i++) {
		blocking_at(&t, calls[i], sc, i);
		traced_handler(&t, calls[i], sa_flags);
	}
	tracee_end(&t);
	check_handlers(sc, sa_flags);
}

TEST(restart_handler_with_sa_restart_restarts_as_the_code_says)
{
	PINS("R01 R02");
	traced_handlers(SA_RESTART);
}

TEST(restart_handler_without_sa_restart_restarts_as_the_code_says)
{
	PINS("R01 R02");
	traced_handlers(0);
}

static void untraced_handlers(int sa_flags)
{
	struct svc_script *sc;
	struct tracee t;

	sc = blocking_list(calls, ARRAY_SIZE(calls), false);
	catch_signal(SIGUSR1, sa_flags, NULL);
	t = blocking_spawn(sc);
	for (unsigned int i = 0; i < ARRAY_SIZE(calls); i++) {
		blocking_at(&t, calls[i], sc, i);
		blocking_signal(&t, WAIT_ONLY, SIGUSR1);
		if (restarts(calls[i], sa_flags))
			blocking_let_go(calls[i], &t);
	}
	blocking_end(&t, WAIT_ONLY, 0);
	check_handlers(sc, sa_flags);
}

TEST(restart_untraced_handler_with_sa_restart_restarts_as_the_code_says)
{
	PINS("R02");
	untraced_handlers(SA_RESTART);
}

TEST(restart_untraced_handler_without_sa_restart_restarts_as_the_code_says)
{
	PINS("R02");
	untraced_handlers(0);
}

TEST(restart_an_ignored_signal_restarts_the_call)
{
	const struct blocking *b;
	struct svc_script *sc;
	struct tracee t;

	PINS("R01 R03");
	signal(SIGUSR1, SIG_IGN);
	sc = blocking_list(without_handler, ARRAY_SIZE(without_handler), true);
	catch_signal(SIGUSR2, SA_RESTART, NULL);
	t = blocking_traced(sc);
	for (unsigned int i = 0; i < ARRAY_SIZE(without_handler); i++) {
		b = without_handler[i];
		blocking_at(&t, b, sc, i);
		interrupt(&t, b, SIGUSR1);
		restarted(&t, b, sc, i, SIGUSR1);
	}
	tracee_end(&t);
}

TEST(restart_a_group_stop_restarts_the_call)
{
	const struct blocking *b;
	struct svc_script *sc;
	struct tracee t;

	PINS("R01 R03");
	sc = blocking_list(without_handler, ARRAY_SIZE(without_handler), true);
	catch_signal(SIGUSR2, SA_RESTART, NULL);
	t = blocking_traced(sc);
	for (unsigned int i = 0; i < ARRAY_SIZE(without_handler); i++) {
		b = without_handler[i];
		blocking_at(&t, b, sc, i);
		interrupt(&t, b, SIGSTOP);
		tracee_to(&t, PTRACE_SYSCALL, SIGSTOP, "group SIGSTOP");
		restarted(&t, b, sc, i, 0);
	}
	tracee_end(&t);
}
