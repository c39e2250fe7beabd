#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Do the tests see a mistake in the code?  Changes one place of src/ at a time and runs the tests of its
folder, until one fails; tests/long/mutation.sh calls it.

    mutation.py prepare FOLDER SOURCE    copies of the tree in FOLDER, and the build of worker 0
    mutation.py run FOLDER SEED COUNT [WORKER WORKERS]
                                         mutants 0 to COUNT - 1 of SEED, those of one worker
    mutation.py again FOLDER SEED COUNT [WORKER WORKERS]
                                         survivors that have not met all tests, once more
    mutation.py one FOLDER SEED NUMBER [TEST...]   one of them, and what these tests say, or the folder's
    mutation.py show FOLDER SEED NUMBER  the change only
    mutation.py sum FOLDER SEED COUNT REASONS      the shares, and survivors without a reason in REASONS

Mutant NUMBER of SEED is a place drawn from all those of src/, and what is put there.  It is in
FOLDER/mutants.csv when it has been tried, and not tried again.  Mutants that do not compile or link, and
those whose objects are the same bit for bit, do not count.  LIMIT=seconds: run begins no other mutant
later; TRY=seconds of tests (90) that no mutant gets more of before it is a survivor.

A mutant may do anything, so its tests run in namespaces of their own, for which one has to be root:
all of the file system but the folder of the worker is read-only, and no process of others is seen.
"""
import csv
import fcntl
import glob
import hashlib
import os
import random
import re
import shutil
import subprocess
import sys
import time

from launcher import scaled

# What is no code, and is blank where places are looked for.
NO_CODE = re.compile(r"""/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|^[ ]*\#(?:\\\n|[^\n])*""", re.S | re.M)
NUMBER = re.compile(r"(?<![\w.])[0-9]{1,9}(?![\w.])")
OPERATOR = re.compile(r"(?<= )(?:<=|>=|==|!=|&&|\|\||[-+*/<>])(?=[ \n])")
IF = re.compile(r"\bif \(")
# A call, an assignment (a declaration has a space before its name), or a way out of a loop, on a line of its own.
STATEMENT = re.compile(r"(?<=^)[ ]+((?:\*?[A-Za-z_][\w.]*(?:->\w+|\[[^\]\n]*\])*(?: [-+*/|&]?= |\(|\+\+;|--;)[^\n{}]*;"
                       r"|\+\+\w+;|--\w+;|continue;|break;))$", re.M)
OTHERS = {"<": ("<=", ">"), "<=": ("<", ">"), ">": (">=", "<"), ">=": (">", "<"), "==": ("!=",), "!=": ("==",),
          "&&": ("||",), "||": ("&&",), "+": ("-",), "-": ("+",), "*": ("/",), "/": ("*",)}
NO_LINK = "no linking"
KINDS = {"&&": "and, or", "||": "and, or", "+": "arithmetic", "-": "arithmetic", "*": "arithmetic", "/": "arithmetic"}
# The tests of a file are those of the longest beginning of its name.
FIELDS = "transform/test_random transform/test_keep transform/test_boxes transform/test_redist"
LINES = "line/test_line_random line/test_line_kinds line/test_line_split line/test_line_errors line/test_line_batch line/test_line"
PLANS = (FIELDS + " unit/test_geometry transform/test_plan line/test_line_random transform/test_arrays transform/test_cuts "
         "transform/test_join transform/test_transpose line/test_line_split line/test_line_counts transform/test_batch "
         "transform/test_execute faults/test_memory transform/test_uneven faults/mpi_check.sh")
