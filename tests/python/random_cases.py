# SPDX-License-Identifier: BSD-3-Clause
"""Random plans through the Python package, compared with numpy, and with scipy for cosine and sine
transforms:  mpirun -n 3 python3 random_cases.py COUNT [SEED [FIRST]]

A case is made from the seed and its number alone, the same on all ranks.  Forward results are compared
with the whole transform by numpy; the backward transform of them must return the field, or what numpy
makes of the modes that are kept.  The last line is "tried N wrong M"; status 1 if M is not 0 or an
exchange or an engine was in no plan."""
import sys

import numpy as np
from mpi4py import MPI

import pfft3d

try:
    import scipy.fft
except ImportError:  # then all axes have a dft
    scipy = None

comm = MPI.COMM_WORLD
SIZES = [1, 1, 2, 3, 4, 5, 6, 7, 8, 9, 11, 12, 13, 16, 20, 24]
REAL_KINDS = [f"{t}{i}" for t in ("dct", "dst") for i in (1, 2, 3, 4)] + ["dht", "r2hc", "hc2r"]


def pick(rng, choices):
    return choices[int(rng.integers(len(choices)))]


def kinds_for(rng, type, shape):
    """Kinds of all axes; of a real field with a dft the last axis has one."""
    if scipy is None or len(shape) == 1 or rng.random() < 0.6:
        return ["dft"] * len(shape)
    kinds = [pick(rng, ["dft", "none"] + REAL_KINDS) for _ in shape]
    if (type == "r2c" and "dft" in kinds) or set(kinds) == {"none"}:
        kinds[-1] = "dft"
    return ["dct2" if k == "dct1" and n == 1 else k for k, n in zip(kinds, shape)]


def case_of(seed, number):
    """Shape, type and options of a case."""
    rng = np.random.default_rng([seed, number])
    dims = pick(rng, [1, 2, 3, 3, 3])
    shape = tuple(pick(rng, SIZES) for _ in range(dims))
    if dims == 1:
        shape = (shape[0] * pick(rng, [1, 8, 30]),)
    type = pick(rng, ["c2c", "r2c"])
    options = {"precision": pick(rng, ["double", "double", "single"]),
               "norm": pick(rng, ["backward", "ortho", "forward", "none"]),
               "exchange": pick(rng, ["auto"] + list(pfft3d.names("exchanges"))),
               "engine": pick(rng, ["auto"] + list(pfft3d.names("engines"))),
               "batch": pick(rng, [None, None, 1, 3]),
               "order": pick(rng, ["natural", "natural", "transposed"]),
               "deterministic": pick(rng, [False, False, True])}
    kinds = kinds_for(rng, type, shape)
    if kinds != ["dft"] * dims:
        options["kind"] = kinds
    elif dims > 1 and type == "c2c" and rng.random() < 0.3:
        options["keep"] = [int(rng.integers(1, n + 1)) for n in shape]
    if type == "c2c" and rng.random() < 0.2:
        options["sign"] = "+1"
    if dims == 1 and options["order"] == "natural":
        options["layout"] = pick(rng, ["block", "cyclic"])
        options["out_layout"] = pick(rng, ["block", "cyclic"])
    if dims == 3:
        options["decomp"] = pick(rng, ["auto", "slab", "pencil"])
    if dims > 1:
        options["cuts"] = pick(rng, [None, None, "ceil"])
        if rng.random() < 0.2:
            options["boxes"] = {"space": box(rng, shape)}
            options["cuts"] = None
    return shape, type, {k: v for k, v in options.items() if v is not None}, rng


def box(rng, shape):
    """Uneven slabs along one axis, one for each rank, in any order."""
    axis, n = int(rng.integers(len(shape))), 0
    n = shape[axis]
    at = [0, *sorted(int(rng.integers(n + 1)) for _ in range(comm.size - 1)), n]
    mine = int(rng.permutation(comm.size)[comm.rank])
    return tuple(slice(at[mine], at[mine + 1]) if a == axis else slice(0, s) for a, s in enumerate(shape))


