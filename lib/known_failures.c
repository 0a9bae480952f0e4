// SPDX-License-Identifier: GPL-2.0
/*
 * The known failures of kernels, and nothing else: which check of which case
 * fails how, on which kernels, and why. A failed check that is listed makes its
 * case XFAIL; any other failed check of the same case is still a failure, and a
 * listed case that passes is XPASS.
 *
 * The tests assert the right value; an entry here never changes what they expect.
 */
#include <fnmatch.h>
#include <string.h>

#include "check.h"

struct known {
	const char *id;		/* row of behaviours.md */
	const char *case_glob;	/* the harness's case name */
	const char *message;	/* glob on the message of the failed check */
	unsigned int first[3];	/* first version that has it */
	unsigned int fixed[3];	/* first version without it; 0.0.0: there is none */
	const char *reason;
};

/* The kernels that have it, as .first and .fixed. */
#define ALL_KERNELS	{ 0, 0, 0 }, { 0, 0, 0 }
#define TO_6_1_190	{ 6, 1, 0 }, { 6, 1, 191 }
#define TO_6_12_113	{ 6, 12, 0 }, { 6, 12, 114 }
#define BEFORE_7_3	{ 0, 0, 0 }, { 7, 3, 0 }
#define FROM_6_1_191	{ 6, 1, 191 }, { 6, 2, 0 }
#define FROM_6_12_114	{ 6, 12, 114 }, { 0, 0, 0 }
#define SINCE_7_0	{ 7, 0, 0 }, { 0, 0, 0 }

#define LOST_CALL \
	"an asynchronous tag fault that wakes no handler loses the call, the task sees -513 (arch/arm64/kernel/syscall.c el0_svc_common())"
#define LOST_MINUS_1 \
	"syscall(-1) that an asynchronous tag fault puts off is never restarted, handler and task see -513 (-1 is no call to in_syscall(), arch/arm64/include/asm/ptrace.h)"

#define ROLLED_BACK \
	"argument 0 of a trapped call is taken for a restart code (arch/arm64/kernel/signal.c arch_do_signal_or_restart())"
#define RIGHT_TRAP	"*: expected 'exited 0: handler x0=argument0 pc=svc+4, returned 4242', "
#define TRAP_EINTR \
	RIGHT_TRAP "observed 'exited 0: handler x0=-EINTR pc=svc+4, returned 4242'"
#define TRAP_TWICE RIGHT_TRAP \
	"observed 'exited 0: handler x0=argument0 pc=svc, handler x0=4242 pc=svc+4, returned 4242'"

#define STALE_X0 \
	"a filter is shown argument 0 as it was before the tracer wrote x0; fixed by 88b839ce497c, in 6.1.191 and 6.12.114"
#define SAW	"the filter saw: expected 'the call as the tracer changed it', observed "

#define ASKS_FOR_A_DEAD_TASK \
	"a filter is asked about number -1 for a task that was killed at its entry stop; fixed by a3386301667e (arch/arm64/kernel/ptrace.c syscall_trace_enter())"

#define STEPS_ON \
	"a tracer that dies while it steps leaves its tracee stepping, which SIGTRAP kills: kernel/ptrace.c exit_ptrace() does not call ptrace_disable() as PTRACE_DETACH does"
#define EMULATED_X0 \
	"the result that the tracer wrote to x0 is taken for argument 0 (update_syscall_orig_x0_after_ptrace() of 88b839ce497c), so a restart of an emulated call loses the argument"

#define RIGHT_DISPATCH	"*: expected 'handler x0=argument0 pc=svc+4, returned 4242', "
#define DISPATCH_EINTR \
	RIGHT_DISPATCH "observed 'handler x0=-EINTR pc=svc+4, returned 4242'"
#define DISPATCH_TWICE RIGHT_DISPATCH \
	"observed 'handler x0=argument0 pc=svc, handler x0=4242 pc=svc+4, returned 4242'"

#define CODE_IN_HALF \
	"a result that is a restart code in its lower half is taken for one when a signal follows (arch/arm64/kernel/signal.c arch_do_signal_or_restart())"
#define RIGHT_RESULT \
	"a signal after lseek(): expected 'handler x0=result pc=svc+4, returned result, position result', "
