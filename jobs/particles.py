#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Particles of a known power spectrum, in the box from 0 to 1: particles.py PARTICLES OUT.h5.
/positions: a lognormal density is drawn from (Coles and Jones, Mon. Not. R. Astron. Soc. 248, 1991), and moved by its
linear displacements; /redshift: moved along axis 2 once more, by 0.5 of it, as peculiar velocities do (Kaiser, Mon. Not.
R. Astron. Soc. 227, 1987).  /k, /power: the linear power."""
import sys

import h5py
import numpy as np

N, GROWTH = 128, 0.5


def power(k):
    """A peak at k = 30."""
    return 2e-4 * (k / 30) / (1 + (k / 30) ** 2) ** 2


def main(count, name):
    rng = np.random.default_rng(11)
    axis = 2 * np.pi * np.fft.fftfreq(N, 1 / N)
    k = np.meshgrid(axis, axis, axis[: N // 2 + 1], indexing="ij", sparse=True)
    k2 = sum(a * a for a in k)
    k2[0, 0, 0] = 1
    modes = np.fft.rfftn(rng.standard_normal((N, N, N))) * np.sqrt(power(np.sqrt(k2)) * N**3)
    modes[0, 0, 0] = 0
    density = np.exp(np.fft.irfftn(modes) * 0.5)  # half of the contrast at first, half by displacement
    count = rng.poisson(count * density / density.sum())
    cell = np.repeat(np.argwhere(count >= 0), count.ravel(), axis=0)
    x = (cell + rng.uniform(-0.5, 0.5, cell.shape)) / N
    moved = [np.fft.irfftn(1j * a / k2 * modes)[tuple(cell.T)] for a in k]
    x += 0.5 * np.stack(moved, 1)
    with h5py.File(name, "w") as f:
        f["positions"] = x % 1
        x[:, 2] += GROWTH * moved[2]
        f["redshift"] = x % 1
        f["k"] = np.geomspace(6, 400, 60)
        f["power"] = power(f["k"][...])


main(int(float(sys.argv[1])), sys.argv[2])
