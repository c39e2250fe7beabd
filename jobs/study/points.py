# SPDX-License-Identifier: BSD-3-Clause
"""The points of a study: which problem runs on how many ranks.

A point is one start of the program.  It is a dict of what tells it from other points (KEY), which
stands in its line of the results as part of "study".
"""
import itertools

KEY = ("command", "scaling", "given", "type", "precision", "decomp", "threads", "ranks")


def cube(text):
    """The lengths that `N`, `N0xN1` or `N0xN1xN2` means; ValueError if it means none."""
    parts = text.split("x")
    if len(parts) > 3 or not all(p.isascii() and p.isdigit() and int(p) > 0 for p in parts):
        raise ValueError(text)
    return [int(p) for p in parts] * (3 if len(parts) == 1 else 1)


def name(lengths):
    return "x".join(str(n) for n in lengths)


def short(grid):
    """`64x64x64` as people say it: 64."""
    parts = grid.split("x")
    return parts[0] if len(parts) == 3 and len(set(parts)) == 1 else grid


def prime_factors(number):
    """Largest first."""
    factors, divisor = [], 2
    while number > 1:
        while number % divisor == 0:
            factors.append(divisor)
            number //= divisor
        divisor += 1
    return factors[::-1]


def weak_grid(lengths, ranks):
    """The grid of P ranks whose share has as many elements as the grid of one: each prime factor
    of P, largest first, goes to the axis that is shortest then (of equal ones the first)."""
    lengths = list(lengths)
    for factor in prime_factors(ranks):
        lengths[lengths.index(min(lengths))] *= factor
    return lengths


def make(options):
    """All points that the options ask for, each once, in the order in which they run."""
    points = []
    if options.nas:
        for letter, decomp, threads, ranks in itertools.product(
                options.nas, options.decomps, options.threads, options.ranks):
            points.append({"command": "nas", "scaling": "strong", "given": letter, "grid": letter,
                           "type": "c2c", "precision": "double", "decomp": decomp,
                           "threads": threads, "ranks": ranks})
    for given, kind, precision, decomp, threads, ranks in itertools.product(
            options.grids, options.types, options.precisions, options.decomps, options.threads,
            options.ranks):
        lengths = cube(given)
        grid = weak_grid(lengths, ranks) if options.scaling == "weak" else lengths
        points.append({"command": "bench", "scaling": options.scaling, "given": name(lengths),
                       "grid": name(grid), "type": kind, "precision": precision, "decomp": decomp,
                       "threads": threads, "ranks": ranks})
    once = {key(point): point for point in points}
    return list(once.values())


def key(point):
    return tuple(point.get(field) for field in KEY)


def describe(point):
    """For people: `strong 128x128x128 c2c double slab on 4 ranks`."""
    if point["command"] == "nas":
        words = ["nas class", point["given"]]
    else:
        words = [] if point["scaling"] == "none" else [point["scaling"]]
        words += [point["grid"], point["type"], point["precision"]]
    if point["decomp"] != "auto":
        words.append(point["decomp"])
    words.append("on %d rank%s" % (point["ranks"], "s" * (point["ranks"] > 1)))
    if point["threads"] > 1:
        words.append("of %d threads" % point["threads"])
    return " ".join(words)


def arguments(point, options):
    """The command line of the program."""
    if point["command"] == "nas":
        words = ["nas", "--class", point["given"], "--reps", str(options.reps)]
    else:
        words = ["bench", "--grid", point["grid"], "--type", point["type"],
                 "--precision", point["precision"], "--direction", options.direction,
                 "--reps", str(options.reps)]
    words += ["--exchange", options.algos]
    if point["decomp"] != "auto":
        words += ["--decomp", point["decomp"]]
    if point["threads"] > 1:
        words += ["--threads", str(point["threads"])]
    return words + options.more
