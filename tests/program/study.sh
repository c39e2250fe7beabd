#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# jobs/study.sh as a user calls it: lines, stopping and going on, weak grids, failures, wrong
# options, tables, and plots.  What the tables say is worked out again from the lines by
# study_check.py.  Answers in TAP.
. "${srcdir:?run by make check}/tests/lib/program.sh"
python=/usr/bin/python3
"$python" -c '' 2>/dev/null || python=python3
"$python" -c '' 2>/dev/null || { echo '1..0 # SKIP no python3'; exit 0; }
PYTHON=$python
export PYTHON
job=
cleanup() {
  if test -n "$job"; then kill -TERM "$job" 2>/dev/null; fi
  rm -rf "$work"
}

study() { limited 250 sh "$srcdir/jobs/study.sh" "$@" >out.txt 2>&1 </dev/null; }
# ends STATUS WORDS ARGUMENTS...: a study that ends so, with these words
ends() {
  code=$1 words=$2
  shift 2
  study "$@"
  status=$?
  echo "status $status, expected $code; words '$words'"
  test "$status" = "$code" && grep -q -e "$words" out.txt
}
wrong() { # WORDS ARGUMENTS...: usage, one message, nothing made
  words=$1
  shift
  ends 64 "$words" --out wrong "$@" && test "$(grep -c error: out.txt)" = 1 &&
    test "$(wc -l <out.txt)" -le 2 && test ! -e wrong
}
right() { "$python" -B "$srcdir/tests/program/study_check.py" "$@"; }

# The launcher starts the program for real, and where the file slow is makes the run endless.
cat >launch <<END
#!/bin/sh
if test -e "$work/slow"; then
  touch "$work/started"
  exec $MPIRUN "\$@" --grid 64 --reps 100000
fi
exec $MPIRUN "\$@"
END
chmod +x launch
LAUNCH=$work/launch
CORES=2
export LAUNCH CORES

check '--help' ends 0 'examples:' --help
check 'an unknown option' wrong 'unknown option .--gird.: did you mean --grids?' --gird 8 --ranks 1
check 'no ranks' wrong 'ranks is missing' --grids 8
check 'no grids' wrong 'grids is missing' --ranks 1
check 'a wrong grid' wrong "grids: '8y'" --grids 4,8y --ranks 1
check 'a wrong number of ranks' wrong "ranks: '0'" --grids 8 --ranks 1,0
check 'a wrong kind of scaling' wrong "did you mean 'strong'" --scaling stong --grids 8 --ranks 1
check 'two kinds of scaling' wrong 'one of them' --scaling strong,weak --grids 8 --ranks 1
check 'a wrong exchange' wrong "exchanges 'pakced': unknown; valid are packed" --algos pakced --grids 8 --ranks 1
check 'and the nearest one' grep -q "did you mean 'packed'" out.txt
check 'a wrong decomposition' wrong "decomps: 'sphere'" --decomps sphere --grids 8 --ranks 1
check 'a wrong precision' wrong "precisions: 'half'" --precisions half --grids 8 --ranks 1
check 'a wrong number of repeats' wrong "reps: 'x'" --reps x --grids 8 --ranks 1
check 'an option that the study sets' wrong 'json behind --' --grids 8 --ranks 1 -- --json x
check 'no program' sh -c "PFFT3D=/nonexistent sh '$srcdir/jobs/study.sh' --out wrong --grids 8 \
  --ranks 1 >out.txt 2>&1; test \$? = 69 && grep -q 'error: no program' out.txt"
check 'plots of no study' ends 66 'no study in' --out wrong --plots-only

# Stopped in the second point by SIGTERM, SIGUSR2 and SIGKILL in turn, then to the end.
strong='--out strong --scaling strong --grids 16,24 --ranks 1,2,3 --reps 3'
# stopped SIGNAL STATUS: a study whose next run is endless
stopped() {
  rm -f started
  touch slow
  # shellcheck disable=SC2086  # words
  sh "$srcdir/jobs/study.sh" $strong >out.txt 2>&1 </dev/null &
  job=$!
  seconds=0
  while test ! -e started && test "$seconds" -lt 120; do
    sleep 1
    seconds=$((seconds + 1))
  done
  sleep 1 # the ranks may have begun, or not: both must do
  kill "-$1" "$job"
  wait "$job"
  status=$?
  job=
  rm -f slow
  echo "status $status, expected $2"
  test "$status" = "$2"
}
study --out strong --scaling strong --grids 16 --ranks 1 --reps 3
check 'a first point' test "$(wc -l <strong/results.jsonl)" = 1
cp strong/results.jsonl first
check 'SIGTERM stops it with 75' stopped TERM 75
check 'it says how to go on' grep -q 'stopped by a signal: 5 points are left' out.txt
check 'SIGUSR2 stops it with 75' stopped USR2 75
check 'nothing is left of the point' \
  sh -c 'cmp first strong/results.jsonl && test -z "$(ls -d strong/.run-* 2>/dev/null)"'
