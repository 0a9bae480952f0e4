/* SPDX-License-Identifier: GPL-2.0 */
/*
 * System calls issued by one known instruction, with every register known
 * before and recorded after it.
 */
#ifndef ENTRY_SVC_H
#define ENTRY_SVC_H

#ifdef __ASSEMBLER__
#define SVC_IN		0
#define SVC_NZCV_IN	(31 * 8)
#define SVC_SP		(32 * 8)
#define SVC_OUT		(33 * 8)
#define SVC_NZCV_OUT	(64 * 8)
#define SVC_SP_OUT	(65 * 8)
#else
#include <assert.h>
#include <stddef.h>
#include <linux/types.h>

#include "check.h"

/**
 * struct svc_frame - the registers around one svc
 * @x:        x0-x30 as loaded before it
 * @nzcv:     the condition flags before it, in bits 31-28
 * @sp:       SP at the svc, written by svc_run() before it
 * @x_out:    x0-x30 after it
 * @nzcv_out: the condition flags after it
 * @sp_out:   SP after it
 *
 * In memory that tracer and tracee share (shared_alloc()) both can look at it.
 */
struct svc_frame {
	__u64 x[31];
	__u64 nzcv;
	__u64 sp;
	__u64 x_out[31];
	__u64 nzcv_out;
	__u64 sp_out;
};

static_assert(offsetof(struct svc_frame, sp) == 32 * 8, "svc_run.S");
static_assert(offsetof(struct svc_frame, x_out) == 33 * 8, "svc_run.S");
static_assert(offsetof(struct svc_frame, sp_out) == 65 * 8, "svc_run.S");

/**
 * svc_run() - load @frame, run nop; svc #0; nop; nop, store what came out
 * @frame: see struct svc_frame
 *
 * x8 is the number, x0-x5 the arguments (arm64 syscall ABI,
 * arch/arm64/kernel/syscall.c). Makes no other system call and touches no
 * memory but @frame and its own stack. Callee-saved registers are restored.
 */
void svc_run(struct svc_frame *frame);

/* The instructions of svc_run(): the nop before svc, svc itself, svc+4, svc+8. */
extern const char svc_before[], svc_insn[], svc_after[], svc_after2[];

/* The instruction svc, in little-endian memory. */
#define SVC_OPCODE 0xd4000001u

/* svc_pattern() - the value svc_fill() gives register @n: 0xa5a5, @n, 0x5a5a5a5a. */
static inline __u64 svc_pattern(unsigned int n)
{
	return 0xa5a500005a5a5a5aull | (__u64)(n + 1) << 32;
}

/**
 * svc_fill() - a pattern in every register, then the number and its arguments
 * @frame: frame to fill; nzcv becomes N=1 Z=0 C=1 V=0
 * @nr:    x8
 * @nargs: how many arguments follow (0-6), for x0 on; the others keep the pattern
 */
void svc_fill(struct svc_frame *frame, __u64 nr, unsigned int nargs, ...);

/**
 * svc_call() - one raw system call through svc_run()
 * @nr:    number
 * @nargs: how many arguments follow (0-6), each of 64 bits
 *
 * Return: x0 afterwards, an error as -errno; errno is not touched.
 */
long svc_call(__u64 nr, unsigned int nargs, ...);

/**
 * struct svc_script - calls for a tracee to make, one after the other
 * @n: how many of @f are used
 * @f: filled by svc_fill() before, by svc_run() as each returns
 */
struct svc_script {
	unsigned int n;
	struct svc_frame f[8];
};

/**
 * svc_script_new() - a script in shared memory
 * @n: calls, at most 8; each is getuid with a pattern in every register until
 *     svc_fill() makes it another one
 *
 * Values that are the pattern of x0 read "pattern0" from now on.
 */
struct svc_script *svc_script_new(unsigned int n);

/* svc_script_run() - a body for tracee_start(): run a struct svc_script in shared memory. */
void svc_script_run(void *script);

/**
 * svc_tgkill_run() - a body for tracee_start(): the task signals itself
 * @script: its first call is tgkill with the signal in x2; x0 and x1 become the
 *          task's id, which a getpid before it fetches
 */
void svc_tgkill_run(void *script);

/* svc_exit() - end the process with @code by a raw exit_group. */
void __noreturn svc_exit(int code);
#endif
#endif