PROGRAM = "program/commands.sh program/reports.sh program/errors.sh program/bad_lines.sh"
TESTS = {
    "base/": "unit/test_barrier unit/test_misuse transform/test_plan faults/test_memory transform/test_local transform/test_progress "
             "transform/test_shared program/errors.sh " + FIELDS,
    "layout/": "unit/test_layout unit/test_view unit/test_vector unit/test_geometry transform/test_cuts " + FIELDS +
               " line/test_line_random line/test_line_counts",
    "exchange/": "unit/test_exchange unit/test_geometry transform/test_local transform/test_caps transform/test_random line/test_line_random "
                 "transform/test_shared transform/test_redist transform/test_uneven transform/test_join transform/test_wire "
                 "unit/test_misuse unit/test_explain faults/test_memory",
    "local/": "unit/test_move unit/test_twiddle transform/test_random line/test_line_random transform/test_join "
              "transform/test_family unit/test_engine unit/test_several line/test_line_kinds transform/test_bits transform/test_threads",
    "local/opencl": "device/device.sh unit/test_engine", "local/planes": "device/device.sh unit/test_engine",
    "device/": "device/device.sh device/test_device_kernels unit/test_kernels program/kernels.sh",
    "kernels/": "unit/test_kernels unit/test_engine program/kernels.sh device/device.sh device/test_device_kernels",
    "line/": LINES + " line/test_line_counts line/test_line_bits line/line_numpy.sh program/line.sh",
    "plan/": "unit/test_explain unit/test_misuse unit/api.sh " + PLANS,
    "plan/boxed": "transform/test_boxes unit/test_explain transform/test_random unit/test_misuse transform/test_arrays",
    "plan/join": "transform/test_join unit/test_misuse transform/test_plan",
    "request/": "unit/test_request unit/test_text unit/test_wisdom_text unit/test_explain transform/test_plan unit/test_misuse "
                "unit/api.sh program/errors.sh transform/test_cuts transform/test_arrays",
    "request/axes": "transform/test_flat transform/test_join unit/test_explain",
    "request/boxes": "transform/test_boxes transform/test_random unit/test_misuse",
    "geometry/": "unit/test_scheme unit/test_geometry unit/test_explain " + PLANS,
    "geometry/matrix": LINES + " line/test_line_counts unit/test_explain",
    "pipeline/": "unit/test_view " + PLANS, "pipeline/matrix": LINES + " line/test_line_counts", "pipeline/edges": LINES,
    "redist/": "transform/test_redist transform/test_boxes unit/test_misuse transform/test_transpose faults/test_memory",
    "redist/halo": "transform/test_redist unit/test_misuse faults/test_memory",
    "redist/transpose": "transform/test_transpose unit/test_misuse faults/test_memory",
    "planner/": "unit/test_refused unit/test_model unit/test_candidates unit/test_machine unit/test_explain unit/test_wisdom_text unit/test_wisdom unit/test_request "
                "transform/test_plan transform/test_random line/test_line_random unit/test_misuse program/tune.sh "
                "program/commands.sh program/reports.sh program/errors.sh unit/api.sh",
    "planner/create": "transform/test_uneven transform/test_plan unit/test_misuse unit/test_wisdom transform/test_local "
                      "faults/test_memory",
    "hdf5/": "files/test_files files/test_files_errors files/test_probe files/test_files_misuse files/test_beside "
             "files/test_swap files/test_plugin files/files_h5py.sh files/probe.sh files/test_files_matrix "
             "files/transform_numpy.sh program/errors.sh faults/faults.sh",
    "hdf5/npy": "files/parts.sh files/formats.sh transform/test_nd", "hdf5/output_npy": "files/formats.sh files/plain.sh",
    "hdf5/raw": "files/parts.sh files/plain.sh transform/test_nd", "hdf5/selection": "files/parts.sh transform/test_nd files/formats.sh",
    "hdf5/scales": "files/netcdf.sh", "hdf5/conventions": "files/netcdf.sh files/formats.sh", "hdf5/storage": "files/store.sh files/formats.sh",
    "nd/": "transform/test_nd unit/test_misuse files/axes.sh python/random.sh faults/test_memory",
    "timeline/": "transform/test_timeline program/timeline.sh unit/test_misuse", "base/timeline": "transform/test_timeline program/timeline.sh",
    "app/common/timeline": "program/timeline.sh", "app/common/vector": "program/vectors.sh", "app/common/picture": "program/columns.sh program/spectrum.sh",
    "app/common/columns": "program/columns.sh", "app/files/array": "files/axes.sh files/transform_numpy.sh",
    "fftw3_mpi/": "fftw/dropin.sh fftw/mpi_bench.sh faults/mpi_check.sh",
    "app/": PROGRAM, "app/common/": PROGRAM + " program/fields.sh program/turbulence.sh faults/killed.sh",
    "app/cli/": "program/reference.sh " + PROGRAM + " program/environment.sh program/line.sh program/kernels.sh",
    "app/bench/": PROGRAM + " program/tune.sh program/line.sh",
    "app/check/": "program/commands.sh program/errors.sh program/reference.sh program/reports.sh files/transform_numpy.sh",
    "app/compare/": "program/compare.sh unit/test_compare " + PROGRAM,
    "apps/compress/": "program/compress.sh program/bad_lines.sh program/releases.sh",
    "app/explain/": "program/commands.sh program/reports.sh program/line.sh program/bad_lines.sh program/page_commands.sh",
    "app/files/": "files/transform_numpy.sh program/errors.sh program/fields.sh program/environment.sh line/line_numpy.sh "
                  "program/bad_lines.sh",
    "apps/filter/": "program/fields.sh program/vectors.sh program/bad_lines.sh", "apps/spectrum/": "program/fields.sh program/spectrum.sh program/bad_lines.sh",
    "apps/kernels/": "program/kernels.sh unit/test_kernels program/bad_lines.sh device/device.sh",
    "apps/nas/": "program/nas.sh unit/test_nas program/bad_lines.sh", "apps/poisson/": "program/poisson.sh unit/test_poisson program/poisson_terms.sh program/poisson_stretched.sh program/bad_lines.sh",
    "app/report/": "program/reports.sh program/commands.sh program/tune.sh program/line.sh program/errors.sh program/compare.sh",
    "app/run/": "program/reports.sh program/commands.sh program/line.sh program/errors.sh program/nas.sh",
    "apps/turbulence/": "program/turbulence.sh program/turbulence_more.sh program/bad_lines.sh program/releases.sh",
    "python/": "python/package.sh", "fortran/": "fortran/module.sh",
}


