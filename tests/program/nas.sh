#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# NAS FT as a user runs it: the classes that are quickly done, on all numbers of ranks, with every
# exchange, decomposition and engine; its text, its report, and the comparison with the original.  TAP.
. "${srcdir:?run by make check}/tests/lib/program.sh"
: "${PYTHON:?}"
limit=300
nas() { # nas RANKS OPTIONS...
  ranks=$1
  shift
  run "$ranks" nas "$@"
}

# verified CLASS RUNS: RUNS runs, each with the sums of the table to all of their 13 digits but
# for the last, by a reader of its own
verified() {
  grep -q UNSUCCESSFUL out.txt && return 1
  "$PYTHON" - "$1" "$2" "$srcdir/data/nas_ft_checksums.csv" <<'END'
import csv, json, sys
letter, runs, table = sys.argv[1], int(sys.argv[2]), sys.argv[3]
want = [complex(float(r[6]), float(r[7])) for r in csv.reader(open(table)) if r[0] == letter]
report = json.load(open("nas.json"))
assert report["verified"] is True and report["class"] == letter, report["class"]
assert len(want) == report["iterations"] and len(report["runs"]) == runs, len(report["runs"])
for run in report["runs"]:
    assert run["verified"] is True and run["check"]["pass"] is True
    have = [complex(*c) for c in run["checksums"]]
    assert len(have) == len(want)
    for h, w in zip(have, want):
        assert abs(h - w) <= 1e-12 * abs(w), (h, w)
    assert run["mops"] > 0 and run["gflops"] > 0 and run["time_s"]["median"] > 0
    phases = run["phases"]
    assert set(phases) == {"initial", "fft", "post", "wait", "checksum", "sync"}
    spent = sum(p["mean"] for p in phases.values())  # by the ranks; the time is the slowest one's
    assert 0 < spent <= 1.001 * run["time_s"]["mean"], (spent, run["time_s"])
    assert all(0 <= p["min"] <= p["mean"] * 1.001 <= p["max"] * 1.002 for p in phases.values())
END
}

fails() { # fails STATUS WORDS RANKS ARGUMENTS...: with this status and one message
  want=$1 words=$2
  shift 2
  nas "$@"
  status=$?
  test "$status" = "$want" && test "$(grep -c 'error:' err.txt)" = 1 && grep -q -e "$words" err.txt
}

