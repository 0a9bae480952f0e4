// SPDX-License-Identifier: GPL-2.0
/*
 * SIGKILL at each stop of a call: the task dies there, a call that had not begun
 * has no side effect, no filter is asked, and no stop follows but the exit event
 * (P18). include/linux/ptrace.h ptrace_report_syscall() tells syscall_trace_enter()
 * of a fatal signal; kernel/signal.c ptrace_stop() stops nobody who is to die.
 */
#include <asm/unistd.h>
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>

#include "case.h"
#include "effect.h"
#include "filter.h"
#include "gate.h"
#include "tracee.h"

#define SYSGOOD	PTRACE_O_TRACESYSGOOD
#define ROWS	4

FIXTURE(killed) {
};

/* The stops of a write() up to the last one, whether it has written by then, and x0. */
FIXTURE_VARIANT(killed) {
	struct stop_row rows[ROWS];
	size_t n;
	bool filter;
	unsigned int effect;
	__u64 x0;
};

FIXTURE_VARIANT_ADD(killed, at_entry_stop) {
	.effect = 0, .x0 = EFFECT_FD, .n = 1, .rows = {
		{ PTRACE_SYSCALL, 0, "entry write" },
	},
};

FIXTURE_VARIANT_ADD(killed, at_seccomp_stop) {
	.effect = 0, .x0 = EFFECT_FD, .filter = true, .n = 1, .rows = {
		{ PTRACE_CONT, 0, "seccomp write" },
	},
};

FIXTURE_VARIANT_ADD(killed, at_seccomp_stop_after_entry_stop) {
	.effect = 0, .x0 = EFFECT_FD, .filter = true, .n = 2, .rows = {
		{ PTRACE_SYSCALL, 0, "entry write" },
		{ PTRACE_SYSCALL, 0, "seccomp write" },
	},
};

FIXTURE_VARIANT_ADD(killed, at_exit_stop) {
	.effect = 1, .x0 = 1, .n = 2, .rows = {
		{ PTRACE_SYSCALL, 0, "entry write" },
		{ PTRACE_SYSCALL, 0, "exit write" },
	},
};

FIXTURE_VARIANT_ADD(killed, at_pseudo_step) {
	.effect = 1, .x0 = 1, .n = 2, .rows = {
		{ PTRACE_SYSCALL, 0, "entry write" },
		{ PTRACE_SINGLESTEP, 0, "pseudo-step pc=svc+4" },
	},
};

FIXTURE_VARIANT_ADD(killed, at_signal_stop) {
	.effect = 1, .x0 = 1, .n = 3, .rows = {
		{ PTRACE_SYSCALL, 0, "entry write" },
		{ PTRACE_SYSCALL, SIGUSR1, "exit write" },
		{ PTRACE_SYSCALL, 0, "signal SIGUSR1" },
	},
};

FIXTURE_VARIANT_ADD(killed, at_group_stop) {
	.effect = 1, .x0 = 1, .n = 4, .rows = {
		{ PTRACE_SYSCALL, 0, "entry write" },
		{ PTRACE_SYSCALL, SIGSTOP, "exit write" },
		{ PTRACE_SYSCALL, 0, "signal SIGSTOP" },
		{ PTRACE_SYSCALL, SIGSTOP, "group SIGSTOP" },
	},
};

FIXTURE_SETUP(killed)
{
}

FIXTURE_TEARDOWN(killed)
{
}

/* A tracee that is going to write, its effect counted. */
static struct tracee start_writer(unsigned long options)
{
	struct svc_script *sc = svc_script_new(2);

	effect_pipe();
	effect_call(&sc->f[0]);
	return tracee_start(svc_script_run, sc, SYSGOOD | PTRACE_O_TRACESECCOMP | options);
}

