#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""What filter, convolve and spectrum must give, by numpy: transforms of the whole array, and direct sums.
fields.sh calls it: fields.py make writes in.h5; fields.py cases LIST tries what LIST says, a case to a line:
FOLDER FUNCTION PATHS... ARGUMENTS of the command, with the files out.h5, out.csv and out.json in FOLDER."""
import csv
import json
import sys

import case_list
import h5py
import numpy as np


def make():
    rng = np.random.default_rng(1)
    real, both = rng.standard_normal, lambda s: rng.standard_normal(s) + 1j * rng.standard_normal(s)
    with h5py.File("in.h5", "w") as f:
        f["line"], f["line_b"] = real(31), real(12)
        f["plane"], f["plane_b"] = real((12, 17)), real((5, 4))
        f["volume"], f["volume_b"], f["volume_2"] = real((9, 8, 10)), real((4, 3, 2)), real((9, 8, 10))
        f["even"] = real((8, 6, 12))
        f["complex"], f["complex_b"] = both((6, 7, 8)), both((3, 7, 2))
        f["long_b"] = real((2, 11, 3))  # longer than the volume along one axis
        f["volume"].attrs["unit"] = "V"
        x = np.arange(16) / 16
        f["wave"] = 3 * np.cos(2 * np.pi * (2 * x[:, None, None] + 3 * x[None, :, None] - x[None, None, :])) + 5
        field = real((24, 20, 18))
        f["template"] = field[7:13, 15:19, 2:9]
        f["field"] = field
        for name in "uvw":
            f[name] = real((8, 9, 10))
        f["positions"] = rng.uniform(-3, 5, (3000, 3))  # beyond the box: periodic
        f["edges"] = np.array([[0, 0, 0], [1 - 1e-17, 0.5, -1e-20], [0.999999, 0.99, 1]])
        f["flat"] = rng.uniform(0, 1, (500, 2))
        f["weights"] = rng.uniform(0.5, 2, 3000)
        f["light"], f["heavy"] = f["weights"][...] * 2.0**-700, f["weights"][...] * 2.0**700  # squares beyond a double
        f["noise"] = real((48, 40, 44)) * 2
        f["nan"], f["inf"] = np.array([1.0, np.nan, 2.0]), np.full((3, 4), np.inf)
        f["ints"] = np.arange(24, dtype=">i2").reshape(2, 3, 4)
        f["point"] = np.ones((1, 1, 1))
        f["sheet"], f["bar"], f["pole"] = real((1, 9, 8)), real((12, 1, 1)), real((1, 1, 10))  # axes without modes
        f["zero"] = np.zeros((4, 4))
        f["huge"] = np.full((4, 6), 1e200)
        f["tiny"], f["vast"] = f["volume"][...] * 2.0**-600, f["volume"][...] * 2.0**600
        f["given"] = given()
        f["points"] = rng.uniform(0, 10, (20000, 3))


def read(name, path):
    return h5py.File("../in.h5" if name == "in.h5" else name)[path][...]


def option(arguments, name, otherwise):
    return arguments[arguments.index("--" + name) + 1] if "--" + name in arguments else otherwise


def tolerance(arguments):
    return 2e-5 if option(arguments, "precision", "double") == "single" else 1e-12


def lengths(arguments, shape, otherwise):
    given = option(arguments, "length", "")
    if not given:
        return otherwise
    values = [float(x) for x in given.split(",")]
    return values * len(shape) if len(values) == 1 else values


def same(got, want, arguments):
    single = option(arguments, "precision", "double") == "single"
    kinds = (np.complex64, np.float32) if single else (np.complex128, np.float64)
    assert got.dtype == kinds[0 if np.iscomplexobj(want) else 1], got.dtype
    assert got.shape == want.shape, (got.shape, want.shape)
    error = np.abs(got - want).max() / max(np.abs(want).max(), 1e-300)
    assert error < tolerance(arguments), error


def grids(shape, box):
    return np.meshgrid(*[np.fft.fftfreq(n, l / n) for n, l in zip(shape, box)], indexing="ij")


def values(tree, above=""):
    """Names, with dots between the levels, and values of a report, without the runs."""
    for key, value in tree.items():
        if isinstance(value, dict):
            yield from values(value, above + key + ".")
        elif key not in ("runs", "reps", "schema", "load_average"):
            yield above + key, value


def columns():
    """The CSV has the fields of the JSON."""
    with open("out.csv") as f:
        (row,) = csv.DictReader(f)
    report = json.load(open("out.json"))
    for name, value in [*values(report), *values(report["runs"][0])]:
        if name in row and isinstance(value, list):  # numbers with an x between them
            assert np.allclose([float(x) for x in row[name].split("x")], value, 1e-14, 0), (name, row[name], value)
        elif isinstance(value, (int, float)):
            assert float(row[name]) == value, (name, row[name], value)
        else:
            assert row[name] == value, (name, row.get(name), value)


def filtered(path, *arguments):
    columns()
    f = read("in.h5", path)
    box = lengths(arguments, f.shape, f.shape)
    waves = grids(f.shape, box)
    size = np.sqrt(sum(w * w for w in waves))
    if "--gaussian" in arguments:
        sigma = float(option(arguments, "gaussian", ""))
        factor = np.exp(-2 * np.pi**2 * sigma**2 * size**2)
    elif "--lowpass" in arguments:
        factor = size <= float(option(arguments, "lowpass", "")) * (1 + 1e-9)
    elif "--highpass" in arguments:
        factor = size > float(option(arguments, "highpass", "")) * (1 + 1e-9)
    elif "--bandpass" in arguments:
        a, b = (float(x) for x in option(arguments, "bandpass", "").split(":"))
        factor = (size >= a * (1 - 1e-9)) & (size <= b * (1 + 1e-9))
    else:
        factor = np.ones(f.shape, complex)
        for axis, order in enumerate(option(arguments, "derivative", "").split(",")):
            one = (2j * np.pi * waves[axis]) ** int(order)
            if int(order) % 2 and f.shape[axis] % 2 == 0:
                one[tuple(f.shape[axis] // 2 if a == axis else slice(None) for a in range(f.ndim))] = 0
            factor = factor * one
    want = np.fft.ifftn(np.fft.fftn(f) * factor)
    if not np.iscomplexobj(f):
        assert np.abs(want.imag).max() <= 1e-12 * max(np.abs(want).max(), 1e-300)
        want = want.real
    same(read("out.h5", path), want, arguments)
    assert h5py.File("out.h5")[path].attrs["filter"] in (b"gaussian", b"lowpass", b"highpass", b"bandpass",
                                                         b"derivative", *"gaussian lowpass highpass bandpass derivative".split())


def full(a, b):
    out = np.zeros([n + m - 1 for n, m in zip(a.shape, b.shape)], np.result_type(a, b))
    for index in np.ndindex(*b.shape):
        out[tuple(slice(i, i + n) for i, n in zip(index, a.shape))] += a * b[index]
    return out


def convolved(path, other, *arguments):
    columns()
    a, b = read("in.h5", path), read("in.h5", other)
    mode, correlate = option(arguments, "mode", "circular"), "--correlate" in arguments
    mirrored = np.conj(b[tuple(slice(None, None, -1) for _ in b.shape)]) if correlate else b
    if "--deconvolve" in arguments:
        k = np.zeros(a.shape, b.dtype)
        k[tuple(slice(0, m) for m in b.shape)] = b
        if option(arguments, "origin", "corner") == "centre":
            k = np.roll(k, [-(m // 2) for m in b.shape], tuple(range(a.ndim)))
        modes = np.fft.fftn(k)
        want = np.fft.ifftn(np.fft.fftn(a) * modes.conj() / (abs(modes)**2 + float(
            option(arguments, "regularize", "0")) * (abs(modes)**2).max()))
        want = want if a.dtype.kind == "c" or b.dtype.kind == "c" else want.real
        origin = None
    elif mode == "circular":
        want = np.zeros(a.shape, np.result_type(a, b))
        for index in np.ndindex(*b.shape):
            shift = [-i for i in index] if correlate else index
            want += np.roll(a, shift, tuple(range(a.ndim))) * (np.conj(b[index]) if correlate else b[index])
        origin = [0] * a.ndim
        if option(arguments, "origin", "corner") == "centre":
            origin = [-(m // 2) if correlate else m // 2 for m in b.shape]
            want = np.roll(want, [-o for o in origin], tuple(range(a.ndim)))
            if a.dtype.kind != "c" and b.dtype.kind != "c":
                from scipy import ndimage
                by_scipy = (ndimage.correlate if correlate else ndimage.convolve)(a.astype("f8"), b.astype("f8"), mode="wrap")
                assert np.abs(by_scipy - want).max() < 1e-10
    else:
        want = full(a, mirrored)
        start = [0 if mode == "full" else (m - 1) // 2 for m in b.shape]
        size = want.shape if mode == "full" else a.shape
        want = want[tuple(slice(s, s + n) for s, n in zip(start, size))]
        origin = [s - (m - 1 if correlate else 0) for s, m in zip(start, b.shape)]
        try:
            from scipy.signal import convolve, correlate as correlation
            by_scipy = (correlation if correlate else convolve)(a, b, mode, method="direct")
            # scipy swaps arguments of "same" in some versions where the second is larger along an axis
            if all(n >= m for n, m in zip(a.shape, b.shape)):
                assert np.abs(by_scipy - want).max() < 1e-10
        except ImportError:
            pass
    same(read("out.h5", path), want, arguments)
    peak = json.load(open("out.json"))["runs"][0]["peak"]
    index = np.unravel_index(np.argmax(np.abs(want)), want.shape)
    assert tuple(peak["index"]) == index, (peak, index)
    assert origin is None or tuple(peak["shift"]) == tuple(i + o for i, o in zip(index, origin)), peak
    if path == "field" and other == "template":  # it was cut out there
        assert peak["shift"] == [7, 15, 2], peak
    value = peak["value"][0] + 1j * peak["value"][1] if len(peak["value"]) > 1 else peak["value"][0]
    assert abs(value - want[index]) <= tolerance(arguments) * abs(want[index]), peak


def shells(fields, box, log=False, power_of_window=0):
    """k_mean, power, modes, from all modes of whole spectra, one after the other."""
    shape = fields[0].shape
    counts = np.meshgrid(*[np.fft.fftfreq(n, 1 / n) for n in shape], indexing="ij")
    k = 2 * np.pi * np.sqrt(sum((c / l) ** 2 for c, l in zip(counts, box)))
    unit = 2 * np.pi / max(box)
    window = np.ones(shape)
    for c, n in zip(counts, shape):
        window = window * np.sinc(c / n) ** power_of_window
    volume = float(np.prod(box))
    power = sum(volume * np.abs(np.fft.fftn(f) / f.size) ** 2 for f in fields) / window**2
    which = np.zeros(shape, int)
    away = k > 0
    which[away] = (1 + np.floor(10 * np.log10(k[away] / unit) + 1e-9) if log else np.floor(k[away] / unit + 0.5)).astype(int)
    result = []
    for shell in range(1, which.max() + 1):
        inside = which == shell
        if inside.any():
            result.append((k[inside].mean(), power[inside].mean(), inside.sum()))
    return np.array(result)


def table():
    with open("out.csv") as f:
        rows = list(csv.reader(f))
    return rows[0], np.array([[float(x) for x in r] for r in rows[1:]])


def agree(got, want, arguments):
    assert got.shape[0] == want.shape[0], (got.shape, want.shape)
    assert (got[:, 2] == want[:, 2]).all()
    for column in range(2):
        error = np.abs(got[:, column] - want[:, column]).max() / max(np.abs(want[:, column]).max(), 1e-300)
        assert error < 10 * tolerance(arguments), error


def spectrum(paths, *arguments):
    fields = [read("in.h5", p) for p in paths.split(",")]
    box = lengths(arguments, fields[0].shape, [1] * fields[0].ndim)
    power = ["none", "ngp", "cic", "tsc"].index(option(arguments, "window", "none"))
    want = shells(fields, box, option(arguments, "bins", "") == "log", power)
    names, got = table()
    assert names == ["k_mean", "power", "modes"] + ["energy"] * (len(fields) > 1), names
    agree(got, want, arguments)
    run = json.load(open("out.json"))["runs"][0]
    whole = 2 * np.pi * min(n // 2 / l for n, l in zip(fields[0].shape, box) if n > 1)
    assert abs(run["k_complete"] / whole - 1) < 1e-14, run
    variance = sum(np.mean(np.abs(f - f.mean()) ** 2) for f in fields)
    assert abs(run["variance"] - variance) <= 10 * tolerance(arguments) * variance and run["check"]["pass"] is True, run
    if not power:
        assert abs((got[:, 1] * got[:, 2]).sum() / np.prod(box) - variance) <= 10 * tolerance(arguments) * variance
    if len(fields) > 1:
        assert abs(got[:, 3].sum() - variance / 2) <= 10 * tolerance(arguments) * variance


def scaled(path, *arguments):
    """Fields with squares beyond a double, in boxes of which the volume makes up for that."""
    factor, length = {"tiny": 2.0**-600, "vast": 2.0**600}[path], float(option(arguments, "length", ""))
    want = shells([read("in.h5", "volume")], [1, 1, 1])
    want[:, 0] /= length
    want[:, 1] *= factor * length**3 * factor
    agree(table()[1], want, arguments)
    assert json.load(open("out.json"))["runs"][0]["variance"] is None  # no double


def deposited(paths, *arguments):
    """Each particle, one after the other, to the 2^d cells around it."""
    names = paths.split(",")
    positions = read("in.h5", names[0])
    weights = read("in.h5", names[1]) if len(names) > 1 else np.ones(len(positions))
    shape = [int(x) for x in option(arguments, "grid", "").split("x")]
    shape = shape * 3 if len(shape) == 1 else shape
    box = lengths(arguments, shape, [1] * len(shape))
    density = np.zeros(shape)
    x = positions / np.array(box) * np.array(shape)
    for corner in np.ndindex(*[2] * len(shape)):
        share = weights.copy()
        cell = []
        for axis, side in enumerate(corner):
            whole = np.floor(x[:, axis])
            part = x[:, axis] - whole
            share = share * (part if side else 1 - part)
            cell.append((whole.astype(int) + side) % shape[axis])
        np.add.at(density, tuple(cell), share)
    field = density / density.mean() - 1
    power = ["none", "ngp", "cic", "tsc"].index(option(arguments, "window", "cic"))
    agree(table()[1], shells([field], box, False, power), arguments)
    run = json.load(open("out.json"))["runs"][0]
    fraction = weights / weights.sum()
    noise = np.prod(box) * (fraction**2).sum()
    assert abs(run["shot_noise"] / noise - 1) < 1e-12 and run["particles"] == len(positions), run


def flat():
    """Power of white noise is flat at its variance over N: in each shell within the error that
    its number of modes allows; half of them are independent.  Five sigma; the seed is fixed."""
    got, level = table()[1], 27 * 4 / (48 * 40 * 44)
    sigma = np.sqrt(2 / got[:, 2]) * level
    assert (np.abs(got[:, 1] - level) < 5 * sigma).all(), (got[:, 1] / level).round(3)
    pull = (got[:, 1] - level) / sigma
    assert len(pull) > 10 and 0.3 < np.mean(pull**2) < 2.5, np.mean(pull**2)


def wave():
    """One wave of amplitude 3 on a cube: two modes with (3/2)^2 each, in the shell of |(2,3,-1)|; nothing else."""
    got = table()[1]
    total = got[:, 1] * got[:, 2]
    shell = np.argmax(total)
    assert abs(total[shell] - 2 * 2.25) < 1e-12 and round(14**0.5) == round(got[shell, 0] / (2 * np.pi)), total
    assert np.delete(total, shell).max() < 1e-24
    assert abs(json.load(open("out.json"))["runs"][0]["mean"] - 5) < 1e-13


def given():
    """A Gaussian field with P(k) = 1/(1 + k^2), V = 8 10 12; given_is() looks at its spectrum."""
    rng = np.random.default_rng(3)
    shape, box = (40, 48, 36), (8.0, 10.0, 12.0)
    waves = grids(shape, box)
    k2 = 4 * np.pi**2 * sum(w * w for w in waves)
    noise = np.fft.fftn(rng.standard_normal(shape)) / np.sqrt(np.prod(shape))  # modes of variance 1
    modes = noise * np.sqrt(1 / (1 + k2) / np.prod(box))
    return np.fft.ifftn(modes).real * np.prod(shape)


def given_is():
    got = table()[1]
    want = 1 / (1 + got[:, 0] ** 2)
    inner = got[:, 0] > 2  # in wider shells, relative to k, the mean of P is not P of the mean
    ratio = got[inner, 1] / want[inner]
    assert inner.sum() > 15 and (np.abs(ratio - 1) < 5 * np.sqrt(2 / got[inner, 2]) + 0.02).all(), ratio


def noise_is():
    """Random particles: V/N at wavenumbers that the grid, 36^3, resolves; beyond, images of the window add to it."""
    got, level = table()[1], 1000.0 / 20000
    low = got[:, 0] < np.pi * 36 / 10 / 3
    assert low.sum() > 4 and (np.abs(got[low, 1] / level - 1) < 5 * np.sqrt(2 / got[low, 2]) + 0.02).all(), got[low, 1] / level


def cases(name):
    case_list.run(globals(), name)


if __name__ == "__main__":
    globals()[sys.argv[1]](*sys.argv[2:])
