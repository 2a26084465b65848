"""Structured ops in their variants, and each op of math and arith on tensors."""

import math

import numpy as np

from forms import form
from programs import integers, normal
from reference import conv2d, depthwise, nchw, nhwc
from texts import empty, fill, generic

I64 = np.int64


# named ops not yet covered
def named(name, op, args, expected, tol=1e-4, attrs="", init="0.0", extra="", el="f32"):
    letters = "abcdef"[: len(args)]
    form(
        name,
        args,
        fill("%t0", "$r", init, el)
        + extra
        + (
            f"%r = linalg.{op} {attrs} ins({', '.join('%'+l for l in letters)} : "
            f"{', '.join('$'+l for l in letters)}) outs(%t0 : $r) -> $r"
        ),
        expected,
        tol,
    )


i8 = lambda *s, seed=0: integers(*s, low=-128, high=128, seed=seed, dtype=np.int8)


def q(name, op, args, expected, attrs=""):
    letters = "abcdef"[: len(args)]
    form(
        name,
        args,
        fill("%t0", "$r", "0", "i32")
        + ("%za = arith.constant 3 : i32\n" "%zb = arith.constant -5 : i32\n")
        + (
            f"%r = linalg.{op} {attrs} ins({', '.join('%'+l for l in letters)}, %za, %zb : "
            f"{', '.join('$'+l for l in letters)}, i32, i32) outs(%t0 : $r) -> $r"
        ),
        expected,
        0,
    )


