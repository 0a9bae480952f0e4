// SPDX-License-Identifier: GPL-2.0
/*
 * What PTRACE_SET_SYSCALL_INFO refuses, and that nothing has changed then: another
 * op than the stop's, what is reserved, a number that is no int, a size that is too
 * small (P16). kernel/ptrace.c ptrace_set_syscall_info() decides.
 */
#include <asm/unistd.h>
#include <errno.h>

#include "case.h"
#include "filter.h"
#include "tracee.h"

#define SYSGOOD	PTRACE_O_TRACESYSGOOD

static long set_info(struct tracee *t, void *info, size_t size)
{
	return tracee_request(t, PTRACE_SET_SYSCALL_INFO, size, info);
}

static void need_set_info(struct tracee *t)
{
	if (set_info(t, NULL, 0) == -EIO)
		case_skip("no PTRACE_SET_SYSCALL_INFO: needs Linux 6.16");
}

FIXTURE(refused) {
};

/* The stop of a getuid, by op. */
FIXTURE_VARIANT(refused) {
	__u8 op;
};

FIXTURE_VARIANT_ADD(refused, at_entry) {
	.op = PTRACE_SYSCALL_INFO_ENTRY,
};

FIXTURE_VARIANT_ADD(refused, at_exit) {
	.op = PTRACE_SYSCALL_INFO_EXIT,
};

FIXTURE_VARIANT_ADD(refused, at_seccomp_stop) {
	.op = PTRACE_SYSCALL_INFO_SECCOMP,
};

FIXTURE_SETUP(refused)
{
	if (variant->op == PTRACE_SYSCALL_INFO_SECCOMP)
		filter_answer(__NR_getuid, SECCOMP_RET_TRACE | 77);
}

FIXTURE_TEARDOWN(refused)
{
}

/* The stop, and what a tracer could set there that would be seen if it were set. */
static struct stop stop_by_op(struct tracee *t, struct svc_script *sc, __u8 op,
			      struct entry_syscall_info *other)
{
	struct stop s = tracee_first(t, sc, SYSGOOD | PTRACE_O_TRACESECCOMP, PTRACE_SYSCALL,
				     "entry getuid");

	need_set_info(t);
	if (op == PTRACE_SYSCALL_INFO_SECCOMP)
		s = tracee_to(t, PTRACE_SYSCALL, 0, "seccomp getuid");
	if (op == PTRACE_SYSCALL_INFO_EXIT)
		s = tracee_to(t, PTRACE_SYSCALL, 0, "exit getuid");
	*other = s.info;
	if (op == PTRACE_SYSCALL_INFO_EXIT) {
		other->exit.rval = 4711;
	} else {
		other->entry.nr = __NR_exit_group;
		for (unsigned int i = 0; i < 6; i++)
			other->entry.args[i] = i;
	}
	return s;
}

/* @s: the stop as it was before. */
static void check_unchanged(struct tracee *t, const struct stop *s)
{
	struct entry_syscall_info info = { 0 };
	struct user_pt_regs regs;

	tracee_syscall_info(t, &info, sizeof(info));
	check_mem("PTRACE_GET_SYSCALL_INFO after the refusal", &s->info, &info, sizeof(info));
	tracee_get_regs(t, &regs);
	check_mem("the registers after the refusal", &s->regs, &regs, sizeof(regs));
	check_nr("NT_ARM_SYSTEM_CALL after the refusal", s->nr, tracee_get_nr(t));
}

TEST_F(refused, another_op_is_einval)
{
	static const __u8 ops[] = {
		PTRACE_SYSCALL_INFO_NONE, PTRACE_SYSCALL_INFO_ENTRY, PTRACE_SYSCALL_INFO_EXIT,
		PTRACE_SYSCALL_INFO_SECCOMP, 4, 255,
	};
	struct entry_syscall_info info;
	struct svc_script *sc;
	struct tracee t;
	struct stop s;
	char what[48];

	PINS("P16");
	sc = svc_script_new(1);
	s = stop_by_op(&t, sc, variant->op, &info);
	for (unsigned int i = 0; i < ARRAY_SIZE(ops); i++) {
		if (ops[i] == variant->op)
			continue;
		info.op = ops[i];
		snprintf(what, sizeof(what), "setting with op %u", ops[i]);
		check_eq(what, U64(-EINVAL), U64(set_info(&t, &info, sizeof(info))));
	}
	check_unchanged(&t, &s);
	tracee_end(&t);
}

