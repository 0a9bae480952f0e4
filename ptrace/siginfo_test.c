// SPDX-License-Identifier: GPL-2.0
/*
 * What a tracer reads and writes of a task's signals at the two stops of a call:
 * the stop's own siginfo, the queues of pending signals, the mask (P30).
 * kernel/ptrace.c ptrace_getsiginfo(), ptrace_peek_siginfo() and ptrace_request() decide.
 */
#include <asm/unistd.h>
#include <errno.h>
#include <signal.h>

#include "case.h"
#include "tracee.h"

#define SYSGOOD		PTRACE_O_TRACESYSGOOD
#define MASK(sig)	(1ull << ((sig) - 1))

static void check_siginfo(struct tracee *t, const char *stop, int code)
{
	siginfo_t si = { 0 };
	char what[64];

	check_eq("PTRACE_GETSIGINFO", 0, U64(tracee_request(t, PTRACE_GETSIGINFO, 0, &si)));
	snprintf(what, sizeof(what), "si_signo at %s", stop);
	check_eq(what, SIGTRAP, U64(si.si_signo));
	snprintf(what, sizeof(what), "si_errno at %s", stop);
	check_eq(what, 0, U64(si.si_errno));
	snprintf(what, sizeof(what), "si_code at %s", stop);
	check_eq(what, U64(code), U64(si.si_code));
	snprintf(what, sizeof(what), "si_pid at %s is the tracee's own", stop);
	check_true(what, si.si_pid == t->pid);
	snprintf(what, sizeof(what), "si_uid at %s", stop);
	check_eq(what, getuid(), si.si_uid);
}

FIXTURE(siginfo) {
};

FIXTURE_VARIANT(siginfo) {
	unsigned long options;
	int code;
};

FIXTURE_VARIANT_ADD(siginfo, tracesysgood) {
	.options = SYSGOOD, .code = SIGTRAP | 0x80,
};

FIXTURE_VARIANT_ADD(siginfo, plain) {
	.options = 0, .code = SIGTRAP,
};

FIXTURE_SETUP(siginfo)
{
}

FIXTURE_TEARDOWN(siginfo)
{
}

TEST_F(siginfo, of_both_stops_is_a_sigtrap_from_the_task_itself)
{
	struct tracee t;

	PINS("P30");
	tracee_first(&t, svc_script_new(1), variant->options, PTRACE_SYSCALL, "entry getuid");
	check_siginfo(&t, "entry", variant->code);
	tracee_to(&t, PTRACE_SYSCALL, 0, "exit getuid");
	check_siginfo(&t, "exit", variant->code);
	tracee_end(&t);
}

/* ptrace_report_syscall() makes a new siginfo for the signal that it queues. */
TEST_F(siginfo, written_at_a_stop_is_not_that_of_the_signal_given)
{
	siginfo_t si = { .si_signo = SIGUSR1, .si_code = SI_QUEUE, .si_errno = 42 };
	struct tracee t;
	struct stop s;

	PINS("P17 P30");
	tracee_first(&t, svc_script_new(1), variant->options, PTRACE_SYSCALL, "entry getuid");
	check_eq("PTRACE_SETSIGINFO at entry", 0,
		 U64(tracee_request(&t, PTRACE_SETSIGINFO, 0, &si)));
	tracee_to(&t, PTRACE_SYSCALL, SIGUSR1, "exit getuid");
	check_eq("PTRACE_SETSIGINFO at exit", 0,
		 U64(tracee_request(&t, PTRACE_SETSIGINFO, 0, &si)));
	s = tracee_to(&t, PTRACE_SYSCALL, SIGUSR2, "signal SIGUSR1 SI_KERNEL pc=svc+4");
	check_eq("si_errno of the signal given at entry", 0, U64(s.si.si_errno));
	check_eq("si_pid of the signal given at entry", 0, U64(s.si.si_pid));
	s = tracee_to(&t, PTRACE_SYSCALL, 0, "signal SIGUSR2 SI_KERNEL pc=svc+4");
	check_eq("si_errno of the signal given at exit", 0, U64(s.si.si_errno));
	check_eq("si_pid of the signal given at exit", 0, U64(s.si.si_pid));
	tracee_end(&t);
}

