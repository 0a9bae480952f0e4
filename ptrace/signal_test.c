// SPDX-License-Identifier: GPL-2.0
/*
 * Signals at the stops of a call. One that the tracer gives at the entry or the
 * exit stop is queued as the kernel's own, the call runs, and the signal comes
 * after it; one given at an event stop is dropped; one that somebody sends waits
 * until the call is over (P17). include/linux/ptrace.h ptrace_report_syscall() and
 * ptrace_event(), kernel/signal.c ptrace_stop() and get_signal() decide.
 */
#include <asm/unistd.h>
#include <errno.h>
#include <signal.h>
#include <sys/stat.h>

#include "case.h"
#include "effect.h"
#include "filter.h"
#include "gate.h"
#include "tracee.h"

#define SYSGOOD	PTRACE_O_TRACESYSGOOD
#define ROWS	10

static void empty_handler(int sig)
{
	(void)sig;
}

/* What becomes of @sig in tasks of this case: caught, ignored or blocked. */
enum disposition { DEFAULT, CAUGHT, IGNORED, BLOCKED };

static void dispose(int sig, enum disposition what)
{
	struct sigaction sa = { .sa_handler = empty_handler };
	sigset_t set;

	if (what == IGNORED)
		sa.sa_handler = SIG_IGN;
	if (what == CAUGHT || what == IGNORED)
		sigaction(sig, &sa, NULL);
	sigemptyset(&set);
	sigaddset(&set, sig);
	if (what == BLOCKED)
		sigprocmask(SIG_BLOCK, &set, NULL);
}

FIXTURE(given) {
};

/* @sig, how the task takes it, and the stops of write() and what follows. */
FIXTURE_VARIANT(given) {
	int sig;
	enum disposition what;
	struct stop_row rows[ROWS];
	size_t n;
};

FIXTURE_VARIANT_ADD(given, at_entry_caught) {
	.sig = SIGUSR1, .what = CAUGHT, .n = 6, .rows = {
		{ PTRACE_SYSCALL, 0, "entry write" },
		{ PTRACE_SYSCALL, SIGUSR1, "exit write pc=svc+4 x0=1" },
		{ PTRACE_SYSCALL, 0, "signal SIGUSR1 SI_KERNEL pc=svc+4 x0=1" },
		{ PTRACE_SYSCALL, SIGUSR1, "entry rt_sigreturn" },
		{ PTRACE_SYSCALL, 0, "exit -1 pc=svc+4 x0=1" },
		{ PTRACE_SYSCALL, 0, "entry getuid" },
	},
};

FIXTURE_VARIANT_ADD(given, at_exit_caught) {
	.sig = SIGUSR1, .what = CAUGHT, .n = 6, .rows = {
		{ PTRACE_SYSCALL, 0, "entry write" },
		{ PTRACE_SYSCALL, 0, "exit write pc=svc+4 x0=1" },
		{ PTRACE_SYSCALL, SIGUSR1, "signal SIGUSR1 SI_KERNEL pc=svc+4 x0=1" },
		{ PTRACE_SYSCALL, SIGUSR1, "entry rt_sigreturn" },
		{ PTRACE_SYSCALL, 0, "exit -1 pc=svc+4 x0=1" },
		{ PTRACE_SYSCALL, 0, "entry getuid" },
	},
};

FIXTURE_VARIANT_ADD(given, at_entry_dropped_at_its_own_stop) {
	.sig = SIGTERM, .what = DEFAULT, .n = 4, .rows = {
		{ PTRACE_SYSCALL, 0, "entry write" },
		{ PTRACE_SYSCALL, SIGTERM, "exit write pc=svc+4 x0=1" },
		{ PTRACE_SYSCALL, 0, "signal SIGTERM SI_KERNEL pc=svc+4 x0=1" },
		{ PTRACE_SYSCALL, 0, "entry getuid" },
	},
};

/* Fatal for an untraced task only: complete_signal() leaves a traced one alone. */
FIXTURE_VARIANT_ADD(given, at_entry_fatal) {
	.sig = SIGTERM, .what = DEFAULT, .n = 4, .rows = {
		{ PTRACE_SYSCALL, 0, "entry write" },
		{ PTRACE_SYSCALL, SIGTERM, "exit write pc=svc+4 x0=1" },
		{ PTRACE_SYSCALL, 0, "signal SIGTERM SI_KERNEL pc=svc+4 x0=1" },
		{ PTRACE_SYSCALL, SIGTERM, "killed SIGTERM" },
	},
};

FIXTURE_VARIANT_ADD(given, at_exit_fatal) {
	.sig = SIGTERM, .what = DEFAULT, .n = 4, .rows = {
		{ PTRACE_SYSCALL, 0, "entry write" },
		{ PTRACE_SYSCALL, 0, "exit write pc=svc+4 x0=1" },
		{ PTRACE_SYSCALL, SIGTERM, "signal SIGTERM SI_KERNEL pc=svc+4 x0=1" },
		{ PTRACE_CONT, SIGTERM, "killed SIGTERM" },
	},
};

