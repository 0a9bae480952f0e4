// SPDX-License-Identifier: GPL-2.0
/*
 * PTRACE_SET_SYSCALL_INFO at entry, seccomp and exit stops: number, arguments and
 * result come back as they were set and are what counts, number -1 skips the call
 * with -ENOSYS, and what does not fit is refused with nothing changed (P16).
 * kernel/ptrace.c ptrace_set_syscall_info() decides, with the setters of
 * arch/arm64/include/asm/syscall.h.
 */
#include <asm/unistd.h>
#include <errno.h>
#include <linux/audit.h>

#include "case.h"
#include "effect.h"
#include "way.h"

#define SYSGOOD	PTRACE_O_TRACESYSGOOD
#define NARGS	6

static long set_info(struct tracee *t, struct entry_syscall_info *info, size_t size)
{
	return tracee_request(t, PTRACE_SET_SYSCALL_INFO, size, info);
}

/* Refused with EIO by a kernel that does not know the request. At any stop. */
static void need_set_info(struct tracee *t)
{
	if (set_info(t, NULL, 0) == -EIO)
		case_skip("no PTRACE_SET_SYSCALL_INFO: needs Linux 6.16");
}

static struct entry_syscall_info get_info(struct tracee *t)
{
	struct entry_syscall_info info = { 0 };

	tracee_syscall_info(t, &info, sizeof(info));
	return info;
}

static void must_set(struct tracee *t, struct entry_syscall_info *info)
{
	check_eq("PTRACE_SET_SYSCALL_INFO", 0, U64(set_info(t, info, sizeof(*info))));
}

FIXTURE(set_info) {
};

FIXTURE_VARIANT(set_info) {
	const struct way *way;
	__u8 op;
};

FIXTURE_VARIANT_ADD(set_info, at_entry) {
	.way = &way_entry, .op = PTRACE_SYSCALL_INFO_ENTRY,
};

FIXTURE_VARIANT_ADD(set_info, at_seccomp_stop) {
	.way = &way_seccomp, .op = PTRACE_SYSCALL_INFO_SECCOMP,
};

FIXTURE_SETUP(set_info)
{
	effect_pipe();
}

FIXTURE_TEARDOWN(set_info)
{
}

/* A script whose first calls are getuid with the arguments of the write() of effect.h. */
static struct svc_script *getuids(unsigned int n)
{
	struct svc_script *sc = svc_script_new(n);

	for (unsigned int i = 0; i < n; i++) {
		effect_call(&sc->f[i]);
		sc->f[i].x[8] = __NR_getuid;
	}
	return sc;
}

TEST_F(set_info, number_and_arguments_set_are_the_call_that_runs)
{
	static const __u64 args[] = EFFECT_ARGS;
	struct entry_syscall_info info;
	struct svc_script *sc;
	struct tracee t;

	PINS("P16");
	sc = svc_script_new(2);
	way_first(variant->way, &t, sc, "getuid pc=svc+4 x0=pattern0");
	need_set_info(&t);
	info = get_info(&t);
	info.entry.nr = __NR_write;
	memcpy(info.entry.args, args, sizeof(args));
	must_set(&t, &info);
	tracee_to(&t, PTRACE_SYSCALL, 0, "exit write pc=svc+4 x0=1");
	tracee_to(&t, PTRACE_SYSCALL, 0, "entry getuid");
	way_end(&t);
	check_eq("bytes written", 1, effect_count());
	memcpy(sc->f[0].x, args, sizeof(args));
	check_frame(&sc->f[0], 1);
}

/* The regsets and PTRACE_GET_SYSCALL_INFO tell the same. x8 is no number any more. */
TEST_F(set_info, what_is_set_is_what_is_read)
{
	static const __u64 values[] = {
		0, ~0ull, 1ull << 63, 0xffffffffull << 32, 0x80000000, 0x0123456789abcdefull,
	};
	struct entry_syscall_info info, again;
	struct user_pt_regs regs;
	struct svc_script *sc;
	struct tracee t;
	char what[48];

	PINS("P16");
	sc = getuids(2);
	way_first(variant->way, &t, sc, "getuid");
	need_set_info(&t);
	info = get_info(&t);
	check_eq("op", variant->op, info.op);
	info.entry.nr = __NR_getppid;
	for (unsigned int shift = 0; shift < ARRAY_SIZE(values); shift++) {
		for (unsigned int i = 0; i < NARGS; i++)
			info.entry.args[i] = values[(i + shift) % ARRAY_SIZE(values)];
		must_set(&t, &info);
		again = get_info(&t);
		check_mem("PTRACE_GET_SYSCALL_INFO after it", &info, &again, sizeof(info));
		tracee_get_regs(&t, &regs);
		for (unsigned int i = 0; i < NARGS; i++) {
			snprintf(what, sizeof(what), "x%u after it", i);
			check_eq(what, info.entry.args[i], regs.regs[i]);
		}
	}
	check_nr("NT_ARM_SYSTEM_CALL after it", __NR_getppid, tracee_get_nr(&t));
	check_eq("x8 after it", __NR_getuid, regs.regs[8]);
	tracee_to(&t, PTRACE_SYSCALL, 0, "exit getppid pc=svc+4 x0=tracer");
	way_to(variant->way, &t, "getuid");
	way_end(&t);
	memcpy(sc->f[0].x, info.entry.args, sizeof(info.entry.args));
	check_frame(&sc->f[0], U64(getpid()));
}

