#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Parts of datasets, .npy files and files of numbers only through the program, and what it says of wrong ones;
# values that are filled in.  Answers in TAP.
. "${srcdir:?run by make check}/tests/lib/program.sh"
. "$srcdir/tests/lib/h5py.sh"

# A child process inspects the files of the program.
"$PYTHON" - <<'END' || exit 99
import h5py, numpy as np
r = np.random.default_rng(1)
a = r.random((5, 6, 7))
np.save("a.npy", a)
np.save("f.npy", np.asfortranarray(a))
a.astype(">f4").tofile("a.raw")
np.savez("a.npz", a)
hole = a.copy()
hole[1, 2, 3], hole[4, 5, 6] = np.nan, np.inf
np.save("hole.npy", hole)
np.save("none.npy", np.full((2, 3), np.nan))
np.save("c.npy", np.array([1 + 2j, np.nan, 3 - 4j]))
np.save("objects.npy", np.array([None, 1], object), allow_pickle=True)
np.save("pairs.npy", np.zeros(3, [("x", "f8"), ("y", "f8")]))
np.save("text.npy", np.array(["a", "b"]))
np.save("one.npy", np.float64(3))
np.save("empty.npy", np.zeros((3, 0)))
np.save("dates.npy", np.zeros(3, "M8[s]"))
with h5py.File("u.h5", "w") as f:
    f["u"] = r.random((2, 5, 6, 7, 3))
    f.create_dataset("z", data=f["u"][...], chunks=(1, 2, 3, 4, 2), compression=1, shuffle=True)
    f["odd[1]"] = a
    f["nine"] = np.zeros(9 * (1,))
END
equal() { # FILE FUNCTION ARRAY...: of Python; the file has what numpy's function makes of the array
  "$PYTHON" -c 'import sys, h5py, numpy as np
def load(name):
    if name.endswith(".npy"): return np.load(name)
    with h5py.File(name) as f: return f[list(f)[0]][...]
have = load(sys.argv[1])
u = h5py.File("u.h5")
want = eval(sys.argv[2])
assert have.shape == want.shape and abs(have - want).max() < 1e-6 * abs(want).max(), (have.shape, want.shape)' "$1" "$2"
}
# made RANKS OUTPUT WANT OPTIONS...
made() {
  count=$1 out=$2 want=$3
  shift 3
  rm -f "$out"
  run "$count" "${command:-transform}" -o "$out" "$@" -q && equal "$out" "$want"
}
half='np.fft.rfftn('
check 'a part of an HDF5 dataset' made 3 o.h5 "${half}u['u'][1, ..., -1])" -i 'u.h5:/u[1,...,-1]'
check 'of a compressed one' made 3 o.npy "${half}u['z'][0, :, 1:6:2, :, 2])" -i 'u.h5:/z[0, :, 1:6:2, :, 2]'
check 'brackets in a name' made 2 o.h5 "${half}u['odd[1]'])" -i 'u.h5:/odd[1]'
check 'a part of a .npy file' made 3 o.npy "${half}np.load('a.npy')[:, 3])" -i 'a.npy[:,3]'
check 'one in the order of Fortran' made 4 o.npy "${half}np.load('a.npy')[::2])" -i 'f.npy:/data[::2]'
check 'numbers only' made 3 o.h5 "${half}np.load('a.npy'))" -i a.raw --raw f4:5x6x7 --byte-order big
check 'a part of them' made 2 o.npy "${half}np.load('a.npy')[1:, ..., 2])" -i 'a.raw[...,2]' --raw '>f4:4x6x7' --offset 168
check 'in single precision' made 2 o.npy "${half}np.load('a.npy'))" -i a.npy --precision single
check 'whose type is complex64' "$PYTHON" -c 'import numpy as np; assert np.load("o.npy").dtype == "c8"'
check 'and back' made 3 b.npy "np.load('a.npy')" -i o.npy --direction backward --type r2c --grid 5x6x7
fill='lambda v: np.where(np.isfinite(np.load("hole.npy")), np.load("hole.npy"), v)'
mean='np.nanmean(np.where(np.isfinite(np.load("hole.npy")), np.load("hole.npy"), np.nan))'
check 'missing values filled with a number' made 3 o.npy "${half}($fill)(-1.5))" -i hole.npy --fill -1.5
check 'with the mean of the others' made 3 o.npy "${half}($fill)($mean))" -i hole.npy --fill mean
check 'which is said' grep -q "hole.npy:/data' has values that are not finite: 2 of them: they are replaced by 0\.[45]" err.txt
check 'complex ones' made 2 o.npy 'np.fft.fftn([1 + 2j, 2 - 1j, 3 - 4j])' -i c.npy --fill mean
command=filter
check 'filled before a filter' made 2 o.npy "($fill)(0)" -i hole.npy --fill 0 --lowpass 99
command=transform

