"""TOSA ops with other types, attributes and dynamic sizes."""

import numpy as np

from forms import form, raw
from programs import integers, normal, softmax
from reference import conv2d, pool, transpose_conv
from texts import SHIFT, shape, zero_points

I64 = np.int64


def array(*v):
    return "array<i64: " + ", ".join(map(str, v)) + ">"


i8 = lambda *s, seed=0: integers(*s, low=-128, high=128, seed=seed, dtype=np.int8)


def rescale(x, m, s, iz, oz, lo, hi):
    v = x.astype(object) - iz
    return np.array([min(max(((int(q) * m + (1 << (s - 1))) >> s) + oz, lo), hi) for q in v.reshape(-1)]).reshape(
        x.shape
    )


def tconv(x, w, b):
    from reference import transpose_conv

    return transpose_conv(x.astype(np.int32) - 2, w.astype(np.int32), b, (0,) * 4, (2, 2))


def table16(x, t):
    v = x.astype(np.int32) + 32768
    i = v >> 7
    f = v & 127
    t = t.astype(np.int32)
    return ((t[i] << 7) + (t[i + 1] - t[i]) * f).astype(np.int32)


def sc(x, i, y):
    x = x.copy()
    for n in range(2):
        x[n, i[n]] = y[n]
    return x


for op, f in [("sum", np.sum), ("max", np.max), ("min", np.min), ("product", np.prod)]:
    for axis in (0, 1, 2):
        for dt in (np.float32, np.int32, np.float16):
            if op == "product" and dt == np.int32:
                continue
            if dt == np.int32 and op != "sum" and axis:
                continue
            form(
                f"tosa-reduce-{op}-{axis}-{dt.__name__}",
                [(normal(3, 4, 5) * 3).astype(dt)],
                f"%r = tosa.reduce_{op} %a {{axis = {axis} : i32}} : ($a) -> $r",
                lambda x, f=f, axis=axis: f(x, axis=axis, keepdims=True).astype(x.dtype),
                2e-2 if dt == np.float16 else 1e-3,
            )
for op, f in [("all", np.all), ("any", np.any)]:
    form(
        f"tosa-reduce-{op}",
        [integers(3, 4) > -5],
        f"%r = tosa.reduce_{op} %a {{axis = 1 : i32}} : ($a) -> $r",
        lambda x, f=f: f(x, axis=1, keepdims=True),
    )
form(
    "tosa-reduce-sum-dyn",
    [normal(3, 4)],
    "%r = tosa.reduce_sum %a {axis = 0 : i32} : ($a) -> $r",
    lambda x: x.sum(0, keepdims=True),
    1e-4,
    types={"a": "tensor<?x4xf32>"},
)
form(
    "tosa-reduce-max-dyn-i8",
    [i8(3, 4)],
    "%r = tosa.reduce_max %a {axis = 1 : i32} : ($a) -> $r",
    lambda x: x.max(1, keepdims=True),
    types={"a": "tensor<?x4xi8>", "r": "tensor<?x1xi8>"},
)
for mode in ("PROPAGATE", "IGNORE"):
    x = normal(3, 6)
    x[1, 2] = np.nan
    form(
        f"tosa-reduce-max-nan-{mode}",
        [x],
        f"%r = tosa.reduce_max %a {{axis = 1 : i32, nan_mode = {mode}}} : ($a) -> $r",
        lambda x, m=mode: (np.nanmax if m == "IGNORE" else np.max)(x, axis=1, keepdims=True),
    )
    form(
        f"tosa-clamp-nan-{mode}",
        [x],
        f"%r = tosa.clamp %a {{min_val = -1.0 : f32, max_val = 1.0 : f32, nan_mode = {mode}}} : ($a) -> $r",
        lambda x, m=mode: np.clip(np.where(np.isnan(x), -1 if m == "IGNORE" else x, x), -1, 1).astype(np.float32),
    )
    form(
        f"tosa-maximum-nan-{mode}",
        [x, normal(3, 6, seed=1)],
        f"%r = tosa.maximum %a, %b {{nan_mode = {mode}}} : ($a, $b) -> $r",
        lambda x, y, m=mode: (np.fmax if m == "IGNORE" else np.maximum)(x, y),
    )
    form(
        f"tosa-argmax-nan-{mode}",
        [x],
        f"%r = tosa.argmax %a {{axis = 1 : i32, nan_mode = {mode}}} : ($a) -> $r",
        lambda x, m=mode: (np.nanargmax if m == "IGNORE" else np.argmax)(x, axis=1).astype(np.int32),
    )
    xx = normal(1, 4, 4, 2)
    xx[0, 1, 1, 0] = np.nan
    form(
        f"tosa-maxpool-nan-{mode}",
        [xx],
        (
            f"%r = tosa.max_pool2d %a {{kernel = {array(2, 2)}, stride = {array(2, 2)}, pad = "
            f"{array(0, 0, 0, 0)}, nan_mode = {mode}}} : ($a) -> $r"
        ),
        lambda x, m=mode: (np.nanmax if m == "IGNORE" else np.max)(x.reshape(1, 2, 2, 2, 2, 2), axis=(2, 4)),
    )
