# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# tools/ktap summary: verdicts, counts, exit status, damaged input; ktap cases: its rows.

# shellcheck source=tests/lib.sh disable=SC2016 # for bash -c
. "$(dirname "$0")/lib.sh"

K=$TMP/ktap
ok "ktap builds without a warning" \
	cc -O1 -g -Wall -Wextra -Werror -fsanitize=address,undefined -fno-sanitize-recover=all \
	-o "$K" "$TOP/tools/ktap.c"
[ -x "$K" ] || exit 1

# block K DIR/PROGRAM RESULT LINE...: what run_tests.sh prints for one program;
# RESULT as "ok # SKIP"; the lines are the program's.
block() {
	local k=$1 name="selftests: ${2%/*}: ${2#*/}" result=$3
	shift 3
	printf '# timeout set to 45\n# %s\n' "$name"
	[ $# -eq 0 ] || printf '# %s\n' "$@"
	case $result in
	*'#'*) printf '%s %s %s #%s\n' "${result%% #*}" "$k" "$name" "${result#*#}" ;;
	*) printf '%s %s %s\n' "$result" "$k" "$name" ;;
	esac
}

begin() { printf '#  RUN           %s ...' "$1"; }

head_of() { printf 'TAP version 13\n# Linux 6.1\n1..%s\n' "$1"; }

# sums STATUS INPUT OPTION...: the exit status; stdout is the input, summary in $TMP/sum
sums() {
	local want=$1 in=$2
	shift 2
	status "$want" "$K" summary "$@" <"$in" >"$TMP/through" 2>"$TMP/sum" || { cat "$TMP/sum"; return 1; }
	cmp "$in" "$TMP/through"
}

has() { lines "$TMP/sum" "$1" 1; }

in=$TMP/in
{
	head_of 2
	block 1 ptrace/entry_exit_test ok 'TAP version 13' 1..2 "$(begin global.a)" '# a diagnostic' \
		'#            OK  global.a' 'ok 1 global.a' "$(begin sud.on.b)" 'ok 2 sud.on.b'
	block 2 sud/sud_test ok 'TAP version 13' 1..1 "$(begin global.c)" 'ok 1 global.c'
} >"$in"
ok "all passed: exit status 0" sums 0 "$in"
ok "passed cases are counted" has '^2 programs, 0 failed; cases: 3 passed; '
ok "one line for a program" has '^ok   ptrace/entry_exit_test +[0-9.]+ s  2 passed$'
ok "--quiet: no summary" sums 0 "$in" --quiet
ok "--quiet: nothing on stderr" test ! -s "$TMP/sum"
ok "--log: the KTAP" sums 0 "$in" --log "$TMP/log"
ok "--log: is the input" cmp "$in" "$TMP/log"
ok "--log: cannot be opened: exit status 2" status 2 "$K" summary --log "$TMP/no/log" <"$in"
ok "--log: disk full: exit status 2, the rest goes on" sums 2 "$in" --log /dev/full
ok "stdout full: exit status 2" bash -c '"$1" summary <"$2" >/dev/full; [ $? -eq 2 ]' - "$K" "$in"
reader_gone() { while cat "$in"; do :; done 2>"$TMP/err" | "$K" summary 2>"$TMP/sum" | head -1; }
ok "stdout closed: ends" reader_gone
ok "an unknown option: exit status 2" status 2 "$K" summary --no-such <"$in"
ok "an unknown command: exit status 2" status 2 "$K" sum

{
	head_of 2
	block 1 p/skips ok 1..3 "$(begin global.a)" '#      SKIP      no SUD: needs CONFIG_X' \
		'ok 1 # SKIP no SUD: needs CONFIG_X' "$(begin global.b)" \
		'ok 2 global.b # SKIP no SUD: needs CONFIG_X' 'ok 3 b # XFAIL K01: old'
	block 2 p/all 'ok # SKIP' '1..0 # SKIP not arm64'
} >"$in"
ok "skipped and XFAIL: exit status 0" sums 0 "$in"
ok "skips are grouped by reason" has '^ +2  no SUD: needs CONFIG_X \(p/skips\)$'
ok "a known failure is shown with its reason" has '^ +1  K01: old \(p/skips\)$'
ok "a skipped program is shown with its reason" has '^ +1  not arm64 \(p/all\)$'
ok "XFAIL and skips are counted" has 'cases: 2 skipped, 1 xfail;'

{
	head_of 3
	block 1 p/one 'not ok # exit=1' 1..2 "$(begin global.a)" '# one.c:3:global.a:Expected 1' \
		'#          FAIL  global.a' 'not ok 1 global.a' "$(begin global.b)" 'ok 2 global.b'
	block 2 p/two 'not ok # TIMEOUT 45 seconds' 1..4 "$(begin global.c)" 'ok 1 global.c' \
		"$(begin f.v.hangs)" '# the last words'
	block 3 p/three 'not ok # exit=127'
} | sed 's/^# # the last words/&\n# TIMEOUT after 45 s while running case f.v.hangs/' >"$in"
ok "failed cases: exit status 1" sums 1 "$in" --rerun './r x '
ok "how to run the failed case" has '^  \./r x p/one:global\.a$'
ok "the case that ran when time was up is a failure" \
	has '^  \./r x p/two:f\.v\.hangs  # TIMEOUT after 45 s while running case f\.v\.hangs$'
