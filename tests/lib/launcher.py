# SPDX-License-Identifier: BSD-3-Clause
"""Words of the launcher among those of the program, and limits of time for both."""
import os
import re


def scaled(seconds):
    """So many seconds, times the load of each processor now (as in tests/lib/limited.sh)."""
    return seconds * max(1, os.getloadavg()[0] / os.cpu_count())


def own(stderr):
    """What ranks said, without the lines that the launcher of Open MPI 5 adds to any status but 0."""
    stderr = re.sub(rb"-{70,}\n\s*prterun detected.*?\n-{70,}(\n|\Z)", b"", stderr, flags=re.S)
    return re.sub(rb"^\[(.*\] PMIX ERROR: PMIX_ERR_UNREACH|warn\] Epoll) .*\n", b"", stderr, flags=re.M)
