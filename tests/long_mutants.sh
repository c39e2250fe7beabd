#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Damaged HDF5 files through the whole program: FILES of them (5000) from SEED (1), in parts of 100.
# Answers in TAP.
set -u
PYTHON=${PYTHON:-/usr/bin/python3}
"$PYTHON" -c 'import h5py, numpy' 2>/dev/null || PYTHON=/usr/bin/python3
if ! "$PYTHON" -c 'import h5py, numpy' 2>/dev/null; then
  echo '1..0 # SKIP no python3 with h5py (Debian: python3-h5py)'
  exit 0
fi
if ! grep -q 'define PF_HAVE_HDF5 1' "${builddir:?run by make check-long}/config.h"; then
  echo '1..0 # SKIP a build without HDF5'
  exit 0
fi
. "${srcdir:?}/tests/campaign.sh"
files=${FILES:-5000} seed=${SEED:-1} first=0
while test $first -lt "$files"; do
  part "seed $seed from $first" "$PYTHON" "$srcdir/tests/mutate.py" run 100 "$seed" $first
  first=$((first + 100))
done
campaign_end
