#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The example of signal.md from beginning to end: makes a noisy signal, transforms it, filters it,
# and draws picture and spectrum.  Everything goes into the current directory.
#
#     EXAMPLES=folder of make_signal and filter (.)       PFFT3D=the program (pfft3d)
#     RANKS=ranks (4)   POINTS=length (1000000)           MPIRUN=mpirun and its options
#
# The picture takes gnuplot and h5dump (Debian: gnuplot-nox, hdf5-tools); without them there is none.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
EXAMPLES=${EXAMPLES:-.}
PFFT3D=${PFFT3D:-pfft3d}
MPIRUN=${MPIRUN:-mpirun}
RANKS=${RANKS:-4}
POINTS=${POINTS:-1000000}

# shellcheck disable=SC2086  # a command with options
on_ranks() {
  echo "\$ mpirun -n $RANKS $(basename "$1") $(shift && echo "$*")"
  $MPIRUN -n "$RANKS" "$@"
}

on_ranks "$EXAMPLES/make_signal" "$POINTS" noisy.h5 clean.h5
on_ranks "$PFFT3D" line --input noisy.h5 --output spectrum.h5 --force
on_ranks "$EXAMPLES/filter" noisy.h5 filtered.h5 0.1 clean.h5

if ! command -v gnuplot >/dev/null || ! command -v h5dump >/dev/null; then
  echo 'no picture: gnuplot or h5dump is missing'
  exit 0
fi
# dump FILE OPTIONS...: some of its numbers, bare, as gnuplot reads them
dump() {
  file=$1
  shift
  h5dump -d /signal "$@" -b NATIVE -o "$file.raw" "$file.h5" >dump.log
}
drawn=1000 every=$((POINTS / 1000))
if test $every = 0; then every=1 drawn=$POINTS; fi
for name in noisy filtered; do dump $name -s 0 -S $every -c $drawn; done
shown=21
if test $shown -gt $((POINTS / 2 + 1)); then shown=$((POINTS / 2 + 1)); fi
dump spectrum -s 0 -c $shown
gnuplot -e "points=$POINTS; every=$every; drawn=$drawn; shown=$shown" "$here/signal.gp"
rm -f noisy.raw filtered.raw spectrum.raw dump.log
echo 'the picture: signal.png'
