// SPDX-License-Identifier: GPL-2.0
/*
 * Restartable sequences: a signal inside a section aborts it (kernel/rseq.c, from
 * handle_signal() of arch/arm64/kernel/signal.c); a system call inside one kills
 * the task with SIGSEGV where the kernel checks, one outside never does (Q01 of
 * the contract): rseq_syscall() from syscall_trace_exit() of
 * arch/arm64/kernel/ptrace.c, on the generic path rseq_debug_syscall_return().
 * Both go by the PC alone, after a call svc+4. Preemption aborts a section, too:
 * each is run again until it gets through.
 */
#include <asm/unistd.h>
#include <errno.h>
#include <sys/time.h>

#include "case.h"
#include "caught.h"
#include "effect.h"
#include "features.h"
#include "section.h"
#include "tracee.h"

/* What a child does, and what became of it; shared with it. */
struct run {
	const struct section *section;
	struct svc_frame f;
	__u64 rseq_cs;	/* in the signal handler */
	bool inside;		/* the timer's signal found the task in the section */
};

static struct run *run;

static void run_new(const struct section *section)
{
	run = shared_alloc(sizeof(*run));
	run->section = section;
	svc_fill(&run->f, __NR_getuid, 0);
	section_arm_registers(section, &run->f);
	section_name(section);
	name_value(svc_pattern(0), "pattern0");
}

/* Until a signal comes, or the section gets to its end. */
static void run_section(void *unused)
{
	(void)unused;
	do {
		run->section->run(&run->f);
	} while (section_aborted(&run->f) && !caught_count());
}

/* In the handler: what the kernel has made of rseq_cs; and get past the brk or branch. */
static void on_signal(ucontext_t *uc)
{
	run->rseq_cs = rseq_area.rseq_cs;
	if (uc->uc_mcontext.pc == run->section->insn)
		uc->uc_mcontext.pc += 4;
}

/* Where the last signal caught found the task, and, if it @ended well, where it went on. */
static void check_signal(bool aborts, bool ended)
{
	__u64 pc = aborts ? run->section->abort_ip : run->section->insn;

	if (!check_true("a signal was caught", caught_count()))
		return;
	check_caught_regs(caught_nth(caught_count() - 1), &run->f, pc);
	check_eq("rseq_cs in the handler", 0, run->rseq_cs);
	if (!ended)
		return;
	check_eq("the task went on at the abort handler", aborts, section_aborted(&run->f));
	if (aborts)
		run->f.x[11] = 0;
	check_frame(&run->f, run->f.x[0]);
}

FIXTURE(signal) {
};

FIXTURE_VARIANT(signal) {
	enum section_slot slot;
	bool aborts;
	const char *stop;
};

FIXTURE_VARIANT_ADD(signal, in_first_instruction_aborts) {
	.slot = SLOT_FIRST, .aborts = true, .stop = "signal SIGTRAP TRAP_BRKPT pc=section",
};

FIXTURE_VARIANT_ADD(signal, in_middle_instruction_aborts) {
	.slot = SLOT_MIDDLE, .aborts = true, .stop = "signal SIGTRAP TRAP_BRKPT pc=section+4",
};

FIXTURE_VARIANT_ADD(signal, in_last_instruction_aborts) {
	.slot = SLOT_LAST, .aborts = true, .stop = "signal SIGTRAP TRAP_BRKPT pc=section+8",
};

FIXTURE_VARIANT_ADD(signal, directly_before_section_does_not_abort) {
	.slot = SLOT_BEFORE, .aborts = false, .stop = "signal SIGTRAP TRAP_BRKPT pc=before",
};

FIXTURE_VARIANT_ADD(signal, directly_after_section_does_not_abort) {
	.slot = SLOT_AFTER, .aborts = false, .stop = "signal SIGTRAP TRAP_BRKPT pc=after",
};

FIXTURE_SETUP(signal)
{
}

FIXTURE_TEARDOWN(signal)
{
}

/* rseq_signal_deliver() looks at a larger area only if the task was interrupted. */
static __u32 extended_size(void)
{
	if (rseq_full_size() == RSEQ_ORIGINAL_SIZE)
		case_skip("no extended rseq area: needs %s",
			  "a kernel that announces more than 32 bytes in AT_RSEQ_FEATURE_SIZE");
	return rseq_full_size();
}

static void check_own_signal(enum section_slot slot, bool aborts, __u32 size)
{
	bool ended;
	char end[64];

	rseq_take_over(size);
	run_new(&section_brk[slot]);
	catch_signal(SIGTRAP, 0, on_signal);
	child_run(run_section, NULL, end, sizeof(end));
	ended = check_str("the task", "exited 0", end);
	check_eq("signals", 1, caught_count());
	caught_tell();
	check_signal(aborts, ended);
}

