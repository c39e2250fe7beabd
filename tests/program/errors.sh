#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# What users do wrong with files, and what goes wrong at the start: each case must end on all ranks with
# its own exit code, with exactly one message in the words expected, and leave no file behind.  Answers
# in TAP.  Command lines that are wrong whatever files there are: tests/program/bad_lines.txt.
. "${srcdir:?run by make check}/tests/lib/program.sh"
mounted=
cleanup() {
  if test -n "$mounted"; then umount "$mounted"; fi
  rm -rf "$work"
}

# wrong RANKS CODE WORDS ARGUMENTS...: WORDS is a grep pattern for the one message.  $under: what
# starts all this, if anything.
under=
wrong() {
  ranks=$1 code=$2 words=$3
  shift 3
  number=$((number + 1))
  rm -f out.txt err.txt # of what came before
  before=$(ls -A . 2>/dev/null)
  # shellcheck disable=SC2046,SC2086  # commands with options, or nothing
  limited 60 $under $(launcher "$ranks") "$PFFT3D" "$@" >out.txt 2>err.txt </dev/null
  status=$?
  # MPICH's launcher says 9 where it has to kill the other ranks, Intel's 255
  case ${HYDRA-}${I_MPI_ROOT:+i}:$code.$status in 1:79.9 | 1i:79.9 | 1i:79.255) status=79 ;; esac
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

# ---- reports ----
wrong 3 66 'nope.h5' transform --input nope.h5 --output o.h5 --json new.json --csv new.csv
if test -e new.json || test -e new.csv; then echo '# an empty report is left'; bad=1; fi
echo old >old.json
wrong 3 66 'nope.h5' transform --input nope.h5 --output o.h5 --json old.json
test "$(cat old.json)" = old || { echo '# an old report is gone'; bad=1; }
if test -c /dev/full; then wrong 1 74 'full' --grid 8 --json /dev/full; fi
mkfifo pipe # whose other end nobody opens
wrong 1 79 'no progress for 2 s while starting' --grid 8 --json pipe --watchdog 2
wrong 3 79 'no progress for 2 s while starting' --grid 8 --csv pipe --watchdog 2
wrong 1 79 'no progress for 2 s while starting' explain --grid 8 --machine pipe --watchdog 2

wrong 3 64 '--json and --csv: both name' --grid 8 --json r.txt --csv ./r.txt
echo node_ranks 2 >m.txt
wrong 3 64 'cuts of axis 0 of the field: they end at 15, the axis at 16' --grid 16 --cuts 0:0,5,5,15
wrong 1 64 "cuts 'even': must be balanced, ceil or lists" explain --grid 16 --ranks 4 --cuts even
wrong 1 64 'cuts of axis 0 of the field: 3 parts' explain --size 1024 --ranks 2 --cuts 0:0,1,2,3
wrong 1 64 '--size and --bricks: one is of lines' explain --size 1024 --ranks 2 --bricks 1x1x2
wrong 1 64 "bricks '2x2': must be three numbers from 1 on, as in bricks=2x1x2" explain --grid 16 --ranks 4 --bricks 2x2
wrong 3 64 'bricks 2x1x2: need 4 ranks, there are 3' --grid 16 --bricks 2x1x2
wrong 1 64 '--json .*: that is the description of the machine' explain --grid 8 --ranks 4 --machine m.txt --json ./m.txt
# a file of a killed run in a container, where this one gets the same number
leftover() {
  sh -c 'echo >.r.json.pfft3d-$$-0; exec "$@"' sh "$PFFT3D" --grid 8 --reps 1 --quiet --json r.json || return 1
  test -s r.json && rm r.json .r.json.pfft3d-*
}
check 'what a killed run left is not in the way' leftover
wrong 1 64 'dct1 of axis 2: 1 point is too short, it needs 2' --grid 8x8x1 --kind dct1
wrong 1 64 'kind none for all axes' --grid 8 --kind none
wrong 3 64 'unknown; valid are dft, none, dct1' --grid 8 --kind dct2,dct9,dft
wrong 1 64 'must be one for all axes, or 3' --grid 8 --kind dct2,dct2
wrong 1 64 'keep 4 along axis 1: must be 8, since its kind is dht' --grid 8 --kind dft,dht,dft --keep 4
wrong 3 69 'layout cyclic: a line of kind dct2 is in blocks' line --size 64 --kind dct2 --layout cyclic
wrong 1 69 'order transposed: the spectrum of a line of kind dst4' line --size 64 --kind dst4 --order scrambled
wrong 1 69 'cuts: a line of kind dct2' line --size 64 --kind dct2 --cuts ceil
wrong 1 64 'kind none for all axes' line --size 64 --kind none
wrong 1 64 'must be one for all axes, or 1' line --size 64 --kind dct2,dct2
wrong 1 64 'dct1 of axis 2: 1 point is too short, it needs 2' line --size 1 --kind dct1
wrong 1 64 'option --kind does not apply' nas --kind dct2
wrong 3 64 'keep 9 along axis 0: must be 1 to 8' --grid 8 --keep 9
wrong 1 64 'keep 4 along axis 1: must be 8, since its kind is none' explain --grid 8 --keep 8,4,8 --kind dft,none,dft
wrong 1 64 'sign +1: the spectrum of a real field' --grid 8 --type r2c --sign +1
wrong 1 64 '--size and --keep: one is of lines' explain --size 64 --keep 2/3
wrong 1 69 'none of the named exchanges' explain --map --algo shared --grids 64 --rank-counts 4

