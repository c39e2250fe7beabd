# SPDX-License-Identifier: BSD-3-Clause
"""Lines for tests/line/line_numpy.sh:  line_numpy.py make  writes them into the current directory."""
import numpy as np

from transform_numpy import noise, write

LENGTHS = 1, 2, 3, 7, 101, 105, 1000, 1024


def signal(n, periods):
    """Real, with much in few components and something in all others."""
    return np.sin(2 * np.pi * periods * np.arange(n) / n) + 0.1 * noise(n)


def make():
    lines = {"real%d" % n: noise(n) for n in LENGTHS}
    lines.update(("complex%d" % n, noise(n) + 1j * noise(n)) for n in LENGTHS)
    lines.update({
        "prime": signal(100003, 7),
        "long": signal(180000, 5) + 1j * noise(180000),
        "zero": np.zeros(30),
        # types and byte orders
        "i2": (1000 * noise(125)).astype(">i2"),
        "u1": np.arange(77).astype("u1"),
        "f4": noise(99).astype(">f4"),
        "c8": (noise(50) + 1j * noise(50)).astype(">c8"),
        # spectra, as numpy users write them
        "half20": np.fft.rfft(noise(20)),
        "half21": np.fft.rfft(noise(21)).astype("c8"),
        "any": noise(11) + 1j * noise(11),  # of no real line
        "plane": noise(6, 9),
    })
    write(lines)


if __name__ == "__main__":
    make()
