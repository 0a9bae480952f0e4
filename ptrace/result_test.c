// SPDX-License-Identifier: GPL-2.0
/*
 * What a tracer writes at an exit stop: x0 is the result, whatever it is, and the
 * number is no longer of use (P15). A restart code among the results counts only with
 * a signal pending, and then as the kernel's own: arch/arm64/kernel/signal.c
 * arch_do_signal_or_restart() decides.
 */
#include <asm/unistd.h>
#include <errno.h>

#include "case.h"
#include "caught.h"
#include "effect.h"
#include "tracee.h"

#define SYSGOOD	PTRACE_O_TRACESYSGOOD

static void set_x0(struct tracee *t, struct stop *s, __u64 x0)
{
	s->regs.regs[0] = x0;
	tracee_set_regs(t, &s->regs);
}

FIXTURE(exit_x0) {
};

/* A call that succeeds and one that fails: x0 written is all that counts. */
FIXTURE_VARIANT(exit_x0) {
	__u64 nr, arg0;
	const char *entry, *exit;
};

FIXTURE_VARIANT_ADD(exit_x0, of_success) {
	.nr = __NR_getppid, .entry = "entry getppid", .exit = "exit getppid pc=svc+4 x0=tracer",
};

FIXTURE_VARIANT_ADD(exit_x0, of_error) {
	.nr = __NR_dup, .arg0 = 1000, .entry = "entry dup", .exit = "exit dup pc=svc+4 x0=-EBADF",
};

FIXTURE_SETUP(exit_x0)
{
}

FIXTURE_TEARDOWN(exit_x0)
{
}

static void write_results(const __u64 *results, unsigned int n, __u64 nr, __u64 arg0,
			  const char *entry, const char *exit)
{
	struct svc_script *sc = svc_script_new(n);
	struct tracee t;
	struct stop s;

	for (unsigned int i = 0; i < n; i++)
		svc_fill(&sc->f[i], nr, 1, arg0);
	t = tracee_start(svc_script_run, sc, SYSGOOD);
	for (unsigned int i = 0; i < n; i++) {
		tracee_to(&t, PTRACE_SYSCALL, 0, entry);
		s = tracee_to(&t, PTRACE_SYSCALL, 0, exit);
		set_x0(&t, &s, results[i]);
	}
	tracee_to(&t, PTRACE_SYSCALL, 0, "entry exit_group");
	tracee_end(&t);
	for (unsigned int i = 0; i < n; i++)
		check_frame(&sc->f[i], results[i]);
}

TEST_F(exit_x0, written_is_what_the_task_gets)
{
	static const __u64 results[] = {
		0, 4711, 0x7fffffff, 0x80000000, 0xffffffff, 1ull << 63, ~0ull, (__u64)-4096,
	};

	PINS("P15");
	write_results(results, ARRAY_SIZE(results), variant->nr, variant->arg0, variant->entry,
		      variant->exit);
}

/* No signal is pending: nothing looks at what the result says. */
TEST_F(exit_x0, restart_code_written_is_what_the_task_gets)
{
	static const __u64 results[] = {
		(__u64)-512, (__u64)-513, (__u64)-514, (__u64)-515, (__u64)-516, (__u64)-EINTR,
	};

	PINS("P15");
	write_results(results, ARRAY_SIZE(results), variant->nr, variant->arg0, variant->entry,
		      variant->exit);
}

FIXTURE(exit_code) {
};

/* A restart code written at the exit stop, a signal with a handler that follows. */
FIXTURE_VARIANT(exit_code) {
	int code;
	int flags;		/* of the handler */
	const char *delivered;	/* the stop of the signal: the kernel is ready to restart */
	const char *after;	/* the next stop after the handler */
	__u64 writes;
};

#define AGAIN		"entry write pc=svc+4 x0=200"
#define NOT_AGAIN	"entry exit_group"
#define READY		"signal SIGUSR1 SI_KERNEL pc=svc x0=200"

FIXTURE_VARIANT_ADD(exit_code, erestartsys) {
	.code = 512, .delivered = READY, .after = NOT_AGAIN, .writes = 1,
};

FIXTURE_VARIANT_ADD(exit_code, erestartsys_sa_restart) {
	.code = 512, .flags = SA_RESTART, .delivered = READY, .after = AGAIN, .writes = 2,
};

FIXTURE_VARIANT_ADD(exit_code, erestartnointr) {
	.code = 513, .delivered = READY, .after = AGAIN, .writes = 2,
};

FIXTURE_VARIANT_ADD(exit_code, erestartnohand_sa_restart) {
	.code = 514, .flags = SA_RESTART, .delivered = READY, .after = NOT_AGAIN, .writes = 1,
};

FIXTURE_VARIANT_ADD(exit_code, erestart_restartblock_sa_restart) {
	.code = 516, .flags = SA_RESTART, .delivered = READY, .after = NOT_AGAIN, .writes = 1,
};

/* ENOIOCTLCMD stands between them and is none. */
FIXTURE_VARIANT_ADD(exit_code, no_restart_code_sa_restart) {
	.code = 515, .flags = SA_RESTART, .after = NOT_AGAIN, .writes = 1,
	.delivered = "signal SIGUSR1 SI_KERNEL pc=svc+4 x0=-515",
};

FIXTURE_SETUP(exit_code)
{
}

FIXTURE_TEARDOWN(exit_code)
{
}

/* Return: the tracee at the exit stop of its write(), x0 made -@code. */
static struct tracee code_written(struct svc_script **sc, int code, int flags)
{
	struct tracee t;
	struct stop s;

