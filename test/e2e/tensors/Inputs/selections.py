"""The index of the largest or smallest element of rows, for several types, bodies and initial values.

selections.py SEED TARGET...
"""

import sys

import numpy as np

import aircc
from kernel_counts import count_kernels

# How the body selects an element: %c is the condition that selects the index %n of the new element %a over %i of the
# last one, %m, and %l is the selected element. {cmp} and {eq} are the comparisons, {op} combines elements.
SELECT = "%c = arith.{cmp} %a, %m : {t}\n    %l = arith.select %c, %a, %m : {t}"
SWAPPED = "%c = arith.{swapped} %m, %a : {t}\n    %l = arith.select %c, %a, %m : {t}"
COMBINE = "%c = arith.{cmp} %a, %m : {t}\n    %l = arith.{op} %a, %m : {t}"
UNORDERED = """%g = arith.{unordered} %a, %m : {t}
    %known = arith.cmpf ord, %m, %m : {t}
    %c = arith.andi %g, %known : i1
    %l = arith.select %c, %a, %m : {t}"""
KEEP = """%g = arith.{cmp} %m, %a : {t}
    {nan}
    %l = arith.select %keep, %m, %a : {t}
    %eq = arith.{eq} %m, %a : {t}
    %less = arith.cmpi slt, %i, %n : {index}
    %both = arith.andi %eq, %less : i1
    %c = arith.ori %keep, %both : i1"""
KEEP_NAN = "%nan = arith.cmpf une, %m, %m : {t}\n    %keep = arith.ori %g, %nan : i1"

# The body, the element type, the order, the op, the element and the index before the first one, the type of the index,
# the sizes, and the used results.
FORMS = [
    (SELECT, "f32", "ogt", None, "0xFF800000", 0, "i64", (5, 300), "i"),
    (SWAPPED, "f32", "olt", None, "1.0", 7, "i32", (3, 9000), "i"),
    (SELECT, "f16", "ogt", None, "-2.0", 9, "index", (6, 1000), "i"),
    (UNORDERED, "bf16", "olt", None, "0x7F80", 0, "i32", (16, 129), "i"),
    (UNORDERED, "f32", "ogt", None, "0xFF800000", 0, "i32", (7, 1000), "i"),
    (SELECT, "i8", "sgt", None, "-128", 0, "i32", (4, 513), "i"),
    (SELECT, "i16", "ult", None, "65535", 3, "i64", (4, 257), "i"),
    (SWAPPED, "i32", "slt", None, "100", 1, "i32", (2, 20000), "i"),
    (COMBINE, "f32", "ogt", "maximumf", "0xFF800000", 0, "i64", (6, 700), "i"),
    (COMBINE, "f16", "olt", "minimumf", "0x7C00", 0, "i64", (6, 700), "vi"),
    (COMBINE, "f32", "ogt", "maxnumf", "0xFF800000", 0, "i64", (6, 700), "vi"),
    (COMBINE, "i32", "sgt", "maxsi", "-5", 2, "i32", (9, 333), "vi"),
    (COMBINE, "f32", "ogt", "maximumf", "0xFF800000", 0, "i64", (1, 50000), "vi"),
    (COMBINE, "f32", "olt", "minimumf", "0x7F800000", 0, "i64", (12, 40), "v"),
    (KEEP, "f32", "ogt", None, "0xFF800000", 0, "i64", (5, 300), "i"),
    (KEEP, "i16", "slt", None, "32767", 0, "i32", (5, 300), "i"),
    (SELECT, "f32", "ogt", None, "0.0", 5, "i64", (5, 300), "vi"),
    (SWAPPED, "f16", "olt", None, "1.0", 7, "i32", (3, 9000), "vi"),
    (UNORDERED, "f32", "ogt", None, "0xFF800000", 0, "i32", (7, 1000), "vi"),
    (SELECT, "i16", "ult", None, "65535", 3, "i64", (4, 257), "vi"),
    (KEEP, "f32", "ogt", None, "0xFF800000", 0, "i64", (5, 300), "vi"),
    (KEEP, "f32", "olt", None, "-0.0", 0, "i64", (9, 300), "v"),
    (KEEP, "f16", "olt", None, "0x7C00", 0, "i32", (1, 50000), "vi"),
    (KEEP, "i32", "sgt", None, "-5", 0, "i32", (4, 333), "vi"),
    (KEEP, "i8", "slt", None, "127", 0, "i32", (4, 333), "vi"),
]


