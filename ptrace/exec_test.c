// SPDX-License-Identifier: GPL-2.0
/*
 * Exec and exit as the tracer sees them: the exec event between entry and exit, an
 * exit stop with result 0, the old number and the registers of the new program; the
 * exit event, and no exit stop, of a call that ends the task (P21).
 * fs/exec.c exec_binprm(), arch/arm64's start_thread() and kernel/exit.c do_exit() decide.
 */
#include <asm/unistd.h>
#include <errno.h>
#include <signal.h>

#include "case.h"
#include "program.h"
#include "tracee.h"

#define SYSGOOD		PTRACE_O_TRACESYSGOOD
#define TRACEEXEC	PTRACE_O_TRACEEXEC
#define TRACEEXIT	PTRACE_O_TRACEEXIT
#define ROWS		9

FIXTURE(exec) {
};

FIXTURE_VARIANT(exec) {
	unsigned long options;
	struct stop_row rows[ROWS];
	size_t n;
};

FIXTURE_VARIANT_ADD(exec, with_event) {
	.options = TRACEEXEC, .n = 7, .rows = {
		{ PTRACE_SYSCALL, 0, "entry execve pc=svc+4 x0=path" },
		{ PTRACE_SYSCALL, 0, "event exec" },
		{ PTRACE_SYSCALL, 0, "exit execve pc=program x0=0" },
		{ PTRACE_SYSCALL, 0, "entry getuid pc=program+8 x0=0" },
		{ PTRACE_SYSCALL, 0, "exit getuid pc=program+8" },
		{ PTRACE_SYSCALL, 0, "entry exit_group pc=program+20 x0=7" },
		{ PTRACE_SYSCALL, 0, "exited 7" },
	},
};

/* The SIGTRAP of old, sent by the task to itself in ptrace_event(). */
FIXTURE_VARIANT_ADD(exec, without_event) {
	.options = 0, .n = 5, .rows = {
		{ PTRACE_SYSCALL, 0, "entry execve pc=svc+4 x0=path" },
		{ PTRACE_SYSCALL, 0, "exit execve pc=program x0=0" },
		{ PTRACE_SYSCALL, 0, "signal SIGTRAP SI_USER pc=program x0=0" },
		{ PTRACE_SYSCALL, 0, "entry getuid pc=program+8 x0=0" },
		{ PTRACE_CONT, 0, "exited 7" },
	},
};

FIXTURE_VARIANT_ADD(exec, with_cont_at_entry) {
	.options = TRACEEXEC, .n = 3, .rows = {
		{ PTRACE_SYSCALL, 0, "entry execve" },
		{ PTRACE_CONT, 0, "event exec" },
		{ PTRACE_CONT, 0, "exited 7" },
	},
};

FIXTURE_VARIANT_ADD(exec, with_syscall_at_the_event_only) {
	.options = TRACEEXEC, .n = 4, .rows = {
		{ PTRACE_CONT, 0, "event exec" },
		{ PTRACE_SYSCALL, 0, "exit execve pc=program x0=0" },
		{ PTRACE_SYSCALL, 0, "entry getuid pc=program+8 x0=0" },
		{ PTRACE_CONT, 0, "exited 7" },
	},
};

/* The new program begins after the signal. */
FIXTURE_VARIANT_ADD(exec, with_a_signal_at_its_exit_stop) {
	.options = TRACEEXEC, .n = 5, .rows = {
		{ PTRACE_SYSCALL, 0, "entry execve" },
		{ PTRACE_SYSCALL, 0, "event exec" },
		{ PTRACE_SYSCALL, 0, "exit execve pc=program x0=0" },
		{ PTRACE_SYSCALL, SIGUSR1, "signal SIGUSR1 SI_KERNEL pc=program x0=0" },
		{ PTRACE_SYSCALL, 0, "entry getuid pc=program+8 x0=0" },
	},
};

FIXTURE_SETUP(exec)
{
}

FIXTURE_TEARDOWN(exec)
{
}

TEST_F(exec, makes_its_stops_in_order)
{
	struct svc_script *sc;
	struct tracee t;

	PINS("P21");
	sc = svc_script_new(1);
	program_call(&sc->f[0]);
	t = tracee_start(svc_script_run, sc, SYSGOOD | variant->options);
	tracee_expect(&t, variant->rows, variant->n, NULL);
	tracee_end(&t);
}

/* The new program's registers, with the marker of the stop in x7. */
static void check_new_regs(const struct stop *s, const char *stop, __u64 x7)
{
	char what[48];

	for (unsigned int i = 0; i < 31; i++) {
		snprintf(what, sizeof(what), "x%u at %s", i, stop);
		check_eq(what, i == 7 ? x7 : 0, s->regs.regs[i]);
	}
	snprintf(what, sizeof(what), "PC at %s", stop);
	check_eq(what, PROGRAM_ENTRY, s->regs.pc);
	snprintf(what, sizeof(what), "NT_ARM_SYSTEM_CALL at %s", stop);
	check_nr(what, __NR_execve, s->nr);
}

