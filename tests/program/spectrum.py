#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""What spectrum must give for particles, several fields and lines of sight, by numpy: particles one offset after
the other with the kernels as published, mode by mode sums over whole shells.  spectrum.sh calls it:
spectrum.py make writes in.h5 and the files of numpy; spectrum.py cases LIST tries what LIST says, a case to a line:
FOLDER FUNCTION PATHS ARGUMENTS... of the command, with out.csv, out.json and out.h5 in FOLDER."""
import csv
import json
import sys

import case_list
import h5py
import numpy as np

ORDER = {"none": 0, "ngp": 1, "cic": 2, "tsc": 3, "pcs": 4}


def make():
    rng = np.random.default_rng(5)
    centres = rng.uniform(0, 1, (40, 3))
    with h5py.File("in.h5", "w") as f:
        x = (centres[rng.integers(0, 40, 2500)] + 0.06 * rng.standard_normal((2500, 3))) * [2, 3, 4]  # some outside
        f["x"], f["w"] = x, rng.uniform(0.2, 3, 2500)
        f["y"], f["v"] = rng.uniform(0, 1, (1201, 3)) * [2, 3, 4], rng.uniform(-0.3, 1, 1201)
        for column in range(3):
            f["xyz"[column] + "0"] = x[:, column]
        f["flat"] = rng.uniform(0, 1, (700, 2))
        f["ints"] = rng.integers(0, 12, (300, 3)).astype(">i2")
        f["single"] = rng.uniform(0, 1, (900, 3)).astype("f4")
        f["edges"] = np.array([[0, 0, 0], [1 - 1e-17, 0.5, -1e-20], [0.999999, 0.99, 1], [0.5, 0.5, 0.5], [0.0625, 0.1875, 1]])
        f["one"] = np.array([[0.3, 0.7, 0.2]])
        a = rng.standard_normal((12, 10, 9))
        f["a"], f["b"] = a, 0.7 * a + rng.standard_normal(a.shape)
        f["c"] = rng.standard_normal(a.shape) + 0.1j
        f["d"] = rng.standard_normal((8, 8, 8))
        f["null"], f["minus"], f["nan"] = np.zeros(2500), -f["w"][...], np.where(x > 3.9, np.nan, x)
        np.save("x.npy", x)
        f["random"] = rng.uniform(0, 10, (20000, 3))
        f["lognormal"] = field = lognormal_field(rng)
        f["drawn"], f["kaiser"] = drawn_from(field, rng), kaiser_field(rng)


def read(path):
    if path.endswith(".npy"):
        return np.load("../" + path)
    return h5py.File("../in.h5")[path][...]


def option(arguments, name, otherwise):
    return arguments[arguments.index("--" + name) + 1] if "--" + name in arguments else otherwise


def scheme(arguments):
    at = arguments.index("--deposit") + 1
    return arguments[at] if at < len(arguments) and arguments[at] in ORDER else "cic"


# ---- particles ----
def kernel(order, s):
    """Hockney and Eastwood, and Sefusatti et al. 2016, table 1: at distance s, in cells."""
    s = np.abs(s)
    if order == 1:
        return np.where(s < 0.5, 1.0, 0.0)
    if order == 2:
        return np.where(s < 1, 1 - s, 0)
    if order == 3:
        return np.where(s < 0.5, 0.75 - s**2, np.where(s < 1.5, 0.5 * (1.5 - s) ** 2, 0))
    return np.where(s < 1, (4 - 6 * s**2 + 3 * s**3) / 6, np.where(s < 2, (2 - s) ** 3 / 6, 0))


def density(x, w, shape, order, shift):
    """x in cells.  Every cell within reach of each particle."""
    result = np.zeros(shape)
    near = np.floor(x - shift + 0.5).astype(int)
    for offset in np.ndindex(*[5] * len(shape)):
        cell = near + np.array(offset) - 2
        share = w * np.prod(kernel(order, x - shift - cell), axis=1)
        np.add.at(result, tuple((cell % shape).T), share)
    return result


def images(order, theta, odd):
    """The sum over images of sinc^(2p), with a sign if odd: by summation, with more of them than matter."""
    m = np.arange(-3000, 3001)
    angle = theta[:, None] + np.pi * m
    value = np.where(np.abs(angle) < 1e-12, 1, np.sin(angle) / np.where(np.abs(angle) < 1e-12, 1, angle)) ** (2 * order)
    return (value * (np.where(m % 2, -1, 1) if odd else 1)).sum(1)


def jing(order, theta):
    """Jing 2005, eq. 20, and the same for PCS."""
    s = np.sin(theta) ** 2
    return [None, 1 + 0 * s, 1 - 2 / 3 * s, 1 - s + 2 / 15 * s**2, 1 - 4 / 3 * s + 2 / 5 * s**2 - 4 / 315 * s**3][order]


class Case:
    """The spectra of a case, and what is known of each mode of half of them."""

    def __init__(self, paths, arguments):
        self.arguments, self.particles = arguments, "--deposit" in arguments
        self.real = True
        parts = paths.split(",")
        other = option(arguments, "with", "")
        others = other.split(":/")[-1].split(",/") if other else []
        if self.particles:
            self.shape = [int(n) for n in option(arguments, "grid", "").split("x")]
            self.shape = tuple(self.shape * 3 if len(self.shape) == 1 else self.shape)
        else:
            self.shape = read(parts[0]).shape
        given = [float(v) for v in option(arguments, "length", "1").split(",")]
        self.length = np.array(given * len(self.shape) if len(given) == 1 else given)
        self.volume, self.fold = float(np.prod(self.length)), int(option(arguments, "fold", "1"))
        self.order = ORDER[scheme(arguments)] if self.particles else 0
        self.window = ORDER[option(arguments, "window", scheme(arguments) if self.particles else "none")]
        self.interlaced = "--interlace" in arguments
        self.fields, self.variance = [], None
        for group in (parts, others):
            self.add(group)
        self.tables()

    def add(self, names):
        while names:
            data, names = read(names[0]), names[1:]
            if not self.particles or data.shape == self.shape:
                self.real = self.real and not np.iscomplexobj(data)
                self.fields.append((data, None, self.particles))
                continue
            if data.ndim == 1:
                data, names = np.stack([data, *[read(n) for n in names[: len(self.shape) - 1]]], 1), names[len(self.shape) - 1 :]
            weight = np.ones(len(data))
            if names and read(names[0]).shape == (len(data),):
                weight, names = read(names[0]), names[1:]
            where = data / self.length
            if option(self.arguments, "outside", "wrap") == "drop":
                inside = ((where >= 0) & (where <= 1)).all(1)
                where, weight = where[inside], weight[inside]
            where = (where * self.fold) % 1 * self.shape
            grids = [density(where, weight, self.shape, self.order, s) for s in ((0, 0.5) if self.interlaced else (0,))]
            noise = self.volume * (weight**2).sum() / weight.sum() ** 2
            self.fields.append(([g / g.mean() - 1 for g in grids], noise, False))

    def tables(self):
        n = np.array(self.shape)
        whole = [np.fft.fftfreq(m, 1 / m) for m in n]
        whole = [np.where(2 * np.abs(w) == m, np.abs(w), w) for w, m in zip(whole, n)]  # half as many waves as points: positive
        if self.real:
            whole[-1] = np.abs(whole[-1][: n[-1] // 2 + 1])
        counts = np.meshgrid(*whole, indexing="ij")
        transform = np.fft.rfftn if self.real else np.fft.fftn
        length = self.length / self.fold
        self.k = [2 * np.pi * c / l for c, l in zip(counts, length)]
        self.unit = 2 * np.pi / max(length)
        self.weight = np.full(counts[0].shape, 1.0)
        if self.real:
            self.weight = np.where((counts[-1] > 0) & (2 * counts[-1] != n[-1]), 2.0, 1.0)
        damp = np.prod([np.sinc(c / m) for c, m in zip(counts, n)], axis=0) ** self.window
        theta = [np.pi * w / m for w, m in zip(whole, n)]
        sums = [np.ones(counts[0].shape), np.zeros(counts[0].shape)]
        if self.order:
            sums = [self.outer([images(self.order, t, odd) for t in theta]) for odd in (0, 1)]
            exact = self.outer([jing(self.order, t) for t in theta])
            assert np.abs(sums[0] - exact).max() < (1e-3 if self.order == 1 else 1e-9)
            sums[0] = exact
        image = (sums[0] + sums[1]) / 2 if self.interlaced else sums[0]
        if option(self.arguments, "images", "keep") == "flat":
            damp = np.sqrt(image)
        self.noise_shape = image / damp**2
        self.modes, self.noise = [], []
        for data, noise, plain in self.fields:
            if noise is None:
                modes = transform(data)
            else:
                modes = transform(data[0])
                if self.interlaced:
                    modes = (modes + transform(data[1]) * np.exp(-1j * sum(np.pi * c / m for c, m in zip(counts, n)))) / 2
            self.modes.append(modes / np.prod(n) / (1 if plain else damp))
            subtract = option(self.arguments, "shot-noise", "keep") == "subtract"
            self.noise.append(noise if subtract and noise is not None else 0)
        self.kk = np.sqrt(sum(k**2 for k in self.k))

    @staticmethod
    def outer(factors):
        result = np.ones(())
        for f in factors:
            result = result[..., None] * f
        return result

    def power(self, i, j):
        """Total, and without noise, of each mode."""
        total = self.volume * (self.modes[i] * self.modes[j].conj()).real
        return total, total - (self.noise[i] * self.noise_shape if i == j else 0)


def legendre(l, mu):
    return np.polynomial.legendre.legval(mu, [0] * l + [1])


def split(text):
    """The tables of a CSV file: names of columns, and numbers."""
    found = [[]]
    for row in csv.reader(text):
        if row:
            found[-1].append(row)
        else:
            found.append([])
    return [(rows[0], np.array([[float(v) for v in r] for r in rows[1:]])) for rows in found]


def near(got, want, what, limit=1e-10):
    size = np.nanmax(np.abs(want))
    assert got.shape == want.shape, (what, got.shape, want.shape)
    assert (np.isnan(got) == np.isnan(want)).all(), what
    error = np.nanmax(np.abs(got - want)) / (size if size > 0 else 1)
    assert error < limit, (what, error)


def shell(k, unit, log):
    """The number of a shell."""
    with np.errstate(divide="ignore"):
        number = 1 + np.floor(10 * np.log10(k / unit) + 1e-9) if log else np.floor(k / unit + 0.5)
    return np.where(k > 0, number, 0).astype(int)


def bins(case, kind):
    """The number of each mode's bin, and its two coordinates."""
    log, los = option(case.arguments, "bins", "linear") == "log", int(option(case.arguments, "los", "-1"))
    along = np.abs(case.k[los]) if los >= 0 else None
    if kind == "wedges":
        count = int(option(case.arguments, "wedges", ""))
        mu = np.where(case.kk > 0, along / np.where(case.kk > 0, case.kk, 1), 0)
        return shell(case.kk, case.unit, log) * count + np.minimum((mu * count + 1e-9).astype(int), count - 1), (case.kk, mu)
    if kind == "cylinder":
        across = np.sqrt(sum(k**2 for a, k in enumerate(case.k) if a != los))
        return shell(across, case.unit, log) * 100000 + shell(along, case.unit, log), (across, along)
    return shell(case.kk, case.unit, log), (case.kk,)


