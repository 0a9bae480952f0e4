# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# What of lib/ runs on the build machine, under ASan and UBSan.
. "$(dirname "$0")/lib.sh"

# Clang's sanitizers are in a package of their own, whose name has its version.
sanitize=('-fsanitize=address,undefined' -fno-sanitize-recover=all)
for cc in gcc clang; do
	command -v $cc >/dev/null || { skip "unit tests with $cc" "no $cc"; continue; }
	echo 'int main(void) { return 0; }' >"$TMP/try.c"
	$cc "${sanitize[@]}" "$TMP/try.c" -o "$TMP/try" 2>/dev/null || sanitize=()
	ok "unit tests build with $cc" $cc -std=gnu11 -D_GNU_SOURCE -Wall -Wextra -Werror -g \
		"${sanitize[@]}" \
		"$TOP/tests/decode_unit.c" "$TOP/lib/decode.c" -o "$TMP/decode_unit"
	"$TMP/decode_unit" || echo "not ok - decode_unit under $cc ends with status $?"
done
