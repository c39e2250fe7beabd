# SPDX-License-Identifier: BSD-3-Clause
"""Where predictions go: tables between the marks of a page, plots in a folder."""
import os
import shutil

from message import CREATE, USAGE, Failure

HERE = os.path.dirname(os.path.abspath(__file__))


def between_marks(page, begin, end, lines):
    """Replaces what stands between the marks of a page."""
    with open(page) as file:
        text = file.read()
    if text.count(begin) != 1 or end not in text.split(begin)[1]:
        raise Failure(USAGE, "--page %s: it has no marks '%s' and '%s'" % (page, begin, end))
    before, after = text.split(begin)
    after = after.split(end, 1)[1]  # other tables have the same end
    with open(page, "w") as file:
        file.write(before + begin + "\n\n" + "\n".join(lines).rstrip() + "\n\n" + end + after)


def open_plots(folder):
    plots = os.path.join(folder, "plots")
    try:
        os.makedirs(plots, exist_ok=True)
        shutil.copyfile(os.path.join(HERE, "..", "study", "style.gp"),
                        os.path.join(plots, "style.gp"))
    except OSError as e:
        raise Failure(CREATE, "cannot make '%s': %s" % (plots, e.strerror)) from None
    return plots
