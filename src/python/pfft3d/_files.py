# SPDX-License-Identifier: BSD-3-Clause
"""Datasets of HDF5 files as distributed arrays, by libpfft3d_hdf5.  h5py is not needed."""
from __future__ import annotations

import os
from ctypes import byref, c_void_p, create_string_buffer, pointer, sizeof
from math import prod
from typing import Any, Mapping, NamedTuple, Optional, Sequence, Union

import numpy as np

from . import _structs as structs
from ._arguments import c_text, spans, wholes
from ._lifetime import Closing, Group, group_of
from ._library import Error, call, check, files_library
from ._plan import Plan

_Name = Union[str, os.PathLike]
_NUMBERS = {"c16": (0, 0), "f8": (0, 1), "c8": (1, 0), "f4": (1, 1)}  # precision, numbers


def _numbers(dtype: Any) -> tuple[int, int]:
    kind = np.dtype(dtype)
    if kind.str[1:] not in _NUMBERS or not kind.isnative:
        raise Error(f"dtype: {kind} is not one of: complex128, float64, complex64, float32")
    return _NUMBERS[kind.str[1:]]


_MOST = 8  # dimensions


def _block(slices: Sequence[Any], shape: Sequence[int]) -> structs.Block:
    block = structs.Block()
    lo, length = spans(slices, shape)
    block.lo[:len(lo)], block.len[:len(lo)] = lo, length
    return block


def _stored(words: str) -> Optional[np.dtype]:
    """The dtype for the library's words, "float64 big-endian"."""
    name, *order = words.split()
    try:
        return np.dtype(name).newbyteorder({"big-endian": ">", "": "<"}["".join(order)])
    except (KeyError, TypeError):
        return None


class Dataset(Closing):
    """A dataset that was found in a file, "FILE.h5", "FILE.h5:/path" or "FILE.npy"; "FILE.h5:/path[3, :, ::2]"
    selects a part of it.  Collective.

    external     -- read data in other files, too
    filters      -- a folder of filter plugins of HDF5, for datasets that need them
    raw, offset  -- for files of numbers only: "f8:64x64x64", or ">f4:...", type and shape; the byte where the
                    array begins, None: the file is the array
    shape, dtype -- as selected; complex numbers are compounds {r, i}, as h5py has them.  dtype is None
                    where numpy has no such numbers
    file, path   -- where it is
    type         -- its type in words: "uint8", "float64 big-endian"
    """

    def __init__(self, name: _Name, comm: Any = None, *, raw: Optional[str] = None,
                 offset: Optional[int] = None, external: bool = False, filters: Optional[_Name] = None) -> None:
        lib, self._group = files_library(), group_of(comm)

        def specification() -> Any:
            layout = None if raw is None else c_text(raw, "raw")
            folder = None if filters is None else c_text(os.fsencode(filters), "filters")
            return pointer(structs.InputSpec(c_text(os.fsencode(name), "name"), layout, -1 if offset is None else offset,
                                             _MOST, int(bool(external)), folder))

        self._keeper = self._group.create(
            lambda comm, spec, *rest: lib.dataset_open_f(comm, spec, sizeof(structs.InputSpec), *rest), specification,
            lib.dataset_free)
        info = self._info()
        self.shape: tuple[int, ...] = tuple(info.extent[:info.dims])
        self.file, self.path, self.type = (os.fsdecode(v) for v in (info.file, info.path, info.type))
        self.dtype: Optional[np.dtype] = _stored(self.type)
        self.complex: bool = info.numbers == 0

    def _info(self) -> structs.DatasetInfo:
        info = structs.DatasetInfo()
        check(files_library().dataset_get_info(self._open(), byref(info), sizeof(info)))
        return info

    def _open(self) -> c_void_p:
        if self._keeper is None:
            raise Error("dataset: is closed")
        return self._keeper.handle.pointer

    def read(self, slices: Sequence[Any], dtype: Any = None) -> np.ndarray:
        """Collective.  The elements in this rank's box, which may be empty, in C order: complex128 or
        float64, or as dtype says; numbers are converted."""
        def prepare() -> tuple[Any, ...]:
            out = np.empty(spans(slices, self.shape)[1], dtype or (np.complex128 if self.complex else np.float64))
            return out, *_numbers(out.dtype), _block(slices, self.shape)

        dataset = self._open()
        out, precision, numbers, block = self._group.agree(prepare)
        call(files_library().dataset_read_block, dataset, precision, numbers, byref(block), out.ctypes.data)
        return out

    def read_into(self, plan: Plan, side: str = "space") -> np.ndarray:
        """Collective.  This rank's part of a side of a plan, in a new array of the plan."""

        def check_shape() -> None:
            if self.shape != plan.global_shape(side):
                raise Error(f"{self.file}: its shape is {self.shape}, the plan's {plan.global_shape(side)}")

        self._group.allgather(check_shape)
        out = plan.empty(side)
        out[...] = self.read(plan._agreed_slices(side), plan.dtype(side))
        return out

    @property
    def nonfinite(self) -> int:
        """Elements of the last read, over all ranks, that are NaN or infinite."""
        return int(self._info().nonfinite)

    def attribute(self, name: str) -> str:
        """Collective.  A text attribute, "" if there is none."""
        read, dataset, size = files_library().dataset_attribute, self._open(), 4096
        key = self._group.agree(lambda: c_text(name, "attribute"))
        while True:
            text = create_string_buffer(size)
            call(read, dataset, key, text, size)
            if len(text.value) < size - 1:  # else it was cut, perhaps inside a character
                return structs.text(text.value)
            size *= 16


