/* SPDX-License-Identifier: GPL-2.0 */
/* What the tests of Syscall User Dispatch share. */
#ifndef SUD_SUD_H
#define SUD_SUD_H

#include <asm/unistd.h>
#include <errno.h>
#include <string.h>

#include "case.h"
#include "caught.h"
#include "features.h"
#include "tracee.h"

#define EXCLUSIVE	PR_SYS_DISPATCH_EXCLUSIVE_ON
#define INCLUSIVE	PR_SYS_DISPATCH_INCLUSIVE_ON
#define ALLOW		SYSCALL_DISPATCH_FILTER_ALLOW
#define BLOCK		SYSCALL_DISPATCH_FILTER_BLOCK

/**
 * control_run() - svc_run() at another address, to stay in control where the
 *                 tested svc is dispatched
 *
 * The kernel compares ranges with the address after svc: control_after.
 */
void control_run(struct svc_frame *frame);
extern const char control_after[];

/* The byte that the kernel reads before each call outside the range. */
static char selector = ALLOW;

static inline void select_calls(char what)
{
	__atomic_store_n(&selector, what, __ATOMIC_SEQ_CST);
}

static inline void need_sud(void)
{
	const char *reason;

	if (!can_use_sud(&reason))
		case_skip("%s", reason);
	name_range(U64(svc_insn), 12, "svc");
	name_value(svc_pattern(0), "pattern0");
}

/* The request, raw: 0 or -errno. */
static inline long sud_prctl(unsigned long mode, __u64 offset, __u64 len, __u64 sel)
{
	return svc_call(__NR_prctl, 5, U64(PR_SET_SYSCALL_USER_DISPATCH), U64(mode), offset, len,
			sel);
}

static inline void sud_on(unsigned long mode, __u64 offset, __u64 len, void *sel)
{
	long ret = sud_prctl(mode, offset, len, U64(sel));

	if (mode == INCLUSIVE && ret == -EINVAL && sud_prctl(mode, 1, 1, 0) == -EINVAL)
		case_skip("no PR_SYS_DISPATCH_INCLUSIVE_ON: needs a kernel that has this mode");
	if (ret)
		case_die("switching dispatch on: expected 0, observed %s", value_name(U64(ret)));
}

/* svc_run() with the selector on block, everything else with it on allow. */
static inline void run_blocked(struct svc_frame *f)
{
	select_calls(BLOCK);
	svc_run(f);
	select_calls(ALLOW);
}

/* What a handler gives a dispatched call as its result. */
#define HANDLED		4242

/* For catch_signal(). The way back needs no allowed call: the vDSO's passes. */
static inline void handle_call(ucontext_t *uc)
{
	uc->uc_mcontext.regs[0] = HANDLED;
	if (caught_count() > 4)
		select_calls(ALLOW);	/* a kernel that goes on and on is reported */
}

#endif
