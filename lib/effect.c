// SPDX-License-Identifier: GPL-2.0
/* A call whose side effect can be counted: see effect.h. */
#include <asm/unistd.h>
#include <errno.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include "check.h"
#include "effect.h"

void effect_pipe(void)
{
	struct rlimit files;
	int fds[2];

	if (!getrlimit(RLIMIT_NOFILE, &files) && files.rlim_cur <= EFFECT_READ_FD) {
		files.rlim_cur = files.rlim_max;
		if (files.rlim_max <= EFFECT_READ_FD || setrlimit(RLIMIT_NOFILE, &files))
			case_skip("too few files: needs ulimit -n %d", EFFECT_READ_FD + 1);
	}
	if (pipe(fds) || dup2(fds[0], EFFECT_READ_FD) < 0 || dup2(fds[1], EFFECT_FD) < 0)
		case_die("no pipe: %s", strerror(errno));
	close(fds[0]);
	close(fds[1]);
}

void effect_call(struct svc_frame *frame)
{
	static const __u64 args[] = EFFECT_ARGS;

	svc_fill(frame, __NR_write, 3, args[0], args[1], args[2]);
}

__u64 effect_count(void)
{
	int n = -1;

	ioctl(EFFECT_READ_FD, FIONREAD, &n);
	return U64(n);
}
