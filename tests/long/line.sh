#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Lines of every length up to 512 in all ways, 2,000 random ones on each number of ranks, to 8, and long
# ones.  Goes on where it was stopped.  Answers in TAP.  SEED (2) in the environment: other random cases
# than those of the last time.
program=no
. "${srcdir:?run by make check-long}/tests/lib/campaign.sh"
PFFT3D_TEST_ALL=1
export PFFT3D_TEST_ALL

# run COUNT RANKS TEST ARGUMENTS: a part of COUNT cases
run() {
  count=$1 ranks=$2 name=$3
  shift 3
  output=$(RANKS=$ranks sh "$srcdir/tests/mpirun.sh" "$builddir/tests/$name" "$@")
  echo "$output"
  if echo "$output" | grep -q '^ok'; then echo "tried $count wrong 0"; else echo "tried $count wrong 1"; fi
}
for ranks in ${RANKS:-1 2 3 4 6 8}; do
  part "lengths to 512 on $ranks ranks" run 512 "$ranks" line/test_line 512
  part "random lines seed ${SEED:-2} on $ranks ranks" run 2000 "$ranks" line/test_line_random "${SEED:-2}" 0 2000
  part "a line of 50000000 on $ranks ranks" run 1 "$ranks" line/test_line_large 50000000
done
campaign_end
