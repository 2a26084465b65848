#!/usr/bin/env python3
"""Rounding that needs several instructions: the rounding modes of arith.truncf, and math.fma on floats narrower than
f32, in kernels and in host code.

    rounding.py --aircc BINARY [TARGET[:OPTION]]...

The results of ops on scalars and on vectors of two elements are compared with exact fractions, which are rounded once
by the definition of the op.
"""

import argparse
import concurrent.futures
import os
import random
import subprocess
import sys
import tempfile
from fractions import Fraction

from conversions import FLOATS

FORMATS = {f.name: f for f in FLOATS}
MODES = ["to_nearest_even", "to_nearest_away", "downward", "upward", "toward_zero"]
TRUNCATIONS = [
    ("f64", "f32"),
    ("f64", "f16"),
    ("f64", "bf16"),
    ("f32", "f16"),
    ("f32", "bf16"),
    ("f32", "f8E5M2"),
    ("bf16", "f8E4M3"),
]
FUSED = ["bf16", "f16", "f8E5M2", "f8E5M2FNUZ", "f8E4M3FN"]


def number(form, bits):
    """Returns the number for bits, or None for infinity and NaN."""
    value = form.decode(bits)
    if value == "nan" or value[1] == "inf":
        return None
    return -value[1] if value[0] else value[1]


def round_number(form, exact, mode):
    """Returns the bits of a nonzero number in a format that has an infinity."""
    size = abs(exact)
    if size >= form.finite(form.infinity):
        low = form.largest
        nearest = True
    else:
        low = form.floor(size)
        below, above = size - form.finite(low), form.finite(low + 1) - size
        nearest = below > above or (below == above and (mode == "to_nearest_away" or low % 2 == 1))
    inexact = size != form.finite(low)
    up = {"downward": exact < 0, "upward": exact > 0, "toward_zero": False}.get(mode, nearest) and inexact
    return low + up + (form.sign if exact < 0 else 0)


def encode(form, exact):
    return form.encode((exact < 0, abs(exact)))


class Truncation:
    operands = 1

    def __init__(self, source, target, mode, rng):
        self.source, self.target, self.mode = FORMATS[source], FORMATS[target], mode
        self.name = f"truncf {source} to {target} {mode}"
        self.cases = []
        top = self.target.largest
        for magnitude in [
            0,
            1,
            2,
            top - 1,
            top,
            (1 << self.target.mantissa) - 1,
            *(rng.randrange(top) for _ in range(5)),
        ]:
            low, high = self.target.finite(magnitude), self.target.finite(magnitude + 1)
            middle = encode(self.source, (low + high) / 2)
            for bits in (encode(self.source, low), middle - 1, middle, middle + 1, encode(self.source, high) - 1):
                self.cases += [(bits,), (bits | self.source.sign,)]
        self.cases = [case for case in self.cases if number(self.source, case[0])]

    def op(self, result, operands, wrap):
        return (
            f"{result} = arith.truncf {operands[0]} {self.mode} : {wrap(self.source.name)} to {wrap(self.target.name)}"
        )

    def expect(self, case):
        return round_number(self.target, number(self.source, case[0]), self.mode)


class Fused:
    """Sums that are halfway between two numbers except for a small addend."""

    operands = 3

    def __init__(self, name, rng):
        self.source = self.target = FORMATS[name]
        self.name = f"fma {name}"
        # Products with one bit more than the type has.
        precision = self.target.mantissa + 1
        odd = [n for n in range(3, 1 << precision, 2)]
        factors = []
        while len(factors) < 6:
            x, y = rng.choice(odd), rng.choice(odd)
            if (x * y).bit_length() == precision + 1:
                factors.append((x, y))
        shift = self.target.finite(self.target.largest).numerator.bit_length() // 2 - precision - 1
        self.cases = []
        for x, y in factors:
            for scale in (0, shift):
                for exponent in (-6, -9, -12, -14, -15, -16, -18, -30, -60, -100):
                    addend = encode(self.target, Fraction(2) ** exponent)
                    if not addend:
                        continue
                    for signs in range(4):
                        x_bits = encode(self.source, Fraction(x) * Fraction(2) ** scale)
                        y_bits = encode(self.source, Fraction(y) * Fraction(2) ** scale)
                        self.cases.append(
                            (
                                x_bits | (self.source.sign if signs & 1 else 0),
                                y_bits,
                                addend | (self.source.sign if signs & 2 else 0),
                            )
                        )
        self.cases += [tuple(rng.randrange(1 << self.source.bits) for _ in range(3)) for _ in range(40)]
        self.cases = [case for case in self.cases if self.sum(case)]

    def sum(self, case):
        x, y, z = (number(self.source, bits) for bits in case)
        return None if None in (x, y, z) else x * y + z

    def op(self, result, operands, wrap):
        return f"{result} = math.fma {', '.join(operands)} : {wrap(self.source.name)}"

    def expect(self, case):
        return encode(self.target, self.sum(case))


