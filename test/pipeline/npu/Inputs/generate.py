#!/usr/bin/env python3
"""usage: generate.py [--aircc AIRCC] [--seed N] [--count N] [--options TEXT]

Makes random host programs with puts and gets in loops, runs `aircc opt --air-opt-shim-dma-bds=OPTIONS` on them, and
checks that the same elements go through each element of a channel in the same order. With `device=xcvc1902` among the
options, loops may remain; otherwise only those that repeat a transfer 16 times or more. Without --aircc, prints the
program of each seed."""

import argparse
import random
import subprocess
import sys

import model
import program_text
import shapes
import streams


def run(aircc, options, functions):
    command = [aircc, "opt", "-", f"--air-opt-shim-dma-bds={options}", "--mlir-print-local-scope"]
    text = program_text.emit_module(functions)
    done = subprocess.run(command, input=text, capture_output=True, text=True)
    if done.returncode:
        return None, done.stderr
    return streams.read_module(done.stdout), done.stderr


def can_split(size, stride, bits):
    """Whether a factor of the size is within the limit of a dimension."""
    granule = max(1, 32 // bits) if stride == 1 else 1
    return any(size % factor == 0 and factor % granule == 0 for factor in range(2, 1024))


def compare(function, result, options):
    """What is wrong with the output for a function; None if nothing is."""
    want = {(f"{function.name}_{name}", *rest): s for (name, *rest), s in model.streams(function).items()}
    got = {key: stream for key, stream in result.streams.items() if stream}
    if want != got:
        keys = [key for key in {**want, **got} if want.get(key) != got.get(key)]
        first = [str(streams_of.get(keys[0]))[:200] for streams_of in (want, got)]
        return f"element {keys[0]}: expected {first[0]}, got {first[1]}"
    if "xcvc1902" in options:
        return None
    for lists, element in result.lists:
        bits = int(element.lstrip("bfi"))
        active = [(size, stride) for size, stride in zip(*lists[1:]) if size > 1]
        if len(active) > 4:
            return f"has {len(active)} dimensions: {lists}"
        for size, stride in active if len(active) > 1 else []:
            if size > 1023 and can_split(size, stride, bits):
                return f"has a size above 1023: {lists}"
    return None


def check(aircc, seed, count, options):
    functions = [shapes.Shapes(random.Random(seed + i)).function(f"seed{seed + i}") for i in range(count)]
    results, errors = run(aircc, options, functions)
    if results is None:
        print("\n".join(line for line in errors.splitlines() if "error" in line))
        return 0, count, 0
    passed = loops = 0
    for function in functions:
        problem = compare(function, results[function.name], options)
        if problem:
            print(f"{function.name}: {problem}")
        else:
            passed += 1
        loops += results[function.name].loops
    return passed, count - passed, loops


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--aircc")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=1)
    parser.add_argument("--options", default="device=npu1")
    arguments = parser.parse_args()
    if not arguments.aircc:
        for seed in range(arguments.seed, arguments.seed + arguments.count):
            print(program_text.emit_function(shapes.Shapes(random.Random(seed)).function(f"seed{seed}")))
        return
    passed = failed = loops = 0
    seed, end = arguments.seed, arguments.seed + arguments.count
    while seed < end:
        part = check(arguments.aircc, seed, min(end - seed, 500), arguments.options)
        passed, failed, loops = passed + part[0], failed + part[1], loops + part[2]
        seed += 500
    print(f"{passed} passed, {failed} failed, {loops} loops left")
    sys.exit(failed > 0)


if __name__ == "__main__":
    main()
