// SPDX-License-Identifier: GPL-2.0
/* Calls of every outcome under every kind of work: see regwork.h. */
#define _GNU_SOURCE
#include <asm/unistd.h>
#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>

#include "effect.h"
#include "features.h"
#include "filter.h"
#include "regwork.h"

#define ON(way)		(1u << (way))
#define UNSTOPPED	(ON(REGS_UNTRACED) | ON(REGS_FILTERED) | ON(REGS_DISPATCHED))
#define ANY		(UNSTOPPED | ON(REGS_TRACED) | ON(REGS_STEPPED))
#define TRACER_RESULT	4242

enum outcome {
	RETURNS,
	SKIPPED,	/* by number -1 of a tracer, or by a filter */
	EMULATED,	/* PTRACE_SYSEMU */
	RESTARTED,	/* blocks; interrupted by a signal whose handler unblocks it */
};

/* The arguments are filled in where they are known. */
static const struct call {
	const char *when;
	enum outcome outcome;
	__u64 nr;
	__u64 result;
	unsigned int ways;
} calls[] = {
	{ "after a call that moves it to another CPU", RETURNS, __NR_sched_setaffinity, 0, ANY },
	{ "after a call that moves it back", RETURNS, __NR_sched_setaffinity, 0, UNSTOPPED },
	{ "after a call that fails", RETURNS, __NR_dup, (__u64)-EBADF, ANY },
	{ "after call number -1", RETURNS, ~0ull, (__u64)-ENOSYS, UNSTOPPED },
	{ "after a call that the tracer skips", SKIPPED, __NR_getuid, TRACER_RESULT,
	  ON(REGS_TRACED) },
	{ "after a call that a filter skips", SKIPPED, __NR_getuid, (__u64)-E2BIG,
	  ON(REGS_STEPPED) | ON(REGS_FILTERED) },
	{ "after a call that the tracer emulates", EMULATED, __NR_getgid, TRACER_RESULT,
	  ON(REGS_TRACED) },
	{ "after a call that is restarted", RESTARTED, __NR_read, 1, ANY },
};

/* Shared by the task and who looks after it. */
struct script {
	enum regs_way way;
	unsigned int n;
	const struct call *call[ARRAY_SIZE(calls)];
	cpu_set_t away, home;
	__u64 byte;
	char selector;
	struct regs_call regs[ARRAY_SIZE(calls)];
};

/* Nothing of what the task holds in its registers is left of them here. */
static void on_signal(int sig)
{
	(void)sig;
	regs_poison();
	svc_call(__NR_write, 3, U64(EFFECT_FD), U64("!"), U64(1));
}

static void fill_args(struct script *s, const struct call *call, __u64 *x)
{
	switch (call->nr) {
	case __NR_dup:
		x[0] = 1000;
		break;
	case __NR_sched_setaffinity:
		x[0] = 0;
		x[1] = sizeof(cpu_set_t);
		x[2] = U64(call == &calls[0] ? &s->away : &s->home);
		break;
	case __NR_read:
		x[0] = EFFECT_READ_FD;
		x[1] = U64(&s->byte);
		x[2] = 1;
		break;
	}
}

static void fill_calls(struct script *s, const struct reg_class *class)
{
	struct regs_call *c;

	for (unsigned int i = 0; i < ARRAY_SIZE(calls); i++) {
		if (!(calls[i].ways & ON(s->way)))
			continue;
		s->call[s->n] = &calls[i];
		c = &s->regs[s->n++];
		svc_fill(&c->frame, calls[i].nr, 0);
		fill_args(s, &calls[i], c->frame.x);
		c->run = s->way == REGS_STEPPED ? regs_brk_run : svc_run;
		class->fill(c);
	}
}

/* The CPU that the case is pinned to and, if there is one, another. */
static void choose_cpus(struct script *s)
{
	cpu_set_t all;
	int cpu = 0;

	if (sched_getaffinity(0, sizeof(s->home), &s->home))
		case_die("sched_getaffinity failed: %s", strerror(errno));
	memset(&all, 0xff, sizeof(all));
	if (sched_setaffinity(0, sizeof(all), &all) ||
	    sched_getaffinity(0, sizeof(all), &all) ||
	    sched_setaffinity(0, sizeof(s->home), &s->home))
		all = s->home;
	while (cpu < CPU_SETSIZE && (!CPU_ISSET(cpu, &all) || CPU_ISSET(cpu, &s->home)))
		cpu++;
	s->away = s->home;
	if (cpu < CPU_SETSIZE) {
		CPU_ZERO(&s->away);
		CPU_SET(cpu, &s->away);
	}
}

static void run_calls(void *arg)
{
	struct script *s = arg;

	if (s->way == REGS_DISPATCHED)
		svc_call(__NR_prctl, 5, U64(PR_SET_SYSCALL_USER_DISPATCH),
			 U64(PR_SYS_DISPATCH_EXCLUSIVE_ON), U64(0), U64(0), U64(&s->selector));
	for (unsigned int i = 0; i < s->n; i++)
		regs_run(&s->regs[i]);
}

static void interrupt(struct tracee *t)
{
	tracee_wait_blocked(t);
	if (kill(t->pid, SIGUSR1))
		case_die("SIGUSR1 could not be sent: %s", strerror(errno));
}

/* Nobody stops the task; the call that blocks is its last. */
static void let_run(struct script *s)
{
	struct tracee t = tracee_spawn(run_calls, s);

	interrupt(&t);
	tracee_to(&t, WAIT_ONLY, 0, "exited 0");
}

static void shown(const struct reg_class *class, struct tracee *t, const struct stop *s,
		  const struct regs_call *c)
{
	if (class->shown)
		class->shown(t, s, c);
}

