# SPDX-License-Identifier: BSD-3-Clause
"""The structs of the public headers, member by member; tests/python/headers.py compares them with
the headers."""
from __future__ import annotations

import ctypes
from ctypes import c_char, c_char_p, c_double, c_int, c_long, c_size_t, c_ssize_t, c_void_p
from typing import Any


class Error(ctypes.Structure):
    """pfft3d_error"""

    _fields_ = [("status", c_int), ("rank", c_int), ("ranks", c_int), ("others", c_int),
                ("host", c_char * 64), ("text", c_char * 320), ("hint", c_char * 200)]


class Box(ctypes.Structure):
    """pfft3d_box"""

    _fields_ = [("lo", c_ssize_t * 3), ("len", c_ssize_t * 3), ("stride", c_ssize_t * 3),
                ("offset", c_ssize_t), ("distance", c_ssize_t)]


class Array(ctypes.Structure):
    """pfft3d_array"""

    _fields_ = [("below", c_ssize_t * 3), ("above", c_ssize_t * 3), ("every", c_ssize_t),
                ("distance", c_ssize_t)]


class Region(ctypes.Structure):
    """pfft3d_region"""

    _fields_ = [("lo", c_ssize_t * 4), ("len", c_ssize_t * 4), ("stride", c_ssize_t * 4),
                ("offset", c_ssize_t)]


class RedistSpec(ctypes.Structure):
    """pfft3d_redist_spec; `from` is a word of Python, hence its name here."""

    _fields_ = [("dims", c_int), ("n", c_ssize_t * 4), ("element", c_size_t), ("from_", Region),
                ("to", Region), ("exchange", c_char_p), ("in_place", c_int), ("wire", c_int)]


class TransposeSpec(ctypes.Structure):
    """pfft3d_transpose_spec"""

    _fields_ = [("n0", c_ssize_t), ("n1", c_ssize_t), ("howmany", c_ssize_t), ("element", c_size_t),
                ("block0", c_ssize_t), ("block1", c_ssize_t), ("transposed_in", c_int),
                ("transposed_out", c_int), ("exchange", c_char_p), ("in_place", c_int),
                ("wire", c_int)]


class HaloSpec(ctypes.Structure):
    """pfft3d_halo_spec"""

    _fields_ = [("dims", c_int), ("n", c_ssize_t * 4), ("element", c_size_t), ("box", Region),
                ("below", c_ssize_t * 4), ("above", c_ssize_t * 4), ("periodic", c_int * 4),
                ("exchange", c_char_p)]


class Problem(ctypes.Structure):
    """pfft3d_problem"""

    _fields_ = [("kind", c_int), ("precision", c_int), ("n", c_ssize_t * 3), ("batch", c_ssize_t),
                ("dims", c_int), ("axis", c_int * 3), ("keep", c_ssize_t * 3), ("sign", c_int),
                ("reserved", c_int * 13)]


class Decision(ctypes.Structure):
    """pfft3d_decision"""

    _fields_ = [("scheme", c_char * 16), ("grid", c_int * 2), ("algo", c_char * 16),
                ("engine", c_char * 16), ("order", c_int), ("split", c_ssize_t * 2),
                ("chunk", c_ssize_t), ("local", c_int), ("reserved", c_int * 15)]


class Machine(ctypes.Structure):
    """pfft3d_machine"""

    _fields_ = [("name", c_char * 64), ("node_ranks", c_int), ("start", c_double * 2),
                ("latency", c_double * 2), ("bandwidth", c_double * 2), ("overlap", c_double * 2),
                ("memory", c_double), ("flops", c_double), ("group", c_int), ("taper", c_double),
                ("paths", c_double), ("cache", c_double), ("cached", c_double),
                ("alone", c_double), ("reserved", c_double * 4)]


class StageStats(ctypes.Structure):
    """pfft3d_stage_stats"""

    _fields_ = [("axes", c_char * 4), ("seconds", c_double), ("bytes", c_double),
                ("wire_error2", c_double), ("wire_norm2", c_double), ("reserved", c_double * 3)]


