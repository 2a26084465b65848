"""TOSA ops in their variants."""

import numpy as np

from forms import form
from programs import integers, normal
from reference import conv2d, conv3d, depthwise, erf, pool, transpose_conv
from texts import SHIFT, shape, zero_points


# Elementwise ops.
for op, function, low in [
    ("abs", np.abs, None),
    ("ceil", np.ceil, None),
    ("floor", np.floor, None),
    ("exp", np.exp, None),
    ("log", np.log, 0.1),
    ("sin", np.sin, None),
    ("cos", np.cos, None),
    ("tanh", np.tanh, None),
    ("sigmoid", lambda x: 1 / (1 + np.exp(-x)), None),
    ("erf", erf, None),
    ("rsqrt", lambda x: 1 / np.sqrt(x), 0.1),
    ("reciprocal", lambda x: 1 / x, 0.1),
]:
    value = normal(3, 11) * 3
    value = np.abs(value) + np.float32(low) if low else value
    form(f"tosa-{op}", [value], f"%r = tosa.{op} %a : ($a) -> $r", function, 1e-4)
    form(f"tosa-{op}-dynamic", [value], f"%r = tosa.{op} %a : ($a) -> $r", function, 1e-4, dynamic=True)
form("tosa-abs-i32", [integers(2, 9)], "%r = tosa.abs %a : ($a) -> $r", np.abs, 0)
form(
    "tosa-clz",
    [np.array([0, 1, 2, 255, -1, 1 << 20], np.int32)],
    "%r = tosa.clz %a : ($a) -> $r",
    lambda x: np.array([32 - int(v & 0xFFFFFFFF).bit_length() for v in x], np.int32),
    0,
)
form("tosa-bitwise-not", [integers(13, dtype=np.int8)], "%r = tosa.bitwise_not %a : ($a) -> $r", np.invert, 0)
form("tosa-logical-not", [integers(13) > 0], "%r = tosa.logical_not %a : ($a) -> $r", np.logical_not, 0)
for op, function in [("add", np.add), ("sub", np.subtract), ("maximum", np.maximum), ("minimum", np.minimum)]:
    for dtype in (np.float32, np.float16, np.int32):
        a = (normal(2, 1, 5) * 4).astype(dtype)
        b = (normal(2, 3, 5, seed=1) * 4).astype(dtype)
        form(f"tosa-{op}-{dtype.__name__}", [a, b], f"%r = tosa.{op} %a, %b : ($a, $b) -> $r", function)
form("tosa-pow", [np.abs(normal(3, 5)), normal(3, 5, seed=1)], "%r = tosa.pow %a, %b : ($a, $b) -> $r", np.power, 1e-4)
form(
    "tosa-add-dynamic-broadcast",
    [normal(1, 5), normal(4, 5, seed=1)],
    "%r = tosa.add %a, %b : ($a, $b) -> $r",
    np.add,
    dynamic=True,
)
for op, function in [
    ("bitwise_and", np.bitwise_and),
    ("bitwise_or", np.bitwise_or),
    ("bitwise_xor", np.bitwise_xor),
]:
    for dtype in (np.int8, np.int16, np.int32):
        a, b = integers(3, 7, low=-100, high=100, dtype=dtype), integers(3, 7, low=-100, high=100, seed=1, dtype=dtype)
        form(f"tosa-{op}-{dtype.__name__}", [a, b], f"%r = tosa.{op} %a, %b : ($a, $b) -> $r", function, 0)
for op, function in [
    ("logical_and", np.logical_and),
    ("logical_or", np.logical_or),
    ("logical_xor", np.logical_xor),
]:
    form(
        f"tosa-{op}",
        [integers(3, 7) > 0, integers(3, 7, seed=1) > 0],
        f"%r = tosa.{op} %a, %b : ($a, $b) -> $r",
        function,
        0,
    )
for dtype, wide in ((np.int8, np.uint8), (np.int16, np.uint16), (np.int32, np.uint32)):
    a, b = integers(3, 7, low=-120, high=120, dtype=dtype), integers(3, 7, low=0, high=7, seed=1, dtype=dtype)
    name = dtype.__name__
    form(
        f"tosa-shift-left-{name}",
        [a, b],
        "%r = tosa.logical_left_shift %a, %b : ($a, $b) -> $r",
        lambda x, s: x << s,
        0,
    )
    form(
        f"tosa-shift-right-{name}",
        [a, b],
        "%r = tosa.logical_right_shift %a, %b : ($a, $b) -> $r",
        lambda x, s, wide=wide, dtype=dtype: (x.view(wide) >> s.view(wide)).view(dtype),
        0,
    )
    form(
        f"tosa-shift-arithmetic-{name}",
        [a, b],
        "%r = tosa.arithmetic_right_shift %a, %b {round = false} : ($a, $b) -> $r",
        lambda x, s: x >> s,
        0,
    )
    form(
        f"tosa-shift-rounded-{name}",
        [a, b],
        "%r = tosa.arithmetic_right_shift %a, %b {round = true} : ($a, $b) -> $r",
        lambda x, s, dtype=dtype: np.where(s > 0, (x >> s) + ((x >> np.maximum(s - 1, 0)) & 1), x).astype(dtype),
        0,
    )
