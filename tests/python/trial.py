# SPDX-License-Identifier: BSD-3-Clause
"""What tests of the package share: errors that are expected, and a main program."""
import sys
import traceback
import weakref

import numpy as np
from mpi4py import MPI

import pfft3d

comm = MPI.COMM_WORLD


def refused(status, words, call, *arguments, **options):
    """Asserts that a call raises an Error with these words."""
    try:
        call(*arguments, **options)
    except pfft3d.Error as error:
        assert error.status == status, (error.status, str(error))
        assert words in str(error), str(error)
        return
    raise AssertionError(f"no error with: {words}")


def fails(call, *arguments, **options):
    """Asserts that a call raises the same Error on every rank, that of the last one, which is wrong.  Returns its text."""
    try:
        call(*arguments, **options)
        said = "no error"
    except Exception as error:
        said = str(error) if isinstance(error, pfft3d.Error) else repr(error)
        kind = type(error)
    everywhere = comm.allgather(said)
    assert said != "no error" and kind is pfft3d.Error, said
    assert "is NULL" not in said and all(other == said for other in everywhere), everywhere
    return said


def odd(wrong, right):
    """An argument that the last rank alone has wrong."""
    return wrong if comm.rank == comm.size - 1 else right


class Dlpack:
    """An array that has nothing else."""

    def __init__(self, array):
        self.array = array

    def __dlpack__(self, **options):
        return self.array.__dlpack__(**options)

    def __dlpack_device__(self):
        return self.array.__dlpack_device__()


class OnRequest(Dlpack):
    """An array that exports a copy of its memory, as those of devices do.  `released` has what was in each copy
    when nobody held it any more; then it is NaN."""

    def __init__(self, array):
        super().__init__(array)
        self.released = []

    def __dlpack__(self, **options):
        memory = self.array.copy()
        lent = memory[...]
        weakref.finalize(lent, self._release, memory)
        return lent.__dlpack__(**options)

    def _release(self, memory):
        self.released.append(memory.copy())
        memory.fill(np.nan)


def main(tests):
    """Runs each test_* on all ranks; one that fails on any of them is named."""
    failed = 0
    for name, test in [(n, t) for n, t in tests.items() if n.startswith("test_")]:
        try:
            test()
            words = ""
        except Exception:
            words = traceback.format_exc()
            print(words, file=sys.stderr, flush=True)  # others may wait
        for rank, said in enumerate(comm.allgather(words)):
            if said and comm.rank == 0:
                print(f"{name}, rank {rank}:\n{said}")
            failed += bool(said)
    if comm.rank == 0:
        print("failed:", failed)
    sys.exit(bool(failed))
