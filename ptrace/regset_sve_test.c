// SPDX-License-Identifier: GPL-2.0
/*
 * The regsets with a header, NT_ARM_SVE, NT_ARM_SSVE and NT_ARM_ZA: headers that are
 * wrong are refused and change nothing, a vector length is set or rounded down, and which
 * of them is written decides about streaming mode and ZA (P28).
 * arch/arm64/kernel/ptrace.c sve_set_common() and za_set() decide, and what
 * Documentation/arch/arm64/sve.rst and sme.rst say.
 */
#include <asm/unistd.h>
#include <elf.h>
#include <errno.h>
#include <sys/prctl.h>

#include "case.h"
#include "regclass.h"
#include "regset_sve.h"

/* The largest that a header may ask for, SVE_VL_MAX; no CPU has it. */
#define VL_LARGEST	8192

static void run_call(void *arg)
{
	regs_run(arg);
}

/* A task at the exit stop of a call before which it loaded @class. */
static struct tracee at_exit(struct regs_call *c, const struct reg_class *class)
{
	struct tracee t;

	need_class(class);
	svc_fill(&c->frame, __NR_sched_yield, 0);
	c->run = svc_run;
	class->fill(c);
	t = tracee_start(run_call, c, PTRACE_O_TRACESYSGOOD);
	tracee_to(&t, PTRACE_SYSCALL, 0, "entry sched_yield");
	tracee_to(&t, PTRACE_SYSCALL, 0, "exit sched_yield");
	return t;
}

static void finish(struct tracee *t, const struct regs_call *c)
{
	tracee_to(t, PTRACE_CONT, 0, "exited 0");
	check_frame(&c->frame, 0);
}

static struct user_sve_header header(struct tracee *t, unsigned int note)
{
	struct user_sve_header h = { 0 };

	regset_must_get(t, note, &h, sizeof(h));
	return h;
}

FIXTURE(header) {
};

FIXTURE_VARIANT(header) {
	const struct reg_class *class;
	unsigned int note;
};

FIXTURE_VARIANT_ADD(header, sve) {
	.class = &class_sve, .note = NT_ARM_SVE,
};

FIXTURE_VARIANT_ADD(header, ssve) {
	.class = &class_sme, .note = NT_ARM_SSVE,
};

FIXTURE_VARIANT_ADD(header, za) {
	.class = &class_sme, .note = NT_ARM_ZA,
};

FIXTURE_SETUP(header)
{
}

FIXTURE_TEARDOWN(header)
{
}

TEST_F(header, of_wrong_length_or_flags_is_einval_and_changes_nothing)
{
	/* vec_set_vector_length() has the last word on both. */
	static const struct {
		const char *what;
		__u16 vl, flags;
	} bad[] = {
		{ "vl 0", 0, SVE_PT_REGS_SVE }, { "vl 1", 1, SVE_PT_REGS_SVE },
		{ "vl 15", 15, SVE_PT_REGS_SVE }, { "vl 17", 17, SVE_PT_REGS_SVE },
		{ "vl 24", 24, SVE_PT_REGS_SVE }, { "vl 8208", VL_LARGEST + 16, SVE_PT_REGS_SVE },
		{ "vl 65520", 65520, SVE_PT_REGS_SVE }, { "flag 8", 16, SVE_PT_REGS_SVE | 8 },
		{ "flag 0x8000", 16, SVE_PT_REGS_SVE | 0x8000 },
	};
	static __u8 before[SVE_REGSET_SIZE], data[SVE_REGSET_SIZE];
	struct user_sve_header *h = (void *)data;
	struct regs_call *c;
	struct tracee t;

	PINS("P28");
	c = shared_alloc(sizeof(*c));
	t = at_exit(c, variant->class);
	regset_must_get(&t, variant->note, before, sizeof(before));
	for (unsigned int i = 0; i < ARRAY_SIZE(bad); i++) {
		memset(data, 0xee, sizeof(data));
		*h = (struct user_sve_header) {
			.size = sizeof(data), .vl = bad[i].vl, .flags = bad[i].flags,
		};
		check_word("PTRACE_SETREGSET with", bad[i].what, (__u64)-EINVAL,
			   U64(regset_set(&t, variant->note, data, sizeof(data))));
		check_word("the same, header only, with", bad[i].what, (__u64)-EINVAL,
			   U64(regset_set(&t, variant->note, data, sizeof(*h))));
		memset(data, 0, sizeof(data));
		regset_must_get(&t, variant->note, data, sizeof(data));
		check_bytes("regset after", bad[i].what, before, data, sizeof(data));
	}
	finish(&t, c);
	variant->class->check(c, "in the task afterwards");
}

