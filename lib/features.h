/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What this kernel and CPU have. A test that needs something asks here and
 * skips with the reason it gets; nothing is inferred from the version number.
 */
#ifndef ENTRY_FEATURES_H
#define ENTRY_FEATURES_H

#include <stdbool.h>
#include <stddef.h>

enum entry_path {
	PATH_UNKNOWN,
	PATH_LEGACY,	/* arch/arm64's own el0_svc_common() */
	PATH_GENERIC,	/* CONFIG_GENERIC_ENTRY, include/linux/entry-common.h */
};

/**
 * entry_path() - which syscall entry code this kernel runs
 * @evidence: set to what decided it, a string that stays valid
 *
 * In order: ENTRY_EXPECT=legacy|generic in the environment; CONFIG_GENERIC_ENTRY
 * in the kernel's configuration; the names in /proc/kallsyms
 * (syscall_enter_audit exists with CONFIG_GENERIC_SYSCALL only,
 * syscall_trace_exit as a symbol on arm64's own path only); Syscall User
 * Dispatch, which only the generic path can have.
 */
enum entry_path entry_path(const char **evidence);

/* entry_path_name() - "legacy", "generic" or "unknown". */
const char *entry_path_name(enum entry_path path);

enum config_answer {
	CONFIG_UNREADABLE,	/* neither /proc/config.gz nor /boot/config-RELEASE */
	CONFIG_NO,
	CONFIG_YES,
};

/**
 * kernel_config() - is an option on in the running kernel?
 * @option: "CONFIG_DEBUG_RSEQ"
 *
 * Return: CONFIG_YES for y or m.
 */
enum config_answer kernel_config(const char *option);

/**
 * has_sud() - Syscall User Dispatch
 * @reason: set when it has not: what is missing and what would enable it
 */
bool has_sud(const char **reason);

/**
 * can_use_sud() - has_sud(), and a task may switch it on
 * @reason: as above; sysctl kernel.syscall_user_dispatch=0 forbids it (EPERM)
 *
 * Leaves it off.
 */
bool can_use_sud(const char **reason);

/* has_mte() - the CPU's Memory Tagging Extension, enabled in the kernel. @reason as above. */
bool has_mte(const char **reason);

/* has_seccomp_filter() - CONFIG_SECCOMP_FILTER. @reason as above. */
bool has_seccomp_filter(const char **reason);

enum rseq_check {
	RSEQ_CHECK_UNKNOWN,
	RSEQ_CHECK_OFF,
	RSEQ_CHECK_ON,
};

/**
 * rseq_check() - does the kernel check for system calls inside rseq sections?
 * @reason: set to the evidence; where it is off or unknown, with what would enable it
 *
 * CONFIG_DEBUG_RSEQ on the legacy path (arch/arm64/kernel/ptrace.c
 * syscall_trace_exit()), or where the configuration cannot be read its function
 * rseq_syscall() in /proc/kallsyms; no switch matters there. On the generic path
 * the switch of kernel/rseq.c: debugfs rseq/debug, rseq_debug= on the command
 * line, or CONFIG_RSEQ_DEBUG_DEFAULT_ENABLE (D3).
 */
enum rseq_check rseq_check(const char **reason);

#endif
