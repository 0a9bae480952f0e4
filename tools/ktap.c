// SPDX-License-Identifier: GPL-2.0
/*
 * Reads the results of run_tests.sh on stdin. ktap summary passes them on to
 * stdout and sums them up on stderr; ktap cases makes a table of them for
 * scripts. See usage[] below.
 *
 * First the reader, which knows the format of the kernel's selftest runner and
 * builds a struct run; then what is made of that.
 */
#define _GNU_SOURCE
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

/*
 * The reader
 */

enum verdict { NO_RESULT, PASSED, FAILED, SKIPPED, XFAILED, XPASSED, N_VERDICTS };

struct lines {
	char **v;
	size_t n;
};

struct test_case {
	char *name;		/* as in its RUN line, else as in its result */
	char *reason;		/* what follows the directive, or NULL */
	enum verdict verdict;
	struct lines log;	/* what was printed before the result */
};

struct program {
	char *name;		/* DIRECTORY/PROGRAM */
	char *comment;		/* of its result: "TIMEOUT 45 seconds", or NULL */
	char *note;		/* why it was skipped, or how it died, or NULL */
	enum verdict verdict;	/* by its own result line */
	long number;		/* in the plan, once it has a result */
	long planned;		/* cases, -1: not said */
	struct test_case *cases;
	size_t n_cases;
	char *running;		/* the case that has begun, or NULL */
	struct lines log;	/* what was printed since the last result */
	double begin, seconds;
};

struct run {
	struct program *programs;
	size_t n_programs;
	long planned;		/* programs, -1: no plan was read */
	bool open;		/* the last program has no result yet */
	bool any;		/* stdin was not empty */
};

/* What a line meant; it is about the last program and its last case. */
enum event { NOTHING, PROGRAM_BEGINS, CASE_BEGINS, CASE_ENDS, PROGRAM_ENDS };

struct result {
	enum verdict verdict;
	long number;
	char *name, *comment;	/* NULL: there is none */
	char *reason;		/* in comment, after the directive */
};

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec + t.tv_nsec / 1e9;
}

static void *check_alloc(void *p)
{
	if (!p) {
		fputs("ktap: out of memory\n", stderr);
		exit(2);
	}
	return p;
}

static char *copy(const char *s)
{
	return check_alloc(strdup(s));
}

/* Make room for one more in an array of @n elements; its size is a power of 2. */
static void *grow(void *array, size_t n, size_t size)
{
	if (n & (n - 1))
		return array;
	return check_alloc(reallocarray(array, n ? 2 * n : 1, size));
}

static void add_line(struct lines *l, const char *text)
{
	l->v = grow(l->v, l->n, sizeof(*l->v));
	l->v[l->n++] = copy(text);
}

static void free_lines(struct lines *l)
{
	while (l->n)
		free(l->v[--l->n]);
	free(l->v);
	l->v = NULL;
}

static void free_run(struct run *run)
{
	size_t i, j;

	for (i = 0; i < run->n_programs; i++) {
		struct program *p = &run->programs[i];

		for (j = 0; j < p->n_cases; j++) {
			free(p->cases[j].name);
			free(p->cases[j].reason);
			free_lines(&p->cases[j].log);
		}
		free(p->cases);
		free(p->name);
		free(p->comment);
		free(p->note);
		free(p->running);
		free_lines(&p->log);
	}
	free(run->programs);
}

static bool starts(const char *s, const char *with)
{
	return !strncmp(s, with, strlen(with));
}

static const char *skip_spaces(const char *s)
{
	return s + strspn(s, " \t");
}

static enum verdict by_directive(bool ok, const char *comment, const char **reason)
{
	static const struct {
		const char *word;
		enum verdict verdict;
	} directives[] = {
		{ "SKIP", SKIPPED },
		{ "XFAIL", XFAILED },
		{ "TODO", XFAILED },
		{ "XPASS", XPASSED },
	};
	size_t i, n = strcspn(comment, " \t:");

	for (i = 0; i < sizeof(directives) / sizeof(*directives); i++) {
		if (n != strlen(directives[i].word) ||
		    strncasecmp(comment, directives[i].word, n))
			continue;
		*reason = skip_spaces(comment + n + strspn(comment + n, ":"));
		return directives[i].verdict;
	}
	*reason = comment;
	return ok ? PASSED : FAILED;
}

