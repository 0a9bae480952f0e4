# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# What the suite's own tests share. A test is tests/NAME_test.sh: it sources
# this file, calls ok/skip for every check and ends. Output is TAP without
# numbers, one line a check; tests/run.sh counts those lines.

TOP=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
O=${O:-$TOP/build}
TMP=$(mktemp -d "${TMPDIR:-/tmp}/entry-check.XXXXXX") || exit 2
trap 'rm -rf "$TMP"' EXIT

# ok NAME COMMAND...: a check that passes if COMMAND returns 0; what it printed
# is shown when it fails.
ok() {
	local name=$1
	shift
	if "$@" >"$TMP/out" 2>&1; then
		printf 'ok - %s\n' "$name"
	else
		printf 'not ok - %s\n' "$name"
		sed 's/^/#   /' "$TMP/out"
	fi
}

# skip NAME REASON: a check that cannot be made here.
skip() {
	printf 'ok - %s # SKIP %s\n' "$1" "$2"
}

# status N COMMAND...: COMMAND ends with exit status N; its output is kept.
status() {
	local want=$1 got
	shift
	"$@"
	got=$?
	[ "$got" -eq "$want" ] && return 0
	echo "exit status $got, expected $want: $*"
	return 1
}

# lines FILE REGEX N: exactly N lines of FILE match REGEX.
lines() {
	local got
	got=$(grep -cE -e "$2" "$1")
	[ "$got" -eq "$3" ] && return 0
	echo "$got lines match '$2', expected $3, in:"
	cat "$1"
	return 1
}
