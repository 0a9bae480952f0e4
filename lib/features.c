// SPDX-License-Identifier: GPL-2.0
/* Feature probes and the legacy/generic decision: see features.h. */
#include <errno.h>
#include <linux/seccomp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "decode.h"
#include "features.h"
#include "uapi.h"

/* Gives the reason; as a call, so that a long text may stand on a line of its own. */
static void because(const char **reason, const char *text)
{
	*reason = text;
}

/* The line of a text stream that is @wanted followed by @end, copied to @line. */
static bool find_line(FILE *f, const char *wanted, char *line, int size)
{
	size_t len = strlen(wanted);

	while (fgets(line, size, f))
		if (!strncmp(line, wanted, len))
			return true;
	return false;
}

/* /proc/config.gz is read through zcat, which every system with gzip or busybox has. */
static FILE *open_config(bool *pipe)
{
	struct utsname u;
	char path[128];

	*pipe = !access("/proc/config.gz", R_OK);
	if (*pipe)
		return popen("exec zcat /proc/config.gz 2>/dev/null", "r");
	if (uname(&u))
		return NULL;
	snprintf(path, sizeof(path), "/boot/config-%s", u.release);
	return fopen(path, "r");
}

static enum config_answer read_config(const char *option)
{
	char wanted[128], line[512];
	bool pipe, found, any;
	FILE *f;

	f = open_config(&pipe);
	if (!f)
		return CONFIG_UNREADABLE;
	snprintf(wanted, sizeof(wanted), "%s=", option);
	/* An empty stream (zcat missing) is no answer. */
	any = fgets(line, sizeof(line), f);
	found = any && (!strncmp(line, wanted, strlen(wanted)) ||
			find_line(f, wanted, line, sizeof(line)));
	while (fgets(wanted, sizeof(wanted), f))
		;
	if (pipe)
		pclose(f);
	else
		fclose(f);
	if (!any)
		return CONFIG_UNREADABLE;
	return found && (strstr(line, "=y") || strstr(line, "=m")) ? CONFIG_YES : CONFIG_NO;
}

/*
 * What a case has found out stays for the program's next one, a process of its own: the
 * symbols take an emulated CPU seconds, a compressed configuration a process and 15 ms.
 */
static struct known {
	unsigned int symbols;
	enum entry_path path;
	const char *why;
	struct {
		char option[64];
		enum config_answer answer;
	} config[4];
} *known, unshared;

static void __attribute__((constructor)) share_known(void)
{
	known = mmap(NULL, sizeof(*known), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS,
		     -1, 0);
	if (known == MAP_FAILED)
		known = &unshared;
}

enum config_answer kernel_config(const char *option)
{
	enum config_answer answer;

	for (unsigned int i = 0; i < ARRAY_SIZE(known->config); i++) {
		char *name = known->config[i].option;

		if (!strcmp(name, option))
			return known->config[i].answer;
		if (*name)
			continue;
		answer = read_config(option);
		known->config[i].answer = answer;
		snprintf(name, sizeof(known->config[i].option), "%s", option);
		return answer;
	}
	return read_config(option);
}

/* What /proc/kallsyms is asked for; its names are readable by everyone. */
enum symbol {
	SYM_SYSCALL_ENTER_AUDIT = 1 << 0,
	SYM_SYSCALL_TRACE_EXIT = 1 << 1,
	SYM_RSEQ_SYSCALL = 1 << 2,
	SYM_READ = 1 << 3,
};

static unsigned int read_symbols(void)
{
	unsigned int found = SYM_READ;
	char line[512], *name;
	FILE *f;

	f = fopen("/proc/kallsyms", "r");
	if (!f)
		return found;
	/* "address type name"; those of modules, with "[module]", come last. */
	while (fgets(line, sizeof(line), f) && !strchr(line, '[')) {
		name = strrchr(line, ' ');
		if (!name)
			continue;
		if (!strcmp(name, " syscall_enter_audit\n"))
			found |= SYM_SYSCALL_ENTER_AUDIT;
		else if (!strcmp(name, " syscall_trace_exit\n"))
			found |= SYM_SYSCALL_TRACE_EXIT;
		else if (!strcmp(name, " rseq_syscall\n"))
			found |= SYM_RSEQ_SYSCALL;
	}
	fclose(f);
	return found;
}

