// SPDX-License-Identifier: GPL-2.0
/* The tracee library: see tracee.h. */
#include <asm/unistd.h>
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "tracee.h"

#define STOP_LIMIT	20	/* seconds; below the harness's 30 */

static const char *request_name(long request)
{
	switch (request) {
	case WAIT_ONLY:
		return "(not resumed)";
	case PTRACE_CONT:
		return "PTRACE_CONT";
	case PTRACE_SYSCALL:
		return "PTRACE_SYSCALL";
	case PTRACE_SINGLESTEP:
		return "PTRACE_SINGLESTEP";
	case PTRACE_SYSEMU:
		return "PTRACE_SYSEMU";
	case PTRACE_SYSEMU_SINGLESTEP:
		return "PTRACE_SYSEMU_SINGLESTEP";
	case PTRACE_DETACH:
		return "PTRACE_DETACH";
	default:
		return "ptrace request";
	}
}

/* glibc's ptrace() hides PEEK results behind errno: go to the kernel directly. */
static long ptrace_raw(long request, pid_t pid, unsigned long addr, void *data)
{
	long ret = syscall(__NR_ptrace, request, (long)pid, addr, data);

	return ret == -1 ? -errno : ret;
}

long tracee_request(struct tracee *t, long request, unsigned long addr, void *data)
{
	return ptrace_raw(request, t->pid, addr, data);
}

static void must(struct tracee *t, long request, unsigned long addr, void *data, const char *what)
{
	long ret = ptrace_raw(request, t->pid, addr, data);

	if (ret < 0)
		case_die("%s failed: %s", what, strerror((int)-ret));
}

static void get_regset(struct tracee *t, unsigned long note, void *data, size_t size,
		       const char *what)
{
	struct iovec iov = { data, size };

	must(t, PTRACE_GETREGSET, note, &iov, what);
	if (iov.iov_len != size)
		case_die("%s returned %zu bytes, expected %zu", what, iov.iov_len, size);
}

/* NT_PRSTATUS of a 32-bit task: r0-r15, cpsr, the r0 that a restart would use. */
struct arm_regs {
	__u32 r[16], cpsr, orig_r0;
};

/* Return: a 32-bit task? Then @arm is filled, else @regs. */
static bool get_regs(struct tracee *t, struct user_pt_regs *regs, struct arm_regs *arm)
{
	union {
		struct user_pt_regs regs;
		struct arm_regs arm;
	} u;
	struct iovec iov = { &u, sizeof(u) };

	must(t, PTRACE_GETREGSET, NT_PRSTATUS, &iov, "reading NT_PRSTATUS");
	*arm = u.arm;
	*regs = u.regs;
	if (iov.iov_len != sizeof(*arm) && iov.iov_len != sizeof(*regs))
		case_die("reading NT_PRSTATUS returned %zu bytes, expected %zu", iov.iov_len,
			 sizeof(*regs));
	return iov.iov_len == sizeof(*arm);
}

static bool get_any_regs(struct tracee *t, struct user_pt_regs *regs)
{
	struct arm_regs arm;

	if (!get_regs(t, regs, &arm))
		return false;
	memset(regs, 0, sizeof(*regs));
	for (unsigned int i = 0; i < 15; i++)
		regs->regs[i] = arm.r[i];
	regs->regs[15] = arm.orig_r0;
	regs->sp = arm.r[13];
	regs->pc = arm.r[15];
	regs->pstate = arm.cpsr;
	return true;
}

void tracee_get_regs(struct tracee *t, struct user_pt_regs *regs)
{
	get_any_regs(t, regs);
}

void tracee_set_regs(struct tracee *t, const struct user_pt_regs *regs)
{
	struct iovec iov = { (void *)regs, sizeof(*regs) };
	struct user_pt_regs unused;
	struct arm_regs arm;

	if (get_regs(t, &unused, &arm)) {
		for (unsigned int i = 0; i < 15; i++)
			arm.r[i] = (__u32)regs->regs[i];
		arm.r[13] = (__u32)regs->sp;
		arm.r[15] = (__u32)regs->pc;
		arm.cpsr = (__u32)regs->pstate;
		arm.orig_r0 = (__u32)regs->regs[15];
		iov = (struct iovec) { &arm, sizeof(arm) };
	}
	must(t, PTRACE_SETREGSET, NT_PRSTATUS, &iov, "writing NT_PRSTATUS");
}

