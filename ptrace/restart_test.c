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

FIXTURE(restart) {
};

FIXTURE_VARIANT(restart) {
	const struct blocking *call;
};

FIXTURE_VARIANT_ADD(restart, read) {
	.call = &blocking_read,
};

FIXTURE_VARIANT_ADD(restart, wait4) {
	.call = &blocking_wait4,
};

FIXTURE_VARIANT_ADD(restart, lock_pi) {
	.call = &blocking_lock_pi,
};

FIXTURE_VARIANT_ADD(restart, ppoll) {
	.call = &blocking_ppoll,
};

FIXTURE_VARIANT_ADD(restart, sigsuspend) {
	.call = &blocking_sigsuspend,
};

FIXTURE_VARIANT_ADD(restart, nanosleep) {
	.call = &blocking_nanosleep,
};

FIXTURE_VARIANT_ADD(restart, futex_timeout) {
	.call = &blocking_futex_timeout,
};

FIXTURE_SETUP(restart)
{
}

FIXTURE_TEARDOWN(restart)
{
}

/* Does the call restart after a handler with these flags? */
static bool restarts(const struct blocking *b, int sa_flags)
{
	return b->handler == RESTARTS || (b->handler == AS_SA_RESTART && sa_flags & SA_RESTART);
}

/* To the signal-delivery-stop: PC is on the svc already, and x0 argument 0 again. */
static struct stop interrupt(struct tracee *t, const struct blocking *b, struct svc_script *s,
			     int sig)
{
	blocking_start(t, b, s);
	blocking_signal(t, PTRACE_SYSCALL, sig);
	stop_is(t, WAIT_ONLY, 0, "exit %s pc=svc+4 x0=%s", syscall_name(b->nr), b->code);
	return stop_is(t, PTRACE_SYSCALL, 0, "signal %s SI_USER pc=svc x0=arg0", sig_name(sig));
}

static void check_second_entry(const struct blocking *b, const struct stop *s,
			       const struct svc_frame *f)
{
	char what[48];

	for (unsigned int i = 0; i < 31; i++) {
		__u64 want = i == 7 ? 0 : i == 8 ? blocking_restart_nr(b) : f->x[i];

		snprintf(what, sizeof(what), "x%u at the second entry stop", i);
		check_eq(what, want, s->regs.regs[i]);
	}
	check_nr("NT_ARM_SYSTEM_CALL at the second entry stop", (int)blocking_restart_nr(b),
		 s->nr);
}

/* Resume with @sig, which has no handler, to the second entry stop, and to the end. */
static void restarted(struct tracee *t, const struct blocking *b, struct svc_script *sc, int sig)
{
	struct stop s;

	catch_signal(SIGUSR2, SA_RESTART, NULL);
	s = stop_is(t, PTRACE_SYSCALL, sig, "entry %s pc=svc+4 x0=arg0",
		    syscall_name(blocking_restart_nr(b)));
	check_second_entry(b, &s, &sc->f[0]);
	tracee_resume(t, PTRACE_CONT, 0);
	blocking_finish(b, t);
	check_blocking(b, sc, blocking_restart_nr(b), NULL);
}

TEST_F(restart, exit_stop_shows_the_code_and_without_the_signal_the_call_restarts)
{
	const struct blocking *b = variant->call;
	struct svc_script *sc;
	struct tracee t;
	struct stop s;

	PINS("R01 R03");
	sc = blocking_new(b);
	catch_signal(SIGUSR2, SA_RESTART, NULL);
	s = interrupt(&t, b, sc, SIGUSR1);
	check_nr("NT_ARM_SYSTEM_CALL at the signal-delivery-stop", -1, s.nr);
	check_eq("x8 at the signal-delivery-stop", b->nr, s.regs.regs[8]);
	restarted(&t, b, sc, 0);
}

TEST_F(restart, untraced_stop_and_continue_restarts_the_call)
{
	const struct blocking *b = variant->call;
	struct svc_script *sc;
	struct tracee t;

	PINS("R01 R03");
	sc = blocking_new(b);
	catch_signal(SIGUSR2, SA_RESTART, NULL);
	t = blocking_spawn(sc);
	kill(t.pid, SIGSTOP);
	kill(t.pid, SIGCONT);
	blocking_finish(b, &t);
	check_blocking(b, sc, blocking_restart_nr(b), NULL);
}

