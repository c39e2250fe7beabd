# SPDX-License-Identifier: BSD-3-Clause
"""PFFT and Transfer over this library against those of mpi4py-fft, on the same random numbers:
mpirun -n 4 python3 mpi4py_fft_cases.py [COUNT SEED]"""
import sys
from itertools import permutations, product

import mpi4py_fft
import numpy as np
from mpi4py import MPI
from mpi4py_fft.pencil import Pencil, Subcomm, Transfer as TheirTransfer

import pfft3d.mpi4py_fft as ours

comm = MPI.COMM_WORLD
count, seed = (int(a) for a in sys.argv[1:3]) if len(sys.argv) > 2 else (40, 1)
random = np.random.default_rng(seed)  # the same on all ranks


def filled(shape, dtype):
    """Numbers that are the same on all ranks."""
    values = random.random(shape) - 0.5
    return (values + 1j * (random.random(shape) - 0.5) if np.dtype(dtype).kind == "c" else values).astype(dtype)


def gathered(fft, array, spectrum):
    """The whole array on all ranks."""
    whole = np.zeros(fft.global_shape(spectrum), array.dtype)
    whole[fft.local_slice(spectrum)] = array
    return comm.allreduce(whole)


def arguments():
    """Of a random PFFT."""
    dims = random.integers(2, 4)
    shape = [int(n) for n in random.integers(2 * comm.size + 1, 2 * comm.size + 9, dims)]
    found = {"shape": shape, "dtype": "fdFD"[random.integers(4)]}
    order = random.choice(list(permutations(range(dims)))).tolist()
    kind = random.integers(5)
    if kind == 1:
        found["axes"] = order
    elif kind == 2:
        found["axes"] = order[:random.integers(1, dims + 1)]
    elif kind == 3 and dims == 3:
        found["axes"] = [(order[0],), tuple(order[1:])]
    elif kind == 4:
        found["collapse"] = True
    last = found.get("axes", [-1])[-1]
    last = last if isinstance(last, int) else last[-1]
    how = random.integers(4)
    if how == 1 and kind != 3:
        found["slab"] = True
    elif how == 2 and kind != 3:
        grid = [1] * dims
        grid[(last + 1) % dims] = -1
        found["grid"] = grid
    if kind not in (3, 4) and random.integers(2):
        found["padding"] = [(1, 1.5, 2)[i] for i in random.integers(0, 3, dims)]
    return found


def check_case(number):
    given = arguments()
    words = f"case {number} on {comm.size} ranks: {given}"

    def fresh():
        return {**given, "padding": list(given["padding"])} if "padding" in given else given

    try:
        theirs = mpi4py_fft.PFFT(comm, **fresh())
    except ValueError as error:  # 2.0.4 asks numpy 1.24 for the ndim of groups of axes
        if "inhomogeneous" not in str(error):
            raise
        return False
    mine = ours.PFFT(comm, **fresh())
    for side in (False, True):
        assert mine.global_shape(side) == theirs.global_shape(side), words
        assert mine.dtype(side) == theirs.dtype(side), words
        assert mine.shape(side) == tuple(s.stop - s.start for s in mine.local_slice(side)), words
        if side is False or len(mine.axes) == sum(map(len, mine.axes)):
            assert mine.local_slice(side) == theirs.local_slice(side), words
    assert mine.axes == theirs.axes and len(mine.xfftn) == len(theirs.xfftn), words
    limit = 2e-5 if mine.dtype(True) == np.complex64 else 1e-13
    for side, name in ((False, "forward"), (True, "backward")):
        whole = filled(mine.global_shape(side), mine.dtype(side))
        if side and mine.dtype(False).kind == "f":  # of a real field
            whole = gathered(theirs, theirs.forward(gathered_part(theirs)), True)
        for normalize in (None, True, False):
            kw = {} if normalize is None else {"normalize": normalize}
            want = gathered(theirs, getattr(theirs, name)(whole[theirs.local_slice(side)], **kw), not side)
            u = (ours if random.integers(2) else mpi4py_fft).newDistArray(mine, side)
            out = (ours if random.integers(2) else mpi4py_fft).newDistArray(mine, not side)
            u[...] = whole[mine.local_slice(side)]
            given_out = random.integers(2)
            result = getattr(mine, name)(u, *([out] if given_out else []), **kw)
            assert not given_out or result is out, words
            assert np.array_equal(u, whole[mine.local_slice(side)]), f"{words}: the input was changed"
            got = gathered(mine, np.asarray(result), not side)
            error = np.max(np.abs(got - want)) / max(1e-30, np.max(np.abs(want)))
            assert error < limit, f"{words}, {name}, normalize {normalize}: {error}"
    mine.destroy()
    theirs.destroy()
    return mine.fallback


