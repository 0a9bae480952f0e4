# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# Reads the guest's serial console and writes the KTAP that run_tests.sh printed
# there: no CR, nothing from before it started or after it ended, and what the
# kernel said meanwhile as "# kernel: ..." lines, taken out of the middle of a
# line where it cut into one. Sourced by vm/run.
#
# How far the suite has come, for all boots of a run:
plan=''		# number of programs, once "1..N" was seen
finished=0	# number of the last program with a result
program=''	# "DIR: PROG" between its header and its result
testcase=''	# the case that is running in it, if known
cut=''		# what was before the kernel's line, until the rest comes
stray=''	# set when a kernel died between two programs

MAX_LINE=4096			# bytes; longer lines are split
MAX_RUBBISH=$((16 << 20))	# bytes without any result
LAST_LINES=30			# of the kernel, when it does not come up

say() {
	printf '%s\n' "$1" 2>/dev/null || exit 141
}

# kernel_line TEXT: a line that the kernel printed.
kernel_line() {
	say "# kernel: $1"
	case $1 in
	*'Kernel panic - not syncing: '*)
		panic=${1#*Kernel panic - not syncing: }
		limit=10 ;;
	*'Internal error: '* | *'kernel BUG at '*) [ -n "$panic" ] || panic=${1#*] } ;;
	esac
}

# ktap_line TEXT: a line of run_tests.sh, followed to know who is running.
ktap_line() {
	local line=$1 result='^(not ok|ok) ([0-9]+) selftests: '
	case $line in
	'run_tests.sh: '*)
		printf '%s\n' "$line" >&2
		return ;;
	'# #  RUN  '*)
		testcase=${line#'# #  RUN  '}
		testcase=${testcase##+( )}
		testcase=${testcase%% *} ;;
	'# ok '* | '# not ok '*)
		testcase='' ;;
	'# selftests: '*)
		program=${line#'# selftests: '}
		testcase='' progress=$SECONDS rubbish=0 ;;
	'1..'*)
		[ -n "$plan" ] || plan=${line#1..} ;;
	*)
		if [[ $line =~ $result ]]; then
			finished=${BASH_REMATCH[2]} program='' testcase=''
			progress=$SECONDS rubbish=0
			# A kernel that dies as a program starts takes its header along.
			if [ -n "$stray" ] && [ "${BASH_REMATCH[1]}" = ok ]; then
				line="not ${line%% \#*} # kernel died before it, passed in a fresh boot"
			fi
			stray=''
		fi ;;
	esac
	say "$line"
}

# take LINE: a line of the console while the suite runs. Returns 1 at its end.
take() {
	local line=$1 stamp head
	if [[ $line =~ \[\ *[0-9]+\.[0-9]{6}\] ]]; then
		stamp=${BASH_REMATCH[0]}
		head=${line%%"$stamp"*}
		# A test may quote the kernel log; its line begins as a diagnostic.
		if ! [[ $head =~ ^(# ?)+([a-z]+:)?\ *$ ]]; then
			cut+=$head
			kernel_line "${line#"$head"}"
			return 0
		fi
	fi
	line=$cut$line cut=''
	if [[ $line =~ ^(.*)entry-vm:\ exit\ ([0-9]+)$ ]]; then
		[ -z "${BASH_REMATCH[1]}" ] || ktap_line "${BASH_REMATCH[1]}"
		code=${BASH_REMATCH[2]}
		return 1
	fi
	[ -z "$line" ] || ktap_line "$line"
}

# console FD: one boot's console, to its end. Sets $outcome:
#   exit     run_tests.sh ended, its status is $code
#   boot     it never started: $why, and the last lines are in $tail
#   panic, hang, end   it started; $why says what happened
# shellcheck disable=SC2034
console() {
	local fd=$1 line rc booting=y start=$SECONDS last=() limit=$BOOT_TIMEOUT
	local progress=$SECONDS rubbish=0 panic=''
	outcome='' why='' code='' cut='' tail=()
	shopt -s extglob
	while [ -z "$outcome" ]; do
		line=''
		IFS= read -r -t "$limit" -n $MAX_LINE -u "$fd" line
		rc=$?
		line=${line//$'\r'/}
		if [ -n "$booting" ]; then
			if [[ $line == *'entry-vm: start' ]]; then
				booting='' limit=$TIMEOUT progress=$SECONDS
				continue
			fi
			[ -z "$line" ] || last+=("$line")
			[ ${#last[@]} -le $((2 * LAST_LINES)) ] || last=("${last[@]: -LAST_LINES}")
			case $line in
			*'Kernel panic - not syncing: '*)
				panic=${line#*Kernel panic - not syncing: }
				limit=5 ;;
			esac
			if [ $rc -gt 128 ]; then
				outcome=boot why="no output for $limit s"
			elif [ $rc -ne 0 ]; then
				outcome=boot why="the VM ended"
			elif [ $((SECONDS - start)) -ge $((3 * BOOT_TIMEOUT)) ]; then
				outcome=boot why="not there after $((SECONDS - start)) s"
			fi
			continue
		fi
		if [ -n "$line" ] || [ $rc -eq 0 ]; then
			rubbish=$((rubbish + ${#line} + 1))
			take "$line" || outcome='exit'
		fi
		[ -z "$outcome" ] || break
		if [ $rc -gt 128 ]; then
			outcome=hang why="no output for $limit s"
		elif [ $rc -ne 0 ]; then
			outcome=end why="the VM ended"
		elif [ $((SECONDS - progress)) -ge $((5 * TIMEOUT)) ]; then
			outcome=hang why="no result for $((SECONDS - progress)) s"
		elif [ $rubbish -ge $MAX_RUBBISH ]; then
			outcome=hang why="no result in $((rubbish >> 20)) MB of output"
		fi
	done
	if [ -n "$panic" ]; then
		why="kernel panic: $panic"
		[ "$outcome" != hang ] && [ "$outcome" != end ] || outcome=panic
	fi
	[ -z "$cut" ] || say "# $cut"
	[ ${#last[@]} -le $LAST_LINES ] || last=("${last[@]: -LAST_LINES}")
	tail=("${last[@]}")
}

# verdict: after panic, hang or end, the failure of the program that was running.
# Returns 1 when no boot can help any more, with the reason in $why.
verdict() {
	local name=$program what title
	case $outcome in
	panic) title="KERNEL PANIC" what="kernel panic" why=${why#kernel panic: } ;;
	hang) title=HANG what=hang ;;
	*) title="VM ENDED" what="VM ended" ;;
	esac
	if [ -z "$name" ]; then
		say "# $title before program $((finished + 1)) said anything: $why"
		if [ -z "$plan" ]; then
			[ -z "$stray" ] || return 1
			stray=y
			return 0
		fi
		# Once more: only a second time in the same place is the program's own.
		if [ -z "$stray" ] && [ "$finished" -lt "$plan" ]; then
			stray=y
			return 0
		fi
		name="vm: unknown"
		[ "$finished" -lt "$plan" ] || name="vm: after the last program"
	else
		say "# $title while running ${name/: //}${testcase:+, case $testcase}: $why"
	fi
	finished=$((finished + 1))
	say "not ok $finished selftests: $name # $what${testcase:+ in case $testcase}"
	program='' testcase='' stray=''
}
