"""Ops that compute: arith, math, index, affine, memref, linalg and vector. None of them waits.

`OPS` maps the name of an op to a function of (machine, op, operands) that returns the list of results.
"""

import math

from memory import MemRef, OutOfBounds, PerPe, round_float, row_major, strided, unsigned, wrap

OPS = {}


def register(*names):
    def add(f):
        for name in names:
            OPS[name] = f
        return f

    return add


def scalar_type(type):
    return type.element if type.kind == "vector" else type


def fit(value, type):
    """A value of the type of a scalar."""
    if type.kind == "float":
        return round_float(float(value), type.name)
    return wrap(int(value), type.bits)


def elementwise(op, operands, f):
    """Applies `f` to scalars, or to the elements of vectors."""
    result = scalar_type(op.result_types[0])
    if op.result_types[0].kind == "vector":
        return [[fit(f(*values), result) for values in zip(*operands)]]
    return [fit(f(*operands), result)]


def divide_ceil(a, b):
    return -(-a // b)


def truncated(a, b):
    q = abs(a) // abs(b)
    return -q if (a < 0) != (b < 0) else q


def float_division(a, b):
    if b == 0:
        return math.nan if a == 0 or math.isnan(a) else math.copysign(math.inf, a) * math.copysign(1, b)
    return a / b


SIMPLE = {
    "addi": lambda a, b: a + b,
    "subi": lambda a, b: a - b,
    "muli": lambda a, b: a * b,
    "andi": lambda a, b: a & b,
    "ori": lambda a, b: a | b,
    "xori": lambda a, b: a ^ b,
    "divsi": truncated,
    "remsi": lambda a, b: a - b * truncated(a, b),
    "floordivsi": lambda a, b: a // b,
    "ceildivsi": divide_ceil,
    "maxsi": max,
    "minsi": min,
    "shrsi": lambda a, b: a >> b,
    "shli": lambda a, b: a << b,
    "addf": lambda a, b: a + b,
    "subf": lambda a, b: a - b,
    "mulf": lambda a, b: a * b,
    "divf": float_division,
    "maximumf": max,
    "minimumf": min,
    "maxnumf": max,
    "minnumf": min,
    "negf": lambda a: -a,
}
UNSIGNED = {
    "divui": lambda a, b: a // b,
    "remui": lambda a, b: a % b,
    "ceildivui": divide_ceil,
    "maxui": max,
    "minui": min,
    "shrui": lambda a, b: a >> b,
}
MATH = {
    "exp": math.exp,
    "sqrt": math.sqrt,
    "rsqrt": lambda a: 1 / math.sqrt(a),
    "absf": abs,
    "absi": abs,
    "tanh": math.tanh,
    "log": math.log,
    "floor": math.floor,
    "ceil": math.ceil,
    "fma": lambda a, b, c: a * b + c,
    "erf": math.erf,
}
COMPARE_INT = ["eq", "ne", "slt", "sle", "sgt", "sge", "ult", "ule", "ugt", "uge"]
COMPARE_FLOAT = ["false", "oeq", "ogt", "oge", "olt", "ole", "one", "ord"]
RELATIONS = {
    "eq": lambda a, b: a == b,
    "ne": lambda a, b: a != b,
    "lt": lambda a, b: a < b,
    "le": lambda a, b: a <= b,
    "gt": lambda a, b: a > b,
    "ge": lambda a, b: a >= b,
}

for _name, _f in SIMPLE.items():
    OPS[f"arith.{_name}"] = lambda machine, op, operands, f=_f: elementwise(op, operands, f)
for _name, _f in MATH.items():
    OPS[f"math.{_name}"] = lambda machine, op, operands, f=_f: elementwise(op, operands, f)


def unsigned_op(machine, op, operands, f):
    bits = scalar_type(op.result_types[0]).bits
    return elementwise(op, operands, lambda *v: f(*(unsigned(x, bits) for x in v)))


for _name, _f in UNSIGNED.items():
    OPS[f"arith.{_name}"] = lambda machine, op, operands, f=_f: unsigned_op(machine, op, operands, f)


@register("arith.constant")
def constant(machine, op, operands):
    value, type = op.attributes["value"], op.result_types[0]
    if isinstance(value, tuple):
        _, value, _ = value
        count = math.prod(type.shape)
        flat = flatten(value) if isinstance(value, list) else [value] * count
        return [[fit(v, type.element) for v in flat]]
    return [fit(value, type)]


def flatten(value):
    return [x for v in value for x in flatten(v)] if isinstance(value, list) else [value]


@register("arith.cmpi")
def compare_int(machine, op, operands):
    name = COMPARE_INT[op.attributes["predicate"]]
    bits = scalar_type(op.operand_types[0]).bits
    relation = RELATIONS[name[-2:]]
    if name.startswith("u"):
        return elementwise(op, operands, lambda a, b: relation(unsigned(a, bits), unsigned(b, bits)))
    return elementwise(op, operands, relation)


@register("arith.cmpf")
def compare_float(machine, op, operands):
    index = op.attributes["predicate"]
    if not 1 <= index <= 6:
        index -= 7
    return elementwise(op, operands, RELATIONS[COMPARE_FLOAT[index][1:]])


@register("arith.select")
def select(machine, op, operands):
    condition, a, b = operands
    if isinstance(condition, list):
        return [[x if c else y for c, x, y in zip(condition, a, b)]]
    return [a if condition else b]


@register("arith.extui", "arith.index_castui", "arith.uitofp")
def extend_unsigned(machine, op, operands):
    bits = scalar_type(op.operand_types[0]).bits
    return elementwise(op, operands, lambda a: unsigned(a, bits))


@register("arith.extsi", "arith.sitofp")
def extend_signed(machine, op, operands):
    bits = scalar_type(op.operand_types[0]).bits
    return elementwise(op, operands, lambda a: -a if bits == 1 else a)


@register("arith.fptosi", "arith.fptoui")
def float_to_int(machine, op, operands):
    return elementwise(op, operands, int)


@register("arith.trunci", "arith.extf", "arith.truncf", "arith.index_cast", "arith.bitcast")
def convert(machine, op, operands):
    return elementwise(op, operands, lambda a: a)


# Affine.


@register("affine.apply", "affine.min", "affine.max")
def affine_apply(machine, op, operands):
    results = op.attributes["map"](operands)
    return [{"affine.apply": lambda r: r[0], "affine.min": min, "affine.max": max}[op.name](results)]


@register("affine.load")
def affine_load(machine, op, operands):
    return [operands[0].load(op.attributes["map"](operands[1:]))]


@register("affine.store")
def affine_store(machine, op, operands):
    operands[1].store(op.attributes["map"](operands[2:]), operands[0])
    return []


@register("affine.delinearize_index")
def delinearize(machine, op, operands):
    out, value = [], operands[0]
    for n in reversed(op.attributes["static_basis"]):
        out.insert(0, value % n)
        value //= n
    if len(out) < len(op.results):
        out.insert(0, value)
    return out


# Memrefs.


@register("memref.alloc", "memref.alloca")
def alloc(machine, op, operands):
    type, dynamic = op.result_types[0], iter(operands)
    sizes = [next(dynamic) if n is None else n for n in type.shape]
    make = lambda: MemRef.allocate(sizes, type.space, 0.0 if type.element.kind == "float" else 0)
    return [PerPe(make) if type.space == 2 and not machine.in_herd else make()]


@register("memref.dealloc", "memref.assume_alignment")
def nothing(machine, op, operands):
    return operands[:1] if op.results else []


@register("memref.load")
def load(machine, op, operands):
    return [operands[0].load(operands[1:])]


@register("memref.store")
def store(machine, op, operands):
    operands[1].store(operands[2:], operands[0])
    return []


@register("memref.atomic_rmw")
def atomic(machine, op, operands):
    value, memref, indices = operands[0], operands[1], operands[2:]
    old = memref.load(indices)
    kinds = [
        lambda a, b: a + b,
        lambda a, b: a + b,
        lambda a, b: a & b,
        lambda a, b: b,
        max,
        max,
        max,
        None,
        min,
        min,
    ]
    memref.store(indices, fit(kinds[op.attributes["kind"]](old, value), op.result_types[0]))
    return [old]


@register("memref.copy")
def copy(machine, op, operands):
    source, target = operands
    for p, v in zip(target.positions(), source.elements()):
        target.data[p] = v
    return []


@register("memref.dim")
def dim(machine, op, operands):
    return [operands[0].sizes[operands[1]]]


@register("memref.cast", "memref.memory_space_cast")
def cast(machine, op, operands):
    return operands


def mixed(static, dynamic):
    """A list of integers in which the dynamic ones are replaced by operands."""
    return [next(dynamic) if n == -(1 << 63) else n for n in static]


@register("memref.subview")
def subview(machine, op, operands):
    whole, dynamic = operands[0], iter(operands[1:])
    offsets = mixed(op.attributes["static_offsets"], dynamic)
    sizes = mixed(op.attributes["static_sizes"], dynamic)
    strides = mixed(op.attributes["static_strides"], dynamic)
    for o, n, s, extent in zip(offsets, sizes, strides, whole.sizes):
        if n and not (0 <= o and o + (n - 1) * s < extent):
            raise OutOfBounds(f"a subview at {offsets} of {sizes} of a memref of {whole.sizes}")
    start = whole.offset + sum(o * s for o, s in zip(offsets, whole.strides))
    steps = [s * w for s, w in zip(strides, whole.strides)]
    # A type of lower rank drops dimensions of size one.
    shape = op.result_types[0].shape
    drop = len(sizes) - len(shape)
    for i in reversed(range(len(sizes))):
        if drop and sizes[i] == 1 and (i >= len(shape) + drop or shape[i - drop : i - drop + 1] != [1]):
            del sizes[i], steps[i]
            drop -= 1
    return [MemRef(whole.data, start, sizes, steps, whole.space)]


@register("memref.collapse_shape", "memref.expand_shape", "memref.reshape")
def reshape(machine, op, operands):
    source, sizes = operands[0], list(op.result_types[0].shape)
    return [MemRef(source.data, source.offset, sizes, row_major(sizes), source.space)]


# Linalg.


def run_linalg(machine, op, operands, maps, count, body):
    """Runs a structured op: `body` computes the outputs of a point from the elements at it."""
    sizes = [None] * (maps[0].dims)
    for m, operand in zip(maps, operands):
        for dim, result in enumerate(m.positions):
            if result is not None and isinstance(operand, MemRef):
                sizes[result] = operand.sizes[dim]
    outputs = operands[len(operands) - count :]
    for point in strided_points(sizes):
        values = [o.load(m(point)) if isinstance(o, MemRef) else o for m, o in zip(maps, operands)]
        for output, m, value in zip(outputs, maps[len(operands) - count :], body(point, values)):
            output.store(m(point), value)
    return []


def strided_points(sizes):
    points = [[]]
    for n in sizes:
        points = [p + [i] for p in points for i in range(n)]
    return points


@register("linalg.generic")
def generic(machine, op, operands):
    block = op.regions[0][0]
    count = op.attributes["operandSegmentSizes"][1]

    def body(point, values):
        machine.point = point
        return machine.run_simple(block, values)

    return run_linalg(machine, op, operands, op.attributes["indexing_maps"], count, body)


@register("linalg.index")
def linalg_index(machine, op, operands):
    return [machine.point[op.attributes["dim"]]]


@register("linalg.fill")
def fill(machine, op, operands):
    value, target = operands
    for p in target.positions():
        target.data[p] = fit(value, op.operand_types[1].element)
    return []


@register("linalg.copy")
def linalg_copy(machine, op, operands):
    return copy(machine, op, operands)


def contraction(a_index, b_index, c_index, loops):
    """A product of two memrefs, as functions from a point to indices."""

    def run(machine, op, operands):
        a, b, c = operands
        element = op.operand_types[2].element
        for point in strided_points(loops(a, b, c)):
            at = c_index(point)
            value = c.load(at) + a.load(a_index(point)) * b.load(b_index(point))
            c.store(at, fit(value, element))
        return []

    return run


OPS["linalg.matmul"] = contraction(
    lambda p: (p[0], p[2]), lambda p: (p[2], p[1]), lambda p: (p[0], p[1]), lambda a, b, c: c.sizes + [a.sizes[1]]
)
OPS["linalg.matvec"] = contraction(
    lambda p: (p[0], p[1]), lambda p: (p[1],), lambda p: (p[0],), lambda a, b, c: list(a.sizes)
)
OPS["linalg.vecmat"] = contraction(
    lambda p: (p[1],), lambda p: (p[1], p[0]), lambda p: (p[0],), lambda a, b, c: [b.sizes[1], b.sizes[0]]
)
OPS["linalg.dot"] = contraction(lambda p: p, lambda p: p, lambda p: (), lambda a, b, c: list(a.sizes))
OPS["linalg.batch_matmul"] = contraction(
    lambda p: (p[0], p[1], p[3]),
    lambda p: (p[0], p[3], p[2]),
    lambda p: (p[0], p[1], p[2]),
    lambda a, b, c: c.sizes + [a.sizes[2]],
)
OPS["linalg.conv_2d_nchw_fchw"] = contraction(
    lambda p: (p[0], p[4], p[2] + p[5], p[3] + p[6]),
    lambda p: (p[1], p[4], p[5], p[6]),
    lambda p: tuple(p[:4]),
    lambda a, b, c: c.sizes + b.sizes[1:],
)
OPS["linalg.conv_2d"] = contraction(
    lambda p: (p[0] + p[2], p[1] + p[3]),
    lambda p: (p[2], p[3]),
    lambda p: tuple(p[:2]),
    lambda a, b, c: c.sizes + b.sizes,
)
OPS["linalg.conv_1d"] = contraction(
    lambda p: (p[0] + p[1],), lambda p: (p[1],), lambda p: (p[0],), lambda a, b, c: c.sizes + b.sizes
)

NAMED = {"add": "addf", "sub": "subf", "mul": "mulf", "div": "divf", "max": "maximumf", "min": "minimumf"}
for _name, _op in NAMED.items():

    def named(machine, op, operands, f=SIMPLE[_op]):
        a, b, c = operands
        element = op.operand_types[2].element
        for x, y, p in zip(a.elements(), b.elements(), c.positions()):
            c.data[p] = fit(f(x, y), element)
        return []

    OPS[f"linalg.{_name}"] = named


@register("linalg.transpose")
def transpose(machine, op, operands):
    source, target = operands
    order = op.attributes["permutation"]
    for point in strided_points(target.sizes):
        at = [0] * len(order)
        for i, d in enumerate(order):
            at[d] = point[i]
        target.store(point, source.load(at))
    return []


@register("linalg.broadcast")
def broadcast(machine, op, operands):
    source, target = operands
    added = op.attributes["dimensions"]
    for point in strided_points(target.sizes):
        target.store(point, source.load([x for i, x in enumerate(point) if i not in added]))
    return []


@register("linalg.reduce")
def reduce(machine, op, operands):
    source, target = operands
    dropped = op.attributes["dimensions"]
    for point in strided_points(source.sizes):
        at = [x for i, x in enumerate(point) if i not in dropped]
        [value] = machine.run_simple(op.regions[0][0], [source.load(point), target.load(at)])
        target.store(at, value)
    return []


# Vectors.


@register("vector.transfer_read")
def transfer_read(machine, op, operands):
    source, rank = operands[0], len(operands[0].sizes)
    indices, padding, shape = operands[1 : 1 + rank], operands[1 + rank], op.result_types[0].shape
    out = []
    for point in strided_points(shape):
        at = list(indices)
        for d, p in zip(op.attributes["permutation_map"].positions, point):
            if d is not None:
                at[d] += p
        inside = all(0 <= i < n for i, n in zip(at, source.sizes))
        out.append(source.load(at) if inside else padding)
    return [out]


@register("vector.transfer_write")
def transfer_write(machine, op, operands):
    value, target, indices = operands[0], operands[1], operands[2 : 2 + len(operands[1].sizes)]
    for point, v in zip(strided_points(op.operand_types[0].shape), value):
        at = list(indices)
        for d, p in zip(op.attributes["permutation_map"].positions, point):
            at[d] += p
        if all(0 <= i < n for i, n in zip(at, target.sizes)):
            target.store(at, v)
    return []


@register("vector.load")
def vector_load(machine, op, operands):
    source, indices = operands[0], operands[1:]
    return [[source.load(list(indices[:-1]) + [indices[-1] + i]) for i in range(op.result_types[0].shape[0])]]


@register("vector.store")
def vector_store(machine, op, operands):
    value, target, indices = operands[0], operands[1], operands[2:]
    for i, v in enumerate(value):
        target.store(list(indices[:-1]) + [indices[-1] + i], v)
    return []


@register("vector.broadcast", "vector.splat")
def vector_broadcast(machine, op, operands):
    [value], shape = operands, op.result_types[0].shape
    if not isinstance(value, list):
        return [[value] * math.prod(shape)]
    return [value * (math.prod(shape) // len(value))]


@register("vector.reduction")
def reduction(machine, op, operands):
    kind = re_kind(op.attributes["kind"])
    f = {"add": lambda a, b: a + b, "mul": lambda a, b: a * b}.get(kind, max if "max" in kind else min)
    values = operands[0] + operands[1:]
    acc = values[0]
    for v in values[1:]:
        acc = fit(f(acc, v), op.result_types[0])
    return [acc]


def re_kind(text):
    return text.split("<")[1].rstrip(">")


@register("vector.fma")
def vector_fma(machine, op, operands):
    return elementwise(op, operands, lambda a, b, c: a * b + c)


@register("ub.poison")
def poison(machine, op, operands):
    return [0]
