// SPDX-License-Identifier: GPL-2.0
/*
 * What a filter is shown of a call: number, architecture, six arguments of 64
 * bits and the instruction pointer svc+4, as the task issued them and as a tracer
 * changed them at the entry stop, which comes first (C01 of the contract).
 * kernel/seccomp.c populate_seccomp_data() fills it in, from
 * arch/arm64/include/asm/syscall.h syscall_get_arguments().
 */
#include "rules.h"
#include "tracee.h"

/* Verdicts of the filters below; no call returns such an error. */
#define AS_ISSUED	201
#define AS_CHANGED	202
#define STALE_ARG_0	203

#define NARGS	6

#define HINT_X0 \
	"hint: fixed by 88b839ce497c arm64: ptrace: Keep 'orig_x0' in-sync with x0 on syscall entry"

/* Number FIRST_BYTE + k is answered with byte k of the data that the filter was shown. */
#define FIRST_BYTE	4096
#define DATA_BYTES	sizeof(struct seccomp_data)

/* Raw BPF: libseccomp returns no computed value, and never looks at the instruction pointer. */
static void load_byte_reader(void)
{
	struct sock_filter insns[1 + 6 * DATA_BYTES + 1], *p = insns;
	const struct sock_filter nr = BPF_STMT(BPF_LD | BPF_W | BPF_ABS, 0);
	const struct sock_filter allow = BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);

	*p++ = nr;
	for (unsigned int k = 0; k < DATA_BYTES; k++) {
		const struct sock_filter read[6] = {
			BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, FIRST_BYTE + k, 0, 5),
			BPF_STMT(BPF_LD | BPF_W | BPF_ABS, k & ~3u),
			BPF_STMT(BPF_ALU | BPF_RSH | BPF_K, 8 * (k & 3)),
			BPF_STMT(BPF_ALU | BPF_AND | BPF_K, 0xff),
			BPF_STMT(BPF_ALU | BPF_OR | BPF_K, SECCOMP_RET_ERRNO),
			BPF_STMT(BPF_RET | BPF_A, 0),
		};

		memcpy(p, read, sizeof(read));
		p += ARRAY_SIZE(read);
	}
	*p = allow;
	filter_load_raw(insns, ARRAY_SIZE(insns));
}

/* Make the call @f once for each byte. Its x8 gives the upper half of the register only. */
static struct seccomp_data read_data(const struct svc_frame *f)
{
	struct seccomp_data seen = { 0 };
	unsigned char *bytes = (unsigned char *)&seen;
	struct svc_frame call;

	for (unsigned int k = 0; k < DATA_BYTES; k++) {
		call = *f;
		call.x[8] = (f->x[8] & ~0xffffffffull) | (FIRST_BYTE + k);
		svc_run(&call);
		if (-call.x_out[0] > 0xff)
			case_die("the filter for number %u answered with %s, expected a byte",
				 FIRST_BYTE + k, value_name(call.x_out[0]));
		bytes[k] = (unsigned char)-call.x_out[0];
	}
	return seen;
}

/* Each bit of each argument is set in one row and clear in another. */
static const struct {
	const char *what;
	__u64 x8_high;
	__u64 args[NARGS];
} issued[] = {
	{ "all different", 0, {
		0x0123456789abcdefull, 0x1122334455667788ull, 0x99aabbccddeeff01ull,
		0xfedcba9876543210ull, 0x8877665544332211ull, 0x10ffeeddccbbaa99ull } },
	{ "all bits", 0, { ~0ull, ~0ull, ~0ull, ~0ull, ~0ull, ~0ull } },
	{ "no bits", 0, { 0, 0, 0, 0, 0, 0 } },
	{ "upper halves", 0, {
		1ull << 63, 1ull << 32, 0xffffffffull << 32,
		1ull << 33, 3ull << 62, 0xabcdull << 48 } },
	{ "lower halves", 0, {
		1, 0x80000000ull, 0xffffffffull, 0x7fffffffull, 0xfffffffeull, 0xabcdull } },
	{ "garbage above the number", 0xdeadbeefull << 32, { 1, 2, 3, 4, 5, 6 } },
};

