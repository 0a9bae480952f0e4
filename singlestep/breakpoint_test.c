// SPDX-License-Identifier: GPL-2.0
/*
 * Hardware breakpoints on the svc and behind it, alone, with PTRACE_SYSCALL and with
 * stepping, and watchpoints on what a call reads or writes: the kernel's own access is
 * not reported, and the next of the task is (S09 of the contract). do_breakpoint(),
 * do_watchpoint() and watchpoint_report() in arch/arm64/kernel/hw_breakpoint.c decide.
 */
#include <asm/unistd.h>
#include <elf.h>
#include <errno.h>
#include <signal.h>
#include <stddef.h>
#include <sys/uio.h>
#include <unistd.h>

#include "case.h"
#include "counted.h"
#include "effect.h"

#define STEP		PTRACE_SINGLESTEP
#define SYSGOOD		PTRACE_O_TRACESYSGOOD
#define HIT(pc)		"signal SIGTRAP TRAP_HWBKPT pc=" pc

/* The control register: enabled, at EL0, what access, which bytes. */
#define CTRL_ON		(1u | 2u << 1)
#define CTRL_LOAD	(1u << 3)
#define CTRL_STORE	(2u << 3)
#define CTRL_4_BYTES	(0xfu << 5)
#define CTRL_8_BYTES	(0xffu << 5)
#define CTRL_EXEC	(CTRL_ON | CTRL_4_BYTES)

static long access_regset(struct tracee *t, long request, unsigned long note,
			  struct user_hwdebug_state *state, unsigned int slots)
{
	struct iovec iov = { state, offsetof(struct user_hwdebug_state, dbg_regs) +
				    slots * sizeof(state->dbg_regs[0]) };

	return tracee_request(t, request, note, &iov);
}

/* Skip where the CPU or the kernel has fewer than @n of the kind. */
static void need_slots(struct tracee *t, unsigned long note, unsigned int n)
{
	struct user_hwdebug_state state = { 0 };
	const char *kind = note == NT_ARM_HW_BREAK ? "breakpoints" : "watchpoints";

	if (access_regset(t, PTRACE_GETREGSET, note, &state, 1) || (state.dbg_info & 0xff) < n)
		case_skip("fewer than %u hardware %s: needs CONFIG_HAVE_HW_BREAKPOINT and a CPU with them",
			  n, kind);
}

/* Set slot 0, and slot 1 where @addr1 is not 0; a slot with control 0 is off. */
static void set_slots(struct tracee *t, unsigned long note, __u64 addr0, unsigned int ctrl0,
		      __u64 addr1)
{
	struct user_hwdebug_state state = {
		.dbg_regs = { { .addr = addr0, .ctrl = ctrl0 },
			      { .addr = addr1, .ctrl = CTRL_EXEC } },
	};
	long ret = access_regset(t, PTRACE_SETREGSET, note, &state, addr1 ? 2 : 1);

	if (ret)
		case_die("setting the hardware breakpoint failed: %s", strerror((int)-ret));
}

FIXTURE(break_at) {
};

/* Breakpoints on the svc and svc+4, or one of them; a breakpoint that hit is turned off. */
FIXTURE_VARIANT(break_at) {
	bool at_svc, at_after, writes;
	struct stop_row rows[10];
};

FIXTURE_VARIANT_ADD(break_at, svc) {
	.at_svc = true,
	.rows = {
		{ PTRACE_CONT, 0, HIT("svc x0=18") },
		{ PTRACE_CONT, 0, "signal SIGTRAP TRAP_BRKPT pc=svc+12 x0=63" },
	},
};

FIXTURE_VARIANT_ADD(break_at, svc_4) {
	.at_after = true,
	.rows = {
		{ PTRACE_CONT, 0, HIT("svc+4 x0=63") },
		{ PTRACE_CONT, 0, "signal SIGTRAP TRAP_BRKPT pc=svc+12 x0=63" },
	},
};

FIXTURE_VARIANT_ADD(break_at, svc_and_svc_4) {
	.at_svc = true, .at_after = true,
	.rows = {
		{ PTRACE_CONT, 0, HIT("svc x0=18") },
		{ PTRACE_CONT, 0, HIT("svc+4 x0=63") },
		{ PTRACE_CONT, 0, "signal SIGTRAP TRAP_BRKPT pc=svc+12 x0=63" },
	},
};

