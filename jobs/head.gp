# SPDX-License-Identifier: BSD-3-Clause
# The picture of head.sh: four slices in `folder`, 217 x 181 numbers, bytes in `head` and else floats.
set terminal pngcairo size 1240,420 font 'DejaVu Sans,11' background '#ffffff'
set output 'head_filtered.png'
array name[4] = ['head', 'gaussian', 'highpass', 'derivative']
array title[4] = ['slice of the head', 'gaussian, sigma 3 mm', 'highpass, 0.05 per mm', 'derivative along x']
array form[4] = ['%uint8', '%float32', '%float32', '%float32']
array low[4] = [0, 0, -60, -30]
array high[4] = [200, 200, 60, 30]
set multiplot layout 1,4 margins 0.01,0.99,0.03,0.9 spacing 0.01
unset key
unset tics
unset colorbox
set size ratio -1
set autoscale noextend
set palette gray
do for [i = 1:4] {
  set title title[i]
  set cbrange [low[i]:high[i]]
  plot folder.'/'.name[i] binary array=(181,217) format=form[i] using 1 with image
}
unset multiplot
