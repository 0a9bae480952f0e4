// SPDX-License-Identifier: GPL-2.0
/*
 * Values written to regsets: a PSTATE that no task may have is refused and changes
 * nothing, a write of the first registers leaves the others alone, and what has an effect
 * beyond the register has it: pointer authentication keys and the tagged address ABI
 * (P28). arch/arm64/kernel/ptrace.c valid_user_regs() and the set functions decide.
 */
#include <asm/hwcap.h>
#include <asm/ptrace.h>
#include <asm/unistd.h>
#include <elf.h>
#include <errno.h>
#include <sys/auxv.h>

#include "case.h"
#include "effect.h"
#include "regclass.h"

#define SYSGOOD	PTRACE_O_TRACESYSGOOD

static const struct {
	const char *what;
	__u64 set;
} bad_pstate[] = {
	{ "mode EL1h", 0x5 }, { "mode EL1t", 0x4 }, { "mode EL2h", 0x9 },
	{ "EL0 with SP_ELx", 0x1 }, { "AArch32 user mode", 0x10 }, { "DAIF.F", 0x40 },
	{ "DAIF.I", 0x80 }, { "DAIF.A", 0x100 }, { "DAIF.D", 0x200 },
};

TEST(pstate_that_no_task_may_have_is_einval_and_changes_nothing)
{
	struct user_pt_regs before, after, regs;
	struct svc_script *sc;
	struct tracee t;

	PINS("P28");
	sc = svc_script_new(1);
	tracee_first(&t, sc, SYSGOOD, PTRACE_SYSCALL, "entry getuid");
	tracee_get_regs(&t, &before);
	for (unsigned int i = 0; i < ARRAY_SIZE(bad_pstate); i++) {
		for (unsigned int r = 0; r < 31; r++)
			regs.regs[r] = ~before.regs[r];
		regs.sp = 0;
		regs.pc = 0;
		regs.pstate = before.pstate | bad_pstate[i].set;
		check_word("PTRACE_SETREGSET of NT_PRSTATUS with PSTATE of", bad_pstate[i].what,
			   (__u64)-EINVAL, U64(regset_set(&t, NT_PRSTATUS, &regs, sizeof(regs))));
		tracee_get_regs(&t, &after);
		check_bytes("NT_PRSTATUS after that, with PSTATE of", bad_pstate[i].what, &before,
			    &after, sizeof(before));
	}
	tracee_to(&t, PTRACE_SYSCALL, 0, "exit getuid");
	tracee_to(&t, PTRACE_CONT, 0, "exited 0");
	check_frame(&sc->f[0], getuid());
}

/* SPSR bits without a meaning for a task: SPSR_EL1_AARCH64_RES0_BITS; SS is the kernel's. */
TEST(pstate_bits_that_a_task_has_not_are_dropped)
{
	static const __u64 dropped[] = {
		0xffffffff00000000ull, 0x0c000000, 0x00c00000, 0x00200000, 0x000fe000, 0x20,
	};
	struct user_pt_regs regs;
	struct svc_script *sc;
	struct tracee t;
	__u64 before;
	char what[64];

	PINS("P28");
	sc = svc_script_new(1);
	tracee_first(&t, sc, SYSGOOD, PTRACE_SYSCALL, "entry getuid");
	tracee_get_regs(&t, &regs);
	before = regs.pstate;
	for (unsigned int i = 0; i < ARRAY_SIZE(dropped); i++) {
		regs.pstate = before | dropped[i];
		tracee_set_regs(&t, &regs);
		tracee_get_regs(&t, &regs);
		snprintf(what, sizeof(what), "PSTATE read back, written with 0x%llx",
			 (unsigned long long)dropped[i]);
		check_eq(what, before, regs.pstate);
	}
	tracee_to(&t, PTRACE_SYSCALL, 0, "exit getuid");
	tracee_to(&t, PTRACE_CONT, 0, "exited 0");
	check_frame(&sc->f[0], getuid());
}