def columns(case, kind):
    """All columns of a table by name: a loop over its bins."""
    los = int(option(case.arguments, "los", "-1"))
    poles = (0, 2, 4) if kind == "power" and los >= 0 else (0,)
    mu = np.where(case.kk > 0, np.abs(case.k[los]) / np.where(case.kk > 0, case.kk, 1), 0) if los >= 0 else 0 * case.kk
    number, coordinates = bins(case, kind)
    names = {"power": ["k_mean"], "wedges": ["k_mean", "mu_mean"], "cylinder": ["k_across", "k_along"]}[kind]
    nodes, factors = np.polynomial.legendre.leggauss(12)
    result = {}
    for b in np.unique(number[case.kk > 0]):
        inside = (number == b) & (case.kk > 0)
        weight = case.weight[inside]
        row = {n: np.average(c[inside], weights=weight) for n, c in zip(names, coordinates)}
        row["modes"] = weight.sum()
        independent = row["modes"] / (2 if case.real else 1)
        total = {}
        for i in range(len(case.fields)):
            for j in range(i, len(case.fields)):
                both = case.power(i, j)
                end = f"_{i + 1}{j + 1}" if i != j else f"_{i + 1}" if i else ""
                for l in poles:
                    factor = (2 * l + 1) * legendre(l, mu[inside])
                    total[i, j, l] = np.average(both[0][inside] * factor, weights=weight)
                    row[("cross" if i != j else "power") + end + (f"_l{l}" if l else "")] = np.average(
                        both[1][inside] * factor, weights=weight)
        for i in range(len(case.fields)):
            for j in range(i, len(case.fields)):
                at = {p: sum(total[*p, l] * legendre(l, nodes) for l in poles) for p in {(i, j), (i, i), (j, j)}}
                for l in poles:
                    end = f"_{i + 1}{j + 1}" if i != j else f"_{i + 1}" if i else ""
                    square = (at[i, j] ** 2 + at[i, i] * at[j, j]) / 2 * ((2 * l + 1) * legendre(l, nodes)) ** 2
                    row["error" + end + (f"_l{l}" if l else "")] = np.sqrt((square * factors).sum() / 2 / independent)
                if i != j:
                    one, other = (row["power" + (f"_{f + 1}" if f else "")] for f in (i, j))
                    row["coherence" + end] = row["cross" + end] / np.sqrt(one * other) if one * other > 0 else np.nan
        for name, value in row.items():
            result.setdefault(name, []).append(value)
    return result


