// SPDX-License-Identifier: GPL-2.0
/*
 * What a tracer sees at the two stops of a system call: that there are two, in
 * turn, which is which, and every register and number at each (P01, P02, P06,
 * P07, P08). arch/arm64/kernel/ptrace.c report_syscall_entry() and
 * report_syscall_exit() decide, on the generic path arch_ptrace_report_*().
 */
#include <asm/unistd.h>
#include <errno.h>
#include <signal.h>

#include "case.h"
#include "tracee.h"

#define SYSGOOD	PTRACE_O_TRACESYSGOOD

FIXTURE(stops) {
};

FIXTURE_VARIANT(stops) {
	unsigned long options;
	int sig;
};

FIXTURE_VARIANT_ADD(stops, tracesysgood) {
	.options = SYSGOOD, .sig = SIGTRAP | 0x80,
};

FIXTURE_VARIANT_ADD(stops, plain) {
	.options = 0, .sig = SIGTRAP,
};

FIXTURE_SETUP(stops)
{
}

FIXTURE_TEARDOWN(stops)
{
}

TEST_F(stops, entry_and_exit_alternate)
{
	static const struct stop_row rows[] = {
		{ PTRACE_SYSCALL, 0, "entry getppid pc=svc+4 x0=pattern0" },
		{ PTRACE_SYSCALL, 0, "exit getppid pc=svc+4 x0=tracer" },
		{ PTRACE_SYSCALL, 0, "entry dup pc=svc+4 x0=1000" },
		{ PTRACE_SYSCALL, 0, "exit dup pc=svc+4 x0=-EBADF" },
		{ PTRACE_SYSCALL, 0, "entry sched_yield pc=svc+4 x0=pattern0" },
		{ PTRACE_SYSCALL, 0, "exit sched_yield pc=svc+4 x0=0" },
		{ PTRACE_SYSCALL, 0, "entry exit_group pc=svc+4 x0=0" },
		{ PTRACE_SYSCALL, 0, "exited 0" },
	};
	struct svc_script *s;
	struct tracee t;

	PINS("P01");
	s = svc_script_new(3);
	svc_fill(&s->f[0], __NR_getppid, 0);
	svc_fill(&s->f[1], __NR_dup, 1, U64(1000));
	svc_fill(&s->f[2], __NR_sched_yield, 0);
	t = tracee_start(svc_script_run, s, variant->options);
	if (!tracee_expect(&t, rows, ARRAY_SIZE(rows), NULL))
		case_end();
	check_frame(&s->f[0], U64(getpid()));
	check_frame(&s->f[1], U64(-EBADF));
	check_frame(&s->f[2], 0);
}

TEST_F(stops, stop_signal_and_event_message_tell_entry_from_exit)
{
	struct tracee t;
	struct stop s;

	PINS("P01 P02");
	s = tracee_first(&t, svc_script_new(1), variant->options, PTRACE_SYSCALL, "entry getuid");
	check_eq("stop signal at entry", U64(variant->sig), U64(s.sig));
	check_eq("si_signo at entry", SIGTRAP, U64(s.si.si_signo));
	check_eq("si_code at entry", U64(variant->sig), U64(s.si.si_code));
	check_eq("PTRACE_GETEVENTMSG at entry", 1, s.msg);
	s = tracee_to(&t, PTRACE_SYSCALL, 0, "exit getuid");
	check_eq("stop signal at exit", U64(variant->sig), U64(s.sig));
	check_eq("si_signo at exit", SIGTRAP, U64(s.si.si_signo));
	check_eq("si_code at exit", U64(variant->sig), U64(s.si.si_code));
	check_eq("PTRACE_GETEVENTMSG at exit", 2, s.msg);
	tracee_end(&t);
}

FIXTURE(argument) {
};

/* A value that must be seen in each of x0-x5, alone among others. */
FIXTURE_VARIANT(argument) {
	__u64 value;
};

FIXTURE_VARIANT_ADD(argument, zero) {
	.value = 0,
};

FIXTURE_VARIANT_ADD(argument, all_bits) {
	.value = ~0ull,
};

FIXTURE_VARIANT_ADD(argument, enosys) {
	.value = (__u64)-ENOSYS,
};

FIXTURE_VARIANT_ADD(argument, sign_bit_of_32) {
	.value = 0x80000000ull,
};

FIXTURE_SETUP(argument)
{
}

FIXTURE_TEARDOWN(argument)
{
}

TEST_F(argument, is_in_its_register_at_entry)
{
	struct svc_script *sc;
	struct tracee t;
	struct stop s;
	char what[64];

	PINS("P06");
	sc = svc_script_new(6);
	for (unsigned int i = 0; i < 6; i++)
		sc->f[i].x[i] = variant->value;
	t = tracee_start(svc_script_run, sc, SYSGOOD);
	for (unsigned int i = 0; i < 6; i++) {
		s = tracee_to(&t, PTRACE_SYSCALL, 0, "entry getuid");
		for (unsigned int r = 0; r < 6; r++) {
			snprintf(what, sizeof(what), "x%u at entry, value in argument %u", r, i);
			check_eq(what, r == i ? variant->value : svc_pattern(r), s.regs.regs[r]);
		}
		tracee_to(&t, PTRACE_SYSCALL, 0, "exit getuid");
	}
	tracee_end(&t);
}