form(
    "tosa-intdiv",
    [integers(4, 6, low=-90, high=90), integers(4, 6, low=1, high=9, seed=1)],
    "%r = tosa.intdiv %a, %b : ($a, $b) -> $r",
    lambda x, y: np.trunc(x / y).astype(np.int32),
    0,
)
form(
    "tosa-mul-f32",
    [normal(3, 4), normal(1, 4, seed=1)],
    SHIFT + "\n%r = tosa.mul %a, %b, %z : ($a, $b, tensor<1xi8>) -> $r",
    np.multiply,
)
form(
    "tosa-mul-i8-i32",
    [integers(3, 4, low=-128, high=128, dtype=np.int8), integers(3, 4, low=-128, high=128, seed=1, dtype=np.int8)],
    SHIFT + "\n%r = tosa.mul %a, %b, %z : ($a, $b, tensor<1xi8>) -> $r",
    lambda x, y: x.astype(np.int32) * y,
    0,
)
form(
    "tosa-mul-shifted",
    [integers(3, 40, low=-(1 << 30), high=1 << 30), integers(3, 40, low=-(1 << 30), high=1 << 30, seed=1)],
    SHIFT.replace("dense<0>", "dense<31>") + "\n%r = tosa.mul %a, %b, %z : ($a, $b, tensor<1xi8>) -> $r",
    lambda x, y: ((x.astype(np.int64) * y + (1 << 30)) >> 31).astype(np.int32),
    0,
)
for op, function in [("equal", np.equal), ("greater", np.greater), ("greater_equal", np.greater_equal)]:
    form(
        f"tosa-{op}-f32",
        [normal(4, 5).round(), normal(4, 5, seed=1).round()],
        f"%r = tosa.{op} %a, %b : ($a, $b) -> $r",
        function,
        0,
    )
    form(
        f"tosa-{op}-i32",
        [integers(4, 5), integers(1, 5, seed=1)],
        f"%r = tosa.{op} %a, %b : ($a, $b) -> $r",
        function,
        0,
    )
form(
    "tosa-select",
    [integers(3, 1) > 0, normal(3, 5), normal(1, 5, seed=1)],
    "%r = tosa.select %a, %b, %c : ($a, $b, $c) -> $r",
    np.where,
    0,
)
form(
    "tosa-negate-f32",
    [normal(9)],
    zero_points("f32", 0, 0) + "\n%r = tosa.negate %a, %z0, %z1 : ($a, tensor<1xf32>, tensor<1xf32>) -> $r",
    np.negative,
)
form(
    "tosa-negate-i8-zero-points",
    [integers(30, low=-128, high=128, dtype=np.int8)],
    zero_points("i8", 3, -5) + "\n%r = tosa.negate %a, %z0, %z1 : ($a, tensor<1xi8>, tensor<1xi8>) -> $r",
    lambda x: np.clip(3 - 5 - x.astype(np.int32), -128, 127).astype(np.int8),
    0,
)

NANS = np.array([[np.nan, 1, -3, 9], [0.5, np.nan, np.inf, -np.inf]], np.float32)
for mode in ("PROPAGATE", "IGNORE"):

    def propagate(values, clamped, mode=mode, low=-1.0):
        return np.where(np.isnan(values), np.nan if mode == "PROPAGATE" else low, clamped).astype(np.float32)

    form(
        f"tosa-clamp-{mode.lower()}",
        [NANS],
        f"%r = tosa.clamp %a {{min_val = -1.0 : f32, max_val = 2.0 : f32, nan_mode = {mode}}} : ($a) -> $r",
        lambda x, propagate=propagate: propagate(x, np.clip(x, -1, 2)),
        0,
    )
    other = np.nan_to_num(NANS[::-1].copy(), nan=0.25)
    form(
        f"tosa-maximum-{mode.lower()}",
        [NANS, other],
        f"%r = tosa.maximum %a, %b {{nan_mode = {mode}}} : ($a, $b) -> $r",
        np.maximum if mode == "PROPAGATE" else np.fmax,
        0,
    )
    form(
        f"tosa-reduce-min-{mode.lower()}",
        [NANS],
        f"%r = tosa.reduce_min %a {{axis = 1 : i32, nan_mode = {mode}}} : ($a) -> $r",
        lambda x, f=np.minimum if mode == "PROPAGATE" else np.fmin: f.reduce(x, axis=1, keepdims=True),
        0,
    )
    form(
        f"tosa-argmax-{mode.lower()}",
        [np.array([[1, 9, 9, 2], [4, 3, -np.inf, 4]], np.float32)],
        f"%r = tosa.argmax %a {{axis = 1 : i32, nan_mode = {mode}}} : ($a) -> $r",
        lambda x: x.argmax(1).astype(np.int32),
        0,
    )
