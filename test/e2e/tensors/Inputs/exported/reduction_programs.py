"""Reductions and contractions with unusual maps, bodies, orders and numbers of results."""

import numpy as np

from forms import form
from programs import integers, normal
from texts import dims, empty, fill, generic, mapped

I64 = np.int64
LOW = "0xFF800000"
MAC = "%p = arith.mulf %x0, %x1 : f32\n%v = arith.addf %y0, %p : f32\nyield %v f32"


def chain(function, x, start):
    """A reduction of the last axis in its order."""
    state = np.full(x.shape[:-1], start, x.dtype)
    for k in range(x.shape[-1]):
        state = function(state, x[..., k]).astype(x.dtype)
    return state


def ordered(name, x, body, function, init="0.0", element="f32", tolerance=1e-5):
    """A reduction of which the result depends on the order of its elements."""
    form(
        name,
        [x],
        fill("%t0", "$r", init, element) + generic("%r", "ij->i", f"%a $a {element}", f"%t0 $r {element}", body, "j"),
        lambda x: chain(function, x, float(init) if element[0] == "f" else int(init)),
        tolerance,
    )


ordered(
    "horner",
    normal(3, 12),
    "%h = arith.constant 0.5 : f32\n%p = arith.mulf %y0, %h : f32\n%v = arith.addf %p, %x0 : f32\nyield %v f32",
    lambda s, v: s * np.float32(0.5) + v,
)
ordered(
    "hash",
    integers(3, 20, low=0, high=256),
    "%h = arith.constant 31 : i32\n%p = arith.muli %y0, %h : i32\n%v = arith.addi %p, %x0 : i32\nyield %v i32",
    lambda s, v: s * np.int32(31) + v,
    "7",
    "i32",
    0,
)
ordered(
    "alternating-differences",
    integers(4, 9),
    "%v = arith.subi %x0, %y0 : i32\nyield %v i32",
    lambda s, v: v - s,
    "3",
    "i32",
    0,
)
ordered("quotients", np.abs(normal(3, 5)) + 1, "%v = arith.divf %y0, %x0 : f32\nyield %v f32", np.divide, "100.0")
ordered(
    "decaying-maximum",
    normal(3, 14),
    "%h = arith.constant 0.9 : f32\n%p = arith.mulf %y0, %h : f32\n%v = arith.maximumf %p, %x0 : f32\nyield %v f32",
    lambda s, v: np.maximum(s * np.float32(0.9), v),
    "-5.0",
)
ordered(
    "clamped-walk",
    normal(3, 40),
    "%o = arith.constant 1.0 : f32\n%n = arith.constant -1.0 : f32\n%p = arith.addf %y0, %x0 : f32\n"
    "%q = arith.minimumf %p, %o : f32\n%v = arith.maximumf %q, %n : f32\nyield %v f32",
    lambda s, v: np.clip(s + v, -1, 1),
)
ordered(
    "last-positive",
    normal(5, 11),
    "%z = arith.constant 0.0 : f32\n%p = arith.cmpf ogt, %x0, %z : f32\n%v = arith.select %p, %x0, %y0 : f32\n"
    "yield %v f32",
    lambda s, v: np.where(v > 0, v, s),
    "-1.0",
)
ordered(
    "negated-sum",
    normal(4, 9),
    "%p = arith.addf %x0, %y0 : f32\n%v = arith.negf %p : f32\nyield %v f32",
    lambda s, v: -(s + v),
)
ordered(
    "shifted-bits",
    integers(4, 20, low=0, high=2),
    "%o = arith.constant 1 : i32\n%p = arith.shli %y0, %o : i32\n%v = arith.ori %p, %x0 : i32\nyield %v i32",
    lambda s, v: (s << 1) | v,
    "0",
    "i32",
    0,
)
ordered(
    "subtracted-products",
    normal(4, 9),
    "%p = arith.mulf %x0, %x0 : f32\n%v = arith.subf %y0, %p : f32\nyield %v f32",
    lambda s, v: s - v * v,
    "2.0",
)


