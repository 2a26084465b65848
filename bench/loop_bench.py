"""The share of the time for which the matrix pipe is busy in the main loops of GEMMs and attention.

    ./run bench loops                              all kernels of LOOPS
    bench/loop_bench.py --aircc FILE [PATTERN...]  those whose names contain a pattern, as "gfx942 bf16 nt"

Compiles functions on tensors, and times their kernels with the timing model of the
simulated device. A name is the target, the type of A and B, and for each of them
whether its rows are along K (n, t for A; t, n for B); or "attention" or "causal" for
attention without and with a causal mask.
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
# Heads, queries and keys of each, and the size of a head.
HEADS, HEAD = 16, 128
ATTENTION = {"gfx942": ["bf16"], "gfx950": ["bf16"], "gfx90a": ["f16"], "gfx1201": ["bf16"]}


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


def attention(element, is_causal):
    """A function on tensors: attention whose scores are divided by the root of the size of a head."""
    heads = f"tensor<{HEADS}x{SIZE}x{HEAD}x{element}>"
    scores, result = f"tensor<{HEADS}x{SIZE}x{SIZE}xf32>", f"tensor<{HEADS}x{SIZE}x{HEAD}xf32>"
    maps = lambda *results: ", ".join(f"affine_map<(h, i, j, k) -> ({dims})>" for dims in results)
    product = f"""^bb0(%a: {element}, %b: {element}, %c: f32):
    %x = arith.extf %a : {element} to f32
    %y = arith.extf %b : {element} to f32
    %p = arith.mulf %x, %y : f32
    %s = arith.addf %c, %p : f32
    linalg.yield %s : f32"""
    mask = """    %i = linalg.index 1 : index
    %j = linalg.index 2 : index
    %later = arith.cmpi ugt, %j, %i : index
    %masked = arith.select %later, %none, %scaled : f32
"""
    logits = f"""{mask if is_causal else ""}    linalg.yield %{"masked" if is_causal else "scaled"} : f32"""
    each = 'iterator_types = ["parallel", "parallel", "parallel"]'
    same = "affine_map<(h, i, j) -> (h, i, j)>"

    def convert(name, value, source, target):
        return f"""  %{name}_empty = tensor.empty() : {target}
  %{name} = linalg.generic {{indexing_maps = [{same}, {same}], {each}}}
      ins({value} : {source}) outs(%{name}_empty : {target}) {{
  ^bb0(%a: f32, %c: {element}):
    %t = arith.truncf %a : f32 to {element}
    linalg.yield %t : {element}
  }} -> {target}
"""

    return f"""func.func @attention(%q: {heads}, %k: {heads}, %v: {heads}) -> {heads} {{
  %zero = arith.constant 0.0 : f32
  %none = arith.constant 0xFF800000 : f32
  %factor = arith.constant {HEAD**-0.5} : f32
  %se = tensor.empty() : {scores}
  %sf = linalg.fill ins(%zero : f32) outs(%se : {scores}) -> {scores}
  %scores = linalg.generic {{indexing_maps = [{maps("h, i, k", "h, j, k", "h, i, j")}],
      iterator_types = ["parallel", "parallel", "parallel", "reduction"]}}
      ins(%q, %k : {heads}, {heads}) outs(%sf : {scores}) {{
  {product}
  }} -> {scores}
  %logits = linalg.generic {{indexing_maps = [{same}, {same}], {each}}}
      ins(%scores : {scores}) outs(%se : {scores}) {{
  ^bb0(%a: f32, %c: f32):
    %scaled = arith.mulf %a, %factor : f32
{logits}
  }} -> {scores}
  %w = linalg.softmax dimension(2) ins(%logits : {scores}) outs(%se : {scores}) -> {scores}
{convert("n", "%w", scores, scores.replace("f32", element))}  %oe = tensor.empty() : {result}
  %of = linalg.fill ins(%zero : f32) outs(%oe : {result}) -> {result}
  %out = linalg.generic {{indexing_maps = [{maps("h, i, j", "h, j, k", "h, i, k")}],
      iterator_types = ["parallel", "parallel", "reduction", "parallel"]}}
      ins(%n, %v : {scores.replace("f32", element)}, {heads}) outs(%of : {result}) {{
  {product}
  }} -> {result}
{convert("r", "%out", result, heads)}  return %r : {heads}
}}
"""


def names():
    products = [f"{target} {a} {form}" for target, types in LOOPS.items() for a, _ in types for form in FORMS]
    return products + [
        f"{target} {a} {form}" for target, types in ATTENTION.items() for a in types for form in ("attention", "causal")
    ]


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
    if form in FORMS:
        result = dict(LOOPS[target])[operand]
        text = program(operand, result, form)
        matrix = f"memref:{operand}:{SIZE}x{SIZE}:0"
        arguments = [matrix, matrix, f"memref:{result}:{SIZE}x{SIZE}"]
    else:
        text = attention(operand, form == "causal")
        arguments = [f"memref:{operand}:{HEADS}x{SIZE}x{HEAD}"] * 4
    with tempfile.TemporaryDirectory() as out:
        source, image, timing = f"{out}/m.mlir", f"{out}/m.hsaco", f"{out}/t.json"
        with open(source, "w") as file:
            file.write(text)
        command = [aircc, source, "--target", target, *flags]
        run(*command, "--emit=hsaco", "-o", image)
        metadata = run(*command, "--emit=asm", "-o", "-")
        blocks, threads = grid(run(*command, "--emit=gpu", "-o", "-"))
        arguments = [word for argument in arguments for word in ("--arg", argument)]
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
    print(f"\nMain loops of {SIZE}x{SIZE}x{SIZE} products on tensors and of attention, by the timing model")
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
