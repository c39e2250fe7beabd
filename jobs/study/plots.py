# SPDX-License-Identifier: BSD-3-Clause
"""Plots of a study by gnuplot, as PNG, SVG and PDF: which there are, and their data.

Each is a script and its data in DIR/plots, to be changed and drawn again by hand.
"""
import math
import os
import shutil

import page
from page import Page
from points import short
from results import bases, problem
from tables import size, title

PHASES = (("fft", "#0072B2", "fft (transforms)"), ("post", "#E69F00", "post (start sends)"),
          ("wait", "#D55E00", "wait (for data)"), ("sync", "#BBBBBB", "sync (slower ranks)"))


class Curves:
    """A strategy has one look and one name in all plots of a study."""

    def __init__(self, table):
        self.fields = [f for f in ("asked", "engine", "threads") if len({r[f] for r in table}) > 1]
        self.number = {}
        for r in table:
            self.number.setdefault(self.key(r), len(self.number) + 1)

    def key(self, r):
        return (r["algo"],) + tuple(r[f] for f in self.fields)

    def name(self, r):
        more = ["%d thread%s" % (r[f], "s" * (r[f] > 1)) if f == "threads" else r[f]
                for f in self.fields]
        return r["algo"] + (" (%s)" % ", ".join(more) if more else "")

    def split(self, group):
        """The rows of each curve, in the order of their looks."""
        parts = {}
        for r in group:
            parts.setdefault(self.key(r), []).append(r)
        return sorted(parts.values(), key=lambda part: self.number[self.key(part[0])])

    def style(self, r):
        return (self.number[self.key(r)] - 1) % 32 + 1

    def key_of(self, parts):
        return [(("curve", self.style(part[0])), self.name(part[0])) for part in parts]

    def with_bars(self, parts, xs, rings=False):
        """Columns 2 to 4 of each block: value, and the ends of its bar; column 6: ring or not.  Curves
        stand apart by a little, so that bars at the same place can be told."""
        plot = []
        for n, part in enumerate(parts):
            ls = self.style(part[0])
            x = "($1*%.5f)" % (1.44 * xs[-1] / xs[0]) ** (0.009 * (n - (len(parts) - 1) / 2))
            plot += ["index %d using %s:2 with lines ls %d dt %s notitle" % (n, x, ls, page.dash(ls)),
                     "index %d using %s:2:3:4 with yerrorbars ls %d notitle" % (n, x, ls)]
            if rings:
                plot.append("index %d using %s:($6 > 0 ? $2 : NaN) with points ls 50 notitle" % (n, x))
        return plot

    def without_bars(self, parts, column):
        return ["index %d using 1:%d with linespoints ls %d dt %s notitle"
                % (n, column, self.style(part[0]), page.dash(self.style(part[0])))
                for n, part in enumerate(parts)]


def groups(table, function):
    found = {}
    for r in table:
        found.setdefault(function(r), []).append(r)
    return found


def family(r):
    """Sizes and rank counts of one family can be shown in one plot."""
    return (r["command"], r["scaling"], r["type"], r["precision"], r["direction"])


def file_name(kind, r, *more):
    words = [kind] + [str(word) for word in more]
    if r["command"] == "bench":
        words += [r["type"], r["precision"], r["direction"]]
    return "-".join(words)


def cores_label(group):
    return "cores (ranks x threads)" if any(r["threads"] > 1 for r in group) else "ranks"


def on_cores(group):
    r = group[0]
    where = "%d %s" % (r["cores"], cores_label(group))
    if len({r["threads"] for r in group}) == 1:
        where = "%d rank%s" % (r["ranks"], "s" * (r["ranks"] > 1))
        where += " of %d threads" % r["threads"] if r["threads"] > 1 else ""
    return "%s, %s, %s, %s" % (r["type"], r["precision"], r["direction"], where)


def weak_ideals(group, base, start):
    """Lines of time and efficiency over cores, two for each number of threads, on which the same ranks
    have other cores: constant time, and, as more elements take more steps each, what the same rate of
    every core would need."""
    work = page.log_elements(base["grid"])
    for threads in sorted({r["threads"] for r in group}):
        more = {r["cores"]: page.log_elements(r["grid"]) / work for r in group if r["threads"] == threads}
        time = start * base["threads"] / threads
        yield 41, [(x, time, 100) for x in sorted(more)]
        yield 42, [(x, time * more[x], 100 / more[x]) for x in sorted(more)]


