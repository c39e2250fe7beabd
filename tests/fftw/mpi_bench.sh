#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# FFTW's own test of its transforms with MPI, on random problems, with the drop-in in their place.
# It is built from Debian's source package, and skipped where that cannot be had.  Options: ROUNDS,
# SEEDS and numbers of ranks, 3, 1 and "1 2 3 4": a round has four or five problems.  Answers in TAP.
. "${srcdir:?run by make check}/tests/lib/program.sh"
. "$srcdir/tests/fftw/mpi_bench_build.sh"
: "${builddir:?}"
rounds=${1-3} seeds=${2-1} several=${3-1 2 3 4}
library=$builddir/.libs/libpfft3d_fftw3_mpi.so
if ! test -x "$builddir/tests/fftw/test_dropin"; then echo '1..0 # SKIP no FFTW-MPI in this build'; exit 0; fi
if ! test -f "$library"; then echo "1..0 # SKIP no shared library in $builddir/.libs"; exit 0; fi
if test -n "${ASAN_OPTIONS-}"; then echo '1..0 # SKIP sanitizers must be loaded first'; exit 0; fi
bench=$builddir/tests/fftw/mpi-bench
if ! reason=$(mpi_bench_build "$bench"); then echo "1..0 # SKIP $reason"; exit 0; fi
LD_LIBRARY_PATH=$builddir/.libs${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
export LD_LIBRARY_PATH

# problems RANKS SEED: all that were asked are right
problems() {
  mpi_bench_run "$bench" "$2" "$rounds" \
    "timeout --foreground --kill-after=10 $(scaled 300) $MPIRUN -n $1 env LD_PRELOAD=$library PFFT3D_FFTW=all,verbose" || { tail -n 5 bench.txt plans.txt; return 1; }
  test "$asked" -gt 0 && test "$asked" = "$verified"
}
tried=0 wrong=0
for ranks in $several; do
  for seed in $seeds; do
    check "$rounds rounds on $ranks ranks, seed $seed" problems "$ranks" "$seed"
    echo "# $verified of $asked problems, $ours of $planned plans of two and three dimensions"
    tried=$((tried + asked)) wrong=$((wrong + asked - verified))
    check 'nine of ten plans are of pfft3d' test $((ours * 10)) -ge $((planned * 9))
  done
done
# What it does not draw: howmany with real kinds, transposed on both sides, in place.
by_hand() {
  limited 300 $MPIRUN -n "$1" env LD_PRELOAD="$library" PFFT3D_FFTW=all "$bench/mpi-bench" \
    --verify 'ok1v6:8:1x8:1:6' --verify 'ik1v12:8:1x8:1:12' --verify 'ok1v6:16:2x8:2:12x2:1:1' \
    --verify 'ok[]6hx8hv2' --verify 'obc[]12x16x10' --verify 'ibr[12x16x10v3' \
    --verify 'ofr]12x16x10'
}
for ranks in $several; do
  if test "$ranks" != 4; then check "transpositions and both sides transposed on $ranks ranks" by_hand "$ranks"; fi
done
echo "# tried $tried wrong $wrong"
echo "1..$number"
exit $bad
