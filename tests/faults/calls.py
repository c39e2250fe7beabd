# SPDX-License-Identifier: BSD-3-Clause
"""Faults in single calls: the k-th allocation or MPI call of one rank fails, or something happens to
the process in it, for all k or for some.

    calls.py COMMAND KIND ACTION RANK [STEP [FIRST]]     every STEP-th call from FIRST on (1, 1)
    calls.py list                                        the commands

COMMAND is one of COMMANDS or GUESTS, KIND malloc or mpi, ACTION what tests/faults/shim.c knows.  Needs
the environment of the tests, and $SHIM, the shared object.

Guests are programs of others that use the library.  Calls of the library alone are counted there, and
what may come of a fault is what guest.c and guest.py say.  They have no watchdog: of what can happen to
a process only errors are tried.
"""
import json
import os
import signal
import sys

import job

RANKS = 3
ALONE = ("kernels",)  # runs on one rank
SHIM = os.environ.get("SHIM", "")

# What is run, and the files that a run leaves.  Everything is named, so that little is measured.
NAMED = ["--wisdom", "none", "--engine", "simd"]
PACKED = ["--algo", "packed", *NAMED]
FIELD = ["--input", "in.h5", "--output", "out.h5"]
COMMANDS = {
    "transform": (["transform", "--input", "in.h5", "--output", "out.h5", "--json", "r.json",
                   "--wisdom", "none"], ["out.h5", "r.json"]),
    "back": (["transform", "--direction", "backward", "--type", "c2c", "--input", "in.h5",
              "--output", "out.h5", "--decomp", "pencil", "--algo", "packed", *NAMED], ["out.h5"]),
    "bench": (["bench", "--grid", "6x5x4", "--algo", "all", "--reps", "1", "--json", "r.json",
               *NAMED], ["r.json"]),
    "line": (["line", "--size", "48", "--algo", "packed", "--reps", "1", "--json", "r.json",
              *NAMED], ["r.json"]),
    "chirp": (["line", "--size", "37", "--type", "r2c", "--layout", "cyclic", "--reps", "1",
               *NAMED, "--algo", "packed"], []),
    "tune": (["tune", "--grid", "6x5x4", "--plan-budget", "0.1", "--wisdom", "w"], ["w"]),
    "verify": (["verify", "--grid", "4x3x5", "--type", "r2c", "--decomp", "slab", "--algo",
                "packed,rma", *NAMED], []),
    "poisson": (["poisson", *FIELD, "--json", "r.json", *PACKED], ["out.h5", "r.json"]),
    "filter": (["filter", *FIELD, "--gaussian", "1", *PACKED], ["out.h5"]),
    "convolve": (["convolve", *FIELD, "--with", "in.h5", *PACKED], ["out.h5"]),
    "compress": (["compress", *FIELD, "--share", "10%", *PACKED], ["out.h5"]),
    "spectrum": (["spectrum", "--input", "in.h5", "--csv", "s.csv", *PACKED], ["s.csv"]),
    "turbulence": (["turbulence", "--grid", "6", "--re", "10", "--time", "0.2", "--dt", "0.1", "--every",
                    "0.1", "--output", "s-##.h5", "--csv", "t.csv", "--deterministic", *PACKED],
                   ["s-00.h5", "s-01.h5", "s-02.h5", "s-.xdmf", "t.csv"]),
    "nas": (["nas", "--class", "S", "--reps", "1", "--json", "r.json", *PACKED], ["r.json"]),
    "kernels": (["kernels", "--sizes", "16,8x8", "--threads", "1", "--reps", "1", "--json", "r.json"], ["r.json"]),
}

# The words that start a guest, the library that is loaded before its own, and how it may end: FFTW does
# what the drop-in cannot, and errors of MPI end its program (16, the error class).  Elsewhere the library ends
# the job, where a rank alone knows of an error of MPI (70); or it was no loss.
BUILD = os.environ.get("builddir", "")
SOURCE = os.environ.get("srcdir", "")
GUESTS = {
    "dropin": ([f"{BUILD}/tests/faults/guest"], "libpfft3d_fftw3_mpi.so",
               {"malloc": {0}, "mpi": {0, 16}}),
    "careless": ([f"{BUILD}/tests/faults/careless"], "libpfft3d.so", {"malloc": {0}, "mpi": {0, 16, 70}}),
    "python": ([sys.executable, f"{SOURCE}/tests/faults/guest.py"], "libpfft3d.so",
               {"malloc": {0, 71}, "mpi": {0, 70}}),
}

