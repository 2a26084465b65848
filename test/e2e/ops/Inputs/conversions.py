#!/usr/bin/env python3
"""Conversions between all integer and float types, against exact arithmetic.

    conversions.py --aircc BINARY [--target NAME]... [--option OPTION]... [--work DIR]

One program for each target converts values of every type to every other, as
scalars and as vectors, by ops of `arith` or of the LLVM dialect, in kernels and
in host code, and some values as constants that the compiler may fold. It prints
the bits of each result. They are compared with a model of the formats below, which
computes with fractions and rounds once.
"""

import argparse
import functools
import math
import os
import random
import subprocess
import sys
import tempfile
from fractions import Fraction


class Float:
    """A binary format: its bits, the bits of the mantissa, and its special values. `special` is "ieee" (the highest
    exponent is for infinity and NaN), "fn" (only the highest number is NaN), "fnuz" (the code of -0 is NaN) or
    "finite"."""

    def __init__(self, name, bits, mantissa, bias, special, llvm=False):
        self.name, self.bits, self.mantissa, self.bias = name, bits, mantissa, bias
        self.special, self.llvm = special, llvm
        self.sign = 1 << (bits - 1)
        if special == "ieee":
            self.infinity = (self.sign - 1) >> mantissa << mantissa
            self.largest = self.infinity - 1
        else:
            self.infinity = None
            self.largest = self.sign - (2 if special == "fn" else 1)
        self.nans = {"ieee": (self.infinity or 0) + 1, "fn": self.sign - 1, "fnuz": self.sign, "finite": None}[special]

    def is_nan(self, bits):
        if self.special == "fnuz":
            return bits == self.sign
        return self.nans is not None and (bits & (self.sign - 1)) >= self.nans

    def finite(self, magnitude):
        """Returns the number for the bits of a magnitude."""
        exponent, mantissa = magnitude >> self.mantissa, magnitude & ((1 << self.mantissa) - 1)
        if exponent:
            mantissa |= 1 << self.mantissa
        shift = max(exponent, 1) - self.bias - self.mantissa
        return Fraction(mantissa << shift) if shift >= 0 else Fraction(mantissa, 1 << -shift)

    def floor(self, number):
        """Rounds down to a magnitude of the format, for a number in its range."""
        # The number in units of the smallest magnitude, then without the bits that do not fit.
        scale = self.bias + self.mantissa - 1
        units = math.floor(number * (1 << scale) if scale >= 0 else number / (1 << -scale))
        excess = max(units.bit_length() - self.mantissa - 1, 0)
        low = min((excess << self.mantissa) + (units >> excess), self.largest)
        assert self.finite(low) <= number and (low == self.largest or number < self.finite(low + 1))
        return low

    def decode(self, bits):
        """A value is "nan" or (whether it is negative, a fraction or "inf")."""
        if self.is_nan(bits):
            return "nan"
        magnitude = bits & (self.sign - 1)
        return bool(bits & self.sign), "inf" if magnitude == self.infinity else self.finite(magnitude)

    def encode(self, value):
        """The bits of a value, or "nan", rounded to nearest, ties to even."""
        if value == "nan":
            return "nan" if self.nans is not None else None
        negative, number = value
        if number == "inf" or number >= self.finite(self.largest) * 2:
            magnitude = None
        else:
            low = self.floor(number)
            rest, gap = number - self.finite(low), self.finite(low + 1) - self.finite(low)
            magnitude = low + (rest * 2 > gap or (rest * 2 == gap and low & 1))
            if magnitude > self.largest:
                magnitude = None
        if magnitude is None:
            magnitude = (
                self.infinity if self.infinity is not None else self.largest if self.special == "finite" else None
            )
            if magnitude is None:
                return "nan"
        if negative and not (self.special == "fnuz" and magnitude == 0):
            magnitude |= self.sign
        return magnitude

    def values(self, rng, others):
        """Bits of values for which conversions to `others` may differ."""
        if self.bits <= 8:
            return list(range(1 << self.bits))
        found = {
            0,
            1,
            self.infinity,
            self.infinity + 1,
            self.largest,
            self.largest - 1,
            self.sign - 1,
            (1 << self.mantissa) - 1,
            1 << self.mantissa,
        }
        for other in others:
            if isinstance(other, int):
                edges = [Fraction(2) ** (other - 1), Fraction(2) ** other]
            elif other.mantissa < self.mantissa or other.bits < self.bits:
                picks = [0, 1, 2, other.largest - 1, other.largest, (1 << other.mantissa) - 1, 1 << other.mantissa]
                picks += [rng.randrange(other.largest) for _ in range(4)]
                edges = [other.finite(m) + (other.finite(m + 1) - other.finite(m)) / 2 for m in picks]
            else:
                continue
            for edge in edges:
                bits = self.encode((False, edge))
                if bits != "nan":
                    found |= {bits + d for d in (-1, 0, 1) if 0 <= bits + d < self.sign}
        found |= {self.encode((False, Fraction(n, 2))) for n in range(1, 12)}
        found |= {rng.randrange(self.sign) for _ in range(12)}
        return sorted(found) + sorted(bits | self.sign for bits in found)


