// SPDX-License-Identifier: GPL-2.0
/*
 * PTRACE_SYSEMU is a flag of one task: another thread of its process is not emulated
 * for it, a program that the task executes is (E04). kernel/fork.c copy_process()
 * clears it in the new thread; execve() leaves it alone.
 */
#include <asm/unistd.h>
#include <errno.h>
#include <linux/elf.h>
#include <linux/fcntl.h>
#include <linux/sched.h>
#include <signal.h>

#include "case.h"
#include "effect.h"
#include "gate.h"
#include "tracee.h"

#define SYSGOOD		PTRACE_O_TRACESYSGOOD
#define RESULT		0x7e5017
#define PROGRAM_EXIT	9

/*
 * The thread: clone()'s return in it is svc_run()'s end, which takes the registers to
 * restore from the new stack, and returns to the x30 there. See lib/svc_frame.S.
 */
#define STACK_FRAME	(14 * 8)
#define STACK_X30	(13 * 8)

struct threads {
	struct svc_script *sc;
	struct svc_frame returned;
	__u64 stack[1024];
};

static struct threads *threads;

static void __noreturn thread(void)
{
	svc_run(&threads->sc->f[3]);
	/* Killed at once where write() did nothing: nobody need wait for the byte. */
	if (threads->sc->f[3].x_out[0] == 1)
		svc_call(__NR_exit, 1, U64(0));
	__builtin_trap();
}

/* clone; getppid; read of the byte that the thread writes. */
static struct svc_script *make_threads(void)
{
	const __u64 flags = CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SIGHAND | CLONE_THREAD;
	struct svc_script *sc = svc_script_new(4);
	char *frame;

	effect_pipe();
	threads = shared_alloc(sizeof(*threads));
	threads->sc = sc;
	frame = (char *)(threads->stack + 1024) - STACK_FRAME;
	*(__u64 *)frame = U64(&threads->returned);
	*(__u64 *)(frame + STACK_X30) = U64(thread);
	svc_fill(&sc->f[0], __NR_clone, 5, flags, U64(frame), U64(0), U64(0), U64(0));
	svc_fill(&sc->f[1], __NR_getppid, 0);
	svc_fill(&sc->f[2], __NR_read, 3, U64(EFFECT_READ_FD), U64(threads->stack), U64(1));
	effect_call(&sc->f[3]);
	sc->n = 3;
	return sc;
}

TEST(thread_runs_its_calls_while_its_creator_is_emulated)
{
	static const struct stop_row rows[] = {
		{ PTRACE_SYSCALL, 0, "entry clone pc=svc+4" },
		{ PTRACE_SYSEMU, 0, "entry getppid pc=svc+4 x0=pattern0" },
		{ PTRACE_SYSCALL, 0, "exit getppid pc=svc+4 x0=pattern0" },
		{ PTRACE_SYSCALL, 0, "entry read pc=svc+4 x0=201" },
		{ PTRACE_SYSCALL, 0, "exit read pc=svc+4 x0=1" },
	};
	struct svc_script *sc;
	struct tracee t;

	PINS("E04");
	sc = make_threads();
	t = tracee_start(svc_script_run, sc, SYSGOOD);
	tracee_expect(&t, rows, ARRAY_SIZE(rows), NULL);
	tracee_end(&t);
}

TEST(thread_is_emulated_while_its_creator_runs_its_calls)
{
	struct svc_script *sc;
	struct tracee t, other;
	struct stop s;

	PINS("E04");
	sc = make_threads();
	t = tracee_start(svc_script_run, sc, SYSGOOD | PTRACE_O_TRACECLONE);
	tracee_to(&t, PTRACE_SYSCALL, 0, "entry clone pc=svc+4");
	s = tracee_to(&t, PTRACE_SYSCALL, 0, "event clone");
	other = tracee_adopt(&t, (pid_t)s.msg);
	tracee_to(&other, WAIT_ONLY, 0, "signal SIGSTOP");
	s = tracee_to(&other, PTRACE_SYSEMU, 0, "entry write pc=svc+4 x0=200");
	s.regs.regs[0] = 1;
	tracee_set_regs(&other, &s.regs);
	tracee_to(&t, PTRACE_SYSCALL, 0, "exit clone pc=svc+4 x0=pid");
	tracee_to(&t, PTRACE_SYSCALL, 0, "entry getppid pc=svc+4 x0=pattern0");
	tracee_to(&t, PTRACE_SYSCALL, 0, "exit getppid pc=svc+4 x0=tracer");
	tracee_to(&other, PTRACE_SYSEMU, 0, "entry exit pc=svc+4 x0=0");
	check_eq("bytes that the thread's emulated write() wrote", 0, effect_count());
	tracee_end(&other);
	tracee_end(&t);
	check_frame(&sc->f[3], 1);
}

/* A program of one page: write() to the effect pipe, exit_group(9). */
#define PROGRAM_AT	0x10000000ul
#define MOVZ(reg, imm)	(0xd2800000u | (unsigned int)(imm) << 5 | (reg))
#define ADR_X1_HERE	0x10000001u
#define BRK		0xd4200000u

