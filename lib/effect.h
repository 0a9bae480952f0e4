/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A call whose side effect can be counted: it writes one byte to a pipe that no
 * other call writes to, so that the bytes in it say whether it ran, and how often.
 */
#ifndef ENTRY_EFFECT_H
#define ENTRY_EFFECT_H

#include "svc.h"

/* The ends of the pipe: the one that the call writes to, and the other. */
#define EFFECT_FD	200
#define EFFECT_READ_FD	201

/* The call, write(EFFECT_FD, "!", 1): x0-x2, for the tables of a test. It returns 1. */
#define EFFECT_ARGS	{ EFFECT_FD, (__u64)"!", 1 }

/**
 * effect_pipe() - make the two descriptors the ends of a pipe, which is empty
 *
 * For this process and what it forks. A second one takes the place of the first.
 */
void effect_pipe(void);

/* effect_call() - make @frame that call: svc_fill() with write and EFFECT_ARGS. */
void effect_call(struct svc_frame *frame);

/**
 * effect_count() - how many bytes are in the pipe: how often the call ran
 *
 * One ioctl(FIONREAD) of the calling process, for a signal handler too. It takes
 * nothing out of the pipe and does not wait for anything to come.
 *
 * Return: the number; ~0 where it cannot be had, which no test expects.
 */
__u64 effect_count(void);

#endif
