# SPDX-License-Identifier: BSD-3-Clause
"""What the public headers declare, for tests that compare it with declarations in other languages.

functions  name: the type of the result, and a list of those of the arguments
structs    name: a list of (member, type, number of elements)
growing    structs whose callers pass the size that they know
constants  name: value

A type is (name, pointers, const): "int" for enums and MPI_Fint, "function" for a pointer to one; an array as an
argument is a pointer; const says whether that is constant to which the outermost pointer points."""
import collections
import glob
import math
import os
import re
import sys

Type = collections.namedtuple("Type", "name pointers const")
FUNCTION = Type("function", 1, False)
DECLARATION = re.compile(r"(const )?(?:struct )?(\w+) ?((?:\* ?(?:const ?)?)*)(\w+)((?:\[\w*\])*)")

functions, structs, growing, constants = {}, {}, set(), {}
_same = {"MPI_Fint": "int", "pfft3d_fint": "int"}  # types that are others, too


def _declaration(text):
    """Name, type and dimensions of "const double *const name[3]" as a member."""
    if "(*" in text:
        return re.search(r"\(\*(\w+)\)", text)[1], FUNCTION, []
    first, base, stars, name, dims = DECLARATION.fullmatch(text).groups()
    base = _same.get(base, base)
    if base == "function":
        return name, FUNCTION, []
    constant = [bool(first), *("const" in s for s in stars.split("*")[1:])]
    sizes = [constants[n] if n in constants else int(n or 1) for n in re.findall(r"\[(\w*)\]", dims)]
    return name, Type(base, len(constant) - 1, len(constant) > 1 and constant[-2]), sizes, constant[-1]


def _argument(text):
    _, found, sizes, *last = _declaration(text)
    return found._replace(pointers=found.pointers + 1, const=last[0]) if sizes else found


def _enum(body):
    value = -1
    for word in filter(None, body.replace(" ", "").split(",")):
        name, _, given = word.partition("=")
        value = constants[name] = int(given) if given else value + 1


def _members(body):
    for words in filter(None, (w.strip() for w in body.split(";"))):
        base, names = re.fullmatch(r"((?:const )?\w+ )(.*)", words).groups()
        for name in names.split(", "):
            member, kind, sizes, *_ = _declaration(base + name)
            yield member, kind, math.prod(sizes)


def _function(result, name, arguments):
    kinds = [] if arguments == "void" else [_argument(a) for a in re.split(r", (?![^(]*\))", arguments)]
    functions[name] = (_declaration(result + "x")[1], kinds)
    for kind, size in zip(kinds, kinds[1:]):
        if kind.pointers == 1 and size == Type("size_t", 0, False):
            growing.add(kind.name)


def _text(path):
    """A header without comments and directives, and what they enclose for C++, in one line."""
    with open(path, encoding="utf-8") as f:
        text = re.sub(r"/\*.*?\*/", "", f.read(), flags=re.S)
    text = re.sub(r"^#ifdef __cplusplus *\n[^#]*#endif$", "", text, flags=re.S | re.M)
    return " ".join(re.sub(r"^#.*$", "", text, flags=re.M).split())


def read(folder):
    """Fills the tables from all headers of a folder."""
    texts = [_text(path) for path in sorted(glob.glob(os.path.join(folder, "*.h")))]
    for text in texts:
        for name, body in re.findall(r"\benum (\w*) ?\{([^}]*)\}", text):
            _enum(body)
            _same[name] = "int"
        _same.update((name, "function") for name in re.findall(r"typedef [\w ]+\(\*(\w+)\)\(", text))
    for text in texts:
        for name, body in re.findall(r"typedef struct (\w+) \{([^}]*)\}", text):
            structs[name] = list(_members(body))
        text = re.sub(r"\{[^}]*\}", "", text)
        for result, name, arguments in re.findall(r"(?:^|; )([\w ]+ \*?)(pfft3d_\w+)\(((?:[^()]|\([^()]*\))*)\)(?=;)", text):
            _function(result, name, arguments)


read(os.path.join(os.environ["srcdir"], "include"))


class Comparison:
    """Compares what a binding declares with the headers."""

    def __init__(self, binding):
        self.binding, self.wrong, self.compared = binding, [], 0

    def same(self, what, binding, headers):
        self.compared += 1
        if binding != headers:
            self.wrong.append(f"{what}: in {self.binding} {binding}, in the headers {headers}")

    def end(self, least):
        print("\n".join(self.wrong))
        print(self.compared, "declarations")
        sys.exit(bool(self.wrong) or self.compared < least)
