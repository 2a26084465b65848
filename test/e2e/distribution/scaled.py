#!/usr/bin/env python3
"""Products of small floats whose blocks have scales, as whole contractions.

    scaled.py --aircc BINARY --target NAME [--every N] [--work DIR]

For each scaled matrix instruction of a target's profile (or each N-th), a kernel
multiplies two matrices, a few tiles of the instruction in each dimension, on one wave and on four. The bytes are
unpacked with vector.bitcast, the scales of 32 elements broadcast, multiplied in by arith.scaling_extf. The compiler
chooses the layouts. All formats can represent the factors, and their sums are exact, so the result computed here must
equal the kernel's bit for bit.
"""

import argparse
import json
import os
import random
import struct
import subprocess
import sys
import tempfile

from running import run, run_products
from text import MAIN_END, MODULE_START, count_rows, print_and_return
from values import memref, vector

# Bits of exponent and of fraction, bias.
FORMATS = {
    "f4E2M1FN": (2, 1, 1),
    "f6E2M3FN": (2, 3, 1),
    "f6E3M2FN": (3, 2, 3),
    "f8E4M3FN": (4, 3, 7),
    "f8E5M2": (5, 2, 15),
}
VALUES = [0.0, 0.5, 1.0, 1.5, 2.0, 3.0]
BLOCK = 32


def bits_of(kind):
    return 1 + sum(FORMATS[kind][:2])


def codes(kind):
    """Returns the codes of each of VALUES and of its negative."""
    exponent, fraction, bias = FORMATS[kind]
    found = {}
    for code in range(1 << (exponent + fraction)):
        e, f = code >> fraction, code & ((1 << fraction) - 1)
        value = f * 2.0 ** (1 - bias - fraction) if e == 0 else (1 + f / 2.0**fraction) * 2.0 ** (e - bias)
        found[value] = code
        found[-value] = code | 1 << (exponent + fraction)
    found[0.0] = 0
    return found


