#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Other MPIs, from Python's package index into mpis/ of the build directory: builds with each, runs the
# tests there, each a part, and times all exchanges of 128^3 and 256^3 on two ranks.  The build for the
# standard's ABI is also run, as it is, under Intel MPI; "ints" is MPICH 5 without its calls with counts of
# 64 bits, for exchanges.  At the end mpis/table.md has the
# sums and the times.  MPIS: these only (openmpi5 mpich4 mpich5 ints abi impi).  SUITE: these tests, or "quick",
# those of make check-quick; all by default, but for those that no MPI takes part in: what reads the source and
# the pages, and simulated machines.  REPS (9): of each time.  Answers in TAP.
: "${srcdir:?run by make check-long}" "${builddir:?}" "${MPIRUN:?}"
RESULTS=${RESULTS:-$builddir/reliability.csv}
. "$srcdir/tests/lib/campaign.sh"
MPIS=${MPIS:-openmpi5 mpich4 mpich5 ints abi impi} REPS=${REPS:-9}
. "$srcdir/tests/lib/mpis.sh"
outer_build=$builddir

# tests NAME: the names of those that are run
# shellcheck disable=SC2016  # variables of make
tests() {
  case $1:${SUITE-all} in
    ints:*) names='tests/unit/test_exchange tests/transform/test_caps tests/transform/test_random' ;;
    *:all) names='$(filter-out tests/smpi/% tests/unit/check_% tests/unit/stopped.sh tests/program/pages.sh, $(TESTS))' ;;
    *:quick) names='$(QUICK_TESTS)' ;;
    *) names=$SUITE ;;
  esac
  printf 'include Makefile\nlist:\n\t@echo %s\n' "$names" | make -s -C "$there" -f - list
}

suite() {
  test=$there/$1
  if test -f "$srcdir/$1"; then test=$srcdir/$1; fi
  TEST_TIMEOUT=900 tap "$there/sums/$(echo "$1" | tr / _)" sh "$srcdir/tests/mpirun.sh" "$test"
}

# timed EDGE: all exchanges forward on two ranks, a report for the table
timed() {
  # shellcheck disable=SC2046  # words
  limited 600 "$MPIRUN" $(sh "$srcdir/jobs/launcher.sh" options "$MPIRUN" many) -n 2 "$there/pfft3d" --grid "$1" \
    --exchange all --direction forward --reps "$REPS" --json "$there/$1.json"
}

# unchanged HOME: the build for the ABI under another MPI that has it
unchanged() {
  for ranks in 1 2 3; do
    LD_LIBRARY_PATH=$1/lib limited 600 "$1/bin/mpiexec" -n $ranks "$root/build-abi/pfft3d" --grid 30x21x44 --type r2c \
      --exchange all --reps 1 || return
  done
  LD_LIBRARY_PATH=$1/lib limited 60 "$1/bin/mpiexec" -n 2 "$root/build-abi/pfft3d" info
}

# strangers: with the launcher of another family the program says so, once, and runs or, where its MPI would end it, does not
strangers() {
  mine=$(sh "$srcdir/jobs/launcher.sh" name "$MPIRUN")
  for other in "$root"/*/bin/mpiexec; do
    test -x "$other" && test "$(sh "$srcdir/jobs/launcher.sh" name "$other")" != "$mine" || continue
    # shellcheck disable=SC2046  # words
    limited 60 "$other" $(sh "$srcdir/jobs/launcher.sh" options "$other" many) -n 2 "$there/pfft3d" --grid 8 >"$there/out" 2>&1
    case $?:$(grep -c '^pfft3d: [a-z]*: .*the launcher of .* has started' "$there/out") in
      0:1 | 69:1) ;;
      *) cat "$there/out" && return 1 ;;
    esac
  done
}

for name in $MPIS; do
  settle "$name"
  if ! fetched >"$root/$name.log" 2>&1; then
    number=$((number + 1))
    echo "ok $number - $name # SKIP $packages: not reachable ($(tail -n 1 "$root/$name.log" | tr -d '#'))"
    continue
  fi
  MPIRUN=$home/bin/mpiexec builddir=$there PFFT3D=$there/pfft3d
  export MPIRUN builddir PFFT3D
  mkdir -p "$there/sums"
  if ! built all 'check TESTS=' >"$there.log" 2>&1; then
    number=$((number + 1)) bad=1
    echo "not ok $number - the build with $name"
    tail -n 30 "$there.log" | sed 's/^/# /'
    continue
  fi
  identify
  for test in $(tests "$name"); do part "$name: $test" suite "$test"; done
  part "$name: the launchers of others" strangers
  for edge in 128 256; do part "$name: times of $edge^3" timed $edge; done
  if test "$name" = abi; then
    settle impi
    fetched >"$root/impi.log" 2>&1 && part 'the same build under Intel MPI' unchanged "$home"
  fi
done
"${PYTHON:-python3}" "$srcdir/tests/lib/mpis_table.py" "$root" >"$root/table.md" && sed 's/^/# /' "$root/table.md"
builddir=$outer_build
campaign_end
