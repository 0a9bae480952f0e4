// SPDX-License-Identifier: GPL-2.0
/*
 * The numbers of a 32-bit task's calls: -1, those that are no calls, ARM's private
 * ones, and what a tracer puts in their place (A03). arch/arm64/kernel/syscall.c
 * el0_svc_common() and do_ni_syscall() decide, and sys_compat.c
 * compat_arm_syscall(): below 0xf0800 an unknown number is -ENOSYS, above SIGILL, and
 * the comparison is signed.
 */
#include <errno.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#include "arm32.h"
#include "case.h"
#include "effect.h"
#include "filter.h"

#define SYSGOOD	PTRACE_O_TRACESYSGOOD
#define END	"signal SIGTRAP TRAP_BRKPT pc=end"
#define TLS	0x71570000u
#define ENOSYS32 ((__u32)-ENOSYS)

FIXTURE(arm32_number) {
};

FIXTURE_VARIANT(arm32_number) {
	__u32 nr;
	bool sigill;	/* and r0 is 0; otherwise -ENOSYS */
};

FIXTURE_VARIANT_ADD(arm32_number, minus_1) {
	.nr = 0xffffffff,
};

FIXTURE_VARIANT_ADD(arm32_number, minus_2) {
	.nr = 0xfffffffe,
};

FIXTURE_VARIANT_ADD(arm32_number, most_negative) {
	.nr = 0x80000000,
};

FIXTURE_VARIANT_ADD(arm32_number, hole) {
	.nr = 7,
};

FIXTURE_VARIANT_ADD(arm32_number, out_of_range) {
	.nr = 100000,
};

FIXTURE_VARIANT_ADD(arm32_number, private_base) {
	.nr = 0xf0000,
};

FIXTURE_VARIANT_ADD(arm32_number, private_breakpoint) {
	.nr = 0xf0001,
};

FIXTURE_VARIANT_ADD(arm32_number, private_usr26) {
	.nr = 0xf0003,
};

FIXTURE_VARIANT_ADD(arm32_number, private_get_tls) {
	.nr = 0xf0006,
};

FIXTURE_VARIANT_ADD(arm32_number, private_unknown) {
	.nr = 0xf0007,
};

FIXTURE_VARIANT_ADD(arm32_number, private_last) {
	.nr = 0xf07ff,
};

FIXTURE_VARIANT_ADD(arm32_number, beyond_private) {
	.nr = 0xf0800, .sigill = true,
};

FIXTURE_VARIANT_ADD(arm32_number, largest) {
	.nr = 0x7fffffff, .sigill = true,
};

FIXTURE_SETUP(arm32_number)
{
}

FIXTURE_TEARDOWN(arm32_number)
{
}

/* From the call on, whoever looked at it before. */
static void check_no_call(struct tracee *t, const struct arm32_code *code,
			  const struct user_pt_regs *regs, bool sigill)
{
	struct stop s;

	if (sigill) {
		s = tracee_to(t, PTRACE_CONT, 0, "signal SIGILL ILL_ILLTRP");
		check_eq("PC at SIGILL", code->after, s.regs.pc);
		check_eq("si_addr of SIGILL", code->svc, U64(s.si.si_addr));
		check_eq("r0 at SIGILL", 0, s.regs.regs[0]);
	}
	s = tracee_to(t, PTRACE_CONT, 0, END);
	arm32_finished(&s, code, regs, sigill ? 0 : ENOSYS32);
}

static void traced(struct tracee *t, const struct arm32_code *code, __u32 nr, bool sigill)
{
	const char *name = arm_syscall_name((int)nr);
	struct user_pt_regs regs;
	struct stop s;
	char text[64];

	arm32_call(t, code, &regs, nr, 0);
	snprintf(text, sizeof(text), "entry %s", name);
	s = tracee_to(t, PTRACE_SYSCALL, 0, text);
	/* The kernel sets the result of the task's own -1 beforehand. */
	check_eq("r0 at entry", nr == ~0u ? ENOSYS32 : arm32_pattern(0), s.regs.regs[0]);
	snprintf(text, sizeof(text), "exit %s", name);
	s = tracee_to(t, PTRACE_SYSCALL, 0, text);
	check_eq("r0 at exit", sigill ? 0 : ENOSYS32, s.regs.regs[0]);
	check_no_call(t, code, &regs, sigill);
}

