# SPDX-License-Identifier: BSD-3-Clause
"""make: the input of channel.sh, as files of numpy; table: its solution as lines "x z u" for gnuplot."""
import sys

import numpy as np

nx, nz = 256, 64
x = np.arange(nx) * 4 / nx
z = (1 + np.tanh(1.8 * (2 * np.arange(nz + 1) / nz - 1)) / np.tanh(1.8)) / 2
middle = (z[1:] + z[:-1]) / 2
if sys.argv[1] == "make":
    f = np.zeros((nx, nz))
    for sign, x0, z0 in (1, 1.0, 0.6), (-1, 2.9, 0.45):
        f -= sign * 160 * np.exp(-((x[:, None] - x0) ** 2 + (middle[None, :] - z0) ** 2) / (2 * 0.08**2))
    np.save("f.npy", f)
    np.save("z.npy", z)
    np.save("floor.npy", np.where(abs(x - 2) < 0.4, 2.0, 0.0))
else:
    for column, at in zip(np.load("u.npy"), x):
        for value, height in zip(column, middle):
            print(f"{at:g} {height:g} {value:g}")
        print()