int tracee_get_nr(struct tracee *t)
{
	int nr = 0;

	get_regset(t, NT_ARM_SYSTEM_CALL, &nr, sizeof(nr), "reading NT_ARM_SYSTEM_CALL");
	return nr;
}

void tracee_set_nr(struct tracee *t, int nr)
{
	struct iovec iov = { &nr, sizeof(nr) };

	must(t, PTRACE_SETREGSET, NT_ARM_SYSTEM_CALL, &iov, "writing NT_ARM_SYSTEM_CALL");
}

long tracee_syscall_info(struct tracee *t, struct entry_syscall_info *info, size_t size)
{
	return ptrace_raw(PTRACE_GET_SYSCALL_INFO, t->pid, size, info);
}

static void on_alarm(int sig)
{
	(void)sig;	/* waitpid() returns EINTR */
}

/* The state of a task in the words of /proc, such as "S (sleeping)". */
static void task_state(pid_t pid, char state[static 64])
{
	char path[64], line[128];
	FILE *f;

	snprintf(state, 64, "unknown");
	snprintf(path, sizeof(path), "/proc/%d/status", pid);
	f = fopen(path, "r");
	while (f && fgets(line, sizeof(line), f))
		if (sscanf(line, "State: %63[^\n]", state) == 1)
			break;
	if (f)
		fclose(f);
}

static void __noreturn die_stuck(pid_t pid, const char *doing)
{
	char state[64];

	task_state(pid, state);
	case_die("the task neither stopped nor ended within %d s %s; its state: %s",
		 STOP_LIMIT, doing, state);
}

/* Its letter, behind "pid (name) " in the file's only line; '\0' when the task is gone. */
static char state_letter(int fd)
{
	char line[128];
	const char *end;
	ssize_t n = pread(fd, line, sizeof(line) - 1, 0);

	line[n > 0 ? n : 0] = '\0';
	end = strrchr(line, ')');
	return end && end[1] ? end[2] : '\0';
}

void tracee_wait_state(struct tracee *t, char letter)
{
	struct timespec now, end;
	char path[64], state[64], seen;
	int fd;

	clock_gettime(CLOCK_MONOTONIC, &end);
	end.tv_sec += STOP_LIMIT;
	snprintf(path, sizeof(path), "/proc/%d/stat", t->pid);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	do {
		/* On one CPU it does nothing before that. */
		sched_yield();
		seen = state_letter(fd);
		clock_gettime(CLOCK_MONOTONIC, &now);
		/* Resumed, it is in no stop unless it has come to another one. */
	} while (seen != letter && seen && !strchr("tTZX", seen) && now.tv_sec <= end.tv_sec);
	close(fd);
	if (seen == letter)
		return;
	task_state(t->pid, state);
	if (!seen || strchr("tTZX", seen))
		case_die("the task stopped or ended before it was in state %c: %s", letter, state);
	case_die("the task was not in state %c within %d s; its state: %s", letter, STOP_LIMIT,
		 state);
}

void tracee_wait_blocked(struct tracee *t)
{
	tracee_wait_state(t, 'S');
}

/* When SIGALRM was last put off, in seconds; a new process has no timer. */
static time_t alarm_set;

static void alarm_gone(void)
{
	alarm_set = 0;
}

/* SIGALRM in STOP_LIMIT to STOP_LIMIT + 1 s and each second from then on. */
static void put_off_alarm(void)
{
	const struct itimerval limit = { { 1, 0 }, { STOP_LIMIT + 1, 0 } };
	struct sigaction sa = { .sa_handler = on_alarm };
	static bool caught;
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	if (alarm_set && now.tv_sec == alarm_set)
		return;
	if (!caught)
		pthread_atfork(NULL, NULL, alarm_gone);
	caught = true;
	sigaction(SIGALRM, &sa, NULL);
	setitimer(ITIMER_REAL, &limit, NULL);
	alarm_set = now.tv_sec;
}

/*
 * One bounded wait, for any task if @pid is -1: SIGALRM interrupts it until it has. The
 * timer is left running, since to set it twice is a tenth of what a stop costs.
 */
