# SPDX-License-Identifier: BSD-3-Clause
# The picture of vortex.sh: vortex.csv, with the published peak.  gnuplot -e "grid='128'" vortex.gp
set terminal pngcairo size 900,560 font 'DejaVu Sans,12' background '#ffffff'
set output 'vortex.png'
set datafile separator ','
set tics out nomirror scale 0.6
set border 3 lw 1.2 lc rgb '#444444'
set xlabel 'time'
set ylabel 'dissipation'
set format y '%.3f'
set yrange [0:0.015]
set title 'Taylor-Green vortex, Re 1600' font ',14'
set key left top
plot 'vortex.csv' using 1:3 every ::1 with lines lw 2 lc rgb '#31688e' title grid.'^3', \
    '-' using 1:2 with points pt 2 ps 2 lw 2 lc rgb '#b02020' title 'peak of 512^3, van Rees et al. 2011'
8.97, 1.28575e-2
e
