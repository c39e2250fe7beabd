# SPDX-License-Identifier: BSD-3-Clause
# The picture of methods.sh: methods.txt has lines "method unknowns seconds".
set terminal pngcairo size 900,600 font 'DejaVu Sans,12' background '#ffffff'
set output 'methods.png'
set tics out nomirror scale 0.6
set border 3 lw 1.2 lc rgb '#444444'
set logscale xy
set format '10^{%T}'
set xlabel 'unknowns N'
set ylabel 'seconds'
set title "Poisson's equation on a square, residual 1e-6 (FFT: exact)" font ',14'
set key left top
array name[4] = ['Jacobi', 'SOR', 'CG', 'FFT']
array growth[4] = ['N^2', 'N^{3/2}', 'N^{3/2}', 'N log N']
array color[4] = ['#b02020', '#d08020', '#31688e', '#208040']
plot for [i = 1:4] sprintf("< grep '^%s ' methods.txt", name[i]) using 2:3 \
    with linespoints pt 7 lw 2 lc rgb color[i] title name[i].'  '.growth[i]
