#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Builds pfft3d out of tree, into build/ (or $BUILD):  sh jobs/build.sh [CONFIGURE OPTIONS]
set -eu
cd "$(dirname "$0")/.."
BUILD=${BUILD:-build}

if ! test -x configure; then autoreconf -fi; fi
mkdir -p "$BUILD"
(cd "$BUILD" && "$OLDPWD/configure" "$@")
make --no-print-directory -C "$BUILD" -j "$(nproc 2>/dev/null || echo 2)"
