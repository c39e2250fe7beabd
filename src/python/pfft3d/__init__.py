# SPDX-License-Identifier: BSD-3-Clause
"""pfft3d: Fourier transforms of arrays that are spread over the ranks of an MPI job.

    import pfft3d
    plan = pfft3d.Plan((64, 64, 64))          # on MPI.COMM_WORLD
    u = plan.empty("space")                   # this rank's part of the field
    u[...] = 1
    spectrum = plan.forward(u)

Collective functions are to be called by all ranks of the communicator with the same arguments, but
for arrays and boxes, and raise the same Error on all of them; local ones concern the calling rank.
The docstrings say which are which.  Plans keep their memory while arrays of it live."""
from ._files import Dataset, write, write_plan
from ._functions import dctn, dstn, fftn, idctn, idstn, ifftn, irfftn, rfftn
from ._library import Error, grace, prepare_mpi
from ._plan import Plan
from ._redist import Halo, Redistribution, Transposition
from ._tune import Machine, Wisdom, build, candidates, explain, names, tune

prepare_mpi()
__version__ = "1.0.0"
__all__ = ["Dataset", "Error", "Halo", "Machine", "Plan", "Redistribution", "Transposition", "Wisdom", "build",
           "candidates", "dctn", "dstn", "explain", "fftn", "grace", "idctn", "idstn", "ifftn", "irfftn", "names",
           "rfftn", "tune", "write", "write_plan"]
