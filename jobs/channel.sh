#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The potential of charges over a floor with an electrode, in a channel whose cells are thin at the
# walls: channel.png, in the current directory.  PFFT3D is the program, MPIRUN and RANKS what starts it.
# Needs python3 with numpy, and gnuplot.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
python=${PYTHON:-python3}
"$python" -c 'import numpy' 2>/dev/null || python=/usr/bin/python3
"$python" "$here/channel.py" make
${MPIRUN:+$MPIRUN -n ${RANKS:-2}} "${PFFT3D:-pfft3d}" poisson -i f.npy -o u.npy --force --bc periodic,dirichlet-neumann --length 4,1 \
  --coordinates z.npy --wall-values 1low=floor.npy
"$python" "$here/channel.py" table >channel.dat
gnuplot "$here/channel.gp"
