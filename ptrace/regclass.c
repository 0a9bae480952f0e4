// SPDX-License-Identifier: GPL-2.0
/* The classes of registers: see regclass.h. */
#include <asm/hwcap.h>
#include <asm/sigcontext.h>
#include <elf.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/uio.h>

#include "regclass.h"

#define BIT(n)		(1ull << (n))

/* AHP, DN, FZ and both bits of the rounding mode; some of the cumulative flags. */
#define FPCR_IN		0x07c00000
#define FPCR_OTHER	0x02400000
#define FPSR_IN		0x08000015
#define FPSR_OTHER	0x0000000a

void regs_pattern(__u8 *p, size_t len, unsigned int seed)
{
	for (size_t i = 0; i < len; i++)
		p[i] = (__u8)((i * 7 + i / 16 * 3 + seed * 29) % 255 + 1);
}

void need_class(const struct reg_class *class)
{
	const char *reason;

	if (!class->present(&reason))
		case_skip("%s", reason);
}

long regset_get(struct tracee *t, unsigned int note, void *data, size_t size)
{
	struct iovec iov = { data, size };
	long ret = tracee_request(t, PTRACE_GETREGSET, note, &iov);

	return ret ? ret : (long)iov.iov_len;
}

long regset_set(struct tracee *t, unsigned int note, const void *data, size_t size)
{
	struct iovec iov = { (void *)data, size };
	long ret = tracee_request(t, PTRACE_SETREGSET, note, &iov);

	return ret ? ret : (long)iov.iov_len;
}

size_t regset_must_get(struct tracee *t, unsigned int note, void *data, size_t size)
{
	long ret = regset_get(t, note, data, size);

	if (ret < 0)
		case_die("reading regset 0x%x: expected success, observed %s", note,
			 strerror((int)-ret));
	return (size_t)ret;
}

void regset_must_set(struct tracee *t, unsigned int note, const void *data, size_t size)
{
	long ret = regset_set(t, note, data, size);

	if (ret < 0)
		case_die("writing regset 0x%x: expected success, observed %s", note,
			 strerror((int)-ret));
}

bool check_word(const char *name, const char *when, __u64 want, __u64 seen)
{
	char what[160];

	snprintf(what, sizeof(what), "%s %s", name, when);
	return check_eq(what, want, seen);
}

bool check_bytes(const char *name, const char *when, const void *want, const void *seen,
		 size_t size)
{
	char what[160];

	snprintf(what, sizeof(what), "%s %s", name, when);
	return check_mem(what, want, seen, size);
}

void check_each(char kind, unsigned int n, const char *when, const void *want,
		const void *seen, size_t size)
{
	bool same = true;
	char name[16];

	for (unsigned int i = 0; i < n && same; i++) {
		snprintf(name, sizeof(name), "%c%u", kind, i);
		same = check_bytes(name, when, (const __u8 *)want + i * size,
				   (const __u8 *)seen + i * size, size);
	}
}

/* "as NT_ARM_TLS shows it at this entry stop" */
static const char *shown_at(const char *note, const struct stop *s)
{
	static char text[96];

	snprintf(text, sizeof(text), "as %s shows it at '%.48s'", note, s->text);
	return text;
}

bool has_sve(const char **reason)
{
	*reason = "no SVE: needs a CPU with FEAT_SVE, CONFIG_ARM64_SVE, and no arm64.nosve";
	return getauxval(AT_HWCAP) & HWCAP_SVE;
}

bool has_sme(const char **reason)
{
	*reason = "no SME: needs a CPU with FEAT_SME, CONFIG_ARM64_SME, and no arm64.nosme";
	return getauxval(AT_HWCAP2) & HWCAP2_SME;
}

bool has_sme2(const char **reason)
{
	*reason = "no ZT0: needs a CPU with FEAT_SME2, CONFIG_ARM64_SME, and no arm64.nosme";
	return getauxval(AT_HWCAP2) & HWCAP2_SME2;
}

static bool always(const char **reason)
{
	(void)reason;
	return true;
}

/* The general registers: in the frame, which svc_run() and check_frame() look after. */

static void general_fill(struct regs_call *c)
{
	(void)c;
}

static void general_check(const struct regs_call *c, const char *when)
{
	(void)c;
	(void)when;
}

