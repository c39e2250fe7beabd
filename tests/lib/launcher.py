# SPDX-License-Identifier: BSD-3-Clause
"""Words of the launcher among those of the program."""
import re


def own(stderr):
    """What ranks said, without the lines that the launcher of Open MPI 5 adds to any status but 0."""
    return re.sub(rb"-{70,}\nprterun detected.*?\n-{70,}\n", b"", stderr, flags=re.S)
