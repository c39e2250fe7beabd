#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Neither files nor folders of src/ depend on each other in a ring, and files and functions stay readable
# in one sitting.  By hand: sh tests/unit/check_rings.sh
. "${srcdir:-$(dirname "$0")/../..}/tests/lib/verdict.sh"

# What may still break a rule.  An entry that is no longer needed fails the test: these lists only
# become shorter.  Rings inside a group of folders (joined by commas), and files of more than 500 lines.
ring_of_files='app exchange plan,line,planner'
ring_of_folders='app plan,line,planner'
long_files='include/pfft3d.h src/plan/geometry.c'

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
echo "1..$number"
