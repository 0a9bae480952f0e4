// SPDX-License-Identifier: GPL-2.0
/*
 * Which call runs: the one whose number a tracer writes (P09), -ENOSYS for
 * numbers beyond the table and below -1 (P13), and of x8 only the lower half
 * counts (P14). arch/arm64/kernel/syscall.c el0_svc_common() and
 * invoke_syscall() decide; the number is read again by syscall_trace_enter(), on
 * the generic path by syscall_enter_from_user_mode_work().
 */
#include <asm/unistd.h>
#include <elf.h>
#include <errno.h>
#include <linux/sched.h>
#include <sys/uio.h>

#include "case.h"
#include "caught.h"
#include "effect.h"
#include "filter.h"
#include "way.h"

#define FD	EFFECT_FD

/* Call @n of @sc is @nr with the arguments of the write() of effect.h, which most calls ignore. */
static void with_effect_args(struct svc_script *sc, unsigned int n, __u64 nr)
{
	effect_call(&sc->f[n]);
	sc->f[n].x[8] = nr;
}

FIXTURE(rewrite) {
};

FIXTURE_VARIANT(rewrite) {
	const struct way *way;
};

FIXTURE_VARIANT_ADD(rewrite, at_entry) {
	.way = &way_entry,
};

FIXTURE_VARIANT_ADD(rewrite, at_seccomp_stop) {
	.way = &way_seccomp,
};

FIXTURE_SETUP(rewrite)
{
	effect_pipe();
}

FIXTURE_TEARDOWN(rewrite)
{
}

TEST_F(rewrite, number_written_is_the_call_that_runs)
{
	struct svc_script *sc;
	struct tracee t;

	PINS("P09");
	sc = svc_script_new(2);
	with_effect_args(sc, 0, __NR_getuid);
	with_effect_args(sc, 1, __NR_getuid);
	way_first(variant->way, &t, sc, "getuid pc=svc+4 x0=200");
	tracee_set_nr(&t, __NR_write);
	tracee_to(&t, PTRACE_SYSCALL, 0, "exit write pc=svc+4 x0=1");
	check_eq("bytes written", 1, effect_count());
	/* The next call is the task's own again. */
	way_to(variant->way, &t, "getuid pc=svc+4 x0=200");
	tracee_to(&t, PTRACE_SYSCALL, 0, "exit getuid pc=svc+4");
	way_end(&t);
	check_eq("bytes written in all", 1, effect_count());
	check_frame(&sc->f[0], 1);
}

TEST_F(rewrite, x8_written_is_only_a_register)
{
	struct svc_script *sc;
	struct tracee t;
	struct stop s;

	PINS("P09");
	sc = svc_script_new(2);
	with_effect_args(sc, 0, __NR_getuid);
	s = way_first(variant->way, &t, sc, "getuid pc=svc+4 x0=200");
	s.regs.regs[8] = __NR_write;
	tracee_set_regs(&t, &s.regs);
	check_nr("NT_ARM_SYSTEM_CALL after x8 was written", __NR_getuid, tracee_get_nr(&t));
	s = tracee_to(&t, PTRACE_SYSCALL, 0, "exit getuid pc=svc+4");
	check_eq("x8 at the exit stop", __NR_write, s.regs.regs[8]);
	tracee_to(&t, PTRACE_SYSCALL, 0, "entry getuid");
	way_end(&t);
	check_eq("bytes written", 0, effect_count());
	sc->f[0].x[8] = __NR_write;
	check_frame(&sc->f[0], U64(geteuid()));
}

