"""Named and generic ops of linalg in their variants, on tensors and on memrefs."""

import numpy as np

from forms import form
from programs import integers, normal, softmax
from reference import conv2d, conv3d, depthwise, erf, pool

ZERO = "%zero = arith.constant 0.0 : f32"


def named(name, op, arguments, function, tolerance=1e-4, attributes="", dynamic=False):
    """A named op with a result that is filled with zero, or whose initial value is the last argument."""
    letters = "abcdefg"[: len(arguments)]
    result = np.asarray(function(*arguments))
    init = "0.0" if result.dtype.kind == "f" else "0"
    element = {
        "float32": "f32",
        "float16": "f16",
        "float64": "f64",
        "int32": "i32",
        "int8": "i8",
        "int64": "i64",
    }[result.dtype.name]
    sizes = ", ".join(f"%d{i}" for i in range(result.ndim)) if dynamic else ""
    constants = [f"%d{i} = arith.constant {size} : index" for i, size in enumerate(result.shape)]
    constants = "\n".join(constants) if dynamic else ""
    names, types = ", ".join("%" + c for c in letters), ", ".join("$" + c for c in letters)
    body = f"""
{constants}
%zero = arith.constant {init} : {element}
%e = tensor.empty({sizes}) : $r
%f = linalg.fill ins(%zero : {element}) outs(%e : $r) -> $r
%r = linalg.{op} {attributes} ins({names} : {types}) outs(%f : $r) -> $r
"""
    form(name, arguments, body, function, tolerance, dynamic=dynamic)


# Contractions.
def transposed(*maps):
    return "indexing_maps = [" + ", ".join(f"affine_map<{text}>" for text in maps) + "]"


for dynamic in (False, True):
    tag = "-dynamic" if dynamic else ""
    named("matmul" + tag, "matmul", [normal(7, 9), normal(9, 5, seed=1)], np.matmul, dynamic=dynamic)
    named(
        "matmul-transpose-a" + tag,
        "matmul",
        [normal(9, 7), normal(9, 5, seed=1)],
        lambda a, b: a.T @ b,
        attributes=transposed("(m, n, k) -> (k, m)", "(m, n, k) -> (k, n)", "(m, n, k) -> (m, n)"),
        dynamic=dynamic,
    )
    named(
        "matmul-transpose-b" + tag,
        "matmul",
        [normal(7, 9), normal(5, 9, seed=1)],
        lambda a, b: a @ b.T,
        attributes=transposed("(m, n, k) -> (m, k)", "(m, n, k) -> (n, k)", "(m, n, k) -> (m, n)"),
        dynamic=dynamic,
    )
    named("batch-matmul" + tag, "batch_matmul", [normal(3, 7, 9), normal(3, 9, 5, seed=1)], np.matmul, dynamic=dynamic)
    named(
        "batch-reduce-matmul" + tag,
        "batch_reduce_matmul",
        [normal(3, 7, 9), normal(3, 9, 5, seed=1)],
        lambda a, b: (a @ b).sum(0),
        dynamic=dynamic,
    )
    named("matvec" + tag, "matvec", [normal(7, 9), normal(9, seed=1)], np.matmul, dynamic=dynamic)
    named("vecmat" + tag, "vecmat", [normal(9), normal(9, 7, seed=1)], np.matmul, dynamic=dynamic)
    named(
        "batch-matvec" + tag,
        "batch_matvec",
        [normal(3, 7, 9), normal(3, 9, seed=1)],
        lambda a, b: np.einsum("bij,bj->bi", a, b),
        dynamic=dynamic,
    )
    named(
        "batch-vecmat" + tag,
        "batch_vecmat",
        [normal(3, 9), normal(3, 9, 5, seed=1)],
        lambda a, b: np.einsum("bk,bkn->bn", a, b),
        dynamic=dynamic,
    )
    named("dot" + tag, "dot", [normal(33), normal(33, seed=1)], np.dot, dynamic=False)
    named(
        "mmt4d" + tag,
        "mmt4d",
        [normal(2, 3, 4, 2), normal(5, 3, 8, 2, seed=1)],
        lambda a, b: np.einsum("mkab,nkcb->mnac", a, b),
        dynamic=dynamic,
    )
    named(
        "batch-mmt4d" + tag,
        "batch_mmt4d",
        [normal(2, 2, 3, 4, 2), normal(2, 5, 3, 8, 2, seed=1)],
        lambda a, b: np.einsum("zmkab,znkcb->zmnac", a, b),
        dynamic=dynamic,
    )
