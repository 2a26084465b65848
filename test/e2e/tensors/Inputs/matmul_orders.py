"""Matmuls of factors whose rows in memory are along K (as is) or across K, so that tiles have to be transposed.

matmul_orders.py TARGET...
"""

import sys

import numpy as np

import aircc
from elements import get_dtype, to_bits

TYPES = {"gfx950": ["bf16", "f16", "i8", "f8E4M3FN", "f32"], None: ["f16", "i8", "f32"]}
# Whole tiles, parts of tiles, and rows that are not multiples of what a lane accesses.
SIZES = [(256, 256, 128), (128, 64, 192), (72, 136, 200), (33, 45, 37)]
ORDERS = [(a, b) for a in ("m, k", "k, m") for b in ("k, n", "n, k")]


def spell(loops, sizes, element, is_dynamic):
    dims = ["?" if is_dynamic else str(sizes["mnk".index(loop)]) for loop in loops.split(", ")]
    return f"tensor<{'x'.join(dims)}x{element}>"


def make_text(name, sizes, element, order, is_dynamic):
    a, b = (spell(loops, sizes, element, is_dynamic) for loops in order)
    total = "i32" if element == "i8" else "f32"
    c = spell("m, n", sizes, total, is_dynamic)
    maps = ", ".join(f"affine_map<(m, n, k) -> ({loops})>" for loops in (*order, "m, n"))
    places = order[0].split(", ").index("m"), order[1].split(", ").index("n")
    dims = f"""
  %pa = arith.constant {places[0]} : index
  %pb = arith.constant {places[1]} : index
  %m = tensor.dim %a, %pa : {a}
  %n = tensor.dim %b, %pb : {b}"""
    return f"""func.func @{name}(%a: {a}, %b: {b}) -> {c} {{
  %z = arith.constant {"0" if total == "i32" else "0.0"} : {total}{dims if is_dynamic else ""}
  %e = tensor.empty({"%m, %n" if is_dynamic else ""}) : {c}
  %i = linalg.fill ins(%z : {total}) outs(%e : {c}) -> {c}
  %r = linalg.matmul indexing_maps = [{maps}] ins(%a, %b : {a}, {b}) outs(%i : {c}) -> {c}
  return %r : {c}
}}
"""


def is_right(function, random, sizes, element, order):
    shape = lambda loops: [sizes["mnk".index(loop)] for loop in loops.split(", ")]
    # Exact sums, in whatever order.
    a, b = (random.integers(-4, 5, shape(loops)) for loops in order)
    stored = [to_bits(x.astype(get_dtype(element)), element) for x in (a, b)]
    have = function(*stored)
    want = (a if order[0] == "m, k" else a.T) @ (b if order[1] == "k, n" else b.T)
    return np.array_equal(have.astype(np.int64), want)


def main():
    random = np.random.default_rng(5)
    count = failures = 0
    for target in sys.argv[1:]:
        cases = [
            (sizes, element, order, is_dynamic)
            for sizes in SIZES
            for element in TYPES.get(target, TYPES[None])
            for order in ORDERS
            for is_dynamic in (False, True)
        ]
        text = "".join(make_text(f"f{number}", *case) for number, case in enumerate(cases))
        library = aircc.compile(text, target=target)
        for number, (sizes, element, order, is_dynamic) in enumerate(cases):
            count += 1
            if not is_right(getattr(library, f"f{number}"), random, sizes, element, order):
                print(f"{target}: {sizes} {element}, A ({order[0]}), B ({order[1]}), dynamic: {is_dynamic}: wrong")
                failures += 1
    print(f"{count} matmuls, {failures} failures")


if __name__ == "__main__":
    main()
