// SPDX-License-Identifier: GPL-2.0
/*
 * Every register that a tracer writes at the stops of a call reaches the task: x0-x30,
 * SP, NZCV, but for x7 at entry and exit stops; and what the kernel would not let the
 * task have is refused as a whole (P15). arch/arm64/kernel/ptrace.c gpr_set() and
 * valid_native_regs() decide.
 */
#include <asm/unistd.h>
#include <elf.h>
#include <errno.h>
#include <sys/uio.h>

#include "case.h"
#include "filter.h"
#include "stub.h"
#include "tracee.h"

#define SYSGOOD	PTRACE_O_TRACESYSGOOD
#define NZCV	0xf0000000ull

FIXTURE(register_written) {
};

/* The stop of a getuid at which all registers are written, and how to get there. */
FIXTURE_VARIANT(register_written) {
	const char *stop;
	long request;
	bool filter, exit;
};

FIXTURE_VARIANT_ADD(register_written, at_entry) {
	.stop = "entry getuid pc=svc+4", .request = PTRACE_SYSCALL,
};

FIXTURE_VARIANT_ADD(register_written, at_seccomp_stop) {
	.stop = "seccomp getuid pc=svc+4", .request = PTRACE_CONT, .filter = true,
};

FIXTURE_VARIANT_ADD(register_written, at_exit) {
	.stop = "entry getuid pc=svc+4", .request = PTRACE_SYSCALL, .exit = true,
};

FIXTURE_SETUP(register_written)
{
	if (variant->filter)
		filter_answer(__NR_getuid, SECCOMP_RET_TRACE);
}

FIXTURE_TEARDOWN(register_written)
{
}

/* A tracee that is about to execute the svc, a pattern in every register but x8. */
static struct tracee start_stub(struct user_pt_regs *regs)
{
	struct tracee t = tracee_start(stub, NULL, SYSGOOD | PTRACE_O_TRACESECCOMP);
	struct stop s;

	name_value(U64(stub), "start");
	name_range(U64(stub_svc), 12, "svc");
	name_value(svc_pattern(0), "pattern0");
	s = tracee_to(&t, PTRACE_CONT, 0, "signal SIGTRAP TRAP_BRKPT pc=start");
	*regs = s.regs;
	for (unsigned int i = 0; i < 31; i++)
		regs->regs[i] = svc_pattern(i);
	regs->regs[8] = __NR_getuid;
	regs->pc = U64(stub_svc);
	tracee_set_regs(&t, regs);
	return t;
}

static void check_regs(const struct user_pt_regs *want, const struct user_pt_regs *got)
{
	char what[48];

	for (unsigned int i = 0; i < 31; i++) {
		snprintf(what, sizeof(what), "x%u in the task after the call", i);
		check_eq(what, want->regs[i], got->regs[i]);
	}
	check_eq("SP in the task after the call", want->sp, got->sp);
	check_eq("NZCV in the task after the call", want->pstate & NZCV, got->pstate & NZCV);
}

/* Nothing in the stub uses SP: it need not be an address, nor aligned. */
static void write_all(struct tracee *t, struct user_pt_regs *regs, __u64 sp, __u64 nzcv)
{
	for (unsigned int i = 0; i < 31; i++)
		regs->regs[i] = ~svc_pattern(i);
	regs->sp = sp;
	regs->pstate = (regs->pstate & ~NZCV) | nzcv;
	tracee_set_regs(t, regs);
}

TEST_F(register_written, reaches_the_task)
{
	static const struct {
		__u64 sp, nzcv;
	} rows[] = { { 0x1234567890abcde1, 0x60000000 }, { ~0ull, 0x90000000 }, { 0, 0 } };
	struct user_pt_regs regs;
	struct tracee t;
	struct stop s;

	PINS("P15");
	t = start_stub(&regs);
	for (unsigned int row = 0; row < ARRAY_SIZE(rows); row++) {
		s = tracee_to(&t, variant->request, 0, variant->stop);
		if (variant->exit)
			s = tracee_to(&t, PTRACE_SYSCALL, 0, "exit getuid pc=svc+4");
		write_all(&t, &s.regs, rows[row].sp, rows[row].nzcv);
		if (!variant->exit)
			s.regs.regs[0] = U64(geteuid());
		if (!variant->filter)	/* a marker there, and the task's own again */
			s.regs.regs[7] = svc_pattern(7);
		regs = s.regs;
		s = tracee_to(&t, PTRACE_CONT, 0, "signal SIGTRAP TRAP_BRKPT pc=svc+8");
		check_regs(&regs, &s.regs);
		for (unsigned int i = 0; i < 31; i++)
			regs.regs[i] = svc_pattern(i);
		regs.regs[8] = __NR_getuid;
		regs.pc = U64(stub_svc);
		tracee_set_regs(&t, &regs);
	}
	tracee_end(&t);
}

