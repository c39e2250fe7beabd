#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Writes the binary interface of built libraries, what users of the headers see of it, as text, large ones
# compressed:
#     sh tests/abi/write.sh BUILD FOLDER LIBRARY...        for example build tests/abi pfft3d pfft3d_hdf5
# `make abi` does so for a release.  What is in nobody's header, and where things stand in the source, is
# left out, so that the text changes with the interface only.  Of libraries that implement the interface
# of others (FFTW's) or of a compiler (gfortran's modules) only the names are kept, NAME.symbols: the types
# are not ours, and differ between versions of theirs, as do gfortran's own names (iso_c_binding).
set -eu
here=$(dirname "$0") build=$1 folder=$2
shift 2
for library in "$@"; do
  case $library in
    *_fortran | *_fftw3_mpi)
      nm -D --defined-only "$build/.libs/lib$library.so" | awk '$2 != "A" && !/___iso_c_binding_/ {sub(/@+/, " ", $3); print $3}' |
        LC_ALL=C sort >"$folder/$library.symbols"
      continue
      ;;
  esac
  abidw --headers-dir "$here/../../include" --drop-private-types --drop-undefined-syms --no-elf-needed \
    --no-corpus-path --no-comp-dir-path --no-show-locs "$build/.libs/lib$library.so" |
    sed -e '/^    <var-decl /d' -e "s/ visibility='default'//g" -e "s| path='[^']*/src/| path='src/|" -e 's/^ *//' |
    gzip -9n >"$folder/$library.abi-new"
  mv "$folder/$library.abi-new" "$folder/$library.abi.gz"
done
