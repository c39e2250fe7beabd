# SPDX-License-Identifier: BSD-3-Clause
"""Requests: shapes and options in the words of the command line."""
from __future__ import annotations

from ctypes import byref, c_ssize_t, c_void_p
from typing import Any, Mapping, Optional, Sequence, Union

import numpy as np

from . import _structs as structs
from ._arguments import c_text, choice, member, spans, whole, wholes
from ._library import Error, call, check, library, texts

SIDES = {"space": 0, "spectrum": 1}
DIRECTIONS = {"forward": 0, "backward": 1}
TYPES = {"c2c": 0, "r2c": 1}
LISTS = {"exchanges": 0, "engines": 1, "schemes": 2, "methods": 3, "kinds": 4}
Shape = Union[int, Sequence[int]]
_MACHINE = "pfft3d.Machine(file) reads a description"
WISDOM = "wisdom = pfft3d.Wisdom(), and wisdom.read(file)"

# What joins the numbers of an option; numbers of all others are joined by ",".
_JOINED = {"grid": "x", "pgrid": "x", "bricks": "x", "split": "x", "size": "x"}


def shape_of(shape: Shape) -> tuple[int, ...]:
    """A shape of one to three numbers as a tuple."""
    sizes = wholes(shape, "shape")
    if not 1 <= len(sizes) <= 3:
        raise Error(f"shape: {len(sizes)} sizes, of one to three dimensions", 
                    hint="further fields are a batch; pfft3d.fftn and its sisters take up to eight dimensions")
    return sizes


def words(key: str, value: Any, dims: int) -> str:
    """The value of an option as the library reads it.  It counts three axes, of which numpy has the last ones."""
    if isinstance(value, (bool, np.bool_)):
        return "yes" if value else "no"
    if key == "sign" and isinstance(value, int):
        return f"{value:+d}"
    if isinstance(value, Mapping):  # cuts: {0: [0, 5, 16], ("spectrum", 1): [0, 8, 16]}
        return "/".join(f"{_axis(k, dims)}:" + ",".join(map(str, wholes(v, key))) for k, v in value.items())
    if isinstance(value, (list, tuple)):
        if key == "bricks":
            value = (1,) * (3 - dims) + wholes(value, key, dims)
        return _JOINED.get(key, ",").join(map(str, value))
    return str(value)


def _axis(key: Any, dims: int) -> str:
    """A key of cuts: an axis of the field, or a side and an axis."""
    side, axis = key if isinstance(key, tuple) and len(key) == 2 else ("space", key)
    found = whole(axis, "cuts")
    if not -dims <= found < dims:
        raise Error(f"cuts: axis {found} of {dims} axes")
    return ("", "spectrum")[choice(SIDES, "cuts", side)] + str(found % dims + 3 - dims)


def _of_sides(key: str, value: Any) -> Mapping[str, Any]:
    if not isinstance(value, Mapping):
        raise Error(f"{key}: {value!r} is not a dict of sides: {', '.join(SIDES)}")
    return value


