/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The kernel's kselftest_harness.h with what this suite adds to a case, the
 * same on the harnesses of 6.1, 6.12 and 7.3. A test includes this and nothing
 * of the harness, writes TEST() and TEST_F() as everywhere in the kernel, and opens
 * each with PINS(). All programs of a directory are one binary, whose main() calls
 * case_main() of the one that it is called by the name of: lib/main.c.
 *
 * Added: --list and --case GLOB; a case without a check fails; known failures
 * are XFAIL; a case dies with its program. A program runs on one CPU, which in a VM
 * makes stops three times as fast, unless it defines CASE_ALL_CPUS before it
 * includes this, because it is about tasks that run at the same time.
 */
#ifndef ENTRY_CASE_H
#define ENTRY_CASE_H

#include <fnmatch.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include "kselftest.h"

/* TEST() makes one on the harnesses of 6.1 and 6.12, FIXTURE_TEARDOWN() the other on 7.3. */
#pragma GCC diagnostic ignored "-Wunused-parameter"
#pragma GCC diagnostic ignored "-Wunused-const-variable"

#ifndef ksft_test_result_report
/*
 * The harness of 6.1 knows no XFAIL and drops the name of a skipped case: what
 * it prints for a skip is given its name here, and XFAIL travels as a skip.
 */
#define CASE_OLD_HARNESS
#define CASE_OLD_MARK	'\001'
#define ksft_test_result_skip(fmt, reason) \
	case_old_result(f->name, variant->name, t->name, fmt, reason)

static void case_old_result(const char *f, const char *v, const char *t, const char *fmt,
			    const char *reason)
{
	static const char * const words[] = { "SKIP", "XFAIL", "XPASS" };
	int word = *reason == CASE_OLD_MARK ? reason[1] - '0' : 0;

	(void)fmt;	/* the harness's, without the name */
	ksft_cnt.ksft_xskip += word == 0;
	ksft_cnt.ksft_xfail += word == 1;
	ksft_cnt.ksft_xpass += word == 2;
	printf("ok %u %s%s%s.%s # %s %s\n", ksft_test_num(), f, *v ? "." : "", v, t,
	       words[word], reason + (word ? 2 : 0));
}
#endif

#include "kselftest_harness.h"
#include "check.h"

/* Is this source the program that runs? The cases of the others are not registered. */
static bool case_selected(void)
{
	return program_is(__BASE_FILE__);
}

#define CASE_REGISTER(call) do { if (case_selected()) call; } while (0)
#define __register_test(t)			CASE_REGISTER(__register_test(t))
#define __register_fixture(f)			CASE_REGISTER(__register_fixture(f))
#define __register_fixture_variant(f, v)	CASE_REGISTER(__register_fixture_variant(f, v))

/*
 * TEST_F() as TEST(): the harness forks once more for a fixture's case, which under
 * emulation is a third of what a case costs. No fixture here has a teardown that must
 * survive its case.
 */
#ifdef KSELFTEST_PRIO_TEST
#define CASE_CONSTRUCTOR	__attribute__((constructor(KSELFTEST_PRIO_TEST)))
#else
#define CASE_CONSTRUCTOR	__attribute__((constructor))
#endif
#undef __TEST_F_IMPL
#define __TEST_F_IMPL(f, t, signal, limit) \
	static void f##_##t(struct __test_metadata *_metadata, FIXTURE_DATA(f) * self, \
			    const FIXTURE_VARIANT(f) * variant); \
	static void case_##f##_##t(struct __test_metadata *m, \
				   struct __fixture_variant_metadata *variant) \
	{ \
		FIXTURE_DATA(f) self; \
		memset(&self, 0, sizeof(self)); \
		f##_setup(m, &self, variant->data); \
		f##_##t(m, &self, variant->data); \
		f##_teardown(m, &self, variant->data); \
	} \
	static struct __test_metadata case_meta_##f##_##t = { \
		.name = #t, .fn = case_##f##_##t, .fixture = &_##f##_fixture_object, \
		.termsig = signal, .timeout = limit, \
	}; \
	static void CASE_CONSTRUCTOR case_register_##f##_##t(void) \
	{ \
		__register_test(&case_meta_##f##_##t); \
	} \
	static void f##_##t(struct __test_metadata __attribute__((unused)) *_metadata, \
			    FIXTURE_DATA(f) __attribute__((unused)) * self, \
			    const FIXTURE_VARIANT(f) __attribute__((unused)) * variant)

