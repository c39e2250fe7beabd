# SPDX-License-Identifier: BSD-3-Clause
"""Step 4 in Python: the periodic Poisson problem, in place.  step4_poisson.c is the same in C, with the
same numbers:  mpirun -n 4 python3 step4_poisson.py"""
import sys

import numpy as np
from mpi4py import MPI

import pfft3d

n = (32, 24, 27)
plan = pfft3d.Plan(n, "c2c", order="transposed")  # norm="backward": 1/N in the last pass
u = plan.empty("space")
x0, x1, x2 = np.ix_(*(2 * np.pi * np.arange(s.start, s.stop) / m for s, m in zip(plan.slices("space"), n)))
solution = np.exp(np.sin(x0)) * np.sin(x1) * np.cos(2 * x2)
u[...] = (5 - np.cos(x0) ** 2 + np.sin(x0)) * solution

spectrum = plan.forward(u, out=plan.view(u, "spectrum"))  # the same memory, with axes (k0, k1, k2)
k0, k1, k2 = plan.wavenumbers()
squares = k0**2 + k1**2 + k2**2
spectrum *= np.where(squares > 0, 1 / np.maximum(squares, 1), 0)  # the mean of the solution is free: 0
plan.backward(spectrum, out=u)

worst = plan.comm.allreduce(np.max(np.abs(u - solution), initial=0), op=MPI.MAX)
if plan.comm.rank == 0:
    print(f"largest error of the solution: {worst:.1e}")
sys.exit(not worst < 1e-12)