#define RESULT_EINTR \
	RIGHT_RESULT "observed 'handler x0=-EINTR pc=svc+4, returned -EINTR, position result'"
#define RESULT_TWICE \
	RIGHT_RESULT "observed 'handler x0=100 pc=svc, returned twice, position twice'"
#define STALE_RESTART \
	"a call restarts with argument 0 as it was before the tracer wrote x0; fixed by 88b839ce497c, in 6.1.191 and 6.12.114"

#define STALE_R0 \
	"r0 of a 32-bit task written at entry does not reach the calls that 64-bit tasks have, too: they take orig_r0 (SC_ARM64_REGS_TO_ARGS in asm/syscall_wrapper.h; 6.12 took r0)"

static const struct known known[] = {
	{ "C01", "tracer_change.argument_0*", SAW "'the call as the task issued it'",
	  TO_6_1_190, STALE_X0 },
	{ "C01", "tracer_change.number_and_arguments.*",
	  SAW "'the tracer's call with the task's argument 0'",
	  TO_6_1_190, STALE_X0 },
	{ "C01", "tracer_change.argument_0*", SAW "'the call as the task issued it'",
	  TO_6_12_113, STALE_X0 },
	{ "C01", "tracer_change.number_and_arguments.*",
	  SAW "'the tracer's call with the task's argument 0'",
	  TO_6_12_113, STALE_X0 },
	{ "C01", "global.argument_0_written_at_entry_is_that_of_the_restart",
	  "x0 at the *: expected 201 (0xc9), observed 1000 (0x3e8)",
	  TO_6_1_190, STALE_RESTART },
	{ "C01", "global.argument_0_written_at_entry_is_that_of_the_restart",
	  "x0 at the *: expected 201 (0xc9), observed 1000 (0x3e8)",
	  TO_6_12_113, STALE_RESTART },
	{ "K06", "emulated_restart.*.with_a_signal_makes_the_call_again_with_argument_0",
	  "x0 at the s*: expected 200 (0xc8), observed -ERESTART*", FROM_6_1_191, EMULATED_X0 },
	{ "K06", "emulated_restart.*.with_a_signal_makes_the_call_again_with_argument_0",
	  "x0 at the s*: expected 200 (0xc8), observed -ERESTART*", FROM_6_12_114, EMULATED_X0 },
	{ "K01", "trap_restart_code.erestartsys*.is_an_argument_without_sa_restart",
	  TRAP_EINTR, ALL_KERNELS, ROLLED_BACK },
	{ "K01", "trap_restart_code.erestartsys*.is_an_argument_with_sa_restart",
	  TRAP_TWICE, ALL_KERNELS, ROLLED_BACK },
	{ "K01", "trap_restart_code.erestartnointr.*",
	  TRAP_TWICE, ALL_KERNELS, ROLLED_BACK },
	{ "K01", "trap_restart_code.erestartnohand.*",
	  TRAP_EINTR, ALL_KERNELS, ROLLED_BACK },
	{ "K01", "trap_restart_code.erestart_restartblock.*",
	  TRAP_EINTR, ALL_KERNELS, ROLLED_BACK },
	{ "K01", "global.arm32_argument_0_of_a_trapped_call_is_no_restart_code",
	  "the frame's r0 (argument 0 is -512 in ARM code): expected 0xfffffe00, observed 0xfffffffc",
	  ALL_KERNELS, ROLLED_BACK },
	{ "K01", "global.arm32_argument_0_of_a_trapped_call_is_no_restart_code",
	  "the frame's PC (argument 0 is -513 in ARM code): expected svc+4 (0x*), observed svc (0x*)",
	  ALL_KERNELS, ROLLED_BACK },
	{ "K01", "dispatch_restart_code.erestartsys*.is_an_argument_of_a_dispatched_call",
	  DISPATCH_EINTR, ALL_KERNELS, ROLLED_BACK },
	{ "K01", "dispatch_restart_code.erestartsys*.is_an_argument_with_sa_restart_too",
	  DISPATCH_TWICE, ALL_KERNELS, ROLLED_BACK },
	{ "K01", "dispatch_restart_code.erestartnointr.*",
	  DISPATCH_TWICE, ALL_KERNELS, ROLLED_BACK },
	{ "K01", "dispatch_restart_code.erestartnohand.*",
	  DISPATCH_EINTR, ALL_KERNELS, ROLLED_BACK },
	{ "K01", "dispatch_restart_code.erestart_restartblock.*",
	  DISPATCH_EINTR, ALL_KERNELS, ROLLED_BACK },
	{ "K02", "held.*.call_runs_and_returns_its_own_result",
	  "x0 after the call: expected *, observed -ERESTARTNOINTR (0xfffffffffffffdff)",
	  ALL_KERNELS, LOST_CALL },
	{ "K02", "held.*_write.call_runs_and_returns_its_own_result",
	  "bytes the call wrote: expected 1, observed 0",
	  ALL_KERNELS, LOST_CALL },
	{ "K02", "held.*_umask.call_runs_and_returns_its_own_result",
	  "umask after the call: expected 18 (0x12), observed 63 (0x3f)",
	  ALL_KERNELS, LOST_CALL },
	{ "K02", "async.store_minus_1.sigsegv_is_delivered_before_the_call_which_then_runs_once",
	  "x0 in the handler's context: expected 3, observed -ERESTARTNOINTR (0xfffffffffffffdff)",
	  ALL_KERNELS, LOST_MINUS_1 },
	{ "K02", "async.store_minus_1.sigsegv_is_delivered_before_the_call_which_then_runs_once",
	  "PC in the handler's context: expected svc (0x*), observed svc+4 (0x*)",
	  ALL_KERNELS, LOST_MINUS_1 },
	{ "K02", "async.store_minus_1.sigsegv_is_delivered_before_the_call_which_then_runs_once",
	  "x0 after the call: expected -ENOSYS (0xffffffffffffffda), observed -ERESTARTNOINTR (0xfffffffffffffdff)",
	  ALL_KERNELS, LOST_MINUS_1 },
	{ "K03", "large_result.erestartsys.*", RESULT_EINTR, ALL_KERNELS, CODE_IN_HALF },
	{ "K03", "large_result.erestartsys_sa_restart.*", RESULT_TWICE, ALL_KERNELS, CODE_IN_HALF },
	{ "K03", "large_result.erestartnointr.*", RESULT_TWICE, ALL_KERNELS, CODE_IN_HALF },
	{ "K03", "large_result.erestartnohand*", RESULT_EINTR, ALL_KERNELS, CODE_IN_HALF },
	{ "K03", "large_result.erestart_restartblock.*", RESULT_EINTR, ALL_KERNELS, CODE_IN_HALF },
	{ "P18", "unasked.*.filter_of_a_task_that_sigkill_finds_at_its_entry_stop",
	  "times that the filter was asked about the call of the killed task: expected 0, observed 1",
	  BEFORE_7_3, ASKS_FOR_A_DEAD_TASK },
	{ "K05", "*.tracer_that_dies_without_exitkill_leaves_a_stepped_tracee_running",
	  "stop 1 of 1: expected 'exited 0', observed 'killed SIGTRAP'",
	  ALL_KERNELS, STEPS_ON },
	{ "K04", "global.arm32_argument_0_written_at_entry_to_r0_alone_is_what_runs",
	  "umask afterwards (umask in ARM code): expected 23 (0x17), observed 18 (0x12)",
	  SINCE_7_0, STALE_R0 },
	{ 0 }
};

static bool in_range(const struct known *k)
{
	if (!kernel_at_least(k->first))
		return false;
	return !k->fixed[0] || !kernel_at_least(k->fixed);
}

/**
 * known_failure() - is this failed check a known failure of the running kernel?
 * @case_name: the harness's name of the case
 * @message:   the check's message, or NULL to ask for the case alone
 * @reason:    set to the reason when it is
 *
 * Return: its id, NULL if it is not known.
 */
const char *known_failure(const char *case_name, const char *message, const char **reason)
{
	for (const struct known *k = known; k->id; k++) {
		if (fnmatch(k->case_glob, case_name, 0) || !in_range(k))
			continue;
		if (message && fnmatch(k->message, message, 0))
			continue;
		*reason = k->reason;
		return k->id;
	}
	return NULL;
}