CASTS = {"i8": np.int8, "i16": np.int16, "i32": np.int32, "f16": np.float16, "f32": np.float32, "i1": np.bool_}
for s in CASTS:
    for d in CASTS:
        if s == d:
            continue
        x = np.array([0, 1, 2.5, -1.5, 3.5, 100, -100, 0.5], np.float32).astype(CASTS[s])

        def g(x, s=s, d=d):
            if s[0] == "f" and d[0] == "i" and d != "i1":
                return np.rint(x).astype(CASTS[d])
            return x.astype(CASTS[d])

        form(f"tosa-cast-{s}-{d}", [x], "%r = tosa.cast %a : ($a) -> $r", g)
form(
    "tosa-cast-saturate",
    [np.array([1e10, -1e10, 300, -300, 127.5, np.inf], np.float32)],
    "%r = tosa.cast %a : ($a) -> $r",
    lambda x: np.array([127, -128, 127, -128, 127, 127], np.int8),
)
form(
    "tosa-cast-bf16",
    [normal(9)],
    ("%0 = tosa.cast %a : ($a) -> tensor<9xbf16>\n" "%r = tosa.cast %0 : (tensor<9xbf16>) -> $r"),
    lambda x: x,
    1e-2,
)
form(
    "tosa-cast-f8",
    [normal(9)],
    ("%0 = tosa.cast %a : ($a) -> tensor<9xf8E4M3FN>\n" "%r = tosa.cast %0 : (tensor<9xf8E4M3FN>) -> $r"),
    lambda x: x,
    7e-2,
)
for si, di, ut, ui in [
    ("i32", "i8", False, False),
    ("i8", "i8", False, False),
    ("i16", "i8", False, False),
    ("i32", "i16", False, False),
    ("i8", "i32", False, False),
    ("i8", "i8", True, False),
    ("i8", "i8", False, True),
]:
    x = integers(4, 6, low=-100, high=100, dtype=CASTS[si])
    iz = 3 if si == "i8" else 0
    oz = -5 if di == "i8" else 0
    if ut or ui:
        oz = 5
    lo, hi = {"i8": (-128, 127), "i16": (-32768, 32767), "i32": (-(2**31), 2**31 - 1)}[di]
    if ui:
        lo, hi = 0, 255

    def g(x, si=si, di=di, ut=ut, ui=ui, iz=iz, oz=oz, lo=lo, hi=hi):
        v = x.view(np.uint8) if ut else x
        return rescale(v, 1073741824, 30, iz, oz, lo, hi).astype(np.uint8 if ui else CASTS[di]).view(CASTS[di])

    form(
        f"tosa-rescale-{si}-{di}-{ut}-{ui}",
        [x],
        (
            f'%m = "tosa.const"() <{{values = dense<1073741824> : tensor<1xi32>}}> : () -> tensor<1xi32>\n'
            f'%s9 = "tosa.const"() <{{values = dense<30> : tensor<1xi8>}}> : () -> tensor<1xi8>\n'
            f'%iz = "tosa.const"() <{{values = dense<{iz}> : tensor<1x{si}>}}> : () -> tensor<1x{si}>\n'
            f'%oz = "tosa.const"() <{{values = dense<{oz}> : tensor<1x{di}>}}> : () -> tensor<1x{di}>\n'
            f"%r = tosa.rescale %a, %m, %s9, %iz, %oz {{scale32 = true, rounding_mode = SINGLE_ROUND, "
            f"per_channel = false, input_unsigned = {str(ut).lower()}, output_unsigned = {str(ui).lower()}}} "
            f": ($a, tensor<1xi32>, tensor<1xi8>, tensor<1x{si}>, tensor<1x{di}>) -> $r"
        ),
        g,
    )
