// SPDX-License-Identifier: GPL-2.0
/*
 * What a tracer sees at the two stops of a system call: that there are two, in
 * turn, which is which, and every register and number at each (P01-P08 of the
 * contract). arch/arm64/kernel/ptrace.c report_syscall_entry() and
 * report_syscall_exit() decide, on the generic path arch_ptrace_report_*().
 */
#include <asm/unistd.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/sched.h>
#include <linux/seccomp.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>

#include "case.h"
#include "features.h"
#include "tracee.h"

#define SYSGOOD	PTRACE_O_TRACESYSGOOD
#define X7_TRUE	svc_pattern(7)
#define X7_LIE	0xbad7bad7bad7bad7ull

static struct svc_script *script(unsigned int n)
{
	struct svc_script *s = shared_alloc(sizeof(*s));

	s->n = n;
	for (unsigned int i = 0; i < n; i++)
		svc_fill(&s->f[i], __NR_getuid, 0);
	name_value(svc_pattern(0), "pattern0");
	return s;
}

/* From a fresh tracee to the next stop by @request, which must be @expect. */
static struct stop first_stop(struct tracee *t, struct svc_script *s, unsigned long options,
			      long request, const char *expect)
{
	struct stop_row row = { request, 0, expect };
	struct stop stop;

	*t = tracee_start(svc_script_run, s, options);
	if (!tracee_expect(t, &row, 1, &stop))
		case_die("cannot go on without that stop");
	return stop;
}

static struct stop next_stop(struct tracee *t, const char *expect)
{
	struct stop_row row = { PTRACE_SYSCALL, 0, expect };
	struct stop stop;

	if (!tracee_expect(t, &row, 1, &stop))
		case_die("cannot go on without that stop");
	return stop;
}

FIXTURE(stops) {
};

FIXTURE_VARIANT(stops) {
	unsigned long options;
	int sig;
};

FIXTURE_VARIANT_ADD(stops, tracesysgood) {
	.options = SYSGOOD, .sig = SIGTRAP | 0x80,
};

FIXTURE_VARIANT_ADD(stops, plain) {
	.options = 0, .sig = SIGTRAP,
};

FIXTURE_SETUP(stops)
{
}

FIXTURE_TEARDOWN(stops)
{
}

TEST_F(stops, entry_and_exit_alternate)
{
	static const struct stop_row rows[] = {
		{ PTRACE_SYSCALL, 0, "entry getppid pc=svc+4 x0=pattern0" },
		{ PTRACE_SYSCALL, 0, "exit getppid pc=svc+4 x0=tracer" },
		{ PTRACE_SYSCALL, 0, "entry dup pc=svc+4 x0=1000" },
		{ PTRACE_SYSCALL, 0, "exit dup pc=svc+4 x0=-EBADF" },
		{ PTRACE_SYSCALL, 0, "entry sched_yield pc=svc+4 x0=pattern0" },
		{ PTRACE_SYSCALL, 0, "exit sched_yield pc=svc+4 x0=0" },
		{ PTRACE_SYSCALL, 0, "entry exit_group pc=svc+4 x0=0" },
		{ PTRACE_SYSCALL, 0, "exited 0" },
	};
	struct svc_script *s;
	struct tracee t;

	PINS("P01");
	s = script(3);
	svc_fill(&s->f[0], __NR_getppid, 0);
	svc_fill(&s->f[1], __NR_dup, 1, U64(1000));
	svc_fill(&s->f[2], __NR_sched_yield, 0);
	t = tracee_start(svc_script_run, s, variant->options);
	tracee_expect(&t, rows, ARRAY_SIZE(rows), NULL);
	tracee_end(&t);
	check_frame(&s->f[0], U64(getpid()));
	check_frame(&s->f[1], U64(-EBADF));
	check_frame(&s->f[2], 0);
}

