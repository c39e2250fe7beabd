#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Faults from outside, a sample of each kind; tests/long/faults.sh tries them all.  Another seed is
# another sample:  SEED=2 sh tests/mpirun.sh tests/faults/faults.sh    Answers in TAP.
. "${srcdir:?run by make check}/tests/lib/program.sh"
. "$srcdir/tests/lib/h5py.sh"

# sample KIND RANKS COUNT [OPTION...]: what the drivers print is shown where it is wrong
sample() {
  number=$((number + 1))
  words="$1 on $2 ranks:"
  script=$srcdir/tests/faults/$1.py
  shift
  if test "${3-}" = --command; then words="$words $4:"; fi
  "$PYTHON" "$script" "$@" --seed "${SEED:-1}" >out.txt 2>err.txt
  status=$?
  words="$words $(grep '^tried' out.txt)"
  case $status in
    0) echo "ok $number - $words" ;;
    *)
      if grep -q '^tried 0 wrong 0' out.txt; then
        echo "ok $number - $words # SKIP $(grep '^skipped' out.txt | tr -d '#' | head -n 1)"
      else
        bad=1
        echo "not ok $number - $words"
        cat out.txt err.txt | sed 's/^/# /'
      fi
      ;;
  esac
}
sample signals 3 4
sample signals 1 1
sample signals 2 1 --only 'SEGV in a thread of 0 without end, transforming'
sample disks 2 3
sample disks 2 2 --command compress
sample signals 3 1 --command poisson
sample signals 2 2 --command turbulence
sample inputs 3 4
sample memory 2 2
sample syscalls 2 2
sample syscalls 1 1 --only 'EOPNOTSUPP of fallocate 1 on 0'
sample network 4 1
echo "1..$number"
exit $bad
