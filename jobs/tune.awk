# SPDX-License-Identifier: BSD-3-Clause
# The table of tune.sbatch, from the CSV of pfft3d bench: decisions by the median time, of each
# direction and of both together, and what to type to get the best one again.

# The fields of a line into field[1..]; a comma between quotes does not separate.
function split_csv(line, count, i, c, quoted) {
  delete field
  count = 1
  for (i = 1; i <= length(line); i++) {
    c = substr(line, i, 1)
    if (c == "\"") quoted = !quoted
    else if (c == "," && !quoted) count++
    else field[count] = field[count] c
  }
  return count
}

# The decisions of one direction, by time.
function ranking(direction, n, i, j, d, list) {
  n = 0
  for (d in options) {
    if (!((direction, d) in median)) continue
    for (i = ++n; i > 1 && median[direction, list[i - 1]] > median[direction, d]; i--) list[i] = list[i - 1]
    list[i] = d
  }
  if (!n) return
  printf "\n%-9s %5s  %11s  %6s  %s\n", direction, "", "median", "ratio", "decision"
  for (i = 1; i <= n; i++)
    printf "%-9s %5d  %8.3f ms  %6.2f  %s\n", "", i, 1e3 * median[direction, list[i]],
      median[direction, list[i]] / median[direction, list[1]], list[i]
  printf "fastest %s: %s\n", direction, options[list[1]]
}

FNR == 1 {
  n = split_csv($0)
  for (i = 1; i <= n; i++) column[field[i]] = i
  next
}
{
  split_csv($0)
  direction = field[column["direction"]]
  d = field[column["decision"]]
  median[direction, d] = field[column["time_s.median"]]
  pencil = field[column["decomp"]] == "pencil"
  options[d] = (pencil ? "--pgrid " field[column["pgrid"]] : "--decomp slab") \
    " --algo " field[column["algo"]] " --engine " field[column["engine"]]
  problem = field[column["problem"]]
  ranks = field[column["ranks"]]
  threads = field[column["threads"]]
  order = field[column["order"]]
}
END {
  printf "%s on %d ranks of %d threads, %s order\n", problem, ranks, threads, order
  for (d in options)
    if (("forward", d) in median && ("backward", d) in median)
      median["both", d] = median["forward", d] + median["backward", d]
  ranking("forward")
  ranking("backward")
  ranking("both")
}
