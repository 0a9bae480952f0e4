// SPDX-License-Identifier: GPL-2.0
/* Stops decoded, and the notation: see decode.h. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>

#include "decode.h"

#define EVENT_SECCOMP	7	/* PTRACE_EVENT_SECCOMP */
#define EVENT_STOP	128	/* PTRACE_EVENT_STOP */
#define SYSGOOD		(SIGTRAP | 0x80)
#define MSG_ENTRY	1	/* PTRACE_EVENTMSG_SYSCALL_ENTRY */
#define MSG_EXIT	2	/* PTRACE_EVENTMSG_SYSCALL_EXIT */
#define CODE_TRACE	2	/* TRAP_TRACE */

struct word {
	int value;
	const char *name;
};

/* @table ends with a word without a name. */
static const char *find(const struct word *table, int value)
{
	while (table->name && table->value != value)
		table++;
	return table->name;
}

/* Sixteen results stay valid, so that one printf can use several. */
static char *scratch(void)
{
	static char buf[16][64];
	static unsigned int next;

	return buf[next++ % 16];
}

static enum stop_kind syscall_stop(unsigned long msg)
{
	if (msg == MSG_ENTRY)
		return STOP_ENTRY;
	return msg == MSG_EXIT ? STOP_EXIT : STOP_BAD;
}

static enum stop_kind decode_sigtrap(const struct stop_raw *raw)
{
	if (raw->si.si_signo != SIGTRAP)
		return STOP_BAD;
	switch (raw->si.si_code) {
	case SIGTRAP:
		/* ptrace_notify(): a syscall stop without TRACESYSGOOD, or a handler */
		return raw->msg == MSG_ENTRY || raw->msg == MSG_EXIT ?
			syscall_stop(raw->msg) : STOP_HANDLER;
	case CODE_TRACE:
		return STOP_STEP;
	case SI_USER:
		return raw->si.si_pid == 0 ? STOP_PSEUDO_STEP : STOP_SIGNAL;
	default:
		return STOP_SIGNAL;
	}
}

enum stop_kind decode_stop(const struct stop_raw *raw)
{
	int event = raw->status >> 16;
	int sig;

	if (WIFEXITED(raw->status))
		return STOP_EXITED;
	if (WIFSIGNALED(raw->status))
		return STOP_KILLED;
	if (!WIFSTOPPED(raw->status))
		return STOP_BAD;

	sig = WSTOPSIG(raw->status);
	if (event == EVENT_STOP)
		return sig == SIGTRAP ? STOP_EVENT : STOP_GROUP;
	if (event)
		return event == EVENT_SECCOMP ? STOP_SECCOMP : STOP_EVENT;
	if (!raw->siginfo)
		return STOP_GROUP;
	if (sig == SYSGOOD)
		return raw->si.si_code == SYSGOOD ? syscall_stop(raw->msg) : STOP_BAD;
	if (sig == SIGTRAP)
		return decode_sigtrap(raw);
	return raw->si.si_signo == sig ? STOP_SIGNAL : STOP_BAD;
}

static const char * const kind_names[] = {
	[STOP_BAD] = "contradictory",
	[STOP_ENTRY] = "entry",
	[STOP_EXIT] = "exit",
	[STOP_SECCOMP] = "seccomp",
	[STOP_EVENT] = "event",
	[STOP_SIGNAL] = "signal",
	[STOP_STEP] = "step",
	[STOP_PSEUDO_STEP] = "pseudo-step",
	[STOP_HANDLER] = "handler",
	[STOP_GROUP] = "group",
	[STOP_EXITED] = "exited",
	[STOP_KILLED] = "killed",
};

const char *stop_kind_name(enum stop_kind kind)
{
	return kind_names[kind];
}

