// SPDX-License-Identifier: GPL-2.0
/*
 * A tracer between an interrupted call and its restart: a number it overrode at
 * entry is not the one that is restarted (R04); registers written back as they
 * were change nothing (R05); PC or x0 moved cancel the restart or redirect it
 * (R06). arch/arm64/kernel/signal.c arch_do_signal_or_restart(), do_signal() before
 * 7.0, decides by the PC after get_signal(), and by x0 and the number before it.
 */
#include <asm/unistd.h>
#include <errno.h>
#include <signal.h>
#include <unistd.h>

#include "blocking.h"
#include "case.h"
#include "caught.h"
#include "effect.h"

#define SYSGOOD	PTRACE_O_TRACESYSGOOD
#define MOVED	77	/* what the tracer writes to x0 */

/* The call at its exit stop, interrupted by SIGUSR1. */
static struct stop interrupted(struct tracee *t, const struct blocking *b, struct svc_script *s)
{
	blocking_start(t, b, s);
	blocking_signal(t, PTRACE_SYSCALL, SIGUSR1);
	return stop_is(t, WAIT_ONLY, 0, "exit %s pc=svc+4 x0=%s", syscall_name(b->nr), b->code);
}

/* ... and then at the stop by SIGUSR1. */
static struct stop at_signal(struct tracee *t, const struct blocking *b, struct svc_script *s)
{
	interrupted(t, b, s);
	return stop_is(t, PTRACE_SYSCALL, 0, "signal SIGUSR1 SI_USER pc=svc x0=arg0");
}

FIXTURE(overridden) {
};

/* A task that calls getuid; the tracer makes it a call that blocks. */
FIXTURE_VARIANT(overridden) {
	const struct blocking *call;
	const char *again;	/* the call that the second entry stop shows */
	__u64 x8;		/* afterwards */
};

FIXTURE_VARIANT_ADD(overridden, read) {
	.call = &blocking_read, .again = "getuid", .x8 = __NR_getuid,
};

FIXTURE_VARIANT_ADD(overridden, ppoll) {
	.call = &blocking_ppoll, .again = "getuid", .x8 = __NR_getuid,
};

FIXTURE_VARIANT_ADD(overridden, lock_pi) {
	.call = &blocking_lock_pi, .again = "getuid", .x8 = __NR_getuid,
};

FIXTURE_VARIANT_ADD(overridden, futex_timeout) {
	.call = &blocking_futex_timeout, .again = "restart_syscall",
	.x8 = __NR_restart_syscall,
};

FIXTURE_SETUP(overridden)
{
}

FIXTURE_TEARDOWN(overridden)
{
}

static struct svc_script *overridden_start(struct tracee *t, const struct blocking *b)
{
	struct svc_script *sc = blocking_new(b);

	sc->f[0].x[8] = __NR_getuid;
	tracee_first(t, sc, SYSGOOD, PTRACE_SYSCALL, "entry getuid pc=svc+4 x0=arg0");
	tracee_set_nr(t, (int)b->nr);
	blocking_signal(t, PTRACE_SYSCALL, SIGUSR1);
	stop_is(t, WAIT_ONLY, 0, "exit %s pc=svc+4 x0=%s", syscall_name(b->nr), b->code);
	return sc;
}

TEST_F(overridden, at_entry_the_restart_calls_the_number_in_x8)
{
	const struct blocking *b = variant->call;
	const __u64 uid = getuid();
	struct svc_script *sc;
	struct tracee t;
	struct stop s;

	PINS("R04");
	sc = overridden_start(&t, b);
	s = tracee_to(&t, PTRACE_SYSCALL, 0, "signal SIGUSR1 SI_USER pc=svc x0=arg0");
	check_eq("x8 at the signal-delivery-stop", __NR_getuid, s.regs.regs[8]);
	stop_is(&t, PTRACE_SYSCALL, 0, "entry %s pc=svc+4 x0=arg0", variant->again);
	if (b->by_restart_syscall) {
		tracee_resume(&t, PTRACE_CONT, 0);
		blocking_finish(b, &t);
	} else {
		tracee_to(&t, PTRACE_CONT, 0, "exited 0");
	}
	check_blocking(b, sc, variant->x8, b->by_restart_syscall ? NULL : &uid);
}

TEST(overridden_at_entry_a_handler_with_sa_restart_calls_the_number_in_x8)
{
	const __u64 uid = getuid();
	struct svc_script *sc;
	struct tracee t;

	PINS("R04");
	catch_signal(SIGUSR1, SA_RESTART, NULL);
	sc = overridden_start(&t, &blocking_read);
	tracee_to(&t, PTRACE_SYSCALL, 0, "signal SIGUSR1 SI_USER pc=svc x0=arg0");
	tracee_to(&t, PTRACE_SYSCALL, SIGUSR1, "entry rt_sigreturn");
	tracee_to(&t, PTRACE_SYSCALL, 0, "exit -1 pc=svc x0=arg0");
	tracee_to(&t, PTRACE_SYSCALL, 0, "entry getuid pc=svc+4 x0=arg0");
	tracee_to(&t, PTRACE_CONT, 0, "exited 0");
	check_blocking(&blocking_read, sc, __NR_getuid, &uid);
}

