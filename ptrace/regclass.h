/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What a CPU keeps beside the general registers, by class: each class is loaded
 * before a call and stored after it by one stub, and has one function each to
 * fill it, to check it and to compare what a tracer is shown of it.
 */
#ifndef REGCLASS_H
#define REGCLASS_H

#ifdef __ASSEMBLER__
#define CALL_WHAT	528
#define CALL_RUN	536
#define CALL_IN		544
#define CALL_OUT	(544 + STATE_SIZE)
#define STATE_FPSR	512
#define STATE_FPCR	520
#define STATE_TPIDR	528
#define STATE_TPIDR2	536
#define STATE_PSTATE	544
#define STATE_SVCR	552
#define STATE_VL	560
#define STATE_SVL	568
#define STATE_ZT	576
#define STATE_P		640
#define STATE_FFR	1152
#define STATE_Z		1184
#define STATE_ZA	9376
#define STATE_SIZE	74912
#else
#include "svc.h"
#include "tracee.h"
#endif

/* Bits of struct regs_call.what, by number: the stub tests them. */
#define HAS_FPSIMD	0	/* V0-V31, FPSR, FPCR; wherever one of the next two is, too */
#define HAS_TPIDR	1
#define HAS_SVE		2	/* Z, P, FFR */
#define HAS_SM		3	/* streaming mode, in which Z and P are loaded */
#define HAS_ZA		4
#define HAS_ZT		5
#define HAS_DIT		6
#define HAS_SSBS	7
#define HAS_TCO		8
#define HAS_SME		9	/* SVCR and TPIDR2_EL0 */
#define HAS_FFR		10	/* Z, P and FFR may be stored out of streaming mode */

#ifndef __ASSEMBLER__

/* In PSTATE, and in the system register of the same name. */
#define PSTATE_BTYPE	0x00000c00ull
#define PSTATE_SSBS	0x00001000ull
#define PSTATE_DIT	0x01000000ull
#define PSTATE_TCO	0x02000000ull

#define SVCR_SM		1ull
#define SVCR_ZA		2ull

#define VL_MAX		256	/* bytes; more the architecture does not allow */

/**
 * struct regs_state - all registers but the general ones
 * @pstate: DIT, SSBS and TCO at their places in PSTATE
 * @vl:     bytes in a vector, in the mode that SVCR says; z, p and ffr are packed by it
 * @svl:    bytes in a streaming vector, and in a row of za
 */
struct regs_state {
	__u8 v[32][16];
	__u64 fpsr, fpcr;
	__u64 tpidr, tpidr2;
	__u64 pstate;
	__u64 svcr;
	__u64 vl, svl;
	__u8 zt[64];
	__u8 p[16 * VL_MAX / 8];
	__u8 ffr[VL_MAX / 8];
	__u8 z[32 * VL_MAX];
	__u8 za[VL_MAX * VL_MAX];
};

/**
 * struct regs_call - one call with all that is known before it and after it
 * @frame: general registers, number and arguments
 * @what:  which registers are loaded and stored, HAS_* as bit numbers
 * @run:   makes the call: svc_run(), or regs_brk_run()
 * @in:    loaded before
 * @out:   stored after
 * @want:  what @out must be
 */
struct regs_call {
	struct svc_frame frame;
	__u64 what;
	void (*run)(struct svc_frame *frame);
	struct regs_state in, out, want;
};

static_assert(sizeof(struct svc_frame) == 528, "regclass_load.S");
static_assert(offsetof(struct regs_call, in) == 544, "regclass_load.S");
static_assert(offsetof(struct regs_state, pstate) == 544, "regclass_load.S");
static_assert(offsetof(struct regs_state, z) == 1184, "regclass_load.S");
static_assert(sizeof(struct regs_state) == 74912, "regclass_load.S");

/**
 * regs_run() - load what @c says, make the call, store the same
 * @c: see there; out.svcr, and out.vl and out.svl where they matter, are set, too
 *
 * No register that the calling convention preserves is changed, nor PSTATE, FPCR
 * and the thread pointers; streaming mode and ZA are off afterwards.
 */
