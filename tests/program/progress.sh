#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The progress line: on a terminal, also that of mpirun, with the share that is done and the time that
# is left; nothing in a log.  A terminal is made by Python's pty.  TAP.
. "${srcdir:?run by make check}/tests/lib/program.sh"
: "${PYTHON:?}"

# on_terminal COMMAND...: with a terminal as stderr, whose text goes to tty.txt
on_terminal() {
  limited $limit "$PYTHON" "$srcdir/tests/program/progress.py" "$@" >out.txt 2>tty.txt </dev/null
}
# shellcheck disable=SC2046  # a command with options, or nothing
on_ranks() {
  count=$1
  shift
  on_terminal $(launcher "$count") "$PFFT3D" "$@"
}
shown() { grep -q -E -e "$1" tty.txt; }
silent() { ! grep -q -e '[[:cntrl:]]\[K' err.txt && ! grep -q ' %  ' err.txt; }

# ---- what is shown ----
check 'kernels on a terminal' on_terminal "$PFFT3D" kernels --sizes 2^16,2^20 --kernel dit,stockham4,simd --reps 60
check 'its share' shown '[1-9][0-9]* %  [a-z0-9]*, (65536|1048576) points'
check 'the time that is left' shown ' points, [0-9]* s left'
check 'it ends with an empty line' "$PYTHON" -c 'assert open("tty.txt", "rb").read().rstrip().endswith(b"\x1b[K")'
check 'verify' on_terminal "$PFFT3D" verify --grid 10x9x8 --type c2c --engine simd,naive
check 'its share' shown '[1-9][0-9]* %  (verifying|planning) '
check 'tune' on_terminal "$PFFT3D" tune --grid 64 --engine all --reps 40 --wisdom none
check 'its share' shown '[1-9][0-9]* %  timing [0-9]* candidates'
check 'turbulence' on_terminal "$PFFT3D" turbulence --grid 24 --time 0.5 --dt 0.0005
check 'its share' shown '[1-9][0-9]* %  step [0-9]*, t = '
if built_with HDF5; then
  check 'a file' on_terminal "$PFFT3D" transform --input "$srcdir/data/colin27.h5" --output big.h5
  check 'what is done with it' shown 'reading .*colin27.h5'
fi

# ---- under mpirun ----
if $MPIRUN --version 2>/dev/null | grep -qE 'Open MPI|OpenRTE'; then
  check 'two ranks of an mpirun on a terminal' on_ranks 2 verify --grid 10x9x8 --type c2c --engine simd,naive
  check 'show the line' shown '[1-9][0-9]* %  (verifying|planning) '
  PFFT3D_PROGRESS=0
  export PFFT3D_PROGRESS
  check 'none is wanted' on_ranks 2 verify --grid 8 --type c2c --engine simd
  check 'and none comes' test "$(grep -c ' %  ' tty.txt)" = 0
  unset PFFT3D_PROGRESS
fi

# ---- logs ----
for ranks in 1 2; do
  check "a pipe, $ranks ranks" run $ranks verify --grid 10x9x8 --type c2c --engine simd
  check 'has no line' silent
done
check 'kernels in a log' run 1 kernels --sizes 2^16 --kernel dit --reps 9
check 'have no line' silent
check 'quiet on a terminal' on_terminal "$PFFT3D" verify --grid 8 --type c2c --engine simd --quiet
check 'says nothing' test ! -s tty.txt
PFFT3D_PROGRESS=1
export PFFT3D_PROGRESS
check 'a line that is asked for' run 2 verify --grid 10x9x8 --type c2c --engine simd
check 'goes into a pipe' grep -q -E '[1-9][0-9]* %  (verifying|planning)' err.txt
unset PFFT3D_PROGRESS
echo "1..$number"
exit $bad
