# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# kernels/mutants/run with kernels and VMs that are only played: its verdicts, its
# table, that it goes on where it was interrupted, and wrong input. Then the headers
# of the real mutants, and that each names cases that the suite has.
. "$(dirname "$0")/lib.sh"

top=$TMP/top
mkdir -p "$top/kernels/mutants" "$top/vm" "$TMP/suite"
cp "$TOP/kernels/mutants/run" "$top/kernels/mutants/"
touch "$TMP/suite/run_tests.sh" "$top/vm/init" "$top/vm/console" "$top/kernels/mutants/never"
export CACHE=$TMP/cache

# The Image is a file that says what the mutant does.
cat >"$top/kernels/build" <<'END'
#!/bin/bash
patch=none
while [ $# -gt 1 ]; do
	[ "$1" != --patch ] || patch=$2
	shift
done
echo "$(basename "$patch" .patch)" >>"$CALLS"
[[ $patch != *unbuildable* ]] || { echo "kernels/build: syscall.c:1: error" >&2; exit 2; }
mkdir -p "$CACHE/images"
out=$CACHE/images/$(basename "$patch" .patch)-${!#}
[ -s "$out" ] || basename "$patch" .patch >"$out"
echo "$out"
END
cat >"$top/vm/run" <<'END'
#!/bin/bash
case $(cat "$1") in
silent) echo "vm/run: the kernel did not reach user space: no output" >&2; exit 2 ;;
panics) echo "Kernel panic - not syncing" >"$5"
	echo "vm/run: the kernel did not reach user space: it ended" >&2; exit 2 ;;
slow) sleep 60 ;;
esac
printf '%s:%s\n' "$(cat "$1")" "${*:9}" >>"$CALLS.run"
a='ok' b='ok' c='ok'
case $(cat "$1") in
breaks_a) a='not ok' ;;
breaks_b) b='not ok' ;;
esac
[ "$a$b" = okok ] || c='not ok'
cat <<KTAP
TAP version 13
1..1
# selftests: ptrace: x_test
# TAP version 13
# 1..2
# #  RUN           global.a ...
# $a 1 global.a
# #  RUN           global.b ...
# $b 2 global.b
$c 1 selftests: ptrace: x_test
KTAP
[ "$c" = ok ]
END
chmod +x "$top/kernels/build" "$top/vm/run"
export CALLS=$TMP/calls

# patch_of NAME CASE
patch_of() {
	printf '%s: %s\n' Base legacy Fault "of $1" 'Seen as' nothing 'Caught by' "$2" >"$top/kernels/mutants/$1.patch"
	printf -- '--- a/f\n+++ b/f\n' >>"$top/kernels/mutants/$1.patch"
}

mutants() {
	O=$O "$top/kernels/mutants/run" --suite "$TMP/suite" --work "$TMP/work" --jobs 2 "$@"
}

verdicts() {
	patch_of breaks_a ptrace/x_test/global.a
	patch_of breaks_b ptrace/x_test/global.a
	patch_of harmless ptrace/x_test/global.b
	patch_of unbuildable ptrace/x_test/global.b
	patch_of silent boot
	patch_of panics boot
	status 2 mutants --table "$TMP/table" >"$TMP/v" 2>"$TMP/v.err" &&
		lines "$TMP/table" '^\| breaks_a \| legacy \| of breaks_a \| x_test/a \|' 1 &&
		lines "$TMP/table" '^\| breaks_b .* NOT BY ITS CASE, by x_test/b \|' 1 &&
		lines "$TMP/table" '^\| harmless .* SURVIVED \|' 1 &&
		lines "$TMP/table" '^\| unbuildable .* NOT BUILT: .*syscall.c:1: error \|' 1 &&
		lines "$TMP/table" '^\| silent .* NO VERDICT: .*no output \|' 1 &&
		lines "$TMP/table" '^\| panics .*\| boot \|' 1 &&
		lines "$TMP/table" '^Mutants caught: 3 of 6 .*1 of them not by the case' 1 &&
		lines "$TMP/table" '^Cases that caught one: 2 of 2 ' 1 &&
		lines "$TMP/v.err" '6 of 6, 0:00 left' 1
}

goes_on() {
	: >"$CALLS"
	patch_of harmless ptrace/x_test/global.a
	mutants "*" >"$TMP/v" 2>"$TMP/v.err"
	# The changed one, those without a verdict, and the base.
	[ "$(sort "$CALLS" | tr '\n' ' ')" = 'harmless none none silent unbuildable ' ] ||
		{ sort "$CALLS"; return 1; }
}

all_caught() {
	status 0 mutants breaks_a panics >"$TMP/v" 2>/dev/null &&
		lines "$TMP/v" '^Mutants caught: 2 of 2 \(100 %\)\.$' 1
}

