# SPDX-License-Identifier: BSD-3-Clause
"""Arrays, errors, redistributions, ghost cells, tuning, functions like numpy's:  mpirun -n 3 python3
arrays.py.  Each test_* below runs on all ranks; one that fails on any of them is named."""
import itertools
import os
import sys
import traceback

import numpy as np
from mpi4py import MPI

import pfft3d

comm = MPI.COMM_WORLD
s_ = np.s_


def refused(status, words, call, *arguments, **options):
    """Asserts that a call raises an Error with these words."""
    try:
        call(*arguments, **options)
    except pfft3d.Error as error:
        assert error.status == status, (error.status, str(error))
        assert words in str(error), str(error)
        return
    raise AssertionError(f"no error with: {words}")


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

    class Dlpack:
        def __init__(self, array):
            self.array = array

        def __dlpack__(self, **options):
            return self.array.__dlpack__(**options)

        def __dlpack_device__(self):
            return self.array.__dlpack_device__()

    out = np.empty(plan.local_shape("spectrum"), complex)
    assert plan.forward(Dlpack(u), out) is out
    assert np.array_equal(out, want)
    if u.size:
        plan.forward(memoryview(u), out)
    else:
        plan.forward(u, out)
    assert np.array_equal(out, want)


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
    plan = pfft3d.Plan((9, 8), type="r2c", kind=["dst1", "dft"])
    x = (np.arange(9) + 1) * length[0] / 10
    k0 = plan.wavenumbers((length[0], 1))[0]
    field = np.sin(np.pi * 3 * x / length[0])[:, None] + np.zeros(8)
    u = plan.empty("space")
    u[...] = field[plan.slices("space")]
    uh = plan.forward(u)
    uh *= k0**2
    assert np.allclose(plan.backward(uh), (np.pi * 3 / length[0]) ** 2 * field[plan.slices("space")])


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


def test_redistribution():
    n = (7, 5, 3)
    whole = np.arange(105).reshape(n)
    before = (slab(7), slice(0, 5), slice(0, 3))
    after = (slice(0, 7), slab(5), slice(0, 3))
    for exchange, axes in itertools.product(pfft3d.names("exchanges"), (None, (1, 2, 0))):
        for dtype in ("i8", "c16", "u1", "f4,i4"):
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


def test_functions():
    rng = np.random.default_rng(9)
    lengths = [r + (r != 1) for r in range(comm.size)]  # one rank has few, one has none where there are many
    mine = slice(sum(lengths[: comm.rank]), sum(lengths[: comm.rank + 1]))
    for rest, dtype in itertools.product([(5,), (4, 3), (2, 6)], ("f8", "f4", "c16", "i4")):
        whole = rng.integers(-9, 9, (sum(lengths), *rest)).astype(dtype)
        part, tolerance = whole[mine], 1e-3 if dtype == "f4" else 1e-11
        for norm in (None, "ortho", "forward"):
            assert np.allclose(pfft3d.fftn(part, norm=norm), np.fft.fftn(whole, norm=norm)[mine], atol=tolerance)
            assert np.allclose(pfft3d.ifftn(part, norm=norm), np.fft.ifftn(whole, norm=norm)[mine], atol=tolerance)
        if dtype != "c16":
            half = pfft3d.rfftn(part)
            assert np.allclose(half, np.fft.rfftn(whole)[mine], atol=tolerance)
            assert np.allclose(pfft3d.irfftn(half, rest[-1]), part, atol=tolerance)
    assert pfft3d.fftn(np.ones((2, 2), "f4")).dtype == np.complex64
    line = rng.random(12 * comm.size)
    assert np.allclose(pfft3d.fftn(line[slab(len(line))]), np.fft.fft(line)[slab(len(line))])
    half = pfft3d.rfftn(line[slab(len(line))])
    assert np.allclose(pfft3d.irfftn(half), line[slab(len(line))])
    refused(64, "needs real numbers", pfft3d.rfftn, np.ones((2, 2), complex))
    refused(64, "4 dimensions", pfft3d.fftn, np.ones((1, 1, 1, 1)))
    refused(64, "half spectrum", pfft3d.irfftn, np.ones((2, 3)), n=9)
    if comm.size > 1:
        refused(64, "differ in more", pfft3d.fftn, np.ones((2, 2 + comm.rank)))


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
    assert plan.problem == "c2c:d:8x8x8" and "exchange=packed" in plan.decision and isinstance(plan.reason, str)


def test_subcommunicators():
    half = comm.Split(comm.rank % 2, comm.rank)
    plan = pfft3d.Plan((4, 4, 4), comm=half)
    u = plan.empty("space")
    half.Free()
    u[...] = 1
    spectrum = plan.gather(plan.forward(u), "spectrum")
    assert spectrum is None or abs(spectrum[0, 0, 0] - 64) < 1e-12


def main():
    failed = 0
    for name, test in [(n, t) for n, t in globals().items() if n.startswith("test_")]:
        try:
            test()
            words = ""
        except Exception:
            words = traceback.format_exc()
        for rank, said in enumerate(comm.allgather(words)):
            if said and comm.rank == 0:
                print(f"{name}, rank {rank}:\n{said}")
            failed += bool(said)
    if comm.rank == 0:
        print("failed:", failed)
    sys.exit(bool(failed))


main()
