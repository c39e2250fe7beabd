# SPDX-License-Identifier: BSD-3-Clause
"""Starts the program on the ranks of a point, and passes signals on to it."""
import ctypes
import json
import os
import re
import shlex
import shutil
import signal
import subprocess
import tempfile
import time

from message import MISSING, STOPPED, Failure
from points import arguments

PATIENCE = 20  # seconds that a launcher has to end after a signal, before the next stronger one


def physical_cores():
    """Cores that this process may use; hardware threads of one core count once."""
    seen = set()
    for cpu in os.sched_getaffinity(0):
        try:
            with open("/sys/devices/system/cpu/cpu%d/topology/thread_siblings_list" % cpu) as file:
                seen.add(file.read())
        except OSError:
            seen.add(str(cpu))
    return len(seen)


def cores():
    """$CORES, else those of the SLURM job ("16(x4),8": 72), else those of this machine."""
    given = os.environ.get("CORES", "")
    if given:
        if not given.isdigit() or int(given) == 0:
            raise Failure(64, "CORES='%s' in the environment: expected a number from 1" % given)
        return int(given)
    slurm = re.findall(r"(\d+)(?:\(x(\d+)\))?", os.environ.get("SLURM_JOB_CPUS_PER_NODE", ""))
    here = physical_cores()
    beside = len(os.sched_getaffinity(0)) // here  # hardware threads of a core, which SLURM may count
    return sum(int(n) * int(times or 1) for n, times in slurm) // beside or here


def program():
    found = shutil.which(os.environ.get("PFFT3D", "pfft3d"))
    if not found:
        raise Failure(MISSING, "no program '%s'" % os.environ.get("PFFT3D", "pfft3d"),
                      "sh jobs/build.sh builds it; PFFT3D in the environment names another one")
    return os.path.abspath(found)


def ask(what, launcher, *wishes):
    """The words that jobs/launcher.sh answers about a launcher."""
    script = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "launcher.sh")
    return subprocess.run(["sh", script, what, launcher, *wishes], stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, check=True).stdout.decode().split()


