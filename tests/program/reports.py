# SPDX-License-Identifier: BSD-3-Clause
# The reports of tests/program/reports.sh, in the current directory, say what they should.
import csv, json, math, re, sys
def near(a, b): return abs(a - b) <= 1e-9 * max(abs(a), abs(b))
e = json.load(open("explain.json"))
assert e["schema"] == "pfft3d.report/1" and e["command"] == "explain"
want = {"packed": (63, 512 << 10), "slabs": (504, 64 << 10), "pencils": (4032, 8 << 10),
        "node": (63, 512 << 10)}  # of nodes it knows nothing: one rank on each
want["pairwise"] = want["alltoallw"] = want["packed"]
want["rma"] = want["persistent"] = want["slabs"]
UNIT = {"s": 1, "ms": 1e-3, "us": 1e-6}
for r in e["runs"]:
    # the reason is about this exchange: both directions cost about twice what one does
    seconds, unit = re.match(r"model: ([0-9.e+-]+) (s|ms|us) forward and backward", r["reason"]).groups()
    assert 1.5 <= float(seconds) * UNIT[unit] / r["predicted_s"] <= 2.5, (r["algo"], r["reason"], r["predicted_s"])
    m = r["messages"]
    if r["algo"] == "shared":
        assert m["remote_per_rank"] == 0
        continue
    count, size = want[r["algo"]]
    assert (m["remote_per_rank"], m["bytes_each_min"], m["bytes_each_max"]) == (count, size, size), m
    assert m["remote_bytes_per_rank"] == count * size
    assert r["idle_ranks"] == 0 and r["exchanges"] == 1
    assert r.get("node_ranks") == (1 if r["algo"] == "node" else None)
assert len(e["runs"]) >= 3
n = json.load(open("explain-n.json"))["runs"][0]  # 4 nodes: 16 x 16 blocks in one message
assert n["node_ranks"] == 16 and n["messages"]["remote_per_rank"] == 1
assert n["messages"]["bytes_each_min"] == n["messages"]["bytes_each_max"] == 256 * (512 << 10)
b = json.load(open("bench.json"))
for key in ("version", "date", "host", "nodes", "ranks", "ranks_per_node", "threads", "mpi", "fftw",
            "load_average", "seed", "problem"):
    assert key in b, key
assert re.fullmatch(r"[ -~]*[^ ] [0-9.]+[0-9a-z]*", b["mpi"]) and len(b["mpi"]) < 60, b["mpi"]
assert b["schema"] == "pfft3d.report/1" and b["ranks"] == 4 and b["problem"] == "c2c:d:32x32x32"
seen = set()
for name in ("roundtrip", "parseval", "plane_wave", "sampled_dft"):  # all of them are measured
    assert any(r["check"][name] > 0 for r in b["runs"]), name
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
        # of the median of 3 repeats, of which the mean is a third of all at least
        assert 0 <= p["median"] <= 3 * p["mean"] * (1 + 1e-12), p
    # the phases of the repeat of median time, on average over ranks, are all of it but what is between
    assert sum(r["phases"][name]["median"] for name in ("fft", "post", "wait")) <= t["median"]
    m = r["messages"]
    planes, rows, row = 8, 8, 32 * 16  # per rank, 32^3 on 4
    want = {"packed": (3, planes * rows * row), "slabs": (planes * 3, rows * row),
            "pencils": (planes * 24, row)}
    want["pairwise"] = want["alltoallw"] = want["packed"]
    want["rma"] = want["persistent"] = want["slabs"]
    want = want.get(r["algo"])
    if want: assert (m["remote_per_rank"], m["bytes_each_min"], m["bytes_each_max"]) == (*want, want[1]), (r["algo"], m)
    for key in ("plan_s", "gflops", "passes", "exchanges", "decision", "engine", "decomp", "pgrid",
                "order"):
        assert key in r, key
    x = r["exchange"]
    if x["bound"] is not None:
        c, w, total = x["fft_alone_s"], x["raw_alltoall_s"], t["median"]
        assert abs(x["bound"] - (c + w) / max(c, w)) < 1e-6 * x["bound"] and 1 <= x["bound"] <= 2
        assert abs(x["bound_share"] - max(c, w) / total) < 1e-6 * x["bound_share"]
    assert (x["bound"] is None) == (r["algo"] in ("shared", "node")), r["algo"]
    for key in ("seconds", "gbs_per_rank", "raw_alltoall_s", "hidden_share"):
        assert key in r["exchange"], key
    assert r["memory"]["user_bytes"] == 32**3 // 4 * 16
