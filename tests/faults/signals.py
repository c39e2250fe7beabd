# SPDX-License-Identifier: BSD-3-Clause
"""Signals: to mpirun, to each rank, at the beginning of each phase and at any moment.

    signals.py RANKS [COUNT] [--seed N] [--only NAME] [--command COMMAND]
"""
import ctypes
import os
import signal
import subprocess
import sys
import time

import job
import scene
from scene import Scene, Skip

STOPPED = 75
POLITE = ["TERM", "INT", "USR1", "USR2", "HUP"]
LENGTH = {}  # seconds of a job where nothing happens, by ranks


def number(name):
    return getattr(signal, "SIG" + name)


def length(ranks):
    if ranks not in LENGTH:
        with Scene(ranks) as s:
            s.start()
            why = s.end({0}, (0, 0))
            if why:
                raise SystemExit(f"without a fault: {why}\n{s.outcome}")
            LENGTH[ranks] = time.time() - s.began
    return LENGTH[ranks]


def codes_of(name, who, phase):
    """The codes with which a job may end."""
    codes = {STOPPED} if name in POLITE else {128 + number(name)}
    if who == "mpirun":
        codes = {STOPPED, 1, 128 + number(name)}  # mpirun has its own for some
    if phase == "finishing":
        codes |= {0, 1, 128 + number(name)}
        if who == "mpirun":  # Open MPI's unmaps its handlers of signals at its end, and dies of SIGSEGV
            codes |= {139}
    return codes


def hit_thread(s, signal_number, who):
    """A signal for one of the threads that MPI has started; for the process where there are none."""
    pid = s.pids[who]
    try:
        others = sorted(int(t) for t in os.listdir(f"/proc/{pid}/task") if int(t) != pid)
    except FileNotFoundError:
        return
    ctypes.CDLL(None).tgkill(pid, others[0] if others else pid, signal_number)


def go_on(s):
    """Lets ranks that stood still go on, and mpirun know it.  Open MPI's gives them a second between
    SIGTERM and SIGKILL with sleep(), which such news interrupts."""
    s.resume()
    scene.until(lambda: not any(scene.state(pid) in "Tt" for pid in s.pids.values()), 5)
    time.sleep(0.02)


def at_phase(name, who, phase, send=Scene.send):
    """While all ranks stand at the beginning of a phase, or a moment later."""
    def case(ranks, draw, old):
        with Scene(ranks, old, n=96 if who == "mpirun" else 32) as s:
            s.start(phase)
            if not s.stopped():
                return s.end(()) + "; it never came to this phase", s.outcome
            later = draw.random() < 0.5 or who == "mpirun"
            if later:
                go_on(s)
                time.sleep(draw.random() * 0.05)
            send(s, number(name), who)
            s.resume()
            codes = codes_of(name, who, phase)
            if later or phase.startswith("writing"):
                codes = codes | {0}
            s.expected |= left_by(name, who, ranks, s)
            return s.end(codes) or s.again(), s.outcome
    return case


def endless_trace(who, phase, send):
    """A crash whose stack trace, which Open MPI prints, never ends."""
    def case(ranks, draw, old):
        library = os.path.join(os.environ["builddir"], "tests/faults/.libs/trace.so")
        if not os.path.exists(library):
            raise Skip("tests/faults/trace.so is not built")
        preload = ":".join(x for x in (library, os.environ.get("LD_PRELOAD")) if x)
        with Scene(ranks, old) as s:
            s.start(phase, environment={"LD_PRELOAD": preload})
            if not s.stopped():
                return s.end(()) + "; it never came to this phase", s.outcome
            send(s, number("SEGV"), who)
            s.resume()
            return s.end({139}, limit=scene.START + 10) or s.again(), s.outcome
    return case


def left_by(name, who, ranks, s):
    """Nobody is left to clean up after a SIGKILL of everybody."""
    if name == "KILL" and (ranks == 1 or who is None):
        time.sleep(0.1)
        return {x for x in s.walk() if ".pfft3d-" in x}
    return set()


def at_any_time(name, who):
    def case(ranks, draw, old):
        whole = length(ranks)
        with Scene(ranks, old) as s:
            s.start()
            time.sleep(draw.random() * whole)
            s.pids = s.find_ranks()
            if who != "mpirun" and who not in s.pids:
                why = s.end({0}, (0, 0))
                if why:
                    return why, s.outcome
                raise Skip("the rank was not there at that moment")
            s.send(number(name), who)
            s.expected |= left_by(name, who, ranks, s)
            # before MPI has started, or at mpirun's own end, there is nothing of ours to answer
            return s.end(codes_of(name, who, "finishing")) or s.again(), s.outcome
    return case


def stop_one(who, phase):
    """A rank that stands still: the watchdog ends the others."""
    def case(ranks, draw, old):
        with Scene(ranks, old, watchdog=3 if ranks > 1 else 30) as s:
            s.start(f"{phase}@{who}")
            if not s.stopped(who):
                return s.end(()) + "; it never came to this phase", s.outcome
            if ranks == 1:
                time.sleep(0.3)
                s.resume()
            return s.end({79} if ranks > 1 else {0}) or s.again(), s.outcome
    return case