class Launcher:
    def __init__(self):
        self.cores = cores()
        self.program = program()
        self.given = shlex.split(os.environ.get("LAUNCH", ""))
        mpirun = shutil.which("mpirun.openmpi") or shutil.which("mpirun")
        self.base = self.given or [mpirun]
        if not self.base[0] or not shutil.which(self.base[0]):
            raise Failure(MISSING, "no launcher '%s'" % (self.base[0] or "mpirun"),
                          "LAUNCH in the environment names one, for example LAUNCH='srun --mpi=pmix'")
        self.open_mpi = not self.given and ask("name", self.base[0]) == ["openmpi"]
        self.needed = ask("options", self.base[0], "quiet") if self.open_mpi else []
        self.process = None
        self.sent = False
        self.signals = []  # to send, the next one first, if the launcher does not end
        self.stopped = False
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGUSR2):
            signal.signal(number, self.stop)
        signal.signal(signal.SIGALRM, self.press)

    def oversubscribed(self, point):
        return point["ranks"] * point["threads"] > self.cores

    def options(self, point):
        """What Open MPI's launcher needs so that every rank has the cores of its threads."""
        if not self.open_mpi:
            return []
        words = list(self.needed)
        if self.oversubscribed(point):
            return words + ["--oversubscribe", "--bind-to", "none"]
        if point["threads"] > 1:
            return words + ["--map-by", "slot:PE=%d" % point["threads"], "--bind-to", "core"]
        return words + ["--map-by", "core", "--bind-to", "core"]

    def environment(self, point):
        """srun is told by a variable how many cores a rank needs.  Threads that spin while they wait
        would keep others from the cores that they share."""
        variables = dict(os.environ)
        if point["threads"] > 1:
            variables["SRUN_CPUS_PER_TASK"] = str(point["threads"])
            if self.oversubscribed(point):
                variables.setdefault("OMP_WAIT_POLICY", "passive")
        return variables

    def stop(self, number, _frame):
        """A signal to us: no further points, and the launcher hears of it, once.  INT is passed on
        as TERM, since srun only answers the first INT with words."""
        if self.stopped:
            return
        self.stopped = True
        first = signal.SIGUSR2 if number == signal.SIGUSR2 else signal.SIGTERM
        self.signals = [first] + [s for s in (signal.SIGTERM, signal.SIGKILL) if s != first]
        self.press()

    def press(self, *_):
        """Sends the next signal; called again by SIGALRM as long as the launcher has not ended."""
        if self.process is None or self.process.poll() is not None or not self.signals:
            return
        self.sent = True
        self.process.send_signal(self.signals.pop(0))
        signal.alarm(PATIENCE)

    def run(self, point, options, results):
        """One point: its line for the results, or None if it was stopped."""
        with tempfile.TemporaryDirectory(prefix=".run-", dir=results.folder) as work:
            report, words = os.path.join(work, "report.json"), os.path.join(work, "stderr")
            command = self.base + self.options(point) + ["-n", str(point["ranks"]), self.program]
            command += arguments(point, options) + ["--quiet", "--json", report]
            began = time.monotonic()
            with open(words, "wb") as stderr:
                status = self.start(command, self.environment(point), stderr, results.lock)
            if self.stopped or status == STOPPED:
                self.stopped = True
                return None
            seconds = time.monotonic() - began
            with open(words, errors="replace") as file:
                said = [text.strip() for text in file if text.strip()]
            line = self.line(point, report)
        study = dict(point, algos=options.algos, reps=options.reps, direction=options.direction,
                     more=options.more, cores=self.cores, oversubscribed=self.oversubscribed(point),
                     command_line=shlex.join(command[:-2]), seconds=round(seconds, 3),
                     warnings=[t for t in said if t.startswith("pfft3d: warning:")], status=status)
        if status == 0 and not line.get("runs"):
            study["status"] = status = 70
            said = ["pfft3d: error: the program ended with 0 and wrote no report"]
        if status:
            study["message"] = first_error(said, status)
        line["study"] = study
        return line

    def start(self, command, variables, stderr, lock):
        """Exit status as a shell tells it.  A group of its own: an interrupt from the terminal comes
        to us alone, and we pass it on.  If we are killed, the kernel ends the launcher."""
        libc = ctypes.CDLL(None)

        def child():
            os.setpgid(0, 0)
            libc.prctl(1, signal.SIGTERM)  # PR_SET_PDEATHSIG

        try:
            self.process = subprocess.Popen(command, stdin=subprocess.DEVNULL,
                                            stdout=subprocess.DEVNULL, stderr=stderr,
                                            env=variables, preexec_fn=child, pass_fds=(lock,))
        except OSError as error:
            raise Failure(MISSING, "cannot start '%s': %s" % (command[0], error.strerror))
        if self.stopped and not self.sent:  # it came while the launcher was being started
            self.press()
        status = self.process.wait()
        signal.alarm(0)
        self.process = None
        return status if status >= 0 else 128 - status

    @staticmethod
    def line(point, report):
        """The report of the program, {} if there is none."""
        try:
            with open(report) as file:
                return json.load(file)
        except (OSError, ValueError):
            return {}


def first_error(said, status):
    errors = [text for text in said if text.startswith("pfft3d: error:")] or said[-1:]
    if not errors:
        return "no message, status %d" % status
    text = errors[0]
    return text[len("pfft3d: error: "):] if text.startswith("pfft3d: error: ") else text


def try_options(program_path, options):
    """A dry run of the names in --exchanges, so that one wrong name is one message and no failed
    points: the program itself says what is wrong with it."""
    dry = subprocess.run([program_path, "explain", "--grid", "8", "--ranks", "1", "--quiet",
                          "--exchange", options.algos], stdin=subprocess.DEVNULL,
                         stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
                         env=dict(os.environ, OMPI_MCA_btl_base_warn_component_unused="0"))
    if dry.returncode == 64:
        said = [t.strip() for t in dry.stderr.splitlines() if t.startswith("pfft3d: ")]
        text = first_error(said, 64).replace("--exchange ", "--exchanges ", 1)
        hints = [t.partition("hint: ")[2] for t in said if t.startswith("pfft3d: hint: ")]
        raise Failure(64, text, hints[0] if hints else None)
