#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Hundreds of ranks on simulated machines (tests/smpi/README.md): every exchange on 64 ranks, ranks
# without work, the same times to the bit in every run, and those that the model predicts.
# Skipped where there is no SimGrid.  Answers in TAP.
. "${srcdir:?run by make check}/tests/smpi/start.sh"

# ---- what run.sh says of how a program ended ----
ends() { # HOW CODE
  simulate_program fattree 2 "$work/ends" "$1"
  test $? = "$2"
}
check 'a program with MPI only' smpicc -O1 "$srcdir/tests/smpi/ends.c" -o "$work/ends"
check 'an exit code is passed on' ends 7 7
check 'a deadlock is noticed' ends deadlock 90
check 'so is MPI_Abort' ends abort 91

# ---- every exchange on 64 ranks; the way back is a part of its check roundtrip ----
right() { # NAME MACHINE OPTIONS...
  name=$1 machine=$2
  shift 2
  simulate "$machine" 64 bench --direction forward --reps 1 --warmup 0 --json "$name.json" "$@" &&
    "$PYTHON" "$tools/check.py" passed "$name.json" "$exchanges"
}
exchanges=packed,slabs,persistent,node
check '64 ranks, slabs' right slab fattree --grid 65x64x20 --decomp slab --algo $exchanges
exchanges=pairwise,alltoallw,pencils,rma
check '64 ranks, pencils' right pencil opteron2006 --grid 24x20x28 --pgrid 8x8 --algo $exchanges
exchanges=packed,slabs
check '64 ranks, real fields in single precision' right real ethernet --grid 66x65x8 --decomp slab \
  --type r2c --precision single --algo $exchanges
# ---- one axis, and fewer points than ranks ----
for n in 1 67 4096; do
  check "64 ranks, 1x1x$n" right line$n fattree --grid 1x1x$n --algo $exchanges
done

# All ranks share memory on one node only, however many they are.
sed 's/^node_ranks.*/node_ranks 64/' "$machines/fattree.machine" >one.machine
exchanges=shared
check '64 ranks of one node, shared' right shared "$work/one.machine" --grid 64x64x16 \
  --decomp slab --algo shared
refused() {
  simulate fattree 64 bench --grid 64 --algo shared 2>refused.txt
  test $? = 69 && grep -q 'shared memory: 8 ranks are here, the others of 64 elsewhere' refused.txt
}
check 'on 8 nodes it is refused' refused

# ---- ranks without work ----
idle() {
  simulate opteron2006 64 bench --grid 30x34x4 --decomp slab --algo slabs --direction forward \
    --reps 1 --warmup 0 --json idle.json && "$PYTHON" "$tools/check.py" idle idle.json 34
}
check '64 ranks, 34 of them idle' idle

# ---- times ----
twice() {
  set -- opteron2006 64 bench --grid 64x64x16 --decomp slab --algo slabs,node --direction forward --reps 1 --warmup 0 --no-verify
  simulate "$@" --json twice.1.json && simulate "$@" --json twice.2.json &&
    "$PYTHON" "$tools/check.py" same twice.1.json twice.2.json
}
check 'the same times in another run, to the bit' twice
recorded() {
  BUILD=$builddir sh "$srcdir/jobs/simulate.sh" --timeline times.json opteron2006 64 --grid 64x64x16 --decomp slab \
    --algo slabs,node --direction forward --reps 1 --warmup 0 --no-verify --quiet --json recorded.json &&
    "$PYTHON" "$tools/check.py" same twice.1.json recorded.json 1e-12
}
check 'and with a timeline' recorded
check 'its messages are those of the report' "$PYTHON" "$srcdir/tests/program/timeline.py" times.json recorded.json
check 'its clock is that of the simulated machine' "$PYTHON" "$tools/check.py" clock times.json recorded.json
check 'times of the model on fattree' near fattree

# ---- tables that go on: rows of another program or machine are measured again ----
cat >tables.py <<'END'
import os, sys
sys.path.insert(0, sys.argv[1])
import scaling
scaling.DATA = '.'
def write(name, text):
    with open(name, 'w') as file:
        file.write(text)
def collected():
    done = []
    def measured(case):
        done.append(case[0])
        return dict(machine=case[0], ranks=case[1], simulated_s=1, predicted_s=1)
    scaling.collect('t/t.csv', ['machine', 'ranks', 'simulated_s', 'predicted_s'], 2, [('a', 1), ('b', 1)], 'p', measured)
    rows = open('t/t.csv').read().splitlines()
    assert len(rows) == 3 and rows[0].startswith('machine,'), rows
    return done
for name in ('p', 'a.machine', 'b.machine'):
    write(name, name)
assert collected() == ['a', 'b']
assert collected() == []
write('b.machine', 'another')
assert collected() == ['b']
write('p', 'another')
assert collected() == ['a', 'b']
write('t/t.csv', 'machine,ranks,simulated_s,predicted_s\na,1,1,1\n')
assert collected() == ['a', 'b'] and os.path.exists('t/t.csv.old')
END
check 'tables have one program and one description' "$PYTHON" -B tables.py "$tools"

# ---- a step of turbulence: its energy at t = 0.1, and twelve transforms by the model ----
steps() {
  set -- --algo packed --engine simd --decomp slab
  simulate fattree 64 turbulence --grid 128 --nu 0.000625 --dt 0.05 --time 0.1 --json steps.json "$@" &&
    simulate fattree 1 explain --grid 128 --type r2c --batch 3 --keep 2/3 --ranks 64 --json said.json "$@" &&
    "$PYTHON" "$tools/check.py" steps steps.json said.json 0.124953117 20
}
check 'steps of turbulence on 64 ranks' steps

echo "1..$number"
exit $bad
