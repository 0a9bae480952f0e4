/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Restartable sequences of known instructions, and the registration of an rseq
 * area of our own, without the help of a libc.
 */
#ifndef RSEQ_SECTION_H
#define RSEQ_SECTION_H

#include "svc.h"

#define SECTION_SIGNATURE	0xd428bc00	/* what glibc takes, too: a brk */

/* linux/rseq.h: struct rseq, with room for what newer kernels append to it. */
struct rseq_area {
	__u32 cpu_id_start;
	__u32 cpu_id;
	__u64 rseq_cs;
	__u32 flags;
	__u32 node_id;
	__u32 mm_cid;
	__u32 appended[57];
} __attribute__((aligned(256)));

extern struct rseq_area rseq_area;

/**
 * rseq_take_over() - make rseq_area the area of this process and its children
 * @size: as registered: RSEQ_ORIGINAL_SIZE, or rseq_full_size()
 *
 * The libc may have registered one already: the kernel says which, and it is
 * unregistered. The case is skipped where there is no rseq.
 */
void rseq_take_over(__u32 size);

#define RSEQ_ORIGINAL_SIZE	32

/**
 * rseq_full_size() - the size with everything the kernel knows (AT_RSEQ_FEATURE_SIZE)
 *
 * Above the original size the kernel may take short cuts (kernel/rseq.c
 * rseq_register(), version 2).
 * Return: RSEQ_ORIGINAL_SIZE where nothing was appended.
 */
__u32 rseq_full_size(void);

/* Where in a section the instruction under test is; the other four are nops. */
enum section_slot {
	SLOT_BEFORE,	/* the section's start is the next instruction */
	SLOT_FIRST,
	SLOT_MIDDLE,
	SLOT_LAST,
	SLOT_AFTER,	/* the first instruction that is no longer in it */
	SLOTS,
};

/**
 * struct section - linux/rseq.h's struct rseq_cs, and how to run it
 * @version, @flags, @start_ip, @post_commit_offset, @abort_ip: for the kernel
 * @run:  arm the section, run the five instructions between the registers of
 *        @frame. Not x9-x11, which are section_arm_registers()'s
 * @insn: the address of the instruction under test
 */
struct section {
	__u32 version;
	__u32 flags;
	__u64 start_ip;
	__u64 post_commit_offset;
	__u64 abort_ip;
	void (*run)(struct svc_frame *frame);
	__u64 insn;
} __attribute__((aligned(32)));

/* By what is under test: svc #0; brk #0; a branch to itself. */
extern const struct section section_svc[SLOTS], section_brk[SLOTS], section_spin[SLOTS];

/**
 * section_name() - name the section's addresses for the notation
 *
 * "before", "section" to "section+8", "after", "abort".
 */
void section_name(const struct section *s);

/* section_arm_registers() - x9-x11 of a filled @frame, for @s in rseq_area. */
void section_arm_registers(const struct section *s, struct svc_frame *frame);

/* section_aborted() - did the run of @frame go through the abort handler? */
bool section_aborted(const struct svc_frame *frame);

#endif
