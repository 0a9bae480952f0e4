// SPDX-License-Identifier: GPL-2.0
/* Signals as their handlers see them: see caught.h. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "caught.h"
#include "decode.h"

#define ENDLESS	16

static struct {
	unsigned int n;
	struct caught c[ENDLESS];
} *all;

static void (*then_of[NSIG])(ucontext_t *uc);

static void record(int sig, siginfo_t *si, void *context)
{
	ucontext_t *uc = context;
	unsigned int n = all->n++;

	if (n < ENDLESS) {
		all->c[n].si = *si;
		memcpy(all->c[n].regs.regs, uc->uc_mcontext.regs, sizeof(all->c[n].regs.regs));
		all->c[n].regs.sp = uc->uc_mcontext.sp;
		all->c[n].regs.pc = uc->uc_mcontext.pc;
		all->c[n].regs.pstate = uc->uc_mcontext.pstate;
	}
	if (then_of[sig])
		then_of[sig](uc);
	if (n + 1 >= ENDLESS) {
		caught_tell();
		case_die("%s came %u times and would go on", sig_name(sig), n + 1);
	}
}

void catch_signal(int sig, int flags, void (*then)(ucontext_t *uc))
{
	struct sigaction sa = { .sa_sigaction = record, .sa_flags = SA_SIGINFO | flags };

	if (!all)
		all = shared_alloc(sizeof(*all));
	then_of[sig] = then;
	if (sigaction(sig, &sa, NULL))
		case_die("no handler for %s: %s", sig_name(sig), strerror(errno));
}

unsigned int caught_count(void)
{
	return all ? all->n : 0;
}

const struct caught *caught_nth(unsigned int n)
{
	if (n >= caught_count())
		case_die("expected a caught signal number %u, observed %u in all", n + 1,
			 caught_count());
	return &all->c[n];
}

void caught_tell(void)
{
	for (unsigned int i = 0; i < caught_count() && i < ENDLESS; i++) {
		const struct caught *c = &all->c[i];
		const char *pc = value_name(c->regs.pc);
		long x8 = (long)c->regs.regs[8];

		if (!strncmp(pc, "0x", 2) || !strcmp(pc, "addr"))
			pc = "elsewhere";
		transcript("caught %s %s pc=%s x0=%s x8=%s", sig_name(c->si.si_signo),
			   sicode_name(c->si.si_signo, c->si.si_code), pc,
			   value_name(c->regs.regs[0]),
			   x8 == (int)x8 ? syscall_name(x8) : value_name(U64(x8)));
	}
}

void check_caught_regs_of(const char *about, const struct caught *c, const struct svc_frame *f,
			  __u64 pc)
{
	for (unsigned int i = 0; i < 31; i++)
		check_eqf(f->x[i], c->regs.regs[i], "x%u in the handler's context" ABOUT, i,
			  ABOUT_ARGS(about));
	check_eqf(pc, c->regs.pc, "PC in the handler's context" ABOUT, ABOUT_ARGS(about));
	check_eqf(f->sp, c->regs.sp, "SP in the handler's context" ABOUT, ABOUT_ARGS(about));
	check_eqf(f->nzcv, c->regs.pstate & 0xf0000000, "NZCV in the handler's context" ABOUT,
		  ABOUT_ARGS(about));
}

void check_caught_regs(const struct caught *c, const struct svc_frame *f, __u64 pc)
{
	check_caught_regs_of(NULL, c, f, pc);
}