	effect_pipe();
	catch_signal(SIGUSR1, flags, NULL);
	*sc = svc_script_new(1);
	effect_call(&(*sc)->f[0]);
	tracee_first(&t, *sc, SYSGOOD, PTRACE_SYSCALL, "entry write pc=svc+4 x0=200");
	s = tracee_to(&t, PTRACE_SYSCALL, 0, "exit write pc=svc+4 x0=1");
	set_x0(&t, &s, U64(-code));
	return t;
}

TEST_F(exit_code, written_before_a_handler_is_as_the_kernels_own)
{
	const bool again = variant->writes == 2;
	struct svc_script *sc;
	struct tracee t;

	PINS("P15");
	t = code_written(&sc, variant->code, variant->flags);
	tracee_to(&t, PTRACE_SYSCALL, SIGUSR1, variant->delivered);
	tracee_to(&t, PTRACE_SYSCALL, SIGUSR1, "entry rt_sigreturn");
	tracee_to(&t, PTRACE_SYSCALL, 0, "exit -1");
	tracee_to(&t, PTRACE_SYSCALL, 0, variant->after);
	if (again) {
		tracee_to(&t, PTRACE_SYSCALL, 0, "exit write pc=svc+4 x0=1");
		tracee_to(&t, PTRACE_SYSCALL, 0, "entry exit_group");
	}
	tracee_end(&t);
	check_eq("bytes written", variant->writes, effect_count());
	check_frame(&sc->f[0], again ? 1 : variant->code == 515 ? U64(-515) : U64(-EINTR));
}

/* in_syscall() is asked of the number: without one nothing is restarted. */
TEST(number_minus_1_written_at_exit_keeps_a_restart_code_from_restarting)
{
	struct svc_script *sc;
	struct tracee t;

	PINS("P15");
	t = code_written(&sc, 513, SA_RESTART);
	tracee_set_nr(&t, -1);
	tracee_to(&t, PTRACE_SYSCALL, SIGUSR1,
		  "signal SIGUSR1 SI_KERNEL pc=svc+4 x0=-ERESTARTNOINTR");
	tracee_to(&t, PTRACE_SYSCALL, SIGUSR1, "entry rt_sigreturn");
	tracee_to(&t, PTRACE_SYSCALL, 0, "exit -1 pc=svc+4 x0=-ERESTARTNOINTR");
	tracee_to(&t, PTRACE_SYSCALL, 0, "entry exit_group");
	tracee_end(&t);
	check_eq("bytes written", 1, effect_count());
	check_frame(&sc->f[0], U64(-513));
}

TEST(number_written_at_exit_changes_nothing)
{
	static const int numbers[] = { __NR_write, __NR_exit_group, -1, -2, 0, 100000 };
	struct svc_script *sc;
	struct tracee t;

	PINS("P15");
	effect_pipe();
	sc = svc_script_new(ARRAY_SIZE(numbers));
	for (unsigned int i = 0; i < sc->n; i++) {
		effect_call(&sc->f[i]);
		sc->f[i].x[8] = __NR_getppid;
	}
	t = tracee_start(svc_script_run, sc, SYSGOOD);
	for (unsigned int i = 0; i < sc->n; i++) {
		tracee_to(&t, PTRACE_SYSCALL, 0, "entry getppid pc=svc+4 x0=200");
		tracee_to(&t, PTRACE_SYSCALL, 0, "exit getppid pc=svc+4 x0=tracer");
		tracee_set_nr(&t, numbers[i]);
		check_nr("NT_ARM_SYSTEM_CALL as written", numbers[i], tracee_get_nr(&t));
	}
	tracee_to(&t, PTRACE_SYSCALL, 0, "entry exit_group");
	tracee_end(&t);
	check_eq("bytes written", 0, effect_count());
	for (unsigned int i = 0; i < sc->n; i++)
		check_frame(&sc->f[i], U64(getpid()));
}

/* At the next svc: the call is made again. */
TEST(pc_written_at_either_stop_is_where_the_task_goes_on)
{
	struct svc_script *sc;
	struct tracee t;
	struct stop s;

	PINS("P15");
	effect_pipe();
	sc = svc_script_new(1);
	effect_call(&sc->f[0]);
	sc->f[0].x[8] = __NR_getppid;
	s = tracee_first(&t, sc, SYSGOOD, PTRACE_SYSCALL, "entry getppid pc=svc+4 x0=200");
	s.regs.pc = U64(svc_insn);
	tracee_set_regs(&t, &s.regs);
	s = tracee_to(&t, PTRACE_SYSCALL, 0, "exit getppid pc=svc x0=tracer");
	/* The second call is another, as x8 says. */
	s.regs.regs[0] = EFFECT_FD;
	s.regs.regs[8] = __NR_write;
	tracee_set_regs(&t, &s.regs);
	tracee_to(&t, PTRACE_SYSCALL, 0, "entry write pc=svc+4 x0=200");
	s = tracee_to(&t, PTRACE_SYSCALL, 0, "exit write pc=svc+4 x0=1");
	s.regs.pc = U64(svc_insn);
	s.regs.regs[0] = EFFECT_FD;
	tracee_set_regs(&t, &s.regs);
	tracee_to(&t, PTRACE_SYSCALL, 0, "entry write pc=svc+4 x0=200");
	tracee_to(&t, PTRACE_SYSCALL, 0, "exit write pc=svc+4 x0=1");
	tracee_to(&t, PTRACE_SYSCALL, 0, "entry exit_group");
	tracee_end(&t);
	check_eq("bytes written", 2, effect_count());
	sc->f[0].x[8] = __NR_write;
	check_frame(&sc->f[0], 1);
}