engines=simd
if "$PFFT3D" info | grep -q '^fftw *fftw-'; then engines=simd,fftw; fi
exchanges=$("$PFFT3D" info --json - | "$PYTHON" -c 'import json, sys
print(len(json.load(sys.stdin)["exchanges"]))')
of=$((exchanges * $(echo "$engines" | tr ',' '\n' | wc -l)))

for ranks in 1 2 3 4 6; do
  check "class S, slabs, on $ranks ranks" \
    nas $ranks --class S --algo all --engine $engines --reps 1 --json nas.json
  check "class S, slabs, on $ranks ranks: sums" verified S $of
  # Class W is twelve times the work: on one number of ranks.
  class=S
  if test $ranks = 4; then class=W; fi
  check "class $class, pencils, on $ranks ranks" \
    nas $ranks --class $class --decomp pencil --algo all --reps 1 --json nas.json
  check "class $class, pencils, on $ranks ranks: sums" verified $class "$exchanges"
done
check 'natural order, threads' \
  nas 3 --class S --algo all --order natural --threads 2 --reps 1 --json nas.json
check 'natural order, threads: sums' verified S "$exchanges"
check 'deterministic, grid 3x2' \
  nas 6 --class S --pgrid 3x2 --deterministic --reps 2 --json nas.json --csv nas.csv
check 'deterministic, grid 3x2: sums' verified S 1
check 'the CSV has a line for the run' sh -c 'test "$(wc -l <nas.csv)" = 2 && grep -q mops nas.csv'

# The text is in the original's form, and what reads that form reads it.
check 'the result block' nas 2 --class S --reps 1
cp out.txt own.txt
for line in ' T =    1     Checksum =    5.5460870049..E+02    4.8453633319..E+02' \
  '^ FT Benchmark Completed.$' '^ Class           =                        S$' \
  '^ Size            =             64x  64x  64$' '^ Iterations      =                        6$' \
  '^ Time in seconds = *[0-9.]*$' '^ Total processes =                        2$' \
  '^ Mop/s total     = *[0-9.]*$' '^ Mop/s/process   = *[0-9.]*$' \
  '^ Verification    =               SUCCESSFUL$'; do
  check "it has '$line'" grep -q -e "$line" own.txt
done

check 'plans that leave a rank without work' nas 3 --class S --algo packed,pairwise --pgrid 1x2 --reps 1
check 'one warning says so' sh -c 'test "$(grep -c "1 of 3 ranks is idle: their grid is 1x2" err.txt)" = 1'
check 'it is not active' grep -q '^ Active processes= *2$' out.txt

# What the original prints, three times.
for time in 0.12 0.06 0.09; do
  grep '^ T =' own.txt | sed 's/E+/D+/g' # as Fortran writes it
  cat <<END


 FT Benchmark Completed.
 Class           =                        S
 Size            =             64x  64x  64
 Iterations      =                        6
 Time in seconds =                     $time
 Total processes =                        4
 Active processes=                        4
 Mop/s total     =                 $(echo "$time" | awk '{ printf "%.2f", 177 / $1 }')
 Verification    =               SUCCESSFUL
 Version         =                    3.4.2
END
done >original.txt
check 'compared with the original, whose class is taken' \
  nas 2 --compare original.txt --reps 1 --json nas.json
check 'the original: the median of three runs' grep -q '^ Time in seconds *0\.0900 ' out.txt
check 'the original: its rate' grep -q '^ Mop/s total *1966\.67 ' out.txt
check 'the original: another number of processes' grep -q 'number of processes differs' out.txt
check 'in the report' "$PYTHON" -c 'import json
o = json.load(open("nas.json"))["original"]
assert o["class"] == "S" and o["runs"] == 3 and o["seconds"] == 0.09 and o["ranks"] == 4
assert o["verified"] is True and o["checksum_error"] < 1e-12'
sed 's/SUCCESSFUL/UNSUCCESSFUL/; s/5.5460870/5.5460871/' original.txt >wrong.txt
check 'an original that failed is shown as such' nas 2 --compare wrong.txt --reps 1
check 'its sums too' grep -q '^ Checksums off by *1\.[0-9]e-08' out.txt
# Counts that are none are not guessed at.
sed 's/^ Total processes.*/ Total processes = 99999999999/; s/^ Iterations.*/ Iterations = 6x/' original.txt >odd.txt
check 'an original with odd counts' nas 2 --compare odd.txt --reps 1 --json odd.json
check 'which are taken for unknown' "$PYTHON" -c 'import json
o = json.load(open("odd.json"))["original"]
assert o["ranks"] == 0 and o["iterations"] == 0, o'

check 'another class' fails 65 'is of class S, this run is of class W' 2 --class W --compare original.txt
check 'no such file' fails 66 "cannot read 'none'" 1 --compare none
check 'a folder' fails 66 "cannot read" 1 --compare .
head -n 8 original.txt >cut.txt
check 'a file cut off' fails 65 'not the output of a whole' 1 --compare cut.txt
: >empty.txt
check 'an empty file' fails 65 'is empty' 1 --compare empty.txt
sed '0,/Class .* S$/s// Class = W/' original.txt >mixed.txt
check 'two classes in a file' fails 65 'several classes' 1 --compare mixed.txt
check 'no such class' fails 64 "'F': valid: S, W, A, B, C, D, E" 2 --class F
check 'no grid of its own' fails 64 'does not apply' 1 --grid 64

echo "1..$number"
exit $bad