TEST_F(stops, stop_signal_and_event_message_tell_entry_from_exit)
{
	struct tracee t;
	struct stop s;

	PINS("P01 P02");
	s = first_stop(&t, script(1), variant->options, PTRACE_SYSCALL, "entry getuid");
	check_eq("stop signal at entry", U64(variant->sig), U64(s.sig));
	check_eq("si_signo at entry", SIGTRAP, U64(s.si.si_signo));
	check_eq("si_code at entry", U64(variant->sig), U64(s.si.si_code));
	check_eq("PTRACE_GETEVENTMSG at entry", 1, s.msg);
	s = next_stop(&t, "exit getuid");
	check_eq("stop signal at exit", U64(variant->sig), U64(s.sig));
	check_eq("si_signo at exit", SIGTRAP, U64(s.si.si_signo));
	check_eq("si_code at exit", U64(variant->sig), U64(s.si.si_code));
	check_eq("PTRACE_GETEVENTMSG at exit", 2, s.msg);
	tracee_end(&t);
}

/* PTRACE_GET_SYSCALL_INFO: kernel/ptrace.c ptrace_get_syscall_info(). */

/* Whatever size is asked for, the full one is returned and no more is written. */
static void check_info_sizes(struct tracee *t, const char *stop, size_t full)
{
	static const size_t sizes[] = { 0, 1, 4, 8, 24, 25, 33, 80, 84, 88 };
	unsigned char all[96], part[96];
	char what[96];

	memset(all, 0xee, sizeof(all));
	tracee_syscall_info(t, (void *)all, sizeof(all));
	for (size_t i = 0; i < ARRAY_SIZE(sizes); i++) {
		size_t n = sizes[i] < full ? sizes[i] : full;

		memset(part, 0xee, sizeof(part));
		snprintf(what, sizeof(what), "GET_SYSCALL_INFO at %s, size %zu: full size", stop,
			 sizes[i]);
		check_eq(what, full, U64(tracee_syscall_info(t, (void *)part, sizes[i])));
		snprintf(what, sizeof(what), "GET_SYSCALL_INFO at %s, size %zu: data", stop,
			 sizes[i]);
		check_mem(what, all, part, n);
		snprintf(what, sizeof(what), "GET_SYSCALL_INFO at %s, size %zu: bytes beyond", stop,
			 sizes[i]);
		memset(all + 88, 0xee, 8);
		for (size_t k = n; k < sizeof(part); k++)
			if (part[k] != 0xee)
				case_fail("%s: byte %zu was written", what, k);
	}
}

static void check_info(const struct stop *s, const struct svc_frame *f, unsigned int op)
{
	check_eq("op", op, s->info.op);
	check_eq("arch", AUDIT_ARCH_AARCH64, s->info.arch);
	check_eq("instruction_pointer", U64(svc_after), s->info.instruction_pointer);
	check_eq("stack_pointer", f->sp, s->info.stack_pointer);
}

TEST(syscall_info_at_entry_has_number_and_six_arguments)
{
	static const uint64_t args[6] = {
		~0ull, 0, 1, 0x8000000000000000ull, 0xffffffffull, 0x0123456789abcdefull
	};
	struct svc_script *sc;
	struct tracee t;
	struct stop s;
	char what[32];

	PINS("P03");
	sc = script(1);
	svc_fill(&sc->f[0], __NR_getuid, 6, args[0], args[1], args[2], args[3], args[4], args[5]);
	s = first_stop(&t, sc, SYSGOOD, PTRACE_SYSCALL, "entry getuid");
	check_info(&s, &sc->f[0], PTRACE_SYSCALL_INFO_ENTRY);
	check_eq("entry.nr", __NR_getuid, s.info.entry.nr);
	for (int i = 0; i < 6; i++) {
		snprintf(what, sizeof(what), "entry.args[%d]", i);
		check_eq(what, args[i], s.info.entry.args[i]);
	}
	check_info_sizes(&t, "entry", 80);
	tracee_end(&t);
}

FIXTURE(info_exit) {
};

/* A call, and what GET_SYSCALL_INFO says of its result. */
FIXTURE_VARIANT(info_exit) {
	unsigned int nr;
	uint64_t args[6];
	const char *entry, *exit;
	int64_t rval;
	unsigned int is_error;
};

FIXTURE_VARIANT_ADD(info_exit, success) {
	.nr = __NR_umask, .args = { 022 },
	.entry = "entry umask", .exit = "exit umask", .rval = 077, .is_error = 0,
};

FIXTURE_VARIANT_ADD(info_exit, zero) {
	.nr = __NR_sched_yield,
	.entry = "entry sched_yield", .exit = "exit sched_yield", .rval = 0, .is_error = 0,
};

