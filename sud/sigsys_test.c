// SPDX-License-Identifier: GPL-2.0
/*
 * A call that Syscall User Dispatch hands to the task: the SIGSYS, the registers
 * in its handler's context, and that the handler decides the result (U02), also
 * when argument 0 looks like a restart code (K01); and the way back from a handler
 * while the selector is on block, which only the vDSO's rt_sigreturn has (U03).
 * kernel/entry/syscall_user_dispatch.c syscall_user_dispatch(), with
 * arch_syscall_is_vdso_sigreturn(), decides.
 */
#include <sys/mman.h>
#include <sys/stat.h>

#include "effect.h"
#include "sud.h"

/* Every call is decided by the selector, now on allow. */
static void dispatch_by_selector(int sa_flags)
{
	need_sud();
	catch_signal(SIGSYS, sa_flags, handle_call);
	sud_on(EXCLUSIVE, 0, 0, &selector);
}

static void check_sigsys(const struct caught *c, __u64 nr, __u64 svc)
{
	check_eq("si_signo", SIGSYS, U64(c->si.si_signo));
	check_str("si_code", "SYS_USER_DISPATCH", sicode_name(SIGSYS, c->si.si_code));
	check_eq("si_errno", 0, U64(c->si.si_errno));
	check_eq("si_call_addr", svc + 4, U64(c->si.si_call_addr));
	check_eq("si_syscall", (__u32)nr, (__u32)c->si.si_syscall);
	check_eq("si_arch", AUDIT_ARCH_AARCH64, c->si.si_arch);
}

FIXTURE(dispatch) {
};

/* A call that would be seen if it ran: x8, and x0-x2 where the pattern is not meant. */
FIXTURE_VARIANT(dispatch) {
	__u64 nr;
	unsigned int nargs;
	__u64 args[3];
};

FIXTURE_VARIANT_ADD(dispatch, write) { .nr = __NR_write, .nargs = 3, .args = EFFECT_ARGS };
FIXTURE_VARIANT_ADD(dispatch, umask) { .nr = __NR_umask, .nargs = 1, .args = { 022 } };
FIXTURE_VARIANT_ADD(dispatch, getppid) { .nr = __NR_getppid };
FIXTURE_VARIANT_ADD(dispatch, exit_group) { .nr = __NR_exit_group, .nargs = 1, .args = { 1 } };
FIXTURE_VARIANT_ADD(dispatch, rt_sigreturn) { .nr = __NR_rt_sigreturn };
FIXTURE_VARIANT_ADD(dispatch, minus_1) { .nr = (__u64)-1 };
FIXTURE_VARIANT_ADD(dispatch, minus_1_in_32_bits) { .nr = 0xffffffff };
FIXTURE_VARIANT_ADD(dispatch, minus_2) { .nr = (__u64)-2 };
FIXTURE_VARIANT_ADD(dispatch, number_out_of_range) { .nr = 0x7fffffff };
FIXTURE_VARIANT_ADD(dispatch, upper_half_of_x8) {
	.nr = 0xdeadbeef00000000 | __NR_write, .nargs = 3, .args = EFFECT_ARGS,
};

FIXTURE_SETUP(dispatch)
{
}

FIXTURE_TEARDOWN(dispatch)
{
}

TEST_F(dispatch, sigsys_has_the_call_and_the_handler_its_registers)
{
	struct svc_frame f;

	PINS("U02");
	effect_pipe();
	umask(077);
	dispatch_by_selector(0);
	svc_fill(&f, variant->nr, 0);
	memcpy(f.x, variant->args, variant->nargs * sizeof(f.x[0]));
	run_blocked(&f);
	caught_tell();
	check_eq("signals", 1, caught_count());
	check_sigsys(caught_nth(0), variant->nr, U64(svc_insn));
	check_caught_regs(caught_nth(0), &f, U64(svc_after));
	check_frame(&f, HANDLED);
	check_eq("bytes that the call wrote", 0, effect_count());
	check_eq("umask after the call", 077, umask(0));
}

static const __u64 results[] = {
	0, (__u64)-EINTR, (__u64)-ENOSYS, (__u64)-512, (__u64)-513, (__u64)-514,
	(__u64)-516, 0x1fffffe00, 0x8000000000000000,
};

static unsigned int next_result;

static void give_result(ucontext_t *uc)
{
	uc->uc_mcontext.regs[0] = results[next_result];
}

/* sigreturn has left the call: no value is a restart code any more. */
TEST(handlers_x0_is_the_result_of_a_dispatched_call_whatever_it_is)
{
	struct svc_frame f;

	PINS("U02");
	dispatch_by_selector(0);
	catch_signal(SIGSYS, 0, give_result);
	for (; next_result < ARRAY_SIZE(results); next_result++) {
		svc_fill(&f, __NR_getppid, 0);
		run_blocked(&f);
		check_frame(&f, results[next_result]);
	}
	check_eq("signals", ARRAY_SIZE(results), caught_count());
}

FIXTURE(dispatch_restart_code) {
};

FIXTURE_VARIANT(dispatch_restart_code) {
	__u64 argument;
};

FIXTURE_VARIANT_ADD(dispatch_restart_code, erestartsys) { (__u64)-512 };
FIXTURE_VARIANT_ADD(dispatch_restart_code, erestartsys_in_32_bits) { 0xfffffe00 };
FIXTURE_VARIANT_ADD(dispatch_restart_code, erestartsys_below_bit_32) { 0x1fffffe00 };
FIXTURE_VARIANT_ADD(dispatch_restart_code, erestartnointr) { (__u64)-513 };
FIXTURE_VARIANT_ADD(dispatch_restart_code, erestartnohand) { (__u64)-514 };
FIXTURE_VARIANT_ADD(dispatch_restart_code, erestart_restartblock) { (__u64)-516 };