TEST(filter_is_shown_the_call_as_the_task_issued_it)
{
	struct svc_frame f;
	char what[64];

	PINS("C01");
	need_filters();
	name_range(U64(svc_insn), 12, "svc");
	load_byte_reader();
	for (unsigned int row = 0; row < ARRAY_SIZE(issued); row++) {
		const __u64 *args = issued[row].args;
		struct seccomp_data seen;

		svc_fill(&f, issued[row].x8_high, NARGS, args[0], args[1], args[2], args[3],
			 args[4], args[5]);
		seen = read_data(&f);
		transcript("%s: nr=%d arch=0x%x pc=%s args %llx %llx %llx %llx %llx %llx",
			   issued[row].what, seen.nr, seen.arch,
			   value_name(seen.instruction_pointer), seen.args[0], seen.args[1],
			   seen.args[2], seen.args[3], seen.args[4], seen.args[5]);
		check_eq("seccomp_data.nr", FIRST_BYTE, U64(seen.nr));
		check_eq("seccomp_data.arch", AUDIT_ARCH_AARCH64, seen.arch);
		check_eq("seccomp_data.instruction_pointer", U64(svc_after),
			 seen.instruction_pointer);
		for (unsigned int i = 0; i < NARGS; i++) {
			snprintf(what, sizeof(what), "%s: seccomp_data.args[%u]",
				 issued[row].what, i);
			check_eq(what, args[i], seen.args[i]);
		}
	}
}

/* All six arguments of getuid or getgid compared with @args, all 64 bits. */
static void add_exact(scmp_filter_ctx f, __u32 verdict, int nr, const __u64 *args)
{
	const struct scmp_arg_cmp cmp[NARGS] = {
		arg_is(0, args[0]), arg_is(1, args[1]), arg_is(2, args[2]),
		arg_is(3, args[3]), arg_is(4, args[4]), arg_is(5, args[5]),
	};

	filter_add(f, SCMP_ACT_ERRNO(verdict), nr, NARGS, cmp);
}

TEST(libseccomp_rule_matches_six_64_bit_arguments_and_no_neighbour)
{
	scmp_filter_ctx filter;
	struct svc_frame f;
	char what[64];

	PINS("C01");
	need_filters();
	svc_fill(&f, __NR_getuid, 0);
	filter = filter_new(SCMP_ACT_ALLOW);
	add_exact(filter, AS_ISSUED, __NR_getuid, f.x);
	filter_load(filter);
	svc_run(&f);
	check_frame(&f, U64(-AS_ISSUED));
	for (unsigned int n = 0; n < NARGS * 64; n++) {
		svc_fill(&f, __NR_getuid, 0);
		f.x[n / 64] ^= 1ull << n % 64;
		svc_run(&f);
		snprintf(what, sizeof(what), "getuid with bit %u of argument %u flipped", n % 64,
			 n / 64);
		check_eq(what, getuid(), f.x_out[0]);
	}
}

FIXTURE(tracer_change) {
};

/* What the tracer writes at the entry stop, and whether the filter must see it. */
FIXTURE_VARIANT(tracer_change) {
	unsigned int regs;	/* a bit for each of x0-x8 */
	__u64 flip;		/* bits to flip in each of them */
	int nr;			/* number to write, 0 for none */
	const char *sees;
};

#define CHANGED	"the call as the tracer changed it"
#define ISSUED	"the call as the task issued it"
#define STALE	"the tracer's call with the task's argument 0"

FIXTURE_VARIANT_ADD(tracer_change, nothing) {
	.sees = ISSUED,
};

FIXTURE_VARIANT_ADD(tracer_change, number) {
	.nr = __NR_getgid, .sees = CHANGED,
};

FIXTURE_VARIANT_ADD(tracer_change, argument_0) {
	.regs = 1 << 0, .flip = ~0ull, .sees = CHANGED,
};

FIXTURE_VARIANT_ADD(tracer_change, argument_0_top_bit) {
	.regs = 1 << 0, .flip = 1ull << 63, .sees = CHANGED,
};

FIXTURE_VARIANT_ADD(tracer_change, argument_1) {
	.regs = 1 << 1, .flip = ~0ull, .sees = CHANGED,
};

FIXTURE_VARIANT_ADD(tracer_change, argument_2) {
	.regs = 1 << 2, .flip = ~0ull, .sees = CHANGED,
};

FIXTURE_VARIANT_ADD(tracer_change, argument_3) {
	.regs = 1 << 3, .flip = ~0ull, .sees = CHANGED,
};

FIXTURE_VARIANT_ADD(tracer_change, argument_4) {
	.regs = 1 << 4, .flip = ~0ull, .sees = CHANGED,
};

FIXTURE_VARIANT_ADD(tracer_change, argument_5) {
	.regs = 1 << 5, .flip = 1ull << 63, .sees = CHANGED,
};

FIXTURE_VARIANT_ADD(tracer_change, number_and_arguments) {
	.regs = 0x3f, .flip = ~0ull, .nr = __NR_getgid, .sees = CHANGED,
};

/* x8 is a register like others once the number has been taken from it. */
FIXTURE_VARIANT_ADD(tracer_change, x8) {
	.regs = 1 << 8, .flip = __NR_getuid ^ __NR_getgid, .sees = ISSUED,
};

FIXTURE_SETUP(tracer_change)
{
}

FIXTURE_TEARDOWN(tracer_change)
{
}