named(
    "batch-matmul-transposed",
    "batch_matmul",
    [normal(3, 9, 7), normal(3, 5, 9, seed=1)],
    lambda a, b: a.transpose(0, 2, 1) @ b.transpose(0, 2, 1),
    attributes=transposed("(b, m, n, k) -> (b, k, m)", "(b, m, n, k) -> (b, n, k)", "(b, m, n, k) -> (b, m, n)"),
)
named(
    "matmul-broadcast-a",
    "matmul",
    [normal(9), normal(9, 5, seed=1)],
    lambda a, b: np.broadcast_to(a, (4, 9)) @ b,
    attributes=transposed("(m, n, k) -> (k)", "(m, n, k) -> (k, n)", "(m, n, k) -> (m, n)"),
)
named(
    "contract",
    "contract",
    [normal(3, 4, 5), normal(5, 6, 3, seed=1)],
    lambda a, b: np.einsum("abk,kca->cab", a, b),
    attributes=transposed("(a, b, c, k) -> (a, b, k)", "(a, b, c, k) -> (k, c, a)", "(a, b, c, k) -> (c, a, b)"),
)
named(
    "contract-two-reductions",
    "contract",
    [normal(4, 3, 5), normal(3, 5, 6, seed=1)],
    lambda a, b: np.einsum("mkl,kln->mn", a, b),
    attributes=transposed("(m, n, k, l) -> (m, k, l)", "(m, n, k, l) -> (k, l, n)", "(m, n, k, l) -> (m, n)"),
)
I8A, I8B = integers(
    16,
    24,
    low=-128,
    high=128,
    dtype=np.int8,
), integers(24, 16, low=-128, high=128, seed=1, dtype=np.int8)
named("matmul-i8-i32", "matmul", [I8A, I8B], lambda a, b: a.astype(np.int32) @ b.astype(np.int32), 0)
named(
    "matmul-i8-unsigned",
    "matmul",
    [I8A, I8B],
    lambda a, b: a.view(np.uint8).astype(np.int32) @ b.view(np.uint8).astype(np.int32),
    0,
    "{cast = #linalg.type_fn<cast_unsigned>}",
)
named("matmul-i32", "matmul", [integers(7, 9), integers(9, 4, seed=1)], lambda a, b: (a @ b).astype(np.int32), 0)
named("matmul-i64", "matmul", [integers(7, 9, dtype=np.int64), integers(9, 4, seed=1, dtype=np.int64)], np.matmul, 0)
named(
    "matmul-f64",
    "matmul",
    [normal(7, 9, dtype=np.float64), normal(9, 4, seed=1, dtype=np.float64)],
    np.matmul,
    1e-12,
)
named("matmul-i8-f32", "matmul", [I8A, I8B], lambda a, b: a.astype(np.float32) @ b.astype(np.float32), 1e-4)
for m, n, k in [(1, 1, 1), (1, 16, 64), (64, 1, 16), (17, 33, 65), (16, 16, 1), (128, 64, 32)]:
    named(f"matmul-{m}-{n}-{k}", "matmul", [normal(m, k), normal(k, n, seed=1)], np.matmul)
    named(
        f"matmul-f16-{m}-{n}-{k}",
        "matmul",
        [normal(m, k, dtype=np.float16), normal(k, n, seed=1, dtype=np.float16)],
        lambda a, b: a.astype(np.float32) @ b.astype(np.float32),
        1e-3,
    )
form(
    "quantized-matmul",
    [I8A, I8B],
    """
%za = arith.constant 3 : i32
%zb = arith.constant -5 : i32
%zero = arith.constant 0 : i32
%e = tensor.empty() : $r
%f = linalg.fill ins(%zero : i32) outs(%e : $r) -> $r
%r = linalg.quantized_matmul ins(%a, %b, %za, %zb : $a, $b, i32, i32) outs(%f : $r) -> $r
""",
    lambda a, b: (a.astype(np.int32) - 3) @ (b.astype(np.int32) + 5),
    0,
)
form(
    "quantized-batch-matmul-scalar-zero-points",
    [I8A[None], I8B[None], np.int32(7), np.int32(-2)],
    """
%zero = arith.constant 0 : i32
%e = tensor.empty() : $r
%f = linalg.fill ins(%zero : i32) outs(%e : $r) -> $r
%r = linalg.quantized_batch_matmul ins(%a, %b, %c, %d : $a, $b, i32, i32) outs(%f : $r) -> $r
""",
    lambda a, b, za, zb: (a.astype(np.int32) - za) @ (b.astype(np.int32) - zb),
    0,
    types={"c": "i32", "d": "i32"},
)
form(
    "matmul-in-place-of-argument",
    [normal(5, 6), normal(6, 7, seed=1), normal(5, 7, seed=2)],
    "%r = linalg.matmul ins(%a, %b : $a, $b) outs(%c : $c) -> $r\n%s = arith.addf %c, %r : $c",
    lambda a, b, c: (c + a @ b, c + (c + a @ b)),
    1e-4,
)

