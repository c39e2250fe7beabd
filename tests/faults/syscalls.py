# SPDX-License-Identifier: BSD-3-Clause
"""Calls of the system that fail: every single one that a rank makes from its first look at the input
to its end, with each error that it may have (strace injects them).

    syscalls.py RANKS [COUNT] [--seed N] [--only NAME] [--command COMMAND]
"""
import collections
import os
import shutil
import subprocess
import sys

import job
import scene
from scene import Scene, Skip

# An error, or what the call returns: 0 is a write of nothing, or the end of a file.  (More would be a
# lie, for the call is not made; short writes: disks.py.)
ERRORS = {
    ("pwrite64", "pwritev", "write"): ["EIO", "ENOSPC", "EDQUOT", "EINTR", "0"],
    ("pread64", "preadv", "read"): ["EIO", "EINTR", "0"],
    ("fallocate", "ftruncate"): ["EIO", "ENOSPC", "EDQUOT", "EINTR", "EOPNOTSUPP"],
    ("fsync", "fdatasync"): ["EIO", "ENOSPC", "EDQUOT", "EINTR"],
    ("rename", "renameat", "renameat2", "link", "linkat"): ["EIO", "ENOSPC", "EACCES", "EINVAL"],
    ("open", "openat"): ["EIO", "ENOSPC", "EINTR", "EMFILE", "EACCES"],
    ("close",): ["EIO", "EINTR", "EDQUOT"],
    ("unlink", "unlinkat"): ["EIO", "EACCES"],
    ("newfstatat", "fstat", "stat", "lstat", "statfs", "fstatfs", "flock"): ["EIO"],
    ("getrandom",): ["ENOSYS", "EINTR", "1"],
}
CODES = {0, 65, 66, 69, 70, 71, 73, 74, 79}  # 69: no memory to share
HARMLESS = {("fallocate", "EINTR"), ("fallocate", "EOPNOTSUPP")}  # there are other ways
OWN = {135}  # Open MPI 4.1 maps a file of MPI-IO's that it could not write, and dies of SIGBUS


def able():
    if not shutil.which("strace"):
        return "no strace"
    words = ["strace", "-qq", "-o", "/dev/null", "-e", "trace=fsync", "-e", "inject=fsync:error=EIO", "true"]
    return "" if subprocess.run(words, capture_output=True, check=False).returncode == 0 else "no tracing"


def tracer(pid):
    try:
        for line in scene.read(f"/proc/{pid}/status").splitlines():
            if line.startswith(b"TracerPid:"):
                return int(line.split()[1])
    except OSError:
        pass
    return 0


def attach(s, pid, words):
    """A tracer of the main thread of a process that stands still, and its log."""
    log = f"{s.path}.trace"
    trace = subprocess.Popen(["strace", "-qq", "-o", log, "-p", str(pid), *words], stdin=subprocess.DEVNULL,
                             stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    if not scene.until(lambda: tracer(pid), 20):
        trace.kill()
        raise Skip("the tracer did not attach")
    return trace, log


def traced(s, who, words, codes):
    """Runs the job of a scene with a tracer; what it wrote, by lines, and what is wrong."""
    s.start(scene.JOB.phases[1])
    if not s.stopped():
        return [], s.end(()) + "; it never came to this phase"
    trace, log = attach(s, s.pids[who], words)
    s.resume()
    why = s.end(codes)
    trace.wait()
    lines = scene.read(log).decode(errors="replace").splitlines()
    os.unlink(log)
    return lines, why


def census(ranks, who):
    """How many calls of each kind there are."""
    names = [name for kind in ERRORS for name in kind]
    with Scene(ranks, watchdog=60) as s:
        lines, why = traced(s, who, ["-e", "trace=" + ",".join(names)], CODES)
        if why or s.outcome.code:
            raise SystemExit(f"without a fault: {why}\n{s.outcome}")
        return collections.Counter(line.split("(")[0] for line in lines)


def failing(who, call, failure, k):
    def case(ranks, draw, old):
        how = f"retval={failure}" if failure.isdigit() else f"error={failure}"
        harmless = (call, failure) in HARMLESS
        with Scene(ranks, old, watchdog=30 if harmless else 3) as s:
            codes = {0} if harmless else CODES | OWN if call == "write" else CODES
            lines, why = traced(s, who, ["-e", f"trace={call}", "-e", f"inject={call}:{how}:when={k}"], codes)
            hit = [x for x in lines if "INJECTED" in x]
            if not hit:  # with the old file there, there may be a call less
                if s.outcome.code != 0 and not why:
                    why = f"nothing was injected, and yet code {s.outcome.code}"
                if not why:
                    raise Skip("there was no such call this time")
            elif why == "left behind: " + os.path.basename(hit[0].partition('"')[2].partition('"')[0]) \
                    and call.startswith("unlink"):
                why = ""  # nobody could remove it
            elif why:
                why += "; it was " + hit[0]
            if not why and draw.random() < 0.1:
                why = s.again()
            return why, s.outcome
    return case


def cases(ranks):
    reason = able()
    if reason:
        print(f"skipped: {reason}\ntried 0 wrong 0")
        sys.exit(77)
    table = []
    for who in sorted({0, ranks - 1}):
        there = census(ranks, who)
        for kind, failures in ERRORS.items():
            table += [(f"{failure} of {call} {k} on {who}", failing(who, call, failure, k))
                      for call in kind for k in range(1, there[call] + 1) for failure in failures]
    return table


if "ASAN_OPTIONS" in os.environ:  # a traced process cannot look for leaks
    os.environ["ASAN_OPTIONS"] += ":detect_leaks=0"
sys.exit(scene.main(cases, __doc__, scene.JOBS))
