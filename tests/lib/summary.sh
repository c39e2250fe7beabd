#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# What campaigns have found, added up:  sh tests/lib/summary.sh [build/reliability.csv [CAMPAIGN]]
# Only the newest line of each part counts.  With the name of a campaign, such as random, as the table of a
# page, with the numbers of builds and of commits.
exec awk -F, -v only="${2-}" '
  function first(seen, key) { return seen[key]++ == 0 }
  NR == 1 { next }
  { key = $4 "," $5 "," $6; at[key] = $0; if (!(key in order)) { order[key] = ++parts; name[parts] = key } }
  END {
    for (p = 1; p <= parts; p++) {
      split(at[name[p]], f, ",")
      if (only != "" && f[5] != only) continue
      test = f[5] ", " f[4]
      if (!(test in tried)) list[++tests] = test
      tried[test] += f[7]; wrong[test] += f[8]; seconds[test] += f[9]
      builds[test] += first(seen, test "," f[3]); commits[test] += f[10] != "" && first(seen, test " " f[10])
      mpi[test] = f[4]; date[test] = f[1]
    }
    if (only != "") {
      print "| MPI | cases | wrong | builds | commits | hours | last |\n|---|---|---|---|---|---|---|"
      for (t = 1; t <= tests; t++) {
        k = list[t]; all[1] += tried[k]; all[2] += wrong[k]; all[3] += seconds[k]
        printf "| %s | %.0f | %.0f | %d | %d | %.1f | %s |\n", mpi[k], tried[k], wrong[k], builds[k], commits[k], seconds[k] / 3600, date[k]
      }
      printf "| all | %.0f | %.0f | | | %.1f | |\n", all[1], all[2], all[3] / 3600
      exit
    }
    printf "%-44s %12s %8s %8s  %s\n", "campaign, MPI", "tried", "wrong", "seconds", "last"
    for (t = 1; t <= tests; t++)
      printf "%-44s %12.0f %8.0f %8.0f  %s\n", list[t], tried[list[t]], wrong[list[t]], seconds[list[t]], date[list[t]]
  }' "${1:-build/reliability.csv}"
