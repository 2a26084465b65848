"""The random choice of a program's shapes and steps."""

import math
import random

from model import (
    INT_BITS,
    Buffer,
    Count,
    Dma,
    Fill,
    If,
    KeptL1,
    Linear,
    Loop,
    OutOfRange,
    PeHerd,
    Program,
    Rejected,
    Scalar,
    Scope,
    Side,
    SimtHerd,
    Sum,
    ViewScope,
    Work,
)

LDS_BUDGET = 24 * 1024
BYTES = {"i8": 1, "i16": 2, "i32": 4, "i64": 8, "f16": 2, "bf16": 2, "f32": 4, "f64": 8}


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


def draw_side(rng, buffer, count, environments, variables, base=None, distinct=False, sizes=None, forms=None):
    """Draws a side of `count` elements that stays in bounds in all of the environments. `base` is an offset, in
    elements, that every form must include: the start of the part of the workgroup or PE, which has `base[1]`
    elements."""
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
        # Dense strides in a random order of the dimensions, or strides with gaps.
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
        # One offset per dimension, or all of them in the last one, whose step is one, or distributed.
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
    """Draws an index from 0 to `most` in every environment, with variables where they fit."""
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


def draw_work(rng, elem):
    kinds = ["addc", "mulc", "minc", "maxc", "add_index", "add_other", "min_other", "select_odd", "neg"]
    if elem in INT_BITS:
        kinds += ["xor_other", "mul_other"]
    ops = [(rng.choice(kinds), rng.randrange(-5, 9), rng.randrange(2, 6)) for _ in range(rng.randrange(1, 5))]
    return Work(elem, ops)


def draw_simt_herd(rng, dst, src, other, variables):
    size = rng.choice([[1, 1], [2, 1], [1, 2], [2, 2], [4, 1], [3, 2], [2, 4], [3], [4], [1]])
    work = draw_work(rng, dst.elem)
    scale = 1 if dst is src else rng.choice([1, 1, 3, 5])
    shift = 0 if dst is src else rng.randrange(0, 9)
    variable = rng.choice(variables) if variables else None
    return SimtHerd(dst, src, other, size, work, scale, shift, variable)


def draw_pe_herd(rng, dst, src, other, variables, environments):
    size = rng.choice([[1, 1], [2, 1], [1, 2], [2, 2], [4, 2], [3], [2]])
    pes = math.prod(size)
    if dst.layout:
        raise Rejected
    chunk = min(rng.randrange(1, 40), dst.numel // pes)
    if not chunk:
        raise Rejected
    l1 = Buffer("l1", [chunk], 2, dst.elem)
    if chunk % 2 == 0 and rng.random() < 0.4:
        l1.shape = [2, chunk // 2]
    inside = [dict(env, pe=p) for env in environments for p in range(pes)]
    load = Dma(
        Side(l1, "whole", [], [], []),
        draw_side(rng, src, chunk, inside, variables + ["pe"], forms=["strided", "strided", "box"]),
    )
    base = (Linear(0, [(chunk, "pe")]), chunk)
    store = Dma(
        draw_side(rng, dst, chunk, inside, [], base=base, distinct=True, forms=["strided"]),
        Side(l1, "whole", [], [], []),
    )
    if dst is src:
        # PEs execute in any order: no PE may read what another writes.
        load = Dma(load.dst, draw_side(rng, src, chunk, inside, [], base=base, forms=["strided"]))
    work = draw_work(rng, dst.elem)
    kind = rng.choice(["sequential", "parallel", "generic", "reduce", "sequential"])
    variable = rng.choice(variables) if variables else None
    return PeHerd(dst, src, other, size, l1, load, store, work, kind, variable)


def draw_scalar(rng, dst, src, variables, environments):
    to = draw_offset(rng, dst.numel - 1, environments, variables)
    place = draw_offset(rng, src.numel - 1, environments, variables)
    work = draw_work(rng, dst.elem)
    return Scalar(dst, src, to, place, work)


def draw_fill(rng, dst):
    value = rng.randrange(-9, 30)
    return Fill(dst, value)


def draw_sum(rng, dst, src, variables, environments):
    to = draw_offset(rng, dst.numel - 1, environments, variables)
    count = rng.randrange(1, 7)
    step = rng.randrange(1, 9)
    work = draw_work(rng, dst.elem)
    return Sum(dst, src, to, count, step, work)


def draw_count(rng, dst, src):
    lanes = rng.random() < 0.5
    size = rng.choice([[1, 1], [2, 1], [2, 2], [4, 2], [3]])
    cells = rng.randrange(1, dst.numel + 1)
    return Count(dst, src, lanes, size, cells)


def draw_kept_l1(rng, lanes, dst, src, variables):
    size = rng.choice([[1, 1], [2, 1], [1, 2], [2, 2], [4], [3]])
    count = min(dst.numel, lanes * math.prod(size))
    work = draw_work(rng, dst.elem)
    shift = rng.randrange(0, 9)
    variable = rng.choice(variables) if variables else None
    return KeptL1(lanes, dst, src, size, count, work, shift, variable)


def apart(a, b):
    """Returns whether two buffers are disjoint."""
    return a is not b and (a.parent or a) is not (b.parent or b)


class DrawnProgram(Program):
    """Returns the program for a seed and a number of lanes."""

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
        # Every L2 buffer is initialized completely before anything reads it.
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
            step = draw_simt_herd(rng, b, self.input, self.input, self.ids)
            return step
        if rng.random() < 0.4:
            # A smaller box with zeros around it, together as large as the buffer.
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
            return draw_fill(rng, rng.choice(self.l2))
        if kind == "sum":
            return draw_sum(rng, rng.choice(self.l2), rng.choice(self.l2 + [self.input]), variables, environments)
        if kind == "count":
            if self.elem not in ("i32", "i64", "f32", "f64"):
                raise Rejected
            dst = rng.choice(self.l2)
            return draw_count(rng, dst, rng.choice([b for b in self.l2 if apart(b, dst)] + [self.input]))
        if kind == "kept":
            return draw_kept_l1(rng, self.lanes, rng.choice(self.l2), rng.choice(self.l2 + [self.input]), variables)
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
                return draw_simt_herd(rng, dst, src, other, variables)
            return draw_pe_herd(rng, dst, src, other, list(variables), environments)
        if kind == "scalar":
            dst = rng.choice(self.l2)
            return draw_scalar(rng, dst, rng.choice(self.l2 + [self.input]), variables, environments)
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


def draw_program(seed, targets):
    """Returns the program of a seed: the first of its draws that is valid."""
    lanes = 32 if all(target.startswith("gfx") for target in targets) else 16
    for attempt in range(1000):
        try:
            p = DrawnProgram(seed * 1000 + attempt, lanes)
            return p, p.expected()
        except (Rejected, OutOfRange):
            continue
    raise SystemExit(f"no program from seed {seed}")
