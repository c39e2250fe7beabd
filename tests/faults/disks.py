# SPDX-License-Identifier: BSD-3-Clause
"""Disks without space, inodes, or permission to write; limits of files.

    disks.py RANKS [COUNT] [--seed N] [--only NAME] [--command COMMAND]

Most cases need root, for a file system of their own.
"""
import os
import subprocess
import sys

import job
import scene
from scene import Scene, Skip


def mount(s, options, folder="disk"):
    """A file system of its own, in the scene."""
    path = s.file(folder)
    os.mkdir(path)
    if os.geteuid() != 0:
        raise Skip("not root: no file system of its own")
    words = ["mount", "-t", "tmpfs", "-o", options, "tmpfs", path]
    if subprocess.run(words, capture_output=True, check=False).returncode:
        raise Skip("no tmpfs can be mounted")
    s.mounted.append(path)
    return path


def fill(path, leave=0):
    """Leaves this number of bytes free, by a file that the end of the scene expects."""
    with open(path + "/filler", "ab", buffering=0) as f:
        block = bytes(4096)
        free = os.statvfs(path)
        room = free.f_bavail * free.f_frsize - leave
        while room >= 4096:
            try:
                room -= f.write(block)
            except OSError:
                break


def on_disk(ranks, old, options="size=4m", watchdog=60):
    s = Scene(ranks, old, watchdog, folder="disk")
    s.expected.add("disk/filler")
    return s, options


def room_for(leave, codes):
    """A disk with so much room, from the beginning; old files are there before it is taken."""
    def case(ranks, draw, old):
        s, options = on_disk(ranks, old)
        with s:
            path = mount(s, options)
            need = sum(len(x) for x in scene.Reference.outputs(ranks, s.n))
            write_old(s)
            fill(path, max(leave(need), 0))
            s.start()
            # the first of two files may still have its room
            why = s.end(codes | {74} if codes == {73} and scene.JOB.copies else codes)
            os.unlink(path + "/filler")
            return why or s.again(), s.outcome
    return case


def write_old(s):
    if s.old:
        for name in s.outputs():
            with open(s.file(name), "wb") as f:
                f.write(scene.OLD)


def full(phase):
    """The codes with which a job ends whose disk is full from this phase on."""
    if scene.JOB.reserved(phase):
        return {74}
    return {73} if scene.JOB.reserve else {73, 74}


def filled_at(phase):
    """Another process takes all that is left while the job stands at a phase."""
    def case(ranks, draw, old):
        s, options = on_disk(ranks, old)
        with s:
            path = mount(s, options)
            s.start(phase)
            if not s.stopped():
                return s.end(()) + "; it never came to this phase", s.outcome
            fill(path)
            s.resume()
            # reserved is reserved; the report needs space at the end
            codes = {0} if phase == "finishing" else full(phase)
            if old:  # the old output has made room for the report
                codes = codes | {0}
            why = s.end(codes)
            os.unlink(path + "/filler")
            return why or s.again(), s.outcome
    return case


def only_output_at(phase):
    """Likewise, with the report elsewhere: what was reserved is enough."""
    def case(ranks, draw, old):
        s, options = on_disk(ranks, old)
        with s:
            path = mount(s, options)
            report = s.outputs()[1]
            s.outputs = lambda: [os.path.join("disk", "out.h5"), "report.json"]
            assert report != s.outputs()[1]
            s.start(phase)
            if not s.stopped():
                return s.end(()) + "; it never came to this phase", s.outcome
            fill(path)
            s.resume()
            codes = {0} if scene.JOB.reserved(phase) or phase == "finishing" else full(phase)
            return s.end(codes), s.outcome
    return case


def only_report(ranks, draw, old):
    """The report alone is on the full disk."""
    s, options = on_disk(ranks, old)
    with s:
        path = mount(s, options)
        s.outputs = lambda: ["out.h5", os.path.join("disk", "report.json")]
        write_old(s)
        fill(path)
        s.start()
        return s.end({74}), s.outcome


def inodes(leave):
    """Only this number of names is left."""
    def case(ranks, draw, old):
        s, _ = on_disk(ranks, old)
        with s:
            path = mount(s, "size=4m,nr_inodes=16")
            write_old(s)
            names = []
            while os.statvfs(path).f_ffree > leave:
                names.append(f"{path}/taken{len(names)}")
                with open(names[-1], "wb"):
                    pass
            s.expected |= {os.path.relpath(x, s.path) for x in names}
            s.start()
            # one for the report and one for the output, which have others in the end; a list of snapshots
            most = 5 if scene.JOB.also else 3
            why = s.end({73} if leave < 2 and not old else {0, 73, 74} if leave < most else {0})
            for name in names:
                os.unlink(name)
            return why or s.again(), s.outcome
    return case


