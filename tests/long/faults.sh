#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Faults from outside, on 1 to 7 ranks: signals, disks, inputs, memory, calls of the system, and the
# network.  All commands meet signals, those that write fields the others, too.  REPEATS=n draws n times; KINDS="disks inputs", RANKS="2 3" and COMMANDS="transform" confine it;
# SIDE_BY_SIDE=3 runs three cases at a time, except those of the network.  A case that went wrong prints the line that repeats
# it, to be called with the environment of tests/mpirun.sh.
. "${srcdir:?run by make check-long}/tests/lib/campaign.sh"
: "${PFFT3D:?}" "${PYTHON:?}"
. "$srcdir/tests/lib/h5py.sh"

# faults KIND ARGUMENTS...: that none could be tried here is nothing wrong
faults() {
  script=$srcdir/tests/faults/$1.py
  shift
  said=$("$PYTHON" "$script" "$@")
  status=$?
  echo "$said"
  test $status = 0 || test "$(echo "$said" | tail -n 1)" = 'tried 0 wrong 0'
}

# How many cases of a kind in each part: all of the short lists, a sample of the long ones.
count() {
  case $1 in
    signals | syscalls) echo 80 ;;
    memory) echo 40 ;;
    network) echo 16 ;;
    *) echo 0 ;;
  esac
}
commands() {
  echo transform poisson compress turbulence
  test "$1" != signals || echo filter convolve spectrum bench line verify nas tune
}
seed=1
while test $seed -le "${REPEATS:-1}"; do
  for ranks in ${RANKS:-1 2 3 4 7}; do
    for kind in ${KINDS:-signals disks inputs memory syscalls network}; do
      if test "$kind" = network && test "$ranks" != 2 && test "$ranks" != 4; then continue; fi
      for command in ${COMMANDS:-$(commands "$kind")}; do
        case $kind in inputs | network) if test "$command" != transform; then continue; fi ;; esac
        part "$kind $ranks seed $seed $command" \
          faults "$kind" "$ranks" "$(count "$kind")" --seed $seed --command "$command"
      done
    done
  done
  seed=$((seed + 1))
done
campaign_end
