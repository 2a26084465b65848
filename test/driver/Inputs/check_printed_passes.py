"""Checks that a compile runs the passes that --print-pipeline lists.

Usage: check_printed_passes.py AIRCC PROGRAM TARGET FOLDER

Compiles PROGRAM to an executable with --mlir-print-ir-after of every listed
pass and compares the sequence of dumps with the list. The program needs one
gpu.module, so that each nested pass runs once. Printing must not change the
output: the executable is compared with one compiled without it.
"""

import os
import re
import subprocess
import sys


def parse_pipeline(text, conditional):
    """The names of the passes in a textual pipeline, in order: those that run
    others follow the passes in their options. `conditional`: with those that
    run only on some programs."""
    names = []
    position = 0
    while position < len(text):
        match = re.compile(r"[\w.-]+").match(text, position)
        if not match:
            position += 1  # a separator or a closing parenthesis
            continue
        position = match.end()
        following = text[position : position + 1]
        if following == "(":  # not a pass: the op that nested passes run on
            continue
        start = position
        if following == "{":
            depth = 0
            while True:
                depth += {"{": 1, "}": -1}.get(text[position], 0)
                position += 1
                if depth == 0:
                    break
        inner = re.search(r" ?\bpasses=(\S.*)}$", text[start:position])
        if inner and (conditional or match.group() != "aircc-run-if-used"):
            names += parse_pipeline(inner.group(1), conditional)
        names.append(match.group())
    return names


def is_subsequence(names, others):
    others = iter(others)
    return all(name in others for name in names)


def without_repeats(names):
    """`names` without those that equal their predecessor: a nested pass runs
    on each function."""
    return [b for a, b in zip([None] + names, names) if a != b]


def run(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True)


def main():
    aircc, program, target, folder = sys.argv[1:]
    plain, printed = (os.path.join(folder, n) for n in ("plain", "printed"))
    pipeline = run(aircc, program, "--target", target, "--print-pipeline").stdout
    listed = without_repeats(parse_pipeline(pipeline.strip(), conditional=True))
    always = without_repeats(parse_pipeline(pipeline.strip(), conditional=False))
    run(aircc, program, "--target", target, "-o", plain)
    dumps = run(
        aircc,
        program,
        "--target",
        target,
        "-o",
        printed,
        "--mlir-print-ir-after=" + ",".join(sorted(set(listed))),
    ).stderr
    ran = re.findall(r"^// -----// IR Dump After .* \(([\w.-]+)\)", dumps, re.M)
    ran = without_repeats(ran)
    if not is_subsequence(ran, listed):
        sys.exit(f"these passes ran: {ran}\nand these are listed: {listed}")
    if not is_subsequence(always, ran):
        sys.exit(f"these passes ran: {ran}\nand these should: {always}")
    with open(plain, "rb") as a, open(printed, "rb") as b:
        if a.read() != b.read():
            sys.exit("printing the IR changes the executable")
    for name in listed:
        print(name)


main()
