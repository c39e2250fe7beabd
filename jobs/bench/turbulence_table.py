# SPDX-License-Identifier: BSD-3-Clause
"""Medians of the turns of jobs/bench/turbulence.sh:  python3 turbulence_table.py FILE.  Exit code 1 if
energies of the same flow differ."""
import csv
import sys
from statistics import median

with open(sys.argv[1], encoding="utf-8") as file:
    rows = list(csv.DictReader(file))
wrong = 0
print(f"{'size':>5} {'rule':5} {'':24}{'step ms':>10}{'least':>10}{'most':>10}{'fft share':>10}{'times pfft3d':>13}  load")
for size, rule in dict.fromkeys((r["size"], r["rule"]) for r in rows):
    cell = [r for r in rows if (r["size"], r["rule"]) == (size, rule)]
    energy, ours = float(cell[0]["energy"]), None
    for who in dict.fromkeys(r["who"] for r in cell):
        mine = [r for r in cell if r["who"] == who]
        ms = [1e3 * float(r["step_s"]) for r in mine]
        load = [float(r["load"]) for r in mine]
        ours = ours or median(ms)
        print(f"{size:>5} {rule:5} {who:24}{median(ms):10.1f}{min(ms):10.1f}{max(ms):10.1f}"
              f"{median(float(r['fft_share']) for r in mine):10.2f}{median(ms) / ours:13.2f}  {min(load)} to {max(load)}")
        if not all(abs(float(r["energy"]) - energy) <= 1e-11 for r in mine):
            print(f"{size:>5} {rule:5} {who}: WRONG, another energy")
            wrong = 1
sys.exit(wrong)
