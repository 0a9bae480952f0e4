// SPDX-License-Identifier: GPL-2.0
/*
 * PTRACE_SYSEMU, PTRACE_SYSEMU_SINGLESTEP and PTRACE_SINGLESTEP of a 32-bit task by a
 * 64-bit tracer: no request is refused, all is as for 64-bit tasks, in ARM and in
 * Thumb code (A04). arch/arm64/kernel/ptrace.c syscall_trace_enter() and
 * report_syscall_exit() decide, on the generic path syscall_trace_enter() and
 * report_single_step(); 32-bit kernels have neither SYSEMU nor a hardware step.
 */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <sys/stat.h>

#include "arm32.h"
#include "case.h"
#include "effect.h"
#include "features.h"

#define SYSGOOD	PTRACE_O_TRACESYSGOOD
#define END	"signal SIGTRAP TRAP_BRKPT pc=end"
#define RESULT	4242

FIXTURE(arm32_traced) {
};

FIXTURE_VARIANT(arm32_traced) {
	const struct arm32_code *code;
	const char *after;	/* the PC behind the svc */
};

FIXTURE_VARIANT_ADD(arm32_traced, arm) {
	.code = &arm32_arm, .after = "svc+4",
};

FIXTURE_VARIANT_ADD(arm32_traced, thumb) {
	.code = &arm32_thumb, .after = "svc+2",
};

FIXTURE_SETUP(arm32_traced)
{
}

FIXTURE_TEARDOWN(arm32_traced)
{
}

/* A 32-bit task before umask(022); its umask is 077. */
static struct tracee umask_022(const struct arm32_code *code, struct user_pt_regs *regs)
{
	struct tracee t;

	umask(077);
	t = arm32_start(SYSGOOD);
	arm32_call(&t, code, regs, ARM_NR_umask, 1, 022);
	return t;
}

static void check_umask(struct tracee *t, __u32 want)
{
	check_eq("umask afterwards", want, U64(arm32_do(t, &arm32_arm, ARM_NR_umask, 1, 077)));
}

/* tracee_to() a stop of that kind, with the text that follows PC. */
static struct stop to_after(struct tracee *t, long request, const char *kind, const char *after,
			    const char *rest)
{
	char text[96];

	snprintf(text, sizeof(text), "%s pc=%s%s", kind, after, rest);
	return tracee_to(t, request, 0, text);
}

TEST_F(arm32_traced, sysemu_stops_once_and_does_not_run_the_call)
{
	struct user_pt_regs regs;
	struct tracee t;
	struct stop s;

	PINS("A04 E01");
	t = umask_022(variant->code, &regs);
	s = to_after(&t, PTRACE_SYSEMU, "entry arm:umask", variant->after, " x0=18");
	check_eq("r12 at entry", 0, s.regs.regs[12]);
	s.regs.regs[0] = RESULT;
	tracee_set_regs(&t, &s.regs);
	s = tracee_to(&t, PTRACE_SYSEMU, 0, END);
	arm32_finished(&s, variant->code, &regs, RESULT);
	check_umask(&t, 077);
	tracee_end(&t);
}

TEST_F(arm32_traced, sysemu_without_a_result_leaves_argument_0)
{
	struct user_pt_regs regs;
	struct tracee t;
	struct stop s;

	PINS("A04 E01");
	t = umask_022(variant->code, &regs);
	to_after(&t, PTRACE_SYSEMU, "entry arm:umask", variant->after, " x0=18");
	s = tracee_to(&t, PTRACE_CONT, 0, END);
	arm32_finished(&s, variant->code, &regs, 022);
	check_umask(&t, 077);
	tracee_end(&t);
}

TEST_F(arm32_traced, syscall_then_sysemu_runs_the_call)
{
	struct user_pt_regs regs;
	struct tracee t;
	struct stop s;

	PINS("A04 E02");
	t = umask_022(variant->code, &regs);
	to_after(&t, PTRACE_SYSCALL, "entry arm:umask", variant->after, " x0=18");
	s = tracee_to(&t, PTRACE_SYSEMU, 0, END);
	arm32_finished(&s, variant->code, &regs, 077);
	check_umask(&t, 022);
	tracee_end(&t);
}

TEST_F(arm32_traced, sysemu_then_syscall_skips_with_an_exit_stop)
{
	struct user_pt_regs regs;
	struct tracee t;
	struct stop s;

	PINS("A04 E02");
	t = umask_022(variant->code, &regs);
	to_after(&t, PTRACE_SYSEMU, "entry arm:umask", variant->after, " x0=18");
	s = to_after(&t, PTRACE_SYSCALL, "exit arm:umask", variant->after, " x0=18");
	check_eq("r12 at exit", 1, s.regs.regs[12]);
	s = tracee_to(&t, PTRACE_CONT, 0, END);
	arm32_finished(&s, variant->code, &regs, 022);
	check_umask(&t, 077);
	tracee_end(&t);
}

TEST_F(arm32_traced, single_step_out_of_an_entry_stop_is_a_pseudo_step)
{
	struct user_pt_regs regs;
	struct tracee t;
	struct stop s;

	PINS("A04 S04");
	t = umask_022(variant->code, &regs);
	to_after(&t, PTRACE_SYSCALL, "entry arm:umask", variant->after, " x0=18");
	s = to_after(&t, PTRACE_SINGLESTEP, "pseudo-step", variant->after, " x0=63");
	regs.regs[8]++;
	regs.regs[0] = 077;
	regs.pc = variant->code->after;
	check_arm32(&s, &regs);
	tracee_end(&t);
}

