/* SPDX-License-Identifier: GPL-2.0 */
/* A second place to make calls from: see sud.h. */
#include "svc_frame.S"

frame_function control_run
	svc	#0
	.globl	control_after
control_after:
	nop
frame_end control_run

	.section .note.GNU-stack, "", %progbits
