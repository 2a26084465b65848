"""Values of interpreted programs: numbers, memrefs, and the elements that transfers touch.

Integers are Python's, in signed form (i1: 0 or 1). Floats are rounded to their type. A vector is a flat list.
"""

import math
import struct


def wrap(value, bits):
    """The signed form of an integer."""
    if bits == 1:
        return value & 1
    value &= (1 << bits) - 1
    return value - (1 << bits) if value >> (bits - 1) else value


def unsigned(value, bits):
    return value & ((1 << bits) - 1)


def round_float(value, name):
    """The nearest number of the type; ties to even."""
    if name == "f64" or math.isinf(value) or math.isnan(value):
        return value
    if name == "bf16":
        bits = struct.unpack("<I", struct.pack("<f", value))[0]
        bits = (bits + 0x7FFF + (bits >> 16 & 1)) & 0xFFFF0000
        return struct.unpack("<f", struct.pack("<I", bits))[0]
    form = "<f" if name == "f32" else "<e"
    try:
        return struct.unpack(form, struct.pack(form, value))[0]
    except OverflowError:
        return math.copysign(math.inf, value)


class OutOfBounds(Exception):
    pass


class MemRef:
    """A view of a list of elements. `space` is 0 (L3), 1 (L2) or 2 (L1)."""

    __slots__ = ("data", "offset", "sizes", "strides", "space")

    def __init__(self, data, offset, sizes, strides, space):
        self.data, self.offset, self.sizes, self.strides, self.space = data, offset, sizes, strides, space

    @staticmethod
    def allocate(sizes, space, fill):
        return MemRef([fill] * math.prod(sizes), 0, list(sizes), row_major(sizes), space)

    def position(self, indices):
        at = self.offset
        for i, size, stride in zip(indices, self.sizes, self.strides):
            if not 0 <= i < size:
                raise OutOfBounds(f"index {list(indices)} of a memref of {self.sizes}")
            at += i * stride
        return at

    def load(self, indices):
        return self.data[self.position(indices)]

    def store(self, indices, value):
        self.data[self.position(indices)] = value

    def positions(self):
        """The positions of all elements, in row-major order."""
        return strided(self.offset, self.sizes, self.strides)

    def elements(self):
        return [self.data[p] for p in self.positions()]


class PerPe:
    """An L1 buffer that code outside of herds allocates: each PE has its own."""

    def __init__(self, make):
        self.make, self.copies = make, {}

    def of(self, pe):
        if pe not in self.copies:
            self.copies[pe] = self.make()
        return self.copies[pe]


def row_major(sizes):
    out, step = [], 1
    for n in reversed(sizes):
        out.insert(0, step)
        step *= n
    return out


def strided(base, sizes, strides):
    positions = [base]
    for n, s in zip(sizes, strides):
        positions = [p + i * s for p in positions for i in range(n)]
    return positions


class Side:
    """One side of a transfer: a memref and its lists of offsets, sizes and strides."""

    def __init__(self, memref, offsets, sizes, strides):
        self.memref, self.offsets, self.sizes, self.strides = memref, offsets, sizes, strides

    def positions(self, other_sizes):
        """The positions of the elements in order; `other_sizes` are used where this side has none."""
        m = self.memref
        sizes, strides, offsets = self.sizes, self.strides, self.offsets
        if not sizes:
            sizes = other_sizes if offsets and other_sizes else m.sizes
        if not strides:
            strides = m.strides[len(m.strides) - len(sizes) :]
        base = m.offset
        if len(offsets) == len(m.sizes):
            base += sum(o * s for o, s in zip(offsets, m.strides))
        else:
            base += sum(o * s for o, s in zip(offsets, strides))
        out = strided(base, sizes, strides)
        if out and not (0 <= min(out) and max(out) < len(m.data)):
            raise OutOfBounds(f"a transfer at {base} of {sizes} by {strides} in {len(m.data)} elements")
        return out

    def padded(self, before, after):
        """The elements with zeros around them, row-major."""
        sizes = self.sizes or self.memref.sizes
        values = [self.memref.data[p] for p in self.positions(None)]
        if not before:
            return values
        out_sizes = [b + n + a for b, n, a in zip(before, sizes, after)]
        out = [0] * math.prod(out_sizes)
        strides = row_major(out_sizes)
        start = sum(b * s for b, s in zip(before, strides))
        for p, v in zip(strided(start, sizes, strides), values):
            out[p] = v
        return out
