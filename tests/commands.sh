#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Every command as a user types it: what it prints, its reports, and its files.  Answers in TAP.
set -u
: "${srcdir:?run by make check}" "${PFFT3D:?}" "${MPIRUN:?}" "${PYTHON:?}"
if ! test -x "$PFFT3D"; then echo '1..0 # SKIP no program in this build'; exit 0; fi
work=$(mktemp -d) || exit 99
trap 'rm -rf "$work"' EXIT
trap 'exit 130' HUP INT TERM
cd "$work" || exit 99
number=0 bad=0

# run RANKS ARGUMENTS...: output in out.txt and err.txt
run() {
  ranks=$1
  shift
  # shellcheck disable=SC2086  # MPIRUN is a command with options
  timeout 120 $MPIRUN -q -n "$ranks" "$PFFT3D" "$@" >out.txt 2>err.txt </dev/null
}

# check NAME COMMAND...: one test; the last output is shown when it fails
check() {
  name=$1
  shift
  number=$((number + 1))
  if "$@" >check.txt 2>&1; then
    echo "ok $number - $name"
  else
    bad=1
    echo "not ok $number - $name"
    cat check.txt out.txt err.txt 2>/dev/null | sed 's/^/# /'
  fi
}
says() { grep -q -e "$1" out.txt; }

for command in bench transform explain verify info; do
  check "$command --help" run 1 $command --help
  check "$command --help has examples" says 'pfft3d'
done
check '--version' run 1 --version
check '--version says it' says '^pfft3d [0-9]'
check 'info' run 1 info
for word in packed slabs pencils fftw naive slab bench transform explain verify; do
  check "info lists $word" says "$word"
done

check 'without mpirun' "$PFFT3D" --grid 8 --reps 1
for ranks in 1 2 3 4 6; do
  check "verify on $ranks ranks" run $ranks verify --grid 12x10x9
  check "the same bits on $ranks ranks" run $ranks verify --grid 12x10x9 --deterministic
  check "bench --algo all on $ranks ranks" run $ranks --grid 20x18x24 --algo all --reps 2
  check "verify in single precision on $ranks ranks" \
    run $ranks verify --grid 12x10x9 --precision single
done
check 'the default command is bench' run 2 --grid 16 --reps 1
check 'ranks without planes' run 6 verify --grid 3x2x5
check 'natural order' run 3 bench --grid 16x15x14 --order natural --algo all --reps 1
check 'threads' run 2 bench --grid 16x15x14 --threads 2 --algo all --reps 1
check 'deterministic' run 3 bench --grid 16x15x14 --deterministic --reps 1

# The lecture's figures, from a dry run and from a real one.
check 'explain 512 on 64' run 1 explain --grid 512 --ranks 64 --algo all --json explain.json
check 'bench on 4' run 4 bench --grid 32 --algo all --json bench.json --csv bench.csv --reps 3
check 'explain in single precision' \
  run 1 explain --grid 512 --ranks 64 --algo pencils --precision single --json explain-s.json
check 'bench in single precision' \
  run 4 bench --grid 32 --algo all --precision single --json bench-s.json --reps 1
cat >reports.py <<'END'
import csv, json, sys
def near(a, b): return abs(a - b) <= 1e-9 * max(abs(a), abs(b))
e = json.load(open("explain.json"))
assert e["schema"] == "pfft3d.report/1" and e["command"] == "explain"
want = {"packed": (63, 512 << 10), "slabs": (504, 64 << 10), "pencils": (4032, 8 << 10)}
for r in e["runs"]:
    m = r["messages"]
    if r["algo"] == "shared":
        assert m["remote_per_rank"] == 0
        continue
    count, size = want[r["algo"]]
    assert (m["remote_per_rank"], m["bytes_each_min"], m["bytes_each_max"]) == (count, size, size), m
    assert m["remote_bytes_per_rank"] == count * size
    assert r["idle_ranks"] == 0 and r["exchanges"] == 1
assert len(e["runs"]) >= 3
b = json.load(open("bench.json"))
for key in ("version", "date", "host", "nodes", "ranks", "ranks_per_node", "threads", "mpi", "fftw",
            "load_average", "seed", "problem"):
    assert key in b, key
assert b["schema"] == "pfft3d.report/1" and b["ranks"] == 4 and b["problem"] == "c2c:d:32x32x32"
seen = set()
for r in b["runs"]:
    seen.add((r["algo"], r["direction"]))
    t = r["time_s"]
    assert len(t["reps"]) == 3 and t["min"] <= t["median"] <= t["max"]
    assert r["check"]["pass"] is True
    for name in ("roundtrip", "parseval", "plane_wave", "sampled_dft"):
        assert 0 <= r["check"][name] <= r["check"]["limit"]
    for name in ("fft", "post", "wait", "sync"):
        p = r["phases"][name]
        assert p["min"] <= p["mean"] * (1 + 1e-12) and p["mean"] <= p["max"] * (1 + 1e-12)
    m = r["messages"]
    planes, rows, row = 8, 8, 32 * 16  # per rank, 32^3 on 4
    want = {"packed": (3, planes * rows * row), "slabs": (planes * 3, rows * row),
            "pencils": (planes * 24, row)}.get(r["algo"])
    if want: assert (m["remote_per_rank"], m["bytes_each_max"]) == want, (r["algo"], m)
    for key in ("plan_s", "gflops", "passes", "exchanges", "decision", "engine", "decomp", "pgrid",
                "order"):
        assert key in r, key
    for key in ("seconds", "gbs_per_rank", "raw_alltoall_s", "hidden_share"):
        assert key in r["exchange"], key
    assert r["memory"]["user_bytes"] == 32**3 // 4 * 16
