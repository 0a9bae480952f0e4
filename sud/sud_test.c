// SPDX-License-Identifier: GPL-2.0
/*
 * Syscall User Dispatch, its configuration (U01): which parameters prctl takes,
 * which calls the range and the selector let run, and that a selector with any
 * other value, or that cannot be read, kills. kernel/entry/syscall_user_dispatch.c
 * task_set_syscall_user_dispatch() and syscall_user_dispatch() decide. What a
 * dispatched call looks like is sigsys_test's.
 */
#include <sys/mman.h>
#include <sys/stat.h>

#include "effect.h"
#include "sud.h"

#define OFF		PR_SYS_DISPATCH_OFF
#define KERNEL		0xffff000000000000ull	/* no user address */
#define UNMAPPED	0x1000ull		/* one, with nothing there */

/* A request and the kernel's answer. */
struct request {
	const char *what;
	unsigned long mode;
	__u64 offset, len, selector;
	int answer;
};

static const struct request bad_requests[] = {
	{ "mode 3", 3, 0, 0, 0, -EINVAL },
	{ "mode ~0", ~0ul, 0, 0, 0, -EINVAL },
	{ "off, with an offset", OFF, 1, 0, 0, -EINVAL },
	{ "off, with a length", OFF, 0, 1, 0, -EINVAL },
	{ "off, with a selector", OFF, 0, 0, UNMAPPED, -EINVAL },
	{ "exclusive, offset 1 length 0", EXCLUSIVE, 1, 0, 0, -EINVAL },
	{ "exclusive, end at 2^64", EXCLUSIVE, 1, ~0ull, 0, -EINVAL },
	{ "exclusive, end beyond 2^64", EXCLUSIVE, 0x2000, ~0xfffull, 0, -EINVAL },
	{ "exclusive, selector in the kernel", EXCLUSIVE, 0, 0, KERNEL, -EFAULT },
	{ "exclusive, range and selector bad", EXCLUSIVE, 1, 0, KERNEL, -EINVAL },
};

static const struct request bad_inclusive_requests[] = {
	{ "inclusive, length 0", INCLUSIVE, 0, 0, 0, -EINVAL },
	{ "inclusive, offset 1 length 0", INCLUSIVE, 1, 0, 0, -EINVAL },
	{ "inclusive, end at 2^64", INCLUSIVE, 1, ~0ull, 0, -EINVAL },
	{ "inclusive, end beyond 2^64", INCLUSIVE, 0x2000, ~0xfffull, 0, -EINVAL },
	{ "inclusive, selector in the kernel", INCLUSIVE, 1, 1, KERNEL, -EFAULT },
};

/* None of them dispatches a call of this program, whose addresses are all allowed. */
static const struct request good_requests[] = {
	{ "off, when off", OFF, 0, 0, 0, 0 },
	{ "exclusive, everything, no selector", EXCLUSIVE, 0, ~0ull, 0, 0 },
	{ "exclusive, on when on", EXCLUSIVE, 0, ~0ull, 0, 0 },
	{ "exclusive, selector unmapped", EXCLUSIVE, 0, ~0ull, UNMAPPED, 0 },
	{ "exclusive, end at 2^64-1", EXCLUSIVE, 1, ~1ull, 0, 0 },
	{ "off", OFF, 0, 0, 0, 0 },
};

static const struct request good_inclusive_requests[] = {
	{ "inclusive, first byte of all", INCLUSIVE, 0, 1, 0, 0 },
	{ "inclusive, on when on", INCLUSIVE, 1, 1, 0, 0 },
	{ "inclusive, selector unmapped", INCLUSIVE, 1, 1, UNMAPPED, 0 },
	{ "exclusive, when inclusive", EXCLUSIVE, 0, ~0ull, 0, 0 },
	{ "inclusive, when exclusive", INCLUSIVE, 1, 1, 0, 0 },
	{ "off, when inclusive", OFF, 0, 0, 0, 0 },
};

static void check_requests(const struct request *r, size_t n)
{
	for (; n; n--, r++) {
		long answer = sud_prctl(r->mode, r->offset, r->len, r->selector);

		transcript("%s: %s", r->what, value_name(U64(answer)));
		check_eq(r->what, U64(r->answer), U64(answer));
	}
}

