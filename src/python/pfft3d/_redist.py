# SPDX-License-Identifier: BSD-3-Clause
"""Redistributions of arrays between any boxes, transpositions, and ghost cells."""
from __future__ import annotations

from ctypes import byref
from typing import Any, Callable, Optional, Sequence

import numpy as np

from . import _structs as structs
from ._arguments import c_text, choice, spans, wholes
from ._lifetime import Closing, group_of, running
from ._library import Error, check, library
from ._plan import as_array, writable


def _region(slices: Sequence[Any], shape: Sequence[int], axes: Optional[Sequence[int]]) -> structs.Region:
    """A box whose axes lie in memory in the order `axes`, the last one contiguous."""
    region = structs.Region()
    lo, length = spans(slices, shape)
    for a, (first, n) in enumerate(zip(lo, length)):
        region.lo[a], region.len[a] = first, n
    if axes is not None:
        axes = wholes(axes, "axes")
        if sorted(axes) != list(range(len(shape))):
            raise Error(f"axes: {axes} is no order of {len(shape)} axes")
        step = 1
        for a in reversed(axes):
            region.stride[a] = step
            step *= max(1, length[a])
    return region


class _Part:
    """What arrays of this rank look like on one side of a redistribution."""

    def __init__(self, slices: Sequence[Any], shape: Sequence[int], axes: Optional[Sequence[int]],
                 dtype: np.dtype) -> None:
        self.shape = tuple(spans(slices, shape)[1])
        self.axes = tuple(range(len(shape))) if axes is None else wholes(axes, "axes")
        self.dtype = dtype

    def empty(self) -> np.ndarray:
        stored = np.empty([self.shape[a] for a in self.axes], self.dtype)
        return stored.transpose(np.argsort(self.axes))

    def address(self, array: np.ndarray, name: str) -> int:
        if array.dtype != self.dtype:
            raise Error(f"{name}: its dtype is {array.dtype}, here {self.dtype} is needed")
        if array.shape != self.shape:
            raise Error(f"{name}: its shape is {array.shape}, the box of this rank is {self.shape}")
        if array.size and not array.transpose(self.axes).flags.c_contiguous:
            raise Error(f"{name}: the order of its memory, strides {array.strides}, is not {self.axes}")
        return array.__array_interface__["data"][0]


def _whole_part(shape: tuple[int, ...], axes: Optional[Sequence[int]], dtype: np.dtype) -> _Part:
    """Of arrays of that shape, which the box fills."""
    return _Part([(0, max(0, n)) for n in shape], [max(1, n) for n in shape], axes, dtype)


def _element(dtype: Any) -> np.dtype:
    """The dtype of what is moved, byte by byte."""
    kind = np.dtype(dtype)
    if kind.hasobject:
        raise Error(f"dtype: {kind} has objects of Python: only their addresses would move")
    return kind


def _wire(name: str, kind: np.dtype) -> int:
    """The library knows the size of elements only, not what they are."""
    if name not in ("double", "single"):
        raise Error(f"wire: {name!r} is neither 'double' nor 'single'")
    if name == "single" and kind not in (np.float64, np.complex128):
        raise Error(f"wire: 'single' rounds float64 and complex128 of this machine's byte order, the dtype is {kind}")
    return int(name == "single")


def _sizes(spec: Any, shape: tuple[int, ...], dtype: np.dtype, exchange: str) -> None:
    if not 1 <= len(shape) <= 4:
        raise Error(f"shape: {len(shape)} dimensions, of 1 to 4")
    spec.dims, spec.element, spec.exchange = len(shape), dtype.itemsize, c_text(exchange, "exchange")
    spec.n[:len(shape)] = shape


class _Collective(Closing):
    """What redistributions and halos share: their life.  All that may fail is in prepare(): what it keeps of its
    arguments is there before the library is called."""

    def __init__(self, comm: Any, create: Callable, prepare: Callable[[], Any]) -> None:
        self._group = group_of(comm)
        lib = library()
        self._keeper = self._group.create(create, lambda: byref(prepare()), lib.redist_destroy)

    def _run(self, direction: int, source: int, target: int) -> None:
        if self._keeper is None:
            raise Error("redistribution: is closed")
        running()
        pointer = self._keeper.handle.pointer
        check(library().redist_execute(pointer, direction, source, target), what="redistribution")


