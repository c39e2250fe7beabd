#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Some damaged HDF5 files through the program: refused or transformed, never worse.  Answers in TAP.
set -u
: "${srcdir:?run by make check}" "${builddir:?}" "${PFFT3D:?}" "${MPIRUN:?}"
if ! test -x "$PFFT3D"; then echo '1..0 # SKIP no program in this build'; exit 0; fi
. "$srcdir/tests/lib/h5py.sh"
work=$(mktemp -d) || exit 99
trap 'rm -rf "$work"' EXIT
trap 'exit 130' HUP INT TERM
echo 1..6
number=0 bad=0

# says NAME STATUS [SKIP]: one answer
says() {
  number=$((number + 1))
  if test "$2" = 0; then echo "ok $number - $1"; fi
  if test "$2" = 77; then echo "ok $number - $1 # SKIP ${3:-}"; fi
  if test "$2" != 0 && test "$2" != 77; then bad=1 && echo "not ok $number - $1"; fi
}

# mutate NAME WORDS...: the program on files
mutate() {
  name=$1
  shift
  "$PYTHON" "$srcdir/tests/lib/mutate.py" "$@" >"$work/out.txt" 2>&1
  status=$?
  sed 's/^/# /' "$work/out.txt"
  says "$name: $(tail -n 1 "$work/out.txt")" $status
}
mutate 'damaged files' run "${1:-20}" "${2:-1}" "${3:-0}"
mutate 'damaged compressed fields' compress 12
mutate 'damaged snapshots' restart 12
mutate 'texts longer than they say' texts

# Who spoils memory: what the campaigns with damaged files ask.
whose() { sh "$srcdir/tests/fuzz/whose.sh" "$@" >"$work/out.txt"; }
"$PYTHON" "$srcdir/tests/lib/mutate.py" text 4096 "$work/text.h5" || exit 99
whose "$builddir/tests/fuzz/fuzz_probe" --one "$work/text.h5"
status=$?
if grep -q '^memory is not spoiled' "$work/out.txt"; then status=77; fi
says 'memory that libhdf5 spoils is not ours' $status 'no valgrind, or an HDF5 that does not'
whose "$builddir/tests/sanitize/plant" read_behind
status=$?
case $status in 0) status=1 ;; 1) status=0 ;; esac
if ! grep -q '/plant$' "$work/out.txt" && test $status != 77; then status=1; fi
says 'memory that we spoil is' $status 'no valgrind'
exit $bad
