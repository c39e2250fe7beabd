# SPDX-License-Identifier: BSD-3-Clause
# The tables of kernels.sh, as Markdown, from the CSV of `pfft3d kernels`; and plot-*.txt for
# kernels.gp.
FNR == 1 {
  split(FILENAME, part, /[.-]/); file = part[1] # device-2^10.csv is one of device
  delete at
  gsub(/\r/, "")
  count = split($0, name, ",")
  for (i = 1; i <= count; i++) at[name[i]] = i
  next
}
# A field of this row, which may be quoted.
function field(name) { return (name in at) ? cell[at[name]] : "" }
function read_cells(  text, i, word) {
  text = $0
  for (i = 1; length(text) || i == 1; i++) {
    if (substr(text, 1, 1) == "\"") {
      match(text, /^"([^"]|"")*"/)
      word = substr(text, 2, RLENGTH - 2)
      text = substr(text, RLENGTH + 2)
    } else {
      match(text, /^[^,]*/)
      word = substr(text, 1, RLENGTH)
      text = substr(text, RLENGTH + 2)
    }
    cell[i] = word
  }
}
{
  delete cell
  read_cells()
  kernel = field("kernel"); n = field("size"); t = field("threads")
  if (!((file, kernel) in seen)) { seen[file, kernel] = 1; kernels[file, ++kernel_count[file]] = kernel }
  if (!((file, "n", n) in seen)) { seen[file, "n", n] = 1; sizes[file, ++size_count[file]] = n }
  if (!((file, "t", t) in seen)) { seen[file, "t", t] = 1; threads[file, ++thread_count[file]] = t }
  seconds[file, kernel, n, t] = field("time_s.median")
  error[file, kernel, n] = field("error"); wrong[file, kernel, n] += field("wrong")
  label[file, n] = field("n")
  inside[file, kernel, n] = field("phases.butterfly1.median") + field("phases.bit_reversal.median")
  if (file == "device" || file == "matrices")
    print file, kernel, file == "device" ? n : sqrt(n), field("time_s.median"), field("device") == "cpu" ? field("time_s.median") : inside[file, kernel, n] >"plot-devices.txt"
  for (k = 1; k <= 4; k++) phase[kernel, n, t, k] = field("phases." phase_name(k) ".median")
}
function phase_name(k) { return k == 1 ? "bit_reversal" : k == 2 ? "roots" : k == 3 ? "butterfly1" : "butterfly2" }
function log2(x) { return log(x) / log(2) }
function power(n) { return "2^" int(log2(n) + .5) }
function text(s) {
  if (s == "") return ""
  s += 0
  return s >= 1 ? sprintf("%.3g s", s) : s >= 1e-3 ? sprintf("%.3g ms", s * 1e3) : sprintf("%.3g us", s * 1e6)
}
function heading(first, file, what,   i) {
  printf "| %s |", first
  for (i = 1; i <= (what == "n" ? size_count[file] : thread_count[file]); i++)
    printf " %s |", what == "n" ? (label[file, sizes[file, i]] ~ /x/ ? label[file, sizes[file, i]] : power(sizes[file, i])) : threads[file, i]
  printf "\n|---|"
  for (i = 1; i <= (what == "n" ? size_count[file] : thread_count[file]); i++) printf "---|"
  print ""
}
# Seconds of a kernel by size and threads, speed-ups, and Amdahl's share of what is serial.
function of_threads(n,   k, i, t, one, last, speed) {
  last = threads["sizes", thread_count["sizes"]]
  printf "\n## %s points over threads\n\n", power(n)
  printf "| kernel |"
  for (i = 1; i <= thread_count["sizes"]; i++) printf " time, %s |", threads["sizes", i]
  if (last > 1) printf " speed-up, %s | serial share |", last
  printf " error |\n|---|"
  for (i = 1; i <= thread_count["sizes"] + (last > 1 ? 2 : 0) + 1; i++) printf "---|"
  print ""
  for (k = 1; k <= kernel_count["sizes"]; k++) {
    kernel = kernels["sizes", k]
    one = seconds["sizes", kernel, n, 1]
    if (one == "") continue
    printf "| %s |", kernel
    for (i = 1; i <= thread_count["sizes"]; i++) printf " %s |", text(seconds["sizes", kernel, n, threads["sizes", i]])
    if (last > 1) {
      speed = one / seconds["sizes", kernel, n, last]
      printf " %.2f | %s |", speed, speed <= 1 ? "1" : sprintf("%.2f", speed >= last ? 0 : (last / speed - 1) / (last - 1))
    }
    printf " %.1e |\n", error["sizes", kernel, n]
  }
}
# Times by size of what runs on devices, with one thread elsewhere: with copies, and in brackets without.
function of_devices(file, title,   k, i, n, t, s) {
  if (!kernel_count[file]) return
  printf "\n## %s\n\n", title
  heading("kernel", file, "n")
  for (k = 1; k <= kernel_count[file]; k++) {
    kernel = kernels[file, k]
    printf "| %s |", kernel
    for (i = 1; i <= size_count[file]; i++) {
      n = sizes[file, i]; t = threads[file, 1]; s = seconds[file, kernel, n, t]
      if (s == "") { printf " |"; continue }
      printf " %s%s |", text(s), (inside[file, kernel, n] ? " (" text(inside[file, kernel, n]) ")" : "")
    }
    print ""
  }
}
# Times of all kernels with one thread.
function of_sizes(  k, i) {
  print "\n## Times with one thread\n"
  heading("kernel", "sizes", "n")
  for (k = 1; k <= kernel_count["sizes"]; k++) {
    printf "| %s |", kernels["sizes", k]
    for (i = 1; i <= size_count["sizes"]; i++) printf " %s |", text(seconds["sizes", kernels["sizes", k], sizes["sizes", i], 1])
    print ""
  }
}
END {
  print "# Kernels on this machine\n\n## GFLOP/s (5 n log2 n) with one thread\n"
  heading("kernel", "sizes", "n")
  for (k = 1; k <= kernel_count["sizes"]; k++) {
    kernel = kernels["sizes", k]
    printf "| %s |", kernel
    for (i = 1; i <= size_count["sizes"]; i++) {
      n = sizes["sizes", i]; s = seconds["sizes", kernel, n, 1]
      rate = s == "" ? "" : sprintf("%.2f", 5 * n * log2(n) / s / 1e9)
      printf " %s |", rate
      for (j = 1; j <= thread_count["sizes"]; j++) {
        t = threads["sizes", j]; s = seconds["sizes", kernel, n, t]
        if (s == "") continue
        one = seconds["sizes", kernel, n, 1]
        print kernel, n, t, s, 5 * n * log2(n) / s / 1e9, one / s >"plot-sizes.txt"
      }
    }
    print ""
  }
  of_sizes()
  for (i = 1; i <= size_count["sizes"]; i++)
    if (sizes["sizes", i] == 1024 || sizes["sizes", i] == 65536 || sizes["sizes", i] >= 1048576) of_threads(sizes["sizes", i])
  if (kernel_count["weak"]) {
    print "\n## Weak scaling: the time of one thread over that of several with as many times the points\n"
    heading("kernel", "weak", "t")
    for (k = 1; k <= kernel_count["weak"]; k++) {
      kernel = kernels["weak", k]
      printf "| %s |", kernel
      for (i = 1; i <= thread_count["weak"]; i++) {
        # per point and stage, since n log2 n grows faster than n
        n = sizes["weak", i]; first = sizes["weak", 1]; t = threads["weak", i]
        share = seconds["weak", kernel, first, threads["weak", 1]] / (first * log2(first)) / (seconds["weak", kernel, n, t] / (n * log2(n))) / (t / threads["weak", 1])
        printf " %.2f |", share
        print kernel, t, share >"plot-weak.txt"
      }
      print ""
    }
  }
  for (i = 1; i <= size_count["phases"]; i++) {
    n = sizes["phases", i]
    printf "\n## Phases of FFT1 (spmd1) with %s points, and FFT2 (spmd2)\n\n", power(n)
    print "| threads | bit reversal | roots | butterfly1 | butterfly2 | FFT1 | FFT2 | wrong points |"
    print "|---|---|---|---|---|---|---|---|"
    for (j = 1; j <= thread_count["phases"]; j++) {
      t = threads["phases", j]
      printf "| %s |", t
      for (k = 1; k <= 4; k++) printf " %s |", text(phase["spmd1", n, t, k])
      printf " %s | %s | %s |\n", text(seconds["phases", "spmd1", n, t]), text(seconds["phases", "spmd2", n, t]), wrong["phases", "spmd1", n] + wrong["phases", "spmd2", n]
      print "2^{" int(log2(n) + .5) "};" t, phase["spmd1", n, t, 1], phase["spmd1", n, t, 2], phase["spmd1", n, t, 3], phase["spmd1", n, t, 4], seconds["phases", "spmd2", n, t] >"plot-phases.txt"
    }
  }
  of_devices("device", "One line by devices, with the copies of transfers (and without)")
  of_devices("matrices", "Square matrices by devices, with the copies of transfers (and without)")
}
