#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# A rank that is killed while it shares memory with others: the job ends, and nothing is left behind
# where shared memory has names.  Until then, signals come to the main threads.  Answers in TAP.
set -u
: "${srcdir:?run by make check}" "${PFFT3D:?}" "${MPIRUN:?}"
if ! test -x "$PFFT3D"; then echo '1..0 # SKIP no program in this build'; exit 0; fi
if ! test -d /dev/shm || ! test -d /proc/self; then echo '1..0 # SKIP no /dev/shm or /proc'; exit 0; fi
work=$(mktemp -d) || exit 99
job=
cleanup() {
  if test -n "$job"; then kill -KILL "$job" 2>/dev/null; fi
  rm -rf "$work"
}
trap cleanup EXIT
trap 'exit 130' HUP INT TERM

# The program under a name of its own, so that its processes and their memory differ from others'.
name=pf$$
cp "$PFFT3D" "$work/$name" || exit 99
ranks() { # of this test: processes that run the copy
  for exe in /proc/[0-9]*/exe; do
    if test "$(readlink "$exe" 2>/dev/null)" = "$work/$name"; then
      echo "$exe" | sed 's|/proc/\([0-9]*\)/exe|\1|'
    fi
  done
}

# The threads of a program that waits for its input, before it has called MPI.
sleep 9 | "$PFFT3D" probe-input >/dev/null 2>&1 &
sleep 1
early=0
for exe in /proc/[0-9]*/exe; do
  if test "$(readlink "$exe" 2>/dev/null)" = "$(readlink -f "$PFFT3D")" &&
    tr '\0' ' ' <"${exe%exe}cmdline" | grep -q ' probe-input $'; then
    early=$(find "${exe%exe}task" -mindepth 1 -maxdepth 1 | wc -l)
  fi
done

$MPIRUN -n 2 "$work/$name" --grid 64 --algo shared --order natural --reps 100000 --quiet \
  >"$work/out" 2>&1 </dev/null &
job=$!
seconds=0
shared=0
while test "$seconds" -lt 60; do # until both ranks have mapped the memory
  shared=0
  for pid in $(ranks); do
    if grep -q 'memfd:pfft3d' "/proc/$pid/maps" 2>/dev/null; then shared=$((shared + 1)); fi
  done
  if test "$shared" = 2; then break; fi
  sleep 1
  seconds=$((seconds + 1))
done
before=$(ranks)
# What another thread takes, the main thread may not know of when the next signal comes: SIGTERM (15),
# and SIGURG (23), by which ranks tell that they have said why the run ends.
open=
for task in $(for pid in $before; do echo "/proc/$pid/task/"[0-9]*; done); do
  pid=${task%/task/*}
  if test "${task##*/}" = "${pid##*/}"; then continue; fi
  blocked=0x$(sed -n 's/^SigBlk:[[:space:]]*//p' "$task/status")
  if test $((blocked & 0x404000)) != $((0x404000)); then open="$open $task"; fi
done
for pid in $before; do
  kill -KILL "$pid"
  break
done
wait "$job"
status=$?
job=
sleep 1
left=$(ranks)
# Open MPI cleans up after itself, or not: the semaphores of its files are named after these.
named=$(find /dev/shm -type f -name '*pfft3d*' ! -name 'sem.OMPIO_*' 2>/dev/null)

echo 1..5
verdict() { # NUMBER WORDS CONDITION...
  number=$1 words=$2
  shift 2
  if "$@"; then echo "ok $number - $words"; else
    echo "not ok $number - $words"
    sed 's/^/# /' "$work/out"
    bad=1
  fi
}
bad=0
verdict 1 'two ranks share memory without a name' test "$shared" = 2
verdict 2 "its end is not taken for success (status $status)" test "$status" != 0
verdict 3 'no process is left' test -z "$left"
verdict 4 'nothing of ours is left in /dev/shm' test -z "$named"
if test "$early" -gt 1; then
  echo 'ok 5 - no other thread takes signals # SKIP libraries of this MPI start threads before main()'
else
  verdict 5 'no other thread takes signals' test -z "$open"
fi
exit $bad
