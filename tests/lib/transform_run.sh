#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# What the tests of transforms of files share; they source it.  Needs numpy and a build with the
# program and with files, else the test is skipped.  $inputs is the Python file that writes the
# inputs into a directory that becomes the current one, $command the command that is tested.
set -u
: "${srcdir:?run by make check}" "${PFFT3D:?}" "${MPIRUN:?}" "${PYTHON:?}"
: "${inputs:?}" "${command:?}"
if ! test -x "$PFFT3D"; then echo '1..0 # SKIP no program in this build'; exit 0; fi
. "$srcdir/tests/lib/h5py.sh"
. "$srcdir/tests/lib/names.sh"
work=$(mktemp -d) || exit 99
trap 'rm -rf "$work"' EXIT
trap 'exit 130' HUP INT TERM
cd "$work" || exit 99
"$PYTHON" "$inputs" make || exit 99
. "$srcdir/tests/lib/check.sh"
alone_in "$work/tmp"

under= # what starts the program, if anything
# transform CODE WORDS RANKS INPUT OUTPUT OPTIONS...: must end with this exit code, and with a
# message of these words, none where WORDS is empty.  Nothing is timed for plans of lines either.
transform() {
  code=$1 words=$2 ranks=$3 input=$4 output=$5
  shift 5
  number=$((number + 1))
  before=
  if test -e "$output.h5"; then before=yes; fi
  # shellcheck disable=SC2046,SC2086  # commands with options
  limited 120 $(launcher "$ranks") $under "$PFFT3D" "$command" -i "$input.h5" -o "$output.h5" --force \
    --plan-budget 0 "$@" >out.txt 2>err.txt </dev/null
  status=$? good=1
  test "$status" = "$code" || good=0
  if test "$code" != 0 && test -z "$before" && test -e "$output.h5"; then good=0; fi # nothing under its name
  if test -n "$words"; then
    grep -q -e "$words" err.txt || good=0
  elif grep -q '^pfft3d: ' err.txt; then
    good=0
  fi
  if test $good = 1; then
    echo "ok $number - $command $input on $ranks ranks: $*: $code"
  else
    bad=1
    echo "not ok $number - $command $input on $ranks ranks: $*: $code"
    echo "# status $status; wanted words: '$words'"
    cat out.txt err.txt | sed 's/^/# /'
  fi
}

# is OUTPUT INPUT FUNCTION PROBLEM: numpy will look at it
: >list
is() { echo "$1.h5 $2.h5 $3 $4" >>list; }

# finish: nothing may be left of what failed (outputs called none), numpy looks at the list, and the
# test ends
finish() {
  number=$((number + 1))
  if test -z "$(find . -maxdepth 1 \( -name '*pfft3d-*' -o -name 'none*' \))"; then
    echo "ok $number - nothing is left of what failed"
  else
    bad=1
    echo "not ok $number - nothing is left of what failed"
  fi

  check 'every exchange and engine was in a case' all_met
  "$PYTHON" "$srcdir/tests/lib/transform_numpy.py" check $((number + 1)) <list || bad=1
  number=$((number + $(wc -l <list)))
  echo "1..$number"
  exit $bad
}