check 'killed' stopped KILL 137
printf '{"schema":"pfft3d.rep' >>strong/results.jsonl
# shellcheck disable=SC2086
check 'it goes on' ends 0 '1 of 6 points are there already' $strong
check 'a broken line was dropped' grep -q 'last line .* was broken' out.txt
check 'oversubscription is said' \
  grep -q 'warning: 2 points have more ranks x threads than the 2 cores' out.txt
check 'the first line is what it was' sh -c 'head -n 1 strong/results.jsonl | cmp - first'
check 'every point is there once' right points strong 6
cp strong/results.jsonl before
# shellcheck disable=SC2086
check 'nothing is run again' ends 0 '6 of 6 points are there already' $strong
check 'no byte has changed' cmp before strong/results.jsonl
check 'another number of repeats belongs elsewhere' \
  ends 64 "with --reps '3', this one has '4'" --out strong --grids 16 --ranks 1 --reps 4
check 'tables say what the lines say' right tables strong
check 'tables for people' grep -q '^| 3\* | packed | .* | 2 |' strong/tables.md

check 'weak scaling' ends 0 'tables.md' --out weak --scaling weak --grids 16,6x5x4 --ranks 1,2,6 \
  --algos packed,pencils --types r2c --precisions single --direction both --decomps slab,pencil --reps 2
check 'elements of a rank are constant' right weak weak
check 'tables of weak scaling' right tables weak
right halved weak hybrid
check 'the same with threads' ends 0 'tables.md' --out hybrid --plots-only
check 'tables of ranks and threads' right tables hybrid
check 'threads that halve the time are as efficient' right same_efficiency hybrid

unset LAUNCH
case $MPIRUN in
  /*) # another MPI than that of the PATH
    mkdir bin && printf '#!/bin/sh\nexec %s "$@"\n' "${MPIRUN%% *}" >bin/mpirun && chmod +x bin/mpirun
    ln -s mpirun bin/mpirun.openmpi # which it asks for first
    PATH=$work/bin:$PATH
    ;;
esac
CORES=1 # so that nothing is bound here
check 'threads, with the default launcher, and options of the program' ends 0 \
  'on 2 ranks of 2 threads: ' --out threads --grids 12,16 --ranks 2 --threads 2 --reps 2 -- --order natural
check 'they are in the lines' right threads threads
LAUNCH=$work/launch CORES=2
export LAUNCH

bad_study='--out bad --grids 20000,16 --ranks 1,2 --reps 1 --algos packed'
# shellcheck disable=SC2086
check 'a point that fails does not keep others back' \
  ends 71 'error: 20000x20000x20000 .* status 71: .*needs' $bad_study
check 'it is recorded' right failed bad
check 'it is in the tables' grep -q '^\* 20000x20000x20000 .*: status 71, .*needs' bad/tables.md
# shellcheck disable=SC2086
check 'it is run again, others are not' ends 71 '2 of 4 points are there already' $bad_study
check 'once more recorded' right failed bad

check 'without gnuplot there are tables' sh -c "rm -rf weak/plots weak/tables.csv; \
  GNUPLOT=/nonexistent sh '$srcdir/jobs/study.sh' --out weak --plots-only >out.txt 2>&1 && \
  grep -q 'no plots: gnuplot is not installed' out.txt && test -s weak/tables.csv && test ! -e weak/plots"
if command -v "${GNUPLOT:-gnuplot}" >/dev/null 2>&1; then
  check 'plots only' ends 0 'plots in weak/plots' --out weak --plots-only
  for name in strong-16x16x16-c2c-double-forward strong-24x24x24-c2c-double-forward \
    phases-strong-16x16x16-3-c2c-double-forward rate-strong-2-c2c-double-forward \
    crossover-strong-2-c2c-double-forward; do
    check "plot $name" right plot "strong/plots/$name" packed slabs pencils
  done
  for name in weak-16x16x16-r2c-single-forward weak-6x5x4-r2c-single-backward; do
    check "plot $name" right plot "weak/plots/$name" 'packed (slab)' 'pencils (pencil)'
  done
else
  skip 'plots' 'no gnuplot'
fi
echo "1..$number"
exit $bad
