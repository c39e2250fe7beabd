#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Runs one test of a build with sanitizers:  sh tests/sanitize/test.sh FOLDER TEST [ARGUMENTS]
# TEST is a program, "tests/transform/test_plan", or a script of the source, "tests/program/errors.sh".  The last line
# is "tried N wrong M": verdicts in its TAP, those that are skipped left out, times $CASES where each
# stands for $CASES cases; each report counts as wrong.
set -u
builddir=$(cd "${1:?usage: test.sh FOLDER TEST [ARGUMENTS]}" && pwd) || exit 99
test=$2
shift 2
srcdir=$(cd "$(dirname "$0")/../.." && pwd)
PFFT3D=$builddir/pfft3d
export srcdir builddir PFFT3D
unset MAKEFLAGS MAKELEVEL
reports=$(mktemp -d) || exit 99
out=$(mktemp) || exit 99
trap 'rm -rf "$reports" "$out"' EXIT
trap 'exit 130' HUP INT TERM
. "$srcdir/tests/sanitize/env.sh"

case $test in
  *.sh) test=$srcdir/$test ;;
  *) test=$builddir/$test ;;
esac
# Everything takes several times as long.
TEST_TIMEOUT=${TEST_TIMEOUT:-3000} sh "$srcdir/tests/mpirun.sh" "$test" "$@" >"$out" 2>&1
grep -v '^ok ' "$out"
wrong=$(grep -c '^not ok ' "$out")
if ! reports_shown; then wrong=$((wrong + $(find "$reports" -type f -size +0 | wc -l))); fi
grep -q '^1\.\.' "$out" || wrong=$((wrong + 1)) # it has not come to its end
tried=$(grep -E '^(not )?ok ' "$out" | grep -vc '# SKIP')
echo "tried $((tried * ${CASES:-1})) wrong $wrong"
test "$wrong" = 0
