// SPDX-License-Identifier: GPL-2.0
/*
 * A 32-bit task's calls as a 64-bit tracer sees them: r12 (ip) is the marker of
 * entry and exit, r7 the number, AUDIT_ARCH_ARM the architecture, PC behind the svc of
 * ARM and of Thumb code (A01, A02). arch/arm64/kernel/ptrace.c report_syscall_entry(),
 * report_syscall_exit() and compat_gpr_set() decide, on the generic path
 * arch_ptrace_report_*(), and el0_svc_common() in syscall.c.
 */
#include <elf.h>
#include <errno.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/uio.h>

#include "arm32.h"
#include "case.h"
#include "filter.h"

#define SYSGOOD	PTRACE_O_TRACESYSGOOD
#define R12_LIE	0xbad12bad

FIXTURE(arm32) {
};

FIXTURE_VARIANT(arm32) {
	const struct arm32_code *code;
	const char *entry, *exit;
};

FIXTURE_VARIANT_ADD(arm32, arm) {
	.code = &arm32_arm,
	.entry = "entry arm:dup pc=svc+4 x0=1000", .exit = "exit arm:dup pc=svc+4 x0=-EBADF",
};

FIXTURE_VARIANT_ADD(arm32, thumb) {
	.code = &arm32_thumb,
	.entry = "entry arm:dup pc=svc+2 x0=1000", .exit = "exit arm:dup pc=svc+2 x0=-EBADF",
};

FIXTURE_SETUP(arm32)
{
}

FIXTURE_TEARDOWN(arm32)
{
}

#define END	"signal SIGTRAP TRAP_BRKPT pc=end"

/* A 32-bit task before dup(1000). */
static struct tracee dup_1000(const struct arm32_code *code, unsigned long options,
			      struct user_pt_regs *regs)
{
	struct tracee t = arm32_start(options);

	arm32_call(&t, code, regs, ARM_NR_dup, 1, 1000);
	return t;
}

TEST_F(arm32, ip_reads_0_at_entry_and_1_at_exit_and_r7_is_the_number)
{
	struct user_pt_regs regs;
	struct tracee t;
	struct stop s;

	PINS("A01");
	t = dup_1000(variant->code, SYSGOOD, &regs);
	s = tracee_to(&t, PTRACE_SYSCALL, 0, variant->entry);
	check_eq("r12 at entry", 0, s.regs.regs[12]);
	check_eq("r7 at entry", ARM_NR_dup, s.regs.regs[7]);
	check_nr("NT_ARM_SYSTEM_CALL at entry", ARM_NR_dup, s.nr);
	s = tracee_to(&t, PTRACE_SYSCALL, 0, variant->exit);
	check_eq("r12 at exit", 1, s.regs.regs[12]);
	check_eq("r7 at exit", ARM_NR_dup, s.regs.regs[7]);
	check_nr("NT_ARM_SYSTEM_CALL at exit", ARM_NR_dup, s.nr);
	s = tracee_to(&t, PTRACE_SYSCALL, 0, END);
	check_nr("NT_ARM_SYSTEM_CALL at a signal-delivery-stop", -1, s.nr);
	arm32_finished(&s, variant->code, &regs, (__u32)-EBADF);
	tracee_end(&t);
}

TEST_F(arm32, ip_written_at_entry_and_exit_is_dropped)
{
	struct user_pt_regs regs;
	struct tracee t;
	struct stop s;

	PINS("A01");
	t = dup_1000(variant->code, SYSGOOD, &regs);
	s = tracee_to(&t, PTRACE_SYSCALL, 0, variant->entry);
	s.regs.regs[12] = R12_LIE;
	tracee_set_regs(&t, &s.regs);
	s = tracee_to(&t, PTRACE_SYSCALL, 0, variant->exit);
	s.regs.regs[12] = R12_LIE;
	tracee_set_regs(&t, &s.regs);
	s = tracee_to(&t, PTRACE_SYSCALL, 0, END);
	arm32_finished(&s, variant->code, &regs, (__u32)-EBADF);
	tracee_end(&t);
}

