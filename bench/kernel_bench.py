"""Prints a table of kernels: matrix products, attention, products with few rows, and memory-bound functions.

    ./run bench kernels [--only PATTERN]...            all kernels, or those whose names contain a pattern
    ./run bench kernels --compare FILE.co              the main loops of another code object next to ours
    ./run bench --compare COMMIT                       the kernels of another commit next to ours
    bench/kernel_bench.py --aircc FILE [PATTERN...]    like the first, with another aircc

Compiles functions on tensors, and times their kernels with the timing model of the simulated device. The name of a
kernel starts with the target. That of a matrix product continues with the type of A and B, and n (normal) or t
(transposed) for each of them, as in "gfx942 bf16 nt", or with "scaled" if rows are along K and have a scale for each
block of 32 elements. "attention" and "causal" are attention without and with a causal mask. The other names are those
of bandwidth_bench.py and memory_bench.py. The roofline is the time that the slowest of memory, vector instructions and
matrix instructions would take alone.
"""

import argparse
import os
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import bandwidth_bench
import code_object
import function_timing
import loop_alone
import memory_bench

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
# Types of which each block has a scale, and the number of elements in a block.
SCALED = {"gfx950": ["f4E2M1FN", "f8E4M3FN"]}
BLOCK = 32
# The number of heads, and the size of a head.
HEADS, HEAD = 16, 128
ATTENTION = {"gfx942": ["bf16"], "gfx950": ["bf16"], "gfx90a": ["f16"], "gfx1201": ["bf16"]}


def gemm_tensors(operand, result, form, m=SIZE, n=SIZE, k=SIZE):
    """Returns A, B and C."""
    a = (m, k) if form[0] == "n" else (k, m)
    b = (k, n) if form[1] == "n" else (n, k)
    return [f"{rows}x{columns}x{type}" for (rows, columns), type in zip((a, b, (m, n)), (operand, operand, result))]


def program(operand, result, form, m=SIZE, n=SIZE, k=SIZE):
    """Returns a function on tensors that multiplies two matrices. Those with a "t" in `form` are transposed."""
    maps = ["(m, k)" if form[0] == "n" else "(k, m)", "(k, n)" if form[1] == "n" else "(n, k)", "(m, n)"]
    maps = ", ".join(f"affine_map<(m, n, k) -> {m}>" for m in maps)
    a, b, c = (f"tensor<{tensor}>" for tensor in gemm_tensors(operand, result, form, m, n, k))
    return f"""func.func @matmul(%a: {a}, %b: {b}) -> {c} {{
  %zero = arith.constant {"0.0" if result[0] == "f" else "0"} : {result}
  %empty = tensor.empty() : {c}
  %filled = linalg.fill ins(%zero : {result}) outs(%empty : {c}) -> {c}
  %c = linalg.matmul indexing_maps = [{maps}] ins(%a, %b : {a}, {b}) outs(%filled : {c}) -> {c}
  return %c : {c}
}}
"""


def attention(element, is_causal):
    """Returns a function on tensors that computes attention. Scores are divided by the square root of the head size."""
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


def scaled_program(operand, rows):
    """Returns a function on tensors that multiplies two matrices whose blocks have scales."""
    factor, scales = f"tensor<{rows}x{operand}>", f"tensor<{SIZE}x{SIZE // BLOCK}xf8E8M0FNU>"
    sums = f"{SIZE}x{SIZE}xf32"
    maps = ", ".join(f"affine_map<(m, n, g, i) -> ({dims})>" for dims in ("m, g, i", "n, g, i", "m, g", "n, g", "m, n"))
    return f"""func.func @matmul(%a: {factor}, %as: {scales}, %b: {factor}, %bs: {scales}) -> tensor<{sums}> {{
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<{sums}>
  %filled = linalg.fill ins(%zero : f32) outs(%empty : tensor<{sums}>) -> tensor<{sums}>
  %c = linalg.generic {{indexing_maps = [{maps}],
      iterator_types = ["parallel", "parallel", "reduction", "reduction"]}}
      ins(%a, %b, %as, %bs : {factor}, {factor}, {scales}, {scales}) outs(%filled : tensor<{sums}>) {{
  ^bb0(%x: {operand}, %y: {operand}, %xs: f8E8M0FNU, %ys: f8E8M0FNU, %sum: f32):
    %p = arith.scaling_extf %x, %xs : {operand}, f8E8M0FNU to f32
    %q = arith.scaling_extf %y, %ys : {operand}, f8E8M0FNU to f32
    %product = arith.mulf %p, %q : f32
    %next = arith.addf %sum, %product : f32
    linalg.yield %next : f32
  }} -> tensor<{sums}>
  return %c : tensor<{sums}>
}}
"""


