/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Around the instructions under test: every register loaded from a struct
 * svc_frame before them and stored into it after them. For a stub of one's own,
 * in a test directory's .S file:
 *
 *	frame_function NAME	void NAME(struct svc_frame *frame)
 *	  ...			what the test is about; any register may be used
 *	frame_end NAME
 *
 * SP is @frame->sp in between; [sp] and [sp, #8] are taken.
 */
#ifndef ENTRY_SVC_FRAME_S
#define ENTRY_SVC_FRAME_S

#include "svc.h"

/* On the stack: frame pointer, scratch, then the callee-saved registers. */
#define SVC_SAVE	(14 * 8)

	.macro	frame_function name:req
	.text
	.balign	64
	.globl	\name
	.type	\name, %function
\name:
	sub	sp, sp, #SVC_SAVE
	stp	x19, x20, [sp, #16]
	stp	x21, x22, [sp, #32]
	stp	x23, x24, [sp, #48]
	stp	x25, x26, [sp, #64]
	stp	x27, x28, [sp, #80]
	stp	x29, x30, [sp, #96]
	str	x0, [sp]
	mov	x30, x0
	mov	x1, sp
	str	x1, [x30, #SVC_SP]
	ldr	x1, [x30, #SVC_NZCV_IN]
	msr	nzcv, x1
	ldp	x0, x1, [x30, #SVC_IN]
	ldp	x2, x3, [x30, #SVC_IN + 16]
	ldp	x4, x5, [x30, #SVC_IN + 32]
	ldp	x6, x7, [x30, #SVC_IN + 48]
	ldp	x8, x9, [x30, #SVC_IN + 64]
	ldp	x10, x11, [x30, #SVC_IN + 80]
	ldp	x12, x13, [x30, #SVC_IN + 96]
	ldp	x14, x15, [x30, #SVC_IN + 112]
	ldp	x16, x17, [x30, #SVC_IN + 128]
	ldp	x18, x19, [x30, #SVC_IN + 144]
	ldp	x20, x21, [x30, #SVC_IN + 160]
	ldp	x22, x23, [x30, #SVC_IN + 176]
	ldp	x24, x25, [x30, #SVC_IN + 192]
	ldp	x26, x27, [x30, #SVC_IN + 208]
	ldp	x28, x29, [x30, #SVC_IN + 224]
	ldr	x30, [x30, #SVC_IN + 240]
	.endm

	.macro	frame_end name:req
	str	x30, [sp, #8]
	ldr	x30, [sp]
	stp	x0, x1, [x30, #SVC_OUT]
	stp	x2, x3, [x30, #SVC_OUT + 16]
	stp	x4, x5, [x30, #SVC_OUT + 32]
	stp	x6, x7, [x30, #SVC_OUT + 48]
	stp	x8, x9, [x30, #SVC_OUT + 64]
	stp	x10, x11, [x30, #SVC_OUT + 80]
	stp	x12, x13, [x30, #SVC_OUT + 96]
	stp	x14, x15, [x30, #SVC_OUT + 112]
	stp	x16, x17, [x30, #SVC_OUT + 128]
	stp	x18, x19, [x30, #SVC_OUT + 144]
	stp	x20, x21, [x30, #SVC_OUT + 160]
	stp	x22, x23, [x30, #SVC_OUT + 176]
	stp	x24, x25, [x30, #SVC_OUT + 192]
	stp	x26, x27, [x30, #SVC_OUT + 208]
	stp	x28, x29, [x30, #SVC_OUT + 224]
	ldr	x0, [sp, #8]
	str	x0, [x30, #SVC_OUT + 240]
	mrs	x0, nzcv
	str	x0, [x30, #SVC_NZCV_OUT]
	mov	x0, sp
	str	x0, [x30, #SVC_SP_OUT]
	ldp	x19, x20, [sp, #16]
	ldp	x21, x22, [sp, #32]
	ldp	x23, x24, [sp, #48]
	ldp	x25, x26, [sp, #64]
	ldp	x27, x28, [sp, #80]
	ldp	x29, x30, [sp, #96]
	add	sp, sp, #SVC_SAVE
	ret
	.size	\name, . - \name
	.endm

#endif
