# SPDX-License-Identifier: BSD-3-Clause
"""tables.md for people and tables.csv for programs: the same rows."""
import csv
import os

from points import describe, short
from results import bases, problem

CSV = ("command", "scaling", "given", "grid", "type", "precision", "direction", "decomp", "pgrid",
       "algo", "engine", "threads", "ranks", "cores", "nodes", "oversubscribed", "reps",
       "median_s", "min_s", "q1_s", "q3_s", "max_s", "gflops", "mops", "speedup", "efficiency",
       "hidden_share", "exchange_gbs", "messages", "bytes_each", "load", "host", "date", "version",
       "mpi")


def seconds(value):
    """`12.34 ms`: four digits, as far as they go."""
    for unit, factor in (("s", 1), ("ms", 1e3), ("us", 1e6)):
        if value * factor >= 1 or unit == "us":
            return "%s %s" % (digits(value * factor), unit)
    return None


def digits(value, count=4):
    """A number with so many digits, never in powers of ten."""
    if value is None:
        return "-"
    before = len(str(int(abs(value)))) if abs(value) >= 1 else 0
    return "%.*f" % (max(count - max(before, 1), 0), value)


def size(count):
    """`64 KiB`; bytes."""
    if not count:
        return "-"
    for unit, factor in (("GiB", 2**30), ("MiB", 2**20), ("KiB", 2**10)):
        if count >= factor:
            return "%s %s" % (("%.1f" % (count / factor)).replace(".0", ""), unit)
    return "%d B" % count


def percent(share):
    return "-" if share is None else "%.0f %%" % (100 * share)


def yes(value):
    return "yes" if value else "no"


def write_csv(folder, table):
    with open(os.path.join(folder, "tables.csv"), "w", newline="") as file:
        out = csv.DictWriter(file, CSV, extrasaction="ignore", lineterminator="\n")
        out.writeheader()
        for r in table:
            out.writerow(dict(r, oversubscribed=yes(r["oversubscribed"])))


def title(r):
    if r["command"] == "nas":
        return "NAS FT class %s" % r["given"]
    kind = "%s, %s, %s" % (r["type"], r["precision"], r["direction"])
    if r["scaling"] == "weak":
        return "Weak scaling, %s on one rank, %s" % (short(r["given"]), kind)
    words = "Strong scaling of " if r["scaling"] == "strong" else ""
    return "%s%s, %s" % (words, short(r["grid"]), kind)


def heading(several_decomps, several_engines, threads, weak, nas):
    names = ["ranks"] + ["threads"] * threads + ["grid"] * weak + ["strategy"]
    names += ["decomposition"] * several_decomps + ["engine"] * several_engines
    names += ["median", "min .. max", "Mop/s" if nas else "GFLOP/s", "speedup", "efficiency",
              "hidden", "exchange GB/s", "messages", "of at most"]
    return names


def markdown_rows(group):
    """The lines of one table, by cores and time."""
    decomps = len({(r["asked"], r["decomp"]) for r in group}) > 1 or group[0]["decomp"] == "pencil"
    engines = len({r["engine"] for r in group}) > 1
    threads = any(r["threads"] > 1 for r in group)
    weak, nas = group[0]["scaling"] == "weak", group[0]["command"] == "nas"
    names = heading(decomps, engines, threads, weak, nas)
    yield "| %s |" % " | ".join(names)
    yield "|%s" % ("---|" * len(names))
    for r in sorted(group, key=lambda r: (r["cores"], r["ranks"], r["median_s"])):
        cells = ["%d%s" % (r["ranks"], "*" if r["oversubscribed"] else "")]
        cells += ([str(r["threads"])] if threads else []) + ([short(r["grid"])] if weak else [])
        cells += [r["algo"]] + (["%s %s" % (r["decomp"], r["pgrid"])] if decomps else [])
        cells += [r["engine"]] if engines else []
        rate = r["mops"] if nas else r["gflops"]
        cells += [seconds(r["median_s"]), "%s .. %s" % (seconds(r["min_s"]), seconds(r["max_s"])),
                  digits(rate), digits(r["speedup"], 3), percent(r["efficiency"]),
                  percent(r["hidden_share"]), digits(r["exchange_gbs"], 3) if r["messages"] else "-",
                  "-" if r["messages"] is None else str(r["messages"]), size(r["bytes_each"])]
        yield "| %s |" % " | ".join(cells)


def where(table):
    """What was measured on what, and when: under every table and plot."""
    def several(field):
        found = sorted({str(r[field]) for r in table})
        return found[0] if len(found) == 1 else "%s and %d more" % (found[0], len(found) - 1)
    dates = sorted({r["date"][:10] for r in table})
    loads = [r["load"] for r in table if r["load"] is not None]
    words = [several("host"), dates[0] if len(dates) == 1 else "%s to %s" % (dates[0], dates[-1]),
             "pfft3d " + several("version"), several("mpi")]
    if loads:
        low, high = "%.1f" % min(loads), "%.1f" % max(loads)
        words.append("load " + (low if low == high else "%s to %s" % (low, high)))
    return ", ".join(words)


NOTES = """\
Times are those of the slowest rank; a median, minimum and maximum are over the repeats of one run,
in which all strategies took turns. `hidden` is the share of the exchange that disappeared behind the
computation, `exchange` what a rank sent per second, `messages` how many each rank sent to others in
one transform."""


def write_markdown(folder, lines, table):
    groups = {}
    for r in table:
        groups.setdefault(problem(r), []).append(r)
    base = bases(table)
    text = ["# Study", ""]
    if table:
        text += [where(table) + ".", "", NOTES, ""]
    if any(r["oversubscribed"] for r in table):
        text += ["\\* More ranks than cores: measures the scheduler.", ""]
    for name, group in groups.items():
        text += ["## " + title(group[0]), ""]
        b = base[name]
        if b["scaling"] != "none":
            scaled = "of time and threads" if b["scaling"] == "weak" else "of time and cores"
            text += ["Speedup and efficiency (%s) are over %s, the fastest on %d core%s: %s."
                     % (scaled, b["algo"], b["cores"], "s" * (b["cores"] > 1),
                        seconds(b["median_s"])), ""]
        text += list(markdown_rows(group)) + [""]
    bad = [line["study"] for line in lines if line["study"]["status"]]
    if bad:
        text += ["## Failed", ""]
        text += ["* %s: status %d, %s" % (describe(s), s["status"], s["message"]) for s in bad]
        text += [""]
    with open(os.path.join(folder, "tables.md"), "w") as file:
        file.write("\n".join(text))


def write(folder, lines, table):
    write_csv(folder, table)
    write_markdown(folder, lines, table)