/* arch/arm64/kernel/ptrace.c valid_native_regs(). */
TEST_F(register_written, with_a_pstate_of_the_kernel_is_einval)
{
	static const __u64 bits[] = {
		0x5 /* EL1h */, 0x10 /* AArch32 */, 0x40 /* F */, 0x80 /* I */, 0x100 /* A */,
		0x200 /* D */,
	};
	struct user_pt_regs regs;
	struct iovec iov = { &regs, sizeof(regs) };
	struct tracee t;
	struct stop s;
	char what[64];

	PINS("P15");
	t = start_stub(&regs);
	s = tracee_to(&t, variant->request, 0, variant->stop);
	if (variant->exit)
		s = tracee_to(&t, PTRACE_SYSCALL, 0, "exit getuid pc=svc+4");
	for (unsigned int i = 0; i < ARRAY_SIZE(bits); i++) {
		regs = s.regs;
		regs.regs[9] = 9;
		regs.sp = 0;
		regs.pstate |= bits[i];
		snprintf(what, sizeof(what), "writing PSTATE with 0x%llx set", bits[i]);
		check_eq(what, U64(-EINVAL),
			 U64(tracee_request(&t, PTRACE_SETREGSET, NT_PRSTATUS, &iov)));
		tracee_get_regs(&t, &regs);
		check_mem("the registers after it", &s.regs, &regs, sizeof(regs));
	}
	tracee_end(&t);
}

/* The regset is an array of registers: the first few can be written alone. */
TEST(part_of_the_registers_written_leaves_the_others)
{
	static const struct {
		size_t size;
		long ret;
		unsigned int n;		/* registers written by it and those before it */
	} rows[] = {
		{ 0, 0, 0 }, { 4, -EINVAL, 0 }, { 8, 0, 1 }, { 12, -EINVAL, 1 }, { 24, 0, 3 },
		{ 25, -EINVAL, 3 },
	};
	struct user_pt_regs regs;
	struct svc_script *sc;
	struct tracee t;
	struct iovec iov;
	struct stop s;
	char what[64];

	PINS("P10 P15");
	sc = svc_script_new(2);
	s = tracee_first(&t, sc, PTRACE_O_TRACESYSGOOD, PTRACE_SYSCALL, "entry getuid");
	for (unsigned int row = 0; row < ARRAY_SIZE(rows); row++) {
		memset(&regs, 0x77, sizeof(regs));
		iov = (struct iovec) { &regs, rows[row].size };
		snprintf(what, sizeof(what), "writing %zu bytes of NT_PRSTATUS", rows[row].size);
		check_eq(what, U64(rows[row].ret),
			 U64(tracee_request(&t, PTRACE_SETREGSET, NT_PRSTATUS, &iov)));
		for (unsigned int i = 0; i < rows[row].n; i++)
			s.regs.regs[i] = regs.regs[i];
		tracee_get_regs(&t, &regs);
		snprintf(what, sizeof(what), "registers after writing %zu bytes", rows[row].size);
		check_mem(what, &s.regs, &regs, sizeof(regs));
	}
	tracee_to(&t, PTRACE_SYSCALL, 0, "exit getuid");
	tracee_to(&t, PTRACE_SYSCALL, 0, "entry getuid");
	tracee_end(&t);
	memset(sc->f[0].x, 0x77, 3 * sizeof(sc->f[0].x[0]));
	check_frame(&sc->f[0], U64(geteuid()));
}
