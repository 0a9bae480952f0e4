// SPDX-License-Identifier: GPL-2.0
/*
 * Tag check faults of user space's own accesses: a synchronous one is taken at
 * its instruction (M01); one that is pending asynchronously at svc is delivered
 * before the call, which then runs once (M04), also when the signal is blocked or
 * ignored (K02).
 *
 * arch/arm64/mm/fault.c do_tag_check_fault() makes the first. For the second
 * entry.S check_mte_async_tcf sets TIF_MTE_ASYNC_FAULT on the way in,
 * el0_svc_common() then puts the call off with -ERESTARTNOINTR, and the work on
 * the way out sends the signal. A request for one mode alone is never changed to
 * another by mte_tcf_preferred (arch/arm64/kernel/mte.c mte_update_sctlr_user()).
 */
#include <asm/unistd.h>
#include <errno.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <time.h>

#include "case.h"
#include "caught.h"
#include "effect.h"
#include "features.h"
#include "insns.h"
#include "tracee.h"

#define MEMORY_TAG	5ull
#define BAD_TAG		10ull
#define TAGGED(p, tag)	((__u64)(p) | (tag) << 56)
#define INITIAL		0x1111111111111111ull
#define DATA		0x2222222222222222ull

/* Sixteen tagged bytes, and from now on tag checks in @mode, one PR_MTE_TCF_*. */
static __u64 *tagged_memory(unsigned long mode)
{
	const char *reason;
	__u64 *mem;

	if (!has_mte(&reason))
		case_skip("%s", reason);
	mem = mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_MTE, MAP_PRIVATE | MAP_ANONYMOUS,
		   -1, 0);
	if (mem == MAP_FAILED)
		case_die("no memory with PROT_MTE: %s", strerror(errno));
	if (prctl(PR_SET_TAGGED_ADDR_CTRL, PR_TAGGED_ADDR_ENABLE | mode, 0, 0, 0))
		case_die("PR_SET_TAGGED_ADDR_CTRL failed: %s", strerror(errno));
	set_tag((void *)TAGGED(mem, MEMORY_TAG));
	name_value(TAGGED(mem, BAD_TAG), "bad-pointer");
	name_value(U64(mem), "untagged-pointer");
	name_value(svc_pattern(0), "pattern0");
	return mem;
}

/* Sees memory whatever the tags: with none, checks are off. */
static __u64 peek(const __u64 *mem)
{
	prctl(PR_SET_TAGGED_ADDR_CTRL, PR_TAGGED_ADDR_ENABLE | PR_MTE_TCF_NONE, 0, 0, 0);
	return *mem;
}

FIXTURE(sync) {
};

/* An access, whether it changes memory, and to what. */
FIXTURE_VARIANT(sync) {
	void (*run)(struct svc_frame *frame);
	const char *insn;
	__u64 after;
};

#define ACCESS(name) .run = run_ ## name, .insn = insn_ ## name

FIXTURE_VARIANT_ADD(sync, load) {
	ACCESS(load), .after = INITIAL,
};

FIXTURE_VARIANT_ADD(sync, store) {
	ACCESS(store), .after = DATA,
};

FIXTURE_VARIANT_ADD(sync, load_pair) {
	ACCESS(load_pair), .after = INITIAL,
};

FIXTURE_VARIANT_ADD(sync, store_pair) {
	ACCESS(store_pair), .after = DATA,
};

FIXTURE_VARIANT_ADD(sync, load_writeback) {
	ACCESS(load_writeback), .after = INITIAL,
};

FIXTURE_VARIANT_ADD(sync, store_writeback) {
	ACCESS(store_writeback), .after = DATA,
};

FIXTURE_VARIANT_ADD(sync, store_release) {
	ACCESS(store_release), .after = DATA,
};

FIXTURE_VARIANT_ADD(sync, atomic_add) {
	ACCESS(atomic_add), .after = INITIAL + DATA,
};

FIXTURE_SETUP(sync)
{
}

FIXTURE_TEARDOWN(sync)
{
}

static void fill_access(struct svc_frame *f, __u64 *mem, __u64 tag, __u64 before)
{
	*(__u64 *)TAGGED(mem, MEMORY_TAG) = before;
	svc_fill(f, svc_pattern(8), 0);
	f->x[9] = TAGGED(mem, tag);
	f->x[10] = DATA;
}

static void skip_insn(ucontext_t *uc)
{
	uc->uc_mcontext.pc += 4;
}

static void check_siginfo(const struct caught *c, int code, __u64 addr)
{
	check_eq("si_signo", SIGSEGV, U64(c->si.si_signo));
	check_str("si_code", sicode_name(SIGSEGV, code), sicode_name(SIGSEGV, c->si.si_code));
	check_eq("si_errno", 0, U64(c->si.si_errno));
	check_eq("si_addr", addr, U64(c->si.si_addr));
}

