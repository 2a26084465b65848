"""Matmuls with results of the type of their operands, which are summed in a wider type and rounded once.

narrow_matmuls.py TARGET...
"""

import sys

import numpy as np

import aircc
from elements import from_bits, to_bits

# The unit roundoff of results.
ROUNDOFF = {"bf16": 2.0**-8, "f16": 2.0**-10}
SIZES = [(128, 128, 64), (33, 129, 200)]


def make_text(name, sizes, element, is_filled, is_transposed):
    m, n, k = sizes
    b = f"tensor<{n}x{k}x{element}>" if is_transposed else f"tensor<{k}x{n}x{element}>"
    a, c = f"tensor<{m}x{k}x{element}>", f"tensor<{m}x{n}x{element}>"
    maps = [f"affine_map<(m, n, k) -> ({dims})>" for dims in ("m, k", "n, k" if is_transposed else "k, n", "m, n")]
    zero = "0" if element == "i8" else "0.0"
    fill = f"""
  %z = arith.constant {zero} : {element}
  %e = tensor.empty() : {c}
  %i = linalg.fill ins(%z : {element}) outs(%e : {c}) -> {c}"""
    return f"""func.func @{name}(%a: {a}, %b: {b}, %c: {c}) -> {c} {{{fill if is_filled else ""}
  %r = linalg.matmul indexing_maps = [{", ".join(maps)}]
      ins(%a, %b : {a}, {b}) outs({"%i" if is_filled else "%c"} : {c}) -> {c}
  return %r : {c}
}}
"""


def make_operands(random, sizes, element, is_transposed):
    m, n, k = sizes
    shapes = [(m, k), (n, k) if is_transposed else (k, n), (m, n)]
    if element == "i8":
        return [random.integers(-128, 128, shape, dtype=np.int8) for shape in shapes]
    values = [random.standard_normal(shape).astype(np.float32) for shape in shapes]
    if element == "f16":
        return [value.astype(np.float16) for value in values]
    return [from_bits(to_bits(value, element), element) for value in values]


def is_right(function, operands, sizes, element, is_filled, is_transposed):
    a, b, c = [operand.astype(np.int64 if element == "i8" else np.float64) for operand in operands]
    b = b.T if is_transposed else b
    c = c * (not is_filled)
    have = from_bits(function(*[to_bits(operand, element) for operand in operands]), element)
    want = a @ b + c
    if element == "i8":
        return np.array_equal(have, want.astype(np.int8))
    # The error of the sum, in f32, and one rounding.
    bound = (np.abs(a) @ np.abs(b) + np.abs(c)) * 2 * sizes[2] * 2.0**-24 + np.abs(want) * ROUNDOFF[element] + 1e-6
    return bool(np.all(np.abs(have.astype(np.float64) - want) <= bound))


def main():
    random = np.random.default_rng(3)
    cases = [
        (f"f{number}", *case)
        for number, case in enumerate(
            (sizes, element, is_filled, is_transposed)
            for sizes in SIZES
            for element in ("bf16", "f16", "i8")
            for is_filled in (False, True)
            for is_transposed in (False, True)
        )
    ]
    failures = 0
    for target in sys.argv[1:]:
        library = aircc.compile("".join(make_text(*case) for case in cases), target=target)
        for name, sizes, element, is_filled, is_transposed in cases:
            operands = make_operands(random, sizes, element, is_transposed)
            if not is_right(getattr(library, name), operands, sizes, element, is_filled, is_transposed):
                print(f"{target}: {element} {sizes} filled: {is_filled} transposed: {is_transposed}: wrong")
                failures += 1
    print(f"{len(cases)} matmuls, {failures} failures")


main()