def welford(x):
    mean, m2 = np.zeros(len(x), np.float32), np.zeros(len(x), np.float32)
    for k in range(x.shape[1]):
        delta = x[:, k] - mean
        mean = mean + delta / np.float32(k + 1)
        m2 = m2 + delta * (x[:, k] - mean)
    return mean, m2


form(
    "welford",
    [normal(5, 21)],
    fill("%t0", "$r")
    + fill("%t1", "$s")
    + generic(
        "%q:2",
        "ij->i,i",
        "%a $a f32",
        "%t0 $r f32; %t1 $s f32",
        "%j = linalg.index 1 : index\n%j1 = arith.index_cast %j : index to i32\n%c1 = arith.constant 1 : i32\n"
        "%j2 = arith.addi %j1, %c1 : i32\n%n = arith.sitofp %j2 : i32 to f32\n%d = arith.subf %x0, %y0 : f32\n"
        "%e = arith.divf %d, %n : f32\n%m = arith.addf %y0, %e : f32\n%f = arith.subf %x0, %m : f32\n"
        "%g = arith.mulf %d, %f : f32\n%v = arith.addf %y1, %g : f32\nyield %m f32, %v f32",
        "j",
    )
    + "%r = tensor.cast %q#0 : $r to $r\n%s = tensor.cast %q#1 : $s to $s",
    welford,
    1e-4,
)


def online(x):
    top, total = np.full(len(x), -np.inf, np.float32), np.zeros(len(x), np.float32)
    for k in range(x.shape[1]):
        new = np.maximum(top, x[:, k])
        total = total * np.exp(top - new) + np.exp(x[:, k] - new)
        top = new
    return top, total


form(
    "online-softmax-statistics",
    [normal(4, 33)],
    fill("%t0", "$r", LOW)
    + fill("%t1", "$s")
    + generic(
        "%q:2",
        "ij->i,i",
        "%a $a f32",
        "%t0 $r f32; %t1 $s f32",
        "%m = arith.maximumf %y0, %x0 : f32\n%d = arith.subf %y0, %m : f32\n%e = math.exp %d : f32\n"
        "%f = arith.mulf %y1, %e : f32\n%g = arith.subf %x0, %m : f32\n%h = math.exp %g : f32\n"
        "%v = arith.addf %f, %h : f32\nyield %m f32, %v f32",
        "j",
    )
    + "%r = tensor.cast %q#0 : $r to $r\n%s = tensor.cast %q#1 : $s to $s",
    online,
    1e-4,
)
form(
    "four-statistics",
    [normal(6, 70)],
    fill("%t0", "$r")
    + fill("%t1", "$s")
    + fill("%t2", "$t", LOW)
    + fill("%t3", "$u", "0x7F800000")
    + generic(
        "%q:4",
        "ij->i,i,i,i",
        "%a $a f32",
        "%t0 $r f32; %t1 $s f32; %t2 $t f32; %t3 $u f32",
        "%s0 = arith.addf %y0, %x0 : f32\n%p = arith.mulf %x0, %x0 : f32\n%s1 = arith.addf %y1, %p : f32\n"
        "%s2 = arith.maximumf %y2, %x0 : f32\n%s3 = arith.minimumf %y3, %x0 : f32\n"
        "yield %s0 f32, %s1 f32, %s2 f32, %s3 f32",
        "j",
    )
    + "".join(f"%{v} = tensor.cast %q#{n} : ${v} to ${v}\n" for n, v in enumerate("rstu")),
    lambda x: (x.sum(1), (x * x).sum(1), x.max(1), x.min(1)),
    1e-4,
)
form(
    "sum-and-broadcast-together",
    [normal(5, 9)],
    fill("%t0", "$r")
    + empty("%t1", "$s")
    + generic(
        "%q:2",
        "ij->i,ij",
        "%a $a f32",
        "%t0 $r f32; %t1 $s f32",
        "%v = arith.addf %y0, %x0 : f32\n%w = arith.mulf %x0, %x0 : f32\nyield %v f32, %w f32",
        "j",
    )
    + "%r = tensor.cast %q#0 : $r to $r\n%s = tensor.cast %q#1 : $s to $s",
    lambda x: (x.sum(1), x * x),
    1e-5,
)
form(
    "running-sum-as-second-result",
    [normal(5, 9)],
    fill("%t0", "$r")
    + empty("%t1", "$s")
    + generic(
        "%q:2",
        "ij->i,ij",
        "%a $a f32",
        "%t0 $r f32; %t1 $s f32",
        "%v = arith.addf %y0, %x0 : f32\nyield %v f32, %v f32",
        "j",
    )
    + "%r = tensor.cast %q#0 : $r to $r\n%s = tensor.cast %q#1 : $s to $s",
    lambda x: (x.sum(1), np.cumsum(x, 1)),
    1e-5,
)
form(
    "arg-min-max-ties",
    [integers(7, 40, low=-3, high=4)],
    "%big = arith.constant 2147483647 : i32\n"
    + "".join(fill(f"%t{n}", "tensor<7xi32>", v, "i32") for n, v in enumerate(["-2147483648", "0", "2147483647", "0"]))
    + generic(
        "%q:4",
        "ij->i,i,i,i",
        "%a $a i32",
        "; ".join(f"%t{n} tensor<7xi32> i32" for n in range(4)),
        "%j = linalg.index 1 : index\n%k = arith.index_cast %j : index to i32\n%g = arith.cmpi sgt, %x0, %y0 : i32\n"
        "%s0 = arith.select %g, %x0, %y0 : i32\n%s1 = arith.select %g, %k, %y1 : i32\n"
        "%l = arith.cmpi sle, %x0, %y2 : i32\n%s2 = arith.select %l, %x0, %y2 : i32\n"
        "%s3 = arith.select %l, %k, %y3 : i32\nyield %s0 i32, %s1 i32, %s2 i32, %s3 i32",
        "j",
    )
    + "%r = tensor.cast %q#1 : $r to $r\n%s = tensor.cast %q#3 : $s to $s",
    lambda x: (x.argmax(1).astype(np.int32), (39 - x[:, ::-1].argmin(1)).astype(np.int32)),
    0,
)


