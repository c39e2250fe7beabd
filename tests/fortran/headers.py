# SPDX-License-Identifier: BSD-3-Clause
"""The structs, functions and constants of C that the Fortran modules declare are those of the headers: number,
names, types and kinds of members and arguments, what is passed by value, and what is not changed.
A struct may end before that of C where the library is told its size."""
import os
import re
import sys

sys.path.insert(0, os.path.join(os.environ["srcdir"], "tests/lib"))
import declarations

KINDS = {"integer(c_int)": "int", "integer(c_long)": "long", "integer(c_size_t)": "size_t",
         "integer(c_ptrdiff_t)": "ptrdiff_t", "real(c_double)": "double", "character(kind=c_char)": "char",
         "type(c_ptr)": "pointer"}
comparison = declarations.Comparison("Fortran")
same = comparison.same


def kind_of(word):
    return KINDS.get(word) or re.sub(r"type\(c_(\w+)\)", r"pfft3d_\1", word)


def declared(text):
    """Name, kind, attributes and number of elements of each variable of a list of statements."""
    for words, names in re.findall(r"^ *(\S[^\n]*?) :: (.*)$", text, flags=re.M):
        kind, *attributes = words.split(", ")
        for name, dims in re.findall(r"(\w+)(\([^)]*\))?", names):
            yield name, kind_of(kind), attributes, int(dims[1:-1]) if dims[1:-1].isdigit() else 1


def compare_struct(name, members):
    wanted = [(member, "pointer" if kind.pointers else kind.name, count)
              for member, kind, count in declarations.structs[name]]
    if name in declarations.growing:
        wanted = wanted[:len(members)]
    same(name, [(member, kind, count) for member, kind, _, count in members], wanted)


def passed(kind, attributes):
    """How C sees an argument: its type, its pointers, and whether what they point to is constant."""
    if "value" in attributes:
        return ("object", 1, None) if kind == "pointer" else (kind, 0, False)
    constant = "intent(in)" in attributes
    return ("object", 2, constant) if kind == "pointer" else (kind, 1, constant)


def expected(kind, attributes):
    """The same of an argument in C, as far as Fortran says it."""
    name, pointers, constant = kind
    by_address = "value" in attributes and pointers == 1 and name not in declarations.structs
    if pointers == 2 or by_address:
        return "object", pointers, None if by_address else constant
    return name, pointers, constant


def compare_function(name, result, arguments, body):
    variables = {v: (kind, attributes) for v, kind, attributes, _ in declared(body)}
    to, kinds = declarations.functions[name]
    same(f"result of {name}", result, "pointer" if to.pointers else to.name)
    same(f"number of arguments of {name}", len(arguments), len(kinds))
    for argument, kind in zip(arguments, kinds):
        own, attributes = variables[argument]
        same(f"{argument} of {name}", passed(own, attributes), expected(kind, attributes))


def compare(text):
    text = re.sub(r" *![^\n]*", "", text)
    text = re.sub(r" *&\n *", " ", text)
    structs = re.findall(r"type, bind\(c\) :: c_(\w+)\n(.*?)end type", text, flags=re.S)
    functions = re.findall(
        r'^ *([\w()]*) ?(?:function|subroutine) (\w+)\(([^)]*)\) bind\(c, name="(pfft3d_\w+)"\)\n(.*?)^ *end ',
        text, flags=re.S | re.M)
    same("number of declarations", text.count("bind(c"), len(structs) + len(functions) + text.count('"strlen"'))
    for name, body in structs:
        compare_struct("pfft3d_" + name, list(declared(body)))
    for kind, own, arguments, name, body in functions:
        if not kind:  # that of a function is among its variables; else it is a subroutine
            kind = dict((v, k) for v, k, *_ in declared(body)).get(own, "void")
        compare_function(name, kind_of(kind), re.findall(r"\w+", arguments), body)
    for name, value in re.findall(r"\b(pfft3d_\w+) = (\d+)", text):
        same(name, int(value), declarations.constants[name.upper()])


for source in ("pfft3d_c.inc", "pfft3d.F90", "pfft3d_hdf5.F90"):
    with open(os.path.join(os.environ["srcdir"], "src/fortran", source), encoding="utf-8") as f:
        compare(f.read())
comparison.end(250)