static bool has_symbol(enum symbol symbol)
{
	if (!known->symbols)
		known->symbols = read_symbols();
	return known->symbols & symbol;
}

static enum entry_path decide_path(const char **evidence)
{
	const char *expect = getenv("ENTRY_EXPECT"), *reason;
	enum config_answer config;

	if (expect && (!strcmp(expect, "legacy") || !strcmp(expect, "generic"))) {
		*evidence = "ENTRY_EXPECT in the environment";
		return *expect == 'l' ? PATH_LEGACY : PATH_GENERIC;
	}
	config = kernel_config("CONFIG_GENERIC_ENTRY");
	if (config != CONFIG_UNREADABLE) {
		*evidence = config == CONFIG_YES ? "CONFIG_GENERIC_ENTRY is set" :
						   "CONFIG_GENERIC_ENTRY is not set";
		return config == CONFIG_YES ? PATH_GENERIC : PATH_LEGACY;
	}
	if (has_symbol(SYM_SYSCALL_ENTER_AUDIT)) {
		*evidence = "/proc/kallsyms has syscall_enter_audit";
		return PATH_GENERIC;
	}
	if (has_symbol(SYM_SYSCALL_TRACE_EXIT)) {
		*evidence = "/proc/kallsyms has syscall_trace_exit";
		return PATH_LEGACY;
	}
	if (has_sud(&reason)) {
		*evidence = "Syscall User Dispatch works";
		return PATH_GENERIC;
	}
	because(evidence,
		"no kernel configuration, no /proc/kallsyms; set ENTRY_EXPECT=legacy or generic");
	return PATH_UNKNOWN;
}

enum entry_path entry_path(const char **evidence)
{
	if (!known->why)
		known->path = decide_path(&known->why);
	*evidence = known->why;
	return known->path;
}

const char *entry_path_name(enum entry_path path)
{
	return path == PATH_LEGACY ? "legacy" : path == PATH_GENERIC ? "generic" : "unknown";
}

bool has_sud(const char **reason)
{
	if (!prctl(PR_SET_SYSCALL_USER_DISPATCH, PR_SYS_DISPATCH_OFF, 0, 0, 0))
		return true;
	because(reason,
		"no Syscall User Dispatch: needs a kernel with CONFIG_GENERIC_ENTRY and ARCH_SUPPORTS_SYSCALL_USER_DISPATCH");
	return false;
}

/* Armed with the whole address space as the allowed range, it dispatches nothing. */
bool can_use_sud(const char **reason)
{
	if (!has_sud(reason))
		return false;
	if (prctl(PR_SET_SYSCALL_USER_DISPATCH, PR_SYS_DISPATCH_EXCLUSIVE_ON, 0, ~0ul, 0) &&
	    errno == EPERM) {
		because(reason,
			"Syscall User Dispatch is forbidden: needs sysctl kernel.syscall_user_dispatch=1");
		return false;
	}
	prctl(PR_SET_SYSCALL_USER_DISPATCH, PR_SYS_DISPATCH_OFF, 0, 0, 0);
	return true;
}

bool has_mte(const char **reason)
{
	if (getauxval(AT_HWCAP2) & HWCAP2_MTE)
		return true;
	because(reason,
		"no MTE: needs a CPU with FEAT_MTE2 (QEMU: -M virt,mte=on -cpu max), CONFIG_ARM64_MTE, and no arm64.nomte");
	return false;
}

bool has_seccomp_filter(const char **reason)
{
	if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, NULL, 0, 0) == -1 && errno == EFAULT)
		return true;
	*reason = "no seccomp filters: needs CONFIG_SECCOMP_FILTER";
	return false;
}

