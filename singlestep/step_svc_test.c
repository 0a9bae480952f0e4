// SPDX-License-Identifier: GPL-2.0
/*
 * Stepping over a system call: where the task stops, why, and that nothing
 * runs twice or unseen meanwhile (S01-S03 of the contract). Two things make the
 * stops: SPSR.SS, which arch/arm64/kernel/debug-monitors.c arms and the svc
 * uses up, and the pseudo-step of report_syscall_exit() in
 * arch/arm64/kernel/ptrace.c, on the generic path report_single_step().
 */
#include <asm/unistd.h>
#include <errno.h>
#include <sys/mman.h>

#include "case.h"
#include "counted.h"
#include "effect.h"
#include "filter.h"

#define SYSGOOD		PTRACE_O_TRACESYSGOOD
#define STEP		PTRACE_SINGLESTEP

TEST(step_of_an_ordinary_instruction_is_trap_trace_at_the_next)
{
	struct user_pt_regs regs;
	struct tracee t;
	struct stop s;

	PINS("S01");
	t = counted_start(&counted_umask, 0, &regs);
	s = tracee_to(&t, STEP, 0, "step pc=svc");
	check_eq("stop signal", SIGTRAP, U64(s.sig));
	check_eq("si_signo", SIGTRAP, U64(s.si.si_signo));
	check_eq("si_code", 2 /* TRAP_TRACE */, U64(s.si.si_code));
	check_eq("si_addr", U64(counted_svc), U64(s.si.si_addr));
	regs.regs[19]++;
	regs.pc = U64(counted_svc);
	counted_check_regs(&s, &regs);

	regs.pc = U64(counted_svc + 4);
	tracee_set_regs(&t, &regs);
	s = tracee_to(&t, STEP, 0, "step pc=svc+8");
	check_eq("si_addr", U64(counted_svc + 8), U64(s.si.si_addr));
	regs.regs[20]++;
	regs.pc = U64(counted_svc + 8);
	counted_check_regs(&s, &regs);
	tracee_end(&t);
}

FIXTURE(stepped_call) {
};

FIXTURE_VARIANT(stepped_call) {
	struct counted_call call;
	bool filtered;
};

FIXTURE_VARIANT_ADD(stepped_call, success) {
	.call = { .nr = __NR_umask, .args = { 022 }, .nargs = 1, .result = 077 },
};

FIXTURE_VARIANT_ADD(stepped_call, address) {
	.call = { .nr = __NR_mmap, .nargs = 6, .result = COUNTED_MAP,
		  .args = { COUNTED_MAP, 4096, PROT_READ,
			    MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, ~0ull, 0 } },
};

FIXTURE_VARIANT_ADD(stepped_call, error) {
	.call = { .nr = __NR_dup, .args = { 1000 }, .nargs = 1, .result = (__u64)-EBADF },
};

FIXTURE_VARIANT_ADD(stepped_call, number_minus_1) {
	.call = { .nr = ~0ull, .result = (__u64)-ENOSYS },
};

FIXTURE_VARIANT_ADD(stepped_call, number_out_of_range) {
	.call = { .nr = 100000, .result = (__u64)-ENOSYS },
};

FIXTURE_VARIANT_ADD(stepped_call, skipped_by_filter) {
	.call = { .nr = __NR_getuid, .result = (__u64)-E2BIG }, .filtered = true,
};

FIXTURE_SETUP(stepped_call)
{
}

FIXTURE_TEARDOWN(stepped_call)
{
}

/* SI_USER without a sender is what user_single_step_report() makes. */
static void check_pseudo_step(const struct counted_call *c, unsigned long options)
{
	struct user_pt_regs regs;
	struct tracee t;
	struct stop s;

	t = counted_start(c, options, &regs);
	s = tracee_to(&t, STEP, 0, "step pc=svc");
	regs.regs[19]++;
	regs.pc = U64(counted_svc);
	counted_check_regs(&s, &regs);
	s = tracee_to(&t, STEP, 0, "pseudo-step pc=svc+4");
	check_eq("stop signal", SIGTRAP, U64(s.sig));
	check_eq("si_signo", SIGTRAP, U64(s.si.si_signo));
	check_eq("si_code", SI_USER, U64(s.si.si_code));
	check_eq("si_errno", 0, U64(s.si.si_errno));
	check_eq("si_pid", 0, U64(s.si.si_pid));
	check_eq("si_uid", 0, s.si.si_uid);
	check_nr("NT_ARM_SYSTEM_CALL", -1, s.nr);
	regs.regs[0] = c->result;
	regs.pc = U64(counted_svc + 4);
	counted_check_regs(&s, &regs);
	tracee_end(&t);
}