class Int:
    def __init__(self, bits):
        self.bits, self.name, self.llvm = bits, f"i{bits}", True

    def decode(self, bits, signed):
        if signed and bits >> (self.bits - 1):
            bits -= 1 << self.bits
        return bits < 0, Fraction(abs(bits))

    def encode(self, value, signed):
        """The bits of the number without its fraction; None if it has none."""
        if value == "nan" or value[1] == "inf":
            return None
        number = int(value[1]) * (-1 if value[0] else 1)
        low, high = (-(1 << (self.bits - 1)), 1 << (self.bits - 1)) if signed else (0, 1 << self.bits)
        return number % (1 << self.bits) if low <= number < high else None

    def values(self, rng, floats):
        limit = 1 << self.bits
        if self.bits <= 8:
            return list(range(limit))
        found = {0, 1, 2, 3, limit - 1, limit // 2, limit // 2 - 1}
        for precision in sorted({f.mantissa + 1 for f in floats}):
            for top in {self.bits - 1, self.bits - 2, rng.randrange(1, self.bits), precision + 1}:
                half = top - precision
                if 0 <= half and top < self.bits:
                    for odd in (0, 1):
                        tie = (1 << top) | (1 << half) | (odd << (half + 1))
                        found |= {tie, tie + 1, tie - 1}
        found |= {65503, 65504, 65519, 65520, 65536} if self.bits > 16 else set()
        found |= {rng.randrange(limit) >> rng.randrange(self.bits) for _ in range(12)}
        found |= {-v for v in found}
        return sorted({v % limit for v in found})


FLOATS = [
    Float("f4E2M1FN", 4, 1, 1, "finite"),
    Float("f6E2M3FN", 6, 3, 1, "finite"),
    Float("f6E3M2FN", 6, 2, 3, "finite"),
    Float("f8E5M2", 8, 2, 15, "ieee"),
    Float("f8E4M3", 8, 3, 7, "ieee"),
    Float("f8E3M4", 8, 4, 3, "ieee"),
    Float("f8E4M3FN", 8, 3, 7, "fn"),
    Float("f8E5M2FNUZ", 8, 2, 16, "fnuz"),
    Float("f8E4M3FNUZ", 8, 3, 8, "fnuz"),
    Float("f8E4M3B11FNUZ", 8, 3, 11, "fnuz"),
    Float("bf16", 16, 7, 127, "ieee", True),
    Float("f16", 16, 10, 15, "ieee", True),
    Float("f32", 32, 23, 127, "ieee", True),
    Float("f64", 64, 52, 1023, "ieee", True),
]
INTS = [Int(bits) for bits in (1, 8, 16, 24, 32, 48, 64)]
CHUNK = 8  # The number of conversions in a function: compile time grows faster than its size.


class Conversion:
    """One op between two types, and its result for each value."""

    def __init__(self, op, source, target, signed=False):
        self.op, self.source, self.target, self.signed = op, source, target, signed
        name = {"extf": "fpext", "truncf": "fptrunc"}.get(op, op)
        self.llvm_op = f"llvm.{name}" if source.llvm and target.llvm else None

    def op_of(self, number):
        """The op of either dialect alternately, where both have the types."""
        return self.llvm_op if number % 2 and self.llvm_op else f"arith.{self.op}"

    @functools.cache
    def expect(self, bits):
        value = self.source.decode(bits, self.signed) if isinstance(self.source, Int) else self.source.decode(bits)
        return self.target.encode(value, self.signed) if isinstance(self.target, Int) else self.target.encode(value)

    def agrees(self, bits, got):
        """Any result is accepted where the op has none, and any NaN for a NaN."""
        expected = self.expect(bits)
        return expected is None or got == expected or (expected == "nan" and self.target.is_nan(got))


def conversions(source):
    """All conversions of a type. MLIR has none between floats of one width."""
    found = []
    if isinstance(source, Int):
        for target in FLOATS:
            found += [Conversion("sitofp", source, target, True), Conversion("uitofp", source, target)]
        return found
    for target in INTS:
        found += [Conversion("fptosi", source, target, True), Conversion("fptoui", source, target)]
    for target in FLOATS:
        if target.bits != source.bits:
            found.append(Conversion("extf" if target.bits > source.bits else "truncf", source, target))
    return found


# --- The program -------------------------------------------------------------


def chunks(rng, sources):
    for source in INTS + FLOATS:
        all = conversions(source)
        for i in range(0, len(all) if not sources or source.name in sources else 0, CHUNK):
            yield Function(source, i // CHUNK, all[i : i + CHUNK], rng)


def vector_type(count, name):
    return f"vector<{count}x{name}>"


class Function:
    """A function with some conversions of one type, in all forms."""

    def __init__(self, source, number, all, rng):
        self.source, self.all, self.label = source, all, f"{source.name}_{number}"
        others = [c.target for c in self.all if isinstance(c.target, Float)]
        if isinstance(source, Float):
            others += [c.target.bits for c in self.all if isinstance(c.target, Int)]
        self.values = source.values(rng, others)
        # Complete vectors of three and of four.
        while len(self.values) % 12:
            self.values.append(self.values[len(self.values) * 7 // 11 % len(self.values)])
        self.lines, self.rows, self.next = [], [], 0

    def name(self, prefix="%v"):
        self.next += 1
        return f"{prefix}{self.next}"

    def emit(self, text):
        self.lines.append("  " + text)

    def load(self, index):
        bits, low, value = self.name(), self.name(), self.name()
        self.emit(f"{bits} = memref.load %in[{index}] : memref<?xi64>")
        return self.unpack(bits, low, value)

    def unpack(self, bits, low, value):
        width, name = self.source.bits, self.source.name
        if width < 64:
            self.emit(f"{low} = arith.trunci {bits} : i64 to i{width}")
        else:
            low = bits
        if isinstance(self.source, Int):
            return low
        self.emit(f"{value} = arith.bitcast {low} : i{width} to {name}")
        return value

    def store(self, value, target, row, index):
        width = target.bits
        if isinstance(target, Float):
            bits = self.name()
            self.emit(f"{bits} = arith.bitcast {value} : {target.name} to i{width}")
            value = bits
        if width < 64:
            wide = self.name()
            self.emit(f"{wide} = arith.extui {value} : i{width} to i64")
            value = wide
        start, place = self.name(), self.name()
        self.emit(f"{start} = arith.constant {row * len(self.values)} : index")
        self.emit(f"{place} = arith.addi {start}, {index} : index")
        self.emit(f"memref.store {value}, %out[{place}] : memref<?xi64>")

    def text(self):
        """The lines of the function, and one row of results for each form."""
        n = len(self.values)
        value = self.load("%i")
        for number, c in enumerate(self.all):
            result = self.name()
            op = c.op_of(number)
            self.emit(f"{result} = {op} {value} : {c.source.name} to {c.target.name}")
            self.store(result, c.target, len(self.rows), "%i")
            self.rows.append((op, c, "scalar"))
        for count in (3, 4):
            self.emit(f"%groups{count} = arith.constant {n // count} : index")
            self.emit(f"%has{count} = arith.cmpi ult, %i, %groups{count} : index")
            self.emit(f"scf.if %has{count} {{")
            elements, places = [], []
            self.emit(f"%count{count} = arith.constant {count} : index")
            self.emit(f"%first{count} = arith.muli %i, %count{count} : index")
            for k in range(count):
                offset, place = self.name(), self.name()
                self.emit(f"{offset} = arith.constant {k} : index")
                self.emit(f"{place} = arith.addi %first{count}, {offset} : index")
                places.append(place)
                elements.append(self.load(place))
            vector = self.name()
            self.emit(f"{vector} = vector.from_elements {', '.join(elements)} : {vector_type(count, self.source.name)}")
            for number, c in enumerate(self.all):
                if number // 2 % 2 != count % 2:
                    continue
                op = c.op_of(number + 1)
                result = self.name()
                self.emit(
                    f"{result} = {op} {vector} : {vector_type(count, c.source.name)}"
                    f" to {vector_type(count, c.target.name)}"
                )
                for k in range(count):
                    element = self.name()
                    self.emit(
                        f"{element} = vector.extract {result}[{k}]"
                        f" : {c.target.name} from {vector_type(count, c.target.name)}"
                    )
                    self.store(element, c.target, len(self.rows), places[k])
                self.rows.append((op, c, vector_type(count, "*")))
            self.emit("}")
        return self.lines

    def folded(self):
        """Lines that convert constants, and the expected results."""
        self.lines, cases = [], []
        picks = self.values[:: max(1, len(self.values) // 6)]
        for number, c in enumerate(self.all):
            for bits in (picks[number % len(picks)], picks[(number * 5 + 1) % len(picks)]):
                constant, value, result = self.name(), self.name(), self.name()
                self.emit(
                    f"{constant} = arith.constant {bits if self.source.bits > 1 else ['false', 'true'][bits]}"
                    + (f" : i{self.source.bits}" if self.source.bits > 1 else "")
                )
                if isinstance(self.source, Float):
                    self.emit(f"{value} = arith.bitcast {constant} : i{self.source.bits} to {self.source.name}")
                else:
                    value = constant
                self.emit(f"{result} = arith.{c.op} {value} : {c.source.name} to {c.target.name}")
                place = self.name()
                self.emit(f"{place} = arith.constant {len(cases)} : index")
                n, self.values = self.values, []
                self.store(result, c.target, 0, place)
                self.values = n
                cases.append((c, bits))
        return self.lines, cases


def program(functions):
    shared, kernels, main, out = [], [], [], []
    rows = []
    for f in functions:
        name, n = f.label, len(f.values)
        shared.append(f"func.func private @convert_{name}(%i: index, %in: memref<?xi64>, %out: memref<?xi64>) {{")
        shared += f.text() + ["  return", "}"]
        f.folded_lines, f.folded_cases = f.folded()
        shared.append(f"func.func private @fold_{name}(%out: memref<?xi64>) {{")
        shared += f.folded_lines + ["  return", "}"]
        kernels += [
            f"gpu.func @kernel_{name}(%in: memref<?xi64>, %out: memref<?xi64>, %folded: memref<?xi64>) kernel {{",
            "  %block = gpu.block_id x",
            "  %lane = gpu.thread_id x",
            "  %lanes = arith.constant 64 : index",
            "  %start = arith.muli %block, %lanes : index",
            "  %i = arith.addi %start, %lane : index",
            f"  %n = arith.constant {n} : index",
            "  %inside = arith.cmpi ult, %i, %n : index",
            "  scf.if %inside {",
            f"    func.call @convert_{name}(%i, %in, %out) : (index, memref<?xi64>, memref<?xi64>) -> ()",
            "  }",
            "  %zero = arith.constant 0 : index",
            "  %isFirst = arith.cmpi eq, %i, %zero : index",
            "  scf.if %isFirst {",
            f"    func.call @fold_{name}(%folded) : (memref<?xi64>) -> ()",
            "  }",
            "  gpu.return",
            "}",
        ]
        numbers = ", ".join(str(v - (1 << 64) if v >> 63 else v) for v in f.values)
        out.append(f'memref.global "private" constant @values_{name} : memref<{n}xi64> = dense<[{numbers}]>')
        results, folded = n * len(f.rows), len(f.folded_cases)
        out += [
            f"func.func private @run_{name}() {{",
            "  %c0 = arith.constant 0 : index",
            "  %c1 = arith.constant 1 : index",
            "  %lanes = arith.constant 64 : index",
            f"  %n = arith.constant {n} : index",
            f"  %blocks = arith.constant {(n + 63) // 64} : index",
            f"  %results = arith.constant {results} : index",
            f"  %constants = arith.constant {folded} : index",
            f"  %values = memref.get_global @values_{name} : memref<{n}xi64>",
            f"  %in = memref.cast %values : memref<{n}xi64> to memref<?xi64>",
            "  %host = memref.alloc(%results) : memref<?xi64>",
            "  %folded = memref.alloc(%constants) : memref<?xi64>",
            "  scf.for %i = %c0 to %n step %c1 {",
            f"    func.call @convert_{name}(%i, %in, %host) : (index, memref<?xi64>, memref<?xi64>) -> ()",
            "  }",
            f"  func.call @fold_{name}(%folded) : (memref<?xi64>) -> ()",
            "  func.call @print(%host, %results) : (memref<?xi64>, index) -> ()",
            "  func.call @print(%folded, %constants) : (memref<?xi64>, index) -> ()",
            "  %din = gpu.alloc (%n) : memref<?xi64>",
            "  %dout = gpu.alloc (%results) : memref<?xi64>",
            "  %dfolded = gpu.alloc (%constants) : memref<?xi64>",
            "  gpu.memcpy %din, %in : memref<?xi64>, memref<?xi64>",
            f"  gpu.launch_func @device::@kernel_{name} blocks in (%blocks, %c1, %c1) threads in (%lanes, %c1, %c1)"
            " args(%din : memref<?xi64>, %dout : memref<?xi64>, %dfolded : memref<?xi64>)",
            "  gpu.memcpy %host, %dout : memref<?xi64>, memref<?xi64>",
            "  gpu.memcpy %folded, %dfolded : memref<?xi64>, memref<?xi64>",
            "  func.call @print(%host, %results) : (memref<?xi64>, index) -> ()",
            "  func.call @print(%folded, %constants) : (memref<?xi64>, index) -> ()",
            "  return",
            "}",
        ]
        main.append(f"  call @run_{name}() : () -> ()")
    head = [
        "module attributes {gpu.container_module} {",
        "llvm.func @printf(!llvm.ptr, ...) -> i32",
        'llvm.mlir.global internal constant @line("%lx\\0A\\00") {addr_space = 0 : i32}',
        "func.func private @print(%x: memref<?xi64>, %n: index) {",
        "  %c0 = arith.constant 0 : index",
        "  %c1 = arith.constant 1 : index",
        "  %text = llvm.mlir.addressof @line : !llvm.ptr",
        "  scf.for %i = %c0 to %n step %c1 {",
        "    %v = memref.load %x[%i] : memref<?xi64>",
        "    llvm.call @printf(%text, %v) vararg(!llvm.func<i32 (ptr, ...)>) : (!llvm.ptr, i64) -> i32",
        "  }",
        "  return",
        "}",
    ]
    tail = (
        ["func.func @main() -> i32 {"] + main + ["  %zero = arith.constant 0 : i32", "  return %zero : i32", "}", "}"]
    )
    return "\n".join(head + shared + ["gpu.module @device {"] + shared + kernels + ["}"] + out + tail) + "\n"


# --- Checking ----------------------------------------------------------------


def check(functions, output, where):
    """Returns messages about results that differ from the model."""
    words, problems, total = iter(output.split()), [], 0

    def test(c, op, form, side, bits):
        nonlocal total
        total += 1
        got = int(next(words), 16)
        if c.agrees(bits, got):
            return
        expected = c.expect(bits)
        problems.append(
            f"{where}, {side}: {op} of {form} {c.source.name} {bits:#x} to {c.target.name} is {got:#x}, not "
            + (expected if isinstance(expected, str) else f"{expected:#x}")
        )

    for f in functions:
        for side in ("host", "kernel"):
            for op, c, form in f.rows:
                for bits in f.values:
                    test(c, op, form, side, bits)
            for c, bits in f.folded_cases:
                test(c, f"arith.{c.op}", "constant", side, bits)
    return total, problems


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--aircc", required=True)
    parser.add_argument("--target", action="append")
    parser.add_argument("--option", action="append", default=[], help="handed on to the compiler")
    parser.add_argument("--source", action="append", help="only conversions of this type")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--work", help="where the programs go, and stay")
    args = parser.parse_args()
    problems, total = [], 0
    with tempfile.TemporaryDirectory(prefix="aircc-conversions-") as temporary:
        folder = args.work or temporary
        os.makedirs(folder, exist_ok=True)
        for target in args.target or ["gfx942"]:
            rng = random.Random(args.seed)
            functions = list(chunks(rng, args.source))
            path = os.path.join(folder, "conversions.mlir")
            with open(path, "w") as file:
                file.write(program(functions))
            binary = os.path.join(folder, f"conversions.{target}")
            subprocess.run([args.aircc, path, "--target", target, "-o", binary] + args.option, check=True)
            output = subprocess.run([binary], check=True, capture_output=True, text=True).stdout
            count, found = check(functions, output, target)
            total, problems = total + count, problems + found
    # One message per conversion is enough.
    shown = {}
    for problem in problems:
        words = problem.split()
        shown.setdefault(" ".join(words[:6] + words[7:10]), []).append(problem)
    for group in shown.values():
        print(f"{group[0]} ({len(group)} values)")
    print(f"{total} conversions, {len(problems)} problems")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
