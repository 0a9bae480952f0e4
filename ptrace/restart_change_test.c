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

/* A task that calls getuid; the tracer makes it each of these. */
static const struct blocking *const overridden[] = {
	&blocking_read, &blocking_ppoll, &blocking_lock_pi, &blocking_futex_timeout,
};

/* To the exit stop of the call that it became. */
static void override(struct tracee *t, const struct blocking *b)
{
	tracee_to(t, PTRACE_SYSCALL, 0, "entry getuid pc=svc+4 x0=arg0");
	tracee_set_nr(t, (int)b->nr);
	blocking_signal(t, PTRACE_SYSCALL, SIGUSR1);
	stop_is(t, WAIT_ONLY, 0, "exit %s pc=svc+4 x0=%s", syscall_name(b->nr), b->code);
}

TEST(overridden_at_entry_the_restart_calls_the_number_in_x8)
{
	const __u64 uid = getuid();
	const struct blocking *b;
	struct svc_script *sc;
	struct tracee t;
	struct stop s;

	PINS("R04");
	sc = blocking_list(overridden, ARRAY_SIZE(overridden), true);
	for (unsigned int i = 0; i < ARRAY_SIZE(overridden); i++)
		sc->f[i].x[8] = __NR_getuid;
	t = blocking_traced(sc);
	for (unsigned int i = 0; i < ARRAY_SIZE(overridden); i++) {
		b = overridden[i];
		blocking_at(&t, b, sc, i);
		override(&t, b);
		s = tracee_to(&t, PTRACE_SYSCALL, 0, "signal SIGUSR1 SI_USER pc=svc x0=arg0");
		check_at(&s, "x8 at the signal-delivery-stop", __NR_getuid, s.regs.regs[8]);
		if (b->by_restart_syscall) {
			tracee_to(&t, PTRACE_SYSCALL, 0,
				  "entry restart_syscall pc=svc+4 x0=arg0");
			tracee_resume(&t, PTRACE_CONT, 0);
			blocking_finish(b, &t);
			check_blocking_nth(b, sc, i, __NR_restart_syscall, NULL);
		} else {
			tracee_to(&t, PTRACE_SYSCALL, 0, "entry getuid pc=svc+4 x0=arg0");
			blocking_end(&t, PTRACE_CONT, 0);
			check_blocking_nth(b, sc, i, __NR_getuid, &uid);
		}
	}
	tracee_end(&t);
}

