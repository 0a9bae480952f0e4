/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The layout of NT_ARM_SVE and NT_ARM_SSVE with all of Z, P and FFR
 * (arch/arm64/include/uapi/asm/ptrace.h SVE_PT_*), from and to a struct regs_state.
 */
#ifndef REGSET_SVE_H
#define REGSET_SVE_H

#include <asm/ptrace.h>
#include <string.h>

#include "regclass.h"

#define SVE_REGSET_SIZE	(64 * VL_MAX)
#define ZA_REGSET_SIZE	(sizeof(struct user_sve_header) + VL_MAX * VL_MAX)

/* sve_regset_size() - bytes of the regset at vector length @vl, header included. */
static inline size_t sve_regset_size(__u64 vl)
{
	return SVE_PT_SIZE(vl / 16, SVE_PT_REGS_SVE);
}

/* sve_regset_read() - z, p, ffr, fpsr and fpcr of @s from @data; @s->vl is set. */
static inline void sve_regset_read(const __u8 *data, struct regs_state *s)
{
	const __u32 *fpsr = (const void *)(data + SVE_PT_SVE_FPSR_OFFSET(s->vl / 16));

	memcpy(s->z, data + SVE_PT_SVE_ZREGS_OFFSET, 32 * s->vl);
	memcpy(s->p, data + SVE_PT_SVE_PREGS_OFFSET(s->vl / 16), 16 * s->vl / 8);
	memcpy(s->ffr, data + SVE_PT_SVE_FFR_OFFSET(s->vl / 16), s->vl / 8);
	s->fpsr = fpsr[0];
	s->fpcr = fpsr[1];
}

/**
 * sve_regset_make() - the reverse
 * @data:  SVE_REGSET_SIZE bytes
 * @flags: SVE_PT_VL_*, besides SVE_PT_REGS_SVE
 *
 * Return: how many bytes are filled.
 */
static inline size_t sve_regset_make(__u8 *data, const struct regs_state *s, __u16 flags)
{
	struct user_sve_header *h = (void *)data;
	__u32 *fpsr = (void *)(data + SVE_PT_SVE_FPSR_OFFSET(s->vl / 16));

	memset(data, 0, SVE_REGSET_SIZE);
	h->size = (__u32)sve_regset_size(s->vl);
	h->vl = (__u16)s->vl;
	h->flags = SVE_PT_REGS_SVE | flags;
	memcpy(data + SVE_PT_SVE_ZREGS_OFFSET, s->z, 32 * s->vl);
	memcpy(data + SVE_PT_SVE_PREGS_OFFSET(s->vl / 16), s->p, 16 * s->vl / 8);
	memcpy(data + SVE_PT_SVE_FFR_OFFSET(s->vl / 16), s->ffr, s->vl / 8);
	fpsr[0] = (__u32)s->fpsr;
	fpsr[1] = (__u32)s->fpcr;
	return h->size;
}

#endif
