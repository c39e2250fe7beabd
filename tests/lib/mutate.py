# SPDX-License-Identifier: BSD-3-Clause
"""HDF5 and .npy files damaged by intent, and the whole program on each of them.

    mutate.py run COUNT [SEED [FIRST]]      COUNT files from number FIRST on; ends with "tried N wrong M"
    mutate.py compress COUNT [SEED [FIRST]] the same with compressed fields, which are expanded
    mutate.py restart COUNT [SEED [FIRST]]  the same with snapshots of turbulence, which go on
    mutate.py one SEED NUMBER               one of them, with the program's own words
    mutate.py write SEED FIRST COUNT DIR    the files only, as DIR/NUMBER.h5; seeds as DIR/seed-NAME.h5
    mutate.py texts                         files whose text has more bytes than it says, of many lengths
    mutate.py text LENGTH FILE              one of them, the file only

A file is a seed, made by h5py, that was mutated by random numbers of (SEED, NUMBER) alone.  Every
fifth goes through three ranks, the others through one.
"""
import os
import random
import sys
import tempfile

import h5py
import numpy as np

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "faults"))
import job  # noqa: E402

LIMIT = 15      # seconds within which each run ends, on a machine that is not overloaded
CODES = (0, 65, 66)
# What reads files of ours, as a release wrote them, and how it may end: a snapshot may also be of a
# later time (64), of a grid without memory (71), or of a flow that blows up (76).
OURS = {
    "compress": ("compressed.h5", ["compress", "--expand"], CODES),
    "restart": ("snapshot.h5", ["turbulence", "--time", "0.25", "--dt", "0.05"], CODES + (64, 71, 76)),
}
RELEASES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "releases")
PARTS = ("0", "...,0", "1:4", "::2,1:", "-1,...")  # selections, and ways to transform
OPTIONS = ([], [], ["--direction", "backward"], ["--axes", "0"], ["--axes", "-1,0"], ["--fill", "mean"], ["--external"])
VALUES = (0, 1, 0xff, 0xffff, 2**31 - 1, 2**31, 2**32 - 1, 2**60, 2**63, 2**64 - 1)


def seed_file(name, build, **how):
    with h5py.File(name, "w", **how) as f:
        build(f)


def numbers(kind):
    real = (np.arange(5 * 6 * 7).reshape(5, 6, 7) * 7 % 101).astype("f8")
    return (real - 1j * (real % 13) if np.dtype(kind).kind == "c" else real).astype(kind)


def with_attributes(f):
    d = f.create_dataset("g/x", data=numbers("<f8"))
    for place in (f, d):
        place.attrs["units"] = "K"
        place.attrs["note"] = np.bytes_(b"fixed")
        place.attrs["spacing"] = np.array([0.5, 0.25, 0.125])
        place.attrs["truth"] = True
        place.attrs["problem"] = "c2c:d:5x6x7"


def compact(f):
    space = h5py.h5s.create_simple((5, 6, 7))
    how = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
    how.set_layout(h5py.h5d.COMPACT)
    data = numbers("<f8")
    h5py.h5d.create(f.id, b"x", h5py.h5t.IEEE_F64LE, space, how).write(
        h5py.h5s.ALL, h5py.h5s.ALL, data)


def conventions(f):
    """As netCDF has it: packed, with missing values and named dimensions."""
    d = f.create_dataset("x", data=numbers("<i2"), fillvalue=-32767, chunks=(5, 3, 7))
    for axis, name in enumerate("abc"):
        f[name] = np.arange(d.shape[axis]) * 0.5
        f[name].make_scale(name)
        f[name].attrs["units"] = "m"
        d.dims[axis].attach_scale(f[name])
    d.attrs.update(scale_factor=0.01, add_offset=np.float32(3), _FillValue=np.int16(-32767), units="K",
                   missing_value=np.array([-1, -2], "i2"), valid_range=np.array([0, 99], "i2"))


def virtual(f):
    f["a/x"] = numbers("<f8")
    layout = h5py.VirtualLayout((5, 6, 7), "f8")
    layout[:3], layout[3:] = h5py.VirtualSource(".", "a/x", (5, 6, 7))[:3], h5py.VirtualSource(".", "a/x", (5, 6, 7))[3:]
    f.create_virtual_dataset("x", layout)


def five(f):
    f.create_dataset("x", data=numbers("<f8").reshape(5, 2, 3, 1, 7), chunks=(1, 2, 3, 1, 7), compression="gzip")


