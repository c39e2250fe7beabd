# SPDX-License-Identifier: BSD-3-Clause
"""The Taylor-Green vortex: steps of the Navier-Stokes equations in a periodic box, pseudospectral, with
the rotational form of the nonlinear term, modes up to 2/3 and Runge-Kutta's method of order 4.

    mpirun -n 4 python3 taylor_green.py [POINTS]

The three components of the velocity are a batch, which one plan transforms together."""
import sys

import numpy as np

import pfft3d

n = int(sys.argv[1]) if len(sys.argv) > 1 else 16
viscosity, dt, steps = 1 / 1600, 0.01, 10
plan = pfft3d.Plan((n, n, n), "r2c", batch=3, order="transposed")
k = np.broadcast_arrays(*plan.wavenumbers())
k = np.stack(k)
squares = np.sum(k**2, axis=0)
projection = k / np.maximum(squares, 1)
kept = np.all(np.abs(k) < n / 3, axis=0)
field, vorticity = plan.empty("space"), plan.empty("space")
transformed = plan.empty("spectrum")


def rate(uh):
    """du/dt in the spectrum: u x curl u without its gradient part, and viscosity."""
    transformed[...] = 1j * np.cross(k, uh, axis=0)
    plan.backward(transformed, out=vorticity)
    vorticity[...] = np.cross(plan.backward(uh, out=field), vorticity, axis=0)
    force = plan.forward(vorticity, out=transformed) * kept
    return force - projection * np.sum(k * force, axis=0) - viscosity * squares * uh


def energy(uh):
    u = plan.backward(uh, out=field)
    return plan.comm.allreduce(float(np.sum(u**2))) / n**3 / 2


x, y, z = np.ix_(*(2 * np.pi * np.arange(s.start, s.stop) / n for s in plan.slices("space")[1:]))
field[0] = np.sin(x) * np.cos(y) * np.cos(z)
field[1] = -np.cos(x) * np.sin(y) * np.cos(z)
field[2] = 0
uh = plan.empty("spectrum")
plan.forward(field, out=uh)
for _ in range(steps):
    start, total = uh.copy(), uh.copy()
    for weight, ahead in ((1 / 6, 0.5), (1 / 3, 0.5), (1 / 3, 1), (1 / 6, 0)):
        slope = rate(uh)
        total += weight * dt * slope
        uh[...] = start + ahead * dt * slope
    uh[...] = total

found = energy(uh)
if plan.comm.rank == 0:
    print(f"energy at t = {dt * steps:.1f}: {found:.12f}")
sys.exit(not abs(found - 0.124953117517) < 1e-11)