class _TwoSided(_Collective):
    """With arrays before and after, and both directions."""

    _parts: list[_Part]

    def empty(self, which: str) -> np.ndarray:
        """Local.  An array for this rank's part "before" or "after"."""
        return self._parts[choice({"before": 0, "after": 1}, "which", which)].empty()

    def forward(self, u: Any, out: Optional[np.ndarray] = None) -> np.ndarray:
        """Collective.  Elements of u, the part of this rank before, to out, or a new array: its part
        after."""
        return self._move(0, u, out)

    def backward(self, u: Any, out: Optional[np.ndarray] = None) -> np.ndarray:
        """Collective.  From the part after to the part before."""
        return self._move(1, u, out)

    def _move(self, direction: int, u: Any, out: Optional[np.ndarray]) -> np.ndarray:
        here, there = self._parts[direction], self._parts[1 - direction]
        result = there.empty() if out is None else out
        given, to = as_array(u, "u"), writable(as_array(result, "out"), "out")  # keep their memory meanwhile
        self._run(direction, here.address(given, "u"), there.address(to, "out"))
        return result


class Redistribution(_TwoSided):
    """Moves an array from boxes to other boxes, forward, and back.  Collective.

    shape     -- of the whole array: 1 to 4 dimensions
    before    -- slices, one for each axis: the box of this rank before; boxes of all ranks tile the
                 array, empty ones where a rank has nothing
    after     -- the same, after
    dtype     -- of the elements: any of fixed size, without objects of Python
    exchange  -- a name of `pfft3d.names("exchanges")`, or "auto"
    axes_before, axes_after -- the order in which axes lie in memory, the last one contiguous; None: C
                 order.  Arrays have their axes in the order of shape always
    in_place  -- u and out may be one array
    wire      -- "single": float64 and complex128, and no other dtype, are rounded to single precision
                 between ranks

    >>> import numpy as np
    >>> r = Redistribution((4, 2), np.s_[0:4, 0:2], np.s_[0:4, 0:2], axes_after=(1, 0), comm=MPI.COMM_SELF)
    >>> r.forward(np.arange(8.0).reshape(4, 2)).strides
    (8, 32)
    """

    def __init__(self, shape: Sequence[int], before: Sequence[Any], after: Sequence[Any], dtype: Any = np.float64,
                 comm: Any = None, *, exchange: str = "auto", axes_before: Optional[Sequence[int]] = None,
                 axes_after: Optional[Sequence[int]] = None, in_place: bool = False, wire: str = "double") -> None:
        def prepare() -> structs.RedistSpec:
            n, kind = wholes(shape, "shape"), _element(dtype)
            spec = structs.RedistSpec(in_place=int(bool(in_place)), wire=_wire(wire, kind))
            _sizes(spec, n, kind, exchange)
            spec.from_ = _region(before, n, axes_before)
            spec.to = _region(after, n, axes_after)
            self._parts = [_Part(before, n, axes_before, kind), _Part(after, n, axes_after, kind)]
            return spec

        super().__init__(comm, library().redist_create_f, prepare)


