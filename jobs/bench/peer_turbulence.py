# SPDX-License-Identifier: BSD-3-Clause
"""A step of the Taylor-Green vortex with mpi4py-fft and numpy, by the scheme of its own example
spectral_dns_solver.py and of pfft3d turbulence: rotational form, Runge-Kutta of fourth order.  Called by
jobs/bench/turbulence.sh:  mpirun -n 2 python3 peer_turbulence.py GRID DEALIAS slab|pencil STEPS DT

DEALIAS: none; mask, the 2/3 rule by zeros in whole spectra; 2/3, of only the modes that are kept, padded
to the grid; 3/2, padded to a finer one.  FFTW plans with MEASURE.  Prints the median time of a step (the
slowest rank's; the first step warms up), the share of transforms, and the energy at the end."""
import sys
import time

import numpy as np
from mpi4py import MPI
from mpi4py_fft import PFFT, newDistArray

NU = 1 / 1600
comm = MPI.COMM_WORLD
n, rule, decomp, steps, dt = int(sys.argv[1]), sys.argv[2], sys.argv[3], int(sys.argv[4]), float(sys.argv[5])
largest = (n - 1) // 3  # wave number of the 2/3 rule
modes = 2 * largest + 1 if rule == "2/3" else n
padding = {"2/3": n / modes, "3/2": 1.5}.get(rule)
# without padding, which excludes it, axes are collapsed: transforms of whole planes
how = {"padding": [padding] * 3} if padding else {"collapse": True}
fft = PFFT(comm, [modes] * 3, dtype=float, slab=decomp == "slab", **how)
transform_s = 0.0


def array(forward):
    return newDistArray(fft, forward, rank=1)


def backward(spectrum, out):
    global transform_s
    start = time.perf_counter()
    fft.backward(spectrum, out)
    transform_s += time.perf_counter() - start


def forward(field, out):
    global transform_s
    start = time.perf_counter()
    fft.forward(field, out)
    transform_s += time.perf_counter() - start


def wave_numbers():
    part = fft.local_slice(True)
    lines = [np.fft.fftfreq(modes, 1 / modes)[part[0]], np.fft.fftfreq(modes, 1 / modes)[part[1]],
             np.fft.rfftfreq(modes, 1 / modes)[part[2]]]
    return [np.ascontiguousarray(a) for a in np.broadcast_arrays(*np.ix_(*lines))]


def start_flow():
    size = fft.global_shape(False)
    x, y, z = np.ix_(*[2 * np.pi * np.arange(m)[s] / m for m, s in zip(size, fft.local_slice(False))])
    u[0] = np.sin(x) * np.cos(y) * np.cos(z)
    u[1] = -np.cos(x) * np.sin(y) * np.cos(z)
    u[2] = 0
    for c in range(3):
        forward(u[c], uh[c])


def derivative():
    for c in range(3):
        backward(uh[c], u[c])
    for c, (a, b) in enumerate(((1, 2), (2, 0), (0, 1))):
        np.multiply(k[a], uh[b], out=scalar)
        np.subtract(scalar, k[b] * uh[a], out=scalar)
        np.multiply(scalar, 1j, out=scalar)
        backward(scalar, w[c])
    for c, (a, b) in enumerate(((1, 2), (2, 0), (0, 1))):
        np.multiply(u[a], w[b], out=product)
        np.subtract(product, u[b] * w[a], out=product)
        forward(product, du[c])
        if keep is not None:
            np.multiply(du[c], keep, out=du[c])
    np.multiply(du[0], k_over_k2[0], out=scalar)
    for c in (1, 2):
        np.add(scalar, du[c] * k_over_k2[c], out=scalar)
    for c in range(3):
        np.subtract(du[c], scalar * k[c], out=du[c])
        np.subtract(du[c], friction * uh[c], out=du[c])


def step():
    first[...] = uh
    total[...] = uh
    for stage in range(4):
        derivative()
        if stage < 3:
            np.multiply(du, (0.5, 0.5, 1)[stage] * dt, out=uh)
            np.add(uh, first, out=uh)
        np.multiply(du, (1, 2, 2, 1)[stage] / 6 * dt, out=du)
        np.add(total, du, out=total)
    uh[...] = total


# plain numpy arrays: those of mpi4py-fft cost Python's time for every operation on them
u, w = (np.asarray(array(False)) for _ in range(2))
uh, du, first, total = (np.asarray(array(True)) for _ in range(4))
product, scalar = np.empty_like(u[0]), np.empty_like(uh[0])
k = wave_numbers()
k2 = sum(a * a for a in k)
k_over_k2 = [a / np.where(k2 > 0, k2, 1) for a in k]
friction = NU * k2
keep = None
if rule == "mask":
    keep = ((abs(k[0]) <= largest) & (abs(k[1]) <= largest) & (abs(k[2]) <= largest)).astype(float)
start_flow()
step()
transform_s, times = 0.0, []
for _ in range(steps):
    comm.Barrier()
    start = time.perf_counter()
    step()
    times.append(comm.allreduce(time.perf_counter() - start, op=MPI.MAX))
share = comm.allreduce(transform_s) / comm.size / sum(times)
for c in range(3):
    backward(uh[c], u[c])
energy = comm.allreduce(float((u * u).sum())) / 2 / np.prod(fft.global_shape(False), dtype=float)
if comm.rank == 0:
    print(f"{np.median(times):.6g} {share:.3f} {energy:.15g}")
