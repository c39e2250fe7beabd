#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# What explain predicts: times worked out by hand, where slabs and pencils meet, maps, descriptions
# of machines, and the tables and plots of jobs/scaling.sh.  Answers in TAP.
. "${srcdir:?run by make check}/tests/lib/program.sh"
python=/usr/bin/python3
"$python" -c '' 2>/dev/null || python=python3
"$python" -c '' 2>/dev/null || { echo '1..0 # SKIP no python3'; exit 0; }
PYTHON=$python
export PYTHON PFFT3D

explain() { limited 100 "$PFFT3D" explain "$@" >out.txt 2>err.txt </dev/null; }
# ends STATUS WORDS ARGUMENTS...: explain ends so, with one message of these words
ends() {
  code=$1 words=$2
  shift 2
  explain "$@"
  status=$?
  echo "status $status, expected $code; words '$words'"
  test "$status" = "$code" && grep -q -e "$words" err.txt &&
    test "$(grep -c '^pfft3d: error: ' err.txt)" = 1 && test ! -s out.txt
}

# ---- numbers ----
cat >predict.py <<'END'
import csv, io, json, math, os, re, resource, subprocess, sys
sys.path.append(os.environ["srcdir"] + "/tests/lib")
from launcher import scaled

def run(*words):
    command = [os.environ["PFFT3D"], "explain"] + [str(w) for w in words]
    done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True,
                          timeout=scaled(100))
    assert done.returncode == 0, (words, done.returncode)
    return done.stdout

def report(*words):
    return json.loads(run(*words, "--json", "-"))

def one(*words):
    runs = report(*words)["runs"]
    assert len(runs) == 1, words
    return runs[0]

def near(a, b, error=1e-9):
    return abs(a - b) <= error * abs(b)

A, W = 20e-6, 1.25e9
MODEL = ("--latency", A, "--bandwidth", W)

def packed(n, ranks, *more, model=MODEL):
    return one("--grid", n, "--ranks", ranks, "--algo", "packed", *model, *more)

def slab_s(n, p, a=A, w=W):
    return (p - 1) * (a + 16 * n**3 / p**2 / w)

def pencil_s(n, p1, p2, a=A, w=W):
    v = 16 * n**3 / (p1 * p2)
    return (p1 - 1) * (a + v / p1 / w) + (p2 - 1) * (a + v / p2 / w)

def by_hand():
    """(P-1)(a + V/P b), and the same of the rows and columns of a grid."""
    for n, p, ms in ((512, 64, 27.7), (128, 16, 1.87), (1024, 1024, 33.9)):
        x = packed(n, p, "--decomp", "slab")
        assert near(x["exchange_s"], slab_s(n, p)), (n, p, x["exchange_s"])
        assert near(x["exchange_s"], ms * 1e-3, 0.005), (n, p, x["exchange_s"])
    for n, p1, p2, ms in ((512, 8, 8, 47.3), (256, 16, 16, 2.17)):
        x = packed(n, p1 * p2, "--pgrid", "%dx%d" % (p1, p2))
        assert near(x["exchange_s"], pencil_s(n, p1, p2)), (n, x["exchange_s"])
        assert near(x["exchange_s"], ms * 1e-3, 0.005), (n, x["exchange_s"])

def sums():
    """Nothing is hidden of packed; of others never more than all."""
    for x in report("--grid", 256, "--ranks", 32, *MODEL)["runs"]:
        all_of_it = x["pass_s"] + x["exchange_s"]
        assert max(x["pass_s"], x["exchange_s"]) * (1 - 1e-9) <= x["predicted_s"], x
        assert x["predicted_s"] <= all_of_it * (1 + 1e-9), x
        if x["algo"] == "packed":
            assert near(x["predicted_s"], all_of_it), x
        if x["algo"] == "slabs":
            assert x["predicted_s"] < all_of_it, x

def meet():
    """Slabs are better exactly where V/P, a message of theirs, is larger than a/b."""
    seen = set()
    for n, p in ((64, 16), (128, 16), (128, 64), (256, 64), (256, 256), (512, 256)):
        q = math.isqrt(p)
        slab = packed(n, p, "--decomp", "slab")["exchange_s"]
        pencil = packed(n, p, "--pgrid", "%dx%d" % (q, q))["exchange_s"]
        larger = 16 * n**3 / p**2 > A * W
        assert (slab < pencil) == larger, (n, p, slab, pencil)
        seen.add(larger)
    assert seen == {True, False}

