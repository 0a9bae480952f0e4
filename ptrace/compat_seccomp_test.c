// SPDX-License-Identifier: GPL-2.0
/*
 * seccomp and a 32-bit task: what a filter is shown of its calls, and what ERRNO,
 * TRAP, TRACE and a user's own -1 come to (A02, A03, A04). kernel/seccomp.c
 * __seccomp_filter() decides with arm64's asm/syscall.h: AUDIT_ARCH_ARM, arguments of
 * 32 bits, argument 0 from orig_r0.
 */
#include <errno.h>
#include <signal.h>
#include <stddef.h>
#include <sys/stat.h>

#include "arm32.h"
#include "case.h"
#include "filter.h"

#define SYSGOOD	PTRACE_O_TRACESYSGOOD
#define END	"signal SIGTRAP TRAP_BRKPT pc=end"
#define UC_R0	(128 + 32)	/* r0 in the frame of a handler with SA_SIGINFO */
#define UC_PC	(UC_R0 + 15 * 4)

/* The errno that says that all is as wanted; 1001 and so on name what is not. */
#define ALL_RIGHT	1000

FIXTURE(arm32_filtered) {
};

FIXTURE_VARIANT(arm32_filtered) {
	const struct arm32_code *code;
};

FIXTURE_VARIANT_ADD(arm32_filtered, arm) {
	.code = &arm32_arm,
};

FIXTURE_VARIANT_ADD(arm32_filtered, thumb) {
	.code = &arm32_thumb,
};

FIXTURE_SETUP(arm32_filtered)
{
}

FIXTURE_TEARDOWN(arm32_filtered)
{
}

/* For calls of number @nr of 32-bit tasks: @want as 16 words of struct seccomp_data. */
static void filter_compare(__u32 nr, const __u32 want[16])
{
	struct sock_filter insns[64] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, nr, 1, 0),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	unsigned int n = 3;

	need_filters();
	for (unsigned int i = 0; i < 16; i++) {
		insns[n++] = (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, i * 4);
		insns[n++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, want[i], 1, 0);
		insns[n++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K,
					SECCOMP_RET_ERRNO | (ALL_RIGHT + 1 + i));
	}
	insns[n++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ALL_RIGHT);
	filter_load_raw(insns, n);
}

static void check_compared(int result)
{
	static const char * const words[] = {
		"nr", "arch", "instruction_pointer", "instruction_pointer, upper half",
		"args[0]", "args[0], upper half", "args[1]", "args[1], upper half",
		"args[2]", "args[2], upper half", "args[3]", "args[3], upper half",
		"args[4]", "args[4], upper half", "args[5]", "args[5], upper half",
	};
	unsigned int wrong = (unsigned int)-result - ALL_RIGHT;

	case_state->checks++;
	if (wrong && wrong <= ARRAY_SIZE(words))
		case_fail("what the filter was shown: %s is wrong", words[wrong - 1]);
	else
		check_eq("the filter's ERRNO", U64(-ALL_RIGHT), U64(result));
}

TEST_F(arm32_filtered, data_is_arch_arm_with_32_bit_arguments_and_pc_behind_svc)
{
	const __u32 args[6] = { 0xffffffff, 0x80000000, 1, 0, 0x7fffffff, 0x12345678 };
	__u32 want[16] = { ARM_NR_dup, AUDIT_ARCH_ARM, variant->code->after };
	struct tracee t;

	PINS("A02 C01");
	for (int i = 0; i < 6; i++)
		want[4 + 2 * i] = args[i];
	filter_compare(ARM_NR_dup, want);
	t = arm32_start(SYSGOOD);
	check_compared(arm32_do(&t, variant->code, ARM_NR_dup, 6, args[0], args[1], args[2],
				args[3], args[4], args[5]));
	tracee_end(&t);
}

/* orig_r0 is the filter's argument 0, so a tracer has to write it as well (word 17). */
TEST_F(arm32_filtered, data_has_argument_0_as_the_tracer_wrote_orig_r0)
{
	const __u32 want[16] = { ARM_NR_dup, AUDIT_ARCH_ARM, variant->code->after, 0,
				 2000, 0, 1, 0, 2, 0, 3, 0, 4, 0, 5, 0 };
	struct user_pt_regs regs;
	struct tracee t;
	struct stop s;

	PINS("A02 C01 P10");
	filter_compare(ARM_NR_dup, want);
	t = arm32_start(SYSGOOD);
	arm32_call(&t, variant->code, &regs, ARM_NR_dup, 6, 1000, 1, 2, 3, 4, 5);
	s = tracee_to(&t, PTRACE_SYSCALL, 0, "entry arm:dup");
	s.regs.regs[0] = 2000;
	s.regs.regs[15] = 2000;
	tracee_set_regs(&t, &s.regs);
	s = tracee_to(&t, PTRACE_CONT, 0, END);
	check_compared((int)s.regs.regs[0]);
	tracee_end(&t);
}

