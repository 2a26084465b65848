"""Layouts and values of the random programs."""

# Integers up to this magnitude are exact in the type.
EXACT = {"f16": 2048, "bf16": 256, "f32": 1 << 24, "f64": 1 << 53}
INT_BITS = {"i1": 1, "i8": 8, "i16": 16, "i32": 32, "i64": 64, "index": 64}


class Dim:
    """One dimension of a layout."""

    def __init__(self, sg=1, b=1, o=1, t=1, e=1, ss=0, ts=0):
        self.sg, self.b, self.o, self.t, self.e = sg, b, o, t, e
        self.ss, self.ts = (ss if sg > 1 else 0), (ts if t > 1 else 0)

    @property
    def size(self):
        return self.sg * self.b * self.o * self.t * self.e

    def local(self):
        return Dim(e=self.size)


class Layout:
    def __init__(self, dims):
        self.dims = list(dims)

    @property
    def shape(self):
        return [d.size for d in self.dims]

    def text(self):
        def row(pick):
            return "[" + ", ".join(str(pick(d)) for d in self.dims) + "]"

        return (
            f"#layout.nested<subgroup_tile = {row(lambda d: d.sg)}, batch_tile = {row(lambda d: d.b)}, "
            f"outer_tile = {row(lambda d: d.o)}, thread_tile = {row(lambda d: d.t)}, "
            f"element_tile = {row(lambda d: d.e)}, subgroup_strides = {row(lambda d: d.ss)}, "
            f"thread_strides = {row(lambda d: d.ts)}>"
        )


class Value:
    def __init__(self, name, elem, layout, bound):
        self.name, self.elem, self.layout, self.bound = name, elem, layout, bound

    @property
    def shape(self):
        return self.layout.shape if self.layout else []

    @property
    def type(self):
        if not self.layout:
            return self.elem
        return vector(self.shape, self.elem)


def vector(shape, elem):
    return "vector<" + "".join(f"{n}x" for n in shape) + elem + ">"


def memref(shape, elem):
    return "memref<" + "".join(f"{n}x" for n in shape) + elem + ">"


def is_float(elem):
    return elem in EXACT


class Retry(Exception):
    """The op cannot be drawn here; the caller draws another."""
