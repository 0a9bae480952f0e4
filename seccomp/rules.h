/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the tests of this directory share: filters. They are libseccomp's (2.5.4 is
 * enough); one that it cannot express is raw BPF, by lib/filter.h, and says why.
 */
#ifndef SECCOMP_RULES_H
#define SECCOMP_RULES_H

#include <asm/unistd.h>
#include <errno.h>
#include <seccomp.h>

#include "case.h"
#include "effect.h"
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

/* filter_effect() - a rule that gives @action to the call of effect_call(). */
static inline void filter_effect(scmp_filter_ctx f, __u32 action)
{
	struct scmp_arg_cmp fd = arg_is(0, EFFECT_FD);

	filter_add(f, action, __NR_write, 1, &fd);
}

/**
 * filter_data_from_arg1() - install a filter that answers getuid with @action,
 *                           its data the call's argument 1
 * @action: SECCOMP_RET_*
 *
 * Raw BPF: libseccomp has no rule that takes the data from an argument, gives TRAP
 * none, refuses the error 4095, and cannot go above it.
 */
static inline void filter_data_from_arg1(__u32 action)
{
	struct sock_filter insns[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_getuid, 0, 3),
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args[1])),
		BPF_STMT(BPF_ALU | BPF_OR | BPF_K, action),
		BPF_STMT(BPF_RET | BPF_A, 0),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};

	filter_load_raw(insns, ARRAY_SIZE(insns));
}

#endif
