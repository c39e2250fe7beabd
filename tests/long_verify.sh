#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# pfft3d verify on grids that are too large or too many for `make check`: long lines, large primes,
# more ranks than planes, planes beyond the caches.  Answers in TAP.
set -u
: "${PFFT3D:?run by make check-long}" "${MPIRUN:?}"
if ! test -x "$PFFT3D"; then echo '1..0 # SKIP no program in this build'; exit 0; fi
number=0 bad=0
output=$(mktemp) || exit 99
trap 'rm -f "$output"' EXIT
trap 'exit 130' HUP INT TERM

# verify RANKS GRID ENGINES: all kinds and decompositions
verify() {
  number=$((number + 1))
  # shellcheck disable=SC2086  # MPIRUN is a command with options
  if timeout 600 $MPIRUN -n "$1" "$PFFT3D" verify --grid "$2" --engine "$3" >"$output" 2>&1; then
    echo "ok $number - verify $2, engine $3, on $1 ranks"
  else
    bad=1
    echo "not ok $number - verify $2, engine $3, on $1 ranks"
    sed 's/^/# /' "$output"
  fi
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
echo "1..$number"
exit $bad
