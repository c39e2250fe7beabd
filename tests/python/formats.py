# SPDX-License-Identifier: BSD-3-Clause
"""Random parts of random arrays, in every format, as the Python package reads them, beside numpy's:

    mpirun -n 3 python3 formats.py COUNT SEED

Each rank reads a box of its own of what is selected.  Selections that numpy refuses, or that leave no dimension,
are refused.  Then arrays of every type, order and precision are written and read.
"""
import os
import sys

import h5py
import numpy as np
from trial import comm, refused

import pfft3d

TYPES = ["f8", "f4", ">f8", ">f4", "f2", ">f2", "i1", "u1", "i2", ">i2", "u4", ">u4", "i8", "c16", "c8", ">c16", "?"]
if np.dtype("g").itemsize == 16:
    TYPES.append("g")
FORMATS = ["h5", "gzip", "npy", "fortran", "raw"]
random = np.random.default_rng(int(sys.argv[2]))


def array(shape, dtype):
    """Small whole numbers, which every type holds."""
    a = random.integers(0, 99, shape)
    return (a + 1j * a[::-1] if np.dtype(dtype).kind == "c" else a).astype(dtype)


def bound(n):
    return random.choice(["", str(random.integers(-n - 2, n + 3))])


def item(n, dims):
    """An index or a slice, often one that is in range."""
    if random.random() < max(0.2, 1 - 2.2 / dims):
        return str(random.integers(-n, n) if random.random() < 0.97 else random.integers(-n - 1, n + 2))
    blank = " " * random.integers(0, 2)
    text = f"{bound(n)}{blank}:{blank}{bound(n)}" if random.random() < 0.4 else ":"
    return text if random.random() < 0.6 else f"{text}:{random.integers(1, 4)}"


def selection(shape):
    dims = len(shape)
    items = [item(n, dims) for n in shape[:random.integers(dims // 2, dims + 1)]]
    if random.random() < 0.3:
        behind = random.integers(0, len(items) + 1)
        items = items[:behind] + ["..."] + [item(n, dims) for n in shape[dims - len(items) + behind:]]
    return "[" + ",".join(items) + "]" if items else ""


def write(file, form, a):
    """What the constructor of Dataset takes."""
    if form in ("npy", "fortran"):
        with open(file, "wb") as f:
            np.save(f, np.asfortranarray(a) if form == "fortran" else a)
        return {}
    if form == "raw":
        with open(file, "wb") as f:
            f.write(b"skipped" + a.tobytes() + b"more")
        order = {">": ">"}.get(a.dtype.str[0], "")
        return {"raw": f"{order}{a.dtype.str[1:]}:{'x'.join(map(str, a.shape))}", "offset": 7}
    with h5py.File(file, "w") as f:
        if form == "gzip":
            f.create_dataset("a", data=a, chunks=tuple((n + 1) // 2 for n in a.shape), compression=1)
        else:
            f["a"] = a
    return {}


def expected(a, text):
    """The elements, or None if there is nothing to read."""
    try:
        part = eval("a" + text) if text else a  # the text was made here
    except IndexError:
        return None
    return part if np.ndim(part) and part.size else None


def box(shape):
    """A box of this rank, which may be empty."""
    mine = np.random.default_rng(int(random.integers(1 << 30)) + comm.rank)
    ends = [sorted(mine.integers(0, n + 1, 2)) for n in shape]
    return [slice(int(lo), int(hi)) for lo, hi in ends]


def one(number):
    form = FORMATS[number % len(FORMATS)]
    dtype = TYPES[number % len(TYPES)]
    if dtype == "?" and form in ("h5", "gzip"):
        dtype = "u1"  # h5py's booleans are an enumeration
    shape = tuple(int(n) for n in random.integers(1, 6, random.integers(1, 9)))
    a, text = array(shape, dtype), selection(shape)
    file = os.path.join(comm.bcast(os.getcwd()), "part." + form)
    more = {}
    if comm.rank == 0:
        more = write(file, form, a)
    more = comm.bcast(more)
    want, name = expected(a, text), file + (":/a" if form in ("h5", "gzip") else "") + text
    if want is None:
        refused(65, "", pfft3d.Dataset, name, **more)
        return 0
    with pfft3d.Dataset(name, **more) as found:
        whole = [slice(0, n) for n in want.shape]
        assert found.shape == want.shape, (name, shape, found.shape, want.shape)
        for slices in (whole, box(want.shape)):
            have = found.read(slices)
            assert np.array_equal(have, want[tuple(slices)]), (name, shape, a.dtype, slices)
    return 1


def outputs():
    """Files that are written are read by numpy and h5py."""
    folder = comm.bcast(os.getcwd())
    for dtype in ("f8", "f4", "c16", "c8"):
        for shape in ((7, 6, 5), (1, 1, 3), (4, 3), (9,), (3, 2, 4, 5), (2, 1, 3, 1, 2, 3, 1, 2)):
            a = array(shape, dtype)
            lo, hi = (shape[0] * (comm.rank + k) // comm.size for k in (0, 1))
            slices = [slice(lo, hi)] + [slice(0, n) for n in shape[1:]]
            for name in os.path.join(folder, "out.npy"), os.path.join(folder, "out.h5"):
                to = name + (":/a" if name.endswith("h5") else "")
                pfft3d.write(to, np.ascontiguousarray(a[tuple(slices)]), slices, shape, overwrite=True)
                have = np.load(name) if to == name else h5py.File(name)["a"][()]
                assert have.dtype == a.dtype and np.array_equal(have, a), (dtype, shape)
                comm.barrier()


read = sum(one(number) for number in range(int(sys.argv[1])))
assert read > int(sys.argv[1]) // 3, read
outputs()
if comm.rank == 0:
    print(f"{read} parts of {sys.argv[1]} read")
