# SPDX-License-Identifier: BSD-3-Clause
"""What Python costs, and mpi4py-fft with and without this library, in turns; by hand:

    mpirun -n 2 python3 peer_python.py [SIZE REPEATS]

Needs mpi4py-fft beside pfft3d.  For each line: medians of the slowest rank, and its least time.  First the
time of Plan.forward() beyond that of the call in C, at 64^3, which the plan counts itself.  Then SIZE^3
(256): PFFT of both, slabs, collapsed axes, not normalised, FFTW planned with MEASURE, arrays of each package's
newDistArray, and ours with arrays in C order too; and one redistribution of complex numbers."""
import os
import sys
import time

import mpi4py_fft
import numpy as np
from mpi4py import MPI
from mpi4py_fft.pencil import Pencil, Subcomm, Transfer as TheirTransfer

import pfft3d
import pfft3d.mpi4py_fft as ours

comm = MPI.COMM_WORLD
size, reps = (int(a) for a in sys.argv[1:3]) if len(sys.argv) > 2 else (256, 7)


def say(*words):
    if comm.rank == 0:
        print(*words, flush=True)


def in_turns(works):
    """Seconds of each repeat of each work, the slowest rank's."""
    times = {name: [] for name in works}
    for rep in range(reps + 1):  # the first one warms up
        for name, work in works.items():
            comm.Barrier()
            start = time.perf_counter()
            work()
            took = comm.allreduce(time.perf_counter() - start, op=MPI.MAX)
            if rep:
                times[name].append(took)
    return times


def report(title, times):
    say(title)
    first = np.median(next(iter(times.values())))
    for name, t in times.items():
        say(f"  {name:48}{1e3 * np.median(t):9.2f} ms, least{1e3 * min(t):9.2f} ms, {first / np.median(t):5.2f} of the first")


def overhead(calls=200):
    for n in (64,):
        plan = pfft3d.Plan((n, n, n), comm=comm, order="transposed")
        u, out = plan.empty("space"), plan.empty("spectrum")
        u[...] = 1
        plan.forward(u, out)
        plan.stats("forward", reset=True)
        beyond = []
        for _ in range(calls):
            before = plan.stats("forward")["total_s"]
            start = time.perf_counter()
            plan.forward(u, out)
            took = time.perf_counter() - start
            beyond.append(took - (plan.stats("forward")["total_s"] - before))
        say(f"Plan.forward at {n}^3 beyond the call in C: {1e6 * np.median(beyond):.1f} us")
        plan.close()


def transforms(dtype):
    shape, works, made = (size,) * 3, {}, []
    whole = np.random.default_rng(comm.rank)
    for name, package, arrays in (("mpi4py-fft", mpi4py_fft, mpi4py_fft), ("PFFT of pfft3d", ours, ours),
                                  ("PFFT of pfft3d, arrays in C order", ours, mpi4py_fft)):
        fft = package.PFFT(comm, shape, dtype=dtype, slab=True, collapse=True, planner_effort="FFTW_MEASURE")
        u, uh = arrays.newDistArray(fft, False), arrays.newDistArray(fft, True)
        u[...] = whole.random(u.shape) - 0.5
        works[f"{name}: forward"] = lambda f=fft, a=u, b=uh: f.forward(a, b, normalize=False)
        works[f"{name}: backward"] = lambda f=fft, a=u, b=uh: f.backward(b, a, normalize=False)
        made.append(fft)
        say(f"  {name}: {getattr(getattr(fft, 'plan', None), 'decision', 'itself')}")
    times = in_turns(works)
    for direction in ("forward", "backward"):
        report(f"{size}^3 {np.dtype(dtype).name}, {direction}", {n: t for n, t in times.items() if n.endswith(direction)})
    for fft in made:
        fft.destroy()


def redistribution():
    subcomm = Subcomm(comm, [0, 1, 1])
    b = Pencil(subcomm, (size,) * 3, 2)
    a = b.pencil(0)
    works, moves = {}, []
    here, there = np.ones(b.subshape, complex), np.empty(a.subshape, complex)
    for name, transfer in (("mpi4py-fft's Transfer", TheirTransfer), ("Transfer of pfft3d", ours.Transfer)):
        move = transfer(b.subcomm[0], b.shape, complex, b.subshape, 2, a.subshape, 0)
        works[name] = lambda m=move: m.forward(here, there)
        moves.append(move)
    report(f"{size}^3 complex128, one redistribution", in_turns(works))


say(f"{comm.size} ranks, load {' '.join(f'{v:.2f}' for v in os.getloadavg())}, mpi4py-fft {mpi4py_fft.__version__}")
overhead()
transforms(complex)
transforms(float)
redistribution()
