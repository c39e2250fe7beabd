# SPDX-License-Identifier: BSD-3-Clause
"""Arguments that do not fit: refused with words, on all ranks where one has them; and those that do,
in other forms:  mpirun -n 3 python3 arguments.py"""
import os
import sys

import numpy as np
from mpi4py import MPI
from trial import Dlpack, comm, fails, main, odd, refused

import pfft3d

s_ = np.s_
ROOT = comm.size - 1  # the rank whose arguments odd() makes wrong


def test_one_rank_alone():
    ragged = [[1.0, 2.0], [3.0]]
    for call in (pfft3d.rfftn, pfft3d.fftn, pfft3d.dctn):
        fails(call, odd(ragged, np.ones((2, 2))))
    fails(pfft3d.fftn, np.ones((2, 2)), s=odd(object(), None))
    n, box = (4 * comm.size, 5), (slice(4 * comm.rank, 4 * comm.rank + 4), slice(0, 5))
    fails(pfft3d.Halo, n, box, odd((1,), (1, 1)), (1, 1))
    fails(pfft3d.Halo, n, box, (1, 1), (1, 1), periodic=odd((True,), (True, True)))
    for wrong in ("no dtype", object()):
        fails(pfft3d.Halo, n, box, (1, 1), (1, 1), dtype=odd(wrong, "f8"))
        fails(pfft3d.Redistribution, n, box, box, dtype=odd(wrong, "f8"))
        fails(pfft3d.Transposition, n, dtype=odd(wrong, "f8"))
    fails(pfft3d.Redistribution, n, odd((3, 4), box), box)
    fails(pfft3d.Transposition, n, blocks=odd((1, None), (0, 0)))
    fails(pfft3d.Plan, odd((4, "4"), (4, 4)))
    for words, options in [("boxes: 3 is not a dict", {"boxes": odd(3, None)}),
                           ("strides: (8,) is not a dict", {"strides": odd((8,), None)}),
                           ("ghosts: 3 is not two lists", {"ghosts": odd({"space": 3}, None)}),
                           ("cuts: 'all' is not a list", {"cuts": odd({0: "all"}, None)})]:
        said = fails(pfft3d.Plan, (4, 4), **options)
        assert words in said and said.endswith(f", on rank {ROOT}") == (comm.size > 1), said
    fails(pfft3d.Plan, (4, 4), scale=odd(("1", None), (1, 1)))
    fails(pfft3d.tune, (4, 4), budget=odd(None, 0.01))
    fails(pfft3d.tune, (4, 4), engine=odd("none", "simd"), budget=0.01)
    fails(pfft3d.Wisdom().read, odd(3, "none"))
    plan = pfft3d.Plan((5, 4))
    fails(plan.gather, odd(np.ones(3), plan.empty("space")), "space")
    fails(plan.gather, odd(np.ones((1, 1)), plan.empty("space")), "space")
    fails(plan.scatter, odd(ragged, np.ones((5, 4))), "space", ROOT)
    fails(plan.scatter, odd(np.ones((5, 3)), np.ones((5, 4))), "space", ROOT)
    fails(plan.scatter, np.ones((5, 4)), odd("spac", "space"), ROOT)
    spectrum, ones = plan.empty("spectrum"), (np.ones(5), np.ones(4))
    for wrong in (3, ones[:1], ones[::-1], (1j * ones[0], ones[1]), ("no number", ones[1]), (ragged, ones[1])):
        fails(plan.backward, spectrum, multiplier=odd(wrong, ones))
    fails(plan.empty, odd("spac", "space"))
    fails(plan.measure, odd("up", "forward"), "passes", plan.empty("space"))
    fails(plan.measure, "forward", odd(0, "alltoall"), plan.empty("space"))
    real = pfft3d.Plan((5, 4), "r2c")
    for wrong in (complex, object, "U1"):
        fails(real.gather, odd(real.empty("space").astype(wrong), real.empty("space")), "space")
        fails(real.scatter, odd(np.ones((5, 4), wrong), np.ones((5, 4))), "space", ROOT)
    for fits in ("i8", "f4", "f8", "?"):
        assert real.scatter(np.ones((5, 4), fits), "space").dtype == "f8"
        whole = real.gather(np.ones(real.local_shape("spectrum"), fits), "spectrum")
        assert comm.rank or (whole.dtype == complex and (whole == 1).all())
    for wrong in "a", comm.size, -1:
        fails(plan.gather, plan.empty("space"), "space", odd(wrong, 0))
        fails(plan.scatter, np.ones((5, 4)), "space", odd(wrong, 0))
    if comm.size > 1:
        fails(plan.gather, plan.empty("space"), "space", odd(1, 0))
    comm.barrier()