/* What the tracer has behind the regset in its buffer, which is larger, is left alone. */
static void check_end(struct tracee *t, unsigned int note, size_t size)
{
	static __u8 data[ZA_REGSET_SIZE + 64], filler[64];

	memset(filler, 0xcc, sizeof(filler));
	memset(data, 0xcc, sizeof(data));
	regset_must_get(t, note, data, size + sizeof(filler));
	check_bytes("the buffer behind what the header says", "after PTRACE_GETREGSET", filler,
		    data + size, sizeof(filler));
}

TEST_F(header, says_length_and_sizes)
{
	struct user_sve_header h;
	struct regs_call *c;
	struct tracee t;
	__u64 vl;

	PINS("P28");
	c = shared_alloc(sizeof(*c));
	t = at_exit(c, variant->class);
	vl = variant->note == NT_ARM_SVE ? c->want.vl : c->in.svl;
	h = header(&t, variant->note);
	check_eq("vl", vl, h.vl);
	check_true("max_vl is a length and not below vl", h.max_vl >= h.vl && !(h.max_vl % 16));
	check_true("max_size is not below size", h.max_size >= h.size);
	check_end(&t, variant->note, (h.size + 15) / 16 * 16);
	/* Set to the largest that there is, which is what max_vl says. */
	vl = (__u64)prctl(variant->note == NT_ARM_SVE ? PR_SVE_SET_VL : PR_SME_SET_VL,
			  VL_LARGEST);
	check_eq("max_vl", vl & 0xffff, h.max_vl);
	finish(&t, c);
}

/* With more than a header the data would be of another length than the header says: EIO. */
TEST_F(header, of_length_that_the_cpu_lacks_is_rounded_down)
{
	static __u8 data[64 * 1024];
	struct user_sve_header *h = (void *)data, now;
	struct regs_call *c;
	struct tracee t;

	PINS("P28");
	c = shared_alloc(sizeof(*c));
	t = at_exit(c, variant->class);
	*h = (struct user_sve_header) { .size = sizeof(*h), .vl = VL_LARGEST,
					.flags = SVE_PT_REGS_SVE };
	if (variant->note == NT_ARM_ZA)
		h->flags = 0;
	regset_must_set(&t, variant->note, data, sizeof(*h));
	now = header(&t, variant->note);
	check_eq("vl after a header with the largest", now.max_vl, now.vl);
	h->size = sizeof(data);
	check_eq("PTRACE_SETREGSET of data for a length that there is not", (__u64)-EIO,
		 U64(regset_set(&t, variant->note, data, sizeof(data))));
	check_eq("vl after that", now.max_vl, header(&t, variant->note).vl);
	finish(&t, c);
	check_eq("vl in the task", now.max_vl,
		 variant->note == NT_ARM_SVE ? c->out.vl :
		 variant->note == NT_ARM_SSVE && c->out.svcr & SVCR_SM ? c->out.vl : now.max_vl);
}

TEST(sve_length_and_registers_written_are_what_the_task_resumes_with)
{
	static __u8 data[SVE_REGSET_SIZE];
	struct regs_call *c;
	struct tracee t;

	PINS("P28");
	c = shared_alloc(sizeof(*c));
	t = at_exit(c, &class_sve);
	memset(&c->want, 0, sizeof(c->want));
	c->want.vl = c->in.vl == 16 ? header(&t, NT_ARM_SVE).max_vl : 16;
	regs_pattern(c->want.z, 32 * c->want.vl, 31);
	regs_pattern(c->want.p, 2 * c->want.vl, 32);
	c->want.ffr[0] = 3;
	regset_must_set(&t, NT_ARM_SVE, data, sve_regset_make(data, &c->want, SVE_PT_VL_INHERIT));
	check_eq("flag of a length that exec keeps", SVE_PT_VL_INHERIT,
		 header(&t, NT_ARM_SVE).flags & SVE_PT_VL_INHERIT);
	finish(&t, c);
	class_sve.check(c, "in the task afterwards");
}

/* The format of V0-V31 makes the rest zero. */
TEST(sve_written_in_the_format_of_fpsimd_is_v_and_zeroes)
{
	struct {
		struct user_sve_header h;
		struct user_fpsimd_state fp;
	} data = { 0 };
	struct regs_call *c;
	struct tracee t;

	PINS("P28");
	c = shared_alloc(sizeof(*c));
	t = at_exit(c, &class_sve);
	class_sve.write(&t, c);
	memset(&c->want, 0, sizeof(c->want));
	c->want.vl = c->in.vl;
	regs_pattern(c->want.v[0], sizeof(c->want.v), 33);
	for (unsigned int i = 0; i < 32; i++)
		memcpy(c->want.z + i * c->want.vl, c->want.v[i], 16);
	data.h = (struct user_sve_header) {
		.size = sizeof(data), .vl = (__u16)c->want.vl, .flags = SVE_PT_REGS_FPSIMD,
	};
	memcpy(data.fp.vregs, c->want.v, sizeof(c->want.v));
	regset_must_set(&t, NT_ARM_SVE, &data, sizeof(data));
	finish(&t, c);
	class_sve.check(c, "in the task afterwards");
}

