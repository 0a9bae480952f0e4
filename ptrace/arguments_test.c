// SPDX-License-Identifier: GPL-2.0
/*
 * The arguments that a tracer writes to x0-x5 before a call are those it runs with,
 * all 64 bits of each, and those that the kernel tells afterwards (P10).
 * arch/arm64/kernel/ptrace.c gpr_set() stores them, and keeps orig_x0, from which
 * argument 0 is told and the call restarted, in step with x0; seccomp/data_test
 * looks at what filters see.
 */
#include <asm/unistd.h>
#include <errno.h>
#include <sys/mman.h>
#include <sys/syscall.h>

#include "case.h"
#include "effect.h"
#include "way.h"

#define NARGS	6
#define PAGE	65536	/* the largest there is */
#define ROBUST_HEAD_SIZE	24
#define MAP	0x500000000	/* free with 36 bits of address space, too */
#define FD_ONE	202
#define FD_TWO	203

/* Two files of two pages each, told apart by their names. */
static void make_files(void)
{
	static const char * const names[] = { "one", "two" };

	effect_pipe();	/* sees to the limit of files */
	for (int i = 0; i < 2; i++) {
		int fd = (int)syscall(__NR_memfd_create, names[i], 0);

		if (fd < 0)
			case_skip("memfd_create failed: needs CONFIG_TMPFS");
		if (ftruncate(fd, 4 * PAGE) || dup2(fd, FD_ONE + i) < 0)
			case_die("no file: %s", strerror(errno));
		close(fd);
	}
}

/*
 * The tracee's mapping at @addr as /proc shows it, without device and inode:
 * "500000000-500010000 r--p 00000000 /memfd:one (deleted)".
 */
static void mapping_at(struct tracee *t, __u64 addr, char *text, size_t size)
{
	char path[64], line[256], perms[8], name[128];
	__u64 start, end, offset;
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%d/maps", t->pid);
	f = fopen(path, "r");
	snprintf(text, size, "no mapping");
	while (f && fgets(line, sizeof(line), f)) {
		name[0] = '\0';
		if (sscanf(line, "%llx-%llx %7s %llx %*s %*s %127[^\n]", &start, &end, perms,
			   &offset, name) < 4 || start != addr)
			continue;
		snprintf(text, size, "%llx-%llx %s %llx %s", start, end, perms, offset, name);
	}
	if (f)
		fclose(f);
}

/* mmap() as the task issues it. */
static const __u64 issued[NARGS] = {
	MAP, PAGE, PROT_READ, MAP_PRIVATE | MAP_FIXED, FD_ONE, 0
};

/* Which of the arguments of mmap() the tracer writes, what it makes them, and the mapping. */
struct written {
	const char *what;
	unsigned int args;	/* a bit for each that is written */
	__u64 value[NARGS];
	const char *mapping;
};

static const struct written all_six = {
	"all six written", 0x3f,
	{ MAP + 8 * PAGE, 2 * PAGE, PROT_NONE, MAP_SHARED | MAP_FIXED, FD_TWO, PAGE },
	"500080000-5000a0000 ---s 10000 /memfd:two (deleted)",
};

static const struct written by_one[] = {
	{ "none written", 0, { 0 }, "500000000-500010000 r--p 0 /memfd:one (deleted)" },
	{ "address (x0) written", 1 << 0, { MAP + 4 * PAGE },
	  "500040000-500050000 r--p 0 /memfd:one (deleted)" },
	{ "length (x1) written", 1 << 1, { 0, 2 * PAGE },
	  "500000000-500020000 r--p 0 /memfd:one (deleted)" },
	{ "protection (x2) written", 1 << 2, { 0, 0, PROT_NONE },
	  "500000000-500010000 ---p 0 /memfd:one (deleted)" },
	{ "flags (x3) written", 1 << 3, { 0, 0, 0, MAP_SHARED | MAP_FIXED },
	  "500000000-500010000 r--s 0 /memfd:one (deleted)" },
	{ "file (x4) written", 1 << 4, { 0, 0, 0, 0, FD_TWO },
	  "500000000-500010000 r--p 0 /memfd:two (deleted)" },
	/* The last page that a mapping of one page can have. */
	{ "offset (x5) written", 1 << 5, { 0, 0, 0, 0, 0, 0x7fffffffffff0000ull - PAGE },
	  "500000000-500010000 r--p 7ffffffffffe0000 /memfd:one (deleted)" },
};

static struct svc_script *mmap_script(unsigned int n)
{
	struct svc_script *sc = svc_script_new(n + 1);

	make_files();
	for (unsigned int i = 0; i < n; i++)
		svc_fill(&sc->f[i], __NR_mmap, NARGS, issued[0], issued[1], issued[2], issued[3],
			 issued[4], issued[5]);
	name_range(MAP, 1ull << 32, "map");
	return sc;
}

/* From the stop @s before the call of @f to its exit stop. */
static void write_arguments(struct tracee *t, struct stop *s, const struct written *w,
			    struct svc_frame *f)
{
	char text[256], what[64];

