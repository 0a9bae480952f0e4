// SPDX-License-Identifier: GPL-2.0
/* Kinds of work on a call's way in and out: see work.h. */
#include <asm/unistd.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <linux/sched.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "audit_switch.h"
#include "check.h"
#include "decode.h"
#include "features.h"
#include "filter.h"
#include "tracee.h"
#include "work.h"

static const char * const events[2] = { "sys_enter", "sys_exit" };

/* The perf events that have the tracepoints on; closed in every child, so that they end here. */
static int event_fds[2] = { -1, -1 };

/**
 * struct kept - what a case, a process of its own, leaves to the program's next one
 * @program: the process that forks the cases; 0: nothing is left
 * @keeper:  the process that keeps the tracepoints on, or 0
 * @ids:     of the tracepoints, once they are known
 */
static struct kept {
	pid_t program, keeper;
	unsigned int ids[2];
} *kept, unshared;

/* SUD's selector, one for each task since they do not share memory. */
static char selector = SYSCALL_DISPATCH_FILTER_ALLOW;
static bool with_sud;

static void in_child(void)
{
	for (unsigned int i = 0; i < 2; i++)
		if (event_fds[i] >= 0)
			close(event_fds[i]);
	if (with_sud && prctl(PR_SET_SYSCALL_USER_DISPATCH, PR_SYS_DISPATCH_EXCLUSIVE_ON, 0, 0,
			      &selector))
		_exit(1);
}

/* In the keeper: holds the events until SIGTERM, or until the program ends. */
static void __noreturn keep_events(void)
{
	struct pollfd program = { .fd = 0, .events = POLLIN };
	int fd = (int)syscall(__NR_pidfd_open, kept->program, 0);
	sigset_t others;

	/* Not of the case's session: what kills that by its process group must not end this. */
	setsid();
	sigfillset(&others);
	sigdelset(&others, SIGTERM);
	sigprocmask(SIG_SETMASK, &others, NULL);
	/* The output's end is waited for elsewhere. */
	if (fd < 0 || dup2(fd, 0) < 0 || dup2(event_fds[0], 1) < 0 || dup2(event_fds[1], 2) < 0)
		_exit(1);
	syscall(__NR_close_range, 3, ~0u, 0);
	poll(&program, 1, -1);
	_exit(0);
}

/* Who closes a tracepoint's last event waits 7 ms or more, until no CPU can be at it. */
static void keep(void)
{
	pid_t pid;

	if (!kept->program || kept->keeper)
		return;
	pid = fork();
	if (pid < 0)
		case_die("fork failed: %s", strerror(errno));
	if (!pid)
		keep_events();
	/* In the parent alone: the keeper shares this. */
	kept->keeper = pid;
}

/* The keeper's end is that of its events. */
static void let_go(void)
{
	struct pollfd keeper = { .fd = -1, .events = POLLIN };

	if (kept->keeper)
		keeper.fd = (int)syscall(__NR_pidfd_open, kept->keeper, 0);
	if (keeper.fd >= 0) {
		kill(kept->keeper, SIGTERM);
		while (poll(&keeper, 1, -1) < 0 && errno == EINTR)
			;
		close(keeper.fd);
	}
	kept->keeper = 0;
}

static void program_ends(void)
{
	if (getpid() == kept->program)
		let_go();
}

static void __attribute__((constructor)) program_begins(void)
{
	kept = mmap(NULL, sizeof(*kept), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (kept == MAP_FAILED)
		kept = &unshared;
	else if (!atexit(program_ends))
		kept->program = getpid();
}

/* Return: 0 or -errno. */
static int read_ids(const char *tracefs)
{
	char path[128];
	FILE *f;
	int n;

	for (unsigned int i = 0; i < 2; i++) {
		snprintf(path, sizeof(path), "%s/events/raw_syscalls/%s/id", tracefs, events[i]);
		f = fopen(path, "r");
		if (!f)
			return -errno;
		n = fscanf(f, "%u", &kept->ids[i]);
		fclose(f);
		if (n != 1)
			return -EINVAL;
	}
	return 0;
}

/* A child with a mount namespace of its own mounts tracefs; nothing of that remains. */
static int read_ids_from_mount(void)
{
	struct {
		int error;
		unsigned int ids[2];
	} *shared = shared_alloc(sizeof(*shared));
	pid_t pid = fork();

	if (pid < 0)
		return -errno;
	if (!pid) {
		if (syscall(__NR_unshare, CLONE_NEWNS) ||
		    mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) ||
		    mount("tracefs", "/sys/kernel", "tracefs", 0, NULL))
			shared->error = -errno;
		else
			shared->error = read_ids("/sys/kernel");
		memcpy(shared->ids, kept->ids, sizeof(kept->ids));
		_exit(0);
	}
	if (waitpid(pid, NULL, 0) != pid)
		return -ECHILD;
	memcpy(kept->ids, shared->ids, sizeof(kept->ids));
	return shared->error;
}

