// SPDX-License-Identifier: GPL-2.0
/*
 * PTRACE_SYSEMU into a stop and another request out of it, or the other way round:
 * whether a call runs is decided by the request that led into its entry stop, which
 * stops follow by the one that leaves it (E02). The flags of the former are read
 * before the stop, those of the latter after it: arch/arm64/kernel/ptrace.c
 * syscall_trace_enter() and syscall_trace_exit(), on the generic path
 * include/linux/entry-common.h. Stepping over an emulated call differs (D1).
 */
#include <asm/unistd.h>
#include <signal.h>

#include "case.h"
#include "effect.h"
#include "features.h"
#include "filter.h"
#include "tracee.h"

#define SYSGOOD		PTRACE_O_TRACESYSGOOD
#define STEP		PTRACE_SINGLESTEP
#define SYSEMU_STEP	PTRACE_SYSEMU_SINGLESTEP
#define RESULT		0x7e5017

FIXTURE(pair) {
};

/*
 * @in:      leads into the entry stop of write(), which getppid() follows
 * @writes:  the tracer writes x0 there; that arms SPSR.SS again in a stepping task,
 *           which has used it up on the svc (S03)
 * @out:     the stops afterwards, the first resumed with the request in question
 * @generic: those of the generic path, if they are others (D1)
 * @x0:      what write() returned, in the notation: 1 if it ran
 */
FIXTURE_VARIANT(pair) {
	long in;
	bool writes;
	struct stop_row out[4];
	struct stop_row generic[4];
	__u64 x0;
};

FIXTURE_VARIANT_ADD(pair, syscall_then_cont_runs_it) {
	.in = PTRACE_SYSCALL, .x0 = 1,
	.out = { { PTRACE_CONT, 0, "exited 0" } },
};

FIXTURE_VARIANT_ADD(pair, syscall_then_syscall_runs_it) {
	.in = PTRACE_SYSCALL, .x0 = 1,
	.out = {
		{ PTRACE_SYSCALL, 0, "exit write pc=svc+4 x0=1" },
		{ PTRACE_SYSCALL, 0, "entry getppid pc=svc+4 x0=pattern0" },
	},
};

FIXTURE_VARIANT_ADD(pair, syscall_then_sysemu_runs_it) {
	.in = PTRACE_SYSCALL, .x0 = 1,
	.out = { { PTRACE_SYSEMU, 0, "entry getppid pc=svc+4 x0=pattern0" } },
};

FIXTURE_VARIANT_ADD(pair, syscall_then_singlestep_runs_it) {
	.in = PTRACE_SYSCALL, .x0 = 1,
	.out = {
		{ STEP, 0, "pseudo-step pc=svc+4 x0=1" },
		{ STEP, 0, "step pc=svc+8 x0=1" },
		{ PTRACE_SYSEMU, 0, "entry getppid pc=svc+4 x0=pattern0" },
	},
};

FIXTURE_VARIANT_ADD(pair, syscall_then_sysemu_singlestep_runs_it) {
	.in = PTRACE_SYSCALL, .x0 = 1,
	.out = {
		{ SYSEMU_STEP, 0, "pseudo-step pc=svc+4 x0=1" },
		{ SYSEMU_STEP, 0, "step pc=svc+8 x0=1" },
		{ PTRACE_SYSEMU, 0, "entry getppid pc=svc+4 x0=pattern0" },
	},
	.generic = {
		{ SYSEMU_STEP, 0, "step pc=svc+8 x0=1" },
		{ PTRACE_SYSEMU, 0, "entry getppid pc=svc+4 x0=pattern0" },
	},
};

FIXTURE_VARIANT_ADD(pair, syscall_then_detach_runs_it) {
	.in = PTRACE_SYSCALL, .x0 = 1,
	.out = { { PTRACE_DETACH, 0, "exited 0" } },
};

FIXTURE_VARIANT_ADD(pair, sysemu_then_cont_skips_it) {
	.in = PTRACE_SYSEMU, .writes = true, .x0 = RESULT,
	.out = { { PTRACE_CONT, 0, "exited 0" } },
};