def pause_all(phase):
    """A job that a batch system suspends for longer than the watchdog's time goes on."""
    def case(ranks, draw, old):
        with Scene(ranks, old, watchdog=6) as s:
            s.start(phase)
            if not s.stopped():
                return s.end(()) + "; it never came to this phase", s.outcome
            time.sleep(8.5)
            s.resume()
            return s.end({0}, (0, 0)), s.outcome
    return case


def resize(phase):
    """A terminal that changes its size tells the ranks, which go on."""
    def case(ranks, draw, old):
        with Scene(ranks, old) as s:
            s.start(phase)
            if not s.stopped():
                return s.end(()) + "; it never came to this phase", s.outcome
            s.send(signal.SIGWINCH)
            s.resume()
            return s.end({0}, (0, 0)), s.outcome
    return case


def kill_mpirun(phase):
    """SIGKILL of mpirun: its ranks end by themselves, and clean up."""
    def case(ranks, draw, old):
        with Scene(ranks, old, watchdog=5, n=96) as s:
            s.start(phase)
            if not s.stopped():
                return s.end(()) + "; it never came to this phase", s.outcome
            later = draw.random() < 0.5
            if later:
                go_on(s)
                time.sleep(draw.random() * 0.1)
            s.send(signal.SIGKILL, "mpirun")
            s.resume()
            return s.end({137, 0} if later else {137}, (0, ranks)) or s.again(), s.outcome
    return case


def twice(name, phase):
    def case(ranks, draw, old):
        with Scene(ranks, old, n=96) as s:
            s.start(phase)
            if not s.stopped():
                return s.end(()) + "; it never came to this phase", s.outcome
            go_on(s)
            s.send(number(name), "mpirun")
            time.sleep(draw.random() * 0.3)
            if s.process.poll() is None:
                s.send(number(name), "mpirun")
            return s.end(codes_of(name, "mpirun", phase) | {0}) or s.again(), s.outcome
    return case


def pipe(words, codes):
    """Where nobody reads what the program says.  The shell's `limit` is its own exit code."""
    def case(ranks, draw, old):
        with Scene(ranks, old) as s:
            run = job.command(ranks, [a for a in s.arguments() if a != "--quiet"])
            s.start(words=["bash", "-c", words, "bash", *run])
            return s.end(codes) or s.again(), s.outcome
    return case


def closed():
    """Ranks without stdin, stdout and stderr.  (mpirun of Open MPI 4.1 without them sends its ranks signals:
    what it would print gets into its own pipes.)"""
    def case(ranks, draw, old):
        with Scene(ranks, old) as s:
            run = job.command(ranks, [a for a in s.arguments() if a != "--quiet"])
            at = run.index(job.PROGRAM)
            s.start(words=run[:at] + ["sh", "-c", 'exec "$@" <&- >&- 2>&-', "sh"] + run[at:])
            return s.end({74}) or s.again(), s.outcome
    return case


def cases(ranks):
    table, phases = [], scene.JOB.phases
    for name in POLITE:
        # mpirun has no use for USR1
        for who in [*(["mpirun"] if name != "USR1" else []), *range(ranks)]:
            table += [(f"{name} to {who}, {p}", at_phase(name, who, p)) for p in phases]
            table.append((f"{name} to {who} at any time", at_any_time(name, who)))
    for name in ("KILL", "SEGV"):
        for who in range(ranks):
            table += [(f"{name} to {who}, {p}", at_phase(name, who, p)) for p in phases]
            table.append((f"{name} to {who} at any time", at_any_time(name, who)))
    table += [(f"SEGV in a thread of {who}, {p}", at_phase("SEGV", who, p, hit_thread))
              for who in range(ranks) for p in phases]
    table += [(f"SEGV in a thread of {who} without end, {p}", endless_trace(who, p, hit_thread))
              for who in range(ranks) for p in phases[:-1]]
    table += [(f"SEGV to {who} without end, {p}", endless_trace(who, p, Scene.send))
              for who in range(ranks) for p in phases[:-1]]
    table += [(f"KILL to all, {p}", at_phase("KILL", None, p)) for p in phases]
    table += [(f"STOP of {who}, {p}", stop_one(who, p)) for who in range(ranks) for p in phases[1:-1]]
    table += [(f"pause, {p}", pause_all(p)) for p in phases[1:-1]]
    table += [(f"resized, {p}", resize(p)) for p in phases]
    table += [(f"KILL to mpirun, {p}", kill_mpirun(p)) for p in phases]
    table += [(f"{n} twice to mpirun, {p}", twice(n, p)) for n in ("TERM", "INT") for p in phases]
    # 1, 141: of mpirun, which it hits first
    table += [("stdout is a pipe that nobody reads", pipe('"$@" | true; exit ${PIPESTATUS[0]}', {0, 1, 74, 141})),
              ("stdout is closed", pipe('exec "$@" >&-', {0, 74})),
              ("stderr is closed", pipe('exec "$@" 2>&-', {0})),
              ("both are closed", pipe('exec "$@" >&- 2>&-', {0, 74})),
              ("all are closed in the ranks", closed())]
    return table


sys.exit(scene.main(cases, __doc__, scene.JOBS))
