// SPDX-License-Identifier: GPL-2.0
/* A tracer that makes system calls for its tracees: see emulator.h. */
#include <asm/unistd.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#include "emulator.h"

#define TASKS	16
#define FILES	32
#define BYTES	4096

/* What an argument is, and so what is to be done with it before and after the call. */
enum arg {
	VALUE,
	FD,		/* a descriptor of the program */
	DIRFD,		/* the same or AT_FDCWD */
	PATH,		/* a string that the call reads */
	IN, OUT,	/* memory that the call reads or writes; its size is the next argument */
	OUT_STAT, OUT_TIME, OUT_NAME, OUT_FDS,	/* ... its size is known */
};

/* The calls that the tracer makes; .fd: the result is a descriptor. */
static const struct call {
	int nr;
	bool fd;
	enum arg args[4];
} calls[] = {
	{ __NR_chdir, false, { PATH } },
	{ __NR_clock_getres, false, { VALUE, OUT_TIME } },
	{ __NR_clock_gettime, false, { VALUE, OUT_TIME } },
	{ __NR_close, false, { FD } },
	{ __NR_dup, true, { FD } },
	{ __NR_fstat, false, { FD, OUT_STAT } },
	{ __NR_ftruncate, false, { FD, VALUE } },
	{ __NR_getcwd, false, { OUT, VALUE } },
	{ __NR_getdents64, false, { FD, OUT, VALUE } },
	{ __NR_getrandom, false, { OUT, VALUE, VALUE } },
	{ __NR_lseek, false, { FD, VALUE, VALUE } },
	{ __NR_mkdirat, false, { DIRFD, PATH, VALUE } },
	{ __NR_newfstatat, false, { DIRFD, PATH, OUT_STAT, VALUE } },
	{ __NR_openat, true, { DIRFD, PATH, VALUE, VALUE } },
	{ __NR_pipe2, false, { OUT_FDS, VALUE } },
	{ __NR_pread64, false, { FD, OUT, VALUE, VALUE } },
	{ __NR_pwrite64, false, { FD, IN, VALUE, VALUE } },
	{ __NR_read, false, { FD, OUT, VALUE } },
	{ __NR_uname, false, { OUT_NAME } },
	{ __NR_unlinkat, false, { DIRFD, PATH, VALUE } },
	{ __NR_write, false, { FD, IN, VALUE } },
};

/* The tracer's descriptor for each of a program's, or -1. */
struct files {
	int fd[FILES];
};

/*
 * What the next syscall stop of a task is. By SYSEMU, a call of its own takes three
 * more stops: the exit stop of the emulated call, which the change of the request
 * brings, then the entry and the exit stop of the call.
 */
enum next {
	NEXT_CALL,	/* the entry stop of a new call */
	NEXT_SKIPPED,	/* the exit stop of a call that did not run */
	NEXT_OWN_ENTRY,
	NEXT_OWN_EXIT,
};

static struct emulator {
	enum emulator_method method;
	unsigned int n;
	struct tracee t[TASKS];
	struct files *files[TASKS];	/* NULL: the creator's event has not been seen yet */
	enum next next[TASKS];
	bool waits[TASKS];		/* new, stopped, and without files */
	int memory[TASKS];		/* /proc/PID/mem, or 0 */
	bool met[ARRAY_SIZE(calls)];
} *e;

/* Opened once for each task; it has an address space of its own from exec on. */
static int memory_of(const struct tracee *t)
{
	int *fd = &e->memory[t - e->t];
	char path[64];

	if (!*fd) {
		snprintf(path, sizeof(path), "/proc/%d/mem", t->pid);
		*fd = open(path, O_RDWR | O_CLOEXEC);
	}
	if (*fd < 0)
		case_die("no access to the task's memory in /proc: %s", strerror(errno));
	return *fd;
}

static void forget_memory(unsigned int i)
{
	if (e->memory[i])
		close(e->memory[i]);
	e->memory[i] = 0;
}

/* Return: how many bytes could be had; a string near the end of its mapping is short. */
static size_t from_task(const struct tracee *t, __u64 addr, void *data, size_t size)
{
	ssize_t n = pread(memory_of(t), data, size, (off_t)addr);

	/* The kernel stops at the first page that is not there. */
	return n < 0 ? 0 : (size_t)n;
}

static bool to_task(const struct tracee *t, __u64 addr, const void *data, size_t size)
{
	return pwrite(memory_of(t), data, size, (off_t)addr) == (ssize_t)size;
}

