// SPDX-License-Identifier: GPL-2.0
/*
 * main() of a directory's binary, in which each program of the directory is a source
 * that includes case.h: it runs the one that it is called by the name of.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "check.h"

int (*program_main)(int argc, char **argv);

bool program_is(const char *source)
{
	const char *name = strrchr(source, '/');
	size_t len = strlen(program_invocation_short_name);

	name = name ? name + 1 : source;
	return !strncmp(name, program_invocation_short_name, len) && !strcmp(name + len, ".c");
}

int main(int argc, char **argv)
{
	if (program_main)
		return program_main(argc, argv);
	fprintf(stderr, "%s: start it by the name of a program of its directory, ", argv[0]);
	fprintf(stderr, "as the links to it are named: kselftest-list.txt lists them\n");
	return 2;
}
