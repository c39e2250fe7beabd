# SPDX-License-Identifier: BSD-3-Clause
# The picture of head.sh: four slices in `folder`, 217 x 181 numbers, bytes in `head` and else floats.
set terminal pngcairo size 2480,980 font 'DejaVu Sans,11' fontscale 2 linewidth 2 pointscale 2 background '#ffffff'
set output 'head_filtered.png'
array name[4] = ['head', 'gaussian', 'highpass', 'derivative']
array title[4] = ['Axial slice', 'Gaussian, sigma 3 mm', 'Highpass, 0.05 per mm', 'Derivative along x']
array label[4] = ['grey levels', 'grey levels', 'grey levels', 'grey levels per mm']
array form[4] = ['%uint8', '%float32', '%float32', '%float32']
array low[4] = [0, 0, -60, -30]
array high[4] = [200, 200, 60, 30]
set multiplot layout 1,4 margins 0.05,0.985,0.3,0.92 spacing 0.035
unset key
set tics out nomirror scale 0.5
set xtics 0,50
set ytics 0,50
set xlabel 'x (mm)' offset 0,0.3
set colorbox horizontal user
set border lw 1.2 lc rgb '#444444'
set size ratio -1
set autoscale noextend
set palette gray
do for [i = 1:4] {
  set title title[i]
  set cbrange [low[i]:high[i]]
  x0 = 0.05 + (i - 1) * 0.2425
  set colorbox horizontal user origin screen x0,0.14 size screen 0.2075,0.025
  set cblabel label[i]
  step = (high[i] - low[i]) / 4.
  set cbtics step
  set ylabel (i == 1 ? 'y (mm)' : '') offset 2,0
  plot folder.'/'.name[i] binary array=(181,217) format=form[i] using 1 with image
}
unset multiplot
