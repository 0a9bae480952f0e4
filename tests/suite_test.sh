# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# The suite itself on packaged kernels, each in a VM: no case fails, every skip
# has a reason, what is known to fail is XFAIL, two runs give one transcript,
# and the kernel's own reader of KTAP finds the same results.
. "$(dirname "$0")/lib.sh"

cd "$TOP" || exit 2
kunit=${KSRC:-}/tools/testing/kunit/kunit.py

# boot SPEC NAME OPTION...: the whole suite on SPEC, KTAP in $TMP/NAME.
boot() {
	local spec=$1 name=$2
	shift 2
	vm/run "$spec" --suite "$O/suite" "$@" >"$TMP/$name" 2>"$TMP/$name.err" && return 0
	echo "exit status $?"
	cat "$TMP/$name.err"
	grep -E '^not ok|^# not ok|FAILED|KERNEL|HANG' "$TMP/$name"
	return 1
}

# Every program of the suite has its result.
complete() {
	lines "$1" '^ok [0-9]+ selftests: ' "$(wc -l <"$O/suite/kselftest-list.txt")" &&
		lines "$1" '^(# )?not ok' 0
}

reasons() {
	! grep -E '^(# )?ok [0-9]+ .*# (SKIP|XFAIL) *$' "$1"
}

# What Debian's kernels lack, in this VM, and so may be skipped; then what only 6.1 lacks,
# and what nobody but root may do.
LACKING='no Syscall User Dispatch: |this kernel has no PR_SYS_DISPATCH_INCLUSIVE_ON|no ZT0: |the kernel does not check system calls in rseq|whether (the kernel checks|rseq debugging)|rseq debugging is switched off'
LACKING_6_1='no SME: |no NT_ARM_SSVE: |no PTRACE_SET_SYSCALL_INFO: |no extended rseq area: |this kernel.s vDSO has no __kernel_getrandom'
ROOT_ONLY='audit cannot be switched on: |the syscall tracepoints. ids are in tracefs: |perf events are not permitted: '

# few_skips REASONS KTAP: only for these is a case skipped. A program is without a reason where
# each of its cases has one.
few_skips() {
	grep -qE '^# (ok|not ok)' "$2" || return
	! grep -E '^(# )?(ok|1\.\.0).* # SKIP' "$2" | grep -vE "^ok [0-9]+ selftests: (sud|rseq): .* # SKIP$|# SKIP ($1)"
}

xfail() {
	grep -q "^# ok .* # XFAIL $2: " "$1" || { echo "no XFAIL $2 in:"; grep -c '^# ok' "$1"; return 1; }
}

transcript() {
	grep -E '^# # (\||  RUN)' "$1"
}

same_transcript() {
	transcript "$1" >"$TMP/a"
	transcript "$2" >"$TMP/b"
	[ -s "$TMP/a" ] && diff "$TMP/a" "$TMP/b"
}

# kunit.py counts programs; with the prefix of one program off, its cases.
kunit_counts() {
	local program cases
	python3 "$kunit" parse "$1" >"$TMP/kunit" 2>&1
	grep -q "Ran $(wc -l <"$O/suite/kselftest-list.txt") tests" "$TMP/kunit" || { cat "$TMP/kunit"; return 1; }
	while IFS=: read -r topic program; do
		sed -n "/^# selftests: $topic: $program\$/,/^ok /s/^# //p" "$1" >"$TMP/program"
		cases=$(grep -c '^ok ' "$TMP/program")
		python3 "$kunit" parse "$TMP/program" >"$TMP/kunit" 2>&1
		grep -q "Ran $cases tests" "$TMP/kunit" || { cat "$TMP/kunit"; return 1; }
	done <"$O/suite/kselftest-list.txt"
}

for spec in debian:6.1 debian:7.3; do
	ok "the suite runs on $spec" boot $spec $spec
	ok "every program on $spec is ok" complete "$TMP/$spec"
	ok "every skip on $spec has a reason" reasons "$TMP/$spec"
	ok "only what $spec lacks is skipped" \
		few_skips "$LACKING$([[ $spec != *6.1 ]] || echo "|$LACKING_6_1")" "$TMP/$spec"
	ok "K01 is a known failure of $spec" xfail "$TMP/$spec" K01
	ok "K02 is a known failure of $spec" xfail "$TMP/$spec" K02
done

ok "the suite runs on debian:7.3 again" boot debian:7.3 again
ok "two runs on debian:7.3 have one transcript" same_transcript "$TMP/debian:7.3" "$TMP/again"
ok "the suite runs unprivileged, with 4 CPUs" boot debian:7.3 nobody --unprivileged --smp 4
ok "every program is ok unprivileged" complete "$TMP/nobody"
ok "every skip has a reason unprivileged" reasons "$TMP/nobody"
ok "only what debian:7.3 lacks is skipped unprivileged" few_skips "$LACKING|$ROOT_ONLY" "$TMP/nobody"
ok "an unknown test gives exit status 2" status 2 vm/run debian:7.3 --suite "$O/suite" -- no_such_test

if [ -f "$kunit" ]; then
	ok "the kernel's kunit.py counts the same" kunit_counts "$TMP/debian:7.3"
else
	skip "the kernel's kunit.py counts the same" "no kernel tree: set KSRC=/path/to/linux"
fi
