#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Builds other than configure's own choice: by clang, and without what may be left out.  Each passes the
# short tests (make check-quick), and those of the built files and the program's words.  CLANG (clang-14)
# in the environment: another one.  Answers in TAP.
. "${srcdir:?run by make check-long}/tests/lib/campaign.sh"
: "${CLANG:=clang-14}"
unset MAKEFLAGS MFLAGS MAKELEVEL MAKEOVERRIDES TESTS TEST_LOGS MPI_CFLAGS MPI_LIBS HDF5_CFLAGS HDF5_LIBS OMPI_CC
RANKS='1 3'
export RANKS

# tested FOLDER OPTION...: configured with the options, built, and what its tests say
tested() {
  folder=$builddir/builds/$1
  shift
  mkdir -p "$folder" && cd "$folder" || return
  { test -f Makefile || "$srcdir/configure" --quiet "$@"; } &&
    make -s -j "$(nproc 2>/dev/null || echo 2)" all || return
  # shellcheck disable=SC2016  # for make
  make -s check-TESTS TESTS='$(QUICK_TESTS) tests/unit/built.sh tests/program/commands.sh'
  find . -name '*.trs' -exec cat {} + | awk '
    /^:test-result: *(PASS|XFAIL)/ { passed++ }
    /^:test-result: *(FAIL|XPASS|ERROR)/ { failed++; print }
    END { if (!passed) failed++; print "tried " passed + failed " wrong " failed + 0 }'
}
if command -v "$CLANG" >/dev/null && command -v mpicc.openmpi >/dev/null; then
  part clang tested clang "CC=$CLANG" MPI_CFLAGS="$(mpicc.openmpi --showme:compile)" \
    MPI_LIBS="$(mpicc.openmpi --showme:link)" --without-fortran
else
  number=$((number + 1))
  echo "ok $number - clang # SKIP no $CLANG or mpicc.openmpi (Debian: clang-14, libopenmpi-dev)"
fi
# Other options matter here, not speed.
for left_out in --without-hdf5 --without-fftw --without-jansson --disable-program --without-fortran \
  '--without-opencl --without-cuda --without-opengl --without-hypre' \
  '--without-hdf5 --without-fftw --disable-program --without-fortran --without-opencl'; do
  # shellcheck disable=SC2086  # words
  part "$left_out" tested "$(echo "$left_out" | tr -d ' ')" $left_out CFLAGS='-O1 -g0'
done
campaign_end