# ---- results that are wrong ----
spoil=${builddir:?}/tests/faults/.libs/spoil.so
if test -f "$spoil"; then
  for kind in '' SPOIL=nan; do
    under="env $kind LD_PRELOAD=$spoil${LD_PRELOAD:+:$LD_PRELOAD}"
    for command in 'bench --grid 12' 'verify --grid 12' 'line --size 360' 'nas --class S' 'poisson --manufactured --grid 64'; do
      # shellcheck disable=SC2086  # words
      wrong 1 76 'check failed' $command --engine fftw
    done
    if built_with HDF5; then
      for command in 'transform -o wrong.h5' 'spectrum --csv wrong.csv' 'compress -o wrong.h5 --share 1%'; do
        # shellcheck disable=SC2086  # words
        wrong 1 76 'check failed\|not finite' $command -i "${srcdir:?}/data/colin27.h5:/intensity[:40,:40,:40]" --engine fftw
      done
    fi
  done
  under=
else
  number=$((number + 1))
  echo "ok $number - results that are wrong # SKIP a build without FFTW"
fi

# ---- a thread of MPI that crashes when all is over ----
late() {
  # shellcheck disable=SC2086  # a command with options
  limited $limit $MPIRUN -n 3 env LD_PRELOAD="${builddir:?}/tests/faults/.libs/late.so${LD_PRELOAD:+:$LD_PRELOAD}" \
    "$PFFT3D" bench --grid 8 --reps 1 --json late.json >out.txt 2>err.txt </dev/null &&
    test -s late.json && says PASS && ! grep -q 'Signal:' err.txt
}
if test -z "${HYDRA-}"; then
  check 'a crash behind the end of a run is no failure of it' late
else # it kills ranks of which one has ended
  number=$((number + 1))
  echo "ok $number - a crash behind the end of a run # SKIP of Open MPI"
fi

# ---- memory for a plan, but not for the checks ----
# fits KIB: whether a plan and its arrays do, where so much can be addressed
fits() {
  # shellcheck disable=SC2086  # a command with options
  limited 60 $MPIRUN -n 3 sh -c 'ulimit -v "$1"; shift; exec "$@"' sh "$1" "$PFFT3D" bench --grid 192x192x96 \
    --algo packed --engine simd --decomp slab --reps 1 --no-verify --wisdom none >out.txt 2>&1 </dev/null
}
low=100000 high=4000000
if test -z "${ASAN_OPTIONS-}" && fits $high; then # sanitizers address far more, and report it
  if fits 800000; then high=800000; fi
  # an array of a rank has 18432 KiB
  while test $((high - low)) -gt 8000; do
    if fits $(((low + high) / 2)); then high=$(((low + high) / 2)); else low=$(((low + high) / 2)); fi
  done
  echo "ulimit -v $high; exec \"$PFFT3D\" \"\$@\"" >limited.sh
  whole=$PFFT3D PFFT3D=sh
  wrong 3 71 'no memory' limited.sh verify --grid 192x192x96 --algo packed --engine simd --type c2c --decomp slab \
    --wisdom none
  PFFT3D=$whole
else
  number=$((number + 1))
  echo "ok $number - verify without memory # SKIP not with so little to address"
fi

# hundreds of GiB, where one row of the field is the tile of a thread
wrong 1 71 'not enough memory' bench --grid 1x1x1000000 --engine simd --threads 4096 --wisdom none
lacking() {
  run 1 bench --grid 1x1x1000000 --engine simd --algo packed,shared --threads 4096 --wisdom none
  test $? = 71 && grep -q 'packed is left out: not enough memory' err.txt
}
check 'a plan without memory is left out' lacking
check 'a problem without memory is left out of a sweep, wherever it is' \
  run 1 bench --grid 100000,8 --algo packed --reps 1 --wisdom none
check 'with a warning' grep -q 'problem 1 of 2 is left out: not enough memory' err.txt
check 'more elements than one call counts: the run is fine' \
  eval 'PFFT3D_TEST_MAX_COUNT=7 run 3 bench --grid 12 --algo packed --reps 1 --json counts.json'
check 'what one call would take is not known' grep -q '"raw_alltoall_s": null' counts.json

# ---- a run that takes longer than the watchdog, but moves on ----
check 'a long axis is planned in no time' \
  run 1 bench --grid 1x1x2097152 --reps 1 --watchdog $((limit / 6)) --wisdom none
