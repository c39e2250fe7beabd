# SPDX-License-Identifier: BSD-3-Clause
"""numpy's functions for arrays that are spread over ranks along their first axis."""
from __future__ import annotations

from typing import Any, Optional

import numpy as np

from ._lifetime import Group, group_of
from ._library import Error
from ._plan import Plan

_KEPT = 16  # plans of a communicator


def _agreed(group: Group, array: np.ndarray, real: bool) -> tuple[list[int], tuple[int, ...], str]:
    """Lengths of all ranks along axis 0, the other sizes, and the precision: the same on all ranks, or
    an Error on all of them."""
    single = array.dtype in (np.float32, np.complex64)
    problem = ""
    if not 1 <= array.ndim <= 3:
        problem = f"array: {array.ndim} dimensions, of one to three"
    elif real and array.dtype.kind == "c":
        problem = f"array: its dtype is {array.dtype}, rfftn needs real numbers"
    elif array.dtype.kind not in "biufc":
        problem = f"array: its dtype is {array.dtype}, no numbers"
    parts = group.comm.allgather((problem, array.shape, single))
    for text, *_ in parts:
        if text:
            raise Error(text)
    shapes = {(shape[1:], single) for _, shape, single in parts}
    if len(shapes) > 1:
        raise Error("array: parts of ranks differ in more than their first axis: " +
                    ", ".join(str(shape) for _, shape, _ in parts))
    return [p[1][0] for p in parts], parts[0][1][1:], "single" if single else "double"


def _cut(lengths: list[int], shape: tuple[int, ...]) -> dict:
    """The option `cuts` of a plan whose field is cut as the array is; none where that is the rule."""
    n, ranks = sum(lengths), len(lengths)
    even = [n // ranks + (r < n % ranks) for r in range(ranks)]
    if lengths == even:
        return {}
    if len(shape) == 1:
        raise Error("array: parts of one dimension must be even, the first ones longer by one",
                    hint=f"here: {even}")
    axis = 0 if len(shape) == 3 else 1
    at = [sum(lengths[:r]) for r in range(ranks + 1)]
    return {"cuts": {axis: at, ("spectrum", axis): at}}


def _plan(group: Group, comm: Any, shape: tuple[int, ...], options: dict) -> Plan:
    """A plan that was made before, or a new one in place of the oldest.  All ranks do the same."""
    kept = group.plans
    key = repr((shape, sorted(options.items())))
    if key in kept:
        kept[key] = kept.pop(key)
        return kept[key]
    if len(kept) >= _KEPT:
        del kept[next(iter(kept))]
    decomp = {} if len(shape) == 1 else {"decomp": "slab"}
    kept[key] = Plan(shape, comm=comm, **decomp, **options)
    return kept[key]


def _run(array: Any, comm: Any, type: str, backward: bool, norm: Optional[str],
         last: Optional[int] = None) -> np.ndarray:
    group = group_of(comm)
    given = np.asarray(array)
    lengths, rest, precision = _agreed(group, given, type == "r2c" and not backward)
    shape = (sum(lengths), *rest)
    if type == "r2c" and backward:
        n = 2 * (shape[-1] - 1) if last is None else last
        if n < 1 or n // 2 + 1 != shape[-1]:
            raise Error(f"n: {n} numbers do not have a half spectrum of {shape[-1]}")
        if len(shape) == 1:
            lengths = _line_halves(lengths, n)
        shape = (*shape[:-1], n)
    if 0 in shape:
        raise Error(f"array: the whole array has the shape {shape}")
    options = {"type": type, "precision": precision, "norm": norm or "backward", **_cut(lengths, shape)}
    plan: Plan = _plan(group, comm, shape, options)
    sides = ("spectrum", "space") if backward else ("space", "spectrum")
    u = plan.empty(sides[0])
    if u.shape != given.shape:
        raise Error(f"array: its shape is {given.shape}, the plan has {u.shape}")
    u[...] = given
    return plan.backward(u) if backward else plan.forward(u)


def _line_halves(lengths: list[int], n: int) -> list[int]:
    """Parts of the field, where those of half its spectrum are even."""
    half, ranks = n // 2 + 1, len(lengths)
    if lengths != [half // ranks + (r < half % ranks) for r in range(ranks)]:
        raise Error("array: parts of one dimension must be even, the first ones longer by one")
    return [n // ranks + (r < n % ranks) for r in range(ranks)]


def fftn(array: Any, comm: Any = None, norm: Optional[str] = None) -> np.ndarray:
    """Collective.  numpy.fft.fftn of the array whose parts along axis 0 the ranks hold, in their order:
    each passes its part, of any length, and gets the same part of the spectrum.  One to three
    dimensions, all of which are transformed; parts of one dimension must be even.  Plans are kept.

    >>> import numpy as np
    >>> u = np.ones((3, 4))
    >>> bool(np.allclose(fftn(u, comm=MPI.COMM_SELF), np.fft.fftn(u)))
    True
    """
    return _run(array, comm, "c2c", False, norm)


def ifftn(array: Any, comm: Any = None, norm: Optional[str] = None) -> np.ndarray:
    """Collective.  numpy.fft.ifftn, as fftn()."""
    return _run(array, comm, "c2c", True, norm)


def rfftn(array: Any, comm: Any = None, norm: Optional[str] = None) -> np.ndarray:
    """Collective.  numpy.fft.rfftn of a real array, as fftn(): of the last axis, n//2+1 numbers."""
    return _run(array, comm, "r2c", False, norm)


def irfftn(array: Any, n: Optional[int] = None, comm: Any = None, norm: Optional[str] = None) -> np.ndarray:
    """Collective.  numpy.fft.irfftn, as fftn(): n real numbers along the last axis (2 (m-1) of m)."""
    return _run(array, comm, "r2c", True, norm, n)
