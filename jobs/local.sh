#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The main job on this machine:  sh jobs/local.sh   (from anywhere)
# Installs missing Debian packages, builds into build/, then on 4 ranks transforms an MRI volume of
# a head forward and back, shows that the head returned, and draws a slice and its spectrum.
# RANKS, OUT (out/) and BUILD (build/) are read from the environment.
set -eu
cd "$(dirname "$0")/.."
RANKS=${RANKS:-4}
OUT=${OUT:-out}
BUILD=${BUILD:-build}
head=data/colin27.h5
nx=181 ny=217 z=90

step() { printf '\n== %s\n' "$*"; }

step 'What is needed'
sh jobs/packages.sh build plot
echo 'all there'
step "Building in $BUILD/"
mkdir -p "$BUILD" "$OUT"
sh jobs/build.sh >"$BUILD/build.log" 2>&1 || {
  tail -n 40 "$BUILD/build.log"
  echo "jobs/local.sh: the build failed, see $BUILD/build.log" >&2
  exit 1
}
sed -n '/^pfft3d [0-9]/,/^$/p' "$BUILD/build.log"

mpirun=$(sed -n 's/^MPIRUN = //p' "$BUILD/Makefile")
# Fewer cores than ranks is no obstacle here.
options=$(sh jobs/launcher.sh options "$mpirun" many quiet)
# shellcheck disable=SC2086  # options are words
pfft3d() {
  echo "\$ mpirun -n $RANKS pfft3d $*"
  "$mpirun" $options -n "$RANKS" "$BUILD/pfft3d" "$@"
}

step 'Forward: the head, which is real, to half its spectrum'
pfft3d transform --input $head --output "$OUT/colin27_spectrum.h5" --force
step 'Backward: the spectrum to a head again'
pfft3d transform --direction backward --input "$OUT/colin27_spectrum.h5" \
  --output "$OUT/colin27_back.h5" --force

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' HUP INT TERM
dump() { # dump FILE RAW [OPTIONS]: the bare numbers of its dataset, for the tools below
  file=$1 bare=$2
  shift 2
  h5dump -d /intensity "$@" -b NATIVE -o "$bare" "$file" >/dev/null
}

step 'Did the head return?'
dump $head "$work/head.raw"
dump "$OUT/colin27_back.h5" "$work/back.raw"
cc -O2 jobs/max_error.c -o "$work/max_error" -lm
"$work/max_error" "$work/head.raw" "$work/back.raw"

step "One slice, z = $z mm, and its own transform"
dump $head "$work/slice.raw" -s "$z,0,0" -c "1,$ny,$nx"
cat >"$work/import" <<END
PATH /intensity
INPUT-CLASS UIN
INPUT-SIZE 8
RANK 3
DIMENSION-SIZES 1 $ny $nx
OUTPUT-CLASS UIN
OUTPUT-SIZE 8
END
rm -f "$OUT/slice.h5" # h5import adds to a file that is there
h5import "$work/slice.raw" -c "$work/import" -o "$OUT/slice.h5"
pfft3d transform --type c2c --input "$OUT/slice.h5" --output "$OUT/slice_spectrum.h5" --force --quiet
dump "$OUT/slice_spectrum.h5" "$work/spectrum.raw"
gnuplot -e "slice='$work/slice.raw'; spectrum='$work/spectrum.raw'; picture='$OUT/colin27.png'; \
nx=$nx; ny=$ny; z=$z" jobs/plot_slice.gp

step 'Results'
ls -l "$OUT"
echo "the picture: $OUT/colin27.png"
