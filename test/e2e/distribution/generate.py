#!/usr/bin/env python3
"""Random programs on whole vectors, in random layouts, against the host.

    generate.py --aircc BINARY [--seed N] [--count N] [--target NAME]... [--propagate] [--batch N] [--progress]
                [--work DIR]

A program is a list of ops on vectors. It is written twice: as a kernel in which
every value has a random layout, and which is distributed over the lanes of a
workgroup, and as a function of the host that knows of no layouts. Both run on
the same memory and must leave the same. Numbers are small integers, also those
of float types, so that sums are exact in any order.

Program number k of a run has the seed `seed + k`; many are compiled together, and
for all targets of one wave size at once: most of the time goes into the host's part.
With --propagate, only some of the moves between layouts are written, as anchors,
and no layouts of values: aircc finds those.

One that fails is made again with `--seed THAT --count 1`, and stays to be looked
at if --work says where.
"""

import argparse
import math
import os
import random
import re
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True  # Not into the sources.
from values import EXACT, INT_BITS, Dim, Layout, Retry, Value, is_float, memref, vector
from xe_ops import XeOps

WAVE = {"gfx1100": 32, "gfx1201": 32, "pvc": 16, "bmg": 16, "lnl": 16, "ptl": 16}


class Program:
    """Draws one program."""

    def __init__(self, seed, wave):
        self.seed, self.wave = seed, wave
        self.r = random.Random(seed)
        self.waves = self.r.choice([1, 1, 2, 2, 4])
        self.scope = "wave" if self.waves == 1 and self.r.random() < 0.5 else "workgroup"
        # Waves that work by themselves all do the same.
        self.block_waves = self.waves if self.scope == "workgroup" else self.r.choice([1, 3, 4])
        threads = self.block_waves * wave
        x = self.r.choice([threads, threads, 16, wave])
        y = self.r.choice([threads // x, 1])
        self.block = (x, y, threads // x // y)
        self.lines = []  # (text, attributes, layouts); see emit
        self.alias = {}
        self.values, self.buffers = [], []
        self.shared = []  # (name, bytes) of workgroup memory
        self.count = 0
        self.depth = 0
        self.capacity = 64 if self.r.random() < 0.5 else 256

    # --- Layouts -------------------------------------------------------------

    def split(self, n):
        """A random divisor of n."""
        return self.r.choice([d for d in range(1, n + 1) if n % d == 0])

    def layout(self, shape, keep=None):
        """A random layout of the shape. `keep`: dimensions that are given."""
        r = self.r
        for _ in range(50):
            dims = []
            lanes, waves = self.wave, self.waves
            for i, n in enumerate(shape):
                sg = self.split(n)
                while sg > waves or r.random() < 0.3 and sg > 1:
                    sg = self.split(n)
                n //= sg
                t = self.split(n)
                while t > lanes:
                    t = self.split(n)
                n //= t
                e = self.split(n)
                n //= e
                o = self.split(n)
                waves //= sg
                lanes //= t
                dims.append(Dim(sg, n // o, o, t, e))
            for attr, stride, limit in (("t", "ts", self.wave), ("sg", "ss", self.waves)):
                order = [i for i in range(len(dims)) if getattr(dims[i], attr) > 1]
                r.shuffle(order)
                at = 1
                for i in order:
                    if r.random() < 0.2:
                        at *= 2
                    setattr(dims[i], stride, at)
                    at *= getattr(dims[i], attr)
                if at > limit:
                    break
            else:
                result = Layout(dims)
                if math.prod(d.b * d.o * d.e for d in dims) <= self.capacity:
                    return result
        # Everything in one lane.
        return Layout([Dim(e=n) for n in shape])

    def shape(self, rank=None):
        r = self.r
        rank = rank or r.choice([1, 1, 2, 2, 2, 3])
        while True:
            sizes = [r.choice([1, 2, 3, 4, 6, 8, 12, 16, 32, 64, 128]) for _ in range(rank)]
            if 2 <= math.prod(sizes) <= 512:
                return sizes

    # --- Text ----------------------------------------------------------------

    def fresh(self):
        self.count += 1
        return f"%v{self.count}"

    def emit(self, text, layouts=(), attrs="", host=True):
        """Adds a line. `{A}` in `text` is replaced by the attributes. `host` selects the functions that get the line:

        True: all; False: the kernel; "only": the host's function; "given": the kernel if its layouts are given;
        "else": all but a kernel with given layouts."""
        self.lines.append(("  " * (self.depth + 1) + text, list(layouts), attrs, host))

    def define(self, text, elem, layout, bound, attrs=""):
        name = self.fresh()
        self.emit(f"{name} = {text}", [layout] if layout else [None], attrs)
        value = Value(name, elem, layout, bound)
        self.values.append(value)
        return value

    def constant(self, elem, value):
        name = self.fresh()
        text = f"{float(value)}" if is_float(elem) else ("true" if value else "false") if elem == "i1" else str(value)
        self.emit(f"{name} = arith.constant {text}" + ("" if elem == "i1" else f" : {elem}"))
        return name

    def buffer(self, shape, elem, out=False, modulus=7):
        name = f"%m{len(self.buffers)}"
        self.buffers.append((name, shape, elem, out, modulus))
        return name

    def moved(self, value, layout):
        """The value in another layout."""
        if value.layout.text() == layout.text():
            return value
        name = self.fresh()
        lds = " {{shared_memory_conversion}}" if self.r.random() < 0.1 else ""
        attr = "{shared_memory_conversion, " if lds else "{"
        self.emit(
            (
                f"{name} = layout.to_layout {value.name} to layout({{L0}}) {attr}layout.results = [{{L0}}]}}"
                f" : {value.type}"
            ),
            [layout],
            "",
            host=False,
        )
        self.alias[name] = value.name
        moved = Value(name, value.elem, layout, value.bound)
        self.values.append(moved)
        return moved

    # --- Reads ---------------------------------------------------------------

    def mask(self, layout):
        r = self.r
        shape = layout.shape
        if not shape:
            raise Retry
        kind = r.random()
        if kind < 0.4:
            sizes = [r.randint(1, n) for n in shape]
            return self.define(
                f"vector.constant_mask [{', '.join(map(str, sizes))}] {{A}} : {vector(shape, 'i1')}", "i1", layout, 1
            )
        if kind < 0.8:
            sizes = [self.constant("index", r.randint(-1, n + 1)) if r.random() < 0.5 else "%n" for n in shape]
            return self.define(f"vector.create_mask {', '.join(sizes)} {{A}} : {vector(shape, 'i1')}", "i1", layout, 1)
        return self.dense("i1", layout)

    def dense(self, elem, layout, low=-4, high=4):
        r = self.r

        def number():
            v = r.randint(low, high)
            if elem == "i1":
                return r.choice(["true", "false"])
            return f"{float(v)}" if is_float(elem) else str(v)

        def nest(shape):
            if not shape:
                return number()
            return "[" + ", ".join(nest(shape[1:]) for _ in range(shape[0])) + "]"

        text = nest(layout.shape) if r.random() < 0.8 else number()
        return self.define(
            f"arith.constant {{A}} dense<{text}> : {vector(layout.shape, elem)}", elem, layout, max(abs(low), abs(high))
        )

    def access(self, layout, elem, out, masked, modulus=7):
        """A buffer, indices, a map and bounds for a vector of this layout."""
        r = self.r
        shape = layout.shape
        rank = len(shape)
        # Which dimensions of the vector are dimensions of memory, in which order.
        order = list(range(rank))
        if not out and r.random() < 0.25:
            order = [i for i in order if r.random() < 0.7]
        if r.random() < 0.35:
            r.shuffle(order)
        slots = order[:]
        for _ in range(r.choice([0, 0, 1])):
            # The host's lowering of masked writes takes no others.
            slots.insert(0 if masked else r.randint(0, len(slots)), None)
        if not slots:
            slots = [None]
        sizes, indices, bounds = [], [], [True] * rank
        for slot in slots:
            if slot is None:
                n = r.randint(1, 3)
                sizes.append(n)
                indices.append(self.constant("index", r.randrange(n)))
                continue
            n = shape[slot]
            if r.random() < 0.3:
                bounds[slot] = False
                start = r.randint(0, n)
                sizes.append(max(1, start + n - r.randint(-2, n)))
                start = min(start, sizes[-1])
            else:
                start = r.choice([0, 0, r.randint(0, 3)])
                sizes.append(start + n + r.choice([0, 0, r.randint(0, 3)]))
            indices.append(self.constant("index", start))
        ins = ", ".join(f"d{i}" for i in range(len(slots)))
        outs = ", ".join(f"d{slots.index(i)}" if i in slots else "0" for i in range(rank))
        m = f"affine_map<({ins}) -> ({outs})>"
        name = self.buffer(sizes, elem, out, modulus)
        flags = "[" + ", ".join("true" if x else "false" for x in bounds) + "]"
        attrs = f"in_bounds = {flags}, permutation_map = {m}"
        mask_dims = [layout.dims[i] for i in slots if i is not None]
        return name, sizes, indices, attrs, mask_dims

    def read(self, elem=None, layout=None):
        r = self.r
        elem = elem or r.choice(["i8", "i16", "i32", "i64", "f16", "bf16", "f32", "f64", "index"])
        layout = layout or self.layout(self.shape())
        masked = r.random() < 0.25
        name, sizes, indices, attrs, mask_dims = self.access(layout, elem, False, masked)
        pad = self.constant(elem, r.randint(0, 3))
        mask = ""
        if masked and mask_dims:
            mask = ", " + self.mask(Layout(mask_dims)).name
        return self.define(
            (
                f"vector.transfer_read {name}[{', '.join(indices)}], {pad}{mask} {{A}}"
                f" : {memref(sizes, elem)}, {vector(layout.shape, elem)}"
            ),
            elem,
            layout,
            4,
            attrs,
        )

    def write(self, value):
        r = self.r
        if r.random() < 0.5:
            value = self.moved(value, self.layout(value.shape))
        elem = value.elem
        if elem == "i1":
            value = self.define(
                f"arith.extui {value.name} {{A}} : {value.type} to {vector(value.shape, 'i32')}", "i32", value.layout, 1
            )
            elem = "i32"
        masked = r.random() < 0.2
        name, sizes, indices, attrs, mask_dims = self.access(value.layout, elem, True, masked)
        mask = ""
        if masked and mask_dims:
            mask = ", " + self.mask(Layout(mask_dims)).name
        self.emit(
            (
                f"vector.transfer_write {value.name}, {name}[{', '.join(indices)}]{mask} {{A}}"
                f" : {value.type}, {memref(sizes, elem)}"
            ),
            [],
            attrs,
        )

    def write_scalar(self, value):
        name = self.buffer([1], value.elem, True)
        layout = self.layout([1])
        v = self.define(
            f"vector.broadcast {value.name} {{A}} : {value.elem} to {vector([1], value.elem)}",
            value.elem,
            layout,
            value.bound,
        )
        zero = self.constant("index", 0)
        self.emit(
            f"vector.transfer_write {v.name}, {name}[{zero}] {{A}} : {v.type}, {memref([1], value.elem)}",
            [],
            "in_bounds = [true]",
        )

    # --- Ops -----------------------------------------------------------------

    def pick(self, test=lambda v: True):
        found = [v for v in self.values if v.layout and test(v)]
        if not found:
            raise Retry
        return self.r.choice(found)

    def like(self, value):
        """Another value of the type, in the layout."""
        found = [v for v in self.values if v.layout and v.type == value.type and v is not value]
        if found and self.r.random() < 0.7:
            return self.moved(self.r.choice(found), value.layout)
        if self.r.random() < 0.5 and value.elem != "i1":
            return self.read(value.elem, value.layout)
        return self.dense(value.elem, value.layout)

    def check(self, elem, bound):
        if is_float(elem) and bound > EXACT[elem]:
            raise Retry
        return bound

    def op_elementwise(self):
        r = self.r
        a = self.pick()
        if a.elem == "i1":
            b = self.like(a)
            return self.define(
                f"arith.{r.choice(['andi', 'ori', 'xori'])} {a.name}, {b.name} {{A}} : {a.type}", "i1", a.layout, 1
            )
        kind = r.random()
        if kind < 0.15:
            b = self.like(a)
            text = (
                f"arith.cmpf {r.choice(['olt', 'ogt', 'une'])}"
                if is_float(a.elem)
                else f"arith.cmpi {r.choice(['slt', 'ne', 'uge'])}"
            )
            return self.define(f"{text}, {a.name}, {b.name} {{A}} : {a.type}", "i1", a.layout, 1)
        if kind < 0.3:
            b = self.like(a)
            c = self.mask(a.layout)
            return self.define(
                f"arith.select {c.name}, {a.name}, {b.name} {{A}} : {c.type}, {a.type}",
                a.elem,
                a.layout,
                max(a.bound, b.bound),
            )
        if kind < 0.45:
            return self.cast(a)
        if kind < 0.55:
            if is_float(a.elem):
                return self.define(f"math.absf {a.name} {{A}} : {a.type}", a.elem, a.layout, a.bound)
            if a.elem != "index":
                return self.define(f"math.absi {a.name} {{A}} : {a.type}", a.elem, a.layout, a.bound)
        b = self.like(a)
        if is_float(a.elem):
            op = r.choice(["addf", "subf", "mulf", "maximumf", "minnumf"])
            bound = {"mulf": a.bound * b.bound, "addf": a.bound + b.bound, "subf": a.bound + b.bound}.get(
                op, max(a.bound, b.bound)
            )
            self.check(a.elem, bound)
        else:
            op, bound = r.choice(["addi", "subi", "muli", "andi", "xori", "maxsi", "minui"]), 0
        return self.define(f"arith.{op} {a.name}, {b.name} {{A}} : {a.type}", a.elem, a.layout, bound)

    def cast(self, a):
        r = self.r
        if is_float(a.elem):
            to = r.choice([e for e in EXACT if e != a.elem] + ["i32"])
            if to == "i32":
                self.check("f32", a.bound)
                return self.define(f"arith.fptosi {a.name} {{A}} : {a.type} to {vector(a.shape, to)}", to, a.layout, 0)
            bits = {"f16": 16, "bf16": 16, "f32": 32, "f64": 64}
            if bits[to] == bits[a.elem]:
                raise Retry
            self.check(to, a.bound)
            op = "extf" if bits[to] > bits[a.elem] else "truncf"
            return self.define(f"arith.{op} {a.name} {{A}} : {a.type} to {vector(a.shape, to)}", to, a.layout, a.bound)
        if a.elem == "index":
            return self.define(
                f"arith.index_cast {a.name} {{A}} : {a.type} to {vector(a.shape, 'i32')}", "i32", a.layout, 0
            )
        to = r.choice([e for e in ("i8", "i16", "i32", "i64") if e != a.elem])
        op = "trunci" if INT_BITS[to] < INT_BITS[a.elem] else r.choice(["extsi", "extui"])
        return self.define(f"arith.{op} {a.name} {{A}} : {a.type} to {vector(a.shape, to)}", to, a.layout, 0)

    def op_move(self):
        a = self.pick()
        return self.moved(a, self.layout(a.shape))

    def op_broadcast(self):
        r = self.r
        if r.random() < 0.3:
            elem = r.choice(["i32", "f32", "i8", "f64"])
            c = self.constant(elem, r.randint(0, 4))
            layout = self.layout(self.shape())
            return self.define(f"vector.broadcast {c} {{A}} : {elem} to {vector(layout.shape, elem)}", elem, layout, 4)
        a = self.pick(lambda v: len(v.shape) < 3 and math.prod(v.shape) <= 128)
        lead = [r.choice([1, 2, 3, 4])] if r.random() < 0.7 else []
        shape = lead + [r.choice([2, 4]) if n == 1 and r.random() < 0.6 else n for n in a.shape]
        if r.random() < 0.6:
            dims = [Dim(e=n) for n in lead] + [
                d if d.size == n else Dim(e=n) for d, n in zip(a.layout.dims, shape[len(lead) :])
            ]
            layout = Layout(dims)
        else:
            layout = self.layout(shape)
        return self.define(
            f"vector.broadcast {a.name} {{A}} : {a.type} to {vector(shape, a.elem)}", a.elem, layout, a.bound
        )

    def op_transpose(self):
        r = self.r
        a = self.pick(lambda v: len(v.shape) > 1)
        p = list(range(len(a.shape)))
        r.shuffle(p)
        layout = Layout([a.layout.dims[i] for i in p])
        if r.random() < 0.4:
            layout = self.layout(layout.shape)
        return self.define(
            f"vector.transpose {a.name}, {p} {{A}} : {a.type} to {vector(layout.shape, a.elem)}",
            a.elem,
            layout,
            a.bound,
        )

    def op_shape_cast(self):
        r = self.r
        a = self.pick()
        n = math.prod(a.shape)
        shape = []
        for _ in range(r.choice([0, 1, 2])):
            d = self.split(n)
            shape.append(d)
            n //= d
        shape.append(n)
        return self.define(
            f"vector.shape_cast {a.name} {{A}} : {a.type} to {vector(shape, a.elem)}",
            a.elem,
            self.layout(shape),
            a.bound,
        )

    def op_extract(self):
        r = self.r
        a = self.pick()
        k = r.randint(1, len(a.shape))
        at = [str(r.randrange(n)) for n in a.shape[:k]]
        if r.random() < 0.3:
            i = r.randrange(k)
            at[i] = self.constant("index", int(at[i]))
        rest = a.layout.dims[k:]
        layout = None
        if rest:
            layout = Layout(rest) if r.random() < 0.6 else self.layout([d.size for d in rest])
        type = vector(layout.shape, a.elem) if layout else a.elem
        v = self.define(
            f"vector.extract {a.name}[{', '.join(at)}] {{A}} : {type} from {a.type}", a.elem, layout, a.bound
        )
        if not layout and a.elem != "i1":
            self.write_scalar(v)
        return v

    def op_insert(self):
        r = self.r
        a = self.pick()
        k = r.randint(1, len(a.shape))
        at = [str(r.randrange(n)) for n in a.shape[:k]]
        if r.random() < 0.3:
            i = r.randrange(k)
            at[i] = self.constant("index", int(at[i]))
        rest = a.layout.dims[k:]
        if rest:
            piece = self.dense(a.elem, Layout(rest))
            name, type, bound = piece.name, piece.type, piece.bound
        else:
            name, type, bound = self.constant(a.elem, 1), a.elem, 1
        return self.define(
            f"vector.insert {name}, {a.name}[{', '.join(at)}] {{A}} : {type} into {a.type}",
            a.elem,
            a.layout,
            max(a.bound, bound),
        )

    def op_extract_slice(self):
        r = self.r
        a = self.pick()
        offsets = [r.randrange(n) for n in a.shape]
        sizes = [r.randint(1, n - o) for n, o in zip(a.shape, offsets)]
        return self.define(
            f"vector.extract_strided_slice {a.name} {{A}} : {a.type} to {vector(sizes, a.elem)}",
            a.elem,
            self.layout(sizes),
            a.bound,
            f"offsets = {offsets}, sizes = {sizes}, strides = {[1] * len(sizes)}",
        )

    def op_insert_slice(self):
        r = self.r
        a = self.pick()
        offsets = [r.randrange(n) for n in a.shape]
        sizes = [r.randint(1, n - o) for n, o in zip(a.shape, offsets)]
        while len(sizes) > 1 and r.random() < 0.3:
            sizes.pop(0)
        piece = self.dense(a.elem, self.layout(sizes))
        return self.define(
            f"vector.insert_strided_slice {piece.name}, {a.name} {{A}} : {piece.type} into {a.type}",
            a.elem,
            a.layout,
            max(a.bound, piece.bound),
            f"offsets = {offsets}, strides = {[1] * len(sizes)}",
        )

    def kind(self, elem, bound, n):
        """A combining kind whose result is exact, and its bound."""
        if is_float(elem):
            kinds = [("maximumf", bound), ("minnumf", bound)]
            if bound * n <= EXACT[elem]:
                kinds += [("add", bound * n)] * 2
            return self.r.choice(kinds)
        return self.r.choice(["add", "mul", "xor", "and", "or", "maxsi", "minui"]), 0

    def op_reduction(self):
        r = self.r
        a = self.pick(lambda v: v.elem != "i1")
        dims = [i for i in range(len(a.shape)) if r.random() < 0.5] or [r.randrange(len(a.shape))]
        n = math.prod(a.shape[i] for i in dims) + 1
        kind, bound = self.kind(a.elem, max(a.bound, 4), n)
        rest = [d for i, d in enumerate(a.layout.dims) if i not in dims]
        if rest:
            acc = self.dense(a.elem, Layout(rest))
            acc_name, type, layout = acc.name, acc.type, acc.layout
        else:
            acc_name, type, layout = self.constant(a.elem, 2), a.elem, None
        if r.random() < 0.3:
            mask = self.mask(a.layout)
            v = self.define(
                (
                    f"vector.mask {mask.name} {{{{ vector.multi_reduction <{kind}>, {a.name}, {acc_name} {dims}"
                    f" : {a.type} to {type} }}}} {{A}} : {mask.type} -> {type}"
                ),
                a.elem,
                layout,
                bound,
            )
        else:
            v = self.define(
                f"vector.multi_reduction <{kind}>, {a.name}, {acc_name} {{A}} {dims} : {a.type} to {type}",
                a.elem,
                layout,
                bound,
            )
        if not layout:
            self.write_scalar(v)
        return v

    def op_scan(self):
        r = self.r
        a = self.pick(lambda v: v.elem not in ("i1", "index") and math.prod(v.shape) <= 256 and len(v.shape) > 1)
        dim = r.randrange(len(a.shape))
        kind, bound = self.kind(a.elem, max(a.bound, 4), a.shape[dim] + 1)
        if kind in ("minnumf", "maximumf"):
            raise Retry
        init = self.dense(a.elem, Layout(d for i, d in enumerate(a.layout.dims) if i != dim))
        name, second = self.fresh(), self.fresh()
        inclusive = r.choice(["true", "false"])
        self.emit(
            f"{name}, {second} = vector.scan <{kind}>, {a.name}, {init.name} {{A}} : {a.type}, {init.type}",
            [a.layout, init.layout],
            f"inclusive = {inclusive}, reduction_dim = {dim} : i64",
        )
        # The op has one name for both results.
        text, layouts, attrs, host = self.lines.pop()
        text = text.replace(f"{name}, {second} =", f"{name}:2 =")
        self.lines.append((text, layouts, attrs, host))
        self.values += [Value(f"{name}#0", a.elem, a.layout, bound), Value(f"{name}#1", a.elem, init.layout, bound)]

    def op_step(self):
        n = self.r.choice([4, 12, 16, 64, 128])
        layout = self.layout([n])
        return self.define(f"vector.step {{A}} : {vector([n], 'index')}", "index", layout, 0)

    def op_gather(self):
        r = self.r
        layout = self.layout(self.shape(r.choice([1, 1, 2])))
        elem = r.choice(["i8", "i32", "f16", "f32", "i64"])
        name = self.buffer([3, 40], elem)
        index = self.dense(r.choice(["i32", "index"]), layout, 0, 36)
        mask = self.mask(layout)
        other = self.dense(elem, layout)
        row, column = self.constant("index", r.randrange(3)), self.constant("index", r.randrange(4))
        return self.define(
            (
                f"vector.gather {name}[{row}, {column}] [{index.name}], {mask.name}, {other.name} {{A}}"
                f" : {memref([3, 40], elem)}, {index.type}, {mask.type}, {other.type} into {other.type}"
            ),
            elem,
            layout,
            4,
        )

    def op_scatter(self):
        r = self.r
        a = self.pick(lambda v: len(v.shape) == 1 and v.elem not in ("i1", "index"))
        index = self.dense("i32", a.layout, 0, 36)
        mask = self.mask(a.layout)
        name = self.buffer([40], a.elem, True)
        at = self.constant("index", r.randrange(4))
        self.emit(
            f"vector.scatter {name}[{at}] [{index.name}], {mask.name}, {a.name} {{A}}"
            f" : {memref([40], a.elem)}, {index.type}, {mask.type}, {a.type}"
        )

    def op_contract(self):
        r = self.r
        elem = r.choice(["i8", "i32", "f16", "f32", "f64"])
        batch = r.random() < 0.3
        # The host has no lowering of a batch of products that widen.
        acc_elem = elem if batch else {"i8": "i32", "f16": "f32"}.get(elem, elem)
        sizes = [r.choice([2, 3, 4, 8, 16]) for _ in range(3)]
        if batch:
            sizes.insert(0, r.choice([2, 3]))
        if math.prod(sizes) > 2048:
            raise Retry
        self.capacity, old = 512, self.capacity
        space = self.layout(sizes)  # iteration space: (b,) m, n, k
        self.capacity = old
        n = len(sizes)
        b = [0] if batch else []
        m, nn, k = n - 3, n - 2, n - 1
        maps = [b + [m, k], b + [k, nn], b + [m, nn]]
        for order in maps:
            if r.random() < 0.4:
                r.shuffle(order)
        names, types, layouts = [], [], []
        for i, order in enumerate(maps):
            layout = Layout(space.dims[d] for d in order)
            v = self.read(elem, layout) if i < 2 else self.dense(acc_elem, layout)
            names.append(v.name)
            types.append(v.type)
        ins = ", ".join(f"d{i}" for i in range(n))
        texts = [f"affine_map<({ins}) -> ({', '.join(f'd{i}' for i in order)})>" for order in maps]
        iterators = ", ".join('"parallel"' if i != k else '"reduction"' for i in range(n))
        return self.define(
            f"vector.contract {{A}} {', '.join(names)} : {types[0]}, {types[1]} into {types[2]}",
            acc_elem,
            Layout(space.dims[d] for d in maps[2]),
            sizes[k] * 16 + 4,
            f'indexing_maps = [{", ".join(texts)}], iterator_types = [{iterators}], kind = #vector.kind<add>',
        )

    def op_interleave(self):
        a = self.pick(lambda v: math.prod(v.shape) <= 128)
        b = self.like(a)
        if self.r.random() < 0.5:
            b = self.moved(b, self.layout(b.shape))
        shape = a.shape[:-1] + [a.shape[-1] * 2]
        return self.define(
            f"vector.interleave {a.name}, {b.name} {{A}} : {a.type} -> {vector(shape, a.elem)}",
            a.elem,
            self.layout(shape),
            max(a.bound, b.bound),
        )

    def op_loop(self):
        r = self.r
        if self.depth:
            raise Retry
        a = self.pick()
        carried = [a] + ([self.pick()] if r.random() < 0.5 else [])
        turns = self.constant("index", r.randint(0, 3))
        zero, one = self.constant("index", 0), self.constant("index", 1)
        name = self.fresh()
        args = [Value(self.fresh(), v.elem, v.layout, v.bound) for v in carried]
        inits = ", ".join(f"{arg.name} = {v.name}" for arg, v in zip(args, carried))
        types = ", ".join(v.type for v in carried)
        results = name if len(carried) == 1 else f"{name}:{len(carried)}"
        self.emit(
            f"{results} = scf.for %i{name[2:]} = {zero} to {turns} step {one} iter_args({inits}) -> ({types}) {{{{"
        )
        yielded = self.region(args, keep_bound=True)
        self.emit(f"  scf.yield {', '.join(v.name for v in yielded)} : {types}")
        self.emit("}} {A}", [v.layout for v in carried])
        names = [name] if len(carried) == 1 else [f"{name}#{i}" for i in range(len(carried))]
        self.values += [Value(n, v.elem, v.layout, v.bound) for n, v in zip(names, carried)]

    def op_if(self):
        r = self.r
        if self.depth:
            raise Retry
        a = self.pick()
        name = self.fresh()
        limit = self.constant("index", r.randint(0, 9))
        cond = self.fresh()
        self.emit(f"{cond} = arith.cmpi slt, %n, {limit} : index")
        self.emit(f"{name} = scf.if {cond} -> ({a.type}) {{{{")
        first = self.region([a])[0]
        self.emit(f"  scf.yield {first.name} : {a.type}")
        self.emit("}} else {{")
        second = self.region([a])[0]
        self.emit(f"  scf.yield {second.name} : {a.type}")
        self.emit("}} {A}", [a.layout])
        self.values.append(Value(name, a.elem, a.layout, max(first.bound, second.bound)))

    def region(self, args, keep_bound=False):
        """Some ops in a region, and for each argument a value of its type in its
        layout. A loop's floats must not grow."""
        outside = list(self.values)
        self.values = outside + [arg for arg in args if arg not in outside]
        self.depth += 1
        for _ in range(self.r.randint(0, 2)):
            self.step()
        out = []
        for arg in args:
            found = [
                v
                for v in self.values
                if v.layout
                and v.type == arg.type
                and (not keep_bound or not is_float(arg.elem) or v.bound <= arg.bound)
            ]
            out.append(self.moved(self.r.choice(found), arg.layout))
        self.depth -= 1
        self.values = outside
        return out

    OPS = (
        ["elementwise"] * 5
        + ["move"] * 3
        + [
            "broadcast",
            "transpose",
            "shape_cast",
            "extract",
            "insert",
            "extract_slice",
            "insert_slice",
            "reduction",
            "reduction",
            "scan",
            "step",
            "gather",
            "scatter",
            "contract",
            "contract",
            "interleave",
            "loop",
            "loop",
            "if",
        ]
    )

    def step(self):
        for _ in range(20):
            name = self.r.choice(self.OPS)
            state = (list(self.lines), list(self.values), list(self.buffers), self.depth)
            shared = list(self.shared)
            try:
                getattr(self, "op_" + name)()
                return
            except Retry:
                self.lines, self.values, self.buffers, self.depth = state
                self.shared = shared

    def draw(self):
        for _ in range(self.r.randint(1, 2)):
            self.read()
        for _ in range(self.r.randint(2, 7)):
            self.step()
        # The last values, and some of the others, are seen.
        whole = [v for v in self.values if v.layout]
        for v in whole[-2:] + self.r.sample(whole, min(len(whole), 1)):
            self.write(v)
        return self

    # --- The two forms -------------------------------------------------------

    def body(self, host, layouts, propagate=False):
        out = []
        # What is to be found again: some of the moves are not even written.
        moves = random.Random(self.seed)
        kept = {name for name in self.alias if propagate and moves.random() < 0.5}
        for text, own, attrs, on_host in self.lines:
            left_out = {False: host, "only": not host, "given": host or propagate, "else": not host and not propagate}
            if left_out.get(on_host, False):
                continue
            if "{L0}" in text:
                if propagate and text.split()[0] not in kept:
                    continue
                if propagate:
                    text = re.sub(r"(, )?layout.results = \[\{L0\}\]", "", text)
                    text = self.rename(text, kept)
                text = text.replace("{L0}", alias(layouts, own[0]))
                out.append(text)
                continue
            if propagate:  # Which instruction computes it is found as well.
                attrs = re.sub(r'(, )?layout\.matrix_instruction = "[^"]*"', "", attrs or "")
            all_attrs = [attrs] if attrs else []
            if not host and not propagate and any(own):
                all_attrs.append(
                    "layout.results = [" + ", ".join(alias(layouts, l) if l else "unit" for l in own) + "]"
                )
            dictionary = "{" + ", ".join(all_attrs) + "}" if all_attrs else ""
            text = text.replace("{A}", dictionary).replace("{{", "{").replace("}}", "}")
            if host or propagate:
                text = self.rename(text, kept)
            out.append(text)
        return out

    def rename(self, text, kept):
        """With the names of what moves only moved, but for those in `kept`."""

        def resolve(m):
            name = m.group(0)
            while name in self.alias and name not in kept:
                name = self.alias[name]
            return name

        return re.sub(r"%v\d+(#\d)?", resolve, text)


class XeProgram(XeOps, Program):
    """With ops of XeGPU."""

    OPS = Program.OPS + XeOps.OPS


def draw(seed, target):
    wave = WAVE.get(target, 64)
    return (XeProgram if wave == 16 else Program)(seed, wave).draw()


def alias(layouts, layout):
    return layouts.setdefault(layout.text(), f"#l{len(layouts)}")


def fill_function(elem):
    """Fills a flat buffer with -m/2 … m/2."""
    lines = [
        f"func.func private @fill_{elem}(%m: memref<?x{elem}>, %count: index, %modulus: i64, %seed: i64) {{",
        "  %c0 = arith.constant 0 : index",
        "  %c1 = arith.constant 1 : index",
        "  %two = arith.constant 2 : i64",
        "  %half = arith.divsi %modulus, %two : i64",
        "  %a = arith.constant 2654435761 : i64",
        "  %b = arith.constant 16 : i64",
        "  scf.for %i = %c0 to %count step %c1 {",
        "    %x = arith.index_cast %i : index to i64",
        "    %xs = arith.addi %x, %seed : i64",
        "    %y = arith.muli %xs, %a : i64",
        "    %z = arith.shrui %y, %b : i64",
        "    %r = arith.remui %z, %modulus : i64",
        "    %v = arith.subi %r, %half : i64",
    ]
    if is_float(elem):
        lines.append(f"    %e = arith.sitofp %v : i64 to {elem}")
    elif elem == "index":
        lines.append("    %e = arith.index_cast %v : i64 to index")
    elif elem == "i64":
        lines.append("    %e = arith.addi %v, %x : i64")
    else:
        lines.append(f"    %e = arith.trunci %v : i64 to {elem}")
    return lines + [f"    memref.store %e, %m[%i] : memref<?x{elem}>", "  }", "  return", "}"]


def compare_function(elem):
    """Counts the elements that differ."""
    compare = "arith.cmpf une" if is_float(elem) else "arith.cmpi ne"
    return [
        f"func.func private @differ_{elem}(%m: memref<?x{elem}>, %n: memref<?x{elem}>, %count: index) -> i64 {{",
        "  %c0 = arith.constant 0 : index",
        "  %c1 = arith.constant 1 : index",
        "  %zero = arith.constant 0 : i64",
        "  %one = arith.constant 1 : i64",
        "  %sum = scf.for %i = %c0 to %count step %c1 iter_args(%s = %zero) -> (i64) {",
        f"    %x = memref.load %m[%i] : memref<?x{elem}>",
        f"    %y = memref.load %n[%i] : memref<?x{elem}>",
        f"    %d = {compare}, %x, %y : {elem}",
        "    %t = arith.addi %s, %one : i64",
        "    %u = arith.select %d, %t, %s : i64",
        "    scf.yield %u : i64",
        "  }",
        "  return %sum : i64",
        "}",
    ]


def batch_text(programs, propagate):
    layouts, kernels, host, main, elems = {}, [], [], [], set()
    for p in programs:
        types = [memref(shape, elem) for _, shape, elem, _, _ in p.buffers]
        names = [name for name, *_ in p.buffers]
        args = ", ".join([f"{n}: {t}" for n, t in zip(names, types)] + ["%n: index"])
        block = ", ".join(map(str, p.block))
        shared = ", ".join(f"{name} : memref<{size}xi8, 3>" for name, size in p.shared)
        shared = f" workgroup({shared})" if shared else ""
        kernels.append(
            f"gpu.func @kernel{p.seed}({args}){shared} kernel"
            f" attributes {{known_block_size = array<i32: {block}>, layout.scope = #layout.scope<{p.scope}>}} {{"
        )
        kernels += p.body(False, layouts, propagate) + ["  gpu.return", "}"]
        host.append(f"func.func private @host{p.seed}({args}) {{")
        host += p.body(True, layouts) + ["  return", "}"]
        host += [
            f"func.func private @run{p.seed}() {{",
            "  %c1 = arith.constant 1 : index",
            *(f"  %threads{d} = arith.constant {n} : index" for d, n in zip("xyz", p.block)),
            "  %n = arith.constant 3 : index",
            f"  %seed = arith.constant {p.seed} : i64",
            "  %zero = arith.constant 0 : i64",
        ]
        for k, (name, shape, elem, out, modulus) in enumerate(p.buffers):
            elems.add(elem)
            count = math.prod(shape)
            flat = memref([count], elem)
            expand = f"[[{', '.join(map(str, range(len(shape))))}]] output_shape {shape}" if shape else "[]"
            expand += f" : {flat} into {types[k]}"
            host.append(f"  %count{k} = arith.constant {count} : index")
            host.append(f"  %modulus{k} = arith.constant {modulus} : i64")
            for side in ("h", "b"):
                host.append(f"  %{side}f{k} = memref.alloc() : {flat}")
                host.append(f"  %{side}d{k} = memref.cast %{side}f{k} : {flat} to {memref(['?'], elem)}")
                host.append(
                    f"  func.call @fill_{elem}(%{side}d{k}, %count{k}, %modulus{k}, %seed)"
                    f" : ({memref(['?'], elem)}, index, i64, i64) -> ()"
                )
                host.append(
                    f"  %{side}{k} = memref.{'expand_shape' if shape else 'collapse_shape'} %{side}f{k} {expand}"
                )
            host.append(f"  %g{k} = gpu.alloc () : {types[k]}")
            host.append(f"  gpu.memcpy %g{k}, %h{k} : {types[k]}, {types[k]}")
        call_types = ", ".join(types + ["index"])
        host.append(
            f"  func.call @host{p.seed}({', '.join([f'%h{k}' for k in range(len(types))] + ['%n'])})"
            f" : ({call_types}) -> ()"
        )
        launch = ", ".join([f"%g{k} : {t}" for k, t in enumerate(types)] + ["%n : index"])
        host.append(
            f"  gpu.launch_func @kernels::@kernel{p.seed} blocks in (%c1, %c1, %c1) threads in (%threadsx,"
            f" %threadsy, %threadsz) args({launch})"
        )
        total = "%zero"
        for k, (name, shape, elem, out, modulus) in enumerate(p.buffers):
            host.append(f"  gpu.memcpy %b{k}, %g{k} : {types[k]}, {types[k]}")
            dyn = memref(["?"], elem)
            host.append(f"  %x{k} = func.call @differ_{elem}(%hd{k}, %bd{k}, %count{k}) : ({dyn}, {dyn}, index) -> i64")
            host.append(f"  %t{k} = arith.addi {total}, %x{k} : i64")
            total = f"%t{k}"
            host.append(f"  gpu.dealloc %g{k} : {types[k]}")
        host += [
            "  %text = llvm.mlir.addressof @line : !llvm.ptr",
            (
                f"  llvm.call @printf(%text, %seed, {total}) vararg(!llvm.func<i32 (ptr, ...)>) : (!llvm.ptr, i64, i64)"
                " -> i32"
            ),
            "  %all = llvm.mlir.zero : !llvm.ptr",
            "  llvm.call @fflush(%all) : (!llvm.ptr) -> i32",
            "  return",
            "}",
        ]
        main.append(f"  call @run{p.seed}() : () -> ()")
    out = [f"{name} = {text}" for text, name in layouts.items()]
    out += [
        "module attributes {gpu.container_module} {",
        "llvm.func @printf(!llvm.ptr, ...) -> i32",
        "llvm.func @fflush(!llvm.ptr) -> i32",
        'llvm.mlir.global internal constant @line("%ld %ld\\0A\\00") {addr_space = 0 : i32}',
        "gpu.module @kernels {",
    ]
    out += kernels + ["}"] + host
    for elem in sorted(elems):
        out += fill_function(elem) + compare_function(elem)
    out += (
        ["func.func @main() -> i32 {"] + main + ["  %zero = arith.constant 0 : i32", "  return %zero : i32", "}", "}"]
    )
    return "\n".join(out) + "\n"


# --- Running -------------------------------------------------------------------


def device_level(level):
    """Options that optimize only device code: LLVM is slow for the undistributed vectors of the host's functions."""
    return ["-O0", "--stage-option", f"codegen.opt-level={level}"]


def run(command, **more):
    try:
        return subprocess.run(command, capture_output=True, text=True, timeout=900, **more)
    except subprocess.TimeoutExpired as expired:
        return subprocess.CompletedProcess(command, 124, "", f"no end after {expired.timeout} seconds")


def check(seeds, targets, args, folder):
    """The problems of a batch: (seed, target) -> text. The targets have one wave
    size, so the programs are the same, and the host's part of them."""
    programs = [draw(seed, targets[0]) for seed in seeds]
    base = os.path.join(folder, f"vectors-{targets[0]}-{seeds[0]}")
    with open(base + ".mlir", "w") as f:
        f.write(batch_text(programs, args.propagate))
    options = [word for target in targets for word in ("--target", target)]
    compiled = run(
        [
            args.aircc,
            base + ".mlir",
            *options,
            "--start-at",
            "layout" if args.propagate else "distribution",
            *device_level(1),
            "-o",
            base,
        ]
    )
    if compiled.returncode:
        if len(seeds) > 1:  # One of them: find out which, and for which target.
            half = len(seeds) // 2
            return {**check(seeds[:half], targets, args, folder), **check(seeds[half:], targets, args, folder)}
        if len(targets) > 1:
            return {k: v for target in targets for k, v in check(seeds, [target], args, folder).items()}
        return {(seeds[0], targets[0]): "does not compile: " + compiled.stderr.strip()[:600]}
    problems = {}
    for target in targets:
        problems.update(check_run(base, seeds, target, args, folder))
    if not args.work and not problems:
        os.remove(base + ".mlir")
        os.remove(base)
    return problems


def check_run(base, seeds, target, args, folder):
    """The problems of a compiled batch on one target."""
    ran = run([base], env=dict(os.environ, AIRCC_DEVICE="sim", AIRCC_SIM_CHIP=target))
    seen = {}
    for line in ran.stdout.splitlines():
        m = re.fullmatch(r"(\d+) (\d+)", line)
        if m:
            seen[int(m.group(1))] = int(m.group(2))
    problems = {}
    for seed in seeds:
        if seed not in seen:
            problems[seed, target] = f"gave no result (exit code {ran.returncode}): {ran.stderr.strip()[:600]}"
            # Those behind it have not run.
            rest = seeds[seeds.index(seed) + 1 :]
            return {**problems, **(check(rest, [target], args, folder) if rest else {})}
        if seen[seed]:
            problems[seed, target] = f"{seen[seed]} elements differ from the host's"
    if not problems and ran.returncode:
        problems[seeds[0], target] = f"exit code {ran.returncode}: {ran.stderr.strip()[:600]}"
    return problems


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--aircc", help="the binary to test; without it the programs are printed")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=1)
    parser.add_argument("--batch", type=int, default=25, help="how many programs are compiled together")
    parser.add_argument("--target", action="append")
    parser.add_argument("--propagate", action="store_true", help="only some layouts are given; the others are found")
    parser.add_argument("--progress", action="store_true", help="a line after each batch")
    parser.add_argument("--work", help="where the programs go, and stay")
    args = parser.parse_args()
    args.target = args.target or ["gfx942"]
    seeds = range(args.seed, args.seed + args.count)
    if not args.aircc:
        sys.stdout.write(batch_text([draw(seed, args.target[0]) for seed in seeds], args.propagate))
        return 0
    print(f"seeds {seeds[0]} to {seeds[-1]}", flush=True)
    folder = args.work or tempfile.mkdtemp(prefix="aircc-vectors-")
    os.makedirs(folder, exist_ok=True)
    failed = 0
    groups = {}  # The targets by wave size.
    for target in args.target:
        groups.setdefault(WAVE.get(target, 64), []).append(target)
    for start in range(0, len(seeds), args.batch):
        for targets in groups.values():
            for (seed, target), text in check(list(seeds[start : start + args.batch]), targets, args, folder).items():
                failed += 1
                print(f"seed {seed} for {target}: {text}", flush=True)
        if args.progress:
            done = min(start + args.batch, len(seeds))
            print(f"{done * len(args.target)} run, {failed} failed", flush=True)
    if not failed and not args.work:
        os.rmdir(folder)
    print(f"{len(seeds) * len(args.target) - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
