# shellcheck shell=sh
# SPDX-License-Identifier: BSD-3-Clause
# What is registered in this build, for scripts that run all of it, each in some case; they source it.

# names SECTION: of exchanges, engines, schemes, or methods, as info lists them
names() {
  "$PFFT3D" info 2>/dev/null | awk -v section="$1" '
    $0 == section { inside = 1; next }
    !NF { inside = 0 }
    inside { print $1 }'
}

# Options that name the next exchange and engine, in turn: $how after cell().  Engines begin one later in
# each round of exchanges, so that each comes with each.
exchanges=$(names exchanges) engines=$(names engines)
cells=0 how=
cell() {
  # shellcheck disable=SC2086  # lists of words
  set -- $exchanges
  entry=$((cells % $#)) round=$((cells / $#)) cells=$((cells + 1))
  shift $entry
  how="--algo $1"
  # shellcheck disable=SC2086
  set -- $engines
  shift $(((entry + round) % $#))
  how="$how --engine $1"
}

# all_met: whether there were as many cells as there are exchanges, and as engines
all_met() {
  test "$cells" -ge "$(echo "$exchanges" | wc -l)" && test "$cells" -ge "$(echo "$engines" | wc -l)" &&
    test -n "$exchanges" && test -n "$engines"
}
