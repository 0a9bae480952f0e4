// SPDX-License-Identifier: GPL-2.0
/*
 * A system call leaves alone what a task may set in PSTATE beside NZCV: DIT, SSBS, TCO,
 * and BTYPE where the CPU keeps it across svc; a tracer sees and writes them (P24). The
 * kernel keeps PSTATE in pt_regs; it must change nothing in it but what
 * arch/arm64/kernel/signal.c setup_return() sets for a handler and sigreturn undoes.
 */
#include <asm/hwcap.h>
#include <asm/unistd.h>
#include <errno.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <ucontext.h>

#include "case.h"
#include "features.h"
#include "filter.h"
#include "regwork.h"

FIXTURE(flags) {
};

FIXTURE_VARIANT(flags) {
	const struct reg_class *class;
};

FIXTURE_VARIANT_ADD(flags, set) {
	.class = &class_flags_set,
};

FIXTURE_VARIANT_ADD(flags, clear) {
	.class = &class_flags_clear,
};

FIXTURE_SETUP(flags)
{
}

FIXTURE_TEARDOWN(flags)
{
}

TEST_F(flags, survive_untraced_calls)
{
	PINS("P24");
	check_class_kept(variant->class, REGS_UNTRACED);
}

TEST_F(flags, survive_calls_with_both_stops)
{
	PINS("P24");
	check_class_kept(variant->class, REGS_TRACED);
}

TEST_F(flags, survive_stepped_calls)
{
	PINS("P24");
	check_class_kept(variant->class, REGS_STEPPED);
}

TEST_F(flags, survive_filtered_calls)
{
	PINS("P24");
	check_class_kept(variant->class, REGS_FILTERED);
}

TEST_F(flags, survive_calls_that_the_selector_allows)
{
	PINS("P24");
	check_class_kept(variant->class, REGS_DISPATCHED);
}

/*
 * BTYPE. An indirect branch to svc, the last instruction before a guarded page: if the CPU
 * keeps BTYPE across svc (it need not), ret at svc+4 is no place to branch to, which is
 * SIGILL there; the handler clears BTYPE and returns. Otherwise the call just returns.
 */
struct branch {
	__u8 *page;		/* the guarded one */
	enum regs_way way;
	char selector;
	unsigned int caught;
	__u64 pstate, pc;	/* of the SIGILL */
	long result;
};

static struct branch *branch;

static void on_sigill(int sig, siginfo_t *si, void *uc)
{
	mcontext_t *context = &((ucontext_t *)uc)->uc_mcontext;

	(void)sig;
	(void)si;
	branch->pstate = context->pstate & PSTATE_BTYPE;
	branch->pc = context->pc;
	context->pstate &= ~PSTATE_BTYPE;
	if (branch->caught++)
		svc_exit(1);
}

/* mov x8, x0; adr x16, svc; br x16; svc #0; then, in the guarded page, ret */
static struct branch *branch_new(enum regs_way way)
{
	static const __u32 code[] = { 0xaa0003e8, 0x10000050, 0xd61f0200, SVC_OPCODE, 0xd65f03c0 };
	struct sigaction sa = { .sa_sigaction = on_sigill, .sa_flags = SA_SIGINFO };
	struct branch *b = shared_alloc(sizeof(*b));
	size_t size = (size_t)getpagesize();
	__u8 *p;

