# SPDX-License-Identifier: BSD-3-Clause
"""What tests/program/study.sh looks at in the results of a study: called with a name and its folder."""
import csv
import json
import math
import os
import statistics
import struct
import sys
import xml.etree.ElementTree
import zlib

what, folder, *more = sys.argv[1:]


def read():
    raw = open(folder + "/results.jsonl").read()
    assert raw.endswith("\n")
    return [json.loads(line) for line in raw.splitlines()]


def near(a, b):
    return abs(a - b) <= 1e-12 * max(abs(a), abs(b))


def points():
    lines = read()
    keys = [(x["study"]["scaling"], x["problem"], x["ranks"]) for x in lines]
    assert len(keys) == len(set(keys)) == int(more[0]), keys
    for x in lines:
        s = x["study"]
        assert x["schema"] == "pfft3d.report/1" and x["command"] == s["command"] == "bench"
        assert s["status"] == 0 and s["ranks"] == x["ranks"] and s["threads"] == x["threads"] == 1
        assert x["problem"] == "c2c:d:" + s["grid"] and s["scaling"] == "strong" and s["reps"] == 3
        assert s["oversubscribed"] == (x["ranks"] > 2) and s["cores"] == 2
        assert {r["algo"] for r in x["runs"]} >= {"packed", "slabs", "pencils"}
        for r in x["runs"]:
            assert len(r["time_s"]["reps"]) == 3 and r["direction"] == "forward"
            assert r["check"]["pass"] is True


def tables():
    rows = list(csv.DictReader(open(folder + "/tables.csv")))
    runs = [(x, r) for x in read() for r in x["runs"]]
    assert len(rows) == len(runs) > 10
    base = {}  # fastest on the fewest cores: [cores, seconds, ranks]
    for x, r in runs:
        name = (x["study"]["given"], r["direction"])
        here = [x["ranks"] * x["threads"], statistics.median(r["time_s"]["reps"]), x["ranks"]]
        base[name] = min(base.get(name, [99, 0, 0]), here)
    for row, (x, r) in zip(rows, runs):
        s, reps = x["study"], r["time_s"]["reps"]
        median, quartiles = statistics.median(reps), statistics.quantiles(reps, n=4, method="inclusive")
        n = math.prod(int(i) for i in s["grid"].split("x"))
        cores, seconds, ranks = base[(s["given"], r["direction"])]
        work = 1 if s["scaling"] == "strong" else x["ranks"] / ranks
        gain, grown = work * seconds / median, x["ranks"] * x["threads"] / cores
        want = {
            "ranks": x["ranks"], "median_s": median, "min_s": min(reps), "max_s": max(reps),
            "q1_s": quartiles[0], "q3_s": quartiles[2],
            "gflops": (5 if s["type"] == "c2c" else 2.5) * n * math.log2(n) / median / 1e9,
            "speedup": gain,
            "efficiency": gain / grown,
            "hidden_share": r["exchange"]["hidden_share"],
            "exchange_gbs": r["exchange"]["gbs_per_rank"],
            "messages": r["messages"]["remote_per_rank"],
            "bytes_each": r["messages"]["bytes_each_max"]}
        for field, value in want.items():
            have = row[field]
            assert have == "" if value is None else near(float(have), value), (field, have, value)
        for field in ("algo", "direction", "decomp", "engine"):
            assert row[field] == r[field], field
        assert row["pgrid"] == "x".join(str(p) for p in r["pgrid"])
        assert row["oversubscribed"] == ("yes" if x["ranks"] > 2 else "no")


def weak():
    want = {("16x16x16", 1): "16x16x16", ("16x16x16", 2): "32x16x16", ("16x16x16", 6): "48x32x16",
            ("6x5x4", 1): "6x5x4", ("6x5x4", 2): "6x5x8", ("6x5x4", 6): "6x10x12"}
    found = {}
    for x in read():
        assert x["problem"] == "r2c:s:" + x["study"]["grid"], x["problem"]
        found[(x["study"]["given"], x["ranks"], x["study"]["decomp"])] = x["study"]["grid"]
        assert {r["decomp"] for r in x["runs"]} == {x["study"]["decomp"]}
        assert {(r["algo"], r["direction"]) for r in x["runs"]} == {
            (a, d) for a in ("packed", "pencils") for d in ("forward", "backward")}
    assert found == {(*k, d): grid for k, grid in want.items() for d in ("slab", "pencil")}, found


