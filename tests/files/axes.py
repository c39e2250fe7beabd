# SPDX-License-Identifier: BSD-3-Clause
"""Arrays of one to eight dimensions for transform --axes.

    axes.py make COUNT SEED   files in.K.*, and a line for each: RANKS ARGUMENTS...
    axes.py check K           what the program made of number K, against numpy and scipy
"""
import json
import sys

import h5py
import numpy as np
import scipy.fft

KINDS = ("dct1", "dct2", "dct3", "dct4", "dst1", "dst2", "dst3", "dst4")


def save(k, a, draw):
    """Writes a file of one of the formats; its options."""
    form = draw.choice(["h5", "gzip", "npy", "fortran", "raw"])
    if form in ("h5", "gzip"):
        with h5py.File(f"in.{k}.h5", "w") as f:
            more = {"chunks": tuple(max(1, n // 2) for n in a.shape), "compression": "gzip"} if form == "gzip" else {}
            f.create_dataset("u", data=a, **more)
        return ["-i", f"in.{k}.h5:/u"]
    if form == "raw":
        a.tofile(f"in.{k}.raw")
        return ["-i", f"in.{k}.raw", "--raw", a.dtype.str[1:] + ":" + "x".join(map(str, a.shape))]
    np.save(f"in.{k}.npy", np.asfortranarray(a) if form == "fortran" else a)
    return ["-i", f"in.{k}.npy"]


def make(count, seed):
    draw = np.random.default_rng(seed)
    for k in range(count):
        dims, shape = int(draw.integers(1, 9)), []
        for _ in range(dims):
            shape.append(int(draw.integers(1 if dims > 1 else 2, 12)))
            while np.prod(shape) > 20000:
                shape[-1] = (shape[-1] + 1) // 2
        is_complex, single = bool(draw.integers(2)), bool(draw.integers(2))
        a = draw.random(shape) - 0.5
        a = a + 1j * draw.random(shape) if is_complex else a
        a = a.astype({(0, 0): "f8", (0, 1): "f4", (1, 0): "c16", (1, 1): "c8"}[is_complex, single])
        axes = [int(x) for x in draw.permutation(dims)[:draw.integers(1, dims + 1)]]
        job = {"axes": axes, "kinds": ["dft"] * len(axes), "half": not is_complex and bool(draw.integers(2)),
               "single": single, "ending": "npy" if draw.integers(3) == 0 else "h5"}
        words = ["transform", *save(k, a, draw), "-o", f"out.{k}.{job['ending']}", "--axes", ",".join(
            str(x - dims if draw.integers(2) else x) for x in axes)]
        if draw.integers(3) == 0:
            kinds = [str(draw.choice(KINDS)) if draw.integers(2) else "dft" for _ in axes]
            job["kinds"] = ["dct2" if kind == "dct1" and shape[x] < 2 else kind for kind, x in zip(kinds, axes)]
            words += ["--kind", ",".join(job["kinds"])]
        if not is_complex and not job["half"]:
            words += ["--type", "c2c"]
        if single:
            words += ["--precision", "single"]
        if job["ending"] == "h5" and draw.integers(3) == 0:
            words += ["--store", "gzip:1"]
        if draw.integers(3) == 0:
            words += ["--verify-output"]
        np.save(f"field.{k}.npy", a)
        with open(f"job.{k}", "w", encoding="utf-8") as f:
            json.dump(job, f)
        print(int(draw.choice([1, 2, 3, 4, 6])), *words)


def load(name):
    if name.endswith("npy"):
        return np.load(name)
    with h5py.File(name) as f:
        return f[next(iter(f))][()]


def expected(a, job):
    """Axis after axis; half of a spectrum is along the last dft that is listed."""
    a = a.astype("c16" if a.dtype.kind == "c" else "f8")
    pairs = list(zip(job["axes"], job["kinds"]))
    dft = [x for x, kind in pairs if kind == "dft"]
    others = len(dft) < len(pairs)
    if job["half"] and dft and not (others and all(a.shape[x] == 1 for x in dft)):
        a = np.fft.rfftn(a, axes=dft)
    elif not job["half"]:
        a = np.fft.fftn(a, axes=dft) if dft else a.astype("c16")
    for x, kind in pairs:
        if kind != "dft":
            a = getattr(scipy.fft, kind[:3])(a, int(kind[3]), axis=x) if a.dtype.kind != "c" else \
                getattr(scipy.fft, kind[:3])(a.real, int(kind[3]), axis=x) + \
                1j * getattr(scipy.fft, kind[:3])(a.imag, int(kind[3]), axis=x)
    return a


def check(k):
    with open(f"job.{k}", encoding="utf-8") as f:
        job = json.load(f)
    field, limit = np.load(f"field.{k}.npy"), 3e-6 if "single" in job and job["single"] else 1e-14
    want, got = expected(field, job), load(f"out.{k}.{job['ending']}")
    assert got.shape == want.shape and got.dtype.kind == want.dtype.kind, (got.shape, want.shape, got.dtype, want.dtype)
    error = np.linalg.norm(got - want) / np.linalg.norm(want)
    assert error < limit, error
    if job["ending"] == "h5":
        back = load(f"back.{k}.npy")
        assert back.shape == field.shape, (back.shape, field.shape)
        assert np.linalg.norm(back - field) < limit * np.linalg.norm(field) * 2, np.linalg.norm(back - field)


if sys.argv[1] == "make":
    make(int(sys.argv[2]), int(sys.argv[3]))
else:
    check(sys.argv[2])
