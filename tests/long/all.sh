#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The tests that take turns in make check, with nothing left out: each exchange with each cut, engine
# and order.  RANKS (those that the tests name): others.  Goes on where it was stopped.  Answers in TAP.
program=no
. "${srcdir:?run by make check-long}/tests/lib/campaign.sh"
PFFT3D_TEST_ALL=1
export PFFT3D_TEST_ALL

# whole TEST RANKS: one run of a test
whole() {
  output=$(RANKS=$2 sh "$srcdir/tests/mpirun.sh" "$builddir/tests/$1")
  echo "$output"
  echo "tried 1 wrong $(echo "$output" | grep -c '^not ok')"
}
for test in $(grep -lE 'take_all\(|one_of\(|FOR_SHARE\(' "$srcdir"/tests/*/test_*.c); do
  name=${test%.c} name=${name#"$srcdir"/tests/}
  ranks=${RANKS:-$(sed -n '1s/.*ranks: *\([0-9 ]*\).*/\1/p' "$test")}
  for count in ${ranks:-1 2 3 4 6}; do part "$name on $count ranks" whole "$name" "$count"; done
done
campaign_end
