# SPDX-License-Identifier: BSD-3-Clause
"""Plans, and their arrays."""
from __future__ import annotations

import math
from ctypes import byref, c_double, c_ssize_t, c_void_p, sizeof
from typing import Any, Callable, Optional, Sequence

import numpy as np

from . import _structs as structs
from . import _whole
from ._arguments import choice, positives, whole
from ._lifetime import Closing, Handle, Keeper, group_of, running
from ._library import Error, call, check, library, texts
from ._request import DIRECTIONS, LISTS, SIDES, Request, Shape


class Memory:
    """What keeps the memory of an array, and with it the plan, while views of it live."""

    def __init__(self, plan: Keeper, keeper: Keeper) -> None:
        self.plan = plan
        self.keeper = keeper

    def array(self, side: "_Side") -> np.ndarray:
        """The array of a side in this memory."""
        start = self.keeper.handle.pointer.value + side.offset
        self.__array_interface__ = {"data": (start, False), "shape": side.shape, "strides": side.strides,
                                    "typestr": side.dtype.str, "version": 3}
        return np.asarray(self)


class _Side:
    """What this rank holds of a side: dtype, shapes, strides in bytes, offset in bytes, slices."""

    def __init__(self, pointer: c_void_p, side: int, rank: int, request: Request, batch: Optional[int]) -> None:
        lib, box, extents = library(), structs.Box(), (c_ssize_t * 3)()
        check(lib.plan_box(pointer, side, rank, byref(box)))
        check(lib.plan_extents(pointer, side, extents))
        axes = range(3 - len(request.shape), 3)
        if 0 in box.len and all(box.len[a] for a in axes):  # empty along an axis that arrays do not have
            box.len[axes[0]] = 0
        self.dtype = request.dtype(side)
        self.shape = tuple(box.len[a] for a in axes)
        self.extents = tuple(extents[a] for a in axes)
        self.slices: tuple[slice, ...] = tuple(slice(box.lo[a], box.lo[a] + box.len[a]) for a in axes)
        strides = tuple(box.stride[a] for a in axes)
        self.global_shape = self.extents
        if batch is not None:
            self.shape, self.slices = (batch, *self.shape), (slice(0, batch), *self.slices)
            strides, self.global_shape = (box.distance, *strides), (batch, *self.extents)
        self.strides = tuple(s * self.dtype.itemsize for s in strides)
        self.offset = box.offset * self.dtype.itemsize

    def address(self, array: np.ndarray, name: str) -> int:
        """Where the element at lo of an array lies, less the offset; an Error if it is not laid out
        as this side."""
        if array.dtype != self.dtype:
            raise Error(f"{name}: its dtype is {array.dtype}, here {self.dtype} is needed",
                        hint=f"{name}.astype({self.dtype.name!r}), or another precision of the plan")
        if array.shape != self.shape:
            raise Error(f"{name}: its shape is {array.shape}, the part of this rank is {self.shape}")
        if array.strides != self.strides and array.size and any(
                n > 1 and s != t for n, s, t in zip(self.shape, array.strides, self.strides)):
            raise Error(f"{name}: the order of its memory, strides {array.strides}, is not the plan's, "
                        f"{self.strides}", hint="plan.empty() makes arrays of the right order: copy into one of them")
        return array.__array_interface__["data"][0] - self.offset


def as_array(what: Any, name: str) -> np.ndarray:
    """An array of numpy over the memory of what has a buffer or __dlpack__; never a copy."""
    if isinstance(what, np.ndarray):
        return what
    if hasattr(what, "__dlpack__"):
        return _from_dlpack(what, name)
    try:
        return np.asarray(memoryview(what))
    except TypeError:
        raise Error(f"{name}: {type(what).__name__} is no array: neither a buffer nor __dlpack__") from None


class _Memory:
    """That of an array, which it keeps, as memory that may be written."""

    def __init__(self, array: np.ndarray) -> None:
        self.array = array
        start = array.__array_interface__["data"][0]
        self.__array_interface__ = dict(array.__array_interface__, data=(start, False))


def _from_dlpack(what: Any, name: str) -> np.ndarray:
    """numpy makes arrays read-only where DLPack has not said that they may be written.  What exports its
    memory without a version, which has no word for read-only, must refuse if it is."""
    try:
        found = np.from_dlpack(what)
    except (BufferError, RuntimeError, TypeError, ValueError) as error:
        raise Error(f"{name}: numpy cannot use this {type(what).__name__}: {error}") from None
    if found.flags.writeable:
        return found
    try:
        what.__dlpack__()
    except (BufferError, RuntimeError, TypeError, ValueError):
        return found
    return np.asarray(_Memory(found))


