#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# mpi4py-fft's own tests, unchanged, with its Transfer and its PFFT replaced by those over this library;
# with a number spoilt in each they must fail.  How many pass without is printed: with Open MPI 4.1.4
# its own transfers end test_mpifft on several ranks.  Then random cases against its own classes.  Its
# sources come from PyPI.  Answers in TAP.
. "${srcdir:?run by make check-long}/tests/lib/mpi4py.sh"
. "$srcdir/tests/lib/environment.sh"
environment mpi4py-fft install_mpi4py_fft
program=no
. "$srcdir/tests/lib/campaign.sh"
cd "$builddir/environments/mpi4py-fft/mpi4py_fft-2.0.6/tests" || exit 99

# theirs HOW RANKS TEST: HOW is that of tests/python/with_pfft3d.py; tried is what passed on all ranks
theirs() {
  rm -f "$work"/outcomes.[0-9]*
  # shellcheck disable=SC2086  # a command with options
  limited 1200 env OUTCOMES="$work/outcomes" $MPIRUN -n "$2" "$PYTHON" "$srcdir/tests/python/with_pfft3d.py" "$1" -x "test_$3.py" || return 1
  echo "tried $(passing "$2") wrong 0"
}
# passing RANKS: the tests that passed on all ranks of the last run
passing() { cat "$work"/outcomes.[0-9]* | sort | uniq -c | grep -c "^ *$1 passed "; }
fails() { ! theirs "$@" >fails.txt 2>&1 && grep -q '1 failed' fails.txt; }
cases() {
  # shellcheck disable=SC2086
  $MPIRUN -n "$1" "$PYTHON" "$srcdir/tests/python/mpi4py_fft_cases.py" "$2" "$3"
}
for test in pencil mpifft; do part "test_$test with a wrong Transfer fails" fails wrong-transfer 2 $test; done
part 'test_mpifft with a wrong PFFT fails' fails wrong-pfft 2 mpifft
for n in 1 2 4; do
  for test in pencil darray mpifft; do
    theirs none $n $test >shipped.txt 2>&1
    echo "# test_$test on $n ranks as shipped: $(passing $n) pass"
    for how in transfer pfft; do part "test_$test on $n ranks; replaced: $how" theirs $how $n $test; done
  done
done
for n in 1 2 3 4; do part "200 random cases on $n ranks: seed 5" cases $n 200 5; done
campaign_end