TEST_F(signal, of_brk)
{
	PINS("Q01");
	check_own_signal(variant->slot, variant->aborts, RSEQ_ORIGINAL_SIZE);
}

TEST_F(signal, of_brk_with_extended_area)
{
	PINS("Q01");
	check_own_signal(variant->slot, variant->aborts, extended_size());
}

TEST_F(signal, of_tracer)
{
	struct stop_row rows[] = {
		{ PTRACE_SYSCALL, 0, variant->stop },
		{ PTRACE_CONT, SIGUSR1, "exited 0" },
	};
	struct tracee t;

	PINS("Q01");
	rseq_take_over(RSEQ_ORIGINAL_SIZE);
	run_new(&section_brk[variant->slot]);
	catch_signal(SIGUSR1, 0, on_signal);
	t = tracee_start(run_section, NULL, 0);
	if (tracee_expect(&t, rows, ARRAY_SIZE(rows), NULL)) {
		check_eq("signals", 1, caught_count());
		caught_tell();
		check_signal(variant->aborts, true);
	}
	tracee_end(&t);
}

static void start_timer(void)
{
	struct itimerval timer = { .it_value.tv_usec = 1000 };

	setitimer(ITIMER_REAL, &timer, NULL);
}

/* A signal on the way from one run to the next says nothing: another one. */
static void on_timer(ucontext_t *uc)
{
	__u64 pc = uc->uc_mcontext.pc;

	run->inside = pc == run->section->insn || pc == run->section->abort_ip;
	on_signal(uc);
	if (!run->inside)
		start_timer();
}

/* A section that nothing but a signal, or preemption, can end. */
static void spin(void *unused)
{
	(void)unused;
	start_timer();
	do {
		run->section->run(&run->f);
	} while (section_aborted(&run->f) && !run->inside);
}

static void check_timer(__u32 size)
{
	char end[64];
	bool ended;

	rseq_take_over(size);
	run_new(&section_spin[SLOT_MIDDLE]);
	catch_signal(SIGALRM, 0, on_timer);
	child_run(spin, NULL, end, sizeof(end));
	ended = check_str("the task", "exited 0", end);
	check_signal(true, ended);
}

TEST(timer_signal_in_section_aborts)
{
	PINS("Q01");
	check_timer(RSEQ_ORIGINAL_SIZE);
}

TEST(timer_signal_in_section_with_extended_area_aborts)
{
	PINS("Q01");
	check_timer(extended_size());
}

/* A call in a section: that of effect_call() where nr is 0. */
struct call {
	enum section_slot slot;
	bool kills;
	__u64 nr, arg0;
	const char *entry, *exit, *signal;
	__u64 result;
};

FIXTURE(call) {
};

FIXTURE_VARIANT(call) {
	struct call c;
};

FIXTURE_VARIANT_ADD(call, in_first_instruction_kills) {
	.c = { .slot = SLOT_FIRST, .kills = true, .result = 1,
	       .entry = "entry write pc=section+4 x0=200", .exit = "exit write pc=section+4 x0=1",
	       .signal = "signal SIGSEGV SI_KERNEL pc=section+4 x0=1" },
};

FIXTURE_VARIANT_ADD(call, in_middle_instruction_kills) {
	.c = { .slot = SLOT_MIDDLE, .kills = true, .result = 1,
	       .entry = "entry write pc=section+8 x0=200", .exit = "exit write pc=section+8 x0=1",
	       .signal = "signal SIGSEGV SI_KERNEL pc=section+8 x0=1" },
};

FIXTURE_VARIANT_ADD(call, that_fails_kills) {
	.c = { .slot = SLOT_MIDDLE, .kills = true, .nr = __NR_dup, .arg0 = 1000,
	       .result = (__u64)-EBADF,
	       .entry = "entry dup pc=section+8 x0=1000", .exit = "exit dup pc=section+8 x0=-EBADF",
	       .signal = "signal SIGSEGV SI_KERNEL pc=section+8 x0=-EBADF" },
};

FIXTURE_VARIANT_ADD(call, without_such_number_kills) {
	.c = { .slot = SLOT_MIDDLE, .kills = true, .nr = 100000, .arg0 = 1000,
	       .result = (__u64)-ENOSYS,
	       .entry = "entry 100000 pc=section+8 x0=1000",
	       .exit = "exit 100000 pc=section+8 x0=-ENOSYS",
	       .signal = "signal SIGSEGV SI_KERNEL pc=section+8 x0=-ENOSYS" },
};