static const struct program {
	struct elf64_hdr header;
	struct elf64_phdr segment;
	unsigned int insns[10];
} program = {
	.header = {
		.e_ident = { 0x7f, 'E', 'L', 'F', ELFCLASS64, ELFDATA2LSB, EV_CURRENT },
		.e_type = ET_EXEC, .e_machine = EM_AARCH64, .e_version = EV_CURRENT,
		.e_entry = PROGRAM_AT + offsetof(struct program, insns),
		.e_phoff = offsetof(struct program, segment),
		.e_ehsize = sizeof(struct elf64_hdr),
		.e_phentsize = sizeof(struct elf64_phdr), .e_phnum = 1,
	},
	.segment = {
		.p_type = PT_LOAD, .p_flags = PF_R | PF_X, .p_vaddr = PROGRAM_AT,
		.p_filesz = sizeof(struct program), .p_memsz = sizeof(struct program),
		.p_align = 0x10000,
	},
	.insns = {
		MOVZ(0, EFFECT_FD), ADR_X1_HERE, MOVZ(2, 1), MOVZ(8, __NR_write), SVC_OPCODE,
		MOVZ(0, PROGRAM_EXIT), MOVZ(8, __NR_exit_group), SVC_OPCODE, BRK, BRK,
	},
};

/* Make @frame an execveat() of it. */
static void execute_program(struct svc_frame *frame)
{
	static const char * const argv[] = { "program", NULL };
	int fd = (int)syscall(__NR_memfd_create, "program", 0);

	if (fd < 0)
		case_skip("no memfd_create: needs CONFIG_MEMFD_CREATE");
	if (write(fd, &program, sizeof(program)) != sizeof(program))
		case_die("writing the program failed: %s", strerror(errno));
	effect_pipe();
	name_range(PROGRAM_AT + offsetof(struct program, insns), sizeof(program.insns),
		   "program");
	svc_fill(frame, __NR_execveat, 5, U64(fd), U64(""), U64(argv), U64(argv + 1),
		 U64(AT_EMPTY_PATH));
}

FIXTURE(program) {
};

/* The requests out of the entry stop of execveat() and out of the exec event. */
FIXTURE_VARIANT(program) {
	struct stop_row rows[5];
	size_t n;
	unsigned int wrote;
};

FIXTURE_VARIANT_ADD(program, is_emulated_from_its_first_call) {
	.rows = {
		{ PTRACE_SYSCALL, 0, "entry execveat pc=svc+4" },
		{ PTRACE_SYSEMU, 0, "event exec" },
		{ PTRACE_SYSEMU, 0, "entry write pc=program+20 x0=200" },
		{ PTRACE_SYSEMU, 0, "entry exit_group pc=program+32 x0=9" },
		{ PTRACE_CONT, 0, "signal SIGTRAP TRAP_BRKPT pc=program+32" },
	}, .n = 5,
};

FIXTURE_VARIANT_ADD(program, runs_where_the_exec_event_is_left_with_cont) {
	.rows = {
		{ PTRACE_SYSCALL, 0, "entry execveat pc=svc+4" },
		{ PTRACE_SYSEMU, 0, "event exec" },
		{ PTRACE_CONT, 0, "exited 9" },
	}, .n = 3, .wrote = 1,
};

FIXTURE_VARIANT_ADD(program, has_execs_exit_stop_where_the_event_is_left_with_syscall) {
	.rows = {
		{ PTRACE_SYSCALL, 0, "entry execveat pc=svc+4" },
		{ PTRACE_SYSEMU, 0, "event exec" },
		{ PTRACE_SYSCALL, 0, "exit execveat pc=program x0=0" },
		{ PTRACE_SYSEMU, 0, "entry write pc=program+20 x0=200" },
	}, .n = 4,
};

FIXTURE_VARIANT_ADD(program, does_not_begin_where_execveat_is_emulated) {
	.rows = {
		{ PTRACE_SYSEMU, 0, "entry execveat pc=svc+4" },
		{ PTRACE_SYSEMU, 0, "entry getppid pc=svc+4 x0=pattern0" },
		{ PTRACE_CONT, 0, "exited 0" },
	}, .n = 3,
};

FIXTURE_SETUP(program)
{
}

FIXTURE_TEARDOWN(program)
{
}

TEST_F(program, under_sysemu)
{
	struct svc_script *sc;
	struct tracee t;

	PINS("E04");
	sc = svc_script_new(2);
	execute_program(&sc->f[0]);
	svc_fill(&sc->f[1], __NR_getppid, 0);
	t = tracee_start(svc_script_run, sc, SYSGOOD | PTRACE_O_TRACEEXEC);
	tracee_expect(&t, variant->rows, variant->n, NULL);
	tracee_end(&t);
	check_eq("bytes that the program's write() wrote", variant->wrote, effect_count());
}

/* Where nothing stops the task between execveat() and the program: it is seized. */
TEST(program_executed_without_an_exec_event_is_emulated)
{
	static const struct stop_row rows[] = {
		{ PTRACE_SYSCALL, 0, "entry read pc=svc+4 x0=gate" },
		{ PTRACE_SYSCALL, 0, "exit read pc=svc+4 x0=1" },
		{ PTRACE_SYSCALL, 0, "entry execveat pc=svc+4" },
		{ PTRACE_SYSEMU, 0, "entry write pc=program+20 x0=200" },
		{ PTRACE_SYSEMU, 0, "entry exit_group pc=program+32 x0=9" },
	};
	struct svc_script *sc;
	struct tracee t;

	PINS("E04");
	sc = svc_script_new(2);
	execute_program(&sc->f[1]);
	t = gate_spawn(sc);
	tracee_seize(&t, SYSGOOD);
	tracee_interrupt(&t);
	tracee_to(&t, WAIT_ONLY, 0, "event stop");
	gate_open(0);
	tracee_expect(&t, rows, ARRAY_SIZE(rows), NULL);
	tracee_end(&t);
	check_eq("bytes that the program's write() wrote", 0, effect_count());
}