static pid_t wait_for(pid_t pid, int *status, const char *doing)
{
	pid_t ret;

	put_off_alarm();
	ret = waitpid(pid, status, __WALL);
	if (ret < 0 && errno == EINTR)
		die_stuck(pid, doing);
	if (ret < 0 || (pid > 0 && ret != pid))
		case_die("waiting for the task failed: %s", strerror(errno));
	return ret;
}

static int wait_status(pid_t pid, const char *doing)
{
	int status;

	wait_for(pid, &status, doing);
	return status;
}

static const char *event_name(int event)
{
	static const char * const names[] = {
		[PTRACE_EVENT_FORK] = "fork", [PTRACE_EVENT_VFORK] = "vfork",
		[PTRACE_EVENT_CLONE] = "clone", [PTRACE_EVENT_EXEC] = "exec",
		[PTRACE_EVENT_VFORK_DONE] = "vfork-done", [PTRACE_EVENT_EXIT] = "exit",
	};

	if (event == PTRACE_EVENT_STOP)
		return "stop";
	return event < 7 && names[event] ? names[event] : "unknown";
}

/* The PC as label+offset; a place without a label has no stable name. */
static const char *where(__u64 pc)
{
	const char *name = value_name(pc);

	return strncmp(name, "0x", 2) && strcmp(name, "addr") ? name : "elsewhere";
}

/* The call by name; the numbers of 32-bit tasks are others. */
static const char *call_name(const struct stop *s)
{
	return s->compat ? arm_syscall_name(s->nr) : syscall_name(s->nr);
}

/* Is x0 a process id here? Only there may a number be taken for one. */
static bool x0_is_pid(const struct stop *s)
{
	if (s->compat)
		return false;
	switch (s->nr) {
	case __NR_getpid:
	case __NR_getppid:
	case __NR_gettid:
	case __NR_clone:
	case __NR_clone3:
	case __NR_wait4:
		return s->kind == STOP_EXIT && (__s64)s->regs.regs[0] > 0;
	case __NR_kill:
	case __NR_tkill:
	case __NR_tgkill:
		return s->kind != STOP_EXIT && (__s64)s->regs.regs[0] > 0;
	default:
		return false;
	}
}

static const char *x0_name(const struct tracee *t, const struct stop *s)
{
	__u64 x0 = s->regs.regs[0];

	/* An error of a 32-bit task. */
	if (s->compat && (__u32)x0 > (__u32)-4096)
		x0 |= ~0ull << 32;
	if (!x0_is_pid(s))
		return value_name(x0);
	if (x0 == U64(t->pid))
		return "tracee";
	return x0 == U64(getpid()) ? "tracer" : "pid";
}

static void describe(const struct tracee *t, struct stop *s)
{
	const char *kind = stop_kind_name(s->kind);
	const char *pc = where(s->regs.pc), *x0 = x0_name(t, s);
	size_t n = sizeof(s->text);

	switch (s->kind) {
	case STOP_EXITED:
		snprintf(s->text, n, "%s %d", kind, s->code);
		break;
	case STOP_KILLED:
	case STOP_GROUP:
		snprintf(s->text, n, "%s %s", kind, sig_name(s->sig));
		break;
	case STOP_EVENT:
		snprintf(s->text, n, "%s %s", kind, event_name(s->event));
		break;
	case STOP_SIGNAL:
		snprintf(s->text, n, "%s %s %s pc=%s x0=%s", kind, sig_name(s->sig),
			 sicode_name(s->sig, s->code), pc, strcmp(pc, "elsewhere") ? x0 : "-");
		break;
	case STOP_ENTRY:
	case STOP_EXIT:
	case STOP_SECCOMP:
		snprintf(s->text, n, "%s %s pc=%s x0=%s", kind, call_name(s), pc, x0);
		break;
	default:
		snprintf(s->text, n, "%s pc=%s x0=%s", kind, pc,
			 strcmp(pc, "elsewhere") ? x0 : "-");
		break;
	}
}

static void agree(const struct stop *s, const char *what, __u64 expected, __u64 observed)
{
	check_eqf(expected, observed, "%s at this %s stop (%s)", what, stop_kind_name(s->kind),
		  s->text);
}

