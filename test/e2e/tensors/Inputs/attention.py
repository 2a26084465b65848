"""Attention in random forms, each of which becomes one kernel.

attention.py SEED COUNT TARGET...
"""

import random
import sys

import numpy as np

from elements import from_bits, get_dtype, to_bits
from kernel_counts import count_kernels
from random_cases import count_wrong


class Case:
    """Attention over batches, heads and groups of heads, from random choices."""

    def __init__(self, name, choice, elements):
        self.name = name
        self.element = choice.choice(elements)
        self.outer = choice.choice(["", "b", "bh", "bhg"])
        self.sizes = {"b": choice.randint(1, 2), "h": choice.randint(1, 3), "g": 2}
        self.sizes |= {"i": choice.choice([1, 16, 50, 64, 130]), "j": choice.choice([16, 64, 77, 130])}
        self.sizes |= {"k": choice.choice([16, 32, 40, 64, 128]), "n": choice.choice([16, 32, 40, 64, 128])}
        self.is_dynamic = choice.random() < 0.4
        heads = self.outer.replace("g", "")
        self.q = self.outer + choice.choice(["ik", "ik", "ki"])
        self.k = heads + choice.choice(["jk", "jk", "kj"])
        self.v = heads + choice.choice(["jn", "jn", "nj"])
        if self.outer == "bh" and choice.random() < 0.4:  # The layout of projections.
            self.q, self.k, self.v = "bihk", "bjhk", "bjhn"
        self.s, self.o = self.outer + "ij", self.outer + "in"
        self.score_type = choice.choice(["f32", "f32", self.element])
        self.scale = choice.choice([None, "scale", "divide"])
        self.mask = choice.choice([None, "add", "select", "causal"])
        self.mask_loops = choice.choice(["ij", "j", self.s])
        self.softmax = choice.choice(["op", "parts"])
        self.result = self.o
        self.epilogue = choice.choice([None, "cast", "residual", "transpose"])
        if self.epilogue == "transpose":
            self.result = "".join(choice.sample(self.o, len(self.o)))
        self.extreme = choice.choice([None, None, "large", "nan", "lowest"])

    def get_operands(self):
        operands = [(loops, self.element) for loops in (self.q, self.k, self.v)]
        if self.mask == "add":
            operands.append((self.mask_loops, self.score_type))
        if self.mask == "select":
            operands.append((self.mask_loops, "i1"))
        if self.epilogue == "residual":
            operands.append((self.o, "f32"))
        return operands

    def get_type(self, loops, element):
        dims = "".join(f"{'?' if self.is_dynamic and loop not in 'kn' else self.sizes[loop]}x" for loop in loops)
        return f"tensor<{dims}{element}>"

    def get_empty(self, name, loops, element):
        sizes = ", ".join(f"%size_{loop}" for loop in loops if self.is_dynamic and loop not in "kn")
        return f"  %{name} = tensor.empty({sizes}) : {self.get_type(loops, element)}\n"

    def get_generic(self, name, loops, inputs, result, body, kinds=None):
        """`inputs` are values with their loops and types; `result` is the output with its loops and type; `body` maps
        the names of elements to lines and the value to yield."""
        maps = [of for _, of, _ in inputs] + [result[1]]
        maps = ", ".join(f"affine_map<({', '.join(loops)}) -> ({', '.join(of)})>" for of in maps)
        kinds = ", ".join(f'"{kind}"' for kind in kinds or ["parallel"] * len(loops))
        names = [f"%e{i}" for i in range(len(inputs))]
        lines, value = body(names + ["%out"])
        arguments = ", ".join(
            [f"{element}: {kind}" for element, (_, _, kind) in zip(names, inputs)] + [f"%out: {result[2]}"]
        )
        values = ", ".join(value for value, _, _ in inputs)
        types = ", ".join(self.get_type(of, kind) for _, of, kind in inputs)
        text = "".join(f"    {line}\n" for line in lines)
        out = self.get_type(result[1], result[2])
        return f"""  %{name} = linalg.generic {{indexing_maps = [{maps}], iterator_types = [{kinds}]}}
      ins({values} : {types}) outs({result[0]} : {out}) {{
  ^bb0({arguments}):
{text}    linalg.yield {value} : {result[2]}
  }} -> {out}
"""

    def get_contraction(self, name, a, b, out, sums):
        loops = out + "".join(sorted(set(a[1] + b[1]) - set(out)))
        kinds = ["parallel" if loop in out else "reduction" for loop in loops]

        def body(names):
            lines = []
            x, y, o = names
            if sums != self.element:
                lines = [f"%{to} = arith.extf {of} : {self.element} to {sums}" for to, of in (("x", x), ("y", y))]
                x, y = "%x", "%y"
            return lines + [f"%m = arith.mulf {x}, {y} : {sums}", f"%s = arith.addf {o}, %m : {sums}"], "%s"

        c = self.get_type(out, sums)
        text = self.get_empty(f"{name}_empty", out, sums)
        text += f"  %{name}_fill = linalg.fill ins(%zero_{sums} : {sums}) outs(%{name}_empty : {c}) -> {c}\n"
        return text + self.get_generic(name, loops, [a, b], (f"%{name}_fill", out, sums), body, kinds)

    def get_logits(self, operands):
        """The text that computes %logits from %scores."""
        element, value, text = self.score_type, "%scores", ""

        def add(name, inputs, body):
            nonlocal value, text
            text += self.get_empty(f"{name}_empty", self.s, element)
            inputs = [(value, self.s, element)] + inputs
            text += self.get_generic(name, self.s, inputs, (f"%{name}_empty", self.s, element), body)
            value = f"%{name}"

        if self.scale:
            op, number = ("mulf", 0.25) if self.scale == "scale" else ("divf", 4.0)
            text += f"  %factor = arith.constant {number} : {element}\n"
            add("scaled", [], lambda names: ([f"%t = arith.{op} {names[0]}, %factor : {element}"], "%t"))
        if self.mask == "add":
            mask = [("%x3", self.mask_loops, element)]
            add("masked", mask, lambda names: ([f"%t = arith.addf {names[0]}, {names[1]} : {element}"], "%t"))
        if self.mask == "select":
            mask = [("%x3", self.mask_loops, "i1")]
            line = "%t = arith.select {1}, {0}, %low_{2} : {2}"
            add("masked", mask, lambda names: ([line.format(names[0], names[1], element)], "%t"))
        if self.mask == "causal":
            lines = [
                f"%i = linalg.index {len(self.s) - 2} : index",
                f"%j = linalg.index {len(self.s) - 1} : index",
                "%c = arith.cmpi uge, %i, %j : index",
            ]
            line = "%t = arith.select %c, {0}, %low_{1} : {1}"
            add("masked", [], lambda names: (lines + [line.format(names[0], element)], "%t"))
        return text, value

    def get_softmax(self, logits):
        element, rows = self.score_type, self.s[:-1]
        s = self.get_type(self.s, element)
        text = self.get_empty("softmax_empty", self.s, element)
        if self.softmax == "op":
            last = len(self.s) - 1
            text += f"  %weights = linalg.softmax dimension({last}) ins({logits} : {s})"
            return text + f" outs(%softmax_empty : {s}) -> {s}\n"
        kinds = ["parallel"] * len(rows) + ["reduction"]
        row = self.get_type(rows, element)
        text += self.get_empty("row_empty", rows, element)
        text += f"  %max_fill = linalg.fill ins(%low_{element} : {element}) outs(%row_empty : {row}) -> {row}\n"
        text += f"  %sum_fill = linalg.fill ins(%zero_{element} : {element}) outs(%row_empty : {row}) -> {row}\n"
        maximum = lambda names: ([f"%t = arith.maximumf {names[0]}, {names[1]} : {element}"], "%t")
        inputs = [(logits, self.s, element)]
        text += self.get_generic("max", self.s, inputs, ("%max_fill", rows, element), maximum, kinds)
        power = lambda names: (
            [f"%t = arith.subf {names[0]}, {names[1]} : {element}", f"%p = math.exp %t : {element}"],
            "%p",
        )
        inputs = [(logits, self.s, element), ("%max", rows, element)]
        text += self.get_generic("exp", self.s, inputs, ("%softmax_empty", self.s, element), power)
        add = lambda names: ([f"%t = arith.addf {names[0]}, {names[1]} : {element}"], "%t")
        text += self.get_generic("sum", self.s, [("%exp", self.s, element)], ("%sum_fill", rows, element), add, kinds)
        text += f"  %one = arith.constant 1.0 : {element}\n"
        inverse = lambda names: ([f"%t = arith.divf %one, {names[0]} : {element}"], "%t")
        text += self.get_generic("inverse", rows, [("%sum", rows, element)], ("%row_empty", rows, element), inverse)
        product = lambda names: ([f"%t = arith.mulf {names[0]}, {names[1]} : {element}"], "%t")
        inputs = [("%exp", self.s, element), ("%inverse", rows, element)]
        return text + self.get_generic("weights", self.s, inputs, ("%softmax_empty", self.s, element), product)

    def get_text(self):
        operands = self.get_operands()
        arguments = ", ".join(f"%x{i}: {self.get_type(*operand)}" for i, operand in enumerate(operands))
        final = "f32"
        if self.epilogue in ("cast", "residual") and self.element != "f32":
            final = self.element
        result = self.get_type(self.result, final)
        text = f"func.func @{self.name}({arguments}) -> {result} {{\n"
        for element in sorted({"f32", self.score_type, self.element}):
            low = {"f32": "0xFF800000", "f16": "0xFC00", "bf16": "0xFF80"}[element]
            text += f"  %zero_{element} = arith.constant 0.0 : {element}\n"
            text += f"  %low_{element} = arith.constant {low} : {element}\n"
        if self.is_dynamic:
            for loop in self.outer + "ij":
                number, loops = next((i, of) for i, (of, _) in enumerate(operands) if loop in of)
                text += f"  %place_{loop} = arith.constant {loops.index(loop)} : index\n"
                text += f"  %size_{loop} = tensor.dim %x{number}, %place_{loop} : {self.get_type(*operands[number])}\n"
        q, k, v = [(f"%x{i}", *operands[i]) for i in range(3)]
        text += self.get_contraction("scores", q, k, self.s, self.score_type)
        logits, value = self.get_logits(operands)
        text += logits + self.get_softmax(value)
        weights = "%weights"
        if self.score_type != self.element:
            text += self.get_empty("narrow_empty", self.s, self.element)
            cast = lambda names: ([f"%t = arith.truncf {names[0]} : {self.score_type} to {self.element}"], "%t")
            inputs = [(weights, self.s, self.score_type)]
            text += self.get_generic("narrow", self.s, inputs, ("%narrow_empty", self.s, self.element), cast)
            weights = "%narrow"
        text += self.get_contraction("context", (weights, self.s, self.element), v, self.o, "f32")
        value = "%context"
        if self.epilogue:
            text += self.get_empty("end_empty", self.result, final)
            inputs = [(value, self.o, "f32")]
            if self.epilogue == "residual":
                inputs.append((f"%x{len(operands) - 1}", self.o, "f32"))

            def body(names):
                lines, element = [], names[0]
                if self.epilogue == "residual":
                    lines.append(f"%t = arith.addf {names[0]}, {names[1]} : f32")
                    element = "%t"
                if final != "f32":
                    lines.append(f"%u = arith.truncf {element} : f32 to {final}")
                    element = "%u"
                return lines, element

            text += self.get_generic("end", self.o, inputs, ("%end_empty", self.result, final), body)
            value = "%end"
        self.result_type = final
        return text + f"  return {value} : {result}\n}}\n"

    def make_operands(self, generator):
        values = []
        for loops, element in self.get_operands():
            shape = tuple(self.sizes[loop] for loop in loops)
            if element == "i1":
                values.append(generator.random(shape) < 0.8)
            else:
                value = generator.standard_normal(shape).astype(np.float32)
                values.append(from_bits(to_bits(value.astype(get_dtype(element)), element), element))
        self.add_extremes(values)
        return values

    def add_extremes(self, values):
        """Scores of which one has nearly all of the weight, a query that is NaN, or queries whose keys are all masked
        by the lowest number."""
        if self.extreme == "large" and self.score_type == "f32":
            values[0] *= values[0].dtype.type(32)
        if self.extreme == "nan":
            values[0][(0,) * values[0].ndim] = np.nan
        if self.extreme == "lowest" and self.mask == "add" and self.score_type == "f32":
            values[3][..., : self.sizes["j"] // 2] = np.finfo(np.float32).min
            if self.mask_loops != "j":
                values[3][..., 0, :] = np.finfo(np.float32).min

    def compute(self, values):
        values = [value if value.dtype == bool else np.asarray(value, np.float64) for value in values]
        scores = np.einsum(f"{self.q},{self.k}->{self.s}", values[0], values[1])

        def spread(loops, value):
            return value.reshape([self.sizes[loop] if loop in loops else 1 for loop in self.s])

        if self.scale:
            scores = scores / 4
        if self.mask == "add":
            scores = scores + spread(self.mask_loops, values[3])
        if self.mask == "select":
            scores = np.where(spread(self.mask_loops, values[3]), scores, -np.inf)
        if self.mask == "causal":
            scores = np.where(np.tri(self.sizes["i"], self.sizes["j"], dtype=bool), scores, -np.inf)
        with np.errstate(invalid="ignore"):
            weights = np.exp(scores - scores.max(-1, keepdims=True))
            weights /= weights.sum(-1, keepdims=True)
            result = np.einsum(f"{self.s},{self.v}->{self.o}", weights, values[2])
        if self.epilogue == "residual":
            result = result + values[-1]
        return np.transpose(result, [self.o.index(loop) for loop in self.result])

    def is_right(self, library, generator):
        values = self.make_operands(generator)
        bits = [
            value if element == "i1" else to_bits(value, element)
            for value, (_, element) in zip(values, self.get_operands())
        ]
        have = from_bits(getattr(library, self.name)(*bits), self.result_type).astype(np.float64)
        want = self.compute(values)
        # Rounding of scores and weights to narrow types.
        narrow = {"f32": 2.0**-20, "f16": 2.0**-9, "bf16": 2.0**-6}
        limit = 4 * narrow[self.element] + 12 * narrow[self.score_type] * (self.score_type != "f32")
        close = np.abs(have - want) <= limit * (1 + np.abs(want))
        return have.shape == want.shape and bool(np.all(close | (np.isnan(want) & np.isnan(have))))


def main():
    seed, count, targets = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3:]
    print(f"seed {seed}")
    failures = kernels = fused = 0
    for i, target in enumerate(targets):
        choice = random.Random(f"{seed} {i}")
        cases = [Case(f"f{number}", choice, ["f16", "bf16"]) for number in range(count)]
        failures += count_wrong(cases, target, seed)
        text = "".join(case.get_text() for case in cases)
        kernels += count_kernels(text, target)
        fused += count_kernels(text, target, "attention")
    print(f"{count * len(targets)} programs, {failures} failures, {kernels} kernels, {fused} of attention")


main()