def make_scaled(name, target, operand):
    """Returns the case of a product of 4-bit floats, two in a byte, or of 8-bit floats."""
    groups = f"{SIZE}x{SIZE // BLOCK}"
    factor = f"{groups}x{BLOCK // 2}xi8" if operand[1] == "4" else f"{groups}x{BLOCK}x{operand}"
    scales = f"{groups}xf8E8M0FNU"
    tensors = [factor, scales, factor, scales, f"{SIZE}x{SIZE}xf32"]
    return Case(name, target, scaled_program(operand, f"{groups}x{BLOCK}"), "matmul", tensors)


def gemm_names():
    products = [f"{target} {a} {form}" for target, types in LOOPS.items() for a, _ in types for form in FORMS]
    scaled = [f"{target} {a} scaled" for target, types in SCALED.items() for a in types]
    return (
        products
        + scaled
        + [
            f"{target} {a} {form}"
            for target, types in ATTENTION.items()
            for a in types
            for form in ("attention", "causal")
        ]
    )


@dataclass
class Case:
    """A function on tensors. Its arguments and results are `tensors`."""

    name: str
    target: str
    text: str
    function: str
    tensors: list


def make_gemm(name):
    target, operand, form = name.split()
    if form == "scaled":
        return make_scaled(name, target, operand)
    if form in FORMS:
        result = dict(LOOPS[target])[operand]
        tensors = gemm_tensors(operand, result, form)
        return Case(name, target, program(operand, result, form), "matmul", tensors)
    tensors = [f"{HEADS}x{SIZE}x{HEAD}x{operand}"] * 4
    return Case(name, target, attention(operand, form == "causal"), "attention", tensors)


def make_product(target, name):
    tensors = bandwidth_bench.get_tensors(name)
    return Case(f"{target} {name}", target, bandwidth_bench.program(name), "product", tensors)


def make_memory(name):
    text, tensors = memory_bench.make(name)
    return Case(name, name.split()[0], text, "f", tensors)


def cases(patterns=()):
    every = [
        *map(make_gemm, gemm_names()),
        *(make_product(target, name) for target in bandwidth_bench.TARGETS for name in bandwidth_bench.PRODUCTS),
        *map(make_memory, memory_bench.names()),
    ]
    return [case for case in every if not patterns or any(pattern in case.name for pattern in patterns)]


@dataclass
class Row:
    """The figures of a kernel."""

    kernel: str
    share: float | None  # The fraction of the main loop's time that the matrix pipe is busy; None if it is not used.
    cycles: float  # The cycles of an iteration of the main loop; 0 if there is no loop.
    nanoseconds: float
    roofline: int | None
    metadata: dict


def make_row(launch):
    loops = launch["loops"]
    loop = max(loops, key=lambda loop: loop["iterations"] * loop["cycles_per_iteration"], default=None)
    roofline = launch["report"]["roofline"]
    return Row(
        launch["kernel"],
        loop["matrix_share"] if loop and launch["report"]["matrixInstructions"] else None,
        loop["cycles_per_iteration"] if loop else 0,
        launch["nanoseconds"],
        roofline["nanoseconds"] if roofline else None,
        launch["metadata"],
    )


def measure(aircc, case, flags=()):
    """Returns the rows of the kernels of a function."""
    launches = function_timing.measure(aircc, case.target, case.text, case.function, case.tensors, flags)
    return [make_row(launch) for launch in launches]


HEAD_LINE = (
    f"  {'kernel':<40} {'matrix':>7} {'cycles':>7} {'us':>9} {'roofline':>9}" "  VGPR AGPR SGPR    LDS  scratch spills"
)


def format_row(name, row):
    share = "-" if row.share is None else f"{row.share:.1%}"
    cycles = f"{row.cycles:.0f}" if row.cycles else "-"
    roofline = "-" if row.roofline is None else f"{row.roofline / 1000:.1f}"
    data = row.metadata
    spills = data["vgpr_spills"] + data["sgpr_spills"]
    return (
        f"  {name:<40} {share:>7} {cycles:>7} {row.nanoseconds / 1000:9.1f} {roofline:>9}"
        f"  {data['vgprs']:4} {data['agprs']:4} {data['sgprs']:4} {data['lds']:6} {data['scratch']:8} {spills:6}"
    )


def name_row(case, rows, index):
    return case.name if len(rows) == 1 else f"{case.name} [{index}]"


def bench_kernels(aircc, patterns=(), flags=()):
    """Prints a table with a line for each kernel."""
    wanted = cases(patterns)
    print(f"\nKernels by the timing model; products without sizes are {SIZE}x{SIZE}x{SIZE}")
    print(HEAD_LINE)
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        for case, rows in zip(wanted, pool.map(lambda case: measure(aircc, case, flags), wanted)):
            for index, row in enumerate(rows):
                print(format_row(name_row(case, rows, index), row), flush=True)


# ---- Main loops of code objects

KINDS = ("matrix", "lds", "memory", "barrier", "vector", "scalar")