LEFT = ("in.h5", "call.0", "call.1", "call.2", "call.fired")  # by the tests
BEFORE = 5  # calls of MPI, until errors of MPI are handled on both predefined communicators

# How a run may end.  A signal before the program listens, or when all is done, is the system's.
CODES = {
    ("malloc", "error"): {71}, ("mpi", "error"): {70}, ("mpi", "late"): {70},
    "kill": {137}, "segv": {139}, "stop": {79},
    "term": {75, 143}, "int": {75, 130}, "usr2": {75, 140}, "exit": {1},
}


def environment(place, fault="", library=""):
    words = ["env", f"LD_PRELOAD={SHIM}{library and ':'}{library}", f"PFFT3D_FAULT_FILE={place.path}/call"]
    return words + ([f"PFFT3D_FAULT={fault}"] if fault else [])


def make_input(place):
    """A small real file, by pfft3d's own rules of what it reads."""
    import h5py
    import numpy
    with h5py.File(os.path.join(place.path, "in.h5"), "w") as f:
        shape = (5, 6, 7)
        f["field"] = numpy.sin(numpy.arange(210.0)).reshape(shape)
        f["field"].attrs["unit"] = "none"


class Case:
    """A command with its clean run: what the files hold, and how many calls each rank made."""

    def __init__(self, name):
        self.arguments, self.files = COMMANDS[name]
        self.ranks = 1 if name in ALONE else RANKS
        self.try_whole(name)

    def try_whole(self, name):
        """The clean run."""
        with job.Place() as place:
            outcome = self.run(place)
            if outcome.code != 0:
                sys.exit(f"{name} fails without a fault: {outcome}")
            self.whole = {x: self.read(place, x) for x in self.files}
            self.counts = []
            for rank in range(self.ranks):
                with open(os.path.join(place.path, f"call.{rank}"), encoding="ascii") as f:
                    words = f.read().split()
                self.counts.append({"malloc": int(words[1]), "mpi": int(words[3])})

    @staticmethod
    def read(place, name):
        with open(os.path.join(place.path, name), "rb") as f:
            return f.read()

    def run(self, place, fault="", watchdog=20):
        if "in.h5" in self.arguments:
            make_input(place)
        words = job.command(self.ranks, [*self.arguments, "--watchdog", str(watchdog)],
                            environment(place, fault))
        # the watchdogs of the ranks wait two seconds for each other
        return job.run(words, place, limit=watchdog + 2 * RANKS + 10,
                       environment={"XDG_CACHE_HOME": place.path},
                       expected_names=LEFT)

    def not_whole(self, place, left):
        """What is left that should not be: files that are there must be whole."""
        bad = []
        for name in left:
            if name not in self.files:
                bad.append(name)
            elif name.endswith(".json"):
                try:
                    json.loads(self.read(place, name))
                except ValueError:
                    bad.append(name + " (not whole)")
            elif name.endswith((".h5", "s.csv")) and self.read(place, name) != self.whole[name]:
                bad.append(name + " (not whole)")
            elif name == "t.csv" and not self.whole[name].startswith(self.read(place, name)):
                bad.append(name + " (not the beginning)")  # it grows with the steps
            elif name.endswith(".xdmf") and not self.read(place, name).endswith(b"</Xdmf>\n"):
                bad.append(name + " (not whole)")
            elif name == "w" and not self.read(place, name).startswith(self.whole[name][:16]):
                bad.append(name + " (not whole)")
        return bad

    def fault(self, kind, number, rank, action):
        """Runs with one fault; what is wrong, and the outcome."""
        with job.Place() as place:
            outcome = self.run(place, f"{kind}:{number}:{rank}:{action}",
                               6 if action in ("stop", "exit") else 20)
            fired = self.end_fired(place)
            outcome.left = self.not_whole(place, outcome.left)
            allowed, messages = self.promised(kind, number, rank, action, fired, outcome)
            why = job.judge(outcome, allowed, messages)
            return why + (f" ({fired})" if why else ""), outcome

    def promised(self, kind, number, rank, action, fired, outcome):
        """The codes that a run may end with, and its least and most messages."""
        allowed = CODES.get((kind, action)) or CODES[action]
        messages = (0, 1)
        last = number >= self.counts[rank][kind]
        if not fired:  # a call that depends on the time was not made again
            allowed = {0}
        elif kind == "malloc" and action == "error" and not job.judge(outcome, {0}, (0, 0)):
            allowed = {0}  # memory that only would have helped
        elif "MPI_File" in fired:  # said as errors of files are; or others wait in the call
            allowed = allowed | {66, 74, 79}
        elif "MPI_Get_library_version" in fired and action == "error":  # then it is taken for ours
            allowed = allowed | {0}
        elif "MPI_Win_allocate" in fired:  # others wait in the call, too
            allowed = allowed | {79}
        elif action == "exit" and number == 1:  # mpirun may not mind, and the others wait
            allowed = allowed | {79}
        elif kind == "mpi" and number <= BEFORE:
            allowed = allowed | {1, 16, 17}  # MPI's own end, with its error class
        elif kind == "mpi" and last:
            allowed = allowed | {0, 1}  # in MPI_Finalize, when all is done
        elif allowed == {70}:
            messages = (1, 1)
        if fired and action in ("kill", "segv") and rank == 0:
            outcome.left = [x for x in outcome.left if not x.startswith(".out.h5.pfft3d-")]
        return allowed, messages

    @staticmethod
    def end_fired(place):
        """What the shim said when the fault happened; ends a process that is still stopped."""
        try:
            with open(os.path.join(place.path, "call.fired"), encoding="ascii") as f:
                call, pid = f.read().rsplit(maxsplit=1)
        except (OSError, ValueError):
            return ""
        try:
            with open(f"/proc/{pid}/environ", "rb") as f:
                ours = place.path.encode() in f.read()
            if ours:
                os.kill(int(pid), signal.SIGKILL)
        except OSError:
            pass
        return call