TEST_F(set_info, set_as_read_changes_nothing)
{
	struct entry_syscall_info info;
	struct svc_script *sc;
	struct tracee t;

	PINS("P16");
	sc = svc_script_new(2);
	effect_call(&sc->f[0]);
	way_first(variant->way, &t, sc, "write pc=svc+4 x0=200");
	need_set_info(&t);
	info = get_info(&t);
	must_set(&t, &info);
	tracee_to(&t, PTRACE_SYSCALL, 0, "exit write pc=svc+4 x0=1");
	info = get_info(&t);
	must_set(&t, &info);
	tracee_to(&t, PTRACE_SYSCALL, 0, "entry getuid");
	way_end(&t);
	check_eq("bytes written", 1, effect_count());
	check_frame(&sc->f[0], 1);
}

/* The arguments given with -1 are not set: x0 is the result already. */
TEST_F(set_info, number_minus_1_skips_with_enosys)
{
	struct entry_syscall_info info;
	struct svc_script *sc;
	struct tracee t;

	PINS("P16 P11");
	sc = getuids(3);
	way_first(variant->way, &t, sc, "getuid pc=svc+4 x0=200");
	need_set_info(&t);
	info = get_info(&t);
	info.entry.nr = ~0ull;
	for (unsigned int i = 0; i < NARGS; i++)
		info.entry.args[i] = i;
	must_set(&t, &info);
	check_nr("NT_ARM_SYSTEM_CALL after it", -1, tracee_get_nr(&t));
	tracee_to(&t, PTRACE_SYSCALL, 0, "exit -1 pc=svc+4 x0=-ENOSYS");
	/* At the exit stop another result can be set. */
	way_to(variant->way, &t, "getuid pc=svc+4 x0=200");
	must_set(&t, &info);
	tracee_to(&t, PTRACE_SYSCALL, 0, "exit -1 pc=svc+4 x0=-ENOSYS");
	info = get_info(&t);
	check_eq("rval at the exit stop", U64(-ENOSYS), U64(info.exit.rval));
	check_eq("is_error at the exit stop", 1, info.exit.is_error);
	info.exit.rval = 4711;
	info.exit.is_error = 0;
	must_set(&t, &info);
	way_to(variant->way, &t, "getuid");
	way_end(&t);
	check_frame(&sc->f[0], U64(-ENOSYS));
	check_frame(&sc->f[1], 4711);
}

TEST_F(set_info, number_after_minus_1_runs_with_the_arguments_set)
{
	static const __u64 args[] = EFFECT_ARGS;
	struct entry_syscall_info info, skip;
	struct svc_script *sc;
	struct tracee t;

	PINS("P16");
	sc = svc_script_new(2);
	way_first(variant->way, &t, sc, "getuid");
	need_set_info(&t);
	info = get_info(&t);
	skip = info;
	skip.entry.nr = ~0ull;
	must_set(&t, &skip);
	info.entry.nr = __NR_write;
	memcpy(info.entry.args, args, sizeof(args));
	must_set(&t, &info);
	tracee_to(&t, PTRACE_SYSCALL, 0, "exit write pc=svc+4 x0=1");
	tracee_to(&t, PTRACE_SYSCALL, 0, "entry getuid");
	way_end(&t);
	check_eq("bytes written", 1, effect_count());
	memcpy(sc->f[0].x, args, sizeof(args));
	check_frame(&sc->f[0], 1);
}

