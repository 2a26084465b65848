"""Windows: pools, convolutions and their gradients, folds and resizes."""

import numpy as np

from forms import form
from programs import integers, normal
from reference import conv2d, conv_nchw, nchw
from texts import dims, empty, fill, generic, mapped, pad

LOW = "0xFF800000"
I64 = np.int64
W32 = np.int32
ADD = "%v = arith.addf %y0, %x0 : f32\nyield %v f32"
MAC = "%p = arith.mulf %x0, %x1 : f32\n%v = arith.addf %y0, %p : f32\nyield %v f32"


def i8(*shape, seed=0):
    return integers(*shape, low=-128, high=128, seed=seed, dtype=np.int8)


def windows(x, kernel, stride=1, dilation=1):
    """The windows of the last dimensions, which become the last axes."""
    count = len(kernel)
    sizes = [(n - dilation * (k - 1) - 1) // stride + 1 for n, k in zip(x.shape[-count:], kernel)]
    y = np.empty(x.shape[:-count] + tuple(sizes) + tuple(kernel), x.dtype)
    for at in np.ndindex(*kernel):
        parts = [slice(a * dilation, a * dilation + (n - 1) * stride + 1, stride) for a, n in zip(at, sizes)]
        y[(Ellipsis, *at)] = x[(Ellipsis, *parts)]
    return y


def fold(x):
    y = np.zeros((1, 3, 8, 10), np.float32)
    columns = x.reshape(1, 3, 2, 2, 3, 9)
    for i, j in np.ndindex(2, 2):
        y[:, :, i : i + 5 : 2, j : j + 9] += columns[:, :, i, j]
    return y[:, :, :6]


form(
    "fold-columns",
    [normal(1, 12, 27)],
    empty("%k", "tensor<2x2xf32>")
    + empty("%o", "tensor<3x9xf32>")
    + fill("%t0", "tensor<1x3x8x10xf32>")
    + mapped(
        "%t1",
        "n c h w i j",
        ["n, i * 2 + j + c * 4, w + h * 9", "i, j", "h, w", "n, c, h * 2 + i, w + j"],
        "%a $a f32; %k tensor<2x2xf32> f32; %o tensor<3x9xf32> f32",
        "%t0 tensor<1x3x8x10xf32> f32",
        ADD,
        "hwij",
    )
    + "%r = tensor.extract_slice %t1[0, 0, 0, 0] [1, 3, 6, 10] [1, 1, 1, 1] : tensor<1x3x8x10xf32> to $r",
    fold,
    1e-5,
)
form(
    "fold-in-place",
    [i8(5, 3).astype(W32), integers(9)],
    mapped(
        "%r",
        "i j",
        ["i, j", "i + j * 2"],
        "%a $a i32",
        "%b $b i32",
        "%v = arith.addi %x0, %y0 : i32\nyield %v i32",
        "ij",
    ),
    lambda x, y: y
    + np.array([sum(x[i, j] for i in range(5) for j in range(3) if i + 2 * j == k) for k in range(9)], W32),
    0,
)
form(
    "max-pool-1d-dilated",
    [normal(2, 3, 17)],
    dims("%a", "$a", 0, 1, 2)
    + pad("%p", "%a", "$a", [0, 0, 3], [0, 0, 3], "$a", LOW)
    + "%c6 = arith.constant 6 : index\n%c5 = arith.constant 5 : index\n%c2 = arith.constant 2 : index\n"
    "%c1 = arith.constant 1 : index\n%q0 = arith.addi %a2, %c6 : index\n%q1 = arith.subi %q0, %c5 : index\n"
    "%q2 = arith.floordivsi %q1, %c2 : index\n%q3 = arith.addi %q2, %c1 : index\n"
    + fill("%t0", "$a", LOW, sizes="%a0, %a1, %q3")
    + empty("%k", "tensor<2xf32>")
    + "%r = linalg.pooling_ncw_max {dilations = dense<4> : vector<1xi64>, strides = dense<2> : vector<1xi64>}\n"
    "ins(%p, %k : $a, tensor<2xf32>) outs(%t0 : $a) -> $r",
    lambda x: windows(np.pad(x, ((0, 0), (0, 0), (3, 3)), constant_values=-np.inf), (2,), 2, 4).max(-1),
    0,
    dynamic=True,
)
form(
    "max-pool-3d",
    [normal(1, 2, 7, 8, 9)],
    fill("%t0", "$r", LOW)
    + pad("%p", "%a", "$a", [0, 0, 1, 1, 1], [0, 0, 1, 1, 1], "tensor<1x2x9x10x11xf32>", LOW)
    + empty("%k", "tensor<2x3x2xf32>")
    + mapped(
        "%r",
        "n c d h w i j k",
        ["n, c, d * 2 + i * 3, h * 2 + j * 3, w * 2 + k * 3", "i, j, k", "n, c, d, h, w"],
        "%p tensor<1x2x9x10x11xf32> f32; %k tensor<2x3x2xf32> f32",
        "%t0 $r f32",
        "%v = arith.maximumf %x0, %y0 : f32\nyield %v f32",
        "ijk",
    ),
    lambda x: windows(
        np.pad(x, ((0, 0), (0, 0), (1, 1), (1, 1), (1, 1)), constant_values=-np.inf), (2, 3, 2), 2, 3
    ).max((-3, -2, -1)),
    0,
)


def unpool(x, i):
    y = np.zeros((2, 2, 4, 8), np.float32)
    np.put_along_axis(y.reshape(4, 32), i.reshape(4, 8), x.reshape(4, 8), 1)
    return y


PLACES = np.stack([(np.arange(2)[:, None] * 16 + np.arange(4) * 2 + k) for k in (0, 1, 8, 9)]).reshape(2, 2, 2, 4)
form(
    "max-unpool",
    [normal(2, 2, 2, 4), PLACES.astype(I64)],
    "%zero = arith.constant 0.0 : f32\n%c8 = arith.constant 8 : index\n"
    + empty("%t0", "$r")
    + mapped(
        "%r",
        "n c h w",
        ["n, c, h floordiv 2, w floordiv 2"] * 2 + ["n, c, h, w"],
        "%a $a f32; %b $b i64",
        "%t0 $r f32",
        "%i = arith.index_cast %x1 : i64 to index\n%h = linalg.index 2 : index\n%w = linalg.index 3 : index\n"
        "%m = arith.muli %h, %c8 : index\n%s0 = arith.addi %m, %w : index\n%q = arith.cmpi eq, %i, %s0 : index\n"
        "%v = arith.select %q, %x0, %zero : f32\nyield %v f32",
    ),
    unpool,
    0,
)


def average(x):
    sums = windows(np.pad(x, ((0, 0), (0, 0), (1, 1), (1, 1))), (3, 2), 2).sum((-2, -1))
    return sums / windows(np.pad(np.ones_like(x), ((0, 0), (0, 0), (1, 1), (1, 1))), (3, 2), 2).sum((-2, -1))


def extent(name, index, kernel, size):
    """The number of elements of a window in the image, by its position."""
    return f"""%{name}0 = linalg.index {index} : index
%{name}1 = arith.muli %{name}0, %c2 : index
%{name}2 = arith.subi %{name}1, %c1 : index
%{name}3 = arith.addi %{name}2, %{kernel} : index
%{name}4 = arith.minsi %{name}3, %{size} : index
%{name}5 = arith.maxsi %{name}2, %c0 : index
%{name}6 = arith.subi %{name}4, %{name}5 : index
"""


form(
    "average-pool-without-padding",
    [normal(1, 3, 7, 6)],
    "".join(f"%c{n} = arith.constant {n} : index\n" for n in (0, 1, 2, 3, 6, 7))
    + fill("%t0", "$r")
    + pad("%p", "%a", "$a", [0, 0, 1, 1], [0, 0, 1, 1], "tensor<1x3x9x8xf32>")
    + empty("%k", "tensor<3x2xf32>")
    + "%t1 = linalg.pooling_nchw_sum {dilations = dense<1> : vector<2xi64>, strides = dense<2> : vector<2xi64>}\n"
    "ins(%p, %k : tensor<1x3x9x8xf32>, tensor<3x2xf32>) outs(%t0 : $r) -> $r\n"
    + generic(
        "%r",
        "nchw->nchw",
        "%t1 $r f32",
        "%t0_e $r f32",
        extent("h", 1, "c3", "c7")
        + extent("w", 3, "c2", "c6")
        + "%m = arith.muli %h6, %w6 : index\n%i = arith.index_cast %m : index to i64\n"
        "%f = arith.sitofp %i : i64 to f32\n%v = arith.divf %x0, %f : f32\nyield %v f32",
    ),
    average,
    1e-5,
)


def pooled(name, op, x, kernel, init, element, function, attributes="", result=None):
    result = result or function
    form(
        name,
        [x],
        fill("%t0", "$r", init, element)
        + empty("%k", f"tensor<{'x'.join(map(str, kernel))}x{element}>")
        + f"%r = linalg.{op} {attributes} ins(%a, %k : $a, tensor<{'x'.join(map(str, kernel))}x{element}>)\n"
        "outs(%t0 : $r) -> $r",
        function,
        1e-5 if element.startswith("f") else 0,
    )


def channels_last(x, kernel, function, **steps):
    """A pool of an image whose channels are last."""
    axes = tuple(range(-len(kernel), 0))
    return np.moveaxis(function(windows(np.moveaxis(x, -1, 1), kernel, **steps), axis=axes), 1, -1)


def unsigned_min(v, axis):
    return v.view(np.uint8).min(axis).view(np.int8)


pooled(
    "pool-nhwc-min",
    "pooling_nhwc_min",
    normal(1, 6, 7, 3),
    (2, 3),
    "0x7F800000",
    "f32",
    lambda x: channels_last(x, (2, 3), np.min),
)
pooled(
    "pool-nhwc-min-unsigned",
    "pooling_nhwc_min_unsigned",
    i8(1, 6, 7, 3),
    (2, 3),
    "-1",
    "i8",
    lambda x: channels_last(x, (2, 3), unsigned_min),
)
pooled(
    "pool-nwc-min-dilated",
    "pooling_nwc_min",
    i8(2, 11, 3),
    (3,),
    "127",
    "i8",
    lambda x: channels_last(x, (3,), np.min, dilation=2),
    "{strides = dense<1> : tensor<1xi64>, dilations = dense<2> : tensor<1xi64>}",
)
pooled(
    "pool-ndhwc-min",
    "pooling_ndhwc_min",
    normal(1, 4, 5, 6, 2, dtype=np.float64),
    (2, 2, 3),
    "0x7FF0000000000000",
    "f64",
    lambda x: channels_last(x, (2, 2, 3), np.min, stride=2),
    "{strides = dense<2> : tensor<3xi64>, dilations = dense<1> : tensor<3xi64>}",
)
pooled(
    "pool-nchw-max-i16",
    "pooling_nchw_max",
    i8(1, 2, 9, 9).astype(np.int16),
    (3, 3),
    "-32768",
    "i16",
    lambda x: windows(x, (3, 3), 3, 1).max((-2, -1)),
    "{strides = dense<3> : tensor<2xi64>, dilations = dense<1> : tensor<2xi64>}",
)
for name, op, x, kernel, text in [
    ("pool-sum-i8-i32", "pooling_nhwc_sum", i8(1, 7, 7, 3), (3, 2), "3x2xi8"),
    ("pool-sum-f16-f32", "pooling_nhwc_sum", normal(1, 7, 7, 3, dtype=np.float16), (3, 2), "3x2xf16"),
]:
    wide = np.int32 if x.dtype == np.int8 else np.float32
    form(
        name,
        [x],
        (fill("%t0", "$r", "0", "i32") if wide == np.int32 else fill("%t0", "$r"))
        + empty("%k", f"tensor<{text}>")
        + f"%r = linalg.{op} ins(%a, %k : $a, tensor<{text}>) outs(%t0 : $r) -> $r",
        lambda x, kernel=kernel, wide=wide: channels_last(x.astype(wide), kernel, np.sum).astype(wide),
        1e-4,
    )


# Gradients of convolutions.
REVERSE = (
    "%i0 = linalg.index 0 : index\n%i1 = linalg.index 1 : index\n%i2 = linalg.index 2 : index\n"
    "%i3 = linalg.index 3 : index\n%j2 = arith.subi %c1, %i2 : index\n%j3 = arith.subi %c1, %i3 : index\n"
    "%v = tensor.extract %b[%i0, %i1, %j2, %j3] : $b\nyield %v f32"
)


def input_gradient(g, w, stride=1):
    x = np.zeros((g.shape[0], w.shape[1], g.shape[2] * stride + 1, g.shape[3] * stride + 1), np.float32)
    for i, j in np.ndindex(2, 2):
        rows = slice(i, i + (g.shape[2] - 1) * stride + 1, stride)
        columns = slice(j, j + (g.shape[3] - 1) * stride + 1, stride)
        x[:, :, rows, columns] += np.einsum("nfhw,fc->nchw", g, w[:, :, i, j])
    return x


for stride, padded in [(1, "tensor<2x4x7x7xf32>"), (2, "tensor<2x4x12x12xf32>")]:
    spread = (
        pad("%g", "%a", "$a", [0, 0, 1, 1], [0, 0, 1, 1], padded)
        if stride == 1
        else fill("%z", padded)
        + f"%g = tensor.insert_slice %a into %z[0, 0, 1, 1] [2, 4, 5, 5] [1, 1, 2, 2] : $a into {padded}\n"
    )
    form(
        f"conv-input-gradient-stride-{stride}",
        [normal(2, 4, 5, 5), normal(4, 3, 2, 2, seed=1)],
        "%c1 = arith.constant 1 : index\n"
        + empty("%t0", "$b")
        + mapped("%t1", "f c i j", ["f, c, i, j"] * 2, "%b $b f32", "%t0 $b f32", REVERSE)
        + spread
        + fill("%t2", "$r")
        + mapped(
            "%r",
            "n c h w f i j",
            ["n, f, h + i, w + j", "f, c, i, j", "n, c, h, w"],
            f"%g {padded} f32; %t1 $b f32",
            "%t2 $r f32",
            MAC,
            "fij",
        ),
        lambda g, w, stride=stride: input_gradient(g, w, stride),
        1e-4,
    )
form(
    "conv-weight-gradient",
    [normal(2, 3, 9, 9), normal(2, 4, 4, 4, seed=1)],
    fill("%t0", "$r")
    + fill("%t1", "$s")
    + mapped(
        "%r",
        "f c i j n h w",
        ["n, c, i + h * 2, j + w * 2", "n, f, h, w", "f, c, i, j"],
        "%a $a f32; %b $b f32",
        "%t0 $r f32",
        MAC,
        "nhw",
    )
    + mapped("%s", "n f h w", ["n, f, h, w", "f"], "%b $b f32", "%t1 $s f32", ADD, "nhw"),
    lambda x, g: (
        np.einsum("nchwij,nfhw->fcij", windows(x, (3, 3), 2)[:, :, :4, :4], g),
        g.sum((0, 2, 3)),
    ),
    1e-4,
)


# Named convolutions.
def conv(name, op, arguments, expected, attributes="", init="0.0", element="f32", points="", tolerance=1e-4, **options):
    extra = "".join(f"%z{n} = arith.constant {v} : i32\n" for n, v in enumerate(points))
    values = ["%a", "%b"] + [f"%z{n}" for n, _ in enumerate(points)]
    types = ["$a", "$b"] + ["i32" for _ in points]
    form(
        name,
        arguments,
        extra
        + fill("%t0", "$r", init, element)
        + f"%r = linalg.{op} {attributes} ins({', '.join(values)} : {', '.join(types)}) outs(%t0 : $r) -> $r",
        expected,
        tolerance,
        **options,
    )


def grouped(x, w, axes="nghwcij,gfcij->nhwgf"):
    """x is NHWGC, w is GFHWC."""
    return np.einsum(axes, windows(x.transpose(0, 3, 4, 1, 2), w.shape[2:4]).transpose(0, 1, 3, 4, 2, 5, 6), w)


conv(
    "conv-nhwgc-gfhwc",
    "conv_2d_nhwgc_gfhwc",
    [normal(1, 6, 5, 2, 3), normal(2, 4, 3, 2, 3, seed=1)],
    lambda x, w: grouped(x, w, "nghwcij,gfijc->nhwgf"),
)
conv(
    "conv-nhwgc-gfhwc-q",
    "conv_2d_nhwgc_gfhwc_q",
    [i8(1, 6, 5, 2, 3), i8(2, 4, 3, 2, 3, seed=1)],
    lambda x, w: grouped(x.astype(W32) - 4, w.astype(W32) + 9, "nghwcij,gfijc->nhwgf").astype(W32),
    init="0",
    element="i32",
    points=(4, -9),
    tolerance=0,
)
conv(
    "conv-ngchw-gfchw-q",
    "conv_2d_ngchw_gfchw_q",
    [i8(1, 2, 3, 6, 5), i8(2, 4, 3, 3, 2, seed=1)],
    lambda x, w: np.einsum("ngchwij,gfcij->ngfhw", windows(x.astype(W32) - 4, (3, 2)), w.astype(W32) + 9).astype(W32),
    init="0",
    element="i32",
    points=(4, -9),
    tolerance=0,
)
conv(
    "conv-ndhwc-q",
    "conv_3d_ndhwc_dhwcf_q",
    [i8(1, 4, 5, 4, 3), i8(2, 3, 2, 3, 4, seed=1)],
    lambda x, w: np.einsum(
        "ncdhwijk,ijkcf->ndhwf", windows(np.moveaxis(x.astype(W32) + 7, -1, 1), (2, 3, 2)), w.astype(W32) - 1
    ).astype(W32),
    init="0",
    element="i32",
    points=(-7, 1),
    tolerance=0,
)
conv(
    "depthwise-ndhwcm",
    "depthwise_conv_3d_ndhwc_dhwcm",
    [normal(1, 5, 5, 4, 3), normal(2, 2, 2, 3, 2, seed=1)],
    lambda x, w: np.einsum("ncdhwijk,ijkcm->ndhwcm", windows(np.moveaxis(x, -1, 1), (2, 2, 2)), w),
)
conv(
    "depthwise-dilated-f16",
    "depthwise_conv_2d_nhwc_hwc",
    [normal(1, 9, 9, 8, dtype=np.float16), normal(3, 3, 8, seed=1, dtype=np.float16)],
    lambda x, w: np.einsum("nchwij,ijc->nhwc", windows(nchw(x).astype(np.float32), (3, 3), 2, 2), w.astype(np.float32)),
    "{strides = dense<2> : tensor<2xi64>, dilations = dense<2> : tensor<2xi64>}",
    tolerance=1e-3,
)
conv(
    "conv-f64",
    "conv_2d_nchw_fchw",
    [normal(2, 3, 6, 7, dtype=np.float64), normal(4, 3, 3, 3, seed=1, dtype=np.float64)],
    lambda x, w: conv_nchw(x, w, 0),
    init="0.0",
    element="f64",
    tolerance=1e-12,
)
conv(
    "conv-i16-i64",
    "conv_1d_nwc_wcf",
    [i8(2, 9, 3).astype(np.int16), i8(4, 3, 5, seed=1).astype(np.int16)],
    lambda x, w: np.einsum("ncwi,icf->nwf", windows(np.moveaxis(x, -1, 1).astype(I64), (4,)), w.astype(I64)),
    init="0",
    element="i64",
    tolerance=0,
)
conv(
    "conv-stride-beyond-window",
    "conv_2d_nhwc_hwcf",
    [normal(1, 11, 12, 4), normal(2, 2, 4, 8, seed=1)],
    lambda x, w: conv2d(x, w.transpose(3, 0, 1, 2), 0, (0,) * 4, (4, 5), (1, 1)),
    "{strides = dense<[4, 5]> : tensor<2xi64>, dilations = dense<1> : tensor<2xi64>}",
)
form(
    "conv-nchw-q-dynamic",
    [i8(2, 3, 6, 5), i8(4, 3, 3, 2, seed=1)],
    "%z = arith.constant 7 : i32\n%y = arith.constant -3 : i32\n%c1 = arith.constant 1 : index\n"
    + dims("%a", "$a", 0, 2, 3)
    + dims("%b", "$b", 0, 2, 3)
    + "%h0 = arith.subi %a2, %b2 : index\n%h = arith.addi %h0, %c1 : index\n"
    "%w0 = arith.subi %a3, %b3 : index\n%w = arith.addi %w0, %c1 : index\n"
    + fill("%t0", "$r", "0", "i32", sizes="%a0, %b0, %h, %w")
    + "%r = linalg.conv_2d_nchw_fchw_q {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>}\n"
    "ins(%a, %b, %z, %y : $a, $b, i32, i32) outs(%t0 : $r) -> $r",
    lambda x, w: np.einsum("nchwij,fcij->nfhw", windows(x.astype(W32) - 7, (3, 2)), w.astype(W32) + 3).astype(W32),
    0,
    dynamic=True,
)
form(
    "conv-nchw-dynamic-space",
    [normal(1, 3, 9, 8), normal(4, 3, 3, 3, seed=1), normal(4, seed=2)],
    "%c2 = arith.constant 2 : index\n%c1 = arith.constant 1 : index\n"
    + dims("%a", "$a", 0, 2, 3)
    + pad("%p", "%a", "$a", [0, 0, 1, 1], [0, 0, 1, 1], "$a")
    + "%h0 = arith.subi %a2, %c1 : index\n%h1 = arith.floordivsi %h0, %c2 : index\n%h = arith.addi %h1, %c1 : index\n"
    "%w0 = arith.subi %a3, %c1 : index\n%w1 = arith.floordivsi %w0, %c2 : index\n%w = arith.addi %w1, %c1 : index\n"
    + empty("%t0", "$r", "%a0, %h, %w")
    + "%t1 = linalg.broadcast ins(%c : $c) outs(%t0 : $r) dimensions = [0, 2, 3]\n"
    "%r = linalg.conv_2d_nchw_fchw {dilations = dense<1> : vector<2xi64>, strides = dense<2> : vector<2xi64>}\n"
    "ins(%p, %b : $a, $b) outs(%t1 : $r) -> $r",
    lambda x, w, b: conv_nchw(x, w, 1, 2) + b[:, None, None],
    1e-4,
    types={"a": "tensor<?x3x?x?xf32>", "r": "tensor<?x4x?x?xf32>"},
)
form(
    "conv-groups-f16",
    [normal(1, 8, 6, 6, dtype=np.float16), normal(6, 4, 3, 3, seed=1, dtype=np.float16)],
    fill("%t0", "tensor<1x2x3x6x6xf32>")
    + pad("%p", "%a", "$a", [0, 0, 1, 1], [0, 0, 1, 1], "tensor<1x8x8x8xf16>", element="f16")
    + "%x = tensor.expand_shape %p [[0], [1, 2], [3], [4]] output_shape [1, 2, 4, 8, 8]\n"
    ": tensor<1x8x8x8xf16> into tensor<1x2x4x8x8xf16>\n"
    "%w = tensor.expand_shape %b [[0, 1], [2], [3], [4]] output_shape [2, 3, 4, 3, 3]\n"
    ": $b into tensor<2x3x4x3x3xf16>\n"
    "%y = linalg.conv_2d_ngchw_gfchw ins(%x, %w : tensor<1x2x4x8x8xf16>, tensor<2x3x4x3x3xf16>)\n"
    "outs(%t0 : tensor<1x2x3x6x6xf32>) -> tensor<1x2x3x6x6xf32>\n"
    "%r = tensor.collapse_shape %y [[0], [1, 2], [3], [4]] : tensor<1x2x3x6x6xf32> into $r",
    lambda x, w: np.concatenate(
        [
            conv_nchw(x[:, :4].astype(np.float32), w[:3].astype(np.float32)),
            conv_nchw(x[:, 4:].astype(np.float32), w[3:].astype(np.float32)),
        ],
        1,
    ),
    1e-3,
)


def upsample(x):
    y = np.zeros((1, 2, 11, 13), np.float32)
    y[:, :, 2:9:2, 2:11:2] = x
    return y


form(
    "conv-transposed-in-image",
    [normal(1, 2, 4, 5), normal(3, 2, 3, 3, seed=1), normal(3, seed=2)],
    fill("%z", "tensor<1x2x11x13xf32>")
    + "%p = tensor.insert_slice %a into %z[0, 0, 2, 2] [1, 2, 4, 5] [1, 1, 2, 2] : $a into tensor<1x2x11x13xf32>\n"
    + empty("%t0", "$r")
    + "%t1 = linalg.broadcast ins(%c : $c) outs(%t0 : $r) dimensions = [0, 2, 3]\n"
    "%t2 = linalg.conv_2d_nchw_fchw ins(%p, %b : tensor<1x2x11x13xf32>, $b) outs(%t1 : $r) -> $r\n"
    "%t3 = tensor.cast %t2 : $r to tensor<1x3x?x?xf32>\n%r = tensor.cast %t3 : tensor<1x3x?x?xf32> to $r",
    lambda x, w, b: conv_nchw(upsample(x), w, 0) + b[:, None, None],
    1e-4,
)


form(
    "conv-batch-last",
    [normal(3, 6, 7, 2), normal(3, 3, 2, 4, seed=1)],
    fill("%t0", "$r")
    + mapped(
        "%r",
        "h w n f c i j",
        ["c, h + i, w + j, n", "c, i, j, f", "h, w, n, f"],
        "%a $a f32; %b $b f32",
        "%t0 $r f32",
        MAC,
        "cij",
    ),
    lambda x, w: np.einsum("nchwij,cijf->hwnf", windows(x.transpose(3, 0, 1, 2), (3, 2)), w),
    1e-4,
)
form(
    "image-columns",
    [normal(1, 5, 6, 3), normal(12, 4, seed=1)],
    empty("%t0", "tensor<20x12xf32>")
    + mapped(
        "%t1",
        "p k",
        ["0, p floordiv 5 + k floordiv 6, p mod 5 + (k mod 6) floordiv 3, k mod 3", "p, k"],
        "%a $a f32",
        "%t0 tensor<20x12xf32> f32",
        "yield %x0 f32",
    )
    + fill("%t2", "$r")
    + "%r = linalg.matmul ins(%t1, %b : tensor<20x12xf32>, $b) outs(%t2 : $r) -> $r",
    lambda x, w: windows(x.transpose(0, 3, 1, 2), (2, 2)).transpose(0, 2, 3, 4, 5, 1).reshape(20, 12) @ w,
    1e-4,
)
form(
    "window-prefix-sum",
    [normal(3, 9)],
    pad("%p", "%a", "$a", [0, 8], [0, 0], "tensor<3x17xf32>")
    + empty("%k", "tensor<9xf32>")
    + fill("%t0", "$r")
    + mapped(
        "%r",
        "i j k",
        ["i, j + k", "k", "i, j"],
        "%p tensor<3x17xf32> f32; %k tensor<9xf32> f32",
        "%t0 $r f32",
        ADD,
        "k",
    ),
    lambda x: np.cumsum(x, 1),
    1e-5,
)
form(
    "response-normalization",
    [normal(1, 6, 3, 3)],
    "%k = arith.constant 2.0 : f32\n%alpha = arith.constant 0.01 : f32\n%beta = arith.constant -0.75 : f32\n"
    + empty("%e", "$a")
    + generic("%t0", "nchw->nchw", "%a $a f32", "%e $a f32", "%v = arith.mulf %x0, %x0 : f32\nyield %v f32")
    + pad("%p", "%t0", "$a", [0, 2, 0, 0], [0, 2, 0, 0], "tensor<1x10x3x3xf32>")
    + empty("%w", "tensor<5xf32>")
    + fill("%t1", "$a")
    + mapped(
        "%t2",
        "n c h w k",
        ["n, c + k, h, w", "k", "n, c, h, w"],
        "%p tensor<1x10x3x3xf32> f32; %w tensor<5xf32> f32",
        "%t1 $a f32",
        ADD,
        "k",
    )
    + generic(
        "%r",
        "nchw,nchw->nchw",
        "%a $a f32; %t2 $a f32",
        "%e $a f32",
        "%p0 = arith.mulf %x1, %alpha : f32\n%p1 = arith.addf %p0, %k : f32\n%p2 = math.powf %p1, %beta : f32\n"
        "%v = arith.mulf %x0, %p2 : f32\nyield %v f32",
    ),
    lambda x: x
    * (
        2
        + 0.01
        * windows(np.pad(x * x, ((0, 0), (2, 2), (0, 0), (0, 0))).transpose(0, 2, 3, 1), (5,))
        .sum(-1)
        .transpose(0, 3, 1, 2)
    )
    ** -0.75,
    1e-4,
)


def inner(x, y):
    z = y.copy()
    z[1:-1, 1:-1] = ((x[1:-1, :-2] + x[1:-1, 2:]) + (x[:-2, 1:-1] + x[2:, 1:-1])) - y[1:-1, 1:-1]
    return z


form(
    "stencil-inner",
    [normal(7, 9), normal(7, 9, seed=1)],
    "%s0 = tensor.extract_slice %b[1, 1] [5, 7] [1, 1] : $b to tensor<5x7xf32>\n"
    + "".join(
        f"%n{n} = tensor.extract_slice %a[{at}] [5, 7] [1, 1] : $a to tensor<5x7xf32>\n"
        for n, at in enumerate(("1, 0", "1, 2", "0, 1", "2, 1"))
    )
    + generic(
        "%t0",
        "ij,ij,ij,ij->ij",
        "; ".join(f"%n{n} tensor<5x7xf32> f32" for n in range(4)),
        "%s0 tensor<5x7xf32> f32",
        "%p = arith.addf %x0, %x1 : f32\n%q = arith.addf %x2, %x3 : f32\n%u = arith.addf %p, %q : f32\n"
        "%v = arith.subf %u, %y0 : f32\nyield %v f32",
    )
    + "%r = tensor.insert_slice %t0 into %b[1, 1] [5, 7] [1, 1] : tensor<5x7xf32> into $b",
    lambda x, y: inner(x, y),
    0,
)
