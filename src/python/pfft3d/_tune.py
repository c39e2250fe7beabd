# SPDX-License-Identifier: BSD-3-Clause
"""Dry runs, candidates on the clock, wisdom, machines, and what the library tells of itself."""
from __future__ import annotations

import os
from ctypes import POINTER, Array, byref, c_char_p, c_void_p, cast, create_string_buffer, sizeof
from typing import Any, Iterable, Optional, Union

from . import _structs as structs
from ._arguments import INT, c_text, choice, member, whole
from ._lifetime import group_of
from ._library import Error, call, check, library, texts
from ._request import LISTS, WISDOM, Request, Shape


def names(of: str) -> dict[str, str]:
    """Local.  The names in a registry of the library with a line about each: "exchanges", "engines",
    "schemes", "methods" or "kinds".

    >>> "packed" in names("exchanges")
    True
    """
    number, found, summary = choice(LISTS, "names", of), {}, c_char_p()
    while name := library().list_name(number, len(found), byref(summary)):
        found[name.decode()] = (summary.value or b"").decode()
    return found


def build() -> dict[str, str]:
    """Local.  What libpfft3d was built with, and, as "simd", the vector instructions that it has chosen on this processor."""
    lib = library()
    facts = {"version": lib.version().decode(), "file": lib.file}
    for key in ("mpi", "fftw", "hdf5", "openmp", "opencl", "cuda", "opengl", "compiler", "flags", "isa", "simd", "mkl"):
        facts[key] = (lib.build(key.encode()) or b"unknown").decode()
    return facts


def _figure(name: str, value: Any, old: Any) -> Any:
    """A member of pfft3d_machine instead of an old one."""
    if isinstance(old, int):
        return whole(value, name, INT)
    try:
        if not isinstance(old, Array):
            return float(value)
        inside, between = value
        return type(old)(inside, between)
    except (TypeError, ValueError):
        raise Error(f"{name}: {value!r} is not {'two numbers' if isinstance(old, Array) else 'a number'}") from None


class Machine:
    """A machine in the planner's model.  Local.

    file    -- a description as in data/machines, or None: a typical cluster
    figures -- members of pfft3d_machine, e.g. memory=1e10 (bytes/s), bandwidth=(1e10, 1e9)
    """

    def __init__(self, file: Union[str, os.PathLike, None] = None, **figures: Any) -> None:
        self.struct = structs.Machine()
        library().machine_init(byref(self.struct))
        if file is not None:
            call(library().machine_read, c_text(os.fsencode(file), "machine"), byref(self.struct))
        known = [name for name, _ in structs.Machine._fields_ if name not in ("reserved", "name")]
        for name, value in figures.items():
            if name not in known:
                raise Error(f"machine: {name!r} is not one of: {', '.join(known)}")
            setattr(self.struct, name, _figure(name, value, getattr(self.struct, name)))

    @classmethod
    def measured(cls, comm: Any = None) -> "Machine":
        """Collective.  This machine: links and memory are timed, for about 0.1 s, once for a
        communicator, and once more where only small plans have measured it, with less memory."""
        found = cls()
        found.struct = structs.Machine()
        call(library().machine_measure_f, byref(group_of(comm).handle), byref(found.struct))
        return found

    def figures(self) -> dict[str, Any]:
        """All members, in seconds, bytes/s and flop/s."""
        return structs.plain(self.struct)


