"""Random reductions, short and long, along any dimensions, compared with numpy.

random_reductions.py SEED COUNT TARGET...
"""

import math
import random
import sys

import numpy as np

from random_cases import count_wrong

# The op, the value that it starts from, and numpy's function: of floating-point and integer elements.
KINDS = {
    "addf": ("0.0", np.add),
    "mulf": ("1.0", np.multiply),
    "maximumf": ("0xFF800000", np.maximum),
    "minimumf": ("0x7F800000", np.minimum),
    "maxnumf": ("0xFF800000", np.fmax),
    "addi": ("0", np.add),
    "maxsi": ("-2147483648", np.maximum),
    "minui": ("-1", np.minimum),
    "xori": ("0", np.bitwise_xor),
}
SIZES = [1, 2, 3, 7, 16, 33, 64, 100, 256, 260, 1000, 1024, 4096, 5000, 8192, 10007, 16384, 20000, 50257]
MAX_ELEMENTS = 400_000


class Reduction:
    """A reduction of elements on their way to 32 bits, and what may follow: an op on its result, or on the input.

    Sizes may be dynamic, and an elementwise op may compute the elements for the reduction and for what follows.
    """

    def __init__(self, number, rng):
        self.number = number
        self.kind = rng.choice(list(KINDS))
        self.shape = [rng.choice(SIZES) for _ in range(rng.randint(1, 3))]
        while math.prod(self.shape) > MAX_ELEMENTS:
            self.shape[rng.randrange(len(self.shape))] = rng.choice(SIZES[:8])
        axes = range(len(self.shape))
        self.axes = sorted(rng.sample(axes, rng.randint(1, len(self.shape))))
        self.kept = [axis for axis in axes if axis not in self.axes]
        self.is_float = self.kind.endswith("f")
        self.element = rng.choice(["f32", "f16", "bf16"] if self.is_float else ["i32", "i8"])
        # The loops, in an order that may differ from that of the dimensions.
        self.order = rng.sample(axes, len(self.shape))
        self.starts_elsewhere = rng.random() < 0.2
        self.follows = rng.choice(["nothing", "nothing", "negation", "difference"])
        self.dynamic = [axis for axis in axes if rng.random() < 0.4] if rng.random() < 0.4 else []
        if self.follows == "negation" and set(self.dynamic) & set(self.kept):
            self.follows = "difference"  # Constants have no dynamic sizes.
        self.is_shared = rng.random() < 0.5

    def get_type(self, axes, element):
        return f"tensor<{''.join('?x' if a in self.dynamic else f'{self.shape[a]}x' for a in axes)}{element}>"

    def create_empty(self, name, axes, element):
        sizes = ", ".join(f"%d{axis}" for axis in axes if axis in self.dynamic)
        return f"  %{name} = tensor.empty({sizes}) : {self.get_type(axes, element)}\n"

    def get_maps(self):
        loops = [f"d{axis}" for axis in self.order]
        value = lambda axes: f"affine_map<({', '.join(loops)}) -> ({', '.join(f'd{axis}' for axis in axes)})>"
        iterators = ['"reduction"' if axis in self.axes else '"parallel"' for axis in self.order]
        return value(range(len(self.shape))), value(self.kept), ", ".join(iterators)

    def get_prologue(self, elements):
        """Returns the ops that negate the argument, as `%t`, which other ops use."""
        every, _, _ = self.get_maps()
        parallel = ", ".join(['"parallel"'] * len(self.shape))
        wide, widen, value = self.widen(self.element)
        full = self.get_type(range(len(self.shape)), wide)
        negate = f"arith.negf {value} : {wide}" if self.is_float else f"arith.subi %zero, {value} : {wide}"
        return f"""{self.create_empty("te", range(len(self.shape)), wide)}  %zero = arith.constant 0 : i32
  %t = linalg.generic {{indexing_maps = [{every}, {every}], iterator_types = [{parallel}]}}
      ins(%x : {elements}) outs(%te : {full}) {{
  ^bb0(%a: {self.element}, %o: {wide}):
{widen}    %v = {negate}
    linalg.yield %v : {wide}
  }} -> {full}
"""

    def widen(self, element):
        """Returns the type of 32 bits, and how `%a` is converted to it."""
        wide = "f32" if self.is_float else "i32"
        if element == wide:
            return wide, "", "%a"
        return wide, f"    %w = arith.{'extf' if self.is_float else 'extsi'} %a : {element} to {wide}\n", "%w"

    def get_start(self, result):
        """Returns the ops that compute the initial value `%z`."""
        wide = "f32" if self.is_float else "i32"
        if self.starts_elsewhere:
            return f"  %z = arith.add{wide[0]} %s, %s : {result}\n"
        return f"""  %c = arith.constant {KINDS[self.kind][0]} : {wide}
{self.create_empty("e", self.kept, wide)}  %z = linalg.fill ins(%c : {wide}) outs(%e : {result}) -> {result}
"""

    def get_text(self):
        axes = range(len(self.shape))
        element = self.element
        x = argument = self.get_type(axes, element)
        sizes = "".join(
            f"  %i{axis} = arith.constant {axis} : index\n  %d{axis} = tensor.dim %x, %i{axis} : {argument}\n"
            for axis in self.dynamic
        )
        wide, widen, value = self.widen(element)
        y, full = self.get_type(self.kept, wide), self.get_type(axes, wide)
        every, kept, iterators = self.get_maps()
        starts = f", %s: {y}" if self.starts_elsewhere else ""
        result, after, last, source, before = y, "", "%r", "%x", ""
        if self.is_shared:
            before, source, x, element = self.get_prologue(x), "%t", full, wide
            _, widen, value = self.widen(wide)
        if self.follows == "negation":
            zero = f"dense<{'0.0' if self.is_float else '0'}> : {y}"
            after = f"  %n = arith.constant {zero}\n  %q = arith.sub{wide[0]} %n, %r : {y}\n"
            last = "%q"
        elif self.follows == "difference":
            result, last = full, "%q"
            after = f"""{self.create_empty("f", axes, wide)}\
  %q = linalg.generic {{indexing_maps = [{every}, {kept}, {every}], iterator_types = \
[{', '.join(['"parallel"'] * len(self.shape))}]}} ins({source}, %r : {x}, {y}) outs(%f : {full}) {{
  ^bb0(%a: {element}, %b: {wide}, %o: {wide}):
{widen}    %d = arith.sub{wide[0]} {value}, %b : {wide}
    linalg.yield %d : {wide}
  }} -> {full}
"""
        return f"""func.func @f{self.number}(%x: {argument}{starts}) -> {result} {{
{sizes}{before}{self.get_start(y)}\
  %r = linalg.generic {{indexing_maps = [{every}, {kept}], iterator_types = [{iterators}]}}
      ins({source} : {x}) outs(%z : {y}) {{
  ^bb0(%a: {element}, %o: {wide}):
{widen}    %v = arith.{self.kind} %o, {value} : {wide}
    linalg.yield %v : {wide}
  }} -> {y}
{after}  return {last} : {result}
}}
"""

    def make_elements(self, generator):
        """Returns the elements, and the argument that represents them in the type of the program."""
        if not self.is_float:
            type = np.int8 if self.element == "i8" else np.int32
            x = generator.integers(-100, 100, self.shape).astype(type)
            return x, x
        # Multiples of 1/64, which 16 bits represent. Products stay near one.
        x = generator.integers(-128, 128, self.shape) / 64
        if self.kind == "mulf":
            x = 1 + generator.integers(-1, 2, self.shape) / 64
        x = x.astype(np.float32)
        if self.element == "bf16":
            return x, (x.view(np.uint32) >> 16).astype(np.uint16)
        return x, x.astype(np.float16) if self.element == "f16" else x

    def compute(self, values, start):
        """Returns the expected result, and the largest error that it may have."""
        function = KINDS[self.kind][1]
        axes = tuple(self.axes)
        result = function.reduce(values, axis=axes)
        if self.starts_elsewhere:
            result = function(result, (2 * start).astype(values.dtype))
        bound = 0
        if self.kind == "addf":
            bound = np.abs(values).sum(axis=axes).max() * 2.0**-22
        elif self.kind == "mulf":
            bound = np.abs(result).max() * math.prod(self.shape[axis] for axis in axes) * 2.0**-23
        if self.follows == "negation":
            result = (0 - result).astype(values.dtype)
        elif self.follows == "difference":
            result = values - np.expand_dims(result, axes)
            bound += np.abs(result).max() * 2.0**-23 if self.is_float else 0
        return result, bound

    def is_right(self, library, generator):
        x, argument = self.make_elements(generator)
        values = x.astype(np.float64 if self.is_float else np.int32)
        if self.is_shared:
            values = -values
        if self.kind == "minui":
            values = values.view(np.uint32)
        start = generator.integers(1, 4, [self.shape[axis] for axis in self.kept])
        arguments = [argument, start.astype(np.float32 if self.is_float else np.int32)]
        expected, bound = self.compute(values, start)
        actual = library[f"f{self.number}"](*arguments[: 1 + self.starts_elsewhere])
        if actual.shape != expected.shape:
            return False
        if not self.is_float:
            return np.array_equal(actual.view(np.uint32), expected.astype(values.dtype).view(np.uint32))
        return bool(np.all(np.abs(actual - expected) <= bound))


def main():
    seed, count, *targets = sys.argv[1:]
    rng = random.Random(int(seed))
    print(f"seed {seed}")
    cases = [Reduction(number, rng) for number in range(int(count))]
    for target in targets:
        wrong = count_wrong(cases, target, int(seed))
        print(f"{target}: {len(cases) - wrong} of {len(cases)} right")


main()
