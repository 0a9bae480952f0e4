// SPDX-License-Identifier: GPL-2.0
/*
 * TRAP: the SIGSYS a filter sends in place of a call: what it says, the registers
 * its handler finds (argument 0 back in x0, PC at svc+4), the handler's x0 as the
 * result, and the stops that a tracer sees (C03 of the contract).
 * kernel/seccomp.c __seccomp_filter() rolls x0 back and sends the signal,
 * arch/arm64/kernel/signal.c arch_do_signal_or_restart() delivers it.
 */
#include "caught.h"
#include "rules.h"
#include "tracee.h"

#define RESULT	4242	/* what the handler makes the call return */

static __u64 result;

static void set_x0(ucontext_t *uc)
{
	uc->uc_mcontext.regs[0] = result;
}

/* One call, and a SIGSYS handler that its task inherits and that runs @then. */
static struct svc_script *new_call(__u64 nr, int sa_flags, void (*then)(ucontext_t *uc))
{
	struct svc_script *s;

	need_filters();
	name_range(U64(svc_insn), 12, "svc");
	name_value(svc_pattern(0), "pattern0");
	result = RESULT;
	catch_signal(SIGSYS, sa_flags, then);
	s = shared_alloc(sizeof(*s));
	s->n = 1;
	svc_fill(&s->f[0], nr, 0);
	return s;
}

/* The call made by an untraced child, whose end must be @expected. */
static void run_untraced(struct svc_script *s, const char *expected)
{
	char end[64];

	child_run(svc_script_run, s, end, sizeof(end));
	check_str("the end of the child", expected, end);
}

/* That @n signals were caught so far. Return: the last of them. */
static const struct caught *last_caught(unsigned int n)
{
	check_eq("runs of the SIGSYS handler", n, caught_count());
	return caught_nth(n - 1);
}

static void check_siginfo(const siginfo_t *si, int nr, unsigned int data)
{
	check_eq("si_signo", SIGSYS, U64(si->si_signo));
	check_eq("si_errno", data, U64(si->si_errno));
	check_eq("si_code", SYS_SECCOMP, U64(si->si_code));
	check_eq("si_call_addr", U64(svc_after), U64(si->si_call_addr));
	check_eq("si_syscall", U64(nr), U64(si->si_syscall));
	check_eq("si_arch", AUDIT_ARCH_AARCH64, si->si_arch);
}

FIXTURE(trap_number) {
};

FIXTURE_VARIANT(trap_number) {
	__u64 x8;
	int nr;
};

FIXTURE_VARIANT_ADD(trap_number, write) {
	.x8 = __NR_write, .nr = __NR_write,
};

/* syscall_trace_enter() finds x0 = -ENOSYS here; the handler must not. */
FIXTURE_VARIANT_ADD(trap_number, minus_1) {
	.x8 = ~0ull, .nr = -1,
};

FIXTURE_VARIANT_ADD(trap_number, minus_1_in_32_bits) {
	.x8 = 0xffffffff, .nr = -1,
};

FIXTURE_VARIANT_ADD(trap_number, garbage_above) {
	.x8 = 0xdeadbeefull << 32 | __NR_write, .nr = __NR_write,
};

FIXTURE_VARIANT_ADD(trap_number, unknown_to_kernel) {
	.x8 = 4095, .nr = 4095,
};

FIXTURE_SETUP(trap_number)
{
}

FIXTURE_TEARDOWN(trap_number)
{
}

TEST_F(trap_number, sigsys_has_the_call_and_its_registers)
{
	const struct caught *c;
	struct svc_script *s;
	scmp_filter_ctx f;

	PINS("C03");
	s = new_call(0, 0, set_x0);
	effect_call(&s->f[0]);
	s->f[0].x[8] = variant->x8;
	effect_pipe();
	f = filter_new(SCMP_ACT_ALLOW);
	if (variant->nr == __NR_write)
		filter_effect(f, SCMP_ACT_TRAP);
	else
		filter_add(f, SCMP_ACT_TRAP, variant->nr, 0, NULL);
	filter_load(f);
	run_untraced(s, "exited 0");
	caught_tell();
	c = last_caught(1);
	check_siginfo(&c->si, variant->nr, 0);
	check_caught_regs(c, &s->f[0], U64(svc_after));
	check_frame(&s->f[0], RESULT);
	check_eq("bytes that the call wrote", 0, effect_count());
}

