# SPDX-License-Identifier: BSD-3-Clause
"""When plans, arrays and redistributions end.

Their destructors are collective, but Python forgets objects on each rank when it likes: a cycle of
references is found by the garbage collector, at different times on different ranks.  So an object
that is forgotten is only marked.  The next collective call of this package on the same communicator
compares the marks of all ranks and destroys what all of them have forgotten, in order of creation.
Where the caller has freed the communicator, that is a call on any other one with all its ranks.
Nothing is destroyed when the interpreter ends: that order is nobody's.

PETSc's bindings for Python and Julia delay destructors for the same reason."""
from __future__ import annotations

import sys
from ctypes import byref, c_int, c_void_p
from typing import Any, Callable, Optional, TypeVar

from ._library import MEMORY, USAGE, Error, call, mpi


class Handle:
    """An object of the library, and whether this rank has forgotten it."""

    def __init__(self, pointer: c_void_p, destroy: Optional[Callable] = None) -> None:
        self.pointer = pointer
        self.destroy = destroy
        self.forgotten = False

    def reclaim(self) -> None:
        """Collective, before MPI_Finalize; later it is local."""
        if self.destroy and self.pointer:
            self.destroy(byref(self.pointer))


class Keeper:
    """What Python holds of an object: when the last reference to it goes, the handle is forgotten."""

    __slots__ = ("handle", "_ended", "__weakref__")

    def __init__(self, handle: Handle) -> None:
        self.handle = handle
        self._ended = mpi().Is_finalized

    def __del__(self) -> None:
        if sys is None or sys.is_finalizing():
            return
        self.handle.forgotten = True
        if self._ended():
            self.handle.reclaim()


class Group:
    """A communicator with the objects made on it that live, in order of creation, the same on all
    ranks.  Its communicator is a duplicate: messages of the caller never meet ours, and the caller's
    may be freed while plans live."""

    def __init__(self, comm: Any) -> None:
        self.comm = comm.Dup()
        self.size, self.rank = self.comm.size, self.comm.rank
        self.handle = c_int(self.comm.py2f())
        self.live: list[Handle] = []
        self.plans: dict[str, Any] = {}  # of fftn() and its like, the oldest first

    def sweep(self) -> None:
        """Collective.  Destroys what all ranks have forgotten, here and in orphans whose ranks are all here."""
        running()
        for orphan in [o for o in _orphans if o is self or self._has(o)]:
            orphan.destroy_forgotten()
            if not orphan.live:
                _orphans.remove(orphan)
                orphan.comm.Free()
        self.destroy_forgotten()

    def _has(self, other: Group) -> bool:
        """Whether the ranks of another group are of this one."""
        MPI = mpi()
        theirs, mine = other.comm.Get_group(), self.comm.Get_group()
        found = MPI.UNDEFINED not in MPI.Group.Translate_ranks(theirs, list(range(other.size)), mine)
        theirs.Free()
        mine.Free()
        return found

    def destroy_forgotten(self) -> None:
        """Collective.  Destroys what all ranks have forgotten here."""
        if not self.live:
            return
        gone = bytearray(h.forgotten for h in self.live)
        if self.size > 1:
            MPI = mpi()
            self.comm.Allreduce(MPI.IN_PLACE, [gone, MPI.BYTE], op=MPI.BAND)
        if any(gone):
            for h in [h for h, g in zip(self.live, gone) if g]:
                h.reclaim()
            self.live = [h for h, g in zip(self.live, gone) if not g]

    def keep(self, handle: Handle) -> Keeper:
        """Collective in order: the same on all ranks."""
        handle.forgotten = False
        self.live.append(handle)
        return Keeper(handle)

    def create(self, create_f: Callable, prepare: Callable[[], Any], destroy: Callable) -> Keeper:
        """Collective.  Calls create_f(comm, *what, &pointer, &error), after a sweep; `what`, a tuple or a
        single argument, comes from prepare(), as in agree()."""
        self.sweep()
        pointer, what = c_void_p(), self.agree(prepare)
        call(create_f, byref(self.handle), *(what if isinstance(what, tuple) else (what,)), byref(pointer))
        return self.keep(Handle(pointer, destroy))

    def agree(self, prepare: Callable[[], Any]) -> Any:
        """Collective.  What prepare(), which is local, gives on this rank.  Where it fails, whatever the
        reason, the first rank's is an Error on all of them."""
        running()
        mine, failure = _tried(prepare)
        _raise_first(self.comm.allgather(failure), failure)
        return mine

    def allgather(self, prepare: Callable[[], Any]) -> list[Any]:
        """Collective.  As agree(), but what prepare() gives on each rank."""
        running()
        mine, failure = _tried(prepare)
        parts = self.comm.allgather((failure, mine))
        _raise_first([said for said, _ in parts], failure)
        return [part for _, part in parts]


