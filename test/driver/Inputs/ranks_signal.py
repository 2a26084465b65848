"""usage: ranks_signal.py SIGNAL COMMAND…

Runs the command, `aircc run … -n 2`, with ranks that print their process ids;
sends the signal to the command; and checks that the ranks received it and that no
process remains.
"""

import os
import signal
import subprocess
import sys
import time

name, command = sys.argv[1], sys.argv[2:]
number = getattr(signal, "SIG" + name)
# Each reports the signal and exits.
script = f"trap 'echo got {name}; exit 9' {name}; echo pid $$; while :; do sleep 0.05; done"
if name == "KILL":
    script = "echo pid $$; while :; do sleep 0.05; done"
else:
    signal.signal(number, signal.SIG_DFL)
process = subprocess.Popen(command + ["--", "-c", script], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
lines = [process.stdout.readline().split() for _ in range(2)]
pids = [int(line[2]) for line in lines]
if sorted(line[0] for line in lines) != ["[0]", "[1]"]:
    sys.exit(f"unexpected output: {lines}")
process.send_signal(number)
rest = process.stdout.read()
status = process.wait()
if name == "KILL":
    if status != -signal.SIGKILL:
        sys.exit(f"the command ended with {status}")
elif status != 9 or sorted(rest.split("\n")) != ["", f"[0] got {name}", f"[1] got {name}"]:
    sys.exit(f"the command ended with {status}: {rest}")


def exists(pid):
    try:
        # A zombie that has not been waited for counts as ended.
        with open(f"/proc/{pid}/stat") as file:
            return file.read().rsplit(")", 1)[1].split()[0] != "Z"
    except OSError:
        return False


end = time.monotonic() + 5
while any(map(exists, pids)):
    if time.monotonic() > end:
        sys.exit(f"left behind: {[pid for pid in pids if exists(pid)]}")
    time.sleep(0.01)
