"""The index of the largest element along a dimension.

argmax.py TARGET...
"""

import sys

import numpy as np

import aircc
from kernel_counts import count_kernels

CASES = [((8, 64), 1), ((64, 100), 1), ((4, 6, 33), 1), ((4, 6, 33), 0), ((128, 30), 0)]


def get_text(number, shape, axis):
    dims = lambda sizes: "x".join(map(str, sizes))
    x, y = f"tensor<{dims(shape)}xf32>", f"tensor<{dims(shape[:axis] + shape[axis + 1:])}xi32>"
    return f"""func.func @f{number}(%x: {x}) -> {y} {{
  %y = tosa.argmax %x {{axis = {axis} : i32}} : ({x}) -> {y}
  return %y : {y}
}}
"""


for target in sys.argv[1:]:
    text = "".join(get_text(number, *case) for number, case in enumerate(CASES))
    library = aircc.compile(text, target=target)
    right = 0
    for number, (shape, axis) in enumerate(CASES):
        # Several elements are the largest: the first of them counts.
        x = np.random.default_rng(number).integers(0, 20, shape).astype(np.float32)
        right += np.array_equal(library[f"f{number}"](x), x.argmax(axis))
    print(f"{target}: {right} of {len(CASES)} right, {count_kernels(text, target)} kernels")
