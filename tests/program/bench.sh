#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The comparison with other libraries (make bench) sees wrong results, its own and those of others, and
# keeps what it has measured when it is stopped.  Nothing is timed for its time.  Answers in TAP.
. "${srcdir:?run by make check}/tests/lib/program.sh"
: "${builddir:?}"
: "${PYTHON:=/usr/bin/python3}"
if ! grep -q '^bench: .*bench_peers' "$builddir/Makefile"; then
  echo '1..0 # SKIP no FFTW-MPI when this was configured'
  exit 0
fi
make -C "$builddir" V=0 bench_peers bench_solve bench_stretched bench_dropin libpfft3d_fftw3_mpi.la >make.txt 2>&1 || {
  sed 's/^/# /' make.txt
  exit 99
}
job=
cleanup() {
  if test -n "$job"; then kill -TERM "$job" 2>/dev/null; fi
  rm -rf "$work"
}
# ranks N COMMAND...
ranks() {
  count=$1
  shift
  # shellcheck disable=SC2086  # a command with options
  limited $limit $MPIRUN -n "$count" "$@" >out.txt 2>err.txt </dev/null
}

# FFTW has 3, 3 and 1 of 7 planes, and 2, 2, 2, 1 and 0.
for count in 1 2 3; do check "a stretched axis on $count ranks" ranks $count "$builddir/bench_stretched" 1 6 12; done
for count in 1 3 5; do check "solutions on $count ranks" ranks $count "$builddir/bench_solve" 1 7 cells 7; done
dropin=$builddir/.libs/libpfft3d_fftw3_mpi.so
if test -f "$dropin"; then
  check 'the drop-in' ranks 3 env LD_LIBRARY_PATH="$builddir/.libs" LD_PRELOAD="$dropin" PFFT3D_FFTW=all \
    "$builddir/bench_dropin" 1 512 512
  check 'has compared its results' sh -c 'grep -q "^8x8x8 .*pfft3d$" out.txt && ! grep -q WRONG out.txt'
fi

# Batches of FFTW-MPI: results of both its ways are compared with those of single fields before.
batches() {
  mkdir -p batches
  ranks "$1" "$builddir/bench_peers" --sizes 7x6x5 --type both --batch 3 --algo packed --reps 1 --in-a-row 100 --out batches &&
    "$PYTHON" -c 'import json
found = set()
for r in json.load(open("batches/bench.json"))["results"]:
    both = [r[d] for d in ("forward", "backward")]
    assert not any(b["wrong"] for b in both), r["contender"]
    assert all(b["ratio"] > 0 and b["p99_s"] >= b["median_s"] for b in both), r["contender"]
    found.add((r["family"], r["kind"], r["order"], r["fields"], r["batch"]))
for family in "FFTW-MPI", "pfft3d":
    for kind in "c2c", "r2c":
        for order in "transposed", "natural":
            for batch in (1, 1), (3, 1), (3, 3):
                if (family, kind, batch) != ("FFTW-MPI", "r2c", (3, 3)): # there it plans some grids only
                    assert (family, kind, order, *batch) in found, (family, kind, order, batch)'
}
for count in 1 2 3; do check "batches on $count ranks" batches $count; done

# refused WORD: as a peer, in one line
refused() {
  ranks 2 "$builddir/bench_peers" --sizes 8 --peers "$1"
  status=$?
  own err.txt
  test $status = 64 && test "$(wc -l <err.txt)" = 1 && grep -q "unknown name, or not in this build: '$1'" err.txt
}
check 'a peer that nobody knows' refused nobody
if ! built_with MKL_CDFT; then check 'a peer of other builds' refused mkl; fi

# Stopped in the second problem, which takes seconds to plan.
stopped() {
  mkdir kept
  # shellcheck disable=SC2086
  $MPIRUN -n 2 "$builddir/bench_peers" --sizes 8,160 --algo packed --order natural --reps 20 --out kept >out.txt 2>err.txt </dev/null &
  job=$!
  tenths=0
  while test ! -e kept/bench.json && test "$tenths" -lt 3000 && kill -0 "$job"; do
    sleep 0.1
    tenths=$((tenths + 1))
  done
  kill -TERM "$job" 2>/dev/null
  wait "$job"
  job=
  "$PYTHON" -c 'import json
sizes = {r["size"] for r in json.load(open("kept/bench.json"))["results"]}
assert sizes == {"8x8x8"}, sizes'
}
check 'what was measured is kept' stopped

# The table of steps of turbulence, and what is there before all turns are done.
table() {
  printf 'size,rule,turn,who,step_s,fft_share,energy,load\n64,2/3,1,pfft3d,1,0.5,0.125,0\n64,2/3,1,other,1,0.5,%s,0\n' "$1" >table.csv
  "$PYTHON" "$srcdir/jobs/bench/turbulence_table.py" table.csv >out.txt
}
check 'energies that agree' table 0.125
wrong_table() { ! table "$1" && grep -q 'other: WRONG' out.txt; }
for energy in 0.126 nan; do check "an energy of $energy is wrong" wrong_table $energy; done

# mpi4py-fft on one rank, by numpy: $BAD is the direction whose result is no number.
mkdir -p stub/mpi4py_fft results
cat >stub/mpi4py_fft/__init__.py <<'END'
import os
import numpy as np
class Field(np.ndarray):
    def local_slice(self):
        return tuple(slice(0, n) for n in self.shape)
class PFFT:
    def __init__(self, comm, shape, collapse, **_):
        assert collapse is True
        self.shape = shape
    def put(self, name, values, out):
        out[...] = values
        if os.environ.get("BAD") == name:
            out[0, 0, 0] = np.nan
    def forward(self, u, uh, normalize):
        self.put("forward", np.fft.fftn(u), uh)
    def backward(self, uh, u, normalize):
        self.put("backward", np.fft.ifftn(uh) * uh.size, u)
    def destroy(self):
        pass
def newDistArray(fft, forward):
    return np.zeros(fft.shape, complex).view(Field)
END
cat >results/bench.json <<'END'
{"reps": 1, "results": [{"size": "6x5x4", "order": "transposed", "kind": "c2c", "fields": 1, "points": 120, "flops": 1000,
 "family": "FFTW-MPI", "forward": {"median_s": 1}, "backward": {"median_s": 1}}]}
END
peer() { env BAD="$1" PYTHONPATH="$work/stub" "$PYTHON" "$srcdir/jobs/bench/peer_mpi4py.py" results >out.txt 2>err.txt; }
wrong_peer() { peer "$1" && grep -q 'WRONG, not timed: error nan' out.txt; }
if "$PYTHON" -c 'import mpi4py, numpy' 2>/dev/null; then
  check 'mpi4py-fft is checked' peer none
  check 'and right' sh -c '! grep WRONG out.txt'
  for direction in forward backward; do check "a wrong $direction is seen" wrong_peer $direction; done
fi

# It has no classes for turbulence, so that the first turn ends early.
unfinished() {
  echo old >results/turbulence.csv
  ! (cd "$builddir" && env OUT="$work/results" PYTHON="$PYTHON" PYTHONPATH="$work/stub" RULES=none WAYS=slab STEPS=1 \
    sh "$srcdir/jobs/bench.sh" --turbulence 1 8) && test "$(cat results/turbulence.csv)" = old
}
check 'a table of before stays until another is done' unfinished
echo "1..$number"
exit $bad
