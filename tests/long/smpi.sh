#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The grid of the lecture on its machine, simulated: 512^3 on 64 ranks of a cluster of 2006.  What
# overlaps must win over packed by 1.3 at least, and the model must be near all times.  Takes some
# minutes and 14 GiB.  Goes on where it was stopped.  Answers in TAP.
. "${srcdir:?run by make check-long}/tests/smpi/start.sh"

# One exchange after another, as all together would need more memory.
lecture() {
  set -- "$1" --grid 512 --decomp slab --algo "$1" --engine simd
  name=$1
  shift
  simulate opteron2006 64 bench "$@" --direction forward --reps 1 --warmup 0 --no-verify \
    --json "$name.json" &&
    simulate opteron2006 1 explain "$@" --ranks 64 --json said.json &&
    "$PYTHON" "$tools/check.py" near "$name.json" said.json 20
}
lectures() {
  for algo in packed node slabs; do
    lecture $algo || { echo "512^3 on 64 ranks, $algo: not near" && return 1; }
  done
  for machine in opteron2006 ethernet; do
    near $machine || { echo "times of the model on $machine: not near" && return 1; }
  done
  "$PYTHON" "$tools/check.py" faster slabs.json packed.json 1.3 # slabs win
}
. "$srcdir/tests/lib/campaign.sh"
part 'the lecture on its machine and the model' lectures
campaign_end
