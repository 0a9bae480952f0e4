// SPDX-License-Identifier: GPL-2.0
/* Audit on and off: see audit_switch.h. */
#include <asm/unistd.h>
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <libaudit.h>
#include <pwd.h>
#include <signal.h>
#include <stdbool.h>
#include <string.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <unistd.h>

#include "audit_switch.h"
#include "check.h"

/*
 * libaudit and libcap-ng look up users and groups for what is not called here. In a
 * static program libc's own would need its shared libraries, and the linker warns.
 */
struct passwd *getpwnam(const char *name)
{
	(void)name;
	return NULL;
}

struct passwd *getpwuid(uid_t uid)
{
	(void)uid;
	return NULL;
}

struct group *getgrnam(const char *name)
{
	(void)name;
	return NULL;
}

int initgroups(const char *user, gid_t group)
{
	(void)user;
	(void)group;
	errno = ENOSYS;
	return -1;
}

/* The end of the socket that tells the guardian to end, in the process that forked it. */
static int tell_fd = -1;

/*
 * Held by the guardian: who has it knows that audit is as the machine had it. The
 * root directory is the same for all programs of the suite, and is always there.
 */
static int take_lock(void)
{
	int fd = open("/", O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	while (fd >= 0 && flock(fd, LOCK_EX) && errno == EINTR)
		;
	return fd;
}

/*
 * Return: what was found, 0 off, 1 on or 2 on and locked; -errno where audit cannot be
 * switched on.
 */
static int switch_on(int fd)
{
	int found, ret;

	/* In another user namespace audit_is_enabled() says 0, and switching it on fails. */
	found = audit_is_enabled(fd);
	if (found < 0)
		return -EPERM;
	if (found)
		return found;
	ret = audit_set_enabled(fd, 1);
	return ret < 0 ? ret : found;
}

/* Close all descriptors but two. */
static void close_but(int a, int b)
{
	unsigned int first = (unsigned int)(a < b ? a : b), last = (unsigned int)(a < b ? b : a);

	if (first)
		syscall(__NR_close_range, 0, first - 1, 0);
	if (first + 1 < last)
		syscall(__NR_close_range, first + 1, last - 1, 0);
	syscall(__NR_close_range, last + 1, ~0u, 0);
}

static void __noreturn guard(int wait_fd, int answer_fd)
{
	int lock, fd, found;
	sigset_t all;
	char byte;

	/* Not of the case's session: what kills that by its process group must not end this. */
	setsid();
	sigfillset(&all);
	sigprocmask(SIG_SETMASK, &all, NULL);
	/* The output's end is waited for elsewhere. */
	close_but(wait_fd, answer_fd);
	set_aumessage_mode(MSG_QUIET, DBG_NO);
	lock = take_lock();
	fd = audit_open();
	found = fd < 0 ? -errno : switch_on(fd);
	if (write(answer_fd, &found, sizeof(found)) == sizeof(found) && found >= 0)
		while (read(wait_fd, &byte, 1) < 0 && errno == EINTR)
			;
	if (!found)
		audit_set_enabled(fd, 0);
	close(lock);
	_exit(0);
}

static void __noreturn skip(int found)
{
	switch (-found) {
	case EPERM:
	case EACCES:
	case ECONNREFUSED:
		case_skip("%s",
			  "audit cannot be switched on: needs CAP_AUDIT_CONTROL (root) in the initial namespaces");
	case EPROTONOSUPPORT:
	case EAFNOSUPPORT:
	case EINVAL:
		case_skip("%s",
			  "no audit: needs CONFIG_AUDIT and CONFIG_AUDITSYSCALL, and no audit=0 at boot");
	default:
		case_skip("audit cannot be switched on (%s): needs CONFIG_AUDIT and root",
			  strerror(-found));
	}
}

void audit_on(void)
{
	int tell[2], answer[2], found = -EPIPE;
	ssize_t n;
	pid_t pid;

	if (tell_fd >= 0)
		return;
	if (socketpair(AF_UNIX, SOCK_STREAM, 0, tell) || pipe(answer))
		case_die("no socket or pipe: %s", strerror(errno));
	/* Before the guardian is there: the case may end at any time. */
	case_on_end(audit_off);
	pid = fork();
	if (pid < 0)
		case_die("fork failed: %s", strerror(errno));
	if (!pid) {
		close(tell[1]);
		close(answer[0]);
		guard(tell[0], answer[1]);
	}
	close(tell[0]);
	close(answer[1]);
	tell_fd = tell[1];
	do {
		n = read(answer[0], &found, sizeof(found));
	} while (n < 0 && errno == EINTR);
	close(answer[0]);
	if (n != sizeof(found))
		case_die("the process that switches audit on and off has died");
	if (found < 0)
		skip(found);
}

void audit_off(void)
{
	case_on_end(NULL);
	if (tell_fd >= 0) {
		/* No SIGPIPE where it has ended by itself, as when it could not switch. */
		if (send(tell_fd, "", 1, MSG_NOSIGNAL) < 0 && errno != EPIPE)
			case_note("the process that switches audit off is not reached");
		close(tell_fd);
		tell_fd = -1;
	}
	/* Where another process of this case called audit_on(), that has ended by now. */
	close(take_lock());
}
