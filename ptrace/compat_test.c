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

/* What the stops of dup(1000) are in each code; each case walks both with one task. */
static const struct code {
	const struct arm32_code *code;
	const char *entry, *exit;
} codes[] = {
	{ &arm32_arm, "entry arm:dup pc=svc+4 x0=1000", "exit arm:dup pc=svc+4 x0=-EBADF" },
	{ &arm32_thumb, "entry arm:dup pc=svc+2 x0=1000", "exit arm:dup pc=svc+2 x0=-EBADF" },
};

#define END	"signal SIGTRAP TRAP_BRKPT pc=end"

/* The task before dup(1000). */
static void dup_1000(struct tracee *t, const struct arm32_code *code, struct user_pt_regs *regs)
{
	arm32_about(t, code, "dup");
	arm32_call(t, code, regs, ARM_NR_dup, 1, 1000);
}

/* A case: @check with one task, in ARM and in Thumb code. */
static void in_both(void (*check)(struct tracee *t, const struct code *c), unsigned long options)
{
	struct tracee t = arm32_start(SYSGOOD | options);

	for (unsigned int i = 0; i < ARRAY_SIZE(codes); i++)
		check(&t, &codes[i]);
	tracee_end(&t);
}

static void check_marker(struct tracee *t, const struct code *c)
{
	struct user_pt_regs regs;
	struct stop s;

	dup_1000(t, c->code, &regs);
	s = tracee_to(t, PTRACE_SYSCALL, 0, c->entry);
	check_at(&s, "r12 at entry", 0, s.regs.regs[12]);
	check_at(&s, "r7 at entry", ARM_NR_dup, s.regs.regs[7]);
	check_nr_at(&s, "NT_ARM_SYSTEM_CALL at entry", ARM_NR_dup);
	s = tracee_to(t, PTRACE_SYSCALL, 0, c->exit);
	check_at(&s, "r12 at exit", 1, s.regs.regs[12]);
	check_at(&s, "r7 at exit", ARM_NR_dup, s.regs.regs[7]);
	check_nr_at(&s, "NT_ARM_SYSTEM_CALL at exit", ARM_NR_dup);
	s = tracee_to(t, PTRACE_SYSCALL, 0, END);
	check_nr_at(&s, "NT_ARM_SYSTEM_CALL at a signal-delivery-stop", -1);
	arm32_finished(&s, c->code, &regs, (__u32)-EBADF);
}

TEST(arm32_ip_reads_0_at_entry_and_1_at_exit_and_r7_is_the_number)
{
	PINS("A01");
	in_both(check_marker, 0);
}

static void check_marker_written(struct tracee *t, const struct code *c)
{
	struct user_pt_regs regs;
	struct stop s;

	dup_1000(t, c->code, &regs);
	s = tracee_to(t, PTRACE_SYSCALL, 0, c->entry);
	s.regs.regs[12] = R12_LIE;
	tracee_set_regs(t, &s.regs);
	s = tracee_to(t, PTRACE_SYSCALL, 0, c->exit);
	s.regs.regs[12] = R12_LIE;
	tracee_set_regs(t, &s.regs);
	s = tracee_to(t, PTRACE_SYSCALL, 0, END);
	arm32_finished(&s, c->code, &regs, (__u32)-EBADF);
}

TEST(arm32_ip_written_at_entry_and_exit_is_dropped)
{
	PINS("A01");
	in_both(check_marker_written, 0);
}

/* r7 is a register like others: it is not what runs, and it sticks. */
static void check_r7_written(struct tracee *t, const struct code *c)
{
	struct user_pt_regs regs;
	struct stop s;

	dup_1000(t, c->code, &regs);
	s = tracee_to(t, PTRACE_SYSCALL, 0, c->entry);
	s.regs.regs[7] = ARM_NR_getuid;
	tracee_set_regs(t, &s.regs);
	s = tracee_to(t, PTRACE_SYSCALL, 0, c->exit);
	check_at(&s, "r7 at exit", ARM_NR_getuid, s.regs.regs[7]);
	regs.regs[7] = ARM_NR_getuid;
	s = tracee_to(t, PTRACE_CONT, 0, END);
	arm32_finished(&s, c->code, &regs, (__u32)-EBADF);
}

TEST(arm32_r7_written_at_entry_sticks_and_the_call_stays_the_same)
{
	PINS("A01");
	in_both(check_r7_written, 0);
}

static void check_marker_elsewhere(struct tracee *t, const struct code *c)
{
	struct user_pt_regs regs;
	struct stop s;

	dup_1000(t, c->code, &regs);
	tracee_to(t, PTRACE_SYSCALL, 0, c->entry);
	s = tracee_to(t, PTRACE_SYSCALL, 0, "seccomp arm:dup");
	check_at(&s, "r12 at the seccomp stop", arm32_pattern(12), s.regs.regs[12]);
	s.regs.regs[12] = R12_LIE;
	tracee_set_regs(t, &s.regs);
	tracee_to(t, PTRACE_SYSCALL, 0, c->exit);
	s = tracee_to(t, PTRACE_CONT, 0, END);
	regs.regs[12] = R12_LIE;
	arm32_finished(&s, c->code, &regs, (__u32)-EBADF);
}