def function(label, test):
    """Computes case %i as a scalar, and cases %i and 0 as a vector."""
    lines = [
        f"func.func private @{label}(%i: index, %in: memref<?x{test.operands}xi64>, %out: memref<?x2xi64>) {{",
        "  %c0 = arith.constant 0 : index",
        "  %c1 = arith.constant 1 : index",
    ]
    source, target = test.source, test.target
    for k in range(test.operands):
        for name, row in (("a", "%i"), ("b", "%c0")):
            lines += [
                f"  %{name}k{k} = arith.constant {k} : index",
                f"  %{name}l{k} = memref.load %in[{row}, %{name}k{k}] : memref<?x{test.operands}xi64>",
            ]
            bits = f"%{name}l{k}"
            if source.bits < 64:
                lines.append(f"  %{name}t{k} = arith.trunci {bits} : i64 to i{source.bits}")
                bits = f"%{name}t{k}"
            lines.append(f"  %{name}{k} = arith.bitcast {bits} : i{source.bits} to {source.name}")
        lines.append(f"  %v{k} = vector.from_elements %a{k}, %b{k} : vector<2x{source.name}>")
    lines.append("  " + test.op("%r0", [f"%a{k}" for k in range(test.operands)], lambda name: name))
    lines.append("  " + test.op("%v", [f"%v{k}" for k in range(test.operands)], lambda name: f"vector<2x{name}>"))
    lines.append(f"  %r1 = vector.extract %v[0] : {target.name} from vector<2x{target.name}>")
    for k in range(2):
        lines += [
            f"  %rb{k} = arith.bitcast %r{k} : {target.name} to i{target.bits}",
            f"  %rw{k} = arith.extui %rb{k} : i{target.bits} to i64",
            f"  memref.store %rw{k}, %out[%i, %c{k}] : memref<?x2xi64>",
        ]
    return lines + ["  return", "}"]


def kernel(label, test):
    ins = f"memref<?x{test.operands}xi64>"
    return [
        f"gpu.func @kernel_{label}(%in: {ins}, %out: memref<?x2xi64>) kernel {{",
        "  %i = gpu.block_id x",
        f"  func.call @{label}(%i, %in, %out) : (index, {ins}, memref<?x2xi64>) -> ()",
        "  gpu.return",
        "}",
    ]


def runner(label, test):
    n, ins = len(test.cases), f"memref<?x{test.operands}xi64>"
    signed = lambda v: v - (1 << 64) if v >> 63 else v
    rows = ", ".join("[" + ", ".join(str(signed(v)) for v in case) + "]" for case in test.cases)
    fixed = f"memref<{n}x{test.operands}xi64>"
    return [
        f'memref.global "private" constant @values_{label} : {fixed} = dense<[{rows}]>',
        f"func.func private @run_{label}() {{",
        "  %c0 = arith.constant 0 : index",
        "  %c1 = arith.constant 1 : index",
        f"  %n = arith.constant {n} : index",
        f"  %values = memref.get_global @values_{label} : {fixed}",
        f"  %in = memref.cast %values : {fixed} to {ins}",
        "  %host = memref.alloc(%n) : memref<?x2xi64>",
        "  scf.for %i = %c0 to %n step %c1 {",
        f"    func.call @{label}(%i, %in, %host) : (index, {ins}, memref<?x2xi64>) -> ()",
        "  }",
        "  func.call @print(%host) : (memref<?x2xi64>) -> ()",
        f"  %din = gpu.alloc (%n) : {ins}",
        "  %dout = gpu.alloc (%n) : memref<?x2xi64>",
        f"  gpu.memcpy %din, %in : {ins}, {ins}",
        f"  gpu.launch_func @device::@kernel_{label} blocks in (%n, %c1, %c1) threads in (%c1, %c1, %c1)"
        f" args(%din : {ins}, %dout : memref<?x2xi64>)",
        "  gpu.memcpy %host, %dout : memref<?x2xi64>, memref<?x2xi64>",
        "  func.call @print(%host) : (memref<?x2xi64>) -> ()",
        "  return",
        "}",
    ]


