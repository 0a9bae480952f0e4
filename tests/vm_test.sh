# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# shellcheck disable=SC2001,SC2016
#
# vm/run against a stub kernel (tests/stub) that prints what a test tells it to
# and then powers off, resets, stops or prints rubbish: what comes out on stdout
# and stderr, the exit status, and that nothing is left.
. "$(dirname "$0")/lib.sh"

unset ENTRY_EXPECT
export TMPDIR=$TMP/tmp
mkdir "$TMPDIR" "$TMP/suite"
: >"$TMP/suite/run_tests.sh"
VM=$TOP/vm/run
STUB=$TMP/stub.bin
cc=${CROSS_COMPILE-aarch64-linux-gnu-}
[ "$(uname -m)" != aarch64 ] || cc=${CROSS_COMPILE-}
"${cc}gcc" -c -o "$TMP/stub.o" "$TOP/tests/stub/stub.S" &&
	"${cc}objcopy" -O binary -j .text "$TMP/stub.o" "$STUB" || exit 2

# kernel NAME ENDING: a kernel that prints stdin, CR LF at the ends of its lines,
# and ends as tests/stub/stub.S says.
kernel() {
	{ cat "$STUB"; sed 's/$/\r/'; printf '\0%s' "$2"; } >"$TMP/$1"
}