/* PTRACE_PEEKSIGINFO of the @n signals from @off on, as "SIGUSR1 SI_TKILL, ...". */
static long peek(struct tracee *t, __u64 off, unsigned int flags, int n, char text[static 128])
{
	struct ptrace_peeksiginfo_args args = { off, flags, n };
	siginfo_t si[4] = { 0 };
	size_t len = 0;
	long got;

	got = tracee_request(t, PTRACE_PEEKSIGINFO, (unsigned long)&args, si);
	text[0] = '\0';
	for (long i = 0; i < got; i++)
		len += (size_t)snprintf(text + len, 128 - len, "%s%s %s", i ? ", " : "",
					sig_name(si[i].si_signo),
					sicode_name(si[i].si_signo, si[i].si_code));
	return got;
}

struct peek_row {
	const char *what;
	__u64 off;
	unsigned int flags;
	int n;
	long got;
	const char *text;
};

#define SHARED	1u	/* PTRACE_PEEKSIGINFO_SHARED */
#define ALL	"SIGUSR2 SI_TKILL, SIGUSR1 SI_TKILL, SIG40 SI_TKILL"

static const struct peek_row peeks[] = {
	{ "all private ones",		0, 0,      4, 3, ALL },
	{ "none of them",		0, 0,      0, 0, "" },
	{ "the first",			0, 0,      1, 1, "SIGUSR2 SI_TKILL" },
	{ "the second",			1, 0,      1, 1, "SIGUSR1 SI_TKILL" },
	{ "from the last on",		2, 0,      4, 1, "SIG40 SI_TKILL" },
	{ "from beyond the last",	3, 0,      4, 0, "" },
	{ "from the last number on",	~0ull, 0,  4, 0, "" },
	{ "all shared ones",		0, SHARED, 4, 1, "SIGHUP SI_USER" },
	{ "a negative count",		0, 0,     -1, -EINVAL, "" },
	{ "unknown flags",		0, 2,      1, -EINVAL, "" },
	{ "unknown flags and shared",	0, ~0u,    1, -EINVAL, "" },
};

static void check_peeks(struct tracee *t, const char *stop)
{
	char text[128], what[96];

	for (size_t i = 0; i < ARRAY_SIZE(peeks); i++) {
		const struct peek_row *p = &peeks[i];

		snprintf(what, sizeof(what), "PTRACE_PEEKSIGINFO at %s, %s: result", stop, p->what);
		check_eq(what, U64(p->got), U64(peek(t, p->off, p->flags, p->n, text)));
		snprintf(what, sizeof(what), "PTRACE_PEEKSIGINFO at %s, %s: signals", stop,
			 p->what);
		check_str(what, p->text, text);
	}
}

static void send_private(struct tracee *t, int sig)
{
	check_eq("tgkill", 0, U64(svc_call(__NR_tgkill, 3, U64(t->pid), U64(t->pid), U64(sig))));
}

/* In the order of their coming; looking at them takes none away. */
TEST(pending_signals_are_listed_at_both_stops)
{
	static const struct stop_row rows[] = {
		{ PTRACE_SYSCALL, 0, "signal SIGUSR1 SI_TKILL pc=svc+4" },
		{ PTRACE_CONT, 0, "signal SIGUSR2 SI_TKILL pc=svc+4" },
		{ PTRACE_CONT, 0, "signal SIG40 SI_TKILL pc=svc+4" },
		{ PTRACE_SYSCALL, 0, "signal SIGHUP SI_USER pc=svc+4" },
		{ PTRACE_SYSCALL, 0, "entry exit_group" },
	};
	struct tracee t;

	PINS("P30");
	tracee_first(&t, svc_script_new(1), SYSGOOD, PTRACE_SYSCALL, "entry getuid");
	send_private(&t, SIGUSR2);
	kill(t.pid, SIGHUP);
	send_private(&t, SIGUSR1);
	send_private(&t, 40);
	check_peeks(&t, "entry");
	tracee_to(&t, PTRACE_SYSCALL, 0, "exit getuid");
	check_peeks(&t, "exit");
	tracee_expect(&t, rows, ARRAY_SIZE(rows), NULL);
	tracee_end(&t);
}

static __u64 get_mask(struct tracee *t)
{
	__u64 mask = 0;

	check_eq("PTRACE_GETSIGMASK", 0,
		 U64(tracee_request(t, PTRACE_GETSIGMASK, sizeof(mask), &mask)));
	return mask;
}

static void set_mask(struct tracee *t, __u64 mask)
{
	check_eq("PTRACE_SETSIGMASK", 0,
		 U64(tracee_request(t, PTRACE_SETSIGMASK, sizeof(mask), &mask)));
}

/* The task asks for its own mask by rt_sigprocmask, which writes it to @seen. */
static struct svc_script *mask_script(__u64 *seen)
{
	struct svc_script *sc = svc_script_new(2);

	svc_fill(&sc->f[0], __NR_rt_sigprocmask, 4, U64(SIG_BLOCK), U64(0), U64(seen), U64(8));
	return sc;
}

