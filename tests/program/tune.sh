#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# tune and wisdom as users meet them: what one run has found the next one takes; a file that cannot
# be used is said once, and ends the run where it was asked for.  Answers in TAP.
# shellcheck disable=SC2086  # lists of options
. "${srcdir:?run by make check}/tests/lib/program.sh"
: "${PYTHON:?}"
# quiet: nothing on stderr;  notices N WORDS: N of them, with these words
quiet() { ! test -s err.txt; }
notices() { test "$(grep -c '^pfft3d: notice: ' err.txt)" = "$1" && { test "$1" = 0 || grep -q -e "$2" err.txt; }; }
# fails CODE WORDS RANKS ARGUMENTS...: one message
fails() {
  code=$1 words=$2
  shift 2
  run "$@"
  status=$?
  echo "status $status, should be $code"
  test $status = "$code" && test "$(grep -c '^pfft3d: ' err.txt)" -le 2 &&
    test "$(grep -c '^pfft3d: error: ' err.txt)" = 1 && grep -q -e "$words" err.txt
}
entries() { echo "$(grep -c '^problem=' "$2") entries, should be $1"; test "$(grep -c '^problem=' "$2")" = "$1"; }
own=$XDG_CACHE_HOME/pfft3d/wisdom
small='--grid 12x10x8 --reps 1'

# ---- found, kept, and taken ----
check 'no wisdom yet' fails 78 'there is no wisdom .*/wisdom' 3 $small --wisdom-required
check 'no file is no news' run 3 $small
check 'not a word of it' quiet
check 'tune' run 3 tune --grid 12x10x8 --reps 2 --plan-budget 20 --json tune.json --csv tune.csv
check 'it says nothing else' quiet
check 'it says what won' says '^fastest both: --.* --exchange [a-z]* --engine [a-z]*$'
check 'it says where it is kept' says "^kept in $own\$"
check 'the file has an entry for each order' entries 2 "$own"
check 'it says for which plans' says '^for plans of this problem on 3 ranks that leave their exchange open:$'
check 'those of bench' says '^  order=transposed  bench$'
check 'those of the library' says '^  order=natural     transform, and C, Fortran and Python by default$'
check 'nobody else can look' test "$(stat -c %a "$own" "$(dirname "$own")" | tr '\n' ' ')" = '600 700 '
check 'nothing else is there' test "$(ls -A "$(dirname "$own")")" = wisdom
check 'bench takes it' run 3 $small --wisdom-required --json bench.json
check 'it says so' says 'by wisdom$'
check 'it says nothing else' quiet
cat >reports.py <<'END'
import csv, json
t = json.load(open("tune.json"))
assert t["command"] == "tune" and t["problem"] == "c2c:d:12x10x8" and t["ranks"] == 3
runs = t["runs"]
assert 1 < len(runs) <= t["candidates"] and t["tuning_s"] > 0
times = [r["measured_s"] for r in runs]
assert times == sorted(times) and times[0] > 0
assert len({r["decision"] for r in runs}) == len(runs)
for r in runs:
    assert r["direction"] == "both" and r["predicted_s"] > 0 and r["repeats"] >= 1
    assert abs(r["ratio"] - r["measured_s"] / times[0]) < 1e-9 * r["ratio"]
rows = list(csv.DictReader(open("tune.csv")))
assert [row["decision"] for row in rows] == [r["decision"] for r in runs]
assert [float(row["measured_s"]) for row in rows] == times
best = {order: next(r for r in runs if r["order"] == order) for order in ("transposed", "natural")}
for entry in (l for l in open(t["wisdom"]) if l.startswith("problem=")):
    words = dict(w.split("=", 1) for w in entry.split())
    assert words["problem"] == t["problem"] and words["ranks"] == "3" and words["node-ranks"] == "3"
    run = best.pop(words["asked"].split(",order=")[1])
    assert words["decision"].replace(",", " ") == run["decision"], words
    assert abs(int(words["nanoseconds"]) - 1e9 * run["measured_s"]) <= 1
assert not best
best = next(r for r in runs if r["order"] == "transposed")
b = json.load(open("bench.json"))["runs"]
assert len(b) == 2
for r in b:
    assert r["decision"] == best["decision"] and r["plan_by"] == "wisdom"
    assert r["plan_reason"].startswith("wisdom: ")
