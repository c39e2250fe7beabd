#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Parts of datasets, .npy files and files of numbers only through the program, and what it says of wrong ones;
# values that are filled in.  Answers in TAP.
. "${srcdir:?run by make check}/tests/lib/program.sh"
. "$srcdir/tests/lib/h5py.sh"
. "$srcdir/tests/lib/served.sh"

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
c = a - 1j * a[::-1]
with h5py.File("odd.h5", "w") as f:
    for x, y in (("i", "r"), ("Re", "Im"), ("imag", "real"), ("re", "im"), ("Real", "Imaginary")):
        pair = np.zeros(a.shape, [(x, "f8"), (y, "f8")])
        pair[x], pair[y] = (c.imag, c.real) if x in ("i", "imag") else (c.real, c.imag)
        f[x + y] = pair
    f["true"] = a > 0.5
    f.create_dataset("truez", data=a > 0.5, chunks=(2, 2, 2), compression=1)
    f.create_dataset("enum", data=(a * 3).astype("i2"), dtype=h5py.enum_dtype({"A": 0, "B": 1, "C": 2}, basetype=">i2"))
    f.create_dataset("never", shape=(4, 5), dtype="f8", fillvalue=2.5)
    f.create_dataset("chunks", shape=(4, 5), dtype="f8", fillvalue=-1, chunks=(2, 2))
    f.create_dataset("huge", shape=(4000, 5000, 600), dtype="f8")
    plist = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
    plist.set_external(b"a.raw", 0, 4 * a.size)
    h5py.h5d.create(f.id, b"external", h5py.h5t.IEEE_F32BE, h5py.h5s.create_simple(a.shape), plist)
    f["p0"], f["p1"], f["out"] = a[0], a[1], h5py.ExternalLink("u.h5", "/odd[1]")
    def virtual(name, file, parts):
        layout = h5py.VirtualLayout((2, 6, 7), "f8")
        for k in (0, 1):
            layout[k] = h5py.VirtualSource(file, parts[k], (6, 7))
        f.create_virtual_dataset(name, layout)
    virtual("virtual", ".", ("p0", "p1"))
    virtual("elsewhere", "u.h5", ("p0", "p1"))
    virtual("linked", ".", ("p0", "out"))
    virtual("nested", ".", ("virtual", "virtual"))
    layout = h5py.VirtualLayout((2, 6, 7), "f8")
    layout[0], layout[1] = h5py.VirtualSource(".", "p0", (6, 7)), h5py.VirtualSource("u.h5", "odd[1]", a.shape)[1]
    f.create_virtual_dataset("other", layout)
if hasattr(h5py.h5t, "COMPLEX_IEEE_F64LE"):  # HDF5 2
    with h5py.File("complex.h5", "w") as f:
        for name, data in (("d", c), ("z", c)):
            s = h5py.h5s.create_simple(c.shape)
            p = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
            if name == "z":
                p.set_chunk((2, 3, 4))
                p.set_deflate(1)
            d = h5py.h5d.create(f.id, name.encode(), h5py.h5t.COMPLEX_IEEE_F64LE, s, p)
            d.write(h5py.h5s.ALL, h5py.h5s.ALL, np.ascontiguousarray(c))
for name, begins in (("classic.nc", b"CDF\1"), ("x.fits", b"SIMPLE  =   T"), ("x.mat", b"MATLAB 5.0 MAT-file"), ("x.gz", b"\x1f\x8b\x08")):
    open(name, "wb").write(begins + bytes(99))
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
named() {
  rm -f o.h5
  run 2 filter -i 'u.h5:/odd[1]' -o o.h5 --lowpass 99 -q && "$PYTHON" -c 'import h5py; assert list(h5py.File("o.h5")) == ["odd[1]"]'
}
check 'which the result has, too' named
check 'a part of a .npy file' made 3 o.npy "${half}np.load('a.npy')[:, 3])" -i 'a.npy[:,3]'
check 'one in the order of Fortran' made 4 o.npy "${half}np.load('a.npy')[::2])" -i 'f.npy:/data[::2]'
check 'numbers only' made 3 o.h5 "${half}np.load('a.npy'))" -i a.raw --raw f4:5x6x7 --byte-order big
check 'a part of them' made 2 o.npy "${half}np.load('a.npy')[1:, ..., 2])" -i 'a.raw[...,2]' --raw '>f4:4x6x7' --offset 168
check 'in single precision' made 2 o.npy "${half}np.load('a.npy'))" -i a.npy --precision single
check 'whose type is complex64' "$PYTHON" -c 'import numpy as np; assert np.load("o.npy").dtype.newbyteorder("=") == "c8"'
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

whole='np.fft.fftn(np.load("a.npy") - 1j * np.load("a.npy")[::-1])'
for names in ir ReIm imagreal reim RealImaginary; do
  check "complex numbers of $names" made 2 o.npy "$whole" -i odd.h5:/$names
done
if test -e complex.h5; then
  check "complex numbers of HDF5 2" made 2 o.npy "$whole" -i complex.h5:/d
  check 'compressed ones' made 3 o.npy "$whole" -i complex.h5:/z
