// SPDX-License-Identifier: GPL-2.0
/*
 * PTRACE_SINGLESTEP out of the entry and the exit stop of a system call, and
 * back to PTRACE_SYSCALL: the task stops before its next instruction after the
 * one, after exactly one instruction after the other, and no trap is left over
 * (S04 of the contract). user_enable_single_step() of
 * arch/arm64/kernel/debug-monitors.c arms SPSR.SS at the stop, after the svc was
 * taken, so that nothing has used it up when the task returns.
 */
#include <asm/unistd.h>
#include <errno.h>
#include <sys/stat.h>

#include "case.h"
#include "counted.h"

#define STEP		PTRACE_SINGLESTEP
#define X0_TRACER	0x7ace7ace

FIXTURE(step_out) {
};

FIXTURE_VARIANT(step_out) {
	unsigned long options;
};

FIXTURE_VARIANT_ADD(step_out, tracesysgood) {
	.options = PTRACE_O_TRACESYSGOOD,
};

FIXTURE_VARIANT_ADD(step_out, plain) {
	.options = 0,
};

FIXTURE_SETUP(step_out)
{
}

FIXTURE_TEARDOWN(step_out)
{
}

/* Calls that succeed, fail, and have no such number; and what each returns. */
static struct svc_script *four_calls(void)
{
	struct svc_script *s = shared_alloc(sizeof(*s));

	umask(077);
	s->n = 4;
	svc_fill(&s->f[0], __NR_umask, 1, U64(022));
	svc_fill(&s->f[1], __NR_dup, 1, U64(1000));
	svc_fill(&s->f[2], ~0ull, 0);
	svc_fill(&s->f[3], 100000, 0);
	name_value(svc_pattern(0), "pattern0");
	return s;
}

static void check_four_calls(const struct svc_script *s)
{
	check_frame(&s->f[0], 077);
	check_frame(&s->f[1], U64(-EBADF));
	check_frame(&s->f[2], U64(-ENOSYS));
	check_frame(&s->f[3], U64(-ENOSYS));
}

static void check_script(unsigned long options, const struct stop_row *rows, size_t n)
{
	struct svc_script *s = four_calls();
	struct tracee t = tracee_start(svc_script_run, s, options);

	if (tracee_expect(&t, rows, n, NULL))
		check_four_calls(s);
	tracee_end(&t);
}

TEST_F(step_out, of_entry_stop_is_pseudo_step_and_syscall_goes_on_from_there)
{
	static const struct stop_row rows[] = {
		{ PTRACE_SYSCALL, 0, "entry umask pc=svc+4 x0=18" },
		{ STEP, 0, "pseudo-step pc=svc+4 x0=63" },
		{ PTRACE_SYSCALL, 0, "entry dup pc=svc+4 x0=1000" },
		{ STEP, 0, "pseudo-step pc=svc+4 x0=-EBADF" },
		{ PTRACE_SYSCALL, 0, "entry -1 pc=svc+4" },
		{ STEP, 0, "pseudo-step pc=svc+4 x0=-ENOSYS" },
		{ PTRACE_SYSCALL, 0, "entry 100000 pc=svc+4 x0=pattern0" },
		{ STEP, 0, "pseudo-step pc=svc+4 x0=-ENOSYS" },
		{ PTRACE_SYSCALL, 0, "entry exit_group pc=svc+4 x0=0" },
		{ PTRACE_SYSCALL, 0, "exited 0" },
	};

	PINS("S04");
	check_script(variant->options, rows, ARRAY_SIZE(rows));
}

/* The svc was taken before stepping began, so SPSR.SS is unused at svc+4. */
TEST_F(step_out, of_entry_or_exit_stop_then_steps_one_instruction)
{
	static const struct stop_row rows[] = {
		{ PTRACE_SYSCALL, 0, "entry umask pc=svc+4 x0=18" },
		{ STEP, 0, "pseudo-step pc=svc+4 x0=63" },
		{ STEP, 0, "step pc=svc+8 x0=63" },
		{ PTRACE_SYSCALL, 0, "entry dup pc=svc+4 x0=1000" },
		{ PTRACE_SYSCALL, 0, "exit dup pc=svc+4 x0=-EBADF" },
		{ STEP, 0, "step pc=svc+8 x0=-EBADF" },
		{ PTRACE_SYSCALL, 0, "entry -1 pc=svc+4" },
		{ PTRACE_SYSCALL, 0, "exit -1 pc=svc+4 x0=-ENOSYS" },
		{ STEP, 0, "step pc=svc+8 x0=-ENOSYS" },
		{ PTRACE_SYSCALL, 0, "entry 100000 pc=svc+4 x0=pattern0" },
		{ PTRACE_SYSCALL, 0, "exit 100000 pc=svc+4 x0=-ENOSYS" },
		{ STEP, 0, "step pc=svc+8 x0=-ENOSYS" },
		{ PTRACE_CONT, 0, "exited 0" },
	};

	PINS("S04");
	check_script(variant->options, rows, ARRAY_SIZE(rows));
}

