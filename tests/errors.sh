#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# What users do wrong: each case must end on all ranks with its own exit code, with exactly one
# message in the words expected, and leave no file behind.  Answers in TAP.
. "${srcdir:?run by make check}/tests/program.sh"
mounted=
cleanup() {
  if test -n "$mounted"; then umount "$mounted"; fi
  rm -rf "$work"
}

# wrong RANKS CODE WORDS ARGUMENTS...: WORDS is a grep pattern for the one message.  One rank needs
# no mpirun, which takes its time to end after a failure.
wrong() {
  ranks=$1 code=$2 words=$3
  shift 3
  launch="$MPIRUN -q -n $ranks"
  if test "$ranks" = 1; then launch=; fi
  number=$((number + 1))
  before=$(ls -A . 2>/dev/null)
  # shellcheck disable=SC2086  # a command with options, or nothing
  timeout 60 $launch "$PFFT3D" "$@" >out.txt 2>err.txt </dev/null
  status=$?
  messages=$(grep -c '^pfft3d: error: ' err.txt)
  hints=$(grep -c '^pfft3d: hint: ' err.txt)
  why=
  test "$status" = "$code" || why="status $status instead of $code"
  test "$messages" = 1 || why="$why; $messages messages"
  test "$hints" -le 1 || why="$why; $hints hints"
  grep -q -e "$words" err.txt || why="$why; no word of '$words'"
  rm -f out.txt
  mv err.txt "$work.err"
  after=$(ls -A . 2>/dev/null)
  test "$before" = "$after" || why="$why; left behind: $after"
  if test -z "$why"; then
    echo "ok $number - $* on $ranks ranks: $code"
  else
    bad=1
    echo "not ok $number - $* on $ranks ranks: $code"
    echo "# $why"
    sed 's/^/# /' "$work.err"
  fi
  rm -f "$work.err"
}

# ---- numbers and names ----
for grid in 0 -5 512x x4 4x4x 4xx4 0x4 4x4x4x4 '' 1e3 ' 8' 0x8x8 99999999999999999999; do
  wrong 1 64 "grid" --grid "$grid"
done
wrong 3 64 'more than .* elements' --grid 1099511627776
wrong 1 64 'value is missing' --grid
wrong 3 64 'did you mean --grid' --gird 64
wrong 3 64 "did you mean 'pencils'" --algo pencls
wrong 1 64 'valid: ' --algo ''
wrong 1 64 'valid: ' --algo packed,,slabs
wrong 1 64 'valid: ' --engine fftww
wrong 1 64 'decomp' --decomp sphere
for chunk in 0 -1 x 64Q '' 99999999999999; do
  wrong 1 64 "chunk '.*expected a number of bytes" --chunk "$chunk"
done
for pgrid in 2 2x 0x2 -1x2 2x2x2 '' 2x1e1 4096x4097 99999999999x1; do
  wrong 1 64 "pgrid '.*expected P1xP2" --pgrid "$pgrid"
done
wrong 3 64 'pgrid 2x2: 4 ranks are needed, there are 3' --grid 8 --pgrid 2x2
wrong 1 64 'pgrid 1x2: 2 ranks are needed, there is 1' verify --pgrid 1x2
wrong 1 64 'pgrid 4x4: 16 ranks are needed, there are 12' explain --grid 8 --pgrid 4x4 --ranks 12
wrong 3 64 'pgrid 3x1 and --decomp slab' --grid 8 --pgrid 3x1 --decomp slab
wrong 1 64 'pgrid.*does not apply' info --pgrid 1x1
for batch in 0 -1 1.5 two 1000001; do wrong 1 64 "batch '$batch'" --batch "$batch"; done
wrong 3 64 'batch.*more than .* elements' --grid 1048576x1048576x4096 --batch 1000000
wrong 1 64 "type 'x2y': valid: c2c, r2c" --type x2y
wrong 1 64 "type 'r2cc': did you mean 'r2c'" verify --type r2cc
wrong 1 64 "precision 'half'.*valid: double, single" --precision half
wrong 1 64 "wire 'half'.*valid: double, single" --wire half
wrong 2 64 "option --wire does not apply to 'nas'" nas --class S --wire single
wrong 1 64 'hpcc and --wire single' line --size 64 --hpcc --wire single
wrong 1 64 'direction' --direction fwd
wrong 1 64 'order' --order trans
wrong 1 64 'reps' --reps 0
wrong 1 64 'threads' --threads 0
wrong 3 66 "cannot open 'none.machine'" --machine none.machine
wrong 1 65 'NEWS.md:[0-9]*: unknown word' explain --machine "$srcdir/NEWS.md"
wrong 1 64 'reps' --reps 5x
wrong 1 64 'seed' --seed -1
wrong 1 64 'watchdog' --watchdog 1.5
wrong 3 64 'bench' bnech
wrong 1 64 'extra' bench extra
wrong 1 64 'output' bench --output x.h5
wrong 1 64 'grid' info --grid 8
wrong 1 64 'ranks' explain --grid 8 --ranks 0
wrong 1 64 'node-ranks' explain --grid 8 --node-ranks 0
wrong 1 64 'ranks' explain --grid 8 --ranks 99999999999
wrong 3 64 'quiet' --grid 8 -q -v
wrong 3 64 'json' --grid 8 --json - --csv -

