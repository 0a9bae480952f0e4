// SPDX-License-Identifier: GPL-2.0
/*
 * System calls that the vDSO itself makes: where a function falls back to one, for a
 * random key, for a signal handler's return. They stop as any other, with PC behind
 * the svc in the vDSO, and a tracer or filter may answer them (P29). lib/vdso/ and
 * arch/arm64/kernel/vdso/ decide which there are.
 */
#include <asm/unistd.h>
#include <errno.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <string.h>
#include <time.h>

#include "case.h"
#include "filter.h"
#include "vdso.h"

#define SYSGOOD		PTRACE_O_TRACESYSGOOD
#define RESULT		0x7e5017
#define STEP_LIMIT	500
#define NO_CLOCK	1000

static void check_pc(const struct stop *s)
{
	const unsigned int *svc = (const void *)(s->regs.pc - 4);

	if (check_true("PC at the stop is in the vDSO", in_vdso(s->regs.pc)))
		check_eq("the instruction before PC", SVC_OPCODE, *svc);
}

/* Clocks that the vDSO does not do, and the system call's result for them. */
struct fallback {
	const char *name, *entry, *exit;
	__u64 clock, nr;
	long result;
};

FIXTURE(fallback) {
};

FIXTURE_VARIANT(fallback) {
	struct fallback f;
};

FIXTURE_VARIANT_ADD(fallback, process_cputime) {
	.f = {
		.name = "__kernel_clock_gettime", .nr = __NR_clock_gettime,
		.clock = CLOCK_PROCESS_CPUTIME_ID,
		.entry = "entry clock_gettime", .exit = "exit clock_gettime", .result = 0,
	},
};

FIXTURE_VARIANT_ADD(fallback, thread_cputime) {
	.f = {
		.name = "__kernel_clock_gettime", .nr = __NR_clock_gettime,
		.clock = CLOCK_THREAD_CPUTIME_ID,
		.entry = "entry clock_gettime", .exit = "exit clock_gettime", .result = 0,
	},
};

FIXTURE_VARIANT_ADD(fallback, no_such_clock) {
	.f = {
		.name = "__kernel_clock_gettime", .nr = __NR_clock_gettime, .clock = NO_CLOCK,
		.entry = "entry clock_gettime", .exit = "exit clock_gettime", .result = -EINVAL,
	},
};

FIXTURE_VARIANT_ADD(fallback, resolution_of_process_cputime) {
	.f = {
		.name = "__kernel_clock_getres", .nr = __NR_clock_getres,
		.clock = CLOCK_PROCESS_CPUTIME_ID,
		.entry = "entry clock_getres", .exit = "exit clock_getres", .result = 0,
	},
};

FIXTURE_SETUP(fallback)
{
}

FIXTURE_TEARDOWN(fallback)
{
}

static struct vdso_call *fallback_call(const struct fallback *v)
{
	struct vdso_call *c = shared_alloc(sizeof(*c));

	name_value(RESULT, "result");
	c->function = vdso_function(v->name);
	c->args[0] = v->clock;
	c->args[1] = U64(c->out);
	c->out[0] = ~0ull;
	c->out[1] = ~0ull;
	c->result = -1;
	return c;
}

/* Has the call written a timespec? */
static void check_written(const struct vdso_call *c, bool expected)
{
	check_true(expected ? "tv_nsec is below a second" : "the timespec is not written",
		   expected ? c->out[1] < 1000000000 : c->out[0] == ~0ull && c->out[1] == ~0ull);
}

TEST_F(fallback, has_the_two_stops_of_a_call_in_the_vdso)
{
	struct vdso_call *c;
	struct tracee t;
	struct stop s;
	__u64 pc;

	PINS("P29");
	c = fallback_call(&variant->f);
	t = tracee_start(vdso_call_run, c, SYSGOOD);
	s = tracee_to(&t, PTRACE_SYSCALL, 0, variant->f.entry);
	check_pc(&s);
	check_eq("x0 at entry", variant->f.clock, s.regs.regs[0]);
	check_eq("x1 at entry", U64(c->out), s.regs.regs[1]);
	check_eq("x8 at entry", variant->f.nr, s.regs.regs[8]);
	pc = s.regs.pc;
	s = tracee_to(&t, PTRACE_SYSCALL, 0, variant->f.exit);
	check_eq("x0 at exit", U64(variant->f.result), s.regs.regs[0]);
	check_eq("PC at exit", pc, s.regs.pc);
	tracee_to(&t, PTRACE_SYSCALL, 0, "entry exit_group");
	tracee_end(&t);
	check_eq("the function's result", U64(variant->f.result), U64(c->result));
	check_written(c, !variant->f.result);
}

TEST_F(fallback, is_emulated_under_sysemu)
{
	struct vdso_call *c;
	struct tracee t;
	struct stop s;

	PINS("P29 E01");
	c = fallback_call(&variant->f);
	t = tracee_start(vdso_call_run, c, SYSGOOD);
	s = tracee_to(&t, PTRACE_SYSEMU, 0, variant->f.entry);
	check_pc(&s);
	check_eq("x0 at entry", variant->f.clock, s.regs.regs[0]);
	s.regs.regs[0] = RESULT;
	tracee_set_regs(&t, &s.regs);
	tracee_to(&t, PTRACE_SYSEMU, 0, "entry exit_group");
	tracee_end(&t);
	check_eq("the function's result", RESULT, U64(c->result));
	check_written(c, false);
}