TEST(arm32_ip_is_the_tasks_own_at_other_stops_and_what_is_written_sticks)
{
	PINS("A01 P05");
	filter_answer(ARM_NR_dup, SECCOMP_RET_TRACE);
	in_both(check_marker_elsewhere, PTRACE_O_TRACESECCOMP);
}

static void check_registers(struct tracee *t, const struct code *c)
{
	struct user_pt_regs regs;
	struct stop s;

	dup_1000(t, c->code, &regs);
	regs.regs[8]++;
	regs.pc = c->code->after;
	regs.regs[12] = 0;
	s = tracee_to(t, PTRACE_SYSCALL, 0, c->entry);
	check_arm32(&s, &regs);
	regs.regs[0] = (__u32)-EBADF;
	regs.regs[12] = 1;
	s = tracee_to(t, PTRACE_SYSCALL, 0, c->exit);
	check_arm32(&s, &regs);
}

TEST(arm32_registers_at_both_stops_are_as_the_task_left_them)
{
	PINS("A02");
	in_both(check_registers, 0);
}

static void check_syscall_info(struct tracee *t, const struct code *c)
{
	static const __u32 args[6] = { 0xffffffff, 0, 1, 0x80000000, 0x7fffffff, 0x12345678 };
	struct user_pt_regs regs;
	struct stop s;

	arm32_about(t, c->code, "dup");
	arm32_call(t, c->code, &regs, ARM_NR_dup, 6, args[0], args[1], args[2], args[3],
		   args[4], args[5]);
	s = tracee_to(t, PTRACE_SYSCALL, 0, "entry arm:dup");
	check_at(&s, "arch at entry", AUDIT_ARCH_ARM, s.info.arch);
	check_at(&s, "instruction_pointer at entry", c->code->after,
		 s.info.instruction_pointer);
	check_at(&s, "stack_pointer at entry", regs.sp, s.info.stack_pointer);
	check_at(&s, "entry.nr", ARM_NR_dup, s.info.entry.nr);
	for (unsigned int i = 0; i < 6; i++)
		check_eqf(args[i], s.info.entry.args[i], "entry.args[%u]" ABOUT, i,
			  ABOUT_ARGS(s.about));
	s = tracee_to(t, PTRACE_SYSCALL, 0, "exit arm:dup");
	check_at(&s, "arch at exit", AUDIT_ARCH_ARM, s.info.arch);
	check_at(&s, "instruction_pointer at exit", c->code->after,
		 s.info.instruction_pointer);
	check_at(&s, "exit.rval", U64(-EBADF), U64(s.info.exit.rval));
	check_at(&s, "exit.is_error", 1, s.info.exit.is_error);
	s = tracee_to(t, PTRACE_CONT, 0, END);
	check_at(&s, "arch at a signal-delivery-stop", AUDIT_ARCH_ARM, s.info.arch);
	check_at(&s, "op at a signal-delivery-stop", PTRACE_SYSCALL_INFO_NONE, s.info.op);
}

TEST(arm32_syscall_info_has_audit_arch_arm_and_32_bit_arguments)
{
	PINS("A02 P03");
	in_both(check_syscall_info, 0);
}

/* r0 after a call, and what GET_SYSCALL_INFO makes of it: signed, from 32 bits. */
static const struct result {
	const char *what;
	__u32 nr, args[6], r0;
	__s64 rval;
	unsigned int is_error;
} results[] = {
	{ "umask()", ARM_NR_umask, { 022 }, 077, 077, 0 },
	/* An address in the upper half of what a 32-bit task has. */
	{ "mmap2() of 0x90000000", ARM_NR_mmap2,
	  { 0x90000000, 65536, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, ~0u, 0 },
	  0x90000000, (__s32)0x90000000, 0 },
	{ "mmap2() of no bytes", ARM_NR_mmap2, { 0 }, (__u32)-EINVAL, -EINVAL, 1 },
};

TEST(arm32_result_is_r0_and_sign_extended_in_syscall_info)
{
	struct user_pt_regs regs;
	const __u32 *a;
	struct tracee t;
	struct stop s;

	PINS("A02 P03");
	umask(077);
	t = arm32_start(SYSGOOD);
	for (unsigned int i = 0; i < ARRAY_SIZE(results); i++) {
		a = results[i].args;
		arm32_about(&t, &arm32_arm, "%s", results[i].what);
		arm32_call(&t, &arm32_arm, &regs, results[i].nr, 6, a[0], a[1], a[2], a[3], a[4],
			   a[5]);
		tracee_next(&t, PTRACE_SYSCALL, 0);
		s = tracee_next(&t, PTRACE_SYSCALL, 0);
		check_at(&s, "r0 at exit", results[i].r0, s.regs.regs[0]);
		check_at(&s, "exit.rval", U64(results[i].rval), U64(s.info.exit.rval));
		check_at(&s, "exit.is_error", results[i].is_error, s.info.exit.is_error);
		s = tracee_to(&t, PTRACE_CONT, 0, END);
		arm32_finished(&s, &arm32_arm, &regs, results[i].r0);
	}
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
	t = arm32_start(SYSGOOD);
	dup_1000(&t, &arm32_arm, &regs);
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
