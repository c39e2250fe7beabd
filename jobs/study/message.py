# SPDX-License-Identifier: BSD-3-Clause
"""Messages in the words of the program, and its exit codes."""
import sys

USAGE, DATA, MISSING, INTERNAL, CREATE, STOPPED = 64, 65, 69, 70, 73, 75


class Failure(Exception):
    """Ends the study: one line, perhaps a hint, and the exit status."""

    def __init__(self, status, text, hint=None):
        super().__init__(text)
        self.status, self.hint = status, hint


def say(text):
    print("pfft3d: " + text, file=sys.stderr, flush=True)


def warn(text):
    say("warning: " + text)


def fail(failure):
    say("error: %s" % failure)
    if failure.hint:
        say("hint: " + failure.hint)
    return failure.status
