"""Random matmuls with an elementwise op before and after them, which become one kernel.

fused_matmuls.py SEED COUNT TARGET...
fused_matmuls.py --long SEED COUNT TARGET...   long sums with few results, which become two kernels, and vectors
"""

import random
import sys

import numpy as np

from elements import from_bits, to_bits
from kernel_counts import count_kernels
from random_cases import count_wrong

# The unit roundoff of the elements of results.
ROUNDOFF = {"f32": 2.0**-23, "bf16": 2.0**-8, "f16": 2.0**-10}
LETTERS = "bcmnk"


class Case:
    """A function with one contraction, from random choices."""

    def __init__(self, name, choice):
        self.name = name
        self.element = choice.choice(["f16", "bf16", "f16", "bf16", "i8", "f32"])
        self.sum_type = "i32" if self.element == "i8" else choice.choice(["f32", "f32", self.element])
        outer = choice.choice(["", "", "b", "bc"])
        self.sizes = {"b": choice.randint(1, 3), "c": choice.randint(1, 2)}
        self.sizes |= {"0": 1, "1": 2}
        self.sizes |= {loop: choice.choice([1, 7, 16, 33, 64, 128, 130]) for loop in "mnk"}
        self.is_dynamic = choice.random() < 0.3
        self.a = outer + choice.choice(["mk", "mk", "km"])
        self.b = (outer if choice.random() < 0.5 else outer[:1]) + choice.choice(["kn", "kn", "nk"])
        self.c = outer + "mn"
        self.result = self.c
        if choice.random() < 0.3:
            self.result = "".join(choice.sample(self.c, len(self.c)))
        self.init = choice.choice(["zero", "zero", "bias", "memory"])
        self.result_type = choice.choice(["f32", "f16", "bf16"])
        # Each step is an operation and the loops of its second operand.
        self.steps = []
        for _ in range(choice.randint(1, 4)):
            operation = choice.choice(["add", "mul", "max", "relu", "neg", "select", "triangle"])
            loops = [loop for loop in self.c if choice.random() < 0.5]
            if choice.random() < 0.3:
                choice.shuffle(loops)
            # A constant index.
            if choice.random() < 0.2:
                loops.insert(choice.randint(0, len(loops)), choice.choice("01"))
            self.steps.append((operation, "".join(loops)))

    # The operations without another operand.
    UNARY = ("relu", "neg", "triangle")

    def get_operands(self):
        """The loops and the element type of each argument."""
        operands = [(self.a, self.element), (self.b, self.element)]
        if self.init == "bias":
            operands.append((self.c[-1], self.sum_type))
        if self.init == "memory":
            operands.append((self.c, self.sum_type))
        return operands + [(loops, "f32") for operation, loops in self.steps if operation not in self.UNARY]

    def get_type(self, loops, element):
        dims = "".join(f"{'?' if self.is_dynamic else self.sizes[loop]}x" for loop in loops)
        return f"tensor<{dims}{element}>"

    def get_empty(self, name, loops, element):
        sizes = ", ".join(f"%size_{loop}" for loop in loops) if self.is_dynamic else ""
        return f"  %{name} = tensor.empty({sizes}) : {self.get_type(loops, element)}\n"

    def get_text(self):
        operands = self.get_operands()
        arguments = ", ".join(f"%x{i}: {self.get_type(*operand)}" for i, operand in enumerate(operands))
        c, result = self.get_type(self.c, self.sum_type), self.get_type(self.result, self.result_type)
        text = f"func.func @{self.name}({arguments}) -> {result} {{\n"
        zero = "0" if self.sum_type == "i32" else "0.0"
        text += f"  %zero = arith.constant {zero} : {self.sum_type}\n  %relu = arith.constant 0.0 : f32\n"
        if self.is_dynamic:
            for loop in set(self.c):
                number = next(i for i, (loops, _) in enumerate(operands[:2]) if loop in loops)
                loops = operands[number][0]
                text += f"  %place_{loop} = arith.constant {loops.index(loop)} : index\n"
                text += f"  %size_{loop} = tensor.dim %x{number}, %place_{loop} : {self.get_type(*operands[number])}\n"
        text += self.get_empty("empty", self.c, self.sum_type) + self.get_empty("wide", self.result, self.result_type)
        inputs = iter(range(2, len(operands)))
        if self.init == "zero":
            text += f"  %init = linalg.fill ins(%zero : {self.sum_type}) outs(%empty : {c}) -> {c}\n"
        elif self.init == "bias":
            text += self.get_bias(next(inputs), c)
        init = f"%x{next(inputs)}" if self.init == "memory" else "%init"
        text += self.get_contraction(init, c) + self.get_epilogue(inputs, operands, c, result)
        return text + f"  return %r : {result}\n}}\n"

    def get_bias(self, number, c):
        loops = ", ".join(self.c)
        return f"""  %init = linalg.generic {{
      indexing_maps = [affine_map<({loops}) -> ({self.c[-1]})>, affine_map<({loops}) -> ({loops})>],
      iterator_types = [{", ".join(['"parallel"'] * len(self.c))}]}}
      ins(%x{number} : {self.get_type(self.c[-1], self.sum_type)}) outs(%empty : {c}) {{
  ^bb0(%in: {self.sum_type}, %out: {self.sum_type}):
    linalg.yield %in : {self.sum_type}
  }} -> {c}
"""

    def get_contraction(self, init, c):
        loops = self.c + "k"
        maps = ", ".join(f"affine_map<({', '.join(loops)}) -> ({', '.join(of)})>" for of in (self.a, self.b, self.c))
        kinds = ", ".join('"reduction"' if loop == "k" else '"parallel"' for loop in loops)
        a, b = self.get_type(self.a, self.element), self.get_type(self.b, self.element)
        is_integer, sums = self.element == "i8", self.sum_type
        extend = "extsi" if is_integer else "extf"
        body = ""
        names = ["%a", "%b"]
        if sums != self.element:
            for name in "ab":
                body += f"    %{name}w = arith.{extend} %{name} : {self.element} to {sums}\n"
            names = ["%aw", "%bw"]
        suffix = "i" if is_integer else "f"
        return f"""  %product = linalg.generic {{indexing_maps = [{maps}], iterator_types = [{kinds}]}}
      ins(%x0, %x1 : {a}, {b}) outs({init} : {c}) {{
  ^bb0(%a: {self.element}, %b: {self.element}, %out: {sums}):
{body}    %m = arith.mul{suffix} {", ".join(names)} : {sums}
    %s = arith.add{suffix} %out, %m : {sums}
    linalg.yield %s : {sums}
  }} -> {c}
"""

    def get_epilogue(self, inputs, operands, c, result):
        loops = ", ".join(self.c)
        used = [(number, *operands[number]) for number in inputs]
        maps = [self.c] + [of for _, of, _ in used] + [self.result]
        maps = ", ".join(f"affine_map<({loops}) -> ({', '.join(of)})>" for of in maps)
        names = ", ".join(["%product"] + [f"%x{number}" for number, _, _ in used])
        types = ", ".join([c] + [self.get_type(of, element) for _, of, element in used])
        arguments = ", ".join(
            [f"%v: {self.sum_type}"] + [f"%y{number}: f32" for number, _, _ in used] + [f"%o: {self.result_type}"]
        )
        body, value = "", "%v"
        if self.sum_type != "f32":
            body = f"    %v0 = arith.{'sitofp' if self.sum_type == 'i32' else 'extf'} %v : {self.sum_type} to f32\n"
            value = "%v0"
        numbers = iter(used)
        for i, (operation, _) in enumerate(self.steps):
            other = "%relu" if operation == "relu" else None
            if operation not in self.UNARY:
                other = f"%y{next(numbers)[0]}"
            new = f"%t{i}"
            if operation == "neg":
                body += f"    {new} = arith.negf {value} : f32\n"
            elif operation == "triangle":
                body += f"    %i{i} = linalg.index {len(self.c) - 2} : index\n"
                body += f"    %j{i} = linalg.index {len(self.c) - 1} : index\n"
                body += f"    %c{i} = arith.cmpi uge, %i{i}, %j{i} : index\n"
                body += f"    {new} = arith.select %c{i}, {value}, %relu : f32\n"
            elif operation == "select":
                body += f"    %c{i} = arith.cmpf ogt, {value}, {other} : f32\n"
                body += f"    {new} = arith.select %c{i}, {value}, %relu : f32\n"
            else:
                name = {"add": "addf", "mul": "mulf", "max": "maximumf", "relu": "maximumf"}[operation]
                body += f"    {new} = arith.{name} {value}, {other} : f32\n"
            value = new
        if self.result_type != "f32":
            body += f"    %narrow = arith.truncf {value} : f32 to {self.result_type}\n"
            value = "%narrow"
        return f"""  %r = linalg.generic {{indexing_maps = [{maps}],
      iterator_types = [{", ".join(['"parallel"'] * len(self.c))}]}}
      ins({names} : {types}) outs(%wide : {result}) {{
  ^bb0({arguments}):
{body}    linalg.yield {value} : {self.result_type}
  }} -> {result}
"""

    def make_operands(self, generator):
        values = []
        for loops, element in self.get_operands():
            shape = tuple(self.sizes[loop] for loop in loops)
            if element in ("i8", "i32"):
                values.append(generator.integers(-8, 8, shape).astype(element.replace("i", "int")))
                continue
            # Exact sums, in whatever order, so that comparisons have one result.
            limit = 8 if self.sum_type in ("f32", "i32") else 1
            value = (generator.integers(-limit, limit + 1, shape) / (4 if limit > 1 else 1)).astype(np.float32)
            values.append(value.astype(np.float16) if element == "f16" else from_bits(to_bits(value, element), element))
        return values

    def compute(self, values):
        """The expected result, by numpy."""
        operands = iter(zip(self.get_operands(), [np.asarray(value, np.float64) for value in values]))
        (_, a), (_, b) = next(operands), next(operands)
        result = np.einsum(f"{self.a},{self.b}->{self.c}", a, b)

        def spread(loops, value):
            for dim in reversed(range(len(loops))):
                if loops[dim].isdigit():
                    value = np.take(value, int(loops[dim]), dim)
            loops = [loop for loop in loops if not loop.isdigit()]
            order = sorted(range(len(loops)), key=lambda i: self.c.index(loops[i]))
            shape = [self.sizes[loop] if loop in loops else 1 for loop in self.c]
            return np.transpose(value, order).reshape(shape)

        if self.init != "zero":
            (loops, _), value = next(operands)
            result = result + spread(loops, value)
        result = self.round(result, self.sum_type)
        for operation, _ in self.steps:
            other = 0.0
            if operation not in self.UNARY:
                (loops, _), value = next(operands)
                other = spread(loops, value)
            if operation == "neg":
                result = -result
            elif operation == "triangle":
                result = np.tril(result)
            elif operation == "select":
                result = np.where(result > other, result, 0.0)
            elif operation in ("max", "relu"):
                result = np.maximum(result, other)
            else:
                result = result + other if operation == "add" else result * other
            result = self.round(result, "f32")
        return np.transpose(result, [self.c.index(loop) for loop in self.result])

    @staticmethod
    def round(values, element):
        if element == "i32":
            return values
        values = values.astype(np.float32)
        return from_bits(to_bits(values, element), element).astype(np.float64)

    def is_right(self, library, generator):
        values = self.make_operands(generator)
        bits = [
            value if element in ("i8", "i32") else to_bits(value, element)
            for value, (_, element) in zip(values, self.get_operands())
        ]
        have = from_bits(getattr(library, self.name)(*bits), self.result_type).astype(np.float64)
        want = self.compute(values)
        return have.shape == want.shape and bool(
            np.all(np.abs(have - want) <= np.abs(want) * ROUNDOFF[self.result_type] + 1e-6)
        )


