/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The sections of section.h. The store that arms a section is the last
 * instruction before it, or before its first nop: preemption in between would
 * find PC outside and disarm it.
 *
 * x9 = address of rseq_cs, x10 = the section. The abort handler makes x11 zero.
 */
#include "svc_frame.S"

	.macro	slot insn:req, number:req, this:req
	.if	\number == \this
	\insn
	.else
	nop
	.endif
	.endm

	.macro	section name:req, insn:req, number:req
frame_function run_\name\number
	str	x10, [x9]
	slot	"\insn", \number, 0
start_\name\number:
	slot	"\insn", \number, 1
	slot	"\insn", \number, 2
	slot	"\insn", \number, 3
end_\name\number:
	slot	"\insn", \number, 4
done_\name\number:
	str	xzr, [x9]
frame_end run_\name\number
	.inst	0xd428bc00	/* SECTION_SIGNATURE */
abort_\name\number:
	mov	x11, xzr
	b	done_\name\number

	.data
	.balign	64
	.word	0, 0
	.quad	start_\name\number, end_\name\number - start_\name\number
	.quad	abort_\name\number
	.quad	run_\name\number, start_\name\number - 4 + 4 * \number
	.endm

	.macro	sections name:req, insn:req
	.data
	.balign	64
	.globl	section_\name
section_\name:
	section	\name, "\insn", 0
	section	\name, "\insn", 1
	section	\name, "\insn", 2
	section	\name, "\insn", 3
	section	\name, "\insn", 4
	.endm

sections svc, "svc #0"
sections brk, "brk #0"
sections spin, "b ."

	.section .note.GNU-stack, "", %progbits
