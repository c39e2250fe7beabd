#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Runs the bad command lines of a table and answers in TAP: bad_lines.py TABLE PROGRAM LAUNCHER...

A line of the table is  RANKS | CODE | WORDS | ARGUMENTS : so many ranks end with that exit code and
exactly one message, of one line, that has the words (a regular expression); with one hint at most,
nothing on stdout and no file left behind.  Arguments are words as in a shell, and

    WORD**1000       a thousand arguments WORD
    <X*1000>         a thousand times X, inside a word
    <0x0a>           the byte 10, inside a word
    <srcdir>         the folder of the sources

One rank needs no launcher, which takes its time to end after a failure.  RANKS in the environment: on
so many ranks instead of one, but for lines that begin with "=1".
"""
import os
import re
import shlex
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

sys.path.append(os.path.join(os.environ["srcdir"], "tests", "lib"))
from launcher import own, scaled  # noqa: E402

LIMIT = 60  # seconds, scaled by the load, after which a run hangs


def expand(word):
    """The arguments that a word of the table stands for."""
    many = re.fullmatch(r"(.*)\*\*(\d+)", word, re.S)
    word, count = (many[1], int(many[2])) if many else (word, 1)
    word = word.replace("<srcdir>", os.environ["srcdir"])
    word = re.sub(r"<(.)\*(\d+)>", lambda m: m[1] * int(m[2]), word)
    data = re.sub(rb"<0x([0-9a-f]{2})>", lambda m: bytes([int(m[1], 16)]), os.fsencode(word))
    return [data] * count


def read_table(file):
    for number, line in enumerate(open(file, encoding="utf-8"), 1):
        line = line.rstrip("\n")
        if not line.strip() or line.startswith("#"):
            continue
        ranks, code, words, arguments = line.split(" | ", 3) if " | " in line else (0,) * 4
        if not ranks:
            sys.exit(f"{file}:{number}: expected RANKS | CODE | WORDS | ARGUMENTS")
        count = ALONE if ranks == "1" else int(ranks.strip("="))
        yield number, count, int(code), words, arguments


def wrong(run, code, words, left):
    """What is wrong with a run that has ended."""
    text = run.stderr.decode("utf-8", "replace")
    lines = text.split("\n")
    errors = [line for line in lines if line.startswith("pfft3d: error: ")]
    hints = [line for line in lines if line.startswith("pfft3d: hint: ")]
    if run.returncode != code:
        yield f"exit code {run.returncode} instead of {code}"
    if len(errors) != 1 or len(hints) > 1:
        yield f"{len(errors)} messages, {len(hints)} hints"
    if text != "".join(line + "\n" for line in errors + hints):
        yield "there is more than a message and a hint"
    if not re.search(words, text):
        yield f"no words '{words}'"
    if re.search(r"[\x00-\x09\x0b-\x1f\x7f]", text):
        yield "control characters"
    if run.stdout:
        yield f"{len(run.stdout)} bytes on stdout"
    if left:
        yield "left behind: " + " ".join(left)


def try_line(case):
    number, ranks, code, words, arguments = case
    command = [PROGRAM] if ranks == 1 else LAUNCHER + ["-n", str(ranks), PROGRAM]
    argv = [word for token in shlex.split(arguments) for word in expand(token)]
    with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryDirectory() as other:
        environment = dict(ENVIRONMENT, TMPDIR=other)  # MPI's files, which must not meet others'
        try:
            run = subprocess.run(command + argv, cwd=folder, stdin=subprocess.DEVNULL,
                                 capture_output=True, timeout=scaled(LIMIT), env=environment)
        except subprocess.TimeoutExpired:
            return case, [f"it hangs, or takes more than {LIMIT} s"], b""
        run.stderr = own(run.stderr)
        return case, list(wrong(run, code, words, os.listdir(folder))), run.stderr


def main():
    bad = total = 0
    cases = list(read_table(TABLE))
    with ThreadPoolExecutor(max_workers=2) as pool:
        for case, why, stderr in pool.map(try_line, cases):
            number, ranks, code, _, arguments = case
            total += 1
            if not why:
                continue
            bad += 1
            print(f"# line {number}: {'; '.join(why)}")
            print(f"# {ranks} | {code} | {arguments[:200]}")
            for line in stderr[:2000].decode("utf-8", "replace").splitlines():
                print(f"#   {line}")
    for ranks in sorted({case[1] for case in cases}):
        print(f"# {sum(case[1] == ranks for case in cases)} on {ranks} ranks")
    print(f"# tried {total} wrong {bad}")
    print(f"{'not ok' if bad else 'ok'} 1 - {total} bad command lines, {bad} wrong")
    return bad != 0


TABLE, PROGRAM, LAUNCHER = sys.argv[1], sys.argv[2], sys.argv[3:]
ALONE = int(os.environ.get("RANKS", "1"))
# A rank alone needs no daemon of MPI's, nor a network.
ENVIRONMENT = dict(os.environ, OMPI_MCA_ess_singleton_isolated="1")
if __name__ == "__main__":
    sys.exit(main())
