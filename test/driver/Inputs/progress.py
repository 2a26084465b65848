"""usage: progress.py FOLDER COMMAND…

Runs the command on a pseudo-terminal with a host compiler, slow-cc on PATH, that
waits until the progress line has been seen; checks that the line is erased.
"""

import os
import pathlib
import pty
import sys

folder, command = pathlib.Path(sys.argv[1]), sys.argv[2:]
go = folder / "go"
cc = folder / "slow-cc"
cc.write_text(f'#!/bin/sh\nwhile [ ! -e {go} ]; do sleep 0.05; done\nexec cc "$@"\n')
cc.chmod(0o755)

pid, terminal = pty.fork()
if pid == 0:
    os.environ["PATH"] = f"{folder}:{os.environ['PATH']}"
    os.execv(command[0], command)
seen = b""
while True:
    try:
        data = os.read(terminal, 4096)
    except OSError:  # the other side is closed
        break
    if not data:
        break
    seen += data
    if "aircc: linking … ".encode() in seen:
        go.touch()
status = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
if status != 0:
    sys.exit(f"exit code {status}: {seen!r}")
if not go.exists():
    sys.exit(f"no progress line: {seen!r}")
if not seen.endswith(b"\r\x1b[K"):
    sys.exit(f"the progress line is left: {seen!r}")
