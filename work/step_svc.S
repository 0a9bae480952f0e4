/* SPDX-License-Identifier: GPL-2.0 */
/* svc_run() with a breakpoint before the svc, for a task that is only stepped: see task.h. */
#include "svc_frame.S"

	frame_function step_svc_run
	.globl	step_svc_brk, step_svc_insn
step_svc_brk:
	brk	#0
step_svc_insn:
	svc	#0
	nop
	nop
	frame_end step_svc_run

	.section .note.GNU-stack, "", %progbits
