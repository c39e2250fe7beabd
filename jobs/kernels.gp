# SPDX-License-Identifier: BSD-3-Clause
# The plots of kernels.sh.  plot-sizes.txt has lines "kernel size threads seconds GFLOP/s speed-up",
# plot-weak.txt "kernel threads efficiency", plot-phases.txt "size,threads, the phases of FFT1, FFT2",
# plot-devices.txt "device|matrices kernel points|side seconds, of them without copies".
set terminal pngcairo size 1800,1120 font 'DejaVu Sans,12' fontscale 2 linewidth 2 pointscale 2 background '#ffffff'
set tics out nomirror scale 0.6
set border 3 lw 1.2 lc rgb '#444444'
set key outside right top
names = 'dft recursive dit dif natural stockham2 stockham4 radix2 spmd1 spmd2 multistage simd fftw'
array color[13] = ['#999999', '#b02020', '#d08020', '#e0b040', '#a0a020', '#208040', '#30b070', \
  '#705030', '#31688e', '#60a0d0', '#8040a0', '#000000', '#606060']
line(i) = sprintf("awk '$1 == \"%s\"", word(names, i))
last = word(threads, words(threads))

set logscale xy
set format x '2^{%L}'
set logscale x 2
set format x '2^{%L}'
set xlabel 'points n'
set ylabel 'seconds'
set format y '10^{%T}'
do for [k = 1:words(threads)] {
  if (k == 1 || k == words(threads)) {
    of = word(threads, k)
    set output of eq '1' ? 'time.png' : 'time-threads.png'
    set title 'One line with '.(of eq '1' ? 'one thread' : of.' threads')
    plot for [i = 1:13] '< '.line(i).' && $3 == '.of."' plot-sizes.txt" using 2:4 with linespoints pt 7 ps 0.6 lw 2 lc rgb color[i] title word(names, i)
  }
}
unset logscale y
set format y '%g'

set output 'sizes.png'
set ylabel 'GFLOP/s (5 n log_2 n)'
set title 'Rate of one line with one thread'
plot for [i = 2:13] '< '.line(i).' && $3 == 1'."' plot-sizes.txt" using 2:5 with linespoints pt 7 ps 0.6 lw 2 lc rgb color[i] title word(names, i)

# dit, dif and fftw (1, 3, 4, 13 with the definition) have one thread for a line.
if (words(threads) > 1) {
  set output 'speedup.png'
  set ylabel 'speed-up'
  set yrange [0:*]
  set title 'Speed-up by '.last.' threads'
  plot for [i in '2 5 6 7 8 9 10 11 12'] '< '.line(int(i)).' && $3 == '.last."' plot-sizes.txt" using 2:6 with linespoints pt 7 ps 0.6 lw 2 lc rgb color[int(i)] title word(names, int(i)), \
    1 with lines dt 2 lc rgb '#888888' title 'one thread'

  unset logscale x
  set xlabel 'threads'
  set format x '%g'
  set xtics 1, 1
  if (last > 8) { set xtics 0, int(last) / 8 }
  set output 'strong.png'
  largest = int(system("awk '$2 > m {m = $2} END {print m}' plot-sizes.txt"))
  set title 'Strong scaling, '.largest.' points'
  plot for [i in '2 5 6 7 8 9 10 11 12'] '< '.line(int(i)).' && $2 == '.largest."' plot-sizes.txt" using 3:6 with linespoints pt 7 lw 2 lc rgb color[int(i)] title word(names, int(i)), \
    x with lines dt 2 lc rgb '#888888' title 'ideal'

  set output 'weak.png'
  set ylabel 'efficiency'
  set yrange [0:1.2<*]
  set title 'Weak scaling, 2^{'.weak.'} points for each thread'
  plot for [i in '6 7 8 9 10 11 12'] '< '.line(int(i))."' plot-weak.txt" using 2:3 with linespoints pt 7 lw 2 lc rgb color[int(i)] title word(names, int(i)), \
    1 with lines dt 2 lc rgb '#888888' title 'ideal'
  unset yrange
  set xtics auto
}

if (system("test -e plot-phases.txt && echo 1") eq '1') {
  unset logscale
  set output 'phases.png'
  set style data histograms
  set style histogram rowstacked
  set style fill solid 0.9
  set boxwidth 0.6
  set yrange [0:*]
  set xlabel 'points; threads'
  set ylabel 'seconds'
  set title 'Phases of FFT1 (spmd1), and all of FFT2 (spmd2)'
  plot 'plot-phases.txt' using 2:xtic(1) lc rgb '#b02020' title 'bit reversal', \
    '' using 3 lc rgb '#e0b040' title 'roots', '' using 4 lc rgb '#31688e' title 'butterfly1', \
    '' using 5 lc rgb '#60a0d0' title 'butterfly2', \
    '' using 0:6 with points pt 7 ps 1.5 lc rgb '#208040' title 'FFT2'
}

if (system("test -e plot-devices.txt && echo 1") eq '1') {
  reset
  set tics out nomirror scale 0.6
  set border 3 lw 1.2 lc rgb '#444444'
  set key outside right top
  set logscale xy
  set logscale x 2
  there = system("awk '!seen[$2]++ {print $2}' plot-devices.txt")
  # a colour for each algorithm, a shape for what it runs on
  shade(k) = k eq 'simd' ? '#000000' : k eq 'fftw' ? '#888888' : strstrt(k, 'radix2') ? '#b02020' : \
    strstrt(k, 'stockham2') ? '#208040' : strstrt(k, 'stockham4') ? '#31688e' : strstrt(k, 'multistage') ? '#8040a0' : \
    strstrt(k, 'line') ? '#d08020' : strstrt(k, 'vkfft') ? '#00a0a0' : '#a0a020'
  shape(k) = strstrt(k, 'opencl') ? 7 : strstrt(k, 'glsl') ? 9 : strstrt(k, 'cuda') ? 13 : 5
  rows(f, k) = "< awk '$1 == \"".f."\" && $2 == \"".k."\"' plot-devices.txt"
  set xlabel 'points n'
  set format x '2^{%L}'
  set ylabel 'seconds, copies included'
  set format y '10^{%T}'
  set output 'device.png'
  set title 'One line, devices and one thread of the processor'
  plot for [k in there] rows('device', k) using 3:4 with linespoints pt shape(k) ps 0.9 lw 2 lc rgb shade(k) title k
  set ylabel 'transforms per second, without copies'
  set output 'device-rate.png'
  set title 'One line after the other, without copies'
  plot for [k in there] rows('device', k) using 3:(1/$5) with linespoints pt shape(k) ps 0.9 lw 2 lc rgb shade(k) title k
  set xlabel 'rows and columns'
  set format x '%g'
  set ylabel 'seconds, without copies'
  set output 'matrices.png'
  set title 'One square matrix, without copies'
  plot for [k in there] rows('matrices', k) using 3:5 with linespoints pt shape(k) ps 0.9 lw 2 lc rgb shade(k) title k
}
