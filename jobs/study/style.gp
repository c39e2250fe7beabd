# SPDX-License-Identifier: BSD-3-Clause
# What all plots of a study share.  A plot NAME.gp sets name, wide and high (inches) and loads this.
# format is png, svg or pdf:   gnuplot -e "format='pdf'" NAME.gp
reset
if (!exists('format')) { format = 'png' }

# 8 points where the plot is as wide as it says: 3.4 inches are one column of a paper, 7 are two.
big = format eq 'svg' ? 0.75 : 1 # its points are larger, and this terminal cannot scale them
if (format eq 'png') {
  dots = 300
  scale = dots / 72.
  text = dots / 96. # pango takes a point for 4/3 dots
  set terminal pngcairo size wide * dots, high * dots font 'Helvetica,8' \
    fontscale text linewidth scale pointscale scale * 0.6 background '#ffffff'
}
if (format eq 'svg') {
  scale = 96 / 72.
  set terminal svg size wide * 96, high * 96 font 'Helvetica,8' \
    fontscale scale linewidth scale background '#ffffff'
}
if (format eq 'pdf') {
  set terminal pdfcairo size wide, high font 'Helvetica,8' fontscale 0.75 linewidth 2 \
    pointscale 0.55
}
set output name.'.'.format

# Okabe and Ito's colours, which people with any colour vision can tell apart (but their yellow,
# which is too pale on white), with different points and dashes.
array colour[8] = ['#0072B2', '#D55E00', '#009E73', '#CC79A7', '#E69F00', '#56B4E9', '#7F5F00', '#000000']
array shape[8] = [7, 5, 9, 13, 11, 15, 4, 6]
do for [i = 0:31] {
  set style line i + 1 lc rgb colour[i % 8 + 1] pt shape[(i + i / 8) % 8 + 1] ps big lw 1
}
set style line 41 lc rgb '#666666' lw 0.8 dt (8,5)       # ideal
set style line 42 lc rgb '#666666' lw 0.8 dt (2,4)       # ideal, another one
set style line 50 lc rgb '#999999' lw 0.8 pt 6 ps 2.1 * big # around points with more ranks than cores

set border 3 lw 0.6 lc rgb '#333333'
set tics nomirror out scale 0.6
set grid xtics ytics lc rgb '#e4e4e4' lt 1 lw 0.4
set title offset 0,-0.4
set errorbars small
set style fill solid 1 border rgb '#333333'