class Lacking:
    """numpy without memory for what a function makes on the last rank."""

    def __init__(self, function):
        self.function = odd(function, None)

    def __getattr__(self, name):
        if name == self.function:
            raise MemoryError("none for arrays")
        return getattr(np, name)


def test_whole_arrays_without_memory():
    """An error on all ranks before anything is sent, as others cannot be told later; nor is a message left."""
    whole = np.random.default_rng(1).random(17) + 0j
    for plan in pfft3d.Plan((17,)), pfft3d.Plan((17,), order="transposed"):
        mine = plan.scatter(whole, "space")
        for call, array, function, root in [
                (plan.gather, mine, "empty", ROOT), (plan.gather, mine, "ascontiguousarray", 0),
                (plan.scatter, whole, "empty", 0), (plan.scatter, whole, "asarray", ROOT)]:
            pfft3d._whole.np = Lacking(function)
            try:
                assert "none for arrays" in fails(call, array, "space", root)
            finally:
                pfft3d._whole.np = np
            got = plan.gather(mine, "space", root)
            assert comm.rank != root or np.array_equal(got, whole)


def test_integers():
    """Neither cut to 32 or 64 bits nor from fractions."""
    for call in (pfft3d.explain, pfft3d.candidates):
        for ranks in (2**32 + 4, -(2**32) + 4, 2**70):
            refused(64, f"ranks: {ranks} is out of range", call, (8, 8, 8), ranks)
        refused(64, "ranks: 4.0 is not a whole number", call, (8, 8, 8), 4.0)
    refused(64, "repeats: 4294967297 is out of range", pfft3d.tune, (4, 4), repeats=2**32 + 1)
    refused(64, "node_ranks: 4294967300 is out of range", pfft3d.Machine, node_ranks=2**32 + 4)
    for value in (1e9, (1e9,), (1, 2, 3), ("a", 1)):
        refused(64, "is not two numbers", pfft3d.Machine, bandwidth=value)
    refused(64, "memory: 'much' is not a number", pfft3d.Machine, memory="much")
    most = 2**64
    refused(64, "out of range", pfft3d.Plan, (most + 4, 4))
    refused(64, "out of range", pfft3d.Plan, (4, 4), ghosts={"space": ((most, 0), (0, 0))})
    refused(64, "out of range", pfft3d.Plan, (4, 4), boxes={"space": ((most, most + 4), (0, 4))})
    refused(64, "out of range", pfft3d.Halo, (4,), s_[0:4,], (most + 1,), (0,))
    refused(64, "out of range", pfft3d.Redistribution, (most + 4,), s_[0:4,], s_[0:4,])
    refused(64, "out of range", pfft3d.Transposition, (4, 4), blocks=(most + 4, 4))
    for shape in ((4.5, 4), 4.5, "64", ("4", "4"), (None,)):
        refused(64, "whole numbers", pfft3d.Plan, shape)
        refused(64, "whole numbers", pfft3d.explain, shape, 2)
    refused(64, "whole number", pfft3d.Plan, (4, 4), batch=2.5)
    refused(64, "whole number", pfft3d.Plan, (4, 4), batch="2")
    refused(64, "whole numbers", pfft3d.fftn, np.ones((2, 2)), (2.5, 2))
    refused(64, "whole numbers", pfft3d.fftn, np.ones((2, 2)), None, (0.5,))
    refused(64, "whole number", pfft3d.Plan, (4, 4), boxes={"space": s_[0.5:4, 0:4]})
    refused(64, "1 numbers, here 2 are needed", pfft3d.Halo, (4, 4), s_[0:4, 0:4], (1,), (0, 0))
    assert pfft3d.Plan(np.int32(4), batch=np.int64(2)).global_shape("space") == (2, 4)
    assert pfft3d.explain(np.array([8, 8]), np.int16(2))["exchanges"] > 0