def _output(name: _Name, dtype: np.dtype, shape: Sequence[int], overwrite: bool, source: Optional[Dataset],
            attributes: Mapping[str, Any]) -> structs.OutputSpec:
    """Refers to `attributes`' encoded words, which ctypes keeps."""
    spec = structs.OutputSpec(name=c_text(os.fsencode(name), "name"), dims=len(shape), overwrite=int(bool(overwrite)))
    spec.precision, spec.numbers = _numbers(dtype)
    if len(shape) <= 3:
        spec.n[:] = (*(1,) * (3 - len(shape)), *shape)
    else:
        spec.extent[:len(shape)] = shape
    if source is not None:
        spec.source = source._open()
    table = (structs.Attribute * (len(attributes) + 1))()
    for row, (key, value) in zip(table, attributes.items()):
        row.name, row.value = c_text(key, "attribute"), c_text(str(value), f"attribute {key}")
    spec.attributes = table
    return spec


class _RankBox(NamedTuple):
    """What a rank has of an array."""

    shape: tuple[int, ...]  # of the whole
    first: list[int]
    length: list[int]
    dtype: str

    @property
    def elements(self) -> int:
        return prod(self.length)


def _check_boxes(group: Group, boxes: Sequence[_RankBox]) -> np.dtype:
    """Collective.  The dtype of all ranks with elements, or an Error on all, unless the boxes tile one array."""
    filled = next((r for r, p in enumerate(boxes) if p.elements), 0)
    for rank, box in enumerate(boxes):
        if box.shape != boxes[0].shape:
            raise Error(f"shape: {boxes[0].shape} on rank 0, {box.shape} on rank {rank}")
        if box.elements and box.dtype != boxes[filled].dtype:
            one, other = np.dtype(boxes[filled].dtype), np.dtype(box.dtype)
            raise Error(f"array: its dtype is {one} on rank {filled}, {other} on rank {rank}")
    for rank, other in enumerate(group.allgather(lambda: _meets(boxes, group.rank))):
        if other is not None:
            raise Error(f"box: ranks {rank} and {other} both hold the same elements")
    held, elements = sum(p.elements for p in boxes), prod(boxes[0].shape)
    if held < elements:
        raise Error(f"box: {elements - held} of {elements} elements are in the box of no rank")
    return np.dtype(boxes[filled].dtype)


def _meets(boxes: Sequence[_RankBox], rank: int) -> Optional[int]:
    """A rank whose box meets that of `rank`; each rank looks at its own, as there are many pairs."""
    lo, hi = (np.array([[first + n * end for first, n in zip(p.first, p.length)] for p in boxes]) for end in (0, 1))
    meets = (np.maximum(lo, lo[rank]) < np.minimum(hi, hi[rank])).all(axis=1)
    meets[rank] = False
    return int(meets.argmax()) if meets.any() else None


def write(name: _Name, array: Any, slices: Sequence[Any], shape: Sequence[int], comm: Any = None, *,
          overwrite: bool = False, source: Optional[Dataset] = None,
          attributes: Optional[Mapping[str, Any]] = None) -> None:
    """Collective.  Writes a dataset of the given shape into a new file, "FILE.h5:/path": each rank
    its box, of complex128, complex64, float64 or float32; boxes tile the array, empty ones
    where a rank has nothing, whatever the dtype there.  The file stands under its name when it is whole.

    overwrite  -- replace a file that exists
    source     -- a Dataset whose attributes are copied
    attributes -- words to be added
    """
    lib, group = files_library(), group_of(comm)
    made: list[Any] = []

    def prepare() -> _RankBox:
        n, data = wholes(shape, "shape"), np.ascontiguousarray(array)
        if not 1 <= len(n) <= _MOST:
            raise Error(f"shape: {len(n)} dimensions, of one to {_MOST}")
        lo, length = spans(slices, n)
        if list(data.shape) != length:
            raise Error(f"array: its shape is {data.shape}, the box of this rank is {length}")
        if data.size:
            _numbers(data.dtype)
        made.extend((data, _block(slices, n)))
        return _RankBox(n, lo, length, data.dtype.str)

    boxes = group.allgather(prepare)
    data, block = made
    dtype, n = _check_boxes(group, boxes), boxes[0].shape
    keeper = group.create(lambda comm, spec, *rest: lib.output_create_f(comm, spec, sizeof(structs.OutputSpec), *rest),
                          lambda: pointer(_output(name, dtype, n, overwrite, source, attributes or {})),
                          lib.output_discard)
    output = keeper.handle.pointer
    try:
        call(lib.output_write_block, output, byref(block), data.ctypes.data)
        call(lib.output_commit, byref(output))
    finally:
        lib.output_discard(byref(output))


def write_plan(name: _Name, array: Any, plan: Plan, side: str, **options: Any) -> None:
    """Collective.  Writes an array of a side of a plan, with the options of write()."""
    write(name, array, plan._agreed_slices(side), plan.global_shape(side), plan.comm, **options)