# Convolutions and pools.
DILATED = "{dilations = dense<2> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>}"
STRIDED = "{dilations = dense<1> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>}"


def nchw(x):
    return x.transpose(0, 3, 1, 2)


def nhwc(x):
    return x.transpose(0, 2, 3, 1)


for tag, attributes, stride, dilation in [("", "", 1, 1), ("-dilated", DILATED, 1, 2), ("-strided", STRIDED, 2, 1)]:
    s, d = (stride, stride), (dilation, dilation)
    none = (0, 0, 0, 0)
    named(
        "conv-nhwc-hwcf" + tag,
        "conv_2d_nhwc_hwcf",
        [normal(2, 9, 8, 3), normal(3, 2, 3, 5, seed=1)],
        lambda x, w, s=s, d=d: conv2d(x, w.transpose(3, 0, 1, 2), 0, none, s, d),
        attributes=attributes,
    )
    named(
        "conv-nhwc-fhwc" + tag,
        "conv_2d_nhwc_fhwc",
        [normal(2, 9, 8, 3), normal(5, 3, 2, 3, seed=1)],
        lambda x, w, s=s, d=d: conv2d(x, w, 0, none, s, d),
        attributes=attributes,
    )
    named(
        "conv-nchw-fchw" + tag,
        "conv_2d_nchw_fchw",
        [normal(2, 3, 9, 8), normal(5, 3, 3, 2, seed=1)],
        lambda x, w, s=s, d=d: nchw(conv2d(nhwc(x), nhwc(w), 0, none, s, d)),
        attributes=attributes,
    )


def grouped(x, w, s, d):
    """x is NGCHW, w is GFCHW."""
    return np.stack(
        [nchw(conv2d(nhwc(x[:, g]), nhwc(w[g]), 0, (0, 0, 0, 0), s, d)) for g in range(x.shape[1])],
        axis=1,
    )