def arg_nan(x):
    return x.argmax(0).astype(I64)


HOLES = normal(30, 6)
HOLES[4, 1] = HOLES[20, 1] = HOLES[29, 3] = HOLES[0, 5] = np.nan
form(
    "argmax-with-nan-of-columns",
    [HOLES],
    fill("%t0", "tensor<6xf32>", LOW)
    + fill("%t1", "$r", "0", "i64")
    + empty("%e", "tensor<30x6xi64>")
    + generic(
        "%ids",
        "->ij",
        "",
        "%e tensor<30x6xi64> i64",
        "%i = linalg.index 0 : index\n%v = arith.index_cast %i : index to i64\nyield %v i64",
    )
    + generic(
        "%q:2",
        "ij,ij->j,j",
        "%a $a f32; %ids tensor<30x6xi64> i64",
        "%t0 tensor<6xf32> f32; %t1 $r i64",
        "%g = arith.cmpf ogt, %y0, %x0 : f32\n%n = arith.cmpf une, %y0, %y0 : f32\n%p = arith.ori %g, %n : i1\n"
        "%e0 = arith.cmpf oeq, %y0, %x0 : f32\n%l = arith.cmpi slt, %y1, %x1 : i64\n%m = arith.andi %e0, %l : i1\n"
        "%o = arith.ori %p, %m : i1\n%v = arith.select %p, %y0, %x0 : f32\n%w = arith.select %o, %y1, %x1 : i64\n"
        "yield %v f32, %w i64",
        "i",
    )
    + "%r = tensor.cast %q#1 : $r to $r",
    arg_nan,
    0,
)
for name, op, function, init, dtype in [
    ("and", "andi", np.bitwise_and, "-1", np.int32),
    ("or", "ori", np.bitwise_or, "0", np.int16),
    ("xor", "xori", np.bitwise_xor, "0", np.int8),
    ("product", "muli", np.multiply, "1", I64),
    ("unsigned-maximum", "maxui", lambda *a: None, "0", np.int32),
]:
    x = integers(6, 4, 50, low=-100, high=100, seed=4, dtype=dtype) | dtype(1)
    element = f"i{np.dtype(dtype).itemsize * 8}"
    form(
        f"reduce-outer-{name}",
        [x],
        fill("%t0", "$r", init, element)
        + f"%r = linalg.reduce {{ arith.{op} }} ins(%a : $a) outs(%t0 : $r) dimensions = [0, 2]",
        (lambda x, f=function: f.reduce(f.reduce(x, 2), 0))
        if op != "maxui"
        else lambda x: x.view(np.uint32).max((0, 2)).view(np.int32),
        0,
    )
