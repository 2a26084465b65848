#!/usr/bin/env python3
"""Random products of matrices in XeGPU, of whole workgroups, against the host.

    products.py --aircc BINARY [--seed N] [--count N] [--target NAME] [--batch N] [--work DIR]

A kernel is a product with code that usually surrounds it: loops over K, other types, transposed factors, matrices
that end within a tile, a bias along either dimension, functions of the result, sums over rows or columns, prefetches.
Some of its ops have layouts for subgroups and lanes; aircc finds those of the others. The host computes the same with
loops. Numbers are small integers, so that sums are exact in any order.

`--seed THAT --count 1` generates a failing program again.
"""

import argparse
import os
import random
import re
import sys
import tempfile

sys.dont_write_bytecode = True  # Do not write .pyc files to the source folder.
from running import device_level, run
from text import MAIN_END, MODULE_START, compare_function, fill_function, print_and_return
from values import is_float, memref, vector

# Factors, accumulator, the K of an instruction, the range of numbers.
TYPES = [
    ("f16", "f32", 16, 7),
    ("f16", "f16", 16, 5),
    ("bf16", "f32", 16, 7),
    ("bf16", "bf16", 16, 3),
    ("i8", "i32", 32, 7),
]


def tdesc(shape, elem):
    return "!xegpu.tensor_desc<" + "".join(f"{n}x" for n in shape) + elem + ">"


