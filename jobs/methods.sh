#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Solvers of Poisson's equation on squares, time over the number of unknowns: methods.csv, and with
# gnuplot methods.png, in the current directory.
#
#     PFFT3D=the program (pfft3d)   GRIDS=sizes with commas   GNUPLOT=gnuplot
set -eu
here=$(cd "$(dirname "$0")" && pwd)
PFFT3D=${PFFT3D:-pfft3d}
GNUPLOT=${GNUPLOT:-gnuplot}
GRIDS=${GRIDS:-31x31,63x63,127x127,255x255,511x511,1023x1023}
"$PFFT3D" poisson --iterative --grid "$GRIDS" --csv methods.csv
if ! command -v "$GNUPLOT" >/dev/null; then
  echo 'no picture: gnuplot is not installed' >&2
  exit 0
fi
awk -F , 'NR == 1 {for (i = 1; i <= NF; i++) at[$i] = i; next}
  {print $at["algorithm"], $at["unknowns"], $at["time_s.median"]}' methods.csv >methods.txt
"$GNUPLOT" "$here/methods.gp"
rm methods.txt