for dtype, low, high in ((np.int8, -20, 30), (np.int32, -2, 3)):
    form(
        f"tosa-clamp-{dtype.__name__}",
        [integers(40, low=-100, high=100, dtype=dtype)],
        f"%r = tosa.clamp %a {{min_val = {low} : $$, max_val = {high} : $$}} : ($a) -> $r",
        lambda x, low=low, high=high: np.clip(x, low, high),
        0,
    )
form(
    "tosa-clamp-f16",
    [normal(40, dtype=np.float16)],
    "%r = tosa.clamp %a {min_val = 0.0 : f16, max_val = 0x7C00 : f16} : ($a) -> $r",
    lambda x: np.maximum(x, 0),
    0,
)

# Reductions.
for op, function in [("sum", np.sum), ("max", np.max), ("min", np.min), ("product", np.prod)]:
    for axis in range(3):
        form(
            f"tosa-reduce-{op}-{axis}",
            [normal(4, 5, 6)],
            f"%r = tosa.reduce_{op} %a {{axis = {axis} : i32}} : ($a) -> $r",
            lambda x, axis=axis, function=function: function(x, axis=axis, keepdims=True),
            1e-4,
            dynamic=axis == 1,
        )
for op in ("sum", "max", "min"):
    form(
        f"tosa-reduce-{op}-i32",
        [integers(7, 33, low=-1000, high=1000)],
        f"%r = tosa.reduce_{op} %a {{axis = 1 : i32}} : ($a) -> $r",
        lambda x, op=op: getattr(np, op)(x, axis=1, keepdims=True).astype(np.int32),
        0,
    )
for op, function in [("all", np.all), ("any", np.any)]:
    form(
        f"tosa-reduce-{op}",
        [integers(6, 4, low=-2, high=9) > 0],
        f"%r = tosa.reduce_{op} %a {{axis = 0 : i32}} : ($a) -> $r",
        lambda x, function=function: function(x, axis=0, keepdims=True),
        0,
    )
form(
    "tosa-argmax-0",
    [integers(5, 7)],
    "%r = tosa.argmax %a {axis = 0 : i32} : ($a) -> $r",
    lambda x: x.argmax(0).astype(np.int32),
    0,
)
form(
    "tosa-argmax-i8-dynamic",
    [integers(5, 7, dtype=np.int8)],
    "%r = tosa.argmax %a {axis = 1 : i32} : ($a) -> $r",
    lambda x: x.argmax(1).astype(np.int32),
    0,
    dynamic=True,
)

# Data movement.
form(
    "tosa-concat",
    [normal(2, 3), normal(2, 4, seed=1), normal(2, 1, seed=2)],
    "%r = tosa.concat %a, %b, %c {axis = 1 : i32} : ($a, $b, $c) -> $r",
    lambda *x: np.concatenate(x, 1),
    0,
)
form(
    "tosa-concat-dynamic",
    [normal(2, 3), normal(5, 3, seed=1)],
    "%r = tosa.concat %a, %b {axis = 0 : i32} : ($a, $b) -> $r",
    lambda *x: np.concatenate(x, 0),
    0,
    dynamic=True,
)
form(
    "tosa-pad",
    [normal(3, 4)],
    shape("p", 1, 2, 0, 3) + '\n%c = "tosa.const"() <{values = dense<2.5> : tensor<1xf32>}> : () -> tensor<1xf32>\n'
    "%r = tosa.pad %a, %p, %c : ($a, !tosa.shape<4>, tensor<1xf32>) -> $r",
    lambda x: np.pad(x, ((1, 2), (0, 3)), constant_values=2.5),
    0,
)
form(
    "tosa-reshape",
    [normal(3, 4)],
    shape("p", 2, 6) + "\n%r = tosa.reshape %a, %p : ($a, !tosa.shape<2>) -> $r",
    lambda x: x.reshape(2, 6),
    0,
)
form(
    "tosa-reshape-infer",
    [normal(3, 4)],
    shape("p", 2, -1, 3) + "\n%r = tosa.reshape %a, %p : ($a, !tosa.shape<3>) -> $r",
    lambda x: x.reshape(2, 2, 3),
    0,
    types={"a": "tensor<?x4xf32>", "r": "tensor<2x?x3xf32>"},
)
form(
    "tosa-reshape-scalar",
    [normal(1, 1)],
    "%p = tosa.const_shape {values = dense<> : tensor<0xindex>} : () -> !tosa.shape<0>\n"
    "%r = tosa.reshape %a, %p : ($a, !tosa.shape<0>) -> $r",
    lambda x: x.reshape(()),
    0,
)
for axis in (0, 1):
    form(
        f"tosa-reverse-{axis}",
        [normal(3, 4)],
        f"%r = tosa.reverse %a {{axis = {axis} : i32}} : ($a) -> $r",
        lambda x, axis=axis: np.flip(x, axis),
        0,
        dynamic=axis == 1,
    )