def monotone():
    def seconds(a, w):
        x = packed(128, 16, "--decomp", "slab", model=("--latency", a, "--bandwidth", w))
        assert near(x["exchange_s"], slab_s(128, 16, a, w)), (a, w)
        return x["predicted_s"]
    byA = [seconds(a, W) for a in (0, 1e-6, 2e-5, 1e-3)]
    byW = [seconds(A, w) for w in (1e11, 1e9, 1e7)]
    assert byA == sorted(set(byA)) and byW == sorted(set(byW)), (byA, byW)

def lists():
    """What cannot be done is left out of a list; options of the machine change their own figures."""
    usual = one("--algo", "packed", "--grid", 64, "--ranks", 16, "--node-ranks", 4)
    same = one("--algo", "packed", "--grid", 64, "--ranks", 16, "--node-ranks", 4, "--latency", 2e-6)
    assert usual["exchange_s"] == same["exchange_s"], (usual, same)
    x = one("--algo", "packed", "--grid", 5000, "--ranks", 4, "--engine", "simd,naive")
    assert x["engine"] == "simd", x

def reasons():
    """In words, short, and with numbers that are those of the report."""
    words = ("--algo", "auto", "--grid")
    x = one(*words, 64, "--ranks", 256)
    assert "slabs leave 192 of 256 ranks idle" in x["reason"], x["reason"]
    x = one(*words, 256, "--ranks", 256, *MODEL)
    assert x["decomp"] == "pencil" and "below latency times bandwidth (24.4 KiB)" in x["reason"], x
    x = one(*words, 128, "--ranks", 8, "--node-ranks", 8)
    assert x["algo"] == "shared" and "all ranks share memory" in x["reason"], x["reason"]
    assert x["messages"]["remote_per_rank"] == 0
    x = one(*words, 64, "--ranks", 256, "--node-ranks", 16, "--latency", 1e-4)
    assert x["algo"] == "node" and "the ranks of a node share memory" in x["reason"], x["reason"]
    assert x["predicted_s"] > 1e-4 * x["messages"]["remote_per_rank"] > 0, x
    x = one(*words, 1024, "--ranks", 16)
    hidden = (x["pass_s"] + x["exchange_s"] - x["predicted_s"]) / x["exchange_s"]
    assert "while rows are transformed" in x["reason"] and hidden > 0.1, x
    x = one(*words, 32, "--ranks", 1)
    assert "one rank exchanges nothing" in x["reason"] and x["exchange_s"] == 0, x
    for n, p in ((31, 7), (512, 12), (4096, 65536), (1, 5)):
        x = one(*words, n, "--ranks", p)
        assert 0 < len(x["reason"]) < 240 and "\n" not in x["reason"], x
    assert "reason" not in packed(64, 4, "--decomp", "slab")  # nothing was left open

def best_is_best():
    """auto is as cheap as the cheapest of what is named, both directions together."""
    for n, p in ((64, 16), (256, 64)):
        best = one("--algo", "auto", "--grid", n, "--ranks", p, "--decomp", "slab")
        named = [x["predicted_s"] for x in report("--grid", n, "--ranks", p, "--decomp", "slab",
                 "--algo", "packed,pairwise,alltoallw,slabs,pencils,persistent")["runs"]]
        assert best["predicted_s"] <= min(named) * 1.1, (best, named)

def maps():
    grids, counts = [64, 128, 256, 512, 1024], [4, 16, 64, 256, 1024]
    words = ("--map", "--grids", "64..1024", "--rank-counts", "4..1024x4", "--algo", "packed", *MODEL)
    r = report(*words)
    cells = {(x["n"], x["ranks"]): x for x in r["runs"]}
    assert sorted(cells) == [(n, p) for n in grids for p in counts], sorted(cells)
    assert r["machine"]["start"]["between"] == A and r["machine"]["bandwidth"]["between"] == W
    for n in grids:
        row = [cells[n, p]["decomp"] for p in counts]
        assert row == sorted(row, reverse=True), (n, row)  # slabs first, then pencils for good
        for p in counts:
            if p <= n and 16 * n**3 / p**2 > A * W:
                assert cells[n, p]["decomp"] == "slab", (n, p)
            if p > n:
                assert cells[n, p]["decomp"] == "pencil" and "idle" in cells[n, p]["reason"], (n, p)
    assert {x["decomp"] for x in cells.values()} == {"slab", "pencil"}
    x = cells[512, 64]
    y = packed(512, 64)
    for name in ("predicted_s", "pass_s", "exchange_s", "memory", "messages", "decision"):
        assert x[name] == y[name], (name, x[name], y[name])
    assert x["problem"] == "c2c:d:512x512x512" and x["memory"]["user_bytes"] == 16 * 512**3 // 64
    text = run("--map", "--grids", "64", "--rank-counts", "1,64", "--algo", "packed", *MODEL)
    assert re.search(r"^predicted time of the best strategy\n +N\^3 +1 +64 ranks\n +64 +[0-9.]+ms +Pp +[0-9.]+us$",
                     text, re.M), text
    rows = list(csv.DictReader(io.StringIO(run(*words, "--csv", "-"))))
    assert len(rows) == len(cells)
    for row in rows:
        x = cells[int(row["n"]), int(row["ranks"])]
        assert float(row["predicted_s"]) == x["predicted_s"] and row["decision"] == x["decision"]
        assert float(row["memory.work_bytes"]) == x["memory"]["work_bytes"]
        assert row["reason"] == x["reason"]

