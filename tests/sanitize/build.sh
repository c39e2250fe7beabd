#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Builds pfft3d and all its test programs with gcc's sanitizers of addresses, leaks and undefined
# behaviour:  sh tests/sanitize/build.sh FOLDER [LEVEL]
# LEVEL is the optimisation, 1 unless told; at 3, the level of releases, other bugs show than at 1.
# Building a second time only builds what has changed.
set -eu
folder=${1:?usage: build.sh FOLDER [LEVEL]}
srcdir=$(cd "$(dirname "$0")/../.." && pwd)

# float-cast-overflow is not part of "undefined": a number too large for its integer, which counts
# that are computed as double might be.
flags="-O${2:-1} -g -fno-omit-frame-pointer -fsanitize=address,undefined,float-cast-overflow"
flags="$flags -fno-sanitize-recover=all"
# Where each variable is at each instruction: of unrolled kernels that alone takes minutes.
flags="$flags -fno-var-tracking"

mkdir -p "$folder"
cd "$folder"
test -x "$srcdir/configure" || (cd "$srcdir" && autoreconf -fi)
test -f Makefile || "$srcdir/configure" --quiet CFLAGS="$flags" >configure.out
cc -shared -fPIC -O1 "$srcdir/tests/sanitize/keep.c" -o keep.so
# VkFFT is a header, and takes a double of 2^64 for an integer; suppressions are for checks that go on.
make --no-print-directory -s CFLAGS="$flags -fno-sanitize=float-cast-overflow" src/device/libpfft3d_core_la-vkfft.lo
# The kernels take ten minutes of compilation each at -O3.
kernels=$(for isa in avx512 avx2 base; do echo "src/local/libpfft3d_double_la-simd_$isa.lo src/local/libpfft3d_single_la-simd_$isa.lo"; done)
# shellcheck disable=SC2086  # words
make --no-print-directory -s -j "$(nproc 2>/dev/null || echo 2)" CFLAGS="$(echo "$flags" | sed 's/-O3/-O1/')" $kernels
make --no-print-directory -s -j "$(nproc 2>/dev/null || echo 2)" all
make --no-print-directory -s -j "$(nproc 2>/dev/null || echo 2)" check TESTS= >check-build.log
