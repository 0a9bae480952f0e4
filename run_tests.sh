#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# Runs the test programs that lie beside it, on the running kernel. Results are
# printed in the format of the kernel's own tools/testing/selftests runner.
#
# { run_plan; } | ktap summary: run_plan starts each program under supervise,
# which ends it and all its descendants when its time is up, when this shell is
# gone or when nobody reads the results any more; ktap shows the results and
# decides about the exit status. With --ktap alone run_plan does. No temporary
# files, so neither a full nor a read-only file system matters.

usage() {
	cat <<-'END'
	Usage: run_tests.sh [OPTION]... [SELECTOR]...

	Run the tests on the running kernel: all, or those that a SELECTOR names:
	  ptrace                                 a directory
	  entry_exit_test, ptrace/entry_exit_test   a program (also ptrace:entry_exit_test)
	  x7_reads_0_at_entry                    a case, also as global.x7_reads_0_at_entry
	  ptrace/entry_exit_test:x7_reads_0_at_entry   a case of one program
	  '*step*', 'sud_test:*block*'           everything that matches the pattern

	  --list        print the cases instead of running them, as selectors
	  --repeat N    run the whole selection N times
	  --timeout S   end a program after S seconds (0: never; default: file settings)
	  --stress      keep all CPUs busy meanwhile (needs stress-ng)
	  --ktap        print KTAP only, no summary, also on a terminal
	  --log FILE    write the KTAP to FILE, too
	  --from K      start with the Kth program of the plan and print no plan: goes
	                on after a kernel panic
	  --help        print this

	On a terminal, failures, progress and a summary are shown; otherwise KTAP goes to
	stdout and the summary to stderr.

	Exit status: 0 all passed, were skipped or failed as expected (XFAIL); 1 something
	failed; 2 the run could not be done or is not complete; 128+N ended by signal N.
	END
}

die() {
	printf 'run_tests.sh: %s\n' "$*" >&2
	exit 2
}

# is_count VALUE MIN: a decimal number, MIN or more, that a shell can handle.
is_count() {
	case $1 in
	'' | *[!0-9]* | ?????????*) return 1 ;;
	esac
	[ "$1" -ge "$2" ]
}

# matches NAME PATTERN: does NAME match the shell pattern?
matches() {
	# shellcheck disable=SC2254 # a pattern it is
	case $1 in
	$2) return 0 ;;
	esac
	return 1
}

# Does SELECTOR $1 name the whole program $2/$3?
selects_program() {
	matches "$2" "$1" || matches "$3" "$1" || matches "$2/$3" "$1" || matches "$2:$3" "$1"
}

# Does SELECTOR $1 name the case $2, with or without what precedes its name?
selects_case() {
	matches "$2" "$1" || matches "${2#*.}" "$1" || matches "${2#*.*.}" "$1"
}

# The full case names of program $1/$2, one a line.
cases_of() {
	[ -x "$base/$1/$2" ] || return 0
	(cd "$base/$1" && "$base/supervise" --timeout 20 --owner $$ -- "./$2" --list) |
	while IFS= read -r line; do
		line=${line#\# }
		case $line in
		*[!A-Za-z0-9_.-]* | .* | *.) ;;
		*.*) printf '%s\n' "$line" ;;
		esac
	done
}

# Sets $chosen to the cases of program $1/$2 that the SELECTORs after them name,
# '*' for all, and adds the SELECTORs that named something to $used.
choose() {
	d=$1 p=$2 names='' listed='' chosen=''
	shift 2
	for sel; do
		sel=${sel%/}
		if selects_program "$sel" "$d" "$p"; then
			chosen='*' used="$used$sel$nl"
			continue
		fi
		case $sel in
		*:*) selects_program "${sel%:*}" "$d" "$p" || continue ;;
		esac
		case $nl$words in	# what names a program or a directory is no case
		*"$nl$sel$nl"*) continue ;;
		esac
		[ "$listed" ] || names=$(cases_of "$d" "$p")
		listed=1
		for name in $names; do
			selects_case "${sel##*:}" "$name" || continue
			used="$used$sel$nl"
			[ "$chosen" = '*' ] || matches " $chosen " "* $name *" ||
				chosen="$chosen${chosen:+ }$name"
		done
	done
}

# Sets $plan, one "DIRECTORY:PROGRAM:CASE CASE..." a line, no cases for all.
make_plan() {
	plan='' used='' words=''
	for entry in $tests; do
		words="$words${entry%%:*}$nl${entry#*:}$nl${entry%%:*}/${entry#*:}$nl"
	done
	for entry in $tests; do
		chosen='*'
		[ $# -eq 0 ] || choose "${entry%%:*}" "${entry#*:}" "$@"
		case $chosen in
		'') ;;
		'*') plan="$plan$entry:$nl" ;;
		*) plan="$plan$entry:$chosen$nl" ;;
		esac
	done
	for sel; do
		case $nl$used in
		*"$nl${sel%/}$nl"*) ;;
		*) die "no directory, program or case matches '$sel'; run_tests.sh --list shows them" ;;
		esac
	done
}

