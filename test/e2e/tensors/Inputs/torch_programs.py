"""Functions in the form in which torch-mlir exports modules of PyTorch."""

import numpy as np

from forms import form
from programs import integers, normal, softmax
from reference import batch_norm, conv_nchw, depthwise, erf, layer_norm, nchw, nhwc, pool, sigmoid
from texts import dims, empty, fill, generic, pad

I64 = np.int64

BATCH_NORM = """
%v0 = arith.truncf %eps : f64 to f32
%v1 = arith.addf %x4, %v0 : f32
%v2 = math.rsqrt %v1 : f32
%v3 = arith.subf %x0, %x3 : f32
%v4 = arith.mulf %v3, %v2 : f32
%v5 = arith.mulf %v4, %x1 : f32
%v6 = arith.addf %v5, %x2 : f32
yield %v6 f32"""
RELU = """
%v0 = arith.cmpf ugt, %x0, %zero : f32
%v1 = arith.select %v0, %x0, %zero : f32
yield %v1 f32"""


def conv_block(x, w, *norm):
    y = np.maximum(batch_norm(conv_nchw(x, w), *norm), 0)
    return nchw(pool(nhwc(y), (3, 3), (2, 2), (1, 1, 1, 1), np.max, -np.inf))


C = "tensor<2x8x10x10xf32>"
form(
    "torch-conv-bn-relu-maxpool",
    [
        normal(2, 3, 10, 10),
        normal(8, 3, 3, 3, seed=1),
        normal(8, seed=2),
        normal(8, seed=3),
        normal(8, seed=4),
        np.abs(normal(8, seed=5)) + np.float32(0.5),
    ],
    "%zero = arith.constant 0.0 : f32\n%eps = arith.constant 1.000000e-05 : f64\n"
    + pad("%t0", "%a", "$a", [0, 0, 1, 1], [0, 0, 1, 1], "tensor<2x3x12x12xf32>")
    + fill("%t1", C)
    + f"%t2 = linalg.conv_2d_nchw_fchw {{dilations = dense<1> : vector<2xi64>, strides = dense<1> : "
    f"vector<2xi64>}}\n"
    f"ins(%t0, %b : tensor<2x3x12x12xf32>, $b) outs(%t1 : {C}) -> {C}\n"
    + generic(
        "%t3",
        "nchw,c,c,c,c->nchw",
        f"%t2 {C} f32; %c $c f32; %d $d f32; %e $e f32; %f $f f32",
        f"%t2 {C} f32",
        BATCH_NORM,
    )
    + generic("%t4", "nchw->nchw", f"%t3 {C} f32", f"%t1_e {C} f32", RELU)
    + pad("%t5", "%t4", C, [0, 0, 1, 1], [0, 0, 1, 1], "tensor<2x8x12x12xf32>", "0xFF800000")
    + fill("%t6", "$r", "0xFF800000")
    + "%t7 = tensor.empty() : tensor<3x3xf32>\n"
    "%r = linalg.pooling_nchw_max {dilations = dense<1> : vector<2xi64>, strides = dense<2> : vector<2xi64>}\n"
    "ins(%t5, %t7 : tensor<2x8x12x12xf32>, tensor<3x3xf32>) outs(%t6 : $r) -> $r\n",
    conv_block,
    1e-3,
)

form(
    "torch-conv-dynamic-batch-bias",
    [normal(2, 3, 8, 8), normal(4, 3, 3, 3, seed=1), normal(4, seed=2)],
    dims("%a", "$a", 0)
    + pad("%t0", "%a", "$a", [0, 0, 1, 1], [0, 0, 1, 1], "tensor<?x3x10x10xf32>")
    + empty("%t1", "$r", "%a0")
    + generic("%t2", "c->nchw", "%c $c f32", "%t1 $r f32", "yield %x0 f32")
    + "%r = linalg.conv_2d_nchw_fchw {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>}\n"
    "ins(%t0, %b : tensor<?x3x10x10xf32>, $b) outs(%t2 : $r) -> $r\n",
    lambda x, w, b: conv_nchw(x, w) + b.reshape(1, -1, 1, 1),
    1e-4,
    types={"a": "tensor<?x3x8x8xf32>", "r": "tensor<?x4x8x8xf32>"},
)

