# SPDX-License-Identifier: BSD-3-Clause
# The picture of vortex.sh: tables and the published peak.
# gnuplot -e "curves='a/vortex.csv b/vortex.csv'; names='64^3 128^3'" vortex.gp
set terminal pngcairo size 1800,1120 font 'DejaVu Sans,12' fontscale 2 linewidth 2 pointscale 2 background '#ffffff'
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
colours = '#31688e #35b779 #e08214 #7b3294'
colour(i) = word(colours, words(curves) == 1 ? 1 : (i - 1) % 4 + 1)
plot for [i = 1:words(curves)] word(curves, i) using 1:3 every ::1 with lines lw 2 lc rgb colour(i) \
      title word(names, i), \
    '-' using 1:2 with points pt 2 ps 2 lw 2 lc rgb '#b02020' title 'peak of 512^3, van Rees et al. 2011'
8.97, 1.28575e-2
e
