# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# run_tests.sh and tools/supervise, with programs that are shell scripts: what is
# selected, what is printed, and that nothing is left however the run ends.

# shellcheck source=tests/lib.sh disable=SC2016,SC2086 # for sh -c; lists of words
. "$(dirname "$0")/lib.sh"

S="$TMP/a suite"
mkdir -p "$S" "$TMP/bin"
build() {
	local tool
	for tool in supervise ktap; do
		cc -O1 -g -Wall -Wextra -Werror "$@" -o "$S/$tool" "$TOP/tools/$tool.c" || return
	done
}
ok "supervise and ktap build without a warning" build
cp "$TOP/run_tests.sh" "$S"
echo 'timeout=45' >"$S/settings"

# program DIR/NAME: a test program from stdin; $cases holds its cases.
program() {
	mkdir -p "$S/${1%/*}"
	{
		printf '#!/bin/sh\n[ "$1" = --list ] && { printf "%%s\\n" %s; exit; }\n' "$cases"
		cat
	} >"$S/$1"
	chmod +x "$S/$1"
	echo "${1%/*}:${1#*/}" >>"$S/kselftest-list.txt"
}

cases='global.x7_reads_0 sud.on.blocks sud.off.passes'
program ptrace/entry_test <<'END'
echo "# args: $*"; echo "# in: ${PWD##*/} $LC_ALL"
printf '%s\n' 'TAP version 13' 1..3 '#  RUN           global.x7_reads_0 ...' \
	'#            OK  global.x7_reads_0' 'ok 1 global.x7_reads_0' \
	'#  RUN           sud.on.blocks ...' '#      SKIP      needs X' 'ok 2 sud.on.blocks # SKIP needs X' \
	'#  RUN           sud.off.passes ...' 'ok 3 sud.off.passes # XFAIL K01: old'
END
cases='global.stepping_svc global.x7_reads_0'
program singlestep/step_test <<'END'
printf '%s\n' 'TAP version 13' 1..1 '#  RUN           global.stepping_svc ...' 'ok 1 global.stepping_svc'
END
cases='global.fails'
program singlestep/bad_test <<'END'
printf '%s\n' 'TAP version 13' 1..1 '#  RUN           global.fails ...' '# bad.c:7:global.fails:Expected 1' \
	'#          FAIL  global.fails' 'not ok 1 global.fails'
exit 1
END
cases='global.never'
program mte/skip_test <<<"echo '1..0 # SKIP no MTE'; exit 4"
cases='global.xfail'
program mte/xfail_test <<<"echo 1..1; echo 'ok 1 global.xfail # XFAIL K02: old'; exit 2"
cases='global.dies'
program rseq/dies_test <<'END'
echo 1..2; echo '#  RUN           global.dies ...'; printf 'nul \0 esc \033 half'; kill -11 $$
END
echo 'rseq:missing_test' >>"$S/kselftest-list.txt"
good='ptrace step_test'

marks=0
# Everything that a run starts has this in its environment.
RUN_TESTS_MARK=m$$.
left() { grep -lsa "RUN_TESTS_MARK=$RUN_TESTS_MARK$1;" /proc/[0-9]*/environ | cut -d/ -f3; }

# none_left N: of run N no process is left, or soon will be.
none_left() {
	local end=$((SECONDS + 4)) pid
	while pid=$(left "$1") && [ "$pid" ]; do
		if [ $SECONDS -ge $end ]; then
			for pid in $pid; do tr '\0' ' ' <"/proc/$pid/cmdline"; echo "($pid) is left"; done
			return 1
		fi
		sleep 0.02
	done
}

# run STATUS ARGUMENT...: stdout in $TMP/ktap, stderr in $TMP/err
run() {
	local want=$1 got
	shift
	$sh "$S/run_tests.sh" "$@" >"$TMP/ktap" 2>"$TMP/err"
	got=$?
	[ $got -eq "$want" ] && return 0
	echo "exit status $got, expected $want"
	cat "$TMP/ktap" "$TMP/err"
	return 1
}

# refused MESSAGE ARGUMENT...: this line, exit status 2 and nothing else
refused() {
	local message=$1
	shift
	run 2 "$@" && [ ! -s "$TMP/ktap" ] && printf 'run_tests.sh: %s\n' "$message" | diff - "$TMP/err"
}

# selects LIST SELECTOR...: --list prints exactly this
selects() {
	local want=$1
	shift
	run 0 --list "$@" && printf '%s\n' $want | diff - "$TMP/ktap"
}

