# SPDX-License-Identifier: BSD-3-Clause
# The potential of channel.sh: colours, with lines of equal potential.
set terminal pngcairo size 2400,800 font 'DejaVu Sans,12' fontscale 2 linewidth 2 pointscale 2 background '#ffffff'
set output 'channel.png'
set view map
unset key
set tics out nomirror scale 0.6
set xrange [0:3.98]
set yrange [0:1]
set xlabel 'x (periodic)'
set ylabel 'z (cells are thin at the walls)'
set title 'Two charges over a floor that is 0, but 2 at an electrode; no field through the ceiling' font ',13'
set cblabel 'potential' offset 2
set size ratio -1
set palette defined (-1 '#2166ac', -0.5 '#92c5de', 0 '#f7f7f7', 0.5 '#f4a582', 1 '#b2182b')
set cbrange [-4:4]
set pm3d map interpolate 2,2
set contour base
set cntrparam levels incremental -3,0.25,3
set cntrlabel onecolor
splot 'channel.dat' using 1:2:3 with pm3d, 'channel.dat' using 1:2:3 with lines lc rgb '#555555' lw 0.6 nosurface