/* The signal is at the instruction, which has done nothing. */
static void check_fault(__u64 *mem, const struct svc_frame *f, const char *insn, __u64 addr)
{
	name_range(U64(insn), 8, "insn");
	caught_tell();
	check_eq("signals", 1, caught_count());
	check_siginfo(caught_nth(0), SEGV_MTESERR, addr);
	check_caught_regs(caught_nth(0), f, U64(insn));
	check_frame(f, f->x[0]);
	check_eq("memory after the fault", INITIAL, peek(mem));
}

TEST_F(sync, bad_tag_faults_at_its_pc_and_si_addr_has_the_tag)
{
	struct svc_frame f;
	__u64 *mem;

	PINS("M01");
	mem = tagged_memory(PR_MTE_TCF_SYNC);
	fill_access(&f, mem, BAD_TAG, INITIAL);
	catch_signal(SIGSEGV, SA_EXPOSE_TAGBITS, skip_insn);
	variant->run(&f);
	check_fault(mem, &f, variant->insn, TAGGED(mem, BAD_TAG));
}

/* kernel/signal.c hide_si_addr_tag_bits() */
TEST_F(sync, si_addr_has_no_tag_without_sa_expose_tagbits)
{
	struct svc_frame f;
	__u64 *mem;

	PINS("M01");
	mem = tagged_memory(PR_MTE_TCF_SYNC);
	fill_access(&f, mem, BAD_TAG, INITIAL);
	catch_signal(SIGSEGV, 0, skip_insn);
	variant->run(&f);
	check_fault(mem, &f, variant->insn, U64(mem));
}

TEST_F(sync, right_tag_does_not_fault)
{
	struct svc_frame f;
	__u64 *mem;

	PINS("M01");
	mem = tagged_memory(PR_MTE_TCF_SYNC);
	fill_access(&f, mem, MEMORY_TAG, INITIAL);
	catch_signal(SIGSEGV, SA_EXPOSE_TAGBITS, skip_insn);
	variant->run(&f);
	name_range(U64(variant->insn), 8, "insn");
	caught_tell();
	check_eq("signals", 0, caught_count());
	check_eq("memory after the access", variant->after, peek(mem));
}

/* Calls whose execution shows: a byte in the pipe, umask's previous value, a result. */
#define WRITE		.nr = __NR_write, .args = EFFECT_ARGS, .result = 1, .bytes = 1
#define UMASK		.nr = __NR_umask, .args = { 022 }, .result = 077
#define BAD_DUP		.nr = __NR_dup, .args = { 1000 }, .result = (__u64)-EBADF
#define MINUS_1		.nr = (__u64)-1, .args = { 3 }, .result = (__u64)-ENOSYS
#define NO_CALL		.nr = 0x7fffffff, .args = { 3 }, .result = (__u64)-ENOSYS

static void prepare_call(struct svc_frame *f, __u64 nr, const __u64 *args)
{
	effect_pipe();
	umask(077);
	f->x[8] = nr;
	memcpy(f->x, args, 3 * sizeof(*args));
}

static __u64 handler_saw;

static void look_at_pipe(ucontext_t *uc)
{
	(void)uc;
	handler_saw = effect_count();
}

FIXTURE(async) {
};

/* The access and its svc, the handler's sa_flags, the call and what it does. */
FIXTURE_VARIANT(async) {
	void (*run)(struct svc_frame *frame);
	const char *svc;
	int flags;
	__u64 nr, args[3];
	__u64 result, bytes;
};

#define STORE		.run = run_store_svc, .svc = svc_of_store
#define LOAD		.run = run_load_svc, .svc = svc_of_load

FIXTURE_VARIANT_ADD(async, store_write) { STORE, WRITE };
FIXTURE_VARIANT_ADD(async, store_write_sa_restart) { STORE, .flags = SA_RESTART, WRITE };
FIXTURE_VARIANT_ADD(async, store_umask) { STORE, UMASK };
FIXTURE_VARIANT_ADD(async, store_failing_dup) { STORE, BAD_DUP };
FIXTURE_VARIANT_ADD(async, store_minus_1) { STORE, MINUS_1 };
FIXTURE_VARIANT_ADD(async, store_unknown_call) { STORE, NO_CALL };
FIXTURE_VARIANT_ADD(async, load_write) { LOAD, WRITE };

FIXTURE_SETUP(async)
{
}

FIXTURE_TEARDOWN(async)
{
}

