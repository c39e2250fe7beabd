#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The main job on this machine:  sh jobs/local.sh   (from anywhere)
# Installs missing Debian packages, builds into build/, then on 2 ranks transforms an MRI volume of
# a head forward and back, shows that the head returned, and draws a slice and its spectrum.
# RANKS, OUT (out/) and BUILD (build/) are read from the environment.  Commands are printed as they
# are run: they can be typed again in the top of the source tree.
set -eu
cd "$(dirname "$0")/.."
RANKS=${RANKS:-2}
OUT=${OUT:-out}
BUILD=${BUILD:-build}
head=data/colin27.h5
nx=181 ny=217 z=90

step() { printf '\n== %s\n' "$*"; }

# compiled: files so far, by the lines that make prints of them
compiled() { grep -cE '^  (CC|CXX|FC|PPFC|CCLD|CXXLD|FCLD|GEN) ' "$BUILD/build.log" || :; }
# to_compile: files that make has to make, once there is a Makefile; it only tells
to_compile() { make -n -C "$BUILD" 2>/dev/null | grep -cE '(^|; *)echo "  (CC|CXX|FC|PPFC|CCLD|CXXLD|FCLD|GEN) ' || :; }

# progress PROCESS: while it builds, one line that counts files, or in a log one for each quarter
progress() {
  began=$(date +%s) all=0 quarter=1
  while kill -0 "$1" 2>/dev/null; do
    sleep 1
    made=$(compiled)
    if test "$made" -gt 0 && test "$all" = 0; then all=$(($(to_compile) + made)); fi
    if test "$all" -lt "$made"; then all=$made; fi
    seconds=$(($(date +%s) - began))
    if test "$all" = 0; then
      words="configuring, $seconds s"
    else
      words="$made of $all files, $seconds s"
    fi
    if test -t 1; then
      printf '\r%-40s' "$words"
    elif test "$all" -gt 0 && test $((4 * made)) -ge $((quarter * all)); then
      echo "$words"
      quarter=$((4 * made / all + 1))
    fi
  done
  if test -t 1; then printf '\r%-40s\r' ''; fi
}

cores=$(nproc 2>/dev/null || echo 2)
if ! test -x "$BUILD/pfft3d"; then
  echo "The build takes about $((9 / cores + 1)) minutes on $cores cores, all the rest less than one."
fi
step 'What is needed'
sh jobs/packages.sh build plot
echo 'all there'
step "Building in $BUILD/: sh jobs/build.sh, whose words are in $BUILD/build.log"
mkdir -p "$BUILD" "$OUT"
sh jobs/build.sh >"$BUILD/build.log" 2>&1 &
build=$!
trap 'kill $build 2>/dev/null; exit 130' HUP INT TERM
progress $build
wait $build || {
  tail -n 40 "$BUILD/build.log"
  echo "jobs/local.sh: the build failed, see $BUILD/build.log" >&2
  exit 1
}
trap - HUP INT TERM
sed -n '/^pfft3d [0-9]/,/^$/p' "$BUILD/build.log"

mpirun=$(sed -n 's/^MPIRUN = //p' "$BUILD/Makefile")
# Fewer cores than ranks is no obstacle here.
options=$(sh jobs/launcher.sh options "$mpirun" many quiet)
run() {
  echo "\$ $*"
  "$@"
}
# shellcheck disable=SC2086  # options are words
pfft3d() { run "$mpirun" $options -n "$RANKS" "$BUILD/pfft3d" "$@"; }

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
