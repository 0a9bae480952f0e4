// SPDX-License-Identifier: GPL-2.0
/*
 * Audit and the syscall tracepoints, which run on each call's way in and out, leave the
 * task its registers: what ptrace/fpregs_test and ptrace/pstate_test pin down holds with
 * either of them, and with both under a tracer (P23, P24). Of the kernel it is
 * syscall_trace_enter() and syscall_trace_exit() of arch/arm64/kernel/ptrace.c, on the
 * generic path include/linux/entry-common.h.
 */
#include "../ptrace/regwork.h"
#include "case.h"
#include "work.h"

FIXTURE(registers_with) {
};

FIXTURE_VARIANT(registers_with) {
	const struct reg_class *class;
	unsigned int kinds;
	enum regs_way way;
};

FIXTURE_VARIANT_ADD(registers_with, tracepoint_base) {
	.class = &class_base, .kinds = WORK_TRACEPOINT,
};

FIXTURE_VARIANT_ADD(registers_with, tracepoint_sve) {
	.class = &class_sve, .kinds = WORK_TRACEPOINT,
};

FIXTURE_VARIANT_ADD(registers_with, ptrace_audit_tracepoint_base) {
	.class = &class_base, .kinds = WORK_AUDIT | WORK_TRACEPOINT, .way = REGS_TRACED,
};

FIXTURE_VARIANT_ADD(registers_with, audit_base) {
	.class = &class_base, .kinds = WORK_AUDIT,
};

FIXTURE_VARIANT_ADD(registers_with, audit_sve) {
	.class = &class_sve, .kinds = WORK_AUDIT,
};

FIXTURE_VARIANT_ADD(registers_with, audit_sme) {
	.class = &class_sme, .kinds = WORK_AUDIT,
};

FIXTURE_VARIANT_ADD(registers_with, audit_pstate) {
	.class = &class_flags_set, .kinds = WORK_AUDIT,
};

FIXTURE_SETUP(registers_with)
{
}

FIXTURE_TEARDOWN(registers_with)
{
}

TEST_F(registers_with, survive_every_outcome_of_a_call)
{
	PINS("P23 P24");
	need_class(variant->class);
	work_begin(variant->kinds);
	check_class_kept(variant->class, variant->way);
}
