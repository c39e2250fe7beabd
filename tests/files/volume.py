# SPDX-License-Identifier: BSD-3-Clause
# What tests/files/volume.sh wrote into the current directory is what numpy computes: volume.py INPUT.
import h5py, numpy, sys
f = h5py.File(sys.argv[1])["intensity"][...].astype(float)
F = numpy.fft.rfftn(f)
for ranks in (1, 4):
    d = h5py.File("s%d.h5" % ranks)["intensity"]
    s, back = d[...], h5py.File("b%d.h5" % ranks)["intensity"][...]
    assert s.dtype == numpy.complex128 and s.shape == F.shape
    assert back.dtype == numpy.float64 and back.shape == f.shape
    error = numpy.linalg.norm(s - F) / numpy.linalg.norm(F)
    assert error <= 1e-15, error
    assert abs(s[0, 0, 0] - 317151210) < 1e-6
    assert abs(s[1, 2, 3] - (3081870.908346712 - 2240865.786128744j)) < 1e-5
    assert abs(s[90, 100, 7] - (2853.725958793415 + 2319.698126827735j)) < 1e-5
    assert abs(back - f).max() < 1e-11
    for name in ("pfft3d_version", "problem", "direction", "normalization", "axes", "source", "spacing_mm"):
        assert name in d.attrs, name
    print(ranks, "ranks: relative L2 error", error)
for name, want, kind in (("single", F, "c8"), ("back", f, "f4")):
    d = h5py.File(name + ".h5")["intensity"]
    s, problem = d[...], d.attrs["problem"]
    assert s.dtype == numpy.dtype(kind) and s.shape == want.shape, s.dtype
    assert (problem.decode() if isinstance(problem, bytes) else problem) == "r2c:s:181x217x181"
    error = numpy.linalg.norm(s.astype(complex) - want) / numpy.linalg.norm(want)
    assert error < 2e-6, (name, error)
    print(name, "in single precision, relative L2 error", error)
whole, back = (h5py.File(name)["intensity"][...] for name in ("whole.h5", "complex.h5"))
assert whole.dtype == back.dtype == numpy.complex128 and whole.shape == back.shape == f.shape
assert abs(whole[..., :91] - F).max() < 1e-9 * abs(F).max()
assert abs(whole[0, 0, 1:] - whole[0, 0, :0:-1].conj()).max() < 1e-9 * abs(F).max()
assert abs(back - f).max() < 1e-11
