#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Threads under clang's sanitizer of data races, with OpenMP's runtime telling it (Archer) when threads
# wait for each other: a planted race, which it finds, then tests and commands with threads on one and two
# ranks.  MPI is not built with it, and what MPI does is not looked at.  CLANG (clang-14) in the
# environment: another one; SEED (7): other random cases.  Answers in TAP.
. "${srcdir:?run by make check-long}/tests/lib/campaign.sh"
: "${CLANG:=clang-14}"
folder=$builddir/tsan
runtime=$("$CLANG" -fopenmp -print-file-name=libarcher.so 2>/dev/null)
test -f "$runtime" || runtime=$("$CLANG" -print-resource-dir 2>/dev/null)/../../libarcher.so
if ! test -f "$runtime"; then echo '1..0 # SKIP no clang with libarcher.so (Debian: clang-14, libomp-14-dev)'; exit 0; fi
unset MAKEFLAGS MFLAGS MAKELEVEL MAKEOVERRIDES TESTS
mkdir -p "$folder" && cd "$folder" || exit 99
OMPI_CC=$CLANG
export OMPI_CC
programs='tests/transform/test_threads tests/transform/test_random tests/transform/test_join tests/line/test_line_random
  tests/line/test_line_kinds tests/unit/test_kernels tests/sanitize/plant'
# shellcheck disable=SC2086  # words
if ! (
  { test -f Makefile || "$srcdir/configure" --quiet --without-fortran CFLAGS='-O1 -g -fno-omit-frame-pointer -fsanitize=thread'; } &&
    for what in all "$programs"; do make -s -j "$(nproc 2>/dev/null || echo 2)" $what || exit; done
) >build.log 2>&1; then
  tail -n 40 build.log | sed 's/^/# /'
  echo 'Bail out! the build with the sanitizer of threads fails'
  exit 1
fi
reports=$folder/reports
mkdir -p "$reports"
TSAN_OPTIONS="ignore_noninstrumented_modules=1:log_path=$reports/report:exitcode=99"
OMP_TOOL_LIBRARIES=$runtime
export TSAN_OPTIONS OMP_TOOL_LIBRARIES

# watched CASES RANKS COMMAND...: a report of any rank is wrong
watched() {
  cases=$1 ranks=$2
  shift 2
  rm -f "$reports"/*
  limited 1800 $MPIRUN -n "$ranks" "$@" </dev/null
  status=$?
  find "$reports" -type f -size +0 -exec head -n 60 {} \;
  echo "tried $cases wrong $((status != 0))"
}
found() {
  rm -f "$reports"/*
  limited 300 $MPIRUN -n 1 tests/sanitize/plant race </dev/null
  cat "$reports"/* | grep -A 3 'data race' | grep 'race .*plant.c'
}
part 'a planted race is found' found
flow='turbulence --grid 12 --dt 0.1 --time 0.2 --wisdom none'
# shellcheck disable=SC2086  # words
part 'a file' watched 1 1 ./pfft3d $flow --output flow.h5 --force
for ranks in 1 2; do
  for test in transform/test_threads transform/test_join line/test_line_kinds; do
    part "$test on $ranks ranks" watched 1 $ranks "tests/$test"
  done
  for test in transform/test_random line/test_line_random; do
    part "$test on $ranks ranks ${SEED:-7} 0 100" watched 100 $ranks "tests/$test" "${SEED:-7}" 0 100
  done
  for command in 'bench --grid 24x20x28 --algo all --reps 2' 'bench --grid 24x20x28 --type r2c --precision single --reps 2' \
    'line --size 12960 --algo all --reps 2' 'nas --class S --reps 1' "$flow" 'poisson --manufactured --grid 24' \
    'transform -i flow.h5:/u -o out.h5 --force' 'filter -i flow.h5:/u -o out.h5 --force --gaussian 1' \
    'convolve -i flow.h5:/u --with flow.h5:/v -o out.h5 --force' 'spectrum -i flow.h5:/u --csv s.csv' \
    'compress -i flow.h5:/u -o out.h5 --force --share 10%'; do
    for threads in 2 4; do
      # shellcheck disable=SC2086  # words
      part "$command --threads $threads on $ranks ranks" watched 1 $ranks ./pfft3d $command --threads $threads
    done
  done
done
part unit/test_kernels watched 1 1 tests/unit/test_kernels
part 'kernels --sizes 2^10 with 1 and 3 threads' watched 1 1 ./pfft3d kernels --sizes 2^10 --threads 1,3
campaign_end