/* What the kernel says of one stop in several places must be the same. */
static void cross_check(struct tracee *t, const struct stop *s)
{
	bool sysgood = t->options & PTRACE_O_TRACESYSGOOD;
	__u64 marker = s->regs.regs[s->compat ? 12 : 7];
	int op = PTRACE_SYSCALL_INFO_NONE;

	if (s->kind == STOP_SECCOMP)
		op = PTRACE_SYSCALL_INFO_SECCOMP;
	if (s->kind == STOP_ENTRY || s->kind == STOP_EXIT) {
		agree(s, s->kind == STOP_EXIT ?
		      "PTRACE_GETEVENTMSG says exit (2), but x7 (r12), which is 1 at exit," :
		      "PTRACE_GETEVENTMSG says entry (1), but x7 (r12), which is 0 at entry,",
		      s->kind == STOP_EXIT, marker);
		agree(s, "stop signal, SIGTRAP (5) or with TRACESYSGOOD SIGTRAP|0x80 (133),",
		      sysgood ? SIGTRAP | 0x80 : SIGTRAP, (__u64)s->sig);
		agree(s, "si_code, SIGTRAP (5) or with TRACESYSGOOD SIGTRAP|0x80 (133),",
		      sysgood ? SIGTRAP | 0x80 : SIGTRAP, (__u64)s->code);
		if (sysgood)
			op = s->kind == STOP_ENTRY ? PTRACE_SYSCALL_INFO_ENTRY :
						     PTRACE_SYSCALL_INFO_EXIT;
	}
	agree(s, "PTRACE_GET_SYSCALL_INFO op (none 0, entry 1, exit 2, seccomp 3)", (__u64)op,
	      s->info.op);
	agree(s, "PTRACE_GET_SYSCALL_INFO arch (aarch64 0xc00000b7, arm 0x40000028)",
	      s->compat ? AUDIT_ARCH_ARM : AUDIT_ARCH_AARCH64, s->info.arch);
	agree(s, "PTRACE_GET_SYSCALL_INFO instruction_pointer", s->regs.pc,
	      s->info.instruction_pointer);
	agree(s, "PTRACE_GET_SYSCALL_INFO stack_pointer", s->regs.sp, s->info.stack_pointer);
}

static struct stop decode(struct tracee *t, int status)
{
	struct stop_raw raw = { .status = status, .msg = ~0ul };
	struct stop s = { .about = t->about };

	if (WIFSTOPPED(status)) {
		raw.siginfo = !ptrace_raw(PTRACE_GETSIGINFO, t->pid, 0, &raw.si);
		ptrace_raw(PTRACE_GETEVENTMSG, t->pid, 0, &raw.msg);
	}
	s.kind = decode_stop(&raw);
	s.si = raw.si;
	s.msg = raw.msg;
	s.event = status >> 16;
	if (WIFSTOPPED(status)) {
		s.sig = WSTOPSIG(status);
		s.code = raw.si.si_code;
		s.nr = tracee_get_nr(t);
		s.compat = get_any_regs(t, &s.regs);
		if (tracee_syscall_info(t, &s.info, sizeof(s.info)) < 0)
			case_die("PTRACE_GET_SYSCALL_INFO failed");
	} else {
		s.sig = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
		s.code = WIFEXITED(status) ? WEXITSTATUS(status) : 0;
		t->running = false;
	}
	describe(t, &s);
	if (!t->quiet)
		transcript("%s", s.text);
	if (s.kind == STOP_BAD)
		case_die("the kernel contradicts itself: status 0x%x, si_code %d, message %lu",
			 status, raw.si.si_code, raw.msg);
	if (WIFSTOPPED(status))
		cross_check(t, &s);
	return s;
}

void (*tracee_in_child)(void);

static void child_tie(pid_t parent)
{
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent)
		_exit(1);
	if (tracee_in_child)
		tracee_in_child();
}

/* A new process with the body's labels known: @pid is 0 in it, tied to its parent. */
static struct tracee fork_body(unsigned long options)
{
	struct tracee t = { .options = options | PTRACE_O_EXITKILL, .running = true };
	pid_t parent = getpid();

	name_range(U64(svc_before), 4, "svc_before");
	name_range(U64(svc_insn), 12, "svc");
	t.pid = fork();
	if (t.pid < 0)
		case_die("fork failed: %s", strerror(errno));
	if (!t.pid)
		child_tie(parent);
	return t;
}

