// SPDX-License-Identifier: GPL-2.0
/*
 * A system call keeps every register of the task, whatever becomes of the call and
 * whatever work the kernel has with it; of the scalable ones it keeps V and ZA, clears
 * the rest and ends streaming mode (P23). arch/arm64/kernel/entry-common.c
 * fpsimd_syscall_enter() and el0_svc() decide, and on the way out
 * fpsimd_restore_current_state().
 */
#include <asm/unistd.h>
#include <linux/sched.h>
#include <signal.h>

#include "case.h"
#include "regwork.h"

FIXTURE(registers) {
};

FIXTURE_VARIANT(registers) {
	const struct reg_class *class;
};

/* x0-x30, SP, NZCV, TPIDR_EL0, TPIDR2_EL0, V0-V31, FPSR, FPCR. */
FIXTURE_VARIANT_ADD(registers, base) {
	.class = &class_base,
};

FIXTURE_VARIANT_ADD(registers, sve) {
	.class = &class_sve,
};

FIXTURE_VARIANT_ADD(registers, sme) {
	.class = &class_sme,
};

FIXTURE_SETUP(registers)
{
}

FIXTURE_TEARDOWN(registers)
{
}

TEST_F(registers, survive_untraced_calls)
{
	PINS("P23");
	check_class_kept(variant->class, REGS_UNTRACED);
}

TEST_F(registers, survive_calls_with_both_stops)
{
	PINS("P23");
	check_class_kept(variant->class, REGS_TRACED);
}

TEST_F(registers, survive_stepped_calls)
{
	PINS("P23");
	check_class_kept(variant->class, REGS_STEPPED);
}

TEST_F(registers, survive_filtered_calls)
{
	PINS("P23");
	check_class_kept(variant->class, REGS_FILTERED);
}

TEST_F(registers, survive_calls_that_the_selector_allows)
{
	PINS("P23");
	check_class_kept(variant->class, REGS_DISPATCHED);
}

/* The child reports what it found when it came into being; its parent waits for its end. */
static void fork_body(void *arg)
{
	struct regs_call *c = arg;

	regs_run(&c[0]);
	if (c[0].frame.x_out[0])
		return;
	memcpy(&c[1].frame, &c[0].frame, sizeof(c[0].frame));
	memcpy(&c[1].out, &c[0].out, sizeof(c[0].out));
	svc_exit(0);
}

TEST_F(registers, are_the_same_in_the_child_of_a_fork)
{
	const struct reg_class *class = variant->class;
	struct regs_call *c;
	struct tracee t;

	PINS("P23");
	need_class(class);
	c = shared_alloc(2 * sizeof(*c));
	svc_fill(&c[0].frame, __NR_clone, 2, U64(CLONE_VFORK | SIGCHLD), U64(0));
	c[0].run = svc_run;
	class->fill(&c[0]);
	class->fill(&c[1]);
	t = tracee_spawn(fork_body, c);
	tracee_to(&t, WAIT_ONLY, 0, "exited 0");
	check_frame(&c[0].frame, c[0].frame.x_out[0]);
	class->check(&c[0], "in the parent after fork");
	check_frame(&c[1].frame, 0);
	class->check(&c[1], "in the child after fork");
}
