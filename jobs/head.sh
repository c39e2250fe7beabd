#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The head of data/colin27.h5 filtered: head_filtered.png with a slice of it, blurred, without its low
# frequencies, and differentiated; head_power.png and head_power.csv with its power spectrum; in the
# current directory.
#
#     PFFT3D=the program with its launcher (pfft3d), as 'mpirun -n 4 pfft3d'   GNUPLOT=gnuplot
set -eu
here=$(cd "$(dirname "$0")" && pwd)
PFFT3D=${PFFT3D:-pfft3d}
GNUPLOT=${GNUPLOT:-gnuplot}
head=$here/../data/colin27.h5
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' HUP INT TERM
slice() { # slice FILE NAME: the axial slice 90 as bare numbers
  h5dump -d /intensity -s 90,0,0 -c 1,217,181 -b LE -o "$work/$2" "$1" >/dev/null
}
filter() { # filter NAME OPTIONS...
  name=$1
  shift
  # shellcheck disable=SC2086  # a command with options
  $PFFT3D filter -i "$head" -o "$work/out.h5" --force "$@"
  slice "$work/out.h5" "$name"
}
slice "$head" head
filter gaussian --gaussian 3 --precision single
filter highpass --highpass 0.05 --precision single
filter derivative --derivative 0,0,1 --precision single
# shellcheck disable=SC2086
$PFFT3D spectrum -i "$head" --length 181,217,181 --csv head_power.csv --png head_power.png
"$GNUPLOT" -e "folder='$work'" "$here/head.gp"