static long new_fd(struct files *f, int fd)
{
	for (int i = 0; i < FILES; i++) {
		if (f->fd[i] >= 0)
			continue;
		f->fd[i] = fd;
		return i;
	}
	case_die("the program has more than %d files", FILES);
}

static struct files *files_copy(const struct files *from)
{
	struct files *f = shared_alloc(sizeof(*f));

	for (int i = 0; i < FILES; i++)
		f->fd[i] = from->fd[i] < 0 ? -1 : fcntl(from->fd[i], F_DUPFD_CLOEXEC, 3);
	return f;
}

static __u64 host_fd(const struct files *f, __u64 fd)
{
	return fd < FILES ? U64(f->fd[fd]) : ~0ull;
}

static size_t out_size(enum arg arg, __u64 len)
{
	switch (arg) {
	case OUT:
		return len < BYTES ? len : BYTES;
	case OUT_STAT:
		return sizeof(struct stat);
	case OUT_TIME:
		return sizeof(struct timespec);
	case OUT_NAME:
		return sizeof(struct utsname);
	case OUT_FDS:
		return 2 * sizeof(int);
	default:
		return 0;
	}
}

/* The arguments of the tracer's own call. Return: 0 or -errno. */
static long get_args(const struct tracee *t, const struct files *f, const struct call *c,
		     const __u64 *x, __u64 *args, char (*buffer)[BYTES])
{
	for (unsigned int i = 0; i < 4; i++) {
		size_t size = out_size(c->args[i], i < 3 ? x[i + 1] : 0);

		args[i] = x[i];
		switch (c->args[i]) {
		case VALUE:
			break;
		case DIRFD:
			if ((int)x[i] != AT_FDCWD)
				args[i] = host_fd(f, x[i]);
			break;
		case FD:
			args[i] = host_fd(f, x[i]);
			break;
		case PATH:
			size = from_task(t, x[i], buffer[i], BYTES);
			if (!memchr(buffer[i], '\0', size))
				return -EFAULT;
			args[i] = U64(buffer[i]);
			break;
		case IN:
			size = x[i + 1] < BYTES ? x[i + 1] : BYTES;
			if (from_task(t, x[i], buffer[i], size) != size)
				return -EFAULT;
			args[i] = U64(buffer[i]);
			args[++i] = size;
			break;
		default:
			args[i] = U64(buffer[i]);
			if (c->args[i] == OUT)
				args[++i] = size;
		}
	}
	return 0;
}

/* Return: the result for the program. */
static long put_results(const struct tracee *t, struct files *f, const struct call *c,
			const __u64 *x, long result, char (*buffer)[BYTES])
{
	int *fds = (int *)buffer[0];

	if (c->nr == __NR_close)
		f->fd[x[0]] = -1;
	if (c->nr == __NR_pipe2) {
		fds[0] = (int)new_fd(f, fds[0]);
		fds[1] = (int)new_fd(f, fds[1]);
	}
	for (unsigned int i = 0; i < 4; i++) {
		size_t size = out_size(c->args[i], U64(result));

		if (size && !to_task(t, x[i], buffer[i], size))
			return -EFAULT;
	}
	return c->fd ? new_fd(f, (int)result) : result;
}

static long make_call(const struct tracee *t, struct files *f, const struct call *c,
		      const __u64 *x)
{
	static char buffer[4][BYTES];
	__u64 args[4];
	long ret;

	ret = get_args(t, f, c, x, args, buffer);
	if (ret)
		return ret;
	ret = svc_call(U64(c->nr), 4, args[0], args[1], args[2], args[3]);
	return ret < 0 ? ret : put_results(t, f, c, x, ret, buffer);
}

static const struct call *find_call(int nr)
{
	for (unsigned int i = 0; i < ARRAY_SIZE(calls); i++)
		if (calls[i].nr == nr)
			return &calls[i];
	return NULL;
}

static long start_of_call(unsigned int i, struct stop *s)
{
	const struct call *c = find_call(s->nr);

	if (c) {
		e->met[c - calls] = true;
		s->regs.regs[0] = U64(make_call(&e->t[i], e->files[i], c, s->regs.regs));
		tracee_set_regs(&e->t[i], &s->regs);
		if (e->method == BY_SYSEMU)
			return PTRACE_SYSEMU;
		tracee_set_nr(&e->t[i], -1);
		e->next[i] = NEXT_SKIPPED;
		return PTRACE_SYSCALL;
	}
	e->next[i] = NEXT_OWN_EXIT;
	if (e->method == BY_SYSEMU) {
		s->regs.pc -= 4;
		tracee_set_regs(&e->t[i], &s->regs);
		e->next[i] = NEXT_SKIPPED;
	}
	return PTRACE_SYSCALL;
}