/* The value of the last @name= on the kernel's command line, copied to @value. */
static bool on_command_line(const char *name, char *value, size_t size)
{
	char line[4096] = "", *save, *w;
	FILE *f = fopen("/proc/cmdline", "r");
	bool found = false;

	if (!f)
		return false;
	if (!fgets(line, sizeof(line), f))
		line[0] = '\0';
	fclose(f);
	for (w = strtok_r(line, "\n ", &save); w; w = strtok_r(NULL, "\n ", &save)) {
		if (strncmp(w, name, strlen(name)))
			continue;
		snprintf(value, size, "%s", w + strlen(name));
		found = true;
	}
	return found;
}

/* As the kernel's kstrtobool() reads it, which leaves alone what it cannot read. */
static bool read_bool(const char *value, bool *on)
{
	bool o = *value && strchr("oO", *value);
	char c = o ? value[1] : *value;

	*on = c && strchr(o ? "nN" : "1yYtTeE", c);
	return *on || (c && strchr(o ? "fF" : "0nNfFdD", c));
}

static enum rseq_check legacy_rseq_check(const char **reason)
{
	switch (kernel_config("CONFIG_DEBUG_RSEQ")) {
	case CONFIG_YES:
		*reason = "CONFIG_DEBUG_RSEQ is set";
		return RSEQ_CHECK_ON;
	case CONFIG_NO:
		because(reason,
			"the kernel does not check system calls in rseq sections: needs CONFIG_DEBUG_RSEQ");
		return RSEQ_CHECK_OFF;
	default:
		break;
	}
	/* The function exists for that option only, and is called from another file. */
	if (has_symbol(SYM_RSEQ_SYSCALL)) {
		*reason = "/proc/kallsyms has rseq_syscall";
		return RSEQ_CHECK_ON;
	}
	if (has_symbol(SYM_SYSCALL_TRACE_EXIT)) {
		because(reason,
			"the kernel does not check system calls in rseq sections (/proc/kallsyms has no rseq_syscall): needs CONFIG_DEBUG_RSEQ");
		return RSEQ_CHECK_OFF;
	}
	because(reason,
		"whether the kernel checks system calls in rseq sections is unknown: needs /proc/config.gz or /boot/config-RELEASE, and CONFIG_DEBUG_RSEQ");
	return RSEQ_CHECK_UNKNOWN;
}

static enum rseq_check generic_rseq_check(const char **reason)
{
	FILE *f = fopen("/sys/kernel/debug/rseq/debug", "r");
	int c = f ? fgetc(f) : EOF;
	char value[8];
	bool on;

	if (f)
		fclose(f);
	because(reason,
		"rseq debugging is switched off: boot with rseq_debug=1 or write 1 to debugfs rseq/debug");
	if (c == '0' || c == '1') {
		if (c == '0')
			return RSEQ_CHECK_OFF;
		*reason = "debugfs rseq/debug is on";
		return RSEQ_CHECK_ON;
	}
	if (on_command_line("rseq_debug=", value, sizeof(value)) && read_bool(value, &on)) {
		if (!on)
			return RSEQ_CHECK_OFF;
		*reason = "rseq_debug is on by the command line";
		return RSEQ_CHECK_ON;
	}
	switch (kernel_config("CONFIG_RSEQ_DEBUG_DEFAULT_ENABLE")) {
	case CONFIG_YES:
		*reason = "CONFIG_RSEQ_DEBUG_DEFAULT_ENABLE is set";
		return RSEQ_CHECK_ON;
	case CONFIG_NO:
		return RSEQ_CHECK_OFF;
	default:
		because(reason,
			"whether rseq debugging is on is unknown: boot with rseq_debug=1, or mount debugfs and run as root");
		return RSEQ_CHECK_UNKNOWN;
	}
}

enum rseq_check rseq_check(const char **reason)
{
	const char *evidence;

	switch (entry_path(&evidence)) {
	case PATH_LEGACY:
		return legacy_rseq_check(reason);
	case PATH_GENERIC:
		return generic_rseq_check(reason);
	default:
		because(reason,
			"which entry path the kernel runs is unknown: set ENTRY_EXPECT=legacy or generic");
		return RSEQ_CHECK_UNKNOWN;
	}
}
