#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# mpi4py-fft's classes over this library against its own, where it is: on the system or where
# tests/long/mpi4py_fft.sh has put it.  Answers in TAP.
. "${srcdir:?run by make check}/tests/lib/mpi4py.sh"
for candidate in "$PYTHON" "${builddir:?}/environments/mpi4py-fft/bin/python"; do
  if "$candidate" -c 'import mpi4py_fft' 2>/dev/null; then
    PYTHON=$candidate
    for n in 1 3; do
      check "random transforms and redistributions on $n ranks" ranks $n "$srcdir/tests/python/mpi4py_fft_cases.py" 12 $n
    done
    echo "1..$number"
    exit $bad
  fi
done
echo '1..0 # SKIP no mpi4py-fft (Debian: python3-mpi4py-fft; make check-long installs it in the build folder)'
