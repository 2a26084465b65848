"""The MLIR text of random programs.

`emit(step, e, names, ctx)` writes a step: `e` collects the lines, `names` has the SSA names of buffers and variables,
and `ctx` orders steps by program order or by tokens.
"""

import functools
import pathlib
import sys

from model import (
    EXACT,
    INT_BITS,
    Buffer,
    Count,
    Dma,
    Fill,
    If,
    KeptL1,
    Linear,
    Loop,
    PeHerd,
    Scalar,
    Scope,
    SimtHerd,
    Sum,
    ViewScope,
    store_value,
)

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1] / "Inputs"))
from text_writer import TextWriter


class Emitter(TextWriter):
    """Writes a program. `rng` chooses between equivalent ways to write something."""

    def __init__(self, rng):
        super().__init__(depth=0)
        self.rng, self.functions = rng, []

    def const(self, value, type="index"):
        if type in EXACT:
            value = f"{float(value)}"
        return self.op(f"arith.constant {value} : {type}", "c")

    def linear(self, e, names):
        """An index value that holds `e`, as arith ops or as an affine.apply."""
        if e.terms and self.rng.random() < 0.4:
            dims = ", ".join(f"d{i}" for i in range(len(e.terms)))
            expr = " + ".join(f"d{i} * {c}" for i, (c, _) in enumerate(e.terms))
            args = ", ".join(names[v] for _, v in e.terms)
            return self.op(f"affine.apply affine_map<({dims}) -> ({expr} + {e.const})>({args})", "a")
        acc = self.const(e.const)
        for c, v in e.terms:
            k = self.const(c)
            product = self.op(f"arith.muli {names[v]}, {k} : index")
            acc = self.op(f"arith.addi {acc}, {product} : index")
        return acc


def index_to(e, v, t):
    if t in INT_BITS:
        return e.op(f"arith.index_cast {v} : index to {t}")
    return e.op(f"arith.sitofp {e.op(f'arith.index_cast {v} : index to i32')} : i32 to {t}")


def at(e, buffer, name, linear):
    """The indices of element number `linear` of the buffer, as text."""
    if len(buffer.shape) == 1:
        return linear
    logical = Buffer("", buffer.shape, 0, "i8").strides
    if e.rng.random() < 0.3:
        n = e.name("d")
        e.line(
            f"{n}:{len(buffer.shape)} = affine.delinearize_index {linear} into "
            f"({', '.join(map(str, buffer.shape))}) : {', '.join(['index'] * len(buffer.shape))}"
        )
        return ", ".join(f"{n}#{i}" for i in range(len(buffer.shape)))
    out = []
    for i, s in enumerate(logical):
        q = e.op(f"arith.divui {linear}, {e.const(s)} : index") if s != 1 else linear
        if i:
            q = e.op(f"arith.remui {q}, {e.const(buffer.shape[i])} : index")
        out.append(q)
    return ", ".join(out)


def emit_work(e, work, v, index, other):
    """Emits the work in place, or as a call to a function that does it."""
    t = work.elem
    if e.rng.random() < 0.15:
        e.count += 1
        name = f"work{e.count}"
        inner = Emitter(e.rng)
        inner.depth, inner.count = 1, e.count
        inner.open(f"func.func private @{name}(%a: {t}, %i: index, %b: {t}) -> {t} {{")
        inner.line(f"return {emit_inline(inner, work, '%a', '%i', '%b')} : {t}")
        inner.close()
        e.functions += inner.lines
        e.count = inner.count
        return e.op(f"func.call @{name}({v}, {index}, {other}) : ({t}, index, {t}) -> {t}")
    return emit_inline(e, work, v, index, other)


