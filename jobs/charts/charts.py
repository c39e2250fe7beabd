# SPDX-License-Identifier: BSD-3-Clause
"""Charts of the pages, from data/figures.csv, the tables of doc/scaling.md, and predictions of the program."""
import argparse
import csv
import json
import math
import os
import re
import subprocess
import sys

from svg import Axis, Curve, bars, curves

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
ABOUT = """Draws the charts of the pages as SVG, which follow the reader's scheme of colours, into DIR.
strong.svg takes the program, for its predictions."""
MACHINE = "fattree"


def table(chart):
    with open(os.path.join(ROOT, "data", "figures.csv"), encoding="utf-8") as f:
        return [dict(r, ms=float(r["ms"])) for r in csv.DictReader(f) if r["chart"] == chart]


def series(rows):
    found = {}
    for r in rows:
        found.setdefault(r["series"], []).append(r)
    return found


def sources(rows):
    """`4 cores of a machine, 2026-11-21`"""
    return list(dict.fromkeys("%s, %s" % (r["machine"], r["date"]) for r in rows))


def speed(out):
    rows = table("speed")
    groups = {}
    for r in rows:
        groups.setdefault(r["x"], []).append(r["ms"])
    bars(out, "Forward transform of 256³ points: shorter is faster", list(groups.items()), list(series(rows)), "ms",
         ["Double precision, 2 ranks, medians of 9 in turns; ×: times as fast as FFTW-MPI,",
          "planned with MEASURE, the better of in place and out of place. Measured on",
          sources(rows)[0] + "."])


def by_size(rows, value):
    """A list of (size, value(size, ms)) for each series, in the order of the table."""
    return {name: sorted((int(r["x"]), value(int(r["x"]), r["ms"])) for r in part) for name, part in series(rows).items()}


def peers(out):
    rows = table("peers")
    lines = [Curve(name, points, n) for n, (name, points) in
             enumerate(by_size(rows, lambda n, ms: 5 * n**3 * math.log2(n**3) / ms / 1e6).items())]
    sizes = sorted({int(r["x"]) for r in rows})
    high = max(y for c in lines for _, y in c.points)
    curves(out, "Four libraries on two cores: higher is faster",
           "GFLOP/s over the size of the grid: pfft3d with shared memory is highest on most, FFTW-MPI between.",
           Axis("points along each axis of a complex field", sizes[0] / 1.1, sizes[-1] * 1.1, True, sizes),
           Axis("GFLOP/s, 5 N log2 N", 0, high * 1.05, False), lines,
           ["Forward, double precision, transposed distribution, the better of in place and out of",
            "place, medians of 9 in turns (mpi4py-fft: after the others). Measured on",
            sources(rows)[0] + "."])


def strategies(out):
    """Nanoseconds for each point, so that curves that differ by some percent over seven octaves can be told."""
    rows = table("strategies")
    lines = [Curve(name, points, n % 6, "dot" if n < 6 else "ring", "solid" if n < 6 else "dash")
             for n, (name, points) in enumerate(by_size(rows, lambda n, ms: ms * 1e6 / n**3).items())]
    sizes = sorted({int(r["x"]) for r in rows})
    high = max(y for c in lines for _, y in c.points)
    low = min(y for c in lines for _, y in c.points)
    curves(out, "Time for each point: all exchanges on two cores",
           "Nine curves over the size of the grid; shared memory is lowest, one message a row highest.",
           Axis("points along each axis of a complex field", sizes[0] / 1.1, sizes[-1] * 1.1, True, sizes),
           Axis("time / points, ns", low / 1.15, high * 1.15, True, [1.5, 2, 3, 4, 5, 7]), lines,
           ["Forward, double precision, transposed order, medians in turns. Measured on", sources(rows)[0] + "."],
           lift=60)


def simulated(page, name):
    """(ranks, ms) of an exchange in the table of 256^3 of MACHINE; on 256 ranks pencils."""
    with open(page, encoding="utf-8") as f:
        part = re.search(r"^## %s, 256\^3\n(.*?)^## " % MACHINE, f.read(), re.M | re.S)[1]
    found = re.findall(r"^\| (\d+) \| %s(?: on 16x16)? \| ([0-9.]+) " % name, part, re.M)
    return [(int(ranks), float(ms)) for ranks, ms in found]


def predicted(program, name, ranks):
    description = os.path.join(ROOT, "data", "machines", MACHINE + ".machine")
    points = []
    for n in ranks:
        run = subprocess.run([program, "explain", "--machine", description, "--grid", "256", "--ranks", str(n), "--exchange",
                              name, "--quiet", "--json", "-"], stdout=subprocess.PIPE, check=True)
        points.append((n, 1e3 * json.loads(run.stdout)["runs"][0]["predicted_s"]))
    return points


def strong(out, program):
    rows = table("strong")
    names = ("packed", "slabs")
    lines = []
    for name, colour in zip(names, (1, 2)):
        lines.append(Curve("%s, predicted" % name, predicted(program, name, [8 * 2**n for n in range(8)]), colour, None, "dash"))
    for name, colour in zip(names, (1, 2)):
        lines.append(Curve("%s, simulated" % name, simulated(os.path.join(ROOT, "doc", "scaling.md"), name), colour, "ring", None))
    for name, colour in zip(names + ("shared",), (1, 2, 3)):
        lines.append(Curve("%s, measured" % name, [(int(r["x"]), r["ms"]) for r in series(rows)[name]], colour, "dot", None))
    first, ms = lines[0].points[0]
    lines.append(Curve("ideal, from a full node", [(first, ms), (1024, ms * first / 1024)], 0, None, "dots"))
    low = min(y for c in lines for _, y in c.points)
    curves(out, "256³ on more ranks: measured, simulated, predicted",
           "Measured times of 1 and 2 ranks, simulated ones of 16, 64 and 256, and predictions from 8 to 1024.",
           Axis("ranks", 0.9, 1150, True, [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024]),
           Axis("time of a forward transform, ms", low / 1.2, 130, True, [0.3, 1, 3, 10, 30, 100]), lines,
           ["Complex, double precision, transposed order. Simulated and predicted: the cluster",
            "of data/machines/%s.machine, 8 ranks on a node, 100 Gb/s; 256 ranks: pencils." % MACHINE,
            "Measured: " + sources(rows)[0] + "."], lift=60)


def main():
    parser = argparse.ArgumentParser(prog="charts.sh", description=ABOUT)
    parser.add_argument("--out", required=True, metavar="DIR", help="folder for the pictures")
    o = parser.parse_args()
    os.makedirs(o.out, exist_ok=True)
    speed(os.path.join(o.out, "speed.svg"))
    peers(os.path.join(o.out, "peers.svg"))
    strategies(os.path.join(o.out, "strategies.svg"))
    try:
        strong(os.path.join(o.out, "strong.svg"), os.environ["PFFT3D"])
    except (OSError, subprocess.CalledProcessError) as e:
        sys.exit("pfft3d: error: charts: no predictions: %s" % e)


main()