form(
    "tosa-slice",
    [normal(5, 6)],
    shape(
        "p",
        1,
        2,
    )
    + "\n"
    + shape("q", 3, 4)
    + "\n%r = tosa.slice %a, %p, %q : ($a, !tosa.shape<2>, !tosa.shape<2>) -> $r",
    lambda x: x[1:4, 2:6],
    0,
)
form(
    "tosa-tile",
    [normal(2, 3)],
    shape("p", 3, 2) + "\n%r = tosa.tile %a, %p : ($a, !tosa.shape<2>) -> $r",
    lambda x: np.tile(x, (3, 2)),
    0,
)
form(
    "tosa-tile-dynamic",
    [integers(2, 3)],
    shape("p", 2, 1) + "\n%r = tosa.tile %a, %p : ($a, !tosa.shape<2>) -> $r",
    lambda x: np.tile(x, (2, 1)),
    0,
    dynamic=True,
)
form(
    "tosa-transpose",
    [normal(2, 3, 4)],
    "%r = tosa.transpose %a {perms = array<i32: 2, 0, 1>} : ($a) -> $r",
    lambda x: x.transpose(2, 0, 1),
    0,
)
form(
    "tosa-transpose-dynamic",
    [normal(2, 3, 4)],
    "%r = tosa.transpose %a {perms = array<i32: 1, 2, 0>} : ($a) -> $r",
    lambda x: x.transpose(1, 2, 0),
    0,
    dynamic=True,
)
form("tosa-identity", [normal(2, 3, 4)], "%r = tosa.identity %a : ($a) -> $r", lambda x: x, 0)
form(
    "tosa-gather",
    [normal(2, 7, 3), integers(2, 5, low=0, high=7, seed=1)],
    "%r = tosa.gather %a, %b : ($a, $b) -> $r",
    lambda x, i: np.stack([x[n, i[n]] for n in range(2)]),
    0,
)
form(
    "tosa-gather-dynamic",
    [normal(2, 7, 3), integers(2, 5, low=0, high=7, seed=1)],
    "%r = tosa.gather %a, %b : ($a, $b) -> $r",
    lambda x, i: np.stack([x[n, i[n]] for n in range(2)]),
    0,
    dynamic=True,
)


def scatter(x, i, v):
    y = x.copy()
    for n in range(x.shape[0]):
        y[n, i[n]] = v[n]
    return y


form(
    "tosa-scatter",
    [normal(2, 7, 3), np.array([[4, 0, 6], [1, 5, 2]], np.int32), normal(2, 3, 3, seed=1)],
    "%r = tosa.scatter %a, %b, %c : ($a, $b, $c) -> $r",
    scatter,
    0,
)
TABLE = integers(256, low=-128, high=128, dtype=np.int8)
form(
    "tosa-table-i8",
    [integers(3, 50, low=-128, high=128, dtype=np.int8), TABLE],
    "%r = tosa.table %a, %b : ($a, $b) -> $r",
    lambda x, t: t[x.astype(np.int32) + 128],
    0,
)
form(
    "tosa-table-i16",
    [integers(60, low=-32768, high=32768, dtype=np.int16), integers(513, low=-32768, high=32768, dtype=np.int16)],
    "%r = tosa.table %a, %b : ($a, $b) -> $r",
    lambda x, t: (
        (t[(x.astype(np.int32) + 32768) >> 7].astype(np.int32) << 7)
        + (t[((x.astype(np.int32) + 32768) >> 7) + 1].astype(np.int32) - t[(x.astype(np.int32) + 32768) >> 7])
        * ((x.astype(np.int32) + 32768) & 127)
    ),
    0,
)

# Casts and rescales.
SPECIAL = np.array(
    [0.4, 0.5, 0.6, 1.5, 2.5, -0.5, -1.5, -2.5, 126.6, 127.5, 300, -129, -300, 3e9, -3e9, np.inf, -np.inf],
    np.float32,
)
for dtype in (np.int8, np.int16, np.int32):
    limits = np.iinfo(dtype)
    form(
        f"tosa-cast-f32-{dtype.__name__}",
        [SPECIAL],
        "%r = tosa.cast %a : ($a) -> $r",
        lambda x, limits=limits, dtype=dtype: np.clip(
            np.rint(x.astype(np.float64)),
            limits.min,
            limits.max,
        ).astype(dtype),
        0,
    )
for source, result in [
    (np.int8, np.int32),
    (np.int32, np.int8),
    (np.int32, np.float32),
    (np.int8, np.float16),
    (np.float32, np.float16),
    (np.float16, np.float32),
    (np.int16, np.int8),
]:
    form(
        f"tosa-cast-{source.__name__}-{result.__name__}",
        [(normal(30) * 60).astype(source)],
        "%r = tosa.cast %a : ($a) -> $r",
        lambda x, result=result: x.astype(result),
        1e-3,
    )
