# SPDX-License-Identifier: BSD-3-Clause
"""A scene for faults: an input, a job from file to file that can be stopped at a phase, what may
happen to its ranks, and what must be found afterwards.

The job, one of JOBS, makes out.h5 of in.h5 and reports to report.json.  Every other scene has an old
file under both names, which must be there in the end, untouched, unless there is a whole new one.
"""
import argparse
import filecmp
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time

import job

STAGGER = 2      # seconds that each rank waits longer than the one before
START = 25       # seconds that a job may need to start and end on a loaded machine
OLD = b"an older file, of the user\n"
FILES = ("--input", "in.h5", "--output", "out.h5")
NAMED = ("--deterministic", "--json", "report.json", "--quiet", "--wisdom", "none")


def make_input(path, n=32, dtype="float64", seed=1):
    import h5py
    import numpy
    with h5py.File(path, "w") as f:
        f.create_dataset("field", data=numpy.random.default_rng(seed).random((n, n, n)).astype(dtype))


def make_snapshot(path, n):
    """Of a flow, on one rank."""
    with job.Place() as place:
        outcome = job.run(job.command(1, ["turbulence", "--grid", str(n), "--case", "decay", "--time", "0.01",
                                          "--dt", "0.01", "--output", "in.h5", *NAMED]), place, 120)
        if outcome.code != 0:
            raise SystemExit(f"no snapshot: {outcome}")
        shutil.copy(place.path + "/in.h5", path)


class Job:
    """A command of the program.  phases: in the order in which it comes to them first.  reserve: the one
    after which nobody else can take the room of the output, where there is one.  copies: its first output
    is the input, which the last one replaces.  also: names that it leaves beside the output.  Jobs without
    --output have a report only."""

    def __init__(self, arguments, phases=("starting", "finishing"), reserve=None, make=make_input, most=1000, copies=False, also=(),
                 named=NAMED):
        self.arguments, self.phases, self.reserve = (*arguments, *named), phases, reserve
        self.writes = "--output" in arguments
        self.make, self.most, self.copies, self.also = make, most, copies, also

    def reserved(self, phase):
        """Whether the output has its room at the beginning of this phase."""
        return bool(self.reserve) and self.phases.index(phase) > self.phases.index(self.reserve)


LOOK, RESERVE, WRITE = "looking at the input", "reserving the output", "writing the output"
READ = "reading the input"
JOBS = {
    "transform": Job(("transform", *FILES), ["starting", LOOK, RESERVE, "planning", READ, "checking",
                                             "transforming", WRITE, "finishing"], RESERVE),
    "poisson": Job(("poisson", *FILES), ["starting", LOOK, RESERVE, "planning", READ, "transforming", WRITE,
                                         "finishing"], RESERVE),
    "compress": Job(("compress", *FILES, "--share", "40%"), ["starting", LOOK, "planning", READ, "transforming",
                                                             "selecting components", RESERVE, WRITE, "finishing"]),
    "turbulence": Job(("turbulence", "--restart", "in.h5", "--output", "out.h5", "--dt", "0.01", "--time", "0.02"),
                      ["starting", "looking at the snapshot", "planning", "reading the snapshot",
                       "reserving a snapshot", "transforming", "writing a snapshot", "finishing"],
                      make=make_snapshot, most=48, copies=True, also=("out.xdmf",)),
    "filter": Job(("filter", *FILES, "--gaussian", "1")),
    "convolve": Job(("convolve", *FILES, "--with", "in.h5")),
    "spectrum": Job(("spectrum", "--input", "in.h5")),
    "bench": Job(("bench", "--grid", "64", "--reps", "3")),
    "line": Job(("line", "--size", "20000", "--reps", "3")),
    "verify": Job(("verify", "--grid", "12x10x14")),
    "nas": Job(("nas", "--class", "S", "--reps", "1")),
    "tune": Job(("tune", "--grid", "16", "--plan-budget", "0.2"), named=NAMED[1:]),
}
JOB = JOBS["transform"]  # main() may take another one


def read(path):
    with open(path, "rb") as f:
        return f.read()


def processes(mark):
    """Those that have the mark in their environment, with all it says: {pid: {name: value}}."""
    found = {}
    for name in os.listdir("/proc"):
        if not name.isdigit():
            continue
        try:
            words = read(f"/proc/{name}/environ").split(b"\0")
            if mark.encode() in words and state(int(name)) not in "ZX":
                found[int(name)] = dict(w.decode(errors="replace").partition("=")[::2] for w in words)
        except OSError:
            continue
    return found


def state(pid):
    """The letter of a process's state; X when there is none."""
    try:
        return read(f"/proc/{pid}/stat").rpartition(b")")[2].split()[0].decode()
    except OSError:
        return "X"


def until(condition, seconds):
    """Waits for it to be true; whether it became so."""
    end = time.time() + seconds
    while not condition():
        if time.time() > end:
            return False
        time.sleep(0.01)
    return True


