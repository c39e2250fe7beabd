# SPDX-License-Identifier: BSD-3-Clause
"""Vector fields for tests/program/vectors.sh:

    vectors.py make                       v.h5 and vl.npy: fields of three dimensions and of two, exact solutions
    vectors.py check FUNCTION FIELD AXES FILE DATASET...
                                          the datasets are what a function, below, makes of the components FIELD,
                                          each of which points along one of AXES
"""
import sys

import h5py
import numpy as np

SHAPES = {"real": (12, 10, 15), "complex": (7, 6, 8), "plane": (9, 14), "exact": (16, 12, 20)}
LENGTHS = (1.0, 2.0, 3.0)


def make():
    random = np.random.default_rng(5)
    with h5py.File("v.h5", "w") as f:
        for name, shape in SHAPES.items():
            v = random.standard_normal((len(shape),) + shape)
            if name == "complex":
                v = v + 1j * v[::-1]
            if name == "exact":  # Taylor and Green's vortex on [0, 2 pi)^3, and its vorticity
                x, y, z = np.meshgrid(*(2 * np.pi * np.arange(n) / n for n in shape), indexing="ij")
                v = np.stack([np.sin(x) * np.cos(y) * np.cos(z), -np.cos(x) * np.sin(y) * np.cos(z), 0 * x])
                f["vorticity"] = np.stack([-np.cos(x) * np.sin(y) * np.sin(z), -np.sin(x) * np.cos(y) * np.sin(z),
                                           2 * np.sin(x) * np.sin(y) * np.cos(z)])
            for c, part in enumerate(v):
                f[f"{name}/{'uvw'[c]}"] = part
            f[name + "_first"], f[name + "_last"] = v, np.moveaxis(v, 0, -1)
    with h5py.File("v.h5") as f:
        np.save("vl.npy", f["real_last"][...])
        np.save("zyx.npy", np.moveaxis(f["real_last"][...], -1, 0))


def wave(axis, n, length):
    """2 pi k/L along an axis, 0 for half as many cycles as points."""
    k = np.fft.fftfreq(n[axis], 1 / n[axis])
    k[(n[axis] + 1) // 2:n[axis] // 2 + 1] = 0
    return (2 * np.pi * k / length[axis]).reshape([-1 if a == axis else 1 for a in range(len(n))])


def derive(field, k):
    out = np.fft.ifftn(1j * k * np.fft.fftn(field))
    return out if np.iscomplexobj(field) else out.real


def curl(v, k):
    if len(v) == 2:
        return [derive(v[1], k[0]) - derive(v[0], k[1])]
    return [derive(v[(c + 2) % 3], k[(c + 1) % 3]) - derive(v[(c + 1) % 3], k[(c + 2) % 3]) for c in range(3)]


def divergence(v, k):
    return [sum(derive(part, kc) for part, kc in zip(v, k))]


def gradient(v, k):
    return [derive(v[0], kc) for kc in k]


def potential(v, k):
    f = [np.fft.fftn(part) for part in v]
    square = sum(kc * kc for kc in k)
    along = np.divide(sum(kc * part for kc, part in zip(k, f)), square, where=square > 0, out=np.zeros_like(f[0]))
    out = [np.fft.ifftn(kc * along) for kc in k]
    return out if np.iscomplexobj(v[0]) else [part.real for part in out]


def solenoidal(v, k):
    return [whole - part for whole, part in zip(v, potential(v, k))]


def gaussian(v, k):
    n = v[0].shape
    f = [(np.fft.fftfreq(n[a], 1 / n[a]) / LENGTHS[a]).reshape([-1 if b == a else 1 for b in range(3)]) for a in range(3)]
    factor = np.exp(-2 * np.pi**2 * 0.1**2 * sum(fa * fa for fa in f))
    return [np.fft.ifftn(factor * np.fft.fftn(part)).real for part in v]


def vorticity(v, k):
    with h5py.File("v.h5") as f:
        return list(f["vorticity"][...])


def nothing(v, k):
    """Rounding errors of a derivative of the field, which is then 0."""
    return None


def load(file, name):
    if file.endswith(".npy"):
        return np.load(file)
    with h5py.File(file) as f:
        return f[name][...]


def check(function, field, axes, file, *datasets):
    with h5py.File("v.h5") as f:
        v = [f[field][c][...] for c in "uvw"[:len(f[field])]]
    n = v[0].shape
    length = (2 * np.pi,) * 3 if field == "exact" else LENGTHS
    k = [wave(int(a), n, length) for a in axes.split(",")]
    want = globals()[function](v, k)
    have = [load(file, name) for name in datasets]
    single = have[0].dtype in (np.float32, np.complex64)
    limit = 1e-5 if single else 1e-13
    if want is None:
        most = max(abs(derive(part, kc)).max() for part, kc in zip(v, k))
        assert all(abs(part).max() < limit * most for part in have)
        return
    scale = max(abs(part).max() for part in want)
    assert len(have) == len(want), len(have)
    for one, other in zip(have, want):
        assert one.shape == other.shape and abs(one - other).max() < limit * scale, abs(one - other).max() / scale


globals()[sys.argv[1]](*sys.argv[2:])
