// SPDX-License-Identifier: GPL-2.0
/*
 * PTRACE_SYSEMU and signals: one that comes with the emulated call's result, a
 * result that asks for a restart, a blocked call that is interrupted
 * (E01). get_signal() comes after the stop, in arch/arm64/kernel/signal.c
 * arch_do_signal_or_restart() (do_signal() in older kernels).
 */
#include <asm/unistd.h>
#include <errno.h>
#include <signal.h>

#include "case.h"
#include "effect.h"
#include "tracee.h"

#define SYSGOOD		PTRACE_O_TRACESYSGOOD
#define RESULT		0x7e5017

static struct stop emulated_write(struct tracee *t, struct svc_script **sc)
{
	name_value(RESULT, "result");
	effect_pipe();
	*sc = svc_script_new(2);
	effect_call(&(*sc)->f[0]);
	return tracee_first(t, *sc, SYSGOOD, PTRACE_SYSEMU, "entry write pc=svc+4 x0=200");
}

TEST(signal_given_at_a_sysemu_stop_follows_the_emulated_call)
{
	struct svc_script *sc;
	struct tracee t;
	struct stop s;

	PINS("E01");
	s = emulated_write(&t, &sc);
	s.regs.regs[0] = RESULT;
	tracee_set_regs(&t, &s.regs);
	s = tracee_to(&t, PTRACE_SYSEMU, SIGUSR1,
		      "signal SIGUSR1 SI_KERNEL pc=svc+4 x0=result");
	check_nr("NT_ARM_SYSTEM_CALL at the signal-delivery-stop", -1, s.nr);
	check_eq("x7 at the signal-delivery-stop", svc_pattern(7), s.regs.regs[7]);
	tracee_to(&t, PTRACE_SYSEMU, 0, "entry getuid pc=svc+4 x0=pattern0");
	tracee_end(&t);
	check_eq("bytes that the emulated write() wrote", 0, effect_count());
	check_frame(&sc->f[0], RESULT);
}

static void empty_handler(int sig)
{
	(void)sig;
}

/* The handler's return is a call like any other: PC back to the svc makes it run. */
TEST(handler_runs_between_an_emulated_call_and_the_next)
{
	struct sigaction sa = { .sa_handler = empty_handler };
	struct svc_script *sc;
	struct tracee t;
	struct stop s;

	PINS("E01");
	sigaction(SIGUSR1, &sa, NULL);
	s = emulated_write(&t, &sc);
	s.regs.regs[0] = RESULT;
	tracee_set_regs(&t, &s.regs);
	tracee_to(&t, PTRACE_SYSEMU, SIGUSR1, "signal SIGUSR1 SI_KERNEL pc=svc+4 x0=result");
	s = tracee_to(&t, PTRACE_SYSEMU, SIGUSR1, "entry rt_sigreturn");
	s.regs.pc -= 4;
	tracee_set_regs(&t, &s.regs);
	tracee_to(&t, PTRACE_SYSCALL, 0, "exit rt_sigreturn");
	tracee_to(&t, PTRACE_SYSCALL, 0, "entry rt_sigreturn");
	tracee_to(&t, PTRACE_SYSEMU, 0, "entry getuid pc=svc+4 x0=pattern0");
	tracee_end(&t);
	check_eq("bytes that the emulated write() wrote", 0, effect_count());
	check_frame(&sc->f[0], RESULT);
}

FIXTURE(emulated_restart) {
};

FIXTURE_VARIANT(emulated_restart) {
	long code;
	const char *second;
};

FIXTURE_VARIANT_ADD(emulated_restart, erestartsys) {
	.code = -512, .second = "entry write pc=svc+4",
};

FIXTURE_VARIANT_ADD(emulated_restart, erestartnointr) {
	.code = -513, .second = "entry write pc=svc+4",
};

FIXTURE_VARIANT_ADD(emulated_restart, erestartnohand) {
	.code = -514, .second = "entry write pc=svc+4",
};

FIXTURE_VARIANT_ADD(emulated_restart, erestart_restartblock) {
	.code = -516, .second = "entry restart_syscall pc=svc+4",
};

FIXTURE_SETUP(emulated_restart)
{
}

FIXTURE_TEARDOWN(emulated_restart)
{
}

/* x0 is the result here, not an argument that the tracer changed: argument 0 must come back. */
TEST_F(emulated_restart, with_a_signal_makes_the_call_again_with_argument_0)
{
	struct svc_script *sc;
	struct tracee t;
	struct stop s;

	PINS("E01 K06");
	s = emulated_write(&t, &sc);
	s.regs.regs[0] = U64(variant->code);
	tracee_set_regs(&t, &s.regs);
	s = tracee_to(&t, PTRACE_SYSEMU, SIGUSR1, "signal SIGUSR1 SI_KERNEL pc=svc");
	check_eq("x0 at the signal-delivery-stop", EFFECT_FD, s.regs.regs[0]);
	s = tracee_to(&t, PTRACE_SYSEMU, 0, variant->second);
	check_eq("x0 at the second entry stop", EFFECT_FD, s.regs.regs[0]);
	s.regs.regs[0] = RESULT;
	tracee_set_regs(&t, &s.regs);
	tracee_to(&t, PTRACE_SYSEMU, 0, "entry getuid pc=svc+4 x0=pattern0");
	tracee_end(&t);
	check_eq("bytes that the emulated write() wrote", 0, effect_count());
	check_eq("x0 after the call", RESULT, sc->f[0].x_out[0]);
}

/* The read has begun as a call of its own; the one that the restart makes is emulated. */
TEST(blocked_call_interrupted_and_resumed_with_sysemu_restarts_into_a_stop)
{
	struct svc_script *sc;
	struct tracee t;
	struct stop s;
	char byte;

	PINS("E01");
	effect_pipe();
	sc = svc_script_new(2);
	svc_fill(&sc->f[0], __NR_read, 3, U64(EFFECT_READ_FD), U64(&byte), U64(1));
	t = tracee_spawn(svc_script_run, sc);
	tracee_wait_blocked(&t);
	tracee_seize(&t, SYSGOOD);
	tracee_interrupt(&t);
	tracee_to(&t, WAIT_ONLY, 0, "event stop");
	s = tracee_to(&t, PTRACE_SYSEMU, 0, "entry read pc=svc+4 x0=201");
	s.regs.regs[0] = RESULT;
	tracee_set_regs(&t, &s.regs);
	tracee_to(&t, PTRACE_SYSEMU, 0, "entry getuid pc=svc+4 x0=pattern0");
	tracee_end(&t);
	check_frame(&sc->f[0], RESULT);
}