form("tosa-cast-i1-f32", [integers(30) > 0], "%r = tosa.cast %a : ($a) -> $r", lambda x: x.astype(np.float32), 0)
form("tosa-cast-i32-i1", [integers(30, low=-1, high=2)], "%r = tosa.cast %a : ($a) -> $r", lambda x: x != 0, 0)
form(
    "tosa-cast-f32-i1",
    [np.array([0.0, 0.3, -1, 5], np.float32)],
    "%r = tosa.cast %a : ($a) -> $r",
    lambda x: x != 0,
    0,
)


def apply_scale(value, multiplier, shift, double):
    value = value.astype(np.int64)
    rounding = np.int64(1) << np.int64(shift - 1)
    if double and shift > 31:
        rounding = rounding + np.where(value >= 0, 1 << 30, -(1 << 30))
    return (value * multiplier + rounding) >> shift


def rescale(name, source, result, multiplier, shift, input_zp, output_zp, mode, per_channel=False):
    width = "i32" if mode != "narrow" else "i16"
    scale32 = "true" if mode != "narrow" else "false"
    rounding = "DOUBLE_ROUND" if mode == "double" else "SINGLE_ROUND"
    count = len(multiplier)
    source_name, result_name = np.dtype(source).name.replace("int", "i"), np.dtype(result).name.replace("int", "i")
    body = f"""
%m = "tosa.const"() <{{values = dense<{multiplier}> : tensor<{count}x{width}>}}> : () -> tensor<{count}x{width}>
%n = "tosa.const"() <{{values = dense<{shift}> : tensor<{count}xi8>}}> : () -> tensor<{count}xi8>
%p = "tosa.const"() <{{values = dense<{input_zp}> : tensor<1x{source_name}>}}> : () -> tensor<1x{source_name}>
%q = "tosa.const"() <{{values = dense<{output_zp}> : tensor<1x{result_name}>}}> : () -> tensor<1x{result_name}>
%r = tosa.rescale %a, %m, %n, %p, %q {{scale32 = {scale32}, rounding_mode = {rounding},
    per_channel = {str(per_channel).lower()}, input_unsigned = false, output_unsigned = false}} :
    ($a, tensor<{count}x{width}>, tensor<{count}xi8>, tensor<1x{source_name}>, tensor<1x{result_name}>) -> $r
"""
    limits = np.iinfo(result)

    def expected(x):
        columns = [
            apply_scale(x[..., i : i + 1] if count > 1 else x.astype(np.int64) - input_zp, m, s, mode == "double")
            for i, (m, s) in enumerate(zip(multiplier, shift))
        ]
        scaled = np.concatenate(columns, axis=-1) + output_zp
        return np.clip(scaled, limits.min, limits.max).astype(result)

    values = integers(6, 4, low=max(np.iinfo(source).min, -30000), high=min(np.iinfo(source).max, 30000), dtype=source)
    form(name, [values], body, expected, 0)


rescale("tosa-rescale-i8", np.int8, np.int8, [1 << 30], [31], 17, -22, "single")
rescale("tosa-rescale-i32-i8", np.int32, np.int8, [1234567890], [38], 0, 5, "single")
rescale("tosa-rescale-double", np.int32, np.int8, [1987654321], [39], 0, -3, "double")
rescale("tosa-rescale-i8-i32", np.int8, np.int32, [1073741824], [20], -4, 0, "single")
rescale("tosa-rescale-narrow", np.int8, np.int16, [19689], [15], 3, 0, "narrow")
rescale(
    "tosa-rescale-channels",
    np.int32,
    np.int8,
    [1 << 30, 1 << 29, 1234567890, 1 << 30],
    [37, 36, 38, 39],
    0,
    1,
    "single",
    True,
)

# Convolutions, pools and products.


def array(*values):
    return f"array<i64: {', '.join(map(str, values))}>"


for pad, stride, dilation in [
    ((0, 0, 0, 0), (1, 1), (1, 1)),
    ((0, 0, 2, 1), (2, 1), (1, 1)),
    ((1, 1, 2, 2), (1, 1), (1, 2)),
]:
    form(
        f"tosa-conv2d-{stride[0]}{stride[1]}{dilation[1]}",
        [normal(2, 8, 7, 3), normal(5, 2, 3, 3, seed=1), normal(5, seed=2)],
        zero_points("f32", 0, 0)
        + f"\n%r = tosa.conv2d %a, %b, %c, %z0, %z1 {{acc_type = f32, pad = {array(*pad)}, stride = {array(*stride)}, "
        + f"dilation = {array(*dilation)}}} : ($a, $b, $c, tensor<1xf32>, tensor<1xf32>) -> $r",
        lambda x, w, b, p=pad, s=stride, d=dilation: conv2d(x, w, b, p, s, d),
        1e-4,
    )
