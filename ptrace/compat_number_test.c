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

/* What no call has for a number, and what then becomes of it. */
static const struct {
	__u32 nr;
	bool sigill;	/* and r0 is 0; otherwise -ENOSYS */
} numbers[] = {
	{ 0xffffffff, false },
	{ 0xfffffffe, false },
	{ 0x80000000, false },
	{ 7, false },		/* a hole in the table */
	{ 100000, false },
	{ 0xf0000, false },	/* ARM's private calls begin */
	{ 0xf0001, false },	/* breakpoint, to 32-bit kernels */
	{ 0xf0003, false },	/* usr26 */
	{ 0xf0006, false },	/* get_tls */
	{ 0xf0007, false },
	{ 0xf07ff, false },	/* the last one */
	{ 0xf0800, true },
	{ 0x7fffffff, true },
};

/* From the call on, whoever looked at it before. */
static void check_no_call(struct tracee *t, const struct arm32_code *code,
			  const struct user_pt_regs *regs, bool sigill)
{
	struct stop s;

	if (sigill) {
		s = tracee_to(t, PTRACE_CONT, 0, "signal SIGILL ILL_ILLTRP");
		check_at(&s, "PC at SIGILL", code->after, s.regs.pc);
		check_at(&s, "si_addr of SIGILL", code->svc, U64(s.si.si_addr));
		check_at(&s, "r0 at SIGILL", 0, s.regs.regs[0]);
	}
	s = tracee_to(t, PTRACE_CONT, 0, END);
	arm32_finished(&s, code, regs, sigill ? 0 : ENOSYS32);
}

static void check_untraced(struct tracee *t, const struct arm32_code *code, __u32 nr, bool sigill)
{
	struct user_pt_regs regs;

	arm32_about(t, code, "number 0x%x untraced", nr);
	arm32_call(t, code, &regs, nr, 0);
	check_no_call(t, code, &regs, sigill);
}

static void check_traced(struct tracee *t, const struct arm32_code *code, __u32 nr, bool sigill)
{
	const char *name = arm_syscall_name((int)nr);
	struct user_pt_regs regs;
	struct stop s;
	char text[64];

	arm32_about(t, code, "number 0x%x traced", nr);
	arm32_call(t, code, &regs, nr, 0);
	snprintf(text, sizeof(text), "entry %s", name);
	s = tracee_to(t, PTRACE_SYSCALL, 0, text);
	/* The kernel sets the result of the task's own -1 beforehand. */
	check_at(&s, "r0 at entry", nr == ~0u ? ENOSYS32 : arm32_pattern(0), s.regs.regs[0]);
	snprintf(text, sizeof(text), "exit %s", name);
	s = tracee_to(t, PTRACE_SYSCALL, 0, text);
	check_at(&s, "r0 at exit", sigill ? 0 : ENOSYS32, s.regs.regs[0]);
	check_no_call(t, code, &regs, sigill);
}

TEST(arm32_numbers_that_are_no_calls_stay_so_traced_and_untraced)
{
	struct tracee t;

	PINS("A03 P12 P13");
	t = arm32_start(SYSGOOD);
	for (unsigned int i = 0; i < ARRAY_SIZE(numbers); i++) {
		check_untraced(&t, &arm32_arm, numbers[i].nr, numbers[i].sigill);
		check_untraced(&t, &arm32_thumb, numbers[i].nr, numbers[i].sigill);
		check_traced(&t, &arm32_arm, numbers[i].nr, numbers[i].sigill);
		check_traced(&t, &arm32_thumb, numbers[i].nr, numbers[i].sigill);
	}
	tracee_end(&t);
}

TEST(arm32_numbers_that_are_no_calls_stay_so_under_a_filter)
{
	struct tracee t;

	PINS("A03 P12 P13");
	filter_answer(ARM_NR_umask, SECCOMP_RET_KILL);
	t = arm32_start(SYSGOOD);
	for (unsigned int i = 0; i < ARRAY_SIZE(numbers); i++)
		check_untraced(&t, &arm32_arm, numbers[i].nr, numbers[i].sigill);
	tracee_end(&t);
}

