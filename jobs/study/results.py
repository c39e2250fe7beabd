# SPDX-License-Identifier: BSD-3-Clause
"""results.jsonl: one line for each point, the report of the program with an object "study" beside it.

A line is written whole, with one call, when its point is done.  What a killed study leaves is
therefore whole lines and perhaps one broken one at the end.
"""
import fcntl
import json
import os
import shutil
import time

from message import CREATE, DATA, USAGE, Failure, warn
from points import key

SETTINGS = ("algos", "reps", "direction", "more")  # the same in all lines of a study


class Results:
    def __init__(self, folder):
        self.folder = folder
        self.path = os.path.join(folder, "results.jsonl")
        self.lines = []  # (bytes, object) each
        self.dropped = 0
        self.lock = None

    def open(self):
        """Makes the folder, and keeps other studies out of it as long as this one or a launcher
        that it started (which inherits the lock) is alive."""
        try:
            os.makedirs(self.folder, exist_ok=True)
            self.lock = os.open(os.path.join(self.folder, ".lock"), os.O_CREAT | os.O_RDWR, 0o666)
        except OSError as error:
            raise Failure(CREATE, "cannot create '%s': %s" % (error.filename, error.strerror))
        for attempt in range(11):  # a launcher whose study was killed takes its time to end
            try:
                fcntl.flock(self.lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                break
            except OSError:
                if attempt == 10:
                    raise Failure(CREATE, "another study is running in '%s'" % self.folder,
                                  "wait until it ends, or take another --out")
                time.sleep(1)
        for left in os.listdir(self.folder):  # by a study that was killed
            if left.startswith(".run-"):
                shutil.rmtree(os.path.join(self.folder, left), ignore_errors=True)
        self.load()

    def load(self):
        """Reads the whole lines.  A last line that is broken is left out; any other is an error."""
        try:
            with open(self.path, "rb") as file:
                raw = file.read()
        except FileNotFoundError:
            return
        except OSError as error:
            raise Failure(DATA, "cannot read '%s': %s" % (self.path, error.strerror))
        pieces = raw.split(b"\n")
        self.dropped = int(pieces[-1] != b"")
        for number, piece in enumerate(pieces[:-1], 1):
            try:
                line = json.loads(piece)
                key(line["study"])
                line["study"]["status"]
            except (ValueError, KeyError, TypeError, AttributeError):
                if number == len(pieces) - 1:
                    self.dropped = 1
                    break
                raise Failure(DATA, "'%s', line %d is no result of a study" % (self.path, number),
                              "remove this line to measure its point again")
            self.lines.append((piece, line))

    def check_settings(self, settings):
        """Points measured otherwise do not belong into the same tables."""
        for _, line in self.lines:
            if line["study"]["status"]:
                continue  # failed, perhaps because of them
            for field in SETTINGS:
                old, new = line["study"].get(field), settings[field]
                if old != new:
                    option = "options behind --" if field == "more" else "--" + field
                    show = [" ".join(x) if isinstance(x, list) else str(x) for x in (old, new)]
                    raise Failure(USAGE, "'%s' holds a study with %s '%s', this one has '%s'"
                                  % (self.folder, option, *show),
                                  "take another --out, or the options of that study")

    def keep(self, wanted):
        """Drops a broken line, and failed points that will be run again; other bytes stay."""
        again = [n for n, (_, line) in enumerate(self.lines)
                 if line["study"]["status"] and key(line["study"]) in wanted]
        if self.dropped:
            warn("the last line of '%s' was broken: its point is run again" % self.path)
        if not again and not self.dropped:
            return
        self.lines = [pair for n, pair in enumerate(self.lines) if n not in set(again)]
        self.replace(b"".join(raw + b"\n" for raw, _ in self.lines))

    def replace(self, content):
        temporary = self.path + ".new"
        with open(temporary, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        os.replace(temporary, self.path)

    def done(self):
        return {key(line["study"]) for _, line in self.lines if line["study"]["status"] == 0}

    def add(self, line):
        raw = json.dumps(line, separators=(",", ":")).encode()
        file = os.open(self.path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o666)
        try:
            if os.write(file, raw + b"\n") != len(raw) + 1:
                raise OSError(28, "No space left on device")
            os.fsync(file)
        except OSError as error:
            raise Failure(74, "cannot write '%s': %s" % (self.path, error.strerror))
        finally:
            os.close(file)
        self.lines.append((raw, line))


def rows(lines):
    """One dict for each strategy, direction and point that went well: what tables and plots show."""
    table = []
    for line in lines:
        if line["study"]["status"]:
            continue
        for run in line["runs"]:
            table.append(row(line, run))
    add_scaling(table)
    return table


def quartile(times, share):
    """Linear between neighbours, as numpy's percentile has it."""
    times = sorted(times)
    place = share * (len(times) - 1)
    below = int(place)
    above = min(below + 1, len(times) - 1)
    return times[below] + (place - below) * (times[above] - times[below])


def row(line, run):
    study, time_s = line["study"], run["time_s"]
    exchange, messages = run.get("exchange") or {}, run.get("messages") or {}
    decomp = run.get("decomp", study["decomp"])
    return {
        "command": study["command"], "scaling": study["scaling"], "given": study["given"],
        "grid": study["grid"], "type": study["type"], "precision": study["precision"],
        "direction": run.get("direction", "forward"), "asked": study["decomp"], "decomp": decomp,
        "pgrid": "x".join(str(p) for p in run.get("pgrid", [])), "algo": run["algo"],
        "engine": run.get("engine", ""), "threads": study["threads"], "ranks": study["ranks"],
        "cores": study["ranks"] * study["threads"], "nodes": line.get("nodes", 1),
        "oversubscribed": study["oversubscribed"], "reps": len(time_s["reps"]),
        "median_s": time_s["median"], "min_s": time_s["min"], "max_s": time_s["max"],
        "q1_s": quartile(time_s["reps"], 0.25), "q3_s": quartile(time_s["reps"], 0.75),
        "gflops": run.get("gflops"), "mops": run.get("mops"), "speedup": None, "efficiency": None,
        "hidden_share": exchange.get("hidden_share"),
        "exchange_gbs": exchange.get("gbs_per_rank"),
        "messages": messages.get("remote_per_rank"), "bytes_each": messages.get("bytes_each_max"),
        "phases": {name: run["phases"][name]["mean"] for name in ("fft", "post", "wait", "sync")
                   if name in run.get("phases", {})},
        "load": (line.get("load_average") or [None])[0], "host": line.get("host", "?"),
        "date": line.get("date", "?"), "version": line.get("version", "?"),
        "mpi": line.get("mpi", "?"),
    }


def problem(r):
    """What scales: rows of one problem differ in strategy and in ranks."""
    return (r["command"], r["scaling"], r["given"], r["type"], r["precision"], r["direction"])


def bases(table):
    """The base of each problem: its fastest strategy on the fewest cores."""
    found = {}
    for r in table:
        old = found.get(problem(r))
        if old is None or (r["cores"], r["median_s"]) < (old["cores"], old["median_s"]):
            found[problem(r)] = r
    return found


def add_scaling(table):
    """Speedup and efficiency over the base.  Weak: the work grows with ranks, not with threads, so that
    the time should stay what it is on more ranks, and fall with more threads."""
    base = bases(table)
    for r in table:
        b = base[problem(r)]
        if r["scaling"] == "none":
            continue
        work = r["ranks"] / b["ranks"] if r["scaling"] == "weak" else 1
        r["speedup"] = b["median_s"] / r["median_s"] * work
        r["efficiency"] = r["speedup"] / (r["cores"] / b["cores"])
