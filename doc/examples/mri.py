# SPDX-License-Identifier: BSD-3-Clause
"""An MRI volume of a head, smoothed: a Gaussian multiplies its spectrum on the way back.

    mpirun -n 4 python3 mri.py VOLUME.h5 PICTURE.png

The file is read in parallel; the picture has the middle slice from left to right, before and after."""
import struct
import sys
import zlib

import numpy as np

import pfft3d

sigma = 3.0  # points
volume = pfft3d.Dataset(sys.argv[1])
plan = pfft3d.Plan(volume.shape, "r2c", decomp="slab", order="transposed")
head = volume.read_into(plan)
spectrum = plan.forward(head)


def gaussian(modes, n, half):
    """The transform of exp(-x^2 / (2 sigma^2)), for the modes 0, 1, ... of an axis."""
    f = np.arange(modes) / n
    f = f if half else np.minimum(f, 1 - f)
    return np.exp(-2 * (np.pi * sigma * f) ** 2)


modes = plan.global_shape("spectrum")
factors = [gaussian(m, n, a == 2) for a, (m, n) in enumerate(zip(modes, volume.shape))]
smooth = plan.backward(spectrum, multiplier=factors)

# The sum of a field is its mode 0, which this filter leaves as it is.
sums = [plan.comm.allreduce(float(np.sum(a))) for a in (head, smooth)]
roughness = [plan.comm.allreduce(float(np.sum(np.diff(a, axis=2) ** 2))) for a in (head, smooth)]


def png(name, image):
    """Writes numbers 0 to 255 as a picture."""
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
    rows = b"".join(b"\0" + row.tobytes() for row in np.clip(image, 0, 255).astype(np.uint8))
    size = struct.pack(">IIBBBBB", image.shape[1], image.shape[0], 8, 0, 0, 0, 0)
    with open(name, "wb") as file:
        file.write(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", size) + chunk(b"IDAT", zlib.compress(rows))
                   + chunk(b"IEND", b""))


middle = volume.shape[2] // 2
slices = [plan.comm.gather(a[:, :, middle]) for a in (head, smooth)]  # slabs along axis 0, in order of ranks
if plan.comm.rank == 0:
    before, after = (np.concatenate(parts)[::-1] for parts in slices)  # z points up, y to the right
    gap = np.full((len(before), 4), before.max())
    both = np.hstack([before, gap, after]) * (255 / before.max())
    png(sys.argv[2], np.kron(both, np.ones((2, 2))))  # two pixels for each point
    print(f"sum {sums[0]:.0f}, smoothed {sums[1]:.0f}; squared steps {roughness[1] / roughness[0]:.4f} of before")
sys.exit(not abs(sums[1] / sums[0] - 1) < 1e-12)
