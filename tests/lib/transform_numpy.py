# SPDX-License-Identifier: BSD-3-Clause
"""Fields and spectra for tests/files/transform_numpy.sh, and what numpy makes of these and others:

    transform_numpy.py make           writes the inputs into the current directory
    transform_numpy.py names OUTPUT   prints the names of its dataset's attributes
    transform_numpy.py check NUMBER   reads lines "OUTPUT INPUT FUNCTION PROBLEM" from stdin and
                                      answers each with a line of TAP, numbered from NUMBER on:
                                      OUTPUT holds FUNCTION of what INPUT holds
"""
import sys

import h5py
import numpy as np

random = np.random.default_rng(1)


def noise(*shape):
    return random.standard_normal(shape)


def write(fields):
    """Every field in a file of its own, NAME.h5, as dataset "data"."""
    for name, values in fields.items():
        with h5py.File(name + ".h5", "w") as f:
            f["data"] = values


def make():
    fields = {
        "even": noise(7, 6, 8),
        "odd": (1000 * noise(5, 7, 9)).astype(">i2"),
        "plane": noise(6, 9).astype("f4"),
        "line": (100 * noise(15)).astype("u1"),
        "thin": noise(3, 4, 1),
        "zero": np.zeros((3, 4, 5)),
        "complex": noise(4, 5, 6) + 1j * noise(4, 5, 6),
        # spectra, as numpy users write them
        "half8": np.fft.rfftn(noise(4, 5, 8)),
        "half9": np.fft.rfftn(noise(4, 5, 9)).astype("c8"),
        "any": noise(3, 4, 5) + 1j * noise(3, 4, 5),  # of no real field
        "stale": np.fft.rfftn(noise(4, 5, 8)),
    }
    fields["nan"] = noise(4, 5, 6)
    fields["nan"][3, 4, 5] = np.nan  # of the last rank
    fields["large"] = 1e200 * noise(4, 5, 6)
    fields["huge"] = np.full((4, 5, 6), 1e307)
    fields["small"] = 1e-312 * noise(7, 6, 8)
    fields["least"] = 5e-324 * noise(4, 5, 6).round()
    fields["below"] = np.full((4, 5, 6), -0.0)
    fields["narrow"] = np.full((4, 5, 6), 3e37, "f4")
    fields["slight"] = (1e-43 * noise(7, 6, 8)).astype("f4")
    write(fields)
    with h5py.File("stale.h5", "a") as f:
        f["data"].attrs["problem"] = "r2c:d:4x5x99"
    # A name of two words, the first of which would colour a terminal; and attributes of it: the second
    # and third hold addresses, one of more bytes than an attribute may have.
    with h5py.File("named.h5", "w") as f:
        f["\x1b[31mdata\r\x07\x9b here"] = noise(3, 4, 5)
        attributes = f["\x1b[31mdata\r\x07\x9b here"].attrs
        attributes["units"] = "m/s"
        attributes["axes"] = "t,u,v"
        for name, length in (("samples", 3), ("history", 20000)):
            sequence = np.empty(1, dtype=object)
            sequence[0] = np.arange(length, dtype="f8")
            attributes.create(name, sequence, dtype=h5py.vlen_dtype("f8"))
    # More than a MiB of attributes: 17 are within it.
    with h5py.File("rich.h5", "w") as f:
        f["data"] = noise(3, 4, 5)
        for k in range(20):
            f["data"].attrs["a%02d" % k] = np.zeros(60000, "u1")


def text(value):
    return value.decode() if isinstance(value, bytes) else value


# What a transform forward and one backward multiply by, in the words of the attribute.
FACTORS = {"backward": ("none", "1/N"), "ortho": ("1/sqrt(N)",) * 2, "forward": ("1/N", "none")}


def half_complex(kind, n):
    """A real DFT in real numbers, as a matrix."""
    k, j = np.meshgrid(np.arange(n), np.arange(n), indexing="ij")
    angle = 2 * np.pi * (j * k % n) / n
    if kind == "dht":
        return np.cos(angle) + np.sin(angle)
    half = k if kind == "r2hc" else j
    twice = (kind == "hc2r") & (half > 0) & (2 * half != n)
    return (1 + twice) * np.where(2 * half <= n, np.cos(angle), np.sin(angle))


def matrix(kind, n):
    """A real-to-real transform by FFTW's formula, as a matrix, and what it and its inverse multiply by."""
    if kind in ("dht", "r2hc", "hc2r"):
        return half_complex(kind, n), n
    sine, number = kind[1] == "s", int(kind[3])
    points = n if number > 1 else n + 1 if sine else n - 1
    k, j = np.meshgrid(np.arange(n), np.arange(n), indexing="ij")
    shift = {1: (1, 1) if sine else (0, 0), 2: (1, 0.5) if sine else (0, 0.5)}
    shift[3] = (shift[2][1], shift[2][0])
    shift[4] = (0.5, 0.5)
    turns = (2 * (k + shift[number][0])) * (2 * (j + shift[number][1])) % (8 * points)  # exact
    angle = np.pi * turns / (4 * points)
    m = 2 * (np.sin if sine else np.cos)(angle)
    if number == 1 and not sine:
        m[:, [0, -1]] /= 2
    if number == 3:
        m[:, -1 if sine else 0] /= 2
    return m, 2 * points


def half_axis(dims, kinds):
    """The axis along which a real field of these kinds has half a spectrum, the last dft; or -1."""
    kinds = kinds[len(kinds) - dims :] or ["dft"] * dims
    return max([axis for axis in range(dims) if kinds[axis] == "dft"], default=-1)


