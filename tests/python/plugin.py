# SPDX-License-Identifier: BSD-3-Clause
"""The plugin of fluidfft over a base class that is not fluidfft's, which tests/long/fluidfft.sh has:
mpirun -n 3 python3 plugin.py"""
import sys
import types

import numpy as np
from trial import comm, main


class Base:
    """What the plugin needs of fluidfft's."""

    _dtype_spatial, _dtype_spectral = "float64", "complex128"

    def __init__(self, n0, n1, n2):
        pass


for part in ("fluidfft", "fluidfft.fft3d", "fluidfft.fft3d.base"):
    sys.modules[part] = types.ModuleType(part)
sys.modules["fluidfft.fft3d.base"].BaseFFTMPI = Base

from pfft3d.fluidfft import FFTclass  # noqa: E402


def test_numbers():
    fft, whole = FFTclass(6, 8, 10), np.random.default_rng(1).random((6, 8, 10))
    want = np.fft.rfftn(whole, norm="forward").transpose(1, 0, 2)
    first, n = fft.get_seq_indices_first_X()[0], fft.get_shapeX_loc()[0]
    u = whole[first:first + n]
    got = fft.fft(u)
    first, n = fft.get_seq_indices_first_K()[0], fft.get_shapeK_loc()[0]
    assert np.allclose(got, want[first:first + n], rtol=0, atol=1e-14)
    assert np.allclose(fft.ifft(got), u, rtol=0, atol=1e-14)


def test_arrays():
    """fluidfft passes shapes, not the words of its own arguments."""
    fft = FFTclass(6, 8, 10)
    for create, here, all_ranks, dtype in (
            (fft.create_arrayX, fft.get_shapeX_loc(), fft.get_shapeX_seq(), float),
            (fft.create_arrayK, fft.get_shapeK_loc(), fft.get_shapeK_seq(), complex)):
        assert create().shape == here and create().dtype == dtype
        for shape in (here, all_ranks, (2, 3, 4)):
            assert create(shape=shape).shape == shape
            assert (create(1.5, shape) == 1.5).all() and create(1.5, shape).shape == shape
    assert fft.get_shapeX_seq() == (6, 8, 10) and fft.get_shapeK_seq() == (8, 6, 6)
    assert sum(comm.allgather(fft.get_shapeX_loc()[0])) == 6


main(globals())
