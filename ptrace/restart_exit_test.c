// SPDX-License-Identifier: GPL-2.0
/*
 * What a tracer writes at the exit stop of an interrupted call, or to x0 at the
 * signal after it: x0 is the result, and a restart code only if it still is one;
 * the number does not count unless it is -1 (R01, R06, P15).
 * arch/arm64/kernel/signal.c arch_do_signal_or_restart(), do_signal() before 7.0,
 * decides by x0, the number and PC as they are after the exit stop.
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

static struct stop interrupted(struct tracee *t, const struct blocking *b, struct svc_script *s)
{
	blocking_start(t, b, s);
	blocking_signal(t, PTRACE_SYSCALL, SIGUSR1);
	return stop_is(t, WAIT_ONLY, 0, "exit %s pc=svc+4 x0=%s", syscall_name(b->nr), b->code);
}

FIXTURE(over_code) {
};

/* Written over the restart code of an interrupted call, it is its result. */
FIXTURE_VARIANT(over_code) {
	const struct blocking *call;
	__u64 x0;
};

FIXTURE_VARIANT_ADD(over_code, read_5) {
	.call = &blocking_read, .x0 = 5,
};

FIXTURE_VARIANT_ADD(over_code, read_eio) {
	.call = &blocking_read, .x0 = (__u64)-EIO,
};

/* Neighbours of the codes, one of which (515) the kernel has for its own use. */
FIXTURE_VARIANT_ADD(over_code, read_511) {
	.call = &blocking_read, .x0 = (__u64)-511,
};

FIXTURE_VARIANT_ADD(over_code, read_515) {
	.call = &blocking_read, .x0 = (__u64)-515,
};

FIXTURE_VARIANT_ADD(over_code, read_517) {
	.call = &blocking_read, .x0 = (__u64)-517,
};

FIXTURE_VARIANT_ADD(over_code, nanosleep_0) {
	.call = &blocking_nanosleep, .x0 = 0,
};

FIXTURE_SETUP(over_code)
{
}

FIXTURE_TEARDOWN(over_code)
{
}

TEST_F(over_code, written_at_exit_is_the_result_and_nothing_restarts)
{
	struct svc_script *sc;
	struct svc_frame f;
	struct tracee t;
	struct stop s;

	PINS("R01 P15");
	sc = blocking_new(variant->call);
	catch_signal(SIGUSR1, 0, NULL);
	s = interrupted(&t, variant->call, sc);
	s.regs.regs[0] = variant->x0;
	tracee_set_regs(&t, &s.regs);
	s = stop_is(&t, PTRACE_SYSCALL, 0, "signal SIGUSR1 SI_USER pc=svc+4 x0=%s",
		    value_name(variant->x0));
	check_nr("the number at the signal, where no call is on", -1, s.nr);
	tracee_to(&t, PTRACE_CONT, SIGUSR1, "exited 0");
	f = sc->f[0];
	f.x[0] = variant->x0;
	check_caught_regs(caught_nth(0), &f, U64(svc_after));
	check_blocking(variant->call, sc, variant->call->nr, &variant->x0);
}

FIXTURE(code) {
};

/* A restart code that the tracer writes: the call did not return it. */
FIXTURE_VARIANT(code) {
	__u64 code;
};

FIXTURE_VARIANT_ADD(code, erestartsys) {
	.code = (__u64)-512,
};

FIXTURE_VARIANT_ADD(code, erestartnointr) {
	.code = (__u64)-513,
};

FIXTURE_VARIANT_ADD(code, erestartnohand) {
	.code = (__u64)-514,
};

FIXTURE_SETUP(code)
{
}

FIXTURE_TEARDOWN(code)
{
}

/* getuid, which nothing interrupts, at its exit stop with @code in x0. */
static struct svc_script *write_code(struct tracee *t, __u64 code)
{
	struct svc_script *sc = svc_script_new(1);
	struct stop s;

	tracee_first(t, sc, SYSGOOD, PTRACE_SYSCALL, "entry getuid");
	s = tracee_to(t, PTRACE_SYSCALL, 0, "exit getuid");
	s.regs.regs[0] = code;
	tracee_set_regs(t, &s.regs);
	return sc;
}

