"""Products of small floats with a scale for each block of 32 along K, as functions on tensors.

scaled_products.py [--tile] SEED COUNT TARGET...

The scales are in the body of the contraction, or elementwise ops compute the factors from them. The results are
compared with numpy, within the rounding of f32 sums. With --tile, workgroups compute the tiles that the compiler
chooses for large matrices.
"""

import sys

import numpy as np

import aircc

BLOCK = 32
# Bits of exponent and of fraction, bias.
FORMATS = {"f4E2M1FN": (2, 1, 1), "f8E4M3FN": (4, 3, 7), "f8E5M2": (5, 2, 15)}
SIZES = [(64, 64, 128), (128, 256, 512), (96, 80, 96), (33, 45, 64), (1, 64, 256), (16, 16, 1024), (256, 128, 160)]
# Products with tiles of 256x256 and a multiple of the length of the tiles along K.
TILE = "256x256x{}"
TILED_SIZES = [(256, 256, 512), (256, 256, 2048), (300, 256, 1024), (256, 200, 1536), (256, 256, 768), (257, 511, 512)]


def decode(kind):
    """The value of each code of a format; NaN and infinity are 0."""
    exponent, fraction, bias = FORMATS[kind]
    codes = np.arange(1 << (1 + exponent + fraction))
    e, f = (codes >> fraction) & ((1 << exponent) - 1), codes & ((1 << fraction) - 1)
    value = np.where(e == 0, f * 2.0 ** (1 - bias - fraction), (1 + f / 2.0**fraction) * 2.0 ** (e - bias))
    special = e == (1 << exponent) - 1
    if kind == "f8E4M3FN":
        special &= f == 7
    elif kind == "f4E2M1FN":
        special &= False
    return np.where(special, 0.0, value) * np.where(codes >> (exponent + fraction), -1.0, 1.0), special


def is_packed(kind):
    return kind == "f4E2M1FN"


