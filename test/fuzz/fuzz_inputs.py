#!/usr/bin/env python3
"""Compiles mutated inputs and reports those on which aircc fails otherwise than with an error message:
death by a signal, exit code 70, more than 10 s of CPU time or 1 GB of memory, a report of a sanitizer.

usage: fuzz_inputs.py --build BUILD [COUNT [SEED]]

Input number i has the seed SEED + i, so that `fuzz_inputs.py --build BUILD 1 SEED` repeats one. Inputs
that fail are kept, each in a folder named after its seed."""

import argparse
import collections
import concurrent.futures
import os
import pathlib
import random
import re
import sys
import time

import harness
import known_issues
from binary_inputs import BINARY_INPUTS
from dlpack_inputs import DlpackInputs
from lsp_inputs import LspInputs
from mlir_inputs import MlirInputs
from profile_inputs import ProfileInputs
from safetensors_inputs import SafetensorsInputs
from tuning_inputs import TuningInputs

GENERATORS = [MlirInputs, ProfileInputs, *BINARY_INPUTS, DlpackInputs, SafetensorsInputs, TuningInputs, LspInputs]


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("count", nargs="?", type=int, default=1000)
    parser.add_argument("seed", nargs="?", type=int, default=1)
    parser.add_argument("--build", type=pathlib.Path, required=True, help="the build folder")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--kinds", help="only these, separated by commas: " + ",".join(g.name for g in GENERATORS))
    parser.add_argument("--keep", type=pathlib.Path, default=pathlib.Path("fuzz-failures"))
    parser.add_argument(
        "--sanitized", action="store_true", help="the build has the address sanitizer; limits are 10 times as high"
    )
    return parser.parse_args()


def choose(generators, rng):
    return rng.choices(generators, weights=[g.weight for g in generators])[0]


def signature(problem):
    """Returns a key that is equal for failures with one cause."""
    problem = re.sub(r"'[^']*'", "'…'", problem)
    problem = re.sub(r"[\w./+-]*/", "", problem)
    return re.sub(r"\d+(\.\d+)?", "N", problem)


class Summary:
    def __init__(self):
        self.statuses = collections.Counter()
        self.kinds = collections.Counter()
        self.causes = collections.defaultdict(list)
        self.known = 0
        self.slowest = (0, 0)
        self.largest = (0, 0)

    def add(self, seed, kind, origin, outcome, keep):
        self.statuses[outcome.status] += 1
        self.kinds[kind] += 1
        self.slowest = max(self.slowest, (outcome.cpu, seed))
        self.largest = max(self.largest, (outcome.peak, seed))
        if outcome.known:
            self.known += 1
        elif outcome.problem:
            self.causes[signature(outcome.problem)].append(seed)
            print(f"seed {seed} ({kind}, from {origin}): {outcome.problem}; kept in {keep}", flush=True)

    @property
    def failures(self):
        return sum(len(seeds) for seeds in self.causes.values())

    def print(self, seconds):
        total = sum(self.statuses.values())
        kinds = ", ".join(f"{n} {kind}" for kind, n in sorted(self.kinds.items()))
        codes = ", ".join(f"{n} with {code}" for code, n in sorted(self.statuses.items()))
        for cause, seeds in sorted(self.causes.items(), key=lambda item: -len(item[1])):
            print(
                f"{len(seeds)} x {cause} (seeds"
                f" {', '.join(map(str, sorted(seeds)[:5]))}{', …' if len(seeds) > 5 else ''})"
            )
        print(f"{total} inputs ({kinds}) in {seconds:.0f} s; exit codes: {codes}")
        print(
            f"at most {self.slowest[0]:.1f} s of CPU time (seed {self.slowest[1]}),"
            f" {self.largest[0] >> 20} MB (seed {self.largest[1]})"
        )
        print(f"{self.failures} failures of {len(self.causes)} kinds, {self.known} known issues")


def main():
    arguments = parse_arguments()
    known_issues.check()
    source = pathlib.Path(__file__).resolve().parents[2]
    environment = harness.Environment(source, arguments.build.resolve(), arguments.sanitized)
    wanted = arguments.kinds.split(",") if arguments.kinds else [g.name for g in GENERATORS]
    if unknown := set(wanted) - {g.name for g in GENERATORS}:
        raise SystemExit(f"there are no inputs of the kind '{min(unknown)}'")
    harness.limit_resources(environment.sanitized)
    # Python cannot load a library that needs the sanitizers.
    left_out = [DlpackInputs] if environment.sanitized else []
    generators = [g(environment) for g in GENERATORS if g.name in wanted and g not in left_out]

    def fuzz(seed):
        rng = random.Random(seed)
        generator = choose(generators, rng)
        case = generator.make(rng)
        keep = arguments.keep / str(seed)
        return seed, generator.name, case.origin, harness.run(environment, case, keep), keep

    summary = Summary()
    start = time.monotonic()
    pool = concurrent.futures.ThreadPoolExecutor(arguments.jobs)
    try:
        for result in pool.map(fuzz, range(arguments.seed, arguments.seed + arguments.count)):
            summary.add(*result)
    except KeyboardInterrupt:
        print("interrupted", flush=True)
    pool.shutdown(cancel_futures=True)
    summary.print(time.monotonic() - start)
    return 1 if summary.failures else 0


if __name__ == "__main__":
    sys.exit(main())
