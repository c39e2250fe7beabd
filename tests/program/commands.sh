#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Every command as a user types it, on several numbers of ranks.  Answers in TAP.
. "${srcdir:?run by make check}/tests/lib/program.sh"
. "$srcdir/tests/lib/names.sh"

for command in bench transform explain verify line nas tune compare poisson spectrum filter convolve compress turbulence kernels fftw info; do
  check "$command --help" run 1 $command --help
  check "$command --help has examples" says '^Examples:'
done
check 'help is --help' run 1 help
check 'it lists the commands' says '^  verify '
check 'help of a command' run 1 help transform
check 'a command that makes one plan takes one name' says '--exchange NAME  .* a name or auto'
check 'and one direction' says '--direction forward|backward '
check 'compare says whose reports it takes' eval 'run 1 compare --help && says "nas or poisson"'
check '--version' run 1 --version
check '--version says it' says '^pfft3d [0-9]'
check 'info' run 1 info
for word in packed pairwise alltoallw slabs pencils rma fftw naive slab transpose butterfly bench transform explain verify line nas tune compare poisson spectrum filter convolve compress turbulence kernels; do
  check "info lists $word" says "^  $word\( \|$\)"
done

check 'without mpirun' "$PFFT3D" --grid 8 --reps 1
# all_say SECTION...: the last output, below its head, has every name that info lists there
all_say() {
  for section in "$@"; do
    for word in $(names "$section"); do
      sed 1,2d out.txt | grep -qw -e "$word" || { echo "no '$word' of $section"; return 1; }
    done
  done
}
for ranks in 1 6; do # the tests of transforms have all numbers
  case $ranks in
    1) engines= ;;
    *) engines='--engine simd' ;; # all take too long here
  esac
  # shellcheck disable=SC2086  # an option or none
  check "verify on $ranks ranks" run $ranks verify --grid 12x10x9 $engines
  check 'it has every exchange and decomposition' all_say exchanges schemes
  if test -z "$engines"; then check 'and every engine' all_say engines; fi
  check "bench --exchange all on $ranks ranks" run $ranks --grid 20x18x24 --exchange all --reps 1
  check 'it has every exchange' all_say exchanges
done
for ranks in 1 3; do
  check "the same bits on $ranks ranks" \
    run $ranks verify --grid 12x10x9 --deterministic --engine simd --type c2c
done
engine=simd
if "$PFFT3D" info | grep -q '^fftw *fftw-'; then engine=fftw; fi
check 'verify in single precision' run 4 verify --grid 12x10x9 --precision single --engine $engine --type r2c
for grid in 1x1 2x1 1x2; do
  check "verify one kind and one grid of ranks, $grid on 2" \
    run 2 verify --grid 9x10x7 --type r2c --pgrid $grid --batch 3
done
check 'verify of real fields in pencils only' says '^r2c  pencil shared *simd *natural *forward'
check 'verify of nothing else' sh -c "! grep -qE '^(c2c|r2c  slab)' out.txt"
check 'verify without options has all kinds and decompositions' run 3 verify --grid 6x5x4
for family in 'c2c  slab' 'r2c  slab' 'c2c  pencil' 'r2c  pencil'; do
  check "verify has $family" says "^$family"
done
# Rows of 33 and of 32 elements, of which the shorter ones are padded to more.
check 'bench: rows of cache lines and of one element more' \
  run 4 bench --grid 32x32x128 --type r2c --pgrid 2x2 --order natural --algo shared,rma --reps 1 --wisdom none
# Axes that are cut by a rule, at any indices, or not as they can be.
check 'verify with blocks of ceil(n/P)' run 4 verify --grid 9x10x7 --cuts ceil --engine auto
check 'bench with an empty rank in the middle' \
  run 3 bench --grid 16x12x10 --algo all --cuts 0:0,5,5,16/spectrum1:0,0,7,12 --reps 1 --wisdom none
