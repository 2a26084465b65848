#!/usr/bin/env python3
"""Random programs in the AIR dialect, each with a result computed here.

    generate.py --aircc BINARY [--seed N] [--count N] [--target NAME]... [--work DIR]
                [--orders N]

A program is built as a list of steps. Every step knows two things: how it is
written in AIR, and what it does to the memory of one workgroup. The second is
a plain sequential model written from the dialect's definition (transfers as
row-major sequences, herds one PE after another), so it shares nothing with the
compiler. The program prints a checksum of its output; it must be the model's.

Each program runs under several orders of waves of the simulated device: code
that lacks a barrier is right in some and wrong in others.

Program number k of a run has the seed `seed + k`, so one that fails is made
again with `--seed THAT --count 1`; with --work it stays there to be looked at.
"""

import argparse
import math
import os
import random
import subprocess
import sys
import tempfile

MASK = (1 << 64) - 1
# Integers beyond these are not exact in the type.
EXACT = {"f16": 2048, "bf16": 256, "f32": 1 << 24, "f64": 1 << 53}
INT_BITS = {"i8": 8, "i16": 16, "i32": 32, "i64": 64}
LDS_BUDGET = 24 * 1024
BYTES = {"i8": 1, "i16": 2, "i32": 4, "i64": 8, "f16": 2, "bf16": 2, "f32": 4, "f64": 8}


class Rejected(Exception):
    """The draw makes no valid program; the caller draws again."""


class OutOfRange(Exception):
    """A value of the model is not exact in the element type."""


class Buffer:
    """A memref. A part of another buffer (a subview) has that one's strides and
    starts at `start` elements of it."""

    def __init__(self, name, shape, space, elem, parent=None, start=0, layout=None):
        self.name, self.shape, self.space, self.elem = name, list(shape), space, elem
        self.parent, self.start, self.layout = parent, start, layout
        self.dynamic = False

    @property
    def numel(self):
        return math.prod(self.shape)

    @property
    def strides(self):
        if self.layout:
            return self.layout
        out, s = [], 1
        for n in reversed(self.shape):
            out.insert(0, s)
            s *= n
        return out

    @property
    def type(self):
        dims = "".join("?x" if self.dynamic else f"{n}x" for n in self.shape)
        layout = f", strided<{self.layout}, offset: {self.start}>" if self.layout else ""
        space = f", {self.space}" if self.space else ""
        return f"memref<{dims}{self.elem}{layout}{space}>"

    def physical(self, i):
        """Where element number i in row-major order lies, from the start."""
        if not self.layout:
            return i
        out = 0
        for n, s in zip(reversed(self.shape), reversed(self.layout)):
            out += i % n * s
            i //= n
        return out

    def bind(self, memory):
        """Adds this part of a buffer to the memory that holds the buffer."""
        memory[self.name] = Part(memory[self.parent.name], self.start)


class Part:
    """Memory from some element on."""

    def __init__(self, whole, start):
        self.whole, self.start = whole, start

    def __getitem__(self, i):
        return self.whole[self.start + i]

    def __setitem__(self, i, v):
        self.whole[self.start + i] = v


class Linear:
    """const + sum of coefficient * variable, over index values."""

    def __init__(self, const, terms=()):
        self.const, self.terms = const, [(c, v) for c, v in terms if c]

    def value(self, env):
        return self.const + sum(c * env[v] for c, v in self.terms)


class Emitter:
    """Collects lines. Names are unique over the program, so that no region
    shadows another's."""

    def __init__(self, rng):
        self.rng, self.lines, self.depth, self.count, self.functions = rng, [], 0, 0, []

    def name(self, hint="v"):
        self.count += 1
        return f"%{hint}{self.count}"

    def line(self, text):
        self.lines.append("  " * self.depth + text)

    def open(self, text):
        self.line(text)
        self.depth += 1

    def close(self, text="}"):
        self.depth -= 1
        self.line(text)

    def op(self, text, hint="v"):
        n = self.name(hint)
        self.line(f"{n} = {text}")
        return n

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


# --- Values ------------------------------------------------------------------


def store_value(elem, v):
    if elem in INT_BITS:
        bits = INT_BITS[elem]
        v &= (1 << bits) - 1
        return v - (1 << bits) if v >> (bits - 1) else v
    if abs(v) > EXACT[elem]:
        raise OutOfRange
    return v


class Work:
    """A chain of operations on one element, an index and another element."""

    def __init__(self, rng, elem):
        kinds = ["addc", "mulc", "minc", "maxc", "add_index", "add_other", "min_other", "select_odd", "neg"]
        if elem in INT_BITS:
            kinds += ["xor_other", "mul_other"]
        self.elem = elem
        self.ops = [(rng.choice(kinds), rng.randrange(-5, 9), rng.randrange(2, 6)) for _ in range(rng.randrange(1, 5))]

    def value(self, v, index, other):
        for kind, c, m in self.ops:
            if kind == "addc":
                v = v + c
            elif kind == "mulc":
                v = v * c
            elif kind == "minc":
                v = min(v, c * 7)
            elif kind == "maxc":
                v = max(v, c * 7)
            elif kind == "add_index":
                v = v + index % m
            elif kind == "add_other":
                v = v + other
            elif kind == "min_other":
                v = min(v, other)
            elif kind == "select_odd":
                v = v if index % 2 else other
            elif kind == "neg":
                v = -v
            elif kind == "xor_other":
                v = v ^ other
            elif kind == "mul_other":
                v = v * other
            v = store_value(self.elem, v)
        return v

    def emit(self, e, v, index, other):
        """The work in place, or as a call of a function that does it."""
        t = self.elem
        if e.rng.random() < 0.15:
            e.count += 1
            name = f"work{e.count}"
            inner = Emitter(e.rng)
            inner.depth, inner.count = 1, e.count
            inner.open(f"func.func private @{name}(%a: {t}, %i: index, %b: {t}) -> {t} {{")
            inner.line(f"return {self.emit_inline(inner, '%a', '%i', '%b')} : {t}")
            inner.close()
            e.functions += inner.lines
            e.count = inner.count
            return e.op(f"func.call @{name}({v}, {index}, {other}) : ({t}, index, {t}) -> {t}")
        return self.emit_inline(e, v, index, other)

    def emit_inline(self, e, v, index, other):
        t = self.elem
        f = t not in INT_BITS
        add, sub, mul = ("arith.addf", "arith.subf", "arith.mulf") if f else ("arith.addi", "arith.subi", "arith.muli")
        least, most = ("arith.minimumf", "arith.maximumf") if f else ("arith.minsi", "arith.maxsi")
        for kind, c, m in self.ops:
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


# --- Transfers ---------------------------------------------------------------


