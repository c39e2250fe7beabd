#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Some damaged HDF5 files through the program: refused or transformed, never worse.  Answers in TAP.
set -u
: "${srcdir:?run by make check}" "${builddir:?}" "${PFFT3D:?}" "${MPIRUN:?}"
if ! test -x "$PFFT3D"; then echo '1..0 # SKIP no program in this build'; exit 0; fi
. "$srcdir/tests/h5py.sh"
output=$("$PYTHON" "$srcdir/tests/mutate.py" run "${1:-20}" "${2:-1}" "${3:-0}" 2>&1)
status=$?
echo "$output" | sed 's/^/# /'
echo 1..1
if test $status = 0; then
  echo "ok 1 - $(echo "$output" | tail -n 1)"
else
  echo 'not ok 1 - damaged files'
fi
exit $status
