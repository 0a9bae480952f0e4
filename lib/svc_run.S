/* SPDX-License-Identifier: GPL-2.0 */
/* svc_run(), the one instruction that makes every call under test: see svc.h. */
#include "svc_frame.S"

frame_function svc_run
	.globl	svc_before, svc_insn, svc_after, svc_after2
svc_before:
	nop
svc_insn:
	svc	#0
svc_after:
	nop
svc_after2:
	nop
frame_end svc_run

	.section .note.GNU-stack, "", %progbits
