# SPDX-License-Identifier: BSD-3-Clause
"""Scaling and strategy studies over pfft3d.  Called by jobs/study.sh.

One start of the program for each problem and number of ranks, with all strategies in it, so that
their repeats take turns and they share the measurements of the raw exchange.  Every point becomes
one line of DIR/results.jsonl as soon as it is done; tables and plots are made of these lines alone.
"""
import argparse
import difflib
import os
import shutil
import sys

import plots
import points
import tables
from launch import Launcher, try_options
from message import CREATE, STOPPED, USAGE, Failure, fail, say, warn
from results import Results, rows

EPILOG = """\
weak scaling: --grids are those of one rank.  On P ranks each prime factor of P, the largest first,
lengthens the axis that is shortest then (of equal ones the first): 64 on 6 ranks is 192x128x64.

examples:
  sh jobs/study.sh --out scaling --scaling strong --grids 256,512 --ranks 1,2,4,8
  sh jobs/study.sh --out scaling --scaling weak --grids 128 --ranks 1,2,4,8 --decomps slab,pencil
  sh jobs/study.sh --out small --grids 32,64,128 --ranks 4 --direction both -- --order natural
  sh jobs/study.sh --out scaling --plots-only
"""


class Parser(argparse.ArgumentParser):
    def error(self, message):
        raise Failure(USAGE, message.replace("argument ", "", 1), "--help lists the options")


def names(*valid):
    """A list of some of these."""
    def parse(text):
        for word in text.split(","):
            if word not in valid:
                near = difflib.get_close_matches(word, valid, 1)
                mean = "did you mean '%s'? " % near[0] if near else ""
                raise argparse.ArgumentTypeError("'%s': %svalid: %s" % (word, mean, ", ".join(valid)))
        return list(dict.fromkeys(text.split(",")))
    return parse


def number(text, most=2**31 - 1):
    if not (text.isascii() and text.isdigit() and 1 <= int(text) <= most):
        raise argparse.ArgumentTypeError("'%s': expected a number from 1 to %d" % (text, most))
    return int(text)


def numbers(text):
    return list(dict.fromkeys(number(word) for word in text.split(",")))


def grids(text):
    for word in text.split(","):
        try:
            points.cube(word)
        except ValueError:
            raise argparse.ArgumentTypeError("'%s': expected N, N0xN1 or N0xN1xN2" % word)
    return text.split(",")


def parser():
    p = Parser(prog="study.sh", usage="sh jobs/study.sh --out DIR --grids LIST --ranks LIST [OPTIONS]"
               " [-- OPTIONS OF pfft3d bench]", epilog=EPILOG, allow_abbrev=False,
               description="Scaling and strategy studies, with tables and plots.",
               formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--out", metavar="DIR", required=True, help="results.jsonl, tables and plots; a "
                   "study that is there already is continued")
    p.add_argument("--scaling", type=names("strong", "weak", "none"), metavar="KIND",
                   default=["none"], help="strong, weak, or none: strategies only (none)")
    p.add_argument("--grids", type=grids, default=[], metavar="LIST",
                   help="N, N0xN1 or N0xN1xN2, commas between")
    p.add_argument("--nas", type=names(*"SWABCDE"), default=[], metavar="LIST",
                   help="classes of NAS FT, S to E, instead of or beside --grids")
    p.add_argument("--ranks", type=numbers, default=[], metavar="LIST", help="numbers of ranks")
    p.add_argument("--exchanges", "--algos", dest="algos", default="all", metavar="LIST", help="exchanges, or all (all)")
    p.add_argument("--decomps", type=names("auto", "slab", "pencil"), default=["auto"],
                   metavar="LIST", help="auto, slab, pencil (auto)")
    p.add_argument("--threads", type=numbers, default=[1], metavar="LIST",
                   help="OpenMP threads of each rank (1)")
    p.add_argument("--types", type=names("c2c", "r2c"), default=["c2c"], metavar="LIST",
                   help="c2c, r2c (c2c)")
    p.add_argument("--precisions", type=names("double", "single"), default=["double"],
                   metavar="LIST", help="double, single (double)")
    p.add_argument("--direction", type=names("forward", "backward", "both"), default=["forward"],
                   metavar="NAME", help="forward, backward or both (forward)")
    p.add_argument("--reps", type=number, default=7, metavar="N", help="timed repeats (7)")
    p.add_argument("--plots-only", action="store_true",
                   help="run nothing: tables and plots of what is in DIR")
    return p


OURS = {"-g": "--grids", "--grid": "--grids", "-a": "--exchanges", "--exchange": "--exchanges", "--algo": "--exchanges",
        "--decomp": "--decomps", "-t": "--threads", "--threads": "--threads", "--type": "--types",
        "--precision": "--precisions", "--direction": "--direction", "-r": "--reps",
        "--reps": "--reps", "-j": "--out", "--json": "--out", "-c": "--out", "--csv": "--out",
        "--class": "--nas"}


