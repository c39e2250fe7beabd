#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The example of doc/examples/signal.md: the noise goes, on any number of ranks and for any length.
# The programs check it; here is seen that they do, and that the picture is one.  Answers in TAP.
set -u
: "${srcdir:?run by make check}" "${builddir:?}" "${PFFT3D:?}" "${MPIRUN:?}"
if ! test -x "$PFFT3D"; then echo '1..0 # SKIP no program in this build'; exit 0; fi
if ! "$PFFT3D" info 2>/dev/null | grep -q 'parallel, HDF5'; then
  echo '1..0 # SKIP a build without parallel HDF5'
  exit 0
fi
work=$(mktemp -d) || exit 99
trap 'rm -rf "$work"' EXIT
trap 'exit 130' HUP INT TERM
cd "$work" || exit 99
EXAMPLES=$builddir/doc/examples
export EXAMPLES
. "$srcdir/tests/lib/check.sh"

example() { RANKS=$1 POINTS=$2 limited 120 sh "$srcdir/doc/examples/signal.sh" >out.txt 2>&1; }
says() { grep -q -e "$1" out.txt; }
# shellcheck disable=SC2086  # MPIRUN is a command with options
filter() { limited 60 $MPIRUN -n 2 "$EXAMPLES/filter" "$@" >out.txt 2>&1; }

for case in '4 1000000' '1 100003' '3 30031' '2 65536'; do
  ranks=${case% *} points=${case#* }
  rm -f signal.png
  check "$points points on $ranks ranks" example "$ranks" "$points"
  check 'two components stay' says "^2 of $((points / 2 + 1)) components"
  check 'of 5 oscillations' says 'k = 5: amplitude 0\.[45]'
  check 'and of 7' says 'k = 7: amplitude [01]\.[09]'
  check 'the error is printed' says '^rms error before [01]\.[90].*, after 0\.0[0-9]* (expected 0\.0'
  if says '^no picture'; then
    number=$((number + 1))
    echo "ok $number - the picture # SKIP no gnuplot or no h5dump"
  else
    check 'the picture' sh -c "head -c 4 signal.png | grep -q PNG && test \$(wc -c <signal.png) -gt 10000"
  fi
done

# The check of the programs is one: without any component the signal is not there either.
fails_with() {
  code=$1
  shift
  filter "$@"
  test $? = "$code"
}
check 'dropping everything is found' fails_with 76 noisy.h5 none.h5 1.1 clean.h5
check 'a spectrum is refused' fails_with 65 spectrum.h5 none.h5 0.1
check 'a missing file is refused' fails_with 66 nowhere.h5 none.h5 0.1
check 'missing arguments are refused' fails_with 64 noisy.h5
echo "1..$number"
exit $bad