# A QEMU that takes another kernel for each boot, from $TMP/boots, and notes the
# command that the guest is given in $TMP/given.
cat >"$TMP/qemu" <<-END
	#!/bin/bash
	args=("\$@")
	for ((i = 0; i < \$#; i++)); do
	    [ "\${args[i]}" != -initrd ] || cpio -i --quiet --to-stdout vm.conf \
	        <"\${args[i + 1]}" 2>/dev/null | grep '^set\|^export' >>$TMP/given
	    if [ "\${args[i]}" = -kernel ] && read -r next <$TMP/boots; then
	        sed -i 1d $TMP/boots
	        args[i + 1]=$TMP/\$next
	    fi
	done
	exec qemu-system-aarch64 "\${args[@]}"
END
chmod +x "$TMP/qemu"

# boots KERNEL...: the kernels of the next run, one a boot.
boots() {
	rm -f "$TMP/given"
	printf '%s\n' "$@" >"$TMP/boots"
}

# run STATUS ARGUMENT...: the run ends with that status and leaves nothing behind.
run() {
	local want=$1 got
	shift
	QEMU=$TMP/qemu "$VM" "$STUB" --suite "$TMP/suite" "$@" >"$TMP/stdout" 2>"$TMP/stderr"
	got=$?
	sed -i '/^kernels\/fetch: /d' "$TMP/stderr"
	[ $got -eq "$want" ] || { echo "exit status $got, expected $want"; cat "$TMP/stdout" "$TMP/stderr"; return 1; }
	nothing_left
}

qemus() {
	pgrep -f "^[^ ]*qemu-system-aarch64.*$TMP/" | grep -vx $$
}

nothing_left() {
	local i
	for ((i = 0; i < 20; i++)); do
		[ -z "$(qemus)" ] && break
		sleep 0.1
	done
	[ -z "$(qemus)" ] || { echo "QEMU is left"; return 1; }
	[ -z "$(ls -A "$TMPDIR")" ] || { echo "left in TMPDIR:"; ls -A "$TMPDIR"; return 1; }
}

# prints: stdout of the last run is exactly stdin.
prints() {
	diff -u - "$TMP/stdout"
}

# says LINE: stderr of the last run is exactly this line.
says() {
	diff -u <(printf '%s\n' "$1") "$TMP/stderr"
}

kernel passes o <<-'END'
	noise of the firmware
	[    0.000000] Booting
	entry-vm: start
	TAP version 13
	1..1
	# selftests: sud: sud_test
	# TAP version 13
	[    1.234567] random: said at the start of a line
	# #  RUN           global.a[    1.300000] cut into a line
	_case ...
	# # [    1.400000] a test that quotes the log
	# #            OK  global.a_case
	ok 1 selftests: sud: sud_test
	entry-vm: exit 0
	[    2.000000] reboot: Power down
END
clean_run() {
	boots passes
	run 0 --log "$TMP/log" -- sud "it's" '$x' && prints <<-'END' &&
		TAP version 13
		1..1
		# selftests: sud: sud_test
		# TAP version 13
		# kernel: [    1.234567] random: said at the start of a line
		# kernel: [    1.300000] cut into a line
		# #  RUN           global.a_case ...
		# # [    1.400000] a test that quotes the log
		# #            OK  global.a_case
		ok 1 selftests: sud: sud_test
	END
		diff -u - "$TMP/given" <<-'END' && grep -q 'noise of the firmware' "$TMP/log"
		set -- './run_tests.sh' '--ktap' 'sud' 'it'\''s' '$x' 
	END
}
ok "a clean run: KTAP only, kernel lines taken out, arguments passed on" clean_run

expects() {
	boots passes
	ENTRY_EXPECT=generic run 0 -- sud && diff -u - "$TMP/given" <<-'END'
		export ENTRY_EXPECT=generic
		set -- './run_tests.sh' '--ktap' 'sud' 
	END
}
ok "ENTRY_EXPECT is passed on" expects

ends_with() {
	local given=$1 want=$2
	kernel ends o <<-END
		entry-vm: start
		TAP version 13
		1..1
		not ok 1 selftests: a: b # exit=1
		entry-vm: exit $given
	END
	boots ends
	run "$want"
}
ok "status 1 of run_tests.sh is passed on" ends_with 1 1
odd_status() {
	ends_with 127 2 && says "vm/run: run_tests.sh ended with status 127 in the guest"
}
ok "a run_tests.sh that cannot run: exit status 2" odd_status

kernel refuses o <<-'END'
	entry-vm: start
	run_tests.sh: no test matches 'nix'
	entry-vm: exit 2
END
refusal() {
	boots refuses
	run 2 -- nix && prints </dev/null && says "run_tests.sh: no test matches 'nix'"
}
ok "what run_tests.sh refuses: its line on stderr, exit status 2" refusal

# Three programs, of which the second does not end.
head_of() {
	cat <<-'END'
		entry-vm: start
		TAP version 13
		1..3
		# selftests: ptrace: first_test
		ok 1 selftests: ptrace: first_test
		# selftests: rseq: second_test
		# #  RUN           global.good ...
		# ok 1 global.good
		# #  RUN           global.bad ...
	END
}
PANIC='[    9.100000] Unable to handle kernel NULL pointer dereference
[    9.200000] Internal error: Oops: 96000004 [#1] SMP
[    9.300000] Kernel panic - not syncing: Oops: Fatal exception'
{ head_of; printf '# half a l%s\n' "$PANIC"; } | kernel panics r
{ head_of; printf '%s\n' "$PANIC"; } | kernel panics_stops h
head_of | kernel hangs h
head_of | kernel rubbish g
head_of | kernel stops o
kernel rest o <<-'END'
	entry-vm: start
	# selftests: seccomp: third_test
	ok 3 selftests: seccomp: third_test
	entry-vm: exit 0
END
dies() {
	local seen
	boots "$1" rest
	run 1 --timeout "$4" -- x || return 1
	seen=$(grep -n -A 3 '^# #  RUN           global.bad' "$TMP/stdout" | head -n 1)
	[ -n "$seen" ] || { cat "$TMP/stdout"; return 1; }
	sed -n '/^# [A-Z][A-Z ]* while/,$p' "$TMP/stdout" | diff -u - <(printf '%s\n' \
		"# $2 while running rseq/second_test, case global.bad: $5" \
		"not ok 2 selftests: rseq: second_test # $3 in case global.bad" \
		"# selftests: seccomp: third_test" "ok 3 selftests: seccomp: third_test") &&
		diff -u <(printf "set -- './run_tests.sh' '--ktap' %s'x' \n" '' "'--from' '3' ") "$TMP/given"
}
ok "a panic: names program and case, the rest runs in a fresh boot" \
	dies panics "KERNEL PANIC" "kernel panic" 30 "Oops: Fatal exception"
kernel_lines() {
	sed -n '/^# kernel/p; /^# half/p' "$TMP/stdout" >"$TMP/seen"
	boots panics rest
	run 1 && { sed 's/^/# kernel: /' <<<"$PANIC"; echo '# # half a l'; } |
		diff -u - <(sed -n '/^# kernel/p; /half/p' "$TMP/stdout")
}
ok "a panic: the kernel's lines and the line it cut are shown" kernel_lines
ok "a kernel that stops after its panic" \
	dies panics_stops "KERNEL PANIC" "kernel panic" 1 "Oops: Fatal exception"
ok "a hang: ends after --timeout" dies hangs HANG hang 1 "no output for 1 s"
ok "a VM that powers off by itself" dies stops "VM ENDED" "VM ended" 30 "the VM ended"
# The suite's own limit is a longer one: then its --timeout counts, until it has failed.
own_limit() {
	local start=$SECONDS took
	boots hangs rest
	run 1 --timeout 1 -- --timeout "$1" || return
	took=$((SECONDS - start))
	[ $took -ge 31 ] || { echo "ended after $took s"; return 1; }
}
ok "a hang with --timeout of run_tests.sh: ends later" own_limit 1
no_limit() {
	boots hangs
	QEMU=$TMP/qemu timeout 4 "$VM" "$STUB" --suite "$TMP/suite" --timeout 1 -- --timeout 0 >"$TMP/stdout" 2>&1
	[ $? -eq 124 ] && lines "$TMP/stdout" HANG 0 && nothing_left
}
ok "... with --timeout 0: does not end by itself" no_limit
endless() {
	boots rubbish rest
	run 1 --timeout 1 && lines "$TMP/stdout" '^# HANG while running rseq/second_test' 1 &&
		lines "$TMP/stdout" '^not ok 2 selftests: rseq: second_test # hang' 1 &&
		lines "$TMP/stdout" '^ok 3 ' 1
}
ok "rubbish for ever: ends" endless

kernel dies_early r <<-END
	entry-vm: start
	TAP version 13
	1..2
	$PANIC
END
kernel dies_again r <<-END
	entry-vm: start
	$PANIC
END
kernel both_pass o <<-'END'
	entry-vm: start
	TAP version 13
	1..2
	ok 1 selftests: a: b
	ok 2 selftests: c: d
	entry-vm: exit 0
END
again_and_again() {
	boots dies_early dies_again dies_again dies_again dies_again
	run 1 && lines "$TMP/stdout" '^1\.\.2' 1 &&
		diff -u <(grep '^not ok' "$TMP/stdout") - <<-'END'
		not ok 1 selftests: vm: unknown # kernel panic
		not ok 2 selftests: vm: unknown # kernel panic
	END
}
ok "a kernel that dies at every program: the run ends" again_and_again
between() {
	boots dies_early rest2
	kernel rest2 o <<-'END'
		entry-vm: start
		ok 1 selftests: a: b
		ok 2 selftests: c: d
		entry-vm: exit 0
	END
	run 1 && diff -u <(grep '^[no]' "$TMP/stdout") - <<-'END'
		not ok 1 selftests: a: b # kernel died before it, passed in a fresh boot
		ok 2 selftests: c: d
	END
}
ok "a kernel that dies between two programs: the next one fails" between

kernel silent h </dev/null
kernel no_root r <<<'[    1.000000] Kernel panic - not syncing: VFS: Unable to mount root fs'
UNREACHED='vm/run: the kernel did not reach user space'
no_output() {
	boots silent
	run 2 --boot-timeout 1 && prints </dev/null &&
		says "$UNREACHED: no output for 1 s; --append 'earlycon ignore_loglevel' shows more"
}
ok "a kernel without any output: exit status 2" no_output
early_panic() {
	boots no_root
	run 2 && prints <<<'# kernel: [    1.000000] Kernel panic - not syncing: VFS: Unable to mount root fs' &&
		says "$UNREACHED: kernel panic: VFS: Unable to mount root fs"
}
ok "a panic while booting: its lines, exit status 2" early_panic
early_rubbish() {
	kernel early_rubbish g </dev/null
	boots early_rubbish
	run 2 --boot-timeout 1 && grep -q "$UNREACHED: not there after" "$TMP/stderr"
}
ok "rubbish instead of a boot: exit status 2" early_rubbish
second_boot() {
	boots panics silent
	run 2 --boot-timeout 1 && lines "$TMP/stdout" '^Bail out!' 1
}
ok "a kernel that does not boot a second time: the document says so" second_boot
qemu_refuses() {
	run 2 --cpu nonsense && says "$UNREACHED: QEMU: unable to find CPU model 'nonsense'"
}
ok "what QEMU refuses: its reason" qemu_refuses

# refused LINE ARGUMENT...
refused() {
	local line=$1
	shift
	run 2 "$@" && prints </dev/null && says "vm/run: $line"
}
ok "--smp x" refused "--smp is a number from 1 to 64, not 'x'" --smp x
ok "--mem 1" refused "--mem is a number from 128 to 65536, not '1'" --mem 1
ok "--timeout 0" refused "--timeout is a number from 1 to 86400, not '0'" --timeout 0
ok "--append without a value" refused "--append needs a value; see --help" --append
ok "--log of run_tests.sh" refused "run_tests.sh --log writes in the guest only: the KTAP is on stdout (of make run_tests in results.ktap), the console in FILE with vm/run --log FILE (VMFLAGS=\"--log FILE\")" -- --log x
expects_nonsense() { ENTRY_EXPECT=new refused "ENTRY_EXPECT is legacy or generic, not 'new'"; }
ok "ENTRY_EXPECT=new" expects_nonsense
ok "an unknown option" refused "unknown option '--nix'; see --help" --nix
ok "no suite" refused "no built suite in /nix: run make suite first" --suite /nix
ok "--log to nowhere" refused "cannot write to /nix/log" --log /nix/log
ok "--shell without a terminal" refused "--shell needs a terminal" --shell
no_qemu() {
	QEMU=no-qemu status 2 "$VM" "$STUB" --suite "$TMP/suite" 2>"$TMP/stderr" &&
		says "vm/run: no-qemu is missing: install the package qemu-system-arm"
}
ok "no QEMU: names the package" no_qemu
wrong_kernel() {
	status 2 "$VM" /nix/Image --suite "$TMP/suite" 2>"$TMP/stderr" &&
		says "kernels/fetch: /nix/Image: no such file" && nothing_left
}
ok "no kernel: one line" wrong_kernel

disk_full() {
	dd if=/dev/zero of="$TMP/suite/big" bs=1M count=3 status=none
	# shellcheck disable=SC2016
	unshare -m bash -c 'mount -t tmpfs -o size=1m tmpfs "$TMPDIR" &&
		"$@" >"$0/stdout" 2>"$0/stderr"; rc=$?; ls -A "$TMPDIR"; exit $rc' \
		"$TMP" "$VM" "$STUB" --suite "$TMP/suite" >"$TMP/left"
	[ $? -eq 2 ] && sed -i '/^kernels\/fetch/d' "$TMP/stderr" && rm "$TMP/suite/big" &&
		says "vm/run: no disk space left in $TMPDIR; free some, or set TMPDIR= to another directory" &&
		[ ! -s "$TMP/left" ]
}
if [ "$(id -u)" -eq 0 ] && unshare -m true 2>/dev/null; then
	ok "no disk space for the initramfs" disk_full
else
	skip "no disk space for the initramfs" "needs root for a small tmpfs"
fi

# started: vm/run in the background with a kernel that hangs, as process $vm.
started() {
	boots hangs
	QEMU=$TMP/qemu env --default-signal=HUP,TERM setsid "$VM" "$STUB" --suite "$TMP/suite" >"$TMP/stdout" 2>"$TMP/stderr" &
	vm=$!
	for ((i = 0; i < 100; i++)); do
		grep -q global.bad "$TMP/stdout" && return 0
		sleep 0.1
	done
	echo "the kernel did not come up"
	return 1
}
signalled() {
	local rc
	started || return 1
	kill "-$1" "$vm"
	wait "$vm"
	rc=$?
	tail -n 1 "$TMP/stdout" | grep -q global.bad || { cat "$TMP/stdout"; return 1; }
	[ "$rc" -eq "$2" ] || { echo "exit status $rc, expected $2"; return 1; }
	nothing_left
}
for s in "TERM 143" "HUP 129"; do
	# shellcheck disable=SC2086
	ok "${s% *}: ends QEMU, leaves nothing" signalled $s
done
interrupted() {
	# From a terminal, as only there Ctrl-C reaches the whole group.
	boots hangs
	{ for ((i = 0; i < 100; i++)); do grep -q global.bad "$TMP/typed" && break; sleep 0.1; done
	  printf '\003'; sleep 0.5; } 2>/dev/null | script -qec \
		"QEMU=$TMP/qemu $VM $STUB --suite $TMP/suite" "$TMP/typed" >/dev/null
	[ "${PIPESTATUS[1]}" -eq 130 ] || { echo "status ${PIPESTATUS[1]}"; cat "$TMP/typed"; return 1; }
	nothing_left
}
ok "Ctrl-C: ends QEMU, leaves nothing, status 130" interrupted
killed() {
	started || return 1
	kill -KILL "$vm"
	wait "$vm" 2>/dev/null
	rm -rf "${TMPDIR:?}"/*
	nothing_left
}
ok "kill -9 of vm/run: QEMU ends as well" killed
qemu_killed() {
	started || return 1
	kernel rest_killed o <<<$'entry-vm: start\n# selftests: a: b\nok 3 selftests: a: b\nentry-vm: exit 0'
	echo rest_killed >"$TMP/boots"
	kill -KILL "$(qemus)"
	wait "$vm"
	status 1 [ $? -ne 1 ] && lines "$TMP/stdout" '^not ok 2 .*VM ended in case global.bad' 1 &&
		lines "$TMP/stdout" '^ok 3 ' 1 && nothing_left
}
ok "kill -9 of QEMU: a failure, the rest runs" qemu_killed
reader_gone() {
	boots rubbish
	QEMU=$TMP/qemu "$VM" "$STUB" --suite "$TMP/suite" 2>"$TMP/stderr" | head -n 1 >/dev/null
	sed -i '/^kernels\/fetch/d' "$TMP/stderr"
	[ ! -s "$TMP/stderr" ] || { cat "$TMP/stderr"; return 1; }
	nothing_left
}
ok "stdout closed: ends" reader_gone
much_output() {
	local s
	{ printf 'entry-vm: start\nTAP version 13\n1..1\n'
	  seq -f '# %06g 0123456789012345678901234567890123456789' 20000
	  printf 'ok 1 selftests: a: b\nentry-vm: exit 0\n'; } | kernel much o
	boots much
	s=$SECONDS
	run 0 && lines "$TMP/stdout" '^# ' 20000 && [ $((SECONDS - s)) -le 20 ]
}
ok "20,000 lines arrive" much_output
