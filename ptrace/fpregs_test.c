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

#define CASE_ALL_CPUS
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
	check_class_kept(variant->class, WORK_NONE);
}

TEST_F(registers, survive_calls_with_both_stops)
{
	PINS("P23");
	check_class_kept(variant->class, WORK_PTRACE);
}

TEST_F(registers, survive_stepped_calls)
{
	PINS("P23");
	check_class_kept(variant->class, WORK_STEP);
}

TEST_F(registers, survive_filtered_calls)
{
	PINS("P23");
	check_class_kept(variant->class, WORK_SECCOMP);
}

TEST_F(registers, survive_calls_that_the_selector_allows)
{
	PINS("P23");
	check_class_kept(variant->class, WORK_SUD);
}