TEST(trap_data_is_si_errno)
{
	static const unsigned int data[] = { 0, 1, EPERM, 0x1234, 4095, 4096, 0x8000, 0xffff };
	struct svc_script *s;

	PINS("C03");
	s = new_call(__NR_getuid, 0, set_x0);
	filter_data_from_arg1(SECCOMP_RET_TRAP);
	for (unsigned int i = 0; i < ARRAY_SIZE(data); i++) {
		s->f[0].x[1] = data[i];
		run_untraced(s, "exited 0");
		check_siginfo(&last_caught(i + 1)->si, __NR_getuid, data[i]);
		check_frame(&s->f[0], RESULT);
	}
}

/* Restart codes too: rt_sigreturn has no call left that could be restarted. */
TEST(trap_handler_x0_is_the_result)
{
	static const __u64 results[] = {
		0, 1, (__u64)-EPERM, (__u64)-512, (__u64)-513, (__u64)-514,
		(__u64)-516, ~0ull, 0x0123456789abcdefull,
	};
	struct svc_script *s;

	PINS("C03");
	s = new_call(__NR_getuid, SA_RESTART, set_x0);
	filter_call(SCMP_ACT_TRAP, __NR_getuid);
	for (unsigned int i = 0; i < ARRAY_SIZE(results); i++) {
		result = results[i];
		run_untraced(s, "exited 0");
		last_caught(i + 1);
		check_frame(&s->f[0], results[i]);
	}
}

TEST(trap_handler_that_leaves_x0_makes_argument_0_the_result)
{
	static const __u64 numbers[] = { __NR_getuid, ~0ull };
	struct svc_script *s;

	PINS("C03");
	for (unsigned int i = 0; i < ARRAY_SIZE(numbers); i++) {
		s = new_call(numbers[i], 0, NULL);
		filter_call(SCMP_ACT_TRAP, (int)numbers[i]);
		run_untraced(s, "exited 0");
		last_caught(i + 1);
		check_frame(&s->f[0], svc_pattern(0));
	}
}

FIXTURE(trap_without_handler) {
};

/* force_sig_info_to_task(): a blocked or ignored SIGSYS is forced, by its default action. */
FIXTURE_VARIANT(trap_without_handler) {
	bool handler, ignore, block;
};

FIXTURE_VARIANT_ADD(trap_without_handler, default_action) {
	.handler = false,
};

FIXTURE_VARIANT_ADD(trap_without_handler, ignored) {
	.ignore = true,
};

FIXTURE_VARIANT_ADD(trap_without_handler, blocked) {
	.block = true,
};

FIXTURE_VARIANT_ADD(trap_without_handler, blocked_with_handler) {
	.handler = true, .block = true,
};

FIXTURE_SETUP(trap_without_handler)
{
}

FIXTURE_TEARDOWN(trap_without_handler)
{
}

TEST_F(trap_without_handler, dies_of_sigsys)
{
	static const struct stop_row rows[] = {
		{ PTRACE_SYSCALL, 0, "entry write pc=svc+4 x0=200" },
		{ PTRACE_SYSCALL, 0, "exit write pc=svc+4 x0=200" },
		{ PTRACE_SYSCALL, 0, "signal SIGSYS SYS_SECCOMP pc=svc+4 x0=200" },
		{ PTRACE_SYSCALL, SIGSYS, "killed SIGSYS" },
	};
	struct svc_script *s;
	scmp_filter_ctx f;
	struct tracee t;
	sigset_t set;

	PINS("C03");
	s = new_call(0, 0, set_x0);
	effect_call(&s->f[0]);
	effect_pipe();
	if (!variant->handler)
		signal(SIGSYS, variant->ignore ? SIG_IGN : SIG_DFL);
	sigemptyset(&set);
	sigaddset(&set, SIGSYS);
	if (variant->block)
		sigprocmask(SIG_BLOCK, &set, NULL);
	f = filter_new(SCMP_ACT_ALLOW);
	filter_effect(f, SCMP_ACT_TRAP);
	filter_load(f);
	run_untraced(s, "killed SIGSYS");
	t = tracee_start(svc_script_run, s, PTRACE_O_TRACESYSGOOD);
	tracee_expect(&t, rows, ARRAY_SIZE(rows), NULL);
	tracee_end(&t);
	check_eq("runs of the SIGSYS handler", 0, caught_count());
	check_eq("bytes that the call wrote", 0, effect_count());
}