def saved(order):
    """A file of numpy instead."""
    def build(name):
        with open(name, "wb") as f:
            np.save(f, np.asfortranarray(numbers("<f4")) if order else numbers("<c16"))
    return build


def plain(kind, **how):
    return lambda f: f.create_dataset("x", data=numbers(kind), **how)


SEEDS = {
    "contiguous": (plain("<f8"), {}),
    "latest": (plain("<f8"), {"libver": "latest"}),
    "big": (plain(">i2"), {}),
    "half": (plain("<f2"), {}),
    "compound": (plain("<c16"), {}),
    "gzip": (plain("<f4", chunks=(2, 3, 7), compression="gzip", shuffle=True), {}),
    "extendible": (plain("<f8", chunks=(2, 6, 7), maxshape=(None, 6, 7), fletcher32=True),
                   {"libver": "latest"}),
    "compact": (compact, {}),
    "attributes": (with_attributes, {}),
    "attributes-latest": (with_attributes, {"libver": "latest"}),
    "block": (plain("<c8"), {"userblock_size": 512}),
    "conventions": (conventions, {}),
    "virtual": (virtual, {"libver": "latest"}),
    "five": (five, {}),
    "enumeration": (lambda f: f.create_dataset("x", data=numbers("<f8") > 50), {}),
    "npy": (saved(False), None),
    "npy-fortran": (saved(True), None),
}


def make_seeds(directory):
    seeds = []
    for name, (build, how) in SEEDS.items():
        file = os.path.join(directory, "seed-%s.h5" % name)
        if how is None:
            build(file)
        else:
            seed_file(file, build, **how)
        with open(file, "rb") as f:
            seeds.append((name, f.read()))
    return seeds


def metadata_places(data):
    """Bytes that are probably metadata: those near signatures, and the beginning."""
    places = list(range(min(len(data), 512)))
    for word in (b"TREE", b"HEAP", b"SNOD", b"OHDR", b"GCOL", b"FRHP", b"FADB", b"FAHD", b"EAHD",
                 b"OCHK", b"BTHD", b"BTLF", b"\x89HDF"):
        at = data.find(word)
        while at >= 0:
            places += range(at, min(at + 160, len(data)))
            at = data.find(word, at + 1)
    return places


def mutate(data, dice, others):
    data = bytearray(data)
    places = metadata_places(bytes(data))
    for _ in range(dice.choice((1, 1, 1, 2, 3, 8))):
        at = dice.choice(places) if dice.random() < 0.9 else dice.randrange(len(data))
        at = min(at, len(data) - 1)
        kind = dice.randrange(10)
        if kind < 4:                                # bits and bytes
            data[at] = dice.choice((data[at] ^ 1 << dice.randrange(8), dice.randrange(256), 0, 255))
        elif kind < 7:                              # fields
            size = dice.choice((2, 4, 8))
            value = dice.choice(VALUES + (at, at & ~7, len(data), len(data) - 1))
            value = value + dice.choice((0, 0, 1, -1)) & (1 << 8 * size) - 1
            at &= ~(size - 1)
            data[at:at + size] = value.to_bytes(size, "little")
        elif kind < 8:                              # a part of this file or another
            other = dice.choice(others)[1]
            size = dice.choice((4, 8, 16, 64))
            start = dice.randrange(len(other))
            data[at:at + size] = other[start:start + size]
        elif kind < 9:                              # shorter
            if dice.random() < 0.5:
                del data[at + 1:]
            else:
                del data[at:at + dice.choice((1, 4, 8))]
        else:                                       # counts that are off by a little
            size = dice.choice((1, 2, 4, 8))
            old = int.from_bytes(data[at:at + size], "little")
            new = old + dice.choice((-8, -1, 1, 8, 255)) & (1 << 8 * size) - 1
            data[at:at + size] = new.to_bytes(size, "little")
        if not data:
            data = bytearray(b"\0")
    return bytes(data)


def mutant(seeds, seed, number):
    dice = random.Random("%d/%d" % (seed, number))
    name, data = dice.choice(seeds)
    return name, mutate(data, dice, seeds)


