#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Predicted scaling to 65,536 ranks and maps of the best strategies, on one process, as tables (CSV,
# markdown) and plots (PNG, SVG, PDF):
#   sh jobs/scaling.sh --out DIR     (--help lists the options; jobs/map.sh draws a map only)
# What it does is in predict/scaling.py; this finds Python and the program.  In the environment:
# PFFT3D, the program (build/pfft3d beside this tree, else that of the PATH); PYTHON, GNUPLOT.
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
    exec "$python" -B "$here/predict/scaling.py" "$@"
  fi
done
echo 'pfft3d: error: predictions take Python 3.8 or later, its standard library only (Debian: apt-get install python3)' >&2
exit 69