FIXTURE_VARIANT_ADD(info_exit, enoent) {
	.nr = __NR_openat, .args = { (uint64_t)AT_FDCWD, (uint64_t)"", O_RDONLY },
	.entry = "entry openat", .exit = "exit openat", .rval = -ENOENT, .is_error = 1,
};

/* Above 2^46: no sign, no error, whatever the upper half says. */
FIXTURE_VARIANT_ADD(info_exit, mmap_address) {
	.nr = __NR_mmap,
	.args = { 0x5555ffff0000, 4096, PROT_READ,
		  MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, ~0ull, 0 },
	.entry = "entry mmap", .exit = "exit mmap", .rval = 0x5555ffff0000, .is_error = 0,
};

FIXTURE_SETUP(info_exit)
{
}

FIXTURE_TEARDOWN(info_exit)
{
}

TEST_F(info_exit, rval_and_is_error_are_those_of_the_call)
{
	struct svc_script *sc;
	struct tracee t;
	struct stop s;

	PINS("P03");
	sc = script(1);
	umask(077);
	svc_fill(&sc->f[0], variant->nr, 6, variant->args[0], variant->args[1], variant->args[2],
		 variant->args[3], variant->args[4], variant->args[5]);
	first_stop(&t, sc, SYSGOOD, PTRACE_SYSCALL, variant->entry);
	s = next_stop(&t, variant->exit);
	check_info(&s, &sc->f[0], PTRACE_SYSCALL_INFO_EXIT);
	check_eq("exit.rval", U64(variant->rval), U64(s.info.exit.rval));
	check_eq("exit.is_error", variant->is_error, s.info.exit.is_error);
	check_eq("x0 at the exit stop", U64(variant->rval), s.regs.regs[0]);
	check_info_sizes(&t, "exit", 33);
	tracee_end(&t);
}

TEST(syscall_info_is_none_without_tracesysgood_and_at_a_signal)
{
	struct svc_script *sc;
	struct tracee t;
	struct stop s;

	PINS("P03");
	sc = script(1);
	svc_fill(&sc->f[0], __NR_kill, 2, U64(0), U64(0));
	s = first_stop(&t, sc, 0, PTRACE_SYSCALL, "entry kill");
	check_info(&s, &sc->f[0], PTRACE_SYSCALL_INFO_NONE);
	check_info_sizes(&t, "an entry stop without TRACESYSGOOD", 24);
	s = next_stop(&t, "exit kill");
	check_info(&s, &sc->f[0], PTRACE_SYSCALL_INFO_NONE);
	check_info_sizes(&t, "an exit stop without TRACESYSGOOD", 24);
	kill(t.pid, SIGUSR1);
	s = next_stop(&t, "signal SIGUSR1 SI_USER pc=svc+4");
	check_info(&s, &sc->f[0], PTRACE_SYSCALL_INFO_NONE);
	check_info_sizes(&t, "a signal", 24);
	tracee_end(&t);
}

/* In the case's own process: tracees inherit it. getuid is traced, all else allowed. */
static void trace_getuid(unsigned int data)
{
	struct sock_filter insns[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_getuid, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_TRACE | data),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog prog = { ARRAY_SIZE(insns), insns };
	const char *reason;

	if (!has_seccomp_filter(&reason))
		case_skip("%s", reason);
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) ||
	    prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &prog, 0, 0))
		case_die("installing the filter failed: %s", strerror(errno));
}

TEST(syscall_info_at_a_seccomp_stop_has_number_arguments_and_data)
{
	struct svc_script *sc;
	struct tracee t;
	struct stop s;
	char what[32];

	PINS("P03");
	trace_getuid(0x1234);
	sc = script(1);
	s = first_stop(&t, sc, SYSGOOD | PTRACE_O_TRACESECCOMP, PTRACE_CONT, "seccomp getuid");
	check_info(&s, &sc->f[0], PTRACE_SYSCALL_INFO_SECCOMP);
	check_eq("seccomp.nr", __NR_getuid, s.info.seccomp.nr);
	for (unsigned int i = 0; i < 6; i++) {
		snprintf(what, sizeof(what), "seccomp.args[%u]", i);
		check_eq(what, svc_pattern(i), s.info.seccomp.args[i]);
	}
	check_eq("seccomp.ret_data", 0x1234, s.info.seccomp.ret_data);
	check_eq("PTRACE_GETEVENTMSG", 0x1234, s.msg);
	check_info_sizes(&t, "a seccomp stop", 84);
	tracee_end(&t);
}

