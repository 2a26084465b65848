#!/usr/bin/env python3
"""Runs the examples in the documentation of the passes.

usage: check_pass_examples.py AIRCC TARGETS PAGE.md...

The pages are those of docs/reference. Each pass must have a ```mlir block below its heading. The block is the input of
the pass up to a line that begins with "// becomes"; each op that the lines after it name must be in the output. The
first line may give the passes and their options, as in "// --codegen-attach-target=chip=gfx942"; a path that begins
with "targets/" is relative to TARGETS. If a block has a comment "// error: …" (up to the next line of code), the pass
must report this error for the block. Passes with the option `target` get the profile of gfx942 by default."""

import concurrent.futures
import dataclasses
import re
import shlex
import subprocess
import sys

# Passes that require a program which a machine may lack.
NEEDS_PROGRAM = {"link-compile-native-code"}  # Intel's offline compiler

OP = re.compile(r"""(?<![\w.@%#!"'=<])([a-z]\w*(?:\.[a-z]\w*)+)(?=[\s(<{@%#:]|$)""")


@dataclasses.dataclass
class Example:
    page: str
    name: str
    arguments: list
    source: str
    result: str
    error: str


def join_words(text):
    return " ".join(text.split())


def find_error(source):
    """The text of the comment "// error: …" in an example."""
    words = []
    for line in source.split("\n"):
        comment = line.strip().removeprefix("// ") if line.strip().startswith("// ") else None
        if words and comment is None:
            break
        if words or (comment or "").startswith("error: "):
            words.append(comment.removeprefix("error: "))
    return join_words(" ".join(words))


def find_examples(path, targets):
    """Yields an Example for each pass of a page, or the name of a pass without one."""
    with open(path) as file:
        sections = re.split(r"^## `-([\w-]+)`\n", file.read(), flags=re.M)
    for name, section in zip(sections[1::2], sections[2::2]):
        block = re.search(r"^```mlir\n(.*?)^```", section, re.M | re.S)
        if not block:
            yield name
            continue
        source, _, result = re.sub(r"^\s*// becomes.*$", "\0", block.group(1), count=1, flags=re.M).partition("\0")
        arguments = [f"--{name}"]
        if re.search(r"^-target\b", section, re.M):
            arguments = [f"--{name}=target=targets/gfx942.json"]
        if source.startswith(("// --", "// '--")):
            options, source = source.split("\n", 1)
            arguments = shlex.split(options.removeprefix("// "))
        arguments = [argument.replace("targets/", targets + "/") for argument in arguments]
        yield Example(path, name, arguments, source, result, find_error(source))


def check(aircc, example):
    """What is wrong with an example; None if nothing is."""
    command = [aircc, "opt", "-", "--allow-unregistered-dialect", *example.arguments]
    ran = subprocess.run(command, input=example.source, capture_output=True, text=True)
    if example.error:
        if not ran.returncode or example.error not in join_words(ran.stderr):
            return f"expected the error '{example.error}', got:\n{ran.stderr}"
        return None
    if ran.returncode:
        return ran.stderr
    ops = set(OP.findall(re.sub(r'//.*|"[^"]*"', "", example.result)))
    missing = sorted(op for op in ops if not re.search(rf"(?<![\w.]){re.escape(op)}(?![\w])", ran.stdout))
    if missing:
        return f"the output has no {', '.join(missing)}:\n{ran.stdout}"
    return None


def main():
    aircc, targets, *pages = sys.argv[1:]
    examples, failures = [], []
    for page in pages:
        for example in find_examples(page, targets):
            name = example if isinstance(example, str) else example.name
            if isinstance(example, str):
                failures.append(f"{page}: {name} has no example")
            elif name not in NEEDS_PROGRAM:
                examples.append(example)
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        for example, problem in zip(examples, pool.map(lambda example: check(aircc, example), examples)):
            if problem:
                failures.append(f"{example.page}: the example of {example.name} fails:\n{problem}")
    print("\n".join(failures))
    print(f"{len(examples)} examples, {len(failures)} failures")
    sys.exit(1 if failures or not examples else 0)


if __name__ == "__main__":
    main()
