# SPDX-License-Identifier: BSD-3-Clause
# Rates of pfft3d and its peers over size, one panel for each order of the spectrum, or of lines for
# each pair of layouts.  Called by jobs/bench.sh for each kind of transform that has data:
#   gnuplot -e "folder='bench-results'; ranks=2; kind='c2c'" plot_bench.gp
# Data: blocks "title", then cube root of points (of lines: points), GFLOP/s, size.  The first two
# blocks are limits, the third is FFTW-MPI, and the fourth of lines FFTW-MPI in scrambled order.

line = kind eq 'line'
set terminal pngcairo size (line ? 2000 : 1500),860 font 'DejaVu Sans,12' background '#ffffff'
set output folder.(kind eq 'c2c' ? '/bench.png' : '/bench-'.kind.'.png')

# Okabe and Ito's colours, which people with any colour vision can tell apart, and different points.
array colour[8] = ['#0072B2', '#D55E00', '#009E73', '#CC79A7', '#E69F00', '#56B4E9', '#7F5F00', '#882255']
array shape[8] = [7, 5, 9, 13, 11, 15, 4, 6]
do for [i = 1:8] {
  set style line i lc rgb colour[i] pt shape[i] lw 1.8 ps 1.4
  set style line 8 + i lc rgb colour[i] pt shape[i] lw 1.8 ps 1.4 dt (6,4)
}
set style line 21 lc rgb '#000000' lw 1.6 dt (2,3) pt 1 ps 0
set style line 22 lc rgb '#000000' lw 1.6 dt (8,4) pt 1 ps 0
set style line 23 lc rgb '#000000' lw 3 pt 2 ps 1.3
set style line 24 lc rgb '#888888' lw 1.8 dt (4,3,1,3) pt 6 ps 1.4

there(name) = int(system("test -s '".name."' && echo 1 || echo 0"))
style(i) = i < 3 ? 21 + i : line && i == 3 ? 24 : (i - (line ? 4 : 3)) % 16 + 1
panels = line ? 'block-block cyclic-cyclic block-scrambled' : 'transposed natural'
data(panel) = folder.'/plot-'.kind.'-'.panel.'.dat'
mpi4py = folder.'/plot-mpi4py.dat'

set border 3 lw 1.2 lc rgb '#444444'
set tics nomirror out scale 0.6
set grid ytics lc rgb '#dddddd' lt 1
set logscale x
set xtics rotate by 50 right
set xlabel (line ? 'points' : 'points along each axis, N_0 x N_1 x N_2 where they differ') offset 0,-1
set ylabel 'rate (GFLOP/s, '.(kind eq 'r2c' ? '2.5' : '5').' N log_2 N, mean of both directions)'
set key below center maxcols 3 samplen 4 spacing 1.15 width 2
set bmargin 17

# All panels with the same scale.
top = 0
low = 1e30
high = 0
names = ''
do for [panel in panels] { if (there(data(panel))) { names = names.' '.panel } }
do for [panel in names] {
  name = data(panel)
  stats name using 2 nooutput
  top = STATS_max > top ? STATS_max : top
  stats name using 1 nooutput
  low = STATS_min < low ? STATS_min : low
  high = STATS_max > high ? STATS_max : high
}
set yrange [0:top * 1.05]
set xrange [low / 1.1:high * 1.1]

# "256x256x256" is 256 on the axis.
short(s) = strstrt(s, 'x') == 0 ? s : \
  (s eq sprintf('%sx%sx%s', s[1:strstrt(s, 'x') - 1], s[1:strstrt(s, 'x') - 1], s[1:strstrt(s, 'x') - 1])) ? \
  s[1:strstrt(s, 'x') - 1] : s

set multiplot layout 1,words(names) title \
  sprintf('%s, double precision where not named single, %d ranks on one node: higher is faster', \
    (line ? 'lines, c2c' : kind), ranks) font ',14'
do for [panel in names] {
  name = data(panel)
  set title (line ? panel : panel.' order')
  stats name using 2 nooutput
  blocks = int(STATS_blocks)
  if (panel eq 'transposed' && kind eq 'c2c' && there(mpi4py)) {
    plot for [i = 0:blocks - 1] name index i using 1:2:xtic(short(strcol(3))) \
      with linespoints ls style(i) title columnheader(1), \
      mpi4py using 1:2 with linespoints ls 24 title columnheader(1)
  } else {
    plot for [i = 0:blocks - 1] name index i using 1:2:xtic(short(strcol(3))) \
      with linespoints ls style(i) title columnheader(1)
  }
}
unset multiplot
