"""usage: check_portable_kernels.py AIRCC SOURCE-FOLDER: no stage before codegen uses ops of a backend.

Compiles the samples and the end-to-end programs up to stage codegen, for a GPU of each backend, and then runs the
pass codegen-verify-input with portable-kernels, which reports ops, types and attributes of backends in kernels.
Prints those that the program itself does not contain, and fails if there are any.
"""

import concurrent.futures
import os
import pathlib
import re
import subprocess
import sys

# The targets differ little up to stage codegen; programs that are only for Xe are in a few folders.
FOLDERS = {"gfx942": ("samples", "test/e2e"), "bmg": ("samples", "test/e2e/hierarchy", "test/e2e/xe", "test/e2e/xegpu")}
PART = re.compile(r"(op|type|attribute) '([^']+)'")
# A lower bound for the number of programs: if too many are rejected, the check is useless.
LEAST_PROGRAMS = 30


def run(command, text=None):
    return subprocess.run(command, input=text, capture_output=True, text=True)


def is_own(text, source):
    """Returns whether the program contains the op, or else the types and attributes, that a message names."""
    parts = PART.findall(text)
    op = next((name for kind, name in parts if kind == "op"), None)
    return bool(parts) and (op in source if op else all(name in source for _, name in parts))


def check(aircc, source, target):
    """Returns whether the program reaches stage codegen, and the messages about ops of backends that are not its
    own."""
    lowered = run([aircc, source, "--target", target, "--emit=distributed", "-o", "-"])
    if lowered.returncode:
        return False, []
    verified = run([aircc, "opt", "-", "--codegen-verify-input=portable-kernels", "-o", os.devnull], lowered.stdout)
    if not verified.returncode:
        return True, []
    own = source.read_text()
    errors = [line for line in verified.stderr.splitlines() if " error: " in line]
    messages = [line for line in errors if not is_own(line.partition("before stage 'codegen': ")[2], own)]
    return True, messages or ([] if errors else [verified.stderr])


def main():
    aircc, folder = sys.argv[1], pathlib.Path(sys.argv[2])
    pairs = [
        (path, target)
        for target, names in FOLDERS.items()
        for name in names
        for path in sorted((folder / name).rglob("*.mlir"))
        if path.parent.name != "errors"
    ]
    counts, failed = dict.fromkeys(FOLDERS, 0), False
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        results = pool.map(lambda pair: check(aircc, *pair), pairs)
        for (path, target), (reached, messages) in zip(pairs, results):
            counts[target] += reached
            for message in messages:
                failed = True
                print(f"{path.relative_to(folder)} for {target}: {message}")
    for target, count in counts.items():
        if count < LEAST_PROGRAMS:
            sys.exit(f"error: only {count} programs reached stage codegen for {target}")
    sys.exit(failed)


main()