a_survivor() {
	status 1 mutants harmless >"$TMP/v" 2>/dev/null
}

# What cannot be compared has not survived.
not_compared() {
	printf '#!/bin/sh\necho "upstream-noticed: no results" >&2\nexit 2\n' >"$top/kernels/upstream-noticed"
	chmod +x "$top/kernels/upstream-noticed"
	status 2 mutants --upstream --work "$TMP/up" harmless >"$TMP/v" 2>/dev/null &&
		lines "$TMP/v" 'NO VERDICT: upstream-noticed: no results' 1 && lines "$TMP/v" SURVIVED 0
}

# Of a mutant only what its header names; the base whole. What the whole suite has judged is known.
named() {
	patch_of breaks_a 'ptrace/x_test/global.a, ptrace/x_test/global.b'
	: >"$CALLS.run"
	status 0 mutants --named --work "$TMP/named" breaks_a >"$TMP/v" 2>&1 || return
	[ "$(cat "$CALLS.run")" = "none:
breaks_a:ptrace/x_test" ] || { cat "$CALLS.run"; return 1; }
	status 0 mutants --work "$TMP/named" breaks_a >"$TMP/v" 2>&1 || return
	lines "$CALLS.run" '^breaks_a:$' 1 || return
	: >"$CALLS.run"
	status 0 mutants --named --work "$TMP/named" breaks_a >"$TMP/v" 2>&1 && [ ! -s "$CALLS.run" ]
}

# An Image that was kept is not built again for another suite.
kept() {
	local suite=$TMP/suite2
	cp -r "$TMP/suite" "$suite"
	echo changed >"$suite/run_tests.sh"
	mkdir -p "$TMP/kept/host"
	cp "$O/host/ktap" "$TMP/kept/host/"
	O=$TMP/kept mutants_in_kept --keep --suite "$TMP/suite" || return
	: >"$CALLS"
	O=$TMP/kept mutants_in_kept --suite "$suite" || return
	! grep breaks_a "$CALLS"
}

mutants_in_kept() {
	"$top/kernels/mutants/run" "$@" breaks_a >"$TMP/v" 2>&1 || { cat "$TMP/v"; return 1; }
}

interrupted() {
	local pid
	patch_of slow ptrace/x_test/global.a
	O=$O env --default-signal=INT setsid "$top/kernels/mutants/run" --suite "$TMP/suite" --work "$TMP/work" slow >"$TMP/v" 2>&1 &
	pid=$!
	timeout 20 tail -F "$CALLS" 2>/dev/null | grep -q -m 1 slow
	sleep 0.3
	kill -INT -- "-$pid"
	timeout 20 tail -f /dev/null --pid="$pid"
	wait "$pid"
	[ $? -eq 130 ] || { echo "exit status is not 130"; cat "$TMP/v"; return 1; }
	sleep 0.2
	! pgrep -s "$pid" -r D,R,S,T -a
}

bad() {
	local want=$1
	shift
	status 2 mutants "$@" >"$TMP/v" 2>&1 && lines "$TMP/v" "$want" 1 && lines "$TMP/v" '' 1
}

headers() {
	local patch field n=0
	for patch in "$TOP"/kernels/mutants/*.patch; do
		for field in 'Base: (legacy|generic|generic-nosud)$' 'Fault: .' 'Seen as: .' 'Caught by: .'; do
			[ "$(sed '/^--- /q' "$patch" | grep -cE "^$field")" -eq 1 ] ||
				{ echo "$(basename "$patch"): no line '$field' in its header"; n=1; }
		done
	done
	return $n
}

ok "a mutant is caught, by its case or another, survives, does not boot or build" verdicts
ok "what has a verdict is not done again" goes_on
ok "exit status 0 when all are caught" all_caught
ok "exit status 1 when one is not" a_survivor
ok "upstream's results that cannot be compared are no verdict" not_compared
ok "--named runs only the programs that a mutant names" named
ok "a kept Image is not built again for another suite" kept
ok "Ctrl-C leaves nothing running" interrupted
ok "unknown mutant" bad "no mutant matches 'nosuch'" nosuch
ok "unknown option" bad "unknown option '--nosuch'" --nosuch
ok "--named of upstream's" bad "--named is for our own suite" --named --upstream
ok "no number of jobs" bad "jobs is a number from 1 to 99, not 'x'" --jobs x
ok "no suite" bad "no built suite in $TMP/nosuch" --suite "$TMP/nosuch"
ok "a directory that cannot be written to" bad "cannot write to /proc/x" --work /proc/x
printf 'Fault: x\n--- a/f\n' >"$top/kernels/mutants/headless.patch"
ok "a mutant without a header" bad "headless.patch has no line 'Base: '" headless
ok "each mutant says what it is" headers