/* What the handler is shown, and so where sigreturn goes. */
static void check_handler(const struct blocking *b, const struct svc_script *sc, int sa_flags)
{
	bool again = restarts(b, sa_flags);
	struct svc_frame f = sc->f[0];

	if (!again)
		f.x[0] = U64(-EINTR);
	check_eq("handlers that ran", 1, caught_count());
	check_caught_regs(caught_nth(0), &f, U64(again ? svc_insn : svc_after));
}

static void traced_handler(const struct blocking *b, int sa_flags)
{
	const __u64 eintr = U64(-EINTR);
	bool again = restarts(b, sa_flags);
	struct svc_script *sc;
	struct tracee t;

	sc = blocking_new(b);
	catch_signal(SIGUSR1, sa_flags, NULL);
	interrupt(&t, b, sc, SIGUSR1);
	tracee_to(&t, PTRACE_SYSCALL, SIGUSR1, "entry rt_sigreturn");
	tracee_to(&t, PTRACE_SYSCALL, 0, again ? "exit -1 pc=svc x0=arg0" :
						 "exit -1 pc=svc+4 x0=-EINTR");
	if (again) {
		stop_is(&t, PTRACE_SYSCALL, 0, "entry %s pc=svc+4 x0=arg0", syscall_name(b->nr));
		tracee_resume(&t, PTRACE_CONT, 0);
		blocking_finish(b, &t);
	} else {
		tracee_to(&t, PTRACE_CONT, 0, "exited 0");
	}
	caught_tell();
	check_handler(b, sc, sa_flags);
	check_blocking(b, sc, b->nr, again ? NULL : &eintr);
}

TEST_F(restart, handler_with_sa_restart_restarts_as_the_code_says)
{
	PINS("R01 R02");
	traced_handler(variant->call, SA_RESTART);
}

TEST_F(restart, handler_without_sa_restart_restarts_as_the_code_says)
{
	PINS("R01 R02");
	traced_handler(variant->call, 0);
}

static void untraced_handler(const struct blocking *b, int sa_flags)
{
	const __u64 eintr = U64(-EINTR);
	bool again = restarts(b, sa_flags);
	struct svc_script *sc;
	struct tracee t;

	sc = blocking_new(b);
	catch_signal(SIGUSR1, sa_flags, NULL);
	t = blocking_spawn(sc);
	kill(t.pid, SIGUSR1);
	if (again)
		blocking_finish(b, &t);
	else
		tracee_to(&t, WAIT_ONLY, 0, "exited 0");
	caught_tell();
	check_handler(b, sc, sa_flags);
	check_blocking(b, sc, b->nr, again ? NULL : &eintr);
}

TEST_F(restart, untraced_handler_with_sa_restart_restarts_as_the_code_says)
{
	PINS("R02");
	untraced_handler(variant->call, SA_RESTART);
}

TEST_F(restart, untraced_handler_without_sa_restart_restarts_as_the_code_says)
{
	PINS("R02");
	untraced_handler(variant->call, 0);
}

FIXTURE(no_handler) {
};

/* Signals that are delivered without a handler: one call that stays, one that does not. */
FIXTURE_VARIANT(no_handler) {
	const struct blocking *call;
};

FIXTURE_VARIANT_ADD(no_handler, futex) {
	.call = &blocking_futex,
};

FIXTURE_VARIANT_ADD(no_handler, sleep_until) {
	.call = &blocking_sleep_until,
};

FIXTURE_VARIANT_ADD(no_handler, nanosleep) {
	.call = &blocking_nanosleep,
};

FIXTURE_SETUP(no_handler)
{
}

FIXTURE_TEARDOWN(no_handler)
{
}

TEST_F(no_handler, an_ignored_signal_restarts_the_call)
{
	struct svc_script *sc;
	struct tracee t;

	PINS("R01 R03");
	signal(SIGUSR1, SIG_IGN);
	sc = blocking_new(variant->call);
	catch_signal(SIGUSR2, SA_RESTART, NULL);
	interrupt(&t, variant->call, sc, SIGUSR1);
	restarted(&t, variant->call, sc, SIGUSR1);
}

TEST_F(no_handler, a_group_stop_restarts_the_call)
{
	struct svc_script *sc;
	struct tracee t;

	PINS("R01 R03");
	sc = blocking_new(variant->call);
	catch_signal(SIGUSR2, SA_RESTART, NULL);
	interrupt(&t, variant->call, sc, SIGSTOP);
	tracee_to(&t, PTRACE_SYSCALL, SIGSTOP, "group SIGSTOP");
	restarted(&t, variant->call, sc, 0);
}