for name, op, function, init in [
    ("any", "ori", np.any, "false"),
    ("all", "andi", np.all, "true"),
    ("parity", "xori", lambda x, a: x.sum(a) % 2 == 1, "false"),
]:
    form(
        f"reduce-booleans-{name}",
        [integers(5, 60, low=0, high=40) > 0 if name == "all" else integers(5, 60, low=0, high=40) == 0],
        f"%t0_c = arith.constant {init}\n"
        + fill("%t0", "$r", init, "i1").replace(f"%t0_c = arith.constant {init} : i1\n", "")
        + generic("%r", "ij->i", "%a $a i1", "%t0 $r i1", f"%v = arith.{op} %y0, %x0 : i1\nyield %v i1", "j"),
        lambda x, f=function: f(x, 1),
        0,
    )

# Contractions.
SEMIRINGS = [
    (
        "min-plus",
        "%p = arith.addf %x0, %x1 : f32\n%v = arith.minimumf %y0, %p : f32\nyield %v f32",
        "0x7F800000",
        lambda x, y: (x[:, :, None] + y[None]).min(1),
    ),
    (
        "max-times",
        "%p = arith.mulf %x0, %x1 : f32\n%v = arith.maximumf %p, %y0 : f32\nyield %v f32",
        LOW,
        lambda x, y: (x[:, :, None] * y[None]).max(1),
    ),
    (
        "distance",
        "%p = arith.subf %x0, %x1 : f32\n%q = arith.mulf %p, %p : f32\n%v = arith.addf %q, %y0 : f32\n" "yield %v f32",
        "0.0",
        lambda x, y: ((x[:, :, None] - y[None]) ** 2).sum(1),
    ),
    (
        "minus-product",
        "%p = arith.mulf %x0, %x1 : f32\n%v = arith.subf %y0, %p : f32\nyield %v f32",
        "1.0",
        lambda x, y: 1 - x @ y,
    ),
    (
        "absolute",
        "%p = arith.subf %x0, %x1 : f32\n%q = math.absf %p : f32\n%v = arith.addf %y0, %q : f32\n" "yield %v f32",
        "0.0",
        lambda x, y: np.abs(x[:, :, None] - y[None]).sum(1),
    ),
]
for name, body, init, function in SEMIRINGS:
    for rows, depth, columns in [(5, 7, 6), (32, 32, 48)]:
        form(
            f"semiring-{name}-{rows}",
            [normal(rows, depth), normal(depth, columns, seed=1)],
            fill("%t0", "$r", init) + generic("%r", "ik,kj->ij", "%a $a f32; %b $b f32", "%t0 $r f32", body, "k"),
            function,
            1e-4,
        )
BITS = integers(6, 3, low=-(2**31), high=2**31, dtype=I64).astype(np.int32)
form(
    "binary-network",
    [BITS, np.roll(BITS, 2, 0)[:5] ^ np.int32(12345)],
    fill("%t0", "$r", "0", "i32")
    + generic(
        "%r",
        "ik,jk->ij",
        "%a $a i32; %b $b i32",
        "%t0 $r i32",
        "%p = arith.xori %x0, %x1 : i32\n%q = math.ctpop %p : i32\n%v = arith.addi %y0, %q : i32\nyield %v i32",
        "k",
    ),
    lambda x, y: np.array([[sum(bin(int(p) & 0xFFFFFFFF).count("1") for p in u ^ v) for v in y] for u in x], np.int32),
    0,
)
for name, maps, shapes, reduced, subscripts in [
    ("bilinear", "bi,ijk,bk->bj", [(4, 5), (5, 6, 3), (4, 3)], "ik", "bi,ijk,bk->bj"),
    ("three-factors", "ij,jk,kl->il", [(4, 5), (5, 6), (6, 3)], "jk", "ij,jk,kl->il"),
    ("tucker", "ijk,ai,bj->abk", [(3, 4, 5), (2, 3), (6, 4)], "ij", "ijk,ai,bj->abk"),
]:
    form(
        f"contract-{name}",
        [normal(*s, seed=n) for n, s in enumerate(shapes)],
        fill("%t0", "$r")
        + generic(
            "%r",
            maps,
            "%a $a f32; %b $b f32; %c $c f32",
            "%t0 $r f32",
            "%p = arith.mulf %x0, %x1 : f32\n%q = arith.mulf %p, %x2 : f32\n%v = arith.addf %q, %y0 : f32\n"
            "yield %v f32",
            reduced,
        ),
        lambda x, y, z, s=subscripts: np.einsum(s, x, y, z),
        1e-4,
    )
