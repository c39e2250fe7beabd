# SPDX-License-Identifier: BSD-3-Clause
"""Step 4 in Python: the periodic Poisson problem, in place.  step4_poisson.c is the same in C, with the
same numbers, and has the comments."""
import sys

import numpy as np
from mpi4py import MPI

import pfft3d

n = (32, 24, 27)
comm = MPI.COMM_WORLD


def solution(x0, x1, x2):
    return np.exp(np.sin(x0)) * np.sin(x1) * np.cos(2 * x2)


def right_side(x0, x1, x2):
    return (5 - np.cos(x0) ** 2 + np.sin(x0)) * solution(x0, x1, x2)


plan = pfft3d.Plan(n, order="transposed")
u = plan.empty("space")  # holds the larger of both sides
v = plan.view(u, "spectrum")  # the same memory
x = np.ix_(*(2 * np.pi * np.arange(s.start, s.stop) / m for s, m in zip(plan.slices("space"), n)))
u[...] = right_side(*x)
plan.forward(u, out=v)
k2 = sum(np.square(k) for k in plan.wavenumbers())
v[...] = np.where(k2 > 0, v / np.maximum(k2, 1), 0)
plan.backward(v, out=u)

worst = np.max(comm.allgather(np.abs(u - solution(*x)).max(initial=0)))  # MPI.MAX may hide a NaN
if comm.rank == 0:
    print(f"largest error of the solution: {worst:.1e}")
plan.close()
sys.exit(not worst < 1e-12)