def unmount(path):
    """Of a file system that nobody should use any more; one that is still in use goes when it is not."""
    def done():
        return subprocess.run(["umount", path], capture_output=True, check=False).returncode == 0
    if not until(done, 5):
        IN_USE.append(path)
        subprocess.run(["umount", "-l", path], check=False)


IN_USE = []  # where a job was over, and yet something held its file system


class Reference:
    """What the job reads, and what it makes of that where nothing is wrong, for each number of ranks."""
    inputs, kept = {}, {}

    @classmethod
    def make_input(cls, path, n):
        if n not in cls.inputs:
            JOB.make(path, n)
            cls.inputs[n] = read(path)
        with open(path, "wb") as f:
            f.write(cls.inputs[n])

    @classmethod
    def outputs(cls, ranks, n):
        """The last one is that of the whole job."""
        if (ranks, n) not in cls.kept:
            with job.Place() as place:
                cls.make_input(place.path + "/in.h5", n)
                outcome = job.run(job.command(ranks, JOB.arguments), place, 120)
                if outcome.code != 0:
                    raise SystemExit(f"without a fault: {outcome}")
                cls.kept[ranks, n] = read(place.path + "/out.h5") if JOB.writes else None
        return [*([cls.inputs[n]] if JOB.copies else []), cls.kept[ranks, n]]

    @classmethod
    def output(cls, ranks, n):
        return cls.outputs(ranks, n)[-1]


class Scene:
    """A place with an input, and one job in it.  folder: where out.h5 and report.json are."""

    def __init__(self, ranks, old=False, watchdog=60, n=32, folder="."):
        self.ranks, self.old, self.watchdog, self.folder = ranks, old, watchdog, folder
        self.n = min(n, JOB.most)
        self.expected = {"in.h5"}
        self.process = self.pids = None
        self.mounted = []  # file systems of its own
        self.temporary = set()  # names of temporary files that were seen

    def __enter__(self):
        self.place = job.Place().__enter__()
        self.path = self.place.path
        self.mark = "PFFT3D_FAULT=" + self.path
        Reference.make_input(self.file("in.h5"), self.n)
        return self

    def __exit__(self, *what):
        self.kill()
        for path in reversed(self.mounted):
            unmount(path)
        self.place.__exit__(*what)

    def kill(self):
        """Ends the job, whatever it is at, and waits until all of it is gone."""
        def gone():
            left = processes(self.mark)
            for pid in left:
                try:
                    os.kill(pid, signal.SIGKILL)
                except OSError:
                    pass
            return not left
        until(gone, 10)
        if self.process:
            self.process.wait()

    def file(self, name):
        return os.path.join(self.path, name)

    def outputs(self):
        """Of the job: the output, if it has one, and the report."""
        return [os.path.normpath(os.path.join(self.folder, x)) for x in ("out.h5", "report.json")[not JOB.writes:]]

    def arguments(self, more=()):
        words = list(JOB.arguments)
        for name, path in zip(("--output", "--json")[not JOB.writes:], self.outputs()):
            words[words.index(name) + 1] = path
        return words + ["--watchdog", str(self.watchdog), *(["--force"] if self.old and JOB.writes else []), *more]

    def start(self, stop=None, more=(), environment=(), words=None):
        """Starts the job, to stop at a phase (of a rank: "PHASE@RANK") if one is named."""
        if self.old:
            for name in self.outputs():
                with open(self.file(name), "wb") as f:
                    f.write(OLD)
        surroundings = {"PFFT3D_FAULT": self.path, **dict(environment)}
        if stop:
            surroundings["PFFT3D_TEST_STOP"] = stop
        self.began = time.time()
        words = words or job.command(self.ranks, self.arguments(more))
        self.process = job.start(["sh", "-c", 'ulimit -c 0; exec "$@"', "sh", *words], self.place, surroundings)

    def find_ranks(self):
        """Process of each rank, by number."""
        found = {}
        for pid, words in processes(self.mark).items():
            rank = words.get("OMPI_COMM_WORLD_RANK") or words.get("PMI_RANK")
            try:
                if rank and os.readlink(f"/proc/{pid}/exe") == os.path.realpath(job.PROGRAM):
                    found[int(rank)] = min(pid, found.get(int(rank), pid))
            except OSError:
                pass
        return found

    def stopped(self, who=None):
        """Waits until all ranks (or one) have stopped themselves; False: the job was over before."""
        wanted = set(range(self.ranks)) if who is None else {who}

        def there():
            self.pids = self.find_ranks()
            return self.process.poll() is not None or (
                wanted <= set(self.pids) and all(state(self.pids[r]) in "Tt" for r in wanted))
        came = until(there, START + 20) and self.process.poll() is None
        self.temporary |= {os.path.basename(x) for x in self.walk() if ".pfft3d-" in x}
        return came

    def send(self, number, who=None):
        """A signal to ranks (None: all; "mpirun": that)."""
        pids = [self.process.pid] if who == "mpirun" else \
            self.pids.values() if who is None else [self.pids[who]]
        for pid in pids:
            try:
                os.kill(pid, number)
            except ProcessLookupError:
                pass

    def resume(self):
        self.send(signal.SIGCONT)

    def limit(self):
        return self.watchdog + STAGGER * min(self.ranks, 30) + 10

    def end(self, codes, messages=(0, 1), limit=None, lost=()):
        """Waits for the end; what is wrong with it, in words.  lost: names that may be missing."""
        self.outcome = job.finish(self.process, self.place, limit or self.limit() + START, self.began)
        self.outcome.left = []  # judged below
        why = [job.judge(self.outcome, codes, messages)]
        if not until(lambda: not processes(self.mark), 10):
            why.append(f"processes are left: {list(processes(self.mark))}")
        why += [self.judge_files(lost), self.judge_semaphores()]
        return "; ".join(x for x in why if x)

    def walk(self):
        for folder, _, files in os.walk(self.path):
            for name in files:
                yield os.path.relpath(os.path.join(folder, name), self.path)

    def judge_files(self, lost=()):
        why = []
        outputs = self.outputs()
        names = set(self.walk())
        also = {os.path.join(os.path.dirname(outputs[0]), x) for x in JOB.also}
        rest = names - self.expected - set(outputs) - also
        if rest:
            why.append("left behind: " + " ".join(sorted(rest)))
        whole = dict(zip(outputs, (self.whole_output, self.whole_report)[not JOB.writes:]))
        for name in outputs:
            if name not in names:
                if (self.old and name not in lost) or self.outcome.well():
                    why.append(f"{name} is gone")
            elif not (self.old and read(self.file(name)) == OLD and not self.outcome.well()) \
                    and not whole[name](self.file(name)):
                why.append(f"{name} is not whole")
        return "; ".join(why)

    def judge_semaphores(self):
        """Open MPI's, of the temporary files that are gone."""
        names = {f"sem.OMPIO_{x}" for x in self.temporary - {os.path.basename(x) for x in self.walk()}}
        left = sorted(names & set(os.listdir("/dev/shm")))
        return "left in /dev/shm: " + " ".join(left) if left else ""

    def whole_output(self, path):
        wholes = Reference.outputs(self.ranks, self.n)
        return read(path) in (wholes[-1:] if self.outcome.well() else wholes)

    @staticmethod
    def whole_report(path):
        try:
            return bool(json.loads(read(path))["runs"])
        except (ValueError, KeyError):
            return False

    def again(self):
        """A next run in the same place must do as ever."""
        self.old = True
        self.start()
        return self.end({0}, (0, 0))


