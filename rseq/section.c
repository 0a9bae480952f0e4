// SPDX-License-Identifier: GPL-2.0
/* An rseq area of our own, and the sections' registers: see section.h. */
#include <asm/unistd.h>
#include <errno.h>
#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>

#include "section.h"
#include "tracee.h"

#define UNREGISTER	1	/* linux/rseq.h: RSEQ_FLAG_UNREGISTER */

struct rseq_area rseq_area;

static void nothing(void *unused)
{
	(void)unused;
}

/* A task cannot ask for its own registration; its child has the same. */
static void ask_kernel(struct entry_rseq_configuration *c)
{
	struct tracee t = tracee_start(nothing, NULL, 0);
	long ret = tracee_request(&t, PTRACE_GET_RSEQ_CONFIGURATION, sizeof(*c), c);

	tracee_end(&t);
	if (ret == -EIO)
		case_skip("no restartable sequences: needs CONFIG_RSEQ");
	if (ret != sizeof(*c))
		case_die("PTRACE_GET_RSEQ_CONFIGURATION: expected %zu, observed %ld", sizeof(*c),
			 ret);
}

void rseq_take_over(__u32 size)
{
	struct entry_rseq_configuration c;

	ask_kernel(&c);
	if (c.rseq_abi_pointer && syscall(__NR_rseq, c.rseq_abi_pointer, c.rseq_abi_size,
					  UNREGISTER, c.signature))
		case_die("unregistering the libc's rseq area failed: %s", strerror(errno));
	if (syscall(__NR_rseq, &rseq_area, size, 0, SECTION_SIGNATURE))
		case_die("registering an rseq area of %u bytes failed: %s", size, strerror(errno));
}

__u32 rseq_full_size(void)
{
	unsigned long size = getauxval(AT_RSEQ_FEATURE_SIZE);
	unsigned long align = getauxval(AT_RSEQ_ALIGN);

	if (size <= RSEQ_ORIGINAL_SIZE)
		return RSEQ_ORIGINAL_SIZE;
	size = (size + align - 1) / align * align;
	if (size > sizeof(rseq_area))
		case_die("the kernel wants an rseq area of %lu bytes; section.h has %zu", size,
			 sizeof(rseq_area));
	return (__u32)size;
}

void section_name(const struct section *s)
{
	name_value(s->start_ip - 4, "before");
	name_range(s->start_ip, s->post_commit_offset, "section");
	name_value(s->start_ip + s->post_commit_offset, "after");
	name_value(s->start_ip + s->post_commit_offset + 4, "after+4");
	name_value(s->abort_ip, "abort");
}

void section_arm_registers(const struct section *s, struct svc_frame *frame)
{
	frame->x[9] = U64(&rseq_area.rseq_cs);
	frame->x[10] = U64(s);
	frame->x[11] = 1;
}

bool section_aborted(const struct svc_frame *frame)
{
	return !frame->x_out[11];
}
