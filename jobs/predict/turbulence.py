# SPDX-License-Identifier: BSD-3-Clause
"""What a step of pfft3d turbulence takes by the model: twelve transforms of three real fields that keep
two thirds of the modes, and the loops over the state between them, which are as fast as memory.  That
transforms are joined in cache is not counted: an upper bound."""
from cells import explain

TRANSFORMS = 12          # four stages: two backward, one forward
WORDS = ["--type", "r2c", "--batch", "3", "--keep", "2/3"]
MODE = 12 * 3 * 16       # bytes: vectors of the state, read and written by the four stages of Runge-Kutta
COUNTS = [2**k for k in range(9)]
WEAK = (128, 160, 200, 256, 320, 400, 512, 640, 810)  # nearly the same points of a rank


def kept(problem):
    """The modes along each axis of r2c:d:30x30x30/20x20x20*3."""
    return int(problem.split("/")[1].split("x")[0])


def step(cell):
    """The cell of a transform, made that of a step."""
    keep = kept(cell["problem"])
    data = MODE * keep**2 * (keep // 2 + 1) / cell["ranks"]
    cell["loops_s"] = data / cell["memory_rate"]
    cell["transform_s"] = cell["predicted_s"]
    cell["predicted_s"] = TRANSFORMS * cell["transform_s"] + cell["loops_s"]
    return cell


def cells(file, grids, counts, more):
    return [step(r) for r in explain(file, grids, counts, WORDS + more)]


def families(machines, more):
    """(name, heading, cells), as of transforms."""
    strong = [r for m in machines for r in cells(m, [512], COUNTS, more)]
    weak = [r for m in machines for n, p in zip(WEAK, COUNTS) for r in cells(m, [n], [p], more)]
    yield "turbulence-strong", "A step of turbulence, 512\u00b3, 2/3, double", strong
    yield "turbulence-weak", "A step of turbulence, 2 Mi points a rank, 2/3, double", weak