for name, maps, shapes, reduced in [
    ("gram", "ik,jk->ij", [(40, 24), None], "k"),
    ("trace", "ij,ji->", [(9, 11), (11, 9)], "ij"),
    ("diagonal", "ij,ji->i", [(9, 11), (11, 9)], "j"),
    ("outer", "i,j->ij", [(9,), (33,)], ""),
    ("hadamard-rows", "ijk,ijk->i", [(5, 6, 7), (5, 6, 7)], "jk"),
    ("five-dims", "abcde,edf->fbac", [(2, 3, 4, 5, 6), (6, 5, 7)], "de"),
    ("batch-inside", "mbk,knb->nmb", [(5, 3, 8), (8, 6, 3)], "k"),
    ("sum-one-operand", "ik,kj->i", [(5, 8), (8, 6)], "kj"),
    ("column-of-scalars", "ik,jk->ji", [(1, 64), (48, 64)], "k"),
    ("two-batches", "abik,bakj->abij", [(2, 3, 16, 16), (3, 2, 16, 32)], "k"),
]:
    arguments = [normal(*shapes[0])] + ([normal(*shapes[1], seed=1)] if shapes[1] else [])
    second = "%b $b f32" if shapes[1] else "%a $a f32"
    form(
        f"contract-{name}",
        arguments,
        fill("%t0", "$r") + generic("%r", maps, f"%a $a f32; {second}", "%t0 $r f32", MAC, reduced),
        lambda *v, s=maps: np.einsum(s, v[0], v[-1]),
        1e-4,
    )
for transpose, maps in [("nt", "ik,jk->ij"), ("tn", "ki,kj->ij"), ("tt", "ki,jk->ij")]:
    shapes = {"i": 37, "j": 21, "k": 50}
    left, right = maps.split("->")[0].split(",")
    form(
        f"matmul-dynamic-{transpose}-f16",
        [
            normal(*(shapes[c] for c in left), dtype=np.float16),
            normal(*(shapes[c] for c in right), dtype=np.float16),
            normal(37, 21, seed=3),
        ],
        generic(
            "%r",
            maps,
            "%a $a f16; %b $b f16",
            "%c $c f32",
            "%u = arith.extf %x0 : f16 to f32\n%w = arith.extf %x1 : f16 to f32\n%p = arith.mulf %u, %w : f32\n"
            "%v = arith.addf %y0, %p : f32\nyield %v f32",
            "k",
        ),
        lambda x, y, z, s=maps: np.einsum(s, x.astype(np.float32), y.astype(np.float32)) + z,
        1e-3,
        dynamic=True,
    )