TEST(signal_mask_written_at_entry_is_the_tasks_but_for_sigkill_and_sigstop)
{
	const __u64 unblockable = MASK(SIGKILL) | MASK(SIGSTOP);
	__u64 *seen = shared_alloc(sizeof(*seen));
	struct tracee t;

	PINS("P30");
	tracee_first(&t, mask_script(seen), SYSGOOD, PTRACE_SYSCALL, "entry rt_sigprocmask");
	check_eq("mask at entry", 0, get_mask(&t));
	set_mask(&t, ~0ull);
	check_eq("mask at entry, all bits written", ~unblockable, get_mask(&t));
	tracee_to(&t, PTRACE_SYSCALL, 0, "exit rt_sigprocmask pc=svc+4 x0=0");
	check_eq("mask at exit", ~unblockable, get_mask(&t));
	check_eq("mask that the task reads", ~unblockable, *seen);
	tracee_end(&t);
}

TEST(signal_mask_of_a_wrong_size_is_einval_and_changes_nothing)
{
	static const unsigned long sizes[] = { 0, 4, 7, 9, 16, ~0ul };
	__u64 *seen = shared_alloc(sizeof(*seen)), mask[2] = { ~0ull, ~0ull };
	struct tracee t;

	PINS("P30");
	tracee_first(&t, mask_script(seen), SYSGOOD, PTRACE_SYSCALL, "entry rt_sigprocmask");
	for (size_t i = 0; i < ARRAY_SIZE(sizes); i++) {
		check_eq("PTRACE_GETSIGMASK of a wrong size", U64(-EINVAL),
			 U64(tracee_request(&t, PTRACE_GETSIGMASK, sizes[i], mask)));
		check_eq("PTRACE_SETSIGMASK of a wrong size", U64(-EINVAL),
			 U64(tracee_request(&t, PTRACE_SETSIGMASK, sizes[i], mask)));
	}
	check_eq("mask at entry", 0, get_mask(&t));
	tracee_to(&t, PTRACE_SYSCALL, 0, "exit rt_sigprocmask pc=svc+4 x0=0");
	check_eq("mask that the task reads", 0, *seen);
	tracee_end(&t);
}

/* get_signal() looks at the mask after the exit stop. */
TEST(signal_mask_written_at_exit_decides_on_what_is_pending)
{
	struct tracee t;

	PINS("P30");
	tracee_first(&t, svc_script_new(2), SYSGOOD, PTRACE_SYSCALL, "entry getuid");
	send_private(&t, SIGUSR1);
	send_private(&t, SIGUSR2);
	tracee_to(&t, PTRACE_SYSCALL, 0, "exit getuid");
	set_mask(&t, MASK(SIGUSR1));
	tracee_to(&t, PTRACE_SYSCALL, 0, "signal SIGUSR2 SI_TKILL pc=svc+4");
	tracee_to(&t, PTRACE_SYSCALL, 0, "entry getuid");
	set_mask(&t, 0);
	tracee_to(&t, PTRACE_SYSCALL, 0, "exit getuid");
	tracee_to(&t, PTRACE_SYSCALL, 0, "signal SIGUSR1 SI_TKILL pc=svc+4");
	tracee_end(&t);
}

/* rt_sigsuspend() lends the task another mask: what is shown is the one it comes back to. */
TEST(signal_mask_at_the_exit_of_sigsuspend_is_the_one_before_it)
{
	__u64 *mask = shared_alloc(sizeof(*mask));
	struct svc_script *sc;
	struct tracee t;

	PINS("P30");
	*mask = MASK(SIGUSR2);
	sc = svc_script_new(1);
	svc_fill(&sc->f[0], __NR_rt_sigsuspend, 2, U64(mask), U64(8));
	tracee_first(&t, sc, SYSGOOD, PTRACE_SYSCALL, "entry rt_sigsuspend");
	set_mask(&t, MASK(SIGHUP) | MASK(SIGUSR1));
	send_private(&t, SIGUSR1);
	tracee_to(&t, PTRACE_SYSCALL, 0, "exit rt_sigsuspend pc=svc+4 x0=-ERESTARTNOHAND");
	check_eq("mask at exit", MASK(SIGHUP) | MASK(SIGUSR1), get_mask(&t));
	tracee_to(&t, PTRACE_SYSCALL, 0, "signal SIGUSR1 SI_TKILL pc=svc");
	check_eq("mask at the signal", MASK(SIGHUP) | MASK(SIGUSR1), get_mask(&t));
	tracee_end(&t);
}