class LongCase(Case):
    """A product whose sums are long, with few results: rows, columns or a vector."""

    def __init__(self, name, choice):
        super().__init__(name, choice)
        few, many = choice.choice([1, 2, 7, 16, 33]), choice.choice([1, 48, 65, 130, 300])
        self.sizes |= dict(zip("mn", choice.choice([(few, many), (many, few)])))
        self.sizes["k"] = choice.choice([512, 1000, 1024, 2044, 2048, 3001, 4096])
        self.is_dynamic = choice.random() < 0.15
        removed = choice.choice(["", "", "m", "n"])
        if not removed:
            return
        self.a, self.b, self.c, self.result = (
            loops.replace(removed, "") for loops in (self.a, self.b, self.c, self.result)
        )
        # A mask of a triangle needs rows and columns.
        self.steps = [
            ("neg" if operation == "triangle" else operation, loops.replace(removed, ""))
            for operation, loops in self.steps
        ]


def main():
    is_long = sys.argv[1] == "--long"
    arguments = sys.argv[2 if is_long else 1 :]
    seed, count, targets = int(arguments[0]), int(arguments[1]), arguments[2:]
    print(f"seed {seed}")
    failures = kernels = 0
    for i, target in enumerate(targets):
        choice = random.Random(f"{seed} {i}")
        cases = [(LongCase if is_long else Case)(f"f{number}", choice) for number in range(count)]
        failures += count_wrong(cases, target, seed)
        text = "".join(case.get_text() for case in cases)
        kernels += count_kernels(text, target) - len(cases)
    print(f"{count * len(targets)} matmuls, {failures} failures, {kernels} more kernels than matmuls")


main()
