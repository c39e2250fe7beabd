# SPDX-License-Identifier: BSD-3-Clause
"""Files through the Python package; with h5py where it is there:  mpirun -n 3 python3 files.py"""
import os

import numpy as np
from trial import comm, refused

import pfft3d

name = os.path.join(comm.bcast(os.getcwd()), f"field-{comm.size}.h5")

for shape, type, precision in [((7, 6, 5), "r2c", "double"), ((4, 3), "c2c", "single"), ((9,), "c2c", "double")]:
    plan = pfft3d.Plan(shape, type, precision=precision)
    whole = np.random.default_rng(1).random(shape).astype(plan.dtype("space"))
    u = plan.empty("space")
    u[...] = whole[plan.slices("space")]
    pfft3d.write_plan(name + ":/a/field", u, plan, "space", overwrite=True, attributes={"unit": "m/s"})
    refused(73, "exists", pfft3d.write_plan, name + ":/field", u, plan, "space")
    with pfft3d.Dataset(name) as found:
        assert (found.shape, found.path, found.attribute("unit")) == (shape, "/a/field", "m/s"), vars(found)
        assert found.attribute("none") == "" and found.complex == (type == "c2c")
        assert np.array_equal(found.read_into(plan), u)
        everything = found.read([slice(0, n) for n in shape], plan.dtype("space"))
        assert np.array_equal(everything, whole) and found.nonfinite == 0
        refused(64, "shape is", found.read_into, pfft3d.Plan((2, 2)))
    refused(64, "closed", found.read, [slice(0, n) for n in shape])
refused(66, "none.h5", pfft3d.Dataset, "none.h5")
refused(64, "complex64, float32", pfft3d.write, name, np.zeros(1, int), [slice(0, 1)], (1,), overwrite=True)
refused(64, "box of this rank", pfft3d.write, name, np.zeros(2), [slice(0, 1)], (1,), overwrite=True)