named(
    "conv-ngchw-gfchw",
    "conv_2d_ngchw_gfchw",
    [normal(1, 2, 3, 7, 6), normal(2, 4, 3, 3, 2, seed=1)],
    lambda x, w: grouped(x, w, (1, 1), (1, 1)),
)
named(
    "conv-ngchw-fgchw",
    "conv_2d_ngchw_fgchw",
    [normal(1, 2, 3, 7, 6), normal(4, 2, 3, 3, 2, seed=1)],
    lambda x, w: grouped(x, w.transpose(1, 0, 2, 3, 4), (1, 1), (1, 1)),
)
named(
    "conv-hw",
    "conv_2d",
    [normal(9, 8), normal(3, 2, seed=1)],
    lambda x, w: conv2d(x[None, :, :, None], w[None, :, :, None], 0, (0, 0, 0, 0), (1, 1), (1, 1))[0, :, :, 0],
)
named("conv-w", "conv_1d", [normal(19), normal(4, seed=1)], lambda x, w: np.correlate(x, w))
named(
    "conv-nwc",
    "conv_1d_nwc_wcf",
    [normal(2, 12, 3), normal(3, 3, 4, seed=1)],
    lambda x, w: sum(np.einsum("nwc,cf->nwf", x[:, i : i + 10], w[i]) for i in range(3)),
)
named(
    "conv-ncw",
    "conv_1d_ncw_fcw",
    [normal(2, 3, 12), normal(4, 3, 3, seed=1)],
    lambda x, w: sum(np.einsum("ncw,fc->nfw", x[:, :, i : i + 10], w[:, :, i]) for i in range(3)),
)
named(
    "conv-dhw",
    "conv_3d",
    [normal(4, 5, 6), normal(2, 3, 2, seed=1)],
    lambda x, w: conv3d(x[None, ..., None], w[None, ..., None], 0)[0, ..., 0],
)
named(
    "conv-ndhwc",
    "conv_3d_ndhwc_dhwcf",
    [normal(1, 4, 5, 6, 2), normal(2, 3, 2, 2, 3, seed=1)],
    lambda x, w: conv3d(x, w.transpose(4, 0, 1, 2, 3), 0),
)
named(
    "conv-ncdhw",
    "conv_3d_ncdhw_fcdhw",
    [normal(1, 2, 4, 5, 6), normal(3, 2, 2, 3, 2, seed=1)],
    lambda x, w: conv3d(x.transpose(0, 2, 3, 4, 1), w.transpose(0, 2, 3, 4, 1), 0).transpose(0, 4, 1, 2, 3),
)
named(
    "depthwise-nhwc",
    "depthwise_conv_2d_nhwc_hwc",
    [normal(1, 7, 6, 4), normal(3, 3, 4, seed=1)],
    lambda x, w: depthwise(x, w[..., None], 0, (0, 0, 0, 0), 1),
)
named(
    "depthwise-nchw",
    "depthwise_conv_2d_nchw_chw",
    [normal(1, 4, 7, 6), normal(4, 3, 3, seed=1)],
    lambda x, w: nchw(depthwise(nhwc(x), w.transpose(1, 2, 0)[..., None], 0, (0, 0, 0, 0), 1)),
)
named(
    "depthwise-nhwcm",
    "depthwise_conv_2d_nhwc_hwcm",
    [normal(1, 7, 6, 4), normal(3, 3, 4, 2, seed=1)],
    lambda x, w: depthwise(x, w, 0, (0, 0, 0, 0), 1).reshape(1, 5, 4, 4, 2),
)
named(
    "depthwise-nwc",
    "depthwise_conv_1d_nwc_wc",
    [normal(2, 12, 3), normal(3, 3, seed=1)],
    lambda x, w: sum(x[:, i : i + 10] * w[i] for i in range(3)),
)
named(
    "depthwise-ndhwc",
    "depthwise_conv_3d_ndhwc_dhwc",
    [normal(1, 3, 4, 5, 2), normal(2, 2, 2, 2, seed=1)],
    lambda x, w: sum(x[:, i : i + 2, j : j + 3, k : k + 4] * w[i, j, k] for i, j, k in np.ndindex(2, 2, 2)),
)
for op, function, fill in [("sum", np.sum, "0.0"), ("max", np.max, "0xFF800000"), ("min", np.min, "0x7F800000")]:
    for layout in ("nhwc", "nchw") if op != "min" else ("nhwc",):
        value = normal(1, 7, 6, 3)
        value = value if layout == "nhwc" else np.ascontiguousarray(nchw(value))

        def expected(x, function=function, layout=layout):
            y = pool(x if layout == "nhwc" else nhwc(x), (3, 2), (2, 2), (0, 0, 0, 0), function, 0)
            return y if layout == "nhwc" else nchw(y)

        form(
            f"pooling-{layout}-{op}",
            [value],
            f"""
%fill = arith.constant {fill} : f32
%e = tensor.empty() : $r
%w = tensor.empty() : tensor<3x2xf32>
%f = linalg.fill ins(%fill : f32) outs(%e : $r) -> $r
%r = linalg.pooling_{layout}_{op} {{strides = dense<2> : tensor<2xi64>}} ins(%a, %w : $a, tensor<3x2xf32>)
    outs(%f : $r) -> $r
""",
            expected,
            1e-4,
        )
