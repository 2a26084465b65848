#!/usr/bin/env python3
"""Does the same work at every level of an AIR program, and compares the results with the host's.

    places.py --aircc BINARY [--target NAME] [--place NAME]... [--work DIR]

The host runs each case of place_cases.py. The device runs it

    call      in a function that a PE calls
    l1        by a PE, on copies of the buffers in L1
    segment   as code of a segment
    l2        as code of a segment, on copies in L2
    lane      by one lane of a SIMT herd
"""

import argparse
import math
import os
import re
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True  # Do not write .pyc files to the source folder.
from place_cases import CASES

PLACES = ["call", "l1", "segment", "l2", "lane"]
CONSTANTS = "%F = arith.constant 2.5 : f32"


def shape(text, space=0):
    return "memref<" + (text + "x" if text else "") + "f32" + (f", {space}" if space else "") + ">"


def count(text):
    return math.prod(int(n) for n in text.split("x") if n)


def at(body, ins, out, space):
    """The case's code on buffers in a memory space."""
    suffix = f", {space}" if space else ""
    for name, text in (("TA", ins[0]), ("TB", ins[1]), ("TO", out)):
        body = re.sub(rf"\b{name}\b", shape(text, space), body)

    def view(m):
        offset = "" if m[3] == "0" else f", offset: {m[3]}"
        return f"memref<{m[1]}xf32, strided<{m[2]}{offset}>{suffix}>"

    return CONSTANTS + "\n" + re.sub(r"view<([^,]*), (\[[^]]*\]), ([^>]*)>", view, body)


def device(k, ins, out, body, place):
    """Emits the function that launches case number k at its place."""
    types = [shape(t) for t in [*ins, out]]
    args = f"args(%A = %ta, %B = %tb, %O = %to) : {', '.join(types)}"
    herd = place in ("call", "l1", "lane")
    lines = [f"func.func @test{k}(%ta: {types[0]}, %tb: {types[1]}, %to: {types[2]}) {{"]
    if herd:
        lines += ["%one = arith.constant 1 : index", f"air.herd tile (%pe) in (%pes = %one) {args} {{"]
    else:
        lines.append(f"air.segment {args} {{")
    if place == "call":
        lines.append(f"func.call @work{k}(%A, %B, %O) : ({', '.join(types)}) -> ()")
    elif place == "lane":
        lines += [
            "%lane = gpu.lane_id",
            "%first = arith.constant 0 : index",
            "%is_first = arith.cmpi eq, %lane, %first : index",
            "scf.if %is_first {",
            at(body, ins, out, 0),
            "}",
        ]
    elif place == "segment":
        lines.append(at(body, ins, out, 0))
    else:
        space = 2 if place == "l1" else 1
        inner = [shape(t, space) for t in [*ins, out]]
        for b, t, old in zip("ABO", inner, types):
            lines += [f"%L{b} = memref.alloc() : {t}", f"memref.copy %{b}, %L{b} : {old} to {t}"]
        lines.append(re.sub(r"%([ABO])\b", r"%L\1", at(body, ins, out, space)))
        lines.append(f"memref.copy %LO, %O : {inner[2]} to {types[2]}")
    return lines + ["}", "return", "}"]


def host(k, ins, out, body):
    """Emits the functions that compute case number k on the host, and compare."""
    types = [shape(t) for t in [*ins, out]]
    lines = [
        f"func.func private @work{k}(%A: {types[0]}, %B: {types[1]}, %O: {types[2]}) {{",
        at(body, ins, out, 0),
        "return",
        "}",
    ]
    lines += [
        f"func.func private @run{k}() -> index {{",
        "%c0 = arith.constant 0 : index",
        "%c1 = arith.constant 1 : index",
    ]
    for name, text, factor in (("a", ins[0], 7), ("b", ins[1], 5), ("o", out, 3), ("w", out, 3)):
        n = count(text)
        lines += [
            f"%{name} = memref.alloc() : {shape(text)}",
            (
                f"%{name}_flat = memref.reinterpret_cast %{name} to offset: [0], sizes: [{n}], strides: [1]"
                f" : {shape(text)} to memref<{n}xf32, strided<[1]>>"
            ),
            f"%{name}_any = memref.cast %{name}_flat : memref<{n}xf32, strided<[1]>> to memref<?xf32, strided<[1]>>",
            f"%{name}_factor = arith.constant {factor} : index",
            f"call @fill(%{name}_any, %{name}_factor) : (memref<?xf32, strided<[1]>>, index) -> ()",
        ]
    for name, t in zip("abo", types):
        lines += [f"%d{name} = gpu.alloc () : {t}", f"gpu.memcpy %d{name}, %{name} : {t}, {t}"]
    lines += [
        f"call @test{k}(%da, %db, %do) : ({', '.join(types)}) -> ()",
        f"gpu.memcpy %o, %do : {types[2]}, {types[2]}",
        f"call @work{k}(%a, %b, %w) : ({', '.join(types)}) -> ()",
        "%wrong = call @compare(%o_any, %w_any) : (memref<?xf32, strided<[1]>>, memref<?xf32, strided<[1]>>) -> index",
        "return %wrong : index",
        "}",
    ]
    return lines


