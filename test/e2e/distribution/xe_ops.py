"""Ops of XeGPU in the random programs. The function of the host uses ops of the vector dialect instead."""

import math

from values import EXACT, Dim, Layout, Retry, Value, is_float, memref, vector

BITS = {"i8": 8, "i16": 16, "i32": 32, "i64": 64, "f16": 16, "bf16": 16, "f32": 32, "f64": 64}
# Type of the factors: instruction, its K, types of accumulators.
DPAS = {
    "f16": ("dpas.f32.8x16x16.f16", 16, ["f32", "f32", "f16"]),
    "bf16": ("dpas.f32.8x16x16.bf16", 16, ["f32", "f32", "bf16"]),
    "i8": ("dpas.i32.8x16x32.i8", 32, ["i32"]),
    "f32": ("dpas.f32.8x16x8.tf32", 8, ["f32"]),
}


def tdesc(shape, elem, attr=""):
    return "!xegpu.tensor_desc<" + "".join(f"{n}x" for n in shape) + elem + attr + ">"


class XeOps:
    OPS = (
        ["xe_load"] * 4
        + ["xe_store"] * 3
        + ["xe_dpas"] * 4
        + ["xe_gather", "xe_gather", "xe_scatter", "xe_matrix", "xe_matrix", "xe_atomic"]
    )

    # --- Layouts of blocks ---------------------------------------------------

    def shared_out(self, sizes):
        """Returns the number of waves along each dimension, and the strides."""
        r, left, counts = self.r, self.waves, []
        for n in sizes:
            fit = [d for d in (1, 2, 4) if d <= left and n % d == 0]
            counts.append(r.choice(fit))
            left //= counts[-1]
        order = list(range(len(sizes)))
        r.shuffle(order)
        strides, at = [0] * len(sizes), 1
        for i in order:
            strides[i] = at
            at *= counts[i]
        return counts, strides

    def block_layout(self, rows, columns, bits):
        """Returns a layout that block accesses produce, if there is one."""
        r = self.r
        for _ in range(10):
            (m, n), (ms, ns) = self.shared_out([rows, columns])
            part_rows, part_columns = rows // m, columns // n
            e = 2 if bits == 8 else 1
            forms = []
            if part_columns % (16 * e) == 0:
                forms.append([Dim(m, e=part_rows, ss=ms), Dim(n, b=part_columns // 16 // e, t=16, e=e, ss=ns, ts=1)])
            if bits == 8 and part_columns % 16 == 0:
                forms.append([Dim(m, e=part_rows, ss=ms), Dim(n, b=part_columns // 16, t=16, ss=ns, ts=1)])
            if bits == 32 and part_columns % 8 == 0 and part_rows % 2 == 0:
                forms.append(
                    [Dim(m, b=part_rows // 2, t=2, ss=ms, ts=8), Dim(n, b=part_columns // 8, t=8, ss=ns, ts=1)]
                )
            if part_rows % 16 == 0:
                forms.append([Dim(m, b=part_rows // 16, t=16, ss=ms, ts=1), Dim(n, e=part_columns, ss=ns)])
            if forms:
                return Layout(r.choice(forms))
        return self.layout([rows, columns])

    def tile(self):
        r = self.r
        while True:
            rows, columns = r.choice([1, 2, 3, 4, 8, 8, 16, 16, 24, 32]), r.choice([8, 16, 16, 32, 32, 64])
            if rows * columns <= 1024:
                return rows, columns

    def place(self, sizes, elem):
        """Returns the shape of a memref for a tile of these sizes, and the tile's offset in it: parts may be out of
        bounds."""
        r = self.r
        shape, at = [], []
        for i, n in enumerate(sizes):
            # Mostly rows of whole blocks of 64 bytes.
            line = 512 // BITS[elem] if i == len(sizes) - 1 and r.random() < 0.7 else 1
            start = r.choice([0, 0, r.randint(0, 3), 16])
            size = max(1, start + n + r.choice([0, 0, 5, -n // 2]))
            shape.append(-(-size // line) * line)
            at.append(start)
        return shape, at

    def offsets(self, at, elem):
        """Returns constants, some of them hidden from the compiler: every kernel has an argument that is three. A block
        access must begin at a whole word; a program with hidden offsets must ensure that itself."""
        hides = [True] * (len(at) - 1) + [BITS[elem] >= 32]
        return [
            str(x) if self.r.random() < 0.6 else "%n" if x == 3 and hide else self.constant("index", x)
            for x, hide in zip(at, hides)
        ]

    # --- Blocks --------------------------------------------------------------

    def describe(self, name, shape, elem, sizes):
        """Creates a descriptor of a tile in the buffer, sometimes from its address."""
        desc = self.fresh()
        if self.r.random() < 0.85:
            self.emit(
                f"{desc} = xegpu.create_nd_tdesc {name} : {memref(shape, elem)} -> {tdesc(sizes, elem)}", host=False
            )
            return desc
        index, address = self.fresh(), self.fresh()
        strides = [math.prod(shape[i + 1 :]) for i in range(len(shape))]
        self.emit(
            f"{index} = memref.extract_aligned_pointer_as_index {name} : {memref(shape, elem)} -> index", host=False
        )
        self.emit(f"{address} = arith.index_cast {index} : index to i64", host=False)
        self.emit(
            (
                f"{desc} = xegpu.create_nd_tdesc {address}, shape: {shape}, strides: {strides} : i64"
                f" -> {tdesc(sizes, elem)}"
            ),
            host=False,
        )
        return desc

    def xe_read(self, elem, layout, transpose=False, inside=False):
        r = self.r
        sizes = layout.shape[::-1] if transpose else layout.shape
        shape, at = self.place(sizes, elem)
        if inside:
            shape = [max(n, a + s) for n, a, s in zip(shape, at, sizes)]
        name = self.buffer(shape, elem)
        desc = self.describe(name, shape, elem, sizes)
        offsets = self.offsets(at, elem)
        if r.random() < 0.2:
            scope = f"layout.scope = #layout.scope<{self.scope}>"
            self.emit(
                f"xegpu.prefetch_nd {desc}[{', '.join(offsets)}] {{{{{scope}}}}} : {tdesc(sizes, elem)}", host=False
            )
        value = self.fresh()
        turned = "<{{transpose = array<i64: 1, 0>}}> " if transpose else ""
        type = vector(layout.shape, elem)
        self.emit(
            f"{value} = xegpu.load_nd {desc}[{', '.join(offsets)}] {turned}{{A}} : {tdesc(sizes, elem)} -> {type}",
            [layout],
            host=False,
        )
        zero = self.constant(elem, 0)
        at = [self.constant("index", x) for x in at]
        ins = ", ".join(f"d{i}" for i in range(len(sizes)))
        outs = ", ".join(f"d{i}" for i in (reversed(range(len(sizes))) if transpose else range(len(sizes))))
        bounds = ", ".join(["false"] * len(sizes))
        self.emit(
            f"{value} = vector.transfer_read {name}[{', '.join(at)}], {zero} {{A}} : {memref(shape, elem)}, {type}",
            [layout],
            f"in_bounds = [{bounds}], permutation_map = affine_map<({ins}) -> ({outs})>",
            host="only",
        )
        self.values.append(Value(value, elem, layout, 4))
        return self.values[-1]

    def op_xe_load(self):
        r = self.r
        elem = r.choice(["i8", "f16", "bf16", "i16", "f32", "i32", "f64"])
        if r.random() < 0.2:
            return self.xe_read(elem, self.layout([r.choice([8, 16, 32, 48, 64])]))
        rows, columns = self.tile()
        transpose = r.random() < 0.25
        if r.random() < 0.7:
            layout = self.block_layout(rows, columns, BITS[elem])
        else:
            layout = self.layout([rows, columns])
        if transpose:
            layout = Layout(layout.dims[::-1])
        return self.xe_read(elem, layout, transpose)

    def op_xe_store(self):
        r = self.r
        v = self.pick(lambda v: len(v.shape) in (1, 2) and v.elem not in ("i1", "index"))
        if len(v.shape) == 2 and r.random() < 0.6:
            v = self.moved(v, self.block_layout(*v.shape, BITS[v.elem]))
        shape, at = self.place(v.shape, v.elem)
        name = self.buffer(shape, v.elem, True)
        desc = self.describe(name, shape, v.elem, v.shape)
        self.emit(
            (
                f"xegpu.store_nd {v.name}, {desc}[{', '.join(self.offsets(at, v.elem))}]"
                f" : {v.type}, {tdesc(v.shape, v.elem)}"
            ),
            host=False,
        )
        at = [self.constant("index", x) for x in at]
        bounds = ", ".join(["false"] * len(shape))
        self.emit(
            f"vector.transfer_write {v.name}, {name}[{', '.join(at)}] {{A}} : {v.type}, {memref(shape, v.elem)}",
            [],
            f"in_bounds = [{bounds}]",
            host="only",
        )

    # --- Products ------------------------------------------------------------

    def op_xe_dpas(self):
        r = self.r
        elem = r.choice(list(DPAS))
        instruction, k, accumulators = DPAS[elem]
        acc = r.choice(accumulators)
        (wm, wn), (sm, sn) = self.shared_out([4, 4])
        bm, bn, bk = r.choice([1, 1, 2, 4]), r.choice([1, 1, 2]), r.choice([1, 1, 2, 4])
        m, n, k_all = 8 * bm * wm, 16 * bn * wn, k * bk
        if m * k_all + k_all * n + m * n > 6000:
            raise Retry
        if elem == "i8":
            a = Layout([Dim(wm, e=8 * bm, ss=sm), Dim(b=bk, t=16, e=2, ts=1)])
        elif elem == "f32":
            a = Layout([Dim(wm, b=bm, o=4, t=2, ss=sm, ts=8), Dim(b=bk, t=8, ts=1)])
        else:
            a = Layout([Dim(wm, e=8 * bm, ss=sm), Dim(b=bk, t=16, ts=1)])
        b = Layout([Dim(e=k_all), Dim(wn, b=bn, t=16, ss=sn, ts=1)])
        c = Layout([Dim(wm, e=8 * bm, ss=sm), Dim(wn, b=bn, t=16, ss=sn, ts=1)])
        if is_float(acc) and 16 * k_all + 4 > EXACT[acc]:
            raise Retry
        left = self.xe_read(elem, a, r.random() < 0.3)
        right = self.xe_read(elem, b, r.random() < 0.3)
        start = self.dense(acc, c) if r.random() < 0.5 else self.xe_read(acc, c)
        value = self.fresh()
        maps = "affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>"
        contraction = (
            f'indexing_maps = [{maps}], iterator_types = ["parallel", "parallel", "reduction"],'
            " kind = #vector.kind<add>"
        )
        chosen = f'layout.matrix_instruction = "{instruction}"'
        # With f32 factors, only tf32 instructions are possible for dpas.
        named = elem == "f32" and r.random() < 0.6
        if named or elem != "f32" and r.random() < 0.6:
            self.emit(
                (
                    f"{value} = xegpu.dpas {left.name}, {right.name}, {start.name} {{A}}"
                    f" : {left.type}, {right.type}, {start.type} -> {start.type}"
                ),
                [c],
                chosen,
                host="given" if named else False,
            )
        else:
            self.emit(
                (
                    f"{value} = vector.contract {{A}} {left.name}, {right.name}, {start.name}"
                    f" : {left.type}, {right.type} into {start.type}"
                ),
                [c],
                f"{contraction}, {chosen}",
                host=False,
            )
        self.emit(
            (
                f"{value} = vector.contract {{A}} {left.name}, {right.name}, {start.name} : {left.type}, {right.type}"
                f" into {start.type}"
            ),
            [c],
            contraction,
            host="else" if named else "only",
        )
        self.values.append(Value(value, acc, c, 16 * k_all + 4))

    # --- Scattered accesses --------------------------------------------------

    def numbers(self, layout, values, elem="index"):
        """A constant with these elements."""

        def nest(shape, left):
            if not shape:
                return str(left[0])
            step = len(left) // shape[0]
            return "[" + ", ".join(nest(shape[1:], left[i * step : (i + 1) * step]) for i in range(shape[0])) + "]"

        return self.define(
            f"arith.constant {{A}} dense<{nest(layout.shape, values)}> : {vector(layout.shape, elem)}", elem, layout, 0
        )

    def places(self, layout, distinct):
        n = math.prod(layout.shape)
        if distinct:
            return self.r.sample(range(n + 20), n), n + 20
        return [self.r.randrange(60) for _ in range(n)], 64

    def op_xe_gather(self):
        r = self.r
        elem = r.choice(["i8", "i16", "i32", "f16", "f32", "i64"])
        layout = self.layout([r.choice([16, 16, 32, 64])])
        places, size = self.places(layout, False)
        chunk = r.choice([1, 1, 2, 4, 8])
        whole = Layout(layout.dims + [Dim(e=chunk)]) if chunk > 1 else layout
        if math.prod(d.b * d.o * d.e for d in whole.dims) > 256:
            raise Retry
        name = self.buffer([size + chunk], elem)
        memory = memref([size + chunk], elem)
        index, mask = self.numbers(layout, places), self.mask(layout)
        value = self.fresh()
        type = vector(whole.shape, elem)
        chunks = f"<{{{{chunk_size = {chunk}}}}}> " if chunk > 1 else ""
        self.emit(
            (
                f"{value} = xegpu.load {name}[{index.name}], {mask.name} {chunks}{{A}}"
                f" : {memory}, {index.type}, {mask.type} -> {type}"
            ),
            [whole],
            host=False,
        )
        # The host uses one index for each element.
        every, zero = self.fresh(), self.fresh()
        flat = [p + i for p in places for i in range(chunk)]
        shape = whole.shape
        nested = str(flat) if chunk == 1 else str([flat[i * chunk : (i + 1) * chunk] for i in range(len(places))])
        self.emit(f"{every} = arith.constant dense<{nested}> : {vector(shape, 'index')}", host="only")
        number = "0.0" if is_float(elem) else "0"
        self.emit(f"{zero} = arith.constant dense<{number}> : {type}", host="only")
        bits = mask.name
        if chunk > 1:
            tall, bits = self.fresh(), self.fresh()
            turned = vector([chunk] + layout.shape, "i1")
            self.emit(f"{tall} = vector.broadcast {mask.name} : {mask.type} to {turned}", host="only")
            self.emit(f"{bits} = vector.transpose {tall}, [1, 0] : {turned} to {vector(shape, 'i1')}", host="only")
        first = self.constant("index", 0)
        self.emit(
            (
                f"{value} = vector.gather {name}[{first}] [{every}], {bits}, {zero}"
                f" : {memory}, {vector(shape, 'index')}, {vector(shape, 'i1')}, {type} into {type}"
            ),
            host="only",
        )
        self.values.append(Value(value, elem, whole, 4))

    def op_xe_scatter(self):
        v = self.pick(lambda v: len(v.shape) == 1 and v.elem not in ("i1", "index"))
        places, size = self.places(v.layout, True)
        name = self.buffer([size], v.elem, True)
        index, mask = self.numbers(v.layout, places), self.mask(v.layout)
        self.emit(
            (
                f"xegpu.store {v.name}, {name}[{index.name}], {mask.name}"
                f" : {v.type}, {memref([size], v.elem)}, {index.type}, {mask.type}"
            ),
            host=False,
        )
        first = self.constant("index", 0)
        self.emit(
            (
                f"vector.scatter {name}[{first}] [{index.name}], {mask.name}, {v.name}"
                f" : {memref([size], v.elem)}, {index.type}, {mask.type}, {v.type}"
            ),
            host="only",
        )

    def op_xe_atomic(self):
        r = self.r
        # If all waves did the same, each would add.
        if self.depth or self.block_waves != self.waves:
            raise Retry
        n = 16 * self.waves * r.choice([1, 2])
        layout = Layout([Dim(self.waves, b=n // 16 // self.waves, t=16, ss=1, ts=1)])
        kind = r.choice(["addi", "maxs", "andi"])
        value = self.dense("i32", layout)
        places, size = self.places(layout, True)
        name = self.buffer([size], "i32", True)
        memory = memref([size], "i32")
        index, mask = self.numbers(layout, places), self.mask(layout)
        desc, old = self.fresh(), self.fresh()
        type = tdesc([n], "i32", ", #xegpu.scatter_tdesc_attr<>")
        self.emit(f"{desc} = xegpu.create_tdesc {name}, {index.name} : {memory}, {index.type} -> {type}", host=False)
        self.emit(
            (
                f"{old} = xegpu.atomic_rmw {kind} {desc}, {mask.name}, {value.name} {{A}}"
                f" : {type}, {mask.type}, {value.type} -> {value.type}"
            ),
            [layout],
            host=False,
        )
        zeros, new, first = self.fresh(), self.fresh(), self.constant("index", 0)
        op = {"addi": "addi", "maxs": "maxsi", "andi": "andi"}[kind]
        access = f"{name}[{first}] [{index.name}], {mask.name}"
        types = f"{memory}, {index.type}, {mask.type}, {value.type}"
        self.emit(f"{zeros} = arith.constant dense<0> : {value.type}", host="only")
        self.emit(f"{old} = vector.gather {access}, {zeros} : {types} into {value.type}", host="only")
        self.emit(f"{new} = arith.{op} {old}, {value.name} : {value.type}", host="only")
        self.emit(f"vector.scatter {access}, {new} : {types}", host="only")
        self.values.append(Value(old, "i32", layout, 0))

    # --- Shared local memory -------------------------------------------------

    def op_xe_matrix(self):
        r = self.r
        if self.depth:
            raise Retry
        v = self.pick(lambda v: len(v.shape) == 2 and v.elem not in ("i1", "index", "i64", "f64"))
        shape = v.shape
        rows, columns = shape
        # Row-major, column-major, or blocks of either.
        strides, parts = [columns, 1], []
        if r.random() < 0.5:
            strides = [1, rows]
        if r.random() < 0.7:
            parts.append(f"stride = [{strides[0]}, {strides[1]}]")
        else:
            strides = [columns, 1]
        if r.random() < 0.4:
            block = [self.split(rows), self.split(columns)]
            parts.append(f"block = [{block[0]}, {block[1]}]")
        rule = f", #xegpu.mem_layout<{', '.join(parts)}>" if parts else ""
        bytes = rows * columns * BITS[v.elem] // 8
        name = f"%s{len(self.shared)}"
        self.shared.append((name, bytes))
        desc = self.fresh()
        type = f"!xegpu.mem_desc<{rows}x{columns}x{v.elem}{rule}>"
        self.emit(f"{desc} = xegpu.create_mem_desc {name} : memref<{bytes}xi8, 3> -> {type}", host=False)
        if r.random() < 0.5:
            v = self.moved(v, self.layout(shape))
        self.emit(f"xegpu.store_matrix {v.name}, {desc}[0, 0] : {v.type}, {type}", host=False)
        self.emit("gpu.barrier", host=False)
        at = [r.randrange(n) for n in shape]
        sizes = [r.randint(1, n - a) for n, a in zip(shape, at)]
        layout = self.layout(sizes)
        value = self.fresh()
        indices = [str(x) if r.random() < 0.5 else self.constant("index", x) for x in at]
        dynamic = [i for i in indices if i.startswith("%")]
        operands = "".join(", index" for _ in dynamic)
        self.emit(
            (
                f"{value} = xegpu.load_matrix {desc}[{', '.join(indices)}] {{A}} : {type}{operands}"
                f" -> {vector(sizes, v.elem)}"
            ),
            [layout],
            host=False,
        )
        self.emit(
            f"{value} = vector.extract_strided_slice {v.name} {{A}} : {v.type} to {vector(sizes, v.elem)}",
            [layout],
            f"offsets = {at}, sizes = {sizes}, strides = [1, 1]",
            host="only",
        )
        self.values.append(Value(value, v.elem, layout, v.bound))