void regs_run(struct regs_call *c);

/* regs_brk_run() - as svc_run(), with a brk directly before svc, for a tracer to begin at. */
void regs_brk_run(struct svc_frame *frame);
extern const char regs_brk[], regs_brk_svc[];

/* regs_poison() - other values in V0-V31, FPSR, FPCR and the flags; for a signal handler. */
void regs_poison(void);

/* regs_sve_vl(), regs_sme_vl() - bytes in a vector, streaming or not; by instruction. */
__u64 regs_sve_vl(void);
__u64 regs_sme_vl(void);

/* PACIA or its like of @pointer, with @modifier; and of PACGA, whose result is in 63-32. */
__u64 regs_pacia(__u64 pointer, __u64 modifier);
__u64 regs_pacib(__u64 pointer, __u64 modifier);
__u64 regs_pacda(__u64 pointer, __u64 modifier);
__u64 regs_pacdb(__u64 pointer, __u64 modifier);
__u64 regs_pacga(__u64 pointer, __u64 modifier);

/**
 * struct reg_class - a class of registers that a call must keep, or must clear
 * @name:    for messages
 * @present: does this machine have them? Sets the reason when not
 * @fill:    fills, besides what is there, @c->what, ->in and, for a call that nobody
 *           tampers with, ->want
 * @check:   checks @c->out against @c->want; @when says which call it was
 * @shown:   checks what a tracer is shown at stop @s before the task resumes with
 *           @c->want; NULL where that is another test's topic
 * @write:   writes other values at a stop and changes @c->want accordingly; NULL where
 *           a tracer cannot
 */
struct reg_class {
	const char *name;
	bool (*present)(const char **reason);
	void (*fill)(struct regs_call *c);
	void (*check)(const struct regs_call *c, const char *when);
	void (*shown)(struct tracee *t, const struct stop *s, const struct regs_call *c);
	void (*write)(struct tracee *t, struct regs_call *c);
};

extern const struct reg_class class_general, class_tls, class_fpsimd, class_sve,
	class_streaming, class_za, class_zt;

/* Several at once: the first three; streaming mode, ZA and, where it is, ZT0. No writes. */
extern const struct reg_class class_base, class_sme;

/* DIT, SSBS and TCO of PSTATE, as many as there are: all set, or all clear. */
extern const struct reg_class class_flags_set, class_flags_clear;

/* As the functions of features.h. */
bool has_sve(const char **reason);
bool has_sme(const char **reason);
bool has_sme2(const char **reason);

/* need_class() - skip the case where the machine lacks the class. */
void need_class(const struct reg_class *class);

/* regs_pattern() - @len bytes that are none of them zero and differ with @seed. */
void regs_pattern(__u8 *p, size_t len, unsigned int seed);

/* check_eq() of what is called @name with @when behind it. */
bool check_word(const char *name, const char *when, __u64 want, __u64 seen);

/* check_mem() in the same way. */
bool check_bytes(const char *name, const char *when, const void *want, const void *seen,
		 size_t size);

/**
 * check_each() - registers of one kind
 * @kind: 'V' for V0, V1 and so on
 * @n:    how many
 * @size: bytes in each; they lie one behind the other
 *
 * The first that differs says so; its fellows would be as wrong.
 */
void check_each(char kind, unsigned int n, const char *when, const void *want,
		const void *seen, size_t size);

/**
 * regset_get(), regset_set() - PTRACE_GETREGSET and PTRACE_SETREGSET
 * @note: NT_*
 * @size: bytes, of which the kernel may read or write fewer
 *
 * Return: how many bytes, or -errno. They note nothing and check nothing.
 */
long regset_get(struct tracee *t, unsigned int note, void *data, size_t size);
long regset_set(struct tracee *t, unsigned int note, const void *data, size_t size);

/* regset_must_get(), regset_must_set() - the same; what is refused ends the case. */
size_t regset_must_get(struct tracee *t, unsigned int note, void *data, size_t size);
void regset_must_set(struct tracee *t, unsigned int note, const void *data, size_t size);

#endif
#endif
