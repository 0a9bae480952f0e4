// SPDX-License-Identifier: GPL-2.0
/*
 * supervise [--timeout S] [--owner PID] -- PROGRAM [ARGUMENT]...
 *
 * Run one test program so that it ends in time and leaves nothing behind. What
 * it prints (stdout and stderr) comes out on stdout, "# " before each line and
 * bytes that are not printable ASCII as \xNN. The exit status is the program's
 * own (128 + N when signal N killed it; its own 124 and 125 become 1), or
 *
 *   124  it was still running after S seconds (0: no limit)
 *   125  supervise was told to end: by SIGTERM, SIGINT or SIGHUP, because PID
 *        or its parent is gone, or because nobody reads its output any more
 *   126  the program cannot be executed        127  it does not exist
 *
 * Two processes do this: the supervisor, and its parent, the guard. Both are
 * child subreapers, so a process that changed its session and lost its parent
 * comes to the supervisor, and when that is killed, to the guard; when the
 * guard is killed, the supervisor gets SIGTERM.
 */
#define _GNU_SOURCE
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { RC_TIMEOUT = 124, RC_TOLD, RC_CANNOT_RUN, RC_NO_PROGRAM };
enum { TICK_MS = 200, GRACE_MS = 100, KILL_MS = 5000 };

static struct {
	long timeout;
	pid_t owner, program;
	int owner_fd, signal_fd;
	int output;		/* what the program prints; -1: read to its end */
	int status;		/* as from waitpid() */
	int reaped;		/* processes other than the program */
	int left;		/* processes that had to be ended after it */
	bool exited, timed_out, over;
	char out[8192];		/* to be written to stdout */
	size_t len;
	bool midline;
	char line[512];		/* what the program prints, the line so far */
	size_t line_len;
	char running[512];	/* the case that has begun and has no result */
} s = { .owner_fd = -1, .output = -1 };

static sigset_t signals;	/* those that are waited for, and SIGCHLD */

static long now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

/* Reap what has ended. Return false when there are no children any more. */
static bool reap(void)
{
	int status;
	pid_t pid;

	while ((pid = waitpid(-1, &status, WNOHANG)) > 0) {
		if (pid == s.program) {
			s.status = status;
			s.exited = true;
		} else {
			s.reaped++;
		}
	}
	return pid == 0;
}

/*
 * SIGKILL for the direct children. Their children then become ours: called
 * until there are none, this reaches every process that the program started.
 */
static void kill_children(void)
{
	char path[300], stat[512];
	const struct dirent *entry;
	DIR *proc = opendir("/proc");

	if (s.program && !s.exited)
		kill(s.program, SIGKILL);
	while (proc && (entry = readdir(proc))) {
		pid_t pid = atoi(entry->d_name);
		const char *end;
		ssize_t n;
		int fd;

		snprintf(path, sizeof(path), "/proc/%s/stat", entry->d_name);
		fd = pid > 0 ? open(path, O_RDONLY | O_CLOEXEC) : -1;
		if (fd < 0)
			continue;
		n = read(fd, stat, sizeof(stat) - 1);
		close(fd);
		stat[n > 0 ? n : 0] = '\0';
		end = strrchr(stat, ')');	/* "PID (NAME) STATE PPID" */
		if (end && strlen(end) > 4 && atoi(end + 4) == getpid())
			kill(pid, SIGKILL);
	}
	if (proc)
		closedir(proc);
}

/* Wait for the end of all children, for @ms at most. */
static bool end_children(long ms, bool kill)
{
	const struct timespec step = { .tv_nsec = 10000000 };
	long end = now_ms() + ms;
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGCHLD);
	while (reap()) {
		if (now_ms() >= end)
			return false;
		if (kill)
			kill_children();
		sigtimedwait(&set, NULL, &step);
	}
	return true;
}

static void __attribute__((noreturn)) end_all(int rc)
{
	end_children(KILL_MS, true);
	_exit(rc);
}

static void put_byte(unsigned char c)
{
	if (!s.midline)
		s.len += sprintf(s.out + s.len, "# ");
	s.midline = c != '\n';
	if (isprint(c) || c == '\t' || c == '\n')
		s.out[s.len++] = c;
	else
		s.len += sprintf(s.out + s.len, "\\x%02x", c);
	if (c != '\n') {
		if (s.line_len < sizeof(s.line) - 1)
			s.line[s.line_len++] = c;
		return;
	}
	s.line[s.line_len] = '\0';
	s.line_len = 0;
	if (sscanf(s.line, "# RUN %511s", s.running) != 1 &&
	    (!strncmp(s.line, "ok ", 3) || !strncmp(s.line, "not ok ", 7)))
		s.running[0] = '\0';
}