QUANTIZED = [
    integers(1, 6, 6, 4, low=-128, high=128, dtype=np.int8),
    integers(3, 3, 3, 4, low=-128, high=128, seed=1, dtype=np.int8),
    integers(3, low=-1000, high=1000, seed=2),
]
form(
    "tosa-conv2d-i8",
    QUANTIZED,
    zero_points("i8", -17, 0)
    + f"\n%r = tosa.conv2d %a, %b, %c, %z0, %z1 {{acc_type = i32, pad = {array(1, 1, 1, 1)}, stride = {array(1, 1)}, "
    + f"dilation = {array(1, 1)}}} : ($a, $b, $c, tensor<1xi8>, tensor<1xi8>) -> $r",
    lambda x, w, b: conv2d(x.astype(np.int32) + 17, w.astype(np.int32), b, (1, 1, 1, 1), (1, 1), (1, 1)),
    0,
)
form(
    "tosa-conv2d-bias-1",
    [normal(1, 5, 5, 2), normal(4, 1, 1, 2, seed=1), normal(1, seed=2)],
    zero_points("f32", 0, 0)
    + f"\n%r = tosa.conv2d %a, %b, %c, %z0, %z1 {{acc_type = f32, pad = {array(0, 0, 0, 0)}, stride = {array(1, 1)}, "
    + f"dilation = {array(1, 1)}}} : ($a, $b, $c, tensor<1xf32>, tensor<1xf32>) -> $r",
    lambda x, w, b: np.einsum("nhwc,fc->nhwf", x, w[:, 0, 0]) + b,
    1e-4,
)
form(
    "tosa-conv2d-dynamic-batch",
    [normal(3, 5, 5, 2), normal(4, 3, 3, 2, seed=1), normal(4, seed=2)],
    zero_points("f32", 0, 0)
    + f"\n%r = tosa.conv2d %a, %b, %c, %z0, %z1 {{acc_type = f32, pad = {array(1, 1, 1, 1)}, stride = {array(1, 1)}, "
    + f"dilation = {array(1, 1)}}} : ($a, $b, $c, tensor<1xf32>, tensor<1xf32>) -> $r",
    lambda x, w, b: conv2d(x, w, b, (1, 1, 1, 1), (1, 1), (1, 1)),
    1e-4,
    types={"a": "tensor<?x5x5x2xf32>", "r": "tensor<?x5x5x4xf32>"},
)


for stride, multiplier in ((1, 1), (2, 3)):
    form(
        f"tosa-depthwise-{stride}{multiplier}",
        [normal(1, 7, 6, 4), normal(3, 3, 4, multiplier, seed=1), normal(4 * multiplier, seed=2)],
        zero_points("f32", 0, 0)
        + f"\n%r = tosa.depthwise_conv2d %a, %b, %c, %z0, %z1 {{acc_type = f32, pad = {array(1, 1, 1, 2)}, "
        + f"stride = {array(stride, stride)}, dilation = {array(1, 1)}}} : "
        + "($a, $b, $c, tensor<1xf32>, tensor<1xf32>) -> $r",
        lambda x, w, b, stride=stride: depthwise(x, w, b, (1, 1, 1, 2), stride),
        1e-4,
    )
form(
    "tosa-depthwise-i8",
    [
        integers(1, 6, 6, 4, low=-128, high=128, dtype=np.int8),
        integers(3, 3, 4, 1, low=-128, high=128, seed=1, dtype=np.int8),
        integers(4, low=-1000, high=1000, seed=2),
    ],
    zero_points("i8", -7, 11)
    + f"\n%r = tosa.depthwise_conv2d %a, %b, %c, %z0, %z1 {{acc_type = i32, pad = {array(1, 1, 1, 1)}, "
    + f"stride = {array(1, 1)}, dilation = {array(1, 1)}}} : ($a, $b, $c, tensor<1xi8>, tensor<1xi8>) -> $r",
    lambda x, w, b: depthwise(x.astype(np.int32) + 7, w.astype(np.int32) - 11, b, (1, 1, 1, 1), 1),
    0,
)


form(
    "tosa-conv3d",
    [normal(1, 4, 5, 6, 2), normal(3, 2, 3, 2, 2, seed=1), normal(3, seed=2)],
    zero_points("f32", 0, 0)
    + f"\n%r = tosa.conv3d %a, %b, %c, %z0, %z1 {{acc_type = f32, pad = {array(0, 0, 0, 0, 0, 0)}, "
    + f"stride = {array(1, 1, 1)}, dilation = {array(1, 1, 1)}}} : ($a, $b, $c, tensor<1xf32>, tensor<1xf32>) -> $r",
    conv3d,
    1e-4,
)


for out_pad, stride in [((0, 0, 0, 0), (1, 1)), ((0, 0, 0, 0), (2, 2)), ((-1, 1, 0, -1), (1, 2))]:
    form(
        f"tosa-transpose-conv2d-{stride[0]}{stride[1]}",
        [normal(1, 4, 5, 3), normal(2, 3, 3, 3, seed=1), normal(2, seed=2)],
        zero_points("f32", 0, 0)
        + f"\n%r = tosa.transpose_conv2d %a, %b, %c, %z0, %z1 {{acc_type = f32, out_pad = {array(*out_pad)}, "
        + f"stride = {array(*stride)}}} : ($a, $b, $c, tensor<1xf32>, tensor<1xf32>) -> $r",
        lambda x, w, b, p=out_pad, s=stride: transpose_conv(x, w, b, p, s),
        1e-4,
    )


