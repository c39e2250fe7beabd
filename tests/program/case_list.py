# SPDX-License-Identifier: BSD-3-Clause
"""A list of cases, one to a line: FOLDER FUNCTION ARGUMENTS...  Each is tried in its folder."""
import os
import sys
import traceback


def run(functions, name):
    """Tries them all; ends the program, with status 1 if one is wrong or there is none."""
    wrong = tried = 0
    with open(name) as f:
        lines = [line.split() for line in f]
    for folder, function, *arguments in lines:
        os.chdir(folder)
        try:
            functions[function](*arguments)
        except (AssertionError, OSError, KeyError, ValueError):
            print(folder, function, *arguments)
            traceback.print_exc(file=sys.stdout)
            wrong += 1
        os.chdir("..")
        tried += 1
    print(tried, "cases,", wrong, "wrong")
    sys.exit(wrong > 0 or not tried)