TEST(overridden_at_entry_a_handler_with_sa_restart_calls_the_number_in_x8)
{
	const __u64 uid = getuid();
	struct svc_script *sc;
	struct tracee t;

	PINS("R04");
	catch_signal(SIGUSR1, SA_RESTART, NULL);
	sc = blocking_new(&blocking_read);
	sc->f[0].x[8] = __NR_getuid;
	t = blocking_traced(sc);
	override(&t, &blocking_read);
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

/* What each case walks, one task making all calls. */
static const struct blocking *const attached[] = {
	&blocking_read, &blocking_wait4, &blocking_lock_pi, &blocking_ppoll, &blocking_nanosleep,
	&blocking_futex_timeout,
};

/* The task sleeps in call @i and nobody traces it: to PTRACE_INTERRUPT's stop. */
static void attach(struct tracee *t, const struct svc_script *sc, unsigned int i)
{
	struct stop s;

	blocking_at(t, attached[i], sc, i);
	tracee_wait_blocked(t);
	tracee_seize(t, SYSGOOD);
	tracee_interrupt(t);
	s = tracee_to(t, WAIT_ONLY, 0, "event stop");
	check_at(&s, "PC at the stop", U64(svc_insn), s.regs.pc);
	check_at(&s, "x0 at the stop", sc->f[i].x[0], s.regs.regs[0]);
	check_at(&s, "x8 at the stop", attached[i]->nr, s.regs.regs[8]);
	check_nr_at(&s, "NT_ARM_SYSTEM_CALL at the stop", -1);
}

/* As a debugger does that writes all it has read, whatever has changed. */
static void write_back(struct tracee *t)
{
	struct user_pt_regs regs;

	tracee_get_regs(t, &regs);
	tracee_set_regs(t, &regs);
	tracee_set_nr(t, tracee_get_nr(t));
}

/* A case: @then from the stop of each call to the end of the call. */
static void attach_to_each(void (*then)(struct tracee *t, const struct blocking *b,
					const struct svc_script *sc, unsigned int i))
{
	struct svc_script *sc = blocking_list(attached, ARRAY_SIZE(attached), true);
	struct tracee t;

	catch_signal(SIGUSR2, SA_RESTART, NULL);
	t = blocking_spawn(sc);
	for (unsigned int i = 0; i < ARRAY_SIZE(attached); i++) {
		attach(&t, sc, i);
		then(&t, attached[i], sc, i);
		tracee_detach(&t, 0);
	}
	tracee_end(&t);
}

/* Resumed, the call goes on to its end. */
static void completes(struct tracee *t, const struct blocking *b, const struct svc_script *sc,
		      unsigned int i)
{
	tracee_resume(t, PTRACE_CONT, 0);
	blocking_finish(b, t);
	check_blocking_nth(b, sc, i, blocking_restart_nr(b), NULL);
}

static void written_back(struct tracee *t, const struct blocking *b, const struct svc_script *sc,
			 unsigned int i)
{
	write_back(t);
	completes(t, b, sc, i);
}

TEST(attached_registers_written_back_the_call_completes)
{
	PINS("R05");
	attach_to_each(written_back);
}

/* From the second call on it may be restart_syscall that is interrupted. */
static void interrupted_again(struct tracee *t, const struct blocking *b,
			      const struct svc_script *sc, unsigned int i)
{
	struct stop s;

	write_back(t);
	stop_is(t, PTRACE_SYSCALL, 0, "entry %s pc=svc+4 x0=arg0",
		syscall_name(blocking_restart_nr(b)));
	tracee_resume(t, PTRACE_CONT, 0);
	tracee_wait_blocked(t);
	tracee_interrupt(t);
	s = tracee_to(t, WAIT_ONLY, 0, "event stop");
	check_at(&s, "PC at the second stop", U64(svc_insn), s.regs.pc);
	check_at(&s, "x0 at the second stop", sc->f[i].x[0], s.regs.regs[0]);
	check_at(&s, "x8 at the second stop", blocking_restart_nr(b), s.regs.regs[8]);
	write_back(t);
	completes(t, b, sc, i);
}

TEST(attached_a_second_interrupt_stops_the_restarted_call)
{
	PINS("R05 R03");
	attach_to_each(interrupted_again);
}

/* ptrace_stop() takes any stop for the one that was asked for; the call restarts all the same. */
static void at_exit_stop(struct tracee *t, const struct blocking *b, const struct svc_script *sc,
			 unsigned int i)
{
	const char *again = syscall_name(blocking_restart_nr(b));

	stop_is(t, PTRACE_SYSCALL, 0, "entry %s pc=svc+4 x0=arg0", again);
	tracee_resume(t, PTRACE_SYSCALL, 0);
	tracee_wait_blocked(t);
	tracee_interrupt(t);
	stop_is(t, WAIT_ONLY, 0, "exit %s pc=svc+4 x0=%s", again, b->code);
	stop_is(t, PTRACE_SYSCALL, 0, "entry %s pc=svc+4 x0=arg0", again);
	completes(t, b, sc, i);
}

TEST(attached_an_exit_stop_in_place_of_the_interrupt_restarts_the_call)
{
	PINS("R05 R01");
	attach_to_each(at_exit_stop);
}

static void pc_moved(struct tracee *t, const struct blocking *b, const struct svc_script *sc,
		     unsigned int i)
{
	const __u64 moved = MOVED;
	struct user_pt_regs regs;

	tracee_get_regs(t, &regs);
	regs.pc = U64(svc_after);
	regs.regs[0] = MOVED;
	tracee_set_regs(t, &regs);
	blocking_end(t, PTRACE_CONT, 0);
	check_blocking_nth(b, sc, i, b->nr, &moved);
}

TEST(attached_a_moved_pc_cancels_the_restart)
{
	PINS("R06");
	attach_to_each(pc_moved);
}

/* The tracer moves PC and x0 at the stop by SIGUSR1, and delivers it or not. */
static void move_pc(struct tracee *t, const struct blocking *b, const struct svc_script *sc,
		    unsigned int i, int sig)
{
	const unsigned int before = caught_count();
	const __u64 x0 = MOVED;
	struct svc_frame f;
	struct stop s;

	blocking_at(t, b, sc, i);
	blocking_entry(t, b);
	blocking_signal(t, PTRACE_SYSCALL, SIGUSR1);
	stop_is(t, WAIT_ONLY, 0, "exit %s pc=svc+4 x0=%s", syscall_name(b->nr), b->code);
	s = tracee_to(t, PTRACE_SYSCALL, 0, "signal SIGUSR1 SI_USER pc=svc x0=arg0");
	s.regs.pc = U64(svc_after);
	s.regs.regs[0] = x0;
	tracee_set_regs(t, &s.regs);
	blocking_end(t, PTRACE_CONT, sig);
	check_at(&s, "handlers that ran", !!sig, caught_count() - before);
	if (sig) {
		f = sc->f[i];
		f.x[0] = x0;
		check_caught_regs_of(b->name, caught_nth(before), &f, U64(svc_after));
	}
	check_blocking_nth(b, sc, i, b->nr, &x0);
}

static void move_pc_of_each(const struct blocking *const *calls, unsigned int n, int sa_flags,
			    int sig)
{
	struct svc_script *sc = blocking_list(calls, n, true);
	struct tracee t;

	catch_signal(SIGUSR1, sa_flags, NULL);
	t = blocking_traced(sc);
	for (unsigned int i = 0; i < n; i++)
		move_pc(&t, calls[i], sc, i, sig);
	tracee_end(&t);
}

TEST(moved_pc_without_the_signal_is_where_the_task_goes_on_with_the_tracers_x0)
{
	static const struct blocking *const calls[] = { &blocking_read, &blocking_nanosleep };

	PINS("R06");
	move_pc_of_each(calls, ARRAY_SIZE(calls), 0, 0);
}

TEST(moved_pc_with_a_handler_is_where_the_task_goes_on_with_the_tracers_x0)
{
	static const struct blocking *const calls[] = {
		&blocking_read, &blocking_lock_pi, &blocking_ppoll, &blocking_nanosleep,
	};

	PINS("R06");
	move_pc_of_each(calls, ARRAY_SIZE(calls), 0, SIGUSR1);
}

TEST(moved_pc_with_sa_restart_is_where_the_task_goes_on_with_the_tracers_x0)
{
	static const struct blocking *const calls[] = { &blocking_read };

	PINS("R06");
	move_pc_of_each(calls, ARRAY_SIZE(calls), SA_RESTART, SIGUSR1);
}