def format_loop(name, kernel, timing):
    """Returns a line about the main loop of a kernel. `timing` may be the reason why there is no timing."""
    line = f"  {name:<40} "
    if isinstance(timing, str):
        return line + timing
    counts = " ".join(f"{timing.counts[kind]:7}" for kind in KINDS)
    return (
        f"{line}{timing.share:7.1%} {timing.cycles:7.0f} {counts}"
        f"  {kernel.vgprs:4} {kernel.accumulators:4} {kernel.sgprs:4}"
        f" {kernel.lds:6} {kernel.scratch:8} {kernel.spills:6}"
    )


def time_loop(aircc, kernel, units):
    """Returns the timing of the main loop of a kernel, or why there is none."""
    try:
        return loop_alone.time_loop(aircc, kernel, units)
    except code_object.CodeObjectError as error:
        return str(error)


def compile_kernels(aircc, case, flags):
    with tempfile.TemporaryDirectory() as folder:
        source, image = f"{folder}/f.mlir", f"{folder}/f.hsaco"
        with open(source, "w") as file:
            file.write(case.text)
        function_timing.run(aircc, source, "--target", case.target, *flags, "--emit=hsaco", "-o", image)
        return code_object.read_kernels(image)


def compare_loops(aircc, path, kernel_pattern="", patterns=(), flags=()):
    """Prints the main loops of the kernels in a code object, and of our kernels for the same processor."""
    try:
        theirs = [kernel for kernel in code_object.read_kernels(path, kernel_pattern) if kernel.find_loop()]
    except (code_object.CodeObjectError, OSError) as error:
        sys.exit(f"bench: {error}")
    if not theirs:
        sys.exit(f"bench: no kernel '{kernel_pattern}' in {path} has a loop with matrix instructions")
    processor = theirs[0].processor
    units = function_timing.read_profile(aircc, processor)["limits"]["cus"]
    kernels = [(kernel.name, kernel) for kernel in theirs]
    for case in map(make_gemm, gemm_names()):
        if case.target == processor and (not patterns or any(pattern in case.name for pattern in patterns)):
            kernels += [(case.name, kernel) for kernel in compile_kernels(aircc, case, flags) if kernel.find_loop()]
    print(f"\nMain loops of kernels for {processor}, each timed alone, and the instructions in an iteration")
    head = " ".join(f"{kind:>7}" for kind in KINDS)
    print(f"  {'kernel':<40} {'busy':>7} {'cycles':>7} {head}  VGPR AGPR SGPR    LDS  scratch spills")
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        timings = pool.map(lambda item: time_loop(aircc, item[1], units), kernels)
        for (name, kernel), timing in zip(kernels, timings):
            print(format_loop(name, kernel, timing), flush=True)


# ---- Two builds


# The addresses of buffers differ from run to run, which changes times by less than this fraction.
TOLERANCE = 0.005


def are_equal(before, after):
    """Returns whether the kernels are the same: only the addresses of buffers may have changed their times."""
    return [row.metadata for row in before] == [row.metadata for row in after] and all(
        abs(new.nanoseconds - old.nanoseconds) <= TOLERANCE * old.nanoseconds for old, new in zip(before, after)
    )


def compare_builds(old, new, patterns=()):
    """Prints both rows of each kernel that differs, and the ratio of the times. Returns whether a kernel is slower."""
    print("\nKernels that differ: that of the other build, and in the next line that of this one")
    print(HEAD_LINE)
    wanted = cases(patterns)
    equal, slower, ratios = 0, 0, []
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        both = pool.map(lambda case: (measure(old, case), measure(new, case)), wanted)
        for case, (before, after) in zip(wanted, both):
            ratio = sum(row.nanoseconds for row in after) / sum(row.nanoseconds for row in before)
            ratios.append(ratio)
            slower += ratio > 1 + TOLERANCE
            if are_equal(before, after):
                equal += 1
                continue
            for label, rows in (("other", before), (f"{ratio:.2f}x", after)):
                for index, row in enumerate(rows):
                    print(f"{format_row(name_row(case, rows, index), row)}  {label}", flush=True)
    print(f"{len(wanted)} functions: {equal} have equal kernels, {slower} are slower, at most {max(ratios):.2f}x")
    return slower > 0


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--aircc", required=True)
    parser.add_argument("--flag", action="append", default=[], help="a flag for the compiler")
    parser.add_argument("--compare", metavar="FILE", help="a code object whose main loops are printed first")
    parser.add_argument("--kernel", default="", help="with --compare: only kernels whose names contain this")
    parser.add_argument("--old", metavar="AIRCC", help="another aircc to compare with")
    parser.add_argument("patterns", nargs="*")
    options = parser.parse_args()
    if options.compare:
        compare_loops(options.aircc, options.compare, options.kernel, options.patterns, options.flag)
    elif options.old:
        sys.exit(compare_builds(options.old, options.aircc, options.patterns))
    else:
        bench_kernels(options.aircc, options.patterns, options.flag)
