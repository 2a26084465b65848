"""Compares the times of memory-bound products with the time that memory needs.

    ./run bench bandwidth                               all of PRODUCTS
    bench/bandwidth_bench.py --aircc FILE [PATTERN...]  those whose names contain a pattern, such as "gfx942 matvec"

Compiles functions on tensors, and times their kernels with the timing model of the simulated device. A product with a
vector or a few rows may consist of several kernels. The bound is the time that the profile's memory bandwidth needs to
move the arguments and the result.
"""

import os
from concurrent.futures import ThreadPoolExecutor

import function_timing

TARGETS = ["gfx942", "gfx950"]
# The op, the sizes M, N, K, whether rows of the weights are along K (t), and the types of the factors and the result.
PRODUCTS = {
    "matvec f16": ("matvec", (1, 4096, 4096), "t", "f16", "f32"),
    "vecmat f16": ("vecmat", (1, 4096, 4096), "n", "f16", "f32"),
    "1x4096x4096 f16 nn": ("matmul", (1, 4096, 4096), "n", "f16", "f32"),
    "1x4096x4096 bf16 nt": ("matmul", (1, 4096, 4096), "t", "bf16", "bf16"),
    "16x4096x4096 bf16 nn": ("matmul", (16, 4096, 4096), "n", "bf16", "bf16"),
    "16x4096x4096 f16 nt": ("matmul", (16, 4096, 4096), "t", "f16", "f32"),
    "32x4096x4096 bf16 nn": ("matmul", (32, 4096, 4096), "n", "bf16", "f32"),
    "32x4096x4096 bf16 nt": ("matmul", (32, 4096, 4096), "t", "bf16", "bf16"),
    "128x128x4096 bf16 nn": ("matmul", (128, 128, 4096), "n", "bf16", "f32"),
    "128x128x4096 bf16 nt": ("matmul", (128, 128, 4096), "t", "bf16", "f32"),
}


def get_tensors(name):
    """The two arguments and the result."""
    op, (m, n, k), form, operand, result = PRODUCTS[name]
    weights = (k, n) if form == "n" else (n, k)
    if op == "matvec":
        shapes = weights, (k,), (n,)
    else:
        shapes = ((k,), weights, (n,)) if op == "vecmat" else ((m, k), weights, (m, n))
    return [f"{'x'.join(map(str, shape))}x{element}" for shape, element in zip(shapes, (operand, operand, result))]


def program(name):
    """The text of a function on tensors that computes the product."""
    op, _, form, _, result = PRODUCTS[name]
    a, b, c = (f"tensor<{tensor}>" for tensor in get_tensors(name))
    maps = ""
    if op == "matmul" and form == "t":
        maps = ", ".join(f"affine_map<(m, n, k) -> ({dims})>" for dims in ("m, k", "n, k", "m, n"))
        maps = f" indexing_maps = [{maps}]"
    return f"""func.func @product(%a: {a}, %b: {b}) -> {c} {{
  %zero = arith.constant 0.0 : {result}
  %empty = tensor.empty() : {c}
  %filled = linalg.fill ins(%zero : {result}) outs(%empty : {c}) -> {c}
  %c = linalg.{op}{maps} ins(%a, %b : {a}, {b}) outs(%filled : {c}) -> {c}
  return %c : {c}
}}
"""


def measure(aircc, target, name, flags=()):
    """Returns the launches of the function, and the bound in nanoseconds."""
    tensors = get_tensors(name)
    launches = function_timing.measure(aircc, target, program(name), "product", tensors, flags)
    moved = sum(map(function_timing.count_bytes, tensors))
    return launches, moved / function_timing.read_bandwidth(aircc, target)


def bench_bandwidth(aircc, rounds=1, patterns=(), flags=()):
    """Prints a table. Ignores `rounds`, because the timing model always gives the same figures."""
    cases = [(target, name) for target in TARGETS for name in PRODUCTS]
    cases = [case for case in cases if not patterns or any(pattern in " ".join(case) for pattern in patterns)]
    print("\nProducts with vectors or few rows, by the timing model; the bound is the time that memory needs")
    print(f"  {'product':<28} {'bound us':>8} {'time us':>8} {'ratio':>6} {'without launches':>16}  kernels")
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        rows = pool.map(lambda case: measure(aircc, *case, flags), cases)
        for (target, name), (launches, bound) in zip(cases, rows):
            time = sum(launch["nanoseconds"] for launch in launches)
            work = time - sum(launch["launch_nanoseconds"] for launch in launches)
            kernels = function_timing.describe(launches)
            print(
                f"  {target + ' ' + name:<28} {bound / 1000:8.2f} {time / 1000:8.2f} {time / bound:6.2f}"
                f" {work / bound:16.2f}  {kernels}",
                flush=True,
            )


if __name__ == "__main__":
    function_timing.run_bench(bench_bandwidth)