/* One number of 32-bit tasks only: 64-bit ones have other calls by it. */
static void answer_arm(__u32 nr, __u32 action)
{
	struct sock_filter insns[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, arch)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, AUDIT_ARCH_ARM, 0, 3),
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, nr, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, action),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};

	need_filters();
	filter_load_raw(insns, ARRAY_SIZE(insns));
}

TEST_F(arm32_filtered, errno_skips_the_call_and_is_r0)
{
	struct user_pt_regs regs;
	struct tracee t;
	struct stop s;

	PINS("A03 C02 C07");
	answer_arm(ARM_NR_dup, SECCOMP_RET_ERRNO | E2BIG);
	t = arm32_start(SYSGOOD);
	arm32_call(&t, variant->code, &regs, ARM_NR_dup, 1, 0);
	s = tracee_to(&t, PTRACE_CONT, 0, END);
	arm32_finished(&s, variant->code, &regs, (__u32)-E2BIG);
	arm32_call(&t, variant->code, &regs, ARM_NR_dup, 1, 0);
	tracee_to(&t, PTRACE_SYSCALL, 0, "entry arm:dup");
	s = tracee_to(&t, PTRACE_SYSCALL, 0, "exit arm:dup");
	check_eq("r0 at exit", (__u32)-E2BIG, s.regs.regs[0]);
	check_eq("exit.rval", U64(-E2BIG), U64(s.info.exit.rval));
	tracee_end(&t);
}

TEST_F(arm32_filtered, trap_has_the_call_and_argument_0_rolled_back)
{
	struct user_pt_regs regs;
	struct tracee t;
	struct stop s;
	__u32 frame;

	PINS("A03 C03");
	answer_arm(ARM_NR_dup, SECCOMP_RET_TRAP | 7);
	t = arm32_start(SYSGOOD);
	arm32_handler(&t, variant->code, SIGSYS, SA_SIGINFO);
	arm32_call(&t, variant->code, &regs, ARM_NR_dup, 1, 1000);
	s = tracee_to(&t, PTRACE_CONT, 0, "signal SIGSYS SYS_SECCOMP");
	check_eq("si_call_addr", variant->code->after, U64(s.si.si_call_addr));
	check_eq("si_syscall", ARM_NR_dup, U64(s.si.si_syscall));
	check_eq("si_arch", AUDIT_ARCH_ARM, s.si.si_arch);
	check_eq("si_errno", 7, U64(s.si.si_errno));
	check_eq("r0 at SIGSYS", 1000, s.regs.regs[0]);
	check_eq("r7 at SIGSYS", ARM_NR_dup, s.regs.regs[7]);
	check_eq("PC at SIGSYS", variant->code->after, s.regs.pc);
	s = tracee_to(&t, PTRACE_CONT, SIGSYS, "signal SIGTRAP TRAP_BRKPT pc=handler x0=31");
	frame = (__u32)s.regs.sp;
	check_eq("the frame's r0", 1000, arm32_peek(&t, frame + UC_R0));
	check_eq("the frame's PC", variant->code->after, arm32_peek(&t, frame + UC_PC));
	arm32_poke(&t, frame + UC_R0, 4242);
	s.regs.pc += variant->code->thumb ? 2 : 4;
	tracee_set_regs(&t, &s.regs);
	s = tracee_to(&t, PTRACE_CONT, 0, END);
	arm32_finished(&s, variant->code, &regs, 4242);
	tracee_end(&t);
}

FIXTURE(arm32_trap_code) {
};

/* An argument 0 that looks like a restart code: of 32 bits, for which int is right. */
FIXTURE_VARIANT(arm32_trap_code) {
	__u32 argument;
};

FIXTURE_VARIANT_ADD(arm32_trap_code, erestartsys) {
	.argument = (__u32)-512,
};

FIXTURE_VARIANT_ADD(arm32_trap_code, erestartnointr) {
	.argument = (__u32)-513,
};

FIXTURE_VARIANT_ADD(arm32_trap_code, neighbour) {
	.argument = (__u32)-515,
};

FIXTURE_SETUP(arm32_trap_code)
{
}