def emit_inline(e, work, v, index, other):
    t = work.elem
    f = t not in INT_BITS
    add, sub, mul = ("arith.addf", "arith.subf", "arith.mulf") if f else ("arith.addi", "arith.subi", "arith.muli")
    least, most = ("arith.minimumf", "arith.maximumf") if f else ("arith.minsi", "arith.maxsi")
    for kind, c, m in work.ops:
        if kind == "addc":
            v = e.op(f"{add} {v}, {e.const(c, t)} : {t}")
        elif kind == "mulc":
            v = e.op(f"{mul} {v}, {e.const(c, t)} : {t}")
        elif kind == "minc":
            v = e.op(f"{least} {v}, {e.const(store_value(t, c * 7), t)} : {t}")
        elif kind == "maxc":
            v = e.op(f"{most} {v}, {e.const(store_value(t, c * 7), t)} : {t}")
        elif kind == "add_index":
            r = e.op(f"arith.remui {index}, {e.const(m)} : index")
            v = e.op(f"{add} {v}, {index_to(e, r, t)} : {t}")
        elif kind == "add_other":
            v = e.op(f"{add} {v}, {other} : {t}")
        elif kind == "min_other":
            v = e.op(f"{least} {v}, {other} : {t}")
        elif kind == "select_odd":
            r = e.op(f"arith.remui {index}, {e.const(2)} : index")
            odd = e.op(f"arith.cmpi eq, {r}, {e.const(1)} : index")
            v = e.op(f"arith.select {odd}, {v}, {other} : {t}")
        elif kind == "neg":
            v = e.op(f"{sub} {e.const(0, t)}, {v} : {t}")
        elif kind == "xor_other":
            v = e.op(f"arith.xori {v}, {other} : {t}")
        elif kind == "mul_other":
            v = e.op(f"{mul} {v}, {other} : {t}")
    return v


def write_side(e, side, names):
    name = names[side.buffer.name]
    if side.form == "whole":
        return f"{name}[] [] []"

    def write(x):
        if isinstance(x, Linear):
            if not x.terms and e.rng.random() < 0.5:
                return str(x.const)
            return e.linear(x, names)
        draw = e.rng.random()
        if draw < 0.5:
            return str(x)
        if draw < 0.75 and names.get("one"):
            # Known at run time only.
            return e.op(f"arith.muli {names['one']}, {e.const(x)} : index", "n")
        return e.const(x)

    offsets = ", ".join(write(o) for o in side.offsets)
    sizes = ", ".join(write(s) for s in side.sizes) if side.form != "offsets" else ""
    strides = ", ".join(write(s) for s in side.strides) if side.form == "strided" else ""
    return f"{name}[{offsets}] [{sizes}] [{strides}]"


class Context:
    """The order of the steps of a body: program order or tokens."""

    def __init__(self, use_tokens):
        self.use_tokens, self.last = use_tokens, None

    def token(self, e, op, rest):
        if not self.use_tokens:
            e.line(f"{op} {rest}")
            return
        dep = f" [{self.last}]" if self.last else ""
        self.last = e.op(f"{op} async{dep} {rest}", "t")

    def settle(self, e):
        """Waits for outstanding work, because plain ops follow."""
        if self.last:
            e.line(f"air.wait_all [{self.last}]")
            self.last = None

    def herd(self, e, head, rest):
        self.token(e, head, rest)
        e.depth += 1


@functools.singledispatch
def emit(step, e, names, ctx):
    raise NotImplementedError(type(step))


@emit.register
def _(dma: Dma, e, names, ctx):
    attributes = ""
    if dma.pad:
        before, after = (", ".join(map(str, p)) for p in dma.pad)
        attributes = f" {{pad_before = array<i32: {before}>, pad_after = array<i32: {after}>}}"
    sides = ", ".join(write_side(e, s, names) for s in (dma.dst, dma.src))
    ctx.token(e, f"air.dma_memcpy_nd", f"({sides}){attributes} : ({dma.dst.buffer.type}, {dma.src.buffer.type})")


