#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Devices as a user meets them: listed, used, and failing, each failure with one line.  TAP.
. "${srcdir:?run by make check}/tests/lib/program.sh"
: "${PYTHON:?}" "${builddir:?}"
# What PoCL compiles is kept from run to run, and need not be fast.
POCL_CACHE_DIR=$builddir/tests/device/pocl POCL_EXTRA_BUILD_FLAGS=-cl-opt-disable
export POCL_CACHE_DIR POCL_EXTRA_BUILD_FLAGS
mkdir -p "$POCL_CACHE_DIR"

# fails STATUS RANKS ARGUMENTS...: run() ends with it
fails() {
  want=$1
  shift
  run "$@"
  test $? = "$want"
}

check 'info' run 1 info --json i.json
check 'devices are listed' says '^devices'
# has API: there is such a device
has() {
  "$PYTHON" -c 'import json, sys; sys.exit(sys.argv[1] not in [d["api"] for d in json.load(open("i.json"))["devices"]])' "$1"
}
# Each API in turn, by kernels whose names begin so: as it is, or one line that says why not.
for api in 'opencl opencl-stockham4' 'cuda cuda-stockham4' 'opengl glsl-line'; do
  if has "${api% *}"; then
    check "${api#* } is right in both precisions" run 1 kernels --sizes 8,512 --kernel "${api#* }" --reps 1
    check "and in single" run 1 kernels --sizes 8,512 --kernel "${api#* }" --reps 1 --precision single
  else
    check "no device for ${api#* }: status 69" fails 69 1 kernels --sizes 16 --kernel "${api#* }"
    check 'which says why' grep -q "^pfft3d: error: ${api#* }: no device: .*\(machine\|build\|none\)" err.txt
  fi
done
check 'a line too long for it' fails 69 1 kernels --sizes 4096 --kernel glsl-line
check 'which says so' grep -q 'takes shorter lines only' err.txt

# ---- CUDA, by a driver whose device is the processor ----
# with_driver FOLDER SICKNESS ARGUMENTS...: libcuda.so.1 is the one in there
with_driver() {
  driver=$PWD/$1 sickness=$2
  shift 2
  limited $limit env PFFT3D_TEST_DEVICE="$sickness" \
    LD_LIBRARY_PATH="$driver${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}" "$PFFT3D" "$@" >out.txt 2>err.txt </dev/null
}
# cuda PRECISION SICKNESS ARGUMENTS...
cuda() {
  folder=cuda_$1
  shift
  mkdir -p "$folder" && cp "$builddir/tests/device/.libs/$folder.so" "$folder/libcuda.so.1" && with_driver "$folder" "$@"
}
cuda_fails() {
  want=$1
  shift
  cuda "$@"
  test $? = "$want"
}
if test -e "$builddir/tests/device/.libs/cuda_double.so"; then
  all=cuda-radix2,cuda-stockham2,cuda-stockham4,cuda-multistage
  for precision in double single; do
    check "kernels of CUDA, $precision" cuda $precision '' kernels --sizes 1,2,8,1024 --batch 3 --kernel $all \
      --reps 1 --precision $precision
  done
  check 'CUDA: no device' cuda_fails 69 double none kernels --sizes 16 --kernel cuda-radix2
  check 'says so' grep -q 'no device: .*finds none: CUDA_ERROR_NO_DEVICE' err.txt
  check 'CUDA: no memory' cuda_fails 71 double full kernels --sizes 16 --kernel cuda-radix2
  check 'CUDA: no kernels' cuda_fails 69 double build kernels --sizes 16 --kernel cuda-radix2
  check 'says so' grep -q "kernel 'bit_reversal' does not build: CUDA_ERROR_NO_BINARY_FOR_GPU" err.txt
  check 'CUDA: lost' cuda_fails 69 double lost:3 kernels --sizes 16 --kernel cuda-radix2
  check 'says so' grep -q 'lost during a kernel: CUDA_ERROR_LAUNCH_FAILED' err.txt
  # A library that is there and cannot be used is named, with what is the matter.
  no_driver() {
    with_driver odd '' kernels --sizes 16 --kernel cuda-radix2
    test $? = 69
  }
  mkdir -p odd && echo 'no library at all' >odd/libcuda.so.1
  check 'CUDA: a driver that cannot be loaded' no_driver
  check 'says why' grep -q 'no device: .*not on this machine: .*libcuda.so.1: \(invalid ELF\|file too\)' err.txt
  cp "$builddir/tests/device/.libs/sick.so" odd/libcuda.so.1
  check 'CUDA: a driver without its functions' no_driver
  check 'says which' grep -q 'no device: .*libcuda.so.1 has no cuInit' err.txt
fi

if ! has opencl; then
  skip 'engine opencl, and devices that fail' 'no OpenCL device'
  echo "1..$number"
  exit $bad