/* From a restarted call's entry stop: the signal, its handler's calls, the entry stop again. */
static void restart_traced(struct tracee *t, const struct reg_class *class,
			   const struct regs_call *c)
{
	static const struct stop_row handler[] = {
		{ PTRACE_SYSCALL, SIGUSR1, "entry write" },
		{ PTRACE_SYSCALL, 0, "exit write pc=svc+4 x0=1" },
		{ PTRACE_SYSCALL, 0, "entry rt_sigreturn" },
		{ PTRACE_SYSCALL, 0, "exit -1" },
		{ PTRACE_SYSCALL, 0, "entry read pc=svc+4 x0=201" },
	};
	struct stop s;

	tracee_resume(t, PTRACE_SYSCALL, 0);
	interrupt(t);
	s = tracee_to(t, WAIT_ONLY, 0, "exit read pc=svc+4 x0=-ERESTARTSYS");
	shown(class, t, &s, c);
	s = tracee_to(t, PTRACE_SYSCALL, 0, "signal SIGUSR1 SI_USER");
	shown(class, t, &s, c);
	if (!tracee_expect(t, handler, ARRAY_SIZE(handler), &s))
		case_end();
	shown(class, t, &s, c);
}

/* On two CPUs each stop takes ten times as long in a VM: the tracer goes where the task is. */
static void follow(const struct script *sc, const struct call *call)
{
	if (call == &calls[0] && sched_setaffinity(0, sizeof(sc->away), &sc->away))
		case_die("sched_setaffinity failed: %s", strerror(errno));
}

static void trace(struct script *sc, const struct reg_class *class)
{
	struct tracee t = tracee_start(run_calls, sc, PTRACE_O_TRACESYSGOOD);
	const struct call *call;
	struct regs_call *c;
	char expect[64];
	struct stop s;

	for (unsigned int i = 0; i < sc->n; i++) {
		call = sc->call[i];
		c = &sc->regs[i];
		snprintf(expect, sizeof(expect), "entry %s pc=svc+4", syscall_name((int)call->nr));
		s = tracee_to(&t, call->outcome == EMULATED ? PTRACE_SYSEMU : PTRACE_SYSCALL, 0,
			      expect);
		shown(class, &t, &s, c);
		if (call->outcome == SKIPPED)
			tracee_set_nr(&t, -1);
		if (call->outcome == SKIPPED || call->outcome == EMULATED) {
			s.regs.regs[0] = TRACER_RESULT;
			tracee_set_regs(&t, &s.regs);
		}
		if (call->outcome == RESTARTED)
			restart_traced(&t, class, c);
		s = tracee_to(&t, PTRACE_SYSCALL, 0, "exit");
		follow(sc, call);
		shown(class, &t, &s, c);
	}
	tracee_to(&t, PTRACE_SYSCALL, 0, "entry exit_group");
	tracee_to(&t, PTRACE_CONT, 0, "exited 0");
}

static void single_step(struct script *sc, const struct reg_class *class)
{
	struct tracee t = tracee_start(run_calls, sc, PTRACE_O_TRACESYSGOOD);
	bool restarted;
	struct stop s;

	name_value(U64(regs_brk), "brk");
	name_range(U64(regs_brk_svc), 8, "svc");
	for (unsigned int i = 0; i < sc->n; i++) {
		s = tracee_to(&t, PTRACE_CONT, 0, "signal SIGTRAP TRAP_BRKPT pc=brk");
		s.regs.pc = U64(regs_brk_svc);
		tracee_set_regs(&t, &s.regs);
		tracee_resume(&t, PTRACE_SINGLESTEP, 0);
		restarted = sc->call[i]->outcome == RESTARTED;
		if (restarted)
			interrupt(&t);
		s = tracee_to(&t, WAIT_ONLY, 0,
			      restarted ? "pseudo-step pc=svc" : "pseudo-step pc=svc+4");
		follow(sc, sc->call[i]);
		shown(class, &t, &s, &sc->regs[i]);
		if (restarted) {
			tracee_to(&t, PTRACE_SINGLESTEP, 0, "signal SIGUSR1 SI_USER");
			tracee_to(&t, PTRACE_SINGLESTEP, SIGUSR1, "handler");
			continue;
		}
		s = tracee_to(&t, PTRACE_SINGLESTEP, 0, "step pc=svc+4");
		shown(class, &t, &s, &sc->regs[i]);
	}
	tracee_to(&t, PTRACE_CONT, 0, "exited 0");
}

static void need_way(enum regs_way way)
{
	const char *reason;

	if (way == REGS_DISPATCHED && !can_use_sud(&reason))
		case_skip("%s", reason);
	if (way == REGS_FILTERED || way == REGS_STEPPED)
		filter_answer(__NR_getuid, SECCOMP_RET_ERRNO | E2BIG);
}

void check_class_kept(const struct reg_class *class, enum regs_way way)
{
	struct sigaction sa = { .sa_handler = on_signal, .sa_flags = SA_RESTART };
	struct script *s;

	need_class(class);
	need_way(way);
	sigaction(SIGUSR1, &sa, NULL);
	effect_pipe();
	s = shared_alloc(sizeof(*s));
	s->way = way;
	s->selector = SYSCALL_DISPATCH_FILTER_ALLOW;
	choose_cpus(s);
	fill_calls(s, class);
	if (way == REGS_TRACED)
		trace(s, class);
	else if (way == REGS_STEPPED)
		single_step(s, class);
	else
		let_run(s);
	for (unsigned int i = 0; i < s->n; i++) {
		check_word("result", s->call[i]->when, s->call[i]->result,
			   s->regs[i].frame.x_out[0]);
		check_frame(&s->regs[i].frame, s->call[i]->result);
		class->check(&s->regs[i], s->call[i]->when);
	}
}
