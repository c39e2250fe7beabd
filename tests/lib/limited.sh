# shellcheck shell=sh
# SPDX-License-Identifier: BSD-3-Clause
# Limits of time, and the end of processes that tests leave.  Tests source it, and the scripts that start them.

# scaled SECONDS: so many, times the load of each processor now if that exceeds 1: limits are for runs
# that hang, not for machines with other work.  (In Python: tests/lib/launcher.py.)
scaled() {
  awk -v seconds="$1" -v cores="$(getconf _NPROCESSORS_ONLN)" \
    '{ print int(seconds * ($1 > cores ? $1 / cores : 1)) }' /proc/loadavg
}

# limited SECONDS COMMAND...: for that long at most, scaled.  In the foreground: else it would be in a group of
# processes of its own, and go on when the test is stopped.
limited() {
  scaled_limit=$(scaled "$1")
  shift
  timeout --foreground --kill-after=10 "$scaled_limit" "$@"
}

# marked WORD COMMAND...: the command and its processes have the word in their environment, by which
# end_marked finds them in whatever group or session they are.  SIGINT and SIGQUIT, which a shell ignores in
# background commands, have their usual effect.
marked() {
  mark=$1
  shift
  env --default-signal=INT,QUIT PFFT3D_TEST_MARKS="${PFFT3D_TEST_MARKS-} $mark" "$@"
}

# end_marked WORD: ends these processes, by SIGKILL after 5 seconds.
end_marked() {
  tenths=0 signal=TERM
  while found=$(grep -lsF "$1" /proc/[0-9]*/environ | cut -d/ -f3) && test -n "$found" && test $tenths -lt 100; do
    if test $tenths -ge 50; then signal=KILL; fi
    # shellcheck disable=SC2086  # numbers
    if test $((tenths % 25)) = 0; then kill -s $signal $found 2>/dev/null; fi
    sleep 0.1
    tenths=$((tenths + 1))
  done
}
