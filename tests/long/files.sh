#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Files written on P ranks and read on Q, P and Q from 1 to 8; transform_numpy.sh, line.sh and fields.sh with what
# make check leaves out of them; and a file of 5 GB, more than 2 GiB per rank, in LARGE_DIRECTORY (else
# TMPDIR, /tmp).  Answers in TAP.
if ! grep -q 'define PF_HAVE_HDF5 1' "${builddir:?run by make check-long}/config.h"; then
  echo '1..0 # SKIP a build without HDF5'
  exit 0
fi
. "${srcdir:?}/tests/lib/campaign.sh"
test_matrix=$builddir/tests/files/test_files_matrix
run() {
  ranks=$1
  shift
  # shellcheck disable=SC2086  # MPIRUN is a command with options
  limited 1800 $MPIRUN -n "$ranks" "$test_matrix" "$@"
}
part 'written on P read on Q: P and Q from 1 to 8' run 8
# whole NAME: a shell test that leaves out nothing; each verdict is one that was tried
whole() {
  output=$(PFFT3D_TEST_ALL=1 sh "$srcdir/tests/mpirun.sh" "$srcdir/tests/$1")
  status=$?
  echo "$output"
  echo "tried $(echo "$output" | grep -vc 'SKIP\|^#\|^1\.\.') wrong $(echo "$output" | grep -c '^not ok')"
  return $status
}
for name in files/transform_numpy.sh program/line.sh program/fields.sh; do part "all of $name" whole $name; done

place=${LARGE_DIRECTORY:-${TMPDIR:-/tmp}}
disk=$(df -Pk "$place" | awk 'NR == 2 {print int($4 / 1048576)}')
memory=$(awk '/^MemAvailable/ {print int($2 / 1048576)}' /proc/meminfo)
if test "${disk:-0}" -lt 8 || test "${memory:-0}" -lt 12; then
  number=$((number + 1))
  echo "ok $number - 5 GB # SKIP needs 8 GiB of disk and 12 GiB of memory, found $disk and $memory"
else
  large=$(mktemp -d "$place/pfft3d-large-XXXXXX") || exit 99
  trap 'rm -rf "$large"' EXIT
  trap 'exit 130' HUP INT TERM
  part '5 GB on 2 ranks' run 2 --large 300 "$large/large.h5"
fi
campaign_end
