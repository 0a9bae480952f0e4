/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The smallest program to exec: two system calls of known number at known places,
 * and no libc. It lies in a memfd, so no file is needed.
 */
#ifndef PROGRAM_H
#define PROGRAM_H

#include "svc.h"

/* Its instructions: movz x8; svc (getuid); movz x0; movz x8; svc (exit_group(7)). */
#define PROGRAM_ENTRY	0x400078
#define PROGRAM_STATUS	7

/**
 * program_call() - make @frame execve() that program
 * @frame: filled; its argument 0 is "path" in the notation
 *
 * PROGRAM_ENTRY is "program" in the notation: the calls are seen at program+8 and
 * program+20. Skips the case where a memfd cannot be executed.
 */
void program_call(struct svc_frame *frame);

#endif
