#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# pfft3d's files are read by h5py, and h5py's files by pfft3d, on several numbers of ranks.
set -u
: "${srcdir:?}" "${builddir:?}"
MPIRUN=${MPIRUN:-mpirun}
test_files=$builddir/tests/files/test_files
. "$srcdir/tests/lib/h5py.sh"
if test "$(id -u)" = 0; then
  OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
  export OMPI_ALLOW_RUN_AS_ROOT OMPI_ALLOW_RUN_AS_ROOT_CONFIRM
fi
OMPI_MCA_rmaps_base_oversubscribe=1
export OMPI_MCA_rmaps_base_oversubscribe

directory=$(mktemp -d) || exit 1
trap 'rm -rf "$directory"' EXIT
trap 'exit 130' HUP INT TERM
for kind in c2c:d=complex128 c2c:s=complex64 r2c:d=float64 r2c:s=float32; do
  problem=${kind%=*}:5x4x3 type=${kind#*=}
  for ranks in 1 3 4; do
    out=$directory/$type-$ranks.h5
    $MPIRUN -n $ranks "$test_files" --write $problem "$out" || exit 1
    "$PYTHON" "$srcdir/tests/files/files_h5py.py" check "$out" $type $problem || exit 1
  done
  cmp "$directory/$type-1.h5" "$directory/$type-3.h5" || exit 1
  cmp "$directory/$type-1.h5" "$directory/$type-4.h5" || exit 1
done

"$PYTHON" "$srcdir/tests/files/files_h5py.py" make "$directory" >"$directory/list" || exit 1
for ranks in 1 4; do
  # shellcheck disable=SC2046  # names without blanks
  $MPIRUN -n $ranks "$test_files" --read $(cat "$directory/list") || exit 1
done