ok "a program that failed without a failed case" has '^  \./r x p/three  # exit=127$'
ok "cases that were not run are counted" has '^FAIL p/two +[0-9.]+ s  1 passed, 1 failed, 2 not run$'

tty_out() {
	TERM=$1 "$K" summary --tty <"$in" >"$TMP/tty"
	[ $? -eq "$2" ]
}
ok "--tty: exit status" tty_out xterm 1
ok "--tty: the failure with its diagnostics" \
	bash -c 'grep -A1 "p/one:global.a$" "$1" | grep -q "^    one.c:3:global.a:Expected 1"' - "$TMP/tty"
ok "--tty: the last words of the case that hung" lines "$TMP/tty" '^    the last words' 1
ok "--tty: progress" grep -q '\[2/3\] p/two' "$TMP/tty"
ok "--tty: colours" grep -q $'\033\\[31m' "$TMP/tty"
export NO_COLOR=1
ok "--tty: NO_COLOR" tty_out xterm 1
ok "--tty: NO_COLOR has no colours, but progress" \
	bash -c '! grep -q "\[3[0-9]m" "$1" && grep -q "\[2/3\]" "$1"' - "$TMP/tty"
unset NO_COLOR
ok "--tty: on a dumb terminal" tty_out dumb 1
ok "--tty: a dumb terminal gets no escape sequence" bash -c '! grep -q "$(printf "\033")" "$1"' - "$TMP/tty"

{ head_of 1; block 1 p/zero ok 'hello'; } >"$in"
ok "passed without a case: exit status 1" sums 1 "$in"
{ head_of 1; block 1 p/short ok 1..3 'ok 1 global.a'; } >"$in"
ok "passed with fewer cases than planned: exit status 1" sums 1 "$in"
for result in 'ok # XFAIL' 'ok # SKIP'; do
	{ head_of 1; block 1 p/short "$result" 1..3 'ok 1 global.a # SKIP none'; } >"$in"
	ok "${result#ok # } with fewer cases than planned: exit status 1" sums 1 "$in"
	ok "${result#ok # } with fewer cases than planned: is said" has '^  \./run_tests\.sh p/short  # fewer results than planned$'
	{ head_of 1; block 1 p/short "$result" 1..1 "$(begin global.a)"; } >"$in"
	ok "${result#ok # } in the middle of a case: exit status 1" sums 1 "$in"
	{ head_of 1; block 1 p/short "$result" 1..3; } >"$in"
	ok "${result#ok # } with a plan and no case: exit status 1" sums 1 "$in"
	ok "${result#ok # } with a plan and no case: is said" has '^  \./run_tests\.sh p/short  # no case was run$'
done
{ head_of 1; block 1 p/zero 'ok # XFAIL' 'hello'; } >"$in"
ok "XFAIL without a case: exit status 1" sums 1 "$in"
ok "XFAIL without a case: is said" has '^  \./run_tests\.sh p/zero  # no case was run$'
{ head_of 1; block 1 p/zero 'ok # SKIP' 'hello'; } >"$in"
ok "SKIP without a case or a plan: exit status 0" sums 0 "$in"
{ head_of 1; block 1 p/lies ok 1..1 'not ok 1 global.a'; } >"$in"
ok "passed with a failed case: exit status 1" sums 1 "$in"
{ head_of 1; printf '%s\n' '# selftests: p: cut' '# 1..1'; block 1 p/next ok 1..1 'ok 1 global.a'; } >"$in"
ok "a program without a result: exit status 1" sums 1 "$in"

{ head_of 2; block 1 p/one ok 1..1 'ok 1 global.a'; } >"$in"
ok "fewer programs than planned: exit status 2" sums 2 "$in"
ok "fewer programs than planned: is said" has '^not complete: 1 of 2 programs were run$'
printf '# selftests: p: two\n# 1..1\n# #  RUN           global.b ...\n' >>"$in"
ok "cut off in a case: exit status 2" sums 2 "$in"
ok "cut off in a case: which" has '^not complete: .* p/two was running, case global\.b$'
block 1 p/one ok 1..1 'ok 1 global.a' >"$in"
ok "no plan: exit status 2" sums 2 "$in"
ok "no plan with --partial: exit status 0" sums 0 "$in" --partial
: >"$in"
ok "no input: exit status 2" sums 2 "$in"
ok "no input with --partial: exit status 2" sums 2 "$in" --partial

