#!/usr/bin/env python3
"""Compiles the examples of a dialect's documentation.

Usage: check_doc_examples.py AIRCC FILE.td...

Runs every ```mlir block of the given TableGen files through `aircc opt`, and then the output once more, which must
not change it. Every op, type and attribute whose description announces an example must have one. Prints the blocks
that fail, each with its place; exits with 1 if there are any.
"""

import re
import subprocess
import sys
import textwrap


def run(aircc, text):
    return subprocess.run([aircc, "opt", "-"], input=text, capture_output=True, text=True)


def examples(path):
    """Yields (line, text) for each block; line is that of the first text line."""
    block, start = None, 0
    with open(path) as file:
        for number, line in enumerate(file, 1):
            if block is None:
                if line.strip() == "```mlir":
                    block, start = [], number + 1
            elif line.strip() == "```":
                yield start, textwrap.dedent("".join(block))
                block = None
            else:
                block.append(line)


def ops_without_example(path):
    """Yields (line, name) of each op whose definition has no example."""
    with open(path) as file:
        text = file.read()
    # An op is `def Dialect_NameOp : ...`, up to the next definition.
    starts = list(re.finditer(r"^(?:def|class) (\w+)", text, re.M))
    for here, after in zip(starts, starts[1:] + [None]):
        body = text[here.start() : after.start() if after else len(text)]
        if not body.startswith("def ") or not here.group(1).endswith("Op"):
            continue
        if "```mlir" not in body:
            yield text.count("\n", 0, here.start()) + 1, here.group(1)


def main():
    aircc, *paths = sys.argv[1:]
    count = failures = 0
    for path in paths:
        for line, name in ops_without_example(path):
            failures += 1
            print(f"{path}:{line}: {name} has no example")
        for line, text in examples(path):
            count += 1
            first = run(aircc, text)
            problem = first.stderr if first.returncode else ""
            if not problem:
                second = run(aircc, first.stdout)
                if second.returncode:
                    problem = "what it prints is not read:\n" + second.stderr
                elif second.stdout != first.stdout:
                    problem = "printed twice, it differs:\n" + second.stdout
            if problem:
                failures += 1
                print(f"{path}:{line}: example fails:\n{problem}")
    print(f"{count} examples, {failures} failures")
    sys.exit(1 if failures or not count else 0)


main()
