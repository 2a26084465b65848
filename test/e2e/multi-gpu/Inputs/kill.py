"""usage: kill.py ROUNDS COMMAND…

Runs the command, `aircc run … -n N`, several times, kills one of the ranks or the command itself at a random moment,
and checks that five seconds later there is no process of the job left, no socket and no shared memory.
AIRCC_TEST_SEED in the environment repeats a run.
"""

import os
import random
import signal
import subprocess
import sys
import time

rounds, command = int(sys.argv[1]), sys.argv[2:]
seed = int(os.environ.get("AIRCC_TEST_SEED", time.time_ns() % 1000000007))
print(f"AIRCC_TEST_SEED={seed}", flush=True)
rng = random.Random(seed)


def children(pid):
    try:
        with open(f"/proc/{pid}/task/{pid}/children") as file:
            return [int(child) for child in file.read().split()]
    except OSError:
        return []


def is_rank(pid):
    return job_of(pid) is not None


def job_of(pid):
    """Returns AIRCC_JOB of a process that was started as a rank."""
    try:
        with open(f"/proc/{pid}/environ", "rb") as file:
            for variable in file.read().split(b"\0"):
                if variable.startswith(b"AIRCC_JOB="):
                    return variable.decode()
    except OSError:
        pass
    return None


def exists(pid):
    try:
        with open(f"/proc/{pid}/stat") as file:
            return file.read().rsplit(")", 1)[1].split()[0] != "Z"
    except OSError:
        return False


def hub_name(identity):
    """Returns the name of a job's socket, as runtime-stubs/ranks/Job.cpp forms it."""
    hashes = [0xCBF29CE484222325, 0x84222325CBF29CE4]
    for byte in identity.encode():
        hashes = [((h ^ byte) * 0x100000001B3) % 2**64 for h in hashes]
    return f"@aircc-{os.getuid()}-{hashes[0]:016x}{hashes[1]:016x}"


def left(pids, identity):
    found = [f"process {pid}" for pid in pids if exists(pid)]
    with open("/proc/net/unix") as file:
        found += [line.strip() for line in file if hub_name(identity) in line]
    for pid in pids:
        found += [f"memory of {pid}: {name}" for name in os.listdir("/dev/shm") if str(pid) in name]
    return found


saw_socket = False
for number in range(rounds):
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    while not (ranks := [pid for pid in children(process.pid) if is_rank(pid)]):
        if process.poll() is not None:
            sys.exit(f"the command ended with {process.returncode} before it started ranks")
        time.sleep(0.001)
    identity = job_of(ranks[0])
    time.sleep(rng.choice([0, 0.02, 0.1, 0.5]) * rng.random())
    ranks = sorted(set(ranks) | set(children(process.pid)))
    saw_socket |= any("@" in what for what in left([], identity))
    victim = rng.choice(ranks + [process.pid])
    os.kill(victim, signal.SIGKILL)
    end = time.monotonic() + 5
    while what := left(ranks, identity):
        if time.monotonic() > end:
            sys.exit(f"round {number}: left behind: {what}")
        time.sleep(0.01)
    status = process.wait()
    if status == 0:
        sys.exit(f"round {number}: the command ended with 0")
if rounds >= 10 and not saw_socket:
    sys.exit("no socket was ever seen: the test looks for the wrong name")
