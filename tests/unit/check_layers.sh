#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Arrows point down only: checks who includes whom in src/, that nobody below the program reads the
# environment, and what the shared library exports.  Rings of files: check_rings.sh.
# By hand: sh tests/unit/check_layers.sh
. "${srcdir:-$(dirname "$0")/../..}/tests/lib/verdict.sh"

# includes LAYER: its #include "..." lines as "file: folder/header", headers of the same folder too
includes() {
  find "$1" -name '*.[ch]' -exec grep -H '^ *# *include *"' {} + |
    sed 's/: *# *include *"\([^"]*\)".*/: \1/' |
    sed "s|: \([^/]*\)\$|: $1/\1|" |
    sed "s#: $1/\(pfft3d\.h\|config\.h\|nas_checksums\.h\)\$#: \1#"
}

# layer NAME ALLOWED...: nothing but these folders, the public header and config.h
layer() {
  name=$1
  allowed=$(echo "$*" | sed 's/ /|/g')
  verdict "$name includes only: $* (and pfft3d.h)" \
    "$(includes "$name" | grep -vE ": (($allowed)/[^/]*|pfft3d\.h|config\.h|nas_checksums\.h)\$")"
}

layer base
layer layout base
layer local layout base
layer exchange layout base
layer plan local exchange layout base
layer line plan local exchange layout base
layer planner line plan local exchange layout base
layer hdf5 layout base
# The rooms of the program, from the bottom up.
layer app/common
layer app/report app/common
layer app/run app/report app/common
layer app/check app/run app/report app/common
layer app/compare app/report app/common
layer app/explain app/run app/report app/common
layer app/files app/check app/run app/report app/common
layer app/nas app/run app/report app/common
layer app/bench app/files app/check app/run app/report app/common
layer app/cli app/report app/common hdf5

# objects FOLDER: the objects of its sources; a build folder may hold those of sources that are gone
objects() {
  find "${builddir:?}/src/$1" -name '*.o' 2>/dev/null | while read -r object; do
    name=$(basename "$object" .o)
    folder=$(dirname "${object#"$builddir/src/"}")
    test ! -f "$folder/${name#*-}.c" || echo "$object"
  done
}

# cycles FOLDER: source files below it that call each other in a circle, by the symbols of objects
cycles() {
  # shellcheck disable=SC2046  # object names without spaces
  nm -A $(objects "$1") | awk '
    { file = $1; sub(/:[^:]*$/, "", file); type = $(NF - 1); symbol = $NF }
    type ~ /^[TDRB]$/ { owner[symbol] = file }
    type == "U" { used[file " " symbol] = 1 }
    END {
      for (pair in used) {
        split(pair, part, " ")
        if (part[2] in owner && owner[part[2]] != part[1]) print part[1], owner[part[2]]
      }
    }' | { tsort >/dev/null; } 2>&1
}
if objects app | grep -q . && command -v nm >/dev/null; then
  verdict 'no files of the program that call each other in a circle' "$(cycles app)"
else
  skip 'no files of the program that call each other in a circle' 'no objects, or no nm'
fi

below=$(find base layout local exchange plan line planner hdf5 -name '*.[ch]')
# shellcheck disable=SC2086  # a list of file names without spaces
verdict 'getenv only in the program' "$(grep -nE '\b(secure_)?getenv *\(' $below /dev/null)"
verdict 'no MPI calls in layout' "$(grep -nE '\bMPI_[A-Z][a-z_]+ *\(' layout/*.[ch] /dev/null)"

number=$((number + 1))
library=$(find "$builddir/.libs" -name 'libpfft3d.so' 2>/dev/null | head -n 1)
if test -z "$library" || ! command -v nm >/dev/null; then
  echo "ok $number - exported symbols # SKIP no shared library in $builddir/.libs, or no nm"
else
  number=$((number - 1))
  verdict 'exported symbols start with pfft3d_' \
    "$(nm -D --defined-only "$library" | awk '{sub(/@.*/, "", $3)} $3 !~ /^pfft3d_/ {print $3}')"
  verdict 'the library exports something' \
    "$(nm -D --defined-only "$library" | grep -q pfft3d_ || echo "$library: nothing")"
fi
echo "1..$number"
