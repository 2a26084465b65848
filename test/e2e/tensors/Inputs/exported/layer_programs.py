"""Quantized layers in TOSA, and TOSA ops with attributes that single-op programs lack."""

import numpy as np

from forms import form
from programs import integers, normal
from reference import conv2d, depthwise, pool
from texts import shape, zero_points

I64 = np.int64
W32 = np.int32


def i8(*shape, seed=0):
    return integers(*shape, low=-128, high=128, seed=seed, dtype=np.int8)


def array(*values):
    return "array<i64: " + ", ".join(map(str, values)) + ">"


def constant(name, values, type):
    return f'%{name} = "tosa.const"() <{{values = dense<{values}> : {type}}}> : () -> {type}\n'


def rescale(result, source, types, multiplier, shift, zero=(0, 0), wide=True, double=False, unsigned=(False, False)):
    """The text of a tosa.rescale; `types` are the full types of its operand and result."""
    width, count = "i32" if wide else "i16", len(multiplier)
    elements = [t.split("x")[-1].strip(">").replace("tensor<", "") for t in types]
    name = result.strip("%")
    flag = lambda value: str(bool(value)).lower()
    return (
        constant(name + "m", multiplier, f"tensor<{count}x{width}>")
        + constant(name + "n", shift, f"tensor<{count}xi8>")
        + constant(name + "p", zero[0], f"tensor<1x{elements[0]}>")
        + constant(name + "q", zero[1], f"tensor<1x{elements[1]}>")
        + f"{result} = tosa.rescale {source}, %{name}m, %{name}n, %{name}p, %{name}q {{scale32 = {flag(wide)}, "
        f"rounding_mode = {'DOUBLE_ROUND' if double else 'SINGLE_ROUND'}, per_channel = {flag(count > 1)}, "
        f"input_unsigned = {flag(unsigned[0])}, output_unsigned = {flag(unsigned[1])}}} :\n({types[0]}, "
        f"tensor<{count}x{width}>, tensor<{count}xi8>, tensor<1x{elements[0]}>, tensor<1x{elements[1]}>) -> "
        f"{types[1]}\n"
    )


def scaled(x, multiplier, shift, double=False):
    """The last axis of x is that of the multipliers, if there are several."""
    m, s = np.array(multiplier, I64), np.array(shift, I64)
    x = x.astype(I64)
    bias = (I64(1) << (s - 1)) + (np.where(s > 31, np.where(x >= 0, 1 << 30, -(1 << 30)), 0) if double else 0)
    return (x * m + bias) >> s


for source, result, wide, double, unsigned, zero, multiplier, shift in [
    (np.int8, np.int8, True, False, (True, False), (130, -5), [1 << 30], [30]),
    (np.int8, np.int8, True, True, (False, True), (-7, 120), [1518500250], [31]),
    (np.int8, np.int16, False, False, (True, False), (255, 0), [23170], [9]),
    (np.int16, np.int8, True, False, (False, True), (0, 128), [1 << 30], [38]),
    (np.int16, np.int8, False, False, (True, True), (32768, 3), [17000], [22]),
    (np.int32, np.int16, True, True, (False, False), (0, 0), [2147483647, 1 << 30, 3, 77777], [32, 33, 2, 20]),
    (np.int16, np.int32, True, False, (False, False), (0, 0), [1073741825], [17]),
]:
    names = [f"tensor<5x4xi{np.dtype(t).itemsize * 8}>" for t in (source, result)]
    limits = np.iinfo(source)
    x = integers(5, 4, low=max(limits.min, -40000), high=min(limits.max, 40000), dtype=source)

    def expected(x, z=zero, m=multiplier, s=shift, d=double, u=unsigned, r=result):
        v = x.view(x.dtype.str.replace("i", "u")) if u[0] else x
        limits = np.iinfo(np.dtype(r).str.replace("i", "u") if u[1] else r)
        y = np.clip(scaled(v.astype(I64) - z[0], m, s, d) + z[1], limits.min, limits.max)
        return y.astype(I64).astype(r)

    def signed(value, dtype):
        return int(np.array(value, I64).astype(dtype))

    form(
        f"tosa-rescale-{np.dtype(source).name}-{np.dtype(result).name}-{wide}-{double}-{unsigned[0]}-{unsigned[1]}",
        [x],
        rescale(
            "%r",
            "%a",
            names,
            multiplier,
            shift,
            (signed(zero[0], source), signed(zero[1], result)),
            wide,
            double,
            unsigned,
        ),
        expected,
        0,
    )
