# shellcheck shell=sh
# SPDX-License-Identifier: BSD-3-Clause
# For tests with Python packages that the system does not have; sourced after tests/lib/mpi4py.sh.
: "${builddir:?}" "${PYTHON:?}"

# environment NAME COMMAND: $PYTHON becomes that of a virtual environment with the system's packages, in
# which COMMAND has installed others with pip; it is kept under the build folder.  Where the command
# fails, as without a network, the test is skipped with its last words.
environment() {
  folder=$builddir/environments/$1
  if ! test -e "$folder/complete"; then
    rm -rf "$folder"
    mkdir -p "$folder"
    "$PYTHON" -c 'import mpi4py, numpy; print(f"numpy=={numpy.__version__}\nmpi4py=={mpi4py.__version__}")' >"$folder/constraints.txt"
    PIP_CONSTRAINT=$folder/constraints.txt PIP_DISABLE_PIP_VERSION_CHECK=1
    export PIP_CONSTRAINT PIP_DISABLE_PIP_VERSION_CHECK
    if ! { "$PYTHON" -m venv --system-site-packages "$folder" && (cd "$folder" && PATH=$folder/bin:$PATH && "$2"); } >"$folder/log" 2>&1; then
      echo "1..0 # SKIP $1 cannot be installed: $(tail -n 1 "$folder/log" | tr -d '#')"
      exit 0
    fi
    touch "$folder/complete"
  fi
  PYTHON=$folder/bin/python
}

# sources PACKAGE==VERSION: the folder that pip's source package of that name becomes, here
sources() {
  pip download --no-deps --no-build-isolation --no-binary :all: "$1" && tar xf ./*.tar.gz && rm ./*.tar.gz
}

# mpi4py-fft with its tests in mpi4py_fft-2.0.6/tests
install_mpi4py_fft() {
  pip install 'cython<3.1' setuptools wheel pytest && sources mpi4py-fft==2.0.6 &&
    pip install --no-deps --no-build-isolation ./mpi4py_fft-2.0.6
}
