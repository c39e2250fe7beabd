#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Cycles among the source files of a build, by the symbols of their objects, for check_rings.sh:
  cycles.py BUILD/src [--rooms] [ALLOWED ...]
A file depends on those that define what it uses.  Prints each group of files (with --rooms: of
folders) that depend on each other in a ring, with the functions that make it so; fails where there is
one.  ALLOWED is a group that may be there still, folders separated by commas: one without a ring
inside is reported, so that the list is shortened when a ring is gone."""
import os
import re
import subprocess
import sys

PREFIX = re.compile(r"^(libpfft3d_[a-z0-9_]+_l?a|pfft3d)-")

# The drop-in defines functions of FFTW that an engine calls.
THEIRS = re.compile(r"^[ds]?fftwf?_")


SOURCES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "src")


def objects(top):
    """Name of a source, "room/file", and its object: those of libtool are in .libs.  A build folder may
    have objects of sources that are gone."""
    for folder, _, files in os.walk(top):
        room = os.path.relpath(folder, top)
        if os.path.basename(room) == ".libs":
            room = os.path.dirname(room)
        for file in files:
            if file.endswith(".o"):
                name = room + "/" + PREFIX.sub("", file[:-2])
                if any(os.path.exists(os.path.join(SOURCES, name + end)) for end in (".c", ".F90")):
                    yield name, os.path.join(folder, file)


def read(top):
    """{file: symbols it defines}, {file: symbols it needs}"""
    names = {path: name for name, path in objects(top)}
    defines, needs = {}, {}
    if not names:
        return defines, needs
    out = subprocess.run(["nm", "-A"] + list(names), capture_output=True, text=True, check=True).stdout
    for line in out.splitlines():
        path, rest = line.split(".o:", 1)
        name, words = names[path + ".o"], rest.split()
        if len(words) == 3 and words[1] in "TDRBVWC":
            defines.setdefault(name, set()).add(words[2])
        elif len(words) == 2 and words[0] == "U":
            needs.setdefault(name, set()).add(words[1])
    return defines, needs


def edges(top, unit):
    """{(from, to): symbols}, between files, or whatever unit() makes of their names."""
    defines, needs = read(top)
    where = {symbol: name for name, symbols in defines.items() for symbol in symbols
             if not THEIRS.match(symbol)}
    graph = {}
    for name, symbols in needs.items():
        for symbol in symbols - defines.get(name, set()):
            here, there = unit(name), unit(where.get(symbol, name))
            if here != there:
                graph.setdefault((here, there), set()).add(symbol)
    return graph


def reached(graph):
    """{node: all that can be reached from it}"""
    reach = {}
    for here, there in graph:
        reach.setdefault(here, set()).add(there)
        reach.setdefault(there, set())
    changed = True
    while changed:
        changed = False
        for nodes in reach.values():
            more = set().union(*(reach[n] for n in nodes)) if nodes else set()
            if not more <= nodes:
                nodes |= more
                changed = True
    return reach


def rings(graph):
    """Groups of nodes that reach each other."""
    reach = reached(graph)
    groups = {frozenset(m for m in nodes if node in reach[m]) for node, nodes in reach.items() if node in nodes}
    return sorted(sorted(group) for group in groups)


def inside(group, allowed):
    folders = tuple(allowed.split(","))
    return all((name + "/").startswith(tuple(f + "/" for f in folders)) for name in group)


def main(top, words):
    by_room = "--rooms" in words
    allowed = [word for word in words if word != "--rooms"]
    graph = edges(top, os.path.dirname if by_room else str)
    if not graph:
        print("no objects in", top)
        return 1
    bad, used = 0, set()
    for group in rings(graph):
        excuse = [a for a in allowed if inside(group, a)]
        used.update(excuse)
        if excuse:
            continue
        bad = 1
        print("a ring of %d: %s" % (len(group), " ".join(group)))
        for (here, there), symbols in sorted(graph.items()):
            if here in group and there in group:
                print("  %s -> %s: %s" % (here, there, " ".join(sorted(symbols))))
    for word in sorted(set(allowed) - used):
        bad = 1
        print("no ring in %s any more: take it from the list" % word)
    return bad


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2:]))
