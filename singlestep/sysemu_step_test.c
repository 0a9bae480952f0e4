// SPDX-License-Identifier: GPL-2.0
/*
 * PTRACE_SYSEMU_SINGLESTEP over nop; svc; nop; nop, into it from other requests'
 * entry stops, and out of it: where the task stops and why, that the call does not
 * run and the instruction after it runs once (E05, E02 of the contract). Whether the
 * stepped call is reported again at its exit is the difference D1:
 * syscall_trace_exit() in arch/arm64/kernel/ptrace.c always does so,
 * report_single_step() in include/linux/entry-common.h not while SYSEMU is set.
 */
#include <asm/unistd.h>
#include <errno.h>
#include <stdio.h>

#include "case.h"
#include "counted.h"
#include "effect.h"
#include "features.h"

#define SYSGOOD		PTRACE_O_TRACESYSGOOD
#define STEP		PTRACE_SINGLESTEP
#define EMUSTEP		PTRACE_SYSEMU_SINGLESTEP
#define X0_TRACER	0x7ace7ace

/* Which of the two columns of D1 the kernel has to show. */
static enum entry_path need_path(void)
{
	const char *evidence;
	enum entry_path path = entry_path(&evidence);

	if (path == PATH_UNKNOWN)
		case_skip("the entry path is unknown: set ENTRY_EXPECT=legacy or generic");
	return path;
}

static struct tracee start(struct user_pt_regs *regs)
{
	const struct counted_call c = { .nr = __NR_write, .args = EFFECT_ARGS, .nargs = 3 };

	effect_pipe();
	name_value(X0_TRACER, "tracers");
	return counted_start(&c, SYSGOOD, regs);
}

FIXTURE(sysemu_sequence) {
};

/* The stops from before the svc to svc+12, and what the tracer writes at them. */
FIXTURE_VARIANT(sysemu_sequence) {
	unsigned int writes;	/* NT_PRSTATUS, bit n: at stop n, counted from 1 */
	const char *legacy, *generic;
};

/* Taking the svc uses up SPSR.SS; a write of the registers arms it again. */
#define TRAPS " / TRAP_TRACE svc+4 / TRAP_TRACE svc+8 / TRAP_TRACE svc+12"
#define TRAPS_WRITTEN " / TRAP_TRACE svc+8 / TRAP_TRACE svc+12"

FIXTURE_VARIANT_ADD(sysemu_sequence, no_write) {
	.legacy = "TRAP_TRACE svc / entry svc+4 / pseudo-step svc+4" TRAPS,
	.generic = "TRAP_TRACE svc / entry svc+4" TRAPS,
};

FIXTURE_VARIANT_ADD(sysemu_sequence, write_at_each_stop) {
	.writes = ~0u,
	.legacy = "TRAP_TRACE svc / entry svc+4 / pseudo-step svc+4" TRAPS_WRITTEN,
	.generic = "TRAP_TRACE svc / entry svc+4" TRAPS_WRITTEN,
};

FIXTURE_VARIANT_ADD(sysemu_sequence, write_at_svc) {
	.writes = 1 << 1,
	.legacy = "TRAP_TRACE svc / entry svc+4 / pseudo-step svc+4" TRAPS,
	.generic = "TRAP_TRACE svc / entry svc+4" TRAPS,
};

FIXTURE_VARIANT_ADD(sysemu_sequence, write_at_entry) {
	.writes = 1 << 2,
	.legacy = "TRAP_TRACE svc / entry svc+4 / pseudo-step svc+4" TRAPS_WRITTEN,
	.generic = "TRAP_TRACE svc / entry svc+4" TRAPS_WRITTEN,
};

FIXTURE_VARIANT_ADD(sysemu_sequence, write_behind_entry) {
	.writes = 1 << 3,
	.legacy = "TRAP_TRACE svc / entry svc+4 / pseudo-step svc+4" TRAPS_WRITTEN,
	.generic = "TRAP_TRACE svc / entry svc+4" TRAPS,
};

FIXTURE_SETUP(sysemu_sequence)
{
}

FIXTURE_TEARDOWN(sysemu_sequence)
{
}

/* Step to counted_end, every stop on the way in @text; @x0, if it is not 0, is written. */
static struct stop walk(struct tracee *t, unsigned int writes, __u64 x0, char *text, size_t size)
{
	struct stop s = { 0 };
	const char *why;
	size_t len = 0;

	/* One stop more than there can be, so that a task that does not move ends too. */
	for (unsigned int i = 1; i <= 8 && s.regs.pc != U64(counted_end) && t->running; i++) {
		s = tracee_next(t, EMUSTEP, 0);
		if (!t->running)
			break;
		if (x0 && s.kind == STOP_ENTRY)
			s.regs.regs[0] = x0;
		if (writes & 1 << i || (x0 && s.kind == STOP_ENTRY))
			tracee_set_regs(t, &s.regs);
		why = s.kind == STOP_STEP ? sicode_name(s.sig, s.code) : stop_kind_name(s.kind);
		len += (size_t)snprintf(text + len, size - len, "%s%s %s", i > 1 ? " / " : "",
					why, value_name(s.regs.pc));
	}
	return s;
}