def many():
    """65,536 ranks on one process, in little memory; and a number with many divisors."""
    for p in (65536, 55440):
        x = one("--grid", 4096, "--ranks", p, "--algo", "auto", "--node-ranks", 8)
        assert x["decomp"] == "pencil" and x["idle_ranks"] < p and x["predicted_s"] > 0, x
    runs = report("--grid", "4096", "--ranks", 65536, "--pgrid", "256x256")["runs"]
    assert len(runs) > 5
    for x in runs:
        if x["algo"] == "packed":
            assert x["messages"]["remote_per_rank"] == 510, x["messages"]
            assert near(x["messages"]["remote_bytes_per_rank"], 2**20 * 16 * 2 * 255 / 256), x
    assert resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss < 200 * 1024

def machines():
    folder = os.path.join(os.environ["srcdir"], "data", "machines")
    files = sorted(f for f in os.listdir(folder) if f.endswith(".machine"))
    assert len(files) >= 3, files
    for f in files:
        r = report("--grid", 1024, "--ranks", 4096, "--algo", "auto", "--machine",
                   os.path.join(folder, f))
        m = r["machine"]
        assert m["name"] and m["memory"] > 0 and m["flops"] > 0 and m["node_ranks"] > 1, m
        assert r["runs"][0]["predicted_s"] > 0

globals()[sys.argv[1]]()
END
for part in by_hand sums meet monotone lists reasons best_is_best maps many machines; do
  check "predictions: $part" "$PYTHON" predict.py $part
done

# ---- text ----
check 'explain with several exchanges' explain --grid 128 --ranks 16
check 'it splits what it predicts' says '^  predicted .* in all, passes .*, exchanges '
check 'it says why' says '^  because  *model: '
check 'it ranks them' says '^cheapest '
check 'the first has ratio 1' says '^ *1  .* 1.00  '
check 'shared takes one node' says 'shared takes ranks that are all on one node'
check 'and the machine' says '^model: .*12.5 GB/s'
check 'explain on one node' explain --grid 128 --ranks 16 --node-ranks 16
check 'shared is ranked there' sh -c "! grep -q 'takes ranks that' out.txt"
check 'explain --map' explain --map --grids 64,100 --rank-counts 1..16x4,7
check 'it has a legend' says '^  S slabs, P pencils'
check 'it has each grid' says '^ *100  '
check 'it says since when pencils are better' says 'pencils are better from'
check 'a map of another type' explain --map --grids 64 --rank-counts 4,8 --type r2c --precision single

# ---- what is wrong ----
printf 'memory 1e9\nflops fast\n' >broken.machine
check 'a broken machine' ends 65 "broken.machine:2: flops 'fast': expected one number" \
  --ranks 4 --machine broken.machine
check 'no machine' ends 66 "cannot open 'nowhere'" --ranks 4 --machine nowhere
check 'a directory' ends 66 'cannot read' --ranks 4 --machine .
check '--grids without --map' ends 64 'grids: only maps have it' --grids 64
check '--map and --grid' ends 64 'map and --grid' --map --grid 64
check '--map and --size' ends 64 'map and --size' --map --size 64
for list in '' '64,' ',64' 64.. 128..64 64..512x1 64..512x 0 -1 64x2 1..9999999999 x; do
  check "--grids '$list'" ends 64 'grids' --map --grids "$list"
done
check 'too many numbers' ends 64 'more than 64 numbers' --map --rank-counts \
  "$("$PYTHON" -c 'print(",".join(map(str, range(1, 70))))')"

