#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# FFTW's own test at the length that its authors use, ROUNDS (100), with SEEDS (1 2 3 4 5), on 1 to 4
# ranks with the drop-in.  Answers in TAP.
also=libpfft3d_fftw3_mpi.so
. "${srcdir:?run by make check-long}/tests/lib/campaign.sh"
for seed in ${SEEDS:-1 2 3 4 5}; do
  for ranks in 1 2 3 4; do
    part "${ROUNDS:-100} rounds on $ranks ranks with seed $seed" \
      sh "$srcdir/tests/fftw/mpi_bench.sh" "${ROUNDS:-100}" "$seed" "$ranks"
  done
done
campaign_end
