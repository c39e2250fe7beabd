#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Random cases of fields, arrays of any dimensions, lines, boxes of the caller, redistributions, transpositions and,
# where this build has FFTW-MPI, programs with the drop-in: CASES (200000) of them, on 1 to 16 ranks and a few on 64,
# most on few ranks, where a case takes milliseconds; every other part as if processors had small caches or
# unlike ones, as small cases meet no border of large ones, and fewer kinds of vectors.  SEED (2): other
# cases than those of the last time.  Or, with HOURS, as many as this time allows, on the MPI of this build and on others from
# Python's package index, in turns (MPIS: own openmpi5 mpich5 impi): it goes on behind the last part that any build has passed, and
# random.md in the build directory has the sums.  MOST_RANKS (64): not on more.  Answers in TAP; a failing case prints the line that repeats it.
program=no also=libpfft3d_fftw3_mpi.so any_build=${HOURS:+yes}
. "${srcdir:?run by make check-long}/tests/lib/campaign.sh"
. "$srcdir/tests/lib/launch.sh"
. "$srcdir/tests/lib/mpis.sh"
seed=${SEED:-2} left=${CASES:-200000} first=0 end=
if test -n "${HOURS-}"; then
  left=1000000000 end=$(awk -v began="$(date +%s)" -v hours="$HOURS" 'BEGIN { printf "%d", began + 3600 * hours }')
fi
own_build=$builddir own_run=$MPIRUN
unlike=$builddir/tests/faults/.libs/unlike.so dropin=$builddir/.libs/$also
others='tests/transform/test_random tests/transform/test_nd tests/transform/test_boxes tests/transform/test_redist
  tests/transform/test_transpose tests/line/test_line_random'

# with_mpi NAME: the build that is tested from now on
with_mpi() {
  builddir=$own_build MPIRUN=$own_run
  forget_mpi
  if test "$1" != own; then settle "$1" && builddir=$there MPIRUN=$home/bin/mpiexec; fi
  launch_settings
  identify
}

# Which MPIs there are.
mpis=
for name in ${MPIS:-own ${HOURS:+openmpi5 mpich5 impi}}; do
  if test "$name" = own; then mpis="$mpis own" && continue; fi
  settle "$name"
  # shellcheck disable=SC2086  # words
  if fetched >"$root/$name.log" 2>&1 && (built tests/lib/patience.la $others) >"$there.log" 2>&1; then
    mpis="$mpis $name"
  else
    echo "# without $name: $(tail -n 1 "$there.log" "$root/$name.log" 2>/dev/null | tail -n 1)"
  fi
done

# One turn: what, number of ranks, number of cases.
turn='
fields 1 3000  fields 2 2000   lines 1 1500  fields 3 1500
fields 4 1500  lines 2 1000    fields 5 300  fields 1 3000
lines 3 600    fields 2 2000   fields 6 250  lines 4 600
fields 3 1500  fields 7 200    fields 4 1500 lines 8 100
fields 8 150   fields 12 60    lines 6 150   fields 16 40   fields 64 5
lines 5 100    lines 12 40     lines 16 20   lines 64 3
nd 1 2000      nd 2 400        nd 3 200      nd 4 150       nd 6 40
boxes 1 300    redist 1 300    transpose 1 300  dropin 1 500
boxes 2 150    redist 2 100    transpose 2 100  dropin 2 300
boxes 3 100    redist 3 60     transpose 3 100  dropin 3 200
boxes 4 60     redist 4 40     transpose 4 60   dropin 4 150
boxes 6 30     redist 6 20     transpose 6 30   dropin 6 100'
if ! test -x "$builddir/tests/fftw/test_dropin" || ! test -f "$dropin"; then
  turn=$(echo "$turn" | sed 's/dropin [0-9]* [0-9]*//g') # no FFTW-MPI, or no shared library, in this build
fi

over() { test "$left" -le 0 || { test -n "$end" && test "$(date +%s)" -ge "$end"; }; }
while ! over; do
  # shellcheck disable=SC2086  # words
  set -- $turn
  while test $# -gt 0 && ! over; do
    count=$((end ? $3 / 4 + 1 : $3)) # parts that the end of the time cuts short are lost
    if test "$2" -gt "${MOST_RANKS:-64}"; then shift 3 && continue; fi
    if test "$count" -gt "$left"; then count=$left; fi
    before=
    case $1 in
      fields) test=transform/test_random ;;
      lines) test=line/test_line_random ;;
      dropin) test=fftw/test_dropin before=$dropin ;;
      *) test=transform/test_$1 ;;
    esac
    # The MPIs take turns.
    name=${mpis# } name=${name%% *}
    case $1 in dropin) ;; *) mpis="${mpis# "$name"} $name" ;; esac
    with_mpi "$(if test "$1" = dropin; then echo own; else echo "$name"; fi)"
    case $((number / 4 % 4)) in 0 | 2) machine= ;; 1) machine=unlike ;; 3) machine=2 ;; esac
    if test -n "$machine"; then before=$unlike${before:+:$before}; fi
    if test -n "$before" && test -f "$builddir/tests/lib/.libs/patience.so"; then before=$before:$builddir/tests/lib/.libs/patience.so; fi
    # shellcheck disable=SC2086  # a command with options
    part "${test##*/} on $2 ranks $seed $first $count${machine:+ with processors $machine}" \
      limited "${PART_TIMEOUT:-1200}" $MPIRUN -n "$2" \
      ${before:+env PFFT3D_TEST_MACHINE=$machine PFFT3D_FFTW=all PFFT3D_FFTW_EXPECTED=50 LD_PRELOAD="$before"} \
      "$builddir/tests/$test" "$seed" "$first" "$count"
    left=$((left - count)) first=$((first + count))
    shift 3
  done
done
builddir=$own_build
if test -n "$end"; then
  sh "$srcdir/tests/lib/summary.sh" "$RESULTS" "$campaign" >"$builddir/random.md"
  sed 's/^/# /' "$builddir/random.md"
fi
campaign_end
