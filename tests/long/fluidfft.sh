#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The plugin of fluidfft by fluidfft's own test of a class, and against numpy.  fluidfft comes from PyPI.
# Answers in TAP.
. "${srcdir:?run by make check-long}/tests/lib/mpi4py.sh"
. "$srcdir/tests/lib/environment.sh"
install_fluidfft() {
  pip install setuptools wheel pytest fluidfft && cp -r "$srcdir/src/python" sources &&
    pip install --no-deps --no-build-isolation ./sources
}
environment fluidfft install_fluidfft
program=no
. "$srcdir/tests/lib/campaign.sh"
cat >test_plugin.py <<'END'
import unittest

import numpy as np
from fluiddyn.util import mpi
from fluidfft import get_methods, import_fft_class
from fluidfft.fft3d.operators import OperatorsPseudoSpectral3D as Operators3D
from fluidfft.fft3d.testing import complete_test_class_3d

name = "fft3d.mpi_with_pfft3d"


class Tests(unittest.TestCase):
    def test_found(self):
        assert name in get_methods(ndim=3, sequential=False)

    def test_numbers(self):
        fft = import_fft_class(name)(6, 8, 10)
        whole = np.random.default_rng(1).random((6, 8, 10))
        want = np.fft.rfftn(whole, norm="forward").transpose(1, 0, 2)
        first, n = fft.get_seq_indices_first_X()[0], fft.get_shapeX_loc()[0]
        got = fft.fft(whole[first:first + n])
        first, n = fft.get_seq_indices_first_K()[0], fft.get_shapeK_loc()[0]
        assert np.allclose(got, want[first:first + n], rtol=0, atol=1e-14)

    def test_shapes(self):
        op = Operators3D(6, 8, 10, 1, 1, 1, fft=import_fft_class(name))
        for shape in ("loc", "seq"):
            for create, want in ((op.create_arrayX, op._get_shapeX(shape)), (op.create_arrayK, op._get_shapeK(shape))):
                assert create(1.0, shape=shape).shape == tuple(want), (shape, want)


complete_test_class_3d(name, Tests, skip_if_import_error=False)
END
# plugin RANKS: the tests of all ranks
plugin() {
  # shellcheck disable=SC2086  # a command with options
  limited 300 env TRANSONIC_BACKEND=python FLUIDDYN_NUM_PROCS_BUILD=1 $MPIRUN -n "$1" "$PYTHON" -m pytest -q -p no:cacheprovider -rA test_plugin.py >out.txt 2>&1
  status=$?
  cat out.txt
  echo "tried $(grep -cE '^(PASSED|FAILED|ERROR) ' out.txt) wrong $(grep -cE '^(FAILED|ERROR) ' out.txt)"
  test $status = 0 && grep -q 'PASSED.*test_operator3d_mpi_with_pfft3d_even' out.txt
}
for n in 1 2 4; do part "fluidfft's test of its classes on $n ranks" plugin $n; done
campaign_end
