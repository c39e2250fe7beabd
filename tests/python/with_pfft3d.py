# SPDX-License-Identifier: BSD-3-Clause
"""Runs pytest on tests of other packages with mpi4py-fft's classes replaced:
mpirun -n 2 python3 with_pfft3d.py HOW ARGUMENTS

HOW: `none`; `transfer`, `pfft`: what pfft3d.mpi4py_fft replaces; `wrong-transfer`, `wrong-pfft`: the same
with one number spoilt by each transfer, or transform, of rank 0: tests that look at numbers must fail.
Arguments are pytest's."""
import os
import sys

import numpy as np
import pytest
from mpi4py import MPI

import pfft3d.mpi4py_fft as ours


def spoil(array):
    if array.size:
        array[(0,) * array.ndim] += 1


class WrongTransfer(ours.Transfer):
    def _move(self, direction, source, target):
        super()._move(direction, source, target)
        if self.comm.rank == 0:
            spoil(target)


class WrongPFFT(ours.PFFT):
    def execute(self, direction, divides, source, target):
        super().execute(direction, divides, source, target)
        spoil(target)


try:
    import h5py
    if not h5py.get_config().mpi:  # mpi4py-fft's tests do without, but fail with one for single processes
        sys.modules["h5py"] = None
except ImportError:
    pass


class Outcomes:
    """Writes outcomes of tests to a file for each rank, $OUTCOMES.RANK."""

    def __init__(self, name):
        self.file = open(f"{name}.{MPI.COMM_WORLD.rank}", "w", encoding="utf-8")

    def pytest_runtest_logreport(self, report):
        if report.when == "call" or report.outcome != "passed":
            print(report.outcome, report.nodeid, file=self.file, flush=True)


how = sys.argv[1]
if how.startswith("wrong"):
    ours.Transfer, ours.PFFT = WrongTransfer, WrongPFFT
if how != "none":
    ours.install(pfft=how.endswith("pfft"))
np.random.seed(1 + MPI.COMM_WORLD.rank)
plugins = [Outcomes(os.environ["OUTCOMES"])] if "OUTCOMES" in os.environ else []
status = pytest.main(["-q", "--color=no", "-p", "no:cacheprovider", *sys.argv[2:]], plugins)
if status and "-x" in sys.argv:  # other ranks may wait for this one
    sys.stdout.flush()
    MPI.COMM_WORLD.Abort(1)
sys.exit(status)
