#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Builds pfft3d out of tree, into build/ (or $BUILD):  sh jobs/build.sh [CONFIGURE OPTIONS]
set -eu
cd "$(dirname "$0")/.."
BUILD=${BUILD:-build}

if ! test -x configure; then autoreconf -fi; fi
mkdir -p "$BUILD"
# Where the libraries go is linked into them: another prefix links them again.
place() { grep -E '^(exec_)?prefix = |^libdir = ' "$BUILD/Makefile" 2>/dev/null || :; }
before=$(place)
(cd "$BUILD" && "$OLDPWD/configure" "$@")
test "$before" = "$(place)" || rm -f "$BUILD"/lib*.la
make --no-print-directory -C "$BUILD" -j "$(nproc 2>/dev/null || echo 2)"
