// SPDX-License-Identifier: GPL-2.0
/*
 * Stepping into a call that a signal interrupts: the pseudo-step is at the svc
 * when the call is to be restarted, the handler returns to the svc or beyond it as
 * it does unstepped, and the restarted svc is executed by the next step (S06 of
 * the contract). arch_do_signal_or_restart() in arch/arm64/kernel/signal.c moves
 * PC back before any signal is reported, and arms SPSR.SS again at the end.
 */
#include <asm/unistd.h>
#include <errno.h>
#include <linux/sched.h>
#include <poll.h>
#include <time.h>
#include <unistd.h>

#include "case.h"
#include "counted.h"
#include "effect.h"
#include "filter.h"

#define STEP	PTRACE_SINGLESTEP

/* What the calls point to, in memory of the case's tracees. */
struct blocking {
	struct timespec ts;
	struct pollfd pfd;
	char buf[8];
};

FIXTURE(restart) {
	struct blocking *b;
	struct counted_call call;
};

/* Calls that wait for a byte in the pipe, or long enough; by restart code. */
FIXTURE_VARIANT(restart) {
	__u64 nr;
	int restarted_nr;	/* x8 when it is restarted without a handler */
	bool with_sa_restart;	/* restarted if the handler has it, too */
};

FIXTURE_VARIANT_ADD(restart, erestartsys) {
	.nr = __NR_read, .restarted_nr = __NR_read, .with_sa_restart = true,
};

FIXTURE_VARIANT_ADD(restart, erestartnohand) {
	.nr = __NR_ppoll, .restarted_nr = __NR_ppoll,
};

FIXTURE_VARIANT_ADD(restart, erestart_restartblock) {
	.nr = __NR_nanosleep, .restarted_nr = __NR_restart_syscall,
};

FIXTURE_SETUP(restart)
{
	struct blocking *b = shared_alloc(sizeof(*b));

	effect_pipe();
	b->ts.tv_sec = 1000;
	b->pfd = (struct pollfd) { .fd = EFFECT_READ_FD, .events = POLLIN };
	self->b = b;
	self->call = (struct counted_call) { .nr = variant->nr, .nargs = 5 };
	switch (variant->nr) {
	case __NR_read:
		self->call.args[0] = EFFECT_READ_FD;
		self->call.args[1] = U64(b->buf);
		self->call.args[2] = 1;
		break;
	case __NR_ppoll:
		self->call.args[0] = U64(&b->pfd);
		self->call.args[1] = 1;
		break;
	default:
		self->call.args[0] = U64(&b->ts);
	}
}

FIXTURE_TEARDOWN(restart)
{
}

/* A tracee that sleeps in @c after PTRACE_SINGLESTEP on the svc. */
static struct tracee start_blocked(const struct counted_call *c)
{
	struct user_pt_regs regs;
	struct tracee t;

	name_value(c->args[0], "arg0");
	t = counted_start(c, PTRACE_O_TRACESYSGOOD, &regs);
	tracee_to(&t, STEP, 0, "step pc=svc x0=arg0");
	tracee_resume(&t, STEP, 0);
	tracee_wait_blocked(&t);
	return t;
}

/* The signal comes: reported are the pseudo-step and then the signal, both at the svc. */
static struct stop interrupt(struct tracee *t)
{
	struct stop s;

	kill(t->pid, SIGUSR1);
	s = tracee_to(t, WAIT_ONLY, 0, "pseudo-step pc=svc x0=arg0");
	check_eq("x7 at the pseudo-step", svc_pattern(7), s.regs.regs[7]);
	check_eq("x20, which svc+4 counts in", svc_pattern(20), s.regs.regs[20]);
	return tracee_to(t, STEP, 0, "signal SIGUSR1 SI_USER pc=svc x0=arg0");
}

static const struct stop_row through_handler[] = {
	{ STEP, SIGUSR1, "handler pc=handler x0=10" },
	{ STEP, 0, "step pc=handler+4 x0=10" },
	{ STEP, 0, "step pc=handler+8 x0=10" },
};

static const struct stop_row on_with_eintr[] = {
	{ STEP, 0, "pseudo-step pc=svc+4 x0=-EINTR" },
	{ STEP, 0, "step pc=svc+8 x0=-EINTR" },
	{ STEP, 0, "step pc=svc+12 x0=-EINTR" },
};

/* Without the handler the step that follows is the svc, and sleeps in it. */
TEST_F(restart, steps_the_svc_again_and_behind_it_after_a_handler)
{
	struct tracee t = { 0 };
	struct stop s;

	PINS("S06");
	counted_catch(SIGUSR1, 0, NULL);
	t = start_blocked(&self->call);
	for (unsigned int i = 0; i < 2; i++) {
		s = interrupt(&t);
		check_nr("x8 at the signal", i ? variant->restarted_nr : (int)variant->nr,
			 (int)s.regs.regs[8]);
		tracee_resume(&t, STEP, 0);
		tracee_wait_blocked(&t);
	}
	interrupt(&t);
	if (tracee_expect(&t, through_handler, ARRAY_SIZE(through_handler), NULL))
		tracee_expect(&t, on_with_eintr, ARRAY_SIZE(on_with_eintr), NULL);
	tracee_end(&t);
}

