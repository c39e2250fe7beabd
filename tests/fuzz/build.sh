#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Builds the fuzz targets with libFuzzer in a directory of their own:
#   sh tests/fuzz/build.sh DIRECTORY [undefined|undefined,address]
# All of the library and of the program is instrumented.  $DIRECTORY/tests/fuzz_NAME -help=1 tells
# what a fuzzer can.
set -eu
directory=${1:?usage: build.sh DIRECTORY [SANITIZERS]}
sanitizers=${2:-undefined}
here=$(cd "$(dirname "$0")/../.." && pwd)
mkdir -p "$directory"
cd "$directory"

OMPI_CC=${FUZZ_CC:-clang-14}
MPICH_CC=$OMPI_CC
export OMPI_CC MPICH_CC
command -v "$OMPI_CC" >/dev/null || { echo "build.sh: no $OMPI_CC" >&2; exit 77; }
checks="-fsanitize=$sanitizers -fno-sanitize-recover=all"
if ! test -f Makefile; then
  "$here/configure" --disable-shared --disable-openmp --without-opencl --without-cuda --without-opengl \
    CPPFLAGS=-DPF_LIBFUZZER \
    CFLAGS="-g -O2 -fsanitize=fuzzer-no-link -fno-sanitize-coverage=trace-cmp $checks" >configure.log
fi
jobs=$(nproc 2>/dev/null || echo 2)
build() { make --no-print-directory -j "$jobs" "$@" >>make.log 2>&1 || { tail -n 30 make.log >&2; exit 1; }; }
: >make.log
# The kernels take no input, but take compilers minutes with every branch counted.
build CFLAGS=-O1 libpfft3d_single.la src/local/simd_base.lo src/local/simd_avx2.lo src/local/simd_avx512.lo
targets=$(cd "$here/tests/fuzz" && grep -l LLVMFuzzerTestOneInput fuzz_*.c | sed 's|^|tests/fuzz/|; s|\.c$||')
# shellcheck disable=SC2086  # a list of names
build LDFLAGS="-fsanitize=fuzzer $checks" nas_checksums.h $targets
