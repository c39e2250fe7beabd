#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# What explain and bench say, in words and in reports: the lecture's figures, from a dry run and from
# a real one.  Answers in TAP.
. "${srcdir:?run by make check}/tests/lib/program.sh"
: "${PYTHON:?}"

check 'explain 512 on 64' run 1 explain --grid 512 --ranks 64 --algo all --json explain.json
check 'bench on 4' run 4 bench --grid 32 --decomp slab --algo all --json bench.json --csv bench.csv --reps 3
check 'explain nodes' \
  run 1 explain --grid 512 --ranks 64 --algo node --node-ranks 16 --json explain-n.json
check 'explain single precision between ranks' \
  run 1 explain --grid 512 --decomp slab --ranks 64 --algo pencils --wire single --json explain-w.json
check 'single precision between 2 ranks' \
  run 2 bench --grid 32 --algo slabs,shared --wire single --json bench-w.json --csv bench-w.csv --reps 1
check 'its error in words' says '^  wire       single: relative error [1-5]\.[0-9]e-08$'
check 'explain in single precision' \
  run 1 explain --grid 512 --ranks 64 --algo pencils --precision single --json explain-s.json
check 'bench in single precision' \
  run 4 bench --grid 32 --algo all --precision single --json bench-s.json --reps 1
check 'bench of real fields' \
  run 4 bench --grid 32x24x18 --type r2c --pgrid 2x2 --batch 3 --algo all --json r2c.json --csv r2c.csv --reps 2
check 'bench of real fields says how flops are counted' says 'GFLOP/s (2.5 N log2 N)'
check 'bench of a plane' run 4 bench --grid 64x48 --decomp slab --json plane.json --reps 1
check 'explain pencils on many ranks' run 1 explain --grid 1030x515x63 --type r2c --ranks 65536 \
  --pgrid 200x30 --algo packed --json pencils.json
check 'explain pencils in words' \
  says 'axis 0 is cut in 200 parts: parts 0..29 hold 6, parts 30..199 hold 5; axis 1 in 30 parts: '
check 'explain slabs' run 1 explain --grid 10x7x3 --ranks 4 --decomp slab \
  --algo packed --json slabs.json
check 'explain slabs in words' says 'axis 0 is cut: ranks 0..1 hold 3 planes, ranks 2..3 hold 2 planes'
check 'explain slabs with idle ranks' \
  run 1 explain --grid 4x64x64 --ranks 16 --decomp slab --algo packed,pencils --json idle.json
check 'a warning of idle ranks' run 6 --grid 4x8x8 --algo all --decomp slab --reps 1 --direction forward
check 'it says what uses all' grep -q '2 of 6 ranks are idle.*only 4 planes' err.txt
check 'once' sh -c 'test "$(grep -c "idle.*--decomp pencil --pgrid .x. uses all" err.txt)" = 1'
check 'what is an exchange and what a decomposition' says '^forward: decomp=slab exchange=pencils engine='
# Several problems in one run.
check 'bench of three grids' \
  run 3 bench --grid 8,6x7x8,10x12 --algo packed,slabs --reps 2 --json sweep.json --csv sweep.csv
check 'a table ends the text' says '^c2c:d:1x10x12 *backward *slab .* PASS$'
check 'explain of two grids' run 1 explain --grid 64,128x100 --ranks 6 --algo packed --json sweep-x.json
check 'their table' says '^c2c:d:1x128x100 *forward *slab *packed .* KiB$'
check 'verify of two grids' run 2 verify --grid 4,6x5x4 --engine simd --algo packed --json sweep-v.json
check 'tune of two lines' \
  run 2 tune --size 60,2^7 --algo packed,slabs --plan-budget 0.4 --wisdom ./wisdom --json sweep-t.json
check 'two answers' sh -c 'test "$(grep -c nanoseconds= wisdom)" = 2'
check 'a name that is not UTF-8' run 1 tune --size 60 --plan-budget 0.1 --wisdom "$(printf './a b\351')" --json name.json
check 'in a report' grep -q '"wisdom": "./a b?"' name.json
check 'bench of two lines' run 2 line --size 60,2^7 --reps 1 --json sweep-l.json --wisdom ./wisdom --wisdom-required
check 'a problem that does not fit is left out' run 2 bench --grid 8,16384 --reps 1
check 'the others are there' says '^c2c:d:8x8x8 '
check 'it is said' grep -q 'warning: problem 2 of 2 is left out: not enough memory' err.txt
check 'bench of one grid twice' \
  run 2 bench --grid 32,32 --reps 1 --warmup 0 --plan-budget 5 --wisdom none --json by.json
check 'the reports say what they should' "$PYTHON" "$srcdir/tests/program/reports.py"
# A load that is not this run's.
cat >load.c <<'END'
#include <stdlib.h>
int getloadavg(double load[], int count) {
  for (int k = 0; k < count; k++) load[k] = 99;
  return count;
}
END
doubted() {
  cc -shared -fPIC -D_DEFAULT_SOURCE load.c -o load.so || return 1
  limited 60 env LD_PRELOAD="$PWD/load.so" "$PFFT3D" --grid 8 --reps 3 --direction forward --json doubt.json --csv doubt.csv \
    >out.txt 2>err.txt && says 'doubt  *load average 99.0, more than the 1 rank of this run' &&
    grep -q '"doubt": "load average 99.0' doubt.json && grep -q '99.0, more than' doubt.csv
}
if test -z "${ASAN_OPTIONS-}"; then check 'times under load are doubtful' doubted; fi

echo "1..$number"
exit $bad
