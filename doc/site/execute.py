# SPDX-License-Identifier: BSD-3-Clause
"""Runs the Python blocks of a page in order, as the cells of a notebook, and puts what each prints and
draws behind it:

    python3 doc/site/execute.py PAGE.md

The page, in a copy of the tree, is replaced; pictures that a block saves (*.png) come beside it.  data/
is that of the source tree.  A block that fails ends the run with its error, and the page stays."""
import contextlib
import io
import os
import re
import sys
import tempfile

BLOCK = re.compile(r"^```python\n(.*?)^```\n", re.M | re.S)


def execute(page):
    here = os.path.dirname(os.path.abspath(page))
    source = os.path.abspath(os.path.join(os.path.dirname(__file__), "..", ".."))
    with open(page) as f:
        text = f.read()
    names = {"__name__": "__main__"}
    drawn = set()

    def cell(match):
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            exec(compile(match.group(1), page, "exec"), names)
        after = match.group(0)
        if printed.getvalue():
            after += "\n```text\n" + printed.getvalue() + "```\n"
        for name in sorted(n for n in os.listdir() if n.endswith(".png") and n not in drawn):
            drawn.add(name)
            after += f"\n![{name[:-4].replace('_', ' ')}]({name})\n"
        return after

    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        os.symlink(os.path.join(source, "data"), "data")
        text = BLOCK.sub(cell, text)
        for name in drawn:
            with open(name, "rb") as f, open(os.path.join(here, name), "wb") as to:
                to.write(f.read())
        os.chdir(here)
    with open(os.path.basename(page), "w") as f:
        f.write(text)


if len(sys.argv) != 2:
    sys.exit("usage: execute.py PAGE.md")
execute(sys.argv[1])