STEPS = f"stride = {array(1, 1)}, dilation = {array(1, 1)}"


def residual(x, w, b, u, c):
    y = conv2d(x.astype(W32) + 3, w.astype(W32), b, (1,) * 4, (1, 1), (1, 1))
    y = np.clip(scaled(y, [1 << 30, 1 << 29, 1518500250, 1 << 30], [38, 38, 39, 37]) - 9, -128, 127).astype(np.int8)
    y = np.clip(y, -9, 100)
    z = depthwise(y.astype(W32) + 9, u.astype(W32), c, (1,) * 4, 1)
    z = np.clip(scaled(z, [1 << 30], [38]) + 1, -128, 127).astype(np.int8)
    total = scaled(
        scaled(z.astype(I64) - 1, [1 << 30], [11]) + scaled(x.astype(I64) + 3, [1 << 30], [12]), [1 << 30], [49]
    )
    return np.clip(total - 3, -128, 127).astype(np.int8)


IMAGE, WIDE = "tensor<1x6x6x4xi8>", "tensor<1x6x6x4xi32>"
form(
    "tosa-quantized-residual-block",
    [
        i8(1, 6, 6, 4),
        i8(4, 3, 3, 4, seed=1),
        integers(4, low=-900, high=900),
        i8(3, 3, 4, 1, seed=2),
        integers(4, low=-900, high=900, seed=3),
    ],
    zero_points("i8", -3, 0)
    + f"\n%t0 = tosa.conv2d %a, %b, %c, %z0, %z1 {{acc_type = i32, pad = {array(1, 1, 1, 1)}, {STEPS}}}\n"
    f": ($a, $b, $c, tensor<1xi8>, tensor<1xi8>) -> {WIDE}\n"
    + rescale("%t1", "%t0", (WIDE, IMAGE), [1 << 30, 1 << 29, 1518500250, 1 << 30], [38, 38, 39, 37], (0, -9))
    + f"%t2 = tosa.clamp %t1 {{min_val = -9 : i8, max_val = 100 : i8}} : ({IMAGE}) -> {IMAGE}\n"
    + constant("y", -9, "tensor<1xi8>")
    + f"%t3 = tosa.depthwise_conv2d %t2, %d, %e, %y, %z1 {{acc_type = i32, pad = {array(1, 1, 1, 1)}, {STEPS}}}\n"
    f": ({IMAGE}, $d, $e, tensor<1xi8>, tensor<1xi8>) -> {WIDE}\n"
    + rescale("%t4", "%t3", (WIDE, IMAGE), [1 << 30], [38], (0, 1))
    + rescale("%t5", "%t4", (IMAGE, WIDE), [1 << 30], [11], (1, 0))
    + rescale("%t6", "%a", (IMAGE, WIDE), [1 << 30], [12], (-3, 0))
    + f"%t7 = tosa.add %t5, %t6 : ({WIDE}, {WIDE}) -> {WIDE}\n"
    + rescale("%r", "%t7", (WIDE, "$r"), [1 << 30], [49], (0, -3)).replace("tensor<1x$r>", "tensor<1xi8>"),
    residual,
    0,
)


def quantized_pool(x):
    sums = pool(x.astype(W32), (6, 6), (6, 6), (0,) * 4, np.sum, 0).reshape(2, 8)
    y = np.clip(scaled(sums, [1987654321], [36]), -128, 127)
    return y.astype(np.int8)