FIXTURE_TEARDOWN(arm32_trap_code)
{
}

TEST_F(arm32_trap_code, is_an_argument)
{
	struct user_pt_regs regs;
	struct tracee t;
	struct stop s;

	PINS("K01 A03");
	answer_arm(ARM_NR_dup, SECCOMP_RET_TRAP);
	t = arm32_start(SYSGOOD);
	arm32_handler(&t, &arm32_arm, SIGSYS, SA_SIGINFO);
	arm32_call(&t, &arm32_arm, &regs, ARM_NR_dup, 1, variant->argument);
	tracee_to(&t, PTRACE_CONT, 0, "signal SIGSYS SYS_SECCOMP");
	s = tracee_to(&t, PTRACE_CONT, SIGSYS, "signal SIGTRAP TRAP_BRKPT pc=handler x0=31");
	check_eq("the frame's r0", variant->argument, arm32_peek(&t, (__u32)s.regs.sp + UC_R0));
	check_eq("the frame's PC", arm32_arm.after, arm32_peek(&t, (__u32)s.regs.sp + UC_PC));
	tracee_end(&t);
}

FIXTURE(arm32_trace) {
};

/* What the tracer does at the seccomp stop of umask(022). */
FIXTURE_VARIANT(arm32_trace) {
	int nr;
	bool set_r0;
	__u32 r0, result, umask;
};

FIXTURE_VARIANT_ADD(arm32_trace, let_run) {
	.nr = ARM_NR_umask, .result = 077, .umask = 022,
};

FIXTURE_VARIANT_ADD(arm32_trace, skip) {
	.nr = -1, .set_r0 = true, .r0 = 4242, .result = 4242, .umask = 077,
};

FIXTURE_VARIANT_ADD(arm32_trace, rewrite) {
	.nr = ARM_NR_dup, .set_r0 = true, .r0 = 1000, .result = (__u32)-EBADF, .umask = 077,
};

FIXTURE_SETUP(arm32_trace)
{
}

FIXTURE_TEARDOWN(arm32_trace)
{
}

TEST_F(arm32_trace, is_what_runs)
{
	struct user_pt_regs regs;
	struct tracee t;
	struct stop s;

	PINS("A03 C04");
	umask(077);
	answer_arm(ARM_NR_umask, SECCOMP_RET_TRACE | 5);
	t = arm32_start(SYSGOOD | PTRACE_O_TRACESECCOMP);
	arm32_call(&t, &arm32_thumb, &regs, ARM_NR_umask, 1, 022);
	s = tracee_to(&t, PTRACE_CONT, 0, "seccomp arm:umask pc=svc+2 x0=18");
	check_eq("ret_data", 5, s.info.seccomp.ret_data);
	check_eq("seccomp.nr", ARM_NR_umask, s.info.seccomp.nr);
	check_eq("seccomp.args[0]", 022, s.info.seccomp.args[0]);
	tracee_set_nr(&t, variant->nr);
	s.regs.regs[0] = variant->r0;
	s.regs.regs[15] = variant->r0;
	if (variant->set_r0)
		tracee_set_regs(&t, &s.regs);
	s = tracee_to(&t, PTRACE_CONT, 0, END);
	arm32_finished(&s, &arm32_thumb, &regs, variant->result);
	arm32_call(&t, &arm32_arm, &regs, ARM_NR_umask, 1, 077);
	tracee_to(&t, PTRACE_CONT, 0, "seccomp arm:umask");
	s = tracee_to(&t, PTRACE_CONT, 0, END);
	check_eq("umask afterwards", variant->umask, s.regs.regs[0]);
	tracee_end(&t);
}

TEST(arm32_trace_without_a_tracer_for_it_is_enosys)
{
	struct tracee t;

	PINS("A03 C04");
	answer_arm(ARM_NR_umask, SECCOMP_RET_TRACE);
	t = arm32_start(SYSGOOD);
	check_eq("umask()", U64(-ENOSYS), U64(arm32_do(&t, &arm32_arm, ARM_NR_umask, 1, 022)));
	tracee_end(&t);
}

TEST(arm32_number_minus_1_is_filtered_as_others_are)
{
	struct tracee t;

	PINS("A03 C06");
	answer_arm(~0u, SECCOMP_RET_ERRNO | E2BIG);
	t = arm32_start(SYSGOOD);
	check_eq("syscall(-1)", U64(-E2BIG), U64(arm32_do(&t, &arm32_arm, ~0u, 0)));
	tracee_end(&t);
}