def parse(words):
    at = words.index("--") if "--" in words else len(words)
    options, unknown = parser().parse_known_args(words[:at])
    if unknown:
        known = [text for action in parser()._actions for text in action.option_strings]
        near = difflib.get_close_matches(unknown[0].split("=")[0], known, 1)
        raise Failure(USAGE, "unknown option '%s'%s" % (
            unknown[0], ": did you mean %s?" % near[0] if near else ""),
            "options of pfft3d bench stand behind --")
    options.more = words[at + 1:]
    for name in ("scaling", "direction"):
        values = getattr(options, name)
        if len(values) > 1:
            raise Failure(USAGE, "--%s '%s': one of them at a time" % (name, ",".join(values)))
        setattr(options, name, values[0])
    for word in options.more:
        ours = OURS.get(word.split("=")[0])
        if ours:
            raise Failure(USAGE, "%s behind --: the study sets it, see %s" % (word, ours))
    if not options.plots_only:
        if not options.grids and not options.nas:
            raise Failure(USAGE, "--grids is missing", "for example --grids 128,256")
        if not options.ranks:
            raise Failure(USAGE, "--ranks is missing", "for example --ranks 1,2,4")
    return options


def settings(options):
    return {"algos": options.algos, "reps": options.reps, "direction": options.direction,
            "more": options.more}


def progress(number, total, point, line):
    study = line["study"]
    where = "study %d/%d: %s: " % (number, total, points.describe(point))
    if study["status"]:
        say(where + "failed, status %d" % study["status"])
        return
    best = {}
    for run in line["runs"]:
        median = run["time_s"]["median"]
        best[run["algo"]] = min(median, best.get(run["algo"], median))
    order = sorted(best, key=best.get)
    say(where + ", ".join("%s %s" % (a, tables.seconds(best[a])) for a in order))


def run_points(options, results, launcher):
    """Runs what is not there yet.  Returns the highest status of the points that failed."""
    wanted = points.make(options)
    results.keep({points.key(p) for p in wanted})
    there = results.done()
    left = [p for p in wanted if points.key(p) not in there]
    if len(left) < len(wanted):
        say("study: %d of %d points are there already" % (len(wanted) - len(left), len(wanted)))
    load = os.getloadavg()[0]
    if left and launcher.open_mpi and load > 1:
        warn("something else is running here, load average %.1f: times will not repeat" % load)
    over = [p for p in left if launcher.oversubscribed(p)]
    if over:
        warn("%d points have more ranks x threads than the %d cores: they measure the scheduler, "
             "and are marked" % (len(over), launcher.cores))
    failed, warnings = [], set()
    for n, point in enumerate(left, len(wanted) - len(left) + 1):
        line = None if launcher.stopped else launcher.run(point, options, results)
        if line is None:
            raise Failure(STOPPED, "stopped by a signal: %d points are left" % (len(wanted) - n + 1),
                          "the same command continues, with --plots-only it shows what is there")
        results.add(line)
        progress(n, len(wanted), point, line)
        for text in line["study"]["warnings"]:
            if text not in warnings:  # once, not for every point
                say("%s [%s]" % (text[len("pfft3d: "):], points.describe(point)))
            warnings.add(text)
        if line["study"]["status"]:
            failed.append(line["study"])
    return complain(failed)


def complain(failed):
    """One message for all points that failed with the same words."""
    same = {}
    for study in failed:
        same.setdefault((study["status"], study["message"]), []).append(study)
    for (status, message), studies in same.items():
        more = " and %d more points" % (len(studies) - 1) if len(studies) > 1 else ""
        say("error: %s%s: status %d: %s" % (points.describe(studies[0]), more, status, message))
    return max((s["status"] for s in failed), default=0)


def show(options, results):
    """Tables, and plots where there is gnuplot.  Returns what was made."""
    table = rows([line for _, line in results.lines])
    try:
        tables.write(options.out, [line for _, line in results.lines], table)
        if len({(r["version"], r["mpi"]) for r in table}) > 1:
            warn("'%s' holds results of several versions of pfft3d or MPI" % options.out)
        made = ["tables.md", "tables.csv"]
        gnuplot = shutil.which(os.environ.get("GNUPLOT") or "gnuplot")
        if table and gnuplot:
            made.append("%d plots in %s" % (plots.write(options.out, table, gnuplot),
                                            os.path.join(options.out, "plots")))
        elif table:
            warn("no plots: gnuplot is not installed (Debian: apt-get install gnuplot-nox)")
    except OSError as error:
        raise Failure(CREATE, "cannot write '%s': %s" % (error.filename, error.strerror))
    say("study: %s: %s" % (options.out, ", ".join(made)))


def main(words):
    options = parse(words)
    results = Results(options.out)
    if options.plots_only:
        if not os.path.isdir(options.out):
            raise Failure(66, "no study in '%s'" % options.out)
        results.load()
        if not results.lines:
            raise Failure(66, "no results in '%s'" % results.path)
        show(options, results)
        return 0
    launcher = Launcher()
    try_options(launcher.program, options)
    results.open()
    results.check_settings(settings(options))
    status = run_points(options, results, launcher)
    show(options, results)
    return status


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except Failure as failure:
        sys.exit(fail(failure))
    except OSError as error:  # a full disk, a folder that was taken away
        sys.exit(fail(Failure(74, "cannot write '%s': %s" % (error.filename, error.strerror))))
    except KeyboardInterrupt:
        sys.exit(STOPPED)
