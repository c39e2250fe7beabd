# SPDX-License-Identifier: BSD-3-Clause
"""Functions of numpy.fft and scipy.fft for arrays that are spread over ranks along their first axis.

Each is one plan with boxes of the caller: what s adds or leaves out changes only the box into which a
rank copies its part, and the axis of half a spectrum, which a plan has last, is moved by a view."""
from __future__ import annotations

from typing import Any, NamedTuple, Optional, Sequence

import numpy as np

from . import _dimensions as dimensions
from ._arguments import wholes
from ._lifetime import Group, group_of
from ._library import Error, mpi
from ._plan import Plan
from ._redist import Redistribution

_KEPT = 16  # plans of a communicator
_ROOT = 2**0.5

# What norm="ortho" does to the first and last numbers of an axis, beyond a common factor, so that the
# transform is orthogonal: (first, last) of what goes in, and of what comes out, by kind.
_EDGES = {"dct1": ((_ROOT, _ROOT), (1 / _ROOT, 1 / _ROOT)), "dct2": ((1, 1), (1 / _ROOT, 1)),
          "dct3": ((_ROOT, 1), (1, 1)), "dst2": ((1, 1), (1, 1 / _ROOT)), "dst3": ((1, _ROOT), (1, 1))}


class _Wish(NamedTuple):
    """What all ranks must agree on, but for the length of their parts."""

    name: str
    real: bool  # the field, not this array
    kind: str
    backward: bool
    single: bool
    rest: tuple[int, ...]  # sizes of the array along axes 1, 2
    s: Optional[tuple[int, ...]]
    axes: tuple[int, ...]
    norm: str


class _Work(NamedTuple):
    """A plan, and for one dimension what makes even parts of the caller's."""

    plan: Plan
    before: Optional[Redistribution]
    after: Optional[Redistribution]


def _axes(name: str, dims: int, s: Optional[tuple[int, ...]], axes: Any) -> tuple[int, ...]:
    """As numpy has them: all, or the last ones if s is given."""
    found = tuple(range(dims)) if s is None else tuple(range(dims - len(s), dims))
    if axes is not None:
        found = wholes(axes, "axes")
    if not found or not all(-dims <= a < dims for a in found) or (s is not None and len(s) != len(found)):
        raise Error(f"{name}: axes {found} and s {s} do not fit an array of {dims} dimensions")
    found = tuple(a % dims for a in found)
    if len(set(found)) < len(found):
        raise Error(f"{name}: axes {found}: an axis is transformed once")
    return found


def _wish(name: str, kind: str, backward: bool, array: np.ndarray, s: Any, axes: Any,
          norm: Optional[str]) -> _Wish:
    if not 1 <= array.ndim <= dimensions.MOST:
        raise Error(f"array: {array.ndim} dimensions, of one to {dimensions.MOST}")
    if array.dtype.kind not in "biufc" or array.dtype.char in "gG":
        raise Error(f"array: its dtype is {array.dtype}, no numbers of up to double precision")
    real = "rfft" in name or (kind != "dft" and array.dtype.kind != "c")
    if array.dtype.kind == "c" and name == "rfftn":
        raise Error(f"array: its dtype is {array.dtype}, rfftn needs real numbers")
    sizes = None if s is None else wholes(s, "s")
    found = _axes(name, array.ndim, sizes, axes)
    if sizes is not None and any(n < 1 and n != -1 for n in sizes):
        raise Error(f"{name}: s {sizes}: sizes begin at 1", hint="-1 is the size of the array")
    single = array.dtype in (np.float16, np.float32, np.complex64)
    return _Wish(name, real, kind, backward, single, array.shape[1:], sizes, found, norm or "backward")


def _agreed(group: Group, array: Any, *wish: Any) -> tuple[_Wish, list[int]]:
    """The wish and the lengths of all ranks along axis 0; or an Error on all of them."""

    def prepare() -> tuple[_Wish, int]:
        given = np.asarray(array)
        return _wish(*wish[:3], given, *wish[3:]), len(given)

    parts = group.allgather(prepare)
    if any(w != parts[0][0] for w, _ in parts):
        raise Error("array: parts of ranks differ in more than their first axis: " + ", ".join(
            f"{(n, *w.rest)} {'single' if w.single else 'double'}" for w, n in parts),
            hint="shape, dtype, s, axes and norm are those of all ranks")
    return parts[0][0], [n for _, n in parts]


