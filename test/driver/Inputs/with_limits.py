"""usage: with_limits.py (memory|files) COMMAND…

Runs the command with increasing limits on memory or open files, from the minimum with which aircc starts
until the command succeeds. Failing runs must exit with 3 and an error that blames neither aircc nor a line
of the program. Prints the different errors."""

import re
import resource
import subprocess
import sys

kind, command = sys.argv[1], sys.argv[2:]
limit, unit, step = {"memory": (resource.RLIMIT_AS, 1 << 20, 3), "files": (resource.RLIMIT_NOFILE, 1, 2)}[kind]


def run(arguments, value):
    return subprocess.run(
        arguments,
        preexec_fn=lambda: resource.setrlimit(limit, (value * unit, value * unit)),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        errors="replace",
    )


# With less, the dynamic loader fails.
low, high = 0, 4096
while high - low > 1:
    middle = (low + high) // 2
    low, high = (low, middle) if run([command[0], "--version"], middle).returncode == 0 else (middle, high)

errors = set()
for value in range(high + 1, high + 300, step):
    result = run(command, value)
    if result.returncode == 0:
        break
    if result.returncode != 3 or "internal error" in result.stderr or re.search(r"\.mlir:\d", result.stderr):
        sys.exit(f"with a limit of {value} it ends with {result.returncode}:\n{result.stderr}")
    errors.add(re.sub(r"room for \d+", "room for N", result.stderr.split("\n")[0]))
else:
    sys.exit("the command never succeeds")
for error in sorted(errors):
    print(error)