form(
    "tosa-mean-as-sums-and-rescale",
    [i8(2, 6, 6, 8)],
    "%t0 = tosa.cast %a : ($a) -> tensor<2x6x6x8xi32>\n"
    "%t1 = tosa.reduce_sum %t0 {axis = 1 : i32} : (tensor<2x6x6x8xi32>) -> tensor<2x1x6x8xi32>\n"
    "%t2 = tosa.reduce_sum %t1 {axis = 2 : i32} : (tensor<2x1x6x8xi32>) -> tensor<2x1x1x8xi32>\n"
    + shape("p", 2, 8)
    + "\n%t3 = tosa.reshape %t2, %p : (tensor<2x1x1x8xi32>, !tosa.shape<2>) -> tensor<2x8xi32>\n"
    + rescale("%r", "%t3", ("tensor<2x8xi32>", "tensor<2x8xi8>"), [1987654321], [36]),
    quantized_pool,
    0,
)
for name, pads, kernel, stride in [("wide", (1, 1, 1, 2), (3, 3), (2, 2)), ("uneven", (0, 2, 1, 1), (3, 2), (1, 2))]:
    x = i8(1, 7, 6, 3)

    def averages(x, pads=pads, kernel=kernel, stride=stride):
        values = x.astype(I64) - 5
        sums = pool(values, kernel, stride, pads, np.sum, 0)
        counts = pool(np.ones_like(values), kernel, stride, pads, np.sum, 0)
        k = np.vectorize(lambda count: int(count - 1).bit_length())(counts)
        multiplier = ((I64(1) << 30) + 1 << k) // counts
        return np.clip(((sums * multiplier + (I64(1) << (30 + k - 1))) >> (30 + k)) + 9, -128, 127).astype(np.int8)

    form(
        f"tosa-average-pool-{name}-zero-points",
        [x],
        zero_points("i8", 5, 9) + f"\n"
        f"%r = tosa.avg_pool2d %a, %z0, %z1 {{acc_type = i32, kernel = {array(*kernel)}, stride = {array(*stride)}, "
        f"pad = {array(*pads)}}} : ($a, tensor<1xi8>, tensor<1xi8>) -> $r",
        averages,
        0,
    )


def shifted_softmax(x):
    d = x - x.max(1, keepdims=True)
    d = -((d >> 3) + ((d >> 2) & 1))
    p = (65536 >> d).astype(W32)
    total = p.sum(1, keepdims=True, dtype=W32)
    clz = np.array([[32 - int(v).bit_length()] for v in total[:, 0]], W32)
    return p // total, (p << clz).astype(W32) ^ p


form(
    "tosa-int8-softmax-tables",
    [i8(2, 5)],
    """%t0 = tosa.reduce_max %a {axis = 1 : i32} : ($a) -> tensor<2x1xi8>
%t1 = tosa.cast %a : ($a) -> tensor<2x5xi32>
%t2 = tosa.cast %t0 : (tensor<2x1xi8>) -> tensor<2x1xi32>
%t3 = tosa.sub %t1, %t2 : (tensor<2x5xi32>, tensor<2x1xi32>) -> tensor<2x5xi32>
%k = "tosa.const"() <{values = dense<3> : tensor<1x1xi32>}> : () -> tensor<1x1xi32>
%one = "tosa.const"() <{values = dense<65536> : tensor<1x1xi32>}> : () -> tensor<1x1xi32>
%t4 = tosa.arithmetic_right_shift %t3, %k {round = true} : (tensor<2x5xi32>, tensor<1x1xi32>) -> tensor<2x5xi32>
%zero = "tosa.const"() <{values = dense<0> : tensor<1x1xi32>}> : () -> tensor<1x1xi32>
%t5 = tosa.sub %zero, %t4 : (tensor<1x1xi32>, tensor<2x5xi32>) -> tensor<2x5xi32>
%t6 = tosa.logical_right_shift %one, %t5 : (tensor<1x1xi32>, tensor<2x5xi32>) -> tensor<2x5xi32>
%t7 = tosa.reduce_sum %t6 {axis = 1 : i32} : (tensor<2x5xi32>) -> tensor<2x1xi32>
%t8 = tosa.clz %t7 : (tensor<2x1xi32>) -> tensor<2x1xi32>
%t9 = tosa.logical_left_shift %t6, %t8 : (tensor<2x5xi32>, tensor<2x1xi32>) -> tensor<2x5xi32>
%r = tosa.intdiv %t6, %t7 : (tensor<2x5xi32>, tensor<2x1xi32>) -> tensor<2x5xi32>
%s = tosa.bitwise_xor %t9, %t6 : (tensor<2x5xi32>, tensor<2x5xi32>) -> tensor<2x5xi32>""",
    lambda x: shifted_softmax(x.astype(W32)),
    0,
)


def stepwise(x, n):
    v = x
    for k in range(n, 0, -1):
        v = (v + v if k > 2 else v) if k % 2 == 0 else x - np.abs(v)
    return v