	if (!(getauxval(AT_HWCAP2) & HWCAP2_BTI))
		case_skip("%s",
			  "no BTI: needs a CPU with FEAT_BTI, CONFIG_ARM64_BTI, and no arm64.nobti");
	p = mmap(NULL, 2 * size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (p == MAP_FAILED)
		case_die("no memory for the code: %s", strerror(errno));
	memcpy(p + size - 16, code, sizeof(code));
	__builtin___clear_cache((char *)p, (char *)p + 2 * size);
	if (mprotect(p, size, PROT_READ | PROT_EXEC) ||
	    mprotect(p + size, size, PROT_READ | PROT_EXEC | PROT_BTI))
		case_die("mprotect failed: %s", strerror(errno));
	b->page = p + size;
	b->way = way;
	b->result = -1;
	sigaction(SIGILL, &sa, NULL);
	return b;
}

static void branch_run(void *arg)
{
	struct branch *b = arg;
	typedef long run_t(__u64 nr);
	run_t *run = (void *)(b->page - 16);

	branch = b;
	if (b->way == REGS_DISPATCHED)
		svc_call(__NR_prctl, 5, U64(PR_SET_SYSCALL_USER_DISPATCH),
			 U64(PR_SYS_DISPATCH_EXCLUSIVE_ON), U64(0), U64(0), U64(&b->selector));
	b->result = run(__NR_sched_yield);
}

static void branch_let_run(struct branch *b)
{
	struct tracee t = tracee_spawn(branch_run, b);

	tracee_to(&t, WAIT_ONLY, 0, "exited 0");
}

static void check_branch(const struct branch *b, const struct branch *untraced)
{
	check_eq("result of the call", 0, U64(b->result));
	check_eq("SIGILL at svc+4, of BTYPE, as many as in an untraced call", untraced->caught,
		 b->caught);
	check_eq("PSTATE.BTYPE (bits 10 and 11) at the SIGILL", untraced->pstate, b->pstate);
	if (b->caught)
		check_eq("PC at the SIGILL", U64(b->page), b->pc);
}

static struct stop branch_entry(struct tracee *t, struct branch *b)
{
	*t = tracee_start(branch_run, b, PTRACE_O_TRACESYSGOOD);
	name_range(U64(b->page - 4), 8, "svc");
	return tracee_to(t, PTRACE_SYSCALL, 0, "entry sched_yield pc=svc+4");
}

static void branch_resume(struct tracee *t, bool sigill)
{
	if (sigill)
		tracee_to(t, PTRACE_CONT, 0, "signal SIGILL ILL_ILLOPC pc=svc+4");
	tracee_to(t, PTRACE_CONT, sigill ? SIGILL : 0, "exited 0");
}

static void branch_stopped(struct branch *b, const struct branch *untraced)
{
	bool step = b->way == REGS_STEPPED;
	struct tracee t;
	struct stop s;

	s = branch_entry(&t, b);
	check_eq("PSTATE.BTYPE (bits 10 and 11) at the entry stop", untraced->pstate,
		 s.regs.pstate & PSTATE_BTYPE);
	s = tracee_to(&t, step ? PTRACE_SINGLESTEP : PTRACE_SYSCALL, 0,
		      step ? "pseudo-step pc=svc+4" : "exit sched_yield pc=svc+4 x0=0");
	check_eq(step ? "PSTATE.BTYPE (bits 10 and 11) at the pseudo-step" :
			"PSTATE.BTYPE (bits 10 and 11) at the exit stop",
		 untraced->pstate, s.regs.pstate & PSTATE_BTYPE);
	branch_resume(&t, untraced->caught);
}

FIXTURE(branch_type) {
};

FIXTURE_VARIANT(branch_type) {
	enum regs_way way;
};

FIXTURE_VARIANT_ADD(branch_type, with_both_stops) {
	.way = REGS_TRACED,
};

FIXTURE_VARIANT_ADD(branch_type, stepped) {
	.way = REGS_STEPPED,
};

FIXTURE_VARIANT_ADD(branch_type, filtered) {
	.way = REGS_FILTERED,
};

FIXTURE_VARIANT_ADD(branch_type, allowed_by_the_selector) {
	.way = REGS_DISPATCHED,
};

FIXTURE_SETUP(branch_type)
{
}

FIXTURE_TEARDOWN(branch_type)
{
}

TEST_F(branch_type, is_afterwards_what_it_is_after_an_untraced_call)
{
	struct branch *untraced, *b;
	const char *reason;

	PINS("P24");
	if (variant->way == REGS_DISPATCHED && !can_use_sud(&reason))
		case_skip("%s", reason);
	untraced = branch_new(REGS_UNTRACED);
	branch_let_run(untraced);
	check_branch(untraced, untraced);
	b = branch_new(variant->way);
	if (variant->way == REGS_FILTERED)
		filter_answer(__NR_getuid, SECCOMP_RET_ERRNO | E2BIG);
	if (variant->way == REGS_TRACED || variant->way == REGS_STEPPED)
		branch_stopped(b, untraced);
	else
		branch_let_run(b);
	check_branch(b, untraced);
}

/* Whatever the CPU keeps across svc: what the tracer writes is what eret loads. */
TEST(branch_type_written_at_the_exit_stop_is_what_the_task_resumes_with)
{
	struct branch *b;
	struct tracee t;
	struct stop s;

	PINS("P24");
	for (__u64 type = 0; type < 4; type++) {
		b = branch_new(REGS_TRACED);
		branch_entry(&t, b);
		s = tracee_to(&t, PTRACE_SYSCALL, 0, "exit sched_yield pc=svc+4 x0=0");
		s.regs.pstate &= ~PSTATE_BTYPE;
		s.regs.pstate |= type << 10;
		tracee_set_regs(&t, &s.regs);
		branch_resume(&t, type != 0);
		check_eq("result of the call", 0, U64(b->result));
		check_eq("PSTATE.BTYPE (bits 10 and 11) at the SIGILL", type << 10, b->pstate);
	}
}

