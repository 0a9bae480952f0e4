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

# Debian's kernels have what nearly every case needs: what may be skipped, and where.
few_skips() {
	awk -v v6_1="$([[ $1 != *6.1* ]] || echo y)" '
		/^# selftests: / { topic = $3 }
		!/^(# )?(ok|1\.\.0) .*# SKIP/ && !/^# 1\.\.0 # SKIP/ { next }
		topic == "sud:" && (/ Syscall User Dispatch/ || /PR_SYS_DISPATCH_INCLUSIVE_ON/) { next }
		topic == "rseq:" && (/SKIP the kernel does not check system calls in rseq/ ||
			/SKIP whether (the kernel checks|rseq debugging)/ ||
			/SKIP rseq debugging is switched off/) { next }
		topic == "rseq:" && v6_1 && /SKIP no extended rseq area/ { next }
		# All cases of a program, each with its reason.
		/^ok [0-9]+ selftests: (sud|rseq): / { next }
		{ print; bad = 1 }
		END { exit bad || !topic }' "$2"
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
	ok "only what $spec lacks is skipped" few_skips $spec "$TMP/$spec"
	ok "K01 is a known failure of $spec" xfail "$TMP/$spec" K01
	ok "K02 is a known failure of $spec" xfail "$TMP/$spec" K02
done

ok "the suite runs on debian:7.3 again" boot debian:7.3 again
ok "two runs on debian:7.3 have one transcript" same_transcript "$TMP/debian:7.3" "$TMP/again"
ok "the suite runs unprivileged, with 4 CPUs" boot debian:7.3 nobody --unprivileged --smp 4
ok "every program is ok unprivileged" complete "$TMP/nobody"
ok "every skip has a reason unprivileged" reasons "$TMP/nobody"
ok "only what debian:7.3 lacks is skipped unprivileged" few_skips debian:7.3 "$TMP/nobody"
ok "an unknown test gives exit status 2" status 2 vm/run debian:7.3 --suite "$O/suite" -- no_such_test

if [ -f "$kunit" ]; then
	ok "the kernel's kunit.py counts the same" kunit_counts "$TMP/debian:7.3"
else
	skip "the kernel's kunit.py counts the same" "no kernel tree: set KSRC=/path/to/linux"
fi
