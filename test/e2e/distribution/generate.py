#!/usr/bin/env python3
"""Random programs on undistributed vectors, in random layouts, against the host.

    generate.py --aircc BINARY [--seed N] [--count N] [--target NAME]... [--propagate] [--batch N] [--progress]
                [--work DIR]

A program is a list of ops on vectors. It is written twice: as a kernel in which
every value has a random layout, and which is distributed over the lanes of a
workgroup, and as a function of the host without layouts. Both start with the same contents of memory and must end
with the same. Numbers are small integers, also those of float types, so that sums are exact in any order.

Program number k of a run has the seed `seed + k`; many are compiled together, and
for all targets of one wave size at once: most of the time goes into the host's part. A target may be NAME@LANES, to
compile for another wave size.
With --propagate, only some of the moves between layouts are written, as anchors,
and no layouts of values: aircc finds those.

`--seed THAT --count 1` generates a failing program again; with --work the program is kept there.

programs.py chooses the programs (with layouts.py, vector_access.py, vector_ops.py and xe_ops.py), text.py writes them.
"""

import argparse
import os
import re
import sys
import tempfile

sys.dont_write_bytecode = True  # Do not write .pyc files to the source folder.
from programs import draw
from running import chip, device_level, run, target_options, wave_size
from text import batch_text


def check(seeds, targets, args, folder):
    """Returns the errors of a batch: (seed, target) -> text. The targets have one wave size, so the programs are the
    same, and so is their host code."""
    programs = [draw(seed, targets[0]) for seed in seeds]
    base = os.path.join(folder, f"vectors-{targets[0]}-{seeds[0]}")
    with open(base + ".mlir", "w") as f:
        f.write(batch_text(programs, args.propagate))
    compiled = run(
        [
            args.aircc,
            base + ".mlir",
            *target_options(targets),
            "--start-at",
            "layout" if args.propagate else "distribution",
            *device_level(1),
            "-o",
            base,
        ]
    )
    if compiled.returncode:
        if len(seeds) > 1:  # One of the programs fails: find out which one, and for which target.
            half = len(seeds) // 2
            return {**check(seeds[:half], targets, args, folder), **check(seeds[half:], targets, args, folder)}
        if len(targets) > 1:
            return {k: v for target in targets for k, v in check(seeds, [target], args, folder).items()}
        return {(seeds[0], targets[0]): "does not compile: " + compiled.stderr.strip()[:600]}
    problems = {}
    for target in targets:
        problems.update(check_run(base, seeds, target, args, folder))
    if not args.work and not problems:
        os.remove(base + ".mlir")
        os.remove(base)
    return problems


def check_run(base, seeds, target, args, folder):
    """Returns the errors of a compiled batch on one target."""
    ran = run([base], env=dict(os.environ, AIRCC_DEVICE="sim", AIRCC_SIM_CHIP=chip(target)))
    seen = {}
    for line in ran.stdout.splitlines():
        m = re.fullmatch(r"(\d+) (\d+)", line)
        if m:
            seen[int(m.group(1))] = int(m.group(2))
    problems = {}
    for seed in seeds:
        if seed not in seen:
            problems[seed, target] = f"gave no result (exit code {ran.returncode}): {ran.stderr.strip()[:600]}"
            # The programs after the failing one have not run.
            rest = seeds[seeds.index(seed) + 1 :]
            return {**problems, **(check(rest, [target], args, folder) if rest else {})}
        if seen[seed]:
            problems[seed, target] = f"{seen[seed]} elements differ from the host's"
    if not problems and ran.returncode:
        problems[seeds[0], target] = f"exit code {ran.returncode}: {ran.stderr.strip()[:600]}"
    return problems


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--aircc", help="the binary to test; without it the programs are printed")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=1)
    parser.add_argument("--batch", type=int, default=25, help="how many programs are compiled together")
    parser.add_argument("--target", action="append")
    parser.add_argument("--propagate", action="store_true", help="only some layouts are given; the others are found")
    parser.add_argument("--progress", action="store_true", help="a line after each batch")
    parser.add_argument("--work", help="where the programs go, and stay")
    args = parser.parse_args()
    args.target = args.target or ["gfx942"]
    seeds = range(args.seed, args.seed + args.count)
    if not args.aircc:
        sys.stdout.write(batch_text([draw(seed, args.target[0]) for seed in seeds], args.propagate))
        return 0
    print(f"seeds {seeds[0]} to {seeds[-1]}", flush=True)
    folder = args.work or tempfile.mkdtemp(prefix="aircc-vectors-")
    os.makedirs(folder, exist_ok=True)
    failed = 0
    groups = {}  # The targets, grouped by wave size.
    for target in args.target:
        groups.setdefault(wave_size(target), []).append(target)
    for start in range(0, len(seeds), args.batch):
        for targets in groups.values():
            for (seed, target), text in check(list(seeds[start : start + args.batch]), targets, args, folder).items():
                failed += 1
                print(f"seed {seed} for {target}: {text}", flush=True)
        if args.progress:
            done = min(start + args.batch, len(seeds))
            print(f"{done * len(args.target)} run, {failed} failed", flush=True)
    if not failed and not args.work:
        os.rmdir(folder)
    print(f"{len(seeds) * len(args.target) - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