/* x8 does not say what runs now, only what runs at the restart. */
TEST(x8_written_at_entry_is_the_number_of_the_restart)
{
	const __u64 uid = getuid();
	struct svc_script *sc;
	struct tracee t;
	struct stop s;

	PINS("R04");
	sc = blocking_new(&blocking_read);
	s = blocking_start(&t, &blocking_read, sc);
	s.regs.regs[8] = __NR_getuid;
	tracee_set_regs(&t, &s.regs);
	blocking_signal(&t, PTRACE_SYSCALL, SIGUSR1);
	tracee_to(&t, WAIT_ONLY, 0, "exit read pc=svc+4 x0=-ERESTARTSYS");
	tracee_to(&t, PTRACE_SYSCALL, 0, "signal SIGUSR1 SI_USER pc=svc x0=arg0");
	tracee_to(&t, PTRACE_SYSCALL, 0, "entry getuid pc=svc+4 x0=arg0");
	tracee_to(&t, PTRACE_CONT, 0, "exited 0");
	check_blocking(&blocking_read, sc, __NR_getuid, &uid);
}

TEST(argument_0_written_at_entry_is_that_of_the_restart)
{
	struct svc_script *sc;
	struct tracee t;
	struct stop s;

	PINS("R02 P10");
	sc = blocking_new(&blocking_read);
	sc->f[0].x[0] = 1000;	/* no descriptor */
	s = tracee_first(&t, sc, SYSGOOD, PTRACE_SYSCALL, "entry read pc=svc+4 x0=1000");
	s.regs.regs[0] = EFFECT_READ_FD;
	tracee_set_regs(&t, &s.regs);
	blocking_signal(&t, PTRACE_SYSCALL, SIGUSR1);
	tracee_to(&t, WAIT_ONLY, 0, "exit read pc=svc+4 x0=-ERESTARTSYS");
	s = tracee_to(&t, PTRACE_SYSCALL, 0, "signal SIGUSR1 SI_USER pc=svc");
	check_eq("x0 at the signal-delivery-stop", EFFECT_READ_FD, s.regs.regs[0]);
	s = tracee_to(&t, PTRACE_SYSCALL, 0, "entry read pc=svc+4");
	check_eq("x0 at the second entry stop", EFFECT_READ_FD, s.regs.regs[0]);
	tracee_end(&t);
}

FIXTURE(attached) {
};

FIXTURE_VARIANT(attached) {
	const struct blocking *call;
};

FIXTURE_VARIANT_ADD(attached, read) {
	.call = &blocking_read,
};

FIXTURE_VARIANT_ADD(attached, wait4) {
	.call = &blocking_wait4,
};

FIXTURE_VARIANT_ADD(attached, lock_pi) {
	.call = &blocking_lock_pi,
};

FIXTURE_VARIANT_ADD(attached, ppoll) {
	.call = &blocking_ppoll,
};

FIXTURE_VARIANT_ADD(attached, nanosleep) {
	.call = &blocking_nanosleep,
};

FIXTURE_VARIANT_ADD(attached, futex_timeout) {
	.call = &blocking_futex_timeout,
};

FIXTURE_SETUP(attached)
{
}

FIXTURE_TEARDOWN(attached)
{
}

/* A blocked task that nobody has traced, in PTRACE_INTERRUPT's stop. */
static struct svc_script *attach(struct tracee *t, const struct blocking *b, __u64 x8)
{
	struct svc_script *sc = blocking_new(b);
	struct stop s;

	catch_signal(SIGUSR2, SA_RESTART, NULL);
	*t = blocking_spawn(sc);
	tracee_seize(t, SYSGOOD);
	tracee_interrupt(t);
	s = tracee_to(t, WAIT_ONLY, 0, "event stop");
	check_eq("PC at the stop", U64(svc_insn), s.regs.pc);
	check_eq("x0 at the stop", sc->f[0].x[0], s.regs.regs[0]);
	check_eq("x8 at the stop", x8, s.regs.regs[8]);
	check_nr("NT_ARM_SYSTEM_CALL at the stop", -1, s.nr);
	return sc;
}

/* As a debugger does that writes all it has read, whatever has changed. */
static void write_back(struct tracee *t)
{
	struct user_pt_regs regs;

	tracee_get_regs(t, &regs);
	tracee_set_regs(t, &regs);
	tracee_set_nr(t, tracee_get_nr(t));
}

TEST_F(attached, registers_written_back_the_call_completes)
{
	const struct blocking *b = variant->call;
	struct svc_script *sc;
	struct tracee t;

	PINS("R05");
	sc = attach(&t, b, b->nr);
	write_back(&t);
	tracee_resume(&t, PTRACE_CONT, 0);
	blocking_finish(b, &t);
	check_blocking(b, sc, blocking_restart_nr(b), NULL);
}