TEST_F(restart, with_an_sa_restart_handler_returns_to_the_svc_if_the_code_says_so)
{
	static const struct stop_row back_at_svc[] = {
		{ STEP, 0, "pseudo-step pc=svc x0=arg0" },
		{ STEP, 0, "pseudo-step pc=svc+4 x0=1" },
		{ STEP, 0, "step pc=svc+4 x0=1" },
		{ STEP, 0, "step pc=svc+8 x0=1" },
	};
	struct tracee t;

	PINS("S06");
	counted_catch(SIGUSR1, SA_RESTART, NULL);
	t = start_blocked(&self->call);
	interrupt(&t);
	if (!tracee_expect(&t, through_handler, ARRAY_SIZE(through_handler), NULL))
		case_end();
	if (variant->with_sa_restart) {
		check_eq("bytes written for the call", 1, U64(write(EFFECT_FD, "!", 1)));
		tracee_expect(&t, back_at_svc, ARRAY_SIZE(back_at_svc), NULL);
		check_eq("byte that the restarted call read", '!', U64(self->b->buf[0]));
	} else {
		tracee_expect(&t, on_with_eintr, ARRAY_SIZE(on_with_eintr), NULL);
	}
	tracee_end(&t);
}

/* Stepping into the call, PTRACE_SYSCALL out of it: an entry stop of the restarted one. */
TEST_F(restart, goes_on_with_syscall_at_the_restarted_calls_entry_stop)
{
	struct tracee t;
	struct stop s;

	PINS("S06 S07");
	t = start_blocked(&self->call);
	kill(t.pid, SIGUSR1);
	tracee_to(&t, WAIT_ONLY, 0, "pseudo-step pc=svc x0=arg0");
	tracee_to(&t, PTRACE_SYSCALL, 0, "signal SIGUSR1 SI_USER pc=svc x0=arg0");
	s = tracee_to(&t, PTRACE_SYSCALL, 0, "entry");
	check_nr("number at the entry stop", variant->restarted_nr, s.nr);
	check_eq("x0 at the entry stop", self->call.args[0], s.regs.regs[0]);
	tracee_end(&t);
}

/* The other way round. The exit stop shows the code, PC goes back after it. */
TEST_F(restart, stepped_out_of_the_exit_stop_is_at_the_svc)
{
	struct user_pt_regs regs;
	struct tracee t;

	PINS("S06 S04");
	counted_catch(SIGUSR1, 0, NULL);
	name_value(self->call.args[0], "arg0");
	t = counted_start(&self->call, PTRACE_O_TRACESYSGOOD, &regs);
	tracee_to(&t, PTRACE_SYSCALL, 0, "entry");
	tracee_resume(&t, PTRACE_SYSCALL, 0);
	tracee_wait_blocked(&t);
	kill(t.pid, SIGUSR1);
	tracee_to(&t, WAIT_ONLY, 0, "exit");
	tracee_to(&t, STEP, 0, "signal SIGUSR1 SI_USER pc=svc x0=arg0");
	tracee_resume(&t, STEP, 0);
	tracee_wait_blocked(&t);
	interrupt(&t);
	if (tracee_expect(&t, through_handler, ARRAY_SIZE(through_handler), NULL))
		tracee_expect(&t, on_with_eintr, ARRAY_SIZE(on_with_eintr), NULL);
	tracee_end(&t);
}

/*
 * clone with a signal pending is -ERESTARTNOINTR, always restarted; then its
 * pidfd has no place to go to.
 */
TEST(restart_by_erestartnointr_steps_back_to_the_svc_whatever_the_handler)
{
	static const struct counted_call clone = {
		.nr = __NR_clone, .args = { CLONE_PIDFD | SIGCHLD, 0, 8 }, .nargs = 5,
	};
	static const struct stop_row rows[] = {
		{ STEP, 0, "pseudo-step pc=svc x0=arg0" },
		{ STEP, 0, "signal SIGUSR1 SI_USER pc=svc x0=arg0" },
		{ STEP, SIGUSR1, "handler pc=handler x0=10" },
		{ STEP, 0, "step pc=handler+4 x0=10" },
		{ STEP, 0, "step pc=handler+8 x0=10" },
		{ STEP, 0, "pseudo-step pc=svc x0=arg0" },
		{ STEP, 0, "pseudo-step pc=svc+4 x0=-EFAULT" },
		{ STEP, 0, "step pc=svc+4 x0=-EFAULT" },
		{ STEP, 0, "step pc=svc+8 x0=-EFAULT" },
	};
	struct user_pt_regs regs;
	struct tracee t;

	PINS("S06");
	counted_catch(SIGUSR1, 0, NULL);
	name_value(clone.args[0], "arg0");
	t = counted_start(&clone, PTRACE_O_TRACESYSGOOD, &regs);
	tracee_to(&t, STEP, 0, "step pc=svc x0=arg0");
	tracee_to(&t, PTRACE_SYSCALL, 0, "entry clone pc=svc+4 x0=arg0");
	kill(t.pid, SIGUSR1);
	tracee_expect(&t, rows, ARRAY_SIZE(rows), NULL);
	tracee_end(&t);
}