class Stats(ctypes.Structure):
    """pfft3d_stats"""

    _fields_ = [("executions", c_long), ("total_s", c_double), ("fft_s", c_double),
                ("post_s", c_double), ("wait_s", c_double), ("messages", c_double),
                ("bytes", c_double), ("bytes_min", c_double), ("bytes_max", c_double),
                ("traffic", c_double), ("exchanges", c_int), ("passes", c_double),
                ("stages", c_int), ("stage", StageStats * 16), ("wire", c_int),
                ("work_bytes", c_size_t), ("stored", c_double)]


class Explanation(ctypes.Structure):
    """pfft3d_explanation"""

    _fields_ = [("decision", Decision), ("idle_ranks", c_int), ("messages", c_double),
                ("bytes", c_double), ("bytes_min", c_double), ("bytes_max", c_double),
                ("user_bytes", c_double), ("work_bytes", c_double), ("exchanges", c_int),
                ("wire", c_int), ("passes", c_double), ("seconds", c_double),
                ("pass_seconds", c_double), ("exchange_seconds", c_double),
                ("reason", c_char * 240), ("machine", Machine), ("redistributions", c_int),
                ("redist_bytes", c_double), ("stored_bytes", c_double)]


class Candidate(ctypes.Structure):
    """pfft3d_candidate"""

    _fields_ = [("decision", Decision), ("predicted", c_double), ("measured", c_double),
                ("repeats", c_int), ("reserved", c_int * 5)]


class DatasetInfo(ctypes.Structure):
    """pfft3d_dataset_info"""

    _fields_ = [("file", c_char_p), ("path", c_char_p), ("type", c_char_p), ("numbers", c_int),
                ("dims", c_int), ("n", c_ssize_t * 3), ("nonfinite", c_double),
                ("scale_factor", c_double), ("add_offset", c_double), ("missing", c_double),
                ("axis", c_char_p * 3), ("selection", c_char_p), ("unwritten", c_int),
                ("extent", c_ssize_t * 8), ("dimension", c_char_p * 8), ("units", c_char_p * 8)]


class InputSpec(ctypes.Structure):
    """pfft3d_input_spec"""

    _fields_ = [("name", c_char_p), ("layout", c_char_p), ("offset", c_ssize_t), ("dims", c_int),
                ("external", c_int), ("filters", c_char_p)]


class Block(ctypes.Structure):
    """pfft3d_block"""

    _fields_ = [("lo", c_ssize_t * 8), ("len", c_ssize_t * 8)]


class Attribute(ctypes.Structure):
    """pfft3d_attribute"""

    _fields_ = [("name", c_char_p), ("value", c_char_p)]


class Axis(ctypes.Structure):
    """pfft3d_axis"""

    _fields_ = [("name", c_char_p), ("values", ctypes.POINTER(c_double)), ("units", c_char_p), ("long_name", c_char_p)]


class OutputSpec(ctypes.Structure):
    """pfft3d_output_spec"""

    _fields_ = [("name", c_char_p), ("path", c_char_p), ("precision", c_int), ("numbers", c_int),
                ("dims", c_int), ("n", c_ssize_t * 3), ("overwrite", c_int), ("source", c_void_p),
                ("attributes", ctypes.POINTER(Attribute)), ("axes", ctypes.POINTER(Axis)),
                ("store", c_char_p), ("into", c_int), ("extent", c_ssize_t * 8)]


def text(value: bytes) -> str:
    """A text of the library.  File names in it need not be UTF-8, and it may end inside a character."""
    return value.decode(errors="replace")


def plain(value: Any) -> Any:
    """A struct as a dict of numbers, words and lists, without what is reserved."""
    if isinstance(value, ctypes.Structure):
        return {name.rstrip("_"): plain(getattr(value, name))
                for name, *_ in value._fields_ if name != "reserved"}
    if isinstance(value, ctypes.Array):
        return [plain(v) for v in value]
    return text(value) if isinstance(value, bytes) else value