@emit.register
def _(herd: SimtHerd, e, names, ctx):
    ids, counts, inner = open_herd(e, names, ctx, herd.size, [herd.dst, herd.src, herd.other], [herd.variable])
    lane = e.op("gpu.lane_id", "lane")
    wave = e.op("gpu.subgroup_size : index", "wave")
    pe, pes = number_of_pe(e, ids, counts)
    first = e.op(f"arith.addi {e.op(f'arith.muli {pe}, {wave} : index')}, {lane} : index")
    step = e.op(f"arith.muli {pes}, {wave} : index")
    i = e.name("i")
    e.open(f"scf.for {i} = {first} to {e.const(herd.dst.numel)} step {step} {{")
    emit_element(e, herd, inner, i)
    e.close()
    e.close()


def emit_element(e, step, names, i):
    """One element of `step`, a herd with dst, src, other and work."""
    scaled = e.op(f"arith.muli {i}, {e.const(step.scale)} : index")
    p = e.op(f"arith.addi {scaled}, {e.const(step.shift)} : index")
    p = e.op(f"arith.remui {p}, {e.const(step.src.numel)} : index")
    v = e.op(f"memref.load {names[step.src.name]}[{at(e, step.src, None, p)}] : {step.src.type}")
    q = e.op(f"arith.remui {i}, {e.const(step.other.numel)} : index")
    o = e.op(f"memref.load {names[step.other.name]}[{at(e, step.other, None, q)}] : {step.other.type}")
    index = i
    if step.variable:
        index = e.op(f"arith.addi {i}, {names[step.variable]} : index")
    r = emit_work(e, step.work, v, index, o)
    e.line(f"memref.store {r}, {names[step.dst.name]}[{at(e, step.dst, None, i)}] : {step.dst.type}")


@emit.register
def _(herd: PeHerd, e, names, ctx):
    variables = [herd.variable] + [
        v for d in (herd.load.src, herd.store.dst) for o in d.offsets for _, v in o.terms if v != "pe"
    ]
    ids, counts, inner = open_herd(e, names, ctx, herd.size, [herd.dst, herd.src, herd.other], variables)
    inner["pe"], _ = number_of_pe(e, ids, counts)
    t = herd.l1.type
    inner["l1"] = e.op(f"memref.alloc() : {t}", "l")
    body = Context(ctx.use_tokens)
    emit(herd.load, e, inner, body)
    if body.last:
        e.line(f"air.wait_all [{body.last}]")
        body.last = None
    extra = inner[herd.variable] if herd.variable else e.const(0)
    zero, one, n = e.const(0), e.const(1), e.const(herd.chunk)
    elem = herd.dst.elem
    if herd.kind == "reduce":
        i, acc, result = e.name("i"), e.name("acc"), e.name("r")
        start = e.const(0, elem)
        e.open(f"{result} = scf.for {i} = {zero} to {n} step {one} iter_args({acc} = {start}) -> ({elem}) {{")
        v = e.op(f"memref.load {inner['l1']}[{at(e, herd.l1, None, i)}] : {t}")
        w = emit_work(e, herd.work, v, extra, acc)
        most = "arith.maximumf" if elem in EXACT else "arith.maxsi"
        m = e.op(f"{most} {acc}, {w} : {elem}")
        e.line(f"scf.yield {m} : {elem}")
        e.close()
        i = e.name("i")
        e.open(f"scf.for {i} = {zero} to {n} step {one} {{")
        place = at(e, herd.l1, None, i)
        v = e.op(f"memref.load {inner['l1']}[{place}] : {t}")
        add = "arith.addf" if elem in EXACT else "arith.addi"
        w = e.op(f"{add} {v}, {result} : {elem}")
        e.line(f"memref.store {w}, {inner['l1']}[{place}] : {t}")
        e.close()
    elif herd.kind == "generic" and len(herd.l1.shape) == 1:
        # The other operand is gathered by a plain load, which linalg.generic permits.
        e.open(
            f'linalg.generic {{indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]}}'
            f" outs({inner['l1']} : {t}) {{"
        )
        v = e.name("x")
        e.lines.append("  " * (e.depth - 1) + f"^bb0({v}: {elem}):")
        i = e.op("linalg.index 0 : index")
        q = e.op(f"arith.remui {i}, {e.const(herd.other.numel)} : index")
        o = e.op(f"memref.load {inner[herd.other.name]}[{at(e, herd.other, None, q)}] : {herd.other.type}")
        w = emit_work(e, herd.work, v, e.op(f"arith.addi {i}, {extra} : index"), o)
        e.line(f"linalg.yield {w} : {elem}")
        e.close()
    else:
        i = e.name("i")
        parallel = herd.kind in ("parallel", "generic")
        if parallel:
            e.open(f"scf.parallel ({i}) = ({zero}) to ({n}) step ({one}) {{")
        else:
            e.open(f"scf.for {i} = {zero} to {n} step {one} {{")
        place = at(e, herd.l1, None, i)
        v = e.op(f"memref.load {inner['l1']}[{place}] : {t}")
        if parallel:
            q = e.op(f"arith.remui {i}, {e.const(herd.other.numel)} : index")
            o = e.op(f"memref.load {inner[herd.other.name]}[{at(e, herd.other, None, q)}] : {herd.other.type}")
        else:
            first = e.op(f"arith.cmpi eq, {i}, {zero} : index")
            o = e.name("o")
            e.open(f"{o} = scf.if {first} -> ({elem}) {{")
            e.line(f"scf.yield {e.const(0, elem)} : {elem}")
            e.depth -= 1
            e.open("} else {")
            before = e.op(f"arith.subi {i}, {one} : index")
            last = e.op(f"memref.load {inner['l1']}[{at(e, herd.l1, None, before)}] : {t}")
            e.line(f"scf.yield {last} : {elem}")
            e.close()
        w = emit_work(e, herd.work, v, e.op(f"arith.addi {i}, {extra} : index"), o)
        e.line(f"memref.store {w}, {inner['l1']}[{place}] : {t}")
        if parallel:
            e.line("scf.reduce")
        e.close()
    emit(herd.store, e, inner, body)
    if body.last:
        e.line(f"air.wait_all [{body.last}]")
    e.close()


