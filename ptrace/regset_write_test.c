// SPDX-License-Identifier: GPL-2.0
/*
 * What a tracer writes to a regset at a stop is what the task resumes with, at the entry
 * stop (of a call that runs, or is skipped) as at the exit stop, and reads back as written
 * (P24, P28). The set functions of arch/arm64/kernel/ptrace.c decide, and what loads the
 * registers again on the way out: fpsimd_restore_current_state() and __switch_to().
 */
#include <asm/unistd.h>

#include "case.h"
#include "regclass.h"

FIXTURE(regset) {
};

FIXTURE_VARIANT(regset) {
	const struct reg_class *class;
};

FIXTURE_VARIANT_ADD(regset, general) {
	.class = &class_general,
};

FIXTURE_VARIANT_ADD(regset, pstate_cleared) {
	.class = &class_flags_set,
};

FIXTURE_VARIANT_ADD(regset, pstate_set) {
	.class = &class_flags_clear,
};

FIXTURE_VARIANT_ADD(regset, tls) {
	.class = &class_tls,
};

FIXTURE_VARIANT_ADD(regset, fpsimd) {
	.class = &class_fpsimd,
};

FIXTURE_VARIANT_ADD(regset, sve) {
	.class = &class_sve,
};

FIXTURE_VARIANT_ADD(regset, streaming_sve) {
	.class = &class_streaming,
};

FIXTURE_VARIANT_ADD(regset, za) {
	.class = &class_za,
};

FIXTURE_VARIANT_ADD(regset, zt) {
	.class = &class_zt,
};

FIXTURE_SETUP(regset)
{
}

FIXTURE_TEARDOWN(regset)
{
}

/* Where the tracer writes. */
enum place {
	AT_ENTRY,
	AT_ENTRY_OF_SKIPPED,
	AT_EXIT,
	PLACES,
};

static const char * const after[PLACES] = {
	[AT_ENTRY] = "after the call at whose entry stop it was written",
	[AT_ENTRY_OF_SKIPPED] = "after the skipped call at whose entry stop it was written",
	[AT_EXIT] = "after the call at whose exit stop it was written",
};

static void run_calls(void *arg)
{
	struct regs_call *c = arg;

	for (unsigned int i = 0; i < PLACES; i++)
		regs_run(&c[i]);
}

static void write_and_read_back(struct tracee *t, struct stop *s, struct regs_call *c,
				const struct reg_class *class)
{
	class->write(t, c);
	tracee_get_regs(t, &s->regs);
	class->shown(t, s, c);
}

TEST_F(regset, written_at_either_stop_is_what_the_task_resumes_with)
{
	const struct reg_class *class = variant->class;
	struct regs_call *c;
	struct tracee t;
	struct stop s;

	PINS("P24 P28");
	need_class(class);
	c = shared_alloc(PLACES * sizeof(*c));
	for (unsigned int i = 0; i < PLACES; i++) {
		svc_fill(&c[i].frame, __NR_sched_yield, 0);
		c[i].run = svc_run;
		class->fill(&c[i]);
	}
	t = tracee_start(run_calls, c, PTRACE_O_TRACESYSGOOD);
	for (unsigned int i = 0; i < PLACES; i++) {
		s = tracee_to(&t, PTRACE_SYSCALL, 0, "entry sched_yield pc=svc+4");
		class->shown(&t, &s, &c[i]);
		if (i == AT_ENTRY_OF_SKIPPED)
			tracee_set_nr(&t, -1);
		if (i != AT_EXIT)
			write_and_read_back(&t, &s, &c[i], class);
		s = tracee_to(&t, PTRACE_SYSCALL, 0, "exit");
		class->shown(&t, &s, &c[i]);
		if (i == AT_EXIT)
			write_and_read_back(&t, &s, &c[i], class);
	}
	tracee_to(&t, PTRACE_CONT, 0, "exited 0");
	for (unsigned int i = 0; i < PLACES; i++) {
		check_frame(&c[i].frame, i == AT_ENTRY_OF_SKIPPED ? c[i].frame.x[0] : 0);
		class->check(&c[i], after[i]);
	}
}