static struct svc_script *one_getuid(void)
{
	struct svc_script *s = shared_alloc(sizeof(*s));

	s->n = 1;
	svc_fill(&s->f[0], __NR_getuid, 0);
	return s;
}

/* One call of a new tracee, at its entry stop. */
static struct stop entry_stop(struct tracee *t, struct svc_script *s)
{
	name_value(svc_pattern(0), "pattern0");
	name_value(~svc_pattern(0), "~pattern0");
	return tracee_first(t, s, PTRACE_O_TRACESYSGOOD, PTRACE_SYSCALL,
			    "entry getuid pc=svc+4 x0=pattern0");
}

/* On to the exit stop of @nr. Return: what the filter saw, by its verdict in x0. */
static const char *filter_saw(struct tracee *t, int nr)
{
	struct stop stop = tracee_to(t, PTRACE_SYSCALL, 0, nr == __NR_getgid ?
				     "exit getgid pc=svc+4" : "exit getuid pc=svc+4");

	switch (-stop.regs.regs[0]) {
	case AS_ISSUED:
		return ISSUED;
	case AS_CHANGED:
		return CHANGED;
	case STALE_ARG_0:
		return STALE;
	default:
		return "neither call";
	}
}

/* Change the registers @x as the variant says; x7 is not among them. */
static void change_regs(unsigned int regs, __u64 flip, __u64 *x)
{
	for (unsigned int i = 0; i < 9; i++)
		if (regs >> i & 1)
			x[i] ^= flip;
}

/* One rule for each call that the filter may see: the task's, the tracer's, a mixture. */
static void load_verdicts(const __u64 *issued_args, int nr, const __u64 *args)
{
	const __u64 stale[NARGS] = {
		issued_args[0], args[1], args[2], args[3], args[4], args[5]
	};
	scmp_filter_ctx f = filter_new(SCMP_ACT_ALLOW);

	add_exact(f, AS_ISSUED, __NR_getuid, issued_args);
	if (nr != __NR_getuid || memcmp(args, issued_args, sizeof(stale)))
		add_exact(f, AS_CHANGED, nr, args);
	if (args[0] != stale[0] && memcmp(stale, issued_args, sizeof(stale)))
		add_exact(f, STALE_ARG_0, nr, stale);
	filter_load(f);
}

TEST_F(tracer_change, is_what_the_filter_sees)
{
	const int nr = variant->nr ? variant->nr : __NR_getuid;
	struct svc_frame changed;
	struct svc_script *s;
	struct tracee t;
	struct stop stop;

	PINS("C01");
	need_filters();
	s = one_getuid();
	changed = s->f[0];
	change_regs(variant->regs, variant->flip, changed.x);
	load_verdicts(s->f[0].x, nr, changed.x);
	stop = entry_stop(&t, s);
	change_regs(variant->regs, variant->flip, (__u64 *)stop.regs.regs);
	tracee_set_regs(&t, &stop.regs);
	if (variant->nr)
		tracee_set_nr(&t, variant->nr);
	if (!check_str("the filter saw", variant->sees, filter_saw(&t, nr)) && variant->regs & 1)
		case_note("%s", HINT_X0);
	tracee_to(&t, PTRACE_SYSCALL, 0, "entry exit_group");
	tracee_end(&t);
	memcpy(s->f[0].x, changed.x, sizeof(changed.x));
	/* x0 has been looked at: a wrong one has no second message. */
	check_frame(&s->f[0], s->f[0].x_out[0]);
}

/* Raw BPF: libseccomp has no rule on the instruction pointer. */
static void load_pc_filter(void)
{
	const unsigned int ip = offsetof(struct seccomp_data, instruction_pointer);
	struct sock_filter insns[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_getuid, 0, 6),
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, ip + 4),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, U64(svc_after) >> 32, 0, 4),
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, ip),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (__u32)U64(svc_after), 3, 0),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (__u32)U64(svc_after2), 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | AS_CHANGED),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | AS_ISSUED),
	};

	filter_load_raw(insns, ARRAY_SIZE(insns));
}

TEST(filter_is_shown_the_pc_that_a_tracer_wrote)
{
	struct svc_script *s;
	struct tracee t;
	struct stop stop;

	PINS("C01");
	need_filters();
	load_pc_filter();
	s = one_getuid();
	stop = entry_stop(&t, s);
	stop.regs.pc = U64(svc_after2);
	tracee_set_regs(&t, &stop.regs);
	tracee_to(&t, PTRACE_SYSCALL, 0, "exit getuid pc=svc+8 x0=-202");
	tracee_to(&t, PTRACE_SYSCALL, 0, "entry exit_group");
	tracee_end(&t);
	check_frame(&s->f[0], U64(-AS_CHANGED));
}
