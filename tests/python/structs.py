# SPDX-License-Identifier: BSD-3-Clause
"""The package's structs are those of the headers:  python3 structs.py COMPILER...
Compiles a program that prints sizes and offsets of all members."""
import ctypes
import os
import re
import subprocess
import sys

from pfft3d import _structs


def c_name(name):
    return "pfft3d_" + re.sub(r"(?<!^)([A-Z])", r"_\1", name).lower()


structs = {c_name(n): s for n, s in vars(_structs).items()
           if isinstance(s, type) and issubclass(s, ctypes.Structure)}
lines = ["#include <pfft3d.h>", "#include <pfft3d_redist.h>", "#include <pfft3d_tune.h>"]
if "hdf5" in sys.argv:
    sys.argv.remove("hdf5")
    lines.append("#include <pfft3d_hdf5.h>")
else:
    structs = {n: s for n, s in structs.items() if not re.search("dataset|output|attribute", n)}
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
different = [(w, g) for w, g in zip(want, got) if w != g]
for w, g in different:
    print(f"package: {w}; headers: {g}")
print(len(got), "sizes")
sys.exit(bool(different) or len(want) != len(got) or len(got) < 100)