# plan_is PROGRAMS COMMAND...: it runs these programs, in this order
plan_is() {
	local want=$1
	shift
	"$@" || return 1
	sed -n 's/^# selftests: //p' "$TMP/ktap" | tr -d ' ' | xargs | diff - <(echo "$want")
}

selection() {
	local e=ptrace/entry_test s=singlestep/step_test b=singlestep/bad_test
	local all="$e:global.x7_reads_0 $e:sud.on.blocks $e:sud.off.passes"
	selects "$all $s:global.stepping_svc $s:global.x7_reads_0 $b:global.fails rseq/missing_test" &&
	selects "$all" ptrace && selects "$all" ptrace/ && selects "$all" entry_test &&
	selects "$all" ptrace/entry_test && selects "$all" ptrace:entry_test && selects "$all" 'entry_*' &&
	selects "$e:global.x7_reads_0 $s:global.x7_reads_0" x7_reads_0 &&
	selects "$e:global.x7_reads_0 $s:global.x7_reads_0" 'global.x7*' &&
	selects "$e:sud.on.blocks" blocks && selects "$e:sud.on.blocks" on.blocks &&
	selects "$e:sud.on.blocks" sud.on.blocks && selects "$e:sud.on.blocks" 'entry_test:*block*' &&
	selects "$s:global.x7_reads_0" singlestep/step_test:x7_reads_0 &&
	selects "$s:global.x7_reads_0" singlestep:step_test:x7_reads_0 &&
	selects "$s:global.x7_reads_0 $b:global.fails" bad_test step_test:x7_reads_0 bad_test:fails
}

refusals() {
	refused "no directory, program or case matches 'nix'; run_tests.sh --list shows them" ptrace nix &&
	refused "no directory, program or case matches 'step_test:blocks'; run_tests.sh --list shows them" \
		step_test:blocks &&
	refused "no directory, program or case matches 'x*y'; run_tests.sh --list shows them" --list 'x*y' &&
	refused "unknown option '--nix'; see --help" --nix &&
	refused "--repeat needs a value; see --help" --repeat &&
	refused "--repeat: '0' is not a number of 1 or more" --repeat 0 &&
	refused "--timeout: '1s' is not a number of seconds" --timeout 1s ptrace &&
	refused "--from: '-1' is not a number of 1 or more" --from -1 &&
	refused "--from 3: the plan has only 2 program(s)" --from 3 --repeat 2 ptrace &&
	refused "--log: cannot write $TMP/no/log" --log "$TMP/no/log" ptrace &&
	refused "'' selects nothing; run_tests.sh --list shows what there is" ''
}