# Prints the plan as selectors, one case a line.
list() {
	for entry in $plan; do
		d=${entry%%:*} p=${entry#*:} names=${entry##*:}
		p=${p%%:*}
		[ "$names" ] || [ "$foreign" ] || names=$(cases_of "$d" "$p")
		[ "$names" ] || printf '%s/%s\n' "$d" "$p"
		IFS=" $nl"
		for name in $names; do
			printf '%s/%s:%s\n' "$d" "$p" "$name"
		done
		IFS=$nl
	done
	[ -z "$foreign" ] || printf 'run_tests.sh: no cases shown: %s\n' "$foreign" >&2
}

# Can the programs of the plan be executed here?
check_plan() {
	for entry in $plan; do
		time_limit "${entry%%:*}"
		p=${entry#*:}
		p=$base/${entry%%:*}/${p%%:*}
		[ -e "$p" ] || continue
		if [ ! -f "$p" ] || [ ! -x "$p" ]; then
			die "$p is not executable: chmod +x it, or install the suite again"
		fi
		# An ELF file (not a script)? Then class, byte order and machine
		# have to be the same as those of supervise, which runs.
		cmp -s -n 4 "$p" "$base/supervise" 2>/dev/null || continue
		if ! cmp -s -n 6 "$p" "$base/supervise" ||
		   ! cmp -s -n 2 "$p" "$base/supervise" 18 18; then
			die "$p was built for another machine; this is $(uname -m): build and install the suite for it"
		fi
	done
}

# Sets $seconds to the time limit for directory $1: as in the kernel's runner.
time_limit() {
	[ "$limited" != "$1" ] || return 0
	seconds=$timeout limited=$1
	[ -z "$seconds" ] || return 0
	seconds=45
	for file in "$base/settings" "$base/$1/settings"; do
		[ -r "$file" ] || continue
		while IFS= read -r line || [ "$line" ]; do
			case $line in
			timeout=*) seconds=${line#timeout=} ;;
			esac
		done <"$file"
	done
	is_count "$seconds" 0 || die "$base/settings: '$seconds' is not a timeout in seconds"
}

# Runs program $2 of directory $1, only the cases in $3, as number $n of the plan.
run_program() {
	name="selftests: $1: $2"
	time_limit "$1"
	if [ "$timeout" ]; then
		echo "# overriding timeout to $seconds"
	else
		echo "# timeout set to $seconds"
	fi
	echo "# $name"
	if [ ! -e "$base/$1/$2" ]; then
		echo "# Warning: file $base/$1/$2 is missing!"
		echo "not ok $n $name"
		failed=1
		return
	fi
	program=$2
	cd "$base/$1" || exit 2
	IFS=' '
	# shellcheck disable=SC2086 # into words
	set -- $3
	IFS=$nl
	for arg; do
		shift
		set -- "$@" --case "$arg"
	done
	"$base/supervise" --timeout "$seconds" --owner $$ -- "./$program" "$@" &
	child=$!
	wait $child
	rc=$?
	child=
	case $rc in
	0) echo "ok $n $name" ;;
	2) echo "ok $n $name # XFAIL" ;;
	4) echo "ok $n $name # SKIP" ;;
	124) failed=1; echo "not ok $n $name # TIMEOUT $seconds seconds" ;;
	125) exit 2 ;;	# supervise was told to end: so are we
	*) failed=1; echo "not ok $n $name # exit=$rc" ;;
	esac
}

run_plan() {
	n=0 failed=0 child=
	trap '[ -z "$child" ] || { kill "$child"; wait "$child"; }; exit 143' TERM
	if [ -z "$from" ]; then
		echo "TAP version 13"
		if [ -x "$base/entry_info" ]; then
			"$base/supervise" --timeout 10 --owner $$ -- "$base/entry_info"
		else
			echo "# kernel: $(uname -r) $(uname -m), $(nproc || echo '?') CPUs, uid $(id -u)"
		fi
		echo "1..$total"
	fi
	round=1
	while [ "$round" -le "$repeat" ]; do
		for entry in $plan; do
			n=$((n + 1))
			[ "$n" -ge "${from:-1}" ] || continue
			p=${entry#*:}
			run_program "${entry%%:*}" "${p%%:*}" "${entry##*:}"
		done
		round=$((round + 1))
	done
	exit $failed
}

# end STATUS: ends what runs, if anything does. SIGTERM makes ktap show what it
# knows; then nobody reads what supervise writes, so it ends its program.
end() {
	trap '' INT TERM HUP
	[ -z "$job" ] || kill "$job" 2>/dev/null
	[ -z "$stress_job" ] || kill "$stress_job" 2>/dev/null
	wait
	exit "$1"
}

nl='
'
IFS=$nl
set -f
export LC_ALL=C
action=run repeat=1 timeout='' stress='' ktap='' log='' from='' foreign='' limited=''
job='' stress_job=''
count=$#
while [ "$count" -gt 0 ]; do
	arg=$1
	shift
	count=$((count - 1))
	case $arg in
	--repeat | --timeout | --log | --from)
		[ "$count" -gt 0 ] || die "$arg needs a value; see --help"
		count=$((count - 1))
		case $arg in
		--repeat) repeat=$1 ;;
		--timeout) timeout=$1 ;;
		--log) log=$1 ;;
		--from) from=$1 ;;
		esac
		[ "$1" ] || die "$arg needs a value; see --help"
		shift
		;;
	--list) action=list ;;
	--stress) stress=1 ;;
	--ktap) ktap=1 ;;
	--help | -h) usage; exit 0 ;;
	--)
		while [ "$count" -gt 0 ]; do
			set -- "$@" "$1"
			shift
			count=$((count - 1))
		done
		;;
	-*) die "unknown option '$arg'; see --help" ;;
	'') die "'' selects nothing; run_tests.sh --list shows what there is" ;;
	*) set -- "$@" "$arg" ;;
	esac
