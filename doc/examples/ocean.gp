# SPDX-License-Identifier: BSD-3-Clause
# Pictures of the sea.  Called by ocean.sh with  gnuplot -e "n=256; frames=48; spectrum='jonswap'" ocean.gp
# heights.raw: frames x n x n doubles, in metres, of 400 m x 400 m.
step = 400. / n
unset key
set palette defined (-2 '#08263f', -1 '#0d4a70', 0 '#1f7a99', 1 '#6fb7c4', 2 '#f2fbfb')

# One frame as a surface in the light, a quarter of its area.
set terminal pngcairo size 2200,860 font 'DejaVu Sans,12' fontscale 2 linewidth 2 pointscale 2 background '#ffffff'
set output 'ocean.png'
set view equal xyz
set view 66,22,2.6
set xyplane at -16
set lmargin 0
set rmargin 0
set tmargin 0
set bmargin 0
exaggeration = 7
set cbrange [-1.6 * exaggeration:1.6 * exaggeration]
set pm3d depthorder interpolate 2,2 lighting primary 0.6 specular 0.25
set border 1 + 4 lc rgb '#444444'
unset ztics
set xtics 0,50 offset 0,-0.4
set ytics 0,50 offset 0.6,0
set format xy '%g m'
unset colorbox
sea = spectrum eq 'jonswap' ? '80 km from the coast in a wind of 12 m/s (JONSWAP)' : 'in a wind of 12 m/s ('.spectrum.')'
set label 1 '200 m x 200 m of a sea '.sea.', heights times '.exaggeration font ',14' at screen 0.5,0.95 center
m = n / 2
splot 'heights.raw' binary array=(n,n) dx=step dy=step format='%float64' every 1:1:0:0:m:m using (exaggeration * $1) with pm3d

# All frames from above; what faces the light is bright.
set output
reset
unset key
unset tics
unset colorbox
set terminal gif animate delay 12 loop 0 size 420,420 background '#0d4a70'
set output 'ocean.gif'
set margins 0,0,0,0
set border 0
set size ratio -1
set palette defined (-2 '#08263f', -1 '#0d4a70', 0 '#1f7a99', 1 '#6fb7c4', 2 '#f2fbfb')
set cbrange [-1.6:1.6]
set xrange [0:n - 1]
set yrange [0:n - 1]
do for [f = 0:frames - 1] {
  plot 'heights.raw' binary array=(n,n) skip=8*n*n*f format='%float64' using 1 with image
}
