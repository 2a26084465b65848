"""Parts of models."""

import math

import numpy as np

from forms import form
from programs import integers, normal, softmax
from reference import batch_norm, conv2d, conv_nchw, sigmoid
from texts import dims, empty, fill, generic, pad

I64 = np.int64
F16 = np.float16

i8 = lambda *s, seed=0: integers(*s, low=-128, high=128, seed=seed, dtype=np.int8)


ADD = "%v0 = arith.addf %x0, %y0 : f32\nyield %v0 f32"
MAX = "%v0 = arith.maximumf %x0, %y0 : f32\nyield %v0 f32"
MAC = "%v0 = arith.mulf %x0, %x1 : f32\n%v1 = arith.addf %y0, %v0 : f32\nyield %v1 f32"


def bin(r, op, maps, a, b, out, t="f32"):
    return generic(r, maps, f"{a} {t}; {b} {t}", f"{out} {t}", f"%v0 = arith.{op} %x0, %x1 : {t}\nyield %v0 {t}")


def kv(a, b, i, q):
    a = a.copy()
    a[:, i : i + 1] = b
    k = a[:, : i + 1]
    return softmax(q @ k.transpose(0, 2, 1)) @ k


def gn(x, g, b):
    y = x.reshape(2, 3, -1)
    y = (y - y.mean(2, keepdims=True)) / np.sqrt(y.var(2, keepdims=True) + 1e-5)
    return y.reshape(x.shape) * g.reshape(1, -1, 1, 1) + b.reshape(1, -1, 1, 1)


def mpi(x):
    w = x.reshape(1, 2, 3, 2, 3, 2).transpose(0, 1, 2, 4, 3, 5).reshape(1, 2, 3, 3, 4)
    k = w.argmax(-1)
    h = np.arange(3)[:, None] * 2 + k // 2
    c = np.arange(3) * 2 + k % 2
    return w.max(-1), (h * 6 + c).astype(I64)


def attn(q, k, v, scale, causal=False, mask=None):
    s = np.einsum("bhid,bhjd->bhij", q.astype(np.float32), k.astype(np.float32)) * scale
    if causal:
        s = np.where(np.triu(np.ones(s.shape[-2:], bool), 1), -np.inf, s)
    if mask is not None:
        s = s + mask
    return np.einsum("bhij,bhjd->bhid", softmax(s), v.astype(np.float32))


for n, d, dyn in [(12, 16, False), (37, 8, True)]:
    T = f"tensor<2x3x{'?' if dyn else n}x{d}xf32>"
    S = f"tensor<2x3x{'?x?' if dyn else f'{n}x{n}'}xf32>"
    M = f"tensor<2x3x{'?' if dyn else n}xf32>"
    z1, z2 = ("%a2", "%a2, %a2") if dyn else ("", "")
    form(
        f"attention-f32-{n}",
        [normal(2, 3, n, d), normal(2, 3, n, d, seed=1), normal(2, 3, n, d, seed=2)],
        dims("%a", T, 2)
        + fill("%t0", S, sizes=z2)
        + generic("%t1", "bhid,bhjd->bhij", f"%a {T} f32; %b {T} f32", f"%t0 {S} f32", MAC, "d")
        + "%sc = arith.constant 0.25 : f32\n%ninf = arith.constant 0xFF800000 : f32\n"
        + generic(
            "%t2",
            "bhij->bhij",
            f"%t1 {S} f32",
            f"%t0_e {S} f32",
            (
                "%i0 = linalg.index 2 : index\n"
                "%j0 = linalg.index 3 : index\n"
                "%g0 = arith.cmpi ugt, %j0, %i0 : index\n"
                "%v0 = arith.mulf %x0, %sc : f32\n"
                "%v1 = arith.select %g0, %ninf, %v0 : f32\n"
                "yield %v1 f32"
            ),
        )
        + f"%t3 = linalg.softmax dimension(3) ins(%t2 : {S}) outs(%t0_e : {S}) -> {S}\n"
        + fill("%t4", T, sizes=z1)
        + generic("%r", "bhij,bhjd->bhid", f"%t3 {S} f32; %c {T} f32", f"%t4 {T} f32", MAC, "j"),
        lambda q, k, v: attn(q, k, v, 0.25, True),
        1e-4,
        types={x: T for x in "abcr"},
    )
    H = T.replace("f32", "f16")
    HS = S.replace("f32", "f16")
    MK = f"tensor<{'?x?' if dyn else f'{n}x{n}'}xf16>"
    form(
        f"attention-f16-mask-{n}",
        [
            normal(2, 3, n, d, dtype=F16),
            normal(2, 3, n, d, seed=1, dtype=F16),
            normal(2, 3, n, d, seed=2, dtype=F16),
            normal(n, n, seed=3, dtype=F16),
        ],
        dims("%a", H, 2)
        + fill("%t0", S, sizes=z2)
        + generic(
            "%t1",
            "bhid,bhjd->bhij",
            f"%a {H} f16; %b {H} f16",
            f"%t0 {S} f32",
            (
                "%e0 = arith.extf %x0 : f16 to f32\n"
                "%e1 = arith.extf %x1 : f16 to f32\n"
                "%v0 = arith.mulf %e0, %e1 : f32\n"
                "%v1 = arith.addf %y0, %v0 : f32\n"
                "yield %v1 f32"
            ),
            "d",
        )
        + "%sc = arith.constant 0.25 : f32\n"
        + generic(
            "%t2",
            "bhij,ij->bhij",
            f"%t1 {S} f32; %d {MK} f16",
            f"%t0_e {S} f32",
            (
                "%v0 = arith.mulf %x0, %sc : f32\n"
                "%v1 = arith.extf %x1 : f16 to f32\n"
                "%v2 = arith.addf %v0, %v1 : f32\n"
                "yield %v2 f32"
            ),
        )
        + f"%t3 = linalg.softmax dimension(3) ins(%t2 : {S}) outs(%t0_e : {S}) -> {S}\n"
        + empty("%t5", HS, z2)
        + generic(
            "%t6",
            "bhij->bhij",
            f"%t3 {S} f32",
            f"%t5 {HS} f16",
            ("%v0 = arith.truncf %x0 : f32 to f16\n" "yield %v0 f16"),
        )
        + fill("%t4", T, sizes=z1)
        + generic(
            "%r",
            "bhij,bhjd->bhid",
            f"%t6 {HS} f16; %c {H} f16",
            f"%t4 {T} f32",
            (
                "%e0 = arith.extf %x0 : f16 to f32\n"
                "%e1 = arith.extf %x1 : f16 to f32\n"
                "%v0 = arith.mulf %e0, %e1 : f32\n"
                "%v1 = arith.addf %y0, %v0 : f32\n"
                "yield %v1 f32"
            ),
            "j",
        ),
        lambda q, k, v, m: attn(q, k, v, 0.25, mask=m.astype(np.float32)),
        1e-2,
        types={**{x: H for x in "abc"}, "r": T, "d": MK},
    )
