# SPDX-License-Identifier: BSD-3-Clause
# One slice of the head beside its log power spectrum.  Called by jobs/local.sh with
#   gnuplot -e "slice='S.raw'; spectrum='F.raw'; picture='P.png'; nx=181; ny=217; z=90" plot_slice.gp
# slice: ny x nx bytes, 1 mm apart; spectrum: their transform, ny x nx pairs of doubles (re, im).

power(re, im) = log10(re**2 + im**2 + 1e-30)
stats spectrum binary record=(nx*ny) format='%float64%float64' using (power($1, $2)) nooutput

set terminal pngcairo size 2800,1360 font 'DejaVu Sans,12' fontscale 2 linewidth 2 pointscale 2 background '#ffffff'
set output picture
set multiplot
unset key
set size ratio -1
set tics out nomirror scale 0.6
set border lw 1.2 lc rgb '#444444'
set bmargin at screen 0.12
set tmargin at screen 0.89

# Left: the head, in millimetres from the corner of the volume.
set lmargin at screen 0.058
set rmargin at screen 0.37
set title sprintf('Colin27 T1 MRI, axial slice z = %d mm', z) font ',14'
set xlabel 'x (mm)'
set ylabel 'y (mm)'
set xrange [-0.5:nx - 0.5]
set yrange [-0.5:ny - 0.5]
set xtics 0,50
set ytics 0,50
set ylabel offset 1,0
set cblabel offset 0.5,0
set cblabel 'intensity (grey levels)'
set palette gray
set colorbox user origin screen 0.379,0.12 size screen 0.013,0.77
set cbtics 0,50
set cbrange [0:255]
plot slice binary array=(nx,ny) format='%uint8' using 1 with image

# Right: its power spectrum.  The transform is periodic: four copies, each moved by a period or
# not, put frequency 0 into the middle; the ranges cut out one period.  Viridis: equal steps look
# equal, for colour-blind readers and in grey print too.
set lmargin at screen 0.535
set rmargin at screen 0.909
set title sprintf('Its power spectrum, %d x %d points', nx, ny) font ',14'
set xlabel 'frequency along x (cycles/mm)'
set ylabel 'frequency along y (cycles/mm)'
set xrange [-0.5:0.5]
set yrange [-0.5:0.5]
set xtics -0.5,0.25
set ytics -0.5,0.25
set format x '%.2f'
set format y '%.2f'
set cblabel 'log_{10} |F|^2  (grey levels squared)'
set palette defined (0 '#440154', 1 '#482878', 2 '#3e4a89', 3 '#31688e', 4 '#26838f', \
  5 '#1f9d8a', 6 '#6cce5a', 7 '#b6de2b', 8 '#fee825')
set colorbox user origin screen 0.918,0.12 size screen 0.013,0.77
# A few points of rounding noise near 0 would take all colours: start where the quartile is near.
set cbrange [floor(STATS_lo_quartile - 1):ceil(STATS_max)]
set cbtics 2
plot for [i = 0:1] for [j = 0:1] spectrum binary array=(nx,ny) dx=1./nx dy=1./ny \
  origin=(0. - i, 0. - j) format='%float64%float64' using (power($1, $2)) with image
unset multiplot
