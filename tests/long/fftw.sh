#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# FFTW's own test at the length that its authors use, and more random problems with the drop-in.
# Answers in TAP.
: "${srcdir:?run by make check-long}"
exec sh "$srcdir/tests/fftw/mpi_bench.sh" 100 5
