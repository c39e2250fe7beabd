#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Layouts by arithmetic: all fields of up to 32 x 32 x 32 on 1 to 64 ranks in slabs and on all grids
# of pencils, 2^21 of them, and CASES (10000000) random ones of up to 2^20 x 2^20 x 2^20 points on up to
# 2^16 ranks.  SEED (2): other random ones than those of the last time.  Answers in TAP.
program=no
. "${srcdir:?run by make check-long}/tests/lib/campaign.sh"
seed=${SEED:-2} cases=${CASES:-10000000}

# run SEED FIRST COUNT
run() {
  # shellcheck disable=SC2086  # a command with options
  part "test_geometry $1 $2 $3" limited "${PART_TIMEOUT:-1200}" \
    $MPIRUN -n 1 "$builddir/tests/unit/test_geometry" "$1" "$2" "$3"
}

for k in 0 1 2 3 4 5 6 7; do run 0 $((k * 262144)) 262144; done
first=0
while test $first -lt "$cases"; do
  count=$((cases - first))
  if test $count -gt 1000000; then count=1000000; fi
  run "$seed" $first $count
  first=$((first + count))
done
campaign_end
