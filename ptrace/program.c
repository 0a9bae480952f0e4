// SPDX-License-Identifier: GPL-2.0
/* The smallest program to exec: see program.h. */
#include <asm/unistd.h>
#include <errno.h>
#include <linux/elf.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "check.h"
#include "decode.h"
#include "program.h"

#define PROGRAM_FD		220
#define PROGRAM_PATH		"/proc/self/fd/220"
#define MOVZ(reg, value)	(0xd2800000u | (__u32)(value) << 5 | (reg))

struct program {
	struct elf64_hdr header;
	struct elf64_phdr segment;
	__u32 text[5];
};

static_assert(offsetof(struct program, text) == (PROGRAM_ENTRY & 0xffff), "PROGRAM_ENTRY");

static const struct program program = {
	.header = {
		.e_ident = { ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64, ELFDATA2LSB,
			     EV_CURRENT },
		.e_type = ET_EXEC, .e_machine = EM_AARCH64, .e_version = EV_CURRENT,
		.e_entry = PROGRAM_ENTRY, .e_phoff = sizeof(struct elf64_hdr),
		.e_ehsize = sizeof(struct elf64_hdr), .e_phentsize = sizeof(struct elf64_phdr),
		.e_phnum = 1,
	},
	.segment = {
		.p_type = PT_LOAD, .p_flags = PF_R | PF_X, .p_align = 0x10000,
		.p_vaddr = PROGRAM_ENTRY & ~0xffff, .p_paddr = PROGRAM_ENTRY & ~0xffff,
		.p_filesz = sizeof(struct program), .p_memsz = sizeof(struct program),
	},
	.text = { MOVZ(8, __NR_getuid), SVC_OPCODE,
		  MOVZ(0, PROGRAM_STATUS), MOVZ(8, __NR_exit_group), SVC_OPCODE },
};

void program_call(struct svc_frame *frame)
{
	static const char path[] = PROGRAM_PATH;
	static const char * const argv[] = { "program", NULL };
	int fd = (int)syscall(SYS_memfd_create, "program", 0);

	if (fd < 0)
		case_skip("no memfd (%s): needs CONFIG_MEMFD_CREATE and sysctl vm.memfd_noexec=0",
			  strerror(errno));
	if (dup2(fd, PROGRAM_FD) < 0)
		case_skip("too few files: needs ulimit -n %d", PROGRAM_FD + 1);
	close(fd);
	if (write(PROGRAM_FD, &program, sizeof(program)) != sizeof(program))
		case_die("writing the program failed: %s", strerror(errno));
	svc_fill(frame, __NR_execve, 3, U64(path), U64(argv), U64(argv + 1));
	name_value(U64(path), "path");
	name_range(PROGRAM_ENTRY, 24, "program");
}
