/* SPDX-License-Identifier: GPL-2.0 */
/* A system call between two breakpoints: see stub.h. */
	.text
	.balign	64
	.globl	stub
	.type	stub, %function
stub:
	brk	#0
	.globl	stub_svc, stub_after
stub_svc:
	svc	#0
stub_after:
	nop
	brk	#0
	.size	stub, . - stub

	.section .note.GNU-stack, "", %progbits
