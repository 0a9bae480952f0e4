// SPDX-License-Identifier: GPL-2.0
/*
 * PTRACE_SYSEMU: one stop for each system call, where x0 is still argument 0; the
 * call does not run, has no exit stop, and its result is what the tracer leaves in
 * x0, whatever that looks like (E01). arch/arm64/kernel/ptrace.c
 * syscall_trace_enter() decides, on the generic path that of
 * include/linux/entry-common.h.
 */
#include <asm/unistd.h>
#include <errno.h>
#include <signal.h>

#include "case.h"
#include "effect.h"
#include "tracee.h"

#define SYSGOOD		PTRACE_O_TRACESYSGOOD
#define RESULT		0x7e5017

FIXTURE(emulated) {
};

FIXTURE_VARIANT(emulated) {
	unsigned long options;
};

FIXTURE_VARIANT_ADD(emulated, tracesysgood) {
	.options = SYSGOOD,
};

FIXTURE_VARIANT_ADD(emulated, plain) {
	.options = 0,
};

FIXTURE_SETUP(emulated)
{
}

FIXTURE_TEARDOWN(emulated)
{
}

/* Calls that would succeed, fail, and have no such number: all alike. */
TEST_F(emulated, calls_stop_once_with_argument_0_which_is_the_result_if_not_written)
{
	static const struct stop_row rows[] = {
		{ PTRACE_SYSEMU, 0, "entry write pc=svc+4 x0=200" },
		{ PTRACE_SYSEMU, 0, "entry dup pc=svc+4 x0=1000" },
		{ PTRACE_SYSEMU, 0, "entry 100000 pc=svc+4 x0=pattern0" },
		{ PTRACE_SYSEMU, 0, "entry exit_group pc=svc+4 x0=7" },
		{ PTRACE_SYSEMU, 0, "entry getuid pc=svc+4 x0=pattern0" },
	};
	struct svc_script *sc;
	struct tracee t;

	PINS("E01");
	effect_pipe();
	sc = svc_script_new(5);
	effect_call(&sc->f[0]);
	svc_fill(&sc->f[1], __NR_dup, 1, U64(1000));
	svc_fill(&sc->f[2], 100000, 0);
	svc_fill(&sc->f[3], __NR_exit_group, 1, U64(7));
	t = tracee_start(svc_script_run, sc, variant->options);
	if (!tracee_expect(&t, rows, ARRAY_SIZE(rows), NULL))
		case_end();
	tracee_end(&t);
	check_eq("bytes that the emulated write() wrote", 0, effect_count());
	for (unsigned int i = 0; i < 4; i++)
		check_frame(&sc->f[i], sc->f[i].x[0]);
}

FIXTURE(emulated_result) {
};

FIXTURE_VARIANT(emulated_result) {
	__u64 value;
};

FIXTURE_VARIANT_ADD(emulated_result, zero) {
	.value = 0,
};

FIXTURE_VARIANT_ADD(emulated_result, as_if_it_had_run) {
	.value = 1,
};

FIXTURE_VARIANT_ADD(emulated_result, an_error) {
	.value = U64(-EBADF),
};

FIXTURE_VARIANT_ADD(emulated_result, enosys) {
	.value = U64(-ENOSYS),
};

FIXTURE_VARIANT_ADD(emulated_result, all_bits) {
	.value = ~0ull,
};

FIXTURE_VARIANT_ADD(emulated_result, the_last_error) {
	.value = U64(-4095),
};

FIXTURE_VARIANT_ADD(emulated_result, just_no_error) {
	.value = U64(-4096),
};

FIXTURE_VARIANT_ADD(emulated_result, sign_bit_of_32) {
	.value = 0x80000000ull,
};

FIXTURE_VARIANT_ADD(emulated_result, sign_bit_of_64) {
	.value = 1ull << 63,
};

FIXTURE_VARIANT_ADD(emulated_result, erestartsys) {
	.value = U64(-512),
};

FIXTURE_VARIANT_ADD(emulated_result, erestartnointr) {
	.value = U64(-513),
};

FIXTURE_VARIANT_ADD(emulated_result, erestartnohand) {
	.value = U64(-514),
};

FIXTURE_VARIANT_ADD(emulated_result, erestart_restartblock) {
	.value = U64(-516),
};

FIXTURE_VARIANT_ADD(emulated_result, erestartsys_in_32_bits) {
	.value = 0x1fffffe00ull,
};

FIXTURE_SETUP(emulated_result)
{
}

FIXTURE_TEARDOWN(emulated_result)
{
}