def transform_kinds(x, kinds, real):
    """All axes of a field, the last one first."""
    product, y = 1, x
    for axis in reversed(range(x.ndim)):
        kind, n = kinds[axis - x.ndim], x.shape[axis]
        if kind == "dft":
            half = real and axis == half_axis(x.ndim, kinds)
            y, factor = (np.fft.rfft if half else np.fft.fft)(y, axis=axis), n
        elif kind == "none":
            factor = 1
        else:
            m, factor = matrix(kind, n)
            y = np.moveaxis(np.tensordot(m, y, (1, axis)), 0, axis)
            with_scipy(m, kind, n)
        product *= factor
    return y, product


def with_scipy(m, kind, n):
    """The matrix is scipy's transform of the unit matrix, if there is a scipy."""
    try:
        from scipy import fft
    except ImportError:
        return
    if kind[0] != "d" or kind == "dht":
        return
    want = getattr(fft, kind[:3])(np.eye(n), type=int(kind[3]), axis=0)
    assert np.allclose(m, want, atol=1e-12 * n), kind


def kept(k, n):
    """The indices of n modes that are those of k."""
    return [i if 2 * i < k else n - k + i for i in range(k)]


def cut(y, field, modes, half):
    """The modes of the spectrum of a field that are kept; along axis `half` it is half of one."""
    for axis, (k, n) in enumerate(zip(modes, field)):
        y = np.take(y, range(k // 2 + 1) if axis == half else kept(k, n), axis=axis)
    return y


def pad(x, field, modes, half):
    """A spectrum that has all modes, from one that has some of them."""
    y = np.zeros(field[:-1] + (field[-1] // 2 + 1 if half else field[-1],), "c16")
    index = [kept(k, n) for k, n in zip(modes, field)]
    if half:
        index[-1] = range(modes[-1] // 2 + 1)
    y[np.ix_(*index)] = x
    return y


def compare(output, source, function, problem):
    """FUNCTION may be followed by /NORM; "kinds" is the transform of the kinds that the problem names."""
    kind, precision, extents, *kinds = problem.split(":")
    kind, plus = kind.rstrip("+"), kind.endswith("+")
    extents, _, modes = extents.partition("/")
    function, norm = function.split("/") if "/" in function else (function, "backward")
    with h5py.File(source, "r") as f:
        x = f["data"][...]
    x = x.astype("c16" if np.iscomplexobj(x) else "f8")
    field = tuple(int(n) for n in extents.split("x"))[-x.ndim :]
    modes = tuple(int(n) for n in modes.split("x"))[-x.ndim :] if modes else None
    if function == "same":
        want = x
    elif plus:
        want = np.fft.ifftn(x) * x.size
    elif function == "pad":
        x = pad(x, field, modes, kind == "r2c")
        want = np.fft.irfftn(x, s=field) if kind == "r2c" else np.fft.ifftn(x)
    elif function == "kinds":
        want, points = transform_kinds(x, kinds[0].split(","), kind == "r2c")
        want = want / {"backward": 1, "ortho": np.sqrt(points), "forward": points}[norm]
    elif function == "irfftn":
        want = np.fft.irfftn(x, s=field, norm=norm) if field[-1] > 1 else np.fft.ifftn(x).real
    else:
        want = getattr(np.fft, function)(x, norm=norm)
    if modes and function != "pad":
        axes = kinds[0].split(",") if kinds else []
        want = cut(want, field, modes, half_axis(x.ndim, axes) if kind == "r2c" else -1)
    with h5py.File(output, "r") as f:
        d = f["data"]
        got = d[...]
        said = {name: text(d.attrs[name]) for name in ("problem", "direction", "normalization")}
    single = precision == "s"
    real = "f4" if single else "f8"
    kinds = {True: {"f4": "c8", "f8": "c16"}[real], False: real}
    # an explicit c2c transform of real data has a complex result
    assert got.dtype == np.dtype(kinds[np.iscomplexobj(want) or kind == "c2c"]), got.dtype
    assert got.dtype.byteorder in "=<", got.dtype
    assert got.shape == want.shape, (got.shape, want.shape)
    assert said["problem"] == problem, said
    back = function in ("irfftn", "ifftn", "same", "pad")
    assert said["direction"] == ("backward" if back else "forward"), said
    assert said["normalization"] == FACTORS[norm][back], said
    error = np.linalg.norm(got.astype("c16") - want) / (np.linalg.norm(want) or 1)
    points = max(2, np.prod(field))
    limit = 8 * np.sqrt(np.log2(points)) * (2.0**-23 if single else 2.0**-52)
    assert error <= limit, "error %g exceeds %g" % (error, limit)
    return error


def names(output):
    """The attributes of the dataset of a file, which are texts."""
    with h5py.File(output, "r") as f:
        print(*("%s=%s" % (name, text(a)) for name, a in next(iter(f.values())).attrs.items()))


def check(number):
    bad = 0
    for line in sys.stdin:
        name = " ".join(line.split())
        try:
            print("ok %d - numpy: %s # error %.1e" % (number, name, compare(*line.split())))
        except (AssertionError, OSError, KeyError) as why:
            bad = 1
            print("not ok %d - numpy: %s\n# %r" % (number, name, why))
        number += 1
    return bad


if __name__ == "__main__":
    mode, *rest = sys.argv[1:]
    sys.exit(make() if mode == "make" else names(*rest) if mode == "names" else check(int(*rest)))