TEST_F(sysemu_sequence, runs_each_instruction_but_svc_once)
{
	enum entry_path path;
	char seen[512] = "";
	struct user_pt_regs regs;
	struct tracee t;
	struct stop s;

	PINS("D1 E05");
	path = need_path();
	t = start(&regs);
	s = walk(&t, variant->writes, 0, seen, sizeof(seen));
	check_str("stops from before the svc to svc+12",
		  path == PATH_LEGACY ? variant->legacy : variant->generic, seen);
	for (unsigned int i = 19; i <= 21; i++)
		regs.regs[i]++;
	regs.pc = U64(counted_end);
	if (t.running)
		counted_check_regs(&s, &regs);
	check_eq("bytes that the emulated write() wrote", 0, effect_count());
	if (t.running)
		tracee_to(&t, PTRACE_CONT, 0, "signal SIGTRAP TRAP_BRKPT pc=svc+12");
	tracee_end(&t);
}

/* The write of the result is a write of the registers: no trap at svc+4. */
TEST(sysemu_step_result_written_at_entry_is_what_the_task_gets)
{
	enum entry_path path;
	char seen[512] = "";
	struct user_pt_regs regs;
	struct tracee t;
	struct stop s;

	PINS("D1 E05");
	path = need_path();
	t = start(&regs);
	s = walk(&t, 0, X0_TRACER, seen, sizeof(seen));
	check_str("stops from before the svc to svc+12", path == PATH_LEGACY ?
		  "TRAP_TRACE svc / entry svc+4 / pseudo-step svc+4" TRAPS_WRITTEN :
		  "TRAP_TRACE svc / entry svc+4" TRAPS_WRITTEN, seen);
	check_eq("x0 behind the svc", X0_TRACER, s.regs.regs[0]);
	check_eq("bytes that the emulated write() wrote", 0, effect_count());
	tracee_end(&t);
}

FIXTURE(sysemu_mix) {
};

/* Requests in turn, at a call that writes one byte if it runs. */
FIXTURE_VARIANT(sysemu_mix) {
	struct stop_row legacy[8], generic[8];
	__u64 bytes;
};

#define ENTRY	"entry write pc=svc+4 x0=200"

FIXTURE_VARIANT_ADD(sysemu_mix, from_syscall_entry_runs_the_call) {
	.legacy = {
		{ PTRACE_SYSCALL, 0, ENTRY },
		{ EMUSTEP, 0, "pseudo-step pc=svc+4 x0=1" },
		{ EMUSTEP, 0, "step pc=svc+8 x0=1" },
		{ EMUSTEP, 0, "step pc=svc+12 x0=1" },
	},
	.generic = {
		{ PTRACE_SYSCALL, 0, ENTRY },
		{ EMUSTEP, 0, "step pc=svc+8 x0=1" },
		{ EMUSTEP, 0, "step pc=svc+12 x0=1" },
	},
	.bytes = 1,
};

FIXTURE_VARIANT_ADD(sysemu_mix, from_sysemu_entry_skips_the_call) {
	.legacy = {
		{ PTRACE_SYSEMU, 0, ENTRY },
		{ EMUSTEP, 0, "pseudo-step pc=svc+4 x0=200" },
		{ EMUSTEP, 0, "step pc=svc+8 x0=200" },
		{ EMUSTEP, 0, "step pc=svc+12 x0=200" },
	},
	.generic = {
		{ PTRACE_SYSEMU, 0, ENTRY },
		{ EMUSTEP, 0, "step pc=svc+8 x0=200" },
		{ EMUSTEP, 0, "step pc=svc+12 x0=200" },
	},
};

FIXTURE_VARIANT_ADD(sysemu_mix, from_exit_stop_steps_on) {
	.legacy = {
		{ PTRACE_SYSCALL, 0, ENTRY },
		{ PTRACE_SYSCALL, 0, "exit write pc=svc+4 x0=1" },
		{ EMUSTEP, 0, "step pc=svc+8 x0=1" },
		{ EMUSTEP, 0, "step pc=svc+12 x0=1" },
	},
	.bytes = 1,
};

FIXTURE_VARIANT_ADD(sysemu_mix, then_singlestep_is_a_pseudo_step) {
	.legacy = {
		{ EMUSTEP, 0, "step pc=svc x0=200" },
		{ EMUSTEP, 0, ENTRY },
		{ STEP, 0, "pseudo-step pc=svc+4 x0=200" },
		{ STEP, 0, "step pc=svc+4 x0=200" },
		{ STEP, 0, "step pc=svc+8 x0=200" },
	},
};

FIXTURE_VARIANT_ADD(sysemu_mix, then_syscall_is_an_exit_stop) {
	.legacy = {
		{ EMUSTEP, 0, "step pc=svc x0=200" },
		{ EMUSTEP, 0, ENTRY },
		{ PTRACE_SYSCALL, 0, "exit write pc=svc+4 x0=200" },
		{ STEP, 0, "step pc=svc+8 x0=200" },
	},
};