struct tracee tracee_start(void (*body)(void *arg), void *arg, unsigned long options)
{
	struct tracee t = fork_body(options);
	int status;
	long ret;

	if (!t.pid) {
		ret = ptrace_raw(PTRACE_TRACEME, 0, 0, NULL);
		if (ret)
			_exit((int)-ret);
		/* Not raise(): in some libc that ends with a call of its own. */
		svc_call(__NR_kill, 2, U64(getpid()), U64(SIGSTOP));
		body(arg);
		svc_exit(0);
	}
	status = wait_status(t.pid, "of its fork");
	if (WIFEXITED(status) && WEXITSTATUS(status) == EPERM)
		case_skip("ptrace is not permitted: needs kernel.yama.ptrace_scope below 2");
	if (WIFEXITED(status))
		case_die("PTRACE_TRACEME failed: %s", strerror(WEXITSTATUS(status)));
	if (!WIFSTOPPED(status) || WSTOPSIG(status) != SIGSTOP)
		case_die("the new tracee did not stop with SIGSTOP: wait status 0x%x", status);
	must(&t, PTRACE_SETOPTIONS, 0, (void *)t.options, "PTRACE_SETOPTIONS");
	return t;
}

struct tracee tracee_spawn(void (*body)(void *arg), void *arg)
{
	struct tracee t = fork_body(0);

	if (!t.pid) {
		body(arg);
		svc_exit(0);
	}
	return t;
}

void tracee_seize(struct tracee *t, unsigned long options)
{
	long ret;

	t->options = options | PTRACE_O_EXITKILL;
	ret = ptrace_raw(PTRACE_SEIZE, t->pid, 0, (void *)t->options);
	if (ret == -EPERM)
		case_skip("attaching is not permitted: needs kernel.yama.ptrace_scope below 2");
	if (ret)
		case_die("PTRACE_SEIZE failed: %s", strerror((int)-ret));
}

void tracee_interrupt(struct tracee *t)
{
	must(t, PTRACE_INTERRUPT, 0, NULL, "PTRACE_INTERRUPT");
}

struct stop tracee_attach(struct tracee *t, unsigned long options)
{
	long ret = ptrace_raw(PTRACE_ATTACH, t->pid, 0, NULL);
	struct stop s;

	if (ret == -EPERM)
		case_skip("attaching is not permitted: needs kernel.yama.ptrace_scope below 2");
	if (ret)
		case_die("PTRACE_ATTACH failed: %s", strerror((int)-ret));
	t->options = options | PTRACE_O_EXITKILL;
	s = tracee_to(t, WAIT_ONLY, 0, "signal SIGSTOP");
	must(t, PTRACE_SETOPTIONS, 0, (void *)t->options, "PTRACE_SETOPTIONS");
	return s;
}

struct tracee tracee_adopt(const struct tracee *parent, pid_t pid)
{
	return (struct tracee) {
		.pid = pid, .options = parent->options, .running = true, .quiet = parent->quiet,
		.about = parent->about,
	};
}

void tracee_detach(struct tracee *t, int sig)
{
	must(t, PTRACE_DETACH, 0, (void *)(long)sig, "PTRACE_DETACH");
}

void tracee_resume(struct tracee *t, long request, int sig)
{
	must(t, request, 0, (void *)(long)sig, request_name(request));
}

struct stop tracee_next(struct tracee *t, long request, int sig)
{
	char doing[64];

	snprintf(doing, sizeof(doing), "of %s", request_name(request));
	if (request != WAIT_ONLY)
		tracee_resume(t, request, sig);
	return decode(t, wait_status(t->pid, doing));
}

unsigned int tracee_any(struct tracee *list, unsigned int *n, unsigned int max, struct stop *s)
{
	unsigned int i;
	int status;
	pid_t pid;

	pid = wait_for(-1, &status, "of waiting for any task");
	for (i = 0; i < *n && list[i].pid != pid; i++)
		;
	if (i == *n) {
		if (i == max)
			case_die("more than %u tasks to trace", max);
		list[(*n)++] = tracee_adopt(&list[0], pid);
	}
	*s = decode(&list[i], status);
	return i;
}

