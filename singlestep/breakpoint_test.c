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
#include <sched.h>
#include <stddef.h>
#include <sys/uio.h>
#include <unistd.h>

#include "case.h"
#include "counted.h"
#include "effect.h"

#define STEP		PTRACE_SINGLESTEP
#define SYSGOOD		PTRACE_O_TRACESYSGOOD
#define HWBKPT		4	/* TRAP_HWBKPT */
#define HIT(pc)		"signal SIGTRAP TRAP_HWBKPT pc=" pc

/* The control register: enabled, at EL0, what access, which bytes. */
#define CTRL_ON		0x5u
#define CTRL_LOAD	0x8u
#define CTRL_STORE	0x10u
#define CTRL_4_BYTES	(0xfu << 5)
#define CTRL_8_BYTES	(0xffu << 5)
#define CTRL_EXEC	(CTRL_ON | CTRL_4_BYTES)

/* The first two slots of NT_ARM_HW_BREAK or NT_ARM_HW_WATCH. */
struct slots {
	unsigned long note;
	struct user_hwdebug_state state;
};

static long access_slots(struct tracee *t, long request, struct slots *s)
{
	struct iovec iov = { &s->state, offsetof(struct user_hwdebug_state, dbg_regs[2]) };

	return tracee_request(t, request, s->note, &iov);
}

static void set_slots(struct tracee *t, struct slots *s)
{
	long ret = access_slots(t, PTRACE_SETREGSET, s);

	if (ret)
		case_die("setting the hardware slots failed: %s", strerror((int)-ret));
}

/* Set slot 0, and slot 1 where @ctrl1 is not 0; skip where the CPU has fewer. */
static struct slots use_slots(struct tracee *t, unsigned long note, __u64 addr0, __u32 ctrl0,
			      __u64 addr1, __u32 ctrl1)
{
	const char *kind = note == NT_ARM_HW_BREAK ? "breakpoints" : "watchpoints";
	struct slots s = { .note = note };

	if (access_slots(t, PTRACE_GETREGSET, &s) || (s.state.dbg_info & 0xff) < 2)
		case_skip("needs a CPU with two hardware %s, and CONFIG_HAVE_HW_BREAKPOINT", kind);
	s.state.dbg_regs[0].addr = addr0;
	s.state.dbg_regs[0].ctrl = ctrl0;
	s.state.dbg_regs[1].addr = addr1;
	s.state.dbg_regs[1].ctrl = ctrl1;
	set_slots(t, &s);
	return s;
}

/* Turn the slot for @addr off. */
static void slot_off(struct tracee *t, struct slots *s, __u64 addr)
{
	for (unsigned int i = 0; i < 2; i++)
		if (s->state.dbg_regs[i].addr == addr)
			s->state.dbg_regs[i].ctrl = 0;
	set_slots(t, s);
}

/* Does a breakpoint hit that has no call between it and the tracer? */
static bool hits_here(void)
{
	struct user_pt_regs regs;
	struct tracee t = counted_start(&counted_umask, SYSGOOD, &regs);
	struct stop s;

	t.quiet = true;
	use_slots(&t, NT_ARM_HW_BREAK, U64(counted_before), CTRL_EXEC, 0, 0);
	s = tracee_next(&t, PTRACE_CONT, 0);
	tracee_end(&t);
	return s.kind == STOP_SIGNAL && s.code == HWBKPT;
}

/* On a CPU whose breakpoints hit: QEMU has had one with none. If all are so, the case fails. */
static struct tracee start(const struct counted_call *c, struct user_pt_regs *regs)
{
	cpu_set_t set;

	for (int cpu = 0; !hits_here(); cpu++) {
		case_note("no breakpoint hits on this CPU; going to CPU %d", cpu);
		CPU_ZERO(&set);
		CPU_SET(cpu, &set);
		if (sched_setaffinity(0, sizeof(set), &set))
			break;
	}
	return counted_start(c, SYSGOOD | PTRACE_O_TRACEFORK, regs);
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
	struct user_pt_regs regs;
	struct slots slots;
	struct tracee t;
	struct stop s;

