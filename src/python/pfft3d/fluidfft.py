# SPDX-License-Identifier: BSD-3-Clause
"""A plugin of fluidfft: the method "fft3d.mpi_with_pfft3d", real fields in slabs.

The field has the shape (n0/P, n1, n2) on each rank, its spectrum (n1/P, n0, n2/2+1), as with fluidfft's
fft3d.mpi_with_fftwmpi3d; forward transforms divide by the number of points.  fluidfft finds it where this
package was installed by pip."""
from __future__ import annotations

from typing import Any, Optional

import numpy as np
from fluidfft.fft3d.base import BaseFFTMPI

from ._plan import Plan


class FFT3DMPIWithPFFT3D(BaseFFTMPI):
    """Transforms of real fields of n0 x n1 x n2 points on all ranks."""

    def __init__(self, n0: int, n1: int, n2: int) -> None:
        self._plan = Plan((n0, n1, n2), "r2c", norm="forward", order="transposed", decomp="slab")
        self.shapeX = self._plan.local_shape("space")
        self._startX = tuple(s.start for s in self._plan.slices("space"))
        self._seqX = self._plan.global_shape("space")
        self.shapeK = self._permuted(self._plan.local_shape("spectrum"))
        self._startK = self._permuted(tuple(s.start for s in self._plan.slices("spectrum")))
        self._seqK = self._permuted(self._plan.global_shape("spectrum"))
        super().__init__(n0, n1, n2)

    @staticmethod
    def _permuted(of: tuple[int, ...]) -> tuple[int, ...]:
        return (of[1], of[0], of[2])

    # ---- shapes ----

    def get_shapeX_loc(self) -> tuple[int, ...]:
        return self.shapeX

    def get_shapeX_seq(self) -> tuple[int, ...]:
        return self._seqX

    def get_shapeK_loc(self) -> tuple[int, ...]:
        return self.shapeK

    def get_shapeK_seq(self) -> tuple[int, ...]:
        return self._seqK

    def get_dimX_K(self) -> tuple[int, ...]:
        return (1, 0, 2)

    def get_seq_indices_first_X(self) -> tuple[int, ...]:
        return self._startX

    def get_seq_indices_first_K(self) -> tuple[int, ...]:
        return self._startK

    # ---- arrays and transforms ----

    def _create(self, shape: tuple[int, ...], dtype: Any, value: Optional[Any]) -> np.ndarray:
        return np.empty(shape, dtype) if value is None else np.full(shape, value, dtype)

    def create_arrayX(self, value: Optional[Any] = None, shape: Optional[tuple[int, ...]] = None) -> np.ndarray:
        return self._create(self.shapeX if shape is None else shape, self._dtype_spatial, value)

    def create_arrayK(self, value: Optional[Any] = None, shape: Optional[tuple[int, ...]] = None) -> np.ndarray:
        return self._create(self.shapeK if shape is None else shape, self._dtype_spectral, value)

    def fft_as_arg(self, fieldX: np.ndarray, fieldK: np.ndarray) -> None:
        self._plan.forward(np.ascontiguousarray(fieldX), out=fieldK.transpose(1, 0, 2))

    def ifft_as_arg(self, fieldK: np.ndarray, fieldX: np.ndarray) -> None:
        self._plan.backward(np.ascontiguousarray(fieldK).transpose(1, 0, 2), out=fieldX)

    ifft_as_arg_destroy = ifft_as_arg

    def fft(self, fieldX: np.ndarray) -> np.ndarray:
        fieldK = self.create_arrayK()
        self.fft_as_arg(fieldX, fieldK)
        return fieldK

    def ifft(self, fieldK: np.ndarray) -> np.ndarray:
        fieldX = self.create_arrayX()
        self.ifft_as_arg(fieldK, fieldX)
        return fieldX


FFTclass = FFT3DMPIWithPFFT3D