class Transposition(_TwoSided):
    """Transposes a distributed matrix of n0 x n1 entries, forward, and back, with the arguments of
    fftw_mpi_plan_many_transpose().  Collective.

    shape    -- (n0, n1), or (n0, n1, howmany): each entry is a tuple
    blocks   -- (block0, block1): rows of each rank before and after, fewer or none on the last ones;
                0: rows over ranks, rounded up
    transposed_in, transposed_out -- the array before or after lies in memory as [columns][rows]

    Arrays have the shapes (rows, n1) before and (rows, n0) after, and their tuples last.

    >>> import numpy as np
    >>> t = Transposition((2, 3), comm=MPI.COMM_SELF)
    >>> t.forward(np.arange(6.0).reshape(2, 3)).tolist()
    [[0.0, 3.0], [1.0, 4.0], [2.0, 5.0]]
    """

    def __init__(self, shape: Sequence[int], dtype: Any = np.float64, comm: Any = None, *,
                 blocks: Sequence[int] = (0, 0), transposed_in: bool = False, transposed_out: bool = False,
                 exchange: str = "auto", in_place: bool = False, wire: str = "double") -> None:

        def prepare() -> structs.TransposeSpec:
            n, block, kind = wholes(shape, "shape"), wholes(blocks, "blocks"), _element(dtype)
            if not 2 <= len(n) <= 3 or len(block) != 2:
                raise Error(f"shape: {n} is not (n0, n1) or (n0, n1, howmany), or blocks not two numbers")
            if n[2:] and n[2] < 1:
                raise Error(f"shape: {n}: tuples of {n[2]} numbers")
            self._parts = [self._part(n, block[0], transposed_in, kind),
                           self._part((n[1], n[0], *n[2:]), block[1], transposed_out, kind)]
            return structs.TransposeSpec(
                n0=n[0], n1=n[1], howmany=n[2] if len(n) == 3 else 1, element=kind.itemsize,
                block0=block[0], block1=block[1], transposed_in=int(bool(transposed_in)),
                transposed_out=int(bool(transposed_out)), exchange=c_text(exchange, "exchange"),
                in_place=int(bool(in_place)), wire=_wire(wire, kind))

        super().__init__(comm, library().transpose_create_f, prepare)

    def _part(self, n: tuple[int, ...], block: int, transposed: bool, dtype: np.dtype) -> _Part:
        """Of rows of n columns, n[0] over all ranks."""
        block = block or -(-n[0] // self._group.size)
        mine = (max(0, min(block, n[0] - block * self._group.rank)), *n[1:])
        return _whole_part(mine, (1, 0, 2)[: len(n)] if transposed else None, dtype)


class Halo(_Collective):
    """Ghost cells around the box of each rank: copies of what other ranks hold, or of the other end
    of a periodic axis.  Collective.

    shape        -- of the whole array: 1 to 4 dimensions
    box          -- slices: what this rank holds, without ghost cells; boxes tile the array
    below, above -- ghost cells before and after the box along each axis, the same on all ranks
    periodic     -- for each axis, or for all; where it is False, ghost cells outside of the array stay as they are
    """

    def __init__(self, shape: Sequence[int], box: Sequence[Any], below: Sequence[int], above: Sequence[int],
                 dtype: Any = np.float64, comm: Any = None, *, periodic: Optional[Sequence[bool]] = None,
                 exchange: str = "auto") -> None:
        def prepare() -> structs.HaloSpec:
            spec, n, kind = structs.HaloSpec(), wholes(shape, "shape"), _element(dtype)
            dims = len(n)
            _sizes(spec, n, kind, exchange)
            spec.box = _region(box, n, None)
            under, over = wholes(below, "below", dims), wholes(above, "above", dims)
            spec.below[:dims], spec.above[:dims] = under, over
            ends = True if periodic is None else periodic
            spec.periodic[:dims] = wholes([bool(p) for p in ends] if np.iterable(ends) else [bool(ends)] * dims,
                                          "periodic", dims)
            self._measure(spans(box, n)[1], under, over, kind)
            return spec

        super().__init__(comm, library().halo_create_f, prepare)

    def _measure(self, length: list[int], below: tuple[int, ...], above: tuple[int, ...], dtype: np.dtype) -> None:
        self.shape: tuple[int, ...] = tuple(n + b + a if all(length) else 0 for n, b, a in zip(length, below, above))
        self.inner: tuple[slice, ...] = tuple(slice(b, b + n) for b, n in zip(below, length))
        self._part = _whole_part(self.shape, None, dtype)

    def empty(self) -> np.ndarray:
        """Local.  An array in C order of the box with its ghost cells; the box is [halo.inner] of it."""
        return self._part.empty()

    def fill(self, array: Any) -> None:
        """Collective.  Fills the ghost cells of an array like those of empty()."""
        given = writable(as_array(array, "array"), "array")  # keeps its memory meanwhile
        at = self._part.address(given, "array")
        self._run(0, at, at)
