#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Predicted scaling to 65,536 ranks and maps of the best strategies, on one process, as tables (CSV,
# markdown) and plots (PNG, SVG, PDF):
#   sh jobs/scaling.sh --out DIR     (--help lists the options; jobs/map.sh draws a map only)
# What it does is in predict/scaling.py; this finds Python and the program.  In the environment:
# PFFT3D, the program (build/pfft3d of this tree, else that of the PATH); PYTHON, GNUPLOT.
set -u
here=$(cd "$(dirname "$0")" && pwd)
. "$here/python.sh"
run_python predict/scaling.py 'predictions take' "$@"