def writable(array: np.ndarray, name: str) -> np.ndarray:
    """The array, if results can be written to it."""
    if not array.flags.writeable:
        raise Error(f"{name}: is read-only")
    return array


class Plan(Closing):
    """A transform of a field that is spread over the ranks of a communicator.  Collective.

    shape   -- n0, (n0, n1) or (n0, n1, n2): of the whole field
    type    -- "c2c", or "r2c": real fields, of whose spectrum half is stored along the last axis
    comm    -- a communicator of mpi4py; None: COMM_WORLD.  It is duplicated
    norm    -- "backward" (as numpy: the backward transform divides), "ortho", "forward", "none"
    scale   -- (forward, backward): factors on the results instead of norm's
    batch   -- fields that are transformed together: arrays have this first axis more
    boxes   -- {"space": slices, "spectrum": slices}: what this rank shall hold; boxes of all ranks
               tile the array
    strides -- {"space": array.strides}: how arrays of this rank's box lie in memory, in bytes, a batch
               first, for sides with boxes; C order where it is left out
    ghosts  -- {"space": (below, above)}: ghost cells along each axis around the arrays of a side
    machine -- see Machine
    wisdom  -- a Wisdom, "user" (the file that `pfft3d tune` writes, unless told otherwise) or "none"
    wisdom_required -- True: an error where a choice is open and wisdom has no answer
    options -- the keys of pfft3d_request_set(), which are words of the command line: precision, kind,
               keep, sign, order, decomp, grid, cuts, bricks, exchange, engine, threads, wire,
               deterministic, plan_budget, ...; booleans for yes and no, tuples for lists, {axis: indices}
               or {("spectrum", axis): indices} for lists of cuts.  Axes are those of shape, but in
               texts and messages, which count three, so that axes 1 and 2 are those of two dimensions

    Order is natural unless `order="transposed"` is asked for; also then, arrays have axes (k0, k1, k2):
    their strides say how they lie in memory.

    >>> import numpy as np
    >>> plan = Plan((4, 6, 8), type="r2c")
    >>> u = plan.empty("space")
    >>> u[...] = 1
    >>> spectrum = plan.forward(u)
    >>> plan.global_shape("spectrum")
    (4, 6, 5)
    >>> bool(np.allclose(plan.backward(spectrum), u))
    True
    >>> plan.close()
    """

    def __init__(self, shape: Shape, type: str = "c2c", comm: Any = None, *, batch: Optional[int] = None,
                 **options: Any) -> None:
        self._group = group_of(comm)
        made: list[Request] = []

        def prepare() -> Request:
            fields = None if batch is None else whole(batch, "batch")
            made.append(Request(shape, dict(options, type=type, batch=fields)))
            return made[0]

        lib = library()
        self._keeper = self._group.create(lib.plan_create_f, prepare, lib.plan_destroy)
        self._handle = self._keeper.handle
        self._pointer = self._handle.pointer
        self._request, self._spare = made[0], []  # type: ignore[var-annotated]
        self.shape: tuple[int, ...] = self._request.shape
        self.comm = self._group.comm
        self._sides = [_Side(self._pointer, s, self._group.rank, self._request, batch) for s in (0, 1)]
        self._execute = lib.execute

    def __repr__(self) -> str:
        if self._keeper is None:
            return f"<pfft3d.Plan {self._request.text()!r}, closed>"
        return f"<pfft3d.Plan {texts(library().plan_print, self._pointer)!r}>"

    def _open(self) -> c_void_p:
        if self._keeper is None:
            raise Error("plan: is closed")
        return self._pointer

    def _side(self, side: str) -> _Side:
        return self._sides[choice(SIDES, "side", side)]

    def close(self) -> None:
        """Collective.  Ends the plan.  Its memory is freed here, or, where arrays of it live, when the
        last of them has gone on all ranks.  Where an exception leaves a `with`, only the next collective
        call of the package does so: other ranks may not have it."""
        super().close()

    # ---- arrays ----

    def empty(self, side: str) -> np.ndarray:
        """Collective.  An array for this rank's part of a side, its contents undefined, in memory of the
        plan, which serves both sides and, inside a node, other ranks directly.  It keeps the plan alive
        and may outlive it.  Memory of arrays that all ranks have forgotten is used again."""
        self._open()
        found = self._group.agree(lambda: self._side(side))
        return self._memory().array(found)

    def _memory(self) -> Memory:
        self._group.sweep()
        if self._spare:
            handle = self._spare.pop()
        else:
            pointer = c_void_p()
            call(library().alloc, self._pointer, byref(pointer))
            spare = self._spare
            handle = Handle(pointer)
            handle.reclaim = lambda: spare.append(handle)  # type: ignore[method-assign]
        assert self._keeper
        return Memory(self._keeper, self._group.keep(handle))

    def view(self, array: np.ndarray, side: str) -> np.ndarray:
        """Local.  The memory of an array from empty() as an array of the given side, for transforms in
        place: plan.forward(u, out=plan.view(u, "spectrum"))."""
        base: Any = array
        while isinstance(base, np.ndarray):
            base = base.base
        if not isinstance(base, Memory) or base.plan.handle is not self._handle:
            raise Error("view: this array is not from empty() of this plan")
        return Memory(base.plan, base.keeper).array(self._side(side))

    def local_shape(self, side: str) -> tuple[int, ...]:
        """Local.  The shape of this rank's arrays of a side, a batch first; a length is 0 where the rank
        has no elements."""
        return self._side(side).shape

    def global_shape(self, side: str) -> tuple[int, ...]:
        """Local.  The shape of the whole array of a side, a batch first."""
        return self._side(side).global_shape

    def dtype(self, side: str) -> np.dtype:
        """Local.  The dtype of arrays of a side."""
        return self._side(side).dtype

    def indices(self, side: str) -> np.ndarray:
        """Local.  Global indices of the elements of this rank, for one dimension in any layout and order."""
        if len(self.shape) != 1:
            raise Error("indices: only plans of one dimension have them; others have slices()")
        n, rank, number = self._side(side).shape[-1], self._group.rank, choice(SIDES, "side", side)
        index = library().plan_index
        return np.array([index(self._open(), number, rank, i) for i in range(n)], dtype=np.intp)

    def slices(self, side: str) -> tuple[slice, ...]:
        """Local.  Which part of the global array this rank holds: whole[plan.slices("space")].  In one
        dimension with cyclic layout they have steps; scrambled order has indices() only."""
        s = self._side(side)
        if len(self.shape) != 1 or not s.shape[-1]:
            return s.slices
        index, n, number = library().plan_index, s.shape[-1], choice(SIDES, "side", side)
        first, second, last = (index(self._open(), number, self._group.rank, i) for i in (0, min(1, n - 1), n - 1))
        step = max(1, second - first)
        if last != first + (n - 1) * step:
            raise Error("slices: scrambled order is not a slice", hint="indices(side), or order='natural'")
        return (*s.slices[:-1], slice(first, last + 1, step))

    def _agreed_slices(self, side: str) -> tuple[slice, ...]:
        """Collective.  slices(), which some ranks may have where others have indices() only."""
        return self._group.allgather(lambda: self.slices(side))[self._group.rank]

    # ---- transforms ----

    def forward(self, u: Any, out: Optional[Any] = None) -> np.ndarray:
        """Collective.  The spectrum of u, in out or in a new array.  u and out are arrays of this rank's
        part of each side: of empty(), or any with the same dtype, shape and strides.  An array that is
        not acceptable is an Error on its rank alone."""
        return self._transform(0, u, out, None)

    def backward(self, u: Any, out: Optional[Any] = None,
                 multiplier: Optional[Sequence[Any]] = None) -> np.ndarray:
        """Collective.  The field of the spectrum u, in out or in a new array.  multiplier: one vector of
        float64 for each axis, by global index, with which the spectrum is multiplied on the way; of plans
        of two or three dimensions, on all ranks or none."""
        return self._transform(1, u, out, multiplier)

    def measure(self, direction: str, part: str, u: Any, out: Optional[Any] = None) -> float:
        """Collective.  Seconds of this rank for a part of a transform by itself: "passes", with every
        exchange left out, or "alltoall", an MPI_Alltoall of the bytes that the exchanges move.  u and
        out are as in forward() and backward(); out is overwritten."""
        self._open()
        seconds, (number, what) = c_double(), self._group.agree(lambda: (
            choice(DIRECTIONS, "direction", direction), choice({"passes": 0, "alltoall": 1}, "part", part)))
        _, source, target, _held = self._addresses(number, u, out)
        check(library().plan_measure(self._pointer, number, what, source, target, byref(seconds)), what="measure")
        return seconds.value

    def _addresses(self, direction: int, u: Any, out: Any) -> tuple[np.ndarray, int, int, Any]:
        """The array of results, where u and out lie, and what keeps their memory until the call is over: arrays
        may have made it on request."""
        if self._keeper is None:
            raise Error("plan: is closed")
        running()
        here = u if type(u) is np.ndarray else as_array(u, "u")
        source = self._sides[direction].address(here, "u")
        if out is None:
            out = self._memory().array(self._sides[1 - direction])
        there = out if type(out) is np.ndarray else as_array(out, "out")
        target = self._sides[1 - direction].address(there, "out")
        writable(there, "out")
        return out, source, target, (here, there)

    def _transform(self, direction: int, u: Any, out: Any, multiplier: Optional[Sequence[Any]]) -> np.ndarray:
        if multiplier is not None:
            self._open()
            factors = self._group.agree(lambda: self._factors(multiplier))
        out, source, target, _held = self._addresses(direction, u, out)
        if multiplier is not None:
            pointers = (c_void_p * 3)(*(m.ctypes.data for m in factors))
            status = library().execute_multiplier(self._pointer, pointers, source, target)
        else:
            status = self._execute(self._pointer, direction, source, target)
        if status:
            check(status, what="execute: do u and out overlap?" if status == 64 else "execute")
        return out

    def _factors(self, multiplier: Sequence[Any]) -> list[np.ndarray]:
        """A vector for each of three axes."""
        extents = self._sides[1].extents
        if len(extents) == 1:
            raise Error("multiplier: plans of one dimension take none",
                        hint="multiply the spectrum by vector[plan.indices('spectrum')]")
        if not isinstance(multiplier, (tuple, list, np.ndarray)):
            raise Error(f"multiplier: {multiplier!r} is not a vector for each of {len(extents)} axes")
        if len(multiplier) != len(extents):
            raise Error(f"multiplier: {len(multiplier)} vectors for {len(extents)} axes")
        given = [np.asarray(m) for m in multiplier]
        if any(m.dtype.kind == "c" for m in given):
            raise Error("multiplier: its vectors are complex, here real ones are needed",
                        hint="multiply the spectrum by complex ones")
        factors = [np.ones(1)] * (3 - len(extents)) + [np.ascontiguousarray(m, np.float64) for m in given]
        for m, n in zip(factors[3 - len(extents):], extents):
            if m.shape != (n,):
                raise Error(f"multiplier: a vector of shape {m.shape}, the axis has {n} modes")
        return factors

    # ---- what it is ----

    @property
    def problem(self) -> str:
        """What is transformed: "r2c:d:64x64x64"."""
        return texts(library().problem_print, self._request.problem())

    @property
    def decision(self) -> str:
        """How, with nothing left to "auto": "decomp=slab exchange=shared engine=simd order=natural"."""
        d = structs.Decision()
        check(library().plan_decision(self._open(), byref(d)))
        return texts(library().decision_print, byref(d))

    @property
    def reason(self) -> str:
        """Why this decision; "" if nothing was open."""
        return structs.text(library().plan_reason(self._open()))

    @property
    def decided_by(self) -> str:
        """Who: "request", where it left nothing open, "model", "timing" or "wisdom"."""
        return ("request", "model", "timing", "wisdom")[library().plan_decided_by(self._open())]

    def stats(self, direction: str, reset: bool = False) -> dict[str, Any]:
        """Local.  What this rank did in its executions of a direction since the last reset: executions,
        total_s, fft_s, post_s, wait_s (seconds), messages, bytes, traffic (bytes), stages, ..."""
        s = structs.Stats()
        number = choice(DIRECTIONS, "direction", direction)
        check(library().plan_stats(self._open(), number, int(reset), byref(s), sizeof(s)))
        found = structs.plain(s)
        found["stage"] = found["stage"][: s.stages]
        found["wire"] = ("double", "single", "same")[s.wire]
        return found

    def wavenumbers(self, lengths: Optional[Sequence[float]] = None, *, odd: bool = False) -> list[np.ndarray]:
        """Local.  The wavenumbers of this rank's part of the spectrum, one array for each axis that
        broadcasts with the others: mode numbers m, or 2 pi m / length, in radians per unit, for sides of
        the given lengths.  Mode numbers of cosine and sine transforms are multiples of 1/2 or 1/4: waves
        on a side of that length.  Axes that are not transformed give 0.  With sign=+1 those of dft axes are
        negative, as waves are exp(-i k x) there.  i k times the spectrum is the derivative with both signs,
        if k is that of odd=True: 0 for n/2 waves in an even number n of points, which are as much -n/2
        waves.  Odd orders along an axis take this one, even orders the other.

        >>> k0, k1 = Plan((4, 6), type="r2c").wavenumbers()
        >>> k0.ravel().tolist(), k1.ravel().tolist()
        ([0.0, 1.0, -2.0, -1.0], [0.0, 1.0, 2.0, 3.0])
        >>> Plan((4, 6), type="r2c").wavenumbers(odd=True)[1].ravel().tolist()
        [0.0, 1.0, 2.0, 0.0]
        """
        side, dims = self._sides[1], len(self.shape)
        if dims == 1:
            indices: list[Any] = [self.indices("spectrum")]
        else:
            indices = [np.arange(s.start, s.stop) for s in side.slices[-dims:]]
        kinds = self._kinds()
        scales = [1.0] * dims if lengths is None else [2 * math.pi / n for n in positives(lengths, "lengths", dims)]
        plus = self._request.problem().sign > 0
        half = self._sides[0].dtype.kind == "f" and side.dtype.kind == "c"
        halved = max((a for a in range(dims) if kinds[a] == "dft"), default=-1) if half else -1
        found = []
        for a in range(dims):
            n = side.extents[a]
            m = mode_numbers(kinds[a], indices[a], n, a == halved)
            if odd and kinds[a] in _WAVES:
                m[2 * np.abs(m) == self._sides[0].extents[a]] = 0
            m *= scales[a]
            if plus and kinds[a] == "dft":
                m = 0 - m  # no -0
            found.append(m.reshape([-1 if b == a else 1 for b in range(dims)]))
        return found

    def _kinds(self) -> list[str]:
        """Of each axis."""
        kinds = self._request.problem().axis[3 - len(self.shape):]
        return [library().list_name(LISTS["kinds"], k, None).decode() for k in kinds]

    # ---- small work ----

    def _root(self, root: Any) -> int:
        found = whole(root, "root")
        if not 0 <= found < self._group.size:
            raise Error(f"root: {found} is no rank of 0 to {self._group.size - 1}")
        return found

    def _same_root(self, prepare: Callable[[], int]) -> None:
        """Collective.  Calls prepare(), which gives the root; an Error unless all ranks have the same."""
        for rank, root in enumerate(roots := self._group.allgather(prepare)):
            if root != roots[0]:
                raise Error(f"root: {roots[0]} on rank 0, {root} on rank {rank}")

    def _check_array(self, name: str, array: Any, shape: tuple[int, ...], side: str) -> None:
        """That an array has this shape, and numbers that those of a side can hold, but for rounding."""
        given, dtype = np.asarray(array), self.dtype(side)
        if given.shape != shape:
            raise Error(f"{name}: the shape is {given.shape}, here {shape} is needed")
        if not np.can_cast(given.dtype, dtype, "same_kind"):
            raise Error(f"{name}: the dtype is {given.dtype}, whose values {dtype} cannot hold")

    def gather(self, array: np.ndarray, side: str, root: int = 0) -> Optional[np.ndarray]:
        """Collective.  The whole array of a side on rank root, from the parts of all; None elsewhere.  Numbers
        are converted to the dtype of the side, but not complex ones to real ones.  Messages have 1 GiB at
        most: arrays may be as large as the memory of rank root."""

        def check_array() -> int:
            self._check_array("gather", array, self.local_shape(side), side)
            return self._root(root)

        self._same_root(check_array)
        return _whole.gather(self._group, array, lambda: self._index(side), self.global_shape(side), self.dtype(side),
                             root)

    def scatter(self, whole: Optional[np.ndarray], side: str, root: int = 0) -> np.ndarray:
        """Collective.  This rank's part, in a new array of the plan, of a whole array on rank root, whose
        numbers are converted as in gather()."""

        def check_array() -> int:
            shape = self.global_shape(side)
            if self._group.rank == root:
                self._check_array("scatter", whole, shape, side)
            return self._root(root)

        self._same_root(check_array)
        out = self.empty(side)
        out[...] = _whole.scatter(self._group, whole, lambda: self._index(side), out.shape, out.dtype, root)
        return out

    def _index(self, side: str) -> Any:
        try:
            return self.slices(side)
        except Error:
            return (Ellipsis, self.indices(side))


_WAVES = ("dft", "dht", "r2hc", "hc2r")  # whole ones, on a side


def mode_numbers(kind: str, index: np.ndarray, n: int, halved: bool) -> np.ndarray:
    """Waves on the side of an axis for indices of its spectrum of n modes."""
    i = index.astype(np.float64)
    if kind == "none":
        return np.zeros_like(i)
    if kind == "dft":
        return i if halved else np.where(index < (n + 1) // 2, i, i - n)
    if kind in _WAVES:
        return np.where(index <= n // 2, i, i - n)
    shift = {"dct1": 0, "dct2": 0, "dst1": 1, "dst2": 1}.get(kind, 0.5)
    return (i + shift) / 2
