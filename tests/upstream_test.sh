# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# kernels/upstream-noticed: what counts as noticed. kernels/upstream-suite: the errors
# that need no kernel source.
. "$(dirname "$0")/lib.sh"

NOTICED=$TOP/kernels/upstream-noticed

# results CASE... -- VERDICT: a run of two programs; d/first has the cases, each "ok a" or
# "not ok a", and d/e/second is one that prints no case.
results() {
	printf '%s\n' 'TAP version 13' 1..2 '# selftests: d: first' '# 1..9'
	while [ "$1" != -- ]; do
		printf '# %s\n' "$1"
		shift
	done
	printf '%s\n' "$2" '# selftests: d/e: second' "${3:-ok 2 selftests: d/e: second}"
}

# noticed STATUS OUTPUT: of the mutant on stdin.
noticed() {
	local want=$1 out rc
	cat >"$TMP/mutant"
	out=$("$NOTICED" "$TMP/base" "$TMP/base2" -- "$TMP/mutant")
	rc=$?
	[ "$rc" -eq "$want" ] && [ "$out" = "$2" ] && return
	echo "status $rc, expected $want; output, expected '$2': '$out'"
	return 1
}

one_line() {
	local out
	out=$("$@" 2>&1 >"$TMP/stdout")
	[ $? -eq 2 ] && [ "$(wc -l <<<"$out")" -eq 1 ] && [ -n "$out" ] && [ ! -s "$TMP/stdout" ] && return
	echo "not one line and status 2: $*: $out"
	return 1
}

GOOD='ok 1 selftests: d: first'
BAD='not ok 1 selftests: d: first # exit=1'
FAILED='failed d/first:a
failed d/first'
PANIC='not ok 1 selftests: d: first # kernel panic in case b'
GONE='missing d/first:b
ended d/first'
results 'ok 1 a' 'ok 2 b' 'ok 3 # SKIP c' 'not ok 4 x' 'ok 5 flaky' -- "$GOOD" >"$TMP/base"
results 'ok 1 a' 'ok 2 b' 'ok 3 # SKIP c' 'not ok 4 x' 'not ok 5 flaky' -- "$GOOD" >"$TMP/base2"

ok "the same results are not noticed" noticed 1 '' <"$TMP/base"
ok "a failed case and its program are noticed" noticed 0 "$FAILED" < \
	<(results 'not ok 1 a' 'ok 2 b' 'ok 3 # SKIP c' 'not ok 4 x' 'ok 5 flaky' -- "$BAD")
ok "what failed before, was flaky or is skipped now is not noticed" noticed 1 '' < \
	<(results 'ok 1 a' 'ok 2 b # SKIP r' 'ok 3 # SKIP c' 'not ok 4 x' 'not ok 5 flaky' -- "$GOOD")
ok "cases that a panic cut off are noticed" noticed 0 "$GONE" < \
	<(results 'ok 1 a' 'ok 3 # SKIP c' -- "$PANIC" | grep -v flaky)
ok "a program without cases is noticed by its status" noticed 0 'failed d/e/second' < \
	<(results 'ok 1 a' 'ok 2 b' 'ok 3 # SKIP c' -- "$GOOD" 'not ok 2 selftests: d/e: second # exit=1')
ok "a hang is worse than a failure" noticed 0 'ended d/e/second' < \
	<(results 'ok 1 a' 'ok 2 b' 'ok 3 # SKIP c' -- "$GOOD" 'not ok 2 selftests: d/e: second # hang')
: >"$TMP/empty"
ok "a run without results is refused" one_line "$NOTICED" "$TMP/base" -- "$TMP/empty"
ok "a missing file is refused" one_line "$NOTICED" "$TMP/base" -- "$TMP/none"
ok "two mutants are refused" one_line "$NOTICED" "$TMP/base" -- "$TMP/base" "$TMP/base2"
ok "nothing to compare with is refused" one_line "$NOTICED" "$TMP/base"
ok "upstream-suite wants two directories" one_line "$TOP/kernels/upstream-suite" "$TMP"
ok "upstream-suite wants a complete source" one_line "$TOP/kernels/upstream-suite" "$TMP" "$TMP/dir"
