// SPDX-License-Identifier: GPL-2.0
/* Checks, skips and the transcript: see check.h. */
#include <errno.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"
#include "decode.h"
#include "kselftest.h"

/* The 6.1 harness takes another status for a skipped case. */
#ifdef ksft_test_result_report
#define SKIP_STATUS	KSFT_SKIP
#else
#define SKIP_STATUS	255
#endif

struct case_state *case_state;

/* One write(2) a line: several processes of a case share the output. */
static void say(const char *prefix, const char *fmt, va_list args)
{
	char line[1024];
	size_t len = (size_t)snprintf(line, sizeof(line), "%s", prefix);

	vsnprintf(line + len, sizeof(line) - len - 1, fmt, args);
	len = strlen(line);
	line[len++] = '\n';
	fflush(stdout);
	if (write(STDOUT_FILENO, line, len) < 0)
		_exit(KSFT_FAIL);
}

void case_begin(const char *ids)
{
	pid_t parent = getppid();

	snprintf(case_state->ids, sizeof(case_state->ids), "%s", ids);
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent)
		_exit(KSFT_FAIL);
}

void transcript(const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	say("# | ", fmt, args);
	va_end(args);
}

void case_note(const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	say("# ", fmt, args);
	va_end(args);
}

static void fail(const char *fmt, va_list args)
{
	struct case_state *c = case_state;
	const char *id, *verdict, *reason = NULL;
	char message[768];

	vsnprintf(message, sizeof(message), fmt, args);
	c->checks++;
	c->failures++;
	id = known_failure(c->name, message, &reason);
	if (id) {
		c->known++;
		c->known_id = id;
		snprintf(c->reason, c->reason_size, "%s: %s", id, reason);
	}
	verdict = id ? "KNOWN" : "FAILED";
	case_note("%s (%s) %s: %s", verdict, c->ids, c->name, message);
}

void case_fail(const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	fail(fmt, args);
	va_end(args);
}

void case_on_end(void (*undo)(void))
{
	case_state->undo = undo;
}

void case_undo(void)
{
	void (*undo)(void) = case_state->undo;

	case_state->undo = NULL;
	if (undo)
		undo();
}

void case_end(void)
{
	case_state->ended = true;
	case_undo();
	_exit(KSFT_FAIL);
}

void case_die(const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	fail(fmt, args);
	va_end(args);
	case_end();
}

void case_skip(const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	vsnprintf(case_state->reason, case_state->reason_size, fmt, args);
	va_end(args);
	case_undo();
	/* A check that failed before is a failure, whatever could not be tested after it. */
	if (case_state->failures)
		_exit(KSFT_FAIL);
	_exit(SKIP_STATUS);
}

/* A value in the notation, and in hexadecimal where that says more. */
static const char *both(__u64 value, char *buf, size_t size)
{
	const char *name = value_name(value);

	if (!strncmp(name, "0x", 2) || value < 10)
		snprintf(buf, size, "%s", name);
	else
		snprintf(buf, size, "%s (0x%llx)", name, (unsigned long long)value);
	return buf;
}

bool check_eq(const char *what, __u64 expected, __u64 observed)
{
	char e[96], o[96];

	case_state->checks++;
	if (expected == observed)
		return true;
	case_fail("%s: expected %s, observed %s", what, both(expected, e, sizeof(e)),
		  both(observed, o, sizeof(o)));
	return false;
}

bool check_eqf(__u64 expected, __u64 observed, const char *fmt, ...)
{
	char what[384];
	va_list args;

	if (expected == observed) {
		case_state->checks++;
		return true;
	}
	va_start(args, fmt);
	vsnprintf(what, sizeof(what), fmt, args);
	va_end(args);
	return check_eq(what, expected, observed);
}

static const char *nr_name(int nr)
{
	return nr == -1 ? "-1 (no call)" : syscall_name(nr);
}

bool check_nr(const char *what, int expected, int observed)
{
	case_state->checks++;
	if (expected == observed)
		return true;
	case_fail("%s: expected %s, observed %s", what, nr_name(expected), nr_name(observed));
	return false;
}

static void status_text(int status, char *text, size_t size)
{
	if (WIFEXITED(status))
		snprintf(text, size, "exited %d", WEXITSTATUS(status));
	else if (WIFSIGNALED(status))
		snprintf(text, size, "killed %s", sig_name(WTERMSIG(status)));
	else
		snprintf(text, size, "wait status 0x%x", (unsigned int)status);
}

bool check_status(const char *what, int expected, int observed)
{
	char e[64], o[64];

	status_text(expected, e, sizeof(e));
	status_text(observed, o, sizeof(o));
	return check_str(what, e, o);
}

bool check_str(const char *what, const char *expected, const char *observed)
{
	case_state->checks++;
	if (!strcmp(expected, observed))
		return true;
	case_fail("%s: expected '%s', observed '%s'", what, expected, observed);
	return false;
}

bool check_true(const char *what, bool condition)
{
	case_state->checks++;
	if (!condition)
		case_fail("%s: expected so, observed not", what);
	return condition;
}

bool check_mem(const char *what, const void *expected, const void *observed, size_t len)
{
	const unsigned char *e = expected, *o = observed;

	case_state->checks++;
	for (size_t i = 0; i < len; i++) {
		if (e[i] == o[i])
			continue;
		case_fail("%s: byte %zu of %zu: expected 0x%02x, observed 0x%02x",
			  what, i, len, e[i], o[i]);
		return false;
	}
	return true;
}

void *shared_alloc(size_t size)
{
	void *p = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	if (p == MAP_FAILED)
		case_die("no shared memory of %zu bytes: %s", size, strerror(errno));
	return p;
}

/* Debian's release says 6.1.0 for all of 6.1; its patch level is in the version string. */
bool kernel_at_least(const unsigned int version[3])
{
	unsigned int v[3] = { 0 };
	const char *debian;
	struct utsname u;

	if (uname(&u) || sscanf(u.release, "%u.%u.%u", &v[0], &v[1], &v[2]) < 2)
		return false;
	debian = strstr(u.version, "Debian ");
	if (debian && sscanf(debian, "Debian %u.%u.%u", &v[0], &v[1], &v[2]) < 2)
		return false;
	for (int i = 0; i < 3; i++)
		if (v[i] != version[i])
			return v[i] > version[i];
	return true;
}
