#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Lines as a user types them: every layout, order, kind and precision, sizes that ranks divide and
# others, and what the reports say.  Answers in TAP.
. "${srcdir:?run by make check}/tests/lib/program.sh"
: "${PYTHON:?}"

# Every other line, unless all are to be tried: each on some numbers of ranks, each number with some.
turn=0
line() {
  turn=$((turn + 1))
  if test $((turn % 2)) = 1 || test -n "${PFFT3D_TEST_ALL-}"; then
    name=$1 ranks=$2
    shift 2
    check "$name on $ranks ranks" run "$ranks" line --reps 1 "$@"
  fi
}
for ranks in 1 2 3 4 6; do
  line 'batch of lines' $ranks --size 360 --batch 5 --algo all
  line 'line' $ranks --size 720 --algo all
  line 'line of a prime size' $ranks --size 1009
  line 'line in turn' $ranks --size 1728 --layout cyclic --algo all --engine all
  line 'line of real numbers' $ranks --size 1155 --layout cyclic --out-layout block --type r2c
  line 'line of a kind' $ranks --size 250 --kind dst2 --algo all --batch 2 --threads 2
  line 'line in scrambled order' $ranks --size 1000 --order scrambled --precision single --type r2c
done
for ranks in 1 2 4; do
  line 'both methods' $ranks --size 512 --method all --order scrambled --precision single
  line 'both methods, other layouts' $ranks --size 1K --method all --layout cyclic --out-layout block
  turn=$((turn + 1))
done
check 'a long line of a kind, whose factors are in no table' \
  run 3 line --size 65537 --kind dst3 --reps 1 --algo packed
check 'line: the butterfly is left out on 3 ranks' run 3 line --size 1000 --method all --reps 1
check 'it says so' grep -q 'warning: butterfly.* is left out' err.txt
check 'line: more ranks than points' run 6 line --size 5 --reps 1
check 'it warns of idle ranks' grep -q '1 of 6 ranks is idle: there are only 5 points' err.txt
check 'line of one point' run 2 line --size 1 --reps 1 -q
check 'line: a layout that does not fit' run 3 line --size 1000 --layout cyclic --reps 1
check 'it says what blocks take' grep -q 'cyclic layouts fit.* take [0-9]* exchanges, blocks [0-9]' err.txt
check 'line as 1d, threads and deterministic' \
  run 2 1d --size 2^10 --threads 2 --deterministic --direction backward --reps 1 -v
check 'line: reports' run 4 1d --size 4K --layout cyclic --algo all --method transpose --reps 3 \
  --json line.json --csv line.csv
check 'line: --hpcc' \
  run 4 1d --size 2^12 --method butterfly --order scrambled --hpcc --reps 1 --json hpcc.json
check 'line: --hpcc says Gflop/s' says '  Gflop/s: '
check 'line: --hpcc says the verdict' says 'threshold 16.0: PASSED'
check 'line: --hpcc without an inverse' run 3 1d --size 2^10 --direction forward --hpcc --reps 1
check 'line: --hpcc says Gflop/s all the same' says '  Gflop/s: '
check 'explain a line' run 1 explain --size 1M --ranks 16 --layout cyclic --algo packed --method all \
  --latency 1e-6 --bandwidth 1e9 --json line-explain.json
check 'explain says what the butterfly costs' says 'butterfly .* exchanges: '
check 'explain says who wins' says 'transpose .* 1 exchange: 15 a + 960 KiB b, the cheapest'
check 'explain a line in words' says 'cyclic: ranks 0..15 hold 65536 elements'
check 'explain a line of a kind' run 1 explain --size 1M --ranks 16 --type r2c --kind dct4 --algo packed
check 'explain counts its redistributions' says '  passes .*, 5 exchanges'
check 'explain a short line on many ranks' \
  run 1 explain --size 1K --ranks 256 --order scrambled --algo packed --json line-short.json
check 'explain a line on 3 ranks' run 1 explain --size 1000 --ranks 3 --layout cyclic --json line-3.json
check 'the reports of lines say what they should' "$PYTHON" "$srcdir/tests/program/line_reports.py"
echo "1..$number"
exit $bad