/* The function of the case, which case_hook() runs instead. */
struct case_entry {
	struct __test_metadata meta;
	struct __test_metadata *original;
	struct __fixture_metadata *fixture;
};

static struct case_entry *case_entries;
static unsigned int case_count;

static void case_full_name(char *buf, size_t size, struct __fixture_metadata *f,
			   struct __fixture_variant_metadata *v, const char *test)
{
	snprintf(buf, size, "%s%s%s.%s", f->name, v && v->name[0] ? "." : "", v ? v->name : "",
		 test);
}

/* Turn what the case did into the harness's verdict. @verdict: its own so far. */
static int case_verdict(int verdict)
{
	struct case_state *c = case_state;
	const char *reason;

	if (verdict == KSFT_SKIP)
		return KSFT_SKIP;
	if (!c->checks) {
		case_note("FAILED (%s) %s: the case checked nothing", c->ids, c->name);
		return KSFT_FAIL;
	}
	/* What was not checked is not known to be right. */
	if (c->failures)
		return c->failures == c->known && !c->ended ? KSFT_XFAIL : KSFT_FAIL;
	if (verdict == KSFT_PASS && known_failure(c->name, NULL, &reason)) {
		snprintf(c->reason, c->reason_size,
			 "passes here, but lib/known_failures.c lists it: %s", reason);
		return KSFT_XPASS;
	}
	return verdict;
}

#ifdef CASE_OLD_HARNESS
static void case_finish(struct __test_metadata *t)
{
	int verdict = t->passed ? KSFT_PASS : KSFT_FAIL;
	char *reason;

	if (t->skip)
		verdict = KSFT_SKIP;
	verdict = case_verdict(verdict);
	t->passed = verdict != KSFT_FAIL;
	if (verdict != KSFT_XFAIL && verdict != KSFT_XPASS)
		return;
	reason = strdup(t->results->reason);
	snprintf(t->results->reason, sizeof(t->results->reason), "%c%c%s", CASE_OLD_MARK,
		 verdict == KSFT_XFAIL ? '1' : '2', reason);
	free(reason);
	t->skip = 1;
}
#else
static void case_finish(struct __test_metadata *t)
{
	t->exit_code = case_verdict(t->exit_code);
}
#endif

/* Runs in the process that the harness forked for the case, in place of its function. */
static void case_hook(struct __test_metadata *t, struct __fixture_variant_metadata *variant)
{
	struct case_entry *e = NULL;

	for (unsigned int i = 0; i < case_count; i++)
		if (&case_entries[i].meta == t)
			e = &case_entries[i];
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	memset(case_state, 0, sizeof(*case_state));
	case_full_name(case_state->name, sizeof(case_state->name), e->fixture, variant, t->name);
	case_state->reason = t->results->reason;
	case_state->reason_size = sizeof(t->results->reason);
	e->original->fn(t, variant);
	case_undo();
	case_finish(t);
}

/* Does the command line choose this case? Without --case all are. */
static bool case_chosen(const char *name, char **globs, int n)
{
	const char *bare = strncmp(name, "global.", 7) ? name : name + 7;

	for (int i = 0; i < n; i++)
		if (!fnmatch(globs[i], name, 0) || !fnmatch(globs[i], bare, 0))
			return true;
	return n == 0;
}

/*
 * Rebuild the harness's lists as one fixture for each fixture and variant, with
 * the chosen cases only: no harness chooses by glob, and that of 6.1 not at all.
 */
