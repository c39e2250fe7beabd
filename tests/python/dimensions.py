# SPDX-License-Identifier: BSD-3-Clause
"""Arrays of four to eight dimensions, any axes, beside numpy and scipy:  mpirun -n 3 python3 dimensions.py COUNT SEED"""
import sys

import numpy as np
from trial import comm, fails, odd, refused

import pfft3d

try:
    import scipy.fft as scipy_fft
except ImportError:
    scipy_fft = None
random = np.random.default_rng(int(sys.argv[2]))


def mine(whole, lengths):
    begin = sum(lengths[:comm.rank])
    return whole[begin:begin + lengths[comm.rank]]


def parts(n):
    """Random lengths of the ranks' parts, some of them 0."""
    cuts = sorted(random.integers(0, n + 1, comm.size - 1))
    return [int(b - a) for a, b in zip([0, *cuts], [*cuts, n])]


def whole_of(part):
    return np.concatenate(comm.allgather(part))


def one():
    dims = int(random.integers(4, 9))
    shape = tuple(int(n) for n in random.integers(1, 7 if dims < 6 else 4, dims))
    axes = tuple(int(a) for a in random.permutation(dims)[:random.integers(1, dims + 1)])
    if random.random() < 0.3:
        axes = tuple(a - dims for a in axes)
    name = str(random.choice(["fftn", "ifftn", "rfftn", "irfftn", "dctn", "idstn"]))
    if name in ("dctn", "idstn") and scipy_fft is None:
        name = "fftn"
    s = tuple(int(shape[a] + random.integers(-1, 3)) or 1 for a in axes) if random.random() < 0.4 else None
    norm = str(random.choice(["backward", "ortho", "forward"]))
    single = random.random() < 0.3
    a = random.random(shape)
    if name in ("fftn", "ifftn", "irfftn") and random.random() < 0.7:
        a = a + 1j * random.random(shape)
    if name == "irfftn" and s is None and shape[axes[-1]] == 1:
        s = shape and tuple(shape[k] for k in axes)
    if single:
        a = a.astype(np.complex64 if a.dtype.kind == "c" else np.float32)
    lengths = parts(shape[0])
    oracle = scipy_fft if name in ("dctn", "idstn") else np.fft
    if name == "idstn" and norm == "ortho":
        norm = "backward"  # scipy before 1.12 has another one
    more = {"type": 2} if name in ("dctn", "idstn") else {}
    want = getattr(oracle, name)(a.astype(complex if a.dtype.kind == "c" else float), s=s, axes=axes, norm=norm, **more)
    have = whole_of(getattr(pfft3d, name)(mine(a, lengths), s=s, axes=axes, norm=norm, **more))
    what = (name, shape, axes, s, norm, a.dtype, lengths)
    assert have.shape == want.shape, (what, have.shape, want.shape)
    assert have.dtype == want.dtype or single, (what, have.dtype)
    assert (have.dtype.itemsize // (2 if have.dtype.kind == "c" else 1) == 4) == single, (what, have.dtype)
    scale = abs(want).max() or 1
    assert abs(have - want).max() < (1e-4 if single else 1e-12) * scale, (what, abs(have - want).max() / scale)


for _ in range(int(sys.argv[1])):
    one()

# All axes of four, the usual parts.
whole = random.random((12, 10, 9, 8)) + 1j
lengths = [12 // comm.size + (r < 12 % comm.size) for r in range(comm.size)]
assert np.allclose(whole_of(pfft3d.fftn(mine(whole, lengths))), np.fft.fftn(whole))
refused(64, "9 dimensions, of one to 8", pfft3d.fftn, np.zeros(9 * (1,)))
refused(64, "an axis is transformed once", pfft3d.fftn, np.zeros(5 * (2,)), axes=(1, 2, 1))
refused(64, "do not fit", pfft3d.fftn, np.zeros(5 * (2,)), axes=(5,))
if comm.size > 1:
    fails(pfft3d.fftn, odd(np.zeros((2, 2, 2)), np.zeros((2, 2, 2, 2))))
    fails(pfft3d.fftn, odd(np.zeros((2, 2, 2, 3)), np.zeros((2, 2, 2, 2))))