def scaling(out, curves, group, base):
    """Time (of NAS: Mop/s) over ranks beside efficiency, with what is ideal."""
    first = group[0]
    weak, nas = first["scaling"] == "weak", first["command"] == "nas"
    xs = sorted({r["cores"] for r in group})
    if first["scaling"] == "none" or len(xs) < 2:
        return None
    unit, factor = page.rate_unit(r["mops"] for r in group) if nas else \
        page.time_unit(r["max_s"] for r in group)

    def bars(r):
        """Value, and the ends of its bar."""
        if nas:
            return tuple(r["mops"] * factor * r["median_s"] / r[t]
                         for t in ("median_s", "max_s", "min_s"))
        return r["median_s"] * factor, r["min_s"] * factor, r["max_s"] * factor

    parts = curves.split(group)
    over = any(r["oversubscribed"] for r in group)
    key = curves.key_of(parts) + [(("line", 41), "constant time" if weak else "ideal")]
    if weak:
        key.append((("line", 42), "constant GFLOP/s per core"))
    if over:
        key.append((("ring", 50), "more ranks than cores: measures the scheduler"))
    p = Page(out, file_name("nas" if nas else first["scaling"], first, first["given"]), 7.0,
             title(first), key, group)
    for part in parts:
        p.data((r["cores"], *bars(r), 100 * r["efficiency"], int(r["oversubscribed"]))
               for r in sorted(part, key=lambda r: r["cores"]))
    start = bars(base)[0]
    ends = [end for r in group for end in bars(r)]
    ideals = []
    lines = weak_ideals(group, base, start) if weak else \
        [(41, [(x, start * (x / base["cores"] if nas else base["cores"] / x), 100) for x in xs])]
    for style, line in lines:
        ideals.append((len(parts) + len(ideals), style))
        ends += [y for _, y, _ in line]
        p.data(line)
    p.panel(0, 2)
    p.x_ranks(xs, cores_label(group))
    p.y_log(ends, ("rate (%s)" if nas else "time (%s)") % unit)
    p.plot(["index %d using 1:2 with lines ls %d notitle" % ideal for ideal in ideals]
           + curves.with_bars(parts, xs, over))
    p.panel(1, 2)
    p.x_ranks(xs, cores_label(group))
    p.y_linear(max([100] + [100 * r["efficiency"] for r in group]), "efficiency (%)")
    p.plot(["index %d using 1:3 with lines ls %d notitle" % ideal for ideal in ideals]
           + curves.without_bars(parts, 5)
           + ["index %d using 1:($6 > 0 ? $5 : NaN) with points ls 50 notitle" % n
              for n in range(len(parts)) if over])
    return p


def phases(out, curves, group):
    """Where the time of each strategy went, on the most cores of a problem."""
    most = max(r["cores"] for r in group)
    rows = [part[-1] for part in curves.split([r for r in group if r["cores"] == most and r["phases"]])]
    if not rows:
        return None
    first = rows[0]
    unit, factor = page.time_unit(r["max_s"] for r in rows)
    letters = max(len(curves.name(r)) for r in rows)
    key = [(("box", colour), words) for _, colour, words in PHASES]
    p = Page(out, file_name("phases", first, first["scaling"], first["grid"], most), 3.4,
             "%s, %s" % (short(first["grid"]), on_cores(rows)),
             key + [(("bar",), "median, min to max")], rows,
             letters if letters > 9 or len(rows) > 5 else 0)
    p.data((curves.name(r), *(r["phases"].get(name, 0) * factor for name, _, _ in PHASES),
            r["median_s"] * factor, r["min_s"] * factor, r["max_s"] * factor) for r in rows)
    top = [max(sum(r["phases"].values()), r["max_s"]) * factor for r in rows]
    p.panel(0, 1)
    p.x_names(len(rows))
    p.y_linear(max(top), "time (%s)" % unit)
    p.line("set style data histogram")
    p.line("set style histogram rowstacked")
    p.line("set boxwidth 0.6")
    plot = ["using %d:xtic(1) lc rgb '%s' lw 0.4 notitle" % (n + 2, colour)
            for n, (_, colour, _) in enumerate(PHASES)]
    plot.append("using 0:6:7:8 with yerrorbars lc rgb '#000000' pt 5 ps 0.7 * big lw 0.8 notitle")
    p.plot(plot)
    return p


