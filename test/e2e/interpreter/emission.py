"""The text of the programs of model.py: names, lines, buffers, herds, and the work on a tile.

pipelines.py, stages.py and programs_text.py write the parts and the functions.
"""

import math
import pathlib
import sys

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1] / "Inputs"))
from text_writer import TextWriter

FLOATS = ("f16", "bf16", "f32", "f64")


class Emitter(TextWriter):
    """Writes a module. `rng` chooses between equivalent ways to write something."""

    def __init__(self, rng):
        super().__init__(depth=1)
        self.rng = rng

    def const(self, value, type="index"):
        if type in FLOATS:
            value = float(value)
        return self.op(f"arith.constant {value} : {type}", "c")

    def number(self, value):
        """An entry of a list of a transfer: a literal or a constant."""
        return str(value) if self.rng.random() < 0.6 else self.const(value)

    def linear(self, const, *terms):
        """const + sum of coefficient * index, for pairs (coefficient, name)."""
        terms = [(c, v) for c, v in terms if c and v is not None]
        if not terms:
            return self.const(const)
        if self.rng.random() < 0.3:
            dims = ", ".join(f"d{i}" for i in range(len(terms)))
            expr = " + ".join(f"d{i} * {c}" for i, (c, _) in enumerate(terms))
            return self.op(f"affine.apply affine_map<({dims}) -> ({expr} + {const})>({', '.join(v for _, v in terms)})")
        acc = self.const(const)
        for c, v in terms:
            acc = self.op(f"arith.addi {acc}, {self.op(f'arith.muli {v}, {self.const(c)} : index')} : index")
        return acc

    def loop(self, count, hint="k"):
        """Opens a loop; returns its variable."""
        i = self.name(hint)
        if self.rng.random() < 0.2:
            self.open(f"affine.for {i} = 0 to {count} {{")
        else:
            self.open(f"scf.for {i} = {self.const(0)} to {self.const(count)} step {self.const(1)} {{")
        return i


class Scope:
    """The names of the buffers and of the point at one level; herds and segments get them as arguments."""

    def __init__(self, program, input, output, point):
        self.program, self.input, self.output, self.point = program, input, output, point
        self.memref = f"memref<?x{program.elem}>"

    @property
    def input_type(self):
        return f"memref<{self.program.wrapper.points * self.program.input}x{self.program.elem}>"

    @property
    def output_type(self):
        return f"memref<{self.program.wrapper.points * self.program.output}x{self.program.elem}>"

    def arguments(self, e, more=()):
        """`args(…)` for all names, the scope inside, and the inner names of `more`, pairs of name and type."""
        given = [(self.input, self.input_type), (self.output, self.output_type)]
        if self.point:
            given.append((self.point, "index"))
        given += more
        inner = [e.name("a") for _ in given]
        pairs = ", ".join(f"{i} = {n}" for i, (n, _) in zip(inner, given))
        fixed = 3 if self.point else 2
        scope = Scope(self.program, inner[0], inner[1], inner[2] if self.point else None)
        return f"args({pairs}) : {', '.join(t for _, t in given)}", scope, inner[fixed:]

    def from_input(self, e, start, *terms):
        return e.linear(start, (self.program.input, self.point), *terms)

    def from_output(self, e, start, *terms):
        return e.linear(start, (self.program.output, self.point), *terms)


def tile_type(elem, tile, space):
    return f"memref<{tile}x{elem}{f', {space}' if space else ''}>"


def alloc(e, type, executes=False):
    if not executes:
        return e.op(f"memref.alloc() : {type}", "b")
    token, name = e.name("t"), e.name("b")
    e.open(f"{token}, {name} = air.execute -> ({type}) {{")
    inner = e.op(f"memref.alloc() : {type}", "b")
    e.line(f"air.execute_terminator {inner} : {type}")
    e.close()
    return name


def dealloc(e, name, type, executes=False):
    if not executes:
        e.line(f"memref.dealloc {name} : {type}")
        return
    token = e.name("t")
    e.open(f"{token} = air.execute {{")
    e.line(f"memref.dealloc {name} : {type}")
    e.close()
    e.line(f"air.wait_all [{token}]")