def test_sizes_that_no_plan_takes():
    refused(64, "dct1", pfft3d.Plan, (4, 1), "r2c", kind="dct1")
    refused(64, "dct1", pfft3d.dctn, np.ones((4, 1)), 1)


def test_boxes_as_numpy_has_them():
    first, second = (slice(None), slice(None)), (slice(5, None), slice(-6, None))
    cut = (slice(None, 3), slice(None)) if comm.rank == 0 else (slice(3, None), slice(None))
    if comm.size > 2 and comm.rank > 1:
        cut = (slice(0, 0), slice(None))
    if comm.size == 1:
        cut = first
    plan = pfft3d.Plan((5, 6), "r2c", boxes={"space": cut, "spectrum": cut})
    field = np.random.default_rng(2).random((5, 6))
    assert plan.local_shape("space") == field[cut].shape
    half = np.fft.rfftn(field)
    uh = plan.forward(np.ascontiguousarray(field[cut]), plan.empty("spectrum"))
    assert np.allclose(uh, half[cut])
    kept = pfft3d.Plan((5, 6), "r2c", keep=(3, 6), boxes={"spectrum": first if comm.rank == 0 else s_[3:, :]})
    if comm.rank == 0:
        assert kept.local_shape("spectrum") == (3, 4)
    mine = first if comm.rank == 0 else second
    with pfft3d.Redistribution((5, 6), mine, cut) as r:
        assert np.array_equal(r.forward(np.ascontiguousarray(field[mine])), field[cut])
    for wrong in (s_[::2, :], s_[1, :], s_[..., :], s_["a":, :], ((0, -1), (0, 6)), ((-5, 5), (0, 6)), ((0,), (0, 6))):
        refused(64, "box: ", pfft3d.Redistribution, (5, 6), wrong, cut)
        refused(64, "box: ", pfft3d.Plan, (5, 6), boxes={"space": wrong})


def test_objects():
    for name in ("wisdom", "machine"):
        for wrong in ("file", 3, object()):
            for call, more in ((pfft3d.Plan, ()), (pfft3d.explain, (2,)), (pfft3d.candidates, (2,)), (pfft3d.tune, ())):
                refused(64, f"is not a {name.capitalize()}", call, (4, 4), *more, **{name: wrong})
    for wrong in (2.0, "ab", (1,), (1, 2, 3), (1, "one")):
        refused(64, "is not two factors", pfft3d.Plan, (4, 4), scale=wrong)
    refused(78, "wisdom required", pfft3d.Plan, (8, 6, 5), wisdom_required=True)


def test_multipliers_are_real():
    plan = pfft3d.Plan((6, 4))
    refused(64, "complex", plan.backward, plan.empty("spectrum"), multiplier=(np.ones(6) + 1j, np.ones(4)))
    refused(64, "3 is not a vector for each of 2 axes", plan.backward, plan.empty("spectrum"), multiplier=3)
    line = pfft3d.Plan((16,))
    refused(64, "plans of one dimension", line.backward, line.empty("spectrum"), multiplier=[np.ones(16)])


def test_lengths():
    plan = pfft3d.Plan((6, 4))
    for wrong in (1, (1,), (1, 2, 3), (1, 0), (1, -1), (1, np.nan), (1, np.inf), (1, "2"), "12", (1, None), (1, 1j)):
        refused(64, "lengths: ", plan.wavenumbers, wrong)
    assert np.array_equal(plan.wavenumbers(np.array([1, 2]))[1], plan.wavenumbers((1.0, 2.0))[1])
    line = pfft3d.Plan((16,))
    assert np.array_equal(line.wavenumbers(2)[0], np.pi * line.wavenumbers()[0])