/* read() of the empty effect_pipe(). */
static struct counted_call read_call(void)
{
	return (struct counted_call) {
		.nr = __NR_read, .args = { EFFECT_READ_FD, U64(shared_alloc(8)), 1 }, .nargs = 3,
	};
}

/* Not read(): the tracer has the filter as well. */
TEST(restarted_call_is_filtered_again_when_stepped)
{
	static const struct stop_row rows[] = {
		{ STEP, 0, "seccomp ppoll pc=svc+4 x0=arg0" },
		{ STEP, 0, "pseudo-step pc=svc+4 x0=1" },
		{ STEP, 0, "step pc=svc+4 x0=1" },
		{ STEP, 0, "step pc=svc+8 x0=1" },
	};
	struct counted_call c = { .nr = __NR_ppoll, .args = { 0, 1 }, .nargs = 5 };
	struct pollfd *pfd = shared_alloc(sizeof(*pfd));
	struct user_pt_regs regs;
	struct tracee t;

	PINS("S06");
	effect_pipe();
	*pfd = (struct pollfd) { .fd = EFFECT_READ_FD, .events = POLLIN };
	c.args[0] = U64(pfd);
	name_value(c.args[0], "arg0");
	filter_answer(__NR_ppoll, SECCOMP_RET_TRACE);
	t = counted_start(&c, PTRACE_O_TRACESECCOMP, &regs);
	tracee_to(&t, STEP, 0, "step pc=svc x0=arg0");
	tracee_to(&t, STEP, 0, "seccomp ppoll pc=svc+4 x0=arg0");
	tracee_resume(&t, STEP, 0);
	tracee_wait_blocked(&t);
	interrupt(&t);
	check_eq("bytes written for the call", 1, U64(write(EFFECT_FD, "!", 1)));
	tracee_expect(&t, rows, ARRAY_SIZE(rows), NULL);
	tracee_end(&t);
}

/* A blocked call that nothing interrupts is one pseudo-step, whenever it ends. */
TEST(call_that_blocks_and_is_not_interrupted_is_one_pseudo_step)
{
	static const struct stop_row rows[] = {
		{ WAIT_ONLY, 0, "pseudo-step pc=svc+4 x0=1" },
		{ STEP, 0, "step pc=svc+4 x0=1" },
		{ STEP, 0, "step pc=svc+8 x0=1" },
	};
	struct counted_call c = read_call();
	struct tracee t;

	PINS("S06");
	effect_pipe();
	t = start_blocked(&c);
	check_eq("bytes written for the call", 1, U64(write(EFFECT_FD, "!", 1)));
	tracee_expect(&t, rows, ARRAY_SIZE(rows), NULL);
	tracee_end(&t);
}

/* Not stepped when it blocked: the restart is the first step. */
TEST(seized_and_interrupted_in_a_call_steps_the_restarted_svc)
{
	static const struct stop_row rows[] = {
		{ STEP, 0, "pseudo-step pc=svc+4 x0=1" },
		{ STEP, 0, "step pc=svc+4 x0=1" },
		{ STEP, 0, "step pc=svc+8 x0=1" },
		{ PTRACE_CONT, 0, "exited 0" },
	};
	struct counted_call c = read_call();
	struct svc_script *sc;
	struct tracee t;
	struct stop s;

	PINS("S06");
	effect_pipe();
	sc = svc_script_new(1);
	svc_fill(&sc->f[0], c.nr, 3, c.args[0], c.args[1], c.args[2]);
	t = tracee_spawn(svc_script_run, sc);
	tracee_wait_blocked(&t);
	tracee_seize(&t, 0);
	tracee_interrupt(&t);
	s = tracee_to(&t, WAIT_ONLY, 0, "event stop");
	check_eq("PC at the stop", U64(svc_insn), s.regs.pc);
	check_eq("x0 at the stop", EFFECT_READ_FD, s.regs.regs[0]);
	check_eq("bytes written for the call", 1, U64(write(EFFECT_FD, "!", 1)));
	tracee_expect(&t, rows, ARRAY_SIZE(rows), NULL);
	check_frame(&sc->f[0], 1);
}
