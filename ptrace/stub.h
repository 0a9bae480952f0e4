/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A system call between two breakpoints: nothing but the tracer gives the registers
 * their values and looks at them afterwards, so that SP may be anything.
 */
#ifndef STUB_H
#define STUB_H

/**
 * stub() - brk; svc; nop; brk
 * @unused: a body for tracee_start() has an argument
 *
 * At the first brk the tracer sets the registers and PC to stub_svc. Does not
 * return.
 */
void stub(void *unused);

/* The svc, and the instruction after it, which the second brk follows. */
extern const char stub_svc[], stub_after[];

#endif
