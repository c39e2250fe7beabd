# shellcheck shell=sh
# SPDX-License-Identifier: BSD-3-Clause
# For tests that make HDF5 files with Python; they source it.  $PYTHON becomes one with h5py and numpy;
# without one, or in a build without HDF5, the test is skipped.
PYTHON=${PYTHON:-/usr/bin/python3}
"$PYTHON" -c 'import h5py, numpy' 2>/dev/null || PYTHON=/usr/bin/python3
if ! "$PYTHON" -c 'import h5py, numpy' 2>/dev/null; then
  echo '1..0 # SKIP no python3 with h5py (Debian: python3-h5py)'
  exit 0
fi
if ! grep -q 'define PF_HAVE_HDF5 1' "${builddir:?run by make check}/config.h"; then
  echo '1..0 # SKIP a build without HDF5'
  exit 0
fi
# Nothing is left in the folder of the source.
PYTHONDONTWRITEBYTECODE=1
export PYTHON PYTHONDONTWRITEBYTECODE