class Product:
    def __init__(self, seed):
        self.seed = seed
        r = self.r = random.Random(seed)
        self.elem, self.acc, step, self.modulus = r.choice(TYPES)
        self.waves = r.choice([1, 2, 4, 8])
        self.tile = (r.choice([8, 16, 16, 32, 64]), r.choice([16, 32, 32, 64]), step * r.choice([1, 1, 2]))
        self.grid = (r.choice([1, 1, 2]), r.choice([1, 1, 2]))
        self.iterations = r.choice([1, 2, 3])
        tm, tn, tk = self.tile
        self.m, self.n, self.k = tm * self.grid[0], tn * self.grid[1], tk * self.iterations
        if r.random() < 0.3:  # The last tiles go beyond the matrices.
            self.m -= r.randrange(tm)
            self.n -= r.choice([0, 8, tn // 2])
        self.a_turned, self.b_turned = r.random() < 0.25, r.random() < 0.25
        self.bias = r.choice([None, "row", "row 2-D", "column"])
        self.init = r.choice(["zero", "none", "matrix"])
        self.result = self.acc
        self.relu, self.twice = r.random() < 0.4, r.random() < 0.4
        self.reduce = r.choice([None, None, "rows", "columns"])
        self.carried = r.random() < 0.3
        self.buffers, self.lines, self.count = [], [], 0

    # --- Layouts in the program ----------------------------------------

    def layout(self, rows, columns, name="layout"):
        r = self.r
        if r.random() < 0.6:
            return ""
        # Products are made of blocks of 16 columns.
        block = 16 if name == "layout_cd" else 1
        choices = [
            (p, self.waves // p)
            for p in (1, 2, 4, 8)
            if self.waves % p == 0 and rows % p == 0 and columns % (self.waves // p * block) == 0
        ]
        if not choices:
            return ""
        p, q = r.choice(choices)
        rows, columns = rows // p, columns // q
        text = f"sg_layout = [{p}, {q}], sg_data = [{rows}, {columns}]"
        if rows % 8 == 0 and columns % 16 == 0 and r.random() < 0.4:
            text += ", inst_data = [8, 16]"
        if columns % 16 == 0 and "inst" not in text and r.random() < 0.3:
            text += ", lane_layout = [1, 16], lane_data = [1, 1]"
        return f"{name} = #xegpu.layout<{text}>"

    def layout_attribute(self, rows, columns):
        text = self.layout(rows, columns)
        return f" <{{{text}}}>" if text else ""

    # --- The kernel -----------------------------------------------------------

    def fresh(self):
        self.count += 1
        return f"%v{self.count}"

    def emit(self, text):
        self.lines.append("  " + text)

    def buffer(self, shape, elem, modulus=7):
        name = f"%m{len(self.buffers)}"
        self.buffers.append((name, shape, elem, modulus))
        return name

    def load(self, name, shape, elem, tile, at, turned=False):
        desc, value = self.fresh(), self.fresh()
        if turned:
            tile, at = tile[::-1], at[::-1]
        self.emit(f"{desc} = xegpu.create_nd_tdesc {name} : {memref(shape, elem)} -> {tdesc(tile, elem)}")
        how = self.layout_attribute(*tile) if len(tile) == 2 and not turned else ""
        by_load = turned and self.r.random() < 0.5
        attribute = " <{transpose = array<i64: 1, 0>}>" if by_load else how
        type = vector(tile[::-1] if by_load else tile, elem)
        self.emit(f"{value} = xegpu.load_nd {desc}[{', '.join(at)}]{attribute} : {tdesc(tile, elem)} -> {type}")
        if turned and not by_load:
            other = self.fresh()
            self.emit(f"{other} = vector.transpose {value}, [1, 0] : {type} to {vector(tile[::-1], elem)}")
            value = other
        return value

    def splat(self, type, elem, number):
        name = self.fresh()
        self.emit(f"{name} = arith.constant dense<{float(number) if is_float(elem) else number}> : {type}")
        return name

    def draw(self):
        r = self.r
        tm, tn, tk = self.tile
        a_shape = [self.k, self.m] if self.a_turned else [self.m, self.k]
        b_shape = [self.n, self.k] if self.b_turned else [self.k, self.n]
        a, b = self.buffer(a_shape, self.elem, self.modulus), self.buffer(b_shape, self.elem, self.modulus)
        out_shape, out_type = [self.m, self.n], vector([tm, tn], self.acc)
        e = self.emit
        for name, number in (("%c0", 0), ("%tm", tm), ("%tn", tn), ("%tk", tk), ("%end", self.k)):
            e(f"{name} = arith.constant {number} : index")
        e("%by = gpu.block_id y")
        e("%bx = gpu.block_id x")
        e("%row = arith.muli %by, %tm : index")
        e("%column = arith.muli %bx, %tn : index")
        init = None
        if self.init == "matrix":
            init = self.load(self.buffer(out_shape, self.acc), out_shape, self.acc, [tm, tn], ["%row", "%column"])
        elif self.init == "zero" or self.iterations > 1:
            init = self.splat(out_type, self.acc, 0)
        prefetched = r.random() < 0.4
        if prefetched:
            tile, at = ([tk, tm], ["%c0", "%row"]) if self.a_turned else ([tm, tk], ["%row", "%c0"])
            e(f"%prefetched = xegpu.create_nd_tdesc {a} : {memref(a_shape, self.elem)} -> {tdesc(tile, self.elem)}")
            attribute = self.layout_attribute(*tile)
            e(f"xegpu.prefetch_nd %prefetched[{', '.join(at)}]{attribute} : {tdesc(tile, self.elem)}")

        def product(k, acc):
            left = self.load(a, a_shape, self.elem, [tm, tk], ["%row", k], self.a_turned)
            right = self.load(b, b_shape, self.elem, [tk, tn], [k, "%column"], self.b_turned)
            value = self.fresh()
            layouts = [x for x in (self.layout(tm, tn, "layout_cd"),) if x]
            attrs = f" {{{', '.join(layouts)}}}" if layouts else ""
            more, more_type = (f", {acc}", f", {out_type}") if acc else ("", "")
            e(
                f"{value} = xegpu.dpas {left}, {right}{more}{attrs}"
                f" : {vector([tm, tk], self.elem)}, {vector([tk, tn], self.elem)}{more_type} -> {out_type}"
            )
            return value

        if self.iterations == 1 and not self.carried:
            value = product("%c0", init)
        else:
            if not init:
                init = self.splat(out_type, self.acc, 0)
            value = self.fresh()
            if self.carried:
                # The loop carries the descriptor.
                tile, at = ([tk, tm], ["%c0", "%row"]) if self.a_turned else ([tm, tk], ["%row", "%c0"])
                type = tdesc(tile, self.elem)
                desc = self.fresh()
                e(f"{desc} = xegpu.create_nd_tdesc {a}[{', '.join(at)}] : {memref(a_shape, self.elem)} -> {type}")
                e(
                    f"{value}:2 = scf.for %k = %c0 to %end step %tk iter_args(%sum = {init}, %d = {desc})"
                    f" -> ({out_type}, {type}) {{"
                )
                left = self.fresh()
                shape = tile
                e(f"{left} = xegpu.load_nd %d : {type} -> {vector(shape, self.elem)}")
                if self.a_turned:
                    other = self.fresh()
                    e(
                        f"{other} = vector.transpose {left}, [1, 0] : {vector(shape, self.elem)}"
                        f" to {vector([tm, tk], self.elem)}"
                    )
                    left = other
                right = self.load(b, b_shape, self.elem, [tk, tn], ["%k", "%column"], self.b_turned)
                step, moved = self.fresh(), self.fresh()
                e(
                    f"{step} = xegpu.dpas {left}, {right}, %sum"
                    f" : {vector([tm, tk], self.elem)}, {vector([tk, tn], self.elem)}, {out_type} -> {out_type}"
                )
                by = f"{tk}, 0" if self.a_turned else f"0, {tk}"
                e(f"{moved} = xegpu.update_nd_offset %d, [{by}] : {type}")
                e(f"scf.yield {step}, {moved} : {out_type}, {type}")
                e("}")
                value += "#0"
            else:
                e(f"{value} = scf.for %k = %c0 to %end step %tk iter_args(%sum = {init}) -> ({out_type}) {{")
                step = product("%k", "%sum")
                e(f"scf.yield {step} : {out_type}")
                e("}")
        add = "addf" if is_float(self.acc) else "addi"

        def op(text):
            nonlocal value
            name = self.fresh()
            e(f"{name} = arith.{text}")
            value = name

        if self.bias:
            if self.bias == "row 2-D":
                small, shape, tile, at = vector([1, tn], self.acc), [1, self.n], [1, tn], ["%c0", "%column"]
            elif self.bias == "row":
                small, shape, tile, at = vector([tn], self.acc), [self.n], [tn], ["%column"]
            else:
                small, shape, tile, at = vector([tm, 1], self.acc), [self.m, 1], [tm, 1], ["%row", "%c0"]
            own = self.load(self.buffer(shape, self.acc, self.modulus), shape, self.acc, tile, at)
            wide = self.fresh()
            e(f"{wide} = vector.broadcast {own} : {small} to {out_type}")
            op(f"{add} {value}, {wide} : {out_type}")
        if self.relu:
            zero = self.splat(out_type, self.acc, 0)
            op(f"{'maximumf' if is_float(self.acc) else 'maxsi'} {value}, {zero} : {out_type}")
        if self.twice:
            op(f"{add} {value}, {value} : {out_type}")
        if self.reduce:
            kind = "maximumf" if is_float(self.acc) else "maxsi"
            dim, size = (1, tm) if self.reduce == "rows" else (0, tn)
            least = self.splat(vector([size], self.acc), self.acc, -5)
            best, desc = self.fresh(), self.fresh()
            e(
                f"{best} = vector.multi_reduction <{kind}>, {value}, {least} [{dim}] : {out_type}"
                f" to {vector([size], self.acc)}"
            )
            shape = [self.grid[1], tm * self.grid[0]] if dim == 1 else [self.grid[0], tn * self.grid[1]]
            name = self.buffer(shape, self.acc)
            flat = tdesc([size], self.acc)
            at = "%bx, %row" if dim == 1 else "%by, %column"
            e(f"{desc} = xegpu.create_nd_tdesc {name}[{at}] : {memref(shape, self.acc)} -> {flat}")
            e(f"xegpu.store_nd {best}, {desc} : {vector([size], self.acc)}, {flat}")
        out = self.buffer(out_shape, self.acc)
        desc = self.fresh()
        e(f"{desc} = xegpu.create_nd_tdesc {out} : {memref(out_shape, self.acc)} -> {tdesc([tm, tn], self.acc)}")
        attribute = self.layout_attribute(tm, tn)
        e(f"xegpu.store_nd {value}, {desc}[%row, %column]{attribute} : {out_type}, {tdesc([tm, tn], self.acc)}")
        return self

    # --- The host's loops -------------------------------------------------------

    def host(self):
        tm, tn, _ = self.tile
        names = [name for name, *_ in self.buffers]
        types = {name: memref(shape, elem) for name, shape, elem, _ in self.buffers}
        left = names[2:]
        flt = is_float(self.acc)
        add, mul, acc = ("addf", "mulf", self.acc) if flt else ("addi", "muli", self.acc)
        zero = "0.0" if flt else "0"
        lines = [
            "%c0 = arith.constant 0 : index",
            "%c1 = arith.constant 1 : index",
            f"%zero = arith.constant {zero} : {acc}",
            *(
                f"%{x} = arith.constant {n} : index"
                for x, n in (
                    ("m", tm * self.grid[0]),
                    ("n", tn * self.grid[1]),
                    ("k", self.k),
                    ("rows", self.m),
                    ("columns", self.n),
                    ("tm", tm),
                    ("tn", tn),
                )
            ),
        ]
        init = left.pop(0) if self.init == "matrix" else None
        bias = left.pop(0) if self.bias else None
        best = left.pop(0) if self.reduce else None
        out = left.pop(0)
        if best:
            least = "-5.0" if flt else "-5"
            sizes = next(shape for name, shape, *_ in self.buffers if name == best)
            lines += [
                f"%least = arith.constant {least} : {acc}",
                *(f"%s{i} = arith.constant {n} : index" for i, n in enumerate(sizes)),
                "scf.for %i = %c0 to %s0 step %c1 {",
                "scf.for %j = %c0 to %s1 step %c1 {",
                f"memref.store %least, {best}[%i, %j] : {types[best]}",
                "}",
                "}",
            ]
        lines += [
            "scf.for %i = %c0 to %m step %c1 {",
            "scf.for %j = %c0 to %n step %c1 {",
            "%a = arith.cmpi ult, %i, %rows : index",
            "%b = arith.cmpi ult, %j, %columns : index",
            "%in = arith.andi %a, %b : i1",
        ]

        def read(result, condition, name, at):
            lines.extend(
                [
                    f"{result} = scf.if {condition} -> ({acc}) {{",
                    f"{result}x = memref.load {name}[{at}] : {types[name]}",
                    f"scf.yield {result}x : {acc}",
                    "} else {",
                    f"scf.yield %zero : {acc}",
                    "}",
                ]
            )

        start = "%zero"
        if init:
            read("%start", "%in", init, "%i, %j")
            start = "%start"
        a_at, b_at = ("%x, %i" if self.a_turned else "%i, %x"), ("%j, %x" if self.b_turned else "%x, %j")

        def widened(result, value):
            if self.elem == acc:
                return value
            lines.append(f"{result} = arith.{'extf' if flt else 'extsi'} {value} : {self.elem} to {acc}")
            return result

        lines += [
            f"%sum = scf.if %in -> ({acc}) {{",
            f"%all = scf.for %x = %c0 to %k step %c1 iter_args(%s = {start}) -> ({acc}) {{",
            f"%p = memref.load %m0[{a_at}] : {types['%m0']}",
            f"%q = memref.load %m1[{b_at}] : {types['%m1']}",
        ]
        p, q = widened("%pw", "%p"), widened("%qw", "%q")
        lines += [
            f"%pq = arith.{mul} {p}, {q} : {acc}",
            f"%t = arith.{add} %s, %pq : {acc}",
            f"scf.yield %t : {acc}",
            "}",
            f"scf.yield %all : {acc}",
            "} else {",
            f"scf.yield {start} : {acc}",
            "}",
        ]
        value = "%sum"
        if bias:
            condition, at = {"row": ("%b", "%j"), "row 2-D": ("%b", "%c0, %j"), "column": ("%a", "%i, %c0")}[self.bias]
            read("%bias", condition, bias, at)
            lines.append(f"%biased = arith.{add} {value}, %bias : {acc}")
            value = "%biased"
        if self.relu:
            lines.append(f"%relu = arith.{'maximumf' if flt else 'maxsi'} {value}, %zero : {acc}")
            value = "%relu"
        if self.twice:
            lines.append(f"%twice = arith.{add} {value}, {value} : {acc}")
            value = "%twice"
        if best:
            at = "%bj, %i" if self.reduce == "rows" else "%bi, %j"
            lines += [
                "%bi = arith.divui %i, %tm : index",
                "%bj = arith.divui %j, %tn : index",
                f"%old = memref.load {best}[{at}] : {types[best]}",
                f"%new = arith.{'maximumf' if flt else 'maxsi'} %old, {value} : {acc}",
                f"memref.store %new, {best}[{at}] : {types[best]}",
            ]
        lines += ["scf.if %in {", f"memref.store {value}, {out}[%i, %j] : {types[out]}", "}", "}", "}"]
        return lines


def batch_text(programs):
    kernels, host, main, elems = [], [], [], set()
    for p in programs:
        types = [memref(shape, elem) for _, shape, elem, _ in p.buffers]
        args = ", ".join(f"{name}: {t}" for (name, *_), t in zip(p.buffers, types))
        kernels += [
            (
                f"gpu.func @kernel{p.seed}({args}) kernel"
                f" attributes {{known_block_size = array<i32: {16 * p.waves}, 1, 1>}} {{"
            ),
            *p.lines,
            "  gpu.return",
            "}",
        ]
        host += [
            f"func.func private @host{p.seed}({args}) {{",
            *p.host(),
            "return",
            "}",
            f"func.func private @run{p.seed}() {{",
            "%c1 = arith.constant 1 : index",
            f"%threads = arith.constant {16 * p.waves} : index",
            f"%gx = arith.constant {p.grid[1]} : index",
            f"%gy = arith.constant {p.grid[0]} : index",
            f"%seed = arith.constant {p.seed} : i64",
            "%zero = arith.constant 0 : i64",
        ]
        for k, (name, shape, elem, modulus) in enumerate(p.buffers):
            elems.add(elem)
            count = 1
            for n in shape:
                count *= n
            flat, dyn = memref([count], elem), memref(["?"], elem)
            host += [f"%count{k} = arith.constant {count} : index", f"%modulus{k} = arith.constant {modulus} : i64"]
            for side in ("h", "b"):
                host += [
                    f"%{side}f{k} = memref.alloc() : {flat}",
                    f"%{side}d{k} = memref.cast %{side}f{k} : {flat} to {dyn}",
                    (
                        f"func.call @fill_{elem}(%{side}d{k}, %count{k}, %modulus{k}, %seed) : ({dyn}, index, i64, i64)"
                        " -> ()"
                    ),
                    (
                        f"%{side}{k} = memref.expand_shape %{side}f{k} [[{', '.join(map(str, range(len(shape))))}]]"
                        f" output_shape {shape} : {flat} into {types[k]}"
                    ),
                ]
            host += [f"%g{k} = gpu.alloc () : {types[k]}", f"gpu.memcpy %g{k}, %h{k} : {types[k]}, {types[k]}"]
        all = ", ".join(types)
        host.append(f"func.call @host{p.seed}({', '.join(f'%h{k}' for k in range(len(types)))}) : ({all}) -> ()")
        launch = ", ".join(f"%g{k} : {t}" for k, t in enumerate(types))
        host.append(
            f"gpu.launch_func @kernels::@kernel{p.seed} blocks in (%gx, %gy, %c1) threads in (%threads, %c1, %c1)"
            f" args({launch})"
        )
        total = "%zero"
        for k, (name, shape, elem, _) in enumerate(p.buffers):
            dyn = memref(["?"], elem)
            host += [
                f"gpu.memcpy %b{k}, %g{k} : {types[k]}, {types[k]}",
                f"%x{k} = func.call @differ_{elem}(%hd{k}, %bd{k}, %count{k}) : ({dyn}, {dyn}, index) -> i64",
                f"%t{k} = arith.addi {total}, %x{k} : i64",
                f"gpu.dealloc %g{k} : {types[k]}",
            ]
            total = f"%t{k}"
        host += print_and_return("%seed", total)
        main.append(f"call @run{p.seed}() : () -> ()")
    out = [*MODULE_START, "gpu.module @kernels {", *kernels, "}", *host]
    for elem in sorted(elems):
        out += fill_function(elem) + compare_function(elem)
    return "\n".join(out + ["func.func @main() -> i32 {"] + main + MAIN_END) + "\n"


def check(seeds, args, folder):
    """Returns the errors of a batch: seed -> text."""
    base = os.path.join(folder, f"products-{seeds[0]}")
    with open(base + ".mlir", "w") as f:
        f.write(batch_text([Product(seed).draw() for seed in seeds]))
    compiled = run(
        [args.aircc, base + ".mlir", "--target", args.target, "--start-at", "layout", *device_level(1), "-o", base]
    )
    if compiled.returncode:
        if len(seeds) == 1:
            return {seeds[0]: "does not compile: " + compiled.stderr.strip()[:600]}
        half = len(seeds) // 2
        return {**check(seeds[:half], args, folder), **check(seeds[half:], args, folder)}
    ran = run([base], env=dict(os.environ, AIRCC_DEVICE="sim"))
    seen = {int(a): int(b) for a, b in re.findall(r"^(\d+) (\d+)$", ran.stdout, re.M)}
    problems = {}
    for i, seed in enumerate(seeds):
        if seed not in seen:
            problems[seed] = f"gave no result (exit code {ran.returncode}): {ran.stderr.strip()[:600]}"
            rest = seeds[i + 1 :]
            return {**problems, **(check(rest, args, folder) if rest else {})}
        if seen[seed]:
            problems[seed] = f"{seen[seed]} elements differ from the host's"
    if not args.work and not problems:
        os.remove(base + ".mlir")
        os.remove(base)
    return problems


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--aircc", help="the binary to test; without it the programs are printed")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=1)
    parser.add_argument("--batch", type=int, default=10, help="how many programs are compiled together")
    parser.add_argument("--target", default="bmg")
    parser.add_argument("--work", help="where the programs go, and stay")
    args = parser.parse_args()
    seeds = list(range(args.seed, args.seed + args.count))
    if not args.aircc:
        sys.stdout.write(batch_text([Product(seed).draw() for seed in seeds]))
        return 0
    folder = args.work or tempfile.mkdtemp(prefix="aircc-products-")
    os.makedirs(folder, exist_ok=True)
    failed = 0
    for start in range(0, len(seeds), args.batch):
        for seed, text in check(seeds[start : start + args.batch], args, folder).items():
            failed += 1
            print(f"seed {seed}: {text}", flush=True)
    if not failed and not args.work:
        os.rmdir(folder)
    print(f"{len(seeds) - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
