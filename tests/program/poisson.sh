#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# poisson as a user types it: orders of convergence, files against numpy, what is said where there is
# no solution, what is refused.  TAP.
. "${srcdir:?run by make check}/tests/lib/program.sh"
: "${PYTHON:?}" "${builddir:?run by make check}"

order() { # order: of the finest grid is 2, and the check passes
  "$PYTHON" - <<'END'
import json
run = json.load(open("p.json"))["runs"][-1]
assert abs(run["convergence"] - 2) <= 0.05 and run["check"]["pass"] is True, run
END
}
rounding() { # the finest grid has no error but rounding
  "$PYTHON" - <<'END'
import json
run = json.load(open("p.json"))["runs"][-1]
assert run["error"] <= 1e-13 and run["check"]["pass"] is True and "convergence" not in run, run
END
}
# alone ARGUMENTS...: as run, on one rank
alone() { limited $limit "$PFFT3D" "$@" >out.txt 2>err.txt </dev/null; }
ranks=1
for case in 64:dirichlet 48x33x40:neumann,neumann-node,periodic \
  1x1x64:dirichlet 64x50:dirichlet-cell,neumann 33x48x64:dirichlet,neumann,dirichlet-cell 64:open; do
  stencil='--stencil second'
  if test "${case#*:}" = open; then stencil=; fi
  # shellcheck disable=SC2086  # an option and its value
  check "second order: $case on $ranks ranks" run $ranks poisson --manufactured --reps 1 --grid "${case%:*}" \
    --bc "${case#*:}" $stencil --json p.json
  check 'it is 2' order
  ranks=$((ranks == 4 ? 6 : ranks == 6 ? 1 : ranks + 1))
done
for case in 48x32x40:periodic,neumann,dirichlet 64x33:neumann-node,dirichlet-cell 1x1x32:periodic; do
  check "spectral: $case on 3 ranks" run 3 poisson --manufactured --reps 1 --grid "${case%:*}" \
    --bc "${case#*:}" --length 0.5 --json p.json
  check 'only rounding is left' rounding
done
check 'an error' run 2 poisson --manufactured --reps 1 --grid 1x1x64 --bc dirichlet --stencil second --json p.json
check 'is the largest one over the largest value' "$PYTHON" -c '
import json
from math import cos, exp, pi, sin
n, x = 64, [pi * i / 65 for i in range(1, 65)]
exact = [sin(t) * exp(cos(t)) for t in x]
f = [(pi / 65) ** 2 * (sin(t) ** 2 - 3 * cos(t) - 1) * e for t, e in zip(x, exact)]
pivot, u = [-2.0], f[:]  # elimination in u[i-1] - 2 u[i] + u[i+1] = f[i]
for i in range(1, n):
    u[i] -= u[i - 1] / pivot[-1]
    pivot.append(-2 - 1 / pivot[-1])
for i in range(n - 1, -1, -1): u[i] = (u[i] - (u[i + 1] if i + 1 < n else 0)) / pivot[i]
want = max(abs(a - b) for a, b in zip(u, exact)) / max(exact)
have = json.load(open("p.json"))["runs"][-1]["error"]
assert abs(have - want) < 1e-9 * want, (have, want)'
check 'small grids' run 2 poisson --manufactured --grid 16 --reps 1
check 'are not judged' says 'not checked'
check 'axes that are not halved alike' run 2 poisson --manufactured --grid 33x256 --bc periodic --stencil second --reps 1
check 'are not judged' says 'not checked'
check 'free space in a box that is no cube' alone poisson --manufactured --bc open --grid 64x64x128 --length 1,1,2 --reps 1
check 'is judged on equal steps' says 'check PASS'
check 'with other steps' alone poisson --manufactured --bc open --grid 64 --length 1,1,2 --reps 1
check 'it is not' says 'not checked'
check 'an error below what has an order' alone poisson --manufactured --grid 1x1x4194304 --bc periodic --stencil second --reps 1
check 'is not judged' says 'not checked'
for bc in periodic neumann,periodic; do
  check "very long axes, $bc" alone poisson --manufactured --grid 32x32 --bc $bc --length 10000,1 --reps 1 --json p.json
  check 'are judged by what they make of rounding' "$PYTHON" -c '