FIXTURE_VARIANT_ADD(call, in_last_instruction_is_spared) {
	.c = { .slot = SLOT_LAST, .kills = false, .result = 1,
	       .entry = "entry write pc=after x0=200", .exit = "exit write pc=after x0=1" },
};

FIXTURE_VARIANT_ADD(call, directly_after_section_is_spared) {
	.c = { .slot = SLOT_AFTER, .kills = false, .result = 1,
	       .entry = "entry write pc=after+4 x0=200", .exit = "exit write pc=after+4 x0=1" },
};

FIXTURE_SETUP(call)
{
}

FIXTURE_TEARDOWN(call)
{
}

static void prepare(const struct call *c)
{
	const char *reason;

	if (c->kills && rseq_check(&reason) != RSEQ_CHECK_ON)
		case_skip("%s", reason);
	effect_pipe();
	rseq_take_over(RSEQ_ORIGINAL_SIZE);
	run_new(&section_svc[c->slot]);
	if (c->nr)
		svc_fill(&run->f, c->nr, 1, c->arg0);
	else
		effect_call(&run->f);
	section_arm_registers(run->section, &run->f);
}

/* Killed or not, the call itself ran, and once. */
static void check_call(const struct call *c, bool ended)
{
	check_eq("bytes that write() in the section wrote", c->nr ? 0 : 1, effect_count());
	if (ended && !c->kills)
		check_frame(&run->f, c->result);
}

TEST_F(call, untraced)
{
	char end[64];
	bool ended;

	PINS("Q01");
	prepare(&variant->c);
	child_run(run_section, NULL, end, sizeof(end));
	ended = check_str("the task", variant->c.kills ? "killed SIGSEGV" : "exited 0", end);
	check_call(&variant->c, ended);
}

/*
 * On the generic path the signal is pending at the exit stop already (D2). Where
 * rseq debugging is on, the stops themselves would kill: they reschedule, and
 * rseq_update_usr() finds the PC in a section. The untraced call has the check alone.
 */
TEST_F(call, traced)
{
	struct stop_row rows[4] = {
		{ PTRACE_SYSCALL, 0, variant->c.entry },
		{ PTRACE_SYSCALL, 0, variant->c.exit },
		{ PTRACE_SYSCALL, 0, "entry exit_group" },
		{ PTRACE_SYSCALL, 0, "exited 0" },
	};
	struct tracee t;
	bool ended;

	PINS("Q01");
	if (variant->c.kills) {
		rows[2].expect = variant->c.signal;
		rows[3] = (struct stop_row) { PTRACE_CONT, SIGSEGV, "killed SIGSEGV" };
	}
	prepare(&variant->c);
	t = tracee_start(run_section, NULL, PTRACE_O_TRACESYSGOOD);
	ended = tracee_expect(&t, rows, ARRAY_SIZE(rows), NULL);
	tracee_end(&t);
	check_call(&variant->c, ended);
}

/* Calls far from any section, without one and with one that was never disarmed. */
static void calls_outside(void *unused)
{
	(void)unused;
	svc_run(&run->f);
	rseq_area.rseq_cs = U64(run->section);
	svc_run(&run->f);
}

TEST(call_outside_any_section_is_spared_untraced)
{
	char end[64];

	PINS("Q01");
	rseq_take_over(RSEQ_ORIGINAL_SIZE);
	run_new(&section_svc[SLOT_MIDDLE]);
	svc_fill(&run->f, __NR_dup, 1, U64(1000));
	child_run(calls_outside, NULL, end, sizeof(end));
	if (check_str("the task", "exited 0", end))
		check_frame(&run->f, U64(-EBADF));
}

TEST(call_outside_any_section_is_spared_traced)
{
	static const struct stop_row rows[] = {
		{ PTRACE_SYSCALL, 0, "entry dup pc=svc+4 x0=1000" },
		{ PTRACE_SYSCALL, 0, "exit dup pc=svc+4 x0=-EBADF" },
		{ PTRACE_SYSCALL, 0, "entry dup pc=svc+4 x0=1000" },
		{ PTRACE_SYSCALL, 0, "exit dup pc=svc+4 x0=-EBADF" },
		{ PTRACE_SYSCALL, 0, "entry exit_group" },
		{ PTRACE_SYSCALL, 0, "exited 0" },
	};
	struct tracee t;

	PINS("Q01");
	rseq_take_over(RSEQ_ORIGINAL_SIZE);
	run_new(&section_svc[SLOT_MIDDLE]);
	svc_fill(&run->f, __NR_dup, 1, U64(1000));
	t = tracee_start(calls_outside, NULL, PTRACE_O_TRACESYSGOOD);
	if (tracee_expect(&t, rows, ARRAY_SIZE(rows), NULL))
		check_frame(&run->f, U64(-EBADF));
	tracee_end(&t);
}