form(
    "tosa-rescale-i48",
    [integers(4, low=-1000, high=1000, dtype=np.int16)],
    """%0 = arith.extsi %a : $a to tensor<4xi48>
%m = "tosa.const"() <{values = dense<16384> : tensor<1xi16>}> : () -> tensor<1xi16>
%s9 = "tosa.const"() <{values = dense<15> : tensor<1xi8>}> : () -> tensor<1xi8>
%iz = "tosa.const"() <{values = dense<0> : tensor<1xi48>}> : () -> tensor<1xi48>
%oz = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
%r = tosa.rescale %0, %m, %s9, %iz, %oz {scale32 = false, rounding_mode = SINGLE_ROUND,
    per_channel = false, input_unsigned = false, output_unsigned = false}
    : (tensor<4xi48>, tensor<1xi16>, tensor<1xi8>, tensor<1xi48>, tensor<1xi32>) -> $r""",
    lambda x: rescale(x, 16384, 15, 0, 0, -(2**31), 2**31 - 1).astype(np.int32),
)
for dt, acc in ((np.float16, "f32"), (np.float16, "f16")):
    form(
        f"tosa-conv-f16-{acc}",
        [normal(1, 6, 6, 3, dtype=dt), normal(4, 3, 3, 3, seed=1, dtype=dt), normal(4, seed=2, dtype=dt)],
        zero_points("f16", 0, 0)
        + (
            "\n"
            f"%r = tosa.conv2d %a, %b, %c, %z0, %z1 {{acc_type = {acc}, pad = {array(1, 0, 0, 1)}, stride = "
            f"{array(1, 2)}, dilation = {array(2, 1)}}} : ($a, $b, $c, tensor<1xf16>, tensor<1xf16>) -> $r"
        ),
        lambda x, w, b: conv2d(x.astype(np.float32), w.astype(np.float32), b, (1, 0, 0, 1), (1, 2), (2, 1)).astype(
            np.float16
        ),
        5e-2,
    )
