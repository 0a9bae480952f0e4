// SPDX-License-Identifier: GPL-2.0
/*
 * Threads, of which one is traced or both: a stop of one does not stop the other,
 * what one is resumed with does not count for the other, and what is meant for the
 * process, SIGKILL, a group stop, exec, reaches both (P25, P21, P18). kernel/ptrace.c
 * ptrace_resume(), kernel/signal.c complete_signal() and do_signal_stop(),
 * fs/exec.c de_thread() decide.
 */
#include <asm/unistd.h>
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/syscall.h>

#include "case.h"
#include "effect.h"
#include "gate.h"
#include "program.h"
#include "tracee.h"

#define SYSGOOD		PTRACE_O_TRACESYSGOOD
#define READY_GATE	2
#define LEADER		0
#define SECOND		1

/*
 * A process of two threads, the leader and the second. Each waits at the gate of its
 * number and then makes the calls of its script.
 */
struct pair {
	struct svc_script *script[2];
	pid_t tid[2];
};

static struct pair *pair;

static void thread_run(unsigned int n)
{
	pair->tid[n] = (pid_t)syscall(SYS_gettid);
	gate_open(READY_GATE);
	svc_script_run(pair->script[n]);
}

static void *second_run(void *unused)
{
	thread_run(SECOND);
	/* Not pthread_exit(), whose calls would be stops. */
	for (;;)
		svc_call(__NR_exit, 1, U64(0));
	return unused;
}

static void pair_run(void *unused)
{
	pthread_t second;

	(void)unused;
	if (pthread_create(&second, NULL, second_run, NULL))
		svc_exit(98);
	thread_run(LEADER);
}

/* Both scripts, of @n calls, the first being the gate. */
static void new_pair(unsigned int n)
{
	pair = shared_alloc(sizeof(*pair));
	effect_pipe();
	gate_new(READY_GATE);
	for (unsigned int i = 0; i < 2; i++) {
		gate_new(i);
		pair->script[i] = svc_script_new(n);
		gate_call(&pair->script[i]->f[0], i);
	}
}

/* Start the process. @t: set to its threads, untraced, each asleep at its gate. */
static void start_pair(struct tracee t[2])
{
	t[LEADER] = tracee_spawn(pair_run, NULL);
	gate_wait(READY_GATE);
	gate_wait(READY_GATE);
	t[SECOND] = t[LEADER];
	t[SECOND].pid = pair->tid[SECOND];
	for (unsigned int i = 0; i < 2; i++)
		tracee_wait_blocked(&t[i]);
}

/* Seize thread @t, let it through gate @n, up to the entry stop of its next call. */
static void seize_to(struct tracee *t, unsigned int n, unsigned long options, const char *entry)
{
	static const struct stop_row rows[] = {
		{ PTRACE_SYSCALL, 0, "entry read pc=svc+4" },
		{ PTRACE_SYSCALL, 0, "exit read pc=svc+4 x0=1" },
	};

	tracee_seize(t, SYSGOOD | options);
	tracee_interrupt(t);
	tracee_to(t, WAIT_ONLY, 0, "event stop");
	gate_open(n);
	if (!tracee_expect(t, rows, ARRAY_SIZE(rows), NULL))
		case_end();
	tracee_to(t, PTRACE_SYSCALL, 0, entry);
}

/* The leader's end is not told before that of a second thread that is traced. */
static void end_pair(struct tracee t[2], bool second_traced)
{
	kill(t[LEADER].pid, SIGKILL);
	if (second_traced)
		tracee_end(&t[SECOND]);
	tracee_end(&t[LEADER]);
}

FIXTURE(one) {
};

FIXTURE_VARIANT(one) {
	unsigned int traced;
};

FIXTURE_VARIANT_ADD(one, leader) {
	.traced = LEADER,
};

FIXTURE_VARIANT_ADD(one, second) {
	.traced = SECOND,
};

FIXTURE_SETUP(one)
{
}

FIXTURE_TEARDOWN(one)
{
}

/* The other goes through its gate, writes, and tells, while the traced one stands still. */
TEST_F(one, thread_at_its_entry_stop_does_not_stop_the_other)
{
	const unsigned int other = !variant->traced;
	struct tracee t[2];

	PINS("P25");
	new_pair(4);
	effect_call(&pair->script[other]->f[1]);
	gate_call(&pair->script[other]->f[3], other);
	start_pair(t);
	seize_to(&t[variant->traced], variant->traced, 0, "entry getuid");
	check_eq("bytes that the other thread wrote before its gate opens", 0, effect_count());
	gate_open(other);
	effect_wait();
	tracee_wait_blocked(&t[other]);
	check_eq("bytes that the other thread wrote", 1, effect_count());
	check_nr("NT_ARM_SYSTEM_CALL of the traced thread", __NR_getuid,
		 tracee_get_nr(&t[variant->traced]));
	tracee_to(&t[variant->traced], PTRACE_SYSCALL, 0, "exit getuid");
	tracee_to(&t[variant->traced], PTRACE_SYSCALL, 0, "entry getuid");
	end_pair(t, variant->traced == SECOND);
}

