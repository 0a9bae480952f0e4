# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# For tests of what fetches packages, after lib.sh: an archive of small packages in the
# file system (while apt looks there nothing comes from anywhere else), and what a
# command prints.

export APT_CONFIG=$TMP/apt.conf
REPO=$TMP/repo
# shellcheck disable=SC1091
BASE=$(. /etc/os-release && echo "${VERSION_CODENAME:-}")
# shellcheck disable=SC2034
NEXT=$(sed -n 's/^CODENAMES="\(.*\)"/\1/p' "$TOP/tools/debian-package" | tr ' ' '\n' | sed -n "/^$BASE\$/{n;p}")

# image: the smallest thing that passes for an arm64 Image, on stdout.
image() {
	head -c 56 /dev/zero
	printf 'ARM\x64'
	head -c 4036 /dev/zero
}

# package SUITE NAME VERSION [PATH [FIELD...]]: one that holds PATH, an Image or a copy
# of the file CONTENT.
package() {
	local dir=$TMP/package deb=pool/$2_$3.deb
	rm -rf "$dir"
	mkdir -p "$dir/DEBIAN" "$REPO/pool" "$REPO/dists/$1/main/binary-arm64"
	printf '%s\n' "Package: $2" "Version: $3" "Architecture: arm64" \
		"Maintainer: nobody" "Description: a test" "${@:5}" >"$dir/DEBIAN/control"
	if [ -n "${4:-}" ]; then
		mkdir -p "$dir/$(dirname "$4")"
		if [ -n "${CONTENT:-}" ]; then cat "$CONTENT"; else image; fi >"$dir/$4"
	fi
	dpkg-deb --build --root-owner-group "$dir" "$REPO/$deb" >/dev/null
	{
		cat "$dir/DEBIAN/control"
		printf '%s\n' "Filename: $deb" "Size: $(stat -c %s "$REPO/$deb")" \
			"SHA256: $(sha256sum "$REPO/$deb" | cut -d ' ' -f 1)" ""
	} >>"$REPO/dists/$1/main/binary-arm64/Packages"
}

# publish SUITE: its Release file.
publish() {
	local f=main/binary-arm64/Packages dir=$REPO/dists/$1
	mkdir -p "$dir/main/binary-arm64"
	touch "$dir/$f"
	printf '%s\n' "Origin: Debian" "Suite: $1" "Codename: $1" "Components: main" \
		"Architectures: arm64" "Date: $(date -Ru)" "SHA256:" \
		" $(sha256sum "$dir/$f" | cut -d ' ' -f 1) $(stat -c %s "$dir/$f") $f" >"$dir/Release"
}

# archive URI: what the machine's own configuration is to name.
archive() {
	echo "deb [trusted=yes] $1 $BASE main" >"$TMP/sources.list"
	cat >"$APT_CONFIG" <<-END
		Dir::Etc::sourcelist "$TMP/sources.list";
		Dir::Etc::sourceparts "/dev/null";
		Dir::Etc::parts "/dev/null";
		Acquire::http::Proxy "http://127.0.0.1:9";
	END
}

# gives STATUS COMMAND...: its exit status; stdout and stderr are kept.
gives() {
	local want=$1 got
	shift
	"$@" >"$TMP/stdout" 2>"$TMP/stderr"
	got=$?
	[ $got -eq "$want" ] || { echo "exit status $got, expected $want"; cat "$TMP/stdout" "$TMP/stderr"; return 1; }
}

# says LINE: that is all of stderr. prints LINE: that is all of stdout.
says() {
	diff -u <(printf '%s\n' "$1") "$TMP/stderr"
}
prints() {
	diff -u <(printf '%s\n' "$1") "$TMP/stdout"
}

# refuses LINE COMMAND...: exit status 2, nothing on stdout, one line on stderr.
refuses() {
	local line=$1
	shift
	gives 2 "$@" && says "$line" && [ ! -s "$TMP/stdout" ]
}
