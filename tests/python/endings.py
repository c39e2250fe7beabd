# SPDX-License-Identifier: BSD-3-Clause
"""Plans and arrays that end in any order:  mpirun -n 3 python3 endings.py CYCLES | finalize

Each cycle makes plans and arrays and drops them in an order of this rank's own, some of them in cycles
of references, which the garbage collector finds when it likes.  Memory and communicators must not grow."""
import gc
import resource
import sys

import numpy as np
from mpi4py import MPI

import pfft3d

comm = MPI.COMM_WORLD
mine = np.random.default_rng(comm.rank)


class Ring:
    """Refers to itself."""

    def __init__(self, held):
        self.held, self.me = held, self


def cycle(number, arrays):
    plan = pfft3d.Plan((6, 5, 4), exchange=["shared", "packed"][number % 2])
    u, v = plan.empty("space"), plan.empty("space")
    u[...] = 1
    uh = plan.forward(u, v)
    redist = pfft3d.Redistribution((comm.size, 2), [(comm.rank, comm.rank + 1), (0, 2)],
                                   [(comm.rank, comm.rank + 1), (0, 2)])
    held = [plan, u, v, uh, redist]
    if number % 4 == 0:  # and the communicator before all else
        some = comm.Split(comm.rank % 2, comm.rank)
        held.append(pfft3d.Plan((3, 4), comm=some).empty("space"))
        some.Free()
    mine.shuffle(held)
    Ring(held.pop())
    arrays.append(u[..., 0])  # a view outlives the plan for a while
    while held:
        held.pop()
    if len(arrays) > 3:
        assert abs(arrays.pop(0) - 1).max(initial=0) < 1e-12
    if mine.random() < 0.2:
        gc.collect()


def resident():
    with open("/proc/self/statm", encoding="ascii") as f:
        return int(f.read().split()[1]) * resource.getpagesize()


def cycles(count):
    arrays, live, orphans, before = [], [], [], 0
    for number in range(count):
        cycle(number, arrays)
        live.append(len(pfft3d._lifetime.group_of().live))
        orphans.append(len(pfft3d._lifetime._orphans))
        if number == count // 2:
            gc.collect()
            before = resident()
    gc.collect()
    grown = comm.allreduce(resident() - before, op=MPI.MAX)
    if comm.rank == 0:
        print(f"{count} cycles, {max(live)} objects at most, grown by {grown} bytes since the middle")
    pfft3d.Plan((2, 2))
    assert not pfft3d._lifetime._orphans
    # The collector runs after some hundred new objects, some of which are ours.
    assert max(live) < 2000 and max(orphans) < 500, (max(live), max(orphans))
    # Memory comes in pages of 2 MiB, a few of which come late.
    assert grown < 9e6 + 200 * min(count, 1000), grown


def over(call, *arguments):
    """Asserts that a call is an Error and does not end the program, as MPI would."""
    try:
        call(*arguments)
    except pfft3d.Error as error:
        assert error.status == 64 and "finalised" in str(error), error
        return
    raise AssertionError(f"{call} after MPI_Finalize")


def finalize():
    plan = pfft3d.Plan((4, 4, 4), exchange="shared")
    other = pfft3d.Plan((4, 4, 4), exchange="packed")
    u, v = plan.empty("space"), other.empty("space")
    u[...] = v[...] = comm.rank
    mine = [slice(comm.rank, comm.rank + 1)]
    moves = pfft3d.Redistribution((comm.size,), mine, mine), pfft3d.Halo((comm.size,), mine, (1,), (0,))
    one, two = moves[0].empty("before"), moves[1].empty()
    dataset = None
    try:
        pfft3d.write("ends.h5:/ones", np.ones(1), mine, (comm.size,))
        dataset = pfft3d.Dataset("ends.h5")
    except pfft3d.Error as error:  # without HDF5
        assert error.status == 69, error
    MPI.Finalize()
    assert (u == v).all()
    over(plan.forward, u)
    over(plan.forward, u, u)
    over(plan.backward, plan.view(u, "spectrum"))
    over(plan.empty, "space")
    over(plan.measure, "forward", "passes", u)
    over(plan.gather, u, "space")
    over(plan.scatter, np.ones((4, 4, 4)), "space")
    over(moves[0].forward, one)
    over(moves[1].fill, two)
    over(pfft3d.fftn, np.ones(4))
    if dataset:
        over(dataset.read_into, plan)
        over(dataset.read, mine)
        over(dataset.attribute, "unit")
    del plan, v
    gc.collect()
    u += 1
    other.close()
    try:
        pfft3d.Plan((4, 4))
        raise AssertionError("a plan after MPI_Finalize")
    except pfft3d.Error as error:
        assert error.status == 64
    del u, other  # and what is left ends with the interpreter


kept = pfft3d.Plan((3, 3), exchange="shared")  # ends with the interpreter, or after MPI_Finalize
kept_array = kept.empty("spectrum")
if sys.argv[1] == "finalize":
    finalize()
else:
    cycles(int(sys.argv[1]))
