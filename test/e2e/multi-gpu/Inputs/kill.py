"""usage: kill.py ROUNDS COMMAND…

Runs the command, `aircc run … -n N`, several times, kills one of the ranks or the command itself at a random moment,
and checks that seconds later there is no process of the job left, no socket, no shared memory and no temporary file.
With `--nodes`, mpirun and the processes that it starts are killed, too.
AIRCC_TEST_SEED in the environment repeats a run.
"""

import os
import random
import signal
import subprocess
import sys
import time

rounds, command = int(sys.argv[1]), sys.argv[2:]
nodes = "--nodes" in command
# On several nodes, the ranks have three seconds to end after mpirun has been killed.
patience = 15 if nodes else 5
seed = int(os.environ.get("AIRCC_TEST_SEED", time.time_ns() % 1000000007))
print(f"AIRCC_TEST_SEED={seed}", flush=True)
rng = random.Random(seed)


def read(pid, name):
    try:
        with open(f"/proc/{pid}/{name}", "rb") as file:
            return file.read()
    except OSError:
        return b""


def descendants(pid):
    """Returns the processes that a process has started, directly or not."""
    found = [int(child) for child in read(pid, f"task/{pid}/children").split()]
    return found + [other for child in found for other in descendants(child)]


def job_of(pid):
    """Returns AIRCC_JOB of a process that was started as a rank."""
    for variable in read(pid, "environ").split(b"\0"):
        if variable.startswith(b"AIRCC_JOB="):
            return variable.decode()
    return None


def is_victim(pid):
    """Whether the job cannot continue without the process: it is a rank, or belongs to mpirun. One process only removes
    files if the command is killed."""
    words = read(pid, "cmdline").split(b"\0")
    return job_of(pid) is not None or b"--mpi-agent" in words


def exists(pid):
    stat = read(pid, "stat")
    return bool(stat) and stat.rsplit(b")", 1)[1].split()[0] != b"Z"


def socket_name(identity):
    """Returns the name of a job's socket, formed as in runtime-stubs/ranks/Job.cpp."""
    hashes = [0xCBF29CE484222325, 0x84222325CBF29CE4]
    for byte in identity.encode():
        hashes = [((h ^ byte) * 0x100000001B3) % 2**64 for h in hashes]
    return f"@aircc-{os.getuid()}-{hashes[0]:016x}{hashes[1]:016x}"


def left(pids, identity, launcher):
    found = [f"process {pid} {read(pid, 'cmdline')}" for pid in pids if exists(pid)]
    names = [f"@aircc-mpi-{launcher}-"]
    if identity:
        names += [socket_name(identity)]
        names += [socket_name(f"{identity} node of rank {rank}") for rank in range(1, 8)]
    with open("/proc/net/unix") as file:
        found += [line.strip() for line in file if any(name in line for name in names)]
    for pid in pids:
        found += [f"memory of {pid}: {name}" for name in os.listdir("/dev/shm") if str(pid) in name]
    if nodes:
        found += [f"file {name}" for name in os.listdir(os.environ["TMPDIR"]) if name.startswith("aircc-mpi-")]
    return found


saw_socket = saw_folder = False
for number in range(rounds):
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    while not (started := [pid for pid in descendants(process.pid) if is_victim(pid)]):
        if process.poll() is not None:
            sys.exit(f"the command ended with {process.returncode} before it started ranks")
        time.sleep(0.001)
    time.sleep(rng.choice([0, 0.02, 0.1, 0.5, 2] if nodes else [0, 0.02, 0.1, 0.5]) * rng.random())
    pids = sorted(set(started) | set(descendants(process.pid)))
    identity = next((job for job in map(job_of, pids) if job), None)
    there = left([], identity, process.pid)
    saw_socket |= any("@aircc" in what for what in there)
    saw_folder |= any("file" in what for what in there)
    victims = [pid for pid in pids if is_victim(pid) or read(pid, "comm").startswith(b"mpirun")]
    victim = rng.choice(victims + [process.pid])
    name = "the command" if victim == process.pid else read(victim, "comm").decode().strip()
    try:
        os.kill(victim, signal.SIGKILL)
    except ProcessLookupError:
        sys.exit(f"round {number}: {name} has ended by itself")
    end = time.monotonic() + patience
    while what := left(pids, identity, process.pid):
        # The command may have been starting ranks.
        pids = sorted(set(pids) | set(descendants(process.pid)))
        if time.monotonic() > end:
            sys.exit(f"round {number}: after {name} was killed, left behind: {what}")
        time.sleep(0.01)
    status = process.wait()
    if status == 0:
        sys.exit(f"round {number}: after {name} was killed, the command ended with 0")
if rounds >= 10 and not saw_socket:
    sys.exit("no socket was ever seen: the test looks for the wrong name")
if nodes and not saw_folder:
    sys.exit("no folder was ever seen: the test looks for the wrong name")