/*
 * Both traced: each has its own entry and exit, in whatever order they are resumed. On all
 * CPUs, unlike the rest of this program, so that both threads can run at once.
 */
TEST(two_traced_threads_alternate_each_for_itself)
{
	struct tracee t[2];
	cpu_set_t all;

	PINS("P25");
	memset(&all, 0xff, sizeof(all));
	sched_setaffinity(0, sizeof(all), &all);
	new_pair(3);
	for (unsigned int i = 0; i < 2; i++)
		svc_fill(&pair->script[i]->f[2], __NR_getppid, 0);
	start_pair(t);
	seize_to(&t[LEADER], LEADER, 0, "entry getuid");
	seize_to(&t[SECOND], SECOND, 0, "entry getuid");
	tracee_to(&t[SECOND], PTRACE_SYSCALL, 0, "exit getuid");
	tracee_to(&t[SECOND], PTRACE_SYSCALL, 0, "entry getppid");
	tracee_to(&t[LEADER], PTRACE_SYSCALL, 0, "exit getuid");
	tracee_to(&t[SECOND], PTRACE_SYSCALL, 0, "exit getppid");
	tracee_to(&t[LEADER], PTRACE_SYSCALL, 0, "entry getppid");
	tracee_to(&t[LEADER], PTRACE_SYSCALL, 0, "exit getppid");
	end_pair(t, true);
}

/* PTRACE_SYSCALL sets a flag of one thread: one that is continued makes no such stop. */
TEST(thread_continued_makes_no_syscall_stop_while_the_other_makes_its_own)
{
	struct tracee t[2];

	PINS("P25");
	new_pair(4);
	effect_call(&pair->script[SECOND]->f[2]);
	gate_call(&pair->script[SECOND]->f[3], SECOND);
	start_pair(t);
	seize_to(&t[LEADER], LEADER, 0, "entry getuid");
	seize_to(&t[SECOND], SECOND, 0, "entry getuid");
	tracee_resume(&t[SECOND], PTRACE_CONT, 0);
	effect_wait();
	tracee_wait_blocked(&t[SECOND]);
	tracee_to(&t[LEADER], PTRACE_SYSCALL, 0, "exit getuid");
	tracee_to(&t[LEADER], PTRACE_SYSCALL, 0, "entry getuid");
	end_pair(t, true);
}

TEST_F(one, thread_at_its_entry_stop_dies_when_the_other_is_killed)
{
	const unsigned int other = !variant->traced;
	struct tracee t[2];

	PINS("P18 P25");
	new_pair(3);
	effect_call(&pair->script[variant->traced]->f[1]);
	start_pair(t);
	seize_to(&t[variant->traced], variant->traced, 0, "entry write");
	syscall(SYS_tgkill, t[LEADER].pid, t[other].pid, SIGKILL);
	if (variant->traced == SECOND)
		tracee_to(&t[SECOND], WAIT_ONLY, 0, "killed SIGKILL");
	tracee_to(&t[LEADER], WAIT_ONLY, 0, "killed SIGKILL");
	check_eq("bytes that the call wrote", 0, effect_count());
}

/* A group stop takes in a thread when its call is over, not at its entry stop. */
TEST(group_stop_waits_for_the_call_of_a_thread_at_its_entry_stop)
{
	struct tracee t[2];

	PINS("P17 P25");
	new_pair(3);
	effect_call(&pair->script[LEADER]->f[1]);
	start_pair(t);
	seize_to(&t[LEADER], LEADER, 0, "entry write");
	seize_to(&t[SECOND], SECOND, 0, "entry getuid");
	tracee_to(&t[SECOND], PTRACE_SYSCALL, SIGSTOP, "exit getuid");
	tracee_to(&t[SECOND], PTRACE_SYSCALL, 0, "signal SIGSTOP SI_KERNEL pc=svc+4");
	tracee_to(&t[SECOND], PTRACE_SYSCALL, SIGSTOP, "group SIGSTOP");
	check_nr("NT_ARM_SYSTEM_CALL of the leader meanwhile", __NR_write,
		 tracee_get_nr(&t[LEADER]));
	tracee_to(&t[LEADER], PTRACE_SYSCALL, 0, "exit write pc=svc+4 x0=1");
	tracee_to(&t[LEADER], PTRACE_SYSCALL, 0, "group SIGSTOP");
	tracee_to(&t[LEADER], PTRACE_SYSCALL, 0, "entry getuid");
	tracee_to(&t[SECOND], PTRACE_SYSCALL, 0, "entry getuid");
	check_eq("bytes that the call wrote", 1, effect_count());
	end_pair(t, true);
}

FIXTURE(exec_of_second) {
};

/* The leader, at its entry stop or asleep in a call, is gone after it. */
FIXTURE_VARIANT(exec_of_second) {
	bool leader_traced;
};

FIXTURE_VARIANT_ADD(exec_of_second, leader_at_its_entry_stop) {
	.leader_traced = true,
};

FIXTURE_VARIANT_ADD(exec_of_second, leader_blocked_and_untraced) {
	.leader_traced = false,
};

