// SPDX-License-Identifier: GPL-2.0
/*
 * Restarts where one signal and one blocked call are not all: two signals, a
 * handler that itself blocks, a signal that is pending before the call, a
 * restart_syscall without anything to restart (R01, R02, R03).
 * arch/arm64/kernel/signal.c arch_do_signal_or_restart(), do_signal() before 7.0,
 * forgets the call at the first signal; sigreturn() forgets what restart_syscall
 * would do.
 */
#include <asm/unistd.h>
#include <errno.h>
#include <linux/sched.h>
#include <signal.h>
#include <unistd.h>

#include "blocking.h"
#include "case.h"
#include "caught.h"
#include "effect.h"

#define SYSGOOD	PTRACE_O_TRACESYSGOOD

FIXTURE(two_signals) {
};

/* Handled both, of the flags of SIGUSR1 and SIGUSR2; the lower number comes first. */
FIXTURE_VARIANT(two_signals) {
	int first, second;
	bool restarts;
};

FIXTURE_VARIANT_ADD(two_signals, first_with_sa_restart) {
	.first = SA_RESTART, .second = 0, .restarts = true,
};

FIXTURE_VARIANT_ADD(two_signals, second_with_sa_restart) {
	.first = 0, .second = SA_RESTART, .restarts = false,
};

FIXTURE_VARIANT_ADD(two_signals, both_with_sa_restart) {
	.first = SA_RESTART, .second = SA_RESTART, .restarts = true,
};

FIXTURE_SETUP(two_signals)
{
}

FIXTURE_TEARDOWN(two_signals)
{
}

/* The second one interrupts the first one's handler, and is no business of the call. */
TEST_F(two_signals, the_first_decides_and_the_call_restarts_once)
{
	const __u64 eintr = U64(-EINTR);
	struct svc_script *sc;
	struct tracee t;
	struct stop s;

	PINS("R02");
	sc = blocking_new(&blocking_read);
	catch_signal(SIGUSR1, variant->first, NULL);
	catch_signal(SIGUSR2, variant->second, NULL);
	blocking_start(&t, &blocking_read, sc);
	blocking_signal(&t, PTRACE_SYSCALL, SIGUSR1);
	tracee_to(&t, WAIT_ONLY, 0, "exit read pc=svc+4 x0=-ERESTARTSYS");
	kill(t.pid, SIGUSR2);
	tracee_to(&t, PTRACE_SYSCALL, 0, "signal SIGUSR1 SI_USER pc=svc x0=arg0");
	s = tracee_to(&t, PTRACE_SYSCALL, SIGUSR1, "signal SIGUSR2");
	check_eq("x0 at the second signal, in the first one's handler", SIGUSR1, s.regs.regs[0]);
	if (variant->restarts) {
		tracee_resume(&t, PTRACE_CONT, SIGUSR2);
		blocking_finish(&blocking_read, &t);
	} else {
		tracee_to(&t, PTRACE_CONT, SIGUSR2, "exited 0");
	}
	check_eq("handlers that ran", 2, caught_count());
	check_eq("the handler that runs first", SIGUSR2, U64(caught_nth(0)->si.si_signo));
	check_eq("x0 that it returns to", SIGUSR1, caught_nth(0)->regs.regs[0]);
	check_eq("PC that the other returns to", U64(variant->restarts ? svc_insn : svc_after),
		 caught_nth(1)->regs.pc);
	check_blocking(&blocking_read, sc, __NR_read, variant->restarts ? NULL : &eintr);
}

/* Dropped signals restart the call as often as they come. */
TEST(call_restarts_after_each_of_several_signals)
{
	struct svc_script *sc;
	struct tracee t;

	PINS("R01 R02");
	sc = blocking_new(&blocking_read);
	blocking_start(&t, &blocking_read, sc);
	for (int i = 0; i < 5; i++) {
		blocking_signal(&t, PTRACE_SYSCALL, SIGUSR1);
		tracee_to(&t, WAIT_ONLY, 0, "exit read pc=svc+4 x0=-ERESTARTSYS");
		tracee_to(&t, PTRACE_SYSCALL, 0, "signal SIGUSR1 SI_USER pc=svc x0=arg0");
		tracee_to(&t, PTRACE_SYSCALL, 0, "entry read pc=svc+4 x0=arg0");
	}
	tracee_resume(&t, PTRACE_CONT, 0);
	blocking_finish(&blocking_read, &t);
	check_blocking(&blocking_read, sc, __NR_read, NULL);
}