static void general_shown(struct tracee *t, const struct stop *s, const struct regs_call *c)
{
	const char *when = shown_at("NT_PRSTATUS", s);
	char name[8];

	(void)t;
	for (unsigned int i = 9; i < 31; i++) {
		snprintf(name, sizeof(name), "x%u", i);
		check_word(name, when, c->frame.x[i], s->regs.regs[i]);
	}
	check_word("SP", when, c->frame.sp, s->regs.sp);
	check_word("NZCV", when, c->frame.nzcv, s->regs.pstate & 0xf0000000);
}

static void general_write(struct tracee *t, struct regs_call *c)
{
	struct user_pt_regs regs;

	tracee_get_regs(t, &regs);
	for (unsigned int i = 9; i < 31; i++) {
		c->frame.x[i] = ~c->frame.x[i];
		regs.regs[i] = c->frame.x[i];
	}
	c->frame.nzcv ^= 0xf0000000;
	regs.pstate ^= 0xf0000000;
	tracee_set_regs(t, &regs);
}

const struct reg_class class_general = {
	"general registers", always, general_fill, general_check, general_shown, general_write,
};

/* The thread pointers. */

static void tls_fill(struct regs_call *c)
{
	const char *reason;

	c->what |= BIT(HAS_TPIDR);
	c->in.tpidr = 0x7157157157157150ull;
	if (has_sme(&reason)) {
		c->what |= BIT(HAS_SME);
		c->in.tpidr2 = 0x2157157157157152ull;
	}
	c->want.tpidr = c->in.tpidr;
	c->want.tpidr2 = c->in.tpidr2;
}

static void tls_check(const struct regs_call *c, const char *when)
{
	check_word("TPIDR_EL0", when, c->want.tpidr, c->out.tpidr);
	if (c->what & BIT(HAS_SME))
		check_word("TPIDR2_EL0", when, c->want.tpidr2, c->out.tpidr2);
}

static void tls_shown(struct tracee *t, const struct stop *s, const struct regs_call *c)
{
	__u64 tls[2] = { 0 };

	regset_must_get(t, NT_ARM_TLS, tls, sizeof(tls));
	check_word("TPIDR_EL0", shown_at("NT_ARM_TLS", s), c->want.tpidr, tls[0]);
	check_word("TPIDR2_EL0 (0 where there is none)", shown_at("NT_ARM_TLS", s), c->want.tpidr2,
		   tls[1]);
}

static void tls_write(struct tracee *t, struct regs_call *c)
{
	c->want.tpidr = ~c->want.tpidr;
	if (c->what & BIT(HAS_SME))
		c->want.tpidr2 = ~c->want.tpidr2;
	regset_must_set(t, NT_ARM_TLS, &c->want.tpidr, 2 * sizeof(__u64));
}

const struct reg_class class_tls = {
	"thread pointers", always, tls_fill, tls_check, tls_shown, tls_write,
};

/* V0-V31, FPSR, FPCR. */

static void fpsimd_fill(struct regs_call *c)
{
	c->what |= BIT(HAS_FPSIMD);
	regs_pattern(c->in.v[0], sizeof(c->in.v), 1);
	c->in.fpsr = FPSR_IN;
	c->in.fpcr = FPCR_IN;
	memcpy(c->want.v, c->in.v, sizeof(c->in.v));
	c->want.fpsr = FPSR_IN;
	c->want.fpcr = FPCR_IN;
}

static void fpsimd_check(const struct regs_call *c, const char *when)
{
	check_each('V', 32, when, c->want.v, c->out.v, 16);
	check_word("FPSR", when, c->want.fpsr, c->out.fpsr);
	check_word("FPCR", when, c->want.fpcr, c->out.fpcr);
}

static void fpsimd_shown(struct tracee *t, const struct stop *s, const struct regs_call *c)
{
	struct user_fpsimd_state fp = { 0 };

	regset_must_get(t, NT_PRFPREG, &fp, sizeof(fp));
	check_each('V', 32, shown_at("NT_PRFPREG", s), c->want.v, fp.vregs, 16);
	check_word("FPSR", shown_at("NT_PRFPREG", s), c->want.fpsr, fp.fpsr);
	check_word("FPCR", shown_at("NT_PRFPREG", s), c->want.fpcr, fp.fpcr);
}

