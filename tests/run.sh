#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Builds pfft3d into build/ and runs all tests:  sh tests/run.sh   (from anywhere)
# Installs missing Debian packages first.  The last line is the sum over all tests and rank counts,
# "N passed, N failed" and, if there are any, ", N skipped"; the status is 0 when none failed.
set -u
cd "$(dirname "$0")/.." || exit 1
BUILD=${BUILD:-build}
jobs=$(nproc 2>/dev/null || echo 2)
. tests/lib/limited.sh
mark=run-$$-$(date +%s%N)
trap 'trap "" HUP INT TERM; end_marked "$mark"; exit 130' HUP INT TERM

# start COMMAND...: in the background, as a shell that waits for a command in the foreground does not react
# to signals.  make passes none on to the tests.
start() {
  marked "$mark" "$@" &
  wait $!
}

fail() {
  echo "tests/run.sh: $1" >&2
  exit 1
}

sh jobs/packages.sh build test || exit $?
start sh jobs/build.sh || exit $?
# Test programs that do not compile are no test result.
start make --no-print-directory -C "$BUILD" -j "$jobs" check TESTS= >"$BUILD/check-build.log" 2>&1 || {
  cat "$BUILD/check-build.log"
  fail 'the test programs do not build'
}

find "$BUILD" -name '*.trs' -exec rm -f {} +
# One test more than there are cores: some wait for timers and for programs that start.
start make --no-print-directory -C "$BUILD" -j "$((jobs + 1))" check
status=$?

# One ":test-result:" line for each TAP line, in one .trs file for each test.
count() {
  find "$BUILD" -name '*.trs' -exec cat {} + | grep -cE "^:test-result: *($1)( |\$)"
}
passed=$(count 'PASS|XFAIL')
failed=$(count 'FAIL|XPASS|ERROR')
skipped=$(count 'SKIP')

if test "$failed" -gt 0; then
  for trs in $(find "$BUILD" -name '*.trs' | sort); do
    grep -qE '^:test-result: *(FAIL|XPASS|ERROR)' "$trs" || continue
    echo "==== ${trs%.trs}.log"
    cat "${trs%.trs}.log"
  done
elif test "$status" != 0; then
  fail "make check ended with status $status, but no test says why"
elif test "$passed" = 0; then
  fail 'no test was run'
fi

sh tests/lib/times.sh "$BUILD"
sum="$passed passed, $failed failed"
if test "$skipped" -gt 0; then sum="$sum, $skipped skipped"; fi
echo "$sum"
test "$failed" = 0