form(
    "tosa-conv-i16-i48",
    [
        integers(1, 5, 5, 2, low=-1000, high=1000, dtype=np.int16),
        i8(3, 3, 3, 2, seed=1),
        integers(3, low=-1000, high=1000, seed=2, dtype=I64),
    ],
    (
        '%z0 = "tosa.const"() <{values = dense<0> : tensor<1xi16>}> : () -> tensor<1xi16>\n'
        '%z1 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>\n'
        "%c2 = arith.trunci %c : $c to tensor<3xi48>\n"
        "%0 = tosa.conv2d %a, %b, %c2, %z0, %z1 "
    )
    + (
        f"{{acc_type = i48, pad = {array(0, 0, 0, 0)}, stride = {array(1, 1)}, dilation = {array(1, 1)}}} "
        ": ($a, $b, tensor<3xi48>, tensor<1xi16>, tensor<1xi8>) -> tensor<1x3x3x3xi48>\n"
        "%r = arith.extsi %0 : tensor<1x3x3x3xi48> to $r"
    ),
    lambda x, w, b: conv2d(x.astype(I64), w.astype(I64), b, (0,) * 4, (1, 1), (1, 1)),
)
form(
    "tosa-transpose-conv-i8",
    [i8(1, 4, 4, 2), i8(3, 2, 2, 2, seed=1), integers(3)],
    zero_points("i8", 2, 0)
    + (
        "\n"
        f"%r = tosa.transpose_conv2d %a, %b, %c, %z0, %z1 {{acc_type = i32, out_pad = "
        f"{array(0, 0, 0, 0)}, stride = {array(2, 2)}}} : ($a, $b, $c, tensor<1xi8>, tensor<1xi8>) -> $r"
    ),
    lambda x, w, b: tconv(x, w, b),
)
form(
    "tosa-avgpool-f16",
    [normal(1, 6, 6, 2, dtype=np.float16)],
    zero_points("f16", 0, 0)
    + (
        "\n"
        f"%r = tosa.avg_pool2d %a, %z0, %z1 {{acc_type = f32, kernel = {array(2, 2)}, stride = "
        f"{array(2, 2)}, pad = {array(0, 0, 0, 0)}}} : ($a, tensor<1xf16>, tensor<1xf16>) -> $r"
    ),
    lambda x: pool(x.astype(np.float32), (2, 2), (2, 2), (0,) * 4, np.mean, 0).astype(np.float16),
    1e-2,
)
form(
    "tosa-pad-i8",
    [i8(2, 3)],
    shape("p", 1, 0, 0, 2)
    + (
        "\n"
        '%c = "tosa.const"() <{values = dense<7> : tensor<1xi8>}> : () -> tensor<1xi8>\n'
        "%r = tosa.pad %a, %p, %c : ($a, !tosa.shape<4>, tensor<1xi8>) -> $r"
    ),
    lambda x: np.pad(x, ((1, 0), (0, 2)), constant_values=7),
)
form(
    "tosa-pad-dynamic",
    [normal(2, 3)],
    shape("p", 1, 0, 0, 2)
    + (
        "\n"
        '%c = "tosa.const"() <{values = dense<7.0> : tensor<1xf32>}> : () -> tensor<1xf32>\n'
        "%r = tosa.pad %a, %p, %c : ($a, !tosa.shape<4>, tensor<1xf32>) -> $r"
    ),
    lambda x: np.pad(x, ((1, 0), (0, 2)), constant_values=7),
    dynamic=True,
)
form("tosa-reverse-i8", [i8(3, 4, 2)], "%r = tosa.reverse %a {axis = 1 : i32} : ($a) -> $r", lambda x: x[:, ::-1])
form(
    "tosa-reverse-dyn",
    [normal(3, 4)],
    "%r = tosa.reverse %a {axis = 0 : i32} : ($a) -> $r",
    lambda x: x[::-1],
    dynamic=True,
)
form(
    "tosa-select-broadcast",
    [integers(3, 1) > 0, normal(3, 4), normal(1, 4, seed=1)],
    "%r = tosa.select %a, %b, %c : ($a, $b, $c) -> $r",
    np.where,
)
form(
    "tosa-transpose-4d",
    [normal(2, 3, 4, 5)],
    "%r = tosa.transpose %a {perms = array<i32: 0, 3, 1, 2>} : ($a) -> $r",
    lambda x: x.transpose(0, 3, 1, 2),
)
form(
    "tosa-const-identity",
    [],
    (
        '%0 = "tosa.const"() <{values = dense<[[1, 2], [3, 4]]> : tensor<2x2xi32>}> : () -> '
        "tensor<2x2xi32>\n"
        "%r = tosa.identity %0 : (tensor<2x2xi32>) -> tensor<2x2xi32>"
    ),
    lambda: np.array([[1, 2], [3, 4]], np.int32),
)
form(
    "tosa-table-i16",
    [integers(9, low=-32768, high=32767, dtype=np.int16), np.arange(513, dtype=np.int16) * 60 - 15000],
    "%r = tosa.table %a, %b : ($a, $b) -> $r",
    lambda x, t: table16(x, t),
)
form(
    "tosa-scatter-i32",
    [integers(2, 5, 3), np.array([[1, 3], [0, 4]], np.int32), integers(2, 2, 3, seed=1)],
    "%r = tosa.scatter %a, %b, %c : ($a, $b, $c) -> $r",
    lambda x, i, y: sc(x, i, y),
)
form(
    "tosa-gather-i8",
    [i8(2, 5, 3), integers(2, 4, low=0, high=5)],
    "%r = tosa.gather %a, %b : ($a, $b) -> $r",
    lambda x, i: np.stack([x[n, i[n]] for n in range(2)]),
)
raw(
    "tosa-variable",
    """module {
tosa.variable @v = dense<1.0> : tensor<3xf32>
func.func @forward(%x: tensor<3xf32>) -> tensor<3xf32> {
  %v = tosa.variable_read @v : tensor<3xf32>
  %w = tosa.add %v, %x : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
  tosa.variable_write @v, %w : tensor<3xf32>
  %y = tosa.variable_read @v : tensor<3xf32>
  return %y : tensor<3xf32>
}
}""",
    [normal(3)],
    lambda x: x + 1,
)
form(
    "tosa-mul-i32-shift",
    [integers(5, low=-10000, high=10000), integers(5, low=-10000, high=10000, seed=1)],
    (
        '%z = "tosa.const"() <{values = dense<4> : tensor<1xi8>}> : () -> tensor<1xi8>\n'
        "%r = tosa.mul %a, %b, %z : ($a, $b, tensor<1xi8>) -> $r"
    ),
    lambda x, y: ((x.astype(I64) * y + 8) >> 4).astype(np.int32),
)
form(
    "tosa-softmax",
    [normal(2, 3, 9)],
    SHIFT
    + """
%m = tosa.reduce_max %a {axis = 2 : i32} : ($a) -> tensor<2x3x1xf32>
%d = tosa.sub %a, %m : ($a, tensor<2x3x1xf32>) -> $a
%e = tosa.exp %d : ($a) -> $a
%q = tosa.reduce_sum %e {axis = 2 : i32} : ($a) -> tensor<2x3x1xf32>
%p = tosa.reciprocal %q : (tensor<2x3x1xf32>) -> tensor<2x3x1xf32>
%r = tosa.mul %e, %p, %z : ($a, tensor<2x3x1xf32>, tensor<1xi8>) -> $r""",
    softmax,
    1e-5,
)
form(
    "tosa-fc-reshape",
    [normal(3, 2, 4), normal(8, 5), normal(1, 5)],
    zero_points("f32", 0, 0)
    + "\n"
    + shape("p", 1, 3, 8)
    + "\n"
    + shape("q", 1, 8, 5)
    + "\n"
    + shape("o", 3, 5)
    + """
%0 = tosa.reshape %a, %p : ($a, !tosa.shape<3>) -> tensor<1x3x8xf32>
%1 = tosa.reshape %b, %q : ($b, !tosa.shape<3>) -> tensor<1x8x5xf32>
%2 = tosa.matmul %0, %1, %z0, %z1
    : (tensor<1x3x8xf32>, tensor<1x8x5xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x3x5xf32>
%3 = tosa.reshape %2, %o : (tensor<1x3x5xf32>, !tosa.shape<2>) -> tensor<3x5xf32>
%r = tosa.add %3, %c : (tensor<3x5xf32>, $c) -> $r""",
    lambda x, w, b: x.reshape(3, 8) @ w + b,
    1e-4,
)
form(
    "tosa-equal-greater",
    [integers(3, 4), integers(3, 4, seed=1)],
    ("%r = tosa.equal %a, %b : ($a, $b) -> $r\n" "%s = tosa.greater_equal %a, %b : ($a, $b) -> $s"),
    lambda x, y: (x == y, x >= y),
)
form(
    "tosa-concat-axis2-i1",
    [integers(2, 2, 3) > 0, integers(2, 2, 1) > 0],
    "%r = tosa.concat %a, %b {axis = 2 : i32} : ($a, $b) -> $r",
    lambda x, y: np.concatenate([x, y], 2),
)
form(
    "tosa-tile-3d",
    [normal(2, 3, 1)],
    shape("p", 2, 1, 4) + ("\n" "%r = tosa.tile %a, %p : ($a, !tosa.shape<3>) -> $r"),
    lambda x: np.tile(x, (2, 1, 4)),
)
form(
    "tosa-dynamic-reshape",
    [normal(2, 6)],
    shape("p", -1, 3) + ("\n" "%r = tosa.reshape %a, %p : ($a, !tosa.shape<2>) -> $r"),
    lambda x: x.reshape(-1, 3),
    types={"a": "tensor<?x6xf32>", "r": "tensor<?x3xf32>"},
)
form(
    "tosa-slice-dyn",
    [normal(4, 6)],
    shape("p", 0, 2)
    + "\n"
    + shape("q", 4, 3)
    + ("\n" "%r = tosa.slice %a, %p, %q : ($a, !tosa.shape<2>, !tosa.shape<2>) -> $r"),
    lambda x: x[:, 2:5],
    types={"a": "tensor<?x6xf32>"},
)
