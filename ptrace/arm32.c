// SPDX-License-Identifier: GPL-2.0
/* A 32-bit task: see arm32.h. */
#include <asm/unistd.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/elf.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "arm32.h"
#include "features.h"

/* Multiples of the largest page size, so that any kernel can map the file. */
#define TEXT		0x110000u
#define TEXT_OFFSET	0x10000u
#define DATA_OFFSET	0x20000u
#define ALIGN		0x10000u
#define EABI_5		0x5000000

static const __u32 text[] = {
	/* 0x00, ARM: where the program starts */
	0xe1200070,	/*	bkpt	#0 */
	/* 0x04: a call */
	0xe2888001,	/*	add	r8, r8, #1 */
	0xef000000,	/*	svc	#0 */
	0xe2899001,	/*	add	r9, r9, #1 */
	0xe28aa001,	/*	add	r10, r10, #1 */
	0xee1dbf70,	/*	mrc	p15, 0, r11, c13, c0, 3 */
	0xe1200070,	/*	bkpt	#0 */
	/* 0x1c: a signal handler */
	0xe1200070,	/*	bkpt	#0 */
	0xe12fff1e,	/*	bx	lr */
	/* 0x24, Thumb, its halves in the order of memory: a call */
	0x0801f108,	/*	add.w	r8, r8, #1 */
	0xf109df00,	/*	svc	#0; add.w r9, r9, #1 ... */
	0xf10a0901,	/*	... add.w r10, r10, #1 ... */
	0xee1d0a01,	/*	... mrc	p15, 0, r11, c13, c0, 3 */
	0xbe00bf70,	/*	... bkpt #0 */
	/* 0x38: a signal handler */
	0x4770be00,	/*	bkpt	#0; bx lr */
};

const struct arm32_code arm32_arm = {
	.before = TEXT + 0x04, .svc = TEXT + 0x08, .after = TEXT + 0x0c,
	.end = TEXT + 0x18, .handler = TEXT + 0x1c,
};

const struct arm32_code arm32_thumb = {
	.before = TEXT + 0x24, .svc = TEXT + 0x28, .after = TEXT + 0x2a,
	.end = TEXT + 0x36, .handler = TEXT + 0x38, .thumb = true,
};

struct image {
	struct elf32_hdr ehdr;
	struct elf32_phdr phdr[2];
};

static int make_file(void)
{
	static const struct image image = {
		.ehdr = {
			.e_ident = { ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS32, ELFDATA2LSB,
				     EV_CURRENT },
			.e_type = ET_EXEC, .e_machine = EM_ARM, .e_version = EV_CURRENT,
			.e_entry = TEXT, .e_flags = EABI_5,
			.e_phoff = offsetof(struct image, phdr),
			.e_ehsize = sizeof(struct elf32_hdr),
			.e_phentsize = sizeof(struct elf32_phdr), .e_phnum = 2,
		},
		.phdr = {
			{ .p_type = PT_LOAD, .p_offset = TEXT_OFFSET, .p_vaddr = TEXT,
			  .p_filesz = 4096, .p_memsz = 4096, .p_flags = PF_R | PF_X,
			  .p_align = ALIGN },
			{ .p_type = PT_LOAD, .p_offset = DATA_OFFSET, .p_vaddr = ARM32_DATA,
			  .p_filesz = 4096, .p_memsz = 4096, .p_flags = PF_R | PF_W,
			  .p_align = ALIGN },
		},
	};
	int fd = memfd_create("arm32", MFD_CLOEXEC | MFD_EXEC);

	if (fd < 0 && errno == EINVAL)	/* before 6.3 all were executable */
		fd = memfd_create("arm32", MFD_CLOEXEC);
	if (fd < 0)
		case_skip("no executable memfd (%s): needs sysctl vm.memfd_noexec=0",
			  strerror(errno));
	if (ftruncate(fd, DATA_OFFSET + 4096) ||
	    pwrite(fd, &image, sizeof(image), 0) != sizeof(image) ||
	    pwrite(fd, text, sizeof(text), TEXT_OFFSET) != sizeof(text))
		case_die("writing the 32-bit program failed: %s", strerror(errno));
	return fd;
}

static void exec_body(void *arg)
{
	static char * const argv[] = { "arm32", NULL }, * const envp[] = { NULL };
	const int *fd = arg;

	svc_exit((int)-svc_call(__NR_execveat, 5, U64(*fd), U64(""), U64(argv), U64(envp),
				U64(AT_EMPTY_PATH)));
}

static void __noreturn skip_arm32(int error)
{
	if (error != ENOEXEC)
		case_die("executing the 32-bit program failed: %s", strerror(error));
	switch (kernel_config("CONFIG_COMPAT")) {
	case CONFIG_NO:
		case_skip("no 32-bit tasks: needs CONFIG_COMPAT");
	case CONFIG_YES:
		case_skip("no 32-bit tasks: needs a CPU with AArch32 at EL0 (QEMU: -cpu max)");
	default:
		case_skip("no 32-bit tasks: needs CONFIG_COMPAT and a CPU with AArch32 at EL0");
	}
}

