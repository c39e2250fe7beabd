# SPDX-License-Identifier: BSD-3-Clause
# A slice of the head, the components of it that are kept, the slice that they make, and the difference.
# Called by compress.sh with
#   gnuplot -e "folder='F'; picture='P.png'; share='10%'; nx=181; ny=217; z=90" compress.gp
# F/slice.raw: ny x nx bytes; F/again.raw: as many floats; F/both.txt: both; F/indices.raw: uint32.
set terminal pngcairo size 2000,2180 font 'DejaVu Sans,12' fontscale 2 linewidth 2 pointscale 2 background '#ffffff'
set output picture
set multiplot layout 2,2 margins 0.075,0.9,0.06,0.955 spacing 0.15,0.115
unset key
set size ratio -1
set tics out nomirror scale 0.6
set border lw 1.2 lc rgb '#444444'
set palette gray

set title sprintf('Colin27 T1 MRI, z = %d mm, grey levels', z) font ',14'
set xlabel 'x (mm)'
set ylabel 'y (mm)' offset 1,0
set xrange [-0.5:nx - 0.5]
set yrange [-0.5:ny - 0.5]
set cbrange [0:255]
plot folder.'/slice.raw' binary array=(nx,ny) format='%uint8' using 1 with image

# Components k and, of the same size, -k.
set title 'Its largest components, '.share font ',14'
set xlabel 'k_x (waves across)'
set ylabel 'k_y (waves down)' offset 1.5,0
wrapped(k, n) = 2 * k > n ? k - n : k
kx(i) = wrapped(int(i) % nx, nx)
ky(i) = wrapped(int(i) / nx, ny)
set xrange [-nx / 2:nx / 2]
set yrange [-ny / 2:ny / 2]
plot for [s = -1:1:2] folder.'/indices.raw' binary format='%uint32' using (s * kx($1)):(s * ky($1)) \
  with points pt 5 ps 0.2 lc rgb '#31688e'

set title 'The slice made of them' font ',14'
set xlabel 'x (mm)'
set ylabel 'y (mm)'
set xrange [-0.5:nx - 0.5]
set yrange [-0.5:ny - 0.5]
plot folder.'/again.raw' binary array=(nx,ny) format='%float32' using 1 with image

set title 'Difference, grey levels' font ',14'
unset ylabel
set palette defined (-2 '#053061', -1 '#4393c3', 0 '#ffffff', 1 '#d6604d', 2 '#67001f')
set cbrange [-40:40]
plot folder.'/both.txt' using (int($0) % nx):(int($0) / nx):($2 - $1) with image
unset multiplot