form(
    "pooling-nwc-max-unsigned",
    [integers(2, 9, 3, low=-128, high=128, dtype=np.int8)],
    """
%fill = arith.constant 0 : i8
%e = tensor.empty() : $r
%w = tensor.empty() : tensor<3xf32>
%f = linalg.fill ins(%fill : i8) outs(%e : $r) -> $r
%r = linalg.pooling_nwc_max_unsigned ins(%a, %w : $a, tensor<3xf32>) outs(%f : $r) -> $r
""",
    lambda x: np.stack([x.view(np.uint8)[:, i : i + 3].max(1) for i in range(7)], 1).view(np.int8),
    0,
)
form(
    "pooling-ndhwc-sum",
    [normal(1, 4, 4, 4, 2)],
    ZERO
    + """
%e = tensor.empty() : $r
%w = tensor.empty() : tensor<2x2x2xf32>
%f = linalg.fill ins(%zero : f32) outs(%e : $r) -> $r
%r = linalg.pooling_ndhwc_sum {strides = dense<2> : tensor<3xi64>}
    ins(%a, %w : $a, tensor<2x2x2xf32>) outs(%f : $r) -> $r
""",
    lambda x: x.reshape(1, 2, 2, 2, 2, 2, 2, 2).sum(axis=(2, 4, 6)),
    1e-4,
)
form(
    "conv-nhwc-quantized",
    [
        integers(1, 6, 6, 4, low=-128, high=128, dtype=np.int8),
        integers(3, 3, 4, 5, low=-128, high=128, seed=1, dtype=np.int8),
    ],
    """
%za = arith.constant 3 : i32
%zb = arith.constant -5 : i32
%zero = arith.constant 0 : i32
%e = tensor.empty() : $r
%f = linalg.fill ins(%zero : i32) outs(%e : $r) -> $r
%r = linalg.conv_2d_nhwc_hwcf_q ins(%a, %b, %za, %zb : $a, $b, i32, i32) outs(%f : $r) -> $r
""",
    lambda x, w: conv2d(
        x.astype(np.int32) - 3,
        w.astype(np.int32).transpose(3, 0, 1, 2) + 5,
        0,
        (0, 0, 0, 0),
        (1, 1),
        (1, 1),
    ),
    0,
)

# Named elementwise ops.
for op, function, tolerance in [
    ("exp", np.exp, 1e-4),
    ("log", np.log, 1e-4),
    ("abs", np.abs, 0),
    ("ceil", np.ceil, 0),
    ("floor", np.floor, 0),
    ("negf", np.negative, 0),
    ("reciprocal", lambda x: 1 / x, 1e-5),
    ("round", lambda x: np.where(np.abs(x - np.trunc(x)) == 0.5, np.trunc(x) + np.sign(x), np.rint(x)), 0),
    ("sqrt", np.sqrt, 1e-5),
    ("rsqrt", lambda x: 1 / np.sqrt(x), 1e-5),
    ("square", np.square, 0),
    ("tanh", np.tanh, 1e-4),
    ("erf", erf, 1e-4),
]:
    value = np.abs(normal(4, 9)) * 3 + np.float32(0.1)
    value[0, :4] = [0.5, 1.5, 2.5, 3.5]
    form(
        f"linalg-{op}",
        [value],
        f"%e = tensor.empty() : $r\n%r = linalg.{op} ins(%a : $a) outs(%e : $r) -> $r",
        function,
        tolerance,
    )
