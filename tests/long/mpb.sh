#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# A program of others, which calculates photonic bands with FFTW-MPI: Debian's mpb-mpi finds the same
# frequencies with the drop-in.  Answers in TAP.
. "${srcdir:?run by make check-long}/tests/lib/program.sh"
also=libpfft3d_fftw3_mpi.so
. "$srcdir/tests/lib/campaign.sh"
: "${builddir:?}"
library=$builddir/.libs/libpfft3d_fftw3_mpi.so
example=/usr/share/doc/mpb/examples/diamond.ctl
if ! test -x "$builddir/tests/fftw/test_dropin"; then echo '1..0 # SKIP no FFTW-MPI in this build'; exit 0; fi
if ! test -f "$library"; then echo "1..0 # SKIP no shared library in $builddir/.libs"; exit 0; fi
if ! command -v mpb-mpi >/dev/null || ! test -f $example; then
  echo '1..0 # SKIP no mpb-mpi (Debian: apt-get install --no-install-recommends mpb-mpi mpb-doc)'
  exit 0
fi
LD_LIBRARY_PATH=$builddir/.libs${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
export LD_LIBRARY_PATH

# bands FILE COMMAND...: the frequencies that mpb-mpi finds on 2 ranks
bands() {
  file=$1
  shift
  # shellcheck disable=SC2086  # MPIRUN is a command with options
  limited 3600 $MPIRUN -n 2 "$@" mpb-mpi deterministic?=true resolution=32 mesh-size=3 k-interp=1 \
    $example >out.txt 2>err.txt && grep ^freqs: out.txt >"$file"
}
# alike FILE FILE: to 1e-6, of 100 at least
alike() {
  paste -d, "$1" "$2" | awk -F, '
    { half = NF / 2
      for (k = 3; k <= half; k++) {
        d = $k - $(k + half)
        if (d > 1e-6 || d < -1e-6) { print $k, $(k + half); wrong++ }
        count++ } }
    END { print "tried " count + 0 " wrong " wrong + 0; exit wrong || count < 100 }'
}
same() {
  bands fftw.txt env && bands ours.txt env LD_PRELOAD="$library" PFFT3D_FFTW=all,verbose &&
    grep -q '^pfft3d: fftw_mpi_plan_many_dft .*: pfft3d, ' err.txt && alike fftw.txt ours.txt && return
  cat err.txt
  return 1
}
part 'the same frequencies with FFTW and with plans of the drop-in on 2 ranks' same
campaign_end
