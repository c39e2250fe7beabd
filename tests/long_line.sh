#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Lines of every length up to 512 in all ways, 2,000 random ones on each number of ranks, to 8, and long
# ones.  Answers in TAP.  SEED (2) in the environment: other random cases than those of the last time.
set -u
: "${srcdir:?run by make check-long}" "${builddir:?}"

RANKS=${RANKS:-1 2 3 4 6 8} PFFT3D_TEST_ALL=1
export RANKS PFFT3D_TEST_ALL
# run TEST ARGUMENTS
run() {
  name=$1
  shift
  sh "$srcdir/tests/mpirun.sh" "$builddir/tests/$name" "$@"
}

{
  run test_line 512
  run test_line_random "${SEED:-2}" 0 2000
  run test_line_large 50000000
} | awk '
  /^1\.\./ { next }
  /^(not )?ok / { count++; sub(/ok [0-9]+/, "ok " count) }
  { print }
  END { print "1.." count }'