struct tracee arm32_start(unsigned long options)
{
	struct tracee t;
	struct stop s;
	int fd;

	fd = make_file();
	t = tracee_start(exec_body, &fd, options | PTRACE_O_TRACEEXEC);
	close(fd);
	name_value(TEXT, "start");
	s = tracee_next(&t, PTRACE_CONT, 0);
	if (s.kind == STOP_EXITED)
		skip_arm32(s.code);
	tracee_to(&t, PTRACE_CONT, 0, "signal SIGTRAP TRAP_BRKPT pc=start");
	return t;
}

static void call(struct tracee *t, const struct arm32_code *code, struct user_pt_regs *regs,
		 __u32 nr, unsigned int nargs, va_list args)
{
	tracee_get_regs(t, regs);
	for (unsigned int i = 0; i < 15; i++)
		regs->regs[i] = arm32_pattern(i);
	for (unsigned int i = 0; i < nargs; i++)
		regs->regs[i] = va_arg(args, __u32);
	regs->regs[7] = nr;
	regs->regs[13] = regs->sp;
	regs->pc = code->before;
	regs->pstate &= ~(__u64)(ARM_CPSR_NZCV | ARM_CPSR_T);
	regs->pstate |= 0xa0000000u | (code->thumb ? ARM_CPSR_T : 0);
	tracee_set_regs(t, regs);
	name_value(arm32_pattern(0), "pattern0");
	name_range(code->svc, code->end - code->svc, "svc");
	name_value(code->before, "before");
	name_value(code->end, "end");
}

void arm32_call(struct tracee *t, const struct arm32_code *code, struct user_pt_regs *regs,
		__u32 nr, unsigned int nargs, ...)
{
	va_list args;

	va_start(args, nargs);
	call(t, code, regs, nr, nargs, args);
	va_end(args);
}

int arm32_do(struct tracee *t, const struct arm32_code *code, __u32 nr, unsigned int nargs, ...)
{
	struct user_pt_regs regs;
	struct stop s;
	va_list args;

	va_start(args, nargs);
	call(t, code, &regs, nr, nargs, args);
	va_end(args);
	s = tracee_to(t, PTRACE_CONT, 0, "signal SIGTRAP TRAP_BRKPT pc=end");
	return (int)s.regs.regs[0];
}

void arm32_about(struct tracee *t, const struct arm32_code *code, const char *fmt, ...)
{
	static char text[96];
	va_list args;
	int len;

	va_start(args, fmt);
	len = vsnprintf(text, sizeof(text), fmt, args);
	va_end(args);
	if (len >= 0 && (size_t)len < sizeof(text))
		snprintf(text + len, sizeof(text) - (size_t)len, " in %s code",
			 code->thumb ? "Thumb" : "ARM");
	t->about = text;
}

void arm32_handler(struct tracee *t, const struct arm32_code *code, int sig, __u32 flags)
{
	/* struct compat_sigaction: handler, flags, restorer, mask */
	arm32_poke(t, ARM32_DATA, code->handler | code->thumb);
	arm32_poke(t, ARM32_DATA + 4, flags);
	if (arm32_do(t, &arm32_arm, ARM_NR_rt_sigaction, 4, (__u32)sig, ARM32_DATA, 0, 8))
		case_die("rt_sigaction() of the 32-bit task failed");
	name_value(code->handler, "handler");
}

__u32 arm32_peek(struct tracee *t, __u32 addr)
{
	__u64 words = 0;

	if (tracee_request(t, PTRACE_PEEKDATA, addr, &words))
		case_die("reading the 32-bit task's memory failed");
	return (__u32)words;
}

void arm32_poke(struct tracee *t, __u32 addr, __u32 value)
{
	__u64 words = (__u64)arm32_peek(t, addr + 4) << 32 | value;

	if (tracee_request(t, PTRACE_POKEDATA, addr, (void *)words))
		case_die("writing the 32-bit task's memory failed");
}

void check_arm32(const struct stop *s, const struct user_pt_regs *want)
{
	for (unsigned int i = 0; i < 15; i++)
		check_eqf(i == 13 ? want->sp : want->regs[i], s->regs.regs[i],
			  "r%u at '%.40s'" ABOUT, i, s->text, ABOUT_ARGS(s->about));
	check_eqf(want->pc, s->regs.pc, "PC at '%.40s'" ABOUT, s->text, ABOUT_ARGS(s->about));
	check_eqf(want->pstate & (ARM_CPSR_NZCV | ARM_CPSR_T),
		  s->regs.pstate & (ARM_CPSR_NZCV | ARM_CPSR_T), "CPSR at '%.40s'" ABOUT, s->text,
		  ABOUT_ARGS(s->about));
}

void arm32_finished(const struct stop *s, const struct arm32_code *code,
		    const struct user_pt_regs *regs, __u32 r0)
{
	struct user_pt_regs want = *regs;

	want.regs[0] = r0;
	for (unsigned int i = 8; i < 11; i++)
		want.regs[i]++;
	/* The TLS register, which only set_tls() is about. */
	want.regs[11] = s->regs.regs[11];
	want.pc = code->end;
	check_arm32(s, &want);
}
