# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# shellcheck disable=SC2016
#
# kernels/build with a source tree of a few files, as a package and as KSRC=: what is
# built again and what is not, that a tree heals, that hard links are never written
# through, and the one line for everything that can be wrong. Then the converted kernel
# in earnest, and the suite on it.
. "$(dirname "$0")/lib.sh"
. "$TOP/tests/archive.sh"

own_cache=${CACHE:-}
export CACHE=$TMP/cache
unset KSRC
BUILD=$TOP/kernels/build
FETCH=$TOP/kernels/fetch
SRC=$TMP/linux-source-7.3
NAMES="legacy generic generic-nosud generic-debug plain"

# A kernel of which allnoconfig knows all options but those in no-such-options, and
# whose Image is its .c files; SLOW in one stops the compiler, ERROR is one.
mkdir -p "$SRC/arch/arm64" "$SRC/kernel" "$SRC/drivers/gpu"
sed "s/^\t//; s/\$(run)/$$/" >"$SRC/Makefile" <<'END'
	objects := $(patsubst kernel/%.c,$(O)/%.o,$(wildcard kernel/*.c))
	allnoconfig:
		@mkdir -p $(O)
		@grep -v '=n$$' $(KCONFIG_ALLCONFIG) | grep -vxFf arch/arm64/no-such-options >$(KCONFIG_CONFIG)
	Image: $(O)/arch/arm64/boot/Image
	$(O)/arch/arm64/boot/Image: $(objects) $(O)/.config
		@mkdir -p $(@D)
		@{ head -c 56 /dev/zero; printf 'ARM\144'; head -c 4036 /dev/zero; cat $(objects); } >$@
	$(O)/%.o: kernel/%.c
		@mkdir -p $(@D)
		@echo "  CC      $*.o"
		@! grep -q ERROR $< || { echo "../$<:1:1: error: that is no C"; exit 1; }
		@! grep -q SLOW $< || { touch $(O)/slow; exec sleep 98765.$(run); }
		@cp $< $@
	.PHONY: allnoconfig Image
END
echo CONFIG_NO_SUCH=y >"$SRC/arch/arm64/no-such-options"
seq 1 20 >"$SRC/kernel/a.c"
seq 21 40 >"$SRC/kernel/b.c"
touch "$SRC/drivers/gpu/gpu.c" "$SRC/drivers/gpu/Kconfig"
touch -d '1 year ago' "$SRC"/kernel/*.c

# change FILE LINE TEXT...: a patch that makes line LINE of FILE, a number, TEXT.
change() {
	local f=$1 n=$2
	shift 2
	cp "$SRC/$f" "$TMP/changed"
	sed -i "${n}s/.*/$*/" "$TMP/changed"
	diff -u --label "a/$f" --label "b/$f" "$SRC/$f" "$TMP/changed"
}
change kernel/a.c 5 five >"$TMP/five.patch"
change kernel/a.c 15 fifteen >"$TMP/fifteen.patch"
change kernel/b.c 5 ERROR >"$TMP/error.patch"
change kernel/b.c 5 SLOW >"$TMP/slow.patch"
printf '%s\n' '--- /dev/null' '+++ b/kernel/c.c' '@@ -0,0 +1 @@' '+new' >"$TMP/new.patch"
sed 's/^-5$/-6/' "$TMP/five.patch" >"$TMP/wrong.patch"
sed 's,kernel/a,../a,' "$TMP/five.patch" >"$TMP/outside.patch"

T=$TMP/tree
legacy=$CACHE/kernels/legacy

# builds STATUS COMPILED ARGUMENT...: "a b" are the files that are compiled on the way.
builds() {
	local want=$1 compiled=$2 log
	shift 2
	rm -f "$legacy/.build/log" "$T/.build/log"
	gives "$want" "$BUILD" "$@" || return
	log=$T/.build/log
	[ -e "$log" ] || log=$legacy/.build/log
	diff <(echo "$compiled") <(sed -n 's/^  CC  *\(.*\)\.o$/\1/p' "$log" 2>/dev/null | sort | xargs)
}
# holds IMAGE WORD...: in this order and nothing else.
holds() {
	local image=$1
	shift
	diff <(printf '%s\n' "$@") <(tail -c +4097 "$image")
}
mapfile -t plain < <(seq 1 40)
pristine() {
	[ "$(cat "$legacy"/kernel/*.c | xargs)" = "${plain[*]}" ] &&
		{ [ -z "${1:-}" ] || [ "$(cat "$1"/kernel/*.c | xargs)" = "${plain[*]}" ]; }
}

ok "no NAME" refuses "kernels/build: one NAME is needed: $NAMES; see --help" "$BUILD"
ok "a NAME that is none" refuses "kernels/build: there is no kernel 'x': $NAMES" "$BUILD" x
ok "--patch in a NAME's own tree" refuses \
	"kernels/build: --patch needs --tree DIR: the tree of legacy itself is built from its own patch only" \
	"$BUILD" --patch "$TMP/five.patch" legacy
ok "--jobs 0" refuses "kernels/build: --jobs is a number, not '0'" "$BUILD" --jobs 0 legacy
ok "a patch that is not there" refuses "kernels/build: $TMP/x: no such patch" \
	"$BUILD" --tree "$T" --patch "$TMP/x" legacy
ok "KSRC= is no kernel" refuses \
	"kernels/build: KSRC=$TMP is no kernel source tree: it has no Makefile" env KSRC="$TMP" "$BUILD" legacy
ok "a missing tool" refuses \
	"kernels/build: no-such-gcc is missing: make kernel installs what is needed" \
	env CROSS_COMPILE=no-such- KSRC="$SRC" "$BUILD" legacy
ok "make kernel without NAME" refuses "make kernel: say which with NAME=: $NAMES
make: *** [Makefile:$(grep -n '^kernel:' "$TOP/Makefile" | awk -F : '{ print $1 + 1 }'): kernel] Error 2" \
	env -u MAKEFLAGS -u MAKELEVEL make --no-print-directory -C "$TOP" O="$O" kernel
ok "kernels/fetch: not built" refuses "kernels/fetch: 'legacy' is not built; make kernel NAME=legacy" \
	"$FETCH" legacy
ok "--print: not built" gives 1 "$BUILD" --print legacy
if [ "$(id -u)" -eq 0 ]; then
	chmod 711 "$TMP"
	mkdir "$TMP/public"
	cp -r "$TOP/kernels" "$TOP/tools" "$TMP/public/"
	install -d -m 755 "$TMP/theirs"
	ok "a cache that cannot be written" refuses \
		"kernels/build: cannot write to $TMP/theirs; set CACHE= to a directory of yours" \
		env CACHE="$TMP/theirs" TMPDIR=/tmp setpriv --reuid 65534 --regid 65534 --clear-groups \
		"$TMP/public/kernels/build" legacy
fi

archive http://archive.invalid/debian
no_network() {
	gives 2 "$BUILD" legacy && lines "$TMP/stderr" . 1 && [ ! -s "$TMP/stdout" ] &&
		lines "$TMP/stderr" '^tools/debian-package: cannot reach the package archive: ' 1
}
ok "no network and an empty cache: one line" no_network

# Debian's package.
archive "file:$REPO"
tar -cJf "$TMP/source.tar.xz" -C "$TMP" linux-source-7.3
if [ -n "$NEXT" ]; then
	CONTENT=$TMP/source.tar.xz package "$BASE" linux-source-7.3 7.3.1-1 usr/src/linux-source-7.3.tar.xz
	publish "$BASE"
	publish "$NEXT"
	source=$CACHE/kernels/source/linux-source-7.3_7.3.1-1_arm64
	first() {
		builds 0 "a b" legacy && prints "$legacy/obj/arch/arm64/boot/Image" &&
			holds "$(cat "$TMP/stdout")" "${plain[@]}" &&
			[ "$source/kernel/a.c" -ef "$legacy/kernel/a.c" ] &&
			[ -e "$source/drivers/gpu/Kconfig" ] && [ ! -e "$source/drivers/gpu/gpu.c" ]
	}
	ok "linux-source is unpacked, linked and built" first
	moved() {
		package sid linux-source-7.5 7.5-1
		package sid linux-source-7.4 7.4.1-1 usr/src/linux-source-7.4.tar.xz
		CONTENT=$TMP/source.tar.xz package sid linux-source-7.4 7.4.2-1 usr/src/linux-source-7.4.tar.xz
		publish sid
		rm -rf "$REPO/dists/$BASE" "$CACHE/found" "$CACHE/apt"
		publish "$BASE"
		builds 0 "a b" legacy &&
			grep -qx 'kernels/build: linux-source-7.3 is no longer in the archive, using 7.4' "$TMP/stderr" &&
			grep -qx 'kernels/build: legacy: no longer linux-source-7.3_7.3.1-1_arm64, building from scratch' \
				"$TMP/stderr" && [ ! -e "$source" ]
	}
	ok "7.3 is gone: the next one up, said, built from scratch" moved
	unsupported() {
		cp -r "$TOP/kernels" "$TOP/tools" "$TMP/"
		cp "$TMP/wrong.patch" "$TMP/kernels/generic-entry.patch"
		gives 2 "$TMP/kernels/build" generic &&
			diff <(tail -n 1 "$TMP/stderr") - <<-END
				kernels/build: $TMP/kernels/generic-entry.patch does not apply to linux-source-7.4_7.4.2-1_arm64: kernel/a.c, hunk 1; set KSRC= to Linux 7.3
			END
	}
	ok "... and our patch does not apply to it" unsupported
else
	skip "what is built from an archive" "the release after '$BASE' is not known"
fi

# A tree of the user's.
export KSRC=$SRC
before=$(find "$SRC" -printf '%p %T@ %C@ %n\n' | sort)
built() {
	builds 0 "a b" legacy && holds "$(cat "$TMP/stdout")" "${plain[@]}"
}
ok "KSRC= is built" built
unchanged() {
	builds 0 "" legacy && [ ! -s "$TMP/stderr" ] && [ ! -e "$legacy/.build/log" ]
}
ok "... and once only" unchanged
ok "--print: built" gives 0 "$BUILD" --print legacy
fetched() {
	gives 0 "$FETCH" legacy && prints "$legacy/obj/arch/arm64/boot/Image" &&
		gives 0 "$FETCH" --config legacy && prints "$legacy/obj/.config"
}
ok "kernels/fetch finds it, and its config" fetched
patched() {
	builds 0 a --tree "$T" --patch "$TMP/five.patch" legacy && prints "$T/obj/arch/arm64/boot/Image" &&
		holds "$T/obj/arch/arm64/boot/Image" 1 2 3 4 five "${plain[@]:5}" && pristine
}
ok "--tree: a copy of the tree, only what the patch touches is compiled" patched
other() {
	builds 0 "a c" --tree "$T" --patch "$TMP/fifteen.patch" --patch "$TMP/new.patch" legacy &&
		holds "$T/obj/arch/arm64/boot/Image" "${plain[@]:0:14}" fifteen "${plain[@]:15}" new && pristine &&
		[ "$T/kernel/b.c" -ef "$legacy/kernel/b.c" ]
}
ok "another patch takes the first one off" other
both() {
	builds 0 a --tree "$T" --patch "$TMP/five.patch" --patch "$TMP/fifteen.patch" legacy &&
		holds "$T/obj/arch/arm64/boot/Image" 1 2 3 4 five "${plain[@]:5:9}" fifteen "${plain[@]:15}"
}
ok "two patches of one file; a new file is gone" both
none() {
	builds 0 a --tree "$T" legacy && holds "$T/obj/arch/arm64/boot/Image" "${plain[@]}" && pristine "$T"
}
ok "no patch: the tree of NAME again" none
does_not_apply() {
	refuses "kernels/build: $TMP/wrong.patch does not apply to KSRC=$SRC: kernel/a.c, hunk 1" \
		"$BUILD" --tree "$T" --patch "$TMP/wrong.patch" legacy && pristine "$T"
}
ok "a patch that does not apply" does_not_apply
sed 's/a\.c/x.c/' "$TMP/five.patch" >"$TMP/x.patch"
ok "a patch of a file that is not there" refuses \
	"kernels/build: $TMP/x.patch does not apply to KSRC=$SRC: kernel/x.c is not there" \
	"$BUILD" --tree "$T" --patch "$TMP/x.patch" legacy
ok "a patch of a file outside of the tree" refuses \
	"kernels/build: a patch touches files outside of the tree: $TMP/outside.patch" \
	"$BUILD" --tree "$T" --patch "$TMP/outside.patch" legacy
ok "what is no patch" refuses \
	"kernels/build: /etc/passwd does not apply to KSRC=$SRC: Only garbage was found in the patch input." \
	"$BUILD" --tree "$T" --patch /etc/passwd legacy
ok "a compiler's error" refuses \
	"kernels/build: legacy does not build: kernel/b.c:1:1: error: that is no C; see $T/.build/log" \
	"$BUILD" --tree "$T" --patch "$TMP/error.patch" legacy
ok "... is gone with its patch" builds 0 b --tree "$T" legacy
mkdir "$TMP/their"
touch "$TMP/their/file"
ok "--tree: a directory of others" refuses \
	"kernels/build: $TMP/their is there and is no tree of kernels/build; give another one" \
	"$BUILD" --tree "$TMP/their" legacy

# slow COMMAND...: starts it with the patch that stops the compiler, until it does.
slow() {
	rm -f "$T/obj/slow"
	# Under nohup, or in the background, signals come ignored.
	env --default-signal=HUP,INT,TERM "$BUILD" --tree "$T" --patch "$TMP/slow.patch" legacy >/dev/null 2>"$TMP/slow" &
	while [ ! -e "$T/obj/slow" ]; do
		kill -0 $! 2>/dev/null || return
		sleep 0.1
	done
}
# ended: the compiler is, too.
ended() {
	timeout 20 bash -c 'while pgrep -f "^sleep 98765.$0" >/dev/null; do sleep 0.1; done' $$
}
interrupted() {
	slow && kill "-$1" $! && timeout 60 tail --pid=$! -f /dev/null &&
		{ status "$2" wait $! 2>/dev/null; } && ended &&
		builds 0 b --tree "$T" legacy && holds "$T/obj/arch/arm64/boot/Image" "${plain[@]}"
}
ok "SIGTERM: nothing is left running, the next build is right" interrupted TERM 143
ok "SIGHUP" interrupted HUP 129
ok "SIGKILL" interrupted KILL 137
# Ctrl-C: the terminal sends SIGINT to all that runs in the foreground.
ctrl_c() {
	rm -f "$T/obj/slow"
	timeout 60 bash -c 'until [ -e "$0" ]; do sleep 0.1; done; printf "\3"' "$T/obj/slow" |
		status 130 timeout 60 script -qec "env --default-signal=INT $BUILD --tree '$T' --patch '$TMP/slow.patch' legacy" /dev/null >"$TMP/typescript" &&
		ended
}
ok "Ctrl-C" ctrl_c
waits() {
	slow || return
	first=$!
	"$BUILD" --tree "$T" legacy >"$TMP/second" 2>"$TMP/second.err" &
	second=$!
	timeout 60 bash -c 'until grep -q waiting "$0"; do sleep 0.1; done' "$TMP/second.err"
	diff <(echo "kernels/build: legacy: waiting for another build in $T") "$TMP/second.err" || return
	kill "$first"
	wait "$second" && holds "$(cat "$TMP/second")" "${plain[@]}"
}
ok "two in one tree: the second waits, and says so" waits
torn() {
	echo rubbish >"$T/new" && mv "$T/new" "$T/kernel/a.c" && echo kernel/a.c >"$T/.build/changed" &&
		rm -f "$T/.build/built" && builds 0 a --tree "$T" legacy && pristine "$T"
}
ok "a tree that an interrupted run left half changed heals" torn
no_effect() {
	cp -r "$TOP/kernels" "$TOP/tools" "$TMP/"
	echo CONFIG_NO_SUCH=y >>"$TMP/kernels/small.config"
	refuses "kernels/build: legacy: no effect in this source: CONFIG_NO_SUCH=y (kernels/small.config or the table in kernels/build)" \
		"$TMP/kernels/build" legacy
}
ok "an option that has no effect" no_effect
[ "$before" = "$(find "$SRC" -printf '%p %T@ %C@ %n\n' | sort)" ]
ok "nothing was written to KSRC" test $? -eq 0
edited() {
	sed -i 's/^21$/edited/' "$SRC/kernel/b.c"
	builds 0 b legacy && holds "$legacy/obj/arch/arm64/boot/Image" "${plain[@]:0:20}" edited "${plain[@]:21}"
}
ok "a file of KSRC that was edited is compiled again, nothing else" edited

# In earnest: the converted kernel, in the cache that the machine has.
unset KSRC APT_CONFIG CACHE
[ -z "$own_cache" ] || export CACHE=$own_cache
log=$TMP/generic.log
if ! "$BUILD" generic >"$TMP/generic" 2>"$log"; then
	if grep -qE 'does not apply|no linux-source|cannot reach the package archive' "$log"; then
		skip "generic is built" "$(tail -n 1 "$log")"
		exit 0
	fi
	ok "generic is built" status 0 eval 'cat "$log"; false'
	exit 0
fi
ok "generic is built" test -s "$(cat "$TMP/generic")"
sed 's/^/# /' "$log"

# What quickly() makes of a changed file is what a build that looks at everything makes.
quick() {
	local tree=${1%/generic/*}/check patch=$TOP/kernels/mutants/seccomp-errno-0-runs.patch
	local image=$tree/obj/arch/arm64/boot/Image
	rm -rf "$tree"
	status 0 "$BUILD" --tree "$tree" generic && cmp "$1" "$image" &&
		status 0 "$BUILD" --tree "$tree" --patch "$patch" generic && ! cmp -s "$1" "$image" &&
		lines "$tree/.build/log" '^  CC ' 1 && lines "$tree/.build/log" ' built-in\.a$' 0 &&
		cp "$image" "$TMP/quick" && rm "$tree"/.build/{built,environment} &&
		status 0 "$BUILD" --tree "$tree" --patch "$patch" generic && cmp "$TMP/quick" "$image" &&
		lines "$tree/.build/log" ' built-in\.a$' 1 &&
		status 0 "$BUILD" --tree "$tree" generic && cmp "$1" "$image"
}
ok "a changed file is built quickly, and as it would be from scratch" quick "$(cat "$TMP/generic")"
rm -rf "$(sed 's,/generic/.*,/check,' "$TMP/generic")"

boot() {
	status 0 "$TOP/vm/run" generic --suite "$O/suite" >"$TMP/ktap" 2>"$TMP/err" || {
		cat "$TMP/err"
		grep -E '^not ok|^# not ok|FAILED|KERNEL|HANG' "$TMP/ktap"
		return 1
	}
	lines "$TMP/ktap" '^ok [0-9]+ selftests: ' "$(wc -l <"$O/suite/kselftest-list.txt")" &&
		lines "$TMP/ktap" '^(# )?not ok' 0 && grep -q 'generic' "$TMP/ktap"
}
ok "the suite passes on it" boot
