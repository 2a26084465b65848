"""usage: interrupt.py SIGNAL FOLDER COMMAND…

Runs the command with a host compiler, slow-cc on PATH, that reports that it was
called and then waits; sends the signal to the command; and checks that FOLDER/out
and the folder of temporary files are empty (after KILL: contain no complete output).
"""

import os
import pathlib
import shutil
import signal
import subprocess
import sys
import time

name, folder, command = sys.argv[1], pathlib.Path(sys.argv[2]), sys.argv[3:]
number = getattr(signal, "SIG" + name)
bin_dir, out, tmp = folder / "bin", folder / "out", folder / "tmp"
for d in (bin_dir, out, tmp):
    shutil.rmtree(d, ignore_errors=True)
    d.mkdir()
called = folder / "called"
called.unlink(missing_ok=True)
cc = bin_dir / "slow-cc"
cc.write_text(f"#!/bin/sh\necho $$ > {called}.new; mv {called}.new {called}\nexec sleep 600\n")
cc.chmod(0o755)

# If the caller ignores the signal, the command would ignore it, too.
if name != "KILL":
    signal.signal(number, signal.SIG_DFL)
environment = dict(os.environ, PATH=f"{bin_dir}:{os.environ['PATH']}", TMPDIR=str(tmp))
process = subprocess.Popen(command, env=environment)
while not called.exists():
    if process.poll() is not None:
        sys.exit(f"the command ended with {process.returncode} before it linked")
    time.sleep(0.01)
process.send_signal(number)
status = process.wait()
os.kill(int(called.read_text()), signal.SIGKILL)  # the waiting compiler
if status != -number:
    sys.exit(f"the command ended with {status}, not by SIG{name}")
left = sorted(p for d in (out, tmp) for p in d.rglob("*"))
if name == "KILL":
    left = [p for p in left if p.parent == out and not p.name.startswith(".")]
if left:
    sys.exit(f"left behind: {left}")
