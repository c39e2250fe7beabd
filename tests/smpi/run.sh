#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Runs a program that was built for SimGrid on simulated ranks:
#   sh tests/smpi/run.sh MACHINE RANKS PROGRAM [ARGUMENTS]
# MACHINE: a description as in data/machines; the program gets it as --machine by itself.
# $SMPI_OPTIONS: more options for smpirun.  The exit code is the program's; 90: the ranks wait for
# each other for ever, 91: a rank called MPI_Abort (smpirun itself says 0 in both cases).
set -u
here=$(cd "$(dirname "$0")" && pwd)
machine=${1:?usage: run.sh MACHINE RANKS PROGRAM [ARGUMENTS]} ranks=${2:?} program=${3:?}
shift 3
folder=$(mktemp -d) || exit 99
trap 'rm -rf "$folder"' EXIT
trap 'exit 130' HUP INT TERM

"${PYTHON:-python3}" "$here/platform.py" "$machine" "$ranks" "$folder" || exit 64
# The words of the simulator come on stderr, among those of the program.
{
  # shellcheck disable=SC2046,SC2086  # lists of options
  smpirun -np "$ranks" -platform "$folder/platform.xml" -hostfile "$folder/hosts" \
    --log=root.thres:warning --log=smpi_mpi.thres:error --log=smpi_kernel.thres:error $(cat "$folder/options") ${SMPI_OPTIONS-} "$program" "$@" \
    2>&1 >&3 </dev/null
  echo $? >"$folder/status"
} 3>&1 | tee "$folder/words" >&2
status=$(cat "$folder/status")
if grep -q 'MPI_Abort was called' "$folder/words"; then status=91; fi
if test "$status" = 0 && grep -q 'Deadlock detected' "$folder/words"; then status=90; fi
exit "$status"
