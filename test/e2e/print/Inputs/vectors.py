#!/usr/bin/env python3
"""Vectors that kernels print, against the same code on the host.

    vectors.py --aircc BINARY --target NAME [--few] [--work DIR]

Each case reads numbers from a buffer, makes a value of some type from them and prints it with vector.print: as an
undistributed vector of a workgroup or a wave, or in a lane. A host function contains the same code, and both must
print the same text, the kernel once for each workgroup, wave or lane.
"""

import argparse
import math
import os
import subprocess
import tempfile

WAVE = {"gfx1100": 32, "gfx1201": 32, "pvc": 16, "bmg": 16, "lnl": 16, "ptl": 16}
TYPES = ["i1", "i4", "i8", "i16", "i32", "i64", "index", "f16", "bf16", "f32", "f64"]


def vector(shape, element):
    return "vector<" + "".join(f"{n}x" for n in shape) + f"{element}>"


def body(shape, element, punctuation, scalar):
    """Returns the lines that print, in a function of the buffer %x."""
    rank = len(shape)
    v = lambda t: t if scalar else vector(shape, t)
    memref = "memref<" + "".join(f"{n}x" for n in shape) + "i64>"
    lines = ["%c0 = arith.constant 0 : index", "%zero = arith.constant 0 : i64"]
    at = ", ".join(["%c0"] * rank)
    if scalar:
        lines.append(f"%r = memref.load %x[{at}] : {memref}")
    elif rank == 0:
        lines += [f"%e = memref.load %x[] : {memref}", f"%r = vector.broadcast %e : i64 to {v('i64')}"]
    else:
        bounds = ", ".join(["true"] * rank)
        lines.append(f"%r = vector.transfer_read %x[{at}], %zero {{in_bounds = [{bounds}]}} : {memref}, {v('i64')}")
    if element == "i64":
        lines.append(f"%v = arith.addi %r, %r : {v('i64')}")
    elif element == "index":
        lines.append(f"%v = arith.index_cast %r : {v('i64')} to {v('index')}")
    elif element[0] == "i":
        lines.append(f"%v = arith.trunci %r : {v('i64')} to {v(element)}")
    else:
        # The 16-bit number and an eighth of it are exact in all types but bf16.
        one = f"dense<0.125> : {v(element)}" if not scalar else f"0.125 : {element}"
        lines += [
            f"%s = arith.trunci %r : {v('i64')} to {v('i8')}",
            f"%f = arith.sitofp %s : {v('i8')} to {v(element)}",
            f"%o = arith.constant {one}",
            f"%v = arith.mulf %f, %o : {v(element)}",
        ]
    tail = f" punctuation <{punctuation}>" if punctuation else ""
    return lines + [f"vector.print %v : {v(element)}{tail}"]


def cases(few, wave):
    """Shape, type, punctuation, scope (None: a lane), whether a scalar, waves."""
    shapes = [[8, 16], [4], [2, 3, 8], [64], [1]]
    punctuations = [None, "no_punctuation", "comma", "open", "close", "newline"]
    result = []
    for n, element in enumerate(TYPES if not few else ["i64", "i1", "i8", "index", "bf16", "f32"]):
        shape = shapes[n % len(shapes)]
        result.append((shape, element, punctuations[n % 6], "workgroup", False, 1 + n % 3))
        result.append((shapes[(n + 2) % len(shapes)], element, punctuations[(n + 1) % 6], "wave", False, 1 + n % 2))
        result.append(([3], element, punctuations[(n + 2) % 6], None, False, 1))
        result.append(([1], element, punctuations[(n + 3) % 6], None, True, 1))
    # Rank 0, and a vector that is larger than the registers of the lanes.
    result.append(([], "f32", None, "workgroup", False, 2))
    result.append(([], "i16", None, None, False, 1))
    if not few:
        result.append(([33, 31], "i32", None, "workgroup", False, 4))
        result.append(([16, 64], "f16", None, "wave", False, 1))
        result.append(([40], "f32", None, None, False, 1))
    return result