# ---- tables and plots ----
cat >mine.machine <<'END'
name mine
node_ranks 8
END
gnuplot=yes
command -v "${GNUPLOT:-gnuplot}" >/dev/null || gnuplot=
predicts() { limited 200 sh "$srcdir/jobs/scaling.sh" "$@" >out.txt 2>&1 </dev/null; }
check 'jobs/scaling.sh' predicts --out all --machines mine.machine --strong 64,128 --grids 64,128 \
  --rank-counts 1..16x4 --memory 0.5
check 'tables' grep -q '^| 65536 |' all/tables.md
check 'all of them' test "$(grep -c '^###' all/tables.md)" = 5
check 'rows for programs' test "$(wc -l <all/cells.csv)" -gt 40
keeps() { # a fraction is of each cube, not of the usual one
  explain --map --grids 30,64 --rank-counts 2 --keep 2/3 --json - || return
  grep -q 'c2c:d:30x30x30/20x20x20' out.txt && grep -q 'c2c:d:64x64x64/42x42x42' out.txt || { cat out.txt err.txt; return 1; }
}
check 'a map with kept modes' keeps
batches() { # fields too large for the caches exchange one after another
  for batch in 1 3; do
    explain --map --grids 512 --rank-counts 8 --algo node --batch $batch \
      --machine "$srcdir/data/machines/ethernet.machine" --json - || return
    cp out.txt batch$batch.json
  done
  "$PYTHON" - <<'END'
import json
one, three = (json.load(open("batch%d.json" % b))["runs"][0]["predicted_s"] for b in (1, 3))
assert abs(three / one - 3) < 0.1, (one, three)
END
}
check 'a batch on nodes takes the time of its fields' batches
check 'steps of turbulence' predicts --out flow --machines mine.machine --turbulence
refused_steps() { # options of the other families would be without effect
  predicts --out none --machines mine.machine --turbulence --strong 64
  test $? = 64 && grep -q -e '--turbulence and --strong' out.txt err.txt
}
check 'steps with the sizes of another family' refused_steps
check 'on 256 ranks at last' test "$(grep -c '^| 256 |' flow/tables.md)" = 2
check 'jobs/map.sh' sh -c "sh '$srcdir/jobs/map.sh' --out map --machines mine.machine --grids 64..128 \
  --rank-counts 1,8 -- --type r2c >out.txt 2>&1"
if test -n "$gnuplot"; then
  for plot in all/plots/strong-64 all/plots/weak-1M all/plots/map-mine map/plots/map-mine; do
    check "$plot.png" sh -c "head -c 8 $plot.png | grep -q PNG"
    check "$plot.svg" grep -q '</svg>' $plot.svg
  done
fi
published() { limited 200 sh "$srcdir/jobs/published.sh" "$@" >out.txt 2>&1 </dev/null; }
# near: the points of data/pencil_times.csv within 35 %, and all
near() { sed -n 's/^| P.*, Intel MPI .* | \([0-9]*\) of \([0-9]*\) | .* |$/\1 \2/p' published/table.md |
  awk '{near += $1; all += $2} END {print near, all; exit near < 108 || all < 114}'; }
check 'jobs/published.sh' published --out published
check 'its rows' test "$(grep -c '^| [0-9].* | [0-9]* | ' published/table.md)" = 20
check 'the model is near most published times' near
check 'no such times' sh -c "! sh '$srcdir/jobs/published.sh' --out none --times nowhere >out.txt 2>&1"
check 'it names them' grep -q "cannot open 'nowhere'" out.txt
printf 'a\n<!-- tables of jobs/scaling.sh -->\nold\n<!-- end of the tables -->\nb\n' >page.md
check 'into a page' predicts --out map --maps-only --machines mine.machine --grids 64 \
  --rank-counts 2 --page page.md
check 'what was there is gone' sh -c "! grep -q old page.md"
check 'what is around stays' sh -c 'head -n 1 page.md | grep -qx a && tail -n 1 page.md | grep -qx b'
echo nothing >page.md
wrong_page() { ! predicts --out map --maps-only --machines mine.machine --grids 64 --page page.md; }
check 'a page without marks' wrong_page
check 'it says so' grep -q 'has no marks' out.txt
wrong_machine() { ! predicts --out map --maps-only --machines broken.machine; }
check 'scaling of a broken machine' wrong_machine
check 'one message' test "$(grep -c 'error: ' out.txt)" = 1

echo "1..$number"
exit $bad
