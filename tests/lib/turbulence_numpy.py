# SPDX-License-Identifier: BSD-3-Clause
"""Navier-Stokes by numpy, written from the equations alone: python3 turbulence_numpy.py N DT STEPS
DEALIAS NU [SNAPSHOT] [exact] [NAME=VALUE ...] prints, of a Taylor-Green vortex or of a snapshot after
so many steps, a line with energy and enstrophy, and lines NAME VALUE as --statistics has them.  N is a
number, or N0xN1 for two dimensions; `exact`: viscosity by an integrating factor.  The program
transports the vorticity in two dimensions, and scalars by div(u c); here it is the velocity, and
u.grad c.

linear=A, or shells=K power=P: a force; scalar=cos for cos x, or 0; schmidt=SC gradient=G."""
import sys
from math import prod

import numpy as np

size, dt, steps, dealias, nu = sys.argv[1], float(sys.argv[2]), int(sys.argv[3]), sys.argv[4], float(sys.argv[5])
exact = "exact" in sys.argv[6:]
more = dict(a.split("=") for a in sys.argv[6:] if "=" in a)
start = [a for a in sys.argv[6:] if a != "exact" and "=" not in a]
n = [int(x) for x in size.split("x")] if "x" in size else [int(size)] * 3
d = len(n)
m = [(3 * x + 1) // 2 if dealias == "3/2" else x for x in n]  # points of the grid
axes = tuple(range(-d, 0))
k = np.array(np.meshgrid(*[np.fft.fftfreq(x, 1 / x) for x in m[:-1]], np.arange(m[-1] // 2 + 1.0), indexing="ij"))
k2 = (k**2).sum(0)
inverse = np.where(k2 > 0, 1 / np.where(k2 > 0, k2, 1), 0)
keep = np.ones(k2.shape, bool)
for axis in range(d):
    keep &= np.abs(k[axis]) < n[axis] / (3 if dealias == "2/3" else 2)
weight = np.where(k[-1] == 0, 1, 2) / prod(m) ** 2
forward = lambda u: np.fft.rfftn(u, axes=axes)
backward = lambda s: np.fft.irfftn(s, m, axes=axes)
x = np.array(np.meshgrid(*[np.arange(p) * 2 * np.pi / p for p in m], indexing="ij"))


def read(f, name):
    modes = f["spectrum"][name][...]
    index = [np.fft.fftfreq(p, 1 / p).astype(int) for p in modes.shape[:-1]] + [range(modes.shape[-1])]
    s = np.zeros(k2.shape, complex)
    s[np.ix_(*index)] = modes * prod(m)
    return s


def beginning():
    if not start:
        third = np.cos(x[2]) if d == 3 else 1
        u = [np.sin(x[0]) * np.cos(x[1]) * third, -np.cos(x[0]) * np.sin(x[1]) * third, 0 * x[0]]
        return forward(np.array(u[:d])) * keep, None
    import h5py
    with h5py.File(start[0]) as f:
        c = read(f, "scalar") if "scalar" in f["spectrum"] else None
        if d == 3:
            return np.array([read(f, name) for name in "uvw"]), c
        psi = inverse * read(f, "omega")
        return np.array([1j * k[1] * psi, -1j * k[0] * psi]), c


def curl(s):
    return 1j * np.cross(k, s, axis=0) if d == 3 else 1j * (k[0] * s[1] - k[1] * s[0])


def force(s):
    """The force, as a multiple of each mode."""
    if "linear" in more:
        return float(more["linear"]) * (k2 > 0)
    if "shells" not in more:
        return 0 * k2
    band = (k2 > 0) & (k2 <= float(more["shells"]) ** 2)
    return float(more["power"]) / (weight * band * (abs(s) ** 2).sum(0)).sum() * band


def change(state):
    s, c = state[:d], state[d:]
    w, u = backward(curl(s)), backward(s)
    cross = np.cross(u, w, axis=0) if d == 3 else np.array([u[1] * w, -u[0] * w])
    r = forward(cross) * keep
    r -= k * (k * r).sum(0) * inverse
    r += (force(s) - (0 if exact else nu * k2)) * s
    slope = backward(1j * k * c[0])
    slope[0] += gradient
    q = -forward((u * slope).sum(0)) * keep - (0 if exact else nu / schmidt * k2) * c[0]
    return np.concatenate([r, [q]])


schmidt, gradient = float(more.get("schmidt", 1)), float(more.get("gradient", 0))
s, c = beginning()
if c is None:
    c = forward(np.cos(x[0])) if more.get("scalar") == "cos" else 0 * s[0]
s = np.concatenate([s, [c]])
e = np.array([np.exp(-nu * k2 * dt / 2)] * d + [np.exp(-nu / schmidt * k2 * dt / 2)]) if exact else 1
for _ in range(steps):
    a = change(s)
    b = change(e * (s + dt / 2 * a))
    p = change(e * s + dt / 2 * b)
    q = change(e * e * s + dt * e * p)
    s = e * e * s + dt / 6 * (e * e * a + 2 * e * (b + p) + q)
u, w, c, slope = backward(s[:d]), backward(curl(s[:d])), backward(s[d]), backward(1j * k * s[d])
energy, enstrophy = (u * u).sum(0).mean() / 2, (w * w).mean() / 2 * (d if d == 3 else 1)
print(repr(float(energy)), repr(float(enstrophy)))
variance = 2 * energy / d
spectrum = weight * (abs(s[:d]) ** 2).sum(0) / 2
if energy > 0:
    print("input", repr(float((u * backward(force(s[:d]) * s[:d])).sum(0).mean())))
    print("u_rms", repr(float(np.sqrt(variance))))
    print("taylor_scale", repr(float(np.sqrt((15 if d == 3 else 8) * variance / (2 * enstrophy)))))
    print("integral_scale", repr(float((np.pi / 2 if d == 3 else 2) / variance * (spectrum * np.sqrt(inverse)).sum())))
    if nu > 0:
        print("taylor_reynolds", repr(float(np.sqrt((15 if d == 3 else 8) / (2 * enstrophy)) * variance / nu)))
        print("kolmogorov_scale", repr(float((nu**3 / (2 * nu * enstrophy)) ** 0.25)))
if "scalar" in more or c.any():
    print("scalar_variance", repr(float((c * c).mean())))
    print("scalar_dissipation", repr(float(2 * nu / schmidt * (slope**2).sum(0).mean())))
    print("scalar_flux", repr(float((u[0] * c).mean())))
