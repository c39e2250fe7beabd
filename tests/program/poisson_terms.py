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


{f.__name__: f for f in (order, rounding, report, attribute, packages, make, grids, solved)}[sys.argv[1]](*sys.argv[2:])
