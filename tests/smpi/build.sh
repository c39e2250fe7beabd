#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Builds pfft3d for SimGrid's simulated machines, out of tree, and prints where the program is:
#   sh tests/smpi/build.sh [DIRECTORY]      (build/smpi, or $BUILD/smpi)
# Nothing is compiled again that has not changed.  Exit code 77, with the reason: no SimGrid here.
set -eu
cd "$(dirname "$0")/../.."
where=${1:-${BUILD:-build}/smpi}

for tool in smpicc smpirun; do
  if ! command -v $tool >/dev/null; then
    echo "no $tool (on Debian: apt-get install libsimgrid-dev)"
    exit 77
  fi
done
if test -f config.status; then
  echo 'this source is configured in place, so that nothing else can be built of it'
  exit 77
fi
# newer A B: A has changed since B was made
newer() { ! test -f "$2" || test -n "$(find "$1" -newer "$2")"; }
if newer configure.ac configure; then autoreconf -fi >&2; fi
mkdir -p "$where"
source=$PWD
cd "$where"
# Only so are programs made that configure can try out; what is built has to be a library, which
# smpirun loads once for each rank.  Its times are those of a model: the compiler need not be slow,
# nor compile kernels for several instruction sets.
if newer "$source/configure" config.status; then
  SMPI_PRETEND_CC=1 "$source/configure" CC=smpicc LD=ld CFLAGS=-O0 CPPFLAGS=-DPF_NO_AVX \
    --without-hdf5 --without-hypre --without-opencl --without-cuda --without-opengl --disable-openmp >configure.log 2>&1 || {
    tail -n 20 configure.log >&2
    exit 1
  }
fi
make -j "$(nproc 2>/dev/null || echo 2)" nas_checksums.h pfft3d >make.log 2>&1 || {
  tail -n 20 make.log >&2
  exit 1
}
echo "$PWD/pfft3d"