/* @text begins with the words of @expect? */
static bool matches(const char *expect, const char *text)
{
	size_t len = strlen(expect);

	return !strncmp(expect, text, len) && (text[len] == ' ' || text[len] == '\0');
}

bool tracee_expect(struct tracee *t, const struct stop_row *rows, size_t n, struct stop *last)
{
	char (*seen)[256] = calloc(n, sizeof(*seen)), about[128] = "";
	struct stop s = { 0 };
	bool same = true;
	size_t i;

	if (!seen)
		case_die("no memory");
	for (i = 0; i < n && same; i++) {
		case_state->checks++;
		if (i && !t->running) {
			snprintf(seen[i], sizeof(seen[i]), "(the task has ended)");
		} else {
			s = tracee_next(t, rows[i].request, rows[i].sig);
			memcpy(seen[i], s.text, sizeof(seen[i]));
		}
		same = matches(rows[i].expect, seen[i]);
	}
	if (last)
		*last = s;
	if (!same) {
		case_note("%-26s %-44s %s", "resumed with", "expected stop", "observed stop");
		for (size_t k = 0; k < i; k++)
			case_note("%-26s %-44s %s", request_name(rows[k].request), rows[k].expect,
				  seen[k]);
		if (t->about)
			snprintf(about, sizeof(about), ", %s", t->about);
		case_fail("stop %zu of %zu%s: expected '%s', observed '%s'", i, n, about,
			  rows[i - 1].expect, seen[i - 1]);
	}
	free(seen);
	return same;
}

struct stop tracee_to(struct tracee *t, long request, int sig, const char *expect)
{
	struct stop_row row = { request, sig, expect };
	struct stop s;

	if (!tracee_expect(t, &row, 1, &s))
		case_end();
	return s;
}

struct stop tracee_first(struct tracee *t, struct svc_script *script, unsigned long options,
			 long request, const char *expect)
{
	*t = tracee_start(svc_script_run, script, options);
	return tracee_to(t, request, 0, expect);
}

void tracee_end(struct tracee *t)
{
	int status;

	if (!t->running)
		return;
	kill(t->pid, SIGKILL);
	do {
		status = wait_status(t->pid, "of SIGKILL");
		if (WIFSTOPPED(status))
			ptrace_raw(PTRACE_CONT, t->pid, 0, NULL);
	} while (WIFSTOPPED(status));
	t->running = false;
}

void child_run(void (*body)(void *arg), void *arg, char *text, size_t size)
{
	pid_t parent = getpid();
	struct tracee t = { 0 };
	struct stop s = { 0 };
	int status;

	t.pid = fork();
	if (t.pid < 0)
		case_die("fork failed: %s", strerror(errno));
	if (!t.pid) {
		child_tie(parent);
		body(arg);
		_exit(0);
	}
	status = wait_status(t.pid, "of its start");
	s.kind = WIFEXITED(status) ? STOP_EXITED : STOP_KILLED;
	s.code = WEXITSTATUS(status);
	s.sig = WTERMSIG(status);
	describe(&t, &s);
	transcript("%s", s.text);
	snprintf(text, size, "%s", s.text);
}

bool check_at(const struct stop *s, const char *what, __u64 expected, __u64 observed)
{
	return check_eqf(expected, observed, "%s" ABOUT, what, ABOUT_ARGS(s->about));
}

bool check_nr_at(const struct stop *s, const char *what, int expected)
{
	char buf[192];

	snprintf(buf, sizeof(buf), "%s" ABOUT, what, ABOUT_ARGS(s->about));
	return check_nr(buf, expected, s->nr);
}

void check_frame_of(const char *about, const struct svc_frame *f, __u64 x0)
{
	for (unsigned int i = 0; i < 31; i++)
		check_eqf(i ? f->x[i] : x0, f->x_out[i], "x%u after the call" ABOUT, i,
			  ABOUT_ARGS(about));
	check_eqf(f->sp, f->sp_out, "SP after the call" ABOUT, ABOUT_ARGS(about));
	check_eqf(f->nzcv, f->nzcv_out, "NZCV after the call" ABOUT, ABOUT_ARGS(about));
}

void check_frame(const struct svc_frame *f, __u64 x0)
{
	check_frame_of(NULL, f, x0);
}