	for (unsigned int i = 0; i < NARGS; i++)
		if (w->args >> i & 1) {
			f->x[i] = w->value[i];
			s->regs.regs[i] = w->value[i];
		}
	tracee_set_regs(t, &s->regs);
	*s = tracee_to(t, PTRACE_SYSCALL, 0, "exit mmap");
	check_at(s, "the address mapped", f->x[0], s->regs.regs[0]);
	mapping_at(t, s->regs.regs[0], text, sizeof(text));
	transcript("mapped %s", text);
	snprintf(what, sizeof(what), "the mapping (%s)", w->what);
	check_str(what, w->mapping, text);
}

/* Each mapping takes the place of what was there: addresses and lengths are known. */
TEST(argument_written_at_entry_is_what_mmap_runs_with)
{
	struct svc_script *sc;
	struct tracee t;
	struct stop s;

	PINS("P10");
	sc = mmap_script(ARRAY_SIZE(by_one));
	t = tracee_start(svc_script_run, sc, PTRACE_O_TRACESYSGOOD);
	for (unsigned int i = 0; i < ARRAY_SIZE(by_one); i++) {
		t.about = by_one[i].what;
		s = tracee_to(&t, PTRACE_SYSCALL, 0, "entry mmap pc=svc+4 x0=map");
		write_arguments(&t, &s, &by_one[i], &sc->f[i]);
	}
	tracee_to(&t, PTRACE_SYSCALL, 0, "entry getuid");
	tracee_end(&t);
	for (unsigned int i = 0; i < ARRAY_SIZE(by_one); i++)
		check_frame_of(by_one[i].what, &sc->f[i], sc->f[i].x[0]);
}

FIXTURE(all_six_arguments) {
};

FIXTURE_VARIANT(all_six_arguments) {
	const struct way *way;
};

FIXTURE_VARIANT_ADD(all_six_arguments, at_entry) {
	.way = &way_entry,
};

FIXTURE_VARIANT_ADD(all_six_arguments, at_seccomp_stop) {
	.way = &way_seccomp,
};

FIXTURE_VARIANT_ADD(all_six_arguments, in_a_thread) {
	.way = &way_thread,
};

FIXTURE_SETUP(all_six_arguments)
{
}

FIXTURE_TEARDOWN(all_six_arguments)
{
}

TEST_F(all_six_arguments, written_are_what_mmap_runs_with)
{
	struct svc_script *sc;
	struct tracee t;
	struct stop s;

	PINS("P10");
	sc = mmap_script(1);
	s = way_first(variant->way, &t, sc, "mmap pc=svc+4 x0=map");
	write_arguments(&t, &s, &all_six, &sc->f[0]);
	tracee_to(&t, PTRACE_SYSCALL, 0, "entry getuid");
	way_end(&t);
	check_frame(&sc->f[0], sc->f[0].x[0]);
}

static const __u64 wide[] = {
	0, ~0xffffull, 1ull << 63, 0xffffffffull << 32, 0xffffffff, 0x80000000, 0xffff,
	0x0123456789abcdefull,
};

/*
 * The head of the list of robust futexes is kept as it was given, and get_robust_list()
 * tells it, unless it looks like an error.
 */
TEST(all_64_bits_of_x0_written_reach_the_call)
{
	__u64 *answer;
	struct svc_script *sc;
	struct tracee t;
	struct stop s;

	PINS("P10");
	answer = shared_alloc(2 * sizeof(*answer));
	sc = svc_script_new(ARRAY_SIZE(wide));
	t = tracee_start(svc_script_run, sc, PTRACE_O_TRACESYSGOOD);
	for (unsigned int i = 0; i < sc->n; i++) {
		svc_fill(&sc->f[i], __NR_set_robust_list, 2, U64(answer), U64(ROBUST_HEAD_SIZE));
		s = tracee_to(&t, PTRACE_SYSCALL, 0, "entry set_robust_list");
		s.regs.regs[0] = wide[i];
		tracee_set_regs(&t, &s.regs);
		tracee_to(&t, PTRACE_SYSCALL, 0, "exit set_robust_list pc=svc+4 x0=0");
		check_eq("get_robust_list() of the task", 0,
			 U64(svc_call(__NR_get_robust_list, 3, U64(t.pid), U64(answer),
				      U64(answer + 1))));
		check_eq("the list's head that set_robust_list() was given", wide[i], answer[0]);
	}
	tracee_to(&t, PTRACE_SYSCALL, 0, "entry exit_group");
	tracee_end(&t);
	for (unsigned int i = 0; i < sc->n; i++)
		check_frame(&sc->f[i], 0);
}