/* restart_syscall is interrupted as the call that it stands for. */
TEST(restart_syscall_restarts_after_each_of_several_signals)
{
	struct svc_script *sc;
	struct tracee t;

	PINS("R01 R03");
	sc = blocking_new(&blocking_futex_timeout);
	blocking_start(&t, &blocking_futex_timeout, sc);
	for (int i = 0; i < 5; i++) {
		blocking_signal(&t, PTRACE_SYSCALL, SIGUSR1);
		stop_is(&t, WAIT_ONLY, 0, "exit %s pc=svc+4 x0=-ERESTART_RESTARTBLOCK",
			i ? "restart_syscall" : "futex");
		tracee_to(&t, PTRACE_SYSCALL, 0, "signal SIGUSR1 SI_USER pc=svc x0=arg0");
		tracee_to(&t, PTRACE_SYSCALL, 0, "entry restart_syscall pc=svc+4 x0=arg0");
	}
	tracee_resume(&t, PTRACE_CONT, 0);
	blocking_finish(&blocking_futex_timeout, &t);
	check_blocking(&blocking_futex_timeout, sc, __NR_restart_syscall, NULL);
}

/* For the handler that makes a call of its own: in memory of both sides. */
static struct svc_script *inner;

static void run_inner(ucontext_t *uc)
{
	(void)uc;
	svc_run(&inner->f[0]);
}

/* Outer and inner call have restarts of their own. */
TEST(call_in_a_handler_restarts_and_then_the_interrupted_one_does)
{
	struct svc_script *sc;
	struct tracee t;

	PINS("R02");
	inner = blocking_new(&blocking_read);
	sc = blocking_new(&blocking_futex);
	catch_signal(SIGUSR1, SA_RESTART, run_inner);
	catch_signal(SIGUSR2, SA_RESTART, NULL);
	t = blocking_spawn(sc);
	blocking_signal(&t, WAIT_ONLY, SIGUSR1);
	blocking_signal(&t, WAIT_ONLY, SIGUSR2);
	tracee_wait_blocked(&t);
	if (write(EFFECT_FD, "!", 1) != 1)
		case_die("writing to the pipe failed");
	blocking_finish(&blocking_futex, &t);
	check_eq("handlers that ran", 2, caught_count());
	check_eq("PC that the first returns to", U64(svc_insn), caught_nth(0)->regs.pc);
	check_eq("its x0", sc->f[0].x[0], caught_nth(0)->regs.regs[0]);
	check_eq("PC that the second returns to", U64(svc_insn), caught_nth(1)->regs.pc);
	check_eq("its x0", inner->f[0].x[0], caught_nth(1)->regs.regs[0]);
	check_frame(&inner->f[0], 1);
	check_blocking(&blocking_futex, sc, __NR_futex, NULL);
}

FIXTURE(pending) {
};

/* The signal is there before the call: a call that would block does not. */
FIXTURE_VARIANT(pending) {
	const struct blocking *call;
};

FIXTURE_VARIANT_ADD(pending, read) {
	.call = &blocking_read,
};

FIXTURE_VARIANT_ADD(pending, wait4) {
	.call = &blocking_wait4,
};

FIXTURE_VARIANT_ADD(pending, ppoll) {
	.call = &blocking_ppoll,
};

FIXTURE_VARIANT_ADD(pending, futex_timeout) {
	.call = &blocking_futex_timeout,
};

FIXTURE_SETUP(pending)
{
}

FIXTURE_TEARDOWN(pending)
{
}

