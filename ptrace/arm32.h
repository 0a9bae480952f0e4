/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A 32-bit task: an AArch32 program of a few instructions that is made here, word
 * by word, so that no 32-bit compiler is needed. The tracer gives it its registers.
 */
#ifndef ARM32_H
#define ARM32_H

#include "tracee.h"

/* Numbers of 32-bit calls: arch/arm64/tools/syscall_32.tbl. */
#define ARM_NR_restart_syscall	0
#define ARM_NR_read		3
#define ARM_NR_lseek		19
#define ARM_NR_dup		41
#define ARM_NR_umask		60
#define ARM_NR_sigreturn	119
#define ARM_NR_poll		168
#define ARM_NR_rt_sigreturn	173
#define ARM_NR_rt_sigaction	174
#define ARM_NR_mmap2		192
#define ARM_NR_getuid		199
#define ARM_NR_exit_group	248
#define ARM_NR_ppoll		336
/* sys_compat.c compat_arm_syscall() */
#define ARM_NR_cacheflush	0xf0002
#define ARM_NR_set_tls		0xf0005

#define ARM_CPSR_T		0x20u
#define ARM_CPSR_NZCV		0xf0000000u

/**
 * struct arm32_code - where the instructions are, in ARM and in Thumb code
 * @before: adds 1 to r8
 * @svc:    svc #0
 * @after:  adds 1 to r9, and the next instruction to r10; then r11 is the TLS
 *          register (TPIDRURO), then
 * @end:    bkpt, "signal SIGTRAP TRAP_BRKPT pc=end"
 * @handler: bkpt; bx lr
 * @thumb:  which it is
 *
 * All but @handler read "svc", "svc+4" and so on in the notation, once chosen with
 * arm32_code(). Handlers read "handler".
 */
struct arm32_code {
	__u32 before, svc, after, end, handler;
	bool thumb;
};

extern const struct arm32_code arm32_arm, arm32_thumb;

/* Memory that the task may write, 4096 bytes of zeros. */
#define ARM32_DATA	0x130000u

/* arm32_pattern() - the value that arm32_call() gives register @n. */
static inline __u32 arm32_pattern(unsigned int n)
{
	return 0x5a5a005au | (n + 1) << 8;
}

/**
 * arm32_start() - a 32-bit tracee before its first instruction of interest
 * @options: as for tracee_start(); PTRACE_O_TRACEEXEC is added
 *
 * Skips the case where there are no 32-bit tasks.
 */
struct tracee arm32_start(unsigned long options);

/**
 * arm32_call() - give the task the registers for a call
 * @t:     stopped anywhere
 * @code:  ARM or Thumb
 * @regs:  set to the registers written: r0-r12 as regs[0..12], and so on, as in
 *         struct stop; PC is @code->before
 * @nr:    r7
 * @nargs: how many arguments (0-6) of 32 bits follow, for r0 on
 */
void arm32_call(struct tracee *t, const struct arm32_code *code, struct user_pt_regs *regs,
		__u32 nr, unsigned int nargs, ...);

/**
 * arm32_do() - make the task do a call now, as set-up
 * @t, @code, @nr, @nargs: as for arm32_call(); it is resumed with PTRACE_CONT
 *
 * Return: its result, errors negative.
 */
int arm32_do(struct tracee *t, const struct arm32_code *code, __u32 nr, unsigned int nargs, ...);

/**
 * arm32_about() - what the case is at with @t, for messages: @t->about, until the next time
 * @code: "in ARM code" or "in Thumb code" is added
 * @fmt:  as for printf
 */
void __printf(3, 4) arm32_about(struct tracee *t, const struct arm32_code *code,
				const char *fmt, ...);

/* arm32_handler() - rt_sigaction(): @code's handler for @sig, with SA_* @flags. */
void arm32_handler(struct tracee *t, const struct arm32_code *code, int sig, __u32 flags);

/* arm32_peek(), arm32_poke() - a word of the task's memory. */
__u32 arm32_peek(struct tracee *t, __u32 addr);
void arm32_poke(struct tracee *t, __u32 addr, __u32 value);

/**
 * arm32_finished() - what must be so after the call, at "pc=end"
 * @s:    that stop
 * @code: ARM or Thumb
 * @regs: as arm32_call() set them
 * @r0:   the result
 *
 * Each instruction has run once; r1-r7, r12, r14, SP and the flags are as they were.
 */
void arm32_finished(const struct stop *s, const struct arm32_code *code,
		    const struct user_pt_regs *regs, __u32 r0);

/* check_arm32() - r0-r12, r14, SP, PC and the flags at a stop. */
void check_arm32(const struct stop *s, const struct user_pt_regs *want);

#endif
