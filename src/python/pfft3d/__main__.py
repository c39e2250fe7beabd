# SPDX-License-Identifier: BSD-3-Clause
"""python3 -m pfft3d info: what this package found."""
import sys

from . import Error, __version__, build, names
from ._library import files_library, mpi


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


def main(arguments: list) -> int:
    """Its exit status is that of the program pfft3d."""
    if arguments != ["info"]:
        print("usage: python3 -m pfft3d info", file=sys.stderr)
        return 64
    try:
        _info()
    except Error as error:
        print(f"pfft3d: error: {error}", file=sys.stderr)
        return error.status
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
