# SPDX-License-Identifier: BSD-3-Clause
# The picture of methods.sh: methods.txt has lines "method unknowns seconds".
set terminal pngcairo size 1800,1200 font 'DejaVu Sans,12' fontscale 2 linewidth 2 pointscale 2 background '#ffffff'
set output 'methods.png'
set tics out nomirror scale 0.6
set border 3 lw 1.2 lc rgb '#444444'
set logscale xy
set format '10^{%T}'
set xlabel 'unknowns N'
set ylabel 'seconds'
set title "Poisson's equation on a square, residual 1e-6 (FFT: exact)" font ',14'
set key left top
array name[5] = ['Jacobi', 'SOR', 'CG', 'multigrid', 'FFT']
array growth[5] = ['N^2', 'N^{3/2}', 'N^{3/2}', 'N', 'N log N']
array color[5] = ['#b02020', '#d08020', '#31688e', '#7b3294', '#208040']
measured(i) = system("grep -c '^".name[i]." ' methods.txt || :") > 0
plot for [i = 1:5] measured(i) ? sprintf("< grep '^%s ' methods.txt", name[i]) : '< echo NaN NaN NaN' using 2:3 \
    with linespoints pt 7 lw 2 lc rgb color[i] title measured(i) ? name[i].'  '.growth[i] : ''