TEST_F(code, written_at_exit_with_a_signal_pending_restarts_the_call)
{
	struct svc_script *sc;
	struct tracee t;

	PINS("R06 P15");
	sc = write_code(&t, variant->code);
	kill(t.pid, SIGUSR1);
	tracee_to(&t, PTRACE_SYSCALL, 0, "signal SIGUSR1 SI_USER pc=svc x0=pattern0");
	tracee_to(&t, PTRACE_SYSCALL, 0, "entry getuid pc=svc+4 x0=pattern0");
	tracee_to(&t, PTRACE_CONT, 0, "exited 0");
	check_frame(&sc->f[0], getuid());
}

TEST_F(code, written_at_exit_without_a_signal_is_a_result)
{
	struct svc_script *sc;
	struct tracee t;

	PINS("P15");
	sc = write_code(&t, variant->code);
	tracee_to(&t, PTRACE_CONT, 0, "exited 0");
	check_frame(&sc->f[0], variant->code);
}

TEST_F(code, given_to_a_skipped_call_is_a_result_whatever_is_pending)
{
	struct svc_script *sc;
	struct tracee t;
	struct stop s;

	PINS("P11 R01");
	sc = svc_script_new(1);
	name_value(variant->code, "code");
	s = tracee_first(&t, sc, SYSGOOD, PTRACE_SYSCALL, "entry getuid");
	tracee_set_nr(&t, -1);
	s.regs.regs[0] = variant->code;
	tracee_set_regs(&t, &s.regs);
	kill(t.pid, SIGUSR1);
	tracee_to(&t, PTRACE_SYSCALL, 0, "exit -1 pc=svc+4 x0=code");
	tracee_to(&t, PTRACE_SYSCALL, 0, "signal SIGUSR1 SI_USER pc=svc+4 x0=code");
	tracee_to(&t, PTRACE_CONT, 0, "exited 0");
	check_frame(&sc->f[0], variant->code);
}

TEST(number_written_at_exit_does_not_change_the_restart)
{
	const __u64 one = 1;
	struct svc_script *sc;
	struct tracee t;

	PINS("P15 R02");
	sc = blocking_new(&blocking_read);
	interrupted(&t, &blocking_read, sc);
	tracee_set_nr(&t, __NR_getuid);
	tracee_to(&t, PTRACE_SYSCALL, 0, "signal SIGUSR1 SI_USER pc=svc x0=arg0");
	tracee_to(&t, PTRACE_SYSCALL, 0, "entry read pc=svc+4 x0=arg0");
	tracee_resume(&t, PTRACE_CONT, 0);
	blocking_finish(&blocking_read, &t);
	check_blocking(&blocking_read, sc, __NR_read, &one);
}

/* The way to cancel a restart without moving PC: to in_syscall() it is no call now. */
TEST(number_minus_1_written_at_exit_cancels_the_restart)
{
	const __u64 code = U64(-512);
	struct svc_script *sc;
	struct tracee t;

	PINS("P15 R06");
	sc = blocking_new(&blocking_read);
	interrupted(&t, &blocking_read, sc);
	tracee_set_nr(&t, -1);
	tracee_to(&t, PTRACE_SYSCALL, 0, "signal SIGUSR1 SI_USER pc=svc+4 x0=-ERESTARTSYS");
	tracee_to(&t, PTRACE_CONT, 0, "exited 0");
	check_blocking(&blocking_read, sc, __NR_read, &code);
}

/* Where PC is at the end of the exit stop is where the call is taken to end. */
TEST(pc_moved_at_exit_the_restart_is_one_instruction_before_it)
{
	const __u64 fd = EFFECT_READ_FD;
	struct svc_script *sc;
	struct tracee t;
	struct stop s;

	PINS("R06");
	sc = blocking_new(&blocking_read);
	s = interrupted(&t, &blocking_read, sc);
	s.regs.pc = U64(svc_after2);
	tracee_set_regs(&t, &s.regs);
	tracee_to(&t, PTRACE_SYSCALL, 0, "signal SIGUSR1 SI_USER pc=svc+4 x0=arg0");
	tracee_to(&t, PTRACE_CONT, 0, "exited 0");
	check_blocking(&blocking_read, sc, __NR_read, &fd);
}

static struct stop at_signal(struct tracee *t, const struct blocking *b, struct svc_script *s)
{
	interrupted(t, b, s);
	return stop_is(t, PTRACE_SYSCALL, 0, "signal SIGUSR1 SI_USER pc=svc x0=arg0");
}

