# SPDX-License-Identifier: BSD-3-Clause
"""Navier-Stokes by numpy, written from the equations alone: python3 turbulence_numpy.py N DT STEPS
DEALIAS NU [SNAPSHOT] prints energy and enstrophy of a Taylor-Green vortex, or of the modes of a
snapshot, after so many steps.  `exact` after them: viscosity by an integrating factor."""
import sys

import numpy as np

n, dt, steps, dealias, nu = int(sys.argv[1]), float(sys.argv[2]), int(sys.argv[3]), sys.argv[4], float(sys.argv[5])
exact = "exact" in sys.argv[6:]
start = [a for a in sys.argv[6:] if a != "exact"]
m = (3 * n + 1) // 2 if dealias == "3/2" else n  # points of the grid
wave = np.fft.fftfreq(m, 1 / m)
k = np.array(np.meshgrid(wave, wave, np.arange(m // 2 + 1.0), indexing="ij"))
k2 = (k**2).sum(0)
keep = np.ones(k2.shape, bool)
for axis in range(3):
    keep &= np.abs(k[axis]) < (n / 3 if dealias == "2/3" else n / 2)
forward = lambda u: np.fft.rfftn(u, axes=(1, 2, 3))
backward = lambda s: np.fft.irfftn(s, (m, m, m), axes=(1, 2, 3))
if start:
    import h5py
    from math import prod
    s = np.zeros((3,) + k2.shape, complex)
    with h5py.File(start[0]) as f:
        for c, name in enumerate("uvw"):
            modes = f["spectrum"][name][...]
            index = [np.fft.fftfreq(modes.shape[a], 1 / modes.shape[a]).astype(int) for a in (0, 1)]
            s[c][np.ix_(index[0], index[1], range(modes.shape[2]))] = modes * m**3
else:
    x = np.array(np.meshgrid(*[np.arange(m) * 2 * np.pi / m] * 3, indexing="ij"))
    s = forward(np.array([np.sin(x[0]) * np.cos(x[1]) * np.cos(x[2]),
                          -np.cos(x[0]) * np.sin(x[1]) * np.cos(x[2]), 0 * x[0]])) * keep

def change(s):
    curl = 1j * np.cross(k, s, axis=0)
    d = forward(np.cross(backward(s), backward(curl), axis=0)) * keep
    d -= k * (k * d).sum(0) / np.where(k2 > 0, k2, 1)
    return d if exact else d - nu * k2 * s

e = np.exp(-nu * k2 * dt / 2) if exact else 1
for _ in range(steps):
    a = change(s)
    b = change(e * (s + dt / 2 * a))
    c = change(e * s + dt / 2 * b)
    d = change(e * e * s + dt * e * c)
    s = e * e * s + dt / 6 * (e * e * a + 2 * e * (b + c) + d)
u, w = backward(s), backward(1j * np.cross(k, s, axis=0))
print(repr(float((u * u).sum(0).mean() / 2)), repr(float((w * w).sum(0).mean() / 2)))
