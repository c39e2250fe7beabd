# shellcheck shell=sh
# SPDX-License-Identifier: BSD-3-Clause
# Programs that judge their results must see one number that is none; sourced after check.sh.

# check_spoilt NAME STATUS PROGRAM ARGUMENTS...: on 2 ranks; the program loads the library in the build
check_spoilt() {
  name=$1 want=$2
  shift 2
  spoil=${builddir:?}/tests/faults/.libs/spoil.so
  if test -f "$spoil" && test -f "$builddir/.libs/libpfft3d.so"; then
    check "$name sees what is no number" ends_spoilt "$want" "$@"
  else
    number=$((number + 1))
    echo "ok $number - $name sees what is no number # SKIP no shared library, or no FFTW"
  fi
}
ends_spoilt() {
  want=$1
  shift
  # shellcheck disable=SC2086  # a command with options
  limited 120 $MPIRUN -n 2 env SPOIL=backward LD_PRELOAD="$spoil${LD_PRELOAD:+:$LD_PRELOAD}" "$@" >out.txt 2>err.txt </dev/null
  test $? = "$want"
}
