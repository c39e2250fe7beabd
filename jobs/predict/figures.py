# SPDX-License-Identifier: BSD-3-Clause
"""Plots of predictions, in the style of the studies: maps of the best strategies, and scaling."""
import math

import page
from cells import letter
from page import Page

COLOURS = {"alone": "#E8E8E8", "slab": "#9CCBEB", "pencil": "#F5C76B"}
WORDS = {"alone": "one rank", "slab": "slabs", "pencil": "pencils"}


def short_time(s):
    unit, factor = page.time_unit([s])
    return ("%.3g %s" if s < 1000 else "%.0f %s") % (s * factor, unit)


def kind(r):
    return "alone" if r["ranks"] == 1 else r["decomp"]


def title(r):
    """`c2c, double, forward`"""
    words = r["problem"].split(":")
    return "%s, %s, forward" % (words[0], {"d": "double", "s": "single"}[words[1]])


def strategies_map(out, cells):
    """One machine: cubes over ranks, coloured by decomposition, with the letter of the exchange."""
    first = cells[0]
    xs, ys = sorted({r["ranks"] for r in cells}), sorted({r["n"] for r in cells})
    kinds = [k for k in COLOURS if any(kind(r) == k for r in cells)]
    algos = list(dict.fromkeys(r["algo"] for r in cells if r["ranks"] > 1))
    key = [(("box", COLOURS[k]), WORDS[k]) for k in kinds]
    key += [(("letter", letter(a)), "exchange " + a) for a in algos]
    p = MapPage(out, "map-" + first["file"], 7.0, "%s: the best strategy by the model, %s"
                % (first["machine"], title(first)), key, cells, tall=max(1.85, 0.27 * len(ys)))
    p.data((xs.index(r["ranks"]), ys.index(r["n"]), 0.5, 0.5, int(COLOURS[kind(r)][1:], 16),
            ("" if r["ranks"] == 1 else letter(r["algo"]) + "  ") + short_time(r["predicted_s"]))
           for r in cells)
    p.panel(0, 1)
    p.axis("x", -0.5, len(xs) - 0.5, "ranks", [(str(x), n) for n, x in enumerate(xs)])
    p.axis("y", -0.5, len(ys) - 0.5, "grid, N of N\u00b3", [(str(y), n) for n, y in enumerate(ys)])
    p.line("unset grid\nset tics scale 0")
    p.plot(["index 0 using 1:2:3:4:5 with boxxyerror fc rgb variable lw 0.4 notitle",
            "index 0 using 1:2:6 with labels font ',6' noenhanced notitle"])
    return p


class MapPage(Page):
    def draw_sample(self, how, x, y):
        if how[0] == "letter":
            self.label(how[1], x + page.SAMPLE - 0.06, y, "right font ',7'")
        else:
            super().draw_sample(how, x, y)


def work(r):
    """Operations of a rank."""
    return r["n"] ** 3 * math.log2(r["n"]) / r["ranks"]


def ideal(r, base):
    """Seconds, if every rank worked as fast as in the first point."""
    return base["predicted_s"] * work(r) / work(base)


def add_efficiency(cells):
    """Against the first point of the machine."""
    base = {}
    for r in sorted(cells, key=lambda r: r["ranks"]):
        r["base"] = base.setdefault(r["machine"], r)
        r["efficiency"] = ideal(r, r["base"]) / r["predicted_s"]
    return cells


def scaling(out, name, heading, cells):
    """Time over ranks beside efficiency, a curve for each machine, with what is ideal."""
    parts = {}
    for r in sorted(cells, key=lambda r: r["ranks"]):
        parts.setdefault(r["machine"], []).append(r)
    parts = list(parts.values())
    xs = sorted({r["ranks"] for r in cells})
    seconds = [r["predicted_s"] for r in cells]
    unit, factor = page.time_unit([math.sqrt(min(seconds) * max(seconds))])
    key = [(("curve", n + 1), part[0]["network"]) for n, part in enumerate(parts)]
    key.append((("line", 41), "ideal: each rank as fast as in the first point"))
    p = Page(out, name, 7.0, heading, key, cells)
    for part in parts:
        p.data((r["ranks"], r["predicted_s"] * factor, 100 * r["efficiency"],
                ideal(r, r["base"]) * factor) for r in part)
    ends = [min(seconds) * factor / 2, max(seconds) * factor]
    ticks = [x for x in xs if len(xs) < 9 or math.log2(x) % 2 == 0]
    for n, (label, column) in enumerate((("time (%s)" % unit, 2), ("efficiency (%)", 3))):
        p.panel(n, 2)
        p.axis("x", xs[0] / 1.3, xs[-1] * 1.3, "ranks", [(thousands(x), x) for x in ticks], 2)
        if n == 0:
            p.y_log(ends, label)
            curves = ["data index %d using 1:4 with lines ls 41 notitle" % k
                      for k in range(len(parts))]
        else:
            p.y_linear(max([100] + [100 * r["efficiency"] for r in cells]), label)
            curves = ["100 with lines ls 41 notitle"]
        curves += ["data index %d using 1:%d with linespoints ls %d dt %s notitle"
                   % (k, column, k + 1, page.dash(k + 1)) for k in range(len(parts))]
        p.line("plot " + ", \\\n  ".join(curves))
    return p


def thousands(x):
    """`64k` for 65536, as there is little room below an axis."""
    return "%dk" % (x // 1024) if x >= 1024 and x % 1024 == 0 else str(x)
