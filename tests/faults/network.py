# SPDX-License-Identifier: BSD-3-Clause
"""Hosts and links of a cluster that fail (tests/cluster/cluster.sh, two hosts; root only).

    network.py RANKS [COUNT] [--seed N] [--only NAME]
"""
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time

import job
import scene
from scene import Scene, Skip

# mpirun and its daemons hear of a dead link by themselves only after minutes; with this, after seconds.
ALIVE = {"OMPI_MCA_oob_tcp_keepalive_time": "1", "OMPI_MCA_oob_tcp_keepalive_intvl": "1",
         "OMPI_MCA_oob_tcp_keepalive_probes": "3"}
TOOL = ["sh", os.path.join(os.environ.get("srcdir", "."), "tests", "cluster", "cluster.sh")]
PHASES = ["planning", "reading the input", "transforming", "writing the output"]


class Cluster:
    """Two hosts that are up as long as this program, taken down whatever becomes of it."""

    def __init__(self):
        if job.HYDRA:
            raise Skip("the cluster is set up for Open MPI")
        self.folder = tempfile.mktemp(prefix="pfft3d-cluster-")
        os.environ["CLUSTER"] = self.folder
        os.environ.pop("OMPI_MCA_btl", None)  # of tests/mpirun.sh: between hosts there is a network
        self.tool("up", "-n", "2", "-s", "4", "-o", str(os.getpid()))

    @staticmethod
    def tool(*words):
        done = subprocess.run([*TOOL, *words], capture_output=True, check=False)
        if done.returncode:
            raise Skip(done.stderr.decode(errors="replace").strip() or "no cluster")
        return done.stdout.decode()

    def link(self, state, host="h1"):
        self.tool("on", host, "ip", "link", "set", "eth0", state)

    def down(self):
        subprocess.run([*TOOL, "down"], capture_output=True, check=False)
        shutil.rmtree(self.folder, ignore_errors=True)


UP = []


def cluster():
    if not UP:
        able = subprocess.run([*TOOL, "able"], capture_output=True, check=False)
        if able.returncode:
            raise Skip(able.stderr.decode(errors="replace").strip())
        UP.append(Cluster())
    return UP[0]


def words_of(s):
    return [*TOOL, "run", "-x", "PFFT3D_TEST_STOP", "-x", "PFFT3D_FAULT", "-n", str(s.ranks),
            job.PROGRAM, *s.arguments()]


def begin(s, phase, environment=()):
    """Starts the job on the cluster and waits for its phase; what is wrong, or None."""
    cluster()
    s.start(phase, words=words_of(s), environment=environment)
    if not s.stopped():
        return s.end(()) + "; it never came to this phase"
    return None


def host_of(pid):
    return "h1" if os.stat(f"/proc/{pid}/ns/net").st_ino == network_of("h1") else "h0"


def network_of(host):
    return int(scene.read(f"{UP[0].folder}/{host}").split()[1])


def killed_rank(phase):
    """A rank on the other host is killed."""
    def case(ranks, draw, old):
        with Scene(ranks, old, watchdog=5) as s:
            why = begin(s, phase)
            if why:
                return why, s.outcome
            there = [r for r, pid in s.pids.items() if host_of(pid) == "h1"]
            s.send(signal.SIGKILL, draw.choice(there))
            s.resume()
            return s.end({137}), s.outcome
    return case


def cut_link(phase, dead):
    """The link to the other host goes for good; with `dead`, all that ran there too."""
    def case(ranks, draw, old):
        with Scene(ranks, old, watchdog=5) as s:
            why = begin(s, phase, ALIVE)
            if why:
                return why, s.outcome
            UP[0].link("down")
            if dead:
                for pid in scene.processes(s.mark):
                    if host_of(pid) == "h1":
                        os.kill(pid, signal.SIGKILL)
            s.resume()
            # each rank ends by itself; Open MPI's daemon of the other host may wait until TCP gives up
            ended = scene.until(lambda: not s.find_ranks(), s.limit())
            UP[0].link("up")
            # the watchdog's code, or mpirun's own for a daemon that is lost
            why = s.end({79, 1, 9, 137, 205, 213})
            return why if ended else f"ranks are left; {why}", s.outcome
    return case


def away(phase):
    """The link is gone for three seconds: nothing is lost, unless ranks meet for the first time then,
    which Open MPI ends."""
    def case(ranks, draw, old):
        with Scene(ranks, old, watchdog=30) as s:
            why = begin(s, phase)
            if why:
                return why, s.outcome
            UP[0].link("down")
            s.resume()
            time.sleep(3)
            UP[0].link("up")
            why = s.end({0, 255}, (0, 1))
            if not why and (s.outcome.code or s.outcome.messages) and \
                    "Unable to connect to the peer" not in s.outcome.err:
                why = f"code {s.outcome.code}, and nobody had to connect"
            return why, s.outcome
    return case


def cases(ranks):
    if ranks < 2:
        return [("one rank has no network", lambda *_: ("", ""))]
    table = [(f"a rank is killed while {p}", killed_rank(p)) for p in PHASES]
    table += [(f"the link is cut while {p}", cut_link(p, False)) for p in PHASES]
    table += [(f"a host dies while {p}", cut_link(p, True)) for p in PHASES]
    table += [(f"the link is away while {p}", away(p)) for p in PHASES]
    return table


os.environ["SIDE_BY_SIDE"] = "1"  # all cases cut the links of the same hosts
try:
    status = scene.main(cases, __doc__)
finally:
    for c in UP:
        c.down()
sys.exit(status)
