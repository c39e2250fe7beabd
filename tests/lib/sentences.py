#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Words of the sentences in Markdown pages:
  sentences.py --list LIMIT PAGE...    sentences of more than LIMIT words, and where they are
  sentences.py --count PAGE...         for all pages: words, sentences of more than 40 words, of more than 48
Blocks of code and of commands count for neither.  Code between backticks, a link and a formula are as many words
as a reader reads; an item of a list, a heading and a cell of a table end what is before them."""
import pathlib
import re
import sys

CODE = re.compile(r"^(```|~~~).*?^\1[^\n]*$", re.M | re.S)
COMMENT = re.compile(r"<!--.*?-->", re.S)
# An item of a list, a heading, a table, a quotation, a picture: the start of another text.
STARTS = re.compile(r"^\s*(?:[*+-] |\d+\. |#|\||>|!\[)")
# The end of a sentence, also before the end of emphasis or of a bracket.
END = re.compile(r"(?<=[.!?])[*_)\"']*\s+(?=[*_(\[`\"']*[A-Z0-9`])")
# Not an end of a sentence.
SHORT = re.compile(r"\b(e\.g|i\.e|et al|vs|cf|Fig|No|pp?|resp)\.")


def parts(text):
    """Line number and text of each paragraph, item, cell."""
    blank = lambda m: "\n" * m[0].count("\n")
    text = COMMENT.sub(blank, CODE.sub(blank, text))
    start, found, listed, code = 0, "", False, False
    for number, line in enumerate(text.split("\n") + [""], 1):
        indented = line.startswith("    ")
        code = indented and (code or not found and not listed) or code and not line.strip()
        if code or not line.strip() or STARTS.match(line):
            if found:
                yield start, found
            found = ""
        if code:
            continue
        listed = bool(re.match(r"\s*(?:[*+-] |\d+\. )", line)) or listed and (not line.strip() or line[0] == " ")
        if line.lstrip().startswith("|"):
            yield from ((number, cell) for cell in line.split("|"))
        elif line.strip():
            start = start if found else number
            found += " " + line if found else line


def words(sentence):
    sentence = re.sub(r"\]\([^)]*\)", "]", sentence)
    return sum(bool(re.search(r"\w", word)) for word in sentence.split())


def sentences(path):
    text = pathlib.Path(path).read_text(encoding="utf-8")
    for number, part in parts(text):
        for sentence in END.split(SHORT.sub(r"\1", part)):
            if words(sentence):
                yield number, words(sentence), sentence.strip()


def listed(limit, *pages):
    for path in pages:
        for number, count, sentence in sentences(path):
            if count > int(limit):
                print("%s:%d: %d words: %s" % (path, number, count, sentence))


def counted(*pages):
    found = [count for path in pages for _, count, _ in sentences(path)]
    total = sum(len(pathlib.Path(path).read_text(encoding="utf-8").split()) for path in pages)
    print(total, sum(c > 40 for c in found), sum(c > 48 for c in found))


{"--list": listed, "--count": counted}[sys.argv[1]](*sys.argv[2:])