/* Runs a call that shows whether it runs, with the selector on block. */
static void check_umask(bool dispatched)
{
	struct svc_frame f;
	unsigned int before = caught_count();

	umask(077);
	svc_fill(&f, __NR_umask, 1, U64(022));
	run_blocked(&f);
	transcript("svc: %s", caught_count() == before ? "runs" : "dispatched");
	check_eq("SIGSYS for the call", dispatched, caught_count() - before);
	check_frame(&f, dispatched ? HANDLED : 077);
	check_eq("umask after the call", dispatched ? 077 : 022, umask(0));
}

TEST(prctl_refuses_bad_parameters_and_stays_off)
{
	PINS("U01");
	need_sud();
	catch_signal(SIGSYS, 0, handle_call);
	check_requests(bad_requests, ARRAY_SIZE(bad_requests));
	check_umask(false);
}

/* Without the inclusive mode these are EINVAL for another reason. */
TEST(prctl_refuses_bad_inclusive_parameters_and_stays_off)
{
	PINS("U01");
	need_sud();
	catch_signal(SIGSYS, 0, handle_call);
	sud_on(INCLUSIVE, 1, 1, NULL);
	check_eq("off", 0, U64(sud_prctl(OFF, 0, 0, 0)));
	check_requests(bad_inclusive_requests, ARRAY_SIZE(bad_inclusive_requests));
	check_umask(false);
}

TEST(prctl_refuses_bad_parameters_and_stays_on)
{
	PINS("U01");
	need_sud();
	catch_signal(SIGSYS, 0, handle_call);
	sud_on(EXCLUSIVE, 0, 0, &selector);
	check_requests(bad_requests, ARRAY_SIZE(bad_requests));
	check_umask(true);
}

TEST(prctl_takes_good_parameters)
{
	PINS("U01");
	need_sud();
	catch_signal(SIGSYS, 0, handle_call);
	check_requests(good_requests, ARRAY_SIZE(good_requests));
	check_umask(false);
}

TEST(prctl_takes_good_inclusive_parameters)
{
	PINS("U01");
	need_sud();
	catch_signal(SIGSYS, 0, handle_call);
	sud_on(INCLUSIVE, 1, 1, NULL);
	check_requests(good_inclusive_requests, ARRAY_SIZE(good_inclusive_requests));
	check_umask(false);
}

FIXTURE(range) {
};

/* A range by its distance from svc+4, the address that is compared with it. */
FIXTURE_VARIANT(range) {
	unsigned long mode;
	__s64 start;
	__u64 len;
	bool dispatched;
};

FIXTURE_VARIANT_ADD(range, exclusive_allows_first_byte) { EXCLUSIVE, 0, 4, false };
FIXTURE_VARIANT_ADD(range, exclusive_allows_last_byte) { EXCLUSIVE, -3, 4, false };
FIXTURE_VARIANT_ADD(range, exclusive_allows_only_byte) { EXCLUSIVE, 0, 1, false };
FIXTURE_VARIANT_ADD(range, exclusive_leaves_byte_before_to) { EXCLUSIVE, 1, 4, true };
FIXTURE_VARIANT_ADD(range, exclusive_leaves_byte_after_to) { EXCLUSIVE, -4, 4, true };
FIXTURE_VARIANT_ADD(range, inclusive_leaves_first_byte_to) { INCLUSIVE, 0, 4, true };
FIXTURE_VARIANT_ADD(range, inclusive_leaves_last_byte_to) { INCLUSIVE, -3, 4, true };
FIXTURE_VARIANT_ADD(range, inclusive_leaves_only_byte_to) { INCLUSIVE, 0, 1, true };
FIXTURE_VARIANT_ADD(range, inclusive_allows_byte_before) { INCLUSIVE, 1, 4, false };
FIXTURE_VARIANT_ADD(range, inclusive_allows_byte_after) { INCLUSIVE, -4, 4, false };

FIXTURE_SETUP(range)
{
}

FIXTURE_TEARDOWN(range)
{
}

TEST_F(range, selector_on_block)
{
	PINS("U01");
	need_sud();
	catch_signal(SIGSYS, 0, handle_call);
	sud_on(variant->mode, U64(svc_after) + U64(variant->start), variant->len, &selector);
	check_umask(variant->dispatched);
}