@emit.register
def _(scalar: Scalar, e, names, ctx):
    ctx.settle(e)
    to = e.linear(scalar.to, names)
    place = e.linear(scalar.place, names)
    indices = at(e, scalar.dst, None, to)
    old = e.op(f"memref.load {names[scalar.dst.name]}[{indices}] : {scalar.dst.type}")
    v = e.op(f"memref.load {names[scalar.src.name]}[{at(e, scalar.src, None, place)}] : {scalar.src.type}")
    w = emit_work(e, scalar.work, old, to, v)
    e.line(f"memref.store {w}, {names[scalar.dst.name]}[{indices}] : {scalar.dst.type}")


@emit.register
def _(fill: Fill, e, names, ctx):
    ctx.settle(e)
    v = e.const(fill.value, fill.dst.elem)
    e.line(f"linalg.fill ins({v} : {fill.dst.elem}) outs({names[fill.dst.name]} : {fill.dst.type})")


@emit.register
def _(loop: Sum, e, names, ctx):
    ctx.settle(e)
    t = loop.dst.elem
    k, acc, result = e.name("k"), e.name("acc"), e.name("r")
    e.open(
        f"{result} = scf.for {k} = {e.const(0)} to {e.const(loop.count)} step {e.const(1)} "
        f"iter_args({acc} = {e.const(0, t)}) -> ({t}) {{"
    )
    p = e.op(f"arith.muli {k}, {e.const(loop.step)} : index")
    p = e.op(f"arith.remui {p}, {e.const(loop.src.numel)} : index")
    v = e.op(f"memref.load {names[loop.src.name]}[{at(e, loop.src, None, p)}] : {loop.src.type}")
    e.line(f"scf.yield {emit_work(e, loop.work, acc, k, v)} : {t}")
    e.close()
    to = at(e, loop.dst, None, e.linear(loop.to, names))
    e.line(f"memref.store {result}, {names[loop.dst.name]}[{to}] : {loop.dst.type}")