TEST_F(rewrite, number_written_wins_over_x8_in_either_order)
{
	struct svc_script *sc;
	struct tracee t;
	struct stop s;

	PINS("P09");
	sc = svc_script_new(3);
	with_effect_args(sc, 0, __NR_getuid);
	with_effect_args(sc, 1, __NR_getuid);
	s = way_first(variant->way, &t, sc, "getuid");
	s.regs.regs[8] = __NR_write;
	tracee_set_regs(&t, &s.regs);
	tracee_set_nr(&t, __NR_getppid);
	tracee_to(&t, PTRACE_SYSCALL, 0, "exit getppid pc=svc+4 x0=tracer");
	s = way_to(variant->way, &t, "getuid");
	tracee_set_nr(&t, __NR_getppid);
	s.regs.regs[8] = __NR_write;
	tracee_set_regs(&t, &s.regs);
	tracee_to(&t, PTRACE_SYSCALL, 0, "exit getppid pc=svc+4 x0=tracer");
	way_to(variant->way, &t, "getuid");
	way_end(&t);
	check_eq("bytes written", 0, effect_count());
	for (unsigned int i = 0; i < 2; i++) {
		sc->f[i].x[8] = __NR_write;
		check_frame(&sc->f[i], U64(getpid()));
	}
}

TEST_F(rewrite, number_written_last_counts)
{
	struct svc_script *sc;
	struct tracee t;

	PINS("P09");
	sc = svc_script_new(2);
	with_effect_args(sc, 0, __NR_getuid);
	way_first(variant->way, &t, sc, "getuid");
	tracee_set_nr(&t, -1);
	tracee_set_nr(&t, __NR_exit_group);
	tracee_set_nr(&t, -1);
	tracee_set_nr(&t, __NR_write);
	check_nr("NT_ARM_SYSTEM_CALL after it was written", __NR_write, tracee_get_nr(&t));
	tracee_to(&t, PTRACE_SYSCALL, 0, "exit write pc=svc+4 x0=1");
	tracee_to(&t, PTRACE_SYSCALL, 0, "entry getuid");
	way_end(&t);
	check_eq("bytes written", 1, effect_count());
	check_frame(&sc->f[0], 1);
}

TEST_F(rewrite, call_that_fails_gives_its_own_error)
{
	struct svc_script *sc;
	struct tracee t;

	PINS("P09 P13");
	sc = svc_script_new(3);
	svc_fill(&sc->f[0], __NR_getuid, 1, U64(1000));
	way_first(variant->way, &t, sc, "getuid pc=svc+4 x0=1000");
	tracee_set_nr(&t, __NR_dup);
	tracee_to(&t, PTRACE_SYSCALL, 0, "exit dup pc=svc+4 x0=-EBADF");
	way_to(variant->way, &t, "getuid pc=svc+4 x0=pattern0");
	tracee_set_nr(&t, 100000);
	tracee_to(&t, PTRACE_SYSCALL, 0, "exit 100000 pc=svc+4 x0=-ENOSYS");
	way_to(variant->way, &t, "getuid");
	way_end(&t);
	check_frame(&sc->f[0], U64(-EBADF));
	check_frame(&sc->f[1], U64(-ENOSYS));
}

TEST_F(rewrite, exit_group_ends_the_task_with_its_argument)
{
	struct svc_script *sc;
	struct tracee t;

	PINS("P09");
	sc = svc_script_new(1);
	svc_fill(&sc->f[0], __NR_getuid, 1, U64(7));
	way_first(variant->way, &t, sc, "getuid pc=svc+4 x0=7");
	tracee_set_nr(&t, __NR_exit_group);
	tracee_to(&t, PTRACE_SYSCALL, 0, "exited 7");
	way_end(&t);
}

/* Parent and child go on with the second call; the child has ended before the parent does. */
TEST_F(rewrite, clone_makes_a_child_that_goes_on_after_the_svc)
{
	struct svc_script *sc;
	struct tracee t;

	PINS("P09");
	sc = svc_script_new(3);
	svc_fill(&sc->f[0], __NR_getuid, 5, U64(CLONE_VFORK), U64(0), U64(0), U64(0), U64(0));
	effect_call(&sc->f[1]);
	svc_fill(&sc->f[2], __NR_getppid, 0);
	way_first(variant->way, &t, sc, "getuid");
	tracee_set_nr(&t, __NR_clone);
	tracee_to(&t, PTRACE_SYSCALL, 0, "exit clone pc=svc+4 x0=pid");
	check_eq("bytes that the child wrote", 1, effect_count());
	check_eq("x0 after the call in the child", 0, sc->f[0].x_out[0]);
	tracee_to(&t, PTRACE_SYSCALL, 0, "entry write");
	tracee_to(&t, PTRACE_SYSCALL, 0, "exit write pc=svc+4 x0=1");
	tracee_to(&t, PTRACE_SYSCALL, 0, "entry getppid");
	way_end(&t);
	check_eq("bytes that both wrote", 2, effect_count());
}

