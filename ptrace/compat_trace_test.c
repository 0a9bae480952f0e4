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

/* Each case walks both codes with one task. */
static const struct code {
	const struct arm32_code *code;
	const char *after;	/* the PC behind the svc */
} codes[] = {
	{ &arm32_arm, "svc+4" },
	{ &arm32_thumb, "svc+2" },
};

/* The task before umask(022); its umask is 077. */
static void umask_022(struct tracee *t, const struct arm32_code *code, struct user_pt_regs *regs)
{
	arm32_about(t, code, "umask");
	arm32_call(t, code, regs, ARM_NR_umask, 1, 022);
}

static void check_umask(struct tracee *t, __u32 want)
{
	struct stop s = { .about = t->about };

	check_at(&s, "umask afterwards", want, U64(arm32_do(t, &arm32_arm, ARM_NR_umask, 1, 077)));
}

/* A case: @check with one task, in ARM and in Thumb code. */
static void in_both(void (*check)(struct tracee *t, const struct code *c))
{
	struct tracee t;

	umask(077);
	t = arm32_start(SYSGOOD);
	for (unsigned int i = 0; i < ARRAY_SIZE(codes); i++)
		check(&t, &codes[i]);
	tracee_end(&t);
}

/* tracee_to() a stop of that kind, with the text that follows PC. */
static struct stop to_after(struct tracee *t, long request, const char *kind, const char *after,
			    const char *rest)
{
	char text[96];

	snprintf(text, sizeof(text), "%s pc=%s%s", kind, after, rest);
	return tracee_to(t, request, 0, text);
}

static void check_sysemu(struct tracee *t, const struct code *c)
{
	struct user_pt_regs regs;
	struct stop s;

	umask_022(t, c->code, &regs);
	s = to_after(t, PTRACE_SYSEMU, "entry arm:umask", c->after, " x0=18");
	check_at(&s, "r12 at entry", 0, s.regs.regs[12]);
	s.regs.regs[0] = RESULT;
	tracee_set_regs(t, &s.regs);
	s = tracee_to(t, PTRACE_SYSEMU, 0, END);
	arm32_finished(&s, c->code, &regs, RESULT);
	check_umask(t, 077);
}

TEST(arm32_sysemu_stops_once_and_does_not_run_the_call)
{
	PINS("A04 E01");
	in_both(check_sysemu);
}

static void check_sysemu_without_result(struct tracee *t, const struct code *c)
{
	struct user_pt_regs regs;
	struct stop s;

	umask_022(t, c->code, &regs);
	to_after(t, PTRACE_SYSEMU, "entry arm:umask", c->after, " x0=18");
	s = tracee_to(t, PTRACE_CONT, 0, END);
	arm32_finished(&s, c->code, &regs, 022);
	check_umask(t, 077);
}

TEST(arm32_sysemu_without_a_result_leaves_argument_0)
{
	PINS("A04 E01");
	in_both(check_sysemu_without_result);
}

static void check_syscall_then_sysemu(struct tracee *t, const struct code *c)
{
	struct user_pt_regs regs;
	struct stop s;

	umask_022(t, c->code, &regs);
	to_after(t, PTRACE_SYSCALL, "entry arm:umask", c->after, " x0=18");
	s = tracee_to(t, PTRACE_SYSEMU, 0, END);
	arm32_finished(&s, c->code, &regs, 077);
	check_umask(t, 022);
}

TEST(arm32_syscall_then_sysemu_runs_the_call)
{
	PINS("A04 E02");
	in_both(check_syscall_then_sysemu);
}

static void check_sysemu_then_syscall(struct tracee *t, const struct code *c)
{
	struct user_pt_regs regs;
	struct stop s;

	umask_022(t, c->code, &regs);
	to_after(t, PTRACE_SYSEMU, "entry arm:umask", c->after, " x0=18");
	s = to_after(t, PTRACE_SYSCALL, "exit arm:umask", c->after, " x0=18");
	check_at(&s, "r12 at exit", 1, s.regs.regs[12]);
	s = tracee_to(t, PTRACE_CONT, 0, END);
	arm32_finished(&s, c->code, &regs, 022);
	check_umask(t, 077);
}

TEST(arm32_sysemu_then_syscall_skips_with_an_exit_stop)
{
	PINS("A04 E02");
	in_both(check_sysemu_then_syscall);
}

static void check_pseudo_step(struct tracee *t, const struct code *c)
{
	struct user_pt_regs regs;
	struct stop s;

	umask_022(t, c->code, &regs);
	to_after(t, PTRACE_SYSCALL, "entry arm:umask", c->after, " x0=18");
	s = to_after(t, PTRACE_SINGLESTEP, "pseudo-step", c->after, " x0=63");
	regs.regs[8]++;
	regs.regs[0] = 077;
	regs.pc = c->code->after;
	check_arm32(&s, &regs);
	check_umask(t, 022);
}