static __u64 filtered_nr;

static void filtered_run(void *call)
{
	filter_answer((unsigned int)filtered_nr, SECCOMP_RET_ERRNO | E2BIG);
	vdso_call_run(call);
}

TEST_F(fallback, gets_a_filters_error)
{
	struct vdso_call *c;
	char end[64];

	PINS("P29");
	need_filters();
	c = fallback_call(&variant->f);
	filtered_nr = variant->f.nr;
	child_run(filtered_run, c, end, sizeof(end));
	check_str("the child", "exited 0", end);
	check_eq("the function's result", U64(-E2BIG), U64(c->result));
	check_written(c, false);
}

TEST_F(fallback, stepped_has_a_pseudo_step_behind_its_svc)
{
	struct stop s = { .kind = STOP_STEP };
	struct vdso_call *c;
	struct tracee t;

	PINS("P29 S02");
	c = fallback_call(&variant->f);
	t = vdso_call_start(c, SYSGOOD);
	t.quiet = true;
	for (unsigned int i = 0; i < STEP_LIMIT && s.kind == STOP_STEP; i++)
		s = tracee_next(&t, PTRACE_SINGLESTEP, 0);
	check_str("the first stop of stepping that is no step", "pseudo-step",
		  stop_kind_name(s.kind));
	check_pc(&s);
	check_eq("x0 at the pseudo-step", U64(variant->f.result), s.regs.regs[0]);
	for (unsigned int i = 0; i < STEP_LIMIT && t.running && in_vdso(s.regs.pc); i++)
		s = tracee_to(&t, PTRACE_SINGLESTEP, 0, "step");
	check_true("the task steps out of the vDSO again", !in_vdso(s.regs.pc));
	t.quiet = false;
	tracee_to(&t, PTRACE_CONT, 0, "exited 0");
	check_eq("the function's result", U64(variant->f.result), U64(c->result));
	check_written(c, !variant->f.result);
}

static void empty_handler(int sig)
{
	(void)sig;
}

/* struct sigaction of the kernel: without SA_RESTORER the handler returns to the vDSO. */
static struct svc_script *signal_script(void)
{
	static const struct {
		void (*handler)(int sig);
		unsigned long flags, restorer, mask;
	} sa = { .handler = empty_handler };
	struct svc_script *sc = svc_script_new(1);

	check_eq("rt_sigaction", 0,
		 U64(svc_call(__NR_rt_sigaction, 4, U64(SIGUSR1), U64(&sa), U64(0), U64(8))));
	svc_fill(&sc->f[0], __NR_tgkill, 3, U64(0), U64(0), U64(SIGUSR1));
	return sc;
}

TEST(rt_sigreturn_of_the_vdso_stops_behind_its_svc)
{
	const __u64 function = vdso_function("__kernel_rt_sigreturn");
	struct svc_script *sc;
	struct tracee t;
	struct stop s;

	PINS("P29");
	sc = signal_script();
	t = tracee_start(svc_tgkill_run, sc, SYSGOOD);
	tracee_to(&t, PTRACE_CONT, 0, "signal SIGUSR1 SI_TKILL pc=svc+4 x0=0");
	s = tracee_to(&t, PTRACE_SYSCALL, SIGUSR1, "entry rt_sigreturn");
	check_eq("PC at entry", function + 8, s.regs.pc);
	check_pc(&s);
	tracee_to(&t, PTRACE_SYSCALL, 0, "exit -1 pc=svc+4 x0=0");
	tracee_to(&t, PTRACE_SYSCALL, 0, "entry exit_group");
	tracee_end(&t);
	check_eq("x0 of the interrupted call", 0, sc->f[0].x_out[0]);
}

/* Under SYSEMU the handler's return is the tracer's to make: here by the registers alone. */
TEST(rt_sigreturn_of_the_vdso_is_emulated_under_sysemu)
{
	const __u64 function = vdso_function("__kernel_rt_sigreturn");
	struct svc_script *sc;
	struct stop s, at_signal;
	struct tracee t;

	PINS("P29 E01");
	sc = signal_script();
	t = tracee_start(svc_tgkill_run, sc, SYSGOOD);
	at_signal = tracee_to(&t, PTRACE_CONT, 0, "signal SIGUSR1 SI_TKILL pc=svc+4 x0=0");
	s = tracee_to(&t, PTRACE_SYSEMU, SIGUSR1, "entry rt_sigreturn");
	check_eq("PC at the stop", function + 8, s.regs.pc);
	tracee_set_regs(&t, &at_signal.regs);
	tracee_to(&t, PTRACE_SYSEMU, 0, "entry exit_group pc=svc+4 x0=0");
	tracee_end(&t);
	check_eq("x0 of the interrupted call", 0, sc->f[0].x_out[0]);
}
