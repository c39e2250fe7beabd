# SPDX-License-Identifier: BSD-3-Clause
"""Memory that runs out on one rank.

    memory.py RANKS [COUNT] [--seed N] [--only NAME] [--command COMMAND]

A rank gets a limit of its address space where the job stands at a phase: so much more than it has then.
"""
import resource
import sys

import scene
from scene import Scene

# Nothing; less and more than a file's buffers, an array, and all that is needed.
ROOM = [0, 1 << 14, 1 << 16, 1 << 18, 1 << 20, 3 << 20, 8 << 20, 48 << 20, 256 << 20]
# 69: HDF5 itself could not be loaded.  70: an MPI call that had no memory says so.  79: one that does not.
CODES = {0, 66, 69, 70, 71, 73, 74, 79}


def used(pid):
    return int(scene.read(f"/proc/{pid}/statm").split()[0]) * resource.getpagesize()


def short(phase, who, room):
    def case(ranks, draw, old):
        with Scene(ranks, old, watchdog=4, n=48) as s:
            s.start(phase)
            if not s.stopped():
                return s.end(()) + "; it never came to this phase", s.outcome
            limit = used(s.pids[who]) + room
            resource.prlimit(s.pids[who], resource.RLIMIT_AS, (limit, limit))
            s.resume()
            codes = CODES if room < ROOM[-1] else {0}
            return s.end(codes) or s.again(), s.outcome
    return case


def cases(ranks):
    return [(f"room for {room} bytes on {who}, {p}", short(p, who, room))
            for p in scene.JOB.phases if p != "checking" for who in sorted({0, ranks - 1}) for room in ROOM]


sys.exit(scene.main(cases, __doc__, scene.JOBS))
