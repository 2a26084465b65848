"""What random programs compute: a sequential model of each step.

A step's `run` changes the memory of one workgroup, a dictionary from names of buffers to lists of elements. `env` holds
the values of ids and loop variables. The model follows the dialect's definition (transfers are row-major sequences, the
PEs of a herd run one after another) and shares nothing with the compiler.
"""

import math


MASK = (1 << 64) - 1
# Integers beyond these are not exact in the type.
EXACT = {"f16": 2048, "bf16": 256, "f32": 1 << 24, "f64": 1 << 53}
INT_BITS = {"i8": 8, "i16": 16, "i32": 32, "i64": 64}


class Rejected(Exception):
    """The draw is not a valid program; the caller draws again."""


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
        """Returns the position of element number i, in row-major order, from the start."""
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
    """Memory from an element on."""

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

    def __init__(self, elem, ops):
        self.elem, self.ops = elem, ops

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


class Side:
    """One side of a transfer: the elements, and how the program specifies them."""

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


def pad(values, sizes, before, after):
    """`values` of shape `sizes` in a larger box of zeros."""
    if not sizes:
        return values
    inner = math.prod(sizes[1:])
    rows = [pad(values[i * inner : (i + 1) * inner], sizes[1:], before[1:], after[1:]) for i in range(sizes[0])]
    width = math.prod(s + b + a for s, b, a in zip(sizes[1:], before[1:], after[1:]))
    zero = [0] * width
    return zero * before[0] + [v for r in rows for v in r] + zero * after[0]


class SimtHerd:
    """dst[i] = work(src[p(i)]), distributed over all lanes of all PEs."""

    def __init__(self, dst, src, other, size, work, scale, shift, variable):
        self.dst, self.src, self.other, self.size, self.work, self.scale, self.shift, self.variable = (
            dst,
            src,
            other,
            size,
            work,
            scale,
            shift,
            variable,
        )

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


class PeHerd:
    """Each PE copies its chunk of a buffer to L1, works on it sequentially, and copies it back, possibly in another
    order."""

    def __init__(self, dst, src, other, size, l1, load, store, work, kind, variable):
        (
            self.dst,
            self.src,
            self.other,
            self.size,
            self.l1,
            self.load,
            self.store,
            self.work,
            self.kind,
            self.variable,
        ) = (dst, src, other, size, l1, load, store, work, kind, variable)
        self.chunk = l1.numel

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


class Scalar:
    """The segment itself modifies one element, exactly once."""

    def __init__(self, dst, src, to, place, work):
        self.dst, self.src, self.to, self.place, self.work = dst, src, to, place, work

    def run(self, memory, env):
        to = self.to.value(env)
        v = memory[self.src.name][self.src.physical(self.place.value(env))]
        cell = self.dst.physical(to)
        memory[self.dst.name][cell] = self.work.value(memory[self.dst.name][cell], to, v)


class Fill:
    """linalg.fill of a whole buffer by the segment."""

    def __init__(self, dst, value):
        self.dst, self.value = dst, value

    def run(self, memory, env):
        for i in range(self.dst.numel):
            memory[self.dst.name][self.dst.physical(i)] = self.value


class Sum:
    """A loop of the segment that carries a value and stores it at the end."""

    def __init__(self, dst, src, to, count, step, work):
        self.dst, self.src, self.to, self.count, self.step, self.work = dst, src, to, count, step, work

    def run(self, memory, env):
        acc = 0
        for k in range(self.count):
            v = memory[self.src.name][self.src.physical(k * self.step % self.src.numel)]
            acc = self.work.value(acc, k, v)
        memory[self.dst.name][self.dst.physical(self.to.value(env))] = acc


class Count:
    """Atomic additions by all PEs or by all lanes; the order does not matter."""

    def __init__(self, dst, src, lanes, size, cells):
        self.dst, self.src, self.lanes, self.size, self.cells = dst, src, lanes, size, cells

    def run(self, memory, env):
        for i in range(self.src.numel):
            cell = self.dst.physical(i % self.cells)
            v = memory[self.src.name][self.src.physical(i)]
            memory[self.dst.name][cell] = store_value(self.dst.elem, memory[self.dst.name][cell] + v)


class KeptL1:
    """An L1 buffer of the segment that one SIMT herd fills and the next reads, private to each lane. `lanes` is the
    size of the smallest wave."""

    def __init__(self, lanes, dst, src, size, count, work, shift, variable):
        self.lanes, self.dst, self.src, self.size, self.count, self.work, self.shift, self.variable = (
            lanes,
            dst,
            src,
            size,
            count,
            work,
            shift,
            variable,
        )

    def run(self, memory, env):
        extra = env[self.variable] if self.variable else 0
        kept = []
        for i in range(self.count):
            v = memory[self.src.name][self.src.physical((i + self.shift) % self.src.numel)]
            kept.append(self.work.value(v, i + extra, v))
        for i, v in enumerate(kept):
            memory[self.dst.name][self.dst.physical(i)] = v


class Scope:
    """Steps with an L2 buffer of their own, whose memory other buffers may use before and after."""

    def __init__(self, buffer, body):
        self.buffer, self.body = buffer, body

    def run(self, memory, env):
        inner = dict(memory)
        inner[self.buffer.name] = [None] * self.buffer.numel
        for step in self.body:
            step.run(inner, env)


class ViewScope:
    """Steps that use a part of an L2 buffer, as a memref.subview."""

    def __init__(self, part, offsets, body):
        self.part, self.offsets, self.body = part, offsets, body

    def run(self, memory, env):
        inner = dict(memory)
        self.part.bind(inner)
        for step in self.body:
            step.run(inner, env)


class Loop:
    def __init__(self, trips, variable, body):
        self.trips, self.variable, self.body = trips, variable, body

    def run(self, memory, env):
        for k in range(self.trips):
            inner = dict(env, **{self.variable: k})
            for step in self.body:
                step.run(memory, inner)


class If:
    """Steps that only some workgroups execute, depending on an id or on an element in memory."""

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


class Program:
    """A program: shapes and the steps of a workgroup. shapes.py draws the fields."""

    steps = ()

    def environments(self):
        out = []
        for w in range(math.prod(self.grid)):
            env, rest = {"w": w}, w
            for name, n in reversed(list(zip(self.ids, self.grid))):
                env[name] = rest % n
                rest //= n
            out.append(env)
        return out

    def expected(self):
        """Computes the checksum of the output with the model."""
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
