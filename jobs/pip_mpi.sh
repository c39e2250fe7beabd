#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# An MPI library without root: from Python's package index into a virtual environment of its own.
#   sh jobs/pip_mpi.sh FOLDER REQUIREMENT...      for example build/mpis/mpich5 'mpich>=5'
# Its compiler and launcher are then in FOLDER/bin.  Nothing happens if they are there already.
set -eu
usage='usage: pip_mpi.sh FOLDER REQUIREMENT...'
folder=${1:?$usage}
: "${2:?$usage}"
shift
if test -f "$folder/complete"; then exit 0; fi
python=${PYTHON:-python3}
rm -rf "$folder"
"$python" -m venv "$folder"
"$folder/bin/pip" --quiet --disable-pip-version-check install "$@"
touch "$folder/complete"
