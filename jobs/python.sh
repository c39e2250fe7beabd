# shellcheck shell=sh
# SPDX-License-Identifier: BSD-3-Clause
# Finds the program and a Python for a script of this folder, which sources this with $here, its
# folder, set; then: run_python SCRIPT WHAT ARGUMENTS...  ($here/SCRIPT; WHAT takes it, in words)
if test -z "${PFFT3D:-}"; then
  PFFT3D=${here:?the folder of the script}/../build/pfft3d
  test -x "$PFFT3D" || PFFT3D=pfft3d
fi
export PFFT3D

run_python() {
  script=$1 what=$2
  shift 2
  for python in ${PYTHON:+"$PYTHON"} python3 /usr/bin/python3; do
    if "$python" -c 'import sys; sys.exit(sys.version_info < (3, 8))' 2>/dev/null; then
      # No files of ours in the source tree, which may be read-only.
      exec "$python" -B "$here/$script" "$@"
    fi
  done
  echo "pfft3d: error: $what Python 3.8 or later, its standard library only (Debian: apt-get install python3)" >&2
  exit 69
}
