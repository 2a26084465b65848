"""The lines of a program: values, moves between layouts, masks, reads and writes of memory."""

from values import Layout, Retry, Value, is_float, memref, vector


class VectorAccess:
    """The part of a program that writes lines and accesses memory."""

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
        """Converts the value to another layout."""
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
        """Returns a buffer, indices, a map and bounds for a vector of this layout."""
        r = self.r
        shape = layout.shape
        rank = len(shape)
        # The dimensions of memory that correspond to dimensions of the vector, and their order.
        order = list(range(rank))
        if not out and r.random() < 0.25:
            order = [i for i in order if r.random() < 0.7]
        if r.random() < 0.35:
            r.shuffle(order)
        slots = order[:]
        for _ in range(r.choice([0, 0, 1])):
            # The host's lowering of masked writes supports no other maps.
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
