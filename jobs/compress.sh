#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Compression by the largest components, as in Demmel's lecture on the FFT: a share of them (10 %) of
# the MRI volume in data/ and of one slice of it, what is lost, and what JPEG needs for the same
# quality.  Components are stored in single precision.  Leaves a picture of the slice, compress.png, in the current directory.
#
#     PFFT3D=the program (pfft3d)   RANKS=ranks (2)   SHARE=share (10%)   MPIRUN=mpirun and its options
#     PYTHON=python3 with Pillow, for JPEG; without it there is none of that
#
# Needs h5dump, h5import and gnuplot (Debian: hdf5-tools, gnuplot-nox).
set -eu
here=$(cd "$(dirname "$0")" && pwd)
PFFT3D=${PFFT3D:-pfft3d}
MPIRUN=${MPIRUN:-mpirun}
RANKS=${RANKS:-2}
SHARE=${SHARE:-10%}
PYTHON=${PYTHON:-python3}
head=$here/../data/colin27.h5
nx=181 ny=217 nz=181 z=90

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' HUP INT TERM
pfft3d() {
  # shellcheck disable=SC2086  # a command with options
  $MPIRUN -n "$RANKS" "$PFFT3D" "$@" --precision single
}
dump() { # dump FILE:PATH RAW [OPTIONS]: the bare numbers of a dataset
  name=$1 bare=$2
  shift 2
  h5dump -d "${name#*:}" "$@" -b NATIVE -o "$bare" "${name%%:*}" >"$work/dump.log"
}
jpeg() { # jpeg WIDTH HEIGHT IMAGES RAW REPORT: the smallest files of the same PSNR
  if "$PYTHON" -c 'import PIL' 2>/dev/null; then
    "$PYTHON" "$here/compress_jpeg.py" "$@"
  else
    echo 'JPEG: not compared, no Python with Pillow'
  fi
}

echo "== the volume, $nx x $ny x $nz"
pfft3d compress -i "$head" -o "$work/volume.h5" --share "$SHARE" --json "$work/volume.json"
dump "$head:/intensity" "$work/volume.raw"
jpeg $nx $ny $nz "$work/volume.raw" "$work/volume.json"

echo "== its slice z = $z mm, $nx x $ny"
dump "$head:/intensity" "$work/slice.raw" -s "$z,0,0" -c "1,$ny,$nx"
cat >"$work/import" <<END
PATH /intensity
INPUT-CLASS UIN
INPUT-SIZE 8
RANK 2
DIMENSION-SIZES $ny $nx
OUTPUT-CLASS UIN
OUTPUT-SIZE 8
END
h5import "$work/slice.raw" -c "$work/import" -o "$work/slice.h5"
pfft3d compress -i "$work/slice.h5" -o "$work/kept.h5" --share "$SHARE" --json "$work/slice.json"
pfft3d compress --expand -i "$work/kept.h5" -o "$work/again.h5" --quiet
jpeg $nx $ny 1 "$work/slice.raw" "$work/slice.json"

dump "$work/kept.h5:/indices" "$work/indices.raw"
dump "$work/again.h5:/intensity" "$work/again.raw"
od -An -v -t u1 -w1 "$work/slice.raw" >"$work/slice.txt"
od -An -v -t f4 -w4 "$work/again.raw" | paste -d ' ' "$work/slice.txt" - >"$work/both.txt"
gnuplot -e "folder='$work'; picture='compress.png'; share='$SHARE'; nx=$nx; ny=$ny; z=$z" \
  "$here/compress.gp"
echo 'the picture: compress.png'
