# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# tools/debian-package and kernels/fetch against an archive of a few small packages
# in the file system: what is chosen, what the cache is good for, and the one line
# for everything that can be wrong.
. "$(dirname "$0")/lib.sh"
. "$TOP/tests/archive.sh"

export CACHE=$TMP/cache
PACKAGE=$TOP/tools/debian-package
FETCH=$TOP/kernels/fetch

clean_cache() {
	[ -z "$(find "$CACHE" -name 'tmp.*')" ]
}

ok "a path that is not there" refuses "kernels/fetch: /nix/Image: no such file" "$FETCH" /nix/Image
ok "a directory" refuses "kernels/fetch: $TMP is a directory, not a kernel Image" "$FETCH" "$TMP"
: >"$TMP/empty"
ok "an empty file" refuses "kernels/fetch: $TMP/empty is empty" "$FETCH" "$TMP/empty"
ok "a name that is no kernel" refuses \
	"kernels/fetch: 'nix' is no kernel: debian, debian:6.12, generic, or the path of an Image" "$FETCH" nix
ok "a series that is none" refuses \
	"kernels/fetch: 'debian:x' is no kernel: debian, debian:6.12, generic, or the path of an Image" "$FETCH" debian:x
{ head -c 514 /dev/zero; printf HdrS; head -c 1000 /dev/zero; } >"$TMP/bz"
ok "an x86 kernel" refuses "kernels/fetch: $TMP/bz is an x86 kernel, not an arm64 Image" "$FETCH" "$TMP/bz"
{ printf '\177ELF'; head -c 14 /dev/zero; printf '\267\0'; } >"$TMP/vmlinux"
ok "an ELF vmlinux" refuses "kernels/fetch: $TMP/vmlinux is an ELF vmlinux; give arch/arm64/boot/Image of the same build" "$FETCH" "$TMP/vmlinux"
ok "an ELF file of another machine" refuses "kernels/fetch: /bin/true is an ELF file for another machine than arm64" "$FETCH" /bin/true
head -c 5000 "$FETCH" >"$TMP/text"
ok "something else" refuses "kernels/fetch: $TMP/text is not an arm64 kernel Image" "$FETCH" "$TMP/text"

image >"$TMP/Image"
good() {
	gives 0 "$FETCH" "$1" && cmp "$(cat "$TMP/stdout")" "$TMP/Image"
}
ok "an Image" good "$TMP/Image"
gzip -c "$TMP/Image" >"$TMP/Image.gz"
ok "an Image.gz is unpacked" good "$TMP/Image.gz"
head -c 20 "$TMP/Image.gz" >"$TMP/cut.gz"
ok "an Image.gz that is cut off" refuses \
	"kernels/fetch: $TMP/cut.gz is damaged or cut off: gzip cannot unpack it" "$FETCH" "$TMP/cut.gz"

# le32 NUMBER: four bytes.
le32() {
	local n=$1
	# shellcheck disable=SC2059
	printf "$(printf '\\x%02x' $((n & 255)) $((n >> 8 & 255)) $((n >> 16 & 255)) $((n >> 24)))"
}
zboot() {
	printf 'MZ\0\0zimg'
	le32 64
	le32 "$1"
	head -c 8 /dev/zero
	printf gzip
	head -c 36 /dev/zero
	cat "$TMP/Image.gz"
}
size=$(stat -c %s "$TMP/Image.gz")
zboot "$size" >"$TMP/zboot"
ok "an EFI zboot image is unpacked" good "$TMP/zboot"
zboot 70000 >"$TMP/zboot"
ok "an EFI zboot image that is cut off" refuses \
	"kernels/fetch: $TMP/zboot is cut off: $((size + 64)) bytes, its payload ends at 70064" "$FETCH" "$TMP/zboot"

# A PE header with one section that ends at 4096 + 4096.
{
	head -c 56 /dev/zero; printf 'ARM\x64'; le32 64
	printf 'PE\0\0'; printf '\x64\xaa\x01\0'; head -c 12 /dev/zero; printf '\0\0\0\0'
	printf '.text\0\0\0'; le32 0; le32 0; le32 4096; le32 4096
	head -c 9000 /dev/zero
} >"$TMP/pe"
ok "an Image with a PE header" gives 0 "$FETCH" "$TMP/pe"
head -c 8191 "$TMP/pe" >"$TMP/pe_cut"
ok "one byte is missing from its last section" refuses \
	"kernels/fetch: $TMP/pe_cut is cut off: 8191 bytes, at least 8192 expected" "$FETCH" "$TMP/pe_cut"