/* From the second call on it may be restart_syscall that is interrupted. */
TEST_F(attached, a_second_interrupt_stops_the_restarted_call)
{
	const struct blocking *b = variant->call;
	struct svc_script *sc;
	struct tracee t;
	struct stop s;

	PINS("R05 R03");
	sc = attach(&t, b, b->nr);
	write_back(&t);
	stop_is(&t, PTRACE_SYSCALL, 0, "entry %s pc=svc+4 x0=arg0",
		syscall_name(blocking_restart_nr(b)));
	tracee_resume(&t, PTRACE_CONT, 0);
	tracee_wait_blocked(&t);
	tracee_interrupt(&t);
	s = tracee_to(&t, WAIT_ONLY, 0, "event stop");
	check_eq("PC at the second stop", U64(svc_insn), s.regs.pc);
	check_eq("x0 at the second stop", sc->f[0].x[0], s.regs.regs[0]);
	check_eq("x8 at the second stop", blocking_restart_nr(b), s.regs.regs[8]);
	write_back(&t);
	tracee_resume(&t, PTRACE_CONT, 0);
	blocking_finish(b, &t);
	check_blocking(b, sc, blocking_restart_nr(b), NULL);
}

/* ptrace_stop() takes any stop for the one that was asked for; the call restarts all the same. */
TEST_F(attached, an_exit_stop_in_place_of_the_interrupt_restarts_the_call)
{
	const struct blocking *b = variant->call;
	const char *again = syscall_name(blocking_restart_nr(b));
	struct svc_script *sc;
	struct tracee t;

	PINS("R05 R01");
	sc = attach(&t, b, b->nr);
	stop_is(&t, PTRACE_SYSCALL, 0, "entry %s pc=svc+4 x0=arg0", again);
	tracee_resume(&t, PTRACE_SYSCALL, 0);
	tracee_wait_blocked(&t);
	tracee_interrupt(&t);
	stop_is(&t, WAIT_ONLY, 0, "exit %s pc=svc+4 x0=%s", again, b->code);
	stop_is(&t, PTRACE_SYSCALL, 0, "entry %s pc=svc+4 x0=arg0", again);
	tracee_resume(&t, PTRACE_CONT, 0);
	blocking_finish(b, &t);
	check_blocking(b, sc, blocking_restart_nr(b), NULL);
}

TEST_F(attached, a_moved_pc_cancels_the_restart)
{
	const __u64 moved = MOVED;
	struct user_pt_regs regs;
	struct svc_script *sc;
	struct tracee t;

	PINS("R06");
	sc = attach(&t, variant->call, variant->call->nr);
	tracee_get_regs(&t, &regs);
	regs.pc = U64(svc_after);
	regs.regs[0] = MOVED;
	tracee_set_regs(&t, &regs);
	tracee_to(&t, PTRACE_CONT, 0, "exited 0");
	check_blocking(variant->call, sc, variant->call->nr, &moved);
}

FIXTURE(moved) {
};

/* What the tracer writes at the stop by SIGUSR1, and what it delivers then. */
FIXTURE_VARIANT(moved) {
	const struct blocking *call;
	int sa_flags;
	bool deliver;
	const char *caught;
};

FIXTURE_VARIANT_ADD(moved, read_without_signal) {
	.call = &blocking_read,
};

FIXTURE_VARIANT_ADD(moved, read_with_handler) {
	.call = &blocking_read, .deliver = true,
};

FIXTURE_VARIANT_ADD(moved, read_with_handler_and_sa_restart) {
	.call = &blocking_read, .deliver = true, .sa_flags = SA_RESTART,
};

FIXTURE_VARIANT_ADD(moved, lock_pi_with_handler) {
	.call = &blocking_lock_pi, .deliver = true,
};

FIXTURE_VARIANT_ADD(moved, ppoll_with_handler) {
	.call = &blocking_ppoll, .deliver = true,
};

FIXTURE_VARIANT_ADD(moved, nanosleep_without_signal) {
	.call = &blocking_nanosleep,
};

FIXTURE_VARIANT_ADD(moved, nanosleep_with_handler) {
	.call = &blocking_nanosleep, .deliver = true,
};

FIXTURE_SETUP(moved)
{
}

FIXTURE_TEARDOWN(moved)
{
}

TEST_F(moved, pc_is_where_the_task_goes_on_with_the_tracers_x0)
{
	const __u64 x0 = MOVED;
	struct svc_script *sc;
	struct svc_frame f;
	struct tracee t;
	struct stop s;

	PINS("R06");
	sc = blocking_new(variant->call);
	catch_signal(SIGUSR1, variant->sa_flags, NULL);
	s = at_signal(&t, variant->call, sc);
	s.regs.pc = U64(svc_after);
	s.regs.regs[0] = x0;
	tracee_set_regs(&t, &s.regs);
	tracee_to(&t, PTRACE_CONT, variant->deliver ? SIGUSR1 : 0, "exited 0");
	check_eq("handlers that ran", variant->deliver, caught_count());
	if (variant->deliver) {
		f = sc->f[0];
		f.x[0] = x0;
		check_caught_regs(caught_nth(0), &f, U64(svc_after));
	}
	check_blocking(variant->call, sc, variant->call->nr, &x0);
}
