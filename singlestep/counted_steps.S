/* SPDX-License-Identifier: GPL-2.0 */
/* A system call between counting instructions: see counted.h. */
#include <asm/unistd.h>

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
	/* Only after counted_let_exit(): a call that returns, then the end. */
	mov	x22, x0
	mov	x8, #__NR_getppid
	svc	#0
	mov	x0, x22
	mov	x8, #__NR_exit
	svc	#0
	brk	#0
	.size	counted, . - counted

	.globl	counted_handler
	.type	counted_handler, %function
counted_handler:
	add	x22, x22, #1
	mov	x8, #__NR_rt_sigreturn
	svc	#0
	brk	#0
	.size	counted_handler, . - counted_handler

	.globl	counted_touch
	.type	counted_touch, %function
counted_touch:
	ldr	x22, [x23]
	str	x22, [x23]
	brk	#0
	.size	counted_touch, . - counted_touch

	.section .note.GNU-stack, "", %progbits
