# SPDX-License-Identifier: BSD-3-Clause
"""Whole arrays on one rank from the parts of all, and back.

Bytes go in portions from or to one rank after the other: MPI counts in C ints, and what mpi4py pickles
for a collective call ends at 2^31-1 bytes, with an exception on one rank alone.  What can fail, which is
memory, fails before the first of these messages, when all ranks can still be told."""
from __future__ import annotations

from math import prod
from typing import Any, Callable, Iterator, Optional

import numpy as np

from ._lifetime import Group

PORTION = 2**30  # bytes of a message
CHUNK = 2**16  # elements that are copied at once where indices name them, which makes a copy more
_TAG = 1


def _portions(array: np.ndarray) -> Iterator[np.ndarray]:
    """The bytes of an array in C order."""
    flat = array.reshape(-1).view(np.uint8)
    for first in range(0, flat.size, PORTION):
        yield flat[first:first + PORTION]


def _send(comm: Any, array: np.ndarray, rank: int) -> None:
    for portion in _portions(array):
        comm.Send(portion, rank, _TAG)


def _receive(comm: Any, array: np.ndarray, rank: int) -> None:
    for portion in _portions(array):
        comm.Recv(portion, rank, _TAG)


def _chunks(index: Any) -> Iterator[tuple[Any, Any]]:
    """Pairs of the same elements in the whole array and in a part."""
    if index[0] is not Ellipsis:
        yield index, Ellipsis
        return
    indices = index[1]
    for first in range(0, indices.size, CHUNK):
        here = slice(first, first + CHUNK)
        yield (Ellipsis, indices[here]), (Ellipsis, here)


class _Parts:
    """This rank's part and its index in the whole array, and, on rank root, the whole array and memory
    for one part of another rank.  Collective: without memory for them, an Error on all ranks.

    index -- gives slices, or (..., indices)
    mine  -- gives this rank's part, in C order
    whole -- gives the whole array; called on rank root"""

    def __init__(self, group: Group, index: Callable[[], Any], mine: Callable[[], np.ndarray],
                 whole: Callable[[], np.ndarray], root: int) -> None:
        self._comm, self._root, self.at_root = group.comm, root, group.rank == root
        self.index, self.mine = group.agree(lambda: (index(), mine()))
        named = self.index[0] is Ellipsis  # indices are messages of their own: pickled, they may be too large
        self._parts = self._comm.gather((self.mine.shape, None if named else self.index), root=root)
        self.whole = group.agree(lambda: self._allocate(whole))
        if named and not self.at_root:
            _send(self._comm, self.index[1], root)

    def _allocate(self, whole: Callable[[], np.ndarray]) -> Optional[np.ndarray]:
        if not self.at_root:
            return None
        others = [part for rank, part in enumerate(self._parts) if rank != self._root]
        self._memory = np.empty(max((prod(shape) for shape, _ in others), default=0), self.mine.dtype)
        self._indices = np.empty(max((shape[-1] for shape, index in others if index is None), default=0), np.intp)
        return whole()

    def each(self) -> Iterator[tuple[int, Any, np.ndarray]]:
        """On rank root: ranks, the indices of their parts, and memory for these until the next one."""
        for rank, (shape, index) in enumerate(self._parts):
            if rank == self._root:
                yield rank, self.index, self.mine
                continue
            if index is None:
                index = (Ellipsis, self._indices[:shape[-1]])
                _receive(self._comm, index[1], rank)
            yield rank, index, self._memory[:prod(shape)].reshape(shape)


def gather(group: Group, mine: Any, index: Callable[[], Any], shape: tuple[int, ...], dtype: np.dtype,
           root: int) -> Optional[np.ndarray]:
    """Collective.  On rank root the array of that shape, of which each rank has the part at its index."""
    parts = _Parts(group, index, lambda: np.ascontiguousarray(mine, dtype), lambda: np.empty(shape, dtype), root)
    if not parts.at_root:
        _send(group.comm, parts.mine, root)
        return None
    for rank, at, part in parts.each():
        if rank != root:
            _receive(group.comm, part, rank)
        for there, here in _chunks(at):
            parts.whole[there] = part[here]
    return parts.whole


def scatter(group: Group, whole: Any, index: Callable[[], Any], shape: tuple[int, ...], dtype: np.dtype,
            root: int) -> np.ndarray:
    """Collective.  The part of that shape at this rank's index of the whole array on rank root."""
    parts = _Parts(group, index, lambda: np.empty(shape, dtype), lambda: np.asarray(whole), root)
    if not parts.at_root:
        _receive(group.comm, parts.mine, root)
        return parts.mine
    for rank, at, part in parts.each():
        for there, here in _chunks(at):
            part[here] = parts.whole[there]
        if rank != root:
            _send(group.comm, part, rank)
    return parts.mine