/* Its x0 is preset to -ENOSYS, and argument 0 is told as the task gave it. */
TEST_F(set_info, task_that_asks_for_minus_1_gets_what_is_set)
{
	static const __u64 args[] = EFFECT_ARGS;
	struct entry_syscall_info info;
	struct svc_script *sc;
	struct tracee t;

	PINS("P16 P12");
	sc = svc_script_new(3);
	for (unsigned int i = 0; i < 2; i++)
		sc->f[i].x[8] = ~0ull;
	way_first(variant->way, &t, sc, "-1 pc=svc+4 x0=-ENOSYS");
	need_set_info(&t);
	info = get_info(&t);
	check_eq("nr", ~0ull, info.entry.nr);
	check_eq("args[0]", svc_pattern(0), info.entry.args[0]);
	must_set(&t, &info);
	tracee_to(&t, PTRACE_SYSCALL, 0, "exit -1 pc=svc+4 x0=-ENOSYS");
	way_to(variant->way, &t, "-1 pc=svc+4 x0=-ENOSYS");
	info.entry.nr = __NR_write;
	memcpy(info.entry.args, args, sizeof(args));
	must_set(&t, &info);
	tracee_to(&t, PTRACE_SYSCALL, 0, "exit write pc=svc+4 x0=1");
	tracee_to(&t, PTRACE_SYSCALL, 0, "entry getuid");
	way_end(&t);
	check_eq("bytes written", 1, effect_count());
	check_frame(&sc->f[0], U64(-ENOSYS));
	memcpy(sc->f[1].x, args, sizeof(args));
	check_frame(&sc->f[1], 1);
}

/* rval and is_error as set at the exit stop, and is_error as read afterwards; x0 is rval. */
static const struct {
	__s64 rval;
	__u8 is_error;
	__u8 read_is_error;
} set_results[] = {
	{ 4711, 0, 0 },
	{ 0, 0, 0 },
	{ 0x7fffffffffffffff, 0, 0 },
	{ 0xffffffff, 0, 0 },
	{ -0x7fffffffffffffff - 1, 0, 0 },
	{ -4096, 0, 0 },
	{ -EPERM, 1, 1 },
	{ -4095, 1, 1 },
	/* An error is what is one; is_error makes none. */
	{ 0, 1, 0 },
	{ 5, 1, 0 },
	{ -EPERM, 0, 1 },
	{ -EBADF, 255, 1 },
};

#define PER_SCRIPT	(ARRAY_SIZE(set_results) / 2)

static void set_results_from(unsigned int first)
{
	struct svc_script *sc = svc_script_new(PER_SCRIPT);
	struct entry_syscall_info info;
	struct tracee t;

	/* Calls that succeed and calls that fail, in turn. */
	for (unsigned int i = 1; i < sc->n; i += 2)
		svc_fill(&sc->f[i], __NR_dup, 1, U64(1000));
	t = tracee_start(svc_script_run, sc, SYSGOOD);
	need_set_info(&t);
	for (unsigned int i = 0; i < sc->n; i++) {
		const __u64 rval = U64(set_results[first + i].rval);

		tracee_to(&t, PTRACE_SYSCALL, 0, i & 1 ? "entry dup" : "entry getuid");
		tracee_to(&t, PTRACE_SYSCALL, 0, i & 1 ? "exit dup" : "exit getuid");
		info = get_info(&t);
		info.exit.rval = (__s64)rval;
		info.exit.is_error = set_results[first + i].is_error;
		must_set(&t, &info);
		info = get_info(&t);
		check_eq("rval read after it", rval, U64(info.exit.rval));
		check_eq("is_error read after it", set_results[first + i].read_is_error,
			 info.exit.is_error);
	}
	tracee_to(&t, PTRACE_SYSCALL, 0, "entry exit_group");
	tracee_end(&t);
	for (unsigned int i = 0; i < sc->n; i++)
		check_frame(&sc->f[i], U64(set_results[first + i].rval));
}

TEST(result_set_is_read_and_is_what_the_task_gets)
{
	PINS("P16 P15");
	set_results_from(0);
	set_results_from(PER_SCRIPT);
}

/* Each way to set a call, in a thread that is not the first. */
TEST(syscall_info_set_in_a_thread_is_the_threads)
{
	static const __u64 args[] = EFFECT_ARGS;
	struct entry_syscall_info info;
	struct svc_script *sc;
	struct tracee t;

	PINS("P16 P25");
	effect_pipe();
	sc = svc_script_new(2);
	way_first(&way_thread, &t, sc, "getuid pc=svc+4 x0=pattern0");
	need_set_info(&t);
	info = get_info(&t);
	info.entry.nr = __NR_write;
	memcpy(info.entry.args, args, sizeof(args));
	must_set(&t, &info);
	tracee_to(&t, PTRACE_SYSCALL, 0, "exit write pc=svc+4 x0=1");
	info = get_info(&t);
	info.exit.rval = 4711;
	must_set(&t, &info);
	way_to(&way_thread, &t, "getuid");
	way_end(&t);
	check_eq("bytes written", 1, effect_count());
	memcpy(sc->f[0].x, args, sizeof(args));
	check_frame(&sc->f[0], 4711);
}
