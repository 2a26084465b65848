"""Sizes of 0, narrow types, and tensors of i1 and index."""

import math

import numpy as np

from forms import form
from programs import integers, normal, softmax
from texts import dims, empty, fill, generic, pad, shape

I64 = np.int64


def q4(x):
    grid = np.array([0, 0.5, 1, 1.5, 2, 3, 4, 6])

    # ties to even code
    def one(v):
        d = np.abs(grid - abs(v))
        m = d.min()
        c = [i for i in range(8) if d[i] == m]
        c = c[0] if len(c) == 1 else [i for i in c if i % 2 == 0][0]
        return math.copysign(grid[c], v)

    return np.vectorize(one)(x)


def scaled(a, b, c, d):
    s = lambda v: 2.0 ** (v.astype(np.float64) - 127)
    return np.einsum("mkb,nkb->mn", q4(a) * s(c)[..., None], q4(b) * s(d)[..., None]).astype(np.float32)


# zero sizes
def dyn(*s):
    return "tensor<" + "?x" * len(s) + "f32>"


for shape in [(0, 5), (4, 0), (0, 0), (3, 5)]:
    form(
        f"zero-softmax-{shape}",
        [normal(*shape)],
        dims("%a", "$a", 0, 1)
        + empty("%t0", "$r", "%a0, %a1")
        + "%r = linalg.softmax dimension(1) ins(%a : $a) outs(%t0 : $r) -> $r",
        (lambda x: softmax(x)) if shape[1] else (lambda x: x),
        1e-5,
        dynamic=True,
    )
    for name, loops, reduced, kept, axes in [
        ("sum", "ij->i", "j", [0], 1),
        ("all", "ij->", "ij", [], (0, 1)),
        ("colsum", "ij->j", "i", [1], 0),
    ]:
        form(
            f"zero-{name}-{shape}",
            [normal(*shape)],
            dims("%a", "$a", *kept)
            + fill("%t0", "$r", sizes=", ".join(f"%a{dim}" for dim in kept))
            + generic(
                "%r", loops, "%a $a f32", "%t0 $r f32", "%v0 = arith.addf %x0, %y0 : f32\nyield %v0 f32", reduced
            ),
            lambda x, axes=axes: x.sum(axes),
            1e-5,
            dynamic=True,
        )
    form(
        f"zero-concat-{shape}",
        [normal(*shape), normal(2, shape[1])],
        ("%t0 = tensor.concat dim(0) %a, %b : ($a, $b) -> $r\n" "%r = math.absf %t0 : $r"),
        lambda x, y: np.abs(np.concatenate([x, y])),
        0,
        dynamic=True,
    )
    form(
        f"zero-pad-{shape}",
        [normal(*shape)],
        pad("%r", "%a", "$a", [1, 0], [0, 2], "$r", "2.5"),
        lambda x: np.pad(x, ((1, 0), (0, 2)), constant_values=2.5),
        0,
        dynamic=True,
    )
    form(
        f"zero-transpose-{shape}",
        [normal(*shape)],
        dims("%a", "$a", 0, 1)
        + empty("%t0", "$r", "%a1, %a0")
        + "%r = linalg.transpose ins(%a : $a) outs(%t0 : $r) permutation = [1, 0]",
        lambda x: x.T,
        0,
        dynamic=True,
    )
    form(
        f"zero-collapse-{shape}",
        [normal(*shape)],
        ("%t0 = math.absf %a : $a\n" "%r = tensor.collapse_shape %t0 [[0, 1]] : $a into $r"),
        lambda x: np.abs(x).reshape(-1),
        0,
        dynamic=True,
    )
    for name, rows, element, tolerance in [("matmul", 3, np.float32, 1e-5), ("matmul-f16", 32, np.float16, 1e-2)]:
        form(
            f"zero-{name}-{shape}",
            [normal(rows, shape[0], dtype=element), normal(*shape, dtype=element)],
            dims("%a", "$a", 0)
            + dims("%b", "$b", 1)
            + fill("%t0", "$r", sizes="%a0, %b1")
            + "%r = linalg.matmul ins(%a, %b : $a, $b) outs(%t0 : $r) -> $r",
            lambda x, y: x.astype(np.float32) @ y.astype(np.float32),
            tolerance,
            dynamic=True,
        )
