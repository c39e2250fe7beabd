# SPDX-License-Identifier: BSD-3-Clause
"""Step 6 in Python: a picture of a head.  step6_picture.c is the same in C, with the same numbers, and
has the comments."""
import sys

import numpy as np

import pfft3d

if len(sys.argv) != 3:
    sys.exit("usage: step6_picture.py INPUT.h5 OUTPUT.pgm")
source, target = sys.argv[1:]

volume = pfft3d.Dataset(source)
plan = pfft3d.Plan(volume.shape, "r2c", decomp="slab", norm="none")
u, v = volume.read_into(plan), plan.empty("spectrum")
first = plan.slices("space")[0]
middle = volume.shape[0] // 2 - first.start
mine = 0 <= middle < len(u)
before = u[middle].copy() if mine else None

plan.forward(u, out=v)
squares = sum(np.square(k) for k in plan.wavenumbers(lengths=volume.shape)) / (2 * np.pi) ** 2
v *= np.where(squares <= 1 / 64, 1 / np.prod(volume.shape), 0)
plan.backward(v, out=u)
if mine:
    picture = np.hstack([before, u[middle]])[::-1]  # the axis points up
    with open(target, "wb") as f:
        f.write(b"P5\n%d %d\n255\n" % picture.shape[::-1])
        f.write(np.clip(np.floor(picture + 0.5), 0, 255).astype("u1").tobytes())
volume.close()
plan.close()