FIXTURE_VARIANT_ADD(pair, sysemu_then_syscall_skips_it_with_an_exit_stop) {
	.in = PTRACE_SYSEMU, .writes = true, .x0 = RESULT,
	.out = {
		{ PTRACE_SYSCALL, 0, "exit write pc=svc+4 x0=result" },
		{ PTRACE_SYSCALL, 0, "entry getppid pc=svc+4 x0=pattern0" },
		{ PTRACE_SYSCALL, 0, "exit getppid pc=svc+4 x0=tracer" },
	},
};

FIXTURE_VARIANT_ADD(pair, sysemu_then_syscall_shows_argument_0_at_the_exit_stop) {
	.in = PTRACE_SYSEMU, .x0 = EFFECT_FD,
	.out = {
		{ PTRACE_SYSCALL, 0, "exit write pc=svc+4 x0=200" },
		{ PTRACE_SYSEMU, 0, "entry getppid pc=svc+4 x0=pattern0" },
	},
};

FIXTURE_VARIANT_ADD(pair, sysemu_then_sysemu_skips_it) {
	.in = PTRACE_SYSEMU, .writes = true, .x0 = RESULT,
	.out = { { PTRACE_SYSEMU, 0, "entry getppid pc=svc+4 x0=pattern0" } },
};

FIXTURE_VARIANT_ADD(pair, sysemu_then_singlestep_skips_it_with_a_pseudo_step) {
	.in = PTRACE_SYSEMU, .writes = true, .x0 = RESULT,
	.out = {
		{ STEP, 0, "pseudo-step pc=svc+4 x0=result" },
		{ STEP, 0, "step pc=svc+8 x0=result" },
		{ PTRACE_SYSEMU, 0, "entry getppid pc=svc+4 x0=pattern0" },
	},
};

FIXTURE_VARIANT_ADD(pair, sysemu_then_sysemu_singlestep_skips_it) {
	.in = PTRACE_SYSEMU, .writes = true, .x0 = RESULT,
	.out = {
		{ SYSEMU_STEP, 0, "pseudo-step pc=svc+4 x0=result" },
		{ SYSEMU_STEP, 0, "step pc=svc+8 x0=result" },
		{ PTRACE_SYSEMU, 0, "entry getppid pc=svc+4 x0=pattern0" },
	},
	.generic = {
		{ SYSEMU_STEP, 0, "step pc=svc+8 x0=result" },
		{ PTRACE_SYSEMU, 0, "entry getppid pc=svc+4 x0=pattern0" },
	},
};

FIXTURE_VARIANT_ADD(pair, sysemu_then_detach_skips_it) {
	.in = PTRACE_SYSEMU, .writes = true, .x0 = RESULT,
	.out = { { PTRACE_DETACH, 0, "exited 0" } },
};

FIXTURE_VARIANT_ADD(pair, sysemu_singlestep_then_cont_skips_it) {
	.in = SYSEMU_STEP, .writes = true, .x0 = RESULT,
	.out = { { PTRACE_CONT, 0, "exited 0" } },
};

FIXTURE_VARIANT_ADD(pair, sysemu_singlestep_then_syscall_skips_it_with_an_exit_stop) {
	.in = SYSEMU_STEP, .writes = true, .x0 = RESULT,
	.out = {
		{ PTRACE_SYSCALL, 0, "exit write pc=svc+4 x0=result" },
		{ PTRACE_SYSCALL, 0, "entry getppid pc=svc+4 x0=pattern0" },
	},
};

FIXTURE_VARIANT_ADD(pair, sysemu_singlestep_then_sysemu_skips_it) {
	.in = SYSEMU_STEP, .writes = true, .x0 = RESULT,
	.out = { { PTRACE_SYSEMU, 0, "entry getppid pc=svc+4 x0=pattern0" } },
};

