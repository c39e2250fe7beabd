# SPDX-License-Identifier: BSD-3-Clause
"""Fields for tests/program/compress.sh, files that are not as compress writes them, and what numpy
keeps:  python3 compress.py make|check"""
import itertools
import json
import sys

import h5py
import numpy as np


def make():
    rng = np.random.default_rng(1)
    with h5py.File("in.h5", "w") as f:
        f["line"] = rng.standard_normal(31)
        f["plane"] = rng.standard_normal((12, 16))
        f["plane"].attrs["unit"] = "V"
        f["volume"] = rng.integers(0, 255, (7, 10, 9)).astype("u1")
        f["complex"] = rng.standard_normal((6, 5, 8)) + 1j * rng.standard_normal((6, 5, 8))
        f["ties"] = np.eye(1, 4 * 6 * 8).reshape(4, 6, 8)
        f["tiny"] = rng.standard_normal((3, 4))
        f["huge"] = 1e250 * rng.standard_normal((6, 6))
        f["zero"] = np.zeros((4, 4))
        f["flat"] = np.full((4, 4, 4), 3.0)
        f["nan"] = np.array([[1, np.nan], [np.inf, 2]])
    wrong()


# What a good file has, and what is wrong in each group of wrong.h5.
GOOD = {"schema": "pfft3d.compressed/1", "shape": "4x6", "numbers": "real", "precision": "double"}
WRONG = {
    "large": ([0, 24], {}), "negative": ([-1, 2], {}), "twice": ([1, 1], {}),
    "descending": ([2, 1], {}), "mirror": ([1, 5], {}), "fraction": (np.array([0.5, 1.5]), {}),
    "float": (np.array([0.0, 1.0]), {}), "schema": ([0, 1], {"schema": "pfft3d.compressed/2"}),
    "noschema": ([0, 1], {"schema": None}), "numbers": ([0, 1], {"numbers": "quaternions"}),
    "precision": ([0, 1], {"precision": "half"}), "shape": ([0, 1], {"shape": "4 by 6"}),
    "shape0": ([0, 1], {"shape": "0x6"}), "many": ([0, 1], {"shape": "2x2x2x2"}),
    "overflow": ([0, 1], {"shape": "4294967296x4294967296x4294967296"}),
    "overflow2": ([0, 1], {"shape": "99999999999999999999999"}),
    "text": ([0, 1], {"shape": "x" * 5000}), "nan": ([0, 1], {}), "count2": ([0, 1], {}),
    "path": ([0, 1], {"path": "//"}), "path2": ([0, 1], {"path": "/" + 600 * "x"}),
    "nocount": ([0, 1], {}), "plane2": ([0, 1], {}), "real": ([0, 1], {}),
}


def wrong():
    with h5py.File("wrong.h5", "w") as f:
        for name, (indices, attributes) in WRONG.items():
            g = f.create_group(name)
            values = np.array([1 + 0j, 2 + 1j])
            if name == "nan":
                values[1] = np.nan
            elif name == "count2":
                values = np.arange(5) + 0j
            elif name == "real":
                values = values.real
            g["indices"] = np.array([indices]) if name == "plane2" else np.array(indices)
            if name != "nocount":
                g["values"] = values
            for key, value in {**GOOD, **attributes}.items():
                if value is not None:
                    g["indices"].attrs[key] = value


def selection(field, share):
    """Indices of the kept components, those of mirror images too, and the spectrum."""
    spectrum = np.fft.fftn(field)
    n, flat = field.shape, spectrum.ravel()
    own = np.arange(flat.size)
    image = own
    if not np.iscomplexobj(field):
        k = np.unravel_index(own, n)
        image = np.ravel_multi_index([(-ki) % ni for ki, ni in zip(k, n)], n)
    first = np.minimum(own, image)
    size = np.abs(flat[first])
    if np.allclose(size, size[0], rtol=1e-12):
        size[:] = 1  # ties are ties in spite of rounding here
    order = np.lexsort((own, first, -size))
    wanted = round(share * flat.size)
    kept = order[:wanted]
    if wanted and image[kept[-1]] not in kept:
        kept = kept[:-1]
    return np.sort(kept), np.sort(np.unique(first[kept])), spectrum


def check_case(name, path, share, single):
    field = h5py.File("in.h5")[path][...]
    if field.dtype.kind == "u":
        field = field.astype(float)
    with h5py.File(name + ".h5") as f:
        indices, values, head = f["indices"][...], f["values"][...], dict(f["indices"].attrs)
    back = h5py.File(name + "-field.h5")[path]
    run = json.load(open(name + ".json", encoding="utf-8"))["runs"][0]
    kept, stored, spectrum = selection(field, share)
    largest = np.abs(spectrum).max() or 1
    rounding = 2e-6 if single else 1e-13
    assert indices.dtype == "u4" and values.dtype == ("c8" if single else "c16"), values.dtype
    assert run["kept"] == len(kept) and run["stored"] == len(stored), (run["kept"], len(kept))
    assert run["components"] == field.size and run["check"]["pass"] is True
    if len(kept):
        assert np.array_equal(indices, stored), (indices, stored)
        assert np.abs(values / largest - spectrum.ravel()[stored] / largest).max() <= rounding
    else:
        assert indices.tolist() == [0] and values[0] == 0
    assert int(head["kept"]) == len(kept)
    masked = np.zeros(field.size, complex)
    masked[kept] = spectrum.ravel()[kept]
    want = np.fft.ifftn(masked.reshape(field.shape))
    size = np.abs(field).max() or 1
    assert back.shape == field.shape and (back.dtype.kind == "c") == np.iscomplexobj(field)
    assert np.abs(back[...] / size - want / size).max() <= 10 * rounding
    power = (np.abs(spectrum.ravel()) / largest) ** 2
    energy = power[kept].sum() / power.sum() if power.any() else 1
    assert abs(run["energy_kept"] - energy) <= 1e2 * rounding, (run["energy_kept"], energy)
    error = np.sqrt(np.mean(np.abs((back[...] - field) / size) ** 2)) * size
    assert abs(run["rms_error"] - error) <= 1e2 * rounding * size, (run["rms_error"], error)
    value_range = np.abs(field).max() if np.iscomplexobj(field) else field.max() - field.min()
    if error > 1e-6 * size:
        assert abs(run["psnr"] - 20 * np.log10(value_range / error)) <= (1e-2 if single else 1e-6)
    if path == "tiny":  # no choice of as many loses less
        best = max(power[list(c)].sum() for c in itertools.combinations(range(12), len(kept)))
        assert power[kept].sum() >= best * (1 - 1e-13)
    if path == "volume" and share == 1:
        assert np.abs(back[...] - field).max() <= 1e-12 * size


def main():
    if sys.argv[1] == "make":
        make()
        return 0
    failed = 0
    for line in open("cases.txt", encoding="utf-8"):
        name, path, share, *more = line.split()
        try:
            check_case(name, path, float(share) / 100, "single" in more)
        except Exception as wrong_case:  # noqa: all cases are looked at
            print(line.strip(), repr(wrong_case))
            failed += 1
    return failed > 0


sys.exit(main())
