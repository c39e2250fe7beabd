#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Random cases of fields and lines, CASES (200000) of them, on 1 to 16 ranks and a few on 64: most on few ranks, where
# a case takes milliseconds; every other part as if processors had small caches or unlike ones, as small
# cases meet no border of large ones, and fewer kinds of vectors.  SEED (2): other cases than those of the
# last time.  Answers in TAP; a failing case prints the line that repeats it.
program=no
. "${srcdir:?run by make check-long}/tests/lib/campaign.sh"
seed=${SEED:-2} left=${CASES:-200000} first=0
unlike=$builddir/tests/faults/.libs/unlike.so

# One turn: fields or lines, number of ranks, number of cases.
turn='
fields 1 3000  fields 2 2000   lines 1 1500  fields 3 1500
fields 4 1500  lines 2 1000    fields 5 300  fields 1 3000
lines 3 600    fields 2 2000   fields 6 250  lines 4 600
fields 3 1500  fields 7 200    fields 4 1500 lines 8 100
fields 8 150   fields 12 60    lines 6 150   fields 16 40   fields 64 5
lines 5 100    lines 12 40     lines 16 20   lines 64 3'

while test "$left" -gt 0; do
  # shellcheck disable=SC2086  # words
  set -- $turn
  while test $# -gt 0 && test "$left" -gt 0; do
    count=$3
    if test "$count" -gt "$left"; then count=$left; fi
    case $1 in fields) test=transform/test_random ;; lines) test=line/test_line_random ;; esac
    case $((number % 4)) in 0 | 2) machine= ;; 1) machine=unlike ;; 3) machine=2 ;; esac
    # shellcheck disable=SC2086  # a command with options
    part "${test##*/} on $2 ranks $seed $first $count${machine:+ with processors $machine}" \
      limited "${PART_TIMEOUT:-1200}" $MPIRUN -n "$2" \
      ${machine:+env PFFT3D_TEST_MACHINE=$machine LD_PRELOAD="$unlike"} \
      "$builddir/tests/$test" "$seed" "$first" "$count"
    left=$((left - count)) first=$((first + count))
    shift 3
  done
done
campaign_end
