#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Random parts of HDF5, .npy and raw files as numpy selects them, .npy files that numpy reads, and damaged headers,
# through the Python package.  Answers in TAP.
. "${srcdir:?run by make check}/tests/lib/mpi4py.sh"
. "$srcdir/tests/lib/h5py.sh"
for n in 1 2 3 4 6; do
  check "400 parts on $n ranks" ranks $n "$srcdir/tests/python/formats.py" 400 $n
done

# Headers that are damaged: each byte of one in turn, and texts of a dictionary that is not one.
headers() {
  "$PYTHON" - <<'END'
import numpy as np
import pfft3d
np.save("a.npy", np.random.default_rng(1).random((5, 6, 7)))
good = open("a.npy", "rb").read()
def opened(data):
    open("x.npy", "wb").write(data)
    try:
        with pfft3d.Dataset("x.npy") as d:
            return d.shape, d.read([slice(0, n) for n in d.shape])
    except pfft3d.Error as e:
        assert e.status in (65, 66), e.status
def header(text, version=1):
    text = text.encode()
    size = len(text).to_bytes(2 if version == 1 else 4, "little")
    return b"\x93NUMPY" + bytes([version, 0]) + size + text + good[128:]
for at in range(128):
    for byte in (0, 9, 32, 40, 57, 127, 255):
        opened(good[:at] + bytes([byte]) + good[at + 1:])
for length in range(0, len(good), 7):
    assert opened(good[:length]) is None, length
d = "{'descr': '<f8', 'fortran_order': False, 'shape': (5, 6, 7), }"
for text in (d, d + "\n", d.replace("'", '"'), d.replace(", }", "}"), "  " + d.replace(" ", ""),
             "{'shape':(5,6,7),'fortran_order':False,'descr':'<f8'}"):
    for version in (1, 2, 3):
        assert np.array_equal(opened(header(text, version))[1], np.load("a.npy")), text
for text in ("", "{}", "{", d[:-1], d + "x", d.replace("'descr': '<f8', ", ""), d.replace("False", "0"),
             d.replace("5, 6, 7", "5, 6, -7"), d.replace("5, 6, 7", "5, 6, 99999999999999999999"),
             d.replace("5, 6, 7", "5 6 7"), d.replace("5, 6, 7", "5, 6, 7.0"), d.replace("(", "["),
             d.replace("5, 6, 7", ",".join(9 * "1")), d.replace("5, 6, 7", "4294967296, 4294967296, 5"),
             d.replace("<f8", "<f8x"), d.replace("<f8", "f8"), d.replace("<f8", "<f"), d.replace("<f8", "<f88"),
             d.replace("'shape'", "'descr'"), d[:-1] + "'more': 1}", d.replace("<f8", "<" + 300 * "f")):
    assert opened(header(text)) is None, text
assert opened(header(d, 4)) is None and opened(header(d, 0)) is None
assert opened(b"\x93NUMPY\x02\x00\xff\xff\xff\xff") is None
END
}
check 'damaged headers' headers
echo "1..$number"
exit $bad
exit $bad
