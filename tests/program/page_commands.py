# SPDX-License-Identifier: BSD-3-Clause
# Finds the commands in blocks of Markdown pages:  python3 page_commands.py RULES PAGE...
# and prints, with tabs between, a line for each that differs from those before it on the page:
#   run PAGE COMMAND SMALLER     SMALLER: what is run, after all rules `instead`
#   not PAGE COMMAND REASON      the first rule `not` that fits
# Commands are the lines of a block of sh, those behind `$ ` in a block of text, and those lines of an indented
# block that begin as commands do.  Fails if a rule fits no command.
import re
import sys

STARTS = re.compile(
    r"([A-Z_][A-Z_0-9]*=\S* )*(pfft3d|mpirun|sh|make|cc|g\+\+|mpicc|mpifort|sudo|sbatch|cd|autoreconf|mkdir|study"
    r"|\.\./configure|python3|for \w+ in|[A-Z_]+=\S+|\.)( |$)"
)


def lines(text):
    """The lines that are commands, without comments behind them."""
    language, last, prompts = None, "", False
    for line in text.split("\n"):
        if line.startswith("```"):
            language = None if language is not None else line[3:]
        elif language == "sh" and line and line[0] != "#":
            yield line
        elif language == "text" and line.startswith("$ "):
            yield line[2:]
        elif language is None and line.startswith("    "):
            code = line[4:]
            prompts = prompts or code.startswith("$ ")
            if prompts: # other lines are what the commands print
                if code.startswith("$ "):
                    yield code[2:]
            elif last.endswith(("\\", "do")) or code.strip() == "done" or STARTS.match(code):
                yield code
                last = code
        elif line:
            prompts = False


def commands(text):
    """Commands, those of several lines joined."""
    command = ""
    for line in lines(text):
        line = re.sub(r"\s+# .*", "", line).strip()
        command += line
        if line.endswith("\\"):
            command = command[:-1]
        elif len(re.findall(r"; do\b", command)) > len(re.findall(r"\bdone\b", command)):
            command += " " if line.endswith("do") else "; "
        else:
            yield re.sub(r" +", " ", command)
            command = ""


def read_rules(path):
    """[kind, expression, text, times used]"""
    found = []
    with open(path) as f:
        for line in f:
            if line.strip() and line[0] != "#":
                kind, rest = line.rstrip("\n").split(None, 1)
                expression, text = re.split(r"\s+=>\s?", rest)
                found.append([kind, re.compile(expression), text, 0])
    return found


def rule(page, command, rules):
    """What becomes of a command."""
    for r in rules:
        if r[0] == "not" and r[1].search(page + ": " + command):
            r[3] += 1
            return "not", r[2]
    for r in rules:
        if r[0] == "instead":
            command, times = r[1].subn(r[2], command)
            r[3] += times
    return "run", command


def main(path, root, pages):
    rules = read_rules(path)
    for page in pages:
        seen = set()
        with open(root + "/" + page) as f:
            text = f.read()
        for command in commands(text):
            if command not in seen:
                kind, what = rule(page, command, rules)
                print(kind, page, command, what, sep="\t")
                seen.add(command)
    idle = [r[1].pattern for r in rules if not r[3]]
    if idle:
        sys.exit("rules that fit no command: " + ", ".join(idle))


main(sys.argv[1], sys.argv[2], sys.argv[3:])