/*
 * "ok 2 NAME # SKIP REASON", "not ok 3 NAME". The harness of 6.1 prints no name
 * in a skip: "ok 2 # SKIP REASON".
 */
static bool parse_result(const char *s, struct result *r)
{
	bool ok = !starts(s, "not ");
	const char *comment, *reason;
	char *end;
	size_t n;

	if (!ok)
		s += 4;
	if (!starts(s, "ok ") || !isdigit((unsigned char)s[3]))
		return false;
	memset(r, 0, sizeof(*r));
	r->number = strtol(s + 3, &end, 10);
	if (*end && *end != ' ')
		return false;
	s = skip_spaces(end);
	if (starts(s, "- "))
		s = skip_spaces(s + 2);
	for (comment = s; (comment = strchr(comment, '#')); comment++)
		if (comment == s || comment[-1] == ' ')
			break;
	n = comment ? (size_t)(comment - s) : strlen(s);
	while (n && isspace((unsigned char)s[n - 1]))
		n--;
	r->name = n ? check_alloc(strndup(s, n)) : NULL;
	r->verdict = ok ? PASSED : FAILED;
	if (!comment)
		return true;
	comment = skip_spaces(comment + 1);
	r->verdict = by_directive(ok, comment, &reason);
	r->comment = *comment ? copy(comment) : NULL;
	r->reason = *reason ? copy(reason) : NULL;
	return true;
}

static void free_result(struct result *r)
{
	free(r->name);
	free(r->comment);
	free(r->reason);
}

/* "selftests: D: P" as "D/P", else NULL */
static char *program_name(const char *s)
{
	const char *colon;
	char *name;

	if (!s || !starts(s, "selftests: "))
		return NULL;
	s += strlen("selftests: ");
	colon = strstr(s, ": ");
	if (!colon || colon == s || !colon[2])
		return NULL;
	if (asprintf(&name, "%.*s/%s", (int)(colon - s), s, colon + 2) < 0)
		check_alloc(NULL);
	return name;
}

static struct test_case *last_case(const struct program *p)
{
	if (!p->n_cases)
		return NULL;
	return &p->cases[p->n_cases - 1];
}

static void add_case(struct program *p, char *name, char *reason, enum verdict v)
{
	p->cases = grow(p->cases, p->n_cases, sizeof(*p->cases));
	p->cases[p->n_cases++] = (struct test_case) {
		.name = name, .reason = reason, .verdict = v, .log = p->log
	};
	p->log = (struct lines) { 0 };
}

/* No more lines will come for the last program, with or without a result. */
static void close_program(struct run *run)
{
	struct program *p = &run->programs[run->n_programs - 1];

	run->open = false;
	p->seconds = now() - p->begin;
	if (p->running)
		add_case(p, p->running, NULL, NO_RESULT);
	p->running = NULL;
}

static struct program *open_program(struct run *run, char *name)
{
	struct program *p;

	if (run->open) {
		p = &run->programs[run->n_programs - 1];
		close_program(run);
		p->verdict = FAILED;
		p->comment = copy("no result: its output was cut off");
	}
	run->programs = grow(run->programs, run->n_programs, sizeof(*p));
	p = &run->programs[run->n_programs++];
	*p = (struct program) { .name = name, .planned = -1, .begin = now() };
	run->open = true;
	return p;
}

static enum event end_program(struct run *run, char *name, struct result *r)
{
	struct program *p;

	if (run->open && !strcmp(run->programs[run->n_programs - 1].name, name)) {
		p = &run->programs[run->n_programs - 1];
		free(name);
	} else {
		p = open_program(run, name);
	}
	p->verdict = r->verdict;
	p->number = r->number;
	p->comment = r->comment;
	r->comment = NULL;
	close_program(run);
	return PROGRAM_ENDS;
}

/* "#  RUN           NAME ..." */
static char *parse_begin(const char *s)
{
	size_t n;

	s = skip_spaces(s + 1);
	if (!starts(s, "RUN "))
		return NULL;
	s = skip_spaces(s + 4);
	n = strcspn(s, " ");
	return n ? check_alloc(strndup(s, n)) : NULL;
}

/* What the harness prints around each case says no more than the results. */
static bool is_frame(const char *s)
{
	static const char * const frame[] = {
		"#            OK  ", "#          FAIL  ", "#      SKIP      ", "# Starting ",
		"# PASSED: ", "# FAILED: ", "# Totals: ", "TAP version ", "KTAP version ",
	};
	size_t i;

	for (i = 0; i < sizeof(frame) / sizeof(*frame); i++)
		if (starts(s, frame[i]))
			return true;
	return false;
}

