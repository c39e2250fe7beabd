#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Writes the binary interface of built libraries, what users of the headers see of it, as text:
#     sh tests/abi/write.sh BUILD FOLDER LIBRARY...        for example build tests/abi pfft3d pfft3d_hdf5
# `make abi` does so for a release.  What is in nobody's header, and where things stand in the source, is
# left out, so that the text changes with the interface only.
set -eu
here=$(dirname "$0") build=$1 folder=$2
shift 2
for library in "$@"; do
  abidw --headers-dir "$here/../../include" --drop-private-types --drop-undefined-syms --no-elf-needed \
    --no-corpus-path --no-comp-dir-path --no-show-locs "$build/.libs/lib$library.so" |
    sed -e '/^    <var-decl /d' -e "s/ visibility='default'//g" -e "s| path='[^']*/src/| path='src/|" -e 's/^ *//' \
      >"$folder/$library.abi-new"
  mv "$folder/$library.abi-new" "$folder/$library.abi"
done
