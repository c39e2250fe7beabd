#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Random cases of fields and lines, boxes of the caller, redistributions, transpositions and, where this
# build has FFTW-MPI, programs with the drop-in: CASES (200000) of them, on 1 to 16 ranks and a few on 64,
# most on few ranks, where a case takes milliseconds; every other part as if processors had small caches or
# unlike ones, as small cases meet no border of large ones, and fewer kinds of vectors.  SEED (2): other
# cases than those of the last time.  Answers in TAP; a failing case prints the line that repeats it.
program=no also=libpfft3d_fftw3_mpi.so
. "${srcdir:?run by make check-long}/tests/lib/campaign.sh"
seed=${SEED:-2} left=${CASES:-200000} first=0
unlike=$builddir/tests/faults/.libs/unlike.so dropin=$builddir/.libs/$also

# One turn: what, number of ranks, number of cases.
turn='
fields 1 3000  fields 2 2000   lines 1 1500  fields 3 1500
fields 4 1500  lines 2 1000    fields 5 300  fields 1 3000
lines 3 600    fields 2 2000   fields 6 250  lines 4 600
fields 3 1500  fields 7 200    fields 4 1500 lines 8 100
fields 8 150   fields 12 60    lines 6 150   fields 16 40   fields 64 5
lines 5 100    lines 12 40     lines 16 20   lines 64 3
boxes 1 300    redist 1 300    transpose 1 300  dropin 1 500
boxes 2 150    redist 2 100    transpose 2 100  dropin 2 300
boxes 3 100    redist 3 60     transpose 3 100  dropin 3 200
boxes 4 60     redist 4 40     transpose 4 60   dropin 4 150
boxes 6 30     redist 6 20     transpose 6 30   dropin 6 100'
if ! test -x "$builddir/tests/fftw/test_dropin" || ! test -f "$dropin"; then
  turn=$(echo "$turn" | sed 's/dropin [0-9]* [0-9]*//g') # no FFTW-MPI, or no shared library, in this build
fi

while test "$left" -gt 0; do
  # shellcheck disable=SC2086  # words
  set -- $turn
  while test $# -gt 0 && test "$left" -gt 0; do
    count=$3
    if test "$count" -gt "$left"; then count=$left; fi
    before=
    case $1 in
      fields) test=transform/test_random ;;
      lines) test=line/test_line_random ;;
      dropin) test=fftw/test_dropin before=$dropin ;;
      *) test=transform/test_$1 ;;
    esac
    case $((number % 4)) in 0 | 2) machine= ;; 1) machine=unlike ;; 3) machine=2 ;; esac
    if test -n "$machine"; then before=$unlike${before:+:$before}; fi
    # shellcheck disable=SC2086  # a command with options
    part "${test##*/} on $2 ranks $seed $first $count${machine:+ with processors $machine}" \
      limited "${PART_TIMEOUT:-1200}" $MPIRUN -n "$2" \
      ${before:+env PFFT3D_TEST_MACHINE=$machine PFFT3D_FFTW=all PFFT3D_FFTW_EXPECTED=50 LD_PRELOAD="$before"} \
      "$builddir/tests/$test" "$seed" "$first" "$count"
    left=$((left - count)) first=$((first + count))
    shift 3
  done
done
campaign_end