def get_form(number, body, element, order, op, first, first_index, index, shape, results):
    rows, columns = shape
    x = f"tensor<{rows}x{columns}x{element}>"
    types = {"v": f"tensor<{rows}x{element}>", "i": f"tensor<{rows}x{index}>"}
    cast = "" if index == "index" else f"%n = arith.index_cast %j : index to {index}"
    kind, words = ("cmpf", "oeq") if element[0] != "i" else ("cmpi", "eq")
    opposite = order.replace("gt", "LT").replace("lt", "gt").lower()
    nan = KEEP_NAN if kind == "cmpf" else "%one = arith.constant true\n    %keep = arith.andi %g, %one : i1"
    text = body.format(
        t=element,
        index=index,
        cmp=f"{kind} {order},",
        swapped=f"{kind} {opposite},",
        unordered=f"{kind} u{order[1:]},",
        eq=f"{kind} {words},",
        op=op,
        nan=nan.format(t=element),
    )
    if index == "index":
        text = text.replace("%n", "%j")
    operands = ["%j" if index == "index" else "%n", "%i"][:: -1 if body == KEEP else 1]
    values = ", ".join({"v": "%r#0", "i": "%r#1"}[result] for result in results)
    return f"""func.func @g{number}(%x: {x}) -> ({", ".join(types[result] for result in results)}) {{
  %first = arith.constant {first} : {element}
  %at = arith.constant {first_index} : {index}
  %e = tensor.empty() : {types["v"]}
  %k = tensor.empty() : {types["i"]}
  %es = linalg.fill ins(%first : {element}) outs(%e : {types["v"]}) -> {types["v"]}
  %ks = linalg.fill ins(%at : {index}) outs(%k : {types["i"]}) -> {types["i"]}
  %r:2 = linalg.generic {{
      indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i)>],
      iterator_types = ["parallel", "reduction"]}} ins(%x : {x}) outs(%es, %ks : {types["v"]}, {types["i"]}) {{
  ^bb0(%a: {element}, %m: {element}, %i: {index}):
    %j = linalg.index 1 : index
    {cast}
    {text}
    %s = arith.select %c, {", ".join(operands)} : {index}
    linalg.yield %l, %s : {element}, {index}
  }} -> ({types["v"]}, {types["i"]})
  return {values} : {", ".join(types[result] for result in results)}
}}
"""


def select(x, body, order, op, first, first_index):
    """The expected elements and indices, one element after the other."""
    best, at = np.full(len(x), first, x.dtype), np.full(len(x), first_index, np.int64)
    for column in range(x.shape[1]):
        a = x[:, column]
        is_better = a > best if order.endswith("gt") else a < best
        if body == UNORDERED:
            is_better = (is_better | np.isnan(a)) & ~np.isnan(best)
        if body == KEEP:
            keep = (best > a if order.endswith("gt") else best < a) | (best != best)
            is_better = ~(keep | ((best == a) & (at < column)))
            best = np.where(keep, best, a)
        elif op:
            combine = {"maximumf": np.maximum, "minimumf": np.minimum, "maxnumf": np.fmax, "maxsi": np.maximum}[op]
            best = combine(a, best)
        else:
            best = np.where(is_better, a, best)
        at = np.where(is_better, column, at)
    return {"v": best, "i": at}


def make_input(generator, element, shape):
    """The argument and its numbers: few different ones, zeros of both signs, infinities, and few NaNs in some rows."""
    if element[0] == "i":
        high = {"i8": 127, "i16": 30000, "i32": 2**31 - 1}[element]
        x = generator.choice(np.array([0, 1, 5, high - 1, high], np.int64), shape).astype(f"int{element[1:]}")
        return x, x
    numbers = [-np.inf, -2.0, -0.0, 0.0, 0.5] + ([2.0, np.inf] if generator.random() < 0.7 else [])
    x = generator.choice(np.array(numbers), shape).astype(np.float16 if element == "f16" else np.float32)
    for row in x:
        row[generator.choice(len(row), generator.integers(0, 3), replace=False)] = np.nan
        if generator.random() < 0.2:
            row[:] = generator.choice(row)
    # Elements of bf16 are the upper halves of those of f32.
    return ((x.view(np.uint32) >> 16).astype(np.uint16) if element == "bf16" else x), x


INFINITIES = {"0xFF800000": -np.inf, "0x7F80": np.inf, "0x7C00": np.inf, "0x7F800000": np.inf}


def is_right(library, number, form, seed):
    body, element, order, op, first, first_index, _, shape, results = form
    argument, x = make_input(np.random.default_rng([seed, number]), element, shape)
    if order.startswith("u"):
        x = x.view(f"u{x.dtype}")
    start = INFINITIES[first] if first in INFINITIES else float(first)
    want = select(x, body, order, op, start, first_index)
    have = library[f"g{number}"](argument)
    have = have if isinstance(have, tuple) else (have,)
    if not all(np.array_equal(a, want[name], equal_nan=name == "v") for a, name in zip(have, results)):
        return False
    # A condition also decides between zeros.
    if "v" not in results or op or element[0] == "i":
        return True
    v = have[results.index("v")]
    return np.array_equal(np.signbit(v) & (v == 0), np.signbit(want["v"]) & (want["v"] == 0))


seed, *targets = sys.argv[1:]
for target in targets:
    text = "".join(get_form(number, *form) for number, form in enumerate(FORMS))
    library = aircc.compile(text, target=target)
    for number, form in enumerate(FORMS):
        if not is_right(library, number, form, int(seed)):
            print(f"{target}: {form} is wrong")
    print(f"{target}: {len(FORMS)} forms, {count_kernels(text, target)} kernels")