/* Preset for its own -1, x0 is no argument any more: the tracer has to write it. */
TEST_F(rewrite, number_minus_1_of_the_task_made_a_call_runs_it)
{
	struct svc_script *sc;
	struct tracee t;
	struct stop s;

	PINS("P09 P12");
	sc = svc_script_new(3);
	for (unsigned int i = 0; i < 2; i++)
		with_effect_args(sc, i, ~0ull);
	s = way_first(variant->way, &t, sc, "-1 pc=svc+4 x0=-ENOSYS");
	tracee_set_nr(&t, __NR_write);
	s.regs.regs[0] = FD;
	tracee_set_regs(&t, &s.regs);
	tracee_to(&t, PTRACE_SYSCALL, 0, "exit write pc=svc+4 x0=1");
	s = way_to(variant->way, &t, "-1 pc=svc+4 x0=-ENOSYS");
	s.regs.regs[0] = FD;
	tracee_set_regs(&t, &s.regs);
	tracee_set_nr(&t, __NR_write);
	tracee_to(&t, PTRACE_SYSCALL, 0, "exit write pc=svc+4 x0=1");
	tracee_to(&t, PTRACE_SYSCALL, 0, "entry getuid");
	way_end(&t);
	check_eq("bytes written", 2, effect_count());
	check_frame(&sc->f[0], 1);
	check_frame(&sc->f[1], 1);
}

/* The number is the thread's; the first thread sleeps in a call meanwhile. */
TEST(number_written_in_a_thread_is_the_call_that_runs)
{
	struct svc_script *sc;
	struct tracee t;
	struct stop s;

	PINS("P09 P25");
	effect_pipe();
	sc = svc_script_new(3);
	with_effect_args(sc, 0, __NR_getuid);
	svc_fill(&sc->f[2], __NR_getuid, 1, U64(7));
	s = way_first(&way_thread, &t, sc, "getuid pc=svc+4 x0=200");
	s.regs.regs[8] = __NR_getppid;
	tracee_set_regs(&t, &s.regs);
	tracee_set_nr(&t, __NR_write);
	tracee_to(&t, PTRACE_SYSCALL, 0, "exit write pc=svc+4 x0=1");
	check_eq("bytes written", 1, effect_count());
	way_to(&way_thread, &t, "getuid pc=svc+4 x0=pattern0");
	tracee_set_nr(&t, 100000);
	tracee_to(&t, PTRACE_SYSCALL, 0, "exit 100000 pc=svc+4 x0=-ENOSYS");
	way_to(&way_thread, &t, "getuid pc=svc+4 x0=7");
	sc->f[0].x[8] = __NR_getppid;
	check_frame(&sc->f[0], 1);
	check_frame(&sc->f[1], U64(-ENOSYS));
	tracee_set_nr(&t, __NR_exit_group);
	tracee_to(&t, PTRACE_SYSCALL, 0, "exited 7");
	way_end(&t);
}

static struct svc_script *handler_script;
static __u64 *handler_frame;

static void call_in_handler(int sig, siginfo_t *si, void *uc)
{
	(void)sig;
	(void)uc;
	*handler_frame = U64(si);	/* the first thing in the frame */
	svc_run(&handler_script->f[0]);
}