TEST_F(arm32_number, is_no_call_traced_and_untraced)
{
	struct user_pt_regs regs;
	struct tracee t;

	PINS("A03 P12 P13");
	t = arm32_start(SYSGOOD);
	arm32_call(&t, &arm32_arm, &regs, variant->nr, 0);
	check_no_call(&t, &arm32_arm, &regs, variant->sigill);
	arm32_call(&t, &arm32_thumb, &regs, variant->nr, 0);
	check_no_call(&t, &arm32_thumb, &regs, variant->sigill);
	traced(&t, &arm32_arm, variant->nr, variant->sigill);
	traced(&t, &arm32_thumb, variant->nr, variant->sigill);
	tracee_end(&t);
}

TEST(arm32_numbers_that_are_no_calls_stay_so_under_a_filter)
{
	static const struct {
		__u32 nr;
		bool sigill;
	} numbers[] = {
		{ 0xffffffff, false }, { 0xfffffffe, false }, { 0x80000000, false },
		{ 100000, false }, { 0xf0000, false }, { 0xf07ff, false }, { 0xf0800, true },
	};
	struct user_pt_regs regs;
	struct tracee t;

	PINS("A03 P12 P13");
	filter_answer(ARM_NR_umask, SECCOMP_RET_KILL);
	t = arm32_start(SYSGOOD);
	for (unsigned int i = 0; i < ARRAY_SIZE(numbers); i++) {
		arm32_call(&t, &arm32_arm, &regs, numbers[i].nr, 0);
		check_no_call(&t, &arm32_arm, &regs, numbers[i].sigill);
	}
	tracee_end(&t);
}

FIXTURE(arm32_cacheflush) {
};

FIXTURE_VARIANT(arm32_cacheflush) {
	__u32 start, end, flags;
	int result;
};

FIXTURE_VARIANT_ADD(arm32_cacheflush, a_page) {
	.start = ARM32_DATA, .end = ARM32_DATA + 4096, .result = 0,
};

FIXTURE_VARIANT_ADD(arm32_cacheflush, empty) {
	.start = ARM32_DATA, .end = ARM32_DATA, .result = 0,
};

FIXTURE_VARIANT_ADD(arm32_cacheflush, flags) {
	.start = ARM32_DATA, .end = ARM32_DATA + 4, .flags = 1, .result = -EINVAL,
};

FIXTURE_VARIANT_ADD(arm32_cacheflush, backwards) {
	.start = ARM32_DATA + 4, .end = ARM32_DATA, .result = -EINVAL,
};

FIXTURE_SETUP(arm32_cacheflush)
{
}

FIXTURE_TEARDOWN(arm32_cacheflush)
{
}

TEST_F(arm32_cacheflush, runs_traced_and_untraced)
{
	struct user_pt_regs regs;
	struct tracee t;
	struct stop s;

	PINS("A03");
	t = arm32_start(SYSGOOD);
	check_eq("cacheflush() untraced", U64(variant->result),
		 U64(arm32_do(&t, &arm32_arm, ARM_NR_cacheflush, 3, variant->start, variant->end,
			      variant->flags)));
	arm32_call(&t, &arm32_thumb, &regs, ARM_NR_cacheflush, 3, variant->start, variant->end,
		   variant->flags);
	tracee_to(&t, PTRACE_SYSCALL, 0, "entry arm:cacheflush pc=svc+2");
	tracee_to(&t, PTRACE_SYSCALL, 0, "exit arm:cacheflush pc=svc+2");
	s = tracee_to(&t, PTRACE_CONT, 0, END);
	arm32_finished(&s, &arm32_thumb, &regs, (__u32)variant->result);
	tracee_end(&t);
}

