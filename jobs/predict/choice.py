# SPDX-License-Identifier: BSD-3-Clause
"""The automatic choice beside all candidates.  Called by jobs/choice.sh."""
import argparse
import json
import os
import shlex
import statistics
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, "..", "study")]

from message import INTERNAL, Failure, fail
from tables import seconds


def options(words):
    own, more = (words[:words.index("--")], words[words.index("--") + 1:]) if "--" in words else \
        (words, [])
    p = argparse.ArgumentParser(prog="choice.sh", description="Times what auto chooses and all candidates, in "
                                "turns.  Words behind -- are given to pfft3d.")
    p.add_argument("--sizes", default="16,32,64,128,256,512", metavar="N,...", help="cubes (16 to 512)")
    p.add_argument("--ranks", default="1,2", metavar="P,...", help="(1,2)")
    p.add_argument("--choices", type=int, default=3, metavar="N", help="jobs that choose (3)")
    p.add_argument("--repeats", type=int, default=9, metavar="N", help="of the best candidates (9)")
    p.add_argument("--seconds", type=float, default=60, metavar="S",
                   help="for timing all candidates of a size (60)")
    o = p.parse_args(own)
    o.more = more
    return o


def run(ranks, *words):
    """The report of a job."""
    mpirun = shlex.split(os.environ.get("MPIRUN", "mpirun" + " --bind-to core" * (ranks <= 2)))
    command = mpirun + ["-n", str(ranks), os.environ.get("PFFT3D", "pfft3d"), *words, "-q", "--json", "-"]
    allowed = {}
    if os.geteuid() == 0:  # Open MPI wants to be told
        allowed = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
    done = subprocess.run(command, env={**os.environ, **allowed}, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          text=True)
    if done.returncode:
        raise Failure(INTERNAL, "'%s' ended with %d" % (" ".join(command), done.returncode),
                      done.stderr.strip())
    return json.loads(done.stdout)


def choose(o, n, ranks):
    """(decision, who decided, seconds of planning) of several jobs."""
    for _ in range(o.choices):
        r = run(ranks, "bench", "--grid", n, "--decomp", "auto", "--exchange", "auto", "--wisdom", "none",
                "--reps", "1", *o.more)["runs"][0]
        yield r["decision"], r["plan_by"], r["plan_s"]


def measure(o, n, ranks):
    """Seconds of all candidates."""
    with tempfile.TemporaryDirectory() as folder:
        report = run(ranks, "tune", "--grid", n, "--reps", str(o.repeats), "--plan-budget", str(o.seconds),
                     "--wisdom", os.path.join(folder, "wisdom"), *o.more)
    return {r["decision"]: r["measured_s"] for r in report["runs"]}


def load():
    return "%.1f" % os.getloadavg()[0] if hasattr(os, "getloadavg") else "?"


def compare(o):
    print("| grid | ranks | candidates | best | its time | chosen | by | over the best | planning: median, most "
          "| load |")
    print("|---|---|---|---|---|---|---|---|---|---|")
    for n in o.sizes.split(","):
        for ranks in map(int, o.ranks.split(",")):
            before = load()
            choices = list(choose(o, n, ranks))
            times = measure(o, n, ranks)
            best = min(times, key=times.get)
            ratios = ["%.2f" % (times[d] / times[best]) if d in times else "?" for d, _, _ in choices]
            plans = [s for _, _, s in choices]
            print("| %s\u00b3 | %d | %d | %s | %s | %s | %s | %s | %s, %s | %s |" % (
                n, ranks, len(times), short(best), seconds(times[best]),
                ", ".join(dict.fromkeys(short(d) for d, _, _ in choices)),
                ", ".join(dict.fromkeys(by for _, by, _ in choices)), ", ".join(ratios),
                seconds(statistics.median(plans)), seconds(max(plans)), before), flush=True)


def short(decision):
    """`pencil 2x1, packed`"""
    words = dict(w.split("=") for w in decision.split())
    grid = " " + words["grid"] if "grid" in words else ""
    return "%s%s, %s" % (words["decomp"], grid, words["exchange"])


def main():
    try:
        compare(options(sys.argv[1:]))
    except Failure as failure:
        return fail(failure)
    return 0


sys.exit(main())