FIXTURE_SETUP(exec_of_second)
{
}

FIXTURE_TEARDOWN(exec_of_second)
{
}

/* The event is the first stop under the new id; its message is the old one. */
TEST_F(exec_of_second, thread_goes_on_under_the_leaders_id)
{
	static const struct stop_row rows[] = {
		{ PTRACE_SYSCALL, 0, "exit execve pc=program x0=0" },
		{ PTRACE_SYSCALL, 0, "entry getuid pc=program+8 x0=0" },
		{ PTRACE_SYSCALL, 0, "exit getuid pc=program+8" },
		{ PTRACE_SYSCALL, 0, "entry exit_group pc=program+20 x0=7" },
		{ PTRACE_SYSCALL, 0, "exited 7" },
	};
	const unsigned long options = PTRACE_O_TRACEEXEC;
	struct tracee t[2];
	struct stop s;

	PINS("P21 P25");
	new_pair(3);
	effect_call(&pair->script[LEADER]->f[1]);
	program_call(&pair->script[SECOND]->f[1]);
	start_pair(t);
	if (variant->leader_traced)
		seize_to(&t[LEADER], LEADER, options, "entry write");
	seize_to(&t[SECOND], SECOND, options, "entry execve pc=svc+4 x0=path");
	tracee_resume(&t[SECOND], PTRACE_SYSCALL, 0);
	t[LEADER].options = t[SECOND].options;
	s = tracee_to(&t[LEADER], WAIT_ONLY, 0, "event exec");
	check_true("PTRACE_GETEVENTMSG at the exec event is the thread's old id",
		   s.msg == U64(t[SECOND].pid));
	check_nr("NT_ARM_SYSTEM_CALL at the exec event", __NR_execve, s.nr);
	check_eq("ptrace of the old id", U64(-ESRCH),
		 U64(tracee_request(&t[SECOND], PTRACE_SYSCALL, 0, NULL)));
	tracee_expect(&t[LEADER], rows, ARRAY_SIZE(rows), NULL);
	check_eq("bytes that the leader wrote", 0, effect_count());
}

/* In the task: makes a second thread after its gate, which makes one call. */
static void late_run(void *unused)
{
	pthread_t second;

	(void)unused;
	svc_run(&pair->script[LEADER]->f[0]);
	if (pthread_create(&second, NULL, second_run, NULL))
		svc_exit(98);
	svc_run(&pair->script[LEADER]->f[1]);
}

/*
 * libc's calls are its own business: the tracer continues up to the event, and only
 * then asks for syscall stops. D6 for threads.
 */
TEST(new_thread_begins_with_a_stop_of_its_own_and_then_an_entry)
{
	struct tracee t[2];
	struct stop s;

	PINS("P21 P25");
	new_pair(2);
	svc_fill(&pair->script[SECOND]->f[0], __NR_getuid, 0);
	t[LEADER] = tracee_spawn(late_run, NULL);
	tracee_wait_blocked(&t[LEADER]);
	tracee_seize(&t[LEADER], SYSGOOD | PTRACE_O_TRACECLONE);
	gate_open(LEADER);
	s = tracee_to(&t[LEADER], WAIT_ONLY, 0, "event clone");
	t[SECOND] = tracee_adopt(&t[LEADER], (pid_t)s.msg);
	s = tracee_to(&t[SECOND], WAIT_ONLY, 0, "event stop");
	check_nr("NT_ARM_SYSTEM_CALL at the thread's first stop", -1, s.nr);
	check_eq("x0 at the thread's first stop", 0, s.regs.regs[0]);
	s = tracee_to(&t[SECOND], PTRACE_SYSCALL, 0, "entry");
	s = tracee_to(&t[LEADER], PTRACE_SYSCALL, 0, "exit");
	check_true("the result is the thread's id", s.regs.regs[0] == U64(t[SECOND].pid));
	end_pair(t, true);
}

/* The exit event of a thread, its end, and the other goes on. */
TEST(thread_that_exits_does_not_disturb_the_other_at_its_entry_stop)
{
	static const struct stop_row rows[] = {
		{ PTRACE_SYSCALL, 0, "exit getuid" },
		{ PTRACE_SYSCALL, 0, "entry exit pc=svc+4 x0=0" },
		{ PTRACE_SYSCALL, 0, "event exit" },
		{ PTRACE_SYSCALL, 0, "exited 0" },
	};
	struct tracee t[2];

	PINS("P21 P25");
	new_pair(2);
	start_pair(t);
	seize_to(&t[LEADER], LEADER, 0, "entry getuid");
	seize_to(&t[SECOND], SECOND, PTRACE_O_TRACEEXIT, "entry getuid");
	tracee_expect(&t[SECOND], rows, ARRAY_SIZE(rows), NULL);
	tracee_to(&t[LEADER], PTRACE_SYSCALL, 0, "exit getuid");
	tracee_to(&t[LEADER], PTRACE_SYSCALL, 0, "entry exit_group");
	tracee_to(&t[LEADER], PTRACE_SYSCALL, 0, "exited 0");
}
