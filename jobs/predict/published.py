# SPDX-License-Identifier: BSD-3-Clause
"""The model beside published times of other libraries.  Called by jobs/published.sh.

What pfft3d explain says of exchanges, it says of theirs: the same messages on the same process grid.
Their passes are more than ours; they are known from the structure of the libraries, and take the
time that the model gives to as many bytes and operations.  No figure here comes from the times.
"""
import argparse
import csv
import json
import math
import os
import shutil
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, "..", "study")]

from message import CREATE, INTERNAL, USAGE, Failure, fail, say, warn
from page import Page
from places import between_marks, open_plots
from tables import digits

DATA = os.path.join(HERE, "..", "..", "data")
BEGIN, END = "<!-- tables of jobs/published.sh -->", "<!-- end of the tables -->"

# Three transforms along an axis, and around each of two exchanges packing and unpacking.
PASSES = 7
UNPACKING = 2
# Bytes that a pass moves for each byte of the field: it is read, its destination is read since it
# will be written, and written (neither library has streaming stores).
MOVED = 3
# True if data is unpacked while the rest is still being sent.
UNPACKS_EARLY = {"PencilFFTs": True, "P3DFFT": False}
NEAR = 0.35


def options(words):
    p = argparse.ArgumentParser(prog="published.sh", description="The model beside published times of "
                                "real transforms on pencils, as a table and a plot.")
    p.add_argument("--out", default="published", metavar="DIR", help="(published)")
    p.add_argument("--machine", default=os.path.join(DATA, "machines", "cascadelake.machine"),
                   metavar="FILE", help="(cascadelake.machine)")
    p.add_argument("--times", default=os.path.join(DATA, "pencil_times.csv"), metavar="FILE",
                   help="the published ones (data/pencil_times.csv)")
    p.add_argument("--page", metavar="FILE", help="put the table into this page, between its marks")
    return p.parse_args(words)


def read_times(path):
    """The rows of each (n, ranks)."""
    points = {}
    with open(path) as file:
        for r in csv.DictReader(file):
            point = points.setdefault((int(r["n"]), int(r["ranks"])), {})
            point[r["library"], r["mpi"]] = tuple(float(r[k]) for k in ("mean_ms", "min_ms", "max_ms"))
    return dict(sorted(points.items()))


def process_grid(ranks):
    """That of MPI_Dims_create: as square as possible."""
    p2 = next(p for p in range(math.isqrt(ranks), 0, -1) if ranks % p == 0)
    return ranks // p2, p2


def explain(machine, n, ranks):
    command = [os.environ.get("PFFT3D", "pfft3d"), "explain", "--machine", machine, "--grid", str(n),
               "--ranks", str(ranks), "--type", "r2c", "--exchange", "packed", "--json", "-",
               "--pgrid", "%dx%d" % process_grid(ranks)]
    run = subprocess.run(command, stdin=subprocess.DEVNULL, text=True, stdout=subprocess.PIPE,
                         stderr=subprocess.PIPE)
    if run.returncode:
        raise Failure(INTERNAL, "explain ended with %d" % run.returncode, run.stderr.strip())
    return json.loads(run.stdout)


def pass_rate(m, both):
    """As in src/planner/model.c: arrays that fit the caches are there."""
    inside = min(1, max(0, 2 - both / m["cache"])) if m["cache"] and m["cached"] else 0
    return 1 / (inside / (m["cached"] or 1) + (1 - inside) / m["memory"])