/* r7 is a register like others: it is not what runs, and it sticks. */
TEST_F(arm32, r7_written_at_entry_sticks_and_the_call_stays_the_same)
{
	struct user_pt_regs regs;
	struct tracee t;
	struct stop s;

	PINS("A01");
	t = dup_1000(variant->code, SYSGOOD, &regs);
	s = tracee_to(&t, PTRACE_SYSCALL, 0, variant->entry);
	s.regs.regs[7] = ARM_NR_getuid;
	tracee_set_regs(&t, &s.regs);
	s = tracee_to(&t, PTRACE_SYSCALL, 0, variant->exit);
	check_eq("r7 at exit", ARM_NR_getuid, s.regs.regs[7]);
	regs.regs[7] = ARM_NR_getuid;
	s = tracee_to(&t, PTRACE_CONT, 0, END);
	arm32_finished(&s, variant->code, &regs, (__u32)-EBADF);
	tracee_end(&t);
}

TEST_F(arm32, ip_is_the_tasks_own_at_other_stops_and_what_is_written_sticks)
{
	struct user_pt_regs regs;
	struct tracee t;
	struct stop s;

	PINS("A01 P05");
	filter_answer(ARM_NR_dup, SECCOMP_RET_TRACE);
	t = dup_1000(variant->code, SYSGOOD | PTRACE_O_TRACESECCOMP, &regs);
	tracee_to(&t, PTRACE_SYSCALL, 0, variant->entry);
	s = tracee_to(&t, PTRACE_SYSCALL, 0, "seccomp arm:dup");
	check_eq("r12 at the seccomp stop", arm32_pattern(12), s.regs.regs[12]);
	s.regs.regs[12] = R12_LIE;
	tracee_set_regs(&t, &s.regs);
	tracee_to(&t, PTRACE_SYSCALL, 0, variant->exit);
	s = tracee_to(&t, PTRACE_CONT, 0, END);
	regs.regs[12] = R12_LIE;
	arm32_finished(&s, variant->code, &regs, (__u32)-EBADF);
	tracee_end(&t);
}

TEST_F(arm32, registers_at_both_stops_are_as_the_task_left_them)
{
	struct user_pt_regs regs;
	struct tracee t;
	struct stop s;

	PINS("A02");
	t = dup_1000(variant->code, SYSGOOD, &regs);
	regs.regs[8]++;
	regs.pc = variant->code->after;
	regs.regs[12] = 0;
	s = tracee_to(&t, PTRACE_SYSCALL, 0, variant->entry);
	check_arm32(&s, &regs);
	regs.regs[0] = (__u32)-EBADF;
	regs.regs[12] = 1;
	s = tracee_to(&t, PTRACE_SYSCALL, 0, variant->exit);
	check_arm32(&s, &regs);
	tracee_end(&t);
}

TEST_F(arm32, syscall_info_has_audit_arch_arm_and_32_bit_arguments)
{
	static const __u32 args[6] = { 0xffffffff, 0, 1, 0x80000000, 0x7fffffff, 0x12345678 };
	struct user_pt_regs regs;
	struct tracee t;
	struct stop s;
	char what[32];

	PINS("A02 P03");
	t = arm32_start(SYSGOOD);
	arm32_call(&t, variant->code, &regs, ARM_NR_dup, 6, args[0], args[1], args[2], args[3],
		   args[4], args[5]);
	s = tracee_to(&t, PTRACE_SYSCALL, 0, "entry arm:dup");
	check_eq("arch at entry", AUDIT_ARCH_ARM, s.info.arch);
	check_eq("instruction_pointer at entry", variant->code->after,
		 s.info.instruction_pointer);
	check_eq("stack_pointer at entry", regs.sp, s.info.stack_pointer);
	check_eq("entry.nr", ARM_NR_dup, s.info.entry.nr);
	for (unsigned int i = 0; i < 6; i++) {
		snprintf(what, sizeof(what), "entry.args[%u]", i);
		check_eq(what, args[i], s.info.entry.args[i]);
	}
	s = tracee_to(&t, PTRACE_SYSCALL, 0, "exit arm:dup");
	check_eq("arch at exit", AUDIT_ARCH_ARM, s.info.arch);
	check_eq("instruction_pointer at exit", variant->code->after,
		 s.info.instruction_pointer);
	check_eq("exit.rval", U64(-EBADF), U64(s.info.exit.rval));
	check_eq("exit.is_error", 1, s.info.exit.is_error);
	s = tracee_to(&t, PTRACE_CONT, 0, END);
	check_eq("arch at a signal-delivery-stop", AUDIT_ARCH_ARM, s.info.arch);
	check_eq("op at a signal-delivery-stop", PTRACE_SYSCALL_INFO_NONE, s.info.op);
	tracee_end(&t);
}

