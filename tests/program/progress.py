# SPDX-License-Identifier: BSD-3-Clause
"""Runs a command with a terminal as its stderr, and copies what comes from there to its own:
progress.py COMMAND..."""

import os
import pty
import subprocess
import sys

ours, theirs = pty.openpty()
with subprocess.Popen(sys.argv[1:], stderr=theirs) as job:
    os.close(theirs)
    while True:
        try:
            text = os.read(ours, 65536)
        except OSError:  # Linux: the last process has closed the terminal
            break
        if not text:
            break
        sys.stderr.buffer.write(text)
    status = job.wait()
sys.exit(status)
