#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Random plans through the Python package against numpy and scipy.  Answers in TAP.
. "${srcdir:?run by make check}/tests/lib/mpi4py.sh"
for n in 1 2 3 4; do
  check "50 random plans on $n ranks" ranks $n "$srcdir/tests/python/random_cases.py" 50 $n
done
echo "1..$number"
exit $bad
