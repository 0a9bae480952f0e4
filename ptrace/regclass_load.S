/* SPDX-License-Identifier: GPL-2.0 */
/* Every register loaded before a call and stored after it: see regclass.h. */
#include "svc_frame.S"
#include "regclass.h"

	.arch	armv8.3-a+sve

/* What the assemblers of gcc 12 and clang 14 have no common name for. */
#define DIT		s3_3_c4_c2_5
#define SSBS		s3_3_c4_c2_6
#define TCO		s3_3_c4_c2_7
#define SVCR		s3_3_c4_c2_2
#define TPIDR2		s3_3_c13_c0_5
#define SMSTART_SM	.inst 0xd503437f
#define SMSTART_ZA	.inst 0xd503457f
#define SMSTOP		.inst 0xd503467f
#define RDSVL_X3	.inst 0x04bf5823	/* rdsvl x3, #1 */
#define LDR_ZA_X2	.inst 0xe1000040	/* ldr za[w12, 0], [x2] */
#define STR_ZA_X2	.inst 0xe1200040	/* str za[w12, 0], [x2] */
#define LDR_ZT_X2	.inst 0xe11f8040	/* ldr zt0, [x2] */
#define STR_ZT_X2	.inst 0xe13f8040	/* str zt0, [x2] */

/* Of the caller, on the stack. */
#define KEPT_GPRS	0
#define KEPT_FPRS	48
#define KEPT_FPCR	112
#define KEPT_TPIDR	120
#define KEPT_TPIDR2	128
#define KEPT_DIT	136
#define KEPT_SSBS	144
#define KEPT_TCO	152
#define KEPT_SIZE	160

	.macro	function name:req
	.text
	.balign	64
	.globl	\name
	.type	\name, %function
\name:
	.endm

	.macro	end name:req
	.size	\name, . - \name
	.endm

/* x19 is the call, x20 what; x1-x3, x12 are free. */

