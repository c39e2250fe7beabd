# SPDX-License-Identifier: BSD-3-Clause
"""One run of the program under a fault, and the judgement of how it ended.

Every fault must end the job within the watchdog and a moment, with an expected code, at most one
message, nothing under the final name that is not whole, and nothing temporary left behind.
"""
import concurrent.futures
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import time

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "lib"))
from launcher import scaled  # noqa: E402

PROGRAM = os.environ.get("PFFT3D", "")
MPIRUN = shlex.split(os.environ.get("MPIRUN", "mpirun"))
HYDRA = "HYDRA" in os.environ


class Outcome:
    """How a job ended: code (None: it had to be killed), out, err, seconds, left (names)."""

    def __init__(self, code, out, err, seconds, left, pid):
        self.code, self.out, self.err, self.seconds, self.left = code, out, err, seconds, left
        self.messages = [x for x in err.splitlines() if x.startswith("pfft3d: error: ")]
        # Open MPI's launcher, and no rank, has crashed: at its own end, in PMIx or in what is unmapped then
        crashed = re.findall(r":0*(\d+)\] \*\*\* Process received signal", err)
        self.launcher = code == 139 and crashed == [str(pid)] or \
            HYDRA and code == 255 and "HYD_pmcd_pmip_control_cmd_cb" in err

    def well(self):
        """Whether the job says that all is done.  MPICH's launcher makes 0 of a signal to itself."""
        return self.code == 0 and not (HYDRA and self.messages)

    def __str__(self):
        tail = "\n".join(self.err.splitlines()[-12:])
        return f"code {self.code}, {self.seconds:.1f} s, left {self.left}, says:\n{tail}"


class Place:
    """A directory of its own for a run: entered, and removed at the end."""

    def __enter__(self):
        self.path = tempfile.mkdtemp(prefix="pfft3d-fault-")
        return self

    def __exit__(self, *_):
        shutil.rmtree(self.path, ignore_errors=True)

    def names(self):
        return sorted(os.listdir(self.path))


def command(ranks, arguments, options=()):
    """The words that start the program on a number of ranks."""
    return MPIRUN + ["-n", str(ranks), *options, PROGRAM, *arguments]


def finish(process, place, limit, began, expected_names=()):
    """Waits for a process started in a session of its own; kills what is left of it."""
    try:
        out, err = process.communicate(timeout=scaled(limit))
        code = process.returncode
        if code < 0:
            code = 128 - code
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        out, err = process.communicate()
        code = None
    left = [x for x in place.names() if x not in expected_names]
    return Outcome(code, out.decode(errors="replace"), err.decode(errors="replace"),
                   time.time() - began, left, process.pid)


def start(words, place, environment=()):
    """Starts a command in the place, in a session of its own."""
    return subprocess.Popen(words, cwd=place.path, env={**os.environ, **dict(environment)},
                            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                            stderr=subprocess.PIPE, start_new_session=True)


def run(words, place, limit=60, environment=(), expected_names=()):
    """Starts a command and waits for its end."""
    began = time.time()
    return finish(start(words, place, environment), place, limit, began, expected_names)


def by_hydra(codes):
    """What MPICH's launcher makes of codes: a signal's number is the code, and where it kills other
    ranks, because one has ended the run by itself, that of SIGKILL (Intel's: or 255)."""
    ends = {x - 128 if x > 128 else x for x in codes}
    killed = {9, 255} if "I_MPI_ROOT" in os.environ else {9}
    return ends | killed if ends & {75, 79} else ends


def judge(outcome, codes, messages=(0, 1)):
    """What is wrong with an outcome, in words; "" when it is as promised."""
    why = []
    codes = by_hydra(codes) if HYDRA else codes
    if outcome.code is None:
        why.append("it did not end")
    elif outcome.code not in codes and not outcome.launcher:
        why.append(f"code {outcome.code}, not one of {sorted(codes)}")
    if len(outcome.messages) not in range(messages[0], messages[1] + 1):
        why.append(f"{len(outcome.messages)} messages")
    if outcome.left:
        why.append("left behind: " + " ".join(outcome.left))
    return "; ".join(why)


def side_by_side(function, items):
    """What function makes of each item, in order; $SIDE_BY_SIDE (1) of them at a time, as most of a
    fault's time is mpirun's two seconds before it kills what is left."""
    with concurrent.futures.ThreadPoolExecutor(int(os.environ.get("SIDE_BY_SIDE", "1"))) as pool:
        yield from pool.map(function, items)


class Tally:
    """Counts what was tried and what went wrong; prints what the campaign scripts read."""

    def __init__(self):
        self.tried = self.wrong = 0

    def note(self, name, why, outcome=""):
        self.tried += 1
        if why:
            self.wrong += 1
            print(f"wrong: {name}: {why}\n{outcome}", flush=True)

    def end(self):
        print(f"tried {self.tried} wrong {self.wrong}", flush=True)
        return 1 if self.wrong or not self.tried else 0
