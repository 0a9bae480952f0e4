/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the tests of this directory share: filters, and a call whose side effect
 * can be counted. Filters are libseccomp's (2.5.4 is enough); one that it cannot
 * express is raw BPF, by lib/filter.h, and says why.
 */
#ifndef SECCOMP_RULES_H
#define SECCOMP_RULES_H

#include <asm/unistd.h>
#include <errno.h>
#include <seccomp.h>
#include <sys/ioctl.h>

#include "case.h"
#include "filter.h"
#include "svc.h"

/**
 * filter_new() - a libseccomp filter without rules
 * @fallback: SCMP_ACT_* for the calls that no rule names
 */
static inline scmp_filter_ctx filter_new(__u32 fallback)
{
	scmp_filter_ctx f = seccomp_init(fallback);

	if (!f || seccomp_attr_set(f, SCMP_FLTATR_API_TSKIP, 1))
		case_die("libseccomp made no filter");
	return f;
}

/* arg_is() - SCMP_CMP64(@arg, SCMP_CMP_EQ, @value), at which clang warns. */
static inline struct scmp_arg_cmp arg_is(unsigned int arg, __u64 value)
{
	return (struct scmp_arg_cmp){ .arg = arg, .op = SCMP_CMP_EQ, .datum_a = value };
}

/**
 * filter_add() - a rule
 * @action: SCMP_ACT_*; libseccomp takes only another one than the filter's fallback
 * @nr:     for this number
 * @n:      how many of @cmp must all be true
 * @cmp:    arg_is()
 */
static inline void filter_add(scmp_filter_ctx f, __u32 action, int nr, unsigned int n,
			      const struct scmp_arg_cmp *cmp)
{
	int ret = seccomp_rule_add_array(f, action, nr, n, cmp);

	if (ret)
		case_die("libseccomp refused a rule (action 0x%x, number %d): %s", action, nr,
			 strerror(-ret));
}

/* filter_load() - install @f for this process and what it forks, and free it. */
static inline void filter_load(scmp_filter_ctx f)
{
	int ret = seccomp_load(f);

	if (ret)
		case_die("installing the filter failed: %s", strerror(-ret));
	seccomp_release(f);
}

/* filter_call() - install a filter with one rule: all calls of @nr get @action. */
static inline void filter_call(__u32 action, int nr)
{
	scmp_filter_ctx f = filter_new(SCMP_ACT_ALLOW);

	filter_add(f, action, nr, 0, NULL);
	filter_load(f);
}

/* The descriptor that the call under test writes one byte to, and no other call uses. */
#define BYTE_FD	200

/* byte_pipe() - make BYTE_FD the end of a pipe. Return: the end for bytes_written(). */
static inline int byte_pipe(void)
{
	int fd[2];

	if (pipe(fd) || dup2(fd[1], BYTE_FD) != BYTE_FD)
		case_die("no pipe: %s", strerror(errno));
	close(fd[1]);
	return fd[0];
}

/* bytes_written() - how many bytes are in the pipe: whether the call ran, and how often. */
static inline __u64 bytes_written(int fd)
{
	int n = -1;

	ioctl(fd, FIONREAD, &n);
	return U64(n);
}

/* byte_call() - make @frame that call: write(BYTE_FD, "!", 1). */
static inline void byte_call(struct svc_frame *frame)
{
	svc_fill(frame, __NR_write, 3, U64(BYTE_FD), U64("!"), U64(1));
}

/* filter_byte_call() - a rule that gives @action to that call. */
static inline void filter_byte_call(scmp_filter_ctx f, __u32 action)
{
	struct scmp_arg_cmp fd = arg_is(0, BYTE_FD);

	filter_add(f, action, __NR_write, 1, &fd);
}

#endif