TEST(x7_reads_0_at_entry_and_1_at_exit)
{
	struct svc_script *sc;
	struct tracee t;
	struct stop s;

	PINS("P04");
	sc = script(1);
	s = first_stop(&t, sc, SYSGOOD, PTRACE_SYSCALL, "entry getuid");
	check_eq("x7 at entry", 0, s.regs.regs[7]);
	s = next_stop(&t, "exit getuid");
	check_eq("x7 at exit", 1, s.regs.regs[7]);
	next_stop(&t, "entry exit_group");
	tracee_end(&t);
	check_eq("x7 in the task afterwards", X7_TRUE, sc->f[0].x_out[7]);
}

TEST(x7_written_at_entry_and_exit_is_dropped)
{
	struct svc_script *sc;
	struct tracee t;
	struct stop s;

	PINS("P04");
	sc = script(1);
	s = first_stop(&t, sc, SYSGOOD, PTRACE_SYSCALL, "entry getuid");
	s.regs.regs[7] = X7_LIE;
	tracee_set_regs(&t, &s.regs);
	s = next_stop(&t, "exit getuid");
	s.regs.regs[7] = X7_LIE;
	tracee_set_regs(&t, &s.regs);
	next_stop(&t, "entry exit_group");
	tracee_end(&t);
	check_eq("x7 in the task afterwards", X7_TRUE, sc->f[0].x_out[7]);
}

/* A child made by clone ends at once; its parent waits for that, as CLONE_VFORK says. */
static void vfork_body(void *arg)
{
	struct svc_script *s = arg;

	svc_run(&s->f[0]);
	if (!s->f[0].x_out[0])
		svc_exit(0);
}

FIXTURE(true_x7) {
};

/* Ways to a stop that is no syscall stop, all with x7 as the task has it. */
FIXTURE_VARIANT(true_x7) {
	void (*body)(void *arg);
	uint64_t nr, arg0, arg1;
	unsigned long options;
	bool filter;
	struct stop_row rows[3];
	size_t n;
};

FIXTURE_VARIANT_ADD(true_x7, seccomp_stop) {
	.body = svc_script_run, .nr = __NR_getuid, .filter = true,
	.options = SYSGOOD | PTRACE_O_TRACESECCOMP,
	.rows = {
		{ PTRACE_SYSCALL, 0, "entry getuid" },
		{ PTRACE_SYSCALL, 0, "seccomp getuid pc=svc+4" },
	}, .n = 2,
};

FIXTURE_VARIANT_ADD(true_x7, event_stop) {
	.body = vfork_body, .nr = __NR_clone, .arg0 = CLONE_VFORK | SIGCHLD,
	.options = SYSGOOD | PTRACE_O_TRACEVFORKDONE,
	.rows = {
		{ PTRACE_SYSCALL, 0, "entry clone" },
		{ PTRACE_SYSCALL, 0, "event vfork-done" },
	}, .n = 2,
};

/* A signal that is pending at the exit stop is delivered after it. */
FIXTURE_VARIANT_ADD(true_x7, signal_stop) {
	.body = svc_script_run, .nr = __NR_tgkill, .arg0 = 1, .arg1 = SIGUSR1,
	.options = SYSGOOD,
	.rows = {
		{ PTRACE_SYSCALL, 0, "entry tgkill" },
		{ PTRACE_SYSCALL, 0, "exit tgkill pc=svc+4 x0=0" },
		{ PTRACE_CONT, 0, "signal SIGUSR1 SI_TKILL pc=svc+4 x0=0" },
	}, .n = 3,
};

FIXTURE_VARIANT_ADD(true_x7, group_stop) {
	.body = svc_script_run, .nr = __NR_tgkill, .arg0 = 1, .arg1 = SIGSTOP,
	.options = SYSGOOD,
	.rows = {
		{ PTRACE_CONT, 0, "signal SIGSTOP SI_TKILL pc=svc+4 x0=0" },
		{ PTRACE_CONT, SIGSTOP, "group SIGSTOP" },
	}, .n = 2,
};

