/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Where a tracer can change a call before it runs: at the entry stop, at a
 * seccomp stop, and at the entry stop of a thread that is not its process's first.
 */
#ifndef WAY_H
#define WAY_H

#include "tracee.h"

/**
 * struct way - one of these places
 * @stop:    the word for the stop in the notation
 * @request: leads to it
 * @filter:  a seccomp filter with RET_TRACE makes it
 * @thread:  a second thread makes the calls
 */
struct way {
	const char *stop;
	long request;
	bool filter;
	bool thread;
};

extern const struct way way_entry, way_seccomp, way_thread;

/**
 * way_start() - start a task that is going to make the calls of a script
 * @w:  the place
 * @sc: the script; the filter of way_seccomp is for the number of its first call, with
 *      an argument 0 as one of them has it in its lower half
 *
 * With PTRACE_O_TRACESYSGOOD. Skips the case where there are no filters.
 * Return: the task, to be resumed by way_to(), or by way_end() killed.
 */
struct tracee way_start(const struct way *w, struct svc_script *sc);

/**
 * way_to() - on to the stop of the next call
 * @w, @t: as above
 * @call:  the call and what else the notation says: "getuid pc=svc+4"
 *
 * PTRACE_SYSCALL leads on from there to the call's exit stop, in each way.
 */
struct stop way_to(const struct way *w, struct tracee *t, const char *call);

/* way_first() - way_start(), and way_to() the first call. */
struct stop way_first(const struct way *w, struct tracee *t, struct svc_script *sc,
		      const char *call);

/* way_end() - end the task, and its process. */
void way_end(struct tracee *t);

#endif
