# SPDX-License-Identifier: BSD-3-Clause
# The picture of particles.sh, from the tables in `folder`.
set terminal pngcairo size 2480,940 fontscale 2 linewidth 2 font 'DejaVu Sans,11' background '#ffffff'
set output 'particles.png'
set datafile separator ','
set multiplot layout 1,2 margins 0.07,0.99,0.12,0.92 spacing 0.08
set grid lc rgb '#dddddd'
beta = 0.5
file(name) = folder.'/'.name.'.csv'
set logscale
set xlabel 'wavenumber k (1 / side of the box)'
set ylabel 'power (volume of the box)'
set format y '10^{%L}'
set title 'multipoles of particles in redshift space'
set xrange [6:420]
set yrange [2e-7:3e-4]
set key top right
plot file('fine') using 1:2:4 with yerrorbars pt 7 ps 0.4 lc rgb '#1f4e79' title 'monopole', \
  file('fine') using 1:5:6 with yerrorbars pt 5 ps 0.4 lc rgb '#b5482a' title 'quadrupole', \
  folder.'/linear.txt' using (column(1)):(column(2)*(1 + 2*beta/3 + beta**2/5)) with lines lc rgb '#1f4e79' title 'monopole, linear theory', \
  '' using (column(1)):(column(2)*(4*beta/3 + 4*beta**2/7)) with lines lc rgb '#b5482a' title 'quadrupole, linear theory'
unset logscale y
set format y '%g'
unset logscale x
unset ylabel
set title 'power on 64^3 over power on a fine grid'
set xlabel 'wavenumber k / Nyquist wavenumber'
set xrange [0:0.98]
set yrange [0.98:1.1]
set key top left
nyquist = 64*pi
ratio(name) = "<paste -d, ".file(name)." ".file('fine')
array colour[4] = ['#7a7a7a', '#b5482a', '#2e7d32', '#1f4e79']
array scheme[4] = ['ngp', 'cic', 'tsc', 'pcs']
plot for [i = 1:4] ratio(scheme[i]) using ($1/nyquist):(column(2)/column(6)) with lines lw 1.5 dt 2 lc rgb colour[i] title scheme[i], \
  for [i = 1:4] ratio(scheme[i].'_two') using ($1/nyquist):(column(2)/column(6)) with lines lw 2 lc rgb colour[i] title scheme[i].', interlaced'
unset multiplot
