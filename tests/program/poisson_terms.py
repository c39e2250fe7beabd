# SPDX-License-Identifier: BSD-3-Clause
"""Checks of poisson_terms.sh: the equation by its definition, on whole arrays."""
import json
import sys


def last_run(name):
    return json.load(open(name))["runs"][-1]


def order(name):
    run = last_run(name)
    assert abs(run["convergence"] - 2) <= 0.05 and run["check"]["pass"] is True, run


def rounding(name):
    run = last_run(name)
    assert run["error"] <= 1e-13 and run["check"]["pass"] is True, run


def rounded(name):
    run = last_run(name)
    assert run["error"] <= 1e-11 and run["check"]["pass"] is True, run


def report(name, key, value):
    have = json.load(open(name))[key]
    assert (have if isinstance(have, str) else json.dumps(have)) == value, have


def attribute(name, path, key, value):
    import h5py
    have = h5py.File(name)[path].attrs[key]
    assert (have.decode() if isinstance(have, bytes) else have) == value, have


def packages():
    import h5py
    import numpy
    assert h5py and numpy


def make(name):
    import h5py
    import numpy as np
    rng = np.random.default_rng(3)
    with h5py.File(name, "w") as f:
        f["line"] = rng.standard_normal(31)
        f["plane"] = rng.standard_normal((12, 17))
        f["volume"] = rng.standard_normal((7, 10, 9))
        f["complex"] = rng.standard_normal((6, 5, 8)) + 1j * rng.standard_normal((6, 5, 8))
    with h5py.File("walls.h5", "w") as f:
        f["p17"] = rng.standard_normal(17)
        for shape in (10, 9), (7, 9), (7, 10):
            f["v%dx%d" % shape] = rng.standard_normal(shape)
        f["c6x5"] = rng.standard_normal((6, 5)) + 1j * rng.standard_normal((6, 5))


def options(words):
    found = dict(zip(words[::2], words[1::2]))
    return {key[2:]: value for key, value in found.items()}


def per_axis(text, dims):
    values = text.split(",")
    return values * dims if len(values) == 1 else values


def ends(name):
    """The conditions at both ends of an axis, and whether points are centres of cells."""
    words = name.split("-")
    cells = words[-1] == "cell" or (words[-1] != "node" and name not in ("dirichlet", "periodic"))
    words = [w for w in words if w not in ("cell", "node")]
    return words * (3 - len(words)), cells


def given_at(option, axis, side):
    import h5py
    import numpy as np
    for word in option.split(",") if option else ():
        where, value = word.split("=")
        if where == "%d%s" % (axis, ("low", "high")[side]):
            if ":" in value:
                return h5py.File(value.split(":")[0])[value.split(":")[1]][...]
            return np.complex128(value.replace("i", "j"))
    return 0


def second_difference(u, axis, name, length, option):
    """With one ghost point at each end, from the condition and the value g there."""
    import numpy as np
    kind, cells = ends(name)
    u = np.moveaxis(u, axis, 0)
    n = len(u)
    more = 0 if cells or kind[0] == "periodic" else sum(k == "dirichlet" for k in kind) - 1
    h = length / (n + more)
    ghost = []
    for side in 0, 1:
        g, first = given_at(option, axis, side), (0, -1)[side]
        sign = (-1, 1)[side]
        if kind[side] == "periodic":
            ghost.append(u[(-1, 0)[side]])
        elif kind[side] == "dirichlet":
            ghost.append(2 * g - u[first] if cells else g + 0 * u[first])
        else:
            ghost.append(u[first] + sign * h * g if cells else u[(1, -2)[side]] + sign * 2 * h * g)
    whole = np.concatenate([[ghost[0]], u, [ghost[1]]])
    return np.moveaxis((whole[2:] - 2 * whole[1:-1] + whole[:-2]) / h**2, 0, axis)