# ---- lines ----
for size in 0 -8 1e6 '' ' 8' 2^ ^3 2^64 2^41 3x4 16MM 8i 16T 0x10 99999999999999999999 1025G; do
  wrong 1 64 "size '.*expected a number of points" line --size "$size"
done
wrong 3 64 'size.*value is missing' 1d --size
wrong 1 64 "layout 'bloc': did you mean 'block'" line --layout bloc
wrong 1 64 "out-layout 'turn'.*valid: block, cyclic" line --out-layout turn
wrong 3 64 "method 'butterfl': did you mean 'butterfly'" line --method butterfl
wrong 1 64 'grid.*does not apply' line --grid 8
wrong 1 64 'pgrid.*does not apply' line --pgrid 1x1
wrong 1 64 'size.*does not apply' bench --size 8
wrong 1 64 "'line'" lines --size 8
wrong 3 64 'hpcc and --type r2c' line --size 64 --hpcc --type r2c
wrong 1 64 'hpcc and --direction backward' line --size 64 --hpcc --direction backward
wrong 1 64 'hpcc and --no-verify' line --size 64 --hpcc --no-verify
wrong 1 64 'hpcc.*does not apply' --grid 8 --hpcc
wrong 1 64 'output.*no --input' line --size 64 --output o.h5
wrong 1 64 'force.*no --input' line --size 64 --force
wrong 1 64 'size and --grid' explain --size 8 --grid 8
wrong 1 64 'size and --batch' explain --batch 2 --size 8
wrong 1 64 'out-layout: only lines' explain --grid 8 --out-layout cyclic
for value in '' x -1 1e 0x1 nan inf ' 1' 1e9; do
  wrong 1 64 "latency '.*expected a number" explain --size 8 --latency "$value"
done
wrong 1 64 "bandwidth '0'" explain --size 8 --bandwidth 0
wrong 1 64 'latency.*does not apply' line --size 8 --latency 1

# ---- memory and reports ----
wrong 3 71 'needs .*iB.* available are ' line --size 2^40
wrong 3 71 'needs .*iB.* available are ' --grid 20000
wrong 3 73 'nonexistent' --grid 8 --json nonexistent/x.json
wrong 3 66 'nope.h5' transform --input nope.h5 --output o.h5 --json new.json --csv new.csv
if test -e new.json || test -e new.csv; then echo '# an empty report is left'; bad=1; fi
echo old >old.json
wrong 3 66 'nope.h5' transform --input nope.h5 --output o.h5 --json old.json
test "$(cat old.json)" = old || { echo '# an old report is gone'; bad=1; }
if test -c /dev/full; then wrong 1 74 'full' --grid 8 --json /dev/full; fi

# ---- files ----
wrong 1 64 'input' transform --output o.h5
wrong 3 64 'output' transform --input nope.h5
if "$PFFT3D" info 2>/dev/null | grep -q 'parallel, HDF5'; then
  head=$srcdir/data/colin27.h5
  wrong 3 66 'nope.h5' transform --input nope.h5 --output o.h5
  mkfifo pipe.h5
  wrong 3 66 'pipe.h5' transform --input pipe.h5 --output o.h5
  wrong 1 66 '' transform --input . --output o.h5
  : >empty.h5
  wrong 3 65 'empty' transform --input empty.h5 --output o.h5
  head -c 100000 "$head" >cut.h5
  wrong 3 65 'cut.h5' transform --input cut.h5 --output o.h5
  head -c 5000 "$0" >text.h5
  wrong 1 65 'text.h5' transform --input text.h5 --output o.h5
  wrong 3 65 'nope' transform --input "$head:/nope" --output o.h5
  cp "$head" there.h5
  wrong 3 73 'there.h5.*exists' transform --input "$head" --output there.h5
  wrong 3 64 'there.h5' transform --input there.h5 --output there.h5 --force
  wrong 1 73 'nonexistent' transform --input "$head" --output nonexistent/o.h5
  if test "$(id -u)" = 0 && mkdir small && mount -t tmpfs -o size=8m tmpfs small 2>/dev/null; then
    mounted=$work/small
    for ranks in 1 3 4; do
      wrong $ranks 73 'cannot reserve .*small/' transform --input "$head" --output small/o.h5
    done
    test -z "$(ls -A small)" || { echo '# left behind on the full disk:'; ls -A small | sed 's/^/# /'; bad=1; }
  fi
fi
echo "1..$number"
exit $bad