FIXTURE_VARIANT_ADD(pair, sysemu_singlestep_then_singlestep_skips_it_with_a_pseudo_step) {
	.in = SYSEMU_STEP, .writes = true, .x0 = RESULT,
	.out = {
		{ STEP, 0, "pseudo-step pc=svc+4 x0=result" },
		{ STEP, 0, "step pc=svc+8 x0=result" },
		{ PTRACE_SYSEMU, 0, "entry getppid pc=svc+4 x0=pattern0" },
	},
};

FIXTURE_VARIANT_ADD(pair, sysemu_singlestep_then_singlestep_without_a_write_traps_at_svc_4) {
	.in = SYSEMU_STEP, .x0 = EFFECT_FD,
	.out = {
		{ STEP, 0, "pseudo-step pc=svc+4 x0=200" },
		{ STEP, 0, "step pc=svc+4 x0=200" },
		{ STEP, 0, "step pc=svc+8 x0=200" },
		{ PTRACE_SYSEMU, 0, "entry getppid pc=svc+4 x0=pattern0" },
	},
};

FIXTURE_VARIANT_ADD(pair, sysemu_singlestep_then_sysemu_singlestep_skips_it) {
	.in = SYSEMU_STEP, .writes = true, .x0 = RESULT,
	.out = {
		{ SYSEMU_STEP, 0, "pseudo-step pc=svc+4 x0=result" },
		{ SYSEMU_STEP, 0, "step pc=svc+8 x0=result" },
		{ PTRACE_SYSEMU, 0, "entry getppid pc=svc+4 x0=pattern0" },
	},
	.generic = {
		{ SYSEMU_STEP, 0, "step pc=svc+8 x0=result" },
		{ PTRACE_SYSEMU, 0, "entry getppid pc=svc+4 x0=pattern0" },
	},
};

FIXTURE_VARIANT_ADD(pair, sysemu_singlestep_then_detach_skips_it) {
	.in = SYSEMU_STEP, .writes = true, .x0 = RESULT,
	.out = { { PTRACE_DETACH, 0, "exited 0" } },
};

FIXTURE_SETUP(pair)
{
}

FIXTURE_TEARDOWN(pair)
{
}

/*
 * A tracee at the svc, its registers those of the write(), without a flag set: at the
 * exit stop of another call, moved back. Stepping from there executes the svc first.
 */
static struct tracee at_svc_of_write(struct svc_script **script)
{
	static const __u64 args[] = EFFECT_ARGS;
	struct tracee t;
	struct stop s;

	effect_pipe();
	name_value(RESULT, "result");
	*script = svc_script_new(2);
	svc_fill(&(*script)->f[0], __NR_getuid, 3, args[0], args[1], args[2]);
	svc_fill(&(*script)->f[1], __NR_getppid, 0);
	tracee_first(&t, *script, SYSGOOD, PTRACE_SYSCALL, "entry getuid");
	s = tracee_to(&t, PTRACE_SYSCALL, 0, "exit getuid");
	s.regs.pc = U64(svc_insn);
	s.regs.regs[0] = args[0];
	s.regs.regs[8] = __NR_write;
	tracee_set_regs(&t, &s.regs);
	return t;
}

static const struct stop_row *rows_here(const struct stop_row *out, const struct stop_row *generic)
{
	const char *evidence;

	if (!generic[0].expect)
		return out;
	switch (entry_path(&evidence)) {
	case PATH_LEGACY:
		return out;
	case PATH_GENERIC:
		return generic;
	default:
		case_skip("the entry path is unknown (%s): needs ENTRY_EXPECT=legacy or generic",
			  evidence);
	}
}

