"""Kills compiles that write to a cache, and runs several compiles at the same time. Arguments: a folder for temporary
files and a compile, without its output."""

import os
import pathlib
import subprocess
import sys
import time

folder = pathlib.Path(sys.argv[1])
compile = sys.argv[2:]
folder.mkdir()
environment = {**os.environ, "AIRCC_CACHE_DIR": str(folder / "cache")}
expected = folder / "expected"
subprocess.run([*compile, "--cache=off", "-o", expected], check=True)


def start(name, options):
    command = [*compile, "--cache=on", *options, "-o", folder / name]
    return subprocess.Popen(command, env=environment, stderr=subprocess.PIPE, text=True)


def finish(name, process):
    error = process.communicate()[1]
    if process.returncode or error:
        sys.exit(f"{name}: status {process.returncode}, {error}")
    if (folder / name).read_bytes() != expected.read_bytes():
        sys.exit(f"{name} has other bytes")


# The variable changes the key, so that every compile writes.
for i in range(12):
    environment["AIRCC_UNKNOWN"] = str(i)
    process = start("killed", [])
    time.sleep(0.02 * i)
    process.kill()
    process.communicate()
    finish("after", start("after", []))

environment["AIRCC_UNKNOWN"] = "same"
processes = {f"out{i}": start(f"out{i}", [f"-j{i % 3 + 1}"]) for i in range(6)}
for name, process in processes.items():
    finish(name, process)
finish("last", start("last", []))
