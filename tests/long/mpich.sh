#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# A second MPI: builds with MPICH into mpich/ of the build directory, runs all tests there, each a part,
# and then random cases of grids and lines, 1,000 a part: CASES (50000) in all, most of them on 2 ranks.
# SEED (3): others; SUITE: these tests only.  Skipped without MPICH, or in a build that is one with MPICH.
# Answers in TAP.
set -u
: "${srcdir:?run by make check-long}" "${builddir:?}"
CASES=${CASES:-50000} SEED=${SEED:-3}
if ! command -v mpicc.mpich >/dev/null || ! command -v mpirun.mpich >/dev/null; then
  echo '1..0 # SKIP no MPICH (Debian: mpich, libmpich-dev, libhdf5-mpich-dev)'
  exit 0
fi
if grep -q '^mpi_vendor = mpich' "$builddir/Makefile"; then
  echo '1..0 # SKIP this build is one with MPICH'
  exit 0
fi

RESULTS=${RESULTS:-$builddir/reliability.csv}
there=$builddir/mpich
mkdir -p "$there" || exit 99
# make inside make: without the variables of the outer one.
unset MAKEFLAGS MFLAGS MAKEOVERRIDES TESTS MPI_CFLAGS MPI_LIBS HDF5_CFLAGS HDF5_LIBS
if ! {
  { test -f "$there/Makefile" || (cd "$there" && "$srcdir/configure" CC=mpicc.mpich MPIRUN=mpirun.mpich); } &&
    make -C "$there" -j 2 all && make -C "$there" -j 2 check TESTS=
} >"$there/build.log" 2>&1; then
  tail -n 40 "$there/build.log" | sed 's/^/# /'
  echo 'not ok 1 - the build with MPICH'
  echo 1..1
  exit 1
fi
tests=${SUITE-$(printf 'include Makefile\nlist:\n\t@echo $(TESTS)\n' | make -s -C "$there" -f - list)}

# A test that hangs is not to take all the time there is.
builddir=$there PFFT3D=$there/pfft3d MPIRUN=mpirun.mpich TEST_TIMEOUT=900
export builddir PFFT3D MPIRUN TEST_TIMEOUT
. "$srcdir/tests/lib/campaign.sh"

# suite TEST: one of the tests of make check; what it skips is not counted
suite() {
  test=$there/$1
  if test -f "$srcdir/$1"; then test=$srcdir/$1; fi
  sh "$srcdir/tests/mpirun.sh" "$test" 2>&1 | awk '
    { print }
    /^not ok/ { wrong++; tried++ }
    /^ok/ && !/# SKIP/ { tried++ }
    /^1\.\./ { planned++ }
    END { if (!planned) { tried++; wrong++ } print "tried " tried + 0 " wrong " wrong + 0 }'
}

# cases PROGRAM RANKS FIRST COUNT: a case that fails prints the line that repeats it
cases() {
  RANKS=$2 sh "$srcdir/tests/mpirun.sh" "$there/tests/$1" "$SEED" "$3" "$4" 2>&1 | awk -v count="$4" '
    { print }
    /^# mpirun -n/ { wrong++ }
    /^not ok/ { failed = 1 }
    /^ok/ { passed = 1 }
    END { if (!wrong && (failed || !passed)) wrong = 1; print "tried " count " wrong " wrong + 0 }'
}

for test in $tests; do part "suite $test" suite "$test"; done

block=0
while test $((block * 1000)) -lt "$CASES"; do
  first=$((block * 1000)) count=1000
  if test $((CASES - first)) -lt 1000; then count=$((CASES - first)); fi
  # of ten parts five are grids; on 2 ranks six, on 1 rank three, on 3 ranks one
  case $((block % 10)) in 0 | 1 | 2) ranks=1 ;; 9) ranks=3 ;; *) ranks=2 ;; esac
  program=transform/test_random
  if test $((block / 10 % 2)) != $((block % 2)); then program=line/test_line_random; fi
  part "tests/$program $SEED $first $count on $ranks ranks" cases $program $ranks $first $count
  block=$((block + 1))
done
campaign_end
