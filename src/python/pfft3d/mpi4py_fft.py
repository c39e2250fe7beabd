# SPDX-License-Identifier: BSD-3-Clause
"""For programs that use mpi4py-fft: its classes over this library.

    import pfft3d.mpi4py_fft
    pfft3d.mpi4py_fft.install()               # Transfer is ours: also that of DistArray, and of shenfun
    from pfft3d.mpi4py_fft import PFFT        # instead of mpi4py_fft.PFFT

install(pfft=True), before a program imports mpi4py_fft.PFFT, gives it this PFFT without a change."""
from __future__ import annotations

from copy import copy
from itertools import permutations, product
from math import prod
from types import SimpleNamespace
from typing import Any, Optional, Sequence

import numpy as np

try:
    import mpi4py_fft as _theirs
    from mpi4py_fft import distarray as _distarray, mpifft as _mpifft, pencil as _pencil
except ImportError as error:
    from ._library import UNAVAILABLE, Error
    raise Error(f"mpi4py_fft: {error}", UNAVAILABLE, "pip install mpi4py-fft") from None

from ._arguments import wholes
from ._library import mpi
from ._plan import Plan
from ._swap import Swap, share

_Transfer, _PFFT = _pencil.Transfer, _mpifft.PFFT


# ---- communicators ----

_comms: dict[tuple[int, ...], Any] = {}


def _lasting(subcomm: Sequence[Any]) -> Any:
    """Collective.  A communicator of the ranks of a grid, given by a communicator for each axis, the last
    axis fastest.  It lasts, as mpi4py-fft frees its own before what uses them, and is used again."""
    world = mpi().COMM_WORLD
    ranks = [world.rank]
    for comm in reversed(subcomm):
        if comm.size > 1:
            ranks = sum(comm.allgather(ranks), [])
    key = tuple(ranks)
    if len(key) == 1:
        return mpi().COMM_SELF
    if key == tuple(range(world.size)):
        return world
    if key not in _comms:
        _comms[key] = world.Create_group(world.Get_group().Incl(ranks))
    return _comms[key]


# ---- redistributions ----

class Transfer(_Transfer):
    """mpi4py-fft's Transfer by a Swap, which is made by the first transfer.

    comm               -- of the ranks that share axes axisA and axisB
    shape              -- of the array of all of them
    subshapeA, axisA   -- what this rank holds before, complete along axisA
    subshapeB, axisB   -- the same after"""

    def __init__(self, comm: Any, shape: Sequence[int], dtype: Any, subshapeA: Sequence[int], axisA: int,
                 subshapeB: Sequence[int], axisB: int) -> None:
        self.comm, self.shape, self.dtype = comm, wholes(shape, "shape"), np.dtype(dtype)
        self.subshapeA, self.axisA = tuple(subshapeA), axisA
        self.subshapeB, self.axisB = tuple(subshapeB), axisB
        self._swap: Optional[Swap] = None

    def _move(self, direction: int, source: Any, target: np.ndarray) -> None:
        for array, shape in ((source, (self.subshapeA, self.subshapeB)[direction]),
                             (target, (self.subshapeB, self.subshapeA)[direction])):
            assert array.shape == shape and array.dtype == self.dtype, (array.shape, array.dtype)
        if self._swap is None:
            self._swap = Swap(self.comm, _lasting([self.comm]), self.shape, self.dtype, self.axisA, self.axisB)
        here = np.ascontiguousarray(source)
        there = np.asarray(target)
        out = there if there.flags.c_contiguous else np.empty(there.shape, there.dtype)
        self._swap.move(direction, np.asarray(here), out)
        if out is not there:
            there[...] = out

    def forward(self, arrayA: Any, arrayB: Any) -> None:
        """Collective.  From arrayA, of subshapeA, to arrayB, of subshapeB."""
        self._move(0, arrayA, arrayB)

    def backward(self, arrayB: Any, arrayA: Any) -> None:
        """Collective.  From arrayB, of subshapeB, to arrayA, of subshapeA."""
        self._move(1, arrayB, arrayA)

    def destroy(self) -> None:
        """Collective.  Frees the redistribution."""
        if self._swap is not None:
            self._swap.close()
            self._swap = None


# ---- transforms ----

