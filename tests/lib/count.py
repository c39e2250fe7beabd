#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Sizes of the code, from the folder that has src/:
  count.py                  lines and functions of each room, and functions with many parameters
  count.py --over N PATH... functions of more than N lines, from the line with { to that with }
  count.py --with N PATH... functions of N parameters or more
Knows the layout that clang-format gives: a function begins and ends in the first column."""
import os
import re
import sys

HEAD = re.compile(r"^(?!typedef|struct|union|enum|#|/|\s|\}|PF_|return\b)[A-Za-z_].*\b([a-z_][A-Za-z_0-9]*)\((.*)$", re.S)


def sources(paths):
    for path in paths:
        if os.path.isfile(path):
            yield path
        for folder, _, files in os.walk(path):
            for file in sorted(files):
                if file.endswith((".c", ".h")):
                    yield os.path.join(folder, file)


def parameters(text):
    """How many there are between the parenthesis that is open already and its partner."""
    depth, count, words = 0, 1, ""
    for letter in text:
        if letter == ")" and depth == 0:
            break
        depth += (letter in "([{") - (letter in ")]}")
        count += letter == "," and depth == 0
        words += letter
    return 0 if words.strip() in ("", "void") else count


def functions(path):
    """(line, name, parameters, lines) of each function that is defined in a file."""
    with open(path, encoding="utf-8") as f:
        lines = f.read().split("\n")
    head = 0
    for number, line in enumerate(lines):
        if not line.startswith((" ", "\t")):
            head = number
        text = "\n".join(lines[head:number + 1])
        if not line.endswith(") {") or ";" in text or "{" in text[:-1]:
            continue
        found = HEAD.match(text)
        if not found:
            continue
        end = next((k for k in range(number, len(lines)) if lines[k] == "}"), None)
        if end is not None:
            yield head + 1, found.group(1), parameters(found.group(2)), end - number + 1


def listed(paths, wanted):
    found = 0
    for path in sources(paths):
        for line, name, count, length in functions(path):
            if wanted(count, length):
                found = 1
                print("%s:%d: %s: %d parameters, %d lines" % (path, line, name, count, length))
    return found


def rooms(top):
    for folder, _, files in sorted(os.walk(top)):
        if any(f.endswith((".c", ".h")) for f in files):
            yield folder, [os.path.join(folder, f) for f in files if f.endswith((".c", ".h"))]


def summary():
    total = [0, 0, 0, 0, 0, 0]
    print("%-20s %6s %7s %9s %8s %8s %8s" % ("room", "files", "lines", "functions", "longest", "6 args", "7 args"))
    for room, files in rooms("src"):
        found = [f for path in files for f in functions(path)]
        lines = 0
        for path in files:
            with open(path, encoding="utf-8") as f:
                lines += sum(1 for _ in f)
        row = [len(files), lines, len(found), max([f[3] for f in found] or [0]),
               sum(f[2] >= 6 for f in found), sum(f[2] >= 7 for f in found)]
        print("%-20s %6d %7d %9d %8d %8d %8d" % tuple([room] + row))
        total = [max(a, b) if k == 3 else a + b for k, (a, b) in enumerate(zip(total, row))]
    print("%-20s %6d %7d %9d %8d %8d %8d" % tuple(["all"] + total))


if __name__ == "__main__":
    if len(sys.argv) < 4:
        summary()
    else:
        limit = int(sys.argv[2])
        by_length = sys.argv[1] == "--over"
        sys.exit(listed(sys.argv[3:], lambda count, length: length > limit if by_length else count >= limit))
