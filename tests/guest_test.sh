# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# vm/run and vm/init on a real kernel: what the suite finds in the guest, as root and
# as nobody, a real panic, --stress, and the interactive shell. KERNEL names another kernel.
. "$(dirname "$0")/lib.sh"

VM=$TOP/vm/run
KERNEL=${KERNEL:-debian:6.1}
mkdir "$TMP/suite"
cat >"$TMP/suite/run_tests.sh" <<'END'
#!/bin/sh
from=1
while [ $# -gt 0 ]; do
	case $1 in --from) from=$2; shift ;; esac
	last=$1
	shift
done
for i in 1 2; do
	[ $i -ge "$from" ] || continue
	[ $i -gt 1 ] || printf 'TAP version 13\n1..2\n'
	echo "# selftests: guest: program$i"
	if [ "$last" = crash ] && [ $i -eq 1 ]; then
		echo '# #  RUN           global.crashes ...'
		sleep 1
		echo c >/proc/sysrq-trigger
	fi
	echo "# user $(id -u):$(id -g), last argument <$last>"
	echo "# here $(pwd), tmp $(touch /tmp/x && echo works), shm $(touch /dev/shm/x && echo works)"
	echo "# expect <$ENTRY_EXPECT>"
	echo "# mounts $(awk '{ print $2 }' /proc/mounts | sort | tr '\n' ' ')"
	echo "# input <$(cat)>, pipes $(echo work </dev/fd/0 | cat), pids $(ps | wc -l)" | sed 's/, pids.*//'
	printf '# \303\244 \ttab\n'
	echo "ok $i selftests: guest: program$i"
done
END
chmod +x "$TMP/suite/run_tests.sh"

expect() {
	"$VM" "$KERNEL" --suite "$TMP/suite" "${@:2}" >"$TMP/stdout" 2>"$TMP/stderr" || { cat "$TMP/stderr"; return 1; }
	lines "$TMP/stdout" "^# user $1, last argument <it's \\\$x>\$" 2 &&
		lines "$TMP/stdout" '^# here /suite, tmp works, shm works$' 2 &&
		lines "$TMP/stdout" '^# mounts / /dev /dev/pts /dev/shm /proc /sys .*/tmp $' 2 &&
		lines "$TMP/stdout" "^# expect <${ENTRY_EXPECT:-}>\$" 2 &&
		lines "$TMP/stdout" '^# input <>, pipes work$' 2 &&
		lines "$TMP/stdout" "^# $(printf '\303\244 \ttab')\$" 2 &&
		lines "$TMP/stdout" '^ok [12] selftests: guest: program[12]$' 2 &&
		[ "$(head -n 1 "$TMP/stdout")" = "TAP version 13" ]
}
# shellcheck disable=SC2016
ok "what the suite finds, as root" expect 0:0 -- "it's \$x"
export ENTRY_EXPECT=generic
ok "... as nobody, on one CPU, with ENTRY_EXPECT" expect 65534:65534 --unprivileged --smp 1 -- "it's \$x"
unset ENTRY_EXPECT

panics() {
	"$VM" "$KERNEL" --suite "$TMP/suite" -- crash >"$TMP/stdout" 2>"$TMP/stderr"
	status 1 [ $? -ne 1 ] && lines "$TMP/stdout" '^# kernel: .*Kernel panic - not syncing: sysrq' 1 &&
		lines "$TMP/stdout" '^not ok 1 selftests: guest: program1 # kernel panic in case global.crashes$' 1 &&
		lines "$TMP/stdout" '^ok 2 selftests: guest: program2$' 1
}
ok "a panic: named, and the rest runs" panics

# A program that passes if stress-ng keeps every CPU busy, under the real run_tests.sh.
mkdir -p "$TMP/stress/guest"
echo guest:workers_test >"$TMP/stress/kselftest-list.txt"
cat >"$TMP/stress/guest/workers_test" <<'END'
#!/bin/sh
for i in 0 1 2 3 4 5 6 7 8 9; do
	busy=$(ps | grep -c '[s]tress-ng-cpu')
	[ "$busy" -ne "$(nproc)" ] || break
	sleep 1
done
printf 'TAP version 13\n1..1\n'
[ "$busy" -eq "$(nproc)" ] || { echo "not ok 1 $busy workers on $(nproc) CPUs"; exit 1; }
echo "ok 1 $busy workers"
END
chmod +x "$TMP/stress/guest/workers_test"
stress() {
	cp "$O/suite/run_tests.sh" "$O/suite/supervise" "$O/suite/ktap" "$TMP/stress" || return
	"$VM" "$KERNEL" --suite "$TMP/stress" --smp "$@" -- --stress >"$TMP/stdout" 2>"$TMP/stderr" ||
		{ cat "$TMP/stdout" "$TMP/stderr"; return 1; }
	lines "$TMP/stdout" "^# ok 1 $1 workers$" 1 && lines "$TMP/stderr" '^run_tests.sh: ' 0
}
if "$TOP/vm/stress-ng" >"$TMP/files" 2>"$TMP/stderr"; then
	ok "--stress: a worker on each of 3 CPUs" stress 3
	ok "... as nobody" stress 2 --unprivileged
else
	skip "--stress" "$(tail -n 1 "$TMP/stderr")"
fi

# Types at the shell as soon as its prompt is there.
shell() {
	{
		for ((i = 0; i < 600; i++)); do
			grep -q '/suite #' "$TMP/typed" 2>/dev/null && break
			sleep 0.1
		done
		printf 'tty; ls; kill -INT $$; sleep 100\n'
		sleep 1
		printf '\003'
		sleep 0.5
		printf 'echo interrupted=$?; exit\n'
		sleep 5
	} | script -qec "$VM $KERNEL --suite $TMP/suite --shell" "$TMP/typed" >/dev/null
	lines "$TMP/typed" '^/dev/ttyAMA0' 1 && lines "$TMP/typed" '^run_tests.sh' 1 &&
		lines "$TMP/typed" '^interrupted=130' 1 && lines "$TMP/typed" "can't access tty" 0
}
ok "--shell: a terminal with job control" shell
