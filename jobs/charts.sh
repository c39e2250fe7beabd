#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Draws the charts of the pages:  sh jobs/charts.sh --out DIR   (--help says more)
# What it does is in charts/charts.py; this finds Python and the program.  In the environment:
# PFFT3D, the program (build/pfft3d of this tree, else that of the PATH); PYTHON.
set -u
here=$(cd "$(dirname "$0")" && pwd)
. "$here/python.sh"
run_python charts/charts.py 'charts take' "$@"
