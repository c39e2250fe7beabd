#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Makes the pictures of the site, all of them or those that are named, in a quarter of an hour:
#
#     sh jobs/gallery.sh [NAME ...]
#
# in OUT (gallery/), with what else they leave in OUT/NAME; UPDATE=yes also replaces those in doc/.  BUILD
# is the build (build/, made if there is none), RANKS the number of ranks (2), MPIRUN mpirun and its
# options.  Needs gnuplot and h5dump; what is missing is said, and the other pictures are made.
set -eu
cd "$(dirname "$0")/.."
top=$(pwd)

# A new picture is a line here, its name, its path in doc/ (- : none), and a function draw_NAME, which
# runs in a separate folder and leaves the file there under the last part of that path or NAME.png.
list='
head      doc/colin27.png
signal    doc/examples/signal.png
filters   doc/head_filtered.png
compress  doc/compress.png
particles doc/particles.png
spectrum  doc/energy_spectrum.png
vorticity doc/vorticity.png
vortex    doc/dissipation.png
ocean     doc/examples/ocean.png
channel   doc/channel.png
methods   -
'
draw_head() { # which configures and builds, not with our mpirun
  unset MPIRUN PYTHON
  OUT=$OUT/head sh "$top/jobs/local.sh"
}
draw_signal() { sh "$top/doc/examples/signal.sh"; }
draw_filters() { PFFT3D="$MPIRUN -n $RANKS $PFFT3D" sh "$top/jobs/head.sh"; }
# Both are of the same runs, which take some ten minutes on two free cores.
run_vortex() {
  (mkdir -p ../taylor-green && cd ../taylor-green &&
    PFFT3D="$MPIRUN -n $RANKS $PFFT3D" GRIDS='64 128 256' TIME=10 PRECISION=single sh "$top/jobs/vortex.sh")
}
draw_vorticity() { run_vortex && cp ../taylor-green/vorticity.png .; }
draw_vortex() { run_vortex && cp ../taylor-green/vortex.png dissipation.png; }
draw_spectrum() {
  $MPIRUN -n "$RANKS" "$PFFT3D" turbulence --grid 64 --case decay --nu 0.004 --time 1 --output hit.h5
  $MPIRUN -n "$RANKS" "$PFFT3D" spectrum -i hit.h5:/u,v,w --length 6.283185307 --png energy_spectrum.png
}
draw_compress() { sh "$top/jobs/compress.sh"; }
draw_particles() { PFFT3D="$MPIRUN -n $RANKS $PFFT3D" sh "$top/jobs/particles.sh"; }
draw_ocean() { sh "$top/doc/examples/ocean.sh"; }
draw_channel() { sh "$top/jobs/channel.sh"; }
draw_methods() { GRIDS=31x31,63x63,127x127,255x255 sh "$top/jobs/methods.sh"; }

OUT=${OUT:-gallery}
BUILD=${BUILD:-build}
RANKS=${RANKS:-2}
if ! test -x "$BUILD/pfft3d"; then sh jobs/build.sh; fi
make -s -C "$BUILD" doc/examples/filter doc/examples/make_signal doc/examples/ocean
mkdir -p "$OUT"
OUT=$(cd "$OUT" && pwd) BUILD=$(cd "$BUILD" && pwd)
if test -z "${MPIRUN-}"; then
  MPIRUN=$(sed -n 's/^MPIRUN = //p' "$BUILD/Makefile")
  MPIRUN="$MPIRUN $(sh jobs/launcher.sh options "$MPIRUN" many quiet)"
fi
PFFT3D=$BUILD/pfft3d EXAMPLES=$BUILD/doc/examples
export MPIRUN PFFT3D EXAMPLES BUILD RANKS
names=$(echo "$list" | awk 'NF {print $1}')
bad=0
for name in "$@"; do
  if ! echo "$names" | grep -qx -e "$name"; then
    echo "jobs/gallery.sh: no picture '$name'; there are:" $names >&2
    exit 64
  fi
done
if test $# = 0; then set -- $names; fi
for name in "$@"; do
  place=$(echo "$list" | awk -v name="$name" '$1 == name {print $2}')
  file=$(basename "$place")
  if test "$place" = -; then file=$name.png; fi
  start=$(date +%s)
  rm -rf "${OUT:?}/$name"
  mkdir "$OUT/$name"
  if (cd "$OUT/$name" && "draw_$name") >"$OUT/$name/log" 2>&1 && test -s "$OUT/$name/$file"; then
    cp "$OUT/$name/$file" "$OUT/$file"
    if test "${UPDATE-}" = yes && test "$place" != -; then cp "$OUT/$file" "$top/$place"; fi
    echo "$name: $OUT/$file, $(($(date +%s) - start)) s"
  else
    echo "$name: failed, see $OUT/$name/log: $(tail -n 1 "$OUT/$name/log")" >&2
    bad=1
  fi
done
exit $bad
