"""Compares closed-form estimates of matmul kernels with the times of the timing model.

    ./run bench estimates                              all products
    bench/estimate_bench.py --aircc FILE [PATTERN...]  those whose names contain a pattern, such as "gfx942 bf16"

A name consists of the name of a kernel in kernel_bench.py and the sizes: M, N and K, or one number if they are equal.
The error is the ratio of the estimate to the time of the model, minus one.
"""

import argparse
import math
import os
import pathlib
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import function_timing
import kernel_bench

ROOT = pathlib.Path(__file__).resolve().parent.parent
SIZES = ((1024,) * 3, (2048,) * 3, (4096,) * 3, (128, 128, 4096), (16, 4096, 4096))


def names():
    return [
        f"{target} {operand} {form} {sizes[0] if len(set(sizes)) == 1 else 'x'.join(map(str, sizes))}"
        for target, types in kernel_bench.LOOPS.items()
        for operand, _ in types
        for form in kernel_bench.FORMS
        for sizes in SIZES
    ]


def split_name(name):
    """Returns the target, the types of the factors and of the result, the form, and M, N and K."""
    target, operand, form, sizes = name.split()
    numbers = [int(size) for size in sizes.split("x")]
    return target, operand, dict(kernel_bench.LOOPS[target])[operand], form, numbers * (3 if len(numbers) == 1 else 1)


def estimate(aircc, wanted):
    """Returns the estimated nanoseconds, the tile and the number of parts of each product."""
    lines = []
    for name in wanted:
        target, operand, result, form, sizes = split_name(name)
        bits = [str(8 * function_timing.count_bytes(f"1x{element}")) for element in (operand, result)]
        lines.append(" ".join([target, form, operand, bits[0], result, bits[1], *map(str, sizes)]))
    command = [os.path.join(os.path.dirname(aircc), "estimate-products"), str(ROOT / "targets")]
    process = subprocess.run(command, input="\n".join(lines), capture_output=True, text=True)
    if process.returncode:
        sys.exit(f"bench: {' '.join(command)} failed:\n{process.stderr}")
    return [line.split() for line in process.stdout.splitlines()]


def measure(aircc, name):
    """Returns the nanoseconds according to the timing model."""
    target, operand, result, form, sizes = split_name(name)
    tensors = kernel_bench.gemm_tensors(operand, result, form, *sizes)
    text = kernel_bench.program(operand, result, form, *sizes)
    launches = function_timing.measure(aircc, target, text, "matmul", tensors)
    return sum(launch["nanoseconds"] for launch in launches)


def bench_estimates(aircc, rounds=1, patterns=()):
    """Prints a table. Ignores `rounds`, because the figures are always the same."""
    wanted = [name for name in names() if not patterns or any(pattern in name for pattern in patterns)]
    print("\nClosed-form estimates of products on tensors, and the timing model")
    print(f"  {'product':<36} {'tile':>11} {'parts':>5} {'model us':>9} {'estimate':>9} {'error':>7}")
    errors = []
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        times = pool.map(lambda name: measure(aircc, name), wanted)
        for name, time, (estimated, tile, splits) in zip(wanted, times, estimate(aircc, wanted)):
            errors.append(float(estimated) / time - 1)
            print(
                f"  {name:<36} {tile:>11} {splits:>5} {time / 1000:9.1f} {float(estimated) / 1000:9.1f}"
                f" {errors[-1]:7.1%}",
                flush=True,
            )
    if errors:
        mean = math.exp(sum(abs(math.log1p(error)) for error in errors) / len(errors)) - 1
        print(f"mean error of {len(errors)} products: {mean:.1%}; from {min(errors):.1%} to {max(errors):.1%}")


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--aircc", required=True)
    parser.add_argument("patterns", nargs="*")
    options = parser.parse_args()
    bench_estimates(os.path.abspath(options.aircc), patterns=options.patterns)