def program(list, wave):
    out = ["module attributes {gpu.container_module} {", "gpu.module @m {"]
    main = []
    host = []
    for n, (shape, element, punctuation, scope, scalar, waves) in enumerate(list):
        memref = "memref<" + "".join(f"{k}x" for k in shape) + "i64>"
        lines = body(shape, element, punctuation, scalar)
        attributes = ""
        threads = 1
        if scope:
            threads = waves * wave
            attributes = (
                f" attributes {{known_block_size = array<i32: {threads}, 1, 1>, layout.scope = #layout.scope<{scope}>}}"
            )
        out += (
            [f"gpu.func @k{n}(%x: {memref}) kernel{attributes} {{"] + ["  " + l for l in lines] + ["  gpu.return", "}"]
        )
        times = waves if scope == "wave" else 1
        host += [f"func.func private @h{n}(%x: {memref}) {{"] + ["  " + l for l in lines] + ["  return", "}"]
        host += [
            f"func.func private @case{n}(%on_host: i1) {{",
            "  %c0 = arith.constant 0 : index",
            "  %c1 = arith.constant 1 : index",
            f"  %threads = arith.constant {threads} : index",
            f"  %times = arith.constant {times} : index",
            f"  %n = arith.constant {math.prod(shape)} : index",
            f"  %x = gpu.alloc host_shared () : {memref}",
        ]
        if shape:
            groups = "[[" + ", ".join(map(str, range(len(shape)))) + "]]"
            host.append(f"  %flat = memref.collapse_shape %x {groups} : {memref} into memref<{math.prod(shape)}xi64>")
            flat, place = f"memref<{math.prod(shape)}xi64>", "%i"
        else:
            host.append(f"  %flat = memref.cast %x : {memref} to {memref}")
            flat, place = memref, ""
        host += [
            "  scf.for %i = %c0 to %n step %c1 {",
            "    %i64 = arith.index_cast %i : index to i64",
            "    %factor = arith.constant 0x9E3779B97F4A7C15 : i64",
            f"    %salt = arith.constant {1000 + 17 * n} : i64",
            "    %j = arith.addi %i64, %salt : i64",
            "    %v = arith.muli %j, %factor : i64",
            "    %c7 = arith.constant 7 : i64",
            "    %w = arith.shrsi %v, %c7 : i64",
            f"    memref.store %w, %flat[{place}] : {flat}",
            "  }",
            "  scf.if %on_host {",
            "    scf.for %i = %c0 to %times step %c1 {",
            f"      func.call @h{n}(%x) : ({memref}) -> ()",
            "    }",
            "  } else {",
            (
                f"    gpu.launch_func @m::@k{n} blocks in (%c1, %c1, %c1) threads in (%threads, %c1, %c1)"
                f" args(%x : {memref})"
            ),
            "  }",
            f'  vector.print str " case {n}\\0A"',
            "  return",
            "}",
        ]
        main.append(f"  call @case{n}(%on_host) : (i1) -> ()")
    out += ["}"] + host
    out += (
        [
            "func.func @main(%argc: i32, %argv: !llvm.ptr) -> i32 {",
            "  %c1 = arith.constant 1 : i32",
            "  %c0 = arith.constant 0 : i32",
            "  %on_host = arith.cmpi sgt, %argc, %c1 : i32",
        ]
        + main
        + ["  return %c0 : i32", "}", "}"]
    )
    return "\n".join(out) + "\n"


def run(command):
    done = subprocess.run(command, capture_output=True, text=True, timeout=300)
    if done.returncode:
        raise SystemExit(f"{' '.join(command)}: {done.stderr[:3000]}")
    return done.stdout


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--aircc", required=True)
    parser.add_argument("--target", required=True)
    parser.add_argument("--few", action="store_true", help="fewer types")
    parser.add_argument("--work", help="where the program goes, and stays")
    args = parser.parse_args()
    wave = WAVE.get(args.target, 64)
    list = cases(args.few, wave)
    with tempfile.TemporaryDirectory() as temporary:
        folder = args.work or temporary
        path = os.path.join(folder, "vectors.mlir")
        with open(path, "w") as f:
            f.write(program(list, wave))
        exe = os.path.join(folder, "vectors")
        run([args.aircc, path, "--target", args.target, "-o", exe])
        device, host = run([exe]), run([exe, "host"])
    problems = 0
    # The text of each case ends with its number.
    devices, hosts = device.split(" case "), host.split(" case ")
    if len(devices) != len(list) + 1 or len(hosts) != len(list) + 1:
        raise SystemExit(f"{len(devices)} and {len(hosts)} texts of {len(list)} cases")
    for n, case in enumerate(list):
        if devices[n] != hosts[n]:
            problems += 1
            print(f"{case}: device:\n{devices[n]}\nhost:\n{hosts[n]}")
    print(f"{len(list)} texts are those of the host, {args.target}: {problems} problems")
    raise SystemExit(problems != 0)


if __name__ == "__main__":
    main()
