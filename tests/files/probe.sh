#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The process that looks at an input, stopped when it is about to: what it may still do.  Answers in TAP.
. "${srcdir:?run by make check}/tests/lib/program.sh"
halt=${builddir:?}/tests/faults/.libs/halt.so
if ! test -f "$halt" || ! test -r /proc/self/limits; then
  echo '1..0 # SKIP a build without HDF5, or no /proc'
  exit 0
fi

# child RANK: the number of a process of it that looks and stands still
child() {
  for words in /proc/[0-9]*/cmdline; do
    at=${words%/cmdline}
    tr '\0' ' ' <"$words" 2>/dev/null | grep -q ' probe-input $' || continue
    grep -q "^PPid:[[:space:]]*$1\$" "$at/status" && grep -q '^State:[[:space:]]*T' "$at/status" &&
      echo "${at#/proc/}"
  done 2>/dev/null
}

# A file of the rank that its children would have, too, and settings of HDF5.
: >mine.txt
exec 9<mine.txt
env LD_PRELOAD="$halt${LD_PRELOAD:+:$LD_PRELOAD}" HDF5_DRIVER=stdio HDF5_PLUGIN_PATH="$work" "$PFFT3D" transform \
  --input "$srcdir/data/colin27.h5" --output out.h5 --quiet >out.txt 2>err.txt </dev/null &
rank=$!
looked=0
while kill -0 "$rank" 2>/dev/null; do
  for pid in $(child "$rank"); do
    looked=$((looked + 1))
    cat "/proc/$pid/limits" >limits.txt
    cat "/proc/$pid/status" >status.txt
    find "/proc/$pid/fd" -type l -printf '%f %l\n' | sort -n >files.txt
    kill -CONT "$pid"
  done
  sleep 0.1
done
wait "$rank"
status=$?

# at_most NAME MOST: a limit, hard and soft, of at most so much
at_most() {
  awk -v name="$1" -v most="$2" '
    index($0, name) == 1 {
      $0 = substr($0, 27)
      found = $1 != "unlimited" && $1 + 0 <= most
    }
    END { exit !found }' limits.txt || { cat limits.txt && return 1; }
}
check 'the input is looked at, more than once' test "$looked" -ge 2
check 'and transformed, without settings of HDF5' test "$status" = 0
# What it has taken is no less than what it began with, but for some memory given back.
most=$(awk '$1 == "VmSize:" { printf "%.0f", $2 * 1024 + 2200000000 }' status.txt)
check 'it has 2 GiB beyond what it began with' at_most 'Max address space' "${most:-0}"
check 'it computes for some seconds' at_most 'Max cpu time' 15
check 'it writes no files' at_most 'Max file size' 0
check 'it leaves no core' at_most 'Max core file size' 0
check 'it opens few files' at_most 'Max open files' 64
check 'it gets no other rights' grep -q '^NoNewPrivs:[[:space:]]*1$' status.txt
no_files() { test "$(awk '$1 > 2 && $2 != "/dev/null"' files.txt | wc -l)" = 0 || { cat files.txt && return 1; }; }
check 'it has no files of the rank' no_files

# A file system that does not answer: it is waited for, which is said after ten seconds; not without end.
waited='warning: .*colin27.h5. is not open after 10 s'
# slow COMMAND...: the transform, as arguments of this, with processes that stand still
slow() {
  "$@" env LD_PRELOAD="$halt${LD_PRELOAD:+:$LD_PRELOAD}" "$PFFT3D" transform --input "$srcdir/data/colin27.h5" \
    --output slow.h5 --quiet --watchdog $seconds >out.txt 2>err.txt </dev/null
}
patient() {
  seconds=$limit
  slow exec &
  rank=$!
  until grep -q "$waited" err.txt || ! kill -0 $rank; do sleep 0.2; done
  while kill -0 $rank 2>/dev/null; do
    for pid in $(child $rank); do kill -CONT "$pid"; done
    sleep 0.1
  done
  wait $rank && test "$(grep -c "$waited" err.txt)" = 1 && test "$(wc -l <err.txt)" = 1
}
check 'a slow file is waited for' patient
impatient() {
  seconds=2
  slow limited $limit
  test $? = 79 && grep -q 'no progress for 2 s while looking at the input' err.txt && test "$(wc -l <err.txt)" = 1
}
check 'for the time of --watchdog' impatient
echo "1..$number"
exit $bad