# refused STATUS WORDS OPTIONS...: one error, and nothing is written
refused() {
  status=$1 words=$2
  shift 2
  rm -f no.h5 no.npy
  run 2 transform "$@" -q
  test $? = "$status" && test "$(grep -c error: err.txt)" = 1 && grep -q -- "$words" err.txt && ! test -e no.h5 && ! test -e no.npy
}
wrong() { check "wrong: $2 $3" refused "$1" "$3" -o no.h5 -i "$2"; }
wrong 65 'u.h5:/u' "it has 5 dimensions, not 1, 2 or 3"
check 'and how to select' grep -q "hint: .*'\[0,0,:,:,:\]'" err.txt
wrong 65 'u.h5:/nine' 'it has 9 dimensions, not 1 to 8'
wrong 65 'u.h5:/u[2,0]' 'index 2 is not in dimension 0, which has 2'
wrong 65 'u.h5:/u[-3,0]' 'index -3 is not in'
wrong 65 'u.h5:/u[0,3:3,0]' 'no element of dimension 1'
wrong 65 'u.h5:/u[0,0,0,0,0]' 'it is a single number'
wrong 65 'u.h5:/u[0,0,0,0,0,0]' 'it has 5 dimensions'
for text in '' ',' '1,' '::0' '::-1' '1:2:3:4' 'a' '1.5' '...,...' '99999999999999999999' '[0]' '0]x['; do
  wrong 64 "u.h5:/u[$text]" 'cannot read the selection'
done
wrong 66 'no.npy[0]' 'No such file'
wrong 65 objects.npy 'Python objects'
wrong 65 pairs.npy 'its type is a structure'
wrong 65 text.npy 'not a real or complex number'
wrong 65 dates.npy 'not a real or complex number'
wrong 65 one.npy 'no dimension, but a single number'
wrong 65 empty.npy 'dimension 1 is 0'
wrong 65 a.npy:/a 'has only /data'
wrong 65 a.npz 'not an HDF5 file'
check 'a path in a .npy file' refused 64 'only the dataset /data' -i a.npy -o no.npy:/x
check 'nothing to take a mean of' refused 65 'no finite value' -i none.npy -o no.h5 --fill mean
check 'a fill that is no number' refused 64 'expected mean or a number' -i a.npy -o no.h5 --fill nan
check 'without it' refused 65 'not finite: 2 of them' -i hole.npy -o no.h5 --strict
check 'an input that would be replaced' refused 64 'that is the input' -i 'a.npy[0]' -o no.h5 --json a.npy
check 'or be the output' refused 64 'that is the input' -i 'a.npy[0]' -o a.npy --force
raw() { check "wrong: --raw $2" refused "$1" "$3" -i a.raw -o no.h5 --raw "$2"; }
raw 65 f4:5x6x8 'the shape takes 960 bytes, the file holds 840 bytes'
raw 65 f4:5x6x6 'the shape takes 720 bytes, the file holds 840 bytes'
raw 65 f8:99999999x99999999x99999999 'its size overflows'
for text in f4 f4: f4:5x f4:x5 f4:0x5 f4:-1x5 '4:5' 'f4:5x6x7 ' f4:1x1x1x1x1x1x1x5x6 q8:105 f3:5 5x6x7:f4; do
  raw 64 "$text" 'cannot read the layout'
done
check 'an offset beyond the end' refused 65 'the file holds 0 bytes' -i a.raw -o no.h5 --raw f4:5x6x7 --offset 900
check 'a layout of a .npy file' refused 65 'it is a .npy file' -i a.npy -o no.h5 --raw f8:5x6x7
check 'a layout of an HDF5 file' refused 65 'it is an HDF5 file' -i u.h5 -o no.h5 --raw f8:5x6x7
echo "1..$number"
exit $bad
