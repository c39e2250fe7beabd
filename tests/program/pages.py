# SPDX-License-Identifier: BSD-3-Clause
# Finds the examples in a Markdown page:  python3 pages.py PAGE DIRECTORY
# Writes each block of C, C++ or Python to a file of the directory and prints a line for it:
#   program FILE    a whole C program        python FILE     a Python program
#   cpp FILE        a part of a program in C++
#                   (FILE.expected: what the block of text behind it says that it prints)
#   part FILE       functions; or statements, here inside of a function that declares the usual variables
# Blocks of one page are in one directory and numbered, so that a later one may use files of an earlier one.
import os
import re
import sys

USUAL = """#include <complex.h>
#include <pfft3d.h>
#include <stdio.h>
int part(MPI_Comm comm, int rank);
int part(MPI_Comm comm, int rank) {
  pfft3d_request *request = NULL;
  pfft3d_plan *plan = NULL;
  pfft3d_box box;
  pfft3d_error error;
  void *array, *in, *out;
  (void)comm, (void)rank, (void)request, (void)plan, (void)box, (void)error;
  (void)&array, (void)&in, (void)&out;
  {
%s
  }
  return 0;
}
"""


def blocks(text):
    """Language, code, and the lines that a block of text behind it shows as output."""
    found = []
    for language, code in re.findall(r"^```([a-z]+)\n(.*?)^```$", text, re.M | re.S):
        if language in ("c", "python") or (language == "cpp" and "<pfft3d.hpp>" in code):
            found.append([language, code, ""])
        elif language == "text" and found and not found[-1][2]:
            found[-1][2] = "".join(re.findall(r"^[^$\n].*\n", code, re.M))
    return found


def main(page, directory):
    stem = os.path.splitext(os.path.basename(page))[0]
    with open(page) as f:
        found = blocks(f.read())
    for i, (language, code, output) in enumerate(found):
        name = os.path.join(directory, "%s%d.%s" % (stem, i, "py" if language == "python" else language))
        kind = language if language != "c" else "program" if "int main(" in code else "part"
        if kind == "part" and not re.search(r"^[a-z].*\) {$", code, re.M):
            includes = "".join(re.findall(r"^#include .*\n", code, re.M))
            code = includes + USUAL % re.sub(r"^#include .*\n", "", code, flags=re.M)
        with open(name, "w") as f:
            f.write(code)
        if kind == "program" and output:
            with open(name + ".expected", "w") as f:
                f.write(output)
        print(kind, name)


main(*sys.argv[1:])