TEST(x0_written_at_the_signal_is_argument_0_of_the_restart)
{
	const __u64 ebadf = U64(-EBADF);
	struct svc_script *sc;
	struct tracee t;
	struct stop s;

	PINS("R06");
	sc = blocking_new(&blocking_read);
	s = at_signal(&t, &blocking_read, sc);
	s.regs.regs[0] = 1000;	/* no descriptor */
	tracee_set_regs(&t, &s.regs);
	tracee_to(&t, PTRACE_SYSCALL, 0, "entry read pc=svc+4 x0=1000");
	tracee_to(&t, PTRACE_CONT, 0, "exited 0");
	check_blocking(&blocking_read, sc, __NR_read, &ebadf);
}

TEST(x0_written_at_the_signal_is_lost_where_a_handler_makes_it_eintr)
{
	const __u64 eintr = U64(-EINTR);
	struct svc_script *sc;
	struct tracee t;
	struct stop s;

	PINS("R06 R02");
	sc = blocking_new(&blocking_read);
	catch_signal(SIGUSR1, 0, NULL);
	s = at_signal(&t, &blocking_read, sc);
	s.regs.regs[0] = 1000;
	tracee_set_regs(&t, &s.regs);
	tracee_to(&t, PTRACE_CONT, SIGUSR1, "exited 0");
	check_eq("x0 in the handler's context", U64(-EINTR), caught_nth(0)->regs.regs[0]);
	check_eq("PC in the handler's context", U64(svc_after), caught_nth(0)->regs.pc);
	check_blocking(&blocking_read, sc, __NR_read, &eintr);
}

TEST(x0_written_at_the_signal_is_shown_to_a_handler_with_sa_restart)
{
	const __u64 ebadf = U64(-EBADF);
	struct svc_script *sc;
	struct svc_frame f;
	struct tracee t;
	struct stop s;

	PINS("R06 R02");
	sc = blocking_new(&blocking_read);
	catch_signal(SIGUSR1, SA_RESTART, NULL);
	s = at_signal(&t, &blocking_read, sc);
	s.regs.regs[0] = 1000;
	tracee_set_regs(&t, &s.regs);
	tracee_to(&t, PTRACE_CONT, SIGUSR1, "exited 0");
	f = sc->f[0];
	f.x[0] = 1000;
	check_caught_regs(caught_nth(0), &f, U64(svc_insn));
	check_blocking(&blocking_read, sc, __NR_read, &ebadf);
}

/* x8 at the signal is the number of the restart, unless that is restart_syscall. */
TEST(x8_written_at_the_signal_is_the_number_of_the_restart)
{
	const __u64 uid = getuid();
	struct svc_script *sc;
	struct tracee t;
	struct stop s;

	PINS("R04 R06");
	sc = blocking_new(&blocking_read);
	s = at_signal(&t, &blocking_read, sc);
	s.regs.regs[8] = __NR_getuid;
	tracee_set_regs(&t, &s.regs);
	tracee_to(&t, PTRACE_SYSCALL, 0, "entry getuid pc=svc+4 x0=arg0");
	tracee_to(&t, PTRACE_CONT, 0, "exited 0");
	check_blocking(&blocking_read, sc, __NR_getuid, &uid);
}

TEST(x8_written_at_the_signal_is_lost_where_restart_syscall_follows)
{
	struct svc_script *sc;
	struct tracee t;
	struct stop s;

	PINS("R03 R06");
	sc = blocking_new(&blocking_futex_timeout);
	s = at_signal(&t, &blocking_futex_timeout, sc);
	s.regs.regs[8] = __NR_getuid;
	tracee_set_regs(&t, &s.regs);
	tracee_to(&t, PTRACE_SYSCALL, 0, "entry restart_syscall pc=svc+4 x0=arg0");
	tracee_resume(&t, PTRACE_CONT, 0);
	blocking_finish(&blocking_futex_timeout, &t);
	check_blocking(&blocking_futex_timeout, sc, __NR_restart_syscall, NULL);
}

/* Not "continue after the call" but "make it once more": still no restart_syscall. */
TEST(pc_moved_before_the_svc_calls_the_same_number_again)
{
	struct svc_script *sc;
	struct tracee t;
	struct stop s;

	PINS("R06");
	sc = blocking_new(&blocking_futex_timeout);
	s = at_signal(&t, &blocking_futex_timeout, sc);
	s.regs.pc = U64(svc_before);
	tracee_set_regs(&t, &s.regs);
	tracee_to(&t, PTRACE_SYSCALL, 0, "entry futex pc=svc+4 x0=arg0");
	tracee_resume(&t, PTRACE_CONT, 0);
	blocking_finish(&blocking_futex_timeout, &t);
	check_blocking(&blocking_futex_timeout, sc, __NR_futex, NULL);
}