form(
    "zero-expand",
    [normal(0, 6)],
    dims("%a", "$a", 0)
    + ("%t0 = tensor.expand_shape %a [[0], [1, 2]] output_shape [%a0, 2, 3] : $a into $r\n" "%r = math.absf %t0 : $r"),
    lambda x: x.reshape(0, 2, 3),
    0,
    types={"a": "tensor<?x6xf32>", "r": "tensor<?x2x3xf32>"},
)
form(
    "zero-gather",
    [normal(5, 6), np.zeros((0, 1), I64)],
    "%r = tensor.gather %a[%b] gather_dims([0]) : ($a, $b) -> $r",
    lambda x, i: np.zeros((0, 6), np.float32),
    0,
    dynamic="br",
    types={"r": "tensor<?x6xf32>", "b": "tensor<?x1xi64>"},
)
form(
    "zero-batch-matmul",
    [normal(0, 4, 5), normal(0, 5, 6)],
    dims("%a", "$a", 0)
    + fill("%t0", "$r", sizes="%a0")
    + "%r = linalg.batch_matmul ins(%a, %b : $a, $b) outs(%t0 : $r) -> $r",
    lambda x, y: x @ y,
    0,
    types={"a": "tensor<?x4x5xf32>", "b": "tensor<?x5x6xf32>", "r": "tensor<?x4x6xf32>"},
)
form(
    "zero-conv",
    [normal(0, 8, 8, 3), normal(3, 3, 3, 4)],
    dims("%a", "$a", 0)
    + fill("%t0", "$r", sizes="%a0")
    + "%r = linalg.conv_2d_nhwc_hwcf ins(%a, %b : $a, $b) outs(%t0 : $r) -> $r",
    lambda x, y: np.zeros((0, 6, 6, 4), np.float32),
    0,
    types={"a": "tensor<?x8x8x3xf32>", "r": "tensor<?x6x6x4xf32>"},
)
form(
    "zero-layernorm-static",
    [normal(0, 8)],
    fill("%t0", "tensor<0xf32>")
    + generic(
        "%t1", "ij->i", "%a $a f32", "%t0 tensor<0xf32> f32", ("%v0 = arith.addf %x0, %y0 : f32\n" "yield %v0 f32"), "j"
    )
    + empty("%t2", "$r")
    + generic(
        "%r",
        "ij,i->ij",
        "%a $a f32; %t1 tensor<0xf32> f32",
        "%t2 $r f32",
        ("%v0 = arith.subf %x0, %x1 : f32\n" "yield %v0 f32"),
    ),
    lambda x: x,
)
form(
    "zero-max-init",
    [normal(3, 0)],
    fill("%t0", "$r", "0xFF800000")
    + generic("%r", "ij->i", "%a $a f32", "%t0 $r f32", ("%v0 = arith.maximumf %x0, %y0 : f32\n" "yield %v0 f32"), "j"),
    lambda x: np.full(3, -np.inf, np.float32),
)
form(
    "zero-insert-slice",
    [normal(4, 5), normal(0, 5)],
    dims("%b", "$b", 0)
    + ("%t0 = tensor.insert_slice %b into %a[1, 0] [%b0, 5] [1, 1] : $b into $a\n" "%r = math.absf %t0 : $r"),
    lambda x, y: np.abs(x),
    0,
    types={"b": "tensor<?x5xf32>"},
)
form(
    "zero-loop",
    [normal(4, 5), 0],
    (
        "%c0 = arith.constant 0 : index\n"
        "%c1 = arith.constant 1 : index\n"
        "%r = scf.for %i = %c0 to %b step %c1 iter_args(%v = %a) -> $r {\n"
        "%t0 = math.absf %v : $a\n"
        "scf.yield %t0 : $a\n"
        "}"
    ),
    lambda x, n: x,
)