def closing(text, at):
    """Where the parenthesis that is open at `at` closes."""
    depth = 0
    for k in range(at, len(text)):
        depth += (text[k] == "(") - (text[k] == ")")
        if depth == 0:
            return k
    return None


def sites(text):
    """(begin, end, kind, what may take the place) of all places of a text in C."""
    code = NO_CODE.sub(lambda m: re.sub(r"[^\n]", "\0", m.group()), text)
    for found in NUMBER.finditer(code):
        value = int(found.group())
        yield found.start(), found.end(), "constant", (str(value + 1),) + ((str(value - 1),) if value else ())
    for found in OPERATOR.finditer(code):
        word = found.group()
        yield found.start(), found.end(), KINDS.get(word, "comparison"), OTHERS[word]
    for found in IF.finditer(code):
        last = closing(code, found.end() - 1)
        if last:
            yield found.end() - 1, last + 1, "negation", ("(!%s)" % text[found.end() - 1:last + 1],)
    for found in STATEMENT.finditer(code):
        if found.group().count("(") == found.group().count(")") and not re.match("if|for|while|switch|return", found.group(1)):
            yield found.start(1), found.end(1), "statement", (";",)


def all_sites(tree):
    found = []
    for path in sorted(glob.glob(os.path.join(tree, "src/**/*.[ch]"), recursive=True)):
        name = os.path.relpath(path, tree)
        with open(path, encoding="utf-8") as f:
            text = f.read()
        found += [(name,) + site for site in sites(text)]
    return found


class Mutant:
    """Mutant `number` of `seed`: the draw depends on the places of src/ only."""

    def __init__(self, places, tree, seed, number):
        dice = random.Random("%d/%d" % (seed, number))
        self.seed, self.number = seed, number
        self.file, begin, end, self.kind, others = dice.choice(places)
        self.new = dice.choice(others)
        with open(os.path.join(tree, self.file), encoding="utf-8") as f:
            self.text = f.read()
        self.old = self.text[begin:end]
        self.line = self.text.count("\n", 0, begin) + 1
        self.last = self.text.count("\n", 0, end) + 1
        self.change = self.text[:begin] + self.new + self.text[end:]
        self.words = self.text.split("\n")[self.line - 1].strip()

    def __str__(self):
        return "%s:%d: %s: %s -> %s   in: %s" % (self.file, self.line, self.kind, self.old, self.new, self.words)


def say(command, folder, **how):
    return subprocess.run(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          errors="replace", check=False, **how)


def build(place):
    """In a folder `built` beside `tree`; what is there is made again where it is older."""
    built = os.path.join(place, "built")
    os.makedirs(built, exist_ok=True)
    if not os.path.exists(os.path.join(built, "Makefile")):
        subprocess.run(["../tree/configure", "--quiet", "CFLAGS=-O1"], cwd=built, check=True)
    for words in (["all"], ["check", "TESTS="]):
        subprocess.run(["make", "-s", "-j", str(os.cpu_count())] + words, cwd=built, check=True, stdout=subprocess.DEVNULL)