for dtype, fill in ((np.float32, -np.inf), (np.float16, -np.inf), (np.int8, -128)):
    form(
        f"tosa-max-pool-{dtype.__name__}",
        [(normal(1, 7, 6, 3) * 20).astype(dtype)],
        f"%r = tosa.max_pool2d %a {{kernel = {array(3, 2)}, stride = {array(2, 2)}, pad = {array(1, 1, 0, 0)}}} "
        f": ($a) -> $r",
        lambda x, fill=fill: pool(x, (3, 2), (2, 2), (1, 1, 0, 0), np.max, fill),
        0,
    )
form(
    "tosa-avg-pool-f32",
    [normal(1, 7, 6, 3)],
    zero_points("f32", 0, 0)
    + f"\n%r = tosa.avg_pool2d %a, %z0, %z1 {{acc_type = f32, kernel = {array(3, 3)}, stride = {array(2, 1)}, "
    + f"pad = {array(1, 1, 1, 1)}}} : ($a, tensor<1xf32>, tensor<1xf32>) -> $r",
    lambda x: pool(x, (3, 3), (2, 1), (1, 1, 1, 1), np.sum, 0)
    / pool(np.ones_like(x), (3, 3), (2, 1), (1, 1, 1, 1), np.sum, 0),
    1e-4,
)


def average_i8(x):
    # The reciprocal of 4 is a multiplier and a shift.
    total = pool(x.astype(np.int64) - 5, (2, 2), (2, 2), (0, 0, 0, 0), np.sum, 0)
    return np.clip(((total * ((1 << 30) + 1) + (1 << 31)) >> 32) - 9, -128, 127).astype(np.int8)


form(
    "tosa-avg-pool-i8",
    [integers(1, 6, 6, 3, low=-128, high=128, dtype=np.int8)],
    zero_points("i8", 5, -9)
    + f"\n%r = tosa.avg_pool2d %a, %z0, %z1 {{acc_type = i32, kernel = {array(2, 2)}, stride = {array(2, 2)}, "
    + f"pad = {array(0, 0, 0, 0)}}} : ($a, tensor<1xi8>, tensor<1xi8>) -> $r",
    average_i8,
    0,
)
form(
    "tosa-matmul",
    [normal(2, 5, 7), normal(2, 7, 3, seed=1)],
    zero_points("f32", 0, 0) + "\n%r = tosa.matmul %a, %b, %z0, %z1 : ($a, $b, tensor<1xf32>, tensor<1xf32>) -> $r",
    np.matmul,
    1e-4,
)
form(
    "tosa-matmul-dynamic",
    [normal(2, 5, 7), normal(2, 7, 3, seed=1)],
    zero_points("f32", 0, 0) + "\n%r = tosa.matmul %a, %b, %z0, %z1 : ($a, $b, tensor<1xf32>, tensor<1xf32>) -> $r",
    np.matmul,
    1e-4,
    dynamic=True,
)
form(
    "tosa-matmul-i8",
    [
        integers(1, 16, 32, low=-128, high=128, dtype=np.int8),
        integers(1, 32, 16, low=-128, high=128, seed=1, dtype=np.int8),
    ],
    zero_points("i8", 3, -4) + "\n%r = tosa.matmul %a, %b, %z0, %z1 : ($a, $b, tensor<1xi8>, tensor<1xi8>) -> $r",
    lambda a, b: (a.astype(np.int32) - 3) @ (b.astype(np.int32) + 4),
    0,
)
form(
    "tosa-matmul-f16",
    [normal(1, 16, 32, dtype=np.float16), normal(1, 32, 16, seed=1, dtype=np.float16)],
    zero_points("f16", 0, 0) + "\n%r = tosa.matmul %a, %b, %z0, %z1 : ($a, $b, tensor<1xf16>, tensor<1xf16>) -> $r",
    lambda a, b: a.astype(np.float32) @ b.astype(np.float32),
    1e-3,
)


def fft2d(re, im, inverse):
    y = np.fft.ifft2(re + 1j * im) * re.shape[1] * re.shape[2] if inverse else np.fft.fft2(re + 1j * im)
    return y.real.astype(np.float32), y.imag.astype(np.float32)


for inverse in (False, True):
    form(
        f"tosa-fft2d-{inverse}",
        [normal(1, 4, 8), normal(1, 4, 8, seed=1)],
        f"%r, %s = tosa.fft2d %a, %b {{inverse = {str(inverse).lower()}}} : ($a, $b) -> ($r, $s)",
        lambda re, im, inverse=inverse: fft2d(re, im, inverse),
        1e-3,
    )
form(
    "tosa-rfft2d",
    [normal(2, 4, 8)],
    "%r, %s = tosa.rfft2d %a : ($a) -> ($r, $s)",
    lambda x: (np.fft.rfft2(x).real.astype(np.float32), np.fft.rfft2(x).imag.astype(np.float32)),
    1e-3,
)


