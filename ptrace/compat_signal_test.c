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

/* What each case walks with one task. */
static const struct row {
	const struct arm32_code *code;
	const struct arm32_blocking *call;
	const char *what, *after;
} rows[] = {
	{ &arm32_arm, &arm32_read, "read", "svc+4" },
	{ &arm32_thumb, &arm32_read, "read", "svc+2" },
	{ &arm32_arm, &arm32_poll, "poll", "svc+4" },
	{ &arm32_thumb, &arm32_poll, "poll", "svc+2" },
};

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
static void interrupted(struct tracee *t, const struct row *r, __u32 sa_flags,
			struct user_pt_regs *regs)
{
	const struct arm32_blocking *b = r->call;

	arm32_about(t, r->code, "%s", r->what);
	arm32_handler(t, r->code, SIGUSR1, sa_flags);
	if (b->nr == ARM_NR_poll) {
		arm32_poke(t, ARM32_DATA + 64, EFFECT_READ_FD);
		arm32_poke(t, ARM32_DATA + 68, 1);	/* POLLIN */
	}
	arm32_call(t, r->code, regs, b->nr, 3, b->args[0], b->args[1], b->args[2]);
	name_value(b->args[0], "arg0");
	stop_is(t, PTRACE_SYSCALL, 0, "entry %s pc=%s x0=arg0", b->call, r->after);
	tracee_resume(t, PTRACE_SYSCALL, 0);
	tracee_wait_blocked(t);
	kill(t->pid, SIGUSR1);
	stop_is(t, WAIT_ONLY, 0, "exit %s pc=%s x0=%s", b->call, r->after, b->code);
}

/* Both calls return 1. */
static void finish(struct tracee *t, const struct arm32_code *code, struct user_pt_regs *regs,
		   __u32 nr)
{
	struct stop s;
	char byte;

	tracee_resume(t, PTRACE_CONT, 0);
	tracee_wait_blocked(t);
	if (write(EFFECT_FD, "!", 1) != 1)
		case_die("writing to the pipe failed");
	s = tracee_to(t, WAIT_ONLY, 0, END);
	regs->regs[7] = nr;
	arm32_finished(&s, code, regs, 1);
	/* What poll() has left there. */
	if (effect_count() && read(EFFECT_READ_FD, &byte, 1) != 1)
		case_die("reading from the pipe failed");
}

/* A case: @check of each row with one task. */
static void each_row(void (*check)(struct tracee *t, const struct row *r))
{
	struct tracee t;

	effect_pipe();
	t = arm32_start(SYSGOOD);
	for (unsigned int i = 0; i < ARRAY_SIZE(rows); i++)
		check(&t, &rows[i]);
	tracee_end(&t);
}

static void check_without_signal(struct tracee *t, const struct row *r)
{
	const struct arm32_blocking *b = r->call;
	struct user_pt_regs regs;
	struct stop s;

	interrupted(t, r, 0, &regs);
	s = tracee_to(t, PTRACE_SYSCALL, 0, "signal SIGUSR1 SI_USER pc=svc x0=arg0");
	check_at(&s, "r7 at the signal-delivery-stop", b->nr, s.regs.regs[7]);
	check_nr_at(&s, "NT_ARM_SYSTEM_CALL at the signal-delivery-stop", -1);
	s = stop_is(t, PTRACE_SYSCALL, 0, "entry %s pc=%s x0=arg0", b->restart, r->after);
	check_at(&s, "r7 at the second entry stop", b->restart_nr, s.regs.regs[7]);
	finish(t, r->code, &regs, b->restart_nr);
}

TEST(arm32_restart_without_the_signal_shows_argument_0_and_the_number_in_r7)
{
	PINS("A04 R01 R03");
	each_row(check_without_signal);
}

/* SA_RESTART is for read; poll with a handler is always EINTR. */
static void with_handler(struct tracee *t, const struct row *r, __u32 sa_flags)
{
	const struct arm32_blocking *b = r->call;
	const bool again = sa_flags & SA_RESTART && b->nr == ARM_NR_read;
	struct user_pt_regs regs;
	struct stop s;

	interrupted(t, r, sa_flags, &regs);
	tracee_to(t, PTRACE_SYSCALL, 0, "signal SIGUSR1 SI_USER pc=svc x0=arg0");
	s = tracee_to(t, PTRACE_SYSCALL, SIGUSR1, "signal SIGTRAP TRAP_BRKPT pc=handler x0=10");
	check_at(&s, "the frame's PC", again ? r->code->svc : r->code->after,
		 arm32_peek(t, (__u32)s.regs.sp + UC_PC));
	check_at(&s, "the frame's r0", again ? b->args[0] : (__u32)-EINTR,
		 arm32_peek(t, (__u32)s.regs.sp + UC_R0));
	check_at(&s, "the frame's r7", b->nr, arm32_peek(t, (__u32)s.regs.sp + UC_R7));
	s.regs.pc += r->code->thumb ? 2 : 4;	/* bkpt */
	tracee_set_regs(t, &s.regs);
	tracee_to(t, PTRACE_SYSCALL, 0, "entry arm:sigreturn");
	if (again) {
		tracee_to(t, PTRACE_SYSCALL, 0, "exit -1 pc=svc x0=arg0");
		stop_is(t, PTRACE_SYSCALL, 0, "entry %s pc=%s x0=arg0", b->call, r->after);
		finish(t, r->code, &regs, b->nr);
		return;
	}
	stop_is(t, PTRACE_SYSCALL, 0, "exit -1 pc=%s x0=-EINTR", r->after);
	s = tracee_to(t, PTRACE_CONT, 0, END);
	arm32_finished(&s, r->code, &regs, (__u32)-EINTR);
}

