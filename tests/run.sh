#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Runs tests/*_test.sh (or those named) and counts their checks; the last line
# is "N passed, N failed, N skipped". A test that dies or checks nothing is a
# failure. Exit status 0: nothing failed, 1: something did.

cd "$(dirname "$0")" || exit 2
[ $# -gt 0 ] || set -- ./*_test.sh

log=$(mktemp "${TMPDIR:-/tmp}/entry-check.XXXXXX") || exit 2
trap 'rm -f "$log"' EXIT
pass=0 fail=0 skip=0
for t; do
	[ -f "$t" ] || { echo "run.sh: no test '$t' in tests/" >&2; exit 2; }
	printf '# %s\n' "$(basename "$t" .sh)"
	start=$SECONDS
	bash "$t" </dev/null 2>&1 | tee "$log"
	rc=${PIPESTATUS[0]}
	n=$(grep -c '^ok - ' "$log")
	s=$(grep -c '^ok - .* # SKIP ' "$log")
	f=$(grep -c '^not ok - ' "$log")
	if [ "$rc" -ne 0 ]; then
		printf 'not ok - %s ended with exit status %s\n' "$t" "$rc"
		f=$((f + 1))
	elif [ $((n + f)) -eq 0 ]; then
		printf 'not ok - %s checked nothing\n' "$t"
		f=1
	fi
	pass=$((pass + n - s)) skip=$((skip + s)) fail=$((fail + f))
	printf '# %s took %d s\n' "$(basename "$t" .sh)" $((SECONDS - start))
done
printf '%d passed, %d failed, %d skipped\n' "$pass" "$fail" "$skip"
[ "$fail" -eq 0 ]
