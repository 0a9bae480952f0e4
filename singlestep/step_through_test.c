// SPDX-License-Identifier: GPL-2.0
/*
 * Stepping over calls that do not return to where they were made: exec, rt_sigreturn,
 * exit. Where there is a next instruction, wherever it is, the task stops before it,
 * by the pseudo-step (S08 of the contract). syscall_trace_exit() in
 * arch/arm64/kernel/ptrace.c, syscall_exit_work() on the generic path, reports it;
 * start_thread() and valid_user_regs() decide about SPSR.SS.
 */
#include <asm/unistd.h>
#include <signal.h>
#include <sys/auxv.h>

#include "case.h"
#include "counted.h"

#define STEP		PTRACE_SINGLESTEP
#define SYSGOOD		PTRACE_O_TRACESYSGOOD

static void expect_rows(struct tracee *t, const struct stop_row *rows)
{
	size_t n = 0;

	while (rows[n].expect)
		n++;
	tracee_expect(t, rows, n, NULL);
}

FIXTURE(step_exec) {
};

FIXTURE_VARIANT(step_exec) {
	unsigned long options;
	const char *path;
	struct stop_row rows[6];
};

/* start_thread() leaves SPSR.SS clear: a trap at the first instruction, not yet executed. */
FIXTURE_VARIANT_ADD(step_exec, traced) {
	.path = "/proc/self/exe", .options = PTRACE_O_TRACEEXEC,
	.rows = {
		{ STEP, 0, "step pc=svc" },
		{ STEP, 0, "event exec" },
		{ STEP, 0, "pseudo-step pc=start-of-program x0=0" },
		{ STEP, 0, "step pc=start-of-program" },
		{ STEP, 0, "step pc=start-of-program+4" },
	},
};

FIXTURE_VARIANT_ADD(step_exec, traced_out_of_entry_stop) {
	.path = "/proc/self/exe", .options = PTRACE_O_TRACEEXEC,
	.rows = {
		{ PTRACE_SYSCALL, 0, "entry execve pc=svc+4" },
		{ STEP, 0, "event exec" },
		{ STEP, 0, "pseudo-step pc=start-of-program x0=0" },
		{ STEP, 0, "step pc=start-of-program" },
		{ STEP, 0, "step pc=start-of-program+4" },
	},
};

/* Not asked for, the event is a SIGTRAP, which the pseudo-step's merges with. */
FIXTURE_VARIANT_ADD(step_exec, by_signal) {
	.path = "/proc/self/exe",
	.rows = {
		{ STEP, 0, "step pc=svc" },
		{ STEP, 0, "signal SIGTRAP SI_USER pc=start-of-program" },
		{ STEP, 0, "step pc=start-of-program" },
		{ STEP, 0, "step pc=start-of-program+4" },
	},
};

FIXTURE_VARIANT_ADD(step_exec, failing) {
	.path = "/nowhere/nothing", .options = PTRACE_O_TRACEEXEC,
	.rows = {
		{ STEP, 0, "step pc=svc" },
		{ STEP, 0, "pseudo-step pc=svc+4 x0=-ENOENT" },
		{ STEP, 0, "step pc=svc+4 x0=-ENOENT" },
		{ STEP, 0, "step pc=svc+8 x0=-ENOENT" },
	},
};

FIXTURE_SETUP(step_exec)
{
}

FIXTURE_TEARDOWN(step_exec)
{
}

/* The program that is started is this one, static: it begins where the case's did. */
TEST_F(step_exec, is_one_pseudo_step_and_then_the_new_programs_first)
{
	static const char * const argv[] = { "exec", "--list", NULL };
	const struct counted_call c = {
		.nr = __NR_execve, .nargs = 3,
		.args = { U64(variant->path), U64(argv), U64(&argv[2]) },
	};
	struct user_pt_regs regs;
	struct tracee t;

	PINS("S08");
	name_range(getauxval(AT_ENTRY), 8, "start-of-program");
	t = counted_start(&c, SYSGOOD | variant->options, &regs);
	expect_rows(&t, variant->rows);
	tracee_end(&t);
}

FIXTURE(step_through) {
};

/* Calls that do not come back to where they were made. */
FIXTURE_VARIANT(step_through) {
	__u64 nr;
	unsigned long options;
	struct stop_row rows[8];
};

FIXTURE_VARIANT_ADD(step_through, exit_group) {
	.nr = __NR_exit_group,
	.rows = {
		{ STEP, 0, "step pc=svc x0=7" },
		{ STEP, 0, "exited 7" },
	},
};

FIXTURE_VARIANT_ADD(step_through, exit_with_its_event) {
	.nr = __NR_exit, .options = PTRACE_O_TRACEEXIT,
	.rows = {
		{ STEP, 0, "step pc=svc x0=7" },
		{ STEP, 0, "event exit" },
		{ STEP, 0, "exited 7" },
	},
};

FIXTURE_VARIANT_ADD(step_through, exit_out_of_entry_stop) {
	.nr = __NR_exit_group, .options = PTRACE_O_TRACEEXIT,
	.rows = {
		{ PTRACE_SYSCALL, 0, "entry exit_group pc=svc+4 x0=7" },
		{ STEP, 0, "event exit" },
		{ STEP, 0, "exited 7" },
	},
};

/* The handler ran unstepped; stepping begins with the call that ends it. */
FIXTURE_VARIANT_ADD(step_through, sigreturn_out_of_entry_stop) {
	.nr = __NR_umask,
	.rows = {
		{ STEP, 0, "step pc=svc x0=7" },
		{ PTRACE_SYSCALL, SIGUSR1, "entry rt_sigreturn pc=handler+12 x0=10" },
		{ STEP, 0, "pseudo-step pc=svc x0=7" },
		{ STEP, 0, "pseudo-step pc=svc+4 x0=63" },
		{ STEP, 0, "step pc=svc+4 x0=63" },
		{ STEP, 0, "step pc=svc+8 x0=63" },
	},
};

/* rt_sigreturn re-arms SPSR.SS, by valid_user_regs(), whatever the frame holds. */
FIXTURE_VARIANT_ADD(step_through, sigreturn_out_of_exit_stop) {
	.nr = __NR_umask,
	.rows = {
		{ PTRACE_SYSCALL, 0, "entry umask pc=svc+4 x0=7" },
		{ PTRACE_SYSCALL, 0, "exit umask pc=svc+4 x0=63" },
		{ PTRACE_SYSCALL, SIGUSR1, "signal SIGUSR1 SI_KERNEL pc=svc+4 x0=63" },
		{ PTRACE_SYSCALL, SIGUSR1, "entry rt_sigreturn pc=handler+12 x0=10" },
		{ PTRACE_SYSCALL, 0, "exit -1 pc=svc+4 x0=63" },
		{ STEP, 0, "step pc=svc+8 x0=63" },
	},
};

FIXTURE_SETUP(step_through)
{
}

FIXTURE_TEARDOWN(step_through)
{
}

TEST_F(step_through, stops_where_the_task_goes_on)
{
	const struct counted_call c = { .nr = variant->nr, .args = { 7 }, .nargs = 1 };
	struct user_pt_regs regs;
	struct tracee t;

	PINS("S08");
	counted_catch(SIGUSR1, 0, NULL);
	t = counted_start(&c, SYSGOOD | variant->options, &regs);
	expect_rows(&t, variant->rows);
	tracee_end(&t);
}
