# SPDX-License-Identifier: BSD-3-Clause
"""What the model says: one start of `pfft3d explain --map` for each machine and family of problems.

A cell is the best strategy for one cube on so many ranks: the dict that the report has of it, and
more that plots and tables want.
"""
import json
import os
import subprocess

from message import INTERNAL, MISSING, Failure


def explain(machine, grids, counts, more):
    """The cells of a map, and the machine as the program read it."""
    program = os.environ.get("PFFT3D", "pfft3d")
    command = [program, "explain", "--map", "--machine", machine, "--json", "-",
               "--grids", ",".join(map(str, grids)), "--rank-counts", ",".join(map(str, counts))]
    try:
        run = subprocess.run(command + more, stdin=subprocess.DEVNULL, text=True,
                             stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    except OSError as e:
        raise Failure(MISSING, "cannot start '%s': %s" % (program, e.strerror),
                      "PFFT3D=/path/to/pfft3d names the program") from None
    if run.returncode:
        said = [t for t in run.stderr.splitlines() if t.startswith("pfft3d: error: ")]
        text = said[0][len("pfft3d: error: "):] if said else "explain ended with %d" % run.returncode
        raise Failure(run.returncode if 64 <= run.returncode <= 79 else INTERNAL, text)
    report = json.loads(run.stdout)
    name = report["machine"].get("name") or os.path.basename(machine).rsplit(".", 1)[0]
    return [describe(r, report, machine, name) for r in report["runs"]]


def describe(r, report, machine, name):
    """Adds what all tables and plots want.  The footer of plots says that nothing was measured."""
    memory = r["memory"]["user_bytes"] + r["memory"]["work_bytes"]
    return dict(r, machine=name, file=os.path.basename(machine).rsplit(".", 1)[0],
                network="%s, %.3g Gb/s" % (name, report["machine"]["bandwidth"]["between"] * 8e-9),
                node=report["machine"]["node_ranks"], memory_bytes=memory,
                memory_rate=report["machine"]["memory"], oversubscribed=False,
                host="predicted by the model of pfft3d explain", mpi="nothing was measured",
                date=report["date"], version=report["version"], load=None, shown=True)


def letter(algo):
    """As in the table of explain --map: of a name the first letter that no earlier name has."""
    taken = []
    for name in algo_names():
        taken.append(next((c for c in name if c not in taken), "?"))
        if name == algo:
            return taken[-1]
    return "?"


NAMES = []


def algo_names():
    """All exchanges of the program, in its order."""
    if not NAMES:
        run = subprocess.run([os.environ.get("PFFT3D", "pfft3d"), "info", "--json", "-"], text=True,
                             stdin=subprocess.DEVNULL, stdout=subprocess.PIPE)
        found = json.loads(run.stdout)["exchanges"] if run.returncode == 0 else []
        NAMES.extend(x["name"] if isinstance(x, dict) else x for x in found)
    return NAMES


def strategy(r):
    """`pencil 16x8, slabs`"""
    if r["ranks"] == 1:
        return "alone"
    where = "pencil %dx%d" % tuple(r["pgrid"]) if r["decomp"] == "pencil" else r["decomp"]
    return "%s, %s" % (where, r["algo"])
