# SPDX-License-Identifier: BSD-3-Clause
"""Step 7 in Python: two axes transformed, a solver of one's own along the third.  step7_lines.c is the same
in C, with the same numbers, and has the comments."""
import sys

import numpy as np
from mpi4py import MPI

import pfft3d

n = (24, 32, 27)
comm = MPI.COMM_WORLD


def solution(x0, x1, x2):
    return x0 * (1 - x0) * np.sin(x1) * np.cos(2 * x2)


def right_side(x0, x1, x2):
    return (-2 - 5 * x0 * (1 - x0)) * np.sin(x1) * np.cos(2 * x2)


def solve_lines(v, k2):
    """u[i-1] - (2 + k2 h^2) u[i] + u[i+1] = h^2 g[i] for all modes at once: axis 0 is whole on every rank."""
    h2 = 1 / (n[0] + 1) ** 2
    ratio, before = np.zeros((n[0] + 1,) + k2.shape), 0
    for i in range(n[0]):
        ratio[i] = 1 / (2 + k2 * h2 - ratio[i - 1])
        before = v[i] = ratio[i] * (before - h2 * v[i])
    for i in range(n[0] - 2, -1, -1):
        v[i] += ratio[i] * v[i + 1]


plan = pfft3d.Plan(n, type="r2c", kind=("none", "dft", "dft"), order="transposed", joined=True)
u = plan.empty("space")  # holds the larger of both sides
v = plan.view(u, "spectrum")  # the same memory
low = [s.start for s in plan.slices("space")]
high = [s.stop for s in plan.slices("space")]
x = np.ix_((np.arange(low[0], high[0]) + 1) / (n[0] + 1),
           *(2 * np.pi * np.arange(low[a], high[a]) / n[a] for a in (1, 2)))
u[...] = right_side(*x)
plan.forward(u, out=v)
wave = [np.fft.fftfreq(m, 1 / m)[s] for m, s in zip(n[1:], plan.slices("spectrum")[1:])]
solve_lines(v, wave[0][:, None] ** 2 + wave[1][None, :] ** 2)
plan.backward(v, out=u)

worst = np.max(comm.allgather(np.abs(u - solution(*x)).max(initial=0)))  # MPI.MAX may hide a NaN
if comm.rank == 0:
    print("largest error of the solution is of rounding:", "yes" if worst < 1e-14 else "no")
plan.close()
sys.exit(not worst < 1e-14)
