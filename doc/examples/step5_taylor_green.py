# SPDX-License-Identifier: BSD-3-Clause
"""Step 5 in Python: a turbulent flow from the Taylor-Green vortex on.  step5_taylor_green.c is the same
in C, with the same numbers, and has the comments."""
import sys

import numpy as np
from mpi4py import MPI

import pfft3d

N, STEPS, NU, DT = 16, 10, 0.000625, 0.01
comm = MPI.COMM_WORLD
plan = pfft3d.Plan((N, N, N), "r2c", norm="forward")  # forward: times 1/N
k = np.stack(np.broadcast_arrays(*plan.wavenumbers()))
k2 = (k * k).sum(axis=0)
keep = (np.abs(k) < N / 3).all(axis=0)  # without aliases


def forward(fields):
    return np.stack([plan.forward(np.ascontiguousarray(f)) for f in fields])


def backward(spectra):
    return np.stack([plan.backward(np.ascontiguousarray(s)) for s in spectra])


def derivative(U):
    """In time, of the flow with spectrum U."""
    change = forward(np.cross(backward(U), backward(1j * np.cross(k, U, axis=0)), axis=0))
    change -= k * ((k * change).sum(axis=0) / np.maximum(k2, 1))  # the pressure
    return keep * change - NU * k2 * U


def step(U):
    """Runge-Kutta of order 4."""
    a = derivative(U)
    b = derivative(U + DT / 2 * a)
    c = derivative(U + DT / 2 * b)
    d = derivative(U + DT * c)
    return U + DT / 6 * (a + 2 * b + 2 * c + d)


x, y, z = np.ix_(*(2 * np.pi * np.arange(s.start, s.stop) / N for s in plan.slices("space")))
u = np.sin(x) * np.cos(y) * np.cos(z)
flow = forward([u, -np.cos(x) * np.sin(y) * np.cos(z), 0 * u])
for _ in range(STEPS):
    flow = step(flow)
energy = comm.allreduce((backward(flow) ** 2).sum()) / 2 / N**3
if comm.rank == 0:
    print(f"energy at t = 0.1: {energy:.10f}")
plan.close()
sys.exit(not abs(energy - 0.124953117517) < 1e-11)
