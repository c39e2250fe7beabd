# SPDX-License-Identifier: BSD-3-Clause
"""The package's structs, functions and constants are those of the headers:  python3 headers.py COMPILER...
They are compared with the text of the headers, and the structs with what a compiler makes of it: a program
prints sizes and offsets of all members."""
import ctypes
import os
import re
import subprocess
import sys

from pfft3d import _library, _request, _structs

sys.path.insert(0, os.path.join(os.environ["srcdir"], "tests/lib"))
import declarations

comparison = declarations.Comparison("the package")
same = comparison.same


def c_name(name):
    return "pfft3d_" + re.sub(r"(?<!^)([A-Z])", r"_\1", name).lower()


structs = {c_name(n): s for n, s in vars(_structs).items()
           if isinstance(s, type) and issubclass(s, ctypes.Structure)}
values = {"int": ctypes.c_int, "long": ctypes.c_long, "size_t": ctypes.c_size_t, "ptrdiff_t": ctypes.c_ssize_t,
          "double": ctypes.c_double, "char": ctypes.c_char, "void": None, **structs}


def wanted(kind):
    """The type of ctypes for one of C."""
    if kind.pointers == 0:
        return values[kind.name]
    if kind.pointers == 2:
        return ctypes.POINTER(ctypes.c_char_p if kind.name == "char" else ctypes.c_void_p)
    if kind.name == "char":
        return ctypes.c_char_p
    known = values.get(kind.name)  # not of void, functions and what only the library knows
    return ctypes.POINTER(known) if known else ctypes.c_void_p


# ---- functions and constants ----
for table in (_library._CORE, _library._HDF5):
    for name, (result, arguments) in table.items():
        if "pfft3d_" + name not in declarations.functions:
            comparison.wrong.append(f"{name}: not in the headers")
            continue
        to, kinds = declarations.functions["pfft3d_" + name]
        same(f"result of {name}", result, wanted(to))
        same(f"arguments of {name}", arguments, [wanted(k) for k in kinds])
for table in (_request.SIDES, _request.DIRECTIONS, _request.TYPES, _request.LISTS):
    for name, value in table.items():
        same(name, value, declarations.constants["PFFT3D_" + name.upper()])
for name in ("USAGE", "UNAVAILABLE", "INTERNAL", "MEMORY"):
    same(name, getattr(_library, name), declarations.constants["PFFT3D_ERR_" + name])

# ---- structs ----
for name, struct in structs.items():
    members = [(member, wanted(kind) * count if count > 1 else wanted(kind))
               for member, kind, count in declarations.structs[name]]
    same(name, [(member.rstrip("_"), kind) for member, kind in struct._fields_], members)
lines = [f"#include <{name}>" for name in ("pfft3d.h", "pfft3d_nd.h", "pfft3d_redist.h", "pfft3d_tune.h")]
if "hdf5" in sys.argv:
    sys.argv.remove("hdf5")
    lines.append("#include <pfft3d_hdf5.h>")
else:
    with open(os.path.join(os.environ["srcdir"], "include/pfft3d_hdf5.h"), encoding="utf-8") as f:
        of_files = re.findall(r"^} (pfft3d_\w+);", f.read(), re.M)
    structs = {n: s for n, s in structs.items() if n not in of_files}
lines += ["#include <stddef.h>", "#include <stdio.h>", "int main(void) {"]
want = []
for name, struct in structs.items():
    lines.append(f'  printf("{name} %zu\\n", sizeof({name}));')
    want.append(f"{name} {ctypes.sizeof(struct)}")
    for member, *_ in struct._fields_:
        plain = member.rstrip("_")
        lines.append(f'  printf("{name}.{plain} %zu %zu\\n", offsetof({name}, {plain}), '
                     f"sizeof((({name} *)0)->{plain}));")
        field = getattr(struct, member)
        want.append(f"{name}.{plain} {field.offset} {field.size}")
with open("structs.c", "w", encoding="utf-8") as f:
    f.write("\n".join(lines + ["  return 0;", "}", ""]))
include = os.path.join(os.environ["srcdir"], "include")
subprocess.run([*sys.argv[1:], "-std=gnu11", f"-I{include}", "structs.c", "-o", "structs"], check=True)
got = subprocess.run(["./structs"], capture_output=True, text=True, check=True).stdout.split("\n")[:-1]
same("number of sizes", len(want), len(got))
for w, g in zip(want, got):
    same("size or offset", w, g)
comparison.end(300)