TEST(arm32_cacheflush_runs_traced_and_untraced)
{
	static const struct {
		const char *what;
		__u32 start, end, flags;
		int result;
	} rows[] = {
		{ "of a page", ARM32_DATA, ARM32_DATA + 4096, 0, 0 },
		{ "of nothing", ARM32_DATA, ARM32_DATA, 0, 0 },
		{ "with flags", ARM32_DATA, ARM32_DATA + 4, 1, -EINVAL },
		{ "backwards", ARM32_DATA + 4, ARM32_DATA, 0, -EINVAL },
	};
	struct user_pt_regs regs;
	struct tracee t;
	struct stop s;

	PINS("A03");
	t = arm32_start(SYSGOOD);
	for (unsigned int i = 0; i < ARRAY_SIZE(rows); i++) {
		arm32_about(&t, &arm32_arm, "cacheflush() %s untraced", rows[i].what);
		arm32_call(&t, &arm32_arm, &regs, ARM_NR_cacheflush, 3, rows[i].start,
			   rows[i].end, rows[i].flags);
		s = tracee_to(&t, PTRACE_CONT, 0, END);
		arm32_finished(&s, &arm32_arm, &regs, (__u32)rows[i].result);
		arm32_about(&t, &arm32_thumb, "cacheflush() %s traced", rows[i].what);
		arm32_call(&t, &arm32_thumb, &regs, ARM_NR_cacheflush, 3, rows[i].start,
			   rows[i].end, rows[i].flags);
		tracee_to(&t, PTRACE_SYSCALL, 0, "entry arm:cacheflush pc=svc+2");
		tracee_to(&t, PTRACE_SYSCALL, 0, "exit arm:cacheflush pc=svc+2");
		s = tracee_to(&t, PTRACE_CONT, 0, END);
		arm32_finished(&s, &arm32_thumb, &regs, (__u32)rows[i].result);
	}
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

/* What a tracer does at the entry of umask(022) of a task whose umask is 077, which it stays. */
static const struct rewrite {
	const char *what;
	int nr;
	bool set_r0;
	__u32 r0;
	__u32 result;
} rewrites[] = {
	{ "skipped with a result", -1, true, 4242, 4242 },
	{ "skipped with a negative result", -1, true, 0xfffffe00, 0xfffffe00 },
	{ "skipped without a result, which leaves argument 0", -1, false, 0, 022 },
	{ "made another call", ARM_NR_dup, true, 1000, (__u32)-EBADF },
	{ "made a number out of range", 100000, false, 0, ENOSYS32 },
	{ "made a private call", ARM_NR_set_tls, true, TLS, 0 },
};

static void check_rewrite(struct tracee *t, const struct rewrite *w)
{
	struct user_pt_regs regs;
	struct stop s;

	arm32_about(t, &arm32_arm, "umask %s", w->what);
	arm32_call(t, &arm32_arm, &regs, ARM_NR_umask, 1, 022);
	s = tracee_to(t, PTRACE_SYSCALL, 0, "entry arm:umask pc=svc+4 x0=18");
	tracee_set_nr(t, w->nr);
	s.regs.regs[0] = w->r0;
	s.regs.regs[15] = w->r0;
	if (w->set_r0)
		tracee_set_regs(t, &s.regs);
	s = tracee_to(t, PTRACE_SYSCALL, 0, "exit");
	check_nr_at(&s, "NT_ARM_SYSTEM_CALL at exit", w->nr);
	check_at(&s, "r0 at exit", w->result, s.regs.regs[0]);
	s = tracee_to(t, PTRACE_CONT, 0, END);
	arm32_finished(&s, &arm32_arm, &regs, w->result);
	if (w->nr == ARM_NR_set_tls)
		check_at(&s, "TPIDRURO in the task", TLS, s.regs.regs[11]);
	check_at(&s, "umask afterwards", 077,
		 U64(arm32_do(t, &arm32_arm, ARM_NR_umask, 1, 077)));
}

TEST(arm32_rewrite_at_entry_is_what_runs_and_r7_stays)
{
	struct tracee t;

	PINS("A03 P09 P10 P11");
	umask(077);
	t = arm32_start(SYSGOOD);
	for (unsigned int i = 0; i < ARRAY_SIZE(rewrites); i++)
		check_rewrite(&t, &rewrites[i]);
	tracee_end(&t);
}

/* What a tracer makes of argument 0 runs as 64-bit tasks' call or as compat's own. */
static void write_argument(struct tracee *t, __u32 nr, __u32 issued, __u32 written, bool orig_r0,
			   int result, __u32 mask)
{
	struct user_pt_regs regs;
	struct stop s;

	arm32_call(t, &arm32_arm, &regs, nr, 3, issued, 0, 0);
	s = tracee_next(t, PTRACE_SYSCALL, 0);
	s.regs.regs[0] = written;
	if (orig_r0)
		s.regs.regs[15] = written;
	tracee_set_regs(t, &s.regs);
	tracee_next(t, PTRACE_SYSCALL, 0);
	s = tracee_to(t, PTRACE_CONT, 0, END);
	check_at(&s, "the call's result", (__u32)result, s.regs.regs[0]);
	check_at(&s, "umask afterwards", mask,
		 U64(arm32_do(t, &arm32_arm, ARM_NR_umask, 1, 077)));
}

static void write_arguments(bool orig_r0)
{
	struct tracee t;

	umask(077);
	effect_pipe();
	t = arm32_start(SYSGOOD);
	arm32_about(&t, &arm32_arm, "umask");
	write_argument(&t, ARM_NR_umask, 022, 027, orig_r0, 077, 027);
	arm32_about(&t, &arm32_arm, "compat lseek");
	write_argument(&t, ARM_NR_lseek, 1000, EFFECT_READ_FD, orig_r0, -ESPIPE, 077);
	tracee_end(&t);
}

TEST(arm32_argument_0_written_at_entry_to_r0_and_orig_r0_is_what_runs)
{
	PINS("A03 P10");
	write_arguments(true);
}

/* As on a 32-bit kernel, whose entry code loads the arguments from r0-r5 again. */
TEST(arm32_argument_0_written_at_entry_to_r0_alone_is_what_runs)
{
	PINS("A03 P10 K04");
	write_arguments(false);
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
