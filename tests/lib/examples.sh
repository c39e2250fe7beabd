# shellcheck shell=sh
# SPDX-License-Identifier: BSD-3-Clause
# For tests of other languages; they source it.
: "${srcdir:?run by make check}" "${builddir:?}" "${MPIRUN:?}"

# like_c EXAMPLE RANKS PROGRAM...: a program does what the example in C does: the same text, and the
# same picture
like_c() {
  example=$1 count=$2
  shift 2
  case $example in
    *picture) head=$srcdir/data/colin27.h5 ;;
    *) head= ;;
  esac
  # shellcheck disable=SC2086  # commands with options
  limited 120 $MPIRUN -n "$count" "$builddir/doc/examples/$example" $head ${head:+c.pgm} >c.txt 2>err.txt &&
    limited 120 $MPIRUN -n "$count" "$@" $head ${head:+other.pgm} >other.txt 2>err.txt &&
    tr E e <other.txt | cmp - c.txt && { test -z "$head" || cmp c.pgm other.pgm; }
}