def rates(out, curves, group):
    """GFLOP/s over size on so many cores."""
    sizes = sorted({(math.prod(page.lengths(r["grid"])), r["grid"]) for r in group})
    if len(sizes) < 2:
        return None
    first, parts = group[0], curves.split(group)
    letters = max(len(short(grid)) for _, grid in sizes)
    p = Page(out, file_name("rate", first, first["scaling"], first["cores"]), 3.4,
             on_cores(group), curves.key_of(parts), group,
             letters if letters > 5 else 0)
    for part in parts:
        p.data((math.prod(page.lengths(r["grid"])), r["gflops"],
                r["gflops"] * r["median_s"] / r["max_s"], r["gflops"] * r["median_s"] / r["min_s"])
               for r in sorted(part, key=lambda r: math.prod(page.lengths(r["grid"]))))
    p.panel(0, 1)
    p.x_sizes(sizes)
    p.y_linear(max(r["gflops"] * r["median_s"] / r["min_s"] for r in group), "rate (GFLOP/s)")
    p.plot(curves.with_bars(parts, [count for count, _ in sizes]))
    return p


def messages(group):
    """Bytes of a message of packed, for each problem and decomposition: what the network sees where
    nothing is cut further."""
    found = {}
    for r in group:
        if r["algo"] == "packed" and r["bytes_each"]:
            found[(r["grid"], r["asked"], r["threads"])] = r["bytes_each"]
    return found


def crossover(out, curves, group):
    """Time over that of the best strategy, over the size of packed messages."""
    size_of = messages(group)
    best = {}
    for r in group:
        best[r["grid"]] = min(r["median_s"], best.get(r["grid"], r["median_s"]))
    rows = [dict(r, x=size_of[(r["grid"], r["asked"], r["threads"])],
                 ratio=r["median_s"] / best[r["grid"]], worst=r["max_s"] / best[r["grid"]])
            for r in group if (r["grid"], r["asked"], r["threads"]) in size_of]
    xs = sorted({r["x"] for r in rows})
    if len(xs) < 2 or len({r["algo"] for r in rows}) < 2:
        return None
    first, parts = rows[0], curves.split(rows)
    p = Page(out, file_name("crossover", first, first["scaling"], first["cores"]), 3.4,
             on_cores(group), curves.key_of(parts), group)
    for part in parts:
        p.data((r["x"], r["ratio"]) for r in sorted(part, key=lambda r: r["x"]))
    p.panel(0, 1)
    p.x_bytes(xs, size)
    p.y_ratio(max(r["ratio"] for r in rows), "time / time of the best")
    p.plot(curves.without_bars(parts, 2))
    return p


def pages(out, table):
    curves, base = Curves(table), bases(table)
    fields = [r for r in table if r["command"] == "bench"]
    for name, group in groups(table, problem).items():
        yield scaling(out, curves, group, base[name])
    for group in groups(fields, lambda r: family(r) + (r["given"],)).values():
        yield phases(out, curves, group)
    for group in groups(fields, lambda r: family(r) + (r["cores"],)).values():
        yield rates(out, curves, group)
        yield crossover(out, curves, group)


def write(folder, table, gnuplot):
    """Draws all that there is data for.  Returns how many plots; older ones are removed."""
    out = os.path.join(folder, "plots")
    os.makedirs(out, exist_ok=True)
    for old in os.listdir(out):
        if old.rsplit(".", 1)[-1] in ("dat", "gp", "pdf", "png", "svg"):
            os.unlink(os.path.join(out, old))
    shutil.copyfile(os.path.join(os.path.dirname(os.path.abspath(__file__)), "style.gp"),
                    os.path.join(out, "style.gp"))
    made = [p for p in pages(out, table) if p]
    for p in made:
        p.draw(gnuplot)
    return len(made)