END
check 'the reports agree' "$PYTHON" reports.py
check 'nothing is open: nothing to be asked' run 3 $small --wisdom-required --decomp slab --algo packed
check 'and nothing to be said of it' sh -c '! grep -q " by " out.txt'
check 'other ranks have none' fails 78 'none that can be used for c2c:d:12x10x8, .* on 2 ranks' 2 $small --wisdom-required
check 'the other order is known, too' run 3 $small --order natural --wisdom-required
check 'and taken' says 'order=natural.* by wisdom$'
check 'nor a fixed choice' fails 64 'take no wisdom' 1 $small --deterministic --wisdom-required
check '--deterministic does not ask' run 3 $small --deterministic
check 'the model decides' says 'by model$'
check '--wisdom none does not look' run 3 $small --wisdom none --plan-budget 0
check 'the model decides here too' says 'by model$'
check 'candidates are timed' run 3 $small --wisdom none --plan-budget 5
check 'it says that too' says 'by \(timing\|model\)$'
check 'tune what transform asks' run 2 tune --grid 12x10x8 --order natural --type r2c --plan-budget 20
check 'one order, if it is named' sh -c '! grep -q order=transposed out.txt'
check 'tune a line' run 2 tune --size 1009 --layout cyclic --plan-budget 20
check 'both are kept' entries 4 "$own"
check 'line takes it' run 2 line --size 1009 --layout cyclic --reps 1 --wisdom-required
check 'line says so' says 'by wisdom$'
check 'tune again' run 3 tune --grid 12x10x8 --reps 2 --plan-budget 0.001
check 'the same question has one answer' entries 4 "$own"
check 'names stand in the question' run 3 tune --grid 12x10x8 --order transposed --algo pairwise --decomp pencil --plan-budget 20
check 'of its own' entries 5 "$own"
check 'and are found' run 3 $small --algo pairwise --decomp pencil --wisdom-required
check 'as they are' says '^  plan       decomp=pencil pgrid=.* exchange=pairwise .* by wisdom$'
check 'pencils alone' run 3 tune --grid 12x10x8 --order transposed --decomp pencil --plan-budget 20
grid=$(sed -n 's/^fastest both: --pgrid \([0-9x]*\) .*/\1/p' out.txt)
check 'are found by their grid, too' run 3 $small --decomp pencil --pgrid "$grid" --wisdom-required
check 'and taken' says "^  plan       decomp=pencil pgrid=$grid .* by wisdom"
check 'verify, nas and all exchanges with wisdom' run 2 verify --grid 6x5x4 --wisdom "$own"
check 'the last two' run 2 nas --class S --wisdom none --plan-budget 0
check 'explain takes none' fails 64 'does not apply' 1 explain --grid 8 --wisdom x
cat >terminal.py <<'END'
import os, pty, sys
process, end = pty.fork()
if not process: os.execv(sys.argv[1], sys.argv[1:])
said = b""
try:
    while part := os.read(end, 4096): said += part
except OSError: pass # the other end is closed
assert os.waitpid(process, 0)[1] == 0, said
print("progress" if b"\r\033[Kplanning" in said else "none")
END
terminal() { limited "$limit" "$PYTHON" terminal.py "$PFFT3D" "$@" >terminal.txt && test "$(cat terminal.txt)" = "$words"; }
words=progress
check 'a terminal shows what is done' terminal bench --grid 8 --plan-budget 0.2 --wisdom none
words=none
check 'not with --quiet' terminal bench --grid 8 --plan-budget 0.2 --wisdom none --quiet

# ---- the variable ----
check 'a variable names the file' env PFFT3D_WISDOM="$work/mine" "$PFFT3D" tune --grid 9 --plan-budget 0.2
check 'which is used' entries 2 mine
PFFT3D_WISDOM=$work/mine
export PFFT3D_WISDOM
check 'and found' run 1 --grid 9 --reps 1 --wisdom-required
PFFT3D_WISDOM=none
check 'none: no file' fails 78 'there is no file of wisdom' 1 --grid 9 --reps 1 --wisdom-required
check 'the option is stronger' run 1 --grid 9 --reps 1 --wisdom-required --wisdom mine
unset PFFT3D_WISDOM
rm mine