TEST_F(refused, reserved_bits_are_einval)
{
	struct entry_syscall_info info;
	struct tracee t;
	struct stop s;
	char what[48];

	PINS("P16");
	s = stop_by_op(&t, svc_script_new(1), variant->op, &info);
	for (unsigned int bit = 0; bit < 24; bit++) {
		info.reserved = bit < 8 ? (__u8)(1 << bit) : 0;
		info.flags = bit < 8 ? 0 : (__u16)(1 << (bit - 8));
		snprintf(what, sizeof(what), "setting with bit %u of %s", bit < 8 ? bit : bit - 8,
			 bit < 8 ? "reserved" : "flags");
		check_eq(what, U64(-EINVAL), U64(set_info(&t, &info, sizeof(info))));
	}
	check_unchanged(&t, &s);
	tracee_end(&t);
}

/* A structure that ends before its last member is refused, a longer one not read to its end. */
TEST_F(refused, short_size_is_einval_and_bad_address_efault)
{
	static const size_t sizes[] = { 0, 1, 24, 33, 80, 87 };
	struct entry_syscall_info info, *edge;
	struct tracee t;
	struct stop s;
	char what[48];
	char *page;

	PINS("P16");
	s = stop_by_op(&t, svc_script_new(1), variant->op, &info);
	for (unsigned int i = 0; i < ARRAY_SIZE(sizes); i++) {
		snprintf(what, sizeof(what), "setting with size %zu", sizes[i]);
		check_eq(what, U64(-EINVAL), U64(set_info(&t, &info, sizes[i])));
	}
	check_eq("setting from address 0", U64(-EFAULT), U64(set_info(&t, NULL, sizeof(info))));
	/* The structure up to the last byte of a page, and one byte of it beyond that. */
	page = shared_alloc(2 * 65536);
	munmap(page + 65536, 65536);
	edge = (struct entry_syscall_info *)(page + 65536 - sizeof(info) + 1);
	memcpy(edge, &info, sizeof(info) - 1);
	check_eq("setting from a structure of which the last byte cannot be read", U64(-EFAULT),
		 U64(set_info(&t, edge, sizeof(info))));
	check_unchanged(&t, &s);
	edge = (struct entry_syscall_info *)(page + 65536 - sizeof(info));
	memcpy(edge, &s.info, sizeof(info));
	check_eq("setting as read, with a size far beyond the page", 0,
		 U64(set_info(&t, edge, 1 << 20)));
	check_unchanged(&t, &s);
	tracee_end(&t);
}

/* arch, both pointers and ret_data tell; they are not set. */
TEST_F(refused, what_only_tells_is_ignored)
{
	struct entry_syscall_info info;
	struct svc_script *sc;
	struct tracee t;
	struct stop s;

	PINS("P16");
	sc = svc_script_new(1);
	s = stop_by_op(&t, sc, variant->op, &info);
	info = s.info;
	info.arch = AUDIT_ARCH_ARM;
	info.instruction_pointer = 0x1234;
	info.stack_pointer = 0x5678;
	if (variant->op == PTRACE_SYSCALL_INFO_SECCOMP) {
		info.seccomp.ret_data = 78;
		info.seccomp.reserved2 = ~0u;
	}
	check_eq("setting it", 0, U64(set_info(&t, &info, sizeof(info))));
	check_unchanged(&t, &s);
	tracee_to(&t, PTRACE_CONT, 0, "exited 0");
	check_frame(&sc->f[0], U64(geteuid()));
}

/* Zero-extended, -1 does not fit: the member has 64 bits. */
static const __u64 no_ints[] = {
	0x80000000, 0xffffffff, 1ull << 32 | __NR_getppid, (~0ull << 31) - 1,
	1ull << 63 | __NR_getppid, 0x7fffffffffffffff,
};