def test_plain_numbers():
    """In place of lists of one."""
    mine = slice(4 * comm.rank, 4 * comm.rank + 4)
    with pfft3d.Halo(4 * comm.size, [mine], 1, 2, periodic=True) as halo:
        x = halo.empty()
        assert halo.shape == x.shape == (7,) and halo.inner == (slice(1, 5),)
        x[halo.inner] = np.arange(mine.start, mine.stop)
        halo.fill(x)
        assert np.array_equal(x, np.arange(mine.start - 1, mine.stop + 2) % (4 * comm.size))
    fails(pfft3d.Halo, 4 * comm.size, [mine], odd((1, 1), 1), 2)
    with pfft3d.Redistribution(4 * comm.size, [mine], [mine], axes_after=0) as r:
        assert np.array_equal(r.forward(np.arange(4.0)), np.arange(4))
    for many in 0, -1:
        refused(64, f"tuples of {many}", pfft3d.Transposition, (4, 4, many))


def test_dtypes_that_cannot_be_moved():
    n, box = (4 * comm.size, 5), (slice(4 * comm.rank, 4 * comm.rank + 4), slice(0, 5))

    def all_of(dtype, **options):
        yield pfft3d.Redistribution, (n, box, box, dtype), options
        yield pfft3d.Transposition, (n, dtype), options
        if not options:
            yield pfft3d.Halo, (n, box, (1, 1), (1, 1), dtype), {}

    for dtype in (object, "i4,O"):
        for call, arguments, options in all_of(dtype):
            refused(64, "dtype: ", call, *arguments, **options)
    other = ">" if sys.byteorder == "little" else "<"
    for dtype in ("i8", "u8", "c8", "f4", other + "f8", other + "c16", "f8,f8", "f4,i4", "S8"):
        for call, arguments, options in all_of(dtype, wire="single", exchange="packed"):
            refused(64, "wire: ", call, *arguments, **options)
            call(*arguments).close()
    for dtype in ("f8", "c16"):
        for call, arguments, options in all_of(dtype, wire="single", exchange="packed"):
            with call(*arguments, **options) as r:
                u = r.empty("before")
                u[...] = 1 / 3
                assert np.allclose(r.backward(r.forward(u)), 1 / 3, rtol=1e-7)


def test_names_that_are_not_utf8():
    folder = os.fsencode(comm.bcast(os.getcwd()))
    assert isinstance(pfft3d.Wisdom().read(folder + b"/\xff\xfe"), str)
    for name in (b"/\xff\xfe", b"/" + "\u00e9".encode() * 120, b"/x" + "\u00e9".encode() * 120):  # cut in messages
        refused(66, "", pfft3d.Machine, folder + name)
        refused(73, "", pfft3d.Wisdom().write, folder + b"/none" + name)


def test_names_without_nul():
    refused(64, "NUL", pfft3d.Wisdom().read, "wis\0dom")
    refused(64, "NUL", pfft3d.Wisdom().write, "wis\0dom")
    refused(64, "NUL", pfft3d.Machine, "mach\0ine")
    refused(64, "NUL", pfft3d.Plan, (4, 4), engine="simd\0fast")
    refused(64, "NUL", pfft3d.Plan, (4, 4), **{"engine\0": "simd"})
    refused(64, "NUL", pfft3d.Transposition, (4, 4), exchange="packed\0")
    assert not os.path.exists("wis")


class Elsewhere(Dlpack):
    """In memory that numpy cannot reach."""

    def __dlpack__(self, **options):
        raise BufferError("memory of a device")

    def __dlpack_device__(self):
        return (2, 0)


def test_results_to_dlpack():
    plan = pfft3d.Plan((5, 4, 6))
    u = np.random.default_rng(comm.rank).random(plan.local_shape("space")) + 0j
    out = np.zeros(plan.local_shape("spectrum"), complex)
    given = Dlpack(out)
    assert plan.forward(Dlpack(u), given) is given
    assert np.array_equal(out, plan.forward(u)) and (out.any() or not out.size)
    before = out.copy()
    out.flags.writeable = False
    refused(64, "out: ", plan.forward, u, Dlpack(out))
    assert np.array_equal(out, before)
    refused(64, "memory of a device", plan.forward, Elsewhere(u))
    box = tuple(slice(0, n) for n in u.shape)
    with pfft3d.Redistribution(u.shape, box, box, complex, MPI.COMM_SELF) as r:
        copy = np.zeros_like(u)
        r.forward(Dlpack(u), Dlpack(copy))
        assert np.array_equal(copy, u)


main(globals())
