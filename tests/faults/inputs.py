# SPDX-License-Identifier: BSD-3-Clause
"""Inputs and outputs that change while they are used, or are not what they seem.

    inputs.py RANKS [COUNT] [--seed N] [--only NAME]
"""
import os
import shutil
import signal
import socket
import subprocess
import sys

import job
import scene
from scene import Scene, Skip

MIDDLE = ["reserving the output", "planning", "reading the input", "transforming"]
NAMES = {"a newline": "a\nb.h5", "quotes": "it's \"so\".h5", "a backslash": "a\\n%s.h5", "a space": "a b.h5",
         "255 bytes": "x" * 252 + ".h5", "bytes of no alphabet": b"\xff\xfe.h5", "a leading dash": "-x.h5",
         "a colon": "a:b.h5"}


# ---- what happens to an input while the job stands still ----

def vanish(path):
    os.unlink(path)


def cut(path):
    os.truncate(path, os.path.getsize(path) // 2)


def cut_all(path):
    os.truncate(path, 0)


def grow(path):
    with open(path, "ab") as f:
        f.write(b"more" * 10000)


def replace_type(path):
    os.unlink(path)
    scene.make_input(path, 32, "int64", 2)


def replace_size(path):
    os.unlink(path)
    scene.make_input(path, 33)


def replace_text(path):
    with open(path, "wb") as f:
        f.write(b"no more than words\n" * 1000)


def replace_fifo(path):
    os.unlink(path)
    os.mkfifo(path)


def replace_folder(path):
    os.unlink(path)
    os.mkdir(path)


def rewrite(path):
    """The same file with other bytes everywhere."""
    with open(path, "r+b") as f:
        f.write(bytes(os.urandom(os.path.getsize(path))))


CHANGES = [vanish, cut, cut_all, grow, replace_type, replace_size, replace_text, replace_fifo, replace_folder, rewrite]


def changed(change, phase):
    def case(ranks, draw, old):
        safe = phase == "transforming"
        with Scene(ranks, old, watchdog=30 if safe else 5) as s:
            s.start(phase)
            if not s.stopped():
                return s.end(()) + "; it never came to this phase", s.outcome
            change(s.file("in.h5"))
            s.resume()
            # numbers of another file of the same size are as good as any: that the result is whole
            # is all that can be asked for
            if change in (replace_type, rewrite, cut):
                s.whole_output = lambda path: os.path.getsize(path) > 0
            codes = {0} if safe else {65, 66, 74}
            if change is grow:  # what follows the data is in nobody's way, but may be looked at
                codes = {0, 65}
            if change is replace_type:  # 0 where nobody looks any more
                codes = codes | {0}
            if change is replace_fifo:  # who opens it after the look waits for a writer
                codes = codes | {79}
            return s.end(codes), s.outcome
    return case


# ---- what was never an input ----

def no_input(make, codes):
    """make(path of the scene): what to give to --input."""
    def case(ranks, draw, old):
        with Scene(ranks, old, watchdog=5) as s:
            name = make(s)
            s.expected = set(s.walk()) - set(s.outputs())
            words = s.arguments()
            words[words.index("in.h5")] = name
            s.start(words=job.command(ranks, words))
            return s.end(codes, (1, 1)), s.outcome
    return case


def made(action):
    def make(s):
        action(s.file("strange"))
        return "strange"
    return make


def listen(path):
    s = socket.socket(socket.AF_UNIX)
    folder = os.open(os.path.dirname(path), os.O_DIRECTORY)
    s.bind(f"/proc/self/fd/{folder}/{os.path.basename(path)}")  # names of sockets are short
    os.close(folder)


def same_file(kind):
    """The input under another name, as output, with --force."""
    def case(ranks, draw, old):
        with Scene(ranks, True) as s:
            before = scene.read(s.file("in.h5"))
            words = s.arguments()
            s.start(words=["true"])
            s.process.wait()
            os.unlink(s.file("out.h5"))
            kind(s.file("in.h5"), s.file("out.h5"))
            s.process = job.start(job.command(ranks, words), s.place, {"PFFT3D_FAULT": s.path})
            s.whole_output = lambda path: scene.read(path) == before
            why = s.end({64}, (1, 1))
            if scene.read(s.file("in.h5")) != before:
                why += "; the input has changed"
            return why, s.outcome
    return case


def named(name, which):
    """Names that may hold anything: read from, or written to."""
    def case(ranks, draw, old):
        with Scene(ranks, False) as s:
            words = [os.fsencode(x) for x in job.command(ranks, s.arguments())]
            strange = os.fsencode(name)
            if which == "input":
                os.rename(s.file("in.h5"), os.path.join(os.fsencode(s.path), strange))
                s.expected = {os.fsdecode(strange)}
                s.whole_output = lambda path: os.path.getsize(path) > 0  # its attribute has the name
                words[words.index(b"in.h5")] = b"./" + strange
            else:
                s.outputs = lambda: [os.fsdecode(strange), "report.json"]
                words[words.index(b"out.h5")] = b"./" + strange
            s.start(words=words)
            return s.end({0}, (0, 0)), s.outcome
    return case


def too_long(option, codes):
    def case(ranks, draw, old):
        with Scene(ranks, old) as s:
            words = s.arguments()
            words[words.index(option) + 1] = "d/" * 3000 + "x.h5"
            s.start(words=job.command(ranks, words))
            if option == "--output" and old:
                s.expected.add("out.h5")
            return s.end(codes, (1, 1)), s.outcome
    return case


def no_right(ranks, draw, old):
    """As a user who may not read the input."""
    if os.geteuid() != 0 or not shutil.which("setpriv"):
        raise Skip("not root, or no setpriv: nobody else can be played")
    with Scene(ranks, False) as s:
        os.chmod(s.file("in.h5"), 0o600)
        os.chmod(s.path, 0o777)
        words = job.command(ranks, s.arguments())
        who = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "env", f"HOME={s.path}"]
        test = subprocess.run([*who, job.PROGRAM, "--version"], capture_output=True, check=False)
        if test.returncode:
            raise Skip("others may not run the program here")
        s.start(words=who + [w for w in words if w != "--allow-run-as-root"])
        return s.end({66}, (1, 1)), s.outcome


