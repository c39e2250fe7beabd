# SPDX-License-Identifier: BSD-3-Clause
"""One plot: gnuplot's script and data, with everything placed in inches, so that key, labels and
footer never overlap, whatever the number of curves."""
import math
import os
import subprocess

from message import MISSING, Failure
from points import short
from tables import where

DASHES = ("solid", "(10,4)", "(4,3)", "(12,3,2,3)", "(2,2)", "(8,2,2,2,2,2)", "(16,4)", "(6,6)")
LINE = 0.145  # inches: a line of the key
FOOT = 0.17   # the footer
HEAD = 0.24   # the heading
SAMPLE = 0.3  # what stands before a name in the key
TURN = " rotate by 40 right"
LETTER = 0.055  # about the width of one of the key


def dash(style):
    return DASHES[(style - 1) % len(DASHES)]


def entry_width(how, name):
    return LETTER * len(name) + (0 if how[0] == "none" else SAMPLE + 0.2)


def quote(text):
    return "'%s'" % str(text).replace("'", "''")


def lengths(grid):
    return [int(n) for n in grid.split("x")]


def log_elements(grid):
    """Operations for each element: log2 N, and N of the share of a rank is constant."""
    return math.log2(max(math.prod(lengths(grid)), 2))


def time_unit(values):
    largest = max(values)
    for unit, factor in (("s", 1), ("ms", 1e3)):
        if largest * factor >= 1:
            return unit, factor
    return "us", 1e6


def rate_unit(values):
    return ("Gop/s", 1e-3) if max(values) >= 1e4 else ("Mop/s", 1)


def nice(low, high):
    """Tics of a logarithmic axis: 1, 2, 5 times powers of ten, more where there would be few."""
    for digits in ((1,), (1, 3), (1, 2, 5), (1, 1.5, 2, 3, 4, 5, 7), [x / 2 for x in range(2, 20)],
                   [x / 5 for x in range(5, 50)]):
        tics = [d * 10**e for e in range(math.floor(math.log10(low)) - 1, math.ceil(math.log10(high)) + 1)
                for d in digits if low <= d * 10**e <= high]
        if len(tics) >= 4:
            return tics
    return [low, high]


