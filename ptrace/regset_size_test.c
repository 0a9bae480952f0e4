// SPDX-License-Identifier: GPL-2.0
/*
 * PTRACE_GETREGSET and SETREGSET with sizes and addresses that are wrong, too small or
 * too large: the error that kernel/ptrace.c ptrace_regset() and the set functions of
 * arch/arm64/kernel/ptrace.c have for it, and nothing changed, in the task or behind the
 * tracer's buffer. Regsets that there are not are EINVAL (P28).
 */
#include <asm/hwcap.h>
#include <asm/ptrace.h>
#include <elf.h>
#include <errno.h>
#include <sys/auxv.h>

#include "case.h"
#include "regclass.h"

#define DATA_SIZE	1024
#define FILLER		0xcc
#define NOWHERE		((void *)4096)

/*
 * A regset. @unit: what the size must be a multiple of; @size: of all of it, or, where
 * @least is set, of as much of it as is read here; @least: header without which nothing
 * can be written.
 */
struct regset {
	unsigned int note;
	const char *name;
	size_t unit;
	size_t size;
	size_t least;
	int read_only;
};

/* @needs: what is missing where these are EINVAL and @hwcap, @hwcap2 (if any) are not set. */
struct group {
	struct regset regset[4];
	unsigned long hwcap, hwcap2;
	const char *needs;
};

FIXTURE(regsets) {
};

FIXTURE_VARIANT(regsets) {
	struct group group;
};

FIXTURE_VARIANT_ADD(regsets, always) {
	.group.regset = { { NT_PRSTATUS, "NT_PRSTATUS", 8, sizeof(struct user_pt_regs), 0, 0 },
			  { NT_PRFPREG, "NT_PRFPREG", 4, sizeof(struct user_fpsimd_state), 0, 0 },
			  { NT_ARM_TLS, "NT_ARM_TLS", 8, 16, 0, 0 },
			  { NT_ARM_SYSTEM_CALL, "NT_ARM_SYSTEM_CALL", 4, 4, 0, 0 } },
};

FIXTURE_VARIANT_ADD(regsets, breakpoints) {
	.group.regset = { { NT_ARM_HW_BREAK, "NT_ARM_HW_BREAK", 4, 8 + 16 * 16, 0, 0 },
			  { NT_ARM_HW_WATCH, "NT_ARM_HW_WATCH", 4, 8 + 16 * 16, 0, 0 } },
	.group.needs = "CONFIG_HAVE_HW_BREAKPOINT",
};

FIXTURE_VARIANT_ADD(regsets, sve) {
	.group.regset = { { NT_ARM_SVE, "NT_ARM_SVE", 16, 512, 16, 0 } },
	.group.hwcap = HWCAP_SVE,
	.group.needs = "a CPU with FEAT_SVE, CONFIG_ARM64_SVE, no arm64.nosve",
};

FIXTURE_VARIANT_ADD(regsets, sme) {
	.group.regset = { { NT_ARM_SSVE, "NT_ARM_SSVE", 16, 512, 16, 0 },
			  { NT_ARM_ZA, "NT_ARM_ZA", 16, 512, 16, 0 } },
	.group.hwcap2 = HWCAP2_SME,
	.group.needs = "a CPU with FEAT_SME, CONFIG_ARM64_SME, no arm64.nosme",
};

FIXTURE_VARIANT_ADD(regsets, pac) {
	.group.regset = { { NT_ARM_PAC_MASK, "NT_ARM_PAC_MASK", 8, 16, 0, 1 },
			  { NT_ARM_PAC_ENABLED_KEYS, "NT_ARM_PAC_ENABLED_KEYS", 8, 8, 0, 0 } },
	.group.hwcap = HWCAP_PACA,
	.group.needs = "a CPU with FEAT_PAuth, CONFIG_ARM64_PTR_AUTH, no arm64.nopauth",
};

FIXTURE_VARIANT_ADD(regsets, pac_keys) {
	.group.regset = { { NT_ARM_PACA_KEYS, "NT_ARM_PACA_KEYS", 16, 64, 0, 0 },
			  { NT_ARM_PACG_KEYS, "NT_ARM_PACG_KEYS", 16, 16, 0, 0 } },
	.group.needs = "a CPU with FEAT_PAuth, CONFIG_ARM64_PTR_AUTH, CONFIG_CHECKPOINT_RESTORE",
};