FIXTURE(arm32_result) {
};

/* r0 after a call, and what GET_SYSCALL_INFO makes of it: signed, from 32 bits. */
FIXTURE_VARIANT(arm32_result) {
	__u32 nr, args[6], r0;
	__s64 rval;
	unsigned int is_error;
};

FIXTURE_VARIANT_ADD(arm32_result, umask) {
	.nr = ARM_NR_umask, .args = { 022 }, .r0 = 077, .rval = 077,
};

/* An address in the upper half of what a 32-bit task has. */
FIXTURE_VARIANT_ADD(arm32_result, mmap_address) {
	.nr = ARM_NR_mmap2,
	.args = { 0x90000000, 65536, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, ~0u, 0 },
	.r0 = 0x90000000, .rval = (__s32)0x90000000,
};

FIXTURE_VARIANT_ADD(arm32_result, einval) {
	.nr = ARM_NR_mmap2, .args = { 0, 0 }, .r0 = (__u32)-EINVAL, .rval = -EINVAL,
	.is_error = 1,
};

FIXTURE_SETUP(arm32_result)
{
}

FIXTURE_TEARDOWN(arm32_result)
{
}

TEST_F(arm32_result, is_r0_and_sign_extended_in_syscall_info)
{
	const __u32 *a = variant->args;
	struct user_pt_regs regs;
	struct tracee t;
	struct stop s;

	PINS("A02 P03");
	umask(077);
	t = arm32_start(SYSGOOD);
	arm32_call(&t, &arm32_arm, &regs, variant->nr, 6, a[0], a[1], a[2], a[3], a[4], a[5]);
	tracee_next(&t, PTRACE_SYSCALL, 0);
	s = tracee_next(&t, PTRACE_SYSCALL, 0);
	check_eq("r0 at exit", variant->r0, s.regs.regs[0]);
	check_eq("exit.rval", U64(variant->rval), U64(s.info.exit.rval));
	check_eq("exit.is_error", variant->is_error, s.info.exit.is_error);
	s = tracee_to(&t, PTRACE_CONT, 0, END);
	arm32_finished(&s, &arm32_arm, &regs, variant->r0);
	tracee_end(&t);
}

/* A tracer that has no idea of compat tasks still reads NT_PRSTATUS of the right size. */
TEST(arm32_prstatus_is_18_words_and_orig_r0_is_argument_0)
{
	__u32 words[64] = { 0 };
	struct iovec iov = { words, sizeof(words) };
	struct user_pt_regs regs;
	struct tracee t;

	PINS("A02");
	t = dup_1000(&arm32_arm, SYSGOOD, &regs);
	tracee_to(&t, PTRACE_SYSCALL, 0, "entry arm:dup");
	tracee_to(&t, PTRACE_SYSCALL, 0, "exit arm:dup");
	check_eq("PTRACE_GETREGSET of NT_PRSTATUS", 0,
		 U64(tracee_request(&t, PTRACE_GETREGSET, NT_PRSTATUS, &iov)));
	check_eq("its size", 18 * 4, iov.iov_len);
	check_eq("word 0 (r0) at exit", (__u32)-EBADF, words[0]);
	check_eq("word 15 (PC) at exit", arm32_arm.after, words[15]);
	check_eq("word 17 (orig_r0) at exit", 1000, words[17]);
	tracee_end(&t);
}
