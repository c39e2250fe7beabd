#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Runs ranks of a program of ours under valgrind's memcheck:
#   sh tests/sanitize/valgrind.sh RANKS CASES PROGRAM [ARGUMENTS]
# The last line is "tried CASES wrong M": M ranks with a report, or 1 for another failure, a status
# that is not $STATUS (0).
set -u
ranks=${1:?usage: valgrind.sh RANKS CASES PROGRAM [ARGUMENTS]}
cases=$2
shift 2
: "${srcdir:=$(cd "$(dirname "$0")/../.." && pwd)}"
MPIRUN=${MPIRUN:-mpirun.openmpi}
. "$srcdir/tests/lib/limited.sh"
reports=$(mktemp -d) || exit 99
export reports
trap 'rm -rf "$reports"' EXIT
trap 'exit 130' HUP INT TERM
memcheck="valgrind --quiet --error-exitcode=99 --leak-check=full --show-leak-kinds=definite
  --errors-for-leak-kinds=definite --num-callers=30 --keep-debuginfo=yes --log-file=$reports/%p
  --suppressions=$srcdir/tests/sanitize/valgrind.supp"
theirs=/usr/share/openmpi/openmpi-valgrind.supp
if test -f "$theirs"; then memcheck="$memcheck --suppressions=$theirs"; fi
if test "${1##*/}" = plant.sh; then
  # shellcheck disable=SC2086  # a command with options
  exec sh "$1" "$2" $memcheck
fi
MPIRUN="$MPIRUN $(sh "$srcdir/jobs/launcher.sh" options "$MPIRUN" many quiet)"
# shellcheck disable=SC2086
limited "${TEST_TIMEOUT:-7200}" $MPIRUN -n "$ranks" $memcheck "$@" </dev/null
status=$?
wrong=$(find "$reports" -type f -size +0 | wc -l)
if test "$wrong" = 0 && test "$status" != "${STATUS:-0}"; then wrong=1; fi
find "$reports" -type f -size +0 -exec head -n 80 {} \;
echo "tried $cases wrong $wrong"
test "$wrong" = 0
