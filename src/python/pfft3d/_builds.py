# SPDX-License-Identifier: BSD-3-Clause
"""Builds of libpfft3d and of the program that a wheel brings: one for each family of MPI libraries,
whose handles have nothing in common.  The one is taken that goes with the MPI of mpi4py or, for the
program, of the launcher; each finds the MPI of the environment that the wheel is installed in, in
whose folder lib `pip install` puts MPI, or that of the system."""
from __future__ import annotations

import ctypes
import importlib.util
import os
import pathlib
from typing import Optional

# What a build needs, and a variable that the launchers of its MPIs set, in the order of preference.
_FAMILIES = {
    "abi": ("libmpi_abi.so.1", "PMI_SIZE"),  # the ABI of the standard: MPICH 5, Intel MPI 2021.18
    "mpich": ("libmpi.so.12", "PMI_SIZE"),  # MPICH 3.1 to 5, Intel MPI
    "openmpi": ("libmpi.so.40", "OMPI_COMM_WORLD_SIZE"),  # Open MPI 4 and 5
}
_FOLDER = pathlib.Path(__file__).resolve().parent / "builds"


def folders() -> list[pathlib.Path]:
    """Those of the builds that this package has: none where it was installed beside a library."""
    return [_FOLDER / name for name in _FAMILIES if (_FOLDER / name / "libpfft3d.so.0").exists()]


def _loads(file: str, mode: int = 0) -> bool:
    try:
        ctypes.CDLL(file, mode=os.RTLD_LAZY | mode)
    except OSError:
        return False
    return True


def _of_process() -> Optional[pathlib.Path]:
    """The build for the MPI that this process has loaded."""
    for folder in folders():
        if _loads(_FAMILIES[folder.name][0], os.RTLD_NOLOAD):
            return folder
    return None


def _load_mpi4py() -> None:
    """Loads the MPI of mpi4py, which is not imported: MPI would start."""
    try:
        module = importlib.util.find_spec("mpi4py.MPI")
    except (ImportError, RuntimeError):  # no mpi4py, or no MPI for it
        return
    if module is not None and module.origin:
        _loads(module.origin)


def for_library() -> Optional[pathlib.Path]:
    """The folder of the build whose library this process is to load; None: there is none."""
    if not folders():
        return None
    found = _of_process()
    if found is None:
        _load_mpi4py()
        found = _of_process()
    return found or for_program()


def for_program() -> Optional[pathlib.Path]:
    """The folder of the build whose program is to take the place of this process: for the launcher, else
    for any MPI that is there."""
    usable = folders()
    launched = [f for f in usable if _FAMILIES[f.name][1] in os.environ]
    for folder in launched + usable:
        if _loads(str(folder / "libpfft3d.so.0")):
            return folder
    return None
