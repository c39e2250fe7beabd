#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Words of the source, from the folder that has src/, include/ and doc/:
  words.py --dialect   number of words of the dialect in comments, and the files with most of them
  words.py --nouns     nouns in more than USES names pf_... without an entry in doc/glossary.md"""
import collections
import pathlib
import re
import sys

COMMENT = re.compile(r'"(?:\\.|[^"\\])*"|/\*.*?\*/', re.S)
# Persons, nouns that are left out, everyday words in place of terms (CONTRIBUTING.md, "Code").
DIALECT = re.compile(
    r"(?<!\w)(?:Whether|(?i:of which|those that|likewise|beside|nevertheless|what is|nobody|somebody|whom?|he|mere"
    r"|hand(?:s|ed)? on|rooms?|near|far|claim(?:s|ed)?|places?|turns?|scraps|looks?))(?!\w)")
# Names in comments, and terms.
TERM = re.compile(r"`[^`]*`|@p \w+|[\w*]+(?:\.|->)\w+|\w+[([]|\*\w+|\b(?:in|out of) place|\b(?:so|as) far|\blooks?[ -]ups?", re.I)
USES = 100
# Verbs, adjectives and ordinary nouns, for which a glossary has nothing to say.
ORDINARY = "add agree at bytes count error fail free make mpi of"


def sources(*folders):
    for folder in folders:
        for path in sorted(pathlib.Path(folder).rglob("*.[ch]")):
            yield path, path.read_text(encoding="utf-8")


def dialect():
    found = collections.Counter()
    for path, text in sources("src", "include"):
        for comment in COMMENT.findall(text):
            if comment.startswith("/*"):
                plain = re.sub(r"\s+(?:\* +)?", " ", comment)
                found[path] += len(DIALECT.findall(TERM.sub(" ", plain)))
    print(sum(found.values()), *("%s:%d" % entry for entry in found.most_common(5)))


def nouns():
    uses = collections.Counter(word for _, text in sources("src")
                               for name in re.findall(r"\bpf_(\w+)", text) for word in name.split("_"))
    terms = re.findall(r"\w+", " ".join(re.findall(r"\*\*(.+?)\*\*", pathlib.Path("doc/glossary.md").read_text(encoding="utf-8"))))
    known = {word.rstrip("s") for word in terms + ORDINARY.split()}
    for word, count in uses.most_common():
        if count > USES and word.rstrip("s") not in known:
            print("%s: in %d names, no entry in doc/glossary.md" % (word, count))


{"--dialect": dialect, "--nouns": nouns}[sys.argv[1]]()