TEST_F(step_out, of_entry_stop_reached_by_stepping_to_svc_is_pseudo_step)
{
	static const struct stop_row rows[] = {
		{ STEP, 0, "step pc=svc x0=18" },
		{ PTRACE_SYSCALL, 0, "entry umask pc=svc+4 x0=18" },
		{ STEP, 0, "pseudo-step pc=svc+4 x0=63" },
		{ STEP, 0, "step pc=svc+8 x0=63" },
		{ PTRACE_SYSCALL, 0, "signal SIGTRAP TRAP_BRKPT pc=svc+12 x0=63" },
	};
	struct user_pt_regs regs;
	struct tracee t;

	PINS("S04");
	t = counted_start(&counted_umask, variant->options, &regs);
	tracee_expect(&t, rows, ARRAY_SIZE(rows), NULL);
	tracee_end(&t);
}

/* PTRACE_SYSCALL ends stepping, whether or not SPSR.SS was used up. */
TEST_F(step_out, of_svc_then_syscall_leaves_no_trap_behind)
{
	static const struct stop_row rows[] = {
		{ STEP, 0, "step pc=svc x0=18" },
		{ STEP, 0, "pseudo-step pc=svc+4 x0=63" },
		{ PTRACE_SYSCALL, 0, "signal SIGTRAP TRAP_BRKPT pc=svc+12 x0=63" },
	};
	struct user_pt_regs regs;
	struct tracee t;

	PINS("S04");
	t = counted_start(&counted_umask, variant->options, &regs);
	tracee_expect(&t, rows, ARRAY_SIZE(rows), NULL);
	tracee_end(&t);
}

/* A write at the stop, too, finds the task not yet stepping. */
TEST_F(step_out, of_stops_with_written_registers_stops_at_the_same_places)
{
	struct svc_script *sc = four_calls();
	struct tracee t;
	struct stop s;

	PINS("S04");
	t = tracee_start(svc_script_run, sc, variant->options);
	s = tracee_to(&t, PTRACE_SYSCALL, 0, "entry umask pc=svc+4 x0=18");
	tracee_set_regs(&t, &s.regs);
	s = tracee_to(&t, STEP, 0, "pseudo-step pc=svc+4 x0=63");
	tracee_set_regs(&t, &s.regs);
	tracee_to(&t, STEP, 0, "step pc=svc+8 x0=63");
	tracee_to(&t, PTRACE_SYSCALL, 0, "entry dup pc=svc+4 x0=1000");
	s = tracee_to(&t, PTRACE_SYSCALL, 0, "exit dup pc=svc+4 x0=-EBADF");
	tracee_set_regs(&t, &s.regs);
	tracee_to(&t, STEP, 0, "step pc=svc+8 x0=-EBADF");
	tracee_to(&t, PTRACE_CONT, 0, "exited 0");
	check_four_calls(sc);
}

TEST_F(step_out, of_entry_stop_with_the_call_skipped_is_pseudo_step)
{
	struct svc_script *sc = four_calls();
	struct tracee t;
	struct stop s;

	PINS("S04");
	name_value(X0_TRACER, "tracers");
	t = tracee_start(svc_script_run, sc, variant->options);
	s = tracee_to(&t, PTRACE_SYSCALL, 0, "entry umask pc=svc+4 x0=18");
	s.regs.regs[0] = X0_TRACER;
	tracee_set_regs(&t, &s.regs);
	tracee_set_nr(&t, -1);
	tracee_to(&t, STEP, 0, "pseudo-step pc=svc+4 x0=tracers");
	tracee_to(&t, STEP, 0, "step pc=svc+8 x0=tracers");
	tracee_to(&t, PTRACE_CONT, 0, "exited 0");
	check_frame(&sc->f[0], X0_TRACER);
}