/* get_signal() takes the SIGKILL from the queue, so that do_exit() can stop once more. */
TEST_F(killed, task_is_last_seen_at_its_exit_event_outside_a_call)
{
	struct tracee t;
	struct stop s;

	PINS("P18");
	if (variant->filter)
		effect_answer(SECCOMP_RET_TRACE);
	t = start_writer(PTRACE_O_TRACEEXIT);
	if (!tracee_expect(&t, variant->rows, variant->n, NULL))
		case_end();
	kill(t.pid, SIGKILL);
	s = tracee_to(&t, WAIT_ONLY, 0, "event exit");
	check_eq("PTRACE_GETEVENTMSG, the exit status", SIGKILL, s.msg);
	check_nr("NT_ARM_SYSTEM_CALL at the exit event", -1, s.nr);
	check_eq("x0 at the exit event", variant->x0, s.regs.regs[0]);
	check_eq("x7 at the exit event", svc_pattern(7), s.regs.regs[7]);
	check_eq("PC at the exit event", U64(svc_after), s.regs.pc);
	tracee_to(&t, PTRACE_SYSCALL, 0, "killed SIGKILL");
	check_eq("bytes that the call wrote", variant->effect, effect_count());
}

enum way { KILL, TGKILL, PTRACE_KILL_REQUEST, GIVEN, DETACHED };

FIXTURE(way) {
};

/* How SIGKILL comes to the task at its entry stop. */
FIXTURE_VARIANT(way) {
	enum way how;
	long request;
};

FIXTURE_VARIANT_ADD(way, kill) {
	.how = KILL,
};

FIXTURE_VARIANT_ADD(way, tgkill) {
	.how = TGKILL,
};

FIXTURE_VARIANT_ADD(way, ptrace_kill) {
	.how = PTRACE_KILL_REQUEST,
};

FIXTURE_VARIANT_ADD(way, given_with_ptrace_syscall) {
	.how = GIVEN, .request = PTRACE_SYSCALL,
};

FIXTURE_VARIANT_ADD(way, given_with_ptrace_cont) {
	.how = GIVEN, .request = PTRACE_CONT,
};

FIXTURE_VARIANT_ADD(way, given_with_ptrace_singlestep) {
	.how = GIVEN, .request = PTRACE_SINGLESTEP,
};

FIXTURE_VARIANT_ADD(way, given_with_ptrace_sysemu) {
	.how = GIVEN, .request = PTRACE_SYSEMU,
};

FIXTURE_VARIANT_ADD(way, given_with_ptrace_detach) {
	.how = DETACHED,
};

FIXTURE_SETUP(way)
{
}

FIXTURE_TEARDOWN(way)
{
}

static void send_sigkill(struct tracee *t, enum way how, long request)
{
	switch (how) {
	case KILL:
		kill(t->pid, SIGKILL);
		break;
	case TGKILL:
		syscall(SYS_tgkill, t->pid, t->pid, SIGKILL);
		break;
	case PTRACE_KILL_REQUEST:
		check_eq("PTRACE_KILL", 0, U64(tracee_request(t, PTRACE_KILL, 0, NULL)));
		break;
	case GIVEN:
		tracee_resume(t, request, SIGKILL);
		break;
	case DETACHED:
		tracee_detach(t, SIGKILL);
		break;
	}
}

TEST_F(way, of_sigkill_at_the_entry_stop_leaves_the_call_undone)
{
	struct tracee t;

	PINS("P18");
	t = start_writer(0);
	tracee_to(&t, PTRACE_SYSCALL, 0, "entry write");
	send_sigkill(&t, variant->how, variant->request);
	tracee_to(&t, WAIT_ONLY, 0, "killed SIGKILL");
	check_eq("bytes that the call wrote", 0, effect_count());
}

/*
 * Was a filter asked? One that answers RET_USER_NOTIF gives each question a number,
 * the next one (seccomp_next_notify_id()): two calls whose answers the case knows, and
 * between them the call in question. The filter goes by argument 5, since a kernel
 * that asks it after the kill shows it another number.
 */
#define ASKED	0x5ec0a5edull

static int listen_to_filter(void)
{
	struct sock_filter insns[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args[5])),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, ASKED, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_USER_NOTIF),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog prog = { ARRAY_SIZE(insns), insns };
	long fd;

	need_filters();
	prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
	fd = syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_NEW_LISTENER, &prog);
	if (fd < 0)
		case_die("no listener for a filter: %s", strerror(errno));
	return (int)fd;
}

/* A call that the filter asks about; its side effect is counted. */
static void asked_call(struct svc_frame *f)
{
	effect_call(f);
	f->x[5] = ASKED;
}

