#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Ten thousand random cases of the whole family, 2,000 on each number of ranks.  Answers in TAP.
# SEED (2) in the environment: other cases than those of the last time.
exec sh "${srcdir:?run by make check-long}/tests/mpirun.sh" "${builddir:?}/tests/test_random" \
  "${SEED:-2}" 0 2000