/* sig_ignored(): the tracer is shown it all the same. */
FIXTURE_VARIANT_ADD(given, at_entry_ignored) {
	.sig = SIGUSR2, .what = IGNORED, .n = 4, .rows = {
		{ PTRACE_SYSCALL, 0, "entry write" },
		{ PTRACE_SYSCALL, SIGUSR2, "exit write pc=svc+4 x0=1" },
		{ PTRACE_SYSCALL, 0, "signal SIGUSR2 SI_KERNEL pc=svc+4 x0=1" },
		{ PTRACE_SYSCALL, SIGUSR2, "entry getuid" },
	},
};

/* It waits until the task unblocks it. */
FIXTURE_VARIANT_ADD(given, at_entry_blocked) {
	.sig = SIGUSR1, .what = BLOCKED, .n = 7, .rows = {
		{ PTRACE_SYSCALL, 0, "entry write" },
		{ PTRACE_SYSCALL, SIGUSR1, "exit write pc=svc+4 x0=1" },
		{ PTRACE_SYSCALL, 0, "entry getuid" },
		{ PTRACE_SYSCALL, 0, "exit getuid" },
		{ PTRACE_SYSCALL, 0, "entry rt_sigprocmask" },
		{ PTRACE_SYSCALL, 0, "exit rt_sigprocmask pc=svc+4 x0=0" },
		{ PTRACE_SYSCALL, 0, "signal SIGUSR1 SI_KERNEL pc=svc+4 x0=0" },
	},
};

/* The stop's own signal number has no meaning of its own when it is given back. */
FIXTURE_VARIANT_ADD(given, at_entry_sigtrap) {
	.sig = SIGTRAP, .what = DEFAULT, .n = 4, .rows = {
		{ PTRACE_SYSCALL, 0, "entry write" },
		{ PTRACE_SYSCALL, SIGTRAP, "exit write pc=svc+4 x0=1" },
		{ PTRACE_SYSCALL, 0, "signal SIGTRAP SI_KERNEL pc=svc+4 x0=1" },
		{ PTRACE_SYSCALL, SIGTRAP, "killed SIGTRAP" },
	},
};

FIXTURE_VARIANT_ADD(given, at_entry_the_last_number) {
	.sig = 64, .what = CAUGHT, .n = 5, .rows = {
		{ PTRACE_SYSCALL, 0, "entry write" },
		{ PTRACE_SYSCALL, 64, "exit write pc=svc+4 x0=1" },
		{ PTRACE_SYSCALL, 0, "signal SIG64 SI_KERNEL pc=svc+4 x0=1" },
		{ PTRACE_SYSCALL, 64, "entry rt_sigreturn" },
		{ PTRACE_SYSCALL, 0, "exit -1 pc=svc+4 x0=1" },
	},
};

/* The group stop comes between the call and the next, and costs neither a stop. */
FIXTURE_VARIANT_ADD(given, at_entry_sigstop) {
	.sig = SIGSTOP, .what = DEFAULT, .n = 5, .rows = {
		{ PTRACE_SYSCALL, 0, "entry write" },
		{ PTRACE_SYSCALL, SIGSTOP, "exit write pc=svc+4 x0=1" },
		{ PTRACE_SYSCALL, 0, "signal SIGSTOP SI_KERNEL pc=svc+4 x0=1" },
		{ PTRACE_SYSCALL, SIGSTOP, "group SIGSTOP" },
		{ PTRACE_SYSCALL, 0, "entry getuid" },
	},
};

/* One at each stop: of two private ones the lower number comes first. */
FIXTURE_VARIANT_ADD(given, at_entry_and_at_exit) {
	.sig = SIGUSR1, .what = CAUGHT, .n = 5, .rows = {
		{ PTRACE_SYSCALL, 0, "entry write" },
		{ PTRACE_SYSCALL, SIGUSR2, "exit write pc=svc+4 x0=1" },
		{ PTRACE_SYSCALL, SIGUSR1, "signal SIGUSR1 SI_KERNEL pc=svc+4 x0=1" },
		{ PTRACE_SYSCALL, 0, "signal SIGUSR2 SI_KERNEL pc=svc+4 x0=1" },
		{ PTRACE_SYSCALL, 0, "entry getuid" },
	},
};

FIXTURE_SETUP(given)
{
}

FIXTURE_TEARDOWN(given)
{
}

