#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Scaling and strategy studies over the program, with tables and plots:
#   sh jobs/study.sh --out DIR --grids 128,256 --ranks 1,2,4 --scaling strong
# (from anywhere; --help lists the options).  What it does is in study/study.py; this finds Python
# and the program.  In the environment: PFFT3D, the program (build/pfft3d of this tree, else that
# of the PATH); LAUNCH, the launcher to which -n P is appended (mpirun); CORES, how many there are to
# run on (those of this machine, or of the SLURM job); PYTHON, GNUPLOT.
set -u
here=$(cd "$(dirname "$0")" && pwd)
. "$here/python.sh"
run_python study/study.py 'a study takes' "$@"