static void check_with_handler(struct tracee *t, const struct row *r)
{
	with_handler(t, r, 0);
}

TEST(arm32_restart_with_a_handler_is_eintr)
{
	PINS("A04 R02");
	each_row(check_with_handler);
}

static void check_with_sa_restart(struct tracee *t, const struct row *r)
{
	with_handler(t, r, SA_RESTART);
}

TEST(arm32_restart_with_sa_restart_restarts_read_and_not_poll)
{
	PINS("A04 R02");
	each_row(check_with_sa_restart);
}

static void check_moved_pc(struct tracee *t, const struct row *r)
{
	struct user_pt_regs regs;
	struct stop s;

	interrupted(t, r, 0, &regs);
	s = tracee_to(t, PTRACE_SYSCALL, 0, "signal SIGUSR1 SI_USER pc=svc x0=arg0");
	s.regs.pc = r->code->after;
	s.regs.regs[0] = 77;
	tracee_set_regs(t, &s.regs);
	s = tracee_to(t, PTRACE_CONT, 0, END);
	arm32_finished(&s, r->code, &regs, 77);
}

TEST(arm32_restart_a_moved_pc_cancels_it)
{
	PINS("A04 R06");
	each_row(check_moved_pc);
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
	effect_pipe();
	t = arm32_start(SYSGOOD);
	interrupted(&t, &rows[0], 0, &regs);
	tracee_get_regs(&t, &regs);
	regs.regs[15] = 1000;
	tracee_set_regs(&t, &regs);
	tracee_to(&t, PTRACE_SYSCALL, 0, "signal SIGUSR1 SI_USER pc=svc x0=1000");
	tracee_to(&t, PTRACE_SYSCALL, 0, "entry arm:read pc=svc+4 x0=1000");
	s = tracee_to(&t, PTRACE_SYSCALL, 0, "exit arm:read pc=svc+4 x0=-EBADF");
	check_eq("r7 at exit", ARM_NR_read, s.regs.regs[7]);
	tracee_end(&t);
}

/* The code that is interrupted and the handler's, which sigreturn's follows. */
static const struct sigreturn {
	const char *what;
	const struct arm32_code *code, *handler;
	__u32 sa_flags;
	const char *call, *after;
} sigreturns[] = {
	{ "ARM handler", &arm32_arm, &arm32_arm, 0, "entry arm:sigreturn", "svc+4" },
	{ "Thumb handler", &arm32_arm, &arm32_thumb, SA_SIGINFO, "entry arm:rt_sigreturn",
	  "svc+4" },
	{ "ARM handler", &arm32_thumb, &arm32_arm, SA_SIGINFO, "entry arm:rt_sigreturn",
	  "svc+2" },
	{ "Thumb handler", &arm32_thumb, &arm32_thumb, 0, "entry arm:sigreturn", "svc+2" },
};

/* At the exit of an ordinary call a signal is pending; its handler changes r12 of the frame. */
static void check_sigreturn(struct tracee *t, const struct sigreturn *r)
{
	struct user_pt_regs regs;
	struct stop s;
	__u32 frame;

	arm32_about(t, r->code, "%s", r->what);
	arm32_handler(t, r->handler, SIGUSR1, r->sa_flags);
	arm32_call(t, r->code, &regs, ARM_NR_dup, 1, 1000);
	tracee_to(t, PTRACE_SYSCALL, 0, "entry arm:dup");
	tracee_to(t, PTRACE_SYSCALL, 0, "exit arm:dup");
	kill(t->pid, SIGUSR1);
	s = stop_is(t, PTRACE_SYSCALL, 0, "signal SIGUSR1 SI_USER pc=%s x0=-EBADF", r->after);
	check_at(&s, "r12 at the signal-delivery-stop", arm32_pattern(12), s.regs.regs[12]);
	s = tracee_to(t, PTRACE_SYSCALL, SIGUSR1, "signal SIGTRAP TRAP_BRKPT pc=handler x0=10");
	frame = (__u32)s.regs.sp + (r->sa_flags & SA_SIGINFO ? RT_UC : 0);
	check_at(&s, "the frame's PC", r->code->after, arm32_peek(t, frame + UC_PC));
	check_at(&s, "the frame's r0", (__u32)-EBADF, arm32_peek(t, frame + UC_R0));
	arm32_poke(t, frame + UC_R12, 0xfffffe00);
	s.regs.pc += r->handler->thumb ? 2 : 4;
	tracee_set_regs(t, &s.regs);
	s = tracee_to(t, PTRACE_SYSCALL, 0, r->call);
	check_at(&s, "r12 at sigreturn's entry", 0, s.regs.regs[12]);
	s = stop_is(t, PTRACE_SYSCALL, 0, "exit -1 pc=%s x0=-EBADF", r->after);
	check_at(&s, "r12 at sigreturn's exit", 1, s.regs.regs[12]);
	s = tracee_to(t, PTRACE_CONT, 0, END);
	regs.regs[12] = 0xfffffe00;
	arm32_finished(&s, r->code, &regs, (__u32)-EBADF);
}

TEST(arm32_sigreturn_restores_the_frame_and_its_exit_has_no_number)
{
	struct tracee t;

	PINS("A04 P08");
	t = arm32_start(SYSGOOD);
	for (unsigned int i = 0; i < ARRAY_SIZE(sigreturns); i++)
		check_sigreturn(&t, &sigreturns[i]);
	tracee_end(&t);
}