def prepare(folder, source):
    """The tree as it is now: mutants are changes of it until FOLDER is removed."""
    tree = os.path.join(folder, "tree")
    if not os.path.isdir(tree):
        os.makedirs(tree + ".part", exist_ok=True)
        copy = "tar -C '%s' --exclude=./build --exclude=./.git --exclude=./autom4te.cache -cf - . | tar -C '%s' -xf -"
        subprocess.run(copy % (source, tree + ".part"), shell=True, check=True)
        os.rename(tree + ".part", tree)
    Worker(folder, 0)
    return 0


def ranks_of(tree, test):
    """Those of a program, from its first comment; 0 for scripts."""
    if test.endswith(".sh"):
        return [0]
    with open(os.path.join(tree, test + ".c"), encoding="utf-8") as f:
        head = f.read(1000)
    found = re.search(r"ranks: *([0-9][0-9 ]*)", head)
    return [int(n) for n in (found.group(1) if found else "1 2 3 4 6").split()]


CAGE = """mount --make-rprivate / && mount --bind "$1" "$1" && mount -o remount,bind,ro / &&
mount -t tmpfs none /tmp && mount -t tmpfs none /dev/shm && mkdir /tmp/home || exit 125
export HOME=/tmp/home; ulimit -c 0 -f 8000000; shift; exec "$@" """


def run_test(worker, test, ranks, limit):
    """Whether a test passes, and the first that it says of a failure."""
    tree, built = os.path.join(worker, "tree"), os.path.join(worker, "built")
    where = os.path.join(tree if test.endswith(".sh") else built, test)
    own = dict(os.environ, srcdir=tree, builddir=built, PFFT3D=os.path.join(built, "pfft3d"),
               TEST_TIMEOUT=str(int(limit)), TEST_FIRST="1")
    for name in ("MAKEFLAGS", "MAKELEVEL", "MPIRUN", "RANKS"):
        own.pop(name, None)
    if ranks:
        own["RANKS"] = str(ranks)
    command = ["unshare", "--pid", "--fork", "--kill-child", "--mount", "--mount-proc", "sh", "-c", CAGE, "cage",
               worker, "sh", os.path.join(tree, "tests/mpirun.sh"), where]
    try:
        output = say(command, worker, env=own, timeout=scaled(limit + 20), stdin=subprocess.DEVNULL)
    except subprocess.TimeoutExpired:
        return False, "no end"
    if output.returncode == 125:
        sys.exit("mutation.py: no namespaces for the tests (they need root): " + output.stdout)
    wrong = re.search(r"^not ok .*$", output.stdout, re.M)
    plan = re.search(r"^1\.\.[0-9]", output.stdout, re.M)
    return bool(plan and not wrong), wrong.group() if wrong else "" if plan else "no plan of TAP"


def lines_of(path):
    if not os.path.exists(path):
        return []
    with open(path, encoding="utf-8") as f:
        return f.read().splitlines()


def add_line(path, line):
    with open(path, "a", encoding="utf-8") as f:
        f.write(line + "\n")


def times_of(folder):
    """Seconds that runs of tests took when they passed first, None for those that fail without a mutant."""
    words = [line.split() for line in lines_of(os.path.join(folder, "times"))]
    return {(test, int(ranks)): None if took == "fails" else float(took) for test, ranks, took in words}


def rounds(tree, folder, file):
    """(test, ranks) of a file: one rank and three, or the least, before other numbers of them; of
    these first what has found most mistakes so far for the time that it takes."""
    begin = max((b for b in TESTS if file.startswith("src/" + b)), key=len, default=None)
    times, found, runs = times_of(folder), {}, []
    for row in rows_of(folder):
        found[row["test"]] = found.get(row["test"], 0) + (row["end"] == "killed")
    for test in ("tests/" + t for t in (TESTS[begin].split() if begin else ())):
        numbers = ranks_of(tree, test)
        few = [n for n in numbers if n in (1, 3)] or numbers[:1]
        for n in numbers:
            took = times.get((test, n), 1 + n if n else 30)
            if took is not None:
                runs.append((n not in few, took / (1 + found.get(test, 0)), (test, n)))
    return [run[-1] for run in sorted(runs)]


