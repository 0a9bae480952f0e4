// SPDX-License-Identifier: GPL-2.0
/*
 * The known failures of kernels, and nothing else: which check of which case
 * fails how, on which kernels, and why. A failed check that is listed makes its
 * case XFAIL; any other failed check of the same case is still a failure, and a
 * listed case that passes is XPASS.
 *
 * The tests assert the right value; an entry here never changes what they expect.
 */
#include <fnmatch.h>
#include <string.h>

#include "check.h"

struct known {
	const char *id;		/* row of behaviours.md */
	const char *case_glob;	/* the harness's case name */
	const char *message;	/* glob on the message of the failed check */
	unsigned int first[2];	/* first version that has it, {0, 0}: all */
	unsigned int fixed[2];	/* first version without it, {0, 0}: none yet */
	const char *reason;
};

static const struct known known[] = {
	{ 0 }
};

static bool in_range(const struct known *k)
{
	if (!kernel_at_least(k->first[0], k->first[1]))
		return false;
	return !k->fixed[0] || !kernel_at_least(k->fixed[0], k->fixed[1]);
}

/**
 * known_failure() - is this failed check a known failure of the running kernel?
 * @case_name: the harness's name of the case
 * @message:   the check's message, or NULL to ask for the case alone
 * @reason:    set to the reason when it is
 *
 * Return: its id, NULL if it is not known.
 */
const char *known_failure(const char *case_name, const char *message, const char **reason)
{
	for (const struct known *k = known; k->id; k++) {
		if (fnmatch(k->case_glob, case_name, 0) || !in_range(k))
			continue;
		if (message && fnmatch(k->message, message, 0))
			continue;
		*reason = k->reason;
		return k->id;
	}
	return NULL;
}
