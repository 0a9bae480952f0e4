/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Checks, skips and the transcript: what a test body says, and what the
 * library says on its behalf. The verdict is made in case.h, which ties this
 * to the kernel's harness.
 */
#ifndef ENTRY_CHECK_H
#define ENTRY_CHECK_H

#include <stdbool.h>
#include <stddef.h>
#include <linux/types.h>
#include <sys/types.h>

#ifndef __printf
#define __printf(a, b) __attribute__((format(printf, a, b)))
#endif
#ifndef __noreturn
#define __noreturn __attribute__((__noreturn__))
#endif

#define U64(x) ((__u64)(x))

/**
 * struct case_state - what one case did, shared by all its processes
 * @name:     the harness's name of the case, "fixture.variant.case"
 * @ids:      the behaviours it pins down, from PINS()
 * @checks:   checks made
 * @failures: checks failed
 * @known:    failed checks that are a known failure of this kernel
 * @known_id: which one
 * @ended:    the case ended early, so not all of it was checked
 * @reason:   why it was skipped, or the known failure's reason
 * @undo:     from case_on_end()
 */
struct case_state {
	char name[256];
	char ids[128];
	unsigned int checks;
	unsigned int failures;
	unsigned int known;
	const char *known_id;
	bool ended;
	char *reason;
	size_t reason_size;
	void (*undo)(void);
};

extern struct case_state *case_state;

/*
 * program_main - main() of the program that runs, set by case.h
 * program_is() - is it the program of this source file? For constructors, too.
 */
extern int (*program_main)(int argc, char **argv);
bool program_is(const char *source);

/**
 * PINS() - first statement of every case: the behaviours it pins down
 * @ids: their ids in behaviours.md, separated by blanks; printed with a failure
 *
 * Also ties the process to its parent, so that no case outlives its program.
 */
#define PINS(ids) case_begin(ids)
void case_begin(const char *ids);

/* transcript() - write down something observed, in the notation of decode.h. */
void __printf(1, 2) transcript(const char *fmt, ...);

/* case_note() - a diagnostic line that is no observation. */
void __printf(1, 2) case_note(const char *fmt, ...);

/**
 * case_fail() - a failed check; the case goes on
 * @fmt: one line: what, expected, observed
 *
 * Counts as known where lib/known_failures.c lists it for this case and kernel.
 */
void __printf(1, 2) case_fail(const char *fmt, ...);

/* case_die() - case_fail(), and the case ends here. Its tracees die with it. */
void __noreturn __printf(1, 2) case_die(const char *fmt, ...);

/* case_end() - the case ends here, after a check that failed. */
void __noreturn case_end(void);

/**
 * case_skip() - end the case: this cannot be tested here
 * @fmt: the reason, and what would enable it (option, boot parameter, privilege, CPU)
 */
void __noreturn __printf(1, 2) case_skip(const char *fmt, ...);

/**
 * case_on_end() - have something undone before the next case starts
 * @undo: called once, when the case has ended by itself, by return or by any of the
 *        above, and not necessarily in the process that called this; NULL for nothing
 *
 * A case that is killed does not come to it.
 */
void case_on_end(void (*undo)(void));

/* case_undo() - do what case_on_end() asked for; for the harness and the above. */
void case_undo(void);

/**
 * check_eq() - one value is what it must be
 * @what:     what the value is, for the message: "x7 at the exit stop"
 * @expected: as written in behaviours.md
 * @observed: what the kernel did
 *
 * Return: whether they are equal.
 */
bool check_eq(const char *what, __u64 expected, __u64 observed);

/* check_eqf() - the same, with @what as for printf: it is made only where the check fails. */
bool __printf(3, 4) check_eqf(__u64 expected, __u64 observed, const char *fmt, ...);

/* For such a format: what a case that does several things is about, in brackets, or NULL. */
#define ABOUT		"%s%s%s"
#define ABOUT_ARGS(a)	(a) ? " (" : "", (a) ? (a) : "", (a) ? ")" : ""

/* check_nr() - the same for a system call's number, by name; -1 reads "-1 (no call)". */
bool check_nr(const char *what, int expected, int observed);

/* check_status() - the same for a wait status, in the notation: "exited 0". */
bool check_status(const char *what, int expected, int observed);

/* check_str() - the same for text. */
bool check_str(const char *what, const char *expected, const char *observed);

/* check_true() - a condition; @what says what must be so. */
bool check_true(const char *what, bool condition);

/* check_mem() - the same for @len bytes; the message names the first that differs. */
bool check_mem(const char *what, const void *expected, const void *observed, size_t len);

/**
 * shared_alloc() - zeroed memory that the case and its tracees share
 * @size: bytes
 *
 * Lives as long as the case. Return: never NULL.
 */
void *shared_alloc(size_t size);

/**
 * kernel_at_least() - for lib/known_failures.c only; a test never asks the version
 * @version: major, minor and patch level
 *
 * Debian's patch level is that of uname -v: its release says 6.1.0 for all of 6.1.
 * Return: the running kernel is of that version or a newer one.
 */
bool kernel_at_least(const unsigned int version[3]);

/* known_failure(): see lib/known_failures.c. */
const char *known_failure(const char *case_name, const char *message, const char **reason);

#endif
