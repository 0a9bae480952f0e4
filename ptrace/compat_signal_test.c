// SPDX-License-Identifier: GPL-2.0
/*
 * Signals of a 32-bit task: handler and sigreturn, in ARM and in Thumb code, and the
 * restart of an interrupted call, whose number is in r7, 0 for restart_syscall
 * (A03, A04). arch/arm64/kernel/signal.c arch_do_signal_or_restart(), do_signal()
 * before 7.0, decides, by 2 or 4 bytes back from PC, and signal32.c
 * compat_setup_restart_syscall() and sigreturn().
 */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

#include "arm32.h"
#include "case.h"
#include "effect.h"

#define SYSGOOD	PTRACE_O_TRACESYSGOOD
#define END	"signal SIGTRAP TRAP_BRKPT pc=end"

/* struct compat_ucontext, from the start of the frame without siginfo */
#define UC_R0	32
#define UC_R7	(UC_R0 + 7 * 4)
#define UC_R12	(UC_R0 + 12 * 4)
#define UC_PC	(UC_R0 + 15 * 4)
/* siginfo before it */
#define RT_UC	128

/* A call that blocks, and what becomes of it. */
struct arm32_blocking {
	__u32 nr, args[3];
	const char *call, *code;
	__u32 restart_nr;
	const char *restart;
};

/* read(EFFECT_READ_FD, ARM32_DATA + 64, 1) */
static const struct arm32_blocking arm32_read = {
	.nr = ARM_NR_read, .args = { EFFECT_READ_FD, ARM32_DATA + 64, 1 },
	.call = "arm:read", .code = "-ERESTARTSYS",
	.restart_nr = ARM_NR_read, .restart = "arm:read",
};

/* poll() of that with a time to wait; the struct pollfd is there, too */
static const struct arm32_blocking arm32_poll = {
	.nr = ARM_NR_poll, .args = { ARM32_DATA + 64, 1, 0x7fffffff },
	.call = "arm:poll", .code = "-ERESTART_RESTARTBLOCK",
	.restart_nr = ARM_NR_restart_syscall, .restart = "arm:restart_syscall",
};

FIXTURE(arm32_restart) {
};

FIXTURE_VARIANT(arm32_restart) {
	const struct arm32_code *code;
	const struct arm32_blocking *call;
	const char *after;
};

FIXTURE_VARIANT_ADD(arm32_restart, read_arm) {
	.code = &arm32_arm, .call = &arm32_read, .after = "svc+4",
};

FIXTURE_VARIANT_ADD(arm32_restart, read_thumb) {
	.code = &arm32_thumb, .call = &arm32_read, .after = "svc+2",
};

FIXTURE_VARIANT_ADD(arm32_restart, poll_arm) {
	.code = &arm32_arm, .call = &arm32_poll, .after = "svc+4",
};

FIXTURE_VARIANT_ADD(arm32_restart, poll_thumb) {
	.code = &arm32_thumb, .call = &arm32_poll, .after = "svc+2",
};

FIXTURE_SETUP(arm32_restart)
{
}

FIXTURE_TEARDOWN(arm32_restart)
{
}

static struct stop __printf(4, 5) stop_is(struct tracee *t, long request, int sig,
					  const char *fmt, ...)
{
	char text[128];
	va_list args;

	va_start(args, fmt);
	vsnprintf(text, sizeof(text), fmt, args);
	va_end(args);
	return tracee_to(t, request, sig, text);
}

