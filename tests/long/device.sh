#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Kernels and engine opencl on the first device at more length, then CASES (100) random fields and lines
# each on 1 to 4 ranks; SEED (2): other ones.  Goes on where it was stopped.  TAP.
. "${srcdir:?run by make check-long}/tests/lib/campaign.sh"
if ! test -x "${PFFT3D:?}"; then echo '1..0 # SKIP no program in this build'; exit 0; fi
if ! "$PFFT3D" kernels --sizes 16 --kernel opencl-stockham4 --reps 1 --quiet 2>why.txt; then
  echo "1..0 # SKIP $(sed -n 's/^pfft3d: error: [^:]*: //p' why.txt)"
  rm -f why.txt
  exit 0
fi
rm -f why.txt
part 'kernels of the device up to 2^16' "$builddir/tests/device/test_device_kernels" 16
for kernel in opencl-radix2 opencl-stockham2 opencl-stockham4 opencl-multistage; do
  part "$kernel at 2^20 and 2^24" "$PFFT3D" kernels --sizes 2^20,2^24 --kernel $kernel --reps 1
done
# Where there is no such device it says so.
for kernel in glsl-radix2 glsl-stockham2 glsl-stockham4 cuda-radix2 cuda-stockham2 cuda-stockham4 cuda-multistage; do
  if "$PFFT3D" kernels --sizes 16 --kernel $kernel --reps 1 --quiet 2>/dev/null; then
    part "$kernel at 2^20 and 2^22" "$PFFT3D" kernels --sizes 2^20,2^22 --kernel $kernel --reps 1
  fi
done
# engine RANKS OPTIONS; in the foreground, so that it ends with the campaign when that is stopped
engine() {
  # shellcheck disable=SC2086  # MPIRUN is a command with options
  part "verify $(echo "$2" | tr , /) by opencl on $1 ranks" limited 1200 $MPIRUN -n "$1" "$PFFT3D" verify --engine opencl $2
}
for ranks in 1 2 3 4; do
  engine $ranks '--grid 128 --algo pencils'
  engine $ranks '--grid 128 --algo slabs --precision single'
  engine $ranks '--grid 97x89x101 --algo packed'
  engine $ranks '--grid 32 --batch 4'
  engine $ranks '--grid 12x10x16 --algo pencils'
  engine $ranks '--grid 2x37x6'
  engine $ranks '--grid 12x10x14 --keep 8,7,9 --algo pencils --threads 2'
  engine $ranks '--grid 1x3x4099 --algo packed'
  engine $ranks '--grid 3x8192x5 --type r2c --algo packed'
  engine $ranks '--grid 30x16x20 --kind dct2,dft,dst1 --algo slabs'
done
# Random cases with this engine alone, most of whose time is that of compiling for lengths.
seed=${SEED:-2}
for ranks in 1 2 3 4; do
  for test in transform/test_random line/test_line_random; do
    part "${test##*/} of opencl on $ranks ranks $seed 0 ${CASES:-100}" limited 3600 $MPIRUN -n "$ranks" \
      env PFFT3D_TEST_ENGINE=opencl "$builddir/tests/$test" "$seed" 0 "${CASES:-100}"
  done
done
campaign_end