@emit.register
def _(herd: Count, e, names, ctx):
    ids, counts, inner = open_herd(e, names, ctx, herd.size, [herd.dst, herd.src], [])
    pe, pes = number_of_pe(e, ids, counts)
    first, step = pe, pes
    if herd.lanes:
        lane = e.op("gpu.lane_id", "lane")
        wave = e.op("gpu.subgroup_size : index", "wave")
        first = e.op(f"arith.addi {e.op(f'arith.muli {pe}, {wave} : index')}, {lane} : index")
        step = e.op(f"arith.muli {pes}, {wave} : index")
    i = e.name("i")
    e.open(f"scf.for {i} = {first} to {e.const(herd.src.numel)} step {step} {{")
    v = e.op(f"memref.load {inner[herd.src.name]}[{at(e, herd.src, None, i)}] : {herd.src.type}")
    c = e.op(f"arith.remui {i}, {e.const(herd.cells)} : index")
    kind = "addi" if herd.dst.elem in INT_BITS else "addf"
    t = herd.dst.elem
    e.op(
        f"memref.atomic_rmw {kind} {v}, {inner[herd.dst.name]}[{at(e, herd.dst, None, c)}]"
        f" : ({t}, {herd.dst.type}) -> {t}"
    )
    e.close()
    e.close()


@emit.register
def _(pair: KeptL1, e, names, ctx):
    t = pair.dst.elem
    kept = Buffer("kept", [2], 2, t)
    names = dict(names, kept=e.op(f"memref.alloc() : {kept.type}", "kept"))
    for second in (False, True):
        buffers = [kept, pair.dst if second else pair.src]
        ids, counts, inner = open_herd(e, names, ctx, pair.size, buffers, [pair.variable])
        pe, _ = number_of_pe(e, ids, counts)
        lane = e.op("gpu.lane_id", "lane")
        # Larger waves use as many lanes as the smallest one has.
        i = e.op(f"arith.addi {e.op(f'arith.muli {pe}, {e.const(pair.lanes)} : index')}, {lane} : index")
        low = e.op(f"arith.cmpi ult, {lane}, {e.const(pair.lanes)} : index")
        few = e.op(f"arith.cmpi ult, {i}, {e.const(pair.count)} : index")
        e.open(f"scf.if {e.op(f'arith.andi {low}, {few} : i1')} {{")
        place = inner["kept"] + "[" + e.const(1) + "]"
        if second:
            v = e.op(f"memref.load {place} : {kept.type}")
            e.line(f"memref.store {v}, {inner[pair.dst.name]}[{at(e, pair.dst, None, i)}] : {pair.dst.type}")
        else:
            p = e.op(f"arith.addi {i}, {e.const(pair.shift)} : index")
            p = e.op(f"arith.remui {p}, {e.const(pair.src.numel)} : index")
            v = e.op(f"memref.load {inner[pair.src.name]}[{at(e, pair.src, None, p)}] : {pair.src.type}")
            index = i
            if pair.variable:
                index = e.op(f"arith.addi {i}, {inner[pair.variable]} : index")
            e.line(f"memref.store {emit_work(e, pair.work, v, index, v)}, {place} : {kept.type}")
        e.close()
        e.close()


def open_herd(e, names, ctx, size, buffers, variables):
    sizes = [e.const(n) for n in size]
    ids = [e.name("p") for _ in sizes]
    counts = [e.name("s") for _ in sizes]
    args, inner = pass_args(e, names, buffers, variables)
    spaces = ", ".join(f"{c} = {s}" for c, s in zip(counts, sizes))
    ctx.herd(e, "air.herd", f"tile ({', '.join(ids)}) in ({spaces}) {args} {{")
    return ids, counts, inner


