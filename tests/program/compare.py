# SPDX-License-Identifier: BSD-3-Clause
"""Called by tests/program/compare.sh, where bench.json, line.json and others are: compares reports with
known differences, and computes p, intervals and ratios anew, by their definitions."""
import copy, csv, itertools, json, math, os, random, re, subprocess, sys, tempfile
from concurrent.futures import ThreadPoolExecutor

sys.path.append(os.path.join(os.environ["srcdir"], "tests", "lib"))
from launcher import own, scaled

PFFT3D, MPIRUN = os.environ["PFFT3D"], os.environ["MPIRUN"].split()
tests = failed = 0


def test(name, function, *arguments):
    global tests, failed
    tests += 1
    try:
        function(*arguments)
        print("ok %d - %s" % (tests, name))
    except Exception as why:
        failed = 1
        print("not ok %d - %s" % (tests, name))
        print("\n".join("# " + line for line in ("%s: %s" % (type(why).__name__, why)).splitlines()))


def pfft3d(*arguments, ranks=0):
    """With mpirun, or alone: then Open MPI shall start no daemon beside the process, and have a
    folder of its own for what it keeps while it runs; several at once would share it."""
    if ranks:
        return subprocess.run(MPIRUN + ["-n", str(ranks), PFFT3D, "compare", *arguments],
                              stdin=subprocess.DEVNULL, capture_output=True, timeout=scaled(120))
    with tempfile.TemporaryDirectory(dir=".") as folder:
        alone = dict(os.environ, OMPI_MCA_ess_singleton_isolated="1", TMPDIR=os.path.abspath(folder))
        return subprocess.run([PFFT3D, "compare", *arguments], stdin=subprocess.DEVNULL, env=alone,
                              capture_output=True, timeout=scaled(120))


def text(*arguments, ranks=0):
    done = pfft3d(*arguments, ranks=ranks)
    assert done.returncode == 0, done
    return done.stdout.decode()


def compare(a, b, *options):
    """The report on two reports, given as trees or names."""
    names = []
    for name, report in (("a.json", a), ("b.json", b)):
        if not isinstance(report, str):
            with open(name, "w") as f:
                json.dump(report, f)
            report = name
        names.append(report)
    return json.loads(text(*names, *options, "--json", "-"))


def wrong(code, words, *arguments, ranks=0):
    done = pfft3d(*arguments, ranks=ranks)
    lines = own(done.stderr).decode(errors="replace").splitlines()
    errors = [line for line in lines if line.startswith("pfft3d: error: ")]
    hints = [line for line in lines if line.startswith("pfft3d: hint: ")]
    assert done.returncode == code, done
    assert len(errors) == 1 and len(hints) <= 1 and len(lines) == len(errors) + len(hints), lines
    assert words in errors[0], errors
    assert all(" " <= c for c in errors[0]), errors


def report(runs, **fields):
    base = {k: v for k, v in bench.items() if k != "runs"}
    base["load_average"] = [0.1, 0.1, 0.1]
    return {**base, **fields, "runs": runs}


