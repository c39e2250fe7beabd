#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Links of Markdown pages that lead to no file, or to no heading of it:  links.py PAGE...
Those to other sites are not followed, nor those to pages that the build makes (doc/library.md, doc/options.md)."""
import os
import pathlib
import re
import sys

CODE = re.compile(r"^(```).*?^\1[^\n]*$", re.M | re.S)
INLINE = re.compile(r"`[^`\n]*`")
LINK = re.compile(r"\]\(([^)\s]+)[^)]*\)")
MADE = {"doc/library.md", "doc/options.md"}


def anchors(path):
    """Names of the headings, as GitHub and MyST make them."""
    found = {}
    for heading in re.findall(r"^#+ +(.*?)\s*$", CODE.sub("", path.read_text(encoding="utf-8")), re.M):
        text = re.sub(r"\]\([^)]*\)", "]", heading).lower()
        name = re.sub(r"[^\w\- ]", "", text).replace(" ", "-")
        found[name] = found.get(name, 0) + 1
    return set(found) | {"%s-%d" % (name, n) for name, count in found.items() for n in range(1, count)}


def main(pages):
    known = {}
    for page in map(pathlib.Path, pages):
        text = INLINE.sub("", CODE.sub("", page.read_text(encoding="utf-8")))
        for target in LINK.findall(text):
            name, _, word = target.partition("#")
            if re.match(r"[a-z]+:", target) or os.path.normpath(page.parent / name) in MADE:
                continue
            path = page.parent / name if name else page
            if not path.exists():
                print("%s: %s" % (page, target))
            elif word and path.suffix == ".md":
                if path not in known:
                    known[path] = anchors(path)
                if word not in known[path]:
                    print("%s: %s" % (page, target))


main(sys.argv[1:])