def correlation(case):
    """The average over pairs of points: of the product of fields if these are given, else by a transform back."""
    n, length = np.array(case.shape), case.length / case.fold
    los = int(option(case.arguments, "los", "-1"))
    steps = [np.fft.fftfreq(m, 1 / m) * l / m for m, l in zip(n, length)]
    x = np.meshgrid(*steps, indexing="ij")
    r = np.sqrt(sum(c**2 for c in x))
    width, shortest = max(length / n), min(length)
    mu = np.where(r > 0, np.abs(x[los]) / np.where(r > 0, r, 1), 0)
    number = np.floor(r / width + 0.5).astype(int)
    result, last = {}, int(shortest / 2 / width + 1e-9)
    values = {}
    for i in range(len(case.fields)):
        for j in range(i, len(case.fields)):
            power = case.power(i, j)[1] / case.volume * np.prod(n)
            power[case.kk == 0] = 0
            back = np.fft.irfftn(power, case.shape, axes=range(len(case.shape))) if case.real else np.fft.ifftn(power).real
            values[i, j] = back
    for b in range(last + 1):
        inside = number == b
        result.setdefault("r_mean", []).append(r[inside].mean())
        result.setdefault("points", []).append(inside.sum())
        for (i, j), value in values.items():
            end = f"_{i + 1}{j + 1}" if i != j else f"_{i + 1}" if i else ""
            for l in (0, 2, 4) if los >= 0 else (0,):
                factor = (2 * l + 1) * legendre(l, mu[inside])
                factor = np.where((r[inside] > 0) | (l == 0), factor, 0)  # no direction
                result.setdefault("xi" + end + (f"_l{l}" if l else ""), []).append((value[inside] * factor).mean())
    if not case.particles and len(case.fields) == 1 and case.real:  # by the definition: a sum over all pairs of points
        f = case.fields[0][0] - case.fields[0][0].mean()
        direct = np.array([(f * np.roll(f, index, range(f.ndim))).mean() for index in np.ndindex(*f.shape)]).reshape(f.shape)
        assert np.abs(direct - values[0, 0]).max() < 1e-12
    return result


