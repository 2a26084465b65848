#!/usr/bin/env python3
"""Every matrix instruction of a target's profile, as whole contractions.

    matrix.py --aircc BINARY --target NAME[@LANES] [--only INSTRUCTION] [--work DIR]

For each instruction a kernel multiplies two matrices, a few tiles of the instruction in each dimension, on one wave
and on four, with the operands in the layouts that the profile lists, with B transposed in memory, and with the
columns and summands of several instructions adjacent in a lane. The host multiplies the same numbers with three
loops. They are small integers, so that the result does not depend on the order of summation.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile

from running import chip, device_level, run, run_products, target_options, wave_size
from text import MAIN_END, MODULE_START, alias, count_rows, print_and_return
from values import Dim, Layout, is_float, memref, vector


def tiled(operand, batch, waves, strides, merge=()):
    """The layout of an operand of `batch` tiles on each of `waves` waves. Along the dimensions in `merge` the tiles are
    interleaved, so that the values of a lane are adjacent."""
    ones = [1] * 2
    rows = zip(
        operand.get("outerTile", ones),
        operand["threadTile"],
        operand.get("elementTile", ones),
        operand.get("threadStrides", [0, 0]),
        batch,
        waves,
        strides,
    )
    return Layout(
        Dim(sg, 1, 1, t, b * o * e, ss, ts) if i in merge else Dim(sg, b, o, t, e, ss, ts)
        for i, (o, t, e, ts, b, sg, ss) in enumerate(rows)
    )


class Case:
    """One contraction."""

    def __init__(self, number, name, instruction, waves, transposed, merged):
        self.number, self.name, self.transposed, self.merged = number, name, transposed, merged
        m, n, k = instruction["shape"]
        self.waves = waves
        wm, wn = (2, 2) if waves == 4 else (1, 1)
        a, b, c = (instruction[x] for x in "abc")
        bm, bn, bk = (1, 2, 2) if waves == 1 or merged else (2, 1, 1)
        self.m, self.n, self.k = m * bm * wm, n * bn * wn, k * bk
        # Summands can only be adjacent in A if they are distributed over lanes like those of B.
        along_sums = a["threadTile"][1] == b["threadTile"][0]
        self.la = tiled(a, (bm, bk), (wm, 1), (wn, 0), [1] if merged and along_sums else [])
        self.lb = tiled(b, (bk, bn), (1, wn), (0, 1), [0, 1] if merged else [])
        self.lc = tiled(c, (bm, bn), (wm, wn), (wn, 1), [1] if merged else [])
        if transposed:
            self.lb = Layout(reversed(self.lb.dims))
        names = {"tf32": "f32"}
        self.types = [names.get(x["type"], x["type"]) for x in (a, b, c)]

    @property
    def shapes(self):
        return [[self.m, self.k], [self.n, self.k] if self.transposed else [self.k, self.n], [self.m, self.n]]

    def buffers(self):
        return [memref(s, t) for s, t in zip(self.shapes, self.types)]

    def kernel(self, layouts, wave):
        refs = [alias(layouts, x) for x in (self.la, self.lb, self.lc)]
        ma, mb, mc = self.buffers()
        va, vb, vc = (vector(s, t) for s, t in zip(self.shapes, self.types))
        b_map = "(n, k)" if self.transposed else "(k, n)"
        # The op has one type for both factors. If the types differ, the narrower factor is extended, and the
        # instruction takes the original.
        mixed = self.types[0] != self.types[1]
        lines = [
            f"gpu.func @kernel{self.number}(%a: {ma}, %b: {mb}, %c: {mc}) kernel attributes "
            f"{{known_block_size = array<i32: {self.waves * wave}, 1, 1>, layout.scope = #layout.scope<workgroup>}} {{",
            "  %c0 = arith.constant 0 : index",
        ]
        for x, m, v, ref, t in zip("abc", (ma, mb, mc), (va, vb, vc), refs, self.types):
            zero = "0.0" if t.startswith(("f", "bf", "tf")) else "0"
            lines += [
                f"  %p{x} = arith.constant {zero} : {t}",
                (
                    f"  %v{x} = vector.transfer_read %{x}[%c0, %c0], %p{x} {{in_bounds = [true, true],"
                    f" layout.results = [{ref}]}} : {m}, {v}"
                ),
            ]
        sides = "%va, %vb"
        if mixed:
            sides = "%wa, %wb"
            for x, ref in zip("ab", refs):
                narrow, wide = (va, vector(self.shapes[0], "f32")) if x == "a" else (vb, vector(self.shapes[1], "f32"))
                lines.append(f"  %w{x} = arith.extf %v{x} {{layout.results = [{ref}]}} : {narrow} to {wide}")
            va, vb = (vector(s, "f32") for s in self.shapes[:2])
        lines += [
            f'  %r = vector.contract {{layout.results = [{refs[2]}], layout.matrix_instruction = "{self.name}", '
            f"indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> {b_map}>,"
            " affine_map<(m, n, k) -> (m, n)>], "
            f'iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>}} {sides}, %vc'
            f" : {va}, {vb} into {vc}",
            f"  vector.transfer_write %r, %c[%c0, %c0] {{in_bounds = [true, true]}} : {vc}, {mc}",
            "  gpu.return",
            "}",
        ]
        return lines

    def host(self):
        """Emits code that fills the operands, multiplies, launches and compares."""
        types, buffers = self.types, self.buffers()
        out = [f"func.func private @run{self.number}(%wave: index) {{"]
        out += [
            "  %c0 = arith.constant 0 : index",
            "  %c1 = arith.constant 1 : index",
            f"  %number = arith.constant {self.number} : i64",
            f"  %waves = arith.constant {self.waves} : index",
            "  %threads = arith.muli %waves, %wave : index",
            "  %zero = arith.constant 0 : i64",
        ]
        out += [f"  %{x} = arith.constant {size} : index" for x, size in zip("MNK", (self.m, self.n, self.k))]
        rows = [("M", "K"), ("N", "K") if self.transposed else ("K", "N"), ("M", "N")]
        for k, (x, (r, c)) in enumerate(zip("abc", rows)):
            modulus = 5 if x != "c" else 9
            sides = ["h"] if x != "c" else ["h", "w"]
            for side in sides:
                out += [f"  %{side}{x} = memref.alloc() : {buffers[k]}"]
            out += [
                f"  %modulus{x} = arith.constant {modulus} : i64",
                f"  %half{x} = arith.constant {modulus // 2} : i64",
                f"  %factor{x} = arith.constant {[40503, 30011, 20023][k]} : i64",
                f"  %shift{x} = arith.constant 7 : i64",
                f"  scf.for %i = %c0 to %{r} step %c1 {{",
                f"    scf.for %j = %c0 to %{c} step %c1 {{",
                f"      %row = arith.muli %i, %{c} : index",
                "      %at = arith.addi %row, %j : index",
                "      %x = arith.index_cast %at : index to i64",
                f"      %y = arith.muli %x, %factor{x} : i64",
                f"      %z = arith.shrui %y, %shift{x} : i64",
                f"      %q = arith.remui %z, %modulus{x} : i64",
                f"      %v = arith.subi %q, %half{x} : i64",
            ]
            out += convert("%v", "%e", types[k])
            out += [f"      memref.store %e, %{side}{x}[%i, %j] : {buffers[k]}" for side in sides] + ["    }", "  }"]
            out += [f"  %g{x} = gpu.alloc () : {buffers[k]}", f"  gpu.memcpy %g{x}, %h{x} : {buffers[k]}, {buffers[k]}"]
        launch = ", ".join(f"%g{x} : {t}" for x, t in zip("abc", buffers))
        out += [
            (
                f"  gpu.launch_func @kernels::@kernel{self.number} blocks in (%c1, %c1, %c1) threads in (%threads, %c1,"
                f" %c1) args({launch})"
            ),
            f"  gpu.memcpy %hc, %gc : {buffers[2]}, {buffers[2]}",
        ]
        wide = "f64" if is_float(types[2]) else "i64"
        out += [
            "  %one = arith.constant 1 : i64",
            "  %bad = scf.for %i = %c0 to %M step %c1 iter_args(%s0 = %zero) -> (i64) {",
            "    %s1 = scf.for %j = %c0 to %N step %c1 iter_args(%s2 = %s0) -> (i64) {",
            f"      %first = memref.load %wc[%i, %j] : {buffers[2]}",
        ]
        out += widen("%first", "%init", types[2], wide)
        b_at = "%j, %k" if self.transposed else "%k, %j"
        out += [
            f"      %sum = scf.for %k = %c0 to %K step %c1 iter_args(%s = %init) -> ({wide}) {{",
            f"        %xa = memref.load %ha[%i, %k] : {buffers[0]}",
            f"        %xb = memref.load %hb[{b_at}] : {buffers[1]}",
        ]
        out += widen("%xa", "%wa", types[0], wide) + widen("%xb", "%wb", types[1], wide)
        f = "f" if wide == "f64" else "i"
        out += [
            f"        %p = arith.mul{f} %wa, %wb : {wide}",
            f"        %t = arith.add{f} %s, %p : {wide}",
            f"        scf.yield %t : {wide}",
            "      }",
            f"      %got = memref.load %hc[%i, %j] : {buffers[2]}",
        ]
        out += widen("%got", "%gotw", types[2], wide)
        compare = "arith.cmpf une" if f == "f" else "arith.cmpi ne"
        return out + count_rows(f"{compare}, %gotw, %sum : {wide}") + print_and_return("%number", "%bad")


def convert(name, result, type):
    """A small i64, converted to the type."""
    if type.startswith("i"):
        return [
            f"      {result} = arith.trunci {name} : i64 to {type}"
            if type != "i64"
            else f"      {result} = arith.addi {name}, %zero : i64"
        ]
    if type == "f64" or type == "f32":
        return [f"      {result} = arith.sitofp {name} : i64 to {type}"]
    return [
        f"      {result}_f = arith.sitofp {name} : i64 to f32",
        f"      {result} = arith.truncf {result}_f : f32 to {type}",
    ]


def widen(name, result, type, wide):
    if wide == type:
        zero = "arith.negf" if wide == "f64" else None
        return (
            [f"      {result}_n = arith.negf {name} : f64", f"      {result} = arith.negf {result}_n : f64"]
            if zero
            else [f"      {result} = arith.addi {name}, %zero : i64"]
        )
    if wide == "i64":
        return [f"      {result} = arith.extsi {name} : {type} to i64"]
    if type == "f32":
        return [f"      {result} = arith.extf {name} : f32 to f64"]
    return [
        f"      {result}_f = arith.extf {name} : {type} to f32",
        f"      {result} = arith.extf {result}_f : f32 to f64",
    ]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--aircc", required=True)
    parser.add_argument("--target", required=True)
    parser.add_argument("--only", help="the name of one instruction")
    parser.add_argument("--work", help="where the program goes, and stays")
    args = parser.parse_args()
    profile = json.loads(
        subprocess.run([args.aircc, "targets", chip(args.target)], capture_output=True, text=True, check=True).stdout
    )
    wave = wave_size(args.target)
    cases = []
    for name, instruction in sorted(profile["matrixInstructions"].items()):
        # Instructions with scales are not contractions of two factors.
        if args.only in (None, name) and "scales" not in instruction:
            if wave == 64:
                instruction = {**instruction, **instruction.get("wave64", {})}
            for waves in (1, 4):
                for transposed, merged in ((False, False), (True, False), (False, True)):
                    cases.append(Case(len(cases), name, instruction, waves, transposed, merged))
    layouts, kernels, host = {}, [], []
    for case in cases:
        kernels += case.kernel(layouts, wave)
        host += case.host()
    lines = [f"{name} = {text}" for text, name in layouts.items()]
    lines += (
        MODULE_START
        + ["gpu.module @kernels {"]
        + kernels
        + ["}"]
        + host
        + ["func.func @main() -> i32 {", f"  %wave = arith.constant {wave} : index"]
    )
    lines += [f"  call @run{case.number}(%wave) : (index) -> ()" for case in cases] + MAIN_END
    folder = args.work or tempfile.mkdtemp(prefix="aircc-matrix-")
    os.makedirs(folder, exist_ok=True)
    base = os.path.join(folder, f"matrix-{args.target}")
    with open(base + ".mlir", "w") as f:
        f.write("\n".join(lines) + "\n")
    compiled = run(
        [
            args.aircc,
            base + ".mlir",
            *target_options([args.target]),
            "--start-at",
            "distribution",
            *device_level(2),
            "-o",
            base,
        ]
    )
    if compiled.returncode:
        print(f"{base}.mlir does not compile: {compiled.stderr.strip()[:2000]}")
        return 1
    ran, wrong = run_products(
        base,
        {
            case.number: f"{case.name}, {case.waves} waves, transposed {case.transposed}, merged {case.merged}"
            for case in cases
        },
    )
    if not wrong and not args.work:
        os.remove(base + ".mlir")
        os.remove(base)
        os.rmdir(folder)
    print(f"{len({case.name for case in cases})} instructions, {len(cases) - wrong} products right, {wrong} wrong")
    return 1 if wrong or ran.returncode else 0


if __name__ == "__main__":
    sys.exit(main())