FIXTURE_VARIANT_ADD(regsets, tagged_addr_ctrl) {
	.group.regset = { { NT_ARM_TAGGED_ADDR_CTRL, "NT_ARM_TAGGED_ADDR_CTRL", 8, 8, 0, 0 } },
	.group.needs = "CONFIG_ARM64_TAGGED_ADDR_ABI",
};

FIXTURE_SETUP(regsets)
{
}

FIXTURE_TEARDOWN(regsets)
{
}

/* To an entry stop. */
static struct tracee at_entry(void)
{
	struct tracee t;

	tracee_first(&t, svc_script_new(1), PTRACE_O_TRACESYSGOOD, PTRACE_SYSCALL, "entry getuid");
	return t;
}

/* Skips where the regsets are not there and need not be. */
static void need_group(struct tracee *t, const struct group *g)
{
	char c = 0;

	if (g->needs && !(getauxval(AT_HWCAP) & g->hwcap) && !(getauxval(AT_HWCAP2) & g->hwcap2) &&
	    regset_get(t, g->regset[0].note, &c, 0) == -EINVAL) {
		tracee_end(t);
		case_skip("no %s: needs %s", g->regset[0].name, g->needs);
	}
}

static void check_result(const char *what, const struct regset *r, size_t size, long expected,
			 long observed)
{
	char text[128];

	snprintf(text, sizeof(text), "%s of %s, %zu bytes", what, r->name, size);
	check_eq(text, U64(expected), U64(observed));
}

static void get_all(struct tracee *t, const struct regset *r, __u8 *data)
{
	memset(data, FILLER, DATA_SIZE);
	check_result("PTRACE_GETREGSET", r, r->size, (long)r->size,
		     regset_get(t, r->note, data, r->size));
}

/* A read of @size bytes gives the first @given of @all, and writes nothing behind them. */
static void check_read(struct tracee *t, const struct regset *r, const __u8 *all, size_t size,
		       size_t given)
{
	__u8 expected[DATA_SIZE], data[DATA_SIZE];

	memset(expected, FILLER, sizeof(expected));
	memcpy(expected, all, given);
	memset(data, FILLER, sizeof(data));
	check_result("PTRACE_GETREGSET", r, size, (long)given, regset_get(t, r->note, data, size));
	check_bytes(r->name, "in the tracer's buffer, and what is behind it there", expected, data,
		    sizeof(data));
}

TEST_F(regsets, read_with_any_size_give_that_much_or_all)
{
	const struct regset *r;
	struct tracee t;
	__u8 all[DATA_SIZE];

	PINS("P28");
	t = at_entry();
	need_group(&t, &variant->group);
	for (unsigned int i = 0; i < ARRAY_SIZE(variant->group.regset); i++) {
		r = &variant->group.regset[i];
		if (!r->name)
			break;
		get_all(&t, r, all);
		check_read(&t, r, all, 0, 0);
		check_read(&t, r, all, r->unit, r->unit);
		check_read(&t, r, all, r->size - r->unit, r->size - r->unit);
		if (r->least)
			continue;
		check_read(&t, r, all, r->size + r->unit, r->size);
		check_read(&t, r, all, r->size + 5 * r->unit, r->size);
	}
	tracee_end(&t);
}

static void check_refused(struct tracee *t, const struct regset *r)
{
	const size_t sizes[] = { 1, r->unit - 1, r->unit + 1, r->size + 1, r->size + r->unit - 1 };
	long none = r->read_only ? -EOPNOTSUPP : r->least ? -EINVAL : 0;
	__u8 data[DATA_SIZE] = { 0 };

	for (unsigned int i = 0; i < ARRAY_SIZE(sizes); i++) {
		check_result("PTRACE_GETREGSET", r, sizes[i], -EINVAL,
			     regset_get(t, r->note, data, sizes[i]));
		check_result("PTRACE_SETREGSET", r, sizes[i], -EINVAL,
			     regset_set(t, r->note, data, sizes[i]));
	}
	check_result("PTRACE_SETREGSET", r, 0, none, regset_set(t, r->note, data, 0));
	check_result("PTRACE_GETREGSET to where nothing is mapped", r, r->size, -EFAULT,
		     regset_get(t, r->note, NOWHERE, r->size));
	check_result("PTRACE_SETREGSET from where nothing is mapped", r, r->size,
		     r->read_only ? -EOPNOTSUPP : -EFAULT,
		     regset_set(t, r->note, NOWHERE, r->size));
	check_result("PTRACE_GETREGSET without an iovec", r, 0, -EFAULT,
		     tracee_request(t, PTRACE_GETREGSET, r->note, NOWHERE));
	check_result("PTRACE_SETREGSET without an iovec", r, 0, -EFAULT,
		     tracee_request(t, PTRACE_SETREGSET, r->note, NOWHERE));
	if (r->read_only)
		check_result("PTRACE_SETREGSET", r, r->size, -EOPNOTSUPP,
			     regset_set(t, r->note, data, r->size));
}