c2 = lambda x, w, **k: conv2d(
    x.astype(np.int32), w.astype(np.int32), 0, (0,) * 4, k.get("s", (1, 1)), k.get("d", (1, 1))
)
q(
    "conv-nhwc-fhwc-q",
    "conv_2d_nhwc_fhwc_q",
    [i8(1, 6, 6, 4), i8(5, 3, 3, 4, seed=1)],
    lambda x, w: c2(x.astype(np.int32) - 3, w.astype(np.int32) + 5),
)
q(
    "conv-nchw-fchw-q",
    "conv_2d_nchw_fchw_q",
    [i8(1, 4, 6, 6), i8(5, 4, 3, 3, seed=1)],
    lambda x, w: nchw(c2(nhwc(x).astype(np.int32) - 3, w.astype(np.int32).transpose(0, 2, 3, 1) + 5)),
)
q(
    "depthwise-nhwc-q",
    "depthwise_conv_2d_nhwc_hwc_q",
    [i8(1, 6, 6, 4), i8(3, 3, 4, seed=1)],
    lambda x, w: depthwise(x.astype(np.int32) - 3, w.astype(np.int32)[..., None] + 5, 0, (0,) * 4, 1),
)
q(
    "depthwise-nhwcm-q",
    "depthwise_conv_2d_nhwc_hwcm_q",
    [i8(1, 6, 6, 4), i8(3, 3, 4, 2, seed=1)],
    lambda x, w: depthwise(x.astype(np.int32) - 3, w.astype(np.int32) + 5, 0, (0,) * 4, 1).reshape(1, 4, 4, 4, 2),
)
named(
    "depthwise-ncw",
    "depthwise_conv_1d_ncw_cw",
    [normal(2, 3, 12), normal(3, 3, seed=1)],
    lambda x, w: sum(x[:, :, i : i + 10] * w[:, i : i + 1] for i in range(3)),
)
named(
    "depthwise-nwcm",
    "depthwise_conv_1d_nwc_wcm",
    [normal(2, 12, 3), normal(3, 3, 2, seed=1)],
    lambda x, w: sum(x[:, i : i + 10, :, None] * w[i] for i in range(3)),
)
named(
    "depthwise-ncdhw",
    "depthwise_conv_3d_ncdhw_cdhw",
    [normal(1, 2, 4, 4, 4), normal(2, 2, 2, 2, seed=1)],
    lambda x, w: sum(
        x[:, :, i : i + 3, j : j + 3, k : k + 3] * w[:, i, j, k].reshape(1, 2, 1, 1, 1)
        for i, j, k in np.ndindex(2, 2, 2)
    ),
)
named(
    "conv-nhwc-fhwc",
    "conv_2d_nhwc_fhwc",
    [normal(1, 9, 9, 3), normal(4, 3, 3, 3, seed=1)],
    lambda x, w: conv2d(x, w, 0, (0,) * 4, (2, 2), (1, 1)),
    attrs="{strides = dense<2> : tensor<2xi64>, dilations = dense<1> : tensor<2xi64>}",
)
named(
    "conv-nhwc-strides-mixed",
    "conv_2d_nhwc_hwcf",
    [normal(1, 9, 10, 3), normal(2, 3, 3, 4, seed=1)],
    lambda x, w: conv2d(x, w.transpose(3, 0, 1, 2), 0, (0,) * 4, (2, 1), (1, 2)),
    attrs="{strides = dense<[2, 1]> : tensor<2xi64>, dilations = dense<[1, 2]> : tensor<2xi64>}",
)
named(
    "conv-f16-f32",
    "conv_2d_nhwc_hwcf",
    [normal(1, 9, 10, 8, dtype=np.float16), normal(3, 3, 8, 16, seed=1, dtype=np.float16)],
    lambda x, w: conv2d(x.astype(np.float32), w.astype(np.float32).transpose(3, 0, 1, 2), 0, (0,) * 4, (1, 1), (1, 1)),
    1e-2,
)
named(
    "conv-i8-i32",
    "conv_2d_nhwc_hwcf",
    [i8(1, 6, 6, 4), i8(3, 3, 4, 5, seed=1)],
    lambda x, w: c2(x, w.transpose(3, 0, 1, 2)),
    init="0",
    el="i32",
)
named(
    "batch-reduce-matmul",
    "batch_reduce_matmul",
    [normal(3, 4, 5), normal(3, 5, 6, seed=1)],
    lambda x, y: np.einsum("bij,bjk->ik", x, y),
)
named(
    "batch-matvec", "batch_matvec", [normal(3, 4, 5), normal(3, 5, seed=1)], lambda x, y: np.einsum("bij,bj->bi", x, y)
)
named(
    "batch-vecmat", "batch_vecmat", [normal(3, 5), normal(3, 5, 6, seed=1)], lambda x, y: np.einsum("bj,bjk->bk", x, y)
)
named("vecmat", "vecmat", [normal(70), normal(70, 33, seed=1)], lambda x, y: x @ y)
named(
    "batch-mmt4d",
    "batch_mmt4d",
    [normal(2, 2, 3, 4, 5), normal(2, 3, 3, 6, 5, seed=1)],
    lambda x, y: np.einsum("bmkij,bnklj->bmnil", x, y),
)
named("dot-i32", "dot", [integers(100), integers(100, seed=1)], lambda x, y: np.int32(x @ y), 0, init="0", el="i32")
named(
    "matmul-i16",
    "matmul",
    [integers(5, 9, dtype=np.int16), integers(9, 7, seed=1, dtype=np.int16)],
    lambda x, y: x.astype(np.int32) @ y.astype(np.int32),
    0,
    init="0",
    el="i32",
)
named(
    "matmul-i64",
    "matmul",
    [integers(5, 9, dtype=np.int64), integers(9, 7, seed=1, dtype=np.int64)],
    lambda x, y: x @ y,
    0,
    init="0",
    el="i64",
)
named(
    "matmul-f32-f64",
    "matmul",
    [normal(5, 9), normal(9, 7, seed=1)],
    lambda x, y: x.astype(np.float64) @ y.astype(np.float64),
    1e-6,
    init="0.0",
    el="f64",
)
named("matmul-i8-f32-mixed", "matmul", [i8(5, 9), normal(9, 7, seed=1)], lambda x, y: x.astype(np.float32) @ y, 1e-4)
named(
    "matmul-i8-f32",
    "matmul",
    [i8(5, 9), i8(9, 7, seed=1)],
    lambda x, y: x.astype(np.float32) @ y.astype(np.float32),
    1e-4,
)
named(
    "matmul-f16-big",
    "matmul",
    [normal(130, 70, dtype=np.float16), normal(70, 90, seed=1, dtype=np.float16)],
    lambda x, y: x.astype(np.float32) @ y.astype(np.float32),
    2e-2,
)
named(
    "pooling-dilated",
    "pooling_nhwc_max",
    [normal(1, 9, 9, 3), normal(2, 2)],
    lambda x, w: np.max([x[:, i : i + 7, j : j + 7] for i in (0, 2) for j in (0, 2)], axis=0),
    0,
    init="0xFF800000",
    attrs="{strides = dense<1> : tensor<2xi64>, dilations = dense<2> : tensor<2xi64>}",
)
named(
    "pooling-ncw-sum",
    "pooling_ncw_sum",
    [normal(1, 3, 9), normal(3)],
    lambda x, w: sum(x[:, :, i : i + 7] for i in range(3)),
)
named(
    "pooling-ndhwc-max",
    "pooling_ndhwc_max",
    [normal(1, 4, 4, 4, 2), normal(2, 2, 2)],
    lambda x, w: np.max([x[:, i : i + 3, j : j + 3, k : k + 3] for i, j, k in np.ndindex(2, 2, 2)], axis=0),
    0,
    init="0xFF800000",
)
named(
    "pooling-max-i32",
    "pooling_nhwc_max",
    [integers(1, 6, 6, 3), integers(2, 2)],
    lambda x, w: np.max([x[:, i : i + 5, j : j + 5] for i, j in np.ndindex(2, 2)], axis=0),
    0,
    init="-2147483648",
    el="i32",
)
form(
    "matmul-unsigned-cast",
    [i8(5, 9), i8(9, 7, seed=1)],
    fill("%t0", "$r", "0", "i32")
    + ("%r = linalg.matmul {cast = #linalg.type_fn<cast_unsigned>} ins(%a, %b : $a, $b) outs(%t0 : $r) " "-> $r"),
    lambda x, y: x.view(np.uint8).astype(np.int32) @ y.view(np.uint8).astype(np.int32),
)
form(
    "matmul-transposed-maps",
    [normal(9, 5), normal(7, 9, seed=1)],
    fill("%t0", "$r")
    + (
        "%r = linalg.matmul indexing_maps = [affine_map<(d0, d1, d2) -> (d2, d0)>, affine_map<(d0, d1, "
        "d2) -> (d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1)>] ins(%a, %b : $a, $b) outs(%t0 : $r) -> "
        "$r"
    ),
    lambda x, y: x.T @ y.T,
    1e-4,
)
form(
    "matmul-broadcast-maps",
    [normal(9), normal(9, 7, seed=1)],
    fill("%t0", "tensor<5x7xf32>")
    + (
        "%r = linalg.matmul indexing_maps = [affine_map<(d0, d1, d2) -> (d2)>, affine_map<(d0, d1, d2) "
        "-> (d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>] ins(%a, %b : $a, $b) outs(%t0 : $r) -> $r"
    ),
    lambda x, y: np.broadcast_to(x @ y, (5, 7)),
    1e-4,
)
form(
    "contract-vec",
    [normal(9), normal(9, 7, seed=1)],
    fill("%t0", "$r")
    + (
        "%r = linalg.contract indexing_maps = [affine_map<(n, k) -> (k)>, affine_map<(n, k) -> (k, n)>, "
        "affine_map<(n, k) -> (n)>] ins(%a, %b : $a, $b) outs(%t0 : $r) -> $r"
    ),
    lambda x, y: x @ y,
    1e-4,
)
form(
    "map-op",
    [normal(4, 5), normal(4, 5, seed=1)],
    empty("%t0", "$r") + "%r = linalg.map { arith.addf } ins(%a, %b : $a, $b) outs(%t0 : $r)",
    lambda x, y: x + y,
)
form(
    "map-op-region",
    [normal(4, 5)],
    empty("%t0", "$r")
    + (
        "%r = linalg.map ins(%a : $a) outs(%t0 : $r) (%x: f32, %o: f32) {\n"
        "%v = math.absf %x : f32\n"
        "%w = arith.addf %v, %v : f32\n"
        "linalg.yield %w : f32\n"
        "}"
    ),
    lambda x: np.abs(x) * 2,
)
form(
    "reduce-short",
    [normal(4, 5, 6)],
    fill("%t0", "$r") + "%r = linalg.reduce { arith.addf } ins(%a : $a) outs(%t0 : $r) dimensions = [0, 2]",
    lambda x: x.sum((0, 2)),
    1e-4,
)
form(
    "reduce-mul-i64",
    [integers(4, 5, dtype=I64)],
    fill("%t0", "$r", "1", "i64") + "%r = linalg.reduce { arith.muli } ins(%a : $a) outs(%t0 : $r) dimensions = [1]",
    lambda x: x.prod(1),
)
form(
    "reduce-max-f64",
    [normal(4, 50, dtype=np.float64)],
    fill("%t0", "$r", "0xFFF0000000000000", "f64")
    + "%r = linalg.reduce { arith.maximumf } ins(%a : $a) outs(%t0 : $r) dimensions = [1]",
    lambda x: x.max(1),
)
form(
    "reduce-f16-to-f32",
    [normal(4, 50, dtype=np.float16)],
    fill("%t0", "$r")
    + generic(
        "%r",
        "ij->i",
        "%a $a f16",
        "%t0 $r f32",
        ("%v0 = arith.extf %x0 : f16 to f32\n" "%v1 = arith.addf %y0, %v0 : f32\n" "yield %v1 f32"),
        "j",
    ),
    lambda x: x.astype(np.float32).sum(1),
    1e-4,
)
form(
    "reduce-i8-to-i32",
    [i8(4, 50)],
    fill("%t0", "$r", "0", "i32")
    + generic(
        "%r",
        "ij->i",
        "%a $a i8",
        "%t0 $r i32",
        ("%v0 = arith.extsi %x0 : i8 to i32\n" "%v1 = arith.addi %y0, %v0 : i32\n" "yield %v1 i32"),
        "j",
    ),
    lambda x: x.astype(np.int32).sum(1, dtype=np.int32),
)
form(
    "large-reduction",
    [normal(1, 20000)],
    fill("%t0", "$r")
    + generic("%r", "ij->i", "%a $a f32", "%t0 $r f32", ("%v1 = arith.addf %y0, %x0 : f32\n" "yield %v1 f32"), "j"),
    lambda x: x.sum(1),
    1e-2,
)
form(
    "large-argmax",
    [normal(5000)],
    fill("%t0", "$r", "0xFF800000")
    + fill("%t1", "$s", "0", "i64")
    + generic(
        "%q:2",
        "i->,",
        "%a $a f32",
        "%t0 $r f32; %t1 $s i64",
        (
            "%v0 = linalg.index 0 : index\n"
            "%v1 = arith.index_cast %v0 : index to i64\n"
            "%v2 = arith.cmpf ogt, %x0, %y0 : f32\n"
            "%v3 = arith.select %v2, %x0, %y0 : f32\n"
            "%v4 = arith.select %v2, %v1, %y1 : i64\n"
            "yield %v3 f32, %v4 i64"
        ),
        "i",
    )
    + ("%r = tensor.cast %q#0 : $r to $r\n" "%s = tensor.cast %q#1 : $s to $s"),
    lambda x: (x.max(), x.argmax()),
)
form(
    "split-reduction-2d",
    [normal(8, 40, 16)],
    fill("%t0", "$r")
    + generic("%r", "ijk->i", "%a $a f32", "%t0 $r f32", ("%v1 = arith.addf %y0, %x0 : f32\n" "yield %v1 f32"), "jk"),
    lambda x: x.sum((1, 2)),
    1e-3,
)
form(
    "reduce-outer-inner",
    [normal(8, 4, 16)],
    fill("%t0", "$r")
    + generic("%r", "ijk->j", "%a $a f32", "%t0 $r f32", ("%v1 = arith.addf %y0, %x0 : f32\n" "yield %v1 f32"), "ik"),
    lambda x: x.sum((0, 2)),
    1e-3,
)
form(
    "multi-result",
    [integers(3, 4), integers(3, 4, seed=1)],
    empty("%t0", "$r")
    + generic(
        "%q:2",
        "ij,ij->ij,ij",
        "%a $a i32; %b $b i32",
        "%t0 $r i32; %t0 $r i32",
        ("%v0 = arith.addi %x0, %x1 : i32\n" "%v1 = arith.muli %x0, %x1 : i32\n" "yield %v0 i32, %v1 i32"),
    )
    + ("%r = tensor.cast %q#0 : $r to $r\n" "%s = tensor.cast %q#1 : $s to $s"),
    lambda x, y: (x + y, x * y),
)
form(
    "floordiv-map",
    [normal(5)],
    empty("%t0", "$r")
    + (
        "%r = linalg.generic {indexing_maps = [affine_map<(i) -> (i floordiv 2)>, affine_map<(i) -> "
        '(i)>], iterator_types = ["parallel"]} ins(%a : $a) outs(%t0 : $r) {\n'
        "^bb0(%x: f32, %y: f32):\n"
        "linalg.yield %x : f32\n"
        "} -> $r"
    ),
    lambda x: np.repeat(x, 2),
)
form(
    "mod-map",
    [normal(3)],
    empty("%t0", "$r")
    + (
        "%i9 = tensor.empty() : $r\n"
        "%r = linalg.generic {indexing_maps = [affine_map<(i) -> (i mod 3)>, affine_map<(i) -> (i)>], "
        'iterator_types = ["parallel"]} ins(%a : $a) outs(%t0 : $r) {\n'
        "^bb0(%x: f32, %y: f32):\n"
        "linalg.yield %x : f32\n"
        "} -> $r"
    ),
    lambda x: np.tile(x, 3)[:7],
)
form(
    "reverse-map",
    [normal(6)],
    empty("%t0", "$r")
    + (
        "%r = linalg.generic {indexing_maps = [affine_map<(i) -> (-i + 5)>, affine_map<(i) -> (i)>], "
        'iterator_types = ["parallel"]} ins(%a : $a) outs(%t0 : $r) {\n'
        "^bb0(%x: f32, %y: f32):\n"
        "linalg.yield %x : f32\n"
        "} -> $r"
    ),
    lambda x: x[::-1],
)
form(
    "rank0-generic",
    [normal(), normal(seed=1)],
    empty("%t0", "$r")
    + (
        "%r = linalg.generic {indexing_maps = [affine_map<() -> ()>, affine_map<() -> ()>, affine_map<() "
        "-> ()>], iterator_types = []} ins(%a, %b : $a, $b) outs(%t0 : $r) {\n"
        "^bb0(%x: f32, %y: f32, %z: f32):\n"
        "%v = arith.addf %x, %y : f32\n"
        "linalg.yield %v : f32\n"
        "} -> $r"
    ),
    lambda x, y: x + y,
)
form(
    "out-permuted",
    [normal(3, 4)],
    empty("%t0", "$r") + generic("%r", "ij->ji", "%a $a f32", "%t0 $r f32", "yield %x0 f32"),
    lambda x: x.T,
)
form(
    "inout-use",
    [normal(3, 4), normal(3, 4, seed=1)],
    generic("%r", "ij->ij", "%a $a f32", "%b $b f32", ("%v = arith.subf %y0, %x0 : f32\n" "yield %v f32")),
    lambda x, y: y - x,
)
form(
    "no-input-out-use",
    [normal(3, 4)],
    generic("%r", "ij->ij", "", "%a $a f32", ("%v = arith.addf %y0, %y0 : f32\n" "yield %v f32")),
    lambda x: 2 * x,
)
form("unused-args", [normal(3), normal(4), normal(5)], "%r = math.absf %b : $b", lambda x, y, z: np.abs(y))
form(
    "outer-scalar-capture",
    [normal(3, 4), 3],
    ("%v9 = arith.index_cast %b : index to i32\n" "%w9 = arith.sitofp %v9 : i32 to f32\n")
    + empty("%t0", "$r")
    + generic("%r", "ij->ij", "%a $a f32", "%t0 $r f32", ("%v = arith.addf %x0, %w9 : f32\n" "yield %v f32")),
    lambda x, n: x + 3,
)
# math
U = {
    "sin": np.sin,
    "cos": np.cos,
    "tan": np.tan,
    "asin": np.arcsin,
    "acos": np.arccos,
    "atan": np.arctan,
    "sinh": np.sinh,
    "cosh": np.cosh,
    "tanh": np.tanh,
    "asinh": np.arcsinh,
    "acosh": np.arccosh,
    "atanh": np.arctanh,
    "exp": np.exp,
    "exp2": np.exp2,
    "expm1": np.expm1,
    "log": np.log,
    "log2": np.log2,
    "log10": np.log10,
    "log1p": np.log1p,
    "sqrt": np.sqrt,
    "rsqrt": lambda x: 1 / np.sqrt(x),
    "cbrt": np.cbrt,
    "erf": np.vectorize(math.erf),
    "erfc": np.vectorize(math.erfc),
    "ceil": np.ceil,
    "floor": np.floor,
    "roundeven": np.rint,
    "trunc": np.trunc,
    "absf": np.abs,
}
for name, f in U.items():
    for t, tol in [(np.float32, 2e-4), (np.float16, 1e-2), (np.float64, 1e-9)]:
        x = np.abs(normal(2, 9)).astype(t) * t(0.3) + t(0.01)
        if name == "acosh":
            x = x + t(1.5)
        if name in ("asin", "acos", "atanh"):
            x = np.minimum(x, t(0.9))
        form(
            f"math-{name}-{t.__name__}",
            [x],
            f"%r = math.{name} %a : $a",
            lambda x, f=f, t=t: f(x.astype(np.float64)).astype(t),
            tol,
        )