TEST_F(given, signal_is_queued_and_the_call_runs_once)
{
	sigset_t *mask = shared_alloc(sizeof(*mask));
	struct svc_script *sc;
	struct tracee t;

	PINS("P17");
	dispose(variant->sig, variant->what);
	effect_pipe();
	sigaddset(mask, variant->sig);
	sc = svc_script_new(3);
	effect_call(&sc->f[0]);
	svc_fill(&sc->f[2], __NR_rt_sigprocmask, 4, U64(SIG_UNBLOCK), U64(mask), U64(0), U64(8));
	t = tracee_start(svc_script_run, sc, SYSGOOD);
	tracee_expect(&t, variant->rows, variant->n, NULL);
	check_eq("bytes that the call wrote", 1, effect_count());
	tracee_end(&t);
}

TEST(signal_given_at_entry_interrupts_a_call_that_would_block)
{
	static const struct stop_row rows[] = {
		{ PTRACE_SYSCALL, 0, "entry read" },
		{ PTRACE_SYSCALL, SIGUSR1, "exit read pc=svc+4 x0=-ERESTARTSYS" },
		{ PTRACE_SYSCALL, 0, "signal SIGUSR1 SI_KERNEL pc=svc x0=gate" },
		{ PTRACE_SYSCALL, SIGUSR1, "entry rt_sigreturn" },
		{ PTRACE_SYSCALL, 0, "exit -1 pc=svc+4 x0=-EINTR" },
		{ PTRACE_SYSCALL, 0, "entry exit_group" },
	};
	struct svc_script *sc;
	struct tracee t;

	PINS("P17");
	dispose(SIGUSR1, CAUGHT);
	gate_new(0);
	sc = svc_script_new(1);
	gate_call(&sc->f[0], 0);
	t = tracee_start(svc_script_run, sc, SYSGOOD);
	tracee_expect(&t, rows, ARRAY_SIZE(rows), NULL);
	tracee_end(&t);
}

TEST(signal_number_out_of_range_is_eio_and_the_task_stays_at_its_entry_stop)
{
	struct svc_script *sc;
	struct tracee t;

	PINS("P17");
	effect_pipe();
	sc = svc_script_new(1);
	effect_call(&sc->f[0]);
	tracee_first(&t, sc, SYSGOOD, PTRACE_SYSCALL, "entry write");
	check_eq("PTRACE_SYSCALL with signal 65", U64(-EIO),
		 U64(tracee_request(&t, PTRACE_SYSCALL, 0, (void *)65)));
	check_eq("PTRACE_CONT with signal -1", U64(-EIO),
		 U64(tracee_request(&t, PTRACE_CONT, 0, (void *)-1L)));
	check_nr("NT_ARM_SYSTEM_CALL after that", __NR_write, tracee_get_nr(&t));
	check_eq("bytes that the call wrote", 0, effect_count());
	tracee_to(&t, PTRACE_SYSCALL, 0, "exit write pc=svc+4 x0=1");
	tracee_end(&t);
}

FIXTURE(event) {
};

/* The signal goes along with the second row. Even SIGKILL has no effect there. */
FIXTURE_VARIANT(event) {
	unsigned long options;
	__u64 nr, arg0;
	struct stop_row rows[4];
	size_t n;
};

FIXTURE_VARIANT_ADD(event, seccomp_sigterm) {
	.options = SYSGOOD | PTRACE_O_TRACESECCOMP, .nr = __NR_umask, .n = 3, .rows = {
		{ PTRACE_CONT, 0, "seccomp umask" },
		{ PTRACE_SYSCALL, SIGTERM, "exit umask pc=svc+4 x0=18" },
		{ PTRACE_SYSCALL, 0, "entry getuid" },
	},
};

FIXTURE_VARIANT_ADD(event, seccomp_sigkill) {
	.options = SYSGOOD | PTRACE_O_TRACESECCOMP, .nr = __NR_umask, .n = 3, .rows = {
		{ PTRACE_CONT, 0, "seccomp umask" },
		{ PTRACE_SYSCALL, SIGKILL, "exit umask pc=svc+4 x0=18" },
		{ PTRACE_SYSCALL, 0, "entry getuid" },
	},
};

FIXTURE_VARIANT_ADD(event, exit_sigterm) {
	.options = SYSGOOD | PTRACE_O_TRACEEXIT, .nr = __NR_exit_group, .arg0 = 3, .n = 2, .rows = {
		{ PTRACE_CONT, 0, "event exit" },
		{ PTRACE_SYSCALL, SIGTERM, "exited 3" },
	},
};

FIXTURE_SETUP(event)
{
}

FIXTURE_TEARDOWN(event)
{
}

TEST_F(event, stop_drops_the_signal_given)
{
	struct svc_script *sc;
	struct tracee t;

	PINS("P17");
	umask(022);
	if (variant->options & PTRACE_O_TRACESECCOMP)
		filter_answer((unsigned int)variant->nr, SECCOMP_RET_TRACE);
	sc = svc_script_new(2);
	svc_fill(&sc->f[0], variant->nr, 1, variant->arg0);
	t = tracee_start(svc_script_run, sc, variant->options);
	tracee_expect(&t, variant->rows, variant->n, NULL);
	tracee_end(&t);
}
