# SPDX-License-Identifier: BSD-3-Clause
"""Predicted scaling and maps of strategies.  Called by jobs/scaling.sh and jobs/map.sh.

DIR/tables.md and DIR/cells.csv have all numbers, DIR/plots the pictures with their scripts and data.
"""
import argparse
import csv
import os
import shutil
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, "..", "study")]

import figures
import turbulence
from cells import explain, strategy
from message import CREATE, USAGE, Failure, fail, say, warn
from places import between_marks, open_plots
from tables import percent, seconds, size

MACHINES = ("dragonfly", "torus", "cloud25g")
SIMULATED = ("fattree", "ethernet")  # those of doc/scaling.md
WEAK = (("1M", 2**20, 256), ("8M", 2**23, 512))  # points of a rank, and the cube on 16 ranks
BEGIN, END = "<!-- tables of jobs/scaling.sh -->", "<!-- end of the tables -->"
CSV = ("family", "machine", "n", "ranks", "decomp", "pgrid", "algo", "predicted_s", "pass_s",
       "exchange_s", "efficiency", "memory_bytes", "idle_ranks", "decision", "reason")


class Parser(argparse.ArgumentParser):
    def error(self, message):
        raise Failure(USAGE, message.replace("argument ", "", 1), "--help lists the options")


def options(words):
    p = Parser(prog="scaling.sh", description="Predicted strong and weak scaling, and maps of the best "
               "strategies, as tables and plots.  Words behind -- are given to pfft3d explain.")
    p.add_argument("--out", default="predictions", metavar="DIR", help="(predictions)")
    p.add_argument("--machines", nargs="+", metavar="FILE",
                   help="descriptions (those of doc/predictions.md)")
    p.add_argument("--strong", default="512,2048,4096", metavar="N,...", help="cubes (512,2048,4096)")
    p.add_argument("--memory", type=float, default=2, metavar="GIB",
                   help="of a rank: scaling begins where it is enough (2)")
    p.add_argument("--turbulence", action="store_true",
                   help="steps of pfft3d turbulence to 256 ranks, on machines of doc/scaling.md")
    p.add_argument("--maps-only", action="store_true", help="no scaling")
    p.add_argument("--grids", default="64..4096", metavar="N..M", help="of the maps (64..4096)")
    p.add_argument("--rank-counts", default="1..65536x4", metavar="P..QxF",
                   help="of the maps (1..65536x4)")
    p.add_argument("--page", metavar="FILE", help="put the tables into this page, between its marks")
    own, more = (words[:words.index("--")], words[words.index("--") + 1:]) if "--" in words else \
        (words, [])
    o = p.parse_args(own)
    o.more = more
    o.machines = o.machines or [os.path.join(HERE, "..", "..", "data", "machines", m + ".machine")
                                for m in (SIMULATED if o.turbulence else MACHINES)]
    others = [a for a in ("strong", "memory", "maps_only", "grids", "rank_counts")
              if getattr(o, a) != p.get_default(a)]
    if o.turbulence and others:
        raise Failure(USAGE, "--turbulence and --%s: steps have grids and ranks of their own"
                      % others[0].replace("_", "-"))
    if o.memory <= 0:
        raise Failure(USAGE, "--memory %g: expected more than 0" % o.memory)
    return o


def fitting(cells, gib):
    return [r for r in cells if r["memory_bytes"] <= gib * 2**30]


def strong(o):
    """(name, heading, cells) of each cube."""
    for word in o.strong.split(","):
        cells = [r for m in o.machines for r in explain(m, [word], ["1..65536x2"], o.more)]
        cells = fitting(cells, o.memory)
        if len({r["ranks"] for r in cells}) < 2:
            warn("%s^3 is left out: it takes more than %g GiB a rank" % (word, o.memory))
            continue
        yield "strong-" + word, "Strong scaling of %s\u00b3, %s" % (word, figures.title(cells[0])), cells