results() {
	local k
	run 1 || return 1
	grep -E '^(ok|not ok|1\.\.)' "$TMP/ktap" | diff - <(echo '1..7
ok 1 selftests: ptrace: entry_test
ok 2 selftests: singlestep: step_test
not ok 3 selftests: singlestep: bad_test # exit=1
ok 4 selftests: mte: skip_test # SKIP
ok 5 selftests: mte: xfail_test # XFAIL
not ok 6 selftests: rseq: dies_test # exit=139
not ok 7 selftests: rseq: missing_test') &&
	lines "$TMP/ktap" '^# nul \\x00 esc \\x1b half$' 1 &&
	lines "$TMP/ktap" '^# program killed by signal 11 while running case global.dies$' 1 &&
	lines "$TMP/ktap" '^# # in: ptrace C$' 1 &&
	k=$(grep -c '^# timeout set to 45$' "$TMP/ktap") && [ "$k" -eq 7 ] &&
	lines "$TMP/err" 'run_tests.sh singlestep/bad_test:global.fails$' 1 &&
	lines "$TMP/err" '^7 programs, 3 failed; cases: 2 passed, 2 failed, 1 skipped, 2 xfail, 1 not run;' 1
}

options() {
	plan_is 'ptrace:entry_test singlestep:step_test' run 0 $good &&
	plan_is 'ptrace:entry_test' run 0 blocks --ktap -- entry_test:x7_reads_0 on.blocks &&
	lines "$TMP/ktap" '^# # args: --case sud.on.blocks --case global.x7_reads_0$' 1 &&
	test ! -s "$TMP/err" &&
	plan_is 'ptrace:entry_test singlestep:step_test ptrace:entry_test singlestep:step_test' \
		run 0 --repeat 2 $good && lines "$TMP/ktap" '^1\.\.4$' 1 &&
	lines "$TMP/ktap" '^ok 4 selftests: singlestep: step_test$' 1 &&
	plan_is 'ptrace:entry_test singlestep:step_test' run 0 --from 3 --repeat 2 $good &&
	lines "$TMP/ktap" '^(TAP|1\.\.)' 0 && lines "$TMP/ktap" '^ok 3 selftests: ptrace: entry_test$' 1 &&
	run 0 --timeout 9 --log "$TMP/log" ptrace && cmp "$TMP/ktap" "$TMP/log" &&
	lines "$TMP/log" '^# overriding timeout to 9$' 1 &&
	run 0 --help && lines "$TMP/ktap" '^Usage: run_tests.sh ' 1
}

without_ktap() {
	mv "$S/ktap" "$TMP/ktap.away"
	run 1 && lines "$TMP/ktap" '^not ok 7 ' 1 && lines "$TMP/err" '' 1 &&
		run 0 $good && run 0 --ktap $good && refused "--log needs $S/ktap: install the suite again" --log "$TMP/log"
	local rc=$?
	mv "$TMP/ktap.away" "$S/ktap"
	return $rc
}

stress() {
	local mark=stress$((++marks)) path=$PATH
	cat >"$TMP/bin/stress-ng" <<-'END'
		#!/bin/sh
		echo "$*" >"$STRESS_ARGS"
		setsid sleep 500 &
		exec sleep 500
	END
	chmod +x "$TMP/bin/stress-ng"
	PATH=$TMP/bin:$path STRESS_ARGS=$TMP/args RUN_TESTS_MARK=$RUN_TESTS_MARK$mark\; run 0 --stress ptrace &&
		none_left "$mark" && echo '--cpu 0 --timeout 0 --temp-path .' | diff - "$TMP/args" || return 1
	echo 'exit 1' >"$TMP/bin/stress-ng"
	PATH=$TMP/bin:$path run 2 --stress ptrace && lines "$TMP/err" '^run_tests.sh: stress-ng ended before' 1 || return 1
	for tool in diff sh dash bash busybox env cat dirname uname id nproc cmp; do
		ln -sf "$(command -v $tool)" "$TMP/bin/$tool"
	done
	rm "$TMP/bin/stress-ng"
	PATH=$TMP/bin refused "--stress needs stress-ng: install the package stress-ng" --stress ptrace
}

# The kernel's reader counts what we count, of all programs and of one program's cases.
kunit_counts() {
	python3 "$KSRC/tools/testing/kunit/kunit.py" parse "$1" >"$TMP/kunit" 2>&1
	sed 's/\x1b\[[0-9;]*m//g' "$TMP/kunit" | grep -qE "Ran $2\$" || { cat "$TMP/kunit"; return 1; }
	! grep -q '\[ERROR\]' "$TMP/kunit"
}

kunit() {
	run 1 && kunit_counts "$TMP/ktap" '7 tests: passed: 3, failed: 3, skipped: 1' || return 1
	sed -n '/^# selftests: ptrace: entry_test/,/^ok 1 /s/^# //p' "$TMP/ktap" >"$TMP/block"
	kunit_counts "$TMP/block" '3 tests: passed: 2, skipped: 1' &&
		lines "$TMP/err" '^ok   ptrace/entry_test .* 1 passed, 1 skipped, 1 xfail$' 1
}

terminal() {
	script -qec "env TERM=xterm $sh '$S/run_tests.sh' $*" /dev/null </dev/null >"$TMP/tty"
}

on_a_terminal() {
	status 1 terminal || return 1
	grep -q '\[3/7\] singlestep/bad_test' "$TMP/tty" && ! grep -q '^TAP' "$TMP/tty" &&
		lines "$TMP/tty" '^    bad.c:7:global.fails:Expected 1' 1 && grep -q $'\033\\[32m' "$TMP/tty" &&
		NO_COLOR=1 status 0 terminal $good && ! grep -q $'\033\\[3' "$TMP/tty" &&
		status 0 terminal --ktap $good && grep -q '^TAP' "$TMP/tty" && ! grep -q programs "$TMP/tty"
}

for sh in dash 'busybox sh' bash; do
	sed -i.all '/mte\|dies/d' "$S/kselftest-list.txt"
	ok "$sh: selectors" selection
	mv "$S/kselftest-list.txt.all" "$S/kselftest-list.txt"
	ok "$sh: wrong options, values and selectors: one line, exit status 2, nothing run" refusals
	ok "$sh: KTAP and summary of every verdict" results
	ok "$sh: --ktap, --repeat, --from, --timeout, --log, --help" options
	ok "$sh: without ktap: plain KTAP, the same status" without_ktap
	ok "$sh: --stress" stress
	if ! command -v script >/dev/null; then
		skip "$sh: on a terminal" "needs script, package bsdutils"
	else
		ok "$sh: on a terminal: progress, failures, colours" on_a_terminal
	fi
done
sh=dash
if [ -f "${KSRC:-}/tools/testing/kunit/kunit.py" ]; then
	ok "kunit.py parse counts the same" kunit
else
	skip "kunit.py parse counts the same" "no kernel tree: set KSRC=/path/to/linux"
fi

# What is not installed, or not for this machine
broken() {
	local message=$1 rc
	shift
	cp -r "$S" "$TMP/broken"
	(cd "$TMP/broken" && "$@")
	$sh "$TMP/broken/run_tests.sh" ptrace >"$TMP/ktap" 2>"$TMP/err"
	rc=$?
	rm -rf "$TMP/broken"
	[ $rc -eq 2 ] && [ ! -s "$TMP/ktap" ] && printf 'run_tests.sh: %s\n' "$message" | diff - "$TMP/err"
}
# elf MACHINE FILE: nothing but the head of an ELF file for that machine
elf() { printf '\177ELF\2\1\1\0\0\0\0\0\0\0\0\0\2\0\%03o\0' "$1" | dd of="$2" conv=notrunc status=none; }
B=$TMP/broken
for sh in 'busybox sh' dash; do
	ok "$sh: no supervise" broken \
		"no installed suite in $B: make install INSTALL_PATH=DIR, then run DIR/run_tests.sh" rm supervise
	ok "$sh: no list" broken \
		"no installed suite in $B: make install INSTALL_PATH=DIR, then run DIR/run_tests.sh" rm kselftest-list.txt
	ok "$sh: a program that is not executable" broken \
		"$B/ptrace/entry_test is not executable: chmod +x it, or install the suite again" chmod -x ptrace/entry_test
	ok "$sh: a program for another machine" broken \
		"$B/ptrace/entry_test was built for another machine; this is $(uname -m): build and install the suite for it" \
		elf 243 ptrace/entry_test
	ok "$sh: a suite for another machine" broken \
		"$B/supervise does not run on this machine ($(uname -m)): build and install the suite for it, or boot a kernel for it with make run_tests" \
		elf 243 supervise
	ok "$sh: a timeout that is none" broken "$B/settings: 'soon' is not a timeout in seconds" \
		sh -c 'echo timeout=soon >settings'
done

# A case that hangs, with a child that ignores SIGTERM in a session of its own,
# and an orphan. It ends when its first child does.
mv "$S/kselftest-list.txt" "$TMP/list"
cases='global.hangs'
program hang/hang_test <<'END'
sleep 500 & child=$!
setsid sh -c 'trap "" TERM HUP INT; (setsid sleep 500 &); sleep 500' &
echo 1..1
echo '#  RUN           global.hangs ...'
wait $child
exit 1
END
program hang/next_test <<<'echo 1..1; echo ok 1 global.hangs'

timeouts() {
	local mark=timeout$((++marks))
	RUN_TESTS_MARK=$RUN_TESTS_MARK$mark\; run 1 --timeout 1 &&
		none_left "$mark" && lines "$TMP/ktap" '^# TIMEOUT after 1 s while running case global.hangs$' 1 &&
		lines "$TMP/ktap" '^not ok 1 selftests: hang: hang_test # TIMEOUT 1 seconds$' 1 &&
		lines "$TMP/ktap" '^ok 2 ' 1
}

# party NAME MARK: the process of the run with this mark that plays this part
party() {
	local pid name parent
	for pid in $(left "$2"); do
		read -r name <"/proc/$pid/comm"
		parent=$(awk '/^PPid:/ { print $2 }' "/proc/$pid/status")
		case $1,$name in
		run_tests.sh,*) [ "$pid" -eq "$main" ] ;;
		loop,sh | loop,dash | loop,bash | loop,busybox) [ "$parent" -eq "$main" ] ;;
		guard,supervise) [ "$(cat "/proc/$parent/comm")" != supervise ] ;;
		supervisor,supervise) [ "$(cat "/proc/$parent/comm")" = supervise ] ;;
		program,hang_test) ;;
		child,sleep) [ "$(cat "/proc/$parent/comm")" = hang_test ] ;;
		ktap,ktap) ;;
		*) false ;;
		esac && echo "$pid" && return
	done
	return 1
}