def packed(rows, kind):
    """Packs rows of values into bytes, the first value in the lowest bits."""
    table, width, out = codes(kind), bits_of(kind), bytearray()
    for row in rows:
        number = 0
        for i, value in enumerate(row):
            number |= table[value] << (i * width)
        out += number.to_bytes(len(row) * width // 8, "little")
    return bytes(out)


def dense(data):
    return '"0x' + data.hex().upper() + '"'


class Case:
    """One contraction."""

    def __init__(self, number, name, instruction, kinds, waves, split):
        self.number, self.name, self.kinds, self.waves, self.split = number, name, kinds, waves, split
        m, n, k = instruction["shape"]
        rows, columns = (2, 2) if waves == 4 else (1, 1)
        self.m, self.n, self.k = m * rows * 2, n * columns, k * 2
        draw = random.Random(number)
        signed = [s * v for v in VALUES for s in (1, -1)]
        self.a = [[draw.choice(signed) + 0.0 for _ in range(self.k)] for _ in range(self.m)]
        self.b = [[draw.choice(signed) + 0.0 for _ in range(self.k)] for _ in range(self.n)]
        self.scales_a = [[draw.choice((-1, 0, 1)) for _ in range(self.k // BLOCK)] for _ in range(self.m)]
        self.scales_b = [[draw.choice((-1, 0, 1)) for _ in range(self.k // BLOCK)] for _ in range(self.n)]

    def result(self):
        def scaled(rows, scales):
            return [[v * 2.0 ** s[k // BLOCK] for k, v in enumerate(row)] for row, s in zip(rows, scales)]

        a, b = scaled(self.a, self.scales_a), scaled(self.b, self.scales_b)
        return [[sum(x * y for x, y in zip(row, column)) for column in b] for row in a]

    def shapes(self, side):
        """The layouts of the bytes and of the scales of a factor."""
        rows = self.m if side == "a" else self.n
        blocks = self.k // BLOCK
        width = bits_of(self.kinds[side == "b"])
        data = [rows, blocks, BLOCK * width // 8] if self.split else [rows, self.k * width // 8]
        return data, [rows, blocks]

    def types(self):
        return [memref(shape, "i8") for side in "ab" for shape in self.shapes(side)] + [memref([self.m, self.n], "f32")]

    def kernel(self, wave):
        names = ["a", "sa", "b", "sb", "c"]
        arguments = ", ".join(f"%{x}: {t}" for x, t in zip(names, self.types()))
        lines = [
            f"gpu.func @kernel{self.number}({arguments}) kernel attributes "
            f"{{known_block_size = array<i32: {self.waves * wave}, 1, 1>, layout.scope = #layout.scope<workgroup>}} {{",
            "  %c0 = arith.constant 0 : index",
            "  %zero = arith.constant 0 : i8",
        ]
        for side, kind in zip("ab", self.kinds):
            data, scales = self.shapes(side)
            rows, blocks = scales
            at = ", ".join(["%c0"] * len(data))
            inside = ", ".join(["true"] * len(data))
            bytes_type, scale_bytes = vector(data, "i8"), vector(scales, "i8")
            whole = [rows, blocks, BLOCK] if self.split else [rows, self.k]
            small, factor = vector(whole, kind), vector(whole, "f32")
            scale, spread, turned, flat = (
                vector(s, "f8E8M0FNU") for s in (scales, [BLOCK] + scales, scales + [BLOCK], [rows, self.k])
            )
            lines += [
                (
                    f"  %bytes{side} = vector.transfer_read %{side}[{at}], %zero {{in_bounds = [{inside}]}}"
                    f" : {memref(data, 'i8')}, {bytes_type}"
                ),
                f"  %v{side} = vector.bitcast %bytes{side} : {bytes_type} to {small}",
                (
                    f"  %raw{side} = vector.transfer_read %s{side}[%c0, %c0], %zero {{in_bounds = [true, true]}}"
                    f" : {memref(scales, 'i8')}, {scale_bytes}"
                ),
                f"  %scale{side} = vector.bitcast %raw{side} : {scale_bytes} to {scale}",
                f"  %spread{side} = vector.broadcast %scale{side} : {scale} to {spread}",
                f"  %turned{side} = vector.transpose %spread{side}, [1, 2, 0] : {spread} to {turned}",
            ]
            name = f"%turned{side}"
            if not self.split:
                lines.append(f"  %flat{side} = vector.shape_cast {name} : {turned} to {flat}")
                name, turned = f"%flat{side}", flat
            lines.append(f"  %f{side} = arith.scaling_extf %v{side}, {name} : {small}, {turned} to {factor}")
        dims, reduced = ("m, n, k, l", "k, l") if self.split else ("m, n, k", "k")
        kinds = ", ".join(['"parallel"'] * 2 + ['"reduction"'] * (2 if self.split else 1))
        sides = [vector([r, self.k // BLOCK, BLOCK] if self.split else [r, self.k], "f32") for r in (self.m, self.n)]
        sums = vector([self.m, self.n], "f32")
        lines += [
            f"  %none = arith.constant dense<0.0> : {sums}",
            f"  %r = vector.contract {{indexing_maps = [affine_map<({dims}) -> (m, {reduced})>,"
            f" affine_map<({dims}) -> (n, {reduced})>, affine_map<({dims}) -> (m, n)>], "
            f"iterator_types = [{kinds}], kind = #vector.kind<add>}} %fa, %fb, %none : {sides[0]}, {sides[1]}"
            f" into {sums}",
            (
                f"  vector.transfer_write %r, %c[%c0, %c0] {{in_bounds = [true, true]}}"
                f" : {sums}, {memref([self.m, self.n], 'f32')}"
            ),
            "  gpu.return",
            "}",
        ]
        return lines

    def globals(self):
        def scales(rows):
            return bytes(127 + s for row in rows for s in row)

        tables = [
            packed(self.a, self.kinds[0]),
            scales(self.scales_a),
            packed(self.b, self.kinds[1]),
            scales(self.scales_b),
            b"".join(struct.pack("<f", v) for row in self.result() for v in row),
        ]
        for name, type, data in zip(["a", "sa", "b", "sb", "c"], self.types(), tables):
            yield f'memref.global "private" constant @{name}{self.number} : {type} = dense<{dense(data)}>'

    def host(self):
        types = self.types()
        out = [
            f"func.func private @run{self.number}(%wave: index) {{",
            "  %c0 = arith.constant 0 : index",
            "  %c1 = arith.constant 1 : index",
            f"  %number = arith.constant {self.number} : i64",
            f"  %waves = arith.constant {self.waves} : index",
            "  %threads = arith.muli %waves, %wave : index",
            "  %zero = arith.constant 0 : i64",
            "  %one = arith.constant 1 : i64",
            f"  %M = arith.constant {self.m} : index",
            f"  %N = arith.constant {self.n} : index",
        ]
        for name, type in zip(["a", "sa", "b", "sb", "c"], types):
            out += [
                f"  %h{name} = memref.get_global @{name}{self.number} : {type}",
                f"  %g{name} = gpu.alloc () : {type}",
            ]
            if name != "c":
                out.append(f"  gpu.memcpy %g{name}, %h{name} : {type}, {type}")
        launch = ", ".join(f"%g{name} : {type}" for name, type in zip(["a", "sa", "b", "sb", "c"], types))
        out += [
            (
                f"  gpu.launch_func @kernels::@kernel{self.number} blocks in (%c1, %c1, %c1) threads in (%threads, %c1,"
                f" %c1) args({launch})"
            ),
            f"  %got = memref.alloc() : {types[4]}",
            f"  gpu.memcpy %got, %gc : {types[4]}, {types[4]}",
            "  %bad = scf.for %i = %c0 to %M step %c1 iter_args(%s0 = %zero) -> (i64) {",
            "    %s1 = scf.for %j = %c0 to %N step %c1 iter_args(%s2 = %s0) -> (i64) {",
            f"      %x = memref.load %got[%i, %j] : {types[4]}",
            f"      %y = memref.load %hc[%i, %j] : {types[4]}",
        ]
        return out + count_rows("arith.cmpf une, %x, %y : f32") + print_and_return("%number", "%bad")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--aircc", required=True)
    parser.add_argument("--target", required=True)
    parser.add_argument("--every", type=int, default=1, help="each so many-th combination of types")
    parser.add_argument("--work", help="where the program goes, and stays")
    args = parser.parse_args()
    profile = json.loads(
        subprocess.run([args.aircc, "targets", args.target], capture_output=True, text=True, check=True).stdout
    )
    wave, cases, seen = profile["waveSize"], [], 0
    for name, instruction in sorted(profile["matrixInstructions"].items()):
        if "scales" not in instruction:
            continue
        sides = [[x["type"]] + x.get("otherTypes", []) for x in (instruction["a"], instruction["b"])]
        for a in sides[0]:
            for b in sides[1]:
                seen += 1
                if seen % args.every:
                    continue
                number = len(cases)
                waves = 4 if number % 2 else 1
                cases.append(Case(number, f"{name} {a} {b}", instruction, (a, b), waves, number % 3 == 1))
    lines = list(MODULE_START)
    for case in cases:
        lines += case.globals()
    lines.append("gpu.module @kernels {")
    for case in cases:
        lines += case.kernel(wave)
    lines.append("}")
    for case in cases:
        lines += case.host()
    lines += ["func.func @main() -> i32 {", f"  %wave = arith.constant {wave} : index"]
    lines += [f"  call @run{case.number}(%wave) : (index) -> ()" for case in cases] + MAIN_END
    folder = args.work or tempfile.mkdtemp(prefix="aircc-scaled-")
    os.makedirs(folder, exist_ok=True)
    base = os.path.join(folder, f"scaled-{args.target}")
    with open(base + ".mlir", "w") as f:
        f.write("\n".join(lines) + "\n")
    compiled = run([args.aircc, base + ".mlir", "--target", args.target, "-o", base])
    if compiled.returncode:
        print(f"{base}.mlir does not compile: {compiled.stderr.strip()[:2000]}")
        return 1
    # The kernel must consist of scaled instructions only.
    text = run([args.aircc, base + ".mlir", "--target", args.target, "--emit=distributed", "-o", "-"]).stdout
    kernels = text.split("gpu.func @")[1:]
    lost = [case.name for case, kernel in zip(cases, kernels) if "amdgpu.scaled_mfma" not in kernel]
    for name in lost:
        print(f"{name}: no scaled instruction")
    ran, wrong = run_products(
        base, {case.number: f"{case.name}, {case.waves} waves, split {case.split}" for case in cases}
    )
    if not wrong and not args.work:
        os.remove(base + ".mlir")
        os.remove(base)
        os.rmdir(folder)
    print(f"{len(cases)} combinations of types, {len(cases) - wrong} products right, {wrong} wrong")
    return 1 if wrong or lost or ran.returncode else 0


if __name__ == "__main__":
    sys.exit(main())
