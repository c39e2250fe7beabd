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
    got = shift * u + sum(factors[axis] * second_difference(u, axis, kinds[axis], lengths[axis], o.get("wall-values"))
                          for axis in range(f.ndim))
    off = got - f
    if shift == 0 and all(set(ends(k)[0]) <= {"neumann", "periodic"} for k in kinds):
        off = off - off.mean()
        assert abs(u.mean()) < 1e-13, u.mean()
    limit = float(o.get("tolerance", 1e-10))
    assert np.abs(off).max() <= limit, np.abs(off).max()


{f.__name__: f for f in (order, rounding, report, attribute, packages, make, solved)}[sys.argv[1]](*sys.argv[2:])