# ends_by SIGNAL PARTY STATUS: this signal for this process; the run ends with
# STATUS and leaves nothing.
ends_by() {
	local mark=$2$((++marks)) main pid rc start
	rm -f "$TMP/fifo"
	mkfifo "$TMP/fifo"
	RUN_TESTS_MARK=$RUN_TESTS_MARK$mark\; env --default-signal=HUP,INT,QUIT,TERM $sh "$S/run_tests.sh" \
		--timeout 60 >"$TMP/fifo" 2>"$TMP/err" &
	main=$!
	exec 8<"$TMP/fifo"
	grep -qm1 'RUN  *global.hangs' <&8
	pid=$(party "$2" "$mark") || { echo "no $2"; kill $main; return 1; }
	start=$SECONDS
	kill "-$1" "$pid"
	cat <&8 >"$TMP/rest"
	wait $main 2>/dev/null
	rc=$?
	exec 8<&-
	[ $((SECONDS - start)) -lt 20 ] || { echo "it ended by its timeout only"; return 1; }
	[ $rc -eq "$3" ] || { echo "exit status $rc, expected $3"; cat "$TMP/rest" "$TMP/err"; return 1; }
	if [ "$1" != KILL ] && [ "$(left "$mark")" ]; then
		echo "there are processes when run_tests.sh has ended"
		return 1
	fi
	none_left "$mark"
}

