#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Random fields and lines with the checker of the use of MPI in front of it and sends that wait for
# their receivers, 100,000 cases; exchanges and files.  Goes on where it was stopped.  Answers in TAP.
program=no
. "${srcdir:?run by make check-long}/tests/lib/campaign.sh"
CHECKER=$builddir/tests/faults/.libs/mpi_check.so
if ! test -f "$CHECKER"; then echo '1..0 # SKIP no shared object to put in front of MPI'; exit 0; fi

# cases RANKS PROGRAM FIRST COUNT: one mpirun; every case is one that was tried
cases() {
  # shellcheck disable=SC2086  # a command with options
  $MPIRUN -n "$1" env LD_PRELOAD="$CHECKER" PFFT3D_CHECK_SYNC=1 "$builddir/tests/$2" 77 "$3" "$4" ||
    return 1
  echo "tried $4 wrong 0"
}
# Not test_exchange, which stands before MPI itself, so that the checker sees half of its calls.
for ranks in 2 3 4; do
  for test in transform/test_family transform/test_batch transform/test_arrays files/test_files \
    files/test_files_errors files/test_files_matrix; do
    # shellcheck disable=SC2086  # a command with options
    part "$test on $ranks" $MPIRUN -n $ranks env LD_PRELOAD="$CHECKER" PFFT3D_CHECK_SYNC=1 "$builddir/tests/$test"
  done
done
first=0
while test $first -lt 10000; do
  for ranks in 2 3 4 5 6; do
    part "test_random 77 $first on $ranks" cases $ranks transform/test_random $first 2000
    part "test_line_random 77 $first on $ranks" cases $ranks line/test_line_random $first 2000
  done
  first=$((first + 2000))
done
campaign_end
