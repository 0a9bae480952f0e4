# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# The sources: no warning from gcc or clang, on any kernel's harness at hand;
# checkpatch --strict, cppcheck and shellcheck clean. KSRCS adds kernel trees.
. "$(dirname "$0")/lib.sh"

cd "$TOP" || exit 2
mapfile -t c_files < <(git ls-files '*.c' '*.h' '*.S')
mapfile -t scripts < <(git ls-files -z | xargs -0 grep -lE '^#!/bin/(ba)?sh|^# shellcheck shell=')

# build ARGUMENT...: the whole suite into a directory of its own; a warning is a failure.
build() {
	local out=$TMP/build
	rm -rf "$out"
	make O="$out" "$@" all >"$TMP/log" 2>&1 || { cat "$TMP/log"; return 1; }
	! grep -B 2 -A 5 -E 'warning:|error:' "$TMP/log"
}

ok "gcc builds without a warning" build
ok "clang builds without a warning" build LLVM=1
for tree in ${KSRCS:-}; do
	ok "gcc builds without a warning on $tree" build KSRC="$tree"
	ok "clang builds without a warning on $tree" build KSRC="$tree" LLVM=1
done

# Macros of the harness define functions, which checkpatch takes for calls.
checkpatch() {
	cp .checkpatch.conf "$TMP"
	(cd "$TMP" && perl "$KSRC/scripts/checkpatch.pl" --terse --show-types --no-summary \
		-f "${c_files[@]/#/$TOP/}")
}

if [ -f "${KSRC:-}/scripts/checkpatch.pl" ]; then
	ok "checkpatch --strict is clean" checkpatch
else
	skip "checkpatch --strict is clean" "no kernel tree: set KSRC=/path/to/linux"
fi
ok "cppcheck is clean" cppcheck -q --error-exitcode=1 --inline-suppr \
	--enable=warning,performance,portability --suppress=missingIncludeSystem lib tools tests \
	ptrace singlestep sud seccomp rseq mte work
ok "shellcheck is clean" shellcheck -x -P SCRIPTDIR "${scripts[@]}"

long_files() {
	! wc -l ptrace/*.c singlestep/*.c sud/*.c seccomp/*.c rseq/*.c mte/*.c work/*.c |
		awk '$2 != "total" && $1 > 400' | grep .
}
ok "no test program is over 400 lines" long_files
