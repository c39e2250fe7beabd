# SPDX-License-Identifier: BSD-3-Clause
"""Transforms of arrays of more than three dimensions, as a list of transforms of three: views of the array
in which the axes of a step are neighbours.  Axis 0, and axis 1 with it, is a transform of all ranks; steps
along other axes are each rank's own."""
from __future__ import annotations

from math import prod
from typing import Callable, NamedTuple, Optional

import numpy as np

from ._lifetime import Group

MOST = 8  # dimensions


class Step(NamedTuple):
    """The axes of the array that are transformed together, and the shape of the view."""

    name: str
    axes: tuple[int, ...]  # the last one has half of a spectrum
    sizes: Optional[tuple[int, ...]]  # as s, of these axes


def steps(name: str, backward: bool, dims: int, axes: tuple[int, ...], sizes: Optional[tuple[int, ...]]) -> list[Step]:
    """The list for the transform of this name.  Pairs of axes are those of the view in which they are the
    first or the last two."""
    left, groups = set(axes), []
    for pair in ((0, 1), (dims - 2, dims - 1)):
        if left.issuperset(pair):
            groups.append(pair)
            left -= set(pair)
    groups += [(a,) for a in sorted(left)]
    real, half = "rfft" in name, axes[-1]
    size = dict(zip(axes, sizes)) if sizes is not None else {}
    found = []
    for group in groups:
        if real and half in group:
            group = (*(a for a in group if a != half), half)
        step = {"rfftn": "fftn", "irfftn": "ifftn"}.get(name, name) if real and half not in group else name
        found.append(Step(step, group, tuple(size[a] for a in group) if size else None))
    # that of half a spectrum is the first one forward, the last one backward
    found.sort(key=lambda step: (half not in step.axes) != backward if real else 0)
    return found


def view_of(shape: tuple[int, ...], group: tuple[int, ...]) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """A shape of up to three axes, and where those of the step are in it."""
    first, last = min(group), max(group)
    if first == 0:
        view = (*shape[:last + 1], prod(shape[last + 1:]))
        return view, group
    view = (prod(shape[:first]), *shape[first:last + 1])
    if last < len(shape) - 1:
        view = (*view, prod(shape[last + 1:]))
    return view, tuple(a - first + 1 for a in group)


def run(group: Group, array: np.ndarray, todo: list[Step], everywhere: Callable, alone: Callable) -> np.ndarray:
    """Collective.  everywhere(step, view, axes) is a transform of all ranks, alone() one of this rank."""
    for step in todo:
        view, axes = view_of(array.shape, step.axes)
        first, last = min(step.axes), max(step.axes)
        if first == 0:
            out = everywhere(step, array.reshape(view), axes)
            array = out.reshape(*out.shape[:last + 1], *array.shape[last + 1:])
        else:
            array = group.agree(lambda: _alone(array, step, view, axes, alone))
    return array


def _alone(array: np.ndarray, step: Step, view: tuple[int, ...], axes: tuple[int, ...],
           alone: Callable) -> np.ndarray:
    """A rank without elements has no transform to do: of one element instead, which is then left out."""
    empty = array.size == 0
    out = alone(step, np.zeros((1, *view[1:]), array.dtype) if empty else array.reshape(view), axes)
    lengths = dict(zip(axes, (out.shape[a] for a in axes)))
    first = min(step.axes) - min(axes)
    shape = tuple(lengths.get(a - first, n) if a in step.axes else n for a, n in enumerate(array.shape))
    return np.empty(shape, out.dtype) if empty else out.reshape(shape)
