/* SPDX-License-Identifier: GPL-2.0 */
/* Tagged accesses at known addresses: see insns.h. */
#include "svc_frame.S"

	.arch	armv8.5-a+memtag

/* One access through x9, with x10 and x11 as data. */
	.macro	access name:req, insn:vararg
frame_function run_\name
	.globl	insn_\name
insn_\name:
	\insn
frame_end run_\name
	.endm

access load, ldr x10, [x9]
access store, str x10, [x9]
access load_pair, ldp x10, x11, [x9]
access store_pair, stp x10, x11, [x9]
access load_writeback, ldr x10, [x9], #16
access store_writeback, str x10, [x9], #16
access store_release, stlr x10, [x9]
access atomic_add, ldadd x10, x11, [x9]

/* The same, with nothing between the access and svc. */
	.macro	access_svc name:req, insn:vararg
frame_function run_\name\()_svc
	\insn
	.globl	svc_of_\name
svc_of_\name:
	svc	#0
frame_end run_\name\()_svc
	.endm

access_svc load, ldr x10, [x9]
access_svc store, str x10, [x9]

	.globl	set_tag
	.type	set_tag, %function
set_tag:
	stg	x0, [x0]
	ret
	.size	set_tag, . - set_tag

	.section .note.GNU-stack, "", %progbits
