#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Runs one test and answers in TAP:  sh tests/mpirun.sh build/tests/ROOM/test_x [ARGUMENTS]
#
# A program is started once for each number of ranks in the comment "ranks: 1 2 3 4 6" at the top of
# its source, which has the same path in srcdir as the program in builddir (without a comment:
# 1 2 3 4 6).  RANKS="2 3" in the environment overrides it.  A shell test (*.sh) is started once, and
# may print TAP with its plan by itself.  Exit status of a test: 0 passed, 77 skipped (its last line
# says why), else failed.
#
# Tests find in their environment: builddir, srcdir (absolute), PFFT3D (the program), PYTHON, and
# MPIRUN, the launcher with the options it needs here.  TEST_TIMEOUT: seconds per run (900, many times
# what a run takes, and more on a loaded machine: tests/lib/limited.sh; campaigns, tests/long/*.sh, take
# as long as their parts do, which have limits of their own).  They may set PFFT3D_TEST_MAX_COUNT, which the program
# reads: the largest count in one MPI call, as if MPI took no more, so that small grids meet what
# large ones do.
set -u

test=${1:?usage: mpirun.sh TEST [ARGUMENTS]}
shift
here=$(cd "$(dirname "$0")" && pwd)
: "${srcdir:=$(dirname "$here")}"
: "${builddir:=$srcdir/build}"
: "${PFFT3D:=$builddir/pfft3d}"
: "${PYTHON:=/usr/bin/python3}"
# By name: of a path Open MPI puts the folder before all others in PATH of the ranks.
: "${MPIRUN:=$(command -v mpirun.openmpi >/dev/null && echo mpirun.openmpi || echo mpirun)}"
. "$here/lib/limited.sh"
limit=${TEST_TIMEOUT:-900}

. "$here/lib/launch.sh"
quiet=$MPIRUN
launch_settings
export srcdir builddir PFFT3D PYTHON MPIRUN
# Wisdom of whoever runs the tests decides nothing in them.
export PFFT3D_WISDOM=none

own=$(mktemp -d) output=$own/output
test -d "$own" || exit 99
began=$(date +%s%N)
# The last line of each test is for tests/lib/times.sh; what processors worked for it does not depend on
# what else runs on them.
finish() {
  end_marked "$own" # when it was stopped, or out of time
  times >"$output"
  awk -v ms=$((($(date +%s%N) - began) / 1000000)) 'NR == 2 {
    for (k = 1; k <= 2; k++) { split($k, part, "m"); work += 60 * part[1] + part[2] }
    printf "# took %.1f s, %.1f s of processors\n", ms / 1000, work }' "$output"
  rm -rf "$own"
}
trap finish EXIT
trap 'trap "" HUP INT TERM; exit 130' HUP INT TERM

# start COMMAND...: the test, with its words in $output; in the background, as a shell that waits for a
# command in the foreground does not react to signals.
start() {
  marked "$own" ${limit:+timeout --kill-after=10 "$(scaled "$limit")"} "$@" >"$output" 2>&1 </dev/null &
  wait $!
}

# report STATUS NAME: one line of TAP for the run whose words are in $output
number=0
report() {
  number=$((number + 1))
  case $1 in
    0) echo "ok $number - $2" ;;
    77) echo "ok $number - $2 # SKIP $(sed '/^-----/,$d' "$output" | tail -n 1 | tr -d '#')" ;;
    *)
      echo "not ok $number - $2"
      if test "$1" = 124 || test "$1" = 137; then echo "# killed, or out of time"; fi
      echo "# exit status $1; its output:"
      sed 's/^/# /' "$output"
      ;;
  esac
}

name=$(basename "$test")
case $name in
  *.sh)
    MPIRUN=$quiet
    case $test in */long/*) limit= ;; esac
    start sh "$test" "$@"
    status=$?
    if grep -q '^1\.\.[0-9]' "$output"; then
      cat "$output"
      exit $status
    fi
    report $status "${name%.sh}"
    ;;
  *)
    folder=$(cd "$(dirname "$test")" && pwd -P) top=$(cd "$builddir" && pwd -P) || exit 99
    test=$folder/$name source=$srcdir${folder#"$top"}/$name.c
    if ! test -f "$source"; then source=/dev/null; fi
    ranks=${RANKS:-$(sed -n '1,12s/.*ranks: *\([0-9][0-9 ]*\).*/\1/p' "$source" | head -n 1)}
    for count in ${ranks:-1 2 3 4 6}; do
      launch="$MPIRUN -n $count"
      # One rank needs no launcher, nor the daemon that Open MPI starts in its place.  All such ranks use
      # one directory for temporary files, and remove it: side by side, each needs another.
      if test "$count" = 1; then launch="env OMPI_MCA_ess_singleton_isolated=1 OMPI_MCA_orte_tmpdir_base=$own"; fi
      # shellcheck disable=SC2086  # a command with options
      start $launch "$test" "$@"
      report $? "$name on $count ranks"
    done
    ;;
esac
echo "1..$number"
