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

/* Each case walks both codes with one task; a filter that knows the PC needs a number for each. */
static const struct code {
	const struct arm32_code *code;
	__u32 nr;
	const char *entry;
} codes[] = {
	{ &arm32_arm, ARM_NR_dup, "entry arm:dup" },
	{ &arm32_thumb, ARM_NR_getuid, "entry arm:getuid" },
};

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

static void check_compared(const struct stop *s)
{
	static const char * const words[] = {
		"nr", "arch", "instruction_pointer", "instruction_pointer, upper half",
		"args[0]", "args[0], upper half", "args[1]", "args[1], upper half",
		"args[2]", "args[2], upper half", "args[3]", "args[3], upper half",
		"args[4]", "args[4], upper half", "args[5]", "args[5], upper half",
	};
	const int result = (int)s->regs.regs[0];
	unsigned int wrong = (unsigned int)-result - ALL_RIGHT;

	case_state->checks++;
	if (wrong && wrong <= ARRAY_SIZE(words))
		case_fail("what the filter was shown: %s is wrong (%s)", words[wrong - 1],
			  s->about);
	else
		check_at(s, "the filter's ERRNO", U64(-ALL_RIGHT), U64(result));
}

TEST(arm32_filters_data_is_arch_arm_with_32_bit_arguments_and_pc_behind_svc)
{
	const __u32 args[6] = { 0xffffffff, 0x80000000, 1, 0, 0x7fffffff, 0x12345678 };
	struct user_pt_regs regs;
	struct tracee t;
	struct stop s;

	PINS("A02 C01");
	for (unsigned int i = 0; i < ARRAY_SIZE(codes); i++) {
		__u32 want[16] = { codes[i].nr, AUDIT_ARCH_ARM, codes[i].code->after };

		for (int k = 0; k < 6; k++)
			want[4 + 2 * k] = args[k];
		filter_compare(codes[i].nr, want);
	}
	t = arm32_start(SYSGOOD);
	for (unsigned int i = 0; i < ARRAY_SIZE(codes); i++) {
		arm32_about(&t, codes[i].code, "number %u", codes[i].nr);
		arm32_call(&t, codes[i].code, &regs, codes[i].nr, 6, args[0], args[1], args[2],
			   args[3], args[4], args[5]);
		s = tracee_to(&t, PTRACE_CONT, 0, END);
		check_compared(&s);
	}
	tracee_end(&t);
}