import json
run = json.load(open("p.json"))["runs"][-1]
assert 1e-11 < run["error"] <= run["check"]["limit"] < 1e-6 and run["check"]["pass"], run'
done
check 'beside a short wall' alone poisson --manufactured --grid 32x32 --bc dirichlet,neumann --length 1,10000 --reps 1 --json p.json
check 'they are as others' "$PYTHON" -c 'import json; assert json.load(open("p.json"))["runs"][-1]["check"]["limit"] == 1e-11'
check 'far too long ones' alone poisson --manufactured --grid 32x32 --bc neumann --length 1e9,1 --reps 1
check 'are not judged' says 'not checked'
beyond() { # an error that is no number, on grids that are not judged
  alone poisson --manufactured --grid 8 --precision single --length 1e-30 --reps 1 --json p.json
  test $? = 76 && says ' nan ' && says 'check FAIL' && grep -q 'error: check failed: .* not finite' err.txt &&
    grep -q '"error": null' p.json
}
check 'errors beyond all numbers are no success' beyond
check 'single precision between ranks' run 2 poisson --manufactured --grid 32 --bc dirichlet --reps 1 --wire single --algo packed \
  --chunk 1K --local messages --deterministic --node-ranks 1 --json p.json
check 'is judged as such, and reported' "$PYTHON" -c '
import json
report = json.load(open("p.json"))
run = report["runs"][-1]
assert run["check"]["pass"] is True and run["check"]["limit"] == 1e-4, run
assert run["exchange"]["wire"] == "single" and 1e-9 < run["exchange"]["wire_error"] < 1e-6, run
have = {k: report.get(k) for k in ("chunk", "local", "deterministic", "node_ranks", "bc", "stencil", "seed")}
want = {"chunk": 1024, "local": "messages", "deterministic": True, "node_ranks": 1, "stencil": "spectral", "seed": None,
        "bc": "dirichlet,dirichlet,dirichlet"}
assert have == want and report["problem"] == run["problem"], have'
check 'a grid that is no square, and a few points' alone poisson --iterative --grid 3x5000,1x1,127x127 --reps 1 --watchdog 10
check 'leave out what takes minutes, and no more' sh -c 'test "$(grep -c "warning: .* is left out" err.txt)" = 1 &&
  grep -q "warning: Jacobi on 3x5000 is left out" err.txt && test "$(grep -c "x.*  Jacobi " out.txt)" = 2 &&
  test "$(grep -c "x.*  SOR " out.txt)" = 3 && test "$(grep -c "x.*  FFT " out.txt)" = 3'
check 'a first grid that takes minutes' run 1 poisson --iterative --grid 511x511 --reps 1
check 'is left out by that method alone' sh -c 'grep -q "warning: Jacobi on 511x511 is left out" err.txt &&
  grep -q "511x511  SOR " out.txt && ! grep -q Jacobi out.txt && test "$(grep -c "x.* FFT " out.txt)" = 1'
check 'in single precision' run 2 poisson --manufactured --grid 64 --precision single --threads 2 --reps 1
check 'within its rounding' says 'check PASS'
check 'iterative methods beside the FFT' \
  run 1 poisson --iterative --grid 7x15,31x31 --reps 3 --deterministic --csv methods.csv --json methods.json
check 'in a table' says '31x31  FFT '
multigrid='' lines=9
if built_with HYPRE; then multigrid=multigrid lines=11; fi
check 'and as CSV' sh -c "grep -q algorithm methods.csv && test \$(wc -l <methods.csv) = $lines"
check 'all have solved it' "$PYTHON" -c '
import csv, sys
rows = list(csv.DictReader(open("methods.csv")))
assert {r["algorithm"] for r in rows} == {"Jacobi", "SOR", "CG", "FFT"} | set(sys.argv[1:]), rows
assert all(float(r["residual"]) <= 2e-6 for r in rows), rows
cycles = [int(r["iterations"]) for r in rows if r["algorithm"] == "multigrid"]
assert all(0 < n <= 15 for n in cycles), cycles' $multigrid
check 'their times are those of the repeats' "$PYTHON" -c '
import json, statistics
report = json.load(open("methods.json"))
assert report["deterministic"] is True
for t in [r["time_s"] for r in report["runs"]]:
    assert len(t["reps"]) == 3 and t["median"] == statistics.median(t["reps"]) and t["min"] == min(t["reps"]), t'

# ---- files ----
files=no
if "$PYTHON" -c 'import h5py, numpy' 2>/dev/null || { PYTHON=/usr/bin/python3; "$PYTHON" -c 'import h5py, numpy' 2>/dev/null; }; then
  built_with HDF5 && files=yes
fi
if test $files = no; then
  echo "ok $((number + 1)) - files # SKIP no HDF5 in this build, or no python3 with h5py"
  echo "1..$((number + 1))"
  exit $bad