static const struct word signals[] = {
	{ SIGHUP, "SIGHUP" }, { SIGINT, "SIGINT" }, { SIGQUIT, "SIGQUIT" },
	{ SIGILL, "SIGILL" }, { SIGTRAP, "SIGTRAP" }, { SIGABRT, "SIGABRT" },
	{ SIGBUS, "SIGBUS" }, { SIGFPE, "SIGFPE" }, { SIGKILL, "SIGKILL" },
	{ SIGUSR1, "SIGUSR1" }, { SIGSEGV, "SIGSEGV" }, { SIGUSR2, "SIGUSR2" },
	{ SIGPIPE, "SIGPIPE" }, { SIGALRM, "SIGALRM" }, { SIGTERM, "SIGTERM" },
	{ SIGCHLD, "SIGCHLD" }, { SIGCONT, "SIGCONT" }, { SIGSTOP, "SIGSTOP" },
	{ SIGSYS, "SIGSYS" },
	{ 0 }
};

const char *sig_name(int sig)
{
	const char *name = find(signals, sig);
	char *buf;

	if (name)
		return name;
	buf = scratch();
	snprintf(buf, 64, "SIG%d", sig);
	return buf;
}

static const struct word common_codes[] = {
	{ 0, "SI_USER" }, { 0x80, "SI_KERNEL" }, { -1, "SI_QUEUE" }, { -6, "SI_TKILL" },
	{ 0 }
};

static const struct word trap_codes[] = {
	{ 1, "TRAP_BRKPT" }, { 2, "TRAP_TRACE" }, { 4, "TRAP_HWBKPT" }, { 5, "SIGTRAP" },
	{ 0 }
};

static const struct word segv_codes[] = {
	{ 1, "SEGV_MAPERR" }, { 2, "SEGV_ACCERR" }, { 8, "SEGV_MTEAERR" }, { 9, "SEGV_MTESERR" },
	{ 0 }
};

static const struct word ill_codes[] = {
	{ 1, "ILL_ILLOPC" }, { 4, "ILL_ILLTRP" },
	{ 0 }
};

static const struct word sys_codes[] = {
	{ 1, "SYS_SECCOMP" }, { 2, "SYS_USER_DISPATCH" },
	{ 0 }
};

const char *sicode_name(int sig, int code)
{
	const char *name = find(common_codes, code);
	char *buf;

	if (!name && sig == SIGTRAP)
		name = find(trap_codes, code);
	if (!name && sig == SIGSEGV)
		name = find(segv_codes, code);
	if (!name && sig == SIGILL)
		name = find(ill_codes, code);
	if (!name && sig == SIGSYS)
		name = find(sys_codes, code);
	if (name)
		return name;
	buf = scratch();
	snprintf(buf, 64, "%d", code);
	return buf;
}

static const struct word errors[] = {
	{ EPERM, "EPERM" }, { ENOENT, "ENOENT" }, { ESRCH, "ESRCH" }, { EINTR, "EINTR" },
	{ EIO, "EIO" }, { E2BIG, "E2BIG" }, { EBADF, "EBADF" }, { ECHILD, "ECHILD" },
	{ EAGAIN, "EAGAIN" }, { ENOMEM, "ENOMEM" }, { EACCES, "EACCES" }, { EFAULT, "EFAULT" },
	{ EBUSY, "EBUSY" }, { EEXIST, "EEXIST" }, { ENOTDIR, "ENOTDIR" }, { EINVAL, "EINVAL" },
	{ ENOTTY, "ENOTTY" }, { ENOSPC, "ENOSPC" }, { EPIPE, "EPIPE" }, { ERANGE, "ERANGE" },
	{ ENOSYS, "ENOSYS" }, { ETIMEDOUT, "ETIMEDOUT" }, { EOPNOTSUPP, "EOPNOTSUPP" },
	{ 512, "ERESTARTSYS" }, { 513, "ERESTARTNOINTR" }, { 514, "ERESTARTNOHAND" },
	{ 516, "ERESTART_RESTARTBLOCK" },
	{ 0 }
};

const char *errno_name(int err)
{
	return find(errors, err);
}