FIXTURE_VARIANT_ADD(sysemu_mix, then_cont_runs_to_the_end) {
	.legacy = {
		{ EMUSTEP, 0, "step pc=svc x0=200" },
		{ EMUSTEP, 0, ENTRY },
		{ PTRACE_CONT, 0, "signal SIGTRAP TRAP_BRKPT pc=svc+12 x0=200" },
	},
};

FIXTURE_VARIANT_ADD(sysemu_mix, then_sysemu_runs_to_the_end) {
	.legacy = {
		{ EMUSTEP, 0, "step pc=svc x0=200" },
		{ EMUSTEP, 0, ENTRY },
		{ PTRACE_SYSEMU, 0, "signal SIGTRAP TRAP_BRKPT pc=svc+12 x0=200" },
	},
};

/* Emulated is what SYSEMU led into, whatever stepped there. */
FIXTURE_VARIANT_ADD(sysemu_mix, singlestep_to_svc_then_sysemu_skips_the_call) {
	.legacy = {
		{ STEP, 0, "step pc=svc x0=200" },
		{ PTRACE_SYSEMU, 0, ENTRY },
		{ STEP, 0, "pseudo-step pc=svc+4 x0=200" },
		{ STEP, 0, "step pc=svc+8 x0=200" },
	},
};

FIXTURE_VARIANT_ADD(sysemu_mix, sysemu_step_to_svc_then_singlestep_runs_the_call) {
	.legacy = {
		{ EMUSTEP, 0, "step pc=svc x0=200" },
		{ STEP, 0, "pseudo-step pc=svc+4 x0=1" },
		{ EMUSTEP, 0, "step pc=svc+4 x0=1" },
		{ EMUSTEP, 0, "step pc=svc+8 x0=1" },
	},
	.bytes = 1,
};

FIXTURE_SETUP(sysemu_mix)
{
}

FIXTURE_TEARDOWN(sysemu_mix)
{
}

/* Where .generic is left out both paths have to do the same. */
TEST_F(sysemu_mix, stops_and_effect_are_those_of_the_entry_path)
{
	const struct stop_row *rows = variant->legacy;
	struct user_pt_regs regs;
	struct tracee t;
	size_t n = 0;

	PINS("D1 E02 E05");
	if (variant->generic[0].expect && need_path() == PATH_GENERIC)
		rows = variant->generic;
	while (rows[n].expect)
		n++;
	t = start(&regs);
	tracee_expect(&t, rows, n, NULL);
	check_eq("bytes that the write() wrote", variant->bytes, effect_count());
	tracee_end(&t);
}

FIXTURE(sysemu_number) {
};

/* Numbers that are no call, or that the tracer makes another: none is run. */
FIXTURE_VARIANT(sysemu_number) {
	struct counted_call call;
	bool rewrites;
	int nr;
	const char *entry;
};

FIXTURE_VARIANT_ADD(sysemu_number, minus_1_is_enosys) {
	.call = { .nr = ~0ull, .result = (__u64)-ENOSYS }, .entry = "entry -1 pc=svc+4 x0=-ENOSYS",
};

FIXTURE_VARIANT_ADD(sysemu_number, out_of_range_keeps_x0) {
	.call = { .nr = 100000, .result = 0xa5a500015a5a5a5a },
	.entry = "entry 100000 pc=svc+4 x0=pattern0",
};

FIXTURE_VARIANT_ADD(sysemu_number, umask_keeps_x0) {
	.call = { .nr = __NR_umask, .args = { 022 }, .nargs = 1, .result = 022 },
	.entry = "entry umask pc=svc+4 x0=18",
};

FIXTURE_VARIANT_ADD(sysemu_number, rewritten_keeps_x0) {
	.call = { .nr = __NR_umask, .args = { 022 }, .nargs = 1, .result = 022 },
	.rewrites = true, .nr = __NR_getppid,
	.entry = "entry umask pc=svc+4 x0=18",
};

FIXTURE_SETUP(sysemu_number)
{
}

FIXTURE_TEARDOWN(sysemu_number)
{
}

TEST_F(sysemu_number, is_not_run_and_stepped_over_once)
{
	enum entry_path path;
	struct user_pt_regs regs;
	struct tracee t;
	struct stop s;

	PINS("D1 E05");
	path = need_path();
	t = counted_start(&variant->call, SYSGOOD, &regs);
	tracee_to(&t, EMUSTEP, 0, "step pc=svc");
	tracee_to(&t, EMUSTEP, 0, variant->entry);
	if (variant->rewrites)
		tracee_set_nr(&t, variant->nr);
	if (path == PATH_LEGACY)
		tracee_to(&t, EMUSTEP, 0, "pseudo-step pc=svc+4");
	s = tracee_to(&t, EMUSTEP, 0, "step pc=svc+4");
	check_eq("x0 behind the svc", variant->call.result, s.regs.regs[0]);
	check_eq("x7 behind the svc", svc_pattern(7), s.regs.regs[7]);
	s = tracee_to(&t, EMUSTEP, 0, "step pc=svc+8");
	check_eq("x20, which svc+4 counts in", svc_pattern(20) + 1, s.regs.regs[20]);
	tracee_end(&t);
}
