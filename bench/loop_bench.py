"""The share of the time for which the matrix pipe is busy in the main loops of GEMMs.

    ./run bench loops                              all kernels of LOOPS
    bench/loop_bench.py --aircc FILE [PATTERN...]  those whose names contain a pattern, as "gfx942 bf16 nt"

Compiles functions on tensors, and times their kernels with the timing model of the
simulated device. A name is the target, the type of A and B, and for each of them
whether its rows are along K (n, t for A; t, n for B).
"""

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

SIZE = 4096
# Targets, and the types of A, B and the sums.
LOOPS = {
    "gfx942": [("bf16", "f32"), ("f16", "f32"), ("f8E4M3FNUZ", "f32"), ("i8", "i32")],
    "gfx950": [("bf16", "f32"), ("f16", "f32"), ("f8E4M3FN", "f32"), ("i8", "i32")],
    "gfx90a": [("bf16", "f32"), ("f16", "f32"), ("i8", "i32")],
    "gfx1100": [("bf16", "f32"), ("f16", "f32"), ("i8", "i32")],
    "gfx1201": [("bf16", "f32"), ("f16", "f32"), ("f8E4M3FN", "f32"), ("i8", "i32")],
}
FORMS = ("nn", "nt")


def program(operand, result, form, size=SIZE):
    """A function on tensors: the product of two matrices, of which those with a "t" are transposed."""
    maps = ["(m, k)" if form[0] == "n" else "(k, m)", "(k, n)" if form[1] == "n" else "(n, k)", "(m, n)"]
    maps = ", ".join(f"affine_map<(m, n, k) -> {m}>" for m in maps)
    a, c = f"tensor<{size}x{size}x{operand}>", f"tensor<{size}x{size}x{result}>"
    return f"""func.func @matmul(%a: {a}, %b: {a}) -> {c} {{
  %zero = arith.constant {"0.0" if result[0] == "f" else "0"} : {result}
  %empty = tensor.empty() : {c}
  %filled = linalg.fill ins(%zero : {result}) outs(%empty : {c}) -> {c}
  %c = linalg.matmul indexing_maps = [{maps}] ins(%a, %b : {a}, {a}) outs(%filled : {c}) -> {c}
  return %c : {c}
}}
"""


def names():
    return [f"{target} {a} {form}" for target, types in LOOPS.items() for a, _ in types for form in FORMS]


def run(*command):
    process = subprocess.run(command, capture_output=True, text=True)
    if process.returncode:
        sys.exit(f"bench: {' '.join(command)} failed:\n{process.stderr}")
    return process.stdout


def grid(kernels):
    """Blocks and threads of the launch in the output of --emit gpu."""
    launch = re.search(r"blocks in \((.*?)\) threads in \((.*?)\)", kernels)
    values = dict(re.findall(r"(%\w+) = arith.constant (\d+) : index", kernels[: launch.end()]))
    return [",".join(values[name] for name in group.split(", ")) for group in launch.groups()]


def measure(aircc, name, flags=()):
    """Returns the figures of a kernel."""
    target, operand, form = name.split()
    result = dict(LOOPS[target])[operand]
    with tempfile.TemporaryDirectory() as out:
        source, image, timing = f"{out}/m.mlir", f"{out}/m.hsaco", f"{out}/t.json"
        with open(source, "w") as file:
            file.write(program(operand, result, form))
        command = [aircc, source, "--target", target, *flags]
        run(*command, "--emit=hsaco", "-o", image)
        metadata = run(*command, "--emit=asm", "-o", "-")
        blocks, threads = grid(run(*command, "--emit=gpu", "-o", "-"))
        matrix = f"memref:{operand}:{SIZE}x{SIZE}:0"
        arguments = ["--arg", matrix, "--arg", matrix, "--arg", f"memref:{result}:{SIZE}x{SIZE}"]
        run(aircc, "sim", image, "--grid", blocks, "--block", threads, *arguments, f"--timing={timing}")
        launch = json.load(open(timing))["launches"][0]

    def figure(key):
        return int(re.search(rf"\.{key}: +(\d+)", metadata).group(1))

    loop = max(launch["loops"], key=lambda loop: loop["iterations"] * loop["cycles_per_iteration"])
    return {
        "share": loop["matrix_share"],
        "cycles": loop["cycles_per_iteration"],
        "microseconds": launch["nanoseconds"] / 1000,
        "registers": (figure("vgpr_count"), figure("agpr_count") if ".agpr_count" in metadata else 0),
        "lds": figure("group_segment_fixed_size"),
        "scratch": figure("private_segment_fixed_size"),
        "spills": figure("vgpr_spill_count") + figure("sgpr_spill_count"),
    }


def bench_loops(aircc, rounds=1, patterns=(), flags=()):
    """Prints a table. The timing model gives the same figures each time: `rounds` is ignored."""
    wanted = [name for name in names() if not patterns or any(pattern in name for pattern in patterns)]
    print(f"\nMain loops of {SIZE}x{SIZE}x{SIZE} products on tensors, by the timing model")
    print(f"  {'kernel':<24} {'matrix':>7} {'cycles':>7} {'launch us':>9}  VGPR AGPR    LDS  scratch spills")
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        for name, row in zip(wanted, pool.map(lambda name: measure(aircc, name, flags), wanted)):
            vgprs, agprs = row["registers"]
            print(
                f"  {name:<24} {row['share']:7.1%} {row['cycles']:7.0f} {row['microseconds']:9.1f}"
                f"  {vgprs:4} {agprs:4} {row['lds']:6} {row['scratch']:8} {row['spills']:6}",
                flush=True,
            )


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--aircc", required=True)
    parser.add_argument("--flag", action="append", default=[], help="a flag for the compiler")
    parser.add_argument("patterns", nargs="*")
    options = parser.parse_args()
    bench_loops(os.path.abspath(options.aircc), patterns=options.patterns, flags=options.flag)