/* Wait until the filter asks. */
static void wait_for_question(int listener)
{
	struct pollfd p = { .fd = listener, .events = POLLIN };

	if (poll(&p, 1, 20 * 1000) != 1 || !(p.revents & POLLIN))
		case_die("the filter did not ask its listener within 20 s");
}

/* One call of an untraced child, answered with 0. Return: the question's number. */
static __u64 ask_once(int listener)
{
	struct svc_script *sc = svc_script_new(1);
	struct seccomp_notif question = { 0 };
	struct seccomp_notif_resp answer = { 0 };
	struct tracee t;

	asked_call(&sc->f[0]);
	t = tracee_spawn(svc_script_run, sc);
	wait_for_question(listener);
	if (ioctl(listener, SECCOMP_IOCTL_NOTIF_RECV, &question))
		case_die("SECCOMP_IOCTL_NOTIF_RECV failed: %s", strerror(errno));
	answer.id = question.id;
	if (ioctl(listener, SECCOMP_IOCTL_NOTIF_SEND, &answer))
		case_die("SECCOMP_IOCTL_NOTIF_SEND failed: %s", strerror(errno));
	tracee_to(&t, WAIT_ONLY, 0, "exited 0");
	return question.id;
}

FIXTURE(unasked) {
};

FIXTURE_VARIANT(unasked) {
	enum way how;
	long request;
};

FIXTURE_VARIANT_ADD(unasked, kill) {
	.how = KILL,
};

FIXTURE_VARIANT_ADD(unasked, given_with_ptrace_syscall) {
	.how = GIVEN, .request = PTRACE_SYSCALL,
};

FIXTURE_VARIANT_ADD(unasked, given_with_ptrace_detach) {
	.how = DETACHED,
};

FIXTURE_SETUP(unasked)
{
}

FIXTURE_TEARDOWN(unasked)
{
}

TEST_F(unasked, filter_of_a_task_that_sigkill_finds_at_its_entry_stop)
{
	struct svc_script *sc;
	struct tracee t;
	__u64 before;
	int listener;

	PINS("P18");
	effect_pipe();
	listener = listen_to_filter();
	before = ask_once(listener);
	sc = svc_script_new(1);
	asked_call(&sc->f[0]);
	tracee_first(&t, sc, SYSGOOD, PTRACE_SYSCALL, "entry write");
	send_sigkill(&t, variant->how, variant->request);
	tracee_to(&t, WAIT_ONLY, 0, "killed SIGKILL");
	check_eq("times that the filter was asked about the call of the killed task", 0,
		 ask_once(listener) - before - 1);
	check_eq("bytes that the call wrote", 0, effect_count());
}

/* And that a question can be seen that way. */
TEST(sigkill_while_the_listener_of_a_filter_is_asked_leaves_the_call_undone)
{
	struct svc_script *sc;
	struct tracee t;
	__u64 before;
	int listener;

	PINS("P18");
	effect_pipe();
	listener = listen_to_filter();
	before = ask_once(listener);
	sc = svc_script_new(1);
	asked_call(&sc->f[0]);
	tracee_first(&t, sc, SYSGOOD, PTRACE_SYSCALL, "entry write");
	tracee_resume(&t, PTRACE_SYSCALL, 0);
	wait_for_question(listener);
	kill(t.pid, SIGKILL);
	tracee_to(&t, WAIT_ONLY, 0, "killed SIGKILL");
	check_eq("times that the filter was asked about the call of the killed task", 1,
		 ask_once(listener) - before - 1);
	check_eq("bytes that the call wrote", 0, effect_count());
}

/* Inside the call: it ends there, and its exit stop with it. */
TEST(sigkill_while_blocked_in_a_traced_call_ends_it_without_an_exit_stop)
{
	struct svc_script *sc;
	struct tracee t;

	PINS("P18");
	effect_pipe();
	gate_new(0);
	sc = svc_script_new(2);
	gate_call(&sc->f[0], 0);
	effect_call(&sc->f[1]);
	tracee_first(&t, sc, SYSGOOD, PTRACE_SYSCALL, "entry read");
	tracee_resume(&t, PTRACE_SYSCALL, 0);
	tracee_wait_blocked(&t);
	kill(t.pid, SIGKILL);
	tracee_to(&t, WAIT_ONLY, 0, "killed SIGKILL");
	check_eq("bytes that the next call wrote", 0, effect_count());
}
