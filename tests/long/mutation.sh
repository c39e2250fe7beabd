#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Mistakes that are put into src/ one at a time: do the tests see them?  COUNT (500) mutants of SEED (1),
# WORKERS (2) side by side, in $builddir/mutation, which holds the tree as it was when the campaign began
# and what has become of each mutant (mutants.csv); it goes on where it was stopped.  Survivors meet all
# tests of their folder before they count.  Wrong are those without a reason in tests/lib/mutation.txt.
# Answers in TAP.  Needs root: see tests/lib/mutation.py.
. "${srcdir:?run by make check-long}/tests/lib/campaign.sh"
if ! unshare --pid --fork --mount true 2>/dev/null; then echo '1..0 # SKIP no namespaces, which take root'; exit 0; fi
seed=${SEED:-1} count=${COUNT:-500} workers=${WORKERS:-2} folder=$builddir/mutation
# make inside make: without the variables of the outer one.
unset MAKEFLAGS MFLAGS MAKELEVEL MAKEOVERRIDES TESTS
mutation() {
  command=$1
  shift
  python3 "$srcdir/tests/lib/mutation.py" "$command" "$folder" "$@"
}

# all RUN...: what all workers do
all() {
  for worker in $(seq 0 $((workers - 1))); do mutation "$1" "$seed" "$count" "$worker" "$workers" & done
  wait
}
mutants() {
  mutation prepare "$srcdir" && all run && TRY=3600 all again
  mutation sum "$seed" "$count" "$srcdir/tests/lib/mutation.txt"
}
part "$count mutants of seed $seed" mutants
campaign_end