/* NT_PRFPREG is the low end of Z; what is beyond it becomes zero. */
TEST(prfpreg_read_and_written_while_sve_is_live_is_v_of_z)
{
	struct user_fpsimd_state fp = { 0 };
	struct regs_call *c;
	struct tracee t;

	PINS("P28");
	c = shared_alloc(sizeof(*c));
	t = at_exit(c, &class_sve);
	class_sve.write(&t, c);
	regset_must_get(&t, NT_PRFPREG, &fp, sizeof(fp));
	check_each('V', 32, "as NT_PRFPREG shows it", c->want.v, fp.vregs, 16);
	check_eq("FPSR as NT_PRFPREG shows it", c->want.fpsr, fp.fpsr);
	check_eq("FPCR as NT_PRFPREG shows it", c->want.fpcr, fp.fpcr);
	regs_pattern((__u8 *)fp.vregs, sizeof(fp.vregs), 35);
	regset_must_set(&t, NT_PRFPREG, &fp, sizeof(fp));
	memset(c->want.z, 0, sizeof(c->want.z));
	for (unsigned int i = 0; i < 32; i++)
		memcpy(c->want.z + i * c->want.vl, &fp.vregs[i], 16);
	memset(c->want.p, 0, sizeof(c->want.p));
	memset(c->want.ffr, 0, sizeof(c->want.ffr));
	finish(&t, c);
	class_sve.check(c, "in the task afterwards");
}

TEST(ssve_written_starts_streaming_mode_and_sve_written_ends_it)
{
	static __u8 data[SVE_REGSET_SIZE];
	const char *reason;
	struct regs_call *c;
	struct tracee t;

	PINS("P28");
	c = shared_alloc(sizeof(*c));
	if (!has_sve(&reason))
		case_skip("%s", reason);
	t = at_exit(c, &class_streaming);
	check_eq("size of NT_ARM_SSVE out of streaming mode", sizeof(struct user_sve_header),
		 header(&t, NT_ARM_SSVE).size);
	class_streaming.write(&t, c);
	check_eq("size of NT_ARM_SSVE in streaming mode", sve_regset_size(c->in.vl),
		 header(&t, NT_ARM_SSVE).size);
	check_eq("size of NT_ARM_SVE in streaming mode", sizeof(struct user_sve_header),
		 header(&t, NT_ARM_SVE).size);
	memset(&c->want, 0, sizeof(c->want));
	c->want.vl = header(&t, NT_ARM_SVE).vl;
	regs_pattern(c->want.z, 32 * c->want.vl, 34);
	for (unsigned int i = 0; i < 32; i++)
		memcpy(c->want.v[i], c->want.z + i * c->want.vl, 16);
	regset_must_set(&t, NT_ARM_SVE, data, sve_regset_make(data, &c->want, 0));
	check_eq("size of NT_ARM_SSVE afterwards", sizeof(struct user_sve_header),
		 header(&t, NT_ARM_SSVE).size);
	finish(&t, c);
	class_streaming.check(c, "in the task afterwards");
}

/* Streaming registers have one format only. */
TEST(ssve_in_the_format_of_fpsimd_is_einval_and_changes_nothing)
{
	struct {
		struct user_sve_header h;
		struct user_fpsimd_state fp;
	} data = { 0 };
	struct regs_call *c;
	struct tracee t;

	PINS("P28");
	c = shared_alloc(sizeof(*c));
	t = at_exit(c, &class_sme);
	data.h = (struct user_sve_header) {
		.size = sizeof(data), .vl = (__u16)c->in.svl, .flags = SVE_PT_REGS_FPSIMD,
	};
	check_eq("PTRACE_SETREGSET", (__u64)-EINVAL,
		 U64(regset_set(&t, NT_ARM_SSVE, &data, sizeof(data))));
	finish(&t, c);
	class_sme.check(c, "in the task afterwards");
}

TEST(za_header_alone_switches_za_off_and_data_switches_it_on)
{
	struct user_sve_header h = { 0 };
	struct regs_call *c;
	struct tracee t;

	PINS("P28");
	c = shared_alloc(sizeof(*c));
	t = at_exit(c, &class_za);
	h = header(&t, NT_ARM_ZA);
	check_eq("size of NT_ARM_ZA", sizeof(h) + c->in.svl * c->in.svl, h.size);
	h.size = sizeof(h);
	regset_must_set(&t, NT_ARM_ZA, &h, sizeof(h));
	check_eq("size of NT_ARM_ZA after its header alone", sizeof(h),
		 header(&t, NT_ARM_ZA).size);
	class_za.write(&t, c);
	class_za.shown(&t, &(struct stop) { .text = "exit sched_yield" }, c);
	regset_must_set(&t, NT_ARM_ZA, &h, sizeof(h));
	finish(&t, c);
	check_eq("PSTATE.ZA (bit 1 of SVCR) in the task afterwards", 0, c->out.svcr & SVCR_ZA);
}