TEST(arm32_set_tls_is_what_the_task_and_its_tracer_read)
{
	__u32 tls = 0;
	struct iovec iov = { &tls, sizeof(tls) };
	struct user_pt_regs regs;
	struct tracee t;
	struct stop s;

	PINS("A03");
	t = arm32_start(SYSGOOD);
	arm32_call(&t, &arm32_thumb, &regs, ARM_NR_set_tls, 1, ~TLS);
	s = tracee_to(&t, PTRACE_CONT, 0, END);
	check_eq("TPIDRURO in the untraced task", ~TLS, s.regs.regs[11]);
	arm32_call(&t, &arm32_arm, &regs, ARM_NR_set_tls, 1, TLS);
	tracee_to(&t, PTRACE_SYSCALL, 0, "entry arm:set_tls pc=svc+4");
	tracee_to(&t, PTRACE_SYSCALL, 0, "exit arm:set_tls pc=svc+4 x0=0");
	check_eq("PTRACE_GETREGSET of NT_ARM_TLS", 0,
		 U64(tracee_request(&t, PTRACE_GETREGSET, NT_ARM_TLS, &iov)));
	check_eq("NT_ARM_TLS at exit", TLS, tls);
	s = tracee_to(&t, PTRACE_CONT, 0, END);
	check_eq("TPIDRURO in the task", TLS, s.regs.regs[11]);
	arm32_finished(&s, &arm32_arm, &regs, 0);
	tracee_end(&t);
}

FIXTURE(arm32_rewrite) {
};

/* A call umask(022) of a task whose umask is 077; what the tracer does at entry. */
FIXTURE_VARIANT(arm32_rewrite) {
	int nr;
	bool set_r0;
	__u32 r0;
	__u32 result;
	__u32 umask;	/* afterwards */
};

FIXTURE_VARIANT_ADD(arm32_rewrite, skip_with_result) {
	.nr = -1, .set_r0 = true, .r0 = 4242, .result = 4242, .umask = 077,
};

FIXTURE_VARIANT_ADD(arm32_rewrite, skip_with_negative_result) {
	.nr = -1, .set_r0 = true, .r0 = 0xfffffe00, .result = 0xfffffe00, .umask = 077,
};

FIXTURE_VARIANT_ADD(arm32_rewrite, skip_without_result_is_argument_0) {
	.nr = -1, .result = 022, .umask = 077,
};

FIXTURE_VARIANT_ADD(arm32_rewrite, another_number) {
	.nr = ARM_NR_dup, .set_r0 = true, .r0 = 1000, .result = (__u32)-EBADF, .umask = 077,
};

FIXTURE_VARIANT_ADD(arm32_rewrite, number_out_of_range) {
	.nr = 100000, .result = ENOSYS32, .umask = 077,
};

FIXTURE_VARIANT_ADD(arm32_rewrite, private_call) {
	.nr = ARM_NR_set_tls, .set_r0 = true, .r0 = TLS, .result = 0, .umask = 077,
};

FIXTURE_SETUP(arm32_rewrite)
{
}

FIXTURE_TEARDOWN(arm32_rewrite)
{
}

TEST_F(arm32_rewrite, at_entry_is_what_runs_and_r7_stays)
{
	struct user_pt_regs regs;
	struct tracee t;
	struct stop s;

	PINS("A03 P09 P10 P11");
	umask(077);
	t = arm32_start(SYSGOOD);
	arm32_call(&t, &arm32_arm, &regs, ARM_NR_umask, 1, 022);
	s = tracee_to(&t, PTRACE_SYSCALL, 0, "entry arm:umask pc=svc+4 x0=18");
	tracee_set_nr(&t, variant->nr);
	s.regs.regs[0] = variant->r0;
	s.regs.regs[15] = variant->r0;
	if (variant->set_r0)
		tracee_set_regs(&t, &s.regs);
	s = tracee_next(&t, PTRACE_SYSCALL, 0);
	check_str("the next stop", "exit", stop_kind_name(s.kind));
	check_nr("NT_ARM_SYSTEM_CALL at exit", variant->nr, s.nr);
	check_eq("r0 at exit", variant->result, s.regs.regs[0]);
	s = tracee_to(&t, PTRACE_CONT, 0, END);
	arm32_finished(&s, &arm32_arm, &regs, variant->result);
	if (variant->nr == ARM_NR_set_tls)
		check_eq("TPIDRURO in the task", TLS, s.regs.regs[11]);
	check_eq("umask afterwards", variant->umask,
		 U64(arm32_do(&t, &arm32_arm, ARM_NR_umask, 1, 077)));
	tracee_end(&t);
}