def long_text(length):
    """A file with an attribute of variable length, "K": the heap says that it has `length` bytes, and
    HDF5 1.10.8 copies that many to where it has asked for one."""
    with job.Place() as place:
        name = os.path.join(place.path, "text.h5")
        seed_file(name, with_attributes)
        with open(name, "rb") as f:
            data = f.read()
    # "GCOL", version, gaps and size: 16 bytes; of its first object, number, uses and gap: 8; its size
    at = data.index(b"GCOL") + 24
    assert int.from_bytes(data[at:at + 8], "little") == 1
    return data[:at] + length.to_bytes(8, "little") + data[at + 8:]


def our_seeds(command):
    """The files of all releases that a command reads."""
    seeds = []
    for release in sorted(os.listdir(RELEASES)):
        with open(os.path.join(RELEASES, release, OURS[command][0]), "rb") as f:
            seeds.append((release, f.read()))
    return seeds


def run_one(data, number, command=None):
    """The program on a file: what is wrong with how it ended, and the outcome."""
    dice = random.Random(number)
    with job.Place() as place:
        with open(os.path.join(place.path, "in.h5"), "wb") as f:
            f.write(data)
        _, words, codes = OURS.get(command, (None, ["transform"], CODES))
        given = "--restart" if command == "restart" else "--input"
        part = "in.h5[%s]" % dice.choice(PARTS) if command is None and dice.random() < 0.3 else "in.h5"
        words = words + [given, part, "--output", "out.h5", "--watchdog", "60"]
        direction = dice.choice(OPTIONS) if command is None else []
        if number % 5 == 0:
            words = job.command(3, words + direction)
        else:
            words = [job.PROGRAM] + words + direction
        # ranks that are not started by mpirun: no helper processes, and nothing asked of a network
        # they use one directory below TMPDIR, and remove it: campaigns side by side need others
        with tempfile.TemporaryDirectory() as temporary:
            alone = {"OMPI_MCA_ess_singleton_isolated": "1", "PMIX_MCA_gds": "hash", "TMPDIR": temporary}
            outcome = job.run(words, place, 4 * LIMIT, alone, ("in.h5",))
        # a flow that blows up leaves its last good snapshot
        if outcome.code in (0, 76) and "out.h5" in outcome.left:
            h5py.File(os.path.join(place.path, "out.h5")).close()
            outcome.left.remove("out.h5")
        if "out.xdmf" in outcome.left:  # beside snapshots
            outcome.left.remove("out.xdmf")
        why = job.judge(outcome, codes, (0, 0) if outcome.code == 0 else (1, 1))
    return why, outcome


def run(command, count, seed, first):
    tally = job.Tally()
    codes = {}
    with job.Place() as place:
        seeds = our_seeds(command) if command else make_seeds(place.path)
    for number in range(first, first + count):
        name, data = mutant(seeds, seed, number)
        why, outcome = run_one(data, number, command)
        codes[outcome.code] = codes.get(outcome.code, 0) + 1
        again = "%s mutate.py %s %d %d (%s)" % (os.path.basename(sys.executable),
                                               command + " 1" if command else "one", seed, number, name)
        tally.note(again, why, outcome)
    print("seed %d, codes %s" % (seed, dict(sorted(codes.items(), key=str))))
    return tally.end()


def run_texts():
    tally = job.Tally()
    for number, length in enumerate((0, 2, 24, 4096, 4097, 65536, 2**20, 2**24, 2**40, 2**63, 2**64 - 1)):
        why, outcome = run_one(long_text(length), number)
        tally.note("mutate.py text %d FILE" % length, why, outcome)
    return tally.end()


def main(words):
    if words[0] == "texts":
        return run_texts()
    if words[0] == "text":
        with open(words[2], "wb") as f:
            f.write(long_text(int(words[1])))
        return 0
    if words[0] == "run" or words[0] in OURS:
        given = [int(x) for x in words[1:]]
        return run(words[0] if words[0] in OURS else None, *(given + [1, 0][len(given) - 1:]))
    with job.Place() as place:
        if words[0] == "write":
            seeds = make_seeds(words[4])
            for number in range(int(words[2]), int(words[2]) + int(words[3])):
                with open(os.path.join(words[4], "%d.h5" % number), "wb") as f:
                    f.write(mutant(seeds, int(words[1]), number)[1])
            return 0
        name, data = mutant(make_seeds(place.path), int(words[1]), int(words[2]))
    why, outcome = run_one(data, int(words[2]))
    print("seed file %s, %d bytes: %s\n%s" % (name, len(data), why or "as it should be", outcome))
    return 1 if why else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