/* The calls that the tests make; arm64 numbers are those of asm-generic/unistd.h. */
static const struct word calls[] = {
	{ -1, "-1" }, { 22, "epoll_pwait" }, { 23, "dup" }, { 48, "faccessat" },
	{ 56, "openat" }, { 57, "close" }, { 62, "lseek" }, { 63, "read" }, { 64, "write" },
	{ 73, "ppoll" }, { 93, "exit" }, { 94, "exit_group" }, { 98, "futex" },
	{ 99, "set_robust_list" }, { 101, "nanosleep" }, { 113, "clock_gettime" },
	{ 114, "clock_getres" }, { 115, "clock_nanosleep" }, { 117, "ptrace" },
	{ 122, "sched_setaffinity" }, { 124, "sched_yield" }, { 125, "sched_get_priority_max" },
	{ 128, "restart_syscall" }, { 129, "kill" }, { 131, "tgkill" },
	{ 133, "rt_sigsuspend" }, { 134, "rt_sigaction" }, { 135, "rt_sigprocmask" },
	{ 139, "rt_sigreturn" }, { 165, "getrusage" }, { 166, "umask" }, { 167, "prctl" },
	{ 169, "gettimeofday" }, { 172, "getpid" }, { 173, "getppid" }, { 174, "getuid" },
	{ 176, "getgid" }, { 178, "gettid" }, { 214, "brk" }, { 215, "munmap" },
	{ 220, "clone" }, { 221, "execve" }, { 222, "mmap" }, { 226, "mprotect" },
	{ 260, "wait4" }, { 277, "seccomp" }, { 278, "getrandom" }, { 281, "execveat" },
	{ 293, "rseq" }, { 435, "clone3" },
	{ 0 }
};

const char *syscall_name(long nr)
{
	const char *name = nr == (int)nr ? find(calls, (int)nr) : NULL;
	char *buf;

	if (name)
		return name;
	buf = scratch();
	snprintf(buf, 64, "%ld", nr);
	return buf;
}

/* Of 32-bit tasks: arch/arm64/tools/syscall_32.tbl, sys_compat.c. */
static const struct word arm_calls[] = {
	{ -1, "-1" }, { 0, "arm:restart_syscall" }, { 3, "arm:read" }, { 19, "arm:lseek" },
	{ 41, "arm:dup" }, { 60, "arm:umask" }, { 119, "arm:sigreturn" }, { 168, "arm:poll" },
	{ 173, "arm:rt_sigreturn" }, { 174, "arm:rt_sigaction" }, { 192, "arm:mmap2" },
	{ 199, "arm:getuid" }, { 248, "arm:exit_group" }, { 336, "arm:ppoll" },
	{ 0xf0002, "arm:cacheflush" }, { 0xf0005, "arm:set_tls" },
	{ 0 }
};

const char *arm_syscall_name(long nr)
{
	const char *name = nr == (int)nr ? find(arm_calls, (int)nr) : NULL;
	char *buf;

	if (name)
		return name;
	buf = scratch();
	snprintf(buf, 64, "arm:%ld", nr);
	return buf;
}

static struct named {
	__u64 start, len;
	const char *name;
} named[32];
static unsigned int n_named;

void name_range(__u64 start, __u64 len, const char *name)
{
	for (unsigned int i = 0; i < 32; i++)
		if (named[i].len && !strcmp(named[i].name, name))
			named[i].len = 0;
	named[n_named++ % 32] = (struct named) { start, len, name };
}

void name_value(__u64 value, const char *name)
{
	name_range(value, 1, name);
}

static const struct named *lookup(__u64 value)
{
	unsigned int n = n_named < 32 ? n_named : 32;

	for (unsigned int i = 0; i < n; i++) {
		const struct named *s = &named[(n_named - 1 - i) % 32];

		if (value - s->start < s->len)
			return s;
	}
	return NULL;
}

const char *value_name(__u64 value)
{
	const struct named *s = lookup(value);
	__u64 error = -value;	/* of an error, its number */
	char *buf = scratch();

	if (s && value == s->start)
		return s->name;
	if (s)
		snprintf(buf, 64, "%s+%llu", s->name,
			 (unsigned long long)(value - s->start));
	else if (value < 65536)
		snprintf(buf, 64, "%llu", (unsigned long long)value);
	else if (error < 4096 && errno_name((int)error))
		snprintf(buf, 64, "-%s", errno_name((int)error));
	else if (error < 4096)
		snprintf(buf, 64, "-%llu", (unsigned long long)error);
	else if (value >> 32 == 0 || value >> 48)
		snprintf(buf, 64, "0x%llx", (unsigned long long)value);
	else
		snprintf(buf, 64, "addr");
	return buf;
}
