# shellcheck shell=sh
# SPDX-License-Identifier: BSD-3-Clause
# What shell tests of the program share; they source it.  Without a program in the build the test is
# skipped; $work is a directory of the test's own that becomes the current one and is removed by
# cleanup(), which a test with more to clean up defines again.
set -u
: "${srcdir:?run by make check}" "${PFFT3D:?}" "${MPIRUN:?}"
if ! test -x "$PFFT3D"; then echo '1..0 # SKIP no program in this build'; exit 0; fi
if grep -q -e '--json' "$0" && ! grep -q '^#define PF_HAVE_JANSSON' "${builddir:?}/config.h"; then
  echo '1..0 # SKIP no jansson in this build, and so no JSON'
  exit 0
fi
work=$(mktemp -d) || exit 99
cleanup() { rm -rf "$work"; }
trap cleanup EXIT
trap 'exit 130' HUP INT TERM
cd "$work" || exit 99
# The only wisdom is that of the test.
XDG_CACHE_HOME=$work/.cache
export XDG_CACHE_HOME
unset PFFT3D_WISDOM
# Lines of reports are not broken, so that one pattern finds them.
COLUMNS=1000
export COLUMNS
. "$srcdir/tests/lib/check.sh"
alone_in "$work/tmp"

# run RANKS ARGUMENTS...: output in out.txt and err.txt; $limit seconds at most
limit=120
if test -n "${ASAN_OPTIONS-}"; then limit=900; fi # everything takes several times as long
run() {
  ranks=$1
  shift
  # shellcheck disable=SC2046  # a command with options, or nothing
  limited $limit $(launcher "$ranks") "$PFFT3D" "$@" >out.txt 2>err.txt </dev/null
  set -- $?
  own err.txt
  return "$1"
}

# fails STATUS WORDS ARGUMENTS...: on $on ranks, with this status and one message, and no new.h5 or new.npy is left
on=1
fails() {
  want=$1 words=$2
  shift 2
  rm -f new.h5 new.npy
  run $on "$@"
  status=$?
  test "$status" = "$want" && test "$(grep -c 'error:' err.txt)" = 1 && grep -q -e "$words" err.txt &&
    ! test -e new.h5 && ! test -e new.npy
}

# failing_gnuplot COMMAND...: with a gnuplot that is there when it is looked for, and then fails
failing_gnuplot() (
  mkdir bin || exit
  printf '#!/bin/sh\nif mkdir asked 2>/dev/null; then exit 0; fi\necho "no more" >&2\nexit 1\n' >bin/gnuplot
  chmod +x bin/gnuplot
  PATH=$work/bin:$PATH
  "$@"
)

# says WORDS: whether the last output does
says() { grep -q -e "$1" out.txt; }