static void fpsimd_write(struct tracee *t, struct regs_call *c)
{
	struct user_fpsimd_state fp = { .fpsr = FPSR_OTHER, .fpcr = FPCR_OTHER };

	regs_pattern(c->want.v[0], sizeof(c->want.v), 2);
	memcpy(fp.vregs, c->want.v, sizeof(c->want.v));
	c->want.fpsr = fp.fpsr;
	c->want.fpcr = fp.fpcr;
	regset_must_set(t, NT_PRFPREG, &fp, sizeof(fp));
}

const struct reg_class class_fpsimd = {
	"V0-V31, FPSR and FPCR", always, fpsimd_fill, fpsimd_check, fpsimd_shown, fpsimd_write,
};

static void base_fill(struct regs_call *c)
{
	general_fill(c);
	tls_fill(c);
	fpsimd_fill(c);
}

static void base_check(const struct regs_call *c, const char *when)
{
	general_check(c, when);
	tls_check(c, when);
	fpsimd_check(c, when);
}

static void base_shown(struct tracee *t, const struct stop *s, const struct regs_call *c)
{
	general_shown(t, s, c);
	tls_shown(t, s, c);
	fpsimd_shown(t, s, c);
}

const struct reg_class class_base = {
	"general registers, thread pointers, V0-V31, FPSR and FPCR", always, base_fill,
	base_check, base_shown, NULL,
};

/* The flags of PSTATE that a task can set itself, all set or all clear. */

static const struct flag {
	unsigned int has;
	__u64 bit;
	const char *name;
	unsigned long hwcap, hwcap2;
} flags[] = {
	{ HAS_DIT, PSTATE_DIT, "PSTATE.DIT (bit 24)", HWCAP_DIT, 0 },
	{ HAS_SSBS, PSTATE_SSBS, "PSTATE.SSBS (bit 12)", HWCAP_SSBS, 0 },
	{ HAS_TCO, PSTATE_TCO, "PSTATE.TCO (bit 25)", 0, HWCAP2_MTE },
};

static bool has_flag(const struct flag *f)
{
	return getauxval(AT_HWCAP) & f->hwcap || getauxval(AT_HWCAP2) & f->hwcap2;
}

static __u64 flags_here(void)
{
	__u64 here = 0;

	for (unsigned int i = 0; i < ARRAY_SIZE(flags); i++)
		here |= has_flag(&flags[i]) ? flags[i].bit : 0;
	return here;
}

static bool has_flags(const char **reason)
{
	*reason = "no PSTATE.DIT, SSBS or TCO: needs a CPU with FEAT_DIT, FEAT_SSBS2 or FEAT_MTE2";
	return flags_here();
}

static void flags_fill(struct regs_call *c, __u64 value)
{
	for (unsigned int i = 0; i < ARRAY_SIZE(flags); i++)
		c->what |= has_flag(&flags[i]) ? BIT(flags[i].has) : 0;
	c->in.pstate = value;
	c->want.pstate = value;
}

static void flags_set_fill(struct regs_call *c)
{
	flags_fill(c, flags_here());
}

static void flags_clear_fill(struct regs_call *c)
{
	flags_fill(c, 0);
}

static void flags_differ(const struct regs_call *c, const char *when, __u64 seen)
{
	for (unsigned int i = 0; i < ARRAY_SIZE(flags); i++)
		if (has_flag(&flags[i]))
			check_word(flags[i].name, when, !!(c->want.pstate & flags[i].bit),
				   !!(seen & flags[i].bit));
}

static void flags_check(const struct regs_call *c, const char *when)
{
	flags_differ(c, when, c->out.pstate);
}

static void flags_shown(struct tracee *t, const struct stop *s, const struct regs_call *c)
{
	(void)t;
	flags_differ(c, shown_at("NT_PRSTATUS", s), s->regs.pstate);
}

static void flags_write(struct tracee *t, struct regs_call *c)
{
	struct user_pt_regs regs;

	c->want.pstate ^= flags_here();
	tracee_get_regs(t, &regs);
	regs.pstate ^= flags_here();
	tracee_set_regs(t, &regs);
}

const struct reg_class class_flags_set = {
	"flags of PSTATE", has_flags, flags_set_fill, flags_check, flags_shown, flags_write,
};

const struct reg_class class_flags_clear = {
	"flags of PSTATE", has_flags, flags_clear_fill, flags_check, flags_shown, flags_write,
};
