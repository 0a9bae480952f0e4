// SPDX-License-Identifier: GPL-2.0
/*
 * Numbers at and beyond the ends of the table: -ENOSYS above it and below -1
 * (P13), and only the low 32 bits of x8 count (P14), whoever looks at the call
 * and whoever gave the number. arch/arm64/kernel/syscall.c invoke_syscall()
 * compares it, unsigned, and takes it modulo the table's size under speculation:
 * a comparison that fails runs number 0.
 */
#include <asm/unistd.h>
#include <errno.h>

#include "case.h"
#include "effect.h"
#include "filter.h"
#include "tracee.h"

/*
 * Number 0: with these arguments it stores a context, which is never 0. That takes tens of
 * milliseconds to remove, so where number 0 has to run it gets an address it refuses.
 */
static __u64 *aio_context;

static void io_setup_call(struct svc_frame *f, __u64 x8)
{
	svc_fill(f, x8, 2, U64(1), U64(aio_context));
}

static void io_setup_efault(struct svc_frame *f, __u64 x8)
{
	svc_fill(f, x8, 2, U64(1), U64(8));
}

/* Did number 0 run? Its context, which is then removed, says so. */
static bool io_setup_ran(void)
{
	__u64 context = *aio_context;

	*aio_context = 0;
	return context && !svc_call(__NR_io_destroy, 1, context);
}

/* Numbers that no table will have for long, as x8. */
static const __u64 beyond[] = {
	1024, 100000, 0x7fffffff, 0x80000000, 0xffff0000, 0xfffffffe, ~1ull,
	1ull << 32 | 1024, 0xdeadbeef80000000ull, 1ull << 63 | 0xfffffffe,
};

/* Upper halves of x8. */
static const __u64 upper[] = {
	1ull << 32, 1ull << 63, 0xdeadbeefull << 32, 0xffffffffull << 32, 0x7fffffffull << 32,
};

FIXTURE(x8) {
};

/* Who looks at the call. */
FIXTURE_VARIANT(x8) {
	bool traced;
	bool filtered;
};

FIXTURE_VARIANT_ADD(x8, untraced) {
	.traced = false,
};

FIXTURE_VARIANT_ADD(x8, traced) {
	.traced = true,
};

FIXTURE_VARIANT_ADD(x8, filtered) {
	.filtered = true,
};

FIXTURE_VARIANT_ADD(x8, traced_and_filtered) {
	.traced = true, .filtered = true,
};

FIXTURE_SETUP(x8)
{
	aio_context = shared_alloc(sizeof(*aio_context));
	effect_pipe();
	if (variant->filtered)
		filter_answer(__NR_sync, SECCOMP_RET_ERRNO | EPERM);
}

FIXTURE_TEARDOWN(x8)
{
}

/* Run the calls in a task of their own. @result: of each, in the notation. */
static void run_script(struct svc_script *sc, bool traced, const char *result)
{
	struct tracee t;
	char text[64];

	if (!traced) {
		child_run(svc_script_run, sc, text, sizeof(text));
		check_str("the task", "exited 0", text);
		return;
	}
	t = tracee_start(svc_script_run, sc, PTRACE_O_TRACESYSGOOD);
	for (unsigned int i = 0; i < sc->n; i++) {
		const char *name = syscall_name((int)sc->f[i].x[8]);

		snprintf(text, sizeof(text), "entry %s pc=svc+4", name);
		tracee_to(&t, PTRACE_SYSCALL, 0, text);
		snprintf(text, sizeof(text), "exit %s pc=svc+4 x0=%s", name, result);
		tracee_to(&t, PTRACE_SYSCALL, 0, text);
	}
	tracee_to(&t, PTRACE_SYSCALL, 0, "entry exit_group");
	tracee_end(&t);
}

TEST_F(x8, out_of_range_is_enosys)
{
	struct svc_script *sc;

	PINS("P13 P14");
	name_value(U64(aio_context), "context");
	for (unsigned int i = 0; i < ARRAY_SIZE(beyond); i += sc->n) {
		sc = svc_script_new(ARRAY_SIZE(beyond) / 2);
		for (unsigned int k = 0; k < sc->n; k++)
			io_setup_call(&sc->f[k], beyond[i + k]);
		run_script(sc, variant->traced, "-ENOSYS");
		for (unsigned int k = 0; k < sc->n; k++)
			check_frame(&sc->f[k], U64(-ENOSYS));
		check_eq("the context that number 0 would store", 0, *aio_context);
	}
}