def predict(machine, n, ranks):
    """Milliseconds of a forward and a backward transform, by library."""
    report = explain(machine, n, ranks)
    run, m = report["runs"][0], report["machine"]
    field = 16 * n * n * (n // 2 + 1) / ranks
    one = MOVED * field / pass_rate(m, 2 * field)
    flops = 2.5 * n**3 * 3 * math.log2(n) / ranks / m["flops"]
    starts = run["messages"]["remote_per_rank"] * m["start"]["between"]
    travel = max(0, run["exchange_s"] - starts)
    times = {}
    for library, early in UNPACKS_EARLY.items():
        hidden = min(travel, UNPACKING * one) if early else 0
        times[library] = 2e3 * (PASSES * one + flops + run["exchange_s"] - hidden)
    return times


def compare(o):
    points = read_times(o.times)
    return [(n, p, predict(o.machine, n, p), measured) for (n, p), measured in points.items()]


def runs_of(measured, library):
    return [measured[key] for key in sorted(measured) if key[0] == library]


def table(cells):
    names = list(UNPACKS_EARLY)
    yield "| grid | ranks | %s |" % " | ".join(
        "%s: measured, by campaign | model | model / measured" % x for x in names)
    yield "|" + "---|" * (2 + 3 * len(names))
    for n, ranks, model, measured in cells:
        words = ["%d\u00b3" % n, str(ranks)]
        for x in names:
            means = [t[0] for t in runs_of(measured, x)]
            ratios = ["%.2f" % (model[x] / t) for t in means]
            words += [", ".join(digits(t, 3) for t in means), digits(model[x], 3), ", ".join(ratios)]
        yield "| %s |" % " | ".join(words)
    yield ""
    yield from summary(cells)


def within(cells, keep):
    """Ratios of model and measured, of the runs that keep((library, mpi)) wants."""
    ratios = [model[key[0]] / t[0] for _, _, model, measured in cells
              for key, t in measured.items() if keep(key)]
    return ratios, sum(abs(r - 1) <= NEAR for r in ratios)


def order(cells, library, mpi):
    """Pairs of points that the model puts in the order of the times, and all pairs."""
    points = [(model[library], measured[library, mpi][0]) for _, _, model, measured in cells
              if (library, mpi) in measured]
    pairs = [(a, b) for k, a in enumerate(points) for b in points[:k]]
    return sum((a[0] - b[0]) * (a[1] - b[1]) > 0 for a, b in pairs), len(pairs)


def spread(cells, library):
    """The largest ratio between campaigns at one point."""
    most = max((max(t[0] for t in runs) / min(t[0] for t in runs), n, ranks)
               for n, ranks, _, measured in cells for runs in [runs_of(measured, library)])
    return "%.1f (%d\u00b3 on %d ranks)" % most


def summary(cells):
    yield "| | within %.0f %% | least, greatest ratio | pairs of points in the right order |" % (100 * NEAR)
    yield "|---|---|---|---|"
    keys = sorted({key for _, _, _, measured in cells for key in measured})
    for library, mpi in keys:
        ratios, near = within(cells, lambda key: key == (library, mpi))
        right, pairs = order(cells, library, mpi)
        yield "| %s, Intel MPI %s | %d of %d | %.2f, %.2f | %d of %d |" \
            % (library, mpi, near, len(ratios), min(ratios), max(ratios), right, pairs)
    yield ""
    yield "The campaigns differ among themselves by factors of up to %s." % " and ".join(
        "%s for %s" % (spread(cells, x), x) for x in UNPACKS_EARLY)


def plot(folder, cells, report):
    """A panel for each library: the curve of the model through the ranges of the campaigns."""
    grids = sorted({n for n, _, _, _ in cells})
    key = [(("line", k + 1), "model, %d\u00b3" % n) for k, n in enumerate(grids)]
    key.append((("square",), "measured, in that colour: mean of a campaign"))
    about = dict(report, host="model of pfft3d explain beside published times", load=None,
                 mpi="measured with Intel MPI 2019.7, 2019.8 and 2019.9", oversubscribed=False)
    p = Page(folder, "pencil-times", 7.0, "real fields on pencils, forward and backward, 40 ranks a node",
             key, [about], tall=2.4)
    for library in UNPACKS_EARLY:
        for n in grids:
            p.data((ranks, model[library]) for m, ranks, model, _ in cells if m == n)
            p.data((ranks, t[0]) for m, ranks, _, measured in cells if m == n
                   for t in runs_of(measured, library))
    xs = sorted({ranks for _, ranks, _, _ in cells})
    for k, library in enumerate(UNPACKS_EARLY):
        p.panel(k, 2)
        p.axis("x", xs[0] / 1.3, xs[-1] * 1.3, "ranks",
               [("%dk" % (x // 1024) if x >= 1024 else str(x), x) for x in xs[::2]], 2)
        p.y_log([3, 4000], "time (ms)")
        p.line("set label 99 '%s' at graph 0.03, 0.07 left" % library)
        at = 2 * len(grids) * k
        p.plot(["index %d using 1:2 with lines ls %d notitle" % (at + 2 * g, g + 1)
                for g in range(len(grids))]
               + ["index %d using 1:2 with points ls %d pt 5 ps 0.7*big notitle" % (at + 2 * g + 1, g + 1)
                  for g in range(len(grids))])
    return p


def run(o):
    plots, cells = open_plots(o.out), compare(o)
    lines = list(table(cells))
    with open(os.path.join(o.out, "table.md"), "w") as file:
        file.write("\n".join(lines) + "\n")
    if o.page:
        between_marks(o.page, BEGIN, END, lines)
    gnuplot = os.environ.get("GNUPLOT") or shutil.which("gnuplot")
    if gnuplot:
        plot(plots, cells, explain(o.machine, *cells[0][:2])).draw(gnuplot)
    else:
        warn("no plot: there is no gnuplot (Debian: apt-get install gnuplot-nox)")
    say("a table and a plot in %s" % o.out)


def main():
    try:
        run(options(sys.argv[1:]))
    except Failure as failure:
        return fail(failure)
    except OSError as e:
        return fail(Failure(CREATE, "cannot open '%s': %s" % (e.filename, e.strerror)))
    return 0


sys.exit(main())