fi
check 'devices have names, memory, precision, drivers' "$PYTHON" -c '
import json
for k, d in enumerate(json.load(open("i.json"))["devices"]):
    assert d["device"] == k and d["name"] and d["driver"] and d["memory_bytes"] > 2**20, d
    assert d["api"] in ("opencl", "cuda", "opengl")
    assert d["fp64"] in (True, False) and d["kind"] in ("gpu", "cpu", "other") and d["units"] > 0, d
    assert d["kind"] == "cpu" or "llvmpipe" not in d["name"], d  # OpenGL by the processor'

# ---- kernels ----
own='opencl-radix2 opencl-stockham2 opencl-stockham4 opencl-multistage'
check 'matrices' run 1 kernels --sizes 16x64,64x8 --batch 3 --reps 1 --kernel "$(echo "$own" | tr ' ' ,)"
if has opengl; then
  check 'and of OpenGL' run 1 kernels --sizes 16x64,64x8 --batch 3 --reps 1 \
    --kernel glsl-radix2,glsl-stockham2,glsl-stockham4,glsl-line
fi
check 'kernels of the device' run 1 kernels --sizes 1024 --batch 3 --device 0 --reps 2 --json k.json \
  --kernel dft,opencl-radix2,opencl-stockham2,opencl-stockham4,opencl-multistage
check 'the report' "$PYTHON" - "$own" <<'END'
import json, sys
name = json.load(open("i.json"))["devices"][0]["name"]
runs = {r["kernel"]: r for r in json.load(open("k.json"))["runs"]}
own = set(sys.argv[1].split())
assert own <= set(runs) and "dft" in runs
for kernel, r in runs.items():
    device = kernel in own or kernel == "vkfft"
    assert r["device"] == (name if device else "cpu"), r
    assert r["check"]["pass"] and ("transfers" in r["phases"]) == device, r
assert "bit_reversal" in runs["opencl-radix2"]["phases"]
END
check 'without --device, all are those of the processor' \
  sh -c "\"$PFFT3D\" kernels --sizes 16 --reps 1 --kernel all | grep -q '^dft' &&
         ! \"$PFFT3D\" kernels --sizes 16 --reps 1 --kernel all | grep -q '^opencl\|^glsl\|^cuda'"

check 'a device of another kind' fails 69 1 kernels --sizes 16 --kernel glsl-radix2 --device 0
check 'is named, or that there is none' grep -q 'reached through OpenCL, not through OpenGL\|no device' err.txt

# ---- engine opencl: against plane waves and the definition in long double ----
# verify_engine RANKS COMBINATIONS OPTIONS...
verify_engine() {
  ranks=$1 most=$2
  shift 2
  run "$ranks" verify --engine opencl "$@" && says '^[0-9]* combinations, 0 failed' &&
    test "$(sed -n 's/ combinations.*//p' out.txt)" = "$most"
}
# VkFFT compiles for each length, precision and direction, 0.5 s each: few of them here, the others in
# tests/long/device.sh.
plain='--grid 8 --algo packed --decomp slab --type r2c --precision single'
# shellcheck disable=SC2086  # a list of options
check 'engine opencl on 2 ranks, by planes' verify_engine 2 8 $plain
check 'what goes by tiles: kinds' verify_engine 2 8 --grid 8x8x16 --algo packed --type c2c \
  --kind dct2,none,dst3 --decomp slab --threads 2
check 'real columns' verify_engine 2 8 --grid 4x8x3 --algo packed --type r2c --kind dft,none,none --decomp slab
# random RANKS TEST SEED CASE COUNT: cases of fields or lines, with nothing left to another engine
random() {
  # shellcheck disable=SC2046  # a command with options, or nothing
  limited $limit $(launcher "$1") env PFFT3D_TEST_ENGINE=opencl "$builddir/tests/$2" "$3" "$4" "$5" \
    >out.txt 2>err.txt </dev/null && says "^tried $5 wrong 0"
}
check 'random fields on 1 rank' random 1 transform/test_random 1 0 1
check 'random fields on 3 ranks' random 3 transform/test_random 8 1 1 # real lines of one point
check 'random lines on 4 ranks' random 4 line/test_line_random 9 5 2
check 'it is no choice of auto' sh -c "\"$PFFT3D\" explain --grid 16 | grep -q 'engine=simd'"

