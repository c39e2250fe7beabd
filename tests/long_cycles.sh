#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Ten thousand plans made and destroyed: nothing may stay behind.  Answers in TAP.
exec sh "${srcdir:?run by make check-long}/tests/mpirun.sh" "${builddir:?}/tests/test_cycles" 10000