TEST_F(pending, before_the_call_interrupts_it_and_it_restarts)
{
	const struct blocking *b = variant->call;
	struct svc_script *sc;
	struct tracee t;

	PINS("R01 R03 P17");
	sc = blocking_new(b);
	blocking_start(&t, b, sc);
	stop_is(&t, PTRACE_SYSCALL, SIGUSR1, "exit %s pc=svc+4 x0=%s", syscall_name(b->nr),
		b->code);
	tracee_to(&t, PTRACE_SYSCALL, 0, "signal SIGUSR1 SI_KERNEL pc=svc x0=arg0");
	stop_is(&t, PTRACE_SYSCALL, 0, "entry %s pc=svc+4 x0=arg0",
		syscall_name(blocking_restart_nr(b)));
	tracee_resume(&t, PTRACE_CONT, 0);
	blocking_finish(b, &t);
	check_blocking(b, sc, blocking_restart_nr(b), NULL);
}

/* The child ends at once; its parent waits for that, as CLONE_VFORK says. */
static void vfork_body(void *arg)
{
	struct svc_script *s = arg;

	svc_run(&s->f[0]);
	if (!s->f[0].x_out[0])
		svc_exit(0);
}

/* No call makes half a child: with a signal pending it is put off, whatever handles it. */
TEST(clone_with_a_signal_pending_is_put_off_until_after_the_handler)
{
	struct svc_script *sc;
	struct tracee t;
	struct stop s;

	PINS("R01 R02");
	catch_signal(SIGUSR1, 0, NULL);
	sc = svc_script_new(1);
	svc_fill(&sc->f[0], __NR_clone, 5, U64(CLONE_VFORK), U64(0), U64(0), U64(0), U64(0));
	name_value(CLONE_VFORK, "flags");
	t = tracee_start(vfork_body, sc, SYSGOOD);
	tracee_to(&t, PTRACE_SYSCALL, 0, "entry clone pc=svc+4 x0=flags");
	tracee_to(&t, PTRACE_SYSCALL, SIGUSR1, "exit clone pc=svc+4 x0=-ERESTARTNOINTR");
	tracee_to(&t, PTRACE_SYSCALL, 0, "signal SIGUSR1 SI_KERNEL pc=svc x0=flags");
	tracee_to(&t, PTRACE_SYSCALL, SIGUSR1, "entry rt_sigreturn");
	tracee_to(&t, PTRACE_SYSCALL, 0, "exit -1 pc=svc x0=flags");
	tracee_to(&t, PTRACE_SYSCALL, 0, "entry clone pc=svc+4 x0=flags");
	s = tracee_to(&t, PTRACE_SYSCALL, 0, "exit clone pc=svc+4 x0=pid");
	tracee_to(&t, PTRACE_CONT, 0, "exited 0");
	check_eq("PC in the handler's context", U64(svc_insn), caught_nth(0)->regs.pc);
	check_frame(&sc->f[0], s.regs.regs[0]);
}

TEST(restart_syscall_with_nothing_to_restart_is_eintr)
{
	static const struct stop_row rows[] = {
		{ PTRACE_SYSCALL, 0, "entry restart_syscall pc=svc+4 x0=pattern0" },
		{ PTRACE_SYSCALL, 0, "exit restart_syscall pc=svc+4 x0=-EINTR" },
		{ PTRACE_CONT, 0, "exited 0" },
	};
	struct svc_script *sc;
	struct tracee t;

	PINS("R03");
	sc = svc_script_new(1);
	svc_fill(&sc->f[0], __NR_restart_syscall, 0);
	t = tracee_start(svc_script_run, sc, SYSGOOD);
	tracee_expect(&t, rows, ARRAY_SIZE(rows), NULL);
	check_frame(&sc->f[0], U64(-EINTR));
}

/* sigreturn drops what the interrupted call has left for restart_syscall. */
TEST(restart_syscall_after_a_handler_is_eintr)
{
	const __u64 eintr = U64(-EINTR);
	struct svc_script *sc;
	struct tracee t;

	PINS("R03");
	sc = blocking_new(&blocking_nanosleep);
	sc->n = 2;
	svc_fill(&sc->f[1], __NR_restart_syscall, 0);
	catch_signal(SIGUSR1, SA_RESTART, NULL);
	t = blocking_spawn(sc);
	kill(t.pid, SIGUSR1);
	tracee_to(&t, WAIT_ONLY, 0, "exited 0");
	check_blocking(&blocking_nanosleep, sc, __NR_nanosleep, &eintr);
	check_frame(&sc->f[1], U64(-EINTR));
}