TEST(exec_event_and_exit_stop_show_the_new_program_and_the_number_of_execve)
{
	struct svc_script *sc;
	struct tracee t;
	struct stop s;

	PINS("P21");
	sc = svc_script_new(1);
	program_call(&sc->f[0]);
	tracee_first(&t, sc, SYSGOOD | TRACEEXEC, PTRACE_SYSCALL, "entry execve");
	s = tracee_to(&t, PTRACE_SYSCALL, 0, "event exec");
	check_true("PTRACE_GETEVENTMSG at the exec event is the task's id", s.msg == U64(t.pid));
	check_new_regs(&s, "the exec event", 0);
	s = tracee_to(&t, PTRACE_SYSCALL, 0, "exit execve");
	check_new_regs(&s, "the exit stop", 1);
	check_eq("exit.rval", 0, U64(s.info.exit.rval));
	check_eq("exit.is_error", 0, s.info.exit.is_error);
	s = tracee_to(&t, PTRACE_SYSCALL, 0, "entry getuid pc=program+8");
	check_eq("x0 of the new program", 0, s.regs.regs[0]);
	tracee_end(&t);
}

TEST(exec_that_fails_makes_no_event_and_keeps_the_registers)
{
	struct svc_script *sc;
	struct tracee t;

	PINS("P21");
	sc = svc_script_new(2);
	svc_fill(&sc->f[0], __NR_execve, 3, U64(""), U64(0), U64(0));
	tracee_first(&t, sc, SYSGOOD | TRACEEXEC, PTRACE_SYSCALL, "entry execve");
	tracee_to(&t, PTRACE_SYSCALL, 0, "exit execve pc=svc+4 x0=-ENOENT");
	tracee_to(&t, PTRACE_SYSCALL, 0, "entry getuid pc=svc+4 x0=pattern0");
	tracee_to(&t, PTRACE_CONT, 0, "exited 0");
	check_frame(&sc->f[0], U64(-ENOENT));
}

TEST(exec_of_a_skipped_call_is_none)
{
	struct svc_script *sc;
	struct tracee t;
	struct stop s;

	PINS("P11 P21");
	sc = svc_script_new(2);
	program_call(&sc->f[0]);
	s = tracee_first(&t, sc, SYSGOOD | TRACEEXEC, PTRACE_SYSCALL, "entry execve");
	tracee_set_nr(&t, -1);
	s.regs.regs[0] = U64(-EACCES);
	tracee_set_regs(&t, &s.regs);
	tracee_to(&t, PTRACE_SYSCALL, 0, "exit -1 pc=svc+4 x0=-EACCES");
	tracee_to(&t, PTRACE_SYSCALL, 0, "entry getuid pc=svc+4 x0=pattern0");
	tracee_end(&t);
	check_frame(&sc->f[0], U64(-EACCES));
}

FIXTURE(end) {
};

/* A call that ends the task, and the exit event's message: the wait status to come. */
FIXTURE_VARIANT(end) {
	__u64 nr, arg0;
	const char *entry, *end;
	unsigned long status;
};

FIXTURE_VARIANT_ADD(end, by_exit_group) {
	.nr = __NR_exit_group, .arg0 = 3,
	.entry = "entry exit_group pc=svc+4 x0=3", .end = "exited 3", .status = 0x300,
};

FIXTURE_VARIANT_ADD(end, by_exit) {
	.nr = __NR_exit, .arg0 = 3,
	.entry = "entry exit pc=svc+4 x0=3", .end = "exited 3", .status = 0x300,
};

/* Only eight bits of it count. */
FIXTURE_VARIANT_ADD(end, by_exit_group_of_all_bits) {
	.nr = __NR_exit_group, .arg0 = ~0ull,
	.entry = "entry exit_group", .end = "exited 255", .status = 0xff00,
};

FIXTURE_SETUP(end)
{
}

FIXTURE_TEARDOWN(end)
{
}

TEST_F(end, has_an_exit_event_within_the_call_and_no_exit_stop)
{
	struct svc_script *sc;
	struct tracee t;
	struct stop s;

	PINS("P21");
	sc = svc_script_new(1);
	svc_fill(&sc->f[0], variant->nr, 1, variant->arg0);
	tracee_first(&t, sc, SYSGOOD | TRACEEXIT, PTRACE_SYSCALL, variant->entry);
	s = tracee_to(&t, PTRACE_SYSCALL, 0, "event exit");
	check_eq("PTRACE_GETEVENTMSG at the exit event", variant->status, s.msg);
	check_nr("NT_ARM_SYSTEM_CALL at the exit event", (int)variant->nr, s.nr);
	check_eq("x0 at the exit event", variant->arg0, s.regs.regs[0]);
	check_eq("PC at the exit event", U64(svc_after), s.regs.pc);
	tracee_to(&t, PTRACE_SYSCALL, 0, variant->end);
}

TEST(end_without_the_event_follows_the_entry_stop)
{
	struct svc_script *sc;
	struct tracee t;

	PINS("P21");
	sc = svc_script_new(1);
	svc_fill(&sc->f[0], __NR_exit, 1, U64(3));
	tracee_first(&t, sc, SYSGOOD, PTRACE_SYSCALL, "entry exit pc=svc+4 x0=3");
	tracee_to(&t, PTRACE_SYSCALL, 0, "exited 3");
}
