#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# pfft3d's files are read by h5py, and h5py's files by pfft3d, on several numbers of ranks.
set -u
: "${srcdir:?}" "${builddir:?}" "${MPIRUN:?}"
test_files=$builddir/tests/files/test_files
. "$srcdir/tests/lib/h5py.sh"

directory=$(mktemp -d) || exit 1
trap 'rm -rf "$directory"' EXIT
trap 'exit 130' HUP INT TERM
kinds='c2c:d=complex128 c2c:s=complex64 r2c:d=float64 r2c:s=float32'
set --
for ranks in 1 3 4; do
  files=
  for kind in $kinds; do
    problem=${kind%=*}:5x4x3 type=${kind#*=}
    files="$files $problem $directory/$type-$ranks.h5"
    set -- "$@" "$directory/$type-$ranks.h5" "$type" "$problem"
  done
  # shellcheck disable=SC2086  # names without blanks
  $MPIRUN -n $ranks "$test_files" --write $files || exit 1
done
"$PYTHON" "$srcdir/tests/files/files_h5py.py" check "$@" || exit 1
for kind in $kinds; do
  for ranks in 3 4; do cmp "$directory/${kind#*=}-1.h5" "$directory/${kind#*=}-$ranks.h5" || exit 1; done
done

"$PYTHON" "$srcdir/tests/files/files_h5py.py" make "$directory" >"$directory/list" || exit 1
for ranks in 1 4; do
  # shellcheck disable=SC2046  # names without blanks
  $MPIRUN -n $ranks "$test_files" --read $(cat "$directory/list") || exit 1
done
