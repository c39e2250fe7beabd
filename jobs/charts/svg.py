# SPDX-License-Identifier: BSD-3-Clause
"""Charts as SVG that follow the reader's scheme of colours, light or dark.  Lengths are pixels."""
import math
from xml.sax.saxutils import escape

# Okabe and Ito's colours, which people with any colour vision can tell apart: on white, on dark grey.
COLOURS = (("#6e7781", "#8b949e"), ("#0072b2", "#56b4e9"), ("#c04f00", "#e69f00"), ("#007a5a", "#2fbf94"),
           ("#a8568a", "#dd9bc4"), ("#7f5f00", "#c9a227"))
LIGHT = {"text": "#1f2328", "note": "#57606a", "bg": "#ffffff", "frame": "#d0d7de", "grid": "#e4e8ec"}
DARK = {"text": "#e6edf3", "note": "#9da7b3", "bg": "#131719", "frame": "#3d444d", "grid": "#2b323a"}
SIZE, SMALL = 15, 13
LETTER = 7.6  # about the width of one of SIZE


def style():
    def scheme(tone, words):
        rules = ["text { fill: %s }" % words["text"], ".note { fill: %s }" % words["note"],
                 ".bg { fill: %s; stroke: %s }" % (words["bg"], words["frame"]),
                 ".grid { stroke: %s }" % words["grid"], ".axis { stroke: %s }" % words["note"]]
        for n, pair in enumerate(COLOURS):
            rules.append(".f%d { fill: %s } .s%d { stroke: %s }" % (n, pair[tone], n, pair[tone]))
        rules.append(".hollow { fill: %s }" % words["bg"])
        return "\n".join("    " + rule for rule in rules)
    return """  <style>
    text { font: %dpx system-ui, "DejaVu Sans", sans-serif } .title { font-weight: 600 }
    .note { font-size: %dpx } .mid { text-anchor: middle } .end { text-anchor: end }
    .line { fill: none; stroke-width: 2.5; stroke-linejoin: round } .axis, .grid { stroke-width: 1 }
    .mark { stroke-width: 2.5 } .dash { stroke-dasharray: 7 5 } .dots { stroke-dasharray: 2 4 }
%s
    @media (prefers-color-scheme: dark) {
%s
    }
  </style>""" % (SIZE, SMALL, scheme(0, LIGHT), scheme(1, DARK))


def number(value):
    """`0.25`, `3`, `16k` for 16384."""
    if value >= 1024 and value % 1024 == 0:
        return "%dk" % (value // 1024)
    return "%.10g" % value


class Drawing:
    def __init__(self, width, height, title, description):
        self.width, self.height = width, height
        self.parts = ["<!-- SPDX-License-Identifier: BSD-3-Clause; made by jobs/charts.sh -->",
                      '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" width="%d" height="%d" role="img" '
                      'aria-labelledby="t d">' % (width, height, width, height),
                      '  <title id="t">%s</title>' % escape(title), '  <desc id="d">%s</desc>' % escape(description),
                      style(), '  <rect class="bg" x="0.5" y="0.5" width="%d" height="%d" rx="8"/>'
                      % (width - 1, height - 1)]

    def add(self, text, *values):
        self.parts.append("  " + text % values)

    def text(self, x, y, words, kind="", turned=0):
        turn = ' transform="rotate(%d %.1f %.1f)"' % (turned, x, y) if turned else ""
        self.add('<text x="%.1f" y="%.1f"%s%s>%s</text>', x, y, ' class="%s"' % kind if kind else "", turn,
                 escape(words))

    def line(self, x1, y1, x2, y2, kind):
        self.add('<line class="%s" x1="%.1f" y1="%.1f" x2="%.1f" y2="%.1f"/>', kind, x1, y1, x2, y2)

    def mark(self, x, y, shape, colour):
        """`dot`: measured; `ring`: simulated; `cross`: others."""
        if shape == "cross":
            for a in (-1, 1):
                self.line(x - 5, y - 5 * a, x + 5, y + 5 * a, "mark s%d" % colour)
        elif shape:
            kind = "hollow s%d mark" % colour if shape == "ring" else "f%d" % colour
            self.add('<circle class="%s" cx="%.1f" cy="%.1f" r="%.1f"/>', kind, x, y, 5)

    def notes(self, lines):
        """At the bottom; the first y that they use."""
        top = self.height - 12 - 18 * (len(lines) - 1)
        for n, words in enumerate(lines):
            self.text(16, top + 18 * n, words, "note")
        return top - 18

    def write(self, path):
        with open(path, "w", encoding="utf-8") as f:
            f.write("\n".join(self.parts + ["</svg>", ""]))


def bars(path, title, groups, names, unit, notes):
    """Horizontal bars: groups of (name, values), a bar for each of names."""
    width, left, high, gap = 620, 16, 24, 34
    key, top = 56, 84
    height = top + len(groups) * (len(names) * high + gap) + 18 * len(notes) + 6
    words = "; ".join("%s: %s" % (name, ", ".join("%s %g %s" % (n, v, unit) for n, v in zip(names, values)))
                      for name, values in groups)
    d = Drawing(width, height, title, words)
    d.text(left, 30, title, "title")
    x = left
    for n, name in enumerate(names):
        d.add('<rect class="f%d" x="%.1f" y="%.1f" width="14" height="14" rx="2"/>', n, x, key - 12)
        d.text(x + 20, key, name)
        x += 20 + LETTER * len(name) + 26
    scale = (width - left - 90) / max(max(values) for _, values in groups)
    y = top
    for name, values in groups:
        d.text(left, y + 8, name)
        y += 15
        for n, value in enumerate(values):
            d.add('<rect class="f%d" x="%.1f" y="%.1f" width="%.1f" height="%.1f" rx="2"/>', n, left, y, scale * value,
                  high - 4)
            faster = "" if n == 0 else ", %.1f×" % (values[0] / value)
            d.text(left + scale * value + 8, y + 15, "%g %s%s" % (value, unit, faster))
            y += high
        y += gap - 15
    d.notes(notes)
    d.write(path)


class Curve:
    """points: (x, y); shape of marks, None: none; dash: `dash`, `dots` or `solid`, None: no line.  What has no name
    is not in the key."""

    def __init__(self, name, points, colour, shape="dot", dash="solid"):
        self.name, self.points, self.colour, self.shape, self.dash = name, points, colour, shape, dash


def ticks(low, high, log):
    if not log:
        step = 10 ** math.floor(math.log10(high - low))
        step = next(step * f for f in (0.2, 0.25, 0.5, 1, 2) if (high - low) / (step * f) <= 6)
        return [n * step for n in range(math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9) + 1)]
    for digits in ((1,), (1, 3), (1, 2, 5)):
        found = [d * 10**e for e in range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1) for d in digits
                 if low / 1.001 <= d * 10**e <= high * 1.001]
        if len(found) >= 4:
            break
    return found