def stretched_difference(u, axis, name, edge, option):
    """The definition by flows, with one sum for each point; and the lengths of volumes."""
    import numpy as np
    kind, cells = ends(name)
    u = np.moveaxis(u, axis, 0)
    n, low = len(u), edge[0]
    if cells:
        x, volume = (edge[1:] + edge[:-1]) / 2, np.diff(edge)
    else:
        x = edge[int(kind[0] == "dirichlet"):len(edge) - int(kind[1] == "dirichlet")]
        middle = np.concatenate([[low], (edge[1:] + edge[:-1]) / 2, [edge[-1]]])
        volume = np.diff(middle)[int(kind[0] == "dirichlet"):len(edge) - int(kind[1] == "dirichlet")]
    assert len(x) == n
    flow = [(u[i + 1] - u[i]) / (x[i + 1] - x[i]) for i in range(n - 1)]
    outer = []
    for side, i in (0, 0), (1, -1):
        g = given_at(option, axis, side)
        distance = (x[0] - low, x[-1] - edge[-1])[side]
        outer.append((u[i] - g) / distance if kind[side] == "dirichlet" else g + 0 * u[i])
    flow = np.array([outer[0], *flow, outer[1]])
    shape = (n,) + (1,) * (u.ndim - 1)
    return np.moveaxis((flow[1:] - flow[:-1]) / volume.reshape(shape), 0, axis), volume


def grids(name):
    """Coordinates from wall to wall for n intervals."""
    import h5py
    import numpy as np
    with h5py.File(name, "w") as f:
        for n in 6, 7, 8, 9, 10, 11, 12, 13, 17, 18, 30, 31, 32:
            s = np.arange(n + 1) / n
            f["z%d" % n] = 0.25 + 1.5 * (s + 0.1 * np.sin(2 * np.pi * s + 1))
        for n in 64, 96:
            s = np.arange(n + 1) / n
            f["tanh%d" % n] = np.tanh(1.5 * (2 * s - 1)) / np.tanh(1.5)
        f["back"] = [0.0, 1, 2, 1.5, 3, 4, 5, 6]
        f["plane"] = np.zeros((8, 8))


def solved(path, bc, *words):
    import h5py
    import numpy as np
    o = options(words)
    f, u = h5py.File("in.h5")[path][...], h5py.File("u.h5")[path][...]
    kinds, lengths = per_axis(bc, f.ndim), [float(x) for x in per_axis(o.get("length", "1"), f.ndim)]
    shift = complex(o.get("lambda", "0").replace("i", "j"))
    factors = [float(x) for x in per_axis(o.get("coefficients", "1"), f.ndim)]
    assert u.shape == f.shape and np.iscomplexobj(u) == (np.iscomplexobj(f) or shift.imag != 0), u.dtype
    u = u.astype(complex)
    got, weight = shift * u, np.ones(())
    for axis in range(f.ndim):
        if o.get("stretched") == str(axis):
            name, dataset = o["coordinates"].split(":")
            term, volume = stretched_difference(u, axis, kinds[axis], h5py.File(name)[dataset][...], o.get("wall-values"))
            weight = volume.reshape([-1 if k == axis else 1 for k in range(f.ndim)])
        else:
            term = second_difference(u, axis, kinds[axis], lengths[axis], o.get("wall-values"))
        got = got + factors[axis] * term
    off = got - f
    weight = weight * np.ones(f.shape)
    for axis, kind in enumerate(kinds):  # points on walls count half in a mean
        if kind == "neumann-node" and o.get("stretched") != str(axis):
            ends_of = np.moveaxis(weight, axis, 0)
            ends_of[[0, -1]] /= 2
    if shift == 0 and all(set(ends(k)[0]) <= {"neumann", "periodic"} for k in kinds):
        off = off - (weight * off).sum() / weight.sum()
        assert abs((weight * u).sum() / weight.sum()) < 1e-13, u.mean()
    limit = float(o.get("tolerance", 1e-10))
    assert np.abs(off).max() <= limit, np.abs(off).max()


