/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A call that blocks until the case lets it go on: read() of a byte that nobody
 * has written yet. So a task waits inside the kernel at a place that is known, and
 * no test has to sleep.
 */
#ifndef GATE_H
#define GATE_H

#include "svc.h"
#include "tracee.h"

#define GATES		3

/**
 * gate_new() - close gate @n, before the tasks that are to wait at it are forked
 * @n: 0 to GATES - 1; its end to read from is "gate" in the notation
 */
void gate_new(unsigned int n);

/* gate_call() - make @frame wait at gate @n: read() of one byte, which returns 1. */
void gate_call(struct svc_frame *frame, unsigned int n);

/* gate_wait() - wait at gate @n by a raw call, in any task, the case's own too. */
void gate_wait(unsigned int n);

/* gate_open() - let one task through gate @n, now or when it comes; from any task. */
void gate_open(unsigned int n);

/**
 * gate_spawn() - a script whose first call waits at gate 0, in a task that nobody traces
 * @s: the script, its first call for gate_call() to make
 *
 * Return: the task, asleep in that call.
 */
struct tracee gate_spawn(struct svc_script *s);

/**
 * effect_answer() - a filter for the call of effect.h, which allows all others
 * @ret: SECCOMP_RET_* with its data
 *
 * Unlike filter_answer(__NR_write) it leaves the case its output. Skips the case
 * where there are no filters.
 */
void effect_answer(unsigned int ret);

/* effect_wait() - wait until the call of effect.h has been made, by another task. */
void effect_wait(void);

#endif
