# SPDX-License-Identifier: BSD-3-Clause
"""A program of others that uses the Python package, for memory that libpfft3d does not get and calls of MPI
that fail in it: plans on a communicator of mpi4py, right by numpy.

What fails is an Error, the same on all ranks, whose status is the code of the program; rank 0 says it.
Status 1: something else came of it."""
import sys

import numpy as np
from mpi4py import MPI

import pfft3d

comm = MPI.COMM_WORLD
SHAPE = (7, 5, 6)


def transform(type, **options):
    """A field, its spectrum by numpy, and the field again."""
    whole = np.random.default_rng(1).random(SHAPE)
    want = np.fft.rfftn(whole) if type == "r2c" else np.fft.fftn(whole)
    with pfft3d.Plan(SHAPE, comm=comm, type=type, engine="simd", **options) as plan:
        u = plan.empty("space")
        u[...] = whole[plan.slices("space")]
        spectrum = plan.forward(u)
        assert np.allclose(spectrum, want[plan.slices("spectrum")], rtol=0, atol=1e-12)
        assert np.allclose(plan.backward(spectrum), whole[plan.slices("space")], rtol=0, atol=1e-12)


def work():
    transform("c2c", exchange="packed", decomp="pencil")
    transform("r2c", exchange="packed")


def main():
    status, text = 0, ""
    pfft3d.grace(3)  # longer than it takes to end: of a failure that one rank alone knows, for which the others wait
    try:
        work()
    except pfft3d.Error as error:
        status, text = error.status, str(error)
    statuses = comm.allgather(status)
    if len(set(statuses)) > 1:
        print(f"statuses {statuses}", file=sys.stderr)
        return 1
    if status and comm.rank == 0:
        print(f"pfft3d: error: {text}", file=sys.stderr)
    return status


sys.exit(main())