FIXTURE_VARIANT_ADD(true_x7, pseudo_step) {
	.body = svc_script_run, .nr = __NR_getuid,
	.options = SYSGOOD,
	.rows = {
		{ PTRACE_SYSCALL, 0, "entry getuid" },
		{ PTRACE_SINGLESTEP, 0, "pseudo-step pc=svc+4" },
	}, .n = 2,
};

FIXTURE_SETUP(true_x7)
{
}

FIXTURE_TEARDOWN(true_x7)
{
}

/* tgkill wants the task's own ids, which only it knows: the first call fetches them. */
static void self_signal_body(void *arg)
{
	struct svc_script *s = arg;

	s->f[0].x[0] = U64(svc_call(__NR_getpid, 0));
	s->f[0].x[1] = s->f[0].x[0];
	svc_run(&s->f[0]);
}

TEST_F(true_x7, is_shown_and_what_is_written_sticks)
{
	const bool signals = variant->nr == __NR_tgkill;
	struct stop_row own[2] = {
		{ PTRACE_SYSCALL, 0, "entry getpid" },
		{ PTRACE_SYSCALL, 0, "exit getpid pc=svc+4 x0=tracee" },
	};
	struct svc_script *sc;
	struct tracee t;
	struct stop s;

	PINS("P05");
	if (variant->filter)
		trace_getuid(1);
	sc = script(1);
	svc_fill(&sc->f[0], variant->nr, 5, variant->arg0, U64(0), variant->arg1, U64(0), U64(0));
	t = tracee_start(signals ? self_signal_body : variant->body, sc, variant->options);
	if (signals)
		tracee_expect(&t, own, ARRAY_SIZE(own), NULL);
	if (!tracee_expect(&t, variant->rows, variant->n, &s))
		case_die("cannot go on without that stop");
	check_eq("x7 at the stop", X7_TRUE, s.regs.regs[7]);
	s.regs.regs[7] = X7_LIE;
	tracee_set_regs(&t, &s.regs);
	s = tracee_next(&t, PTRACE_CONT, 0);
	while (t.running)
		s = tracee_next(&t, PTRACE_CONT, 0);
	check_eq("x7 in the task afterwards", X7_LIE, sc->f[0].x_out[7]);
}

FIXTURE(argument) {
};

/* A value that must be seen in each of x0-x5, alone among others. */
FIXTURE_VARIANT(argument) {
	uint64_t value;
};

FIXTURE_VARIANT_ADD(argument, zero) {
	.value = 0,
};

FIXTURE_VARIANT_ADD(argument, all_bits) {
	.value = ~0ull,
};

FIXTURE_VARIANT_ADD(argument, enosys) {
	.value = (uint64_t)-ENOSYS,
};

FIXTURE_VARIANT_ADD(argument, sign_bit_of_32) {
	.value = 0x80000000ull,
};

FIXTURE_SETUP(argument)
{
}

FIXTURE_TEARDOWN(argument)
{
}

TEST_F(argument, is_in_its_register_at_entry)
{
	struct svc_script *sc;
	struct tracee t;
	struct stop s;
	char what[64];

	PINS("P06");
	sc = script(6);
	for (unsigned int i = 0; i < 6; i++)
		sc->f[i].x[i] = variant->value;
	t = tracee_start(svc_script_run, sc, SYSGOOD);
	for (unsigned int i = 0; i < 6; i++) {
		s = next_stop(&t, "entry getuid");
		for (unsigned int r = 0; r < 6; r++) {
			snprintf(what, sizeof(what), "x%u at entry, value in argument %u", r, i);
			check_eq(what, r == i ? variant->value : svc_pattern(r), s.regs.regs[r]);
		}
		next_stop(&t, "exit getuid");
	}
	tracee_end(&t);
}

static void check_stop_regs(const struct stop *s, const struct svc_frame *f, uint64_t x0,
			    uint64_t x7)
{
	const char *kind = stop_kind_name(s->kind);
	char what[48];

	for (unsigned int i = 0; i < 31; i++) {
		uint64_t want = i == 0 ? x0 : i == 7 ? x7 : f->x[i];

		snprintf(what, sizeof(what), "x%u at %s", i, kind);
		check_eq(what, want, s->regs.regs[i]);
	}
	snprintf(what, sizeof(what), "PC at %s", kind);
	check_eq(what, U64(svc_after), s->regs.pc);
	snprintf(what, sizeof(what), "SP at %s", kind);
	check_eq(what, f->sp, s->regs.sp);
	snprintf(what, sizeof(what), "NZCV at %s", kind);
	check_eq(what, f->nzcv, s->regs.pstate & 0xf0000000);
}

