#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The tables and plots of the sources of `pfft3d kernels`, on this machine: time over sizes and threads,
# strong and weak scaling, Amdahl's share, the phases of FFT1, FFT1 compared with FFT2; and if there are devices,
# their kernels compared with libraries, lines and matrices.  Writes sizes.csv, weak.csv, phases.csv, device-N.csv,
# matrices-NxN.csv, tables.md, and with gnuplot *.png, into a folder.
#
#     sh jobs/kernels.sh [FOLDER]      (kernels)
#
#     PFFT3D=the program (pfft3d)      GNUPLOT=gnuplot
#     SIZES, THREADS, LARGE, WEAK=...  what is measured; below are the defaults
#     REPS=5                           repeats of each
#     DEVICE_SIZES, MATRICES=...       for devices; empty: without
#     LARGE=                           without the large ones, which need 96 bytes for each point
set -eu
here=$(cd "$(dirname "$0")" && pwd)
PFFT3D=${PFFT3D:-pfft3d}
GNUPLOT=${GNUPLOT:-gnuplot}
REPS=${REPS:-5}
cores=$(getconf _NPROCESSORS_ONLN)
# powers TO: 1,2,4,... up to that
powers() {
  list=1 next=2
  while test $next -le "$1"; do list=$list,$next next=$((2 * next)); done
  echo $list
}
SIZES=${SIZES:-2^4,2^6,2^7,2^8,2^9,2^10,2^11,2^12,2^14,2^16,2^18,2^20,2^22,2^24}
THREADS=${THREADS:-$(powers "$cores")}
case $(powers "${THREADS##*,}") in
  "$THREADS") ;;
  *)
    echo "kernels.sh: THREADS=$THREADS: the plots are for 1, 2, 4, ... up to any" >&2
    exit 64
    ;;
esac
LARGE=${LARGE-2^26,2^27}
DEVICE_SIZES=${DEVICE_SIZES-2^8,2^10,2^12,2^14,2^16,2^18,2^20,2^22,2^24}
MATRICES=${MATRICES-128x128,256x256,512x512,1024x1024,2048x2048,4096x4096}
WEAK=${WEAK:-20} # log2 of the points of a thread
case $PFFT3D in
  /*) ;;
  */*) PFFT3D=$PWD/$PFFT3D ;;
esac
mkdir -p "${1:-kernels}"
cd "${1:-kernels}"

"$PFFT3D" kernels --sizes "$SIZES" --threads "$THREADS" --reps "$REPS" --csv sizes.csv
# add FILE: the table in part.csv behind those of FILE, which has the same columns
add() {
  if test -e "$1"; then sed 1d part.csv >>"$1"; else cp part.csv "$1"; fi
  rm part.csv
}
# As many points for each thread: one more bit where there are twice as many.
rm -f weak.csv phases.csv
bits=$WEAK
for threads in $(echo "$THREADS" | tr , ' '); do
  "$PFFT3D" kernels --sizes "2^$bits" --threads "$threads" --reps "$REPS" --quiet --csv part.csv \
    --kernel radix2,stockham2,stockham4,spmd1,spmd2,multistage,simd
  add weak.csv
  bits=$((bits + 1))
done
# runs COMMAND...: 1 where its kernel is not there, or there is no memory: the message says so, and the
# tables are without it; another failure ends all
runs() {
  "$@" && return
  status=$?
  case $status in 69 | 71) return 1 ;; esac
  echo "kernels.sh: status $status: $*" >&3
  exit $status
}
exec 3>&2 # where the messages of kernels that are not there are of no interest
for size in $(echo "$LARGE" | tr , ' '); do
  if runs "$PFFT3D" kernels --sizes "$size" --threads "$THREADS" --reps 3 --kernel spmd1,spmd2 --csv part.csv; then
    add phases.csv
  fi
done
rm -f device-*.csv matrices-*.csv
# can SIZE KERNELS: the kernels for which a device with enough memory exists; reasons for the others on stderr
can() {
  for kernel in $2; do
    if runs "$PFFT3D" kernels --sizes "$1" --kernel "$kernel" --reps 1 --no-verify --quiet; then printf '%s,' "$kernel"; fi
  done
}
on_devices=$(can 16 "opencl-radix2 opencl-stockham2 opencl-stockham4 opencl-multistage glsl-radix2 glsl-stockham2 \
  glsl-stockham4 glsl-line cuda-radix2 cuda-stockham2 cuda-stockham4 cuda-multistage vkfft clfft cufft" 2>/dev/null)
files='sizes.csv weak.csv'
if test -e phases.csv; then files="$files phases.csv"; fi
# device NAME SIZES: all of them, simd and FFTW, into NAME-SIZE.csv
device() {
  test -n "$on_devices" || return 0
  for size in $(echo "$2" | tr , ' '); do
    able=$(can "$size" "$(echo "$on_devices" | tr , ' ')")
    "$PFFT3D" kernels --sizes "$size" --kernel "${able}simd,fftw" --reps "$REPS" --csv "$1-$size.csv"
    files="$files $1-$size.csv"
  done
}
device device "$DEVICE_SIZES"
device matrices "$MATRICES"

# shellcheck disable=SC2086  # names without spaces
awk -f "$here/kernels.awk" $files >tables.md
if ! command -v "$GNUPLOT" >/dev/null; then
  echo 'no plots: gnuplot is not installed' >&2
  exit 0
fi
"$GNUPLOT" -e "threads='$(echo "$THREADS" | tr , ' ')'; weak='$WEAK'" "$here/kernels.gp"
rm -f plot-*.txt