FIXTURE(trap_traced) {
};

/* From the entry stop to SIGSYS, and on. x0 at -1's entry stop is P12's business. */
FIXTURE_VARIANT(trap_traced) {
	__u64 x8;
	struct stop_row to_signal[3];
	size_t n;
	int deliver;		/* SIGSYS, or 0: the tracer keeps it */
};

FIXTURE_VARIANT_ADD(trap_traced, by_syscall_stops) {
	.x8 = __NR_getuid, .deliver = SIGSYS, .n = 3, .to_signal = {
		{ PTRACE_SYSCALL, 0, "entry getuid pc=svc+4 x0=pattern0" },
		{ PTRACE_SYSCALL, 0, "exit getuid pc=svc+4 x0=pattern0" },
		{ PTRACE_SYSCALL, 0, "signal SIGSYS SYS_SECCOMP pc=svc+4 x0=pattern0" },
	},
};

FIXTURE_VARIANT_ADD(trap_traced, number_minus_1) {
	.x8 = ~0ull, .deliver = SIGSYS, .n = 3, .to_signal = {
		{ PTRACE_SYSCALL, 0, "entry -1 pc=svc+4" },
		{ PTRACE_SYSCALL, 0, "exit -1 pc=svc+4 x0=pattern0" },
		{ PTRACE_SYSCALL, 0, "signal SIGSYS SYS_SECCOMP pc=svc+4 x0=pattern0" },
	},
};

FIXTURE_VARIANT_ADD(trap_traced, by_signals_only) {
	.x8 = __NR_getuid, .deliver = SIGSYS, .n = 1, .to_signal = {
		{ PTRACE_CONT, 0, "signal SIGSYS SYS_SECCOMP pc=svc+4 x0=pattern0" },
	},
};

FIXTURE_VARIANT_ADD(trap_traced, sigsys_kept_by_tracer) {
	.x8 = __NR_getuid, .deliver = 0, .n = 3, .to_signal = {
		{ PTRACE_SYSCALL, 0, "entry getuid pc=svc+4 x0=pattern0" },
		{ PTRACE_SYSCALL, 0, "exit getuid pc=svc+4 x0=pattern0" },
		{ PTRACE_SYSCALL, 0, "signal SIGSYS SYS_SECCOMP pc=svc+4 x0=pattern0" },
	},
};

FIXTURE_SETUP(trap_traced)
{
}

FIXTURE_TEARDOWN(trap_traced)
{
}

TEST_F(trap_traced, has_exit_stop_before_sigsys)
{
	struct stop_row handled[] = {
		{ PTRACE_SYSCALL, variant->deliver, "entry rt_sigreturn" },
		{ PTRACE_SYSCALL, 0, "exit -1 pc=svc+4 x0=4242" },
		{ PTRACE_SYSCALL, 0, "entry exit_group" },
	};
	struct stop_row kept = { PTRACE_SYSCALL, 0, "entry exit_group" };
	struct svc_script *s;
	struct stop stop;
	struct tracee t;

	PINS("C03");
	s = new_call(variant->x8, 0, set_x0);
	filter_call(SCMP_ACT_TRAP, (int)variant->x8);
	t = tracee_start(svc_script_run, s, PTRACE_O_TRACESYSGOOD);
	if (!tracee_expect(&t, variant->to_signal, variant->n, &stop))
		case_die("cannot go on without SIGSYS");
	check_siginfo(&stop.si, (int)variant->x8, 0);
	check_nr("NT_ARM_SYSTEM_CALL at SIGSYS", -1, stop.nr);
	check_eq("x7 at SIGSYS", svc_pattern(7), stop.regs.regs[7]);
	if (variant->deliver)
		tracee_expect(&t, handled, ARRAY_SIZE(handled), NULL);
	else
		tracee_expect(&t, &kept, 1, NULL);
	tracee_end(&t);
	check_frame(&s->f[0], variant->deliver ? RESULT : svc_pattern(0));
	if (variant->deliver)
		check_caught_regs(last_caught(1), &s->f[0], U64(svc_after));
	else
		check_eq("runs of the SIGSYS handler", 0, caught_count());
}