/* How much of s.out is to be written now: whole lines, if they are not long. */
static size_t pending(void)
{
	const char *end = memrchr(s.out, '\n', s.len);

	return end ? (size_t)(end + 1 - s.out) : s.len >= PIPE_BUF ? s.len : 0;
}

/* Called when stdout is ready: a pipe then takes PIPE_BUF without blocking. */
static void write_output(void)
{
	size_t n = pending();
	ssize_t done = write(STDOUT_FILENO, s.out, n < PIPE_BUF ? n : PIPE_BUF);

	if (done < 0 && errno != EINTR && errno != EAGAIN)
		end_all(RC_TOLD);
	if (done > 0) {
		s.len -= done;
		memmove(s.out, s.out + done, s.len);
	}
}

/* Called when there is something to read, or will never be more. */
static void read_output(void)
{
	unsigned char buf[1024];
	ssize_t n = read(s.output, buf, sizeof(buf)), i;

	for (i = 0; i < n; i++)
		put_byte(buf[i]);
	if (n > 0 || (n < 0 && (errno == EINTR || !s.over)))
		return;
	close(s.output);
	s.output = -1;
}

/* The program has ended or its time is up: end what is left of it. */
static void end_program(void)
{
	if (s.timed_out || !end_children(GRACE_MS, false)) {
		s.reaped = 0;
		end_children(KILL_MS, true);
		s.left = s.reaped;
	}
	s.over = true;
}

/* The last lines. Return the exit status. */
static int report(void)
{
	const char *running = s.running[0] ? " while running case " : "";
	char *p = s.out + s.len, *end = s.out + sizeof(s.out);
	int rc = WIFSIGNALED(s.status) ? 128 + WTERMSIG(s.status) : WEXITSTATUS(s.status);

	if (s.midline)
		*p++ = '\n';
	if (s.timed_out)
		p += snprintf(p, end - p, "# TIMEOUT after %ld s%s%s\n", s.timeout, running,
			      s.running);
	else if (WIFSIGNALED(s.status))
		p += snprintf(p, end - p, "# program killed by signal %d%s%s\n",
			      WTERMSIG(s.status), running, s.running);
	else if (rc == RC_TIMEOUT || rc == RC_TOLD)
		p += snprintf(p, end - p, "# supervise: the program's exit status was %d\n", rc);
	if (reap())
		p += snprintf(p, end - p, "# supervise: some processes cannot be killed\n");
	else if (s.left && !s.timed_out)
		p += snprintf(p, end - p,
			      "# supervise: ended %d process(es) that the program left behind\n",
			      s.left);
	s.len = p - s.out;
	if (s.timed_out)
		return RC_TIMEOUT;
	return WIFEXITED(s.status) && (rc == RC_TIMEOUT || rc == RC_TOLD) ? 1 : rc;
}

/*
 * Lines come one by one, and to be woken for each takes as much time as the test that
 * writes them: give it a moment to write more.
 */
static void gather(void)
{
	const struct timespec moment = { .tv_nsec = 3000000 };
	int n = 0;

	if (!s.over && !ioctl(s.output, FIONREAD, &n) && n < PIPE_BUF / 2)
		nanosleep(&moment, NULL);
}

static int supervise(void)
{
	long deadline = s.timeout ? now_ms() + s.timeout * 1000 : LONG_MAX;
	int rc = -1;

	while (rc < 0 || s.len) {
		long wait = s.over ? TICK_MS : deadline - now_ms();
		bool full = pending();
		struct pollfd fds[] = {
			{ .fd = s.signal_fd, .events = POLLIN },
			{ .fd = s.owner_fd, .events = POLLIN },
			{ .fd = STDOUT_FILENO, .events = full ? POLLOUT : 0 },
			{ .fd = full ? -1 : s.output, .events = POLLIN },
		};

		if (s.over && !full)
			wait = 0;
		poll(fds, 4, wait < 0 ? 0 : wait < TICK_MS ? wait : TICK_MS);
		if (fds[0].revents) {
			struct signalfd_siginfo info = { 0 };

			if (read(s.signal_fd, &info, sizeof(info)) > 0 && info.ssi_signo != SIGCHLD)
				end_all(RC_TOLD);
			reap();
		}
		if (fds[1].revents || (fds[2].revents & ~POLLOUT) ||
		    (s.owner && kill(s.owner, 0) && errno == ESRCH))
			end_all(RC_TOLD);
		if (full && fds[2].revents) {
			write_output();
		} else if (!full && s.output >= 0 && (fds[3].revents || s.over)) {
			gather();
			read_output();
		}
		s.timed_out |= !s.exited && now_ms() >= deadline;
		if ((s.exited || s.timed_out) && !s.over)
			end_program();
		if (s.over && s.output < 0 && rc < 0)
			rc = report();
	}
	return rc;
}