def halved():
    """The same study once more into another folder, and with two threads, which take half of the time."""
    os.makedirs(more[0], exist_ok=True)
    with open(more[0] + "/results.jsonl", "w") as out:
        for x in read():
            out.write(json.dumps(x) + "\n")
            x["threads"] = x["study"]["threads"] = 2
            for r in x["runs"]:
                r["time_s"] = {k: [t / 2 for t in v] if k == "reps" else v / 2 for k, v in r["time_s"].items()}
                r["gflops"] *= 2
            out.write(json.dumps(x) + "\n")


def same_efficiency():
    """Of points that differ in threads only, which the study halved() has made."""
    rows = list(csv.DictReader(open(folder + "/tables.csv")))
    several = {}
    for row in rows:
        point = tuple(row[k] for k in ("given", "ranks", "direction", "decomp", "algo"))
        several.setdefault(point, []).append(row)
    assert len(several) > 20
    for one, two in several.values():
        assert (one["threads"], two["threads"]) == ("1", "2")
        assert near(float(one["efficiency"]), float(two["efficiency"])), (one, two)
        assert near(2 * float(one["speedup"]), float(two["speedup"])), (one, two)
    for name in ("weak-16x16x16-r2c-single-forward", "weak-6x5x4-r2c-single-backward"):
        if not os.path.exists(folder + "/plots/" + name + ".dat"):
            continue  # no gnuplot
        blocks = open(folder + "/plots/" + name + ".dat").read().strip().split("\n\n\n")
        lines = [[[float(v) for v in line.split()] for line in block.splitlines()] for block in blocks[-4:]]
        assert [[v[0] for v in line] for line in lines] == 2 * [[1, 2, 6]] + 2 * [[2, 4, 12]], lines
        assert all(near(a[1], 2 * b[1]) and near(a[2], b[2])
                   for one, two in zip(lines[:2], lines[2:]) for a, b in zip(one, two)), lines


def threads():
    lines = read()
    assert len(lines) == 2
    for x in lines:
        assert x["threads"] == x["study"]["threads"] == 2 and x["study"]["oversubscribed"]
        assert {r["order"] for r in x["runs"]} == {"natural"}


def failed():
    lines = read()
    state = sorted((x["study"]["grid"], x["study"]["ranks"], x["study"]["status"]) for x in lines)
    assert state == [("16x16x16", 1, 0), ("16x16x16", 2, 0),
                     ("20000x20000x20000", 1, 71), ("20000x20000x20000", 2, 71)], state
    assert all("needs" in x["study"]["message"] for x in lines if x["study"]["status"])
    assert len(list(csv.DictReader(open(folder + "/tables.csv")))) == 2


def png_pixels(png):
    """All bytes of all rows, as filtered, after a look at the chunks around them."""
    assert png[:8] == b"\x89PNG\r\n\x1a\n" and png[12:16] == b"IHDR"
    wide, high, depth, kind = struct.unpack(">IIBB", png[16:26])
    assert wide >= 1000 and high >= 600 and depth == 8, (wide, high, depth)
    data, at, name = b"", 8, b""
    while at < len(png):
        size, name = struct.unpack(">I4s", png[at:at + 8])
        data += png[at + 8:at + 8 + size] if name == b"IDAT" else b""
        at += 12 + size
    assert name == b"IEND"
    pixels = zlib.decompress(data)
    assert len(pixels) == high * (1 + wide * {0: 1, 2: 3, 3: 1, 6: 4}[kind])
    return pixels


def plot():
    pixels = png_pixels(open(folder + ".png", "rb").read())
    assert len(pixels) - pixels.count(b"\0") > len(pixels) / 200 and len(set(pixels)) > 20
    svg = xml.etree.ElementTree.parse(folder + ".svg").getroot()
    assert svg.tag.endswith("svg")
    drawn = [e for e in svg.iter() if e.tag.endswith(("path", "use", "circle", "polygon"))]
    assert len(drawn) > 20, len(drawn)
    words = "\n".join("".join(e.itertext()) for e in svg.iter() if e.tag.endswith("text"))
    for name in more + ["pfft3d "]:
        assert name in words, (name, words)
    pdf = open(folder + ".pdf", "rb").read()
    assert pdf[:5] == b"%PDF-" and b"%%EOF" in pdf[-20:] and len(pdf) > 3000


{"points": points, "tables": tables, "weak": weak, "halved": halved, "same_efficiency": same_efficiency,
 "threads": threads, "failed": failed, "plot": plot}[what]()
