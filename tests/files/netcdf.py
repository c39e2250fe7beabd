# SPDX-License-Identifier: BSD-3-Clause
"""Variables of netCDF-4 for tests/files/netcdf.sh: what pfft3d reads is what netCDF4 reads.

    netcdf.py make             packed.nc; prints "NAME MISSING" for each variable: how many elements are
                               masked
    netcdf.py named FILE NAME LENGTH...; names FILE NAME
    netcdf.py check NAME FILE  FILE has half the DFT of the variable, is read by netCDF4, and has the attributes
                               that hold for it
"""
import sys

import h5py
import netCDF4
import numpy as np

SHAPE = (7, 6, 5)
LEVELS = 10 + 0.5 * np.arange(7)
HIDDEN = {"_Netcdf4Coordinates", "_Netcdf4Dimid", "_FillValue"}
PACKED = {"scale_factor": 0.01, "add_offset": 250.0}
# name: type, attributes, numbers that are put at some places
CASES = {
    "plain": ("f8", {}, ()),
    "packed": ("i2", PACKED, ()),
    "only_scale": ("i4", {"scale_factor": np.float32(0.5)}, ()),
    "only_offset": ("u1", {"add_offset": -3.0}, ()),
    "text": ("i2", {"scale_factor": "0.25"}, ()),
    "big_endian": (">i2", PACKED, ()),
    "unsigned": ("i1", {"_Unsigned": "true", "scale_factor": 2.0}, (-1, -128)),
    "unsigned_fill": ("i1", {"_Unsigned": "true", "_FillValue": np.int8(-1)}, (-1, -2)),
    "fill": ("i2", dict(PACKED, _FillValue=np.int16(-32767)), (-32767, -32766)),
    "no_fill": ("i2", dict(PACKED, _FillValue=np.int16(-32767)), ()),
    "float_fill": ("f4", {"_FillValue": np.float32(9.96921e36)}, (9.96921e36, -1)),
    "usual_float": ("f4", {}, (9.96921e36, -1)),
    "usual_short": ("i2", {}, (-32767, -32766)),
    "usual_long": ("u8", {}, (18446744073709551614, 1)),
    "missing": ("i2", {"missing_value": np.array([-99, -98], "i2")}, (-99, -98, -97)),
    "both": ("i4", {"_FillValue": np.int32(-9), "missing_value": np.int32(-8)}, (-9, -8, -7)),
    "range": ("i2", dict(PACKED, valid_range=np.array([0, 90], "i2")), (-1, 91, 90)),
    "limits": ("i2", {"valid_min": np.int16(-5), "valid_max": np.int16(80)}, (-6, -5, 81, 80)),
    "one_limit": ("f8", {"valid_max": 80.0}, (80.5, 80)),
}


def make():
    with netCDF4.Dataset("packed.nc", "w") as d:
        for name, n in zip("zyx", SHAPE):
            d.createDimension(name, n)
        z = d.createVariable("z", "f4", ("z",))
        z[:], z.units = LEVELS, "m"
        for name, (kind, attributes, numbers) in CASES.items():
            for storage in ("", "_gzip"):
                fill = attributes.get("_FillValue")
                v = d.createVariable(name + storage, kind, ("z", "y", "x"), fill_value=fill, zlib=bool(storage))
                v.setncatts({k: a for k, a in attributes.items() if k != "_FillValue"})
                v.units = "K"
                v.set_auto_maskandscale(False)
                data = (np.arange(np.prod(SHAPE)).reshape(SHAPE) * 7 % 79).astype(kind)
                data.reshape(-1)[3:3 + len(numbers)] = numbers
                v[:] = data
    for name in CASES:
        for storage in ("", "_gzip"):
            print(name + storage, np.ma.count_masked(values(name + storage)))


def values(name):
    """As netCDF4 reads it; but a factor that is text it only warns of."""
    with netCDF4.Dataset("packed.nc") as d:
        v = d[name]
        if isinstance(getattr(v, "scale_factor", 1), str):
            v.set_auto_maskandscale(False)
            return v[:] * float(v.scale_factor)
        return v[:]


def check(name, file):
    want = np.fft.rfftn(np.ma.getdata(values(name)).astype("f8"))
    with h5py.File(file) as f:
        have = f[name][...]
        kept = set(f[name].attrs)
        assert "units" in kept and not kept & (set(CASES[name.replace("_gzip", "")][1]) | HIDDEN), kept
        assert not f.attrs, list(f.attrs)
        for axis, n in enumerate(SHAPE):
            scale = f[name].dims[axis][0]
            modes = np.fft.fftfreq(n, 1 / n) if axis < 2 else np.arange(n // 2 + 1)
            assert scale.name == "/k_" + "zyx"[axis] and np.array_equal(scale[...], modes), scale.name
    error = abs(have - want).max() / abs(want).max()
    assert have.shape == want.shape and error < 1e-14, error
    netCDF4.Dataset(file).close()


def named(file, variable, *shape):
    """FILE has the variable with the dimensions z, y, x of these lengths, and the levels of z that are left."""
    shape = tuple(map(int, shape))
    with netCDF4.Dataset(file) as d:
        v = d[variable]
        assert v.dimensions == tuple("zyx"[-len(shape):]) and v.shape == shape, (v.dimensions, v.shape)
        assert set(d.variables) == {variable} | ({"z"} if len(shape) == 3 else set()), list(d.variables)
        if len(shape) == 3:
            step = 7 // shape[0]
            assert np.array_equal(d["z"][:], LEVELS[::step][:shape[0]]) and d["z"].units == "m", d["z"][:]


def names(file, variable):
    """FILE has the variable with the dimensions z, y, x."""
    with netCDF4.Dataset(file) as d:
        assert d[variable].dimensions == ("z", "y", "x"), d[variable].dimensions


globals()[sys.argv[1]](*sys.argv[2:])
