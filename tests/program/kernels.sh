#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# kernels as a user types it: every algorithm in the report, its phases, its errors, what is left out.
# TAP.
. "${srcdir:?run by make check}/tests/lib/program.sh"
: "${PYTHON:?}"

kernels='dft recursive dit dif natural stockham2 stockham4 radix2 spmd1 spmd2 multistage simd'
# fails STATUS ARGUMENTS...: run() on one rank ends with it
fails() {
  want=$1
  shift
  run 1 "$@"
  test $? = "$want"
}

check 'all kernels' run 1 kernels --sizes 2^10,8,12 --threads 1,2 --batch 3 --reps 3 --json k.json --csv k.csv
for word in $kernels; do check "the table has $word" says "^$word  *2 "; done
check 'it has every size' says '^1024 points (2^10), double precision, 3 lines'
check 'kernels for powers of two are left out of others, and named' \
  grep -q 'warning: 12 points: without recursive, dit, dif, .*, multistage: powers of two only$' err.txt
check 'each reason by itself' run 1 kernels --sizes 34 --kernel dft,dit,clfft,dif --reps 1
check 'powers of two' grep -q 'warning: 34 points: without dit, dif: powers of two only$' err.txt
check 'small primes' grep -q 'warning: 34 points: without clfft: products of small primes only$' err.txt
check 'the report' "$PYTHON" - "$kernels" <<'END'
import csv, json, math, sys
runs = json.load(open("k.json"))["runs"]
names = set(sys.argv[1].split())
assert names <= {r["kernel"] for r in runs if r["size"] == 1024 and r["threads"] == 2}
assert {"dft", "simd"} <= {r["kernel"] for r in runs if r["size"] == 12} <= {"dft", "simd", "fftw"}
phases = {"dit": {"bit_reversal", "butterfly1"}, "spmd2": {"roots", "butterfly2"}, "stockham4": set(),
          "spmd1": {"bit_reversal", "roots", "butterfly1", "butterfly2"}}
for r in runs:
    t = r["time_s"]
    assert 0 < t["min"] <= t["median"] <= t["max"] and len(t["reps"]) == 3 and r["device"] == "cpu", r
    assert r["batch"] == 3 and r["precision"] == "double" and r["check"]["pass"] is True, r
    assert r["error"] <= r["check"]["limit"] <= 1.2e-16 * max(math.sqrt(r["size"]), 1) and r["wrong"] == 0, r
    assert r["error"] > 0 or r["size"] < 8, r
    if r["kernel"] in phases: assert set(r["phases"]) == phases[r["kernel"]], r
    assert sum(p["median"] for p in r["phases"].values()) <= t["median"] * (1 + 1e-12), r
    assert sum(p["mean"] for p in r["phases"].values()) <= t["mean"] * (1 + 1e-12), r
    rate = 3 * 5 * r["size"] * math.log2(r["size"]) / t["median"] / 1e9
    assert abs(r["gflops"] / rate - 1) < 1e-9, r
rows = list(csv.DictReader(open("k.csv")))
assert len(rows) == len(runs)
for row, r in zip(rows, runs):
    assert row["kernel"] == r["kernel"] and int(row["size"]) == r["size"] and int(row["threads"]) == r["threads"]
    assert float(row["error"]) == r["error"] and float(row["time_s.median"]) == r["time_s"]["median"]
    assert ("roots" in r["phases"]) == bool(row["phases.roots.median"]), row
END
check 'single precision' run 1 kernels --sizes 1,2,4,2^12 --kernel dit,stockham4,spmd1 --threads 3 --precision single --json k.json
check 'errors of single precision' "$PYTHON" -c '
import json
runs = json.load(open("k.json"))["runs"]
assert len(runs) == 12 and all(r["check"]["pass"] and r["precision"] == "single" for r in runs)
assert all(3e-8 < r["error"] < 3e-7 for r in runs if r["size"] == 4096), runs'
for precision in single double; do
  check "lengths with large primes in $precision precision" run 1 kernels --sizes 8191,8147,134,5758,8064 --kernel simd,fftw \
    --reps 1 --precision $precision --json k.json
  check 'have twice the limit of others' "$PYTHON" -c '
import json, math, sys
unit = 2.0**-24 if sys.argv[1] == "single" else 2.0**-53
for r in json.load(open("k.json"))["runs"]:
    limit = (1 if r["size"] == 8064 else 2) * unit * math.sqrt(math.log2(r["size"]))
    assert abs(r["check"]["limit"] / limit - 1) < 1e-12 and r["check"]["pass"] is True, r' $precision
done
check 'what takes minutes is left out' run 1 kernels --sizes 2^18 --kernel dft,stockham4 --reps 1 --no-verify
check 'and named' grep -q 'warning: dft with 262144 points is left out: it takes n^2 steps, about [0-9]* s' err.txt
check 'without the check there is no error' sh -c "! grep -q 'e-16' out.txt"
check 'matrices' run 1 kernels --sizes 16x64,64x2,2x8,64 --kernel all --batch 3 --threads 2 --reps 1 --json k.json --csv k.csv
check 'their size' says '^16 x 64 points, double precision, 3 matrices'
check 'what takes lines only is left out, and named' grep -q 'warning: 64x2 points: without dft, .*, multistage: lines only$' err.txt
check 'the report of matrices' "$PYTHON" -c '
import csv, json
runs = json.load(open("k.json"))["runs"]
for n in ([16, 64], [64, 2], [2, 8]):
    of_n = [r for r in runs if r.get("n") == n]
    assert "simd" in {r["kernel"] for r in of_n} <= {"simd", "fftw"}, of_n
    assert all(r["size"] == n[0] * n[1] and r["check"]["pass"] and 0 < r["error"] <= r["check"]["limit"] for r in of_n), of_n
assert {"dit", "simd"} <= {r["kernel"] for r in runs if r["size"] == 64 and "n" not in r}
assert "16x64" in {row["n"] for row in csv.DictReader(open("k.csv"))}'
for size in 12x8 8x8x8 8x 8x1 1000000000000x1000000000000; do
  check "$size is refused" fails 64 kernels --sizes "$size"
done
check 'a kernel for lines refuses a matrix' fails 69 kernels --sizes 8x8 --kernel dit
check 'and says so' grep -q "'8x8': 'dit' takes lines only" err.txt
check 'a line that no memory holds' fails 71 kernels --sizes 2^40 --kernel dit
check 'and what to do' grep -q '^pfft3d: hint: take fewer points' err.txt
check 'any order of names' run 1 kernels --sizes 64 --kernel simd,dif --reps 1 --quiet --csv -
check 'CSV on stdout' says '^.*kernel,device,precision,batch'
echo "1..$number"
exit $bad