assert {a for a, d in seen} >= {"packed", "slabs", "pencils", "pairwise", "alltoallw", "rma"} and {d for a, d in seen} == {"forward", "backward"}
rows = list(csv.DictReader(open("bench.csv")))
assert len(rows) == len(b["runs"])
for row, r in zip(rows, b["runs"]):
    assert row["algo"] == r["algo"]
e = json.load(open("explain-s.json"))
assert e["problem"] == "c2c:s:512x512x512", e["problem"]
assert e["runs"][0]["messages"]["bytes_each_max"] == 4 << 10
assert e["runs"][0]["memory"]["user_bytes"] == 512**3 // 64 * 8
e = json.load(open("explain-w.json"))
assert e["problem"] == "c2c:d:512x512x512" and e["runs"][0]["exchange"]["wire"] == "single"
assert e["runs"][0]["messages"]["bytes_each_max"] == 4 << 10
assert e["runs"][0]["memory"]["user_bytes"] == 512**3 // 64 * 16
w = json.load(open("bench-w.json"))
rows = list(csv.DictReader(open("bench-w.csv")))
assert len(rows) == len(w["runs"]) == 4
for row, r in zip(rows, w["runs"]):
    sends, x = r["algo"] == "slabs", r["exchange"]
    assert x["wire"] == row["exchange.wire"] == ("single" if sends else "double"), x
    assert r["messages"]["remote_bytes_per_rank"] == (32**3 // 4 * 8 if sends else 0)
    if sends:
        assert 1e-8 < x["wire_error"] < 5e-8 and float(row["exchange.wire_error"]) == x["wire_error"]
        assert x["wire_error"] < r["check"]["roundtrip"] < 5 * x["wire_error"], (x, r["check"])
    else:
        assert x["wire_error"] is None and r["check"]["roundtrip"] < 1e-14
    assert near(r["check"]["limit"], 8 * (2**-23 if sends else 2**-52) * 15**0.5), r["check"]
s = json.load(open("bench-s.json"))
assert s["problem"] == "c2c:s:32x32x32", s["problem"]
assert len(s["runs"]) == len(b["runs"])
for r in s["runs"]:
    assert r["memory"]["user_bytes"] == 32**3 // 4 * 8, r["memory"]
    assert r["check"]["pass"] is True
    assert near(r["check"]["limit"], 8 * 2**-23 * 15**0.5), r["check"]
    for name in ("roundtrip", "sampled_dft"):  # floats round; doubles would not be seen to
        assert 1e-9 < r["check"][name] <= r["check"]["limit"], r["check"]
r2c = json.load(open("r2c.json"))
assert r2c["problem"] == "r2c:d:32x24x18*3", r2c["problem"]
assert {(r["algo"], r["direction"]) for r in r2c["runs"]} == seen
n = 32 * 24 * 18
for r in r2c["runs"]:
    assert r["flops"] == "2.5 n log2 n" and r["pgrid"] == [2, 2] and r["decomp"] == "pencil", r
    assert r["decision"].startswith("decomp=pencil pgrid=2x2 exchange=" + r["algo"]), r["decision"]
    assert near(r["gflops"], 3 * 2.5 * n * math.log2(n) / r["time_s"]["median"] / 1e9)
    # real numbers in space, complex ones of 12 x 16 x 5 places in the larger part of the spectrum
    assert r["memory"]["user_bytes"] == 3 * 32 * 12 * 5 * 16, r["memory"]
    assert r["exchanges"] == 2 and len(r["stages"]) >= 3, r["stages"]
    assert r["check"]["pass"] is True
    for name in ("roundtrip", "parseval", "plane_wave", "sampled_dft"):
        assert 0 <= r["check"][name] <= r["check"]["limit"]
assert {row["pgrid"] for row in csv.DictReader(open("r2c.csv"))} == {"2x2"}
plane = json.load(open("plane.json"))
assert plane["problem"] == "c2c:d:1x64x48"
assert all(r["flops"] == "5 n log2 n" and r["idle_ranks"] == 0 for r in plane["runs"])

def parts(cut):
    return [g["length"] for g in cut["groups"] for _ in range(g["parts"][0], g["parts"][1] + 1)]
def balanced(n, p):
    return [n // p + (i < n % p) for i in range(p)]
r = json.load(open("pencils.json"))["runs"][0]
assert r["pgrid"] == [200, 30] and r["idle_ranks"] == 65536 - 6000 and len(r["warnings"]) == 1, r
for side, cuts in (("space", [(0, 1030, 200), (1, 515, 30)]), ("spectrum", [(1, 515, 200), (2, 32, 30)])):
    have = r["layout"][side]["cuts"]
    assert [(c["axis"], c["parts"]) for c in have] == [(a, p) for a, n, p in cuts], have
    assert [parts(c) for c in have] == [balanced(n, p) for a, n, p in cuts], have
    assert "axis" not in r["layout"][side]
r = json.load(open("slabs.json"))["runs"][0]
assert r["layout"]["space"]["axis"] == 0 and r["layout"]["spectrum"]["axis"] == 1
assert r["layout"]["space"]["groups"] == [{"ranks": [0, 1], "planes": 3}, {"ranks": [2, 3], "planes": 2}]
assert parts(r["layout"]["spectrum"]["cuts"][0]) == balanced(7, 4) and not r["warnings"]
packed, pencils = json.load(open("idle.json"))["runs"]
assert packed["idle_ranks"] == 12 and len(packed["warnings"]) == 1, packed
assert "--decomp pencil --pgrid 4x4 uses all" in packed["warnings"][0], packed["warnings"]
assert pencils["warnings"] == packed["warnings"], pencils

# several problems: each run says its own, the report none
PROBLEMS = ["c2c:d:8x8x8", "c2c:d:6x7x8", "c2c:d:1x10x12"]
s = json.load(open("sweep.json"))
assert "problem" not in s and s["interleaved"] is True
assert [r["problem"] for r in s["runs"]] == [p for p in PROBLEMS for _ in range(4)]
assert {(r["algo"], r["direction"]) for r in s["runs"]} == \
    {(a, d) for a in ("packed", "slabs") for d in ("forward", "backward")}
assert all(r["check"]["pass"] for r in s["runs"])
rows = list(csv.DictReader(open("sweep.csv")))
assert [r["problem"] for r in rows] == [r["problem"] for r in s["runs"]]
x = json.load(open("sweep-x.json"))
assert [r["problem"] for r in x["runs"]] == ["c2c:d:64x64x64", "c2c:d:1x128x100"] and "problem" not in x
v = json.load(open("sweep-v.json"))
assert {r["problem"] for r in v["runs"]} == {k + ":d:" + n for k in ("c2c", "r2c") for n in ("4x4x4", "6x5x4")}
t, l = json.load(open("sweep-t.json")), json.load(open("sweep-l.json"))
for report in (t, l):
    assert {r["size"] for r in report["runs"]} == {60, 128} and "size" not in report
    assert {r["problem"] for r in report["runs"]} == {"c2c:d:60", "c2c:d:128"}

# who decided is one of three words, also where a decision is taken again, whose reason says so
by = json.load(open("by.json"))["runs"]
assert len(by) == 4 and {r["plan_by"] for r in by} <= {"wisdom", "timing", "model"}, by
first, again = by[0], by[2]
assert again["plan_by"] == first["plan_by"] and again["decision"] == first["decision"]
assert first["plan_by"] != "timing" or again["plan_reason"].startswith("timed before: "), again["plan_reason"]
print("reports agree")
