#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Arrows point down only: checks who includes whom in src/, that neither files nor folders depend on
# each other in a ring, that nobody below the program reads the environment, that files and functions
# stay readable in one sitting, and what the shared library exports.
# By hand: sh tests/unit/check_layers.sh
. "${srcdir:-$(dirname "$0")/../..}/tests/lib/verdict.sh"

# What may still break a rule.  An entry that is no longer needed fails the test: these lists only
# become shorter.  Rings inside a group of folders (joined by commas), and files of more than 500 lines.
ring_of_files='app exchange local plan,line,planner'
ring_of_folders='app plan,line,planner'
long_files='include/pfft3d.h src/plan/geometry.c'

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
    "$(includes "$name" | grep -vE ": (($allowed)/[^/]*|pfft3d\.h|config\.h)\$")"
}

layer base
layer layout base
layer local layout base
layer exchange layout base
layer plan planner line local exchange layout base
layer line planner plan local exchange layout base
layer planner line plan local exchange layout base
layer hdf5 layout base
verdict 'the program includes only its own headers, and hdf5/files.h' \
  "$(includes app | grep -vE ': (app/[^/]*/[^/]*|pfft3d\.h|config\.h|nas_checksums\.h)$' |
     grep -v '^app/cli/main\.c: hdf5/files\.h$')"

below=$(find base layout local exchange plan line planner hdf5 -name '*.[ch]')
# shellcheck disable=SC2086  # a list of file names without spaces
verdict 'getenv only in the program' "$(grep -nE '\b(secure_)?getenv *\(' $below /dev/null)"
verdict 'no MPI calls in layout' "$(grep -nE '\bMPI_[A-Z][a-z_]+ *\(' layout/*.[ch] /dev/null)"

# ---- rings, by what the objects of this build define and need ----
if ! command -v nm >/dev/null || ! "${PYTHON:=/usr/bin/python3}" -c '' 2>/dev/null; then
  skip 'no rings' 'no nm, or no Python 3'
else
  # shellcheck disable=SC2086  # lists of words
  verdict 'no files depend on each other in a ring' \
    "$("$PYTHON" "$srcdir/tests/unit/cycles.py" "$builddir/src" $ring_of_files)"
  # shellcheck disable=SC2086
  verdict 'no folders depend on each other in a ring' \
    "$("$PYTHON" "$srcdir/tests/unit/cycles.py" "$builddir/src" --rooms $ring_of_folders)"
fi

# ---- sizes ----
# over LIMIT NAMES...: C files of more lines than that, but for these; and those of these that are not
over() {
  limit=$1
  shift
  (cd "$srcdir" && find src include tests -name '*.[ch]' -exec wc -l {} \;) |
    awk -v limit="$limit" -v names="$*" '
      BEGIN { count = split(names, list, " "); for (k = 1; k <= count; k++) allowed[list[k]] = 1 }
      $1 > limit && !($2 in allowed) { print $2 ": " $1 " lines" }
      $1 > limit { long[$2] = 1 }
      END { for (k = 1; k <= count; k++)
        if (!(list[k] in long)) print list[k] " is not so long any more: take it from the list" }'
}
# shellcheck disable=SC2086
verdict 'no file over 500 lines' "$(over 500 $long_files)"
if ! "${PYTHON:=/usr/bin/python3}" -c '' 2>/dev/null; then
  skip 'no function over 60 lines' 'no Python 3'
else
  verdict 'no function over 60 lines' \
    "$(cd "$srcdir" && "$PYTHON" tests/lib/count.py --over 60 src include tests)"
fi

# ---- what the library exports ----
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
