# SPDX-License-Identifier: BSD-3-Clause
"""mpi4py-fft on the sizes of bench.json: a process of its own, so that its repeats take no turns
with those of the others.  Called by jobs/bench.sh:  mpirun -n 2 python3 peer_mpi4py.py FOLDER

Slab decomposition, c2c, double, FFTW planned with MEASURE, axes collapsed: transforms of whole planes
at once.  Its spectrum is distributed along axis 1 and stored in C order: the transposed
contract in distribution, in its own storage order.  Both directions are checked against sums by the
definition for a few elements before they are timed.  The input is made anew before
each repeat.  Times: max over ranks of each repeat, medians."""
import json
import os
import sys
import time

import numpy
from mpi4py import MPI
from mpi4py_fft import PFFT, newDistArray

comm = MPI.COMM_WORLD
folder = sys.argv[1]


def wave(n, k, part, sign):
    """exp(sign 2 pi i j k / n) for the j of a slice."""
    j = numpy.arange(n)[part]
    return numpy.exp(sign * 2j * numpy.pi * ((j * k) % n) / n)


def element(field, part, n, k, sign):
    """One element of the transform by its definition, on all ranks."""
    here = field @ wave(n[2], k[2], part[2], sign)
    here = here @ wave(n[1], k[1], part[1], sign)
    return comm.allreduce(here @ wave(n[0], k[0], part[0], sign))


def wrong(field, spectrum, n, sign):
    """The largest difference of some elements of a transform, over the root of its input's energy; NaN
    where one is no number, which a maximum of Python's or of MPI may hide."""
    energy = comm.allreduce(numpy.vdot(field, field).real)
    parts = field.local_slice(), spectrum.local_slice()
    worst = 0
    for k in [(0, 0, 0), (1, 2, 3), (n[0] - 1, n[1] // 2, n[2] // 3)]:
        k = [a % b for a, b in zip(k, n)]
        want = element(numpy.asarray(field), parts[0], n, k, sign)
        if all(s.start <= i < s.stop for i, s in zip(k, parts[1])):
            here = [i - s.start for i, s in zip(k, parts[1])]
            worst = numpy.maximum(worst, abs(numpy.asarray(spectrum)[tuple(here)] - want))
    return numpy.max(comm.allgather(worst)) / energy**0.5


def median_time(work, fill, reps):
    times = []
    for rep in range(reps + 1):  # the first one warms up
        fill()
        comm.Barrier()
        start = time.perf_counter()
        work()
        times.append(comm.allreduce(time.perf_counter() - start, op=MPI.MAX))
    return float(numpy.median(times[1:])), times[1:]


def centred(random, shape):
    return random.random(shape) - 0.5


def measure(n, reps):
    start = time.perf_counter()
    fft = PFFT(comm, list(n), dtype=complex, slab=True, collapse=True, backend="fftw")
    plan = comm.allreduce(time.perf_counter() - start, op=MPI.MAX)
    u, uh = newDistArray(fft, False), newDistArray(fft, True)
    random = numpy.random.default_rng(comm.rank + 1)
    kept = [centred(random, a.shape) + 1j * centred(random, a.shape) for a in (u, uh)]

    def fill(a, data):
        a[...] = data

    errors = []
    for work, sides, data, sign in ((fft.forward, (u, uh), kept[0], -1), (fft.backward, (uh, u), kept[1], 1)):
        fill(sides[0], data)
        work(*sides, normalize=False)
        fill(sides[0], data)
        errors.append(wrong(*sides, n, sign))
    error = numpy.max(errors)
    if not error < 1e-12:
        return {"wrong": True, "error": float(error)}
    forward = median_time(lambda: fft.forward(u, uh, normalize=False), lambda: fill(u, kept[0]), reps)
    backward = median_time(lambda: fft.backward(uh, u, normalize=False), lambda: fill(uh, kept[1]), reps)
    fft.destroy()
    return {"wrong": False, "error": float(error), "plan_s": plan,
            "forward": {"median_s": forward[0], "times_s": forward[1]},
            "backward": {"median_s": backward[0], "times_s": backward[1]}}


def peer_medians(results, size):
    """FFTW-MPI's best medians of the other process."""
    mine = [r for r in results if r["size"] == size and r["family"] == "FFTW-MPI"]
    return [min((r[d]["median_s"] for r in mine if "median_s" in r[d]), default=0)
            for d in ("forward", "backward")]


def main():
    with open(os.path.join(folder, "bench.json"), encoding="utf-8") as f:
        bench = json.load(f)
    alike = [r for r in bench["results"] if r["order"] == "transposed" and r["kind"] == "c2c" and r["fields"] == 1]
    sizes = {r["size"]: r for r in alike}
    if not sizes:
        return
    say = print if comm.rank == 0 else lambda *words, **options: None
    say("mpi4py-fft, c2c, transposed distribution; NOT in turns with the others; ratio to FFTW-MPI's best above")
    say(f"{'size':14}{'forward ms':>12}{'ratio':>7}{'backward ms':>13}{'ratio':>7}{'GF/s':>8}{'error':>9}{'plan s':>9}")
    found, lines = [], []
    for size, other in sizes.items():
        n = [int(word) for word in size.split("x")]
        result = measure(n, bench["reps"])
        found.append({"size": size, **result})
        if result["wrong"]:
            say(f"{size:14}  WRONG, not timed: error {result['error']:.1e}")
            continue
        f, b = (result[d]["median_s"] for d in ("forward", "backward"))
        best = peer_medians(alike, size)
        rate = other["flops"] * 2 / (f + b) * 1e-9
        lines.append(f'{other["points"] ** (1 / 3):.6g} {rate:.6g} "{size}"\n')
        say(f"{size:14}{1e3 * f:12.3f}{best[0] / f:7.2f}{1e3 * b:13.3f}{best[1] / b:7.2f}{rate:8.2f}"
            f"{result['error']:9.1e}{result['plan_s']:9.3f}")
    if comm.rank == 0:
        with open(os.path.join(folder, "mpi4py_fft.json"), "w", encoding="utf-8") as f:
            json.dump({"schema": "pfft3d.peers/1", "interleaved": False, "results": found}, f, indent=1)
        with open(os.path.join(folder, "plot-mpi4py.dat"), "w", encoding="utf-8") as f:
            f.write('"mpi4py-fft (not in turns)"\n' + "".join(lines))


main()
