"""usage: progress.py KERNEL COMMAND…

Runs a simulation that reaches its time limit on a pseudo-terminal. Checks that
it has shown how many workgroups are done, and has erased that line before the
error message.
"""

import os
import pty
import re
import sys

kernel, command = sys.argv[1], sys.argv[2:]
pid, terminal = pty.fork()
if pid == 0:
    os.execv(command[0], command)
seen = b""
while True:
    try:
        data = os.read(terminal, 4096)
    except OSError:  # The other end is closed.
        break
    if not data:
        break
    seen += data
status = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
if status != 124:
    sys.exit(f"exit code {status}: {seen!r}")
line = rf"\r\x1b\[Kaircc simulator: kernel '{kernel}': 0 of 1 workgroups, 0:\d\d"
if not re.search(rf"({line})+\r\x1b\[K[^\r]*error: (\x1b\[0m)?kernel '{kernel}'".encode(), seen):
    sys.exit(f"no progress line that is erased: {seen!r}")
