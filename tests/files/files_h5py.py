# SPDX-License-Identifier: BSD-3-Clause
"""Files between pfft3d and h5py, for tests/files/files_h5py.sh:

    files_h5py.py check FILE TYPE PROBLEM...  each FILE, written by test_files --write PROBLEM FILE, is
                                              what h5py should see: numbers of TYPE
    files_h5py.py make DIRECTORY              datasets as h5py users write them; prints "NAME COMPLEX"
                                              for each
"""
import os
import sys

import h5py
import numpy as np

SHAPE = (9, 7, 5)


def numbers(shape, is_complex):
    """The numbers of tests/lib/files.h."""
    g = np.arange(np.prod(shape)).reshape(shape)
    real = (g * 7 % 101).astype("f8")
    return real - 1j * (g % 13) if is_complex else real


def check(*words):
    assert words and len(words) % 3 == 0, words
    for k in range(0, len(words), 3):
        check_file(*words[k:k + 3])


def check_file(name, kind, problem):
    with h5py.File(name, "r") as f:
        d = f["/a/b"]
        assert d.dtype == np.dtype(kind), d.dtype
        assert d.shape == (5, 4, 3), d.shape
        assert d.chunks is None and d.compression is None
        assert (d[...] == numbers(d.shape, np.dtype(kind).kind == "c")).all()
        said = d.attrs["problem"]
        said = said.decode() if isinstance(said, bytes) else said
        assert said == problem, said
    mask = os.umask(0)
    os.umask(mask)
    assert os.stat(name).st_mode & 0o777 == 0o666 & ~mask
    print("h5py", h5py.__version__, "reads it as", kind)


def make(directory):
    chunked = {"chunks": (4, 3, 5)}
    cases = []
    for kind in "u1 i1 <u2 >i2 >u4 <i4 <u8 >i8 <f4 >f4 <f8 >f8 <c8 >c8 <c16 >c16".split():
        cases.append((kind, {}))
        cases.append((kind, dict(chunked, compression="gzip", shuffle=True)))
    cases += [
        ("f2", {}),
        ("<f8", chunked),
        ("<f8", dict(chunked, fletcher32=True)),
        ("<f4", dict(chunked, shuffle=True)),
        ("<i4", dict(chunked, scaleoffset=0)),
        ("u1", dict(chunks=(1, 7, 5), maxshape=(None, 7, 5), compression="gzip")),
    ]
    for version in ("earliest", "latest"):
        for k, (kind, how) in enumerate(cases):
            name = os.path.join(directory, "%s%d.h5" % (version, k))
            is_complex = np.dtype(kind).kind == "c"
            with h5py.File(name, "w", libver=version) as f:
                f.create_dataset("g/x", data=numbers(SHAPE, is_complex).astype(kind), **how)
            print(name, int(is_complex))


if __name__ == "__main__":
    {"check": check, "make": make}[sys.argv[1]](*sys.argv[2:])
