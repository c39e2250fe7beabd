#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The slowest tests of the last `make check`, and the sum of all:  sh tests/lib/times.sh [BUILD [COUNT]]
# In seconds from begin to end, which tests that run side by side make longer, and of processors.  A
# program's time is that of all its numbers of ranks.
set -u
cd "${1:-build}" || exit 99
find doc tests -name '*.log' -exec awk '
  /^# took / { wall = $3; work = $5 }
  END { if (wall != "") print wall, work, FILENAME }' {} \; | sort -k 2 -rn | awk -v count="${2:-15}" '
  BEGIN { printf "%9s %10s  %s\n", "seconds", "processors", "test" }
  { wall += $1; work += $2; sub(/\.log$/, "", $3) }
  NR <= count { printf "%9.1f %10.1f  %s\n", $1, $2, $3 }
  END { printf "%9.1f %10.1f  all %d tests\n", wall, work, NR }'