def read_only(ranks, draw, old):
    """A file system that can only be read, always: while a report is open none becomes so."""
    s, options = on_disk(ranks, old)
    with s:
        path = mount(s, options)
        write_old(s)
        subprocess.run(["mount", "-o", "remount,ro", path], check=True)
        s.old = False  # start() cannot write it again
        s.start(more=["--force"])
        s.old = old
        why = s.end({73, 74})
        subprocess.run(["mount", "-o", "remount,rw", path], check=True)
        return why or s.again(), s.outcome


def wisdom_full(leave):
    """Wisdom on a full disk: what was there before stays."""
    def case(ranks, draw, old):
        with Scene(ranks, old) as s:
            path = mount(s, "size=64k", "disk")
            name = path + "/wisdom"
            words = ["tune", "--grid", "8", "--decomp", "slab", "--algo", "packed", "--reps", "1", "--quiet",
                     "--wisdom", name]
            if old:
                first = job.run(job.command(ranks, words), s.place, 60, expected_names=s.place.names())
                if first.code:
                    return "no wisdom without a fault", first
            before = scene.read(name) if old else None
            fill(path, leave)
            outcome = job.run(job.command(ranks, words), s.place, 60, expected_names=s.place.names())
            why = job.judge(outcome, {73, 74} if leave < 8192 else {0})
            names = set(os.listdir(path)) - {"filler"}
            if names - {"wisdom"}:
                why += f"; left behind: {names}"
            if old and not (names and (outcome.code == 0 or scene.read(name) == before)):
                why += "; the old wisdom is gone"
            if outcome.code and not old and names:
                why += "; a part of wisdom"
            os.unlink(path + "/filler")
            if not why:
                why = job.judge(job.run(job.command(ranks, words), s.place, 60, expected_names=s.place.names()), {0})
            return why, outcome
    return case


def limited(what, value, codes):
    """A limit of the system for all ranks."""
    def case(ranks, draw, old):
        if job.HYDRA and (what, value) == ("FSIZE", 1000):
            raise Skip("MPICH does not start with files that small")
        with Scene(ranks, old) as s:
            words = job.command(ranks, s.arguments())
            at = words.index(job.PROGRAM)
            # MPI's own memory inside a node is made of files, too
            tcp = {"OMPI_MCA_btl": "self,tcp", "OMPI_MCA_btl_tcp_if_include": "lo"}
            s.start(words=words[:at] + ["prlimit", f"--{what.lower()}={value}"] + words[at:],
                    environment=tcp if what == "FSIZE" else {})
            return s.end(codes) or s.again(), s.outcome
    return case


def cases(ranks):
    phases = [p for p in scene.JOB.phases if p not in (scene.JOB.phases[1], "checking")]
    table = [
        ("no room at all", room_for(lambda need: 0, {73})),
        ("room for the temporary's header", room_for(lambda need: 4096, {73})),
        ("room for half", room_for(lambda need: need // 2, {73})),
        ("room for all but the last byte", room_for(lambda need: need - 1, {73})),
        ("room for all, not for the file's own words", room_for(lambda need: need + 8192, {73})),
        ("room for all", room_for(lambda need: need + (1 << 17), {0})),
        ("report on a full disk", only_report),
        ("no inode", inodes(0)),
        ("one inode", inodes(1)),
        ("two inodes", inodes(2)),
        ("three inodes", inodes(3)),
        ("five inodes", inodes(5)),
        ("read-only", read_only),
        ("wisdom, no room", wisdom_full(0)),
        ("wisdom, some room", wisdom_full(16384)),
        ("files of 100000 bytes at most", limited("FSIZE", 100000, {73})),
        ("files of 1000 bytes at most", limited("FSIZE", 1000, {73})),
    ]
    # fewer are not enough for Open MPI itself; with more there is nothing wrong
    table += [(f"{n} open files", limited("NOFILE", n, {0, 66, 69, 70, 73, 74, 1, 134, 139}))
              for n in (24, 28, 32, 40, 64)]
    table += [(f"full while {p}", filled_at(p)) for p in phases]
    table += [(f"output full while {p}", only_output_at(p)) for p in phases]
    return table


sys.exit(scene.main(cases, __doc__, scene.JOBS))