form(
    "batch-norm-training",
    [normal(3, 4, 5, 5), normal(4, seed=1), normal(4, seed=2)],
    fill("%t0", "tensor<4xf32>")
    + generic("%t1", "nchw->c", "%a $a f32", "%t0 tensor<4xf32> f32", ADD, "nhw")
    + ("%n = arith.constant 75.0 : f32\n" "%eps = arith.constant 1.0e-5 : f32\n")
    + generic(
        "%t2",
        "c->c",
        "%t1 tensor<4xf32> f32",
        "%t0_e tensor<4xf32> f32",
        ("%v0 = arith.divf %x0, %n : f32\n" "yield %v0 f32"),
    )
    + generic(
        "%t3",
        "nchw,c->c",
        "%a $a f32; %t2 tensor<4xf32> f32",
        "%t0 tensor<4xf32> f32",
        (
            "%v0 = arith.subf %x0, %x1 : f32\n"
            "%v1 = arith.mulf %v0, %v0 : f32\n"
            "%v2 = arith.addf %y0, %v1 : f32\n"
            "yield %v2 f32"
        ),
        "nhw",
    )
    + empty("%t4", "$r")
    + generic(
        "%r",
        "nchw,c,c,c,c->nchw",
        "%a $a f32; %t2 tensor<4xf32> f32; %t3 tensor<4xf32> f32; %b $b f32; %c $c f32",
        "%t4 $r f32",
        (
            "%v0 = arith.subf %x0, %x1 : f32\n"
            "%v1 = arith.divf %x2, %n : f32\n"
            "%v2 = arith.addf %v1, %eps : f32\n"
            "%v3 = math.rsqrt %v2 : f32\n"
            "%v4 = arith.mulf %v0, %v3 : f32\n"
            "%v5 = arith.mulf %v4, %x3 : f32\n"
            "%v6 = arith.addf %v5, %x4 : f32\n"
            "yield %v6 f32"
        ),
    ),
    lambda x, g, b: batch_norm(x, g, b, x.mean((0, 2, 3)), x.var((0, 2, 3))),
    1e-3,
)
form(
    "cross-entropy",
    [normal(5, 10), integers(5, low=0, high=10, dtype=I64)],
    fill("%t0", "tensor<5xf32>", "0xFF800000")
    + generic("%t1", "ij->i", "%a $a f32", "%t0 tensor<5xf32> f32", MAX, "j")
    + empty("%t2", "$a")
    + bin("%t3", "subf", "ij,i->ij", "%a $a", "%t1 tensor<5xf32>", "%t2 $a")
    + fill("%t4", "tensor<5xf32>")
    + generic(
        "%t5",
        "ij->i",
        "%t3 $a f32",
        "%t4 tensor<5xf32> f32",
        ("%v0 = math.exp %x0 : f32\n" "%v1 = arith.addf %v0, %y0 : f32\n" "yield %v1 f32"),
        "j",
    )
    + generic(
        "%t6",
        "ij,i->ij",
        "%t3 $a f32; %t5 tensor<5xf32> f32",
        "%t2 $a f32",
        ("%v0 = math.log %x1 : f32\n" "%v1 = arith.subf %x0, %v0 : f32\n" "yield %v1 f32"),
    )
    + generic(
        "%t7",
        "i->i",
        "%b $b i64",
        "%t4_e tensor<5xf32> f32",
        (
            "%i0 = linalg.index 0 : index\n"
            "%v0 = arith.index_cast %x0 : i64 to index\n"
            "%v1 = tensor.extract %t6[%i0, %v0] : $a\n"
            "%v2 = arith.negf %v1 : f32\n"
            "yield %v2 f32"
        ),
    )
    + fill("%t8", "$r")
    + generic("%t9", "i->", "%t7 tensor<5xf32> f32", "%t8 $r f32", ADD, "i")
    + (
        "%n = arith.constant 5.0 : f32\n"
        "%q = tensor.extract %t9[] : $r\n"
        "%p = arith.divf %q, %n : f32\n"
        "%r = tensor.from_elements %p : $r"
    ),
    lambda x, t: np.float32(
        -np.mean(
            (x - x.max(1, keepdims=True) - np.log(np.exp(x - x.max(1, keepdims=True)).sum(1, keepdims=True)))[
                np.arange(5), t
            ]
        )
    ),
)