TEST_F(regsets, wrong_sizes_and_addresses_are_refused_and_change_nothing)
{
	__u8 before[DATA_SIZE], after[DATA_SIZE];
	const struct regset *r;
	struct tracee t;

	PINS("P28");
	t = at_entry();
	need_group(&t, &variant->group);
	for (unsigned int i = 0; i < ARRAY_SIZE(variant->group.regset); i++) {
		r = &variant->group.regset[i];
		if (!r->name)
			break;
		get_all(&t, r, before);
		check_refused(&t, r);
		get_all(&t, r, after);
		check_bytes(r->name, "after all that was refused", before, after, DATA_SIZE);
	}
	tracee_end(&t);
}

/*
 * Numbers of other architectures, of core dumps, of 32-bit tasks, of nobody; those that this
 * machine lacks. Of these, NT_ARM_PAC_MASK is never written, and NT_ARM_SVE is, to end
 * streaming mode, on a CPU with SME alone.
 */
TEST(unknown_and_absent_regsets_are_einval)
{
	static const struct {
		unsigned int note;
		unsigned long hwcap, hwcap2;
		int read_only;
	} notes[] = {
		{ 0, 0, 0, 0 }, { NT_PRPSINFO, 0, 0, 0 }, { 0x100 /* NT_PPC_VMX */, 0, 0, 0 },
		{ NT_ARM_VFP, 0, 0, 0 }, { 0x4ff, 0, 0, 0 }, { ~0u, 0, 0, 0 },
		{ NT_ARM_SVE, HWCAP_SVE, 0, 1 }, { NT_ARM_PAC_MASK, HWCAP_PACA, 0, 1 },
		{ NT_ARM_PACA_KEYS, HWCAP_PACA, 0, 0 }, { NT_ARM_PACG_KEYS, HWCAP_PACG, 0, 0 },
		{ NT_ARM_PAC_ENABLED_KEYS, HWCAP_PACA, 0, 0 },
		{ NT_ARM_SSVE, 0, HWCAP2_SME, 0 }, { NT_ARM_ZA, 0, HWCAP2_SME, 0 },
		{ NT_ARM_ZT, 0, HWCAP2_SME2, 0 }, { NT_ARM_FPMR, 0, HWCAP2_FPMR, 0 },
		{ NT_ARM_POE, 0, HWCAP2_POE, 0 }, { NT_ARM_GCS, HWCAP_GCS, 0, 0 },
	};
	__u8 data[DATA_SIZE] = { 0 }, none[DATA_SIZE] = { 0 };
	struct tracee t;
	char what[64];

	PINS("P28");
	t = at_entry();
	for (unsigned int i = 0; i < ARRAY_SIZE(notes); i++) {
		if (getauxval(AT_HWCAP) & notes[i].hwcap || getauxval(AT_HWCAP2) & notes[i].hwcap2)
			continue;
		snprintf(what, sizeof(what), "PTRACE_GETREGSET of note 0x%x", notes[i].note);
		check_eq(what, (__u64)-EINVAL, U64(regset_get(&t, notes[i].note, data, 64)));
		if (notes[i].read_only)
			continue;
		snprintf(what, sizeof(what), "PTRACE_SETREGSET of note 0x%x", notes[i].note);
		check_eq(what, (__u64)-EINVAL, U64(regset_set(&t, notes[i].note, data, 64)));
	}
	check_mem("buffer of the reads", none, data, DATA_SIZE);
	tracee_end(&t);
}

