#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# What campaigns have found, added up:  sh tests/lib/summary.sh [build/reliability.csv]
# Only the newest line of each part counts.
exec awk -F, '
  NR == 1 { next }
  { key = $4 "," $5 "," $6; at[key] = $0; if (!(key in order)) { order[key] = ++parts; name[parts] = key } }
  END {
    for (p = 1; p <= parts; p++) {
      split(at[name[p]], f, ",")
      test = f[5] ", " f[4]
      if (!(test in tried)) list[++tests] = test
      tried[test] += f[7]; wrong[test] += f[8]; seconds[test] += f[9]; builds[test, f[3]]++
      date[test] = f[1]
    }
    printf "%-44s %12s %8s %8s  %s\n", "campaign, MPI", "tried", "wrong", "seconds", "last"
    for (t = 1; t <= tests; t++)
      printf "%-44s %12.0f %8.0f %8.0f  %s\n", list[t], tried[list[t]], wrong[list[t]], seconds[list[t]], date[list[t]]
  }' "${1:-build/reliability.csv}"