static void case_add_fixture(struct __fixture_metadata *f, struct __fixture_variant_metadata *v,
			     char **globs, int n, struct __fixture_metadata **list, bool print)
{
	struct __fixture_metadata *copy = calloc(1, sizeof(*copy));
	struct case_entry *e;
	char name[256];

	copy->name = f->name;
	if (v) {
		copy->variant = calloc(1, sizeof(*copy->variant));
		copy->variant->name = v->name;
		copy->variant->data = v->data;
		copy->variant->prev = copy->variant;
	}
	for (struct __test_metadata *t = f->tests; t; t = t->next) {
		case_full_name(name, sizeof(name), f, v, t->name);
		if (!case_chosen(name, globs, n))
			continue;
		if (print)
			puts(name);
		e = &case_entries[case_count++];
		e->meta = *t;
		e->original = t;
		e->fixture = f;
		e->meta.fn = case_hook;
		e->meta.fixture = copy;
		e->meta.next = NULL;
		e->meta.prev = &e->meta;
		if (!copy->tests) {
			copy->tests = &e->meta;
			continue;
		}
		e->meta.prev = copy->tests->prev;
		copy->tests->prev->next = &e->meta;
		copy->tests->prev = &e->meta;
	}
	copy->prev = copy;
	if (*list) {
		copy->prev = (*list)->prev;
		(*list)->prev->next = copy;
		(*list)->prev = copy;
	} else {
		*list = copy;
	}
}

static void *case_shared(size_t size)
{
	void *p = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	if (p == MAP_FAILED) {
		perror("Bail out! no shared memory");
		exit(KSFT_FAIL);
	}
	return p;
}

/*
 * The harness of 6.1 assigns fork()'s result to the metadata in parent and child:
 * shared, the child's 0 may win, and the parent would wait for nobody and take
 * that for a pass. Newer ones have metadata shared with what TEST_F() forks.
 */
static void *case_metadata(size_t size)
{
#ifdef CASE_OLD_HARNESS
	void *p = calloc(1, size);

	if (p)
		return p;
#endif
	return case_shared(size);
}

static void case_choose(char **globs, int n, bool print)
{
	struct __fixture_metadata *list = NULL;
	struct __fixture_variant_metadata *v;
	unsigned int all = 0;

	for (struct __fixture_metadata *f = __fixture_list; f; f = f->next) {
		v = f->variant;
		do {
			for (struct __test_metadata *t = f->tests; t; t = t->next)
				all++;
			v = v ? v->next : NULL;
		} while (v);
	}
	case_entries = case_metadata((all + 1) * sizeof(*case_entries));
	for (struct __fixture_metadata *f = __fixture_list; f; f = f->next) {
		v = f->variant;
		do {
			case_add_fixture(f, v, globs, n, &list, print);
			v = v ? v->next : NULL;
		} while (v);
	}
	__fixture_list = list;
}

/* The CPU it is on, for itself and all that it forks. Refused, it does without. */
static void case_pin(void)
{
#ifndef CASE_ALL_CPUS
	unsigned int cpu = 0;
	cpu_set_t set;

	if (getcpu(&cpu, NULL) || cpu >= CPU_SETSIZE)
		return;
	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	sched_setaffinity(0, sizeof(set), &set);
#endif
}

/* Whatever the parent left: no signal blocked, none ignored, no core files. */
static void case_settle(void)
{
	/* Not 0, with which a core_pattern that is a pipe still runs its program. */
	const struct rlimit limit = { 1, 1 };
	sigset_t none;

	for (int sig = 1; sig < NSIG; sig++)
		signal(sig, SIG_DFL);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	setrlimit(RLIMIT_CORE, &limit);
}

static int case_main(int argc, char **argv)
{
	char **globs = calloc((size_t)argc + 1, sizeof(*globs));
	pid_t parent = getppid();
	bool list = false;
	int n = 0;

	for (int i = 1; i < argc; i++) {
		if (!strcmp(argv[i], "--list")) {
			list = true;
		} else if (!strcmp(argv[i], "--case") && i + 1 < argc && globs) {
			globs[n++] = argv[++i];
		} else {
			fprintf(stderr, "usage: %s [--list] [--case GLOB]...\n", argv[0]);
			return KSFT_FAIL;
		}
	}
	setvbuf(stdout, NULL, _IOLBF, 0);
	case_settle();
	case_pin();
	case_state = case_shared(sizeof(*case_state));
	case_choose(globs, n, list);
	if (list)
		return 0;
	if (n && !case_count) {
		fprintf(stderr, "%s: no case matches '%s'; --list shows them\n", argv[0], globs[0]);
		return KSFT_FAIL;
	}
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent)
		return KSFT_FAIL;
	argv[1] = NULL;
	return test_harness_run(1, argv);
}

static void __attribute__((constructor)) case_select(void)
{
	if (case_selected())
		program_main = case_main;
}

#endif
