#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The drop-in of this build in a program of another MPI: FFTW's own test with MPICH, whose FFTW-MPI is
# built from Debian's source package.  It says once that it leaves everything to FFTW, and does.  Answers
# in TAP.
. "${srcdir:?run by make check-long}/tests/lib/program.sh"
also=libpfft3d_fftw3_mpi.so
. "$srcdir/tests/lib/campaign.sh"
. "$srcdir/tests/fftw/mpi_bench_build.sh"
: "${builddir:?}"
library=$builddir/.libs/libpfft3d_fftw3_mpi.so
if ! test -x "$builddir/tests/fftw/test_dropin"; then echo '1..0 # SKIP no FFTW-MPI in this build'; exit 0; fi
if ! test -f "$library"; then echo "1..0 # SKIP no shared library in $builddir/.libs"; exit 0; fi
if ! command -v mpicc.mpich >/dev/null || ! command -v mpirun.mpich >/dev/null ||
  grep -q '^mpi_vendor = mpich' "$builddir/Makefile"; then
  echo '1..0 # SKIP no other MPI than that of this build (Debian: mpich, libmpich-dev)'
  exit 0
fi
bench=$builddir/tests/fftw/mpi-bench
if ! reason=$(mpi_bench_build "$bench"); then echo "1..0 # SKIP $reason"; exit 0; fi
mkdir -p "$bench/mpich" || exit 99
compile() { (cd "$bench/mpich" && mpi_bench_compile_with mpicc.mpich); }
LD_LIBRARY_PATH=$builddir/.libs${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
export LD_LIBRARY_PATH

# verified RANKS COMMAND...: six problems, those that are right on MPICH
verified() {
  ranks=$1
  shift
  limited 120 mpirun.mpich -n "$ranks" "$@" "$bench/mpich/mpi-bench" --verbose=1 --verify ofc12x16x10 \
    --verify ifrd12x10x8 --verify 'ofr]12x16x10v2' --verify 'ifc[12x10v3' --verify ofc48 \
    --verify ok1v6:8:1x8:1:6 >out.txt 2>err.txt
  status=$?
  cat err.txt out.txt
  echo "tried 6 wrong $((6 - $(grep -cE '^[oi].*( [0-9.e+-]+){3}$' out.txt)))"
  return $status
}
says_so() { test "$(grep -c '^pfft3d: FFTW does all transforms: this program uses MPICH Version: .*built for Open MPI$' err.txt)" = 1; }
silent() { ! grep -q pfft3d: err.txt; }
left() { verified "$1" env LD_PRELOAD="$library" PFFT3D_FFTW=all,verbose && says_so; }
off() { verified "$1" env LD_PRELOAD="$library" PFFT3D_FFTW=off && silent; }

part 'FFTW-MPI and its test with MPICH' compile
for ranks in 1 2 3; do
  part "FFTW alone on $ranks ranks" verified $ranks env
  part "the drop-in on $ranks ranks: says once that FFTW does all" left $ranks
  part "the drop-in that is off on $ranks ranks: says nothing" off $ranks
done
campaign_end