class Request:
    """A pfft3d_request.  Local."""

    def __init__(self, shape: Shape, options: Mapping[str, Any]) -> None:
        self.pointer = c_void_p()
        self.shape = shape_of(shape)
        options = {k.replace("_", "-"): v for k, v in options.items() if v is not None}
        for key in ("problem", "size", "dims"):
            if key in options:
                raise Error(f"{key}: the shape says it, with type, precision, batch, kind and keep")
        norm, scale = options.pop("norm", "backward"), options.pop("scale", None)
        boxes, ghosts, strides = (_of_sides(key, options.pop(key, {})) for key in ("boxes", "ghosts", "strides"))
        machine = member(options.pop("machine", None), "struct", structs.Machine, "machine", _MACHINE)
        self.wisdom = None if options.get("wisdom") in ("user", "none") else options.pop("wisdom", None)  # lives as long as this
        wisdom = member(self.wisdom, "pointer", c_void_p, "wisdom", WISDOM)
        required = options.pop("wisdom-required", False)
        lib = library()
        call(lib.request_create, byref(self.pointer))
        self.set("size", self.shape)
        for key in ("type", "precision"):
            if key in options:
                self.set(key, options.pop(key))
        for key, value in options.items():
            self.set(key, value)
        self._scale(norm, scale)
        for side, box in boxes.items():
            self._box(side, box, strides.get(side))
        for side in strides:
            if side not in boxes:
                raise Error(f"strides: {side!r} has no box, but these sides: {', '.join(boxes) or 'none'}")
        for side, cells in ghosts.items():
            self._ghosts(side, cells)
        if machine is not None:
            call(lambda *a: lib.request_machine(self.pointer, byref(machine), *a))
        if self.wisdom is not None or required:
            call(lib.request_wisdom, self.pointer, wisdom, int(bool(required)))

    def __del__(self) -> None:
        if self.pointer and library is not None:
            library().request_destroy(byref(self.pointer))

    @property
    def _as_parameter_(self) -> c_void_p:
        return self.pointer

    def set(self, key: str, value: Any) -> None:
        """Sets one key of pfft3d_request_set()."""
        call(library().request_set, self.pointer, c_text(key, "key"), c_text(words(key, value, len(self.shape)), key))

    def text(self) -> str:
        """The problem and all keys that differ from their defaults."""
        return texts(library().request_print, self.pointer)

    def problem(self) -> structs.Problem:
        """What is transformed."""
        problem = structs.Problem()
        check(library().request_problem(self.pointer, byref(problem)))
        return problem

    def dtype(self, side: int) -> np.dtype:
        """Of the elements of a side.  The spectrum of a real field is real if no axis of more than one
        point has a dft, and an axis has a cosine or sine transform."""
        problem = self.problem()
        space, size = (library().element_bytes(problem, s) for s in (0, side))
        real = problem.kind == TYPES["r2c"] and size == space
        return np.dtype(("f" if real else "c") + str(size))

    def _scale(self, norm: str, scale: Optional[Sequence[float]]) -> None:
        points = library().problem_points(self.problem()) or 1.0  # 0: of a size that no plan has
        norms = {"backward": (1.0, 1 / points), "ortho": (points**-0.5, points**-0.5),
                 "forward": (1 / points, 1.0), "none": (1.0, 1.0)}
        choice({n: 0 for n in norms}, "norm", norm)
        try:
            forward, backward = (float(factor) for factor in (norms[norm] if scale is None else scale))
        except (TypeError, ValueError):
            raise Error(f"scale: {scale!r} is not two factors, (forward, backward)") from None
        call(library().request_scales, self.pointer, forward, backward)

    def _box(self, name: str, slices: Sequence[Any], strides: Optional[Sequence[int]]) -> None:
        """Of an array of the side; strides in bytes."""
        side, dims = choice(SIDES, "boxes", name), len(self.shape)
        box, lead, extents = structs.Box(), 3 - dims, (c_ssize_t * 3)()
        library().problem_extents(self.problem(), side, extents)
        lo, length = spans(slices, extents[lead:])
        for a in range(3):
            box.lo[a] = lo[a - lead] if a >= lead else 0
            box.len[a] = length[a - lead] if a >= lead else 1
        if strides is not None:
            size, strides = self.dtype(side).itemsize, wholes(strides, "strides")
            if not dims <= len(strides) <= dims + 1 or any(s % size or s < 0 for s in strides):
                raise Error(f"strides: {tuple(strides)} of {name!r} are not those of {dims} axes, or a batch of "
                            f"them: multiples of {size} bytes, not negative",
                            hint="np.ascontiguousarray(array) has others")
            for a in range(dims):
                box.stride[lead + a] = strides[a - dims] // size
            for a in range(lead):
                box.stride[a] = 1
            box.distance = strides[0] // size if len(strides) > dims else 0
        call(library().request_box, self.pointer, side, byref(box))

    def _ghosts(self, side: str, cells: Any) -> None:
        array, dims = structs.Array(), len(self.shape)
        try:
            below, above = cells
        except (TypeError, ValueError):
            raise Error(f"ghosts: {cells!r} is not two lists, (below, above)") from None
        array.below[3 - dims:] = wholes(below, "ghosts", dims)
        array.above[3 - dims:] = wholes(above, "ghosts", dims)
        call(library().request_array, self.pointer, choice(SIDES, "ghosts", side), byref(array))