# Without one: image_size counts .bss, of which a kernel with lockdep has more than of the rest.
with_size() {
	head -c 16 /dev/zero; le32 "$1"; head -c 36 /dev/zero; printf 'ARM\x64'; head -c 4036 /dev/zero
}
with_size 32768 >"$TMP/bss"
ok "an Image with much .bss" gives 0 "$FETCH" "$TMP/bss"
with_size 40000 >"$TMP/bss_cut"
ok "an Image that is a small part of its size" refuses \
	"kernels/fetch: $TMP/bss_cut is cut off: 4096 bytes, at least 5000 expected" "$FETCH" "$TMP/bss_cut"

if [ "$(id -u)" -eq 0 ]; then
	# Where another user can reach them, wherever the clone is.
	chmod 711 "$TMP"
	mkdir "$TMP/public"
	cp -r "$TOP/kernels" "$TOP/tools" "$TMP/public/"
	install -m 600 "$TMP/Image" "$TMP/private"
	ok "a file that cannot be read" refuses "kernels/fetch: $TMP/private cannot be read: permission denied" \
		setpriv --reuid 65534 --regid 65534 --clear-groups "$TMP/public/kernels/fetch" "$TMP/private"
	install -d -m 755 "$CACHE"
	ok "a cache that cannot be written" refuses \
		"tools/debian-package: cannot write to $CACHE; set CACHE= to a directory of yours" \
		setpriv --reuid 65534 --regid 65534 --clear-groups "$TMP/public/tools/debian-package" busybox-static
fi
ok "no pattern" refuses "tools/debian-package: one PATTERN is needed; see --help" "$PACKAGE"
ok "an unknown suite" refuses "tools/debian-package: unknown suite 'x'; see --help" "$PACKAGE" --suite x y

if [ -z "$NEXT" ]; then
	skip "what is taken from an archive" "the release after '$BASE' is not known"
	exit 0
fi
package "$BASE" linux-image-6.1.0-9-arm64 6.1.9-1 boot/vmlinuz-6.1.0-9-arm64
package "$BASE" linux-image-6.1.0-10-arm64 6.1.10-1 boot/vmlinuz-6.1.0-10-arm64
package "$BASE" linux-image-6.1.0-11-cloud-arm64 6.1.11-1 boot/vmlinuz-cloud
package "$BASE" linux-image-6.1.0-11-arm64-unsigned 6.1.11-1 boot/vmlinuz-unsigned
package "$BASE" linux-image-6.1.0-11-arm64-dbg 6.1.11-1 boot/vmlinuz-dbg
package "$BASE" linux-image-6.1-arm64 6.1.11-1
package "$BASE" busybox-static 1:1.35 bin/busybox
package "$BASE" program 1:2 usr/bin/program "Depends: direct (>= 1) | nothing" \
	"Recommends: linux-image-6.1-arm64"
package "$BASE" direct 1 usr/lib/direct.so "Pre-Depends: indirect"
package "$BASE" indirect 3:1 lib/indirect.so "Suggests: busybox-static"
package "$BASE" broken 1 usr/bin/broken "Depends: program, no-such-package (>= 2)"
publish "$BASE"
package "$NEXT" linux-image-6.12.5+deb13+1-arm64 6.12.5-1 boot/vmlinuz-6.12.5
publish "$NEXT"
package sid linux-image-7.4.1+deb14-arm64 7.4.1-1
package sid linux-binary-7.4.1+deb14-arm64 7.4.1-1 usr/lib/modules/7.4.1+deb14-arm64/vmlinuz
publish sid
archive "file:$REPO"

# kernel SPEC NAME [NOTE]: SPEC is the package NAME; NOTE, if any, is said before.
kernel() {
	gives 0 "$FETCH" "$1" && grep -q "/packages/$2_" "$TMP/stdout" && [ -f "$(cat "$TMP/stdout")" ] &&
		{ [ -z "${3:-}" ] || grep -qxF "kernels/fetch: $3" "$TMP/stderr"; } && clean_cache
}
ok "debian: the newest of the own release, no flavour" kernel debian linux-image-6.1.0-10-arm64
ok "debian:6.1" kernel debian:6.1 linux-image-6.1.0-10-arm64
only_own() {
	[ "$(ls "$CACHE/apt")" = release ]
}
ok "... with the lists of no other release" only_own
ok "debian:6.12 from the next release" kernel debian:6.12 linux-image-6.12.5+deb13+1-arm64
ok "debian:7.4 from sid, suites that do not exist are left out" kernel debian:7.4 linux-binary-7.4.1+deb14-arm64
ok "debian:7.3 is gone: the next one up, and said" kernel debian:7.3 linux-binary-7.4.1+deb14-arm64 \
	"debian:7.3 is no longer in the archive, using 7.4.1"