def gru(x, h, w, u):
    for t in range(x.shape[0]):
        g = sigmoid(x[t] @ w[:, :6] + h @ u[:, :6])
        c = np.tanh(x[t] @ w[:, 6:] + (g[:, :3] * h) @ u[:, 6:])
        h = g[:, 3:] * h + (1 - g[:, 3:]) * c
    return h


form(
    "gru",
    [normal(4, 2, 5), normal(2, 3, seed=1), normal(5, 9, seed=2), normal(3, 9, seed=3)],
    """
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c4 = arith.constant 4 : index
%one = arith.constant 1.0 : f32
%z = arith.constant dense<0.0> : tensor<2x6xf32>
%y3 = arith.constant dense<0.0> : tensor<2x3xf32>
%w6 = tensor.extract_slice %c[0, 0] [5, 6] [1, 1] : $c to tensor<5x6xf32>
%w3 = tensor.extract_slice %c[0, 6] [5, 3] [1, 1] : $c to tensor<5x3xf32>
%u6 = tensor.extract_slice %d[0, 0] [3, 6] [1, 1] : $d to tensor<3x6xf32>
%u3 = tensor.extract_slice %d[0, 6] [3, 3] [1, 1] : $d to tensor<3x3xf32>
%r = scf.for %t = %c0 to %c4 step %c1 iter_args(%h = %b) -> $b {
  %x = tensor.extract_slice %a[%t, 0, 0] [1, 2, 5] [1, 1, 1] : $a to tensor<2x5xf32>
  %m0 = linalg.matmul ins(%x, %w6 : tensor<2x5xf32>, tensor<5x6xf32>) outs(%z : tensor<2x6xf32>) -> tensor<2x6xf32>
  %m1 = linalg.matmul ins(%h, %u6 : $b, tensor<3x6xf32>) outs(%m0 : tensor<2x6xf32>) -> tensor<2x6xf32>
"""
    + generic(
        "%g",
        "ij->ij",
        "%m1 tensor<2x6xf32> f32",
        "%z tensor<2x6xf32> f32",
        (
            "%v0 = arith.negf %x0 : f32\n"
            "%v1 = math.exp %v0 : f32\n"
            "%v2 = arith.addf %v1, %one : f32\n"
            "%v3 = arith.divf %one, %v2 : f32\n"
            "yield %v3 f32"
        ),
    )
    + """
  %gr = tensor.extract_slice %g[0, 0] [2, 3] [1, 1] : tensor<2x6xf32> to tensor<2x3xf32>
  %gz = tensor.extract_slice %g[0, 3] [2, 3] [1, 1] : tensor<2x6xf32> to tensor<2x3xf32>
  %rh = arith.mulf %gr, %h : tensor<2x3xf32>
  %m2 = linalg.matmul ins(%x, %w3 : tensor<2x5xf32>, tensor<5x3xf32>) outs(%y3 : tensor<2x3xf32>) -> tensor<2x3xf32>
  %m3 = linalg.matmul ins(%rh, %u3 : tensor<2x3xf32>, tensor<3x3xf32>) outs(%m2 : tensor<2x3xf32>) -> tensor<2x3xf32>
  %cc = math.tanh %m3 : tensor<2x3xf32>
"""
    + generic(
        "%nh",
        "ij,ij,ij->ij",
        "%gz tensor<2x3xf32> f32; %h $b f32; %cc tensor<2x3xf32> f32",
        "%y3 tensor<2x3xf32> f32",
        (
            "%v0 = arith.mulf %x0, %x1 : f32\n"
            "%v1 = arith.subf %one, %x0 : f32\n"
            "%v2 = arith.mulf %v1, %x2 : f32\n"
            "%v3 = arith.addf %v0, %v2 : f32\n"
            "yield %v3 f32"
        ),
    )
    + ("scf.yield %nh : $b\n" "}\n"),
    gru,
)
form(
    "im2col-matmul",
    [normal(1, 6, 6, 3), normal(27, 4, seed=1)],
    empty("%t0", "tensor<1x4x4x3x3x3xf32>")
    + (
        "%t1 = linalg.generic {indexing_maps = [affine_map<(n, h, w, i, j, c) -> (n, h + i, w + j, c)>, "
        'affine_map<(n, h, w, i, j, c) -> (n, h, w, i, j, c)>], iterator_types = ["parallel", '
        '"parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%a : $a) outs(%t0 : '
        "tensor<1x4x4x3x3x3xf32>) {\n"
        "^bb0(%x: f32, %y: f32):\n"
        "linalg.yield %x : f32\n"
        "} -> tensor<1x4x4x3x3x3xf32>\n"
        "%t2 = tensor.collapse_shape %t1 [[0, 1, 2], [3, 4, 5]] : tensor<1x4x4x3x3x3xf32> into "
        "tensor<16x27xf32>\n"
    )
    + fill("%t3", "tensor<16x4xf32>")
    + (
        "%t4 = linalg.matmul ins(%t2, %b : tensor<16x27xf32>, $b) outs(%t3 : tensor<16x4xf32>) -> "
        "tensor<16x4xf32>\n"
        "%r = tensor.expand_shape %t4 [[0, 1, 2], [3]] output_shape [1, 4, 4, 4] : tensor<16x4xf32> into "
        "$r"
    ),
    lambda x, w: conv2d(x, w.reshape(3, 3, 3, 4).transpose(3, 0, 1, 2), 0, (0,) * 4, (1, 1), (1, 1)),
)
form(
    "one-hot-matmul",
    [integers(6, low=0, high=5, dtype=I64), normal(5, 7)],
    empty("%t0", "tensor<6x5xf32>")
    + ("%o = arith.constant 1.0 : f32\n" "%z = arith.constant 0.0 : f32\n")
    + generic(
        "%t1",
        "i->ij",
        "%a $a i64",
        "%t0 tensor<6x5xf32> f32",
        (
            "%j0 = linalg.index 1 : index\n"
            "%v0 = arith.index_cast %j0 : index to i64\n"
            "%v1 = arith.cmpi eq, %v0, %x0 : i64\n"
            "%v2 = arith.select %v1, %o, %z : f32\n"
            "yield %v2 f32"
        ),
    )
    + fill("%t2", "$r")
    + "%r = linalg.matmul ins(%t1, %b : tensor<6x5xf32>, $b) outs(%t2 : $r) -> $r",
    lambda i, x: x[i],
)
form(
    "quantized-linear",
    [i8(8, 32), i8(32, 16, seed=1), integers(16, low=-1000, high=1000, seed=2)],
    fill("%t0", "tensor<8x16xi32>", "0", "i32")
    + (
        "%za = arith.constant 5 : i32\n"
        "%zb = arith.constant 0 : i32\n"
        "%t1 = linalg.quantized_matmul ins(%a, %b, %za, %zb : $a, $b, i32, i32) outs(%t0 : "
        "tensor<8x16xi32>) -> tensor<8x16xi32>\n"
        "%sc = arith.constant 0.0013 : f32\n"
        "%lo = arith.constant -128.0 : f32\n"
        "%hi = arith.constant 127.0 : f32\n"
    )
    + empty("%t2", "$r")
    + generic(
        "%r",
        "ij,j->ij",
        "%t1 tensor<8x16xi32> i32; %c $c i32",
        "%t2 $r i8",
        (
            "%v0 = arith.addi %x0, %x1 : i32\n"
            "%v1 = arith.sitofp %v0 : i32 to f32\n"
            "%v2 = arith.mulf %v1, %sc : f32\n"
            "%v3 = math.roundeven %v2 : f32\n"
            "%v4 = arith.maximumf %v3, %lo : f32\n"
            "%v5 = arith.minimumf %v4, %hi : f32\n"
            "%v6 = arith.fptosi %v5 : f32 to i8\n"
            "yield %v6 i8"
        ),
    ),
    lambda x, w, b: np.clip(
        np.rint(((x.astype(np.int32) - 5) @ w.astype(np.int32) + b).astype(np.float32) * np.float32(0.0013)), -128, 127
    ).astype(np.int8),
    0,
)
form(
    "int4-group-dequant-matmul",
    [
        normal(3, 64),
        integers(64, 16, dtype=np.int8),
        np.abs(normal(4, 16, seed=1)),
        integers(4, 16, seed=2, dtype=np.int8),
    ],
    (
        "%w4 = arith.trunci %b : $b to tensor<64x16xi4>\n"
        "%z4 = arith.trunci %d : $d to tensor<4x16xi4>\n"
        "%we = tensor.expand_shape %w4 [[0, 1], [2]] output_shape [4, 16, 16] : tensor<64x16xi4> into "
        "tensor<4x16x16xi4>\n"
    )
    + empty("%t0", "tensor<4x16x16xf32>")
    + generic(
        "%t1",
        "gkn,gn,gn->gkn",
        "%we tensor<4x16x16xi4> i4; %c $c f32; %z4 tensor<4x16xi4> i4",
        "%t0 tensor<4x16x16xf32> f32",
        (
            "%v0 = arith.extsi %x0 : i4 to i32\n"
            "%v1 = arith.extsi %x2 : i4 to i32\n"
            "%v2 = arith.subi %v0, %v1 : i32\n"
            "%v3 = arith.sitofp %v2 : i32 to f32\n"
            "%v4 = arith.mulf %v3, %x1 : f32\n"
            "yield %v4 f32"
        ),
    )
    + ("%xe = tensor.expand_shape %a [[0], [1, 2]] output_shape [3, 4, 16] : $a into " "tensor<3x4x16xf32>\n")
    + fill("%t2", "$r")
    + generic("%r", "mgk,gkn->mn", "%xe tensor<3x4x16xf32> f32; %t1 tensor<4x16x16xf32> f32", "%t2 $r f32", MAC, "gk"),
    lambda x, w, s, z: x
    @ ((w.reshape(4, 16, 16).astype(np.float32) - z[:, None].astype(np.float32)) * s[:, None]).reshape(64, 16),
    1e-3,
)
form(
    "kv-cache-update",
    [normal(2, 10, 8), normal(2, 1, 8, seed=1), 4, normal(2, 1, 8, seed=2)],
    """
%c1 = arith.constant 1 : index
%n = arith.addi %c, %c1 : index
%s = tensor.insert_slice %b into %a[0, %c, 0] [2, 1, 8] [1, 1, 1] : $b into $a
%k = tensor.extract_slice %s[0, 0, 0] [2, %n, 8] [1, 1, 1] : $a to tensor<2x?x8xf32>
"""
    + fill("%t0", "tensor<2x1x?xf32>", sizes="%n")
    + generic("%t1", "bid,bjd->bij", "%d $d f32; %k tensor<2x?x8xf32> f32", "%t0 tensor<2x1x?xf32> f32", MAC, "d")
    + (
        "%t2 = linalg.softmax dimension(2) ins(%t1 : tensor<2x1x?xf32>) outs(%t0_e : tensor<2x1x?xf32>) "
        "-> tensor<2x1x?xf32>\n"
    )
    + fill("%t3", "$r")
    + generic("%r", "bij,bjd->bid", "%t2 tensor<2x1x?xf32> f32; %k tensor<2x?x8xf32> f32", "%t3 $r f32", MAC, "j"),
    lambda a, b, i, q: kv(a, b, i, q),
)
form(
    "sinusoid-positions",
    [],
    empty("%t0", "$r")
    + ("%d = arith.constant 8.0 : f32\n" "%l = arith.constant -9.21034 : f32\n" "%c2 = arith.constant 2 : index\n")
    + generic(
        "%r",
        "ij->ij",
        "",
        "%t0 $r f32",
        (
            "%i0 = linalg.index 0 : index\n"
            "%j0 = linalg.index 1 : index\n"
            "%v0 = arith.divui %j0, %c2 : index\n"
            "%v1 = arith.muli %v0, %c2 : index\n"
            "%v2 = arith.index_cast %v1 : index to i32\n"
            "%v3 = arith.sitofp %v2 : i32 to f32\n"
            "%v4 = arith.divf %v3, %d : f32\n"
            "%v5 = arith.mulf %v4, %l : f32\n"
            "%v6 = math.exp %v5 : f32\n"
            "%v7 = arith.index_cast %i0 : index to i32\n"
            "%v8 = arith.sitofp %v7 : i32 to f32\n"
            "%v9 = arith.mulf %v8, %v6 : f32\n"
            "%w0 = math.sin %v9 : f32\n"
            "%w1 = math.cos %v9 : f32\n"
            "%w2 = arith.remui %j0, %c2 : index\n"
            "%w3 = arith.cmpi eq, %w2, %j0 : index\n"
            "%c0 = arith.constant 0 : index\n"
            "%w4 = arith.cmpi eq, %w2, %c0 : index\n"
            "%w5 = arith.select %w4, %w0, %w1 : f32\n"
            "yield %w5 f32"
        ),
    ),
    lambda: np.stack(
        [
            [(math.sin if j % 2 == 0 else math.cos)(i * math.exp(-9.21034 * (j // 2 * 2) / 8)) for j in range(8)]
            for i in range(6)
        ]
    ).astype(np.float32),
)
form(
    "pixel-shuffle",
    [normal(1, 8, 3, 4)],
    (
        "%0 = tensor.expand_shape %a [[0], [1, 2, 3], [4], [5]] output_shape [1, 2, 2, 2, 3, 4] : $a "
        "into tensor<1x2x2x2x3x4xf32>\n"
    )
    + empty("%t0", "tensor<1x2x3x2x4x2xf32>")
    + (
        "%t1 = linalg.transpose ins(%0 : tensor<1x2x2x2x3x4xf32>) outs(%t0 : tensor<1x2x3x2x4x2xf32>) "
        "permutation = [0, 1, 4, 2, 5, 3]\n"
        "%r = tensor.collapse_shape %t1 [[0], [1], [2, 3], [4, 5]] : tensor<1x2x3x2x4x2xf32> into $r"
    ),
    lambda x: x.reshape(1, 2, 2, 2, 3, 4).transpose(0, 1, 4, 2, 5, 3).reshape(1, 2, 6, 8),
    0,
)
form(
    "upsample-nearest",
    [normal(1, 2, 3, 4)],
    empty("%t0", "tensor<1x2x3x2x4x2xf32>")
    + generic("%t1", "nchw->nchiwj", "%a $a f32", "%t0 tensor<1x2x3x2x4x2xf32> f32", "yield %x0 f32")
    + "%r = tensor.collapse_shape %t1 [[0], [1], [2, 3], [4, 5]] : tensor<1x2x3x2x4x2xf32> into $r",
    lambda x: x.repeat(2, 2).repeat(2, 3),
    0,
)
form(
    "roll",
    [normal(3, 7)],
    (
        "%0 = tensor.extract_slice %a[0, 5] [3, 2] [1, 1] : $a to tensor<3x2xf32>\n"
        "%1 = tensor.extract_slice %a[0, 0] [3, 5] [1, 1] : $a to tensor<3x5xf32>\n"
        "%r = tensor.concat dim(1) %0, %1 : (tensor<3x2xf32>, tensor<3x5xf32>) -> $r"
    ),
    lambda x: np.roll(x, 2, 1),
    0,
)
form(
    "group-norm",
    [normal(2, 6, 4, 4), normal(6, seed=1), normal(6, seed=2)],
    (
        "%x = tensor.expand_shape %a [[0], [1, 2], [3], [4]] output_shape [2, 3, 2, 4, 4] : $a into "
        "tensor<2x3x2x4x4xf32>\n"
        "%n = arith.constant 32.0 : f32\n"
        "%eps = arith.constant 1.0e-5 : f32\n"
    )
    + fill("%t0", "tensor<2x3xf32>")
    + generic("%t1", "ngchw->ng", "%x tensor<2x3x2x4x4xf32> f32", "%t0 tensor<2x3xf32> f32", ADD, "chw")
    + generic(
        "%t2",
        "ng->ng",
        "%t1 tensor<2x3xf32> f32",
        "%t0_e tensor<2x3xf32> f32",
        ("%v0 = arith.divf %x0, %n : f32\n" "yield %v0 f32"),
    )
    + generic(
        "%t3",
        "ngchw,ng->ng",
        "%x tensor<2x3x2x4x4xf32> f32; %t2 tensor<2x3xf32> f32",
        "%t0 tensor<2x3xf32> f32",
        (
            "%v0 = arith.subf %x0, %x1 : f32\n"
            "%v1 = arith.mulf %v0, %v0 : f32\n"
            "%v2 = arith.addf %y0, %v1 : f32\n"
            "yield %v2 f32"
        ),
        "chw",
    )
    + empty("%t4", "tensor<2x3x2x4x4xf32>")
    + generic(
        "%t5",
        "ngchw,ng,ng->ngchw",
        "%x tensor<2x3x2x4x4xf32> f32; %t2 tensor<2x3xf32> f32; %t3 tensor<2x3xf32> f32",
        "%t4 tensor<2x3x2x4x4xf32> f32",
        (
            "%v0 = arith.subf %x0, %x1 : f32\n"
            "%v1 = arith.divf %x2, %n : f32\n"
            "%v2 = arith.addf %v1, %eps : f32\n"
            "%v3 = math.rsqrt %v2 : f32\n"
            "%v4 = arith.mulf %v0, %v3 : f32\n"
            "yield %v4 f32"
        ),
    )
    + "%t6 = tensor.collapse_shape %t5 [[0], [1, 2], [3], [4]] : tensor<2x3x2x4x4xf32> into $r\n"
    + empty("%t7", "$r")
    + generic(
        "%r",
        "nchw,c,c->nchw",
        "%t6 $r f32; %b $b f32; %c $c f32",
        "%t7 $r f32",
        ("%v0 = arith.mulf %x0, %x1 : f32\n" "%v1 = arith.addf %v0, %x2 : f32\n" "yield %v1 f32"),
    ),
    lambda x, g, b: gn(x, g, b),
    1e-3,
)
form(
    "rmsnorm-f16",
    [normal(5, 64, dtype=F16), normal(64, seed=1, dtype=F16)],
    fill("%t0", "tensor<5xf32>")
    + generic(
        "%t1",
        "ij->i",
        "%a $a f16",
        "%t0 tensor<5xf32> f32",
        (
            "%v0 = arith.extf %x0 : f16 to f32\n"
            "%v1 = arith.mulf %v0, %v0 : f32\n"
            "%v2 = arith.addf %y0, %v1 : f32\n"
            "yield %v2 f32"
        ),
        "j",
    )
    + ("%n = arith.constant 64.0 : f32\n" "%eps = arith.constant 1.0e-6 : f32\n")
    + empty("%t2", "$r")
    + generic(
        "%r",
        "ij,i,j->ij",
        "%a $a f16; %t1 tensor<5xf32> f32; %b $b f16",
        "%t2 $r f16",
        (
            "%v0 = arith.divf %x1, %n : f32\n"
            "%v1 = arith.addf %v0, %eps : f32\n"
            "%v2 = math.rsqrt %v1 : f32\n"
            "%v3 = arith.extf %x0 : f16 to f32\n"
            "%v4 = arith.mulf %v3, %v2 : f32\n"
            "%v5 = arith.truncf %v4 : f32 to f16\n"
            "%v6 = arith.mulf %v5, %x2 : f16\n"
            "yield %v6 f16"
        ),
    ),
    lambda x, g: (x / np.sqrt((x.astype(np.float32) ** 2).mean(1, keepdims=True) + 1e-6)).astype(F16) * g,
    1e-2,
)
form(
    "logsumexp-dyn",
    [normal(5, 70)],
    dims("%a", "$a", 0)
    + fill("%t0", "$r", "0xFF800000", sizes="%a0")
    + generic("%t1", "ij->i", "%a $a f32", "%t0 $r f32", MAX, "j")
    + fill("%t2", "$r", sizes="%a0")
    + generic(
        "%t3",
        "ij,i->i",
        "%a $a f32; %t1 $r f32",
        "%t2 $r f32",
        (
            "%v0 = arith.subf %x0, %x1 : f32\n"
            "%v1 = math.exp %v0 : f32\n"
            "%v2 = arith.addf %y0, %v1 : f32\n"
            "yield %v2 f32"
        ),
        "j",
    )
    + generic(
        "%r",
        "i,i->i",
        "%t3 $r f32; %t1 $r f32",
        "%t2_e $r f32",
        ("%v0 = math.log %x0 : f32\n" "%v1 = arith.addf %v0, %x1 : f32\n" "yield %v1 f32"),
    ),
    lambda x: np.log(np.exp(x).sum(1)),
    1e-4,
    dynamic=True,
)
form(
    "maxpool-with-indices",
    [normal(1, 2, 6, 6)],
    fill("%t0", "$r", "0xFF800000")
    + fill("%t1", "$s", "-1", "i64")
    + empty("%t2", "tensor<2x2xf32>")
    + (
        "%c6 = arith.constant 6 : index\n"
        "%c2 = arith.constant 2 : index\n"
        "%q:2 = linalg.generic {indexing_maps = [affine_map<(n, c, h, w, i, j) -> (i, j)>, "
        "affine_map<(n, c, h, w, i, j) -> (n, c, h * 2 + i, w * 2 + j)>, affine_map<(n, c, h, w, i, j) "
        "-> (n, c, h, w)>, affine_map<(n, c, h, w, i, j) -> (n, c, h, w)>], iterator_types = "
        '["parallel", "parallel", "parallel", "parallel", "reduction", "reduction"]} ins(%t2, %a : '
        "tensor<2x2xf32>, $a) outs(%t0, %t1 : $r, $s) {\n"
        "^bb0(%u0: f32, %x0: f32, %y0: f32, %y1: i64):\n"
        "%h = linalg.index 2 : index\n"
        "%w = linalg.index 3 : index\n"
        "%i = linalg.index 4 : index\n"
        "%j = linalg.index 5 : index\n"
        "%v0 = arith.muli %h, %c2 : index\n"
        "%v1 = arith.addi %v0, %i : index\n"
        "%v2 = arith.muli %v1, %c6 : index\n"
        "%v3 = arith.muli %w, %c2 : index\n"
        "%v4 = arith.addi %v3, %j : index\n"
        "%v5 = arith.addi %v2, %v4 : index\n"
        "%v6 = arith.index_cast %v5 : index to i64\n"
        "%v7 = arith.cmpf ogt, %x0, %y0 : f32\n"
        "%v8 = arith.select %v7, %x0, %y0 : f32\n"
        "%v9 = arith.select %v7, %v6, %y1 : i64\n"
        "linalg.yield %v8, %v9 : f32, i64\n"
        "} -> ($r, $s)\n"
        "%r = tensor.cast %q#0 : $r to $r\n"
        "%s = tensor.cast %q#1 : $s to $s"
    ),
    lambda x: mpi(x),
)
for spec, shapes in [
    ("ab,cb->ac", [(3, 4), (5, 4)]),
    ("abc,cd->abd", [(2, 3, 4), (4, 5)]),
    ("abcd,aced->abe", [(2, 3, 4, 5), (2, 4, 6, 5)]),
    ("ab,ab->a", [(3, 4), (3, 4)]),
    ("ab,b->", [(3, 4), (4,)]),
    ("abc,abd->cd", [(2, 3, 4), (2, 3, 5)]),
    ("a,b->ab", [(3,), (4,)]),
    ("abc,bd,ce->ade", [(2, 3, 4), (3, 5), (4, 6)]),
    ("ab,ba->", [(3, 4), (4, 3)]),
    ("aab->b", [(3, 3, 4)]),
]:
    args = [normal(*s, seed=n) for n, s in enumerate(shapes)]
    inputs, out = spec.split("->")
    red = "".join(set(inputs) - set(out) - {","})
    prod = "".join(
        f"%v{n} = arith.mulf {'%x0' if n == 1 else f'%v{n-1}'}, %x{n} : f32\n" for n in range(1, len(shapes))
    )
    last = f"%v{len(shapes)-1}" if len(shapes) > 1 else "%x0"
    form(
        f"einsum-{spec}",
        args,
        fill("%t0", "$r")
        + generic(
            "%r",
            spec,
            "; ".join(f"%{l} ${l} f32" for l in "abc"[: len(shapes)]),
            "%t0 $r f32",
            prod + (f"%w0 = arith.addf %y0, {last} : f32\n" "yield %w0 f32"),
            red,
        ),
        lambda *x, spec=spec: np.einsum(spec, *x),
        1e-4,
    )
form(
    "shared-producer",
    [normal(8, 8), normal(8, 8, seed=1)],
    fill("%t0", "$a")
    + (
        "%0 = linalg.matmul ins(%a, %b : $a, $a) outs(%t0 : $a) -> $a\n"
        "%1 = math.tanh %0 : $a\n"
        "%2 = arith.addf %1, %0 : $a\n"
        "%r = arith.mulf %2, %1 : $a\n"
    )
    + fill("%t1", "tensor<8xf32>")
    + generic("%s", "ij->i", "%1 $a f32", "%t1 tensor<8xf32> f32", ADD, "j"),
    lambda x, y: ((np.tanh(x @ y) + x @ y) * np.tanh(x @ y), np.tanh(x @ y).sum(1)),
    1e-4,
)
form(
    "matmul-chain",
    [normal(5, 6), normal(6, 7, seed=1), normal(7, 3, seed=2)],
    fill("%t0", "tensor<5x7xf32>")
    + "%0 = linalg.matmul ins(%a, %b : $a, $b) outs(%t0 : tensor<5x7xf32>) -> tensor<5x7xf32>\n"
    + fill("%t1", "$r")
    + "%r = linalg.matmul ins(%0, %c : tensor<5x7xf32>, $c) outs(%t1 : $r) -> $r",
    lambda x, y, z: x @ y @ z,
    1e-3,
)
form(
    "same-accumulator",
    [normal(5, 6), normal(6, 5, seed=1), normal(5, 6, seed=2), normal(6, 5, seed=3)],
    fill("%t0", "tensor<5x5xf32>")
    + (
        "%0 = linalg.matmul ins(%a, %b : $a, $b) outs(%t0 : tensor<5x5xf32>) -> tensor<5x5xf32>\n"
        "%1 = linalg.matmul ins(%c, %d : $c, $d) outs(%t0 : tensor<5x5xf32>) -> tensor<5x5xf32>\n"
        "%r = linalg.matmul ins(%c, %d : $c, $d) outs(%0 : tensor<5x5xf32>) -> tensor<5x5xf32>\n"
        "%s = arith.subf %0, %1 : $s"
    ),
    lambda a, b, c, d: (a @ b + c @ d, a @ b - c @ d),
    1e-3,
)
form(
    "residual-block",
    [normal(1, 4, 6, 6), normal(4, 4, 3, 3, seed=1), normal(4, 4, 3, 3, seed=2)],
    "%zero = arith.constant 0.0 : f32\n"
    + pad("%t0", "%a", "$a", [0, 0, 1, 1], [0, 0, 1, 1], "tensor<1x4x8x8xf32>")
    + fill("%t1", "$a")
    + "%0 = linalg.conv_2d_nchw_fchw ins(%t0, %b : tensor<1x4x8x8xf32>, $b) outs(%t1 : $a) -> $a\n"
    + generic(
        "%t2", "nchw->nchw", "%0 $a f32", "%t1_e $a f32", ("%v0 = arith.maximumf %x0, %zero : f32\n" "yield %v0 f32")
    )
    + pad("%t3", "%t2", "$a", [0, 0, 1, 1], [0, 0, 1, 1], "tensor<1x4x8x8xf32>")
    + "%1 = linalg.conv_2d_nchw_fchw ins(%t3, %c : tensor<1x4x8x8xf32>, $c) outs(%t1 : $a) -> $a\n"
    + generic(
        "%r",
        "nchw,nchw->nchw",
        "%1 $a f32; %a $a f32",
        "%t1_e $a f32",
        ("%v0 = arith.addf %x0, %x1 : f32\n" "%v1 = arith.maximumf %v0, %zero : f32\n" "yield %v1 f32"),
    ),
    lambda x, w, v: np.maximum(conv_nchw(np.maximum(conv_nchw(x, w), 0), v) + x, 0),
    1e-3,
)
form(
    "moe-top1",
    [normal(6, 4), normal(3, 4, 5, seed=1), normal(4, 3, seed=2)],
    fill("%t0", "tensor<6x3xf32>")
    + "%0 = linalg.matmul ins(%a, %c : $a, $c) outs(%t0 : tensor<6x3xf32>) -> tensor<6x3xf32>\n"
    + fill("%t1", "tensor<6xf32>", "0xFF800000")
    + fill("%t2", "tensor<6xi32>", "0", "i32")
    + generic(
        "%q:2",
        "ik->i,i",
        "%0 tensor<6x3xf32> f32",
        "%t1 tensor<6xf32> f32; %t2 tensor<6xi32> i32",
        (
            "%j0 = linalg.index 1 : index\n"
            "%v0 = arith.index_cast %j0 : index to i32\n"
            "%v1 = arith.cmpf ogt, %x0, %y0 : f32\n"
            "%v2 = arith.select %v1, %x0, %y0 : f32\n"
            "%v3 = arith.select %v1, %v0, %y1 : i32\n"
            "yield %v2 f32, %v3 i32"
        ),
        "k",
    )
    + fill("%t3", "$r")
    + generic(
        "%r",
        "id,i->io",
        "%a $a f32; %q#1 tensor<6xi32> i32",
        "%t3 $r f32",
        (
            "%o0 = linalg.index 2 : index\n"
            "%d0 = linalg.index 0 : index\n"
            "%e0 = arith.index_cast %x1 : i32 to index\n"
            "%v0 = tensor.extract %b[%e0, %d0, %o0] : $b\n"
            "%v1 = arith.mulf %x0, %v0 : f32\n"
            "%v2 = arith.addf %y0, %v1 : f32\n"
            "yield %v2 f32"
        ),
        "d",
    ),
    lambda x, w, g: np.stack([x[i] @ w[(x[i] @ g).argmax()] for i in range(6)]),
    1e-4,
)
