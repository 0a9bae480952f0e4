// SPDX-License-Identifier: GPL-2.0
/* seccomp filters of classic BPF: see filter.h. */
#include <errno.h>
#include <stddef.h>
#include <string.h>
#include <sys/prctl.h>

#include "check.h"
#include "decode.h"
#include "features.h"
#include "filter.h"

void need_filters(void)
{
	const char *reason;

	if (!has_seccomp_filter(&reason))
		case_skip("%s", reason);
}

void filter_load_raw(struct sock_filter *insns, unsigned int n)
{
	struct sock_fprog prog = { (unsigned short)n, insns };

	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) ||
	    prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &prog, 0, 0))
		case_die("installing the filter failed: %s", strerror(errno));
}

void filter_answer(unsigned int nr, unsigned int ret)
{
	struct sock_filter insns[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, nr, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, ret),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};

	need_filters();
	filter_load_raw(insns, ARRAY_SIZE(insns));
}