form(
    "tosa-nested-conditions-in-loop",
    [integers(4), np.array(9, W32)],
    """%one = "tosa.const"() <{values = dense<1> : tensor<i32>}> : () -> tensor<i32>
%two = "tosa.const"() <{values = dense<2> : tensor<i32>}> : () -> tensor<i32>
%zero = "tosa.const"() <{values = dense<0> : tensor<i32>}> : () -> tensor<i32>
%r, %s = tosa.while_loop (%n = %b, %v = %a) : ($b, $a) -> ($b, $a) {
  %k = tosa.greater %n, %zero : ($b, $b) -> tensor<i1>
  tosa.yield %k : tensor<i1>
} do {
^bb0(%n: $b, %v: $a):
  %h = tosa.intdiv %n, %two : ($b, $b) -> $b
  %d = tosa.add %h, %h : ($b, $b) -> $b
  %e = tosa.equal %n, %d : ($b, $b) -> tensor<i1>
  %m = tosa.sub %n, %one : ($b, $b) -> $b
  %w = "tosa.cond_if"(%e, %v, %n) ({
  ^bb0(%x: $a, %y: $b):
    %f = tosa.greater %y, %two : ($b, $b) -> tensor<i1>
    %g = "tosa.cond_if"(%f, %x) ({
    ^bb0(%z: $a):
      %u = tosa.add %z, %z : ($a, $a) -> $a
      tosa.yield %u : $a
    }, {
    ^bb0(%z: $a):
      tosa.yield %z : $a
    }) : (tensor<i1>, $a) -> $a
    tosa.yield %g : $a
  }, {
  ^bb0(%x: $a, %y: $b):
    %u = tosa.abs %x : ($a) -> $a
    %j = tosa.sub %a, %u : ($a, $a) -> $a
    tosa.yield %j : $a
  }) : (tensor<i1>, $a, $b) -> $a
  tosa.yield %m, %w : $b, $a
}""",
    lambda x, n: (np.int32(0), stepwise(x, 9)),
    0,
)


def placed(x, i, j):
    y = x.copy()
    for n in range(2):
        y[n, j[n]] = np.abs(x[n, i[n]])
    return y


form(
    "tosa-scatter-of-gather",
    [normal(2, 6, 3), np.array([[5, 0, 2], [1, 3, 4]], W32), np.array([[0, 4, 5], [2, 1, 0]], W32)],
    "%t0 = tosa.gather %a, %b : ($a, $b) -> tensor<2x3x3xf32>\n"
    "%t1 = tosa.abs %t0 : (tensor<2x3x3xf32>) -> tensor<2x3x3xf32>\n"
    "%r = tosa.scatter %a, %c, %t1 : ($a, $c, tensor<2x3x3xf32>) -> $r",
    placed,
    0,
)


form(
    "tosa-resize-dynamic-batch",
    [normal(2, 3, 4, 2)],
    "%s0 = tosa.const_shape {values = dense<[4, 2, 4, 2]> : tensor<4xindex>} : () -> !tosa.shape<4>\n"
    "%o = tosa.const_shape {values = dense<[-1, -1]> : tensor<2xindex>} : () -> !tosa.shape<2>\n"
    "%p = tosa.const_shape {values = dense<[1, 1]> : tensor<2xindex>} : () -> !tosa.shape<2>\n"
    "%r = tosa.resize %a, %s0, %o, %p {mode = NEAREST_NEIGHBOR} : ($a, !tosa.shape<4>, !tosa.shape<2>,\n"
    "!tosa.shape<2>) -> $r",
    lambda x: np.repeat(np.repeat(x, 2, 1), 2, 2),
    0,
    types={"a": "tensor<?x3x4x2xf32>", "r": "tensor<?x6x8x2xf32>"},
)


def transposed(x, w):
    y = np.zeros((1, 9, 9, 3), np.float32)
    for i, j in np.ndindex(2, 3):
        y[:, i : i + 7 : 3, j : j + 7 : 2] += np.einsum("nhwc,fc->nhwf", x, w[:, i, j])
    return y[:, :, :8]


form(
    "tosa-transpose-conv-stride-groups",
    [normal(1, 3, 4, 2), normal(3, 2, 3, 2, seed=1), normal(1, seed=2)],
    zero_points("f32", 0, 0)
    + f"\n%r = tosa.transpose_conv2d %a, %b, %c, %z0, %z1 {{acc_type = f32, out_pad = {array(0, 1, 0, -1)},\n"
    f"stride = {array(3, 2)}}} : ($a, $b, $c, tensor<1xf32>, tensor<1xf32>) -> $r",
    lambda x, w, b: transposed(x, w) + b,
    1e-4,
)
