#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Scaling and strategy studies over the program, with tables and plots:
#   sh jobs/study.sh --out DIR --grids 128,256 --ranks 1,2,4 --scaling strong
# (from anywhere; --help lists the options).  What it does is in study/study.py; this finds Python
# and the program.  In the environment: PFFT3D, the program (build/pfft3d beside this tree, else that
# of the PATH); LAUNCH, the launcher to which -n P is appended (mpirun); CORES, how many there are to
# run on (those of this machine, or of the SLURM job); PYTHON, GNUPLOT.
set -u
here=$(cd "$(dirname "$0")" && pwd)

if test -z "${PFFT3D:-}"; then
  PFFT3D=$here/../build/pfft3d
  test -x "$PFFT3D" || PFFT3D=pfft3d
fi
export PFFT3D

for python in ${PYTHON:+"$PYTHON"} python3 /usr/bin/python3; do
  if "$python" -c 'import sys; sys.exit(sys.version_info < (3, 8))' 2>/dev/null; then
    # No files of ours in the source tree, which may be read-only.
    exec "$python" -B "$here/study/study.py" "$@"
  fi
done
echo 'pfft3d: error: a study takes Python 3.8 or later, its standard library only (Debian: apt-get install python3)' >&2
exit 69