def half_complex(x, axis, kind, backward):
    """The real DFTs in real numbers, and their inverses."""
    x = np.moveaxis(x, axis, -1)
    n = x.shape[-1]
    if kind == "dht":
        y = np.fft.fft(x)
        y = (y.real - y.imag) / (n if backward else 1)
    elif (kind == "r2hc") != backward:
        y = np.fft.rfft(x)
        y = np.concatenate([y.real, y.imag[..., (n - 1) // 2:0:-1]], axis=-1) / (n if backward else 1)
    else:
        modes = x[..., :n // 2 + 1].astype(complex)
        modes[..., 1:(n + 1) // 2] += 1j * x[..., :n // 2:-1]
        y = np.fft.irfft(modes, n) * (1 if backward else n)
    return np.moveaxis(y, -1, axis)


def along(x, axis, kind, sign, backward):
    """One axis by numpy or scipy, not normalised forward, the inverse backward."""
    if kind == "none":
        return x
    if kind == "dft":
        inverse = backward != (sign == "+1")
        n = x.shape[axis]
        factor = (n if inverse else 1) / (n if backward else 1)
        return (np.fft.ifft if inverse else np.fft.fft)(x, axis=axis) * factor
    if np.iscomplexobj(x):
        return along(x.real, axis, kind, sign, backward) + 1j * along(x.imag, axis, kind, sign, backward)
    if kind in ("dht", "r2hc", "hc2r"):
        return half_complex(x, axis, kind, backward)
    name = ("i" if backward else "") + kind[:3]
    transform = getattr(scipy.fft, name)
    if x.shape[axis] == 1:  # scipy takes no single points of type 1; the formulas of FFTW do
        factor = {"dct2": 2.0, "dct3": 1.0, "dct4": 2**0.5, "dst1": 2.0, "dst2": 2.0, "dst3": 1.0, "dst4": 2**0.5}[kind]
        return x / factor if backward else x * factor
    return transform(x, type=int(kind[3]), axis=axis)


def oracle(x, type, kinds, sign, backward=False):
    """The whole transform of x; its last axes are transformed."""
    first = x.ndim - len(kinds)
    order = list(range(len(kinds)))
    for a in order:
        if not (type == "r2c" and kinds[a] == "dft"):
            x = along(x, first + a, kinds[a], sign, backward)
    if type == "r2c":
        axes = [first + a for a in order if kinds[a] == "dft"]
        if axes:
            x = np.fft.rfftn(x, axes=axes)
    return x


def kept_modes(n, k):
    """Where the K modes of an axis of n points are in a whole spectrum."""
    return [i if i < (k + 1) // 2 else i - k + n for i in range(k)]


def points(shape, kinds):
    factor = {**dict.fromkeys(("dft", "dht", "r2hc", "hc2r"), lambda n: n), "none": lambda n: 1, "dct1": lambda n: 2 * (n - 1), "dst1": lambda n: 2 * (n + 1)}
    return float(np.prod([factor.get(k, lambda n: 2 * n)(n) for n, k in zip(shape, kinds)]))


def part_of(plan, side, whole):
    try:
        return whole[plan.slices(side)]
    except pfft3d.Error:  # scrambled
        return whole[..., plan.indices(side)]


def error_of(got, want, scale):
    """The largest difference on all ranks, over the root mean square of the whole."""
    worst = float(np.abs(got - want).max()) if got.size else 0.0
    return comm.allreduce(worst / scale if worst == worst else float("inf"), op=MPI.MAX)


def run(seed, number, used):
    """Error of a case over its limit; None where this build cannot do it."""
    shape, type, options, rng = case_of(seed, number)
    batch, kinds = options.get("batch"), options.get("kind", ["dft"] * len(shape))
    sign = options.get("sign", "-1")
    full = (() if batch is None else (batch,)) + shape
    rng = np.random.default_rng([seed, number, 1])
    field = rng.random(full) - 0.5 + (1j * (rng.random(full) - 0.5) if type == "c2c" else 0)
    if options["precision"] == "single":
        field = field.astype(np.complex64 if type == "c2c" else np.float32).astype(field.dtype)
    try:
        plan = pfft3d.Plan(shape, type, **options)
    except pfft3d.Error as error:
        if error.status == 69 or (error.status == 64 and "dct1" in str(error)):
            return None
        raise
    with plan:
        for what in ("exchange", "engine"):
            used.add(plan.decision.split(what + "=")[1].split()[0])
        spectrum, back = oracle(field, type, kinds, sign), field
        if "keep" in options:
            places = np.ix_(*[kept_modes(n, k) for n, k in zip(shape, options["keep"])])
            modes = np.zeros_like(spectrum)
            modes[(..., *places)] = spectrum[(..., *places)]
            back, spectrum = oracle(modes, type, kinds, sign, True), spectrum[(..., *places)]
        total = points(shape, kinds)
        factor = {"backward": 1, "ortho": total**-0.5, "forward": 1 / total, "none": 1}[options["norm"]]
        spectrum = spectrum * factor
        u = plan.empty("space")
        u[...] = part_of(plan, "space", field)
        in_place = rng.random() < 0.25
        uh = plan.forward(u, out=plan.view(u, "spectrum") if in_place else None)
        scale = max(np.sqrt(np.mean(np.abs(spectrum) ** 2)), 1e-30)
        errors = [error_of(uh, part_of(plan, "spectrum", spectrum), scale)]
        v = plan.backward(uh, out=plan.view(uh, "space") if in_place else None)
        undone = total if options["norm"] == "none" else 1
        errors.append(error_of(v / undone, part_of(plan, "space", back), np.sqrt(np.mean(np.abs(field) ** 2))))
    # The largest of some thousand errors of which the root mean square is about u sqrt(log2 N); one point
    # of cosine and sine transforms may lose more than others.
    limit = 100 * (1.2e-7 if options["precision"] == "single" else 2.3e-16) * np.sqrt(np.log2(total + 2))
    return max(e / limit if e == e else np.inf for e in errors)


def main():
    count, seed, first = (int(v) for v in (sys.argv[1:] + ["1", "0"][len(sys.argv) - 2:]))
    wrong, done, used = 0, 0, set()
    for number in range(first, first + count):
        try:
            error = run(seed, number, used)
        except Exception as failure:
            print(f"rank {comm.rank}: seed {seed} case {number} {case_of(seed, number)[:3]}: {failure!r}", flush=True)
            raise
        done += error is not None
        if error is not None and not error <= 1:
            wrong += 1
            if comm.rank == 0:
                print(f"wrong, {error:.3g} of the limit: random_cases.py 1 {seed} {number}:", *case_of(seed, number)[:3])
    missing = set(pfft3d.names("exchanges")) | set(pfft3d.names("engines"))
    missing -= used
    if comm.rank == 0:
        if count >= 50 and missing and comm.size > 1:
            print("in no plan:", missing)
            wrong += 1
        print(f"tried {done} wrong {wrong}")
    sys.exit(comm.bcast(wrong, root=0) != 0)


main()