/* A line that the program printed, or that supervise printed about it. */
static enum event parse_inner(struct program *p, const char *s)
{
	struct result r;
	char *name;

	if (parse_result(s, &r)) {
		name = p->running ? p->running : r.name;
		if (p->running)
			free(r.name);
		p->running = NULL;
		add_case(p, name ? name : copy("(no name)"), r.reason, r.verdict);
		free(r.comment);
		return CASE_ENDS;
	}
	if (*s == '#') {
		name = parse_begin(s);
		if (name) {
			free(p->running);
			p->running = name;
			free_lines(&p->log);
			return CASE_BEGINS;
		}
	}
	if (starts(s, "1..") && isdigit((unsigned char)s[3])) {
		p->planned = strtol(s + 3, NULL, 10);
		if (starts(s, "1..0 # SKIP ")) {
			free(p->note);
			p->note = copy(s + strlen("1..0 # SKIP "));
		}
		return NOTHING;
	}
	if (starts(s, "TIMEOUT after ") || starts(s, "program killed by ")) {
		free(p->note);
		p->note = copy(s);
	} else if (!is_frame(s)) {
		add_line(&p->log, s);
	}
	return NOTHING;
}

/* @line has no newline at its end any more. */
static enum event parse_line(struct run *run, const char *line)
{
	struct result r;
	char *name = NULL;

	if (parse_result(line, &r)) {
		enum event event = NOTHING;

		name = program_name(r.name);
		if (name)
			event = end_program(run, name, &r);
		free_result(&r);
		return event;
	}
	if (starts(line, "1..") && isdigit((unsigned char)line[3])) {
		run->planned = strtol(line + 3, NULL, 10);
		return NOTHING;
	}
	if (starts(line, "# "))
		name = program_name(line + 2);
	if (name) {
		open_program(run, name);
		return PROGRAM_BEGINS;
	}
	if (!run->open)
		return NOTHING;
	/* Anything else without "# " comes from elsewhere, such as the kernel. */
	if (starts(line, "# "))
		return parse_inner(&run->programs[run->n_programs - 1], line + 2);
	if (*line && strcmp(line, "#"))
		add_line(&run->programs[run->n_programs - 1].log, line);
	return NOTHING;
}

/* How many cases were planned and never began or never ended. */
static size_t not_run(const struct program *p)
{
	size_t n = p->n_cases;

	return p->planned > 0 && (size_t)p->planned > n ? p->planned - n : 0;
}

/* Did it fail, by its own result or by that of a case, or by doing nothing? */
static bool failed_program(const struct program *p)
{
	size_t i;

	for (i = 0; i < p->n_cases; i++)
		if (p->cases[i].verdict == FAILED)
			return true;
	switch (p->verdict) {
	case FAILED:
		return true;
	case NO_RESULT:		/* it still runs, or the output was cut off */
		return false;
	default:
		break;
	}
	if (!p->n_cases && p->verdict != SKIPPED)
		return true;
	return not_run(p) || (p->n_cases && last_case(p)->verdict == NO_RESULT);
}

/*
 * ktap summary
 */

struct options {
	bool tty, quiet, partial;
	bool silent;		/* read only */
	bool live, colour;	/* what the terminal can do and is to do */
	const char *rerun;
	FILE *log;
	const char *log_name;
};

static atomic_int got_signal;

static void on_signal(int sig)
{
	int fd = open("/dev/null", O_RDONLY);

	int none = 0;

	/* The first counts: after Ctrl-C run_tests.sh sends SIGTERM, too. */
	atomic_compare_exchange_strong(&got_signal, &none, sig);
	/* A read that is about to begin finds nothing: no race with the test. */
	if (fd >= 0)
		dup2(fd, STDIN_FILENO);
}

static const char *colour(const struct options *o, enum verdict verdict)
{
	static const char * const codes[N_VERDICTS] = {
		[NO_RESULT] = "\033[31m",
		[PASSED] = "\033[32m",
		[FAILED] = "\033[31m",
		[SKIPPED] = "\033[33m",
		[XFAILED] = "\033[33m",
		[XPASSED] = "\033[33m",
	};

	return o->colour ? codes[verdict] : "";
}

