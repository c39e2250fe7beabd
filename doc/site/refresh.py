# SPDX-License-Identifier: BSD-3-Clause
# Runs the commands that the pages show and puts what they print today in place of the old output:
#   PATH=BUILD:$PATH python3 doc/site/refresh.py doc/tutorial.md doc/howto/read-a-report.md
# A block of text counts whose first line is "$ " and a command with pfft3d; all its lines with "$ " are
# run, in one directory for each page, where data/ is that of the source tree.  For a quiet machine.
import os
import re
import subprocess
import sys
import tempfile


def refresh(block, directory):
    lines = []
    for command in re.findall(r"^\$ (.*)$", block, re.M):
        done = subprocess.run(["bash", "-o", "pipefail", "-c", command], cwd=directory, stdout=subprocess.PIPE, text=True)
        if done.returncode:
            sys.exit("%s: status %d" % (command, done.returncode))
        output = done.stdout.rstrip("\n")
        lines += ["$ " + command] + [line.rstrip() for line in output.split("\n") if output]
    return "```text\n" + re.sub(r"\n\n+", "\n\n", "\n".join(lines).strip("\n")) + "\n```"


def main(pages):
    source = os.path.abspath(os.path.join(os.path.dirname(__file__), "..", ".."))
    for page in pages:
        with open(page) as f:
            text = f.read()
        with tempfile.TemporaryDirectory() as directory:
            os.symlink(os.path.join(source, "data"), os.path.join(directory, "data"))
            text = re.sub(
                r"```text\n(\$ [^\n]*pfft3d .*?)\n```",
                lambda m: m.group(0) if "pkg-config" in m.group(1) else refresh(m.group(1), directory),
                text,
                flags=re.S,
            )
        with open(page, "w") as f:
            f.write(text)


main(sys.argv[1:])