class Worker:
    """A tree and a build of its own."""

    def __init__(self, folder, number):
        self.folder, self.place = folder, os.path.join(folder, "w%d" % number)
        self.tree, self.built = os.path.join(self.place, "tree"), os.path.join(self.place, "built")
        if not os.path.isdir(self.tree):
            shutil.copytree(os.path.join(folder, "tree"), self.tree + ".part", symlinks=True)
            os.rename(self.tree + ".part", self.tree)
        if not os.path.exists(os.path.join(self.place, "whole")):
            build(self.place)
            with open(os.path.join(self.place, "whole"), "w", encoding="utf-8"):
                pass
        self.needs = self.dependencies()

    def dependencies(self):
        """The objects that are made of each file of src/."""
        needs = {}
        for path in glob.glob(self.built + "/src/**/.deps/*.P*o", recursive=True):
            with open(path, encoding="utf-8") as f:
                text = f.read().replace("\\\n", " ")
            found = re.match(r"(\S+): (.*)", text)
            for name in found.group(2).split() if found else ():
                if name.startswith("../tree/src/"):
                    needs.setdefault(name[8:], set()).add(found.group(1))
        return needs

    def sum(self, target):
        """Of an object, or of both that libtool makes."""
        name = target.replace(".lo", ".o")
        both = [name, os.path.join(os.path.dirname(name), ".libs", os.path.basename(name))]
        total = hashlib.sha256()
        for path in both:
            path = os.path.join(self.built, path)
            if os.path.exists(path):
                with open(path, "rb") as f:
                    total.update(f.read())
        return total.hexdigest()

    def write(self, file, text):
        with open(os.path.join(self.tree, file), "w", encoding="utf-8") as f:
            f.write(text)

    def make(self, targets):
        return say(["make", "-s", "-k"] + targets, self.built, timeout=scaled(900)).returncode == 0

    def restore(self, mutant):
        self.write(mutant.file, mutant.text)
        self.make(sorted(self.needs.get(mutant.file, ())))

    def compiled(self, mutant):
        """None where the mutant counts, else why not."""
        objects = sorted(self.needs.get(mutant.file, ()))
        if not objects:
            return "not built"
        before = {o: self.sum(o) for o in objects}
        self.write(mutant.file, mutant.change)
        if not self.make(objects):
            return "no compilation"
        return "same object" if all(self.sum(o) == before[o] for o in objects) else None

    def passes(self, test, ranks):
        """Whether a test passes for what is built now, what it says, and seconds; only what it needs is linked."""
        began, usual = time.time(), times_of(self.folder).get((test, ranks))
        whole = test.endswith(".sh") or test.startswith("tests/files/")  # the program looks at files for these
        if whole and not self.make(["all"]) or not test.endswith(".sh") and not self.make([test]):
            return False, NO_LINK, 0
        good, why = run_test(self.place, test, ranks, 20 + 10 * usual if usual else 300)
        took = time.time() - began
        if good and not usual:
            add_line(os.path.join(self.folder, "times"), "%s %d %.2f" % (test, ranks, took))
        return good, why, took

    def is_good(self, mutant, test, ranks):
        """Whether a test passes here without a mutant."""
        if (test, ranks) not in times_of(self.folder):
            self.restore(mutant)
            if not self.passes(test, ranks)[0]:
                add_line(os.path.join(self.folder, "times"), "%s %d fails" % (test, ranks))
            self.compiled(mutant)
        return times_of(self.folder)[test, ranks] is not None

    def met_by(self, mutant, seconds):
        """How a mutant that counts ends, the test that fails, and what it says."""
        passed = left = 0
        for test, ranks in rounds(self.tree, self.folder, mutant.file):
            if seconds < 0:
                left += 1
                continue
            good, why, took = self.passes(test, ranks)
            if why == NO_LINK:
                return "no mutant", "", why
            if not good and self.is_good(mutant, test, ranks):
                return "killed", test, why
            seconds -= took
            passed += good
        return "survived", "", "%d runs passed, %d left out" % (passed, left)


def rows_of(folder):
    path = os.path.join(folder, "mutants.csv")
    if not os.path.exists(path):
        return []
    with open(path, newline="", encoding="utf-8") as f:
        return list(csv.DictReader(f))


def records(folder, seed):
    return {int(row["number"]): row for row in rows_of(folder) if row["seed"] == str(seed)}


COLUMNS = ("seed", "number", "file", "line", "kind", "old", "new", "words", "end", "test", "why", "seconds")