static const char *plain(const struct options *o)
{
	return o->colour ? "\033[0m" : "";
}

/* @s as the terminal may see it */
static void put_text(FILE *f, const char *s)
{
	for (; *s; s++)
		fputc((unsigned char)*s < ' ' && *s != '\t' ? '?' : *s, f);
}

static void put_log(const struct lines *l)
{
	size_t i;

	for (i = 0; i < l->n; i++) {
		fputs("    ", stdout);
		put_text(stdout, l->v[i] + (starts(l->v[i], "# ") ? 2 : 0));
		putchar('\n');
	}
}

/* One line that is overwritten by the next: what runs now. */
static void progress(const struct options *o, const struct run *run, bool always)
{
	const struct program *p = &run->programs[run->n_programs - 1];
	struct winsize size = { 0 };
	static double shown;
	char *line, count[80] = "";

	if (!o->live)
		return;
	if (!always && now() - shown < 0.05)
		return;
	shown = now();
	if (p->planned > 0)
		snprintf(count, sizeof(count), " %zu/%ld", p->n_cases + !!p->running, p->planned);
	if (asprintf(&line, "[%zu/%ld] %s%s %s", run->n_programs, run->planned, p->name, count,
		     p->running ? p->running : "") < 0)
		check_alloc(NULL);
	if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) || !size.ws_col)
		size.ws_col = 80;
	if (strlen(line) >= size.ws_col)
		line[size.ws_col - 1] = '\0';
	fputs("\r\033[K", stdout);
	put_text(stdout, line);
	fflush(stdout);
	free(line);
}

static void fail_line(const struct options *o, const char *program, const char *name)
{
	printf("%s%sFAIL%s ", o->live ? "\r\033[K" : "", colour(o, FAILED), plain(o));
	put_text(stdout, program);
	if (name) {
		putchar(':');
		put_text(stdout, name);
	}
	putchar('\n');
}

/* Why a program failed other than by a failed case, or NULL */
static const char *program_comment(const struct program *p)
{
	if (p->note)
		return p->note;
	if (p->verdict == FAILED && p->comment)
		return p->comment;
	if (p->verdict == FAILED || !failed_program(p))
		return NULL;
	return p->n_cases ? "fewer results than planned" : "no case was run";
}

static void show_program(const struct options *o, const struct program *p)
{
	const struct test_case *last = last_case(p);
	const char *comment = program_comment(p);
	size_t i;

	if (!failed_program(p))
		return;
	if (last && last->verdict != NO_RESULT && !p->note)
		for (i = 0; i < p->n_cases; i++)
			if (p->cases[i].verdict == FAILED)
				return;		/* that has been shown and says why */
	if (last && last->verdict == NO_RESULT) {
		fail_line(o, p->name, last->name);
		put_log(&last->log);
	} else {
		fail_line(o, p->name, NULL);
	}
	put_log(&p->log);
	if (comment) {
		fputs("    ", stdout);
		put_text(stdout, comment);
		putchar('\n');
	}
}

static void show(const struct options *o, const struct run *run, enum event event)
{
	const struct program *p;
	const struct test_case *c;

	if (event == NOTHING)
		return;
	p = &run->programs[run->n_programs - 1];
	if (event == CASE_ENDS) {
		c = last_case(p);
		if (c->verdict == FAILED) {
			fail_line(o, p->name, c->name);
			put_log(&c->log);
		}
	} else if (event == PROGRAM_ENDS) {
		show_program(o, p);
	}
	if (event == PROGRAM_BEGINS || event == CASE_BEGINS)
		progress(o, run, event == PROGRAM_BEGINS);
}

/* All runs of one program, or of one of its cases. */
struct total {
	const char *name;
	const char *reason;	/* of the last skip or known failure */
	const char *comment;	/* of the last run that failed for no case, or without result */
	size_t runs, failed_runs, cut_off;
	size_t n[N_VERDICTS];	/* of the cases; NO_RESULT: not run */
	double seconds;
	struct total *parts;	/* cases of a program */
	size_t n_parts;
	size_t next;		/* the part that is likely to be looked for next */
};

/* Find or add the part called @name. */
static struct total *part(struct total *t, const char *name)
{
	size_t i, at;