	PINS("S09");
	t = start(&counted_umask, &regs);
	slots = use_slots(&t, NT_ARM_HW_BREAK,
			  U64(counted_svc), variant->at_svc ? CTRL_EXEC : 0,
			  U64(counted_svc + 4), variant->at_after ? CTRL_EXEC : 0);
	for (const struct stop_row *r = variant->rows; r->expect; r++) {
		s = tracee_to(&t, r->request, r->sig, r->expect);
		if (s.kind == STOP_SIGNAL && s.code == HWBKPT) {
			check_eq("si_addr at the breakpoint", s.regs.pc, U64(s.si.si_addr));
			check_eq("x7 at the breakpoint", svc_pattern(7), s.regs.regs[7]);
			slot_off(&t, &slots, s.regs.pc);
		}
		if (variant->writes)
			tracee_set_regs(&t, &s.regs);
	}
	tracee_end(&t);
}

/* ptrace's breakpoints are not stepped over by the kernel: the tracer has to. */
TEST(breakpoint_that_stays_on_hits_again_and_the_instruction_does_not_run)
{
	static const struct stop_row rows[] = {
		{ PTRACE_CONT, 0, HIT("svc+4 x0=63") },
		{ PTRACE_CONT, 0, HIT("svc+4 x0=63") },
		{ STEP, 0, HIT("svc+4 x0=63") },
		{ PTRACE_SYSCALL, 0, HIT("svc+4 x0=63") },
	};
	struct user_pt_regs regs;
	struct tracee t;
	struct stop s;

	PINS("S09");
	t = start(&counted_umask, &regs);
	use_slots(&t, NT_ARM_HW_BREAK, U64(counted_svc + 4), CTRL_EXEC, 0, 0);
	tracee_expect(&t, rows, ARRAY_SIZE(rows), &s);
	check_eq("x20, which svc+4 counts in", svc_pattern(20), s.regs.regs[20]);
	tracee_end(&t);
}

TEST(breakpoint_at_a_handler_hits_after_the_handler_stop)
{
	static const struct stop_row rows[] = {
		{ STEP, 0, "step pc=svc" },
		{ STEP, SIGUSR1, "handler pc=handler x0=10" },
		{ STEP, 0, HIT("handler x0=10") },
	};
	struct user_pt_regs regs;
	struct slots slots;
	struct tracee t;

	PINS("S09 S05");
	counted_catch(SIGUSR1, 0, NULL);
	t = start(&counted_umask, &regs);
	slots = use_slots(&t, NT_ARM_HW_BREAK, U64(counted_handler), CTRL_EXEC, 0, 0);
	if (!tracee_expect(&t, rows, ARRAY_SIZE(rows), NULL))
		case_end();
	slot_off(&t, &slots, U64(counted_handler));
	tracee_to(&t, STEP, 0, "step pc=handler+4 x0=10");
	tracee_end(&t);
}

TEST(breakpoint_is_not_inherited_by_a_forked_child)
{
	const struct counted_call c = { .nr = __NR_clone, .args = { SIGCHLD }, .nargs = 5 };
	struct tracee parent, child;
	struct user_pt_regs regs;
	struct stop s;

	PINS("S09");
	parent = start(&c, &regs);
	use_slots(&parent, NT_ARM_HW_BREAK, U64(counted_svc + 4), CTRL_EXEC, 0, 0);
	s = tracee_to(&parent, PTRACE_CONT, 0, "event fork");
	child = tracee_adopt(&parent, (pid_t)s.msg);
	name_value(s.msg, "child");
	tracee_to(&child, WAIT_ONLY, 0, "signal SIGSTOP SI_USER pc=svc+4 x0=0");
	tracee_to(&child, PTRACE_CONT, 0, "signal SIGTRAP TRAP_BRKPT pc=svc+12 x0=0");
	tracee_to(&parent, PTRACE_CONT, 0, HIT("svc+4 x0=child"));
	tracee_end(&child);
	tracee_end(&parent);
}

FIXTURE(watched) {
};

/* A call that reads or writes the watched byte, and how the task gets over it. */
FIXTURE_VARIANT(watched) {
	bool read_call;		/* read(), which writes to memory */
	struct stop_row rows[8];
};