static void check_stop_regs(const struct stop *s, const struct svc_frame *f, __u64 x0,
			    __u64 x7)
{
	const char *kind = stop_kind_name(s->kind);
	char what[48];

	for (unsigned int i = 0; i < 31; i++) {
		__u64 want = i == 0 ? x0 : i == 7 ? x7 : f->x[i];

		snprintf(what, sizeof(what), "x%u at %s", i, kind);
		check_eq(what, want, s->regs.regs[i]);
	}
	snprintf(what, sizeof(what), "PC at %s", kind);
	check_eq(what, U64(svc_after), s->regs.pc);
	snprintf(what, sizeof(what), "SP at %s", kind);
	check_eq(what, f->sp, s->regs.sp);
	snprintf(what, sizeof(what), "NZCV at %s", kind);
	check_eq(what, f->nzcv, s->regs.pstate & 0xf0000000);
}

TEST(registers_at_both_stops_are_as_the_task_left_them)
{
	struct svc_script *sc;
	struct tracee t;
	struct stop s;

	PINS("P07");
	sc = svc_script_new(2);
	for (unsigned int i = 0; i < 31; i++)
		sc->f[1].x[i] = ~svc_pattern(i);
	sc->f[1].nzcv = 0x50000000;
	svc_fill(&sc->f[0], __NR_getppid, 0);
	sc->f[1].x[8] = __NR_dup;
	t = tracee_start(svc_script_run, sc, SYSGOOD);
	s = tracee_to(&t, PTRACE_SYSCALL, 0, "entry getppid");
	check_stop_regs(&s, &sc->f[0], sc->f[0].x[0], 0);
	s = tracee_to(&t, PTRACE_SYSCALL, 0, "exit getppid");
	check_stop_regs(&s, &sc->f[0], U64(getpid()), 1);
	s = tracee_to(&t, PTRACE_SYSCALL, 0, "entry dup");
	check_stop_regs(&s, &sc->f[1], sc->f[1].x[0], 0);
	s = tracee_to(&t, PTRACE_SYSCALL, 0, "exit dup");
	check_stop_regs(&s, &sc->f[1], U64(-EBADF), 1);
	tracee_to(&t, PTRACE_SYSCALL, 0, "entry exit_group");
	tracee_end(&t);
	check_frame(&sc->f[0], U64(getpid()));
	check_frame(&sc->f[1], U64(-EBADF));
}

TEST(system_call_regset_is_the_number_at_both_stops)
{
	struct tracee t;
	struct stop s;

	PINS("P08");
	s = tracee_first(&t, svc_script_new(1), SYSGOOD, PTRACE_SYSCALL, "entry getuid");
	check_nr("NT_ARM_SYSTEM_CALL at entry", __NR_getuid, s.nr);
	s = tracee_to(&t, PTRACE_SYSCALL, 0, "exit getuid");
	check_nr("NT_ARM_SYSTEM_CALL at exit", __NR_getuid, s.nr);
	tracee_end(&t);
}

static void empty_handler(int sig)
{
	(void)sig;
}

TEST(system_call_regset_is_minus_1_at_a_signal_and_at_sigreturn_exit)
{
	static const struct stop_row rows[] = {
		{ PTRACE_SYSCALL, 0, "entry getpid" },
		{ PTRACE_SYSCALL, 0, "exit getpid pc=svc+4 x0=tracee" },
		{ PTRACE_SYSCALL, 0, "entry tgkill pc=svc+4" },
		{ PTRACE_SYSCALL, 0, "exit tgkill pc=svc+4 x0=0" },
	};
	struct sigaction sa = { .sa_handler = empty_handler };
	struct svc_script *sc;
	struct tracee t;
	struct stop s;

	PINS("P08");
	sigaction(SIGUSR1, &sa, NULL);
	sc = svc_script_new(1);
	svc_fill(&sc->f[0], __NR_tgkill, 3, U64(0), U64(0), U64(SIGUSR1));
	t = tracee_start(svc_tgkill_run, sc, SYSGOOD);
	if (!tracee_expect(&t, rows, ARRAY_SIZE(rows), NULL))
		case_end();
	s = tracee_to(&t, PTRACE_SYSCALL, 0, "signal SIGUSR1 SI_TKILL pc=svc+4 x0=0");
	check_nr("NT_ARM_SYSTEM_CALL at the signal-delivery-stop", -1, s.nr);
	s = tracee_to(&t, PTRACE_SYSCALL, SIGUSR1, "entry rt_sigreturn");
	check_nr("NT_ARM_SYSTEM_CALL at rt_sigreturn's entry", __NR_rt_sigreturn, s.nr);
	s = tracee_to(&t, PTRACE_SYSCALL, 0, "exit -1 pc=svc+4 x0=0");
	check_nr("NT_ARM_SYSTEM_CALL at rt_sigreturn's exit", -1, s.nr);
	tracee_to(&t, PTRACE_SYSCALL, 0, "entry exit_group");
	tracee_end(&t);
	check_eq("x0 of the interrupted call", 0, sc->f[0].x_out[0]);
}