# types
form(
    "i2-trunc",
    [integers(8, low=0, high=4)],
    (
        "%t0 = arith.trunci %a : $a to tensor<8xi2>\n"
        "%t1 = arith.addi %t0, %t0 : tensor<8xi2>\n"
        "%r = arith.extui %t1 : tensor<8xi2> to $r"
    ),
    lambda x: (x * 2) % 4,
)
form(
    "i3-ext",
    [integers(8, low=0, high=8)],
    ("%t0 = arith.trunci %a : $a to tensor<8xi3>\n" "%r = arith.extsi %t0 : tensor<8xi3> to $r"),
    lambda x: ((x % 8) ^ 4) - 4,
)
form(
    "i12",
    [integers(8, low=-3000, high=3000)],
    ("%t0 = arith.trunci %a : $a to tensor<8xi12>\n" "%r = arith.extsi %t0 : tensor<8xi12> to $r"),
    lambda x: ((x & 4095) ^ 2048) - 2048,
)
form(
    "i24-arith",
    [integers(8, low=-3000, high=3000)],
    (
        "%t0 = arith.trunci %a : $a to tensor<8xi24>\n"
        "%t1 = arith.muli %t0, %t0 : tensor<8xi24>\n"
        "%r = arith.extsi %t1 : tensor<8xi24> to $r"
    ),
    lambda x: (((x * x) & 0xFFFFFF) ^ 0x800000) - 0x800000,
)
form(
    "f4-roundtrip",
    [np.array([0, 0.5, 1, 1.5, 2, 3, 4, 6, -1, -6, 0.25, 5], np.float32)],
    ("%t0 = arith.truncf %a : $a to tensor<12xf4E2M1FN>\n" "%r = arith.extf %t0 : tensor<12xf4E2M1FN> to $r"),
    lambda x: np.array([0, 0.5, 1, 1.5, 2, 3, 4, 6, -1, -6, 0, 4], np.float32),
)
form(
    "f8e8m0-scale",
    [np.array([126, 127, -128, -126], np.int8)],
    ("%t0 = arith.bitcast %a : $a to tensor<4xf8E8M0FNU>\n" "%r = arith.extf %t0 : tensor<4xf8E8M0FNU> to $r"),
    lambda x: np.array([0.5, 1, 2, 8], np.float32),
)
form(
    "scaling-extf",
    [np.array([[1, 2, 3, -4.0]], np.float32), np.array([[-128, 126, 127, 127]], np.int8)],
    (
        "%t0 = arith.truncf %a : $a to tensor<1x4xf4E2M1FN>\n"
        "%t1 = arith.bitcast %b : $b to tensor<1x4xf8E8M0FNU>\n"
        "%r = arith.scaling_extf %t0, %t1 : tensor<1x4xf4E2M1FN>, tensor<1x4xf8E8M0FNU> to $r"
    ),
    lambda x, s: np.array([[2, 1, 3, -4.0]], np.float32),
)
form(
    "scaling-truncf",
    [np.array([[1, 2, 3, -4.0]], np.float32), np.array([[-128, 126, 127, 127]], np.int8)],
    (
        "%t1 = arith.bitcast %b : $b to tensor<1x4xf8E8M0FNU>\n"
        "%t0 = arith.scaling_truncf %a, %t1 : $a, tensor<1x4xf8E8M0FNU> to tensor<1x4xf4E2M1FN>\n"
        "%r = arith.extf %t0 : tensor<1x4xf4E2M1FN> to $r"
    ),
    lambda x, s: np.array([[0.5, 4, 3, -4.0]], np.float32),
)
form(
    "f6-roundtrip",
    [np.array([0, 0.5, 1, 1.5, 2, 3, 4, 6, -1, -6], np.float32)],
    "%t0 = arith.truncf %a : $a to tensor<10xf6E2M3FN>\n%r = arith.extf %t0 : tensor<10xf6E2M3FN> to $r",
    lambda x: x,
)
form(
    "f8e4m3",
    [np.array([0, 0.5, 1, 1.5, 2, 3, 4, 6, -1, -6], np.float32)],
    "%t0 = arith.truncf %a : $a to tensor<10xf8E4M3>\n%r = arith.extf %t0 : tensor<10xf8E4M3> to $r",
    lambda x: x,
)
form(
    "f8e3m4",
    [np.array([0, 0.5, 1, 1.5, 2, 3, 4, 6, -1, -6], np.float32)],
    "%t0 = arith.truncf %a : $a to tensor<10xf8E3M4>\n%r = arith.extf %t0 : tensor<10xf8E3M4> to $r",
    lambda x: x,
)
form(
    "f8e4m3b11fnuz",
    [np.array([0, 0.5, 1, 1.5, 2, 3, 4, 6, -1, -6], np.float32)],
    ("%t0 = arith.truncf %a : $a to tensor<10xf8E4M3B11FNUZ>\n" "%r = arith.extf %t0 : tensor<10xf8E4M3B11FNUZ> to $r"),
    lambda x: x,
)
form(
    "f8-special",
    [
        np.array([[0.0, -0.0, 384.0, 416.0, np.nan, -384.0, 0.125, -4.0]], np.float32),
        np.array([[0, 0, 384, 1, 1, -384, 0.125, -4.0]], np.float32),
    ],
    (
        "%t0 = arith.truncf %a : $a to tensor<1x8xf8E4M3FN>\n"
        "%t1 = arith.truncf %b : $a to tensor<1x8xf8E4M3FN>\n"
        "%t2 = tensor.empty() : tensor<1x8xf8E4M3FN>\n"
        "%t3 = linalg.elementwise kind=#linalg.elementwise_kind<add> ins(%t0, %t1 : "
        "tensor<1x8xf8E4M3FN>, tensor<1x8xf8E4M3FN>) outs(%t2 : tensor<1x8xf8E4M3FN>) -> "
        "tensor<1x8xf8E4M3FN>\n"
        "%r = arith.extf %t3 : tensor<1x8xf8E4M3FN> to $r"
    ),
    lambda x, y: np.array([[0, 0, np.nan, 416, np.nan, np.nan, 0.25, -8]], np.float32),
)
form(
    "f8-fnuz-special",
    [
        np.array([[0.0, 4, 192.0, 224.0, np.nan, -192.0, 0.125, -4.0]], np.float32),
        np.array([[0, 4, 192, 1, 1, -192, 0.125, -4.0]], np.float32),
    ],
    (
        "%t0 = arith.truncf %a : $a to tensor<1x8xf8E4M3FNUZ>\n"
        "%t1 = arith.truncf %b : $a to tensor<1x8xf8E4M3FNUZ>\n"
        "%t3 = arith.addf %t0, %t1 : tensor<1x8xf8E4M3FNUZ>\n"
        "%r = arith.extf %t3 : tensor<1x8xf8E4M3FNUZ> to $r"
    ),
    lambda x, y: np.array([[0, 8, np.nan, 224, np.nan, np.nan, 0.25, -8]], np.float32),
)
form(
    "f8-negzero",
    [np.zeros(4, np.float32)],
    (
        "%t0 = arith.truncf %a : $a to tensor<4xf8E5M2>\n"
        "%t1 = arith.negf %t0 : tensor<4xf8E5M2>\n"
        "%r = arith.bitcast %t1 : tensor<4xf8E5M2> to $r"
    ),
    lambda x: np.full(4, -128, np.int8),
)
form(
    "f8-fnuz-neg-zero",
    [np.zeros(4, np.float32)],
    (
        "%t0 = arith.truncf %a : $a to tensor<4xf8E5M2FNUZ>\n"
        "%t1 = arith.negf %t0 : tensor<4xf8E5M2FNUZ>\n"
        "%r = arith.bitcast %t1 : tensor<4xf8E5M2FNUZ> to $r"
    ),
    lambda x: np.zeros(4, np.int8),
)
form(
    "f8-inf",
    [np.array([np.inf, -np.inf, 60000, -70000.0], np.float32)],
    ("%t0 = arith.truncf %a : $a to tensor<4xf8E5M2>\n" "%r = arith.bitcast %t0 : tensor<4xf8E5M2> to $r"),
    lambda x: np.array([0x7C, 0xFC, 0x7B, 0xFC], np.uint8).view(np.int8),
)
form(
    "f8-denormal",
    [np.array([1, 1.5, 2, 2.5, 3, 3.5], np.float32) / 512],
    ("%t0 = arith.truncf %a : $a to tensor<6xf8E4M3FN>\n" "%r = arith.bitcast %t0 : tensor<6xf8E4M3FN> to $r"),
    lambda x: np.array([1, 2, 2, 2, 3, 4], np.int8),
)
form(
    "scaled-matmul",
    [
        normal(4, 2, 32),
        normal(6, 2, 32, seed=1),
        integers(4, 2, low=120, high=127, dtype=np.int8),
        integers(6, 2, low=120, high=127, seed=1, dtype=np.int8),
    ],
    """%t0 = arith.bitcast %c : $c to tensor<4x2xf8E8M0FNU>
%t1 = arith.bitcast %d : $d to tensor<6x2xf8E8M0FNU>
%t2 = arith.truncf %a : $a to tensor<4x2x32xf4E2M1FN>
%t3 = arith.truncf %b : $b to tensor<6x2x32xf4E2M1FN>
"""
    + fill("%t4", "$r")
    + generic(
        "%r",
        "mkb,nkb,mk,nk->mn",
        (
            "%t2 tensor<4x2x32xf4E2M1FN> f4E2M1FN; %t3 tensor<6x2x32xf4E2M1FN> f4E2M1FN; %t0 "
            "tensor<4x2xf8E8M0FNU> f8E8M0FNU; %t1 tensor<6x2xf8E8M0FNU> f8E8M0FNU"
        ),
        "%t4 $r f32",
        (
            "%v0 = arith.scaling_extf %x0, %x2 : f4E2M1FN, f8E8M0FNU to f32\n"
            "%v1 = arith.scaling_extf %x1, %x3 : f4E2M1FN, f8E8M0FNU to f32\n"
            "%v2 = arith.mulf %v0, %v1 : f32\n"
            "%v3 = arith.addf %y0, %v2 : f32\n"
            "yield %v3 f32"
        ),
        "kb",
    ),
    lambda a, b, c, d: scaled(a, b, c, d),
    1e-4,
)

