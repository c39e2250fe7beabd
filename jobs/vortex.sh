#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The Taylor-Green vortex at Re 1600 to t = 12, whose largest dissipation is published: 1.28575e-2 at
# t = 8.97, of 512^3 points (van Rees, Leonard, Pullin and Koumoutsakos, J. Comput. Phys. 230, 2011).
# Leaves in the current directory vortex.csv, with gnuplot a picture of it, vortex.png, and the vorticity
# at the end, vorticity.png, and vortex.h5, a snapshot after each unit of time: a run that was stopped
# goes on there when it is started again.  128^3 with the step 0.01 takes a few minutes on two cores.
#
#     PFFT3D=the program with its launcher (pfft3d), as 'mpirun -n 2 pfft3d'   GNUPLOT=gnuplot
#     GRID=points along each axis (128)   DT=time step (0.01)   TIME=end (12)
set -eu
here=$(cd "$(dirname "$0")" && pwd)
PFFT3D=${PFFT3D:-pfft3d}
GNUPLOT=${GNUPLOT:-gnuplot}
GRID=${GRID:-128}
DT=${DT:-0.01}
TIME=${TIME:-12}
set -- --dt "$DT" --time "$TIME" --csv vortex.csv --output vortex.h5 --every 1
if command -v "$GNUPLOT" >/dev/null; then set -- "$@" --png vorticity.png; fi
before="$GRID $DT" # what is there goes on with the same numbers alone
if test -f vortex.h5 && { test ! -f vortex.txt || test "$(cat vortex.txt)" != "$before"; }; then
  echo "vortex.sh: vortex.h5 is of another GRID or DT than $before: remove vortex.h5, vortex.xdmf and vortex.csv, or work in another folder" >&2
  exit 64
fi
echo "$before" >vortex.txt
last=0
if test -f vortex.h5 && test -s vortex.csv; then last=$(tail -n 1 vortex.csv | cut -d , -f 1); fi
there=$(awk -v last="$last" -v time="$TIME" 'BEGIN {print (last + 0 > time * (1 - 1e-9)) ? 1 : 0}')
if test -f vortex.h5; then
  set -- "$@" --restart vortex.h5 --grid "$GRID"
else
  set -- "$@" --case taylor-green --grid "$GRID" --re 1600
fi
# shellcheck disable=SC2086  # a command with options
if test "$there" = 0; then $PFFT3D turbulence "$@"; fi

awk -F , -v grid="$GRID" 'NR > 1 && $3 > most {most = $3; t = $1}
  END {printf "%d^3: largest dissipation %.5e at t = %.2f; published, 512^3: 1.28575e-02 at t = 8.97\n", grid, most, t}' \
  vortex.csv
if ! command -v "$GNUPLOT" >/dev/null; then
  echo 'no pictures: gnuplot is not installed' >&2
  exit 0
fi
"$GNUPLOT" -e "grid='$GRID'" "$here/vortex.gp"
