// SPDX-License-Identifier: GPL-2.0
/*
 * TRAP of a call whose argument 0 looks like a restart code in its low 32 bits:
 * it is an argument like others. The handler runs once and finds it in x0, with
 * PC at svc+4, and its x0 is the result (K01 of the contract: kernels fail this,
 * see lib/known_failures.c). arch/arm64/kernel/signal.c
 * arch_do_signal_or_restart() decides, by the x0 that seccomp has rolled back.
 */
#include "caught.h"
#include "rules.h"

#include "tracee.h"

#define RESULT	4242	/* what the handler makes the call return */

static void set_x0(ucontext_t *uc)
{
	uc->uc_mcontext.regs[0] = RESULT;
}

static struct svc_frame *trap(int sa_flags, int nr)
{
	need_filters();
	name_range(U64(svc_insn), 12, "svc");
	catch_signal(SIGSYS, sa_flags, set_x0);
	filter_call(SCMP_ACT_TRAP, nr);
	return shared_alloc(sizeof(struct svc_frame));
}

static void run(void *frame)
{
	svc_run(frame);
}

/* The handler's runs and the result in one line, so that a wrong outcome has a name. */
static void check_outcome(struct svc_frame *f, __u64 nr, __u64 argument)
{
	char text[256], what[64], end[64];
	unsigned int n = caught_count();
	size_t len;

	svc_fill(f, nr, 1, argument);
	name_value(argument, "argument0");
	snprintf(what, sizeof(what), "TRAP of a call with argument 0 = 0x%llx",
		 (unsigned long long)argument);
	transcript("%s", what);
	child_run(run, f, end, sizeof(end));
	len = (size_t)snprintf(text, sizeof(text), "%s: ", end);
	for (; n < caught_count() && len < sizeof(text); n++)
		len += (size_t)snprintf(text + len, sizeof(text) - len, "handler x0=%s pc=%s, ",
					value_name(caught_nth(n)->regs.regs[0]),
					value_name(caught_nth(n)->regs.pc));
	if (len < sizeof(text))
		snprintf(text + len, sizeof(text) - len, "returned %s", value_name(f->x_out[0]));
	transcript("%s", text);
	check_str(what, "exited 0: handler x0=argument0 pc=svc+4, returned 4242", text);
	/* x0 has been looked at: a wrong one has no second message. */
	check_frame(f, f->x_out[0]);
}

FIXTURE(trap_restart_code) {
};

FIXTURE_VARIANT(trap_restart_code) {
	__u64 argument;
};

FIXTURE_VARIANT_ADD(trap_restart_code, erestartsys) {
	.argument = (__u64)-512,
};

FIXTURE_VARIANT_ADD(trap_restart_code, erestartsys_in_32_bits) {
	.argument = 0xfffffe00,
};

FIXTURE_VARIANT_ADD(trap_restart_code, erestartsys_below_bit_32) {
	.argument = 0x1fffffe00,
};

FIXTURE_VARIANT_ADD(trap_restart_code, erestartnointr) {
	.argument = (__u64)-513,
};

FIXTURE_VARIANT_ADD(trap_restart_code, erestartnohand) {
	.argument = (__u64)-514,
};

FIXTURE_VARIANT_ADD(trap_restart_code, erestart_restartblock) {
	.argument = (__u64)-516,
};

FIXTURE_SETUP(trap_restart_code)
{
}

FIXTURE_TEARDOWN(trap_restart_code)
{
}

TEST_F(trap_restart_code, is_an_argument_without_sa_restart)
{
	PINS("K01");
	check_outcome(trap(0, __NR_getuid), __NR_getuid, variant->argument);
}

TEST_F(trap_restart_code, is_an_argument_with_sa_restart)
{
	PINS("K01");
	check_outcome(trap(SA_RESTART, __NR_getuid), __NR_getuid, variant->argument);
}

static const __u64 neighbours[] = {
	(__u64)-511, (__u64)-515, (__u64)-517, 0xfffffe01, 0x1fffffdfb,
	0xfffffe00ull << 32, 0x7ffffe00, 0xfe00, 512, 513, 0, (__u64)-EINTR,
	(__u64)-ENOSYS, ~0ull,
};

TEST(trap_neighbour_of_restart_code_is_an_argument_without_sa_restart)
{
	struct svc_frame *f;

	PINS("K01 C03");
	f = trap(0, __NR_getuid);
	for (unsigned int i = 0; i < ARRAY_SIZE(neighbours); i++)
		check_outcome(f, __NR_getuid, neighbours[i]);
}

TEST(trap_neighbour_of_restart_code_is_an_argument_with_sa_restart)
{
	struct svc_frame *f;

	PINS("K01 C03");
	f = trap(SA_RESTART, __NR_getuid);
	for (unsigned int i = 0; i < ARRAY_SIZE(neighbours); i++)
		check_outcome(f, __NR_getuid, neighbours[i]);
}

/* Number -1 is no system call to in_syscall(), so nothing is restarted. */
TEST(trap_of_number_minus_1_takes_restart_code_as_argument)
{
	static const __u64 codes[] = {
		(__u64)-512, (__u64)-513, (__u64)-514, (__u64)-516, 0x1fffffe00,
	};
	struct svc_frame *f;

	PINS("K01 C03");
	f = trap(SA_RESTART, -1);
	for (unsigned int i = 0; i < ARRAY_SIZE(codes); i++)
		check_outcome(f, ~0ull, codes[i]);
}