class Side:
    """One side of a transfer: which elements, and how that is written."""

    def __init__(self, buffer, form, offsets, sizes, strides):
        self.buffer, self.form = buffer, form
        self.offsets, self.sizes, self.strides = offsets, sizes, strides

    def addresses(self, env, other_sizes=None):
        b = self.buffer
        if self.form == "whole":
            return [b.physical(i) for i in range(b.numel)]
        sizes = self.sizes
        strides = self.strides
        if self.form in ("box", "offsets"):
            strides = b.strides
            if self.form == "offsets":
                sizes = other_sizes
        offsets = [o.value(env) for o in self.offsets]
        if len(offsets) == len(b.shape):
            base = sum(o * s for o, s in zip(offsets, b.strides))
        else:
            base = sum(o * s for o, s in zip(offsets, strides))
        out = [base]
        for n, s in zip(sizes, strides):
            out = [a + i * s for a in out for i in range(n)]
        return out


def draw_factors(rng, n, most):
    """n as a product of at most `most` factors, in random order."""
    factors = []
    while n > 1 and len(factors) < most - 1:
        divisors = [d for d in range(2, n + 1) if n % d == 0]
        d = rng.choice(divisors)
        factors.append(d)
        n //= d
    if n > 1 or not factors:
        factors.append(n)
    if len(factors) < most and rng.random() < 0.2:
        factors.append(1)
    rng.shuffle(factors)
    return factors


class Dma:
    """One air.dma_memcpy_nd."""

    def __init__(self, dst, src, pad=None):
        self.dst, self.src, self.pad = dst, src, pad

    def src_values(self, memory, env):
        # Without a pad both sides have equally many elements, so the other
        # side's sizes are this side's.
        other = self.dst.sizes or self.dst.buffer.shape
        data = memory[self.src.buffer.name]
        values = [data[a] for a in self.src.addresses(env, other)]
        if self.pad:
            before, after = self.pad
            sizes = list(self.src.sizes)
            values = pad(values, sizes, before, after)
        return values

    def run(self, memory, env):
        values = self.src_values(memory, env)
        target = memory[self.dst.buffer.name]
        addresses = self.dst.addresses(env, self.src.sizes or self.src.buffer.shape)
        assert len(values) == len(addresses)
        for a, v in zip(addresses, values):
            target[a] = v

    def emit(self, e, names, ctx):
        attributes = ""
        if self.pad:
            before, after = (", ".join(map(str, p)) for p in self.pad)
            attributes = f" {{pad_before = array<i32: {before}>, pad_after = array<i32: {after}>}}"
        sides = ", ".join(write_side(e, s, names) for s in (self.dst, self.src))
        ctx.token(e, f"air.dma_memcpy_nd", f"({sides}){attributes} : ({self.dst.buffer.type}, {self.src.buffer.type})")


def pad(values, sizes, before, after):
    """`values` of shape `sizes` in a larger box of zeros."""
    if not sizes:
        return values
    inner = math.prod(sizes[1:])
    rows = [pad(values[i * inner : (i + 1) * inner], sizes[1:], before[1:], after[1:]) for i in range(sizes[0])]
    width = math.prod(s + b + a for s, b, a in zip(sizes[1:], before[1:], after[1:]))
    zero = [0] * width
    return zero * before[0] + [v for r in rows for v in r] + zero * after[0]


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