{
	head_of 6
	for i in 1 2 3 4 5 6; do
		not=
		[ $i -ne 3 ] || not='not '
		block $i p/one "${not}ok" 1..2 "$(begin global.a)" "${not}ok 1 global.a" \
			"$(begin global.b)" 'ok 2 global.b'
	done
} >"$in"
ok "a flaky case: exit status 1" sums 1 "$in"
ok "a flaky case: how often" has ' p/one:global\.a  # flaky: passed 5, failed 1 of 6$'
ok "repeated runs are one line" has '^FAIL p/one +[0-9.]+ s  11 passed, 1 failed in 6 runs$'

{
	printf '[    0.1] Booting\r\n'
	head_of 1
	block 1 p/one ok 1..1 "$(begin global.a)" 'ok 1 global.a'
} | sed 's/$/\r/; s/^# # *RUN.*/&\n[   12.3] BUG: noise 1..9 ok 3 of it\n[ 1.2]\x00\xff/' >"$in"
ok "CRs and lines of the kernel" sums 0 "$in"
ok "CRs and lines of the kernel: counted" has '^1 programs, 0 failed; cases: 1 passed;'
{ head_of 1; printf '# selftests: p: one\n# 1..1\n# ok 1 '; head -c 3000000 /dev/zero | tr '\0' a; printf '\nok 1 selftests: p: one'; } >"$in"
ok "a very long line, no newline at the end" sums 0 "$in"

# Rubbish: pieces of the format in any order; ASan and UBSan watch.
rubbish() {
	local n rc
	for n in $(seq 12); do
		awk -v seed="$n" 'BEGIN {
			srand(seed)
			n = split("# |#|ok |not ok |1|99999999999999999999|-1| # SKIP| # XFAIL |selftests: a: b|selftests: : |selftests: |\n|\n|\n|\n# |1..|TAP version 13|#  RUN           |x ...|\r|a.b|#####|  |TIMEOUT after |- |:", w, "|")
			for (i = 0; i < 3000; i++)
				printf "%s", w[1 + int(rand() * n)]
		}' >"$TMP/rubbish"
		"$K" summary --tty <"$TMP/rubbish" >"$TMP/through" 2>"$TMP/sum"
		rc=$?
		if [ $rc -gt 2 ] || [ -s "$TMP/sum" ]; then
			echo "seed $n: exit status $rc"
			head -30 "$TMP/sum"
			return 1
		fi
	done
}
ok "rubbish: no crash" rubbish
head -c 200000 /dev/urandom >"$in"
ok "random bytes: exit status 2" sums 2 "$in"

# SIGTERM while it waits for input: what there is, at once.
interrupted() {
	local pid rc
	mkfifo "$TMP/fifo" "$TMP/out_fifo"
	"$K" summary <"$TMP/fifo" >"$TMP/out_fifo" 2>"$TMP/sum" &
	pid=$!
	exec 7>"$TMP/fifo" 8<"$TMP/out_fifo"
	head_of 2 >&7
	block 1 p/one ok 1..1 'ok 1 global.a' >&7
	grep -qm1 '^ok 1 selftests' <&8	# all has arrived
	kill -TERM $pid
	wait $pid
	rc=$?
	exec 7>&- 8<&-
	[ $rc -eq 143 ] && has '^interrupted by signal 15: 1 of 2 programs were run$' &&
		has '^ok   p/one '
}
ok "SIGTERM: the summary so far, exit status 143" interrupted

# table INPUT ROW...: ktap cases makes these rows of it, and no others.
table() {
	local in=$1
	shift
	status 0 "$K" cases <"$in" >"$TMP/rows" && printf '%b\n' "$@" | diff - "$TMP/rows"
}

in=$TMP/cases
{
	head_of 4
	block 1 p/one 'not ok # exit=1' 1..3 "$(begin global.a)" 'ok 1 global.a' "$(begin global.b)" \
		'# FAILED (P04) global.b: x7: expected 0' 'not ok 2 global.b' 'ok 3 global.c # SKIP no MTE'
	block 2 p/two ok 1..2 'ok 1 v.d # XFAIL K01: known' 'ok 2 v.e # XPASS K01'
	block 3 p/three 'not ok # TIMEOUT 45 seconds' 1..1 "$(begin global.f)"
	block 4 p/four ok
} >"$in"
ok "cases: a row for each case and program, with its reason" table "$in" \
	'pass\tp/one/global.a\t' 'fail\tp/one/global.b\tFAILED (P04) global.b: x7: expected 0' \
	'skip\tp/one/global.c\tno MTE' 'fail\tp/one\texit=1' \
	'xfail\tp/two/v.d\tK01: known' 'xpass\tp/two/v.e\tK01' 'pass\tp/two\t' \
	'none\tp/three/global.f\t' 'fail\tp/three\tTIMEOUT 45 seconds' 'fail\tp/four\t'
ok "cases: no results, exit status 2" status 2 "$K" cases </dev/null
ok "cases: no option is known, exit status 2" status 2 "$K" cases --all <"$in"