assert {a for a, d in seen} >= {"packed", "slabs", "pencils"} and {d for a, d in seen} == {"forward", "backward"}
rows = list(csv.DictReader(open("bench.csv")))
assert len(rows) == len(b["runs"])
for row, r in zip(rows, b["runs"]):
    assert row["algo"] == r["algo"]
e = json.load(open("explain-s.json"))
assert e["problem"] == "c2c:s:512x512x512", e["problem"]
assert e["runs"][0]["messages"]["bytes_each_max"] == 4 << 10
assert e["runs"][0]["memory"]["user_bytes"] == 512**3 // 64 * 8
s = json.load(open("bench-s.json"))
assert s["problem"] == "c2c:s:32x32x32", s["problem"]
assert len(s["runs"]) == len(b["runs"])
for r in s["runs"]:
    assert r["memory"]["user_bytes"] == 32**3 // 4 * 8, r["memory"]
    assert r["check"]["pass"] is True
    assert near(r["check"]["limit"], 8 * 2**-23 * 15**0.5), r["check"]
    for name in ("roundtrip", "sampled_dft"):  # floats round; doubles would not be seen to
        assert 1e-9 < r["check"][name] <= r["check"]["limit"], r["check"]
print("reports agree")
END
check 'the reports say what they should' "$PYTHON" reports.py

if "$PFFT3D" info 2>/dev/null | grep -q 'parallel, HDF5'; then
  head=$srcdir/data/colin27.h5
  for ranks in 1 3 4; do
    check "transform forward on $ranks ranks" run $ranks transform --input "$head" --output "s$ranks.h5"
    check "transform backward on $ranks ranks" \
      run $ranks transform --direction backward --input "s$ranks.h5" --output "b$ranks.h5"
  done
  for ranks in 1 3; do
    check "transform in single precision on $ranks ranks" \
      run $ranks transform --precision single --input "$head" --output "single$ranks.h5"
    check "transform backward in single precision on $ranks ranks" \
      run $ranks transform --precision single --direction backward --input "single$ranks.h5" \
      --output "back$ranks.h5"
  done
  check 'transform backward in double precision what single has written' \
    run 3 transform --direction backward --input single1.h5 --output double.h5
  check 'transform over an old file' run 2 transform --input "$head" --output s1.h5 --force
  check 'no temporary left' test -z "$(ls -A | grep pfft3d-)"
  if "$PYTHON" -c 'import h5py, numpy' 2>/dev/null; then
    cat >files.py <<'END'
import h5py, numpy, sys
f = h5py.File(sys.argv[1])["intensity"][...].astype(float)
F = numpy.fft.fftn(f)
for ranks in (1, 3, 4):
    d = h5py.File("s%d.h5" % ranks)["intensity"]
    s, back = d[...], h5py.File("b%d.h5" % ranks)["intensity"][...]
    assert s.dtype == numpy.complex128 and s.shape == f.shape
    error = numpy.linalg.norm(s - F) / numpy.linalg.norm(F)
    assert error <= 1e-15, error
    assert abs(s[0, 0, 0] - 317151210) < 1e-6
    assert abs(s[1, 2, 3] - (3081870.908346712 - 2240865.786128744j)) < 1e-5
    assert abs(s[90, 100, 7] - (2853.725958793415 + 2319.698126827735j)) < 1e-5
    assert abs(back - f).max() < 1e-11
    for name in ("pfft3d_version", "problem", "direction", "normalization", "axes", "source", "spacing_mm"):
        assert name in d.attrs, name
    print(ranks, "ranks: relative L2 error", error)
for ranks in (1, 3):  # in single precision
    for name, want in (("single", F), ("back", f)):
        d = h5py.File("%s%d.h5" % (name, ranks))["intensity"]
        s, problem = d[...], d.attrs["problem"]
        assert s.dtype == numpy.complex64 and s.shape == f.shape, s.dtype
        assert (problem.decode() if isinstance(problem, bytes) else problem) == "c2c:s:181x217x181"
        error = numpy.linalg.norm(s.astype(complex) - want) / numpy.linalg.norm(want)
        assert error < 2e-6, (name, error)
        print(ranks, "ranks:", name, "in single precision, relative L2 error", error)
END
    check 'numpy agrees on the MRI volume' "$PYTHON" files.py "$head"
  else
    number=$((number + 1))
    echo "ok $number - numpy agrees on the MRI volume # SKIP no h5py"
  fi
fi
echo "1..$number"
exit $bad