# ---- files that cannot be used ----
cp "$own" mine
check 'a copy' run 3 $small --wisdom mine --wisdom-required
printf 'some notes\n' >notes
check 'a file that is no wisdom' run 3 $small --wisdom notes
check 'is said once' notices 1 "'notes' is ignored: it is no wisdom"
check 'and not replaced' fails 73 "'notes' is not replaced" 1 tune --grid 8 --wisdom notes
check 'it is as it was' test "$(cat notes)" = 'some notes'
check 'it is not enough' fails 78 'no wisdom of pfft3d' 3 $small --wisdom notes --wisdom-required
check 'a name that is not there' run 3 $small --wisdom missing
check 'is said once' notices 1 "there is no wisdom 'missing'"
check 'nor a directory' fails 73 'its directory is not there' 1 tune --grid 8 --wisdom missing/wisdom
sed 's/nanoseconds=./&1/' mine >damaged
check 'a damaged file' run 3 $small --wisdom damaged
check 'is said once' notices 1 "'damaged' is ignored: line 2 is damaged"
check 'it is not enough' fails 78 'line 2 is damaged' 3 $small --wisdom damaged --wisdom-required
head -c -30 mine >short
check 'a file that is cut off' run 3 $small --wisdom short
check 'is said once' notices 1 "'short' is ignored: it is cut off in line"
sed '1s/[0-9]*$/9/' mine >newer
check 'a file of a newer format' run 3 $small --wisdom newer
check 'is said once' notices 1 "its format is '9'"
check 'tune begins a damaged one anew' run 2 tune --grid 8 --wisdom damaged --plan-budget 5
check 'and says so' notices 1 'begins anew: line 2'
check 'it is whole again' run 2 --grid 8 --reps 1 --wisdom damaged --wisdom-required
chmod g+w mine
check 'a file that others may write' fails 77 "'mine' is refused: others may write to it" 1 $small --wisdom mine
check 'neither read nor written' fails 77 'refused' 1 tune --grid 8 --wisdom mine
chmod g-w mine
mkdir open && chmod o+w open && cp mine open/
check 'a directory that others may write' fails 77 'others may write to its directory' 1 $small --wisdom open/mine
chmod g+w "$own"
check 'the own file that others may write' run 3 $small
check 'is said once' notices 1 'is refused: others may write'
check 'it is not enough' fails 77 'is refused' 3 $small --wisdom-required
chmod g-w "$own"
cp damaged "$own.old" && sed 's/ranks=/ranks=1/' "$own.old" >"$own" && rm "$own.old"
check 'the own file, damaged' run 3 $small
check 'is said once' notices 1 'is ignored: line 2'

# ---- too large ----
check 'a problem that no node has memory for' \
  fails 71 'none of [0-9]* candidates .*: not enough memory: this needs .* TiB on the node, available are' \
  2 tune --grid 16384 --wisdom none
check 'tune without a file' run 1 tune --grid 8 --plan-budget 0.2 --wisdom none
check 'says that nothing is kept' says '^not kept: there is no file of wisdom'
if test -z "${ASAN_OPTIONS-}"; then
  # within KIB ARGUMENTS...: of a process, which Intel MPI takes two million of when it starts
  # shellcheck disable=SC3045  # dash and bash have -v
  within() (ulimit -v "$1" && shift && limited 60 "$PFFT3D" "$@" --wisdom none >out.txt 2>err.txt)
  walled() {
    within "$enough" --grid 512 --algo packed
    test $? = 71 && grep -q 'hint: a process may have .* [MG]iB at most here (ulimit -v)' err.txt
  }
  enough=900000
  if ! within $enough --grid 8; then enough=4000000; fi
  check 'a limit of the shell is named' walled
fi

# ---- writers at the same time ----
for grid in 4 5 6 7 8 9; do
  mkdir "tmp/$grid"
  TMPDIR=$work/tmp/$grid limited "$limit" "$PFFT3D" tune --grid $grid --plan-budget 0.2 --wisdom both -q 2>>both.txt &
done
wait
check 'six at once forget nothing' entries 12 both
check 'and it is whole' run 1 --grid 7 --reps 1 --wisdom both --wisdom-required
check 'and had nothing to say' test ! -s both.txt
check 'and left nothing' test -z "$(find . -name 'both.*lock' -o -name 'both.pfft3d-*')"

echo "1..$number"
exit $bad
