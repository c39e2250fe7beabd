# SPDX-License-Identifier: BSD-3-Clause
"""Whole arrays on one rank from the parts of all, and back.

Bytes go in portions from or to one rank after the other: MPI counts in C ints, and what mpi4py pickles
for a collective call ends at 2^31-1 bytes, with an exception on one rank alone."""
from __future__ import annotations

from typing import Any, Iterator, Optional

import numpy as np

PORTION = 2**30  # bytes of a message
_TAG = 1


def _portions(array: np.ndarray) -> Iterator[np.ndarray]:
    """The bytes of an array in C order."""
    flat = array.reshape(-1).view(np.uint8)
    for first in range(0, flat.size, PORTION):
        yield flat[first:first + PORTION]


def _send(comm: Any, part: np.ndarray, rank: int) -> None:
    for portion in _portions(part):
        comm.Send(portion, rank, _TAG)


def _receive(comm: Any, shape: tuple[int, ...], dtype: np.dtype, rank: int) -> np.ndarray:
    part = np.empty(shape, dtype)
    for portion in _portions(part):
        comm.Recv(portion, rank, _TAG)
    return part


def gather(comm: Any, mine: Any, place: Any, shape: tuple[int, ...], dtype: np.dtype, root: int) -> Optional[np.ndarray]:
    """Collective.  On rank root the array of that shape, of which each rank has the part at its place."""
    mine = np.ascontiguousarray(mine, dtype)
    places = comm.gather(place, root=root)
    if places is None:
        _send(comm, mine, root)
        return None
    whole = np.empty(shape, dtype)
    for rank, at in enumerate(places):
        whole[at] = mine if rank == root else _receive(comm, whole[at].shape, dtype, rank)
    return whole


def scatter(comm: Any, whole: Any, place: Any, shape: tuple[int, ...], dtype: np.dtype, root: int) -> np.ndarray:
    """Collective.  The part of that shape at this rank's place of the whole array on rank root."""
    places = comm.gather(place, root=root)
    if places is None:
        return _receive(comm, shape, dtype, root)
    mine = None
    for rank, at in enumerate(places):
        part = np.ascontiguousarray(np.asarray(whole)[at], dtype)
        if rank == root:
            mine = part
        else:
            _send(comm, part, rank)
    assert mine is not None
    return mine