class _Shapes:
    """In place of mpi4py-fft's serial transforms while its PFFT finds the layout: shapes only."""

    def __init__(self, shape: Sequence[int], axes: Any = None, dtype: Any = float, padding: Any = False,
                 backend: str = "fftw", transforms: Any = None, **_: Any) -> None:
        kind, last, out = np.dtype(dtype), axes[-1], list(shape)
        if padding is not False and abs(padding[last] - 1) > 1e-8:
            assert len(axes) == 1, "padding: axes are not collapsed"
            out[last] = int(np.round(out[last] / padding[last]))
        if kind.kind == "f":
            out[last] = out[last] // 2 + 1
        space = SimpleNamespace(shape=tuple(shape), dtype=kind)
        spectrum = SimpleNamespace(shape=tuple(out), dtype=np.dtype(kind.char.upper()))
        self.forward = SimpleNamespace(input_array=space, output_array=spectrum)
        self.backward = SimpleNamespace(input_array=spectrum, output_array=space)


def _refusal(shape: Optional[Sequence[int]], axes: Any, dtype: Any, padding: Any, backend: str, transforms: Any,
             darray: Any) -> str:
    """Why mpi4py-fft itself has to do a transform; "" where this library can."""
    kind = np.dtype(dtype) if darray is None else darray.dtype
    sizes = list(shape) if shape is not None else list(darray.pencil.shape)
    if not 2 <= len(sizes) <= 3:
        return f"{len(sizes)} dimensions, of 2 to 3"
    if kind.char not in "fdFD":
        return f"dtype {kind}, of float32, float64, complex64 and complex128"
    if transforms:
        return "transforms given as functions"
    if backend == "scipy" and kind.kind == "f":
        return "backend scipy, with whole spectra of real fields"
    last = axes
    if axes is None:
        last = -1 if darray is None else darray.alignment
    while not isinstance(last, (int, np.integer)):
        last = last[-1]
    if kind.kind == "f" and sizes[last] <= 2:
        return "a real field with one or two points along its half axis"
    if padding is False:
        return ""
    if darray is not None:
        return "padding of a DistArray"
    factors = [float(f) for f in padding]
    if any(f != 1 and int(np.floor(n * f)) <= n for f, n in zip(factors, sizes)):
        return "padding by less than one point"
    if kind.kind == "f" and factors[last] > 1 and (sizes[last] // 2 + 1) % 2 == 0:
        return "padding of a real field whose half axis has an even number of modes"  # doubles the last one
    return ""


class _Transform(_mpifft.Transform):
    """One direction of a PFFT: called with arrays, or on input_array and output_array."""

    def __init__(self, owner: "PFFT", direction: int) -> None:
        self._owner, self._direction = owner, direction
        self._pencil = tuple(owner.pencil if direction == 0 else owner.pencil[::-1])
        self._xfftn = self._transfer = ()

    @property
    def input_array(self) -> np.ndarray:
        return self._owner.arrays[self._direction]

    @property
    def output_array(self) -> np.ndarray:
        return self._owner.arrays[1 - self._direction]

    def __call__(self, input_array: Any = None, output_array: Any = None, normalize: Optional[bool] = None,
                 implicit: bool = True) -> Any:
        """Collective.  Transforms input_array to output_array, which is returned, each the array of this
        object where it is None.  normalize: divides by the number of points; None: forward does.  Arrays
        that lie in memory as those of this object are used directly, others are copied."""
        own_in, own_out = self.input_array, self.output_array
        source, target = own_in, own_out
        if input_array is not None and input_array is not own_in:
            source = np.asarray(input_array) if _alike(input_array, own_in) else own_in
        if output_array is not None and _alike(output_array, own_out):
            target = np.asarray(output_array)
        if source is not own_in and np.may_share_memory(source, target):
            source, target = own_in, own_out
        if source is own_in and input_array is not None and input_array is not own_in:
            source[...] = input_array
        if target is not own_out and np.may_share_memory(source, target):
            target = own_out
        divides = self._direction == 0 if normalize is None else bool(normalize)
        self._owner.execute(self._direction, divides, source, target)
        if output_array is None:
            return own_out
        if target is own_out and output_array is not own_out:
            output_array[...] = own_out
        return output_array


def _alike(array: Any, own: np.ndarray) -> bool:
    return (isinstance(array, np.ndarray) and array.dtype == own.dtype and array.shape == own.shape
            and array.strides == own.strides and array.flags.aligned and array.flags.writeable)


class _Layout:
    """How the fields of a PFFT are those of a Plan: the order of axes, boxes and options.

    mpi4py-fft's pencils follow from its axes, in any order; a Plan has the half axis last.  Where some
    order of axes has the pencils as this library's own slabs or pencils, the plan exchanges no more than
    it must; else boxes say what each rank holds, and it redistributes.  A padded axis with an even number
    K of modes has K+1 in the plan: mode -K/2 follows K/2 in the box of the same rank, and mpi4py-fft
    adds the two, or halves what both get."""

    def __init__(self, fft: "PFFT", halved: Optional[int], shape: Sequence[int]) -> None:
        space, spectrum = fft.pencil
        dims = len(space.shape)
        axes = {a for group in fft.axes for a in group}
        self.order, self.moved, self.grid = _native(space, spectrum, halved)
        padded = {a for a in axes if space.shape[a] > shape[a]}
        self.folded = {a: shape[a] // 2 for a in padded if a != halved and shape[a] % 2 == 0}
        self.extra = {a: middle - spectrum.substart[a] for a, middle in self.folded.items()
                      if spectrum.substart[a] <= middle < spectrum.substart[a] + spectrum.subshape[a]}
        self.comm = _lasting([space.subcomm[a] for a in self.order])
        kinds = ["dft" if a in axes else "none" for a in self.order]
        boxes = {"space": [_slice(p, n) for p, n in zip(space.substart, space.subshape)],
                 "spectrum": [self._stretched(a, spectrum.substart[a], spectrum.subshape[a]) for a in range(dims)]}
        self.options: dict[str, Any] = {
            "kind": kinds, "boxes": {side: [box[a] for a in self.order] for side, box in boxes.items()}}
        self.options["strides"] = {
            "space": self._strides(boxes["space"], self.order, fft.real_bytes if halved is not None
                                   else 2 * fft.real_bytes),
            "spectrum": self._strides(boxes["spectrum"], self._stored(), 2 * fft.real_bytes)}
        if padded:
            self.options["keep"] = [shape[a] + (shape[a] + 1) % 2 if a in padded else space.shape[a]
                                    for a in self.order]
        if self.grid and self.comm.size > 1:
            self._decompose(spectrum, shape)
        self.shape = [space.shape[a] for a in self.order]
        self.points = prod(int(space.shape[a]) for a in axes)

    def _stretched(self, axis: int, first: int, n: int) -> slice:
        """Indices in the plan's spectrum for those of mpi4py-fft's."""
        middle = self.folded.get(axis)
        if middle is None:
            return _slice(first, n)
        return _slice(first + (first > middle), n + (first <= middle < first + n))

    def _stored(self) -> tuple[int, ...]:
        """The order of axes in memory of the spectrum."""
        return (self.order[1], self.order[0], *self.order[2:]) if self.moved else self.order

    def _strides(self, box: list[slice], stored: Sequence[int], size: int) -> tuple[int, ...]:
        found = {}
        for a in reversed(stored):
            found[a] = size
            size *= max(1, box[a].stop - box[a].start)
        return tuple(found[a] for a in self.order)

    def _decompose(self, spectrum: Any, shape: Sequence[int]) -> None:
        p1, p2 = self.grid
        self.options["order"] = "transposed" if self.moved else "natural"
        if p2 > 1:
            self.options.update(decomp="pencil", grid=self.grid)
        else:
            self.options["decomp"] = "slab"
        cuts = {}
        for at, a in enumerate(self.order):
            comm = spectrum.subcomm[a]
            if a in self.folded and comm.size > 1:
                parts = (share(spectrum.shape[a], comm, r) for r in range(comm.size))
                cuts["spectrum", at] = [0] + [
                    self._stretched(a, s.start, s.stop - s.start).stop for s in parts]
        if cuts:
            self.options["cuts"] = cuts


def _slice(first: int, n: int) -> slice:
    return slice(int(first), int(first + n))


def _native(space: Any, spectrum: Any, halved: Optional[int]) -> tuple[tuple[int, ...], bool, tuple[int, ...]]:
    """An order of axes in which pencils are those of a decomposition, whether its spectrum is in
    transposed order, and the grid of ranks; () for none."""
    dims = len(space.shape)
    here = [c if c.size > 1 else None for c in space.subcomm]
    there = [c if c.size > 1 else None for c in spectrum.subcomm]
    others = [a for a in range(dims) if a != halved]
    orders = [(*p, halved) for p in permutations(others)] if halved is not None else list(permutations(others))
    for order in orders:
        before, after = [here[a] for a in order], [there[a] for a in order]
        if before[-1] is not None:
            continue
        grid = tuple(c.size if c is not None else 1 for c in before[:2]) if dims == 3 else (
            before[0].size if before[0] is not None else 1, 1)
        if before == after:
            return order, False, grid
        if after == [None, *before[:-1]]:
            return order, True, grid
    return orders[0], False, ()


class PFFT(_PFFT):
    """mpi4py-fft's PFFT over plans of this library, with the same arguments and methods.  Collective.

    fallback -- "", or why mpi4py-fft itself does this transform: other than 2 or 3 dimensions, long
                double, `transforms`, and some paddings
    plan     -- the Plan that divides forward, as PFFT does by default; None where mpi4py-fft does it
    arrays   -- of this rank: the field and its spectrum, which forward and backward use by default

    A further argument, `options`, is a dict of those of Plan.  `threads` counts, `backend` and other
    options of serial transforms do not.  With collapse=True the spectrum may be distributed along
    another axis than mpi4py-fft's: local_slice() says which.

    forward(u, u_hat) copies neither if both lie in memory as `arrays`: fields in C order mostly do;
    of a spectrum, newDistArray() of this module makes such arrays.  Then they are not copied to `arrays`
    either."""

    fallback = ""
    plan: Optional[Plan] = None
    _plans: dict[bool, Plan] = {}

    def __init__(self, comm: Any, shape: Optional[Sequence[int]] = None, axes: Any = None, dtype: Any = float,
                 grid: Any = None, padding: Any = False, collapse: bool = False, backend: str = "fftw",
                 transforms: Any = None, darray: Any = None, options: Optional[dict[str, Any]] = None,
                 **kw: Any) -> None:
        if shape is not None:  # products of numpy's integers end at 2^31 where they have 32 bits
            shape = list(wholes(shape, "shape"))
        self.fallback = _refusal(shape, axes, dtype, padding, backend, transforms, darray)
        arguments = {"shape": shape, "axes": axes, "dtype": dtype, "grid": grid, "padding": padding,
                     "collapse": collapse, "backend": backend, "transforms": transforms, "darray": darray}
        if self.fallback:
            super().__init__(comm, **arguments, **kw)
            return
        serial, _mpifft.FFT = _mpifft.FFT, _Shapes
        try:
            super().__init__(comm, **arguments, **kw)
        finally:
            _mpifft.FFT = serial
        self._spread()
        kind = self.xfftn[0].forward.input_array.dtype
        real = kind.kind == "f"
        self.real_bytes = kind.itemsize if real else kind.itemsize // 2
        halved = self.axes[-1][-1] if real else None
        sizes = shape if shape is not None else []
        self._layout = _Layout(self, halved, self._input_shape if padding is False else sizes)
        self._more = dict(options or {}, type="r2c" if real else "c2c",
                          precision="single" if self.real_bytes == 4 else "double")
        if "threads" in kw:
            self._more["threads"] = kw["threads"]
        self._plans = {}
        self.plan = self._made(True)
        self._back = tuple(np.argsort(self._layout.order))
        space, spectrum = (self.plan.empty(side).transpose(self._back) for side in ("space", "spectrum"))
        space[...] = 0
        spectrum[...] = 0
        self._stored = spectrum
        if self._layout.folded:
            spectrum = np.zeros(self.pencil[1].subshape, spectrum.dtype)
        self.arrays = (space, spectrum)
        self.forward, self.backward = _Transform(self, 0), _Transform(self, 1)

    def _spread(self) -> None:
        """The pencil of the spectrum as it is without collapsed axes, if it can be so: that of slabs is
        this library's own."""
        flat = [a for group in self.axes for a in group]
        theirs = self.pencil[1]
        if len(flat) == len(self.axes):
            return
        held = self.pencil[0].subcomm
        try:
            found = _pencil.Pencil(held, theirs.shape, flat[-1])
            for a in reversed(flat[:-1]):
                found = found.pencil(a)
        except AssertionError:  # fewer indices than ranks
            return
        self.pencil[1] = found

    def _made(self, forward_divides: bool) -> Plan:
        """Collective.  A plan that divides by the number of points in one direction alone."""
        if forward_divides not in self._plans:
            layout = self._layout
            part = 1 / layout.points
            self._plans[forward_divides] = Plan(
                layout.shape, comm=layout.comm, scale=(part, 1) if forward_divides else (1, part),
                **{**layout.options, **self._more})
        return self._plans[forward_divides]

    def execute(self, direction: int, divides: bool, source: np.ndarray, target: np.ndarray) -> None:
        """Collective.  From a field or spectrum to the other, which lie in memory as `arrays`."""
        plan, order = self._made(divides == (direction == 0)), self._layout.order
        stored = self._stored.transpose(order)
        if direction == 0:
            out = stored if self._layout.folded else target.transpose(order)
            plan.forward(source.transpose(order), out=out)
            if self._layout.folded:
                self._fold(target)
        else:
            if self._layout.folded:
                self._unfold(source)
            plan.backward(stored if self._layout.folded else source.transpose(order), out=target.transpose(order))

    def _ranges(self) -> Any:
        """Pairs of the same part of the plan's spectrum and of mpi4py-fft's, without modes -K/2."""
        ranges = []
        for a, n in enumerate(self.pencil[1].subshape):
            middle = self._layout.extra.get(a)
            whole = [(slice(None), slice(None))]
            ranges.append(whole if middle is None else [(slice(0, middle + 1),) * 2,
                                                        (slice(middle + 2, n + 1), slice(middle + 1, n))])
        for pairs in product(*ranges):
            yield tuple(p[0] for p in pairs), tuple(p[1] for p in pairs)

    def _at(self, axis: int, index: int) -> tuple[Any, ...]:
        return (*(slice(None),) * axis, index)

    def _fold(self, target: np.ndarray) -> None:
        for a, middle in self._layout.extra.items():
            self._stored[self._at(a, middle)] += self._stored[self._at(a, middle + 1)]
        for stored, mine in self._ranges():
            target[mine] = self._stored[stored]

    def _unfold(self, source: np.ndarray) -> None:
        for stored, mine in self._ranges():
            self._stored[stored] = source[mine]
        for a, middle in self._layout.extra.items():
            self._stored[self._at(a, middle)] *= 0.5
            self._stored[self._at(a, middle + 1)] = self._stored[self._at(a, middle)]

    def destroy(self) -> None:
        """Collective.  Ends plans, transfers and communicators."""
        for plan in self._plans.values():
            plan.close()
        super().destroy()


class _Array(_distarray.DistArray):
    """One that lies in memory as a plan has it.  mpi4py-fft's Transfer takes every array for one in C order; ours,
    which copies those that are not, is that of these arrays also without install()."""

    def get_pencil_and_transfer(self, axis: int) -> tuple[Any, Transfer]:
        pencil, theirs = super().get_pencil_and_transfer(axis)
        theirs.destroy()
        return pencil, Transfer(theirs.comm, theirs.shape, theirs.dtype, theirs.subshapeA, theirs.axisA,
                                theirs.subshapeB, theirs.axisB)


def newDistArray(pfft: Any, forward_output: bool = True, val: Any = 0, rank: int = 0, view: bool = False) -> Any:
    """Local, but collective for a PFFT of this module.  mpi4py-fft's newDistArray; of a PFFT of this module
    the array lies in memory as the plan has it, and is not copied by transforms; its redistribute() is ours,
    and gives arrays in C order.  Before it is the `out` of redistribute() of other arrays, call install()."""
    if not getattr(pfft, "plan", None):
        return _distarray.newDistArray(pfft, forward_output, val, rank, view)
    like, dims = pfft.arrays[int(forward_output)], len(pfft.pencil[0].shape)
    stored = sorted(range(dims), key=lambda a: (-like.strides[a], a))
    lead = tuple(range(rank))
    memory = np.empty((dims,) * rank + tuple(like.shape[a] for a in stored), like.dtype)
    array = memory.transpose(*lead, *(rank + a for a in np.argsort(stored))).view(_Array)
    array._p0, array._rank = copy(pfft.pencil[int(forward_output)]), rank  # redistribute() changes its axis
    if val is not None:
        array.fill(val)
    return array.v if view else array


# ---- instead of mpi4py-fft's ----

def install(pfft: bool = False) -> None:
    """Local, the same on all ranks.  Replaces the Transfer of mpi4py-fft for all that is made from
    now on, and with pfft=True also PFFT, for those who import it from now on."""
    _pencil.Transfer = Transfer
    if pfft:
        _mpifft.PFFT = _theirs.PFFT = PFFT


def uninstall() -> None:
    """Local.  Puts mpi4py-fft's own back."""
    _pencil.Transfer = _Transfer
    _mpifft.PFFT = _theirs.PFFT = _PFFT