# kicks GRID: how often the watchdog is told that a run moves on
kicks() {
  limited $limit strace -qq -e trace=alarm -o trace.txt "$PFFT3D" bench --grid "$1" --algo packed \
    --engine simd --decomp slab --deterministic --reps 1 --wisdom none >out.txt 2>err.txt </dev/null
  grep -c '^alarm' trace.txt
}
if test -z "${ASAN_OPTIONS-}" && strace -qq -o trace.txt -e trace=alarm true 2>/dev/null; then
  check 'the watchdog hears of long sums' eval 'test $(kicks 128) -ge $(($(kicks 64) + 20))'
else
  number=$((number + 1))
  echo "ok $number - the watchdog hears of long sums # SKIP no strace, or under sanitizers"
fi
# Candidates that are alike are timed until the budget is spent; now and then none is near the best one.
long_timing() {
  for _ in 1 2 3 4 5; do
    run 2 tune --grid 128 --order natural --algo packed,pairwise,persistent --decomp slab --engine simd --reps 100000 \
      --plan-budget 3 --watchdog 2 --wisdom none || return
    if says 'Timed 3 of 3 candidates in [2-9]\.[0-9]* s'; then return; fi
  done
  return 1
}
check 'timing candidates for longer than the watchdog waits' long_timing

# ---- a rank that never comes to MPI, for which the others wait ----
whole=$PFFT3D PFFT3D=$work/some.sh
cat >"$PFFT3D" <<END
#!/bin/sh
test "\${OMPI_COMM_WORLD_RANK:-\${PMI_RANK:-0}}" != 1 || exec sleep 40
echo \$\$ >first.pid
exec "$whole" "\$@"
END
chmod +x "$PFFT3D"
: >first.pid # wrong() counts files
wrong 3 79 'no progress for 2 s while starting' --grid 8 --watchdog 2
# asked SIGNAL: of a rank that waits for it
asked() {
  rm -f first.pid
  run 2 --grid 8 &
  until grep -q '^SigBlk:.*[4-7c-f]...$' "/proc/$(cat first.pid 2>/dev/null)/status" 2>/dev/null; do sleep 0.1; done
  kill -"$1" "$(cat first.pid)"
  wait $!
  test $? = 75 && grep -q "stopped by signal $1 while starting" err.txt && test "$(wc -l <err.txt)" = 1
}
if test -z "${HYDRA-}" && test -r /proc/self/status; then
  for name in TERM INT; do check "SIG$name ends the wait" asked $name; done
else
  skip 'signals end the wait' 'no Linux, or a launcher with other codes'
fi
PFFT3D=$whole

# ---- several programs in a job ----
apart() {
  # shellcheck disable=SC2086  # a command with options
  limited $limit $MPIRUN -n 1 "$PFFT3D" --grid 8 : -n 1 "$PFFT3D" --grid 16 >out.txt 2>err.txt </dev/null
  test $? = 64 && test "$(grep -c '^pfft3d: ' err.txt)" = 1 && grep -q 'rank 1 was started with other options' err.txt
}
check 'ranks with other options' apart

# ---- files ----
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
  wrong 1 64 'that is the input' transform --input there.h5 --output o.h5 --json there.h5
  cmp there.h5 "$head" || { echo '# the input is gone'; bad=1; }
  wrong 3 64 'that is the output' transform --input there.h5 --output o.h5:/x --csv ./o.h5
  wrong 3 73 'there.h5.*exists' transform --input "$head" --output there.h5
  wrong 3 64 'there.h5' transform --input there.h5 --output there.h5 --force
  wrong 1 73 'nonexistent' transform --input "$head" --output nonexistent/o.h5
  if test "$(id -u)" = 0 && mkdir small && mount -t tmpfs -o size=8m tmpfs small 2>/dev/null; then
    mounted=$work/small
    for ranks in 1 3 4; do
      wrong $ranks 73 'cannot reserve .*small/' transform --input "$head" --output small/o.h5
    done
    head -c 9000000 /dev/zero >small/filler 2>dd.txt
    wrong 1 74 'No space left' --grid 8 --reps 1 --json small/r.json
    rm small/filler dd.txt
    check 'nothing is left on the full disk' sh -c 'ls -A small && test -z "$(ls -A small)"'
  else
    number=$((number + 1))
    echo "ok $number - a full disk # SKIP only root may mount one, and not everywhere"
  fi
  # Open MPI's lock on an input, by the last part of its name, that a killed job has left behind
  if test -w /dev/shm; then
    locked=locked-$$.h5
    check 'an input' run 1 transform --input "$head" --output "$locked" --precision single
    head -c 32 /dev/zero >"/dev/shm/sem.OMPIO_$locked"
    check 'an input that a killed job has left locked' \
      run 3 transform --input "$locked" --direction backward --output back.h5 --watchdog 20
    rm -f "/dev/shm/sem.OMPIO_$locked"
  fi
fi
echo "1..$number"
exit $bad
