#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Outputs in chunks and compressed, and outputs that are added to a file: what h5py reads, on several numbers of
# ranks; files that stay as they are when it fails.  Answers in TAP.
. "${srcdir:?run by make check}/tests/lib/program.sh"
. "$srcdir/tests/lib/h5py.sh"
. "$srcdir/tests/lib/served.sh"
"$PYTHON" - <<'END' || exit 99
import h5py, numpy as np
r = np.random.default_rng(1)
with h5py.File("in.h5", "w") as f:
    f["u"], f["v"] = r.random((12, 10, 15)), r.random((7, 9))
    f["u"].attrs["units"], f.attrs["title"] = "K", "of the input"
with h5py.File("old.h5", "w") as f:
    f["kept/a"] = np.arange(99)
    f["kept/a"].attrs["b"] = 1
    f.attrs["title"] = "of the old file"
END
# stored FILE:/PATH CHUNKS COMPRESSION: the dataset is u, stored like that
stored() {
  "$PYTHON" -c 'import sys, h5py
file, path = sys.argv[1].split(":/")
d, u = h5py.File(file)[path], h5py.File("in.h5")["u"]
assert d.chunks == eval(sys.argv[2]) and (d.compression and f"{d.compression}:{d.compression_opts}") == eval(sys.argv[3]), (d.chunks, d.compression, d.compression_opts)
assert abs(d[...] - u[...]).max() < 1e-14 and d.attrs["units"] == "K"' "$@"
}
store() { # RANKS STORE CHUNKS COMPRESSION
  rm -f out.h5
  run "$1" filter -i in.h5:/u -o out.h5 --lowpass 99 --store "$2" -q && stored out.h5:/u "$3" "$4"
}
for count in 1 2 3 4 6; do
  check "chunks on $count" store $count chunks=3x4x5 '(3, 4, 5)' None
  check "gzip on $count" store $count gzip:9=5x5x4 '(5, 5, 4)' '"gzip:9"'
done
check 'contiguous' store 2 contiguous None None
check 'chunks of their own' store 2 chunks '(12, 10, 15)' None
check 'gzip' store 3 gzip '(12, 10, 15)' '"gzip:4"'
plane() {
  rm -f out.h5
  run 3 transform -i in.h5:/v -o out.h5 --store gzip=2x3 --verify-output -q &&
    "$PYTHON" -c 'import h5py, numpy
d = h5py.File("out.h5")["v"]
assert d.chunks == (2, 3) and abs(d[...] - numpy.fft.rfftn(h5py.File("in.h5")["v"])).max() < 1e-12'
}
check 'a spectrum of two dimensions, read again' plane

# kept: what was in the file is there, and its own title
kept() {
  "$PYTHON" -c 'import h5py, numpy
f = h5py.File("all.h5")
assert (f["kept/a"][...] == numpy.arange(99)).all() and f["kept/a"].attrs["b"] == 1 and f.attrs["title"] == "of the old file"'
}
add() { # RANKS OPTIONS...
  count=$1
  shift
  cp old.h5 all.h5
  run "$count" "$@" --into -q && kept
}
for count in 1 3; do
  check "added to a file on $count" add $count filter -i in.h5:/u -o all.h5:/new/u --lowpass 99
  check 'which has it' stored all.h5:/new/u None None
done
check 'compressed' add 2 filter -i in.h5:/u -o all.h5:/new/u --lowpass 99 --store gzip
check 'which has it' stored all.h5:/new/u '(12, 10, 15)' '"gzip:4"'
check 'and verified' add 2 transform -i in.h5:/v -o all.h5:/kept/v --verify-output
again() {
  run 2 filter -i in.h5:/u -o all.h5:/kept/v --lowpass 99 --into --force -q && stored all.h5:/kept/v None None && kept
}
check 'another in its place' again
new() {
  rm -f new.h5
  run 2 filter -i in.h5:/u -o new.h5:/g/u --lowpass 99 --into -q && stored new.h5:/g/u None None
}
check 'a file that is new' new
itself() {
  cp in.h5 self.h5
  run 3 filter -i self.h5:/u -o self.h5:/smooth/u --lowpass 99 --into -q && stored self.h5:/smooth/u None None && stored self.h5:/u None None
}
check 'the file of the input' itself

# refused STATUS WORDS OPTIONS...: all.h5 stays as it is
refused() {
  status=$1 words=$2
  shift 2
  cp old.h5 all.h5
  run 1 filter -i in.h5:/u --lowpass 99 "$@" -q
  test $? = "$status" && test "$(grep -c error: err.txt)" = 1 && grep -q -- "$words" err.txt && cmp old.h5 all.h5 &&
    test -z "$(find . -name '*.pfft3d-*')"
}
check 'a dataset that is there' refused 73 'name already exists' -o all.h5:/kept/a --into
check 'and what replaces it' grep -q 'hint: --force' err.txt
check 'a group that is one' refused 73 'cannot create' -o all.h5:/kept --into
check 'a path through a dataset' refused 73 'cannot create' -o all.h5:/kept/a/b --into
check 'a file that is there' refused 73 'it exists' -o all.h5:/new/u
echo text >text.h5
check 'a file of something else' refused 73 'it is not an HDF5 file' -o text.h5:/u --into
check 'into a .npy file' refused 64 'a .npy file is one array' -o x.npy --into
check 'a .npy file in chunks' refused 64 'a .npy file is contiguous' -o x.npy --store chunks
for text in zip gzip:0 gzip:10 gzip6 chunks=3x4 chunks=3x4x5x6 chunks=0x1x1 chunks=13x1x1 chunks= chunk; do
  check "--store $text" refused 64 "store '$text': unknown" -o new.h5 --store $text --force
done
echo "1..$number"
exit $bad
