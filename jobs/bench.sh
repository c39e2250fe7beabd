#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Compares pfft3d with packaged peers on this machine, in a build directory:  make bench
# or there  sh .../jobs/bench.sh [OPTIONS OF bench_peers]; or  --drop-in [TURNS [POINTS [LEAST [WORD ...]]]], which times a
# program that calls FFTW-MPI with the drop-in and without; or  --solve [TURNS [cells] SIZE ...], which solves
# Poisson's equation also with FFTW-MPI; or  --stretched [TURNS [SIZE ...]], the same with one axis of unequal
# steps; or  --turbulence [TURNS [SIZE ...]], which takes steps of a turbulent
# flow also with mpi4py-fft.  RANKS (2), OUT (bench-results), FFTW (a folder with an FFTW for this processor,
# in place of the one that was found), MPIRUN, GNUPLOT and PYTHON are read from the environment.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
RANKS=${RANKS:-2}
OUT=${OUT:-bench-results}
MPIRUN=${MPIRUN:-$(command -v mpirun.openmpi || command -v mpirun)}
GNUPLOT=${GNUPLOT:-gnuplot}

if test -n "${FFTW-}"; then
  ls "$FFTW"/lib/libfftw3.so.3 "$FFTW"/lib/libfftw3f.so.3 "$FFTW"/lib/libfftw3_mpi.so.3 >/dev/null || exit 66
  LD_LIBRARY_PATH=$(cd "$FFTW/lib" && pwd)${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
  export LD_LIBRARY_PATH
fi
mkdir -p "$OUT"
test "${1-}" = --turbulence || test -x ./bench_peers || {
  echo 'bench.sh: no bench_peers here: call make bench in a build directory' >&2
  exit 66
}
binding='--bind-to core:overload-allowed'
if test "$RANKS" -gt "$(nproc)"; then
  echo 'bench.sh: more ranks than cores: this will measure the scheduler' >&2
  binding='--bind-to none'
fi
options=$(sh "$here/launcher.sh" options "$MPIRUN" many quiet)
if test -n "$options"; then options="$options $binding"; fi
# kept FILE COMMAND...: what it prints, also in a file of $OUT; ends with its status
kept() {
  file=$1
  shift
  rm -f "$OUT/status"
  { "$@" || echo $? >"$OUT/status"; } | tee "$OUT/$file"
  test -f "$OUT/status" || return 0
  read -r code <"$OUT/status"
  rm "$OUT/status"
  return "$code"
}
if test "${1-}" = --drop-in; then
  shift
  library=$PWD/.libs/libpfft3d_fftw3_mpi.so
  test -f "$library" || {
    echo "bench.sh: no shared library in $PWD/.libs" >&2
    exit 66
  }
  LD_LIBRARY_PATH=$PWD/.libs${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
  export LD_LIBRARY_PATH
  # shellcheck disable=SC2086  # options are words
  kept drop-in.txt "$MPIRUN" $options -n "$RANKS" env LD_PRELOAD="$library" PFFT3D_FFTW="${PFFT3D_FFTW-all}" \
    ./bench_dropin "$@"
  exit
fi
if test "${1-}" = --solve; then
  shift
  if test $# -lt 2; then set -- "${1-9}" 255 256 cells 256; fi
  # shellcheck disable=SC2086
  kept solve.txt "$MPIRUN" $options -n "$RANKS" ./bench_solve "$@"
  exit
fi
if test "${1-}" = --stretched; then
  shift
  if test $# -lt 2; then set -- "${1-9}" 256; fi
  # shellcheck disable=SC2086
  kept stretched.txt "$MPIRUN" $options -n "$RANKS" ./bench_stretched "$@"
  exit
fi
if test "${1-}" = --turbulence; then
  shift
  # shellcheck source=jobs/bench/turbulence.sh
  . "$here/bench/turbulence.sh"
  exit
fi
case " $* " in *' --help '* | *' -h '*) exec ./bench_peers --help ;; esac
status=0
# Results of the last time go to a folder of their own, and come back if nothing is measured now.
# results FROM TO
results() {
  for file in bench.txt bench.json mpi4py_fft.txt mpi4py_fft.json; do
    if test -f "$1/$file"; then mv -f "$1/$file" "$2"; fi
  done
  find "$1" -maxdepth 1 \( -name '*.dat' -o -name 'bench*.png' \) -exec mv -f {} "$2" \;
}
mkdir -p "$OUT/before"
if test -f "$OUT/bench.json"; then
  rm -f "$OUT"/before/*
  results "$OUT" "$OUT/before"
fi
# shellcheck disable=SC2086  # options are words
kept bench.txt "$MPIRUN" $options -n "$RANKS" ./bench_peers --out "$OUT" "$@" || status=$?
if ! test -f "$OUT/bench.json"; then # nothing was measured (usage)
  results "$OUT/before" "$OUT"
  exit "$status"
fi

# A separate process: its repeats do not alternate with the others'.
for python in "${PYTHON:-/usr/bin/python3}" python3; do
  if "$python" -c 'import mpi4py_fft' 2>/dev/null; then
    echo
    # shellcheck disable=SC2086
    kept mpi4py_fft.txt "$MPIRUN" $options -n "$RANKS" "$python" "$here/bench/peer_mpi4py.py" "$OUT" || status=$?
    cat "$OUT/mpi4py_fft.txt" >>"$OUT/bench.txt"
    break
  fi
done

if command -v "$GNUPLOT" >/dev/null 2>&1; then
  for kind in c2c r2c line; do
    if ls "$OUT/plot-$kind"-*.dat >/dev/null 2>&1; then
      "$GNUPLOT" -e "folder='$OUT'; ranks=$RANKS; kind='$kind'" "$here/bench/plot_bench.gp"
    fi
  done
else
  echo 'no picture: gnuplot is not installed' >&2
fi
printf '\nResults in %s/:\n' "$(cd "$OUT" && pwd)"
ls "$OUT"
exit "$status"
