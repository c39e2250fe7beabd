#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Tests that are stopped leave no process: a run of all tests (tests/run.sh) by SIGTERM, and one test by
# what Ctrl-C sends to the group of the foreground; tests that are programs, and shell tests that start
# ranks themselves.  Answers in TAP.
set -u
: "${srcdir:?run by make check}" "${MPIRUN:?}"
work=$(mktemp -d) || exit 99
# All that belongs to a run here is found by a word in its environment.
mine() { grep -lsF "STOPPED_WORK=$work" /proc/[0-9]*/environ | cut -d/ -f3; }
end() {
  # shellcheck disable=SC2046  # numbers
  kill -KILL $(mine) 2>/dev/null
}
cleanup() {
  end
  rm -rf "$work"
}
trap cleanup EXIT
trap 'exit 130' HUP INT TERM
cd "$work" || exit 99
. "$srcdir/tests/lib/check.sh"
if ! command -v setsid >/dev/null; then echo '1..0 # SKIP no setsid (Debian: util-linux)'; exit 0; fi

# A tree with nothing to build and two tests, each of 2 ranks that sleep.
mkdir -p tests/lib jobs build
cp "$srcdir/tests/run.sh" tests/
cp "$srcdir"/tests/lib/*.sh tests/lib/
touch jobs/packages.sh jobs/build.sh
printf '#!/bin/sh\necho $$ >>"$STOPPED_WORK/ranks"\nexec sleep 300\n' >rank
chmod +x rank
printf '. "$srcdir/tests/lib/program.sh"\nlimited 300 $MPIRUN -n 2 "$STOPPED_WORK/rank"\n' >test.sh
cat >build/Makefile <<'END'
TESTS = program script
check: $(TESTS)
program: ; sh "$$srcdir/tests/mpirun.sh" "$$STOPPED_WORK/rank"
script: ; sh "$$srcdir/tests/mpirun.sh" "$$STOPPED_WORK/test.sh"
END

# stopped SIGNAL TARGET RANKS COMMAND...: all ranks of the command run, TARGET (- for the group) gets the
# signal, and nothing is left
stopped() {
  signal=$1 target=$2 ranks=$3
  shift 3
  rm -f ranks
  setsid env -u MAKEFLAGS -u MAKELEVEL -u BUILD --default-signal=INT RANKS=2 STOPPED_WORK="$work" PFFT3D=/bin/true \
    builddir="$work" "$@" >log 2>&1 </dev/null &
  job=$! tenths=0
  until test "$(cat ranks 2>/dev/null | wc -l)" = "$ranks"; do
    if test $((tenths += 1)) -gt 600; then cat log && echo 'the ranks do not start' && return 1; fi
    sleep 0.1
  done
  kill -s "$signal" -- "$target$job"
  tenths=0
  while test -n "$(mine)"; do
    if test $((tenths += 1)) -gt 200; then echo 'left:' && ps -o pid,ppid,args -p "$(mine | paste -sd,)"; end; return 1; fi
    sleep 0.1
  done
}
check 'SIGTERM to tests/run.sh' stopped TERM '' 4 sh tests/run.sh
check 'Ctrl-C of tests/run.sh' stopped INT - 4 sh tests/run.sh
check 'Ctrl-C of a program' stopped INT - 2 sh "$srcdir/tests/mpirun.sh" "$work/rank"
check 'Ctrl-C of a shell test' stopped INT - 2 sh "$srcdir/tests/mpirun.sh" "$work/test.sh"
check 'SIGTERM to a shell test' stopped TERM '' 2 sh "$srcdir/tests/mpirun.sh" "$work/test.sh"
echo "1..$number"
exit $bad