def gathered_part(fft):
    return filled(fft.global_shape(False), fft.dtype(False))[fft.local_slice(False)]


def check_arrays(shape, rank, kind):
    """Those of newDistArray() are redistributed by themselves, without install(), and share no pencil."""
    fft = ours.PFFT(comm, shape, dtype=kind)
    whole = filled((len(shape),) * rank + fft.global_shape(True), fft.dtype(True))
    lead = (slice(None),) * rank
    for axis in range(len(shape)):
        u, other = (ours.newDistArray(fft, True, rank=rank) for _ in range(2))
        before = u.alignment
        u[...] = whole[lead + fft.local_slice(True)]
        v = u.redistribute(axis)
        assert v.alignment == axis and np.array_equal(v, whole[v.local_slice()]), (shape, rank, kind, axis)
        assert other.alignment == before == fft.pencil[1].axis, (shape, rank, kind, axis)
        out = mpi4py_fft.DistArray(v.global_shape, subcomm=v.pencil.subcomm, dtype=v.dtype, alignment=axis, rank=rank)
        if v is not u:
            u.redistribute(out=out)
            assert np.array_equal(out, v), (shape, rank, kind, axis)
    fft.destroy()


def random_transfer():
    """Any two axes, dimensions and types."""
    dims = int(random.integers(2, 6))
    shape = [int(n) for n in random.integers(comm.size, comm.size + 4, dims)]
    axis, to = (int(a) for a in random.choice(dims, 2, replace=False))
    return shape, axis, to, random.choice(list("fdFDil"))


def check_transfer(shape, axis, to, dtype, others=0):
    """To arrays in any order of memory.  others: ranks along other axes than the two."""
    sizes = [others] * len(shape)
    sizes[axis], sizes[to] = 1, 0
    subcomm = Subcomm(comm, sizes)
    a, whole = Pencil(subcomm, shape, axis), (100 * filled(shape, "d")).astype(dtype)
    b = a.pencil(to)
    here, there = (whole[tuple(slice(s, s + n) for s, n in zip(p.substart, p.subshape))] for p in (a, b))
    move = a.transfer(b, dtype)
    assert isinstance(move, ours.Transfer)
    for back, source, want in ((False, here, there), (True, there, here)):
        out = np.zeros(want.shape, dtype, order=random.choice(["C", "F"]))
        (move.backward if back else move.forward)(source, out)
        assert np.array_equal(out, want), (shape, axis, to, dtype, back)
    move.destroy()
    subcomm.destroy()


fallbacks = sum(bool(check_case(i)) for i in range(count))
for sizes, rank, kind in product(((2 * comm.size, 6), (2 * comm.size, 6, 8)), (0, 1, 2), (float, complex)):
    check_arrays(sizes, rank, kind)
padded = ours.PFFT(comm, np.array([8, 9]), padding=[1.5, 1.5])
assert padded.plan and padded.global_shape(True) == (8, 5)
padded.destroy()
short = ours.PFFT(comm, np.array([2 * comm.size, 9], np.int32))  # products of such numbers have 32 bits
assert all(type(n) is int for n in (*short.global_shape(), *short.shape(False), short._layout.points))
short.destroy()
short = ours.PFFT(comm, darray=mpi4py_fft.DistArray(np.array([2 * comm.size, 9, 4], np.int32), dtype=complex))
held = short._layout.options
assert all(type(n) is int for box in held["boxes"].values() for s in box for n in (s.start, s.stop)), held
assert all(type(n) is int for strides in held["strides"].values() for n in strides), held
short.destroy()
ours.install()
for _ in range(count // 2):
    check_transfer(*random_transfer())
for sizes in product((1, 2), (1, 3)):  # what follows the axes has more bytes than an element may have
    shape = [sizes[0], comm.size, sizes[1], comm.size + 1, 8200]
    check_transfer(shape, 1, 3, "d", 1)
    check_transfer(np.array(shape, np.int32), 3, 1, "d", 1)
ours.uninstall()
assert mpi4py_fft.pencil.Transfer is TheirTransfer and mpi4py_fft.PFFT is not ours.PFFT
ours.install(pfft=True)
assert mpi4py_fft.PFFT is ours.PFFT and mpi4py_fft.PFFT(comm, [comm.size] * 4).fallback.startswith("4 dimensions")
ours.uninstall()
if comm.rank == 0:
    print("fallbacks", fallbacks, "tried", count, "wrong 0")
