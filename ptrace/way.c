// SPDX-License-Identifier: GPL-2.0
/* Where a tracer can change a call: see way.h. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE	/* clone() */
#endif
#include <asm/unistd.h>
#include <sched.h>
#include <stddef.h>
#include <stdio.h>

#include "filter.h"
#include "way.h"

#define OPTIONS		(PTRACE_O_TRACESYSGOOD | PTRACE_O_TRACESECCOMP | PTRACE_O_TRACECLONE)
#define STACK_SIZE	16384

const struct way way_entry = { "entry", PTRACE_SYSCALL, false, false };
const struct way way_seccomp = { "seccomp", PTRACE_CONT, true, false };
const struct way way_thread = { "entry", PTRACE_SYSCALL, false, true };

/* The first thread of a process of which the second is the tracee. */
static struct tracee leader;

static int thread_main(void *script)
{
	svc_script_run(script);
	svc_call(__NR_exit, 1, U64(0));
	return 0;
}

/* libc's clone() makes no other call. The process ends with the case. */
static void leader_body(void *script)
{
	static char stack[STACK_SIZE] __attribute__((aligned(16)));

	clone(thread_main, stack + sizeof(stack),
	      CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SIGHAND | CLONE_THREAD, script);
	for (;;)
		svc_call(__NR_ppoll, 5, U64(0), U64(0), U64(0), U64(0), U64(0));
}

static struct tracee start_thread(struct svc_script *sc)
{
	struct tracee t;
	struct stop s;

	leader = tracee_start(leader_body, sc, OPTIONS);
	s = tracee_to(&leader, PTRACE_CONT, 0, "event clone");
	t = tracee_adopt(&leader, (pid_t)s.msg);
	tracee_to(&t, WAIT_ONLY, 0, "signal SIGSTOP");
	tracee_resume(&leader, PTRACE_CONT, 0);
	return t;
}

/*
 * The case itself has the filter, too, and must be able to write and to exit: only
 * calls with an argument 0 that the script has are stopped.
 */
static void trace_calls(const struct svc_script *sc)
{
	struct sock_filter insns[5 + ARRAY_SIZE(sc->f)] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (__u32)sc->f[0].x[8], 0, (__u8)(sc->n + 1)),
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args[0])),
	};
	unsigned int n = 3;

	need_filters();
	for (unsigned int i = 0; i < sc->n; i++, n++)
		insns[n] = (struct sock_filter)
			BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (__u32)sc->f[i].x[0],
				 (__u8)(sc->n - i), 0);
	insns[n++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
	insns[n++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_TRACE);
	filter_load_raw(insns, n);
}

struct tracee way_start(const struct way *w, struct svc_script *sc)
{
	leader.running = false;
	if (w->filter)
		trace_calls(sc);
	if (w->thread)
		return start_thread(sc);
	return tracee_start(svc_script_run, sc, OPTIONS & ~PTRACE_O_TRACECLONE);
}

struct stop way_to(const struct way *w, struct tracee *t, const char *call)
{
	char expect[128];

	snprintf(expect, sizeof(expect), "%s %s", w->stop, call);
	return tracee_to(t, w->request, 0, expect);
}

struct stop way_first(const struct way *w, struct tracee *t, struct svc_script *sc,
		      const char *call)
{
	*t = way_start(w, sc);
	return way_to(w, t, call);
}

void way_end(struct tracee *t)
{
	tracee_end(t);
	tracee_end(&leader);
}
