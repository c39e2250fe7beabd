# SPDX-License-Identifier: BSD-3-Clause
"""Arrays, errors, redistributions, ghost cells, tuning, functions of numpy and scipy:  mpirun -n 3 python3
arrays.py"""
import itertools
import os
import pickle

import numpy as np
from mpi4py import MPI
from trial import Dlpack, OnRequest, comm, main, refused

import pfft3d

s_ = np.s_


def slab(n, parts=None, rank=None):
    """Part of an axis of this rank, the first ones longer."""
    parts, rank = parts or comm.size, comm.rank if rank is None else rank
    lo = [sum(n // parts + (r < n % parts) for r in range(k)) for k in range(parts + 1)]
    return slice(lo[rank], lo[rank + 1]) if rank < parts else slice(n, n)


def test_errors():
    for words, options in [("valid are simd", {"engine": "fast"}), ("unknown key 'speed'", {"speed": 1}),
                           ("none is not a norm", {"norm": "none is not a norm"}), ("c2c, r2c", {"type": "r2r"}),
                           ("space, spectrum", {"boxes": {"time": s_[0:1, 0:1, 0:1]}}),
                           ("2 slices of an array of 3", {"boxes": {"space": s_[0:1, 0:1]}}),
                           ("not a tuple", {"boxes": {"space": 3}}),
                           ("the shape says it", {"size": (7, 7, 7)}), ("the shape says it", {"dims": 2}),
                           ("the shape says it", {"problem": "c2c:d:4x5x6*4000"}),
                           ("hold", {"boxes": {"space": s_[0:4, 0:5, 0:5]}})]:
        refused(64, words, pfft3d.Plan, (4, 5, 6), **options)
    refused(64, "four", lambda: pfft3d.Plan("four"))
    refused(64, "4 sizes", pfft3d.Plan, (2, 2, 2, 2))
    refused(64, "COMM_NULL", pfft3d.Plan, (2, 2, 2), comm=MPI.COMM_NULL)
    refused(64, "mpi4py is needed", pfft3d.Plan, (2, 2, 2), comm=3)


def test_one_rank_alone_fails():
    """An error of one rank, found in Python, is an error on all of them."""
    boxes = {"space": s_[0:4, 0:5, 0:6] if comm.rank else s_[0:4]}
    try:
        pfft3d.Plan((4, 5, 6), boxes=boxes)
        raise AssertionError("no error")
    except pfft3d.Error as error:
        assert error.status == 64


def test_wrong_arrays():
    plan = pfft3d.Plan((8, 6, 4), type="r2c")
    u, uh = plan.empty("space"), plan.empty("spectrum")
    for words, given, out in [("shape", np.zeros(3), None), ("float64 is needed", u.astype("f4"), uh),
                              ("order of its memory", u.copy("F"), uh), ("out: its dtype", u, u),
                              ("no array", "words", uh), ("float64 is needed", u.astype(">f8"), uh)]:
        if u.size and plan.local_shape("space")[0] > 1:
            refused(64, words, plan.forward, given, uh if out is None else out)
    uh.flags.writeable = False
    refused(64, "read-only", plan.forward, u, uh)
    refused(64, "space, spectrum", plan.empty, "time")
    refused(64, "forward, backward", plan.stats, "up")
    refused(64, "not from empty()", plan.view, np.zeros(3), "space")
    plan.close()
    plan.close()
    for call in (plan.forward, plan.backward):
        refused(64, "closed", call, u)
    refused(64, "closed", plan.empty, "space")
    assert "closed" in repr(plan)


def test_other_memory():
    """Arrays of others: numpy's own, buffers, __dlpack__."""
    plan = pfft3d.Plan((5, 4, 6))
    u = np.random.default_rng(comm.rank).random(plan.local_shape("space")) + 0j
    want = plan.forward(u)

    out = np.empty(plan.local_shape("spectrum"), complex)
    assert plan.forward(Dlpack(u), out) is out
    assert np.array_equal(out, want)
    if u.size:
        plan.forward(memoryview(u), out)
    else:
        plan.forward(u, out)
    assert np.array_equal(out, want)


def test_memory_on_request():
    """What an array makes when it is asked lives until the call is over."""
    plan = pfft3d.Plan((5, 4, 6))
    u = np.random.default_rng(comm.rank).random(plan.local_shape("space")) + 0j
    want = plan.forward(u)
    assert np.array_equal(plan.forward(OnRequest(u)), want)
    out = OnRequest(np.zeros(plan.local_shape("spectrum"), complex))
    plan.forward(u, out)
    assert np.array_equal(out.released[-1], want)
    box = tuple(slice(0, n) for n in (3, 2))
    given = np.arange(6.0).reshape(3, 2)
    with pfft3d.Redistribution((3, 2), box, box, comm=MPI.COMM_SELF) as r:
        assert np.array_equal(r.forward(OnRequest(given)), given)
        out = OnRequest(np.zeros((3, 2)))
        r.backward(given, out)
        assert np.array_equal(out.released[-1], given)
    with pfft3d.Halo((3, 2), box, (1, 0), (0, 0), comm=MPI.COMM_SELF) as halo:
        array = OnRequest(np.concatenate([np.zeros((1, 2)), given]))
        halo.fill(array)
        assert np.array_equal(array.released[-1], given[[2, 0, 1, 2]])


def test_exceptions_in_with():
    """They call nothing collective: the other ranks are elsewhere, here in barrier().  The next collective call frees."""
    mine = [slice(comm.rank, comm.rank + 1)]
    for make in (lambda: pfft3d.Plan((4, 4)), lambda: pfft3d.Redistribution((comm.size,), mine, mine),
                 lambda: pfft3d.Transposition((4, 4)), lambda: pfft3d.Halo((comm.size,), mine, (1,), (1,))):
        made = make()
        group, handle = made._group, made._keeper.handle
        try:
            with made:
                if comm.rank < comm.size - 1:
                    comm.barrier()
                raise KeyError("of each rank")
        except KeyError:
            if comm.rank == comm.size - 1:
                comm.barrier()
        made.close()
        assert handle in group.live
        pfft3d.Plan((4, 4)).close()
        assert handle not in group.live and not handle.pointer


def test_views_and_shapes():
    for order, batch in itertools.product(("natural", "transposed"), (None, 2)):
        plan = pfft3d.Plan((6, 5, 4), type="r2c", order=order, batch=batch)
        head = () if batch is None else (batch,)
        assert plan.global_shape("space") == head + (6, 5, 4)
        assert plan.global_shape("spectrum") == head + (6, 5, 3)
        count = np.zeros(plan.global_shape("spectrum"), int)
        count[plan.slices("spectrum")] += 1
        comm.Allreduce(MPI.IN_PLACE, count)
        assert (count == 1).all()
        uh = plan.empty("spectrum")
        assert uh.shape == plan.local_shape("spectrum") and uh.dtype == plan.dtype("spectrum") == complex
        if order == "transposed" and all(n > 1 for n in uh.shape):
            assert uh.strides[-3] < uh.strides[-2]
        kz, ky, kx = plan.wavenumbers(lengths=(2 * np.pi, np.pi, 1))
        assert np.broadcast_shapes(kz.shape, ky.shape, kx.shape) == uh.shape[-3:]
        whole = np.meshgrid(np.fft.fftfreq(6, 1 / 6), 2 * np.fft.fftfreq(5, 1 / 5),
                            2 * np.pi * np.arange(3), indexing="ij")
        mine = plan.slices("spectrum")[-3:]
        for k, w in zip((kz, ky, kx), whole):
            m = np.where(w == -3, 3, w)  # the sign of half the sampling rate is free
            assert np.allclose(np.where(k == -3, 3, k) + 0 * uh.real[(0,) * len(head)], m[mine])


def test_wavenumbers_differentiate():
    """The spectral derivative of a wave, by kinds too."""
    n, length = (16, 12), (2.0, 3.0)
    plan = pfft3d.Plan(n)
    x, y = (np.arange(m) * l / m for m, l in zip(n, length))
    field = np.exp(2j * np.pi * (3 * x[:, None] / length[0] - 2 * y[None, :] / length[1]))
    u = plan.empty("space")
    u[...] = field[plan.slices("space")]
    uh = plan.forward(u)
    uh *= 1j * plan.wavenumbers(length)[0]
    assert np.allclose(plan.backward(uh), 2j * np.pi * 3 / length[0] * field[plan.slices("space")])
    for sign, kind in ((+1, ["dft", "dft"]), (+1, ["dft", "none"]), (-1, ["dft", "none"])):
        other = pfft3d.Plan(n, sign=sign, kind=kind)
        v, (k0, k1) = other.empty("space"), other.wavenumbers(length)
        v[...] = field[other.slices("space")]
        uh = other.forward(v)
        uh *= 1j * k0
        assert np.allclose(other.backward(uh), 2j * np.pi * 3 / length[0] * field[other.slices("space")])
        assert not np.signbit(k0[k0 == 0]).any() and (kind[1] == "dft") == k1.any()
    plan = pfft3d.Plan((9, 8), type="r2c", kind=["dst1", "dft"])
    x = (np.arange(9) + 1) * length[0] / 10
    k0 = plan.wavenumbers((length[0], 1))[0]
    field = np.sin(np.pi * 3 * x / length[0])[:, None] + np.zeros(8)
    u = plan.empty("space")
    u[...] = field[plan.slices("space")]
    uh = plan.forward(u)
    uh *= k0**2
    assert np.allclose(plan.backward(uh), (np.pi * 3 / length[0]) ** 2 * field[plan.slices("space")])
    # half of the spectrum along an axis that is not the last one
    plan = pfft3d.Plan((4, 8, 5), type="r2c", kind=["dft", "dft", "dct2"])
    y = 2 * np.pi * np.arange(8) / 8
    field = np.sin(3 * y)[None, :, None] + np.zeros((4, 1, 5))
    u = plan.empty("space")
    u[...] = field[plan.slices("space")]
    uh = plan.forward(u)
    uh *= 1j * plan.wavenumbers()[1]
    want = 3 * np.cos(3 * y)[None, :, None] + np.zeros((4, 1, 5))
    assert np.allclose(plan.backward(uh), want[plan.slices("space")])


def slope(n):
    """The matrix of derivatives, on a side of 2 pi, of what runs through n points with the lowest waves."""
    i = np.arange(n)
    distance = np.pi * (i[:, None] - i) / n + np.eye(n)
    signs = (-1.0) ** (i[:, None] - i)
    return (1 - np.eye(n)) * signs / 2 / (np.sin(distance) if n % 2 else np.tan(distance))


def test_wavenumbers_of_odd_derivatives():
    """Random numbers have n/2 waves in an even number n of points, which have no slope in these."""
    n = (6, 8, 10)
    for options in ({}, {"sign": +1}, {"type": "r2c"}, {"type": "r2c", "kind": ["dft", "dft", "none"]}):
        plan = pfft3d.Plan(n, **options)
        field = np.random.default_rng(6).random(n) + (0 if "type" in options else 1j * np.random.default_rng(7).random(n))
        first = [np.einsum("ij,jbc->ibc", slope(6), field), np.einsum("ij,ajc->aic", slope(8), field),
                 np.einsum("ij,abj->abi", slope(10), field)]
        u = plan.empty("space")
        u[...] = field[plan.slices("space")]
        uh, k = plan.forward(u), plan.wavenumbers(odd=True)
        for a in range(2 if "kind" in options else 3):
            du = plan.backward(1j * k[a] * uh, plan.empty("space"))
            assert np.allclose(du, first[a][plan.slices("space")], atol=1e-11), (options, a)
        if "kind" not in options:
            mixed = np.einsum("ij,jbc->ibc", slope(6), first[2])
            du = plan.backward(-k[0] * k[2] * uh, plan.empty("space"))
            assert np.allclose(du, mixed[plan.slices("space")], atol=1e-11), options
    half = pfft3d.Plan((6, 8), "r2c", comm=MPI.COMM_SELF)
    assert [k.max() for k in map(np.abs, half.wavenumbers((np.pi, np.pi), odd=True))] == [4, 6]
    assert [k.max() for k in map(np.abs, half.wavenumbers((np.pi, np.pi)))] == [6, 8]
    kept = pfft3d.Plan((12, 5), keep=(6, 5), comm=MPI.COMM_SELF)  # of -3 waves and 3 there is but one, and it has a slope
    assert np.array_equal(kept.wavenumbers(odd=True)[0], kept.wavenumbers()[0])
    line = pfft3d.Plan((6,), "r2c", kind="r2hc", comm=MPI.COMM_SELF)
    assert line.wavenumbers(odd=True)[0].tolist() == [0, 1, 2, 0, -2, -1]


def test_multiplier():
    plan = pfft3d.Plan((6, 5, 8), type="r2c")
    rng = np.random.default_rng(5)
    field, m = rng.random((6, 5, 8)), [rng.random(6), rng.random(5), rng.random(5)]
    uh = plan.forward(plan.scatter(field if comm.rank == 0 else None, "space"))
    got = plan.gather(plan.backward(uh, multiplier=m), "space")
    if comm.rank == 0:
        want = np.fft.irfftn(np.fft.rfftn(field) * m[0][:, None, None] * m[1][:, None] * m[2], (6, 5, 8))
        assert np.allclose(got, want, atol=1e-14)
    refused(64, "axis has 5 modes", plan.backward, uh, multiplier=[m[0], m[1], rng.random(8)])
    refused(64, "2 vectors", plan.backward, uh, multiplier=m[:2])


def test_gather_scatter():
    for shape, options in [((7, 5, 3), {}), ((17,), {"layout": "cyclic"}), ((16,), {"order": "transposed"})]:
        plan = pfft3d.Plan(shape, **options)
        field = np.random.default_rng(3).random(shape) + 0j
        root = comm.size - 1
        mine = plan.scatter(field if comm.rank == root else None, "space", root)
        whole = plan.gather(plan.forward(mine), "spectrum", root)
        assert (whole is None) == (comm.rank != root)
        if whole is not None:
            assert np.allclose(whole, np.fft.fftn(field))
    refused(64, "the shape is", plan.scatter, field[1:] if comm.rank == 0 else None, "space")


class SmallPickles:
    """A communicator whose collectives of objects have small ones."""

    def __init__(self, comm):
        self.comm = comm

    def __getattr__(self, name):
        return getattr(self.comm, name)

    def gather(self, what, root):
        assert len(pickle.dumps(what)) < 1000
        return self.comm.gather(what, root)

    def allgather(self, what):
        assert len(pickle.dumps(what)) < 1000
        return self.comm.allgather(what)

    def scatter(self, parts, root):
        assert parts is None or all(len(pickle.dumps(p)) < 1000 for p in parts)
        return self.comm.scatter(parts, root)


def test_large_arrays_are_not_pickled():
    """As pickles of 2^31 bytes and more are an exception on one rank; and portions are put together."""
    sizes, group = (pfft3d._whole.PORTION, pfft3d._whole.CHUNK), pfft3d.Plan((4,))._group
    pfft3d._whole.PORTION, pfft3d._whole.CHUNK = 1000, 100
    real, group.comm = group.comm, SmallPickles(group.comm)
    try:
        for shape, options in [((17, 5, 7), {"type": "r2c", "precision": "single"}), ((1200,), {"layout": "cyclic"}),
                               ((12, 9, 8), {"order": "transposed", "batch": 2}), ((1200,), {"order": "transposed"}),
                               ((1200,), {"order": "transposed", "batch": 2})]:
            plan = pfft3d.Plan(shape, **options)
            for side in "space", "spectrum":
                field = np.random.default_rng(3).random(plan.global_shape(side)).astype(plan.dtype(side))
                for root in {0, comm.size - 1}:
                    mine = plan.scatter(field if comm.rank == root else None, side, root)
                    whole = plan.gather(mine, side, root)
                    assert comm.rank != root or np.array_equal(whole, field)
    finally:
        pfft3d._whole.PORTION, pfft3d._whole.CHUNK = sizes
        group.comm = real


def test_ghosts():
    plan = pfft3d.Plan((6, 5, 4), ghosts={"space": ((1, 2, 0), (2, 0, 3))})
    other = pfft3d.Plan((6, 5, 4))
    u, v = plan.empty("space"), other.empty("space")
    v[...] = u[...] = np.random.default_rng(comm.rank).random(u.shape)
    if u.size:
        assert u.strides[1] == 16 * 7
    assert np.allclose(plan.forward(u), other.forward(v))
    assert np.allclose(plan.backward(plan.forward(u)), v)


def test_deterministic_ranks():
    """Cuts, bricks and boxes give what the usual cut gives."""
    field = np.random.default_rng(4).random((6, 5, 4)) + 0j
    want = np.fft.fftn(field)
    bricks = {1: (1, 1, 1), 2: (1, 2, 1), 3: (1, 1, 3), 4: (2, 1, 2)}[comm.size]
    at = [0] + [6] * comm.size
    for options in [{"cuts": {0: at, ("spectrum", 0): at}}, {"bricks": bricks},
                    {"boxes": {"space": (slice(0, 6), slab(5), slice(0, 4)),
                               "spectrum": (slice(0, 6), slice(0, 5), slab(4))}}]:
        plan = pfft3d.Plan((6, 5, 4), decomp="slab", **options)
        u = plan.empty("space")
        u[...] = field[plan.slices("space")]
        assert np.allclose(plan.forward(u), want[plan.slices("spectrum")]), options


def test_axes_are_those_of_numpy():
    """Of cuts and bricks, also where there are fewer than three."""
    field = np.random.default_rng(4).random((6, 5)) + 0j
    at, lengths = [0] + [6] * comm.size, [6] + [0] * (comm.size - 1)
    for options in [{"cuts": {0: at, ("spectrum", 0): at}}, {"cuts": {-2: at, ("spectrum", -2): at}},
                    {"bricks": (1, comm.size)}]:
        plan = pfft3d.Plan((6, 5), **options)
        assert plan.local_shape("space") == ((6, (slab(5).stop - slab(5).start)) if "bricks" in options
                                             else (lengths[comm.rank], 5)), options
        u = plan.empty("space")
        u[...] = field[plan.slices("space")]
        assert np.allclose(plan.forward(u), np.fft.fftn(field)[plan.slices("spectrum")]), options
    line = pfft3d.Plan((9,), cuts={0: [0] + [9] * comm.size})
    assert line.local_shape("space") == (9 if comm.rank == 0 else 0,)
    for wrong in (2, -3, "two", ("space", 0, 1), None):
        refused(64, "cuts: ", pfft3d.Plan, (6, 5), cuts={wrong: at})
    refused(64, "3 numbers, here 2 are needed", pfft3d.Plan, (6, 5), bricks=(1, 1, comm.size))


def test_redistribution():
    n = (7, 5, 3)
    whole = np.arange(105).reshape(n)
    before = (slab(7), slice(0, 5), slice(0, 3))
    after = (slice(0, 7), slab(5), slice(0, 3))
    dtypes = ("i8", "c16", "u1", "f4,i4")
    for number, exchange in enumerate(pfft3d.names("exchanges")):
        for axes, dtype in ((None, dtypes[number % 4]), ((1, 2, 0), dtypes[(number + 1) % 4])):
            data = whole.astype(dtype)
            with pfft3d.Redistribution(n, before, after, dtype, exchange=exchange, axes_after=axes) as r:
                u = np.ascontiguousarray(data[before])
                v = r.forward(u)
                assert (v == data[after]).all(), (exchange, axes, dtype)
                assert (r.backward(v) == u).all()
    if comm.size > 1:
        refused(64, "both hold", pfft3d.Redistribution, n, s_[0:7, 0:5, 0:3], after)
    refused(64, "no order of 3 axes", pfft3d.Redistribution, n, before, after, axes_after=(0, 1, 1))
    refused(64, "5 dimensions", pfft3d.Redistribution, (1,) * 5, (), ())
    r = pfft3d.Redistribution(n, before, after, float)
    refused(64, "its dtype", r.forward, np.ones(1, "i4"))
    refused(64, "its shape", r.forward, np.ones((9, 9, 9)))
    fixed = r.empty("after")
    fixed.flags.writeable = False
    refused(64, "read-only", r.forward, r.empty("before"), fixed)


def test_halo():
    n = (4 * comm.size, 5)
    whole = np.arange(float(np.prod(n))).reshape(n)
    box = (slice(4 * comm.rank, 4 * comm.rank + 4), slice(0, 5))
    for exchange in pfft3d.names("exchanges"):
        with pfft3d.Halo(n, box, (1, 0), (2, 3), periodic=(True, False), exchange=exchange) as halo:
            x = halo.empty()
            x[...] = -1
            x[halo.inner] = whole[box]
            halo.fill(x)
        rows = np.arange(4 * comm.rank - 1, 4 * comm.rank + 6) % n[0]
        assert (x[:, :5] == whole[rows]).all() and (x[:, 5:] == -1).all(), exchange
    with pfft3d.Halo(n, box, (1, 0), (2, 3)) as halo:
        fixed = halo.empty()
        fixed.flags.writeable = False
        refused(64, "read-only", halo.fill, fixed)
    assert pfft3d.Plan((4, 4), sign=+1).forward(pfft3d.Plan((4, 4)).empty("space")) is not None


def test_transposition():
    n0, n1, many = 7, 5, 2
    for exchange, blocks, many in [(e, b, m) for e in pfft3d.names("exchanges") for b, m in [((0, 0), 2), ((7, 2), 0)]]:
        if blocks[1] * comm.size < n1 and blocks[1]:
            blocks = (7, 5)
        whole = np.arange(n0 * n1 * max(1, many)).reshape((n0, n1, many) if many else (n0, n1))
        rows = [b or -(-n // comm.size) for b, n in zip(blocks, (n0, n1))]
        mine = [slice(min(n, b * comm.rank), min(n, b * (comm.rank + 1))) for b, n in zip(rows, (n0, n1))]
        for transposed in (False, True):
            with pfft3d.Transposition(whole.shape, whole.dtype, blocks=blocks, transposed_in=transposed,
                                      transposed_out=not transposed, exchange=exchange) as t:
                u = t.empty("before")
                u[...] = whole[mine[0]]
                v = t.forward(u)
                assert (v == whole.swapaxes(0, 1)[mine[1]]).all(), (exchange, blocks, many)
                assert (t.backward(v) == u).all()
                if v.size and min(v.shape[:2]) > 1:
                    assert (v.strides[0] < v.strides[1]) == (not transposed)
    refused(64, "not (n0, n1)", pfft3d.Transposition, (4,))
    refused(64, "not (n0, n1)", pfft3d.Transposition, (4, 4), blocks=(1, 1, 1))
    refused(64, "its shape", pfft3d.Transposition((2, 3)).forward, np.ones((9, 9)))
    refused(64, "before, after", pfft3d.Transposition((2, 3)).empty, "space")


def test_strides_of_numpy():
    """Boxes in the memory of arrays as numpy makes them: other orders, parts of larger arrays, a batch last."""
    n = (6, 5, 8)
    box, field = (slab(6), slice(0, 5), slice(0, 8)), np.random.default_rng(6).random(n)
    lengths = tuple(s.stop - s.start for s in box)
    larger = np.zeros((lengths[0] + 1, 7, 9))
    for u in (np.empty(lengths, order="F"), larger[:-1, 1:-1, :-1], np.empty(lengths[::-1]).T,
              np.empty((lengths[1], lengths[0], 8)).swapaxes(0, 1), np.empty((*lengths, 3))[..., 1]):
        plan = pfft3d.Plan(n, "r2c", boxes={"space": box}, strides={"space": u.strides})
        u[...] = field[box]
        uh = plan.forward(u)
        assert np.allclose(uh, np.fft.rfftn(field)[plan.slices("spectrum")])
        u[...] = 0
        plan.backward(uh, out=u)
        assert np.allclose(u, field[box])
        v = plan.empty("space")
        v[...] = field[box]
        assert np.array_equal(plan.forward(v), uh)
        if u.size and 1 not in u.shape:
            assert v.strides == u.strides
            refused(64, "order of its memory", plan.forward, np.ascontiguousarray(u)[::-1])
    assert not larger[-1].any() and not larger[:, 0].any() and not larger[..., -1].any()
    pair = np.empty((*lengths, 2)).transpose(3, 0, 1, 2)
    plan = pfft3d.Plan(n, "r2c", batch=2, boxes={"space": box}, strides={"space": pair.strides})
    pair[0], pair[1] = field[box], 2 * field[box]
    if pair.size or comm.size == 1:
        assert plan.local_shape("space") == pair.shape
    uh = plan.forward(pair)
    assert np.allclose(uh[1], 2 * np.fft.rfftn(field)[plan.slices("spectrum")[1:]])
    for words, strides in [("not negative", (-320, 64, 8)), ("multiples of 8", (320, 64, 4)), ("3 axes", (64, 8))]:
        refused(64, words, pfft3d.Plan, n, "r2c", boxes={"space": box}, strides={"space": strides})
    refused(64, "has no box", pfft3d.Plan, n, strides={"space": (320, 64, 8)})


def part(whole, lengths):
    begin = sum(lengths[: comm.rank])
    return whole[begin:begin + lengths[comm.rank]]


def test_functions():
    rng = np.random.default_rng(9)
    lengths = [r + (r != 1) for r in range(comm.size)]  # one rank has few, one has none where there are many
    for rest, dtype in itertools.product([(), (5,), (4, 3), (2, 6)], ("f8", "f4", "c16", "i4")):
        whole = rng.integers(-9, 9, (sum(lengths), *rest)).astype(dtype)
        u, tolerance = part(whole, lengths), 1e-3 if dtype == "f4" else 1e-11
        for norm in (None, "ortho", "forward"):
            for name in ("fftn", "ifftn"):
                got, want = getattr(pfft3d, name)(u, norm=norm), getattr(np.fft, name)(whole, norm=norm)
                assert np.allclose(got, part(want, lengths), atol=tolerance), (name, rest, dtype, norm)
                assert got.dtype == (np.complex64 if dtype == "f4" else complex)
        if dtype != "c16" and rest:
            half = pfft3d.rfftn(u)
            assert np.allclose(half, part(np.fft.rfftn(whole), lengths), atol=tolerance)
            assert np.allclose(pfft3d.irfftn(half, whole.shape), u, atol=tolerance)
    line = rng.random(12 * comm.size + 1)
    half = pfft3d.rfftn(line[slab(len(line))])
    assert np.allclose(half, np.fft.rfft(line)[slab(len(line) // 2 + 1)])
    assert np.allclose(pfft3d.irfftn(half, [len(line)]), line[slab(len(line))])


def along_axes():
    """Shapes, sizes s and axes: one to three axes, in any order, longer and shorter."""
    yield (5,), (9,), None
    yield (7,), (4,), (0,)
    for shape, axes in [((6, 5), (1,)), ((6, 5), (0,)), ((4, 3), (1, 0)), ((6, 4, 5), (0, 1)), ((6, 4, 5), (2, 0)),
                        ((5, 4, 6), (-1,)), ((3, 4, 5), (1, 2, 0)), ((1, 4, 5), None)]:
        yield shape, None, axes
        count = len(shape) if axes is None else len(axes)
        yield shape, (8, 3, 7)[:count], axes
        yield shape, (2, 6, 4)[:count], axes
    yield (5, 4, 6), (3, 9), None


def test_sizes_and_axes():
    rng = np.random.default_rng(10)
    for shape, s, axes in along_axes():
        lengths = [shape[0]] + [0] * (comm.size - 1)
        if comm.size > 1:
            lengths[0], lengths[-1] = shape[0] - shape[0] // 3, shape[0] // 3
        whole = rng.random(shape) + 1j * rng.random(shape)
        for name in ("fftn", "ifftn", "rfftn", "irfftn"):
            given = whole.real if name == "rfftn" else whole
            if name == "irfftn" and given.shape[0 if axes is None and len(shape) == 1 else (axes or (-1,))[-1]] < 2:
                continue
            numpys = axes if s is None or axes is not None else tuple(range(len(shape) - len(s), len(shape)))
            want = getattr(np.fft, name)(given, s, numpys)
            got = getattr(pfft3d, name)(part(given, lengths), s, axes)
            parts = lengths if want.shape[0] == shape[0] else [
                want.shape[0] // comm.size + (r < want.shape[0] % comm.size) for r in range(comm.size)]
            assert got.shape == part(want, parts).shape, (name, shape, s, axes, got.shape)
            assert np.allclose(got, part(want, parts)), (name, shape, s, axes)


def test_sizes_of_the_array():
    """-1 in s, which numpy has from 2.0 on."""
    lengths = [r + 2 for r in range(comm.size)]
    rows = sum(lengths)
    whole = np.random.default_rng(12).random((rows, 4, 5))
    for name, (s, axes, same) in itertools.product(("fftn", "ifftn", "rfftn", "irfftn", "dctn", "idstn"), [
            ((-1, 7), (0, 2), (rows, 7)), ((3, -1), (0, 2), (3, 5)), ((-1, -1), None, (4, 5)), ((-1, 6), (1, 0), (4, 6))]):
        call, given = getattr(pfft3d, name), {"s": s, "axes": axes}
        want = call(part(whole, lengths), **{**given, "s": same})
        assert np.array_equal(call(part(whole, lengths), **given), want), (name, s, axes)
    refused(64, "sizes begin at 1", pfft3d.fftn, np.ones((2, 2)), (-2, 2))


def orthogonal_sines(x, type, s, axes):
    """dstn of type 2 or 3, by matrices: older scipy scales another number than the last one."""
    sizes = [x.shape[a] for a in axes] if s is None else s
    for n, a in zip(sizes, axes):
        j = np.arange(n)
        m = np.sqrt(2 / n) * np.sin(np.pi / n * np.outer(j + 1, j + 0.5))
        m[-1] *= 0.5**0.5
        x = np.moveaxis(x, a, -1)[..., :n]
        x = np.pad(x, [(0, 0)] * (x.ndim - 1) + [(0, n - x.shape[-1])])
        x = np.moveaxis(x @ (m.T if type == 2 else m), -1, a)
    return x


def test_cosines_and_sines():
    try:
        import scipy.fft
    except ImportError:
        return
    rng = np.random.default_rng(11)
    for number, (shape, s, axes) in enumerate(c for c in along_axes() if len(c[0]) > 1 and c[0][0] > 1):
        lengths = [n * shape[0] // comm.size for n in range(comm.size + 1)]
        lengths = [b - a for a, b in zip(lengths, lengths[1:])]
        for name, type in [(n, (number + i) % 4 + 1) for i, n in enumerate(("dctn", "idctn", "dstn", "idstn"))]:
            whole = rng.random(shape) + (1j * rng.random(shape) if number % 3 == 0 else 0)
            norm = ("ortho", None, "ortho", "forward")[(number // 4 + type) % 4]
            want = getattr(scipy.fft, name)(whole, type, s, axes, norm)
            if norm == "ortho" and "dst" in name and type in (2, 3):
                given = range(len(shape))[-len(s):] if s else range(len(shape))
                want = orthogonal_sines(whole, type if name == "dstn" else 5 - type, s, axes or tuple(given))
            got = getattr(pfft3d, name)(part(whole, lengths), type, s, axes, norm)
            parts = lengths if want.shape[0] == shape[0] else [
                want.shape[0] // comm.size + (r < want.shape[0] % comm.size) for r in range(comm.size)]
            assert got.dtype == want.dtype and np.allclose(got, part(want, parts)), (name, type, shape, s, axes, norm)


def test_functions_refuse():
    two = np.ones((2, 2))
    for words, call, *arguments in [
            ("needs real numbers", pfft3d.rfftn, two + 0j), ("9 dimensions", pfft3d.fftn, np.ones(9 * (1,))),
            ("do not fit", pfft3d.fftn, two, None, (2,)), ("do not fit", pfft3d.fftn, two, (4,), (0, 1)),
            ("transformed once", pfft3d.fftn, two, None, (0, -2)), ("begin at 1", pfft3d.fftn, two, (2, 0)),
            ("whole numbers", pfft3d.fftn, two, "ab"), ("dtype is <U1", pfft3d.fftn, np.array(["a"])),
            ("double precision", pfft3d.fftn, np.ones(3, np.longdouble)), ("'best' is not one of: backward, ortho",
             pfft3d.fftn, two, None, None, "best"), ("the shape (0, 2)", pfft3d.fftn, two[:0]),
            ("dct7", pfft3d.dctn, two, 7), ("the shape (", pfft3d.irfftn, np.ones((2, 1)))]:
        refused(64, words, call, *arguments)
    if comm.size > 1:
        refused(64, "differ in more", pfft3d.fftn, np.ones((2, 2 + comm.rank)))
        refused(64, "differ in more", pfft3d.fftn, two, None, (comm.rank % 2,))
        refused(64, "9 dimensions", pfft3d.fftn, np.ones((2,) * (9 if comm.rank else 2)))


def test_dry_runs_and_tuning():
    x = pfft3d.explain((64, 64, 64), ranks=8, type="r2c", decomp="pencil", exchange="packed")
    assert "decomp=pencil" in x["decision"] and x["exchanges"] > 0 and x["seconds"] > 0 and x["work_bytes"] > 0
    assert "exchange=packed" in pfft3d.candidates((8, 8, 8), 4, exchange="packed")[0]["decision"]
    refused(64, "valid", pfft3d.explain, (8, 8, 8), 4, engine="fast")
    wisdom = pfft3d.Wisdom()
    found = pfft3d.tune((8, 6, 4), budget=0.05, repeats=2, wisdom=wisdom, engine="simd")
    assert found[0]["measured_s"] > 0 and len(wisdom) == 1
    folder = comm.bcast(os.getcwd())
    name = os.path.join(folder, f"wisdom-{comm.size}")
    wisdom.write(name)
    again = pfft3d.Wisdom()
    again.read(name)
    assert again.lines() == wisdom.lines()
    plan = pfft3d.Plan((8, 6, 4), engine="simd", wisdom=again, wisdom_required=True)
    assert plan.decision == found[0]["decision"], (plan.decision, found[0])
    assert "wisdom" in plan.reason
    refused(78, "isdom", pfft3d.Plan, (8, 6, 5), wisdom=again, wisdom_required=True)
    kept = pfft3d.Wisdom() if comm.rank else None  # on some ranks only
    os.environ["PFFT3D_WISDOM"] = name if comm.rank == 0 else "/nowhere"  # rank 0 reads it for all
    assert pfft3d.Wisdom.user_file() == os.environ["PFFT3D_WISDOM"]
    for options, by in (({}, "wisdom"), ({"wisdom": "user"}, "wisdom"), ({"wisdom": "none"}, "model"),
                        ({"wisdom": kept or pfft3d.Wisdom()}, "model"), ({"exchange": "packed", "decomp": "slab"}, "request")):
        with pfft3d.Plan((8, 6, 4), engine="simd", **options) as plan:
            assert plan.decided_by == by, (options, plan.decided_by, plan.reason)
    os.environ["PFFT3D_WISDOM"] = "none"
    assert pfft3d.Wisdom.user_file() is None
    assert pfft3d.Plan((8, 6, 4), engine="simd").decided_by == "model"
    pfft3d.tune((4, 4), budget=0.05, repeats=1, wisdom=kept, engine="simd")
    assert not comm.rank or len(kept) == 1
    machine = pfft3d.Machine(memory=1e9, bandwidth=(1e9, 1e8))
    assert machine.figures()["bandwidth"] == [1e9, 1e8]
    fast, slow = (pfft3d.explain((64,) * 3, 8, machine=m, decomp="slab", exchange="packed")["seconds"]
                  for m in (pfft3d.Machine(), machine))
    assert slow > fast
    refused(64, "not one of", pfft3d.Machine, speed=1)
    refused(66, "none.machine", pfft3d.Machine, "none.machine")


def test_statistics():
    plan = pfft3d.Plan((8, 8, 8), exchange="packed")
    u = plan.empty("space")
    u[...] = 0
    uh = plan.forward(u)
    for _ in range(4):
        plan.forward(u, uh)
    stats = plan.stats("forward", reset=True)
    assert stats["executions"] == 5 and stats["total_s"] > 0 and len(stats["stage"]) == stats["stages"] > 0
    assert plan.stats("forward")["executions"] == 0
    for part, direction in itertools.product(("passes", "alltoall"), ("forward", "backward")):
        assert plan.measure(direction, part, u) > 0 or (part == "alltoall" and comm.size == 1)
    refused(64, "passes, alltoall", plan.measure, "forward", "all", u)
    assert plan.decided_by == "model" and pfft3d.Plan((4,) * 3, decomp="slab", exchange="packed", engine="simd",
                                                      grid=(comm.size, 1)).decided_by == "request"
    assert pfft3d.Machine.measured().figures()["memory"] > 0
    assert plan.problem == "c2c:d:8x8x8" and "exchange=packed" in plan.decision and isinstance(plan.reason, str)


def test_subcommunicators():
    half = comm.Split(comm.rank % 2, comm.rank)
    plan, half_size = pfft3d.Plan((4, 4, 4), comm=half), half.size
    u = plan.empty("space")
    half.Free()
    u[...] = 1
    spectrum = plan.gather(plan.forward(u), "spectrum")
    assert spectrum is None or abs(spectrum[0, 0, 0] - 64) < 1e-12
    group, handle = plan._group, plan._keeper.handle
    del plan, u, spectrum
    pfft3d.Plan((2, 2), comm=MPI.COMM_SELF)  # not a call of all ranks that have it
    assert handle.pointer or half_size == 1
    pfft3d.Plan((2, 2))
    assert not handle.pointer and group.comm == MPI.COMM_NULL


main(globals())
