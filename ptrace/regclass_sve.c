// SPDX-License-Identifier: GPL-2.0
/*
 * The classes of scalable registers: Z, P and FFR, the same in streaming mode, ZA,
 * ZT0. See regclass.h; Documentation/arch/arm64/sve.rst and sme.rst say what a
 * call does to them and what their regsets are.
 */
#include <elf.h>
#include <stdio.h>
#include <string.h>

#include "regclass.h"
#include "regset_sve.h"

#define BIT(n)		(1ull << (n))
#define FPCR_IN		0x00c00000
#define FPSR_IN		0x08000011

/* Z is what V is part of: the low 16 bytes of each. */
static void want_v_of_z(struct regs_state *s)
{
	for (unsigned int i = 0; i < 32; i++)
		memcpy(s->v[i], s->z + i * s->vl, 16);
}

static void check_sve(const char *when, const struct regs_state *want,
		      const struct regs_state *seen)
{
	check_word("bytes in a vector", when, want->vl, seen->vl);
	if (want->vl != seen->vl)
		return;
	check_each('Z', 32, when, want->z, seen->z, want->vl);
	check_each('P', 16, when, want->p, seen->p, want->vl / 8);
	if (!(want->svcr & SVCR_SM))
		check_bytes("FFR", when, want->ffr, seen->ffr, want->vl / 8);
}

/*
 * The regset of @want, in the format with all of Z, P and FFR or, where only V is
 * live, in that of NT_PRFPREG; the kernel may show either, the values are the same.
 */
static void check_sve_regset(struct tracee *t, unsigned int note, const char *when,
			     const struct regs_state *want)
{
	static __u8 data[SVE_REGSET_SIZE];
	struct user_sve_header *h = (void *)data;
	static struct regs_state seen;
	struct user_fpsimd_state *fp = (void *)(data + sizeof(*h));

	regset_must_get(t, note, data, sizeof(data));
	memset(&seen, 0, sizeof(seen));
	seen.vl = h->vl;
	if (h->flags & SVE_PT_REGS_SVE) {
		sve_regset_read(data, &seen);
	} else {
		for (unsigned int i = 0; i < 32; i++)
			memcpy(seen.z + i * seen.vl, &fp->vregs[i], 16);
		seen.fpsr = fp->fpsr;
		seen.fpcr = fp->fpcr;
	}
	check_sve(when, want, &seen);
	check_word("FPSR", when, want->fpsr, seen.fpsr);
	check_word("FPCR", when, want->fpcr, seen.fpcr);
}

/* Other values than before in all of @s, at vector length @vl. */
static void other_values(struct regs_state *s, __u64 vl, unsigned int seed)
{
	s->vl = vl;
	regs_pattern(s->z, 32 * vl, seed);
	regs_pattern(s->p, 16 * vl / 8, seed + 1);
	memset(s->ffr, 0, sizeof(s->ffr));
	s->ffr[0] = 0x0f;
	s->fpsr = 0x0000000a;
	s->fpcr = 0x02400000;
	want_v_of_z(s);
}

static void sve_fill(struct regs_call *c)
{
	c->what |= BIT(HAS_FPSIMD) | BIT(HAS_SVE) | BIT(HAS_FFR);
	other_values(&c->in, regs_sve_vl(), 3);
	memset(c->in.ffr, 0xff, c->in.vl / 8);
	c->in.fpsr = FPSR_IN;
	c->in.fpcr = FPCR_IN;
	/* What is not V is cleared: fpsimd_syscall_enter(). */
	memcpy(c->want.v, c->in.v, sizeof(c->in.v));
	c->want.vl = c->in.vl;
	for (unsigned int i = 0; i < 32; i++)
		memcpy(c->want.z + i * c->in.vl, c->in.v[i], 16);
	c->want.fpsr = FPSR_IN;
	c->want.fpcr = FPCR_IN;
}

static void sve_check(const struct regs_call *c, const char *when)
{
	check_sve(when, &c->want, &c->out);
	check_word("FPSR", when, c->want.fpsr, c->out.fpsr);
	check_word("FPCR", when, c->want.fpcr, c->out.fpcr);
}

static void sve_shown(struct tracee *t, const struct stop *s, const struct regs_call *c)
{
	char when[96];

	snprintf(when, sizeof(when), "as NT_ARM_SVE shows it at '%.48s'", s->text);
	check_sve_regset(t, NT_ARM_SVE, when, &c->want);
}

static void sve_write(struct tracee *t, struct regs_call *c)
{
	static __u8 data[SVE_REGSET_SIZE];

	other_values(&c->want, c->want.vl, 5);
	regset_must_set(t, NT_ARM_SVE, data, sve_regset_make(data, &c->want, 0));
}

const struct reg_class class_sve = {
	"Z, P and FFR", has_sve, sve_fill, sve_check, sve_shown, sve_write,
};

static void streaming_fill(struct regs_call *c)
{
	const char *reason;

	c->what |= BIT(HAS_FPSIMD) | BIT(HAS_SVE) | BIT(HAS_SM) | BIT(HAS_SME);
	other_values(&c->in, regs_sme_vl(), 7);
	if (!has_sve(&reason))
		return;
	c->what |= BIT(HAS_FFR);
	c->want.vl = regs_sve_vl();
}

/*
 * Leaving streaming mode clears V, too, and changes FPSR (of some emulated CPUs, by
 * mistake, FPCR): the architecture's doing, not the kernel's.
 */