FIXTURE_SETUP(dispatch_restart_code)
{
}

FIXTURE_TEARDOWN(dispatch_restart_code)
{
}

/* All in one line, so that lib/known_failures.c can name the one wrong outcome. */
static void check_outcome(__u64 argument)
{
	char text[256] = "", what[80];
	struct svc_frame f;
	size_t len = 0;

	svc_fill(&f, __NR_getuid, 1, argument);
	name_value(argument, "argument0");
	run_blocked(&f);
	for (unsigned int i = 0; i < caught_count() && len < sizeof(text); i++)
		len += (size_t)snprintf(text + len, sizeof(text) - len, "handler x0=%s pc=%s, ",
					value_name(caught_nth(i)->regs.regs[0]),
					value_name(caught_nth(i)->regs.pc));
	if (len < sizeof(text))
		snprintf(text + len, sizeof(text) - len, "returned %s", value_name(f.x_out[0]));
	transcript("%s", text);
	snprintf(what, sizeof(what), "dispatch of a call with argument 0 = 0x%llx",
		 (unsigned long long)argument);
	check_str(what, "handler x0=argument0 pc=svc+4, returned 4242", text);
	/* x0 has been looked at: a wrong one has no second message. */
	check_frame(&f, f.x_out[0]);
}

TEST_F(dispatch_restart_code, is_an_argument_of_a_dispatched_call)
{
	PINS("U02 K01");
	dispatch_by_selector(0);
	check_outcome(variant->argument);
}

TEST_F(dispatch_restart_code, is_an_argument_with_sa_restart_too)
{
	PINS("U02 K01");
	dispatch_by_selector(SA_RESTART);
	check_outcome(variant->argument);
}

static const __u32 *vdso_sigreturn;

/* A handler returns to the vDSO's rt_sigreturn: mov x8, #139; svc #0. */
static void note_return(int sig)
{
	(void)sig;
	vdso_sigreturn = __builtin_return_address(0);
}

static __u32 *copy_of_sigreturn(void)
{
	const size_t size = 2 * sizeof(__u32);
	__u32 *copy;

	copy = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (copy == MAP_FAILED)
		case_die("no memory: %s", strerror(errno));
	signal(SIGUSR2, note_return);
	raise(SIGUSR2);
	memcpy(copy, vdso_sigreturn, size);
	check_eq("the second instruction of the vDSO's rt_sigreturn", SVC_OPCODE, copy[1]);
	__builtin___clear_cache((char *)copy, (char *)copy + size);
	if (mprotect(copy, 4096, PROT_READ | PROT_EXEC))
		case_die("no executable memory: %s", strerror(errno));
	return copy;
}

static void block_on_the_way_back(ucontext_t *uc)
{
	(void)uc;
	select_calls(BLOCK);
}

/* Let the dispatched rt_sigreturn be issued again, and now run. */
static void rewind_and_allow(ucontext_t *uc)
{
	uc->uc_mcontext.pc -= 4;
	select_calls(ALLOW);
}

/* SIGUSR1 to itself; its handler puts the selector on block and returns. */
static void signal_itself(void *frame)
{
	struct svc_frame *f = frame;

	sud_on(EXCLUSIVE, 0, 0, &selector);
	svc_fill(f, __NR_tgkill, 3, U64(getpid()), U64(getpid()), U64(SIGUSR1));
	svc_run(f);
	select_calls(ALLOW);
}

/* In a child, which dies if its rt_sigreturn is dispatched while SIGSYS is blocked. */
static void run_signal_itself(void)
{
	struct svc_frame *f = shared_alloc(sizeof(*f));
	char end[64];

	child_run(signal_itself, f, end, sizeof(end));
	if (check_str("end of the task", "exited 0", end))
		check_frame(f, 0);
}

TEST(vdso_sigreturn_passes_a_blocking_selector)
{
	PINS("U03");
	need_sud();
	catch_signal(SIGSYS, 0, handle_call);
	catch_signal(SIGUSR1, 0, block_on_the_way_back);
	run_signal_itself();
	caught_tell();
	check_eq("signals", 1, caught_count());
	check_eq("the signal", SIGUSR1, U64(caught_nth(0)->si.si_signo));
}

TEST(copy_of_vdso_sigreturn_is_dispatched)
{
	struct sigaction sa;
	__u32 *copy;

	PINS("U03");
	need_sud();
	copy = copy_of_sigreturn();
	name_range(U64(copy), 12, "copy");
	catch_signal(SIGSYS, 0, rewind_and_allow);
	catch_signal(SIGUSR1, 0, block_on_the_way_back);
	sigaction(SIGUSR1, NULL, &sa);
	sa.sa_flags |= SA_RESTORER;
	sa.sa_restorer = (void (*)(void))copy;
	sigaction(SIGUSR1, &sa, NULL);
	run_signal_itself();
	check_eq("signals", 2, caught_count());
	/* Not caught_tell(): a handler's leftover in x0 has no name. */
	transcript("on the way back %s pc=%s", sig_name(caught_nth(1)->si.si_signo),
		   value_name(caught_nth(1)->regs.pc));
	check_eq("the first signal", SIGUSR1, U64(caught_nth(0)->si.si_signo));
	check_sigsys(caught_nth(1), __NR_rt_sigreturn, U64(copy + 1));
	check_eq("PC in the handler's context", U64(copy + 2), caught_nth(1)->regs.pc);
	check_eq("x8 in the handler's context", __NR_rt_sigreturn, caught_nth(1)->regs.regs[8]);
}