	for (i = 0; i < t->n_parts; i++) {
		at = (t->next + i) % t->n_parts;
		if (!strcmp(t->parts[at].name, name)) {
			t->next = at + 1;
			return &t->parts[at];
		}
	}
	t->parts = grow(t->parts, t->n_parts, sizeof(*t));
	t->parts[t->n_parts] = (struct total) { .name = name };
	t->next = ++t->n_parts;
	return &t->parts[t->next - 1];
}

static const char *or_else(const char *s, const char *otherwise)
{
	return s && *s ? s : otherwise;
}

static void add_program(struct total *all, const struct program *p)
{
	struct total *sum = part(all, p->name), *c;
	bool failed = failed_program(p), named = false;
	enum verdict verdict;
	size_t i;

	for (i = 0; i < p->n_cases; i++) {
		c = part(sum, p->cases[i].name);
		verdict = p->cases[i].verdict;
		/* It ran when the program was ended or died: that is a failure. */
		if (verdict == NO_RESULT && failed) {
			verdict = FAILED;
			c->comment = program_comment(p);
		}
		c->runs++;
		c->n[verdict]++;
		sum->n[verdict]++;
		named |= verdict == FAILED;
		if (verdict == SKIPPED || verdict == XFAILED || verdict == XPASSED)
			c->reason = or_else(p->cases[i].reason, "(no reason)");
	}
	sum->n[NO_RESULT] += not_run(p);
	sum->runs++;
	sum->failed_runs += failed;
	sum->cut_off += p->verdict == NO_RESULT;
	sum->seconds += p->seconds;
	if (failed && !named)
		sum->comment = or_else(program_comment(p), "it failed, but no case did");
	else if (p->verdict == SKIPPED && !p->n_cases)
		sum->reason = or_else(p->note, "(no reason)");
}

static void free_total(struct total *all)
{
	size_t i;

	for (i = 0; i < all->n_parts; i++)
		free(all->parts[i].parts);
	free(all->parts);
}

static void put_counts(FILE *f, const struct total *t)
{
	static const struct {
		enum verdict verdict;
		const char *what;
	} order[] = {
		{ PASSED, "passed" }, { FAILED, "failed" }, { SKIPPED, "skipped" },
		{ XFAILED, "xfail" }, { XPASSED, "xpass" }, { NO_RESULT, "not run" },
	};
	const char *comma = "";
	size_t i;

	for (i = 0; i < sizeof(order) / sizeof(*order); i++) {
		if (!t->n[order[i].verdict])
			continue;
		fprintf(f, "%s%zu %s", comma, t->n[order[i].verdict], order[i].what);
		comma = ", ";
	}
	if (!*comma)
		fputs("no cases", f);
}

static void put_programs(FILE *f, const struct options *o, const struct total *all)
{
	static const char * const labels[N_VERDICTS] = {
		[NO_RESULT] = "cut ", [PASSED] = "ok  ", [FAILED] = "FAIL", [SKIPPED] = "skip",
	};
	size_t i, width = 0;

	for (i = 0; i < all->n_parts; i++)
		if (strlen(all->parts[i].name) > width)
			width = strlen(all->parts[i].name);
	for (i = 0; i < all->n_parts; i++) {
		const struct total *t = &all->parts[i];
		enum verdict verdict = PASSED;

		if (t->failed_runs)
			verdict = FAILED;
		else if (t->cut_off)
			verdict = NO_RESULT;
		else if (!t->n[PASSED] && !t->n[XFAILED] && !t->n[XPASSED])
			verdict = SKIPPED;
		fprintf(f, "%s%s%s ", colour(o, verdict), labels[verdict], plain(o));
		put_text(f, t->name);
		fprintf(f, "%*s  %6.1f s  ", (int)(width - strlen(t->name)), "", t->seconds);
		put_counts(f, t);
		if (t->runs > 1)
			fprintf(f, " in %zu runs", t->runs);
		fputc('\n', f);
	}
}