/* A regset of which the tracer writes the first half: the rest must be what it was. */
TEST(write_of_the_first_registers_leaves_the_others_alone)
{
	static const struct {
		unsigned int note;
		const char *name;
		size_t size, written;
	} regsets[] = {
		{ NT_PRSTATUS, "NT_PRSTATUS", sizeof(struct user_pt_regs), 7 * 8 },
		{ NT_PRFPREG, "NT_PRFPREG", sizeof(struct user_fpsimd_state), 5 * 16 + 4 },
		{ NT_PRFPREG, "NT_PRFPREG", sizeof(struct user_fpsimd_state), 32 * 16 + 4 },
		{ NT_ARM_TLS, "NT_ARM_TLS", 16, 8 },
		{ NT_ARM_PACA_KEYS, "NT_ARM_PACA_KEYS", 64, 16 },
	};
	__u8 before[600], after[600], data[600];
	struct regs_call *c;
	struct tracee t;
	char when[64];

	PINS("P28");
	c = shared_alloc(sizeof(*c));
	svc_fill(&c->frame, __NR_getuid, 0);
	c->run = svc_run;
	class_base.fill(c);
	t = tracee_start((void (*)(void *))regs_run, c, SYSGOOD);
	tracee_to(&t, PTRACE_SYSCALL, 0, "entry getuid");
	for (unsigned int i = 0; i < ARRAY_SIZE(regsets); i++) {
		if (regset_get(&t, regsets[i].note, before, regsets[i].size) < 0)
			continue;	/* regset_size_test says so */
		regs_pattern(data, sizeof(data), 20 + i);
		memcpy(before, data, regsets[i].written);
		regset_must_set(&t, regsets[i].note, data, regsets[i].written);
		regset_must_get(&t, regsets[i].note, after, regsets[i].size);
		snprintf(when, sizeof(when), "after a write of its first %zu bytes",
			 regsets[i].written);
		check_bytes(regsets[i].name, when, before, after, regsets[i].size);
	}
	tracee_end(&t);
}

/*
 * What the task makes of a pointer with each of its five keys, so often that two keys
 * cannot agree by chance. May be compiled with return addresses signed: no
 * function returns while a key is another one.
 */
#define SIGNED_POINTER	0x0000000012345678ull
#define STOPS		8
#define MODIFIERS	16

struct pac_run {
	__u64 code[STOPS + 1][5][MODIFIERS];
	struct svc_frame frame[STOPS];
};

static const char * const key_name[] = { "APIAKey", "APIBKey", "APDAKey", "APDBKey", "APGAKey" };

static void pac_body(void *arg)
{
	static __u64 (* const sign[])(__u64 pointer, __u64 modifier) = {
		regs_pacia, regs_pacib, regs_pacda, regs_pacdb, regs_pacga,
	};
	struct pac_run *r = arg;

	for (unsigned int i = 0; i <= STOPS; i++) {
		for (unsigned int key = 0; key < 4 + !!(getauxval(AT_HWCAP) & HWCAP_PACG); key++)
			for (unsigned int m = 0; m < MODIFIERS; m++)
				r->code[i][key][m] = sign[key](SIGNED_POINTER, m * 0x10001);
		if (i < STOPS)
			svc_run(&r->frame[i]);
	}
	svc_exit(0);
}

static struct tracee pac_start(struct pac_run **r)
{
	struct tracee t;

	if (!(getauxval(AT_HWCAP) & HWCAP_PACA))
		case_skip("%s",
			  "no pointer authentication: needs a CPU with FEAT_PAuth, CONFIG_ARM64_PTR_AUTH, and no arm64.nopauth");
	*r = shared_alloc(sizeof(**r));
	for (unsigned int i = 0; i < STOPS; i++)
		svc_fill(&(*r)->frame[i], __NR_getuid, 0);
	t = tracee_start(pac_body, *r, SYSGOOD);
	return t;
}

static void to_stop(struct tracee *t, bool at_entry)
{
	tracee_to(t, PTRACE_SYSCALL, 0, "entry getuid");
	if (!at_entry)
		tracee_to(t, PTRACE_SYSCALL, 0, "exit getuid");
}

static void leave_stop(struct tracee *t, bool at_entry)
{
	if (at_entry)
		tracee_to(t, PTRACE_SYSCALL, 0, "exit getuid");
}

static void check_codes(const struct pac_run *r, unsigned int i, unsigned int key, bool same)
{
	char what[96];

	snprintf(what, sizeof(what), "pointers signed with %s after stop %u and at first, equal",
		 key_name[key], i);
	check_eq(what, same, !memcmp(r->code[0][key], r->code[i][key], sizeof(r->code[0][key])));
}

FIXTURE(pac) {
};

FIXTURE_VARIANT(pac) {
	bool at_entry;
};

FIXTURE_VARIANT_ADD(pac, at_entry) {
	.at_entry = true,
};

