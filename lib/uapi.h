/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Kernel ABI that the headers of an older libc lack, each defined once, here,
 * from the kernel's UAPI. Structures have names of our own, so that newer
 * headers do not clash.
 */
#ifndef ENTRY_UAPI_H
#define ENTRY_UAPI_H

#include <linux/types.h>

/* linux/ptrace.h: struct ptrace_syscall_info */
struct entry_syscall_info {
	__u8 op;
	__u8 reserved;
	__u16 flags;
	__u32 arch;
	__u64 instruction_pointer;
	__u64 stack_pointer;
	union {
		struct {
			__u64 nr;
			__u64 args[6];
		} entry;
		struct {
			__s64 rval;
			__u8 is_error;
		} exit;
		struct {
			__u64 nr;
			__u64 args[6];
			__u32 ret_data;
			__u32 reserved2;
		} seccomp;
	};
};

/* linux/ptrace.h: struct ptrace_rseq_configuration */
struct entry_rseq_configuration {
	__u64 rseq_abi_pointer;
	__u32 rseq_abi_size;
	__u32 signature;
	__u32 flags;
	__u32 pad;
};

#ifndef PTRACE_SYSEMU
#define PTRACE_SYSEMU			31
#define PTRACE_SYSEMU_SINGLESTEP	32
#endif
#ifndef PTRACE_GET_SYSCALL_INFO
#define PTRACE_GET_SYSCALL_INFO		0x420e
#endif
#ifndef PTRACE_SYSCALL_INFO_NONE
#define PTRACE_SYSCALL_INFO_NONE	0
#define PTRACE_SYSCALL_INFO_ENTRY	1
#define PTRACE_SYSCALL_INFO_EXIT	2
#define PTRACE_SYSCALL_INFO_SECCOMP	3
#endif
#ifndef PTRACE_SET_SYSCALL_INFO
#define PTRACE_SET_SYSCALL_INFO		0x4212
#endif
#ifndef PTRACE_GET_RSEQ_CONFIGURATION
#define PTRACE_GET_RSEQ_CONFIGURATION	0x420f
#endif
#ifndef NT_ARM_SYSTEM_CALL
#define NT_ARM_SYSTEM_CALL		0x404
#endif
#ifndef AUDIT_ARCH_AARCH64
#define AUDIT_ARCH_AARCH64		0xc00000b7u
#define AUDIT_ARCH_ARM			0x40000028u
#endif

/* linux/memfd.h, elf.h */
#ifndef MFD_EXEC
#define MFD_EXEC			0x0010U
#endif
#ifndef NT_ARM_TLS
#define NT_ARM_TLS			0x401
#endif

/* asm-generic/siginfo.h, asm-generic/signal-defs.h, asm/signal.h */
#ifndef SYS_SECCOMP
#define SYS_SECCOMP			1
#endif
#ifndef SYS_USER_DISPATCH
#define SYS_USER_DISPATCH		2
#endif
#ifndef SA_EXPOSE_TAGBITS
#define SA_EXPOSE_TAGBITS		0x00000800
#endif
#ifndef SA_RESTORER
#define SA_RESTORER			0x04000000
#endif
#ifndef SEGV_MTEAERR
#define SEGV_MTEAERR			8
#define SEGV_MTESERR			9
#endif

/* linux/auxvec.h */
#ifndef AT_RSEQ_FEATURE_SIZE
#define AT_RSEQ_FEATURE_SIZE		27
#define AT_RSEQ_ALIGN			28
#endif

/* linux/prctl.h: Syscall User Dispatch */
#ifndef PR_SET_SYSCALL_USER_DISPATCH
#define PR_SET_SYSCALL_USER_DISPATCH	59
#define PR_SYS_DISPATCH_OFF		0
#define SYSCALL_DISPATCH_FILTER_ALLOW	0
#define SYSCALL_DISPATCH_FILTER_BLOCK	1
#endif
#ifndef PR_SYS_DISPATCH_EXCLUSIVE_ON
#define PR_SYS_DISPATCH_EXCLUSIVE_ON	1
#define PR_SYS_DISPATCH_INCLUSIVE_ON	2
#endif

/* linux/prctl.h, asm/hwcap.h and asm/mman.h: memory tagging */
#ifndef PR_SET_TAGGED_ADDR_CTRL
#define PR_SET_TAGGED_ADDR_CTRL		55
#define PR_TAGGED_ADDR_ENABLE		1UL
#endif
#ifndef PR_MTE_TCF_SYNC
#define PR_MTE_TCF_NONE			0UL
#define PR_MTE_TCF_SYNC			2UL
#define PR_MTE_TCF_ASYNC		4UL
#endif
#ifndef PROT_BTI
#define PROT_BTI			0x10
#endif
#ifndef PROT_MTE
#define PROT_MTE			0x20
#endif
#ifndef HWCAP2_MTE
#define HWCAP2_MTE			0x40000UL
#endif

/* asm/hwcap.h: registers that a CPU may have */
#ifndef HWCAP2_BTI
#define HWCAP2_BTI			0x20000UL
#endif
#ifndef HWCAP2_SME
#define HWCAP2_SME			0x800000UL
#endif
#ifndef HWCAP2_SME2
#define HWCAP2_SME2			0x2000000000UL
#endif
#ifndef HWCAP2_FPMR
#define HWCAP2_FPMR			0x1000000000000UL
#endif
#ifndef HWCAP2_POE
#define HWCAP2_POE			0x8000000000000000UL
#endif
#ifndef HWCAP_GCS
#define HWCAP_GCS			0x100000000UL
#endif

/* linux/prctl.h: vector lengths */
#ifndef PR_SVE_SET_VL
#define PR_SVE_SET_VL			50
#endif
#ifndef PR_SME_SET_VL
#define PR_SME_SET_VL			63
#endif

/* linux/elf.h: regsets */
#ifndef NT_ARM_SSVE
#define NT_ARM_SSVE			0x40b
#define NT_ARM_ZA			0x40c
#endif
#ifndef NT_ARM_ZT
#define NT_ARM_ZT			0x40d
#endif
#ifndef NT_ARM_FPMR
#define NT_ARM_FPMR			0x40e
#endif
#ifndef NT_ARM_POE
#define NT_ARM_POE			0x40f
#endif
#ifndef NT_ARM_GCS
#define NT_ARM_GCS			0x410
#endif

#endif