def _even(n: int, ranks: int) -> list[int]:
    """Where balanced parts begin, and n."""
    return [n // ranks * r + min(r, n % ranks) for r in range(ranks + 1)]


class _Layout:
    """Shapes of the whole array before and after, and where the parts of ranks begin along axis 0."""

    def __init__(self, w: _Wish, lengths: list[int]) -> None:
        begin, n = [sum(lengths[:r]) for r in range(len(lengths) + 1)], [sum(lengths), *w.rest]
        self.field = list(n)
        self.half = w.axes[-1] if w.real and w.kind == "dft" else None
        if w.backward and self.half is not None:
            self.field[self.half] = 2 * (n[self.half] - 1)
        for a, size in zip(w.axes, w.s or ()):
            self.field[a] = n[a] if size == -1 else size
        if min(*n, *self.field, 1) < 1:
            raise Error(f"array: the whole array has the shape {tuple(n)}")
        spectrum = list(self.field)
        if self.half is not None:
            spectrum[self.half] = self.field[self.half] // 2 + 1
        sides = [spectrum, self.field] if w.backward else [self.field, spectrum]
        self.shapes = sides
        first = [min(b, sides[0][0]) for b in begin]
        first[-1] = sides[0][0]  # rows that s adds are the last rank's
        self.begin = (first, begin if sides[1][0] == n[0] else _even(sides[1][0], len(lengths)))
        others = [a for a in range(len(n)) if a != self.half]
        self.order = others if self.half is None else [*others, self.half]  # axes of the plan

    def rows(self, which: int, rank: int) -> slice:
        return slice(*self.begin[which][rank:rank + 2])

    def box(self, which: int, rank: int) -> tuple[slice, ...]:
        """Of a rank, in axes of the plan."""
        whole = [self.rows(which, rank), *(slice(0, n) for n in self.shapes[which][1:])]
        return tuple(whole[a] for a in self.order)


def _work(group: Group, comm: Any, w: _Wish, layout: _Layout) -> _Work:
    """What was made before, or anew instead of the oldest.  All ranks do the same."""
    kept, key = group.plans, repr((w, layout.begin, layout.shapes))
    if key in kept:
        kept[key] = kept.pop(key)
        return kept[key]
    if len(kept) >= _KEPT:
        del kept[next(iter(kept))]
    sides = ("spectrum", "space") if w.backward else ("space", "spectrum")
    options: dict[str, Any] = {"norm": w.norm, "precision": "single" if w.single else "double",
                               "kind": [w.kind if a in w.axes else "none" for a in layout.order]}
    if len(layout.order) > 1:
        options["boxes"] = {side: layout.box(i, group.rank) for i, side in enumerate(sides)}
    plan = Plan([layout.field[a] for a in layout.order], "r2c" if w.real else "c2c", comm, **options)
    around: list[Optional[Redistribution]] = [None, None]
    for i, side in enumerate(sides if len(layout.order) == 1 else ()):
        n = layout.shapes[i][0]
        even = _even(n, group.size)
        if layout.begin[i] != even:
            mine, part = [layout.rows(i, group.rank)], [slice(*even[group.rank:group.rank + 2])]
            around[i] = Redistribution([n], *((part, mine) if i else (mine, part)), plan.dtype(side), comm)
    kept[key] = _Work(plan, *around)
    return kept[key]


def _copy(source: np.ndarray, target: np.ndarray) -> None:
    """Of two arrays that begin at the same index; zeros where the source ends."""
    common = tuple(slice(0, min(a, b)) for a, b in zip(source.shape, target.shape))
    if target[common].size < target.size:
        target[...] = 0
    target[common] = source[common]


def _edges(w: _Wish, layout: _Layout, which: int, rank: int, array: np.ndarray) -> None:
    """Scales the first and last numbers of axes for norm="ortho", before (which = 0) or after."""
    if w.norm != "ortho" or w.kind not in _EDGES:
        return
    factors = _EDGES[w.kind][which if not w.backward else 1 - which]
    for a in w.axes:
        rows, n = layout.rows(which, rank), layout.shapes[which][a]
        begin, end = (rows.start, rows.stop) if a == 0 else (0, n)
        for index, factor in zip((0, n - 1), factors):
            if begin <= index < end:
                array[(slice(None),) * a + (index - begin,)] *= 1 / factor if w.backward else factor


def _run(name: str, kind: str, backward: bool, array: Any, s: Any, axes: Any, norm: Optional[str],
         comm: Any) -> np.ndarray:
    group = group_of(comm)
    w, lengths = _agreed(group, array, name, kind, backward, s, axes, norm)
    given = np.asarray(array)
    if given.ndim > 3:
        return _more(group, w, kind, given, comm)
    layout = _Layout(w, lengths)
    plan, before, after = _work(group, comm, w, layout)
    u = plan.empty("spectrum" if backward else "space")
    back = np.argsort(layout.order)
    stored = u if before is None else before.empty("before")
    _copy(given.real if u.dtype.kind == "f" else given, stored.transpose(back))
    _edges(w, layout, 0, group.rank, stored.transpose(back))
    if before is not None:
        before.forward(stored, u)
    result = plan.backward(u) if backward else plan.forward(u)
    if after is not None:
        result = after.forward(result)
    rows, result = layout.rows(1, group.rank), result.transpose(back)
    if rows.start == rows.stop:  # a plan may give a rank without elements another shape
        result = np.empty((0, *layout.shapes[1][1:]), result.dtype)
    if kind == "dft" and not backward:  # of one real point, the plan's spectrum is real
        result = result.astype(np.result_type(result, np.complex64), copy=False)
    _edges(w, layout, 1, group.rank, result)
    return result


def _more(group: Group, w: _Wish, kind: str, given: np.ndarray, comm: Any) -> np.ndarray:
    """Of more than three dimensions."""

    def one(where: Any) -> Any:
        return lambda step, view, axes: _run(step.name, kind, w.backward, view, step.sizes, axes, w.norm, where)

    given = np.ascontiguousarray(given, (np.float32 if w.single else np.float64) if given.dtype.kind != "c" else None)
    todo = dimensions.steps(w.name, w.backward, given.ndim, w.axes, w.s)
    return dimensions.run(group, given, todo, one(comm), one(mpi().COMM_SELF))


_Sizes = Optional[Sequence[int]]


def fftn(array: Any, s: _Sizes = None, axes: _Sizes = None, norm: Optional[str] = None,
         comm: Any = None) -> np.ndarray:
    """Collective.  numpy.fft.fftn of the array whose parts along axis 0 the ranks hold, in their order:
    each passes its part, of any length, and gets the same part of the spectrum.

    array -- this rank's part, of one to eight dimensions
    s     -- sizes along the axes that are transformed: the field is cut or filled up with zeros, at
             the end of each axis, as numpy does; -1 is the size of the array, as numpy 2 has it.  Where
             it changes axis 0, parts of the result are even, the first ones longer by one
    axes  -- those that are transformed; None: all, or the last len(s)
    norm  -- "backward" (the inverse divides by the number of points; None is the same), "ortho",
             "forward"

    Plans are kept, 16 of a communicator.

    >>> import numpy as np
    >>> u = np.ones((3, 4))
    >>> bool(np.allclose(fftn(u, comm=MPI.COMM_SELF), np.fft.fftn(u)))
    True
    """
    return _run("fftn", "dft", False, array, s, axes, norm, comm)


def ifftn(array: Any, s: _Sizes = None, axes: _Sizes = None, norm: Optional[str] = None,
          comm: Any = None) -> np.ndarray:
    """Collective.  numpy.fft.ifftn, as fftn()."""
    return _run("ifftn", "dft", True, array, s, axes, norm, comm)


def rfftn(array: Any, s: _Sizes = None, axes: _Sizes = None, norm: Optional[str] = None,
          comm: Any = None) -> np.ndarray:
    """Collective.  numpy.fft.rfftn of a real array, as fftn(): along the last of the axes n//2+1
    numbers."""
    return _run("rfftn", "dft", False, array, s, axes, norm, comm)


def irfftn(array: Any, s: _Sizes = None, axes: _Sizes = None, norm: Optional[str] = None,
           comm: Any = None) -> np.ndarray:
    """Collective.  numpy.fft.irfftn, as fftn(): real numbers, along the last of the axes s[-1] of them,
    or 2 (m-1) of m."""
    return _run("irfftn", "dft", True, array, s, axes, norm, comm)


def _real(name: str, type: int, backward: bool, *arguments: Any) -> np.ndarray:
    return _run(name, f"{name.lstrip('i')[:3]}{type}", backward, *arguments)


def dctn(array: Any, type: int = 2, s: _Sizes = None, axes: _Sizes = None, norm: Optional[str] = None,
         comm: Any = None) -> np.ndarray:
    """Collective.  scipy.fft.dctn, types 1 to 4, with parts of ranks as fftn() has them; two or three
    dimensions, unless the library has the kind for one.  Of complex arrays, both parts are transformed.
    norm="ortho" is orthogonal, as scipy's; that of sine transforms of types 2 and 3 is not in scipy
    before 1.12, which scales the first number instead of the last one.

    >>> import numpy as np
    >>> round(float(dctn(np.ones((3, 4)), norm="ortho", comm=MPI.COMM_SELF)[0, 0] ** 2), 9)
    12.0
    """
    return _real("dctn", type, False, array, s, axes, norm, comm)


def idctn(array: Any, type: int = 2, s: _Sizes = None, axes: _Sizes = None, norm: Optional[str] = None,
          comm: Any = None) -> np.ndarray:
    """Collective.  scipy.fft.idctn: the inverse of dctn() of the same type and norm."""
    return _real("idctn", type, True, array, s, axes, norm, comm)


def dstn(array: Any, type: int = 2, s: _Sizes = None, axes: _Sizes = None, norm: Optional[str] = None,
         comm: Any = None) -> np.ndarray:
    """Collective.  scipy.fft.dstn, as dctn()."""
    return _real("dstn", type, False, array, s, axes, norm, comm)


def idstn(array: Any, type: int = 2, s: _Sizes = None, axes: _Sizes = None, norm: Optional[str] = None,
          comm: Any = None) -> np.ndarray:
    """Collective.  scipy.fft.idstn: the inverse of dstn() of the same type and norm."""
    return _real("idstn", type, True, array, s, axes, norm, comm)
