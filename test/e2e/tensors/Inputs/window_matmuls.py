"""Random matmuls with a factor that copies elements of an image: windows, as im2col creates them, and other orders.

window_matmuls.py SEED COUNT TARGET...

Kernels read tiles of windows directly from the image. Other copies, which look similar, have to be stored in memory.
"""

import random
import sys

import numpy as np

from random_cases import count_wrong

TYPES = {"f16": np.float16, "f32": np.float32, "i8": np.int8, "i32": np.int32}

# Per form: the index of each dimension of the image, from the loops of the copy. Loops in the first string are rows of
# the matrix of windows, and those in the second are its columns; S, T are strides, and M is the number of rows.
FORMS = {
    "line": ("m", "k", ["m * S + k"]),
    "spread line": ("m", "k", ["m * S + k * T + 3"]),
    "plane": ("m", "yc", ["m * S + y", "c"]),
    "channels first": ("m", "cy", ["c", "m * S + y"]),
    "image": ("nhw", "yxc", ["n", "h * S + y * T", "w * S + x", "c"]),
    "image, channels first": ("nhw", "cyx", ["n", "c", "h * S + y", "w * S + x * T"]),
    "diagonal": ("nhw", "yxc", ["n", "h + w + y", "x + c"]),
    "pairs of rows": ("m", "k", ["m floordiv 2 + k"]),
    "repeated rows": ("m", "k", ["m mod 4 + k"]),
    "groups of columns": ("m", "k", ["m * S + k floordiv 4", "k mod 4"]),
    "reversed rows": ("m", "k", ["-m + k + M - 1"]),
    "reversed columns": ("nhw", "yxc", ["n", "h - y + Y - 1", "w + x", "c"]),
}