TEST(registers_at_both_stops_are_as_the_task_left_them)
{
	struct svc_script *sc;
	struct tracee t;
	struct stop s;

	PINS("P07");
	sc = script(2);
	for (unsigned int i = 0; i < 31; i++)
		sc->f[1].x[i] = ~svc_pattern(i);
	sc->f[1].nzcv = 0x50000000;
	svc_fill(&sc->f[0], __NR_getppid, 0);
	sc->f[1].x[8] = __NR_dup;
	t = tracee_start(svc_script_run, sc, SYSGOOD);
	s = next_stop(&t, "entry getppid");
	check_stop_regs(&s, &sc->f[0], sc->f[0].x[0], 0);
	s = next_stop(&t, "exit getppid");
	check_stop_regs(&s, &sc->f[0], U64(getpid()), 1);
	s = next_stop(&t, "entry dup");
	check_stop_regs(&s, &sc->f[1], sc->f[1].x[0], 0);
	s = next_stop(&t, "exit dup");
	check_stop_regs(&s, &sc->f[1], U64(-EBADF), 1);
	next_stop(&t, "entry exit_group");
	tracee_end(&t);
	check_frame(&sc->f[0], U64(getpid()));
	check_frame(&sc->f[1], U64(-EBADF));
}

TEST(system_call_regset_is_the_number_at_both_stops)
{
	struct tracee t;
	struct stop s;

	PINS("P08");
	s = first_stop(&t, script(1), SYSGOOD, PTRACE_SYSCALL, "entry getuid");
	check_eq("NT_ARM_SYSTEM_CALL at entry", __NR_getuid, U64(s.nr));
	s = next_stop(&t, "exit getuid");
	check_eq("NT_ARM_SYSTEM_CALL at exit", __NR_getuid, U64(s.nr));
	tracee_end(&t);
}

static void empty_handler(int sig)
{
	(void)sig;
}

TEST(system_call_regset_is_minus_1_at_a_signal_and_at_sigreturn_exit)
{
	static const struct stop_row rows[] = {
		{ PTRACE_SYSCALL, 0, "entry getpid" },
		{ PTRACE_SYSCALL, 0, "exit getpid pc=svc+4 x0=tracee" },
		{ PTRACE_SYSCALL, 0, "entry tgkill pc=svc+4" },
		{ PTRACE_SYSCALL, 0, "exit tgkill pc=svc+4 x0=0" },
	};
	struct sigaction sa = { .sa_handler = empty_handler };
	struct stop_row handle = { PTRACE_SYSCALL, SIGUSR1, "entry rt_sigreturn" };
	struct svc_script *sc;
	struct tracee t;
	struct stop s;

	PINS("P08");
	sigaction(SIGUSR1, &sa, NULL);
	sc = script(1);
	svc_fill(&sc->f[0], __NR_tgkill, 3, U64(0), U64(0), U64(SIGUSR1));
	t = tracee_start(self_signal_body, sc, SYSGOOD);
	tracee_expect(&t, rows, ARRAY_SIZE(rows), NULL);
	s = next_stop(&t, "signal SIGUSR1 SI_TKILL pc=svc+4 x0=0");
	check_eq("NT_ARM_SYSTEM_CALL at the signal-delivery-stop", U64(-1), U64(s.nr));
	tracee_expect(&t, &handle, 1, &s);
	check_eq("NT_ARM_SYSTEM_CALL at rt_sigreturn's entry", __NR_rt_sigreturn, U64(s.nr));
	s = next_stop(&t, "exit -1 pc=svc+4 x0=0");
	check_eq("NT_ARM_SYSTEM_CALL at rt_sigreturn's exit", U64(-1), U64(s.nr));
	next_stop(&t, "entry exit_group");
	tracee_end(&t);
	check_eq("x0 of the interrupted call", 0, sc->f[0].x_out[0]);
}

ENTRY_TEST_MAIN
