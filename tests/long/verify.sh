#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# pfft3d verify on grids that are too large or too many for `make check`: long lines, large primes,
# more ranks than planes, planes beyond the caches.  Goes on where it was stopped.  Answers in TAP.
. "${srcdir:?run by make check-long}/tests/lib/campaign.sh"
if ! test -x "${PFFT3D:?}"; then echo '1..0 # SKIP no program in this build'; exit 0; fi

# verify RANKS GRID ENGINES: all kinds and decompositions
verify() {
  # shellcheck disable=SC2086  # MPIRUN is a command with options
  part "verify $2 by $(echo "$3" | tr , ' ') on $1 ranks" \
    limited 1200 $MPIRUN -n "$1" "$PFFT3D" verify --grid "$2" --engine "$3"
}

for ranks in 1 2 3 4 6; do
  verify $ranks 97x89x101 fftw,naive
  verify $ranks 128x96x160 simd,fftw
  verify $ranks 6x18x16384 simd
  verify $ranks 16384x7x3 simd,fftw
  verify $ranks 3x4099x8 fftw
  verify $ranks 1x1x65537 fftw
  verify $ranks 1021x1024 simd,fftw
  verify $ranks 181x217x181 fftw
done

# More than 2^31 real numbers on one rank, in one array.
memory=$(awk '/^MemAvailable/ {print int($2 / 1048576)}' /proc/meminfo)
if test "${memory:-0}" -lt 20; then
  number=$((number + 1))
  echo "ok $number - r2c:s:2160x1000x1000 # SKIP needs 20 GiB of memory, found $memory"
else
  part 'r2c:s:2160x1000x1000 on 1 rank' limited 3600 $MPIRUN -n 1 "$builddir/tests/transform/test_large" r2c:s:2160x1000x1000
fi
campaign_end