FIXTURE_VARIANT_ADD(watched, buffer_of_write) {
	.rows = {
		{ PTRACE_CONT, 0, "signal SIGTRAP TRAP_BRKPT pc=svc+12 x0=1" },
	},
};

FIXTURE_VARIANT_ADD(watched, buffer_of_read) {
	.read_call = true,
	.rows = {
		{ PTRACE_CONT, 0, "signal SIGTRAP TRAP_BRKPT pc=svc+12 x0=1" },
	},
};

FIXTURE_VARIANT_ADD(watched, buffer_of_read_with_syscall_stops) {
	.read_call = true,
	.rows = {
		{ PTRACE_SYSCALL, 0, "entry read pc=svc+4" },
		{ PTRACE_SYSCALL, 0, "exit read pc=svc+4 x0=1" },
	},
};

/* The kernel steps over its own access with the bit that steps the task. */
FIXTURE_VARIANT_ADD(watched, buffer_of_write_stepped) {
	.rows = {
		{ STEP, 0, "step pc=svc" },
		{ STEP, 0, "pseudo-step pc=svc+4 x0=1" },
		{ STEP, 0, "step pc=svc+4 x0=1" },
		{ STEP, 0, "step pc=svc+8 x0=1" },
	},
};

FIXTURE_VARIANT_ADD(watched, buffer_of_read_stepped) {
	.read_call = true,
	.rows = {
		{ STEP, 0, "step pc=svc" },
		{ STEP, 0, "pseudo-step pc=svc+4 x0=1" },
		{ STEP, 0, "step pc=svc+4 x0=1" },
		{ STEP, 0, "step pc=svc+8 x0=1" },
	},
};

FIXTURE_SETUP(watched)
{
}

FIXTURE_TEARDOWN(watched)
{
}

/* After the call the watchpoint is on as before: the task's own accesses both hit. */
static void check_touch(struct tracee *t, struct slots *slots, __u64 *buf)
{
	struct user_pt_regs regs;
	struct stop s;

	tracee_get_regs(t, &regs);
	regs.pc = U64(counted_touch);
	regs.regs[23] = U64(buf);
	tracee_set_regs(t, &regs);
	s = tracee_to(t, PTRACE_CONT, 0, HIT("touch"));
	check_eq("si_addr at the load", U64(buf), U64(s.si.si_addr));
	check_eq("x22, which is to be loaded", regs.regs[22], s.regs.regs[22]);
	slots->state.dbg_regs[0].ctrl = CTRL_ON | CTRL_STORE | CTRL_8_BYTES;
	set_slots(t, slots);
	s = tracee_to(t, STEP, 0, "step pc=touch+4");
	check_eq("x22, loaded from the buffer", *buf, s.regs.regs[22]);
	s = tracee_to(t, STEP, 0, HIT("touch+4"));
	check_eq("si_addr at the store", U64(buf), U64(s.si.si_addr));
	slot_off(t, slots, U64(buf));
	tracee_to(t, STEP, 0, "step pc=touch+8");
}

TEST_F(watched, is_not_reported_for_the_kernel_and_then_is_for_the_task)
{
	__u64 *buf = shared_alloc(sizeof(*buf));
	const struct counted_call c = {
		.nr = variant->read_call ? __NR_read : __NR_write, .nargs = 3,
		.args = { variant->read_call ? EFFECT_READ_FD : EFFECT_FD, U64(buf), 1 },
	};
	struct user_pt_regs regs;
	struct slots slots;
	struct tracee t;

	PINS("S09");
	effect_pipe();
	if (variant->read_call)
		check_eq("bytes written for the call", 1, U64(write(EFFECT_FD, "!", 1)));
	else
		*buf = '!';
	t = start(&c, &regs);
	slots = use_slots(&t, NT_ARM_HW_WATCH, U64(buf),
			  CTRL_ON | CTRL_LOAD | CTRL_STORE | CTRL_8_BYTES, 0, 0);
	for (const struct stop_row *r = variant->rows; r->expect; r++)
		tracee_to(&t, r->request, r->sig, r->expect);
	check_eq("the watched byte", '!', *buf);
	check_eq("bytes in the pipe", variant->read_call ? 0 : 1, effect_count());
	check_touch(&t, &slots, buf);
	tracee_end(&t);
}