def measured(paths, *arguments):
    case = Case(paths, arguments)
    kinds = ["power"] + [k for k in ("wedges", "cylinder") if "--" + k in arguments]
    wanted = [(kind, columns(case, kind)) for kind in kinds]
    if "--correlation" in arguments:
        wanted.append(("correlation", correlation(case)))
    with open("out.csv") as f:
        found = split(f)
    assert len(found) == len(wanted), len(found)
    report = json.load(open("out.json"))
    single = option(arguments, "precision", "double") == "single"
    for (names, numbers), (kind, want) in zip(found, wanted):
        assert sorted(names) == sorted(want), (kind, names, sorted(want))
        limit = 1e-5 if single else 1e-6 if case.order == 1 and case.interlaced else 1e-10
        for column, name in enumerate(names):
            near(numbers[:, column], np.array(want[name]), f"{kind} {name}", limit)
        table = report["table"] if kind == "power" else report["tables"][kind]
        assert table["columns"] == names
        if "-o" in arguments:
            with h5py.File("out.h5") as f:
                assert (f["length"][...] == case.length).all()
                for column, name in enumerate(names):
                    assert f[kind][name].dtype == np.float64 and np.array_equal(f[kind][name][...], numbers[:, column], True), name
    run = report["runs"][0]
    assert run["check"]["pass"] is True
    if case.particles and case.fields[0][1] is not None:
        assert abs(run["shot_noise"] / case.fields[0][1] - 1) < 1e-12, run
        assert run["shot_noise_subtracted"] == (option(arguments, "shot-noise", "keep") == "subtract")