for op, function, dtype in [
    ("sub", np.subtract, np.float32),
    ("div", np.divide, np.float32),
    ("max", np.maximum, np.float32),
    ("min", np.minimum, np.float32),
    ("powf", np.power, np.float32),
    ("add", np.add, np.int8),
    ("div", lambda a, b: np.trunc(a / b).astype(np.int32), np.int32),
    ("div_unsigned", lambda a, b: (a.view(np.uint32) // b.view(np.uint32)).view(np.int32), np.int32),
    ("max", np.maximum, np.int16),
    ("mul", np.multiply, np.int64),
]:
    a = np.abs(normal(4, 9) * 9).astype(dtype)
    b = (np.abs(normal(4, 9, seed=1)) * 9 + 1).astype(dtype)
    form(
        f"linalg-{op}-{dtype.__name__}",
        [a, b],
        f"%e = tensor.empty() : $r\n%r = linalg.{op} ins(%a, %b : $a, $b) outs(%e : $r) -> $r",
        function,
        1e-4,
    )
form(
    "linalg-select",
    [integers(4, 5) > 0, normal(4, 5), normal(4, 5, seed=1)],
    "%e = tensor.empty() : $r\n%r = linalg.select ins(%a, %b, %c : $a, $b, $c) outs(%e : $r) -> $r",
    np.where,
    0,
)
form(
    "elementwise-maps",
    [normal(4, 5), normal(5, seed=1)],
    """
%e = tensor.empty() : $r
%r = linalg.elementwise kind=#linalg.elementwise_kind<div>
    indexing_maps = [affine_map<(i, j) -> (j, i)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>]
    ins(%a, %b : $a, $b) outs(%e : $r) -> $r
""",
    lambda a, b: a.T / b[:, None],
)
form(
    "copy-cast",
    [normal(4, 5)],
    "%e = tensor.empty() : $r\n%r = linalg.copy ins(%a : $a) outs(%e : $r) -> $r",
    lambda a: a.astype(np.float64),
)
form(
    "fill-scalar-argument",
    [np.float32(3.5), normal(4, 5)],
    "%r = linalg.fill ins(%a : f32) outs(%b : $b) -> $r",
    lambda v, x: np.full_like(x, v),
    types={"a": "f32"},
)


def random_numbers(seed):
    def advance(x):
        return (x * 1103515245 + 12345) % (1 << 32)

    state = [[advance((advance(i + int(seed)) + j) % (1 << 32)) for j in range(5)] for i in range(4)]
    return ((np.array(state, np.uint32).view(np.int32) + 2147483647.0) * 2.3283064e-10 * 2 - 1).astype(np.float32)


form(
    "fill-rng-2d",
    [np.int32(42)],
    """
%lo = arith.constant -1.0 : f64
%hi = arith.constant 1.0 : f64
%e = tensor.empty() : $r
%r = linalg.fill_rng_2d ins(%lo, %hi, %a : f64, f64, i32) outs(%e : $r) -> $r
""",
    random_numbers,
    1e-4,
    types={"a": "i32"},
)
for axis in range(3):
    form(
        f"softmax-axis-{axis}",
        [normal(3, 4, 5)],
        f"%e = tensor.empty() : $r\n%r = linalg.softmax dimension({axis}) ins(%a : $a) outs(%e : $r) -> $r",
        lambda x, axis=axis: softmax(x, axis),
        1e-5,
    )
form(
    "softmax-f16",
    [normal(3, 40, dtype=np.float16)],
    "%e = tensor.empty() : $r\n%r = linalg.softmax dimension(1) ins(%a : $a) outs(%e : $r) -> $r",
    softmax,
    1e-2,
)
form(
    "softmax-dynamic",
    [normal(3, 40)],
    """
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%m = tensor.dim %a, %c0 : $a
%n = tensor.dim %a, %c1 : $a
%e = tensor.empty(%m, %n) : $r
%r = linalg.softmax dimension(1) ins(%a : $a) outs(%e : $r) -> $r
""",
    softmax,
    dynamic=True,
)

# Generic ops.


def generic(maps, iterators, ins, outs, body, results):
    ins = f"ins({', '.join(n for n, _ in ins)} : {', '.join(t for _, t in ins)})" if ins else ""
    outs = f"outs({', '.join(n for n, _ in outs)} : {', '.join(t for _, t in outs)})"
    names = ", ".join(f'"{ {"p": "parallel", "r": "reduction"}[i] }"' for i in iterators)
    text = ", ".join(f"affine_map<{m}>" for m in maps)
    attributes = f"{{indexing_maps = [{text}], iterator_types = [{names}]}}"
    return f"linalg.generic {attributes} {ins} {outs} {{\n{body}\n}} -> {results}\n"


form(
    "generic-iota",
    [],
    "%e = tensor.empty() : $r\n%r = "
    + generic(
        ["(i, j) -> (i, j)"],
        "pp",
        [],
        [("%e", "$r")],
        "^bb0(%o: i64):\n%i = linalg.index 0 : index\n%j = linalg.index 1 : index\n%c = arith.constant 10 : index\n"
        "%k = arith.muli %i, %c : index\n%l = arith.addi %k, %j : index\n"
        "%v = arith.index_cast %l : index to i64\nlinalg.yield %v : i64",
        "$r",
    ),
    lambda: np.arange(4)[:, None] * 10 + np.arange(6),
    0,
)
form(
    "generic-window-sum",
    [normal(12)],
    ZERO + "\n%e = tensor.empty() : $r\n%w = tensor.empty() : tensor<3xf32>\n"
    "%f = linalg.fill ins(%zero : f32) outs(%e : $r) -> $r\n%r = "
    + generic(
        ["(i, j) -> (i * 2 + j)", "(i, j) -> (j)", "(i, j) -> (i)"],
        "pr",
        [("%a", "$a"), ("%w", "tensor<3xf32>")],
        [("%f", "$r")],
        "^bb0(%v: f32, %u: f32, %o: f32):\n%q = arith.addf %v, %o : f32\nlinalg.yield %q : f32",
        "$r",
    ),
    lambda x: np.stack([x[2 * i : 2 * i + 3].sum() for i in range(5)]),
    1e-5,
)
form(
    "generic-constant-index",
    [normal(4, 3)],
    "%e = tensor.empty() : $r\n%r = "
    + generic(
        ["(i) -> (i, 2)", "(i) -> (i)"],
        "p",
        [("%a", "$a")],
        [("%e", "$r")],
        "^bb0(%v: f32, %o: f32):\nlinalg.yield %v : f32",
        "$r",
    ),
    lambda x: x[:, 2],
    0,
)
form(
    "generic-diagonal",
    [normal(4, 4)],
    "%e = tensor.empty() : $r\n%r = "
    + generic(
        ["(i) -> (i, i)", "(i) -> (i)"],
        "p",
        [("%a", "$a")],
        [("%e", "$r")],
        "^bb0(%v: f32, %o: f32):\nlinalg.yield %v : f32",
        "$r",
    ),
    np.diagonal,
    0,
)
form(
    "generic-scalar-inputs",
    [normal(4, 5), np.float32(2.5), normal(seed=3)],
    "%e = tensor.empty() : $r\n%r = "
    + generic(
        ["(i, j) -> (i, j)", "(i, j) -> ()", "(i, j) -> ()", "(i, j) -> (i, j)"],
        "pp",
        [("%a", "$a"), ("%b", "f32"), ("%c", "$c")],
        [("%e", "$r")],
        "^bb0(%v: f32, %s: f32, %t: f32, %o: f32):\n%q = arith.mulf %v, %s : f32\n%p = arith.addf %q, %t : f32\n"
        "linalg.yield %p : f32",
        "$r",
    ),
    lambda x, s, t: x * s + t,
    types={"b": "f32"},
)
form(
    "generic-reduce-several-results",
    [normal(6, 7)],
    """
%zero = arith.constant 0.0 : f32
%one = arith.constant 1.0 : f32
%e = tensor.empty() : $r
%f = linalg.fill ins(%zero : f32) outs(%e : $r) -> $r
%g = linalg.fill ins(%one : f32) outs(%e : $r) -> $r
%r, %s = """
    + generic(
        ["(i, j) -> (i, j)", "(i, j) -> (j)", "(i, j) -> (j)"],
        "rp",
        [("%a", "$a")],
        [("%f", "$r"), ("%g", "$s")],
        "^bb0(%v: f32, %o: f32, %p: f32):\n%q = arith.addf %v, %o : f32\n%t = arith.mulf %v, %p : f32\n"
        "linalg.yield %q, %t : f32, f32",
        "($r, $s)",
    ),
    lambda x: (x.sum(0), x.prod(0)),
    1e-4,
)
form(
    "generic-last-value",
    [normal(6, 7)],
    ZERO
    + "\n%e = tensor.empty() : $r\n%f = linalg.fill ins(%zero : f32) outs(%e : $r) -> $r\n%r = "
    + generic(
        ["(i, j) -> (i, j)", "(i, j) -> (i)"],
        "pr",
        [("%a", "$a")],
        [("%f", "$r")],
        "^bb0(%v: f32, %o: f32):\n%h = arith.constant 0.5 : f32\n%q = arith.mulf %o, %h : f32\n"
        "%p = arith.addf %q, %v : f32\nlinalg.yield %p : f32",
        "$r",
    ),
    lambda x: np.stack(
        [sum(np.float32(0.5) ** (6 - j) * x[i, j] for j in range(7)) for i in range(6)],
    ).astype(np.float32),
    1e-4,
)
form(
    "generic-gather",
    [normal(9, 4), integers(5, low=0, high=9, dtype=np.int64)],
    "%e = tensor.empty() : $r\n%r = "
    + generic(
        ["(i, j) -> (i)", "(i, j) -> (i, j)"],
        "pp",
        [("%b", "$b")],
        [("%e", "$r")],
        "^bb0(%v: i64, %o: f32):\n%k = arith.index_cast %v : i64 to index\n%j = linalg.index 1 : index\n"
        "%x = tensor.extract %a[%k, %j] : $a\nlinalg.yield %x : f32",
        "$r",
    ),
    lambda x, i: x[i],
    0,
)
form(
    "generic-loop-in-body",
    [integers(7, low=0, high=9)],
    "%e = tensor.empty() : $r\n%r = "
    + generic(
        ["(i) -> (i)", "(i) -> (i)"],
        "p",
        [("%a", "$a")],
        [("%e", "$r")],
        "^bb0(%v: i32, %o: i32):\n%c0 = arith.constant 0 : i32\n%c1 = arith.constant 1 : i32\n"
        "%x = scf.for %k = %c0 to %v step %c1 iter_args(%t = %c1) -> i32 : i32 {\n%y = arith.addi %t, %t : i32\n"
        "scf.yield %y : i32\n}\n"
        "linalg.yield %x : i32",
        "$r",
    ),
    lambda x: 2**x,
    0,
)
form(
    "generic-bf16",
    [(normal(4, 8).view(np.uint32) >> 16).astype(np.uint16)],
    "%e = tensor.empty() : $r\n%r = "
    + generic(
        ["(i, j) -> (i, j)", "(i, j) -> (i, j)"],
        "pp",
        [("%a", "$a")],
        [("%e", "$r")],
        "^bb0(%v: bf16, %o: bf16):\n%n = arith.negf %v : bf16\nlinalg.yield %n : bf16",
        "$r",
    ),
    lambda x: x ^ 0x8000,
    0,
)
form(
    "generic-cumsum",
    [normal(3, 10)],
    "%e = tensor.empty() : $r\n%r = "
    + generic(
        ["(i, j) -> (i, j)"],
        "pp",
        [],
        [("%e", "$r")],
        "^bb0(%o: f32):\n%i = linalg.index 0 : index\n%j = linalg.index 1 : index\n"
        "%c0 = arith.constant 0 : index\n%c1 = arith.constant 1 : index\n"
        "%z = arith.constant 0.0 : f32\n%n = arith.addi %j, %c1 : index\n"
        "%x = scf.for %k = %c0 to %n step %c1 iter_args(%t = %z) -> f32 {\n"
        "%v = tensor.extract %a[%i, %k] : $a\n%y = arith.addf %t, %v : f32\nscf.yield %y : f32\n}\n"
        "linalg.yield %x : f32",
        "$r",
    ),
    lambda x: np.cumsum(x, 1),
    1e-5,
)
form(
    "generic-three-transposes",
    [normal(3, 4), normal(4, 5, seed=1), normal(5, 3, seed=2)],
    "%e = tensor.empty() : $r\n%r = "
    + generic(
        ["(i, j, k) -> (i, j)", "(i, j, k) -> (j, k)", "(i, j, k) -> (k, i)", "(i, j, k) -> (k, i, j)"],
        "ppp",
        [("%a", "$a"), ("%b", "$b"), ("%c", "$c")],
        [("%e", "$r")],
        "^bb0(%u: f32, %v: f32, %w: f32, %o: f32):\n%p = arith.mulf %u, %v : f32\n%q = arith.addf %p, %w : f32\n"
        "linalg.yield %q : f32",
        "$r",
    ),
    lambda a, b, c: np.einsum("ij,jk->kij", a, b) + c[:, :, None],
)
form(
    "broadcast-op",
    [normal(4)],
    "%e = tensor.empty() : $r\n%r = linalg.broadcast ins(%a : $a) outs(%e : $r) dimensions = [0, 2]",
    lambda x: np.broadcast_to(x[None, :, None], (3, 4, 5)),
    0,
)
form(
    "reduce-op-several",
    [normal(4, 6), integers(4, 6)],
    """
%z = arith.constant dense<0.0> : $r
%y = arith.constant dense<-1000> : $s
%r, %s = linalg.reduce ins(%a, %b : $a, $b) outs(%z, %y : $r, $s) dimensions = [1]
  (%p: f32, %q: i32, %u: f32, %v: i32) {
    %m = arith.addf %p, %u : f32
    %n = arith.maxsi %q, %v : i32
    linalg.yield %m, %n : f32, i32
  }
""",
    lambda x, y: (x.sum(1), y.max(1)),
    1e-5,
)
form(
    "pack-outer-perm",
    [normal(8, 12)],
    "%e = tensor.empty() : $r\n"
    "%r = linalg.pack %a outer_dims_perm = [1, 0] inner_dims_pos = [1, 0] inner_tiles = [4, 2] into %e : $a -> $r",
    lambda x: x.reshape(4, 2, 3, 4).transpose(2, 0, 3, 1),
    0,
)
form(
    "unpack-dynamic-tile",
    [normal(3, 2, 4, 8), 4],
    "%e = tensor.empty() : $r\n"
    "%r = linalg.unpack %a inner_dims_pos = [0, 1] inner_tiles = [%b, 8] into %e : $a -> $r",
    lambda x, t: x.transpose(0, 2, 1, 3).reshape(12, 16)[:10, :15],
    0,
    types={"a": "tensor<3x2x?x8xf32>"},
)
