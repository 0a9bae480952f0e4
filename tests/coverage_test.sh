# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# Every behaviour has its cases, every program its line in the README; and
# tools/coverage says so when not.
. "$(dirname "$0")/lib.sh"

COVERAGE=$TOP/tools/coverage

# says STATUS REGEX: of the suite in d.
says() {
	status "$1" "$COVERAGE" "$TMP/d" >"$TMP/said" 2>&1 && grep -qE -e "$2" "$TMP/said" && return
	echo "expected '$2':"
	cat "$TMP/said"
	return 1
}

every_program_in_readme() {
	local missing='' program
	for program in "$TOP"/*/*_test.c; do
		program=${program#"$TOP"/}
		grep -q "^| \`${program%.c}\` | .*(.*) |$" "$TOP/README.md" || missing+=" ${program%.c}"
	done
	[ -z "$missing" ] || echo "README.md has no line for$missing"
	[ -z "$missing" ]
}

# complete: without the table of all that has cases.
complete() {
	"$COVERAGE" >"$TMP/table" && return
	grep 'NO CASE' "$TMP/table"
	return 1
}

ok "every behaviour that is due has a case" complete
ok "the README lists every program with what it pins down" every_program_in_readme

mkdir -p "$TMP/d/docs" "$TMP/d/t"
printf '| %s | %s |\n' A1 'one \| of two' A2 two A3 '(later) three' >"$TMP/d/docs/behaviours.md"
cat >"$TMP/d/t/a_test.c" <<'END'
FIXTURE_VARIANT_ADD(f, x) {
FIXTURE_VARIANT_ADD(f, y) {
FIXTURE_VARIANT_ADD(g, z) {
TEST_F(f, twice)
{
	PINS("A1");
}

TEST(once)
{
	struct stop s;

	PINS("A1 A2");
}
END
ok "variants are counted" says 0 '^       t/a_test +f.twice \(2 variants\)$'
ok "a title may have a bar" says 0 '^A1   one [|] of two$'
ok "all in all" says 0 '^2 of 2 behaviours have cases, 3 in all, from 2 tests; 1 are for later.$'
sed -i 's/ A2//' "$TMP/d/t/a_test.c"
ok "a behaviour without a case is named" says 1 '^A2   NO CASE: two$'
sed -i 's/"A1"/"A1 A4"/' "$TMP/d/t/a_test.c"
ok "an unknown id is named, with its place" says 2 't/a_test.c:6: A4 is not in docs/behaviours.md'
sed -i '/PINS/d' "$TMP/d/t/a_test.c"
ok "a case without PINS is named" says 2 't/a_test: once does not begin with PINS'
ok "a directory without tests is refused" status 2 "$COVERAGE" "$TMP"
ok "a directory that does not exist is refused" status 2 "$COVERAGE" "$TMP/none"