FIXTURE_VARIANT_ADD(pac, at_exit) {
	.at_entry = false,
};

FIXTURE_SETUP(pac)
{
}

FIXTURE_TEARDOWN(pac)
{
}

TEST_F(pac, key_written_signs_what_follows_and_no_other_key_changes)
{
	__u64 keys[10], old[10];
	struct pac_run *r;
	struct tracee t;

	PINS("P28");
	t = pac_start(&r);
	for (unsigned int key = 0; key < 4; key++) {
		to_stop(&t, variant->at_entry);
		if (regset_get(&t, NT_ARM_PACA_KEYS, old, 64) < 0) {
			tracee_end(&t);
			case_skip("no NT_ARM_PACA_KEYS: needs CONFIG_CHECKPOINT_RESTORE");
		}
		memcpy(keys, old, sizeof(keys));
		keys[2 * key] ^= 0x0123456789abcdefull;
		keys[2 * key + 1] = ~keys[2 * key + 1];
		regset_must_set(&t, NT_ARM_PACA_KEYS, keys, 64);
		leave_stop(&t, variant->at_entry);
		to_stop(&t, variant->at_entry);
		regset_must_set(&t, NT_ARM_PACA_KEYS, old, 64);
		leave_stop(&t, variant->at_entry);
	}
	tracee_to(&t, PTRACE_CONT, 0, "exited 0");
	for (unsigned int key = 0; key < 4; key++)
		for (unsigned int i = 1; i <= STOPS; i++)
			check_codes(r, i, key, i != 2 * key + 1);
}

TEST_F(pac, generic_key_written_signs_what_follows)
{
	__u64 keys[2], old[2];
	struct pac_run *r;
	struct tracee t;

	PINS("P28");
	if (!(getauxval(AT_HWCAP) & HWCAP_PACG))
		case_skip("%s",
			  "no PACGA: needs a CPU with FEAT_PAuth, CONFIG_ARM64_PTR_AUTH, and no arm64.nopauth");
	t = pac_start(&r);
	to_stop(&t, variant->at_entry);
	if (regset_get(&t, NT_ARM_PACG_KEYS, old, 16) < 0) {
		tracee_end(&t);
		case_skip("no NT_ARM_PACG_KEYS: needs CONFIG_CHECKPOINT_RESTORE");
	}
	keys[0] = old[0] ^ 0x0123456789abcdefull;
	keys[1] = ~old[1];
	regset_must_set(&t, NT_ARM_PACG_KEYS, keys, 16);
	leave_stop(&t, variant->at_entry);
	to_stop(&t, variant->at_entry);
	regset_must_set(&t, NT_ARM_PACG_KEYS, old, 16);
	tracee_to(&t, PTRACE_CONT, 0, "exited 0");
	for (unsigned int key = 0; key < 5; key++)
		check_codes(r, 1, key, key != 4);
	check_codes(r, 2, 4, true);
}

/* A key that is not enabled: its instructions do nothing. */
TEST_F(pac, key_not_enabled_signs_nothing_and_unknown_keys_are_einval)
{
	__u64 enabled = 0;
	struct pac_run *r;
	struct tracee t;
	char what[64];

	PINS("P28");
	t = pac_start(&r);
	to_stop(&t, variant->at_entry);
	regset_must_get(&t, NT_ARM_PAC_ENABLED_KEYS, &enabled, sizeof(enabled));
	check_eq("enabled keys at first", 0xf, enabled);
	for (unsigned int key = 0; key < 4; key++) {
		enabled = 0xfu & ~(1u << key);
		regset_must_set(&t, NT_ARM_PAC_ENABLED_KEYS, &enabled, sizeof(enabled));
		enabled |= key ? 0x10ull << key : 1ull << 63;
		check_eq("PTRACE_SETREGSET of keys that there are not", (__u64)-EINVAL,
			 U64(regset_set(&t, NT_ARM_PAC_ENABLED_KEYS, &enabled, sizeof(enabled))));
		regset_must_get(&t, NT_ARM_PAC_ENABLED_KEYS, &enabled, sizeof(enabled));
		check_eq("enabled keys read back", 0xfu & ~(1u << key), enabled);
		leave_stop(&t, variant->at_entry);
		to_stop(&t, variant->at_entry);
	}
	tracee_to(&t, PTRACE_CONT, 0, "exited 0");
	for (unsigned int key = 0; key < 4; key++) {
		for (unsigned int i = 1; i <= 4; i++)
			if (i != key + 1)
				check_codes(r, i, key, true);
		snprintf(what, sizeof(what), "pointer signed with %s, which is not enabled",
			 key_name[key]);
		for (unsigned int m = 0; m < MODIFIERS; m++)
			check_eq(what, SIGNED_POINTER, r->code[key + 1][key][m]);
	}
}

