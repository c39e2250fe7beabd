# SPDX-License-Identifier: BSD-3-Clause
"""Files through the Python package; with h5py where it is there:  mpirun -n 3 python3 files.py"""
import os

import numpy as np
from trial import comm, fails, odd, refused

import pfft3d

long = "x" + 2500 * "\u00e9"  # of two bytes each, from an odd one on
name = os.path.join(comm.bcast(os.getcwd()), f"field-{comm.size}.h5")

for shape, type, precision in [((7, 6, 5), "r2c", "double"), ((4, 3), "c2c", "single"), ((9,), "c2c", "double")]:
    plan = pfft3d.Plan(shape, type, precision=precision)
    whole = np.random.default_rng(1).random(shape).astype(plan.dtype("space"))
    u = plan.empty("space")
    u[...] = whole[plan.slices("space")]
    pfft3d.write_plan(name + ":/a/field", u, plan, "space", overwrite=True, attributes={"unit": "m/s", "long": long})
    refused(73, "or overwrite in the library", pfft3d.write_plan, name + ":/field", u, plan, "space")
    with pfft3d.Dataset(name) as found:
        assert (found.shape, found.path, found.attribute("unit")) == (shape, "/a/field", "m/s"), vars(found)
        assert found.dtype == plan.dtype("space"), (found.dtype, found.type)
        assert found.attribute("long") == long and found.attribute("none") == "" and found.complex == (type == "c2c")
        assert np.array_equal(found.read_into(plan), u)
        everything = found.read([slice(0, n) for n in shape], plan.dtype("space"))
        assert np.array_equal(everything, whole) and found.nonfinite == 0
        refused(64, "shape is", found.read_into, pfft3d.Plan((2, 2)))
    refused(64, "closed", found.read, [slice(0, n) for n in shape])
for words, dtype in [("uint8", "u1"), ("int16 big-endian", ">i2"), ("float64 big-endian", ">f8"), ("float16", "<f2"),
                     ("complex128 big-endian", ">c16"), ("int24", None), ("float64 odd-endian", None)]:
    assert pfft3d._files._stored(words) == (dtype and np.dtype(dtype)), words
refused(66, "none.h5", pfft3d.Dataset, "none.h5")
for odd_name in (b"\xff\xfe.h5", 150 * "\u00e9" + ".h5", "x" + 150 * "\u00e9" + ".h5"):
    refused(66, "", pfft3d.Dataset, odd_name)
refused(64, "complex64, float32", pfft3d.write, name, np.zeros(1, int), [slice(0, 1)], (1,), overwrite=True)
refused(64, "box of this rank", pfft3d.write, name, np.zeros(2), [slice(0, 1)], (1,), overwrite=True)
refused(64, "NUL", pfft3d.Dataset, "none\0.h5")
refused(64, "NUL", pfft3d.write, name + ":/\0", np.zeros(int(comm.rank < 1)), [slice(0, comm.rank < 1)], (1,), overwrite=True)

# What one rank alone has wrong is an error on all of them.

mine = [slice(comm.rank, comm.rank + 1), slice(0, 2)]
row, shape = np.full((1, 2), 1.0 + comm.rank), (comm.size, 2)
whole = np.arange(1.0, comm.size + 1)[:, None] + np.zeros(2)
more = {"overwrite": True}
dataset = name + ":/rows"
pfft3d.write(dataset, row, mine, shape, **more)
for wrong in ([[1.0, 2.0], [3.0]], row[:, :1], row.astype(int)):
    fails(pfft3d.write, dataset, odd(wrong, row), mine, shape, **more)
fails(pfft3d.write, dataset, row, odd(3, mine), shape, **more)
fails(pfft3d.write, dataset, row, mine, shape, attributes=odd({3: 1}, {"a": 1}), **more)
fails(pfft3d.write, dataset, row, mine, shape, attributes=odd({"a": "\0"}, {"a": 1}), **more)
fails(pfft3d.write, odd(3, dataset), row, mine, shape, **more)
if comm.size > 1:
    fails(pfft3d.write, dataset, row, mine, odd((comm.size + 1, 2), shape), **more)
    fails(pfft3d.write, dataset, odd(row[0], row), odd(mine[1:], mine), odd((2,), shape), **more)
    said = fails(pfft3d.write, dataset, odd(row.astype("c8"), row), mine, shape, **more)
    assert f"float64 on rank 0, complex64 on rank {comm.size - 1}" in said, said
    for kind, other, empty in [("c16", "f8", 0), ("c8", "f8", comm.size - 1), ("f8", "c8", 0), ("f4", "O", 0)]:
        # of a rank without elements the dtype does not matter
        at = comm.rank - (comm.rank > empty)
        some = np.empty((0, 2), other) if comm.rank == empty else row.astype(kind) / 3
        place = [slice(0, 0) if comm.rank == empty else slice(at, at + 1), slice(0, 2)]
        pfft3d.write(dataset, some, place, (comm.size - 1, 2), **more)
        with pfft3d.Dataset(name) as found:
            assert found.dtype == kind and (found.read(place, kind) == some).all(), (kind, other, empty)
    pfft3d.write(dataset, row, mine, shape, **more)
fails(pfft3d.Dataset, odd(3, name))
with pfft3d.Dataset(name) as found:
    for wrong in (3, [slice(0, 1)], [slice(0, 1), slice(0, 2, 2)], [slice(0, 1), "a"]):
        fails(found.read, odd(wrong, mine))
    fails(found.read, mine, odd("no dtype", "f8"))
    fails(found.read, mine, odd("i4", "f8"))
    fails(found.attribute, odd(3, "unit"))
    fails(found.read_into, pfft3d.Plan(shape), odd("spac", "space"))
    assert np.array_equal(found.read(mine), row) and np.array_equal(found.read([slice(None), slice(-2, None)]), whole)
line = np.arange(2.0 * comm.size + 1) + 0j
part = slice(2 * comm.rank, 2 * comm.rank + (2 if comm.rank < comm.size - 1 else 3))
pfft3d.write(dataset, line[part], [part], line.shape, **more)
with pfft3d.Dataset(name) as found:
    for options in ({"layout": "cyclic"}, {"order": "transposed"}):
        # the rank with one element alone has a slice without steps
        plan = pfft3d.Plan(line.shape, **options)
        side = "space" if "layout" in options else "spectrum"
        try:
            u = found.read_into(plan, side)
            assert np.array_equal(u, line[plan.indices(side)])
        except pfft3d.Error:
            u = plan.empty(side)
        if comm.size > 1 and side == "space":
            refused(64, "", found.read_into, plan, side)
            refused(64, "", pfft3d.write_plan, dataset, u, plan, side, **more)

# An exception of one rank ends nothing: the others are elsewhere.
found = pfft3d.Dataset(name)
try:
    with found:
        if comm.rank < comm.size - 1:
            comm.barrier()
        raise KeyError
except KeyError:
    if comm.rank == comm.size - 1:
        comm.barrier()
refused(64, "closed", found.read, [part])

# Boxes tile the array.
if comm.size > 1:
    twice = [slice(0, 1) if comm.rank < 2 else mine[0], slice(0, 2)]
    refused(64, "both hold", pfft3d.write, dataset, row, twice, shape, **more)
none = [slice(0, 0), slice(0, 2)] if comm.rank == comm.size - 1 else mine
refused(64, f"2 of {2 * comm.size} elements", pfft3d.write, dataset, odd(row[:0], row), none, shape, **more)
