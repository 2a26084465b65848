"""Ops on vectors. Each method draws one op, in random layouts."""

import math

from values import EXACT, INT_BITS, Dim, Layout, Retry, Value, is_float, memref, vector


class VectorOps:
    """The part of a program that draws ops."""

    def pick(self, test=lambda v: True):
        found = [v for v in self.values if v.layout and test(v)]
        if not found:
            raise Retry
        return self.r.choice(found)

    def like(self, value):
        """Returns another value of the type, in the layout."""
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
        """Returns a combining kind whose result is exact, and its bound."""
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
        # The host has no lowering of batched products that widen.
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
        iterations = self.constant("index", r.randint(0, 3))
        zero, one = self.constant("index", 0), self.constant("index", 1)
        name = self.fresh()
        args = [Value(self.fresh(), v.elem, v.layout, v.bound) for v in carried]
        inits = ", ".join(f"{arg.name} = {v.name}" for arg, v in zip(args, carried))
        types = ", ".join(v.type for v in carried)
        results = name if len(carried) == 1 else f"{name}:{len(carried)}"
        self.emit(
            f"{results} = scf.for %i{name[2:]} = {zero} to {iterations} step {one} iter_args({inits}) -> ({types}) {{{{"
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
        """Emits some ops in a region and returns, for each argument, a value of its type in its layout. Floats in a
        loop must not grow."""
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
