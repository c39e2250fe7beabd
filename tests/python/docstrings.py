# SPDX-License-Identifier: BSD-3-Clause
"""Runs the examples in the docstrings of the package."""
import doctest
import importlib
import sys

from mpi4py import MPI

failed = tried = 0
for name in ("", "._files", "._functions", "._library", "._lifetime", "._plan", "._redist", "._request", "._tune"):
    module = importlib.import_module("pfft3d" + name)
    result = doctest.testmod(module, extraglobs={"MPI": MPI})
    failed, tried = failed + result.failed, tried + result.attempted
print(tried, "examples")
sys.exit(bool(failed) or tried < 10)