TEST(arm32_single_step_out_of_an_entry_stop_is_a_pseudo_step)
{
	PINS("A04 S04");
	in_both(check_pseudo_step);
}

/* Requests, registers written at each stop or not, and the stops from before the svc. */
static const struct stepped {
	const char *what;
	const struct arm32_code *code;
	long request;
	bool writes;
	const char *legacy, *generic;	/* NULL: the same */
} stepped[] = {
	{ "stepped", &arm32_arm, PTRACE_SINGLESTEP, false,
	  "svc TRAP_TRACE, svc+4 SI_USER, svc+4 TRAP_TRACE, svc+8 TRAP_TRACE", NULL },
	{ "stepped with writes", &arm32_arm, PTRACE_SINGLESTEP, true,
	  "svc TRAP_TRACE, svc+4 SI_USER, svc+8 TRAP_TRACE", NULL },
	{ "stepped", &arm32_thumb, PTRACE_SINGLESTEP, false,
	  "svc TRAP_TRACE, svc+2 SI_USER, svc+2 TRAP_TRACE, svc+6 TRAP_TRACE", NULL },
	{ "stepped with writes", &arm32_thumb, PTRACE_SINGLESTEP, true,
	  "svc TRAP_TRACE, svc+2 SI_USER, svc+6 TRAP_TRACE", NULL },
}, emulated[] = {
	/* The entry stop has si_code SIGTRAP|0x80; after it D1. */
	{ "emulated", &arm32_arm, PTRACE_SYSEMU_SINGLESTEP, false,
	  "svc TRAP_TRACE, svc+4 133, svc+4 SI_USER, svc+4 TRAP_TRACE, svc+8 TRAP_TRACE",
	  "svc TRAP_TRACE, svc+4 133, svc+4 TRAP_TRACE, svc+8 TRAP_TRACE" },
	{ "emulated with writes", &arm32_thumb, PTRACE_SYSEMU_SINGLESTEP, true,
	  "svc TRAP_TRACE, svc+2 133, svc+2 SI_USER, svc+6 TRAP_TRACE",
	  "svc TRAP_TRACE, svc+2 133, svc+6 TRAP_TRACE" },
};

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

static void check_steps(struct tracee *t, const struct stepped *w)
{
	const bool emulates = w->request == PTRACE_SYSEMU_SINGLESTEP;
	const char *want = expected_stops(w->legacy, w->generic);
	struct user_pt_regs regs;
	char seen[256] = "", what[128];
	size_t len = 0;
	struct stop s;
	int n = 0;

	umask_022(t, w->code, &regs);
	arm32_about(t, w->code, "%s", w->what);
	do {
		s = tracee_next(t, w->request, 0);
		if (!t->running)
			break;
		if (w->writes)
			tracee_set_regs(t, &s.regs);
		len += (size_t)snprintf(seen + len, sizeof(seen) - len, "%s%s %s",
					n ? ", " : "", value_name(s.regs.pc),
					sicode_name(s.sig & 0x7f, s.code));
	} while (++n < 7 && s.regs.pc != w->code->after + 4);
	snprintf(what, sizeof(what), "stops from before the svc on" ABOUT, ABOUT_ARGS(t->about));
	check_str(what, want, seen);
	if (!t->running)
		case_end();
	s = tracee_to(t, PTRACE_CONT, 0, END);
	arm32_finished(&s, w->code, &regs, emulates ? 022 : 077);
	check_umask(t, emulates ? 077 : 022);
}

static void walk(const struct stepped *rows, size_t n)
{
	struct tracee t;

	umask(077);
	t = arm32_start(SYSGOOD);
	for (size_t i = 0; i < n; i++)
		check_steps(&t, &rows[i]);
	tracee_end(&t);
}

TEST(arm32_stepped_each_instruction_runs_once_with_the_stops_of_a_64_bit_task)
{
	PINS("A04 S03");
	walk(stepped, ARRAY_SIZE(stepped));
}

TEST(arm32_emulated_and_stepped_has_the_stops_of_a_64_bit_task)
{
	PINS("A04 S03 E05");
	walk(emulated, ARRAY_SIZE(emulated));
}

/* After the steps nothing of them is left, in PSTATE.SS least of all. */
static void check_cont(struct tracee *t, const struct code *c)
{
	struct user_pt_regs regs;
	struct stop s;

	umask_022(t, c->code, &regs);
	tracee_to(t, PTRACE_SINGLESTEP, 0, "step pc=svc x0=18");
	to_after(t, PTRACE_SINGLESTEP, "pseudo-step", c->after, " x0=63");
	s = tracee_to(t, PTRACE_CONT, 0, END);
	arm32_finished(&s, c->code, &regs, 077);
	check_umask(t, 022);
}

TEST(arm32_cont_after_a_step_runs_to_the_end)
{
	PINS("A04 S07");
	in_both(check_cont);
}