FIXTURE(arm32_stepped) {
};

/* Requests, registers written at each stop or not, and the stops from before the svc. */
FIXTURE_VARIANT(arm32_stepped) {
	const struct arm32_code *code;
	long request;
	bool writes;
	const char *legacy, *generic;	/* NULL: the same */
};

FIXTURE_VARIANT_ADD(arm32_stepped, arm) {
	.code = &arm32_arm, .request = PTRACE_SINGLESTEP,
	.legacy = "svc TRAP_TRACE, svc+4 SI_USER, svc+4 TRAP_TRACE, svc+8 TRAP_TRACE",
};

FIXTURE_VARIANT_ADD(arm32_stepped, arm_with_writes) {
	.code = &arm32_arm, .request = PTRACE_SINGLESTEP, .writes = true,
	.legacy = "svc TRAP_TRACE, svc+4 SI_USER, svc+8 TRAP_TRACE",
};

FIXTURE_VARIANT_ADD(arm32_stepped, thumb) {
	.code = &arm32_thumb, .request = PTRACE_SINGLESTEP,
	.legacy = "svc TRAP_TRACE, svc+2 SI_USER, svc+2 TRAP_TRACE, svc+6 TRAP_TRACE",
};

FIXTURE_VARIANT_ADD(arm32_stepped, thumb_with_writes) {
	.code = &arm32_thumb, .request = PTRACE_SINGLESTEP, .writes = true,
	.legacy = "svc TRAP_TRACE, svc+2 SI_USER, svc+6 TRAP_TRACE",
};

/* The entry stop has si_code SIGTRAP|0x80; after it D1. */
FIXTURE_VARIANT_ADD(arm32_stepped, emulated_arm) {
	.code = &arm32_arm, .request = PTRACE_SYSEMU_SINGLESTEP,
	.legacy = "svc TRAP_TRACE, svc+4 133, svc+4 SI_USER, svc+4 TRAP_TRACE, svc+8 TRAP_TRACE",
	.generic = "svc TRAP_TRACE, svc+4 133, svc+4 TRAP_TRACE, svc+8 TRAP_TRACE",
};

FIXTURE_VARIANT_ADD(arm32_stepped, emulated_thumb_with_writes) {
	.code = &arm32_thumb, .request = PTRACE_SYSEMU_SINGLESTEP, .writes = true,
	.legacy = "svc TRAP_TRACE, svc+2 133, svc+2 SI_USER, svc+6 TRAP_TRACE",
	.generic = "svc TRAP_TRACE, svc+2 133, svc+6 TRAP_TRACE",
};

FIXTURE_SETUP(arm32_stepped)
{
}

FIXTURE_TEARDOWN(arm32_stepped)
{
}

static const char *expected_stops(const char *legacy, const char *generic)
{
	const char *evidence;

	if (!generic)
		return legacy;
	switch (entry_path(&evidence)) {
	case PATH_LEGACY:
		return legacy;
	case PATH_GENERIC:
		return generic;
	default:
		case_skip("the kernel's entry path is unknown: set ENTRY_EXPECT=legacy or generic");
	}
}

TEST_F(arm32_stepped, each_instruction_runs_once_with_the_stops_of_a_64_bit_task)
{
	const bool emulated = variant->request == PTRACE_SYSEMU_SINGLESTEP;
	const char *want = expected_stops(variant->legacy, variant->generic);
	struct user_pt_regs regs;
	char seen[256] = "";
	size_t len = 0;
	struct tracee t;
	struct stop s;
	int n = 0;

	PINS("A04 S03 E05");
	t = umask_022(variant->code, &regs);
	do {
		s = tracee_next(&t, variant->request, 0);
		if (!t.running)
			break;
		if (variant->writes)
			tracee_set_regs(&t, &s.regs);
		len += (size_t)snprintf(seen + len, sizeof(seen) - len, "%s%s %s",
					n ? ", " : "", value_name(s.regs.pc),
					sicode_name(s.sig & 0x7f, s.code));
	} while (++n < 7 && s.regs.pc != variant->code->after + 4);
	check_str("stops from before the svc on", want, seen);
	if (!t.running)
		case_end();
	s = tracee_to(&t, PTRACE_CONT, 0, END);
	arm32_finished(&s, variant->code, &regs, emulated ? 022 : 077);
	check_umask(&t, emulated ? 077 : 022);
	tracee_end(&t);
}

/* After the steps nothing of them is left, in PSTATE.SS least of all. */
TEST_F(arm32_traced, cont_after_a_step_runs_to_the_end)
{
	struct user_pt_regs regs;
	struct tracee t;
	struct stop s;

	PINS("A04 S07");
	t = umask_022(variant->code, &regs);
	tracee_to(&t, PTRACE_SINGLESTEP, 0, "step pc=svc x0=18");
	to_after(&t, PTRACE_SINGLESTEP, "pseudo-step", variant->after, " x0=63");
	s = tracee_to(&t, PTRACE_CONT, 0, END);
	arm32_finished(&s, variant->code, &regs, 077);
	tracee_end(&t);
}