function load_v
	add	x1, x19, #CALL_IN
	ldp	q0, q1, [x1, #0]
	ldp	q2, q3, [x1, #32]
	ldp	q4, q5, [x1, #64]
	ldp	q6, q7, [x1, #96]
	ldp	q8, q9, [x1, #128]
	ldp	q10, q11, [x1, #160]
	ldp	q12, q13, [x1, #192]
	ldp	q14, q15, [x1, #224]
	ldp	q16, q17, [x1, #256]
	ldp	q18, q19, [x1, #288]
	ldp	q20, q21, [x1, #320]
	ldp	q22, q23, [x1, #352]
	ldp	q24, q25, [x1, #384]
	ldp	q26, q27, [x1, #416]
	ldp	q28, q29, [x1, #448]
	ldp	q30, q31, [x1, #480]
	ret
end load_v

/* In x1: where to. */
function store_v
	stp	q0, q1, [x1, #0]
	stp	q2, q3, [x1, #32]
	stp	q4, q5, [x1, #64]
	stp	q6, q7, [x1, #96]
	stp	q8, q9, [x1, #128]
	stp	q10, q11, [x1, #160]
	stp	q12, q13, [x1, #192]
	stp	q14, q15, [x1, #224]
	stp	q16, q17, [x1, #256]
	stp	q18, q19, [x1, #288]
	stp	q20, q21, [x1, #320]
	stp	q22, q23, [x1, #352]
	stp	q24, q25, [x1, #384]
	stp	q26, q27, [x1, #416]
	stp	q28, q29, [x1, #448]
	stp	q30, q31, [x1, #480]
	ret
end store_v

	.macro	z_regs insn:req, base:req
	.irp	n, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
	\insn	z\n, [\base, #\n, mul vl]
	.endr
	.irp	n, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31
	\insn	z\n, [\base, #\n, mul vl]
	.endr
	.endm

	.macro	p_regs insn:req, base:req
	.irp	n, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
	\insn	p\n, [\base, #\n, mul vl]
	.endr
	.endm

/* FFR first, through p0; in streaming mode there is none. */
function load_sve
	add	x1, x19, #CALL_IN
	tbnz	x20, #HAS_SM, 1f
	add	x2, x1, #STATE_FFR
	ldr	p0, [x2]
	wrffr	p0.b
1:	add	x2, x1, #STATE_P
	p_regs	ldr, x2
	add	x2, x1, #STATE_Z
	z_regs	ldr, x2
	ret
end load_sve

/* In x1: the state to store to; its svcr is set. */
function store_sve
	ldr	x3, [x1, #STATE_SVCR]
	tbnz	x3, #0, 1f
	tbz	x20, #HAS_FFR, 2f
1:	rdvl	x2, #1
	str	x2, [x1, #STATE_VL]
	add	x2, x1, #STATE_Z
	z_regs	str, x2
	add	x2, x1, #STATE_P
	p_regs	str, x2
	tbnz	x3, #0, 2f
	rdffr	p0.b
	add	x2, x1, #STATE_FFR
	str	p0, [x2]
2:	ret
end store_sve

function load_za
	SMSTART_ZA
	RDSVL_X3
	mov	x2, #CALL_IN + STATE_ZA
	add	x2, x19, x2
	mov	x12, #0
1:	LDR_ZA_X2
	add	x2, x2, x3
	add	x12, x12, #1
	cmp	x12, x3
	b.ne	1b
	tbz	x20, #HAS_ZT, 2f
	add	x2, x19, #CALL_IN + STATE_ZT
	LDR_ZT_X2
2:	ret
end load_za

/* In x1: the state to store to; its svcr is set. */
function store_za
	ldr	x3, [x1, #STATE_SVCR]
	tbz	x3, #1, 2f
	RDSVL_X3
	str	x3, [x1, #STATE_SVL]
	mov	x2, #STATE_ZA
	add	x2, x1, x2
	mov	x12, #0
1:	STR_ZA_X2
	add	x2, x2, x3
	add	x12, x12, #1
	cmp	x12, x3
	b.ne	1b
	tbz	x20, #HAS_ZT, 2f
	add	x2, x1, #STATE_ZT
	STR_ZT_X2
2:	ret
end store_za

/* One flag of PSTATE, if the call has it, from [x1] or to x2. */
	.macro	flag_in bit:req, reg:req
	tbz	x20, #\bit, .Lno_\@
	ldr	x2, [x19, #CALL_IN + STATE_PSTATE]
	msr	\reg, x2
.Lno_\@:
	.endm

	.macro	flag_out bit:req, reg:req
	tbz	x20, #\bit, .Lno_\@
	mrs	x3, \reg
	orr	x2, x2, x3
.Lno_\@:
	.endm

	.macro	keep bit:req, reg:req, where:req
	tbz	x20, #\bit, .Lno_\@
	mrs	x1, \reg
	str	x1, [sp, #\where]
.Lno_\@:
	.endm

	.macro	put_back bit:req, reg:req, where:req
	tbz	x20, #\bit, .Lno_\@
	ldr	x1, [sp, #\where]
	msr	\reg, x1
.Lno_\@:
	.endm

function regs_load
	stp	x29, x30, [sp, #-16]!
	tbz	x20, #HAS_SM, 1f
	SMSTART_SM
1:	tbz	x20, #HAS_FPSIMD, 2f
	bl	load_v
2:	tbz	x20, #HAS_SVE, 3f
	bl	load_sve
3:	tbz	x20, #HAS_ZA, 4f
	bl	load_za
4:	tbz	x20, #HAS_FPSIMD, 5f
	ldr	x1, [x19, #CALL_IN + STATE_FPSR]
	msr	fpsr, x1
	ldr	x1, [x19, #CALL_IN + STATE_FPCR]
	msr	fpcr, x1
5:	tbz	x20, #HAS_TPIDR, 6f
	ldr	x1, [x19, #CALL_IN + STATE_TPIDR]
	msr	tpidr_el0, x1
	tbz	x20, #HAS_SME, 6f
	ldr	x1, [x19, #CALL_IN + STATE_TPIDR2]
	msr	TPIDR2, x1
6:	flag_in	HAS_DIT, DIT
	flag_in	HAS_SSBS, SSBS
	flag_in	HAS_TCO, TCO
	ldp	x29, x30, [sp], #16
	ret
end regs_load

/* In x21: the state to store to. */
function regs_store
	stp	x29, x30, [sp, #-16]!
	mov	x2, #0
	flag_out HAS_DIT, DIT
	flag_out HAS_SSBS, SSBS
	flag_out HAS_TCO, TCO
	str	x2, [x21, #STATE_PSTATE]
	mrs	x1, fpsr
	str	x1, [x21, #STATE_FPSR]
	mrs	x1, fpcr
	str	x1, [x21, #STATE_FPCR]
	mrs	x1, tpidr_el0
	str	x1, [x21, #STATE_TPIDR]
	str	xzr, [x21, #STATE_SVCR]
	tbz	x20, #HAS_SME, 1f
	mrs	x1, TPIDR2
	str	x1, [x21, #STATE_TPIDR2]
	mrs	x1, SVCR
	str	x1, [x21, #STATE_SVCR]
1:	mov	x1, x21
	tbz	x20, #HAS_FPSIMD, 2f
	bl	store_v
2:	tbz	x20, #HAS_SVE, 3f
	bl	store_sve
3:	tbz	x20, #HAS_ZA, 4f
	bl	store_za
4:	ldp	x29, x30, [sp], #16
	ret
end regs_store

function regs_run
	sub	sp, sp, #KEPT_SIZE
	stp	x29, x30, [sp, #KEPT_GPRS]
	stp	x19, x20, [sp, #KEPT_GPRS + 16]
	stp	x21, x22, [sp, #KEPT_GPRS + 32]
	stp	d8, d9, [sp, #KEPT_FPRS]
	stp	d10, d11, [sp, #KEPT_FPRS + 16]
	stp	d12, d13, [sp, #KEPT_FPRS + 32]
	stp	d14, d15, [sp, #KEPT_FPRS + 48]
	mov	x19, x0
	ldr	x20, [x19, #CALL_WHAT]
	mrs	x1, fpcr
	str	x1, [sp, #KEPT_FPCR]
	mrs	x1, tpidr_el0
	str	x1, [sp, #KEPT_TPIDR]
	keep	HAS_SME, TPIDR2, KEPT_TPIDR2
	keep	HAS_DIT, DIT, KEPT_DIT
	keep	HAS_SSBS, SSBS, KEPT_SSBS
	keep	HAS_TCO, TCO, KEPT_TCO
	bl	regs_load
	ldr	x1, [x19, #CALL_RUN]
	mov	x0, x19
	blr	x1
	mov	x21, #CALL_OUT & 0xffff
	movk	x21, #CALL_OUT >> 16, lsl #16
	add	x21, x19, x21
	bl	regs_store
	tbz	x20, #HAS_SME, 1f
	SMSTOP
1:	put_back HAS_DIT, DIT, KEPT_DIT
	put_back HAS_SSBS, SSBS, KEPT_SSBS
	put_back HAS_TCO, TCO, KEPT_TCO
	put_back HAS_SME, TPIDR2, KEPT_TPIDR2
	ldr	x1, [sp, #KEPT_TPIDR]
	msr	tpidr_el0, x1
	ldr	x1, [sp, #KEPT_FPCR]
	msr	fpcr, x1
	ldp	d8, d9, [sp, #KEPT_FPRS]
	ldp	d10, d11, [sp, #KEPT_FPRS + 16]
	ldp	d12, d13, [sp, #KEPT_FPRS + 32]
	ldp	d14, d15, [sp, #KEPT_FPRS + 48]
	ldp	x21, x22, [sp, #KEPT_GPRS + 32]
	ldp	x19, x20, [sp, #KEPT_GPRS + 16]
	ldp	x29, x30, [sp, #KEPT_GPRS]
	add	sp, sp, #KEPT_SIZE
	ret
end regs_run

frame_function regs_brk_run
	.globl	regs_brk, regs_brk_svc
regs_brk:
	brk	#0
regs_brk_svc:
	svc	#0
	nop
frame_end regs_brk_run

function regs_poison
	.irp	n, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
	movi	v\n\().16b, #0xee
	.endr
	.irp	n, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31
	movi	v\n\().16b, #0xee
	.endr
	mov	x0, #2
	msr	fpsr, x0
	msr	fpcr, xzr
	cmp	xzr, xzr
	ret
end regs_poison

function regs_sve_vl
	rdvl	x0, #1
	ret
end regs_sve_vl

function regs_sme_vl
	RDSVL_X3
	mov	x0, x3
	ret
end regs_sme_vl

	.irp	key, ia, ib, da, db
function regs_pac\key
	pac\key	x0, x1
	ret
end regs_pac\key
	.endr

function regs_pacga
	pacga	x0, x0, x1
	ret
end regs_pacga

	.section .note.GNU-stack, "", %progbits
