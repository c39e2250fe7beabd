#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Every input of tests/fuzz/corpus, and every beginning of it, through its fuzz target: seeds, and
# what has once gone wrong.  Answers in TAP.  The campaign with libFuzzer is tests/long/fuzz.sh.
set -u
: "${srcdir:?run by make check}" "${builddir:?}"
. "$srcdir/tests/lib/limited.sh"
work=$(mktemp -d) || exit 99
trap 'rm -rf "$work"' EXIT
trap 'exit 130' HUP INT TERM
number=0 bad=0
for corpus in "$srcdir"/tests/fuzz/corpus/*; do
  name=$(basename "$corpus")
  target=$builddir/tests/fuzz/fuzz_$name
  number=$((number + 1))
  if ! test -x "$target"; then
    echo "ok $number - $name # SKIP no program in this build"
  elif (cd "$work" && limited 120 "$target" "$corpus"/*) >"$work/out.txt" 2>"$work/err.txt" </dev/null; then
    echo "ok $number - $name, $(tail -n 1 "$work/out.txt")"
  else
    bad=1
    echo "not ok $number - $name: $target $(tail -n 2 "$work/err.txt" | tr '\n' ' ')"
  fi
done
echo "1..$number"
exit $bad
