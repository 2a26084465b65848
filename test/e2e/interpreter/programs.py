#!/usr/bin/env python3
"""Runs the AIR programs of a file: aircc's results on the simulated device against the interpreter's.

    programs.py --aircc BINARY FILE... [--target NAME]... [--tolerance X] [--each] [--work DIR]

A file consists of programs, separated by lines `// -----`. All programs of a file are compiled together; with --each,
or if that fails, one by one. Each public function is called once; harness.py chooses the arguments.
"""

import argparse
import os
import sys
import tempfile

sys.dont_write_bytecode = True  # Not into the sources.
import harness
from interpreter import Machine
from scheduler import Deadlock


def check(args, text, target, stem):
    """Compiles and runs a module; returns messages."""
    path = stem + ".mlir"
    with open(path, "w") as f:
        f.write(text)
    generic = harness.generic_form(args.aircc, path)
    functions = harness.find_functions(generic)
    results = []
    for function in functions:
        results.append(harness.interpret(generic, function))
        if harness.interpret(generic, function, seed=7) != results[-1]:
            return [f"@{function.name}: the interpreter's results depend on the schedule"]
    with open(path, "w") as f:
        f.write(harness.with_main(text, harness.MainWriter().write(functions, whole=True)))
    done = harness.compile_program(args.aircc, path, target, stem + ".exe")
    if done.returncode:
        raise harness.Failure(f"aircc ends with {done.returncode}: {done.stderr.strip()[:1500]}")
    lines = harness.run_program(stem + ".exe", 1, check=args.check)
    return harness.compare(lines, functions, results, args.tolerance)


def run_file(args, path, target):
    """Returns the number of functions and the messages."""
    with open(path) as f:
        programs = f.read().split("// -----\n")
    stem = os.path.join(args.work, f"{os.path.basename(path)[:-5]}.{target}")
    if not args.each:
        try:
            return len(programs), check(args, "".join(programs), target, stem)
        except (harness.Failure, Deadlock):
            pass
    problems = []
    for number, program in enumerate(programs):
        try:
            problems += check(args, program, target, f"{stem}.{number}")
        except (harness.Failure, Deadlock) as failure:
            name = program.split("func.func @")[1].split("(")[0]
            problems.append(f"@{name} for {target}: {failure}")
    return len(programs), problems or ([] if args.each else [f"{path}: the programs fail only together"])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--aircc", required=True)
    parser.add_argument("--target", action="append")
    parser.add_argument("--tolerance", type=float, default=0, help="relative, for floats")
    parser.add_argument("--each", action="store_true", help="compile each program separately")
    parser.add_argument("--check", action=argparse.BooleanOptionalAction, help="let the checker look for races")
    parser.add_argument("--work", help="where the programs go, and stay")
    parser.add_argument("files", nargs="+")
    args = parser.parse_args()
    failed = total = 0
    with tempfile.TemporaryDirectory(prefix="aircc-programs-") as temporary:
        args.work = args.work or temporary
        os.makedirs(args.work, exist_ok=True)
        for path in args.files:
            for target in args.target or ["gfx942"]:
                count, problems = run_file(args, path, target)
                total += count
                failed += len(problems)
                for problem in problems:
                    print(problem, flush=True)
    print(f"{total - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