done
is_count "$repeat" 1 || die "--repeat: '$repeat' is not a number of 1 or more"
[ -z "$timeout" ] || is_count "$timeout" 0 || die "--timeout: '$timeout' is not a number of seconds"
[ -z "$from" ] || is_count "$from" 1 || die "--from: '$from' is not a number of 1 or more"

case $0 in
*/*) base=${0%/*} rerun=$0 ;;
*) base=. rerun=./$0 ;;
esac
base=$(cd "${base:-/}" && pwd -P) || exit 2
tests=
if [ -r "$base/kselftest-list.txt" ]; then
	while IFS= read -r line || [ "$line" ]; do
		case $line in
		?*:?*) tests="$tests$line$nl" ;;
		esac
	done <"$base/kselftest-list.txt"
fi
if [ ! -e "$base/supervise" ] || [ ! -e "$base/kselftest-list.txt" ]; then
	die "no installed suite in $base: make install INSTALL_PATH=DIR, then run DIR/run_tests.sh"
fi
[ "$tests" ] || die "$base/kselftest-list.txt lists no tests: make install INSTALL_PATH=$base"
[ -x "$base/supervise" ] || die "$base/supervise is not executable: chmod +x it, or install the suite again"
case $("$base/supervise" --owner $$ -- / 2>/dev/null) in
'# cannot execute /:'*) ;;
*) foreign="$base/supervise does not run on this machine ($(uname -m)): build and install the suite for it, or boot a kernel for it with make run_tests" ;;
esac
[ -z "$foreign" ] || [ "$action$#" = list0 ] || die "$foreign"

make_plan "$@"
if [ "$action" = list ]; then
	list
	exit 0
fi
check_plan
total=0
for entry in $plan; do
	total=$((total + repeat))
done
[ -z "$from" ] || [ "$from" -le "$total" ] || die "--from $from: the plan has only $total program(s)"
stress_ng=
if [ "$stress" ]; then
	stress_ng=$(command -v stress-ng) || die "--stress needs stress-ng: install the package stress-ng"
fi
if [ "$log" ]; then
	[ -x "$base/ktap" ] || die "--log needs $base/ktap: install the suite again"
	# in a subshell: this ends a shell, with some of them
	(: >"$log") 2>/dev/null || die "--log: cannot write $log"
fi

trap 'end 130' INT
trap 'end 143' TERM
trap 'end 129' HUP
if [ "$stress_ng" ]; then
	# It insists on a directory that it can write to.
	temp=.
	[ -w . ] || temp=${TMPDIR:-/tmp}
	"$base/supervise" --owner $$ -- "$stress_ng" --cpu 0 --timeout 0 --temp-path "$temp" >/dev/null 2>&1 &
	stress_job=$!
fi
if [ "$ktap" ] && [ -z "$log" ]; then
	run_plan &
elif [ -x "$base/ktap" ]; then
	set -- --rerun "$rerun "
	[ -z "$log" ] || set -- "$@" --log "$log"
	[ -z "$from" ] || set -- "$@" --partial
	if [ "$ktap" ]; then
		set -- "$@" --quiet
	elif [ -t 1 ]; then
		set -- "$@" --tty
	fi
	{ run_plan; } | "$base/ktap" summary "$@" &
else
	echo "run_tests.sh: no summary: $base/ktap is missing" >&2
	run_plan &
fi
job=$!
wait $job
status=$?
job=
if [ "$stress_job" ]; then
	kill $stress_job 2>/dev/null
	wait $stress_job
	if [ $? -ne 125 ]; then
		echo "run_tests.sh: stress-ng ended before the tests did; try it: stress-ng --cpu 0 --timeout 1" >&2
		[ "$status" -ne 0 ] || status=2
	fi
	stress_job=
fi
case $status in
0 | 1 | 2 | 129 | 130 | 141 | 143) ;;	# ktap knows, even of a signal that we ignore
*)
	echo "run_tests.sh: the run was cut off: $base/ktap ended with status $status" >&2
	status=2
	;;
esac
end $status