# ---- what happens to an output while the job stands still ----

def disturbed(change, phase, codes, expected=()):
    def case(ranks, draw, old):
        with Scene(ranks, False, watchdog=5, folder="there") as s:
            os.mkdir(s.file("there"))
            s.start(phase)
            if not s.stopped():
                return s.end(()) + "; it never came to this phase", s.outcome
            kept = change(s.file("there"))
            s.expected |= {os.path.normpath(os.path.join("there", x)) for x in expected}
            s.resume()
            own = s.whole_output
            s.whole_output = lambda path: scene.read(path) == kept if kept else own(path)
            why = s.end(codes, (0 if 0 in codes else 1, 1))
            victim = s.file("there/victim")
            if os.path.exists(victim) and scene.read(victim) != scene.read(s.file("in.h5")):
                why = (why + "; " if why else "") + "the user's file has been written to"
            return why, s.outcome
    return case


def remove_folder(there):
    shutil.rmtree(there)


def appear(there):
    with open(there + "/out.h5", "wb") as f:
        f.write(b"another one's\n")
    return b"another one's\n"


def temporary(there):
    return [os.path.join(there, x) for x in os.listdir(there) if x.startswith(".out.h5")]


def remove_temporary(there):
    for name in temporary(there):
        os.unlink(name)


def attack(there):
    """In a folder that others may write to: their file takes the place of the temporary one."""
    for name in temporary(there):
        os.rename(name, there + "/taken")
        with open(name, "wb") as f:
            f.write(b"planted\n")


def attack_link(there):
    """Likewise a link to a file of the user's, which must not be written to."""
    for name in temporary(there):
        os.rename(name, there + "/taken")
        shutil.copy(os.path.join(there, "..", "in.h5"), there + "/victim")
        os.symlink("victim", name)


def cases(ranks):
    table = [(f"{c.__name__} while {p}", changed(c, p)) for c in CHANGES for p in MIDDLE]
    table += [(f"the input is {what}", no_input(make, codes)) for what, make, codes in [
        ("a FIFO", made(os.mkfifo), {66}), ("a directory", made(os.mkdir), {66}),
        ("a device", lambda s: "/dev/zero", {66}), ("a terminal", lambda s: "/dev/tty", {66}),
        ("a socket", made(listen), {66}), ("in /proc", lambda s: "/proc/self/status", {65, 66}),
        ("kernel memory", lambda s: "/proc/kcore", {65, 66}),
        ("a link to nothing", made(lambda p: os.symlink("nowhere", p)), {66}),
        ("a link to itself", made(lambda p: os.symlink("strange", p)), {66}),
        ("beneath a file", lambda s: "in.h5/in.h5", {66})]]
    table += [("the output is a hard link to it", same_file(os.link)),
              ("the output is a symbolic link to it", same_file(lambda a, b: os.symlink("in.h5", b))),
              ("no right to read it", no_right),
              ("the input's path is too long", too_long("--input", {64})),
              ("the output's path is too long", too_long("--output", {64}))]
    table += [(f"{which} with {what} in its name", named(name, which))
              for what, name in NAMES.items() for which in ("input", "output")]
    for p in ("planning", "transforming", "writing the output"):
        table += [(f"the output's folder goes while {p}", disturbed(remove_folder, p, {73, 74})),
                  (f"an output appears while {p}", disturbed(appear, p, {73})),
                  (f"the temporary file goes while {p}", disturbed(remove_temporary, p, {74})),
                  (f"another's file takes its place while {p}", disturbed(attack, p, {74}, ["taken"])),
                  (f"another's link takes its place while {p}", disturbed(attack_link, p, {74}, ["taken", "victim"]))]
    return table


sys.exit(scene.main(cases, __doc__))