# ---- what is known without a grid: particles and fields that are made with a given power ----
SIDE, POINTS, BETA = 100.0, 48, 0.6


def modes():
    """|k|, mu of the last axis, and the weight, of half the modes of a cube."""
    whole = np.fft.fftfreq(POINTS, SIDE / POINTS) * 2 * np.pi
    k = np.meshgrid(whole, whole, whole[: POINTS // 2 + 1], indexing="ij")
    kk = np.sqrt(sum(c**2 for c in k))
    weight = np.full(kk.shape, 2.0)
    weight[..., 0] = weight[..., -1] = 1
    return k, kk, np.abs(k[2]) / np.where(kk > 0, kk, 1), weight


def given(kk, height=800):
    """A power with a slope of -2 beyond k = 0.3; the mean has none."""
    return np.where(kk > 0, height / (1 + (kk / 0.3) ** 2), 0)


def gaussian(power, rng):
    """A field with this power in half of the modes."""
    noise = np.fft.rfftn(rng.standard_normal((POINTS,) * 3))
    return np.fft.irfftn(noise * np.sqrt(power * POINTS**3 / SIDE**3), (POINTS,) * 3)


def lognormal_power():
    """Of exp(g - <g^2>/2) - 1, whose correlation function is exp(xi) - 1 (Coles and Jones 1991)."""
    xi = np.fft.irfftn(given(modes()[1], 40) * POINTS**3 / SIDE**3, (POINTS,) * 3)
    return np.fft.rfftn(np.exp(xi) - 1).real * SIDE**3 / POINTS**3


def lognormal_field(rng):
    g = gaussian(given(modes()[1], 40), rng)
    xi = given(modes()[1], 40) * modes()[3]
    return np.exp(g - xi.sum() / SIDE**3 / 2) - 1


def drawn_from(field, rng):
    """Particles, Poisson's numbers of them in each cell, anywhere in it."""
    count = rng.poisson(60000 * (1 + field) / field.size)
    cell = np.repeat(np.argwhere(count >= 0), count.ravel(), axis=0)
    return (cell + rng.uniform(-0.5, 0.5, cell.shape)) * SIDE / POINTS


def kaiser_field(rng):
    """Linear redshift-space distortions along the last axis (Kaiser 1987)."""
    k, kk, mu, _ = modes()
    return gaussian(given(kk) * (1 + BETA * mu**2) ** 2, rng)


def expected(power, kind, l=0):
    """The mean of a power, times (2l + 1) L_l, over each bin of all modes; and of |k|."""
    k, kk, mu, weight = modes()
    if kind == "wedges":
        number = shell(kk, 2 * np.pi / SIDE, False) * 4 + np.minimum((mu * 4 + 1e-9).astype(int), 3)
    else:
        number = shell(kk, 2 * np.pi / SIDE, False)
    number[kk == 0] = 0
    sums = [np.bincount(number.ravel(), (weight * v).ravel()) for v in (power * (2 * l + 1) * legendre(l, mu), 1 + 0 * kk)]
    used = sums[1] > 0
    used[0] = False
    return sums[0][used] / sums[1][used]


def pulls(t, end, want, what, most=1.6):
    """Differences in units of the errors, in bins with modes enough to estimate these: none beyond 5, 1 on the average."""
    many = t["modes"] > 20
    pull = ((t["power" + end] - want) / t["error" + end])[many]
    square = np.mean(pull**2)
    assert len(pull) > 8 and np.abs(pull).max() < 5 and 0.4 < square < most, (what, square, np.abs(pull).max(), pull.round(2))


def found_tables():
    with open("out.csv") as f:
        return [dict(zip(names, numbers.T)) for names, numbers in split(f)]


def poisson(*arguments):
    """Random particles: nothing is left of their shot noise, up to the corners of the cube of modes."""
    (t,) = found_tables()
    pulls(t, "", 0, "random")
    noise = 1000.0 / 20000
    assert np.mean(t["error"] / np.sqrt(2 / t["modes"])) > 0.9 * noise  # of the power with the noise


def lognormal(*arguments):
    (t,) = found_tables()
    pulls(t, "", expected(lognormal_power(), "power"), "lognormal", 3)


def drawn(*arguments):
    """The same field, sampled: clouds of a cell have its window, and images of the grid on which it was made matter
    beyond half of its largest wavenumber."""
    (t,) = found_tables()
    k = modes()[0]
    cell = np.prod([np.sinc(c * SIDE / POINTS / 2 / np.pi) for c in k], axis=0) ** 2
    low = t["k_mean"] < 0.5 * np.pi * POINTS / SIDE
    want = expected(lognormal_power() * cell, "power")
    pulls({name: t[name][low] for name in t}, "", want[: low.sum()], "drawn", 3)


def kaiser(*arguments):
    """Multipoles, and the power in wedges."""
    t, wedges = found_tables()
    k, kk, mu, weight = modes()
    power = given(kk) * (1 + BETA * mu**2) ** 2
    factors = {0: 1 + 2 * BETA / 3 + BETA**2 / 5, 2: 4 * BETA / 3 + 4 * BETA**2 / 7, 4: 8 * BETA**2 / 35}
    inner = t["k_mean"] < np.pi * POINTS / SIDE  # complete shells
    for l, factor in factors.items():
        end = f"_l{l}" if l else ""
        pulls(t, end, expected(power, "power", l), f"multipole {l}")
        mean = np.average(t["power" + end][inner] / given(t["k_mean"][inner]), weights=t["modes"][inner])
        assert abs(mean / factor - 1) < (0.02, 0, 0.06, 0, 0.5)[l], (l, mean, factor)
    pulls(wedges, "", expected(power, "wedges"), "wedges")


def cases(name):
    case_list.run(globals(), name)


if __name__ == "__main__":
    globals()[sys.argv[1]](*sys.argv[2:])
