// SPDX-License-Identifier: GPL-2.0
/*
 * Prints what run_tests.sh puts at the head of a run: the kernel, the entry
 * path and the evidence for it, and what this machine has and lacks.
 */
#include <stdio.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "features.h"

int main(void)
{
	const char *evidence, *reason = NULL;
	enum entry_path path = entry_path(&evidence);
	struct utsname u;

	if (uname(&u))
		return 1;
	printf("kernel: %s %s, %ld CPUs, uid %u\n", u.release, u.machine,
	       sysconf(_SC_NPROCESSORS_ONLN), getuid());
	printf("entry path: %s (%s)\n", entry_path_name(path), evidence);
	puts(has_mte(&reason) ? "MTE: yes" : reason);
	puts(has_sud(&reason) ? "Syscall User Dispatch: yes" : reason);
	switch (rseq_check(&reason)) {
	case RSEQ_CHECK_ON:
		printf("rseq section check: on (%s)\n", reason);
		break;
	case RSEQ_CHECK_OFF:
		printf("rseq section check: off (%s)\n", reason);
		break;
	default:
		printf("rseq section check: unknown (%s)\n", reason);
	}
	return 0;
}