def free(path, bc, *words):
    """Sums over all charges, mode by mode of the other axes."""
    import h5py
    import numpy as np
    o = options(words)
    f, u = h5py.File("in.h5")[path][...], h5py.File("u.h5")[path][...]
    kinds, lengths = per_axis(bc, f.ndim), [float(x) for x in per_axis(o.get("length", "1"), f.ndim)]
    h = [length / n for length, n in zip(lengths, f.shape)]
    k2 = np.full((1,) * f.ndim, -float(o.get("lambda", "0")))
    for axis, kind in enumerate(kinds):
        if kind == "periodic":
            n = f.shape[axis]
            wave = 2 / h[axis] * np.sin(np.pi * np.arange(n) / n)
            k2 = k2 + wave.reshape([-1 if k == axis else 1 for k in range(f.ndim)]) ** 2
            f, u = np.fft.fft(f, axis=axis), np.fft.fft(u, axis=axis)
    open_axes = [axis for axis, kind in enumerate(kinds) if kind == "open"]
    others = [axis for axis in range(f.ndim) if axis not in open_axes]
    f, u = (np.transpose(x, others + open_axes) for x in (f, u))
    shape = f.shape[:len(others)]
    for mode in np.ndindex(*shape):
        kappa2 = k2.reshape(shape)[mode] if shape else k2.item()
        check_mode(f[mode], u[mode], kappa2, [h[axis] for axis in open_axes])


def check_mode(f, u, kappa2, h):
    import numpy as np
    from scipy.special import k0
    index = np.indices(f.shape).reshape(f.ndim, -1).T
    away = index[:, None, :] - index[None, :, :]
    if f.ndim == 1:  # the fundamental solution of the stencil
        j = np.abs(away[..., 0])
        q = np.exp(-2 * np.arcsinh(np.sqrt(kappa2) * h[0] / 2))
        g = h[0]**2 * (j / 2 if kappa2 == 0 else -q**j / (1 / q - q))
        assert np.abs(g @ f - u).max() < 1e-11 * (1 + np.abs(u).max()), (kappa2, np.abs(g @ f - u).max())
        return
    r = np.sqrt(((away * h) ** 2).sum(-1))
    own = np.eye(len(r), dtype=bool)
    r[own] = 1
    g = h[0] * h[1] / (2 * np.pi) * (np.log(r) if kappa2 == 0 else -k0(np.sqrt(kappa2) * r))
    g[own] = 0
    rest, f = u.ravel() - g @ f.ravel(), f.ravel()
    share = (rest * f.conj()).sum() / (abs(f) ** 2).sum()  # of the own cell: the mean over it
    assert np.abs(rest - share * f).max() < 1e-11 * (1 + np.abs(u).max()), (kappa2, np.abs(rest - share * f).max())
    x, w = np.polynomial.legendre.leggauss(80)
    x, w = (x + 1) / 2, w / 2
    s = np.sqrt((x[:, None] ** 3 * h[0] / 2) ** 2 + (x[None, :] ** 3 * h[1] / 2) ** 2)
    weight = 9 * (w * x**2)[:, None] * (w * x**2)[None, :]
    mean = (weight * (np.log(s) if kappa2 == 0 else -k0(np.sqrt(kappa2) * s))).sum() * h[0] * h[1] / (2 * np.pi)
    # the program has a disc for what the rectangle lacks
    assert abs(share - mean) < 0.04 * abs(mean) + 1e-4 * h[0] * h[1], (kappa2, share, mean)


def sheet():
    """A charged sheet: Q/2 |z| far from it."""
    import math
    import h5py
    import numpy as np
    z, width = (np.arange(128) + 0.5) / 128 - 0.4, 0.05
    if not __import__("os").path.exists("sheet.h5"):
        with h5py.File("sheet.h5", "w") as f:
            f["f"] = np.exp(-z**2 / (2 * width**2)) * np.ones((4, 6, 1)) * 3
        return
    erf = np.array([math.erf(t / (width * math.sqrt(2))) for t in z])
    charge = 3 * width * math.sqrt(2 * math.pi)
    want = charge / 2 * (z * erf + width * math.sqrt(2 / math.pi) * np.exp(-z**2 / (2 * width**2)))
    have = h5py.File("u.h5")["f"][...]
    assert np.abs(have - want).max() < 1e-12, np.abs(have - want).max()


{f.__name__: f for f in (order, rounding, rounded, report, attribute, packages, make, grids, solved, free, sheet)}[sys.argv[1]](*sys.argv[2:])
