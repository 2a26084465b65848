"""Counts the launches of a program."""

import re
import subprocess
import tempfile

from aircc.compiler import find_compiler


def count_kernels(text, target, name=""):
    """The number of launches of kernels whose name contains `name`."""
    with tempfile.NamedTemporaryFile("w", suffix=".mlir") as file:
        file.write(text)
        file.flush()
        command = [find_compiler(), file.name, "--target", target, "--emit", "gpu", "-o", "-"]
        output = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    return len(re.findall(rf"gpu\.launch_func .*{name}", output))