static void put_failures(FILE *f, const struct options *o, const struct total *all)
{
	const char *title = "\nFailed; to run one of them again:\n";
	size_t i, j;

	for (i = 0; i < all->n_parts; i++) {
		const struct total *t = &all->parts[i];

		for (j = 0; j <= t->n_parts; j++) {
			const struct total *c = j < t->n_parts ? &t->parts[j] : t;
			size_t failed = c == t ? t->failed_runs : c->n[FAILED];

			if (c == t ? !t->comment : !failed)
				continue;
			fprintf(f, "%s  %s", title, o->rerun);
			title = "";
			put_text(f, t->name);
			if (c != t) {
				fputc(':', f);
				put_text(f, c->name);
			}
			if (c->runs > 1 || c->comment)
				fputs("  # ", f);
			if (c->n[PASSED] && c != t)
				fprintf(f, "flaky: passed %zu, ", c->n[PASSED]);
			if (c->runs > 1)
				fprintf(f, "failed %zu of %zu%s", failed, c->runs,
					c->comment ? ": " : "");
			if (c->comment)
				put_text(f, c->comment);
			fputc('\n', f);
		}
	}
}

/* The names of all cases with this verdict, by reason. */
static void put_reasons(FILE *f, const struct total *all, enum verdict verdict, const char *title)
{
	struct total reasons = { 0 }, *r;
	size_t i, j;

	for (i = 0; i < all->n_parts; i++) {
		const struct total *t = &all->parts[i];

		for (j = 0; j <= t->n_parts; j++) {
			const struct total *c = j < t->n_parts ? &t->parts[j] : t;

			if (!c->reason || (c == t ? verdict != SKIPPED : !c->n[verdict]))
				continue;
			r = part(&reasons, c->reason);
			r->runs++;
			part(r, t->name);
		}
	}
	if (reasons.n_parts)
		fprintf(f, "\n%s:\n", title);
	for (i = 0; i < reasons.n_parts; i++) {
		r = &reasons.parts[i];
		fprintf(f, "  %3zu  ", r->runs);
		put_text(f, r->name);
		for (j = 0; j < r->n_parts; j++) {
			fputs(j ? ", " : " (", f);
			put_text(f, r->parts[j].name);
		}
		fputs(")\n", f);
	}
	free_total(&reasons);
}

/* 0 or 1, or 2 and a line about what is missing */
static int status(const struct run *run, const struct options *o, char *why, size_t size)
{
	size_t i, done = run->n_programs - run->open;

	why[0] = '\0';
	if (run->open)
		snprintf(why, size, "the output ends while %s was running%s%s",
			 run->programs[done].name,
			 run->programs[done].running ? ", case " : "",
			 run->programs[done].running ? run->programs[done].running : "");
	else if (!run->n_programs)
		snprintf(why, size, "no program was run");
	else if (run->planned < 0 && !o->partial)
		snprintf(why, size, "the plan (1..N) is missing: the output may not be complete");
	else if (run->planned >= 0 && done < (size_t)run->planned)
		snprintf(why, size, "%zu of %ld programs were run", done, run->planned);
	for (i = 0; i < run->n_programs; i++)
		if (failed_program(&run->programs[i]))
			return 1;
	return why[0] ? 2 : 0;
}

static void summary(FILE *f, const struct options *o, struct run *run, const char *why,
		    double began)
{
	struct total all = { 0 }, sum = { 0 };
	size_t i, v, failed = 0;

	if (o->live)
		fputs("\r\033[K", f);
	if (run->open)
		close_program(run);
	for (i = 0; i < run->n_programs; i++) {
		add_program(&all, &run->programs[i]);
		failed += failed_program(&run->programs[i]);
	}
	put_programs(f, o, &all);
	put_failures(f, o, &all);
	put_reasons(f, &all, XFAILED, "Known failures (XFAIL)");
	put_reasons(f, &all, XPASSED, "Passed though known to fail (XPASS)");
	put_reasons(f, &all, SKIPPED, "Skipped");
	for (i = 0; i < all.n_parts; i++)
		for (v = 0; v < N_VERDICTS; v++)
			sum.n[v] += all.parts[i].n[v];
	fprintf(f, "\n%s%zu programs, %zu failed%s; cases: ", colour(o, failed ? FAILED : PASSED),
		run->n_programs, failed, plain(o));
	put_counts(f, &sum);
	fprintf(f, "; %.1f s\n", now() - began);
	if (got_signal)
		fprintf(f, "%sinterrupted by signal %d%s%s%s\n", colour(o, FAILED), (int)got_signal,
			*why ? ": " : "", why, plain(o));
	else if (*why)
		fprintf(f, "%snot complete: %s%s\n", colour(o, FAILED), why, plain(o));
	free_total(&all);
}

/* What was read of stdin and not used yet is at buf + start, up to end. */
struct input {
	char *buf;
	size_t start, end, size;
	bool eof;
};

