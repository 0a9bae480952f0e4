// SPDX-License-Identifier: GPL-2.0
/* The tracee before a counted system call: see counted.h. */
#include <asm/unistd.h>
#include <sys/stat.h>

#include "counted.h"

#define NZCV_SET	0xa0000000ull

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
	name_range(U64(counted_svc), 16, "svc");
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