def weak(o):
    for name, points, n in WEAK:
        cells = [r for m in o.machines for k in range(5)
                 for r in explain(m, [n << k], [16 << 3 * k], o.more)]
        cells = fitting(cells, o.memory)
        if len({r["ranks"] for r in cells}) < 2:
            warn("weak scaling of %s points is left out: it takes more memory" % name)
            continue
        assert all(r["n"] ** 3 == r["ranks"] * points for r in cells)
        yield ("weak-" + name, "Weak scaling, %s points a rank, %s"
               % (name.replace("M", " Mi"), figures.title(cells[0])), cells)


def scaling_table(heading, cells):
    """Machines side by side, a row for each number of ranks."""
    machines = list(dict.fromkeys(r["machine"] for r in cells))
    grids = len({r["n"] for r in cells}) > 1
    yield "### %s" % heading
    yield ""
    yield "| ranks |%s %s |" % (" grid |" if grids else "", " | ".join(
        "%s: time | eff. | strategy" % m.split(",")[0] for m in machines))
    yield "|%s" % ("---|" * (1 + grids + 3 * len(machines)))
    for ranks in sorted({r["ranks"] for r in cells}):
        row = {r["machine"]: r for r in cells if r["ranks"] == ranks}
        words = [str(ranks)] + (["%d\u00b3" % next(iter(row.values()))["n"]] if grids else [])
        for m in machines:
            r = row.get(m)
            words += [seconds(r["predicted_s"]), percent(r["efficiency"]), strategy(r)] if r else \
                ["-"] * 3
        yield "| %s |" % " | ".join(words)
    yield ""


def map_table(cells):
    """Cubes over ranks: strategy and time."""
    xs = sorted({r["ranks"] for r in cells})
    yield "### Map of %s: the best strategy, its time, and memory of a rank" % cells[0]["machine"]
    yield ""
    yield "| grid | %s |" % " | ".join("%d rank%s" % (x, "s" * (x > 1)) for x in xs)
    yield "|%s" % ("---|" * (1 + len(xs)))
    for n in sorted({r["n"] for r in cells}):
        at = {r["ranks"]: r for r in cells if r["n"] == n}
        yield "| %d\u00b3 | %s |" % (n, " | ".join(
            "%s<br>%s<br>%s" % (strategy(at[x]), seconds(at[x]["predicted_s"]),
                                size(at[x]["memory_bytes"])) if x in at else "-" for x in xs))
    yield ""


def write_csv(folder, families):
    with open(os.path.join(folder, "cells.csv"), "w", newline="") as file:
        out = csv.DictWriter(file, CSV, extrasaction="ignore", lineterminator="\n")
        out.writeheader()
        for family, cells in families:
            for r in cells:
                out.writerow(dict(r, family=family, pgrid="%dx%d" % tuple(r["pgrid"])))


def curves(o):
    """(name, heading, cells) of each figure of scaling."""
    if o.turbulence:
        return turbulence.families(o.machines, o.more)
    return [] if o.maps_only else [*strong(o), *weak(o)]


def run(o):
    plots, lines, families, pages = open_plots(o.out), [], [], []
    for name, heading, cells in curves(o):
        figures.add_efficiency(cells)
        lines += scaling_table(heading, cells)
        families.append((name, cells))
        pages.append(figures.scaling(plots, name, heading, cells))
    for m in [] if o.turbulence else o.machines:
        cells = explain(m, [o.grids], [o.rank_counts], o.more)
        lines += map_table(cells)
        families.append(("map", cells))
        pages.append(figures.strategies_map(plots, cells))
    write_csv(o.out, families)
    with open(os.path.join(o.out, "tables.md"), "w") as file:
        file.write("\n".join(lines))
    if o.page:
        between_marks(o.page, BEGIN, END, lines)
    gnuplot = os.environ.get("GNUPLOT") or shutil.which("gnuplot")
    if not gnuplot:
        warn("no plots: there is no gnuplot (Debian: apt-get install gnuplot-nox)")
        pages = []
    for p in pages:
        p.draw(gnuplot)
    say("%d plots in %s, tables in %s" % (len(pages), plots, os.path.join(o.out, "tables.md")))


def main():
    try:
        run(options(sys.argv[1:]))
    except Failure as failure:
        return fail(failure)
    except OSError as e:
        return fail(Failure(CREATE, "cannot write '%s': %s" % (e.filename, e.strerror)))
    return 0


sys.exit(main())