def number_of_pe(e, ids, counts):
    """Returns the number of the PE, x fastest, and the number of PEs."""
    if len(ids) == 1:
        return ids[0], counts[0]
    row = e.op(f"arith.muli {ids[1]}, {counts[0]} : index")
    return (e.op(f"arith.addi {row}, {ids[0]} : index"), e.op(f"arith.muli {counts[0]}, {counts[1]} : index"))


@emit.register
def _(scope: Scope, e, names, ctx):
    t = scope.buffer.type
    inner = dict(names, **{scope.buffer.name: e.op(f"memref.alloc() : {t}", "own")})
    for step in scope.body:
        emit(step, e, inner, ctx)
    ctx.settle(e)
    e.line(f"memref.dealloc {inner[scope.buffer.name]} : {t}")


@emit.register
def _(scope: ViewScope, e, names, ctx):
    whole = scope.part.parent
    ones = ", ".join("1" for _ in scope.offsets)
    view = e.op(
        f"memref.subview {names[whole.name]}{scope.offsets} {scope.part.shape} [{ones}] : "
        f"{whole.type} to {scope.part.type}",
        "part",
    )
    inner = dict(names, **{scope.part.name: view})
    for step in scope.body:
        emit(step, e, inner, ctx)


@emit.register
def _(loop: Loop, e, names, ctx):
    zero, one, n = e.const(0), e.const(1), e.const(loop.trips)
    if names.get("one") and e.rng.random() < 0.5:
        n = e.op(f"arith.muli {names['one']}, {n} : index", "n")
    k = e.name("k")
    inner = dict(names, **{loop.variable: k})
    body = Context(ctx.use_tokens)
    token = "!air.async.token"
    if ctx.use_tokens:
        start = ctx.last or e.op("air.wait_all async", "t")
        carried, result = e.name("carried"), e.name("t")
        e.open(f"{result} = scf.for {k} = {zero} to {n} step {one} iter_args({carried} = {start}) -> ({token}) {{")
        body.last = carried
    else:
        e.open(f"scf.for {k} = {zero} to {n} step {one} {{")
    for step in loop.body:
        emit(step, e, inner, body)
    if ctx.use_tokens:
        last = body.last or e.op("air.wait_all async", "t")
        e.line(f"scf.yield {last} : {token}")
        ctx.last = result
    e.close()


@emit.register
def _(branch: If, e, names, ctx):
    ctx.settle(e)
    if branch.loaded:
        t = branch.loaded.elem
        v = e.op(
            f"memref.load {names[branch.loaded.name]}[{at(e, branch.loaded, None, e.const(0))}] : {branch.loaded.type}"
        )
        how = "arith.cmpi sgt" if t in INT_BITS else "arith.cmpf ogt"
        c = e.op(f"{how}, {v}, {e.const(branch.modulus, t)} : {t}")
    else:
        r = e.op(f"arith.remui {names[branch.variable]}, {e.const(branch.modulus)} : index")
        c = e.op(f"arith.cmpi eq, {r}, {e.const(0)} : index")
    e.open(f"scf.if {c} {{")
    body = Context(ctx.use_tokens)
    for step in branch.body:
        emit(step, e, names, body)
    if body.last:
        e.line(f"air.wait_all [{body.last}]")
    e.close()


def pass_args(e, names, buffers, variables):
    """Returns args(…) for the operands of a herd, in random order, and the names inside."""
    wanted, inner = [], {}
    for b in buffers:
        if b.name not in [w[0] for w in wanted]:
            wanted.append((b.name, b.type))
    for v in list(variables) + (["one"] if names.get("one") else []):
        if v and v not in [w[0] for w in wanted]:
            wanted.append((v, "index"))
    e.rng.shuffle(wanted)
    pairs = []
    for key, _ in wanted:
        inner[key] = e.name("h")
        pairs.append(f"{inner[key]} = {names[key]}")
    return f"args({', '.join(pairs)}) : {', '.join(t for _, t in wanted)}", inner