/* A restart code, too: without a signal pending nobody looks at it. */
TEST_F(emulated_result, is_what_the_tracer_wrote_and_the_call_did_not_run)
{
	struct svc_script *sc;
	struct tracee t;
	struct stop s;

	PINS("E01");
	effect_pipe();
	sc = svc_script_new(2);
	effect_call(&sc->f[0]);
	s = tracee_first(&t, sc, SYSGOOD, PTRACE_SYSEMU, "entry write pc=svc+4 x0=200");
	s.regs.regs[0] = variant->value;
	tracee_set_regs(&t, &s.regs);
	tracee_to(&t, PTRACE_SYSEMU, 0, "entry getuid pc=svc+4 x0=pattern0");
	tracee_end(&t);
	check_eq("bytes that the emulated write() wrote", 0, effect_count());
	check_frame(&sc->f[0], variant->value);
}

FIXTURE(emulated_number) {
};

/* What is in x8, what the stop shows, and x0 afterwards if the tracer leaves it alone. */
FIXTURE_VARIANT(emulated_number) {
	__u64 x8;
	const char *expect;
	__u64 unwritten;
};

#define ARG0	0x1a260

FIXTURE_VARIANT_ADD(emulated_number, zero) {
	.x8 = 0, .expect = "entry 0 pc=svc+4 x0=argument0", .unwritten = ARG0,
};

FIXTURE_VARIANT_ADD(emulated_number, out_of_range) {
	.x8 = 100000, .expect = "entry 100000 pc=svc+4 x0=argument0", .unwritten = ARG0,
};

FIXTURE_VARIANT_ADD(emulated_number, largest) {
	.x8 = 0x7fffffff, .expect = "entry 2147483647 pc=svc+4 x0=argument0",
	.unwritten = ARG0,
};

FIXTURE_VARIANT_ADD(emulated_number, most_negative) {
	.x8 = 0x80000000, .expect = "entry -2147483648 pc=svc+4 x0=argument0",
	.unwritten = ARG0,
};

FIXTURE_VARIANT_ADD(emulated_number, with_upper_half) {
	.x8 = 0xdeadbeef00000000ull | __NR_getpid,
	.expect = "entry getpid pc=svc+4 x0=argument0", .unwritten = ARG0,
};

/* The one number with a result before anybody has looked at it. */
FIXTURE_VARIANT_ADD(emulated_number, minus_1) {
	.x8 = ~0ull, .expect = "entry -1 pc=svc+4 x0=-ENOSYS", .unwritten = U64(-ENOSYS),
};

FIXTURE_SETUP(emulated_number)
{
}

FIXTURE_TEARDOWN(emulated_number)
{
}

TEST_F(emulated_number, is_shown_and_the_result_is_x0_written_or_not)
{
	struct svc_script *sc;
	struct tracee t;
	struct stop s;

	PINS("E01");
	name_value(ARG0, "argument0");
	sc = svc_script_new(3);
	svc_fill(&sc->f[0], variant->x8, 1, U64(ARG0));
	svc_fill(&sc->f[1], variant->x8, 1, U64(ARG0));
	s = tracee_first(&t, sc, SYSGOOD, PTRACE_SYSEMU, variant->expect);
	s.regs.regs[0] = RESULT;
	tracee_set_regs(&t, &s.regs);
	tracee_to(&t, PTRACE_SYSEMU, 0, variant->expect);
	tracee_to(&t, PTRACE_SYSEMU, 0, "entry getuid");
	tracee_end(&t);
	check_frame(&sc->f[0], RESULT);
	check_frame(&sc->f[1], variant->unwritten);
}

FIXTURE(number_written) {
};

FIXTURE_VARIANT(number_written) {
	int nr;
};

FIXTURE_VARIANT_ADD(number_written, write) {
	.nr = __NR_write,
};

FIXTURE_VARIANT_ADD(number_written, exit_group) {
	.nr = __NR_exit_group,
};

FIXTURE_VARIANT_ADD(number_written, minus_1) {
	.nr = -1,
};

FIXTURE_VARIANT_ADD(number_written, out_of_range) {
	.nr = 100000,
};

FIXTURE_SETUP(number_written)
{
}

FIXTURE_TEARDOWN(number_written)
{
}

/* getuid with the arguments of the write(): no number makes an emulated call run. */
TEST_F(number_written, at_the_stop_runs_nothing)
{
	static const __u64 args[] = EFFECT_ARGS;
	struct svc_script *sc;
	struct tracee t;
	struct stop s;

	PINS("E01");
	effect_pipe();
	sc = svc_script_new(3);
	for (unsigned int i = 0; i < 2; i++)
		svc_fill(&sc->f[i], __NR_getuid, 3, args[0], args[1], args[2]);
	tracee_first(&t, sc, SYSGOOD, PTRACE_SYSEMU, "entry getuid pc=svc+4 x0=200");
	tracee_set_nr(&t, variant->nr);
	s = tracee_to(&t, PTRACE_SYSEMU, 0, "entry getuid pc=svc+4 x0=200");
	tracee_set_nr(&t, variant->nr);
	s.regs.regs[0] = RESULT;
	tracee_set_regs(&t, &s.regs);
	tracee_to(&t, PTRACE_SYSEMU, 0, "entry getuid pc=svc+4 x0=pattern0");
	tracee_end(&t);
	check_eq("bytes that the emulated call wrote", 0, effect_count());
	check_frame(&sc->f[0], EFFECT_FD);
	check_frame(&sc->f[1], RESULT);
}

