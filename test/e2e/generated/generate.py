#!/usr/bin/env python3
"""Random programs in the AIR dialect, each with a result computed here.

    generate.py --aircc BINARY [--seed N] [--count N] [--target NAME]... [--work DIR]
                [--orders N]

A program is a list of steps. shapes.py chooses them at random, emission.py and program_text.py write them in AIR, and
model.py computes their effect on the memory of a workgroup. The program prints a checksum of its output, which must
equal that of the model.

Each program runs with several orders of waves on the simulated device: without a necessary barrier, results are
correct in some orders and wrong in others.

Program number k of a run has the seed `seed + k`, so `--seed THAT --count 1` generates a failing program again; with
--work the program is kept there.
"""

import argparse
import os
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True  # Do not write .pyc files to the source folder.
from program_text import write_program
from shapes import draw_program


def check(seed, args, folder):
    """Compiles and runs one program for every target; returns None or the error."""
    program, expected = draw_program(seed, args.target)
    path = os.path.join(folder, f"random{seed}.mlir")
    with open(path, "w") as f:
        f.write(write_program(program))
    for target in args.target:
        exe = os.path.join(folder, f"random{seed}.{target}")
        commands = [([args.aircc, path, "--target", target, "-o", exe], "compiling", 0)]
        commands += [([exe], "running", order) for order in range(1, args.orders + 1)]
        for command, what, order in commands:
            environment = dict(os.environ, AIRCC_SIM_SEED=str(order))
            try:
                done = subprocess.run(command, capture_output=True, text=True, timeout=120, env=environment)
            except subprocess.TimeoutExpired:
                return f"{what} for {target} does not end"
            if done.returncode:
                return f"{what} for {target} ends with {done.returncode}: {done.stderr.strip()[:2000]}"
            got = done.stdout.strip()
            if order and got != f"checksum {expected}":
                return f"on {target}, AIRCC_SIM_SEED={order}: {got}, expected {expected}; " + first_difference(
                    exe, program.result, environment
                )
        os.remove(exe)
    if not args.work:
        os.remove(path)
    return None


def first_difference(exe, expected, environment):
    done = subprocess.run([exe, "dump"], capture_output=True, text=True, timeout=120, env=environment)
    for i, (got, want) in enumerate(zip(done.stdout.split("\n"), expected)):
        if got != str(want):
            return f"element {i} is {got}, expected {want}"
    return "the elements are the same in the second run"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--aircc", help="the binary to test; without it the program is printed")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=1)
    parser.add_argument("--target", action="append")
    parser.add_argument("--orders", type=int, default=2, help="how many orders of waves to run each program under")
    parser.add_argument("--work", help="where the programs go, and stay")
    args = parser.parse_args()
    args.target = args.target or ["gfx942"]
    if not args.aircc:
        program, expected = draw_program(args.seed, args.target)
        sys.stdout.write(write_program(program) + f"// checksum {expected}\n")
        return 0
    print(f"seeds {args.seed} to {args.seed + args.count - 1}", flush=True)
    folder = args.work or tempfile.mkdtemp(prefix="aircc-random-")
    os.makedirs(folder, exist_ok=True)
    failed = 0
    for seed in range(args.seed, args.seed + args.count):
        problem = check(seed, args, folder)
        if problem:
            failed += 1
            print(f"seed {seed}: {problem}\n  the program: {folder}/random{seed}.mlir", flush=True)
    if not failed and not args.work:
        os.rmdir(folder)
    print(f"{args.count - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