/* A timer slack may be anything but 0 and is told as it was given. */
TEST(all_64_bits_of_x1_written_reach_the_call)
{
	struct svc_script *sc;
	struct tracee t;
	struct stop s;

	PINS("P10");
	sc = svc_script_new(8);
	for (unsigned int i = 0; i < sc->n; i += 2) {
		svc_fill(&sc->f[i], __NR_prctl, 2, U64(PR_SET_TIMERSLACK), U64(50000));
		svc_fill(&sc->f[i + 1], __NR_prctl, 1, U64(PR_GET_TIMERSLACK));
	}
	t = tracee_start(svc_script_run, sc, PTRACE_O_TRACESYSGOOD);
	for (unsigned int i = 0; i < sc->n; i += 2) {
		s = tracee_to(&t, PTRACE_SYSCALL, 0, "entry prctl");
		s.regs.regs[1] = wide[1 + i / 2];
		tracee_set_regs(&t, &s.regs);
		tracee_to(&t, PTRACE_SYSCALL, 0, "exit prctl pc=svc+4 x0=0");
		tracee_to(&t, PTRACE_SYSCALL, 0, "entry prctl");
		s = tracee_to(&t, PTRACE_SYSCALL, 0, "exit prctl");
		check_eq("the timer slack set", wide[1 + i / 2], s.regs.regs[0]);
	}
	tracee_to(&t, PTRACE_SYSCALL, 0, "entry exit_group");
	tracee_end(&t);
}

FIXTURE(told) {
};

FIXTURE_VARIANT(told) {
	const struct way *way;
};

FIXTURE_VARIANT_ADD(told, at_entry) {
	.way = &way_entry,
};

FIXTURE_VARIANT_ADD(told, at_seccomp_stop) {
	.way = &way_seccomp,
};

FIXTURE_SETUP(told)
{
}

FIXTURE_TEARDOWN(told)
{
}

/* PTRACE_GET_SYSCALL_INFO has argument 0 from orig_x0, the others from their registers. */
static void check_told(struct tracee *t, const struct user_pt_regs *regs, const char *when)
{
	struct entry_syscall_info info = { 0 };
	char what[96];

	tracee_syscall_info(t, &info, sizeof(info));
	for (unsigned int i = 0; i < NARGS; i++) {
		snprintf(what, sizeof(what), "PTRACE_GET_SYSCALL_INFO args[%u] %s", i, when);
		check_eq(what, regs->regs[i], info.entry.args[i]);
	}
}

TEST_F(told, arguments_are_those_written)
{
	struct tracee t;
	struct stop s;

	PINS("P10 P03");
	s = way_first(variant->way, &t, svc_script_new(1), "getuid");
	for (unsigned int i = 0; i < NARGS; i++)
		s.regs.regs[i] = ~svc_pattern(i);
	tracee_set_regs(&t, &s.regs);
	check_told(&t, &s.regs, "after x0-x5 were written");
	/* x0 of a skipped call is its result, and becomes argument 0 with a number. */
	tracee_set_nr(&t, -1);
	s.regs.regs[0] = 4711;
	tracee_set_regs(&t, &s.regs);
	tracee_set_nr(&t, __NR_getuid);
	check_told(&t, &s.regs, "after the number was -1 and getuid again");
	way_end(&t);
}

TEST_F(told, argument_0_of_a_skipped_call_is_the_tasks_own)
{
	struct entry_syscall_info info = { 0 };
	struct tracee t;
	struct stop s;

	PINS("P10 P03 P11");
	s = way_first(variant->way, &t, svc_script_new(1), "getuid");
	tracee_set_nr(&t, -1);
	s.regs.regs[0] = 4711;
	tracee_set_regs(&t, &s.regs);
	tracee_syscall_info(&t, &info, sizeof(info));
	check_eq("PTRACE_GET_SYSCALL_INFO nr", ~0ull, info.entry.nr);
	check_eq("PTRACE_GET_SYSCALL_INFO args[0]", svc_pattern(0), info.entry.args[0]);
	way_end(&t);
}

/*
 * A call that is restarted is made again with argument 0 as the tracer made it. The
 * restart code is the tracer's, too; it counts as a signal is pending.
 */
TEST(argument_0_written_is_that_of_the_restarted_call)
{
	static const struct stop_row again[] = {
		{ PTRACE_SYSCALL, SIGUSR1, "signal SIGUSR1 SI_KERNEL pc=svc x0=200" },
		{ PTRACE_SYSCALL, 0, "entry write pc=svc+4 x0=200" },
		{ PTRACE_SYSCALL, 0, "exit write pc=svc+4 x0=1" },
		{ PTRACE_SYSCALL, 0, "entry exit_group" },
	};
	struct svc_script *sc;
	struct tracee t;
	struct stop s;

	PINS("P10 R02");
	effect_pipe();
	sc = svc_script_new(1);
	effect_call(&sc->f[0]);
	sc->f[0].x[0] = 1000;
	s = tracee_first(&t, sc, PTRACE_O_TRACESYSGOOD, PTRACE_SYSCALL,
			 "entry write pc=svc+4 x0=1000");
	s.regs.regs[0] = EFFECT_FD;
	tracee_set_regs(&t, &s.regs);
	s = tracee_to(&t, PTRACE_SYSCALL, 0, "exit write pc=svc+4 x0=1");
	s.regs.regs[0] = U64(-513);
	tracee_set_regs(&t, &s.regs);
	if (!tracee_expect(&t, again, ARRAY_SIZE(again), NULL))
		case_end();
	tracee_end(&t);
	check_eq("bytes that both calls wrote", 2, effect_count());
	check_frame(&sc->f[0], 1);
}