TEST_F(stepped_call, pseudo_step_at_svc_4_shows_the_result_and_the_true_x7)
{
	PINS("S02");
	if (variant->filtered)
		filter_answer(__NR_getuid, SECCOMP_RET_ERRNO | E2BIG);
	check_pseudo_step(&variant->call, 0);
	check_pseudo_step(&variant->call, SYSGOOD);
}

FIXTURE(sequence) {
};

/*
 * What the tracer writes at its stops, and the stops (PC and si_code) from
 * before the svc to svc+12. Taking the svc uses up SPSR.SS, so that the task traps
 * once more at svc+4 before it runs anything; a write of the general registers
 * arms it again (user_regs_reset_single_step()).
 */
FIXTURE_VARIANT(sequence) {
	unsigned int writes;	/* NT_PRSTATUS, bit n: at stop n, counted from 1 */
	unsigned int numbers;	/* NT_ARM_SYSTEM_CALL */
	const char *stops;
};

#define STOPS_WITH_TRAP \
	"svc TRAP_TRACE, svc+4 SI_USER, svc+4 TRAP_TRACE, svc+8 TRAP_TRACE, svc+12 TRAP_TRACE"
#define STOPS_WITHOUT_TRAP \
	"svc TRAP_TRACE, svc+4 SI_USER, svc+8 TRAP_TRACE, svc+12 TRAP_TRACE"

FIXTURE_VARIANT_ADD(sequence, no_write) {
	.stops = STOPS_WITH_TRAP,
};

FIXTURE_VARIANT_ADD(sequence, write_at_each_stop) {
	.writes = ~0u, .stops = STOPS_WITHOUT_TRAP,
};

FIXTURE_VARIANT_ADD(sequence, write_before_svc) {
	.writes = 1 << 1, .stops = STOPS_WITH_TRAP,
};

FIXTURE_VARIANT_ADD(sequence, write_at_pseudo_step) {
	.writes = 1 << 2, .stops = STOPS_WITHOUT_TRAP,
};

FIXTURE_VARIANT_ADD(sequence, write_at_trap_after_pseudo_step) {
	.writes = 1 << 3, .stops = STOPS_WITH_TRAP,
};

FIXTURE_VARIANT_ADD(sequence, write_of_number_at_each_stop) {
	.numbers = ~0u, .stops = STOPS_WITH_TRAP,
};

FIXTURE_SETUP(sequence)
{
}

FIXTURE_TEARDOWN(sequence)
{
}

/* Step to counted_end; every stop on the way as "PC si_code" in @text. */
static struct stop walk(struct tracee *t, unsigned int writes, unsigned int numbers, char *text,
			size_t size)
{
	struct stop s = { 0 };
	size_t len = 0;

	/* One stop more than there can be, so that a task that does not move ends too. */
	for (unsigned int i = 1; i <= 8 && s.regs.pc != U64(counted_end) && t->running; i++) {
		s = tracee_next(t, STEP, 0);
		if (!t->running)
			break;
		if (writes & 1 << i)
			tracee_set_regs(t, &s.regs);
		if (numbers & 1 << i)
			tracee_set_nr(t, s.nr);
		len += (size_t)snprintf(text + len, size - len, "%s%s %s", i > 1 ? ", " : "",
					value_name(s.regs.pc), sicode_name(s.sig, s.code));
	}
	return s;
}

TEST_F(sequence, of_steps_over_svc_runs_each_instruction_once)
{
	const struct counted_call c = { .nr = __NR_write, .args = EFFECT_ARGS, .nargs = 3 };
	char seen[512] = "";
	struct user_pt_regs regs;
	struct tracee t;
	struct stop s;

	PINS("S03");
	effect_pipe();
	t = counted_start(&c, SYSGOOD, &regs);
	s = walk(&t, variant->writes, variant->numbers, seen, sizeof(seen));
	check_str("stops from before the svc to svc+12", variant->stops, seen);
	for (unsigned int i = 19; i <= 21; i++)
		regs.regs[i]++;
	regs.regs[0] = 1;
	regs.pc = U64(counted_end);
	if (t.running)
		counted_check_regs(&s, &regs);
	check_eq("bytes that the stepped write() wrote", 1, effect_count());
	if (t.running)
		tracee_to(&t, PTRACE_CONT, 0, "signal SIGTRAP TRAP_BRKPT pc=svc+12");
	tracee_end(&t);
}