def resize_nearest(x, scale, offset, out):
    y = np.empty((x.shape[0], *out, x.shape[3]), x.dtype)
    for i in range(out[0]):
        for j in range(out[1]):
            at = []
            for o, size, (n, d), off in ((i, x.shape[1], scale[0], offset[0]), (j, x.shape[2], scale[1], offset[1])):
                value = o * d + off
                index = value // n
                index += 2 * (value - index * n) >= n
                at.append(min(max(index, 0), size - 1))
            y[:, i, j] = x[:, at[0], at[1]]
    return y


def resize_bilinear(x, scale, offset, out):
    y = np.empty((x.shape[0], *out, x.shape[3]), np.int32 if x.dtype == np.int8 else x.dtype)
    for i in range(out[0]):
        for j in range(out[1]):
            parts = []
            for o, size, (n, d), off in ((i, x.shape[1], scale[0], offset[0]), (j, x.shape[2], scale[1], offset[1])):
                value = o * d + off
                index = value // n
                rest = value - index * n
                low, high = (min(max(index + k, 0), size - 1) for k in (0, 1))
                parts.append((low, high, rest, n))
            (t, b, fy, ny), (le, r, fx, nx) = parts
            v = x.astype(np.int32) if x.dtype == np.int8 else x
            total = (
                v[:, t, le] * (ny - fy) * (nx - fx)
                + v[:, t, r] * (ny - fy) * fx
                + v[:, b, le] * fy * (nx - fx)
                + v[:, b, r] * fy * fx
            )
            y[:, i, j] = total if x.dtype == np.int8 else total / (ny * nx)
    return y


def resize(name, value, mode, scale, offset, border, tolerance):
    out = [
        ((size - 1) * n - off + bord) // d + 1
        for size, (n, d), off, bord in zip(value.shape[1:3], scale, offset, border)
    ]
    body = "\n".join(
        [shape("p", *scale[0], *scale[1]), shape("q", *offset), shape("o", *border)]
        + [
            f"%r = tosa.resize %a, %p, %q, %o {{mode = {mode}}} : ($a, !tosa.shape<4>, !tosa.shape<2>, "
            f"!tosa.shape<2>) -> $r"
        ]
    )
    function = resize_nearest if mode == "NEAREST_NEIGHBOR" else resize_bilinear
    form(name, [value], body, lambda x: function(x, scale, offset, out), tolerance)


resize("tosa-resize-nearest-up", normal(1, 4, 5, 2), "NEAREST_NEIGHBOR", ((2, 1), (2, 1)), (0, 0), (1, 1), 0)
resize(
    "tosa-resize-nearest-i8",
    integers(1, 4, 5, 2, dtype=np.int8),
    "NEAREST_NEIGHBOR",
    ((4, 2), (6, 4)),
    (0, 0),
    (2, 4),
    0,
)
resize("tosa-resize-bilinear-up", normal(1, 4, 5, 2), "BILINEAR", ((4, 2), (4, 2)), (-1, -1), (1, 1), 1e-4)
resize(
    "tosa-resize-bilinear-i8",
    integers(1, 4, 5, 2, low=-128, high=128, dtype=np.int8),
    "BILINEAR",
    ((4, 2), (4, 2)),
    (0, 0),
    (2, 2),
    0,
)
resize("tosa-resize-unit", normal(1, 1, 1, 3), "BILINEAR", ((2, 1), (2, 1)), (0, 0), (3, 3), 1e-4)

# Control flow and variables.
form(
    "tosa-cond-if",
    [np.array(True), normal(2, 3), normal(2, 3, seed=1)],
    """
%r = "tosa.cond_if"(%a, %b, %c) ({
^bb0(%x: $b, %y: $c):
  %s = tosa.add %x, %y : ($b, $c) -> $r
  tosa.yield %s : $r
}, {
^bb0(%x: $b, %y: $c):
  %s = tosa.sub %x, %y : ($b, $c) -> $r
  tosa.yield %s : $r
}) : ($a, $b, $c) -> $r""",
    lambda c, x, y: x + y if c else x - y,
)
form(
    "tosa-while-loop",
    [normal(2, 3), np.array(0, np.int32), np.array(5, np.int32)],
    """
%one = "tosa.const"() <{values = dense<1> : tensor<i32>}> : () -> tensor<i32>
%s, %r = tosa.while_loop (%i = %b, %v = %a) : ($b, $a) -> (tensor<i32>, $a) {
  %k = tosa.greater %c, %i : ($c, tensor<i32>) -> tensor<i1>
  tosa.yield %k : tensor<i1>
} do {
^bb0(%i: tensor<i32>, %v: $a):
  %j = tosa.add %i, %one : (tensor<i32>, tensor<i32>) -> tensor<i32>
  %w = tosa.add %v, %a : ($a, $a) -> $a
  tosa.yield %j, %w : tensor<i32>, $a
}""",
    lambda x, i, n: (x * np.float32(6)),
)
