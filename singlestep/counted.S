/* SPDX-License-Identifier: GPL-2.0 */
/* A system call between counting instructions: see counted.h. */
	.text
	.balign	64
	.globl	counted
	.type	counted, %function
counted:
	brk	#0
	.globl	counted_before, counted_svc, counted_end
counted_before:
	add	x19, x19, #1
counted_svc:
	svc	#0
	add	x20, x20, #1
	add	x21, x21, #1
counted_end:
	brk	#0
	.size	counted, . - counted

	.section .note.GNU-stack, "", %progbits
