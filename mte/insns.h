/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Memory accesses that a tag check can fault, each at a known address between
 * the registers of a struct svc_frame: x9 is the address, x10 and x11 the data.
 */
#ifndef MTE_INSNS_H
#define MTE_INSNS_H

#include "svc.h"

#define INSN(name) \
	void run_ ## name(struct svc_frame *frame); \
	extern const char insn_ ## name[]

INSN(load);
INSN(store);
INSN(load_pair);
INSN(store_pair);
INSN(load_writeback);	/* x9 becomes x9 + 16 */
INSN(store_writeback);
INSN(store_release);
INSN(atomic_add);	/* LDADD: x11 = old, memory += x10 */

/* An access directly before svc; PC at the svc is svc_of_... */
void run_load_svc(struct svc_frame *frame);
void run_store_svc(struct svc_frame *frame);
extern const char svc_of_load[], svc_of_store[];

/* set_tag() - give the 16 bytes at @tagged the tag that the pointer has (STG). */
void set_tag(void *tagged);

#endif