/* Return false when nobody reads stdout any more: there may be nothing to write for long. */
static bool wait_for_input(void)
{
	struct pollfd fds[] = {
		{ .fd = STDIN_FILENO, .events = POLLIN },
		{ .fd = STDOUT_FILENO },
	};

	if (poll(fds, 2, -1) > 0 && (fds[1].revents & (POLLERR | POLLHUP))) {
		errno = EPIPE;
		return false;
	}
	return true;
}

/* The next line with its newline, if it has one: its length; 0: the end, -1: an error. */
static ssize_t next_line(struct input *in, char **line)
{
	size_t searched = 0;
	const char *end;
	ssize_t n;

	for (;;) {
		*line = in->buf + in->start;
		end = searched < in->end - in->start ?
			memchr(*line + searched, '\n', in->end - in->start - searched) : NULL;
		if (end || in->eof) {
			n = end ? end + 1 - *line : (ssize_t)(in->end - in->start);
			in->start += n;
			return n;
		}
		searched = in->end - in->start;
		if (searched && in->start)
			memmove(in->buf, *line, searched);
		in->start = 0;
		in->end = searched;
		if (in->size - in->end < 4096) {
			in->size = 2 * in->size + 8192;
			in->buf = check_alloc(realloc(in->buf, in->size));
		}
		if (!wait_for_input())
			return -1;
		n = read(STDIN_FILENO, in->buf + in->end, in->size - in->end - 1);
		if (n > 0)
			in->end += n;
		else
			in->eof = n == 0 || errno != EINTR || got_signal;
	}
}

/* Is there no further line to be had without waiting? Then what was printed has to go out. */
static bool drained(const struct input *in)
{
	return in->start == in->end || !memchr(in->buf + in->start, '\n', in->end - in->start);
}

/* Read all of stdin. Return false when its output cannot be written. */
static bool read_run(struct run *run, const struct options *o)
{
	struct input in = { 0 };
	enum event event;
	ssize_t n = 0;
	char *line, kept;

	while (!got_signal && (n = next_line(&in, &line)) > 0) {
		run->any = true;
		if (!o->tty && !o->silent &&
		    (fwrite(line, 1, n, stdout) != (size_t)n ||
		     (drained(&in) && fflush(stdout)))) {
			n = -1;
			break;
		}
		if (o->log && !ferror(o->log)) {
			fwrite(line, 1, n, o->log);
			if (drained(&in))
				fflush(o->log);
		}
		kept = line[n];		/* of the next line, or unused */
		line[n] = '\0';
		line[strcspn(line, "\r\n")] = '\0';
		event = parse_line(run, line);
		if (o->tty && !o->silent)
			show(o, run, event);
		in.buf[in.start] = kept;
	}
	free(in.buf);
	return n >= 0;
}

static const char usage[] =
	"usage: ktap summary [OPTION]... <RESULTS\n"
	"Pass the KTAP of run_tests.sh on to stdout and sum it up on stderr.\n"
	"  --tty        show failures, progress and the summary on stdout instead\n"
	"  --quiet      no summary\n"
	"  --log FILE   write the KTAP to FILE, too\n"
	"  --partial    there need not be a plan: the results of run_tests.sh --from\n"
	"  --rerun CMD  what runs the case whose name follows (\"./run_tests.sh \")\n"
	"Exit status: 0 all passed, were skipped or failed as expected (XFAIL); 1 something\n"
	"failed; 2 nothing was run, or not all that was planned; 128+N ended by signal N.\n"
	"\n"
	"usage: ktap cases <RESULTS\n"
	"A line for each case, and after those of a program one for itself, separated by tabs:\n"
	"pass, fail, skip, xfail, xpass or none (never ended); its name; why.\n"
	"Exit status: 0; 2 there are no results.\n";

static int fail(const char *what, const char *why)
{
	fprintf(stderr, "ktap: %s: %s\n", what, why);
	return 2;
}