def draw_side(rng, buffer, count, environments, variables, base=None, distinct=False, sizes=None, forms=None):
    """A side of `count` elements that stays inside the buffer in all of the
    environments. `base` is an offset, in elements, that every form must include
    (the workgroup's or PE's own part, of which `base[1]` elements are its)."""
    for _ in range(60):
        form = rng.choice(forms or ["whole", "strided", "strided", "strided", "box", "fewer"])
        if buffer.layout and form in ("strided", "fewer"):
            form = rng.choice(["whole", "box"])
        start, extent = base if base else (Linear(0), buffer.numel)
        if form == "whole":
            if base or buffer.numel != count or sizes:
                continue
            return Side(buffer, "whole", [], [], [])
        ndims = len(buffer.shape)
        if form == "box":
            s = sizes or draw_factors(rng, count, ndims)
            if base or len(s) > ndims:
                continue
            s = [1] * (ndims - len(s)) + list(s)
            if sizes and len(sizes) != ndims:
                continue
            if any(a > b for a, b in zip(s, buffer.shape)):
                continue
            offsets = []
            for a, b in zip(s, buffer.shape):
                offsets.append(draw_offset(rng, b - a, environments, variables))
            return Side(buffer, "box", offsets, s, [])
        s = sizes or draw_factors(rng, count, rng.randrange(1, 5))
        # Dense strides in a random order of the dimensions, or spread ones.
        order = list(range(len(s)))
        if rng.random() < 0.5:
            rng.shuffle(order)
        strides, step = [0] * len(s), 1
        for d in reversed(order):
            strides[d] = step
            step *= s[d]
            if rng.random() < 0.3:
                step += rng.randrange(1, 4)
        if not distinct and rng.random() < 0.15:
            strides[rng.randrange(len(s))] = 0
        span = sum((a - 1) * b for a, b in zip(s, strides)) + 1
        if span > extent:
            continue
        slack = extent - span
        if form == "fewer":
            # As many offsets as strides, but not as dimensions.
            if len(s) == ndims or base:
                continue
            offsets, left = [], slack
            for st in strides:
                k = rng.randrange(0, left // st + 1) if st and rng.random() < 0.6 else 0
                left -= k * st
                offsets.append(Linear(k))
            return Side(buffer, "strided", offsets, s, strides)
        # One offset a dimension; all in the last, which has step one, or spread.
        shift = draw_offset(rng, slack, environments, variables)
        total = Linear(start.const + shift.const, start.terms + shift.terms)
        if not total.terms and ndims > 1 and rng.random() < 0.6:
            rest, offsets = total.const, []
            for st in buffer.strides:
                offsets.append(Linear(rest // st))
                rest %= st
        elif ndims == 1:
            offsets = [total]
        else:
            offsets = [Linear(0)] * (ndims - 1) + [total]
        return Side(buffer, "strided", offsets, s, strides)
    raise Rejected


def draw_offset(rng, most, environments, variables):
    """0 to `most` in every environment, with variables where they fit."""
    if most <= 0:
        return Linear(0)
    terms, left = [], most
    for v in variables:
        top = max(env[v] for env in environments)
        if top and left >= top and rng.random() < 0.4:
            c = rng.randrange(1, left // top + 1)
            terms.append((c, v))
            left -= c * top
    return Linear(rng.randrange(0, left + 1), terms)


# --- Steps -------------------------------------------------------------------


class Context:
    """How the steps of a body are ordered: by program order or by tokens."""

    def __init__(self, use_tokens):
        self.use_tokens, self.last = use_tokens, None

    def token(self, e, op, rest):
        if not self.use_tokens:
            e.line(f"{op} {rest}")
            return
        dep = f" [{self.last}]" if self.last else ""
        self.last = e.op(f"{op} async{dep} {rest}", "t")

    def settle(self, e):
        """Waits for what was begun: plain ops follow."""
        if self.last:
            e.line(f"air.wait_all [{self.last}]")
            self.last = None

    def herd(self, e, head, rest):
        self.token(e, head, rest)
        e.depth += 1


class SimtHerd:
    """dst[i] = work(src[p(i)]) spread over all lanes of all PEs."""

    def __init__(self, rng, dst, src, other, variables):
        self.dst, self.src, self.other = dst, src, other
        self.size = rng.choice([[1, 1], [2, 1], [1, 2], [2, 2], [4, 1], [3, 2], [2, 4], [3], [4], [1]])
        self.work = Work(rng, dst.elem)
        self.scale = 1 if dst is src else rng.choice([1, 1, 3, 5])
        self.shift = 0 if dst is src else rng.randrange(0, 9)
        self.variable = rng.choice(variables) if variables else None

    def run(self, memory, env):
        src, other = memory[self.src.name], memory[self.other.name]
        out = []
        for i in range(self.dst.numel):
            p = self.src.physical((i * self.scale + self.shift) % self.src.numel)
            extra = env[self.variable] if self.variable else 0
            o = other[self.other.physical(i % self.other.numel)]
            out.append(self.work.value(src[p], i + extra, o))
        for i, v in enumerate(out):
            memory[self.dst.name][self.dst.physical(i)] = v

    def emit(self, e, names, ctx):
        ids, counts, inner = open_herd(e, names, ctx, self.size, [self.dst, self.src, self.other], [self.variable])
        lane = e.op("gpu.lane_id", "lane")
        wave = e.op("gpu.subgroup_size : index", "wave")
        pe, pes = number_of_pe(e, ids, counts)
        first = e.op(f"arith.addi {e.op(f'arith.muli {pe}, {wave} : index')}, {lane} : index")
        step = e.op(f"arith.muli {pes}, {wave} : index")
        i = e.name("i")
        e.open(f"scf.for {i} = {first} to {e.const(self.dst.numel)} step {step} {{")
        emit_element(e, self, inner, i)
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
    r = step.work.emit(e, v, index, o)
    e.line(f"memref.store {r}, {names[step.dst.name]}[{at(e, step.dst, None, i)}] : {step.dst.type}")


class PeHerd:
    """Each PE brings its chunk of a buffer into L1, works on it as a sequential
    program, and brings it back, in another order perhaps."""

    def __init__(self, rng, dst, src, other, variables, environments):
        self.dst, self.src, self.other = dst, src, other
        self.size = rng.choice([[1, 1], [2, 1], [1, 2], [2, 2], [4, 2], [3], [2]])
        pes = math.prod(self.size)
        if dst.layout:
            raise Rejected
        self.chunk = min(rng.randrange(1, 40), dst.numel // pes)
        if not self.chunk:
            raise Rejected
        self.l1 = Buffer("l1", [self.chunk], 2, dst.elem)
        if self.chunk % 2 == 0 and rng.random() < 0.4:
            self.l1.shape = [2, self.chunk // 2]
        inside = [dict(env, pe=p) for env in environments for p in range(pes)]
        self.load = Dma(
            Side(self.l1, "whole", [], [], []),
            draw_side(rng, src, self.chunk, inside, variables + ["pe"], forms=["strided", "strided", "box"]),
        )
        base = (Linear(0, [(self.chunk, "pe")]), self.chunk)
        self.store = Dma(
            draw_side(rng, dst, self.chunk, inside, [], base=base, distinct=True, forms=["strided"]),
            Side(self.l1, "whole", [], [], []),
        )
        if dst is src:
            # PEs run in any order: what one writes, another may not read.
            self.load = Dma(self.load.dst, draw_side(rng, src, self.chunk, inside, [], base=base, forms=["strided"]))
        self.work = Work(rng, dst.elem)
        self.kind = rng.choice(["sequential", "parallel", "generic", "reduce", "sequential"])
        self.variable = rng.choice(variables) if variables else None

    def run(self, memory, env):
        before = dict(memory)
        for pe in range(math.prod(self.size)):
            inner = dict(env, pe=pe)
            local = dict(before)
            local["l1"] = [None] * self.chunk
            self.load.run(local, inner)
            t = local["l1"]
            extra = env[self.variable] if self.variable else 0
            other = before[self.other.name]
            if self.kind == "reduce":
                acc = 0
                for v in t:
                    acc = store_value(self.dst.elem, max(acc, self.work.value(v, extra, acc)))
                t[:] = [store_value(self.dst.elem, v + acc) for v in t]
            else:
                for i in range(self.chunk):
                    if self.kind == "sequential":
                        o = t[i - 1] if i else 0
                    else:
                        o = other[self.other.physical(i % self.other.numel)]
                    t[i] = self.work.value(t[i], i + extra, o)
            self.store.run(local, inner)

    def emit(self, e, names, ctx):
        variables = [self.variable] + [
            v for d in (self.load.src, self.store.dst) for o in d.offsets for _, v in o.terms if v != "pe"
        ]
        ids, counts, inner = open_herd(e, names, ctx, self.size, [self.dst, self.src, self.other], variables)
        inner["pe"], _ = number_of_pe(e, ids, counts)
        t = self.l1.type
        inner["l1"] = e.op(f"memref.alloc() : {t}", "l")
        body = Context(ctx.use_tokens)
        self.load.emit(e, inner, body)
        if body.last:
            e.line(f"air.wait_all [{body.last}]")
            body.last = None
        extra = inner[self.variable] if self.variable else e.const(0)
        zero, one, n = e.const(0), e.const(1), e.const(self.chunk)
        elem = self.dst.elem
        if self.kind == "reduce":
            i, acc, result = e.name("i"), e.name("acc"), e.name("r")
            start = e.const(0, elem)
            e.open(f"{result} = scf.for {i} = {zero} to {n} step {one} iter_args({acc} = {start}) -> ({elem}) {{")
            v = e.op(f"memref.load {inner['l1']}[{at(e, self.l1, None, i)}] : {t}")
            w = self.work.emit(e, v, extra, acc)
            most = "arith.maximumf" if elem in EXACT else "arith.maxsi"
            m = e.op(f"{most} {acc}, {w} : {elem}")
            e.line(f"scf.yield {m} : {elem}")
            e.close()
            i = e.name("i")
            e.open(f"scf.for {i} = {zero} to {n} step {one} {{")
            place = at(e, self.l1, None, i)
            v = e.op(f"memref.load {inner['l1']}[{place}] : {t}")
            add = "arith.addf" if elem in EXACT else "arith.addi"
            w = e.op(f"{add} {v}, {result} : {elem}")
            e.line(f"memref.store {w}, {inner['l1']}[{place}] : {t}")
            e.close()
        elif self.kind == "generic" and len(self.l1.shape) == 1:
            # The other operand is gathered by a plain load: generics may.
            e.open(
                f'linalg.generic {{indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]}}'
                f" outs({inner['l1']} : {t}) {{"
            )
            v = e.name("x")
            e.lines.append("  " * (e.depth - 1) + f"^bb0({v}: {elem}):")
            i = e.op("linalg.index 0 : index")
            q = e.op(f"arith.remui {i}, {e.const(self.other.numel)} : index")
            o = e.op(f"memref.load {inner[self.other.name]}[{at(e, self.other, None, q)}] : {self.other.type}")
            w = self.work.emit(e, v, e.op(f"arith.addi {i}, {extra} : index"), o)
            e.line(f"linalg.yield {w} : {elem}")
            e.close()
        else:
            i = e.name("i")
            parallel = self.kind in ("parallel", "generic")
            if parallel:
                e.open(f"scf.parallel ({i}) = ({zero}) to ({n}) step ({one}) {{")
            else:
                e.open(f"scf.for {i} = {zero} to {n} step {one} {{")
            place = at(e, self.l1, None, i)
            v = e.op(f"memref.load {inner['l1']}[{place}] : {t}")
            if parallel:
                q = e.op(f"arith.remui {i}, {e.const(self.other.numel)} : index")
                o = e.op(f"memref.load {inner[self.other.name]}[{at(e, self.other, None, q)}] : {self.other.type}")
            else:
                first = e.op(f"arith.cmpi eq, {i}, {zero} : index")
                o = e.name("o")
                e.open(f"{o} = scf.if {first} -> ({elem}) {{")
                e.line(f"scf.yield {e.const(0, elem)} : {elem}")
                e.depth -= 1
                e.open("} else {")
                before = e.op(f"arith.subi {i}, {one} : index")
                last = e.op(f"memref.load {inner['l1']}[{at(e, self.l1, None, before)}] : {t}")
                e.line(f"scf.yield {last} : {elem}")
                e.close()
            w = self.work.emit(e, v, e.op(f"arith.addi {i}, {extra} : index"), o)
            e.line(f"memref.store {w}, {inner['l1']}[{place}] : {t}")
            if parallel:
                e.line("scf.reduce")
            e.close()
        self.store.emit(e, inner, body)
        if body.last:
            e.line(f"air.wait_all [{body.last}]")
        e.close()


class Scalar:
    """One element changed by the segment itself: happens once."""

    def __init__(self, rng, dst, src, variables, environments):
        self.dst, self.src = dst, src
        self.to = draw_offset(rng, dst.numel - 1, environments, variables)
        self.place = draw_offset(rng, src.numel - 1, environments, variables)
        self.work = Work(rng, dst.elem)

    def run(self, memory, env):
        to = self.to.value(env)
        v = memory[self.src.name][self.src.physical(self.place.value(env))]
        cell = self.dst.physical(to)
        memory[self.dst.name][cell] = self.work.value(memory[self.dst.name][cell], to, v)

    def emit(self, e, names, ctx):
        ctx.settle(e)
        to = e.linear(self.to, names)
        place = e.linear(self.place, names)
        indices = at(e, self.dst, None, to)
        old = e.op(f"memref.load {names[self.dst.name]}[{indices}] : {self.dst.type}")
        v = e.op(f"memref.load {names[self.src.name]}[{at(e, self.src, None, place)}] : {self.src.type}")
        w = self.work.emit(e, old, to, v)
        e.line(f"memref.store {w}, {names[self.dst.name]}[{indices}] : {self.dst.type}")


class Fill:
    """linalg.fill of a whole buffer by the segment."""

    def __init__(self, rng, dst):
        self.dst, self.value = dst, rng.randrange(-9, 30)

    def run(self, memory, env):
        for i in range(self.dst.numel):
            memory[self.dst.name][self.dst.physical(i)] = self.value

    def emit(self, e, names, ctx):
        ctx.settle(e)
        v = e.const(self.value, self.dst.elem)
        e.line(f"linalg.fill ins({v} : {self.dst.elem}) outs({names[self.dst.name]} : {self.dst.type})")


class Sum:
    """A loop of the segment that carries a value and stores it at the end."""

    def __init__(self, rng, dst, src, variables, environments):
        self.dst, self.src = dst, src
        self.to = draw_offset(rng, dst.numel - 1, environments, variables)
        self.count, self.step = rng.randrange(1, 7), rng.randrange(1, 9)
        self.work = Work(rng, dst.elem)

    def run(self, memory, env):
        acc = 0
        for k in range(self.count):
            v = memory[self.src.name][self.src.physical(k * self.step % self.src.numel)]
            acc = self.work.value(acc, k, v)
        memory[self.dst.name][self.dst.physical(self.to.value(env))] = acc

    def emit(self, e, names, ctx):
        ctx.settle(e)
        t = self.dst.elem
        k, acc, result = e.name("k"), e.name("acc"), e.name("r")
        e.open(
            f"{result} = scf.for {k} = {e.const(0)} to {e.const(self.count)} step {e.const(1)} "
            f"iter_args({acc} = {e.const(0, t)}) -> ({t}) {{"
        )
        p = e.op(f"arith.muli {k}, {e.const(self.step)} : index")
        p = e.op(f"arith.remui {p}, {e.const(self.src.numel)} : index")
        v = e.op(f"memref.load {names[self.src.name]}[{at(e, self.src, None, p)}] : {self.src.type}")
        e.line(f"scf.yield {self.work.emit(e, acc, k, v)} : {t}")
        e.close()
        to = at(e, self.dst, None, e.linear(self.to, names))
        e.line(f"memref.store {result}, {names[self.dst.name]}[{to}] : {self.dst.type}")


class Count:
    """Atomic additions from all PEs, or from all lanes: their order is free and
    does not matter."""

    def __init__(self, rng, dst, src):
        self.dst, self.src, self.lanes = dst, src, rng.random() < 0.5
        self.size = rng.choice([[1, 1], [2, 1], [2, 2], [4, 2], [3]])
        self.cells = rng.randrange(1, dst.numel + 1)

    def run(self, memory, env):
        for i in range(self.src.numel):
            cell = self.dst.physical(i % self.cells)
            v = memory[self.src.name][self.src.physical(i)]
            memory[self.dst.name][cell] = store_value(self.dst.elem, memory[self.dst.name][cell] + v)

    def emit(self, e, names, ctx):
        ids, counts, inner = open_herd(e, names, ctx, self.size, [self.dst, self.src], [])
        pe, pes = number_of_pe(e, ids, counts)
        first, step = pe, pes
        if self.lanes:
            lane = e.op("gpu.lane_id", "lane")
            wave = e.op("gpu.subgroup_size : index", "wave")
            first = e.op(f"arith.addi {e.op(f'arith.muli {pe}, {wave} : index')}, {lane} : index")
            step = e.op(f"arith.muli {pes}, {wave} : index")
        i = e.name("i")
        e.open(f"scf.for {i} = {first} to {e.const(self.src.numel)} step {step} {{")
        v = e.op(f"memref.load {inner[self.src.name]}[{at(e, self.src, None, i)}] : {self.src.type}")
        c = e.op(f"arith.remui {i}, {e.const(self.cells)} : index")
        kind = "addi" if self.dst.elem in INT_BITS else "addf"
        t = self.dst.elem
        e.op(
            f"memref.atomic_rmw {kind} {v}, {inner[self.dst.name]}[{at(e, self.dst, None, c)}]"
            f" : ({t}, {self.dst.type}) -> {t}"
        )
        e.close()
        e.close()


class KeptL1:
    """An L1 buffer of the segment that one SIMT herd fills and the next reads:
    each lane's own. `lanes` are as many as the smallest wave has."""

    def __init__(self, rng, lanes, dst, src, variables):
        self.lanes, self.dst, self.src = lanes, dst, src
        self.size = rng.choice([[1, 1], [2, 1], [1, 2], [2, 2], [4], [3]])
        self.count = min(dst.numel, lanes * math.prod(self.size))
        self.work = Work(rng, dst.elem)
        self.shift = rng.randrange(0, 9)
        self.variable = rng.choice(variables) if variables else None

    def run(self, memory, env):
        extra = env[self.variable] if self.variable else 0
        kept = []
        for i in range(self.count):
            v = memory[self.src.name][self.src.physical((i + self.shift) % self.src.numel)]
            kept.append(self.work.value(v, i + extra, v))
        for i, v in enumerate(kept):
            memory[self.dst.name][self.dst.physical(i)] = v

    def emit(self, e, names, ctx):
        t = self.dst.elem
        kept = Buffer("kept", [2], 2, t)
        names = dict(names, kept=e.op(f"memref.alloc() : {kept.type}", "kept"))
        for second in (False, True):
            buffers = [kept, self.dst if second else self.src]
            ids, counts, inner = open_herd(e, names, ctx, self.size, buffers, [self.variable])
            pe, _ = number_of_pe(e, ids, counts)
            lane = e.op("gpu.lane_id", "lane")
            # Larger waves do the same with as many lanes.
            i = e.op(f"arith.addi {e.op(f'arith.muli {pe}, {e.const(self.lanes)} : index')}, {lane} : index")
            low = e.op(f"arith.cmpi ult, {lane}, {e.const(self.lanes)} : index")
            few = e.op(f"arith.cmpi ult, {i}, {e.const(self.count)} : index")
            e.open(f"scf.if {e.op(f'arith.andi {low}, {few} : i1')} {{")
            place = inner["kept"] + "[" + e.const(1) + "]"
            if second:
                v = e.op(f"memref.load {place} : {kept.type}")
                e.line(f"memref.store {v}, {inner[self.dst.name]}[{at(e, self.dst, None, i)}] : {self.dst.type}")
            else:
                p = e.op(f"arith.addi {i}, {e.const(self.shift)} : index")
                p = e.op(f"arith.remui {p}, {e.const(self.src.numel)} : index")
                v = e.op(f"memref.load {inner[self.src.name]}[{at(e, self.src, None, p)}] : {self.src.type}")
                index = i
                if self.variable:
                    index = e.op(f"arith.addi {i}, {inner[self.variable]} : index")
                e.line(f"memref.store {self.work.emit(e, v, index, v)}, {place} : {kept.type}")
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
    """The PE's number, x fastest, and how many there are."""
    if len(ids) == 1:
        return ids[0], counts[0]
    row = e.op(f"arith.muli {ids[1]}, {counts[0]} : index")
    return (e.op(f"arith.addi {row}, {ids[0]} : index"), e.op(f"arith.muli {counts[0]}, {counts[1]} : index"))


class Scope:
    """Steps with an L2 buffer of their own, which others' memory may be used
    for before and after."""

    def __init__(self, buffer, body):
        self.buffer, self.body = buffer, body

    def run(self, memory, env):
        inner = dict(memory)
        inner[self.buffer.name] = [None] * self.buffer.numel
        for step in self.body:
            step.run(inner, env)

    def emit(self, e, names, ctx):
        t = self.buffer.type
        inner = dict(names, **{self.buffer.name: e.op(f"memref.alloc() : {t}", "own")})
        for step in self.body:
            step.emit(e, inner, ctx)
        ctx.settle(e)
        e.line(f"memref.dealloc {inner[self.buffer.name]} : {t}")


class ViewScope:
    """Steps that use a part of an L2 buffer, as a memref.subview."""

    def __init__(self, part, offsets, body):
        self.part, self.offsets, self.body = part, offsets, body

    def run(self, memory, env):
        inner = dict(memory)
        self.part.bind(inner)
        for step in self.body:
            step.run(inner, env)

    def emit(self, e, names, ctx):
        whole = self.part.parent
        ones = ", ".join("1" for _ in self.offsets)
        view = e.op(
            f"memref.subview {names[whole.name]}{self.offsets} {self.part.shape} [{ones}] : "
            f"{whole.type} to {self.part.type}",
            "part",
        )
        inner = dict(names, **{self.part.name: view})
        for step in self.body:
            step.emit(e, inner, ctx)


class Loop:
    def __init__(self, trips, variable, body):
        self.trips, self.variable, self.body = trips, variable, body

    def run(self, memory, env):
        for k in range(self.trips):
            inner = dict(env, **{self.variable: k})
            for step in self.body:
                step.run(memory, inner)

    def emit(self, e, names, ctx):
        zero, one, n = e.const(0), e.const(1), e.const(self.trips)
        if names.get("one") and e.rng.random() < 0.5:
            n = e.op(f"arith.muli {names['one']}, {n} : index", "n")
        k = e.name("k")
        inner = dict(names, **{self.variable: k})
        body = Context(ctx.use_tokens)
        token = "!air.async.token"
        if ctx.use_tokens:
            start = ctx.last or e.op("air.wait_all async", "t")
            carried, result = e.name("carried"), e.name("t")
            e.open(f"{result} = scf.for {k} = {zero} to {n} step {one} iter_args({carried} = {start}) -> ({token}) {{")
            body.last = carried
        else:
            e.open(f"scf.for {k} = {zero} to {n} step {one} {{")
        for step in self.body:
            step.emit(e, inner, body)
        if ctx.use_tokens:
            last = body.last or e.op("air.wait_all async", "t")
            e.line(f"scf.yield {last} : {token}")
            ctx.last = result
        e.close()


class If:
    """Steps that only some workgroups do, by an id or by an element in memory."""

    def __init__(self, variable, modulus, body, loaded=None):
        self.variable, self.modulus, self.body, self.loaded = variable, modulus, body, loaded

    def run(self, memory, env):
        if self.loaded:
            do = memory[self.loaded.name][0] > self.modulus
        else:
            do = env[self.variable] % self.modulus == 0
        if do:
            for step in self.body:
                step.run(memory, env)

    def emit(self, e, names, ctx):
        ctx.settle(e)
        if self.loaded:
            t = self.loaded.elem
            v = e.op(
                f"memref.load {names[self.loaded.name]}[{at(e, self.loaded, None, e.const(0))}] : {self.loaded.type}"
            )
            how = "arith.cmpi sgt" if t in INT_BITS else "arith.cmpf ogt"
            c = e.op(f"{how}, {v}, {e.const(self.modulus, t)} : {t}")
        else:
            r = e.op(f"arith.remui {names[self.variable]}, {e.const(self.modulus)} : index")
            c = e.op(f"arith.cmpi eq, {r}, {e.const(0)} : index")
        e.open(f"scf.if {c} {{")
        body = Context(ctx.use_tokens)
        for step in self.body:
            step.emit(e, names, body)
        if body.last:
            e.line(f"air.wait_all [{body.last}]")
        e.close()


def pass_args(e, names, buffers, variables):
    """args(…) for what a herd uses, in random order, and the names inside."""
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


# --- Programs ----------------------------------------------------------------


def apart(a, b):
    """Whether two buffers share no element."""
    return a is not b and (a.parent or a) is not (b.parent or b)


class Program:
    def __init__(self, seed, lanes):
        self.seed, self.lanes, self.count = seed, lanes, 0
        rng = self.rng = random.Random(seed)
        self.elem = rng.choice(["i8", "i16", "i32", "i32", "i64", "f16", "bf16", "f32", "f32", "f64"])
        self.grid = [rng.choice([1, 1, 2, 3]) for _ in range(rng.randrange(1, 4))]
        self.ids = [f"x{i}" for i in range(len(self.grid))]
        self.use_tokens = rng.random() < 0.4
        self.segment = rng.random() < 0.8
        self.dynamic_grid = rng.random() < 0.4
        # The last dimensions of the grid may be a segment's own space.
        self.unroll = 0
        if self.segment and len(self.grid) > 1 and rng.random() < 0.3:
            self.unroll = rng.randrange(1, min(2, len(self.grid) - 1) + 1)
        self.dynamic_input = rng.random() < 0.3
        self.input = Buffer("in", self.draw_shape(60, 700), 0, self.elem)
        self.part = rng.randrange(8, 300)
        self.output = Buffer("out", [math.prod(self.grid), self.part], 0, self.elem)
        self.fill = (rng.randrange(1, 50), rng.randrange(0, 50), rng.randrange(3, 90), rng.randrange(0, 40))
        self.l2 = []
        self.draw_steps()

    def draw_shape(self, least, most):
        rng = self.rng
        n = rng.randrange(least, most)
        if rng.random() < 0.4:
            return [n]
        a = rng.randrange(2, 12)
        if rng.random() < 0.4:
            b = rng.randrange(2, 6)
            return [max(1, n // (a * b)), b, a]
        return [max(1, n // a), a]

    def environments(self):
        out = []
        for w in range(math.prod(self.grid)):
            env, rest = {"w": w}, w
            for name, n in reversed(list(zip(self.ids, self.grid))):
                env[name] = rest % n
                rest //= n
            out.append(env)
        return out

    def draw_steps(self):
        rng = self.rng
        environments = self.environments()
        budget = LDS_BUDGET
        for k in range(rng.randrange(1, 4)):
            b = Buffer(f"l2_{k}", self.draw_shape(4, 400), 1, self.elem)
            budget -= b.numel * BYTES[self.elem]
            if budget > 0:
                self.l2.append(b)
        if not self.l2:
            raise Rejected
        # Every L2 buffer gets a value everywhere before anything reads it.
        self.steps = []
        for b in self.l2:
            self.steps.append(self.draw_fill(b, environments))
        for _ in range(rng.randrange(1, 6)):
            self.steps.append(self.draw_step(environments, self.ids, 0))
        self.steps.append(self.draw_out(environments, self.ids))
        if rng.random() < 0.5:
            self.steps.append(self.draw_out(environments, self.ids))

    def draw_fill(self, b, environments):
        rng = self.rng
        whole = Side(b, "whole", [], [], [])
        if rng.random() < 0.3:
            step = SimtHerd(rng, b, self.input, self.input, self.ids)
            return step
        if rng.random() < 0.4:
            # A smaller box with zeros around it: the sizes are the buffer's.
            before, after, sizes = [], [], []
            for n in b.shape:
                p = rng.randrange(0, min(3, n))
                q = rng.randrange(0, min(3, n - p))
                before.append(p)
                after.append(q)
                sizes.append(n - p - q)
            side = draw_side(rng, self.input, math.prod(sizes), environments, self.ids, sizes=sizes, forms=["strided"])
            return Dma(whole, side, (before, after))
        if self.input.numel < b.numel:
            raise Rejected
        forms = ["whole", "strided", "strided", "box", "fewer"]
        return Dma(whole, draw_side(rng, self.input, b.numel, environments, self.ids, forms=forms))

    def draw_step(self, environments, variables, depth):
        rng = self.rng
        simple = ["dma", "dma", "simt", "pe", "pe", "scalar", "sum", "fill", "count", "kept"]
        kind = rng.choice(simple + ["loop", "loop", "if", "scope", "view", "view"] if depth < 2 else simple)
        if kind == "fill":
            return Fill(rng, rng.choice(self.l2))
        if kind == "sum":
            return Sum(rng, rng.choice(self.l2), rng.choice(self.l2 + [self.input]), variables, environments)
        if kind == "count":
            if self.elem not in ("i32", "i64", "f32", "f64"):
                raise Rejected
            dst = rng.choice(self.l2)
            return Count(rng, dst, rng.choice([b for b in self.l2 if apart(b, dst)] + [self.input]))
        if kind == "kept":
            return KeptL1(rng, self.lanes, rng.choice(self.l2), rng.choice(self.l2 + [self.input]), variables)
        if kind == "scope":
            self.count += 1
            b = Buffer(f"own_{self.count}", self.draw_shape(4, 200), 1, self.elem)
            body = [self.draw_fill(b, environments)]
            self.l2.append(b)
            body += [self.draw_step(environments, variables, depth + 1) for _ in range(rng.randrange(1, 4))]
            self.l2.remove(b)
            return Scope(b, body)
        if kind == "view":
            whole = rng.choice([b for b in self.l2 if not b.layout])
            shape = [rng.randrange(1, n + 1) for n in whole.shape]
            offsets = [rng.randrange(0, n - m + 1) for n, m in zip(whole.shape, shape)]
            start = sum(o * st for o, st in zip(offsets, whole.strides))
            self.count += 1
            part = Buffer(f"part_{self.count}", shape, 1, self.elem, whole, start, whole.strides)
            self.l2.append(part)
            body = [self.draw_step(environments, variables, depth + 1) for _ in range(rng.randrange(1, 3))]
            self.l2.remove(part)
            return ViewScope(part, offsets, body)
        if kind == "dma":
            dst = rng.choice(self.l2)
            src = rng.choice([b for b in self.l2 if apart(b, dst)] + [self.input])
            n = rng.randrange(1, min(dst.numel, src.numel) + 1)
            to = draw_side(rng, dst, n, environments, variables, distinct=True)
            if to.form in ("strided", "box") and len(to.sizes) == len(src.shape) and rng.random() < 0.3:
                if all(a <= b for a, b in zip(to.sizes, src.shape)):
                    offsets = [draw_offset(rng, b - a, environments, variables) for a, b in zip(to.sizes, src.shape)]
                    return Dma(to, Side(src, "offsets", offsets, None, None))
            return Dma(to, draw_side(rng, src, n, environments, variables))
        if kind in ("simt", "pe"):
            dst = rng.choice(self.l2)
            src = rng.choice([b for b in self.l2 if apart(b, dst) or b is dst] + [self.input])
            other = rng.choice([b for b in self.l2 if apart(b, dst)] + [self.input])
            if kind == "simt":
                return SimtHerd(rng, dst, src, other, variables)
            return PeHerd(rng, dst, src, other, list(variables), environments)
        if kind == "scalar":
            dst = rng.choice(self.l2)
            return Scalar(rng, dst, rng.choice(self.l2 + [self.input]), variables, environments)
        if kind == "loop":
            trips, name = rng.randrange(1, 5), f"k{depth}"
            inside = [dict(env, **{name: k}) for env in environments for k in range(trips)]
            body = [self.draw_step(inside, list(variables) + [name], depth + 1) for _ in range(rng.randrange(1, 4))]
            return Loop(trips, name, body)
        body = [self.draw_step(environments, variables, depth + 1) for _ in range(rng.randrange(1, 3))]
        loaded = rng.choice([b for b in self.l2 + [self.input] if not b.layout]) if rng.random() < 0.4 else None
        return If(rng.choice(self.ids), rng.randrange(2, 4), body, loaded)

    def draw_out(self, environments, variables):
        """A transfer into the workgroup's own row of the output."""
        rng = self.rng
        src = rng.choice(self.l2)
        n = rng.randrange(1, min(self.part, src.numel) + 1)
        if rng.random() < 0.4:
            n = min(self.part, src.numel)
        base = (Linear(0, [(self.part, "w")]), self.part)
        to = draw_side(rng, self.output, n, environments, [], base=base, distinct=True, forms=["strided"])
        return Dma(to, draw_side(rng, src, n, environments, list(variables)))

    def expected(self):
        """The checksum of the output by the model."""
        a, b, m, c = self.fill
        source = [store_value(self.elem, (i * a + b) % m - c) for i in range(self.input.numel)]
        out = [1] * self.output.numel
        for env in self.environments():
            memory = {"in": list(source), "out": out}
            for buffer in self.l2:
                memory[buffer.name] = [None] * buffer.numel
            for step in self.steps:
                step.run(memory, env)
            out = memory["out"]
        self.result = out
        total = 0
        for v in out:
            total = (total * 1000003 + v) & MASK
        return total

    def text(self):
        e = Emitter(random.Random(self.seed + 1))
        rng = e.rng
        tin, tout, elem = self.input.type, self.output.type, self.elem
        e.line(f"// Seed {self.seed}.")
        e.open("module {")
        e.line("llvm.func @printf(!llvm.ptr, ...) -> i32")
        e.line('llvm.mlir.global internal constant @format("checksum %lu\\0A\\00") {addr_space = 0 : i32}')
        e.line('llvm.mlir.global internal constant @element("%ld\\0A\\00") {addr_space = 0 : i32}')
        launched = len(self.grid) - self.unroll
        sizes = [f"%n{i}" for i in range(launched)]
        self.input.dynamic = self.dynamic_input
        tview, static = self.input.type, tin
        self.input.dynamic = False
        e.open(f"func.func @test(%in: {tin}, %out: {tout}, %one: index) {{")
        for s, n in zip(sizes, self.grid):
            e.line(f"{s}_static = arith.constant {n} : index")
            if self.dynamic_grid:
                e.line(f"{s} = arith.muli {s}_static, %one : index")
        if self.dynamic_input:
            e.line(f"%flexible = memref.cast %in : {tin} to {tview}")
        source = "%flexible" if self.dynamic_input else "%in"
        self.input.dynamic = self.dynamic_input
        tin = tview
        given = [s if self.dynamic_grid else f"{s}_static" for s in sizes]
        ids = [f"%{i}" for i in self.ids[:launched]]
        counts = [f"%count{i}" for i in range(len(ids))]
        spaces = ", ".join(f"{c} = {g}" for c, g in zip(counts, given))
        head = "air.launch async" if self.use_tokens else "air.launch"
        result = "%launched = " if self.use_tokens else ""
        e.open(
            f"{result}{head} ({', '.join(ids)}) in ({spaces}) args(%lin = {source}, %lout = %out, %lone = %one)"
            f" : {tin}, {tout}, index {{"
        )
        names = {"in": "%lin", "out": "%lout", "one": "%lone"}
        for i, name in zip(ids, self.ids):
            names[name] = i
        if self.segment:
            wanted = [("in", tin), ("out", tout), ("one", "index")] + [(i, "index") for i in self.ids[:launched]]
            rng.shuffle(wanted)
            inner = {k: f"%s_{k}" for k, _ in wanted}
            pairs = ", ".join(f"{inner[k]} = {names[k]}" for k, _ in wanted)
            head = "air.segment @segment" + (" async" if self.use_tokens else "")
            if self.unroll:
                spaces = []
                for i, n in list(zip(self.ids, self.grid))[launched:]:
                    inner[i] = f"%u_{i}"
                    spaces.append(f"%n_{i} = {e.const(n)}")
                head += f" unroll ({', '.join(inner[i] for i in self.ids[launched:])}) in ({', '.join(spaces)})"
            result = "%segmented = " if self.use_tokens else ""
            e.open(f"{result}{head} args({pairs}) : {', '.join(t for _, t in wanted)} {{")
            names = inner
        # The number of the workgroup, row-major in the grid.
        w = names[self.ids[0]]
        for i, n in list(zip(self.ids, self.grid))[1:]:
            w = e.op(f"arith.addi {e.op(f'arith.muli {w}, {e.const(n)} : index')}, {names[i]} : index")
        names["w"] = w
        for b in self.l2:
            names[b.name] = e.op(f"memref.alloc() : {b.type}", "l2_")
        ctx = Context(self.use_tokens)
        for step in self.steps:
            step.emit(e, names, ctx)
        if ctx.last:
            e.line(f"air.wait_all [{ctx.last}]")
        if rng.random() < 0.5:
            for b in self.l2:
                e.line(f"memref.dealloc {names[b.name]} : {b.type}")
        if self.segment:
            e.close()
        e.close()
        if self.use_tokens:
            e.line("air.wait_all [%launched]")
        e.line("return")
        e.close()
        self.input.dynamic = False
        self.emit_main(e)
        e.lines += e.functions
        e.close()
        return "\n".join(e.lines) + "\n"

    def emit_main(self, e):
        tin, tout, elem = self.input.type, self.output.type, self.elem
        a, b, m, c = self.fill
        e.open("func.func @main(%argc: i32, %argv: !llvm.ptr) -> i32 {")
        zero, one = e.const(0), e.const(1)
        e.line(f"%in = memref.alloc() : {tin}")
        e.line(f"%out = memref.alloc() : {tout}")
        e.open(f"scf.for %i = {zero} to {e.const(self.input.numel)} step {one} {{")
        v = e.op(f"arith.muli %i, {e.const(a)} : index")
        v = e.op(f"arith.addi {v}, {e.const(b)} : index")
        v = e.op(f"arith.remui {v}, {e.const(m)} : index")
        v = e.op(f"arith.subi {v}, {e.const(c)} : index")
        v = index_to(e, v, elem)
        e.line(f"memref.store {v}, %in[{at(e, self.input, None, '%i')}] : {tin}")
        e.close()
        e.open(f"scf.for %i = {zero} to {e.const(self.output.numel)} step {one} {{")
        e.line(f"memref.store {e.const(1, elem)}, %out[{at(e, self.output, None, '%i')}] : {tout}")
        e.close()
        e.line(f"%din = gpu.alloc () : {tin}")
        e.line(f"%dout = gpu.alloc () : {tout}")
        e.line(f"gpu.memcpy %din, %in : {tin}, {tin}")
        e.line(f"gpu.memcpy %dout, %out : {tout}, {tout}")
        # One, as far as nobody knows before it runs.
        args = e.op("arith.index_cast %argc : i32 to index")
        unknown = e.op(f"arith.minui {args}, {one} : index")
        e.line(f"call @test(%din, %dout, {unknown}) : ({tin}, {tout}, index) -> ()")
        e.line(f"gpu.memcpy %out, %dout : {tout}, {tout}")
        e.line(f"gpu.dealloc %din : {tin}")
        e.line(f"gpu.dealloc %dout : {tout}")
        start = e.const(0, "i64")
        factor = e.const(1000003, "i64")
        e.line("%two = arith.constant 2 : i32")
        e.line("%dump = arith.cmpi sge, %argc, %two : i32")
        e.open(
            f"%sum = scf.for %i = {zero} to {e.const(self.output.numel)} step {one} iter_args(%acc = {start})"
            f" -> (i64) {{"
        )
        v = e.op(f"memref.load %out[{at(e, self.output, None, '%i')}] : {tout}")
        if elem not in INT_BITS:
            v = e.op(f"arith.fptosi {v} : {elem} to i64")
        elif elem != "i64":
            v = e.op(f"arith.extsi {v} : {elem} to i64")
        scaled = e.op(f"arith.muli %acc, {factor} : i64")
        e.open("scf.if %dump {")
        e.line("%p = llvm.mlir.addressof @element : !llvm.ptr")
        e.line(f"llvm.call @printf(%p, {v}) vararg(!llvm.func<i32 (ptr, ...)>) : (!llvm.ptr, i64) -> i32")
        e.close()
        e.line(f"scf.yield {e.op(f'arith.addi {scaled}, {v} : i64')} : i64")
        e.close()
        e.line(f"memref.dealloc %in : {tin}")
        e.line(f"memref.dealloc %out : {tout}")
        e.line("%text = llvm.mlir.addressof @format : !llvm.ptr")
        e.line("llvm.call @printf(%text, %sum) vararg(!llvm.func<i32 (ptr, ...)>) : (!llvm.ptr, i64) -> i32")
        e.line(f"%status = arith.constant 0 : i32")
        e.line("return %status : i32")
        e.close()


def draw_program(seed, targets):
    """The program of a seed: the first of its draws that is valid."""
    lanes = 32 if all(target.startswith("gfx") for target in targets) else 16
    for attempt in range(1000):
        try:
            p = Program(seed * 1000 + attempt, lanes)
            return p, p.expected()
        except (Rejected, OutOfRange):
            continue
    raise SystemExit(f"no program from seed {seed}")


def check(seed, args, folder):
    """Compiles and runs one program for every target; None or what went wrong."""
    program, expected = draw_program(seed, args.target)
    path = os.path.join(folder, f"random{seed}.mlir")
    with open(path, "w") as f:
        f.write(program.text())
    for target in args.target:
        exe = os.path.join(folder, f"random{seed}.{target}")
        commands = [([args.aircc, path, "--target", target, "-o", exe], "compiling", 0)]
        commands += [([exe], "running", order) for order in range(1, args.orders + 1)]
        for command, what, order in commands:
            environment = dict(os.environ, AIRCC_SIM_SEED=str(order))
            try:
                done = subprocess.run(command, capture_output=True, text=True, timeout=120, env=environment)
            except subprocess.TimeoutExpired:
                return f"{what} for {target} does not end"
            if done.returncode:
                return f"{what} for {target} ends with {done.returncode}: {done.stderr.strip()[:2000]}"
            got = done.stdout.strip()
            if order and got != f"checksum {expected}":
                return f"on {target}, AIRCC_SIM_SEED={order}: {got}, expected {expected}; " + first_difference(
                    exe, program.result, environment
                )
        os.remove(exe)
    if not args.work:
        os.remove(path)
    return None


def first_difference(exe, expected, environment):
    done = subprocess.run([exe, "dump"], capture_output=True, text=True, timeout=120, env=environment)
    for i, (got, want) in enumerate(zip(done.stdout.split("\n"), expected)):
        if got != str(want):
            return f"element {i} is {got}, expected {want}"
    return "the elements are the same in the second run"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--aircc", help="the binary to test; without it the program is printed")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=1)
    parser.add_argument("--target", action="append")
    parser.add_argument("--orders", type=int, default=2, help="how many orders of waves to run each program under")
    parser.add_argument("--work", help="where the programs go, and stay")
    args = parser.parse_args()
    args.target = args.target or ["gfx942"]
    if not args.aircc:
        program, expected = draw_program(args.seed, args.target)
        sys.stdout.write(program.text() + f"// checksum {expected}\n")
        return 0
    print(f"seeds {args.seed} to {args.seed + args.count - 1}", flush=True)
    folder = args.work or tempfile.mkdtemp(prefix="aircc-random-")
    os.makedirs(folder, exist_ok=True)
    failed = 0
    for seed in range(args.seed, args.seed + args.count):
        problem = check(seed, args, folder)
        if problem:
            failed += 1
            print(f"seed {seed}: {problem}\n  the program: {folder}/random{seed}.mlir", flush=True)
    if not failed and not args.work:
        os.rmdir(folder)
    print(f"{args.count - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