# index tensors
form(
    "index-arith",
    [np.arange(6).reshape(2, 3), np.full((2, 3), 4)],
    (
        "%t0 = arith.muli %a, %b : $a\n"
        "%t1 = arith.remui %t0, %b : $a\n"
        "%t2 = arith.addi %t0, %t1 : $a\n"
        "%t3 = arith.index_cast %t2 : $a to tensor<2x3xi32>\n"
        "%r = arith.index_cast %t3 : tensor<2x3xi32> to $r"
    ),
    lambda x, y: x * y,
    types={"a": "tensor<2x3xindex>", "b": "tensor<2x3xindex>", "r": "tensor<2x3xindex>"},
)
form(
    "index-cmp-select",
    [np.arange(6), np.array(3)],
    (
        "%v = tensor.extract %b[] : $b\n"
        "%t0 = tensor.splat %v : $a\n"
        "%t1 = arith.cmpi ult, %a, %t0 : $a\n"
        "%r = arith.select %t1, %a, %t0 : tensor<6xi1>, $a"
    ),
    lambda x, y: np.minimum(x, 3),
    types={"a": "tensor<6xindex>", "b": "tensor<index>", "r": "tensor<6xindex>"},
)
form(
    "index-reduce",
    [np.arange(12).reshape(3, 4)],
    (
        "%c = arith.constant dense<0> : tensor<3xindex>\n"
        "%r = linalg.reduce { arith.addi } ins(%a : $a) outs(%c : $r) dimensions = [1]"
    ),
    lambda x: x.sum(1),
    types={"a": "tensor<3x4xindex>", "r": "tensor<3xindex>"},
)

