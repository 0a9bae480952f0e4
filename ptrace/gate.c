// SPDX-License-Identifier: GPL-2.0
/* A call that blocks until the case lets it go on: see gate.h. */
#include <asm/unistd.h>
#include <errno.h>
#include <poll.h>
#include <string.h>
#include <unistd.h>

#include "effect.h"
#include "filter.h"
#include "gate.h"

/* Beyond those of effect.h, and in the reach of the usual limit of files. */
#define READ_FD(n)	(210 + 2 * (n))
#define WRITE_FD(n)	(211 + 2 * (n))

static char byte;

void gate_new(unsigned int n)
{
	int fds[2];

	if (pipe(fds))
		case_die("no pipe: %s", strerror(errno));
	if (dup2(fds[0], READ_FD(n)) < 0 || dup2(fds[1], WRITE_FD(n)) < 0)
		case_skip("too few files: needs ulimit -n %d", WRITE_FD(GATES));
	close(fds[0]);
	close(fds[1]);
	name_value(READ_FD(n), "gate");
}

void gate_call(struct svc_frame *frame, unsigned int n)
{
	svc_fill(frame, __NR_read, 3, U64(READ_FD(n)), U64(&byte), U64(1));
}

void gate_wait(unsigned int n)
{
	struct svc_frame frame;

	gate_call(&frame, n);
	svc_run(&frame);
	if (frame.x_out[0] != 1)
		svc_exit(99);
}

void gate_open(unsigned int n)
{
	if (svc_call(__NR_write, 3, U64(WRITE_FD(n)), U64("g"), U64(1)) != 1)
		case_die("the gate does not open");
}

struct tracee gate_spawn(struct svc_script *s)
{
	struct tracee t;

	gate_new(0);
	gate_call(&s->f[0], 0);
	t = tracee_spawn(svc_script_run, s);
	tracee_wait_blocked(&t);
	return t;
}

void effect_answer(unsigned int ret)
{
	struct sock_filter insns[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_write, 0, 3),
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args[0])),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, EFFECT_FD, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, ret),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};

	need_filters();
	filter_load_raw(insns, ARRAY_SIZE(insns));
}

void effect_wait(void)
{
	struct pollfd p = { .fd = EFFECT_READ_FD, .events = POLLIN };

	if (poll(&p, 1, 20 * 1000) != 1)
		case_die("the call that is to have an effect was not made within 20 s");
}