form(
    "torch-depthwise-separable",
    [normal(1, 4, 8, 8), normal(4, 1, 3, 3, seed=1), normal(6, 4, 1, 1, seed=2)],
    pad("%t0", "%a", "$a", [0, 0, 1, 1], [0, 0, 1, 1], "tensor<1x4x10x10xf32>")
    + fill("%t1", "tensor<1x4x8x8xf32>")
    + "%w = tensor.collapse_shape %b [[0, 1], [2], [3]] : $b into tensor<4x3x3xf32>\n"
    "%t2 = linalg.depthwise_conv_2d_nchw_chw {dilations = dense<1> : vector<2xi64>, strides = "
    "dense<1> : vector<2xi64>}\n"
    "ins(%t0, %w : tensor<1x4x10x10xf32>, tensor<4x3x3xf32>) outs(%t1 : tensor<1x4x8x8xf32>) -> "
    "tensor<1x4x8x8xf32>\n"
    + fill("%t3", "$r")
    + "%r = linalg.conv_2d_nchw_fchw {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>}\n"
    "ins(%t2, %c : tensor<1x4x8x8xf32>, $c) outs(%t3 : $r) -> $r\n",
    lambda x, w, v: np.einsum(
        "nchw,fc->nfhw",
        nchw(depthwise(nhwc(x), w[:, 0].transpose(1, 2, 0)[..., None], 0, (1, 1, 1, 1), 1)),
        v[..., 0, 0],
    ),
    1e-4,
)

form(
    "torch-grouped-conv",
    [normal(1, 6, 7, 7), normal(4, 3, 3, 3, seed=1)],
    "%t0 = tensor.expand_shape %a [[0], [1, 2], [3], [4]] output_shape [1, 2, 3, 7, 7] : $a into "
    "tensor<1x2x3x7x7xf32>\n"
    "%t1 = tensor.expand_shape %b [[0, 1], [2], [3], [4]] output_shape [2, 2, 3, 3, 3] : $b into "
    "tensor<2x2x3x3x3xf32>\n"
    + fill("%t2", "$r")
    + "%t3 = tensor.expand_shape %t2 [[0], [1, 2], [3], [4]] output_shape [1, 2, 2, 5, 5] : $r into "
    "tensor<1x2x2x5x5xf32>\n"
    "%t4 = linalg.conv_2d_ngchw_gfchw {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>}\n"
    "ins(%t0, %t1 : tensor<1x2x3x7x7xf32>, tensor<2x2x3x3x3xf32>) outs(%t3 : tensor<1x2x2x5x5xf32>) "
    "-> tensor<1x2x2x5x5xf32>\n"
    "%r = tensor.collapse_shape %t4 [[0], [1, 2], [3], [4]] : tensor<1x2x2x5x5xf32> into $r\n",
    lambda x, w: np.concatenate([conv_nchw(x[:, :3], w[:2], 0), conv_nchw(x[:, 3:], w[2:], 0)], 1),
    1e-4,
)


form(
    "torch-avgpool-count",
    [normal(1, 3, 8, 8)],
    fill("%t0", "$r")
    + pad("%t1", "%a", "$a", [0, 0, 1, 1], [0, 0, 1, 1], "tensor<1x3x10x10xf32>")
    + "%t2 = tensor.empty() : tensor<3x3xf32>\n"
    "%t3 = linalg.pooling_nchw_sum {dilations = dense<1> : vector<2xi64>, strides = dense<2> : vector<2xi64>}\n"
    "ins(%t1, %t2 : tensor<1x3x10x10xf32>, tensor<3x3xf32>) outs(%t0 : $r) -> $r\n"
    "%n = arith.constant 9 : i64\n"
    + generic(
        "%r",
        "nchw->nchw",
        "%t3 $r f32",
        "%t0_e $r f32",
        "%v0 = arith.sitofp %n : i64 to f32\n%v1 = arith.divf %x0, %v0 : f32\nyield %v1 f32",
    ),
    lambda x: nchw(pool(nhwc(x), (3, 3), (2, 2), (1, 1, 1, 1), np.mean, 0)),
    1e-4,
)

