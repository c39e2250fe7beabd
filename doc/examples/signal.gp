# SPDX-License-Identifier: BSD-3-Clause
# The picture of signal.md.  Called by signal.sh with
#   gnuplot -e "points=1000000; every=1000; drawn=1000; shown=21" signal.gp
# noisy.raw, filtered.raw: `drawn` doubles, those of every so many points; spectrum.raw: the first
# `shown` components as pairs of doubles (re, im).

set terminal pngcairo size 2800,1120 font 'DejaVu Sans,12' fontscale 2 linewidth 2 pointscale 2 background '#ffffff'
set output 'signal.png'
set multiplot layout 1,2 margins 0.06,0.985,0.12,0.9 spacing 0.075,0
set tics out nomirror scale 0.6
set border 3 lw 1.2 lc rgb '#444444'

# Left: amplitudes.  |F_k| = a N/2 for a sin kt; a N for the mean and for k = N/2.
amplitude(k, re, im) = (k == 0 || 2 * k == points ? 1 : 2) * sqrt(re**2 + im**2) / points
set title 'Amplitudes of the noisy signal' font ',14'
set xlabel 'component k (oscillations in the interval)'
set ylabel 'amplitude'
set logscale y
set format y '10^{%T}'
set xrange [-0.5:shown - 0.5]
set yrange [1e-5:3]
set xtics 0,5
set key at graph 0.98,0.96 right top
threshold = 0.1
plot 'spectrum.raw' binary record=(shown) format='%float64%float64' \
    using 0:(amplitude($0, $1, $2)) with points pt 7 ps 1.1 lc rgb '#31688e' title 'components', \
  threshold with lines dt 2 lw 2 lc rgb '#b02020' title 'smaller ones are dropped'

# Right: before and after.
at(i) = 2 * pi * i * every / points
set title sprintf('The signal, %d of %d points', drawn, points) font ',14'
set xlabel 't'
set ylabel 'x(t)'
unset logscale y
set format y '%g'
set xrange [0:2 * pi]
set yrange [-5:6]
set xtics ('0' 0, 'π/2' pi / 2, 'π' pi, '3π/2' 3 * pi / 2, '2π' 2 * pi)
set key at graph 1,1.01 right top horizontal
plot 'noisy.raw' binary record=(drawn) format='%float64' \
    using (at($0)):1 with points pt 7 ps 0.35 lc rgb '#b0b8c0' title 'with noise', \
  'filtered.raw' binary record=(drawn) format='%float64' \
    using (at($0)):1 with lines lw 3 lc rgb '#b02020' title 'filtered', \
  sin(7 * x) + 0.5 * sin(5 * x) with lines dt 3 lw 1.5 lc rgb '#000000' title 'sin 7t + ½ sin 5t'
unset multiplot