# The work on a tile.


def emit_element(e, work, elem, v, id, other=None):
    """The new value of an element; `id` is an index."""
    f = elem in FLOATS
    add, mul, sub = (f"arith.{n}{'f' if f else 'i'}" for n in ("add", "mul", "sub"))
    if other:
        combine = {"add": add, "sub": sub, "max": "arith.maximumf" if f else "arith.maxsi"}[work.combine]
        v = e.op(f"{combine} {v}, {other} : {elem}")
    if work.scale != 1:
        v = e.op(f"{mul} {v}, {e.const(work.scale, elem)} : {elem}")
    if work.add:
        v = e.op(f"{add} {v}, {e.const(work.add, elem)} : {elem}")
    if work.weight:
        weighted = e.op(f"arith.muli {id}, {e.const(work.weight)} : index")
        if f:
            number = e.op(f"arith.sitofp {e.op(f'arith.index_cast {weighted} : index to i32')} : i32 to {elem}")
        else:
            number = e.op(f"arith.index_cast {weighted} : index to {elem}")
        v = e.op(f"{add} {v}, {number} : {elem}")
    return v


def emit_work(e, work, elem, n, id, target, source=None, other=None, space=2):
    """Computes the `n` elements of `target` from those of `source` and `other`."""
    source = source or target
    type = tile_type(elem, n, space)
    if work.form == "generic":
        ins = [source] + ([other] if other else [])
        maps = ", ".join(["affine_map<(d0) -> (d0)>"] * (len(ins) + 1))
        e.open(
            f'linalg.generic {{indexing_maps = [{maps}], iterator_types = ["parallel"]}} '
            f"ins({', '.join(ins)} : {', '.join([type] * len(ins))}) outs({target} : {type}) {{"
        )
        names = [e.name("x") for _ in range(len(ins) + 1)]
        e.line(f"^bb0({', '.join(f'{x}: {elem}' for x in names)}):")
        e.line(f"linalg.yield {emit_element(e, work, elem, names[0], id, names[1] if other else None)} : {elem}")
        e.close()
        return
    if work.form == "affine":
        i = e.name("i")
        e.open(f"affine.for {i} = 0 to {n} {{")
    elif work.form == "parallel":
        i = e.name("i")
        e.open(f"scf.parallel ({i}) = ({e.const(0)}) to ({e.const(n)}) step ({e.const(1)}) {{")
    else:
        i = e.name("i")
        e.open(f"scf.for {i} = {e.const(0)} to {e.const(n)} step {e.const(1)} {{")
    v = e.op(f"memref.load {source}[{i}] : {type}")
    o = e.op(f"memref.load {other}[{i}] : {type}") if other else None
    e.line(f"memref.store {emit_element(e, work, elem, v, id, o)}, {target}[{i}] : {type}")
    if work.form == "parallel":
        e.line("scf.reduce")
    e.close()


def open_herd(e, scope, space, more=(), is_async=False, attributes="", deps=()):
    """Opens a herd; returns its ids, the scope inside, the names of `more` inside, and its token."""
    sizes = [e.const(n) for n in space]
    ids, counts = [e.name("x") for _ in space], [e.name("n") for _ in space]
    args, inner, names = scope.arguments(e, more)
    spaces = ", ".join(f"{c} = {s}" for c, s in zip(counts, sizes))
    e.count += 1
    token = e.name("t") if is_async else None
    head = f"{token} = " if token else ""
    after = f" async{f' [{chr(44).join(deps)}]' if deps else ''}" if token else ""
    e.open(f"{head}air.herd @herd{e.count}{after} tile ({', '.join(ids)}) in ({spaces}) {args}{attributes} {{")
    return ids, inner, names, token


def number_of(e, ids, space):
    """The number of a point, row-major."""
    return e.linear(0, *((math.prod(space[d + 1 :]), i) for d, i in enumerate(ids)))