static void streaming_check(const struct regs_call *c, const char *when)
{
	check_word("PSTATE.SM (bit 0 of SVCR)", when, c->want.svcr & SVCR_SM,
		   c->out.svcr & SVCR_SM);
	check_each('V', 32, when, c->want.v, c->out.v, 16);
	if ((c->want.svcr & SVCR_SM) == (c->out.svcr & SVCR_SM) && c->want.vl)
		check_sve(when, &c->want, &c->out);
	if (!(c->want.svcr & SVCR_SM))
		return;
	check_word("FPSR", when, c->want.fpsr, c->out.fpsr);
	check_word("FPCR", when, c->want.fpcr, c->out.fpcr);
}

static void streaming_shown(struct tracee *t, const struct stop *s, const struct regs_call *c)
{
	struct user_sve_header h = { 0 };
	char when[96];

	snprintf(when, sizeof(when), "as NT_ARM_SSVE shows it at '%.48s'", s->text);
	if (c->want.svcr & SVCR_SM) {
		check_sve_regset(t, NT_ARM_SSVE, when, &c->want);
		return;
	}
	regset_must_get(t, NT_ARM_SSVE, &h, sizeof(h));
	check_word("size", when, sizeof(h), h.size);
	check_word("vl", when, c->in.vl, h.vl);
}

/* Puts the task into streaming mode. */
static void streaming_write(struct tracee *t, struct regs_call *c)
{
	static __u8 data[SVE_REGSET_SIZE];

	other_values(&c->want, c->in.vl, 8);
	c->want.svcr |= SVCR_SM;
	regset_must_set(t, NT_ARM_SSVE, data, sve_regset_make(data, &c->want, 0));
}

const struct reg_class class_streaming = {
	"streaming mode's Z and P", has_sme, streaming_fill, streaming_check, streaming_shown,
	streaming_write,
};

static void za_fill(struct regs_call *c)
{
	c->what |= BIT(HAS_SME) | BIT(HAS_ZA);
	c->in.svl = regs_sme_vl();
	regs_pattern(c->in.za, c->in.svl * c->in.svl, 9);
	c->want.svl = c->in.svl;
	c->want.svcr |= SVCR_ZA;
	memcpy(c->want.za, c->in.za, c->in.svl * c->in.svl);
}

static void za_check(const struct regs_call *c, const char *when)
{
	if (!check_word("PSTATE.ZA (bit 1 of SVCR)", when, SVCR_ZA, c->out.svcr & SVCR_ZA))
		return;
	check_word("bytes in a streaming vector", when, c->want.svl, c->out.svl);
	check_bytes("ZA", when, c->want.za, c->out.za, c->want.svl * c->want.svl);
}

static void za_shown(struct tracee *t, const struct stop *s, const struct regs_call *c)
{
	static __u8 data[ZA_REGSET_SIZE];
	struct user_sve_header *h = (void *)data;
	char when[96];

	snprintf(when, sizeof(when), "as NT_ARM_ZA shows it at '%.48s'", s->text);
	regset_must_get(t, NT_ARM_ZA, data, sizeof(data));
	check_word("size", when, sizeof(*h) + c->want.svl * c->want.svl, h->size);
	check_word("vl", when, c->want.svl, h->vl);
	check_bytes("ZA", when, c->want.za, data + sizeof(*h), c->want.svl * c->want.svl);
}

static void za_write(struct tracee *t, struct regs_call *c)
{
	static __u8 data[ZA_REGSET_SIZE];
	struct user_sve_header *h = (void *)data;
	size_t size = c->want.svl * c->want.svl;

	regs_pattern(c->want.za, size, 10);
	h->size = (__u32)(sizeof(*h) + size);
	h->vl = (__u16)c->want.svl;
	memcpy(data + sizeof(*h), c->want.za, size);
	regset_must_set(t, NT_ARM_ZA, data, sizeof(*h) + size);
}

const struct reg_class class_za = {
	"ZA", has_sme, za_fill, za_check, za_shown, za_write,
};

static void zt_fill(struct regs_call *c)
{
	za_fill(c);
	c->what |= BIT(HAS_ZT);
	regs_pattern(c->in.zt, sizeof(c->in.zt), 11);
	memcpy(c->want.zt, c->in.zt, sizeof(c->in.zt));
}

static void zt_check(const struct regs_call *c, const char *when)
{
	za_check(c, when);
	check_bytes("ZT0", when, c->want.zt, c->out.zt, sizeof(c->want.zt));
}

static void zt_shown(struct tracee *t, const struct stop *s, const struct regs_call *c)
{
	__u8 zt[64] = { 0 };
	char when[96];

	snprintf(when, sizeof(when), "as NT_ARM_ZT shows it at '%.48s'", s->text);
	regset_must_get(t, NT_ARM_ZT, zt, sizeof(zt));
	check_bytes("ZT0", when, c->want.zt, zt, sizeof(zt));
}

static void zt_write(struct tracee *t, struct regs_call *c)
{
	regs_pattern(c->want.zt, sizeof(c->want.zt), 12);
	regset_must_set(t, NT_ARM_ZT, c->want.zt, sizeof(c->want.zt));
}

const struct reg_class class_zt = {
	"ZT0", has_sme2, zt_fill, zt_check, zt_shown, zt_write,
};

static void sme_fill(struct regs_call *c)
{
	const char *reason;

	streaming_fill(c);
	if (has_sme2(&reason))
		zt_fill(c);
	else
		za_fill(c);
}

static void sme_check(const struct regs_call *c, const char *when)
{
	streaming_check(c, when);
	if (c->what & BIT(HAS_ZT))
		zt_check(c, when);
	else
		za_check(c, when);
}

static void sme_shown(struct tracee *t, const struct stop *s, const struct regs_call *c)
{
	streaming_shown(t, s, c);
	za_shown(t, s, c);
	if (c->what & BIT(HAS_ZT))
		zt_shown(t, s, c);
}

const struct reg_class class_sme = {
	"streaming mode and ZA", has_sme, sme_fill, sme_check, sme_shown, NULL,
};
