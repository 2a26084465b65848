"""usage: abandoned.py FOLDER SLOW-COMMAND… -- COMMAND…

Starts two instances of the slow command, whose host compiler (slow-cc on PATH) waits, and kills one of
them with SIGKILL. The other command, which writes to the same folders (FOLDER/out and the folder of
temporary files), must then remove the files of the killed instance, but not those of the other one."""

import os
import pathlib
import shutil
import signal
import subprocess
import sys
import time

folder, rest = pathlib.Path(sys.argv[1]), sys.argv[2:]
slow, command = rest[: rest.index("--")], rest[rest.index("--") + 1 :]
bin_dir, out, tmp = folder / "bin", folder / "out", folder / "tmp"
for d in (bin_dir, out, tmp):
    shutil.rmtree(d, ignore_errors=True)
    d.mkdir()
cc = bin_dir / "slow-cc"
cc.write_text(f"#!/bin/sh\necho $$ > {folder}/called.new; mv {folder}/called.new {folder}/called\nexec sleep 600\n")
cc.chmod(0o755)
environment = dict(os.environ, PATH=f"{bin_dir}:{os.environ['PATH']}", TMPDIR=str(tmp))


def private_folders():
    return {p for d in (out, tmp) for p in d.iterdir() if p.is_dir()}


def start():
    """Returns the process, its host compiler's process, and the folders it created."""
    called = folder / "called"
    called.unlink(missing_ok=True)
    before = private_folders()
    process = subprocess.Popen(slow, env=environment)
    while not called.exists():
        if process.poll() is not None:
            sys.exit(f"the command ended with {process.returncode} before it linked")
        time.sleep(0.01)
    return process, int(called.read_text()), private_folders() - before


killed, killed_cc, abandoned = start()
killed.send_signal(signal.SIGKILL)
killed.wait()
if not abandoned <= private_folders():
    sys.exit("the killed command left nothing, so there is nothing to test")
# It may remove the folders of the killed instance itself.
living, living_cc, used = start()
try:
    subprocess.run(command, env=environment, check=True, stdout=subprocess.DEVNULL)
    if left := private_folders() & abandoned:
        sys.exit(f"left behind: {left}")
    if not used or not used <= private_folders():
        sys.exit("a folder that a living process uses was removed")
finally:
    living.send_signal(signal.SIGTERM)
    living.wait()
    for pid in (killed_cc, living_cc):
        os.kill(pid, signal.SIGKILL)
if left := private_folders():
    sys.exit(f"left behind: {left}")