static void need_ids(void)
{
	int error;

	if (kept->ids[1])
		return;
	error = read_ids("/sys/kernel/tracing");
	if (error)
		error = read_ids("/sys/kernel/debug/tracing");
	if (error)
		error = read_ids_from_mount();
	if (error == -EPERM || error == -EACCES)
		case_skip("%s",
			  "the syscall tracepoints' ids are in tracefs: needs CAP_SYS_ADMIN (root), or a tracefs that may be read");
	if (error)
		case_skip("no syscall tracepoints (%s): needs CONFIG_FTRACE_SYSCALLS",
			  strerror(-error));
}

/*
 * A perf event for tracepoint @i of one task, or -errno. Not inherited: contexts that are
 * copies of each other are exchanged at a switch of tasks, and counts have been seen lost.
 */
static int event_open(unsigned int i, pid_t pid)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_TRACEPOINT, .size = sizeof(attr), .config = kept->ids[i],
	};
	long fd = syscall(__NR_perf_event_open, &attr, pid, -1, -1, PERF_FLAG_FD_CLOEXEC);

	return fd < 0 ? -errno : (int)fd;
}

/* Does tracepoint @i show the calls of this task, as its event counts them? */
static bool fires(unsigned int i)
{
	__u64 before, after;

	if (read(event_fds[i], &before, sizeof(before)) != sizeof(before))
		return false;
	svc_call(__NR_getppid, 0);
	return read(event_fds[i], &after, sizeof(after)) == sizeof(after) && after > before;
}

/*
 * One event, of whichever task, has a tracepoint on for all. The kernel patches its code
 * for that. QEMU may translate the old code on one CPU while another writes the new one,
 * and then runs the old until it is written again: try again, but a kernel whose
 * tracepoints never fire is for the case to find.
 */
static void tracepoint_on(unsigned int i)
{
	for (unsigned int tries = 0; tries < 4; tries++) {
		event_fds[i] = event_open(i, 0);
		if (event_fds[i] == -EACCES || event_fds[i] == -EPERM)
			case_skip("perf events are not permitted: needs CAP_PERFMON (root)");
		if (event_fds[i] < 0)
			case_skip("no event raw_syscalls:%s (%s): needs CONFIG_PERF_EVENTS",
				  events[i], strerror(-event_fds[i]));
		if (tries == 3 || fires(i))
			return;
		/* Off for good: nobody else may have it on. */
		close(event_fds[i]);
		let_go();
	}
}

static void tracepoints_on(void)
{
	need_ids();
	for (unsigned int i = 0; i < 2; i++)
		if (event_fds[i] < 0)
			tracepoint_on(i);
	keep();
	tracee_in_child = in_child;
}

void work_begin(unsigned int kinds)
{
	static bool begun;
	const char *reason;

	if (!begun && !(kinds & WORK_TRACEPOINT))
		let_go();
	begun = true;
	if (kinds & WORK_SUD) {
		if (!can_use_sud(&reason))
			case_skip("%s", reason);
		with_sud = true;
		tracee_in_child = in_child;
	}
	if (kinds & WORK_TRACEPOINT)
		tracepoints_on();
	if (kinds & WORK_AUDIT)
		audit_on();
	/* At last, since it judges all that this process does from now on. */
	if (kinds & WORK_SECCOMP)
		filter_answer(WORK_FILTERED_NR, SECCOMP_RET_ERRNO | WORK_FILTERED_ERRNO);
}

void work_end(unsigned int kinds)
{
	for (unsigned int i = 0; kinds & WORK_TRACEPOINT && i < 2; i++) {
		if (event_fds[i] >= 0)
			close(event_fds[i]);
		event_fds[i] = -1;
	}
	if (kinds & WORK_TRACEPOINT)
		let_go();
	if (kinds & WORK_AUDIT)
		audit_off();
}

struct work_count work_count_start(pid_t pid)
{
	struct work_count c;

	for (unsigned int i = 0; i < 2; i++) {
		c.fd[i] = event_open(i, pid);
		if (c.fd[i] < 0)
			case_die("no perf event for the task's raw_syscalls:%s: %s", events[i],
				 strerror(-c.fd[i]));
	}
	return c;
}

void work_count_end(struct work_count *count)
{
	for (unsigned int i = 0; i < 2; i++)
		close(count->fd[i]);
}

void check_work_count(const struct work_count *count, __u64 enter, __u64 exit)
{
	const __u64 expected[2] = { enter, exit };
	char what[48];
	__u64 n;

	for (unsigned int i = 0; i < 2; i++) {
		if (read(count->fd[i], &n, sizeof(n)) != sizeof(n))
			case_die("reading the perf event of raw_syscalls:%s failed: %s", events[i],
				 strerror(errno));
		snprintf(what, sizeof(what), "%s events of the task", events[i]);
		check_eq(what, expected[i], n);
	}
}

const char *work_names(unsigned int kinds)
{
	static const char * const names[] = {
		"ptrace", "step", "seccomp", "audit", "tracepoint", "SUD",
	};
	static char text[64];
	size_t len = 0;

	snprintf(text, sizeof(text), "nothing");
	for (unsigned int i = 0; i < ARRAY_SIZE(names); i++)
		if (kinds & 1u << i)
			len += (size_t)snprintf(text + len, sizeof(text) - len, "%s%s",
						len ? "+" : "", names[i]);
	return text;
}