class Page:
    """key: entries (how, name), how being what draw_sample() knows."""

    def __init__(self, folder, name, wide, heading, key, group, letters=0, tall=1.85):
        """letters: of the longest name on the x axis, where names have to be turned; else 0.  tall: of
        the panels, in inches."""
        self.folder, self.name, self.wide, self.turned = folder, name, wide, letters > 0
        self.blocks, self.script, self.panels = [], [], 0
        if any(r["oversubscribed"] for r in group) and not any(how[0] == "ring" for how, _ in key):
            key = key + [(("none",), "More ranks than cores: measures the scheduler.")]
        rows = self.flow(key)
        self.key_top = FOOT + LINE * len(rows)
        self.bottom = self.key_top + (0.4 + 0.05 * letters if letters else 0.42)
        self.high = self.bottom + tall + HEAD
        self.label(heading, wide / 2, self.high - HEAD / 2, "center")
        self.label(where(group), 0.06, 0.07, "left font ',5' tc rgb '#666666'")
        for number, row in enumerate(rows):
            self.draw_key(row, self.key_top - LINE * (number + 0.5))

    def flow(self, key):
        """Rows of (x, how, name): as many entries in each as fit, in columns that are equally wide.
        Remarks have rows of their own."""
        remarks = [entry for entry in key if entry[0][0] in ("ring", "none")]
        key = [entry for entry in key if entry not in remarks]
        width = max(entry_width(*entry) for entry in key)
        count = max(1, min(len(key), int((self.wide - 0.1) / width)))
        count = math.ceil(len(key) / math.ceil(len(key) / count))
        begin = (self.wide - width * count + 0.2) / 2
        rows = [[(begin + n * width, *entry) for n, entry in enumerate(key[at:at + count])]
                for at in range(0, len(key), count)]
        return rows + [[((self.wide - entry_width(*entry)) / 2, *entry)] for entry in remarks]

    def draw_key(self, row, y):
        for x, how, name in row:
            self.draw_sample(how, x, y)
            self.label(name, x + (0 if how[0] == "none" else SAMPLE + 0.06), y, "left font ',7'")

    def draw_sample(self, how, x, y):
        ends = "from %s to %s" % (self.at(x, y), self.at(x + SAMPLE, y))
        middle = self.at(x + SAMPLE / 2, y)
        if how[0] == "curve":
            self.line("set arrow %s nohead ls %d dt %s" % (ends, how[1], dash(how[1])))
        if how[0] == "line":
            self.line("set arrow %s nohead ls %d" % (ends, how[1]))
        if how[0] in ("curve", "ring"):
            self.line("set label '' at %s point ls %d" % (middle, how[1]))
        if how[0] == "box":
            self.line("set object rectangle from %s to %s fc rgb '%s' fs solid 1 border rgb '#333333' "
                      "lw 0.4" % (self.at(x + 0.05, y - 0.035), self.at(x + SAMPLE, y + 0.045), how[1]))
        if how[0] == "bar":
            self.line("set arrow from %s to %s nohead lc rgb '#000000' lw 0.8"
                      % (self.at(x + SAMPLE / 2, y - 0.06), self.at(x + SAMPLE / 2, y + 0.06)))
        if how[0] in ("bar", "square"):
            self.line("set label '' at %s point pt 5 ps 0.7 * big lc rgb '#000000'" % middle)

    def at(self, x, y):
        return "screen %.4f, screen %.4f" % (x / self.wide, y / self.high)

    def label(self, text, x, y, how):
        self.line("set label %s at %s %s noenhanced" % (quote(text), self.at(x, y), how))

    def data(self, rows):
        """A block of the data file."""
        self.blocks.append("\n".join(" ".join(
            '"%s"' % v if isinstance(v, str) else "NaN" if v is None else repr(v) for v in row)
            for row in rows))

    def line(self, text):
        self.script.append(text)

    def panel(self, n, of):
        """The next panel, n of several side by side."""
        gap, left, right = 0.6, 0.52, 0.2
        width = (self.wide - left - right - gap * (of - 1)) / of
        begin = self.begin = left + n * (width + gap)
        if n:
            self.line("unset label\nunset arrow\nunset object")
        for side, at in (("lmargin", begin / self.wide), ("rmargin", (begin + width) / self.wide),
                         ("bmargin", self.bottom / self.high), ("tmargin", 1 - HEAD / self.high)):
            self.line("set %s at screen %.4f" % (side, at))
        self.panels += 1

    def axis(self, axis, low, high, label, tics, log=0):
        self.line("set %srange [%r:%r]" % (axis, low, high))
        self.line("set logscale %s %d" % (axis, log) if log else "unset logscale %s" % axis)
        if axis == "x":
            self.line("set xlabel %s offset 0,0.3 noenhanced" % quote(label))
        else:
            self.y_label(label)
        turn = TURN if axis == "x" and self.turned else " norotate"
        self.line("set %stics%s (%s)" % (axis, turn, ", ".join(
            "%s %r" % (quote(name), at) for name, at in tics)))

    def y_label(self, text):
        """At the left edge of the panel, however long the numbers are."""
        self.label(text, self.begin - 0.43, (self.bottom + self.high - HEAD) / 2,
                   "center rotate by 90")

    def x_ranks(self, xs, label):
        shown = xs if len(xs) < 9 else [x for x in xs if x & (x - 1) == 0]
        self.axis("x", xs[0] / 1.2, xs[-1] * 1.2, label, [(x, x) for x in shown], 2)

    def x_names(self, count):
        self.line("set xrange [-0.6:%g]" % (count - 0.4))
        self.line("set xtics scale 0" + (TURN if self.turned else " norotate"))
        self.line("set grid noxtics")

    def x_sizes(self, sizes):
        """Grids at their number of elements; of two that nearly meet only one has a name."""
        tics, last = [], 0
        for count, grid in sizes:
            if count > last * (1.25 if self.turned else 1.6):
                tics.append((short(grid), count))
                last = count
        self.axis("x", sizes[0][0] / 1.3, sizes[-1][0] * 1.3, "" if self.turned else "grid", tics, 10)
        if self.turned:  # where gnuplot puts it depends on the terminal
            self.label("grid", self.wide / 2, self.key_top + 0.1, "center")

    def x_bytes(self, xs, words):
        low, high = math.floor(math.log2(xs[0])), math.ceil(math.log2(xs[-1]))
        step = max(1, math.ceil((high - low) / 4))
        self.axis("x", xs[0] / 1.3, xs[-1] * 1.3, "size of a packed message",
                  [(words(2**e), 2**e) for e in range(low, high + 1, step)], 2)

    def y_log(self, values, label):
        low, high = min(values) / 1.25, max(values) * 1.25
        self.axis("y", low, high, label, [("%g" % t, t) for t in nice(low, high)], 10)

    def y_linear(self, top, label):
        self.line("unset logscale y")
        self.line("set yrange [0:%r]" % (top * 1.08))
        self.line("set ytics autofreq norotate")
        self.y_label(label)

    def y_ratio(self, top, label):
        if top > 4:
            self.axis("y", 0.9, top * 1.15, label, [("%g" % t, t) for t in nice(0.9, top * 1.15)], 10)
        else:
            self.y_linear(top, label)
            self.line("set yrange [%r:%r]" % (1 - (top - 0.99) * 0.08, 1 + (top - 0.99) * 1.1))

    def plot(self, curves):
        self.line("plot " + ", \\\n  ".join("data " + curve for curve in curves))

    def text(self):
        head = ["# gnuplot -e \"format='pdf'\" %s.gp   (png, svg, pdf)" % self.name,
                "name = %s" % quote(self.name), "data = %s" % quote(self.name + ".dat"),
                "wide = %g" % self.wide, "high = %g" % self.high, "load 'style.gp'"]
        many = self.panels > 1
        return "\n".join(head + ["set multiplot"] * many + self.script + ["unset multiplot"] * many
                         + ["unset output", ""])

    def draw(self, gnuplot):
        base = os.path.join(self.folder, self.name)
        with open(base + ".dat", "w") as file:
            file.write("\n\n\n".join(self.blocks) + "\n")
        with open(base + ".gp", "w") as file:
            file.write(self.text())
        script = self.name + ".gp"
        command = [gnuplot]
        for form in ("png", "svg", "pdf"):
            command += ["-e", "format='%s'" % form, script]
        run = subprocess.run(command, cwd=self.folder, stdin=subprocess.DEVNULL, text=True,
                             stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        if run.returncode:
            said = [t.strip() for t in run.stdout.splitlines() if t.strip(" ^\t")]
            raise Failure(MISSING, "gnuplot cannot draw '%s.gp': %s" % (base, said[-1] if said else "?"))
