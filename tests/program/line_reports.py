# SPDX-License-Identifier: BSD-3-Clause
# The reports of tests/program/line.sh, in the current directory, say what they should.
import csv, json
def near(a, b): return abs(a - b) <= 1e-9 * max(abs(a), abs(b))
r = json.load(open("line.json"))
assert r["command"] == "line" and r["size"] == 4096 and r["interleaved"] is True
assert (r["layout"], r["out_layout"]) == ("cyclic", "cyclic")
seen = set()
for x in r["runs"]:
    seen.add((x["algo"], x["direction"]))
    assert x["size"] == 4096 and x["method"] == x["decomp"] == "transpose" and x["pgrid"] == [1, 4], x
    assert (x["layout"], x["out_layout"], x["order"]) == ("cyclic", "cyclic", "natural"), x
    assert x["split"][0] * x["split"][1] == 4096 and x["exchanges"] == 1, x
    assert "split=%dx%d" % tuple(x["split"]) in x["decision"], x["decision"]
    assert x["memory"]["user_bytes"] >= 1024 * 16 and x["idle_ranks"] == 0
    assert near(x["gflops"], 5 * 4096 * 12 / x["time_s"]["median"] / 1e9)
    assert x["check"]["pass"] is True and near(x["check"]["limit"], 8 * 2**-52 * 12**0.5)
    for name in ("roundtrip", "parseval", "plane_wave", "sampled_dft"):
        assert 0 <= x["check"][name] <= x["check"]["limit"], x["check"]
    if x["algo"] == "packed":  # to each of three ranks a quarter of a quarter
        assert x["messages"]["remote_per_rank"] == 3 and x["messages"]["bytes_each_max"] == 4096, x
    assert (x["exchange"]["raw_alltoall_s"] is None) == (x["algo"] in ("shared", "node")), x
assert {a for a, d in seen} >= {"packed", "slabs", "pencils"} and len(seen) == len(r["runs"])
rows = list(csv.DictReader(open("line.csv")))
assert [row["size"] for row in rows] == ["4096"] * len(seen)
assert {row["method"] for row in rows} == {"transpose"} and {row["out_layout"] for row in rows} == {"cyclic"}

for x in json.load(open("hpcc.json"))["runs"]:
    assert x["method"] == "butterfly" and x["out_layout"] == "scrambled" and x["exchanges"] == 2, x
    assert x["exchange"]["raw_alltoall_s"] is None, x  # no all-to-all
    assert ("hpcc" in x) == (x["direction"] == "forward")
    if "hpcc" not in x: continue
    h = x["hpcc"]
    assert h["size"] == 4096 and h["threshold"] == 16 and h["pass"] is True and h["inverse_s"] > 0
    assert near(h["residual"], h["max_error"] / (2**-53 * 12)) and 0 < h["residual"] < 16, h
    assert near(h["gflops"], 5 * 4096 * 12 / h["computing_s"] / 1e9)

e = json.load(open("line-explain.json"))
a, b, m, p = 1e-6, 1e-9, 16 * 2**20, 16
assert e["model"]["latency_s"] == a and e["model"]["bandwidth"] == 1e9
cost = {x["method"]: x for x in e["model"]["methods"]}
assert cost["transpose"]["exchanges"] == 1
assert near(cost["transpose"]["predicted_s"], (p - 1) * a + m * (p - 1) / p**2 * b), cost
runs = {x["method"]: x for x in e["runs"]}
assert near(runs["transpose"]["exchange_s"], cost["transpose"]["predicted_s"])
assert runs["transpose"]["predicted_s"] > runs["transpose"]["pass_s"] > 0
assert cost["butterfly"]["exchanges"] >= 4
assert cost["butterfly"]["predicted_s"] >= 4 * (a + m / p * b) * (1 - 1e-9), cost
assert e["model"]["best"] == "transpose"
assert runs["transpose"]["messages"]["remote_bytes_per_rank"] == m * (p - 1) // p**2
for side in ("space", "spectrum"):
    assert runs["transpose"]["layout"][side] == {
        "dealing": "cyclic", "groups": [{"ranks": [0, 15], "elements": 65536}]}
e = json.load(open("line-short.json"))
a, b, m, p = 2e-6, 1 / 12.5e9, 16 * 2**10, 256
cost = {x["method"]: x["predicted_s"] for x in e["model"]["methods"]}
assert near(cost["butterfly"], 8 * (a + m / p * b)) and cost["transpose"] > cost["butterfly"], cost
assert e["model"]["best"] == "butterfly"
e = json.load(open("line-3.json"))
assert all(len(x["warnings"]) == 1 and "cyclic" in x["warnings"][0] for x in e["runs"]), e["runs"]
assert e["model"]["latency_s"] == 2e-6 and e["model"]["bandwidth"] == 12.5e9
cost = {x["method"]: x for x in e["model"]["methods"]}
assert cost["butterfly"]["predicted_s"] is None and cost["butterfly"]["why"]
assert e["model"]["best"] == "transpose"
print("lines agree")
