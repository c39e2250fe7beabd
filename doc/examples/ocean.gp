# SPDX-License-Identifier: BSD-3-Clause
# Pictures of the sea.  Called by ocean.sh with  gnuplot -e "n=256; frames=48; spectrum='jonswap'" ocean.gp
# heights.raw: frames x n x n doubles, in metres, of 400 m x 400 m.
step = 400. / n
unset key
set palette defined (-2 '#08263f', -1 '#0d4a70', 0 '#1f7a99', 1 '#6fb7c4', 2 '#f2fbfb')

# One frame as a surface in the light, a quarter of its area.
set terminal pngcairo size 1100,460 font 'DejaVu Sans,12' background '#ffffff'
set output 'ocean.png'
set view 60,25,1.22,1.5
set xyplane at -4
set zrange [-4:9]
set cbrange [-1.6:1.6]
set pm3d depthorder lighting primary 0.6 specular 0.25
unset tics
unset border
unset colorbox
sea = spectrum eq 'jonswap' ? '80 km from the coast in a wind of 12 m/s (JONSWAP)' : 'in a wind of 12 m/s ('.spectrum.')'
set title '200 m x 200 m of a sea '.sea.', heights exaggerated' font ',14' offset 0,-2
m = n / 2
splot 'heights.raw' binary array=(n,n) dx=step dy=step format='%float64' every 1:1:0:0:m:m using 1 with pm3d

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