static void __attribute__((noreturn)) exec_program(char **argv, int output, pid_t parent)
{
	/* No core file, and with 1 (not 0) no program that takes cores either. */
	const struct rlimit no_core = { 1, 1 };
	sigset_t none;
	int null = open("/dev/null", O_RDONLY | O_CLOEXEC), n;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent)
		_exit(RC_TOLD);
	setsid();
	dup2(null, STDIN_FILENO);
	dup2(output, STDOUT_FILENO);
	dup2(output, STDERR_FILENO);
	for (n = 1; n < NSIG; n++)	/* a shell's background job ignores SIGINT */
		signal(n, SIG_DFL);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	setrlimit(RLIMIT_CORE, &no_core);
	execv(argv[0], argv);
	n = errno == ENOENT ? RC_NO_PROGRAM : RC_CANNOT_RUN;
	dprintf(STDERR_FILENO, "cannot execute %s: %s\n", argv[0], strerror(errno));
	_exit(n);
}

static int start(char **argv, pid_t guard)
{
	pid_t self = getpid();
	int out[2];

	prctl(PR_SET_PDEATHSIG, SIGTERM);
	prctl(PR_SET_CHILD_SUBREAPER, 1);
	signal(SIGPIPE, SIG_IGN);
	s.signal_fd = signalfd(-1, &signals, SFD_CLOEXEC);
	if (s.owner)
		s.owner_fd = syscall(SYS_pidfd_open, s.owner, 0);
	if (getppid() != guard || (s.owner && kill(s.owner, 0) && errno == ESRCH))
		return RC_TOLD;
	if (s.signal_fd < 0 || pipe2(out, O_CLOEXEC))
		return RC_CANNOT_RUN;
	s.program = fork();
	if (!s.program)
		exec_program(argv, out[1], self);
	if (s.program < 0)
		return RC_CANNOT_RUN;
	close(out[1]);
	s.output = out[0];
	fcntl(s.output, F_SETFL, O_NONBLOCK);
	return supervise();
}

static int guard(pid_t supervisor)
{
	int status;

	while (waitpid(supervisor, &status, WNOHANG) == 0) {
		int sig = sigwaitinfo(&signals, NULL);

		if (sig > 0 && sig != SIGCHLD)
			kill(supervisor, sig);
	}
	if (!WIFEXITED(status))
		end_all(128 + WTERMSIG(status));
	return WEXITSTATUS(status);
}

static long count_from(const char *arg)
{
	char *end;
	long n = strtol(arg, &end, 10);

	if (!isdigit((unsigned char)*arg) || *end || n > INT_MAX) {
		fprintf(stderr, "supervise: '%s' is not a number\n", arg);
		exit(RC_CANNOT_RUN);
	}
	return n;
}

int main(int argc, char **argv)
{
	pid_t self = getpid(), supervisor;

	for (; argc > 3 && strcmp(argv[1], "--"); argc -= 2, argv += 2) {
		if (!strcmp(argv[1], "--timeout"))
			s.timeout = count_from(argv[2]);
		else if (!strcmp(argv[1], "--owner"))
			s.owner = count_from(argv[2]);
		else
			break;
	}
	if (argc < 3 || strcmp(argv[1], "--")) {
		fputs("usage: supervise [--timeout S] [--owner PID] -- PROGRAM [ARGUMENT]...\n",
		      stderr);
		return RC_CANNOT_RUN;
	}
	sigemptyset(&signals);
	sigaddset(&signals, SIGCHLD);
	sigaddset(&signals, SIGINT);
	sigaddset(&signals, SIGTERM);
	sigaddset(&signals, SIGHUP);
	sigprocmask(SIG_BLOCK, &signals, NULL);
	signal(SIGCHLD, SIG_DFL);	/* ignored, it would not be waited for */
	prctl(PR_SET_PDEATHSIG, SIGTERM);
	prctl(PR_SET_CHILD_SUBREAPER, 1);
	supervisor = fork();
	if (!supervisor)
		_exit(start(argv + 2, self));
	if (supervisor < 0) {
		perror("supervise: fork");
		return RC_CANNOT_RUN;
	}
	return guard(supervisor);
}
