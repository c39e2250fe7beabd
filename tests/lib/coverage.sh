#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Which lines of src/ the tests run:  sh tests/lib/coverage.sh FOLDER   (make coverage: build/coverage)
# Builds pfft3d there for counting, runs `make check` but for one test (TESTS in the environment: only
# these), and writes coverage.txt, a line for each file, and coverage.html beside it; needs gcovr.
# Fails where fewer than $COVERAGE percent of the lines are run (90), or a test fails.
set -u
folder=${1:?usage: coverage.sh FOLDER}
srcdir=$(cd "$(dirname "$0")/../.." && pwd)
if ! command -v gcovr >/dev/null; then
  echo 'coverage.sh: no gcovr (Debian: apt-get install gcovr)' >&2
  exit 69
fi
mkdir -p "$folder" && cd "$folder" || exit 99
jobs=$(nproc 2>/dev/null || echo 2)
test -x "$srcdir/configure" || (cd "$srcdir" && autoreconf -fi) || exit 1
# Counted atomically: threads of a rank run the same lines.
test -f Makefile || "$srcdir/configure" --quiet \
  CFLAGS='-O1 -g --coverage -fprofile-update=atomic' >configure.out || exit 1
make --no-print-directory -s -j "$jobs" all || exit 1
make --no-print-directory -s -j "$jobs" check TESTS= >check-build.log || exit 1

# Ranks that end with _exit() or by a signal count nothing: the lines that they ran are not seen.
find . -name '*.gcda' -exec rm -f {} +
unset MAKEFLAGS MAKELEVEL
# The last allocations of a process are those of the counters, which fault_calls.sh lets fail, too.
# shellcheck disable=SC2016  # for make
all=$(make --no-print-directory -s --eval='print-tests:;@echo $(TESTS)' print-tests | sed 's| tests/faults/fault_calls.sh||')
make --no-print-directory -j "$jobs" check TESTS="${TESTS:-$all}" >check.log 2>&1
status=$?
if test "$status" != 0; then grep '^FAIL\|^ERROR' check.log; fi
gcovr --root "$srcdir" --filter "$srcdir/src/" --exclude-unreachable-branches -j "$jobs" \
  --gcov-ignore-parse-errors --txt coverage.txt --html-details coverage.html --html-title pfft3d \
  --print-summary --fail-under-line "${COVERAGE:-90}" . || status=1
test "$status" = 0
