# SPDX-License-Identifier: BSD-3-Clause
"""Checks a timeline: timeline.py TIMELINE.json REPORT.json|- [NAME...]

The fields that Perfetto requires; events of a rank inside each other; messages on their way that
begin when one rank sends and end when the other has received; with a report of bench, as many
messages and bytes as it says; calls of these names, and plans of the report.
"""

import json
import sys
from collections import Counter, defaultdict

ROUNDING = 2e-3  # microseconds, of three digits, and of the clocks' rate within a call


def check_fields(events):
    for e in events:
        assert isinstance(e["name"], str) and e["name"], e
        assert e["ph"] in "XbeM" and isinstance(e["pid"], int) and isinstance(e["tid"], int), e
        assert e["ts"] >= 0 or e["ph"] in "be", e
        if e["ph"] == "X":
            assert e["dur"] >= 0, e
        if e["ph"] in "be":
            assert int(e["id"], 16) >= 0 and e["cat"], e


def check_nesting(events):
    """In each lane, in the order of the file; calls of one rank do not overlap."""
    for lane in {(e["pid"], e["tid"]) for e in events}:
        around = []
        for e in (e for e in events if (e["pid"], e["tid"]) == lane):
            end = e["ts"] + e["dur"]
            slack = ROUNDING + 1e-9 * end
            while around and around[-1] <= e["ts"] + slack and end > around[-1] + slack:
                around.pop()
            if e["cat"] == "transform":
                assert not around, ("calls overlap", e)
            assert around or e["cat"] == "transform", ("outside of calls", e)
            assert not around or end <= around[-1] + slack, ("beyond", around[-1], e)
            if e["dur"] > 0:
                around.append(end)


def check_messages(events, error):
    """Every message that is sent is received, and travels from one to the other."""
    sent, got = defaultdict(Counter), defaultdict(Counter)
    for e in events:
        if e["name"] == "send" and e["ph"] == "X":
            sent[e["pid"], e["args"]["to"]][e["args"]["bytes"]] += 1
        if e["name"] == "receive":
            got[e["args"]["from"], e["pid"]][e["args"]["bytes"]] += 1
    assert sent == got, (sent, got)
    begin = {e["id"]: e for e in events if e["ph"] == "b"}
    end = {e["id"]: e for e in events if e["ph"] == "e"}
    assert begin.keys() == end.keys() and len(begin) == sum(c.total() for c in sent.values())
    starts = Counter((e["pid"], e["args"]["to"], round(e["ts"], 2)) for e in events if e["name"] == "send")
    for key, b in begin.items():
        e = end[key]
        assert b["args"] == e["args"] and b["pid"] == e["pid"] == b["args"]["to"], (b, e)
        assert e["ts"] >= b["ts"], (b, e)
        at = b["args"]["from"], b["args"]["to"]
        assert any((*at, round(b["ts"] + d, 2)) in starts for d in (0, -0.01, 0.01)), b
    return sent


def check_report(events, report):
    """Messages and bytes of a transform: the most that a rank sends."""
    for run in report["runs"]:
        sums = []
        for rank in range(report["ranks"]):
            mine = [e for e in events if e["pid"] == rank and e["ph"] == "X"]
            calls = [e for e in mine if e["cat"] == "transform" and e["name"] == run["direction"]
                     and f"exchange={run['algo']} " in e["args"]["plan"] + " "
                     and f"engine={run['engine']} " in e["args"]["plan"] + " "
                     and (not run.get("method") or f"method={run['method']} " in e["args"]["plan"] + " ")]
            reps = len(run["time_s"]["reps"])
            assert len(calls) == reps, (run["algo"], rank, len(calls))
            assert all(c["args"]["left_out"] == 0 for c in calls)
            number = size = 0
            for c in calls:
                inside = [e for e in mine if e["name"] == "send" and c["ts"] <= e["ts"] <= c["ts"] + c["dur"]]
                number += len(inside)
                size += sum(e["args"]["bytes"] for e in inside)
            sums.append((number / reps, size / reps))
        says = run["messages"]["remote_per_rank"], run["messages"]["remote_bytes_per_rank"]
        assert tuple(max(s[k] for s in sums) for k in range(2)) == says, (run["algo"], sums, says)


timeline = json.load(open(sys.argv[1]))
events, other = timeline["traceEvents"], timeline["otherData"]
assert other["format"] == "pfft3d.timeline/1" and other["left_out"] == 0 and other["clock_error_us"] >= 0
check_fields(events)
work = [e for e in events if e["ph"] == "X"]
assert len(work) == other["events"] and {e["pid"] for e in work} == set(range(other["ranks"]))
assert sum(e["ph"] == "M" and e["name"] == "process_name" for e in events) == other["ranks"]
check_nesting(work)
check_messages(events, other["clock_error_us"])
names = {e["name"] for e in work if e["cat"] == "transform"}
assert names >= set(sys.argv[3:]), (names, sys.argv[3:])
if sys.argv[2] != "-":
    check_report(events, json.load(open(sys.argv[2])))
