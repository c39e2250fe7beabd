# SPDX-License-Identifier: BSD-3-Clause
# The Python package: pure Python, which loads libpfft3d where it is used.

pfft3d_python = \
	src/python/pfft3d/__init__.py \
	src/python/pfft3d/__main__.py \
	src/python/pfft3d/_arguments.py \
	src/python/pfft3d/_builds.py \
	src/python/pfft3d/_dimensions.py \
	src/python/pfft3d/_files.py \
	src/python/pfft3d/_functions.py \
	src/python/pfft3d/_library.py \
	src/python/pfft3d/_lifetime.py \
	src/python/pfft3d/_plan.py \
	src/python/pfft3d/_redist.py \
	src/python/pfft3d/_request.py \
	src/python/pfft3d/_structs.py \
	src/python/pfft3d/_swap.py \
	src/python/pfft3d/_tune.py \
	src/python/pfft3d/_whole.py \
	src/python/pfft3d/fluidfft.py \
	src/python/pfft3d/mpi4py_fft.py \
	src/python/pfft3d/py.typed

EXTRA_DIST += $(pfft3d_python) src/python/pyproject.toml

if INSTALL_PYTHON
pfft3dpythondir = $(pythondir)/pfft3d
pfft3dpython_DATA = $(pfft3d_python)
# Python compiles it; an empty folder would still be a package to Python.
python_folder = $(pfft3dpythondir)/__pycache__ $(pfft3dpythondir)
endif