class Wisdom:
    """Which candidate was fastest for a question.  Plans with wisdom=this ask it first, in place of
    the user's file.

    >>> Wisdom().lines()
    []
    """

    def __init__(self) -> None:
        self.pointer = c_void_p()
        call(library().wisdom_create, byref(self.pointer))

    def __del__(self) -> None:
        if self.pointer and library is not None:
            library().wisdom_destroy(byref(self.pointer))

    def __len__(self) -> int:
        return library().wisdom_count(self.pointer)

    def lines(self) -> list[str]:
        """Local.  The entries as in a file."""
        return [texts(library().wisdom_line, self.pointer, i) for i in range(len(self))]

    def read(self, file: Union[str, os.PathLike], comm: Any = None) -> str:
        """Collective.  Adds the entries of a file, which rank 0 reads.  Returns what there is to report:
        a file that is missing or damaged adds nothing and is no error."""
        self._file(library().wisdom_read_f, file, comm)
        return structs.text(library().wisdom_notice(self.pointer))

    def write(self, file: Union[str, os.PathLike], comm: Any = None) -> str:
        """Collective.  Merges the entries into a file.  Returns what there is to report."""
        self._file(library().wisdom_write_f, file, comm)
        return structs.text(library().wisdom_notice(self.pointer))

    @staticmethod
    def user_file() -> Optional[str]:
        """Local.  The file that `pfft3d tune` writes and that plans ask; None: there is none."""
        name = create_string_buffer(4096)
        return os.fsdecode(name.value) if library().wisdom_file(name, sizeof(name)) else None

    def _file(self, function: Any, file: Union[str, os.PathLike], comm: Any) -> None:
        group = group_of(comm)
        name = group.agree(lambda: c_text(os.fsencode(file), "file"))
        call(function, byref(group.handle), name, self.pointer)


def _decision(d: structs.Decision) -> str:
    return texts(library().decision_print, byref(d))


def explain(shape: Shape, ranks: int, type: str = "c2c", **options: Any) -> dict[str, Any]:
    """Local, without MPI.  What a plan for so many ranks would be: decision, reason, messages, bytes,
    user_bytes, work_bytes (maxima over ranks, of a forward transform), exchanges, passes, seconds, ...
    Options are those of Plan.

    >>> explain((64, 64, 64), ranks=8, exchange="packed")["exchanges"]
    2
    """
    x = structs.Explanation()
    call(library().explain, Request(shape, dict(options, type=type)), whole(ranks, "ranks", INT), byref(x), sizeof(x))
    found = structs.plain(x)
    found["decision"] = _decision(x.decision)
    found["wire"] = ("double", "single", "same")[x.wire]
    return found


def _candidates(request: Request, ranks: int) -> Any:
    lib, ranks = library(), whole(ranks, "ranks", INT)
    count = lib.candidates(request, ranks, cast(None, POINTER(structs.Candidate)), 0)
    if count < 0:
        raise Error(f"candidates: none for {ranks} ranks")
    found = (structs.Candidate * max(1, count))()
    return found, lib.candidates(request, ranks, found, count)


def _plain(found: Iterable[structs.Candidate]) -> list[dict[str, Any]]:
    return [{"decision": _decision(c.decision), "predicted_s": c.predicted,
             "measured_s": c.measured or None, "repeats": c.repeats} for c in found]


def candidates(shape: Shape, ranks: int, type: str = "c2c", **options: Any) -> list[dict[str, Any]]:
    """Local, without MPI.  All ways to do what the options leave open, cheapest first by the model:
    decision, predicted_s (a forward and a backward transform)."""
    found, count = _candidates(Request(shape, dict(options, type=type)), ranks)
    return _plain(found[:count])


def tune(shape: Shape, type: str = "c2c", comm: Any = None, *, repeats: int = 5, budget: float = 10,
         wisdom: Optional[Wisdom] = None, **options: Any) -> list[dict[str, Any]]:
    """Collective.  Times the candidates in turns, for about `budget` seconds, and adds the fastest to
    wisdom.  Returns the list: measured ones first, fastest first, with measured_s, the median."""
    group, lib = group_of(comm), library()

    def prepare() -> tuple[Any, ...]:
        member(wisdom, "pointer", c_void_p, "wisdom", WISDOM)
        request = Request(shape, dict(options, type=type))
        return request, *_candidates(request, group.size), whole(repeats, "repeats", INT), float(budget)

    job = request, found, count, *_ = group.agree(prepare)
    call(lib.tune_f, byref(group.handle), *job)
    if count and found[0].measured:  # collective, also where only some ranks keep it
        keeper = Wisdom() if wisdom is None else wisdom
        call(lib.wisdom_add_f, byref(group.handle), request, byref(found[0]), keeper.pointer)
    return _plain(found[:count])
