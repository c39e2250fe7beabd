#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# COUNT (550) random plans through the Python package against numpy and scipy, and 10,000 cycles of plans and
# arrays that are dropped, on each number of ranks.  SEED (7): others; COUNT=25000 are 100,000.  Answers in TAP.
. "${srcdir:?run by make check-long}/tests/lib/mpi4py.sh"
program=no
. "$srcdir/tests/lib/campaign.sh"

# some RANKS COUNT SEED: the last line is "tried N wrong M"
some() {
  # shellcheck disable=SC2086  # a command with options
  $MPIRUN -n "$1" "$PYTHON" "$srcdir/tests/python/random_cases.py" "$2" "$3"
}
# shellcheck disable=SC2086
cycles() { $MPIRUN -n "$1" "$PYTHON" "$srcdir/tests/python/endings.py" "$2"; }
count=${COUNT:-550}
for n in 1 2 3 4; do
  seed=$((${SEED:-7} + n - 1))
  part "$count random plans on $n ranks: seed $seed" some $n "$count" $seed
  part "10000 cycles on $n ranks" cycles $n 10000
done
campaign_end
