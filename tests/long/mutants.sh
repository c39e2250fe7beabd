#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Damaged HDF5 files through the whole program: FILES of them (5000) from SEED (1), in parts of 100, and a
# fifth as many compressed fields and snapshots.
# Answers in TAP.
. "${srcdir:?run by make check-long}/tests/lib/h5py.sh"
. "$srcdir/tests/lib/campaign.sh"
files=${FILES:-5000} seed=${SEED:-1} first=0
while test $first -lt "$files"; do
  part "seed $seed from $first" "$PYTHON" "$srcdir/tests/lib/mutate.py" run 100 "$seed" $first
  for command in compress restart; do
    test $((first % 500)) -gt 0 ||
      part "$command, seed $seed from $first" "$PYTHON" "$srcdir/tests/lib/mutate.py" $command 100 "$seed" $first
  done
  first=$((first + 100))
done
campaign_end
