#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""spectrum beside Pylians (Villaescusa-Navarro, Astrophysics Source Code Library 1811.008):
spectrum_pylians.py make writes p.h5; spectrum_pylians.py compare SCHEME looks at SCHEME.csv and cross.csv.

Its shells have other edges: [n, n + 1) of the fundamental mode.  So its density is compared mode by mode, by numpy in our
shells, and its powers and multipoles as sums over all modes.  It computes in single precision."""
import csv
import sys

import h5py
import numpy as np

N, SIDE = 48, 100.0


def make():
    rng = np.random.default_rng(2)
    centres = rng.uniform(0, SIDE, (800, 3))
    with h5py.File("p.h5", "w") as f:
        for name, count in (("x", 40000), ("y", 25000)):
            x = (centres[rng.integers(0, 800, count)] + rng.standard_normal((count, 3)) * [2, 2, 4]) % SIDE
            f[name] = x.astype("f4").astype("f8") % SIDE  # no rounding there


def table(name):
    with open(name) as f:
        rows = list(csv.reader(f))
    return dict(zip(rows[0], np.array([[float(v) for v in r] for r in rows[1:]]).T))


def contrast(scheme, name):
    import MAS_library

    density = np.zeros((N, N, N), np.float32)
    MAS_library.MA(h5py.File("p.h5")[name][...].astype(np.float32), density, SIDE, scheme.upper())
    return density / density.mean(dtype=np.float64) - 1


def in_shells(field, order):
    """The power in shells around whole numbers of the fundamental mode."""
    n = np.fft.fftfreq(N, 1 / N)
    k = np.meshgrid(n, n, n, indexing="ij")
    power = SIDE**3 * np.abs(np.fft.fftn(field.astype(float)) / N**3) ** 2
    power /= np.prod([np.sinc(c / N) for c in k], axis=0) ** (2 * order)
    number = np.floor(np.sqrt(sum(c * c for c in k)) + 0.5).astype(int).ravel()
    return np.bincount(number, power.ravel())[1:] / np.bincount(number)[1:]


def compare(scheme):
    import Pk_library

    ours, cross = table(scheme + ".csv"), table("cross.csv")
    x, y = contrast(scheme, "x"), contrast(scheme, "y")
    tried = wrong = 0
    deposit = in_shells(x, ["ngp", "cic", "tsc", "pcs"].index(scheme) + 1)
    error = np.abs(deposit / ours["power"] - 1).max()
    print(scheme, "density, largest difference of a shell:", error)
    tried, wrong = tried + 1, wrong + (not error < 1e-4)
    theirs = Pk_library.Pk(x.astype(np.float32), SIDE, 2, scheme.upper(), 1, False)
    both = Pk_library.XPk([x.astype(np.float32), y.astype(np.float32)], SIDE, 2, [scheme.upper()] * 2, 1)
    pairs = [("power" + ("_l%d" % l if l else ""), ours, theirs.Pk[:, l // 2], theirs.Nmodes3D) for l in (0, 2, 4)]
    if scheme == "tsc":
        pairs += [(n, cross, p, both.Nmodes3D) for n, p in
                  (("power", both.Pk[:, 0, 0]), ("power_2", both.Pk[:, 0, 1]), ("cross_12", both.XPk[:, 0, 0]),
                   ("cross_12_l2", both.XPk[:, 1, 0]), ("cross_12_l4", both.XPk[:, 2, 0]))]
    for name, have, power, modes in pairs:
        # they count k and -k once, as a rule, and the eight modes that are their own mirror images as one
        mean = (have[name] * have["modes"]).sum() / have["modes"].sum()
        size = (have["power"] * have["modes"]).sum() / have["modes"].sum()
        other = np.nansum(power * modes) / np.nansum(modes)
        print(scheme, name, "mean over all modes:", mean, other, "difference by the mean power:", (other - mean) / size)
        tried, wrong = tried + 1, wrong + (not abs(other - mean) < 5e-4 * size)
    print("tried", tried, "wrong", wrong)


if __name__ == "__main__":
    make() if sys.argv[1] == "make" else compare(sys.argv[2])