/* The task's exit stop of the call, which SIGUSR1 has interrupted. */
static struct tracee interrupted(const struct arm32_code *code, const struct arm32_blocking *b,
				 const char *after, __u32 sa_flags, struct user_pt_regs *regs)
{
	struct tracee t;

	effect_pipe();
	t = arm32_start(SYSGOOD);
	arm32_handler(&t, code, SIGUSR1, sa_flags);
	if (b->nr == ARM_NR_poll) {
		arm32_poke(&t, ARM32_DATA + 64, EFFECT_READ_FD);
		arm32_poke(&t, ARM32_DATA + 68, 1);	/* POLLIN */
	}
	arm32_call(&t, code, regs, b->nr, 3, b->args[0], b->args[1], b->args[2]);
	name_value(b->args[0], "arg0");
	stop_is(&t, PTRACE_SYSCALL, 0, "entry %s pc=%s x0=arg0", b->call, after);
	tracee_resume(&t, PTRACE_SYSCALL, 0);
	tracee_wait_blocked(&t);
	kill(t.pid, SIGUSR1);
	stop_is(&t, WAIT_ONLY, 0, "exit %s pc=%s x0=%s", b->call, after, b->code);
	return t;
}

/* Both calls return 1. */
static void finish(struct tracee *t, const struct arm32_code *code, struct user_pt_regs *regs,
		   __u32 nr)
{
	struct stop s;

	tracee_resume(t, PTRACE_CONT, 0);
	tracee_wait_blocked(t);
	if (write(EFFECT_FD, "!", 1) != 1)
		case_die("writing to the pipe failed");
	s = tracee_to(t, WAIT_ONLY, 0, END);
	regs->regs[7] = nr;
	arm32_finished(&s, code, regs, 1);
	tracee_end(t);
}

TEST_F(arm32_restart, without_the_signal_shows_argument_0_and_the_number_in_r7)
{
	const struct arm32_blocking *b = variant->call;
	struct user_pt_regs regs;
	struct tracee t;
	struct stop s;

	PINS("A04 R01 R03");
	t = interrupted(variant->code, b, variant->after, 0, &regs);
	s = tracee_to(&t, PTRACE_SYSCALL, 0, "signal SIGUSR1 SI_USER pc=svc x0=arg0");
	check_eq("r7 at the signal-delivery-stop", b->nr, s.regs.regs[7]);
	check_nr("NT_ARM_SYSTEM_CALL at the signal-delivery-stop", -1, s.nr);
	s = stop_is(&t, PTRACE_SYSCALL, 0, "entry %s pc=%s x0=arg0", b->restart, variant->after);
	check_eq("r7 at the second entry stop", b->restart_nr, s.regs.regs[7]);
	finish(&t, variant->code, &regs, b->restart_nr);
}

/* SA_RESTART is for read; poll with a handler is always EINTR. */
static void with_handler(const struct arm32_code *code, const struct arm32_blocking *b,
			 const char *after, __u32 sa_flags)
{
	const bool again = sa_flags & SA_RESTART && b->nr == ARM_NR_read;
	struct user_pt_regs regs;
	struct tracee t;
	struct stop s;

	t = interrupted(code, b, after, sa_flags, &regs);
	tracee_to(&t, PTRACE_SYSCALL, 0, "signal SIGUSR1 SI_USER pc=svc x0=arg0");
	s = tracee_to(&t, PTRACE_SYSCALL, SIGUSR1, "signal SIGTRAP TRAP_BRKPT pc=handler x0=10");
	check_eq("the frame's PC", again ? code->svc : code->after,
		 arm32_peek(&t, (__u32)s.regs.sp + UC_PC));
	check_eq("the frame's r0", again ? b->args[0] : (__u32)-EINTR,
		 arm32_peek(&t, (__u32)s.regs.sp + UC_R0));
	check_eq("the frame's r7", b->nr, arm32_peek(&t, (__u32)s.regs.sp + UC_R7));
	s.regs.pc += code->thumb ? 2 : 4;	/* bkpt */
	tracee_set_regs(&t, &s.regs);
	tracee_to(&t, PTRACE_SYSCALL, 0, "entry arm:sigreturn");
	if (again) {
		tracee_to(&t, PTRACE_SYSCALL, 0, "exit -1 pc=svc x0=arg0");
		stop_is(&t, PTRACE_SYSCALL, 0, "entry %s pc=%s x0=arg0", b->call, after);
		finish(&t, code, &regs, b->nr);
		return;
	}
	stop_is(&t, PTRACE_SYSCALL, 0, "exit -1 pc=%s x0=-EINTR", after);
	s = tracee_to(&t, PTRACE_CONT, 0, END);
	arm32_finished(&s, code, &regs, (__u32)-EINTR);
	tracee_end(&t);
}