# ---- failures ----
# sick WHAT STATUS WORDS ARGUMENTS...: one line with these words, nothing on stdout, no report, on $sick_ranks ranks
# of which all, or $sick_rank, have such a device.  Compilers may add lines of their own, and Open MPI's
# block of them where a rank without mpirun ends in MPI_Abort().
shim=$builddir/tests/device/.libs/sick.so
sick_ranks=1 sick_rank=
one_line() {
  own err.txt
  test "$(grep -c '^pfft3d: ' err.txt)" = 1 && grep -q "^pfft3d: error: .*$words" err.txt &&
    ! test -s out.txt && ! test -e none.json && ! test -e none.csv &&
    { test "$sickness" = build || test "$(sed '/^-----/,/^-----/d; /^Abort(/d' err.txt | wc -l)" = 1; }
}
sick() {
  sickness=$1 status=$2 words=$3
  shift 3
  check "device with '$sickness': status $status" ends "$status" "$@" --json none.json --csv none.csv
  check "which says '$words'" one_line
}
# The ranks load the shim, mpirun does not.
ends() {
  want=$1
  shift
  # shellcheck disable=SC2046  # a command with options, or nothing
  limited $limit $(launcher $sick_ranks) env PFFT3D_TEST_DEVICE="$sickness" \
    ${sick_rank:+PFFT3D_TEST_DEVICE_RANK=$sick_rank} LD_PRELOAD="$shim" "$PFFT3D" "$@" >out.txt 2>err.txt </dev/null
  test $? = "$want"
}
sick fp64 69 'no double precision' kernels --sizes 16 --kernel opencl-stockham4
sick memory 71 '8 MiB wanted, it has 4 MiB' kernels --sizes 2^19 --kernel opencl-stockham4
sick full 71 'wanted, it has' kernels --sizes 2^10 --kernel opencl-stockham4
sick build 69 "kernel 'stockham4' does not build" kernels --sizes 2^10 --kernel opencl-stockham4
sick lost:3 69 'lost during a kernel' kernels --sizes 2^10 --kernel opencl-stockham4
sick lost:12 69 'lost during a kernel' kernels --sizes 2^10 --kernel opencl-stockham4
sick fp64 69 'no double precision' bench --grid 8 --engine opencl
sick full 71 'wanted, it has' bench --grid 8 --engine opencl --algo packed
sick build 69 "kernel 'stockham4' does not build" bench --grid 8 --engine opencl --algo packed
# A rank whose device is lost finishes its messages and says so, whatever the transform consists of, and wherever
# it is lost: in the first transform, or (lost:48) when the parts of a transform are measured.
for sick_ranks in 1 2; do
  # shellcheck disable=SC2086
  sick lost:3 69 "the forward transform failed: device '.*': lost during a kernel of VkFFT: CL_OUT_OF_RESOURCES (-5)$" \
    bench --engine opencl $plain
done
sick_rank=1 where='lost during a kernel.* \[rank 1 of 2, '
for at in 1 48; do
  # shellcheck disable=SC2086
  sick lost:$at 69 "transform failed: .*$where" bench --engine opencl $plain
done
sick lost:1 69 "$where" line --size 64 --engine opencl --precision single
sick lost:1 69 "$where" line --size 1009 --engine opencl --precision single
sick lost:1 69 "$where" line --size 64 --kind dct2 --engine opencl
sick lost:1 69 "$where" bench --engine opencl $plain --bricks 1x1x2
sick lost:1 69 "$where" tune --engine opencl $plain
sick_ranks=1 sick_rank=
for number_of in 40 99; do
  check 'no such device' fails 69 1 kernels --sizes 16 --kernel opencl-stockham4 --device $number_of
  check 'says how many there are' \
    grep -q "device $number_of: there \(is 1\|are [0-9]*\), numbered from 0" err.txt
  check 'nor for the engine' fails 69 2 bench --grid 8 --engine opencl --device $number_of --json none.json
  check 'in one line' test "$(grep -c "^pfft3d: error: device $number_of: there .*, numbered from 0" err.txt) $(wc -l <err.txt)" = '1 1'
  check 'and no report' test ! -e none.json
done
OCL_ICD_VENDORS=$PWD/nowhere
export OCL_ICD_VENDORS
check 'no platform' fails 69 1 kernels --sizes 16 --kernel opencl-stockham4
check 'says so' grep -q 'no device: no OpenCL platform' err.txt
check 'nor for the engine' fails 69 2 bench --grid 8 --engine opencl
check 'in one line' test "$(grep -c 'no device: no OpenCL platform' err.txt) $(wc -l <err.txt)" = '1 1'
unset OCL_ICD_VENDORS
if has opengl; then
  __EGL_VENDOR_LIBRARY_DIRS=$PWD/nowhere
  export __EGL_VENDOR_LIBRARY_DIRS
  check 'nothing for EGL' fails 69 1 kernels --sizes 16 --kernel glsl-radix2 --json none.json
  check 'which says so' grep -q '^pfft3d: error: glsl-radix2: no device: EGL has none' err.txt
  unset __EGL_VENDOR_LIBRARY_DIRS
fi
echo "1..$number"
exit $bad
