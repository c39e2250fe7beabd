#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The sea of applications.md: frames in heights.h5, a picture of one, ocean.png, and a film of them
# all, ocean.gif, in the current directory.
#
#     EXAMPLES=folder of ocean (.)   RANKS=ranks (2)   POINTS=256   FRAMES=48   SPECTRUM=jonswap
#     MPIRUN=mpirun and its options
#
# The pictures take gnuplot and h5dump (Debian: gnuplot-nox, hdf5-tools).
set -eu
here=$(cd "$(dirname "$0")" && pwd)
EXAMPLES=${EXAMPLES:-.}
MPIRUN=${MPIRUN:-mpirun}
RANKS=${RANKS:-2}
POINTS=${POINTS:-256}
FRAMES=${FRAMES:-48}
# shellcheck disable=SC2086  # a command with options
$MPIRUN -n "$RANKS" "$EXAMPLES/ocean" "$POINTS" "$FRAMES" heights.h5 "${SPECTRUM:-jonswap}" 0.125
if ! command -v gnuplot >/dev/null || ! command -v h5dump >/dev/null; then
  echo 'no picture: gnuplot or h5dump is missing'
  exit 0
fi
h5dump -d /heights -b NATIVE -o heights.raw heights.h5 >/dev/null
gnuplot -e "n=$POINTS; frames=$FRAMES; spectrum='${SPECTRUM:-jonswap}'" "$here/ocean.gp"
rm -f heights.raw
echo 'the picture: ocean.png; the film: ocean.gif'
