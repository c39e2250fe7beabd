# SPDX-License-Identifier: BSD-3-Clause
"""What a job has left in its folder: python3 slurm_reports.py FOLDER NAME...

Each NAME must be there and be what its ending says: JSON with checks that passed, JSON lines of a
study, CSV with a line for each run.  Nothing that looks like a part of a file may be there.  Says
what is wrong, and ends with 1 then.
"""
import csv
import json
import os
import sys


def checked(report):
    """The number of runs of a report, all of which must have passed their checks."""
    runs = report["runs"]
    assert runs, "no runs"
    for run in runs:
        if report["command"] == "tune":
            assert run["measured_s"] > 0 and run["ratio"] >= 1, "no time: %s" % run
            continue
        assert run["check"]["pass"] is True, "a check did not pass: %s" % run["check"]
        assert run.get("verified", True) is True, "not verified"
    return len(runs)


def of_json(file):
    report = json.load(file)
    assert report["schema"] == "pfft3d.report/1", report["schema"]
    checked(report)


def of_jsonl(file):
    lines = file.read().split("\n")
    assert lines.pop() == "", "the last line is not whole"
    assert lines, "no lines"
    for line in lines:
        report = json.loads(line)
        assert report["study"]["status"] == 0, report["study"]
        checked(report)


def of_csv(file):
    rows = list(csv.DictReader(file))
    assert rows, "no rows"
    for row in rows:
        assert None not in row and None not in row.values(), "rows of unequal length"
        median = next(row[name] for name in ("time_s.median", "median_s", "measured_s") if name in row)
        assert float(median) > 0, "no time: %s" % median
        assert row.get("check.pass", "true") == "true", "a check did not pass"


def of_text(file):
    assert file.read().strip(), "empty"


KINDS = {".json": of_json, ".jsonl": of_jsonl, ".csv": of_csv}


def look(folder, names):
    wrong = 0
    for name in names:
        try:
            with open(os.path.join(folder, name)) as file:
                KINDS.get(os.path.splitext(name)[1], of_text)(file)
        except (OSError, ValueError, KeyError, TypeError, StopIteration, AssertionError) as error:
            print("%s: %s: %s" % (name, type(error).__name__, error))
            wrong = 1
    for place, folders, files in os.walk(folder):
        for name in folders + files:
            if (name.startswith(".") and name != ".lock") or ".pfft3d-" in name or name.endswith(".new"):
                print("a part was left: %s" % os.path.join(place, name))
                wrong = 1
    return wrong


if __name__ == "__main__":
    sys.exit(look(sys.argv[1], sys.argv[2:]))
