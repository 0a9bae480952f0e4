// SPDX-License-Identifier: GPL-2.0
/*
 * getrandom() of the vDSO: a system call for the key, in the vDSO, then none until the
 * kernel has a new one; a system call instead where the key cannot be had or the
 * flags are unknown (P29). lib/vdso/getrandom.c __cvdso_getrandom_data() decides.
 */
#include <asm/unistd.h>
#include <errno.h>
#include <linux/random.h>
#include <linux/seccomp.h>
#include <string.h>

#include "case.h"
#include "filter.h"
#include "vdso.h"

#define SYSGOOD		PTRACE_O_TRACESYSGOOD
#define KEY_BYTES	32
#define BYTES		100
#define CALLS		8
#define BAD_FLAGS	0x1000

/* What the function says of its state if asked with a length of -1. */
struct params {
	__u32 size, prot, flags, reserved[13];
};

struct random {
	struct vdso_call calls[CALLS];
	unsigned char buffer[CALLS][128];
	unsigned char state[4096] __attribute__((aligned(4096)));
};

static struct random *random_new(void)
{
	struct random *r = shared_alloc(sizeof(*r));
	struct params params = { 0 };
	struct vdso_call *c = &r->calls[0];
	char byte;

	c->function = vdso_function("__kernel_getrandom");
	if (svc_call(__NR_getrandom, 3, U64(&byte), U64(1), U64(GRND_NONBLOCK)) != 1)
		case_skip("the kernel has no random numbers yet: needs an entropy source");
	c->args[3] = U64(&params);
	c->args[4] = ~0ull;
	vdso_call_run(c);
	if (!check_eq("asking for the size of the state", 0, U64(c->result)))
		case_end();
	if (!check_true("the state fits into a page", params.size && params.size <= 4096))
		case_end();
	for (unsigned int i = 0; i < CALLS; i++) {
		struct vdso_call call = {
			.function = c->function, .result = -1,
			.args = { U64(r->buffer[i]), BYTES, 0, U64(r->state), params.size },
		};

		r->calls[i] = call;
	}
	name_range(U64(r->buffer), sizeof(r->buffer), "buffer");
	name_range(U64(r->state), sizeof(r->state), "state");
	return r;
}

static bool is_filled(const unsigned char *buffer, unsigned int bytes)
{
	static const unsigned char none[16];

	return memcmp(buffer, none, 16) && memcmp(buffer + bytes - 16, none, 16);
}

static void random_run(void *arg)
{
	struct random *r = arg;

	for (unsigned int i = 0; i < CALLS; i++) {
		vdso_call_run(&r->calls[i]);
		svc_call(__NR_getppid, 0);
	}
}

/*
 * The kernel may have a new key at any time, about once a minute, so that one of the
 * calls may need a system call again: all of them cannot.
 */
TEST(getrandom_makes_a_system_call_for_its_key_and_then_none)
{
	unsigned int without = 0;
	struct random *r;
	struct tracee t;
	struct stop s;

	PINS("P29");
	r = random_new();
	t = tracee_start(random_run, r, SYSGOOD);
	s = tracee_to(&t, PTRACE_SYSCALL, 0, "entry getrandom");
	check_true("PC at the stop is in the vDSO", in_vdso(s.regs.pc));
	check_eq("length of the key", KEY_BYTES, s.regs.regs[1]);
	check_eq("flags", 0, s.regs.regs[2]);
	s = tracee_to(&t, PTRACE_SYSCALL, 0, "exit getrandom");
	check_eq("x0 at exit", KEY_BYTES, s.regs.regs[0]);
	t.quiet = true;
	for (unsigned int i = 0; i < CALLS; i++) {
		bool called = false;

		s = tracee_next(&t, PTRACE_SYSCALL, 0);
		for (; s.nr == __NR_getrandom; s = tracee_next(&t, PTRACE_SYSCALL, 0))
			called = true;
		check_nr("the call after the function's", __NR_getppid, s.nr);
		tracee_to(&t, PTRACE_SYSCALL, 0, "exit getppid");
		without += !called;
	}
	tracee_end(&t);
	check_true("the function makes no stop when it has a key", without > 1);
	for (unsigned int i = 0; i < CALLS; i++) {
		check_eq("the function's result", BYTES, U64(r->calls[i].result));
		check_true("the buffer is filled", is_filled(r->buffer[i], BYTES));
	}
}

TEST(getrandom_without_a_key_makes_the_system_call_instead)
{
	struct random *r;
	struct tracee t;
	struct stop s;

	PINS("P29 E01");
	r = random_new();
	t = tracee_start(vdso_call_run, &r->calls[0], SYSGOOD);
	s = tracee_to(&t, PTRACE_SYSEMU, 0, "entry getrandom");
	check_eq("length of the key", KEY_BYTES, s.regs.regs[1]);
	s.regs.regs[0] = U64(-EPERM);
	tracee_set_regs(&t, &s.regs);
	s = tracee_to(&t, PTRACE_SYSEMU, 0, "entry getrandom pc=elsewhere x0=buffer");
	check_true("PC at the stop is in the vDSO", in_vdso(s.regs.pc));
	check_eq("length", BYTES, s.regs.regs[1]);
	check_eq("flags", 0, s.regs.regs[2]);
	s.regs.regs[0] = BYTES / 2;
	tracee_set_regs(&t, &s.regs);
	tracee_to(&t, PTRACE_SYSEMU, 0, "entry exit_group");
	tracee_end(&t);
	check_eq("the function's result", BYTES / 2, U64(r->calls[0].result));
	check_true("nothing is written to the buffer", !is_filled(r->buffer[0], BYTES));
}

TEST(getrandom_with_unknown_flags_makes_the_system_call_and_returns_its_error)
{
	struct random *r;
	struct tracee t;
	struct stop s;

	PINS("P29");
	r = random_new();
	r->calls[0].args[2] = BAD_FLAGS;
	t = tracee_start(vdso_call_run, &r->calls[0], SYSGOOD);
	s = tracee_to(&t, PTRACE_SYSCALL, 0, "entry getrandom pc=elsewhere x0=buffer");
	check_true("PC at the stop is in the vDSO", in_vdso(s.regs.pc));
	check_eq("length", BYTES, s.regs.regs[1]);
	check_eq("flags", BAD_FLAGS, s.regs.regs[2]);
	tracee_to(&t, PTRACE_SYSCALL, 0, "exit getrandom pc=elsewhere x0=-EINVAL");
	tracee_to(&t, PTRACE_SYSCALL, 0, "entry exit_group");
	tracee_end(&t);
	check_eq("the function's result", U64(-EINVAL), U64(r->calls[0].result));
}

static void filtered_run(void *call)
{
	filter_answer(__NR_getrandom, SECCOMP_RET_ERRNO | E2BIG);
	vdso_call_run(call);
}

TEST(getrandom_returns_a_filters_error_where_it_has_no_key)
{
	struct random *r;
	char end[64];

	PINS("P29");
	need_filters();
	r = random_new();
	child_run(filtered_run, &r->calls[0], end, sizeof(end));
	check_str("the child", "exited 0", end);
	check_eq("the function's result", U64(-E2BIG), U64(r->calls[0].result));
	check_true("nothing is written to the buffer", !is_filled(r->buffer[0], BYTES));
}
