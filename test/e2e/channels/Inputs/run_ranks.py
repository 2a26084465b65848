"""run_ranks.py N PROGRAM [ARG]...

Runs PROGRAM as N ranks, as a launcher would, prints their outputs in the order of the ranks, and exits with the
largest of their statuses.
"""

import os
import subprocess
import sys

count = int(sys.argv[1])
env = dict(os.environ, WORLD_SIZE=str(count), AIRCC_JOB=f"run-ranks-{os.getpid()}", AIRCC_WAIT_LIMIT="120")
ranks = [
    subprocess.Popen(
        sys.argv[2:],
        env=dict(env, RANK=str(rank), LOCAL_RANK=str(rank)),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    for rank in range(count)
]
status = 0
for number, rank in enumerate(ranks):
    output, _ = rank.communicate()
    for line in output.splitlines():
        print(f"[{number}] {line}")
    status = max(status, abs(rank.returncode))
sys.exit(status)
