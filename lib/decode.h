/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What a ptrace stop is, from what the kernel says about it, and the one
 * notation in which the suite writes down stops, values and signals.
 *
 * Nothing here makes a system call or depends on the architecture, so the
 * decoder is tested on the build machine (tests/decode_unit.c).
 */
#ifndef ENTRY_DECODE_H
#define ENTRY_DECODE_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <linux/types.h>

#ifndef ARRAY_SIZE
#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))
#endif

enum stop_kind {
	STOP_BAD,		/* the kernel contradicts itself */
	STOP_ENTRY,		/* syscall-entry-stop */
	STOP_EXIT,		/* syscall-exit-stop */
	STOP_SECCOMP,		/* PTRACE_EVENT_SECCOMP */
	STOP_EVENT,		/* any other PTRACE_EVENT_* */
	STOP_SIGNAL,		/* signal-delivery-stop */
	STOP_STEP,		/* hardware step: SIGTRAP, TRAP_TRACE */
	STOP_PSEUDO_STEP,	/* the step a system call reports in place of its exit stop */
	STOP_HANDLER,		/* first instruction of a signal handler, while stepping */
	STOP_GROUP,		/* group-stop */
	STOP_EXITED,
	STOP_KILLED,
};

/**
 * struct stop_raw - what the kernel said of one stop, before interpretation
 * @status:   the wait status
 * @siginfo:  PTRACE_GETSIGINFO worked and @si holds its answer
 * @si:       the siginfo
 * @msg:      PTRACE_GETEVENTMSG, ~0ul if it failed
 */
struct stop_raw {
	int status;
	bool siginfo;
	siginfo_t si;
	unsigned long msg;
};

/**
 * decode_stop() - decide the kind of a stop
 * @raw: what the kernel said
 *
 * A syscall stop is told by SIGTRAP|0x80, or, without PTRACE_O_TRACESYSGOOD,
 * by si_code SIGTRAP with an event message; kernel/ptrace.c ptrace_notify()
 * and include/linux/ptrace.h ptrace_report_syscall() make both. The pseudo-step
 * is a SIGTRAP with SI_USER and pid 0: arm64 user_single_step_report().
 *
 * Return: the kind, STOP_BAD where the status fits none.
 */
enum stop_kind decode_stop(const struct stop_raw *raw);

/* stop_kind_name() - the word for @kind in the notation ("entry", "pseudo-step"). */
const char *stop_kind_name(enum stop_kind kind);

/* sig_name() - "SIGTRAP" for 5; "SIG40" for a signal without a name. */
const char *sig_name(int sig);

/* sicode_name() - "TRAP_TRACE" for (SIGTRAP, 2); the number where there is no name. */
const char *sicode_name(int sig, int code);

/* errno_name() - "ENOSYS" for 38, ERESTARTSYS and its kin included; NULL if unknown. */
const char *errno_name(int err);

/* syscall_name() - "getppid" for the arm64 number 173; the number where there is no name. */
const char *syscall_name(long nr);

/* arm_syscall_name() - "arm:dup" for the number 41 of a 32-bit task; "arm:5" without a name. */
const char *arm_syscall_name(long nr);

/**
 * value_name() - a register or result in the notation
 * @value: the value
 *
 * The label it was given with name_value() or name_range(); else decimal below
 * 65536, -ENAME for errors and restart codes, "addr" for what may be an address
 * in a mapping (2^32 to 2^48), and hexadecimal.
 *
 * Return: a string that stays valid for the next fifteen calls.
 */
const char *value_name(__u64 value);

/*
 * name_value() - from now on @value, and it alone, is written as @name. At most 32
 * names; of two for one value the newer wins.
 */
void name_value(__u64 value, const char *name);

/* name_range() - the same for @start..@start+@len-1, written as @name, @name+4, ... */
void name_range(__u64 start, __u64 len, const char *name);

#endif