TEST_F(async, sigsegv_is_delivered_before_the_call_which_then_runs_once)
{
	struct svc_frame f;
	__u64 *mem;

	PINS("M04");
	mem = tagged_memory(PR_MTE_TCF_ASYNC);
	fill_access(&f, mem, BAD_TAG, variant->run == run_load_svc ? DATA : INITIAL);
	prepare_call(&f, variant->nr, variant->args);
	catch_signal(SIGSEGV, SA_EXPOSE_TAGBITS | variant->flags, look_at_pipe);
	variant->run(&f);
	name_range(U64(variant->svc), 8, "svc");
	caught_tell();
	check_eq("signals", 1, caught_count());
	check_siginfo(caught_nth(0), SEGV_MTEAERR, 0);
	check_caught_regs(caught_nth(0), &f, U64(variant->svc));
	check_eq("bytes written before the handler ran", 0, handler_saw);
	check_eq("bytes written in all", variant->bytes, effect_count());
	check_frame(&f, variant->result);
	check_eq("memory after the access", DATA, peek(mem));
}

static void run_store_svc_body(void *frame)
{
	run_store_svc(frame);
}

TEST(async_fault_without_handler_kills_before_the_call)
{
	static const __u64 args[] = EFFECT_ARGS;
	struct svc_frame f;
	__u64 *mem;
	char end[64];

	PINS("M04");
	mem = tagged_memory(PR_MTE_TCF_ASYNC);
	fill_access(&f, mem, BAD_TAG, INITIAL);
	prepare_call(&f, __NR_write, args);
	child_run(run_store_svc_body, &f, end, sizeof(end));
	check_str("end of the task", "killed SIGSEGV", end);
	check_eq("bytes written", 0, effect_count());
}

FIXTURE(held) {
};

/* The call when no handler can run: SIGSEGV is blocked, or else ignored. */
FIXTURE_VARIANT(held) {
	bool blocked;
	__u64 nr, args[3];
	__u64 result, bytes;
};

FIXTURE_VARIANT_ADD(held, blocked_write) { .blocked = true, WRITE };
FIXTURE_VARIANT_ADD(held, blocked_umask) { .blocked = true, UMASK };
FIXTURE_VARIANT_ADD(held, blocked_failing_dup) { .blocked = true, BAD_DUP };
FIXTURE_VARIANT_ADD(held, blocked_minus_1) { .blocked = true, MINUS_1 };
FIXTURE_VARIANT_ADD(held, ignored_write) { .blocked = false, WRITE };
FIXTURE_VARIANT_ADD(held, ignored_umask) { .blocked = false, UMASK };
FIXTURE_VARIANT_ADD(held, ignored_failing_dup) { .blocked = false, BAD_DUP };
FIXTURE_VARIANT_ADD(held, ignored_minus_1) { .blocked = false, MINUS_1 };

FIXTURE_SETUP(held)
{
}

FIXTURE_TEARDOWN(held)
{
}

/* Takes the SIGSEGV that is pending: there is exactly one, from the access. */
static void check_pending(void)
{
	const struct timespec now = { 0 };
	struct caught c = { 0 };
	sigset_t segv;

	sigemptyset(&segv);
	sigaddset(&segv, SIGSEGV);
	if (check_eq("sigtimedwait() for the pending signal", SIGSEGV,
		     U64(sigtimedwait(&segv, &c.si, &now))))
		check_siginfo(&c, SEGV_MTEAERR, 0);
	check_eq("a second sigtimedwait()", U64(-1), U64(sigtimedwait(&segv, &c.si, &now)));
}

TEST_F(held, call_runs_and_returns_its_own_result)
{
	struct svc_frame f;
	sigset_t set;
	__u64 *mem;

	PINS("K02");
	mem = tagged_memory(PR_MTE_TCF_ASYNC);
	fill_access(&f, mem, BAD_TAG, INITIAL);
	prepare_call(&f, variant->nr, variant->args);
	sigemptyset(&set);
	sigaddset(&set, SIGSEGV);
	if (variant->blocked) {
		catch_signal(SIGSEGV, 0, NULL);
		sigprocmask(SIG_BLOCK, &set, NULL);
	} else {
		signal(SIGSEGV, SIG_IGN);
	}
	run_store_svc(&f);
	sigpending(&set);
	transcript("SIGSEGV %s: x0=%s, %s", variant->blocked ? "blocked" : "ignored",
		   value_name(f.x_out[0]),
		   sigismember(&set, SIGSEGV) ? "pending" : "not pending");
	check_eq("signals handled", 0, caught_count());
	check_frame(&f, variant->result);
	check_eq("bytes the call wrote", variant->bytes, effect_count());
	check_eq("SIGSEGV pending", variant->blocked, U64(sigismember(&set, SIGSEGV)));
	if (variant->blocked)
		check_pending();
	if (variant->nr == __NR_umask)
		check_eq("umask after the call", 022, umask(0));
	check_eq("memory after the access", DATA, peek(mem));
}