TEST(pac_mask_covers_what_signing_changes)
{
	__u64 mask[2] = { 0 }, changed[2] = { 0 };
	struct pac_run *r;
	struct tracee t;

	PINS("P28");
	t = pac_start(&r);
	to_stop(&t, true);
	regset_must_get(&t, NT_ARM_PAC_MASK, mask, sizeof(mask));
	tracee_to(&t, PTRACE_CONT, 0, "exited 0");
	for (unsigned int key = 0; key < 4; key++)
		for (unsigned int m = 0; m < MODIFIERS; m++)
			changed[key < 2] |= r->code[0][key][m] ^ SIGNED_POINTER;
	check_eq("bits of data pointers that signing changed, outside data_mask", 0,
		 changed[0] & ~mask[0]);
	check_eq("bits of instruction pointers that signing changed, outside insn_mask", 0,
		 changed[1] & ~mask[1]);
	check_true("signing changed some bits", changed[0] && changed[1]);
	check_eq("bits of the masks that tell user from kernel addresses, or are in a page", 0,
		 (mask[0] | mask[1]) & 0x0080000000000fffull);
}

/* The ABI changes for the very call at whose entry stop it is switched. */
TEST(tagged_address_control_written_decides_about_tagged_arguments)
{
	__u64 on = PR_TAGGED_ADDR_ENABLE, off = 0, ctrl = 1, bad = 1ull << 40;
	struct svc_script *sc;
	struct tracee t;
	long ret;

	PINS("P28");
	effect_pipe();
	sc = svc_script_new(3);
	for (unsigned int i = 0; i < 3; i++) {
		effect_call(&sc->f[i]);
		sc->f[i].x[1] |= 0x5aull << 56;
	}
	tracee_first(&t, sc, SYSGOOD, PTRACE_SYSCALL, "entry write");
	if (regset_get(&t, NT_ARM_TAGGED_ADDR_CTRL, &ctrl, sizeof(ctrl)) == -EINVAL) {
		tracee_end(&t);
		case_skip("no NT_ARM_TAGGED_ADDR_CTRL: needs CONFIG_ARM64_TAGGED_ADDR_ABI");
	}
	check_eq("NT_ARM_TAGGED_ADDR_CTRL at first", 0, ctrl);
	check_eq("PTRACE_SETREGSET of unknown bits", (__u64)-EINVAL,
		 U64(regset_set(&t, NT_ARM_TAGGED_ADDR_CTRL, &bad, sizeof(bad))));
	tracee_to(&t, PTRACE_SYSCALL, 0, "exit write pc=svc+4 x0=-EFAULT");
	tracee_to(&t, PTRACE_SYSCALL, 0, "entry write");
	ret = regset_set(&t, NT_ARM_TAGGED_ADDR_CTRL, &on, sizeof(on));
	if (ret == -EINVAL) {
		tracee_end(&t);
		case_skip("tagged addresses are off: needs sysctl abi.tagged_addr_disabled=0");
	}
	bad |= on;
	check_eq("PTRACE_SETREGSET of unknown bits", (__u64)-EINVAL,
		 U64(regset_set(&t, NT_ARM_TAGGED_ADDR_CTRL, &bad, sizeof(bad))));
	regset_must_get(&t, NT_ARM_TAGGED_ADDR_CTRL, &ctrl, sizeof(ctrl));
	check_eq("NT_ARM_TAGGED_ADDR_CTRL read back", on, ctrl);
	tracee_to(&t, PTRACE_SYSCALL, 0, "exit write pc=svc+4 x0=1");
	regset_must_set(&t, NT_ARM_TAGGED_ADDR_CTRL, &off, sizeof(off));
	tracee_to(&t, PTRACE_CONT, 0, "exited 0");
	check_frame(&sc->f[0], (__u64)-EFAULT);
	check_frame(&sc->f[1], 1);
	check_frame(&sc->f[2], (__u64)-EFAULT);
	check_eq("bytes that the calls wrote", 1, effect_count());
}