fi
check 'booleans' made 2 o.npy "${half}np.load('a.npy') > 0.5)" -i odd.h5:/true
check 'compressed ones' made 3 o.npy "${half}np.load('a.npy') > 0.5)" -i odd.h5:/truez
check 'an enumeration' made 2 o.npy "${half}(np.load('a.npy') * 3).astype(int))" -i odd.h5:/enum
check 'never written' made 2 o.npy "${half}np.full((4, 5), 2.5))" -i odd.h5:/never
check 'and a warning' grep -q "warning: 'odd.h5:/never' has never been written: all its elements are the fill value" err.txt
check 'nor its chunks' made 2 o.npy "${half}np.full((4, 5), -1.))" -i odd.h5:/chunks
check 'a virtual dataset of this file' made 2 o.npy "${half}np.load('a.npy')[:2])" -i odd.h5:/virtual
check 'a part of it' made 2 o.npy "${half}np.load('a.npy')[1, ::2])" -i 'odd.h5:/virtual[1,::2]'

check 'a virtual dataset of another file' made 2 o.npy "${half}np.stack([np.load('a.npy')[0], u['odd[1]'][1]]))" -i odd.h5:/other --external
check 'external storage' made 3 o.npy "${half}np.fromfile('a.raw', '>f4').reshape(5, 6, 7))" -i odd.h5:/external --external
check 'an external link' made 2 o.npy "${half}u['odd[1]'])" -i odd.h5:/out --external

refused() { # STATUS WORDS OPTIONS...
  status=$1 words=$2
  shift 2
  fails "$status" "$words" transform "$@" -q
}
wrong() { check "wrong: $2 $3" refused "$1" "$3" -o new.h5 -i "$2"; }
check 'a filter takes three' fails 65 "it has 5 dimensions, not 1, 2 or 3" filter -i u.h5:/u -o new.h5 --lowpass 1
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
wrong 65 odd.h5:/huge 'it claims 89.4 GiB, the file holds 0 bytes'
wrong 65 odd.h5:/external 'its data is in other files (external storage)'
check 'and what reads it' grep -q 'hint: --external' err.txt
wrong 65 odd.h5:/out 'it is in another file'
check 'a folder of filters that is not there' refused 64 "cannot use the filters in 'nowhere'" -i u.h5:/z[0,0] -o new.h5 --filters nowhere
for name in elsewhere linked nested; do wrong 65 odd.h5:/$name 'its data is in other files (a virtual dataset)'; done
# hinted FILE WORDS: not HDF5, and what makes it so
hinted() { refused 65 'it is not an HDF5 file' -i "$1" -o new.h5 && grep -q "hint: $2" err.txt; }
check 'netCDF-3' hinted classic.nc 'it is netCDF-3: nccopy -k nc4'
check 'FITS' hinted x.fits 'it is FITS'
check 'MATLAB' hinted x.mat 'it is a file of MATLAB: save with -v7.3'
check 'gzip' hinted x.gz 'it is compressed'
check '.npz' hinted a.npz 'it is an archive (.npz): numpy.save'
check 'numbers only' hinted a.raw '--raw, or pfft3d_dataset_open()'
wrong 66 'no.npy[0]' 'No such file'
wrong 65 objects.npy 'Python objects'
wrong 65 pairs.npy 'its type is a structure'
wrong 65 text.npy 'not a real or complex number'
wrong 65 dates.npy 'not a real or complex number'
wrong 65 one.npy 'no dimension, but a single number'
wrong 65 empty.npy 'dimension 1 is 0'
wrong 65 a.npy:/a 'has only /data'
check 'a path in a .npy file' refused 64 'only the dataset /data' -i a.npy -o new.npy:/x
check 'nothing to take a mean of' refused 65 'no finite value' -i none.npy -o new.h5 --fill mean
check 'a fill that is no number' refused 64 'expected mean or a number' -i a.npy -o new.h5 --fill nan
check 'without it' refused 65 'not finite: 2 of them' -i hole.npy -o new.h5 --strict
check 'an input that would be replaced' refused 64 'that is the input' -i 'a.npy[0]' -o new.h5 --json a.npy
check 'or be the output' refused 64 'that is the input' -i 'a.npy[0]' -o a.npy --force
raw() { check "wrong: --raw $2" refused "$1" "$3" -i a.raw -o new.h5 --raw "$2"; }
raw 65 f4:5x6x8 'the shape takes 960 bytes, the file holds 840 bytes'
raw 65 f4:5x6x6 'the shape takes 720 bytes, the file holds 840 bytes'
raw 65 f8:99999999x99999999x99999999 'its size overflows'
for text in f4 f4: f4:5x f4:x5 f4:0x5 f4:-1x5 '4:5' 'f4:5x6x7 ' f4:1x1x1x1x1x1x1x5x6 q8:105 f3:5 5x6x7:f4; do
  raw 64 "$text" 'cannot read the layout'
done
check 'an offset beyond the end' refused 65 'the file holds 0 bytes' -i a.raw -o new.h5 --raw f4:5x6x7 --offset 900
check 'a layout of a .npy file' refused 65 'it is a .npy file' -i a.npy -o new.h5 --raw f8:5x6x7
check 'a layout of an HDF5 file' refused 65 'it is an HDF5 file' -i u.h5 -o new.h5 --raw f8:5x6x7
echo "1..$number"
exit $bad
