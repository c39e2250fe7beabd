#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# A hundred thousand plans made and destroyed on 2 ranks, fewer on others, all of them three times: nothing
# may stay behind.  tests/transform/test_cycles.c says of what.  Answers in TAP.
program=no
. "${srcdir:?run by make check-long}/tests/lib/campaign.sh"

# cycles RANKS CYCLES: the last line is "tried N wrong M"
cycles() {
  out=$(RANKS=$1 sh "$srcdir/tests/mpirun.sh" "$builddir/tests/transform/test_cycles" "$2")
  echo "$out"
  echo "tried $((3 * $2)) wrong $(echo "$out" | grep -c '^not ok')"
}
part '34000 plans three times on 2 ranks' cycles 2 34000
part '5000 plans three times on 3 ranks' cycles 3 5000
part '2000 plans three times on 4 ranks' cycles 4 2000
part '5000 plans three times on 1 rank' cycles 1 5000
campaign_end