class Guest(Case):
    """A program of others that uses the library."""

    def __init__(self, name):
        self.words, self.library, self.codes = GUESTS[name]
        self.files, self.ranks = [], RANKS
        self.try_whole(name)

    def run(self, place, fault="", watchdog=20):
        library = os.path.join(BUILD, ".libs", self.library)
        folders = ":".join(x for x in (f"{BUILD}/.libs", os.environ.get("LD_LIBRARY_PATH")) if x)
        words = [*job.MPIRUN, "-n", str(self.ranks), *environment(place, fault, library), *self.words]
        outcome = job.run(words, place, limit=watchdog + 10, expected_names=LEFT, environment={
            "XDG_CACHE_HOME": place.path, "LD_LIBRARY_PATH": folders, "PFFT3D_FAULT_IN": "library",
            "PFFT3D_FFTW": "all", "PFFT3D_LIBRARY": f"{BUILD}/.libs/libpfft3d.so",
            "PYTHONPATH": f"{SOURCE}/src/python"})
        outcome.messages = [x for x in outcome.err.splitlines() if x.startswith("pfft3d: ")]
        return outcome

    def promised(self, kind, number, rank, action, fired, outcome):
        """One message where it did not end well; MPI may have a word of its own (16)."""
        messages = {0: (0, 0), 16: (0, 1)}.get(outcome.code, (1, 1))
        return self.codes[kind] if fired else {0}, messages


def main():
    if sys.argv[1:] == ["list"]:
        print(*COMMANDS, *GUESTS)
        return 0
    name, kind, action = sys.argv[1:4]
    rank, step, first = (int(x) for x in (*sys.argv[4:], "1", "1")[:3])
    case, tally = Guest(name) if name in GUESTS else Case(name), job.Tally()
    print(f"{name}: calls by rank {case.counts}", flush=True)
    numbers = range(first, case.counts[rank][kind] + 1, step)
    outcomes = job.side_by_side(lambda number: case.fault(kind, number, rank, action), numbers)
    for number, (why, outcome) in zip(numbers, outcomes):
        tally.note(f"calls.py {name} {kind} {action} {rank} 1000000 {number}", why, outcome)
    return tally.end()


if __name__ == "__main__":
    sys.exit(main())
