#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Faults in single calls, all of them: the k-th allocation or call of MPI of a rank fails, for every
# k, command and rank, and what can happen to a process in a sample of the calls; the same of programs
# that use the library; allocations inside one process, too.  SIDE_BY_SIDE (1): cases run at a time.  Goes
# on where it was stopped.  Answers in TAP.
. "${srcdir:?run by make check-long}/tests/lib/campaign.sh"
SHIM=$builddir/tests/faults/.libs/shim.so
export SHIM
. "$srcdir/tests/lib/h5py.sh"
if ! test -x "$PFFT3D" || ! test -f "$SHIM"; then
  echo '1..0 # SKIP no program, or no shared object in front of MPI'
  exit 0
fi

# Inside one process every allocation of the library, on one to three ranks.
for ranks in 1 2 3; do
  # shellcheck disable=SC2086  # a command with options
  part "memory on $ranks ranks" $MPIRUN -n $ranks "$builddir/tests/faults/test_memory" 1
done

# faults COMMAND KIND ACTION STEP: one part for each rank
faults() {
  for rank in $ranks; do
    part "$1 $2 $3 $rank $4" "$PYTHON" "$srcdir/tests/faults/calls.py" "$1" "$2" "$3" "$rank" "$4"
  done
}
# errors COMMAND STEP MEMORY: of how many calls of MPI and of how many allocations one is tried
errors() {
  faults "$1" malloc error "$3"
  for action in error late; do faults "$1" mpi $action "$2"; done
}
# commands RANKS: those of the input, a line each: COMMAND STEP MEMORY
commands() {
  ranks=$1
  while read -r command step memory; do
    errors "$command" "$step" "$memory"
    for action in kill segv stop term int usr2 exit; do
      faults "$command" mpi $action $((20 * step))
    done
  done
}
commands '0 1 2' <<END
back 1 1
transform 11 1
line 1 1
chirp 5 1
tune 11 1
bench 11 5
verify 17 17
poisson 11 1
filter 11 1
convolve 11 1
compress 11 1
spectrum 11 1
turbulence 17 3
nas 11 1
END
commands 0 <<END
kernels 11 1
END
# Programs of others that use the library; tests/faults/calls.py says how they may end.
ranks='0 1 2'
if test -x "$builddir/tests/faults/guest"; then errors dropin 11 1; fi
errors careless 11 11
if "$PYTHON" -c 'import mpi4py' 2>/dev/null; then errors python 11 1; fi
campaign_end
