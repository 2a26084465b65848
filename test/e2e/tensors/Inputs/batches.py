"""Independent kernels of one shape: their results, and the number of launches.

batches.py TARGET...
"""

import sys

import numpy as np

import aircc
from kernel_counts import count_kernels


class Program:
    """`count` times the same ops on arguments of their own. `text` computes %r{i} from %x{i} and %y{i}."""

    def __init__(self, name, count, x, y, result, text, compute, tolerance=0.0):
        self.name, self.count, self.types, self.result = name, count, (x, y), result
        self.text, self.compute, self.tolerance = text, compute, tolerance

    def get_text(self):
        def get_type(type):
            return f"tensor<{type[0]}x{type[1]}x{type[2]}>"

        x, y = map(get_type, self.types)
        result = get_type(self.result)
        numbers = range(self.count)
        arguments = ", ".join(f"%x{i}: {x}, %y{i}: {y}" for i in numbers)
        types = ", ".join([result] * self.count)
        body = "".join(self.text.format(i=i, x=x, y=y, r=result) for i in numbers)
        results = ", ".join(f"%r{i}" for i in numbers)
        return f"""func.func @{self.name}({arguments}) -> ({types}) {{
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : {result}
  %filled = linalg.fill ins(%zero : f32) outs(%empty : {result}) -> {result}
{body}  return {results} : {types}
}}
"""

    def is_right(self, library):
        rng = np.random.default_rng(7)
        dtypes = {"f16": np.float16, "f32": np.float32}
        arguments = [
            rng.integers(-3, 4, type[:2]).astype(dtypes[type[2]]) for _ in range(self.count) for type in self.types
        ]
        results = library[self.name](*arguments)
        wanted = [self.compute(*arguments[2 * i : 2 * i + 2]) for i in range(self.count)]
        return all(np.allclose(have, want, rtol=0, atol=self.tolerance) for have, want in zip(results, wanted))


def softmax(x):
    weights = np.exp(x - x.max(1, keepdims=True))
    return weights / weights.sum(1, keepdims=True)


def multiply(x, y):
    return x.astype(np.float32) @ y.astype(np.float32)


STEP = "  %s{i} = arith.addf %y{i}, %y{i} : {y}\n  %r{i} = arith.subf %x{i}, %s{i} : {x}\n"
ROWS = """  %r{i} = linalg.softmax dimension(1) ins(%x{i} : {x}) outs(%empty : {r}) -> {r}
"""
PRODUCT = "  %r{i} = linalg.matmul ins(%x{i}, %y{i} : {x}, {y}) outs(%filled : {r}) -> {r}\n"
HEAD = """  %m{i} = linalg.matmul ins(%x{i}, %y{i} : {x}, {y}) outs(%filled : {r}) -> {r}
  %r{i} = linalg.softmax dimension(1) ins(%m{i} : {r}) outs(%empty : {r}) -> {r}
"""
SMALL, WIDE, ROW = (64, 64, "f32"), (64, 64, "f16"), (16, 64, "f32")
PROGRAMS = [
    Program("steps", 12, SMALL, SMALL, SMALL, STEP, lambda x, y: x - 2 * y),
    Program("rows", 6, ROW, ROW, ROW, ROWS, lambda x, y: softmax(x), 1e-5),
    Program("products", 8, WIDE, WIDE, SMALL, PRODUCT, multiply),
    Program("heads", 6, (16, 64, "f16"), WIDE, ROW, HEAD, lambda x, y: softmax(multiply(x, y)), 1e-5),
]

for target in sys.argv[1:]:
    library = aircc.compile("".join(program.get_text() for program in PROGRAMS), target=target)
    for program in PROGRAMS:
        right = "right" if program.is_right(library) else "WRONG"
        print(f"{target}: {program.name}: {right}, {count_kernels(program.get_text(), target)} launches")