form(
    "torch-adaptive-avgpool",
    [normal(2, 5, 7, 7)],
    fill("%t0", "tensor<2x5xf32>")
    + generic(
        "%t1",
        "nchw->nc",
        "%a $a f32",
        "%t0 tensor<2x5xf32> f32",
        "%v0 = arith.addf %x0, %y0 : f32\nyield %v0 f32",
        "hw",
    )
    + "%t2 = tensor.expand_shape %t1 [[0], [1, 2, 3]] output_shape [2, 5, 1, 1] : tensor<2x5xf32> into "
    "tensor<2x5x1x1xf32>\n"
    "%n = arith.constant 49.0 : f32\n"
    + empty("%t3", "tensor<2x5x1x1xf32>")
    + generic(
        "%t4",
        "nchw->nchw",
        "%t2 tensor<2x5x1x1xf32> f32",
        "%t3 tensor<2x5x1x1xf32> f32",
        "%v0 = arith.divf %x0, %n : f32\nyield %v0 f32",
    )
    + "%r = tensor.collapse_shape %t4 [[0], [1, 2, 3]] : tensor<2x5x1x1xf32> into $r",
    lambda x: x.mean((2, 3)),
    1e-4,
)


def adaptive(x):
    bounds = [(i * 7 // 3, -(-(i + 1) * 7 // 3)) for i in range(3)]
    return np.stack([np.stack([x[:, :, a:b, c:d].mean((2, 3)) for c, d in bounds], -1) for a, b in bounds], -2)


form(
    "torch-adaptive-avgpool-windows",
    [normal(1, 4, 7, 7)],
    fill("%t0", "$r")
    + pad("%t9", "%a", "$a", [0, 0, 0, 0], [0, 0, 1, 1], "tensor<1x4x8x8xf32>")
    + "%t1 = tensor.empty() : tensor<4x4xf32>\n%c3 = arith.constant 3 : index\n%c7 = arith.constant 7 : index\n"
    "%c1 = arith.constant 1 : index\n%zero = arith.constant 0.0 : f32\n"
    + generic(
        "%t2",
        "xy->ncij",
        "%t1 tensor<4x4xf32> f32",
        "%t0 $r f32",
        """%v0 = linalg.index 0 : index
%v1 = linalg.index 3 : index
%v2 = linalg.index 1 : index
%v3 = linalg.index 2 : index
%v4 = linalg.index 4 : index
%v5 = linalg.index 5 : index
%v6 = arith.muli %v2, %c7 : index
%v7 = arith.floordivsi %v6, %c3 : index
%v8 = arith.addi %v2, %c1 : index
%v9 = arith.muli %v8, %c7 : index
%w0 = arith.ceildivsi %v9, %c3 : index
%w1 = arith.addi %v7, %v4 : index
%w2 = arith.cmpi slt, %w1, %w0 : index
%w3 = arith.muli %v3, %c7 : index
%w4 = arith.floordivsi %w3, %c3 : index
%w5 = arith.addi %v3, %c1 : index
%w6 = arith.muli %w5, %c7 : index
%w7 = arith.ceildivsi %w6, %c3 : index
%w8 = arith.addi %w4, %v5 : index
%w9 = arith.cmpi slt, %w8, %w7 : index
%u0 = arith.andi %w2, %w9 : i1
%u1 = arith.constant 0 : index
%u2 = tensor.extract %t9[%v1, %v0, %w1, %w8] : tensor<1x4x8x8xf32>
%u3 = arith.select %u0, %u2, %zero : f32
%u4 = arith.subi %w0, %v7 : index
%u5 = arith.subi %w7, %w4 : index
%u6 = arith.muli %u4, %u5 : index
%u7 = arith.index_cast %u6 : index to i64
%u8 = arith.sitofp %u7 : i64 to f32
%u9 = arith.divf %u3, %u8 : f32
%z0 = arith.addf %u9, %y0 : f32
yield %z0 f32""",
        "xy",
    )
    + "%r = tensor.cast %t2 : $r to $r",
    adaptive,
    1e-4,
)

form(
    "torch-embedding-assert",
    [normal(11, 6), integers(2, 5, low=0, high=11, dtype=I64)],
    "%n = arith.constant 11 : index\n%c0 = arith.constant 0 : i64\n"
    + empty("%t0", "$r")
    + generic(
        "%r",
        "ij->ijk",
        "%b $b i64",
        "%t0 $r f32",
        """%v0 = arith.index_cast %x0 : i64 to index
%v1 = linalg.index 2 : index
%v2 = arith.cmpi slt, %v0, %n : index
cf.assert %v2, "index must be smaller than dim size"
%v3 = arith.cmpi sge, %x0, %c0 : i64
cf.assert %v3, "index must be larger or equal to 0"
%v4 = tensor.extract %a[%v0, %v1] : $a
yield %v4 f32""",
    ),
    lambda x, i: x[i],
    0,
)

form(
    "torch-gather-dim-1",
    [normal(4, 9), integers(4, 3, low=-9, high=9, dtype=I64)],
    "%n = arith.constant 9 : i64\n%z = arith.constant 0 : i64\n"
    + empty("%t0", "$r")
    + generic(
        "%r",
        "ij->ij",
        "%b $b i64",
        "%t0 $r f32",
        """%v0 = arith.cmpi slt, %x0, %z : i64
%v1 = arith.addi %x0, %n : i64
%v2 = arith.select %v0, %v1, %x0 : i64
%v3 = arith.index_cast %v2 : i64 to index
%v4 = linalg.index 0 : index
%v5 = tensor.extract %a[%v4, %v3] : $a
yield %v5 f32""",
    ),
    lambda x, i: np.take_along_axis(x, i, 1),
    0,
)

form(
    "torch-masked-fill-where-arange",
    [normal(2, 6, 6), np.float32(-1e9)],
    "%c1 = arith.constant 1 : i64\n"
    + empty("%t0", "tensor<6x6xi1>")
    + empty("%t9", "tensor<6xi64>")
    + generic(
        "%t1",
        "i->i",
        "",
        "%t9 tensor<6xi64> i64",
        "%v0 = linalg.index 0 : index\n%v1 = arith.index_cast %v0 : index to i64\nyield %v1 i64",
    )
    + "%t2 = tensor.expand_shape %t1 [[0, 1]] output_shape [6, 1] : tensor<6xi64> into tensor<6x1xi64>\n"
    + "%t3 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i, 0)>,"
    ' affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}\n'
    "ins(%t1, %t2 : tensor<6xi64>, tensor<6x1xi64>) outs(%t0 : tensor<6x6xi1>) {\n"
    "^bb0(%x0: i64, %x1: i64, %y0: i1):\n"
    "%v0 = arith.cmpi sgt, %x0, %x1 : i64\nlinalg.yield %v0 : i1\n} -> tensor<6x6xi1>\n"
    + empty("%t4", "$r")
    + generic(
        "%r",
        "ij,bij->bij",
        "%t3 tensor<6x6xi1> i1; %a $a f32",
        "%t4 $r f32",
        "%v0 = arith.select %x0, %b, %x1 : f32\nyield %v0 f32",
    ),
    lambda x, v: np.where(np.triu(np.ones((6, 6), bool), 1), v, x),
    0,
    types={"b": "f32"},
)

form(
    "torch-silu-gate",
    [normal(2, 7, 16), normal(16, 24, seed=1), normal(16, 24, seed=2)],
    "%one = arith.constant 1.0 : f32\n"
    + empty("%t0", "tensor<2x16x24xf32>")
    + generic("%t1", "jk->bjk", "%b $b f32", "%t0 tensor<2x16x24xf32> f32", "yield %x0 f32")
    + fill("%t2", "$r")
    + "%t3 = linalg.batch_matmul ins(%a, %t1 : $a, tensor<2x16x24xf32>) outs(%t2 : $r) -> $r\n"
    + generic("%t4", "jk->bjk", "%c $c f32", "%t0 tensor<2x16x24xf32> f32", "yield %x0 f32")
    + "%t5 = linalg.batch_matmul ins(%a, %t4 : $a, tensor<2x16x24xf32>) outs(%t2 : $r) -> $r\n"
    + generic(
        "%t6",
        "ijk->ijk",
        "%t3 $r f32",
        "%t2_e $r f32",
        "%v0 = arith.negf %x0 : f32\n%v1 = math.exp %v0 : f32\n%v2 = arith.addf %v1, %one : f32\n"
        "%v3 = arith.divf %one, %v2 : f32\nyield %v3 f32",
    )
    + generic(
        "%t7",
        "ijk,ijk->ijk",
        "%t6 $r f32; %t3 $r f32",
        "%t2_e $r f32",
        ("%v0 = arith.mulf %x0, %x1 : f32\n" "yield %v0 f32"),
    )
    + generic(
        "%r",
        "ijk,ijk->ijk",
        "%t7 $r f32; %t5 $r f32",
        "%t2_e $r f32",
        ("%v0 = arith.mulf %x0, %x1 : f32\n" "yield %v0 f32"),
    ),
    lambda x, w, v: (x @ w) * sigmoid(x @ w) * (x @ v),
    1e-3,
)

form(
    "torch-gelu-erf",
    [normal(3, 5, 17)],
    "%half = arith.constant 5.000000e-01 : f32\n%one = arith.constant 1.000000e+00 : f32\n"
    "%root = arith.constant 1.41421354 : f32\n"
    + empty("%t0", "$r")
    + generic(
        "%r",
        "ijk->ijk",
        "%a $a f32",
        "%t0 $r f32",
        """%v0 = arith.divf %x0, %root : f32
%v1 = math.erf %v0 : f32
%v2 = arith.addf %v1, %one : f32
%v3 = arith.mulf %v2, %half : f32
%v4 = arith.mulf %x0, %v3 : f32
yield %v4 f32""",
    ),
    lambda x: x * 0.5 * (1 + erf(x / np.sqrt(2))),
    1e-4,
)


def rope(x, cosine, sine):
    rotated = np.concatenate([-x[..., 8:], x[..., :8]], -1)
    return x * cosine + rotated * sine


form(
    "torch-rope",
    [normal(2, 3, 5, 16), normal(5, 16, seed=1), normal(5, 16, seed=2)],
    "%t0 = tensor.extract_slice %a[0, 0, 0, 0] [2, 3, 5, 8] [1, 1, 1, 1] : $a to tensor<2x3x5x8xf32>\n"
    "%t1 = tensor.extract_slice %a[0, 0, 0, 8] [2, 3, 5, 8] [1, 1, 1, 1] : $a to tensor<2x3x5x8xf32>\n"
    + empty("%t2", "tensor<2x3x5x8xf32>")
    + generic(
        "%t3",
        "bhij->bhij",
        "%t1 tensor<2x3x5x8xf32> f32",
        "%t2 tensor<2x3x5x8xf32> f32",
        "%v0 = arith.negf %x0 : f32\nyield %v0 f32",
    )
    + "%t4 = tensor.concat dim(3) %t3, %t0 : (tensor<2x3x5x8xf32>, tensor<2x3x5x8xf32>) -> $r\n"
    + empty("%t5", "$r")
    + generic(
        "%t6",
        "bhij,ij->bhij",
        "%a $a f32; %b $b f32",
        "%t5 $r f32",
        ("%v0 = arith.mulf %x0, %x1 : f32\n" "yield %v0 f32"),
    )
    + generic(
        "%t7",
        "bhij,ij->bhij",
        "%t4 $r f32; %c $c f32",
        "%t5 $r f32",
        ("%v0 = arith.mulf %x0, %x1 : f32\n" "yield %v0 f32"),
    )
    + generic(
        "%r",
        "bhij,bhij->bhij",
        "%t6 $r f32; %t7 $r f32",
        "%t5 $r f32",
        ("%v0 = arith.addf %x0, %x1 : f32\n" "yield %v0 f32"),
    ),
    rope,
    1e-5,
)

form(
    "torch-cumsum-loop",
    [normal(4, 10)],
    "%c0 = arith.constant 0 : index\n%c1 = arith.constant 1 : index\n%c10 = arith.constant 10 : index\n"
    + fill("%t0", "$r")
    + fill("%t1", "tensor<4xf32>")
    + "%r, %acc = scf.for %i = %c0 to %c10 step %c1 iter_args(%o = %t0, %q = %t1) -> ($r, tensor<4xf32>) {\n"
    "%t2 = tensor.extract_slice %a[0, %i] [4, 1] [1, 1] : $a to tensor<4xf32>\n"
    + generic(
        "%t3",
        "i,i->i",
        "%t2 tensor<4xf32> f32; %q tensor<4xf32> f32",
        "%t1_e tensor<4xf32> f32",
        "%v0 = arith.addf %x0, %x1 : f32\nyield %v0 f32",
    )
    + "%t4 = tensor.insert_slice %t3 into %o[0, %i] [4, 1] [1, 1] : tensor<4xf32> into $r\n"
    "scf.yield %t4, %t3 : $r, tensor<4xf32>\n}\n",
    lambda x: np.cumsum(x, 1),
    1e-5,
)


RED = "tensor<2x6x1xf32>"
XT = "tensor<2x6x24xf32>"
UNIT = "affine_map<(i, j, k) -> (i, j, 0)>"
FULL = "affine_map<(i, j, k) -> (i, j, k)>"
LAST = "affine_map<(i, j, k) -> (k)>"


def unit_generic(result, maps, kinds, ins, outs, arguments, body):
    names = ", ".join(f'"{kind}"' for kind in kinds)
    return (
        f"{result} = linalg.generic {{indexing_maps = [{', '.join(maps)}], iterator_types = [{names}]}}\n"
        f"ins({', '.join(n for n, _ in ins)} : {', '.join(t for _, t in ins)}) outs({outs[0]} : {outs[1]}) {{\n"
        f"^bb0({', '.join(f'%{n}: {t}' for n, t in arguments)}):\n{body}\n}} -> {outs[1]}\n"
    )


P3, PPR = ["parallel"] * 3, ["parallel", "parallel", "reduction"]
form(
    "torch-layernorm-decomposed",
    [normal(2, 6, 24), normal(24, seed=1), normal(24, seed=2)],
    "%n = arith.constant 24.0 : f32\n%eps = arith.constant 1.0e-05 : f64\n"
    + fill("%t0", RED)
    + unit_generic(
        "%t1",
        [FULL, UNIT],
        PPR,
        [("%a", XT)],
        ("%t0", RED),
        [("x0", "f32"), ("y0", "f32")],
        "%v0 = arith.addf %x0, %y0 : f32\nlinalg.yield %v0 : f32",
    )
    + generic(
        "%t2", "ijk->ijk", f"%t1 {RED} f32", f"%t0_e {RED} f32", ("%v0 = arith.divf %x0, %n : f32\n" "yield %v0 f32")
    )
    + empty("%t3", XT)
    + unit_generic(
        "%t4", [UNIT, FULL], P3, [("%t2", RED)], ("%t3", XT), [("x0", "f32"), ("y0", "f32")], "linalg.yield %x0 : f32"
    )
    + generic(
        "%t5",
        "ijk,ijk->ijk",
        f"%a {XT} f32; %t4 {XT} f32",
        f"%t3 {XT} f32",
        "%v0 = arith.subf %x0, %x1 : f32\nyield %v0 f32",
    )
    + generic(
        "%t6",
        "ijk,ijk->ijk",
        f"%t5 {XT} f32; %t5 {XT} f32",
        f"%t3 {XT} f32",
        "%v0 = arith.mulf %x0, %x1 : f32\nyield %v0 f32",
    )
    + unit_generic(
        "%t7",
        [FULL, UNIT],
        PPR,
        [("%t6", XT)],
        ("%t0", RED),
        [("x0", "f32"), ("y0", "f32")],
        "%v0 = arith.addf %x0, %y0 : f32\nlinalg.yield %v0 : f32",
    )
    + generic(
        "%t8", "ijk->ijk", f"%t7 {RED} f32", f"%t0_e {RED} f32", ("%v0 = arith.divf %x0, %n : f32\n" "yield %v0 f32")
    )
    + generic(
        "%t9",
        "ijk->ijk",
        f"%t8 {RED} f32",
        f"%t0_e {RED} f32",
        "%v0 = arith.truncf %eps : f64 to f32\n%v1 = arith.addf %x0, %v0 : f32\nyield %v1 f32",
    )
    + generic("%u0", "ijk->ijk", f"%t9 {RED} f32", f"%t0_e {RED} f32", "%v0 = math.rsqrt %x0 : f32\nyield %v0 f32")
    + unit_generic(
        "%u1", [UNIT, FULL], P3, [("%u0", RED)], ("%t3", XT), [("x0", "f32"), ("y0", "f32")], "linalg.yield %x0 : f32"
    )
    + generic(
        "%u2",
        "ijk,ijk->ijk",
        f"%t5 {XT} f32; %u1 {XT} f32",
        f"%t3 {XT} f32",
        "%v0 = arith.mulf %x0, %x1 : f32\nyield %v0 f32",
    )
    + generic(
        "%u3",
        "ijk,k->ijk",
        f"%u2 {XT} f32; %b $b f32",
        f"%t3 {XT} f32",
        "%v0 = arith.mulf %x0, %x1 : f32\nyield %v0 f32",
    )
    + generic(
        "%r",
        "ijk,k->ijk",
        f"%u3 {XT} f32; %c $c f32",
        f"%t3 {XT} f32",
        "%v0 = arith.addf %x0, %x1 : f32\nyield %v0 f32",
    ),
    layer_norm,
    1e-4,
)

form(
    "torch-softmax-max-index",
    [normal(2, 5, 19)],
    "%low = arith.constant 0xFF800000 : f32\n%z = arith.constant 0 : i64\n"
    + empty("%t0", "tensor<2x5x1xi64>")
    + fill("%t1", "tensor<2x5x1xi64>", "0", "i64")
    + fill("%t2", "tensor<2x5x1xf32>", "0xFF800000")
    + "%t3:2 = linalg.generic {indexing_maps = ["
    + ", ".join([FULL, UNIT, UNIT])
    + '], iterator_types = ["parallel", "parallel", "reduction"]}\n'
    "ins(%a : $a) outs(%t2, %t1 : tensor<2x5x1xf32>, tensor<2x5x1xi64>) {\n^bb0(%x0: f32, %y0: f32, %y1: i64):\n"
    "%v0 = linalg.index 2 : index\n%v1 = arith.index_cast %v0 : index to i64\n%v2 = arith.maximumf %x0, %y0 : f32\n"
    "%v3 = arith.cmpf ogt, %x0, %y0 : f32\n%v4 = arith.select %v3, %v1, %y1 : i64\n"
    "linalg.yield %v2, %v4 : f32, i64\n} -> (tensor<2x5x1xf32>, tensor<2x5x1xi64>)\n"
    + empty("%t4", "$r")
    + unit_generic(
        "%t5",
        [FULL, UNIT, FULL],
        P3,
        [("%a", "$a"), ("%t3#0", "tensor<2x5x1xf32>")],
        ("%t4", "$r"),
        [("x0", "f32"), ("x1", "f32"), ("y0", "f32")],
        "%v0 = arith.subf %x0, %x1 : f32\nlinalg.yield %v0 : f32",
    )
    + generic("%t6", "ijk->ijk", "%t5 $r f32", "%t4 $r f32", "%v0 = math.exp %x0 : f32\nyield %v0 f32")
    + fill("%t7", "tensor<2x5x1xf32>")
    + unit_generic(
        "%t8",
        [FULL, UNIT],
        PPR,
        [("%t6", "$r")],
        ("%t7", "tensor<2x5x1xf32>"),
        [("x0", "f32"), ("y0", "f32")],
        "%v0 = arith.addf %x0, %y0 : f32\nlinalg.yield %v0 : f32",
    )
    + unit_generic(
        "%r",
        [FULL, UNIT, FULL],
        P3,
        [("%t6", "$r"), ("%t8", "tensor<2x5x1xf32>")],
        ("%t4", "$r"),
        [("x0", "f32"), ("x1", "f32"), ("y0", "f32")],
        "%v0 = arith.divf %x0, %x1 : f32\nlinalg.yield %v0 : f32",
    )
    + "%s = tensor.collapse_shape %t3#1 [[0], [1, 2]] : tensor<2x5x1xi64> into $s",
    lambda x: (softmax(x), x.argmax(-1)),
    1e-5,
)