static int parse_options(struct options *o, char **argv)
{
	const char *term = getenv("TERM"), *no_colour = getenv("NO_COLOR");

	for (; *argv; argv++) {
		if (!strcmp(*argv, "--tty"))
			o->tty = true;
		else if (!strcmp(*argv, "--quiet"))
			o->quiet = true;
		else if (!strcmp(*argv, "--partial"))
			o->partial = true;
		else if (!strcmp(*argv, "--log") && argv[1])
			o->log_name = *++argv;
		else if (!strcmp(*argv, "--rerun") && argv[1])
			o->rerun = *++argv;
		else
			return fail(*argv, "unknown option, or its value is missing");
	}
	o->live = o->tty && term && *term && strcmp(term, "dumb");
	o->colour = o->live && !(no_colour && *no_colour);
	if (o->log_name) {
		o->log = fopen(o->log_name, "we");
		if (!o->log)
			return fail(o->log_name, strerror(errno));
	}
	return 0;
}

static int cmd_summary(char **argv)
{
	const int signals[] = { SIGINT, SIGTERM, SIGHUP };
	struct sigaction sa = { .sa_handler = on_signal };
	struct options o = { .rerun = "./run_tests.sh " };
	struct run run = { .planned = -1 };
	double began = now();
	char why[300];
	size_t i;
	int rc;

	if (parse_options(&o, argv))
		return 2;
	/* Of two at once the lower is handled first, as long as it is not interrupted. */
	sigfillset(&sa.sa_mask);
	for (i = 0; i < sizeof(signals) / sizeof(*signals); i++)
		sigaction(signals[i], &sa, NULL);
	rc = read_run(&run, &o) ? 0 : errno == EPIPE ? 128 + SIGPIPE : 2;
	if (rc == 2)
		fail("stdout", strerror(errno));
	/* Who wrote nothing at all has said why on stderr. */
	if (!rc && !run.any && !got_signal) {
		rc = 2;
	} else if (!rc || got_signal) {
		rc = status(&run, &o, why, sizeof(why));
		if (!o.quiet)
			summary(o.tty ? stdout : stderr, &o, &run, why, began);
		else if (*why)
			fail("not complete", why);
		if (got_signal)
			rc = 128 + got_signal;
	}
	if (o.log && (ferror(o.log) | fclose(o.log)) && rc < 2)
		rc = fail(o.log_name, "not all of it could be written");
	free_run(&run);
	return rc;
}

/*
 * ktap cases
 */

/* The line of @log that says what failed, else @otherwise. */
static const char *what_failed(const struct lines *log, const char *otherwise)
{
	const char *found;
	size_t i;

	for (i = 0; i < log->n; i++) {
		found = strstr(log->v[i], "FAILED (");
		if (found)
			return found;
	}
	return otherwise ? otherwise : "";
}

static void put_row(enum verdict verdict, const struct program *p, const struct test_case *c,
		    const char *message)
{
	static const char * const words[N_VERDICTS] = {
		[NO_RESULT] = "none",
		[PASSED] = "pass",
		[FAILED] = "fail",
		[SKIPPED] = "skip",
		[XFAILED] = "xfail",
		[XPASSED] = "xpass",
	};

	printf("%s\t%s", words[verdict], p->name);
	if (c)
		printf("/%s", c->name);
	putchar('\t');
	put_text(stdout, message);
	putchar('\n');
}

static int cmd_cases(char **argv)
{
	struct options o = { .silent = true };
	struct run run = { .planned = -1 };
	size_t i, j;

	if (*argv)
		return fail(*argv, "ktap cases takes no options");
	if (!read_run(&run, &o))
		return fail("stdin", strerror(errno));
	for (i = 0; i < run.n_programs; i++) {
		const struct program *p = &run.programs[i];

		for (j = 0; j < p->n_cases; j++)
			put_row(p->cases[j].verdict, p, &p->cases[j],
				what_failed(&p->cases[j].log, p->cases[j].reason));
		put_row(p->verdict == NO_RESULT || !failed_program(p) ? p->verdict : FAILED, p,
			NULL, p->note ? p->note : p->comment ? p->comment : "");
	}
	i = run.n_programs;
	free_run(&run);
	if (fflush(stdout) || ferror(stdout))
		return fail("stdout", strerror(errno));
	return i ? 0 : fail("stdin", "no results in it");
}

int main(int argc, char **argv)
{
	if (argc > 1 && !strcmp(argv[1], "summary"))
		return cmd_summary(argv + 2);
	if (argc > 1 && !strcmp(argv[1], "cases"))
		return cmd_cases(argv + 2);
	if (argc > 1 && !strcmp(argv[1], "--help")) {
		fputs(usage, stdout);
		return 0;
	}
	fputs(usage, stderr);
	return 2;
}