TEST(registers_at_a_sysemu_stop_are_the_tasks_but_x7_which_is_0)
{
	struct svc_script *sc;
	struct tracee t;
	struct stop s;
	char what[48];

	PINS("E01");
	sc = svc_script_new(2);
	for (unsigned int i = 0; i < 31; i++)
		sc->f[0].x[i] = ~svc_pattern(i);
	sc->f[0].x[8] = __NR_getuid;
	sc->f[0].nzcv = 0x50000000;
	s = tracee_first(&t, sc, SYSGOOD, PTRACE_SYSEMU, "entry getuid pc=svc+4");
	for (unsigned int i = 0; i < 31; i++) {
		snprintf(what, sizeof(what), "x%u at the stop", i);
		check_eq(what, i == 7 ? 0 : sc->f[0].x[i], s.regs.regs[i]);
	}
	check_eq("SP at the stop", sc->f[0].sp, s.regs.sp);
	check_eq("NZCV at the stop", sc->f[0].nzcv, s.regs.pstate & 0xf0000000);
	check_eq("PTRACE_GETEVENTMSG", 1, s.msg);
	check_eq("PTRACE_GET_SYSCALL_INFO nr", __NR_getuid, s.info.entry.nr);
	for (unsigned int i = 0; i < 6; i++) {
		snprintf(what, sizeof(what), "PTRACE_GET_SYSCALL_INFO argument %u", i);
		check_eq(what, sc->f[0].x[i], s.info.entry.args[i]);
	}
	tracee_to(&t, PTRACE_SYSEMU, 0, "entry getuid pc=svc+4 x0=pattern0");
	tracee_end(&t);
	check_frame(&sc->f[0], sc->f[0].x[0]);
}

/* An emulator of rt_sigreturn or of a call with several results does this. */
TEST(registers_written_at_a_sysemu_stop_are_the_tasks_afterwards_but_x7)
{
	struct svc_script *sc;
	struct tracee t;
	struct stop s;
	char what[48];

	PINS("E01");
	sc = svc_script_new(2);
	s = tracee_first(&t, sc, SYSGOOD, PTRACE_SYSEMU, "entry getuid pc=svc+4");
	for (unsigned int i = 0; i < 31; i++)
		s.regs.regs[i] = ~svc_pattern(i);
	s.regs.pstate ^= 0xf0000000;
	tracee_set_regs(&t, &s.regs);
	tracee_to(&t, PTRACE_SYSEMU, 0, "entry getuid pc=svc+4 x0=pattern0");
	tracee_end(&t);
	for (unsigned int i = 0; i < 31; i++) {
		snprintf(what, sizeof(what), "x%u after the call", i);
		check_eq(what, i == 7 ? svc_pattern(7) : ~svc_pattern(i), sc->f[0].x_out[i]);
	}
	check_eq("NZCV after the call", sc->f[0].nzcv ^ 0xf0000000, sc->f[0].nzcv_out);
}

TEST(pc_written_at_a_sysemu_stop_is_where_the_task_goes_on)
{
	struct svc_script *sc;
	struct tracee t;
	struct stop s;

	PINS("E01");
	effect_pipe();
	sc = svc_script_new(2);
	effect_call(&sc->f[0]);
	s = tracee_first(&t, sc, SYSGOOD, PTRACE_SYSEMU, "entry write pc=svc+4 x0=200");
	s.regs.pc = U64(svc_insn);
	s.regs.regs[8] = __NR_getppid;
	tracee_set_regs(&t, &s.regs);
	s = tracee_to(&t, PTRACE_SYSEMU, 0, "entry getppid pc=svc+4 x0=200");
	s.regs.pc = U64(svc_before);
	s.regs.regs[8] = __NR_write;
	tracee_set_regs(&t, &s.regs);
	tracee_to(&t, PTRACE_SYSEMU, 0, "entry write pc=svc+4 x0=200");
	tracee_to(&t, PTRACE_SYSEMU, 0, "entry getuid pc=svc+4 x0=pattern0");
	tracee_end(&t);
	check_eq("bytes that the emulated write() wrote", 0, effect_count());
	check_frame(&sc->f[0], EFFECT_FD);
}
