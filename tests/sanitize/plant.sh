#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Do the tools find what is wrong, and nothing else?  Runs tests/sanitize/plant.c, two ranks for each
# thing that it does wrong:  sh tests/sanitize/plant.sh FOLDER [VALGRIND ...]
# FOLDER is a build with sanitizers, or any build where the command of valgrind follows, which writes
# its reports to the folder $reports.  The last line is "tried N wrong M".
set -u
builddir=$(cd "${1:?usage: plant.sh FOLDER [VALGRIND ...]}" && pwd) || exit 99
shift
srcdir=$(cd "$(dirname "$0")/../.." && pwd)
MPIRUN=${MPIRUN:-mpirun.openmpi}
MPIRUN="$MPIRUN $(sh "$srcdir/jobs/launcher.sh" options "$MPIRUN" many quiet)"
reports=${reports:-$(mktemp -d)} || exit 99
trap 'rm -rf "$reports"' EXIT
trap 'exit 130' HUP INT TERM
. "$srcdir/tests/sanitize/env.sh"
. "$srcdir/tests/lib/limited.sh"
tried=0 wrong=0

# planted DEED WORDS: the reports on DEED have these words; '' when there must be none
planted() {
  rm -f "${reports:?}"/*
  # shellcheck disable=SC2086  # a command with options
  limited 300 $MPIRUN -n 2 $command "$builddir/tests/sanitize/plant" "$1" \
    >"$reports.out" 2>&1 </dev/null
  status=$?
  tried=$((tried + 1))
  if test -z "$2"; then
    if reports_shown && test "$status" = 0; then return; fi
    echo "$1: something is reported, or status $status"
  else
    if cat "$reports.out" "$reports"/* 2>/dev/null | grep -q "$2"; then return; fi
    echo "$1: no report says '$2'"
  fi
  wrong=$((wrong + 1))
  cat "$reports.out"
}

command=$*
planted nothing ''
if test -z "$command"; then
  planted leak 'LeakSanitizer: detected memory leaks'
  planted leak_plan 'pfft3d_plan_create'
  planted read_behind 'heap-buffer-overflow'
  planted read_freed 'heap-use-after-free'
  planted overflow 'signed integer overflow'
  planted cast 'outside the range of representable values'
else
  planted leak 'definitely lost'
  planted leak_plan 'pfft3d_plan_create'
  planted read_behind 'Invalid read'
  planted read_freed "free'd"
  planted branch_unset 'uninitialised value'
fi
rm -f "$reports.out"
echo "tried $tried wrong $wrong"
test "$wrong" = 0