static long request_for_a_new_call(unsigned int i)
{
	e->next[i] = NEXT_CALL;
	return e->method == BY_SYSEMU ? PTRACE_SYSEMU : PTRACE_SYSCALL;
}

/* Return: the request that goes on from this syscall stop. */
static long syscall_stop(unsigned int i, struct stop *s)
{
	static const enum stop_kind kinds[] = {
		[NEXT_CALL] = STOP_ENTRY, [NEXT_SKIPPED] = STOP_EXIT,
		[NEXT_OWN_ENTRY] = STOP_ENTRY, [NEXT_OWN_EXIT] = STOP_EXIT,
	};

	if (!check_str("the next syscall stop of an emulated task",
		       stop_kind_name(kinds[e->next[i]]), stop_kind_name(s->kind)))
		case_end();
	switch (e->next[i]) {
	case NEXT_CALL:
		return start_of_call(i, s);
	case NEXT_SKIPPED:
		if (e->method == BY_NUMBER)
			return request_for_a_new_call(i);
		e->next[i] = NEXT_OWN_ENTRY;
		return PTRACE_SYSCALL;
	case NEXT_OWN_ENTRY:
		e->next[i] = NEXT_OWN_EXIT;
		return PTRACE_SYSCALL;
	default:
		return request_for_a_new_call(i);
	}
}

/* A new task has its creator's files, or a copy of them. */
static void inherit(unsigned int creator, const struct stop *s)
{
	__u64 flags = s->regs.regs[0];
	unsigned int i;

	if (s->nr == __NR_clone3)
		from_task(&e->t[creator], flags, &flags, sizeof(flags));
	for (i = 0; i < e->n && e->t[i].pid != (pid_t)s->msg; i++)
		;
	if (i == TASKS)
		case_die("more than %d tasks to emulate", TASKS);
	if (i == e->n)
		e->t[e->n++] = tracee_adopt(&e->t[creator], (pid_t)s->msg);
	e->files[i] = e->files[creator];
	if (!(flags & CLONE_FILES))
		e->files[i] = files_copy(e->files[creator]);
	if (e->waits[i])
		tracee_resume(&e->t[i], request_for_a_new_call(i), 0);
	e->waits[i] = false;
}

static void go_on(unsigned int i, struct stop *s)
{
	switch (s->kind) {
	case STOP_ENTRY:
	case STOP_EXIT:
		tracee_resume(&e->t[i], syscall_stop(i, s), 0);
		break;
	case STOP_EVENT:
		if (s->event == PTRACE_EVENT_EXEC)
			forget_memory(i);
		else
			inherit(i, s);
		tracee_resume(&e->t[i], PTRACE_SYSCALL, 0);
		break;
	case STOP_SIGNAL:
		/* Of a new task, from the kernel. */
		if (s->sig == SIGSTOP && !e->files[i]) {
			e->waits[i] = true;
			break;
		}
		/* A call of its own that has not begun begins anew after the handler. */
		tracee_resume(&e->t[i], request_for_a_new_call(i), s->sig == SIGSTOP ? 0 : s->sig);
		break;
	case STOP_EXITED:
	case STOP_KILLED:
		forget_memory(i);
		break;
	default:
		case_die("expected no such stop of an emulated task, observed '%s'", s->text);
	}
}

static bool any_runs(void)
{
	for (unsigned int i = 0; i < e->n; i++)
		if (e->t[i].running)
			return true;
	return false;
}

struct stop emulate(struct tracee *t, enum emulator_method method, const int fds[3])
{
	struct stop s, last = { 0 };
	char unmet[256] = "";
	size_t len = 0;

	e = shared_alloc(sizeof(*e));
	e->method = method;
	e->t[e->n++] = *t;
	e->t[0].quiet = true;
	e->files[0] = shared_alloc(sizeof(*e->files[0]));
	for (int i = 0; i < FILES; i++)
		e->files[0]->fd[i] = i < 3 ? fds[i] : -1;
	tracee_resume(&e->t[0], request_for_a_new_call(0), 0);
	while (any_runs()) {
		unsigned int i = tracee_any(e->t, &e->n, TASKS, &s);

		go_on(i, &s);
		if (!i)
			last = s;
	}
	t->running = false;
	for (unsigned int i = 0; i < ARRAY_SIZE(calls); i++)
		if (!e->met[i])
			len += (size_t)snprintf(unmet + len, sizeof(unmet) - len, "%s ",
						syscall_name(calls[i].nr));
	check_str("calls that the tracer can make and the program never asked for", "", unmet);
	return last;
}
