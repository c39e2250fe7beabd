#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# shenfun's tests with mpi4py-fft's own classes, and again with those over this library: none that
# passes without them may fail with them.  Its sources come from PyPI; not all of its tests pass by
# themselves on several ranks.  FILES: others.  Answers in TAP.
. "${srcdir:?run by make check-long}/tests/lib/mpi4py.sh"
. "$srcdir/tests/lib/environment.sh"
install_shenfun() {
  install_mpi4py_fft && pip install sympy numba 'scipy>=1.15,<1.16' pyyaml &&
    sources shenfun==4.3.0 && pip install --no-deps --no-build-isolation ./shenfun-4.3.0
}
environment shenfun install_shenfun
program=no
. "$srcdir/tests/lib/campaign.sh"
tests=$builddir/environments/shenfun/shenfun-4.3.0/tests

# outcomes HOW RANKS FILE: a line "passed NAME" for each test that passes on all ranks, in $work/HOW.txt
outcomes() {
  # shellcheck disable=SC2086  # a command with options
  (cd "$tests" && limited 1500 env OUTCOMES="$work/$1" $MPIRUN -n "$2" "$PYTHON" "$srcdir/tests/python/with_pfft3d.py" \
    "$1" -k 'not eval' "test_$3.py") >"$work/$1.out" 2>&1
  cat "$work/$1".[0-9]* | sort | uniq -c | sed -n "s/^ *$2 passed /passed /p" >"$work/$1.txt"
  rm -f "$work/$1".[0-9]*
}
# same RANKS FILE: tried is what passes without them
same() {
  outcomes none "$1" "$2"
  outcomes pfft "$1" "$2"
  grep -vxFf pfft.txt none.txt >lost.txt
  sed 's/^/lost: /' lost.txt
  passed=$(wc -l <none.txt)
  echo "$passed pass without, $(wc -l <pfft.txt) with"
  test "$passed" -gt 0 && echo "tried $passed wrong $(wc -l <lost.txt)"
}
for n in 1 2; do
  for file in ${FILES:-fourier dot backward transforms tensorproductspace}; do
    part "test_$file on $n ranks: what passes without passes with" same $n "$file"
  done
done
campaign_end