TEST_F(pair, by_the_request_into_its_entry_stop)
{
	const struct stop_row *rows = rows_here(variant->out, variant->generic);
	struct svc_script *sc;
	struct tracee t;
	struct stop s;
	size_t n;

	PINS("E02");
	t = at_svc_of_write(&sc);
	s = tracee_to(&t, variant->in, 0, "entry write pc=svc+4 x0=200");
	if (variant->writes) {
		s.regs.regs[0] = RESULT;
		tracee_set_regs(&t, &s.regs);
	}
	for (n = 1; n < 4 && rows[n].expect; n++)
		;
	if (!tracee_expect(&t, rows, n, NULL))
		case_end();
	tracee_end(&t);
	check_eq("x0 after the write()", variant->x0, sc->f[0].x_out[0]);
	check_eq("bytes that the write() wrote", variant->x0 == 1, effect_count());
}

FIXTURE(other_stop) {
};

/* Ways to a stop that is no entry stop, before or after the write(), which runs. */
FIXTURE_VARIANT(other_stop) {
	struct stop_row rows[3];
	size_t n;
	bool filter;
	int sig;
};

FIXTURE_VARIANT_ADD(other_stop, exit_stop) {
	.rows = {
		{ PTRACE_SYSCALL, 0, "entry write pc=svc+4 x0=200" },
		{ PTRACE_SYSCALL, 0, "exit write pc=svc+4 x0=1" },
	}, .n = 2,
};

FIXTURE_VARIANT_ADD(other_stop, seccomp_stop) {
	.filter = true,
	.rows = {
		{ PTRACE_SYSCALL, 0, "entry write pc=svc+4 x0=200" },
		{ PTRACE_CONT, 0, "seccomp write pc=svc+4 x0=200" },
	}, .n = 2,
};

FIXTURE_VARIANT_ADD(other_stop, pseudo_step) {
	.rows = {
		{ PTRACE_SYSCALL, 0, "entry write pc=svc+4 x0=200" },
		{ STEP, 0, "pseudo-step pc=svc+4 x0=1" },
	}, .n = 2,
};

FIXTURE_VARIANT_ADD(other_stop, step) {
	.rows = {
		{ PTRACE_SYSCALL, 0, "entry write pc=svc+4 x0=200" },
		{ STEP, 0, "pseudo-step pc=svc+4 x0=1" },
		{ STEP, 0, "step pc=svc+8 x0=1" },
	}, .n = 3,
};

FIXTURE_VARIANT_ADD(other_stop, signal_stop) {
	.sig = SIGUSR1,
	.rows = {
		{ PTRACE_SYSCALL, 0, "entry write pc=svc+4 x0=200" },
		{ PTRACE_CONT, SIGUSR1, "signal SIGUSR1 SI_KERNEL pc=svc+4 x0=1" },
	}, .n = 2,
};

FIXTURE_SETUP(other_stop)
{
}

FIXTURE_TEARDOWN(other_stop)
{
}

/* SECCOMP_RET_TRACE for write() to EFFECT_FD, and not for what the case itself writes. */
static void filter_effect_call(void)
{
	struct sock_filter insns[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_write, 0, 3),
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args[0])),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, EFFECT_FD, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_TRACE),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};

	need_filters();
	filter_load_raw(insns, ARRAY_SIZE(insns));
}

TEST_F(other_stop, left_with_sysemu_lets_the_call_finish_and_emulates_the_next)
{
	struct svc_script *sc;
	struct tracee t;

	PINS("E02");
	effect_pipe();
	sc = svc_script_new(2);
	effect_call(&sc->f[0]);
	svc_fill(&sc->f[1], __NR_getppid, 0);
	if (variant->filter)
		filter_effect_call();
	t = tracee_start(svc_script_run, sc, SYSGOOD | PTRACE_O_TRACESECCOMP);
	if (!tracee_expect(&t, variant->rows, variant->n, NULL))
		case_end();
	tracee_to(&t, PTRACE_SYSEMU, 0, "entry getppid pc=svc+4 x0=pattern0");
	tracee_to(&t, PTRACE_SYSEMU, 0, "entry exit_group pc=svc+4 x0=0");
	tracee_end(&t);
	check_frame(&sc->f[0], 1);
	check_frame(&sc->f[1], svc_pattern(0));
	check_eq("bytes that the write() wrote", 1, effect_count());
}
