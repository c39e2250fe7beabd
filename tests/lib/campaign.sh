# shellcheck shell=sh
# SPDX-License-Identifier: BSD-3-Clause
# Campaigns: long tests of many parts, which go on where they were stopped; their scripts source this.
#
# Each part that ran to its end is a line of $RESULTS ($builddir/reliability.csv):
#   date,version,build,mpi,test,part,tried,wrong,seconds,commit
# A part of which that file says "nothing wrong" for this very build and MPI is not run again; the build
# is the sum of the library and the program, of the library alone where a script says program=no before
# it comes here, and of one more library, also=NAME.  Where it says any_build=yes, a part that any build has
# passed is not run again, as those that follow are others.  tests/lib/summary.sh adds the lines up.
set -u
: "${srcdir:?run by make check-long}" "${builddir:?}" "${MPIRUN:?}"
. "$srcdir/tests/lib/limited.sh"
RESULTS=${RESULTS:-$builddir/reliability.csv}
campaign=$(basename "$0" .sh)
# identify: what is tested, of $builddir and $MPIRUN
identify() {
  set -- "$builddir/.libs/libpfft3d.so" "$builddir/.libs/libpfft3d_core.a" \
    "$builddir/.libs/libpfft3d_hdf5.so" "$builddir/.libs/libpfft3d_hdf5_core.a"
  test "${program:-yes}" = no || set -- "$@" "$builddir/pfft3d"
  test -z "${also-}" || set -- "$@" "$builddir/.libs/$also"
  build=$(cat "$@" 2>/dev/null | cksum | cut -d' ' -f1)
  commit=$(git -C "$srcdir" describe --always --dirty --abbrev=12 2>/dev/null)
  version=$(sed -n "s/^PACKAGE_VERSION = //p" "$builddir/Makefile")
  mpi=$($MPIRUN --version 2>/dev/null | sed -n 's/^mpi[a-z]*[^ ]* (Open[A-Z a-z]*) /Open MPI /p; s/^ *Version: */MPICH /p
    s/^Intel(R) MPI Library .*Version \([0-9.]*\).*/Intel MPI \1/p' | head -n 1)
}
identify
test -f "$RESULTS" || echo 'date,version,build,mpi,test,part,tried,wrong,seconds,commit' >"$RESULTS"
number=0 bad=0

# part NAME COMMAND...: one part.  The last line "tried N wrong M" of the command's output counts; a
# command without one has tried one, wrong if it fails.  NAME has no comma; it should say what repeats it.
part() {
  part=$1
  shift
  number=$((number + 1))
  same=$build
  if test -n "${any_build-}"; then same='[0-9]*'; fi
  if grep -q ",$same,$mpi,$campaign,$part,[0-9]*,0," "$RESULTS"; then
    echo "ok $number - $part, done before"
    return
  fi
  began=$(date +%s)
  output=$("$@" 2>&1)
  status=$?
  sum=$(echo "$output" | sed -n 's/^.*tried \([0-9]*\) wrong \([0-9]*\).*$/\1,\2/p' | tail -n 1)
  if test -z "$sum"; then sum=1,0; fi
  if test "$status" != 0 && test "${sum#*,}" = 0; then sum=${sum%,*},1; fi
  echo "$(date +%F),$version,$build,$mpi,$campaign,$part,$sum,$(($(date +%s) - began)),$commit" >>"$RESULTS"
  if test "${sum#*,}" = 0; then
    echo "ok $number - $part: ${sum%,*} tried"
  else
    bad=1
    echo "not ok $number - $part: ${sum#*,} of ${sum%,*} wrong"
    echo "$output" | sed "/^ok /d" | tail -n 100 | sed 's/^/# /' | tee -a "${RESULTS%.csv}.wrong" # the log comes at the end
  fi
}

# tap SUMS COMMAND...: the command's TAP as one sum, for part.  What was right, wrong and skipped goes to the
# file SUMS, the reasons of skips, which do not count as tried, to SUMS.skipped.
tap() {
  sums=$1
  shift
  "$@" 2>&1 | awk -v file="$sums" '
    { print }
    /^not ok/ { wrong++ }
    /^ok/ && !/# SKIP/ { right++ }
    /^ok/ && /# SKIP/ { skipped++; print "skipped: " $0 >file ".skipped" }
    /^1\.\.0/ { skipped++; print "skipped: " $0 >file ".skipped" }
    /^1\.\./ { planned++ }
    END { if (!planned) wrong++
      print right + 0, wrong + 0, skipped + 0 >file
      print "tried " right + wrong " wrong " wrong + 0 }'
}

# campaign_end: the plan of TAP, and the status of the script.
campaign_end() {
  echo "1..$number"
  exit $bad
}
