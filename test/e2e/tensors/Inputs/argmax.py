"""The largest element along a dimension and its index, in the forms of exporters.

argmax.py TARGET...
"""

import sys

import numpy as np

import aircc
from kernel_counts import count_kernels

SHAPES = [((8, 64), 1), ((64, 100), 1), ((4, 6, 33), 1), ((4, 6, 33), 0), ((128, 30), 0)]

# Keeps the first of equal elements, with the index of the loop.
LOOP_INDEX = """
    %k = linalg.index {axis} : index
    %n = arith.index_cast %k : index to {index}
    %m = arith.maximumf %a, %v : f32
    %c = arith.cmpf ogt, %a, %v : f32
    %s = arith.select %c, %n, %i : {index}
    linalg.yield %m, %s : f32, {index}
"""

# The indices are a second input. NaN counts as the largest element.
INDEX_INPUT = """
    %gt = arith.cmpf ogt, %v, %a : f32
    %nan = arith.cmpf une, %v, %v : f32
    %keep = arith.ori %gt, %nan : i1
    %m = arith.select %keep, %v, %a : f32
    %eq = arith.cmpf oeq, %v, %a : f32
    %lt = arith.cmpi slt, %i, %n : {index}
    %first = arith.andi %eq, %lt : i1
    %keepi = arith.ori %keep, %first : i1
    %s = arith.select %keepi, %i, %n : {index}
"""


def dims(sizes):
    return "x".join(map(str, sizes))


class Case:
    """One program. `results` are those that it returns: "v", "i" or "vi"."""

    def __init__(self, number, form, shape, axis, results):
        self.number, self.form, self.shape, self.axis, self.results = number, form, shape, axis, results
        self.index = "i32" if form in ("tosa", "reduce") else "i64"
        reduced = dims(shape[:axis] + shape[axis + 1 :])
        self.types = {"x": f"tensor<{dims(shape)}xf32>", "v": f"tensor<{reduced}xf32>"}
        self.types["i"] = f"tensor<{reduced}x{self.index}>"

    def get_text(self):
        types = ", ".join(self.types[r] for r in self.results)
        values = ", ".join({"v": "%r#0", "i": "%r#1"}[r] for r in self.results)
        if self.form == "tosa":
            values = "%r"
        return f"""func.func @f{self.number}(%x: {self.types["x"]}) -> ({types}) {{
{self.get_body()}
  return {values} : {types}
}}
"""

    def get_body(self):
        x, v, i = (self.types[name] for name in "xvi")
        axis, index = self.axis, self.index
        if self.form == "tosa":
            return f"  %r = tosa.argmax %x {{axis = {axis} : i32}} : ({x}) -> {i}"
        rank = len(self.shape)
        loops = [f"d{d}" for d in range(rank)]
        kept = [d for n, d in enumerate(loops) if n != axis]
        identity = f"affine_map<({', '.join(loops)}) -> ({', '.join(loops)})>"
        reduced = f"affine_map<({', '.join(loops)}) -> ({', '.join(kept)})>"
        parallel = ["parallel"] * rank
        iterators = str([("reduction" if n == axis else "parallel") for n in range(rank)]).replace("'", '"')
        indices = f"tensor<{dims(self.shape)}x{index}>"
        body = f"""  %low = arith.constant 0xFF800000 : f32
  %zero = arith.constant 0 : {index}
  %ev = tensor.empty() : {v}
  %ei = tensor.empty() : {i}
  %fv = linalg.fill ins(%low : f32) outs(%ev : {v}) -> {v}
  %fi = linalg.fill ins(%zero : {index}) outs(%ei : {i}) -> {i}
"""
        if self.form == "loop":
            maps = f"{identity}, {reduced}, {reduced}"
            return f"""{body}  %r:2 = linalg.generic {{indexing_maps = [{maps}], iterator_types = {iterators}}}
      ins(%x : {x}) outs(%fv, %fi : {v}, {i}) {{
  ^bb0(%a: f32, %v: f32, %i: {index}):{LOOP_INDEX.format(axis=axis, index=index)}  }} -> ({v}, {i})"""
        empty = f"tensor<{dims(self.shape)}x{index}>"
        names = str(parallel).replace("'", '"')
        body += f"""  %en = tensor.empty() : {empty}
  %iota = linalg.generic {{indexing_maps = [{identity}], iterator_types = {names}}} outs(%en : {empty}) {{
  ^bb0(%o: {index}):
    %k = linalg.index {axis} : index
    %n = arith.index_cast %k : index to {index}
    linalg.yield %n : {index}
  }} -> {empty}
"""
        compare = INDEX_INPUT.format(index=index)
        if self.form == "iota":
            maps = f"{identity}, {identity}, {reduced}, {reduced}"
            return f"""{body}  %r:2 = linalg.generic {{indexing_maps = [{maps}], iterator_types = {iterators}}}
      ins(%x, %iota : {x}, {indices}) outs(%fv, %fi : {v}, {i}) {{
  ^bb0(%a: f32, %n: {index}, %v: f32, %i: {index}):{compare}    linalg.yield %m, %s : f32, {index}
  }} -> ({v}, {i})"""
        return f"""{body}  %r:2 = linalg.reduce ins(%x, %iota : {x}, {indices}) outs(%fv, %fi : {v}, {i})
    dimensions = [{axis}] (%a: f32, %n: {index}, %v: f32, %i: {index}) {{{compare}    linalg.yield %m, %s : f32, {index}
    }}"""

    def is_right(self, library):
        # Several elements are the largest: the first of them counts.
        x = np.random.default_rng(self.number).integers(0, 20, self.shape).astype(np.float32)
        wanted = {"v": x.max(self.axis), "i": x.argmax(self.axis)}
        results = library[f"f{self.number}"](x)
        results = results if isinstance(results, tuple) else (results,)
        return all(np.array_equal(have, wanted[name]) for have, name in zip(results, self.results))


def make_cases():
    cases = []
    for shape, axis in SHAPES:
        for form, results in [("tosa", "i")] + [(f, r) for f in ("loop", "iota", "reduce") for r in ("i", "v", "vi")]:
            cases.append(Case(len(cases), form, shape, axis, results))
    return cases


for target in sys.argv[1:]:
    cases = make_cases()
    text = "".join(case.get_text() for case in cases)
    library = aircc.compile(text, target=target)
    for case in cases:
        if not case.is_right(library):
            print(f"{target}: {case.form} {case.results} {case.shape} {case.axis} is wrong")
    print(f"{target}: {len(cases)} programs, {count_kernels(text, target)} kernels")