check 'the report has the cuts' run 2 bench --grid 8 --cuts ceil --reps 1 --json - --wisdom none
check 'as they were given' says '"cuts": "ceil"'
check 'explain says who holds what' run 1 explain --grid 16x12x10 --ranks 3 --algo packed --cuts 0:0,5,5,16 --decomp slab
check 'of a list' says 'axis 0 is cut: rank 0 holds 5 planes, rank 1 holds none, rank 2 holds 11 planes'
check 'and who is idle' says '1 of 3 ranks is idle: the cuts leave them nothing'
check 'ceil in a dry run' run 1 explain --grid 9 --ranks 4 --algo packed --cuts ceil --decomp slab
check 'has a last block' says 'ranks 0..2 hold 3 planes, rank 3 holds none'
check 'a list for a line' run 1 explain --size 13 --ranks 4 --algo packed --cuts 2:0,4,8,9,13
check 'where a number comes again' says 'space .*ranks 0..1 hold 4 elements, rank 2 holds 1 element, rank 3 holds 4 elements$'
# Bricks, which slabs and pencils have to be redistributed to, or not.
check 'verify with bricks' run 4 verify --grid 9x10x7 --bricks 2x1x2 --engine auto
check 'bench with bricks' run 4 bench --grid 9x10x7 --batch 2 --bricks 1x2x2 --algo all --reps 1 --wisdom none --json -
check 'the report has them' says '"bricks": "1x2x2"'
check 'explain counts redistributions' run 1 explain --grid 64 --ranks 8 --algo packed --bricks 2x2x2 --decomp slab
check 'to and from slabs' says 'bricks     2 redistributions between them and the boxes of decomp=slab: 896 KiB a rank'
check 'a line for each step' says 'steps      redistribution 3 messages of a rank, 384 KiB in all'
check 'says where bricks lie' says 'spectrum   axis 0 is cut in 2 parts: parts 0..1 hold 32; axis 1 in 2 parts: parts 0..1 hold 32; axis 2'
check 'bricks that are slabs' run 1 explain --grid 64 --ranks 8 --algo packed --bricks 8x1x1 --decomp slab
check 'need no redistribution' sh -c "! grep -q redistribution out.txt"
check 'bricks on fewer ranks' run 1 explain --grid 8 --ranks 4 --algo packed --bricks 1x1x3
check 'leave one idle' says '1 of 4 ranks is idle: the bricks leave them nothing'
# Columns are as wide as their longest word.
columns() { awk '/^type/ {at = index($0, " place")} /^c2c/ && !match(substr($0, at, 5), /^ (in|out)/) {wrong = 1} END {exit !at || wrong}' out.txt; }
check 'long names of exchanges' run 2 verify --grid 4 --type c2c --decomp slab --engine simd --algo persistent,rma
check 'are in line with the others' columns
check 'the first one is out of place' sh -c 'grep -m1 "PASS$" out.txt | grep -q " forward  *out "'
check 'two dimensions' run 4 verify --grid 20x18 --engine simd
PFFT3D_TEST_MAX_COUNT=50
export PFFT3D_TEST_MAX_COUNT
check 'as if MPI took 50 elements in a call' run 3 verify --grid 12x10x9 --batch 2 --engine simd
unset PFFT3D_TEST_MAX_COUNT
check 'the default command is bench' run 2 --grid 16 --reps 1
for norm in backward ortho forward; do
  check "bench --norm $norm" run 3 bench --grid 12x10x9 --norm $norm --reps 1 --type r2c --json norm.json
  check 'the report says so' grep -q "\"norm\": \"$norm\"" norm.json
  check "line --norm $norm" run 3 line --size 360 --norm $norm --reps 1 --hpcc
done
for kind in dct2 dst1,dft,dct3 none,dct4,dst3; do
  check "bench --kind $kind" run 3 bench --grid 12x10x9 --kind $kind --reps 1 --type r2c --algo all
done
check 'verify --kind' run 2 verify --grid 6x5x4 --kind dst1,dft,dct3 --engine simd --norm ortho
check 'explain --kind' run 1 explain --grid 64 --ranks 8 --kind none,dct2,dct2 --type r2c --order natural --algo packed
check 'without an exchange' says '^  messages   0 remote '
check 'kinds of two axes' run 2 bench --grid 12x10 --kind dct1,dst2 --reps 1
for keep in 7,12,12 12,12,7; do check "bench --keep $keep" run 2 bench --grid 12 --keep $keep --reps 1; done
check 'one exchange through memory' run 2 bench --grid 8 --algo shared --reps 1 --no-verify
check 'figures that it does not have are left out' \
  sh -c '! grep -qE "norm|layout|read |checksum|hidden|because|check " out.txt && grep -q "exchange .*passes alone" out.txt'
check 'ranks without planes' run 6 verify --grid 3x2x5
check 'an engine that cannot do this length' \
  run 2 verify --grid 2x2x4099 --engine naive,simd --algo packed --type c2c --decomp slab
check 'is left out' says "^skipped: engine 'naive': cannot do 4099 points"
check 'the other one is not' says '^c2c  slab   packed   simd '
check 'natural order' run 3 bench --grid 16x15x14 --order natural --algo all --reps 1
check 'threads' run 2 bench --grid 16x15x14 --threads 2 --algo all --reps 1
# As many threads as cores for each of two ranks, but more than one.
cores=$(getconf _NPROCESSORS_ONLN)
threads=$((cores > 1 ? cores : 2))
plain_mpirun=$MPIRUN
MPIRUN="env -u OMP_WAIT_POLICY -u GOMP_SPINCOUNT -u KMP_BLOCKTIME -u KMP_LIBRARY $plain_mpirun"
check 'more threads than cores' run 2 bench --grid 8 --threads $threads --reps 1 --wisdom none
check 'a warning says so, and how they wait' \
  grep -q "warning: 2 ranks x $threads threads exceed .* core.* (OMP_WAIT_POLICY=passive)" err.txt
MPIRUN="env OMP_WAIT_POLICY=active $plain_mpirun"
check 'more threads than cores that wait as the user says' \
  run 2 bench --grid 8 --threads $threads --reps 1 --wisdom none
check 'a warning says nothing of it' \
  sh -c "grep 'threads exceed' err.txt | grep -qv passive"
one=$(taskset -cp $$ | sed 's/.*: //; s/[,-].*//') # a core that this shell may use
MPIRUN="taskset -c $one $plain_mpirun"
check 'threads of ranks on one core' run 2 bench --grid 8 --threads 2 --reps 1 --wisdom none
check 'share it' grep -q 'warning: 2 ranks x 2 threads exceed the 1 core of a node' err.txt
MPIRUN=$plain_mpirun
check 'deterministic' run 3 bench --grid 16x15x14 --deterministic --reps 1
echo "1..$number"
exit $bad
