# SPDX-License-Identifier: BSD-3-Clause
"""Does what Python is asked to, with h5py and numpy loaded already: tests/lib/served.sh.

    served.py FOLDER

Reads COUNT and so many words, the current folder and arguments, from the pipe ask, each ended by a zero byte;
does that in a child, whose words go into the files out and err, and writes its status to the pipe answer.  Ends
with the shell that started it."""
import gc
import os
import runpy
import select
import sys

import h5py  # noqa: F401
import numpy  # noqa: F401


def become(folder, directory, how, *arguments):
    """The child: what Python does with these arguments."""
    for number, name in ((1, "out"), (2, "err")):
        os.dup2(os.open(f"{folder}/{name}", os.O_WRONLY | os.O_TRUNC | os.O_CREAT | os.O_APPEND), number)
    os.chdir(directory)
    if how not in ("-", "-c"):
        sys.argv, sys.path[0] = [how, *arguments], os.path.dirname(how)
        runpy.run_path(how, run_name="__main__")
        return
    sys.path[0] = ""
    if how == "-c":
        code, *arguments = arguments
    else:
        with open(f"{folder}/in", encoding="utf-8") as file:
            code = file.read()
    sys.argv = [how, *arguments]
    exec(compile(code, "<stdin>", "exec"), {"__name__": "__main__"})


def main():
    folder, shell = sys.argv[1], os.getppid()
    # For both reading and writing: neither side meets an end of file.
    ask, answer = (os.open(f"{folder}/{name}", os.O_RDWR) for name in ("ask", "answer"))
    asked = b""
    gc.freeze()  # children leave alone what they share
    while os.getppid() == shell:
        if not select.select([ask], [], [], 1)[0]:
            continue
        asked += os.read(ask, 65536)
        count, *words = asked.decode().split("\0")
        if len(words) < 1 or len(words) < int(count) + 1:
            continue
        asked = b""
        child = os.fork()
        if not child:
            become(folder, *words[:-1])
            return
        status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        os.write(answer, b"%d\n" % (status if status >= 0 else 128 - status))


main()