TEST_F(arm32_restart, with_a_handler_is_eintr)
{
	PINS("A04 R02");
	with_handler(variant->code, variant->call, variant->after, 0);
}

TEST_F(arm32_restart, with_sa_restart_restarts_read_and_not_poll)
{
	PINS("A04 R02");
	with_handler(variant->code, variant->call, variant->after, SA_RESTART);
}

TEST_F(arm32_restart, a_moved_pc_cancels_it)
{
	struct user_pt_regs regs;
	struct tracee t;
	struct stop s;

	PINS("A04 R06");
	t = interrupted(variant->code, variant->call, variant->after, 0, &regs);
	s = tracee_to(&t, PTRACE_SYSCALL, 0, "signal SIGUSR1 SI_USER pc=svc x0=arg0");
	s.regs.pc = variant->code->after;
	s.regs.regs[0] = 77;
	tracee_set_regs(&t, &s.regs);
	s = tracee_to(&t, PTRACE_CONT, 0, END);
	arm32_finished(&s, variant->code, &regs, 77);
	tracee_end(&t);
}

/* A number that the tracer has put in is not in r7. */
TEST(arm32_restart_of_an_overridden_call_calls_the_number_in_r7)
{
	struct user_pt_regs regs;
	struct tracee t;
	struct stop s;

	PINS("A04 R04");
	effect_pipe();
	t = arm32_start(SYSGOOD);
	arm32_call(&t, &arm32_arm, &regs, ARM_NR_dup, 3, EFFECT_READ_FD, ARM32_DATA + 64, 1);
	name_value(EFFECT_READ_FD, "arg0");
	tracee_to(&t, PTRACE_SYSCALL, 0, "entry arm:dup pc=svc+4 x0=arg0");
	tracee_set_nr(&t, ARM_NR_read);
	tracee_resume(&t, PTRACE_SYSCALL, 0);
	tracee_wait_blocked(&t);
	kill(t.pid, SIGUSR1);
	tracee_to(&t, WAIT_ONLY, 0, "exit arm:read pc=svc+4 x0=-ERESTARTSYS");
	tracee_to(&t, PTRACE_SYSCALL, 0, "signal SIGUSR1 SI_USER pc=svc x0=arg0");
	s = tracee_to(&t, PTRACE_SYSCALL, 0, "entry arm:dup pc=svc+4 x0=arg0");
	check_eq("r7 at the second entry stop", ARM_NR_dup, s.regs.regs[7]);
	tracee_end(&t);
}

/* orig_r0 is what a restart puts into r0, and a tracer may write it at the exit stop. */
TEST(arm32_orig_r0_written_at_exit_is_argument_0_of_the_restart)
{
	struct user_pt_regs regs;
	struct tracee t;
	struct stop s;

	PINS("A04 R06");
	t = interrupted(&arm32_arm, &arm32_read, "svc+4", 0, &regs);
	tracee_get_regs(&t, &regs);
	regs.regs[15] = 1000;
	tracee_set_regs(&t, &regs);
	tracee_to(&t, PTRACE_SYSCALL, 0, "signal SIGUSR1 SI_USER pc=svc x0=1000");
	tracee_to(&t, PTRACE_SYSCALL, 0, "entry arm:read pc=svc+4 x0=1000");
	s = tracee_to(&t, PTRACE_SYSCALL, 0, "exit arm:read pc=svc+4 x0=-EBADF");
	check_eq("r7 at exit", ARM_NR_read, s.regs.regs[7]);
	tracee_end(&t);
}

