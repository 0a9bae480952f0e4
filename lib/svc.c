// SPDX-License-Identifier: GPL-2.0
/* Frames for svc_run(), and raw calls through it: see svc.h. */
#include <asm/unistd.h>
#include <stdarg.h>
#include <string.h>

#include "check.h"
#include "decode.h"
#include "svc.h"

static void fill(struct svc_frame *frame, __u64 nr, unsigned int nargs, va_list args)
{
	memset(frame, 0, sizeof(*frame));
	for (unsigned int i = 0; i < 31; i++)
		frame->x[i] = svc_pattern(i);
	frame->nzcv = 0xa0000000;
	frame->x[8] = nr;
	for (unsigned int i = 0; i < nargs; i++)
		frame->x[i] = va_arg(args, __u64);
}

void svc_fill(struct svc_frame *frame, __u64 nr, unsigned int nargs, ...)
{
	va_list args;

	va_start(args, nargs);
	fill(frame, nr, nargs, args);
	va_end(args);
}

long svc_call(__u64 nr, unsigned int nargs, ...)
{
	struct svc_frame frame;
	va_list args;

	va_start(args, nargs);
	fill(&frame, nr, nargs, args);
	va_end(args);
	svc_run(&frame);
	return (long)frame.x_out[0];
}

struct svc_script *svc_script_new(unsigned int n)
{
	struct svc_script *s = shared_alloc(sizeof(*s));

	s->n = n;
	for (unsigned int i = 0; i < n; i++)
		svc_fill(&s->f[i], __NR_getuid, 0);
	name_value(svc_pattern(0), "pattern0");
	return s;
}

void svc_script_run(void *script)
{
	struct svc_script *s = script;

	for (unsigned int i = 0; i < s->n; i++)
		svc_run(&s->f[i]);
}

void svc_tgkill_run(void *script)
{
	struct svc_script *s = script;

	s->f[0].x[0] = U64(svc_call(__NR_getpid, 0));
	s->f[0].x[1] = s->f[0].x[0];
	svc_run(&s->f[0]);
}

void svc_exit(int code)
{
	svc_call(__NR_exit_group, 1, (__u64)code);
	/* Where the kernel skips calls: a signal, not a task that never ends. */
	__builtin_trap();
}
