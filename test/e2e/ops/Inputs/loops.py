#!/usr/bin/env python3
"""Loops of narrow integers and near the ends of wide ones, in kernels and on the host.

    loops.py --aircc BINARY [--target NAME]... [--option OPTION]... [--work DIR]

A loop from lb to ub by step has ceil((ub - lb) / step) iterations, none if
lb >= ub, and its variable never leaves [lb, ub). One program for each target runs

- loops of i1 to i8 over all pairs of bounds, signed and unsigned, by steps that the
  compiler does not know; the program counts the iterations whose number or variables
  are not those of the formula;
- loops with constant bounds, all of i1 to i3 and edges of wider types, and loops near
  the largest index; it prints the number of iterations and the sum of the variables,
  which are compared with Python's ranges.
"""

import argparse
import os
import random
import subprocess
import sys
import tempfile

EXHAUSTIVE = [1, 2, 3, 4, 5, 6, 7, 8]


def steps_of(bits):
    """The steps for all pairs of bounds: every step for narrow types."""
    if bits <= 5:
        return list(range(1, 1 << bits))
    half = 1 << (bits - 1)
    return sorted({1, 2, 3, 5, 7, 16, half // 2 - 1, half - 1, half, half + 1, 2 * half - 1})


# --- All pairs of bounds -----------------------------------------------------


def extend(signed):
    return "arith.extsi" if signed else "arith.extui"


def pairs_function(bits, signed):
    """Runs the loops of one pair of bounds and returns the number of wrong ones."""
    kind = "s" if signed else "u"
    t = f"i{bits}"
    lines = [
        f"func.func private @pairs_{kind}{bits}(%pair: i64, %steps: memref<?xi64>) -> i64 {{",
        "  %c0 = arith.constant 0 : index",
        "  %c1 = arith.constant 1 : index",
        "  %zero = arith.constant 0 : i64",
        "  %one = arith.constant 1 : i64",
        "  %two = arith.constant 2 : i64",
        f"  %bits = arith.constant {bits} : i64",
        f"  %lb = arith.trunci %pair : i64 to {t}",
        "  %high = arith.shrui %pair, %bits : i64",
        f"  %ub = arith.trunci %high : i64 to {t}",
        f"  %first = {extend(signed)} %lb : {t} to i64",
        f"  %end = {extend(signed)} %ub : {t} to i64",
        "  %n = memref.dim %steps, %c0 : memref<?xi64>",
        "  %wrong = scf.for %k = %c0 to %n step %c1 iter_args(%sofar = %zero) -> i64 {",
        "    %by = memref.load %steps[%k] : memref<?xi64>",
        f"    %step = arith.trunci %by : i64 to {t}",
        f"    %got:2 = scf.for {'' if signed else 'unsigned '}%i = %lb to %ub step %step"
        f" iter_args(%count = %zero, %sum = %zero) -> (i64, i64) : {t} {{",
        f"      %v = {extend(signed)} %i : {t} to i64",
        "      %more = arith.addi %count, %one : i64",
        "      %total = arith.addi %sum, %v : i64",
        "      scf.yield %more, %total : i64, i64",
        "    }",
        # n = ceil((ub - lb) / step); the sum is n * lb + step * n * (n - 1) / 2.
        "    %distance = arith.subi %end, %first : i64",
        "    %some = arith.cmpi sgt, %distance, %zero : i64",
        "    %quotient = arith.ceildivsi %distance, %by : i64",
        "    %iterations = arith.select %some, %quotient, %zero : i64",
        "    %before = arith.subi %iterations, %one : i64",
        "    %twice = arith.muli %iterations, %before : i64",
        "    %half = arith.divsi %twice, %two : i64",
        "    %rise = arith.muli %half, %by : i64",
        "    %base = arith.muli %iterations, %first : i64",
        "    %expected = arith.addi %base, %rise : i64",
        "    %badCount = arith.cmpi ne, %got#0, %iterations : i64",
        "    %badSum = arith.cmpi ne, %got#1, %expected : i64",
        "    %bad = arith.ori %badCount, %badSum : i1",
        "    %error = arith.extui %bad : i1 to i64",
        "    %next = arith.addi %sofar, %error : i64",
        "    scf.yield %next : i64",
        "  }",
        "  return %wrong : i64",
        "}",
    ]
    return lines


# --- Single loops ------------------------------------------------------------


class Loop:
    """One loop, and the two numbers that it must print."""

    def __init__(self, kind, type, lb, ub, step, signed=True, constant=True):
        self.kind, self.type, self.bounds, self.signed, self.constant = kind, type, (lb, ub, step), signed, constant

    def expected(self):
        values = range(*self.bounds)
        return len(values) % (1 << 64), sum(values) % (1 << 64)

    def __str__(self):
        return (
            f"{'constant' if self.constant else 'dynamic'} {self.kind}"
            f" {'' if self.signed else 'unsigned '}{self.bounds} : {self.type}"
        )

    def text(self, number, first):
        """Lines that run the loop and store its results from index `first` on."""
        bits = 64 if self.type == "index" else int(self.type[1:])
        lines = []
        names = []
        for k, v in enumerate(self.bounds):
            signed = v - (1 << bits) if v >= 1 << (bits - 1) else v
            name = f"%b{number}_{k}"
            if self.kind == "affine.for":
                names.append(str(v))
                continue
            if self.constant:
                value = {0: "false", 1: "true", -1: "true"}[signed] if bits == 1 else f"{signed} : {self.type}"
                lines.append(f"{name} = arith.constant {value}")
            else:
                lines += [
                    f"{name}_c = arith.constant {signed} : i64",
                    f"{name}_p = arith.constant {3 * number + k} : index",
                    f"{name}_m = memref.load %bounds[{name}_p] : memref<?xi64>",
                ]
                cast = "arith.index_cast" if self.type == "index" else "arith.trunci"
                lines.append(
                    f"{name} = {cast} {name}_m : i64 to {self.type}"
                    if bits < 64 or self.type == "index"
                    else f"{name} = arith.addi {name}_m, %zero : i64"
                )
            names.append(name)
        lb, ub, step = names
        if self.type == "index":
            widen = f"%v{number} = arith.index_cast %i{number} : index to i64"
        elif bits < 64:
            widen = f"%v{number} = {extend(self.signed)} %i{number} : {self.type} to i64"
        else:
            widen = f"%v{number} = arith.addi %i{number}, %zero : i64"
        body = [
            widen,
            f"%n{number} = memref.load %out[%p{number}] : memref<?xi64>",
            f"%m{number} = arith.addi %n{number}, %one : i64",
            f"memref.store %m{number}, %out[%p{number}] : memref<?xi64>",
            f"%s{number} = memref.load %out[%q{number}] : memref<?xi64>",
            f"%t{number} = arith.addi %s{number}, %v{number} : i64",
            f"memref.store %t{number}, %out[%q{number}] : memref<?xi64>",
        ]
        lines += [f"%p{number} = arith.constant {first} : index", f"%q{number} = arith.constant {first + 1} : index"]
        head, tail = {
            "scf.for": (
                f"scf.for {'' if self.signed else 'unsigned '}%i{number} = {lb} to {ub} step {step}"
                + ("" if self.type == "index" else f" : {self.type}")
                + " {",
                "}",
            ),
            "scf.parallel": (f"scf.parallel (%i{number}) = ({lb}) to ({ub}) step ({step}) {{", "}"),
            "scf.forall": (f"scf.forall (%i{number}) = ({lb}) to ({ub}) step ({step}) {{", "}"),
            "affine.for": (f"affine.for %i{number} = {lb} to {ub} step {step} {{", "}"),
        }[self.kind]
        return lines + [head] + ["  " + line for line in body] + [tail]


def single_loops(rng):
    loops = []
    for signed in (True, False):
        for bits in (1, 2, 3):
            low = -(1 << (bits - 1)) if signed else 0
            values = range(low, low + (1 << bits))
            # All pairs of bounds, each with two steps, which are taken in turn.
            steps = list(range(1, 1 << bits))
            for lb in values:
                for ub in values:
                    for k in {0, (lb * 3 + ub) % len(steps), (lb + 5 * ub + 1) % len(steps)}:
                        loops.append(Loop("scf.for", f"i{bits}", lb, ub, steps[k], signed))
        for bits in (8, 16, 32, 64):
            low = -(1 << (bits - 1)) if signed else 0
            top = low + (1 << bits) - 1
            for lb, step in [(top - 6, 4), (top - 1, 3), (top - 9, 5), (top - 6, top)]:
                for constant in (True, False):
                    loops.append(Loop("scf.for", f"i{bits}", lb, top, step, signed, constant))
            if bits <= 16:
                loops += [
                    Loop("scf.for", f"i{bits}", low, top, step, signed, constant)
                    for step in (1, 3, 100)
                    for constant in (True, False)
                ]
            wide = (1 << bits) // 3 + rng.randrange(5)
            loops += [Loop("scf.for", f"i{bits}", low, top, wide, signed, constant) for constant in (True, False)]
    top = (1 << 63) - 1
    for kind in ("scf.for", "scf.parallel", "scf.forall", "affine.for"):
        for lb, step in [(top - 6, 4), (top - 1, 1000), (top - 5000, 4096), (top - 7, 7)]:
            loops.append(Loop(kind, "index", lb, top, step))
            if kind != "affine.for":
                loops.append(Loop(kind, "index", lb, top, step, constant=False))
                loops.append(Loop(kind, "index", 5, 5, step, constant=False))
                loops.append(Loop(kind, "index", 7, 5, step, constant=False))
    return loops


# --- The program -------------------------------------------------------------


def program(loops):
    shared, kernels, main = [], [], []
    number = lambda v: str(v - (1 << 64) if v >> 63 else v)
    globals = [
        f'memref.global "private" constant @bounds : memref<{3 * len(loops)}xi64> = dense<['
        + ", ".join(number(b % (1 << 64)) for loop in loops for b in loop.bounds)
        + "]>"
    ]
    for bits in EXHAUSTIVE:
        pairs, steps = 1 << (2 * bits), steps_of(bits)
        globals.append(
            f'memref.global "private" constant @steps{bits}'
            f' : memref<{len(steps)}xi64> = dense<[{", ".join(map(str, steps))}]>'
        )
        for signed in (True, False):
            name = f"{'s' if signed else 'u'}{bits}"
            shared += pairs_function(bits, signed)
            kernels += [
                f"gpu.func @all_{name}(%out: memref<?xi64>, %steps: memref<?xi64>) kernel {{",
                "  %block = gpu.block_id x",
                "  %lane = gpu.thread_id x",
                "  %lanes = arith.constant 256 : index",
                "  %start = arith.muli %block, %lanes : index",
                "  %i = arith.addi %start, %lane : index",
                f"  %n = arith.constant {pairs} : index",
                "  %inside = arith.cmpi ult, %i, %n : index",
                "  scf.if %inside {",
                "    %pair = arith.index_cast %i : index to i64",
                f"    %wrong = func.call @pairs_{name}(%pair, %steps) : (i64, memref<?xi64>) -> i64",
                "    memref.store %wrong, %out[%i] : memref<?xi64>",
                "  }",
                "  gpu.return",
                "}",
            ]
            main += [
                f"func.func private @run_{name}() {{",
                "  %c0 = arith.constant 0 : index",
                "  %c1 = arith.constant 1 : index",
                "  %zero = arith.constant 0 : i64",
                "  %lanes = arith.constant 256 : index",
                f"  %count = arith.constant {len(steps)} : index",
                f"  %n = arith.constant {pairs} : index",
                f"  %blocks = arith.constant {(pairs + 255) // 256} : index",
                f"  %table = memref.get_global @steps{bits} : memref<{len(steps)}xi64>",
                f"  %steps = memref.cast %table : memref<{len(steps)}xi64> to memref<?xi64>",
                "  %host = scf.for %i = %c0 to %n step %c1 iter_args(%sofar = %zero) -> i64 {",
                "    %pair = arith.index_cast %i : index to i64",
                f"    %wrong = func.call @pairs_{name}(%pair, %steps) : (i64, memref<?xi64>) -> i64",
                "    %next = arith.addi %sofar, %wrong : i64",
                "    scf.yield %next : i64",
                "  }",
                "  %dsteps = gpu.alloc (%count) : memref<?xi64>",
                "  %dout = gpu.alloc (%n) : memref<?xi64>",
                "  gpu.memcpy %dsteps, %steps : memref<?xi64>, memref<?xi64>",
                f"  gpu.launch_func @device::@all_{name} blocks in (%blocks, %c1, %c1) threads in (%lanes, %c1, %c1)"
                " args(%dout : memref<?xi64>, %dsteps : memref<?xi64>)",
                "  %out = memref.alloc(%n) : memref<?xi64>",
                "  gpu.memcpy %out, %dout : memref<?xi64>, memref<?xi64>",
                "  %kernel = scf.for %i = %c0 to %n step %c1 iter_args(%sofar = %zero) -> i64 {",
                "    %wrong = memref.load %out[%i] : memref<?xi64>",
                "    %next = arith.addi %sofar, %wrong : i64",
                "    scf.yield %next : i64",
                "  }",
                "  %text = llvm.mlir.addressof @line : !llvm.ptr",
                (
                    "  llvm.call @printf(%text, %host, %kernel) vararg(!llvm.func<i32 (ptr, ...)>)"
                    " : (!llvm.ptr, i64, i64) -> i32"
                ),
                "  return",
                "}",
            ]
    # Each function has few loops, so that none is very large.
    groups = [loops[i : i + 40] for i in range(0, len(loops), 40)]
    for g, group in enumerate(groups):
        shared.append(f"func.func private @group{g}(%out: memref<?xi64>, %bounds: memref<?xi64>) {{")
        shared += ["  %zero = arith.constant 0 : i64", "  %one = arith.constant 1 : i64"]
        for k, loop in enumerate(group):
            shared += ["  " + line for line in loop.text(40 * g + k, 2 * (40 * g + k))]
        shared += ["  return", "}"]
        kernels += [
            f"gpu.func @kernel{g}(%out: memref<?xi64>, %bounds: memref<?xi64>) kernel {{",
            f"  func.call @group{g}(%out, %bounds) : (memref<?xi64>, memref<?xi64>) -> ()",
            "  gpu.return",
            "}",
        ]
    size = 2 * len(loops)
    main += [
        "func.func private @run_loops() {",
        "  %c0 = arith.constant 0 : index",
        "  %c1 = arith.constant 1 : index",
        "  %zero = arith.constant 0 : i64",
        f"  %n = arith.constant {size} : index",
        f"  %m = arith.constant {3 * len(loops)} : index",
        f"  %table = memref.get_global @bounds : memref<{3 * len(loops)}xi64>",
        f"  %bounds = memref.cast %table : memref<{3 * len(loops)}xi64> to memref<?xi64>",
        "  %host = memref.alloc(%n) : memref<?xi64>",
        "  %dbounds = gpu.alloc (%m) : memref<?xi64>",
        "  %device = gpu.alloc (%n) : memref<?xi64>",
        "  scf.for %i = %c0 to %n step %c1 {",
        "    memref.store %zero, %host[%i] : memref<?xi64>",
        "  }",
        "  gpu.memcpy %device, %host : memref<?xi64>, memref<?xi64>",
        "  gpu.memcpy %dbounds, %bounds : memref<?xi64>, memref<?xi64>",
    ]
    for g in range(len(groups)):
        main += [
            f"  func.call @group{g}(%host, %bounds) : (memref<?xi64>, memref<?xi64>) -> ()",
            f"  gpu.launch_func @device::@kernel{g} blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1)"
            " args(%device : memref<?xi64>, %dbounds : memref<?xi64>)",
        ]
    main += [
        "  %back = memref.alloc(%n) : memref<?xi64>",
        "  gpu.memcpy %back, %device : memref<?xi64>, memref<?xi64>",
        "  %text = llvm.mlir.addressof @line : !llvm.ptr",
        "  scf.for %i = %c0 to %n step %c1 {",
        "    %x = memref.load %host[%i] : memref<?xi64>",
        "    %y = memref.load %back[%i] : memref<?xi64>",
        "    llvm.call @printf(%text, %x, %y) vararg(!llvm.func<i32 (ptr, ...)>) : (!llvm.ptr, i64, i64) -> i32",
        "  }",
        "  return",
        "}",
        "func.func @main() -> i32 {",
    ]
    main += [f"  call @run_{kind}{bits}() : () -> ()" for bits in EXHAUSTIVE for kind in "su"]
    main += ["  call @run_loops() : () -> ()", "  %zero = arith.constant 0 : i32", "  return %zero : i32", "}", "}"]
    head = [
        "module attributes {gpu.container_module} {",
        "llvm.func @printf(!llvm.ptr, ...) -> i32",
        'llvm.mlir.global internal constant @line("%lx %lx\\0A\\00") {addr_space = 0 : i32}',
    ]
    return "\n".join(head + globals + shared + ["gpu.module @device {"] + shared + kernels + ["}"] + main) + "\n"


def check(loops, output, where):
    lines = [[int(word, 16) for word in line.split()] for line in output.splitlines()]
    problems = []
    for bits in EXHAUSTIVE:
        for kind in ("signed", "unsigned"):
            for side, wrong in zip(("host", "kernel"), lines.pop(0)):
                if wrong:
                    problems.append(f"{where}, {side}: {wrong} {kind} loops of i{bits} are wrong")
    for n, loop in enumerate(loops):
        for side in (0, 1):
            got = lines[2 * n][side], lines[2 * n + 1][side]
            if got != loop.expected():
                problems.append(
                    f"{where}, {('host', 'kernel')[side]}: {loop} has (iterations, sum) {got}, not {loop.expected()}"
                )
    return problems


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--aircc", required=True)
    parser.add_argument("--target", action="append")
    parser.add_argument("--option", action="append", default=[], help="handed on to the compiler")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--work", help="where the programs go, and stay")
    args = parser.parse_args()
    problems = []
    loops = single_loops(random.Random(args.seed))
    with tempfile.TemporaryDirectory(prefix="aircc-loops-") as temporary:
        folder = args.work or temporary
        os.makedirs(folder, exist_ok=True)
        path = os.path.join(folder, "loops.mlir")
        with open(path, "w") as file:
            file.write(program(loops))
        for target in args.target or ["gfx942"]:
            binary = os.path.join(folder, f"loops.{target}")
            subprocess.run([args.aircc, path, "--target", target, "-o", binary] + args.option, check=True)
            output = subprocess.run([binary], check=True, capture_output=True, text=True, timeout=300).stdout
            problems += check(loops, output, target)
    for problem in problems[:200]:
        print(problem)
    pairs = sum(2 * len(steps_of(bits)) << (2 * bits) for bits in EXHAUSTIVE)
    print(f"{pairs + len(loops)} loops, {len(problems)} problems")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
