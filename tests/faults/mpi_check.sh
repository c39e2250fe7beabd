#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# How MPI is used, by the checker of tests/faults/mpi_check.c: that it finds mistakes, and that test
# programs and commands make none, nor rely on MPI to keep a message.  Answers in TAP.
. "${srcdir:?run by make check}/tests/lib/program.sh"
CHECKER=${builddir:?}/tests/faults/.libs/mpi_check.so
if ! test -f "$CHECKER"; then echo '1..0 # SKIP no shared object to put in front of MPI'; exit 0; fi
if grep -q '^#define HAVE_MPI_ALLTOALLV_C 1' "$builddir/config.h"; then
  echo '1..0 # SKIP the checker does not see the calls with counts of 64 bits, which this build makes'
  exit 0
fi
# Ranks of MPICH load something already, without which they take far longer.
if test -n "${HYDRA-}"; then CHECKER="$CHECKER:$builddir/tests/lib/.libs/patience.so"; fi

# checked RANKS SYNC COMMAND...: with the checker in front of MPI
checked() {
  ranks=$1 sync=$2
  shift 2
  # shellcheck disable=SC2086  # a command with options
  limited $limit $MPIRUN -n "$ranks" env LD_PRELOAD="$CHECKER${LD_PRELOAD:+:$LD_PRELOAD}" PFFT3D_CHECK_SYNC="$sync" "$@" \
    >out.txt 2>err.txt </dev/null
}

# ended STATUS CODE HYDRA'S: with this code, or with another one where MPICH's launcher says it
ended() {
  test "$1" = "$2" || { test -n "${HYDRA-}" && test "$1" = "$3"; }
}

# finds CODE WORDS MISTAKE [SYNC]: the first rank to find it ends the other one
finds() {
  checked 2 "${4:-0}" "$builddir/tests/faults/wrong" "$3"
  ended $? "$1" 9 && cat out.txt err.txt | grep -q -e "$2"
}
check 'nothing is found where nothing is wrong' checked 3 1 "$builddir/tests/faults/wrong" none
for mistake in order root size op pairs together; do
  check "a mistake is found: $mistake" finds 90 'mpi_check: ' $mistake
done
check 'a communicator is left' finds 91 'mpi_check: 1 communicators' comm
check 'a datatype is left' finds 91 'mpi_check: 1 datatypes' type
check 'a request is left' finds 91 'mpi_check: 1 requests' request
check 'a window is left' finds 91 'mpi_check: 1 windows' window
check 'a group is left' finds 91 'mpi_check: 1 groups' group
check 'a file is left' finds 91 'mpi_check: 1 files' file
waits() {
  checked 2 1 "$builddir/tests/faults/wrong" buffers
  ended $? 142 14
}
check 'sends that wait are seen to wait for ever' waits

check 'random fields' checked 3 1 "$builddir/tests/transform/test_random" 1 0 20
# Open MPI 5.0.7 never ends a thousand synchronous sends of 1 kB that are under way at a time, in a program of
# 20 lines without this library either: there, these tests send as they do without the checker.
many=1
# shellcheck disable=SC2086  # a command with options
case $($MPIRUN --version 2>/dev/null) in *'Open MPI) '[5-9]*) many=0 ;; esac
check 'random lines' checked 3 $many "$builddir/tests/line/test_line_random" 1 0 20
check 'plans that are destroyed half way' checked 2 $many "$builddir/tests/transform/test_join"
check 'bench' checked 3 1 "$PFFT3D" bench --grid 8x6x10 --algo all --reps 1 --wisdom none
check 'tune' checked 2 1 "$PFFT3D" tune --grid 8 --plan-budget 0.1 --wisdom none
if built_with HDF5; then
  check 'files' checked 3 1 "$builddir/tests/files/test_files"
  check 'files that are refused' checked 2 1 "$builddir/tests/files/test_files_errors"
  check 'transform' checked 3 1 "$PFFT3D" transform --input "$srcdir/data/colin27.h5" --output out.h5
fi
check 'line' checked 3 1 "$PFFT3D" line --size 360 --reps 1
check 'verify' checked 3 1 "$PFFT3D" verify --grid 6x5x8
check 'nas' checked 2 1 "$PFFT3D" nas --class S --reps 1
dropin=$builddir/.libs/libpfft3d_fftw3_mpi.so
if test -x "$builddir/tests/fftw/test_dropin" && test -f "$dropin"; then
  check 'plans of the drop-in that are destroyed' checked 2 1 env LD_LIBRARY_PATH="$builddir/.libs:${LD_LIBRARY_PATH-}" \
    LD_PRELOAD="$CHECKER:$dropin" PFFT3D_FFTW=all "$builddir/tests/fftw/test_dropin" cycles 40
fi
echo "1..$number"
exit $bad