for t in ("isnan", "isinf", "isfinite", "isnormal"):
    form(
        f"math-{t}",
        [np.array([0, 1, np.nan, np.inf, -np.inf, 1e-40], np.float32)],
        f"%r = math.{t} %a : $a",
        {
            "isnan": np.isnan,
            "isinf": np.isinf,
            "isfinite": np.isfinite,
            "isnormal": lambda x: np.isfinite(x) & (np.abs(x) > 1e-38),
        }[t],
    )
form(
    "math-fma",
    [normal(9), normal(9, seed=1), normal(9, seed=2)],
    "%r = math.fma %a, %b, %c : $a",
    lambda x, y, z: x * y + z,
    1e-5,
)
form("math-powf", [np.abs(normal(9)), normal(9, seed=1)], "%r = math.powf %a, %b : $a", np.power, 1e-4)
form(
    "math-fpowi",
    [normal(9), integers(9)],
    "%r = math.fpowi %a, %b : $a, $b",
    lambda x, n: np.power(x.astype(np.float64), n).astype(np.float32),
    1e-3,
)
form("math-ipowi", [integers(9), integers(9, low=0, high=5, seed=1)], "%r = math.ipowi %a, %b : $a", np.power)
form(
    "math-bits",
    [integers(9, low=1, high=100000)],
    ("%r = math.ctlz %a : $a\n" "%s = math.cttz %a : $a\n" "%t = math.ctpop %a : $a\n" "%u = math.absi %a : $a"),
    lambda x: (
        np.array([32 - int(v).bit_length() for v in x], np.int32),
        np.array([(int(v) & -int(v)).bit_length() - 1 for v in x], np.int32),
        np.array([bin(v).count("1") for v in x], np.int32),
        np.abs(x),
    ),
)
form(
    "math-atan2-copysign",
    [normal(9), normal(9, seed=1)],
    ("%r = math.atan2 %a, %b : $a\n" "%s = math.copysign %a, %b : $a"),
    lambda x, y: (np.arctan2(x, y), np.copysign(x, y)),
    1e-4,
)
form(
    "math-clampf",
    [normal(9), normal(9, seed=1) - 1, normal(9, seed=2) + 1],
    "%r = math.clampf %a to [%b, %c] : $a",
    lambda x, l, h: np.minimum(np.maximum(x, l), h),
    0,
)
form("math-sincos", [normal(9)], "%r, %s = math.sincos %a : $a", lambda x: (np.sin(x), np.cos(x)), 1e-4)
form(
    "math-round",
    [np.array([0.5, -0.5, 1.5, 2.5, -2.5, 2.4], np.float32)],
    "%r = math.round %a : $a",
    lambda x: np.trunc(x + np.copysign(0.5, x)).astype(np.float32),
)
# arith
for name, f, dt in [
    ("ceildivsi", lambda a, b: -(-a // b), np.int32),
    ("floordivsi", np.floor_divide, np.int32),
    ("divsi", lambda a, b: np.trunc(a / b).astype(a.dtype), np.int32),
    ("remsi", lambda a, b: np.fmod(a, b), np.int32),
    ("shli", lambda a, b: a << (b % 8), np.int32),
    ("minsi", np.minimum, np.int64),
    ("maxui", lambda a, b: np.maximum(a.view(np.uint64), b.view(np.uint64)).view(I64), I64),
    ("divsi", lambda a, b: np.trunc(a / b).astype(a.dtype), I64),
    ("floordivsi", np.floor_divide, I64),
    ("remsi", lambda a, b: np.fmod(a, b), np.int8),
    ("divui", lambda a, b: (a.view(np.uint16) // b.view(np.uint16)).view(np.int16), np.int16),
    (
        "ceildivui",
        lambda a, b: (-(-a.view(np.uint32).astype(np.int64) // b.view(np.uint32))).astype(np.uint32).view(np.int32),
        np.int32,
    ),
]:
    a = integers(20, low=-100, high=100, dtype=dt)
    b = integers(20, low=1, high=8, seed=1, dtype=dt)
    form(f"arith-{name}-{dt.__name__}", [a, b], f"%r = arith.{name} %a, %b : $a", f)
for name, f in [
    ("maxnumf", np.fmax),
    ("minnumf", np.fmin),
    ("maximumf", np.maximum),
    ("minimumf", np.minimum),
    ("remf", np.fmod),
    ("divf", np.divide),
]:
    form(
        f"arith-{name}",
        [np.array([1, np.nan, 3, -5.5, 7], np.float32), np.array([2, 1, np.nan, 2, -3], np.float32)],
        f"%r = arith.{name} %a, %b : $a",
        f,
        1e-6,
    )
form(
    "arith-addui-extended",
    [integers(9, low=-100), integers(9, low=-100, seed=1)],
    "%r, %s = arith.addui_extended %a, %b : $a, tensor<9xi1>",
    lambda x, y: (x + y, x.view(np.uint32).astype(np.uint64) + y.view(np.uint32) >= 2**32),
)
form(
    "arith-mulsi-extended",
    [integers(9, low=-100000, high=100000), integers(9, low=-100000, high=100000, seed=1)],
    "%r, %s = arith.mulsi_extended %a, %b : $a",
    lambda x, y: ((x.astype(I64) * y).astype(np.int32), (x.astype(I64) * y >> 32).astype(np.int32)),
)
form(
    "arith-select-scalar", [True, normal(4), normal(4, seed=1)], "%r = arith.select %a, %b, %c : $b", lambda c, x, y: x
)
form(
    "arith-casts",
    [normal(9) * 50],
    (
        "%r = arith.fptosi %a : $a to $r\n"
        "%s = arith.fptosi %a : $a to $s\n"
        "%t = arith.truncf %a : $a to $t\n"
        "%u = arith.extf %a : $a to $u"
    ),
    lambda x: (x.astype(np.int8), x.astype(I64), x.astype(np.float16), x.astype(np.float64)),
)
form(
    "arith-i64-casts",
    [integers(9, low=-1000, high=1000, dtype=I64)],
    (
        "%r = arith.sitofp %a : $a to $r\n"
        "%s = arith.uitofp %a : $a to $s\n"
        "%t = arith.trunci %a : $a to $t\n"
        "%u = arith.sitofp %a : $a to $u"
    ),
    lambda x: (x.astype(np.float32), x.view(np.uint64).astype(np.float64), x.astype(np.int16), x.astype(np.float16)),
)
form(
    "arith-fptoui-i64",
    [np.abs(normal(9)).astype(np.float64) * 1e15],
    "%r = arith.fptoui %a : $a to $r",
    lambda x: x.astype(I64),
)
for p in [
    "oeq",
    "ogt",
    "oge",
    "olt",
    "ole",
    "one",
    "ord",
    "ueq",
    "ugt",
    "uge",
    "ult",
    "ule",
    "une",
    "uno",
    "true",
    "false",
]:

    def g(x, y, p=p):
        un = np.isnan(x) | np.isnan(y)
        c = {"eq": x == y, "gt": x > y, "ge": x >= y, "lt": x < y, "le": x <= y, "ne": (x != y)}.get(p[1:])
        if p == "ord":
            return ~un
        if p == "uno":
            return un
        if p == "true":
            return un | True
        if p == "false":
            return un & False
        return (c & ~un) if p[0] == "o" else (c | un)

    form(
        f"cmpf-{p}",
        [np.array([1, np.nan, 3, 2], np.float32), np.array([2, 1, 3, 1], np.float32)],
        f"%r = arith.cmpf {p}, %a, %b : $a",
        g,
    )