FIXTURE_VARIANT_ADD(break_at, svc_and_svc_4_with_syscall_stops) {
	.at_svc = true, .at_after = true,
	.rows = {
		{ PTRACE_SYSCALL, 0, HIT("svc x0=18") },
		{ PTRACE_SYSCALL, 0, "entry umask pc=svc+4 x0=18" },
		{ PTRACE_SYSCALL, 0, "exit umask pc=svc+4 x0=63" },
		{ PTRACE_SYSCALL, 0, HIT("svc+4 x0=63") },
		{ PTRACE_SYSCALL, 0, "signal SIGTRAP TRAP_BRKPT pc=svc+12 x0=63" },
	},
};

/* The trap of a step that is over has priority; with the next step the breakpoint hits. */
FIXTURE_VARIANT_ADD(break_at, svc_stepped) {
	.at_svc = true,
	.rows = {
		{ STEP, 0, "step pc=svc x0=18" },
		{ STEP, 0, HIT("svc x0=18") },
		{ STEP, 0, "pseudo-step pc=svc+4 x0=63" },
		{ STEP, 0, "step pc=svc+4 x0=63" },
		{ STEP, 0, "step pc=svc+8 x0=63" },
	},
};

FIXTURE_VARIANT_ADD(break_at, svc_4_stepped) {
	.at_after = true,
	.rows = {
		{ STEP, 0, "step pc=svc x0=18" },
		{ STEP, 0, "pseudo-step pc=svc+4 x0=63" },
		{ STEP, 0, "step pc=svc+4 x0=63" },
		{ STEP, 0, HIT("svc+4 x0=63") },
		{ STEP, 0, "step pc=svc+8 x0=63" },
	},
};

FIXTURE_VARIANT_ADD(break_at, svc_4_stepped_with_writes) {
	.at_after = true, .writes = true,
	.rows = {
		{ STEP, 0, "step pc=svc x0=18" },
		{ STEP, 0, "pseudo-step pc=svc+4 x0=63" },
		{ STEP, 0, HIT("svc+4 x0=63") },
		{ STEP, 0, "step pc=svc+8 x0=63" },
	},
};

FIXTURE_VARIANT_ADD(break_at, svc_4_stepped_to_from_entry_stop) {
	.at_after = true,
	.rows = {
		{ PTRACE_SYSCALL, 0, "entry umask pc=svc+4 x0=18" },
		{ STEP, 0, "pseudo-step pc=svc+4 x0=63" },
		{ STEP, 0, HIT("svc+4 x0=63") },
		{ PTRACE_CONT, 0, "signal SIGTRAP TRAP_BRKPT pc=svc+12 x0=63" },
	},
};

FIXTURE_SETUP(break_at)
{
}

FIXTURE_TEARDOWN(break_at)
{
}

TEST_F(break_at, hits_once_and_leaves_the_call_alone)
{
	__u64 first = U64(variant->at_svc ? counted_svc : counted_svc + 4);
	__u64 second = variant->at_svc && variant->at_after ? U64(counted_svc + 4) : 0;
	struct user_pt_regs regs;
	struct tracee t;
	struct stop s;

	PINS("S09");
	t = counted_start(&counted_umask, SYSGOOD, &regs);
	need_slots(&t, NT_ARM_HW_BREAK, 2);
	set_slots(&t, NT_ARM_HW_BREAK, first, CTRL_EXEC, second);
	for (const struct stop_row *r = variant->rows; r->expect; r++) {
		s = tracee_to(&t, r->request, r->sig, r->expect);
		if (s.kind == STOP_SIGNAL && s.code == TRAP_HWBKPT) {
			check_eq("si_addr", s.regs.pc, U64(s.si.si_addr));
			check_eq("x7", svc_pattern(7), s.regs.regs[7]);
			set_slots(&t, NT_ARM_HW_BREAK, s.regs.pc == first ? second : 0,
				  s.regs.pc == first && second ? CTRL_EXEC : 0, 0);
			if (second)
				set_slots(&t, NT_ARM_HW_BREAK, 0, 0, 0);
			second = 0;
		}
		if (variant->writes)
			tracee_set_regs(&t, &s.regs);
	}
	tracee_end(&t);
}