TEST_F(range, selector_on_allow)
{
	struct svc_frame f;

	PINS("U01");
	need_sud();
	catch_signal(SIGSYS, 0, handle_call);
	sud_on(variant->mode, U64(svc_after) + U64(variant->start), variant->len, &selector);
	umask(077);
	svc_fill(&f, __NR_umask, 1, U64(022));
	svc_run(&f);
	check_frame(&f, 077);
	check_eq("umask after the call", 022, umask(0));
	check_eq("signals", 0, caught_count());
}

/* Every call but those of control_run() is dispatched: that one ends it. */
TEST(without_selector_calls_outside_the_range_are_dispatched)
{
	struct svc_frame f, off;

	PINS("U01");
	need_sud();
	catch_signal(SIGSYS, 0, handle_call);
	svc_fill(&f, __NR_umask, 1, U64(022));
	svc_fill(&off, __NR_prctl, 5, U64(PR_SET_SYSCALL_USER_DISPATCH), U64(OFF), U64(0), U64(0),
		 U64(0));
	umask(077);
	sud_on(EXCLUSIVE, U64(control_after), 1, NULL);
	svc_run(&f);
	svc_run(&f);
	control_run(&off);
	caught_tell();
	check_eq("signals", 2, caught_count());
	check_frame(&f, HANDLED);
	check_frame(&off, 0);
	check_eq("umask after the calls", 077, umask(0));
}

FIXTURE(fatal) {
};

/* A selector that is no answer, by its value or by the protection of its page. */
FIXTURE_VARIANT(fatal) {
	unsigned char value;
	int prot;
	const char *end;
};

FIXTURE_VARIANT_ADD(fatal, selector_2) { 2, PROT_READ, "killed SIGSYS" };
FIXTURE_VARIANT_ADD(fatal, selector_255) { 255, PROT_READ, "killed SIGSYS" };
FIXTURE_VARIANT_ADD(fatal, selector_unreadable) { ALLOW, PROT_NONE, "killed SIGSEGV" };

FIXTURE_SETUP(fatal)
{
}

FIXTURE_TEARDOWN(fatal)
{
}

struct fatal {
	struct svc_frame good, protect, bad;
	unsigned char *sel, value;
};

/* A call before shows that the selector is read at the call, not at prctl. */
static void run_fatal(void *arg)
{
	struct fatal *a = arg;

	sud_on(EXCLUSIVE, U64(control_after), 1, a->sel);
	svc_run(&a->good);
	*a->sel = a->value;
	control_run(&a->protect);
	svc_run(&a->bad);
	svc_exit(1);
}

static void check_fatal(unsigned char value, int prot, const char *expected)
{
	struct fatal *a = shared_alloc(sizeof(*a));
	char end[64];

	a->sel = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	a->value = value;
	if (a->sel == MAP_FAILED)
		case_die("no memory: %s", strerror(errno));
	effect_pipe();
	svc_fill(&a->good, __NR_dup, 1, U64(1000));
	svc_fill(&a->protect, __NR_mprotect, 3, U64(a->sel), U64(4096), U64(prot));
	effect_call(&a->bad);
	child_run(run_fatal, a, end, sizeof(end));
	check_str("end of the task", expected, end);
	check_frame(&a->good, U64(-EBADF));
	check_frame(&a->protect, 0);
	check_eq("signals handled", 0, caught_count());
	check_eq("bytes that the call wrote", 0, effect_count());
}

TEST_F(fatal, kills_despite_a_handler)
{
	PINS("U01");
	need_sud();
	catch_signal(SIGSYS, 0, handle_call);
	catch_signal(SIGSEGV, 0, handle_call);
	check_fatal(variant->value, variant->prot, variant->end);
}

TEST_F(fatal, kills_when_ignored)
{
	PINS("U01");
	need_sud();
	signal(SIGSYS, SIG_IGN);
	signal(SIGSEGV, SIG_IGN);
	check_fatal(variant->value, variant->prot, variant->end);
}

TEST_F(fatal, kills_when_blocked)
{
	sigset_t both;

	PINS("U01");
	need_sud();
	catch_signal(SIGSYS, 0, handle_call);
	catch_signal(SIGSEGV, 0, handle_call);
	sigemptyset(&both);
	sigaddset(&both, SIGSYS);
	sigaddset(&both, SIGSEGV);
	sigprocmask(SIG_BLOCK, &both, NULL);
	check_fatal(variant->value, variant->prot, variant->end);
}