HEAD = """module attributes {gpu.container_module} {
llvm.func @printf(!llvm.ptr, ...) -> i32
llvm.mlir.global internal constant @line("%lx\\0A\\00") {addr_space = 0 : i32}
func.func private @print(%x: memref<?x2xi64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %n = memref.dim %x, %c0 : memref<?x2xi64>
  %text = llvm.mlir.addressof @line : !llvm.ptr
  scf.for %i = %c0 to %n step %c1 {
    scf.for %j = %c0 to %c2 step %c1 {
      %v = memref.load %x[%i, %j] : memref<?x2xi64>
      llvm.call @printf(%text, %v) vararg(!llvm.func<i32 (ptr, ...)>) : (!llvm.ptr, i64) -> i32
    }
  }
  return
}"""


def program(tests):
    shared, kernels, host, calls = [], [], [], []
    for k, test in enumerate(tests):
        label = f"case{k}"
        shared += function(label, test)
        kernels += kernel(label, test)
        host += runner(label, test)
        calls.append(f"  call @run_{label}() : () -> ()")
    main = ["func.func @main() -> i32 {", *calls, "  %zero = arith.constant 0 : i32", "  return %zero : i32", "}", "}"]
    return "\n".join([HEAD, *shared, "gpu.module @device {", *shared, *kernels, "}", *host, *main]) + "\n"


def check(tests, output, where):
    words, problems, total = iter(output.split()), [], 0
    for test in tests:
        for side in ("host", "kernel"):
            for case, expected in zip(test.cases, test.expected):
                for form in ("scalar", "vector"):
                    got = int(next(words), 16)
                    total += 1
                    if got != expected and not (expected == "nan" and test.target.is_nan(got)):
                        problems.append(
                            f"{where}, {side}, {form}: {test.name} of {[hex(v) for v in case]} is {got:#x},"
                            f" not {expected if expected == 'nan' else hex(expected)}"
                        )
    return total, problems


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--aircc", required=True)
    parser.add_argument(
        "targets",
        nargs="*",
        default=["gfx942"],
        metavar="TARGET[:OPTION]",
        help="the option is handed on to the compiler",
    )
    args = parser.parse_args()
    rng = random.Random(1)
    tests = [Truncation(source, target, mode, rng) for source, target in TRUNCATIONS for mode in MODES]
    tests += [Fused(name, rng) for name in FUSED]
    for test in tests:
        test.expected = [test.expect(case) for case in test.cases]
    problems, total = [], 0
    with tempfile.TemporaryDirectory(prefix="aircc-rounding-") as folder:
        path = os.path.join(folder, "rounding.mlir")
        with open(path, "w") as file:
            file.write(program(tests))

        def run(number):
            target, *options = args.targets[number].split(":")
            binary = os.path.join(folder, f"rounding{number}")
            subprocess.run([args.aircc, path, "--target", target, "-o", binary, *options], check=True)
            return subprocess.run([binary], check=True, capture_output=True, text=True).stdout

        with concurrent.futures.ThreadPoolExecutor() as pool:
            outputs = list(pool.map(run, range(len(args.targets))))
    for where, output in zip(args.targets, outputs):
        count, found = check(tests, output, where)
        total, problems = total + count, problems + found
    for problem in problems[:20]:
        print(problem)
    print(f"{total} results, {len(problems)} problems")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
