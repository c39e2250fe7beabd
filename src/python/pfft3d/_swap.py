# SPDX-License-Identifier: BSD-3-Clause
"""Redistributions of arrays of any dimensions that are cut along one axis, to a cut along another, as
mpi4py-fft has them.  A Redistribution has four axes at most, and elements of limited size."""
from __future__ import annotations

from math import prod
from typing import Any, Optional, Sequence

import numpy as np

from ._redist import Redistribution

_ELEMENT = 65536  # bytes, the most that the library takes


def share(n: int, comm: Any, rank: Optional[int] = None) -> slice:
    """What mpi4py-fft gives to a rank of n indices: the first ones get one more."""
    each, more = divmod(n, comm.size)
    r = comm.rank if rank is None else rank
    first = r * each + min(r, more)
    return slice(first, first + each + (r < more))


class Swap:
    """Forward from arrays that are complete along axis a to those complete along axis b, and back.  Collective.

    Other axes are joined where they are neighbours, so that any number of them will do.  What follows
    the two axes is the element.  Where it is too large it is an axis: then what is before the two axes
    is none, and is gone through here, unless nothing is between them."""

    def __init__(self, comm: Any, lasting: Any, shape: Sequence[int], dtype: np.dtype, a: int, b: int) -> None:
        i, j = sorted((a, b))
        lead, between, rest = prod(shape[:i]), prod(shape[i + 1:j]), prod(shape[j + 1:])
        self._element, self._loops = dtype, 1
        if rest * dtype.itemsize <= _ELEMENT:
            sizes, at = [lead, shape[i], between, shape[j]], {i: 1, j: 3}
            if rest > 1:
                self._element = np.dtype((np.void, rest * dtype.itemsize))
        elif between == 1:
            sizes, at = [lead, shape[i], shape[j], rest], {i: 1, j: 2}
        else:
            sizes, at, self._loops = [shape[i], between, shape[j], rest], {i: 0, j: 2}, lead
        before, after = ([slice(0, n) for n in sizes] for _ in range(2))
        before[at[b]], after[at[a]] = share(shape[b], comm), share(shape[a], comm)
        self._shapes = [(self._loops, *(s.stop - s.start for s in boxes)) for boxes in (before, after)]
        self._redistribution = Redistribution(sizes, before, after, self._element, lasting)

    def _loops_first(self, array: np.ndarray, side: int) -> np.ndarray:
        """A view of an array in C order, the loops first."""
        flat = array.reshape(-1)
        return (flat if self._element == array.dtype else flat.view(self._element)).reshape(self._shapes[side])

    def move(self, direction: int, source: np.ndarray, target: np.ndarray) -> None:
        """Collective.  Between arrays in C order; direction 1 is back."""
        move = self._redistribution.backward if direction else self._redistribution.forward
        for u, out in zip(self._loops_first(source, direction), self._loops_first(target, 1 - direction)):
            move(u, out=out)

    def close(self) -> None:
        """Collective.  Frees the redistribution."""
        self._redistribution.close()