FIXTURE(arm32_sigreturn) {
};

/* The code that is interrupted and the handler's, which sigreturn's follows. */
FIXTURE_VARIANT(arm32_sigreturn) {
	const struct arm32_code *code, *handler;
	__u32 sa_flags;
	const char *call, *after;
};

FIXTURE_VARIANT_ADD(arm32_sigreturn, arm_in_arm) {
	.code = &arm32_arm, .handler = &arm32_arm, .call = "entry arm:sigreturn",
	.after = "svc+4",
};

FIXTURE_VARIANT_ADD(arm32_sigreturn, thumb_in_arm) {
	.code = &arm32_arm, .handler = &arm32_thumb, .sa_flags = SA_SIGINFO,
	.call = "entry arm:rt_sigreturn", .after = "svc+4",
};

FIXTURE_VARIANT_ADD(arm32_sigreturn, arm_in_thumb) {
	.code = &arm32_thumb, .handler = &arm32_arm, .sa_flags = SA_SIGINFO,
	.call = "entry arm:rt_sigreturn", .after = "svc+2",
};

FIXTURE_VARIANT_ADD(arm32_sigreturn, thumb_in_thumb) {
	.code = &arm32_thumb, .handler = &arm32_thumb, .call = "entry arm:sigreturn",
	.after = "svc+2",
};

FIXTURE_SETUP(arm32_sigreturn)
{
}

FIXTURE_TEARDOWN(arm32_sigreturn)
{
}

/* At the exit of an ordinary call a signal is pending; its handler changes r12 of the frame. */
TEST_F(arm32_sigreturn, restores_the_frame_and_its_exit_has_no_number)
{
	struct user_pt_regs regs;
	struct tracee t;
	struct stop s;
	__u32 frame;

	PINS("A04 P08");
	t = arm32_start(SYSGOOD);
	arm32_handler(&t, variant->handler, SIGUSR1, variant->sa_flags);
	arm32_call(&t, variant->code, &regs, ARM_NR_dup, 1, 1000);
	tracee_to(&t, PTRACE_SYSCALL, 0, "entry arm:dup");
	tracee_to(&t, PTRACE_SYSCALL, 0, "exit arm:dup");
	kill(t.pid, SIGUSR1);
	s = stop_is(&t, PTRACE_SYSCALL, 0, "signal SIGUSR1 SI_USER pc=%s x0=-EBADF",
		    variant->after);
	check_eq("r12 at the signal-delivery-stop", arm32_pattern(12), s.regs.regs[12]);
	s = tracee_to(&t, PTRACE_SYSCALL, SIGUSR1, "signal SIGTRAP TRAP_BRKPT pc=handler x0=10");
	frame = (__u32)s.regs.sp + (variant->sa_flags & SA_SIGINFO ? RT_UC : 0);
	check_eq("the frame's PC", variant->code->after, arm32_peek(&t, frame + UC_PC));
	check_eq("the frame's r0", (__u32)-EBADF, arm32_peek(&t, frame + UC_R0));
	arm32_poke(&t, frame + UC_R12, 0xfffffe00);
	s.regs.pc += variant->handler->thumb ? 2 : 4;
	tracee_set_regs(&t, &s.regs);
	s = tracee_to(&t, PTRACE_SYSCALL, 0, variant->call);
	check_eq("r12 at sigreturn's entry", 0, s.regs.regs[12]);
	s = stop_is(&t, PTRACE_SYSCALL, 0, "exit -1 pc=%s x0=-EBADF", variant->after);
	check_eq("r12 at sigreturn's exit", 1, s.regs.regs[12]);
	s = tracee_to(&t, PTRACE_CONT, 0, END);
	regs.regs[12] = 0xfffffe00;
	arm32_finished(&s, variant->code, &regs, (__u32)-EBADF);
	tracee_end(&t);
}
