#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# A PETSc program (petsc.c) with MATFFTW: right with the drop-in, also with vectors on which PETSc
# 3.18 with FFTW alone ends with an error of memory on several ranks.  Answers in TAP.
. "${srcdir:?run by make check-long}/tests/lib/program.sh"
also=libpfft3d_fftw3_mpi.so
. "$srcdir/tests/lib/campaign.sh"
: "${builddir:?}"
library=$builddir/.libs/libpfft3d_fftw3_mpi.so
if ! test -x "$builddir/tests/fftw/test_dropin"; then echo '1..0 # SKIP no FFTW-MPI in this build'; exit 0; fi
if ! test -f "$library"; then echo "1..0 # SKIP no shared library in $builddir/.libs"; exit 0; fi
for folder in /usr/lib/petscdir/petsc*/*-complex/lib/pkgconfig; do
  PKG_CONFIG_PATH=$folder${PKG_CONFIG_PATH:+:$PKG_CONFIG_PATH}
done
export PKG_CONFIG_PATH
# shellcheck disable=SC2046  # pkg-config prints several words
if ! { flags=$(pkg-config --cflags --libs PETSc) && ${MPICC:-mpicc} -o petsc "$srcdir/tests/long/petsc.c" $flags -lm; } >build.txt 2>&1; then
  echo '1..0 # SKIP no PETSc of complex numbers (Debian: apt-get install --no-install-recommends libpetsc-complex-dev)'
  exit 0
fi
LD_LIBRARY_PATH=$builddir/.libs${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
export LD_LIBRARY_PATH

# right COMMAND...
right() {
  limited 300 $MPIRUN "$@" >out.txt 2>err.txt && grep -q right out.txt && return
  cat out.txt err.txt
  return 1
}
# dropin RANKS ARGUMENTS...: which made plans
dropin() {
  ranks=$1
  shift
  right -n "$ranks" env LD_PRELOAD="$library" PFFT3D_FFTW=all,verbose ./petsc "$@" &&
    grep -q '^pfft3d: fftw_mpi_plan_dft_3d .*: pfft3d, ' err.txt
}
for ranks in 2 3 4; do # on one rank PETSc calls serial FFTW
  part "FFTW on $ranks ranks" right -n $ranks ./petsc
  part "the drop-in on $ranks ranks" dropin $ranks
  part "the drop-in on $ranks ranks with other vectors" dropin $ranks others
done
campaign_end
