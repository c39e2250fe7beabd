#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# How good the automatic choice of a plan is, and what it takes:
#   sh jobs/choice.sh [--sizes 16,32,...] [--ranks 1,2,4] [--repeats N] [-- OPTIONS OF pfft3d]
# For each size and number of ranks: the choice of auto and the time for it, and its time over that of
# the best of all candidates, which are then timed alternately.  In the environment: PFFT3D, the program;
# MPIRUN (mpirun --bind-to core on two ranks and less).
set -u
here=$(cd "$(dirname "$0")" && pwd)
. "$here/python.sh"
run_python predict/choice.py 'this takes' "$@"