class Case:
    """A function with one matmul, from random choices."""

    def __init__(self, name, choice):
        self.name = name
        self.form = choice.choice(sorted(FORMS))
        self.rows, self.columns, self.indices = FORMS[self.form]
        self.element, self.sum = choice.choice([("f16", "f32"), ("f16", "f32"), ("i8", "i32"), ("f32", "f32")])
        self.sizes = {loop: choice.choice([1, 2, 3, 5]) for loop in "yx"}
        self.sizes |= {
            "c": choice.choice([1, 4, 8, 16]),
            "k": choice.choice([4, 16, 36, 64]),
            "n": choice.randint(1, 3),
        }
        self.sizes |= {"h": choice.choice([1, 4, 9]), "w": choice.choice([4, 7, 16]), "m": choice.choice([5, 32, 96])}
        self.numbers = {"S": choice.choice([1, 2, 4]), "T": choice.choice([1, 2]), "M": self.sizes["m"]}
        self.numbers["Y"] = self.sizes["y"]
        self.width = choice.choice([1, 8, 16, 40])
        # Whether the windows are the left factor; whether rows are the outer dimension of each matrix.
        self.is_left, self.rows_first, self.other_rows_first = [choice.random() < 0.5 for _ in range(3)]
        self.dynamic = choice.choice([0.0, 0.0, 0.5])
        self.order = self.rows + self.columns if self.rows_first else self.columns + self.rows
        self.loops = np.indices([self.sizes[loop] for loop in self.order])
        self.places = [self.evaluate(index) for index in self.indices]
        self.image = [int(place.max()) + 1 for place in self.places]
        self.image_type = self.spell([size if choice.random() >= self.dynamic else "?" for size in self.image])

    def evaluate(self, index):
        """The values of an index for all iterations of the loops."""
        values = dict(zip(self.order, self.loops)) | self.numbers
        return eval(index.replace("floordiv", "//").replace("mod", "%"), {}, values) + 0 * self.loops[0]

    def spell(self, shape, element=None):
        return "tensor<" + "".join(f"{size}x" for size in shape) + (element or self.element) + ">"

    def count(self, loops):
        return int(np.prod([self.sizes[loop] for loop in loops]))

    def get_matrix_shape(self):
        rows, columns = self.count(self.rows), self.count(self.columns)
        return (rows, columns) if self.rows_first else (columns, rows)

    def get_other_shape(self):
        columns = self.count(self.columns)
        return (self.width, columns) if self.other_rows_first else (columns, self.width)

    def get_result_shape(self):
        rows = self.count(self.rows)
        return (rows, self.width) if self.is_left else (self.width, rows)

    def get_text(self):
        copied = self.spell([self.sizes[loop] for loop in self.order])
        matrix, other = self.spell(self.get_matrix_shape()), self.spell(self.get_other_shape())
        result = self.spell(self.get_result_shape(), self.sum)
        loops = ", ".join(self.order)
        numbers = self.numbers
        index = ", ".join("".join(str(numbers.get(letter, letter)) for letter in text) for text in self.indices)
        parallel = ", ".join(['"parallel"'] * len(self.order))
        return f"""func.func @{self.name}(%image: {self.image_type}, %other: {other}) -> {result} {{
  %unset = tensor.empty() : {copied}
  %copy = linalg.generic {{indexing_maps = [affine_map<({loops}) -> ({index})>, affine_map<({loops}) -> ({loops})>],
      iterator_types = [{parallel}]}} ins(%image : {self.image_type}) outs(%unset : {copied}) {{
  ^bb0(%x: {self.element}, %old: {self.element}):
    linalg.yield %x : {self.element}
  }} -> {copied}
{self.get_view(copied, matrix)}{self.get_matmul(matrix, other, result)}  return %r : {result}
}}
"""

    def get_view(self, copied, matrix):
        if len(self.order) == 2:
            return f"  %matrix = tensor.cast %copy : {copied} to {matrix}\n"
        first = len(self.rows if self.rows_first else self.columns)
        groups = [list(range(first)), list(range(first, len(self.order)))]
        return f"  %matrix = tensor.collapse_shape %copy {groups} : {copied} into {matrix}\n"

    def get_matmul(self, matrix, other, result):
        is_float = self.sum == "f32"
        row, column = ("m", "n") if self.is_left else ("n", "m")
        maps = [
            f"{row}, k" if self.rows_first else f"k, {row}",
            f"{column}, k" if self.other_rows_first else f"k, {column}",
        ]
        factors, types, names = ["%matrix", "%other"], [matrix, other], ["%a", "%b"]
        if not self.is_left:
            maps, factors, types = maps[::-1], factors[::-1], types[::-1]
        maps = ", ".join(f"affine_map<(m, n, k) -> ({dims})>" for dims in maps + ["m, n"])
        body = "".join(
            f"    {name}w = arith.{'extf' if is_float else 'extsi'} {name} : {self.element} to {self.sum}\n"
            for name in names
            if self.element != self.sum
        )
        wide = ", ".join(name + ("" if self.element == self.sum else "w") for name in names)
        suffix = "f" if is_float else "i"
        return f"""  %zero = arith.constant {'0.0' if is_float else '0'} : {self.sum}
  %sums = tensor.empty() : {result}
  %init = linalg.fill ins(%zero : {self.sum}) outs(%sums : {result}) -> {result}
  %r = linalg.generic {{indexing_maps = [{maps}], iterator_types = ["parallel", "parallel", "reduction"]}}
      ins({factors[0]}, {factors[1]} : {types[0]}, {types[1]}) outs(%init : {result}) {{
  ^bb0(%a: {self.element}, %b: {self.element}, %c: {self.sum}):
{body}    %p = arith.mul{suffix} {wide} : {self.sum}
    %s = arith.add{suffix} %c, %p : {self.sum}
    linalg.yield %s : {self.sum}
  }} -> {result}
"""

    def is_right(self, library, generator):
        # Exact sums, in whatever order.
        image, other = [
            generator.integers(-4, 5, shape).astype(TYPES[self.element])
            for shape in (self.image, self.get_other_shape())
        ]
        have = getattr(library, self.name)(image, other)
        windows = image[tuple(self.places)].reshape(self.get_matrix_shape()).astype(np.float64)
        windows = windows if self.rows_first else windows.T
        other = (other.T if self.other_rows_first else other).astype(np.float64)
        want = windows @ other
        return bool(np.all(have == (want if self.is_left else want.T)))


def main():
    seed, count, targets = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3:]
    print(f"seed {seed}")
    failures = 0
    for i, target in enumerate(targets):
        choice = random.Random(f"{seed} {i}")
        failures += count_wrong([Case(f"f{j}", choice) for j in range(count)], target, seed)
    print(f"{count * len(targets)} matmuls, {failures} failures")


main()