# i1
form(
    "i1-all-any",
    [integers(3, 9, low=0, high=4) > 0],
    (
        "%t = arith.constant true\n"
        "%f = arith.constant false\n"
        "%e = tensor.empty() : $r\n"
        "%t0 = linalg.fill ins(%t : i1) outs(%e : $r) -> $r\n"
        "%t1 = linalg.fill ins(%f : i1) outs(%e : $r) -> $r\n"
        "%r = linalg.reduce { arith.andi } ins(%a : $a) outs(%t0 : $r) dimensions = [1]\n"
        "%s = linalg.reduce { arith.ori } ins(%a : $a) outs(%t1 : $s) dimensions = [1]"
    ),
    lambda x: (x.all(1), x.any(1)),
)
form(
    "i1-constant-select",
    [normal(4), normal(4, seed=1)],
    (
        "%c = arith.constant dense<[true, false, false, true]> : tensor<4xi1>\n"
        "%r = arith.select %c, %a, %b : tensor<4xi1>, $a"
    ),
    lambda x, y: np.where([1, 0, 0, 1], x, y),
)
form(
    "i1-result-const",
    [],
    "%r = arith.constant dense<[[true, false], [false, true]]> : tensor<2x2xi1>",
    lambda: np.eye(2) > 0,
)
form(
    "i1-concat-pad-slice",
    [integers(3, 4) > 0, integers(2, 4, seed=1) > 0],
    "%t0 = tensor.concat dim(0) %a, %b : ($a, $b) -> tensor<5x4xi1>\n"
    + pad("%t1", "%t0", "tensor<5x4xi1>", [1, 0], [0, 1], "tensor<6x5xi1>", "1", "i1")
    + "%r = tensor.extract_slice %t1[1, 1] [3, 4] [2, 1] : tensor<6x5xi1> to $r",
    lambda x, y: np.pad(np.concatenate([x, y]), ((1, 0), (0, 1)), constant_values=True)[1::2, 1:],
)
form(
    "i1-sum-i64",
    [integers(3, 9) > 0],
    "%t0 = arith.extui %a : $a to tensor<3x9xi64>\n"
    + fill("%t1", "$r", "0", "i64")
    + "%r = linalg.reduce { arith.addi } ins(%t0 : tensor<3x9xi64>) outs(%t1 : $r) dimensions = [0, 1]",
    lambda x: x.sum(),
)
form("i1-to-float", [integers(3, 9) > 0], "%r = arith.uitofp %a : $a to $r", lambda x: x.astype(np.float32))
form(
    "i1-matmul-or",
    [integers(5, 6) > 0, integers(6, 7, seed=1) > 3],
    (
        "%f = arith.constant false\n"
        "%e = tensor.empty() : $r\n"
        "%t0 = linalg.fill ins(%f : i1) outs(%e : $r) -> $r\n"
        "%r = linalg.matmul ins(%a, %b : $a, $b) outs(%t0 : $r) -> $r"
    ),
    lambda x, y: (x.astype(int) @ y.astype(int)) > 0,
)
form(
    "i1-transpose",
    [integers(3, 9) > 0],
    ("%e = tensor.empty() : $r\n" "%r = linalg.transpose ins(%a : $a) outs(%e : $r) permutation = [1, 0]"),
    lambda x: x.T,
)
form(
    "i1-scalar-arg",
    [True, integers(4) > 0],
    ("%t0 = tensor.splat %a : $b\n" "%r = arith.xori %t0, %b : $b"),
    lambda c, x: ~x,
)
form(
    "i1-extract-if",
    [integers(4) > 0, normal(3)],
    (
        "%c0 = arith.constant 2 : index\n"
        "%v = tensor.extract %a[%c0] : $a\n"
        "%r = scf.if %v -> $r {\n"
        "scf.yield %b : $b\n"
        "} else {\n"
        "%t = arith.negf %b : $b\n"
        "scf.yield %t : $b\n"
        "}"
    ),
    lambda c, x: x if c[2] else -x,
)
