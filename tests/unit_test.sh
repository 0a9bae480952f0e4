# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# What of lib/ runs on the build machine, under ASan and UBSan.
. "$(dirname "$0")/lib.sh"

for cc in gcc clang; do
	command -v $cc >/dev/null || { skip "unit tests with $cc" "no $cc"; continue; }
	ok "unit tests build with $cc" $cc -std=gnu11 -D_GNU_SOURCE -Wall -Wextra -Werror -g \
		-fsanitize=address,undefined -fno-sanitize-recover=all \
		"$TOP/tests/decode_unit.c" "$TOP/lib/decode.c" -o "$TMP/decode_unit"
	"$TMP/decode_unit" || echo "not ok - decode_unit under $cc ends with status $?"
done