def note(folder, mutant, end, test, why, seconds):
    row = dict(seed=mutant.seed, number=mutant.number, file=mutant.file, line=mutant.line, kind=mutant.kind,
               old=mutant.old, new=mutant.new, words=mutant.words, end=end, test=test, why=why,
               seconds="%.1f" % seconds)
    with open(os.path.join(folder, "mutants.csv"), "a", newline="", encoding="utf-8") as f:
        fcntl.flock(f, fcntl.LOCK_EX)
        writer = csv.DictWriter(f, COLUMNS)
        if f.tell() == 0:
            writer.writeheader()
        writer.writerow(row)


def try_one(folder, worker, mutant):
    began, end, test = time.time(), "no mutant", ""
    try:
        why = worker.compiled(mutant)
        if not why:
            end, test, why = worker.met_by(mutant, float(os.environ.get("TRY", "90")))
    finally:
        worker.restore(mutant)
    note(folder, mutant, end, test, why, time.time() - began)
    print("%d %s: %s %s %s" % (mutant.number, mutant, end, test, why), flush=True)


def run(folder, seed, count, number=0, workers=1, again=False):
    began, worker, places = time.time(), None, all_sites(os.path.join(folder, "tree"))
    done = records(folder, seed)
    for k in range(number, count, workers):
        if (k in done) != again or again and not re.search(r", [1-9]\d* left out", done[k]["why"]):
            continue
        if time.time() - began > float(os.environ.get("LIMIT", "1e9")):
            break
        worker = worker or Worker(folder, number)
        try_one(folder, worker, Mutant(places, os.path.join(folder, "tree"), seed, k))
    return 0


def one(folder, seed, number, tests):
    worker = Worker(folder, int(os.environ.get("WORKER", "0")))
    mutant = Mutant(all_sites(os.path.join(folder, "tree")), os.path.join(folder, "tree"), seed, number)
    print(mutant)
    try:
        why = worker.compiled(mutant)
        for test in () if why else tests:
            for ranks in ranks_of(worker.tree, test):
                good, what, _ = worker.passes(test, ranks)
                print("%s: %s" % (test, "passes" if good else what), flush=True)
        if not why and not tests:
            why = " ".join(worker.met_by(mutant, 1e9))
    finally:
        worker.restore(mutant)
    print(why or "")
    return 0


def reasons(path):
    """FILE | CHANGE | LINE | reason, where CHANGE is OLD -> NEW or "statement": survivors that are read, and change nothing that a user could see."""
    found = {}
    with open(path, encoding="utf-8") as f:
        for line in f:
            if line.strip() and not line.startswith("#"):
                file, change, words, reason = (part.strip() for part in line.split(" | ", 3))
                found[file, change, words] = reason
    return found


def summary(folder, seed, count, path):
    known = reasons(path)
    tally, survivors = {}, []
    for number, row in sorted(records(folder, seed).items()):
        if number >= count:
            continue
        tally[row["end"]] = tally.get(row["end"], 0) + 1
        change = "statement" if row["kind"] == "statement" else row["old"] + " -> " + row["new"]
        if row["end"] == "survived" and (row["file"], change, row["words"]) not in known:
            survivors.append(row)
    killed, survived = tally.get("killed", 0), tally.get("survived", 0)
    for row in survivors:
        print("%(number)s %(file)s:%(line)s: %(kind)s: %(old)s -> %(new)s   in: %(words)s (%(why)s)" % row)
    answered = survived - len(survivors)
    share = 100 * killed / max(1, killed + survived), 100 * killed / max(1, killed + len(survivors))
    print("%d mutants count, %d do not; %d killed, %.1f %%; %d survived, %d of them with a reason; %.1f %% of the others "
          "are killed" % (killed + survived, tally.get("no mutant", 0), killed, share[0], survived, answered, share[1]))
    print("tried %d wrong %d" % (killed + survived, len(survivors)))
    return 0 if share[1] >= 90 else 1


def main(words):
    command, folder, rest = words[0], os.path.abspath(words[1]), words[2:]
    if command == "prepare":
        return prepare(folder, rest[0])
    if command == "sum":
        return summary(folder, int(rest[0]), int(rest[1]), rest[2])
    if command == "run":
        return run(folder, *map(int, rest))
    if command == "again":
        return run(folder, *map(int, rest), again=True)
    if command == "one":
        return one(folder, int(rest[0]), int(rest[1]), rest[2:])
    tree = os.path.join(folder, "tree")
    print(Mutant(all_sites(tree), tree, int(rest[0]), int(rest[1])))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
