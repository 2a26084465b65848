"""Running commands, with options that most tests of this folder share."""

import subprocess


def device_level(level):
    """Options that optimize only device code: LLVM is slow for the undistributed vectors of the host functions."""
    return ["-O0", "--stage-option", f"codegen.opt-level={level}"]


def run(command, **more):
    try:
        return subprocess.run(command, capture_output=True, text=True, timeout=900, **more)
    except subprocess.TimeoutExpired as expired:
        return subprocess.CompletedProcess(command, 124, "", f"no end after {expired.timeout} seconds")