class Axis:
    def __init__(self, label, low, high, log, at=None):
        self.label, self.low, self.high, self.log = label, low, high, log
        self.at = [x for x in at or ticks(low, high, log) if low / 1.001 <= x <= high * 1.001]

    def share(self, value):
        if self.log:
            return math.log(value / self.low) / math.log(self.high / self.low)
        return (value - self.low) / (self.high - self.low)


def curves(path, title, description, x_axis, y_axis, lines, notes, lift=0):
    """Curves over a key.  lift: more pixels for the panel."""
    width, left, right, top = 620, 66, 20, 50
    named = [c for c in lines if c.name]
    columns = 2 if max(len(c.name) for c in named) < 34 else 1
    rows = math.ceil(len(named) / columns)
    panel = 300 + lift
    height = top + panel + 56 + 22 * rows + 18 * len(notes) + 10
    d = Drawing(width, height, title, description)
    d.text(16, 30, title, "title")
    wide = width - left - right

    def place(x, y):
        return left + wide * x_axis.share(x), top + panel * (1 - y_axis.share(y))
    for x in x_axis.at:
        a = place(x, y_axis.low)
        d.line(a[0], top, a[0], top + panel, "grid")
        d.text(a[0], top + panel + 20, number(x), "note mid")
    for y in y_axis.at:
        a = place(x_axis.low, y)
        d.line(left, a[1], left + wide, a[1], "grid")
        d.text(left - 8, a[1] + 5, number(y), "note end")
    d.line(left, top + panel, left + wide, top + panel, "axis")
    d.line(left, top, left, top + panel, "axis")
    d.text(left + wide / 2, top + panel + 42, x_axis.label, "note mid")
    d.text(20, top + panel / 2, y_axis.label, "note mid", -90)
    for c in lines:
        at = [place(*p) for p in c.points]
        if c.dash and len(at) > 1:
            d.add('<polyline class="line s%d%s" points="%s"/>', c.colour, "" if c.dash == "solid" else " " + c.dash,
                  " ".join("%.1f,%.1f" % p for p in at))
        for p in at:
            d.mark(*p, c.shape, c.colour)
    for n, c in enumerate(named):
        x, y = 24 + (width - 40) / columns * (n % columns), top + panel + 70 + 22 * (n // columns)
        if c.dash:
            d.line(x, y - 5, x + 34, y - 5, "line s%d%s" % (c.colour, "" if c.dash == "solid" else " " + c.dash))
        d.mark(x + 17, y - 5, c.shape, c.colour)
        d.text(x + 44, y, c.name)
    d.notes(notes)
    d.write(path)