/* orig_r0 is the filter's argument 0, so a tracer has to write it as well (word 17). */
TEST(arm32_filters_data_has_argument_0_as_the_tracer_wrote_orig_r0)
{
	struct user_pt_regs regs;
	struct tracee t;
	struct stop s;

	PINS("A02 C01 P10");
	for (unsigned int i = 0; i < ARRAY_SIZE(codes); i++) {
		const __u32 want[16] = { codes[i].nr, AUDIT_ARCH_ARM, codes[i].code->after, 0,
					 2000, 0, 1, 0, 2, 0, 3, 0, 4, 0, 5, 0 };

		filter_compare(codes[i].nr, want);
	}
	t = arm32_start(SYSGOOD);
	for (unsigned int i = 0; i < ARRAY_SIZE(codes); i++) {
		arm32_about(&t, codes[i].code, "number %u", codes[i].nr);
		arm32_call(&t, codes[i].code, &regs, codes[i].nr, 6, 1000, 1, 2, 3, 4, 5);
		s = tracee_to(&t, PTRACE_SYSCALL, 0, codes[i].entry);
		s.regs.regs[0] = 2000;
		s.regs.regs[15] = 2000;
		tracee_set_regs(&t, &s.regs);
		s = tracee_to(&t, PTRACE_CONT, 0, END);
		check_compared(&s);
	}
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

static void check_errno(struct tracee *t, const struct arm32_code *code)
{
	struct user_pt_regs regs;
	struct stop s;

	arm32_about(t, code, "dup");
	arm32_call(t, code, &regs, ARM_NR_dup, 1, 0);
	s = tracee_to(t, PTRACE_CONT, 0, END);
	arm32_finished(&s, code, &regs, (__u32)-E2BIG);
	arm32_call(t, code, &regs, ARM_NR_dup, 1, 0);
	tracee_to(t, PTRACE_SYSCALL, 0, "entry arm:dup");
	s = tracee_to(t, PTRACE_SYSCALL, 0, "exit arm:dup");
	check_at(&s, "r0 at exit", (__u32)-E2BIG, s.regs.regs[0]);
	check_at(&s, "exit.rval", U64(-E2BIG), U64(s.info.exit.rval));
}

TEST(arm32_errno_skips_the_call_and_is_r0)
{
	struct tracee t;

	PINS("A03 C02 C07");
	answer_arm(ARM_NR_dup, SECCOMP_RET_ERRNO | E2BIG);
	t = arm32_start(SYSGOOD);
	check_errno(&t, &arm32_arm);
	check_errno(&t, &arm32_thumb);
	tracee_end(&t);
}

static void check_trap(struct tracee *t, const struct arm32_code *code)
{
	struct user_pt_regs regs;
	struct stop s;
	__u32 frame;

	arm32_about(t, code, "dup");
	arm32_handler(t, code, SIGSYS, SA_SIGINFO);
	arm32_call(t, code, &regs, ARM_NR_dup, 1, 1000);
	s = tracee_to(t, PTRACE_CONT, 0, "signal SIGSYS SYS_SECCOMP");
	check_at(&s, "si_call_addr", code->after, U64(s.si.si_call_addr));
	check_at(&s, "si_syscall", ARM_NR_dup, U64(s.si.si_syscall));
	check_at(&s, "si_arch", AUDIT_ARCH_ARM, s.si.si_arch);
	check_at(&s, "si_errno", 7, U64(s.si.si_errno));
	check_at(&s, "r0 at SIGSYS", 1000, s.regs.regs[0]);
	check_at(&s, "r7 at SIGSYS", ARM_NR_dup, s.regs.regs[7]);
	check_at(&s, "PC at SIGSYS", code->after, s.regs.pc);
	s = tracee_to(t, PTRACE_CONT, SIGSYS, "signal SIGTRAP TRAP_BRKPT pc=handler x0=31");
	frame = (__u32)s.regs.sp;
	check_at(&s, "the frame's r0", 1000, arm32_peek(t, frame + UC_R0));
	check_at(&s, "the frame's PC", code->after, arm32_peek(t, frame + UC_PC));
	arm32_poke(t, frame + UC_R0, 4242);
	s.regs.pc += code->thumb ? 2 : 4;
	tracee_set_regs(t, &s.regs);
	s = tracee_to(t, PTRACE_CONT, 0, END);
	arm32_finished(&s, code, &regs, 4242);
}

TEST(arm32_trap_has_the_call_and_argument_0_rolled_back)
{
	struct tracee t;

	PINS("A03 C03");
	answer_arm(ARM_NR_dup, SECCOMP_RET_TRAP | 7);
	t = arm32_start(SYSGOOD);
	check_trap(&t, &arm32_arm);
	check_trap(&t, &arm32_thumb);
	tracee_end(&t);
}

/* An argument 0 that looks like a restart code: of 32 bits, for which int is right. */
TEST(arm32_argument_0_of_a_trapped_call_is_no_restart_code)
{
	static const int arguments[] = { -512, -513, -515 };
	struct user_pt_regs regs;
	struct tracee t;
	struct stop s;
	__u32 sp;

	PINS("K01 A03");
	answer_arm(ARM_NR_dup, SECCOMP_RET_TRAP);
	t = arm32_start(SYSGOOD);
	arm32_handler(&t, &arm32_arm, SIGSYS, SA_SIGINFO | SA_NODEFER);
	for (unsigned int i = 0; i < ARRAY_SIZE(arguments); i++) {
		arm32_about(&t, &arm32_arm, "argument 0 is %d", arguments[i]);
		arm32_call(&t, &arm32_arm, &regs, ARM_NR_dup, 1, (__u32)arguments[i]);
		sp = (__u32)regs.sp;
		tracee_to(&t, PTRACE_CONT, 0, "signal SIGSYS SYS_SECCOMP");
		s = tracee_to(&t, PTRACE_CONT, SIGSYS,
			      "signal SIGTRAP TRAP_BRKPT pc=handler x0=31");
		check_at(&s, "the frame's r0", (__u32)arguments[i],
			 arm32_peek(&t, (__u32)s.regs.sp + UC_R0));
		check_at(&s, "the frame's PC", arm32_arm.after,
			 arm32_peek(&t, (__u32)s.regs.sp + UC_PC));
		/* The handler never returns. */
		s.regs.sp = sp;
		tracee_set_regs(&t, &s.regs);
	}
	tracee_end(&t);
}

/* What the tracer does at the seccomp stop of umask(022), and the umask afterwards. */
static const struct trace {
	const char *what;
	int nr;
	bool set_r0;
	__u32 r0, result, umask;
} traces[] = {
	{ "let run", ARM_NR_umask, false, 0, 077, 022 },
	{ "skipped", -1, true, 4242, 4242, 077 },
	{ "made another call", ARM_NR_dup, true, 1000, (__u32)-EBADF, 077 },
};

static void check_trace(struct tracee *t, const struct trace *w)
{
	struct user_pt_regs regs;
	struct stop s;

	arm32_about(t, &arm32_thumb, "umask %s", w->what);
	arm32_call(t, &arm32_thumb, &regs, ARM_NR_umask, 1, 022);
	s = tracee_to(t, PTRACE_CONT, 0, "seccomp arm:umask pc=svc+2 x0=18");
	check_at(&s, "ret_data", 5, s.info.seccomp.ret_data);
	check_at(&s, "seccomp.nr", ARM_NR_umask, s.info.seccomp.nr);
	check_at(&s, "seccomp.args[0]", 022, s.info.seccomp.args[0]);
	tracee_set_nr(t, w->nr);
	s.regs.regs[0] = w->r0;
	s.regs.regs[15] = w->r0;
	if (w->set_r0)
		tracee_set_regs(t, &s.regs);
	s = tracee_to(t, PTRACE_CONT, 0, END);
	arm32_finished(&s, &arm32_thumb, &regs, w->result);
	arm32_call(t, &arm32_arm, &regs, ARM_NR_umask, 1, 077);
	tracee_to(t, PTRACE_CONT, 0, "seccomp arm:umask");
	s = tracee_to(t, PTRACE_CONT, 0, END);
	check_at(&s, "umask afterwards", w->umask, s.regs.regs[0]);
}

TEST(arm32_call_is_what_the_tracer_makes_of_it_at_the_seccomp_stop)
{
	struct tracee t;

	PINS("A03 C04");
	umask(077);
	answer_arm(ARM_NR_umask, SECCOMP_RET_TRACE | 5);
	t = arm32_start(SYSGOOD | PTRACE_O_TRACESECCOMP);
	for (unsigned int i = 0; i < ARRAY_SIZE(traces); i++)
		check_trace(&t, &traces[i]);
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
