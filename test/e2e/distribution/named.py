#!/usr/bin/env python3
"""Small programs on undistributed vectors, one for each case of the distribution.

    named.py --aircc BINARY [--target NAME]... [--only NAME]... [--work DIR]

Each program is a kernel with the layouts that its anchors give, and the same code
as a function of the host, where an anchor changes nothing. Both start with the same contents of memory and must end
with the same. Numbers are small integers, so sums are exact in any order.
"""

import argparse
import os
import re
import sys
import tempfile

sys.dont_write_bytecode = True  # Do not write .pyc files to the source folder.
from running import chip, device_level, run, target_options, wave_size

# These modules define the situations.
import situations_memory
import situations_reductions
import situations_products
from situations import SITUATIONS
from text import batch_text
from values import memref, vector


class Named:
    """One program, in the form that text.batch_text takes."""

    scope, shared = "workgroup", []

    def __init__(self, number, situation, wave):
        self.seed = number
        self.block = (situation.waves * wave, 1, 1)
        self.situation = situation
        self.buffers = []
        self.before, self.after = [], []
        for line in situation.args:
            self.argument(*line.split())
        for name, type in situation.results:
            self.result(name, type)

    def buffer(self, type, out, modulus=7):
        sizes, elem = re.fullmatch(r"((?:\d+x)*)(\w+)", type).groups()
        shape = [int(n) for n in sizes.split("x") if n]
        name = f"%m{len(self.buffers)}"
        self.buffers.append((name, shape, elem, out, modulus))
        return name, shape, elem

    def argument(self, name, kind, type, value=None):
        if kind == "scalar":
            self.before.append(f"%{name} = arith.constant {value} : {type}")
        elif kind == "memory":
            self.buffer(type, True)
            buffer = self.buffers.pop()
            self.buffers.append((f"%{name}", *buffer[1:]))
        else:  # A vector of small numbers; "natural": not negative.
            memory, shape, elem = self.buffer(type, False)
            zero = "0.0" if elem[0] in "fb" else "0"
            at = ", ".join([f"%first_{name}"] * len(shape))
            flags = ", ".join(["true"] * len(shape))
            self.before += [
                f"%first_{name} = arith.constant 0 : index",
                f"%pad_{name} = arith.constant {zero} : {elem}",
                (
                    f"%{name} = vector.transfer_read {memory}[{at}], %pad_{name} {{in_bounds = [{flags}]}}"
                    f" : {memref(shape, elem)}, {vector(shape, elem)}"
                ),
            ]

    def result(self, name, type):
        if not re.match(r"\d|<", type):  # A scalar.
            memory, shape, elem = self.buffer("1x" + type, True)
            self.after.append(f"%vector_{name} = vector.broadcast %{name} : {elem} to vector<1x{elem}>")
            name = f"vector_{name}"
        else:
            memory, shape, elem = self.buffer(type.strip("<>"), True)
        label = re.sub(r"\W", "_", name)
        at = ", ".join([f"%last_{label}"] * len(shape))
        flags = ", ".join(["true"] * len(shape))
        self.after += [
            f"%last_{label} = arith.constant 0 : index",
            (
                f"vector.transfer_write %{name}, {memory}[{at}] {{in_bounds = [{flags}]}}"
                f" : {vector(shape, elem)}, {memref(shape, elem)}"
            ),
        ]

    def body(self, host, layouts, propagate=False):
        text = self.situation.text
        for name, layout in self.situation.layouts.items():
            alias = layouts.setdefault(layout.text(), f"#l{len(layouts)}")
            text = re.sub(rf"#{name}\b", alias, text)
        lines = []
        for line in self.before + text.strip().splitlines() + self.after:
            side, colon, own = line.partition(": ")
            if colon and side in ("kernel", "host"):
                if host != (side == "host"):
                    continue
                line = own
            lines.append("  " + line)
        return lines


def check(numbered, targets, args, folder):
    """Returns the errors: (name, target) -> reason. The targets have one wave size."""
    base = os.path.join(folder, f"named-{targets[0]}-{numbered[0][1].name}")
    with open(base + ".mlir", "w") as f:
        f.write(batch_text([Named(number, s, wave_size(targets[0])) for number, s in numbered], propagate=True))
    options = target_options(targets)
    compiled = run([args.aircc, base + ".mlir", *options, "--start-at", "layout", *device_level(1), "-o", base])
    if compiled.returncode:
        if len(numbered) == 1:
            return {(numbered[0][1].name, targets[0]): "does not compile: " + compiled.stderr.strip()[:2000]}
        half = len(numbered) // 2
        return {**check(numbered[:half], targets, args, folder), **check(numbered[half:], targets, args, folder)}
    problems = {}
    for target in targets:
        ran = run([base], env=dict(os.environ, AIRCC_DEVICE="sim", AIRCC_SIM_CHIP=chip(target)))
        seen = dict(re.findall(r"^(\d+) (\d+)$", ran.stdout, re.M))
        for number, situation in numbered:
            if str(number) not in seen:
                problems[
                    situation.name, target
                ] = f"gave no result (exit code {ran.returncode}): {ran.stderr.strip()[:600]}"
            elif seen[str(number)] != "0":
                problems[situation.name, target] = f"{seen[str(number)]} elements differ from the host's"
    return problems


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--aircc", required=True)
    parser.add_argument("--target", action="append")
    parser.add_argument("--only", action="append", help="the programs to run; without it all")
    parser.add_argument("--batch", type=int, default=12, help="how many programs are compiled together")
    parser.add_argument("--work", help="where the programs go, and stay")
    args = parser.parse_args()
    folder = args.work or tempfile.mkdtemp(prefix="aircc-named-")
    os.makedirs(folder, exist_ok=True)
    failed = total = 0
    groups = {}  # The targets, grouped by wave size.
    for target in args.target or ["gfx942"]:
        groups.setdefault(wave_size(target), []).append(target)
    for wave, targets in groups.items():
        chosen = [
            (i, s)
            for i, s in enumerate(SITUATIONS, 1)
            if s.wave in (None, wave) and (not args.only or s.name in args.only)
        ]
        total += len(chosen) * len(targets)
        for start in range(0, len(chosen), args.batch):
            for (name, target), text in check(chosen[start : start + args.batch], targets, args, folder).items():
                failed += 1
                print(f"{name} for {target}: {text}", flush=True)
    print(f"{total - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
