/* SPDX-License-Identifier: GPL-2.0 */
/*
 * seccomp filters of classic BPF, for tests whose topic is something else; those
 * of seccomp/ are made by libseccomp.
 */
#ifndef ENTRY_FILTER_H
#define ENTRY_FILTER_H

#include <linux/filter.h>
#include <linux/seccomp.h>

/* need_filters() - skip the case where the kernel has no seccomp filters. */
void need_filters(void);

/**
 * filter_load_raw() - install a program for this process and what it forks
 * @insns: the program
 * @n:     its length in instructions
 *
 * Sets no_new_privs. A refusal ends the case.
 */
void filter_load_raw(struct sock_filter *insns, unsigned int n);

/**
 * filter_answer() - a filter that answers one number and allows all others
 * @nr:  the number
 * @ret: SECCOMP_RET_* with its data
 *
 * Skips the case where there are no filters.
 */
void filter_answer(unsigned int nr, unsigned int ret);

#endif