class Skip(Exception):
    """A case that cannot be tried here, and why."""


def main(cases, about, commands=("transform",)):
    """Runs cases, a list of (name, function(ranks, draw, old) -> what is wrong in words, job)."""
    global JOB
    parser = argparse.ArgumentParser(description=about)
    parser.add_argument("ranks", type=int)
    parser.add_argument("count", type=int, nargs="?", default=0, help="cases drawn from all; 0: all")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", help="the name of one case")
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--command", choices=commands, default="transform", help="the job (transform)")
    o = parser.parse_args()
    JOB = JOBS[o.command]
    table = cases(o.ranks)
    if o.list:
        print("\n".join(name for name, _ in table))
        return 0
    names = [name for name, _ in table]
    if o.only:
        chosen = [case for case in table if case[0] == o.only]
        if not chosen:
            parser.error(f"no case '{o.only}' on {o.ranks} ranks (--list)")
    elif o.count and o.count < len(table):
        chosen = random.Random(o.seed).sample(table, o.count)
    else:
        chosen = table
    assert len(set(names)) == len(names), "two cases of one name"
    tally, skipped, began = job.Tally(), {}, time.time()
    print(f"{len(chosen)} of {len(table)} cases, {o.command}, {o.ranks} ranks, seed {o.seed}", flush=True)

    def run(case):
        draw = random.Random(f"{o.seed} {case[0]}")
        try:
            return case[1](o.ranks, draw, draw.random() < 0.5)
        except Skip as reason:
            return None, str(reason)

    for (name, _), (why, outcome) in zip(chosen, job.side_by_side(run, chosen)):
        if why is None:
            skipped[outcome] = skipped.get(outcome, 0) + 1
            continue
        tally.note(f"{os.path.basename(sys.argv[0])} {o.ranks} --command {o.command} --seed {o.seed} "
                   f"--only '{name}'", why, outcome)
    for path in IN_USE:
        tally.note(os.path.basename(sys.argv[0]), f"{path} was still in use when its job was over")
    for reason, times in skipped.items():
        print(f"skipped {times}: {reason}")
    print(f"{tally.tried / max(time.time() - began, 1e-9) * 3600:.0f} an hour")
    return tally.end()