class Matrix:
    """A factor: codes and scales, and their product."""

    def __init__(self, random, kind, shape):
        values, special = decode(kind)
        self.kind, self.shape = kind, shape
        codes = random.integers(0, len(values), shape)
        codes[special[codes]] = 0
        scales = random.integers(117, 138, (*shape[:-1], shape[-1] // BLOCK))
        self.values = values[codes] * np.repeat(2.0 ** (scales - 127.0), BLOCK, -1)
        self.scales = scales.astype(np.uint8)
        self.codes = codes.astype(np.uint8)

    def get_arguments(self, is_grouped):
        codes = self.codes
        if is_grouped:
            codes = codes.reshape(*self.shape[:-1], self.shape[-1] // BLOCK, BLOCK)
        if is_packed(self.kind):
            codes = (codes[..., 0::2] | codes[..., 1::2] << 4).view(np.int8)
        return [codes, self.scales]


class Case:
    def __init__(self, random, sizes=SIZES):
        self.m, self.n, self.k = sizes[random.integers(len(sizes))]
        self.kinds = [list(FORMATS)[random.integers(len(FORMATS))] for _ in range(2)]
        self.form = ["body", "factors", "narrow"][random.integers(3)]
        self.batch = [None, None, 3][random.integers(3)]
        self.is_dynamic = bool(random.integers(3) == 0)
        self.is_deep = self.is_dynamic and bool(random.integers(2))
        self.result = ["f32", "bf16", "f32"][random.integers(3)]

    def __str__(self):
        sizes = f"{self.m}x{self.n}x{self.k}, dynamic: {self.is_dynamic}, {self.is_deep}, batch {self.batch}"
        return f"{sizes}: {self.kinds} ({self.form}) into {self.result}"

    def spell(self, rows, *rest):
        sizes = [*([self.batch] if self.batch else []), "?" if self.is_dynamic else rows, *rest]
        return f"tensor<{'x'.join(map(str, sizes))}>"

    def make_text(self, name):
        groups = "?" if self.is_deep else self.k // BLOCK
        batch = "b, " if self.batch else ""
        a, b = (self.spell(rows, groups, BLOCK, kind) for rows, kind in zip((self.m, self.n), self.kinds))
        sa, sb = (self.spell(rows, groups, "f8E8M0FNU") for rows in (self.m, self.n))
        sizes = [*([self.batch] if self.batch else []), *(["?", "?"] if self.is_dynamic else [self.m, self.n])]
        c = f"tensor<{'x'.join(map(str, [*sizes, 'f32']))}>"
        rows = 1 if self.batch else 0
        dims = f"""
  %row = arith.constant {rows} : index
  %block = arith.constant {rows + 1} : index
  %m = tensor.dim %a, %row : {a}
  %g = tensor.dim %a, %block : {a}
  %n = tensor.dim %b, %row : {b}"""
        body = self.make_body if self.form == "body" else self.make_factors
        text = f"""func.func @{name}(%a: {a}, %as: {sa}, %b: {b}, %bs: {sb}) -> {c.replace("f32", self.result)} {{
  %zero = arith.constant 0.0 : f32{dims}
  %empty = tensor.empty({"%m, %n" if self.is_dynamic else ""}) : {c}
  %init = linalg.fill ins(%zero : f32) outs(%empty : {c}) -> {c}
{body(batch, a, sa, b, sb, c)}"""
        if self.result == "f32":
            return text + f"  return %c : {c}\n}}\n"
        return (
            text
            + f"""  %r = arith.truncf %c : {c} to {c.replace("f32", self.result)}
  return %r : {c.replace("f32", self.result)}
}}
"""
        )

    def get_iterators(self, reduced):
        parallel = 3 if self.batch else 2
        return ", ".join(['"parallel"'] * parallel + ['"reduction"'] * reduced)

    def make_body(self, batch, a, sa, b, sb, c):
        loops = f"{batch}m, n, g, i"
        maps = [f"{batch}m, g, i", f"{batch}n, g, i", f"{batch}m, g", f"{batch}n, g", f"{batch}m, n"]
        maps = ", ".join(f"affine_map<({loops}) -> ({results})>" for results in maps)
        x, y = self.kinds
        return f"""  %c = linalg.generic {{indexing_maps = [{maps}], iterator_types = [{self.get_iterators(2)}]}}
      ins(%a, %b, %as, %bs : {a}, {b}, {sa}, {sb}) outs(%init : {c}) {{
  ^bb0(%x: {x}, %y: {y}, %xs: f8E8M0FNU, %ys: f8E8M0FNU, %sum: f32):
    %p = arith.scaling_extf %x, %xs : {x}, f8E8M0FNU to f32
    %q = arith.scaling_extf %y, %ys : {y}, f8E8M0FNU to f32
    %product = arith.mulf %p, %q : f32
    %next = arith.addf %sum, %product : f32
    linalg.yield %next : f32
  }} -> {c}
"""

    def make_factors(self, batch, a, sa, b, sb, c):
        text, wide = "", "bf16" if self.form == "narrow" else "f32"
        loops = f"{batch}r, g, i"
        all, blocks = f"affine_map<({loops}) -> ({loops})>", f"affine_map<({loops}) -> ({batch}r, g)>"
        parallel = ", ".join(['"parallel"'] * (4 if self.batch else 3))
        groups = "[[0], [1], [2, 3]]" if self.batch else "[[0], [1, 2]]"
        factors = []
        for x, tensor, scales, kind, rows in (("a", a, sa, self.kinds[0], "m"), ("b", b, sb, self.kinds[1], "n")):
            result = tensor.replace(kind, wide)
            factors.append(self.spell(self.m if x == "a" else self.n, "?" if self.is_deep else self.k, wide))
            sizes = ", ".join([*(["%" + rows] if self.is_dynamic else []), *(["%g"] if self.is_deep else [])])
            text += f"""  %e{x} = tensor.empty({sizes}) : {result}
  %w{x} = linalg.generic {{indexing_maps = [{all}, {blocks}, {all}], iterator_types = [{parallel}]}}
      ins(%{x}, %{x}s : {tensor}, {scales}) outs(%e{x} : {result}) {{
  ^bb0(%v: {kind}, %s: f8E8M0FNU, %o: {wide}):
    %t = arith.scaling_extf %v, %s : {kind}, f8E8M0FNU to {wide}
    linalg.yield %t : {wide}
  }} -> {result}
  %f{x} = tensor.collapse_shape %w{x} {groups} : {result} into {factors[-1]}
"""
        loops = f"{batch}m, n, k"
        maps = ", ".join(f"affine_map<({loops}) -> ({batch}{results})>" for results in ("m, k", "n, k", "m, n"))
        extend = (
            "" if wide == "f32" else f"    %p = arith.extf %x : {wide} to f32\n    %q = arith.extf %y : {wide} to f32\n"
        )
        p, q = ("%x", "%y") if wide == "f32" else ("%p", "%q")
        return f"""{text}  %c = linalg.generic {{indexing_maps = [{maps}], iterator_types = [{self.get_iterators(1)}]}}
      ins(%fa, %fb : {", ".join(factors)}) outs(%init : {c}) {{
  ^bb0(%x: {wide}, %y: {wide}, %sum: f32):
{extend}    %product = arith.mulf {p}, {q} : f32
    %next = arith.addf %sum, %product : f32
    linalg.yield %next : f32
  }} -> {c}
"""

    def is_right(self, function, random):
        batch = [self.batch] if self.batch else []
        a, b = (Matrix(random, kind, (*batch, rows, self.k)) for kind, rows in zip(self.kinds, (self.m, self.n)))
        have = function(*a.get_arguments(is_grouped=True), *b.get_arguments(is_grouped=True))
        if self.result == "bf16":
            have = (have.view(np.uint16).astype(np.uint32) << 16).view(np.float32)
        want = a.values @ b.values.swapaxes(-1, -2)
        bound = np.abs(a.values) @ np.abs(b.values).swapaxes(-1, -2) * self.k * 2.0**-24
        if self.result == "bf16":
            bound = bound + np.abs(want) * 2.0**-8
        return bool(np.all(np.abs(have - want) <= bound + 1e-30))


def count_failures(cases, target, random, options=()):
    text = "".join(case.make_text(f"f{i}") for i, case in enumerate(cases))
    library = aircc.compile(text, target=target, options=options)
    failures = 0
    for i, case in enumerate(cases):
        if not case.is_right(getattr(library, f"f{i}"), random):
            print(f"{target}: {case}: wrong")
            failures += 1
    return failures


def check_tiles(count, target, random):
    """The length of a tile along K depends on the types of the factors, so these are the same for all cases."""
    failures = 0
    for kind, depth in (("f4E2M1FN", 256), ("f8E4M3FN", 128)):
        cases = [Case(random, TILED_SIZES) for _ in range(count)]
        for case in cases:
            case.kinds, case.is_dynamic, case.is_deep, case.batch = [kind] * 2, False, False, None
        tile = f"hierarchy.matmul-tile={TILE.format(depth)}"
        failures += count_failures(cases, target, random, ["--stage-option", tile])
    return failures


def main():
    arguments = sys.argv[1:]
    is_tiled = arguments[0] == "--tile"
    seed, count, *targets = arguments[is_tiled:]
    seed, count, failures = int(seed), int(count), 0
    for target in targets:
        random = np.random.default_rng(seed)
        if is_tiled:
            failures += check_tiles(count // 2, target, random)
        else:
            failures += count_failures([Case(random) for _ in range(count)], target, random)
    print(f"{count * len(targets)} products from seed {seed}, {failures} failures")


if __name__ == "__main__":
    main()
