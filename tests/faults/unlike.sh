#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Ranks on processors with unlike caches, and without the vectors of others, come to the same messages
# and the same numbers; and with caches so small that small fields are written around them, as only
# large ones are otherwise.  Answers in TAP.
. "${srcdir:?run by make check}/tests/lib/program.sh"
unlike=${builddir:?}/tests/faults/.libs/unlike.so
if ! test -f "$unlike"; then echo '1..0 # SKIP no shared object to put in front of the system'; exit 0; fi
if test -n "${HYDRA-}"; then unlike="$unlike:$builddir/tests/lib/.libs/patience.so"; fi

# differ RANKS COMMAND...
differ() {
  ranks=$1
  shift
  # shellcheck disable=SC2086  # a command with options
  limited $limit $MPIRUN -n "$ranks" env LD_PRELOAD="$unlike${LD_PRELOAD:+:$LD_PRELOAD}" "$@" >out.txt 2>err.txt </dev/null
}
caches() {
  differ 3 sh -c 'getconf LEVEL2_CACHE_SIZE' && test "$(sort -u out.txt | wc -l)" = 3
}
check 'the caches are unlike' caches
export PFFT3D_TEST_MACHINE=unlike # for random cases: tests/lib/cases.h
check 'batches' differ 3 "$builddir/tests/transform/test_batch"
for ranks in 2 3; do
  check "random fields on $ranks ranks" differ $ranks "$builddir/tests/transform/test_random" 5 0 20
  check "random lines on $ranks ranks" differ $ranks "$builddir/tests/line/test_line_random" 5 0 20
done
for machine in 1 2; do # the processors that have less
  PFFT3D_TEST_MACHINE=$machine
  check "random fields without $machine kinds of vectors" differ 2 "$builddir/tests/transform/test_random" 5 20 15
  check "random lines without $machine kinds of vectors" differ 2 "$builddir/tests/line/test_line_random" 5 20 15
done
check 'all combinations' differ 3 "$PFFT3D" verify --grid 16x15x14 --batch 3 --type c2c --engine simd --deterministic
unset PFFT3D_TEST_MACHINE

export PFFT3D_TEST_CACHE=64 # fields of 128 bytes and more
for ranks in 1 2 3 4 6; do
  check "random fields around the caches on $ranks ranks" \
    differ $ranks "$builddir/tests/transform/test_random" 6 0 40
done
for test in keep family batch; do
  for ranks in 2 3; do
    check "test_$test around the caches on $ranks ranks" differ $ranks "$builddir/tests/transform/test_$test"
  done
done
PFFT3D_TEST_CACHE=4096 # strips have other widths
for ranks in 1 3; do
  check "random fields around caches of 4 KiB on $ranks ranks" \
    differ $ranks "$builddir/tests/transform/test_random" 7 0 40
  check "random lines around caches of 4 KiB on $ranks ranks" \
    differ $ranks "$builddir/tests/line/test_line_random" 7 0 40
done
echo "1..$number"
exit $bad
