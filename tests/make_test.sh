# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# The Makefile: what it refuses, before anything is made or removed.
. "$(dirname "$0")/lib.sh"

cd "$TOP" || exit 2
unset MAKEFLAGS MFLAGS MAKELEVEL MAKEOVERRIDES INSTALL_PATH
D=$TMP/dir
mkdir -p "$D/lib" "$D/my"
touch "$D/lib/theirs" "$D/my/theirs"

# refused LINE ARGUMENT...: make says only this and $D is as it was.
refused() {
	local line=$1
	shift
	status 2 env -u O -u KSRC make "$@" >"$TMP/stdout" 2>"$TMP/stderr" || return
	sed 's/^Makefile:[0-9]*: //' "$TMP/stderr" | diff - <(echo "*** $line.  Stop.") &&
		[ ! -s "$TMP/stdout" ] && unchanged
}
unchanged() {
	(cd "$D" && find . | sort) | diff - <(printf '%s\n' . ./lib ./lib/theirs ./my ./my/theirs)
}
blanks="a path with blanks does not work here"
for goal in all clean help; do
	ok "$goal: O= with a blank" refused "O='$D/my build': $blanks; give another one" $goal O="$D/my build"
	ok "$goal: KSRC= with a tab" refused "KSRC='$D/my	tree': $blanks; give another one" $goal KSRC="$D/my	tree"
	ok "$goal: O= is a directory of others" refused \
		"O=$D is no build directory of this suite, but has a lib; give another one" $goal O="$D"
done
ok "INSTALL_PATH= with a blank" refused "INSTALL_PATH='$D/a b': $blanks; give another one" \
	install O="$D/new" INSTALL_PATH="$D/a b"
ok "O= is the clone" refused "O=$TOP is no build directory of this suite, but has a lib; give another one" clean O=.

clone() {
	mkdir "$TMP/my clone"
	cp Makefile "$TMP/my clone"
	refused "this clone is in '$TMP/my clone': $blanks; move it" --no-print-directory -C "$TMP/my clone" O="$D/new" all
}
ok "a clone in a path with a blank" clone

quiet() {
	status 0 make O="$D/new" "$1" && unchanged
}
ok "help makes no directory" quiet help
ok "clean makes no directory" quiet clean

no_programs() {
	: >"$O/sud/list"
	status 2 make -s O="$O" install INSTALL_PATH="$TMP/installed" 2>"$TMP/stderr" &&
		lines "$TMP/stderr" '^make install: sud/Makefile lists no programs$' 1 && [ ! -e "$TMP/installed" ] &&
		status 0 make -s O="$O" install INSTALL_PATH="$TMP/installed" &&
		[ -x "$TMP/installed/sud/sud_test" ]
}
ok "install: a directory without programs" no_programs