/* What sigreturn needs is the SP of the handler's first instruction. */
TEST(number_of_rt_sigreturn_leaves_the_signal_handler)
{
	struct sigaction sa = { .sa_sigaction = call_in_handler, .sa_flags = SA_SIGINFO };
	struct tracee t;
	struct stop s;

	PINS("P09 P08");
	sigaction(SIGUSR1, &sa, NULL);
	handler_frame = shared_alloc(sizeof(*handler_frame));
	handler_script = svc_script_new(2);
	svc_fill(&handler_script->f[1], __NR_getppid, 0);
	t = tracee_start(svc_script_run, handler_script, PTRACE_O_TRACESYSGOOD);
	/* In place of the signal it has stopped for, its own kill() returning 0. */
	s = tracee_to(&t, PTRACE_SYSCALL, SIGUSR1, "entry getuid pc=svc+4 x0=pattern0");
	s.regs.sp = *handler_frame;
	tracee_set_regs(&t, &s.regs);
	tracee_set_nr(&t, __NR_rt_sigreturn);
	s = tracee_to(&t, PTRACE_SYSCALL, 0, "exit -1 pc=svc+4 x0=0");
	check_eq("x8 that rt_sigreturn restored", __NR_kill, s.regs.regs[8]);
	tracee_to(&t, PTRACE_SYSCALL, 0, "entry getuid");
	tracee_end(&t);
	check_eq("SP after the call in the handler, which never returned", 0,
		 handler_script->f[0].sp_out);
}

/* kernel/seccomp.c __seccomp_filter() skips them all; elsewhere only -1 is a skip. */
TEST(negative_number_written_at_a_seccomp_stop_skips_the_call)
{
	static const int numbers[] = { -1, -2, -4096, -0x7fffffff - 1 };
	struct svc_script *sc;
	struct tracee t;
	struct stop s;
	char exit[64];

	PINS("P09 P13");
	sc = svc_script_new(ARRAY_SIZE(numbers) + 1);
	t = way_start(&way_seccomp, sc);
	for (unsigned int i = 0; i < ARRAY_SIZE(numbers); i++) {
		s = way_to(&way_seccomp, &t, "getuid pc=svc+4 x0=pattern0");
		s.regs.regs[0] = 4711;
		tracee_set_regs(&t, &s.regs);
		tracee_set_nr(&t, numbers[i]);
		snprintf(exit, sizeof(exit), "exit %d pc=svc+4 x0=4711", numbers[i]);
		tracee_to(&t, PTRACE_SYSCALL, 0, exit);
	}
	way_to(&way_seccomp, &t, "getuid");
	way_end(&t);
	for (unsigned int i = 0; i < ARRAY_SIZE(numbers); i++)
		check_frame(&sc->f[i], 4711);
}

/* arch/arm64/kernel/ptrace.c system_call_set(): an int, or nothing at all. */
TEST(number_of_wrong_size_is_einval_and_not_written)
{
	static const struct {
		size_t size;
		long ret;
		int nr;
	} rows[] = {
		{ 0, 0, __NR_getuid }, { 1, -EINVAL, __NR_getuid }, { 2, -EINVAL, __NR_getuid },
		{ 3, -EINVAL, __NR_getuid }, { 5, -EINVAL, __NR_getuid },
		{ 6, -EINVAL, __NR_getuid }, { 8, 0, __NR_getppid },
	};
	int data[2] = { __NR_getppid, -1 };
	struct tracee t;
	struct iovec iov;
	char what[64];

	PINS("P09");
	tracee_first(&t, svc_script_new(1), PTRACE_O_TRACESYSGOOD, PTRACE_SYSCALL,
		     "entry getuid");
	for (unsigned int i = 0; i < ARRAY_SIZE(rows); i++) {
		iov = (struct iovec) { data, rows[i].size };
		snprintf(what, sizeof(what), "writing %zu bytes of NT_ARM_SYSTEM_CALL",
			 rows[i].size);
		check_eq(what, U64(rows[i].ret),
			 U64(tracee_request(&t, PTRACE_SETREGSET, NT_ARM_SYSTEM_CALL, &iov)));
		check_nr("the number after it", rows[i].nr, tracee_get_nr(&t));
	}
	tracee_to(&t, PTRACE_SYSCALL, 0, "exit getppid pc=svc+4 x0=tracer");
	tracee_end(&t);
}