reader_gone() {
	local mark=reader$((++marks)) start=$SECONDS
	RUN_TESTS_MARK=$RUN_TESTS_MARK$mark\; $sh "$S/run_tests.sh" --timeout 60 2>"$TMP/err" |
		grep -qm1 'RUN  *global.hangs'
	none_left "$mark" && [ $((SECONDS - start)) -lt 20 ]
}

control_c() {
	local mark=tty$((++marks)) pid
	rm -f "$TMP/in"
	mkfifo "$TMP/in"
	RUN_TESTS_MARK=$RUN_TESTS_MARK$mark\; script -qefc "env --default-signal=INT TERM=xterm $sh '$S/run_tests.sh' --timeout 60" \
		/dev/null <"$TMP/in" >"$TMP/tty" &
	pid=$!
	exec 9>"$TMP/in"
	until grep -q hang/hang_test "$TMP/tty"; do sleep 0.02; done
	sleep 0.2
	printf '\003' >&9
	wait $pid
	rc=$?
	exec 9>&-
	[ $rc -eq 130 ] && none_left "$mark" && grep -q 'interrupted by signal 2' "$TMP/tty" &&
		return
	echo "exit status $rc"
	cat "$TMP/tty"
	return 1
}

for sh in dash 'busybox sh' bash; do
	ok "$sh: a timeout ends all descendants, the next program runs" timeouts
	ok "$sh: SIGINT: exit status 130, nothing left" ends_by INT run_tests.sh 130
	ok "$sh: SIGTERM: exit status 143, nothing left" ends_by TERM run_tests.sh 143
	ok "$sh: kill -9 of run_tests.sh" ends_by KILL run_tests.sh 137
	ok "$sh: the reader of stdout goes away" reader_gone
	command -v script >/dev/null && ok "$sh: Ctrl-C on a terminal" control_c
done
sh='busybox sh'
ok "SIGHUP: exit status 129, nothing left" ends_by HUP run_tests.sh 129
ok "kill -9 of its loop" ends_by KILL loop 2
ok "kill -9 of ktap" ends_by KILL ktap 2
ok "kill -9 of supervise's guard" ends_by KILL guard 1
ok "kill -9 of supervise's supervisor" ends_by KILL supervisor 1
ok "kill -9 of the program" ends_by KILL program 1
ok "kill -9 of its child" ends_by KILL child 1

# What a program starts with, whatever supervise did. Signals 32 and 33 are the libc's:
# where they come ignored, nobody can change that.
clean_start() {
	env --block-signal --ignore-signal=CHLD,INT,USR1 "$S/supervise" -- "$(command -v grep)" -E \
		'^Sig(Blk|Ign)' /proc/self/status >"$TMP/start" &&
		lines "$TMP/start" '^# Sig(Blk|Ign):.0{7}[01][08]0{7}$' 2 || return
	(ulimit -c 0 && exec "$S/supervise" -- "$(command -v grep)" core /proc/self/limits) >"$TMP/start"
	lines "$TMP/start" '^# Max core file size +[01] +[01] +bytes' 1
}
ok "a program starts with no signal blocked or ignored, and leaves no core" clean_start

ok "supervise and ktap build with ASan and UBSan" \
	build -fsanitize=address,undefined -fno-sanitize-recover=all
ok "the sanitizers: a timeout" timeouts
ok "the sanitizers: SIGTERM" ends_by TERM run_tests.sh 143
mv "$TMP/list" "$S/kselftest-list.txt"
ok "the sanitizers: every verdict" results
