# SPDX-License-Identifier: BSD-3-Clause
"""The table of doc/mpis.md from what tests/long/mpis.sh has left:  mpis_table.py BUILD/mpis

One row for each build: passed, failed, skipped; then one table of times for each size, in ms: median
and least of the repeats."""
import json
import pathlib
import sys

root = pathlib.Path(sys.argv[1])
order = ["openmpi5", "mpich4", "mpich5", "ints", "abi", "impi"]
builds = [root / f"build-{name}" for name in order if (root / f"build-{name}").is_dir()]


def mpi(build):
    """How the MPI calls itself."""
    for report in build.glob("*.json"):
        return json.loads(report.read_text())["mpi"] + {"build-abi": " (ABI)", "build-ints": " (counts of 32 bits)"}.get(build.name, "")
    return build.name[6:]


print("| MPI | passed | failed | skipped |\n|---|---:|---:|---:|")
for build in builds:
    sums = [[int(word) for word in file.read_text().split()] for file in build.glob("sums/*") if not file.suffix == ".skipped"]
    print(f"| {mpi(build)} | " + " | ".join(str(sum(column)) for column in zip(*sums)) + " |")
for edge in (128, 256):
    rows = []
    for build in builds:
        file = build / f"{edge}.json"
        if file.exists():
            report = json.loads(file.read_text())
            rows.append((mpi(build), report["load_average"], {run["algo"]: run["time_s"] for run in report["runs"]}))
    if rows:
        names = list(rows[0][2])
        print(f"\n{edge}^3, 2 ranks, forward, ms: median, least\n\n| | " + " | ".join(names) + " | load |\n|---|" + "---|" * (len(names) + 1))
        for name, load, times in rows:
            print(f"| {name} | " + " | ".join(
                f"{1e3 * times[n]['median']:.3g}, {1e3 * times[n]['min']:.3g}" if n in times else "" for n in names)
                + f" | {load if isinstance(load, (int, float)) else load[0]:.0f} |")
