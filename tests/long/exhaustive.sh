#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Every field of 1..8 x 1..8 x 1..8 on 1 to 12 ranks with four exchanges, complex and real, in and out
# of place, forward and backward: 196,608 cases for each of CUTS, decompositions and orders ("slab
# transposed, pencil natural"), 48,000 with axes of 1, 2, 3, 13 and 31.  EXCHANGES: others than packed,slabs,pencils,shared.
# RANKS: others than 1 to 12.  Answers in TAP.
program=no
. "${srcdir:?run by make check-long}/tests/lib/campaign.sh"
names=${EXCHANGES:-packed,slabs,pencils,shared}

# one SCHEME ORDER RANKS FIRST COUNT
one() {
  # shellcheck disable=SC2086  # a command with options
  part "$3 ranks $1 $2 $(echo "$names" | tr , +) from $4" \
    limited "${PART_TIMEOUT:-1800}" \
    $MPIRUN -n $3 "$builddir/tests/transform/test_exhaustive" "$names" "$1" "$2" 1 $4 $5
}

echo "${CUTS:-slab transposed, pencil natural}" | tr , '\n' >"$builddir/cuts.$$"
while read -r scheme order; do
  for ranks in ${RANKS:-1 2 3 4 5 6 7 8 9 10 11 12}; do
    one "$scheme" "$order" $ranks 0 512 </dev/null
    one "$scheme" "$order" $ranks 512 125 </dev/null
  done
done <"$builddir/cuts.$$"
rm -f "$builddir/cuts.$$"
campaign_end