COMMON = """
llvm.func @printf(!llvm.ptr, ...) -> i32
llvm.mlir.global internal constant @line("%ld %ld\\0A\\00") {addr_space = 0 : i32}
func.func private @fill(%m: memref<?xf32, strided<[1]>>, %factor: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c17 = arith.constant 17 : index
  %c8 = arith.constant 8 : i32
  %n = memref.dim %m, %c0 : memref<?xf32, strided<[1]>>
  scf.for %i = %c0 to %n step %c1 {
    %p = arith.muli %i, %factor : index
    %q = arith.remui %p, %c17 : index
    %r = arith.index_cast %q : index to i32
    %s = arith.subi %r, %c8 : i32
    %v = arith.sitofp %s : i32 to f32
    memref.store %v, %m[%i] : memref<?xf32, strided<[1]>>
  }
  return
}
func.func private @compare(%x: memref<?xf32, strided<[1]>>, %y: memref<?xf32, strided<[1]>>) -> index {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %x, %c0 : memref<?xf32, strided<[1]>>
  %wrong = scf.for %i = %c0 to %n step %c1 iter_args(%count = %c0) -> (index) {
    %a = memref.load %x[%i] : memref<?xf32, strided<[1]>>
    %b = memref.load %y[%i] : memref<?xf32, strided<[1]>>
    %differs = arith.cmpf une, %a, %b : f32
    %more = arith.addi %count, %c1 : index
    %next = arith.select %differs, %more, %count : index
    scf.yield %next : index
  }
  return %wrong : index
}
"""


def program(place):
    lines, main = [COMMON], ["func.func @main() -> i32 {"]
    for k, (name, ins, out, body) in enumerate(CASES):
        lines += device(k, ins, out, body, place) + host(k, ins, out, body)
        main += [
            f"%w{k} = call @run{k}() : () -> index",
            f"%k{k} = arith.constant {k} : i64",
            f"%n{k} = arith.index_cast %w{k} : index to i64",
            f"%t{k} = llvm.mlir.addressof @line : !llvm.ptr",
            f"llvm.call @printf(%t{k}, %k{k}, %n{k}) vararg(!llvm.func<i32 (ptr, ...)>) : (!llvm.ptr, i64, i64) -> i32",
        ]
    return (
        "\n".join(["module {"] + lines + main + ["%zero = arith.constant 0 : i32", "return %zero : i32", "}", "}"])
        + "\n"
    )


def check(place, args, folder):
    """Returns the errors of the cases at a place."""
    path, exe = os.path.join(folder, f"{place}.mlir"), os.path.join(folder, place)
    with open(path, "w") as f:
        f.write(program(place))
    done = subprocess.run(
        [args.aircc, path, "--target", args.target, "-o", exe], capture_output=True, text=True, timeout=600
    )
    if done.returncode:
        return [f"{place}: {done.stderr}"]
    done = subprocess.run([exe], capture_output=True, text=True, timeout=600)
    lines = done.stdout.split("\n")[:-1]
    problems = [f"{place}: {CASES[int(k)][0]}: {n} elements differ" for k, n in map(str.split, lines) if n != "0"]
    if done.returncode or len(lines) != len(CASES):
        problems.append(f"{place}: the program ends with {done.returncode} after {len(lines)} cases: {done.stderr}")
    return problems


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--aircc", required=True)
    parser.add_argument("--target", default="gfx942")
    parser.add_argument("--place", action="append")
    parser.add_argument("--work", help="where the programs go, and stay")
    args = parser.parse_args()
    problems = []
    with tempfile.TemporaryDirectory(prefix="aircc-places-") as temporary:
        folder = args.work or temporary
        os.makedirs(folder, exist_ok=True)
        for place in args.place or PLACES:
            problems += check(place, args, folder)
    for problem in problems:
        print(problem)
    print(f"{len(CASES)} cases at {len(args.place or PLACES)} places: {len(problems)} problems")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
