# SPDX-License-Identifier: BSD-3-Clause
"""Reads the list of snapshots of turbulence with VTK's reader of XDMF, ParaView's, and compares what it
gives with the HDF5 files: turbulence_vtk.py LIST.xdmf SNAPSHOT.h5...

Coordinates are float in that reader.  Its x runs fastest in memory, along axis 2 of the arrays.
"""
import sys

import h5py
import numpy as np
import vtk
from vtk.util.numpy_support import vtk_to_numpy

reader = vtk.vtkXdmfReader()
reader.SetFileName(sys.argv[1])
reader.UpdateInformation()
info, steps = reader.GetOutputInformation(0), vtk.vtkStreamingDemandDrivenPipeline.TIME_STEPS()
times = [info.Get(steps, k) for k in range(info.Length(steps))]
assert len(times) == len(sys.argv) - 2, times
for time, name in zip(times, sys.argv[2:]):
    reader.UpdateTimeStep(time)
    image = reader.GetOutputDataObject(0)
    with h5py.File(name) as file:
        assert time == float(file["u"].attrs["time"]), (time, name)
        shape = file["u"].shape
        assert image.GetDimensions() == shape[::-1], (image.GetDimensions(), shape)
        assert np.allclose(image.GetSpacing(), 2 * np.pi / np.array(shape[::-1]), 1e-6), image.GetSpacing()
        assert image.GetOrigin() == (0, 0, 0)
        found = {image.GetPointData().GetArrayName(k): vtk_to_numpy(image.GetPointData().GetArray(k))
                 for k in range(image.GetPointData().GetNumberOfArrays())}
        assert set(found) == {"u", "v", "w", "velocity"}, set(found)
        for k, c in enumerate("wvu"):
            want = file[c][...].ravel()
            assert found[c].dtype == want.dtype and np.array_equal(found[c], want), c
            assert np.array_equal(found["velocity"][:, k], want), ("velocity", c)
print("tried", len(times), "wrong 0")