ok "debian:7.5 is not there yet" refuses \
	"kernels/fetch: no kernel 7.5 or later in the archive" "$FETCH" debian:7.5
no_such() {
	gives 1 "$PACKAGE" no-such-package &&
		says "tools/debian-package: no package matches 'no-such-package' in: release"
}
ok "no such package: exit status 1" no_such
listed() {
	gives 0 "$PACKAGE" --list --suite release,sid 'linux-(image|binary)-[0-9.-]+(.deb14)?-arm64' &&
		prints "$(printf '%s\n' "release linux-image-6.1-arm64 6.1.11-1" "release linux-image-6.1.0-10-arm64 6.1.10-1" \
			"release linux-image-6.1.0-9-arm64 6.1.9-1" "sid linux-binary-7.4.1+deb14-arm64 7.4.1-1" \
			"sid linux-image-7.4.1+deb14-arm64 7.4.1-1")"
}
ok "--list" listed
depends() {
	local dir
	gives 0 "$PACKAGE" --with-depends program && dir=$(cat "$TMP/stdout") && clean_cache &&
		{ [ -z "${1:-}" ] || says "$1"; } &&
		diff -u <(cd "$dir" && find . -type f | sort) - <<-'END'
			./lib/indirect.so
			./usr/bin/program
			./usr/lib/direct.so
		END
}
ok "--with-depends: all that it depends on, nothing else" depends \
	"tools/debian-package: downloading program 1:2 and 2 packages it depends on"
alone() {
	gives 0 "$PACKAGE" program && diff -u <(cd "$(cat "$TMP/stdout")" && find . -type f) - <<<./usr/bin/program
}
ok "... and without it the package alone" alone
ok "--with-depends: a package that is not there" refuses \
	"tools/debian-package: cannot find all packages for broken 1: it depends on no-such-package (>= 2) but it is not installable" \
	"$PACKAGE" --with-depends broken
parallel() {
	local -x CACHE=$TMP/cache2
	"$PACKAGE" busybox-static >"$TMP/one" 2>/dev/null &
	gives 0 "$PACKAGE" busybox-static && wait $! && cmp "$TMP/one" "$TMP/stdout" && clean_cache
}
ok "two at once" parallel

# From here on there is no network.
archive http://archive.invalid/debian
offline() {
	gives 0 "$PACKAGE" "$1" && [ -d "$(cat "$TMP/stdout")" ]
}
ok "a package in the cache needs no network" kernel debian:6.1 linux-image-6.1.0-10-arm64
ok "... nor one with what it depends on" depends
ok "... nor does one that replaced another" kernel debian:7.3 linux-binary-7.4.1+deb14-arm64 \
	"debian:7.3 is no longer in the archive, using 7.4.1"
old_cache() {
	find "$CACHE/found" "$CACHE/apt" -type f -exec touch -d '10 days ago' {} +
	kernel debian:6.1 linux-image-6.1.0-10-arm64 &&
		grep -q '^tools/debian-package: cannot reach the package archive, using linux-image-6.1.0-10-arm64_' "$TMP/stderr"
}
ok "an old cache is used when the archive cannot be reached, and said" old_cache
unreachable() {
	local -x CACHE=$TMP/empty_cache
	gives 2 "$@" && lines "$TMP/stderr" . 1 && clean_cache && [ ! -s "$TMP/stdout" ] &&
		grep -qE '^tools/debian-package: cannot reach the package archive: .*; check the network, or give the path of a kernel Image$' "$TMP/stderr"
}
ok "no network and an empty cache: one line" unreachable "$FETCH" debian:7.3
no_archive() {
	: >"$TMP/sources.list"
	local -x CACHE=$TMP/empty_cache
	refuses "tools/debian-package: no Debian archive in this machine's apt configuration ('apt-get indextargets' shows none); give the path of a kernel Image instead" \
		"$PACKAGE" busybox-static
}
ok "no archive configured: one line" no_archive

archive "file:$REPO"
disk_full() {
	# shellcheck disable=SC2016
	mkdir -p "$TMP/small" &&
		CACHE=$TMP/small gives 2 unshare -m bash -c 'mount -t tmpfs -o size=$1 tmpfs "$CACHE" || exit
			"$0" busybox-static; rc=$?; find "$CACHE" -name "tmp.*" | grep . && exit 9; exit $rc' "$PACKAGE" "$1" &&
		says "tools/debian-package: no disk space left in $TMP/small; free some, or set CACHE= to another directory"
}
if [ "$(id -u)" -eq 0 ] && unshare -m true 2>/dev/null; then
	for s in 4k 16k; do
		ok "no disk space in the cache ($s): one line" disk_full $s
	done
else
	skip "no disk space in the cache: one line" "needs root for a small tmpfs"
fi
