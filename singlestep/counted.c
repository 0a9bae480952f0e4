// SPDX-License-Identifier: GPL-2.0
/* The tracee before a counted system call: see counted.h. */
#include <asm/unistd.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "counted.h"

#define NZCV_SET	0xa0000000ull
#define NOP_OPCODE	0xd503201fu

const struct counted_call counted_umask = {
	.nr = __NR_umask, .args = { 022 }, .nargs = 1, .result = 077,
};

struct tracee counted_start(const struct counted_call *c, unsigned long options,
			    struct user_pt_regs *regs)
{
	struct tracee t;
	struct stop s;

	umask(077);
	t = tracee_start(counted, NULL, options);
	name_value(U64(counted), "start");
	name_range(U64(counted_before), 4, "before");
	name_range(U64(counted_svc), 44, "svc");
	name_range(U64(counted_handler), 16, "handler");
	name_range(U64(counted_touch), 12, "touch");
	name_value(svc_pattern(0), "pattern0");
	name_value(COUNTED_MAP, "map");
	s = tracee_to(&t, PTRACE_CONT, 0, "signal SIGTRAP TRAP_BRKPT pc=start");
	*regs = s.regs;
	for (unsigned int i = 0; i < 31; i++)
		regs->regs[i] = svc_pattern(i);
	for (unsigned int i = 0; i < c->nargs; i++)
		regs->regs[i] = c->args[i];
	regs->regs[8] = c->nr;
	regs->pc = U64(counted_before);
	regs->pstate = (regs->pstate & ~COUNTED_NZCV) | NZCV_SET;
	tracee_set_regs(&t, regs);
	return t;
}

void counted_catch(int sig, int flags, const sigset_t *mask)
{
	struct sigaction sa = { .sa_handler = counted_handler, .sa_flags = flags };

	if (mask)
		sa.sa_mask = *mask;
	if (sigaction(sig, &sa, NULL))
		case_die("no handler for %s: %s", sig_name(sig), strerror(errno));
}

void counted_let_exit(struct tracee *t)
{
	__u64 insns;

	memcpy(&insns, counted_end, sizeof(insns));
	insns = (insns & ~0xffffffffull) | NOP_OPCODE;
	if (tracee_request(t, PTRACE_POKETEXT, U64(counted_end), (void *)insns))
		case_die("PTRACE_POKETEXT of the stub's brk failed");
}

void counted_check_regs(const struct stop *s, const struct user_pt_regs *want)
{
	for (unsigned int i = 0; i < 31; i++)
		check_eqf(want->regs[i], s->regs.regs[i], "x%u at '%.40s'", i, s->text);
	check_eqf(want->pc, s->regs.pc, "PC at '%.40s'", s->text);
	check_eqf(want->sp, s->regs.sp, "SP at '%.40s'", s->text);
	check_eqf(want->pstate & COUNTED_NZCV, s->regs.pstate & COUNTED_NZCV, "NZCV at '%.40s'",
		  s->text);
}
