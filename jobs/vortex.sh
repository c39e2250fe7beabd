#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The Taylor-Green vortex at Re 1600 to t = 12, whose largest dissipation is published: 1.28575e-2 at
# t = 8.97, of 512^3 points (van Rees, Leonard, Pullin and Koumoutsakos, J. Comput. Phys. 230, 2011).
# Leaves in the current directory vortex.csv, with gnuplot a picture of it, vortex.png, and the vorticity
# at t = 9, or at the end before that, vorticity.png, and vortex.h5, a snapshot after each unit of time: a
# run that was stopped goes on there when it is started again.  128^3 with the step 0.01 takes a few
# minutes on two cores.  GRIDS="64 128 256" does it for several grids, each in a folder of its own, and
# draws all curves in vortex.png; 256^3 in single precision to t = 10 takes ten minutes on two free cores.
#
#     PFFT3D=the program with its launcher (pfft3d), as 'mpirun -n 2 pfft3d', with GRIDS by an absolute path
#     or by name   GNUPLOT=gnuplot
#     GRID=points along each axis (128)   TIME=end (12)   PRECISION=double|single (double)
#     DT=time step (0.01; with GRIDS 3.2 divided by GRID)   GRIDS=several
set -eu
here=$(cd "$(dirname "$0")" && pwd)
PFFT3D=${PFFT3D:-pfft3d}
GNUPLOT=${GNUPLOT:-gnuplot}
GRID=${GRID:-128}
TIME=${TIME:-12}
PRECISION=${PRECISION:-double}
drawn=9 # the time of vorticity.png

# reached: the time of the last row of the table
reached() { if test -f vortex.h5 && test -s vortex.csv; then tail -n 1 vortex.csv | cut -d , -f 1; else echo 0; fi; }
# over TIME: 1 if that time has been reached
over() { awk -v last="$(reached)" -v time="$1" 'BEGIN {print (last + 0 > time * (1 - 1e-9)) ? 1 : 0}'; }
# go TIME: the run goes on to that time, and draws the vorticity then
go() {
  if test "$(over "$1")" = 1; then return; fi
  set -- --dt "$step" --precision "$PRECISION" --time "$1" --csv vortex.csv --output vortex.h5 --every 1
  if command -v "$GNUPLOT" >/dev/null && test "$(over $drawn)" = 0; then set -- "$@" --png vorticity.png; fi
  if test -f vortex.h5; then
    set -- "$@" --restart vortex.h5 --grid "$GRID"
  else
    set -- "$@" --case taylor-green --grid "$GRID" --re 1600
  fi
  # shellcheck disable=SC2086  # a command with options
  $PFFT3D turbulence "$@"
}
run() {
  before="$GRID $step" # what is there goes on with the same numbers alone
  if test "$PRECISION" != double; then before="$before $PRECISION"; fi
  if test -f vortex.h5 && { test ! -f vortex.txt || test "$(cat vortex.txt)" != "$before"; }; then
    echo "vortex.sh: vortex.h5 is of another GRID or DT than $before: remove vortex.h5, vortex.xdmf and vortex.csv, or work in another folder" >&2
    exit 64
  fi
  echo "$before" >vortex.txt
  if awk -v time="$TIME" -v drawn=$drawn 'BEGIN {exit !(drawn < time)}'; then go $drawn; fi
  go "$TIME"
  awk -F , -v grid="$GRID" 'NR > 1 && $3 > most {most = $3; t = $1}
    END {printf "%d^3: largest dissipation %.5e at t = %.2f, %+.1f %% from the published 1.28575e-02 at t = 8.97 on 512^3\n",
      grid, most, t, 100 * (most / 1.28575e-2 - 1)}' vortex.csv
}

curves='vortex.csv'
names="$GRID^3"
if test -n "${GRIDS-}"; then
  curves='' names=''
  for GRID in $GRIDS; do
    mkdir -p "vortex-$GRID"
    step=${DT:-$(awk -v n="$GRID" 'BEGIN {print 3.2 / n}')}
    (cd "vortex-$GRID" && run)
    curves="$curves${curves:+ }vortex-$GRID/vortex.csv" names="$names${names:+ }$GRID^3"
    if test -f "vortex-$GRID/vorticity.png"; then cp "vortex-$GRID/vorticity.png" vorticity.png; fi
  done
else
  step=${DT:-0.01}
  run
fi
if ! command -v "$GNUPLOT" >/dev/null; then
  echo 'no pictures: gnuplot is not installed' >&2
  exit 0
fi
"$GNUPLOT" -e "curves='$curves'; names='$names'" "$here/vortex.gp"