def running() -> None:
    """Local.  An Error after MPI_Finalize, where MPI ends the program."""
    if mpi().Is_finalized():
        raise Error("MPI is finalised: MPI_Finalize comes last")


def _tried(prepare: Callable[[], Any]) -> tuple[Any, Optional[Error]]:
    """What prepare() gives, or why it fails."""
    try:
        return prepare(), None
    except Error as error:
        return None, error
    except Exception as error:
        failure = Error(f"{type(error).__name__}: {error}", MEMORY if isinstance(error, MemoryError) else USAGE)
        failure.__cause__ = error
        return None, failure


def _raise_first(failures: list[Optional[Error]], mine: Optional[Error]) -> None:
    """Raises the first rank's failure, and says which rank it is where others have another or none."""
    for rank, said in enumerate(failures):
        if said is None:
            continue
        if any(str(other) != str(said) for other in failures):
            said = Error(f"{said.args[0]}, on rank {rank}", said.status, said.hint)
        raise said from mine


# Groups with objects that outlived the caller's communicator.  All ranks have theirs in the order in which these were
# freed, which is collective: so sweeps of several of them wait for each other nowhere.
_orphans: list[Group] = []


_Kept = TypeVar("_Kept", bound="Closing")


class Closing:
    """What a program closes, by close() or at the end of a `with`."""

    _group: Group
    _keeper: Optional[Keeper]

    def __enter__(self: _Kept) -> _Kept:
        return self

    def __exit__(self, kind: Any, *_: Any) -> None:
        """After an exception, which may be one of this rank alone, nothing is collective: the other ranks
        are elsewhere, and it would never be seen.  The next collective call sweeps."""
        if kind is None:
            self.close()
        else:
            self._keeper = None

    def close(self) -> None:
        """Collective.  Frees it."""
        if self._keeper is None:
            return
        self._keeper = None
        if not mpi().Is_finalized():
            self._group.sweep()


_key: Optional[int] = None


def _freed(comm: Any, key: int, group: Group) -> None:
    """MPI calls it while the caller frees a communicator, which is collective."""
    MPI = mpi()
    if comm == MPI.COMM_WORLD or comm == MPI.COMM_SELF:  # in MPI_Finalize
        return
    group.plans.clear()
    group.destroy_forgotten()
    if group.live:
        _orphans.append(group)
    else:
        group.comm.Free()


def group_of(comm: Any = None) -> Group:
    """The group of a communicator of mpi4py, COMM_WORLD where it is None; made, collectively, by the
    first call for that communicator."""
    global _key
    MPI = mpi()
    if not MPI.Is_initialized() or MPI.Is_finalized():
        raise Error("MPI is not initialised, or finalised already")
    comm = MPI.COMM_WORLD if comm is None else comm
    if not isinstance(comm, MPI.Comm):
        raise Error(f"comm: a communicator of mpi4py is needed, not {type(comm).__name__}")
    if comm == MPI.COMM_NULL:
        raise Error("communicator: is MPI_COMM_NULL", hint="ranks that a split left out must not call this")
    if comm.Is_inter():
        raise Error("communicator: is an inter-communicator", hint="Merge() makes an intra-communicator")
    if _key is None:
        _key = MPI.Comm.Create_keyval(delete_fn=_freed)
    group = comm.Get_attr(_key)
    if group is None:
        group = Group(comm)
        comm.Set_attr(_key, group)
    return group
