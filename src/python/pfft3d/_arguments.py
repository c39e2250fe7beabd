# SPDX-License-Identifier: BSD-3-Clause
"""Arguments as the library takes them.  ctypes cuts integers and texts that do not fit to what does;
here they are an Error."""
from __future__ import annotations

import operator
from typing import Any, Mapping, Optional, Sequence, Union

import numpy as np

from ._library import Error

INT, INDEX = 2**31 - 1, 2**63 - 1  # the largest int and ptrdiff_t


def choice(names: Mapping[str, int], what: str, name: Any) -> int:
    """The number of a name; else an Error with the valid ones."""
    try:
        return names[name]
    except (KeyError, TypeError):
        raise Error(f"{what}: {name!r} is not one of: {', '.join(names)}") from None


def whole(value: Any, name: str, most: int = INDEX) -> int:
    """An integer of at most that magnitude."""
    try:
        found = operator.index(value)
    except TypeError:
        raise Error(f"{name}: {value!r} is not a whole number") from None
    if abs(found) > most:
        raise Error(f"{name}: {found} is out of range, which ends at {most}")
    return found


def wholes(values: Any, name: str, count: Optional[int] = None) -> tuple[int, ...]:
    """Integers of a list, or a single one; as many as `count` says."""
    try:
        found = tuple(operator.index(v) for v in (values if np.iterable(values) else (values,)))
    except TypeError:
        raise Error(f"{name}: {values!r} is not a list of whole numbers") from None
    if count is not None and len(found) != count:
        raise Error(f"{name}: {values!r} are {len(found)} numbers, here {count} are needed")
    return tuple(whole(v, name) for v in found)


def positives(values: Any, name: str, count: int) -> list[float]:
    """Positive numbers of a list of `count`, or a single one."""
    try:
        found = [float(v + 0) for v in (values if np.iterable(values) else (values,))]  # no texts
    except (TypeError, ValueError):
        raise Error(f"{name}: {values!r} is not a list of numbers") from None
    if len(found) != count:
        raise Error(f"{name}: {values!r} are {len(found)} numbers, here {count} are needed")
    if not all(0 < v < float("inf") for v in found):
        raise Error(f"{name}: {values!r}: must be positive and finite")
    return found


def c_text(value: Union[str, bytes], name: str) -> bytes:
    """A text of C, which ends with its first NUL."""
    if not isinstance(value, (str, bytes)):
        raise Error(f"{name}: {value!r} is not a text")
    found = value if isinstance(value, bytes) else value.encode()
    if b"\0" in found:
        raise Error(f"{name}: {value!r} has a NUL character")
    return found


def member(of: Any, attribute: str, type: Any, name: str, hint: str) -> Any:
    """What an object of this package has of the library's; None where the object is None."""
    found = getattr(of, attribute, None)
    if of is not None and not isinstance(found, type):
        raise Error(f"{name}: {of!r} is not a {name.capitalize()}", hint=hint)
    return found


def spans(slices: Sequence[Any], shape: Sequence[int]) -> tuple[list[int], list[int]]:
    """First indices and lengths of a box of an array, given as slices, or pairs lo, hi."""
    if not isinstance(slices, (tuple, list)):
        raise Error(f"box: {slices!r} is not a tuple of slices")
    if len(slices) != len(shape):
        raise Error(f"box: {len(slices)} slices of an array of {len(shape)} dimensions")
    first, length = [], []
    for s, n in zip(slices, shape):
        try:
            lo, hi, step = s.indices(n) if isinstance(s, slice) else (*wholes(s, "box", 2), 1)
        except TypeError:
            raise Error(f"box: {s} is not a slice of whole numbers") from None
        if step != 1 or lo < 0 or hi < 0:
            raise Error(f"box: {s} is not a range of neighbouring indices of {n}")
        first.append(lo)
        length.append(max(0, hi - lo))
    return first, length