form(
    "matmul-per-channel-zero-points",
    [
        integers(6, 32, low=-128, high=128, dtype=np.int8),
        integers(32, 20, low=-128, high=128, seed=1, dtype=np.int8),
        integers(20, low=-9, high=9, seed=2),
        np.array(5, np.int32),
    ],
    fill("%t0", "$r", "0", "i32")
    + generic(
        "%r",
        "ik,kj,j,->ij",
        "%a $a i8; %b $b i8; %c $c i32; %d $d i32",
        "%t0 $r i32",
        "%p = arith.extsi %x0 : i8 to i32\n%q = arith.extsi %x1 : i8 to i32\n%s0 = arith.subi %p, %x3 : i32\n"
        "%t9 = arith.subi %q, %x2 : i32\n%u = arith.muli %s0, %t9 : i32\n%v = arith.addi %y0, %u : i32\nyield %v i32",
        "k",
    ),
    lambda x, y, z, w: (x.astype(np.int32) - w) @ (y.astype(np.int32) - z),
    0,
)
form(
    "matmul-masked",
    [normal(8, 16), normal(16, 12, seed=1), normal(8, 16, seed=2) > 0],
    "%zero = arith.constant 0.0 : f32\n"
    + fill("%t0", "$r")
    + generic(
        "%r",
        "ik,kj,ik->ij",
        "%a $a f32; %b $b f32; %c $c i1",
        "%t0 $r f32",
        "%m = arith.select %x2, %x0, %zero : f32\n%p = arith.mulf %m, %x1 : f32\n%v = arith.addf %y0, %p : f32\n"
        "yield %v f32",
        "k",
    ),
    lambda x, y, m: np.where(m, x, 0) @ y,
    1e-4,
)
form(
    "matmul-triangular",
    [normal(9, 9), normal(9, 5, seed=1)],
    fill("%t0", "$r")
    + generic(
        "%r",
        "ik,kj->ij",
        "%a $a f32; %b $b f32",
        "%t0 $r f32",
        "%i = linalg.index 0 : index\n%k = linalg.index 2 : index\n%g = arith.cmpi ule, %k, %i : index\n"
        "%p = arith.mulf %x0, %x1 : f32\n%q = arith.addf %y0, %p : f32\n%v = arith.select %g, %q, %y0 : f32\n"
        "yield %v f32",
        "k",
    ),
    lambda x, y: np.tril(x) @ y,
    1e-4,
)
form(
    "sum-into-one-element",
    [normal(6, 7), normal(1, seed=1)],
    mapped("%r", "i j", ["i, j", "0"], "%a $a f32", "%b $b f32", "%v = arith.addf %x0, %y0 : f32\nyield %v f32", "ij"),
    lambda x, y: y + x.sum(),
    1e-5,
)
form(
    "sum-into-row",
    [normal(6, 7), normal(3, 7, seed=1)],
    mapped(
        "%r", "i j", ["i, j", "1, j"], "%a $a f32", "%b $b f32", "%v = arith.addf %x0, %y0 : f32\nyield %v f32", "i"
    ),
    lambda x, y: y + np.outer([0, 1, 0], x.sum(0)).astype(np.float32),
    1e-5,
)
form(
    "strided-sums",
    [normal(24)],
    fill("%t0", "$r")
    + "%t1 = tensor.expand_shape %a [[0, 1]] output_shape [4, 6] : $a into tensor<4x6xf32>\n"
    + generic(
        "%r", "ij->j", "%t1 tensor<4x6xf32> f32", "%t0 $r f32", "%v = arith.addf %x0, %y0 : f32\nyield %v f32", "i"
    ),
    lambda x: x.reshape(4, 6).sum(0),
    1e-5,
)
form(
    "dynamic-mean-and-variance",
    [normal(7, 13)],
    dims("%a", "$a", 0, 1)
    + "%n0 = arith.index_cast %a1 : index to i64\n%n = arith.sitofp %n0 : i64 to f32\n"
    + fill("%t0", "$r", sizes="%a0")
    + generic("%t1", "ij->i", "%a $a f32", "%t0 $r f32", "%v = arith.addf %x0, %y0 : f32\nyield %v f32", "j")
    + generic("%r", "i->i", "%t1 $r f32", "%t0_e $r f32", "%v = arith.divf %x0, %n : f32\nyield %v f32")
    + generic(
        "%t2",
        "ij,i->i",
        "%a $a f32; %r $r f32",
        "%t0 $r f32",
        "%d = arith.subf %x0, %x1 : f32\n%e = arith.mulf %d, %d : f32\n%v = arith.addf %e, %y0 : f32\nyield %v f32",
        "j",
    )
    + generic("%s", "i->i", "%t2 $r f32", "%t0_e $r f32", "%v = arith.divf %x0, %n : f32\nyield %v f32"),
    lambda x: (x.mean(1), x.var(1)),
    1e-5,
    dynamic=True,
)