def run(times, direction="forward", **fields):
    middle = sorted(times)[len(times) // 2]
    return {**bench["runs"][0], "time_s": {"median": middle, "reps": times}, "direction": direction,
            **fields}


def near(a, b):
    return abs(a - b) <= 1e-12 * max(abs(a), abs(b))


# ---- what is right, by definition ----

def u_of(x, y):
    return sum((a > b) + (a == b) / 2 for a in x for b in y)


def p_of(x, y):
    values, half = x + y, len(x) * len(y) / 2
    far = ways = 0
    for chosen in itertools.combinations(range(len(values)), len(x)):
        inside = set(chosen)
        u = u_of([values[i] for i in chosen], [v for i, v in enumerate(values) if i not in inside])
        ways += 1
        far += abs(u - half) >= abs(u_of(x, y) - half)
    return far / ways


def interval_of(x, y):
    """Median and ends of the interval of all ratios y / x."""
    ratios = sorted(b / a for a in x for b in y)
    us = [u_of(c, [v for v in range(len(x) + len(y)) if v not in c])
          for c in itertools.combinations(range(len(x) + len(y)), len(x))]
    k = 0
    while sum(u < k + 1 for u in us) <= 0.025 * len(us):
        k += 1
    n = len(ratios)
    middle = math.sqrt(ratios[(n - 1) // 2] * ratios[n // 2])
    return middle, ratios[k - 1], ratios[n - k]


# ---- tests ----

STEPS = [1.00, 1.02, 0.99, 1.01, 1.03, 0.98, 1.005, 1.015, 0.995]


def same_twice():
    for name in ("bench.json", "line.json"):
        c = compare(name, name)
        assert c["command"] == "compare" and c["schema"] == "pfft3d.report/1" and c["differs"] == []
        assert len(c["pairs"]) == len(json.load(open(name))["runs"])
        assert c["unmatched"] == {"a": [], "b": []}
        for pair in c["pairs"]:
            assert pair["ratio"] == 1 and pair["p"] == 1 and pair["p_holm"] == 1, pair
            assert pair["differs"] == [] and pair["verdict"] in ("no difference", "too few repeats")
            assert pair["a"]["run"] == pair["b"]["run"]
    # six repeats are enough for two pairs, and would not be for a hundred
    assert all(p["verdict"] == "no difference" for p in c["pairs"]), c["pairs"]


def known_differences():
    a = report([run([0.02 * s for s in STEPS]), run([0.03 * s for s in STEPS], "backward")])
    b = report([run([0.88 * 0.02 * s for s in STEPS]),
                run([1.3 * 0.03 * s for s in STEPS], "backward")], version="9.9", ranks=4)
    for r, wait in ((a["runs"][0], 0.004), (b["runs"][0], 0.0016)):
        r["phases"] = {n: {"mean": v} for n, v in
                       (("fft", 0.010), ("post", 0), ("wait", wait), ("sync", 0.001))}
    back, c = compare(b, a), compare(a, b)
    assert c["differs"] == ["version", "ranks"], c["differs"]
    faster, slower = c["pairs"]
    assert near(faster["ratio"], 0.88) and near(slower["ratio"], 1.3), (faster, slower)
    assert (faster["verdict"], slower["verdict"]) == ("faster", "slower")
    assert re.match(r"faster by 12 % \([0-9.]+ to [0-9.]+ %\)", faster["text"]), faster["text"]
    assert re.match(r"slower by 30 % \([0-9.]+ to [0-9.]+ %\)", slower["text"]), slower["text"]
    assert faster["ratio_low"] < 0.88 < faster["ratio_high"] < 1 < slower["ratio_low"] < 1.3
    assert near(faster["a"]["median_s"], 0.0201) and faster["a"]["n"] == 9
    assert near(faster["phases"]["wait"]["difference_s"], -0.0024)
    for one, other in zip(c["pairs"], back["pairs"]):
        assert near(one["ratio"] * other["ratio"], 1) and one["p"] == other["p"]
        assert near(one["ratio_low"] * other["ratio_high"], 1)
        assert near(one["ratio_high"] * other["ratio_low"], 1)
        assert {one["verdict"], other["verdict"]} == {"faster", "slower"}
    said = text("a.json", "b.json")
    assert "wait -2.40 ms of -2.41 ms" in said, said
    assert "faster by 12 %" in said and "slower by 30 %" in said, said
    lines = [line.split() for line in said.splitlines()]
    assert ["ranks", "2", "4"] in lines and ["version", bench["version"], "9.9"] in lines, said
    assert not any("warning" in line for line in lines), said
    same = " ".join(re.search(r"The same in both:(.*(?:\n  .*)*)", said)[1].split()).split(", ")
    assert same == [f"{k} {v}" for k, v in c["a"]["settings"].items() if k not in c["differs"]], same


def outlier():
    """One repeat of B took a hundred times as long: the phases explain the medians, not the means."""
    a = report([run(STEPS)])
    b = report([run([0.7 * s for s in STEPS[:-1]] + [100 * STEPS[0]])])
    for r, fft, median in ((a["runs"][0], 0.9, 0.9), (b["runs"][0], 9.0, 0.6)):
        r["phases"] = {"fft": {"mean": fft, "median": median}, "wait": {"mean": 0.1, "median": 0.1}}
    c = compare(a, b)["pairs"][0]
    assert c["verdict"] == "faster" and c["phases_of"] == "median", c
    assert near(c["phases"]["fft"]["difference_s"], -0.3), c["phases"]
    said = text("a.json", "b.json")
    assert "fft -300.00 ms of -%.2f ms (medians)" % (1000 * (c["a"]["median_s"] - c["b"]["median_s"])) in said, said
    # reports of older versions have no medians
    del a["runs"][0]["phases"]["wait"]["median"]
    c = compare(a, b)["pairs"][0]
    assert c["phases_of"] == "mean" and near(c["phases"]["fft"]["difference_s"], 8.1), c
    assert " (means)" in text("a.json", "b.json")


def by_definition():
    source = random.Random(3)
    for k in range(6):
        # times in whole units make ties
        x, y = ([round(source.uniform(10, 10 + 6 * (s and k) / 2 + 4)) * 1e-3 for _ in range(n)]
                for s, n in ((0, 5 + k % 3), (1, 6)))
        pair = compare(report([run(x)]), report([run(y)]))["pairs"][0]
        assert near(pair["p"], p_of(x, y)) and pair["p_holm"] == pair["p"], (pair["p"], x, y)
        want = interval_of(x, y)
        have = pair["ratio"], pair["ratio_low"], pair["ratio_high"]
        assert all(map(near, have, want)), (have, want)


def together():
    """Holm's correction takes away what one pair alone would be called."""
    x = [1.00, 1.03, 1.05, 1.08, 1.10, 1.12]
    y = [1.04, 1.11, 1.13, 1.14, 1.15, 1.17]
    alone = compare(report([run(x)]), report([run(y)]))["pairs"][0]
    assert alone["verdict"] == "slower" and 0.01 < alone["p"] <= 0.05, alone
    algos = ["packed", "slabs", "pencils", "shared", "x1", "x2"]
    pairs = compare(report([run(x, algo=n) for n in algos]),
                    report([run(y if n == "slabs" else x, algo=n) for n in algos]))["pairs"]
    assert [p["algo"] for p in pairs] == algos and all(p["verdict"] == "no difference" for p in pairs)
    assert near(pairs[1]["p_holm"], 6 * alone["p"]) and pairs[0]["p_holm"] == 1, pairs[1]
    assert "of 6 pairs" in pairs[1]["text"] and "of 6" not in pairs[0]["text"]


def too_few():
    for n, pairs, needed in ((1, 1, 5), (3, 1, 5), (4, 1, 5), (5, 8, 6), (5, 1, 0), (6, 8, 0)):
        a = report([run([0.01 * s for s in STEPS[:n]], algo="x%d" % i) for i in range(pairs)])
        b = report([run([0.05 * s for s in STEPS[:n]], algo="x%d" % i) for i in range(pairs)])
        for p in compare(a, b)["pairs"]:
            assert p["verdict"] == ("too few repeats" if needed else "slower"), (n, pairs, p)
            assert not needed or "needed are %d each" % needed in p["text"], p["text"]
            assert n > 3 or p["ratio_low"] is p["ratio_high"] is None, p
    text("a.json", "b.json")


def threshold():
    a = report([run([0.02 * (1 + 1e-4 * s) for s in STEPS])])
    b = report([run([0.0201 * (1 + 1e-4 * s) for s in STEPS])])
    for options, verdict in (((), "below threshold"), (("--threshold", "0.4"), "slower"),
                             (("--threshold", "0"), "slower"), (("--threshold", "2"), "below threshold")):
        assert compare(a, b, *options)["pairs"][0]["verdict"] == verdict, options
    assert "no difference of 1 %: slower by 0.5 % (" in text("a.json", "b.json")


def matching():
    def pairs(a, b):
        c = compare(report([run(STEPS, **f) for f in a]), report([run(STEPS, **f) for f in b]))
        found = [(p["a"]["run"], p["b"]["run"], p["differs"]) for p in c["pairs"]]
        assert len({p[0] for p in found}) == len({p[1] for p in found}) == len(found), found
        assert len(c["unmatched"]["a"]) == len(a) - len(found)
        assert len(c["unmatched"]["b"]) == len(b) - len(found)
        return found
    P, S, R = {"algo": "packed"}, {"algo": "slabs"}, {"algo": "pencils"}
    back = {"direction": "backward"}
    assert pairs([P, {**P, **back}], [{**R, **back}, R]) == [(0, 1, ["algo"]), (1, 0, ["algo"])]
    assert pairs([P], [S, R, P]) == [(0, 2, [])]
    assert pairs([P, S], [R, P]) == [(0, 1, []), (1, 0, ["algo"])]
    assert pairs([P, S], [P, R, {"algo": "x"}]) == [(0, 0, [])]  # which of them, nobody knows
    assert pairs([P, S, {"algo": "x"}], [P, R]) == [(0, 0, [])]
    assert pairs([P, P], [P, P]) == [(0, 0, []), (1, 1, [])]
    assert pairs([P], [{**R, "engine": "fftw", "order": "natural"}]) == \
        [(0, 0, ["algo", "engine", "order"])]
    # an engine each, and an exchange that differs: the engine decides
    assert pairs([{**P, "engine": "simd"}, {**P, "engine": "fftw"}],
                 [{**R, "engine": "fftw"}, {**R, "engine": "simd"}]) == \
        [(0, 1, ["algo"]), (1, 0, ["algo"])]
    # of slabs the grid of ranks follows from their number; of pencils it is a choice
    slab = [{"decomp": "slab", "pgrid": g} for g in ([2, 1], [4, 1])]
    pencil = [{"decomp": "pencil", "pgrid": g} for g in ([2, 2], [4, 1])]
    assert pairs(slab[:1], slab[1:]) == [(0, 0, [])]
    assert pairs(pencil, pencil[::-1]) == [(0, 1, []), (1, 0, [])]
    assert pairs(pencil[:1], pencil[1:]) == [(0, 0, ["pgrid"])]
    said = text("a.json", "b.json")
    assert "pgrid 2x2 -> 4x1" in said, said
    # but of pencils and slabs both are said
    assert pairs(pencil[:1], slab[1:]) == [(0, 0, ["decomp", "pgrid"])]
    said = text("a.json", "b.json")
    assert "pgrid 2x2 -> 4x1" in said and "none" not in said.split("B is")[0], said
    compare(report([run(STEPS), run(STEPS, algo="x")]), report([run(STEPS)]))
    said = text("a.json", "b.json")
    assert "Only in A" in said and "  x slab simd transposed forward\n" in said, said
    put("a.json", [run(STEPS)])
    put("b.json", [run(STEPS, "backward")])
    wrong(65, "no run of 'a.json' (1, as ", "a.json", "b.json")


def sweeps():
    """Of several problems each run has its own, of one the report has it."""
    small, large = {"problem": "c2c:d:16x16x16"}, {"problem": "c2c:d:32x32x32"}
    both = {**report([run(STEPS, **small), run(STEPS, **large)]), "problem": None}
    del both["problem"]
    for name, at in ((large["problem"], 1), (small["problem"], 0)):
        for swapped in (0, 1):
            one = report([run(STEPS)], problem=name)
            c = compare(*((one, both) if swapped else (both, one)))
            assert [p["a" if not swapped else "b"]["run"] for p in c["pairs"]] == [at], c["pairs"]
            assert not any("different work" in w for w in c["warnings"]), c["warnings"]
    other = report([run(STEPS, **small), run(STEPS, problem="c2c:d:48x48x48")])
    del other["problem"]
    c = compare(both, other)
    assert len(c["pairs"]) == 2 and sum("different work" in w for w in c["warnings"]) == 1, c["warnings"]


def without_keys():
    """Reports whose runs have other names than those that compare knows."""
    for command, fields in (("kernels", {}), ("turbulence", {}), ("poisson", {"algorithm": "CG"})):
        for name in ("a.json", "b.json"):
            with open(name, "w") as f:
                json.dump(report([run(STEPS, **fields)], command=command), f)
        wrong(65, "it is one of '%s'" % command, "a.json", "b.json")
    compare(report([run(STEPS)], command="poisson"), report([run(STEPS)], command="poisson"))


def settings():
    c = compare("bench.json", "given.json")
    assert {"chunk", "local", "norm", "deterministic", "node_ranks"} <= set(c["differs"]), c["differs"]
    other = {**json.load(open("poisson.json")), "bc": "neumann", "stencil": "second"}
    c = compare("poisson.json", other)
    assert c["differs"] == ["bc", "stencil"] and len(c["pairs"]) == 3, (c["differs"], c["pairs"])


def without_fields():
    """A report needs times and no more."""
    bare = {"schema": "pfft3d.report/1", "runs": [{"time_s": {"reps": STEPS}}]}
    c = compare(bare, bare)
    assert c["pairs"][0]["verdict"] == "no difference" and c["a"]["settings"] == {}
    text("a.json", "b.json", "-v")
    bare["runs"][0].update(direction="forward", algo="packed", phases={})
    assert compare(bench, bare)["pairs"][0]["differs"] == ["decomp", "engine", "order"]


def doubts():
    a = report([run([0.02 * s for s in STEPS])])
    slow = report([run([0.02] * 6 + [0.024 + 1e-5 * i for i in range(6)])], load_average=[9, 3, 1],
                  problem="c2c:d:32x32x32")
    slow["runs"][0]["check"] = {"pass": False}
    said = "\n".join(compare(a, slow)["warnings"])
    for words in ("different work", "B began at a load average of 9", "B was not steady: packed",
                  "20 % more time in the second half", "(1 of 1 runs drift)", "a check of B failed"):
        assert words in said, (words, said)
    assert said in text("a.json", "b.json").replace("  warning: ", "")
    assert compare(a, a)["warnings"] == []


def table():
    a = report([run([0.02 * s for s in STEPS], d) for d in ("forward", "backward")])
    b = report([run([0.03 * s for s in STEPS], d, algo="x,y") for d in ("forward", "backward")])
    c = compare(a, b, "--csv", "pairs.csv")
    rows = list(csv.DictReader(open("pairs.csv")))
    assert len(rows) == len(c["pairs"]) == 2
    for row, pair in zip(rows, c["pairs"]):
        for name in ("ratio", "ratio_low", "ratio_high", "p", "p_holm"):
            assert float(row[name]) == pair[name], name
        for side in "ab":
            assert float(row[side + ".median_s"]) == pair[side]["median_s"]
        assert row["a.file"] == "a.json" and row["verdict"] == "slower"
        assert row["algo"] == "packed -> x,y" and row["direction"] == pair["direction"]
    again = list(csv.DictReader(text("a.json", "b.json", "--csv", "-").splitlines()))
    for row in rows + again:
        del row["date"]  # of the comparison
    assert again == rows, again
    assert text("a.json", "b.json", "--quiet") == ""


def ranks():
    one, three = text("bench.json", "bench.json"), text("bench.json", "bench.json", ranks=3)
    assert one == three, three
    wrong(66, "'nope.json'", "nope.json", "bench.json", ranks=3)
    wrong(65, "'explain.json'", "bench.json", "explain.json", ranks=3)


def usage():
    wrong(64, "A.json is missing")
    wrong(64, "B.json is missing", "bench.json")
    wrong(64, "unexpected argument 'third'", "bench.json", "bench.json", "third")
    wrong(64, "1 to 1535 characters", "bench.json", "")
    wrong(64, "1 to 1535 characters", "b" * 1536, "bench.json")
    wrong(64, "--grid does not apply", "bench.json", "bench.json", "--grid", "8")
    wrong(64, "--threshold '-1'", "bench.json", "bench.json", "--threshold", "-1")
    before = open("bench.json").read()
    wrong(64, "is a report to be compared", "bench.json", "line.json", "--json", "bench.json")
    assert open("bench.json").read() == before
    wrong(66, "cannot open 'nope.json'", "bench.json", "nope.json")
    wrong(66, "it is a folder", ".", "bench.json")
    wrong(65, "time_s.reps", "explain.json", "bench.json")
    wrong(65, "time_s.reps", "bench.json", "verify.json")
    wrong(65, "has 0 \"runs\"", "info.json", "bench.json")
    done = pfft3d("bench.json", "bench.json", "--json", "again.json")
    assert done.returncode == 0
    wrong(65, "has 0 \"runs\"", "again.json", "bench.json")


def hostile_files():
    """What no report is: name and bytes."""
    good = report([run(STEPS)])

    def with_(change):
        tree = copy.deepcopy(good)
        change(tree)
        return json.dumps(tree).encode()

    def times(v):
        return with_(lambda t: t["runs"][0].update(time_s=v))

    yield "empty", b""
    yield "spaces", b" " * 100000
    yield "zeros", b"\0" * 5000
    yield "noise", bytes(random.Random(1).randrange(256) for _ in range(5000))
    yield "HDF5", b"\x89HDF\r\n\x1a\n" + bytes(500)
    yield "text", b"pfft3d bench\x1b[31m c2c:d\n"
    yield "cut", with_(lambda t: None)[:-20]
    yield "junk behind", with_(lambda t: None) + b"}"
    yield "twice", with_(lambda t: None) * 2
    yield "a list", b"[" + with_(lambda t: None) + b"]"
    yield "a number", b"3"
    yield "deep lists", b"[" * 1000000
    yield "deep objects", b'{"runs":' * 1000000
    yield "deep in a run", with_(lambda t: None).replace(b'"algo"', b'"x": ' + b"[" * 100000 + b', "algo"')
    yield "a key twice", with_(lambda t: None).replace(b'"runs"', b'"schema": "x", "runs"')
    yield "a key twice in times", with_(lambda t: None).replace(b'"reps"', b'"reps": [1], "reps"')
    yield "not UTF-8", with_(lambda t: None).replace(b"packed", b"pa\xff\xfeked")
    yield "a NUL in a word", with_(lambda t: None).replace(b"packed", b"pa\\u0000ked")
    yield "half a pair", with_(lambda t: None).replace(b"packed", b"pa\\ud800ked")
    yield "huge number", with_(lambda t: None).replace(b"1.02", b"1e999")
    yield "huge whole number", with_(lambda t: None).replace(b"1.02", b"9" * 400)
    yield "no schema", with_(lambda t: t.pop("schema"))
    for v in (None, 1, [], {}, "pfft3d.report/2", "pfft3d.report/1x", "\x1b[2J", "x" * 100000):
        yield "schema %.20s" % ascii(v), with_(lambda t: t.update(schema=v))
    yield "no runs", with_(lambda t: t.pop("runs"))
    for v in (None, 1, "x", {}, {"0": good["runs"][0]}, [], [[]], [None], [1], ["x"], [{}],
              good["runs"] * 513, good["runs"] + [{}]):
        yield "runs %.40s" % ascii(v), with_(lambda t: t.update(runs=v))
    for v in (None, 1, "x", [], [1, 2], {}, {"median": 1}, {"reps": None}, {"reps": {}},
              {"reps": []}, {"reps": 1}, {"reps": "x"}):
        yield "time_s %s" % v, times(v)
    for v in (None, True, "1", [1], {}, 0, 0.0, -0.0, -1, -1e-3, 1e-300, 5e-324, 1e300, 10**18):
        yield "a time of %s" % v, times({"reps": STEPS[:3] + [v] + STEPS[3:]})
    for v in (b"NaN", b"Infinity", b"-Infinity", b"nan", b"0x1p0", b"1.", b".5", b"+1", b"01"):
        yield "a time of %s" % v.decode(), times({"reps": [123.25]}).replace(b"123.25", v)
    for key in ("algo", "decomp", "pgrid", "engine", "order", "direction", "method", "layout"):
        for v in (None, True, {}, {"x": 1}, [[]], ["x"], [None]):
            yield "%s %s" % (key, v), with_(lambda t: t["runs"][0].update({key: v}))
    for v in (None, 1, "x", [], {"fft": 1}, {"fft": None}, {"fft": {}}, {"fft": {"mean": "x"}},
              {"fft": {"mean": None}}, {"fft": []}):
        yield "phases %s" % v, with_(lambda t: t["runs"][0].update(phases=v))
    for key, field in (("exchange", "gbs_per_rank"), ("messages", "bytes_each_max"),
                       ("memory", "work_bytes")):
        for v in (True, "x", [], {}, [1]):
            yield "%s.%s %s" % (key, field, v), with_(lambda t: t["runs"][0][key].update({field: v}))
    for v in (True, "x", [], {}):
        yield "plan_s %s" % v, with_(lambda t: t["runs"][0].update(plan_s=v))


def hostile(number, data):
    """The failure of the test, or None."""
    file = "hostile%d.json" % number
    try:
        with open(file, "wb") as f:
            f.write(data)
        wrong(65, "'%s'" % file, file, "bench.json")
    except Exception as why:
        return why


def fail_with(why):
    if why:
        raise why


def odd_but_harmless():
    """What is not used may be anything, and words that are printed do not reach the terminal."""
    odd = report([run(STEPS, algo="\x1b[31mred\n\x7f\u2028" + "x" * 100000, pgrid=[1e300] * 10000,
                      decomp="pencil", phases={"\x1b[2J" + "y" * 5000: {"mean": 1e308},
                                               "fft": {"mean": -1e308}, **{
                                                   "p%d" % i: {"mean": i} for i in range(1000)}},
                      messages=None, memory=[], exchange="x", plan_s=1e308)],
                 host="\x1b[0m\u00e4" * 1000, load_average="x", threads=-1e300, ranks={},
                 version=None, nodes=[1, "x"] * 5000, study={"a": [1]}, warnings=3)
    other = report([run(STEPS, algo="y", plan_s=-1e308)], load_average=[1e300, None], threads=1e300,
                   ranks_per_node=1e300)
    for a, b in ((odd, odd), (odd, other), (other, odd)):
        compare(a, b)
        said = text("a.json", "b.json", "-v")
        assert all(" " <= c <= "~" or c == "\n" for c in said), ascii(said)
        text("a.json", "b.json", "--csv", "-")


def many_repeats():
    source = random.Random(5)
    x, y = ([math.exp(source.gauss(s, 0.2)) * 1e-3 for _ in range(20000)] for s in (0, 0.05))
    pair = compare(report([run(x)]), report([run(y)]))["pairs"][0]
    assert pair["verdict"] == "slower" and abs(math.log(pair["ratio"]) - 0.05) < 0.01, pair
    assert pair["ratio_low"] < pair["ratio"] < pair["ratio_high"]
    names = ["n%d" % i for i in range(512)]
    c = compare(report([run(STEPS, algo=n) for n in names]),
                report([run(STEPS, algo=n) for n in names[::-1]]))
    assert all(p["a"]["run"] == 511 - p["b"]["run"] for p in c["pairs"]) and len(c["pairs"]) == 512
    a, b = ([run(STEPS, algo="%s%d" % (s, i), engine="%s%d" % (s, i % 3), order="%s%d" % (s, i % 5))
             for i in range(512)] for s in "ab")
    done = pfft3d(put("a.json", a), put("b.json", b))
    assert done.returncode == 65, done


def put(name, runs):
    with open(name, "w") as f:
        json.dump(report(runs), f)
    return name


bench = json.load(open("bench.json"))
test("the same report twice", same_twice)
test("known differences, both ways round", known_differences)
test("phases follow the medians where one repeat is an outlier", outlier)
test("p and intervals by definition", by_definition)
test("several pairs are judged together", together)
test("too few repeats", too_few)
test("--threshold", threshold)
test("which run belongs to which", matching)
test("reports of one problem and of several", sweeps)
test("reports of other commands", without_keys)
test("options that differ", settings)
test("a report with times only", without_fields)
test("warnings", doubts)
test("--csv and --quiet", table)
test("many repeats and many runs", many_repeats)
test("several ranks", ranks)
test("what users do wrong", usage)
test("odd reports do no harm", odd_but_harmless)
with ThreadPoolExecutor(4) as pool:  # most of the time of so short a run is waiting
    names, files = zip(*hostile_files())
    for name, why in zip(names, pool.map(hostile, range(len(files)), files)):
        test("no report: " + name.replace("#", "?"), fail_with, why)
print("1..%d" % tests)
sys.exit(failed)