fi
. "$srcdir/tests/lib/served.sh"
"$PYTHON" - <<'END'
import h5py, numpy as np
rng = np.random.default_rng(1)
with h5py.File("in.h5", "w") as f:
    f["huge"] = np.full((8, 8, 8), 3e38)
    f["line"] = rng.standard_normal(31)
    f["plane"] = rng.standard_normal((12, 17))
    f["volume"] = rng.standard_normal((7, 10, 9))
    f["volume"].attrs["unit"] = "V"
    f["complex"] = rng.standard_normal((6, 5, 8)) + 1j * rng.standard_normal((6, 5, 8))
    f["ones"] = np.ones((4, 6), dtype="i4")
    f["nan"] = np.array([1.0, np.nan, 2.0])
    f["one"] = np.ones((3, 1))
    f["large"] = np.full((8, 8, 8), 1e200)
    x = rng.standard_normal((16, 16, 16))
    f["balanced"] = x - x.mean()
    f["small"] = 1e-200 * (x - x.mean())
    f["single"] = (x - x.mean()).astype("f4")
    f["pairs"] = f["single"][...].astype("c8")
END
# solved PATH BOUNDARIES LENGTHS: the matrix of every axis, made of its definition, returns f
solved() {
  "$PYTHON" - "$@" <<'END'
import sys, h5py, numpy as np
path, kinds, lengths = sys.argv[1], sys.argv[2].split(","), [float(x) for x in sys.argv[3].split(",")]
f, d = h5py.File("in.h5")[path][...], h5py.File("u.h5")[path]
u = d[...]
assert u.dtype == (np.complex128 if np.iscomplexobj(f) else np.float64) and u.shape == f.shape, u.dtype
assert d.attrs["bc"].decode() if isinstance(d.attrs["bc"], bytes) else d.attrs["bc"] == sys.argv[2]
got = np.zeros_like(u)
for axis, (kind, length) in enumerate(zip(kinds, lengths)):
    n = u.shape[axis]
    h = length / {"dirichlet": n + 1, "neumann-node": n - 1}.get(kind, n)
    a = np.diag(np.full(n, -2.0)) + np.diag(np.ones(n - 1), 1) + np.diag(np.ones(n - 1), -1)
    if kind == "periodic":
        a[0, -1] += 1; a[-1, 0] += 1
    if kind == "dirichlet-cell":
        a[0, 0] -= 1; a[-1, -1] -= 1
    if kind == "neumann":
        a[0, 0] += 1; a[-1, -1] += 1
    if kind == "neumann-node":
        a[0, 1] += 1; a[-1, -2] += 1
    got = got + np.moveaxis(np.tensordot(a / h**2, u, (1, axis)), 0, axis)
if all(k in ("periodic", "neumann") for k in kinds):
    f = f - f.mean()
    assert abs(u.mean()) < 1e-13
assert np.abs(got - f).max() < 1e-10, np.abs(got - f).max()
END
}
for case in 1:line:dirichlet:2 2:plane:periodic,neumann:1,3 3:volume:dirichlet,neumann-node,periodic:1,2,3 \
  4:volume:dirichlet-cell,periodic,neumann:1,1,1 6:complex:periodic,dirichlet,neumann:2,1,1 6:volume:periodic,neumann,periodic:1,1,1; do
  ranks=${case%%:*} rest=${case#*:}
  path=${rest%%:*} rest=${rest#*:}
  bc=${rest%:*} lengths=${rest##*:}
  check "$path, $bc, on $ranks ranks" run "$ranks" poisson -i "in.h5:/$path" -o u.h5 --force --bc "$bc" \
    --length "$lengths" --stencil second --wisdom none
  check 'solves the equation' solved "/$path" "$bc" "$lengths"
done
check 'free space of which some ranks hold nothing' run 4 poisson -i in.h5:/volume -o u.h5 --force --bc open
check 'ones have no periodic solution' run 2 poisson -i in.h5:/ones -o u.h5 --force --bc neumann
check 'the mean is named' grep -q 'warning: no solution: the mean of the right-hand side is 1, not 0; it was dropped' err.txt
check 'and u is 0' "$PYTHON" -c 'import h5py; assert abs(h5py.File("u.h5")["ones"][...]).max() < 1e-14'
for path in volume complex line; do
  check "the mean of $path, on 3 ranks" run 3 poisson -i in.h5:/$path -o u.h5 --force --decomp slab --deterministic --json p.json --csv p.csv
  check 'is that of numpy' "$PYTHON" -c '
import csv, json, sys, h5py
report = json.load(open("p.json"))
assert report["deterministic"] is True and report["bc"] == report["runs"][0]["bc"] and "seed" not in report, report
run, mean = report["runs"][0], h5py.File("in.h5")[sys.argv[1]][...].mean()
assert abs(run["mean"] - mean.real) < 1e-13, run
assert abs(run.get("mean_imaginary", 0) - mean.imag) < 1e-13 and ("mean_imaginary" in run) == (sys.argv[1] == "complex"), run
(row,) = csv.DictReader(open("p.csv"))
assert all(float(row[key]) == run[key] for key in run if key.startswith("mean")) and row["input.path"] == "/" + sys.argv[1], row' $path
done
# balanced WORDS...: there is no warning, and the mean is 0
balanced() {
  run "${on:-2}" poisson -o u.h5 --force --json p.json --wisdom none "$@" && ! grep -q warning err.txt &&
    "$PYTHON" -c 'import json; assert json.load(open("p.json"))["runs"][0]["mean"] == 0'
}
check 'a mean of 0 needs no warning' balanced -i in.h5:/balanced
check 'nor where data are single between ranks' balanced -i in.h5:/balanced --wire single --algo packed
check 'nor for small numbers' balanced -i in.h5:/small
on=1
for path in single pairs; do check "nor for what single precision has left of a mean: $path" balanced -i in.h5:/$path; done
check 'large numbers have a mean' run 2 poisson -i in.h5:/large -o u.h5 --force
check 'that is named' grep -q 'the mean of the right-hand side is 1e+200, not 0' err.txt
check 'walls need no such warning' run 2 poisson -i in.h5:/ones -o u.h5 --force --bc neumann,dirichlet
check 'there is none' sh -c '! grep -q warning err.txt'
check 'attributes of the input are kept' run 1 poisson -i in.h5:/volume -o u.h5 --force
check 'in the output' "$PYTHON" -c 'import h5py; assert h5py.File("u.h5")["volume"].attrs["unit"] in ("V", b"V")'

on=2
poisson_fails() { # STATUS WORDS ARGUMENTS...
  status=$1 words=$2
  shift 2
  fails "$status" "$words" poisson "$@"
}
check 'an output that exists' poisson_fails 73 "u.h5" -i in.h5:/volume -o u.h5
check 'a solution beyond all numbers' poisson_fails 76 'the result has values that are not finite' -i in.h5:/huge -o new.h5 \
  --precision single --bc dirichlet
check 'no such dataset' poisson_fails 65 'none' -i in.h5:/none -o new.h5
check 'no such file' poisson_fails 66 'none.h5' -i none.h5 -o new.h5
check 'too many for a line' poisson_fails 64 "neumann': expected one value$" -i in.h5:/line -o new.h5 --bc periodic,neumann
check 'too many conditions' poisson_fails 64 "expected one value, or 2 with commas" -i in.h5:/plane -o new.h5 --bc periodic,periodic,neumann
check 'too few' poisson_fails 64 'expected one value, or 3' -i in.h5:/volume -o new.h5 --bc periodic,neumann
check 'walls with one point' poisson_fails 65 'neumann-node: needs two points at least, axis 1 has 1' -i in.h5:/one -o new.h5 --bc periodic,neumann-node
mkdir disk
if mount -t tmpfs -o size=16k tmpfs disk 2>/dev/null; then
  cleanup() { umount disk 2>/dev/null; cd / && rm -rf "$work"; }
  check 'a full disk' poisson_fails 73 'No space left' -i in.h5:/volume -o disk/u.h5
  check 'holds nothing' sh -c 'test -z "$(ls -A disk)"'
  umount disk
fi
# Killed while it writes: the result of before is still there, and a run after it is none the worse.
killed() {
  cp u.h5 before.h5
  limited "$limit" strace -qq -o /dev/null -e trace=pwrite64 -e inject=pwrite64:signal=KILL:when=3 \
    "$PFFT3D" poisson -i in.h5:/volume -o u.h5 --force --quiet --wisdom none >out.txt 2>err.txt </dev/null
  test $? = 137 && cmp u.h5 before.h5 && run 1 poisson -i in.h5:/volume -o u.h5 --force
}
if test -z "${ASAN_OPTIONS-}" && strace -qq -o /dev/null -e inject=pwrite64:error=ENOSPC true 2>/dev/null; then
  check 'killed while it writes' killed
fi
check 'values that are not finite' run 1 poisson -i in.h5:/nan -o n.h5 --json n.json
check 'a warning says so' grep -q 'not finite: 1 of them' err.txt
check 'the report has no mean, and all else' "$PYTHON" -c '
import json
run = json.load(open("n.json"))["runs"][0]
assert run["mean"] is None and run["bc"] == "periodic" and run["n"] == [3], run'
check 'with --strict an error' poisson_fails 65 'not finite' -i in.h5:/nan -o new.h5 --strict
echo "1..$number"
exit $bad
