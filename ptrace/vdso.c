// SPDX-License-Identifier: GPL-2.0
/* The vDSO's symbols, from its dynamic section, as a dynamic linker finds them: see vdso.h. */
#include <asm/unistd.h>
#include <linux/auxvec.h>
#include <linux/elf.h>
#include <string.h>

#include "vdso.h"

#define GNU_HASH	0x6ffffef5	/* DT_GNU_HASH; linux/elf.h lacks it */

struct dynamic_entry {
	__s64 tag;
	__u64 value;
};

struct image {
	__u64 base;		/* to be added to addresses of the image */
	__u64 start, end;	/* of its only segment that is loaded */
	const struct dynamic_entry *dyn;
};

static struct image image(void)
{
	struct image v = { .start = getauxval(AT_SYSINFO_EHDR) };
	const struct elf64_hdr *header = (const void *)v.start;
	const struct elf64_phdr *ph;

	if (!header)
		case_skip("no vDSO: AT_SYSINFO_EHDR is not given");
	ph = (const void *)(v.start + header->e_phoff);
	for (unsigned int i = 0; i < header->e_phnum; i++) {
		if (ph[i].p_type == PT_LOAD) {
			v.base = v.start + ph[i].p_offset - ph[i].p_vaddr;
			v.end = v.start + ph[i].p_memsz;
		} else if (ph[i].p_type == PT_DYNAMIC) {
			v.dyn = (const void *)(v.start + ph[i].p_offset);
		}
	}
	if (!v.end || !v.dyn)
		case_die("the vDSO has no loaded or no dynamic segment");
	return v;
}

static const void *dynamic(const struct image *v, __s64 tag)
{
	for (const struct dynamic_entry *d = v->dyn; d->tag != DT_NULL; d++)
		if (d->tag == tag)
			return (const void *)(v->base + d->value);
	return NULL;
}

/* Only the hash tables say how many symbols there are: the last is the end of a chain. */
static unsigned int symbol_count(const struct image *v)
{
	const __u32 *sysv = dynamic(v, DT_HASH), *gnu = dynamic(v, GNU_HASH);
	const __u32 *buckets, *chain;
	unsigned int last = 0;

	if (sysv)
		return sysv[1];
	if (!gnu)
		case_die("the vDSO has no hash table of its symbols");
	buckets = gnu + 4 + 2 * gnu[2];
	chain = buckets + gnu[0];
	for (unsigned int i = 0; i < gnu[0]; i++)
		if (buckets[i] > last)
			last = buckets[i];
	while (last >= gnu[1] && !(chain[last - gnu[1]] & 1))
		last++;
	return last + 1;
}

__u64 vdso_function(const char *name)
{
	const struct image v = image();
	const struct elf64_sym *symbols = dynamic(&v, DT_SYMTAB);
	const char *strings = dynamic(&v, DT_STRTAB);
	const unsigned int n = symbol_count(&v);

	for (unsigned int i = 0; i < n; i++) {
		if (symbols[i].st_shndx == SHN_UNDEF || strcmp(strings + symbols[i].st_name, name))
			continue;
		name_value(v.base + symbols[i].st_value, name);
		return v.base + symbols[i].st_value;
	}
	case_skip("this kernel's vDSO has no %s: needs a newer kernel", name);
}

bool in_vdso(__u64 pc)
{
	const struct image v = image();

	return pc >= v.start && pc < v.end;
}

static struct vdso_call *started;

/* Where the function returns to, as if it had called this with its result. */
static void __noreturn returned(long result)
{
	started->result = result;
	svc_exit(0);
}

static void make_getuid(void *unused)
{
	(void)unused;
	svc_call(__NR_getuid, 0);
}

struct tracee vdso_call_start(struct vdso_call *call, unsigned long options)
{
	struct tracee t;
	struct stop s;

	started = call;
	t = tracee_start(make_getuid, NULL, options);
	tracee_to(&t, PTRACE_SYSCALL, 0, "entry getuid");
	s = tracee_to(&t, PTRACE_SYSCALL, 0, "exit getuid");
	for (unsigned int i = 0; i < 5; i++)
		s.regs.regs[i] = call->args[i];
	s.regs.regs[30] = U64(returned);
	s.regs.pc = call->function;
	tracee_set_regs(&t, &s.regs);
	return t;
}

void vdso_call_run(void *call)
{
	struct vdso_call *c = call;
	long (*function)(__u64 a, __u64 b, __u64 c, __u64 d, __u64 e) = (void *)c->function;

	c->result = function(c->args[0], c->args[1], c->args[2], c->args[3], c->args[4]);
}
