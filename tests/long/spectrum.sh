#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Spectra of particles beside Pylians (PyPI), which takes some minutes to build: its densities by all four schemes, its powers,
# multipoles and cross spectra.  Answers in TAP.
. "${srcdir:?run by make check-long}/tests/lib/mpi4py.sh"
: "${PFFT3D:?}"
. "$srcdir/tests/lib/environment.sh"
install_pylians() { pip install 'cython<3' setuptools wheel && pip install --no-build-isolation Pylians; }
environment pylians install_pylians
. "$srcdir/tests/lib/campaign.sh"

"$PYTHON" "$srcdir/tests/long/spectrum_pylians.py" make || exit 99
spectrum() { # RANKS OPTIONS...
  n=$1
  shift
  # shellcheck disable=SC2086  # a command with options
  limited 60 $MPIRUN -n "$n" "$PFFT3D" spectrum --wisdom none --grid 48 --length 100 --los 2 -q "$@"
}
beside() { # SCHEME
  spectrum 3 -i p.h5:/x --deposit "$1" --csv "$1.csv" &&
    spectrum 2 -i p.h5:/x --with p.h5:/y --deposit "$1" --csv cross.csv &&
    "$PYTHON" "$srcdir/tests/long/spectrum_pylians.py" compare "$1"
}
for scheme in ngp cic tsc pcs; do part "$scheme" beside $scheme; done
campaign_end
