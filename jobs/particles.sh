#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Particles in redshift space and their power spectrum (particles.py): particles.png, in the current directory, with the
# monopole and the quadrupole beside linear theory, and with what each way to put particles on a grid of 64^3 makes of the
# power, beside the same on 256^3, which resolves it.
#
#     PFFT3D=the program with its launcher (pfft3d), as 'mpirun -n 4 pfft3d'   GNUPLOT=gnuplot
#     PARTICLES=their number (1e6)   GRID=the fine grid (256)
set -eu
here=$(cd "$(dirname "$0")" && pwd)
PFFT3D=${PFFT3D:-pfft3d}
GNUPLOT=${GNUPLOT:-gnuplot}
PARTICLES=${PARTICLES:-1e6}
GRID=${GRID:-256}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' HUP INT TERM
spectrum() { # spectrum NAME OPTIONS...: of the particles, without shot noise
  name=$1
  shift
  # shellcheck disable=SC2086  # a command with options
  $PFFT3D spectrum -i "$work/particles.h5:/redshift" --shot-noise subtract --errors --csv "$work/$name.csv" -q "$@"
}
"${PYTHON:-/usr/bin/python3}" "$here/particles.py" "$PARTICLES" "$work/particles.h5"
"${PYTHON:-/usr/bin/python3}" -c 'import h5py, sys
f = h5py.File(sys.argv[1])
for k, p in zip(f["k"], f["power"]): print(k, p, sep=",")' "$work/particles.h5" >"$work/linear.txt"
spectrum fine --deposit pcs --interlace --grid "$GRID" --los 2
for scheme in ngp cic tsc pcs; do
  spectrum $scheme --deposit $scheme --grid 64
  spectrum ${scheme}_two --deposit $scheme --interlace --grid 64
done
"$GNUPLOT" -e "folder='$work'" "$here/particles.gp"
