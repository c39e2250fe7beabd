#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Builds pfft3d out of tree, into build/ (or $BUILD):  sh jobs/build.sh [CONFIGURE OPTIONS]
# Without options those of the last time hold in that folder.
set -eu
cd "$(dirname "$0")/.."
BUILD=${BUILD:-build}
case $PWD in
  *[[:space:]\"\#\$\&\'\`]*)
    echo "jobs/build.sh: make and libtool cannot build in a folder with a space, a quote or one of # $ & in its name: $PWD" >&2
    exit 66
    ;;
esac

if ! test -x configure; then autoreconf -fi; fi
mkdir -p "$BUILD"
# Folders are compiled into the libraries, and objects are for one compiler and MPI: others begin anew.
kind() { grep -E '^((exec_)?prefix|libdir|bindir|CC|FC|CFLAGS|mpi_vendor) = ' "$BUILD/Makefile" 2>/dev/null || :; }
before=$(kind)
if test $# = 0 && test -f "$BUILD/config.status"; then
  eval "set -- $("$BUILD/config.status" --config)"
  last=
  for word in "$@"; do
    case $word in CC=*) last=$word ;; esac
  done
  if test -n "${CC-}" && test "CC=$CC" != "$last"; then set -- "$@" "CC=$CC"; fi
fi
(cd "$BUILD" && "$OLDPWD/configure" "$@")
if test -n "$before" && test "$before" != "$(kind)"; then
  make --no-print-directory -s -C "$BUILD" clean >/dev/null
fi
make --no-print-directory -C "$BUILD" -j "$(nproc 2>/dev/null || echo 2)"
