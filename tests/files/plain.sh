#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Files that need no HDF5, of numpy and of numbers only, through the commands that read and write them:
# there and back, and compared with each other.  In a build without HDF5 files of HDF5 are refused in one
# line.  Answers in TAP.
. "${srcdir:?run by make check}/tests/lib/program.sh"

# numbers FILE LETTERS: 24 numbers 0 to 23, as packed by Perl with these letters
numbers() { perl -e 'binmode STDOUT; print pack "('"$2"')*", 0..23' >"$1"; }
# same FILE OTHER: whose bytes are the same
same() { cmp "$1" "$2"; }

numbers f8 'd<'
numbers f4 'f<'
numbers big 'd>'
numbers u2 'S<'
numbers i4 'l>'
for ranks in 1 2 3; do
  check "$ranks ranks: a file of numbers becomes one of numpy" run $ranks transform -i f8 --raw f8:2x3x4 -o there.npy --force
  check "$ranks ranks: and comes back" run $ranks transform -i there.npy -o back.npy --direction backward --type r2c --grid 2x3x4 --force
  check "$ranks ranks: the numbers are real ones again" test "$(wc -c <back.npy)" = 448
  # shellcheck disable=SC2016  # Perl's
  check "$ranks ranks: they are those of before" perl -e 'local $/; open F, "<", "back.npy"; $_ = <F>;
    @x = unpack /^.{10,128}>f8/s ? "x256(d>)*" : "x256(d<)*", $_; @x == 24 or die; abs($x[$_] - $_) < 1e-12 or die "number $_: $x[$_]" for 0..23'
done
# Other number formats hold the same numbers, and so give the same bytes.
for kind in f4 '>f8 big' u2 '>i4 i4'; do
  format=${kind% *} file=${kind#* }
  check "$format: read" run 2 transform -i "$file" --raw "$format:2x3x4" -o other.npy --force
  check "$format: the same spectrum" same other.npy there.npy
done
check 'filter' run 2 filter -i back.npy -o new.npy --lowpass 0.4 --force
check 'spectrum' run 2 spectrum -i back.npy --csv -
check 'its table' says '^k'

if "$PFFT3D" info | grep -q '^hdf5 *no'; then
  check 'an HDF5 file to write is refused' fails 69 'this build has no parallel HDF5' transform -i back.npy -o new.h5
  printf '\211HDF\r\n\032\n and more' >x.h5
  check 'an HDF5 file to read is refused' fails 69 'this build has no parallel HDF5' transform -i x.h5 -o new.npy
  check 'a snapshot is refused' fails 69 'this build has no parallel HDF5' turbulence --grid 8 --time 0.01 -o new.h5
fi
echo "1..$number"
exit $bad