FIXTURE(arm32_argument_0) {
};

/* What a tracer makes of argument 0, where it runs as 64-bit tasks' call or as compat's own. */
FIXTURE_VARIANT(arm32_argument_0) {
	__u32 nr, issued, written;
	int result;
	__u32 umask;	/* afterwards */
};

FIXTURE_VARIANT_ADD(arm32_argument_0, of_umask) {
	.nr = ARM_NR_umask, .issued = 022, .written = 027, .result = 077, .umask = 027,
};

FIXTURE_VARIANT_ADD(arm32_argument_0, of_compat_lseek) {
	.nr = ARM_NR_lseek, .issued = 1000, .written = EFFECT_READ_FD, .result = -ESPIPE,
	.umask = 077,
};

FIXTURE_SETUP(arm32_argument_0)
{
}

FIXTURE_TEARDOWN(arm32_argument_0)
{
}

static void write_argument(__u32 nr, __u32 issued, __u32 written, bool orig_r0, int result,
			   __u32 mask)
{
	struct user_pt_regs regs;
	struct tracee t;
	struct stop s;

	umask(077);
	effect_pipe();
	t = arm32_start(SYSGOOD);
	arm32_call(&t, &arm32_arm, &regs, nr, 3, issued, 0, 0);
	s = tracee_next(&t, PTRACE_SYSCALL, 0);
	s.regs.regs[0] = written;
	if (orig_r0)
		s.regs.regs[15] = written;
	tracee_set_regs(&t, &s.regs);
	tracee_next(&t, PTRACE_SYSCALL, 0);
	s = tracee_to(&t, PTRACE_CONT, 0, END);
	check_eq("the call's result", (__u32)result, s.regs.regs[0]);
	check_eq("umask afterwards", mask, U64(arm32_do(&t, &arm32_arm, ARM_NR_umask, 1, 077)));
	tracee_end(&t);
}

TEST_F(arm32_argument_0, written_at_entry_to_r0_and_orig_r0_is_what_runs)
{
	PINS("A03 P10");
	write_argument(variant->nr, variant->issued, variant->written, true, variant->result,
		       variant->umask);
}

/* As on a 32-bit kernel, whose entry code loads the arguments from r0-r5 again. */
TEST_F(arm32_argument_0, written_at_entry_to_r0_alone_is_what_runs)
{
	PINS("A03 P10 K04");
	write_argument(variant->nr, variant->issued, variant->written, false, variant->result,
		       variant->umask);
}

/* The tracer's result wins over the -ENOSYS that the kernel has set. */
TEST(arm32_minus_1_with_a_tracers_result_returns_it)
{
	struct user_pt_regs regs;
	struct tracee t;
	struct stop s;

	PINS("A03 P12");
	t = arm32_start(SYSGOOD);
	arm32_call(&t, &arm32_arm, &regs, ~0u, 0);
	s = tracee_to(&t, PTRACE_SYSCALL, 0, "entry -1 pc=svc+4");
	s.regs.regs[0] = 4242;
	tracee_set_regs(&t, &s.regs);
	tracee_to(&t, PTRACE_SYSCALL, 0, "exit -1 pc=svc+4 x0=4242");
	s = tracee_to(&t, PTRACE_CONT, 0, END);
	arm32_finished(&s, &arm32_arm, &regs, 4242);
	tracee_end(&t);
}
