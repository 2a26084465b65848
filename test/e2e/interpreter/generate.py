#!/usr/bin/env python3
"""Random AIR programs: aircc's results on the simulated device against the interpreter's.

    generate.py --aircc BINARY [--seed N] [--count N] [--feature NAME]... [--target NAME]...
                [--batch N] [--check] [--work DIR]

A program is a function. A batch of programs is one module, compiled for one target; successive batches take the
targets in turn. shapes.py lists the features (classes of programs) and chooses the programs, model.py defines what a
program consists of, and programs_text.py writes it as MLIR. The interpreter runs each program under two schedules,
whose results must be the same.

Program number k of a run has the seed `seed + k`. Without --aircc, the module with these programs is printed. To
reproduce a program that fails, use its seed, `--count 1` and the same features.
"""

import argparse
import concurrent.futures
import os
import random
import sys
import tempfile

sys.dont_write_bytecode = True  # Not into the sources.
import harness
from interpreter import Machine
from programs_text import emit_program
from scheduler import Deadlock
from shapes import FEATURES, draw_program

TARGETS = ["gfx942", "gfx1100", "bmg", "gfx90a", "gfx950", "gfx1201", "pvc"]


def write_module(programs):
    lines = ["module {"]
    for program in programs:
        lines.append(f"  // Seed {program.seed}.")
        lines += emit_program(program, random.Random(program.seed + 1))
    return "\n".join(lines) + "\n}\n"


class Batch:
    """Programs that are compiled together."""

    def __init__(self, args, number, programs, target):
        self.args, self.programs, self.target = args, programs, target
        self.stem = os.path.join(args.work, f"batch{args.seed + number}.{target}")

    def run(self):
        """Returns messages about programs that fail."""
        try:
            return self.check()
        except harness.Failure as failure:
            if len(self.programs) == 1:
                return [f"seed {self.programs[0].seed} for {self.target}: {failure}"]
            return self.bisect()

    def bisect(self):
        problems = []
        for program in self.programs:
            batch = Batch(self.args, 0, [program], self.target)
            batch.stem = os.path.join(self.args.work, f"seed{program.seed}.{self.target}")
            problems += batch.run()
        return problems or [f"seeds {[p.seed for p in self.programs]} for {self.target} fail only together"]

    def check(self):
        text = write_module(self.programs)
        path = self.stem + ".mlir"
        write(path, text)
        generic = harness.generic_form(self.args.aircc, path)
        functions = harness.find_functions(generic)
        if self.programs[0].deadlock:
            return self.check_deadlock(generic, functions, path, text)
        results = self.interpret(generic, functions)
        main = harness.MainWriter().write(functions, whole=False)
        write(path, harness.with_main(text, main))
        lines = self.execute(path)
        wanted = [
            f"sum {harness.checksum(elements, type.element)}"
            for function, data in zip(functions, results)
            for type, elements in zip(function.types, data)
        ]
        if lines == wanted:
            self.remove()
            return []
        return self.find_difference(text, path, functions, results)

    def interpret(self, generic, functions):
        results = []
        machine = Machine(generic)
        for function in functions:
            seed = int(function.name[1:])
            results.append(harness.interpret(generic, function, machine=machine))
            if harness.interpret(generic, function, seed, machine) != results[-1]:
                raise harness.Failure(f"the interpreter's results of @{function.name} depend on the schedule")
        return results

    def execute(self, path):
        exe = self.stem + ".exe"
        done = harness.compile_program(self.args.aircc, path, self.target, exe)
        if done.returncode:
            raise harness.Failure(f"aircc ends with {done.returncode}: {done.stderr.strip()[:1500]}")
        return harness.run_program(exe, 1 + self.programs[0].seed % 5, self.args.check)

    def find_difference(self, text, path, functions, results):
        main = harness.MainWriter().write(functions, whole=True)
        write(path, harness.with_main(text, main))
        problems = harness.compare(self.execute(path), functions, results)
        return [f"for {self.target}: {p}; the program: {path}" for p in problems] or [
            f"{path}: the checksums differ, the elements do not"
        ]

    def check_deadlock(self, generic, functions, path, text):
        """Each program must be rejected, and must wait forever in the interpreter."""
        if len(functions) > 1:
            raise harness.Failure("one by one")
        try:
            harness.interpret(generic, functions[0])
            return [f"seed {self.programs[0].seed}: the interpreter finds no deadlock"]
        except Deadlock:
            pass
        write(path, harness.with_main(text, harness.MainWriter().write(functions, whole=False)))
        done = harness.compile_program(self.args.aircc, path, self.target, self.stem + ".exe")
        if done.returncode == 0:
            return [f"seed {self.programs[0].seed} for {self.target}: a deadlock compiles; the program: {path}"]
        if "error" not in done.stderr:
            return [f"seed {self.programs[0].seed}: exit code {done.returncode} without an error"]
        self.remove()
        return []

    def remove(self):
        if not self.args.keep:
            for suffix in (".mlir", ".exe"):
                if os.path.exists(self.stem + suffix):
                    os.remove(self.stem + suffix)


def write(path, text):
    with open(path, "w") as f:
        f.write(text)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--aircc", help="the binary to test; without it the programs are printed")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=1)
    parser.add_argument("--feature", action="append", choices=list(FEATURES), help="default: all")
    parser.add_argument("--target", action="append")
    parser.add_argument("--batch", type=int, default=10, help="how many programs are compiled together")
    parser.add_argument("--jobs", type=int, default=2, help="how many batches run at the same time")
    parser.add_argument("--check", action=argparse.BooleanOptionalAction, help="let the checker look for races")
    parser.add_argument("--work", help="where the programs go, and stay")
    args = parser.parse_args()
    features = args.feature or list(FEATURES)
    targets = args.target or TARGETS
    programs = [draw_program(seed, features) for seed in range(args.seed, args.seed + args.count)]
    if not args.aircc:
        sys.stdout.write(write_module(programs))
        return 0
    print(f"seeds {args.seed} to {args.seed + args.count - 1}", flush=True)
    args.keep = args.work is not None
    args.work = args.work or tempfile.mkdtemp(prefix="aircc-interpreted-")
    os.makedirs(args.work, exist_ok=True)
    batches = []
    planned = [p for p in programs if p.deadlock]
    others = [p for p in programs if not p.deadlock]
    groups = [others[i : i + args.batch] for i in range(0, len(others), args.batch)] + [[p] for p in planned]
    for number, group in enumerate(groups):
        batches.append(Batch(args, number, group, targets[number % len(targets)]))
    failed = 0
    with concurrent.futures.ProcessPoolExecutor(args.jobs) as pool:
        for problems in pool.map(Batch.run, batches):
            failed += len(problems)
            for problem in problems:
                print(problem, flush=True)
    if not failed and not args.keep:
        os.rmdir(args.work)
    print(f"{len(programs) - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