TEST(number_set_that_is_no_int_is_erange)
{
	struct entry_syscall_info info;
	struct tracee t;
	struct stop s;
	char what[48];

	PINS("P16");
	s = stop_by_op(&t, svc_script_new(1), PTRACE_SYSCALL_INFO_ENTRY, &info);
	for (unsigned int i = 0; i < ARRAY_SIZE(no_ints); i++) {
		info.entry.nr = no_ints[i];
		snprintf(what, sizeof(what), "setting number 0x%llx", no_ints[i]);
		check_eq(what, U64(-ERANGE), U64(set_info(&t, &info, sizeof(info))));
	}
	check_unchanged(&t, &s);
	tracee_end(&t);
}

TEST(number_set_out_of_range_is_enosys)
{
	static const int numbers[] = { 0x7fffffff, -0x7fffffff - 1, -2, 100000 };
	struct entry_syscall_info info;
	struct svc_script *sc;
	struct tracee t;
	char exit[64];

	PINS("P16 P13");
	sc = svc_script_new(ARRAY_SIZE(numbers));
	t = tracee_start(svc_script_run, sc, SYSGOOD);
	need_set_info(&t);
	for (unsigned int i = 0; i < sc->n; i++) {
		info = tracee_to(&t, PTRACE_SYSCALL, 0, "entry getuid").info;
		info.entry.nr = U64(numbers[i]);
		check_eq("setting the number", 0, U64(set_info(&t, &info, sizeof(info))));
		snprintf(exit, sizeof(exit), "exit %d pc=svc+4 x0=-ENOSYS", numbers[i]);
		tracee_to(&t, PTRACE_SYSCALL, 0, exit);
	}
	tracee_to(&t, PTRACE_SYSCALL, 0, "entry exit_group");
	tracee_end(&t);
	for (unsigned int i = 0; i < sc->n; i++)
		check_frame(&sc->f[i], U64(-ENOSYS));
}

/* No stop of a call, or one that does not say so: there is nothing to set. */
TEST(set_syscall_info_elsewhere_is_einval)
{
	struct entry_syscall_info info = { 0 };
	struct tracee t;
	struct stop s;
	char what[48];

	PINS("P16");
	for (unsigned int i = 0; i < 3; i++) {
		t = tracee_start(svc_script_run, svc_script_new(1), 0);
		/* The stop of its SIGSTOP; entry and exit without TRACESYSGOOD. */
		if (i)
			s = tracee_to(&t, PTRACE_SYSCALL, 0, "entry getuid");
		if (i > 1)
			s = tracee_to(&t, PTRACE_SYSCALL, 0, "exit getuid");
		need_set_info(&t);
		for (__u8 op = 0; op < 4; op++) {
			info = i ? s.info : info;
			info.op = op;
			snprintf(what, sizeof(what), "setting with op %u at stop %u", op, i);
			check_eq(what, U64(-EINVAL), U64(set_info(&t, &info, sizeof(info))));
		}
		tracee_end(&t);
	}
}

/* A task that runs, or whose tracer is another, cannot be asked. */
TEST(set_syscall_info_of_a_task_that_is_not_stopped_is_esrch)
{
	struct entry_syscall_info info;
	struct svc_script *sc;
	struct tracee t;
	struct stop s;

	PINS("P16");
	sc = svc_script_new(1);
	svc_fill(&sc->f[0], __NR_ppoll, 5, U64(0), U64(0), U64(0), U64(0), U64(0));
	s = tracee_first(&t, sc, SYSGOOD, PTRACE_SYSCALL, "entry ppoll");
	need_set_info(&t);
	info = s.info;
	tracee_resume(&t, PTRACE_SYSCALL, 0);
	tracee_wait_blocked(&t);
	check_eq("setting it while the task sleeps in ppoll()", U64(-ESRCH),
		 U64(set_info(&t, &info, sizeof(info))));
	tracee_end(&t);
}
