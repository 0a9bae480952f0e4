/* SPDX-License-Identifier: GPL-2.0 */
/* A program of many system calls, which says on its standard output how they went. */
#ifndef PTRACE_EMULATED_H
#define PTRACE_EMULATED_H

/* argv[0] of the test's own binary that makes it this program; argv[1] is an empty directory. */
#define EMULATED_NAME	"emulated-program"

/* Its exit status. */
#define EMULATED_EXIT	42

#endif
