#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The public headers: how much there is of them, and that the man page, the comments, the tests of
# misuse and the simplest program keep up with them.
# By hand: sh tests/unit/api.sh
. "${srcdir:-$(dirname "$0")/..}/tests/lib/verdict.sh"
. "$srcdir/tests/lib/functions.sh"
page=$builddir/doc/pfft3d.3
misuse=$(find "$srcdir/tests" -name '*misuse*.c')
public=$(for header in ../include/*.h; do functions "$header"; done)
core=$(functions ../include/pfft3d.h)

verdict 'the headers declare functions' "$(test -n "$core" || echo none)"
verdict 'pfft3d.h has 30 functions at most' "$(echo "$core" | awk 'END {if (NR > 30) print NR}')"

# ---- the man page, of this build ----
here=$public
if ! grep -q '^#define PF_HAVE_HDF5 1' "$builddir/config.h"; then here=$(of_library pfft3d); fi
verdict 'pfft3d(3) names all public functions' \
  "$(for f in $here; do grep -q "^\.Nm $f\( ,\)*\$" "$page" || echo "$f"; done)"
verdict 'pfft3d(3) has a prototype of each' \
  "$(for f in $here; do grep -qE "^[a-z].*[ *]$f\(" "$page" || echo "$f"; done)"
verdict 'pfft3d(3) has no functions that are gone' \
  "$(sed -n 's/^\.Nm \(pfft3d_[a-z0-9_]*\).*/\1/p' "$page" | while read -r f; do
       echo "$public" | grep -qx "$f" || echo "$f"
     done)"
verdict 'pfft3d.h has all keys of requests' \
  "$(sed -n '/Set by functions/q; s/^ *{"\([a-z-]*\)", .*/\1/p' request/keys.c | grep -v '^max-count$' | while read -r key; do
       grep -qE "^ \*     ${key}[ ,]" ../include/pfft3d.h || echo "$key"
     done)"

# ---- comments ----
verdict 'each public function says whether it is local or collective' \
  "$(for header in ../include/*.h; do
       awk '/\/\*\*/ {said = 0; inside = 1} inside && /(Local|Collective)/ {said = 1}
         /\*\// {inside = 0}
         !inside && /^[a-z].*[ *]pfft3d_[a-z0-9_]*\(/ && !said {print FILENAME ": " $0}
         /^(typedef|struct|enum|#)/ {said = 0}' "$header"
     done | grep -v 'pfft3d_\(dataset\|output\|remove\)_')"

# ---- misuse ----
verdict 'all functions of libpfft3d are misused in a test' \
  "$(for f in $(of_library pfft3d); do
       # shellcheck disable=SC2086  # a list of files
       grep -q "\<$f(" $misuse || echo "$f"
     done)"

# ---- the simplest program ----
verdict 'the simplest program has 12 statements at most' \
  "$(awk '/^int main/ {inside = 1} inside {sub(/\/\*.*\*\//, ""); gsub(/for \([^{]*\) /, "")
         count += gsub(/;/, "")} /^}/ {inside = 0} END {if (count > 12 || !count) print count}' \
     ../doc/examples/step1_slab.c)"
echo "1..$number"
