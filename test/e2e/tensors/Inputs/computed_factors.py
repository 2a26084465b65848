"""Random matmuls whose factors are computed by elementwise ops, which become one kernel.

computed_factors.py SEED COUNT TARGET...
"""

import random
import sys

import numpy as np

import aircc
from elements import from_bits, to_bits
from kernel_counts import count_kernels


class Factor:
    """A factor that is computed from a tensor of another type, with the loops `outer`, `across` and k."""

    def __init__(self, choice, outer, across, sizes, is_dynamic):
        self.loops = outer + choice.choice([across + "k", across + "k", "k" + across])
        self.sizes = sizes
        kinds = ["memory", "convert", "index"]
        if not is_dynamic and sizes["k"] % 16 == 0:
            kinds += ["groups", "groups", "packed"]
        self.kind = choice.choice(kinds)
        self.group = choice.choice([2, 4, 8, 16])
        while self.kind == "groups" and sizes["k"] % (self.group * 2) == 0 and choice.random() < 0.7:
            self.group *= 2
        # An even number of elements shares a byte, and 16 of them a scale.
        if self.kind == "packed":
            self.loops = outer + across + "k"
            self.group = 16
        self.source = choice.choice(["i8", "f32"]) if self.kind == "convert" else "i8"

    def get_dims(self, loops):
        """The loops of the elementwise op: those of the factor, with several loops for k if it is split."""
        inner = {"groups": "gi", "packed": "gih"}.get(self.kind, "k")
        return loops.replace("k", inner)

    def get_size(self, loop):
        sizes = {"h": 2, "i": self.group // (2 if self.kind == "packed" else 1)}
        sizes["g"] = self.sizes["k"] // self.group
        return sizes.get(loop, self.sizes.get(loop))

    def get_operands(self):
        """The loops and the element type of each argument."""
        if self.kind == "memory":
            return [(self.loops, "f16")]
        if self.kind in ("convert", "index"):
            return [(self.loops, self.source)]
        dims = self.get_dims(self.loops)
        weights = dims.replace("h", "")
        groups = weights.replace("i", "")
        return [(weights, self.source), (groups, "f16"), (groups, "i8")]

    def get_body(self):
        """The type of the factor's element, computed from %p0, %p1, …"""
        wide, value = "", "%p0"
        if self.kind == "convert" and self.source == "f32":
            return "    %r = arith.truncf %p0 : f32 to f16\n"
        if self.kind == "convert":
            return "    %r = arith.sitofp %p0 : i8 to f16\n"
        if self.kind == "index":
            # Elements are negated in every second row.
            place = len(self.loops) - 2
            return f"""    %i = linalg.index {place} : index
    %two = arith.constant 2 : index
    %odd = arith.remui %i, %two : index
    %none = arith.constant 0 : index
    %c = arith.cmpi eq, %odd, %none : index
    %f = arith.sitofp %p0 : i8 to f16
    %one = arith.constant 1.0 : f16
    %s = arith.addf %f, %one : f16
    %n = arith.negf %s : f16
    %r = arith.select %c, %s, %n : f16
"""
        if self.kind == "packed":
            wide = f"""    %half = linalg.index {len(self.get_dims(self.loops)) - 1} : index
    %four = arith.constant 4 : index
    %bits = arith.muli %half, %four : index
    %shift = arith.index_cast %bits : index to i8
    %shifted = arith.shrui %p0, %shift : i8
    %mask = arith.constant 15 : i8
    %e = arith.andi %shifted, %mask : i8
"""
            value = "%e"
        return f"""{wide}    %d = arith.subi {value}, %p2 : i8
    %f = arith.sitofp %d : i8 to f16
    %r = arith.mulf %f, %p1 : f16
"""

    def make(self, generator):
        """Arguments and the factor."""
        arguments = []
        limits = {"i8": (-6, 7), "f16": (-4, 5), "f32": (-4, 5)}
        for loops, element in self.get_operands():
            low, high = limits[element]
            values = generator.integers(low, high, [self.get_size(loop) for loop in loops])
            if self.kind == "packed" and not arguments:
                values = generator.integers(-128, 128, values.shape)
            values = values.astype(np.int8 if element.startswith("i") else np.float32)
            if element == "f16" and self.kind != "memory":
                values = 2.0 ** (values.astype(np.float32) // 2)
            arguments.append(values if element in ("i8", "f32") else values.astype(np.float16))
        factor = arguments[0].astype(np.float64)
        if self.kind == "index":
            rows = np.arange(factor.shape[-2]) % 2 == 0
            factor = np.where(rows[:, None], factor + 1, -factor - 1)
        if self.kind in ("groups", "packed"):
            packed, scales, zeros = arguments
            weights, groups = self.get_operands()[0][0], self.get_operands()[1][0]
            place = weights.index("i")
            q = packed.astype(np.int64)
            spread = lambda v: np.expand_dims(v.astype(np.float64), place)
            if self.kind == "packed":
                q = np.stack([q & 15, (q >> 4) & 15], -1).reshape(*packed.shape[:-1], -1)
            assert groups == weights.replace("i", "")
            factor = (q - spread(zeros)) * spread(scales)
            factor = factor.reshape([self.sizes[loop] for loop in self.loops])
        return arguments, factor


class Case:
    """A function with one contraction, from random choices."""

    def __init__(self, name, choice):
        self.name = name
        self.is_dynamic = choice.random() < 0.25
        outer = choice.choice(["", "", "b"])
        sizes = {"b": choice.randint(1, 3)}
        sizes |= {loop: choice.choice([1, 7, 16, 33, 64, 96, 128, 130]) for loop in "mnk"}
        self.sizes = sizes
        self.a = Factor(choice, outer, "m", sizes, self.is_dynamic)
        self.b = Factor(choice, outer if choice.random() < 0.5 else "", "n", sizes, self.is_dynamic)
        if self.a.kind == "memory" and self.b.kind == "memory":
            self.b.kind, self.b.source = "convert", "i8"
        self.c = outer + "mn"
        self.has_epilogue = choice.random() < 0.5

    def get_type(self, factor, loops, element):
        dims = "".join(f"{'?' if self.is_dynamic else factor.get_size(loop)}x" for loop in loops)
        return f"tensor<{dims}{element}>"

    def get_empty(self, name, factor, loops, element):
        sizes = ", ".join(f"%size_{loop}" for loop in loops) if self.is_dynamic else ""
        return f"  %{name} = tensor.empty({sizes}) : {self.get_type(factor, loops, element)}\n"

    def get_factor(self, name, factor):
        """The text that computes %name from its arguments."""
        if factor.kind == "memory":
            return "", f"%{name}0"
        operands, dims = factor.get_operands(), factor.get_dims(factor.loops)
        maps = [loops for loops, _ in operands] + [dims]
        maps = ", ".join(f"affine_map<({', '.join(dims)}) -> ({', '.join(of)})>" for of in maps)
        kinds = ", ".join(['"parallel"'] * len(dims))
        names = ", ".join(f"%{name}{i}" for i in range(len(operands)))
        types = ", ".join(self.get_type(factor, *operand) for operand in operands)
        elements = ", ".join(f"%p{i}: {element}" for i, (_, element) in enumerate(operands))
        wide, flat = self.get_type(factor, dims, "f16"), self.get_type(factor, factor.loops, "f16")
        text = self.get_empty(f"{name}_empty", factor, dims, "f16")
        text += f"""  %{name}_wide = linalg.generic {{indexing_maps = [{maps}], iterator_types = [{kinds}]}}
      ins({names} : {types}) outs(%{name}_empty : {wide}) {{
  ^bb0({elements}, %out: f16):
{factor.get_body()}    linalg.yield %r : f16
  }} -> {wide}
"""
        if dims == factor.loops:
            return text, f"%{name}_wide"
        groups, next_dim = [], 0
        for loop in factor.loops:
            count = len(dims) - len(factor.loops) + 1 if loop == "k" else 1
            groups.append(list(range(next_dim, next_dim + count)))
            next_dim += count
        text += f"  %{name} = tensor.collapse_shape %{name}_wide {groups} : {wide} into {flat}\n"
        return text, f"%{name}"

    def get_text(self):
        parts = [("a", self.a), ("b", self.b)]
        arguments = ", ".join(
            f"%{name}{i}: {self.get_type(factor, *operand)}"
            for name, factor in parts
            for i, operand in enumerate(factor.get_operands())
        )
        element = "f16" if self.has_epilogue else "f32"
        c, result = self.get_type(self.a, self.c, "f32"), self.get_type(self.a, self.c, element)
        text = f"func.func @{self.name}({arguments}) -> {result} {{\n  %zero = arith.constant 0.0 : f32\n"
        if self.is_dynamic:
            for loop in sorted(set(self.c) | {"k"}):
                name, factor = next((n, f) for n, f in parts if loop in f.loops)
                text += f"  %place_{loop} = arith.constant {factor.loops.index(loop)} : index\n"
                operand = factor.get_operands()[0]
                text += f"  %size_{loop} = tensor.dim %{name}0, %place_{loop} : {self.get_type(factor, *operand)}\n"
        names = []
        for name, factor in parts:
            code, value = self.get_factor(name, factor)
            text += code
            names.append(value)
        loops = self.c + "k"
        maps = ", ".join(
            f"affine_map<({', '.join(loops)}) -> ({', '.join(of)})>" for of in (self.a.loops, self.b.loops, self.c)
        )
        kinds = ", ".join('"reduction"' if loop == "k" else '"parallel"' for loop in loops)
        text += self.get_empty("empty", self.a, self.c, "f32")
        a, b = [self.get_type(factor, factor.loops, "f16") for _, factor in parts]
        text += f"""  %init = linalg.fill ins(%zero : f32) outs(%empty : {c}) -> {c}
  %product = linalg.generic {{indexing_maps = [{maps}], iterator_types = [{kinds}]}}
      ins({", ".join(names)} : {a}, {b})
      outs(%init : {c}) {{
  ^bb0(%x: f16, %y: f16, %out: f32):
    %xw = arith.extf %x : f16 to f32
    %yw = arith.extf %y : f16 to f32
    %m = arith.mulf %xw, %yw : f32
    %s = arith.addf %out, %m : f32
    linalg.yield %s : f32
  }} -> {c}
"""
        if not self.has_epilogue:
            return text + f"  return %product : {c}\n}}\n"
        return text + f"  %r = arith.truncf %product : {c} to {result}\n  return %r : {result}\n}}\n"

    def is_right(self, library, generator):
        arguments, factors = [], []
        for factor in (self.a, self.b):
            values, result = factor.make(generator)
            arguments += [to_bits(v, "f16") if v.dtype == np.float16 else v for v in values]
            factors.append(result.astype(np.float16).astype(np.float64))
        want = np.einsum(f"{self.a.loops},{self.b.loops}->{self.c}", *factors)
        magnitude = np.einsum(f"{self.a.loops},{self.b.loops}->{self.c}", *map(np.abs, factors))
        have = getattr(library, self.name)(*arguments)
        have = (from_bits(have, "f16") if self.has_epilogue else have).astype(np.float64)
        limit = magnitude * 1e-5 + (np.abs(want) * 2.0**-10 if self.has_epilogue else 0)
        return have.shape == want.shape and bool(np.all(np.abs(have - want) <= limit + 1e-6))


def main():
    seed, count, targets = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3:]
    print(f"seed {seed}")
    failures = kernels = 0
    for i, target in enumerate(targets):
        choice = random.Random(f"{seed} {i}")
        cases = [Case(f"f{number}", choice) for number in range(count)]
        text = "".join(case.get_text() for case in cases)
        library = aircc.compile(text, target=target)
        generator = np.random.default_rng(seed)
        for case in cases:
            if not case.is_right(library, generator):
                print(f"{target}: wrong:\n{case.get_text()}")
                failures += 1
        # Several wide elements may cost more than a kernel that converts them once.
        narrow = [case for case in cases if "f32" not in (case.a.source, case.b.source)]
        kernels += count_kernels("".join(case.get_text() for case in narrow), target) - len(narrow)
    print(f"{count * len(targets)} matmuls, {failures} failures, {kernels} more kernels than matmuls")


main()