TEST_F(x8, upper_half_does_not_count)
{
	struct svc_script *sc;

	PINS("P14");
	sc = svc_script_new(ARRAY_SIZE(upper));
	for (unsigned int i = 0; i < sc->n; i++) {
		effect_call(&sc->f[i]);
		sc->f[i].x[8] |= upper[i];
	}
	run_script(sc, variant->traced, "1");
	check_eq("bytes written", sc->n, effect_count());
	for (unsigned int i = 0; i < sc->n; i++)
		check_frame(&sc->f[i], 1);
}

static void need_number_0(void)
{
	if (svc_call(__NR_io_setup, 2, U64(0), U64(aio_context)) == -ENOSYS)
		case_skip("number 0, io_setup, is not built in: needs CONFIG_AIO");
}

/* 0 is a number like others, though "if (nr)" takes it for none. Only call 0 answers -EFAULT. */
TEST_F(x8, number_0_is_a_call)
{
	struct svc_script *sc;

	PINS("P13 P14");
	need_number_0();
	sc = svc_script_new(1);
	io_setup_efault(&sc->f[0], 0xdeadbeefull << 32);
	run_script(sc, variant->traced, "-EFAULT");
	check_frame(&sc->f[0], U64(-EFAULT));
}

TEST(number_written_out_of_range_is_enosys)
{
	static const int numbers[] = { 1024, 100000, 0x7fffffff, -2, -4096, -0x7fffffff - 1 };
	struct svc_script *sc;
	struct tracee t;
	char text[64];

	PINS("P09 P13");
	aio_context = shared_alloc(sizeof(*aio_context));
	name_value(U64(aio_context), "context");
	sc = svc_script_new(ARRAY_SIZE(numbers));
	for (unsigned int i = 0; i < sc->n; i++)
		io_setup_call(&sc->f[i], __NR_getuid);
	t = tracee_start(svc_script_run, sc, PTRACE_O_TRACESYSGOOD);
	for (unsigned int i = 0; i < sc->n; i++) {
		tracee_to(&t, PTRACE_SYSCALL, 0, "entry getuid pc=svc+4 x0=1");
		tracee_set_nr(&t, numbers[i]);
		snprintf(text, sizeof(text), "exit %d pc=svc+4 x0=-ENOSYS", numbers[i]);
		tracee_to(&t, PTRACE_SYSCALL, 0, text);
	}
	tracee_to(&t, PTRACE_SYSCALL, 0, "entry exit_group");
	tracee_end(&t);
	for (unsigned int i = 0; i < sc->n; i++)
		check_frame(&sc->f[i], U64(-ENOSYS));
	check_eq("the context that number 0 would store", 0, *aio_context);
}

TEST(number_0_written_runs_call_0)
{
	struct svc_script *sc;
	struct tracee t;

	PINS("P09");
	aio_context = shared_alloc(sizeof(*aio_context));
	name_value(U64(aio_context), "context");
	need_number_0();
	sc = svc_script_new(1);
	io_setup_call(&sc->f[0], __NR_getuid);
	tracee_first(&t, sc, PTRACE_O_TRACESYSGOOD, PTRACE_SYSCALL, "entry getuid");
	tracee_set_nr(&t, 0);
	tracee_to(&t, PTRACE_SYSCALL, 0, "exit 0 pc=svc+4 x0=0");
	tracee_to(&t, PTRACE_SYSCALL, 0, "entry exit_group");
	tracee_end(&t);
	check_true("number 0 stored a context", *aio_context != 0);
	check_frame(&sc->f[0], 0);
}

/*
 * The first number beyond the table differs between kernels, and no kernel tells
 * it. Calls that it has and that we do not know refuse these arguments, or
 * ignore them; what makes a context is number 0.
 */
static void call_beyond(void *arg)
{
	unsigned int *wrong = arg;
	struct svc_frame f;

	io_setup_call(&f, 0);
	for (unsigned int nr = 464; nr < 1024 && !*wrong; nr++) {
		f.x[8] = nr;
		svc_run(&f);
		if (io_setup_ran())
			*wrong = nr;
	}
}

TEST(first_number_beyond_the_table_does_not_run_call_0)
{
	unsigned int *wrong;
	char text[64];

	PINS("P13");
	aio_context = shared_alloc(sizeof(*aio_context));
	wrong = shared_alloc(sizeof(*wrong));
	child_run(call_beyond, wrong, text, sizeof(text));
	check_str("the task that tries them", "exited 0", text);
	check_eq("the number that ran call 0", 0, *wrong);
}
