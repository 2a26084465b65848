"""Runs aircc on one fuzzed input and judges how it ended.

A generator of inputs is a class with

    name                     a word for reports and for --kinds
    weight                   how many of the inputs it makes, relative to the others
    __init__(environment)    reads or compiles its seeds
    make(rng)                one input, as a Case, from an instance of random.Random

All randomness comes from `rng`, so that the seed of an input reproduces it."""

import dataclasses
import os
import pathlib
import re
import resource
import shutil
import subprocess
import tempfile
import threading

import known_issues

CPU_SECONDS = 10
PEAK_BYTES = 1 << 30
# A waiting process uses no CPU time, so wall time is limited as well.
WALL_SECONDS = 300
# A runaway allocation fails before it exhausts the machine's memory.
ADDRESS_SPACE = 12 << 30
# The exit codes of aircc (docs/command-line.md) except 70, which is a bug. 124 means that the command exceeded its
# own time limit.
EXPECTED_CODES = {0, 1, 2, 3, 124}


@dataclasses.dataclass
class Environment:
    """Paths of the build and of the tools."""

    source: pathlib.Path
    build: pathlib.Path
    sanitized: bool

    @property
    def aircc(self):
        return str(self.build / "bin" / "aircc")


@dataclasses.dataclass
class Case:
    """One input: files to write to an empty folder, and arguments of aircc, which runs in that folder."""

    arguments: list
    files: dict  # name -> bytes
    origin: str  # the seed file, for the report
    refusal: str = ""  # a pattern of the message, if the exit code is 2
    program: str = ""  # what runs in place of aircc


@dataclasses.dataclass
class Outcome:
    status: int  # of the process; negative: the signal that ended it
    cpu: float  # seconds, user and system
    peak: int  # bytes of resident memory
    timed_out: bool
    errors: str  # standard error
    problem: str = ""  # why this is a failure; empty if it is none
    known: bool = False  # an entry of docs/known-issues.md


def limit_resources(sanitized):
    """Limits for this process and its children."""
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_FSIZE, (PEAK_BYTES, PEAK_BYTES))
    if not sanitized:  # the sanitizers reserve terabytes of addresses
        resource.setrlimit(resource.RLIMIT_AS, (ADDRESS_SPACE, ADDRESS_SPACE))


def execute(environment, case, folder):
    """Runs the case in `folder`, which is empty."""
    for name, contents in case.files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(contents)
    variables = {k: v for k, v in os.environ.items() if not k.startswith("AIRCC_")}
    variables["AIRCC_CACHE"] = "off"
    # Crash reproducers go to the folder for temporary files.
    variables.update(TMPDIR=str(folder), AIRCC_DEVICE="sim", LC_ALL="C")
    if environment.sanitized:
        variables["ASAN_OPTIONS"] = "detect_leaks=0:allow_user_poisoning=0:detect_container_overflow=0:exitcode=99"
        variables["UBSAN_OPTIONS"] = "print_stacktrace=1"
    scale = 10 if environment.sanitized else 1
    errors = folder / ".stderr"
    with open(errors, "wb") as stderr:
        process = subprocess.Popen(
            [case.program or environment.aircc, *case.arguments],
            cwd=folder,
            env=variables,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=stderr,
            start_new_session=True,
        )
    cpu_limit = CPU_SECONDS * scale * 2
    try:
        resource.prlimit(process.pid, resource.RLIMIT_CPU, (cpu_limit, cpu_limit + 1))
    except ProcessLookupError:
        pass  # it has ended
    killed = threading.Event()

    def kill():
        killed.set()
        os.killpg(process.pid, 9)  # the session has no other member than what we started

    timer = threading.Timer(WALL_SECONDS * scale, kill)
    timer.start()
    _, status, usage = os.wait4(process.pid, 0)
    timer.cancel()
    process.returncode = os.waitstatus_to_exitcode(status)
    outcome = Outcome(
        status=process.returncode,
        cpu=usage.ru_utime + usage.ru_stime,
        peak=usage.ru_maxrss * 1024,
        timed_out=killed.is_set(),
        errors=errors.read_bytes()[: 1 << 20].decode("utf-8", "replace"),
    )
    judge(environment, case, outcome)
    return outcome


def first_error(text):
    if found := re.search(r'^\{"severity":"error".*?"message":"((?:[^"\\]|\\.)*)"', text, re.MULTILINE):
        return found[1][:300]
    for pattern in (r"^.*(?:ERROR: AddressSanitizer|runtime error:).*$", r"^.*internal error.*$", r"^.*error.*$"):
        if found := re.search(pattern, text, re.MULTILINE):
            return found[0][:300]
    return text.strip().split("\n")[0][:300]


def judge(environment, case, outcome):
    scale = 10 if environment.sanitized else 1
    if "AddressSanitizer" in outcome.errors or "runtime error:" in outcome.errors:
        outcome.problem = "sanitizer report: " + first_error(outcome.errors)
    elif outcome.timed_out:
        outcome.problem = f"it had not ended after {WALL_SECONDS * scale} s"
    elif outcome.cpu > CPU_SECONDS * scale:
        outcome.problem = f"it took {outcome.cpu:.1f} s of CPU time"
    elif outcome.peak > PEAK_BYTES * (4 if environment.sanitized else 1):
        outcome.problem = f"it took {outcome.peak >> 20} MB of memory"
    elif outcome.status < 0:
        outcome.problem = f"it died of signal {-outcome.status}: " + first_error(outcome.errors)
    elif outcome.status == 70:
        outcome.problem = "exit code 70: " + first_error(outcome.errors)
    elif outcome.status not in EXPECTED_CODES:
        outcome.problem = f"exit code {outcome.status}: " + first_error(outcome.errors)
    elif outcome.status == 3 and re.search(r"out of memory|Cannot allocate memory", outcome.errors):
        outcome.problem = f"it ran out of {ADDRESS_SPACE >> 30} GB of addresses"
    elif outcome.status != 0 and not re.search(r'error:|"severity":"error"', outcome.errors):
        outcome.problem = f"exit code {outcome.status} without an error message"
    elif outcome.status == 2 and not re.search(case.refusal, outcome.errors):
        outcome.problem = "an error without a place: " + first_error(outcome.errors)
    outcome.known = bool(outcome.problem) and known_issues.is_known(case.files.values(), outcome.errors)


def run(environment, case, keep):
    """Runs the case in a folder of its own, which is kept in the folder `keep` if the case fails."""
    folder = pathlib.Path(tempfile.mkdtemp(prefix="aircc-fuzz-"))
    try:
        outcome = execute(environment, case, folder)
        if outcome.problem and not outcome.known:
            shutil.rmtree(keep, ignore_errors=True)
            keep.mkdir(parents=True)
            for name in [*case.files, ".stderr"]:
                target = keep / name.lstrip(".")
                target.parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(folder / name, target)
            (keep / "command").write_text(" ".join([case.program or "aircc", *case.arguments]) + "\n")
        return outcome
    finally:
        shutil.rmtree(folder, ignore_errors=True)
